// Reading a program.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "oracle/program/ast.h"

namespace plumbline::program {

/// What a file is a program about. One about the dispatcher may have kernels besides: functions inside a test that take
/// `*args`, hand them on, redispatch by masked key sets, and raise.
enum class Subject : std::uint8_t { tensors, dispatcher };

/// Parses `text`; `file` is its name in errors. Throws ProgramError for anything outside the subset.
Program parse(std::string_view text, const std::string& file, Subject subject = Subject::tensors);

/// Reads and parses a file. Throws ProgramError, also for a path that cannot be read or is not UTF-8.
Program parse_file(const std::string& path);

}  // namespace plumbline::program
