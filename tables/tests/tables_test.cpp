// The tables: the rules compute what the texts state, and each cell depends on a rule.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>

#include "adapters/reference/reference.h"
#include "spec/rules/catalogue.h"
#include "spec/rules/inf.h"
#include "spec/rules/tls.h"
#include "spec/rules/ver.h"
#include "tables/behaviour.h"
#include "tables/functionalized.h"
#include "tables/language.h"
#include "tables/migration.h"

namespace plumbline::tables {
namespace {

TEST(LanguageTable, is_what_docs_language_md_has) {
  std::ifstream in("docs/LANGUAGE.md");
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  EXPECT_TRUE(text == language_markdown())
      << "docs/LANGUAGE.md is out of date; run: plumbline table language > docs/LANGUAGE.md";
}

TEST(BehaviourTable, has_the_twelve_rows_of_draft_1_in_each_text) {
  EXPECT_EQ(behaviour_rows().size(), 12U);
  for (const BehaviourText& text : behaviour_texts()) EXPECT_EQ(text.rows.size(), 12U) << text.name;
}

TEST(BehaviourTable, a_profile_computes_what_its_text_states) {
  for (const BehaviourText& text : behaviour_texts())
    for (std::size_t i = 0; i < behaviour_rows().size(); ++i) {
      const auto did = computed_behaviour(behaviour_rows()[i], text.profile);
      EXPECT_TRUE(as_stated(text.rows[i], did))
          << text.name << " row " << i + 1 << ": states " << behaviour_text(text.rows[i].says) << ", computed "
          << behaviour_text(did);
    }
}

TEST(BehaviourTable, every_row_runs_and_mixed_rows_have_mixed_operands) {
  for (const BehaviourRow& row : behaviour_rows()) {
    EXPECT_FALSE(row.program.empty()) << row.mode << ", " << row.input << ", " << row.op;
    const std::string call(row.program.substr(row.program.find("y = ")));
    const bool normal = call.find('x') != call.npos;
    const bool inference = call.find('i', call.find('(')) != call.npos || call.starts_with("y = i.");
    EXPECT_EQ(normal, row.input != "all inference tensors") << call;
    EXPECT_TRUE(inference) << call;
  }
}

TEST(BehaviourTable, a_row_that_raises_has_the_kernels_after_its_error_and_whether_it_wrote) {
  const auto did = [](std::size_t row, Profile profile) {
    return behaviour_text(computed_behaviour(behaviour_rows()[row], profile));
  };
  EXPECT_EQ(did(7, Profile::draft_1), "ADInplaceOrView(error), CPU: error inference_view, nothing written");
  EXPECT_EQ(did(8, Profile::sound), "ADInplaceOrView(error), CPU: error inference_inplace, nothing written");
  EXPECT_EQ(did(8, Profile::rfc_0011), "ADInplaceOrView, CPU: error inference_inplace, after the write");
  EXPECT_EQ(did(9, Profile::draft_1),
            "Autograd(error), ADInplaceOrView(fallthrough), CPU: error inference_mixed, nothing written");
  EXPECT_EQ(did(11, Profile::draft_1), "Autograd(error), ADInplaceOrView, CPU: error inference_mixed, nothing written");
}

TEST(BehaviourTable, a_text_that_does_not_hold_is_noticed) {
  const TextCell& stated = behaviour_texts().front().rows[7];
  Behaviour did = computed_behaviour(behaviour_rows()[7], Profile::draft_1);
  EXPECT_TRUE(as_stated(stated, did));
  did.kernels = "ADInplaceOrView(error)";
  EXPECT_FALSE(as_stated(stated, did));
  EXPECT_FALSE(as_stated(stated, computed_behaviour(behaviour_rows()[7], Profile::sound)));
}

TEST(BehaviourTable, draft_1_states_every_row) {
  for (const TextCell& cell : behaviour_texts().front().rows) EXPECT_EQ(cell.standing, Standing::stated);
}

TEST(BehaviourTable, each_stated_cell_names_lines_and_says_something) {
  for (const BehaviourText& text : behaviour_texts())
    for (const TextCell& cell : text.rows) {
      EXPECT_EQ(cell.lines.empty(), cell.standing == Standing::silent) << text.name;
      EXPECT_EQ(behaviour_text(cell.says) == "anything", cell.standing == Standing::silent) << text.name;
    }
}

TEST(BehaviourTable, each_cell_of_each_profile_changes_under_some_misreading) {
  for (const ProfileInfo& info : kProfiles)
    for (const BehaviourRow& row : behaviour_rows()) {
      // here the tensor and the thread both add the key that decides the row, so no single misreading removes it
      if (info.profile == Profile::ideal && row.op == "view" && row.input == "a normal and an inference tensor")
        continue;
      const auto right = computed_behaviour(row, info.profile);
      const bool hangs = std::ranges::any_of(kRules, [&](const Rule* rule) {
        return behaviour_text(computed_behaviour(row, info.profile, rule)) != behaviour_text(right);
      });
      EXPECT_TRUE(hangs) << info.name << ": " << row.mode << ", " << row.input << ", " << row.op;
    }
}

/// The fates of a workload, in the order of the guards.
std::vector<Fate::Kind> fates(std::size_t workload, Profile profile, const Rule* flipped = nullptr) {
  std::vector<Fate::Kind> kinds;
  for (const MigrationGuard& guard : migration_guards())
    kinds.push_back(computed_fate(workloads()[workload], guard, profile, flipped).kind);
  return kinds;
}

TEST(MigrationTable, a_write_to_a_saved_tensor_is_silently_wrong_only_under_the_old_guard_and_its_new_name) {
  using enum Fate::Kind;
  const std::vector<Fate::Kind> documented{error, silently_wrong, error, silently_wrong, error, error};
  EXPECT_EQ(fates(0, Profile::sound), documented);
}

TEST(MigrationTable, the_deprecated_guard_of_2_13_counts_the_write) {
  using enum Fate::Kind;
  const std::vector<Fate::Kind> shipped{error, error, error, silently_wrong, error, error};
  EXPECT_EQ(fates(0, Profile::torch_2_13), shipped);
}

TEST(MigrationTable, a_kernel_under_the_guard_is_right_except_with_inference_tensors) {
  using enum Fate::Kind;
  const std::vector<Fate::Kind> documented{right, right, error, right, right, right};
  EXPECT_EQ(fates(2, Profile::sound), documented);
}

TEST(MigrationTable, follows_the_rules_of_version_and_guard) {
  for (const Rule* rule : {&TLS_13, &VER_03, &VER_15, &INF_07})
    EXPECT_TRUE(fates(0, Profile::sound, rule) != fates(0, Profile::sound) ||
                fates(1, Profile::sound, rule) != fates(1, Profile::sound) ||
                fates(2, Profile::sound, rule) != fates(2, Profile::sound))
        << rule->id();
}

TEST(MigrationTable, marks_the_program_that_python_cannot_run) {
  EXPECT_NE(migration_program(workloads()[0], migration_guards()[1]).find("only C++ has this guard"),
            std::string::npos);
  EXPECT_EQ(migration_program(workloads()[0], migration_guards()[2]).find("only C++ has this guard"),
            std::string::npos);
}

std::optional<FunctionalizedBehaviour> by_the_rules(const FunctionalizedRow& row, const Rule* flipped = nullptr) {
  ReferenceAdapter reference(Profile::sound, flipped);
  std::string why;
  return observed(row, reference, why);
}

TEST(FunctionalizedTable, has_sixteen_rows) { EXPECT_EQ(functionalized_rows().size(), 16U); }

TEST(FunctionalizedTable, the_rules_do_what_is_specified) {
  for (const FunctionalizedRow& row : functionalized_rows()) EXPECT_EQ(by_the_rules(row), row.specified);
}

TEST(FunctionalizedTable, no_specified_row_breaks_an_invariant) {
  for (const FunctionalizedRow& row : functionalized_rows()) EXPECT_EQ(broken_invariant(row, row.specified), "");
}

TEST(FunctionalizedTable, a_write_that_is_not_refused_breaks_immutability) {
  const auto row = std::ranges::find_if(functionalized_rows(), [](const FunctionalizedRow& r) {
    return r.specified.error == ErrorClass::inference_inplace;
  });
  FunctionalizedBehaviour written;
  written.written = true;
  EXPECT_EQ(broken_invariant(*row, written), "immutability");
}

TEST(FunctionalizedTable, fails_if_a_view_takes_the_inference_bit_of_the_mode) {
  EXPECT_TRUE(std::ranges::any_of(
      functionalized_rows(), [](const FunctionalizedRow& row) { return by_the_rules(row, &INF_03) != row.specified; }));
}

}  // namespace
}  // namespace plumbline::tables
