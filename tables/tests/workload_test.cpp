// The workloads: what is measured, and which files are refused.
#include "tables/workload.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "adapters/reference/reference.h"
#include "spec/rules/catalogue.h"
#include "spec/rules/inf.h"
#include "spec/rules/ver.h"

namespace plumbline::tables {
namespace {

const std::vector<ModeWorkload>& curated() {
  static const std::vector<ModeWorkload> all = load_workloads("fuzz/corpus/workload");
  return all;
}

TEST(Workload, keeps_the_promises_of_the_documentation_on_the_reference) {
  for (const Profile profile : {Profile::sound, Profile::torch_2_13, Profile::torch_1_13}) {
    ReferenceAdapter reference(profile);
    EXPECT_GE(curated().size(), 2U);
    for (const ModeWorkload& workload : curated())
      for (const std::string& broken : run_workload(workload, reference).broken)
        ADD_FAILURE() << workload.name << ", " << name_of(profile) << ": " << broken;
  }
}

// Outside inference mode the in-place op is counted, the view is tracked; with gradients the results have a history.
TEST(Workload, normal_mode_counts_and_tracks) {
  ReferenceAdapter reference(Profile::sound);
  for (const ModeWorkload& workload : curated()) {
    const WorkloadRun run = run_workload(workload, reference);
    EXPECT_GT(run.modes[0].writes, 0U) << workload.name;
    EXPECT_GT(run.modes[0].views, 0U) << workload.name;
    EXPECT_GT(run.modes[0].histories, 0U) << workload.name;
    EXPECT_EQ(run.modes[0].inference, 0U) << workload.name;
    EXPECT_EQ(run.modes[1].kernels, run.modes[0].kernels) << "no_grad dispatches as normal mode does";
    EXPECT_LT(run.modes[2].kernels, run.modes[0].kernels) << workload.name;
  }
}

// If all tensors were made inside the mode, a call runs only the backend's kernel.
TEST(Workload, in_inference_mode_each_call_runs_one_kernel) {
  ReferenceAdapter reference(Profile::sound);
  for (const ModeWorkload& workload : curated()) {
    if (workload.name == "loaded_mlp") continue;
    const Measured inside = run_workload(workload, reference).modes[2];
    EXPECT_EQ(inside.inference, inside.tensors) << workload.name;
    EXPECT_EQ(inside.kernels, inside.calls) << workload.name;
  }
}

TEST(Workload, a_misread_rule_breaks_a_promise) {
  for (const Rule* rule : {&INF_02, &VER_02}) {
    ReferenceAdapter wrong(Profile::sound, rule);
    bool broken = false;
    for (const ModeWorkload& workload : curated()) broken = broken || !run_workload(workload, wrong).broken.empty();
    EXPECT_TRUE(broken) << rule->id();
  }
}

/// The error for a folder with this one workload.
std::string refusal(const std::string& tests) {
  const std::filesystem::path folder = testing::TempDir() + "plumbline_workload";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "test_it.py") << "import torch\n\n\n" << tests;
  try {
    load_workloads(folder.string());
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

std::string test_in(const std::string& mode, const std::string& number) {
  return "def test_it_in_" + mode + "(device):\n    x = torch.full([2], " + number + ", device=device)\n\n\n";
}

TEST(Workload, a_file_without_a_mode_is_refused) {
  const std::string what = refusal(test_in("no_grad_mode", "1.0") + test_in("inference_mode", "1.0"));
  EXPECT_NE(what.find("test_it.py: a workload has exactly three tests, and one of them is test_it_in_normal_mode"),
            std::string::npos)
      << what;
}

TEST(Workload, tests_that_make_different_calls_are_refused) {
  const std::string what =
      refusal(test_in("normal_mode", "1.0") + test_in("no_grad_mode", "1.0") + test_in("inference_mode", "2.0"));
  EXPECT_NE(what.find("test_it_in_inference_mode does not make the same calls as test_it_in_normal_mode"),
            std::string::npos)
      << what;
}

TEST(Workload, a_folder_without_programs_is_refused) {
  EXPECT_THROW(load_workloads("/no/such/folder"), std::runtime_error);
}

}  // namespace
}  // namespace plumbline::tables
