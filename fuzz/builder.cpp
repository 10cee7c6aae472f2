// The builder: one gene after the other becomes statements.
#include "fuzz/builder.h"

#include <algorithm>

#include "fuzz/arguments.h"
#include "reference/composite.h"
#include "reference/kernels.h"
#include "spec/op_ids.h"
#include "spec/rules/geo.h"

namespace plumbline::fuzz {

namespace {

/// The ops of one kind that the reference knows, in the table's order.
const std::vector<OpId>& ops_of(OpKind kind) {
  static const auto by_kind = [] {
    std::array<std::vector<OpId>, kOpKinds.size()> lists;
    for (std::size_t i = 0; i < op_table().size(); ++i) {
      const auto id = static_cast<OpId>(i);
      const bool known = reference::has_meaning(id) || reference::is_expanded(id);
      const auto kind = static_cast<std::size_t>(op(id).kind);
      if (known && !op(id).unsafe && kind < lists.size()) lists[kind].push_back(id);
    }
    return lists;
  }();
  return by_kind[static_cast<std::size_t>(kind)];
}

std::string_view what_is(const StatementKind& kind) {
  constexpr std::array<std::string_view, 14> names{
      "call",     "make",     "enter",    "exit",     "try",  "end_try",     "set_requires_grad",
      "get_data", "set_data", "backward", "get_grad", "read", "read_thread", "snapshot"};
  return names[kind.index()];
}

class Builder {
 public:
  Builder(const Recipe& recipe, Coverage* coverage)
      : judge_(recipe.judge),
        unsafe_(recipe.unsafe),
        observe_all_(recipe.observe_all),
        coverage_(coverage),
        state_(reference::initial_state(recipe.judge)) {}

  void add(const Gene& gene) {
    Choices choices(gene);
    unwind_ = gene.unwind;
    const bool both_sides = gene.observe % 8 == 6;  // so that a monitor sees what a statement that raises has changed
    if (both_sides) perform(Snapshot{});
    if (unsafe_ && gene.twist >= kUnsafeFrom)
      unsafe(gene, choices);
    else
      safe(gene, choices);
    if (observe_all_ || both_sides || gene.observe % 4 == 3) perform(Snapshot{});
  }

  Script finish(bool observe_inside) {
    if (observe_inside && !entered_.empty()) perform(Snapshot{});
    while (!entered_.empty()) leave();
    perform(Snapshot{});
    for (std::size_t slot = 0; slot < slots_; ++slot) script_.names.push_back(slot_name(slot));
    return std::move(script_);
  }

 private:
  /// Of the 256 values of a gene's twist, those from here on stand for an unsafe statement where there may be any.
  static constexpr std::uint8_t kUnsafeFrom = 200;

  void safe(const Gene& gene, Choices& choices) {
    switch (static_cast<GeneKind>(gene.kind % kGeneKinds)) {
      case GeneKind::make_tensor:
        make(choose_literal_sizes(choices), choices, gene.twist);
        break;
      case GeneKind::factory:
        call(OpKind::Factory, gene, choices);
        break;
      case GeneKind::functional:
        call(gene.unwind % 6 == 5 ? OpKind::Out : OpKind::Functional, gene, choices);
        break;
      case GeneKind::inplace:
        call(OpKind::Inplace, gene, choices);
        break;
      case GeneKind::view:
        call(OpKind::View, gene, choices);
        break;
      case GeneKind::inplace_view:
        call(OpKind::InplaceView, gene, choices);
        break;
      case GeneKind::set_requires_grad:
        set_requires_grad(choices);
        break;
      case GeneKind::read:
        read(choices);
        break;
      case GeneKind::enter:
        enter_any(gene, choices);
        break;
      case GeneKind::exit:
        leave();
        break;
    }
  }

  void unsafe(const Gene& gene, Choices& choices) {
    constexpr std::array<Enter, 6> guards{{{GuardKind::below_autograd},
                                           {GuardKind::below_ad_inplace_or_view},
                                           {GuardKind::exclude_key, true, GuardKey::ADInplaceOrView},
                                           {GuardKind::exclude_key, true, GuardKey::AutogradCPU},
                                           {GuardKind::include_key, true, GuardKey::AutogradCPU},
                                           {GuardKind::include_key, true, GuardKey::ADInplaceOrView}}};
    const std::vector<Slot> slots = live();
    const std::size_t kind = gene.op % 8;
    if (kind == 2 && !slots.empty() && choices.below(2) == 1) return hidden_write(slots, choices);
    if (kind < guards.size()) return enter(guards[kind], gene, choices);
    if (slots.empty()) return make(choose_literal_sizes(choices), choices, 0);
    const Slot x = slots[choices.below(slots.size())];
    const Slot y = slots[choices.below(slots.size())];
    if (kind == 7) return void(perform(Call{OpId::set__source_Tensor, {x, y}, {}, false}));
    if (choices.below(2) == 0) {
      if (perform(SetData{x, y}) && choices.below(2) == 1 && perform(Call{OpId::alias, {x}, {next_slot()}, false}))
        ++slots_;
    } else if (perform(GetData{next_slot(), x})) {
      ++slots_;
    }
  }

