// A process that calls operators for the sweep (docs/SWEEP.md), and is started again after a crash.
#pragma once

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "support/child.h"
#include "sweep/experiment.h"

namespace plumbline::sweep {

/// What an implementation is: its operators and its version.
struct Registered {
  std::string version;
  std::vector<Operator> operators;
  std::vector<Setting> settings{std::begin(kSettings), std::end(kSettings)};  ///< those that it can call in
};

/// Calls operators. Not thread-safe.
class Caller {
 public:
  virtual ~Caller() = default;
  virtual Registered registered() = 0;
  virtual std::variant<Observation, Broken> call(const Experiment& experiment) = 0;
};

/// Speaks with a child process. The thread that makes it must outlive it.
class ProcessCaller final : public Caller {
 public:
  /// `words`: its command line. `timeout_s`: for one call.
  ProcessCaller(std::vector<std::string> words, double timeout_s);
  ~ProcessCaller() override;

  /// Throws std::runtime_error if the process does not start or does not follow docs/SWEEP.md.
  Registered registered() override;
  std::variant<Observation, Broken> call(const Experiment& experiment) override;

 private:
  std::variant<std::string, Broken> ask(const std::string& request, double timeout_s);
  Broken died();

  std::vector<std::string> words_;
  double timeout_s_;
  std::unique_ptr<Child> child_;
};

}  // namespace plumbline::sweep
