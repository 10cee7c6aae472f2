# The table of rules, docs/RULES.md, and the page of each rule: `plumbline prove --table`, and the test that it is up to date.
plumbline_library(plumbline_rules_table rules_measured.cpp rules_facts.cpp rules_table.cpp
  rules_text.cpp rules_code.cpp rules_page.cpp rules_laws.cpp rules_command.cpp LINK plumbline_prove plumbline_dispatcher)
plumbline_test(rules_table_test tests/rules_table_test.cpp tests/rules_choices_test.cpp LINK plumbline_rules_table LABEL proofs)
if(PLUMBLINE_TESTS)
  add_test(NAME rules_table COMMAND plumbline-prove --table --check)
  set_tests_properties(rules_table PROPERTIES LABELS proofs TIMEOUT ${PLUMBLINE_TEST_SECONDS})
endif()
