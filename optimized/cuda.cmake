# CUDA on a GPU. Its sources need nvcc, of the CUDA Toolkit or of PyPI's wheels, and no GPU. They are compiled for sm_80 and
# sm_90 when `plumbline-optimized-cuda` is built, which `all` does not do: ./test builds it where there is an nvcc.
file(GLOB wheels ${CMAKE_SOURCE_DIR}/.venv/lib/python3*/site-packages/nvidia/cu13)
set(PLUMBLINE_NVCC "" CACHE FILEPATH "The compiler of the CUDA Toolkit, 13 or newer; empty: it is searched")
if(NOT PLUMBLINE_NVCC)
  find_program(PLUMBLINE_NVCC_FOUND nvcc HINTS "$ENV{CUDA_HOME}/bin" /usr/local/cuda/bin ${wheels}/bin)
  set(PLUMBLINE_NVCC ${PLUMBLINE_NVCC_FOUND})
endif()
plumbline_library(plumbline_optimized_cuda_missing cuda/no_device.cpp LINK plumbline_optimized_cuda_memory)
if(NOT PLUMBLINE_NVCC)
  return()
endif()

file(REAL_PATH ${PLUMBLINE_NVCC} nvcc)
cmake_path(GET nvcc PARENT_PATH nvcc_folder)
find_library(PLUMBLINE_CUDART cudart_static HINTS ${nvcc_folder}/.. PATH_SUFFIXES lib64 lib targets/x86_64-linux/lib
  DOC "The CUDA runtime, to be linked into the executable")
foreach(source device gpu_streams kernels)
  set(object ${CMAKE_CURRENT_BINARY_DIR}/cuda_${source}.o)
  add_custom_command(OUTPUT ${object}
    COMMAND ${PLUMBLINE_NVCC} -std=c++20 -O2 --fmad=false --expt-relaxed-constexpr --Werror all-warnings --ptxas-options=--warn-on-spills
      -gencode arch=compute_80,code=sm_80 -gencode arch=compute_90,code=[sm_90,compute_90]
      -I${CMAKE_SOURCE_DIR} -I${CMAKE_BINARY_DIR}/generated -MD -MF ${object}.d
      -c ${CMAKE_CURRENT_SOURCE_DIR}/cuda/${source}.cu -o ${object}
    DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/cuda/${source}.cu plumbline_optimized
    DEPFILE ${object}.d COMMENT "Building CUDA object optimized/cuda/${source}.cu" VERBATIM)
  list(APPEND objects ${object})
endforeach()
add_library(plumbline_optimized_cuda STATIC EXCLUDE_FROM_ALL cuda/cublas.cpp ${objects})
set_source_files_properties(cuda/cublas.cpp PROPERTIES
  COMPILE_DEFINITIONS "PLUMBLINE_CUBLAS_LIBRARY=\"${wheels}/lib/libcublas.so.13\"")
target_link_libraries(plumbline_optimized_cuda PUBLIC plumbline_options plumbline_optimized_cuda_memory ${PLUMBLINE_CUDART} ${CMAKE_DL_LIBS} rt)
