// Operators that the op table does not know, called in functionalized bodies: Functionalize's boxed fallback.
#include <gtest/gtest.h>

#include "optimized/functionalize/functionalize.h"
#include "optimized/ops/boxed.h"
#include "optimized/ops/call.h"
#include "optimized/tensor/warning.h"
#include "optimized/tests/values.h"

namespace plumbline::optimized::functionalize_foreign_test {
namespace {

using testing::counting;
using testing::error_of;
using testing::numbers;
using testing::Numbers;
using testing::vector;

using Tensors = std::vector<Tensor>;

std::vector<std::string> warnings;
void keep_warning(const std::string& message) { warnings.push_back(message); }

Tensor& first(Frame& frame) { return std::get<Tensor>(static_cast<Stack*>(frame.arguments)->at(0)); }
void give(Frame& frame, Tensor result) { *static_cast<Stack*>(frame.arguments) = {std::move(result)}; }

/// Doubles its argument, whatever its layout, and says so to nobody.
void double_in_place(void*, const Operator&, KeySet, Frame& frame) {
  const Tensor& given = first(frame);
  auto* data = reinterpret_cast<float*>(given.storage()->data());
  for (std::int64_t i = 0; i < given.numel(); ++i) data[given.offset() + i] *= 2;
}
/// Gives a tensor over its argument's memory, which no key says to be functional.
void second_row(void*, const Operator&, KeySet, Frame& frame) {
  const TensorImpl& given = first(frame).impl();
  Ref<TensorImpl> made = TensorImpl::make(given.storage(), given.dtype, given.keys - Functionality::Functionalize, 1);
  made->sizes()[0] = made->numel = 2;
  made->strides()[0] = 1;
  made->offset = 2;
  give(frame, Tensor(std::move(made)));
}
void twice(void*, const Operator&, KeySet, Frame& frame) {
  const Tensor given = first(frame);
  *static_cast<Stack*>(frame.arguments) = {given, given};
}
void negated(void*, const Operator&, KeySet, Frame& frame) { give(frame, neg(first(frame))); }
const Tensor& hoard() {
  static const Tensor held = testing::vector({9});
  return held;
}
void from_hoard(void*, const Operator&, KeySet, Frame& frame) { give(frame, detach(hoard())); }

class Foreign : public ::testing::Test {
 protected:
  Foreign() : before_(set_warning_handler(keep_warning)) {
    const auto cpu = static_cast<Slot>((KeySet(Functionality::Dense) | KeySet(Backend::CPU)).entry());
    using Named = std::pair<const char*, BoxedFunction>;
    for (const auto& [name, kernel] :
         {Named{"double_", double_in_place}, Named{"second_row", second_row}, Named{"negated", negated},
          Named{"from_hoard", from_hoard}, Named{"twice", twice}}) {
      library_.define(name);
      library_.impl(name, cpu, {kernel, nullptr, nullptr});
    }
  }
  ~Foreign() override { set_warning_handler(before_); }

  static Tensor call(const std::string& name, const Tensor& argument) {
    Stack stack{argument};
    Frame frame{keys_of(argument), &stack};
    dispatcher().find("foreign::" + name).call(frame);
    return std::get<Tensor>(stack.at(0));
  }

