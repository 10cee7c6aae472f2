# The op table: plumbline-opgen reads ops.yaml and writes op_ids.h, op_table.cpp and optimized/ops.h.
# Sets PLUMBLINE_OPS_SOURCES; the headers are among them, so whatever links plumbline_spec waits for them.
plumbline_library(plumbline_opgen_table opgen/schema.cpp opgen/checks.cpp opgen/table.cpp opgen/emit.cpp
  opgen/emit_entries.cpp LINK fmt::fmt yaml-cpp)
add_executable(plumbline-opgen opgen/main.cpp)
target_link_libraries(plumbline-opgen PRIVATE plumbline_opgen_table plumbline_command_line)

set(generated ${CMAKE_BINARY_DIR}/generated/spec/ops)
set(entries ${CMAKE_BINARY_DIR}/generated/optimized/ops.h)
file(MAKE_DIRECTORY ${generated} ${CMAKE_BINARY_DIR}/generated/optimized)
add_custom_command(
  OUTPUT ${generated}/op_ids.h ${generated}/op_table.cpp ${entries}
  COMMAND plumbline-opgen ${CMAKE_CURRENT_SOURCE_DIR}/ops/ops.yaml ${generated}
    --by-schema ${CMAKE_CURRENT_SOURCE_DIR}/ops/by_schema.yaml --entries ${entries}
  DEPENDS plumbline-opgen ops/ops.yaml ops/by_schema.yaml
  COMMENT "Generating the op table"
  VERBATIM)
set(PLUMBLINE_OPS_SOURCES ops/ops.cpp ${generated}/op_ids.h ${generated}/op_table.cpp ${entries})
