// A runner as a child process: one JSON line asked, one answered.
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

/// The process could not be started, ended, hung, or answered what is none of the protocol.
struct RunnerFailed : std::runtime_error {
  using std::runtime_error::runtime_error;
};
/// The runner said that it cannot measure this case, and why: its sides do not come to the same, or one raised.
struct CaseFailed : std::runtime_error {
  using std::runtime_error::runtime_error;
};
/// Ctrl-C was pressed meanwhile.
struct Interrupted : std::runtime_error {
  Interrupted() : std::runtime_error("interrupted") {}
};

/// Nanoseconds by side, of as many repetitions as were asked for.
using Times = std::map<std::string, std::vector<double>>;

struct CaseInfo {
  std::string id;
  bool countable = true;  ///< its instructions are counted in acceptable time
  bool heavy = false;     ///< a measurement of it takes seconds
};

/// What a runner says of itself.
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
  /// Starts `words` and asks what it is, which may take `limit_s`.
  explicit Runner(std::vector<std::string> words, double limit_s = 120);

  const RunnerInfo& info() const { return info_; }

  /// Throws CaseFailed and Interrupted, too.
  Times time(const std::string& id, const std::vector<std::string>& sides, int repetitions, double seconds);
  /// Instructions by side, of a runner that counts them.
  std::map<std::string, double> count(const std::string& id, const std::vector<std::string>& sides);
  /// By side: `mallocs`, and `kept` where a result keeps memory; of a runner that counts memory.
  Json memory(const std::string& id, const std::vector<std::string>& sides);
  /// Lets it give the last case's operands back.
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
