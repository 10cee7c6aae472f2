// Which mutants are made: of each file its share by the number of its sites, chosen by a seed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "oracle/mutate/sites.h"

namespace plumbline::mutate {

/// Hands out sites, and others for those that make no mutant. Which sites count in the end depends on the sites, the
/// seed and which of them make mutants, and not on the order in which results come.
class Sample {
 public:
  /// So many of `sites` (0: all). A site's rank comes of its text and the seed, so that edits elsewhere change little.
  /// Files for which `cost` is highest are handed out first.
  Sample(std::vector<Site> sites, std::size_t mutants, std::uint64_t seed,
         const std::function<std::size_t(const std::string& file)>& cost);

  /// The next site to try, by its index in `sites`; nothing where none is wanted now.
  std::optional<std::size_t> next();
  /// What came of it: a mutant, or none, so that another takes its place.
  void tell(std::size_t site, bool mutant);
  /// Nothing is left to try, and nothing that was handed out is open.
  bool done();

  const std::vector<Site>& sites() const { return sites_; }
  /// What the first round hands out, in the order of the sources: the sample, if each makes a mutant.
  std::vector<std::size_t> first_choice() const;
  std::size_t wanted() const { return wanted_; }

 private:
  struct File {
    std::string name;
    std::vector<std::size_t> ranked;  ///< its sites, the first to try first
    std::size_t tried = 0;
    std::size_t wanted = 0;  ///< how many more to hand out
    std::size_t share = 0;
  };
  void spread();
  /// Once every file has had its share: what some could not give is asked of the others.
  void ask_others();

  std::vector<Site> sites_;
  std::vector<std::uint64_t> ranks_;  ///< by site
  std::vector<File> files_;
  std::size_t wanted_ = 0, made_ = 0, open_ = 0;
};

}  // namespace plumbline::mutate
