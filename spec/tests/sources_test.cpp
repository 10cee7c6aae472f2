// The sources that rules cite: each has links of a known form for everything that it cites, and quotes texts word for
// word.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <regex>

#include "spec/rules/catalogue.h"

namespace plumbline::sources_test {
namespace {

using nlohmann::json;
using Links = std::vector<std::string>;

/// One source: the rule's own, or that of a profile's variant.
struct Cited {
  std::string rule;
  std::string profile;  ///< empty: the rule's own
  std::string source;

  std::string name() const { return profile.empty() ? rule : rule + " in " + profile; }
};

std::vector<Cited> all_cited() {
  std::vector<Cited> all;
  for (const Rule* rule : kAllRules) {
    all.push_back({rule->id(), "", std::string(rule->text().source)});
    for (const Variant& v : rule->text().variants)
      if (!v.sentence.empty()) all.push_back({rule->id(), std::string(name_of(v.profile)), std::string(v.source)});
  }
  return all;
}

const std::map<std::string, Links>& all_links() {
  static const std::map<std::string, Links> links = [] {
    std::map<std::string, Links> by_name;
    std::ifstream in("spec/sources.json");
    const json file = json::parse(in, nullptr, false);
    for (const json& entry : file.value("sources", json::array())) {
      const Cited cited{entry.value("rule", ""), entry.value("profile", ""), ""};
      EXPECT_TRUE(by_name.emplace(cited.name(), entry.value("links", Links{})).second)
          << cited.name() << " is listed twice";
    }
    return by_name;
  }();
  return links;
}

struct Text {
  std::string_view name;  ///< as sources name it
  std::string_view link;  ///< its permanent address
  const char* file;       ///< in ../shared/sources
};

constexpr std::array<Text, 5> kTexts{{
    {"rfc-0011-final",
     "https://github.com/pytorch/rfcs/blob/02f6eeb830777a7d74f191522be685d781285aab/RFC-0011-InferenceMode.md",
     "rfc-0011-final.txt"},
    {"inference-mode-docs", "https://github.com/pytorch/pytorch/blob/v2.13.0/docs/cpp/source/notes/inference_mode.rst",
     "inference-mode-docs.txt"},
    {"rfc-0011-draft-1", "https://github.com/pytorch/rfcs/pull/17", "rfc-0011-draft-1.txt"},
    {"rfc-0011-draft-2", "https://github.com/pytorch/rfcs/pull/17", "rfc-0011-draft-2.txt"},
    {"PR 63048", "https://github.com/pytorch/pytorch/pull/63048", "functionalization-pr-63048.txt"},
}};

bool known_form(const std::string& link) {
  static const std::regex pytorch(
      R"(https://github\.com/pytorch/pytorch/blob/v(2\.13\.0|1\.13\.1)/(\w+/)+\w+\.(cpp|h|py|yaml)(#L[1-9][0-9]*)?)");
  static const std::regex issue(R"(https://github\.com/pytorch/pytorch/issues/[0-9]+)");
  static const std::regex documentation(
      R"(https://docs\.pytorch\.org/docs/2\.13/(generated/torch\.(Tensor\.)?\w+|notes/\w+|\w+)\.html)");
  static const std::string wiki = "https://github.com/pytorch/pytorch/wiki/Developer-FAQ#how-does-out-work-in-pytorch";
  static const std::string annotations =
      "https://github.com/pytorch/pytorch/blob/v2.13.0/aten/src/ATen/native/README.md#annotations";
  return find_rule(link) != nullptr || std::ranges::find(kTexts, link, &Text::link) != kTexts.end() || link == wiki ||
         link == annotations || std::regex_match(link, pytorch) || std::regex_match(link, issue) ||
         std::regex_match(link, documentation);
}

bool linked(const Links& links, std::string_view part) {
  return std::ranges::any_of(links, [&](const std::string& link) { return link.find(part) != link.npos; });
}

/// A name in a source that has no link; empty: every name has one.
std::string unlinked(const std::string& source, const Links& links) {
  for (const Text& text : kTexts)
    if (source.find(text.name) != source.npos && !linked(links, text.link)) return std::string(text.name);
  static const std::regex file(R"((\w+/)*\w+\.(cpp|h|py|yaml|md)\b)");
  for (std::sregex_iterator it(source.begin(), source.end(), file), end; it != end; ++it)
    if (!linked(links, it->str())) return it->str();
  static const std::regex rule(R"(\b[A-Z]{2,4}-[0-9]{2,3}\b)");
  for (std::sregex_iterator it(source.begin(), source.end(), rule), end; it != end; ++it)
    if (!linked(links, it->str())) return it->str();
  return "";
}

TEST(Sources, each_has_links_of_a_known_form_that_lead_to_all_that_it_cites) {
  std::size_t with_place = 0;
  std::size_t files = 0;
  for (const Cited& cited : all_cited()) {
    const auto found = all_links().find(cited.name());
    const std::string advice = "; see spec/link_sources.py --help";
    if (found == all_links().end()) {
      ADD_FAILURE() << cited.name() << " is not in spec/sources.json" << advice;
      continue;
    }
    EXPECT_FALSE(found->second.empty()) << cited.name() << " cites nothing that can be opened: " << cited.source;
    for (const std::string& link : found->second) {
      EXPECT_TRUE(known_form(link)) << cited.name() << ": " << link;
      files += static_cast<std::size_t>(link.find("/pytorch/blob/") != link.npos);
      with_place += static_cast<std::size_t>(link.find('#') != link.npos);
    }
    EXPECT_EQ(unlinked(cited.source, found->second), "") << cited.name() << advice;
    EXPECT_EQ(cited.source.find("DESIGN"), std::string::npos) << cited.name() << " cites what no reader has";
  }
  EXPECT_EQ(all_links().size(), all_cited().size()) << "spec/sources.json has an unknown rule or variant";
  EXPECT_GE(with_place * 10, files * 9) << "links to PyTorch's files have a line, or a section";
}

TEST(Sources, a_link_that_is_wrong_or_lacking_is_noticed) {
  const Links links{"https://github.com/pytorch/pytorch/pull/63048",
                    "https://github.com/pytorch/pytorch/blob/v2.13.0/c10/core/InferenceMode.h#L3"};
  EXPECT_TRUE(known_form(links[0]) && known_form(links[1]) && known_form("INF-03"));
  EXPECT_FALSE(known_form("https://github.com/pytorch/pytorch/blob/main/c10/core/InferenceMode.h#L3"));
  EXPECT_FALSE(known_form("https://github.com/pytorch/pytorch/blob/v2.13.0/c10/core/InferenceMode.h#L0"));
  EXPECT_FALSE(known_form("INF-99"));
  EXPECT_FALSE(known_form("DESIGN §7"));
  EXPECT_EQ(unlinked("PR 63048: 'replace_'; c10/core/InferenceMode.h", links), "");
  EXPECT_EQ(unlinked("rfc-0011-final", links), "rfc-0011-final");
  EXPECT_EQ(unlinked("PR 63048; c10/core/GradMode.h, AutoGradMode", links), "c10/core/GradMode.h");
  EXPECT_EQ(unlinked("INF-03", links), "INF-03");
}

/// A text without white space, backticks, asterisks and the case of letters, so that markup and line breaks do not
/// matter.
std::string plain(std::string_view text) {
  std::string out;
  for (const char c : text)
    if (std::isspace(static_cast<unsigned char>(c)) == 0 && c != '`' && c != '*')
      out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

std::optional<std::string> text_of(const Text& text) {
  std::ifstream in(std::string("../shared/sources/") + text.file);
  if (!in) return std::nullopt;
  return plain(std::string{std::istreambuf_iterator<char>(in), {}});
}

/// The quotations in one part of a source: the texts between quotes that have no letter on their outer side.
std::vector<std::string> quotations(const std::string& part) {
  static const std::regex quoted(R"((^|[\s(:])'(.+?)'(?=[\s,;:.)]|$))");
  std::vector<std::string> found;
  for (std::sregex_iterator it(part.begin(), part.end(), quoted), end; it != end; ++it) found.push_back((*it)[2]);
  return found;
}

/// The first quotation of `source` that its text does not have word for word; empty: none. An ellipsis stands
/// for omitted words. A part after a semicolon quotes the text that it names; if it names no text and no file, it
/// quotes the text of the part before.
std::string misquoted(const std::string& source, const std::map<std::string_view, std::string>& texts) {
  static const std::regex names_another(R"(\.(cpp|h|py|yaml)\b|\btorch\.)");
  const std::string* text = nullptr;
  for (std::size_t begin = 0; begin <= source.size();) {
    const std::size_t end = std::min(source.find("; ", begin), source.size());
    const std::string part = source.substr(begin, end - begin);
    begin = end + 2;
    if (std::regex_search(part, names_another)) text = nullptr;
    for (const auto& [name, content] : texts)
      if (part.find(name) != part.npos) text = &content;
    if (text == nullptr) continue;
    for (const std::string& quotation : quotations(part)) {
      std::size_t at = 0;
      std::string rest = quotation + "…";
      for (std::size_t dots = rest.find("…"); dots != rest.npos; dots = rest.find("…")) {
        at = text->find(plain(rest.substr(0, dots)), at);
        if (at == text->npos) return quotation;
        rest = rest.substr(dots + std::string_view("…").size());
      }
    }
  }
  return "";
}

TEST(Sources, quote_the_texts_word_for_word) {
  std::map<std::string_view, std::string> texts;
  for (const Text& text : kTexts) {
    std::optional<std::string> content = text_of(text);
    if (!content) GTEST_SKIP() << "../shared/sources/" << text.file << " is not beside this checkout";
    texts.emplace(text.name, std::move(*content));
  }
  for (const Cited& cited : all_cited())
    EXPECT_EQ(misquoted(cited.source, texts), "") << cited.name() << ": " << cited.source;
}

TEST(Sources, a_wrong_quotation_is_noticed) {
  const std::map<std::string_view, std::string> texts{
      {"rfc-0011-final", plain("views do *not* do\nview tracking, `x` here")}};
  EXPECT_EQ(misquoted("rfc-0011-final: 'Views do not do view tracking'", texts), "");
  EXPECT_EQ(misquoted("rfc-0011-final, 'views … tracking, x'; 'x here' alone", texts), "");
  EXPECT_EQ(misquoted("rfc-0011-final: 'views do view tracking'", texts), "views do view tracking");
  EXPECT_EQ(misquoted("rfc-0011-final: 'tracking … views'", texts), "tracking … views");
  EXPECT_EQ(misquoted("c10/a.h: 'no quotation of it'; rfc-0011-final; 'nor this'", texts), "nor this");
}

}  // namespace
}  // namespace plumbline::sources_test
