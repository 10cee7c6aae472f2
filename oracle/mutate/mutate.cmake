# The command `plumbline mutate`: source mutants of the optimized runtime, built into its driver, and of the harness, built into its tests.
plumbline_library(plumbline_mutate mutate/tokens.cpp mutate/outline.cpp mutate/sites.cpp mutate/entries.cpp
  mutate/sample.cpp mutate/subject.cpp mutate/faults.cpp mutate/builder.cpp mutate/hunter.cpp mutate/command_trial.cpp mutate/test_trial.cpp mutate/material.cpp mutate/report.cpp mutate/run.cpp
  LINK plumbline_cli)
add_executable(plumbline-mutate mutate/main.cpp)
target_link_libraries(plumbline-mutate PRIVATE plumbline_mutate CLI11::CLI11)
target_compile_definitions(plumbline-mutate PRIVATE PLUMBLINE_SOURCE="${CMAKE_SOURCE_DIR}"
  PLUMBLINE_NINJA="${CMAKE_MAKE_PROGRAM}")

if(PLUMBLINE_TESTS)
  plumbline_test(mutate_test tests/mutate_test.cpp tests/mutate_sites_test.cpp tests/mutate_faults_test.cpp LINK plumbline_mutate LABEL optimized)
  add_dependencies(mutate_test plumbline plumbline-mutate plumbline-optimized harness_test)
  target_compile_definitions(mutate_test PRIVATE PLUMBLINE_BIN="${CMAKE_RUNTIME_OUTPUT_DIRECTORY}"
    PLUMBLINE_DATA="${CMAKE_SOURCE_DIR}" PLUMBLINE_SOURCE="${CMAKE_SOURCE_DIR}")
endif()
