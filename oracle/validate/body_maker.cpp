// Making bodies step by step.
#include "oracle/validate/generate.h"
#include "oracle/validate/validate.h"
#include "reference/raise.h"

namespace plumbline::validate {

using reference::functionalize::Step;

void BodyMaker::restart() {
  body_ = {};
  now_.clear();
}

Slot BodyMaker::add_variable() {
  body_.names.push_back("v" + std::to_string(body_.names.size()));
  now_.emplace_back();
  return static_cast<Slot>(now_.size() - 1);
}

std::int32_t BodyMaker::add_memory(std::int64_t elements) {
  body_.storages.push_back(elements);
  return static_cast<std::int32_t>(body_.storages.size()) - 1;
}

Slot BodyMaker::add_outside(const Facts& facts, bool captured) {
  const Slot slot = add_variable();
  body_.outside.push_back(facts);
  (captured ? body_.captured : body_.inputs).push_back(slot);
  now_[static_cast<std::size_t>(slot)] = facts;
  return slot;
}

void BodyMaker::begin() { validator_.begin(body_); }

bool BodyMaker::perform(Call call, std::size_t results, bool composite) {
  const std::size_t variables = now_.size();
  const int written = written_argument(op(call.op));
  for (std::size_t i = 0; i < results; ++i) call.results.push_back(add_variable());
  Step step;
  try {
    validator_.before().run(call);
    const auto given = [&](Slot slot) {
      now_[static_cast<std::size_t>(slot)] = validator_.before().facts(slot);
      step.facts.push_back(facts(slot));
    };
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
