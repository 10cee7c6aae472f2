// The interface to every implementation that can be compared with the reference.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "adapters/level.h"
#include "spec/vocabulary/observation.h"
#include "spec/vocabulary/statement.h"

namespace plumbline {

/// How strictly a field or an error is compared.
enum class Strictness : std::uint8_t {
  ignore,   ///< the implementation cannot show it: `unsupported` if a program asserts it, skipped in snapshots
  kind,     ///< only for errors: whether there was one
  changed,  ///< only for versions: whether one has changed since the last reading of the same tensor
  classes,  ///< only for errors: their classes, not their messages
  exact,
};

/// How floating values are compared if they are not exactly determined (`Values::exact` is false).
struct Closeness {
  int ulps = 0;  ///< 0: bit for bit
};

/// The programs that a campaign generates for an implementation, unless it is asked for others.
enum class Programs : std::uint8_t {
  plain,
  captured,        ///< it runs the statements between two observations as one graph
  functionalized,  ///< it runs functionalized bodies
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
  /// Why a field is not compared exactly, by the names of fields: what this way of running a program is documented not
  /// to keep, with its source.
  std::map<std::string, std::string> reasons = {};
  /// Whether the kernels that it shows for a call are compared. No program can assert kernels. Two references always
  /// show them, so they are compared by the results instead.
  bool kernels = false;
  Programs programs = Programs::plain;  ///< what campaigns generate for it
  Manifest has = {};                    ///< programs are cut to it
};

/// Holds an implementation to `level` if it does not have a lower one: what lies above is not compared.
void hold_to(Level level, Description& description);

/// Instead of a trace: an error of the implementation, not of a statement.
struct Breakdown {
  enum class Kind : std::uint8_t {
    crash,        ///< a signal killed it, or it left the process so that a signal killed it in a later program
    exit,         ///< it ended
    hang,         ///< no answer within the limit, also after a second try at twice the limit
    garbage,      ///< an answer that does not follow the protocol
    unsupported,  ///< it says that it cannot run this program
    leak,         ///< it says that the program has left something of its process changed: a mode that is on
    limit,        ///< only the reference: it cannot execute this program, although the program is valid
  };
  Kind kind;
  std::string message;
  std::vector<Script> suspects = {};  ///< scripts that ran before in the same process; one may have damaged it
};
/// "crash", "hang", …
std::string_view name_of(Breakdown::Kind kind);

/// What an implementation counted while it ran programs, for reports: "graphs", "graph breaks".
using Counts = std::map<std::string, std::int64_t>;

using RunResult = std::variant<Trace, Breakdown>;

/// An implementation. Not thread-safe; each worker makes its own. `run` may not throw, whatever a program does to the
/// implementation.
class Adapter {
 public:
  virtual ~Adapter() = default;
  virtual const Description& describe() const = 0;
  virtual RunResult run(const Script& script) = 0;
  /// As `run` on each script in order; adapters with a pipe send several ahead.
  virtual std::vector<RunResult> run_all(std::span<const Script> scripts);
  /// The sums over all scripts so far.
  virtual Counts counts() const { return {}; }
};

inline constexpr std::int64_t kMemoryLimit_mib = 4096;

/// Makes the adapter that `--on` names: "reference", "libtorch-2.13.0", a name of adapters/implementations.json,
/// "process:CMD". Only the reference uses
/// `profile`. Throws std::runtime_error that says what to do for an unknown name.
struct AdapterOptions {
  std::string profile = "sound";
  std::string flip;         ///< a rule id, or empty
  double timeout_s = 10.0;  ///< for one program
  /// For one adapter process and its descendants, in MiB of resident memory; 0: no limit.
  std::int64_t memory_limit_mib = kMemoryLimit_mib;
  Level level = Level::versions;  ///< each adapter is held to this level, if not to a lower one
};
std::unique_ptr<Adapter> make_adapter(const std::string& name, const AdapterOptions& options);

/// The names in the arguments of `--on`, separated by commas; after "process:" the rest of an argument is the command.
std::vector<std::string> adapter_names(const std::vector<std::string>& given);

}  // namespace plumbline
