// Whether a script can be run.
#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "language/slots.h"
#include "oracle/call_fits.h"
#include "oracle/kernel_fits.h"
#include "oracle/minimise.h"
#include "spec/vocabulary/kernel_fits.h"
#include "spec/vocabulary/schema.h"

namespace plumbline {

namespace {

/// A function in Python's sense: a test, a thread's target, a forward, a backward, a hook or a kernel.
struct Scope {
  int id = 0;
  bool sees_outer = false;               ///< a thread's target is inside the function that starts it
  std::set<Slot> inputs = {};            ///< a forward's parameters
  std::int32_t function = -1;            ///< a forward's
  std::size_t saved = 0;                 ///< number of tensors that its save_for_backward saves
  const CustomKernel* kernel = nullptr;  ///< a kernel's
};

/// Whether a statement reads or clears the log, or asks about kernels: nothing is observed in a body.
bool observes(const StatementKind& kind) {
  return std::holds_alternative<ReadLog>(kind) || std::holds_alternative<ClearLog>(kind) ||
         std::holds_alternative<QueryKernel>(kind);
}

class Checker {
 public:
  explicit Checker(const Script& script) : script_(script), used_(script.functions.size()) {}

  bool run() {
    for (const CustomKernel& kernel : script_.kernels)
      if (!kernel_fits(kernel)) return false;
    open_scope({});
    for (const Statement& statement : script_.statements)
      if (!check(statement.kind)) return false;
    return open_.empty() && std::ranges::find(used_, false) == used_.end();
  }

 private:
  void open_scope(Scope scope) {
    scope.id = next_scope_++;
    scopes_.push_back(std::move(scope));
  }

  /// Whether a slot is bound and visible here.
  bool readable(Slot slot) const {
    return bound_.contains(slot) && visible([&, owner = owners_.at(slot)](const Scope& scope) {
             return owner == scope.id || scope.inputs.contains(slot);
           });
  }

  /// Whether a scope whose names are visible here satisfies `has`.
  template <class Has>
  bool visible(const Has& has) const {
    for (std::size_t i = scopes_.size(); i-- > 0;) {
      if (has(scopes_[i])) return true;
      if (!scopes_[i].sees_outer) return false;
    }
    return false;
  }

  /// A slot belongs to the function that assigns it first.
  bool bind(Slot slot) {
    if (static_cast<std::size_t>(slot) >= script_.names.size()) return false;
    if (owners_.emplace(slot, scopes_.back().id).first->second != scopes_.back().id) return false;
    if (bound_.insert(slot).second) was_new_.push_back(slot);
    return true;
  }

  bool close(char kind) {
    if (open_.empty() || open_.back() != kind) return false;
    open_.pop_back();
    return true;
  }

  bool slots_fit(const StatementKind& kind) {
    bool fit = true;
    visit_slots(kind, [&](Slot slot) { fit = fit && readable(slot); }, [&](Slot slot) { fit = fit && bind(slot); });
    return fit;
  }

