// The profile `ideal` (KEY-10, AUT-16): ops that need a gradient are still recorded, and no other op runs Autograd.
#include <gtest/gtest.h>

#include <algorithm>

#include "adapters/reference/reference.h"
#include "language/parse.h"
#include "oracle/compare.h"
#include "oracle/reading_text.h"
#include "tables/profiles.h"

namespace plumbline {
namespace {

program::Test test_of(const std::string& body) {
  const std::string source = "import pytest\nimport torch\n\n\ndef test_it():\n" + body;
  return program::lower(program::parse(source, "a test")).at(0);
}

/// Empty if each assert holds under `ideal`; otherwise the first failure.
std::string fails(const std::string& body) {
  ReferenceAdapter ideal(Profile::ideal);
  const program::Test test = test_of(body);
  return check_expectations(test, ideal.run(test.script), ideal.describe()).message;
}

std::string has_autograd(const std::string& tensor, bool has) {
  return "    assert torch._C._dispatch_keys(" + tensor + ").has(torch._C.DispatchKey.AutogradCPU) is " +
         (has ? "True\n" : "False\n");
}

TEST(Ideal, a_tensor_has_the_key_while_it_requires_grad) {
  EXPECT_EQ(fails("    x = torch.ones([2])\n" + has_autograd("x", false) + "    x.requires_grad = True\n" +
                  has_autograd("x", true) + "    x.requires_grad = False\n" + has_autograd("x", false)),
            "");
}

TEST(Ideal, a_recorded_result_has_the_key_and_a_detached_one_does_not) {
  EXPECT_EQ(fails("    x = torch.ones([2], requires_grad=True)\n    y = x.mul(x)\n    z = y.detach()\n" +
                  has_autograd("y", true) + has_autograd("z", false)),
            "");
}

TEST(Ideal, a_view_of_a_leaf_has_the_key_if_its_base_does) {
  EXPECT_EQ(fails("    x = torch.ones([2])\n    v = x.view([2, 1])\n" + has_autograd("v", false) +
                  "    x.requires_grad = True\n" + has_autograd("v", true)),
            "");
}

TEST(Ideal, a_recorded_write_gives_the_key_to_the_view_its_base_and_the_other_views) {
  EXPECT_EQ(
      fails("    x = torch.ones([4])\n    v = x.view([2, 2])\n    w = x.view([4, 1])\n"
            "    b = torch.ones([2, 2], requires_grad=True)\n    v.mul_(b)\n"
            "    assert v.grad_fn is not None\n    assert x.grad_fn is not None\n    assert w.requires_grad is True\n" +
            has_autograd("v", true) + has_autograd("x", true) + has_autograd("w", true)),
      "");
}

TEST(Ideal, a_leaf_that_requires_grad_is_still_protected_from_writes) {
  EXPECT_EQ(fails("    x = torch.ones([2], requires_grad=True)\n    v = x.view([2, 1])\n"
                  "    with pytest.raises(RuntimeError, match=\"a leaf Variable that requires grad\"):\n"
                  "        x.add_(1)\n"
                  "    with pytest.raises(RuntimeError, match=\"a view of a leaf Variable that requires grad\"):\n"
                  "        v.add_(1)\n"),
            "");
}

TEST(Ideal, a_normal_tensor_without_the_key_is_not_an_inference_tensor) {
  EXPECT_EQ(fails("    x = torch.ones([2])\n    x.add_(1)\n    assert x.is_inference() is False\n"
                  "    assert x._version == 1\n"),
            "");
}

// The inference tensor requires grad, but has no Autograd key because it is an inference tensor; x has none either.
TEST(Ideal, an_inference_tensor_that_requires_grad_alone_does_not_record_an_op) {
  const std::string program =
      "    with torch.inference_mode():\n        a = torch.ones([2], requires_grad=True)\n"
      "    x = torch.ones([2])\n    y = x.add(a)\n    c = a.clone()\n";
  EXPECT_EQ(fails(program + "    assert y.requires_grad is False\n    assert c.requires_grad is False\n"), "");
}

/// The kernels of the last call of a program.
std::string kernels_of(const std::string& body, Profile profile) {
  const Trace trace = std::get<Trace>(ReferenceAdapter(profile).run(test_of(body).script));
  return kernels_text(trace.outcomes.back().kernels, " -> ");
}

TEST(Ideal, a_call_without_gradients_skips_the_autograd_kernel) {
  const std::string view = "    x = torch.ones([2])\n    y = x.view([2, 1])\n";
  EXPECT_EQ(kernels_of(view, Profile::sound), "Autograd -> ADInplaceOrView -> CPU");
  EXPECT_EQ(kernels_of(view, Profile::ideal), "ADInplaceOrView -> CPU");
  EXPECT_EQ(kernels_of("    x = torch.ones([2])\n    x.add_(1)\n", Profile::ideal), "ADInplaceOrView -> CPU")
      << "a number does not add the key either";
}

const tables::Change& change(const tables::ProfileChanges& all, const std::string& observed) {
  return *std::ranges::find(all.changes, observed, &tables::Change::observed);
}

TEST(ProfileChanges, counts_what_changes_and_shows_it) {
  const tables::ProfileChanges all = tables::profile_changes(
      {{"test_a.py", test_of("    x = torch.ones([2])\n    y = x.add(x)\n    v = x.view([2, 1])\n")}}, Profile::sound,
      Profile::ideal);
  EXPECT_EQ(all.programs, 1U);
  EXPECT_EQ(change(all, "kernels").asked, 2U) << "add and view";
  EXPECT_EQ(change(all, "kernels").changed, 2U);
  EXPECT_GT(change(all, "keys").changed, 0U);
  EXPECT_EQ(change(all, "sizes").changed, 0U);
  EXPECT_FALSE(change(all, "sizes").shown);
  ASSERT_TRUE(change(all, "keys").shown);
  EXPECT_NE(change(all, "keys").shown->program.find("def test_keys(device):"), std::string::npos);
  ASSERT_EQ(all.kernels.size(), 2U);
  EXPECT_EQ(all.kernels[0].kind, "functional");
  EXPECT_EQ(all.kernels[0].before, 2U) << "Autograd and the backend";
  EXPECT_EQ(all.kernels[0].after, 1U);
}

TEST(ProfileChanges, a_profile_compared_with_itself_changes_nothing) {
  const tables::ProfileChanges all = tables::profile_changes(
      {{"test_a.py", test_of("    x = torch.ones([2])\n    x.add_(1)\n")}}, Profile::sound, Profile::sound);
  for (const tables::Change& one : all.changes) EXPECT_EQ(one.changed, 0U) << one.observed;
}

}  // namespace
}  // namespace plumbline
