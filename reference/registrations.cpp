// What a program registers with torch.library, and what it asks of it.
#include "reference/registrations.h"

#include <map>
#include <utility>

#include "reference/custom_operator.h"
#include "reference/dispatcher/call_keys.h"
#include "reference/dispatcher/registry.h"
#include "reference/dispatcher/shipped.h"
#include "reference/raise.h"
#include "spec/vocabulary/error_texts.h"
#include "spec/vocabulary/schema.h"

namespace plumbline::reference {

namespace {

Fallbacks made_with_recording(const KeyLayout& layout) {
  Fallbacks fallbacks = shipped_fallbacks(layout);
  // 1.13's fallback of Autograd falls through. One that records nothing does the same, and AUT-62 can say so.
  for (std::size_t i = 0; i < fallbacks.size(); ++i)
    if (fallbacks[i] == kFallthrough && name_of(layout, key_at(layout, static_cast<int>(i))).starts_with("Autograd"))
      fallbacks[i] = kAutogradFallback;
  return fallbacks;
}

/// Made once for each layout, because each new registry needs them.
const Fallbacks& with_recording(const KeyLayout& layout) {
  static const auto all = [] {
    std::map<const KeyLayout*, Fallbacks> made;
    for (const ProfileInfo& info : kProfiles)
      made.try_emplace(&layout_of(info.profile), made_with_recording(layout_of(info.profile)));
    return made;
  }();
  return all.at(&layout);
}

std::shared_ptr<Registry> copied_registry(const Judge& judge, const State& state) {
  const KeyLayout& layout = layout_of(judge.profile);
  return state.registry ? std::make_shared<Registry>(*state.registry)
                        : std::make_shared<Registry>(layout, with_recording(layout));
}

/// Changes a copy of the registry, so that a state that was copied before keeps its own.
template <class Change>
void change_registry(const Judge& judge, State& state, const std::string& library, const Change& change) {
  auto changed = copied_registry(judge, state);
  if (!library.empty() && !changed->holds(library))
    throw ReferenceLimit("a library that could not be made is used: " + library);
  change(*changed);
  state.registry = std::move(changed);
}

}  // namespace

void make_library(const Judge& judge, State& state, const MakeLibrary& make) {
  change_registry(judge, state, "", [&](Registry& registry) { registry.make(make); });
}
void define_operator(const Judge& judge, State& state, const DefineOperator& define) {
  const CustomOperator& op = operator_at(state, define.op);
  const std::string twice = error_message(ErrorClass::defined_twice, {space_of(op.name) + "::" + schema_text(op)});
  change_registry(judge, state, define.library, [&](Registry& registry) {
    registry.define(judge, define.library, own_name(op.name), define.op, twice);
  });
}
void add_kernel(const Judge& judge, State& state, const AddKernel& add) {
  const CustomOperator& op = operator_at(state, add.op);
  change_registry(judge, state, add.library, [&](Registry& registry) {
    registry.add(judge, add.library, own_name(op.name), add.key, add.kernel.value_or(kFallthrough));
  });
}
void drop_library(const Judge& judge, State& state, const DropLibrary& drop) {
  change_registry(judge, state, drop.library, [&](Registry& registry) { registry.drop(judge, drop.library); });
}
void add_fallback(const Judge& judge, State& state, const AddFallback& add) {
  change_registry(judge, state, add.library, [&](Registry& registry) {
    registry.add_fallback(judge, add.library, add.key, add.kernel.value_or(kFallthrough));
  });
}

bool query_kernel(const Judge& judge, const State& state, const QueryKernel& query) {
  return (state.registry ? state.registry : copied_registry(judge, state))->answer(judge, query);
}

bool query_thread_key(const Judge& judge, const State& state, const QueryThreadKey& query) {
  // c10's `has`: the key's functionality and, where it has one, its backend.
  const KeySet<Concrete> key = keys_named(judge, query.key);
  const KeySet<Concrete> set = query.excluded ? state.tls.excluded : state.tls.included;
  return ((set & key) == key).v;
}

}  // namespace plumbline::reference
