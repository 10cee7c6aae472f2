// The lowering of one test: statements, calls and asserts share this state.
#pragma once

#include <list>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "language/facts.h"
#include "language/guards.h"
#include "language/lower.h"
#include "language/resolve.h"
#include "language/scope.h"

namespace plumbline::program {

/// The names of a frame that get the result of a call; there may be none.
struct Targets {
  Frame* frame = nullptr;
  std::vector<std::string> names;
  bool unpack = false;
  Place place;
  int line = 0;  ///< of the statement that is being lowered
};

/// Lowers one test function. Used once.
class Lowerer {
 public:
  Lowerer(const Program& program, const Function& function)
      : program_(program), function_(function), two_devices_(names_cpu(program)) {}
  Test run();

 private:
  /// What a method of a class returns: tensors, and None.
  struct Returned {
    struct Item {
      std::optional<Slot> value;
      Place place;
    };
    std::vector<Item> values;
    bool tuple = false;
    bool passed = false;  ///< what a kernel's call with `*args` returned
  };
  /// Where a function's `return` goes: to the targets of its call or, in a method of a class, into `returned`.
  struct Returning {
    Targets targets;
    std::optional<Returned> returned;
    bool done = false;
  };

  /// The lines of a block that is being lowered. While a thread waits, its starter's lines are lowered from there.
  struct Lines {
    const Block& block;
    std::size_t next = 0;
  };

  // lower.cpp: statements and functions
  void block(const Block& block, bool raises);
  /// The next line that is not a remark; null at the end.
  static const Line* next_line(Lines& lines);
  /// `raising`: pytest.raises expects it to raise.
  void line(const Line& line, bool raising);
  void plain_line(const Line& line);
  void assign(const Assign& assign, Place place);
  void set_attribute(const SetAttribute& set, Place place);
  void inline_function(const NestedFunction& callee, const Invocation& call, Place place, const Targets& targets);
  /// Lowers a function's body in a frame of its own. Returns whether it returned something.
  bool write_in(const Function& callee, Frame frame, Place place, Returning returning);
  /// The same for a function whose results stay with the caller: what it returned.
  Returned returned_by(const Function& callee, Frame frame, Place place);
  void keep_returned(const Expression& value);
  void need_free_name(const std::string& name, Place place) const;
  std::map<std::string, Binding> bind_parameters(const Function& callee, const Invocation& call, Place place);
  void finish_return(const Return& returned, Place place);
  void deliver(const Expression& value, const Targets& targets);
  void bind(const Targets& targets, const Binding& binding, Place place);
  /// Fails for lines after a `return` or a `raise`.
  void need_reached(const Block& block) const;

  // lower_log.cpp: the test's log, and `raise`
  /// The list `name = []` that an expression names; null if it names something else.
  const EmptyList* list_named(const Expression& expression);
  /// From now on the list is the test's log. Fails if the test has another one.
  void take_as_log(const EmptyList& list, const Expression& name);
  /// Fails if the name is that of the log.
  void need_log_kept(const std::string& name, Place place);
  /// `log.append(…)` and `log.clear()`; false for another call.
  bool log_call(const Expression& callee, const Invocation& call, const Targets& targets);
  AppendToLog appended(const Invocation& call, Place place);
  /// A name alone on a line: it reads the log.
  void read_log(const Expression& name, Place place);
  void raise_error(const Raise& raised, Place place);

  // lower_device.cpp: programs of two devices
  /// `x.cpu()` and `x.to(device, …)` with their arguments by name; returns the name of the op.
  std::string method_on_device(const std::string& name, Actuals& all) const;
  /// Fails if a call that makes a tensor is not `given` a device in a file that uses two.
  void need_device(std::string_view function, bool given, Place place) const;

  // lower_thread.cpp: functions inside functions, threads
  void define(const Define& define, Place place);
  Frame frame_of(const NestedFunction& nested) const;
  void make_thread(const Invocation& call, Place place, const Targets& targets);
  void thread_call(const std::shared_ptr<Thread>& thread, const Expression& callee, const Invocation& call,
                   const Targets& targets);
  void check_join(const Line* line);
  void make_event(const Invocation& call, Place place, const Targets& targets);
  /// `e.set()`; `e.wait()` is read with the line before it.
  void event_call(const std::shared_ptr<Event>& event, const Expression& callee, const Invocation& call,
                  const Targets& targets);
  /// The event for which a line waits; null if it does not.
  std::shared_ptr<Event> awaited(const Line* line);
  /// The running thread sets an event and waits: its starter's lines are next, up to where they let it go on.
  void pause(const std::shared_ptr<Event>& event, const std::string& name, Place place);
  void starters_lines(const std::shared_ptr<Event>& paused, const std::string& name, Place place);
  void check_started() const;
  void check_not_raised_by_thread(const Line& line);

