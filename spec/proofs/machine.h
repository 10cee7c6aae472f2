// One statement on a heap: spec/machine on terms, and the ghosts of the proofs. What only a kernel decides is free
// here, and the reference computes it; prove/tests/two_worlds_test.cpp runs random programs in both worlds.
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "spec/machine/backward.h"
#include "spec/machine/custom_function.h"
#include "spec/machine/guards.h"
#include "spec/machine/kernels.h"
#include "spec/machine/made.h"
#include "spec/proofs/heap.h"

namespace plumbline::proofs {

/// New names for the results of a statement.
template <Domain D>
struct Fresh {
  TensorId<D> tensor;
  StorageId<D> storage;
  CounterId<D> counter;
};

/// What a functional op saves for backward, and what its kernel calls.
enum class FunctionalKind : std::uint8_t {
  add,   ///< saves nothing
  mul,   ///< saves each argument for the other's gradient
  div,   ///< saves y in any case, and x for y's gradient
  clone  ///< calls copy_, which reaches an Autograd kernel if none ran before
};
/// What a writing op changes.
enum class WriteKind : std::uint8_t {
  elements,  ///< add_
  layout,    ///< transpose_: only sizes and strides
  resize     ///< resize_ to other sizes
};
/// How autograd treats a view op.
enum class ViewKind : std::uint8_t {
  plain,    ///< view
  many,     ///< one of the results of split
  retyped,  ///< view(dtype), which autograd does not track
  detached  ///< detach
};

/// What arrives at a leaf in backward.
template <Domain D>
struct Arrival {
  TensorId<D> leaf;
  TensorId<D> gradient;
  TensorId<D> old;  ///< the leaf's `.grad`, if it `finds` one
  Bool<D> finds;
  Bool<D> fits;  ///< no one else holds the gradient, and it has the leaf's layout
};
/// How a custom function returns a tensor.
template <Domain D>
struct Wrapping {
  TensorId<D> x;
  Bool<D> recorded;  ///< apply is recorded
  Bool<D> input;
  Bool<D> dirty;
  Bool<D> marked;  ///< as not differentiable
  Bool<D> many;    ///< forward returned several tensors
};

/// Runs statements on `heap`, and is the world that spec/machine runs on. `error` is the error of the last statement.
template <Domain D>
class Machine {
 public:
  using Domain = D;
  using Name = TensorId<D>;

  Machine(const Judge<D>& judge, Heap<D> heap) : heap(std::move(heap)), judge_(judge) {}

  Heap<D> heap;
  Error<D> error = ErrorClass::none;
  Bool<D> recorded;  ///< the last call was recorded for backward

  Bool<D> ok() const { return error == Error<D>(ErrorClass::none); }
  const Bool<D>& path() const { return path_; }  ///< the condition of the path that runs
  Bool<D> inference(TensorId<D> x) const { return machine::inference(*this, x); }
  Bool<D> requires_grad(TensorId<D> x) const { return machine::requires_grad(*this, x); }
  Num<D> version(TensorId<D> x) const { return heap.counters.at(at(x).counter).version; }
  KeySet<D> keys(TensorId<D> x) const { return machine::keys(*this, x); }

