// Whether a script can be run.
#include <algorithm>
#include <set>

#include "oracle/minimise.h"

namespace plumbline {

namespace {

using Bound = std::set<Slot>;

bool fits(const Value& value, const Argument& argument) {
  if (std::holds_alternative<None>(value))
    return argument.optional || argument.type == ArgType::Layout || argument.type == ArgType::Device ||
           argument.type == ArgType::MemoryFormat;
  const bool number = std::holds_alternative<std::int64_t>(value) || std::holds_alternative<double>(value) ||
                      std::holds_alternative<bool>(value);
  switch (argument.type) {
    case ArgType::Tensor:
      return number || std::holds_alternative<Slot>(value);
    case ArgType::Int:
      return std::holds_alternative<std::int64_t>(value);
    case ArgType::IntList:
      return std::holds_alternative<std::vector<std::int64_t>>(value) || std::holds_alternative<std::int64_t>(value);
    case ArgType::Scalar:
    case ArgType::Float:
      return number;
    case ArgType::Bool:
      return std::holds_alternative<bool>(value);
    case ArgType::Dtype:
      return std::holds_alternative<Dtype>(value);
    default:
      return true;
  }
}

bool call_fits(const Call& call, const Bound& bound) {
  const auto arguments = op(call.op).arguments;
  if (call.arguments.size() != arguments.size()) return false;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const auto* slot = std::get_if<Slot>(&call.arguments[i]);
    if (!fits(call.arguments[i], arguments[i]) || (slot != nullptr && !bound.contains(*slot))) return false;
  }
  return true;
}

bool elements_fit(const MakeTensor& made) {
  std::int64_t elements = 1;
  for (const std::int64_t size : made.sizes) {
    if (size < 0 || size > 1 << 20) return false;
    elements *= size;
    if (elements > 1 << 20) return false;
  }
  return static_cast<std::size_t>(elements) == made.values.size();
}

struct Checker {
  Bound bound;
  std::vector<char> open;     // 'e' for Enter, 't' for Try
  std::vector<Slot> last;     // what the last statement bound, so that a Try's end can take it back
  std::vector<Slot> was_new;  // of these, those that were not bound before

  void bind(const std::vector<Slot>& slots) {
    last = slots;
    was_new.clear();
    for (const Slot slot : slots)
      if (bound.insert(slot).second) was_new.push_back(slot);
  }
  /// `result` takes `.data` or `.grad` of `tensor`.
  bool taken(Slot result, Slot tensor) {
    if (!bound.contains(tensor)) return false;
    bind({result});
    return true;
  }
  bool close(char kind) {
    if (open.empty() || open.back() != kind) return false;
    open.pop_back();
    return true;
  }

  bool check(const StatementKind& kind) {
    if (const auto* call = std::get_if<Call>(&kind)) {
      if (!call_fits(*call, bound)) return false;
      bind(call->results);
      return true;
    }
    if (const auto* made = std::get_if<MakeTensor>(&kind)) {
      if (!elements_fit(*made)) return false;
      bind({made->result});
      return true;
    }
    if (const auto* data = std::get_if<GetData>(&kind)) return taken(data->result, data->tensor);
    if (const auto* grad = std::get_if<GetGrad>(&kind)) return taken(grad->result, grad->tensor);
    if (std::holds_alternative<EndTry>(kind)) {
      for (const Slot slot : was_new) bound.erase(slot);
      was_new.clear();
      return close('t');
    }
    if (std::holds_alternative<Exit>(kind))
      return close('e');  // keeps `was_new`: a guard may be what a Try's block ends with
    was_new.clear();
    if (std::holds_alternative<Enter>(kind)) open.push_back('e');
    if (std::holds_alternative<Try>(kind)) open.push_back('t');
    if (const auto* set = std::get_if<SetRequiresGrad>(&kind)) return bound.contains(set->tensor);
    if (const auto* set = std::get_if<SetData>(&kind)) return bound.contains(set->tensor) && bound.contains(set->data);
    if (const auto* backward = std::get_if<Backward>(&kind)) return bound.contains(backward->tensor);
    const auto* read = std::get_if<Read>(&kind);
    return read == nullptr || bound.contains(read->tensor);
  }
};

}  // namespace

bool well_formed(const Script& script) {
  Checker checker;
  for (const Statement& statement : script.statements)
    if (!checker.check(statement.kind)) return false;
  const auto named = [&](Slot slot) { return static_cast<std::size_t>(slot) < script.names.size(); };
  return checker.open.empty() && std::ranges::all_of(checker.bound, named);
}

}  // namespace plumbline
