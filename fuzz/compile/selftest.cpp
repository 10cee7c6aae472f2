// Planting faults in a toy backend of torch.compile, one at a time.
#include "fuzz/compile/selftest.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <thread>
#include <vector>

#include "adapters/reference/reference.h"
#include "fuzz/campaign.h"
#include "fuzz/commands.h"
#include "fuzz/report.h"
#include "reference/machine.h"
#include "support/child.h"
#include "support/siblings.h"

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

  std::optional<CaughtFault> run() {
    for (std::uint64_t first = 0; first < options_.programs && !interrupted; first += kBatch) {
      const std::vector<Script> scripts = generated(first, std::min(first + kBatch, options_.programs));
      const std::vector<RunResult> results = sick_->run_all(scripts);
      for (std::size_t i = 0; i < scripts.size(); ++i)
        if (auto caught = judged(scripts[i], results[i])) {
          caught->programs = first + i + 1;
          return caught;
        }
    }
    return std::nullopt;
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

std::vector<std::optional<CaughtFault>> catch_all(const CompileSelftestOptions& options) {
  std::vector<std::optional<CaughtFault>> caught(kFaults.size());
  std::atomic<std::size_t> next = 0;
  std::vector<std::string> troubles(kFaults.size());
  const auto work = [&] {
    for (std::size_t i = next++; i < kFaults.size(); i = next++) try {
        caught[i] = Catcher(kFaults[i].name, options).run();
      } catch (const std::exception& error) {
        troubles[i] = error.what();
      }
  };
  {
    std::vector<std::jthread> workers;
    for (unsigned w = 1; w < options.jobs; ++w) workers.emplace_back(work);
    work();
  }
  for (const std::string& trouble : troubles)
    if (!trouble.empty()) throw std::runtime_error(trouble);
  return caught;
}

}  // namespace

int run_compile_selftest(const CompileSelftestOptions& options) {
  if (!has_python(executable_folder()))
    throw std::runtime_error("the build has no PyTorch, so there is no torch.compile; run ./check");
  std::FILE* const out = options.json == "-" ? stderr : stdout;
  const std::vector<std::optional<CaughtFault>> caught = catch_all(options);
  nlohmann::ordered_json json{{"command", "selftest --compile"}, {"faults", nlohmann::ordered_json::array()}};
  std::size_t found = 0;
  fmt::print(out, "{:<26}{:<18}{}\n", "planted fault", "fuzzing alone", "signature");
  for (std::size_t i = 0; i < kFaults.size(); ++i) {
    const auto& [name, sentence] = kFaults[i];
    found += caught[i] ? 1 : 0;
    fmt::print(
        out, "{:<26}{:<18}{}\n", name,
        caught[i] ? fmt::format("program {}", caught[i]->programs) : fmt::format("SURVIVED {}", options.programs),
        caught[i] ? caught[i]->signature : "");
    json["faults"].push_back({{"name", name},
                              {"sentence", sentence},
                              {"caught", caught[i].has_value()},
                              {"programs", caught[i] ? caught[i]->programs : options.programs},
                              {"signature", caught[i] ? caught[i]->signature : ""},
                              {"message", caught[i] ? caught[i]->message : ""}});
  }
  if (!options.json.empty()) write_json(json, options.json);
  fmt::print(out, "{} of {} planted faults caught by fuzzing alone\n", found, kFaults.size());
  return found == kFaults.size() ? 0 : 1;
}

}  // namespace plumbline::fuzz
