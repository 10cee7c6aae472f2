// Operators that a caller defines.
#include "optimized/autograd/custom_operators.h"

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <utility>

#include "optimized/autograd/history.h"
#include "optimized/autograd/node.h"
#include "optimized/autograd/variable.h"
#include "optimized/functionalize/fallback.h"
#include "optimized/ops/boxed.h"
#include "optimized/ops/call.h"
#include "optimized/tensor/error.h"
#include "spec/vocabulary/error_texts.h"

namespace plumbline::optimized {

namespace {

/// The history that the fallback gives: it has no derivative, so backward ends here without an error
/// [torch/csrc/autograd/autograd_not_implemented_fallback.cpp, WarnNotImplemented].
class FallbackNode : public Node {
 public:
  explicit FallbackNode(const Tensors& inputs) {
    for (const Tensor& input : inputs) to_.push_back(gradient_edge(input));
    edges_ = to_;
  }

  void add_result(const Tensor& result) {
    const auto place = static_cast<std::uint32_t>(shapes_.size());
    shapes_.emplace_back();
    outputs_ = shapes_;
    set_output(place, result);
    set_history(result, Ref<Node>::retain(this), place);
  }

  std::string name() const override { return "WarnNotImplemented"; }
  Tensors apply(const Tensors&, Backward&) override { return Tensors(to_.size()); }

 private:
  std::vector<Edge> to_;
  std::vector<OutputShape> shapes_;
};

/// At each Autograd key's entry this fallback, and Functionalize's.
std::vector<ShippedFallbackKernel> fallbacks_with(const Kernel& fallback) {
  const KeyLayout& layout = layout_of(Profile::sound);
  const auto functionalize = functionalize_fallbacks();
  std::vector<ShippedFallbackKernel> kernels(functionalize.begin(), functionalize.end());
  for (int entry = 0; entry < kTableSize; ++entry)
    if (shipped_fallback(layout, key_at(layout, entry)) == ShippedFallback::autograd)
      kernels.push_back({entry, fallback});
  return kernels;
}

/// Makes the dispatcher's errors of a registration errors of the runtime. `twice`: the beginning of the message about a
/// second definition, `what`: what is defined.
template <class Register>
auto registering(std::string_view twice, const std::string& what, const Register& registration) {
  try {
    return registration();
  } catch (const DispatchFailed& failed) {
    if (failed.error != DispatchError::defined_twice) raise(ErrorClass::library_kind, {});
    raise_saying(ErrorClass::defined_twice, message_beginning(ErrorClass::defined_twice, twice, {what}));
  }
}

Stack stack_of(std::vector<Tensor> tensors) {
  return {std::make_move_iterator(tensors.begin()), std::make_move_iterator(tensors.end())};
}
std::vector<Tensor> tensors_of(const Stack& stack) {
  std::vector<Tensor> tensors;
  tensors.reserve(stack.size());
  for (const Boxed& value : stack) tensors.push_back(std::get<Tensor>(value));
  return tensors;
}

}  // namespace

/// The tensors of a call; its kernels leave the results here. A Frame has it as its Stack.
struct CustomOperators::Call : Stack {
  const Schema& schema;

