// Choosing the mutants: each file gets a share in proportion to its number of sites; a seed chooses them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "mutation/sites.h"

namespace plumbline::mutate {

/// Hands out sites, and replacements for sites that do not make a mutant. The final sample depends on the sites, the
/// seed and which sites make mutants, but not on the order of the results.
class Sample {
 public:
  /// A sample of this size from `sites` (0: all). A site's rank depends on its text and the seed, so edits elsewhere
  /// change little. Files with the highest `cost` are handed out first.
  Sample(std::vector<Site> sites, std::size_t mutants, std::uint64_t seed,
         const std::function<std::size_t(const std::string& file)>& cost);

  /// The index in `sites` of the next site to try; nothing if none is wanted now.
  std::optional<std::size_t> next();
  /// The result: whether it made a mutant. If not, another site replaces it.
  void tell(std::size_t site, bool mutant);
  /// Whether nothing is left to try and every handed-out site has a result.
  bool done();

  const std::vector<Site>& sites() const { return sites_; }
  /// The sites of the first round, in source order: the sample, if each of them makes a mutant.
  std::vector<std::size_t> first_choice() const;
  std::size_t wanted() const { return wanted_; }

 private:
  struct File {
    std::string name;
    std::vector<std::size_t> ranked;  ///< its sites, in the order in which they are tried
    std::size_t tried = 0;
    std::size_t wanted = 0;  ///< how many more to hand out
    std::size_t share = 0;
  };
  void spread();
  /// After every file has had its share: takes the missing mutants from other files.
  void ask_others();

  std::vector<Site> sites_;
  std::vector<std::uint64_t> ranks_;  ///< by site
  std::vector<File> files_;
  std::size_t wanted_ = 0, made_ = 0, open_ = 0;
};

}  // namespace plumbline::mutate