  /// A write through a fresh view that no version counts, recorded if it can be (AUT-26).
  void hidden_write(const std::vector<Slot>& slots, Choices& choices) {
    const Slot x = slots[choices.below(slots.size())];
    const auto needs_grad = [&](Slot slot) {
      const reference::Tensor& tensor = tensor_in(state_, slot);
      return tensor.meta.requires_grad.v && tensor.dtype == tensor_in(state_, x).dtype;
    };
    const auto y = std::ranges::find_if(slots, needs_grad);
    const Slot view = next_slot();
    if (entered_.size() >= 4 || !perform(Call{OpId::alias, {x}, {view}, false})) return;
    ++slots_;
    entered_.push_back(script_.statements.size());
    perform(Enter{GuardKind::exclude_key, true, GuardKey::ADInplaceOrView});
    perform(Call{OpId::mul__Tensor, {view, y == slots.end() ? x : *y}, {}, false});
    leave();
  }

  std::vector<Slot> live() const {
    std::vector<Slot> slots;
    for (std::size_t i = 0; i < state_.slots.size(); ++i)
      if (state_.slots[i] != reference::kNoTensor) slots.push_back(static_cast<Slot>(i));
    return slots;
  }

  Slot next_slot() const { return static_cast<Slot>(slots_); }

  Sizes choose_literal_sizes(Choices& choices) const { return sizes_like_newest(state_, live(), choices); }

  static double value_at(Dtype dtype, double counted) {
    if (dtype != Dtype::boolean) return counted;
    return static_cast<std::int64_t>(counted) % 3 == 0 ? 0 : 1;
  }

  /// `torch.tensor` writes nested lists, so the sizes end with the first 0.
  void make(Sizes sizes, Choices& choices, std::uint8_t twist, std::optional<Dtype> dtype = std::nullopt) {
    const auto zero = std::ranges::find(sizes, 0);
    if (zero != sizes.end()) sizes.erase(zero + 1, sizes.end());
    constexpr std::array<Dtype, 8> dtypes{Dtype::float32, Dtype::float32, Dtype::float64, Dtype::float32,
                                          Dtype::int64,   Dtype::float64, Dtype::boolean, Dtype::int32};
    const Dtype chosen = dtypes[choices.below(dtypes.size())];
    MakeTensor statement{next_slot(), dtype.value_or(chosen), std::move(sizes), {}, false};
    std::int64_t count = 1;
    for (const std::int64_t size : statement.sizes) count *= size;
    const auto first = static_cast<double>(choices.below(5));
    for (std::int64_t i = 0; i < count; ++i)
      statement.values.push_back(value_at(statement.dtype, static_cast<double>(i) + 1 - first));
    statement.requires_grad = choices.one_in(3) && (is_floating(statement.dtype) || twist % 8 == 7);
    if (perform(statement)) ++slots_;
  }

  void call(OpKind kind, const Gene& gene, Choices& choices) {
    const std::vector<Slot> slots = live();
    if (slots.empty() && kind != OpKind::Factory) return make(choose_literal_sizes(choices), choices, 0);
    const std::vector<OpId>& ops = ops_of(kind);
    Call call{ops[gene.op % ops.size()], {}, {}, false};
    const Op& chosen_op = op(call.op);
    Chosen chosen = choose_arguments(state_, slots, chosen_op, choices, gene.twist);
    if (chosen.refused) return;
    if (chosen.missing) return make(std::move(*chosen.missing), choices, 0, chosen.missing_dtype);
    call.arguments = std::move(chosen.arguments);
    if (chosen.index && !make_index(call, chosen_op, std::move(*chosen.index))) return;
    if (kind == OpKind::View || kind == OpKind::InplaceView) keep_sizes_natural(call, chosen_op);
    if (call.op == OpId::copy_) copy_onto_itself(call, choices);
    if (kind == OpKind::Factory)
      call.requires_grad = choices.one_in(4) && (makes_floats(chosen_op, call) || gene.twist % 8 == 7);
    const std::size_t fresh = choose_results(call, chosen_op, slots, choices);
    if (!perform(call)) return;
    slots_ += fresh;
    const bool unspecified =
        chosen_op.name == "empty" || chosen_op.name == "empty_like" || (chosen_op.name == "rand" && !state_.generator);
    if (unspecified) fill(call.results.front(), choices);
  }

