// A runner as a child process: one JSON line per request, one per answer.
#pragma once

#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/child.h"

namespace plumbline::bench {

using Json = nlohmann::ordered_json;

/// The process could not be started, ended, hung, or broke the protocol.
struct RunnerFailed : std::runtime_error {
  using std::runtime_error::runtime_error;
};
/// The runner cannot measure this case and says why: its sides have different outcomes, or one raised.
struct CaseFailed : std::runtime_error {
  using std::runtime_error::runtime_error;
};
/// The user pressed Ctrl-C.
struct Interrupted : std::runtime_error {
  Interrupted() : std::runtime_error("interrupted") {}
};

/// Nanoseconds by side, a value for each repetition.
using Times = std::map<std::string, std::vector<double>>;

struct CaseInfo {
  std::string id;
  bool countable = true;  ///< its instructions are counted in acceptable time
  bool heavy = false;     ///< a measurement of it takes seconds
};

/// How a runner describes itself.
struct RunnerInfo {
  std::string name;
  std::vector<std::string> sides;
  std::vector<CaseInfo> cases;
  std::string cpu;
  int cpus = 1;
  Json libraries = Json::array();  ///< path, bytes and changed_ns of each that is loaded
  bool counts_instructions = false;
  bool counts_memory = false;
};

/// Throws RunnerFailed.
class Runner {
 public:
  /// Starts `words` and asks for its description, which may take `limit_s`.
  explicit Runner(std::vector<std::string> words, double limit_s = 120);

  const RunnerInfo& info() const { return info_; }

  /// Throws CaseFailed and Interrupted, too.
  Times time(const std::string& id, const std::vector<std::string>& sides, int repetitions, double seconds);
  /// Instructions by side. The runner must count them.
  std::map<std::string, double> count(const std::string& id, const std::vector<std::string>& sides);
  /// By side: `mallocs`, and `kept` if a result keeps memory. The runner must count memory.
  Json memory(const std::string& id, const std::vector<std::string>& sides);
  /// Lets the runner free the operands of the last case.
  void drop();

 private:
  Json ask(const Json& request, double limit_s);
  std::string next_line(double limit_s);
  [[noreturn]] void fail(const std::string& what);
  void take_errors();

  std::vector<std::string> words_;
  std::unique_ptr<Child> child_;
  std::string received_, errors_;
  RunnerInfo info_;
};

}  // namespace plumbline::bench
