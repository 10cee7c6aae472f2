// What an implementation shows of a difference (adapters/exhibit.h), for people.
#pragma once

#include <string>
#include <vector>

#include "adapters/exhibit.h"
#include "oracle/compare.h"
#include "spec/vocabulary/profile.h"

namespace plumbline::explain {

/// The rules that decided on the reference at the statement that a difference is named after.
std::vector<std::string> rules_at(const Script& script, Profile profile, const Difference& difference);

/// Lines for the top of a file that shows a difference: what differs on `who` ("compile-aot_eager 2.13.0"), and `rules`
/// with their sentences.
std::string found_text(const Difference& difference, const std::string& who, const std::vector<std::string>& rules);

/// Whether the file, written as `name`, fails, and what it printed or why there is no file.
std::string file_text(const Exhibit& exhibit, const std::string& name);

/// The sections, each below its title.
std::string sections_text(const Exhibit& exhibit);

}  // namespace plumbline::explain
