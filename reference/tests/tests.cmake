# The tests of the reference: one executable, which `plumbline mutate` links and runs for each planted fault.
set(tests machine functionalized_pr dispatch_table memory reshape memory_ops arithmetic complex narrow rare value)
list(TRANSFORM tests REPLACE "(.+)" "tests/\\1_test.cpp")
plumbline_test(reference_test ${tests} LINK plumbline_reference rapidcheck LABEL reference)
