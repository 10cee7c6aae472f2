// Functionalization: programs whose bodies are written out, and bodies that are validated for all values.
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "adapters/reference/reference.h"
#include "functionalization/validate/run.h"
#include "functionalization/validate/selftest.h"
#include "functionalization/write_out/rules.h"
#include "language/parse.h"
#include "language/print.h"
#include "language/tests/program_show.h"
#include "oracle/compare.h"
#include "reference/machine.h"
#include "spec/ops/op_ids.h"
#include "spec/rules/catalogue.h"
#include "spec/rules/fun.h"

namespace plumbline::functionalize {
namespace {

constexpr const char* kBody = R"PY(import torch


def test_it(device):
    def body(x, y):
        z = x.view([4])
        z.add_(y)
        return z, x

    x = torch.zeros([2, 2], device=device)
    y = torch.ones([4], device=device)
    a, b = torch.func.functionalize(body, remove="mutations_and_views")(x, y)
    assert x.tolist() == [[1.0, 1.0], [1.0, 1.0]]
    assert a.tolist() == [1.0, 1.0, 1.0, 1.0]
    assert a.stride() == (1,)
)PY";

program::Test test_of(const std::string& text) { return program::lower(program::parse(text, "test_it.py")).at(0); }

Verdict on_reference(const program::Test& test) {
  const reference::Judge sound;
  ReferenceAdapter reference(Profile::sound);
  return check_expectations(test, RunResult(reference::run(sound, test.script)), reference.describe()).verdict;
}

TEST(Functionalize, a_program_that_functionalizes_is_read_and_written) {
  const program::Test test = test_of(kBody);
  const program::Program raised = program::raise(test);
  EXPECT_NE(program::print(raised).find("torch.func.functionalize(body, remove=\"mutations_and_views\")(x, y)"),
            std::string::npos)
      << program::print(raised);
  const program::Test again = program::lower(raised).at(0);
  ASSERT_EQ(again.script.statements.size(), test.script.statements.size());
  for (std::size_t i = 0; i < again.script.statements.size(); ++i)
    EXPECT_EQ(again.script.statements[i].kind.index(), test.script.statements[i].kind.index()) << i;
  EXPECT_EQ(on_reference(test), Verdict::pass);
}

class Pass : public ::testing::TestWithParam<passes::Passes> {};

TEST_P(Pass, keeps_what_a_program_expects) {
  const reference::Judge sound;
  const Transformed made = transformed(sound, test_of(kBody), GetParam());
  EXPECT_EQ(made.bodies, 1);
  EXPECT_TRUE(made.missing.empty());
  EXPECT_EQ(made.test.expectations.size(), test_of(kBody).expectations.size());
  EXPECT_EQ(on_reference(made.test), Verdict::pass);
  for (const Statement& statement : made.test.script.statements)
    EXPECT_FALSE(std::holds_alternative<EnterFunctionalize>(statement.kind));
}

constexpr const char* kFactory = R"PY(import torch


def test_it(device):
    def body(x):
        y = torch.ones([4])
        y.add_(x)
        return y

    x = torch.zeros([4], device=device)
    a = torch.func.functionalize(body)(x)
    assert a.tolist() == [1.0, 1.0, 1.0, 1.0]
)PY";

// P-40: a factory is not decomposed before the pass. PyTorch's kernel of ones calls empty and fill_.
TEST_P(Pass, keeps_a_factory_as_one_call) {
  const reference::Judge requested{.profile = Profile::pr_63048};
  const Transformed made = transformed(requested, test_of(kFactory), GetParam());
  std::vector<OpId> ops;
  for (const Statement& statement : made.test.script.statements)
    if (const auto* call = std::get_if<Call>(&statement.kind)) ops.push_back(call->op);
  const OpId add = GetParam() == passes::Passes::a ? OpId::add__Tensor : OpId::add_Tensor;
  EXPECT_EQ(ops, (std::vector{OpId::zeros, OpId::ones, add}));
  EXPECT_EQ(on_reference(made.test), Verdict::pass);
}

constexpr const char* kScatters = R"PY(import torch


