# A toolchain file: builds the shared library for every Linux with glibc 2.28 or later. PyPI's ziglang (scripts/setup
# --with-python) brings clang, a libc++ that is linked statically, and the symbols of old glibcs.
#
#   cmake --preset portable                                                  for x86-64
#   cmake --preset portable -B build/portable-aarch64 -DPTEPROOF_ARCH=aarch64
#
# Of the system's headers only those of the packages that are headers alone are seen.
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES PTEPROOF_ARCH)
set(PTEPROOF_ARCH "x86_64" CACHE STRING "The processor that the library is for")
get_filename_component(source ${CMAKE_CURRENT_LIST_DIR} DIRECTORY)
file(GLOB zig ${source}/build/python/lib/python3*/site-packages/ziglang/zig)
if(NOT zig)
  message(FATAL_ERROR "ziglang is missing (scripts/setup --with-python)")
endif()

set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR ${PTEPROOF_ARCH})
set(CMAKE_CXX_COMPILER ${zig} c++)
# Without optimization it would add UBSan, whose functions nothing brings.
set(CMAKE_CXX_FLAGS_INIT "-target ${PTEPROOF_ARCH}-linux-gnu.2.28 -fno-sanitize=all")
set(CMAKE_SHARED_LINKER_FLAGS_INIT "-Wl,-z,defs")
# It keeps what it has compiled by itself, and links by itself.
set(PTEPROOF_CCACHE "" CACHE STRING "")
set(PTEPROOF_LLD "" CACHE STRING "")
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE NEVER)

set(headers ${source}/build/portable-headers)
file(MAKE_DIRECTORY ${headers})
file(GLOB found /usr/include/z3*.h /usr/include/fmt /usr/include/nlohmann /usr/include/flatbuffers /usr/include/CLI
  /usr/include/toml++)
foreach(header IN LISTS found)
  get_filename_component(name ${header} NAME)
  file(CREATE_LINK ${header} ${headers}/${name} SYMBOLIC)
endforeach()
set(PTEPROOF_HEADERS_ALONE ${headers})
set(CMAKE_CXX_STANDARD_INCLUDE_DIRECTORIES ${headers})
