// RapidCheck generators: programs as written, and scripts that Python can say.
#pragma once

#include <rapidcheck.h>

#include <string>
#include <vector>

#include "oracle/program/lower.h"

namespace plumbline::program {

/// Programs that the grammar allows, whether or not their names mean anything.
rc::Gen<Program> any_program();

/// Tests with well-nested guards and Trys, slots numbered by first assignment and read after it, readings with and
/// without expectations; every op of the table, every guard, every field.
rc::Gen<Test> any_test();

}  // namespace plumbline::program
