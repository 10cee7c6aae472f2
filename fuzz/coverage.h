// What a fuzzing run has exercised: ops by outcome, kinds of ops by mode, errors by class, rules by effect.
#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

#include "fuzz/left_out.h"
#include "reference/state.h"
#include "spec/ops/ops.h"
#include "spec/rules/rule.h"
#include "spec/vocabulary/errors.h"

namespace plumbline::fuzz {

/// The modes that matter to an op.
inline constexpr std::array<std::string_view, 4> kModes{"normal", "no_grad", "inference", "inference+enable_grad"};
inline constexpr std::array<std::string_view, 6> kOpKinds{"Factory", "Functional",  "View",
                                                          "Inplace", "InplaceView", "Out"};

/// Programs by the elements of their largest tensor.
inline constexpr std::array<std::string_view, 3> kExtents{"up to 64", "up to 8192", "more"};

/// Counts; those of several workers add up.
struct Coverage {
  /// What the programs are about.
  enum class Subject : std::uint8_t { tensors, dispatcher, transforms };

  Coverage();

  void call(const reference::Tls& tls, OpId id, ErrorClass error);
  /// A statement that is not a call.
  void other(std::string_view what, ErrorClass error);
  /// A program whose largest tensor has so many elements.
  void largest(double elements);
  /// The rules that one program asked.
  void rules(const Decisions& decisions);
  void merge(const Coverage& other);

  std::vector<std::uint64_t> ops;        ///< calls that succeeded, by op
  std::vector<std::uint64_t> op_errors;  ///< calls that raised, by op
  std::array<std::array<std::uint64_t, kModes.size()>, kOpKinds.size()> kinds{};
  std::array<std::uint64_t, static_cast<std::size_t>(ErrorClass::unclassified) + 1> errors{};
  std::array<std::uint64_t, Rule::kIndices> consulted{};  ///< programs
  std::array<std::uint64_t, Rule::kIndices> mattered{};   ///< programs
  std::vector<std::pair<std::string_view, std::uint64_t>> statements;
  std::array<std::uint64_t, kLeftOut.size()> left_out{};  ///< statements that were not generated, by LeftOut
  std::array<std::uint64_t, 3> extents{};                 ///< programs, by their largest tensor: see kExtents
  Subject subject = Subject::tensors;
};

/// The rules that programs show: of those about the dispatcher DSP, KEY and TLS; of those with mapped bodies TRF, and
/// as of all others every rule but DSP and FUN.
std::vector<const Rule*> rules_shown(Coverage::Subject subject);

/// The ids of the rules that the programs should show, and that mattered in none.
std::vector<std::string> never_mattered(const Coverage& coverage);
/// "241 of 269": those that mattered.
std::string mattered_text(const Coverage& coverage);

/// "120 statements were left out while generating: 80 raises in a body, …"; empty: none was.
std::string left_out_text(const Coverage& coverage);

nlohmann::ordered_json to_json(const Coverage& coverage);
/// For people: a few lines and the table of ops.
std::string to_text(const Coverage& coverage);

}  // namespace plumbline::fuzz
