// An explanation as JSON, with everything that the text leaves out.
#include <nlohmann/json.hpp>

#include "adapters/protocol/names.h"
#include "oracle/explain/show.h"
#include "oracle/reading_text.h"

namespace plumbline::explain {

namespace {

using Json = nlohmann::ordered_json;

Json rule_json(const Ruling& ruling, Profile profile) {
  const Rule& rule = *ruling.rule;
  Json json{{"rule", rule.id()},
            {"weight", kWeightNames[static_cast<std::size_t>(ruling.weight)]},
            {"sentence", rule.text().sentence},
            {"source", rule.text().source}};
  if (const Variant* variant = rule.variant(profile)) json["variant"] = variant->sentence;
  return json;
}

Json step_json(const Step& step, const Explained& all) {
  const auto index = static_cast<std::size_t>(step.line) - 1;
  Json json{{"line", step.line},
            {"source", step.line > 0 && index < all.source.size() ? all.source[index] : ""},
            {"statement", statement_name(all.script.statements[step.statement])}};
  const Outcome& outcome = step.outcome;
  json["error"] = outcome.failure.error == ErrorClass::none ? "" : std::string(name_of(outcome.failure.error));
  json["message"] = outcome.failure.message;
  const bool answers = !answer_name(all.script.statements[step.statement].kind).empty();
  if (!std::holds_alternative<std::monostate>(outcome.reading))
    json["reading"] = answers ? answer_text(outcome.reading) : reading_text(outcome.reading);
  for (std::size_t i = 0; i < step.behind.size(); ++i)
    json["thread"][std::string(kThreadFieldNames[i])] = reading_text(step.behind[i]);
  json["calls"] = Json::array();
  for (const CallKeys& call : step.calls)
    json["calls"].push_back({{"arguments", names_of_keys(call.arguments)},
                             {"included", names_of_keys(call.included)},
                             {"excluded", names_of_keys(call.excluded)},
                             {"effective", names_of_keys(call.effective)}});
  json["kernels"] = Json::array();
  for (const KernelRun& run : outcome.kernels)
    json["kernels"].push_back({{"kernel", kernel_name(run.kernel)}, {"fallthrough", run.fallthrough}});
  json["rules"] = Json::array();
  for (const Ruling& ruling : step.rulings) json["rules"].push_back(rule_json(ruling, all.explanation.profile));
  return json;
}

Json held_json(const Held& held) {
  Json json{{"name", held.name},
            {"profile", held.description.profile},
            {"verdict", held.verdict},
            {"message", held.message},
            {"differences", Json::array()}};
  for (const Departure& departure : held.departures) {
    const Difference& d = departure.difference;
    Json one{{"line", d.line},
             {"what", d.what},
             {"expected", d.expected},
             {"got", d.got},
             {"signature", d.signature},
             {"rules", Json::array()},
             {"by_profile", departure.by_profile},
             {"waiver", departure.waiver ? departure.waiver->id : ""}};
    for (const Rule* rule : departure.rules) one["rules"].push_back(rule->id());
    json["differences"].push_back(std::move(one));
  }
  return json;
}

}  // namespace

Json json(const Explained& explained, const Show& show) {
  Json json{
      {"file", explained.file}, {"test", explained.test}, {"line", explained.line}, {"statements", Json::array()}};
  for (const Step& step : explained.explanation.steps)
    if (show.line == 0 || step.line == show.line) json["statements"].push_back(step_json(step, explained));
  json["limit"] = explained.explanation.limit;
  json["expectations"] = {{"verdict", name_of(explained.expectations.verdict)},
                          {"message", explained.expectations.message}};
  json["implementations"] = Json::array();
  for (const Held& held : explained.held) json["implementations"].push_back(held_json(held));
  return json;
}

}  // namespace plumbline::explain
