// The machine's statements that write: in place, to `out`, and by exchanging storage.
#pragma once

#include "spec/proofs/machine.h"

namespace plumbline::proofs {

template <Domain D>
void Machine<D>::count(TensorId<D> x, const Num<D>& versions, Here here) {
  if (machine::is_dropped(here)) return;
  const CounterId<D> counter = at(x).counter;
  VersionCounter<D> moved = heap.counters.at(counter);
  moved.version = moved.version + versions;
  heap.counters.set(counter, select(path_ && at(x).meta.counted && ok(), moved, heap.counters.at(counter)));
}

template <Domain D>
void Machine<D>::write_memory(TensorId<D> x, WriteKind kind, const Bool<D>& raises) {
  fail(raises);
  Memory<D> written = heap.storages.at(at(x).storage);
  written.data = written.data + Num<D>(1);
  if (kind != WriteKind::layout)
    heap.storages.set(at(x).storage, select(path_ && ok() && !raises, written, heap.storages.at(at(x).storage)));
  Object<D> laid = at(x);
  laid.layout = laid.layout + Num<D>(1);
  if (kind != WriteKind::elements) put_if(!raises, x, laid);
}

/// The base of x has the history of the call that wrote x.
template <Domain D>
void Machine<D>::record_write_of_view(TensorId<D> x, Here here) {
  if (machine::is_dropped(here)) return;
  const TensorId<D> of = at(x).base;
  Object<D> base = at(of);
  base.meta.has_grad_fn = true;
  base.recorded_at = select(base.meta.counted, version(of), base.recorded_at);
  base.seen = at(at(x).family).rewritten;
  put_if(true, of, base);
}
/// x has the history of its present elements.
template <Domain D>
void Machine<D>::record_write(TensorId<D> x, Here here) {
  if (machine::is_dropped(here)) return;
  Object<D> now = at(x);
  now.meta.has_grad_fn = true;
  now.recorded_at = select(now.meta.counted, version(x), now.recorded_at);
  now.seen = at(now.family).rewritten;
  put_if(true, x, now);
}
/// x has the history of its base.
template <Domain D>
void Machine<D>::regenerate_history(TensorId<D> x, Here here) {
  if (machine::is_dropped(here)) return;
  Object<D> t = at(x);
  const Object<D> base = at(t.base);
  t.meta.has_grad_fn = t.meta.has_grad_fn || base.meta.has_grad_fn || base.meta.requires_grad;
  t.recorded_at = select(t.meta.counted, version(x), t.recorded_at);
  t.seen = base.seen;
  put_if(true, x, t);
}

template <Domain D>
void Machine<D>::count_recorded_write(TensorId<D> x) {
  Object<D> first = at(at(x).family);
  first.rewritten = first.rewritten + Num<D>(1);
  put_if(true, at(x).family, first);
}
template <Domain D>
void Machine<D>::rebase(TensorId<D> x) {
  count_recorded_write(x);
  machine::rebase_history(*this, x);
}

template <Domain D>
void Machine<D>::write(TensorId<D> x, TensorId<D> y, WriteKind kind, bool saves, const Bool<D>& raises,
                       const Bool<D>& kept) {
  using enum machine::AutogradKernel;
  const bool elements = kind == WriteKind::elements;
  Call call{.of = *this,
            .operands = {x},
            .like = elements ? OpKind::Inplace : OpKind::InplaceView,
            .autograd = records,
            .rebases = true,
            .kept = kept};
  if (elements) call.operands.push_back(y);
  if (saves) call.saves = {{y, x}};  // it saves a copy of x
  call.computes = [&](const Ran&) { write_memory(x, kind, raises); };
  run(call);
}

template <Domain D>
void Machine<D>::resize(TensorId<D> x, const machine::Resizing<D>& to, const Bool<D>& raises) {
  Call call{.of = *this,
            .operands = {x},
            .like = OpKind::InplaceView,
            .autograd = machine::AutogradKernel::resize,
            .resizes = to,
            .rebases = true};
  call.computes = [&](const Ran&) {
    when(to.sizes, [&] { write_memory(x, WriteKind::resize, raises); });
    when(!to.sizes && to.strides, [&] { write_memory(x, WriteKind::layout, raises); });
    when(!to.sizes && !to.strides, [&] { fail(raises); });
  };
  run(call);
}

template <Domain D>
void Machine<D>::out(TensorId<D> x, TensorId<D> y, TensorId<D> z, const Bool<D>& differentiable,
                     const Bool<D>& raises) {
  Call call{.of = *this,
            .operands = {x, y, z},
            .like = OpKind::Out,
            .autograd = machine::AutogradKernel::out,
            .refuses = differentiable};
  call.computes = [&](const Ran&) { write_memory(z, WriteKind::elements, raises); };
  run(call);
}

template <Domain D>
void Machine<D>::set_source(TensorId<D> x, TensorId<D> y, const Fresh<D>& fresh) {
  Call call{.of = *this, .operands = {x, y}, .like = OpKind::InplaceView, .rebases = true};
  call.computes = [&](const Ran&) {
    write_memory(x, WriteKind::layout, false);
    Object<D> t = at(x);
    const machine::Made<D> what = machine::after_set_source(judge_, t.meta, at(y).meta);
    t.meta = what.meta;
    t.storage = select(what.shares_storage, at(y).storage, fresh.storage);
    put_if(true, x, t);
    allocate(fresh, !what.shares_storage, false);
  };
  run(call);
}

template <Domain D>
void Machine<D>::raw_write(TensorId<D> x) {
  recorded = false;
  Memory<D> written = heap.storages.at(at(x).storage);
  written.data = written.data + Num<D>(1);
  heap.storages.set(at(x).storage, written);
}

}  // namespace plumbline::proofs
