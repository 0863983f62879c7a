# A toolchain file: builds the shared library with PyPI's ziglang (scripts/setup --with-python), which brings clang, a
# libc++ that is linked statically, the symbols of old glibcs, and what macOS and Windows have instead.
#
#   cmake --preset portable                                            for every Linux with glibc 2.28 or later, on x86-64
#   cmake --preset portable -B build/elsewhere -DPTEPROOF_TARGET=...   for aarch64-linux-gnu.2.28, x86_64-windows-gnu, ...
#
# Of the system's headers only those of the packages that are headers alone are seen.
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES PTEPROOF_TARGET)
set(PTEPROOF_TARGET "x86_64-linux-gnu.2.28" CACHE STRING "What the library is for, as zig calls it")
get_filename_component(source ${CMAKE_CURRENT_LIST_DIR} DIRECTORY)
file(GLOB zig ${source}/build/python/lib/python3*/site-packages/ziglang/zig)
if(NOT zig)
  message(FATAL_ERROR "ziglang is missing (scripts/setup --with-python)")
endif()

# Linux names what is not defined, and drops what only a debugger reads.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SHARED_LINKER_FLAGS_INIT "-Wl,-z,defs -Wl,-s")
if(PTEPROOF_TARGET MATCHES windows)
  set(CMAKE_SYSTEM_NAME Windows)
  set(CMAKE_SHARED_LINKER_FLAGS_INIT "-Wl,-s")
elseif(PTEPROOF_TARGET MATCHES macos)
  set(CMAKE_SYSTEM_NAME Darwin)
  # Its linker takes no list of what is exported, as Linux's does.
  set(CMAKE_CXX_VISIBILITY_PRESET hidden)
  set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
  set(CMAKE_SHARED_LINKER_FLAGS_INIT "-Wl,-s")
  # Nor does it read an archive of GNU's ar.
  set(CMAKE_CXX_ARCHIVE_CREATE "${zig} ar qc <TARGET> <OBJECTS>")
  set(CMAKE_CXX_ARCHIVE_APPEND "${zig} ar q <TARGET> <OBJECTS>")
  set(CMAKE_CXX_ARCHIVE_FINISH "${zig} ranlib <TARGET>")
endif()
string(REGEX REPLACE "-.*" "" CMAKE_SYSTEM_PROCESSOR ${PTEPROOF_TARGET})
set(CMAKE_CXX_COMPILER ${zig} c++)
# Without optimization it would add UBSan, whose functions nothing brings.
set(CMAKE_CXX_FLAGS_INIT "-target ${PTEPROOF_TARGET} -fno-sanitize=all")
# It links by itself.
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
