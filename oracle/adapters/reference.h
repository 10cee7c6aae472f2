// The reference as an implementation like any other.
#pragma once

#include <string>
#include <string_view>

#include "oracle/adapter.h"
#include "spec/rule.h"

namespace plumbline {

/// The reference whose functionalized bodies run as alias removal alone gives them, on a backend that refuses views.
inline constexpr std::string_view kReferenceWithoutViews = "reference-without-views";

/// Runs scripts on the reference, under a profile and with at most one rule flipped.
class ReferenceAdapter : public Adapter {
 public:
  explicit ReferenceAdapter(Profile profile, const Rule* flipped = nullptr, std::string name = "reference");

  const Description& describe() const override { return description_; }
  /// A reference that fails by itself (an impossible state) is a Breakdown, which callers take for a harness error.
  RunResult run(const Script& script) override;

 private:
  Profile profile_;
  const Rule* flipped_;
  Description description_;
};

/// What a functionalized form does not promise: how views are tracked and versions counted.
void ignore_what_forms_leave(Description& description);
/// Takes values that are not all known out of a trace: a form may know more of them, or less.
void hide_unknown_values(Trace& trace);

/// The profile, or the rule, of this name; an empty rule name is none. Throws std::runtime_error that lists the
/// choices.
Profile profile_or_throw(const std::string& name);
const Rule* rule_or_throw(const std::string& id);

}  // namespace plumbline
