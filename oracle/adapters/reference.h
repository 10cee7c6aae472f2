// The reference as an implementation like any other.
#pragma once

#include "oracle/adapter.h"
#include "spec/rule.h"

namespace plumbline {

/// Runs scripts on the reference, under a profile and with at most one rule flipped.
class ReferenceAdapter : public Adapter {
 public:
  explicit ReferenceAdapter(Profile profile, const Rule* flipped = nullptr);

  const Description& describe() const override { return description_; }
  /// A reference that fails by itself (an impossible state) is a Breakdown, which callers take for a harness error.
  RunResult run(const Script& script) override;

 private:
  Profile profile_;
  const Rule* flipped_;
  Description description_;
};

/// The profile, or the rule, of this name; an empty rule name is none. Throws std::runtime_error that lists the
/// choices.
Profile profile_or_throw(const std::string& name);
const Rule* rule_or_throw(const std::string& id);

}  // namespace plumbline
