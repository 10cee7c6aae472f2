# The protocol, and the adapter that speaks it with a process.
plumbline_library(plumbline_protocol
  protocol/cursor.cpp protocol/encode.cpp protocol/encode_script.cpp protocol/decode.cpp protocol/decode_script.cpp
  protocol/decode_trace.cpp protocol/check_trace.cpp protocol/dispatch.cpp protocol/serve.cpp LINK plumbline_spec fmt::fmt nlohmann_json::nlohmann_json)
plumbline_library(plumbline_process adapters/run_all.cpp adapters/child.cpp adapters/process.cpp
  adapters/resident.cpp adapters/conversation.cpp
  LINK plumbline_protocol)

if(PLUMBLINE_TESTS)
  plumbline_test(protocol_test tests/protocol_test.cpp tests/protocol_refusal_test.cpp
    LINK plumbline_protocol rapidcheck LABEL oracle)
  plumbline_test(process_test tests/process_test.cpp LINK plumbline_process LABEL oracle)
  target_compile_definitions(process_test PRIVATE PLUMBLINE_ADAPTERS="${CMAKE_CURRENT_SOURCE_DIR}/tests/adapters")
endif()
