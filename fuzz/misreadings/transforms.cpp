// The rules of mapped and differentiated bodies that programs can show.
#include <array>

#include "fuzz/misreadings/selftest.h"
#include "spec/rules/trf.h"

namespace plumbline::fuzz {

namespace {

/// All rules of TRF but TRF-16 and TRF-28, which leave something open.
std::vector<Misreading> transform_faults() {
  constexpr std::array names{std::pair{&TRF_01, "first-example-for-all"},
                             std::pair{&TRF_02, "view-copies-examples"},
                             std::pair{&TRF_03, "unmapped-tensor-written"},
                             std::pair{&TRF_04, "runs-for-each-example"},
                             std::pair{&TRF_05, "out-written"},
                             std::pair{&TRF_06, "version-for-each-example"},
                             std::pair{&TRF_07, "out-dims-ignored"},
                             std::pair{&TRF_08, "result-not-repeated"},
                             std::pair{&TRF_09, "none-gives-all-examples"},
                             std::pair{&TRF_10, "random-allowed"},
                             std::pair{&TRF_11, "different-is-same"},
                             std::pair{&TRF_12, "same-is-different"},
                             std::pair{&TRF_13, "smallest-number-of-examples"},
                             std::pair{&TRF_14, "in-dim-wraps"},
                             std::pair{&TRF_15, "mapped-over-nothing"},
                             std::pair{&TRF_17, "strided-outside-its-example"},
                             std::pair{&TRF_18, "gradient-of-a-vector"},
                             std::pair{&TRF_19, "captured-tensor-written"},
                             std::pair{&TRF_20, "every-input-differentiated"},
                             std::pair{&TRF_21, "grad-mode-of-the-caller"},
                             std::pair{&TRF_22, "no-gradient-for-unused"},
                             std::pair{&TRF_23, "history-kept"},
                             std::pair{&TRF_24, "recorded-outside-under-no-grad"},
                             std::pair{&TRF_25, "argnum-wraps"},
                             std::pair{&TRF_26, "argnum-twice"},
                             std::pair{&TRF_27, "inference-mode-of-the-caller"},
                             std::pair{&TRF_29, "memory-gets-no-examples"}};
  std::vector<Misreading> faults;
  for (const auto& [rule, name] : names) faults.push_back({name, rule});
  return faults;
}

}  // namespace

MisreadingSubject misread_transforms() {
  MisreadingSubject subject{"selftest --transforms", "transforms", transform_faults(), {}};
  subject.generated.transforms = true;
  return subject;
}

}  // namespace plumbline::fuzz
