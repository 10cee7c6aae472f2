// A report as JSON.
#include "oracle/report/json.h"

#include <nlohmann/json.hpp>

#include "adapters/protocol/names.h"
#include "oracle/report/table.h"

namespace plumbline {

namespace {

using Json = nlohmann::ordered_json;

Json json_of(const Implementation& implementation) {
  const Description& d = implementation.description;
  Json fields = Json::object();
  for (std::size_t i = 0; i < kFields; ++i) fields[std::string(kFieldNames[i])] = name_of(d.fields[i]);
  for (std::size_t i = 0; i < kThreadFields; ++i)
    fields["thread." + std::string(kThreadFieldNames[i])] = name_of(d.thread[i]);
  Json json{{"on", implementation.name}, {"name", d.name},       {"version", d.version},
            {"profile", d.profile},      {"strictness", fields}, {"errors", name_of(d.errors)},
            {"ulps", d.closeness.ulps}};
  if (!d.reasons.empty()) json["reasons"] = d.reasons;
  if (!implementation.counts.empty()) json["counts"] = implementation.counts;
  return json;
}

Json json_of(const Problem& p) {
  return {{"file", p.file}, {"line", p.line}, {"column", p.column}, {"problem", p.problem}, {"advice", p.advice}};
}

Json json_of(const Finding& finding) {
  const Difference& d = finding.difference;
  Json json{{"line", d.line},          {"statement", d.statement}, {"against", finding.against},
            {"what", d.what},          {"expected", d.expected},   {"got", d.got},
            {"signature", d.signature}};
  if (d.field) json["field"] = name_of(*d.field);
  if (d.thread) json["thread_field"] = name_of(*d.thread);
  if (finding.waiver)
    json["waiver"] = {{"id", finding.waiver->id}, {"reason", finding.waiver->reason}, {"link", finding.waiver->link}};
  return json;
}

Json json_of(const RunReport& report, const TestResult& result) {
  Json json{{"file", result.file},
            {"test", result.test},
            {"line", result.line},
            {"rules", result.rules},
            {"on", report.implementations[result.implementation].name}};
  if (!result.ran) {
    json["verdict"] = "not run";
    return json;
  }
  json["verdict"] = result.verdict_name();
  if (result.verdict != Verdict::pass) json["message"] = result.message;
  json["statements"] = result.statements;
  json["unspecified"] = result.unspecified;
  json["findings"] = Json::array();
  for (const Finding& finding : result.findings) json["findings"].push_back(json_of(finding));
  return json;
}

Json json_of(const Tally& t) {
  return {{"passed", t.passed},
          {"total", t.total()},
          {"unsupported", t.unsupported},
          {"unspecified", t.unspecified},
          {"unknown", t.unknown},
          {"divergent", t.divergent},
          {"waived", t.waived},
          {"harness_errors", t.harness_errors},
          {"line", t.line()}};
}

Json table_json(const RunReport& report) {
  Json table = Json::array();
  for (const Row& row : rule_table(report)) {
    Json cells = Json::object();
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
      const Cell& c = row.cells[i];
      cells[report.implementations[i].name] = {{"passed", c.passed},
                                               {"unspecified", c.unspecified},
                                               {"waived", c.waived},
                                               {"divergent", c.divergent},
                                               {"other", c.other}};
    }
    table.push_back({{"rule", row.rule}, {"programs", row.programs}, {"on", cells}});
  }
  return table;
}

}  // namespace

std::string report_json(const RunReport& report) {
  Json json{{"plumbline", PLUMBLINE_VERSION},
            {"command", report.command},
            {"profile", report.profile},
            {"flip", report.flip}};
  for (const char* list : {"implementations", "problems", "results"}) json[list] = Json::array();
  for (const Implementation& i : report.implementations) json["implementations"].push_back(json_of(i));
  for (const Problem& p : report.problems) json["problems"].push_back(json_of(p));
  for (const TestResult& r : report.results) json["results"].push_back(json_of(report, r));
  if (report.command == "check") json["rules"] = table_json(report);
  json["stale_waivers"] = report.stale;
  for (const Appendix& one : report.appendices)
    json["variants"].push_back({{"title", one.title}, {"text", one.text}, {"exit_code", one.exit_code}});
  json["interrupted"] = report.interrupted;
  json["not_run"] = report.not_run().size();
  json["tally"] = json_of(report.tally());
  json["exit_code"] = report.exit_code();
  json["timing"] = {{"seconds", report.seconds}, {"jobs", report.jobs}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace plumbline
