// Comparison of one reading with another.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "oracle/adapter.h"

namespace plumbline {

/// How one reading of an implementation stands to the reference's.
enum class Agreement : std::uint8_t {
  same,
  ignored,      ///< the implementation says beforehand that it cannot observe this
  unsupported,  ///< it cannot observe this, and did not say so
  unspecified,  ///< the spec leaves the reading, or some of its elements, free; the others agree
  differs,
};

struct ReadingComparison {
  Agreement agreement = Agreement::same;
  std::string shape;  ///< of a difference, stable under shrinking: "true -> false", "+ADInplaceOrView"; may be empty
};

/// What decides whether two readings are the same.
struct Measure {
  Strictness field = Strictness::exact;
  Strictness errors = Strictness::exact;
  Closeness closeness;
  std::optional<Dtype> dtype;   ///< of the values, where it is known
  std::string_view words = {};  ///< the release whose words errors are in: "1.13"; empty: PyTorch 2.13
};

/// Compares `got` with the reference's `expected`.
ReadingComparison compare_reading(Field field, const Reading& expected, const Reading& got, const Measure& measure);
ReadingComparison compare_reading(ThreadField field, const Reading& expected, const Reading& got,
                                  const Measure& measure);

/// Whether an implementation's error is the expected one, by the strictness of errors (`ignore`: any is).
bool same_error(ErrorClass expected, ErrorClass got, Strictness errors);
/// The same, and where errors are compared exactly that they say the same; `version` as in same_words().
bool same_failure(const Failure& expected, const Failure& got, Strictness errors, std::string_view version);

/// What a difference between two readings of a field is like, as in `ReadingComparison::shape`.
std::string difference_shape(Field field, const Reading& expected, const Reading& got);

/// Units in the last place between two values of a dtype; nothing where no number of them leads from one to the other
/// (NaN against a number, infinity against a finite one).
std::optional<std::uint64_t> ulps_between(double a, double b, Dtype dtype);

/// Whether the spec knows a key of this name; others are left out of comparisons.
bool is_known_key(std::string_view name);

}  // namespace plumbline
