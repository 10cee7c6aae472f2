// An explanation as text: a paragraph for each statement, short where nothing special decided.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>

#include "adapters/protocol/names.h"
#include "oracle/explain/show.h"
#include "oracle/reading_text.h"
#include "spec/rules/tls.h"
#include "spec/vocabulary/concrete.h"
#include "support/screen.h"

namespace plumbline::explain {

namespace {

constexpr std::string_view kIndent = "        ";
constexpr std::size_t kWidth = 110;

/// Breaks a text into lines of at most kWidth characters, each after `indent`.
std::string wrapped(const std::string& first, const std::string& indent, std::string_view words) {
  return wrapped_text(first + std::string(words), kWidth, indent.size()) + "\n";
}

/// Names of keys; a family that is complete becomes one name: "Autocast*".
std::string keys_text(std::vector<std::string> names) {
  static const std::array families{
      std::pair(std::string("Autocast*"), names_of_keys(autocast_keys<Concrete>().v)),
      std::pair(std::string("Autograd*"), names_of_keys(autograd_keys<Concrete>().v)),
  };
  for (const auto& [family, members] : families) {
    const auto is_there = [&](const std::string& member) { return std::ranges::find(names, member) != names.end(); };
    if (!std::ranges::all_of(members, is_there)) continue;
    std::erase_if(names, [&](const std::string& name) { return std::ranges::find(members, name) != members.end(); });
    names.push_back(family);
  }
  return names.empty() ? "{}" : fmt::format("{{{}}}", fmt::join(names, ", "));
}

std::string thread_text(const Reading& reading) {
  const auto* names = std::get_if<std::vector<std::string>>(&reading);
  return names == nullptr ? reading_text(reading) : keys_text(*names);
}

/// Writes one explanation as text.
class Writer {
 public:
  Writer(const Explained& explained, const Show& show) : all_(explained), show_(show) {}

  std::string write() {
    text_ = fmt::format("{}:{} {}, on the reference ({})\n", all_.file, all_.line, all_.test,
                        name_of(all_.explanation.profile));
    for (const Step& one : all_.explanation.steps)
      if (show_.line == 0 || one.line == show_.line) step(one);
    if (!all_.explanation.limit.empty())
      text_ +=
          fmt::format("  the reference cannot execute {} yet, so the explanation ends here\n", all_.explanation.limit);
    if (all_.expectations.verdict != Verdict::pass && all_.explanation.limit.empty())
      text_ +=
          fmt::format("  {} on the reference: {}\n", name_of(all_.expectations.verdict), all_.expectations.message);
    for (const Held& held : all_.held) verdict(held);
    if (const std::string rule = rule_of_page(); !rule.empty())
      text_ += fmt::format("  docs/rules/{}.md, and a page for each other rule: its code, proofs and programs\n", rule);
    return std::move(text_);
  }

 private:
  const StatementKind& kind_of(const Step& step) const { return all_.script.statements[step.statement].kind; }

  /// The rule of the first difference; without one, the rule that was explained last; empty: no rule decided.
  std::string rule_of_page() const {
    for (const Held& held : all_.held)
      for (const Departure& departure : held.departures) {
        if (!departure.rules.empty()) return departure.rules.front()->id();
        if (departure.waiver && !departure.waiver->rules.empty()) return departure.waiver->rules.front();
      }
    return last_told_ == nullptr ? "" : last_told_->id();
  }

  void step(const Step& step) {
    const StatementKind& kind = kind_of(step);
    if (std::holds_alternative<EndTry>(kind) || std::holds_alternative<Snapshot>(kind)) return departures(step);
    head(step);
    if (step.outcome.failure.error != ErrorClass::none)
      text_ +=
          wrapped(std::string(kIndent) + "raises ", std::string(kIndent) + "  ", failure_text(step.outcome.failure));
    reading(step);
    thread(step);
    dispatch(step);
    rules(step);
    departures(step);
  }

  /// The line of the program, once; a guard's end has the line of its beginning.
  void head(const Step& step) {
    if (std::holds_alternative<Exit>(kind_of(step))) {
      text_ += fmt::format("{:>6}  (end of this block)\n", step.line);
    } else if (step.line != line_) {
      const auto index = static_cast<std::size_t>(step.line) - 1;
      text_ +=
          fmt::format("{:>6}  {}\n", step.line, step.line > 0 && index < all_.source.size() ? all_.source[index] : "");
    }
    line_ = step.line;
  }

  void reading(const Step& step) {
    const Outcome& outcome = step.outcome;
    if (outcome.failure.error != ErrorClass::none) return;
    if (const auto* read = std::get_if<Read>(&kind_of(step)))
      text_ += fmt::format("{}{} of {}: {}\n", kIndent, name_of(read->field), slot_name(all_.script, read->tensor),
                           reading_text(read->field, outcome.reading, all_.script));
    if (const auto* read = std::get_if<ReadThread>(&kind_of(step)))
      text_ += fmt::format("{}the thread's {}: {}\n", kIndent, name_of(read->field), thread_text(outcome.reading));
    if (!answer_name(kind_of(step)).empty())
      text_ += fmt::format("{}{}: {}\n", kIndent, answer_subject(kind_of(step)), answer_text(outcome.reading));
  }

  void thread(const Step& step) {
    if (std::holds_alternative<Exit>(kind_of(step)) && !show_.all) return;  // a guard's end restores what was before it
    for (std::size_t i = 0; i < step.before.size(); ++i) {
      const std::string before = thread_text(step.before[i]);
      const std::string behind = thread_text(step.behind[i]);
      if (before != behind)
        text_ += fmt::format("{}{}: {} -> {}\n", kIndent, name_of(static_cast<ThreadField>(i)), before, behind);
    }
  }

