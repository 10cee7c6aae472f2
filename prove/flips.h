// `plumbline prove --flip all`: which obligations fail when each rule is misread.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "prove/command.h"

namespace plumbline::prove {

/// What one misread rule does to the obligations that ask it in `sound`.
struct Fallen {
  std::size_t asked = 0;           ///< how many obligations ask the rule
  std::vector<std::string> names;  ///< those that are not as expected, in their order
};

/// Misreads each rule in turn, by id, on several threads. `resource_limit` as in ProveOptions. An interrupt ends it
/// early.
std::map<std::string, Fallen> flip_each_rule(const std::string& only, std::uint64_t resource_limit, unsigned jobs);

/// The command. The exit code: 0, or 130 if it was interrupted.
int flip_all(const ProveCommand& command);

}  // namespace plumbline::prove
