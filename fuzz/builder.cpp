// The builder: it turns one gene after the other into statements.
#include "fuzz/builder.h"

#include <algorithm>

#include "fuzz/aim.h"
#include "fuzz/building.h"
#include "language/slots.h"
#include "oracle/slice.h"
#include "reference/call.h"
#include "reference/raise.h"

namespace plumbline::fuzz {

namespace {

/// Variables of nested bodies that may hold the same tensor as one outside.
constexpr double kMostInBodies = 8;

std::string_view what_is(const StatementKind& kind) {
  constexpr std::array names = std::to_array<std::string_view>({"call",
                                                                "make",
                                                                "enter",
                                                                "exit",
                                                                "try",
                                                                "end_try",
                                                                "set_requires_grad",
                                                                "get_data",
                                                                "set_data",
                                                                "backward",
                                                                "get_grad",
                                                                "read",
                                                                "read_thread",
                                                                "snapshot",
                                                                "set_grad",
                                                                "retain_grad",
                                                                "seed",
                                                                "start",
                                                                "join",
                                                                "apply",
                                                                "apply_returns",
                                                                "context",
                                                                "saved_tensors",
                                                                "functionalize",
                                                                "functionalized",
                                                                "operator",
                                                                "autograd.grad",
                                                                "hook",
                                                                "remove_hook",
                                                                "wait",
                                                                "go_on",
                                                                "saved_tensors_hooks",
                                                                "library",
                                                                "define",
                                                                "impl",
                                                                "destroy",
                                                                "fallback",
                                                                "query_kernel",
                                                                "query_thread",
                                                                "raise",
                                                                "append_to_log",
                                                                "read_log",
                                                                "clear_log",
                                                                "meta_tensor",
                                                                "vmap",
                                                                "mapped"});
  static_assert(names.size() == std::variant_size_v<StatementKind>);
  return names[kind.index()];
}

}  // namespace

void Builder::add(const Gene& given) {
  Gene gene = captures_ ? aimed_at_capture(given) : given;
  devices_ ^= static_cast<std::uint32_t>(gene.twist) << 16U;
  if (!million_ && Choices(gene).extent() == Extent::million) gene.extent = 0;
  last_ = gene;
  Choices choices(gene);
  unwind_ = gene.unwind;
  const bool seen = open_bodies_.empty() && is_light();
  const bool both_sides = gene.observe % 8 == 6 && seen;  // so that a monitor sees what a statement that raises changes
  if (both_sides) perform(Snapshot{});
  const std::size_t before = script_.statements.size();
  if (dispatching_ == Dispatching::only) {
    ManyChoices many(gene);
    dispatch_step(many);
  } else if (functionalizes_)
    functionalized(gene, choices);
  else if (transforms_)
    transformed(gene, choices);
  else if (unsafe_ && gene.twist >= kUnsafeFrom)
    unsafe(gene, choices);
  else
    safe(gene, choices);
  read_log(before, gene);
  if ((observe_all_ || both_sides || gene.observe % 4 == 3) && open_bodies_.empty() && is_light()) perform(Snapshot{});
}

Script Builder::finish(bool observe_inside) {
  while (!open_bodies_.empty()) {
    Choices choices(last_);
    end_body(choices);
  }
  if (observe_inside && !entered_.empty() && is_light()) perform(Snapshot{});
  while (!entered_.empty()) leave();
  if (logs_) perform(ReadLog{});
  // Variables can come to hold one large tensor several times; where another profile lets a body end that raises here,
  // those of the body, too.
  const double times = functionalizes_ ? kMostInBodies : 1;
  if (elements_to_read() * times <= kMostToRead)
    perform(Snapshot{});
  else
    leave_out(LeftOut::too_large);
  if (coverage_ != nullptr) {
    double most = 0;
    for (const reference::Tensor& tensor : state_.tensors) most = std::max(most, elements_in(tensor));
    coverage_->largest(most);
  }
  return named();
}

Script Builder::named() {
  for (std::size_t slot = script_.names.size(); slot < slots_; ++slot) script_.names.push_back(slot_name(slot));
  return std::move(script_);
}

void Builder::safe(const Gene& gene, Choices& choices) {
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
    case GeneKind::gradient:
      gradient(gene, choices);
      break;
    case GeneKind::thread:
      if (captures_)
        call_operator_in_graph(gene, choices);
      else
        thread(gene, choices);
      break;
    case GeneKind::custom_function:
      custom_function(gene, choices);
      break;
  }
}

