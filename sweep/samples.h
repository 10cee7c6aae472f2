// Arguments that are kept in a file, for operators that take none of those that are found by chance.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "sweep/experiment.h"

namespace plumbline::sweep {

/// The choices of arguments for an operator, by its full name.
using Samples = std::map<std::string, std::vector<Experiment>>;

/// Reads JSON lines: an experiment each (docs/SWEEP.md). A line with "about" says what the file is; empty lines say
/// nothing. Throws std::runtime_error with the file, the line, what is wrong, and what to do.
Samples read_samples(const std::filesystem::path& file);

/// Adds those of `more` that are not there.
void add(Samples& samples, const Samples& more);

/// What `read_samples` reads. `about`: what the file is, and of which version its operators are.
std::string samples_text(const Samples& samples, const std::string& about);

}  // namespace plumbline::sweep