  void factory(const Fresh<D>& fresh, const Bool<D>& asked);
  /// `kept`: from now on the proofs look at the tensors that this call saves. For clone y is x.
  void functional(TensorId<D> x, TensorId<D> y, const Fresh<D>& fresh, FunctionalKind kind, const Bool<D>& kept);
  void view(TensorId<D> x, const Fresh<D>& fresh, ViewKind kind);
  /// `x.add_(y)`, `x.mul_(y)` or `x.transpose_(…)` (then y is x); `raises`: its kernel raises an error.
  void write(TensorId<D> x, TensorId<D> y, WriteKind kind, bool saves, const Bool<D>& raises, const Bool<D>& kept);
  /// `x.resize_(…)`
  void resize(TensorId<D> x, const machine::Resizing<D>& to, const Bool<D>& raises);
  /// `add(x, y, out=z)`.
  void out(TensorId<D> x, TensorId<D> y, TensorId<D> z, const Bool<D>& differentiable, const Bool<D>& raises);
  void detach_inplace(TensorId<D> x);
  void set_requires_grad(TensorId<D> x, const Bool<D>& value);
  /// Asks for x's history, as reading `grad_fn` does.
  void ask(TensorId<D> x) { machine::ask_history(*this, x); }
  /// A backward that needs what was saved of x.
  void backward(TensorId<D> x);
  /// A gradient arrives at a leaf: part of a backward.
  void accumulate(const Arrival<D>& arrival, const Fresh<D>& fresh);
  /// A tensor comes out of `apply`, whose forward has ended.
  void wrap(const Wrapping<D>& of, const Fresh<D>& fresh);
  /// Unsafe: `x.data`, `x.data = y`, `x.set_(y)`.
  void get_data(TensorId<D> x, const Fresh<D>& fresh);
  void set_data(TensorId<D> x, TensorId<D> y, const Fresh<D>& fresh);
  void set_source(TensorId<D> x, TensorId<D> y, const Fresh<D>& fresh);
  /// Unsafe: the kernel of a custom op that writes x through its pointer, with no ADInplaceOrView kernel before it. A
  /// kernel that calls ops of the table is a program of its own.
  void raw_write(TensorId<D> x);

  void enter(const machine::Guard<D>& guard) { machine::enter(*this, guard); }
  void leave(const Bool<D>& raised) { machine::leave(*this, raised); }

  // The world of spec/machine.
  const Judge<D>& judge() const { return judge_; }
  const Tls<D>& tls() const { return heap.tls; }
  void set_tls(const Tls<D>& tls) { heap.tls = tls; }
  void open_frame(const machine::Found<D>& found) {
    heap.frames.set(heap.depth, {found.tls, found.whole});
    heap.depth = heap.depth + Num<D>(1);
  }
  machine::Found<D> frame() const {
    const Frame<D> innermost = heap.frames.at(heap.depth - Num<D>(1));
    return {innermost.found, innermost.whole};
  }
  void close_frame() { heap.depth = heap.depth - Num<D>(1); }
  Meta<D> meta(TensorId<D> x) const { return at(x).meta; }
  void set_meta(TensorId<D> x, const Meta<D>& meta, Here here = Here::current()) {
    if (machine::is_dropped(here)) return;
    Object<D> t = at(x);
    t.meta = meta;
    put_if(true, x, t);
  }
  TensorId<D> base(TensorId<D> x) const { return at(x).base; }
  Bool<D> floating(TensorId<D> /*x*/) const { return true; }
  Num<D> elements(TensorId<D> /*x*/) const { return 1; }
  Bool<D> history_is_current(TensorId<D> x) const { return at(x).recorded_at == version(x); }
  template <class Then>
  void when(const Bool<D>& asked, const Then& then, Here here = Here::current()) {
    if (machine::is_dropped(here)) return;
    const Bool<D> condition = machine::path_condition(asked, here);
    if constexpr (machine::kDecided<D>) {
      if (condition.v && ok().v) then();
    } else {
      if (condition.v.t == truth(false)) return;
      const Bool<D> outer = path_;
      path_ = path_ && condition;
      then();
      path_ = outer;
    }
  }
  /// In `then`, a kernel fails by `fail`.
  template <class Then, class Failed>
  void attempt(const Then& then, const Failed& failed) {
    then();
    when(failed_, failed);
    raise_if(failed_, ErrorClass::dim_range);
    failed_ = false;
  }
  void raise(const Error<D>& e, TensorId<D> /*about*/, Here here = Here::current()) {
    if (!machine::is_dropped(here)) raise(e);
  }
  void raise_after_write(const Error<D>& e, TensorId<D> about, Here here = Here::current()) { raise(e, about, here); }
  void count(TensorId<D> x, const Num<D>& versions, Here here = Here::current());
  void regenerate_history(TensorId<D> x, Here here = Here::current());
  void record_write(TensorId<D> x, Here here = Here::current());
  void record_write_of_view(TensorId<D> x, Here here = Here::current());

