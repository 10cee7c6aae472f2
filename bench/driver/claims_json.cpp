// The claims as JSON.
#include <nlohmann/json.hpp>

#include "bench/driver/claims_report.h"

namespace plumbline::bench {

namespace {

using Json = nlohmann::ordered_json;

std::string_view name_of(Relation relation) {
  return relation == Relation::at_most ? "at most" : relation == Relation::at_least ? "at least" : "about";
}

Json side_of(const ClaimsReport& report, const MeasuredPair& pair, const std::string& side) {
  const auto times = pair.sides.find(side);
  if (times == pair.sides.end()) return nullptr;
  if (!times->second.error.empty()) return {{"error", times->second.error}};
  const PairVerdict verdict = report.verdict(pair, side);
  if (verdict.holds == Holds::not_there) return nullptr;
  return {{"left_ns", verdict.left_ns},
          {"right_ns", verdict.right_ns},
          {"ratio", verdict.ratio},
          {"interval", {verdict.interval.low, verdict.interval.high}},
          {"verdict", plumbline::bench::name_of(verdict.holds)},
          {"left", times->second.left},
          {"right", times->second.right}};
}

Json pair_of(const ClaimsReport& report, const MeasuredPair& pair) {
  Json json{{"left", pair.pair.left},
            {"right", pair.pair.right},
            {"right_is_floor", pair.pair.against_floor},
            {"relation", name_of(pair.pair.relation)},
            {"limit", pair.pair.limit},
            {"sides", Json::object()}};
  for (const std::string& side : report.sides) json["sides"][side] = side_of(report, pair, side);
  return json;
}

Json pairs_of(const ClaimsReport& report, const std::vector<MeasuredPair>& pairs) {
  Json json = Json::array();
  for (const MeasuredPair& pair : pairs) json.push_back(pair_of(report, pair));
  return json;
}

Json claim_of(const ClaimsReport& report, const MeasuredClaim& measured) {
  Json json{{"name", measured.claim->name},
            {"sentences", measured.claim->sentences},
            {"says", measured.claim->says},
            {"verdicts", Json::object()},
            {"pairs", pairs_of(report, measured.pairs)}};
  for (const std::string& side : report.sides)
    json["verdicts"][side] = plumbline::bench::name_of(report.verdict(measured, side));
  return json;
}

}  // namespace

std::string claims_json(const ClaimsReport& report) {
  Json sides = Json::array();
  for (const std::string& side : report.sides) sides.push_back({{"name", side}, {"margin", report.margin(side)}});
  Json claims = Json::array();
  for (const MeasuredClaim& measured : report.claims) claims.push_back(claim_of(report, measured));
  const Json json{{"plumbline_bench", 1},
                  {"kind", "claims"},
                  {"cpu", report.cpu},
                  {"cpus", report.cpus},
                  {"rounds", report.rounds},
                  {"sides", sides},
                  {"controls", pairs_of(report, report.controls)},
                  {"claims", claims},
                  {"notes", report.notes},
                  {"interrupted", report.interrupted},
                  {"seconds", report.seconds}};
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace plumbline::bench
