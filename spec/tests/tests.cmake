# The tests of the specification.
plumbline_test(spec_test tests/ops_test.cpp tests/rule_test.cpp tests/rules_test.cpp tests/early_torch_test.cpp
  tests/catalogue_test.cpp tests/sources_test.cpp tests/key_layout_test.cpp tests/domain_test.cpp tests/errors_test.cpp
  tests/lens_enumeration_test.cpp tests/lens_chains_test.cpp
  LINK plumbline_spec plumbline_opgen_table nlohmann_json::nlohmann_json rapidcheck LABEL spec)

if(PLUMBLINE_TESTS AND PLUMBLINE_TORCH)
  # Compares the table with the native_functions.yaml that comes with that PyTorch.
  set(PLUMBLINE_PYTHON python3 CACHE STRING "The Python that has pytest and, for tests of PyTorch, PLUMBLINE_TORCH")
  add_test(NAME native_functions_test
    COMMAND ${CMAKE_COMMAND} -E env PLUMBLINE_TORCH=${PLUMBLINE_TORCH}
      ${PLUMBLINE_PYTHON} -m pytest -q -p no:cacheprovider ${CMAKE_CURRENT_SOURCE_DIR}/tests/native_functions_test.py
    WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
  add_test(NAME by_schema_table_test
    COMMAND ${PLUMBLINE_PYTHON} -m pytest -q -p no:cacheprovider ${CMAKE_CURRENT_SOURCE_DIR}/tests/by_schema_test.py
    WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
  set_tests_properties(native_functions_test by_schema_table_test PROPERTIES LABELS spec TIMEOUT ${PLUMBLINE_TEST_SECONDS})
endif()
plumbline_test(sites_test tests/sites_test.cpp LINK plumbline_spec LABEL spec)
if(TARGET sites_test)
  target_compile_definitions(sites_test PRIVATE PLUMBLINE_SITES)
endif()
