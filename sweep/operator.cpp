// What a schema says of an operator.
#include "sweep/operator.h"

#include <algorithm>
#include <functional>
#include <string_view>

namespace plumbline::sweep {

bool Operator::writes() const { return std::ranges::any_of(arguments, &Parameter::written); }

bool Operator::is_out() const { return std::ranges::any_of(arguments, &Parameter::is_out); }

bool Operator::is_in_place() const {
  return !arguments.empty() && arguments.front().written &&
         std::ranges::count_if(arguments, &Parameter::written) == 1 && !arguments.front().keyword_only;
}

bool Operator::gives_a_view() const {
  return std::ranges::any_of(results, [](const Parameter& one) { return !one.aliases.empty() && !one.written; });
}

bool Operator::has_tag(const std::string& tag) const { return std::ranges::find(tags, tag) != tags.end(); }

bool is_private(const std::string& name) {
  const std::size_t colons = name.find("::");
  return name.starts_with('_') || (colons != std::string::npos && name.substr(colons + 2).starts_with('_'));
}

namespace {

bool same_type(const Parameter& a, const Parameter& b) {
  return a.type == b.type && a.optional == b.optional && a.list == b.list;
}

}  // namespace

const Operator* twin_of(const Operator& one, const std::vector<Operator>& all) {
  if (!one.is_in_place() && !one.is_out()) return nullptr;
  std::string name = one.name;
  if (one.is_in_place() && name.ends_with('_')) name.pop_back();
  std::vector<Parameter> inputs = one.arguments;
  if (one.is_out()) std::erase_if(inputs, std::mem_fn(&Parameter::is_out));
  const auto fits = [&](const Operator& other) {
    return other.name == name && !other.writes() && std::ranges::equal(other.arguments, inputs, same_type);
  };
  const auto found = std::ranges::find_if(all, fits);
  return found == all.end() ? nullptr : &*found;
}

const Operator* view_of(const Operator& one, const std::vector<Operator>& all) {
  constexpr std::string_view kCopy = "_copy";
  if (!one.name.ends_with(kCopy) || one.writes()) return nullptr;
  const std::string name = one.name.substr(0, one.name.size() - kCopy.size());
  const auto fits = [&](const Operator& other) {
    return other.name == name && other.overload == one.overload && other.gives_a_view() &&
           std::ranges::equal(other.arguments, one.arguments, same_type);
  };
  const auto found = std::ranges::find_if(all, fits);
  return found == all.end() ? nullptr : &*found;
}

}  // namespace plumbline::sweep