std::vector<Slot> Builder::floating_slots(bool requires_grad) const {
  std::vector<Slot> fitting;
  for (const Slot slot : live()) {
    const auto id = state_.slots[static_cast<std::size_t>(slot)];
    const Dtype dtype = tensor_in(state_, slot).dtype;
    if ((is_floating(dtype) || (requires_grad && is_complex(dtype))) &&
        (!requires_grad || reference::requires_grad_of(judge_, state_, id)))
      fitting.push_back(slot);
  }
  return fitting;
}

std::optional<Slot> Builder::floating_slot(Choices& choices, bool requires_grad) const {
  const std::vector<Slot> fitting = floating_slots(requires_grad);
  if (fitting.empty()) return std::nullopt;
  const std::size_t pick = choices.below(fitting.size() + 2);
  return fitting[std::min(pick, fitting.size() - 1)];
}

std::vector<Slot> Builder::live() const {
  const auto hidden_by = [](Slot slot) {
    return [slot](const Body& body) { return body.closed && body.outside.contains(slot); };
  };
  std::vector<Slot> slots;
  for (std::size_t i = 0; i < state_.slots.size(); ++i)
    if (state_.slots[i] != reference::kNoTensor && !tensor_in(state_, static_cast<Slot>(i)).on_meta &&
        !ended_.contains(static_cast<Slot>(i)) && std::ranges::none_of(open_bodies_, hidden_by(static_cast<Slot>(i))))
      slots.push_back(static_cast<Slot>(i));
  return slots;
}

Slot Builder::next_slot() const { return static_cast<Slot>(slots_); }

void Builder::set_requires_grad(Choices& choices) {
  const std::vector<Slot> slots = live();
  if (slots.empty()) return make(choose_literal_sizes(choices), choices, 0);
  const Slot slot = slots[choices.below(slots.size())];
  const bool floating = is_floating(tensor_in(state_, slot).dtype);
  perform(SetRequiresGrad{slot, floating ? !choices.one_in(4) : choices.one_in(8)});
}

void Builder::read(Choices& choices) {
  constexpr std::array<Field, 6> fields{Field::version,       Field::grad_fn,      Field::is_leaf,
                                        Field::requires_grad, Field::is_inference, Field::version};
  const std::vector<Slot> slots = live();
  if (slots.empty()) return make(choose_literal_sizes(choices), choices, 0);
  const Field field = fields[choices.below(fields.size())];
  perform(Read{slots[choices.below(slots.size())], field});
}

void Builder::enter_any(const Gene& gene, Choices& choices) {
  const std::array<Enter, 8> guards{{{GuardKind::inference_mode, true},
                                     {GuardKind::no_grad, false},
                                     {GuardKind::inference_mode, true},
                                     {GuardKind::inference_mode, false},
                                     {GuardKind::enable_grad, true},
                                     {GuardKind::set_grad_enabled, false},
                                     {GuardKind::set_grad_enabled, true},
                                     {GuardKind::inference_mode, true}}};
  enter(guards[choices.below(guards.size())], gene, choices);
}

void Builder::enter(const Enter& guard, const Gene& gene, Choices& choices) {
  if (entered_.size() >= 4) return leave();
  if (gene.twist % 16 == 13 && inner_ == 0) return saved_hooks(gene);
  const std::size_t place = script_.statements.size();
  if (!perform(guard)) return;
  entered_.push_back(place);
  if (choices.below(2) == 0) return;
  if (choices.one_in(3))
    call(OpKind::View, gene, choices);  // often only the creation of a tensor or a view is inside a guard
  else if (guard.kind >= GuardKind::below_autograd)
    call(OpKind::Inplace, gene, choices);  // or a write, if the guard hides writes
  else
    make(choose_literal_sizes(choices), choices, 0);
  leave();
}

void Builder::leave() {
  if (entered_.empty()) return;
  perform(Exit{});
  entered_.pop_back();
}

namespace {

bool fits_mapped_body(const StatementKind& kind) {
  return std::holds_alternative<Call>(kind) || std::holds_alternative<MakeTensor>(kind) || enters_body(kind);
}

}  // namespace

