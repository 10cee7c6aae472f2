// How much of the rules an implementation is held to.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "spec/ops/ops.h"
#include "spec/vocabulary/dtype.h"
#include "spec/vocabulary/observation.h"
#include "spec/vocabulary/statement.h"

namespace plumbline {

/// Each level has what those before it have. A field is compared from its level on, and a program is cut to the
/// statements of an implementation's level (oracle/slice.h).
enum class Level : std::uint8_t {
  values,  ///< what ops compute: dtypes, sizes, values. Nothing is written, so a purely functional library can have it
  aliasing,  ///< writes, and which tensors share memory: strides, offsets, storages
  refusals,  ///< errors, and inference mode
  autograd,  ///< requires_grad, backward, hooks, custom functions, random seeds
  versions,  ///< everything else: versions, views and their bases, keys, threads, functionalization, operators
};
inline constexpr std::array<std::string_view, 5> kLevelNames{"values", "aliasing", "refusals", "autograd", "versions"};
constexpr std::string_view name_of(Level level) { return kLevelNames[static_cast<std::size_t>(level)]; }

/// The level of this name; the names are choices of an option, so another name cannot come here.
Level level_named(std::string_view name);

std::vector<std::string> level_names();
/// For the help of `--level`.
inline constexpr std::string_view kLevelHelp =
    "hold each implementation to this level of the rules and to those before it: values, aliasing, refusals, autograd, "
    "versions (all). Programs are cut to the level, and fields above it are not compared";

/// The first level at which a field is compared.
Level level_of(Field field);
Level level_of(ThreadField field);

/// The first level whose programs have such a statement. What closes a block belongs to what opens it: `versions`.
Level level_of(const StatementKind& kind);

/// What an implementation has; programs are cut to that.
struct Manifest {
  Level level = Level::versions;
  std::vector<OpId> ops = {};      ///< empty: all of the table
  std::vector<Dtype> dtypes = {};  ///< empty: all
  /// Whether a program may have to be cut.
  bool cuts() const { return level < Level::versions || !ops.empty() || !dtypes.empty(); }
};

}  // namespace plumbline