  void dispatch(const Step& step) {
    for (const CallKeys& call : step.calls)
      text_ += wrapped(std::string(kIndent) + "keys     ", std::string(kIndent) + "         ",
                       fmt::format("arguments {} + included {} - excluded {} = {}",
                                   keys_text(names_of_keys(call.arguments)), keys_text(names_of_keys(call.included)),
                                   keys_text(names_of_keys(call.excluded)), keys_text(names_of_keys(call.effective))));
    if (!step.outcome.kernels.empty())
      text_ += fmt::format("{}kernels  {}\n", kIndent, kernels_text(step.outcome.kernels, " -> "));
  }

  void rules(const Step& step) {
    std::vector<std::string> everyday, again;
    for (const Ruling& ruling : step.rulings) {
      if (show_.all)
        rule(ruling, step.line);
      else if (ruling.weight == Weight::decided && told_.contains(ruling.rule->index()))
        again.push_back(fmt::format("{} (line {})", ruling.rule->id(), told_.at(ruling.rule->index())));
      else if (ruling.weight == Weight::decided)
        rule(ruling, step.line);
      else if (ruling.weight == Weight::everyday)
        everyday.push_back(ruling.rule->id());
    }
    if (!again.empty())
      text_ += wrapped(std::string(kIndent) + "above    ", std::string(kIndent) + "         ",
                       fmt::format("{}", fmt::join(again, ", ")));
    if (!everyday.empty())
      text_ += wrapped(std::string(kIndent) + "usual    ", std::string(kIndent) + "         ",
                       fmt::format("{}", fmt::join(everyday, " ")));
  }

  /// A rule's sentence is printed where the rule decides first.
  void rule(const Ruling& ruling, int line) {
    const Rule& rule = *ruling.rule;
    const std::string id = fmt::format("{}{:<9}", kIndent, rule.id());
    const std::string indent = fmt::format("{}{:9}", kIndent, "");
    const std::string weight =
        show_.all ? fmt::format("({}) ", kWeightNames[static_cast<std::size_t>(ruling.weight)]) : std::string();
    const auto [first, is_new] = told_.emplace(rule.index(), line);
    if (!is_new) {
      text_ += fmt::format("{}{}see line {}\n", id, weight, first->second);
      return;
    }
    last_told_ = &rule;
    text_ += wrapped(id, indent, fmt::format("{}{}", weight, rule.text().sentence));
    text_ += wrapped(indent, indent, fmt::format("[{}]", rule.text().source));
    if (const Variant* variant = rule.variant(all_.explanation.profile))
      text_ += wrapped(indent, indent,
                       fmt::format("but {}: {} [{}]", name_of(variant->profile), variant->sentence, variant->source));
  }

  void departures(const Step& step) {
    for (const Held& held : all_.held)
      for (const Departure& departure : held.departures)
        if (departure.difference.statement == step.statement) side_by_side(held, departure);
  }

  void side_by_side(const Held& held, const Departure& departure) {
    const Difference& d = departure.difference;
    const std::string reference = fmt::format("reference ({})", name_of(all_.explanation.profile));
    const std::size_t width = std::max(reference.size(), held.name.size());
    const int blamed = d.blamed < all_.script.statements.size() ? all_.script.statements[d.blamed].line : 0;
    text_ += fmt::format("{}DIFFERS  {}{}{}\n", kIndent, d.what, d.line == 0 ? " at the program's end" : "",
                         blamed > 0 && blamed != d.line ? fmt::format(", after line {}", blamed) : "");
    text_ += fmt::format("{}  {:<{}}  {}\n{}  {:<{}}  {}\n", kIndent, reference, width, d.expected, kIndent, held.name,
                         width, d.got);
    const std::string indent = fmt::format("{}    ", kIndent);
    for (const Rule* rule : departure.rules) {
      const Variant* variant = rule->variant(*profile_named(held.description.profile));
      text_ += wrapped(
          fmt::format("{}  by ", kIndent), indent,
          fmt::format("{}: {} But {}: {} [{}] Breaks: {}.", rule->id(), rule->text().sentence, held.description.profile,
                      variant->sentence, variant->source, variant->breaks.empty() ? "no invariant" : variant->breaks));
    }
    if (departure.by_profile)
      text_ += fmt::format("{}  the profile {} has this difference too: several of its variants make it together\n",
                           kIndent, held.description.profile);
    if (departure.waiver)
      text_ += wrapped(fmt::format("{}  waiver ", kIndent), indent,
                       fmt::format("{} ({}): {} {}", departure.waiver->id, fmt::join(departure.waiver->rules, " "),
                                   departure.waiver->reason, departure.waiver->link));
    if (!departure.explained())
      text_ += fmt::format("{}  not explained: no variant of the profile {} and no waiver covers it\n", kIndent,
                           held.description.profile);
  }

  void verdict(const Held& held) {
    text_ += fmt::format("  {}: {}{}{}", held.name, held.verdict, held.message.empty() ? "" : ": ", held.message);
    if (!held.departures.empty()) {
      const std::size_t left = held.unexplained();
      text_ += fmt::format(
          "; {} from the reference ({}), {}",
          held.departures.size() == 1 ? "1 difference" : fmt::format("{} differences", held.departures.size()),
          name_of(all_.explanation.profile), left == 0 ? "explained above" : fmt::format("{} not explained", left));
    }
    text_ += '\n';
  }

  const Explained& all_;
  const Show& show_;
  std::string text_;
  int line_ = 0;  ///< the last line that was printed
  const Rule* last_told_ = nullptr;
  std::map<std::size_t, int> told_;  ///< for each rule, the line at which its sentence was printed
};

}  // namespace

std::string text(const Explained& explained, const Show& show) { return Writer(explained, show).write(); }

}  // namespace plumbline::explain
