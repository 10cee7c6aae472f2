// Monitors: comparing each snapshot with the next.
#include "oracle/monitors.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <map>
#include <set>

#include "adapters/protocol/names.h"
#include "language/slots.h"
#include "oracle/reading_text.h"
#include "spec/ops/op_ids.h"

namespace plumbline {

namespace {

/// The fields that a statement that raises must not change: all but the history, which reading it may bring up to date.
constexpr std::array kAll{Field::dtype,   Field::sizes, Field::strides,      Field::offset,  Field::values,
                          Field::storage, Field::keys,  Field::is_inference, Field::version, Field::requires_grad,
                          Field::is_view, Field::base,  Field::creation_meta};
/// The fields of an inference tensor that must not change outside the mode. Its requires_grad may be cleared (INF-11).
constexpr std::array kImmutable{Field::dtype,  Field::sizes,   Field::strides, Field::offset,
                                Field::values, Field::storage, Field::keys,    Field::is_inference};

bool acts(const StatementKind& kind) {
  return std::holds_alternative<Call>(kind) || std::holds_alternative<MakeTensor>(kind) ||
         std::holds_alternative<MakeMetaTensor>(kind) || std::holds_alternative<SetRequiresGrad>(kind) ||
         std::holds_alternative<GetData>(kind) || std::holds_alternative<SetData>(kind) ||
         std::holds_alternative<Backward>(kind) || std::holds_alternative<GetGradients>(kind) ||
         std::holds_alternative<GetGrad>(kind) || std::holds_alternative<SetGrad>(kind) ||
         std::holds_alternative<LeaveForward>(kind) || leaves_body(kind) || std::holds_alternative<Invoke>(kind);
}

/// The variable whose tensor a statement writes, or whose storage it replaces.
std::optional<Slot> written(const StatementKind& kind) {
  if (const auto* set = std::get_if<SetData>(&kind)) return set->tensor;
  const auto* call = std::get_if<Call>(&kind);
  return call != nullptr && call->op == OpId::detach_ ? std::nullopt : written_slot(kind);
}

void add_bound(const StatementKind& kind, std::set<Slot>& bound) {
  visit_slots(kind, [](Slot) {}, [&](Slot given) { bound.insert(given); });
}

/// Whether a backward of a custom function, or a hook, enters inference mode.
bool functions_enter_mode(const Script& script) {
  return std::ranges::any_of(script.functions, [](const CustomBackward& function) {
    return std::ranges::any_of(function.statements, [](const Statement& statement) {
      const auto* enter = std::get_if<Enter>(&statement.kind);
      return enter != nullptr && enter->kind == GuardKind::inference_mode && enter->value;
    });
  });
}

/// The statements between two snapshots.
struct Window {
  std::vector<std::size_t> acting;  ///< statements
  std::vector<bool> anew;  ///< for each, whether the variable that it writes was assigned between the snapshots
  std::vector<std::set<Slot>> given;  ///< for each, the variables that it assigned
  std::set<Slot> bound;
  std::map<Slot, Slot> inputs;  ///< of mapped bodies, by what the body calls them and its views of them
  bool all_raised = true;

  void add(const Script& script, const Outcome& outcome) {
    const StatementKind& kind = script.statements.at(outcome.statement).kind;
    if (const auto* enter = std::get_if<EnterTransform>(&kind))
      for (std::size_t i = 0; i < enter->parameters.size() && i < enter->inputs.size(); ++i)
        inputs[enter->parameters[i]] = input_of(enter->inputs[i]);
    const auto* call = std::get_if<Call>(&kind);
    if (call != nullptr && op(call->op).kind == OpKind::View && !call->arguments.empty())
      if (const auto* self = std::get_if<Slot>(&call->arguments.front()); self != nullptr && inputs.contains(*self))
        for (const Slot view : call->results) inputs[view] = input_of(*self);
    if (!acts(kind)) return;
    acting.push_back(outcome.statement);
    const auto slot = written(kind);
    anew.push_back(slot && bound.contains(input_of(*slot)));
    given.emplace_back();
    if (outcome.failure.error != ErrorClass::none) return;
    add_bound(kind, given.back());
    add_bound(kind, bound);
    all_raised = false;
  }

  /// The caller's variable of which a body's variable has the examples; others stand for themselves.
  Slot input_of(Slot slot) const {
    const auto found = inputs.find(slot);
    return found == inputs.end() ? slot : found->second;
  }

