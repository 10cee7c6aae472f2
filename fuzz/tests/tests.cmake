# The tests of the fuzzer. RapidCheck's properties run on 1000 programs of a fixed seed (250 with a sanitizer, which makes
# each ten times slower); RC_PARAMS overrides both. The generator's are alone, because `plumbline mutate` links and runs
# them for each planted fault.
plumbline_test(generator_test tests/generator_test.cpp tests/generator_dispatcher_test.cpp tests/aim_test.cpp tests/sizes_test.cpp tests/by_schema_choices_test.cpp LINK plumbline_fuzzing LABEL fuzz)
plumbline_test(fuzz_test tests/properties_test.cpp tests/campaign_test.cpp tests/reproduce_test.cpp tests/cut_test.cpp
  tests/dispatcher_test.cpp tests/devices_test.cpp LINK plumbline_fuzzing LABEL fuzz)
if(PLUMBLINE_TESTS)
  set(programs 1000)
  if(PLUMBLINE_SANITIZED)
    set(programs 250)
  endif()
  set_tests_properties(generator_test fuzz_test PROPERTIES ENVIRONMENT "RC_PARAMS=max_success=${programs} seed=1")
endif()

# The index of docs/findings has each page, with its severity and whether the tracker knows it.
if(PLUMBLINE_TESTS)
  add_test(NAME findings_index COMMAND ${PLUMBLINE_PYTHON} ${CMAKE_SOURCE_DIR}/docs/measured/findings.py --check)
  set_tests_properties(findings_index PROPERTIES LABELS fuzz)
endif()

# Reproducers under plain Python, outside the repository.
plumbline_test(runs_alone_test tests/runs_alone_test.cpp LINK plumbline_fuzzing LABEL fuzz)
if(PLUMBLINE_TESTS)
  add_dependencies(runs_alone_test plumbline plumbline-run plumbline-fuzz)
  target_compile_definitions(runs_alone_test PRIVATE PLUMBLINE_BIN="${CMAKE_RUNTIME_OUTPUT_DIRECTORY}"
    PLUMBLINE_DATA="${CMAKE_SOURCE_DIR}/cli/tests/data" PLUMBLINE_PYTHON="${PLUMBLINE_PYTHON}")
endif()

# Rule sentences as predicates: the test searches for states in which a sentence and its rule differ.
plumbline_test(sentences_test tests/sentences_test.cpp tests/sentences_modes.cpp tests/sentences_views.cpp
  tests/sentences_autograd.cpp LINK plumbline_fuzzing LABEL fuzz)

# The harness: comparison, verdicts, waivers, monitors, reports, shrinking, coverage, seeds. One executable, and quick,
# since `plumbline mutate oracle` links and runs it for each mutant.
set(harness compare compare_answers compare_closeness compare_course compare_kinds compare_message expectations expectations_forms facts facts_of_places minimise minimise_kernels well_formed well_formed_kernels slice monitors monitors_fields
  monitors_windows operators report report_forms summary verdict version_changes hidden_slots waivers waivers_forms waivers_implementations)
list(TRANSFORM harness PREPEND ${CMAKE_SOURCE_DIR}/oracle/tests/)
list(TRANSFORM harness APPEND _test.cpp)
plumbline_test(harness_test ${harness} ${CMAKE_SOURCE_DIR}/cli/tests/runner_test.cpp tests/classes_test.cpp tests/fuzz_report_test.cpp tests/seeds_test.cpp tests/shrink_test.cpp tests/verify_test.cpp
  LINK plumbline_fuzzing plumbline_cli LABEL oracle)
if(PLUMBLINE_TESTS)
  set_source_files_properties(${CMAKE_SOURCE_DIR}/oracle/tests/waivers_implementations_test.cpp PROPERTIES
    COMPILE_DEFINITIONS "PLUMBLINE_SOURCE=\"${CMAKE_SOURCE_DIR}\";PLUMBLINE_CORPUS=\"${CMAKE_SOURCE_DIR}/fuzz/corpus\"")
endif()

# The curated programs: each holds on the reference, each notices the misreading of a rule that it names, and docs/COVERAGE.md
# says which sentence of the texts each shows.
plumbline_test(corpus_test tests/corpus_test.cpp LINK plumbline_oracle plumbline_tables LABEL corpus)

# The commands on adapters that misbehave.
plumbline_test(misbehaviour_test tests/misbehaviour_test.cpp tests/two_processes_test.cpp LINK fmt::fmt nlohmann_json::nlohmann_json LABEL fuzz)
if(PLUMBLINE_TESTS)
  add_dependencies(misbehaviour_test plumbline plumbline-run plumbline-fuzz)
  set_tests_properties(misbehaviour_test PROPERTIES COST 1000)  # it mostly waits, so it starts first and runs beside the others
  target_compile_definitions(misbehaviour_test PRIVATE PLUMBLINE_BIN="${CMAKE_RUNTIME_OUTPUT_DIRECTORY}"
    PLUMBLINE_DATA="${CMAKE_SOURCE_DIR}/cli/tests/data")
endif()

# The reference's own meanings of ops by schema, compared with the sweep's caller of LibTorch.
if(TARGET plumbline-sweep-libtorch-2.13.0)
  plumbline_test(meanings_test tests/meanings_test.cpp LINK plumbline_fuzzing LABEL libtorch)
  if(PLUMBLINE_TESTS)
    add_dependencies(meanings_test plumbline-sweep-libtorch-2.13.0)
  endif()
endif()