 private:
  using Ran = machine::Ran<D>;

  /// What a graph keeps of a saved tensor.
  struct Held {
    Num<D> version;
    Bool<D> has_grad_fn;
    Num<D> data;
  };

  Object<D> at(TensorId<D> x) const { return heap.tensors.at(x); }
  void raise(const Error<D>& e) { error = first_error(error, select(path_, e, Error<D>(ErrorClass::none))); }
  void raise_if(const Bool<D>& condition, const Error<D>& e) {
    raise(select(condition, e, Error<D>(ErrorClass::none)));
  }
  void put_if(const Bool<D>& condition, TensorId<D> x, const Object<D>& object) {
    heap.tensors.set(x, select(condition && path_ && ok(), object, at(x)));
  }

  /// An argument that a recorded call saves; if `guarded`, only for the gradient of its partner.
  struct Saved {
    TensorId<D> x;
    TensorId<D> partner;
    bool guarded = true;
    Bool<D> needed = false;
  };

  /// A call (machine::Dispatched).
  struct Call {
    Machine& of;
    std::vector<TensorId<D>> operands;
    OpKind like = OpKind::Functional;
    machine::AutogradKernel autograd = machine::AutogradKernel::records;
    Bool<D> refuses = false;     ///< with out=, it refuses arguments that require grad
    std::vector<Saved> saves{};  ///< what it saves, if anything
    machine::Resizing<D> resizes{};
    std::function<void(const Ran&)> computes{};  ///< the kernel of the backend
    bool rebases = false;                        ///< if recorded, it gives what it writes a new history
    Bool<D> kept = false;                        ///< the proofs look at what it saves
    Bool<D> ran_autograd = false;

    machine::AutogradKernel autograd_kernel() const { return autograd; }
    const std::vector<TensorId<D>>& tensors() const { return operands; }
    const std::vector<TensorId<D>>& derivable() const { return operands; }
    OpKind kind() const { return like; }
    bool writes() const { return like == OpKind::Inplace || like == OpKind::InplaceView || like == OpKind::Out; }
    bool views() const { return like == OpKind::View; }
    TensorId<D> written() const { return like == OpKind::Out ? operands.back() : operands.front(); }
    std::vector<TensorId<D>> others() const;
    Bool<D> refuses_gradients(const Bool<D>& /*any*/) const { return refuses; }
    Bool<D> recordable(const Bool<D>& /*asked*/) const { return true; }
    bool writes_something() const { return true; }
    const machine::Resizing<D>& resizing() const { return resizes; }
    std::int64_t times() const { return 1; }
    void reach(Functionality kernel, const KeySet<D>& /*keys*/) {
      if (kernel == Functionality::Autograd) ran_autograd = ran_autograd || of.path_;
    }
    std::size_t needs() const { return saves.size(); }
    bool is_guarded(std::size_t need) const { return saves[need].guarded; }
    std::vector<TensorId<D>> partners(std::size_t need) const { return {saves[need].partner}; }
    std::vector<TensorId<D>> saved_arguments(std::size_t need) const { return {saves[need].x}; }
    void set_needed(std::size_t need, const Bool<D>& needed) { saves[need].needed = needed; }
    void backend(const Ran& ran) const {
      if (computes) computes(ran);
    }
    template <class Below>
    void record(const Bool<D>& asked, const Below& below);
  };

  class Arrived;
  class Returned;

