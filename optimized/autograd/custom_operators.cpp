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
    if (failed.error == DispatchError::fallback_twice) raise(ErrorClass::fallback_twice, {what});
    if (failed.error != DispatchError::defined_twice) raise_saying(ErrorClass::library_kind, failed.what());
    raise_saying(ErrorClass::defined_twice, message_beginning(ErrorClass::defined_twice, twice, {what}));
  }
}

/// The place of a runtime key or an alias key.
Slot slot_named(const std::string& key) {
  const KeyLayout& layout = layout_of(Profile::sound);
  if (const auto alias = alias_named(key)) return slot_of(*alias);
  const auto runtime = runtime_key_named(layout, key);
  if (!runtime) raise(ErrorClass::unknown_key, {key});
  return static_cast<Slot>(index_of(layout, *runtime));
}

/// A call's error of the dispatcher as the runtime's.
[[noreturn]] void raise_failed(const DispatchFailed& failed, const std::string& name) {
  switch (failed.error) {
    case DispatchError::ambiguous:
      raise(ErrorClass::ambiguous_kernels, {"…", name});
    case DispatchError::fallthrough:
      raise_saying(ErrorClass::internal, message_beginning(ErrorClass::internal, "0 INTERNAL ASSERT FAILED", {name}));
    case DispatchError::missing_kernel:
      break;
    default:
      raise_saying(ErrorClass::unclassified, failed.what());
  }
  constexpr const char* kNotImplemented = "NotImplementedError";
  if (failed.key.empty())
    raise_saying(ErrorClass::no_kernel,
                 message_beginning(ErrorClass::no_kernel, "There were no tensor arguments", {name, "…"}),
                 kNotImplemented);
  if (failed.key == "Meta")
    raise_saying(ErrorClass::no_kernel,
                 message_beginning(ErrorClass::no_kernel, "{}: attempted to run this operator", {name}),
                 kNotImplemented);
  raise(ErrorClass::no_kernel, {name, failed.key, "or was omitted during the selective/custom build process"});
}

Stack stack_of(std::vector<Tensor> tensors) {
  return {std::make_move_iterator(tensors.begin()), std::make_move_iterator(tensors.end())};
}
/// The tensors among the values, also those of lists, in order.
std::vector<Tensor> tensors_in(const Stack& stack) {
  std::vector<Tensor> tensors;
  tensors.reserve(stack.size());
  for (const Boxed& value : stack) {
    if (const auto* one = std::get_if<Tensor>(&value)) tensors.push_back(*one);
    if (const auto* all = std::get_if<std::vector<Tensor>>(&value))
      tensors.insert(tensors.end(), all->begin(), all->end());
  }
  return tensors;
}

}  // namespace

/// The arguments of a call; its kernels leave the results here. A Frame has it as its Stack.
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

void CustomLibrary::impl(const std::string& name, const std::string& key, CustomOperators::Kernel kernel) {
  const Slot slot = slot_named(key);
  if (!kernel) return library_.impl(name, slot, fallthrough_kernel());
  kernels_.push_back(std::make_unique<CustomOperators::Kernel>(std::move(kernel)));
  library_.impl(name, slot, {CustomOperators::run_kernel, kernels_.back().get(), nullptr});
}

void CustomLibrary::fallback(const std::string& key, CustomOperators::FallbackKernel kernel) {
  const Slot slot = slot_named(key);
  if (slot >= kTableSize) raise_saying(ErrorClass::unclassified, "an alias key has no fallback: " + key);
  Kernel made = fallthrough_kernel();
  if (kernel) {
    fallbacks_.push_back(std::make_unique<CustomOperators::FallbackKernel>(std::move(kernel)));
    made = {CustomOperators::run_fallback, fallbacks_.back().get(), nullptr};
  }
  registering("", key, [&] { library_.fallback(slot, made); });
}

void CustomOperators::run_fallback(void* context, const Operator& op, KeySet keys, Frame& frame) {
  Stack& stack = Call::of(frame);
  stack = stack_of((*static_cast<FallbackKernel*>(context))(op.name(), stack, keys));
}

void CustomOperators::run_kernel(void* context, const Operator&, KeySet keys, Frame& frame) {
  Stack& stack = Call::of(frame);
  stack = stack_of((*static_cast<Kernel*>(context))(stack, keys));
}

/// [torch/csrc/autograd/autograd_not_implemented_fallback.cpp, basicAutogradNotImplementedFallbackImpl]
void CustomOperators::fall_back(void*, const Operator& op, KeySet keys, Frame& frame) {
  const Call& call = Call::of(frame);
  Ref<FallbackNode> node;
  const std::vector<Tensor> inputs = tensors_in(call);
  if (thread_state().grad_mode && std::ranges::any_of(inputs, [](const Tensor& input) { return requires_grad(input); }))
    node = Ref<FallbackNode>::adopt(new FallbackNode(inputs));
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

CustomOperators::Tensors CustomOperators::call(const std::string& name, Stack arguments) const {
  KeySet keys;
  for (const Tensor& input : tensors_in(arguments)) keys = keys | keys_of(input);
  return run(name, std::move(arguments), [&](const Operator& op, Frame& frame) {
    frame.keys = keys;
    op.call(frame);
  });
}

CustomOperators::Tensors CustomOperators::redispatch(const std::string& name, KeySet keys, Stack arguments) const {
  return run(name, std::move(arguments), [&](const Operator& op, Frame& frame) { op.redispatch(keys, frame); });
}

const Operator& CustomOperators::defined(const std::string& name) const {
  try {
    return dispatcher_.find(name);
  } catch (const DispatchFailed&) {
    raise_saying(ErrorClass::unknown_operator, no_such_operator(name), "AttributeError");
  }
}

const Operator& CustomOperators::registered(const std::string& name) const {
  try {
    return dispatcher_.find_registered(name);
  } catch (const DispatchFailed& failed) {
    raise_saying(ErrorClass::unknown_operator, failed.what());
  }
}

bool CustomOperators::has_kernel(const std::string& name, const std::string& key) const {
  const Slot slot = slot_named(key);  // PyTorch reads the key first
  return registered(name).registered(slot);
}
bool CustomOperators::has_entry(const std::string& name, const std::string& key) const {
  const Operator& op = registered(name);
  const Slot slot = slot_named(key);
  if (slot >= kTableSize) raise(ErrorClass::alias_query);
  return op.has_entry(slot);
}
bool CustomOperators::falls_through(const std::string& name, const std::string& key) const {
  const Operator& op = registered(name);
  const Slot slot = slot_named(key);
  if (!op.registered(slot))
    raise_saying(ErrorClass::no_kernel, message_beginning(ErrorClass::no_kernel, "no kernel for", {key, name}));
  return op.newest(slot) == fallthrough_kernel();
}

template <class Start>
CustomOperators::Tensors CustomOperators::run(const std::string& name, Stack arguments, const Start& start) const {
  const Operator& op = defined(name);
  Call call{std::move(arguments), schemas_.at(name)};
  Frame frame{{}, static_cast<Stack*>(&call)};
  try {
    start(op, frame);
  } catch (const DispatchFailed& failed) {
    raise_failed(failed, name);
  }
  return tensors_in(call);
}

}  // namespace plumbline::optimized
