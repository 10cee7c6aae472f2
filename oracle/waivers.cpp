// Waivers: reading them, finding the one that excuses a difference, and listing the stale ones.
#include "oracle/waivers.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "adapters/implementations.h"
#include "oracle/facts.h"
#include "oracle/reading_text.h"
#include "spec/rules/catalogue.h"
#include "support/glob.h"
#include "support/json_entry.h"

namespace plumbline {

namespace {

using nlohmann::json;

constexpr std::array<std::string_view, 14> kMembers{"id",      "rules",    "implementation", "ops",    "when",
                                                    "earlier", "anywhere", "signature",      "got",    "test",
                                                    "within",  "reason",   "link",           "expires"};
constexpr std::string_view kPages = "docs/findings/";

using Entry = JsonEntry<WaiverError>;

std::string all_members() { return fmt::format("a waiver has {}", fmt::join(kMembers, ", ")); }

const json& member(const Entry& entry, std::string_view name) { return entry.member(name, all_members()); }

std::string text(const Entry& entry, std::string_view name) { return entry.text(name, all_members()); }

/// A count of at least 1.
std::uint64_t count(const Entry& entry, std::string_view name) {
  const json& value = member(entry, name);
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() == 0)
    entry.refuse_value(name, value, "it must be a number of at least 1");
  return value.get<std::uint64_t>();
}

bool flag(const Entry& entry, std::string_view name) {
  const json& value = member(entry, name);
  if (!value.is_boolean()) entry.refuse_value(name, value, "it must be true or false");
  return value.get<bool>();
}

/// A string, or a list of strings.
std::vector<std::string> texts(const Entry& entry, std::string_view name) {
  const json& value = member(entry, name);
  if (value.is_string()) return {text(entry, name)};
  const auto is_text = [](const json& item) { return item.is_string() && !item.get_ref<const std::string&>().empty(); };
  if (!value.is_array() || value.empty() || !std::ranges::all_of(value, is_text))
    entry.refuse_value(name, value, "it must be a list of strings that is not empty");
  return value.get<std::vector<std::string>>();
}

bool is_date(const std::string& text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return false;
  const auto number = [&](std::size_t from, std::size_t count) {
    int value = -1;
    const char* const end = text.data() + from + count;
    const auto [stop, error] = std::from_chars(text.data() + from, end, value);
    return error == std::errc() && stop == end ? value : -1;
  };
  const int year = number(0, 4);
  const int month = number(5, 2);
  const int day = number(8, 2);
  if (year < 0 || month < 0 || day < 0) return false;
  return std::chrono::year_month_day(std::chrono::year(year), std::chrono::month(static_cast<unsigned>(month)),
                                     std::chrono::day(static_cast<unsigned>(day)))
      .ok();
}

/// "lazy" of "lazy-2.13.0".
std::string name_in(const std::string& implementation) {
  const std::size_t dash = implementation.rfind('-');
  const bool has_version = dash != std::string::npos && dash + 1 < implementation.size() &&
                           implementation.find_first_not_of("0123456789.", dash + 1) == std::string::npos;
  return has_version ? implementation.substr(0, dash) : implementation;
}

/// Whether some implementation can have this name, or a profile is called so.
bool names_an_implementation(const std::string& text) {
  if (profile_named(text)) return true;
  const std::string name = name_in(text);
  std::vector<std::string> known = names_on_devices();
  known.insert(known.end(), {"reference", "optimized", "libtorch"});
  for (const NamedImplementation& one : implementations_of(places_here()).implementations) known.push_back(one.name);
  return std::ranges::any_of(known, [&](const std::string& one) { return fits_glob(one, name); }) ||
         (name.starts_with("python-") && name.find('*') == std::string::npos);  // on another device
}

/// Where a reader finds more: a web page, or the page of docs/findings that the entry is named after.
void check_link(const Entry& entry, const Waiver& w) {
  if (w.link.starts_with("https://") || w.link == fmt::format("{}{}.md", kPages, w.id)) return;
  entry.refuse(fmt::format("has the link '{}'", w.link),
               fmt::format("it must begin with https://, or be {}ID.md, where ID is the entry's id", kPages));
}

Waiver read(const Entry& entry, const std::string& today) {
  Waiver w;
  w.id = text(entry, "id");
  w.rules = texts(entry, "rules");
  w.ops = texts(entry, "ops");
  if (entry.has("when")) w.when = texts(entry, "when");
  w.signatures = texts(entry, "signature");
  w.reason = text(entry, "reason");
  w.link = text(entry, "link");
  w.expires = text(entry, "expires");
  if (entry.has("got")) w.got = texts(entry, "got");
  if (entry.has("earlier")) w.earlier = flag(entry, "earlier");
  if (entry.has("anywhere")) w.anywhere = flag(entry, "anywhere");
  if (entry.has("test")) w.tests = texts(entry, "test");
  if (entry.has("within")) w.within = count(entry, "within");
  if (w.when.empty() && w.got.empty())
    entry.refuse("has neither 'when' nor 'got'", "say what holds where it happens, or what the error says");
  if (w.tests.empty() && w.within == 0)
    entry.refuse("has neither 'test' nor 'within'",
                 "name the tests that show it, or the number of generated programs that must show it");
  for (const std::string& test : w.tests)
    if (test.find(".py::") == std::string::npos)
      entry.refuse(fmt::format("names the test '{}'", test), "write it as FILE.py::NAME");
  for (const std::string& fact : w.when)
    if (std::ranges::find(kFacts, fact, &Fact::name) == kFacts.end())
      entry.refuse(fmt::format("asks for an unknown fact '{}'", fact), "oracle/facts.h lists the facts");
  for (const std::string& rule : w.rules)
    if (find_rule(rule) == nullptr)
      entry.refuse(fmt::format("names an unknown rule '{}'", rule), "`plumbline list rules` lists the rules");
  check_link(entry, w);
  if (!is_date(w.expires))
    entry.refuse(fmt::format("has 'expires' '{}'", w.expires), "it must be a date like 2027-01-31");
  if (w.expires < today)
    entry.refuse(fmt::format("expired on {}", w.expires),
                 "look at the divergence again, then delete the waiver or renew its reason and date");
  return w;
}

/// PyTorch as it is: no other way of running programs, and no other backend of it than a device.
bool is_eager(const Description& implementation) {
  return implementation.name == "libtorch" || implementation.name == "python" ||
         implementation.name.starts_with("python-");
}

bool is_named(const Waiver& waiver, const Description& implementation) {
  const std::string version = implementation.version.substr(0, implementation.version.find_first_of("+,"));
  return fits_glob(implementation.name, waiver.implementation) ||
         fits_glob(fmt::format("{}-{}", implementation.name, version), waiver.implementation);
}

/// Whether the waiver speaks of the implementation. One for a profile says what eager PyTorch does. Another way of
/// running programs may do the same, so it also excuses what differs there from what a program states; but what differs
/// from the reference of that profile is not what eager PyTorch does.
bool is_of(const Waiver& waiver, const Description& implementation, Against against) {
  if (is_named(waiver, implementation)) return true;
  return waiver.implementation == implementation.profile && (is_eager(implementation) || against == Against::statement);
}

/// Whether it must need the waiver. A `*` in its name means that not all of them need it. One for a profile also
/// excuses implementations that are only near it: another release, another device, or another way of running programs.
bool must_need(const Description& implementation, const Waiver& waiver) {
  if (waiver.implementation != implementation.profile)
    return waiver.implementation.find('*') == std::string::npos && is_named(waiver, implementation);
  return fmt::format("torch-{}", implementation.version).starts_with(implementation.profile + ".") &&
         (implementation.name == "libtorch" || implementation.name == "python");
}

bool names(const Waiver& waiver, const std::string& test) {
  return std::ranges::find(waiver.tests, test) != waiver.tests.end();
}

bool fits_any(const std::vector<std::string>& patterns, const std::string& text) {
  return std::ranges::any_of(patterns, [&](const std::string& pattern) { return fits_glob(text, pattern); });
}

/// Whether the statement of this name, at which these facts hold, fits the waiver.
bool fits(const Waiver& waiver, const std::string& op, const std::set<std::string>& facts) {
  return fits_any(waiver.ops, op) &&
         std::ranges::all_of(waiver.when, [&](const std::string& fact) { return facts.contains(fact); });
}

bool excuses(const Waiver& waiver, const Occurrence& occurrence) {
  if (!fits_any(waiver.signatures, occurrence.signature)) return false;
  if (!waiver.got.empty() && !fits_any(waiver.got, occurrence.got)) return false;
  const auto fits_one = [&](const EarlierStatement& one) { return fits(waiver, one.name, one.facts); };
  return fits(waiver, occurrence.op, occurrence.facts) ||
         (waiver.earlier && std::ranges::any_of(occurrence.earlier, fits_one)) ||
         (waiver.anywhere && occurrence.whole && std::ranges::any_of(occurrence.whole(), fits_one));
}

/// A process that was killed, or that does not answer, names no statement: any of the program's may be the cause.
bool is_of_the_run(const Difference& difference) { return difference.signature.starts_with("run/"); }

std::vector<EarlierStatement> all_statements(Profile profile, const Script& script) {
  std::vector<EarlierStatement> all;
  for (std::size_t i = 0; i < script.statements.size(); ++i)
    all.push_back({statement_name(script.statements[i]), facts_at(profile, script, i)});
  return all;
}

/// Whether two entries may share an id: they are predicates of one finding.
bool are_of_one_page(const Waiver& a, const Waiver& b) { return a.link == b.link && a.link.starts_with(kPages); }

}  // namespace

