// Reproducers run under plain Python in any folder: `python FILE` and `pytest FILE` fail exactly if PyTorch does.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "cli/tests/command.h"
#include "fuzz/tests/planted.h"
#include "language/parse.h"
#include "language/print.h"
#include "spec/rules/catalogue.h"
#include "spec/rules/inf.h"
#include "spec/rules/ver.h"

namespace plumbline::fuzz {
namespace {

/// Runs a command in a folder.
command::Ran in_folder(const std::string& folder, const std::string& line) {
  command::Ran ran;
  std::FILE* pipe = popen(fmt::format("cd {} && {} 2>&1", folder, line).c_str(), "r");
  if (pipe == nullptr) return ran;
  std::array<char, 4096> buffer{};
  while (const std::size_t n = std::fread(buffer.data(), 1, buffer.size(), pipe)) ran.text.append(buffer.data(), n);
  ran.code = WEXITSTATUS(pclose(pipe));
  return ran;
}

command::Ran python(const std::string& folder, const std::string& arguments) {
  return in_folder(folder, fmt::format("{} {}", PLUMBLINE_PYTHON, arguments));
}

/// An empty folder outside the repository.
std::string fresh_folder(const std::string& name) {
  std::string folder = testing::TempDir() + "plumbline_alone_" + name;
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  return folder;
}

std::string text_of(const std::string& path) {
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

class RunsAlone : public testing::Test {
 protected:
  void SetUp() override {
    if (python(testing::TempDir(), "-c 'import pytest, torch'").code != 0)
      GTEST_SKIP() << PLUMBLINE_PYTHON << " has no torch or no pytest";
  }
};

/// Expects that both ways of running the file fail, and say so.
void expect_failure(const std::string& folder, const std::string& file) {
  const command::Ran alone = python(folder, file);
  EXPECT_EQ(alone.code, 1) << alone.text;
  EXPECT_TRUE(command::has(alone, file + ": a test failed on PyTorch "));
  EXPECT_TRUE(command::has(alone, "1 failed"));
  const command::Ran pytest = python(folder, "-m pytest " + file);
  EXPECT_EQ(pytest.code, 1) << pytest.text;
  EXPECT_TRUE(command::has(pytest, "1 failed"));
}

TEST_F(RunsAlone, the_file_that_fuzz_writes_fails_where_pytorch_does_not_do_what_it_asserts) {
  const std::string folder = fresh_folder("fuzz");
  const command::Ran fuzz = command::plumbline(  // the reference misreads the rule, so PyTorch fails its asserts
      "fuzz --on reference --flip VER-04 --programs 600 --seed 9 --max-failures 1 --out " + folder);
  EXPECT_EQ(fuzz.code, 1) << fuzz.text;
  std::string file;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    file = std::max(file, entry.path().filename().string());  // always the same one
  ASSERT_TRUE(file.starts_with("test_")) << fuzz.text;
  const std::string text = text_of(folder + "/" + file);
  EXPECT_NE(text.find(fmt::format("installed: `python {0}` or `pytest {0}`.\n", file)), std::string::npos) << text;
  expect_failure(folder, file);
  EXPECT_TRUE(command::has(command::plumbline(fmt::format("run {}/{} --on reference", folder, file)), "1 divergent"));
}

TEST_F(RunsAlone, a_fault_that_pytorch_2_13_has_too_makes_its_file_fail) {
  const std::string version = python(testing::TempDir(), "-c 'import torch; print(torch.__version__)'").text;
  if (!version.starts_with("2.13")) GTEST_SKIP() << "PyTorch is " << version;
  const Reproducer found = reproducer_of(INF_06);  // W-01: a refused in-place op has already written
  ASSERT_TRUE(found.verified) << found.note;
  const std::string folder = fresh_folder("waived");
  write_reproducer(folder + "/test_it.py", found.text);
  expect_failure(folder, "test_it.py");
}

TEST_F(RunsAlone, a_file_passes_if_pytorch_does_what_it_asserts) {
  const Reproducer found = reproducer_of(VER_03, how_to_run("test_it.py", "ours 1.0"));
  ASSERT_TRUE(found.verified) << found.note;
  EXPECT_NE(found.text.find("# ours 1.0 fails it; PyTorch may pass it.\n"), std::string::npos) << found.text;
  const std::string folder = fresh_folder("passes");
  write_reproducer(folder + "/test_it.py", found.text);
  const command::Ran alone = python(folder, "test_it.py");
  EXPECT_EQ(alone.code, 0) << alone.text;
  EXPECT_TRUE(command::has(alone, "test_it.py: every test passed on PyTorch "));
  EXPECT_EQ(python(folder, "-m pytest test_it.py").code, 0);
  EXPECT_EQ(program::print(program::parse_file(folder + "/test_it.py")), text_of(folder + "/test_it.py"));
}

TEST_F(RunsAlone, a_crash_has_a_message) {
  const std::string folder = fresh_folder("crash");
  write_reproducer(folder + "/test_it.py", "import os\n\n\ndef test_it(device):\n    os.abort()\n");
  const command::Ran alone = python(folder, "test_it.py");
  EXPECT_EQ(alone.code, 1) << alone.text;
  EXPECT_TRUE(command::has(alone, "test_it.py: the run crashed (signal 6) on PyTorch "));
}

}  // namespace
}  // namespace plumbline::fuzz
