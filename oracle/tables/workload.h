// The inference workload of the documentation, measured: the same program in normal mode, no_grad and inference mode.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "oracle/adapter.h"
#include "oracle/curated.h"

namespace plumbline::tables {

/// The modes that a workload runs in; its tests' names end so.
inline constexpr std::array<std::string_view, 3> kModes{"normal_mode", "no_grad_mode", "inference_mode"};

/// One file of fuzz/corpus/workload: three tests that make the same calls, one for each of kModes.
struct ModeWorkload {
  std::string name;  ///< "mlp"
  std::array<program::Test, 3> tests;
};

/// The workloads of a folder. Throws std::runtime_error where a file has not one test for each mode, or where they do
/// not make the same calls.
std::vector<ModeWorkload> load_workloads(const std::string& folder);

/// One run, looked at where it ends. What the implementation does not show is left out.
struct Measured {
  std::string asserts;                      ///< what of the program's own asserts fails; empty: nothing
  std::string reference;                    ///< how it differs from the reference of its profile; empty: it does not
  std::optional<Values> result;             ///< of the last call
  std::size_t calls = 0;                    ///< of ops that take a tensor
  std::size_t tensors = 0;                  ///< in variables
  std::optional<std::size_t> with_version;  ///< of these, have a version counter
  std::optional<std::size_t> writes;        ///< versions counted, each counter once
  std::optional<std::size_t> views;         ///< tracked as views
  std::optional<std::size_t> histories;     ///< have a grad_fn
  std::optional<std::size_t> inference;     ///< are inference tensors
  bool inference_result = false;
  std::vector<std::string> bookkeeping;  ///< what is kept of inference tensors all the same: "h is a tracked view"
  std::optional<std::size_t> kernels;    ///< run by its calls, fallthroughs not counted
};

/// A workload on one implementation, by mode.
struct WorkloadRun {
  std::array<Measured, 3> modes;
  std::vector<std::string> broken;  ///< what the documentation promises and was not seen, a line each
};

/// Runs a workload in each mode. Throws std::runtime_error where the implementation breaks down.
WorkloadRun run_workload(const ModeWorkload& workload, Adapter& adapter);

}  // namespace plumbline::tables
