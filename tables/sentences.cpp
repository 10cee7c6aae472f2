// Reading the inventory of sentences.
#include "tables/sentences.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <regex>
#include <string_view>
#include <utility>

#include "support/json_entry.h"

namespace plumbline::tables {

namespace {

using nlohmann::json;

constexpr std::array<std::string_view, 7> kMembers{"id", "lines", "says", "reason", "rules", "as", "otherwise"};
constexpr std::array<std::string_view, 3> kOtherwise{"program", "variant", "edit"};

using Entry = JsonEntry<SentencesError>;

/// A string that fits `form`; `advice` describes the form.
std::string text(const Entry& entry, std::string_view name, const std::regex& form, const std::string& advice) {
  const json& value = entry.member(name, advice);
  if (!value.is_string() || !std::regex_match(value.get_ref<const std::string&>(), form))
    entry.refuse_value(name, value, advice);
  return value.get<std::string>();
}

/// A list of strings that fit `form`; empty if the member is left out.
std::vector<std::string> texts(const Entry& entry, std::string_view name, const std::regex& form,
                               const std::string& advice) {
  if (!entry.has(name)) return {};
  const json& value = entry.member(name, advice);
  if (!value.is_array() || value.empty()) entry.refuse_value(name, value, advice);
  for (const json& item : value)
    if (!item.is_string() || !std::regex_match(item.get_ref<const std::string&>(), form))
      entry.refuse_value(name, value, advice);
  return value.get<std::vector<std::string>>();
}

Otherwise read_otherwise(const std::string& place, const json& object) {
  static const std::regex program("[a-z_0-9/]+\\.py::test_[A-Za-z_0-9]+");
  static const std::regex any("[^\n]*");
  const Entry entry(place, object, kOtherwise, R"({"program": …, "variant": ["draft-1", "INF-16"]})");
  Otherwise otherwise{text(entry, "program", program, "it must be like test_views.py::test_a"), "", "", "", ""};
  if (entry.has("variant") == entry.has("edit"))
    entry.refuse("needs one of 'variant' and 'edit'", "say which of the two turns the program red");
  const std::string_view name = entry.has("variant") ? "variant" : "edit";
  const std::string advice =
      entry.has("variant") ? "it must be a profile and a rule" : "it must be the text to replace, and its replacement";
  const std::vector<std::string> two = texts(entry, name, any, advice);
  if (two.size() != 2 || two[0].empty()) entry.refuse_value(name, object[std::string(name)], advice);
  (name == "variant" ? otherwise.profile : otherwise.from) = two[0];
  (name == "variant" ? otherwise.rule : otherwise.to) = two[1];
  return otherwise;
}

Sentence read(const Entry& entry) {
  static const std::regex id("[FDABP]-[0-9]{2,3}");
  static const std::regex rule("[A-Z]{3,4}-[0-9]{2,3}");  // not the laws (OP): no program shows them
  static const std::regex lines("[0-9]+(-[0-9]+)?(, [0-9]+(-[0-9]+)?)*");
  static const std::regex words("[^|\n]*[^|\n ][^|\n]*");  // they become a cell of a table
  const std::string advice = "it must be one line of text without |";
  Sentence sentence{text(entry, "id", id, "it must be like F-07: the letter of a text (F, D, A, B, P) and a number"),
                    text(entry, "lines", lines, "it must be like \"70\" or \"94-95, 101-104\""),
                    text(entry, "says", words, advice), ""};
  if (entry.has("reason")) sentence.reason = text(entry, "reason", words, advice);
  sentence.rules = texts(entry, "rules", rule, "it must be a list of rules like INF-03");
  sentence.as = texts(entry, "as", id, "it must be a list of sentences like F-07");
  if (!entry.has("otherwise")) return sentence;
  const json& others = entry.member("otherwise", "");
  if (!others.is_array() || others.empty()) entry.refuse_value("otherwise", others, "it must be a list of objects");
  for (const json& other : others)
    sentence.otherwise.push_back(read_otherwise(fmt::format("{}: otherwise", sentence.id), other));
  return sentence;
}

/// By text, then by number.
std::pair<std::ptrdiff_t, int> place(const std::string& id) {
  return {std::ranges::find(kTexts, id.front(), &Text::letter) - kTexts.begin(), std::stoi(id.substr(2))};
}

}  // namespace

std::vector<Sentence> load_sentences(const std::string& path) {
  std::vector<Sentence> sentences;
  const json list = load_json_list<SentencesError>(path, "sentences", "put it beside the curated programs", "");
  for (const json& object : list) {
    const Entry entry(fmt::format("{}: sentence {}", path, sentences.size() + 1), object, kMembers,
                      R"({"id": …, "lines": …, "says": …})");
    Sentence sentence = read(entry);
    if (std::ranges::find(sentences, sentence.id, &Sentence::id) != sentences.end())
      entry.refuse("has the same id as an earlier one", "give it an id of its own");
    if (!sentences.empty() && place(sentence.id) <= place(sentences.back().id))
      entry.refuse(fmt::format("comes after {}", sentences.back().id),
                   "put the sentences in the order of their ids, text by text as kTexts has them, each number once");
    sentences.push_back(std::move(sentence));
  }
  return sentences;
}

}  // namespace plumbline::tables
