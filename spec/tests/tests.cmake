# The tests of the specification.
plumbline_test(ops_test tests/ops_test.cpp LINK plumbline_spec plumbline_opgen_table LABEL spec)
plumbline_test(rule_test tests/rule_test.cpp LINK plumbline_spec LABEL spec)
plumbline_test(rules_test tests/rules_test.cpp tests/early_torch_test.cpp LINK plumbline_spec LABEL spec)
plumbline_test(catalogue_test tests/catalogue_test.cpp LINK plumbline_spec LABEL spec)
plumbline_test(sources_test tests/sources_test.cpp LINK plumbline_spec nlohmann_json::nlohmann_json LABEL spec)
plumbline_test(key_layout_test tests/key_layout_test.cpp LINK plumbline_spec LABEL spec)
plumbline_test(domain_test tests/domain_test.cpp LINK plumbline_spec rapidcheck LABEL spec)
plumbline_test(errors_test tests/errors_test.cpp LINK plumbline_spec LABEL spec)
plumbline_test(lens_enumeration_test tests/lens_enumeration_test.cpp tests/lens_chains_test.cpp LINK plumbline_spec LABEL spec)

if(PLUMBLINE_TESTS AND PLUMBLINE_TORCH)
  # Compares the table with the native_functions.yaml that comes with that PyTorch.
  set(PLUMBLINE_PYTHON python3 CACHE STRING "The Python that has pytest and, for tests of PyTorch, PLUMBLINE_TORCH")
  add_test(NAME native_functions_test
    COMMAND ${CMAKE_COMMAND} -E env PLUMBLINE_TORCH=${PLUMBLINE_TORCH}
      ${PLUMBLINE_PYTHON} -m pytest -q -p no:cacheprovider ${CMAKE_CURRENT_SOURCE_DIR}/tests/native_functions_test.py
    WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
  set_tests_properties(native_functions_test PROPERTIES LABELS spec TIMEOUT 600)
endif()
plumbline_test(sites_test tests/sites_test.cpp LINK plumbline_spec LABEL spec)
if(TARGET sites_test)
  target_compile_definitions(sites_test PRIVATE PLUMBLINE_SITES)
endif()
