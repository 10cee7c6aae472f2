// Programs of two devices: whether a file names the CPU, and the forms in which a tensor goes to a device.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "language/lowerer.h"
#include "language/print.h"

namespace plumbline::program {

namespace {

/// Whether an expression is `f(device="cpu")`, `x.to("cpu")` or `x.cpu()`.
bool is_on_cpu(const Expression& e) {
  const auto* call = std::get_if<Invocation>(&e.node);
  if (call == nullptr) return false;
  const auto* method = std::get_if<Attribute>(&call->callee->node);
  const auto is_cpu = [](const Expression& value) {
    const std::string* text = string_in(value);
    return text != nullptr && *text == kCpu;
  };
  return (method != nullptr && method->name == "cpu") ||
         (method != nullptr && method->name == "to" && std::ranges::any_of(call->positional, is_cpu)) ||
         std::ranges::any_of(call->keywords,
                             [&](const Keyword& one) { return one.name == "device" && is_cpu(one.value); });
}

}  // namespace

bool names_cpu(const Program& program) {
  bool found = false;
  const auto see = [&found](const Expression& e) { found = found || is_on_cpu(e); };
  for (const Function& one : program.functions) each_expression(one.body, see);
  for (const Class& one : program.classes)
    for (const Function& method : one.methods) each_expression(method.body, see);
  return found;
}

std::string Lowerer::method_on_device(const std::string& name, Actuals& all) const {
  if (!two_devices_) return name;
  if (name == "cpu" && all.positional.size() == 1 && all.keywords.empty()) {
    all.keywords.emplace_back("device", Actual{Value(std::string(kCpu)), all.place});
    return "to";
  }
  const auto names_device = [](const Actual& actual) {
    const auto* value = std::get_if<Value>(&actual.value);
    return value != nullptr && std::holds_alternative<std::string>(*value);
  };
  if (name != "to" || all.positional.size() < 2 || !names_device(all.positional[1])) return name;
  // As Tensor.to(device=None, dtype=None, non_blocking=False, copy=False) [torch/_tensor_docs.py, to].
  constexpr std::array<std::string_view, 4> kParameters{"device", "dtype", "non_blocking", "copy"};
  if (all.positional.size() > kParameters.size() + 1)
    fail(all.place, "x.to takes at most four positional arguments", "Write x.to(device, torch.float64)");
  for (std::size_t i = 1; i < all.positional.size(); ++i)
    all.keywords.emplace_back(kParameters.at(i - 1), all.positional[i]);
  all.positional.resize(1);
  return name;
}

void Lowerer::need_device(std::string_view function, bool given, Place place) const {
  if (two_devices_ && !given)
    fail(place, fmt::format("{} is given no device, in a file that uses two", function),
         "Write device=device or device=\"cpu\"");
}

}  // namespace plumbline::program
