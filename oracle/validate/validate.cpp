// Comparing what a body and its functionalized form leave behind.
#include "oracle/validate/validate.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "reference/raise.h"

namespace plumbline::validate {

Validated Validator::validate(const passes::Body& body, const passes::Program& program) {
  begin(body);
  for (const passes::Step& step : body.steps) {
    if (step.made)
      before_.run(*step.made);
    else
      before_.run(step.call);
  }
  return validate_after_run(body, program);
}

void Validator::begin(const passes::Body& body) {
  terms_.clear();
  before_.clear();
  after_.clear();
  std::vector<Dtype> dtypes(body.storages.size(), Dtype::float32);
  for (const Facts& facts : body.outside) dtypes[static_cast<std::size_t>(facts.storage)] = facts.dtype;
  for (std::size_t i = 0; i < body.storages.size(); ++i)
    after_.add_storage(before_.memory(before_.add_storage(body.storages[i], dtypes[i])), dtypes[i]);
  for (Machine* const machine : {&before_, &after_})
    for (std::size_t i = 0; i < body.outside.size(); ++i) machine->add_tensor(static_cast<Slot>(i), body.outside[i]);
}

Validated Validator::validate_after_run(const passes::Body& body, const passes::Program& program) {
  try {
    for (const auto* statements : {&program.core, &program.epilogue})
      for (const Statement& statement : *statements) after_.run(statement);
  } catch (const reference::Raise& raised) {
    return {"the functionalized body raises: " + raised.failure.message, std::nullopt};
  } catch (const reference::ReferenceLimit& limit) {
    return {std::string("the functionalized body has ") + limit.what(), std::nullopt};
  } catch (const std::out_of_range&) {
    return {"the functionalized body reaches outside a storage", std::nullopt};
  }
  return compare(body, program);
}

std::optional<std::string> Validator::compare_facts(const Name& name, Slot was, Slot is) const {
  if (before_.sees_alike(was, after_, is)) return std::nullopt;
  const Facts before = before_.facts(was), after = after_.facts(is);
  if (before.dtype != after.dtype)
    return fmt::format("dtype of {}: {}, functionalized {}", name(), name_of(before.dtype), name_of(after.dtype));
  if (before.sizes != after.sizes)
    return fmt::format("sizes of {}: [{}], functionalized [{}]", name(), fmt::join(before.sizes, ", "),
                       fmt::join(after.sizes, ", "));
  if (before.strides != after.strides)
    return fmt::format("strides of {}: [{}], functionalized [{}]", name(), fmt::join(before.strides, ", "),
                       fmt::join(after.strides, ", "));
  if (before.offset != after.offset)
    return fmt::format("offset of {}: {}, functionalized {}", name(), before.offset, after.offset);
  return std::nullopt;
}

Validated Validator::compare_terms(const Name& name, const std::vector<Term>& before, const std::vector<Term>& after) {
  if (before.size() != after.size())
    return {fmt::format("{} has {} elements, functionalized {}", name(), before.size(), after.size()), std::nullopt};
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (before[i] == after[i] || !terms_.is_specified(before[i])) continue;
    return {fmt::format("element {} of {}: {}, functionalized {}", i, name(), terms_.text(before[i]),
                        terms_.text(after[i])),
            std::pair(before[i], after[i])};
  }
  return {};
}

Validated Validator::compare(const passes::Body& body, const passes::Program& program) {
  for (std::size_t i = 0; i < body.outside.size(); ++i) {
    const auto slot = static_cast<Slot>(i);
    if (auto wrong = compare_facts([&] { return body.names[i]; }, slot, slot)) return {wrong, {}};
  }
  for (std::size_t i = 0; i < body.storages.size(); ++i) {
    auto held =
        compare_terms([i] { return fmt::format("the memory of m{}", i); }, before_.memory(static_cast<std::int32_t>(i)),
                      after_.memory(static_cast<std::int32_t>(i)));
    if (held.difference) return held;
  }
  if (body.returned.size() != program.returned.size())
    return {fmt::format("{} results, functionalized {}", body.returned.size(), program.returned.size()), {}};
  for (std::size_t i = 0; i < body.returned.size(); ++i) {
    const auto name = [i] { return fmt::format("result {}", i); };
    const Slot was = body.returned[i], is = program.returned[i];
    if (auto wrong = compare_facts(name, was, is)) return {wrong, {}};
    auto held = compare_terms(name, before_.elements(was), after_.elements(is));
    if (held.difference) return held;
    const auto shares = [](const Machine& machine, Slot a, Slot b) { return machine.storage(a) == machine.storage(b); };
    for (std::size_t j = 0; j < body.outside.size(); ++j)
      if (shares(before_, was, static_cast<Slot>(j)) != shares(after_, is, static_cast<Slot>(j)))
        return {fmt::format("{} {} memory with {}, functionalized not so", name(),
                            shares(before_, was, static_cast<Slot>(j)) ? "shares" : "does not share", body.names[j]),
                {}};
    for (std::size_t j = 0; j < i; ++j)
      if (shares(before_, was, body.returned[j]) != shares(after_, is, program.returned[j]))
        return {fmt::format("{} {} memory with result {}, functionalized not so", name(),
                            shares(before_, was, body.returned[j]) ? "shares" : "does not share", j),
                {}};
  }
  return {};
}

}  // namespace plumbline::validate
