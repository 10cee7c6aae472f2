// The minimiser: greedy passes over a script, until no pass changes it.
#include "oracle/minimise.h"

#include <algorithm>
#include <optional>

#include "language/slots.h"
#include "oracle/simpler_kernels.h"
#include "oracle/simpler_statements.h"

namespace plumbline {

namespace {

using Statements = std::vector<Statement>;

/// Whether a call returns the same tensor object that it takes.
bool gives_what_it_takes(const StatementKind& kind) {
  const auto* call = std::get_if<Call>(&kind);
  return call != nullptr && written_argument(op(call->op)) >= 0;
}

/// Replaces `from` by `to` in every statement after `begin`, until `from` is bound again.
void rename(Statements& statements, std::size_t begin, Slot from, Slot to) {
  for (std::size_t i = begin; i < statements.size(); ++i) {
    StatementKind& kind = statements[i].kind;
    const bool same = gives_what_it_takes(kind);
    bool bound = false;
    const auto swap = [&](Slot& slot) {
      if (slot == from) slot = to;
    };
    visit_slots(kind, swap, [&](Slot& slot) {
      if (same)
        swap(slot);
      else
        bound = bound || slot == from;
    });
    if (bound) return;
  }
}

/// The tensors that a statement takes and the slots that it binds, if one may replace the other.
struct Passage {
  std::vector<Slot> given, results;
};

Passage passage(const StatementKind& kind) {
  Passage of;
  if (!std::holds_alternative<Call>(kind) && !std::holds_alternative<GetData>(kind) &&
      !std::holds_alternative<GetGrad>(kind) && !std::holds_alternative<Invoke>(kind))
    return of;
  visit_slots(kind, [&](Slot slot) { of.given.push_back(slot); }, [&](Slot slot) { of.results.push_back(slot); });
  return of;
}

class Minimising {
 public:
  Minimising(const Script& script, const std::function<bool(const Script&)>& holds, std::size_t budget)
      : holds_(holds), budget_(budget) {
    result_.script = script;
  }

  Minimised run() {
    while (pass() && result_.complete) {
    }
    return std::move(result_);
  }

 private:
  Statements& now() { return result_.script.statements; }

  /// Tries a candidate, and keeps it if `holds` is true for it. Parts that no statement uses any more are removed.
  bool keep(Statements candidate) {
    Script script = result_.script;
    script.statements = std::move(candidate);
    return keep(std::move(script));
  }

  bool keep(Script script) {
    if (!result_.complete) return false;
    drop_unused_parts(script);
    if (!well_formed(script)) return false;
    if (result_.tried == budget_) {
      result_.complete = false;
      return false;
    }
    ++result_.tried;
    if (!holds_(script)) return false;
    result_.script = std::move(script);
    return true;
  }

  bool pass() {
    bool changed = remove_runs();
    changed = remove_pairs() || changed;
    changed = bypass_calls() || changed;
    changed = bypass_forwards() || changed;
    changed = simplify_functions() || changed;
    while (simplify_kernels()) changed = true;
    return simplify() || changed;
  }

  /// Removes runs of statements, the longest first.
  bool remove_runs() {
    bool changed = false;
    for (std::size_t length = std::max<std::size_t>(now().size() / 2, 1);; length /= 2) {
      for (std::size_t end = now().size(); end >= length && end > 0;) {
        Statements candidate = now();
        const auto first = candidate.begin() + static_cast<std::ptrdiff_t>(end - length);
        candidate.erase(first, first + static_cast<std::ptrdiff_t>(length));
        const bool kept = keep(std::move(candidate));
        changed = changed || kept;
        end = kept ? std::min(end - length, now().size()) : end - 1;
      }
      if (length <= 1) return changed;
    }
  }

  /// Removes guards, Trys, threads and forwards: with their statements, or only the pair.
  bool remove_pairs() {
    bool changed = false;
    for (std::size_t i = 0; i < now().size(); ++i) {
      const auto close = partner(now(), i);
      if (!close) continue;
      Statements whole = now();
      whole.erase(whole.begin() + static_cast<std::ptrdiff_t>(i),
                  whole.begin() + static_cast<std::ptrdiff_t>(*close) + 1);
      Statements pair = now();
      pair.erase(pair.begin() + static_cast<std::ptrdiff_t>(*close));
      pair.erase(pair.begin() + static_cast<std::ptrdiff_t>(i));
      if (!keep(std::move(whole)) && !keep(std::move(pair))) continue;
      changed = true;
      --i;  // wraps at 0, and ++ brings it back
    }
    return changed;
  }

