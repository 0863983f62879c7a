# Z3's C++ interface, as Debian's libz3-dev has it, or (with -DZ3_ROOT=.../site-packages/z3) the wheel of PyPI's
# z3-solver. Debian's package brings no CMake file of its own. Defines pteproof::z3.
find_path(Z3_INCLUDE_DIR z3++.h)
find_library(Z3_LIBRARY z3)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Z3 REQUIRED_VARS Z3_LIBRARY Z3_INCLUDE_DIR)
if(Z3_FOUND AND NOT TARGET pteproof::z3)
  add_library(pteproof::z3 UNKNOWN IMPORTED)
  set_target_properties(pteproof::z3 PROPERTIES
    IMPORTED_LOCATION ${Z3_LIBRARY} INTERFACE_SYSTEM_INCLUDE_DIRECTORIES ${Z3_INCLUDE_DIR}
    INTERFACE_INCLUDE_DIRECTORIES ${Z3_INCLUDE_DIR})
endif()
mark_as_advanced(Z3_INCLUDE_DIR Z3_LIBRARY)
