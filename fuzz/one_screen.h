// What `plumbline fuzz` prints unless it is asked for everything.
#pragma once

#include <string>
#include <vector>

#include "fuzz/report.h"
#include "support/screen.h"

namespace plumbline::fuzz {

/// The campaign on one implementation, by the name that the command line gave it.
struct Campaigned {
  std::string name;
  Report report;
  std::vector<Case> cases;
  std::vector<Shown> shown;
};

/// At most `room` lines: a row for each implementation; what is known; what is new, most programs first; and the
/// shortest program that shows something new, if it fits.
std::string screen_text(const std::vector<Campaigned>& all, std::uint64_t seed, std::size_t room, const Screen& screen);

}  // namespace plumbline::fuzz
