// Writing a program.
#pragma once

#include <string>

#include "language/ast.h"

namespace plumbline::program {

/// The program as Python text, in one canonical layout. `print(parse(print(p))) == print(p)` for every program.
std::string print(const Program& program);
std::string print(const Expression& expression);

}  // namespace plumbline::program
