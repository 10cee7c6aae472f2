// Cutting a program to what an implementation has, statement by statement, until the rest runs.
#include "oracle/slice.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "language/slots.h"
#include "oracle/minimise.h"
#include "reference/machine.h"
#include "reference/raise.h"
#include "spec/rules/geo_value.h"

namespace plumbline {

namespace {

template <class T>
bool has(const std::vector<T>& listed, T one) {
  return listed.empty() || std::ranges::find(listed, one) != listed.end();
}

/// Whether ops give no other dtypes than these, if no other is given to them or asked for.
bool are_closed(const std::vector<Dtype>& dtypes) {
  const auto all = [&](Dtype one) { return std::ranges::find(dtypes, one) != dtypes.end(); };
  if (!all(Dtype::float32) || !all(Dtype::int64) || !all(Dtype::boolean)) return false;
  for (const Dtype a : dtypes)
    for (const Dtype b : dtypes)
      if (!all(static_cast<Dtype>(promoted<Concrete>(reference::Judge{}, a, b).v))) return false;
  return true;
}

/// Whether the statement makes or asks for a tensor of a dtype that is not listed.
bool names_other_dtype(const StatementKind& kind, const std::vector<Dtype>& dtypes) {
  if (const auto* make = std::get_if<MakeTensor>(&kind)) return !has(dtypes, make->dtype);
  if (const auto* make = std::get_if<MakeMetaTensor>(&kind)) return !has(dtypes, make->dtype);
  const auto* call = std::get_if<Call>(&kind);
  return call != nullptr && std::ranges::any_of(call->arguments, [&](const Value& value) {
           const auto* dtype = std::get_if<Dtype>(&value);
           return dtype != nullptr && !has(dtypes, *dtype);
         });
}

/// Whether the script has nothing to cut, which is seen without running it.
bool is_had(const Script& script, const Manifest& manifest) {
  if (manifest.level < Level::versions || !manifest.ops.empty() || !are_closed(manifest.dtypes)) return false;
  return std::ranges::none_of(script.statements,
                              [&](const Statement& one) { return names_other_dtype(one.kind, manifest.dtypes); });
}

/// Whether what stands in the block goes with it, and does not run without it.
bool takes_its_block(const StatementKind& kind) {
  return opens_block(kind) && !std::holds_alternative<Enter>(kind) &&
         !std::holds_alternative<EnterSavedTensorsHooks>(kind) && !std::holds_alternative<Try>(kind);
}

class Cut {
 public:
  Cut(const reference::Judge& judge, const Script& script, const Manifest& manifest)
      : judge_(judge), whole_(script), manifest_(manifest), kept_(script.statements.size(), true) {
    for (Statement& statement : whole_.statements) make_simple(statement.kind);
  }

  Slice cut() {
    for (std::size_t i = 0; i < kept_.size(); ++i)
      if (kept_[i] && !has_statement(whole_.statements[i].kind)) leave_out(i);
    do leave_out_unbound();
    while (leave_out_one_that_fails());
    return sliced();
  }

 private:
  void make_simple(StatementKind& kind) const {
    if (std::holds_alternative<Read>(kind) || std::holds_alternative<ReadThread>(kind)) kind = Snapshot{};
    if (manifest_.level >= Level::autograd) return;
    if (auto* call = std::get_if<Call>(&kind)) call->requires_grad = false;
    if (auto* make = std::get_if<MakeTensor>(&kind)) make->requires_grad = false;
  }

  bool has_statement(const StatementKind& kind) const {
    if (closes_block(kind)) return true;  // it goes with what opens its block
    if (level_of(kind) > manifest_.level) return false;
    if (const auto* make = std::get_if<MakeTensor>(&kind)) return has(manifest_.dtypes, make->dtype);
    const auto* call = std::get_if<Call>(&kind);
    return call == nullptr ||
           (has(manifest_.ops, call->op) && std::ranges::all_of(call->arguments, [&](const Value& v) {
              const Dtype* dtype = std::get_if<Dtype>(&v);
              return dtype == nullptr || has(manifest_.dtypes, *dtype);
            }));
  }

  /// The statement, and what closes its block; also what is in the block, if that cannot run without it.
  void leave_out(std::size_t i) {
    if (closes_block(whole_.statements[i].kind))  // what a body returns is not bound, or its call raises
      for (std::size_t open = i; open-- > 0;)
        if (partner(whole_.statements, open) == i) return leave_out(open);
    kept_[i] = false;
    const auto end = partner(whole_.statements, i);
    if (!end) return;
    kept_[*end] = false;
    if (takes_its_block(whole_.statements[i].kind))
      std::fill(kept_.begin() + static_cast<std::ptrdiff_t>(i), kept_.begin() + static_cast<std::ptrdiff_t>(*end),
                false);
  }