  /// Runs it, and says in `recorded` whether it was recorded.
  void run(Call& call);
  /// Runs `then` while grad mode is off.
  template <class Then>
  void without_grad(const Then& then) {
    const Bool<D> before = heap.tls.grad_mode;
    heap.tls.grad_mode = false;
    then();
    heap.tls.grad_mode = before;
  }
  Held held(TensorId<D> x) const { return {version(x), at(x).meta.has_grad_fn, heap.storages.at(at(x).storage).data}; }
  void save(TensorId<D> x, const Held& held, const Bool<D>& needed);
  /// The backend's kernel of a write; `raises`: it raises an error, having written nothing.
  void write_memory(TensorId<D> x, WriteKind kind, const Bool<D>& raises);
  /// A kernel raises an error on the paths where `condition` holds.
  void fail(const Bool<D>& condition) { failed_ = failed_ || (condition && path_ && ok()); }
  /// Gives the written tensor and its base the history of the write.
  void rebase(TensorId<D> x);
  /// A ghost: the family of x has one more recorded write.
  void count_recorded_write(TensorId<D> x);
  Object<D> made(const Fresh<D>& fresh, const machine::Made<D>& what) const;
  void allocate(const Fresh<D>& fresh, const Bool<D>& memory, const Bool<D>& counter);

  const Judge<D>& judge_;
  Bool<D> path_ = true;     ///< the condition of the path that spec/machine is on
  Bool<D> failed_ = false;  ///< the backend's kernel has failed; `attempt` raises the error
};

template <Domain D>
auto Machine<D>::Call::others() const -> std::vector<TensorId<D>> {
  std::vector<TensorId<D>> left = operands;
  if (writes()) left.erase(like == OpKind::Out ? left.end() - 1 : left.begin());
  return left;
}

template <Domain D>
template <class Below>
void Machine<D>::Call::record(const Bool<D>& asked, const Below& below) {
  of.recorded = of.recorded || (asked && of.ok());
  const std::vector<Saved> mine = saves;
  std::vector<Held> held;
  for (const Saved& one : mine) held.push_back(of.held(one.x));
  below();
  of.recorded = of.recorded && of.ok();
  of.when(asked, [&] {
    if (rebases) of.rebase(written());
    for (std::size_t i = 0; i < mine.size(); ++i) of.save(mine[i].x, held[i], mine[i].needed && kept);
  });
}

template <Domain D>
void Machine<D>::run(Call& call) {
  recorded = false;
  std::vector<KeySet<D>> brought;
  for (const TensorId<D>& x : call.operands) brought.push_back(keys(x));
  machine::run_kernels(*this, call, machine::call_keys(judge_, machine::joined_keys(judge_, brought), heap.tls));
}

template <Domain D>
void Machine<D>::save(TensorId<D> x, const Held& held, const Bool<D>& needed) {
  Object<D> t = at(x);
  t.saved = true;
  t.saved_version = held.version;
  t.saved_grad_fn = held.has_grad_fn;
  t.saved_data = held.data;
  put_if(needed, x, t);
}

/// A new tensor that shares nothing; the caller says what it shares.
template <Domain D>
Object<D> Machine<D>::made(const Fresh<D>& fresh, const machine::Made<D>& what) const {
  Object<D> t;
  t.live = true;
  t.meta = what.meta;
  t.storage = fresh.storage;
  t.counter = fresh.counter;
  t.base = fresh.tensor;
  t.family = fresh.tensor;
  return t;
}

template <Domain D>
void Machine<D>::allocate(const Fresh<D>& fresh, const Bool<D>& memory, const Bool<D>& counter) {
  const Bool<D> now = path_ && ok();
  heap.storages.set(fresh.storage, select(memory && now, Memory<D>{true, 0}, heap.storages.at(fresh.storage)));
  heap.counters.set(fresh.counter, select(counter && now, VersionCounter<D>{true, 0}, heap.counters.at(fresh.counter)));
}

}  // namespace plumbline::proofs

#include "spec/proofs/machine_backward.h"
#include "spec/proofs/machine_calls.h"
#include "spec/proofs/machine_writes.h"
