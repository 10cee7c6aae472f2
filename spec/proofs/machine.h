// One statement on a heap: the rules in the order of reference/call.cpp. prove/tests/machine_agreement_test.cpp checks
// with random programs that both do the same.
#pragma once

#include <initializer_list>

#include "spec/proofs/heap.h"
#include "spec/rules/aut_backward.h"
#include "spec/rules/geo_exchange.h"
#include "spec/rules/geo_memory.h"
#include "spec/rules/view.h"

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

/// Runs statements on `heap`. `error` is the error of the last one.
template <Domain D>
class Machine {
 public:
  Machine(const Judge<D>& judge, Heap<D> heap) : heap(std::move(heap)), judge_(judge) {}

  Heap<D> heap;
  Error<D> error = ErrorClass::none;
  Bool<D> recorded;  ///< the last call was recorded for backward

  Bool<D> ok() const { return error == Error<D>(ErrorClass::none); }
  Bool<D> inference(TensorId<D> x) const { return is_inference(judge_, at(x).meta, heap.tls); }
  /// requires_grad as read.
  Bool<D> grad(TensorId<D> x) const {
    const Object<D> t = at(x);
    return requires_grad(judge_, t.meta, requires_grad(judge_, at(t.base).meta, Bool<D>(false)));
  }
  Num<D> version(TensorId<D> x) const { return heap.counters.at(at(x).counter).version; }
  KeySet<D> keys(TensorId<D> x) const { return carried_keys(judge_, at(x).meta.keys, grad(x)); }

  void factory(const Fresh<D>& fresh, const Bool<D>& asked);
  /// `kept`: from now on the proofs look at the tensors that this call saves. For clone y is x.
  void functional(TensorId<D> x, TensorId<D> y, const Fresh<D>& fresh, FunctionalKind kind, const Bool<D>& kept);
  void view(TensorId<D> x, const Fresh<D>& fresh, ViewKind kind);
  /// `x.add_(y)`, `x.mul_(y)`, `x.transpose_(…)` or `x.resize_(…)` (then y is x); `raises`: its kernel raises an error.
  void write(TensorId<D> x, TensorId<D> y, WriteKind kind, bool saves, const Bool<D>& raises, const Bool<D>& kept);
  /// `add(x, y, out=z)`.
  void out(TensorId<D> x, TensorId<D> y, TensorId<D> z, const Bool<D>& differentiable, const Bool<D>& raises);
  void detach_inplace(TensorId<D> x);
  void set_requires_grad(TensorId<D> x, const Bool<D>& value);
  /// Asks for x's history, as reading `grad_fn` does.
  void ask(TensorId<D> x) { ask_if(x, Bool<D>(true)); }
  /// A backward that needs what was saved of x.
  void backward(TensorId<D> x);
  /// Unsafe: `x.data`, `x.data = y`, `x.set_(y)`.
  void get_data(TensorId<D> x, const Fresh<D>& fresh);
  void set_data(TensorId<D> x, TensorId<D> y, const Fresh<D>& fresh);
  void set_source(TensorId<D> x, TensorId<D> y, const Fresh<D>& fresh);
  /// Unsafe: the kernel of a custom op that writes x through its pointer, with no ADInplaceOrView kernel before it. A
  /// kernel that calls ops of the table is a program of its own.
  void raw_write(TensorId<D> x);

  /// `whole`: the guard is InferenceMode.
  void enter(const Tls<D>& inside, bool whole = false) {
    heap.frames.set(heap.depth, {heap.tls, whole});
    heap.depth = heap.depth + Num<D>(1);
    heap.tls = inside;
  }
  void leave(const Bool<D>& raised) {
    heap.depth = heap.depth - Num<D>(1);
    const Frame<D> frame = heap.frames.at(heap.depth);
    heap.tls = select(frame.whole, leave_guard(judge_, frame.found, heap.tls, raised, true),
                      leave_guard(judge_, frame.found, heap.tls, raised, false));
  }

 private:
  /// The kernels that a call runs before that of the backend.
  struct Way {
    Bool<D> autograd;
    Bool<D> view;  ///< the ADInplaceOrView kernel
  };

  /// What a graph keeps of a saved tensor.
  struct Held {
    Num<D> version;
    Num<D> data;
  };

  Object<D> at(TensorId<D> x) const { return heap.tensors.at(x); }
  void raise(const Error<D>& e) { error = first_error(error, e); }
  void raise_if(const Bool<D>& condition, const Error<D>& e) {
    raise(select(condition, e, Error<D>(ErrorClass::none)));
  }
  void put_if(const Bool<D>& condition, TensorId<D> x, const Object<D>& object) {
    heap.tensors.set(x, select(condition && ok(), object, at(x)));
  }

