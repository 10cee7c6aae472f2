// Comparing one reading with another.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "adapters/adapter.h"

namespace plumbline {

/// How a reading of an implementation compares with the reference's.
enum class Agreement : std::uint8_t {
  same,
  ignored,      ///< the implementation declares that it cannot observe this
  unsupported,  ///< it did not show this, although it does not declare so
  unspecified,  ///< the specification does not define the reading, or some elements; the other elements agree
  differs,
};

struct ReadingComparison {
  Agreement agreement = Agreement::same;
  std::string
      shape;  ///< the kind of difference, stable under shrinking: "true -> false", "+ADInplaceOrView"; may be empty
};

/// The settings that decide whether two readings are the same.
struct Measure {
  Strictness field = Strictness::exact;
  Strictness errors = Strictness::exact;
  Closeness closeness;
  std::optional<Dtype> dtype;   ///< of the values, if it is known
  std::string_view words = {};  ///< the release that words the errors: "1.13"; empty: PyTorch 2.13
};

/// Compares `got` with the reference's `expected`.
ReadingComparison compare_reading(Field field, const Reading& expected, const Reading& got, const Measure& measure);
ReadingComparison compare_reading(ThreadField field, const Reading& expected, const Reading& got,
                                  const Measure& measure);
/// The same for the answer of a statement that reads no field: a truth, or the log's texts, compared as they are.
ReadingComparison compare_answer(const Reading& expected, const Reading& got);

/// Whether an implementation's error is the expected one at this strictness (`ignore`: every error is).
bool same_error(ErrorClass expected, ErrorClass got, Strictness errors);
/// The same; if errors are compared exactly, their messages must also agree; that of an error which the program raises
/// itself also if classes are compared. `version` as in same_words().
bool same_failure(const Failure& expected, const Failure& got, Strictness errors, std::string_view version);

/// The kind of difference between two readings of a field, as in `ReadingComparison::shape`. Lists of texts are key
/// sets if the field is `keys`.
std::string difference_shape(Field field, const Reading& expected, const Reading& got);

/// Units in the last place between two values of a dtype; nothing if there is no such number (NaN and a number,
/// infinity and a finite number).
std::optional<std::uint64_t> ulps_between(double a, double b, Dtype dtype);

/// Whether the specification has a key of this name; other keys are not compared.
bool is_known_key(std::string_view name);

}  // namespace plumbline
