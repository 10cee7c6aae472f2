// Pass (b), mutation removal: every write becomes its functional form, and the name then means the result.
#include <algorithm>

#include "reference/functionalize/functionalize.h"
#include "reference/raise.h"
#include "spec/ops/op_ids.h"
#include "spec/rules/fun_body.h"
#include "spec/vocabulary/call_slots.h"

namespace plumbline::reference::functionalize {
namespace {

using Values = std::vector<plumbline::Value>;

class MutationRemoval {
 public:
  MutationRemoval(const Judge& judge, Program program)
      : judge_(judge), from_(std::move(program)), writer_(made_), now_(from_.values.size()) {
    made_.inputs = from_.inputs;
    made_.captured = from_.captured;
    made_.values = std::move(from_.values);
    made_.names = std::move(from_.names);
    made_.core.reserve(from_.core.size() * 2);
    made_.values.reserve(made_.values.size() * 2);
    made_.names.reserve(made_.values.size() * 2);
    for (std::size_t i = 0; i < now_.size(); ++i) now_[i] = static_cast<Slot>(i);
    read_ = now_;
  }

  Program run() {
    for (Statement& statement : from_.core) {
      writer_.set_line(statement.line);
      if (auto* call = std::get_if<Call>(&statement.kind))
        step(std::move(*call));
      else
        made_.core.push_back(std::move(statement));
    }
    writer_.set_line(0);
    read_ = now_;
    writer_.begin_epilogue();
    copy_back();
    for (Statement& statement : from_.epilogue) {
      Call call = std::move(std::get<Call>(statement.kind));
      const int place = written_argument(op(call.op));
      for (std::size_t i = 0; i < call.arguments.size(); ++i)
        if (static_cast<int>(i) != place) each_slot_of(call.arguments[i], [this](Slot& slot) { slot = behind(slot); });
      made_.epilogue.push_back({std::move(call), statement.line});
    }
    const bool own = is_made_from_input<Concrete>(judge_, true).v;
    for (const Slot slot : from_.returned) made_.returned.push_back(own ? behind(slot) : now(slot));
    remove_unused(made_);
    return std::move(made_);
  }

 private:
  Slot now(Slot slot) const { return read_[static_cast<std::size_t>(slot)]; }
  /// A slot's value in the epilogue, where inputs and captured tensors mean themselves.
  Slot behind(Slot slot) const { return is_outside(from_, slot) ? slot : now(slot); }
  void rename(Call& call) const {
    each_argument_slot(call, [this](Slot& slot) { slot = now(slot); });
  }

  void step(Call call) {
    const int place = written_argument(op(call.op));
    if (place < 0) {
      rename(call);
      writer_.add(std::move(call));
      return;
    }
    const Slot target = std::get<Slot>(call.arguments[static_cast<std::size_t>(place)]);
    const Value written = writer_.value(target);
    const Slot before = now_[static_cast<std::size_t>(target)];
    rename(call);
    call.arguments[static_cast<std::size_t>(place)] = before;
    Slot made = twin(call, target, written);
    if (written.row_major && !writer_.value(made).row_major)  // like the value that it replaces
      made = writer_.call(OpId::view_copy, {made, written.sizes}, writer_.name(target), written);
    now_[static_cast<std::size_t>(target)] = made;
    Slot& read = read_[static_cast<std::size_t>(target)];
    read = static_cast<Slot>(
        value_read_after_write<Concrete>(judge_, static_cast<std::int64_t>(made), static_cast<std::int64_t>(read)).v);
  }

  /// The target's value after a write.
  Slot twin(const Call& call, Slot target, const Value& written) {
    const std::string stem = writer_.name(target);
    const Values& given = call.arguments;
    switch (call.op) {
      case OpId::fill__Scalar:
        return filled(given[0], given[1], stem, written);
      case OpId::zero_:
        return filled(given[0], std::int64_t{0}, stem, written);
      case OpId::copy_:
        return copied(given, stem, written);
      default:
        break;
    }
    const auto functional = functional_twin(call.op);
    if (!functional) throw ReferenceLimit("the missing functional form of " + qualified_name(op(call.op)));
    Values arguments = given;
    if (op(call.op).kind == OpKind::Out) arguments.pop_back();
    Value like = written;
    like.row_major = writer_.gives_row_major({*functional, arguments, {}}, written.sizes);
    const Slot made = writer_.call(*functional, std::move(arguments), stem, like);
    return in_dtype(made, call, stem, like);
  }

