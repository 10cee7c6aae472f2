// Computing the behaviour table: runs each row's program, with a snapshot before and after its last call.
#include "tables/behaviour.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <stdexcept>

#include "adapters/adapter.h"
#include "language/lower.h"
#include "language/parse.h"
#include "oracle/lookup.h"
#include "oracle/reading_text.h"
#include "reference/machine.h"

namespace plumbline::tables {

namespace {

constexpr std::string_view kInference = "InferenceMode";
constexpr std::string_view kNormal = "NormalMode";
constexpr std::string_view kAll = "all inference tensors";
constexpr std::string_view kContains = "contains a normal tensor";
constexpr std::string_view kMixed = "a normal and an inference tensor";

constexpr std::array<BehaviourRow, 12> kRows{{
    {kInference, kAll, "functional",
     "with torch.inference_mode():\n    i = torch.tensor([1.0, 2.0], device=device)\n    y = i.mul(i)\n"},
    {kInference, kAll, "view",
     "with torch.inference_mode():\n    i = torch.tensor([1.0, 2.0], device=device)\n    y = i.view([2, 1])\n"},
    {kInference, kAll, "inplace",
     "with torch.inference_mode():\n    i = torch.tensor([1.0, 2.0], device=device)\n    y = i.mul_(i)\n"},
    {kInference, kContains, "functional",
     "x = torch.tensor([1.0, 2.0], device=device)\nwith torch.inference_mode():\n    i = torch.tensor([3.0, 4.0], "
     "device=device)\n    y = x.mul(i)\n"},
    {kInference, kContains, "view",
     "x = torch.tensor([1.0, 2.0], device=device)\nwith torch.inference_mode():\n    i = torch.tensor([3.0, 4.0], "
     "device=device)\n    y = x.view_as(i)\n"},
    {kInference, kContains, "inplace",
     "x = torch.tensor([1.0, 2.0], device=device)\nwith torch.inference_mode():\n    i = torch.tensor([3.0, 4.0], "
     "device=device)\n    y = x.mul_(i)\n"},
    {kNormal, kAll, "functional",
     "with torch.inference_mode():\n    i = torch.tensor([1.0, 2.0], device=device)\ny = i.mul(i)\n"},
    {kNormal, kAll, "view",
     "with torch.inference_mode():\n    i = torch.tensor([1.0, 2.0], device=device)\ny = i.view([2, 1])\n"},
    {kNormal, kAll, "inplace",
     "with torch.inference_mode():\n    i = torch.tensor([1.0, 2.0], device=device)\ny = i.mul_(i)\n"},
    {kNormal, kMixed, "functional",
     "x = torch.tensor([1.0, 2.0], device=device)\nwith torch.inference_mode():\n    i = torch.tensor([3.0, 4.0], "
     "device=device)\ny = x.mul(i)\n"},
    {kNormal, kMixed, "view",
     "x = torch.tensor([1.0, 2.0], device=device)\nwith torch.inference_mode():\n    i = torch.tensor([3.0, 4.0], "
     "device=device)\ny = x.view_as(i)\n"},
    {kNormal, kMixed, "inplace",
     "x = torch.tensor([1.0, 2.0], device=device)\nwith torch.inference_mode():\n    i = torch.tensor([3.0, 4.0], "
     "device=device)\ny = x.mul_(i)\n"},
}};

/// A row's program with a snapshot on either side of its last call, which may raise.
struct Lowered {
  Script script;
  std::size_t before = 0, call = 0, after = 0;  ///< statements
};

Lowered lowered(const BehaviourRow& row) {
  std::string source = "import torch\n\n\ndef test_row(device):\n";
  for (std::string_view rest = row.program; !rest.empty();) {
    const std::size_t end = rest.find('\n');
    source += fmt::format("    {}\n", rest.substr(0, end));
    rest.remove_prefix(std::min(end == std::string_view::npos ? rest.size() : end + 1, rest.size()));
  }
  Lowered made{program::lower(program::parse(source, "the behaviour table")).at(0).script};
  auto& statements = made.script.statements;
  const auto last = std::find_if(statements.rbegin(), statements.rend(),
                                 [](const Statement& s) { return std::holds_alternative<Call>(s.kind); });
  made.before = static_cast<std::size_t>(std::distance(last, statements.rend())) - 1;
  made.call = made.before + 2;
  made.after = made.before + 4;
  const auto place = statements.begin() + static_cast<std::ptrdiff_t>(made.before);
  statements.insert(place + 1, {Statement{EndTry{}, 0}, Statement{Snapshot{}, 0}});
  statements.insert(statements.begin() + static_cast<std::ptrdiff_t>(made.before),
                    {Statement{Snapshot{}, 0}, Statement{Try{}, 0}});
  return made;
}

/// Whether the elements of a tensor changed between two snapshots; nothing if a snapshot does not show them.
std::optional<bool> written(const Outcome* before, const Outcome* after, Slot tensor) {
  const Reading* was = reading_of(before, tensor, Field::values);
  const Reading* is = reading_of(after, tensor, Field::values);
  const auto* from = was == nullptr ? nullptr : std::get_if<Values>(was);
  const auto* to = is == nullptr ? nullptr : std::get_if<Values>(is);
  if (from == nullptr || to == nullptr) return std::nullopt;
  return from->floats != to->floats;  // the rows' tensors are of floats
}

Behaviour behaviour_of(const Lowered& row, const Trace& trace) {
  const auto& call = std::get<Call>(row.script.statements[row.call].kind);
  Behaviour did;
  const Outcome* outcome = outcome_of(trace, row.call);
  if (outcome == nullptr) throw std::runtime_error("the program ended before its last call");
  if (!outcome->kernels.empty()) did.kernels = kernels_text(outcome->kernels, ", ");
  did.error = outcome->failure.error;
  const Outcome* before = outcome_of(trace, row.before);
  const Outcome* after = outcome_of(trace, row.after);
  if (did.error != ErrorClass::none) {
    did.written = written(before, after, std::get<Slot>(call.arguments.front()));
    return did;
  }
  const Slot result = call.results.front();
  if (const Reading* r = reading_of(after, result, Field::is_inference))
    if (const auto* truth = std::get_if<bool>(r)) did.inference = *truth;
  if (const Reading* r = reading_of(after, result, Field::creation_meta)) {
    if (const auto* name = std::get_if<std::string>(r)) did.creation_meta = *name;
    if (std::holds_alternative<None>(*r)) did.creation_meta = "none";
  }
  const Slot self = std::get<Slot>(call.arguments.front());
  const Reading* was = reading_of(before, self, Field::version);
  const Reading* is = reading_of(after, self, Field::version);
  if (was == nullptr || is == nullptr) return did;
  if (std::holds_alternative<Failure>(*was) && std::holds_alternative<Failure>(*is)) did.versions = -1;
  const auto* from = std::get_if<std::int64_t>(was);
  const auto* to = std::get_if<std::int64_t>(is);
  if (from != nullptr && to != nullptr) did.versions = static_cast<int>(*to - *from);
  return did;
}

/// The kernels that a call ran before its error, the last one marked, and after them those that its keys select but
/// that it did not reach.
std::optional<std::string> with_the_rest(const Behaviour& did, const CallKeys& keys, const BehaviourRow& row) {
  std::vector<std::string> path;
  for (const std::string& key : reference::key_names(KeySet<Concrete>::raw(keys.effective))) {
    if (key.starts_with("Autocast") || key == "BackendSelect") continue;  // no op of a row has a kernel there
    const bool falls_through = key == "ADInplaceOrView" && row.op == "functional";
    path.insert(path.begin(), key.starts_with("Autograd") ? "Autograd" : key + (falls_through ? "(fallthrough)" : ""));
  }
  const std::string all = fmt::format("{}", fmt::join(path, ", "));
  const std::string met = did.kernels.value_or("");
  if (!all.starts_with(met) || all == met) return did.kernels;
  return met + (met.empty() ? "" : "(error)") + all.substr(met.size());
}

}  // namespace

std::span<const BehaviourRow> behaviour_rows() { return kRows; }

Behaviour observed_behaviour(const BehaviourRow& row, Adapter& adapter) {
  const Lowered made = lowered(row);
  const RunResult result = adapter.run(made.script);
  if (const auto* broken = std::get_if<Breakdown>(&result)) throw std::runtime_error(broken->message);
  return behaviour_of(made, std::get<Trace>(result));
}

Behaviour computed_behaviour(const BehaviourRow& row, Profile profile, const Rule* flipped) {
  const Lowered made = lowered(row);
  std::vector<CallKeys> calls;
  Decisions decisions;
  decisions.calls = &calls;
  std::size_t first = 0;  // index of the last call's keys
  const reference::Judge judge{.profile = profile, .flipped = flipped, .decisions = &decisions};
  const Trace trace = reference::run(judge, made.script, [&](std::size_t place, const auto&, std::size_t) {
    if (place == made.call) first = calls.size();
  });
  Behaviour did = behaviour_of(made, trace);
  if (did.error != ErrorClass::none && first < calls.size()) did.kernels = with_the_rest(did, calls[first], row);
  return did;
}

bool agrees(const Behaviour& says, const Behaviour& did) {
  const auto fits = [](const auto& said, const auto& done) { return !said || !done || *said == *done; };
  const bool met =
      says.kernels && did.kernels && *did.kernels == says.kernels->substr(0, says.kernels->find("(error)"));
  return (met || fits(says.kernels, did.kernels)) && fits(says.error, did.error) &&
         fits(says.inference, did.inference) && fits(says.creation_meta, did.creation_meta) &&
         fits(says.versions, did.versions) && fits(says.written, did.written);
}

bool as_stated(const TextCell& cell, const Behaviour& did) {
  return cell.standing == Standing::silent || !cell.but.empty() || agrees(cell.says, did);
}

std::string behaviour_text(const Behaviour& b) {
  std::vector<std::string> parts;
  if (b.error && *b.error != ErrorClass::none) parts.push_back(fmt::format("error {}", name_of(*b.error)));
  if (b.written) parts.emplace_back(*b.written ? "after the write" : "nothing written");
  if (b.inference) parts.emplace_back(*b.inference ? "inference tensor" : "normal tensor");
  if (b.creation_meta && *b.creation_meta != "none") parts.push_back("creation_meta " + *b.creation_meta);
  if (b.versions && *b.versions < 0 && !b.inference) parts.emplace_back("no version counter");
  if (b.versions && *b.versions > 0) parts.push_back(fmt::format("version +{}", *b.versions));
  if (parts.empty()) parts.emplace_back(b.error ? "succeeds" : "anything");
  return fmt::format("{}{}{}", b.kernels.value_or(""), b.kernels ? ": " : "", fmt::join(parts, ", "));
}

}  // namespace plumbline::tables
