// Reads and writes the key sets with which kernels redispatch.
#include "language/key_steps.h"

#include <fmt/format.h>

#include <memory>

#include "language/guards.h"
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
      steps.push_back({keeps ? Kind::keep : Kind::add, reading.key_of_set(*mask->right)});
    return steps;
  }
  const auto* call = std::get_if<Invocation>(&e.node);
  const auto* method = call == nullptr ? nullptr : std::get_if<Attribute>(&call->callee->node);
  if (method == nullptr || method->name != "remove") {
    reading.refuse_start(e);
    return {};
  }
  if (call->positional.size() != 1 || !call->keywords.empty())
    reading.fail(e, "remove is not given one key", "Write `.remove(torch._C.DispatchKey.KEY)`");
  std::vector<KeyStep> steps = read_key_steps(*method->value, reading);
  steps.push_back({Kind::remove, reading.key(call->positional[0])});
  return steps;
}

Expression key_steps_expression(const std::string& ks, const std::vector<KeyStep>& steps) {
  const auto shared = [](Expression e) { return std::make_shared<const Expression>(std::move(e)); };
  const auto key = [](const std::string& name) { return dotted(fmt::format("{}{}", kKeyPrefix, name)); };
  Expression made{Name{ks}, {}};
  for (const KeyStep& step : steps) {
    if (step.kind == KeyStep::Kind::remove) {
      Expression method{Attribute{shared(std::move(made)), "remove"}, {}};
      made = {Invocation{shared(std::move(method)), {key(step.key)}, {}}, {}};
      continue;
    }
    Expression mask = step.kind == KeyStep::Kind::after_autograd ? dotted(std::string(kAfterAutograd))
                      : step.kind == KeyStep::Kind::after_adinplaceorview
                          ? dotted(std::string(kAfterADInplaceOrView))
                          : call_of(std::string(kKeySet), {key(step.key)});
    made = {KeyMask{step.kind == KeyStep::Kind::add ? '|' : '&', shared(std::move(made)), shared(std::move(mask))}, {}};
  }
  return made;
}

}  // namespace plumbline::program
