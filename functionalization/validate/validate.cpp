// Comparing the results and the memory of a body and of its functionalized form.
#include "functionalization/validate/validate.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "functionalization/validate/equal.h"
#include "reference/raise.h"
#include "spec/ops/op_ids.h"

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
  make_outside(before_, body);
}

// Variables are terms, which are equal on both machines.
void Validator::make_outside(Machine& machine, const passes::Body& body) {
  machine.clear();
  std::vector<Dtype> dtypes(body.storages.size(), Dtype::float32);
  for (const Facts& facts : body.outside) dtypes[static_cast<std::size_t>(facts.storage)] = facts.dtype;
  for (std::size_t i = 0; i < body.storages.size(); ++i) machine.add_storage(body.storages[i], dtypes[i]);
  for (std::size_t i = 0; i < body.outside.size(); ++i) machine.add_tensor(static_cast<Slot>(i), body.outside[i]);
}

Validated Validator::validate_after_run(const passes::Body& body, const passes::Program& program) {
  make_outside(after_, body);
  std::optional<std::string> misjudged;
  try {
    misjudged = run_program(program);
  } catch (const reference::Raise& raised) {
    return {.difference = "the functionalized body raises: " + raised.failure.message};
  } catch (const reference::ReferenceLimit& limit) {
    return {.difference = std::string("the functionalized body has ") + limit.what()};
  } catch (const std::out_of_range&) {
    return {.difference = "the functionalized body reaches outside a storage"};
  }
  Validated found = compare(body, program);
  if (!found.difference) found.difference = std::move(misjudged);
  return found;
}

std::optional<std::string> Validator::run_program(const passes::Program& program) {
  std::optional<std::string> wrong;
  const auto look = [&](Slot slot) {
    const auto i = static_cast<std::size_t>(slot);
    if (i >= program.values.size() || wrong) return;
    const passes::Value& value = program.values[i];
    if (after_.is_of(slot, value.sizes, value.dtype)) return;
    const Facts made = after_.facts(slot);
    wrong = fmt::format("the value {} is {} [{}], but the passes expect {} [{}]", program.names[i], name_of(made.dtype),
                        fmt::join(made.sizes, ", "), name_of(value.dtype), fmt::join(value.sizes, ", "));
  };
  // A result that is converted immediately has the dtype of its computation, which the passes do not check.
  const auto converts = [](const Statement& statement, Slot slot) {
    const auto* call = std::get_if<Call>(&statement.kind);
    return call != nullptr && call->op == OpId::_to_copy && call->arguments[0] == Value(slot);
  };
  for (const auto* statements : {&program.core, &program.epilogue})
    for (std::size_t i = 0; i < statements->size(); ++i) {
      after_.run((*statements)[i]);
      const auto* call = std::get_if<Call>(&(*statements)[i].kind);
      if (call == nullptr) continue;
      for (const Slot slot : call->results)
        if (i + 1 == statements->size() || !converts((*statements)[i + 1], slot)) look(slot);
    }
  return wrong;
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

bool Validator::compare_terms(const Name& name, const std::vector<Term>& before, const std::vector<Term>& after,
                              Validated& found) const {
  if (before.size() != after.size()) {
    found.difference = fmt::format("{} has {} elements, functionalized {}", name(), before.size(), after.size());
    return false;
  }
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (before[i] == after[i] || !terms_.is_specified(before[i])) continue;
    const Settled settled = ask_solver(terms_, before[i], after[i]);
    ++found.asked;
    if (settled.equal) {
      ++found.equal;
      continue;
    }
    found.difference = fmt::format("element {} of {}: {}, functionalized {}", i, name(), terms_.text(before[i]),
                                   terms_.text(after[i]));
    if (!settled.unknown.empty())
      *found.difference += fmt::format(" (Z3 cannot decide whether they are equal: {})", settled.unknown);
    found.terms = std::pair(before[i], after[i]);
    return false;
  }
  return true;
}

Validated Validator::compare(const passes::Body& body, const passes::Program& program) {
  Validated found;
  compare(body, program, found);
  return found;
}

void Validator::compare(const passes::Body& body, const passes::Program& program, Validated& found) const {
  for (std::size_t i = 0; i < body.storages.size(); ++i) {
    const auto name = [i] { return fmt::format("the memory of m{}", i); };
    const auto number = static_cast<std::int32_t>(i);
    if (!compare_terms(name, before_.memory(number), after_.memory(number), found)) return;
    if (before_.memory_dtype(number) != after_.memory_dtype(number))
      found.difference = fmt::format("{} holds {}, functionalized {}", name(), name_of(before_.memory_dtype(number)),
                                     name_of(after_.memory_dtype(number)));
    if (found.difference) return;
  }
  if (body.returned.size() != program.returned.size()) {
    found.difference = fmt::format("{} results, functionalized {}", body.returned.size(), program.returned.size());
    return;
  }
  // What the caller sees: the outside tensors, then the results.
  const std::size_t outside = body.outside.size();
  const auto was = [&](std::size_t i) { return i < outside ? static_cast<Slot>(i) : body.returned[i - outside]; };
  const auto is = [&](std::size_t i) { return i < outside ? static_cast<Slot>(i) : program.returned[i - outside]; };
  const auto name_of_one = [&](std::size_t i) {
    return i < outside ? body.names[i] : fmt::format("result {}", i - outside);
  };
  for (std::size_t i = 0; i < outside + body.returned.size(); ++i) {
    const auto name = [&] { return name_of_one(i); };
    found.difference = compare_facts(name, was(i), is(i));
    if (found.difference) return;
    const bool has_own_memory = i < outside && before_.storage(was(i)) == body.outside[i].storage;  // compared above
    if (!has_own_memory && !compare_terms(name, before_.elements(was(i)), after_.elements(is(i)), found)) return;
    for (std::size_t j = 0; j < i; ++j) {
      const bool shared = before_.storage(was(i)) == before_.storage(was(j));
      if (shared == (after_.storage(is(i)) == after_.storage(is(j)))) continue;
      found.difference = fmt::format("{} {} memory with {}, functionalized the opposite", name(),
                                     shared ? "shares" : "does not share", name_of_one(j));
      return;
    }
  }
}

}  // namespace plumbline::validate