  /// Makes the tensor of indices that a call needs, and puts it in its place.
  bool make_index(Call& call, const Op& op, MakeTensor index) {
    index.result = next_slot();
    if (!perform(index)) return false;
    for (std::size_t i = 0; i < call.arguments.size(); ++i)
      if (op.arguments[i].name == "index") call.arguments[i] = next_slot();
    ++slots_;
    return true;
  }

  /// A copy from a view of the very same elements (GEO-28): now and then, and mostly where they overlap.
  void copy_onto_itself(Call& call, Choices& choices) {
    const auto* self = std::get_if<Slot>(&call.arguments[0]);
    if (self == nullptr) return;
    const reference::Geometry& g = tensor_in(state_, *self).geometry;
    bool overlaps = false;
    for (int i = 0; i < g.rank(); ++i) overlaps = overlaps || (g.strides[i].v == 0 && g.sizes[i].v > 1);
    if (choices.last() % (overlaps ? 2 : 16) != 1) return;
    const Slot same = next_slot();
    if (!perform(Call{OpId::alias, {*self}, {same}, false})) return;
    ++slots_;
    call.arguments[1] = same;
  }

  /// What ships lets `expand` and `as_strided`, and 1.13 `unfold`, make a view with a negative size where another size
  /// is 0 (GEO-27). The corpus shows it; what every other op then does with such a view is nobody's rule, so none is
  /// made where it is let through.
  void keep_sizes_natural(Call& call, const Op& op) const {
    if (check_negative_size<Concrete>(judge_, true, true).v != 0) return;
    for (std::size_t i = 0; i < call.arguments.size(); ++i) {
      if (auto* window = std::get_if<std::int64_t>(&call.arguments[i]);
          window != nullptr && op.arguments[i].name == "size")
        *window = std::max<std::int64_t>(*window, 0);
      auto* sizes = std::get_if<std::vector<std::int64_t>>(&call.arguments[i]);
      if (sizes == nullptr || op.arguments[i].name != "size") continue;
      if (op.kind == OpKind::View && std::ranges::count(*sizes, 0) == 0) continue;  // in place it stays after the error
      std::ranges::replace_if(*sizes, [](std::int64_t size) { return size < 0; }, 1);
    }
  }

  static bool makes_floats(const Op& op, const Call& call) {
    bool integral = false;
    for (std::size_t i = 0; i < call.arguments.size(); ++i) {
      if (const Dtype* dtype = std::get_if<Dtype>(&call.arguments[i])) return is_floating(*dtype);
      integral = integral ||
                 (op.arguments[i].type == ArgType::Scalar && std::holds_alternative<std::int64_t>(call.arguments[i]));
    }
    return !integral;
  }

  /// Gives the results names, and says how many of the names are new ones. An in-place op's result mostly gets none:
  /// it is its first argument.
  std::size_t choose_results(Call& call, const Op& op, const std::vector<Slot>& slots, Choices& choices) const {
    const std::size_t results = result_count(state_, op, call.arguments);
    const bool rebinds = choices.one_in(8);
    if ((op.aliases == Aliases::self || op.aliases == Aliases::out) && !rebinds) return 0;
    if (rebinds && results == 1 && !slots.empty() && choices.below(3) != 2) {
      call.results = {slots[choices.below(slots.size())]};
      return 0;
    }
    for (std::size_t i = 0; i < results; ++i) call.results.push_back(static_cast<Slot>(slots_ + i));
    return results;
  }

  /// What `empty` and its like hold is unspecified, so mostly it is overwritten at once.
  void fill(Slot slot, Choices& choices) {
    if (choices.one_in(16)) return;
    perform(Call{OpId::fill__Scalar, {slot, static_cast<std::int64_t>(1 + choices.below(3))}, {}, false});
  }

  void set_requires_grad(Choices& choices) {
    const std::vector<Slot> slots = live();
    if (slots.empty()) return make(choose_literal_sizes(choices), choices, 0);
    const Slot slot = slots[choices.below(slots.size())];
    const bool floating = is_floating(tensor_in(state_, slot).dtype);
    perform(SetRequiresGrad{slot, floating ? !choices.one_in(4) : choices.one_in(8)});
  }

