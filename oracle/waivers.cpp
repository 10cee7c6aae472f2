// Waivers: reading them, finding the one that excuses a difference, and telling which are not needed any more.
#include "oracle/waivers.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>

#include "spec/rules/catalogue.h"

namespace plumbline {

namespace {

using nlohmann::json;

constexpr std::array<std::string_view, 8> kMembers{"id",        "test",   "rules", "implementation",
                                                   "signature", "reason", "link",  "expires"};

class Entry {
 public:
  Entry(const std::string& file, std::size_t number, const json& object)
      : where_(fmt::format("{}: waiver {}", file, number)), object_(object) {
    if (!object.is_object()) refuse("is not an object", R"(write it as {"id": …, "test": …, …})");
    if (object.contains("id") && object["id"].is_string())
      where_ += fmt::format(" ('{}')", object["id"].get<std::string>());
    for (const auto& [name, value] : object.items())
      if (std::ranges::find(kMembers, name) == kMembers.end())
        refuse(fmt::format("has a member '{}' that is not known", name),
               fmt::format("the members are {}", fmt::join(kMembers, ", ")));
  }

  [[noreturn]] void refuse(const std::string& what, const std::string& advice) const {
    throw WaiverError(fmt::format("{} {}; {}", where_, what, advice));
  }

  std::string text(std::string_view name) const {
    const json& value = member(name);
    if (!value.is_string() || value.get_ref<const std::string&>().empty())
      refuse(fmt::format("has '{}' {}", name, value.dump()), "it must be a text that is not empty");
    return value.get<std::string>();
  }

  /// A text, or a list of texts.
  std::vector<std::string> texts(std::string_view name) const {
    const json& value = member(name);
    if (value.is_string()) return {text(name)};
    const auto is_text = [](const json& item) {
      return item.is_string() && !item.get_ref<const std::string&>().empty();
    };
    if (!value.is_array() || value.empty() || !std::ranges::all_of(value, is_text))
      refuse(fmt::format("has '{}' {}", name, value.dump()), "it must be a list of texts that is not empty");
    return value.get<std::vector<std::string>>();
  }

 private:
  const json& member(std::string_view name) const {
    const auto found = object_.find(name);
    if (found == object_.end())
      refuse(fmt::format("lacks '{}'", name), fmt::format("every waiver has {}", fmt::join(kMembers, ", ")));
    return *found;
  }

  std::string where_;
  const json& object_;
};

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

Waiver read(const Entry& entry, const std::string& today) {
  Waiver w{entry.text("id"),        entry.texts("test"),  entry.texts("rules"), entry.text("implementation"),
           entry.text("signature"), entry.text("reason"), entry.text("link"),   entry.text("expires")};
  for (const std::string& test : w.tests)
    if (test.find(".py::") == std::string::npos)
      entry.refuse(fmt::format("names the test '{}'", test), "write it as FILE.py::NAME");
  for (const std::string& rule : w.rules)
    if (find_rule(rule) == nullptr)
      entry.refuse(fmt::format("names a rule '{}' that is none", rule), "see `plumbline list rules`");
  if (!w.link.starts_with("https://"))
    entry.refuse(fmt::format("has the link '{}'", w.link), "it must begin with https://");
  if (!is_date(w.expires))
    entry.refuse(fmt::format("has 'expires' '{}'", w.expires), "it must be a date, as 2027-01-31");
  if (w.expires < today)
    entry.refuse(fmt::format("expired on {}", w.expires),
                 "look at the divergence again: delete the waiver, or give its reason anew with a later date");
  return w;
}

json parse(const std::string& path) {
  std::ifstream in(path);
  if (!in) throw WaiverError(fmt::format("{}: cannot be read; give it read permission, or delete it", path));
  try {
    return json::parse(in);
  } catch (const json::parse_error& error) {
    throw WaiverError(fmt::format("{}: is no JSON: {}", path, error.what()));
  }
}

bool is_of(const Waiver& waiver, const Description& implementation) {
  return waiver.implementation == implementation.profile ||
         waiver.implementation == fmt::format("{}-{}", implementation.name, implementation.version);
}

}  // namespace

std::string today() { return fmt::format("{:%Y-%m-%d}", fmt::gmtime(std::time(nullptr))); }

std::vector<Waiver> load_waivers(const std::string& path, const std::string& today) {
  if (!std::filesystem::exists(path)) return {};
  const json file = parse(path);
  if (!file.is_object() || !file.contains("waivers") || !file["waivers"].is_array() || file.size() != 1)
    throw WaiverError(fmt::format(
        R"({}: is not of the form {{"waivers": […]}}; write it so, with an empty list where there are none)", path));
  std::vector<Waiver> waivers;
  for (const json& object : file["waivers"]) {
    const Entry entry(path, waivers.size() + 1, object);
    Waiver waiver = read(entry, today);
    if (std::ranges::find(waivers, waiver.id, &Waiver::id) != waivers.end())
      entry.refuse("has the id of an earlier one", "give it one of its own");
    waivers.push_back(std::move(waiver));
  }
  return waivers;
}

bool fits_glob(std::string_view text, std::string_view pattern) {
  const std::size_t star = pattern.find('*');
  if (star == std::string_view::npos) return text == pattern;
  if (!text.starts_with(pattern.substr(0, star))) return false;
  text.remove_prefix(star);
  pattern.remove_prefix(star + 1);
  for (std::size_t skipped = 0; skipped <= text.size(); ++skipped)
    if (fits_glob(text.substr(skipped), pattern)) return true;
  return false;
}

const Waiver* Waivers::find(const Description& implementation, const std::string& test, const std::string& signature) {
  const Waiver* found = nullptr;
  for (std::size_t i = 0; i < waivers_.size(); ++i) {
    const Waiver& waiver = waivers_[i];
    if (!is_of(waiver, implementation) || std::ranges::find(waiver.tests, test) == waiver.tests.end()) continue;
    present_.emplace(i, test);
    if (found != nullptr || signature.empty() || !fits_glob(signature, waiver.signature)) continue;
    needed_.emplace(i, test);
    found = &waiver;
  }
  return found;
}

std::vector<std::string> Waivers::stale() const {
  std::vector<std::string> lines;
  for (const Use& use : present_) {
    if (needed_.contains(use)) continue;
    const Waiver& w = waivers_[use.first];
    lines.push_back(fmt::format(
        "waiver '{}' is stale: {} on {} has no divergence '{}' any more; delete the waiver, or correct its signature",
        w.id, use.second, w.implementation, w.signature));
  }
  return lines;
}

}  // namespace plumbline
