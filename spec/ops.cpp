// Looking up ops of the table.
#include "spec/ops.h"

#include <algorithm>
#include <array>
#include <utility>

#include "spec/op_ids.h"

namespace plumbline {

namespace {

using FullName = std::pair<std::string_view, std::string_view>;

FullName full_name(OpId id) {
  const Op& o = op(id);
  return {o.name, o.overload};
}

/// The ops in the order of their names.
std::array<OpId, kOps> sorted_ids() {
  std::array<OpId, kOps> ids;
  for (std::size_t i = 0; i < kOps; ++i) ids[i] = static_cast<OpId>(i);
  std::ranges::sort(ids, {}, full_name);
  return ids;
}

}  // namespace

const Op& op(OpId id) { return op_table()[static_cast<std::size_t>(id)]; }

std::optional<OpId> find_op(std::string_view name, std::string_view overload) {
  static const std::array<OpId, kOps> ids = sorted_ids();
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

}  // namespace plumbline
