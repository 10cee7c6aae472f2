# plumbline-prove-mutants: the rules' mutants. Rules, reference and obligations are built a second time, with sites.
# plumbline_sited(NAME OF… [LINK LIBS…]): the sources of these libraries once more, with sites.
function(plumbline_sited name)
  cmake_parse_arguments(ARG "" "" "LINK" ${ARGN})
  set(sources)
  foreach(library IN LISTS ARG_UNPARSED_ARGUMENTS)
    get_target_property(names ${library} SOURCES)
    get_target_property(folder ${library} SOURCE_DIR)
    foreach(source IN LISTS names)
      cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${folder})
      list(APPEND sources ${source})
    endforeach()
  endforeach()
  plumbline_library(${name} ${sources} LINK plumbline_spec ${ARG_LINK})
  target_compile_definitions(${name} PUBLIC PLUMBLINE_SITES)
  plumbline_compile_quickly(${name})
endfunction()

plumbline_sited(plumbline_reference_sited plumbline_reference)
plumbline_sited(plumbline_proofs_sited plumbline_proofs LINK plumbline_z3)

plumbline_library(plumbline_mutants rules/place.cpp ../prove/curated_programs.cpp rules/workers.cpp
  rules/suite.cpp rules/hunt.cpp rules/branches.cpp rules/survivors.cpp
  rules/report.cpp rules/run.cpp
  LINK plumbline_reference_sited plumbline_proofs_sited plumbline_comparison plumbline_support plumbline_mutant_lists
  fmt::fmt nlohmann_json::nlohmann_json)
add_executable(plumbline-prove-mutants rules/main.cpp)
target_link_libraries(plumbline-prove-mutants PRIVATE plumbline_mutants)
target_compile_definitions(plumbline-prove-mutants PRIVATE PLUMBLINE_SOURCE="${CMAKE_SOURCE_DIR}")
plumbline_compile_quickly(plumbline_mutants plumbline-prove-mutants)

if(PLUMBLINE_TESTS)
  plumbline_test(mutants_test tests/mutants_test.cpp LINK plumbline_mutants LABEL proofs)
  add_dependencies(mutants_test plumbline-prove-mutants)
  target_compile_definitions(mutants_test PRIVATE PLUMBLINE_BIN="${CMAKE_RUNTIME_OUTPUT_DIRECTORY}"
    PLUMBLINE_SOURCE="${CMAKE_SOURCE_DIR}")
  if(NOT CMAKE_CXX_FLAGS MATCHES "-fsanitize")  # which leaves inline functions in the object files
    add_test(NAME mutants_have_sites COMMAND ${CMAKE_COMMAND} -DNM=${CMAKE_NM}
      -DPROGRAM=$<TARGET_FILE:plumbline-prove-mutants> -P ${CMAKE_CURRENT_SOURCE_DIR}/tests/no_plain_domain.cmake)
    set_tests_properties(mutants_have_sites PROPERTIES LABELS proofs TIMEOUT 60)
  endif()
  add_test(NAME mutants COMMAND plumbline-prove-mutants --jobs 2)
  set_tests_properties(mutants PROPERTIES LABELS "proofs;long" TIMEOUT 3600)
endif()
