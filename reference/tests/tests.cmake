# The tests of the reference.
plumbline_test(machine_test tests/machine_test.cpp LINK plumbline_reference LABEL reference)
plumbline_test(functionalized_pr_test tests/functionalized_pr_test.cpp LINK plumbline_reference LABEL reference)
plumbline_test(dispatch_table_test tests/dispatch_table_test.cpp LINK plumbline_reference LABEL reference)
plumbline_test(memory_test tests/memory_test.cpp LINK plumbline_reference rapidcheck LABEL reference)
plumbline_test(reshape_test tests/reshape_test.cpp LINK plumbline_reference LABEL reference)
plumbline_test(memory_ops_test tests/memory_ops_test.cpp LINK plumbline_reference LABEL reference)
plumbline_test(arithmetic_test tests/arithmetic_test.cpp LINK plumbline_reference LABEL reference)
plumbline_test(value_test tests/value_test.cpp LINK plumbline_reference LABEL reference)
