// What a mutant's driver meets: its start, the curated programs, and fuzzing against the reference.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "oracle/mutate/trial.h"

namespace plumbline::mutate {

struct HuntOptions {
  std::string bin;           ///< the folder of plumbline-run, plumbline-fuzz and plumbline-dispatcher
  std::string corpus;        ///< of curated programs
  double seconds = 10;       ///< of each fuzzing
  std::size_t programs = 0;  ///< of each, in place of seconds; 0: as many as fit into them
  bool dispatcher = false;   ///< only programs about the dispatcher
  bool sanitized = false;    ///< drivers were built with sanitizers
  std::function<bool()> stop;
};

/// Drivers meet programs.
class Hunter final : public Trial {
 public:
  /// Runs every step on the driver without a mutant, in the folder. Steps of which no program passes are left out; of
  /// curated programs what counts is another verdict than here. Throws std::runtime_error where fuzzing finds that
  /// driver wrong.
  Hunter(HuntOptions options, const std::string& driver, const std::string& folder);

  /// What does not tell of mutants, with why: steps that are left out, programs that fail anyway.
  const std::vector<std::string>& notes() const override { return notes_; }
  bool has_steps() const override { return !steps_.empty(); }

  /// Takes a mutant of `file` through the steps, until one kills it.
  Fate hunt(const std::string& file, const std::string& driver, const std::string& folder) const override;

 private:
  enum class Kind : std::uint8_t { programs, fuzzing };
  struct Step {
    std::string name;
    Kind kind = Kind::programs;
    std::string_view about;          ///< a folder of the runtime; empty: all of it
    std::vector<std::string> words;  ///< without `--on` and `--json`
    double limit_s = 0;
    std::map<std::string, std::string> verdicts{};  ///< without a mutant, by program
  };
  struct Ran;

  std::vector<Step> all_steps() const;
  /// Learns what a step is without a mutant; false: it tells nothing.
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
