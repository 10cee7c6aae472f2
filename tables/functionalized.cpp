// The sixteen combinations: what the two invariants require, and what an implementation does.
#include "tables/functionalized.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <vector>

#include "language/lower.h"
#include "language/parse.h"
#include "oracle/lookup.h"

namespace plumbline::tables {

namespace {

constexpr std::string_view kView =
    "a view keeps the inference bit of its base (INF-03) and shares its memory (FUN-22); it records the mode of the op "
    "that made it, not the mode in which x was wrapped";
constexpr std::string_view kInferenceView =
    "a view keeps the inference bit of its base (INF-03): no normal tensor shares memory with an inference tensor";
constexpr std::string_view kWrite =
    "a normal tensor may be written in either mode, and its version counter counts the write (VER-01), because "
    "backward "
    "must notice it";
constexpr std::string_view kAllowed = "an inference tensor may be written if the op runs in inference mode";
constexpr std::string_view kRefused =
    "an inference tensor is immutable outside inference mode, and the op is what writes it, even if the copy into the "
    "input comes later or in another mode; a refused op writes nothing (FUN-33)";

FunctionalizedBehaviour view_of(bool inference, std::string_view creation) {
  FunctionalizedBehaviour b;
  if (!inference) b.counted = false;
  b.inference = inference;
  b.shares = true;
  if (!inference) b.creation_meta = std::string(creation);
  return b;
}
FunctionalizedBehaviour write_to(bool inference) {
  FunctionalizedBehaviour b;
  b.written = true;
  if (!inference) b.counted = true;
  b.inference = inference;
  b.shares = true;
  return b;
}
FunctionalizedBehaviour refused() {
  FunctionalizedBehaviour b;
  b.error = ErrorClass::inference_inplace;
  return b;
}

std::vector<FunctionalizedRow> make_rows() {
  std::vector<FunctionalizedRow> rows;
  for (const bool mutation : {false, true})
    for (const bool inference : {false, true})
      for (const bool wrapped : {false, true})
        for (const bool op : {false, true}) {
          FunctionalizedRow row{inference, wrapped, op, mutation, {}, ""};
          if (!mutation) {
            row.specified = view_of(inference, op ? "INFERENCE_MODE" : "DEFAULT");
            row.reason = inference ? kInferenceView : kView;
          } else if (inference && !op) {
            row.specified = refused();
            row.reason = kRefused;
          } else {
            row.specified = write_to(inference);
            row.reason = inference ? kAllowed : kWrite;
          }
          rows.push_back(std::move(row));
        }
  return rows;
}

std::string mode(bool inside) { return fmt::format("torch.inference_mode({})", inside ? "True" : "False"); }

/// A row's script with snapshots, and where its functionalized call begins and ends.
struct LoweredBody {
  Script script;
  std::size_t before = 0, enter = 0, leave = 0, after = 0;
  Slot x{}, y{};
};

LoweredBody lowered(const FunctionalizedRow& row) {
  LoweredBody made{program::lower(program::parse(program_of(row), "the table")).at(0).script};
  auto& statements = made.script.statements;
  const auto enter = std::ranges::find_if(
      statements, [](const Statement& s) { return std::holds_alternative<EnterFunctionalize>(s.kind); });
  made.x = std::get<EnterFunctionalize>(enter->kind).inputs.at(0);
  made.before = static_cast<std::size_t>(enter - statements.begin());
  statements.insert(enter, Statement{Snapshot{}, 0});
  made.enter = made.before + 1;
  made.leave = made.enter;
  while (!std::holds_alternative<LeaveFunctionalize>(statements.at(made.leave).kind)) ++made.leave;
  made.y = std::get<LeaveFunctionalize>(statements[made.leave].kind).results.at(0);
  made.after = statements.size();
  statements.push_back({Snapshot{}, 0});
  return made;
}

template <class T>
std::optional<T> read_as(const Outcome* snapshot, Slot slot, Field field) {
  const Reading* reading = reading_of(snapshot, slot, field);
  const T* value = reading == nullptr ? nullptr : std::get_if<T>(reading);
  return value == nullptr ? std::nullopt : std::optional(*value);
}

/// A version that a rule leaves unspecified counts as risen: it is unspecified only after a write.
std::optional<bool> rose(const Outcome* before, const Outcome* after, Slot x) {
  const Reading* is = reading_of(after, x, Field::version);
  if (is != nullptr && std::holds_alternative<Unspecified>(*is)) return true;
  const auto was = read_as<std::int64_t>(before, x, Field::version);
  const auto now = read_as<std::int64_t>(after, x, Field::version);
  return was && now ? std::optional(*now > *was) : std::nullopt;
}

FunctionalizedBehaviour body_behaviour(const LoweredBody& row, const Trace& trace) {
  FunctionalizedBehaviour did;
  for (const Outcome& outcome : trace.outcomes) {
    if (outcome.failure.error == ErrorClass::none) continue;
    did.error = outcome.failure.error;
    did.late = outcome.statement == row.leave;
  }
  const Outcome* before = outcome_of(trace, row.before);
  const Outcome* after = outcome_of(trace, row.after);
  if (after == nullptr) return did;
  const auto was = read_as<Values>(before, row.x, Field::values), is = read_as<Values>(after, row.x, Field::values);
  did.written = was && is && was->floats != is->floats;
  did.counted = did.error == ErrorClass::none ? rose(before, after, row.x) : std::nullopt;
  did.inference = read_as<bool>(after, row.y, Field::is_inference);
  if (did.inference) {
    const auto of = read_as<std::int64_t>(after, row.y, Field::storage);
    did.shares = of && *of == static_cast<std::int64_t>(row.x);
  }
  if (row.y != row.x && read_as<bool>(after, row.y, Field::is_view).value_or(false))
    did.creation_meta = read_as<std::string>(after, row.y, Field::creation_meta);
  return did;
}

}  // namespace

std::span<const FunctionalizedRow> functionalized_rows() {
  static const std::vector<FunctionalizedRow> rows = make_rows();
  return rows;
}

std::string program_of(const FunctionalizedRow& row) {
  std::string text = "import pytest\nimport torch\n\n\ndef test_row(device):\n";
  const auto line = [&](int indent, const std::string& what) {
    text += std::string(static_cast<std::size_t>(indent) * 4, ' ') + what + "\n";
  };
  line(1, "def body(b):");
  line(2, "with " + mode(row.op_inside) + ":");
  line(3, row.mutation ? "b.add_(1)" : "v = b.view([2])");
  line(2, row.mutation ? "return b" : "return v");
  line(1, "with " + mode(row.inference_value) + ":");
  line(2, "x = torch.tensor([1.0, 2.0], device=device)");
  line(1, "with " + mode(row.wrapped_inside) + ":");
  const bool raises = row.specified.error != ErrorClass::none;
  if (raises) line(2, "with pytest.raises(RuntimeError, match=\"Inplace update to inference tensor\"):");
  line(raises ? 3 : 2, "y = torch.func.functionalize(body, remove=\"mutations_and_views\")(x)");
  line(1, fmt::format("assert x.tolist() == [{}, {}]", row.specified.written ? 2.0 : 1.0,
                      row.specified.written ? 3.0 : 2.0));
  if (row.specified.shares) line(1, "assert torch._C._is_alias_of(y, x) is True");
  if (row.specified.inference)
    line(1, fmt::format("assert y.is_inference() is {}", *row.specified.inference ? "True" : "False"));
  return text;
}

std::optional<FunctionalizedBehaviour> observed(const FunctionalizedRow& row, Adapter& adapter, std::string& why) {
  const LoweredBody made = lowered(row);
  const RunResult result = adapter.run(made.script);
  if (const auto* broken = std::get_if<Breakdown>(&result)) {
    why = broken->message;
    return std::nullopt;
  }
  return body_behaviour(made, std::get<Trace>(result));
}

std::string_view broken_invariant(const FunctionalizedRow& row, const FunctionalizedBehaviour& did) {
  if (row.inference_value && !row.op_inside && did.written) return "immutability";
  if (did.shares.value_or(false) && did.inference != row.inference_value) return "no-aliasing";
  return "";
}

std::string behaviour_text(const FunctionalizedBehaviour& b) {
  std::vector<std::string> parts;
  if (b.error != ErrorClass::none)
    parts.push_back(fmt::format("error {}{}", name_of(b.error), b.late ? " after the body" : ""));
  parts.emplace_back(b.written ? "x written" : "x unchanged");
  if (b.counted) parts.emplace_back(*b.counted ? "version rises" : "version stays");
  if (b.inference) parts.emplace_back(*b.inference ? "y inference" : "y normal");
  if (b.shares) parts.emplace_back(*b.shares ? "shares x's memory" : "memory of its own");
  if (b.creation_meta) parts.push_back("creation_meta " + *b.creation_meta);
  return fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace plumbline::tables
