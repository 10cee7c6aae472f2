// The implementations that are a Python script in a process, and the environments in which they run.
#pragma once

#include <array>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace plumbline {

/// The optimized runtime on the device CUDA, whose kernels run on the host.
inline constexpr std::string_view kOptimizedCudaHost = "optimized-cuda-host";
/// What follows such a name where functionalized bodies run as graphs.
inline constexpr std::string_view kGraph = "-graph";
/// The same on a GPU, and its executable.
inline constexpr std::string_view kOptimizedCuda = "optimized-cuda";
inline constexpr std::string_view kOptimizedCudaAdapter = "plumbline-optimized-cuda";

/// The optimized runtime on a backend that lacks something, by the name of its device in plumbline-optimized.
struct OfBuffers {
  std::string_view device;
  std::string_view description;  ///< one line

  std::string name() const { return "optimized-" + std::string(device); }
};
inline constexpr std::array kOfBuffers{
    OfBuffers{"without-views", "the same runtime on a backend without views: they are removed at its kernels"},
    OfBuffers{"without-mutation", "the same runtime on a backend that writes each buffer once"},
    OfBuffers{"lazy", "the same runtime on a lazy backend: ops make a graph, which computes what is read"},
    OfBuffers{"without-views-or-mutation", "the same runtime on a backend that has neither"},
};

/// All names of the runtime on devices other than the CPU.
std::vector<std::string> names_on_devices();

/// The names with those of the runtime on CUDA replaced by the same with graphs. Throws std::runtime_error if none is.
std::vector<std::string> with_graphs(std::vector<std::string> names);

/// What to do where a LibTorch or the Python of the build is missing.
inline constexpr std::string_view kHowToBuildWithTorch =
    "run ./check, or build it: cmake -S . -B build/release -DPLUMBLINE_TORCH=DIR, where DIR is the folder of a PyTorch "
    "(site-packages/torch), then cmake --build build/release";

/// The environment that is the Python of the build.
inline constexpr std::string_view kBuildEnvironment = "build";

/// A Python of its own with the packages that an implementation needs; `plumbline env add` makes it.
struct Environment {
  std::string name;                   ///< also of its folder: letters, digits and _
  std::vector<std::string> packages;  ///< pip requirements, each pinned: "torch==2.9.0"
  std::string index;                  ///< the address of one more pip index; empty: pip's own are enough
  std::string python;                 ///< the oldest Python that the packages take: "3.10"; empty: any
};

/// An implementation that `--on` names.
struct NamedImplementation {
  std::string name;
  std::string description;           ///< one line
  std::vector<std::string> command;  ///< a script, relative to the checkout, and its arguments
  std::string environment;           ///< kBuildEnvironment, or the name of an environment
  std::vector<std::string> stages;   ///< implementations that do a part of what it does, the smallest part first
};

struct Implementations {
  std::vector<NamedImplementation> implementations;
  std::vector<Environment> environments;

  /// Null if there is none of this name.
  const NamedImplementation* implementation(std::string_view name) const;
  const Environment* environment(std::string_view name) const;
};

/// The message names the file and the entry, and says what to do.
struct ImplementationsError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Reads a file in the form of adapters/implementations.json. Throws ImplementationsError if it cannot be read, if it
/// is malformed, or if an entry has an unknown member, a name twice or an unknown environment.
Implementations load_implementations(const std::filesystem::path& file);

/// Where things lie on this machine.
struct Places {
  std::filesystem::path source;        ///< the checkout
  std::filesystem::path executables;   ///< the folder of plumbline and its siblings
  std::filesystem::path environments;  ///< has a folder for each environment
  std::string build_python;            ///< the Python of the build

  /// The Python of an environment, whether it is there or not.
  std::filesystem::path python_of(std::string_view environment) const;
};
/// Those of the running executable. The environments are in .envs in the checkout, or in PLUMBLINE_ENVS if it is set.
Places places_here();
/// adapters/implementations.json of the checkout. Throws as `load_implementations`.
Implementations implementations_of(const Places& places);

/// The stages of an implementation that can run here; empty if it has none, or if no file names it.
std::vector<std::string> stages_of(const std::string& name);
/// Why the implementation cannot run here, and what to do; empty if it can.
std::string why_not_here(const NamedImplementation& implementation, const Places& places);
/// Why `optimized-cuda`, with graphs or without, cannot run here, and what to do; empty if it can.
std::string why_no_gpu(const Places& places);
/// The command line that starts it, quoted as for a shell.
std::string command_line_of(const NamedImplementation& implementation, const Places& places);

}  // namespace plumbline
