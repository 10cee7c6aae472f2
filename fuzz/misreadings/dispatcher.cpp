// The rules of the dispatcher that programs can show.
#include <array>

#include "fuzz/hits.h"
#include "fuzz/misreadings/selftest.h"
#include "spec/rules/dsp.h"
#include "spec/rules/dsp_calls.h"
#include "spec/rules/key.h"
#include "spec/rules/tls.h"

namespace plumbline::fuzz {

namespace {

/// Each dispatcher rule that programs can show, and the rules of key sets and guards that these rest on. Two rules are
/// left out: LibTorch's tables alone show DSP-07, and only a curated program DSP-39 (none generated has
/// PythonDispatcher).
std::vector<Misreading> dispatch_faults() {
  std::vector<Misreading> faults{{"exclude-does-not-beat-include", &KEY_06},
                                 {"include-forgotten", &KEY_05},
                                 {"guard-left-behind", &TLS_07},
                                 {"guard-restores-defaults", &TLS_06},
                                 {"exclude-guard-ignored", &TLS_14},
                                 {"include-guard-ignored", &TLS_15}};
  constexpr std::array names{
      std::pair{&DSP_01, "alias-before-own"},         std::pair{&DSP_02, "nonfunctional-for-xla"},
      std::pair{&DSP_03, "nonfunctional-last"},       std::pair{&DSP_04, "explicit-for-nested"},
      std::pair{&DSP_05, "implicit-before-explicit"}, std::pair{&DSP_06, "nested-forgotten"},
      std::pair{&DSP_08, "implicit-over-backend"},    std::pair{&DSP_09, "ambiguity-unnoticed"},
      std::pair{&DSP_10, "autograd-before-implicit"}, std::pair{&DSP_12, "fallback-before-alias"},
      std::pair{&DSP_13, "undefined-unserved"},       std::pair{&DSP_14, "oldest-kernel-used"},
      std::pair{&DSP_15, "own-entry-alone-updated"},  std::pair{&DSP_16, "mask-not-recomputed"},
      std::pair{&DSP_30, "fallthrough-ignored"},      std::pair{&DSP_31, "fallthrough-of-all-backends"},
      std::pair{&DSP_32, "lowest-backend"},           std::pair{&DSP_33, "no-backend-is-undefined"},
      std::pair{&DSP_34, "redispatch-masks"},         std::pair{&DSP_35, "kernel-given-unmasked-keys"},
      std::pair{&DSP_36, "first-of-list-alone"},      std::pair{&DSP_37, "missing-kernel-silent"},
      std::pair{&DSP_38, "fallthrough-redispatches"}};
  for (const auto& [rule, name] : names) faults.push_back({name, rule});
  faults.push_back({"batched-forgotten", &DSP_11, out_of_reach(DSP_11)});
  return faults;
}

}  // namespace

MisreadingSubject misread_dispatcher() {
  MisreadingSubject subject{"selftest --dispatcher", "dispatcher", dispatch_faults(), {}};
  subject.generated.dispatching = Dispatching::only;
  return subject;
}

}  // namespace plumbline::fuzz
