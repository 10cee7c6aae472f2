// What mutants are made of: the sources, their sites, and which of these may be chosen.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "oracle/mutate/builder.h"
#include "oracle/mutate/entries.h"
#include "oracle/mutate/run.h"

namespace plumbline::mutate {

struct Material {
  std::map<std::string, std::string> texts;  ///< of the files
  std::vector<Site> sites;                   ///< that may be chosen, in the order of the sources
  std::size_t left_out = 0;                  ///< sites of the same files that left_out.json leaves out
  std::vector<Entry> survivors;
  std::vector<std::string> notes;  ///< files that are not in the driver
  std::vector<std::string> stale;  ///< entries that name nothing that is there
};

/// Reads sources and lists. Throws UsageError for a list that is malformed and for options that choose nothing.
Material material_of(const Options& options, const Builder& builder);

}  // namespace plumbline::mutate
