# CUDA sources. Where there is an nvcc, a test compiles them for sm_80 and sm_90; without one it is skipped, and says so.
find_program(PLUMBLINE_NVCC nvcc HINTS "$ENV{CUDA_HOME}/bin" /usr/local/cuda/bin DOC "The compiler of the CUDA Toolkit, 13 or newer")
set(compile ${CMAKE_COMMAND} -E echo "skipped: there is no nvcc in PATH, in CUDA_HOME or in /usr/local/cuda")
if(PLUMBLINE_NVCC)
  set(compile ${PLUMBLINE_NVCC} -std=c++20 -O2 --expt-relaxed-constexpr --Werror all-warnings --ptxas-options=--warn-on-spills
    -gencode arch=compute_80,code=sm_80 -gencode arch=compute_90,code=sm_90 -I${CMAKE_SOURCE_DIR} -I${CMAKE_BINARY_DIR}/generated
    -c ${CMAKE_CURRENT_SOURCE_DIR}/cuda/kernels.cu -o ${CMAKE_CURRENT_BINARY_DIR}/cuda_kernels.o)
endif()
if(PLUMBLINE_TESTS)
  add_test(NAME cuda_sources_compile COMMAND ${compile})
  set_tests_properties(cuda_sources_compile PROPERTIES LABELS optimized SKIP_REGULAR_EXPRESSION "^skipped: " TIMEOUT 600)
endif()
