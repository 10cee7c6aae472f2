# The tests of the reference.
set(tests machine functionalized_pr dispatch_table memory reshape memory_ops arithmetic rare value)
foreach(test IN LISTS tests)
  plumbline_test(${test}_test tests/${test}_test.cpp LINK plumbline_reference rapidcheck LABEL reference)
endforeach()
# All of them in one executable, which `plumbline mutate` links for each planted fault. CTest does not run it.
if(PLUMBLINE_TESTS)
  list(TRANSFORM tests REPLACE "(.+)" "$<TARGET_OBJECTS:\\1_test>" OUTPUT_VARIABLE objects)
  add_executable(reference_test ${objects})
  target_link_libraries(reference_test PRIVATE plumbline_reference rapidcheck GTest::gtest GTest::gtest_main)
endif()
