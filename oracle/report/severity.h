// How severe a difference is: by the invariant that it breaks.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "oracle/report/report.h"
#include "spec/vocabulary/profile.h"
#include "support/screen.h"

namespace plumbline {

/// What a difference breaks, the most severe first: an invariant of the monitors, another promise, or nothing.
inline constexpr std::array<std::string_view, 5> kBroken{"immutability", "no-aliasing",
                                                         "an op that raises an error writes nothing", "another promise",
                                                         "no invariant; only what is observed differs"};

/// An index into kBroken for the text of `Variant::breaks`.
std::size_t severity_of(std::string_view breaks);

/// The severity of a finding: a breach's invariant, and otherwise the worst that its waiver's rules (if it has no
/// waiver, the test's rules) break in the implementation's profile.
std::size_t severity_of(const Finding& finding, const TestResult& result, const Description& implementation);

/// The rules in which a profile differs from sound, by severity.
std::array<std::vector<std::string>, kBroken.size()> departures_of(Profile profile);

/// Ids in few words: "INF-03,06 FUN-21..26".
std::string ids_text(const std::vector<std::string>& ids);

}  // namespace plumbline
