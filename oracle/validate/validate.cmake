# Validation of functionalized bodies for all values, on terms.
plumbline_library(plumbline_validate validate/terms.cpp validate/machine.cpp validate/machine_ops.cpp
  validate/validate.cpp validate/generate.cpp validate/body_maker.cpp validate/exhaustive.cpp validate/run.cpp
  validate/selftest.cpp validate/text.cpp LINK plumbline_reference fmt::fmt)
