# OpenBLAS, which multiplies matrices of floats. It comes from PyPI's scipy-openblas32, whose symbols begin with `scipy_`, so
# that they cannot clash with another BLAS in the process. The first product that needs it loads it.
set(PLUMBLINE_OPENBLAS "" CACHE PATH
  "The folder of OpenBLAS (site-packages/scipy_openblas32 of PyPI's scipy-openblas32); empty: PLUMBLINE_PYTHON's own")

set(openblas "${PLUMBLINE_OPENBLAS}")
if(NOT openblas)
  execute_process(
    COMMAND ${PLUMBLINE_PYTHON} -c "import scipy_openblas32; print(scipy_openblas32.__path__[0], end='')"
    OUTPUT_VARIABLE openblas ERROR_QUIET)
endif()
find_library(PLUMBLINE_OPENBLAS_LIBRARY scipy_openblas PATHS "${openblas}/lib" NO_DEFAULT_PATH)
if(NOT PLUMBLINE_OPENBLAS_LIBRARY AND NOT PLUMBLINE_LIBFUZZER)  # libFuzzer's entries need none
  message(FATAL_ERROR "there is no OpenBLAS in '${openblas}'. Run `pip install scipy-openblas32`, and configure with "
    "-DPLUMBLINE_PYTHON=<a Python that has it> or -DPLUMBLINE_OPENBLAS=<its folder site-packages/scipy_openblas32>.")
endif()
cmake_path(GET PLUMBLINE_OPENBLAS_LIBRARY PARENT_PATH openblas)
cmake_path(GET openblas PARENT_PATH openblas)
add_library(plumbline_openblas INTERFACE IMPORTED GLOBAL)
set_target_properties(plumbline_openblas PROPERTIES
  INTERFACE_INCLUDE_DIRECTORIES "${openblas}/include" INTERFACE_LINK_LIBRARIES "${CMAKE_DL_LIBS}")
set_source_files_properties(cpu/blas.cpp PROPERTIES
  COMPILE_DEFINITIONS "PLUMBLINE_OPENBLAS_LIBRARY=\"${PLUMBLINE_OPENBLAS_LIBRARY}\"")
