// Computes the key set of a call.
#include "reference/dispatcher/call_keys.h"

#include "spec/rules/dsp_entry.h"

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

CallWords call_words(const Judge& judge, const KeySet<Concrete>& arguments, const KeySet<Concrete>& effective) {
  const KeyLayout& layout = layout_of(judge.profile);
  return {relaid(rules_layout(), layout, arguments.v), relaid(rules_layout(), layout, effective.v)};
}

CallWords call_words(const Judge& judge, const Tls& tls, const std::vector<ProbeTensor>& tensors, bool list) {
  std::vector<KeySet<Concrete>> keys;
  for (const ProbeTensor tensor : tensors) keys.push_back(keys_of(judge, tensor));
  const KeySet<Concrete> arguments = argument_keys<Concrete>(judge, keys, list);
  return call_words(judge, arguments, effective_keys(judge, arguments, tls.included, tls.excluded));
}

std::uint64_t without_fallthrough(const Judge& judge, const KeyLayout& layout, const CallWords& call,
                                  const std::function<bool(RuntimeKey)>& falls_through) {
  const auto falls = [&](int functionality, const Num<Concrete>& backend) -> Bool<Concrete> {
    return falls_through({static_cast<std::uint8_t>(functionality), static_cast<std::uint8_t>(backend.v)});
  };
  return plumbline::without_fallthrough(judge, layout, KeySet<Concrete>::raw(call.arguments),
                                        KeySet<Concrete>::raw(call.effective), falls)
      .v;
}

}  // namespace plumbline::reference
