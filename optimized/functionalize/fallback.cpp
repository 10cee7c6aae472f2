// Functionalize's fallback.
#include "optimized/functionalize/fallback.h"

#include <algorithm>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "optimized/autograd/variable.h"
#include "optimized/autograd/view_kernels.h"
#include "optimized/functionalize/body.h"
#include "optimized/functionalize/functionalize.h"
#include "optimized/ops/boxed.h"
#include "optimized/tensor/error.h"
#include "optimized/tensor/warning.h"

namespace plumbline::optimized {

namespace {

template <class Use>
void each_tensor(Stack& stack, const Use& use) {
  for (Boxed& value : stack) {
    if (auto* tensor = std::get_if<Tensor>(&value); tensor != nullptr && tensor->defined()) use(*tensor);
    if (auto* list = std::get_if<std::vector<Tensor>>(&value)) std::ranges::for_each(*list, use);
  }
}

void warn_once(const Operator& op) {
  static std::mutex mutex;
  static std::set<std::string, std::less<>> warned;
  {
    const std::lock_guard lock(mutex);
    if (!warned.insert(op.name()).second) return;
  }
  warn(op.name() +
       " is not in the op table, so nothing says what it aliases and writes; it is functionalized by copying its "
       "arguments");
}

/// One call of an operator about which nothing is known.
class ForeignCall {
 public:
  ForeignCall(const Operator& op, Stack& stack) : op_(op), stack_(stack) {}

  void run(KeySet keys, Frame& frame) {
    each_tensor(stack_, [this](Tensor& tensor) { lend(tensor); });
    op_.redispatch(keys, frame);
    for (const Lent& one : lent_)
      if (!one.copy->has_bytes_of(*one.captured))
        raise(ErrorClass::captured_write, {op_.name() + ", a write of a captured tensor"});
    each_tensor(stack_, [this](Tensor& tensor) { take(tensor); });
  }

 private:
  struct Lent {
    Ref<Storage> captured;
    Ref<Storage> copy;
  };

  struct StandIn {
    Tensor given;
    Tensor captured;
  };

  /// What the operator gets instead of the tensor.
  void lend(Tensor& tensor) {
    if (is_functional_here(tensor)) {
      tensor.storage()->own();  // it may be written
      given_.push_back(tensor.storage());
      return;
    }
    const TensorImpl& source = tensor.impl();
    Ref<TensorImpl> made = TensorImpl::make(copy_of(tensor.storage()), source.dtype, source.keys, source.dim());
    made->wrapped_number = source.wrapped_number;
    made->uncounted = source.uncounted;
    made->offset = source.offset;
    made->numel = source.numel;
    std::copy(source.sizes(), source.sizes() + source.dim(), made->sizes());
    std::copy(source.strides(), source.strides() + source.dim(), made->strides());
    Tensor given(std::move(made));
    stand_ins_.push_back({given, tensor});
    tensor = std::move(given);
  }
  Ref<Storage> copy_of(const Ref<Storage>& captured) {
    const auto before = std::ranges::find(lent_, captured, &Lent::captured);
    if (before != lent_.end()) return before->copy;
    Ref<Storage> copy = captured->copied();
    lent_.push_back({captured, copy});
    return copy;
  }

  /// The captured tensor that the operator got as `given`; null if there is none.
  const Tensor* captured_as(const Tensor& given) const {
    const auto found = std::ranges::find(stand_ins_, given.get(), [](const StandIn& one) { return one.given.get(); });
    return found == stand_ins_.end() ? nullptr : &found->captured;
  }

  void take(Tensor& result) {
    if (const Tensor* const captured = captured_as(result)) {
      result = *captured;
      return;
    }
    TensorImpl& impl = result.impl();
    if (!taken_.insert(&impl).second) return;  // a tensor may be several results
    const auto lent = std::ranges::find(lent_, impl.storage(), &Lent::copy);
    if (lent != lent_.end()) {
      impl.move_to(lent->captured);
      const Tensor* const viewed = is_view(result) ? captured_as(base_of(result)) : nullptr;
      if (viewed != nullptr) track_view(*viewed, result, impl.autograd->creation);
      return;
    }
    const bool given = std::ranges::find(given_, impl.storage()) != given_.end();
    if (!given && impl.storage()->uses() > holders(impl.storage()))
      raise_saying(ErrorClass::unclassified,
                   op_.name() + " returns a tensor whose memory others hold, and which is not one of its arguments");
    impl.keys = impl.keys | Functionality::Functionalize;
    if (!given) belongs_to_body(result);
  }
  /// How many of the results, and of the tensors that they are views of, have the memory.
  std::uint32_t holders(const Ref<Storage>& storage) const {
    std::set<const TensorImpl*> all;
    each_tensor(stack_, [&](const Tensor& tensor) {
      if (tensor.storage() != storage) return;
      all.insert(tensor.get());
      if (is_view(tensor)) all.insert(base_of(tensor).get());
    });
    return static_cast<std::uint32_t>(all.size());
  }

  const Operator& op_;
  Stack& stack_;
  std::vector<Lent> lent_;
  std::vector<StandIn> stand_ins_;
  std::vector<Ref<Storage>> given_;
  std::set<const TensorImpl*> taken_;
};

void functionalize_foreign(void*, const Operator& op, KeySet keys, Frame& frame) {
  warn_once(op);
  ForeignCall(op, *static_cast<Stack*>(frame.arguments)).run(keys & below(Functionality::Functionalize), frame);
}

/// A captured tensor that shares memory with an input is read as the body sees it.
void see_captured(void*, const Operator& op, KeySet keys, Frame& frame) {
  FunctionalizedBody* const body = FunctionalizedBody::current();
  if (body != nullptr)
    each_tensor(*static_cast<Stack*>(frame.arguments), [&](Tensor& tensor) {
      if (body->is_functional_here(tensor)) return;
      if (const Tensor* const functional = body->stands_for(tensor)) tensor = *functional;
    });
  op.redispatch(keys & below(Functionality::FuncTorchDynamicLayerFrontMode), frame);
}

}  // namespace

std::array<ShippedFallbackKernel, 2> functionalize_fallbacks() {
  return {{{KeySet(Functionality::Functionalize).entry(), {functionalize_foreign, nullptr, nullptr}},
           {KeySet(Functionality::FuncTorchDynamicLayerFrontMode).entry(), {see_captured, nullptr, nullptr}}}};
}

}  // namespace plumbline::optimized
