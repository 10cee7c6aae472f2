// Making bodies step by step.
#include <algorithm>

#include "functionalization/validate/generate.h"
#include "functionalization/validate/validate.h"
#include "reference/raise.h"

namespace plumbline::validate {

using reference::functionalize::Step;

namespace {

/// "v0", "v1", …: all bodies share these names.
std::string name_of(std::size_t variable) {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (int i = 0; i < 64; ++i) all.push_back("v" + std::to_string(i));
    return all;
  }();
  return variable < names.size() ? names[variable] : "v" + std::to_string(variable);
}

}  // namespace

void BodyMaker::restart() {
  body_.inputs.clear();  // the vectors keep their memory
  body_.captured.clear();
  body_.outside.clear();
  body_.callers.clear();
  body_.storages.clear();
  body_.steps.clear();
  body_.returned.clear();
  body_.names.clear();
  now_.clear();
}

Slot BodyMaker::add_variable() {
  body_.names.push_back(name_of(body_.names.size()));
  now_.emplace_back();
  return static_cast<Slot>(now_.size() - 1);
}

std::int32_t BodyMaker::add_memory(std::int64_t elements) {
  body_.storages.push_back(elements);
  return static_cast<std::int32_t>(body_.storages.size()) - 1;
}

Slot BodyMaker::add_outside(const Facts& facts, bool captured) {
  const Slot slot = add_variable();
  now_.back().place = body_.outside.size();
  body_.outside.push_back(facts);
  (captured ? body_.captured : body_.inputs).push_back(slot);
  return slot;
}

void BodyMaker::begin() { validator_.begin(body_); }

bool BodyMaker::is_captured(std::int32_t storage) const {
  const auto has_it = [&](Slot slot) { return body_.outside[static_cast<std::size_t>(slot)].storage == storage; };
  return std::ranges::any_of(body_.captured, has_it) && std::ranges::none_of(body_.inputs, has_it);
}

std::int64_t BodyMaker::capacity(Slot slot) const { return validator_.before().capacity(slot); }

bool BodyMaker::perform(Call call, std::size_t results, bool composite) {
  const std::size_t variables = now_.size();
  const int written = written_argument(op(call.op));
  for (std::size_t i = 0; i < results; ++i) call.results.push_back(add_variable());
  Step step;
  try {
    validator_.before().run(call);
    const auto given = [&](Slot slot) {
      now_[static_cast<std::size_t>(slot)] = {static_cast<std::int64_t>(body_.steps.size()), step.facts.size()};
      step.facts.push_back(validator_.before().facts(slot));
    };
    step.facts.reserve(std::max<std::size_t>(results, 1));
    if (written >= 0) {
      call.results = {std::get<Slot>(call.arguments[static_cast<std::size_t>(written)])};
      given(call.results[0]);
    }
    for (std::size_t i = variables; i < now_.size(); ++i) given(static_cast<Slot>(i));
  } catch (const reference::Raise&) {
    step.facts.clear();
  } catch (const reference::ReferenceLimit&) {
    step.facts.clear();
  }
  if (step.facts.empty()) {
    now_.resize(variables);
    body_.names.resize(variables);
    return false;
  }
  step.composite = composite;
  step.call = std::move(call);
  body_.steps.push_back(std::move(step));
  return true;
}

}  // namespace plumbline::validate
