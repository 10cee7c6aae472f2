// The inference workload of the documentation, measured: the same program in normal mode, no_grad and inference mode.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "adapters/adapter.h"
#include "language/curated.h"

namespace plumbline::tables {

/// The modes that a workload runs in; its tests' names end with them.
inline constexpr std::array<std::string_view, 3> kModes{"normal_mode", "no_grad_mode", "inference_mode"};

/// One file of fuzz/corpus/workload: three tests that make the same calls, one for each of kModes.
struct ModeWorkload {
  std::string name;  ///< "mlp"
  std::array<program::Test, 3> tests;
};

/// The workloads of a folder. Throws std::runtime_error if a file does not have one test for each mode, or if its tests
/// do not make the same calls.
std::vector<ModeWorkload> load_workloads(const std::string& folder);

/// The state at the end of one run, without what the implementation does not show.
struct Measured {
  std::string asserts;                      ///< which of the program's own asserts fails; empty if all hold
  std::string reference;                    ///< how it differs from the reference of its profile; empty if it does not
  std::optional<Values> result;             ///< of the last call
  std::size_t calls = 0;                    ///< of ops that take a tensor
  std::size_t tensors = 0;                  ///< in variables
  std::optional<std::size_t> with_version;  ///< of these, have a version counter
  std::optional<std::size_t> writes;        ///< versions counted, each counter once
  std::optional<std::size_t> views;         ///< tracked as views
  std::optional<std::size_t> histories;     ///< have a grad_fn
  std::optional<std::size_t> inference;     ///< are inference tensors
  bool inference_result = false;
  std::vector<std::string> bookkeeping;  ///< what is still kept for inference tensors: "h is a tracked view"
  std::optional<std::size_t> kernels;    ///< run by its calls, fallthroughs not counted
};

/// A workload on one implementation, by mode.
struct WorkloadRun {
  std::array<Measured, 3> modes;
  std::vector<std::string> broken;  ///< each promise of the documentation that was broken, one line each
};

/// Runs a workload in each mode. Throws std::runtime_error if the implementation breaks down.
WorkloadRun run_workload(const ModeWorkload& workload, Adapter& adapter);

}  // namespace plumbline::tables
