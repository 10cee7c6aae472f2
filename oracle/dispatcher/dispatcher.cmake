# What two runs of a program about the dispatcher differ in. Nothing here calls the reference.
plumbline_library(plumbline_dispatch_programs dispatcher/compare.cpp
  LINK plumbline_dispatch_language plumbline_comparison nlohmann_json::nlohmann_json)
# The reference run on them: the rules' mutants compile it a second time.
plumbline_library(plumbline_dispatch_reference dispatcher/check_programs.cpp LINK plumbline_reference plumbline_dispatch_programs)
# The dispatcher's tables: dumps, their comparison, which kernel a call would run.
plumbline_library(plumbline_dispatcher dispatcher/dump.cpp dispatcher/compare_tables.cpp dispatcher/runner.cpp dispatcher/fate.cpp dispatcher/explain.cpp dispatcher/why.cpp
  LINK plumbline_dispatch_reference plumbline_oracle)
plumbline_compile_quickly(plumbline_dispatch_programs)
plumbline_test(dispatch_dump_test tests/dispatch_dump_test.cpp tests/dispatch_explain_test.cpp LINK plumbline_dispatcher LABEL oracle)
if(PLUMBLINE_TESTS)
  target_compile_definitions(dispatch_dump_test PRIVATE PLUMBLINE_CORPUS="${CMAKE_SOURCE_DIR}/fuzz/corpus")
endif()
