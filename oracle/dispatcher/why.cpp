// Finding the kernel that a call would run.
#include "oracle/dispatcher/why.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>

#include "oracle/dispatcher/compare_tables.h"
#include "reference/dispatcher/call_keys.h"

namespace plumbline::dispatcher {

namespace {

std::uint64_t words_of(const KeyLayout& layout, const std::vector<std::string>& names) {
  std::uint64_t word = 0;
  for (const std::string& name : names) {
    const auto key = runtime_key_named(layout, name);
    if (!key)
      throw std::runtime_error(fmt::format(
          "'{}' is not a runtime key of PyTorch {}; write keys such as CPU,AutogradCPU", name, layout.series));
    word |= word_of(layout, *key);
  }
  return word;
}

/// The rule that decides an entry.
std::string reason_of(const reference::Entry& entry) {
  switch (entry.source) {
    case EntrySource::own:
      return "registered for the key itself (DSP-01)";
    case EntrySource::non_functional:
      return "CompositeExplicitAutogradNonFunctional serves it (DSP-02)";
    case EntrySource::explicit_:
      return "CompositeExplicitAutograd serves it (DSP-04)";
    case EntrySource::nested:
      return "CompositeImplicitAutogradNestedTensor serves it (DSP-06)";
    case EntrySource::implicit:
      return "CompositeImplicitAutograd serves it, and its backend has no kernel (DSP-07, DSP-08)";
    case EntrySource::ambiguous:
      return "a composite kernel and a backend's kernel serve it: an error (DSP-09)";
    case EntrySource::autograd:
      return "Autograd serves it (DSP-10)";
    case EntrySource::batched:
      return "FuncTorchBatchedDecomposition serves it (DSP-11)";
    case EntrySource::fallback:
      return "the key's fallback: no kernel of the operator serves it (DSP-12)";
    case EntrySource::missing:
      break;
  }
  return "nothing serves it";
}

}  // namespace

Why why(const Judge<Concrete>& judge, const KeyLayout& layout, const DumpedOperator& op,
        const std::vector<DumpedEntry>& fallbacks, const std::vector<std::string>& keys,
        const std::optional<std::vector<std::string>>& included,
        const std::optional<std::vector<std::string>>& excluded) {
  const reference::Registrations registrations = registrations_of(layout, op);
  reference::Fallbacks there;
  for (const DumpedEntry& fallback : fallbacks) there.push_back(fallback.kernel.empty() ? reference::kNoKernel : 0);
  const Tls<Concrete> tls = default_tls<Concrete>(judge);
  const KeyLayout& rules = reference::rules_layout();
  Why way;
  way.arguments = words_of(layout, keys);
  way.included = included ? words_of(layout, *included) : relaid(rules, layout, tls.included.v);
  way.excluded = excluded ? words_of(layout, *excluded) : relaid(rules, layout, tls.excluded.v);
  using Keys = KeySet<Concrete>;
  way.effective = effective_keys(judge, Keys::raw(way.arguments), Keys::raw(way.included), Keys::raw(way.excluded),
                                 backend_mask(layout))
                      .v;
  for (const auto& kernel : op.registrations)
    way.registrations.push_back(fmt::format("{}: {}{}{}", kernel.key, kernel.fallthrough ? "fallthrough " : "",
                                            kernel.kernel, kernel.active ? "" : " (inactive)"));
  std::uint64_t rest = way.effective;
  bool arrived = false;
  for (;;) {
    const RuntimeKey key = reference::entry_key(judge, layout, rest);
    const reference::Entry entry = reference::entry_of(judge, layout, registrations, there, key);
    const DumpedEntry& fallback =
        fallbacks.empty() ? DumpedEntry{} : fallbacks[static_cast<std::size_t>(index_of(layout, key))];
    WhyStep step{name_of(layout, key), named(entry, op, fallback), !arrived, false, reason_of(entry)};
    const bool last = key == kUndefined;
    if (last && arrived) break;
    step.runs = !arrived && !step.entry.fallthrough;
    arrived = arrived || step.runs;
    if (step.runs) way.hole = entry.kernel == reference::kNoKernel && entry.source != EntrySource::fallback;
    way.steps.push_back(std::move(step));
    if (last) break;
    rest &= ~functionality_bit(layout, key.functionality);
  }
  return way;
}

DumpedOperator operator_from_text(const KeyLayout& layout, const std::string& text, const std::string& file) {
  DumpedOperator op;
  op.name = file;
  std::istringstream lines(text);
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    line = line.substr(0, line.find('#'));
    line.erase(line.find_last_not_of(" \t\r") + 1);
    if (line.empty()) continue;
    const auto colon = line.find(": ");
    if (colon == std::string::npos)
      throw DumpError(fmt::format("{}:{}: found '{}'. Write KEY: NAME, or KEY: fallthrough", file, number, line));
    const std::string key = line.substr(0, colon);
    const std::string kernel = line.substr(colon + 2);
    if (!reference::registration_key_named(layout, key))
      throw DumpError(
          fmt::format("{}:{}: '{}' is not a key of PyTorch {}. Write a runtime key (AutogradCPU) or an alias key "
                      "(CompositeImplicitAutograd)",
                      file, number, key, layout.series));
    for (auto& other : op.registrations)
      if (other.key == key) other.active = false;
    op.registrations.insert(op.registrations.begin(), {key, kernel, true, kernel == "fallthrough"});
  }
  return op;
}

std::string why_text(const KeyLayout& layout, const DumpedOperator& op, const Why& way) {
  std::string text = fmt::format("{}\n  arguments  {}\n  included   {}\n  excluded   {}\n  effective  {}\n\n", op.name,
                                 keys_text(layout, way.arguments), keys_text(layout, way.included),
                                 keys_text(layout, way.excluded), keys_text(layout, way.effective));
  for (const WhyStep& step : way.steps) {
    const std::string_view mark = step.runs ? "=>" : "  ";
    const std::string what = step.entry.fallthrough      ? "falls through: it is skipped"
                             : step.entry.kernel.empty() ? std::string("no kernel")
                                                         : step.entry.kernel;
    text += fmt::format("{} {:<24} {} [{}]\n      {}{}\n", mark, step.key, what, step.entry.how, step.reason,
                        step.considered ? "" : "; only a redispatch from above reaches it");
  }
  text += "\n";
  if (way.hole) text += "A call finds no kernel: it raises NotImplementedError (DSP-37).\n";
  text += "registered for the operator:\n";
  for (const std::string& registration : way.registrations) text += "  " + registration + "\n";
  if (way.registrations.empty()) text += "  nothing\n";
  return text;
}

}  // namespace plumbline::dispatcher
