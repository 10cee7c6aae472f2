// Reading survivors.json and finding the reason for a place.
#include "mutation/rules/survivors.h"

#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace plumbline::mutants {

namespace {

std::string text_of(const nlohmann::json& entry, const char* name, const std::string& where) {
  const auto found = entry.find(name);
  if (found == entry.end() || !found->is_string() || found->get<std::string>().empty())
    throw std::runtime_error(fmt::format("{}: it must have a string '{}'", where, name));
  return *found;
}

Survivor survivor_of(const nlohmann::json& entry, const std::string& where) {
  if (!entry.is_object()) throw std::runtime_error(fmt::format("{}: it must be an object", where));
  for (const auto& [name, value] : entry.items())
    if (name != "file" && name != "function" && name != "line" && name != "change" && name != "nth" &&
        name != "reason" && name != "by")
      throw std::runtime_error(
          fmt::format("{}: unknown member '{}'; an entry has file, function, line, change, reason, by "
                      "(the obligation or the program that supports it) and, if several places match, nth",
                      where, name));
  Survivor one{text_of(entry, "file", where),
               text_of(entry, "function", where),
               text_of(entry, "line", where),
               text_of(entry, "change", where),
               0,
               text_of(entry, "reason", where),
               text_of(entry, "by", where)};
  if (const auto nth = entry.find("nth"); nth != entry.end()) {
    if (!nth->is_number_integer() || nth->get<int>() < 1)
      throw std::runtime_error(fmt::format("{}: 'nth' must be an integer of at least 1", where));
    one.nth = *nth;
  }
  return one;
}

}  // namespace

Survivors Survivors::load(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error(fmt::format("cannot read {}, the list of survivors with reasons", path));
  nlohmann::json json;
  try {
    json = nlohmann::json::parse(file);
  } catch (const nlohmann::json::exception& error) {
    throw std::runtime_error(fmt::format("{}: {}", path, error.what()));
  }
  if (!json.is_array()) throw std::runtime_error(fmt::format("{}: it must be a list of entries", path));
  Survivors all;
  for (std::size_t i = 0; i < json.size(); ++i)
    all.entries_.push_back(survivor_of(json[i], fmt::format("{}, entry {}", path, i + 1)));
  return all;
}

bool Survivors::fits(const Survivor& entry, const Place& place, std::string_view change) {
  return entry.file == place.site.file && entry.function == place.function && entry.line == place.text &&
         entry.change == change && (entry.nth == 0 || entry.nth == place.nth);
}

const Survivor* Survivors::explain(const Place& place, std::string_view change) {
  for (Survivor& entry : entries_) {
    if (!fits(entry, place, change)) continue;
    ++entry.used;
    return &entry;
  }
  return nullptr;
}

const Survivor* Survivors::explain_call(const WrittenCall& call) {
  for (Survivor& entry : entries_) {
    if (entry.file != call.file || entry.line != call.text || entry.change != kNeverAsked) continue;
    ++entry.used;
    return &entry;
  }
  return nullptr;
}

}  // namespace plumbline::mutants
