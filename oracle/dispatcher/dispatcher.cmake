# The dispatcher's tables: dumps, their comparison, and which kernel a call would run.
plumbline_library(plumbline_dispatcher dispatcher/dump.cpp dispatcher/compare_tables.cpp dispatcher/compare.cpp
  LINK plumbline_oracle nlohmann_json::nlohmann_json)
