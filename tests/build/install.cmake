# Installs the library from the build folder BUILD to PREFIX, anew, and fails unless the headers there are those of
# include/pteproof in SOURCE, and no others. The component `command` is the command and its companions alone.
file(REMOVE_RECURSE ${PREFIX})
execute_process(COMMAND ${CMAKE_COMMAND} --install ${BUILD} --prefix ${PREFIX} --component dev COMMAND_ERROR_IS_FATAL ANY)
file(GLOB_RECURSE installed RELATIVE ${PREFIX} ${PREFIX}/*.h ${PREFIX}/include/*)
file(GLOB_RECURSE public RELATIVE ${SOURCE} ${SOURCE}/include/*.h)
list(SORT installed)
list(SORT public)
if(NOT installed STREQUAL public)
  message(FATAL_ERROR "installed are\n${installed}\nand public are\n${public}")
endif()

set(command_prefix ${PREFIX}-command)
file(REMOVE_RECURSE ${command_prefix})
execute_process(COMMAND ${CMAKE_COMMAND} --install ${BUILD} --prefix ${command_prefix} --component command COMMAND_ERROR_IS_FATAL ANY)
file(GLOB_RECURSE installed RELATIVE ${command_prefix} ${command_prefix}/*)
list(SORT installed)
set(expected
  bin/pteproof share/bash-completion/completions/pteproof share/fish/vendor_completions.d/pteproof.fish
  share/man/man1/pteproof.1 share/zsh/site-functions/_pteproof)
if(NOT installed STREQUAL expected)
  message(FATAL_ERROR "the command is installed as\n${installed}\nand expected are\n${expected}")
endif()
