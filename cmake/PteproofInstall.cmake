# Installs the floors' libraries, their headers (include/pteproof/FLOOR/...) and a package for find_package(pteproof).
# All of it is component `dev`; the command is installed by cli/.
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

foreach(target IN LISTS floors)
  string(REPLACE "pteproof_" "" floor ${target})
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS
    RELATIVE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/${floor}/*.h)
  foreach(header IN LISTS headers)
    cmake_path(GET header PARENT_PATH folder)
    install(FILES ${PROJECT_SOURCE_DIR}/${header}
      DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/pteproof/${folder} COMPONENT dev)
  endforeach()
endforeach()

configure_package_config_file(
  ${CMAKE_CURRENT_LIST_DIR}/pteproofConfig.cmake.in ${PROJECT_BINARY_DIR}/pteproofConfig.cmake
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(
  ${PROJECT_BINARY_DIR}/pteproofConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES
  ${CMAKE_CURRENT_LIST_DIR}/FindZ3.cmake ${PROJECT_BINARY_DIR}/pteproofConfig.cmake ${PROJECT_BINARY_DIR}/pteproofConfigVersion.cmake
  DESTINATION ${package_dir} COMPONENT dev)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT dev)
