// Reading a list of named faults.
#include "mutation/faults.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>

#include "support/json_entry.h"

namespace plumbline::mutate {

namespace {

constexpr std::array<std::string_view, 6> kMembers{"name", "area", "sentence", "file", "text", "with"};
constexpr const char* kForm = R"({"name": "…", "area": "…", "sentence": "…", "file": "…", "text": "…", "with": "…"})";

}  // namespace

std::vector<NamedFault> load_faults(const std::string& path) {
  const auto list = load_json_list<std::runtime_error>(path, "faults", "it is a list of named faults",
                                                       fmt::format(", with entries {}", kForm));
  std::vector<NamedFault> faults;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const JsonEntry<std::runtime_error> one(fmt::format("{}: entry {}", path, i + 1), list[i], kMembers, kForm);
    const auto text = [&](std::string_view name) -> std::string {
      const nlohmann::json& value = one.member(name, fmt::format("an entry has {}", fmt::join(kMembers, ", ")));
      if (!value.is_string() || (name != "with" && value.get_ref<const std::string&>().empty()))
        one.refuse_value(name, value, "it must be a string");
      return value;
    };
    NamedFault fault{text("name"), text("area"), text("sentence"), text("file"), text("text"), text("with")};
    if (std::ranges::find(faults, fault.name, &NamedFault::name) != faults.end())
      one.refuse(fmt::format("has the same name '{}' as an earlier fault", fault.name), "rename one");
    faults.push_back(std::move(fault));
  }
  return faults;
}

Site site_of(const NamedFault& fault, const std::string& source) {
  const std::size_t at = source.find(fault.text);
  if (at == std::string::npos || source.find(fault.text, at + 1) != std::string::npos)
    throw std::runtime_error(
        fmt::format("the fault '{}' changes '{}', which {} in {}; correct its \"text\"", fault.name, fault.text,
                    at == std::string::npos ? "does not occur" : "occurs more than once", fault.file));
  Site site;
  site.file = fault.file;
  site.at = at;
  site.length = fault.text.size();
  site.with = fault.with;
  site.line = static_cast<std::uint32_t>(
      1 + std::count(source.begin(), source.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
  site.column = static_cast<std::uint32_t>(at - (at == 0 ? 0 : source.rfind('\n', at - 1) + 1) + 1);
  site.function = fault.area;
  site.change = fault.name;
  site.text = fault.sentence;
  return site;
}

}  // namespace plumbline::mutate
