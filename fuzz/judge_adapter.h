// The reference under a given judge, as an implementation: for variants of rules, flips, and tests.
#pragma once

#include "adapters/adapter.h"
#include "reference/machine.h"
#include "reference/raise.h"
#include "spec/vocabulary/profile.h"

namespace plumbline::fuzz {

class JudgeAdapter final : public Adapter {
 public:
  explicit JudgeAdapter(const reference::Judge& judge) : judge_(judge) {
    description_.name = "reference";
    description_.version = "0.1.0";
    description_.profile = name_of(judge.profile);
    description_.fields.fill(Strictness::exact);
    description_.thread.fill(Strictness::exact);
  }

  const Description& describe() const override { return description_; }
  RunResult run(const Script& script) override {
    try {
      return reference::run(judge_, script);
    } catch (const reference::ReferenceLimit& limit) {
      return Breakdown{Breakdown::Kind::limit, limit.what()};
    }
  }

 private:
  reference::Judge judge_;
  Description description_;
};

}  // namespace plumbline::fuzz
