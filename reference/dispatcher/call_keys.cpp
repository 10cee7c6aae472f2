// The key set of a call.
#include "reference/dispatcher/call_keys.h"

#include <bit>

namespace plumbline::reference {

namespace {

KeySet<Concrete> keys_of(const Judge& judge, ProbeTensor tensor) {
  switch (tensor) {
    case ProbeTensor::cpu:
    case ProbeTensor::requires_grad:
      return tensor_keys(judge, Bool<Concrete>(false));
    case ProbeTensor::inference:
      return tensor_keys(judge, Bool<Concrete>(true));
    case ProbeTensor::meta:
      return (tensor_keys(judge, Bool<Concrete>(false)) - Backend::CPU - Functionality::AutocastCPU) | Backend::Meta;
    case ProbeTensor::none:
      break;
  }
  return {};
}

}  // namespace

CallWords call_words(const Judge& judge, const Tls& tls, const std::vector<ProbeTensor>& tensors, bool list) {
  KeySet<Concrete> all;
  for (const ProbeTensor tensor : tensors) all = join_keys(judge, all, keys_of(judge, tensor));
  KeySet<Concrete> first;
  if (!tensors.empty()) first = keys_of(judge, tensors.front());
  const KeySet<Concrete> arguments = list ? judge(DSP_36, all, first) : all;
  const KeyLayout& layout = layout_of(judge.profile);
  return {relaid(rules_layout(), layout, arguments.v),
          relaid(rules_layout(), layout, effective_keys(judge, arguments, tls.included, tls.excluded).v)};
}

std::uint64_t without_fallthrough(const Judge& judge, const KeyLayout& layout, const CallWords& call,
                                  const std::function<bool(RuntimeKey)>& falls_through) {
  const auto highest_backend = [&](std::uint64_t keys) -> Num<Concrete> {
    const std::uint64_t backends = keys & backend_mask(layout);
    return backends == 0 ? 0 : 63 - std::countl_zero(backends);
  };
  const auto asked = static_cast<std::uint8_t>(judge(DSP_31, highest_backend(call.effective), Num<Concrete>(0),
                                                     In{Profile::torch_1_13, highest_backend(call.arguments)})
                                                   .v);
  std::uint64_t rest = call.effective;
  for (std::size_t f = 1; f <= layout.functionalities.size(); ++f) {
    const std::uint64_t bit = functionality_bit(layout, static_cast<int>(f));
    if ((rest & bit) == 0) continue;
    const bool each = layout.functionalities[f - 1].per_backend;
    if (falls_through({static_cast<std::uint8_t>(f), each ? asked : std::uint8_t{0}})) rest &= ~bit;
  }
  return judge(DSP_30, KeySet<Concrete>::raw(rest), KeySet<Concrete>::raw(call.effective)).v;
}

}  // namespace plumbline::reference
