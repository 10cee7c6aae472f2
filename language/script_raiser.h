// The writer of a script as a program, block by block.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "language/raiser.h"

namespace plumbline::program {

/// Writes one test. Used once.
class Raiser {
 public:
  explicit Raiser(const Test& test);
  Program run();

 private:
  using Kind = OpenBlock::Kind;

  // raise.cpp: blocks, and the statements that are one line
  void write(const Statement& statement) {
    std::visit([this](const auto& kind) { write(kind); }, statement.kind);
  }
  void remark();
  Block finished();
  void need_innermost(Kind kind, std::string_view what) const;
  void close(Kind kind);
  void add(decltype(Line::node) node) { blocks_.back().body.push_back(Line{std::move(node), {}, ""}); }
  const std::string& name(Slot slot) const { return calls_.name(slot); }
  Expression named(Slot slot) const { return {Name{name(slot)}, {}}; }
  Expression part(Slot tensor, std::string_view which) const;
  /// `y`, or `y, z`.
  Expression tuple_of(const std::vector<Slot>& slots) const;
  /// An unused name like `wanted`; `name`, which is made in this way if it is empty.
  std::string fresh(const std::string& wanted);
  const std::string& once(std::string& name, const char* wanted);
  /// How a name of the test is written here: methods of a class get it as an argument if it is `used`, which `needs`
  /// remembers, and a backward has it from ctx.
  Expression of_test(const std::string& name, bool OpenBlock::* needs, bool used);
  Expression device(bool used) { return of_test("device", &OpenBlock::needs_device, used); }
  void write(const Call& call);
  void write(const MakeTensor& made);
  void write(const MakeMetaTensor& made) { add(Assign{{name(made.result)}, false, calls_.meta_tensor(made)}); }
  void write(const Enter& enter);
  void write(const Exit&) { close(Kind::guard); }
  void write(const Try&);
  void write(const EndTry&) { close(Kind::attempt); }
  void write(const SetRequiresGrad& set);
  void write(const GetData& get) { add(Assign{{name(get.result)}, false, part(get.tensor, "data")}); }
  void write(const SetData& set) { add(SetAttribute{name(set.tensor), "data", named(set.data)}); }
  void write(const Backward& backward) { add(Assign{{}, false, calls_.backward(backward)}); }
  void write(const GetGradients& get);
  void write(const GetGrad& get) { add(Assign{{name(get.result)}, false, part(get.tensor, "grad")}); }
  void write(const SetGrad& set);
  void write(const RetainGrad& retain);
  void write(const ManualSeed& seed);
  void write(const RaiseError& raised);
  void write_reading();
  void write(const Read&) { write_reading(); }
  void write(const ReadThread&) { write_reading(); }
  void write(const QueryKernel&) { write_reading(); }
  void write(const QueryThreadKey&) { write_reading(); }
  void write(const Snapshot&) {}  // no form in Python: see lower.h

  // raise_thread.cpp: threads and the events with which they take turns
  void write(const StartThread&);
  void write(const JoinThread&);
  RaisedThread& innermost_thread();
  void write(const PauseThread&);
  void write(const ResumeThread&);

  // raise_function.cpp: custom functions, hooks, functionalized bodies
  void write(const EnterForward& enter) { blocks_.push_back({.kind = Kind::forward, .enter = enter}); }
  void write(const LeaveForward& leave);
  Function forward_of(const LeaveForward& leave, const OpenBlock& backward);
  Function backward_of(const CustomBackward& custom, Block body, std::size_t without_gradient) const;
  const CustomBackward& custom_at(std::int32_t function) const;
  /// Writes a body as the innermost block.
  void write_body(const CustomBackward& custom, Kind kind);
  void write(const ContextCall& call);
  void write(const LoadSaved& load);
  Function hook_of(const CustomBackward& custom);
  void write(const RegisterHook& hook);
  void write(const RemoveHook& hook);
  void write(const EnterSavedTensorsHooks& hooks);
  void write(const EnterFunctionalize& enter) { blocks_.push_back({.kind = Kind::body, .body_of = enter}); }
  void write(const LeaveFunctionalize& leave);
  void write(const EnterTransform& enter) { blocks_.push_back({.kind = Kind::transformed, .transformed = enter}); }
  void write(const LeaveTransform& leave);
  /// Writes the innermost block as a function, and what `called`, given the function's name, makes of it.
  template <class Leave, class Called>
  void write_body(const std::vector<Slot>& parameters, const Leave& leave, const Called& called);

  // raise_kernel.cpp: what is registered, calls of the program's own operators, the log
  void write(const MakeLibrary& make) { add(libraries_.line(make, at_)); }
  void write(const DefineOperator& define) { add(libraries_.line(define, at_)); }
  void write(const DropLibrary& drop) { add(libraries_.line(drop, at_)); }
  void write(const AddKernel& added);
  void write(const AddFallback& added);
  /// Defines the kernel's function if that is not done yet.
  void define_kernel(const std::optional<std::int32_t>& number);
  Function kernel_of(std::int32_t number);
  void write_kernel(const CustomKernel& kernel);
  void write(const Invoke& invoke);
  Expression invoked(const Invoke& invoke);
  bool logs() const;
  Expression log() { return of_test(log_, &OpenBlock::needs_log, true); }
  void write(const AppendToLog& entry);
  void write(const ReadLog&);
  void write(const ClearLog&);

  const Test& test_;
  std::vector<std::string> names_;
  CallWriter calls_;
  std::set<std::string> taken_;
  std::string log_;  ///< the name of the log; empty if the script has none
  AssertWriter asserts_;
  LibraryWriter libraries_;
  std::set<std::int32_t> defined_;         ///< the kernels that have their functions
  const CustomKernel* kernel_ = nullptr;   ///< the kernel that is being written
  bool in_fallback_ = false;               ///< it is a fallback
  std::string keys_, called_, arguments_;  ///< the names of kernels' parameters `ks`, `op` and `*args`, once used
  Program program_;
  std::vector<OpenBlock> blocks_;
  std::map<std::int32_t, std::string> handles_;  ///< of hooks, by function
  bool in_backward_ = false;                     ///< also in a hook
  std::size_t at_ = 0;
};

}  // namespace plumbline::program
