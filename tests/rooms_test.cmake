# Fails when a file of bounds or solvers lies in the wrong room: formulas and forms have no ids, statements no formulas
# of more than a line and no solvers of their own, and core knows neither.
file(GLOB_RECURSE theory RELATIVE ${SOURCE} ${SOURCE}/bounds/theory/*.?pp)
file(GLOB_RECURSE core RELATIVE ${SOURCE} ${SOURCE}/bounds/core/*.?pp)
file(GLOB_RECURSE papers RELATIVE ${SOURCE} ${SOURCE}/bounds/papers/*.?pp)
file(GLOB_RECURSE forms RELATIVE ${SOURCE} ${SOURCE}/bounds/forms/*.?pp)
file(GLOB_RECURSE outside RELATIVE ${SOURCE} ${SOURCE}/bounds/*.?pp ${SOURCE}/experiments/*.?pp ${SOURCE}/figures/*.?pp)
file(GLOB loose_papers RELATIVE ${SOURCE} ${SOURCE}/bounds/papers/*.?pp)
file(GLOB loose RELATIVE ${SOURCE} ${SOURCE}/bounds/*.?pp ${SOURCE}/solvers/*.?pp)
foreach(room theory core papers)
  list(LENGTH ${room} count)
  if(count LESS 10)
    message(FATAL_ERROR "only ${count} files found in bounds/${room}")
  endif()
endforeach()
if(loose OR loose_papers)
  message(SEND_ERROR "outside of every room: ${loose} ${loose_papers}")
endif()
function(refuse files pattern reason)
  foreach(file ${files})
    file(STRINGS ${SOURCE}/${file} lines REGEX "${pattern}")
    foreach(line IN LISTS lines)
      message(SEND_ERROR "${file}: ${line}\n  ${reason}")
    endforeach()
  endforeach()
endfunction()
refuse("${theory}" "\\.id = |[.>]id = \"" "a formula has no id: statements belong in bounds/papers")
refuse("${forms}" "[.>]id = \"" "what statements share has no id: the file of a paper gives it")
refuse("${theory}" "^#include \"bounds/(papers|forms)/" "theory knows neither papers nor the forms of their statements")
refuse("${core}" "^#include \"bounds/(papers|theory|forms)/" "core knows neither formulas nor papers")
refuse("${forms}" "^#include \"(bounds/papers|solvers)/" "what statements share knows no paper and no solver")
refuse("${papers}" "^#include \"solvers/" "a statement calls bounds/theory; what it computes belongs there")
refuse("${outside}" "^#include \"solvers/losses/(contour|lattice|pairs)/" "the door is solvers/losses/compose.hpp")

# Statements are words.
set(in_papers "template <Real |minimise<|binomial_(mean|sum)|certainly\\(|each_number\\(.*{$")
refuse("${papers};${forms}" "${in_papers}" "a formula of more than a line belongs in bounds/theory")

# Arb and FLINT stay behind solvers, but for a callback that Arb's quadrature calls and what is listed.
set(with_arb bounds/theory/dpsgd/renyi.cpp experiments/tables/table.cpp experiments/sweep/order.cpp experiments/sweep/axis.cpp
    experiments/tables/provenance.cpp)
list(REMOVE_ITEM outside ${with_arb})
refuse("${outside}" "[^a-z_](arb|acb|arf|mag|fmpz|fmpq)_[a-z]" "raw Arb and FLINT belong in solvers")

# Reasons are read in every language: a parameter is named, and who prints for the command line may put dashes.
set(speaking ${core} ${theory} ${forms})
list(REMOVE_ITEM speaking bounds/core/question.cpp)
refuse("${speaking}" "\"[^\"]*--[a-z]" "flags belong to the command line")
