// The machine's statements that make tensors, and those on a tensor's own history.
#pragma once

#include "spec/proofs/machine.h"

namespace plumbline::proofs {

template <Domain D>
void Machine<D>::factory(const Fresh<D>& fresh, const Bool<D>& asked) {
  recorded = false;
  Object<D> t = made(fresh, factory_inference(judge_, heap.tls));
  t.meta.requires_grad = factory_requires_grad(judge_, asked, heap.tls);
  allocate(fresh, true, true);
  heap.counters.set(fresh.counter, {true, factory_version(judge_)});
  heap.tensors.set(fresh.tensor, t);
}

template <Domain D>
void Machine<D>::functional(TensorId<D> x, TensorId<D> y, const Fresh<D>& fresh, FunctionalKind kind,
                            const Bool<D>& kept) {
  const bool saves = kind == FunctionalKind::mul;
  const bool clones = kind == FunctionalKind::clone;
  const Way way = this->way({x, y}, OpKind::Functional);
  check_operands(way, {x, y});
  recorded = way.autograd && is_recorded(judge_, grad(x) || grad(y), heap.tls) && ok();
  const Bool<D> asks = recorded && recording_asks_history(judge_);
  ask_if(x, asks);
  ask_if(y, asks);
  const Bool<D> saves_x = recorded && Bool<D>(saves) && saves_input(judge_, at(y).meta);
  const Bool<D> saves_y = recorded && Bool<D>(saves) && saves_input(judge_, at(x).meta);
  check_save_of(y, saves_y);
  check_save_of(x, saves_x);
  recorded = recorded && ok();

  const Bool<D> any = inference(x) || inference(y);
  const Bool<D> bit = result_inference(judge_, heap.tls, any);
  Object<D> t = made(fresh, bit);
  const Bool<D> free = first_version_free(way.autograd, heap.tls);
  t.meta.counted = t.meta.counted && (!free || free_version_counted(judge_));
  if (clones) recorded = recorded || (ok() && !way.autograd && clone_copy_recorded(judge_, grad(x), heap.tls));
  t.meta.has_grad_fn = recorded;
  const Bool<D> owns = clones ? result_owns_storage(judge_) : Bool<D>(true);
  t.storage = select(owns, fresh.storage, at(x).storage);
  t.counter = select(result_owns_counter(judge_) || !at(x).meta.counted, fresh.counter, at(x).counter);
  allocate(fresh, owns, true);
  count(x, way.view && ok(), version_step(judge_, Num<D>(1), heap.tls));  // reached only with KEY-08 flipped
  save(x, held(x), saves_x && kept);
  save(y, held(y), saves_y && kept);
  put_if(true, fresh.tensor, t);
}

template <Domain D>
void Machine<D>::view(TensorId<D> x, const Fresh<D>& fresh, ViewKind kind) {
  const bool detach = kind == ViewKind::detached;
  const bool detaches = detach || kind == ViewKind::retyped;
  const Way way = this->way({x}, OpKind::View);
  check_operands(way, {x});
  const Bool<D> differentiable(!detaches);
  const Bool<D> asks = way.autograd && differentiable && is_recorded(judge_, grad(x), heap.tls);
  ask_if(x, asks && recording_asks_history(judge_));
  recorded = way.autograd && differentiable && is_view_recorded(judge_, grad(x), heap.tls) && ok();

  const Bool<D> below_autograd = way.autograd || heap.tls.excluded.has_any(autograd_keys<D>());
  const Bool<D> of_inference = inference(x);
  raise_if(way.view, check_view_inference(judge_, of_inference, below_autograd));
  const Object<D> source = at(x);
  const Bool<D> bit = view_inference(judge_, of_inference, heap.tls, kind == ViewKind::retyped);
  Object<D> t = made(fresh, bit);
  t.storage = source.storage;

  const Bool<D> makes =
      fresh_counted(judge_, bit) || (of_inference && Bool<D>(detach) && detach_makes_counter(judge_, heap.tls));
  const Bool<D> shares = select(way.view, detach ? detach_shares_counter(judge_) : view_shares_counter(judge_),
                                view_below_shares_counter(judge_));
  const Bool<D> bare = of_inference || bit;
  t.meta.counted = select(bare, makes, !shares || source.meta.counted);
  t.counter = select(!bare && shares, source.counter, fresh.counter);
  allocate(fresh, false, bare || !shares);

  const Bool<D> asked = detaches ? detach_tracked(judge_, of_inference) : view_tracked(judge_, of_inference, heap.tls);
  t.meta.tracked = select(way.view, asked, view_below_tracked(judge_, of_inference));
  raise_if(t.meta.tracked, check_tracked_counter(judge_, source.meta.counted));
  t.base = select(t.meta.tracked, select(source.meta.tracked && base_is_root(judge_), source.base, x), fresh.tensor);
  using C = Choice<D, CreationMeta>;
  const C inherited = select(source.meta.tracked, source.meta.creation, C(CreationMeta::DEFAULT));
  t.meta.creation = select(t.meta.tracked, creation_meta(judge_, inherited, kind == ViewKind::many, heap.tls),
                           C(CreationMeta::DEFAULT));
  if (detaches) t.meta.requires_grad = detach_requires_grad(judge_, grad(x));
  t.meta.has_grad_fn = recorded;
  t.recorded_at = select(t.meta.counted, heap.counters.at(t.counter).version, Num<D>(0));

  if (!detaches) {
    t.family = select(of_inference, fresh.tensor, source.family);
    t.seen = select(of_inference, Num<D>(0), select(recorded, source.seen, heap.tensors.at(t.family).rewritten));
    t.unrecorded = !of_inference && (source.unrecorded || !heap.tls.grad_mode);
    t.one_of_many = !of_inference && (source.one_of_many || Bool<D>(kind == ViewKind::many));
  }
  put_if(true, fresh.tensor, t);
}

template <Domain D>
void Machine<D>::detach_inplace(TensorId<D> x) {
  recorded = false;
  const Way way = this->way({x}, OpKind::Functional);
  check_operands(way, {x});
  raise_if(way.autograd, check_detach_inplace(judge_, at(x).meta.tracked));
  Object<D> t = at(x);
  t.meta.requires_grad = detached_requires_grad(judge_, grad(x));
  t.meta.has_grad_fn = false;
  t.seen = at(t.family).rewritten;
  put_if(way.autograd, x, t);
  count(x, way.view && ok(), version_step(judge_, Num<D>(1), heap.tls));  // reached only with KEY-08 flipped
}

template <Domain D>
void Machine<D>::set_requires_grad(TensorId<D> x, const Bool<D>& value) {
  recorded = false;
  ask_if(x, leaf_checks_ask_history(judge_));
  Object<D> t = at(x);
  const Bool<D> leaf = is_leaf(judge_, t.meta, grad(x));
  raise(check_requires_grad_leaf(judge_, leaf));
  raise(check_set_requires_grad(judge_, inference(x), value, heap.tls));
  t.meta.requires_grad = value;
  t.meta.has_grad_fn = t.meta.has_grad_fn && leaf;  // it is a leaf, unless AUT-09 is flipped
  put_if(true, x, t);
}

template <Domain D>
void Machine<D>::backward(TensorId<D> x) {
  recorded = false;
  raise_if(at(x).saved, check_saved_version(judge_, at(x).saved_version, version(x)));
}

template <Domain D>
void Machine<D>::get_data(TensorId<D> x, const Fresh<D>& fresh) {
  recorded = false;
  const Bool<D> of_inference = inference(x);
  const Object<D> source = at(x);
  Object<D> t = made(fresh, of_inference);
  t.meta.keys = data_keys(judge_, source.meta.keys, heap.tls);
  t.meta.requires_grad = data_requires_grad(judge_, grad(x));
  const Bool<D> shares = data_shares_counter(judge_);
  const Bool<D> makes = fresh_counted(judge_, of_inference) || data_makes_counter(judge_, heap.tls);
  t.meta.counted = select(shares, source.meta.counted, makes);
  t.counter = select(shares, source.counter, fresh.counter);
  t.meta.tracked = data_tracked(judge_, of_inference);
  t.base = select(t.meta.tracked, x, fresh.tensor);
  const Bool<D> memory = data_shares_storage(judge_);
  t.storage = select(memory, source.storage, fresh.storage);
  allocate(fresh, !memory, !shares && makes);
  heap.tensors.set(fresh.tensor, t);
}

template <Domain D>
void Machine<D>::set_data(TensorId<D> x, TensorId<D> y, const Fresh<D>& fresh) {
  recorded = false;
  Object<D> t = at(x);
  const Object<D> data = at(y);
  t.meta.requires_grad = set_data_requires_grad(judge_, t.meta.requires_grad, grad(y));
  t.meta.keys = set_data_keys(judge_, t.meta.keys, data.meta.keys);
  const Bool<D> shares = set_data_shares_counter(judge_);
  t.meta.counted = select(shares, data.meta.counted, t.meta.counted);
  t.counter = select(shares, data.counter, t.counter);
  t.meta.tracked = exchanged_stays_view(judge_, t.meta.tracked);
  const Bool<D> memory = set_data_shares_storage(judge_);
  t.storage = select(memory, data.storage, fresh.storage);
  allocate(fresh, !memory, false);
  heap.tensors.set(x, t);
}

}  // namespace plumbline::proofs
