// The generator: what programs register, log, raise and ask, in those about the dispatcher and in the others.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <set>

#include "fuzz/builder.h"
#include "fuzz/keys.h"
#include "oracle/kernel_fits.h"
#include "oracle/minimise.h"
#include "oracle/reading_text.h"
#include "reference/machine.h"

namespace plumbline::fuzz::generator_dispatcher_test {

namespace {

constexpr std::uint64_t kPrograms = 3000;

Recipe about_the_dispatcher(Profile profile = Profile::sound) {
  Recipe recipe({.profile = profile});
  recipe.dispatching = Dispatching::only;
  return recipe;
}

/// The statements of a script, its kernels, hooks and backwards.
std::vector<Statement> all_of(const Script& script) {
  std::vector<Statement> all = script.statements;
  const auto add = [&](const std::vector<Statement>& more) { all.insert(all.end(), more.begin(), more.end()); };
  for (const CustomKernel& kernel : script.kernels) add(kernel.statements);
  for (const CustomBackward& function : script.functions) add(function.statements);
  return all;
}

template <class Kind>
bool has(const std::vector<Statement>& statements) {
  return std::ranges::any_of(statements, [](const Statement& s) { return std::holds_alternative<Kind>(s.kind); });
}

RC_GTEST_PROP(GeneratorDispatcher, every_script_is_well_formed_and_runs_to_its_end, ()) {
  const Recipe recipe = about_the_dispatcher();
  const Script script = build(*any_genes(), recipe);
  RC_ASSERT(well_formed(script));
  RC_ASSERT(reference::run(recipe.judge, script).completed);
}

RC_GTEST_PROP(GeneratorDispatcher, every_unsafe_script_is_well_formed_and_runs_to_its_end, ()) {
  const Recipe recipe(reference::Judge{}, true);
  const Script script = build(*any_genes(), recipe);
  RC_ASSERT(well_formed(script));
  RC_ASSERT(reference::run(recipe.judge, script).completed);
}

TEST(GeneratorDispatcher, scripts_have_each_kind_of_statement) {
  std::set<std::string> names;
  for (std::uint64_t index = 0; index < kPrograms; ++index)
    for (const Statement& s : all_of(build(genes_at(1, index).value(), about_the_dispatcher())))
      names.insert(statement_name(s));
  for (const char* name : {"Library", "define", "impl", "fallback", "_destroy", "custom operator", "raise", "append",
                           "log", "clear", "has_kernel", "has_computed", "falls_through", "included", "excluded",
                           "exclude_key", "include_key", "below_autograd", "inference_mode"})
    EXPECT_TRUE(names.contains(name)) << name;
}

/// What calls and registrations say.
TEST(GeneratorDispatcher, scripts_redispatch_pass_arguments_on_and_raise_each_class_of_error) {
  bool outside = false, passes = false, calls_called = false;
  std::set<ErrorClass> errors;
  for (std::uint64_t index = 0; index < kPrograms; ++index) {
    const Recipe recipe = about_the_dispatcher();
    const Script script = build(genes_at(1, index).value(), recipe);
    for (const Statement& s : script.statements)
      if (const auto* invoke = std::get_if<Invoke>(&s.kind)) outside = outside || invoke->redispatch.has_value();
    for (const CustomKernel& kernel : script.kernels)
      for (const Statement& s : kernel.statements)
        if (const auto* invoke = std::get_if<Invoke>(&s.kind)) {
          passes = passes || (invoke->passes_arguments && invoke->op >= 0);
          calls_called = calls_called || invoke->op == kCalledOperator;
        }
    for (const Outcome& outcome : reference::run(recipe.judge, script).outcomes) errors.insert(outcome.failure.error);
  }
  EXPECT_TRUE(outside && passes && calls_called);
  for (const ErrorClass error : {ErrorClass::none, ErrorClass::no_kernel, ErrorClass::unknown_operator,
                                 ErrorClass::defined_twice, ErrorClass::library_kind, ErrorClass::unknown_key,
                                 ErrorClass::fallback_twice, ErrorClass::alias_query, ErrorClass::raised})
    EXPECT_TRUE(errors.contains(error)) << name_of(error);
}

TEST(GeneratorDispatcher, what_logs_is_read) {
  for (std::uint64_t index = 0; index < 500; ++index)
    for (const bool unsafe : {false, true}) {
      const Script script = build(genes_at(1, index).value(), Recipe(reference::Judge{}, unsafe));
      EXPECT_TRUE(!has<AppendToLog>(all_of(script)) || has<ReadLog>(script.statements)) << index << unsafe;
    }
}

TEST(GeneratorDispatcher, hooks_and_backwards_of_safe_programs_log_and_only_those_of_unsafe_ones_raise) {
  int log = 0;
  for (std::uint64_t index = 0; index < 1000; ++index) {
    const Script script = build(genes_at(1, index).value(), Recipe());
    log += has<AppendToLog>(all_of(script)) ? 1 : 0;
    EXPECT_FALSE(has<RaiseError>(all_of(script))) << index;
  }
  EXPECT_GT(log, 20);
}

TEST(GeneratorDispatcher, most_unsafe_programs_register_nothing) {
  int registering = 0, probing = 0;
  for (std::uint64_t index = 0; index < 1000; ++index) {
    const Script script = build(genes_at(1, index).value(), Recipe(reference::Judge{}, true));
    registering += script.operators.empty() ? 0 : 1;
    probing += has<QueryKernel>(script.statements) || has<AddFallback>(script.statements) ? 1 : 0;
  }
  EXPECT_LT(registering, 500);
  EXPECT_GT(probing, 5);
}

TEST(GeneratorDispatcher, functionalized_programs_neither_log_nor_ask) {
  Recipe recipe;
  recipe.functionalize = true;
  for (std::uint64_t index = 0; index < 500; ++index) {
    const std::vector<Statement> all = all_of(build(genes_at(1, index).value(), recipe));
    EXPECT_FALSE(has<AppendToLog>(all) || has<RaiseError>(all) || has<QueryKernel>(all)) << index;
  }
}

TEST(Keys, only_those_that_all_versions_have_are_named) {
  const std::array both{Profile::torch_1_13, Profile::torch_2_13};
  EXPECT_EQ(key_for_all("MTIA", both), "CPU");
  EXPECT_EQ(key_for_all("MTIA", std::span(both).last(1)), "MTIA");
  EXPECT_EQ(key_for_all("FuncTorchBatchedDecomposition", both), "CPU");
  EXPECT_EQ(key_for_all("NoSuchKey", both), "CPU");
  for (const std::string_view key : kSetKeys) EXPECT_TRUE(key_fits(key)) << key;
}

}  // namespace

}  // namespace plumbline::fuzz::generator_dispatcher_test
