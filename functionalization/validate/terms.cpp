// The arena of terms.
#include "functionalization/validate/terms.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "reference/arithmetic.h"
#include "spec/vocabulary/half.h"

namespace plumbline::validate {
namespace {

constexpr std::uint32_t kNothing = 0xffffffff;

std::uint64_t hash_of(const Terms::Node& node) {
  const std::uint64_t kind = static_cast<std::uint64_t>(node.kind) << 8 | static_cast<std::uint64_t>(node.dtype);
  std::uint64_t hash = (std::uint64_t{node.b} << 32U | node.a) * 0x9e3779b97f4a7c15ULL;
  hash = (hash ^ hash >> 29U ^ node.c ^ kind << 48U) * 0xbf58476d1ce4e5b9ULL;
  return hash ^ hash >> 32U;
}

}  // namespace

Terms::Terms() : table_(1 << 12) {}

void Terms::clear() {
  for (const std::uint32_t at : used_) table_[at] = 0;  // clears only the used part of the table
  used_.clear();
  nodes_.clear();
}

void Terms::grow() {
  std::vector<std::uint32_t> larger(table_.size() * 2);
  for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
    std::size_t at = hash_of(nodes_[i]) & (larger.size() - 1);
    while (larger[at] != 0) at = (at + 1) & (larger.size() - 1);
    larger[at] = i + 1;
    used_[i] = static_cast<std::uint32_t>(at);
  }
  table_ = std::move(larger);
}

Term Terms::add(const Node& node) {
  if (nodes_.size() * 2 >= table_.size()) grow();
  std::size_t at = hash_of(node) & (table_.size() - 1);
  for (; table_[at] != 0; at = (at + 1) & (table_.size() - 1))
    if (nodes_[table_[at] - 1] == node) return static_cast<Term>(table_[at] - 1);
  nodes_.push_back(node);
  used_.push_back(static_cast<std::uint32_t>(at));
  table_[at] = static_cast<std::uint32_t>(nodes_.size());
  return static_cast<Term>(nodes_.size() - 1);
}

Term Terms::variable(std::int32_t storage, std::int64_t place, Dtype dtype) {
  return add({Kind::variable, dtype, false, static_cast<std::uint32_t>(storage), static_cast<std::uint32_t>(place), 0});
}

Term Terms::number(double value, Dtype dtype) {
  if (dtype == Dtype::float32) value = static_cast<double>(static_cast<float>(value));
  if (is_half(dtype)) value = rounded_to_half(value, dtype);
  if (dtype == Dtype::boolean) value = value != 0 ? 1 : 0;
  if (is_integer(dtype))
    value = static_cast<double>(reference::wrapped_integer(static_cast<std::int64_t>(value), dtype));
  return add({Kind::number, dtype, false, 0, 0, std::bit_cast<std::uint64_t>(value)});
}

Term Terms::unspecified(Dtype dtype) { return add({Kind::unspecified, dtype, true, 0, 0, 0}); }

Term Terms::list(std::span<const Term> items) {
  std::uint32_t rest = kNothing;
  bool unspecified = false;
  for (std::size_t i = items.size(); i-- > 0;) {
    unspecified = unspecified || node(items[i]).unspecified;
    rest = static_cast<std::uint32_t>(
        add({Kind::list, Dtype::float32, unspecified, static_cast<std::uint32_t>(items[i]), rest, 0}));
  }
  return static_cast<Term>(rest);
}

std::vector<Term> Terms::items(Term list) const {
  std::vector<Term> all;
  for (auto at = static_cast<std::uint32_t>(list); at != kNothing; at = nodes_[at].b)
    all.push_back(static_cast<Term>(nodes_[at].a));
  return all;
}

Term Terms::apply(std::uint32_t symbol, std::uint64_t output, std::span<const Term> arguments, Dtype dtype) {
  if (output == 0 && !arguments.empty() && arguments.size() <= 3) {
    const auto number = [&](std::size_t i) {
      return i < arguments.size() ? static_cast<std::uint32_t>(arguments[i]) : kNothing;
    };
    bool unspecified = false;
    for (const Term argument : arguments) unspecified = unspecified || node(argument).unspecified;
    return add({Kind::apply, dtype, unspecified, symbol, number(0), std::uint64_t{number(2)} << 32U | number(1)});
  }
  const Term of = list(arguments);
  const bool unspecified = static_cast<std::uint32_t>(of) != kNothing && node(of).unspecified;
  return add({Kind::apply_to_list, dtype, unspecified, symbol, static_cast<std::uint32_t>(of), output});
}

