// What each text states in the behaviour table, with the lines that say so; rows in the order of `behaviour_rows`.
#include "tables/behaviour.h"

namespace plumbline::tables {

namespace {

using enum Standing;

constexpr bool kIsInference = true;
constexpr bool kIsNormal = false;

/// What a text can say of a result: its kind, and perhaps its creation metadata and the versions counted.
Behaviour result(bool inference, std::optional<std::string> creation = {}, std::optional<int> versions = {}) {
  return {std::nullopt, ErrorClass::none, inference, std::move(creation), versions};
}
/// What a text can say of a write that succeeds: how many versions are counted.
Behaviour counted(int versions) { return {std::nullopt, ErrorClass::none, std::nullopt, std::nullopt, versions}; }
/// A kind of result, if the text does not say that the op is allowed.
Behaviour kind(bool inference) { return {std::nullopt, std::nullopt, inference, std::nullopt, std::nullopt}; }
Behaviour through(std::string kernels, Behaviour behaviour) {
  behaviour.kernels = std::move(kernels);
  return behaviour;
}
Behaviour error(ErrorClass error) { return {std::nullopt, error, std::nullopt, std::nullopt, std::nullopt}; }

/// View ops that take two tensors are composite: they call an op that takes one, so no kernel gets both.
constexpr std::string_view kNoKernelTakesBoth = "view_as calls view with only the normal tensor";

/// Draft 1 contains the table itself. Its InplaceOrView kernel is now called ADInplaceOrView.
BehaviourText draft_1() {
  using enum ErrorClass;
  return {
      "rfc-0011-draft-1",
      Profile::draft_1,
      {
          {stated, "80", through("CPU", result(kIsInference))},
          {stated, "81", through("CPU", result(kIsInference))},
          {stated, "82", through("CPU", result(kIsInference))},
          {stated, "83", through("ADInplaceOrView(fallthrough), CPU", result(kIsInference))},
          {stated, "84", through("ADInplaceOrView, CPU", result(kIsNormal, "NO_VARIABLE_TYPE_VIEW"))},
          {stated, "85", through("ADInplaceOrView, CPU", result(kIsNormal, {}, 1))},
          {stated, "86", through("ADInplaceOrView(fallthrough), CPU", result(kIsNormal))},
          {stated, "87", through("ADInplaceOrView(error), CPU", error(inference_view))},
          {stated, "88", through("ADInplaceOrView(error), CPU", error(inference_inplace))},
          {stated, "89", through("Autograd(error), ADInplaceOrView(fallthrough), CPU", error(inference_mixed))},
          {stated, "90", through("Autograd(error), ADInplaceOrView, CPU", error(inference_mixed)), kNoKernelTakesBoth},
          {stated, "91", through("Autograd(error), ADInplaceOrView, CPU", error(inference_mixed))},
      }};
}

/// Draft 2 stops in the middle of its examples; its notes after line 219 ('everything else') are draft 1's.
BehaviourText draft_2() {
  using enum ErrorClass;
  return {"rfc-0011-draft-2",
          Profile::draft_2,
          {
              {stated, "179-182, 211", result(kIsInference)},
              {stated, "207-208", result(kIsInference, "none")},
              {stated, "66-67, 84-86, 203", counted(-1)},
              {stated, "179-182, 210", result(kIsInference)},
              {contradictory, "81-83, 168, 205-206 against 226, 242", result(kIsNormal, "none")},
              {stated, "86, 201-202", counted(1)},
              {stated, "179-182, 232", result(kIsNormal)},
              {contradictory, "183-186, 215-216 (incomplete) against 231-232", result(kIsInference)},
              {contradictory, "213-214 against 231-232", counted(-1)},
              {stated, "235", error(inference_mixed)},
              {stated, "235", error(inference_mixed), kNoKernelTakesBoth},
              {stated, "235", error(inference_mixed)},
          }};
}

BehaviourText final_text() {
  using enum ErrorClass;
  return {"rfc-0011-final",
          Profile::rfc_0011,
          {
              {stated, "134, 159", result(kIsInference)},
              {stated, "79, 154", result(kIsInference, "none")},
              {stated, "63, 80, 149", counted(-1)},
              {stated, "134, 158", result(kIsInference)},
              {contradictory, "126-131 against 151-153", result(kIsNormal, "NO_GRAD_MODE")},
              {stated, "80, 148", counted(1)},
              {stated, "134", result(kIsNormal)},
              {stated, "165", result(kIsInference, "none")},
              {stated, "138-142, 163", error(inference_inplace)},
              {stated, "134, 137-144", result(kIsNormal)},
              {silent, "", {}},
              {silent, "", {}},
          }};
}

BehaviourText documentation() {
  using enum ErrorClass;
  return {"inference-mode-docs",
          Profile::sound,
          {
              {stated, "7, 12", result(kIsInference)},
              {stated, "12, 17", result(kIsInference, "none")},
              {stated, "9, 18", counted(-1)},
              {stated, "7, 12", result(kIsInference)},
              {stated, "12", kind(kIsNormal)},
              {silent, "", {}},
              {stated, "12", kind(kIsNormal)},
              {stated, "12", kind(kIsInference)},
              {stated, "10", error(inference_inplace)},
              {silent, "", {}},
              {silent, "", {}},
              {silent, "", {}},
          }};
}

}  // namespace

const std::vector<BehaviourText>& behaviour_texts() {
  static const std::vector<BehaviourText> texts{draft_1(), draft_2(), final_text(), documentation()};
  return texts;
}

}  // namespace plumbline::tables
