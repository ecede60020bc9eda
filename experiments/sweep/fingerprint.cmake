# Writes OUTPUT, a C++ source that defines NAME in the namespace epsilary::SPACE: it names the contents of SOURCES and the
# flags they are compiled with, for a result of another formula is not a result of this one.
set(all "${FLAGS}")
foreach(source ${SOURCES})
  file(SHA256 ${source} hash)
  string(APPEND all ${hash})
endforeach()
string(SHA256 hash "${all}")
file(WRITE ${OUTPUT} "namespace epsilary::${SPACE} {
extern const char* const ${NAME};
const char* const ${NAME} = \"${hash}\";
}  // namespace epsilary::${SPACE}
")
