// Planting faults in a toy backend of torch.compile, one at a time.
#include "fuzz/compile/selftest.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "adapters/reference/reference.h"
#include "fuzz/campaign.h"
#include "fuzz/commands.h"
#include "fuzz/report.h"
#include "reference/machine.h"
#include "reference/raise.h"
#include "support/child.h"
#include "support/siblings.h"
#include "support/workers.h"

namespace plumbline::fuzz {

namespace {

constexpr std::uint64_t kBatch = 64;

struct CompileFault {
  std::string_view name;  ///< the class in adapters/python/paths/toy.py
  std::string_view sentence;
};

constexpr std::array kFaults{
    CompileFault{"DropsAMutation", "an in-place op writes a copy"},
    CompileFault{"CopiesForAnAlias", "what the graph returns shares no memory with anything"},
    CompileFault{"AliasesForACopy", "clone gives the tensor itself"},
    CompileFault{"ForgetsAMode", "grad mode stays off after the graph"},
    CompileFault{"ReordersTwoWrites", "of two writes that follow each other, the second one runs first"},
    CompileFault{"SpecialisesOnAValue", "a sum is what it was in the first run"},
    CompileFault{"ReusesABufferStillSeen", "a result is written into memory that a view still shows"},
    CompileFault{"ComputesInFloat32", "results of float64 are rounded to float32"},
    CompileFault{"MakesResultsContiguous", "a result that is not row-major gets another layout"},
    CompileFault{"LosesTheHistory", "results have no grad_fn"},
    CompileFault{"RunsTwice", "the graph runs twice"},
    CompileFault{"WritesWithoutCounting", "an in-place op counts no version"},
    CompileFault{"ReturnsAnOldView", "a view shows the elements that its base had when the view was made"},
    CompileFault{"SwallowsAnError", "a call that raises gives its first argument"},
    CompileFault{"PromotesToTheFirst", "a result has the dtype of its first argument"},
};

/// The first program that shows a fault.
struct CaughtFault {
  std::uint64_t programs = 0;  ///< that ran until then
  std::string signature, message;
};

/// What fuzzing did about a fault.
struct Search {
  std::optional<CaughtFault> caught;
  std::uint64_t programs = 0;  ///< that ran, until it was caught or Ctrl-C
};

/// The toy backend; `fault`: empty for none. Each region also runs before, on other tensors, so that guards count.
std::unique_ptr<Adapter> toy(std::string_view fault) {
  const std::string python = quoted_word(executable_folder() / "plumbline-python");
  return make_adapter(
      fmt::format("process:{} --path compile-toy --warm-up{}{}", python, fault.empty() ? "" : " --fault ", fault), {});
}

class Catcher {
 public:
  Catcher(std::string_view fault, const CompileSelftestOptions& options)
      : options_(options), sick_(toy(fault)), well_(toy("")) {
    judge_.profile = profile_or_throw(sick_->describe().profile);
  }

  Search run() {
    Search search;
    for (std::uint64_t first = 0; first < options_.programs && !interrupted; first += kBatch) {
      const std::vector<Script> scripts = generated(first, std::min(first + kBatch, options_.programs));
      const std::vector<RunResult> results = sick_->run_all(scripts);
      for (std::size_t i = 0; i < scripts.size(); ++i)
        if (auto caught = judged(scripts[i], results[i])) {
          caught->programs = first + i + 1;
          return {caught, caught->programs};
        }
      search.programs = first + scripts.size();
    }
    return search;
  }

 private:
  /// Programs that the reference cannot run are left out.
  std::vector<Script> generated(std::uint64_t first, std::uint64_t last) const {
    Recipe recipe(judge_, false);
    recipe.captures = true;
    std::vector<Script> scripts;
    for (std::uint64_t index = first; index < last; ++index) try {
        scripts.push_back(build(genes_at(options_.seed, index).value(), recipe));
      } catch (const reference::ReferenceLimit&) {
        scripts.emplace_back();
      }
    return scripts;
  }

  std::optional<CaughtFault> judged(const Script& script, const RunResult& result) {
    const Comparison sick = compare(script, reference::run(judge_, script), result, sick_->describe());
    if (sick.verdict != Verdict::divergent || hold(*well_, judge_, script).comparison.verdict == Verdict::divergent)
      return std::nullopt;
    return CaughtFault{0, signature_of(sick), sick.message};
  }

  const CompileSelftestOptions& options_;
  std::unique_ptr<Adapter> sick_, well_;
  reference::Judge judge_;
};

/// Ran to the end without catching it, or was stopped before.
std::string text_of(const Search& search, std::uint64_t most) {
  if (search.caught) return fmt::format("program {}", search.caught->programs);
  return search.programs < most ? fmt::format("stopped at {}", search.programs) : fmt::format("SURVIVED {}", most);
}

std::vector<Search> catch_all(const CompileSelftestOptions& options) {
  std::vector<Search> searches(kFaults.size());
  std::vector<std::string> troubles(kFaults.size());
  cli::share_work(kFaults.size(), {.jobs = options.jobs}, [&](std::size_t i) {
    try {
      searches[i] = Catcher(kFaults[i].name, options).run();
    } catch (const std::exception& error) {  // the other faults are searched
      troubles[i] = error.what();
    }
  });
  for (const std::string& trouble : troubles)
    if (!trouble.empty()) throw std::runtime_error(trouble);
  return searches;
}

}  // namespace

int run_compile_selftest(const CompileSelftestOptions& options) {
  if (!has_python(executable_folder()))
    throw std::runtime_error("the build has no PyTorch, so there is no torch.compile; run ./check");
  std::FILE* const out = options.json == "-" ? stderr : stdout;
  const std::vector<Search> searches = catch_all(options);
  nlohmann::ordered_json json{{"command", "selftest --compile"}, {"faults", nlohmann::ordered_json::array()}};
  std::size_t found = 0;
  fmt::print(out, "{:<26}{:<18}{}\n", "planted fault", "fuzzing alone", "signature");
  for (std::size_t i = 0; i < kFaults.size(); ++i) {
    const auto& [name, sentence] = kFaults[i];
    const Search& search = searches[i];
    const CaughtFault caught = search.caught.value_or(CaughtFault());
    found += search.caught ? 1 : 0;
    fmt::print(out, "{:<26}{:<18}{}\n", name, text_of(search, options.programs), caught.signature);
    json["faults"].push_back({{"name", name},
                              {"sentence", sentence},
                              {"caught", search.caught.has_value()},
                              {"programs", search.programs},
                              {"signature", caught.signature},
                              {"message", caught.message}});
  }
  if (!options.json.empty()) write_json(json, options.json);
  fmt::print(out, "{} of {} planted faults caught by fuzzing alone\n", found, kFaults.size());
  return found == kFaults.size() ? 0 : 1;
}

}  // namespace plumbline::fuzz
