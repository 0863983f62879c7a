# Flags, ccache and the helper that makes one floor of the house a library.
if(NOT CMAKE_CXX_COMPILER_LAUNCHER)
  find_program(PTEPROOF_CCACHE ccache)
  if(PTEPROOF_CCACHE)
    # Without the former ccache does not keep what is compiled with a precompiled header; without the latter it
    # preprocesses what it does not have yet, beside compiling it.
    set(CMAKE_CXX_COMPILER_LAUNCHER
      ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_DEPEND=1 ${PTEPROOF_CCACHE})
    # A precompiled header from the cache is as good as one made here, whatever time its sources bear.
    if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
      add_compile_options(-Xclang -fno-pch-timestamp)
    endif()
  endif()
endif()

# A fifth of the default linker's time, of which a sanitised build with its tests takes minutes.
if(PROJECT_IS_TOP_LEVEL AND CMAKE_CXX_COMPILER_ID MATCHES Clang)
  find_program(PTEPROOF_LLD ld.lld-19)
  if(PTEPROOF_LLD)
    add_link_options(-fuse-ld=lld)
  endif()
endif()

add_library(pteproof_flags INTERFACE)
target_compile_features(pteproof_flags INTERFACE cxx_std_20)
target_compile_options(pteproof_flags INTERFACE -Wall -Wextra -Wconversion
  # libstdc++'s own stable_sort calls what libstdc++ deprecates; clang reports that, g++ does not.
  $<$<CXX_COMPILER_ID:Clang>:-Wno-deprecated-declarations>
  # ccache keeps what g++ compiles with a precompiled header only with this.
  $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>
  # g++ 12 sees overlaps in `"text" + std::string` that are not there (GCC bug 105651).
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)
if(PROJECT_IS_TOP_LEVEL AND NOT PTEPROOF_HEADERS_ALONE)  # another compiler and library have warnings of their own
  target_compile_options(pteproof_flags INTERFACE -Werror)
endif()
if(PTEPROOF_SANITIZE)
  target_compile_options(pteproof_flags INTERFACE
    -fsanitize=${PTEPROOF_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer
    # UBSan's checks double the compile time of test code, which is not what they are for.
    $<$<BOOL:$<TARGET_PROPERTY:PTEPROOF_TEST_CODE>>:-fno-sanitize=undefined>)
  if(PTEPROOF_SANITIZE MATCHES undefined AND NOT PTEPROOF_FUZZ_GUIDED)
    # Those of pointers are half of its time. Campaigns of fuzzing have them everywhere; what tests have is compiled with
    # them where files' bytes are read and written.
    target_compile_options(pteproof_flags INTERFACE
      $<$<BOOL:$<TARGET_PROPERTY:PTEPROOF_HAS_NO_BYTES>>:-fno-sanitize=alignment,function,null,object-size,pointer-overflow,vptr>)
  endif()
  target_link_options(pteproof_flags INTERFACE -fsanitize=${PTEPROOF_SANITIZE})
endif()
if(PTEPROOF_ASSERTIONS)
  # A twentieth of the compile time; checks of pointers, the rest of UBSan, double it. What is wrong ends the process
  # without a word, so that no runtime has to be linked to the Python module; UBSan says where.
  set(arithmetic bool,bounds,builtin,enum,float-cast-overflow,integer-divide-by-zero,nonnull-attribute,return,shift
    signed-integer-overflow,unreachable,vla-bound)
  list(JOIN arithmetic "," arithmetic)
  target_compile_options(pteproof_flags INTERFACE
    $<$<NOT:$<BOOL:$<TARGET_PROPERTY:PTEPROOF_TEST_CODE>>>:-fsanitize=${arithmetic};-fsanitize-trap=${arithmetic}>)
  target_compile_definitions(pteproof_flags INTERFACE _GLIBCXX_ASSERTIONS)
endif()
if(PTEPROOF_COVERAGE)
  target_compile_options(pteproof_flags INTERFACE -fprofile-instr-generate -fcoverage-mapping)
  target_link_options(pteproof_flags INTERFACE -fprofile-instr-generate)
endif()
if(PTEPROOF_PLANTED)
  target_compile_definitions(pteproof_flags INTERFACE PTEPROOF_PLANTED)
endif()
if(PTEPROOF_FUZZ_GUIDED)
  target_compile_options(pteproof_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()

# pteproof_floor(NAME DEPENDS...): library pteproof_NAME, alias pteproof::NAME, from NAME/**.cc.
function(pteproof_floor name)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cc)
  add_library(pteproof_${name} STATIC ${sources})
  add_library(pteproof::${name} ALIAS pteproof_${name})
  set_target_properties(pteproof_${name} PROPERTIES EXPORT_NAME ${name})
  target_include_directories(pteproof_${name} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}> $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_compile_features(pteproof_${name} PUBLIC cxx_std_20)
  target_link_libraries(pteproof_${name} PRIVATE $<BUILD_INTERFACE:pteproof_flags> PUBLIC ${ARGN})
  # What nearly every file includes.
  target_precompile_headers(pteproof_${name} PRIVATE
    <algorithm> <array> <functional> <map> <memory> <optional> <set> <span> <string> <variant> <vector>)
  if(NOT name STREQUAL runtime)
    set_target_properties(pteproof_${name} PROPERTIES PTEPROOF_HAS_NO_BYTES ON)
  endif()
  set_property(GLOBAL APPEND PROPERTY PTEPROOF_FLOORS pteproof_${name})
endfunction()