 private:
  WarningHandler before_;
  Library library_{dispatcher(), Library::Kind::DEF, "foreign"};
};

Tensors run(const Tensors& inputs, const std::function<Tensors(Tensors)>& body) {
  return functionalize(body, Remove::mutations_and_views, inputs);
}

TEST_F(Foreign, FUN_20_a_captured_tensor_may_be_several_of_its_results) {
  const Tensor captured = vector({1, 2});
  const Tensors out = run({vector({0})}, [&](const Tensors&) { return Tensors{call("twice", captured)}; });
  EXPECT_EQ(numbers(out.at(0)), (Numbers{1, 2}));
}

TEST_F(Foreign, FUN_20_what_it_writes_reaches_the_input_when_the_body_ends) {
  const Tensor x = vector({1, 2});
  Numbers meanwhile;
  run({x}, [&](const Tensors& in) {
    call("double_", in[0]);
    meanwhile = numbers(x);
    return Tensors{};
  });
  EXPECT_EQ(meanwhile, (Numbers{1, 2}));
  EXPECT_EQ(numbers(x), (Numbers{2, 4}));
}
TEST_F(Foreign, FUN_03_what_it_writes_is_read_through_every_alias) {
  const Tensors out = run({vector({1, 2})}, [](const Tensors& in) {
    const Tensor v = view(in[0], {2, 1});
    call("double_", in[0]);
    return Tensors{neg(v)};
  });
  EXPECT_EQ(numbers(out[0]), (Numbers{-2, -4}));
}
TEST_F(Foreign, FUN_22_what_secretly_aliases_its_argument_is_a_view_of_the_input) {
  const Tensor x = counting({2, 2});
  run({x}, [](const Tensors& in) {
    fill_(call("second_row", in[0]), 7);
    return Tensors{};
  });
  EXPECT_EQ(numbers(x), (Numbers{0, 1, 7, 7}));
}
TEST_F(Foreign, a_fresh_result_may_be_written) {
  const Tensors out = run({vector({1})}, [](const Tensors& in) { return Tensors{fill_(call("negated", in[0]), 5)}; });
  EXPECT_EQ(numbers(out[0]), (Numbers{5}));
  EXPECT_FALSE(is_functional_tensor(out[0]));
}
TEST_F(Foreign, FUN_26_a_captured_tensor_that_it_writes_is_refused_and_stays) {
  const Tensor captured = vector({3});
  EXPECT_EQ(error_of([&] { run({vector({1})}, [&](const Tensors&) { return Tensors{call("double_", captured)}; }); }),
            ErrorClass::captured_write);
  EXPECT_EQ(numbers(captured), (Numbers{3}));
}
TEST_F(Foreign, FUN_26_a_captured_tensor_that_it_reads_is_not_copied_for_good) {
  const Tensor captured = counting({2, 2});
  const Tensors out = run({vector({1})}, [&](const Tensors&) { return Tensors{call("second_row", captured)}; });
  EXPECT_EQ(out[0].storage(), captured.storage());
}
TEST_F(Foreign, FUN_21_a_captured_tensor_that_shares_an_inputs_memory_may_be_written) {
  const Tensor x = vector({1, 2});
  run({x}, [&](const Tensors&) { return Tensors{call("double_", x)}; });
  EXPECT_EQ(numbers(x), (Numbers{2, 4}));
}
TEST_F(Foreign, memory_that_others_hold_is_refused) {
  EXPECT_EQ(error_of([] { run({vector({1})}, [](const Tensors& in) { return Tensors{call("from_hoard", in[0])}; }); }),
            ErrorClass::unclassified);
}
TEST_F(Foreign, FUN_36_in_a_body_within_a_body_too) {
  const Tensor x = vector({1, 2});
  run({x}, [](const Tensors& outer) {
    run(outer, [](const Tensors& in) { return Tensors{call("double_", in[0])}; });
    return Tensors{call("double_", outer[0])};
  });
  EXPECT_EQ(numbers(x), (Numbers{4, 8}));
}
TEST_F(Foreign, is_warned_of_once) {
  warnings.clear();
  const auto cpu = static_cast<Slot>((KeySet(Functionality::Dense) | KeySet(Backend::CPU)).entry());
  Library other(dispatcher(), Library::Kind::FRAGMENT, "foreign");
  other.define("unheard_of");
  other.impl("unheard_of", cpu, {negated, nullptr, nullptr});
  for (int i = 0; i < 2; ++i) run({vector({1})}, [](const Tensors& in) { return Tensors{call("unheard_of", in[0])}; });
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_NE(warnings[0].find("foreign::unheard_of is not in the op table"), std::string::npos) << warnings[0];
}
TEST_F(Foreign, is_called_as_ever_outside_of_bodies) {
  const Tensor x = vector({1, 2});
  call("double_", x);
  EXPECT_EQ(numbers(x), (Numbers{2, 4}));
}

}  // namespace
}  // namespace plumbline::optimized::functionalize_foreign_test
