// The behaviour table: what each text and the rules say about the twelve combinations of mode, input and op.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "adapters/adapter.h"
#include "spec/rules/rule.h"
#include "spec/vocabulary/profile.h"

namespace plumbline::tables {

/// What a call did, or what a text says that it does; a field that is not stated is not compared.
struct Behaviour {
  std::optional<std::string> kernels;        ///< "ADInplaceOrView(fallthrough), CPU": those that ran, in order; if one
                                             ///< raised, "ADInplaceOrView(error), CPU": also those that would have run
  std::optional<ErrorClass> error;           ///< `none`: it succeeds
  std::optional<bool> inference;             ///< whether its result is an inference tensor
  std::optional<std::string> creation_meta;  ///< of the result; "none": it is no tracked view
  std::optional<int> versions;               ///< counted on its first tensor; −1: it has no version counter
  std::optional<bool> written{};             ///< if it raised: whether its first tensor's elements have changed
};

/// One row: a combination, and a program whose last call shows it.
struct BehaviourRow {
  std::string_view mode;     ///< "InferenceMode"
  std::string_view input;    ///< "all inference tensors"
  std::string_view op;       ///< "view"
  std::string_view program;  ///< the body of a test
};
std::span<const BehaviourRow> behaviour_rows();

/// Whether a text states what a row does.
enum class Standing : std::uint8_t { stated, silent, contradictory };

/// What a text says of a row, and in which lines.
struct TextCell {
  Standing standing = Standing::silent;
  std::string_view lines;  ///< "81", or "151-154 against 126-131"
  Behaviour says;          ///< if it is contradictory: the side that the profile follows
  std::string_view but{};  ///< why the row's op cannot show it; it is then not compared
};

/// A text of the RFC, or the documentation, and the profile that executes it.
struct BehaviourText {
  std::string_view name;  ///< "rfc-0011-draft-1"
  Profile profile{};
  std::vector<TextCell> rows;  ///< as many as `behaviour_rows`
};
const std::vector<BehaviourText>& behaviour_texts();

/// What the rules of a profile do in a row.
Behaviour computed_behaviour(const BehaviourRow& row, Profile profile, const Rule* flipped = nullptr);

/// Whether a row's op does what a text states. A field that the text does not state, or that no op can show, may be
/// anything.
bool as_stated(const TextCell& cell, const Behaviour& did);

/// What an implementation does in a row, as far as it shows it. Throws std::runtime_error if it breaks down.
Behaviour observed_behaviour(const BehaviourRow& row, Adapter& adapter);

/// Whether `did` is what `says` says; a field that `says` leaves out may be anything. An implementation that raises
/// shows only the kernels up to the error.
bool agrees(const Behaviour& says, const Behaviour& did);

/// "ADInplaceOrView, CPU: normal tensor, creation_meta INFERENCE_MODE, versions +1".
std::string behaviour_text(const Behaviour& behaviour);

}  // namespace plumbline::tables
