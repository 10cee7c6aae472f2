// What the fuzzing entries and the driver share: the function that libFuzzer calls, and how a property that fails ends.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

/// One input. Returns 0; an error in the code under test ends the process (libFuzzer's contract).
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace plumbline::fuzz {

/// Ends the process, like a crash, if `holds` is false; `shown` is the text that the property is about.
inline void require(bool holds, std::string_view property, const std::string& shown) {
  if (holds) return;
  fmt::print(stderr, "the property fails: {}\n{}\n", property, shown);
  std::fflush(stderr);
  std::abort();
}

}  // namespace plumbline::fuzz
