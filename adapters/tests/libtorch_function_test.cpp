// Custom autograd functions on LibTorch: their bodies, saved tensors, marks and errors.
#include <gtest/gtest.h>

#include "adapters/libtorch/run.h"
#include "adapters/tests/script_writer.h"

namespace plumbline::libtorch_function_test {
namespace {

using Floats = std::vector<double>;

Trace run(const Writer& w) { return libtorch::run_script(w.script); }
void pair(Writer& w, int slot, bool requires_grad) {
  w.add(MakeTensor{Slot{slot}, Dtype::float32, {2}, {1, 2}, requires_grad});
}
Statement mul(int a, int b, int result) {
  return {Call{*find_op("mul", "Tensor"), {Slot{a}, Slot{b}}, {Slot{result}}}, 0};
}

/// x is slot 0, the result slot 2, a gradient of ones slot 3. forward gives x·x and saves x; backward gives 10·g·x,
/// which is not the derivative, so it shows that the body ran.
struct Square : Writer {
  Square() : Writer(7) {
    pair(*this, 0, true);
    ones(3, {2});
    script.functions.push_back(
        {"F",
         {Slot{4}},
         {{LoadSaved{{Slot{5}}}, 0}, mul(4, 5, 6), {Call{*find_op("mul", "Tensor"), {Slot{6}, 10.0}, {Slot{6}}}, 0}},
         {Slot{6}}});
  }
  void forward(const std::vector<StatementKind>& more = {}) {
    add(EnterForward{0, {Slot{0}}});
    body = script.statements.size();
    script.statements.push_back(mul(0, 0, 1));
    add(ContextCall{ContextKind::save_for_backward, {Slot{0}}});
    for (const StatementKind& kind : more) add(kind);
    leave = add(LeaveForward{{Slot{1}}, {Slot{2}}});
  }
  std::size_t body = 0, leave = 0;
};

TEST(LibtorchFunction, backward_runs_the_body_on_what_was_saved) {
  Square w;
  w.forward();
  const auto result = w.add(Snapshot{});
  w.add(Backward{Slot{2}, Slot{3}});
  const auto grad = w.read(0, Field::grad);
  const Trace t = run(w);
  EXPECT_EQ(std::get<Values>(field(at(t, result), 2, Field::values)).floats, (Floats{1, 4}));
  EXPECT_TRUE(std::get<bool>(field(at(t, result), 2, Field::grad_fn)));
  EXPECT_EQ(reading<Values>(t, grad).floats, (Floats{10, 20}));
}

TEST(LibtorchFunction, forward_runs_with_grad_mode_off) {
  Square w;
  w.forward({ReadThread{ThreadField::grad_mode}});
  EXPECT_FALSE(reading<bool>(run(w), w.leave - 1));
}

TEST(LibtorchFunction, each_statement_has_its_outcome_in_order) {
  Square w;
  w.forward();
  const Trace t = run(w);
  for (std::size_t i = 0; i < w.script.statements.size(); ++i) EXPECT_EQ(t.outcomes.at(i).statement, i);
}

TEST(LibtorchFunction, a_write_to_a_saved_tensor_is_noticed) {
  Square w;
  w.forward();
  w.add(Enter{GuardKind::no_grad});
  w.add_one(0);
  w.add(Exit{});
  const auto backward = w.add(Backward{Slot{2}, Slot{3}});
  EXPECT_EQ(at(run(w), backward).failure.error, ErrorClass::saved_modified);
}

TEST(LibtorchFunction, an_error_in_forward_reaches_the_try_around_it) {
  Square w;
  w.add(Try{});
  w.forward({Call{*find_op("view", ""), {Slot{0}, std::vector<std::int64_t>{3}}, {}}});
  w.add(EndTry{});
  const auto mode = w.add(ReadThread{ThreadField::grad_mode});
  const Trace t = run(w);
  EXPECT_EQ(at(t, w.leave - 1).failure.error, ErrorClass::shape);
  EXPECT_THROW(at(t, w.leave), std::runtime_error);
  EXPECT_TRUE(reading<bool>(t, mode));
}

TEST(LibtorchFunction, an_error_in_the_backward_body_is_an_error_of_backward) {
  Square w;
  w.script.functions[0].statements.push_back(
      {Call{*find_op("view", ""), {Slot{6}, std::vector<std::int64_t>{3}}, {}}, 0});
  w.forward();
  const auto backward = w.add(Backward{Slot{2}, Slot{3}});
  EXPECT_EQ(at(run(w), backward).failure.error, ErrorClass::shape);
}

TEST(LibtorchFunction, too_many_gradients_are_an_error) {
  Square w;
  w.script.functions[0].returned.push_back(Slot{6});
  w.forward();
  const auto backward = w.add(Backward{Slot{2}, Slot{3}});
  EXPECT_NE(at(run(w), backward).failure.message.find("returned an incorrect number of gradients (expected 1, got 2)"),
            std::string::npos);
}

TEST(LibtorchFunction, a_second_backward_finds_nothing_saved) {
  Square w;
  w.forward();
  w.add(Backward{Slot{2}, Slot{3}});
  const auto second = w.add(Backward{Slot{2}, Slot{3}});
  EXPECT_TRUE(at(run(w), second).failure.message.starts_with("Trying to backward through the graph a second time"));
}

TEST(LibtorchFunction, a_result_marked_non_differentiable_has_no_gradient) {
  Square w;
  w.forward({ContextCall{ContextKind::mark_non_differentiable, {Slot{1}}}});
  const auto requires_grad = w.read(2, Field::requires_grad);
  EXPECT_FALSE(reading<bool>(run(w), requires_grad));
}

TEST(LibtorchFunction, a_written_input_that_is_a_leaf_is_refused) {
  Square w;
  w.add(EnterForward{0, {Slot{0}}});
  w.add_one(0);
  w.add(ContextCall{ContextKind::mark_dirty, {Slot{0}}});
  const auto leave = w.add(LeaveForward{{Slot{0}}, {Slot{2}}});
  EXPECT_EQ(at(run(w), leave).failure.message,
            "a leaf Variable that requires grad has been used in an in-place operation.");
}

}  // namespace
}  // namespace plumbline::libtorch_function_test
