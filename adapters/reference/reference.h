// The reference as an adapter.
#pragma once

#include <string>
#include <string_view>

#include "adapters/adapter.h"
#include "reference/state.h"
#include "spec/rules/rule.h"

namespace plumbline {

/// The reference whose functionalized bodies run without views, as alias removal leaves them, on a backend without
/// views.
inline constexpr std::string_view kReferenceWithoutViews = "reference-without-views";

/// Runs scripts on the reference, under a profile and with at most one rule flipped.
class ReferenceAdapter : public Adapter {
 public:
  explicit ReferenceAdapter(Profile profile, const Rule* flipped = nullptr, std::string name = "reference");

  const Description& describe() const override { return description_; }
  /// How it decides.
  reference::Judge judge() const;
  /// An internal error of the reference (an impossible state) is a Breakdown; callers report it as a harness error.
  RunResult run(const Script& script) override;

 private:
  Profile profile_;
  const Rule* flipped_;
  Description description_;
};

/// What a functionalized form does not promise: how views are tracked and versions counted.
void ignore_what_forms_leave(Description& description);
/// Removes values that are not all known from a trace: a form may know more or fewer of them.
void hide_unknown_values(Trace& trace);

/// The profile or the rule of this name; null for an empty rule name. Throws std::runtime_error that says what to do
/// for an unknown name.
Profile profile_or_throw(const std::string& name);
const Rule* rule_or_throw(const std::string& id);

}  // namespace plumbline