  // lower_function.cpp: classes
  const Class* class_named(std::string_view name) const;
  const Function& method_of(const Class& of, std::string_view name) const;
  Returned method_body(const Class& of, const Function& method, std::map<std::string, Binding> names,
                       const std::shared_ptr<Apply>& apply, Place place);
  void apply(const Class& of, const Invocation& call, Place place, const Targets& targets);
  void leave_forward(const Class& of, const Function& forward, const Returned& returned, const Apply& made,
                     const Targets& targets);
  /// The slot of a call's result: that of its target, or a new one if the call assigns nothing.
  Slot result_slot(const Targets& targets, std::size_t result);
  /// Fails if the number of targets is not the number of values that `function` returns.
  void check_targets(std::string_view function, const Returned& returned, const Targets& targets) const;
  void lower_backward(const Function& backward, const std::shared_ptr<Apply>& made, std::size_t function,
                      const std::vector<bool>& tensors, Place place);
  /// Null if the expression is not `ctx`.
  const Context* context(const Expression& expression);
  void context_call(const Context& ctx, const Expression& callee, const Invocation& call, const Targets& targets);
  void set_context(const Context& ctx, const SetAttribute& set, Place place);
  const Binding* context_attribute(const Expression& expression);
  bool load_saved(const Expression& value, const Targets& targets);

  // lower_transform.cpp: the bodies of torch.func.functionalize, torch.vmap and torch.func.grad
  friend class TransformOptions;
  void functionalize(const Invocation& made, const Invocation& call, const Targets& targets);
  void vmap(const Invocation& made, const Invocation& call, const Targets& targets);
  void func_grad(const Invocation& made, const Invocation& call, const Targets& targets);
  NestedFunction body_of(const Invocation& made, std::string_view name, std::string_view form);
  /// Puts the tensors that the body is called with into `enter`, and returns the frame in which it runs.
  template <class Enter>
  Frame enter_body(const NestedFunction& body, Enter& enter, const Invocation& call, Place place);
  Returned returned_by_body(const NestedFunction& body, Frame frame, Place place);
  std::vector<Slot> returned_slots(const NestedFunction& body, const Returned& returned) const;
  template <class Leave>
  void leave_body(const NestedFunction& body, Leave& leave, const Returned& returned, const Targets& targets);

  // lower_module.cpp: what a file registers outside its tests
  void module();

  // lower_library.cpp: the forms of `torch.library`
  /// What a call of `impl` registers a kernel for.
  struct Registered {
    std::shared_ptr<CustomLibrary> library;  ///< null: the namespace's own, as without `lib=`
    std::string space;
    std::string name;  ///< "mine::f"
    std::vector<std::string> keys;
    const Expression* kernel = nullptr;  ///< null in a decorator
    bool of_library = false;             ///< `torch.library.impl(lib, …)`, whose decorator returns the function
    Place place;
    bool with_keyset = false;
    bool is_fallback = false;  ///< `lib.fallback(…)`, which has no name
  };
  void make_library(const Invocation& call, Place place, const Targets& targets);
  /// Fails if the name is a live library's: Python ends it when the name is assigned again.
  void need_library_kept(const std::string& name, bool by_library, Place place);
  void library_call(const std::shared_ptr<CustomLibrary>& library, const Expression& callee, const Invocation& call,
                    const Targets& targets);
  void destroy(CustomLibrary& library, const Invocation& call, Place place);
  /// `torch.library.define(…)` and `torch.library.impl(…)`.
  void library_function(const std::string& name, const Invocation& call, Place place, const Targets& targets);
  void need_own_namespace(const std::string& space, Place place) const;
  /// Fails where a program cannot register: in a kernel, a method or a hook, or with a name for what the call returns.
  void need_registering(std::string_view function, Place place, const Targets& targets) const;
  /// Fails if the library has ended and, in a test, if it is the file's. `ends`: it is to be destroyed.
  void need_usable(const CustomLibrary& library, Place place, bool ends) const;
  std::shared_ptr<CustomLibrary> library_named(const Expression& expression);
  /// The namespace and the name in "mine::f".
  std::pair<std::string, std::string> qualified(const Expression& name, std::string_view function) const;
  /// The library that `lib=` gives; null if there is none.
  std::shared_ptr<CustomLibrary> given_library(std::string_view function, const Invocation& call,
                                               const std::string& space);
  std::vector<std::string> kernel_keys(const Expression& types, bool devices) const;
  Registered registered(const std::shared_ptr<CustomLibrary>& library, const Invocation& call, Place place,
                        bool is_fallback) const;
  Registered registered(const Invocation& call, Place place);
  void decorate(const NestedFunction& nested);

