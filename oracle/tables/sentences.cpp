// Reading the inventory of sentences.
#include "oracle/tables/sentences.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <regex>
#include <string_view>
#include <utility>

#include "oracle/json_entry.h"

namespace plumbline::tables {

namespace {

using nlohmann::json;

constexpr std::array<std::string_view, 4> kMembers{"id", "lines", "says", "reason"};

using Entry = JsonEntry<SentencesError>;

/// A text that fits `form`, which `advice` tells in words.
std::string text(const Entry& entry, std::string_view name, const std::regex& form, const std::string& advice) {
  const json& value = entry.member(name, advice);
  if (!value.is_string() || !std::regex_match(value.get_ref<const std::string&>(), form))
    entry.refuse_value(name, value, advice);
  return value.get<std::string>();
}

Sentence read(const Entry& entry) {
  static const std::regex id("[FD]-[0-9]{2,3}");
  static const std::regex lines("[0-9]+(-[0-9]+)?(, [0-9]+(-[0-9]+)?)*");
  static const std::regex words("[^|\n]*[^|\n ][^|\n]*");  // they stand in a cell of a table
  const std::string advice = "it must be a text of one line without |";
  Sentence sentence{text(entry, "id", id, "it must be like F-07 (the final text) or D-03 (the documentation)"),
                    text(entry, "lines", lines, "it must be like \"70\" or \"94-95, 101-104\""),
                    text(entry, "says", words, advice), ""};
  if (entry.has("reason")) sentence.reason = text(entry, "reason", words, advice);
  return sentence;
}

/// The final text before the documentation, then by number.
std::pair<bool, int> place(const std::string& id) { return {id.front() == 'D', std::stoi(id.substr(2))}; }

}  // namespace

std::vector<Sentence> load_sentences(const std::string& path) {
  std::vector<Sentence> sentences;
  const json list = load_json_list<SentencesError>(path, "sentences", "it must lie beside the curated programs", "");
  for (const json& object : list) {
    const Entry entry(fmt::format("{}: sentence {}", path, sentences.size() + 1), object, kMembers,
                      R"({"id": …, "lines": …, "says": …})");
    Sentence sentence = read(entry);
    if (std::ranges::find(sentences, sentence.id, &Sentence::id) != sentences.end())
      entry.refuse("has the id of an earlier one", "give it one of its own");
    if (!sentences.empty() && place(sentence.id) <= place(sentences.back().id))
      entry.refuse(fmt::format("stands behind {}", sentences.back().id),
                   "put the sentences in the order of their ids, F before D, each number once");
    sentences.push_back(std::move(sentence));
  }
  return sentences;
}

}  // namespace plumbline::tables
