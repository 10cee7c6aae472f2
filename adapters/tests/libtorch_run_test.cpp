// Statements of autograd and threads on LibTorch, in this process: they behave as in Python.
#include <gtest/gtest.h>

#include <algorithm>

#include "adapters/libtorch/failure.h"
#include "adapters/libtorch/run.h"
#include "adapters/tests/script_writer.h"

namespace plumbline {
namespace {

using Floats = std::vector<double>;

Trace run(const Writer& w) { return libtorch::run_script(w.script); }
void pair(Writer& w, int slot, bool requires_grad) {
  w.add(MakeTensor{Slot{slot}, Dtype::float32, {2}, {1, 2}, requires_grad});
}
Floats floats(const Trace& t, std::size_t statement) { return reading<Values>(t, statement).floats; }

TEST(LibtorchRun, backward_takes_a_gradient) {
  Writer w(3);
  pair(w, 0, true);
  pair(w, 1, false);
  w.call("mul", "Tensor", {Slot{0}, 3.0}, {Slot{2}});
  w.add(Backward{Slot{2}, Slot{1}});
  const auto grad = w.read(0, Field::grad);
  EXPECT_EQ(floats(run(w), grad), (Floats{3, 6}));
}

TEST(LibtorchRun, a_gradient_of_other_sizes_is_refused_before_the_engine_sees_it) {
  Writer w(3);
  pair(w, 0, true);
  w.ones(1, {3});
  w.call("mul", "Tensor", {Slot{0}, 3.0}, {Slot{2}});
  const auto backward = w.add(Backward{Slot{2}, Slot{1}});
  EXPECT_EQ(at(run(w), backward).failure.message,
            "Mismatch in shape: grad_output[0] has a shape of torch.Size([3]) and output[0] has a shape of "
            "torch.Size([2]).");
}

TEST(LibtorchRun, a_retained_graph_allows_a_second_backward) {
  for (const bool retain : {true, false}) {
    Writer w(3);
    pair(w, 0, true);
    pair(w, 1, false);
    w.call("mul", "Tensor", {Slot{0}, Slot{0}}, {Slot{2}});
    w.add(Backward{Slot{2}, Slot{1}, retain});
    const auto second = w.add(Backward{Slot{2}, Slot{1}});
    EXPECT_EQ(at(run(w), second).failure.message.starts_with("Trying to backward through the graph a second time"),
              !retain);
  }
}

TEST(LibtorchRun, a_gradient_can_be_assigned_and_removed) {
  Writer w(2);
  pair(w, 0, true);
  pair(w, 1, false);
  w.add(SetGrad{Slot{0}, Slot{1}});
  const auto given = w.read(0, Field::grad);
  w.add(SetGrad{Slot{0}});
  const auto none = w.read(0, Field::grad);
  const Trace t = run(w);
  EXPECT_EQ(floats(t, given), (Floats{1, 2}));
  EXPECT_TRUE(std::holds_alternative<None>(at(t, none).reading));
}

TEST(LibtorchRun, a_gradient_is_neither_the_tensor_itself_nor_of_another_shape) {
  Writer w(2);
  pair(w, 0, true);
  w.ones(1, {3});
  w.add(Try{});
  const auto own = w.add(SetGrad{Slot{0}, Slot{0}});
  w.add(EndTry{});
  const auto other = w.add(SetGrad{Slot{0}, Slot{1}});
  const Trace t = run(w);
  EXPECT_EQ(at(t, own).failure.message, "can't assign Variable as its own grad");
  EXPECT_EQ(at(t, other).failure.message, std::string_view(PLUMBLINE_LIBTORCH_SERIES) == "1.13"
                                              ? "assigned grad has data of a different size"
                                              : "attempting to assign a gradient of size '[3]' to a tensor of size "
                                                "'[2]'. Please ensure that the gradient and the tensor are the same "
                                                "size");
}

TEST(LibtorchRun, retain_grad_keeps_the_gradient_of_a_result) {
  Writer w(3);
  pair(w, 0, true);
  pair(w, 1, false);
  w.call("mul", "Tensor", {Slot{0}, 3.0}, {Slot{2}});
  w.add(RetainGrad{Slot{2}});
  w.add(Backward{Slot{2}, Slot{1}});
  const auto kept = w.read(2, Field::grad);
  const auto refused = w.add(RetainGrad{Slot{1}});
  const Trace t = run(w);
  EXPECT_EQ(floats(t, kept), (Floats{1, 2}));
  EXPECT_EQ(at(t, refused).failure.message, "can't retain_grad on Tensor that has requires_grad=False");
}

TEST(LibtorchRun, the_method_requires_grad_allows_true_on_a_result) {
  Writer w(2);
  pair(w, 0, true);
  w.call("mul", "Tensor", {Slot{0}, 3.0}, {Slot{1}});
  const auto on = w.add(SetRequiresGrad{Slot{1}, true, true}), off = w.add(SetRequiresGrad{Slot{1}, false, true});
  const Trace t = run(w);
  EXPECT_EQ(at(t, on).failure.error, ErrorClass::none);
  EXPECT_EQ(at(t, off).failure.error, ErrorClass::not_a_leaf);
}

TEST(LibtorchRun, the_seed_decides_random_numbers) {
  Writer w(2);
  std::vector<std::size_t> drawn;
  for (const int slot : {0, 1}) {
    w.add(ManualSeed{7});
    w.call("rand", "", {std::vector<std::int64_t>{4}, None{}, None{}, None{}, None{}}, {Slot{slot}});
    drawn.push_back(w.read(slot, Field::values));
  }
  const Trace t = run(w);
  EXPECT_EQ(floats(t, drawn[0]), floats(t, drawn[1]));
}

TEST(LibtorchRun, tensor_lists_and_small_dtypes_are_passed) {
  Writer w(4);
  w.add(MakeTensor{Slot{0}, Dtype::int32, {1}, {5}, false});
  w.call("cat", "", {std::vector<Slot>{Slot{0}, Slot{0}}, std::int64_t{0}}, {Slot{1}});
  w.call("gt", "Scalar", {Slot{1}, std::int64_t{4}}, {Slot{2}});
  const auto values = w.read(1, Field::values), dtype = w.read(2, Field::dtype), truths = w.read(2, Field::values);
  const Trace t = run(w);
  EXPECT_EQ(reading<Values>(t, values).integers, (std::vector<std::int64_t>{5, 5}));
  EXPECT_EQ(reading<std::string>(t, dtype), "bool");
  EXPECT_EQ(reading<Values>(t, truths).integers, (std::vector<std::int64_t>{1, 1}));
}

TEST(LibtorchRun, a_thread_begins_with_its_own_modes_and_shares_tensors) {
  Writer w(1);
  pair(w, 0, false);
  w.add(Enter{GuardKind::inference_mode, true});
  w.add(StartThread{});
  const auto inside = w.add(ReadThread{ThreadField::inference_mode});
  w.add(Enter{GuardKind::no_grad});
  w.add_one(0);
  w.add(Exit{});
  const auto join = w.add(JoinThread{});
  const auto outside = w.add(ReadThread{ThreadField::inference_mode}), values = w.read(0, Field::values);
  w.add(Exit{});
  const Trace t = run(w);
  EXPECT_FALSE(reading<bool>(t, inside));
  EXPECT_TRUE(reading<bool>(t, outside));
  EXPECT_EQ(floats(t, values), (Floats{2, 3}));
  EXPECT_EQ(at(t, join).failure.error, ErrorClass::none);
}

TEST(LibtorchRun, an_error_ends_only_its_thread) {
  Writer w(1);
  pair(w, 0, true);
  w.add(StartThread{});
  w.add(Enter{GuardKind::inference_mode, true});
  w.add(Exit{});
  const auto bad = w.add_one(0);
  const auto skipped = w.add(ReadThread{ThreadField::grad_mode});
  w.add(JoinThread{});
  const auto after = w.add(ReadThread{ThreadField::grad_mode});
  const Trace t = run(w);
  EXPECT_EQ(at(t, bad).failure.error, ErrorClass::leaf_inplace);
  EXPECT_THROW(at(t, skipped), std::runtime_error);
  EXPECT_TRUE(reading<bool>(t, after));
  EXPECT_TRUE(t.completed);
}

TEST(LibtorchRun, a_thread_that_waits_keeps_its_modes_while_its_starter_runs) {
  Writer w(1);
  pair(w, 0, false);
  w.add(StartThread{});
  w.add(Enter{GuardKind::inference_mode, true});
  w.add(PauseThread{});
  const auto starter = w.add(ReadThread{ThreadField::inference_mode});
  w.add(Enter{GuardKind::no_grad});
  w.add(Exit{});
  w.add(ResumeThread{});
  const auto thread = w.add(ReadThread{ThreadField::inference_mode});
  w.add_one(0);
  w.add(Exit{});
  w.add(JoinThread{});
  const auto values = w.read(0, Field::values);
  const Trace t = run(w);
  EXPECT_FALSE(reading<bool>(t, starter));
  EXPECT_TRUE(reading<bool>(t, thread));
  EXPECT_EQ(floats(t, values), (Floats{2, 3}));
  EXPECT_TRUE(t.completed);
}

TEST(LibtorchRun, a_starter_runs_its_statements_also_if_the_thread_has_ended) {
  Writer w(1);
  pair(w, 0, true);
  w.add(StartThread{});
  w.add_one(0);  // a leaf that requires grad: an error
  w.add(PauseThread{});
  const auto starter = w.add(ReadThread{ThreadField::grad_mode});
  w.add(ResumeThread{});
  const auto skipped = w.add(ReadThread{ThreadField::grad_mode});
  w.add(JoinThread{});
  const Trace t = run(w);
  EXPECT_TRUE(reading<bool>(t, starter));
  EXPECT_THROW(at(t, skipped), std::runtime_error);
  EXPECT_TRUE(t.completed);
}

TEST(LibtorchRun, an_error_of_the_starter_ends_the_thread_that_waits) {
  Writer w(1);
  pair(w, 0, true);
  w.add(Try{});
  w.add(StartThread{});
  w.add(Enter{GuardKind::no_grad});
  w.add(PauseThread{});
  const auto bad = w.add_one(0);
  w.add(ResumeThread{});
  const auto skipped = w.add(ReadThread{ThreadField::grad_mode});
  w.add(Exit{});
  w.add(JoinThread{});
  w.add(EndTry{});
  const auto after = w.add(ReadThread{ThreadField::grad_mode});
  const Trace t = run(w);
  EXPECT_EQ(at(t, bad).failure.error, ErrorClass::leaf_inplace);
  EXPECT_THROW(at(t, skipped), std::runtime_error);
  EXPECT_TRUE(reading<bool>(t, after));
}

TEST(LibtorchRun, a_guard_of_one_key_does_not_affect_the_next_program) {
  Writer first(0);
  first.add(Enter{GuardKind::exclude_key, true, "AutogradCPU"});
  first.add(Exit{});
  run(first);
  Writer w(0);
  w.add(Enter{GuardKind::below_autograd});
  const auto excluded = w.add(ReadThread{ThreadField::excluded});
  w.add(Exit{});
  const auto names = reading<std::vector<std::string>>(run(w), excluded);
  EXPECT_EQ(std::ranges::count(names, "AutogradCPU"), 0);
}

TEST(LibtorchRun, blocks_of_threads_must_nest) {
  Writer w(0);
  w.add(StartThread{});
  w.add(Try{});
  w.add(JoinThread{});
  w.add(EndTry{});
  EXPECT_THROW(run(w), libtorch::Unsupported);
}

}  // namespace
}  // namespace plumbline
