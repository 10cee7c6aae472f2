// Exhibits in words.
#include "oracle/explain/exhibit.h"

#include <fmt/format.h>

#include "oracle/explain/steps.h"
#include "spec/rules/catalogue.h"

namespace plumbline::explain {

std::vector<std::string> rules_at(const Script& script, Profile profile, const Difference& difference) {
  std::vector<std::string> ids;
  for (const Step& step : explain(script, profile).steps)
    for (const Ruling& ruling : step.rulings)
      if (step.statement == difference.blamed && ruling.weight == Weight::decided) ids.push_back(ruling.rule->id());
  return ids;
}

std::string found_text(const Difference& difference, const std::string& who, const std::vector<std::string>& rules) {
  std::string text = fmt::format("Plumbline found on {}: {}: expected {}, got {}.\n", who, difference.what,
                                 difference.expected, difference.got);
  for (const std::string& id : rules)
    if (const Rule* rule = find_rule(id)) text += fmt::format("Rule {}: {}\n", id, rule->text().sentence);
  return text;
}

std::string file_text(const Exhibit& exhibit, const std::string& name) {
  if (exhibit.file.empty()) return fmt::format("no file for plain Python: {}", exhibit.why);
  const std::string first = exhibit.output.substr(0, exhibit.output.find('\n'));
  if (exhibit.fails) return fmt::format("{} fails under plain Python: {}", name, first);
  return fmt::format(
      "{} does not fail under plain Python: eager PyTorch may break the rule in the same way, or the difference needs "
      "what only the adapter does",
      name);
}

std::string sections_text(const Exhibit& exhibit) {
  std::string text;
  for (const Section& section : exhibit.sections) text += fmt::format("{}:\n\n{}\n\n", section.title, section.text);
  return text;
}

}  // namespace plumbline::explain
