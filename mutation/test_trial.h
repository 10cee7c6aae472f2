// Running the tests of a mutated test executable.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "mutation/trial.h"

namespace plumbline::mutate {

class TestTrial final : public Trial {
 public:
  /// Runs the tests without a mutant. Throws std::runtime_error if they do not pass. `source`: the folder they run in.
  TestTrial(std::string source, const std::string& driver, std::function<bool()> stop);

  const std::vector<std::string>& notes() const override { return notes_; }
  bool has_steps() const override { return limit_s_ > 0; }
  Fate hunt(const std::string& file, const std::string& driver, const std::string& folder) const override;

 private:
  std::string source_;
  std::function<bool()> stop_;
  std::vector<std::string> notes_;
  double limit_s_ = 0;
};

}  // namespace plumbline::mutate
