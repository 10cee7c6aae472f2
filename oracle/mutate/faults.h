// Named faults: what someone might break, each a text of a source and what stands in its place.
#pragma once

#include <string>
#include <vector>

#include "oracle/mutate/sites.h"

namespace plumbline::mutate {

struct NamedFault {
  std::string name;      ///< "waiver-of-any-file"
  std::string area;      ///< "waivers"
  std::string sentence;  ///< what is wrong then: "A waiver holds for a test of that name in any file."
  std::string file;      ///< from the top
  std::string text;      ///< stands once in the file
  std::string with;      ///< in its place; may be empty
};

/// {"faults": [{"name", "area", "sentence", "file", "text", "with"}]}. Throws std::runtime_error, with file and entry,
/// for what is no such list, and for two faults of one name.
std::vector<NamedFault> load_faults(const std::string& path);

/// The change that the fault is, in `source`, the file as it is. Throws std::runtime_error where its text does not
/// stand there exactly once.
Site site_of(const NamedFault& fault, const std::string& source);

}  // namespace plumbline::mutate
