# What bench/gpu.sh runs: `plumbline-bench-gpu`, for a GPU where CUDA is built, and one whose rows run on the host.
function(plumbline_bench_gpu name)
  add_executable(${name} gpu/main.cpp gpu/rows.cpp driver/statistics.cpp)
  target_compile_definitions(${name} PRIVATE PLUMBLINE_VERSION="${PROJECT_VERSION}")
  target_link_libraries(${name} PRIVATE plumbline_optimized_cuda_host ${ARGN} plumbline_command_line nlohmann_json::nlohmann_json)
endfunction()

plumbline_bench_gpu(plumbline-bench-gpu-rows plumbline_optimized_cuda_missing)
if(TARGET plumbline_optimized_cuda)
  plumbline_bench_gpu(plumbline-bench-gpu plumbline_optimized_cuda)
  set_target_properties(plumbline-bench-gpu PROPERTIES EXCLUDE_FROM_ALL ON)
  add_dependencies(plumbline-cuda plumbline-bench-gpu)
endif()
if(PLUMBLINE_TESTS)
  add_test(NAME bench_gpu_table COMMAND ${PLUMBLINE_PYTHON} ${CMAKE_CURRENT_SOURCE_DIR}/gpu/table_test.py
    $<TARGET_FILE:plumbline-bench-gpu-rows>)
  set_tests_properties(bench_gpu_table PROPERTIES LABELS bench TIMEOUT 300)
endif()
