# The tests of the benchmarks: statistics, reports, the gate on planted slowdowns, and that rows call public entries.
if(PLUMBLINE_TESTS)
  plumbline_test(bench_report_test tests/statistics_test.cpp tests/report_test.cpp tests/compare_test.cpp tests/growth_test.cpp
    tests/saved_test.cpp tests/claims_test.cpp LINK plumbline_bench_driver LABEL bench)
  target_compile_definitions(bench_report_test PRIVATE PLUMBLINE_SENTENCES="${PROJECT_SOURCE_DIR}/fuzz/corpus/sentences.json")
  add_executable(plumbline_bench_fixture tests/fixture_runner.cpp)
  target_link_libraries(plumbline_bench_fixture PRIVATE plumbline_bench_runner)
  plumbline_test(bench_runner_test tests/runner_test.cpp LINK plumbline_bench_runner LABEL bench)
  plumbline_test(bench_entry_test tests/entry_test.cpp LINK plumbline_bench_ours plumbline_optimized plumbline_bench_runner LABEL bench)
  foreach(test gate cli)
    plumbline_test(bench_${test}_test tests/${test}_test.cpp LINK fmt::fmt nlohmann_json::nlohmann_json LABEL bench)
    add_dependencies(bench_${test}_test plumbline plumbline-bench plumbline_bench_fixture)
    target_compile_definitions(bench_${test}_test PRIVATE PLUMBLINE_BIN="${CMAKE_RUNTIME_OUTPUT_DIRECTORY}"
      PLUMBLINE_DATA="${CMAKE_CURRENT_SOURCE_DIR}/tests" PLUMBLINE_FIXTURE="$<TARGET_FILE:plumbline_bench_fixture>")
  endforeach()
endif()
