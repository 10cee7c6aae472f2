// Reproducers: the file fails at the line that it names, and asserts only the difference.
#include "fuzz/reproduce.h"

#include <gtest/gtest.h>

#include "fuzz/faults.h"
#include "fuzz/tests/planted.h"
#include "spec/rules/aut.h"
#include "spec/rules/catalogue.h"
#include "spec/rules/geo_memory.h"
#include "spec/rules/inf.h"
#include "spec/rules/ver.h"
#include "spec/rules/view.h"

namespace plumbline::fuzz::reproduce_test {

namespace {

std::string line_of(const std::string& text, int number) {
  std::size_t start = 0;
  for (int i = 1; i < number; ++i) start = text.find('\n', start) + 1;
  return text.substr(start, text.find('\n', start) - start);
}

TEST(Reproduce, the_line_named_is_the_assertion_that_fails) {
  const Reproducer r = reproducer_of(VER_03);
  ASSERT_TRUE(r.verified) << r.note << r.text;
  EXPECT_NE(line_of(r.text, r.line).find("_version =="), std::string::npos) << r.line << "\n" << r.text;
  EXPECT_NE(r.text.find("def test_it(device):  # VER-03"), std::string::npos) << r.text;
  EXPECT_EQ(r.text.rfind("# A comment.\n", 0), 0U) << r.text;
}

TEST(Reproduce, an_error_that_does_not_come_is_stated_with_raises) {
  const Reproducer r = reproducer_of(INF_05);
  ASSERT_TRUE(r.verified) << r.note << r.text;
  EXPECT_NE(line_of(r.text, r.line).find("pytest.raises(RuntimeError, match="), std::string::npos) << r.text;
}

TEST(Reproduce, a_storage_is_stated_as_an_alias) {
  const Reproducer r = reproducer_of(GEO_26);
  ASSERT_TRUE(r.verified) << r.note << r.text;
  EXPECT_NE(r.text.find("_is_alias_of("), std::string::npos) << r.text;
}

class Flipped : public testing::TestWithParam<const Rule*> {};

TEST_P(Flipped, has_a_reproducer_that_fails) {
  const Reproducer r = reproducer_of(*GetParam());
  EXPECT_TRUE(r.verified) << r.note << "\n" << r.text;
}

INSTANTIATE_TEST_SUITE_P(Rules, Flipped,
                         testing::Values(&TLS_02, &TLS_05, &TLS_07, &INF_02, &INF_03, &INF_04, &INF_06, &VER_04,
                                         &VIEW_01, &VIEW_03, &AUT_07, &GEO_02, &GEO_05, &GEO_23, &KEY_02),
                         [](const auto& info) {
                           std::string name = info.param->id();
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

TEST(Reproduce, a_stem_is_a_plain_file_name) {
  EXPECT_EQ(stem_of("add_.Tensor/version: 1 -> 2"), "add_tensor_version_1_2");
  EXPECT_EQ(stem_of("run/crash"), "run_crash");
}

}  // namespace

}  // namespace plumbline::fuzz::reproduce_test
