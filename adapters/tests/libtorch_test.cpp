// The LibTorch adapter shows what PyTorch 2.13 shows in Python.
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>

#include "adapters/protocol/protocol.h"
#include "adapters/tests/libtorch_script.h"

namespace plumbline {
namespace {

TEST(Libtorch, an_inplace_update_of_an_inference_tensor_raises_after_the_write) {
  Writer w(2);
  w.add(Enter{GuardKind::inference_mode, true});
  w.ones(0, {2});
  w.add(Exit{});
  w.add(Try{});
  const auto write = w.add_one(0);
  const auto skipped = w.ones(1, {1});
  const auto end = w.add(EndTry{});
  const auto values = w.read(0, Field::values);
  const Trace t = run(w);
  EXPECT_EQ(at(t, write).failure.error, ErrorClass::inference_inplace);
  EXPECT_EQ(at(t, write).failure.exception, "RuntimeError");
  EXPECT_THROW(at(t, skipped), std::runtime_error);
  EXPECT_EQ(at(t, end).failure.error, ErrorClass::none);
  EXPECT_EQ(reading<Values>(t, values).floats, (std::vector<double>{2, 2}));
  EXPECT_TRUE(t.completed);
}

TEST(Libtorch, detach_of_an_inference_tensor_has_a_version) {
  Writer w(2);
  w.add(Enter{GuardKind::inference_mode, true});
  w.ones(0, {2});
  w.add(Exit{});
  w.call("detach", "", {Slot{0}}, {Slot{1}});
  const auto version = w.read(1, Field::version), inference = w.read(1, Field::is_inference);
  const auto own = w.read(0, Field::version);
  const Trace t = run(w);
  EXPECT_EQ(reading<std::int64_t>(t, version), 0);
  EXPECT_TRUE(reading<bool>(t, inference));
  EXPECT_EQ(at(t, own).failure.error, ErrorClass::inference_version);
  EXPECT_FALSE(t.completed);
}

TEST(Libtorch, factories_are_as_in_python) {
  Writer w(3);
  w.ones(0, {2});
  w.ones(1, {2}, true);
  w.add(MakeTensor{Slot{2}, Dtype::int64, {2}, {3, 4}, false});
  const auto snapshot = w.add(Snapshot{});
  const Trace t = run(w);
  for (const int slot : {0, 1, 2}) {
    EXPECT_EQ(std::get<std::int64_t>(field(at(t, snapshot), slot, Field::version)), 0);
    EXPECT_EQ(std::get<bool>(field(at(t, snapshot), slot, Field::requires_grad)), slot == 1);
    EXPECT_TRUE(std::get<bool>(field(at(t, snapshot), slot, Field::is_leaf)));
    EXPECT_EQ(std::get<std::int64_t>(field(at(t, snapshot), slot, Field::storage)), slot);
    EXPECT_EQ(std::get<std::vector<std::string>>(field(at(t, snapshot), slot, Field::keys)),
              (std::vector<std::string>{"CPU", "ADInplaceOrView", "AutogradCPU", "AutocastCPU"}));
  }
  EXPECT_EQ(std::get<std::string>(field(at(t, snapshot), 2, Field::dtype)), "int64");
  EXPECT_EQ(std::get<Values>(field(at(t, snapshot), 2, Field::values)).integers, (std::vector<std::int64_t>{3, 4}));
}

TEST(Libtorch, factories_in_inference_mode_are_as_in_python) {
  Writer w(4);
  w.add(Enter{GuardKind::inference_mode, true});
  w.ones(0, {2});
  w.ones(1, {2}, true);
  w.add(MakeTensor{Slot{2}, Dtype::float32, {1}, {3}, true});
  w.call("arange", "", {std::int64_t{3}, None{}, None{}, None{}, None{}}, {Slot{3}});
  w.add(Exit{});
  const auto snapshot = w.add(Snapshot{});
  const Outcome o = at(run(w), snapshot);
  for (const int slot : {0, 1, 2, 3}) {
    EXPECT_TRUE(std::get<bool>(field(o, slot, Field::is_inference)));
    EXPECT_EQ(std::get<Failure>(field(o, slot, Field::version)).error, ErrorClass::inference_version);
    EXPECT_EQ(std::get<bool>(field(o, slot, Field::requires_grad)), slot == 1 || slot == 2);
    EXPECT_EQ(std::get<std::vector<std::string>>(field(o, slot, Field::keys)),
              (std::vector<std::string>{"CPU", "AutocastCPU"}));
  }
}

TEST(Libtorch, integers_cannot_require_grad) {
  Writer w(1);
  w.add(Try{});
  const auto made = w.ones(0, {2}, true, Dtype::int64);
  w.add(EndTry{});
  w.ones(0, {2}, false, Dtype::int64);
  const auto set = w.add(SetRequiresGrad{Slot{0}, true});
  const Trace t = run(w);
  EXPECT_EQ(at(t, made).failure.message, "Only Tensors of floating point and complex dtype can require gradients");
  EXPECT_EQ(at(t, set).failure.message, "only Tensors of floating point and complex dtype can require gradients");
  EXPECT_EQ(at(t, set).failure.error, ErrorClass::grad_dtype);
}

TEST(Libtorch, only_a_leaf_may_change_requires_grad) {
  Writer w(2);
  w.ones(0, {2}, true);
  w.call("mul", "Tensor", {Slot{0}, 2.0}, {Slot{1}});
  w.add(Try{});
  const auto on = w.add(SetRequiresGrad{Slot{1}, true});
  w.add(EndTry{});
  const auto off = w.add(SetRequiresGrad{Slot{1}, false});
  const Trace t = run(w);
  EXPECT_EQ(at(t, on).failure.message, "you can only change requires_grad flags of leaf variables.");
  EXPECT_EQ(at(t, off).failure.message,
            "you can only change requires_grad flags of leaf variables. If you want to use a computed variable in a "
            "subgraph that doesn't require differentiation use var_no_grad = var.detach().");
  EXPECT_EQ(at(t, off).failure.error, ErrorClass::not_a_leaf);
}

TEST(Libtorch, a_number_is_wrapped) {
  Writer w(2);
  w.ones(0, {2}, false, Dtype::float32);
  w.call("add", "Tensor", {Slot{0}, 0.5, w.one}, {Slot{1}});
  const auto dtype = w.read(1, Field::dtype);
  EXPECT_EQ(reading<std::string>(run(w), dtype), "float32");
}

TEST(Libtorch, views_name_base_and_storage) {
  Writer w(3);
  w.ones(0, {2, 3}, true);
  w.add(Enter{GuardKind::no_grad, true});
  w.call("view", "", {Slot{0}, std::vector<std::int64_t>{6}}, {Slot{1}});
  w.add(Exit{});
  w.call("transpose", "int", {Slot{0}, std::int64_t{0}, std::int64_t{1}}, {Slot{2}});
  w.ones(0, {1});
  const auto snapshot = w.add(Snapshot{});
  const Outcome o = at(run(w), snapshot);
  EXPECT_EQ(std::get<std::string>(field(o, 1, Field::creation_meta)), "NO_GRAD_MODE");
  EXPECT_EQ(std::get<std::string>(field(o, 2, Field::creation_meta)), "DEFAULT");
  EXPECT_TRUE(std::holds_alternative<None>(field(o, 0, Field::creation_meta)));
  EXPECT_EQ(std::get<std::int64_t>(field(o, 1, Field::base)), -2);
  EXPECT_EQ(std::get<std::int64_t>(field(o, 0, Field::base)), -1);
  EXPECT_EQ(std::get<std::int64_t>(field(o, 2, Field::storage)), 1);
  EXPECT_EQ(std::get<std::vector<std::int64_t>>(field(o, 2, Field::sizes)), (std::vector<std::int64_t>{3, 2}));
  EXPECT_EQ(std::get<std::vector<std::int64_t>>(field(o, 2, Field::strides)), (std::vector<std::int64_t>{1, 3}));
  EXPECT_TRUE(std::get<bool>(field(o, 2, Field::grad_fn)));
}

TEST(Libtorch, results_are_unpacked_as_by_python) {
  Writer w(4);
  w.ones(0, {4});
  w.add(Try{});
  const auto many = w.call("split", "Tensor", {Slot{0}, w.one, std::int64_t{0}}, {Slot{1}, Slot{2}});
  w.add(EndTry{});
  const auto few = w.call("split", "Tensor", {Slot{0}, std::int64_t{2}, std::int64_t{0}}, {Slot{1}, Slot{2}, Slot{3}});
  const Trace t = run(w);
  EXPECT_EQ(at(t, many).failure.message, "too many values to unpack (expected 2)");
  EXPECT_EQ(at(t, few).failure.message, "not enough values to unpack (expected 3, got 2)");
  EXPECT_EQ(at(t, few).failure.exception, "ValueError");
}

TEST(Libtorch, errors_leave_guards_and_programs_leave_the_thread) {
  Writer w(1);
  w.add(Try{});
  w.add(Enter{GuardKind::inference_mode, true});
  w.add(Enter{GuardKind::enable_grad, true});
  const auto bad = w.call("full", "", {std::vector<std::int64_t>{-2}, 1.0, None{}, None{}, None{}, None{}}, {Slot{0}});
  w.add(Exit{});
  w.add(Exit{});
  w.add(EndTry{});
  const auto mode = w.add(ReadThread{ThreadField::inference_mode}), grad = w.add(ReadThread{ThreadField::grad_mode});
  w.add(Enter{GuardKind::inference_mode, true});
  w.add(Enter{GuardKind::set_grad_enabled, true});
  w.read(0, Field::dtype);
  w.add(Exit{});
  w.add(Exit{});
  // The slot is empty, so the program cannot run; the next program still starts in a fresh state.
  EXPECT_TRUE(std::holds_alternative<Breakdown>(libtorch().run(w.script)));
  w.script.statements.resize(grad + 1);
  const Trace t = run(w);
  EXPECT_NE(at(t, bad).failure.error, ErrorClass::none);
  EXPECT_FALSE(reading<bool>(t, mode));
  EXPECT_TRUE(reading<bool>(t, grad));
}

TEST(Libtorch, the_thread_shows_its_modes) {
  Writer w(0);
  const auto outside = w.add(ReadThread{ThreadField::included});
  w.add(Enter{GuardKind::inference_mode, true});
  const auto inside = w.add(ReadThread{ThreadField::included}), excluded = w.add(ReadThread{ThreadField::excluded});
  w.add(Exit{});
  const Trace t = run(w);
  using Names = std::vector<std::string>;
  EXPECT_EQ(reading<Names>(t, outside), (Names{"BackendSelect", "ADInplaceOrView"}));
  EXPECT_EQ(reading<Names>(t, inside), (Names{"BackendSelect"}));
  const Names names = reading<Names>(t, excluded);
  EXPECT_EQ(Names(names.begin(), names.begin() + 3),
            (Names{"AutogradOther", "AutogradFunctionality", "AutogradNestedTensor"}));
}

TEST(Libtorch, a_read_outside_the_storage_does_not_crash) {
  Writer w(2);
  w.ones(0, {4});
  const auto bad = w.call("as_strided", "",
                          {Slot{0}, std::vector<std::int64_t>{9}, std::vector<std::int64_t>{1}, None{}}, {Slot{1}});
  EXPECT_EQ(at(run(w), bad).failure.error, ErrorClass::storage_bounds);
}

TEST(Libtorch,
     a_whole_conversation_ends_with_0_and_prints_no_error) {  // a sanitizer would print at exit
  Writer w(1);
  w.ones(0, {2}, true);
  w.add(Snapshot{});
  const std::string path = testing::TempDir() + "plumbline_conversation";
  std::ofstream(path) << encode_start() << '\n' << encode_run(1, w.script) << '\n' << encode_stop() << '\n';
  const std::string command = "'" PLUMBLINE_LIBTORCH "' < " + path + " 2> " + path + ".err";
  std::FILE* pipe = popen(command.c_str(), "r");
  ASSERT_NE(pipe, nullptr);
  int lines = 0;
  for (int c = 0; (c = std::fgetc(pipe)) != EOF;) lines += c == '\n' ? 1 : 0;
  EXPECT_EQ(pclose(pipe), 0);
  EXPECT_EQ(lines, 2);
  std::ifstream words(path + ".err");
  EXPECT_EQ(std::string((std::istreambuf_iterator<char>(words)), {}), "");
}

TEST(Libtorch, blocks_must_nest) {
  Writer w(0);
  w.add(Try{});
  w.add(Exit{});
  const RunResult result = libtorch().run(w.script);
  ASSERT_TRUE(std::holds_alternative<Breakdown>(result));
  EXPECT_EQ(std::get<Breakdown>(result).kind, Breakdown::Kind::unsupported);
  EXPECT_EQ(std::get<Breakdown>(result).message, "statement 1 ends a block that is not open");
}

/// `x = torch.tensor([1., 2.], device="cpu")`, and y on the test's device; then x + y.
Writer of_two_devices() {
  Writer w(2);
  MakeTensor x{Slot{0}, Dtype::float32, {2}, {1, 2}};
  x.on_cpu = true;
  w.add(x);
  w.add(MakeTensor{Slot{1}, Dtype::float32, {2}, {1, 2}});
  w.call("add", "Tensor", {Slot{0}, Slot{1}, std::int64_t{1}}, {});
  return w;
}

TEST(LibtorchDevices, on_the_cpu_a_program_of_two_devices_is_unsupported) {
  const RunResult result = libtorch().run(of_two_devices().script);
  EXPECT_EQ(std::get<Breakdown>(result).kind, Breakdown::Kind::unsupported);
}

TEST(LibtorchDevices, on_another_device_tensors_of_two_do_not_meet) {
  ProcessAdapter on_meta("'" PLUMBLINE_LIBTORCH "' --device meta", 60);
  const RunResult result = on_meta.run(of_two_devices().script);
  const Trace& t = std::get<Trace>(result);
  EXPECT_EQ(at(t, 2).failure.error, ErrorClass::device) << at(t, 2).failure.message;
}

TEST(LibtorchDevices, keys_are_compared_on_the_cpu_alone) {
  ProcessAdapter on_meta("'" PLUMBLINE_LIBTORCH "' --device meta", 60);
  const Description& d = on_meta.describe();
  EXPECT_EQ(d.name, "libtorch-meta");
  EXPECT_EQ(d.fields[static_cast<std::size_t>(Field::keys)], Strictness::ignore);
  EXPECT_EQ(d.fields[static_cast<std::size_t>(Field::strides)], Strictness::exact);
}

}  // namespace
}  // namespace plumbline
