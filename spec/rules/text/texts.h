// The texts of the rules: the array of each file in this folder.
#pragma once

#include <array>
#include <span>

#include "spec/rules/rule.h"

namespace plumbline::text {

extern const std::span<const RuleText> kKey;
extern const std::span<const RuleText> kTls;
extern const std::span<const RuleText> kInf;
extern const std::span<const RuleText> kVer;
extern const std::span<const RuleText> kView;
extern const std::span<const RuleText> kAut;
extern const std::span<const RuleText> kAutBackward;
extern const std::span<const RuleText> kAutGrad;
extern const std::span<const RuleText> kAutFallback;
extern const std::span<const RuleText> kAutInputs;
extern const std::span<const RuleText> kAutHooks;
extern const std::span<const RuleText> kAutCreateGraph;
extern const std::span<const RuleText> kSav;
extern const std::span<const RuleText> kGeo;
extern const std::span<const RuleText> kGeoOps;
extern const std::span<const RuleText> kGeoValue;
extern const std::span<const RuleText> kGeoMemory;
extern const std::span<const RuleText> kGeoCopy;
extern const std::span<const RuleText> kGeoExchange;
extern const std::span<const RuleText> kGeoFormat;
extern const std::span<const RuleText> kType;
extern const std::span<const RuleText> kValue;
extern const std::span<const RuleText> kBit;
extern const std::span<const RuleText> kDev;
extern const std::span<const RuleText> kDsp;
extern const std::span<const RuleText> kDspCalls;
extern const std::span<const RuleText> kFun;
extern const std::span<const RuleText> kTrf;
extern const std::span<const RuleText> kOp;

}  // namespace plumbline::text
