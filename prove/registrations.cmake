# Which reachable key sets of an operator find no kernel: `plumbline prove --registrations`.
plumbline_library(plumbline_registrations registrations.cpp registrations_text.cpp
  LINK plumbline_dispatcher plumbline_proofs)

if(PLUMBLINE_TESTS)
  plumbline_test(registrations_test tests/registrations_test.cpp LINK plumbline_registrations LABEL proofs)
endif()
