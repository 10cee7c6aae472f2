// Times, counts and shares as people read them.
#pragma once

#include <string>

namespace plumbline::bench {

/// Three digits, or as many as are given, and a unit: "9.12 ns", "405 ns", "32.1 ms".
std::string shown_time(double ns, int digits = 3);
/// The time that shown_time prints. What is computed from printed times is computed from these.
double as_shown(double ns, int digits = 3);
/// Three digits: "42.8x", "0.971x".
std::string shown_ratio(double ratio);
/// A ratio as a change: "+5.2 %", "-0.4 %".
std::string shown_change(double ratio);
/// "3%", "3.5 %" or "0.03" as a share; throws std::runtime_error for anything else, and for a share that is not in
/// [0, 10).
double share_of(const std::string& text);

}  // namespace plumbline::bench
