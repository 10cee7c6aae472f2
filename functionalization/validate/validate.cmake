# Validation of functionalized bodies for all values, on terms.
# A build without Z3 knows of no two terms that they are equal.
if(PLUMBLINE_Z3)
  set(solver plumbline_z3)
else()
  add_library(plumbline_no_solver STATIC validate/no_solver.cpp)
  target_link_libraries(plumbline_no_solver PUBLIC plumbline_terms)
  set(solver plumbline_no_solver)
endif()
plumbline_library(plumbline_validate validate/terms.cpp validate/equal.cpp validate/machine.cpp validate/machine_ops.cpp
  validate/validate.cpp validate/generate.cpp validate/body_maker.cpp validate/exhaustive.cpp validate/small_steps.cpp validate/shortest.cpp
  validate/run.cpp
  validate/selftest.cpp validate/text.cpp LINK plumbline_reference plumbline_support ${solver} fmt::fmt)
