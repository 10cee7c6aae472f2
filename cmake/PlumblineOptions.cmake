# Compiler settings, the common libraries, and the functions that add a library and a test.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()

set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")

# The files of a target are compiled eight at a time: headers are most of the work. Helpers in anonymous namespaces need
# names of their own within a target. The preset `sanitize` compiles each file alone, so that none leans on its neighbours.
option(PLUMBLINE_UNITY "Compile several files of a target as one" ON)
set(CMAKE_UNITY_BUILD ${PLUMBLINE_UNITY})
set(CMAKE_UNITY_BUILD_BATCH_SIZE 8)

find_program(PLUMBLINE_CCACHE ccache)
if(PLUMBLINE_CCACHE)
  # Paths below the checkout are hashed as relative ones, so every clone on a machine shares what one of them compiled.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1 ${PLUMBLINE_CCACHE})
endif()
find_program(PLUMBLINE_MOLD mold)
if(PLUMBLINE_MOLD)
  add_link_options(-fuse-ld=mold)
endif()

find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(yaml-cpp REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)
find_package(rapidcheck REQUIRED)

add_library(plumbline_options INTERFACE)
target_include_directories(plumbline_options INTERFACE ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR}/generated)
target_compile_options(plumbline_options INTERFACE -Wall -Wextra -Wpedantic -Werror)
if(PLUMBLINE_UNITY)
  # A class of one file may have members of that file's own types, also where the compiler sees the file as included.
  target_compile_options(plumbline_options INTERFACE -Wno-subobject-linkage)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # gcc 12 wrongly warns of overlapping copies in std::string's operator+ and of uninitialised members in std::variant:
  # https://gcc.gnu.org/PR105651 and https://gcc.gnu.org/PR105562, fixed in 13. Goes when Debian 13 is the
  # oldest supported.
  target_compile_options(plumbline_options INTERFACE -Wno-restrict -Wno-maybe-uninitialized)
endif()

# plumbline_library(NAME SOURCES… [LINK LIBS…])
function(plumbline_library name)
  cmake_parse_arguments(ARG "" "" "LINK" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PUBLIC plumbline_options ${ARG_LINK})
endfunction()

# plumbline_compile_quickly(TARGET…): for programs that run briefly or mostly wait; -O1 compiles a fifth faster than -O2.
function(plumbline_compile_quickly)
  foreach(target ${ARGN})
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
  endforeach()
endfunction()

# How long a test may take, in seconds. Sanitizers make the slowest tests about five times slower.
set(PLUMBLINE_TEST_SECONDS 600)
if(CMAKE_CXX_FLAGS MATCHES "-fsanitize=")
  set(PLUMBLINE_SANITIZED ON)
  set(PLUMBLINE_TEST_SECONDS 1800)
endif()

# plumbline_test(NAME SOURCES… [LINK LIBS…] LABEL LABEL [LONG]): a GoogleTest executable, one CTest test with that label.
# A LONG one has the label `long` as well: only ./test --all runs it.
function(plumbline_test name)
  if(NOT PLUMBLINE_TESTS)
    return()
  endif()
  find_package(GTest REQUIRED)
  cmake_parse_arguments(ARG "LONG" "LABEL" "LINK" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE plumbline_options GTest::gtest GTest::gtest_main ${ARG_LINK})
  plumbline_compile_quickly(${name})
  add_test(NAME ${name} COMMAND ${name} WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
  set_tests_properties(${name} PROPERTIES LABELS "${ARG_LABEL}" TIMEOUT ${PLUMBLINE_TEST_SECONDS})
  if(ARG_LONG)
    set_tests_properties(${name} PROPERTIES LABELS "${ARG_LABEL};long" TIMEOUT 3600)
  endif()
endfunction()
