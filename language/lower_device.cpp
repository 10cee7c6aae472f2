// Programs of two devices: whether a file names the CPU, and the forms in which a tensor goes to a device.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "language/lowerer.h"
#include "language/print.h"

namespace plumbline::program {

namespace {

/// Looks through a file for `device="cpu"`, `x.to("cpu")` and `x.cpu()`.
class CpuNames {
 public:
  bool in(const Program& program) {
    for (const Function& one : program.functions) block(one.body);
    for (const Class& one : program.classes)
      for (const Function& method : one.methods) block(method.body);
    return found_;
  }

 private:
  void block(const Block& lines) {
    for (const Line& line : lines) std::visit([this](const auto& node) { look(node); }, line.node);
  }
  void look(const Assign& assign) { look(assign.value); }
  void look(const SetAttribute& set) { look(set.value); }
  void look(const Assert& assertion) {
    look(assertion.left);
    look(assertion.right);
  }
  void look(const With& with) {
    look(with.item);
    block(with.body);
  }
  void look(const Return& returned) {
    if (returned.value) look(*returned.value);
  }
  void look(const Define& define) { block(define.function->body); }
  void look(const Pass&) {}
  void look(const Raise&) {}
  void look(const Remark&) {}

  void look(const Expressions& items) {
    for (const Expression& item : items) look(item);
  }
  void look(const Expression& e) {
    if (const auto* list = std::get_if<List>(&e.node)) return look(list->items);
    if (const auto* tuple = std::get_if<Tuple>(&e.node)) return look(tuple->items);
    const auto* call = std::get_if<Invocation>(&e.node);
    if (call == nullptr) return;
    const auto* method = std::get_if<Attribute>(&call->callee->node);
    const auto is_cpu = [](const Expression& value) {
      const std::string* text = string_in(value);
      return text != nullptr && *text == kCpu;
    };
    found_ = found_ || (method != nullptr && method->name == "cpu") ||
             (method != nullptr && method->name == "to" && std::ranges::any_of(call->positional, is_cpu)) ||
             std::ranges::any_of(call->keywords,
                                 [&](const Keyword& one) { return one.name == "device" && is_cpu(one.value); });
    look(call->positional);
    for (const auto& [name, value] : call->keywords) look(value);
    look(*call->callee);
  }

  bool found_ = false;
};

}  // namespace

bool names_cpu(const Program& program) { return CpuNames().in(program); }

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
