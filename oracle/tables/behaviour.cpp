// The behaviour table, computed: each row's program is run, and its last call is looked at from both sides.
#include "oracle/tables/behaviour.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <stdexcept>

#include "oracle/adapters/reference.h"
#include "oracle/lookup.h"
#include "oracle/program/lower.h"
#include "oracle/program/parse.h"
#include "oracle/reading_text.h"

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
     "x = torch.tensor([1.0, 2.0], device=device)\nwith torch.inference_mode():\n    y = x.mul(x)\n"},
    {kInference, kContains, "view",
     "x = torch.tensor([1.0, 2.0], device=device)\nwith torch.inference_mode():\n    y = x.view([2, 1])\n"},
    {kInference, kContains, "inplace",
     "x = torch.tensor([1.0, 2.0], device=device)\nwith torch.inference_mode():\n    y = x.mul_(x)\n"},
    {kNormal, kAll, "functional",
     "with torch.inference_mode():\n    i = torch.tensor([1.0, 2.0], device=device)\ny = i.mul(i)\n"},
    {kNormal, kAll, "view",
     "with torch.inference_mode():\n    i = torch.tensor([1.0, 2.0], device=device)\ny = i.view([2, 1])\n"},
    {kNormal, kAll, "inplace",
     "with torch.inference_mode():\n    i = torch.tensor([1.0, 2.0], device=device)\ny = i.mul_(i)\n"},
    {kNormal, kMixed, "functional",
     "x = torch.tensor([1.0, 2.0], device=device)\nwith torch.inference_mode():\n    i = torch.tensor([1.0, 2.0], "
     "device=device)\ny = x.mul(i)\n"},
    {kNormal, kMixed, "view", ""},  // a view op takes one tensor
    {kNormal, kMixed, "inplace",
     "x = torch.tensor([1.0, 2.0], device=device)\nwith torch.inference_mode():\n    i = torch.tensor([1.0, 2.0], "
     "device=device)\ny = x.mul_(i)\n"},
}};

/// A row's program with a snapshot on either side of its last call.
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
  made.call = made.before + 1;
  made.after = made.before + 2;
  const auto place = statements.begin() + static_cast<std::ptrdiff_t>(made.before);
  statements.insert(place + 1, Statement{Snapshot{}, 0});
  statements.insert(statements.begin() + static_cast<std::ptrdiff_t>(made.before), Statement{Snapshot{}, 0});
  return made;
}

Behaviour behaviour_of(const Lowered& row, const Trace& trace) {
  const auto& call = std::get<Call>(row.script.statements[row.call].kind);
  Behaviour did;
  const Outcome* outcome = outcome_of(trace, row.call);
  if (outcome == nullptr) throw std::runtime_error("the program ended before its last call");
  if (!outcome->kernels.empty()) did.kernels = kernels_text(outcome->kernels, ", ");
  did.error = outcome->failure.error;
  if (did.error != ErrorClass::none) return did;
  const Outcome* before = outcome_of(trace, row.before);
  const Outcome* after = outcome_of(trace, row.after);
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

}  // namespace

std::span<const BehaviourRow> behaviour_rows() { return kRows; }

Behaviour observed_behaviour(const BehaviourRow& row, Adapter& adapter) {
  const Lowered made = lowered(row);
  const RunResult result = adapter.run(made.script);
  if (const auto* broken = std::get_if<Breakdown>(&result)) throw std::runtime_error(broken->message);
  return behaviour_of(made, std::get<Trace>(result));
}

std::optional<Behaviour> computed_behaviour(const BehaviourRow& row, Profile profile, const Rule* flipped) {
  if (row.program.empty()) return std::nullopt;
  ReferenceAdapter reference(profile, flipped);
  return observed_behaviour(row, reference);
}

bool agrees(const Behaviour& says, const Behaviour& did) {
  const auto fits = [](const auto& said, const auto& done) { return !said || !done || *said == *done; };
  return fits(says.kernels, did.kernels) && fits(says.error, did.error) && fits(says.inference, did.inference) &&
         fits(says.creation_meta, did.creation_meta) && fits(says.versions, did.versions);
}

std::string behaviour_text(const Behaviour& b) {
  std::vector<std::string> parts;
  if (b.error && *b.error != ErrorClass::none) parts.push_back(fmt::format("error {}", name_of(*b.error)));
  if (b.inference) parts.emplace_back(*b.inference ? "inference tensor" : "normal tensor");
  if (b.creation_meta && *b.creation_meta != "none") parts.push_back("creation_meta " + *b.creation_meta);
  if (b.versions && *b.versions > 0) parts.push_back(fmt::format("version +{}", *b.versions));
  if (parts.empty()) parts.emplace_back(b.error ? "succeeds" : "anything");
  return fmt::format("{}{}{}", b.kernels.value_or(""), b.kernels ? ": " : "", fmt::join(parts, ", "));
}

}  // namespace plumbline::tables