def test_it(device):
    def body(x):
        v = torch.ops.aten.slice.Tensor(x, 0, 0, 3)
        e = x.select(0, 5)
        s = torch.select_scatter(v, e, 0, 1)
        s.resize_([2, 2])
        w = x.unfold(0, 3, 1)
        t = torch.as_strided_scatter(w, e, [], [], 1)
        return s, t

    x = torch.tensor([0.0, 1.0, 2.0, 3.0, 4.0, 5.0], device=device)
    a, b = torch.func.functionalize(body, remove="mutations_and_views")(x)
    assert a.tolist() == [[0.0, 5.0], [2.0, 3.0]]
    assert b.tolist() == [[0.0, 5.0, 2.0], [5.0, 2.0, 3.0], [2.0, 3.0, 4.0], [3.0, 4.0, 5.0]]
)PY";

TEST_P(Pass, keeps_the_memory_that_a_scatter_copies) {
  const reference::Judge sound;
  ASSERT_EQ(on_reference(test_of(kScatters)), Verdict::pass);
  const Transformed made = transformed(sound, test_of(kScatters), GetParam());
  EXPECT_EQ(made.bodies, 1);
  EXPECT_TRUE(made.missing.empty());
  EXPECT_EQ(on_reference(made.test), Verdict::pass) << program::print(program::raise(made.test));
}

TEST_P(Pass, keeps_what_the_curated_programs_expect) {
  const reference::Judge sound;
  int bodies = 0;
  for (const auto& file : std::filesystem::directory_iterator(PLUMBLINE_CORPUS "/functionalize")) {
    if (!file.path().filename().string().starts_with("test_")) continue;
    for (const program::Test& test : program::lower(program::parse_file(file.path().string()))) {
      const Transformed made = transformed(sound, test, GetParam());
      if (!test.script.operators.empty() && test.errors.empty())
        EXPECT_NE(made.missing.at(0).find("a call of the program's own operator"), std::string::npos) << test.name;
      else
        EXPECT_TRUE(made.missing.empty() || !test.errors.empty()) << test.name << ": " << made.missing.front();
      EXPECT_EQ(on_reference(made.test), Verdict::pass) << test.name << "\n"
                                                        << program::print(program::raise(made.test));
      bodies += made.bodies;
    }
  }
  EXPECT_GE(bodies, 10);
}

TEST_P(Pass, is_right_for_all_values_of_random_bodies) {
  validate::Options options;
  options.form = GetParam();
  options.programs = 5000;
  options.seed = 5;
  const validate::Report report = run_random(options, [](const validate::Report&) { return false; });
  EXPECT_GT(report.programs, 4000);
  for (const validate::Finding& finding : report.findings)
    ADD_FAILURE() << finding.difference << "\n" << finding.program;
}

TEST_P(Pass, is_right_for_all_values_of_chains_of_two_views) {
  validate::Options options;
  options.form = GetParam();
  const validate::Report report = run_exhaustive(options, 2, 2, [](const validate::Report&) { return false; });
  EXPECT_GT(report.programs, 70000);
  for (const validate::Finding& finding : report.findings)
    ADD_FAILURE() << finding.difference << "\n" << finding.program;
}

TEST(Validation, holds_each_form_of_a_body) {
  validate::Options options;
  options.programs = 200;
  const validate::Report report = run_random(options, [](const validate::Report&) { return false; });
  EXPECT_GT(report.programs, 150);
  EXPECT_EQ(report.forms, 3 * report.programs);
}

TEST(Validation, says_after_which_pass_a_body_differs) {
  validate::Options options;
  options.programs = 3000;
  EXPECT_EQ(catch_fault(FUN_01, options).passes, passes::Passes::a);    // views
  EXPECT_EQ(catch_fault(FUN_29, options).passes, passes::Passes::ab);   // which elements a write replaces
  EXPECT_EQ(catch_fault(FUN_30, options).passes, passes::Passes::abc);  // which copies become views again
}

INSTANTIATE_TEST_SUITE_P(Passes, Pass, ::testing::ValuesIn(passes::kPasses),
                         [](const auto& info) { return std::string(name_of(info.param)); });

