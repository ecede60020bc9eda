# Writes OUTPUT, a C++ source that names the contents of SOURCES and the flags they are compiled with: a result of
# another formula is not a result of this one.
set(all "${FLAGS}")
foreach(source ${SOURCES})
  file(SHA256 ${source} hash)
  string(APPEND all ${hash})
endforeach()
string(SHA256 hash "${all}")
file(WRITE ${OUTPUT} "namespace epsilary::experiments {
extern const char* const source_fingerprint;
const char* const source_fingerprint = \"${hash}\";
}  // namespace epsilary::experiments
")
