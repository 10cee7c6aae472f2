// Operators, experiments and observations as JSON: what the sweep and a caller exchange.
#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include "sweep/experiment.h"

namespace plumbline::sweep {

using nlohmann::json;

namespace {

constexpr std::array<std::string_view, std::size(kSettings)> kNames{
    "normal", "no_grad", "inference",      "inference_tensors", "escaped",
    "meta",   "fake",    "functionalized", "batched",           "backward"};

json json_of(const Parameter& p) {
  return {{"name", p.name},
          {"type", p.type},
          {"optional", p.optional},
          {"list", p.list},
          {"keyword_only", p.keyword_only},
          {"default", p.has_default},
          {"aliases", p.aliases},
          {"written", p.written}};
}

Parameter parameter_from(const json& j) {
  return {j.at("name"),         j.at("type"),    j.at("optional"), j.at("list"),
          j.at("keyword_only"), j.at("default"), j.at("aliases"),  j.at("written")};
}

/// A number; one that JSON does not have is a text: "nan", "inf", "-inf".
json json_of(double value) {
  if (std::isfinite(value)) return value;
  return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
}

double number_from(const json& j) {
  if (!j.is_string()) return j.get<double>();
  const auto text = j.get<std::string>();
  if (text != "nan" && text != "inf" && text != "-inf") throw std::runtime_error("'" + text + "' is no number");
  return std::stod(text);
}

json json_of(const Ingredient& t) {
  json values = json::array();
  for (const std::complex<double> value : t.values)
    values.push_back(is_complex(t.dtype) ? pair_of(value) : json_of(value.real()));
  return {{"dtype", t.dtype}, {"sizes", t.sizes}, {"strides", t.strides}, {"offset", t.offset}, {"values", values}};
}

Ingredient ingredient_from(const json& j) {
  Ingredient t{j.at("dtype"),
               j.at("sizes").get<std::vector<std::int64_t>>(),
               j.at("strides").get<std::vector<std::int64_t>>(),
               j.at("offset"),
               {}};
  for (const json& one : j.at("values")) {
    if (one.is_array() && !is_complex(t.dtype)) throw std::runtime_error("an element of " + t.dtype + " is a pair");
    t.values.push_back(complex_from(one));
  }
  return t;
}

json json_of(const Facts& f) {
  if (!f.defined) return nullptr;
  return {{"dtype", f.dtype},         {"device", f.device},
          {"sizes", f.sizes},         {"strides", f.strides},
          {"offset", f.offset},       {"bytes", f.bytes},
          {"storage", f.storage},     {"version", f.version},
          {"inference", f.inference}, {"requires_grad", f.requires_grad},
          {"grad_fn", f.has_grad_fn}, {"is_view", f.is_view},
          {"base", f.base},           {"keys", f.keys}};
}

Facts facts_from(const json& j) {
  Facts f;
  if (j.is_null()) return f;
  f.defined = true;
  f.dtype = j.at("dtype");
  f.device = j.at("device");
  f.sizes = j.at("sizes").get<std::vector<std::int64_t>>();
  f.strides = j.at("strides").get<std::vector<std::int64_t>>();
  f.offset = j.at("offset");
  f.bytes = j.at("bytes");
  f.storage = j.at("storage");
  f.version = j.at("version");
  f.inference = j.at("inference");
  f.requires_grad = j.at("requires_grad");
  f.has_grad_fn = j.at("grad_fn");
  f.is_view = j.at("is_view");
  f.base = j.at("base");
  f.keys = j.at("keys").get<std::vector<std::string>>();
  return f;
}

template <class T, class F>
std::vector<T> all_from(const json& list, F read) {
  std::vector<T> all;
  for (const json& one : list) all.push_back(read(one));
  return all;
}

template <class T>
json list_of(const std::vector<T>& all) {
  json list = json::array();
  for (const T& one : all) list.push_back(json_of(one));
  return list;
}

}  // namespace

std::string_view name_of(Setting setting) { return kNames.at(static_cast<std::size_t>(setting)); }

Setting setting_named(std::string_view name) {
  const auto found = std::ranges::find(kNames, name);
  if (found == kNames.end()) throw std::runtime_error("unknown setting '" + std::string(name) + "'");
  return static_cast<Setting>(found - kNames.begin());
}

json pair_of(std::complex<double> number) { return json::array({json_of(number.real()), json_of(number.imag())}); }

std::complex<double> complex_from(const json& j) {
  if (!j.is_array()) return number_from(j);
  if (j.size() != 2) throw std::runtime_error("a complex number is a pair, its real and its imaginary part");
  return {number_from(j[0]), number_from(j[1])};
}

json to_json(const Operator& op) {
  return {{"name", op.name},
          {"overload", op.overload},
          {"schema", op.schema},
          {"arguments", list_of(op.arguments)},
          {"results", list_of(op.results)},
          {"kernels", op.kernels},
          {"tags", op.tags}};
}

Operator operator_from(const json& j) {
  return {j.at("name"),
          j.at("overload"),
          j.at("schema"),
          all_from<Parameter>(j.at("arguments"), parameter_from),
          all_from<Parameter>(j.at("results"), parameter_from),
          j.at("kernels").get<std::vector<std::string>>(),
          j.at("tags").get<std::vector<std::string>>()};
}

json to_json(const Experiment& e) {
  json j{{"op", e.op},     {"tensors", list_of(e.tensors)}, {"arguments", e.arguments}, {"setting", name_of(e.setting)},
         {"seed", e.seed}, {"disturbed", e.disturbed}};
  if (e.leaves) j["leaves"] = *e.leaves;
  if (e.gradients) {
    j["gradients"] = json::array();
    for (const auto& one : *e.gradients) j["gradients"].push_back(one ? json_of(*one) : json());
  }
  if (e.twice) j["twice"] = true;
  if (e.bare) j["bare"] = true;
  return j;
}

Experiment experiment_from(const json& j) {
  Experiment e;
  e.op = j.at("op");
  e.tensors = all_from<Ingredient>(j.at("tensors"), ingredient_from);
  e.arguments = j.at("arguments");
  e.seed = j.at("seed");
  e.disturbed = j.value("disturbed", std::int64_t{-1});
  e.setting = setting_named(j.at("setting").get<std::string>());
  if (j.contains("leaves")) e.leaves = j["leaves"].get<std::vector<std::int64_t>>();
  if (j.contains("gradients"))
    e.gradients = all_from<std::optional<Ingredient>>(j["gradients"], [](const json& one) {
      return one.is_null() ? std::nullopt : std::optional(ingredient_from(one));
    });
  e.twice = j.value("twice", false);
  e.bare = j.value("bare", false);
  return e;
}

json to_json(const Observation& o) {
  json results = json::array();
  for (const Result& r : o.results)
    results.push_back({{"is", r.is}, {"value", r.value}, {"facts", json_of(r.facts)}, {"place", r.place}});
  return {{"error", o.error},          {"error_type", o.error_type}, {"before", list_of(o.before)},
          {"after", list_of(o.after)}, {"results", results},         {"gradients", list_of(o.gradients)},
          {"given", list_of(o.given)}};
}

Observation observation_from(const json& j) {
  Observation o;
  o.error = j.at("error");
  o.error_type = j.at("error_type");
  o.before = all_from<Facts>(j.at("before"), facts_from);
  o.after = all_from<Facts>(j.at("after"), facts_from);
  for (const json& r : j.at("results"))
    o.results.push_back({r.at("is"), r.at("value"), facts_from(r.at("facts")), r.at("place")});
  if (j.contains("gradients")) o.gradients = all_from<Facts>(j.at("gradients"), facts_from);
  if (j.contains("given")) o.given = all_from<Facts>(j.at("given"), facts_from);
  return o;
}

}  // namespace plumbline::sweep
