// The options that many commands have: each has one meaning and one help text.
#include <algorithm>
#include <thread>

#include "support/command_line.h"

namespace plumbline {

Option& Command::json(std::string& to) {
  return option("--json [FILE]", to,
                "write the report as JSON to this file; with - or without FILE, to stdout instead of the text")
      .completes("FILE");
}

Option& Command::jobs(unsigned& to) {
  to = std::max(1U, std::thread::hardware_concurrency());
  return option("-j,--jobs N", to, "how many workers run at once; the result does not depend on it")
      .range(1, 1024)
      .shows_default("all cores");
}

Option& Command::verbose(bool& to) {
  return flag("-v,--verbose", to, "print everything, with a line for each case (default: what fits one screen)");
}

Option& Command::quiet(bool& to) {
  return flag("-q,--quiet", to, "print only what failed and the last line, and no progress");
}

Option& Command::seed(std::uint64_t& to) {
  return option("--seed N", to, "the seed; the same seed generates the same things");
}

Option& Command::seconds(double& to, const std::string& what) {
  return option("--seconds S", to, "for how many seconds to generate programs" + (what.empty() ? "" : "; " + what))
      .positive();
}

Option& Command::out(std::string& to, const std::string& what, const std::string& alias) {
  return option("--out" + (alias.empty() ? "" : "," + alias) + " DIR", to, "the folder for " + what).completes("FILE");
}

}  // namespace plumbline
