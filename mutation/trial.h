// Testing a mutant, and how it was killed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace plumbline::mutate {

/// How much output of a step is read, and how long it may run: the first time, without a mutant, and with one.
inline constexpr std::size_t kStepOutput = std::size_t{64} << 20U;
inline constexpr double kFirstLimit_s = 900;
constexpr double limit_s(double usual_s) { return 60 + 20 * usual_s; }

/// How a mutant was killed.
enum class Kill : std::uint8_t {
  none,
  divergence,  ///< a program has another outcome than the reference, or a test fails
  crash,       ///< it died or exited
  hang,        ///< it did not answer, or a step took much longer than without a mutant
  refused,     ///< it did not start
  report       ///< a sanitizer reported an error or a leak
};
std::string_view name_of(Kill kill);

/// The result for a mutant's executable.
struct Fate {
  Kill kill = Kill::none;
  std::string step;     ///< the step that killed it: "curated programs"
  std::string what;     ///< what the step saw
  std::string command;  ///< a command that shows it, given the executable
  std::string failure;  ///< why a step failed by itself, if it did; then nothing is known
  bool stopped = false;
};

/// Tests mutants' executables.
class Trial {
 public:
  virtual ~Trial() = default;

  /// What cannot kill mutants, with the reason.
  virtual const std::vector<std::string>& notes() const = 0;
  /// False if it was interrupted before it had run the executable without a mutant.
  virtual bool has_steps() const = 0;
  /// Runs the steps on a mutant of `file` until one kills it.
  virtual Fate hunt(const std::string& file, const std::string& driver, const std::string& folder) const = 0;
};

}  // namespace plumbline::mutate
