// Running the workloads, and counting what each mode leaves at the end.
#include "tables/workload.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <stdexcept>

#include "adapters/protocol/protocol.h"
#include "adapters/reference/reference.h"
#include "oracle/compare.h"
#include "oracle/lookup.h"
#include "oracle/reading_text.h"

namespace plumbline::tables {

namespace {

constexpr std::size_t kNormalMode = 0;
constexpr std::size_t kNoGrad = 1;
constexpr std::size_t kInferenceMode = 2;

/// The calls of a script as text: the tests of one workload must have the same.
std::string computation(const Script& script) {
  Script calls{{}, {}};
  for (const Statement& statement : script.statements)
    if (std::holds_alternative<Call>(statement.kind) || std::holds_alternative<MakeTensor>(statement.kind))
      calls.statements.push_back({statement.kind, 0});
  return encode(calls);
}

bool is_last_call(const Statement& statement) {
  const auto* call = std::get_if<Call>(&statement.kind);
  return call != nullptr && !call->results.empty();
}

/// How many tensors of a snapshot have `true` in a field; nothing if a tensor does not show the field.
std::optional<std::size_t> count_true(const Outcome& snapshot, Field field) {
  std::size_t count = 0;
  for (const TensorReading& tensor : snapshot.tensors) {
    const auto* truth = std::get_if<bool>(&tensor.fields.at(static_cast<std::size_t>(field)));
    if (truth == nullptr) return std::nullopt;
    count += *truth ? 1 : 0;
  }
  return count;
}

/// Counts the tensors with a version counter, and the versions counted. In these workloads, tensors of one storage
/// share a counter.
void count_versions(const Outcome& snapshot, Measured& measured) {
  std::map<std::int64_t, std::int64_t> by_storage;
  std::size_t with = 0;
  for (const TensorReading& tensor : snapshot.tensors) {
    const Reading& version = tensor.fields.at(static_cast<std::size_t>(Field::version));
    const auto* storage = std::get_if<std::int64_t>(&tensor.fields.at(static_cast<std::size_t>(Field::storage)));
    if (std::holds_alternative<Failure>(version)) continue;
    const auto* number = std::get_if<std::int64_t>(&version);
    const auto* free = std::get_if<Unspecified>(&version);
    if (storage == nullptr || (number == nullptr && free == nullptr)) return;
    ++with;
    std::int64_t& most = by_storage[*storage];
    most = std::max(most, number != nullptr ? *number : free->counted);
  }
  measured.with_version = with;
  measured.writes = 0;
  for (const auto& [storage, version] : by_storage) *measured.writes += static_cast<std::size_t>(version);
}

/// The version counters and tracked views of inference tensors in a snapshot.
std::vector<std::string> bookkeeping_of(const Script& script, const Outcome& snapshot) {
  const auto is_true = [](const TensorReading& tensor, Field field) {
    const auto* truth = std::get_if<bool>(&tensor.fields.at(static_cast<std::size_t>(field)));
    return truth != nullptr && *truth;
  };
  std::vector<std::string> kept;
  for (const TensorReading& tensor : snapshot.tensors) {
    if (!is_true(tensor, Field::is_inference)) continue;
    const std::string name = slot_name(script, tensor.tensor);
    const Reading& version = tensor.fields.at(static_cast<std::size_t>(Field::version));
    if (std::holds_alternative<std::int64_t>(version) || std::holds_alternative<Unspecified>(version))
      kept.push_back(name + " is an inference tensor and has a version counter");
    if (is_true(tensor, Field::is_view)) kept.push_back(name + " is an inference tensor and a tracked view");
  }
  return kept;
}

void count_kernels(const Script& script, const Trace& trace, Measured& measured) {
  std::size_t kernels = 0;
  bool shown = true;
  for (const Outcome& outcome : trace.outcomes) {
    const auto* call = std::get_if<Call>(&script.statements[outcome.statement].kind);
    if (call == nullptr || op(call->op).kind == OpKind::Factory) continue;
    ++measured.calls;
    shown = shown && !outcome.kernels.empty();
    kernels += static_cast<std::size_t>(std::ranges::count(outcome.kernels, false, &KernelRun::fallthrough));
  }
  if (shown) measured.kernels = kernels;
}

Measured measure(const program::Test& test, Adapter& adapter) {
  Script script = test.script;
  script.statements.push_back({Snapshot{}, 0});
  const RunResult ran = adapter.run(script);
  if (const auto* broken = std::get_if<Breakdown>(&ran))
    throw std::runtime_error(fmt::format("{} on {}: {}", test.name, adapter.describe().name, broken->message));
  const auto& trace = std::get<Trace>(ran);
  Measured measured;
  measured.asserts = check_expectations(test, ran, adapter.describe()).message;
  if (const auto profile = profile_named(adapter.describe().profile)) {
    const RunResult expected = ReferenceAdapter(*profile).run(script);
    if (const auto* reference = std::get_if<Trace>(&expected))
      measured.reference = compare(script, *reference, ran, adapter.describe()).message;
    else
      measured.reference = std::get<Breakdown>(expected).message;
  }
  count_kernels(script, trace, measured);
  const Outcome* end = outcome_of(trace, script.statements.size() - 1);
  if (end == nullptr) return measured;  // an error ended the run: `asserts` says which
  const auto last = std::find_if(script.statements.rbegin(), script.statements.rend(), is_last_call);
  if (last != script.statements.rend()) {
    const Slot result = std::get<Call>(last->kind).results.front();
    if (const Reading* values = reading_of(end, result, Field::values))
      if (const auto* shown = std::get_if<Values>(values)) measured.result = *shown;
    if (const Reading* inference = reading_of(end, result, Field::is_inference))
      measured.inference_result = std::holds_alternative<bool>(*inference) && std::get<bool>(*inference);
  }
  measured.tensors = end->tensors.size();
  measured.views = count_true(*end, Field::is_view);
  measured.histories = count_true(*end, Field::grad_fn);
  measured.inference = count_true(*end, Field::is_inference);
  measured.bookkeeping = bookkeeping_of(script, *end);
  count_versions(*end, measured);
  return measured;
}

/// What the documentation promises of a workload that runs completely inside inference mode, and what is not so.
std::vector<std::string> broken_promises(const std::array<Measured, 3>& modes) {
  std::vector<std::string> broken;
  const auto promise = [&](bool kept, std::string what) { kept ? void() : broken.push_back(std::move(what)); };
  const auto none = [](const std::optional<std::size_t>& count) { return !count || *count == 0; };
  for (std::size_t mode = 0; mode < kModes.size(); ++mode) {
    const Measured& m = modes.at(mode);
    promise(m.asserts.empty(), fmt::format("{}: an assert fails: {}", kModes.at(mode), m.asserts));
    promise(m.reference.empty(), fmt::format("{}: differs from the reference: {}", kModes.at(mode), m.reference));
    const auto& normal = modes[kNormalMode].result;
    promise(m.result && normal && encode(Reading(*m.result)) == encode(Reading(*normal)),
            fmt::format("{}: the result differs from that of normal mode", kModes.at(mode)));
  }
  const Measured& inside = modes[kInferenceMode];
  promise(none(modes[kNoGrad].histories), "no_grad_mode: a tensor has a grad_fn");
  promise(none(inside.histories), "inference_mode: a tensor has a grad_fn");
  promise(none(inside.writes), "inference_mode: a version is counted");
  promise(inside.inference_result, "inference_mode: the result is not an inference tensor");
  for (const std::string& what : inside.bookkeeping) broken.push_back("inference_mode: " + what);
  if (inside.kernels && modes[kNormalMode].kernels)
    promise(*inside.kernels < *modes[kNormalMode].kernels, "inference_mode: its calls do not run fewer kernels");
  return broken;
}

}  // namespace

std::vector<ModeWorkload> load_workloads(const std::string& folder) {
  std::map<std::string, std::vector<program::Test>> files;
  for (CuratedTest& curated : load_curated(folder)) files[curated.file].push_back(std::move(curated.test));
  std::vector<ModeWorkload> workloads;
  for (auto& [file, tests] : files) {
    ModeWorkload& made = workloads.emplace_back();
    made.name = file.substr(5, file.size() - 8);  // test_NAME.py
    for (std::size_t mode = 0; mode < kModes.size(); ++mode) {
      const std::string name = fmt::format("test_{}_in_{}", made.name, kModes.at(mode));
      const auto found = std::ranges::find(tests, name, &program::Test::name);
      if (found == tests.end() || tests.size() != kModes.size())
        throw std::runtime_error(fmt::format(
            "{}/{}: a workload has exactly three tests, and one of them is {}; correct the file", folder, file, name));
      made.tests.at(mode) = *found;
    }
    for (const program::Test& test : made.tests)
      if (computation(test.script) != computation(made.tests[kNormalMode].script))
        throw std::runtime_error(fmt::format(
            "{}/{}:{}: {} does not make the same calls as {}; let the tests of a workload call one function", folder,
            file, test.line, test.name, made.tests[kNormalMode].name));
  }
  return workloads;
}

WorkloadRun run_workload(const ModeWorkload& workload, Adapter& adapter) {
  WorkloadRun run;
  for (std::size_t mode = 0; mode < kModes.size(); ++mode)
    run.modes.at(mode) = measure(workload.tests.at(mode), adapter);
  run.broken = broken_promises(run.modes);
  return run;
}

}  // namespace plumbline::tables
