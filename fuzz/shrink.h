// Making a failing program small: first RapidCheck's shrinking of its genes, then the minimiser on its statements.
#pragma once

#include <functional>
#include <string>

#include "fuzz/builder.h"
#include "fuzz/gene.h"
#include "reference/state.h"

namespace plumbline::fuzz {

/// The signature of a script's failure; empty: it does not fail.
using Failing = std::function<std::string(const Script&)>;

struct Shrunk {
  Script script;
  std::size_t tried = 0;  ///< scripts run on the way
  bool complete = true;   ///< false: the limit of tries was reached, and it may not be the smallest
};

/// The smallest script found that fails with `signature`, starting from genes that do. Statements stay well-formed.
/// Ctrl-C ends it early, with the smallest so far.
Shrunk shrink(const rc::Shrinkable<Genes>& genes, const Recipe& recipe, const std::string& signature,
              const Failing& failing, std::size_t limit);

}  // namespace plumbline::fuzz
