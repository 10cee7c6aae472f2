// The reference as an adapter.
#include "adapters/reference/reference.h"

#include <fmt/format.h>

#include <exception>
#include <stdexcept>
#include <utility>

#include "reference/functionalized.h"
#include "reference/machine.h"
#include "reference/raise.h"
#include "spec/rules/catalogue.h"

namespace plumbline {

ReferenceAdapter::ReferenceAdapter(Profile profile, const Rule* flipped, std::string name)
    : profile_(profile), flipped_(flipped) {
  description_.name = std::move(name);
  description_.version = PLUMBLINE_VERSION;
  description_.profile = name_of(profile);
  description_.fields.fill(Strictness::exact);
  description_.thread.fill(Strictness::exact);
  description_.closeness = Closeness{0};
  if (flipped == &reference::kWithoutViews) ignore_what_forms_leave(description_);
}

void ignore_what_forms_leave(Description& description) {
  for (const Field field : {Field::version, Field::is_view, Field::base, Field::creation_meta})
    description.fields[static_cast<std::size_t>(field)] = Strictness::ignore;
}

void hide_unknown_values(Trace& trace) {
  for (Outcome& outcome : trace.outcomes)
    for (TensorReading& tensor : outcome.tensors) {
      Reading& values = tensor.fields[static_cast<std::size_t>(Field::values)];
      const auto* read = std::get_if<Values>(&values);
      if (read != nullptr && !read->known.empty()) values = std::monostate{};
    }
}

reference::Judge ReferenceAdapter::judge() const { return {.profile = profile_, .flipped = flipped_}; }

RunResult ReferenceAdapter::run(const Script& script) {
  try {
    Trace trace = reference::run(judge(), script);
    if (flipped_ == &reference::kWithoutViews) hide_unknown_values(trace);
    return trace;
  } catch (const reference::ReferenceLimit& limit) {
    return Breakdown{Breakdown::Kind::limit, fmt::format("the reference cannot execute {} yet", limit.what())};
  } catch (const std::exception& error) {
    return Breakdown{Breakdown::Kind::crash, fmt::format("the reference failed: {}", error.what())};
  }
}

Profile profile_or_throw(const std::string& name) {
  if (const auto profile = profile_named(name)) return *profile;
  std::string choices;
  for (const ProfileInfo& info : kProfiles) choices += fmt::format("{}{}", choices.empty() ? "" : ", ", info.name);
  throw std::runtime_error(fmt::format("unknown profile '{}'; the profiles are {}", name, choices));
}

const Rule* rule_or_throw(const std::string& id) { return id.empty() ? nullptr : &asked_rule(id); }

}  // namespace plumbline
