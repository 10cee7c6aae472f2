// Testing a mutant's driver: its start, the curated programs, and fuzzing against the reference.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "mutation/trial.h"

namespace plumbline::mutate {

struct HuntOptions {
  std::string bin;           ///< the folder of plumbline-run and plumbline-fuzz
  std::string corpus;        ///< the folder of curated programs
  double seconds = 10;       ///< the length of each fuzzing step
  std::size_t programs = 0;  ///< the length of each fuzzing step in programs; 0: `seconds` decides
  bool dispatcher = false;   ///< only programs about the dispatcher
  bool sanitized = false;    ///< drivers were built with sanitizers
  std::function<bool()> stop;
};

/// Runs programs on drivers.
class Hunter final : public Trial {
 public:
  /// Runs every step on the driver without a mutant, in the folder. Leaves out steps in which no program passes. A
  /// mutant is killed if a curated program has another verdict than here. Throws std::runtime_error if fuzzing finds a
  /// difference in this driver.
  Hunter(HuntOptions options, const std::string& driver, const std::string& folder);

  /// What cannot kill mutants, with the reason: steps that are left out, programs that fail without a mutant.
  const std::vector<std::string>& notes() const override { return notes_; }
  bool has_steps() const override { return !steps_.empty(); }

  /// Runs the steps on a mutant of `file` until one kills it.
  Fate hunt(const std::string& file, const std::string& driver, const std::string& folder) const override;

 private:
  enum class Kind : std::uint8_t { programs, fuzzing };
  struct Step {
    std::string name;
    Kind kind = Kind::programs;
    std::string_view about;          ///< the folder of the runtime that it is for; empty: all of it
    std::vector<std::string> words;  ///< without `--on` and `--json`
    double limit_s = 0;
    std::map<std::string, std::string> verdicts{};  ///< the verdicts without a mutant, by program
  };
  struct Ran;

  std::vector<Step> all_steps() const;
  /// Runs a step without a mutant; false if the step cannot kill mutants.
  bool learn(Step& step, const std::string& driver, const std::string& folder);
  std::string on(const std::string& driver, const std::string& folder) const;
  Ran run(const Step& step, const std::string& driver, const std::string& folder) const;
  void judge(const Step& step, const Ran& ran, Fate& fate) const;

  HuntOptions options_;
  std::vector<Step> steps_;
  std::vector<std::string> notes_;
  bool leaks_count_ = true;
};

}  // namespace plumbline::mutate
