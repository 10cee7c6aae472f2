# The target plumbline-check-tools: the command, and the programs that `plumbline check`, `run`, `fuzz`, `functionalize`, `env`, `sweep` and `why` start.
# It leaves out benchmarks, proofs, source mutants and tests, which are half of a build and which ./check does not need.

# plumbline_collect_tools(FOLDER VARIABLE): those executables below FOLDER.
function(plumbline_collect_tools folder variable)
  get_property(targets DIRECTORY ${folder} PROPERTY BUILDSYSTEM_TARGETS)
  get_property(subfolders DIRECTORY ${folder} PROPERTY SUBDIRECTORIES)
  set(tools "")
  foreach(target ${targets})
    get_target_property(type ${target} TYPE)
    if(type STREQUAL "EXECUTABLE" AND target MATCHES "^plumbline(-run|-fuzz|-functionalize|-dispatcher|-env|-sweep|-sweep-optimized|-sweep-libtorch-.*|-optimized|-libtorch-.*)?$")
      list(APPEND tools ${target})
    endif()
  endforeach()
  foreach(subfolder ${subfolders})
    plumbline_collect_tools(${subfolder} below)
    list(APPEND tools ${below})
  endforeach()
  set(${variable} ${tools} PARENT_SCOPE)
endfunction()

plumbline_collect_tools(${CMAKE_SOURCE_DIR} tools)
add_custom_target(plumbline-check-tools DEPENDS ${tools})
