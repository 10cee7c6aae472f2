// Scripts on the optimized runtime, in this process: readings, failures, kernels and memory.
#include <gtest/gtest.h>

#include "adapters/optimized/memory.h"
#include "adapters/optimized/run.h"
#include "adapters/tests/script_writer.h"
#include "spec/ops/op_ids.h"

namespace plumbline {
namespace {

using Integers = std::vector<std::int64_t>;
using Floats = std::vector<double>;
using Names = std::vector<std::string>;

Trace run(const Writer& w, bool traced = false) {
  auto result = optimized::run(w.script, traced);
  if (const auto* cannot = std::get_if<CannotRun>(&result)) throw std::runtime_error(cannot->why);
  return std::get<Trace>(std::move(result));
}
bool is_unsupported(const Writer& w) { return std::holds_alternative<CannotRun>(optimized::run(w.script)); }
void pair(Writer& w, int slot, bool requires_grad = false) {
  w.add(MakeTensor{Slot{slot}, Dtype::float32, {2}, {1, 2}, requires_grad});
}

/// A transposed view in slot 1 of a matrix in slot 0, its gradient recorded.
struct Matrix : Writer {
  Matrix() : Writer(2) {
    add(MakeTensor{Slot{0}, Dtype::float64, {2, 3}, {0, 1, 2, 3, 4, 5}, true});
    call("select", "int", {Slot{0}, std::int64_t{1}, std::int64_t{1}}, {Slot{1}});
    seen = add(Snapshot{});
  }
  std::size_t seen = 0;
};

TEST(OptimizedRun, a_dtype_that_the_runtime_does_not_have_is_unsupported) {
  Writer literal(1);
  literal.add(MakeTensor{Slot{0}, Dtype::uint8, {1}, {1}, false});
  EXPECT_TRUE(is_unsupported(literal));
  Writer asked(2);
  pair(asked, 0);
  asked.call("view", "dtype", {Slot{0}, Dtype::float16}, {Slot{1}});
  EXPECT_TRUE(is_unsupported(asked));
  EXPECT_EQ(optimized::description().has.dtypes.size(), 5U);
}

TEST(OptimizedRun, a_snapshot_shows_each_field_of_a_view) {
  const Matrix w;
  const Trace trace = run(w);
  const Outcome& seen = at(trace, w.seen);
  const auto is = [&](Field f, const auto& value) {
    using T = std::remove_cvref_t<decltype(value)>;
    EXPECT_EQ(std::get<T>(field(seen, 1, f)), value) << static_cast<int>(f);
  };
  is(Field::dtype, std::string("float64"));
  is(Field::sizes, Integers{2});
  is(Field::strides, Integers{3});
  is(Field::offset, std::int64_t{1});
  EXPECT_EQ(std::get<Values>(field(seen, 1, Field::values)).floats, (Floats{1, 4}));
  is(Field::storage, std::int64_t{0});
  is(Field::keys, Names{"CPU", "ADInplaceOrView", "AutogradCPU", "AutocastCPU"});
  is(Field::is_inference, false);
  is(Field::version, std::int64_t{0});
  is(Field::requires_grad, true);
  is(Field::is_leaf, false);
  is(Field::grad_fn, true);
  is(Field::is_view, true);
  is(Field::base, std::int64_t{0});
  is(Field::creation_meta, std::string("DEFAULT"));
  EXPECT_TRUE(std::holds_alternative<None>(field(seen, 1, Field::grad)));
}

TEST(OptimizedRun, a_snapshot_shows_the_thread) {
  Writer w(0);
  w.add(Enter{GuardKind::inference_mode, true});
  const auto inside = w.add(Snapshot{});
  w.add(Exit{});
  const auto outside = w.add(Snapshot{});
  const Trace trace = run(w);
  const auto included = static_cast<std::size_t>(ThreadField::included);
  EXPECT_EQ(std::get<bool>(at(trace, inside).thread[static_cast<std::size_t>(ThreadField::inference_mode)]), true);
  EXPECT_EQ(std::get<bool>(at(trace, inside).thread[static_cast<std::size_t>(ThreadField::grad_mode)]), false);
  EXPECT_EQ(std::get<Names>(at(trace, inside).thread[included]), Names{"BackendSelect"});
  EXPECT_EQ(std::get<Names>(at(trace, outside).thread[included]), (Names{"BackendSelect", "ADInplaceOrView"}));
  const auto& excluded = std::get<Names>(at(trace, inside).thread[static_cast<std::size_t>(ThreadField::excluded)]);
  EXPECT_EQ(excluded.front(), "AutogradOther");
}

TEST(OptimizedRun, a_gradient_is_read) {
  Writer w(2);
  pair(w, 0, true);
  w.call("mul", "Tensor", {Slot{0}, 3.0}, {Slot{1}});
  w.call("sum", "", {Slot{1}, None{}}, {Slot{1}});
  w.add(Backward{Slot{1}});
  const auto grad = w.read(0, Field::grad);
  EXPECT_EQ(reading<Values>(run(w), grad).floats, (Floats{3, 3}));
}

TEST(OptimizedRun, a_reading_that_raises_is_an_error_of_its_statement) {
  Writer w(1);
  w.add(Enter{GuardKind::inference_mode, true});
  pair(w, 0);
  w.add(Try{});
  const auto version = w.read(0, Field::version);
  w.add(EndTry{});
  const auto seen = w.add(Snapshot{});
  w.add(Exit{});
  const Trace trace = run(w);
  EXPECT_EQ(at(trace, version).failure.error, ErrorClass::inference_version);
  EXPECT_EQ(std::get<Failure>(field(at(trace, seen), 0, Field::version)).error, ErrorClass::inference_version);
}

TEST(OptimizedRun, an_error_has_its_class_its_message_and_pythons_type) {
  Writer w(1);
  pair(w, 0);
  const auto failed = w.call("select", "int", {Slot{0}, std::int64_t{0}, std::int64_t{5}}, {Slot{0}});
  const Trace trace = run(w);
  EXPECT_EQ(at(trace, failed).failure.error, ErrorClass::index_range);
  EXPECT_EQ(at(trace, failed).failure.exception, "IndexError");
  EXPECT_FALSE(at(trace, failed).failure.message.empty());
  EXPECT_FALSE(trace.completed);
}

TEST(OptimizedRun, too_much_memory_is_an_error) {
  Writer w(1);
  const auto failed = w.ones(0, {std::int64_t{1} << 58});
  EXPECT_EQ(at(run(w), failed).failure.error, ErrorClass::memory);
}

TEST(OptimizedRun, another_number_of_results_is_an_error_after_the_op) {
  Writer w(3);
  pair(w, 0);
  const auto failed =
      w.call("split", "Tensor", {Slot{0}, std::int64_t{1}, std::int64_t{0}}, {Slot{1}, Slot{2}, Slot{0}});
  const Trace trace = run(w);
  EXPECT_EQ(at(trace, failed).failure.error, ErrorClass::unpack);
  EXPECT_EQ(at(trace, failed).failure.message, "not enough values to unpack (expected 3, got 2)");
}

TEST(OptimizedRun, a_float_for_a_tensor_ranks_below_its_dtype_and_keeps_its_digits) {
  Writer w(3);
  pair(w, 0);
  w.call("add", "Tensor", {Slot{0}, 0.5, w.one}, {Slot{1}});
  const auto dtype = w.read(1, Field::dtype);
  w.add(MakeTensor{Slot{2}, Dtype::float64, {}, {0}, false});
  w.call("add", "Tensor", {Slot{2}, 0.1, w.one}, {Slot{2}});
  const auto digits = w.read(2, Field::values);
  const Trace trace = run(w);
  EXPECT_EQ(reading<std::string>(trace, dtype), "float32");
  EXPECT_EQ(reading<Values>(trace, digits).floats, Floats{0.1});
}

TEST(OptimizedRun, a_call_that_does_not_fit_the_schema_cannot_run) {
  Writer w(1);
  pair(w, 0);
  w.call("add_", "Tensor", {Slot{0}, Slot{0}, None{}}, {});
  EXPECT_TRUE(is_unsupported(w));
  Writer fewer(1);
  pair(fewer, 0);
  fewer.call("add_", "Tensor", {Slot{0}}, {});
  EXPECT_TRUE(is_unsupported(fewer));
  Writer empty(1);
  empty.add_one(0);
  EXPECT_TRUE(is_unsupported(empty));
}

TEST(OptimizedMemory, a_script_whose_memory_is_freed_runs_once) {
  int runs = 0;
  const auto run = [&] {
    ++runs;
    optimized::empty_tensor({100}, Dtype::float32);
  };
  optimized::run_and_count(run, run);
  EXPECT_EQ(runs, 1);
}
TEST(OptimizedMemory, memory_that_stays_in_use_is_an_error) {
  std::vector<optimized::Tensor> kept;
  const auto run = [&] { kept.push_back(optimized::empty_tensor({1}, Dtype::float32)); };
  EXPECT_THROW(optimized::run_and_count(run, run), optimized::MemoryKept);
}
TEST(OptimizedMemory, a_cycle_that_the_script_makes_by_grad_is_allowed) {
  Writer w(2);
  pair(w, 0, true);
  w.call("mul", "Tensor", {Slot{0}, Slot{0}}, {Slot{1}});
  w.add(SetGrad{Slot{0}, Slot{1}});
  EXPECT_TRUE(run(w).completed);
}
TEST(OptimizedMemory, a_cycle_that_the_script_makes_by_a_write_is_allowed) {
  Writer w(2);
  pair(w, 0, true);
  w.call("mul", "Tensor", {Slot{0}, 2.0}, {Slot{1}});
  w.call("mul_", "Tensor", {Slot{1}, Slot{1}}, {});
  EXPECT_TRUE(run(w).completed);
}

using Kernels = std::vector<KernelRun>;
constexpr KernelRun kAutograd{Functionality::Autograd, false}, kView{Functionality::ADInplaceOrView, false},
    kPassed{Functionality::ADInplaceOrView, true}, kBackend{Functionality::Dense, false};

TEST(OptimizedKernels, each_kind_of_op_shows_the_kernels_that_it_ran) {
  Writer w(2);
  pair(w, 0);
  const auto inplace = w.add_one(0);
  const auto functional = w.call("add", "Tensor", {Slot{0}, w.one, w.one}, {Slot{1}});
  const auto view = w.call("view", "", {Slot{0}, Integers{2, 1}}, {Slot{1}});
  const auto factory = w.ones(1, {2});
  const Trace trace = run(w, true);
  EXPECT_EQ(at(trace, inplace).kernels, (Kernels{kAutograd, kView, kBackend}));
  EXPECT_EQ(at(trace, functional).kernels, (Kernels{kAutograd, kPassed, kBackend}));
  EXPECT_EQ(at(trace, view).kernels, (Kernels{kAutograd, kView, kBackend}));
  EXPECT_TRUE(at(trace, factory).kernels.empty());
  EXPECT_TRUE(at(run(w, false), inplace).kernels.empty());
}

TEST(OptimizedKernels, a_composite_op_shows_the_kernels_of_the_ops_that_it_calls) {
  Writer w(2);
  pair(w, 0);
  const auto call = w.call("view_as", "", {Slot{0}, Slot{0}}, {Slot{1}});
  EXPECT_EQ(at(run(w, true), call).kernels, (Kernels{kAutograd, kView, kBackend}));
}

TEST(OptimizedKernels, in_inference_mode_only_the_backend_kernel_runs) {
  Writer w(1);
  w.add(Enter{GuardKind::inference_mode, true});
  pair(w, 0);
  const auto call = w.add_one(0);
  w.add(Exit{});
  EXPECT_EQ(at(run(w, true), call).kernels, Kernels{kBackend});
}

TEST(OptimizedKernels, a_call_that_raises_shows_the_kernels_up_to_the_error) {
  Writer w(1);
  pair(w, 0, true);
  const auto call = w.add_one(0);
  EXPECT_EQ(at(run(w, true), call).kernels, Kernels{kAutograd});
}

}  // namespace
}  // namespace plumbline