  void read(Choices& choices) {
    constexpr std::array<Field, 6> fields{Field::version,       Field::grad_fn,      Field::is_leaf,
                                          Field::requires_grad, Field::is_inference, Field::version};
    const std::vector<Slot> slots = live();
    if (slots.empty()) return make(choose_literal_sizes(choices), choices, 0);
    const Field field = fields[choices.below(fields.size())];
    perform(Read{slots[choices.below(slots.size())], field});
  }

  void enter_any(const Gene& gene, Choices& choices) {
    constexpr std::array<Enter, 8> guards{{{GuardKind::inference_mode, true},
                                           {GuardKind::no_grad, false},
                                           {GuardKind::inference_mode, true},
                                           {GuardKind::inference_mode, false},
                                           {GuardKind::enable_grad, true},
                                           {GuardKind::set_grad_enabled, false},
                                           {GuardKind::set_grad_enabled, true},
                                           {GuardKind::inference_mode, true}}};
    enter(guards[choices.below(guards.size())], gene, choices);
  }

  void enter(const Enter& guard, const Gene& gene, Choices& choices) {
    if (entered_.size() >= 4) return leave();
    const std::size_t place = script_.statements.size();
    if (!perform(guard)) return;
    entered_.push_back(place);
    if (choices.below(2) == 0) return;
    if (choices.one_in(3))
      call(OpKind::View, gene, choices);  // often a guard holds a tensor's or a view's making alone
    else if (guard.kind >= GuardKind::below_autograd)
      call(OpKind::Inplace, gene, choices);  // or, where it hides writes, a write
    else
      make(choose_literal_sizes(choices), choices, 0);
    leave();
  }

  void leave() {
    if (entered_.empty()) return;
    perform(Exit{});
    entered_.pop_back();
  }

  /// Executes and adds a statement; one that raises is put into a Try, with some of the guards around it.
  bool perform(StatementKind kind) {
    const reference::Tls before = state_.tls;
    Statement statement{std::move(kind), 0};
    const Outcome outcome = reference::step(judge_, state_, statement);
    const ErrorClass error = outcome.failure.error;
    if (coverage_ != nullptr) {
      if (const Call* call = std::get_if<Call>(&statement.kind))
        coverage_->call(before, call->op, error);
      else
        coverage_->other(what_is(statement.kind), error);
    }
    if (error != ErrorClass::none) {
      raise_in_try(std::move(statement));
      return false;
    }
    script_.statements.push_back(std::move(statement));
    return true;
  }

  void raise_in_try(Statement statement) {
    if (Call* call = std::get_if<Call>(&statement.kind))
      if (call->results.size() != 1 || static_cast<std::size_t>(call->results.front()) >= slots_) call->results.clear();
    if (GetData* get = std::get_if<GetData>(&statement.kind)) get->result = static_cast<Slot>(slots_++);
    if (MakeTensor* make = std::get_if<MakeTensor>(&statement.kind)) make->result = static_cast<Slot>(slots_++);
    const std::size_t through = unwind_ % 3 == 0 ? 0 : unwind_ % (entered_.size() + 1);
    auto first = script_.statements.end();
    if (through > 0) {
      first = script_.statements.begin() + static_cast<std::ptrdiff_t>(entered_[entered_.size() - through]);
      entered_.resize(entered_.size() - through);
    }
    script_.statements.insert(first, Statement{Try{}, 0});
    script_.statements.push_back(std::move(statement));
    for (std::size_t i = 0; i < through; ++i) script_.statements.push_back({Exit{}, 0});  // where Python's `with` ends
    script_.statements.push_back({EndTry{}, 0});
    reference::unwind(judge_, state_, entered_.size());
  }

  const reference::Judge& judge_;
  bool unsafe_;
  bool observe_all_;
  Coverage* coverage_;
  reference::State state_;
  Script script_;
  std::vector<std::size_t> entered_;  ///< where the open guards were entered, in the script
  std::size_t slots_ = 0;             ///< how many have a name
  std::uint8_t unwind_ = 0;
};

}  // namespace

std::string slot_name(std::size_t slot) {
  std::string name(1, static_cast<char>('a' + slot % 26));
  return slot < 26 ? name : name + std::to_string(slot / 26);
}

Script build(const Genes& genes, const Recipe& recipe, Coverage* coverage) {
  Builder builder(recipe, coverage);
  for (const Gene& gene : genes) builder.add(gene);
  return builder.finish(!genes.empty() && genes.back().observe % 8 == 7);
}

}  // namespace plumbline::fuzz