TEST(Functionalize, each_curated_program_fails_if_a_rule_that_it_names_is_misread) {
  for (const CuratedTest& one : load_curated(PLUMBLINE_CORPUS "/functionalize")) {
    EXPECT_FALSE(one.test.rules.empty()) << one.test.name;
    for (const std::string& id : one.test.rules) {
      ASSERT_NE(find_rule(id), nullptr) << one.test.name << " names " << id;
      EXPECT_TRUE(falls(one.test, *find_rule(id))) << one.file << "::" << one.test.name << " and " << id;
    }
  }
}

TEST(Functionalize, a_misread_rule_makes_a_curated_program_fail) {
  reference::Judge misread;
  misread.flipped = find_rule("FUN-02");
  const Transformed made = transformed(misread, test_of(kBody), passes::Passes::ab);
  EXPECT_EQ(on_reference(made.test), Verdict::divergent);
}

/// Why the only body of a program has no functional form.
std::string why_missing(const std::string& text) {
  const Transformed made = transformed(reference::Judge{}, test_of(text), passes::Passes::ab);
  return made.bodies == 0 && made.missing.size() == 1 ? made.missing[0] : "";
}

TEST(Functionalize, a_write_to_a_captured_tensor_has_no_functional_form) {
  const std::string why = why_missing(
      "import torch\n\n\ndef test_it(device):\n    x = torch.zeros([2], device=device)\n\n    def body(y):\n"
      "        x.add_(y)\n\n    y = torch.ones([2], device=device)\n    torch.func.functionalize(body)(y)\n");
  EXPECT_NE(why.find("captures"), std::string::npos) << why;
  EXPECT_NE(why.find("FUN-26"), std::string::npos) << why;
}

TEST(Functionalize, a_body_that_raises_stays_as_it_is) {
  const std::string why = why_missing(
      "import torch\n\n\ndef test_it(device):\n    def body(x):\n        y = x.view([3])\n        return y\n\n"
      "    x = torch.ones([2], device=device)\n    y = torch.func.functionalize(body)(x)\n");
  EXPECT_NE(why.find("the body raises"), std::string::npos) << why;
}

TEST(Functionalize, a_core_with_a_write_breaks_a_promise) {
  passes::Program program;
  program.inputs = {Slot{0}};
  program.names = {"x"};
  program.values.resize(1);
  program.core.push_back({Call{OpId::zero_, {Slot{0}}, {}}});
  EXPECT_EQ(broken_promise(program, passes::Passes::a), std::nullopt);
  EXPECT_NE(broken_promise(program, passes::Passes::ab), std::nullopt);
}

TEST(Functionalize, an_epilogue_that_computes_breaks_a_promise) {
  passes::Program program;
  program.inputs = {Slot{0}};
  program.names = {"x", "y"};
  program.values.resize(2);
  program.epilogue.push_back({Call{OpId::neg, {Slot{0}}, {Slot{1}}}});
  EXPECT_NE(broken_promise(program, passes::Passes::ab), std::nullopt);
}

TEST(Terms, rejoined_bytes_are_the_element) {
  validate::Terms terms;
  const validate::Term whole = terms.variable(0, 3, Dtype::float64);
  const std::array parts{terms.part(whole, 0, 2, Dtype::int32), terms.part(whole, 1, 2, Dtype::int32)};
  EXPECT_EQ(terms.joined(parts, Dtype::float64), whole);
  EXPECT_NE(terms.joined(parts, Dtype::int64), whole);
  const std::array turned{parts[1], parts[0]};
  EXPECT_NE(terms.joined(turned, Dtype::float64), whole);
}

TEST(Terms, a_term_from_an_unspecified_element_is_unspecified) {
  validate::Terms terms;
  const std::array operands{terms.variable(0, 0, Dtype::float32), terms.unspecified(Dtype::float32)};
  EXPECT_FALSE(terms.is_specified(terms.apply(terms.symbol("add"), 0, operands, Dtype::float32)));
  EXPECT_TRUE(terms.is_specified(operands[0]));
}

}  // namespace
}  // namespace plumbline::functionalize
