// What people wrote about mutants: regions that are left out, survivors with a reason, mutants that are always made.
#pragma once

#include <string>
#include <vector>

#include "oracle/mutate/sites.h"

namespace plumbline::mutate {

/// Names sites by their text, so that edits elsewhere leave it true. What is empty (`nth`: 0) fits anything.
struct Entry {
  std::string file;      ///< "optimized/tensor/pool.cpp", or a folder, "optimized/cpu/"
  std::string function;  ///< "release"
  std::string line;      ///< without indentation; `*` stands for any text
  std::string change;    ///< "< -> <="
  int nth = 0;
  std::string reason;
  std::string by;  ///< of a survivor: the test that supports it, "FILE::NAME"

  bool fits(const Site& site) const;
  /// "optimized/tensor/pool.cpp, release, 'return true;', true -> false"
  std::string name() const;
};

/// Each throws std::runtime_error, with file and entry, for what is no such list.
/// {"left_out": [{"file", "reason", and perhaps "function", "line", "change", "nth"}]}
std::vector<Entry> load_left_out(const std::string& path);
/// {"survivors": [{"file", "line", "change", "reason", "by", and perhaps "function", "nth"}]}; `by` must be a file of
/// the folder `source` in which the name stands.
std::vector<Entry> load_survivors(const std::string& path, const std::string& source);
/// {"mutants": [{"file", "line", "change", and perhaps "function", "nth"}]}
std::vector<Entry> load_mutants(const std::string& path);

}  // namespace plumbline::mutate
