// The LibTorch adapter on statements that break invariants by design, and on the gradients that show it.
#include <gtest/gtest.h>

#include <algorithm>

#include "adapters/tests/libtorch_script.h"

namespace plumbline {
namespace {

using Names = std::vector<std::string>;
using Floats = std::vector<double>;

bool has(const Names& names, const std::string& name) { return std::ranges::find(names, name) != names.end(); }

/// `x = torch.tensor([1.0, 2.0], requires_grad=…)`.
void pair(Writer& w, int slot, bool requires_grad) {
  w.add(MakeTensor{Slot{slot}, Dtype::float32, {2}, {1, 2}, requires_grad});
}

TEST(LibtorchUnsafe, data_shares_the_storage_but_neither_version_nor_graph) {
  Writer w(2);
  pair(w, 0, true);
  w.add(GetData{Slot{1}, Slot{0}});
  w.add_one(1);
  const auto snapshot = w.add(Snapshot{});
  const Outcome o = at(run(w), snapshot);
  EXPECT_EQ(std::get<Values>(field(o, 0, Field::values)).floats, (Floats{2, 3}));
  EXPECT_EQ(std::get<std::int64_t>(field(o, 1, Field::storage)), 0);
  EXPECT_EQ(std::get<std::int64_t>(field(o, 0, Field::version)), 0);
  EXPECT_EQ(std::get<std::int64_t>(field(o, 1, Field::version)), 1);
  EXPECT_FALSE(std::get<bool>(field(o, 1, Field::requires_grad)));
  EXPECT_FALSE(std::get<bool>(field(o, 1, Field::is_view)));
}

TEST(LibtorchUnsafe, set_data_replaces_everything_except_version_and_autograd) {
  Writer w(2);
  pair(w, 0, true);
  w.add(Enter{GuardKind::no_grad});
  w.add_one(0);
  w.add(Exit{});
  w.ones(1, {3});
  w.add_one(1);
  w.add_one(1);
  w.add(SetData{Slot{0}, Slot{1}});
  const auto snapshot = w.add(Snapshot{});
  const Outcome o = at(run(w), snapshot);
  EXPECT_EQ(std::get<std::vector<std::int64_t>>(field(o, 0, Field::sizes)), (std::vector<std::int64_t>{3}));
  EXPECT_EQ(std::get<Values>(field(o, 0, Field::values)).floats, (Floats{3, 3, 3}));
  EXPECT_EQ(std::get<std::int64_t>(field(o, 1, Field::storage)), 0);
  EXPECT_EQ(std::get<std::int64_t>(field(o, 0, Field::version)), 1);
  EXPECT_EQ(std::get<std::int64_t>(field(o, 1, Field::version)), 2);
  EXPECT_TRUE(std::get<bool>(field(o, 0, Field::requires_grad)));
}

TEST(LibtorchUnsafe, set_data_of_integers_is_refused_on_a_tensor_that_requires_grad) {
  Writer w(2);
  pair(w, 0, true);
  w.ones(1, {2}, false, Dtype::int64);
  const auto set = w.add(SetData{Slot{0}, Slot{1}});
  EXPECT_EQ(at(run(w), set).failure.error, ErrorClass::grad_dtype);
}

TEST(LibtorchUnsafe, set_uses_the_storage_of_another_tensor) {
  Writer w(3);
  pair(w, 0, false);
  w.ones(1, {3});
  w.call("set_", "source_Tensor", {Slot{0}, Slot{1}}, {Slot{2}});
  const auto snapshot = w.add(Snapshot{});
  w.ones(1, {3}, false, Dtype::int64);
  const auto other_dtype = w.call("set_", "source_Tensor", {Slot{0}, Slot{1}}, {});
  const Trace t = run(w);
  const Outcome& o = at(t, snapshot);
  EXPECT_EQ(std::get<Values>(field(o, 0, Field::values)).floats, (Floats{1, 1, 1}));
  EXPECT_EQ(std::get<std::int64_t>(field(o, 1, Field::storage)), 0);
  EXPECT_EQ(std::get<std::int64_t>(field(o, 0, Field::version)), 1);
  EXPECT_EQ(std::get<std::int64_t>(field(o, 1, Field::version)), 0);
  EXPECT_FALSE(std::get<bool>(field(o, 0, Field::is_view)));
  EXPECT_EQ(at(t, other_dtype).failure.error, ErrorClass::dtype_mismatch);
}

/// `y = x.mul(3).sum()` into slot 1.
void three_times(Writer& w) {
  w.call("mul", "Tensor", {Slot{0}, 3.0}, {Slot{1}});
  w.call("sum", "", {Slot{1}, None{}}, {Slot{1}});
}

TEST(LibtorchUnsafe, backward_adds_to_the_gradient_of_a_leaf) {
  Writer w(3);
  pair(w, 0, true);
  w.add(GetGrad{Slot{2}, Slot{0}});
  const auto none = w.add(Snapshot{});
  three_times(w);
  w.add(Backward{Slot{1}});
  w.add(GetGrad{Slot{2}, Slot{0}});
  const auto once = w.read(2, Field::values);
  three_times(w);
  w.add(Backward{Slot{1}});
  const auto twice = w.add(Snapshot{});
  const Trace t = run(w);
  EXPECT_THROW(field(at(t, none), 2, Field::dtype), std::runtime_error) << "the slot is empty";
  EXPECT_EQ(reading<Values>(t, once).floats, (Floats{3, 3}));
  EXPECT_EQ(std::get<Values>(field(at(t, twice), 2, Field::values)).floats, (Floats{6, 6}));
  EXPECT_FALSE(std::get<bool>(field(at(t, twice), 2, Field::requires_grad)));
}

TEST(LibtorchUnsafe, a_missing_gradient_cannot_be_used) {
  Writer w(2);
  pair(w, 0, true);
  w.add(GetGrad{Slot{1}, Slot{0}});
  w.add_one(1);
  const RunResult result = libtorch().run(w.script);
  ASSERT_TRUE(std::holds_alternative<Breakdown>(result));
  EXPECT_EQ(std::get<Breakdown>(result).kind, Breakdown::Kind::unsupported);
  EXPECT_EQ(std::get<Breakdown>(result).message, "slot 1 is used and holds no tensor");
}

TEST(LibtorchUnsafe, an_empty_slot_does_not_crash) {
  for (const StatementKind& kind : std::vector<StatementKind>{GetData{Slot{1}, Slot{0}}, GetGrad{Slot{1}, Slot{0}},
                                                              Backward{Slot{0}}, SetData{Slot{0}, Slot{0}}}) {
    Writer w(2);
    w.add(kind);
    const RunResult result = libtorch().run(w.script);
    ASSERT_TRUE(std::holds_alternative<Breakdown>(result));
    EXPECT_EQ(std::get<Breakdown>(result).message, "slot 0 is used and holds no tensor");
  }
}

TEST(LibtorchUnsafe, backward_needs_one_element_and_a_graph) {
  Writer w(2);
  pair(w, 0, true);
  pair(w, 1, false);
  w.add(Try{});
  const auto many = w.add(Backward{Slot{0}});
  w.add(EndTry{});
  const auto none = w.add(Backward{Slot{1}});
  const Trace t = run(w);
  EXPECT_EQ(at(t, many).failure.message, "grad can be implicitly created only for scalar outputs");
  EXPECT_EQ(at(t, none).failure.error, ErrorClass::no_graph);
}

/// `y = x.mul(x)`, then a write to x under `guard`, then backward.
Outcome backward_after_write_under(Enter guard) {
  Writer w(2);
  pair(w, 0, true);
  w.call("mul", "Tensor", {Slot{0}, Slot{0}}, {Slot{1}});
  w.add(Enter{GuardKind::no_grad});
  w.add(guard);
  w.add_one(0);
  w.add(Exit{});
  w.add(Exit{});
  w.call("sum", "", {Slot{1}, None{}}, {Slot{1}});
  const auto backward = w.add(Backward{Slot{1}});
  return at(run(w), backward);
}

// Note [AutoDispatchBelowAutograd] of ATen/core/LegacyTypeDispatch.h: a write below skips the version bump.
TEST(LibtorchUnsafe, backward_does_not_notice_a_write_below_ad_inplace_or_view) {
  EXPECT_EQ(backward_after_write_under({GuardKind::below_autograd}).failure.error, ErrorClass::saved_modified);
  EXPECT_EQ(backward_after_write_under({GuardKind::below_ad_inplace_or_view}).failure.error, ErrorClass::none);
  EXPECT_EQ(backward_after_write_under({GuardKind::exclude_key, true, "ADInplaceOrView"}).failure.error,
            ErrorClass::none);
}

/// Under a guard: x (slot 0, requires grad), its view (1), its product (2), and a write to another tensor (3).
struct Under {
  Names included, excluded;
  Outcome snapshot;
};
Under under(Enter guard) {
  Writer w(4);
  pair(w, 0, true);
  pair(w, 3, false);
  w.add(guard);
  w.call("view", "", {Slot{0}, std::vector<std::int64_t>{2}}, {Slot{1}});
  w.call("mul", "Tensor", {Slot{0}, 2.0}, {Slot{2}});
  w.add_one(3);
  const auto included = w.add(ReadThread{ThreadField::included}), excluded = w.add(ReadThread{ThreadField::excluded});
  w.add(Exit{});
  const auto snapshot = w.add(Snapshot{});
  const Trace t = run(w);
  return {reading<Names>(t, included), reading<Names>(t, excluded), at(t, snapshot)};
}
bool truth(const Under& u, int slot, Field f) { return std::get<bool>(field(u.snapshot, slot, f)); }
std::int64_t version(const Under& u) { return std::get<std::int64_t>(field(u.snapshot, 3, Field::version)); }

TEST(LibtorchUnsafe, below_autograd_views_and_versions_are_still_tracked) {
  const Under u = under({GuardKind::below_autograd});
  for (const char* key : {"AutogradOther", "AutogradFunctionality", "AutogradNestedTensor"})
    EXPECT_TRUE(has(u.excluded, key)) << key;
  EXPECT_FALSE(has(u.excluded, "ADInplaceOrView"));
  EXPECT_TRUE(truth(u, 1, Field::is_view));
  EXPECT_FALSE(truth(u, 2, Field::requires_grad));
  EXPECT_EQ(version(u), 1);
}

TEST(LibtorchUnsafe, below_ad_inplace_or_view_nothing_is_tracked) {
  const Under u = under({GuardKind::below_ad_inplace_or_view});
  for (const char* key : {"ADInplaceOrView", "AutogradOther", "AutogradFunctionality", "AutogradNestedTensor"})
    EXPECT_TRUE(has(u.excluded, key)) << key;
  EXPECT_FALSE(truth(u, 1, Field::is_view));
  EXPECT_FALSE(truth(u, 2, Field::requires_grad));
  EXPECT_EQ(version(u), 0);
}

TEST(LibtorchUnsafe, one_key_is_excluded) {
  const Under u = under({GuardKind::exclude_key, true, "ADInplaceOrView"});
  EXPECT_TRUE(has(u.excluded, "ADInplaceOrView"));
  EXPECT_FALSE(has(u.excluded, "AutogradOther"));
  EXPECT_TRUE(truth(u, 2, Field::requires_grad));
  EXPECT_EQ(version(u), 0);
  const Under autograd = under({GuardKind::exclude_key, true, "AutogradCPU"});
  EXPECT_TRUE(has(autograd.excluded, "AutogradCPU"));
  EXPECT_FALSE(has(autograd.excluded, "ADInplaceOrView"));
  EXPECT_FALSE(truth(autograd, 2, Field::requires_grad));
  EXPECT_EQ(version(autograd), 1);
}

TEST(LibtorchUnsafe, one_key_is_included) {
  const Under u = under({GuardKind::include_key, true, "AutogradCPU"});
  EXPECT_EQ(u.included, (Names{"BackendSelect", "ADInplaceOrView", "AutogradCPU"}));
  Writer w(0);
  w.add(Enter{GuardKind::inference_mode, true});
  w.add(Enter{GuardKind::include_key, true, "ADInplaceOrView"});
  const auto included = w.add(ReadThread{ThreadField::included});
  w.add(Exit{});
  w.add(Exit{});
  EXPECT_EQ(reading<Names>(run(w), included), (Names{"BackendSelect", "ADInplaceOrView"}));
}

// ATen/core/LegacyTypeDispatch.h: it excludes autograd_dispatch_keyset, as AutoDispatchBelowAutograd does.
TEST(LibtorchUnsafe, auto_non_variable_type_mode_excludes_autograd) {
  const Under u = under({GuardKind::auto_non_variable_type_mode});
  EXPECT_EQ(u.excluded, under({GuardKind::below_autograd}).excluded);
  EXPECT_FALSE(truth(u, 2, Field::requires_grad));
  EXPECT_EQ(version(u), 1);
}

// Guards of one key share a set: if they are left in another order, the thread's state is not restored.
TEST(LibtorchUnsafe, an_error_leaves_nested_guards_in_order) {
  Writer w(1);
  pair(w, 0, false);
  const auto included = w.add(ReadThread{ThreadField::included}), excluded = w.add(ReadThread{ThreadField::excluded});
  w.add(Try{});
  const std::vector<Enter> guards{{GuardKind::below_ad_inplace_or_view},
                                  {GuardKind::exclude_key, true, "ADInplaceOrView"},
                                  {GuardKind::include_key, true, "AutogradCPU"},
                                  {GuardKind::below_autograd},
                                  {GuardKind::inference_mode, true},
                                  {GuardKind::inference_mode, false},
                                  {GuardKind::auto_non_variable_type_mode}};
  for (const Enter& guard : guards) w.add(guard);
  const auto bad = w.call("view", "", {Slot{0}, std::vector<std::int64_t>{3}}, {});
  for (std::size_t i = 0; i < guards.size(); ++i) w.add(Exit{});
  w.add(EndTry{});
  const auto included_after = w.add(ReadThread{ThreadField::included});
  const auto excluded_after = w.add(ReadThread{ThreadField::excluded});
  w.add_one(0);
  const auto version = w.read(0, Field::version);
  const Trace t = run(w);
  EXPECT_NE(at(t, bad).failure.error, ErrorClass::none);
  EXPECT_EQ(reading<Names>(t, included_after), reading<Names>(t, included));
  EXPECT_EQ(reading<Names>(t, excluded_after), reading<Names>(t, excluded));
  EXPECT_EQ(reading<std::int64_t>(t, version), 1);
}

}  // namespace
}  // namespace plumbline
