// Heaps to start from: an arbitrary one, and that of a program's start.
#include "spec/proofs/heap.h"

namespace plumbline::proofs {

namespace {

using S = Symbolic;

/// A record whose fields are functions of its name.
class Fields {
 public:
  Fields(std::string prefix, Term of) : prefix_(std::move(prefix)), of_(of) {}

  Bool<S> truth(std::string_view field) const { return Bool<S>::of({value(field, Sort::Truth)}); }
  Num<S> number(std::string_view field) const { return Num<S>::of({value(field, Sort::Integer)}); }
  KeySet<S> keys(std::string_view field) const { return KeySet<S>::of({value(field, Sort::Word)}); }
  Choice<S, CreationMeta> creation(std::string_view field) const {
    return Choice<S, CreationMeta>::of({value(field, Sort::Word)});
  }
  template <Sort Of>
  Id<S, Of> id(std::string_view field) const {
    return {value(field, Of)};
  }

 private:
  Term value(std::string_view field, Sort sort) const { return apply(prefix_ + "." + std::string(field), sort, {of_}); }

  std::string prefix_;
  Term of_;
};

Object<S> any_object(const Fields& f) {
  return {f.truth("live"),
          {f.keys("keys"), f.truth("counted"), f.truth("tracked"), f.creation("creation"), f.truth("requires_grad"),
           f.truth("has_grad_fn")},
          f.id<Sort::Storage>("storage"),
          f.id<Sort::Counter>("counter"),
          f.id<Sort::Tensor>("base"),
          f.number("recorded_at"),
          f.number("layout"),
          f.truth("saved"),
          f.number("saved_version"),
          f.truth("saved_grad_fn"),
          f.number("saved_data"),
          f.id<Sort::Tensor>("family"),
          f.number("rewritten"),
          f.number("seen"),
          f.truth("unrecorded"),
          f.truth("one_of_many")};
}

Tls<S> any_tls(const Fields& f) {
  return {f.keys("included"), f.keys("excluded"), f.truth("inference_mode"), f.truth("grad_mode")};
}

}  // namespace

Heap<Symbolic> any_heap(const std::string& prefix) {
  const auto tensors = [prefix](const TensorId<S>& t) { return any_object({prefix + "tensor", t.v}); };
  const auto storages = [prefix](const StorageId<S>& s) {
    const Fields f(prefix + "storage", s.v);
    return Memory<S>{f.truth("allocated"), f.number("data")};
  };
  const auto counters = [prefix](const CounterId<S>& c) {
    const Fields f(prefix + "counter", c.v);
    return VersionCounter<S>{f.truth("used"), f.number("version")};
  };
  const auto frames = [prefix](const Num<S>& depth) {
    const Fields f(prefix + "frame", depth.v.t);
    return Frame<S>{any_tls(f), f.truth("whole")};
  };
  const Num<S> depth = any_number(prefix + "depth");
  return {Map<S, TensorId<S>, Object<S>>(tensors),
          Map<S, StorageId<S>, Memory<S>>(storages),
          Map<S, CounterId<S>, VersionCounter<S>>(counters),
          Map<S, Num<S>, Frame<S>>(frames),
          depth,
          any_tls({prefix + "now", integer(0)})};
}

Heap<Concrete> first_heap(const Judge<Concrete>& judge) {
  Heap<Concrete> heap;
  heap.tls = default_tls(judge);
  return heap;
}

}  // namespace plumbline::proofs
