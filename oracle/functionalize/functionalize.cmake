# The commands `plumbline functionalize` and `plumbline validate`: the reference's passes on programs, printed as programs, and
# held against the bodies that they come from.
plumbline_library(plumbline_functionalize functionalize/transform.cpp functionalize/command.cpp functionalize/rules.cpp validate/command.cpp
  LINK plumbline_validate plumbline_cli)
add_executable(plumbline-functionalize functionalize/main.cpp validate/pool.cpp)
target_link_libraries(plumbline-functionalize PRIVATE plumbline_functionalize CLI11::CLI11)
target_compile_definitions(plumbline-functionalize PRIVATE PLUMBLINE_CORPUS="${CMAKE_SOURCE_DIR}/fuzz/corpus")
plumbline_compile_quickly(plumbline_functionalize)

if(PLUMBLINE_TESTS)
  plumbline_test(functionalize_test tests/functionalize_test.cpp tests/sync_points_test.cpp LINK plumbline_functionalize LABEL functionalize)
  target_compile_definitions(functionalize_test PRIVATE PLUMBLINE_CORPUS="${CMAKE_SOURCE_DIR}/fuzz/corpus")
  if(PLUMBLINE_Z3)
    plumbline_test(equal_terms_test tests/equal_terms_test.cpp LINK plumbline_validate LABEL functionalize)
  endif()
  add_dependencies(functionalize_test plumbline plumbline-functionalize)
  add_test(NAME functionalize_validates COMMAND plumbline validate --programs 30000 --seed 2)
  add_test(NAME functionalize_rules COMMAND plumbline validate --rules --programs 1000)
  add_test(NAME functionalize_selftest COMMAND plumbline selftest --functionalize)
  set_tests_properties(functionalize_validates functionalize_rules functionalize_selftest PROPERTIES LABELS functionalize TIMEOUT 600)
endif()