std::vector<Term> Terms::arguments(Term term) const {
  const Node& one = node(term);
  if (one.kind == Kind::apply) {
    std::vector<Term> all{static_cast<Term>(one.b)};
    for (const std::uint64_t half : {one.c & kNothing, one.c >> 32U})
      if (half != kNothing) all.push_back(static_cast<Term>(half));
    return all;
  }
  if (one.kind == Kind::list) return items(term);
  return items(static_cast<Term>(one.kind == Kind::bytes ? one.a : one.b));
}

Term Terms::converted(Term term, Dtype dtype) {
  const Node from = node(term);
  if (from.dtype == dtype) return term;
  if (from.kind == Kind::unspecified) return unspecified(dtype);
  if (from.kind == Kind::number) {
    const double value = std::bit_cast<double>(from.c);
    const bool exact = is_floating(dtype) || dtype == Dtype::boolean || !is_floating(from.dtype);
    if (exact) return number(value, dtype);
  }
  return add({Kind::converted, dtype, from.unspecified, static_cast<std::uint32_t>(term), 0, 0});
}

std::vector<Terms::Range> Terms::ranges_of(Term term) const {
  const Node& one = node(term);
  if (one.kind != Kind::bytes) return {{term, 0, static_cast<std::uint32_t>(item_size(one.dtype))}};
  std::vector<Range> ranges;
  for (const Term item : items(static_cast<Term>(one.a))) {
    const Node& range = node(item);
    ranges.push_back({static_cast<Term>(range.a), range.b >> 16U, range.b & 0xffff});
  }
  return ranges;
}

Term Terms::of_ranges(const std::vector<Range>& ranges, Dtype dtype) {
  std::vector<Range> merged;
  for (const Range& range : ranges) {
    if (!merged.empty() && merged.back().producer == range.producer &&
        merged.back().begin + merged.back().size == range.begin)
      merged.back().size += range.size;
    else
      merged.push_back(range);
  }
  const Node first = node(merged[0].producer);
  if (merged.size() == 1 && first.dtype == dtype && merged[0].size == item_size(dtype)) return merged[0].producer;
  std::vector<Term> list_of;
  for (const Range& range : merged)
    list_of.push_back(add({Kind::range, Dtype::float32, node(range.producer).unspecified,
                           static_cast<std::uint32_t>(range.producer), range.begin << 16U | range.size, 0}));
  const Term of = list(list_of);
  return add({Kind::bytes, dtype, node(of).unspecified, static_cast<std::uint32_t>(of), 0, 0});
}

Term Terms::part(Term term, std::uint32_t index, std::uint32_t count, Dtype dtype) {
  const auto size = static_cast<std::uint32_t>(item_size(node(term).dtype)) / count;
  std::vector<Range> cut;
  std::uint32_t at = 0;
  for (const Range& range : ranges_of(term)) {
    const std::uint32_t begin = std::max(at, index * size), end = std::min(at + range.size, (index + 1) * size);
    if (begin < end) cut.push_back({range.producer, range.begin + begin - at, end - begin});
    at += range.size;
  }
  return of_ranges(cut, dtype);
}

Term Terms::joined(std::span<const Term> parts, Dtype dtype) {
  std::vector<Range> all;
  for (const Term part : parts)
    for (const Range& range : ranges_of(part)) all.push_back(range);
  return of_ranges(all, dtype);
}

std::uint32_t Terms::symbol(std::string_view name) {
  const auto [found, added] = symbols_.emplace(std::string(name), static_cast<std::uint32_t>(names_.size()));
  if (added) names_.emplace_back(name);
  return found->second;
}

std::string Terms::text(Term term) const {
  const Node& one = node(term);
  const auto listed = [&](const std::vector<Term>& terms) {
    std::string all;
    for (const Term item : terms) all += (all.empty() ? "" : ", ") + text(item);
    return all;
  };
  switch (one.kind) {
    case Kind::variable:
      return fmt::format("m{}[{}]", one.a, one.b);
    case Kind::number:
      return fmt::format("{}", std::bit_cast<double>(one.c));
    case Kind::unspecified:
      return "unspecified";
    case Kind::apply:
      return fmt::format("{}({})", names_[one.a], listed(arguments(term)));
    case Kind::apply_to_list:
      return fmt::format("{}{}({})", names_[one.a], one.c == 0 ? "" : fmt::format("#{}", one.c),
                         listed(arguments(term)));
    case Kind::list:
      return listed(arguments(term));
    case Kind::converted:
      return fmt::format("{}({})", name_of(one.dtype), text(static_cast<Term>(one.a)));
    case Kind::bytes:
      return fmt::format("{} of bytes({})", name_of(one.dtype), listed(items(static_cast<Term>(one.a))));
    case Kind::range:
      return fmt::format("{}..{} of {}", one.b >> 16U, (one.b >> 16U) + (one.b & 0xffff),
                         text(static_cast<Term>(one.a)));
  }
  return "?";
}

}  // namespace plumbline::validate
