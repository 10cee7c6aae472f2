# The tests of tables, explanations and the command. Tests of the harness are in fuzz/tests; other parts list their own tests.
if(PLUMBLINE_TESTS)
  plumbline_test(coverage_test tests/coverage_test.cpp LINK plumbline_tables LABEL corpus)
  plumbline_test(tables_test tests/tables_test.cpp tests/ideal_test.cpp tests/workload_test.cpp LINK plumbline_tables LABEL oracle)
  plumbline_test(error_order_test tests/error_order_test.cpp LINK plumbline_oracle LABEL optimized)
  add_dependencies(error_order_test plumbline-optimized)
  plumbline_test(explain_test tests/explain_test.cpp tests/explain_functionalized_test.cpp LINK plumbline_explain LABEL oracle)
  target_compile_definitions(explain_test PRIVATE PLUMBLINE_CORPUS="${CMAKE_SOURCE_DIR}/fuzz/corpus")
  plumbline_test(cli_test tests/cli_test.cpp tests/one_screen_test.cpp LINK plumbline_cli LABEL cli)
  add_dependencies(cli_test plumbline plumbline-run)
  target_compile_definitions(cli_test PRIVATE PLUMBLINE_BIN="${CMAKE_RUNTIME_OUTPUT_DIRECTORY}"
    PLUMBLINE_DATA="${CMAKE_CURRENT_SOURCE_DIR}/tests/cli")
endif()
