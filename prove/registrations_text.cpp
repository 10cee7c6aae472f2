// The report on a file of registrations, as text and as JSON.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "language/print.h"
#include "oracle/dispatcher/compare_tables.h"
#include "prove/registrations.h"

namespace plumbline::prove {

namespace {

using proofs::EntryDoes;

std::string_view what_happens(EntryDoes does) {
  switch (does) {
    case EntryDoes::ambiguous:
      return "AutogradOther is ambiguous (DSP-09)";
    case EntryDoes::falls_through:
      return "a fallthrough would run (DSP-38)";
    default:
      return "no kernel (DSP-37)";
  }
}

/// "a normal tensor of CPU and an inference tensor of CUDA, in inference mode".
std::string call_words(const OperatorHoles& op, const proofs::Hole& hole) {
  std::vector<std::string> tensors;
  for (const std::size_t kind : hole.tensors) tensors.push_back(op.question.tensors[kind].words());
  return fmt::format("{}{}", fmt::join(tensors, " and "), hole.inference_mode ? ", in inference mode" : "");
}

std::string indented(const std::string& text) {
  std::string out;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) out += line.empty() ? "\n" : "    " + line + "\n";
  return out;
}

void print_text(const OperatorHoles& op, std::ostream& out) {
  const KeyLayout& layout = *op.question.layout;
  std::vector<std::string> kinds;
  for (const proofs::TensorKind& kind : op.question.tensors) kinds.push_back(kind.words());
  out << fmt::format("{}\n  tensors: {}\n", op.name, fmt::join(kinds, ", "));
  for (const ShownHole& shown : op.shown) {
    const proofs::Hole& hole = shown.hole;
    out << fmt::format("\n  {}: {}\n    arguments   {}\n    dispatched  {}\n", name_of(layout, hole.key),
                       what_happens(hole.does), call_words(op, hole), dispatcher::keys_text(layout, hole.found_by));
    out << fmt::format("    {}\n\n",
                       shown.confirmed
                           ? fmt::format("the reference's dispatcher raises {} in this program:", shown.error)
                           : fmt::format("NOT CONFIRMED: {}", shown.error));
    out << indented(program::print(program::raise(shown.program)));
  }
  if (!op.holes.complete)
    out << fmt::format("\n  unknown: Z3 gave up after {} questions: {}\n", op.holes.questions, op.holes.why);
  else if (op.shown.empty())
    out << fmt::format("  every reachable key set finds a kernel ({} question{} to Z3)\n", op.holes.questions,
                       op.holes.questions == 1 ? "" : "s");
  else
    out << fmt::format("\n  {} {} without a kernel; every other reachable key set finds one ({} questions to Z3)\n",
                       op.shown.size(), op.shown.size() == 1 ? "key is reached" : "keys are reached",
                       op.holes.questions);
  out << "\n";
}

nlohmann::ordered_json json_of(const OperatorHoles& op) {
  const KeyLayout& layout = *op.question.layout;
  nlohmann::ordered_json json{{"operator", op.name},
                              {"complete", op.holes.complete},
                              {"tensors", nlohmann::json::array()},
                              {"holes", nlohmann::json::array()},
                              {"questions", op.holes.questions}};
  if (!op.holes.complete) json["why"] = op.holes.why;
  for (const proofs::TensorKind& kind : op.question.tensors) json["tensors"].push_back(kind.words());
  for (const ShownHole& shown : op.shown) {
    const proofs::Hole& hole = shown.hole;
    json["holes"].push_back({{"key", name_of(layout, hole.key)},
                             {"what", what_happens(hole.does)},
                             {"arguments", call_words(op, hole)},
                             {"inference_mode", hole.inference_mode},
                             {"dispatched", key_names(layout, hole.found_by)},
                             {"confirmed", shown.confirmed},
                             {"error", shown.error},
                             {"program", program::print(program::raise(shown.program))}});
  }
  return json;
}

int exit_code(const std::vector<OperatorHoles>& all) {
  int code = 0;
  for (const OperatorHoles& op : all) {
    if (!op.shown.empty()) code = std::max(code, 1);
    bool sure = op.holes.complete;
    for (const ShownHole& shown : op.shown)
      sure = sure && (shown.confirmed || shown.error.starts_with("no Python program"));
    if (!sure) code = 3;
  }
  return code;
}

/// Throws for wrong options and for a malformed file.
int prove_or_throw(const std::string& file, const RegistrationsOptions& options, std::ostream& out) {
  const KeyLayout* layout = layout_named(options.series);
  if (layout == nullptr)
    throw dispatcher::DumpError(
        fmt::format("there is no key layout of PyTorch {}; write 2.13 or 1.13", options.series));
  const std::string name = options.profile.empty() ? "torch-" + options.series : options.profile;
  const auto profile = profile_named(name);
  if (!profile) throw dispatcher::DumpError(fmt::format("unknown profile '{}'; write sound or torch-2.13", name));
  if (&layout_of(*profile) != layout)
    throw dispatcher::DumpError(fmt::format("the profile {} does not use the keys of PyTorch {}; write {}", name,
                                            options.series, "torch-" + options.series));
  for (const std::string& backend : options.backends)
    if (std::ranges::find(layout->backends, backend, &BackendRow::name) == layout->backends.end())
      throw dispatcher::DumpError(
          fmt::format("'{}' is not a backend of PyTorch {}; write one such as PrivateUse1", backend, options.series));
  std::ifstream stream(file);
  std::stringstream text;
  text << stream.rdbuf();
  if (!stream) throw dispatcher::DumpError(fmt::format("cannot read {}; give the path of an existing file", file));

  std::vector<OperatorHoles> all;
  for (const dispatcher::DumpedOperator& op : operators_from_text(*layout, text.str(), file))
    all.push_back(holes_of(op, *layout, *profile, options.backends));
  std::size_t keys = 0;
  nlohmann::ordered_json json{{"profile", name}, {"series", options.series}, {"operators", nlohmann::json::array()}};
  for (const OperatorHoles& op : all) {
    keys += op.shown.size();
    if (options.json)
      json["operators"].push_back(json_of(op));
    else
      print_text(op, out);
  }
  if (options.json)
    out << json.dump(2) << "\n";
  else
    out << fmt::format("{} of {} operator{} with gaps; keys that are reached but have no kernel: {}\n",
                       std::ranges::count_if(all, [](const OperatorHoles& op) { return !op.shown.empty(); }),
                       all.size(), all.size() == 1 ? "" : "s", keys);
  return exit_code(all);
}

}  // namespace

int prove_registrations(const std::string& file, const RegistrationsOptions& options, std::ostream& out) {
  try {
    return prove_or_throw(file, options, out);
  } catch (const dispatcher::DumpError& error) {
    *options.errors << "error: " << error.what() << "\n";
    return 2;
  }
}

}  // namespace plumbline::prove
