// The builder's parts: it turns one gene after the other into statements, and executes each on the reference at once.
#pragma once

#include <optional>

#include "fuzz/arguments.h"
#include "fuzz/builder.h"
#include "fuzz/many_choices.h"
#include "reference/call.h"
#include "reference/devices.h"
#include "spec/vocabulary/profile.h"

namespace plumbline::fuzz {

class Builder {
 public:
  Builder(const Recipe& recipe, Coverage* coverage)
      : judge_(recipe.judge),
        unsafe_(recipe.unsafe),
        observe_all_(recipe.observe_all),
        functionalizes_(recipe.functionalize),
        transforms_(recipe.transforms),
        captures_(recipe.captures),
        dispatching_(recipe.dispatching),
        two_devices_(recipe.two_devices),
        million_(recipe.million),
        by_schema_(recipe.by_schema),
        coverage_(coverage),
        state_(reference::initial_state(recipe.judge)),
        profiles_(recipe.profiles) {
    profiles_.push_back(recipe.judge.profile);
  }
  /// Makes a tensor on the CPU; from here on the others are made on either device.
  void begin_on_two_devices();
  void add(const Gene& gene);
  Script finish(bool observe_inside);

 private:
  /// Of the 256 values of a gene's twist, those from here on mean an unsafe statement, if unsafe statements are
  /// allowed.
  static constexpr std::uint8_t kUnsafeFrom = 200;
  void safe(const Gene& gene, Choices& choices);
  /// One of the live slots of floating dtype, the newest that requires grad if there is one; nothing: there is no such
  /// slot.
  std::optional<Slot> floating_slot(Choices& choices, bool requires_grad) const;
  /// All of these, from the oldest on.
  std::vector<Slot> floating_slots(bool requires_grad) const;
  void gradient(const Gene& gene, Choices& choices);
  /// Calls `backward` if the result of an op that replaces a view requires grad.
  void backward_through(Slot result, const Gene& gene, Choices& choices);
  /// Where backward starts: at a sum of the tensor, or at the tensor itself with a gradient of its sizes.
  std::optional<Root> start_of_backward(Slot root, const Gene& gene, Choices& choices);
  /// The tensors after the first from which backward starts, mostly none; `first` may be among them.
  std::vector<Root> more_roots(Slot first, const Gene& gene, Choices& choices);
  static reference::GraphUse graph_use(Choices& choices);
  void backward(Slot root, const Gene& gene, Choices& choices);
  /// The gradients of one or two tensors: `torch.autograd.grad`, or backward with `inputs=`.
  void chosen_gradients(Slot root, const Gene& gene, Choices& choices);
  /// A hook on a tensor, and mostly what shows when hooks are called: another hook, a write, retain_grad(), the end of
  /// a hook. Does nothing if no tensor requires grad.
  void hook(const Gene& gene);
  bool register_hook(Slot tensor, ManyChoices& choices, bool after = false);
  CustomBackward made_hook(const reference::Tensor& tensor, ManyChoices& choices);
  CustomBackward made_hook_after(ManyChoices& choices);
  /// Hooks of saved tensors around an op that saves some, and mostly a backward through it. Does nothing if no tensor
  /// requires grad.
  void saved_hooks(const Gene& gene);
  void enter_saved_hooks(ManyChoices& choices);
  bool backward_of_sum(Slot tensor);
  CustomBackward made_saved_hook(const char* name, ManyChoices& choices);
  /// `g = x.grad` of a tensor that has one.
  void look_at_grad(Choices& choices);
  /// A gradient of these sizes: an existing tensor, or a new one, sometimes of the other mode.
  std::optional<Slot> given_gradient(const Sizes& sizes, Dtype dtype, Choices& choices);
  /// One call, or one tensor, in a thread of its own.
  void thread(const Gene& gene, Choices& choices);
  void in_thread(const Gene& gene, Choices& choices);
  /// `own`: the first slot of the thread.
  void wait(const Gene& gene, Choices& choices, std::size_t own);
  /// A function of one tensor: correct ones, and ones that write their input, return it, or give a gradient that does
  /// not fit.
  void custom_function(const Gene& gene, Choices& choices);
  void unsafe(const Gene& gene, Choices& choices);
  /// A call of an operator that the program defines: of a new one, or of an old one on other tensors.
  void custom_operator(const Gene& gene, Choices& draws);
  /// A new operator, mostly with kernels.
  void define_operator(const Gene& gene);
  void change_operator(const Gene& gene, std::size_t number);
  /// A call of the operator with any of the tensors in `slots` and any numbers; its results are new.
  Invoke any_invoke(std::int32_t number, const std::vector<Slot>& slots, ManyChoices& choices) const;
  /// A call of an operator that a graph may call: of a new one, or of an old one on other tensors.
  void call_operator_in_graph(const Gene& gene, Choices& draws);
  std::int32_t define_operator_for_graphs(ManyChoices& choices);
  /// The tensors that the operator may get: a kernel below Autograd gets none that requires grad.
  std::vector<Slot> live_for_operator(std::int32_t number) const;
  /// Defines a new operator, the first one in a new library "lib". Returns its number.
  std::int32_t add_operator(const CustomOperator& op, const std::string& library);
  /// An AddKernel or an AddFallback, of this kernel if there is one. The kernel gets a name that no other has, which
  /// takes the place of empty texts in it.
  void register_kernel(StatementKind added, const std::optional<CustomKernel>& kernel);
  /// A library beside "lib"; null if it could not be made.
  const MakeLibrary* make_library(const std::string& space, MakeLibrary::Kind kind);
  void drop_library(std::size_t number);
  /// A few steps about the dispatcher.
  void dispatching(ManyChoices& choices);
  /// A call, a registration or a question about an operator whose kernels only log, call and redispatch. As they use no
  /// tensor, any key may be in its way.
  void dispatch_step(ManyChoices& choices);
  void define_probe(ManyChoices& choices);
  void call_probe(ManyChoices& choices, bool redispatches, bool guarded);
  void add_probe_kernel(ManyChoices& choices);
  void add_probe_fallback(ManyChoices& choices);
  /// A kernel for the operator, or without one for a fallback, that is registered for the key.
  CustomKernel probe_kernel(ManyChoices& choices, const CustomOperator* op, const std::string& key);
  void change_libraries(ManyChoices& choices);
  void ask(ManyChoices& choices);
  /// An argument of the kind; nothing if a tensor for it could not be made.
  std::optional<Value> probe_argument(SchemaValue::Kind kind, ManyChoices& choices);
  std::optional<Slot> probe_tensor(ManyChoices& choices);
  /// `keyed`: it may be one that takes a key.
  Enter any_guard(ManyChoices& choices, bool keyed) const;
  /// What a kernel for the key makes of its key set: mostly one without the key, and sometimes any.
  std::vector<KeyStep> any_steps(ManyChoices& choices, const std::string& key) const;
  std::string set_key(ManyChoices& choices) const;
  std::string registered_key(ManyChoices& choices) const;
  /// Lets a hook or a backward log that it runs, and fail.
  void let_tell(CustomBackward& function, bool logs, bool raises);
  /// Reads the log if a statement from here on may have changed it.
  void read_log(std::size_t since, const Gene& gene);
  /// A statement before, in or after a functionalized body, or the body's begin or end. Nothing requires grad.
  void functionalized(const Gene& gene, Choices& choices);
  /// A statement before, in or after the body of a transform, or the body's begin or end.
  void transformed(const Gene& gene, Choices& choices);
  void begin_transform(const Gene& gene, Choices& choices);
  EnterTransform any_map(Choices& choices);
  EnterTransform any_grad(Choices& choices);
  std::vector<Slot> live_floats() const;
  Slot number_to_return(Choices& choices);
  /// The end of a differentiated body, whose results have new names.
  LeaveTransform end_of_grad(const EnterTransform& enter, Slot returned);
  MappedDim any_out_dim(Slot returned, Choices& choices) const;
  void begin_body(const Gene& gene, Choices& choices);
  void write_from_examples();
  void end_body(Choices& choices);
  void end_grad(Choices& choices);
  void end_by(StatementKind leave);
  void leave_out_body();
  /// The end of the innermost body, which returns these.
  StatementKind end_returning(const std::vector<Slot>& returned, const std::vector<Slot>& results, Choices& choices);
  /// The end of the body that begins so, which returns nothing if it may.
  StatementKind bare_end(const StatementKind& enter);
  /// Whether tensors may require grad here.
  bool grads_fit() const { return !functionalizes_ && open_bodies_.empty(); }
  void raised_in_body(Statement statement);
  void abandon_bodies();
  void forget_own(const std::vector<Slot>& results);
  /// A view that autograd takes for a fresh tensor.
  void untracked_view(Slot x, Choices& choices);
  /// A write through a fresh view that no version counts, recorded if it can be (AUT-26).
  void hidden_write(const std::vector<Slot>& slots, Choices& choices);
  std::vector<Slot> live() const;
  /// Those with the tensor's sizes and dtype.
  std::vector<Slot> live_like(const reference::Tensor& tensor) const;
  /// Says on which devices a statement makes its tensors.
  void choose_devices(StatementKind& kind);
  std::uint32_t next_device();
  /// The names of these slots end: no later statement uses them.
  void end_names(std::size_t first, std::size_t last) {
    for (std::size_t slot = first; slot < last; ++slot) ended_.insert(static_cast<Slot>(slot));
  }
  Slot next_slot() const;
  Sizes choose_literal_sizes(Choices& choices) const;
  static double value_at(Dtype dtype, double counted);
  /// `torch.tensor` writes nested lists, so the sizes end with the first 0.
  void make(Sizes sizes, Choices& choices, std::uint8_t twist, std::optional<Dtype> dtype = std::nullopt);
  /// A tensor of four or five dimensions with its channels last.
  void make_channels_last(MakeTensor statement);
  /// As `make`, for more elements than a literal should have: ops count them. As after `torch.tensor`, the variable is
  /// the only one of a tensor that is no view.
  void make_counted(const Sizes& sizes, Dtype dtype, bool requires_grad);
  void leave_out(LeftOut why);
  /// The elements that a snapshot reads, also those of gradients to come.
  double elements_to_read() const;
  /// Whether that is little enough to observe the program before its end.
  bool is_light() const;
  /// `made`: how many missing tensors were made for this call.
  void call(OpKind kind, const Gene& gene, Choices& choices, int made = 0);
  /// Calls an op by schema with arguments that such an op is known to take; false: there is none of this kind.
  bool call_by_schema(OpKind kind, const Gene& gene);
  /// A call of conj, real, imag and the like on a complex tensor, or on a conjugate or a negative view; false: no
  /// variable holds one.
  bool call_of_parts(OpKind kind, const Gene& gene);
  /// A tensor like the wanted one: an existing one, a new one, or sometimes any.
  std::optional<Slot> tensor_for_schema(const MakeTensor& wanted, ManyChoices& choices);
  /// A new one, sometimes a view of another layout, sometimes of the other mode; nothing: it raised an error.
  std::optional<Slot> made_for_schema(MakeTensor wanted, ManyChoices& choices);
  /// How many results the call has, 0 if it raises an error.
  std::size_t results_by_schema(const Call& call) const;
  /// Makes the tensor of indices that a call needs, and puts it in its place.
  bool make_index(Call& call, const Op& op, MakeTensor index);
  /// A copy from a view of the same elements (GEO-28): sometimes, and mostly if they overlap.
  void copy_onto_itself(Call& call, Choices& choices);
  /// Released PyTorch lets `expand` and `as_strided` (1.13 also `unfold`) make a view with a negative size if another
  /// size is 0 (GEO-27). The corpus shows it. No rule says what other ops do with such a view, so the builder makes
  /// none for these profiles.
  void keep_sizes_natural(Call& call, const Op& op);
  /// The same holds for the view in another dtype that breaks no-aliasing (INF-03).
  bool breaks_no_aliasing(const Call& call) const;
  static bool makes_floats(const Op& op, const Call& call);
  /// Gives the results names, and returns how many of the names are new. The result of an in-place op mostly gets no
  /// name, because it is the first argument.
  std::size_t choose_results(Call& call, const Op& op, const std::vector<Slot>& slots, Choices& choices) const;
  /// The elements of `empty` and similar ops are unspecified, so mostly they are overwritten at once.
  void fill(Slot slot, Choices& choices);
  void set_requires_grad(Choices& choices);
  void read(Choices& choices);
  void enter_any(const Gene& gene, Choices& choices);
  void enter(const Enter& guard, const Gene& gene, Choices& choices);
  void leave();
  /// Executes and adds a statement; one that raises is put into a Try, with some of the guards around it.
  bool perform(StatementKind kind);
  /// The program so far; the builder gives it away.
  Script named();
  void raise_in_try(Statement statement);
  /// Leaves out the statement that the state has just taken.
  void undo(LeftOut why);
  /// The state after the statements so far.
  reference::State replayed() const;
  const reference::Judge& judge_;
  bool unsafe_;
  bool observe_all_;
  bool functionalizes_;
  bool transforms_;
  bool captures_;
  Dispatching dispatching_;
  bool two_devices_;
  std::uint32_t devices_ = 0;  ///< from which the devices of statements are drawn
  bool million_;
  bool by_schema_;
  Coverage* coverage_;
  reference::State state_;
  Script script_;
  std::vector<std::size_t> entered_;  ///< where the open guards were entered, in the script
  std::size_t slots_ = 0;             ///< how many have a name
  std::set<Slot> ended_;              ///< names of threads and custom functions that are over
  std::size_t inner_ = 0;             ///< threads, their waits and guards, and forwards that are open
  std::uint8_t unwind_ = 0;
  /// A functionalized or a mapped body that is open, possibly inside others.
  struct Body {
    std::size_t begin;       ///< of its first statement in the script
    std::set<Slot> outside;  ///< the caller's variables
    bool closed;             ///< it uses none of them
  };
  std::vector<Body> open_bodies_;  ///< the outermost first
  Gene last_;                      ///< the gene that was added last
  std::size_t bodies_ = 0;
  std::vector<std::int32_t> computing_;  ///< the operators whose kernels use tensors
  std::vector<std::int32_t> probes_;     ///< the others: see dispatch_step
  std::vector<MakeLibrary> libraries_;   ///< those that are there, beside "lib"
  std::size_t made_libraries_ = 0;       ///< how many of these there were
  std::vector<std::int32_t> hooks_;      ///< those that were registered, by their functions
  bool logs_ = false;                    ///< a kernel, a hook or a backward logs
  std::vector<Profile> profiles_;        ///< their versions have the keys that the program names
};

/// What a kernel with these parameters passes on to its operator.
std::vector<Value> values_of(const std::vector<Slot>& parameters, const CustomOperator& op);
/// A number, True or False for an argument of the kind.
Value any_number(SchemaValue::Kind kind, ManyChoices& choices);

}  // namespace plumbline::fuzz
