# Compiler settings and the three functions that every folder's CMakeLists.txt uses.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

option(TRIARCH_FUZZ "Build the libFuzzer targets (needs clang)" OFF)
option(TRIARCH_TORCH "Build the module of the bot torch (needs LibTorch)" OFF)
# The rules core uses PEXT and POPCNT where the processor has them. "native" fits a build that runs
# where it was made; give another -march value for a binary that travels, or "" for the baseline.
set(TRIARCH_MARCH "" CACHE STRING "Value of -march, empty for the compiler's default")

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
endif()

add_compile_options(-Wall -Wextra -Wshadow -Wconversion -Werror)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # g++ 12 reports these in the standard library's own headers when it inlines.
  add_compile_options(-Wno-maybe-uninitialized -Wno-restrict -Wno-stringop-overflow
                      -Wno-array-bounds)
endif()
if(TRIARCH_MARCH)
  add_compile_options(-march=${TRIARCH_MARCH})
endif()

find_package(absl REQUIRED)
find_package(GTest REQUIRED)
find_package(Threads REQUIRED)

# triarch_library(NAME SOURCES a.cc b.cc DEPS x y): a static library with the root as include path.
function(triarch_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPS" ${ARGN})
  if(ARG_SOURCES)
    add_library(${name} STATIC ${ARG_SOURCES})
    target_include_directories(${name} PUBLIC ${PROJECT_SOURCE_DIR})
    target_link_libraries(${name} PUBLIC ${ARG_DEPS})
  else()
    add_library(${name} INTERFACE)
    target_include_directories(${name} INTERFACE ${PROJECT_SOURCE_DIR})
    target_link_libraries(${name} INTERFACE ${ARG_DEPS})
  endif()
endfunction()

# triarch_test(NAME SOURCES a_test.cc DEPS x): a GoogleTest binary; each test is a ctest test.
# Tests find their data through the macro TRIARCH_TEST_DATA, the path of tests/data.
function(triarch_test name)
  cmake_parse_arguments(ARG "" "TIMEOUT" "SOURCES;DEPS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR})
  target_compile_definitions(${name} PRIVATE
    TRIARCH_TEST_DATA="${PROJECT_SOURCE_DIR}/tests/data"
    TRIARCH_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  target_link_libraries(${name} PRIVATE ${ARG_DEPS} GTest::gmock GTest::gtest_main)
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 300)
  endif()
  include(GoogleTest)
  gtest_discover_tests(${name} DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT ${ARG_TIMEOUT})
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
