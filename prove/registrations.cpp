// Finding the key sets for which an operator has no kernel, and a program that shows each.
#include "prove/registrations.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <sstream>

#include "oracle/dispatcher/compare_tables.h"
#include "oracle/dispatcher/why.h"
#include "reference/dispatcher/machine.h"

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

bool is_identifier(const std::string& name) {
  static const std::set<std::string> taken{
      "log",  "device", "torch", "pytest", "lib",    "cpu", "meta",  "inference", "requires_grad", "op",
      "ks",   "args",   "repr",  "and",    "as",     "def", "class", "del",       "elif",          "else",
      "for",  "from",   "if",    "import", "in",     "is",  "not",   "lambda",    "None",          "or",
      "pass", "True",   "False", "raise",  "return", "try", "while", "with",      "yield",         "fallthrough"};
  const auto letter = [](unsigned char c) { return std::isalpha(c) != 0 || c == '_'; };
  return !name.empty() && letter(static_cast<unsigned char>(name[0])) && !taken.contains(name) &&
         std::ranges::all_of(name, [&](unsigned char c) { return letter(c) || std::isdigit(c) != 0; });
}

/// The operator as a program defines it, without a call.
dispatcher::DispatchTest definition(const DumpedOperator& op, ProbeSchema schema) {
  dispatcher::DispatchTest test;
  test.script.statements = {MakeLibrary{"lib", "probe", MakeLibrary::Kind::DEF}, DefineOp{"lib", "f", schema}};
  std::map<std::string, std::size_t> kernels;
  for (std::size_t i = op.registrations.size(); i-- > 0;) {
    const auto& one = op.registrations[i];
    std::optional<std::size_t> kernel;
    if (!one.fallthrough) {
      const auto [at, made] = kernels.try_emplace(one.kernel, test.script.kernels.size());
      if (made) {
        ProbeKernel probe;
        probe.name = is_identifier(one.kernel) ? one.kernel : fmt::format("kernel_{}", at->second + 1);
        test.script.kernels.push_back(probe);
      }
      kernel = at->second;
    }
    const std::string key = one.key.substr(0, one.key.find("[alias]"));
    test.script.statements.push_back(ImplOp{"lib", "f", key, kernel});
  }
  return test;
}

std::optional<ProbeTensor> probe_of(const TensorKind& kind) {
  if (kind.functionality != "Dense" || kind.requires_grad) return std::nullopt;
  if (kind.backend == "CPU") return kind.inference ? ProbeTensor::inference : ProbeTensor::cpu;
  return kind.backend == "Meta" && !kind.inference ? std::optional(ProbeTensor::meta) : std::nullopt;
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

/// Appends the call with the tensors in the mode. If programs have no such tensors, appends a redispatch with the set.
void append_call(dispatcher::DispatchTest& test, const proofs::Resolved& question, const proofs::Hole& hole,
                 ProbeSchema schema) {
  std::vector<ProbeTensor> tensors;
  bool all = true;
  for (const std::size_t kind : hole.tensors) {
    const auto probe = probe_of(question.tensors[kind]);
    all = all && probe.has_value();
    tensors.push_back(probe.value_or(ProbeTensor::cpu));
  }
  auto& statements = test.script.statements;
  if (schema == ProbeSchema::tensor) tensors.resize(1);
  if (all && hole.inference_mode) statements.emplace_back(EnterGuard{{KeyGuard::Kind::inference_mode, ""}});
  const std::size_t call = statements.size();
  if (all)
    statements.emplace_back(InvokeOp{"probe::f", tensors});
  else
    statements.emplace_back(RedispatchOp{"probe::f", names_of(*question.layout, hole.found_by), tensors});
  if (all && hole.inference_mode) statements.emplace_back(LeaveGuard{});
  statements.emplace_back(DropLibrary{"lib"});
  test.rules = {"DSP-37"};
  dispatcher::ExpectedRaise raise{call, "NotImplementedError", "Could not run", 0};
  if (shipped_fallback(*question.layout, hole.key) == ShippedFallback::refuses)
    raise.match = "";  // it has its own message
  if (hole.does == EntryDoes::ambiguous) {
    test.rules = {"DSP-09"};
    raise = {call, "RuntimeError", "AutogradOther", 0};
  } else if (hole.does == EntryDoes::falls_through) {
    test.rules = {"DSP-38"};
    raise = {call, "RuntimeError", "fallthrough", 0};
  }
  test.raises = {raise};
  test.logs = {{call, {}, 0}};
}

/// Runs it on the reference's dispatcher.
void confirm(ShownHole& shown, Profile profile) {
  DispatchTrace trace;
  try {
    trace = reference::run(Judge<Concrete>{profile}, shown.program.script);
  } catch (const std::exception& error) {
    shown.error = fmt::format("the reference cannot run it: {}", error.what());
    return;
  }
  const std::size_t call = shown.program.raises.front().statement;
  for (std::size_t i = 0; i < call; ++i)
    if (trace[i].error != DispatchError::none) {
      shown.error = fmt::format("no Python program can register this: {}", trace[i].message);
      return;
    }
  const DispatchError error = trace[call].error;
  const bool lags = error == DispatchError::inconsistent && shown.hole.does == EntryDoes::missing;
  const DispatchError expected = shown.hole.does == EntryDoes::ambiguous       ? DispatchError::ambiguous
                                 : shown.hole.does == EntryDoes::falls_through ? DispatchError::fallthrough
                                                                               : DispatchError::missing_kernel;
  if (lags) shown.program.raises.front() = {call, "RuntimeError", "", 0};
  shown.confirmed = (error == expected || lags) && trace[call].log.empty();
  shown.error = shown.confirmed
                    ? shown.program.raises.front().exception
                    : fmt::format("the reference's dispatcher does something else: {}", trace[call].message);
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
  for (const proofs::Hole& hole : all.holes.found) {
    const ProbeSchema schema = hole.tensors.size() == 1   ? ProbeSchema::tensor
                               : hole.tensors.size() == 2 ? ProbeSchema::two
                                                          : ProbeSchema::list;
    ShownHole shown{hole, definition(op, schema), false, ""};
    shown.program.name = fmt::format("test_a_call_at_{}_finds_no_kernel", name_of(layout, hole.key));
    append_call(shown.program, all.question, hole, schema);
    confirm(shown, profile);
    all.shown.push_back(std::move(shown));
  }
  return all;
}

}  // namespace plumbline::prove
