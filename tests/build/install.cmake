# Installs the library from the build folder BUILD to PREFIX, anew, and fails unless the headers there are those of
# include/pteproof in SOURCE, and no others.
file(REMOVE_RECURSE ${PREFIX})
execute_process(COMMAND ${CMAKE_COMMAND} --install ${BUILD} --prefix ${PREFIX} --component dev COMMAND_ERROR_IS_FATAL ANY)
file(GLOB_RECURSE installed RELATIVE ${PREFIX} ${PREFIX}/*.h ${PREFIX}/include/*)
file(GLOB_RECURSE public RELATIVE ${SOURCE} ${SOURCE}/include/*.h)
list(SORT installed)
list(SORT public)
if(NOT installed STREQUAL public)
  message(FATAL_ERROR "installed are\n${installed}\nand public are\n${public}")
endif()