  /// The statement to blame: the last one that writes the changed memory (`owns` decides this from the variable and
  /// whether it was assigned between the snapshots). Otherwise the last backward, which writes gradients that no
  /// variable holds, then the last write of a reassigned variable, then the last write, then the last statement that
  /// acts.
  template <class Owns>
  std::size_t culprit(const Script& script, const Owns& owns) const {
    std::optional<std::size_t> rebound;  // wrote a variable that now holds another tensor
    std::optional<std::size_t> writer;
    std::optional<std::size_t> backward;
    for (std::size_t i = acting.size(); i-- > 0;) {
      const StatementKind& kind = script.statements[acting[i]].kind;
      const auto slot = written(kind);
      if (!backward && (std::holds_alternative<Backward>(kind) || std::holds_alternative<GetGradients>(kind)))
        backward = acting[i];
      if (slot && owns(input_of(*slot), anew[i])) return acting[i];
      if (slot && !rebound && bound.contains(*slot)) rebound = acting[i];
      if (slot && !writer) writer = acting[i];
    }
    return backward.value_or(rebound.value_or(writer.value_or(acting.back())));
  }
};

bool same_values(const Values& a, const Values& b) {
  if (a.floats.size() != b.floats.size() || a.integers.size() != b.integers.size()) return false;
  const auto known = [](const Values& v, std::size_t i) { return v.known.empty() || v.known[i]; };
  for (std::size_t i = 0; i < a.floats.size() + a.integers.size(); ++i) {
    if (!known(a, i) || !known(b, i)) continue;
    const bool same = a.integers.empty()
                          ? std::bit_cast<std::uint64_t>(a.floats[i]) == std::bit_cast<std::uint64_t>(b.floats[i]) ||
                                (std::isnan(a.floats[i]) && std::isnan(b.floats[i]))
                          : a.integers[i] == b.integers[i];
    if (!same) return false;
  }
  return true;
}

/// Whether two readings of a field are the same; a reading that is not observable or unspecified equals every other.
bool same(const Reading& a, const Reading& b) {
  const auto free = [](const Reading& r) {
    return std::holds_alternative<std::monostate>(r) || std::holds_alternative<Unspecified>(r);
  };
  if (free(a) || free(b)) return true;
  if (const auto* values = std::get_if<Values>(&a))
    return std::holds_alternative<Values>(b) && same_values(*values, std::get<Values>(b));
  if (const auto* failure = std::get_if<Failure>(&a))
    return std::holds_alternative<Failure>(b) && failure->error == std::get<Failure>(b).error;
  if (a.index() != b.index()) return false;
  if (const auto* truth = std::get_if<bool>(&a)) return *truth == std::get<bool>(b);
  if (const auto* number = std::get_if<std::int64_t>(&a)) return *number == std::get<std::int64_t>(b);
  if (const auto* text = std::get_if<std::string>(&a)) return *text == std::get<std::string>(b);
  if (const auto* list = std::get_if<std::vector<std::int64_t>>(&a))
    return *list == std::get<std::vector<std::int64_t>>(b);
  if (const auto* names = std::get_if<std::vector<std::string>>(&a))
    return *names == std::get<std::vector<std::string>>(b);
  return true;  // both are None
}

const Reading& field_of(const TensorReading& tensor, Field field) {
  return tensor.fields.at(static_cast<std::size_t>(field));
}

bool is_true(const Reading& reading) {
  const auto* truth = std::get_if<bool>(&reading);
  return truth != nullptr && *truth;
}

bool is_outside(const Outcome& snapshot) {
  const auto field = static_cast<std::size_t>(ThreadField::inference_mode);
  if (field >= snapshot.thread.size()) return false;
  const auto* inside = std::get_if<bool>(&snapshot.thread[field]);
  return inside != nullptr && !*inside;
}

class Monitoring {
 public:
  Monitoring(const Script& script, const Trace& trace, const Description& implementation)
      : script_(script), trace_(trace), implementation_(implementation), inside_(inside_inference_mode(script)) {}

  std::vector<Breach> run() {
    const Outcome* before = nullptr;
    for (const Outcome& outcome : trace_.outcomes) {
      if (!std::holds_alternative<Snapshot>(script_.statements.at(outcome.statement).kind)) {
        window_.add(script_, outcome);
        continue;
      }
      if (!window_.acting.empty()) {
        if (before != nullptr) changes(*before, outcome);
        aliases(outcome);
      }
      window_ = {};
      before = &outcome;
    }
    return std::move(breaches_);
  }

 private:
  bool hidden(Field field) const {
    return implementation_.fields[static_cast<std::size_t>(field)] == Strictness::ignore;
  }

