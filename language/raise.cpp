// Raising: from a script back to a program, statement by statement. Asserts are written in raise_assert.cpp.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <stdexcept>

#include "language/guards.h"
#include "language/observe.h"
#include "language/print.h"
#include "language/raiser.h"
#include "language/refusal.h"

namespace plumbline::program {
namespace {

/// Writes a script, block by block.
class Raiser {
 public:
  explicit Raiser(const Test& test)
      : test_(test),
        names_(python_names(test.script.names, test.name)),
        calls_(names_),
        asserts_(test, names_),
        taken_(taken_names(names_, test.name)),
        libraries_(test.script, [this](const std::string& wanted) { return fresh(wanted); }) {}

  Program run() {
    blocks_.emplace_back();
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

 private:
  using Open = OpenBlock;
  using Kind = OpenBlock::Kind;

  void write(const Statement& statement) {
    std::visit([this](const auto& kind) { write(kind); }, statement.kind);
  }

  void remark() {
    const auto found = test_.remarks.find(at_);
    if (found == test_.remarks.end()) return;
    for (const std::string& text : found->second) blocks_.back().body.push_back(Line{Remark{}, {}, text});
  }

  Block finished() {
    Block body = std::move(blocks_.back().body);
    if (body.empty()) body.push_back(Line{Pass{}, {}, ""});
    blocks_.pop_back();
    return body;
  }
  void need_innermost(Kind kind, std::string_view what) {
    if (blocks_.back().kind != kind) cannot(at_, fmt::format("it leaves {} that is not the innermost", what));
  }
  void close(Kind kind) {
    need_innermost(kind, "a guard or a Try");
    Expression item = blocks_.back().item;
    const bool is_cpp = blocks_.back().is_cpp;
    Block body = finished();
    add(With{std::move(item), std::move(body)});
    if (is_cpp) blocks_.back().body.back().comment = "C++ only";
  }
  void add(decltype(Line::node) node) { blocks_.back().body.push_back(Line{std::move(node), {}, ""}); }
  const std::string& name(Slot slot) const { return calls_.name(slot); }
  Expression named(Slot slot) const { return {Name{name(slot)}, {}}; }

  /// An unused name like `wanted`.
  std::string fresh(const std::string& wanted) {
    std::string candidate = wanted;
    for (int n = 2; !taken_.insert(candidate).second; ++n) candidate = fmt::format("{}_{}", wanted, n);
    return candidate;
  }

  /// How the test's device is written here. `wanted`: it will be used, so methods of a class must get it.
  Expression device(bool wanted) {
    for (std::size_t i = blocks_.size(); i-- > 0;) {
      if (blocks_[i].kind != Kind::forward && blocks_[i].kind != Kind::backward) continue;
      blocks_[i].makes_tensors = blocks_[i].makes_tensors || wanted;
      return blocks_[i].kind == Kind::backward ? dotted("ctx.device") : dotted("device");
    }
    return dotted("device");
  }

  void write(const Call& call) {
    const Op& o = op(call.op);
    auto written = calls_.call(call, device(o.kind == OpKind::Factory));
    if (!written) cannot(at_, "no call in Python means " + qualified_name(o) + " with these arguments");
    Assign assign{{}, (o.many_results || o.results > 1) && !call.results.empty(), std::move(*written)};
    for (const Slot slot : call.results) assign.targets.push_back(name(slot));
    add(std::move(assign));
  }
  void write(const MakeTensor& made) {
    add(Assign{{name(made.result)}, false, calls_.tensor(made, device(true), at_)});
  }

  void write(const Enter& enter) {
    blocks_.push_back(
        {.kind = Kind::guard, .item = written(enter), .is_cpp = enter.kind == GuardKind::auto_non_variable_type_mode});
  }
  void write(const EnterSavedTensorsHooks& hooks) {
    Expressions names;
    for (const std::int32_t number : {hooks.pack, hooks.unpack}) {
      Function function = hook_of(custom_at(number));
      names.push_back({Name{function.name}, {}});
      add(Define{std::make_shared<const Function>(std::move(function))});
    }
    blocks_.push_back({.kind = Kind::guard, .item = call_of(std::string(kSavedTensorsHooks), std::move(names))});
  }
  void write(const Exit&) { close(Kind::guard); }

  void write(const Try&) {
    if (in_backward_) cannot(at_, "a backward or a hook expects an error");
    blocks_.push_back({.kind = Kind::attempt, .item = expected_error(test_, at_)});
  }
  void write(const EndTry&) { close(Kind::attempt); }

  void write(const SetRequiresGrad& set) {
    if (!set.method) return add(SetAttribute{name(set.tensor), "requires_grad", {set.value, {}}});
    Expressions value;
    if (!set.value) value.push_back({false, {}});
    add(Assign{{}, false, call_of(name(set.tensor) + ".requires_grad_", std::move(value))});
  }
  void write(const GetData& get) { add(Assign{{name(get.result)}, false, part(get.tensor, "data")}); }
  void write(const SetData& set) { add(SetAttribute{name(set.tensor), "data", {Name{name(set.data)}, {}}}); }
  void write(const Backward& backward) { add(Assign{{}, false, calls_.backward(backward)}); }
  void write(const GetGradients& get) {
    Assign assign{{}, !get.results.empty(), calls_.gradients(get)};
    for (const Slot slot : get.results) assign.targets.push_back(name(slot));
    add(std::move(assign));
  }
  void write(const GetGrad& get) { add(Assign{{name(get.result)}, false, part(get.tensor, "grad")}); }
  void write(const SetGrad& set) {
    add(SetAttribute{name(set.tensor), "grad",
                     set.grad ? Expression{Name{name(*set.grad)}, {}} : Expression{NoneLiteral{}, {}}});
  }
  void write(const RetainGrad& retain) { add(Assign{{}, false, call_of(name(retain.tensor) + ".retain_grad", {})}); }
  void write(const RegisterHook& hook) {
    Function function = hook_of(custom_at(hook.function));
    Expressions given{{Name{function.name}, {}}};
    add(Define{std::make_shared<const Function>(std::move(function))});
    Assign assign{
        {}, false, call_of(fmt::format("{}.{}", name(hook.tensor), hook.after ? kHookAfter : kHook), std::move(given))};
    const bool removed = std::ranges::any_of(test_.script.statements, [&](const Statement& statement) {
      const auto* remove = std::get_if<RemoveHook>(&statement.kind);
      return remove != nullptr && remove->function == hook.function;
    });
    if (removed) assign.targets.push_back(handles_[hook.function] = fresh("h"));
    add(std::move(assign));
  }
  void write(const RemoveHook& hook) {
    if (!handles_.contains(hook.function)) cannot(at_, "the hook that it removes is not registered before");
    add(Assign{{}, false, call_of(handles_[hook.function] + ".remove", {})});
  }
  void write(const ManualSeed& seed) { add(Assign{{}, false, call_of("torch.manual_seed", {{seed.seed, {}}})}); }

  void write(const StartThread&) {
    program_.thread_errors = true;
    blocks_.push_back({.kind = Kind::thread});
  }
  void write(const JoinThread&) {
    need_innermost(Kind::thread, "a thread");
    RaisedThread thread = std::move(blocks_.back().thread);
    thread.function.name = fresh("train");
    thread.function.body = finished();
    thread.name = fresh("t");
    for (Line& line : raised_thread(std::move(thread))) blocks_.back().body.push_back(std::move(line));
  }
  RaisedThread& innermost_thread() {
    const auto found =
        std::find_if(blocks_.rbegin(), blocks_.rend(), [](const Open& open) { return open.kind == Kind::thread; });
    if (found == blocks_.rend()) cannot(at_, "no thread runs here");
    return found->thread;
  }
  void write(const PauseThread&) {
    const std::string waits = fresh("waits"), goes_on = fresh("goes_on");
    RaisedThread& thread = innermost_thread();
    thread.events.insert(thread.events.end(), {waits, goes_on});
    thread.meanwhile.push_back(waits_for(waits));
    blocks_.back().body.push_back(sets(waits));
    blocks_.back().body.push_back(waits_for(goes_on));
    blocks_.push_back({.kind = Kind::wait, .goes_on = goes_on});
  }
  void write(const ResumeThread&) {
    need_innermost(Kind::wait, "a thread's wait");
    const Open wait = std::move(blocks_.back());
    blocks_.pop_back();
    Block& meanwhile = innermost_thread().meanwhile;
    meanwhile.insert(meanwhile.end(), wait.body.begin(), wait.body.end());
    meanwhile.push_back(sets(wait.goes_on));
  }

  void write(const EnterForward& enter) { blocks_.push_back({.kind = Kind::forward, .enter = enter}); }
  void write(const LeaveForward& leave) {
    need_innermost(Kind::forward, "a forward");
    const CustomBackward& custom = custom_at(blocks_.back().enter.function);
    bool keeps_device = false;
    Function backward = backward_of(custom, keeps_device);
    const bool takes_device = blocks_.back().makes_tensors || keeps_device;
    if (takes_device) backward_returns(backward, custom, true);
    const std::vector<Slot> inputs = blocks_.back().enter.inputs;
    Function forward;
    forward.name = "forward";
    forward.parameters = {"ctx"};
    Expressions arguments;
    for (const Slot slot : inputs) {
      const bool again = std::ranges::find(forward.parameters, name(slot)) != forward.parameters.end();
      forward.parameters.push_back(again ? fresh(name(slot)) : name(slot));
      arguments.push_back(named(slot));
    }
    if (takes_device) forward.parameters.emplace_back("device");
    if (leave.returned.empty()) cannot(at_, "a forward returns nothing");
    add(Return{tuple_of(leave.returned)});
    if (keeps_device)
      blocks_.back().body.insert(blocks_.back().body.begin(),
                                 Line{SetAttribute{"ctx", "device", dotted("device")}, {}, ""});
    forward.body = finished();
    const std::string class_name = fresh(is_python_name(custom.name) ? custom.name : "F");
    Class& made = program_.classes.emplace_back();
    made.name = class_name;
    made.methods = {std::move(forward), std::move(backward)};
    if (takes_device) arguments.push_back(device(true));
    Assign applied{{}, leave.returned.size() != 1, call_of(class_name + ".apply", std::move(arguments))};
    for (const Slot slot : leave.results) applied.targets.push_back(name(slot));
    add(std::move(applied));
  }

  const CustomBackward& custom_at(std::int32_t function) const {
    const auto f = static_cast<std::size_t>(function);
    if (f >= test_.script.functions.size()) cannot(at_, "its function is missing");
    return test_.script.functions[f];
  }

  /// Writes a body as the innermost block.
  void write_body(const CustomBackward& custom, Kind kind) {
    blocks_.push_back({.kind = kind});
    in_backward_ = true;
    for (const Statement& statement : custom.statements) write(statement);
    in_backward_ = false;
    need_innermost(kind, "a guard");
  }

  Function hook_of(const CustomBackward& custom) {
    Function hook;
    hook.name = fresh(is_python_name(custom.name) ? custom.name : "hook");
    hook.parameters = {name(custom.gradients.at(0))};
    write_body(custom, Kind::hook);
    if (const auto& returned = custom.returned.at(0)) add(Return{named(*returned)});
    hook.body = finished();
    return hook;
  }

  Function backward_of(const CustomBackward& custom, bool& keeps_device) {
    Function backward;
    backward.name = "backward";
    backward.parameters = {"ctx"};
    for (const Slot slot : custom.gradients) backward.parameters.push_back(name(slot));
    write_body(custom, Kind::backward);
    keeps_device = blocks_.back().makes_tensors;
    backward.body = std::move(blocks_.back().body);
    blocks_.pop_back();
    backward_returns(backward, custom, false);
    return backward;
  }

  /// Ends a backward with its `return`; `device`: forward also got the device, which has no gradient.
  void backward_returns(Function& backward, const CustomBackward& custom, bool device) const {
    if (device) backward.body.pop_back();  // the `return` without it
    Tuple returned;
    for (const auto& slot : custom.returned)
      returned.items.push_back(slot ? named(*slot) : Expression{NoneLiteral{}, {}});
    if (device) returned.items.push_back({NoneLiteral{}, {}});
    if (returned.items.empty()) cannot(at_, "a forward takes no tensor");
    backward.body.push_back(
        Line{Return{returned.items.size() == 1 ? returned.items[0] : Expression{returned, {}}}, {}, ""});
  }

  void write(const EnterFunctionalize& enter) { blocks_.push_back({.kind = Kind::body, .body_of = enter}); }
  void write(const LeaveFunctionalize& leave) {
    need_innermost(Kind::body, "a functionalized body");
    const EnterFunctionalize enter = blocks_.back().body_of;
    Function body;
    body.name = fresh("body");
    for (const Slot slot : enter.parameters) body.parameters.push_back(name(slot));
    if (!leave.returned.empty()) add(Return{tuple_of(leave.returned)});
    body.body = finished();
    Assign applied{{}, leave.results.size() > 1, calls_.functionalized(body.name, enter)};
    add(Define{std::make_shared<const Function>(std::move(body))});
    for (const Slot slot : leave.results) applied.targets.push_back(name(slot));
    add(std::move(applied));
  }

  void write(const MakeLibrary& make) { add(libraries_.line(make, at_)); }
  void write(const DefineOperator& define) { add(libraries_.line(define, at_)); }
  void write(const DropLibrary& drop) { add(libraries_.line(drop, at_)); }
  void write(const AddKernel& added) {
    if (added.kernel && defined_.insert(*added.kernel).second) {
      // In the test itself: other blocks may register the kernel again.
      Define define{std::make_shared<const Function>(kernel_of(*added.kernel))};
      blocks_.front().body.push_back(Line{std::move(define), {}, ""});
    }
    add(libraries_.line(added, at_));
  }
  Function kernel_of(std::int32_t number) {
    const CustomKernel& kernel = libraries_.kernel(number, at_);
    Function function;
    function.name = libraries_.kernel_name(number);
    if (kernel.with_keyset) {
      if (kernel_keys_.empty()) kernel_keys_ = fresh("ks");
      function.parameters.push_back(kernel_keys_);
    }
    for (const Slot slot : kernel.parameters) function.parameters.push_back(name(slot));
    blocks_.push_back({.kind = Kind::kernel});
    for (const Statement& statement : kernel.statements) write(statement);
    need_innermost(Kind::kernel, "a guard");
    if (!kernel.returned.empty()) add(Return{tuple_of(kernel.returned)});
    function.body = finished();
    return function;
  }
  /// `y`, or `y, z`.
  Expression tuple_of(const std::vector<Slot>& slots) const {
    Tuple tuple;
    for (const Slot slot : slots) tuple.items.push_back(named(slot));
    return tuple.items.size() == 1 ? tuple.items[0] : Expression{tuple, {}};
  }
  void write(const Invoke& invoke) {
    const std::string& op = libraries_.operator_at(invoke.op, at_).name;
    Assign assign{{}, invoke.results.size() > 1, calls_.invoked(op, invoke, kernel_keys_)};
    for (const Slot slot : invoke.results) assign.targets.push_back(name(slot));
    add(std::move(assign));
  }

  void write(const ContextCall& call) {
    Expressions tensors;
    for (const Slot slot : call.tensors) tensors.push_back(named(slot));
    const std::string method(kContextKindNames[static_cast<std::size_t>(call.kind)]);
    add(Assign{{}, false, call_of("ctx." + method, std::move(tensors))});
  }
  void write(const LoadSaved& load) {
    if (load.results.empty()) return;
    Assign assign{{}, true, dotted("ctx.saved_tensors")};
    for (const Slot slot : load.results) assign.targets.push_back(name(slot));
    add(std::move(assign));
  }
  Expression part(Slot tensor, std::string_view which) const {
    return dotted(fmt::format("{}.{}", name(tensor), which));
  }
  void write_assert() {
    if (auto line = asserts_.line(at_)) add(std::move(*line));
  }
  void write(const Read&) { write_assert(); }
  void write(const ReadThread&) { write_assert(); }
  void write(const Snapshot&) {}  // no form in Python: see lower.h

  const Test& test_;
  std::vector<std::string> names_;
  CallWriter calls_;
  AssertWriter asserts_;
  std::set<std::string> taken_;
  LibraryWriter libraries_;
  std::set<std::int32_t> defined_;  ///< the kernels that have their functions
  std::string kernel_keys_;         ///< the name of every kernel's key set; empty until one has it
  Program program_;
  std::vector<Open> blocks_;
  std::map<std::int32_t, std::string> handles_;  ///< of hooks, by function
  bool in_backward_ = false;                     ///< also in a hook
  std::size_t at_ = 0;
};

}  // namespace

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
