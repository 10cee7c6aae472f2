// What the claims about single rules share.
#include "spec/proofs/single_rules.h"

namespace plumbline::proofs {

Bool<Symbolic> fine(const Error<Symbolic>& error) { return error == Error<Symbolic>(ErrorClass::none); }

std::vector<Obligation> obligations_of(std::string_view group, const std::vector<SingleRule>& claims) {
  std::vector<Obligation> all;
  for (const SingleRule& one : claims) {
    Obligation made{std::string(group) + "." + std::string(one.name), std::string(one.sentence), one.ask};
    made.except = one.except;
    all.push_back(std::move(made));
  }
  return all;
}

std::vector<Obligation> single_rule_obligations() {
  std::vector<Obligation> all = autograd_rules();
  for (const auto& group : {device_rules(), dtype_rules(), layout_rules(), transform_rules()})
    all.insert(all.end(), group.begin(), group.end());
  return all;
}

}  // namespace plumbline::proofs
