// A run of `plumbline prove` on one screen.
#pragma once

#include <string>
#include <vector>

#include "spec/proofs/prove.h"
#include "support/screen.h"

namespace plumbline::prove {

/// One obligation that was asked.
struct Asked {
  const proofs::Proof* proof = nullptr;
  std::string text;    ///< its line and what is printed below it
  std::string reason;  ///< why it is refuted in this profile, if that is expected; begins with a rule: "INF-06: …"
  bool shown = true;   ///< false: the program that should show it does not
};

struct ScreenOptions {
  Screen screen;
  std::size_t lines = kScreenLines;
  Profile profile = Profile::sound;
};

/// At most `options.lines` lines: a row of counts for each part, what a profile breaks by rule (the most severe first),
/// what to do next, and last what is not as expected, by name. `closing`: the last lines.
std::string one_screen(const std::vector<Asked>& asked, const std::string& closing, const ScreenOptions& options);

}  // namespace plumbline::prove
