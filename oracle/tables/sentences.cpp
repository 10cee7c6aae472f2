// Reading the inventory of sentences.
#include "oracle/tables/sentences.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <string_view>
#include <utility>

namespace plumbline::tables {

namespace {

using nlohmann::json;

constexpr std::array<std::string_view, 4> kMembers{"id", "lines", "says", "reason"};

class Entry {
 public:
  Entry(const std::string& file, std::size_t number, const json& object)
      : where_(fmt::format("{}: sentence {}", file, number)), object_(object) {
    if (!object.is_object()) refuse("is not an object", R"(write it as {"id": …, "lines": …, "says": …})");
    if (object.contains("id") && object["id"].is_string())
      where_ += fmt::format(" ('{}')", object["id"].get<std::string>());
    for (const auto& [name, value] : object.items())
      if (std::ranges::find(kMembers, name) == kMembers.end())
        refuse(fmt::format("has a member '{}' that is not known", name),
               fmt::format("the members are {}", fmt::join(kMembers, ", ")));
  }

  [[noreturn]] void refuse(const std::string& what, const std::string& advice) const {
    throw SentencesError(fmt::format("{} {}; {}", where_, what, advice));
  }

  bool has(std::string_view name) const { return object_.contains(name); }

  /// A text that fits `form`, which `advice` tells in words.
  std::string text(std::string_view name, const std::regex& form, const std::string& advice) const {
    const auto found = object_.find(name);
    if (found == object_.end()) refuse(fmt::format("lacks '{}'", name), advice);
    if (!found->is_string() || !std::regex_match(found->get_ref<const std::string&>(), form))
      refuse(fmt::format("has '{}' {}", name, found->dump()), advice);
    return found->get<std::string>();
  }

 private:
  std::string where_;
  const json& object_;
};

json parse(const std::string& path) {
  std::ifstream in(path);
  if (!in) throw SentencesError(fmt::format("{}: cannot be read; it must lie beside the curated programs", path));
  try {
    return json::parse(in);
  } catch (const json::parse_error& error) {
    throw SentencesError(fmt::format("{}: is no JSON: {}", path, error.what()));
  }
}

Sentence read(const Entry& entry) {
  static const std::regex id("[FD]-[0-9]{2,3}");
  static const std::regex lines("[0-9]+(-[0-9]+)?(, [0-9]+(-[0-9]+)?)*");
  static const std::regex words("[^|\n]*[^|\n ][^|\n]*");  // they stand in a cell of a table
  const std::string text = "it must be a text of one line without |";
  Sentence sentence{entry.text("id", id, "it must be like F-07 (the final text) or D-03 (the documentation)"),
                    entry.text("lines", lines, "it must be like \"70\" or \"94-95, 101-104\""),
                    entry.text("says", words, text), ""};
  if (entry.has("reason")) sentence.reason = entry.text("reason", words, text);
  return sentence;
}

/// The final text before the documentation, then by number.
std::pair<bool, int> place(const std::string& id) { return {id.front() == 'D', std::stoi(id.substr(2))}; }

}  // namespace

std::vector<Sentence> load_sentences(const std::string& path) {
  const json file = parse(path);
  if (!file.is_object() || !file.contains("sentences") || !file["sentences"].is_array() || file.size() != 1)
    throw SentencesError(fmt::format(R"({}: is not of the form {{"sentences": […]}}; write it so)", path));
  std::vector<Sentence> sentences;
  for (const json& object : file["sentences"]) {
    const Entry entry(path, sentences.size() + 1, object);
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
