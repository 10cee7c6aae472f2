// The material for mutants: the sources, their sites, and which sites may be chosen.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "mutation/builder.h"
#include "mutation/entries.h"
#include "mutation/run.h"

namespace plumbline::mutate {

struct Material {
  std::map<std::string, std::string> texts;  ///< the text of each file
  std::vector<Site> sites;                   ///< the sites that may be chosen, in source order
  std::size_t left_out = 0;                  ///< the number of sites in these files that left_out.json excludes
  std::vector<Entry> survivors;
  std::vector<std::string> notes;  ///< files that are not in the driver
  std::vector<std::string> stale;  ///< entries that name nothing in the sources
};

/// Reads sources and lists. Throws UsageError for a malformed list and for options that choose nothing.
Material material_of(const Options& options, const Builder& builder);

}  // namespace plumbline::mutate
