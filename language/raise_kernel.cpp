// Raising kernels and fallbacks, calls of the program's own operators, and the log.
#include <algorithm>

#include "language/key_steps.h"
#include "language/observe.h"
#include "language/print.h"
#include "language/script_raiser.h"

namespace plumbline::program {
namespace {

/// Whether statements read or write the log.
bool log_is_in(const std::vector<Statement>& statements) {
  return std::ranges::any_of(statements, [](const Statement& s) {
    return std::holds_alternative<AppendToLog>(s.kind) || std::holds_alternative<ReadLog>(s.kind) ||
           std::holds_alternative<ClearLog>(s.kind);
  });
}

}  // namespace

void Raiser::write(const AddKernel& added) {
  define_kernel(added.kernel);
  add(libraries_.line(added, at_));
}

void Raiser::write(const AddFallback& added) {
  if (added.kernel && !libraries_.kernel(*added.kernel, at_).any_arguments)
    cannot(at_, "a fallback takes any arguments, and its kernel does not");
  define_kernel(added.kernel);
  add(libraries_.line(added, at_));
}

void Raiser::define_kernel(const std::optional<std::int32_t>& number) {
  if (!number || !defined_.insert(*number).second) return;
  // In the test itself: other blocks may register the kernel again.
  Define define{std::make_shared<const Function>(kernel_of(*number))};
  blocks_.front().body.push_back(Line{std::move(define), {}, ""});
}

Function Raiser::kernel_of(std::int32_t number) {
  const CustomKernel& kernel = libraries_.kernel(number, at_);
  in_fallback_ = libraries_.is_fallback(number, at_);
  Function function;
  function.name = libraries_.kernel_name(number);
  if (kernel.with_keyset) function.parameters.push_back(once(keys_, "ks"));
  if (in_fallback_) function.parameters.push_back(once(called_, "op"));
  if (kernel.any_arguments) function.parameters.push_back("*" + once(arguments_, "args"));
  for (const Slot slot : kernel.parameters) function.parameters.push_back(name(slot));
  kernel_ = &kernel;
  calls_.enter_kernel(libraries_.numbers_of(number, at_));
  blocks_.push_back({.kind = Kind::kernel});
  write_kernel(kernel);
  need_innermost(Kind::kernel, "a guard");
  if (!kernel.returned.empty() && !ends_by_raising(blocks_.back().body)) add(Return{tuple_of(kernel.returned)});
  function.body = finished();
  kernel_ = nullptr;
  calls_.enter_kernel({});
  in_fallback_ = false;
  return function;
}

void Raiser::write_kernel(const CustomKernel& kernel) {
  const std::vector<Statement>& statements = kernel.statements;
  const auto passes = [](const Statement& s) {
    const auto* invoke = std::get_if<Invoke>(&s.kind);
    return invoke != nullptr && invoke->passes_arguments;
  };
  const auto last = std::find_if(statements.rbegin(), statements.rend(), passes);
  const bool ends =
      std::all_of(statements.rbegin(), last, [](const Statement& s) { return std::holds_alternative<Exit>(s.kind); });
  if (kernel.returns_passed && (last == statements.rend() || !ends))
    cannot(at_, "its kernel returns what a call with all its arguments returned, which is not its last statement");
  for (auto statement = statements.begin(); statement != statements.end(); ++statement) {
    const bool returned = kernel.returns_passed && last != statements.rend() && &*statement == &*last;
    returned ? add(Return{invoked(std::get<Invoke>(statement->kind))}) : write(*statement);
  }
}

void Raiser::write(const Invoke& invoke) {
  Assign assign{{}, invoke.results.size() > 1, invoked(invoke)};
  for (const Slot slot : invoke.results) assign.targets.push_back(name(slot));
  add(std::move(assign));
}

Expression Raiser::invoked(const Invoke& invoke) {
  const bool called = invoke.op == kCalledOperator;
  if (called && !in_fallback_) cannot(at_, "only a fallback is given the operator that was called");
  if (called && !invoke.passes_arguments) cannot(at_, "a fallback calls its operator with other arguments");
  if (invoke.passes_arguments && (kernel_ == nullptr || !kernel_->any_arguments))
    cannot(at_, "it passes on all arguments, but no kernel around it takes any arguments");
  std::string callee = called_;
  if (!called) {
    callee = "torch.ops." + libraries_.operator_at(invoke.op, at_).name;
    callee.replace(callee.find("::"), 2, ".");
    if (invoke.redispatch) callee += ".default";
  }
  Expressions arguments;
  for (const Value& input : invoke.inputs) arguments.push_back(calls_.value(input));
  if (invoke.passes_arguments) arguments.push_back({Starred{arguments_}, {}});
  if (!invoke.redispatch) return call_of(callee, std::move(arguments));
  const std::vector<KeyStep>& steps = *invoke.redispatch;
  const auto only = [](const KeyStep& step) { return step.kind == KeyStep::Kind::only; };
  if (!steps.empty() && std::any_of(steps.begin() + 1, steps.end(), only))
    cannot(at_, "a set of one key is not where its key set starts");
  const bool starts = !steps.empty() && only(steps.front());
  if (!starts && (kernel_ == nullptr || !kernel_->with_keyset)) cannot(at_, "no kernel around it is given a key set");
  arguments.insert(arguments.begin(), key_steps_expression(keys_, steps));
  return call_of(callee + ".redispatch", std::move(arguments));
}

bool Raiser::logs() const {
  const auto has = [](const auto& body) { return log_is_in(body.statements); };
  return has(test_.script) || std::ranges::any_of(test_.script.functions, has) ||
         std::ranges::any_of(test_.script.kernels, has);
}

void Raiser::write(const AppendToLog& entry) {
  if (entry.keys && (kernel_ == nullptr || !kernel_->with_keyset))
    cannot(at_, "no kernel around it is given a key set");
  Expression text{entry.text, {}};
  if (entry.keys) text = call_of("repr", {{Name{keys_}, {}}});
  add(Assign{{}, false, call_of(print(log()) + ".append", {std::move(text)})});
}

void Raiser::write(const ReadLog&) {
  (void)log();
  write_reading();
}

void Raiser::write(const ClearLog&) { add(Assign{{}, false, call_of(print(log()) + ".clear", {})}); }

}  // namespace plumbline::program
