// An explanation as text for people and as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "oracle/explain/departures.h"
#include "oracle/explain/steps.h"

namespace plumbline::explain {

/// One test, explained, and the implementations that were compared.
struct Explained {
  std::string file;
  std::string test;
  int line = 0;
  Script script;
  std::vector<std::string> source;  ///< the file's lines
  Explanation explanation;
  Comparison expectations;  ///< the reference compared with the test's own asserts
  std::vector<Held> held;
};

struct Show {
  bool all = false;  ///< show every rule that was consulted
  int line = 0;      ///< show only the statements of this line; 0: all
};

std::string text(const Explained& explained, const Show& show);
nlohmann::ordered_json json(const Explained& explained, const Show& show);

}  // namespace plumbline::explain
