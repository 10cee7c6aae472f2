// Finding the key sets for which an operator has no kernel, and a program that shows each.
#include "prove/registrations.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "language/refusal.h"
#include "oracle/dispatcher/compare_tables.h"
#include "oracle/dispatcher/why.h"
#include "oracle/lookup.h"
#include "reference/machine.h"

namespace plumbline::prove {

namespace {

using dispatcher::DumpedOperator;
using dispatcher::DumpError;
using proofs::EntryDoes;
using proofs::TensorKind;

/// Kernels are numbered as in the operator; the version's own fallbacks have no number.
constexpr reference::KernelId kShipped = 1'000'000;

std::vector<EntryDoes> table_of(const Judge<Concrete>& judge, const KeyLayout& layout, const DumpedOperator& op) {
  reference::Fallbacks fallbacks;
  for (int i = 0; i < table_size(layout); ++i)
    fallbacks.push_back(shipped_fallback(layout, key_at(layout, i)) == ShippedFallback::none ? reference::kNoKernel
                                                                                             : kShipped);
  reference::DispatchTable table(layout);
  reference::Registrations registrations;
  table.fill(judge, registrations, fallbacks);
  for (std::size_t i = op.registrations.size(); i-- > 0;) {  // the oldest is the last
    const auto key = *reference::registration_key_named(layout, op.registrations[i].key);
    registrations[key].push_back(static_cast<reference::KernelId>(i));
    table.update(judge, registrations, fallbacks, key);
  }
  std::vector<EntryDoes> does;
  for (int i = 0; i < table_size(layout); ++i) {
    const reference::Entry& entry = table.entries()[static_cast<std::size_t>(i)];
    const ShippedFallback shipped = shipped_fallback(layout, key_at(layout, i));
    if (entry.source == EntrySource::ambiguous) {
      does.push_back(EntryDoes::ambiguous);
    } else if (entry.kernel == kShipped) {
      does.push_back(shipped == ShippedFallback::falls_through ? EntryDoes::falls_through
                     : shipped == ShippedFallback::autograd    ? EntryDoes::goes_below
                     : shipped == ShippedFallback::refuses     ? EntryDoes::missing
                                                               : EntryDoes::runs);
    } else if (entry.kernel == reference::kNoKernel) {
      does.push_back(EntryDoes::missing);
    } else {
      const bool falls = op.registrations[static_cast<std::size_t>(entry.kernel)].fallthrough;
      does.push_back(falls ? EntryDoes::falls_through : EntryDoes::runs);
    }
  }
  return does;
}

/// The backends and functionalities in the runtime keys of the registrations, and always CPU and Dense.
struct Named {
  std::vector<std::string> backends{"CPU"};
  std::vector<std::string> functionalities{"Dense"};
};
Named named_in(const KeyLayout& layout, const DumpedOperator& op) {
  Named named;
  const auto add = [](std::vector<std::string>& names, std::string_view name) {
    if (std::ranges::find(names, name) == names.end()) names.emplace_back(name);
  };
  for (const auto& kernel : op.registrations) {
    const auto key = reference::registration_key_named(layout, kernel.key);
    if (!key || key->alias || key->key == kUndefined) continue;
    const FunctionalityRow& row = layout.functionalities[key->key.functionality - 1U];
    if (!row.per_backend) continue;
    add(named.backends, layout.backends[key->key.backend].name);
    if (row.group != KeyGroup::autograd) add(named.functionalities, row.name);
  }
  return named;
}

/// The schema's arguments: so many tensors, or a list of them.
std::vector<SchemaValue> arguments_for(std::size_t tensors) {
  if (tensors == 1) return {{"x"}};
  if (tensors == 2) return {{"x"}, {"y"}};
  return {{"xs", "", false, SchemaValue::Kind::list}};
}

/// A program, statement by statement.
class Writer {
 public:
  std::size_t add(StatementKind statement) {
    test.script.statements.push_back({std::move(statement), 0});
    return test.script.statements.size() - 1;
  }

  Slot tensor(const std::string& name) {
    test.script.names.push_back(name);
    return static_cast<Slot>(test.script.names.size() - 1);
  }

