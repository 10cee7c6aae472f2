// The table as JSON.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "bench/driver/growth.h"
#include "bench/driver/statistics.h"
#include "bench/driver/table.h"

namespace plumbline::bench {

namespace {

using Json = nlohmann::ordered_json;

Json summary(const std::vector<double>& ns) {
  if (ns.empty()) return nullptr;
  return {{"median_ns", median(ns)}, {"minimum_ns", *std::ranges::min_element(ns)}, {"ns", ns}};
}

Json runs_of(const std::map<std::string, Beside>& runs) {
  Json json = Json::object();
  for (const auto& [version, run] : runs)
    json[version.empty() ? "alone" : version] = {{"ours", summary(run.ours)},
                                                 {"libtorch", summary(run.libtorch)},
                                                 {"floor", summary(run.floor)},
                                                 {"eager", summary(run.eager)},
                                                 {"libtorch_eager", summary(run.libtorch_eager)}};
  return json;
}

Json counts_of(const std::map<std::string, Counts>& counted) {
  Json json = Json::object();
  for (const auto& [version, counts] : counted) {
    Json& one = json[version.empty() ? "alone" : version] = Json::object();
    if (counts.mallocs) one["mallocs"] = *counts.mallocs;
    if (counts.kept) one["kept_bytes"] = *counts.kept;
    if (counts.peak) one["peak_bytes"] = *counts.peak;
    if (counts.instructions) one["instructions"] = *counts.instructions;
  }
  return json;
}

Json ratio_of(const std::optional<Row::Ratio>& ratio) {
  if (!ratio) return nullptr;
  return {{"value", ratio->value}, {"against", ratio->version}};
}

Json row_of(const TableReport& report, const Row& row) {
  Json json{{"id", id_of(row.what)}, {"mode", name_of(row.what.mode)}, {"size", row.what.size}};
  if (row.target != nullptr) {
    json["title"] = row.target->title;
    json["target"] = {{"ratio", row.target->ratio},
                      {"tuned_ratio", row.target->tuned_ratio},
                      {"as", row.target->as},
                      {"stated_floor_ns", row.target->floor_ns},
                      {"biased_ratio", row.target->protocol_ratio},
                      {"stated_biased_floor_ns", row.target->protocol_floor}};
    const auto met = report.met(row);
    json["met"] = met ? Json(*met) : Json();
  }
  json["ratio"] = ratio_of(row.ratio());
  json["tuned_ratio"] = row.tuned.empty() ? Json() : ratio_of(row.tuned_ratio());
  const auto floor = row.floor_ns();
  json["floor_ns"] = floor ? Json(*floor) : Json();
  json["stock"] = runs_of(row.stock);
  json["tuned"] = runs_of(row.tuned);
  json["counts"] = {{"ours", counts_of(row.ours)},
                    {"libtorch", counts_of(row.libtorch)},
                    {"eager", counts_of(row.eager)},
                    {"libtorch_eager", counts_of(row.libtorch_eager)}};
  json["error"] = row.error.empty() ? Json() : Json(row.error);
  return json;
}

Json growth_json(const Growth& growth) {
  Json curves = Json::array();
  for (const Curve& curve : growth.curves)
    curves.push_back({{"side", curve.side}, {"ns", curve.ns}, {"exponent", curve.exponent}});
  return {{"title", growth.title},          {"thing", growth.thing}, {"sizes", growth.sizes},
          {"asked_exponent", growth.asked}, {"kept", growth.kept()}, {"curves", curves}};
}

}  // namespace

std::string table_json(const TableReport& report) {
  Json rows = Json::array();
  for (const Row& row : report.rows) rows.push_back(row_of(report, row));
  Json growing = Json::array();
  for (const Growth& growth : growths(report)) growing.push_back(growth_json(growth));
  const Json json{{"plumbline_bench", 1},
                  {"kind", "table"},
                  {"cpu", report.cpu},
                  {"cpus", report.cpus},
                  {"libtorch", report.versions},
                  {"tuning", report.tuning},
                  {"instructions", report.instructions ? "callgrind, AVX2 path" : ""},
                  {"interrupted", report.interrupted},
                  {"seconds", report.seconds},
                  {"notes", report.notes},
                  {"rows", rows},
                  {"growth", growing}};
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace plumbline::bench
