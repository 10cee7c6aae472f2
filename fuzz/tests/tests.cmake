# The tests of the fuzzer.