  bool check(const StatementKind& kind) {
    if (std::holds_alternative<EndTry>(kind)) {
      for (const Slot slot : was_new_) bound_.erase(slot);
      was_new_.clear();
      if (new_hook_) hooks_.erase(*new_hook_);
      new_hook_.reset();
      libraries_.erase(new_library_);
      new_library_.clear();
      return close('t');
    }
    if (std::holds_alternative<Exit>(kind)) return close('e');  // keeps `was_new_`: a Try's block may end with a guard
    was_new_.clear();
    new_hook_.reset();
    new_library_.clear();
    if (is_registration(kind)) return registration_fits(kind);
    if (const auto* leave = std::get_if<LeaveForward>(&kind)) return leave_forward(*leave, kind);
    if (const auto* leave = std::get_if<LeaveFunctionalize>(&kind)) return leave_body(*leave, 'Z');
    if (const auto* enter = std::get_if<EnterFunctionalize>(&kind)) return enter_body(*enter, 'Z');
    if (const auto* leave = std::get_if<LeaveTransform>(&kind)) return leave_transform(*leave);
    if (const auto* enter = std::get_if<EnterTransform>(&kind)) return enter_transform(*enter);
    if (!slots_fit(kind)) return false;
    if (const auto* call = std::get_if<Call>(&kind)) return numbers_fit(call->arguments) && call_fits(*call);
    if (const auto* invoke = std::get_if<Invoke>(&kind)) return invoke_fits(*invoke);
    if (const auto* made = std::get_if<MakeTensor>(&kind)) return elements_fit(*made);
    if (const auto* enter = std::get_if<Enter>(&kind)) {
      open_.push_back('e');
      return guard_fits(*enter);
    }
    if (observes(kind)) return !in_body();
    if (const auto* query = std::get_if<QueryThreadKey>(&kind)) return !in_body() && key_fits(query->key);
    if (std::holds_alternative<RaiseError>(kind)) return !in_transform();
    if (const auto* log = std::get_if<AppendToLog>(&kind)) return log_fits(*log);
    if (std::holds_alternative<Try>(kind)) open_.push_back('t');
    if (std::holds_alternative<StartThread>(kind)) {
      open_.push_back('T');
      open_scope({.sees_outer = true});
    }
    if (std::holds_alternative<JoinThread>(kind)) {
      if (!close('T')) return false;
      scopes_.pop_back();
    }
    if (std::holds_alternative<PauseThread>(kind)) return pause_thread();
    if (std::holds_alternative<ResumeThread>(kind)) {
      if (!close('P')) return false;
      scopes_.push_back(waiting_.back());
      waiting_.pop_back();
    }
    if (const auto* hook = std::get_if<RegisterHook>(&kind)) return register_hook(*hook);
    if (const auto* hooks = std::get_if<EnterSavedTensorsHooks>(&kind)) {
      if (in_body() || !hook_fits(hooks->pack, false, true) || !hook_fits(hooks->unpack, false, true)) return false;
      open_.push_back('e');
    }
    if (const auto* hook = std::get_if<RemoveHook>(&kind)) {
      const auto found = hooks_.find(hook->function);
      return found != hooks_.end() && visible([&](const Scope& scope) { return scope.id == found->second; });
    }
    if (const auto* enter = std::get_if<EnterForward>(&kind)) return enter_forward(*enter);
    if (const auto* context = std::get_if<ContextCall>(&kind)) {
      if (scopes_.back().function < 0) return false;
      if (context->kind == ContextKind::save_for_backward) scopes_.back().saved = context->tensors.size();
    }
    if (const auto* load = std::get_if<LoadSaved>(&kind)) return saved_ && load->results.size() == *saved_;
    return true;
  }

  /// Only guards may be open in the thread. Its names are not seen while it waits.
  bool pause_thread() {
    const auto innermost = std::find_if(open_.rbegin(), open_.rend(), [](char kind) { return kind != 'e'; });
    if (in_body() || innermost == open_.rend() || *innermost != 'T') return false;
    open_.push_back('P');
    waiting_.push_back(scopes_.back());
    scopes_.pop_back();
    return true;
  }

  /// In a scope of its own that sees nothing else.
  bool kernel_fits(const CustomKernel& kernel) {
    open_scope({.kernel = &kernel});
    bool fit = shape_fits(kernel) && std::ranges::all_of(kernel.parameters, [this](Slot slot) { return bind(slot); });
    for (const Statement& statement : kernel.statements)
      fit = fit && fits_kernel(statement.kind) && check(statement.kind);
    fit = fit && std::ranges::all_of(kernel.returned, [this](Slot slot) { return readable(slot); });
    scopes_.pop_back();
    return fit && open_.empty();
  }

  const CustomOperator* operator_at(std::int32_t number) const {
    const auto at = static_cast<std::size_t>(number);
    return at < script_.operators.size() ? &script_.operators[at] : nullptr;
  }
  /// Whether the library is there, and the operator is of its namespace.
  bool is_of(const std::string& library, std::int32_t number) const {
    const auto found = libraries_.find(library);
    const CustomOperator* op = operator_at(number);
    return found != libraries_.end() && op != nullptr && space_of(op->name) == found->second;
  }

  /// Libraries belong to the test itself: elsewhere their names would end with a function.
  bool registration_fits(const StatementKind& kind) {
    if (scopes_.size() != 1) return false;
    if (const auto* make = std::get_if<MakeLibrary>(&kind)) {
      new_library_ = make->library;
      return made_.insert(make->library).second && libraries_.emplace(make->library, make->space).second;
    }
    if (const auto* define = std::get_if<DefineOperator>(&kind)) {
      defined_.insert(define->op);
      return is_of(define->library, define->op);
    }
    if (const auto* add = std::get_if<AddKernel>(&kind))
      return is_of(add->library, add->op) && defined_.contains(add->op) &&
             (!add->kernel || kernel_serves(*add->kernel, {*operator_at(add->op)}, false));
    if (const auto* add = std::get_if<AddFallback>(&kind))
      return libraries_.contains(add->library) &&
             (!add->kernel || kernel_serves(*add->kernel, script_.operators, true));
    return libraries_.erase(std::get<DropLibrary>(kind).library) == 1;
  }