  // lower_operator.cpp: the program's own operators: their schemas and their kernels
  /// Whether the script does without this namespace: the file registers in it, and the test uses none of it.
  bool leaves_out(const std::string& space) const { return in_module_ && !spaces_.contains(space); }
  /// `form`: how the call is written.
  void define_operator(const std::shared_ptr<CustomLibrary>& library, const std::string& space,
                       const std::optional<std::string>& schema, std::string_view form, Place place);
  /// The name of the library, or of the namespace's own, which is made before it is used first.
  std::string library_for(const std::shared_ptr<CustomLibrary>& library, const std::string& space, Place place);
  void implement(const Registered& wanted);
  /// `function`: one without a function falls through.
  void add_kernels(const Registered& wanted, const NestedFunction& function);
  /// The number of a function's kernel, which is lowered the first time. `op`: nothing for a fallback.
  std::int32_t kernel_of(std::optional<std::int32_t> op, const NestedFunction& nested, const Registered& wanted);
  /// `arguments`: of the operator, as far as they are known.
  CustomKernel lowered_kernel(const NestedFunction& nested, const Registered& wanted,
                              const std::vector<SchemaValue>& arguments);
  /// Fails for a kernel's parameter that is a number or a list of tensors, where programs take neither.
  void refuse_parameter(const Binding& binding, const Expression& name) const;
  /// A kernel that is registered for an operator.
  struct Fitting {
    std::int32_t op;
    const Function* function;
    bool with_keyset;
    std::int32_t kernel;
  };
  /// Fail if the function does not take as many arguments as the operator's schema says, if the kernel was lowered for
  /// arguments of other kinds (`early`: before the operator was defined), or if it does not pass on and return what the
  /// schema says.
  void need_parameters(const Fitting& wanted) const;
  void need_kinds(const Fitting& wanted, bool early) const;
  void need_passed(const Fitting& wanted) const;
  void need_returns(const Fitting& wanted) const;
  /// The operators to which a kernel passes all its arguments, in order.
  std::vector<const CustomOperator*> operators_given_all(std::int32_t kernel) const;
  /// Fails for a fallback that does not fit an operator of the test.
  void check_fallbacks() const;
  /// Fails if a function does not have the parameters of a kernel with `*args`, or of a fallback.
  void need_starred(const Function& function, const Registered& wanted) const;
  /// The operator's number; fails if the program defines none of this name above.
  std::int32_t operator_named(const std::string& name, Place place) const;
  /// The same for a registration, which may come before the definition.
  std::int32_t registered_operator(const std::string& name, Place place);

  // lower_invoke.cpp: calls of the program's own operators
  /// `y = torch.ops.mine.f(x)`, also with `.default`, and `torch.ops.mine.f.default.redispatch(KEYS, x)`.
  void invoke(const std::string& name, const Invocation& call, Place place, const Targets& targets);
  /// `op(*args)` and `op.redispatch(KEYS, *args)` in a fallback; false for another call.
  bool invoke_called(const Expression& callee, const Invocation& call, const Targets& targets);
  /// A call to which a kernel gives all its arguments.
  void pass_on(std::int32_t op, bool redispatches, const Invocation& call, Place place, const Targets& targets);
  std::vector<KeyStep> redispatched_keys(const Expression& keys);
  /// The arguments of a call, without its key set, in the order of the operator's schema.
  std::vector<Value> operator_arguments(const CustomOperator& op, bool redispatches, const Invocation& call,
                                        Place place);

