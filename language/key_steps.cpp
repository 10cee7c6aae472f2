// Reads and writes the key sets of redispatches.
#include "language/key_steps.h"

#include <memory>

#include "language/observe.h"

namespace plumbline::program {

std::vector<KeyStep> read_key_steps(const Expression& e, const KeyReading& reading) {
  using Kind = KeyStep::Kind;
  if (const auto* name = std::get_if<Name>(&e.node); name != nullptr && reading.is_key_set(name->id)) return {};
  if (const auto* mask = std::get_if<KeyMask>(&e.node)) {
    std::vector<KeyStep> steps = read_key_steps(*mask->left, reading);
    const std::string right = dotted_name(*mask->right);
    const bool keeps = mask->operation == '&';
    if (keeps && right == kAfterAutograd)
      steps.push_back({Kind::after_autograd, ""});
    else if (keeps && right == kAfterADInplaceOrView)
      steps.push_back({Kind::after_adinplaceorview, ""});
    else
      steps.push_back({keeps ? Kind::keep : Kind::add, key_of_set(*mask->right, Undefined::refused, reading.refuse)});
    return steps;
  }
  const auto* call = std::get_if<Invocation>(&e.node);
  if (call != nullptr && dotted_name(*call->callee) == kKeySet)
    return {{Kind::only, key_of_set(e, Undefined::accepted, reading.refuse)}};
  const auto* method = call == nullptr ? nullptr : std::get_if<Attribute>(&call->callee->node);
  if (method == nullptr || method->name != "remove") {
    reading.refuse_start(e);
    return {};
  }
  if (call->positional.size() != 1 || !call->keywords.empty())
    reading.refuse(start_of(e), "remove is not given one key", "Write `.remove(torch._C.DispatchKey.KEY)`");
  std::vector<KeyStep> steps = read_key_steps(*method->value, reading);
  steps.push_back({Kind::remove, key_named(call->positional[0], Undefined::refused, reading.refuse)});
  return steps;
}

Expression key_steps_expression(const std::string& ks, const std::vector<KeyStep>& steps) {
  const auto shared = [](Expression e) { return std::make_shared<const Expression>(std::move(e)); };
  Expression made{Name{ks}, {}};
  for (const KeyStep& step : steps) {
    if (step.kind == KeyStep::Kind::only) {
      made = key_set_expression(step.key);
      continue;
    }
    if (step.kind == KeyStep::Kind::remove) {
      Expression method{Attribute{shared(std::move(made)), "remove"}, {}};
      made = {Invocation{shared(std::move(method)), {key_expression(step.key)}, {}}, {}};
      continue;
    }
    Expression mask = step.kind == KeyStep::Kind::after_autograd          ? dotted(std::string(kAfterAutograd))
                      : step.kind == KeyStep::Kind::after_adinplaceorview ? dotted(std::string(kAfterADInplaceOrView))
                                                                          : key_set_expression(step.key);
    made = {KeyMask{step.kind == KeyStep::Kind::add ? '|' : '&', shared(std::move(made)), shared(std::move(mask))}, {}};
  }
  return made;
}

}  // namespace plumbline::program
