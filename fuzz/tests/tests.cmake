# The tests of the fuzzer. RapidCheck's properties run on so many programs of a fixed seed; RC_PARAMS overrides both.
foreach(name generator properties campaign reproduce)
  plumbline_test(${name}_test tests/${name}_test.cpp LINK plumbline_fuzzing LABEL fuzz)
  if(PLUMBLINE_TESTS)
    set_tests_properties(${name}_test PROPERTIES ENVIRONMENT "RC_PARAMS=max_success=1000 seed=1")
  endif()
endforeach()

# The curated programs: each holds on the reference, and each rule's misreading turns one red.
plumbline_test(corpus_test tests/corpus_test.cpp LINK plumbline_oracle LABEL corpus)
