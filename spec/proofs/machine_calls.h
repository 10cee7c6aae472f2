// The machine's statements that make tensors, and those on a tensor's own history.
#pragma once

#include "spec/proofs/machine.h"

namespace plumbline::proofs {

template <Domain D>
void Machine<D>::factory(const Fresh<D>& fresh, const Bool<D>& asked) {
  recorded = false;
  const machine::Made<D> what = machine::new_tensor<D>(judge_, asked, true, heap.tls);
  raise(what.error);
  allocate(fresh, true, true);
  heap.counters.set(fresh.counter, {true, what.version});
  put_if(true, fresh.tensor, made(fresh, what));
}

template <Domain D>
void Machine<D>::functional(TensorId<D> x, TensorId<D> y, const Fresh<D>& fresh, FunctionalKind kind,
                            const Bool<D>& kept) {
  const bool clones = kind == FunctionalKind::clone;
  Call call{.of = *this, .operands = {x, y}, .kept = kept};
  if (kind == FunctionalKind::mul) call.saves = {{y, x}, {x, y}};
  if (kind == FunctionalKind::div) call.saves = {{y, x, false}, {x, y}};
  call.computes = [&](const Ran& ran) {
    const machine::Result<D> kind{inference(x) || inference(y), inference(x), ran.autograd, false, clones};
    const machine::Made<D> what = machine::new_result(judge_, kind, at(x).meta.counted, heap.tls);
    Object<D> t = made(fresh, what);
    Bool<D> copied = false;
    if (clones) when(!ran.autograd, [&] { copied = machine::inner_copy(*this, x, true); });
    recorded = recorded || (ok() && !ran.autograd && copied);
    t.meta.has_grad_fn = recorded;
    t.storage = select(what.shares_storage, at(x).storage, fresh.storage);
    t.counter = select(what.shares_counter, at(x).counter, fresh.counter);
    allocate(fresh, !what.shares_storage, true);
    put_if(true, fresh.tensor, t);
  };
  run(call);
}

template <Domain D>
void Machine<D>::view(TensorId<D> x, const Fresh<D>& fresh, ViewKind kind) {
  const bool detach = kind == ViewKind::detached;
  const bool detaches = detach || kind == ViewKind::retyped;
  Call call{.of = *this,
            .operands = {x},
            .like = OpKind::View,
            .autograd = detaches ? machine::AutogradKernel::detach : machine::AutogradKernel::records};
  call.computes = [&](const Ran& ran) {
    const Bool<D> of_inference = inference(x);
    const Object<D> source = at(x);
    const machine::Made<D> what = machine::new_view(
        judge_, source.meta, of_inference,
        {.detach = detach, .untracked = detaches, .retypes = kind == ViewKind::retyped, .many = kind == ViewKind::many},
        ran.view, heap.tls, [&] { return requires_grad(x); });
    raise(what.error);
    Object<D> t = made(fresh, what);
    t.storage = source.storage;
    t.counter = select(what.shares_counter, source.counter, fresh.counter);
    allocate(fresh, false, !what.shares_counter);
    t.base = select(t.meta.tracked, select(what.base_of_source, source.base, x), fresh.tensor);
    t.meta.has_grad_fn = recorded;
    t.recorded_at = select(t.meta.counted, heap.counters.at(t.counter).version, Num<D>(0));

    if (!detaches) {
      t.family = select(of_inference, fresh.tensor, source.family);
      t.seen = select(of_inference, Num<D>(0), select(recorded, source.seen, heap.tensors.at(t.family).rewritten));
      t.unrecorded = !of_inference && (source.unrecorded || !heap.tls.grad_mode);
      t.one_of_many = !of_inference && (source.one_of_many || Bool<D>(kind == ViewKind::many));
    }
    put_if(true, fresh.tensor, t);
  };
  run(call);
}

template <Domain D>
void Machine<D>::detach_inplace(TensorId<D> x) {
  Call call{
      .of = *this, .operands = {x}, .like = OpKind::InplaceView, .autograd = machine::AutogradKernel::detach_inplace};
  run(call);
  Object<D> t = at(x);
  t.seen = at(t.family).rewritten;
  put_if(call.ran_autograd, x, t);
}

template <Domain D>
void Machine<D>::set_requires_grad(TensorId<D> x, const Bool<D>& value) {
  recorded = false;
  machine::set_requires_grad(*this, x, value, false);
}

template <Domain D>
void Machine<D>::backward(TensorId<D> x) {
  recorded = false;
  const Object<D> t = at(x);
  when(t.saved,
       [&] { machine::check_unpack<Machine>(*this, x, {true, t.saved_grad_fn, t.saved_version, version(x)}); });
}

template <Domain D>
void Machine<D>::get_data(TensorId<D> x, const Fresh<D>& fresh) {
  recorded = false;
  const Object<D> source = at(x);
  const machine::Made<D> what = machine::new_data(judge_, source.meta, requires_grad(x), heap.tls);
  Object<D> t = made(fresh, what);
  t.counter = select(what.shares_counter, source.counter, fresh.counter);
  t.base = select(t.meta.tracked, x, fresh.tensor);
  t.storage = select(what.shares_storage, source.storage, fresh.storage);
  allocate(fresh, !what.shares_storage, !what.shares_counter && what.meta.counted);
  heap.tensors.set(fresh.tensor, t);
}

template <Domain D>
void Machine<D>::set_data(TensorId<D> x, TensorId<D> y, const Fresh<D>& fresh) {
  recorded = false;
  Object<D> t = at(x);
  const Object<D> data = at(y);
  const machine::Made<D> what =
      machine::after_set_data<D>(judge_, {t.meta, requires_grad(x), true}, {data.meta, requires_grad(y), true});
  raise(what.error);
  t.meta = what.meta;
  t.counter = select(what.shares_counter, data.counter, t.counter);
  t.storage = select(what.shares_storage, data.storage, fresh.storage);
  allocate(fresh, !what.shares_storage, false);
  heap.tensors.set(x, t);
}

}  // namespace plumbline::proofs
