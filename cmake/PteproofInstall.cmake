# Installs the libraries, the public headers (include/pteproof/*.h) and a package for find_package(pteproof), whose
# users link to pteproof::pteproof; and the C interface for pkg-config. All of it is component `dev`; the command is installed by cli/, as component `command`.
option(PTEPROOF_INSTALL "Make install rules" ${PROJECT_IS_TOP_LEVEL})
if(NOT PTEPROOF_INSTALL)
  return()
endif()
include(CMakePackageConfigHelpers)

get_property(floors GLOBAL PROPERTY PTEPROOF_FLOORS)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/pteproof)

install(TARGETS ${floors} EXPORT pteproof COMPONENT dev ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT pteproof NAMESPACE pteproof:: FILE pteproofTargets.cmake
  DESTINATION ${package_dir} COMPONENT dev)

# Everything else that has a header is private.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/pteproof DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  COMPONENT dev FILES_MATCHING PATTERN "*.h")

configure_package_config_file(
  ${CMAKE_CURRENT_LIST_DIR}/pteproofConfig.cmake.in ${PROJECT_BINARY_DIR}/pteproofConfig.cmake
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(
  ${PROJECT_BINARY_DIR}/pteproofConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES
  ${CMAKE_CURRENT_LIST_DIR}/FindZ3.cmake ${PROJECT_BINARY_DIR}/pteproofConfig.cmake ${PROJECT_BINARY_DIR}/pteproofConfigVersion.cmake
  DESTINATION ${package_dir} COMPONENT dev)

# The C interface, where it is built: the shared library, and how a compiler finds it. The prefix of `cmake --install` counts.
if(TARGET pteproof_shared)
  install(TARGETS pteproof_shared LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT dev NAMELINK_COMPONENT dev)
  install(CODE "set(PROJECT_VERSION ${PROJECT_VERSION})
    set(CMAKE_INSTALL_LIBDIR ${CMAKE_INSTALL_LIBDIR})
    set(CMAKE_INSTALL_INCLUDEDIR ${CMAKE_INSTALL_INCLUDEDIR})
    set(to \"\${CMAKE_INSTALL_PREFIX}/\${CMAKE_INSTALL_LIBDIR}/pkgconfig/pteproof.pc\")
    configure_file(\"${CMAKE_CURRENT_LIST_DIR}/pteproof.pc.in\" \"\$ENV{DESTDIR}\${to}\" @ONLY)" COMPONENT dev)
endif()
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT dev)
