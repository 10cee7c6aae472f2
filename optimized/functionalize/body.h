// A functionalized body while it runs: which functional tensor replaces which tensor of the caller.
#pragma once

#include <deque>
#include <unordered_map>
#include <utility>
#include <vector>

#include "optimized/tensor/tensor.h"
#include "optimized/transforms/body.h"

namespace plumbline::optimized {

/// A functional tensor over `storage` with the layout and the kind of `plain`, which counts with its storage. It has no
/// history.
Tensor functional_of(const Tensor& plain, Ref<Storage> storage);

/// A number for each of some objects, by address: a list while they are few.
class Places {
 public:
  /// Null: it has none.
  const std::size_t* find(const void* object) const {
    if (!many_.empty()) {
      const auto found = many_.find(object);
      return found == many_.end() ? nullptr : &found->second;
    }
    for (const auto& [one, place] : few_)
      if (one == object) return &place;
    return nullptr;
  }
  void add(const void* object, std::size_t place) {
    few_.emplace_back(object, place);
    if (few_.size() == kFew) many_.insert(few_.begin(), few_.end());
    if (few_.size() > kFew) many_.emplace(object, place);
  }

 private:
  static constexpr std::size_t kFew = 16;
  std::vector<std::pair<const void*, std::size_t>> few_;
  std::unordered_map<const void*, std::size_t> many_;
};

/// A tensor of the caller and the functional tensor that replaces it in the body. Each storage of the caller has one
/// functional storage, however many tensors see it. Lives on one thread, within functionalize. The caller may be a body
/// itself: then its functional tensors are plain tensors here, and writing back is a write in that body. Of a batched
/// tensor the tensor of all examples has a functional tensor, too, and autograd sees that one.
class FunctionalizedBody : public FunctionalBody {
 public:
  explicit FunctionalizedBody(const std::vector<Tensor>& inputs);

  /// The body of the calling thread; null: it runs none.
  static FunctionalizedBody* current() { return static_cast<FunctionalizedBody*>(FunctionalBody::current()); }

  /// Whether the body may write it: it is an input, shares memory with one, or was made here.
  bool is_functional_here(const Tensor& tensor) const {
    return tensor.keys().has_any(Functionality::Functionalize) &&
           (outer() == nullptr || tensor.storage()->level() >= depth());
  }

  const Tensor* behind(const Tensor& functional) const override;

  /// A node saved the tensor, and it is functional: when the body ends, it becomes plain.
  void note_saved(const Tensor& tensor) { saved_.push_back(tensor); }

  /// The replacement of an input, or of a captured tensor that shares memory with an input; null for any other tensor.
  /// The address is valid as long as the body.
  const Tensor* stands_for(const Tensor& plain) override;
  /// The same for a tensor that is an input or shares memory with one.
  const Tensor& functional(const Tensor& tensor);

  /// Does to the caller's tensors what the body did to their replacements. If there is no memory, it raises before it
  /// has changed anything.
  void write_back();
  /// What the caller gets for the tensors that the body returned, after write_back. They are no longer functional.
  std::vector<Tensor> results(const std::vector<Tensor>& returned);

 private:
  struct Shared {
    Ref<Storage> plain;
    Ref<Storage> functional;
    std::uint64_t version;  ///< at which both began
  };
  struct Pair {
    Tensor plain;
    Tensor functional;
    std::uint64_t version;  ///< at which both began
  };

  FunctionalizedBody* outer() const { return static_cast<FunctionalizedBody*>(around()); }
  const Tensor& seen_outside(const Tensor& tensor) const;
  Tensor replacement(const Tensor& plain);
  const Tensor* stands_for_outer(const Tensor& plain);
  std::size_t share(const Tensor& tensor);
  void count_as(const Tensor& plain, const Tensor& functional);
  Tensor result(const Tensor& returned);
  Tensor batched_result(const Tensor& returned);
  /// Whether it shares memory with an input that the outer body has captured.
  bool is_of_captured(const Tensor& tensor) const;
  void make_plain(const Tensor& functional);

  std::vector<Shared> shared_;
  std::deque<Pair> pairs_;
  std::vector<std::size_t> counting_;  ///< the pairs that count versions elsewhere than with their storage
  Places by_plain_storage_, by_functional_storage_;  ///< in `shared_`
  Places by_plain_, by_functional_;                  ///< in `pairs_`
  std::vector<const TensorImpl*> made_;              ///< what the body made and the caller gets, or a base of that
  std::vector<Tensor> saved_;
};

}  // namespace plumbline::optimized