  void changes(const Outcome& before, const Outcome& after) {
    const bool outside = !hidden(Field::is_inference) && is_outside(before) && is_outside(after) &&
                         std::ranges::none_of(window_.acting, [&](std::size_t i) { return inside_[i]; });
    for (const TensorReading& was : before.tensors) {
      const auto is = std::ranges::find(after.tensors, was.tensor, &TensorReading::tensor);
      if (is == after.tensors.end() || window_.bound.contains(was.tensor)) continue;
      if (window_.all_raised) compare(Invariant::raise_changes_nothing, kAll, was, *is, before, after);
      if (outside && is_true(field_of(was, Field::is_inference)))
        compare(Invariant::immutability, kImmutable, was, *is, before, after);
    }
  }

  template <std::size_t N>
  void compare(Invariant invariant, const std::array<Field, N>& fields, const TensorReading& was,
               const TensorReading& is, const Outcome& before, const Outcome& after) {
    for (const Field field : fields) {
      // Storage and base are named by slots, which other assignments renumber.
      if ((field == Field::storage || field == Field::base) && !window_.bound.empty()) continue;
      if (hidden(field)) continue;
      if (!same(field_of(was, field), field_of(is, field)))
        return breach(invariant, field, was.tensor, field_of(was, field), field_of(is, field), after.statement,
                      who_wrote(was.tensor, before, after));
    }
  }

  void aliases(const Outcome& snapshot) {
    if (hidden(Field::storage) || hidden(Field::is_inference)) return;
    std::map<std::int64_t, const TensorReading*> first;
    for (const TensorReading& tensor : snapshot.tensors) {
      const auto* storage = std::get_if<std::int64_t>(&field_of(tensor, Field::storage));
      const auto* inference = std::get_if<bool>(&field_of(tensor, Field::is_inference));
      if (storage == nullptr || inference == nullptr || *storage < 0) continue;
      const auto [owner, is_new] = first.emplace(*storage, &tensor);
      if (is_new || is_true(field_of(*owner->second, Field::is_inference)) == *inference) continue;
      breach(Invariant::no_aliasing, Field::storage, tensor.tensor, static_cast<std::int64_t>(tensor.tensor), *storage,
             snapshot.statement, who_shares(owner->second->tensor, tensor.tensor, snapshot));
    }
  }

  /// The statement of the window that made two variables share memory: the last one that made or wrote one of them, as
  /// a view of the other does. Otherwise the one that wrote the memory.
  std::size_t who_shares(Slot owner, Slot other, const Outcome& snapshot) const {
    for (std::size_t i = window_.acting.size(); i-- > 0;) {
      const auto touches = [&](Slot slot) {
        return window_.given[i].contains(slot) || written(script_.statements[window_.acting[i]].kind) == slot;
      };
      if (touches(owner) || touches(other)) return window_.acting[i];
    }
    return who_wrote(other, snapshot, snapshot);
  }

  /// The statement of the window that wrote a tensor which shares storage with `changed` in either snapshot.
  std::size_t who_wrote(Slot changed, const Outcome& before, const Outcome& after) const {
    const auto storage = [](const Outcome& snapshot, Slot slot) -> std::optional<std::int64_t> {
      const auto tensor = std::ranges::find(snapshot.tensors, slot, &TensorReading::tensor);
      if (tensor == snapshot.tensors.end()) return std::nullopt;
      const auto* number = std::get_if<std::int64_t>(&field_of(*tensor, Field::storage));
      return number == nullptr ? std::nullopt : std::optional(*number);
    };
    return window_.culprit(script_, [&](Slot slot, bool anew) {
      const auto shares = [&](const Outcome& snapshot) {
        const auto a = storage(snapshot, slot);
        return a && a == storage(snapshot, changed);
      };
      if (slot == changed) return true;
      const bool stayed = !window_.bound.contains(slot);
      return anew ? shares(after) : shares(before) || (stayed && shares(after));
    });
  }

  void breach(Invariant invariant, Field field, Slot tensor, const Reading& promised, const Reading& got,
              std::size_t snapshot, std::size_t by) {
    if (!seen_.insert({invariant, by}).second) return;
    const std::string_view name = kInvariantNames.at(static_cast<std::size_t>(invariant));
    const Statement& culprit = script_.statements[by];
    Breach found{invariant, by, {}, promised};
    Difference& d = found.difference;
    d.statement = snapshot;
    d.line = culprit.line;
    d.tensor = tensor;
    d.field = field;
    d.expected = reading_text(field, promised, script_);
    d.got = reading_text(field, got, script_);
    d.signature = fmt::format("{}/{}: {}", statement_name(culprit), name, name_of(field));
    d.blamed = by;
    d.what =
        fmt::format("{}: {} of {} after {}", name, name_of(field), slot_name(script_, tensor), statement_name(culprit));
    breaches_.push_back(std::move(found));
  }

