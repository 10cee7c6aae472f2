# Programs: the pytest-runnable subset of Python, read, written, lowered to scripts and raised from them.
plumbline_library(plumbline_program
  program/ast.cpp program/utf8.cpp program/literal.cpp program/lexer.cpp program/refusal.cpp program/token_reader.cpp
  program/parse_expression.cpp program/parse.cpp program/print.cpp
  LINK plumbline_spec fmt::fmt)
