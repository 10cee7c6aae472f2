# The tests of comparison, verdicts, waivers, the minimiser and the command. Others' tests stand in their own lists.
if(PLUMBLINE_TESTS)
  plumbline_test(compare_test tests/compare_test.cpp tests/expectations_test.cpp LINK plumbline_oracle LABEL oracle)
  plumbline_test(monitors_test tests/monitors_test.cpp LINK plumbline_oracle LABEL oracle)
  plumbline_test(verdict_test tests/verdict_test.cpp tests/waivers_test.cpp tests/minimise_test.cpp tests/report_test.cpp
    LINK plumbline_report LABEL oracle)
  plumbline_test(coverage_test tests/coverage_test.cpp LINK plumbline_tables LABEL corpus)
  plumbline_test(tables_test tests/tables_test.cpp tests/ideal_test.cpp tests/workload_test.cpp LINK plumbline_tables LABEL oracle)
  plumbline_test(explain_test tests/explain_test.cpp tests/explain_functionalized_test.cpp LINK plumbline_explain LABEL oracle)
  target_compile_definitions(explain_test PRIVATE PLUMBLINE_CORPUS="${CMAKE_SOURCE_DIR}/fuzz/corpus")
  plumbline_test(cli_test tests/cli_test.cpp LINK plumbline_cli LABEL cli)
  add_dependencies(cli_test plumbline plumbline-run)
  target_compile_definitions(cli_test PRIVATE PLUMBLINE_BIN="${CMAKE_RUNTIME_OUTPUT_DIRECTORY}"
    PLUMBLINE_DATA="${CMAKE_CURRENT_SOURCE_DIR}/tests/cli")
endif()
