// Which fields and statements belong to which level.
#include "adapters/level.h"

#include <algorithm>
#include <type_traits>
#include <variant>

#include "adapters/adapter.h"
#include "spec/ops/op_ids.h"

namespace plumbline {

Level level_of(Field field) {
  switch (field) {
    case Field::dtype:
    case Field::sizes:
    case Field::values:
      return Level::values;
    case Field::strides:
    case Field::offset:
    case Field::storage:
      return Level::aliasing;
    case Field::is_inference:
      return Level::refusals;
    case Field::requires_grad:
    case Field::is_leaf:
    case Field::grad_fn:
    case Field::grad:
      return Level::autograd;
    default:
      return Level::versions;
  }
}

Level level_of(ThreadField field) {
  switch (field) {
    case ThreadField::inference_mode:
      return Level::refusals;
    case ThreadField::grad_mode:
      return Level::autograd;
    default:
      return Level::versions;
  }
}

Level level_named(std::string_view name) {
  return static_cast<Level>(std::ranges::find(kLevelNames, name) - kLevelNames.begin());
}

std::vector<std::string> level_names() { return {kLevelNames.begin(), kLevelNames.end()}; }

namespace {

/// Views in an order of elements that only memory has.
bool reads_memory(OpId id) { return id == OpId::as_strided || id == OpId::view_dtype; }

Level level_of_call(const Call& call) {
  if (call.requires_grad) return Level::autograd;
  const Op& called = op(call.op);
  if (called.unsafe) return Level::versions;
  return written_argument(called) >= 0 || reads_memory(call.op) ? Level::aliasing : Level::values;
}

Level level_of_guard(GuardKind kind) {
  if (kind == GuardKind::inference_mode) return Level::refusals;
  return kind < GuardKind::below_autograd ? Level::autograd : Level::versions;
}

template <class Kind, class... Kinds>
constexpr bool kOneOf = (std::is_same_v<Kind, Kinds> || ...);

}  // namespace

Level level_of(const StatementKind& kind) {
  return std::visit(
      []<class Kind>(const Kind& one) {
        if constexpr (std::is_same_v<Kind, Call>) return level_of_call(one);
        if constexpr (std::is_same_v<Kind, MakeTensor>) return one.requires_grad ? Level::autograd : Level::values;
        if constexpr (std::is_same_v<Kind, Enter>) return level_of_guard(one.kind);
        if constexpr (kOneOf<Kind, Snapshot, Read, ReadThread>) return Level::values;
        if constexpr (kOneOf<Kind, Try, RaiseError>) return Level::refusals;
        if constexpr (kOneOf<Kind, SetRequiresGrad, Backward, GetGradients, GetGrad, SetGrad, RetainGrad, RegisterHook,
                             RemoveHook, EnterSavedTensorsHooks, EnterForward, ContextCall, LoadSaved, ManualSeed>)
          return Level::autograd;
        return Level::versions;
      },
      kind);
}

void hold_to(Level level, Description& description) {
  Level& held = description.has.level;
  held = std::min(held, level);
  const auto ignore_above = [&]<class Which>(auto& fields, Which) {
    for (std::size_t i = 0; i < fields.size(); ++i)
      if (level_of(static_cast<Which>(i)) > held) fields[i] = Strictness::ignore;
  };
  ignore_above(description.fields, Field{});
  ignore_above(description.thread, ThreadField{});
}

}  // namespace plumbline
