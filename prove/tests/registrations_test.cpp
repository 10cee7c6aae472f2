// Registrations with and without holes: all holes are found and nothing else, and malformed files are reported.
#include "prove/registrations.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "language/parse.h"
#include "language/print.h"
#include "reference/dispatcher/call_keys.h"
#include "spec/rules/tls.h"

namespace plumbline::prove {
namespace {

const KeyLayout& layout() { return layout_of(Profile::torch_2_13); }

OperatorHoles holes(const std::string& text, const std::vector<std::string>& backends = {},
                    Profile profile = Profile::torch_2_13) {
  const auto ops = operators_from_text(layout_of(profile), text, "mine.txt");
  return holes_of(ops.at(0), layout_of(profile), profile, backends);
}
std::vector<std::string> names(const OperatorHoles& op) {
  std::vector<std::string> all;
  for (const ShownHole& shown : op.shown) all.push_back(name_of(*op.question.layout, shown.hole.key));
  std::sort(all.begin(), all.end());
  return all;
}
using Names = std::vector<std::string>;

TEST(Registrations, with_a_kernel_for_each_backend_have_no_hole) {
  const OperatorHoles op = holes("CPU: mine\nPrivateUse1: theirs\n");
  EXPECT_TRUE(op.holes.complete);
  EXPECT_EQ(names(op), Names{});
}
TEST(Registrations, for_only_one_backend_have_a_hole_at_the_other) {
  const OperatorHoles op = holes("CPU: mine\n", {"CPU", "PrivateUse1"});
  EXPECT_EQ(names(op), Names{"PrivateUse1"});
}
TEST(Registrations, that_are_composite_have_no_hole_at_any_backend) {
  Names all;
  for (const BackendRow& backend : layout().backends) all.emplace_back(backend.name);
  const OperatorHoles op = holes("CompositeImplicitAutograd: mine\n", all);
  EXPECT_TRUE(op.holes.complete);
  EXPECT_EQ(names(op), Names{});
}
TEST(Registrations, that_are_not_functional_have_a_hole_at_each_functional_backend) {  // DSP-02
  const OperatorHoles op = holes("CompositeExplicitAutogradNonFunctional: mine\n", {"CPU", "XLA", "Lazy", "CUDA"});
  EXPECT_EQ(names(op), (Names{"Lazy", "XLA"}));
}
TEST(Registrations, a_backend_whose_autograd_key_has_no_fallback_has_a_hole_there) {
  // 2.13 ships no fallback for AutogradIPU: an IPU tensor arrives there and not at the kernel.
  const OperatorHoles op = holes("IPU: mine\nCPU: mine\n");
  EXPECT_EQ(names(op), Names{"AutogradIPU"});
}
TEST(Registrations, a_sparse_kernel_brings_sparse_tensors) {
  const OperatorHoles op = holes("CPU: mine\nSparseCPU: mine\nCUDA: mine\n");
  EXPECT_EQ(names(op), Names{"SparseCUDA"});
}
TEST(Registrations, a_hole_is_shown_by_the_fewest_tensors) {
  const OperatorHoles op = holes("CPU: mine\n", {"CPU", "Meta"});
  ASSERT_EQ(op.shown.size(), 1U);
  EXPECT_EQ(op.shown[0].hole.tensors.size(), 1U);
  EXPECT_FALSE(op.shown[0].hole.inference_mode);
}
TEST(Registrations, a_hole_that_only_inference_mode_reaches_is_found) {
  const OperatorHoles op = holes("CPU: mine\nAutogradCUDA: mine\nADInplaceOrView: mine\n", {"CPU", "CUDA"});
  EXPECT_EQ(names(op), Names{"CUDA"});
  ASSERT_EQ(op.shown.size(), 1U);
  EXPECT_TRUE(op.shown[0].hole.inference_mode);  // outside, AutogradCUDA or ADInplaceOrView runs
}
TEST(Registrations, every_hole_is_confirmed_by_the_reference) {
  const OperatorHoles op = holes("CPU: mine\nSparseCPU: mine\nIPU: mine\n", {"CPU", "CUDA", "Meta", "IPU"});
  EXPECT_GE(op.shown.size(), 5U);
  for (const ShownHole& shown : op.shown) EXPECT_TRUE(shown.confirmed) << shown.error;
}
TEST(Registrations, a_holes_program_is_one_that_can_be_read) {
  const OperatorHoles op = holes("CPU: mine\n", {"CPU", "Meta", "CUDA"});
  for (const ShownHole& shown : op.shown) {
    const std::string text = program::print(program::raise(shown.program));
    const auto again = program::lower(program::parse(text, "hole.py"));
    ASSERT_EQ(again.size(), 1U);
    EXPECT_EQ(program::print(program::raise(again.front())), text);
  }
}
/// Finds holes by trying every mix of tensors on the reference, in and out of inference mode.
Names tried(const OperatorHoles& op) {
  const proofs::Resolved& question = op.question;
  const Judge<Concrete> judge{question.profile};
  const KeyLayout& to = *question.layout;
  const auto does = [&](RuntimeKey key) { return question.table[static_cast<std::size_t>(index_of(to, key))]; };
  std::set<std::string> all;
  for (std::uint64_t mix = 1; mix < std::uint64_t{1} << question.tensors.size(); ++mix)
    for (const bool mode : {false, true}) {
      KeySet<Concrete> arguments;
      for (std::size_t i = 0; i < question.tensors.size(); ++i)
        if ((mix >> i & 1U) != 0) arguments = arguments | KeySet<Concrete>::raw(question.tensors[i].keys);
      Tls<Concrete> tls = default_tls(judge);
      if (mode) tls = enter_inference_mode<Concrete>(judge, tls, true);
      const KeySet<Concrete> effective = effective_keys(judge, arguments, tls.included, tls.excluded);
      const auto falls = [&](RuntimeKey key) { return does(key) == proofs::EntryDoes::falls_through; };
      const std::uint64_t by = reference::without_fallthrough(
          judge, to,
          {relaid(reference::rules_layout(), to, arguments.v), relaid(reference::rules_layout(), to, effective.v)},
          falls);
      RuntimeKey key = reference::entry_key(judge, to, by);
      if (does(key) == proofs::EntryDoes::goes_below)
        key = reference::entry_key(judge, to, by & keys_after(judge, to, functionality_named(to, "AutogradOther")));
      if (does(key) != proofs::EntryDoes::runs) all.insert(name_of(to, key));
    }
  return {all.begin(), all.end()};
}
TEST(Registrations, the_holes_equal_those_of_trying_every_mix) {
  const std::vector<std::string> tables{"CPU: mine\nAutogradXLA: mine\nCompositeExplicitAutogradNonFunctional: mine\n",
                                        "CPU: mine\nADInplaceOrView: mine\n", "Autograd: mine\nXLA: fallthrough\n",
                                        "SparseCPU: mine\nCompositeImplicitAutograd: mine\nAutogradCPU: fallthrough\n",
                                        "CPU: mine\nXLA: mine\nAutogradXLA: fallthrough\nNestedTensorCPU: mine\n"};
  for (const std::string& table : tables)
    for (const ProfileInfo& info : kProfiles) {
      const OperatorHoles op = holes(table, {"CPU", "XLA"}, info.profile);
      EXPECT_EQ(names(op), tried(op)) << table << info.name;
    }
}
TEST(Registrations, in_the_keys_of_1_13_use_its_layout) {
  const OperatorHoles op = holes("CPU: mine\n", {"CPU", "PrivateUse1"}, Profile::torch_1_13);
  EXPECT_TRUE(op.holes.complete);
  EXPECT_EQ(names(op), (Names{"AutogradPrivateUse1", "PrivateUse1"}));
}

class File {
 public:
  explicit File(const std::string& text)
      : path_(std::filesystem::temp_directory_path() /
              ("registrations-" + std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()))) {
    std::ofstream(path_) << text;
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() { std::filesystem::remove(path_); }
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

struct Ran {
  int code;
  std::string out;
  std::string errors;
};
Ran ran(const std::string& path, RegistrationsOptions options = {}) {
  std::ostringstream out;
  std::ostringstream errors;
  options.errors = &errors;
  const int code = prove_registrations(path, options, out);
  return {code, out.str(), errors.str()};
}

TEST(ProveRegistrations, without_a_hole_is_0) {
  const Ran result = ran(File("CPU: mine\n").path());
  EXPECT_EQ(result.code, 0);
  EXPECT_NE(result.out.find("every reachable key set finds a kernel"), std::string::npos);
}
TEST(ProveRegistrations, with_a_hole_is_1_and_prints_a_program) {
  const Ran result = ran(File("CUDA: mine\n").path());
  EXPECT_EQ(result.code, 1);
  EXPECT_NE(result.out.find("torch.ops.probe.f(cpu)"), std::string::npos);
}
TEST(ProveRegistrations, names_each_operator_of_a_file) {
  RegistrationsOptions json;
  json.json = true;
  const auto report = nlohmann::json::parse(ran(File("[my::a]\nCPU: mine\n[my::b]\nCUDA: mine\n").path(), json).out);
  EXPECT_EQ(report["operators"][0]["holes"].size(), 0U);
  EXPECT_EQ(report["operators"][1]["holes"][0]["key"], "CPU");
}
TEST(ProveRegistrations, a_malformed_line_is_reported_with_its_place) {
  const File file("[my::a]\nCPU: mine\nnonsense\n");
  const Ran result = ran(file.path());
  EXPECT_EQ(result.code, 2);
  EXPECT_NE(result.errors.find(file.path() + ":3: found 'nonsense'. Write KEY: NAME"), std::string::npos);
}
TEST(ProveRegistrations, an_unknown_key_is_reported_with_its_place) {
  const Ran result = ran(File("# keys\nNope: mine\n").path());
  EXPECT_EQ(result.code, 2);
  EXPECT_NE(result.errors.find(":2: 'Nope' is not a key"), std::string::npos);
}
TEST(ProveRegistrations, a_missing_file_is_reported) { EXPECT_EQ(ran("/nonexistent/table").code, 2); }
TEST(ProveRegistrations, an_empty_file_is_reported) { EXPECT_EQ(ran(File("").path()).code, 2); }
TEST(ProveRegistrations, an_operator_without_registrations_is_reported_with_its_place) {
  const Ran result = ran(File("[my::a]\nCPU: mine\n[my::b]\n").path());
  EXPECT_EQ(result.code, 2);
  EXPECT_NE(result.errors.find(":3: my::b registers nothing"), std::string::npos);
}
TEST(ProveRegistrations, an_unknown_backend_is_reported) {
  RegistrationsOptions options;
  options.backends = {"TPU"};
  EXPECT_EQ(ran(File("CPU: mine\n").path(), options).code, 2);
}

}  // namespace
}  // namespace plumbline::prove
