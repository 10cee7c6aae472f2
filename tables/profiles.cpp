// Running programs under two profiles, and counting what changes.
#include "tables/profiles.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "adapters/protocol/names.h"
#include "adapters/protocol/protocol.h"
#include "adapters/reference/reference.h"
#include "language/print.h"
#include "oracle/lookup.h"
#include "oracle/minimise.h"
#include "oracle/monitors.h"
#include "oracle/reading_text.h"

namespace plumbline::tables {

namespace {

constexpr std::array<std::string_view, 6> kKinds{"factory", "functional", "view", "in-place", "in-place view", "out="};
constexpr std::size_t kShrinkRuns = 3000;
/// What is observed: the kernels, the errors, each field of a tensor, each of the thread.
constexpr std::size_t kKernels = 0;
constexpr std::size_t kErrors = 1;
constexpr std::size_t kFirstField = 2;
constexpr std::size_t kObserved = kFirstField + kFields + kThreadFields;

std::string observed_name(std::size_t observed) {
  if (observed == kKernels) return "kernels";
  if (observed == kErrors) return "errors";
  const std::size_t field = observed - kFirstField;
  return std::string(field < kFields ? kFieldNames.at(field) : kThreadFieldNames.at(field - kFields));
}

/// One observation under both profiles.
struct ComparedPair {
  std::size_t observed = 0;
  bool changed = false;
  std::function<ChangeShown()> tell;  ///< gives everything except the program
};
using Take = std::function<void(const ComparedPair&)>;

/// Both runs of one script.
class Runs {
 public:
  Runs(const Script& script, Profile before, Profile after) : script_(script) {
    const RunResult first = ReferenceAdapter(before).run(script);
    const RunResult second = ReferenceAdapter(after).run(script);
    for (const RunResult* result : {&first, &second})
      if (const auto* broken = std::get_if<Breakdown>(result)) why_not_ = broken->message;
    if (!why_not_.empty()) return;
    before_ = std::get<Trace>(first);
    after_ = std::get<Trace>(second);
  }

  const std::string& why_not() const { return why_not_; }

  void compare(const Take& take) const {
    for (const Outcome& was : before_.outcomes) {
      const Outcome* is = outcome_of(after_, was.statement);
      if (is == nullptr) return;
      snapshot(was, *is, take);
      if (std::holds_alternative<Call>(script_.statements[was.statement].kind)) kernels(was, *is, take);
      if (errors(was, *is, take)) return;
    }
  }

  const Trace& before() const { return before_; }
  const Trace& after() const { return after_; }

 private:
  std::string name_at(const Outcome& outcome) const { return statement_name(script_.statements[outcome.statement]); }

  void kernels(const Outcome& was, const Outcome& is, const Take& take) const {
    if (was.kernels.empty() && is.kernels.empty()) return;
    take({kKernels, was.kernels != is.kernels, [&] {
            return ChangeShown{"", "the kernels of " + name_at(was), kernels_text(was.kernels, " -> "),
                               kernels_text(is.kernels, " -> ")};
          }});
  }

  bool errors(const Outcome& was, const Outcome& is, const Take& take) const {
    const bool changed = was.failure.error != is.failure.error;
    take({kErrors, changed,
          [&] { return ChangeShown{"", name_at(was), failure_text(was.failure), failure_text(is.failure)}; }});
    return changed;
  }

  void snapshot(const Outcome& was, const Outcome& is, const Take& take) const {
    for (std::size_t i = 0; i < was.thread.size(); ++i)
      reading(kFirstField + kFields + i, was.thread[i], is.thread.at(i),
              fmt::format("the thread's {}", kThreadFieldNames.at(i)), take);
    for (const TensorReading& tensor : was.tensors)
      for (std::size_t i = 0; i < kFields; ++i) {
        const auto field = static_cast<Field>(i);
        const Reading* now = reading_of(&is, tensor.tensor, field);
        if (now == nullptr) continue;
        reading(kFirstField + i, tensor.fields[i], *now,
                fmt::format("{} of {}", name_of(field), slot_name(script_, tensor.tensor)), take);
      }
  }