  const Script& script_;
  const Trace& trace_;
  const Description& implementation_;
  const std::vector<bool> inside_;
  Window window_;
  std::set<std::pair<Invariant, std::size_t>> seen_;
  std::vector<Breach> breaches_;
};

}  // namespace

std::vector<Breach> monitor(const Script& script, const Trace& trace, const Description& implementation) {
  return Monitoring(script, trace, implementation).run();
}

bool is_unsafe(const Script& script, const Statement& statement) {
  const auto* hooks = std::get_if<EnterSavedTensorsHooks>(&statement.kind);
  if (hooks == nullptr) return is_unsafe(statement.kind);
  const auto writes = [](const Statement& s) {
    const auto* call = std::get_if<Call>(&s.kind);
    return call != nullptr && written_argument(op(call->op)) >= 0;
  };
  return std::ranges::any_of(std::array{hooks->pack, hooks->unpack}, [&](std::int32_t function) {
    return std::ranges::any_of(script.functions.at(static_cast<std::size_t>(function)).statements, writes);
  });
}

bool is_unsafe(const Script& script) {
  return std::ranges::any_of(script.statements, [&](const Statement& s) { return is_unsafe(script, s); });
}

Trace as_promised(Trace trace, const Breach& breach) {
  const auto snapshot = std::ranges::find(trace.outcomes, breach.difference.statement, &Outcome::statement);
  if (snapshot == trace.outcomes.end()) return trace;
  const auto tensor = std::ranges::find(snapshot->tensors, *breach.difference.tensor, &TensorReading::tensor);
  if (tensor != snapshot->tensors.end())
    tensor->fields.at(static_cast<std::size_t>(*breach.difference.field)) = breach.promised;
  return trace;
}

std::vector<bool> inside_inference_mode(const Script& script) {
  const bool functions_enter = functions_enter_mode(script);
  std::vector<bool> inside;
  std::vector<bool> modes{false};     // of the open blocks
  std::vector<bool> starters{false};  // of the threads that started the running ones
  for (const Statement& statement : script.statements) {
    const StatementKind& kind = statement.kind;
    const auto* enter = std::get_if<Enter>(&kind);
    if (enter != nullptr) modes.push_back(enter->kind == GuardKind::inference_mode ? enter->value : modes.back());
    if (std::holds_alternative<EnterSavedTensorsHooks>(kind)) modes.push_back(modes.back());
    if (std::holds_alternative<PauseThread>(kind)) modes.push_back(starters.back());
    if (std::holds_alternative<StartThread>(kind)) {
      starters.push_back(modes.back());
      modes.push_back(false);
    }
    const bool ends_thread = std::holds_alternative<JoinThread>(kind);
    const bool ends = ends_thread || std::holds_alternative<Exit>(kind) || std::holds_alternative<ResumeThread>(kind);
    if (ends && modes.size() > 1) modes.pop_back();
    if (ends_thread && starters.size() > 1) starters.pop_back();
    const bool runs_functions = std::holds_alternative<Backward>(kind) || std::holds_alternative<GetGradients>(kind);
    inside.push_back(modes.back() || (runs_functions && functions_enter));
  }
  return inside;
}

std::size_t watched_every(const Script& script) {
  constexpr std::size_t kMostReadings = 500'000;  // a reading takes about a hundred bytes on each side
  const auto acting = static_cast<std::size_t>(
      std::ranges::count_if(script.statements, [](const Statement& s) { return acts(s.kind); }));
  return 1 + acting * script.names.size() * kFields / kMostReadings;
}

Script watched(const Script& script) {
  Script with = script;
  with.statements.clear();
  const std::size_t every = watched_every(script);
  std::size_t acted = 0;
  int bodies = 0;  // depth of functionalized bodies: nothing is observed inside them
  const auto look = [&](int line) {
    const bool seen = !with.statements.empty() && std::holds_alternative<Snapshot>(with.statements.back().kind);
    if (bodies == 0 && acted % every == 0 && !seen) with.statements.push_back({Snapshot{}, line});
  };
  for (const Statement& statement : script.statements) {
    const bool enters = enters_body(statement.kind);
    if (acts(statement.kind) || enters) look(statement.line);
    with.statements.push_back(statement);
    bodies += enters ? 1 : leaves_body(statement.kind) ? -1 : 0;
    acted += acts(statement.kind) ? 1 : 0;
    if (acts(statement.kind) || std::holds_alternative<EndTry>(statement.kind)) look(statement.line);
  }
  return with;
}

}  // namespace plumbline
