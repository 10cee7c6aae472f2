// Planted faults: what the self-test does wrong on purpose, between an implementation's replies and the comparison or
// in the reference.
#pragma once

#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "oracle/adapter.h"
#include "spec/rule.h"

namespace plumbline::fuzz {

/// One fault: an edit of what the implementation replied, or a rule that the reference misreads.
struct Fault {
  std::string_view name;
  std::string_view sentence;
  std::function<void(const Script&, RunResult&)> edit;  ///< none: `flip` is the fault
  const Rule* flip = nullptr;
};

/// All of them.
std::vector<Fault> planted_faults();

/// An adapter whose replies are edited.
class FaultyAdapter final : public Adapter {
 public:
  FaultyAdapter(std::unique_ptr<Adapter> inner, std::function<void(const Script&, RunResult&)> edit)
      : inner_(std::move(inner)), edit_(std::move(edit)) {}

  const Description& describe() const override { return inner_->describe(); }
  RunResult run(const Script& script) override;
  std::vector<RunResult> run_all(std::span<const Script> scripts) override;

 private:
  std::unique_ptr<Adapter> inner_;
  std::function<void(const Script&, RunResult&)> edit_;
};

}  // namespace plumbline::fuzz