  static Call& of(const Frame& frame) { return static_cast<Call&>(*static_cast<Stack*>(frame.arguments)); }
};

CustomOperators::CustomOperators() : dispatcher_(fallbacks_with({fall_back, nullptr, nullptr})) {}

std::unique_ptr<CustomLibrary> CustomOperators::library(Library::Kind kind, const std::string& space) {
  return registering("Only a single", space, [&] { return std::make_unique<CustomLibrary>(*this, kind, space); });
}

CustomLibrary::CustomLibrary(CustomOperators& operators, Library::Kind kind, const std::string& space)
    : operators_(operators), library_(operators.dispatcher_, kind, space) {}

void CustomLibrary::define(const std::string& name, std::vector<bool> written) {
  registering("Tried to register", name, [&] { library_.define(name); });
  operators_.schemas_[name] = {std::move(written)};
}

void CustomLibrary::impl(const std::string& name, std::string_view key, CustomOperators::Kernel kernel) {
  const KeyLayout& layout = layout_of(Profile::sound);
  const auto alias = alias_named(key);
  const auto runtime = runtime_key_named(layout, key);
  if (!alias && !runtime) throw std::invalid_argument("there is no key " + std::string(key));
  const Slot slot = alias ? slot_of(*alias) : static_cast<Slot>(index_of(layout, *runtime));
  if (!kernel) return library_.impl(name, slot, fallthrough_kernel());
  kernels_.push_back(std::make_unique<CustomOperators::Kernel>(std::move(kernel)));
  library_.impl(name, slot, {CustomOperators::run_kernel, kernels_.back().get(), nullptr});
}

void CustomOperators::run_kernel(void* context, const Operator&, KeySet keys, Frame& frame) {
  Stack& stack = Call::of(frame);
  stack = stack_of((*static_cast<Kernel*>(context))(tensors_of(stack), keys));
}

/// [torch/csrc/autograd/autograd_not_implemented_fallback.cpp, basicAutogradNotImplementedFallbackImpl]
void CustomOperators::fall_back(void*, const Operator& op, KeySet keys, Frame& frame) {
  const Call& call = Call::of(frame);
  Ref<FallbackNode> node;
  if (thread_state().grad_mode &&
      std::ranges::any_of(call, [](const Boxed& input) { return requires_grad(std::get<Tensor>(input)); }))
    node = Ref<FallbackNode>::adopt(new FallbackNode(tensors_of(call)));
  op.redispatch(keys & kAfterAutograd, frame);
  if (!node) return;
  for (std::size_t i = 0; i < call.size(); ++i) {
    const auto& result = std::get<Tensor>(call[i]);
    if (!is_differentiable(result.dtype())) continue;
    if (requires_grad(result))
      grad_fn_of(result);  // PyTorch registers a hook that warns, and so asks for the history
    else if (!call.schema.written[i])
      node->add_result(result);
  }
}

CustomOperators::Tensors CustomOperators::call(const std::string& name, Tensors inputs) const {
  KeySet keys;
  for (const Tensor& input : inputs) keys = keys | keys_of(input);
  return run(name, std::move(inputs), [&](const Operator& op, Frame& frame) {
    frame.keys = keys;
    op.call(frame);
  });
}

CustomOperators::Tensors CustomOperators::redispatch(const std::string& name, KeySet keys, Tensors inputs) const {
  return run(name, std::move(inputs), [&](const Operator& op, Frame& frame) { op.redispatch(keys, frame); });
}

const Operator& CustomOperators::defined(const std::string& name) const {
  try {
    return dispatcher_.find(name);
  } catch (const DispatchFailed&) {
    raise_saying(ErrorClass::unknown_operator, no_such_operator(name), "AttributeError");
  }
}

template <class Start>
CustomOperators::Tensors CustomOperators::run(const std::string& name, Tensors inputs, const Start& start) const {
  const Operator& op = defined(name);
  Call call{stack_of(std::move(inputs)), schemas_.at(name)};
  Frame frame{{}, static_cast<Stack*>(&call)};
  try {
    start(op, frame);
  } catch (const DispatchFailed& failed) {
    if (failed.error != DispatchError::missing_kernel)
      raise_saying(ErrorClass::internal, message_beginning(ErrorClass::internal, "0 INTERNAL ASSERT FAILED", {name}));
    if (failed.no_keys)
      raise_saying(ErrorClass::no_kernel,
                   message_beginning(ErrorClass::no_kernel, "There were no tensor arguments", {name, "…"}),
                   "NotImplementedError");
    raise(ErrorClass::no_kernel, {name, "CPU", "or was omitted during the selective/custom build process"});
  }
  return tensors_of(call);
}

}  // namespace plumbline::optimized
