// The machine's statements that write: in place, to `out`, and by exchanging storage.
#pragma once

#include "spec/proofs/machine.h"

namespace plumbline::proofs {

template <Domain D>
void Machine<D>::check_write(TensorId<D> x) {
  ask_if(x, recorded && leaf_checks_ask_history(judge_));
  const Object<D> t = at(x);
  const Bool<D> needs = grad(x);
  const Bool<D> base_leaf = is_leaf(judge_, at(t.base).meta, grad(t.base));
  raise_if(recorded, check_leaf(judge_, t.meta, needs, is_leaf(judge_, t.meta, needs), t.meta.tracked && base_leaf));
}

template <Domain D>
void Machine<D>::count(TensorId<D> x, const Bool<D>& condition, const Num<D>& step) {
  const CounterId<D> counter = at(x).counter;
  VersionCounter<D> moved = heap.counters.at(counter);
  moved.version = moved.version + step;
  heap.counters.set(counter, select(condition && at(x).meta.counted, moved, heap.counters.at(counter)));
}

/// From the ADInplaceOrView kernel down: the check in its place, the kernel, the version bump.
template <Domain D>
Bool<D> Machine<D>::write_memory(TensorId<D> x, const Way& way, const Bool<D>& operand, WriteKind kind,
                                 const Bool<D>& raises) {
  const bool layout_only = kind != WriteKind::elements;
  const Error<D> barred = check_inplace_inference(judge_, !at(x).meta.counted, operand, layout_only, heap.tls);
  const Bool<D> before = checks_before_write(judge_);
  raise_if(way.view && before, barred);
  const Bool<D> runs = ok();
  Memory<D> written = heap.storages.at(at(x).storage);
  written.data = written.data + Num<D>(1);
  if (kind != WriteKind::layout)
    heap.storages.set(at(x).storage, select(runs && !raises, written, heap.storages.at(at(x).storage)));
  Object<D> laid = at(x);
  laid.layout = laid.layout + Num<D>(1);
  if (layout_only) heap.tensors.set(x, select(runs && !raises, laid, at(x)));
  count(x, way.view && runs && raises, version_step_on_error(judge_));
  raise_if(raises, ErrorClass::dim_range);
  raise_if(way.view && !before, barred);
  count(x, way.view && ok(), version_step(judge_, Num<D>(1), heap.tls));
  return runs && !raises;
}

/// Gives the written tensor and its base the history of the write.
template <Domain D>
void Machine<D>::rebase(TensorId<D> x, const Bool<D>& asked) {
  const TensorId<D> family = at(x).family;
  Object<D> first = at(family);
  first.rewritten = first.rewritten + Num<D>(1);
  put_if(asked, family, first);
  const Num<D> rewritten = select(asked && ok(), first.rewritten, at(family).rewritten);

  const Object<D> t = at(x);
  const Bool<D> through = t.meta.tracked && rebases_base(judge_);
  const Bool<D> counted = !t.meta.counted || !(t.recorded_at == version(x));
  const Bool<D> stays = t.meta.tracked && !rebases_view(judge_, counted);
  Object<D> base = at(t.base);
  base.meta.has_grad_fn = true;
  base.recorded_at = select(base.meta.counted, version(t.base), base.recorded_at);
  base.seen = rewritten;
  put_if(asked && through, t.base, base);

  Object<D> now = at(x);
  now.meta.has_grad_fn = true;
  now.recorded_at = select(now.meta.counted, version(x), now.recorded_at);
  now.seen = rewritten;
  put_if(asked && rebases_tensor(judge_) && !stays, x, now);
}

template <Domain D>
void Machine<D>::write(TensorId<D> x, TensorId<D> y, WriteKind kind, bool saves, const Bool<D>& raises,
                       const Bool<D>& kept) {
  const bool resizes = kind == WriteKind::resize;
  const OpKind table = kind == WriteKind::elements ? OpKind::Inplace : OpKind::InplaceView;
  Way way = this->way({x, y}, table);
  if (resizes) way.view = way.view && resize_counts(judge_);
  check_operands(way, {x, y});
  if (resizes) {
    recorded = false;
    raise_if(way.autograd, check_resize(judge_, grad(x), heap.tls));
  } else {
    recorded = way.autograd && is_recorded(judge_, grad(x) || grad(y), heap.tls);
    raise_if(way.autograd, check_write_through_view(judge_, at(x).meta, recorded));
    check_write(x);
  }
  const Bool<D> asks = recorded && recording_asks_history(judge_);
  ask_if(x, asks);
  ask_if(y, asks);
  const Bool<D> saves_y = recorded && Bool<D>(saves) && saves_input(judge_, at(x).meta);  // it saves a copy of x
  check_save_of(y, saves_y);
  const Held y_held = held(y);
  write_memory(x, way, Bool<D>(kind == WriteKind::elements) && inference(y), kind, raises);
  recorded = recorded && ok();
  rebase(x, recorded);
  save(y, y_held, saves_y && kept);
}

template <Domain D>
void Machine<D>::out(TensorId<D> x, TensorId<D> y, TensorId<D> z, const Bool<D>& differentiable,
                     const Bool<D>& raises) {
  recorded = false;
  const Way way = this->way({x, y, z}, OpKind::Out);
  check_operands(way, {x, y, z});
  raise_if(way.autograd, check_out(judge_, grad(x) || grad(y) || grad(z), differentiable, heap.tls));
  write_memory(z, way, inference(x) || inference(y), WriteKind::elements, raises);
}

template <Domain D>
void Machine<D>::set_source(TensorId<D> x, TensorId<D> y, const Fresh<D>& fresh) {
  const Way way = this->way({x, y}, OpKind::InplaceView);
  check_operands(way, {x, y});
  recorded = way.autograd && is_recorded(judge_, grad(x) || grad(y), heap.tls);
  raise_if(way.autograd, check_write_through_view(judge_, at(x).meta, recorded));
  check_write(x);
  ask_if(x, recorded && recording_asks_history(judge_));
  ask_if(y, recorded && recording_asks_history(judge_));
  const Bool<D> ran = write_memory(x, way, inference(y), WriteKind::layout, false);
  Object<D> t = at(x);
  t.meta.keys = set_source_keys(judge_, t.meta.keys, at(y).meta.keys);
  t.meta.tracked = exchanged_stays_view(judge_, t.meta.tracked);
  const Bool<D> memory = set_source_shares_storage(judge_);
  t.storage = select(memory, at(y).storage, fresh.storage);
  heap.tensors.set(x, select(ran, t, at(x)));
  heap.storages.set(fresh.storage, select(ran && !memory, Memory<D>{true, 0}, heap.storages.at(fresh.storage)));
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
