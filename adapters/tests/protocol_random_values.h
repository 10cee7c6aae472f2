// Random numbers, texts and slots for random messages of the protocol.
#pragma once

#include <rapidcheck.h>

#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "adapters/protocol/protocol.h"

namespace plumbline::protocol_random {

inline std::int64_t any_integer() {
  return *rc::gen::oneOf(
      rc::gen::inRange<std::int64_t>(-3, 4), rc::gen::arbitrary<std::int64_t>(),
      rc::gen::element(std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()));
}
inline double any_number() {
  using Limits = std::numeric_limits<double>;
  return *rc::gen::oneOf(rc::gen::arbitrary<double>(),
                         rc::gen::map(rc::gen::inRange(-5, 5), [](int i) { return double(i); }),
                         rc::gen::element(-0.0, Limits::infinity(), -Limits::infinity(), Limits::quiet_NaN(),
                                          Limits::max(), Limits::denorm_min(), 1e22, 0.1));
}
inline bool any_truth() { return *rc::gen::arbitrary<bool>(); }
inline int below(int n) { return *rc::gen::inRange(0, n); }
inline Slot any_slot() { return static_cast<Slot>(below(50)); }
inline std::string any_text() {
  return *rc::gen::element<std::string>("", "a", "\"\\\n\t\x01", "größe ✓", "RuntimeError", "x[0] {\"k\": 1}");
}

template <class F>
auto some(int most, F item) {
  std::vector<std::invoke_result_t<F>> all(static_cast<std::size_t>(below(most + 1)));
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = item();
  return all;
}
inline std::vector<std::int64_t> any_integers() { return some(4, any_integer); }

}  // namespace plumbline::protocol_random
