// Scopes in scopes.
#include "tables/transforms.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "language/lower.h"
#include "language/parse.h"

namespace plumbline::tables {
namespace {

std::set<Nesting> found_in(const std::string& statements) {
  const std::string top =
      "import torch\n\n\ndef f(a):\n    b = a.sum()\n    return b\n\n\ndef test_a(device):\n    x = "
      "torch.ones(2, 3)\n";
  return nestings_of(program::lower(program::parse(top + statements, "a.py")).at(0).script);
}

TEST(Nestings, a_transform_in_a_mode_is_one) {
  const std::set<Nesting> expected{{Scope::no_grad, Scope::grad}};
  EXPECT_EQ(found_in("    with torch.no_grad():\n        g = torch.func.grad(f)(x)\n"), expected);
}

TEST(Nestings, scopes_after_one_another_are_none) {
  EXPECT_TRUE(found_in("    g = torch.func.grad(f)(x)\n    y = torch.vmap(f)(x)\n").empty());
}

TEST(Nestings, a_scope_is_in_all_that_are_open) {
  const std::set<Nesting> expected{
      {Scope::inference_mode, Scope::no_grad}, {Scope::inference_mode, Scope::vmap}, {Scope::no_grad, Scope::vmap}};
  EXPECT_EQ(found_in("    with torch.inference_mode():\n        with torch.no_grad():\n            y = "
                     "torch.vmap(f)(x)\n"),
            expected);
}

TEST(Nestings, three_transforms_are_one_but_no_mode_among_them) {
  const Nesting three{Scope::functionalize, Scope::vmap, Scope::grad};
  EXPECT_EQ(std::ranges::count(all_nestings(), three), 1);
  EXPECT_EQ(std::ranges::count(all_nestings(), Nesting{Scope::no_grad, Scope::vmap, Scope::grad}), 0);
}

TEST(Nestings, inference_mode_false_is_no_scope) {
  EXPECT_TRUE(found_in("    with torch.inference_mode(False):\n        y = torch.vmap(f)(x)\n").empty());
}

}  // namespace
}  // namespace plumbline::tables
