// Finds ops in the table.
#include "spec/ops/ops.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "spec/ops/op_ids.h"

namespace plumbline {

namespace {

using FullName = std::pair<std::string_view, std::string_view>;

FullName full_name(OpId id) {
  const Op& o = op(id);
  return {o.name, o.overload};
}

/// The ops in the order of their names.
std::array<OpId, kAllOps> sorted_ids() {
  std::array<OpId, kAllOps> ids;
  for (std::size_t i = 0; i < kAllOps; ++i) ids[i] = static_cast<OpId>(i);
  std::ranges::sort(ids, {}, full_name);
  return ids;
}

}  // namespace

std::optional<OpId> find_op(std::string_view name, std::string_view overload) {
  static const std::array<OpId, kAllOps> ids = sorted_ids();
  const FullName wanted{name, overload};
  const auto found = std::ranges::lower_bound(ids, wanted, {}, full_name);
  if (found == ids.end() || full_name(*found) != wanted) return std::nullopt;
  return *found;
}

std::string qualified_name(const Op& op) {
  std::string text(op.name);
  if (!op.overload.empty()) text.append(".").append(op.overload);
  return text;
}

namespace {

bool same_place(const Argument& a, const Argument& b) { return a.type == b.type && a.name == b.name; }

std::optional<OpId> find_twin(const Op& of) {
  const bool out = of.kind == OpKind::Out;
  if (!out && of.kind != OpKind::Inplace) return std::nullopt;
  const std::string_view name = out ? of.name : of.name.substr(0, of.name.size() - 1);
  const auto places = of.arguments.subspan(0, of.arguments.size() - (out ? 1 : 0));
  for (std::size_t i = 0; i < kAllOps; ++i) {
    const Op& other = op(static_cast<OpId>(i));
    if (other.by_schema && !of.by_schema) break;  // what ops.yaml says must not depend on the other table
    if (other.kind == OpKind::Functional && other.name == name && (out || other.overload == of.overload) &&
        std::ranges::equal(other.arguments, places, same_place))
      return static_cast<OpId>(i);
  }
  return std::nullopt;
}

/// What `find` finds for each op of the table.
template <class Find>
std::vector<std::optional<OpId>> of_each(const Find& find) {
  std::vector<std::optional<OpId>> all;
  for (std::size_t i = 0; i < kAllOps; ++i) all.push_back(find(op(static_cast<OpId>(i))));
  return all;
}

}  // namespace

std::optional<OpId> functional_twin(OpId id) {
  static const std::vector<std::optional<OpId>> twins = of_each(find_twin);
  return twins[static_cast<std::size_t>(id)];
}

std::optional<OpId> copy_of_view(OpId view) {
  static const std::vector<std::optional<OpId>> copies = of_each([](const Op& one) {
    const auto copy = one.kind == OpKind::View ? find_op(std::string(one.name) + "_copy", one.overload) : std::nullopt;
    return copy && op(*copy).by_schema && !one.by_schema ? std::nullopt : copy;
  });
  return copies[static_cast<std::size_t>(view)];
}

std::optional<OpId> view_of_copy(OpId copy) {
  static const std::vector<std::optional<OpId>> views = [] {
    std::vector<std::optional<OpId>> all(kAllOps);
    for (std::size_t i = 0; i < kAllOps; ++i)
      if (const auto of = copy_of_view(static_cast<OpId>(i))) all[static_cast<std::size_t>(*of)] = static_cast<OpId>(i);
    return all;
  }();
  return views[static_cast<std::size_t>(copy)];
}

}  // namespace plumbline
