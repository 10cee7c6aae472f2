// Reading a program.
#pragma once

#include <string>
#include <string_view>

#include "oracle/program/ast.h"

namespace plumbline::program {

/// Parses `text`; `file` is its name in errors. Throws ProgramError for anything outside the subset.
Program parse(std::string_view text, const std::string& file);

/// Reads and parses a file. Throws ProgramError, also for a path that cannot be read or is not UTF-8.
Program parse_file(const std::string& path);

}  // namespace plumbline::program
