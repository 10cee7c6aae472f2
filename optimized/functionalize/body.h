// A body that is functionalized, while it runs: which functional tensor stands for which tensor of the caller.
#pragma once

#include <deque>
#include <unordered_map>
#include <utility>
#include <vector>

#include "optimized/tensor/tensor.h"

namespace plumbline::optimized {

/// A functional tensor over `storage` in the layout of `plain`, of its kind, that counts with its storage.
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

/// A tensor of the caller's and the functional tensor that stands for it in the body. A storage of the caller's has one
/// functional storage, however many tensors see it. Lives on one thread, within functionalize. The caller may be a body
/// itself: then its functional tensors are what is plain here, and what is written back is written in it.
class FunctionalizedBody {
 public:
  explicit FunctionalizedBody(const std::vector<Tensor>& inputs);
  ~FunctionalizedBody();
  FunctionalizedBody(const FunctionalizedBody&) = delete;
  FunctionalizedBody& operator=(const FunctionalizedBody&) = delete;

  /// The calling thread's; null: it runs none.
  static FunctionalizedBody* current();

  /// Whether it stands in another body.
  bool is_nested() const { return outer_ != nullptr; }
  /// Whether the body may write it: it was given, shares memory with what was, or was made here.
  bool is_functional_here(const Tensor& tensor) const {
    return tensor.keys().has_any(Functionality::Functionalize) &&
           (outer_ == nullptr || tensor.storage()->level() == level_);
  }
  /// What a call gives that aliases nothing is the body's own.
  void take(const Tensor& fresh) const {
    if (outer_ != nullptr) fresh.storage()->set_level(level_);
  }

  /// What stands for a tensor that the body was given, or captured together with the memory of one that it was given;
  /// null for any other. The address holds as long as the body.
  const Tensor* stands_for(const Tensor& plain);
  /// The same, of a tensor that is or shares an input.
  const Tensor& functional(const Tensor& tensor);

  /// Does to the caller's tensors what the body did to what stands for them. Raises, before it has changed anything,
  /// where there is no memory.
  void write_back();
  /// What the caller gets for the tensors that the body returned, behind write_back. They are functional no more.
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

  const Tensor& seen_outside(const Tensor& tensor) const;
  const Tensor* stands_for_outer(const Tensor& plain);
  std::size_t share(const Tensor& tensor);
  void count_as(const Tensor& plain, const Tensor& functional);
  Tensor result(const Tensor& returned);
  void make_plain(const Tensor& functional);

  FunctionalizedBody* outer_;
  std::uint8_t level_;  ///< 1 of the outermost body
  std::vector<Shared> shared_;
  std::deque<Pair> pairs_;
  std::vector<std::size_t> counting_;  ///< the pairs that count versions elsewhere than with their storage
  Places by_plain_storage_, by_functional_storage_;  ///< in `shared_`
  Places by_plain_, by_functional_;                  ///< in `pairs_`
  std::vector<const TensorImpl*> made_;              ///< what the body made and the caller gets, or a base of that
};

}  // namespace plumbline::optimized
