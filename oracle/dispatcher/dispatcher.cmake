# The dispatcher's programs: scripts as pytest files, and what two runs of one differ in. Nothing here calls the reference.
plumbline_library(plumbline_dispatch_programs dispatcher/compare.cpp dispatcher/program_words.cpp
  dispatcher/program_print.cpp dispatcher/program_read.cpp dispatcher/program_read_kernel.cpp dispatcher/program_read_call.cpp
  LINK plumbline_oracle plumbline_program nlohmann_json::nlohmann_json)
# The reference run on them, and the dispatcher's tables: dumps, their comparison, which kernel a call would run.
plumbline_library(plumbline_dispatcher dispatcher/dump.cpp dispatcher/compare_tables.cpp dispatcher/check_programs.cpp
  dispatcher/runner.cpp dispatcher/why.cpp LINK plumbline_dispatch_programs)

if(PLUMBLINE_TESTS)
  plumbline_test(dispatch_program_test tests/dispatch_program_test.cpp
    tests/dispatch_program_refusal_test.cpp LINK plumbline_dispatcher LABEL program)
  plumbline_test(dispatch_dump_test tests/dispatch_dump_test.cpp LINK plumbline_dispatcher LABEL oracle)
  target_compile_definitions(dispatch_program_test PRIVATE PLUMBLINE_DISPATCH_CORPUS="${CMAKE_SOURCE_DIR}/fuzz/corpus/dispatcher")
endif()
