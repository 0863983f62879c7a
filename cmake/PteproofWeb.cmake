# A toolchain file: builds the page's library (web/) as WebAssembly, with Debian's clang-19 and its wasm32-wasi packages
# (scripts/setup --with-web). Their libc++ has no threads, no file system and no exceptions.
#
#   cmake --preset web && cmake --build --preset web
#
# Of the system's headers only those of the packages that are headers alone are seen.
set(CMAKE_SYSTEM_NAME WASI)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(CMAKE_CXX_COMPILER clang++-19)
set(CMAKE_CXX_COMPILER_TARGET wasm32-wasi)
set(CMAKE_AR llvm-ar-19 CACHE FILEPATH "")
set(CMAKE_RANLIB llvm-ranlib-19 CACHE FILEPATH "")
set(CMAKE_CXX_FLAGS_INIT "-fno-exceptions -fno-rtti")
set(CMAKE_CXX_FLAGS_MINSIZEREL_INIT "-Oz -DNDEBUG")
# A program for a browser has no main.
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE NEVER)
set(PTEPROOF_WEB ON)

get_filename_component(source ${CMAKE_CURRENT_LIST_DIR} DIRECTORY)
set(headers ${source}/build/web-headers)
file(MAKE_DIRECTORY ${headers})
foreach(name IN ITEMS fmt nlohmann flatbuffers)
  if(NOT EXISTS /usr/include/${name})
    message(FATAL_ERROR "/usr/include/${name} is missing (scripts/setup)")
  endif()
  file(CREATE_LINK /usr/include/${name} ${headers}/${name} SYMBOLIC)
endforeach()
set(PTEPROOF_HEADERS_ALONE ${headers})
set(CMAKE_CXX_STANDARD_INCLUDE_DIRECTORIES ${headers})
