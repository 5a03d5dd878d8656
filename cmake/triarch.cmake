# Compiler settings and the three functions that every folder's CMakeLists.txt uses.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

option(TRIARCH_FUZZ "Build the libFuzzer targets (needs clang)" OFF)
option(TRIARCH_TORCH "Build the module of the bot torch (needs LibTorch)" OFF)
# The rules core uses PEXT and POPCNT where the CPU has them. "native" fits a build that runs on the
# machine that made it; give another -march value for a portable binary, or "" for the baseline.
set(TRIARCH_MARCH "" CACHE STRING "Value of -march, empty for the compiler's default")

# The cache recognizes precompiled headers only if it may ignore file times, and the files of another
# clone only if it sees paths relative to the clone.
find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
    CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}
    CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
    ${CCACHE_PROGRAM})
endif()

# Uses the fastest installed linker, because there are a hundred programs to link.
find_program(MOLD_PROGRAM mold)
if(MOLD_PROGRAM AND NOT CMAKE_CROSSCOMPILING)
  add_link_options(-fuse-ld=mold)
endif()

# A fused multiplication and addition, which only some CPUs have, rounds differently: the same game
# would be played differently on another machine.
add_compile_options(-ffp-contract=off)
# The code is also in libtriarch, which shows only the functions of its C ABI.
add_compile_options(-fPIC -fvisibility=hidden -fno-semantic-interposition)
add_compile_options(-Wall -Wextra -Wshadow -Wconversion -Werror)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # A unity build includes several sources in one main file, which g++ takes for headers.
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-Wno-subobject-linkage>)
  # g++ 12 reports these in the standard library's own headers when it inlines.
  add_compile_options(-Wno-maybe-uninitialized -Wno-restrict -Wno-stringop-overflow
                      -Wno-array-bounds)
  # Collects garbage less often: saves a sixth of the CPU time for some 400 MB of memory.
  add_compile_options(--param=ggc-min-expand=1000 --param=ggc-min-heapsize=1000000)
endif()
if(TRIARCH_MARCH)
  add_compile_options(-march=${TRIARCH_MARCH})
endif()

find_package(absl REQUIRED)
find_package(GTest REQUIRED)
find_package(Threads REQUIRED)

# triarch_headers(NAME OPTIMIZE -O2 HEADERS <a> <b>): a precompiled header. Folders with
# set(TRIARCH_HEADERS NAME) compile with it, and in a release build at its optimization level,
# because g++ requires that both agree.
function(triarch_headers name)
  cmake_parse_arguments(ARG "" "OPTIMIZE" "HEADERS;DEPS" ${ARGN})
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    return()
  endif()
  set(source ${PROJECT_BINARY_DIR}/${name}.cc)
  file(CONFIGURE OUTPUT ${source} CONTENT "")
  add_library(${name} OBJECT ${source})
  target_link_libraries(${name} PRIVATE ${ARG_DEPS})
  target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:${ARG_OPTIMIZE}>)
  target_precompile_headers(${name} PRIVATE ${ARG_HEADERS})
  set_target_properties(${name} PROPERTIES TRIARCH_OPTIMIZE "${ARG_OPTIMIZE}")
endfunction()

# Compiles a target with the precompiled headers of its folder, if any.
function(triarch_use_headers target)
  if(NOT TARGET "${TRIARCH_HEADERS}")
    return()
  endif()
  get_target_property(optimize ${TRIARCH_HEADERS} TRIARCH_OPTIMIZE)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:${optimize}>)
  target_precompile_headers(${target} REUSE_FROM ${TRIARCH_HEADERS})
endfunction()

# triarch_library(NAME SOURCES a.cc b.cc DEPS x y): a static library with the root as include path.
function(triarch_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPS" ${ARGN})
  if(ARG_SOURCES)
    add_library(${name} STATIC ${ARG_SOURCES})
    target_include_directories(${name} PUBLIC ${PROJECT_SOURCE_DIR})
    target_link_libraries(${name} PUBLIC ${ARG_DEPS})
    triarch_use_headers(${name})
  else()
    add_library(${name} INTERFACE)
    target_include_directories(${name} INTERFACE ${PROJECT_SOURCE_DIR})
    target_link_libraries(${name} INTERFACE ${ARG_DEPS})
  endif()
endfunction()

# triarch_test(NAME SOURCES a_test.cc DEPS x [AS NAME] [TIMEOUT seconds]): a GoogleTest binary. Each
# test is a ctest test; with AS the binary is one, so that its tests share the servers they start.
# Tests find their data through the macro TRIARCH_TEST_DATA, the path of tests/data.
function(triarch_test name)
  cmake_parse_arguments(ARG "" "AS;TIMEOUT" "SOURCES;DEPS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR})
  target_compile_definitions(${name} PRIVATE
    TRIARCH_TEST_DATA="${PROJECT_SOURCE_DIR}/tests/data"
    TRIARCH_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  target_link_libraries(${name} PRIVATE ${ARG_DEPS} GTest::gmock GTest::gtest_main)
  set(TRIARCH_HEADERS test_headers)
  triarch_use_headers(${name})
  # ctest runs the tests through this script, and so does test discovery.
  set_target_properties(${name} PROPERTIES
    CROSSCOMPILING_EMULATOR ${PROJECT_SOURCE_DIR}/tests/isolated.sh)
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 300)
  endif()
  if(ARG_AS)
    # A skipped case would not be visible, so it is an error.
    add_test(NAME ${ARG_AS} COMMAND ${name})
    set_tests_properties(${ARG_AS} PROPERTIES TIMEOUT ${ARG_TIMEOUT}
      FAIL_REGULAR_EXPRESSION "\\[  SKIPPED \\]")
  else()
    include(GoogleTest)
    gtest_discover_tests(${name} DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT ${ARG_TIMEOUT})
  endif()
endfunction()

# triarch_fuzz(NAME SOURCES a_fuzz.cc DEPS x): a libFuzzer target, built with -DTRIARCH_FUZZ=ON.
function(triarch_fuzz name)
  if(NOT TRIARCH_FUZZ)
    return()
  endif()
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR})
  target_link_libraries(${name} PRIVATE ${ARG_DEPS})
  target_link_options(${name} PRIVATE -fsanitize=fuzzer)
endfunction()
