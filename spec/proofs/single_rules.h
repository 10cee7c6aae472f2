// Obligations about what one rule decides, for all arguments. The claim says it in other words than the rule's
// function, so a misread rule breaks the claim.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "spec/proofs/obligation.h"

namespace plumbline::proofs {

/// A claim about a rule.
struct SingleRule {
  std::string_view name;
  std::string_view sentence;
  Question (*ask)(const Judge<Symbolic>& judge);
  std::vector<Exception> except = {};  ///< the profiles whose variant of the rule breaks the claim
};

/// The obligations `group.name`.
std::vector<Obligation> obligations_of(std::string_view group, const std::vector<SingleRule>& claims);

/// The releases that depart from most rules.
inline constexpr Profile k213 = Profile::torch_2_13;
inline constexpr Profile k113 = Profile::torch_1_13;

/// No error is raised.
Bool<Symbolic> fine(const Error<Symbolic>& error);

std::vector<Obligation> autograd_rules();   ///< recording, retain_grad(), hooks, saved tensors, the fallback
std::vector<Obligation> device_rules();     ///< where a call runs, and what may come from elsewhere
std::vector<Obligation> dtype_rules();      ///< promotion, and which dtypes ops take
std::vector<Obligation> transform_rules();  ///< mapped bodies
std::vector<Obligation> layout_rules();     ///< which tensor, sizes and strides an op gives, and which it takes

}  // namespace plumbline::proofs
