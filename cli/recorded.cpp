// Recording scripts.
#include "cli/recorded.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <sstream>
#include <string_view>

#include "support/exit_codes.h"
#include "support/sibling.h"

namespace plumbline::cli {

namespace {

namespace fs = std::filesystem;

/// Where the program of a script goes: /tmp/plumbline-recorded-UID/test_SCRIPT.py. A second script of that name gets
/// another file.
fs::path program_file(const std::string& script) {
  static std::vector<fs::path> taken;
  const fs::path folder = fs::temp_directory_path() / fmt::format("plumbline-recorded-{}", getuid());
  fs::create_directories(folder);
  fs::permissions(folder, fs::perms::owner_all);  // throws if the folder is somebody else's
  std::string stem = fs::path(script).stem();
  if (!stem.starts_with("test_")) stem = "test_" + stem;
  fs::path file = folder / (stem + ".py");
  for (int n = 2; std::ranges::find(taken, file) != taken.end(); ++n) file = folder / fmt::format("{}_{}.py", stem, n);
  taken.push_back(file);
  return file;
}

}  // namespace

bool is_script(const std::string& text) {
  std::istringstream in(text);
  bool any = false;
  for (std::string line; std::getline(in, line); any = true)
    if (line.starts_with("def test_") && line.find("(device)") != std::string::npos) return false;
  return any;
}

std::string recorded(const std::string& script, std::vector<Problem>& problems) {
  const auto failed = [&](const std::string& why, const std::string& advice) {
    problems.push_back({script, 0, 0, why, advice});
    return std::string();
  };
  try {
    const fs::path file = program_file(script);
    const int code = run_sibling("plumbline-record", {script, "--out", file}, [](std::string_view) {});
    if (code == 0 || code == kExitUnknown) return file;
    if (code == kExitNothing)
      return failed("the file has no test, and as a script it does nothing with tensors that can be recorded",
                    "Write a function `def test_NAME(device):`, or a script that calls PyTorch");
  } catch (const std::exception& error) {
    return failed(fmt::format("the file has no test, and cannot be recorded: {}", error.what()),
                  "Write a function `def test_NAME(device):`");
  }
  return failed("the file has no test, and cannot be recorded: see the message above",
                "Write a function `def test_NAME(device):`, or name a Python with PyTorch: plumbline record --help");
}

std::string recorded_tests(const std::string& file, const std::vector<std::string>& tests) {
  try {
    const fs::path program = program_file(file);
    std::vector<std::string> arguments{file, "--quiet", "--out", program};
    for (const std::string& test : tests) arguments.insert(arguments.end(), {"--only", test});
    const int code = run_sibling("plumbline-record", arguments, [](std::string_view) {});
    return code == 0 || code == kExitUnknown ? program.string() : "";
  } catch (const std::exception&) {
    return "";  // the error of the program says what to change
  }
}

}  // namespace plumbline::cli
