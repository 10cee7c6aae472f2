// Functionalized bodies among the statements: `y, … = torch.func.functionalize(body)(x, …)`.
#include <algorithm>

#include "fuzz/building.h"
#include "language/slots.h"
#include "reference/memory.h"
#include "reference/raise.h"
#include "spec/ops/op_ids.h"

namespace plumbline::fuzz {

namespace {

/// The kinds of genes if nothing requires grad; they replace the kinds that are about grad.
constexpr std::array<GeneKind, kGeneKinds> kInstead{
    GeneKind::make_tensor,  GeneKind::factory, GeneKind::functional, GeneKind::inplace, GeneKind::view,
    GeneKind::inplace_view, GeneKind::inplace, GeneKind::read,       GeneKind::enter,   GeneKind::exit,
    GeneKind::inplace,      GeneKind::view,    GeneKind::view};

constexpr std::size_t kDeepest = 3;  // nested bodies
constexpr std::int64_t kMostOfLiteral = 64;

}  // namespace

void Builder::functionalized(const Gene& gene, Choices& choices) {
  if (gene.op % 16 == 11 && gene.twist % 2 == 0) return custom_operator(gene, choices);
  Gene made = gene;
  auto kind = kInstead[gene.kind % kGeneKinds];
  const bool turns = gene.kind % kGeneKinds > static_cast<std::uint8_t>(GeneKind::gradient);
  if (!open_bodies_.empty()) {
    if (turns && gene.twist % 2 == 0) return end_body(choices);
    if (turns && gene.twist % 8 == 1 && open_bodies_.size() < kDeepest && !live().empty())
      return begin_body(gene, choices);
    if (kind == GeneKind::read || kind == GeneKind::enter) kind = GeneKind::view;
    if (kind == GeneKind::exit) kind = GeneKind::inplace;
  } else if (!live().empty() && bodies_ < 2 && (turns || gene.op % 2 == 1)) {
    return begin_body(gene, choices);
  }
  made.kind = static_cast<std::uint8_t>(kind);
  safe(made, choices);
}

void Builder::begin_body(const Gene& gene, Choices& choices) {
  const std::vector<Slot> slots = live();
  Body body{script_.statements.size(), {}, !choices.one_in(6)};
  EnterFunctionalize enter;
  enter.remove = gene.unwind % 2 == 0 ? Remove::mutations_and_views : Remove::mutations;
  const std::size_t most =
      choices.one_in(4) ? 3 : std::min<std::size_t>(slots.size(), 3);  // an input may be passed twice
  const std::size_t count = 1 + choices.below(most);
  const std::size_t first = choices.below(slots.size());
  for (std::size_t i = 0; i < count; ++i) {
    enter.inputs.push_back(slots[(slots.size() - 1 - first + i) % slots.size()]);
    enter.parameters.push_back(static_cast<Slot>(slots_++));
  }
  body.outside.insert(slots.begin(), slots.end());
  if (!perform(enter)) return;
  ++inner_;
  bodies_ += open_bodies_.empty() ? 1 : 0;
  open_bodies_.push_back(std::move(body));
  if (!state_.levels.empty() && gene.op % 2 == 0) write_from_examples();
}

/// `t = torch.tensor(…); t.add_(x)` with the body's first parameter, which may have examples that t lacks.
void Builder::write_from_examples() {
  const auto& enter = std::get<EnterFunctionalize>(script_.statements[open_bodies_.back().begin].kind);
  const Slot parameter = enter.parameters.front();
  const reference::Tensor& like = tensor_in(state_, parameter);
  const Sizes sizes = reference::sizes_of(like.geometry);
  const std::int64_t count = reference::element_count(sizes);
  if (count > kMostOfLiteral || is_complex(like.dtype)) return;
  const auto made = static_cast<Slot>(slots_);
  std::vector<double> zeros(static_cast<std::size_t>(count));
  if (!perform(MakeTensor{.result = made, .dtype = like.dtype, .sizes = sizes, .values = std::move(zeros)})) return;
  ++slots_;
  perform(Call{.op = OpId::add__Tensor, .arguments = {made, parameter, std::int64_t{1}}, .results = {}});
}

void Builder::end_body(Choices& choices) {
  const StatementKind& enter = script_.statements[open_bodies_.back().begin].kind;
  const auto* transform = std::get_if<EnterTransform>(&enter);
  if (transform != nullptr && std::holds_alternative<Grad>(transform->transform)) return end_grad(choices);
  const std::vector<Slot> slots = live();
  std::vector<Slot> returned, results;
  const std::size_t count = slots.empty() ? 0 : choices.below(4);
  double read = elements_to_read();
  for (std::size_t i = 0; i < count; ++i) {
    const Slot slot = slots[slots.size() - 1 - choices.below(slots.size())];
    if (open_bodies_.back().outside.contains(slot)) continue;
    read += elements_in(tensor_in(state_, slot));
    if (read > kMostToRead) {
      leave_out(LeftOut::too_large);
      break;
    }
    returned.push_back(slot);
    results.push_back(static_cast<Slot>(slots_++));
  }
  forget_own(results);
  end_by(end_returning(returned, results, choices));
}

void Builder::end_grad(Choices& choices) {
  const Slot returned = number_to_return(choices);
  const std::size_t own = slots_;
  const auto enter = std::get<EnterTransform>(script_.statements[open_bodies_.back().begin].kind);
  LeaveTransform leave = end_of_grad(enter, returned);
  slots_ = own;  // until the names of the body have ended
  forget_own({});
  slots_ = own + leave.results.size();
  end_by(std::move(leave));
}

void Builder::end_by(StatementKind leave) {
  Outcome outcome;
  const std::size_t names = slots_;
  try {
    outcome = reference::step(judge_, state_, {leave, 0});
  } catch (const reference::ReferenceLimit&) {
    undo(LeftOut::reference_limit);
    visit_slots(leave, [](Slot) {}, [&](Slot result) { ended_.insert(result); });
    leave = bare_end(script_.statements[open_bodies_.back().begin].kind);
    end_names(names, slots_);
    try {
      outcome = reference::step(judge_, state_, {leave, 0});
    } catch (const reference::ReferenceLimit&) {
      return leave_out_body();
    }
  }
  script_.statements.push_back({leave, 0});
  if (outcome.failure.error != ErrorClass::none) return abandon_bodies();
  --inner_;
  open_bodies_.pop_back();
}

StatementKind Builder::end_returning(const std::vector<Slot>& returned, const std::vector<Slot>& results,
                                     Choices& choices) {
  if (std::holds_alternative<EnterFunctionalize>(script_.statements[open_bodies_.back().begin].kind))
    return LeaveFunctionalize{returned, results};
  LeaveTransform leave{{}, returned, results};
  for (const Slot slot : returned) leave.out_dims.push_back(any_out_dim(slot, choices));
  return leave;
}

StatementKind Builder::bare_end(const StatementKind& enter) {
  const auto* transform = std::get_if<EnterTransform>(&enter);
  if (transform == nullptr) return LeaveFunctionalize{};
  if (!std::holds_alternative<Grad>(transform->transform)) return LeaveTransform{};
  const std::size_t names = slots_;
  LeaveTransform leave = end_of_grad(*transform, transform->parameters.front());
  end_names(names, slots_);
  return leave;
}

/// The innermost body cannot end: its statements go.
void Builder::leave_out_body() {
  const std::size_t begin = open_bodies_.back().begin;
  script_.statements.resize(begin);
  --inner_;
  open_bodies_.pop_back();
  undo(LeftOut::reference_limit);
}

/// An error in the body: mostly the statement is left out, otherwise the error ends the body.
void Builder::raised_in_body(Statement statement) {
  if (unwind_ % 4 != 3) {
    undo(LeftOut::raises_in_body);
    return;
  }
  std::optional<StatementKind> own_end;
  if (enters_body(statement.kind)) own_end = bare_end(statement.kind);
  script_.statements.push_back(std::move(statement));
  if (own_end) script_.statements.push_back({*std::move(own_end), 0});
  StatementKind end = bare_end(script_.statements[open_bodies_.back().begin].kind);
  script_.statements.push_back({std::move(end), 0});
  abandon_bodies();
}

/// The innermost body has its end in the script, and an error leaves it: the other bodies end after it.
void Builder::abandon_bodies() {
  for (std::size_t around = 1; around < open_bodies_.size(); ++around) {
    StatementKind end = bare_end(script_.statements[open_bodies_[open_bodies_.size() - 1 - around].begin].kind);
    script_.statements.push_back({std::move(end), 0});
  }
  inner_ -= open_bodies_.size();
  open_bodies_.erase(open_bodies_.begin() + 1, open_bodies_.end());
  forget_own({});
  script_.statements.insert(script_.statements.begin() + static_cast<std::ptrdiff_t>(open_bodies_.front().begin),
                            Statement{Try{}, 0});
  script_.statements.push_back({EndTry{}, 0});
  script_.statements.push_back({Snapshot{}, 0});
  open_bodies_.clear();
  reference::unwind(judge_, state_, entered_.size() + inner_);
}

/// The names of the body end with it, also the new ones of a last statement that failed.
void Builder::forget_own(const std::vector<Slot>& results) {
  for (const Statement& statement : script_.statements) {
    const auto use = [this](Slot slot) { slots_ = std::max(slots_, static_cast<std::size_t>(slot) + 1); };
    if (const auto* call = std::get_if<Call>(&statement.kind)) std::ranges::for_each(call->results, use);
    if (const auto* invoke = std::get_if<Invoke>(&statement.kind)) std::ranges::for_each(invoke->results, use);
    if (const auto* make = std::get_if<MakeTensor>(&statement.kind)) use(make->result);
  }
  for (std::size_t slot = 0; slot < slots_; ++slot) {
    const auto one = static_cast<Slot>(slot);
    if (!open_bodies_.back().outside.contains(one) && std::ranges::find(results, one) == results.end())
      ended_.insert(one);
  }
}

}  // namespace plumbline::fuzz
