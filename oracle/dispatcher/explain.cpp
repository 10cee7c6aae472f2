// Explaining programs about the dispatcher: each rule is misread in turn.
#include "oracle/dispatcher/explain.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "adapters/protocol/dispatch.h"
#include "oracle/dispatcher/compare.h"
#include "reference/raise.h"
#include "spec/rules/catalogue.h"
#include "support/screen.h"

namespace plumbline::dispatcher {

namespace {

constexpr std::string_view kIndent = "        ";
constexpr std::size_t kWidth = 110;

Misread misread(const DispatchScript& script, Profile profile, const Rule* rule) {
  Misread result;
  result.rule = rule;
  try {
    result.trace = reference::run({profile, rule}, script, result.limited);
  } catch (const reference::ReferenceLimit& limit) {
    result.limit = limit.what();
  }
  return result;
}

std::string indented(const std::string& first, std::string_view words) {
  const std::string text = fmt::format("{}{:<9}{}", kIndent, first, words);
  return wrapped_text(text, kWidth, kIndent.size() + 9) + "\n";
}

/// What a statement shows: kernels, a reading, an error; empty: nothing.
std::string shown(const DispatchOutcome& outcome) {
  std::string text = outcome.log.empty() ? "" : "kernels " + log_text(outcome.log);
  if (outcome.reading) text = *outcome.reading ? "True" : "False";
  if (outcome.error == DispatchError::none) return text;
  text += fmt::format("{}raises {}", text.empty() ? "" : ", then ", name_of(outcome.error));
  return outcome.message.empty() ? text : fmt::format("{} ({})", text, outcome.message);
}

std::vector<std::string> ids(const std::vector<const Rule*>& rules) {
  std::vector<std::string> all;
  for (const Rule* rule : rules) all.push_back(rule->id());
  return all;
}

std::string held_text(const HeldProgram& held) {
  std::string text =
      fmt::format("  {} on {}{}{}\n", held.verdict, held.on, held.message.empty() ? "" : ": ", held.message);
  for (const Rule* rule : held.as_if)
    text += indented(rule->id(), fmt::format("misread, it gives what {} does: {}", held.on, rule->text().misreading));
  return text;
}

}  // namespace

ExplainedProgram explain(const DispatchScript& script, Profile profile) {
  ExplainedProgram all;
  all.profile = profile;
  all.decisions.resize(script.statements.size());
  try {
    all.trace = reference::run({profile}, script);
  } catch (const reference::ReferenceLimit& limit) {
    all.limit = limit.what();
    return all;
  }
  for (const Rule* rule : kAllRules) {
    const Misread& other = all.misread.emplace_back(misread(script, profile, rule));
    if (!other.limit.empty()) {
      all.decisions[other.limited].push_back({rule, "the reference cannot execute " + other.limit});
    } else if (const auto differs = compare(script, all.trace, other.trace)) {
      const std::string otherwise = shown(other.trace[differs->statement]);
      all.decisions[differs->statement].push_back({rule, otherwise.empty() ? "no kernel, no error" : otherwise});
    }
  }
  return all;
}

std::vector<const Rule*> misreadings_of(const ExplainedProgram& explained, const DispatchScript& script,
                                        const DispatchTrace& trace) {
  std::vector<const Rule*> rules;
  if (!explained.limit.empty() || !compare(script, explained.trace, trace)) return rules;
  for (const Misread& other : explained.misread)
    if (other.limit.empty() && !compare(script, other.trace, trace)) rules.push_back(other.rule);
  return rules;
}

std::string text(const ExplainedProgram& explained, const std::string& file, const DispatchTest& test,
                 const std::vector<std::string>& source, int line) {
  std::string text =
      fmt::format("{}:{} {}, on the reference ({})\n", file, test.line, test.name, name_of(explained.profile));
  const DispatchScript& script = test.script;
  for (std::size_t i = 0; i < explained.trace.size(); ++i) {
    const int at = i < script.lines.size() ? script.lines[i] : 0;
    if (line != 0 && at != line) continue;
    const auto index = static_cast<std::size_t>(at) - 1;
    text += std::holds_alternative<LeaveGuard>(script.statements[i])
                ? fmt::format("{:>6}  (end of this block)\n", at)
                : fmt::format("{:>6}  {}\n", at, at > 0 && index < source.size() ? source[index] : "");
    if (const std::string outcome = shown(explained.trace[i]); !outcome.empty()) text += indented("shows", outcome);
    for (const Decision& decision : explained.decisions[i]) {
      text += indented(decision.rule->id(), decision.rule->text().sentence);
      text += indented("", "misread: " + decision.otherwise);
    }
  }
  if (!explained.limit.empty())
    text += fmt::format("  the reference cannot execute {}, so there is no explanation\n", explained.limit);
  for (const HeldProgram& held : explained.held) text += held_text(held);
  return text;
}

nlohmann::ordered_json json(const ExplainedProgram& explained, const std::string& file, const DispatchTest& test) {
  using Json = nlohmann::ordered_json;
  Json statements = Json::array();
  for (std::size_t i = 0; i < explained.trace.size(); ++i) {
    Json decided = Json::array();
    for (const Decision& decision : explained.decisions[i])
      decided.push_back({{"rule", decision.rule->id()},
                         {"sentence", decision.rule->text().sentence},
                         {"misread", decision.otherwise}});
    statements.push_back({{"line", i < test.script.lines.size() ? test.script.lines[i] : 0},
                          {"kind", kind_of(test.script.statements[i])},
                          {"outcome", shown(explained.trace[i])},
                          {"decided", decided}});
  }
  Json held = Json::array();
  for (const HeldProgram& one : explained.held)
    held.push_back(
        {{"on", one.on}, {"verdict", one.verdict}, {"message", one.message}, {"as_if_misread", ids(one.as_if)}});
  return {{"file", file},       {"test", test.name},        {"line", test.line},
          {"dispatcher", true}, {"limit", explained.limit}, {"statements", statements},
          {"held", held}};
}

}  // namespace plumbline::dispatcher