std::string today() { return fmt::format("{:%Y-%m-%d}", fmt::gmtime(std::time(nullptr))); }

std::vector<Waiver> load_waivers(const std::string& path, const std::string& today) {
  if (!std::filesystem::exists(path)) return {};
  std::vector<Waiver> waivers;
  const json list = load_json_list<WaiverError>(path, "waivers", "give it read permission, or delete it",
                                                ", with an empty list if there are no waivers");
  std::size_t number = 0;
  for (const json& object : list) {
    const Entry entry(fmt::format("{}: waiver {}", path, ++number), object, kMembers, R"({"id": …, "test": …, …})");
    const Waiver waiver = read(entry, today);
    const auto earlier = std::ranges::find(waivers, waiver.id, &Waiver::id);
    if (earlier != waivers.end() && !are_of_one_page(*earlier, waiver))
      entry.refuse("has the same id as an earlier one", "give it an id of its own");
    for (std::string& implementation : texts(entry, "implementation")) {  // each of them must need it
      if (!names_an_implementation(implementation))
        entry.refuse(fmt::format("names an unknown implementation '{}'", implementation),
                     "write a name of `plumbline list implementations`, perhaps with a version or a `*`, or a profile; "
                     "a new implementation is an entry of adapters/implementations.json");
      waivers.push_back(waiver);
      waivers.back().implementation = std::move(implementation);
    }
  }
  return waivers;
}

