# plumbline-bench, which drives the runners and reports.
plumbline_library(plumbline_bench_driver
  driver/statistics.cpp driver/units.cpp driver/grid.cpp driver/svg.cpp
  driver/runner.cpp driver/launch.cpp driver/fleet.cpp
  driver/table.cpp driver/measure.cpp driver/table_text.cpp driver/lazy_text.cpp driver/table_json.cpp driver/table_svg.cpp
  driver/growth.cpp driver/growth_svg.cpp
  driver/claims_report.cpp driver/claims_measure.cpp driver/claims_text.cpp driver/claims_json.cpp
  driver/saved.cpp driver/race.cpp driver/measuring.cpp driver/base.cpp driver/compare.cpp
  driver/against.cpp driver/later.cpp driver/compare_text.cpp driver/compare_json.cpp
  driver/compare_svg.cpp driver/command.cpp
  LINK plumbline_bench_rows plumbline_cli)
add_executable(plumbline-bench driver/main.cpp)
target_link_libraries(plumbline-bench PRIVATE plumbline_bench_driver)
plumbline_compile_quickly(plumbline_bench_driver plumbline-bench)
add_dependencies(plumbline-bench plumbline-bench-malloc plumbline-bench-optimized)