  // lower_with.cpp: guards and expected errors
  void with(const With& with, Place place, bool raises);
  Enter guard(const Invocation& item, const GuardSpelling& spelling, Place place);
  void expect_error(const Invocation& item, const With& with, Place place);

  // lower_gradients.cpp: backward
  struct Options;
  /// `self.backward(…)`; null: `torch.autograd.backward(…)`.
  void backward(const Expression* self, const Invocation& call, Place place, const Targets& targets);
  void grad(const Invocation& call, Place place, const Targets& targets);
  Options backward_options(const std::map<std::string_view, const Expression*>& given);
  /// The tensors from which backward starts, `y` or `[y, z]`, with their gradients, `g` or `[g, None]`; null: none.
  std::vector<Root> roots(const Expression& tensors, const Expression* gradients);
  /// The tensor of a name, or the tensors of a list or tuple of names.
  std::vector<Slot> one_or_more(const Expression& expression);

  // lower_hook.cpp: `h = x.register_hook(hook)`, `h.remove()`
  /// `after`: `x.register_post_accumulate_grad_hook(hook)`.
  void register_hook(const Expression& self, const Invocation& call, bool after, Place place, const Targets& targets);
  /// The index in the script's functions of a hook that is named by `given`; `parameter`: what it gets, in advice.
  std::int32_t hook_named(const Expression& given, std::string_view parameter, bool after, Place place);
  CustomBackward hook_of(const NestedFunction& hook, bool after, Place place);
  /// `with torch.autograd.graph.saved_tensors_hooks(pack, unpack):`
  void saved_tensors_hooks(const Invocation& item, const With& with, Place place, bool raises);
  void hook_call(HookHandle hook, const Expression& callee, const Invocation& call, const Targets& targets);
  /// Fails if a name that a hook uses stands for something else now: Python looks it up when the hook runs.
  void check_hooks_names(Place place);

  // lower_data.cpp: `.data`, `.grad`, `retain_grad`, `manual_seed`
  /// `y = x.data`, `g = x.grad`; a bare `x.grad` is a reading.
  void get_part(const Expression& part, const Targets& targets);
  void set_grad(Slot tensor, const Expression& value, Place place);
  void retain_grad(const Expression& tensor, const Invocation& call, Place place, const Targets& targets);
  void manual_seed(const Invocation& call, Place place, const Targets& targets);
  /// Fails if the expression contains `x.data` or `x.grad`.
  void need_no_part(const Expression& expression) const;

  // lower_call.cpp: calls and arguments
  void call(const Expression& expression, const Targets& targets);
  void op_call(CallForm form, const std::string& name, const std::string& overload, const Actuals& actuals,
               const Targets& targets);
  void check_results(const Op& op, const Targets& targets) const;
  void requires_grad_(const Expression& tensor, const Invocation& call, Place place, const Targets& targets);
  Actuals actuals(const Invocation& call, Place place);
  /// The only argument of a call, written by its place or by this keyword; null if the call has others, or none.
  static const Expression* only_argument(const Invocation& call, std::string_view keyword);
  Actual evaluate(const Expression& expression);
  std::vector<std::int64_t> integers(const Expressions& items);
  Value sequence(const Expressions& items);
  /// What a name stands for here; null if it is not defined.
  const Binding* find(const std::string& name);
  Binding look_up(const Expression& name);
  /// The function that a name stands for; its `function` is null if there is none.
  NestedFunction named_function(const Expression& name);
  Slot tensor(const Expression& expression);
  /// The same where a meta tensor may stand.
  Slot tensor_or_meta(const Expression& expression);
  bool truth(const Expression& expression, std::string_view what);
  /// The literal that a name stands for; nothing if it stands for something else.
  std::optional<Expression> literal_of(const Binding& binding, Place place) const;
  /// A literal: the expression itself, or the value of its name.
  Expression literal(const Expression& expression);
  std::optional<Dtype> dtype(const Expression& expression) const;
  [[noreturn]] void unknown_call(const Expression& callee);
  void need_import(const std::string& module, Place place) const;

