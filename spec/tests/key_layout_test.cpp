// The layouts of dispatch keys: names, entries and key sets correspond.
#include "spec/vocabulary/key_layout.h"

#include <gtest/gtest.h>

#include <set>

namespace plumbline::key_layout_test {
namespace {

class Layout : public ::testing::TestWithParam<const char*> {
 protected:
  const KeyLayout& layout() const { return *layout_named(GetParam()); }
};
INSTANTIATE_TEST_SUITE_P(KeyLayout, Layout, ::testing::Values("2.13", "1.13"));

TEST_P(Layout, every_entry_has_a_key_and_every_key_its_entry) {
  for (int i = 0; i < table_size(layout()); ++i) EXPECT_EQ(index_of(layout(), key_at(layout(), i)), i);
}

TEST_P(Layout, different_keys_have_different_names) {
  std::set<std::string> names;
  for (int i = 0; i < table_size(layout()); ++i)
    EXPECT_TRUE(names.insert(name_of(layout(), key_at(layout(), i))).second);
}

TEST_P(Layout, a_key_is_found_by_its_name) {
  for (int i = 0; i < table_size(layout()); ++i)
    EXPECT_EQ(runtime_key_named(layout(), name_of(layout(), key_at(layout(), i))), key_at(layout(), i));
}

TEST_P(Layout, a_key_set_of_one_key_has_only_that_key) {
  for (int i = 1; i < table_size(layout()); ++i) {
    const RuntimeKey key = key_at(layout(), i);
    EXPECT_EQ(key_names(layout(), word_of(layout(), key)), std::vector<std::string>{name_of(layout(), key)});
  }
}

TEST_P(Layout, relaying_into_the_same_layout_changes_nothing) {
  EXPECT_EQ(relaid(layout(), layout(), full_word(layout())), full_word(layout()));
}

// c10/core/DispatchKey.h: num_runtime_entries = functionalities with Undefined, and 15 (13) more for each of the 6 (5)
// that are per backend.
TEST(KeyLayout, tables_of_2_13_have_137_entries) { EXPECT_EQ(table_size(*layout_named("2.13")), 47 + 6 * 15); }
TEST(KeyLayout, tables_of_1_13_have_106_entries) { EXPECT_EQ(table_size(*layout_named("1.13")), 41 + 5 * 13); }

TEST(KeyLayout, another_series_has_no_layout) { EXPECT_EQ(layout_named("2.12"), nullptr); }

TEST(KeyLayout, backends_are_crossed_with_functionalities) {
  const KeyLayout& layout = *layout_named("2.13");
  const std::uint64_t both =
      word_of(layout, *runtime_key_named(layout, "CPU")) | word_of(layout, *runtime_key_named(layout, "AutogradCUDA"));
  EXPECT_EQ(key_names(layout, both), (std::vector<std::string>{"CPU", "CUDA", "AutogradCPU", "AutogradCUDA"}));
}

TEST(KeyLayout, relaying_drops_keys_that_the_other_version_lacks) {
  const KeyLayout& newest = *layout_named("2.13");
  const KeyLayout& early = *layout_named("1.13");
  const std::uint64_t word =
      word_of(newest, *runtime_key_named(newest, "AutocastMTIA")) | word_of(newest, *runtime_key_named(newest, "Meta"));
  EXPECT_EQ(relaid(newest, early, word), word_of(early, *runtime_key_named(early, "Meta")));
}

}  // namespace
}  // namespace plumbline::key_layout_test
