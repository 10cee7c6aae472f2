// Raising: from a script back to a program, statement by statement. Asserts are written in raise_assert.cpp.
#include <fmt/format.h>

#include <stdexcept>

#include "language/guards.h"
#include "language/observe.h"
#include "language/print.h"
#include "language/script_raiser.h"
#include "spec/vocabulary/device_argument.h"

namespace plumbline::program {

Raiser::Raiser(const Test& test)
    : test_(test),
      names_(python_names(test.script.names, test.name)),
      calls_(names_),
      taken_(taken_names(names_, test.name)),
      log_(logs() ? fresh("log") : ""),
      asserts_(test, names_, log_),
      libraries_(test.script, [this](const std::string& wanted) { return fresh(wanted); }) {}

Program Raiser::run() {
  blocks_.emplace_back();
  if (!log_.empty()) add(Assign{{log_}, false, {List{}, {}}});
  for (at_ = 0; at_ < test_.script.statements.size(); ++at_) {
    remark();
    write(test_.script.statements[at_]);
  }
  remark();
  if (blocks_.size() != 1) cannot(at_, "a guard, a Try, a thread or a forward is never left");
  Function function;
  function.name = test_.name.starts_with("test_") ? test_.name : "test_" + test_.name;
  function.parameters = {"device"};
  function.body = finished();
  for (const auto* ids : {&test_.rules, &test_.sentences})
    for (const std::string& id : *ids) function.comment += (function.comment.empty() ? "" : " ") + id;
  program_.file = function.name + ".py";
  program_.functions.push_back(std::move(function));
  const std::string text = print(program_);
  for (const std::string_view module : {"pytest", "threading", "torch"})
    if (text.find(fmt::format("{}.", module)) != std::string::npos) program_.imports.emplace_back(module);
  return std::move(program_);
}

void Raiser::remark() {
  const auto found = test_.remarks.find(at_);
  if (found == test_.remarks.end()) return;
  for (const std::string& text : found->second) blocks_.back().body.push_back(Line{Remark{}, {}, text});
}

Block Raiser::finished() {
  Block body = std::move(blocks_.back().body);
  if (body.empty()) body.push_back(Line{Pass{}, {}, ""});
  blocks_.pop_back();
  return body;
}

void Raiser::need_innermost(Kind kind, std::string_view what) const {
  if (blocks_.back().kind != kind) cannot(at_, fmt::format("it leaves {} that is not the innermost", what));
}

void Raiser::close(Kind kind) {
  need_innermost(kind, "a guard or a Try");
  Expression item = blocks_.back().item;
  const bool is_cpp = blocks_.back().is_cpp;
  Block body = finished();
  add(With{std::move(item), std::move(body)});
  if (is_cpp) blocks_.back().body.back().comment = "C++ only";
}

Expression Raiser::part(Slot tensor, std::string_view which) const {
  return dotted(fmt::format("{}.{}", name(tensor), which));
}

Expression Raiser::tuple_of(const std::vector<Slot>& slots) const {
  Tuple tuple;
  for (const Slot slot : slots) tuple.items.push_back(named(slot));
  return tuple.items.size() == 1 ? tuple.items[0] : Expression{tuple, {}};
}

std::string Raiser::fresh(const std::string& wanted) {
  std::string candidate = wanted;
  for (int n = 2; !taken_.insert(candidate).second; ++n) candidate = fmt::format("{}_{}", wanted, n);
  return candidate;
}

const std::string& Raiser::once(std::string& name, const char* wanted) {
  if (name.empty()) name = fresh(wanted);
  return name;
}

Expression Raiser::of_test(const std::string& name, bool OpenBlock::* needs, bool used) {
  for (std::size_t i = blocks_.size(); i-- > 0;) {
    OpenBlock& block = blocks_[i];
    if (block.kind != Kind::forward && block.kind != Kind::backward) continue;
    block.*needs = block.*needs || used;
    return dotted(block.kind == Kind::backward ? "ctx." + name : name);
  }
  return dotted(name);
}

namespace {

bool names_test_device(const Call& call) {
  const std::string* device = device_argument(op(call.op), call.arguments);
  return device != nullptr && *device == kTestDevice;
}

}  // namespace

void Raiser::write(const Call& call) {
  const Op& o = op(call.op);
  auto written = calls_.call(call, device(o.kind == OpKind::Factory || names_test_device(call)));
  if (!written) cannot(at_, "no call in Python means " + qualified_name(o) + " with these arguments");
  Assign assign{{}, (o.many_results || o.results > 1) && !call.results.empty(), std::move(*written)};
  for (const Slot slot : call.results) assign.targets.push_back(name(slot));
  add(std::move(assign));
}

void Raiser::write(const MakeTensor& made) {
  add(Assign{{name(made.result)}, false, calls_.tensor(made, device(!made.on_cpu), at_)});
}

void Raiser::write(const Enter& enter) {
  blocks_.push_back(
      {.kind = Kind::guard, .item = written(enter), .is_cpp = enter.kind == GuardKind::auto_non_variable_type_mode});
}

void Raiser::write(const Try&) {
  if (in_backward_) cannot(at_, "a backward or a hook expects an error");
  blocks_.push_back({.kind = Kind::attempt, .item = expected_error(test_, at_)});
}

void Raiser::write(const SetRequiresGrad& set) {
  if (!set.method) return add(SetAttribute{name(set.tensor), "requires_grad", {set.value, {}}});
  Expressions value;
  if (!set.value) value.push_back({false, {}});
  add(Assign{{}, false, call_of(name(set.tensor) + ".requires_grad_", std::move(value))});
}

void Raiser::write(const GetGradients& get) {
  Assign assign{{}, !get.results.empty(), calls_.gradients(get)};
  for (const Slot slot : get.results) assign.targets.push_back(name(slot));
  add(std::move(assign));
}

void Raiser::write(const SetGrad& set) {
  add(SetAttribute{name(set.tensor), "grad", set.grad ? named(*set.grad) : Expression{NoneLiteral{}, {}}});
}

void Raiser::write(const RetainGrad& retain) {
  add(Assign{{}, false, call_of(name(retain.tensor) + ".retain_grad", {})});
}

void Raiser::write(const ManualSeed& seed) { add(Assign{{}, false, call_of("torch.manual_seed", {{seed.seed, {}}})}); }

void Raiser::write(const RaiseError& raised) { add(Raise{call_of("RuntimeError", {{raised.message, {}}})}); }

void Raiser::write_reading() {
  if (auto line = asserts_.line(at_)) add(std::move(*line));
}

Program raise(const Test& test) {
  Program program = Raiser(test).run();
  if (has_cpp_guard(test.script)) return program;
  try {
    lower(program);  // checks that the program can be read: this finds a slot that is read before it is assigned
  } catch (const ProgramError& error) {
    throw std::invalid_argument(error.what());
  }
  return program;
}

}  // namespace plumbline::program
