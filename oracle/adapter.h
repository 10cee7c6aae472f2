// The one interface to every implementation that can be held against the reference.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "spec/observation.h"
#include "spec/statement.h"

namespace plumbline {

/// How strictly a field or an error is compared.
enum class Strictness : std::uint8_t {
  ignore,   ///< the implementation cannot show it: `unsupported` where a program asserts it, silent in snapshots
  kind,     ///< errors alone: that there was one
  classes,  ///< errors alone: their classes, and not what they say
  exact,
};

/// How floating values are compared once they are not exactly determined (`Values::exact` is false).
struct Closeness {
  int ulps = 0;  ///< 0: bits
};

/// What an implementation says of itself.
struct Description {
  std::string name;     ///< "libtorch"
  std::string version;  ///< "2.13.0"
  std::string profile;  ///< the profile that describes it: "torch-2.13"
  std::array<Strictness, kFields> fields{};
  std::array<Strictness, kThreadFields> thread{};
  Strictness errors = Strictness::exact;
  Closeness closeness{4};
  /// Whether the kernels that it shows of a call are compared: no program can assert them, so two references, which
  /// show theirs always, are compared by what they lead to.
  bool kernels = false;
};

/// Instead of a trace: what went wrong with the implementation (not with a statement).
struct Breakdown {
  enum class Kind : std::uint8_t {
    crash,        ///< it died by a signal
    exit,         ///< it ended
    hang,         ///< no answer within the limit, also after a second try at twice the limit
    garbage,      ///< an answer that is not of the protocol
    unsupported,  ///< it says that it cannot run this program
    limit,        ///< the reference alone: the program is right, and beyond what it can execute
  };
  Kind kind;
  std::string message;
};
/// "crash", "hang", …
std::string_view name_of(Breakdown::Kind kind);

using RunResult = std::variant<Trace, Breakdown>;

/// An implementation. Not thread-safe; each worker makes its own. Nothing that a program does to the
/// implementation may throw out of `run`.
class Adapter {
 public:
  virtual ~Adapter() = default;
  virtual const Description& describe() const = 0;
  virtual RunResult run(const Script& script) = 0;
  /// As `run` on each in order; adapters with a pipe overlap them.
  virtual std::vector<RunResult> run_all(std::span<const Script> scripts);
};

inline constexpr std::int64_t kMemoryLimit_mib = 4096;

/// Makes the adapter that `--on` names: "reference", "libtorch-2.13.0", "process:CMD". `profile` is for the
/// reference alone. Throws std::runtime_error with what to do where there is none.
struct AdapterOptions {
  std::string profile = "sound";
  std::string flip;         ///< a rule id, or empty
  double timeout_s = 10.0;  ///< for one program
  /// Of one adapter process with its descendants, in MiB of resident memory; 0: no limit.
  std::int64_t memory_limit_mib = kMemoryLimit_mib;
};
std::unique_ptr<Adapter> make_adapter(const std::string& name, const AdapterOptions& options);

/// The names in what `--on` was given, separated by commas; behind "process:" all of an argument is the command.
std::vector<std::string> adapter_names(const std::vector<std::string>& given);

}  // namespace plumbline
