// Profiles: the text, or the release of PyTorch, that a run follows where they disagree.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace plumbline {

/// A profile chooses between the variants of a rule. Values are stable; later profiles are appended.
enum class Profile : std::uint8_t {
  sound,       ///< the final RFC as amended by the documentation, plus what the invariants need
  rfc_0011,    ///< the final text of RFC-0011 as written
  torch_2_13,  ///< what PyTorch 2.13 ships
  draft_1,     ///< the earliest text of the RFC
  draft_2,     ///< the middle text, which is incomplete
  torch_1_13,  ///< what PyTorch 1.13 ships
  ideal,       ///< the RFC's "ideal end state": a tensor that needs no grad carries no Autograd key
};

struct ProfileInfo {
  Profile profile;
  std::string_view name;  ///< as written on the command line
  std::string_view description;
};

inline constexpr std::array kProfiles{
    ProfileInfo{
        Profile::sound, "sound",
        "the final RFC as amended by the documentation; if both are silent, what a released PyTorch does, unless that "
        "breaks an invariant"},
    ProfileInfo{Profile::rfc_0011, "rfc-0011", "the final text of RFC-0011 as written"},
    ProfileInfo{Profile::torch_2_13, "torch-2.13", "what PyTorch 2.13 ships"},
    ProfileInfo{Profile::draft_1, "draft-1", "the earliest text of RFC-0011; where it is silent, as sound"},
    ProfileInfo{
        Profile::draft_2, "draft-2",
        "the middle text of RFC-0011; where it contradicts itself, the earlier passage; where it is silent, as sound"},
    ProfileInfo{Profile::torch_1_13, "torch-1.13", "what PyTorch 1.13 ships"},
    ProfileInfo{Profile::ideal, "ideal",
                "sound, but a tensor that does not require grad carries no Autograd key: the RFC's ideal end state"},
};

constexpr std::string_view name_of(Profile profile) { return kProfiles[static_cast<std::size_t>(profile)].name; }

/// The profile called `name`, or nothing.
constexpr std::optional<Profile> profile_named(std::string_view name) {
  for (const ProfileInfo& info : kProfiles)
    if (info.name == name) return info.profile;
  return std::nullopt;
}

}  // namespace plumbline