  /// Whether the kernel is there and can serve all of `served`. The operators that it calls are defined above. Where it
  /// is registered again, it is again a fallback, or again none.
  bool kernel_serves(std::int32_t number, const std::vector<CustomOperator>& served, bool fallback) {
    if (number < 0 || static_cast<std::size_t>(number) >= script_.kernels.size()) return false;
    const CustomKernel& kernel = script_.kernels[static_cast<std::size_t>(number)];
    if (fallback && !kernel.any_arguments) return false;
    if (is_fallback_.emplace(number, fallback).first->second != fallback) return false;
    if (!fallback && calls_the_called_operator(kernel)) return false;
    return std::ranges::all_of(
               served, [&](const CustomOperator& op) { return misfit(kernel, op, script_.operators).empty(); }) &&
           std::ranges::all_of(kernel.statements, [this](const Statement& statement) {
             const auto* invoke = std::get_if<Invoke>(&statement.kind);
             return invoke == nullptr || invoke->op == kCalledOperator || defined_.contains(invoke->op);
           });
  }

  /// The kernel whose own parameters can be named here: not in a function inside it.
  const CustomKernel* kernel_here() const { return scopes_.back().kernel; }

  bool invoke_fits(const Invoke& invoke) const {
    const CustomKernel* kernel = kernel_here();
    if (invoke.redispatch && !steps_fit(*invoke.redispatch, kernel != nullptr && kernel->with_keyset)) return false;
    if (invoke.passes_arguments) {
      if (kernel == nullptr || !kernel->any_arguments || !invoke.inputs.empty() || !invoke.results.empty())
        return false;
      return invoke.op == kCalledOperator || operator_at(invoke.op) != nullptr;
    }
    const bool in_kernel = scopes_.front().kernel != nullptr;
    if (!in_kernel && !defined_.contains(invoke.op)) return false;
    const CustomOperator* op = operator_at(invoke.op);
    const auto fits = [](const SchemaValue& argument, const Value& value) { return takes(argument.kind, value); };
    return op != nullptr && numbers_fit(invoke.inputs) && std::ranges::equal(op->arguments, invoke.inputs, fits) &&
           (invoke.results.empty() || invoke.results.size() == op->returns.size());
  }

  /// Only a kernel's own statements read the numbers that it was given, by its parameters.
  bool numbers_fit(const std::vector<Value>& values) const {
    return std::ranges::all_of(values, [this](const Value& value) {
      const auto* number = std::get_if<NumberOf>(&value);
      return number == nullptr ||
             (kernel_here() != nullptr &&
              std::ranges::find(kernel_here()->parameters, number->parameter) != kernel_here()->parameters.end());
    });
  }

  bool log_fits(const AppendToLog& log) const {
    if (in_transform()) return false;
    return !log.keys || (log.text.empty() && kernel_here() != nullptr && kernel_here()->with_keyset);
  }

  bool enter_transform(const EnterTransform& enter) {
    if (const auto* vmap = std::get_if<Vmap>(&enter.transform))
      return vmap->in_dims.size() == enter.inputs.size() && enter_body(enter, 'V');
    const auto& grad = std::get<Grad>(enter.transform);
    gradients_.push_back(grad.argnums.size() + (grad.value ? 1 : 0));
    return !grad.argnums.empty() && (!grad.value || grad.argnums.size() == 1) && enter_body(enter, 'D');
  }
  bool leave_transform(const LeaveTransform& leave) {
    if (!leave.differentiates) return leave.out_dims.size() == leave.returned.size() && leave_body(leave, 'V');
    if (gradients_.empty() || !leave.out_dims.empty()) return false;
    const std::size_t results = gradients_.back();
    gradients_.pop_back();
    return leave.returned.size() == 1 && leave.results.size() == results && end_body(leave, 'D');
  }

  template <class Enter>
  bool enter_body(const Enter& enter, char kind) {
    if (enter.inputs.size() != enter.parameters.size()) return false;
    if (!std::ranges::all_of(enter.inputs, [this](Slot slot) { return readable(slot); })) return false;
    open_.push_back(kind);
    open_scope({.sees_outer = true});
    return std::ranges::all_of(enter.parameters, [this](Slot slot) { return bind(slot); });
  }
  template <class Leave>
  bool leave_body(const Leave& leave, char kind) {
    return leave.results.size() == leave.returned.size() && end_body(leave, kind);
  }
  template <class Leave>
  bool end_body(const Leave& leave, char kind) {
    if (!std::ranges::all_of(leave.returned, [this](Slot slot) { return readable(slot); }) || !close(kind))
      return false;
    scopes_.pop_back();
    return std::ranges::all_of(leave.results, [this](Slot slot) { return bind(slot); });
  }

