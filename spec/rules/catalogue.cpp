// The lists of rules. A rule that is missing here is in no proof, no report and no table.
#include "spec/rules/catalogue.h"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>

#include "spec/rules/aut_backward.h"
#include "spec/rules/aut_create_graph.h"
#include "spec/rules/aut_fallback.h"
#include "spec/rules/aut_grad.h"
#include "spec/rules/aut_hooks.h"
#include "spec/rules/aut_inputs.h"
#include "spec/rules/bit.h"
#include "spec/rules/dev.h"
#include "spec/rules/dsp.h"
#include "spec/rules/fun.h"
#include "spec/rules/geo_copy.h"
#include "spec/rules/geo_format.h"
#include "spec/rules/geo_value.h"
#include "spec/rules/op.h"
#include "spec/rules/sav.h"
#include "spec/rules/trf.h"

namespace plumbline {

namespace {

constexpr std::array kTheRules{
    &KEY_01,  &KEY_02,  &KEY_03,  &KEY_04,  &KEY_05,  &KEY_06,  &KEY_07,  &KEY_08,  &KEY_09,  &KEY_10,  &TLS_01,
    &TLS_02,  &TLS_03,  &TLS_04,  &TLS_05,  &TLS_06,  &TLS_07,  &TLS_08,  &TLS_09,  &TLS_10,  &TLS_11,  &TLS_12,
    &TLS_13,  &TLS_14,  &TLS_15,  &TLS_16,  &TLS_17,  &TLS_18,  &INF_01,  &INF_02,  &INF_03,  &INF_04,  &INF_05,
    &INF_06,  &INF_07,  &INF_08,  &INF_09,  &INF_10,  &INF_11,  &INF_12,  &INF_13,  &INF_14,  &INF_15,  &INF_16,
    &INF_17,  &INF_18,  &INF_19,  &INF_20,  &INF_21,  &VER_01,  &VER_02,  &VER_03,  &VER_04,  &VER_05,  &VER_06,
    &VER_07,  &VER_08,  &VER_09,  &VER_10,  &VER_11,  &VER_12,  &VER_13,  &VER_14,  &VER_15,  &VER_16,  &VER_17,
    &VER_18,  &VER_19,  &VIEW_01, &VIEW_02, &VIEW_03, &VIEW_04, &VIEW_05, &VIEW_06, &VIEW_07, &VIEW_08, &VIEW_09,
    &VIEW_10, &VIEW_11, &VIEW_12, &VIEW_13, &VIEW_14, &VIEW_15, &VIEW_16, &VIEW_17, &VIEW_18, &VIEW_19, &VIEW_20,
    &AUT_01,  &AUT_02,  &AUT_03,  &AUT_04,  &AUT_05,  &AUT_06,  &AUT_07,  &AUT_08,  &AUT_09,  &AUT_10,  &AUT_11,
    &AUT_12,  &AUT_13,  &AUT_14,  &AUT_15,  &AUT_16,  &AUT_17,  &AUT_18,  &AUT_19,  &AUT_20,  &AUT_21,  &AUT_22,
    &AUT_23,  &AUT_24,  &AUT_25,  &AUT_26,  &AUT_27,  &AUT_28,  &AUT_29,  &AUT_30,  &AUT_31,  &AUT_32,  &AUT_33,
    &AUT_34,  &AUT_35,  &AUT_36,  &AUT_37,  &AUT_38,  &AUT_39,  &AUT_40,  &AUT_41,  &AUT_42,  &AUT_43,  &AUT_44,
    &AUT_45,  &AUT_46,  &AUT_47,  &AUT_48,  &AUT_49,  &AUT_50,  &AUT_51,  &AUT_52,  &AUT_53,  &AUT_54,  &AUT_55,
    &AUT_56,  &AUT_57,  &AUT_58,  &AUT_59,  &AUT_60,  &AUT_61,  &AUT_62,  &AUT_63,  &AUT_64,  &AUT_65,  &AUT_66,
    &AUT_67,  &AUT_68,  &AUT_69,  &AUT_70,  &AUT_71,  &AUT_72,  &AUT_73,  &AUT_74,  &AUT_75,  &AUT_76,  &AUT_77,
    &AUT_78,  &AUT_79,  &AUT_80,  &AUT_81,  &AUT_82,  &AUT_83,  &AUT_84,  &AUT_85,  &AUT_86,  &AUT_87,  &AUT_88,
    &AUT_89,  &AUT_90,  &AUT_91,  &AUT_92,  &AUT_93,  &AUT_94,  &AUT_95,  &AUT_96,  &AUT_97,  &AUT_98,  &AUT_99,
    &AUT_100, &SAV_01,  &SAV_02,  &SAV_03,  &SAV_04,  &SAV_05,  &SAV_06,  &SAV_07,  &SAV_08,  &GEO_01,  &GEO_02,
    &GEO_03,  &GEO_04,  &GEO_05,  &GEO_06,  &GEO_07,  &GEO_08,  &GEO_09,  &GEO_10,  &GEO_11,  &GEO_12,  &GEO_13,
    &GEO_14,  &GEO_15,  &GEO_16,  &GEO_17,  &GEO_18,  &GEO_19,  &GEO_20,  &GEO_21,  &GEO_22,  &GEO_23,  &GEO_24,
    &GEO_25,  &GEO_26,  &GEO_27,  &GEO_28,  &GEO_29,  &GEO_30,  &GEO_31,  &GEO_34,  &GEO_35,  &GEO_36,  &GEO_37,
    &GEO_38,  &GEO_39,  &GEO_49,  &GEO_50,  &GEO_53,  &GEO_55,  &GEO_59,  &GEO_60,  &GEO_61,  &GEO_62,  &GEO_63,
    &GEO_64,  &GEO_65,  &GEO_66,  &GEO_67,  &GEO_68,  &GEO_69,  &GEO_70,  &GEO_71,  &GEO_72,  &GEO_74,  &GEO_75,
    &GEO_76,  &GEO_77,  &GEO_78,  &GEO_79,  &GEO_80,  &GEO_81,  &TYPE_32, &TYPE_33, &TYPE_40, &TYPE_41, &TYPE_42,
    &TYPE_43, &TYPE_44, &TYPE_45, &TYPE_46, &TYPE_54, &TYPE_56, &TYPE_58, &TYPE_73, &VAL_47,  &VAL_48,  &VAL_51,
    &RAND_52, &MUL_57,  &BIT_01,  &BIT_02,  &BIT_03,  &BIT_04,  &BIT_05,  &BIT_06,  &BIT_07,  &BIT_08,  &BIT_09,
    &BIT_10,  &BIT_11,  &BIT_12,  &BIT_13,  &BIT_14,  &BIT_15,  &BIT_16,  &BIT_17,  &BIT_18,  &BIT_19,  &BIT_20,
    &BIT_21,  &BIT_22,  &DEV_01,  &DEV_02,  &DEV_03,  &DEV_04,  &DEV_05,  &DEV_06,  &DEV_07,  &DEV_08,  &DEV_09,
    &DEV_10,  &DEV_11,
};

constexpr std::array kTheDispatchRules{&DSP_01, &DSP_02, &DSP_03, &DSP_04, &DSP_05, &DSP_06, &DSP_07, &DSP_08, &DSP_09,
                                       &DSP_10, &DSP_11, &DSP_12, &DSP_13, &DSP_14, &DSP_15, &DSP_16, &DSP_17, &DSP_30,
                                       &DSP_31, &DSP_32, &DSP_33, &DSP_34, &DSP_35, &DSP_36, &DSP_37, &DSP_38, &DSP_39};

constexpr std::array kTheFunctionalizeRules{&FUN_01, &FUN_02, &FUN_03, &FUN_04, &FUN_05, &FUN_06, &FUN_07, &FUN_08,
                                            &FUN_09, &FUN_10, &FUN_11, &FUN_12, &FUN_13, &FUN_14, &FUN_15, &FUN_16,
                                            &FUN_17, &FUN_18, &FUN_19, &FUN_20, &FUN_21, &FUN_22, &FUN_23, &FUN_24,
                                            &FUN_25, &FUN_26, &FUN_27, &FUN_28, &FUN_29, &FUN_30, &FUN_31, &FUN_32};

constexpr std::array kTheFunctionalizedCallRules{&FUN_33, &FUN_34, &FUN_35, &FUN_36, &FUN_37};

constexpr std::array kTheTransformRules{&TRF_01, &TRF_02, &TRF_03, &TRF_04, &TRF_05, &TRF_06, &TRF_07, &TRF_08,
                                        &TRF_09, &TRF_10, &TRF_11, &TRF_12, &TRF_13, &TRF_14, &TRF_15, &TRF_16,
                                        &TRF_17, &TRF_18, &TRF_19, &TRF_20, &TRF_21, &TRF_22, &TRF_23, &TRF_24,
                                        &TRF_25, &TRF_26, &TRF_27, &TRF_28, &TRF_29};

constexpr std::array kTheLawRules{&OP_01, &OP_02, &OP_03, &OP_04, &OP_05, &OP_06, &OP_07, &OP_08,
                                  &OP_09, &OP_10, &OP_11, &OP_12, &OP_13, &OP_14, &OP_15, &OP_16,
                                  &OP_17, &OP_18, &OP_19, &OP_20, &OP_21, &OP_22, &OP_23};

constexpr auto kEveryRule = [] {
  constexpr std::size_t kFunctionalization = kTheFunctionalizeRules.size() + kTheFunctionalizedCallRules.size();
  constexpr std::size_t kAsked =
      kTheRules.size() + kTheDispatchRules.size() + kFunctionalization + kTheTransformRules.size();
  std::array<const Rule*, kAsked + kTheLawRules.size()> all{};
  auto end = std::ranges::copy(kTheRules, all.begin()).out;
  end = std::ranges::copy(kTheDispatchRules, end).out;
  end = std::ranges::copy(kTheFunctionalizeRules, end).out;
  end = std::ranges::copy(kTheFunctionalizedCallRules, end).out;
  end = std::ranges::copy(kTheTransformRules, end).out;
  std::ranges::copy(kTheLawRules, end);
  return all;
}();

}  // namespace

constinit const std::span<const Rule* const> kRules{kTheRules};
constinit const std::span<const Rule* const> kDispatchRules{kTheDispatchRules};
constinit const std::span<const Rule* const> kFunctionalizeRules{kTheFunctionalizeRules};
constinit const std::span<const Rule* const> kFunctionalizedCallRules{kTheFunctionalizedCallRules};
constinit const std::span<const Rule* const> kTransformRules{kTheTransformRules};
constinit const std::span<const Rule* const> kLawRules{kTheLawRules};
constinit const std::span<const Rule* const> kAllRules{kEveryRule};
constinit const std::span<const Rule* const> kAskedRules =
    std::span<const Rule* const>(kEveryRule).first(kEveryRule.size() - kTheLawRules.size());

const Rule* find_rule(std::string_view id) {
  for (const Rule* rule : kAllRules)
    if (rule->id() == id) return rule;
  return nullptr;
}

const Rule& asked_rule(std::string_view id) {
  const Rule* rule = find_rule(id);
  if (rule == nullptr)
    throw std::runtime_error("unknown rule '" + std::string(id) + "'. `plumbline list rules` lists the rules");
  if (rule->family == Family::OP)
    throw std::runtime_error(
        rule->id() +
        " is a law of the sweep: the reference does not ask for it, so it cannot be misread there. "
        "`plumbline sweep` holds operators to it, and `plumbline selftest --sweep` has faults that "
        "break it");
  return *rule;
}

}  // namespace plumbline
