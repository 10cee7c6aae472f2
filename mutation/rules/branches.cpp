// Finding out whether both sides of a select can be taken under the premises of some obligation.
#include "mutation/rules/branches.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace plumbline::mutants {

namespace {

constexpr int kLimit_s = 120;

/// Whether the condition can have this value if the premises hold.
bool can_be(const proofs::Question& question, proofs::Term condition, bool value) {
  if (proofs::node(condition).bound) return false;
  const proofs::Term wanted = value ? condition : proofs::negate(condition);
  if (wanted == proofs::truth(false)) return false;
  return proofs::solve(question.premises, {&wanted, 1}).kind == proofs::Answer::Kind::satisfiable;
}

}  // namespace

Branches branches_of(const Suite& suite, const Place& place, const Announce& announce) {
  Branches found;
  std::vector<std::size_t> order = place.obligations;
  std::ranges::sort(order, {}, [&](std::size_t i) { return std::pair(suite.baselines[i].cost, i); });
  for (const std::size_t i : order) {
    if (!place.conditions.contains(i)) continue;
    announce(suite.obligations[i].name, kLimit_s);
    for (const std::uint32_t index : place.conditions.at(i))
      for (std::size_t side = 0; side < 2; ++side)
        if (found.obligation[side].empty() && can_be(suite.baselines[i].question, proofs::Term{index}, side == 1))
          found.obligation[side] = suite.obligations[i].name;
    if (!found.obligation[0].empty() && !found.obligation[1].empty()) break;
  }
  for (std::size_t side = 0; side < 2; ++side)
    if (!place.seen[side].empty()) found.program[side] = suite.programs[place.seen[side].front()].name;
  return found;
}

std::string to_json(const Branches& branches) {
  return nlohmann::json{{"obligation", branches.obligation}, {"program", branches.program}}.dump();
}
Branches branches_from_json(const std::string& text) {
  const auto json = nlohmann::json::parse(text);
  return {json.at("obligation"), json.at("program"), true};
}

std::vector<WrittenCall> calls_never_met(const Suite& suite, const std::string& source) {
  std::vector<WrittenCall> never;
  for (const WrittenCall& call : written_calls(source)) {
    const bool met = std::ranges::any_of(suite.places, [&](const Place& place) {
      return place.site.token == Token::misread && place.site.file == call.file && place.site.line == call.line &&
             place.site.column == call.column;
    });
    if (!met) never.push_back(call);
  }
  return never;
}

}  // namespace plumbline::mutants
