// What a mutant meets, and how it was found out.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace plumbline::mutate {

/// How a mutant was found out.
enum class Kill : std::uint8_t {
  none,
  divergence,  ///< a program has another outcome than the reference, or a test fails
  crash,       ///< it died, or ended
  hang,        ///< it did not answer, or a step took far longer than it does without a mutant
  refused,     ///< it did not start
  report       ///< a sanitizer reported an error or a leak
};
std::string_view name_of(Kill kill);

/// What became of a mutant's executable.
struct Fate {
  Kill kill = Kill::none;
  std::string step;     ///< that killed it: "curated programs"
  std::string what;     ///< what was seen there
  std::string command;  ///< that shows it, given the executable
  std::string failure;  ///< where a step failed by itself: why; nothing is known then
  bool stopped = false;
};

/// Takes mutants' executables through whatever may kill them.
class Trial {
 public:
  virtual ~Trial() = default;

  /// What does not tell of mutants, with why.
  virtual const std::vector<std::string>& notes() const = 0;
  /// False: it was interrupted before it knew the executable without a mutant.
  virtual bool has_steps() const = 0;
  /// Takes a mutant of `file` through the steps, until one kills it.
  virtual Fate hunt(const std::string& file, const std::string& driver, const std::string& folder) const = 0;
};

}  // namespace plumbline::mutate
