# Fails if an executable holds code of a domain without sites: its mutants would then change nothing there.
# cmake -DNM=nm -DPROGRAM=FILE -P no_plain_domain.cmake
execute_process(COMMAND ${NM} ${PROGRAM} OUTPUT_VARIABLE symbols RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR "${NM} cannot read ${PROGRAM}")
endif()
string(FIND "${symbols}" "5sited8Concrete" sited)
if(sited EQUAL -1)
  message(FATAL_ERROR "${PROGRAM} has no code of Concrete with sites: is this the right file, and not stripped?")
endif()
# Terms fold literals with the plain Concrete's divide and remainder: operations of the domain, not of rules.
string(REGEX MATCHALL "[^\n]*5plain(8Concrete|8Symbolic)[^\n]*" found "${symbols}")
list(FILTER found EXCLUDE REGEX "N9plumbline5plain8Concrete(6divide|9remainder|4bits|4wrap)")
if(found)
  list(JOIN found "\n" lines)
  message(FATAL_ERROR "${PROGRAM} holds code without sites:\n${lines}")
endif()
