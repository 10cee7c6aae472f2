// The table of claims about speed.
#include "bench/claims.h"

#include <sstream>

namespace plumbline::bench {

namespace {

constexpr double kSlight = 1.1;  // what we hold for "slight"
constexpr double kEqual = 1.25;  // what we hold for "equivalent to"

/// Each row of the first mode takes at least as long as the same row of the second.
void add_order(std::vector<ClaimPair>& pairs, const std::string& slower, const std::string& faster) {
  for (const std::string row : {"add/1/", "add_/1/", "view/", "mlp/"})
    pairs.push_back({row + slower, row + faster, Relation::at_least});
}

std::vector<Claim> make_claims() {
  std::vector<ClaimPair> ranked;
  add_order(ranked, "grad", "no_grad");
  add_order(ranked, "no_grad", "inference");
  return {
      {"old-guard",
       {"D-25", "A-03"},
       "A workload under InferenceMode costs no more than it did under AutoNonVariableTypeMode.",
       {{"add/1/inference", "add/1/below"},
        {"add_/1/inference", "add_/1/below"},
        {"view/inference", "view/below"},
        {"slice/inference", "slice/below"},
        {"empty/1/inference", "empty/1/below"},
        {"mlp/inference", "mlp/below"}}},
      {"old-guard-entry",
       {"D-25", "A-03"},
       "To enter and leave InferenceMode costs no more than to enter and leave AutoNonVariableTypeMode.",
       {{"guard/normal", "guard_below/normal"}, {"guard/normal", "guard_legacy/normal"}}},
      {"modes",
       {"A-50", "D-40"},
       "Normal mode is slowest, no_grad is faster, InferenceMode is fastest.",
       std::move(ranked)},
      {"bookkeeping",
       {"F-108", "B-56"},
       "A view without tracking and a write without a version bump are faster.",
       {{"view/normal", "view/below", Relation::at_least},
        {"slice/normal", "slice/below", Relation::at_least},
        {"add_/1/normal", "add_/1/below", Relation::at_least}}},
      {"redispatch",
       {"F-17", "B-10", "F-106"},
       "One more redispatch of view and in-place ops outside the mode is a slight slowdown.",
       {{"write_split/1/normal", "write_fused/1/normal", Relation::at_most, kSlight},
        {"write_split/1024/normal", "write_fused/1024/normal", Relation::at_most, kSlight}}},
      {"outside",
       {"A-44", "F-15"},
       "A functional op on inference tensors may be slower outside the mode than inside.",
       {{"add/1/outside", "add/1/inference", Relation::at_least},
        {"sum/1/outside", "sum/1/inference", Relation::at_least},
        {"mlp/outside", "mlp/inference", Relation::at_least}}},
      {"bump",
       {"F-33"},
       "A version counter bump is as costly as an atomic increment.",
       {{"bump/normal", "bump/normal", Relation::about, kEqual, true}}},
      {"boxed",
       {"P-49"},
       "A functional op is functionalized faster by a generated kernel than by the boxed fallback.",
       {{"op_fallback/1/functionalized", "op_generated/1/functionalized", Relation::at_least}}},
  };
}

}  // namespace

const std::vector<Claim>& claims() {
  static const std::vector<Claim> all = make_claims();
  return all;
}

const std::vector<std::string_view>& control_cases() {
  static const std::vector<std::string_view> all{"add/1/normal", "add_/1/inference", "view/normal", "guard/normal",
                                                 "mlp/inference"};
  return all;
}

std::string text_of(const ClaimPair& pair) {
  std::ostringstream text;
  text << pair.left
       << (pair.relation == Relation::at_most    ? " ≤ "
           : pair.relation == Relation::at_least ? " ≥ "
                                                 : " ≈ ");
  if (pair.limit != 1 && pair.relation == Relation::at_most) text << pair.limit << " × ";
  text << (pair.against_floor ? "the floor's " : "") << pair.right;
  if (pair.relation == Relation::about) text << " (1/" << pair.limit << " to " << pair.limit << ")";
  return text.str();
}

}  // namespace plumbline::bench
