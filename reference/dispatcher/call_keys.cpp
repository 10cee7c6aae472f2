// Computes the key set of a call.
#include "reference/dispatcher/call_keys.h"

#include <stdexcept>

#include "reference/raise.h"
#include "spec/rules/dsp_calls.h"
#include "spec/rules/dsp_entry.h"

namespace plumbline::reference {

CallWords call_words(const Judge& judge, const KeySet<Concrete>& arguments, const KeySet<Concrete>& effective) {
  const KeyLayout& layout = layout_of(judge.profile);
  return {relaid(rules_layout(), layout, arguments.v), relaid(rules_layout(), layout, effective.v)};
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

KeySet<Concrete> keys_named(const Judge& judge, const std::string& name) {
  const auto key = runtime_key_named(rules_layout(), name);
  if (!key || !runtime_key_named(layout_of(judge.profile), name)) raise_class(ErrorClass::unknown_key, {name});
  return KeySet<Concrete>::raw(word_of(rules_layout(), key.value()));
}

std::uint64_t stepped(const Judge& judge, const KeyLayout& layout, std::uint64_t keys, const KeyStep& step) {
  const auto after = [&](std::string_view functionality) {
    return keys_after<Concrete>(judge, layout, functionality_named(layout, functionality));
  };
  const auto key = [&] { return relaid(rules_layout(), layout, keys_named(judge, step.key).v); };
  switch (step.kind) {
    case KeyStep::Kind::after_autograd:
      return keys & after("AutogradOther");
    case KeyStep::Kind::after_adinplaceorview:
      return keys & after("ADInplaceOrView");
    case KeyStep::Kind::keep:
      return keys & key();
    case KeyStep::Kind::add:
      return keys | key();
    case KeyStep::Kind::only:
      return step.key == "Undefined" ? 0 : key();
    case KeyStep::Kind::remove:
      return without(KeySet<Concrete>::raw(keys), KeySet<Concrete>::raw(key()), backend_mask(layout)).v;
  }
  throw std::logic_error("unknown kind of key step");
}

}  // namespace plumbline::reference
