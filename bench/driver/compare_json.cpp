// A comparison as JSON.
#include <nlohmann/json.hpp>

#include "bench/driver/compare.h"

namespace plumbline::bench {

namespace {

std::string_view name_of(Change change) {
  return change == Change::slower ? "slower" : change == Change::faster ? "faster" : "none";
}

Json sampled(const Sampled& one) {
  Json json{{"ns", one.ns}};
  json["median_ns"] = one.ns.empty() ? Json() : Json(median(one.ns));
  json["instructions"] = one.instructions ? Json(*one.instructions) : Json();
  return json;
}

}  // namespace

std::string comparison_json(const Comparison& comparison) {
  Json cases = Json::array();
  for (const Compared& one : comparison.cases)
    cases.push_back({{"id", one.id},
                     {"regressed", comparison.regressed(one)},
                     {"time", name_of(one.time)},
                     {"instructions", name_of(one.instructions)},
                     {"ratio", one.ratio},
                     {"interval", {one.interval.low, one.interval.high}},
                     {"p", one.p},
                     {"base", sampled(one.base)},
                     {"new", sampled(one.fresh)},
                     {"error", one.error.empty() ? Json() : Json(one.error)}});
  const Json json{{"plumbline_bench", 1},
                  {"kind", "comparison"},
                  {"base", comparison.base},
                  {"new", comparison.fresh},
                  {"cpu", comparison.cpu},
                  {"gate", comparison.judgement.gate},
                  {"time_gate", comparison.judgement.time_gate},
                  {"side_by_side", comparison.judgement.paired},
                  {"regressions", comparison.regressions()},
                  {"only_base", comparison.only_base},
                  {"only_new", comparison.only_fresh},
                  {"notes", comparison.notes},
                  {"interrupted", comparison.interrupted},
                  {"seconds", comparison.seconds},
                  {"cases", cases}};
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace plumbline::bench
