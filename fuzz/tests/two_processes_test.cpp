// The commands give the same result in every process: programs depend only on the seed, and JSON has every failure.
#include <nlohmann/json.hpp>

#include "adapters/tests/processes.h"
#include "cli/tests/command.h"

namespace plumbline {
namespace {

using command::Ran;
using nlohmann::json;

/// The report of a campaign in a process with another memory layout.
json campaign(const std::string& arguments, const std::string& environment = "") {
  const Ran ran = command::plumbline("fuzz " + arguments + " --json -", "2>/dev/null", environment);
  json report = json::parse(ran.text, nullptr, false);
  EXPECT_FALSE(report.is_discarded()) << ran.text;
  report.erase("timing");
  return report;
}

TEST(TwoProcesses, programs_do_not_depend_on_where_things_lie_in_memory) {
  const std::string arguments = "--on reference --flip VER-04 --programs 600 --seed 9 --max-failures 1000 --first";
  const json one = campaign(arguments);
  ASSERT_EQ(one["campaigns"].size(), 1U);
  EXPECT_GT(one["campaigns"][0]["tally"]["divergent"], 0);
  EXPECT_EQ(campaign(arguments, "PAD=" + std::string(3000, 'x')), one);
  EXPECT_EQ(campaign(arguments, "GLIBC_TUNABLES=glibc.malloc.mmap_threshold=512 MALLOC_ARENA_MAX=1"), one);
}

TEST(TwoProcesses, a_reproducer_names_all_implementations_of_its_campaign) {
  const json report = campaign("--on reference,reference-without-views --flip VER-04 --programs 60 --seed 9");
  ASSERT_EQ(report["campaigns"].size(), 2U);
  for (const json& each : report["campaigns"]) {
    ASSERT_FALSE(each["failures"].empty());
    const std::string program = each["failures"][0]["program"];
    EXPECT_NE(program.find("--on reference --on reference-without-views --replay 9:"), std::string::npos) << program;
  }
}

TEST(TwoProcesses, json_has_a_failure_that_has_no_reproducer) {
  const json report =
      campaign(fmt::format("--programs 20 --seed 1 --first --timeout 5 --on 'process:python3 "
                           "../../../adapters/tests/data/fake.py on sum crash {}'",
                           fresh_path()));  // --first: do not shrink it
  ASSERT_EQ(report["campaigns"].size(), 1U);
  const json& failures = report["campaigns"][0]["failures"];
  ASSERT_EQ(failures.size(), 1U);
  EXPECT_EQ(failures[0]["signature"], "run/crash");
  EXPECT_EQ(failures[0]["verdict"], "divergent");
  EXPECT_EQ(failures[0]["program"], "");
}

}  // namespace
}  // namespace plumbline