  void leave_out_unbound() {
    std::set<Slot> bound;
    for (std::size_t i = 0; i < kept_.size(); ++i) {
      if (!kept_[i]) continue;
      bool usable = true;
      std::vector<Slot> given;
      visit_slots(
          whole_.statements[i].kind, [&](Slot slot) { usable = usable && bound.contains(slot); },
          [&](Slot slot) { given.push_back(slot); });
      if (usable)
        bound.insert(given.begin(), given.end());
      else
        leave_out(i);
    }
  }

  /// Whether there was one: it raises, or gives a tensor of another dtype.
  bool leave_out_one_that_fails() {
    const Script rest = script();
    std::optional<std::size_t> failed;  // in `rest`
    const auto dtypes = [&](std::size_t at, const reference::State& state, std::size_t) {
      if (!failed && at > 0 && gives_another_dtype(rest.statements[at - 1].kind, state)) failed = at - 1;
    };
    const Trace trace = reference::run(judge_, rest, dtypes);
    if (!failed && !trace.completed) failed = trace.outcomes.back().statement;
    if (!failed) return false;
    leave_out(place_of(*failed));
    return true;
  }

  bool gives_another_dtype(const StatementKind& kind, const reference::State& state) const {
    bool other = false;
    visit_slots(
        kind, [](Slot) {},
        [&](Slot slot) {
          const auto i = static_cast<std::size_t>(slot);
          if (i >= state.slots.size() || state.slots[i] == reference::kNoTensor) return;
          other = other || !has(manifest_.dtypes, state.tensors[static_cast<std::size_t>(state.slots[i])].dtype);
        });
    return other;
  }

  /// Where statement `i` of the rest stands in the whole.
  std::size_t place_of(std::size_t i) const {
    std::size_t place = 0;
    for (std::size_t left = i + 1; place < kept_.size(); ++place)
      if (kept_[place] && --left == 0) break;
    return place;
  }

  Script script() const {
    Script rest = whole_;
    rest.statements.clear();
    for (std::size_t i = 0; i < kept_.size(); ++i)
      if (kept_[i]) rest.statements.push_back(whole_.statements[i]);
    rest.statements.push_back({Snapshot{}, 0});
    return rest;
  }

  Slice sliced() const {
    Slice slice{script(), static_cast<std::size_t>(std::ranges::count(kept_, false))};
    join_snapshots(slice.script);
    drop_unused_parts(slice.script);
    return slice;
  }

  const reference::Judge& judge_;
  Script whole_;  ///< with its statements as they are at this level
  const Manifest& manifest_;
  std::vector<bool> kept_;
};

bool calls(const Script& script) {
  return std::ranges::any_of(script.statements,
                             [](const Statement& one) { return std::holds_alternative<Call>(one.kind); });
}

}  // namespace

void join_snapshots(Script& script) {
  const auto is_snapshot = [](const Statement& one) { return std::holds_alternative<Snapshot>(one.kind); };
  const auto repeats = std::ranges::unique(script.statements, [&](const Statement& one, const Statement& next) {
    return is_snapshot(one) && is_snapshot(next);
  });
  script.statements.erase(repeats.begin(), repeats.end());
}

Slice slice(const reference::Judge& judge, const Script& script, const Manifest& manifest) {
  if (!manifest.cuts() || is_had(script, manifest)) return {script, 0};
  const Slice nothing{{{{Snapshot{}, 0}}, script.names}, script.statements.size()};
  try {
    Slice slice = Cut(judge, script, manifest).cut();
    return calls(slice.script) && well_formed(slice.script) ? slice : nothing;
  } catch (const reference::ReferenceLimit&) {
    return nothing;
  }
}

std::optional<Comparison> nothing_left(const Script& script, const Description& implementation) {
  if (!implementation.has.cuts() || calls(script)) return std::nullopt;
  const auto acts = [](const Statement& one) { return !std::holds_alternative<Snapshot>(one.kind); };
  if (std::ranges::any_of(script.statements, acts) && is_had(script, implementation.has)) return std::nullopt;
  return Comparison{Verdict::unsupported,
                    fmt::format("nothing is left of the program at the level '{}', without the ops and dtypes that {} "
                                "does not have",
                                name_of(implementation.has.level), implementation.name),
                    {}};
}

}  // namespace plumbline
