// Reading a program.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "language/ast.h"

namespace plumbline::program {

/// What a program is about. A program about the dispatcher may also have kernels: functions inside a test that take
/// `*args`, pass them on, redispatch with masked key sets, and raise.
enum class Subject : std::uint8_t { tensors, dispatcher };

/// Parses `text`; `file` is its name in errors. Throws ProgramError for anything that programs cannot contain.
Program parse(std::string_view text, const std::string& file, Subject subject = Subject::tensors);

/// Reads and parses a file. Throws ProgramError, also if the file cannot be read or is not UTF-8.
Program parse_file(const std::string& path);

}  // namespace plumbline::program
