// Calls with several errors at once: the optimized runtime raises the error that the reference raises.
#include <gtest/gtest.h>

#include <array>
#include <iostream>
#include <optional>
#include <random>
#include <string>

#include "adapters/adapter.h"
#include "adapters/tests/script_writer.h"
#include "spec/ops/op_ids.h"
#include "spec/vocabulary/errors.h"

namespace plumbline {
namespace {

/// The number of calls of each op. Their arguments are drawn from valid ones and from ones that some op refuses.
constexpr int kCalls = 240;
constexpr int kTensors = 16;

using Draws = std::mt19937;

std::size_t below(Draws& draws, std::size_t n) { return draws() % n; }

std::vector<double> counting(std::size_t n, double first = 0) {
  std::vector<double> values(n);
  for (std::size_t i = 0; i < n; ++i) values[i] = first + static_cast<double>(i);
  return values;
}

/// Tensors in all slots; each has a property that some op refuses.
void make_tensors(Writer& w) {
  const auto make = [&](int slot, Dtype dtype, std::vector<std::int64_t> sizes, std::vector<double> values,
                        bool requires_grad = false) {
    w.add(MakeTensor{Slot{slot}, dtype, std::move(sizes), std::move(values), requires_grad});
  };
  make(0, Dtype::float32, {2, 3}, counting(6));
  make(1, Dtype::float32, {2, 3}, counting(6), true);  // a leaf that requires grad
  make(2, Dtype::float64, {3, 2}, counting(6));
  make(3, Dtype::int64, {2}, {0, 1});
  make(4, Dtype::int64, {2, 3}, {0, 1, 9, -1, 0, 0});  // indices out of range
  make(5, Dtype::boolean, {2, 3}, {0, 1, 0, 1, 0, 1});
  make(6, Dtype::float32, {}, {2});
  make(7, Dtype::float32, {0}, {});
  w.add(Enter{GuardKind::inference_mode, true});
  make(8, Dtype::float32, {2, 3}, counting(6));
  w.add(Exit{});
  w.call("select", "int", {Slot{0}, std::int64_t{0}, std::int64_t{0}}, {Slot{9}});
  w.call("expand", "", {Slot{9}, std::vector<std::int64_t>{2, 3}, false}, {Slot{9}});  // elements that share memory
  w.call("t", "", {Slot{1}}, {Slot{10}});  // a view of a leaf that requires grad
  w.call("mul", "Tensor", {Slot{1}, Slot{1}}, {Slot{11}});
  w.call("select", "int", {Slot{11}, std::int64_t{0}, std::int64_t{1}}, {Slot{12}});
  // A part of another tensor's memory, one element later.
  const std::vector<std::int64_t> square{2, 2};
  w.call("as_strided", "", {Slot{5}, square, std::vector<std::int64_t>{2, 1}, std::int64_t{1}}, {Slot{14}});
  w.call("as_strided", "", {Slot{0}, square, std::vector<std::int64_t>{2, 1}, std::int64_t{1}}, {Slot{15}});
  w.add(Enter{GuardKind::no_grad, true});
  w.call("t", "", {Slot{11}}, {Slot{13}});  // a view that was made without grad
  w.add(Exit{});
}

Value value_of(const Argument& argument, Draws& draws) {
  const auto slot = [&] { return Slot{static_cast<int>(below(draws, kTensors))}; };
  if (argument.optional && below(draws, 3) == 0) return None{};
  if (argument.name == "pin_memory") return None{};  // whether it is refused depends on the machine
  switch (argument.type) {
    case ArgType::Tensor:
      return slot();
    case ArgType::TensorList: {
      std::vector<Slot> all;
      for (std::size_t n = below(draws, 4); n > 0; --n) all.push_back(slot());
      return all;
    }
    case ArgType::Int: {
      constexpr std::array<std::int64_t, 8> kInts{0, 1, 0, 1, -1, 2, -4, 7};
      return kInts.at(below(draws, kInts.size()));
    }
    case ArgType::IntList: {
      const std::vector<std::vector<std::int64_t>> all{{2, 3}, {3, 2},  {6},      {0},    {1},
                                                       {0, 0}, {-1, 2}, {-1, -1}, {4, 4}, {}};
      return all.at(below(draws, all.size()));
    }
    case ArgType::Scalar:
      return below(draws, 2) == 0 ? Value(std::int64_t{2}) : Value(1.5);
    case ArgType::Bool:
      return below(draws, 2) == 0;
    case ArgType::Float:
      return 1.0;
    case ArgType::Dtype: {
      constexpr std::array kDtypes{Dtype::float32, Dtype::int64, Dtype::boolean};
      return kDtypes.at(below(draws, kDtypes.size()));
    }
    default:
      return None{};
  }
}

/// The script of one call, and the index of that call.
struct Drawn {
  Script script;
  std::size_t call = 0;
};

Drawn drawn(OpId id, Draws& draws) {
  Writer w(kTensors);
  make_tensors(w);
  const std::size_t mode = below(draws, 4);
  if (mode == 2) w.add(Enter{GuardKind::inference_mode, true});
  if (mode == 3) w.add(Enter{GuardKind::no_grad, true});
  Call call{id, {}, {}, false};
  for (const Argument& argument : op(id).arguments) call.arguments.push_back(value_of(argument, draws));
  w.add(Try{});
  const std::size_t place = w.add(std::move(call));
  w.add(EndTry{});
  if (mode >= 2) w.add(Exit{});
  return {std::move(w.script), place};
}

/// The result of the call: "", an error, or nothing if the implementation cannot run it.
std::optional<std::string> outcome(const RunResult& result, std::size_t call) {
  const auto* trace = std::get_if<Trace>(&result);
  if (trace == nullptr) return std::nullopt;
  const Failure& failure = at(*trace, call).failure;
  return std::string(name_of(failure.error)) + " " + failure.exception;
}

std::string text_of(const Call& call) {
  std::string text(op(call.op).schema);
  text += " with";
  for (const Value& value : call.arguments) {
    text += " ";
    if (const auto* slot = std::get_if<Slot>(&value)) text += "x" + std::to_string(static_cast<int>(*slot));
    if (const auto* number = std::get_if<std::int64_t>(&value)) text += std::to_string(*number);
    if (const auto* list = std::get_if<std::vector<std::int64_t>>(&value)) {
      text += "[";
      for (const std::int64_t one : *list) text += std::to_string(one) + " ";
      text += "]";
    }
    if (std::holds_alternative<None>(value)) text += "None";
    text += ",";
  }
  return text;
}

class ErrorOrder : public ::testing::TestWithParam<const char*> {};

TEST_P(ErrorOrder, is_the_references) {
  Draws draws(24);  // NOLINT(cert-msc51-cpp,cert-msc32-c): the same calls each time
  const auto held = make_adapter(GetParam(), {});
  AdapterOptions options;
  options.profile = held->describe().profile;
  const auto expected = make_adapter("reference", options);
  std::size_t compared = 0;
  std::size_t raised = 0;
  std::size_t different = 0;
  for (std::size_t i = 0; i < op_table().size(); ++i) {
    const auto id = static_cast<OpId>(i);
    if (op(id).unsafe) continue;
    std::vector<Drawn> calls;
    std::vector<Script> scripts;
    for (int n = 0; n < kCalls; ++n) {
      calls.push_back(drawn(id, draws));
      scripts.push_back(calls.back().script);
    }
    const auto right = expected->run_all(scripts);
    const auto seen = held->run_all(scripts);
    for (std::size_t n = 0; n < calls.size(); ++n) {
      const auto one = outcome(right[n], calls[n].call);
      const auto other = outcome(seen[n], calls[n].call);
      if (!one || !other) continue;
      ++compared;
      raised += one->starts_with("none") ? 0 : 1;
      if (*one == *other) continue;
      ++different;
      ADD_FAILURE() << text_of(std::get<Call>(scripts[n].statements[calls[n].call].kind)) << "\n  expected " << *one
                    << "\n  got      " << *other;
    }
  }
  std::cout << compared << " calls compared, " << raised << " raise, " << different << " differ\n";
  EXPECT_GT(raised, 3000U);
}
INSTANTIATE_TEST_SUITE_P(Of, ErrorOrder, ::testing::Values("optimized"));

}  // namespace
}  // namespace plumbline
