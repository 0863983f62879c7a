# Debian packages, which `cpack` writes from a build folder (scripts/release): `pteproof` holds the command, its manual page
# and its completions; `libpteproof-dev` holds the component `dev`. Each is for the distribution that it was built on.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_VENDOR "The pteproof authors")
set(CPACK_COMPONENTS_ALL command)
if(PTEPROOF_INSTALL)
  list(APPEND CPACK_COMPONENTS_ALL dev)
endif()
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "The pteproof authors")
cmake_host_system_information(RESULT distro QUERY DISTRIB_INFO)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
if(distro_VERSION_CODENAME)
  string(APPEND CPACK_DEBIAN_PACKAGE_RELEASE ~${distro_VERSION_CODENAME})
endif()

# What the command links to is found by dpkg-shlibdeps.
set(CPACK_DEBIAN_COMMAND_PACKAGE_NAME pteproof)
set(CPACK_DEBIAN_COMMAND_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_COMMAND_PACKAGE_SHLIBDEPS ON)
set(CPACK_COMPONENT_COMMAND_DESCRIPTION "An ExecuTorch program (.pte) carries a memory plan that was made at export.
The command pteproof reads the file, proves the plan safe or names the lost
bytes and the fix, and writes a repaired or smaller plan.")

# Static libraries: their users link to what these need. Inline namespaces of fmt have the first number of its version.
set(CPACK_DEBIAN_DEV_PACKAGE_NAME libpteproof-dev)
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
string(REGEX MATCH "^[0-9]+" fmt_major "${fmt_VERSION}")
math(EXPR fmt_next "${fmt_major} + 1")
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS
  "libfmt-dev (>= ${fmt_VERSION}), libfmt-dev (<< ${fmt_next}), libz3-dev, nlohmann-json3-dev")
set(CPACK_COMPONENT_DEV_DESCRIPTION "Static libraries, public headers and a CMake package, for C++ programs that
read, check, prove and write ExecuTorch programs; and a shared library with a
C interface, for all other languages.")

set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/PteproofDebian.cmake)
set(CPACK_PTEPROOF_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_PTEPROOF_CHANGES ${PROJECT_SOURCE_DIR}/CHANGELOG.md)
include(CPack)
