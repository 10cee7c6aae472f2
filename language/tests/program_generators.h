// RapidCheck generators of programs (syntax trees) and of scripts that Python can express.
#pragma once

#include <rapidcheck.h>

#include <string>
#include <vector>

#include "language/lower.h"

namespace plumbline::program {

/// Programs that the grammar allows; their names may be undefined.
rc::Gen<Program> any_program();

/// Tests with well-nested guards and Trys, slots numbered by first assignment and read after it, readings with and
/// without expectations; every op of the table, every guard, every field.
rc::Gen<Test> any_test();

}  // namespace plumbline::program
