# The fuzzing entries: with libFuzzer where PLUMBLINE_LIBFUZZER is on, else with a driver that replays seeds and mutations.
if(NOT PLUMBLINE_TESTS AND NOT PLUMBLINE_LIBFUZZER)
  return()
endif()

add_executable(entry-seeds entries/seeds.cpp)
target_link_libraries(entry-seeds PRIVATE plumbline_generator plumbline_program plumbline_protocol)

# plumbline_entry(NAME LIBS…): the executable NAME-entry of entries/NAME_entry.cpp; without libFuzzer also a CTest test.
function(plumbline_entry name)
  add_executable(${name}-entry entries/${name}_entry.cpp)
  target_link_libraries(${name}-entry PRIVATE plumbline_options fmt::fmt ${ARGN})
  if(PLUMBLINE_LIBFUZZER)
    target_link_options(${name}-entry PRIVATE -fsanitize=fuzzer)
    return()
  endif()
  target_sources(${name}-entry PRIVATE entries/driver.cpp)
  add_test(NAME ${name}_entry
    COMMAND ${name}-entry ${CMAKE_BINARY_DIR}/seeds/${name} 4000 ${CMAKE_BINARY_DIR}/seeds/${name}.input)
  set_tests_properties(${name}_entry PROPERTIES LABELS fuzz TIMEOUT ${PLUMBLINE_TEST_SECONDS} FIXTURES_REQUIRED entry_seeds)
endfunction()

plumbline_entry(parser plumbline_program plumbline_protocol)
plumbline_entry(protocol plumbline_protocol)
add_custom_target(plumbline-entries DEPENDS entry-seeds parser-entry protocol-entry)
if(NOT PLUMBLINE_LIBFUZZER)
  add_test(NAME entry_seeds COMMAND entry-seeds ${CMAKE_SOURCE_DIR}/fuzz/corpus ${CMAKE_BINARY_DIR}/seeds)
  set_tests_properties(entry_seeds PROPERTIES LABELS fuzz FIXTURES_SETUP entry_seeds)
endif()