bool Builder::perform(StatementKind kind) {
  if (!open_bodies_.empty() && std::holds_alternative<ManualSeed>(kind)) {
    leave_out(LeftOut::seed_in_body);
    return false;
  }
  if (!open_bodies_.empty() && transforms_ && !fits_mapped_body(kind)) {
    leave_out(LeftOut::outside_bodies);
    return false;
  }
  if (!grads_fit()) {
    if (auto* call = std::get_if<Call>(&kind)) call->requires_grad = false;
    if (auto* make = std::get_if<MakeTensor>(&kind)) make->requires_grad = false;
  }
  if (two_devices_) choose_devices(kind);
  const reference::Tls before = state_.tls;
  Statement statement{std::move(kind), 0};
  Outcome outcome;
  try {
    outcome = reference::step(judge_, state_, statement);
  } catch (const reference::ReferenceLimit&) {
    undo(LeftOut::reference_limit);  // nothing could be compared there
    return false;
  } catch (const std::logic_error& error) {
    visit_slots(statement.kind, [](Slot) {}, [this](Slot made) { slots_ = std::max(slots_, std::size_t(made) + 1); });
    throw ReferenceBroke(error.what(), named(), std::move(statement));
  }
  const ErrorClass error = outcome.failure.error;
  if (coverage_ != nullptr) {
    if (const Call* call = std::get_if<Call>(&statement.kind))
      coverage_->call(before, call->op, error);
    else
      coverage_->other(what_is(statement.kind), error);
  }
  if (error != ErrorClass::none) {
    if (!open_bodies_.empty())
      raised_in_body(std::move(statement));
    else if (captures_ && unwind_ % 4 != 3 &&
             (std::holds_alternative<Call>(statement.kind) || std::holds_alternative<Invoke>(statement.kind)))
      undo(LeftOut::raises_in_graph);
    else
      raise_in_try(std::move(statement));
    return false;
  }
  script_.statements.push_back(std::move(statement));
  return true;
}

void Builder::undo(LeftOut why) {
  leave_out(why);
  state_ = replayed();
}

reference::State Builder::replayed() const {
  reference::Judge unheard = judge_;
  unheard.decisions = nullptr;
  Script script = script_;
  script.statements.push_back({Snapshot{}, 0});
  return *reference::state_before(unheard, script, script_.statements.size());
}

void Builder::raise_in_try(Statement statement) {
  bool writes = false;
  if (Call* call = std::get_if<Call>(&statement.kind)) {
    writes = written_argument(op(call->op)) >= 0;
    if (call->results.size() != 1 || static_cast<std::size_t>(call->results.front()) >= slots_) call->results.clear();
  }
  if (const Invoke* invoke = std::get_if<Invoke>(&statement.kind)) {
    writes = std::ranges::find(probes_, invoke->op) == probes_.end();
    slots_ += invoke->results.size();
  }
  if (GetGradients* get = std::get_if<GetGradients>(&statement.kind)) get->results.clear();
  if (GetData* get = std::get_if<GetData>(&statement.kind)) get->result = static_cast<Slot>(slots_++);
  if (MakeTensor* make = std::get_if<MakeTensor>(&statement.kind)) make->result = static_cast<Slot>(slots_++);
  const std::size_t through = unwind_ % 3 == 0 || inner_ > 0 ? 0 : unwind_ % (entered_.size() + 1);
  auto first = script_.statements.end();
  if (through > 0) {
    first = script_.statements.begin() + static_cast<std::ptrdiff_t>(entered_[entered_.size() - through]);
    entered_.resize(entered_.size() - through);
  }
  script_.statements.insert(first, Statement{Try{}, 0});
  std::optional<StatementKind> end;
  if (std::holds_alternative<EnterTransform>(statement.kind)) end = bare_end(statement.kind);
  script_.statements.push_back(std::move(statement));
  if (end) script_.statements.push_back({*std::move(end), 0});
  for (std::size_t i = 0; i < through; ++i) script_.statements.push_back({Exit{}, 0});  // where Python's `with` ends
  script_.statements.push_back({EndTry{}, 0});
  if (writes && is_light())
    script_.statements.push_back({Snapshot{}, 0});  // so that its effects are not attributed to another statement
  reference::unwind(judge_, state_, entered_.size() + inner_);
}

std::string slot_name(std::size_t slot) {
  std::string name(1, static_cast<char>('a' + slot % 26));
  return slot < 26 ? name : name + std::to_string(slot / 26);
}

Script build(const Genes& genes, const Recipe& recipe, Coverage* coverage) {
  Builder builder(recipe, coverage);
  if (recipe.two_devices) builder.begin_on_two_devices();
  for (const Gene& gene : genes) builder.add(gene);
  Script script = builder.finish(!genes.empty() && genes.back().observe % 8 == 7);
  if (!recipe.has.cuts()) return script;
  Slice part = slice(recipe.judge, script, recipe.has);
  if (coverage != nullptr) coverage->left_out[static_cast<std::size_t>(LeftOut::not_had)] += part.left_out;
  return std::move(part.script);
}

}  // namespace plumbline::fuzz