std::vector<Waiver> load_waivers_or(const std::string& file, const std::string& corpus, const std::string& today) {
  if (!file.empty()) return load_waivers(file, today);
  std::vector<Waiver> waivers = load_waivers(corpus + "/waivers.json", today);
  for (Waiver& finding : load_waivers(corpus + "/findings.json", today)) waivers.push_back(std::move(finding));
  return waivers;
}

void Waivers::ran(const Description& implementation, const std::string& test) {
  for (std::size_t i = 0; i < waivers_.size(); ++i)
    if (must_need(implementation, waivers_[i]) && names(waivers_[i], test)) present_.emplace(i, test);
}

const Waiver* Waivers::find(const Description& implementation, const std::string& test, const Occurrence& occurrence) {
  for (std::size_t i = 0; i < waivers_.size(); ++i) {
    if (!is_of(waivers_[i], implementation, occurrence.against) || !names(waivers_[i], test) ||
        !excuses(waivers_[i], occurrence))
      continue;
    needed_.emplace(i, test);
    return &waivers_[i];
  }
  return find_generated(implementation, occurrence);
}

const Waiver* Waivers::find_generated(const Description& implementation, const Occurrence& occurrence) const {
  const auto found = std::ranges::find_if(waivers_, [&](const Waiver& w) {
    return w.within > 0 && is_of(w, implementation, occurrence.against) && excuses(w, occurrence);
  });
  return found == waivers_.end() ? nullptr : &*found;
}

std::vector<std::string> Waivers::stale_of_generated(const Description& implementation, std::uint64_t programs,
                                                     const std::set<std::string>& needed, Generated generated) const {
  std::vector<std::string> lines;
  const auto asks_for = [](const Waiver& w, std::string_view fact) {
    return std::ranges::find(w.when, fact) != w.when.end();
  };
  const auto shown_by = [&](const Waiver& w) {
    if (asks_for(w, "functionalizes")) return Generated::functionalized;
    if (asks_for(w, "maps")) return Generated::mapped;
    return asks_for(w, "excluded_a_backend") ? Generated::unsafe : Generated::plain;
  };
  for (const Waiver& w : waivers_)
    if (w.within > 0 && must_need(implementation, w) && programs >= w.within && !needed.contains(w.id) &&
        shown_by(w) == generated)
      lines.push_back(
          fmt::format("waiver '{}' is stale: none of {} generated programs needed it, although {} should be "
                      "enough; delete it, or correct its ops, predicate or signature",
                      w.id, programs, w.within));
  return lines;
}

std::vector<std::string> Waivers::stale() const {
  std::vector<std::string> lines;
  for (const Use& use : present_) {
    if (needed_.contains(use)) continue;
    const Waiver& w = waivers_[use.first];
    lines.push_back(
        fmt::format("waiver '{}' is stale: {} on {} has no divergence '{}' any more; delete the waiver, or correct its "
                    "ops, predicate or signature",
                    w.id, use.second, w.implementation, fmt::join(w.signatures, "', '")));
  }
  return lines;
}

Occurrence occurrence_of(const Script& script, const Difference& difference, const Description& implementation,
                         Against against) {
  Occurrence occurrence{"", {}, difference.signature, difference.got, {}, against, {}};
  if (difference.blamed >= script.statements.size()) return occurrence;
  occurrence.op = statement_name(script.statements[difference.blamed]);
  const auto profile = profile_named(implementation.profile);
  if (!profile) return occurrence;
  occurrence.facts = facts_at(*profile, script, difference.blamed);
  occurrence.earlier = is_of_the_run(difference)
                           ? all_statements(*profile, script)
                           : earlier_statements(*profile, script, difference.blamed, difference.tensor);
  occurrence.whole = [profile, script] { return all_statements(*profile, script); };
  return occurrence;
}

}  // namespace plumbline
