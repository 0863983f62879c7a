# FlatBuffers' headers and compiler. Distributions differ in the package's spelling and in whether it
# names the compiler.
if(NOT PTEPROOF_HEADERS_ALONE)
  find_package(Flatbuffers REQUIRED NAMES Flatbuffers FlatBuffers flatbuffers)
endif()
if(NOT TARGET flatbuffers::flatc)
  find_program(PTEPROOF_FLATC flatc REQUIRED)
  add_executable(flatbuffers::flatc IMPORTED)
  set_target_properties(flatbuffers::flatc PROPERTIES IMPORTED_LOCATION ${PTEPROOF_FLATC})
endif()
