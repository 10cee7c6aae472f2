# Programs: the pytest-runnable subset of Python, read, written, lowered to scripts and raised from them.
plumbline_library(plumbline_program
  program/ast.cpp program/utf8.cpp program/literal.cpp program/lexer.cpp program/refusal.cpp program/token_reader.cpp
  program/parse_expression.cpp program/parse.cpp program/print.cpp program/observe.cpp program/convert.cpp program/resolve.cpp
  program/guards.cpp program/scope.cpp program/lower.cpp program/lower_with.cpp program/lower_call.cpp
  program/lower_tensor.cpp
  program/lower_data.cpp program/lower_thread.cpp program/lower_function.cpp program/lower_functionalize.cpp program/lower_assert.cpp program/expectation.cpp program/raise.cpp
  program/raise_call.cpp program/raise_assert.cpp
  LINK plumbline_spec fmt::fmt)

if(PLUMBLINE_TESTS)
  plumbline_test(program_test
    tests/program_parse_test.cpp tests/program_print_test.cpp tests/program_malformed_test.cpp
    tests/program_malformed_data_test.cpp tests/program_lower_test.cpp tests/program_raise_test.cpp
    tests/program_function_test.cpp tests/program_thread_test.cpp
    tests/program_expectation_test.cpp tests/program_generators.cpp tests/program_scripts.cpp
    LINK plumbline_program rapidcheck LABEL program)
endif()
