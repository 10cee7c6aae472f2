// The subjects: the optimized runtime, the judging code, the harness, and for named faults also the reference, the
// generator and the proofs.
#include "mutation/subject.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <stdexcept>

#include "mutation/entries.h"

namespace plumbline::mutate {

namespace {

namespace fs = std::filesystem;

const std::vector<Subject>& subjects() {
  static const std::vector<Subject> all{
      Subject{"optimized",
              "plumbline-optimized",
              {"optimized/dispatcher/", "optimized/tensor/", "optimized/elements/", "optimized/ops/", "optimized/cpu/",
               "optimized/autograd/"},
              "mutation/left_out.json",
              "mutation/survivors.json",
              false,
              {"optimized/"}},
      Subject{"oracle",
              "harness_test",
              {"oracle/compare*.cpp", "oracle/monitors.cpp", "oracle/waivers.cpp", "oracle/verdict.cpp",
               "oracle/expectations.cpp", "oracle/report/*.cpp"},
              "mutation/oracle_left_out.json",
              "mutation/oracle_survivors.json",
              true},
      Subject{"harness",
              "harness_test",
              {"oracle/", "oracle/report/", "cli/", "fuzz/"},
              "mutation/oracle_left_out.json",
              "mutation/oracle_survivors.json",
              true},
      Subject{"cuda",
              "optimized_cuda_test",
              {"optimized/cuda/"},
              "mutation/cuda_left_out.json",
              "mutation/cuda_survivors.json",
              true},
      Subject{"lazy",
              "optimized_lazy_test",
              {},
              {},
              {},
              true,
              {"optimized/lazy/", "optimized/removal/", "optimized/ops/cpu_fallback"}},
      Subject{"optimized-tests", "optimized_test", {}, {}, {}, true, {"optimized/"}},
      Subject{"generator-tests", "generator_test", {}, {}, {}, true, {"fuzz/"}},
      Subject{"reference-tests",
              "reference_test",
              {},
              {},
              {},
              true,
              {"reference/", "spec/rules/", "spec/machine/"},
              {},
              "reference/"},
      // The functions of spec/rules and spec/machine are called in reference/ and spec/proofs/: what else includes them
      // need not be compiled again.
      Subject{
          "reference",
          "plumbline-run",
          {},
          {},
          {},
          false,
          {"reference/", "spec/rules/", "spec/machine/"},
          {"run fuzz/corpus --jobs 1 --on reference",
           "run fuzz/corpus/functionalize/test_callers.py fuzz/corpus/functionalize/test_chains.py "
           "fuzz/corpus/functionalize/test_nested.py fuzz/corpus/functionalize/test_odd_inverses.py "
           "fuzz/corpus/functionalize/test_pr_63048.py fuzz/corpus/functionalize/test_refusals_in_bodies.py --jobs 1 "
           "--on reference-without-views",
           "run fuzz/corpus --jobs 1 --on optimized",
           "run fuzz/corpus/test_backward.py fuzz/corpus/test_stored_gradients.py fuzz/corpus/test_copies_of_views.py "
           "--jobs 1 --on libtorch-2.13.0,libtorch-1.13.1"},
          "reference/"},
      Subject{"reference-fuzzed",
              "plumbline-fuzz",
              {},
              {},
              {},
              false,
              {"reference/", "spec/rules/", "spec/machine/"},
              {"fuzz --first --seed 1 --programs 4000 --on optimized",
               "fuzz --first --seed 2 --programs 2000 --on optimized --unsafe",
               "fuzz --first --seed 6 --programs 2000 --on optimized --functionalize",
               "fuzz --first --seed 3 --programs 4000 --on libtorch-2.13.0",
               "fuzz --first --seed 4 --programs 4000 --on libtorch-1.13.1"},
              "reference/"},
      Subject{"proofs",
              "plumbline-prove",
              {},
              {},
              {},
              false,
              {"spec/proofs/", "spec/machine/"},
              {"prove --no-programs", "prove --no-programs --profile torch-2.13"},
              "spec/proofs/"},
      Subject{"proofs-tests", "proofs_power_test", {}, {}, {}, true, {"spec/proofs/"}}};
  return all;
}

}  // namespace

bool Subject::has(const std::string& file) const {
  const std::string_view folder = std::string_view(file).substr(0, file.rfind('/') + 1);
  const auto is_below = [&](std::string_view tree) {
    return file.starts_with(tree) && file.find("/tests/") == std::string::npos;
  };
  return std::ranges::any_of(trees, is_below) || std::ranges::any_of(sources, [&](std::string_view source) {
           return source.ends_with('/') ? tests && folder == source : matches(source, file);
         });
}

std::vector<std::string> Subject::files(const std::string& source) const {
  std::vector<std::string> found;
  for (const std::string_view one : sources)
    for (const auto& entry : fs::directory_iterator(fs::path(source) / one.substr(0, one.rfind('/')))) {
      const std::string file = entry.path().lexically_relative(source).string();
      const std::string extension = entry.path().extension().string();
      if ((extension == ".cpp" || extension == ".h") && (one.ends_with('/') || matches(one, file)))
        found.push_back(file);
    }
  std::ranges::sort(found);
  found.erase(std::ranges::unique(found).begin(), found.end());
  return found;
}

std::vector<std::string> subject_names() {
  std::vector<std::string> names;
  for (const Subject& subject : subjects()) names.emplace_back(subject.name);
  return names;
}

const Subject& subject_named(std::string_view name) {
  const auto found = std::ranges::find(subjects(), name, &Subject::name);
  if (found == subjects().end())
    throw std::runtime_error(
        fmt::format("unknown subject '{}'. The subjects are {}", name, fmt::join(subject_names(), ", ")));
  return *found;
}

}  // namespace plumbline::mutate