  /// Whether the function exists and is used for the first time.
  bool use(std::int32_t number) {
    const auto function = static_cast<std::size_t>(number);
    if (number < 0 || function >= used_.size() || used_[function]) return false;
    used_[function] = true;
    return true;
  }

  bool is_open(char kind) const { return std::ranges::find(open_, kind) != open_.end(); }
  bool in_body() const { return is_open('F') || in_transform(); }
  /// Whether a functionalized body, or that of another transform, is open.
  bool in_transform() const { return is_open('Z') || is_open('V') || is_open('D'); }

  /// Whether a function is used for the first time and is a hook; `returns`: one that returns a tensor.
  bool hook_fits(std::int32_t number, bool after, bool returns) {
    if (!use(number)) return false;
    const CustomBackward& body = script_.functions[static_cast<std::size_t>(number)];
    if (body.gradients.size() != 1 || body.returned.size() != 1) return false;
    if ((after && body.returned[0]) || (returns && !body.returned[0])) return false;
    return body_fits(body, true, std::nullopt, after);
  }

  bool register_hook(const RegisterHook& hook) {
    if (in_body() || !hook_fits(hook.function, hook.after, false)) return false;
    hooks_[hook.function] = scopes_.back().id;
    new_hook_ = hook.function;
    return true;
  }

  bool enter_forward(const EnterForward& enter) {
    if (!use(enter.function)) return false;
    open_.push_back('F');
    open_scope({.inputs = {enter.inputs.begin(), enter.inputs.end()}, .function = enter.function});
    return true;
  }

  bool leave_forward(const LeaveForward& leave, const StatementKind& kind) {
    if (leave.returned.empty() || leave.results.size() != leave.returned.size()) return false;
    if (!std::ranges::all_of(leave.returned, [this](Slot slot) { return readable(slot); }) || !close('F')) return false;
    const Scope forward = scopes_.back();
    scopes_.pop_back();
    bool fit = true;
    visit_slots(kind, [](Slot) {}, [&](Slot slot) { fit = fit && bind(slot); });
    const CustomBackward& backward = script_.functions[static_cast<std::size_t>(forward.function)];
    return fit && backward.gradients.size() == leave.results.size() && body_fits(backward, false, forward.saved);
  }

  /// A backward, checked where its forward ends, or a hook, where it is registered: only a hook sees what is around it.
  bool body_fits(const CustomBackward& backward, bool sees_outer, std::optional<std::size_t> saved,
                 bool after = false) {
    const std::vector<Slot> results = was_new_;
    const std::vector<char> outer = std::exchange(open_, {});
    saved_ = saved;
    open_scope({.sees_outer = sees_outer});
    bool fit = std::ranges::all_of(backward.gradients, [this](Slot slot) { return bind(slot); });
    for (const Statement& statement : backward.statements)
      fit = fit && fits_backward(statement.kind, after) && check(statement.kind);
    for (const auto& slot : backward.returned) fit = fit && (!slot || readable(*slot));
    fit = fit && open_.empty();
    scopes_.pop_back();
    saved_.reset();
    open_ = outer;
    was_new_ = results;
    return fit;
  }

  const Script& script_;
  std::vector<bool> used_;  ///< the functions that some apply or hook uses
  std::set<Slot> bound_;
  std::map<Slot, int> owners_;  ///< the scope that assigned a slot first
  std::vector<Scope> scopes_;
  int next_scope_ = 0;
  std::vector<Scope> waiting_;  ///< of threads that wait
  /// 'e' for Enter, 't' for Try, 'T' for a thread, 'P' for its wait, 'F' for a forward, 'Z' functionalized,
  /// 'V' of vmap, 'D' of grad
  std::vector<char> open_;
  std::vector<std::size_t> gradients_;        ///< how many results each open body of grad has
  std::vector<Slot> was_new_;                 ///< slots that the last statement bound first; a Try's end unbinds them
  std::map<std::int32_t, int> hooks_;         ///< the registered ones, and the scopes that have their handles
  std::optional<std::int32_t> new_hook_;      ///< registered by the last statement; a Try's end forgets its handle
  std::set<std::int32_t> defined_;            ///< the operators that a statement above defines
  std::map<std::int32_t, bool> is_fallback_;  ///< the kernels that are registered so far, and how
  std::map<std::string, std::string> libraries_;  ///< those that are there, with their namespaces
  std::set<std::string> made_;                    ///< the names of all libraries so far
  std::string new_library_;                       ///< made by the last statement; a Try's end forgets it
  std::optional<std::size_t> saved_;              ///< in a backward: how many tensors were saved for it
};

}  // namespace

bool well_formed(const Script& script) { return Checker(script).run(); }

}  // namespace plumbline
