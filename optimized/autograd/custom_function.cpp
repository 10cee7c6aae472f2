// Applying a custom autograd function: its forward, and what becomes of its results.
#include "optimized/autograd/custom_function.h"

#include <algorithm>
#include <utility>

#include "optimized/autograd/accumulate.h"
#include "optimized/autograd/custom_node.h"
#include "optimized/autograd/history.h"
#include "optimized/autograd/inplace_kernels.h"
#include "optimized/autograd/saved.h"
#include "optimized/autograd/variable.h"
#include "optimized/ops.h"
#include "optimized/tensor/error.h"

namespace plumbline::optimized {

namespace {

class ForwardContext : public FunctionContext {
 public:
  void save_for_backward(Tensors tensors) override { to_save = std::move(tensors); }
  void mark_dirty(Tensors tensors) override { dirty = std::move(tensors); }
  void mark_non_differentiable(Tensors tensors) override { not_differentiable = std::move(tensors); }
  Tensors saved() override { return {}; }

  Tensors to_save;
  Tensors dirty;
  Tensors not_differentiable;
};

bool contains(const Tensors& tensors, const Tensor& tensor) {
  return std::ranges::any_of(tensors, [&](const Tensor& one) { return one.is_same(tensor); });
}

/// What becomes of the results [torch/csrc/autograd/custom_function.cpp, _process_backward_mode_ad].
class Results {
 public:
  Results(const Tensors& inputs, const ForwardContext& marks, Ref<Node> node)
      : inputs_(inputs), marks_(marks), node_(std::move(node)) {}

  /// Raises if marks or results are not allowed; nothing has changed then.
  void check(const Tensors& results) const {
    for (const Tensor& one : marks_.dirty) check_writable(one.impl());
    for (const Tensor& one : results)
      if (one.defined() && is_recorded(one) && contains(marks_.dirty, one)) check_dirty(one, results.size());
    for (const Tensor& one : marks_.dirty)
      if (!contains(results, one))
        raise_saying(ErrorClass::custom_function,
                     "Some elements marked as dirty during the forward method were not returned as output. The inputs "
                     "that are modified inplace must all be outputs of the Function.");
    for (const Tensor& one : marks_.to_save)
      if (node_ && one.defined()) Saved::check(one);
  }

  /// The results as they are returned, with their histories.
  Tensors processed(const Tensors& raw) const {
    for (const Tensor& one : marks_.dirty) count_write(one.impl());
    Tensors results = raw;
    std::ptrdiff_t recorded = 0;
    for (std::size_t i = 0; i < results.size(); ++i) {
      if (!raw[i].defined()) continue;
      const bool is_dirty_input = contains(inputs_, raw[i]) && contains(marks_.dirty, raw[i]);
      recorded += is_recorded(raw[i]) ? 1 : 0;
      results[i] = with_history(raw[i], static_cast<std::uint32_t>(i));
      if (!is_dirty_input && is_view(results[i]))
        results[i].impl().autograd->creation = CreationMeta::IN_CUSTOM_FUNCTION;
    }
    for (const Tensor& one : results)
      if (recorded > 1 && one.defined() && is_view(one))
        one.impl().autograd->creation = CreationMeta::MULTI_OUTPUT_NODE;
    return results;
  }

 private:
  bool is_recorded(const Tensor& result) const {
    return node_ && !contains(marks_.not_differentiable, result) && is_differentiable(result.dtype());
  }

  Tensor with_history(const Tensor& result, std::uint32_t place) const {
    const bool is_input = contains(inputs_, result);
    const bool is_dirty = contains(marks_.dirty, result);
    if (!is_recorded(result)) return without_history(result, is_input, is_dirty);
    if (is_dirty) {
      take_over(result, place);
      return result;
    }
    Tensor own = is_input ? view_of_itself(result) : result;
    set_history(own, node_, place);
    return own;
  }

  static Tensor without_history(const Tensor& result, bool is_input, bool is_dirty) {
    if (!requires_grad(result)) return is_input && !is_dirty ? view_of_itself(result) : result;
    if (is_input) return detach(result);
    if (!is_view(result)) detach_(result);
    return result;
  }

  static Tensor view_of_itself(const Tensor& input) {
    const GradMode off(false);
    return view_as(input, input);
  }

  static void check_dirty(const Tensor& dirty, std::size_t results) {
    if (requires_grad(dirty) && !has_history(dirty))
      raise_saying(ErrorClass::leaf_inplace,
                   "a leaf Variable that requires grad has been used in an in-place operation.");
    if (is_view(dirty) && results > 1)
      raise_saying(ErrorClass::custom_function,
                   "If your Function modifies inplace an input that is a view of another Tensor, your Function cannot "
                   "return more than one Tensor. This is not supported by the current autograd engine. You should "
                   "either make sure the input is not a view (using .clone() for example) or make your Function only "
                   "return one Tensor (potentially splitting it into two Functions: one doing the inplace that returns "
                   "a single Tensor and a second one that does the other operations). You can ask on the forum "
                   "https://discuss.pytorch.org/ if you need help to do this change.");
    check_inplace(dirty);
  }

  /// A dirty input: the function comes between its old and its new history.
  void take_over(const Tensor& dirty, std::uint32_t place) const {
    if (AutogradMeta* meta = dirty.impl().autograd; meta != nullptr) {
      meta->grad = {};
      AccumulateGrad::part(*meta);
    }
    rebase_history(dirty, node_, place);
  }

  const Tensors& inputs_;
  const ForwardContext& marks_;
  Ref<Node> node_;
};

}  // namespace

Tensors apply_function(const FunctionBodies& bodies, const Tensors& inputs) {
  Ref<Node> node;
  CustomNode* custom = nullptr;
  if (thread_state().grad_mode && std::ranges::any_of(inputs, [](const Tensor& one) { return requires_grad(one); })) {
    custom = new CustomNode(bodies.backward, inputs);
    node = Ref<Node>::adopt(custom);
  }
  ForwardContext context;
  Tensors raw;
  {
    const GradMode off(false);
    raw = bodies.forward(context);
  }
  const Results results(inputs, context, node);
  results.check(raw);
  if (custom != nullptr) custom->set_results(raw);
  Tensors made = results.processed(raw);
  if (custom != nullptr) custom->save(context.to_save);
  return made;
}

}  // namespace plumbline::optimized
