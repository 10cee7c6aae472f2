// Pass (c), view reapplication: copies of views become views where no one can tell; and the checks of a program's
// promises.
#include <algorithm>
#include <map>

#include "reference/functionalize/functionalize.h"
#include "reference/functionalize/views.h"
#include "reference/raise.h"
#include "spec/ops/op_ids.h"
#include "spec/vocabulary/call_slots.h"

namespace plumbline::reference::functionalize {
namespace {

/// Whether the op depends on the memory of its first argument, not only on its elements.
bool addresses_memory(OpId id) {
  return id == OpId::as_strided_copy || id == OpId::as_strided_scatter || id == OpId::view_copy_dtype;
}
/// Whether the op's result has its first argument's strides, so that repeated elements stay repeated.
bool keeps_strides(OpId id) {
  return id == OpId::slice_scatter || id == OpId::select_scatter || id == OpId::diagonal_scatter;
}

/// Pass (c). If a value is no longer row-major, because it is made from a view now, and something depends on that, a
/// copy is made.
class Reapplication {
 public:
  Reapplication(const Judge& judge, Program from)
      : judge_(judge),
        made_(std::move(from)),
        core_(std::move(made_.core)),
        before_(made_.values),
        writer_(made_),
        held_(made_.values.size(), false) {
    made_.core.clear();
    made_.core.reserve(core_.size());
    const auto hold = [&](Slot slot) { held_[static_cast<std::size_t>(slot)] = true; };
    for (const auto* slots : {&made_.returned, &made_.inputs, &made_.captured}) std::ranges::for_each(*slots, hold);
    for (const Statement& statement : made_.epilogue) each_argument_slot(std::get<Call>(statement.kind), hold);
    for (const Statement& statement : core_)
      if (const auto* call = std::get_if<Call>(&statement.kind);
          call != nullptr && (addresses_memory(call->op) || keeps_strides(call->op)))
        hold(std::get<Slot>(call->arguments[0]));
  }

  Program run() {
    for (Statement& statement : core_) {
      writer_.set_line(statement.line);
      if (auto* call = std::get_if<Call>(&statement.kind))
        add(std::move(*call));
      else
        made_.core.push_back(std::move(statement));
    }
    if (copy_becomes_view<Concrete>(judge_, true).v) return std::move(made_);
    for (Statement& statement : made_.epilogue)
      for (auto& value : std::get<Call>(statement.kind).arguments)
        if (auto* slot = std::get_if<Slot>(&value)) *slot = row_major(*slot);
    for (Slot& slot : made_.returned) slot = row_major(slot);
    return std::move(made_);
  }

 private:
  void add(Call call) {
    const auto view = view_of_copy(call.op);
    const auto is_held = [&](Slot slot) { return held_[static_cast<std::size_t>(slot)]; };
    if (addresses_memory(call.op)) {
      auto& memory = std::get<Slot>(call.arguments[0]);
      memory = row_major(memory);
    } else if (view && copy_becomes_view<Concrete>(judge_, std::ranges::any_of(call.results, is_held)).v) {
      call.op = *view == OpId::view ? OpId::reshape : *view;
    }
    for (const Slot slot : call.results) {
      Value& value = writer_.value(slot);
      value.row_major = value.row_major && writer_.gives_row_major(call, value.sizes);
      if (op(call.op).kind == OpKind::View) value.row_major = false;
    }
    writer_.add(std::move(call));
  }
  /// The value, or a copy if it was row-major and no longer is.
  Slot row_major(Slot slot) {
    const auto i = static_cast<std::size_t>(slot);
    if (i >= before_.size() || !before_[i].row_major || writer_.value(slot).row_major) return slot;
    auto& copy = copies_[slot];
    if (!copy) {
      const Value like = before_[i];
      copy = writer_.call(OpId::view_copy, {slot, like.sizes}, writer_.name(slot), like);
    }
    return *copy;
  }

  const Judge& judge_;
  Program made_;
  std::vector<Statement> core_;  ///< the core before the pass
  std::vector<Value> before_;    ///< the facts about the values before the pass
  Writer writer_;
  std::vector<bool> held_;  ///< slots that something outside the body sees, or whose memory is addressed
  std::map<Slot, std::optional<Slot>> copies_;
};

}  // namespace

Program reapply_views(const Judge& judge, Program program) { return Reapplication(judge, std::move(program)).run(); }

namespace {

std::string quoted(const Program& program, const Call& call) {
  const std::string result =
      call.results.empty() ? "" : program.names[static_cast<std::size_t>(call.results[0])] + " = ";
  return "`" + result + qualified_name(op(call.op)) + "`";
}

/// The calls that an epilogue may have: copies into inputs, changes of their layout, and views.
bool may_stand(const Program& program, const std::vector<Slot>& views_of_inputs, const Call& call) {
  const Op& one = op(call.op);
  if (one.kind == OpKind::View) return true;
  const Slot target = std::get<Slot>(call.arguments[0]);
  const bool input = is_outside(program, target);
  const bool of_input = input || std::ranges::find(views_of_inputs, target) != views_of_inputs.end();
  if (one.kind == OpKind::InplaceView) return call.op == OpId::resize_ ? of_input : input;
  return call.op == OpId::copy_ && of_input;
}

}  // namespace

std::optional<std::string> broken_promise(const Program& program, Passes passes) {
  for (const Statement& statement : program.core) {
    const auto* call = std::get_if<Call>(&statement.kind);
    if (call == nullptr) continue;
    const Op& one = op(call->op);
    const bool aliases = one.kind == OpKind::View || one.kind == OpKind::InplaceView ||
                         (one.kind == OpKind::Functional && one.aliases != Aliases::never);
    if (aliases && passes != Passes::abc) return "the core has a view: " + quoted(program, *call);
    if (passes != Passes::a && written_argument(one) >= 0) return "the core has a write: " + quoted(program, *call);
  }
  std::vector<Slot> views;
  for (const Statement& statement : program.epilogue) {
    const auto& call = std::get<Call>(statement.kind);
    if (!may_stand(program, views, call)) return "the epilogue may not have " + quoted(program, call);
    const auto* source = std::get_if<Slot>(&call.arguments[0]);
    const bool of_input =
        source != nullptr && (is_outside(program, *source) || std::ranges::find(views, *source) != views.end());
    if (op(call.op).kind == OpKind::View && of_input)
      views.insert(views.end(), call.results.begin(), call.results.end());
  }
  return std::nullopt;
}

}  // namespace plumbline::reference::functionalize
