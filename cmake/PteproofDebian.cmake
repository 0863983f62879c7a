# Run by cpack once the files of both packages lie in folders of their own, and before they are packed: adds the documents that
# each Debian package has. Headers of other projects are compiled in, so that their licences are among them.
set(notices "")
foreach(header_package libcli11-dev libflatbuffers-dev libfmt-dev libtomlplusplus-dev nlohmann-json3-dev)
  set(copyright /usr/share/doc/${header_package}/copyright)
  if(NOT EXISTS ${copyright})
    message(FATAL_ERROR "${copyright} is missing: a package carries the licences of the headers that are compiled in")
  endif()
  file(READ ${copyright} text)
  string(APPEND notices "\n\nCompiled in, from ${header_package}:\n\n${text}")
endforeach()
file(READ ${CPACK_PTEPROOF_LICENSE} license)
find_program(gzip gzip REQUIRED)

# add_documents(COMPONENT PACKAGE): copyright and changelog.
function(add_documents component package)
  set(folder ${CPACK_TEMPORARY_DIRECTORY}/${component}/usr/share/doc/${package})
  file(WRITE ${folder}/copyright "${license}${notices}")
  configure_file(${CPACK_PTEPROOF_CHANGES} ${folder}/changelog COPYONLY)
  execute_process(COMMAND ${gzip} -9n ${folder}/changelog COMMAND_ERROR_IS_FATAL ANY)
endfunction()

add_documents(command pteproof)
file(GLOB pages ${CPACK_TEMPORARY_DIRECTORY}/command/usr/share/man/man1/*.1)
execute_process(COMMAND ${gzip} -9n ${pages} COMMAND_ERROR_IS_FATAL ANY)
if(dev IN_LIST CPACK_COMPONENTS_ALL)
  file(REMOVE_RECURSE ${CPACK_TEMPORARY_DIRECTORY}/dev/usr/share/doc/pteproof)
  add_documents(dev libpteproof-dev)
endif()