  Way way(std::initializer_list<TensorId<D>> operands, OpKind kind) const;
  void check_operands(const Way& way, std::initializer_list<TensorId<D>> operands);
  void ask_if(TensorId<D> x, const Bool<D>& asked);
  void check_save_of(TensorId<D> x, const Bool<D>& needed);
  Held held(TensorId<D> x) const { return {version(x), heap.storages.at(at(x).storage).data}; }
  void save(TensorId<D> x, const Held& held, const Bool<D>& needed);
  void check_write(TensorId<D> x);
  Bool<D> write_memory(TensorId<D> x, const Way& way, const Bool<D>& operand, WriteKind kind, const Bool<D>& raises);
  void rebase(TensorId<D> x, const Bool<D>& asked);
  void count(TensorId<D> x, const Bool<D>& condition, const Num<D>& step);
  Object<D> made(const Fresh<D>& fresh, const Bool<D>& inference) const;
  void allocate(const Fresh<D>& fresh, const Bool<D>& memory, const Bool<D>& counter);

  const Judge<D>& judge_;
};

template <Domain D>
auto Machine<D>::way(std::initializer_list<TensorId<D>> operands, OpKind kind) const -> Way {
  using F = Choice<D, Functionality>;
  KeySet<D> all;
  for (const TensorId<D>& x : operands) all = join_keys(judge_, all, keys(x));
  const KeySet<D> call = effective_keys(judge_, all, heap.tls.included, heap.tls.excluded);
  const Bool<D> grad = next_kernel(judge_, call, kind) == F(Functionality::Autograd);
  const KeySet<D> below = select(grad, keys_below(judge_, call, Functionality::Autograd), call);
  const Bool<D> view = next_kernel(judge_, below, kind) == F(Functionality::ADInplaceOrView);
  const KeySet<D> last = keys_below(judge_, below, Functionality::ADInplaceOrView);
  const Bool<D> late = view && next_kernel(judge_, last, kind) == F(Functionality::Autograd);
  return {grad || late, view};
}

template <Domain D>
void Machine<D>::check_operands(const Way& way, std::initializer_list<TensorId<D>> operands) {
  Bool<D> any = false;
  Bool<D> made_inside = false;
  for (const TensorId<D>& x : operands) {
    any = any || inference(x);
    made_inside = made_inside || (at(x).meta.tracked && was_made_inside(at(x).meta.creation));
  }
  raise_if(way.autograd, check_mixed(judge_, any, made_inside));
}

template <Domain D>
void Machine<D>::ask_if(TensorId<D> x, const Bool<D>& asked) {
  Object<D> t = at(x);
  const Bool<D> concerned = t.meta.tracked && t.meta.counted && (t.meta.has_grad_fn || grad(t.base)) &&
                            !(t.recorded_at == version(x)) && asked;
  const StaleHistory<D> stale = ask_stale_history(judge_, t.meta);
  raise_if(concerned, stale.error);
  const Object<D> base = at(t.base);
  t.meta.has_grad_fn = t.meta.has_grad_fn || base.meta.has_grad_fn || base.meta.requires_grad;
  t.recorded_at = version(x);
  t.seen = base.seen;
  put_if(concerned && stale.regenerated, x, t);
}

template <Domain D>
void Machine<D>::check_save_of(TensorId<D> x, const Bool<D>& needed) {
  raise_if(needed, check_save(judge_, inference(x)));
  raise_if(needed && !inference(x), check_tracked_counter(judge_, at(x).meta.counted));
}

template <Domain D>
void Machine<D>::save(TensorId<D> x, const Held& held, const Bool<D>& needed) {
  Object<D> t = at(x);
  t.saved = true;
  t.saved_version = held.version;
  t.saved_data = held.data;
  put_if(needed, x, t);
}

template <Domain D>
Object<D> Machine<D>::made(const Fresh<D>& fresh, const Bool<D>& inference) const {
  Object<D> t;
  t.live = true;
  t.meta.keys = tensor_keys(judge_, inference);
  t.meta.counted = fresh_counted(judge_, inference);
  t.storage = fresh.storage;
  t.counter = fresh.counter;
  t.base = fresh.tensor;
  t.family = fresh.tensor;
  return t;
}

template <Domain D>
void Machine<D>::allocate(const Fresh<D>& fresh, const Bool<D>& memory, const Bool<D>& counter) {
  heap.storages.set(fresh.storage, select(memory && ok(), Memory<D>{true, 0}, heap.storages.at(fresh.storage)));
  heap.counters.set(fresh.counter,
                    select(counter && ok(), VersionCounter<D>{true, 0}, heap.counters.at(fresh.counter)));
}

}  // namespace plumbline::proofs

#include "spec/proofs/machine_calls.h"
#include "spec/proofs/machine_writes.h"
