// Rules as data, and the judge that decides by them. Only the judge chooses between a rule's right value, its variant
// in a profile and its misreading, and it can record which rules decided.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "spec/vocabulary/domain.h"
#include "spec/vocabulary/profile.h"

namespace plumbline {

/// The families of rules; a rule's id is its family and its number, and neither is ever reused.
enum class Family : std::uint8_t {
  KEY,
  TLS,
  DSP,
  INF,
  VER,
  VIEW,
  AUT,
  SAV,
  GEO,
  TYPE,
  VAL,
  RAND,
  MUL,
  BIT,
  FUN,
  TRF,
  OP,
  DEV
};

inline constexpr std::array<std::string_view, 18> kFamilyNames{"KEY", "TLS", "DSP", "INF",  "VER", "VIEW",
                                                               "AUT", "SAV", "GEO", "TYPE", "VAL", "RAND",
                                                               "MUL", "BIT", "FUN", "TRF",  "OP",  "DEV"};

/// How one profile departs from a rule.
struct Variant {
  Profile profile{};
  std::string_view sentence;  ///< what that profile does instead
  std::string_view source;    ///< the text, or the file and function of PyTorch, that shows it
  std::string_view breaks{};  ///< the invariant that it breaks; empty: it breaks no invariant, only observations differ
};

/// What a person reads of a rule. spec/rules/text/ has one for each, so that a changed sentence compiles one file
/// again.
struct RuleText {
  std::string_view id;          ///< "INF-03"
  std::string_view sentence;    ///< the rule, in one plain sentence
  std::string_view source;      ///< the text that it restates
  std::string_view misreading;  ///< one plausible wrong reading, which `--flip` swaps in
  /// "a text" or "a release" if the rule is a choice of one, without a condition: in every case a judge decides
  /// the same. Empty: the rule has a condition.
  std::string_view choice{};
  std::array<Variant, 4> variants{};  ///< an unused one has an empty sentence
};

/// One rule: it can be executed, flipped and cited.
struct Rule {
  Family family;
  std::uint8_t number;  ///< 1 to 127

  static constexpr std::size_t kNumbers = 128;
  static constexpr std::size_t kIndices = kFamilyNames.size() * kNumbers;

  /// A dense number for bit sets, unique among rules.
  constexpr std::size_t index() const { return static_cast<std::size_t>(family) * kNumbers + number; }
  /// "INF-03".
  std::string id() const {
    std::string text(kFamilyNames[static_cast<std::size_t>(family)]);
    return text + (number < 10 ? "-0" : "-") + std::to_string(number);
  }
  /// Throws std::out_of_range if spec/rules/text/ has no text with this id.
  const RuleText& text() const;
  /// How the profile departs from the rule; null: it does not.
  const Variant* variant(Profile profile) const;
};

/// The key sets of one call, as the words of KeySets.
struct CallKeys {
  std::uint64_t arguments = 0;  ///< the union over its tensor arguments
  std::uint64_t included = 0;   ///< of the thread
  std::uint64_t excluded = 0;
  std::uint64_t effective = 0;  ///< the set that chose the kernels
};

/// Which rules a run asked, and for which of them the misreading would have decided otherwise.
struct Decisions {
  std::bitset<Rule::kIndices> consulted;
  std::bitset<Rule::kIndices> mattered;
  std::vector<CallKeys>* calls = nullptr;  ///< where the reference puts each call's key sets; null: nowhere
};

/// The value of a rule's variant in a profile.
template <class T>
struct In {
  Profile profile;
  T value;
};
template <class T>
In(Profile, T) -> In<T>;  // clang before 17 does not deduce the argument of an aggregate

/// The profiles of releases, which reference/functorch executes.
template <class T>
constexpr auto in_2_13(const T& value) {
  return In{Profile::torch_2_13, value};
}
template <class T>
constexpr auto in_1_13(const T& value) {
  return In{Profile::torch_1_13, value};
}

/// A rule and the place where a judge is asked.
#ifdef PLUMBLINE_SITES
struct Asked {
  const Rule& rule;
  Here here;
  constexpr Asked(const Rule& asked, Here at = Here::current()) : rule(asked), here(at) {}  // NOLINT: a rule is asked
  constexpr operator const Rule&() const { return rule; }                                   // NOLINT: and is one
};
constexpr bool mutated(const Asked& asked, Token token) { return mutated(asked.here, token, asked.rule.index()); }
#else
using Asked = const Rule&;
#endif

/// Decides by rules, for one profile, with at most one rule flipped.
///
/// `judge(INF_03, base.inference, tls.inference_mode)` returns the first value, or the second one if INF-03 is flipped.
/// An `In{profile, value}` after them replaces the first value in that profile.
template <Domain D>
struct Judge {
  Profile profile = Profile::sound;
  const Rule* flipped = nullptr;
  Decisions* decisions = nullptr;
  const Rule* only_variant = nullptr;  ///< follow the profile's variant of this rule only; null: of every rule

  template <class T, class... Variants>
  constexpr T operator()(Asked asked, const T& right, const std::type_identity_t<T>& misread,
                         const Variants&... variants) const {
    const Rule& rule = asked;
    T value = right;
    [[maybe_unused]] const bool varies = only_variant == nullptr || only_variant->index() == rule.index();
    ((varies && variants.profile == profile ? void(value = T(variants.value)) : void()), ...);
    if (decisions != nullptr) record(rule, value, misread);
    if (flipped != nullptr && flipped->index() == rule.index()) value = misread;
    if (mutated(asked, Token::misread)) return misread;
    if constexpr (std::same_as<T, bool>) {
      if (mutated(asked, Token::opposite)) return !value;
    } else if constexpr (std::same_as<T, Bool<D>>) {
      if (mutated(asked, Token::opposite)) return Bool<D>::turned_if(true, value.v);
    }
    return value;
  }

 private:
  template <class T>
  constexpr void record(const Rule& rule, const T& value, const T& misread) const {
    decisions->consulted.set(rule.index());
    if constexpr (std::same_as<T, bool>) {  // a decision on plain values, the same in every domain
      if (value != misread) decisions->mattered.set(rule.index());
    } else if constexpr (std::same_as<typename D::Truth, bool>) {
      if (!(value == misread).v) decisions->mattered.set(rule.index());
    }
  }
};

}  // namespace plumbline