  /// Removes a call, or a read of `.data` or `.grad`, and uses its argument in place of its result.
  bool bypass_calls() {
    bool changed = false;
    for (std::size_t i = now().size(); i-- > 0;) {
      const Passage removed = passage(now()[i].kind);
      for (const Slot given : removed.given) {
        Statements candidate = now();
        candidate.erase(candidate.begin() + static_cast<std::ptrdiff_t>(i));
        for (const Slot result : removed.results) rename(candidate, i, result, given);
        if (!keep(std::move(candidate))) continue;
        changed = true;
        break;
      }
    }
    return changed;
  }

  /// Removes an apply, and uses its inputs or its forward's results in place of its results.
  bool bypass_forwards() {
    bool changed = false;
    for (std::size_t i = now().size(); i-- > 0;) {
      if (i >= now().size()) continue;
      const auto* enter = std::get_if<EnterForward>(&now()[i].kind);
      const auto close = enter == nullptr ? std::nullopt : partner(now(), i);
      if (!close) continue;
      const std::vector<Slot> inputs = enter->inputs;
      const LeaveForward leave = std::get<LeaveForward>(now()[*close].kind);
      bool kept = keep(written_out(i, *close, leave));
      for (std::size_t input = 0; input < inputs.size() && !kept; ++input) {
        Statements candidate = now();
        candidate.erase(candidate.begin() + static_cast<std::ptrdiff_t>(i),
                        candidate.begin() + static_cast<std::ptrdiff_t>(*close) + 1);
        for (const Slot result : leave.results) rename(candidate, i, result, inputs[input]);
        kept = keep(std::move(candidate));
      }
      changed = changed || kept;
    }
    return changed;
  }

  /// Keeps only the forward's statements, without the autograd function around them.
  Statements written_out(std::size_t open, std::size_t close, const LeaveForward& leave) {
    Statements candidate = now();
    for (std::size_t i = 0; i < leave.results.size(); ++i)
      rename(candidate, close + 1, leave.results[i], leave.returned[i]);
    const auto gone = [&](std::size_t i) {
      return i == open || i == close ||
             (i > open && i < close && std::holds_alternative<ContextCall>(candidate[i].kind));
    };
    for (std::size_t i = close + 1; i-- > open;)
      if (gone(i)) candidate.erase(candidate.begin() + static_cast<std::ptrdiff_t>(i));
    return candidate;
  }

  /// Makes the functions' backwards shorter: without a statement, or with None or an incoming gradient as a result.
  bool simplify_functions() {
    bool changed = false;
    for (std::size_t f = 0; f < result_.script.functions.size(); ++f) {
      const auto with = [&](const auto& change) {
        Script candidate = result_.script;
        change(candidate.functions[f]);
        const bool kept = keep(std::move(candidate));
        changed = changed || kept;
        return kept;
      };
      for (std::size_t r = 0; r < result_.script.functions[f].returned.size(); ++r) {
        const auto returned = result_.script.functions[f].returned[r];
        if (returned && with([r](CustomBackward& b) { b.returned[r].reset(); })) continue;
        const auto& gradients = result_.script.functions[f].gradients;
        if (returned && !gradients.empty() && *returned != gradients[0])
          with([r](CustomBackward& b) { b.returned[r] = b.gradients[0]; });
      }
      for (std::size_t i = result_.script.functions[f].statements.size(); i-- > 0;)
        with([i](CustomBackward& b) { b.statements.erase(b.statements.begin() + static_cast<std::ptrdiff_t>(i)); });
    }
    return changed;
  }

  bool simplify_kernels() {
    return std::ranges::any_of(with_simpler_kernels(result_.script),
                               [this](const Script& simpler) { return keep(simpler); });
  }

  bool simplify() {
    bool changed = false;
    for (std::size_t i = 0; i < now().size(); ++i) {
      for (bool again = true; again;) {
        again = false;
        for (StatementKind& kind : simpler(now()[i].kind)) {
          Statements candidate = now();
          candidate[i].kind = std::move(kind);
          if (!keep(std::move(candidate))) continue;
          again = changed = true;
          break;
        }
      }
    }
    return changed;
  }

  const std::function<bool(const Script&)>& holds_;
  std::size_t budget_;
  Minimised result_;
};

}  // namespace

Minimised minimise(const Script& script, const std::function<bool(const Script&)>& holds, std::size_t budget) {
  return Minimising(script, holds, budget).run();
}

}  // namespace plumbline
