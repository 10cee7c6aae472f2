// Reproducers are verified: they fail on the implementation, and pass on the reference.
#include <gtest/gtest.h>

#include "fuzz/judge_adapter.h"
#include "fuzz/reproduce.h"
#include "spec/rules/catalogue.h"
#include "spec/rules/ver.h"

namespace plumbline::fuzz::verify_test {

namespace {

constexpr const char* kHead =
    "import pytest\nimport torch\n\n\ndef test_it(device):\n    a = torch.zeros([2], device=device)\n";

/// The result for a program with this last line, on an implementation that misreads VER-04: a view has its own counter.
Reproducer verified(const std::string& last) {
  reference::Judge misread;
  misread.flipped = &VER_04;
  JudgeAdapter adapter(misread);
  Reproducer reproducer;
  reproducer.text = std::string(kHead) + "    b = a.view([2])\n    b.add_(1)\n    " + last + "\n";
  verify(reproducer, "it.py", {}, adapter);
  return reproducer;
}

TEST(Verify, a_test_that_fails_only_on_the_implementation_is_verified) {
  const Reproducer r = verified("assert a._version == 1");
  EXPECT_TRUE(r.verified) << r.note;
  EXPECT_EQ(r.line, 9);
  EXPECT_NE(r.message.find("expected 1, got "), std::string::npos) << r.message;
  EXPECT_TRUE(r.note.empty());
  EXPECT_GT(r.statements, 2U);
}

TEST(Verify, a_test_that_also_fails_on_the_reference_is_not_verified) {
  const Reproducer r = verified("assert a._version == 7");
  EXPECT_FALSE(r.verified);
  EXPECT_EQ(r.note.rfind("when read back, it also fails on the reference: ", 0), 0U) << r.note;
}

TEST(Verify, a_test_that_holds_on_both_is_not_verified) {
  const Reproducer r = verified("assert a.size() == (2,)");
  EXPECT_FALSE(r.verified);
  EXPECT_EQ(r.note, "when read back, it does not fail on reference");
}

TEST(Verify, an_invalid_pattern_is_not_verified) {
  const Reproducer r = verified("with pytest.raises(RuntimeError, match='('):\n        a.view([3])");
  EXPECT_FALSE(r.verified);
}

}  // namespace

}  // namespace plumbline::fuzz::verify_test
