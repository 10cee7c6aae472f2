# The dispatcher's tables: dumps, their comparison, which kernel a call would run.
plumbline_library(plumbline_dispatcher dispatcher/dump.cpp dispatcher/compare_tables.cpp dispatcher/why.cpp
  LINK plumbline_reference plumbline_comparison)
plumbline_test(dispatch_dump_test tests/dispatch_dump_test.cpp LINK plumbline_dispatcher LABEL oracle)
