// What the reference promises for every program under `sound`; each property fails when a rule that it depends on is
// misread.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "adapters/protocol/protocol.h"
#include "fuzz/builder.h"
#include "fuzz/tests/steps.h"
#include "spec/ops/op_ids.h"
#include "spec/rules/aut.h"
#include "spec/rules/catalogue.h"
#include "spec/rules/inf.h"
#include "spec/rules/ver.h"

namespace plumbline::fuzz::properties_test {

namespace {

bool no_inference_tensor_changes_outside_inference_mode(const Step& s) {
  if (s.before.tls.inference_mode.v) return true;
  for (std::size_t i = 0; i < s.before.tensors.size(); ++i) {
    const reference::Tensor& tensor = s.before.tensors[i];
    if (is_inference(tensor) &&
        (!same_elements(s.before, s.after, tensor.storage) || !same(tensor.geometry, s.after.tensors[i].geometry)))
      return false;
  }
  return true;
}

bool inference_and_normal_tensors_never_share_storage(const Step& s) {
  for (const reference::Tensor& a : s.after.tensors)
    for (const reference::Tensor& b : s.after.tensors)
      if (a.storage == b.storage && is_inference(a) != is_inference(b)) return false;
  return true;
}

bool guard_restores_outer_state(const Step& s) {
  const State& behind = s.outcome.failure.error == ErrorClass::none ? s.after : s.unwound;
  if (behind.frames.size() >= s.before.frames.size()) return true;
  return (behind.tls == s.before.frames[behind.frames.size()].found).v;
}

/// Elements, geometry, versions, variables and the thread; a reading that raises may update a view's history.
bool a_raising_statement_changes_nothing(const Step& s) {
  if (s.outcome.failure.error == ErrorClass::none) return true;
  for (std::size_t i = 0; i < s.before.storages.size(); ++i)
    if (!same_elements(s.before, s.after, static_cast<std::int32_t>(i))) return false;
  for (std::size_t i = 0; i < s.before.tensors.size(); ++i) {
    const reference::Tensor& a = s.before.tensors[i];
    const reference::Tensor& b = s.after.tensors[i];
    if (!same(a.geometry, b.geometry) || a.storage != b.storage || a.meta.keys.v != b.meta.keys.v ||
        a.meta.requires_grad.v != b.meta.requires_grad.v)
      return false;
  }
  for (std::size_t i = 0; i < s.before.counters.size(); ++i)
    if (s.after.counters[i].version != s.before.counters[i].version) return false;
  const bool ends = std::holds_alternative<LeaveForward>(s.statement.kind);  // a forward's end gives back its grad mode
  return s.before.slots == s.after.slots && (ends || (s.before.tls == s.after.tls).v);
}

/// The counter of the tensor that a call writes; detach_ and resize_ to the same sizes write none.
std::int32_t written_counter(const Step& s) {
  const Call* call = std::get_if<Call>(&s.statement.kind);
  const int place = call == nullptr ? -1 : written_argument(op(call->op));
  if (place < 0 || call->op == OpId::detach_ || s.outcome.failure.error != ErrorClass::none) return -1;
  const auto slot = static_cast<std::size_t>(std::get<Slot>(call->arguments[static_cast<std::size_t>(place)]));
  const reference::Tensor& tensor = s.before.tensors[static_cast<std::size_t>(s.before.slots[slot])];
  const bool same = call->op == OpId::resize_ &&
                    reference::sizes_of(tensor.geometry) == std::get<std::vector<std::int64_t>>(call->arguments[1]);
  return same ? -1 : tensor.counter;
}

/// Except backward and grad(), which add gradients and call hooks, and custom functions, which count versions of what
/// they mark.
bool version_counts_every_write_of_a_normal_tensor(const Step& s) {
  const StatementKind& kind = s.statement.kind;
  if (std::holds_alternative<Backward>(kind) || std::holds_alternative<GetGradients>(kind) ||
      std::holds_alternative<LeaveForward>(kind))
    return true;
  const std::int32_t written = written_counter(s);
  for (std::size_t i = 0; i < s.before.counters.size(); ++i)
    if (s.after.counters[i].version != s.before.counters[i].version + (static_cast<std::int32_t>(i) == written ? 1 : 0))
      return false;
  return true;
}

std::string text_of(Outcome snapshot) {
  snapshot.statement = 0;
  return encode(Trace{{std::move(snapshot)}, true});
}

/// Two readings in a row are equal, although the first one may update stale histories.
bool reading_is_idempotent(const Step& s) {
  State state = s.unwound;
  const Judge& judge = s.judge;
  const Statement snapshot{Snapshot{}, 0};
  const std::string first = text_of(reference::step(judge, state, snapshot));
  return first == text_of(reference::step(judge, state, snapshot));
}

struct Property {
  const char* name;
  bool (*look)(const Step&);
  const Rule* rests_on;  ///< misread it, and the property fails
};

constexpr std::array kProperties{
    Property{"no_inference_tensor_changes_outside_inference_mode", no_inference_tensor_changes_outside_inference_mode,
             &INF_06},
    Property{"inference_and_normal_tensors_never_share_storage", inference_and_normal_tensors_never_share_storage,
             &INF_03},
    Property{"guard_restores_outer_state", guard_restores_outer_state, &TLS_07},
    Property{"a_raising_statement_changes_nothing", a_raising_statement_changes_nothing, &INF_06},
    Property{"version_counts_every_write_of_a_normal_tensor", version_counts_every_write_of_a_normal_tensor, &VER_03},
    Property{"reading_is_idempotent", reading_is_idempotent, &AUT_06},
};

class Sound : public testing::TestWithParam<Property> {};

TEST_P(Sound, holds_of_every_program) {
  EXPECT_TRUE(rc::check(GetParam().name, [] {
    const Judge sound;
    const Script script = build(*any_genes(), sound);
    RC_LOG() << encode(script);
    RC_ASSERT(holds_on(sound, script, GetParam().look));
  }));
}

TEST_P(Sound, falls_when_the_rule_that_it_rests_on_is_misread) {
  Judge misread;
  misread.flipped = GetParam().rests_on;
  bool fell = false;
  for (std::uint64_t index = 0; index < 3000 && !fell; ++index)
    fell = !holds_on(misread, build(genes_at(1, index).value(), misread), GetParam().look);
  EXPECT_TRUE(fell) << GetParam().rests_on->id();
}

INSTANTIATE_TEST_SUITE_P(Reference, Sound, testing::ValuesIn(kProperties),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace

}  // namespace plumbline::fuzz::properties_test
