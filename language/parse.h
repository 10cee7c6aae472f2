// Reading a program.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "language/ast.h"

namespace plumbline::program {

/// A function or class that cannot be read.
struct Unread {
  std::string name;  ///< empty: a statement outside functions and classes
  int line = 0;      ///< where it begins
  ProgramError error;
};

/// Parses `text`; `file` is its name in errors. Throws ProgramError for anything that programs cannot contain; with
/// `unread`, only for text that is not made of Python's tokens: the program then lacks the parts in `unread`.
Program parse(std::string_view text, const std::string& file, std::vector<Unread>* unread = nullptr);

/// Reads and parses a file. Throws ProgramError, also if the file cannot be read or is not UTF-8.
Program parse_file(const std::string& path);

/// The text of a file. Throws ProgramError if it cannot be read.
std::string text_of(const std::string& path);

}  // namespace plumbline::program
