# Finds what the number types stand on; EPSILARY_MISSING tells what there is not. Used by the build and, installed, by
# the CMake package.
set(EPSILARY_MISSING "")
find_path(EPSILARY_FLINT_INCLUDE flint/fmpq.h)
find_library(EPSILARY_FLINT flint)
find_library(EPSILARY_ARB NAMES arb flint-arb)  # part of FLINT since FLINT 3
find_library(EPSILARY_MPFR mpfr)
find_library(EPSILARY_GMP gmp)
find_path(EPSILARY_BOOST_INCLUDE boost/math/tools/toms748_solve.hpp)
set(needed EPSILARY_FLINT_INCLUDE EPSILARY_FLINT EPSILARY_MPFR EPSILARY_GMP EPSILARY_BOOST_INCLUDE)
if(EPSILARY_FLINT_INCLUDE AND NOT EXISTS ${EPSILARY_FLINT_INCLUDE}/flint/arb.h)
  list(APPEND needed EPSILARY_ARB)  # FLINT 2, where Arb is a library of its own
endif()
foreach(found ${needed})
  if(NOT ${found})
    string(CONCAT EPSILARY_MISSING "${found} was not found. On Debian: apt-get install --no-remove "
      "libflint-dev libflint-arb-dev libmpfr-dev libboost-dev")
  endif()
  mark_as_advanced(${found})
endforeach()

if(NOT EPSILARY_MISSING AND NOT TARGET epsilary::numbers)
  add_library(epsilary::numbers INTERFACE IMPORTED)
  set(numbers ${EPSILARY_FLINT} ${EPSILARY_MPFR} ${EPSILARY_GMP})
  if(EPSILARY_ARB)
    list(PREPEND numbers ${EPSILARY_ARB})
  endif()
  set_target_properties(epsilary::numbers PROPERTIES INTERFACE_LINK_LIBRARIES "${numbers}")
  # FLINT 2 keeps its headers in flint/ and Arb's at the top; FLINT 3 keeps both in flint/.
  target_include_directories(epsilary::numbers SYSTEM INTERFACE
    ${EPSILARY_FLINT_INCLUDE} ${EPSILARY_FLINT_INCLUDE}/flint ${EPSILARY_BOOST_INCLUDE})
endif()
