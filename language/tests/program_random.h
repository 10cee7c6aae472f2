// Small random pieces for the generators of programs and of scripts.
#pragma once

#include <rapidcheck.h>

#include <cstdint>
#include <iterator>
#include <limits>
#include <string>
#include <vector>

namespace plumbline::program::random {

using rc::gen::arbitrary;
using rc::gen::element;

inline bool chance(int percent) { return *rc::gen::resize(100, rc::gen::inRange(0, 100)) < percent; }
template <class Integer>
Integer below(Integer end) {
  return *rc::gen::resize(100, rc::gen::inRange<Integer>(0, end));
}

inline std::string text() {
  static const std::vector<std::string> pieces{
      "a",      "B",          " ",  "#", "\"", "'", "\\", "\n", "\t", "\x7f", std::string(1, '\0'),
      "\u00e9", "\U0001F600", ".*", "(", "r\""};
  std::string out;
  for (int i = 0, n = below(7); i < n; ++i) out += pieces[below(pieces.size())];
  return out;
}

inline std::int64_t integer() { return chance(80) ? below(20) - 5 : *rc::gen::arbitrary<std::int64_t>(); }
inline double real() {
  const double special[] = {0.0,
                            -0.0,
                            1.0,
                            -2.5,
                            0.1,
                            1e300,
                            5e-324,
                            1e16,
                            std::numeric_limits<double>::infinity(),
                            -std::numeric_limits<double>::infinity()};
  return chance(70) ? special[below(std::size(special))] : *rc::gen::arbitrary<double>();
}

}  // namespace plumbline::program::random