  /// A conversion to the written tensor's dtype, if the functional form may compute in another one: that of
  /// `float32.add(float64)` does, and a comparison's, but that of `int.add(int)` does not.
  Slot in_dtype(Slot made, const Call& call, const std::string& stem, const Value& written) {
    const bool compares = (op(call.op).differentiable & 1U) == 0;
    bool other = compares && written.dtype != Dtype::boolean;
    const auto look = [&](Slot slot) { other = other || writer_.value(slot).dtype != written.dtype; };
    for (std::size_t i = 0; i < call.arguments.size(); ++i) {
      if (!has_derivative_by(op(call.op).arguments[i])) continue;  // a mask, an index
      each_slot_of(call.arguments[i], look);
      const bool number = std::holds_alternative<double>(call.arguments[i]) && !is_floating(written.dtype);
      other = other || number || std::holds_alternative<Dtype>(call.arguments[i]) || written.dtype == Dtype::boolean ||
              ((call.op == OpId::div__Tensor || call.op == OpId::sum_IntList_out) && !is_floating(written.dtype));
    }
    if (!twin_is_converted<Concrete>(judge_, other).v) return made;
    return writer_.call(OpId::_to_copy, {made, written.dtype, None{}, None{}, None{}, false, None{}}, stem, written);
  }

  /// Zeros, or another number, in the layout of the value that they replace.
  Slot filled(const plumbline::Value& of, const plumbline::Value& number, const std::string& stem, Value like) {
    like.row_major = like.row_major && writer_.value(std::get<Slot>(of)).row_major;
    if (number == plumbline::Value(std::int64_t{0}))
      return writer_.call(OpId::zeros_like, {of, None{}, None{}, None{}, None{}, None{}}, stem, like);
    return writer_.call(OpId::full_like, {of, number, None{}, None{}, None{}, None{}, None{}}, stem, like);
  }

  Slot copied(const Values& given, const std::string& stem, const Value& written) {
    const auto* source = std::get_if<Slot>(&given[1]);
    if (source == nullptr) return filled(given[0], given[1], stem, written);
    Slot made = *source;
    const Value from = writer_.value(made);
    if (source_is_expanded<Concrete>(judge_, from.sizes != written.sizes).v)
      made = writer_.call(OpId::expand_copy, {made, written.sizes, false}, stem, {written.sizes, from.dtype, true});
    if (twin_is_converted<Concrete>(judge_, from.dtype != written.dtype).v)
      made = writer_.call(OpId::_to_copy, {made, written.dtype, None{}, None{}, None{}, false, None{}}, stem,
                          {written.sizes, written.dtype, writer_.value(made).row_major});
    if (made != *source || !fitting_source_is_copied(judge_).v) return made;
    if (written.row_major) return writer_.call(OpId::view_copy, {made, written.sizes}, stem, written);
    return writer_.call(OpId::clone, {made, None{}}, stem, {written.sizes, written.dtype, from.row_major});
  }

  /// Written inputs that the epilogue does not write yet.
  void copy_back() {
    if (!is_copied_back<Concrete>(judge_, 1).v) return;
    for (std::size_t i = 0; i < now_.size() && is_outside(from_, static_cast<Slot>(i)); ++i) {  // they come first
      if (now_[i] == static_cast<Slot>(i)) continue;
      const auto writes = [&](const Statement& statement) {
        const auto& call = std::get<Call>(statement.kind);
        return call.op == OpId::copy_ && call.arguments[0] == plumbline::Value(static_cast<Slot>(i));
      };
      if (std::ranges::any_of(from_.epilogue, writes)) continue;
      writer_.add({OpId::copy_, {static_cast<Slot>(i), now_[i], false}, {}});
    }
  }

  const Judge& judge_;
  Program from_;
  Program made_;
  Writer writer_;
  std::vector<Slot> now_;   ///< by slot: its current value
  std::vector<Slot> read_;  ///< by slot: the value that a read uses
};

}  // namespace

Program remove_mutations(const Judge& judge, Program program) {
  return MutationRemoval(judge, std::move(program)).run();
}

Program functionalize(const Judge& judge, const Body& body, Passes passes) {
  Program program;
  for (const Passes upto : kPasses) {
    program = last_pass(judge, body, std::move(program), upto);
    if (upto == passes) break;
  }
  return program;
}

Program last_pass(const Judge& judge, const Body& body, Program before, Passes passes) {
  if (passes == Passes::a) return remove_aliases(judge, body);
  return passes == Passes::ab ? remove_mutations(judge, std::move(before)) : reapply_views(judge, std::move(before));
}

std::string_view name_of(Passes passes) { return passes == Passes::a ? "a" : passes == Passes::ab ? "ab" : "abc"; }

}  // namespace plumbline::reference::functionalize
