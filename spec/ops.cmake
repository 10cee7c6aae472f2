# The op table: plumbline-opgen reads ops.yaml and writes op_ids.h and op_table.cpp.
# Sets PLUMBLINE_OPS_SOURCES; op_ids.h is among them, so whatever links plumbline_spec waits for it.
plumbline_library(plumbline_opgen_table opgen/schema.cpp opgen/checks.cpp opgen/table.cpp opgen/emit.cpp LINK fmt::fmt yaml-cpp)
add_executable(plumbline-opgen opgen/main.cpp)
target_link_libraries(plumbline-opgen PRIVATE plumbline_opgen_table CLI11::CLI11)

set(generated ${CMAKE_BINARY_DIR}/generated/spec)
file(MAKE_DIRECTORY ${generated})
add_custom_command(
  OUTPUT ${generated}/op_ids.h ${generated}/op_table.cpp
  COMMAND plumbline-opgen ${CMAKE_CURRENT_SOURCE_DIR}/ops.yaml ${generated}
  DEPENDS plumbline-opgen ops.yaml
  COMMENT "Generating the op table"
  VERBATIM)
set(PLUMBLINE_OPS_SOURCES ops.cpp ${generated}/op_ids.h ${generated}/op_table.cpp)