  // lower_tensor.cpp: `torch.tensor`, and factories of meta tensors
  void make_tensor(const Invocation& call, Place place, const Targets& targets);
  void make_meta_tensor(const Invocation& call, Place place, const Targets& targets);
  /// Fails for a meta tensor.
  void need_memory(Slot slot, Place place) const;
  double element(double value, Dtype dtype, Place place) const;
  /// Leaves out the imaginary parts, for another dtype; fails if a number of the list is complex.
  void keep_real_parts(MakeTensor& made, const NestedList& nested) const;

  // lower_assert.cpp: observations and what is expected of them
  std::optional<Observation> observed(const Expression& expression);
  Observed read(const Observation& observation, bool with_sizes, int line);
  void assertion(const Assert& assertion, Place place);
  void expect_log(const EmptyList& list, const Assert& assertion, Place place);
  void expect_truth(Expectation expectation, const Observed& observed, const Assert& assertion);
  void expect_values(Expectation expectation, const Expression& right);
  Reading expected(const Observed& observed, const Assert& assertion);
  std::int64_t base_slot(const Expression& right);
  Reading expected_sequence(bool as_list, const Expression& right);
  Reading expected_name(std::string_view prefix, const Expression& right);
  [[noreturn]] void wrong_right(const Expression& right, const std::string& wanted);

  std::size_t emit(StatementKind kind, int line);
  [[noreturn]] void fail(Place place, std::string problem, std::string advice) const;
  /// Calls `fail`.
  Refuse refusing() const;

  const Program& program_;
  const Function& function_;
  bool two_devices_;
  Test test_;
  Scope scope_;
  std::vector<Returning> returns_;                ///< one for each function that is being inlined
  std::optional<Returned> last_returned_;         ///< by the last lowered method
  std::vector<std::shared_ptr<Apply>> contexts_;  ///< one for each method of a class that is being lowered
  std::vector<std::shared_ptr<Thread>> threads_;
  /// A thread whose function is being lowered, and where its starter goes on.
  struct Turn {
    Lines* starter;
    std::size_t frames, returns;                 ///< how many the starter has
    int expecting;                               ///< how many blocks of pytest.raises are open there
    std::shared_ptr<Event> waits_for = nullptr;  ///< while the starter's lines are lowered
    std::optional<int> goes_on = {};             ///< the line that sets it
    std::shared_ptr<Thread> thread = nullptr;
  };
  std::list<Turn> turns_;
  Lines* lines_ = nullptr;                                   ///< of the innermost block
  int expecting_ = 0;                                        ///< how many blocks of pytest.raises are open
  std::shared_ptr<Thread> running_;                          ///< started and not joined yet
  std::vector<Statement>* into_ = &test_.script.statements;  ///< or a backward's, or a kernel's
  bool in_backward_ = false;                                 ///< also in a hook
  bool hook_is_after_ = false;                               ///< the hook is one after accumulation
  /// A name outside a hook that the hook uses.
  struct UsedByHook {
    std::string hook;
    const Frame* frame;
    std::string name;
    Slot slot;
  };
  std::vector<UsedByHook> used_by_hooks_;
  std::optional<std::string> hook_;  ///< the name of the hook that is being lowered
  bool in_kernel_ = false;           ///< also in a method of a class that a kernel applies
  std::size_t emitted_ = 0;
  bool transforming_ = false;               ///< inside the body of a transform, which has no observations
  bool in_module_ = false;                  ///< outside the tests, where a file registers
  std::set<std::string> spaces_;            ///< the namespaces whose operators the test uses
  std::set<std::string> libraries_;         ///< the names of the script's libraries
  std::map<std::string, std::string> own_;  ///< the library that is used without `lib=`, by namespace
  std::map<std::pair<const Function*, bool>, std::int32_t> kernels_;  ///< by function; `true`: with its key set
  /// By kernel: the kinds for which its parameters were lowered, without those of `*args`; a tensor that may be missing
  /// counts as a tensor.
  std::vector<std::vector<SchemaValue::Kind>> parameter_kinds_;
  std::map<const Function*, bool> fallbacks_;  ///< the functions that are kernels; `true`: it is a fallback
  std::set<std::int32_t> undefined_;           ///< the operators that have kernels and are not defined yet
  std::vector<Fitting> early_;                 ///< the kernels of these operators
  int lists_ = 0;                              ///< how many times the test assigned `[]`
  std::optional<int> log_;                     ///< the list that is the test's log
  std::size_t functions_above_ = 0;            ///< how many of the file's functions are defined so far
};

}  // namespace plumbline::program
