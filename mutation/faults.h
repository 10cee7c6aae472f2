// Named faults: changes that would break the harness, each a source text and its replacement.
#pragma once

#include <string>
#include <vector>

#include "mutation/sites.h"

namespace plumbline::mutate {

struct NamedFault {
  std::string name;      ///< "waiver-of-any-file"
  std::string area;      ///< "waivers"
  std::string sentence;  ///< what is wrong then: "A waiver holds for a test of that name in any file."
  std::string file;      ///< its path in the project
  std::string text;      ///< occurs exactly once in the file
  std::string with;      ///< its replacement; may be empty
};

/// {"faults": [{"name", "area", "sentence", "file", "text", "with"}]}. Throws std::runtime_error, with file and entry,
/// for a malformed list and for two faults with the same name.
std::vector<NamedFault> load_faults(const std::string& path);

/// The fault as a change of `source`, the unchanged file. Throws std::runtime_error unless the fault's text occurs
/// there exactly once.
Site site_of(const NamedFault& fault, const std::string& source);

}  // namespace plumbline::mutate
