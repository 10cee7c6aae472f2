// Facts about the arguments of a call, which need no run.
#include "oracle/facts_of_arguments.h"

#include <algorithm>
#include <string_view>

#include "spec/vocabulary/schema.h"

namespace plumbline {

namespace {

/// The value of the call's argument of this name, or null.
const Value* argument_named(const Call& call, std::string_view name) {
  for (std::size_t i = 0; i < call.arguments.size(); ++i)
    if (op(call.op).arguments[i].name == name) return &call.arguments[i];
  return nullptr;
}

bool has_negative_size(const Call& call) {
  const Value* size = argument_named(call, "size");
  const auto* sizes = size == nullptr ? nullptr : std::get_if<std::vector<std::int64_t>>(size);
  return sizes != nullptr && std::ranges::any_of(*sizes, [](std::int64_t one) { return one < 0; });
}

bool takes_a_zero(const Call& call) {
  return std::ranges::any_of(call.arguments, [](const Value& one) { return one == Value(std::int64_t{0}); });
}

bool counts_from_the_end(const Call& call) {
  const Value* dim = argument_named(call, "dim");
  const auto* number = dim == nullptr ? nullptr : std::get_if<std::int64_t>(dim);
  return number != nullptr && *number < 0;
}

bool takes_an_alpha(const Call& call) {
  const Value* alpha = argument_named(call, "alpha");
  return alpha != nullptr && *alpha != Value(std::int64_t{1});
}

bool keeps_all_dimensions(const Call& call) {
  const Value* dim = argument_named(call, "dim");
  const Value* keepdim = argument_named(call, "keepdim");
  return dim != nullptr && std::holds_alternative<None>(*dim) && keepdim != nullptr && *keepdim == Value(true);
}

}  // namespace

void add_facts_of_arguments(std::set<std::string>& facts, const Call& call) {
  if (has_negative_size(call)) facts.insert("negative_size");
  if (takes_a_zero(call)) facts.insert("takes_a_zero");
  if (counts_from_the_end(call)) facts.insert("counts_from_the_end");
  if (takes_an_alpha(call)) facts.insert("takes_an_alpha");
  if (keeps_all_dimensions(call)) facts.insert("keeps_all_dimensions");
}

}  // namespace plumbline
