// Loading the programs that the command line names.
#include "cli/programs.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <utility>

#include "cli/recorded.h"
#include "language/parse.h"
#include "language/refusal.h"
#include "spec/rules/catalogue.h"

namespace plumbline::cli {

namespace {

namespace fs = std::filesystem;

std::vector<std::string> files_in(const fs::path& folder, std::vector<Problem>& problems) {
  std::vector<std::string> files;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename();
    if (name.starts_with("test_") && name.ends_with(".py")) files.push_back(entry.path());
  }
  if (error)
    problems.push_back({folder, 0, 0, fmt::format("the folder cannot be read ({})", error.message()),
                        "Give it read permission, or name another folder"});
  else if (files.empty())
    problems.push_back(
        {folder, 0, 0, "the folder has no programs", "Name a folder with files test_*.py, or name the files"});
  std::ranges::sort(files);
  return files;
}

/// The tests of a file. A script is recorded first; `file` becomes the file of its program.
std::vector<program::Test> tests_of(std::string& file, std::vector<Problem>& problems) {
  try {
    std::vector<program::Test> tests = program::lower(program::parse_file(file));
    if (!tests.empty() || !is_script(file)) return tests;
  } catch (const program::ProgramError&) {
    if (!is_script(file)) throw;
  }
  file = recorded(file, problems);
  return file.empty() ? std::vector<program::Test>{} : program::lower(program::parse_file(file));
}

void load(std::string file, LoadedPrograms& loaded) {
  try {
    std::vector<program::Test> tests = tests_of(file, loaded.problems);
    if (tests.empty() && !file.empty())
      loaded.problems.push_back({file, 0, 0, "the program has no test", "Write a function `def test_NAME(device):`"});
    for (program::Test& test : tests) {
      for (const std::string& rule : test.rules)
        if (find_rule(rule) == nullptr)
          loaded.problems.push_back({file, test.line, 1, fmt::format("{} names an unknown rule '{}'", test.name, rule),
                                     "`plumbline list rules` lists the rules"});
      loaded.tests.push_back({file, std::move(test)});
    }
  } catch (const program::ProgramError& error) {
    loaded.problems.push_back({error.file, error.place.line, error.place.column, error.problem, error.advice});
  }
}

/// Loads the test that FILE::TEST names.
void load_one(const std::string& path, std::size_t colons, LoadedPrograms& loaded) {
  const std::string file = path.substr(0, colons);
  const std::string name = path.substr(colons + 2);
  LoadedPrograms whole;
  load(file, whole);
  std::vector<std::string> names;
  for (const LoadedTest& t : whole.tests) names.push_back(t.test.name);
  std::erase_if(whole.tests, [&](const LoadedTest& t) { return t.test.name != name; });
  if (whole.tests.empty() && whole.problems.empty())
    whole.problems.push_back({file, 0, 0, fmt::format("the file has no test '{}'", name),
                              program::did_you_mean(name, names, "See plumbline list programs, or grep '^def test_'")});
  std::ranges::move(whole.tests, std::back_inserter(loaded.tests));
  std::ranges::move(whole.problems, std::back_inserter(loaded.problems));
}

}  // namespace

LoadedPrograms load_programs(const std::vector<std::string>& paths) {
  LoadedPrograms loaded;
  for (const std::string& path : paths) {
    std::error_code error;
    if (const std::size_t colons = path.rfind("::"); colons != std::string::npos) {
      load_one(path, colons, loaded);
      continue;
    }
    if (!fs::is_directory(path, error)) {
      load(path, loaded);
      continue;
    }
    for (const std::string& file : files_in(path, loaded.problems)) load(file, loaded);
  }
  return loaded;
}

}  // namespace plumbline::cli
