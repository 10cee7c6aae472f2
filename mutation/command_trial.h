// Mutants of a command meet what it is told to do: it must end as it does without them.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "mutation/trial.h"

namespace plumbline::mutate {

class CommandTrial final : public Trial {
 public:
  /// Gives each of `commands` to the executable without a mutant. One that finds nothing to run (an implementation is
  /// not built) is left out; one that does not end well is an error: std::runtime_error. `source`: where they run;
  /// `bin`: where the executables are that they start.
  CommandTrial(std::string source, std::string bin, std::span<const std::string_view> commands,
               const std::string& driver, std::function<bool()> stop);

  const std::vector<std::string>& notes() const override { return notes_; }
  bool has_steps() const override { return !steps_.empty(); }
  Fate hunt(const std::string& file, const std::string& driver, const std::string& folder) const override;

 private:
  struct Step {
    std::string command;
    int code = 0;  ///< with which it ends without a mutant
    double limit_s = 0;
  };
  struct Ran;
  Ran run(const Step& step, const std::string& driver) const;

  std::string source_, bin_;
  std::function<bool()> stop_;
  std::vector<Step> steps_;
  std::vector<std::string> notes_;
};

}  // namespace plumbline::mutate
