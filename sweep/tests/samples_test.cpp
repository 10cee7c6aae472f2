// Kept arguments: what a file of them must say, and that they are tried before candidates.
#include "sweep/samples.h"

#include <gtest/gtest.h>

#include <fstream>

#include "sweep/sweep.h"
#include "sweep/tests/fake.h"

namespace plumbline::sweep {
namespace {

/// A file with these lines, which is gone afterwards.
class File {
 public:
  explicit File(const std::string& text) { std::ofstream(path_) << text; }
  ~File() { std::filesystem::remove(path_); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_ = testing::TempDir() + "samples_test.jsonl";
};

std::string error_of(const std::string& text) {
  const File file(text);
  try {
    read_samples(file.path());
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

const Experiment kTwice{
    "fake::twice", {{"float32", {2}, {1}, 0, {1, 2}}}, nlohmann::json::array({{{"tensor", 0}}}), Setting::normal, 1};

std::string line_of(const Experiment& one) { return to_json(one).dump() + "\n"; }

TEST(SweepSamples, are_read_as_they_are_written) {
  const Samples samples{{"fake::twice", {kTwice, kTwice}}};
  const File file(samples_text(samples, "a test") + "\n");
  EXPECT_EQ(read_samples(file.path()), samples);
}

TEST(SweepSamples, a_malformed_line_is_an_error_with_its_place_and_advice) {
  Experiment short_of_values = kTwice;
  short_of_values.tensors[0].sizes = {3};
  Experiment short_of_tensors = kTwice;
  short_of_tensors.arguments[0]["tensor"] = 1;
  for (const std::string& bad :
       {std::string("{\"op\": 3\n"), std::string("{}\n"), line_of(short_of_values), line_of(short_of_tensors)}) {
    const std::string error = error_of(line_of(kTwice) + bad);
    EXPECT_NE(error.find("samples_test.jsonl:2: this line is no experiment: "), std::string::npos) << error;
    EXPECT_NE(error.find("; correct it by docs/SWEEP.md, or remove the line"), std::string::npos) << error;
  }
  EXPECT_EQ(error_of(line_of(kTwice)), "");
}

TEST(SweepSamples, a_file_that_is_not_there_is_an_error) {
  EXPECT_THROW(read_samples("/nowhere/samples.jsonl"), std::runtime_error);
}

TEST(SweepSamples, those_that_are_there_are_not_added_again) {
  Samples samples{{"fake::twice", {kTwice}}};
  add(samples, {{"fake::twice", {kTwice}}, {"fake::part", {kTwice}}});
  EXPECT_EQ(samples, (Samples{{"fake::twice", {kTwice}}, {"fake::part", {kTwice}}}));
}

SweepReport swept(const Samples& samples, std::uint64_t tries) {
  SweepOptions options;
  options.tries = tries;
  options.samples = std::make_shared<const Samples>(samples);
  return sweep([] { return std::make_unique<fake::FakeCaller>(fake::Lie::none); }, options,
               [](std::size_t, std::size_t) {}, [] { return false; });
}

TEST(SweepSamples, call_an_operator_without_candidates) {
  const SweepReport report = swept({{"fake::twice", {kTwice}}}, 0);
  EXPECT_EQ(report.called, 1U);
  EXPECT_EQ(report.by_samples, 1U);
  EXPECT_EQ(report.accepted, (Samples{{"fake::twice", {kTwice}}}));
}

TEST(SweepSamples, what_a_sweep_took_is_taken_again_without_candidates) {
  const SweepReport first = swept({}, 300);
  EXPECT_EQ(first.by_samples, 0U);
  const SweepReport again = swept(first.accepted, 0);
  EXPECT_EQ(again.called, first.called);
  EXPECT_EQ(again.by_samples, first.called);
  EXPECT_EQ(again.accepted, first.accepted);
}

TEST(SweepSamples, that_are_kept_for_pytorch_are_well_formed) {
  EXPECT_GT(read_samples(PLUMBLINE_SWEEP_SAMPLES).size(), 100U);
}

}  // namespace
}  // namespace plumbline::sweep
