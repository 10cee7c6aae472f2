# The command `plumbline prove`: obligations proved, refutations as programs, the table of rules.
include(prove/registrations.cmake)
include(prove/mutants.cmake)
plumbline_library(plumbline_second_solver prove/second_solver.cpp
  LINK plumbline_process plumbline_terms)
plumbline_library(plumbline_prove prove/script_of.cpp prove/programs.cpp prove/curated_programs.cpp prove/fallen.cpp
  prove/command.cpp prove/one_screen.cpp LINK plumbline_report plumbline_oracle plumbline_dispatcher plumbline_proofs plumbline_cli plumbline_second_solver)
plumbline_test(second_solver_test tests/second_solver_test.cpp LINK plumbline_second_solver LABEL proofs)
plumbline_test(second_solver_obligations_test tests/second_solver_obligations_test.cpp
  LINK plumbline_second_solver plumbline_proofs LABEL proofs LONG)
plumbline_test(machine_agreement_test tests/machine_agreement_test.cpp LINK plumbline_prove LABEL proofs)
plumbline_test(prove_programs_test tests/prove_programs_test.cpp LINK plumbline_prove LABEL proofs)
if(TARGET prove_programs_test)
  target_compile_definitions(prove_programs_test PRIVATE PLUMBLINE_SOURCE="${CMAKE_SOURCE_DIR}")
endif()
plumbline_test(smtlib_test tests/smtlib_test.cpp LINK plumbline_second_solver plumbline_z3 rapidcheck LABEL proofs)
if(TARGET smtlib_test)  # where pip puts the command beside the library
  cmake_path(SET command NORMALIZE "${PLUMBLINE_Z3}/../../../../bin/z3")
  target_compile_definitions(smtlib_test PRIVATE PLUMBLINE_Z3_COMMAND="${command}")
endif()

include(prove/rules.cmake)
add_executable(plumbline-prove prove/main.cpp)
target_link_libraries(plumbline-prove PRIVATE plumbline_prove plumbline_registrations plumbline_rules_table CLI11::CLI11)
target_compile_definitions(plumbline-prove PRIVATE PLUMBLINE_SOURCE="${CMAKE_SOURCE_DIR}")
plumbline_compile_quickly(plumbline_prove plumbline_registrations plumbline_rules_table plumbline-prove)

if(PLUMBLINE_TESTS)
  add_test(NAME proofs COMMAND plumbline-prove)
  set_tests_properties(proofs PROPERTIES LABELS proofs TIMEOUT 600)
  foreach(profile rfc-0011 draft-1 draft-2 torch-1.13 torch-2.13 ideal)
    add_test(NAME proofs_${profile} COMMAND plumbline-prove --profile ${profile})
    set_tests_properties(proofs_${profile} PROPERTIES LABELS "proofs;long" TIMEOUT 600)
  endforeach()
  add_test(NAME mutants COMMAND plumbline-prove-mutants --jobs 2)
  set_tests_properties(mutants PROPERTIES LABELS "proofs;long" TIMEOUT 3600)
endif()
