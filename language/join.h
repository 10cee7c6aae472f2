// Several raised programs as one file.
#pragma once

#include "language/ast.h"

namespace plumbline::program {

/// Appends the tests and classes of `one` to `file`, and its imports. `file.header` and `file.file` stay.
void join(Program& file, Program one);

}  // namespace plumbline::program
