// Which scripts about the dispatcher can be run.
#include <gtest/gtest.h>

#include "oracle/minimise.h"
#include "oracle/tests/dispatch_scripts.h"

namespace plumbline::well_formed_kernels_test {
namespace {

using namespace dispatch_scripts;
using Kind = KeyStep::Kind;

template <class Change>
bool changed(const Change& change) {
  Script script = script_of_dispatch();
  change(script);
  return well_formed(script);
}
/// With one more statement at the end.
bool with(const StatementKind& kind) {
  return changed([&](Script& s) { s.statements.push_back({kind, 0}); });
}
/// With one more statement at a kernel's beginning.
bool in_kernel(std::size_t kernel, const StatementKind& kind) {
  return changed([&](Script& s) {
    auto& statements = s.kernels[kernel].statements;
    statements.insert(statements.begin(), Statement{kind, 0});
  });
}

TEST(WellFormedKernels, a_kernel_that_passes_on_its_arguments_has_no_others) {
  EXPECT_TRUE(changed([](Script&) {}));
  EXPECT_FALSE(changed([](Script& s) { s.kernels[kAbove].parameters = {Slot{1}}; }));
  EXPECT_FALSE(changed([](Script& s) { s.kernels[kAbove].any_arguments = false; }));
  EXPECT_FALSE(changed([](Script& s) { std::get<Invoke>(s.kernels[kAbove].statements[1].kind).inputs = {kX}; }));
  EXPECT_FALSE(with(passing(0))) << "outside a kernel";
}

TEST(WellFormedKernels, what_a_kernel_passes_back_was_passed_on) {
  EXPECT_FALSE(changed([](Script& s) { s.kernels[kAbove].statements.pop_back(); }));
  EXPECT_FALSE(changed([](Script& s) { s.kernels[kAbove].returns_passed = false; })) << "f returns a tensor";
  EXPECT_TRUE(changed([](Script& s) {
    s.kernels[kAbove].returns_passed = false;
    s.kernels[kBelow].returned.clear();
    s.operators[0].returns.clear();
  })) << "f returns nothing";
}

TEST(WellFormedKernels, arguments_are_passed_to_operators_that_take_as_many) {
  const auto passes_to = [](const CustomOperator& other) {
    return changed([&](Script& s) {
      s.operators.push_back(other);
      s.statements.insert(s.statements.begin() + kDefine, Statement{DefineOperator{"lib", 1}, 0});
      s.kernels[kAbove].statements[1].kind = passing(1);
    });
  };
  EXPECT_TRUE(passes_to({"mine::g", {{"x"}}, {{""}}}));
  EXPECT_FALSE(passes_to({"mine::g", {{"x"}, {"y"}}, {{""}}}));
  EXPECT_FALSE(passes_to({"mine::g", {{"x"}}, {}})) << "f returns a tensor";
}

TEST(WellFormedKernels, a_fallback_takes_any_arguments_and_returns_what_each_operator_does) {
  EXPECT_FALSE(changed([](Script& s) { s.kernels[kFallback].returns_passed = false; }));
  EXPECT_FALSE(changed([](Script& s) {
    s.names.push_back("z");
    s.kernels[kFallback] = {"fallback", {Slot{2}}, {}, {Slot{2}}};
  })) << "it has a parameter";
  EXPECT_FALSE(changed([](Script& s) { s.statements.erase(s.statements.begin() + 5); })) << "its library is missing";
  EXPECT_FALSE(with(AddFallback{"all", "CPU", 9}));
  EXPECT_TRUE(with(AddFallback{"all", "CPU"})) << "it falls through";
  EXPECT_TRUE(with(AddFallback{"lib", "NoSuchKey", 2})) << "both are errors of the run";
}

TEST(WellFormedKernels, only_a_fallback_calls_the_operator_that_was_called) {
  EXPECT_FALSE(changed([](Script& s) { std::get<Invoke>(s.kernels[kAbove].statements[1].kind).op = kCalledOperator; }));
  EXPECT_FALSE(with(Invoke{kCalledOperator, {kX}, {}}));
  EXPECT_FALSE(in_kernel(kFallback, Invoke{kCalledOperator, {}, {}})) << "it passes nothing";
  EXPECT_FALSE(with(AddKernel{"lib", 0, "CPU", 2})) << "it is a fallback's kernel";
  EXPECT_FALSE(with(AddFallback{"all", "CPU", 1})) << "it is an operator's kernel";
}

TEST(WellFormedKernels, a_redispatch_outside_a_kernel_says_all_its_keys) {
  EXPECT_TRUE(with(redispatch_of(0, {{Kind::only, "CPU"}, {Kind::add, "AutogradCPU"}})));
  EXPECT_TRUE(with(redispatch_of(0, {{Kind::only, "Undefined"}})));
  EXPECT_FALSE(with(redispatch_of(0, {{Kind::add, "CPU"}})));
  EXPECT_FALSE(with(redispatch_of(0, {{Kind::only, "CPU"}, {Kind::only, "CPU"}})));
  EXPECT_FALSE(with(redispatch_of(0, {{Kind::only, "Autograd"}}))) << "an alias key";
  EXPECT_FALSE(with(redispatch_of(0, {{Kind::only, "CPU"}, {Kind::add, "Undefined"}})));
  EXPECT_FALSE(with(redispatch_of(0, {{Kind::only, "CPU"}, {Kind::after_autograd, "CPU"}})));
  EXPECT_TRUE(in_kernel(kFallback, passing(0, {{Kind::only, "CPU"}}))) << "without a key set";
  EXPECT_FALSE(in_kernel(kFallback, passing(0, {{Kind::keep, "CPU"}})));
}

TEST(WellFormedKernels, results_need_not_be_kept) {
  EXPECT_TRUE(with(Invoke{0, {kX}, {kX}}));
  EXPECT_FALSE(with(Invoke{0, {kX}, {kX, kX}}));
}

TEST(WellFormedKernels, a_key_set_is_logged_where_there_is_one) {
  EXPECT_TRUE(with(AppendToLog{"here"}));
  EXPECT_FALSE(with(AppendToLog{"", true}));
  EXPECT_FALSE(in_kernel(kBelow, AppendToLog{"", true}));
  EXPECT_FALSE(in_kernel(kAbove, AppendToLog{"both", true}));
  EXPECT_FALSE(changed([](Script& s) {
    s.names.insert(s.names.end(), {"a", "g"});
    s.functions = {{"F", {Slot{3}}, {}, {Slot{3}}}};
    s.kernels[kAbove].statements = {{MakeTensor{Slot{2}, Dtype::float32, {}, {1}}, 0},
                                    {EnterForward{0, {Slot{2}}}, 0},
                                    {AppendToLog{"", true}, 0},
                                    {LeaveForward{{Slot{2}}, {Slot{2}}}, 0},
                                    s.kernels[kAbove].statements[1]};
  })) << "the key set has no name in a forward";
}

TEST(WellFormedKernels, the_log_is_read_where_things_are_observed) {
  EXPECT_TRUE(with(ClearLog{}));
  EXPECT_FALSE(in_kernel(kBelow, ReadLog{}));
  EXPECT_FALSE(in_kernel(kBelow, ClearLog{}));
  const auto in_body = [](const StatementKind& kind) {
    return changed([&](Script& s) {
      s.statements.push_back({EnterFunctionalize{}, 0});
      s.statements.push_back({kind, 0});
      s.statements.push_back({LeaveFunctionalize{}, 0});
    });
  };
  for (const StatementKind& kind :
       std::vector<StatementKind>{ReadLog{}, ClearLog{}, AppendToLog{"here"}, RaiseError{"no"},
                                  QueryKernel{"mine::f", "CPU"}, QueryThreadKey{"CPU"}})
    EXPECT_FALSE(in_body(kind)) << kind.index();
}

TEST(WellFormedKernels, errors_are_raised_in_kernels_hooks_and_outside) {
  EXPECT_TRUE(with(RaiseError{"no"}));
  EXPECT_TRUE(in_kernel(kBelow, RaiseError{"no"}));
  EXPECT_TRUE(changed([](Script& s) {
    s.names.push_back("g");
    s.functions = {{"hook", {Slot{2}}, {{AppendToLog{"hook"}, 0}, {RaiseError{"no"}, 0}}, {std::nullopt}}};
    s.statements.push_back({RegisterHook{kX, 0}, 0});
  }));
}

TEST(WellFormedKernels, guards_and_queries_of_the_thread_name_runtime_keys) {
  const auto guarded = [](const Enter& enter) {
    return changed([&](Script& s) {
      s.statements.push_back({enter, 0});
      s.statements.push_back({Exit{}, 0});
    });
  };
  EXPECT_TRUE(guarded({GuardKind::exclude_key, true, "PrivateUse1"}));
  EXPECT_FALSE(guarded({GuardKind::exclude_key, true, "Autograd"}));
  EXPECT_FALSE(guarded({GuardKind::include_key, true, "Undefined"}));
  EXPECT_FALSE(guarded({GuardKind::include_key}));
  EXPECT_FALSE(guarded({GuardKind::no_grad, true, "CPU"}));
  EXPECT_TRUE(with(QueryThreadKey{"AutogradCUDA"}));
  EXPECT_FALSE(with(QueryThreadKey{"NoSuchKey"}));
  EXPECT_TRUE(with(QueryKernel{"mine::nothing", "NoSuchKey"})) << "errors of the run";
}

}  // namespace
}  // namespace plumbline::well_formed_kernels_test
