// The commands' output on one screen, the files of `check`, and colour.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/tests/command.h"

namespace {

using command::has;
using command::last_line;
using command::plumbline;
using command::Ran;
namespace fs = std::filesystem;

long lines_in(const std::string& text) { return std::ranges::count(text, '\n'); }

std::string contents(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

/// A program of `count` tests that fail, each with another number.
std::string failing_program(const std::string& name, int count) {
  const std::string path = testing::TempDir() + name;
  std::ofstream out(path);
  out << "# Asserts that fail.\nimport torch\n";
  for (int i = 0; i < count; ++i)
    out << fmt::format(
        "\n\ndef test_wrong_{}(device):  # VER-03\n    x = torch.zeros([2], device=device)\n    assert x._version == "
        "{}\n",
        i, i + 1);
  return path;
}

/// A folder with `plumbline` and `plumbline-run` alone: no implementation but the reference, and no siblings.
class CheckAlone : public testing::Test {
 protected:
  void SetUp() override {
    fs::remove_all(root_);
    fs::create_directories(root_ / "build/release/bin");
    fs::create_directories(root_ / "corpus");
    for (const char* name : {"plumbline", "plumbline-run"})
      fs::copy_file(fs::path(PLUMBLINE_BIN) / name, root_ / "build/release/bin" / name);
    for (const char* name : {"test_good.py", "test_bad.py"})
      fs::copy_file(fs::path(PLUMBLINE_DATA) / name, root_ / "corpus" / name);
  }
  void TearDown() override { fs::remove_all(root_); }

  Ran check(const std::string& arguments, const std::string& redirect = "2>/dev/null") const {
    Ran ran;
    const std::string line = fmt::format("cd {} && build/release/bin/plumbline check --corpus corpus {} {}",
                                         root_.string(), arguments, redirect);
    std::FILE* pipe = popen(line.c_str(), "r");
    if (pipe == nullptr) return ran;
    std::array<char, 4096> buffer{};
    while (const std::size_t n = std::fread(buffer.data(), 1, buffer.size(), pipe)) ran.text.append(buffer.data(), n);
    ran.code = WEXITSTATUS(pclose(pipe));
    return ran;
  }

  const fs::path root_ = fs::path(testing::TempDir()) / "plumbline_check_alone";
};

TEST_F(CheckAlone, prints_one_screen_and_names_what_is_new_last) {
  const Ran ran = check("");
  EXPECT_EQ(ran.code, 1) << ran.text;
  EXPECT_LE(lines_in(ran.text), 40) << ran.text;
  EXPECT_TRUE(has(ran, "INF            1  1\n"));
  EXPECT_TRUE(has(ran, "VER            2  1 1 NEW\n"));
  const std::size_t heading = ran.text.find("New: 1 divergence");
  ASSERT_NE(heading, std::string::npos) << ran.text;
  EXPECT_NE(ran.text.find("test_two_versions on reference", heading), std::string::npos) << ran.text;
  EXPECT_LT(ran.text.find("build/report/check.txt"), heading) << "the path of the report is printed";
  EXPECT_EQ(last_line(ran), "2 of 3 passed, 0 unsupported, 0 unspecified, 1 divergent");
}

TEST_F(CheckAlone, the_report_has_all_that_verbose_prints_and_the_json) {
  const Ran brief = check("--json given.json");
  const std::string text = contents(root_ / "build/report/check.txt");
  const auto json = [&](const fs::path& path) {
    auto parsed = nlohmann::json::parse(contents(root_ / path), nullptr, false);
    parsed.erase("timing");
    return parsed;
  };
  EXPECT_TRUE(json("build/report/check.json").is_object());
  EXPECT_EQ(json("build/report/check.json"), json("given.json"));
  for (const char* part : {"INF-06 ", "VER-03 ", "signature: add_.Tensor/version",
                           "Where torch-2.13 differs from sound", "plumbline-fuzz is not built"})
    EXPECT_NE(text.find(part), std::string::npos) << part << " is not in:\n" << text;
  const Ran verbose = check("-v --report elsewhere");
  EXPECT_EQ(verbose.code, brief.code);
  EXPECT_EQ(verbose.text, contents(root_ / "elsewhere/check.txt"));
  EXPECT_TRUE(has(verbose, "pass          corpus/test_good.py:"));
  EXPECT_EQ(std::distance(fs::directory_iterator(root_ / "elsewhere"), {}), 2) << "only whole files stay";
}

TEST_F(CheckAlone, a_folder_that_cannot_be_written_is_an_error_and_no_output_is_lost) {
  const Ran given = check("--report corpus/test_good.py/below", "2>&1");
  EXPECT_EQ(given.code, 2);
  EXPECT_TRUE(has(given, "cannot write the report into the folder corpus/test_good.py/below"));
  EXPECT_TRUE(has(given, "give --report a folder that you can write to"));
  std::ofstream(root_ / "build/report") << "a file, not a folder";
  const Ran by_default = check("", "2>&1");
  EXPECT_EQ(by_default.code, 1);
  EXPECT_TRUE(has(by_default, "cannot write the report into the folder"));
  EXPECT_TRUE(has(by_default, "Everything is printed instead."));
  EXPECT_TRUE(has(by_default, "\nINF-06 "));
}

TEST_F(CheckAlone, json_on_stdout_stands_alone) {
  const Ran ran = check("--json -");
  EXPECT_TRUE(nlohmann::json::parse(ran.text, nullptr, false).is_object()) << ran.text;
}

TEST(OneScreen, run_prints_everything_if_it_fits_and_otherwise_one_screen) {
  const Ran few = plumbline("run " + failing_program("test_few.py", 5));
  EXPECT_TRUE(has(few, "compared: every reading exactly"));
  for (int i = 0; i < 5; ++i) EXPECT_TRUE(has(few, fmt::format("test_wrong_{} on reference", i)));
  const std::string path = failing_program("test_many.py", 30);
  const Ran many = plumbline("run " + path);
  EXPECT_EQ(many.code, 1);
  EXPECT_LE(lines_in(many.text), 40) << many.text;
  for (int i = 0; i < 30; ++i) EXPECT_TRUE(has(many, fmt::format("test_many.py::test_wrong_{} on reference", i)));
  EXPECT_TRUE(has(many, "Next: plumbline explain " + path + "::test_wrong_0\n"));
  EXPECT_EQ(last_line(many), "0 of 30 passed, 0 unsupported, 0 unspecified, 30 divergent");
  const Ran hundreds = plumbline("run " + failing_program("test_hundreds.py", 300));
  EXPECT_LE(lines_in(hundreds.text), 40) << hundreds.text;
  EXPECT_TRUE(has(hundreds, "New: 300 divergences"));
  const Ran verbose = plumbline("run -v " + failing_program("test_hundreds.py", 300));
  EXPECT_GT(lines_in(verbose.text), 1200);
}

TEST(OneScreen, fuzz_of_the_dispatcher_fits_it_and_the_files_have_the_rest) {
  const Ran ran = plumbline("fuzz --dispatcher --on reference --flip DSP-05 --programs 1000 --seed 1", "2>/dev/null");
  EXPECT_EQ(ran.code, 1);
  EXPECT_LE(lines_in(ran.text), 40) << ran.text;
  EXPECT_TRUE(has(ran, "\nNew: reference: divergent ")) << ran.text;
  EXPECT_TRUE(has(ran, "build/report/fuzz.txt, fuzz.json (or -v)\n")) << ran.text;
  const Ran verbose =
      plumbline("fuzz -v --dispatcher --on reference --flip DSP-05 --programs 1000 --seed 1", "2>/dev/null");
  EXPECT_GT(lines_in(verbose.text), 40);
  EXPECT_EQ(last_line(verbose), last_line(ran));
}

TEST(OneScreen, colour_is_for_terminals_and_NO_COLOR_turns_it_off) {
  const std::string path = failing_program("test_coloured.py", 30);
  EXPECT_EQ(plumbline("run " + path).text.find('\033'), std::string::npos) << "a pipe is no terminal";
  const std::string command = fmt::format("\"{}/plumbline run {} 2>/dev/null\" /dev/null", PLUMBLINE_BIN, path);
  const auto on_a_terminal = [&](const std::string& environment) {
    Ran ran;
    std::FILE* pipe = popen(fmt::format("{} script -qec {}", environment, command).c_str(), "r");
    std::array<char, 4096> buffer{};
    while (const std::size_t n = std::fread(buffer.data(), 1, buffer.size(), pipe)) ran.text.append(buffer.data(), n);
    ran.code = WEXITSTATUS(pclose(pipe));
    return ran;
  };
  EXPECT_TRUE(has(on_a_terminal("env -u NO_COLOR TERM=xterm"), "\033[31mNew: 30 divergences"));
  for (const char* plain : {"NO_COLOR=1 TERM=xterm", "env -u NO_COLOR TERM=dumb"}) {
    const Ran ran = on_a_terminal(plain);
    EXPECT_TRUE(has(ran, "New: 30 divergences")) << plain;
    EXPECT_EQ(ran.text.find('\033'), std::string::npos) << plain;
  }
}

}  // namespace
