// Bodies of torch.vmap and torch.func.grad: lowering them, raising them again, and refusing what programs cannot say.
#include <gtest/gtest.h>

#include "language/parse.h"
#include "language/print.h"
#include "language/tests/program_malformed.h"
#include "language/tests/program_show.h"

namespace plumbline::program {
namespace {

const std::string kTop = "import torch\n\n\ndef double(a):\n    b = a.mul(2)\n    return b\n\n\n";

program::Test lowered_in(const std::string& body) {
  return lower(parse(kTop + "def test_a(device):\n    x = torch.ones(2, 3)\n" + body, "a.py")).at(0);
}
std::string shown_in(const std::string& body) { return show(lowered_in(body).script); }
bool shows_in(const std::string& body, const std::string& part) {
  return shown_in(body).find(part) != std::string::npos;
}

TEST(Transforms, a_mapped_body_stands_between_its_begin_and_its_end) {
  EXPECT_TRUE(shows_in("    y = torch.vmap(double)(x)\n",
                       "enter vmap error 0 (%0) as %1\n%2 = mul.Tensor(%1, 2)\nleave vmap 0 %2 -> %3\n"))
      << shown_in("    y = torch.vmap(double)(x)\n");
}

TEST(Transforms, torch_func_vmap_is_the_same) {
  EXPECT_EQ(shown_in("    y = torch.vmap(double)(x)\n"), shown_in("    y = torch.func.vmap(double)(x)\n"));
}

TEST(Transforms, one_dimension_is_for_all_arguments_and_a_tuple_has_one_for_each) {
  const std::string body = "    def f(a, b):\n        c = a.mul(b)\n        return c, a\n";
  EXPECT_TRUE(shows_in(body + "    y, z = torch.vmap(f, in_dims=-1)(x, x)\n", "enter vmap error -1 -1 "));
  EXPECT_TRUE(shows_in(body + "    y, z = torch.vmap(f, in_dims=(1, None))(x, x)\n", "enter vmap error 1 None "));
  EXPECT_TRUE(shows_in(body + "    y, z = torch.vmap(f, out_dims=(None, 1))(x, x)\n", "leave vmap None 1 "));
}

TEST(Transforms, randomness_is_one_of_three) {
  EXPECT_TRUE(shows_in("    y = torch.vmap(double, randomness=\"same\")(x)\n", "enter vmap same 0 "));
}

TEST(Transforms, a_differentiated_body_stands_between_its_begin_and_its_end) {
  EXPECT_TRUE(shows_in("    g = torch.func.grad(double)(x)\n",
                       "enter grad 0 (%0) as %1\n%2 = mul.Tensor(%1, 2)\nleave grad %2 -> %3\n"))
      << shown_in("    g = torch.func.grad(double)(x)\n");
}

TEST(Transforms, argnums_is_an_int_or_a_tuple) {
  const std::string body = "    def f(a, b):\n        c = a.mul(b)\n        return c\n";
  EXPECT_TRUE(shows_in(body + "    g = torch.func.grad(f, argnums=-1)(x, x)\n", "enter grad -1 "));
  EXPECT_TRUE(shows_in(body + "    g, h = torch.func.grad(f, argnums=(0, 1))(x, x)\n", "enter grad 0 1 "));
}

TEST(Transforms, grad_and_value_has_two_results) {
  EXPECT_TRUE(shows_in("    g, y = torch.func.grad_and_value(double)(x)\n", "enter grad and value 0 "));
}

TEST(Transforms, raised_gradients_say_the_same) {
  const program::Test test = lowered_in(
      "    def outer(a, b):\n        def inner(c):\n            d = c.mul(b)\n            return d\n"
      "        e, f = torch.func.grad_and_value(inner, argnums=-1)(a)\n        return e\n"
      "    y, z = torch.func.grad(outer, argnums=(1, 0))(x, x)\n");
  const std::string written = print(raise(test));
  EXPECT_EQ(show(lower(parse(written, "b.py")).at(0).script), show(test.script)) << written;
}

TEST(Transforms, raised_programs_say_the_same) {
  const program::Test test = lowered_in(
      "    def outer(a, b):\n        def inner(c):\n            d = c.mul(b)\n            return d\n"
      "        e = torch.vmap(inner, out_dims=1, randomness=\"different\")(a)\n        return e, b\n"
      "    y, z = torch.vmap(outer, in_dims=(0, None), out_dims=(-1, None))(x, x)\n");
  const std::string written = print(raise(test));
  EXPECT_EQ(show(lower(parse(written, "b.py")).at(0).script), show(test.script)) << written;
}

class TransformRefused : public testing::TestWithParam<Malformed> {};

TEST_P(TransformRefused, says_why) { EXPECT_EQ(error_of(GetParam()), "a.py:" + GetParam().error); }

/// A body `f` on lines 6 and 7, and below it this line.
Malformed with_body(const std::string& line, const std::string& error) {
  return {"def f(a):\n    return a\n" + line, error};
}

INSTANTIATE_TEST_SUITE_P(
    Transforms, TransformRefused,
    testing::Values(
        Malformed{"y = torch.vmap(x)(x)",
                  "6:20: 'x' is not a function of this file. Define it with `def`, and write only its name."},
        with_body("y = torch.vmap(f)",
                  "8:9: the function that torch.vmap returns is not called. Write `y = torch.vmap(body)(x)`, on one "
                  "line."),
        with_body("y = torch.func.grad(f, has_aux=True)(x)",
                  "8:36: torch.func.grad is given has_aux=. Write `g = torch.func.grad(body, argnums=0)(x)`, or `g, y "
                  "= torch.func.grad_and_value(body, argnums=0)(x)`."),
        with_body("y = torch.func.grad(f, argnums=(0,))(x)",
                  "8:36: argnums= is given (0,). Write an int, or a tuple of two ints or more."),
        with_body("y = torch.func.grad(f, argnums=0.5)(x)",
                  "8:36: argnums= is given 0.5. Write an int, or a tuple of two ints or more."),
        with_body("y, z = torch.func.grad_and_value(f, argnums=(0, 1))(x, x)",
                  "8:49: argnums= is given (0, 1). Write an int."),
        Malformed{"def f(a):\n    return a, a\ny = torch.func.grad(f)(x)",
                  "8:9: f returns a tuple. The body of torch.func.grad returns one tensor."},
        with_body("y = torch.vmap(f, chunk_size=2)(x)",
                  "8:34: torch.vmap is given chunk_size=. Write `y = torch.vmap(body, in_dims=0, out_dims=0, "
                  "randomness=\"error\")(x)`."),
        with_body("y = torch.vmap(f, in_dims=None)(x)",
                  "8:31: in_dims= is given None. Write a tuple with an int or None for each argument."),
        with_body("y = torch.vmap(f, in_dims=(0, 0))(x)",
                  "8:31: in_dims= has 2 entries. Write 1 of them, one for each argument."),
        with_body("y = torch.vmap(f, in_dims=1.5)(x)",
                  "8:31: in_dims= is given 1.5. Write an int, or a tuple with an int or None for each argument."),
        with_body("y = torch.vmap(f, out_dims=(0, 1))(x)",
                  "8:32: out_dims= has 2 entries. Write 1 of them, one for each result."),
        with_body("y = torch.vmap(f, randomness=\"none\")(x)",
                  "8:34: randomness= is given \"none\". It is \"error\", \"different\" or \"same\"."),
        Malformed{"def f(a):\n    assert a.shape == (3,)\n    return a\ny = torch.vmap(f)(x)",
                  "7:1: the body of a transform contains something other than calls, factories, guards and "
                  "transforms. It has no observations, no asserts and no gradients: check what it returns."}));

}  // namespace
}  // namespace plumbline::program
