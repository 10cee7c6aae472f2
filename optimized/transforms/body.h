// The bodies that a thread runs, as each sees those around it: how deep they are, and functionalized ones, whose memory
// may get examples.
#pragma once

#include <cstdint>
#include <set>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "optimized/tensor/tensor.h"

namespace plumbline::optimized {

/// A body of functionalize or of grad that runs on this thread. Each is one deeper than those around it, and the
/// storages that it makes have its depth as their level.
class RunningBody {
 public:
  /// Raises if there are too many.
  RunningBody();
  ~RunningBody();
  RunningBody(const RunningBody&) = delete;
  RunningBody& operator=(const RunningBody&) = delete;

  std::uint8_t depth() const { return depth_; }
  /// That of the innermost running body; 0: none runs.
  static std::uint8_t innermost();

 private:
  std::uint8_t depth_;
};

/// The memory of `fresh`, which no one else has, belongs to the innermost running body.
void belongs_to_body(const Tensor& fresh);
void belongs_to_body(const std::vector<Tensor>& fresh);
void belongs_to_body(const std::tuple<Tensor, Tensor>& fresh);
/// It belongs to the body around that of `depth`, if it was its own.
void leaves_body(const Tensor& result, std::uint8_t depth);

/// A functionalized body that runs inside mapped ones: memory that it made gets examples when it is written from some.
class FunctionalBody {
 public:
  FunctionalBody();
  virtual ~FunctionalBody();
  FunctionalBody(const FunctionalBody&) = delete;
  FunctionalBody& operator=(const FunctionalBody&) = delete;

  /// The innermost one of the calling thread; null: it runs none.
  static FunctionalBody* current();
  FunctionalBody* around() const { return around_; }
  std::uint8_t depth() const { return running_.depth(); }

  /// What the caller has in place of a functional tensor, or of the base of such a view; null: the body made it.
  virtual const Tensor* behind(const Tensor& functional) const = 0;

  /// The functional tensor that replaces one of the caller's; null: none does.
  virtual const Tensor* stands_for(const Tensor& plain) = 0;

  /// If the body made the memory of `written`, which is not batched at these levels, and they are outside of the body:
  /// repeats the memory for each example, and `written` is batched from then on. Otherwise returns false. Raises
  /// ErrorClass::unclassified for a tensor that requires grad.
  bool give_examples(const Tensor& written, const std::set<int>& levels);
  /// Whether any memory got examples; then each tensor that is used may have to see them.
  bool gave_examples() const { return !repeated_.empty(); }
  /// If the memory of `tensor` got examples, it is batched from then on. Raises as give_examples.
  void see_examples(const Tensor& tensor) const;

 private:
  struct Repeated {
    Ref<Storage> once;
    Ref<Storage> all;
    std::vector<int> levels;  ///< the outermost first
  };
  void batch(const Tensor& tensor, const Repeated& memory) const;

  FunctionalBody* around_;
  RunningBody running_;
  int mapped_;  ///< how many mapped bodies are around it
  std::unordered_map<const Storage*, Repeated> repeated_;
};

/// What the innermost functionalized body has in place of these tensors.
std::vector<Tensor> seen_in_body(std::vector<Tensor> tensors);

}  // namespace plumbline::optimized
