// Written lists about mutants: regions without mutants, survivors with a reason, mutants to make.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "mutation/sites.h"

namespace plumbline::mutate {

/// Whether `text` fits `pattern`, in which `*` stands for any text.
bool matches(std::string_view pattern, std::string_view text);

/// Names sites by their text, so edits elsewhere do not invalidate it. An empty member (`nth`: 0) fits anything.
struct Entry {
  std::string file;      ///< "optimized/tensor/pool.cpp", or a folder, "optimized/cpu/"
  std::string function;  ///< "release"
  std::string line;      ///< without indentation; `*` stands for any text
  std::string change;    ///< "< -> <="
  int nth = 0;
  std::string reason;
  std::string by;  ///< for a survivor: the test that supports the reason, "FILE::NAME"

  bool fits(const Site& site) const;
  /// "optimized/tensor/pool.cpp, release, 'return true;', true -> false"
  std::string name() const;
};

/// Each function throws std::runtime_error, with file and entry, for a malformed list.
/// {"left_out": [{"file", "reason", and optionally "function", "line", "change", "nth"}]}
std::vector<Entry> load_left_out(const std::string& path);
/// {"survivors": [{"file", "line", "change", "reason", "by", and optionally "function", "nth"}]}
std::vector<Entry> load_survivors(const std::string& path);
/// The same; `by` must name a file in the folder `source` that contains the name.
std::vector<Entry> load_survivors(const std::string& path, const std::string& source);
/// {"mutants": [{"file", "line", "change", and optionally "function", "nth"}]}
std::vector<Entry> load_mutants(const std::string& path);

}  // namespace plumbline::mutate
