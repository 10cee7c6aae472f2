// Reading JSON files with one list of entries, strictly: each error names the file, the entry and what to do.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>

namespace plumbline {

/// One entry, an object with only known members. Errors are thrown as `Error`.
template <class Error>
class JsonEntry {
 public:
  /// `place` names the entry, for example "waivers.json: waiver 3"; its `id` is added if it has one. `form` shows how
  /// to write an entry. `object` must outlive it.
  JsonEntry(std::string place, const nlohmann::json& object, std::span<const std::string_view> members,
            const std::string& form)
      : place_(std::move(place)), object_(object), members_(members) {
    if (!object.is_object()) refuse("is not an object", "write it as " + form);
    if (object.contains("id") && object["id"].is_string())
      place_ += fmt::format(" ('{}')", object["id"].template get<std::string>());
    for (const auto& [name, value] : object.items())
      if (std::ranges::find(members, name) == members.end())
        refuse(fmt::format("has an unknown member '{}'", name),
               fmt::format("the members are {}", fmt::join(members, ", ")));
  }

  [[noreturn]] void refuse(const std::string& what, const std::string& advice) const {
    throw Error(fmt::format("{} {}; {}", place_, what, advice));
  }

  bool has(std::string_view name) const { return object_.contains(name); }

  /// The member; throws with `advice` if it is missing.
  const nlohmann::json& member(std::string_view name, const std::string& advice) const {
    const auto found = object_.find(name);
    if (found == object_.end()) refuse(fmt::format("lacks '{}'", name), advice);
    return *found;
  }

  /// The member, a string that is not empty; throws with `advice` if it is missing.
  std::string text(std::string_view name, const std::string& advice) const {
    const nlohmann::json& value = member(name, advice);
    if (!value.is_string() || value.get_ref<const std::string&>().empty())
      refuse_value(name, value, "it must be a string that is not empty");
    return value.get<std::string>();
  }

  /// Throws: the value of a member is wrong.
  [[noreturn]] void refuse_value(std::string_view name, const nlohmann::json& value, const std::string& advice) const {
    refuse(fmt::format("has '{}' {}", name, value.dump()), advice);
  }

 private:
  std::string place_;
  const nlohmann::json& object_;
  std::span<const std::string_view> members_;
};

/// The list in a file {"LIST": […]}. Throws `Error` for a file that cannot be read (with `missing`, which says what to
/// do), that is not JSON, or that has another form (with `form`).
template <class Error>
nlohmann::json load_json_list(const std::string& path, const std::string& list, const std::string& missing,
                              const std::string& form) {
  std::ifstream in(path);
  if (!in) throw Error(fmt::format("{}: cannot be read; {}", path, missing));
  nlohmann::json file;
  try {
    file = nlohmann::json::parse(in);
  } catch (const nlohmann::json::parse_error& error) {
    throw Error(fmt::format("{}: is not JSON: {}", path, error.what()));
  }
  if (!file.is_object() || !file.contains(list) || !file[list].is_array() || file.size() != 1)
    throw Error(fmt::format("{}: does not have the form {{\"{}\": […]}}; write it in that form{}", path, list, form));
  return file[list];
}

}  // namespace plumbline