  static void reading(std::size_t observed, const Reading& was, const Reading& is, const std::string& what,
                      const Take& take) {
    take({observed, encode(was) != encode(is),
          [&] { return ChangeShown{"", what, reading_text(was), reading_text(is)}; }});
  }

  const Script& script_;
  std::string why_not_;
  Trace before_, after_;
};

/// The first change of one observed thing in a script, if there is one.
std::optional<ChangeShown> first_change(const Script& script, std::size_t observed, Profile before, Profile after) {
  const Runs runs(script, before, after);
  std::optional<ChangeShown> found;
  if (!runs.why_not().empty()) return found;
  runs.compare([&](const ComparedPair& pair) {
    if (!found && pair.changed && pair.observed == observed) found = pair.tell();
  });
  return found;
}

/// The shortest program that shrinking `script` reaches.
ChangeShown shortest(const Script& script, std::size_t observed, Profile before, Profile after) {
  const auto holds = [&](const Script& s) { return first_change(s, observed, before, after).has_value(); };
  program::Test test;
  test.name = "test_" + observed_name(observed);
  test.script = minimise(script, holds, kShrinkRuns).script;
  ChangeShown shown = first_change(test.script, observed, before, after).value();
  shown.program = program::print(program::raise(test));
  return shown;
}

void count_kernels(const Script& script, const Runs& runs, std::vector<Kernels>& kernels) {
  const auto ran = [](const Outcome& outcome) {
    return static_cast<std::size_t>(std::ranges::count(outcome.kernels, false, &KernelRun::fallthrough));
  };
  for (const Outcome& was : runs.before().outcomes) {
    const auto* call = std::get_if<Call>(&script.statements[was.statement].kind);
    const Outcome* is = outcome_of(runs.after(), was.statement);
    const bool done = is != nullptr && was.failure.error == ErrorClass::none && is->failure.error == ErrorClass::none;
    if (call == nullptr || !done || was.kernels.empty()) continue;
    Kernels& of = kernels.at(static_cast<std::size_t>(op(call->op).kind));
    ++of.calls;
    of.before += ran(was);
    of.after += ran(*is);
  }
}

}  // namespace

ProfileChanges profile_changes(const std::vector<CuratedTest>& tests, Profile before, Profile after) {
  ProfileChanges all;
  for (std::size_t i = 0; i < kObserved; ++i) all.changes.push_back({observed_name(i), 0, 0, 0, std::nullopt});
  for (const std::string_view kind : kKinds) all.kernels.push_back({std::string(kind), 0, 0, 0});
  std::array<std::optional<Script>, kObserved> smallest;
  for (const CuratedTest& curated : tests) {
    const Script script = watched(curated.test.script);
    const Runs runs(script, before, after);
    if (!runs.why_not().empty()) {
      all.left_out.push_back(fmt::format("{}::{}: {}", curated.file, curated.test.name, runs.why_not()));
      continue;
    }
    ++all.programs;
    std::array<bool, kObserved> changed{};
    runs.compare([&](const ComparedPair& pair) {
      ++all.changes[pair.observed].asked;
      all.changes[pair.observed].changed += pair.changed ? 1 : 0;
      changed.at(pair.observed) = changed.at(pair.observed) || pair.changed;
    });
    count_kernels(script, runs, all.kernels);
    for (std::size_t i = 0; i < kObserved; ++i) {
      if (!changed.at(i)) continue;
      ++all.changes[i].programs;
      std::optional<Script>& least = smallest.at(i);
      if (!least || script.statements.size() < least->statements.size()) least = script;
    }
  }
  for (std::size_t i = 0; i < kObserved; ++i)
    if (smallest.at(i)) all.changes[i].shown = shortest(*smallest.at(i), i, before, after);
  std::erase_if(all.kernels, [](const Kernels& kind) { return kind.calls == 0; });
  return all;
}

}  // namespace plumbline::tables