  program::Test test;
};

/// Defines and registers the operator as a program does; its kernels log their names.
void add_definition(Writer& writer, const DumpedOperator& op, std::vector<SchemaValue> arguments) {
  Script& script = writer.test.script;
  script.operators = {{"probe::f", std::move(arguments), {}}};
  writer.add(MakeLibrary{"lib", "probe", MakeLibrary::Kind::DEF});
  writer.add(DefineOperator{"lib", 0});
  std::map<std::string, std::int32_t> kernels;
  for (std::size_t i = op.registrations.size(); i-- > 0;) {
    const auto& one = op.registrations[i];
    std::optional<std::int32_t> kernel;
    if (!one.fallthrough) {
      const auto [at, made] = kernels.try_emplace(one.kernel, static_cast<std::int32_t>(script.kernels.size()));
      if (made) {
        CustomKernel probe{program::is_python_name(one.kernel) ? one.kernel : fmt::format("kernel_{}", at->second + 1)};
        probe.any_arguments = true;
        probe.statements.push_back({AppendToLog{probe.name}, 0});
        script.kernels.push_back(std::move(probe));
      }
      kernel = at->second;
    }
    writer.add(AddKernel{"lib", 0, one.key.substr(0, one.key.find("[alias]")), kernel});
  }
}

/// Whether programs can make a tensor of this kind.
bool can_be_made(const TensorKind& kind) {
  return kind.functionality == "Dense" && !kind.requires_grad &&
         (kind.backend == "CPU" || (kind.backend == "Meta" && !kind.inference));
}

/// Makes the tensor; one of another kind stands for those that programs cannot make.
Slot add_tensor(Writer& writer, const TensorKind& kind) {
  const bool made = can_be_made(kind);
  const bool meta = made && kind.backend == "Meta", inference = made && kind.inference;
  const std::string name = meta ? "meta" : inference ? "inference" : "cpu";
  for (std::size_t i = 0; i < writer.test.script.names.size(); ++i)
    if (writer.test.script.names[i] == name) return static_cast<Slot>(i);
  const Slot slot = writer.tensor(name);
  if (inference) writer.add(Enter{GuardKind::inference_mode, true});
  if (meta)
    writer.add(MakeMetaTensor{slot, Dtype::float32, {1}});
  else
    writer.add(MakeTensor{slot, Dtype::float32, {1}, {0}});
  if (inference) writer.add(Exit{});
  return slot;
}

/// Names whose union is this set: each backend together with a functionality that is per backend.
std::vector<std::string> names_of(const KeyLayout& layout, std::uint64_t word) {
  std::vector<std::string> names;
  bool first = true;
  for (int f = 1; f <= static_cast<int>(layout.functionalities.size()); ++f) {
    if ((word & functionality_bit(layout, f)) == 0) continue;
    const bool each = layout.functionalities[static_cast<std::size_t>(f) - 1].per_backend;
    for (std::size_t b = 0; b < layout.backends.size(); ++b) {
      if (each && (word >> b & 1U) == 0) continue;
      names.push_back(name_of(layout, {static_cast<std::uint8_t>(f), static_cast<std::uint8_t>(each ? b : 0)}));
      if (!each || !first) break;
    }
    first = first && !each;
  }
  return names;
}

/// The error that a hole raises: its class, and how the program expects it.
struct Raised {
  ErrorClass error;
  std::string exception, match, rule;
};
Raised raised_at(const proofs::Resolved& question, const proofs::Hole& hole) {
  if (hole.does == EntryDoes::ambiguous)
    return {ErrorClass::ambiguous_kernels, "RuntimeError", "AutogradOther", "DSP-09"};
  if (hole.does == EntryDoes::falls_through) return {ErrorClass::internal, "RuntimeError", "fallthrough", "DSP-38"};
  const bool own = shipped_fallback(*question.layout, hole.key) == ShippedFallback::refuses;  // it has its own message
  return {ErrorClass::no_kernel, "NotImplementedError", own ? "" : "Could not run", "DSP-37"};
}

/// The call, in the mode; a redispatch with the set if programs have no such tensors.
Invoke call_of(const proofs::Resolved& question, const proofs::Hole& hole, bool can_call,
               const std::vector<Slot>& tensors) {
  Invoke call{0, {tensors.begin(), tensors.end()}, {}};
  if (tensors.size() > 2) call.inputs = {tensors};
  if (can_call) return call;
  call.redispatch.emplace();
  for (const std::string& key : names_of(*question.layout, hole.found_by))
    call.redispatch->push_back({call.redispatch->empty() ? KeyStep::Kind::only : KeyStep::Kind::add, key});
  if (call.redispatch->empty()) call.redispatch->push_back({KeyStep::Kind::only, "Undefined"});
  return call;
}

/// The program that shows a hole, and the places of the call and of the reading of the log in its script.
struct HoleProgram {
  program::Test test;
  std::size_t call = 0, log = 0;
};
HoleProgram program_of(const DumpedOperator& op, const proofs::Resolved& question, const proofs::Hole& hole,
                       const Raised& raised) {
  Writer writer;
  std::vector<Slot> tensors;
  bool can_call = true;
  for (const std::size_t kind : hole.tensors) {
    can_call = can_call && can_be_made(question.tensors[kind]);
    tensors.push_back(add_tensor(writer, question.tensors[kind]));
  }
  add_definition(writer, op, arguments_for(tensors.size()));
  const bool in_mode = can_call && hole.inference_mode;
  if (in_mode) writer.add(Enter{GuardKind::inference_mode, true});
  const std::size_t attempt = writer.add(Try{});
  const std::size_t call = writer.add(call_of(question, hole, can_call, tensors));
  writer.test.errors = {{attempt, writer.add(EndTry{}), raised.exception, raised.match, 0}};
  if (in_mode) writer.add(Exit{});
  const std::size_t log = writer.add(ReadLog{});
  program::Expectation nothing_ran;
  nothing_ran.statement = log;
  nothing_ran.expected = std::vector<std::string>{};
  writer.test.expectations.push_back(std::move(nothing_ran));
  writer.add(DropLibrary{"lib"});
  writer.test.name = fmt::format("test_a_call_at_{}_finds_no_kernel", name_of(*question.layout, hole.key));
  writer.test.rules = {raised.rule};
  return {std::move(writer.test), call, log};
}

/// Makes the program and runs it on the reference.
ShownHole shown_hole(const DumpedOperator& op, const proofs::Resolved& question, const proofs::Hole& hole,
                     Profile profile) {
  const Raised raised = raised_at(question, hole);
  auto [test, call, log] = program_of(op, question, hole, raised);
  ShownHole shown{hole, std::move(test), false, ""};
  Trace trace;
  try {
    trace = reference::run({.profile = profile}, shown.program.script);
  } catch (const std::exception& error) {
    shown.error = fmt::format("the reference cannot run it: {}", error.what());
    return shown;
  }
  const Outcome* called = outcome_of(trace, call);
  if (called == nullptr) {
    shown.error = fmt::format("no Python program can register this: {}", trace.outcomes.back().failure.message);
    return shown;
  }
  // The table may lag behind the registrations; then an assertion fails.
  const bool lags = called->failure.error == ErrorClass::internal && raised.error == ErrorClass::no_kernel;
  program::ExpectedError& expected = shown.program.errors.front();
  if (lags) expected = {expected.first, expected.last, "RuntimeError", "", 0};
  const Outcome* read = outcome_of(trace, log);
  const auto* ran = read == nullptr ? nullptr : std::get_if<std::vector<std::string>>(&read->reading);
  shown.confirmed = (called->failure.error == raised.error || lags) && ran != nullptr && ran->empty();
  shown.error = shown.confirmed
                    ? expected.exception
                    : fmt::format("the reference's dispatcher does something else: {}", called->failure.message);
  return shown;
}

}  // namespace

std::vector<DumpedOperator> operators_from_text(const KeyLayout& layout, const std::string& text,
                                                const std::string& file) {
  struct Section {
    std::string name;
    int line = 0;
    std::string lines;  ///< with empty lines before them, so that line numbers stay right
  };
  std::vector<Section> sections{{file, 0, ""}};
  std::istringstream lines(text);
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    line.erase(line.find_last_not_of(" \t\r") + 1);
    const bool begins = line.starts_with("[") && line.ends_with("]");
    if (begins && line.size() < 3)
      throw DumpError(fmt::format("{}:{}: an operator has no name. Write [NAME], as in [my::add]", file, number));
    if (begins) sections.push_back({line.substr(1, line.size() - 2), number, std::string(number, '\n')});
    if (begins) continue;
    sections.back().lines += line + "\n";
  }
  std::vector<DumpedOperator> all;
  for (const Section& section : sections) {
    DumpedOperator op = dispatcher::operator_from_text(layout, section.lines, file);
    op.name = section.name;
    const bool before_first = section.line == 0 && sections.size() > 1;
    if (before_first && !op.registrations.empty())
      throw DumpError(
          fmt::format("{}: there are registrations before the first [NAME]. Write [NAME] above them", file));
    if (before_first) continue;
    if (op.registrations.empty())
      throw DumpError(fmt::format("{}:{}: {} registers nothing. Write a line KEY: NAME for each kernel", file,
                                  std::max(section.line, 1), section.line == 0 ? "the file" : section.name));
    all.push_back(std::move(op));
  }
  return all;
}

OperatorHoles holes_of(const DumpedOperator& op, const KeyLayout& layout, Profile profile,
                       const std::vector<std::string>& backends) {
  const Judge<Concrete> judge{profile};
  const Named named = named_in(layout, op);
  OperatorHoles all{op.name, {&layout, table_of(judge, layout, op), {}, profile}, {}, {}};
  all.question.tensors =
      proofs::tensor_kinds(judge, layout, backends.empty() ? named.backends : backends, named.functionalities);
  all.holes = proofs::find_holes(all.question);
  for (const proofs::Hole& hole : all.holes.found) all.shown.push_back(shown_hole(op, all.question, hole, profile));
  return all;
}

}  // namespace plumbline::prove
