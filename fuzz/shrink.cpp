// Shrinking.
#include "fuzz/shrink.h"

#include <algorithm>
#include <unordered_set>

#include "adapters/protocol/protocol.h"
#include "fuzz/batches.h"
#include "fuzz/builder.h"
#include "oracle/minimise.h"

namespace plumbline::fuzz {

namespace {

/// Whether `torch.tensor` can make every tensor made: nested lists have no size of 0 but the last.
bool has_literals(const Script& script) {
  return std::ranges::all_of(script.statements, [](const Statement& statement) {
    const auto* made = std::get_if<MakeTensor>(&statement.kind);
    if (made == nullptr) return true;
    const auto zero = std::ranges::find(made->sizes, 0);
    return zero == made->sizes.end() || zero + 1 == made->sizes.end();
  });
}

/// Tries each script only once: many genes give the same program.
class Asked {
 public:
  Asked(const std::string& signature, const Failing& failing, std::size_t limit)
      : signature_(signature), failing_(failing), limit_(limit) {}

  /// The program of other genes; a program that cannot be built does not fail in this way.
  bool fails(const Genes& genes, const Recipe& recipe) {
    try {
      return fails(build(genes, recipe));
    } catch (const std::exception&) {
      return false;
    }
  }
  bool fails(const Script& script) {
    if (exhausted() || !seen_.insert(encode(script)).second) return false;
    ++tried_;
    return failing_(script) == signature_;
  }
  /// Also after Ctrl-C: to build a candidate may take as long as to run one.
  bool exhausted() const { return tried_ >= limit_ || interrupted; }
  std::size_t tried() const { return tried_; }

 private:
  const std::string& signature_;
  const Failing& failing_;
  std::size_t limit_;
  std::size_t tried_ = 0;
  std::unordered_set<std::string> seen_;
};

}  // namespace

Shrunk shrink(const rc::Shrinkable<Genes>& genes, const Recipe& given, const std::string& signature,
              const Failing& failing, std::size_t limit) {
  Asked asked(signature, failing, limit);
  Recipe recipe = given;
  recipe.million = false;  // each candidate would take a second
  recipe.million = given.million && !asked.fails(genes.value(), recipe);
  rc::Shrinkable<Genes> best = genes;
  for (bool smaller = true; smaller && !asked.exhausted();) {
    smaller = false;
    rc::Seq<rc::Shrinkable<Genes>> candidates = best.shrinks();
    for (auto candidate = candidates.next(); candidate && !asked.exhausted(); candidate = candidates.next()) {
      if (!asked.fails(candidate->value(), recipe)) continue;
      best = *candidate;
      smaller = true;
      break;
    }
  }
  const bool genes_done = !asked.exhausted();
  Minimised small = minimise(
      build(best.value(), recipe),
      [&](const Script& script) { return has_literals(script) && failing(script) == signature; }, limit);
  return {std::move(small.script), asked.tried() + small.tried, genes_done && small.complete};
}

}  // namespace plumbline::fuzz
