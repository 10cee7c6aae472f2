// Builds the premises of obligations about the heap.
#include "spec/proofs/heap_premises.h"

#include <array>
#include <set>

namespace plumbline::proofs {

using S = Symbolic;
using T = TensorId<S>;

T any_tensor(std::string_view name) { return {variable(name, Sort::Tensor)}; }

Operands<S> any_operands() {
  return {any_tensor("x"),
          any_tensor("y"),
          any_tensor("z"),
          {any_tensor("fresh"), {variable("fresh-storage", Sort::Storage)}, {variable("fresh-counter", Sort::Counter)}},
          any_truth("asked"),
          any_truth("raises"),
          any_truth("kept"),
          any_truth("other sizes"),
          any_truth("other strides")};
}

std::vector<T> operands_and(std::vector<T> some, const Operands<S>& of, const Move<S>& move) {
  const std::array operands{of.x, of.y, of.z};
  some.insert(some.end(), operands.begin(), operands.begin() + move.tensors);
  return some;
}

std::vector<T> with_families(const Heap<S>& heap, std::vector<T> some) {
  const std::size_t named = some.size();
  for (std::size_t i = 0; i < named; ++i) {
    some.push_back(heap.tensors.at(some[i]).family);
    some.push_back(heap.tensors.at(some[i]).base);
  }
  return some;
}

void assume_operands(Question& question, const Heap<S>& heap, const Operands<S>& of, const Move<S>& move) {
  for (const T& operand : operands_and({}, of, move)) question.given(heap.tensors.at(operand).live);
  question.given(!heap.tensors.at(of.fresh.tensor).live);
  question.given(!heap.storages.at(of.fresh.storage).allocated);
  question.given(!heap.counters.at(of.fresh.counter).used);
  question.given(heap.depth >= Num<S>(move.name == "leave" ? 1 : 0));
}

void assume_frames(Question& question, const Heap<S>& heap) {
  const Num<S> top = heap.depth - Num<S>(1);
  question.given(implied(top >= Num<S>(0), tls_is_sound(heap.frames.at(top).found)));
}

void assume_instances(Question& question, const Judge<S>& judge, const Heap<S>& heap, const std::vector<T>& tensors) {
  std::set<Term> premises;
  for (const Clause<S>& clause : clauses<S>())
    for (const T& t : tensors)
      for (const T& u : tensors) premises.insert(clause.holds(judge, heap, t, u).v.t);
  premises.erase(truth(true));
  question.premises.insert(question.premises.end(), premises.begin(), premises.end());
}

}  // namespace plumbline::proofs
