// The machine's statements that write: in place, to `out`, and by exchanging storage.
#pragma once

#include "spec/proofs/machine.h"

namespace plumbline::proofs {

template <Domain D>
void Machine<D>::count(TensorId<D> x, const Num<D>& versions) {
  const CounterId<D> counter = at(x).counter;
  VersionCounter<D> moved = heap.counters.at(counter);
  moved.version = moved.version + versions;
  heap.counters.set(counter, select(path_ && at(x).meta.counted && ok(), moved, heap.counters.at(counter)));
}

/// From the ADInplaceOrView kernel down: the check in its place, the kernel, the version bump.
template <Domain D>
Bool<D> Machine<D>::write_memory(TensorId<D> x, const Way& way, const Bool<D>& operand, WriteKind kind,
                                 const Bool<D>& raises) {
  const bool layout_only = kind != WriteKind::elements;
  const machine::Write<Machine> write{x, operand, layout_only};
  when(way.view, [&] { machine::before_write(*this, write); });
  const Bool<D> runs = ok();
  Memory<D> written = heap.storages.at(at(x).storage);
  written.data = written.data + Num<D>(1);
  if (kind != WriteKind::layout)
    heap.storages.set(at(x).storage, select(runs && !raises, written, heap.storages.at(at(x).storage)));
  Object<D> laid = at(x);
  laid.layout = laid.layout + Num<D>(1);
  if (layout_only) heap.tensors.set(x, select(runs && !raises, laid, at(x)));
  when(way.view && raises, [&] { machine::after_failed_write(*this, x); });
  raise_if(raises, ErrorClass::dim_range);
  when(way.view, [&] { machine::after_write(*this, write); });
  return runs && !raises;
}

/// The base of x has the history of the call that wrote x.
template <Domain D>
void Machine<D>::record_write_of_view(TensorId<D> x) {
  const TensorId<D> of = at(x).base;
  Object<D> base = at(of);
  base.meta.has_grad_fn = true;
  base.recorded_at = select(base.meta.counted, version(of), base.recorded_at);
  base.seen = at(at(x).family).rewritten;
  put_if(true, of, base);
}
/// x has the history of its present elements.
template <Domain D>
void Machine<D>::record_write(TensorId<D> x) {
  Object<D> now = at(x);
  now.meta.has_grad_fn = true;
  now.recorded_at = select(now.meta.counted, version(x), now.recorded_at);
  now.seen = at(now.family).rewritten;
  put_if(true, x, now);
}
/// x has the history of its base.
template <Domain D>
void Machine<D>::regenerate_history(TensorId<D> x) {
  Object<D> t = at(x);
  const Object<D> base = at(t.base);
  t.meta.has_grad_fn = t.meta.has_grad_fn || base.meta.has_grad_fn || base.meta.requires_grad;
  t.recorded_at = select(t.meta.counted, version(x), t.recorded_at);
  t.seen = base.seen;
  put_if(true, x, t);
}

/// Gives the written tensor and its base the history of the write.
template <Domain D>
void Machine<D>::rebase(TensorId<D> x, const Bool<D>& asked) {
  when(asked, [&] {
    Object<D> first = at(at(x).family);
    first.rewritten = first.rewritten + Num<D>(1);
    put_if(true, at(x).family, first);
    machine::rebase_history(*this, x);
  });
}

template <Domain D>
void Machine<D>::write(TensorId<D> x, TensorId<D> y, WriteKind kind, bool saves, const Bool<D>& raises,
                       const Bool<D>& kept) {
  const bool resizes = kind == WriteKind::resize;
  const OpKind table = kind == WriteKind::elements ? OpKind::Inplace : OpKind::InplaceView;
  Way way = this->way({x, y}, table);
  if (resizes) way.view = way.view && resize_counts(judge_);
  Bool<D> saves_y;
  Call call{{x, y}, resizes ? machine::AutogradKernel::resize : machine::AutogradKernel::records, table};
  if (saves)
    call.saves = [&] {
      saves_y = saves_input(judge_, at(x).meta);  // it saves a copy of x
      when(saves_y, [&] { machine::check_saved(*this, y); });
    };
  run_autograd(way, call);
  saves_y = saves_y && recorded;
  const Held y_held = held(y);
  write_memory(x, way, Bool<D>(kind == WriteKind::elements) && inference(y), kind, raises);
  recorded = recorded && ok();
  rebase(x, recorded);
  save(y, y_held, saves_y && kept);
}

template <Domain D>
void Machine<D>::out(TensorId<D> x, TensorId<D> y, TensorId<D> z, const Bool<D>& differentiable,
                     const Bool<D>& raises) {
  const Way way = this->way({x, y, z}, OpKind::Out);
  run_autograd(way, {{x, y, z}, machine::AutogradKernel::out, OpKind::Out, differentiable});
  write_memory(z, way, inference(x) || inference(y), WriteKind::elements, raises);
}

template <Domain D>
void Machine<D>::set_source(TensorId<D> x, TensorId<D> y, const Fresh<D>& fresh) {
  const Way way = this->way({x, y}, OpKind::InplaceView);
  run_autograd(way, {{x, y}, machine::AutogradKernel::records, OpKind::InplaceView});
  const Bool<D> ran = write_memory(x, way, inference(y), WriteKind::layout, false);
  Object<D> t = at(x);
  const machine::Made<D> what = machine::after_set_source(judge_, t.meta, at(y).meta);
  t.meta = what.meta;
  t.storage = select(what.shares_storage, at(y).storage, fresh.storage);
  heap.tensors.set(x, select(ran, t, at(x)));
  heap.storages.set(fresh.storage,
                    select(ran && !what.shares_storage, Memory<D>{true, 0}, heap.storages.at(fresh.storage)));
  recorded = recorded && ok();
  rebase(x, recorded);
}

template <Domain D>
void Machine<D>::raw_write(TensorId<D> x) {
  recorded = false;
  Memory<D> written = heap.storages.at(at(x).storage);
  written.data = written.data + Num<D>(1);
  heap.storages.set(at(x).storage, written);
}

}  // namespace plumbline::proofs
