// Loading the programs that the command line names.
#include "cli/programs.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <set>
#include <utility>

#include "cli/recorded.h"
#include "language/parse.h"
#include "language/read_tests.h"
#include "language/refusal.h"
#include "spec/rules/catalogue.h"

namespace plumbline::cli {

namespace {

namespace fs = std::filesystem;

/// The programs of a folder, and of the folders in it unless they are hidden.
std::vector<std::string> files_in(const fs::path& folder, bool deep, std::vector<Problem>& problems) {
  std::vector<std::string> files;
  std::error_code error;
  fs::recursive_directory_iterator entry(folder, error);
  for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
    const std::string name = entry->path().filename();
    if (entry->is_directory()) {
      if (!deep || name.starts_with(".")) entry.disable_recursion_pending();
    } else if (name.starts_with("test_") && name.ends_with(".py")) {
      files.push_back(entry->path());
    }
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

/// Loads files, one after another.
class Loader {
 public:
  Loader(LoadedPrograms& loaded, Unreadable unreadable) : loaded_(loaded), records_(unreadable == Unreadable::record) {}

  void load(const std::string& file) {
    try {
      if (!records_) return add(file, program::lower(program::parse_file(file)));
      const std::string text = program::text_of(file);
      if (is_script(text)) return load_script(file);
      program::ReadTests read = program::read_tests(text, file);
      add(file, std::move(read.tests));
      if (!read.unread.empty()) record(file, read.unread);
    } catch (const program::ProgramError& error) {
      loaded_.problems.push_back(problem_of(error));
    }
  }

 private:
  static Problem problem_of(const program::ProgramError& error) {
    return {error.file, error.place.line, error.place.column, error.problem, error.advice};
  }

  void add(const std::string& file, std::vector<program::Test> tests) {
    for (program::Test& test : tests) {
      for (const std::string& rule : test.rules)
        if (find_rule(rule) == nullptr)
          loaded_.problems.push_back({file, test.line, 1, fmt::format("{} names an unknown rule '{}'", test.name, rule),
                                      "`plumbline list rules` lists the rules"});
      loaded_.tests.push_back({file, std::move(test)});
    }
  }

  void load_script(const std::string& file) {
    const std::string program = recorded(file, loaded_.problems);
    if (!program.empty()) add(program, program::lower(program::parse_file(program)));
  }

  /// Records the tests that programs cannot say; those that cannot be recorded stay unread.
  void record(const std::string& file, const std::vector<program::Unread>& unread) {
    std::vector<std::string> names;
    for (const program::Unread& one : unread) names.push_back(one.name);
    const std::string program = recorded_tests(file, names);
    std::vector<program::Test> tests;
    if (!program.empty()) tests = program::lower(program::parse_file(program));
    std::set<std::string> said;
    std::erase_if(tests, [&](const program::Test& test) {
      const std::string of = recorded_of(test.name, names);
      said.insert(of);
      return of.empty();
    });
    for (const program::Unread& one : unread)
      if (said.contains(one.name))
        fmt::print(stderr, "{}:{}: {} is recorded, because programs cannot say it: {}\n", file, one.error.place.line,
                   one.name, one.error.problem);
      else
        loaded_.unread.push_back({one.name, one.line, problem_of(one.error)});
    if (!program.empty()) add(program, std::move(tests));
  }

  /// The test of the file that a recorded one is a run of: `test_size` of `test_size_2`. The longest name counts.
  static std::string recorded_of(const std::string& test, const std::vector<std::string>& names) {
    std::string longest;
    for (const std::string& name : names)
      if ((test == name || test.starts_with(name + "_")) && name.size() > longest.size()) longest = name;
    return longest;
  }

  LoadedPrograms& loaded_;
  bool records_;
};

/// Loads the test that FILE::TEST names.
void load_one(const std::string& path, std::size_t colons, LoadedPrograms& loaded, Unreadable unreadable) {
  const std::string file = path.substr(0, colons);
  const std::string name = path.substr(colons + 2);
  LoadedPrograms whole;
  Loader(whole, unreadable).load(file);
  std::vector<std::string> names;
  for (const LoadedTest& t : whole.tests) names.push_back(t.test.name);
  for (const UnreadTest& t : whole.unread) names.push_back(t.name);
  std::erase_if(whole.tests, [&](const LoadedTest& t) { return t.test.name != name; });
  std::erase_if(whole.unread, [&](const UnreadTest& t) { return t.name != name; });
  if (whole.tests.empty() && whole.problems.empty() && whole.unread.empty())
    whole.problems.push_back({file, 0, 0, fmt::format("the file has no test '{}'", name),
                              program::did_you_mean(name, names, "See plumbline list programs, or grep '^def test_'")});
  std::ranges::move(whole.tests, std::back_inserter(loaded.tests));
  std::ranges::move(whole.problems, std::back_inserter(loaded.problems));
  std::ranges::move(whole.unread, std::back_inserter(loaded.unread));
}

}  // namespace

LoadedPrograms load_programs(const std::vector<std::string>& paths, Unreadable unreadable) {
  LoadedPrograms loaded;
  Loader loader(loaded, unreadable);
  std::set<fs::path> loaded_files;
  for (const std::string& path : paths) {
    std::error_code error;
    if (const std::size_t colons = path.rfind("::"); colons != std::string::npos) {
      load_one(path, colons, loaded, unreadable);
      continue;
    }
    if (!fs::is_directory(path, error)) {
      loader.load(path);
      continue;
    }
    for (const std::string& file : files_in(path, unreadable == Unreadable::record, loaded.problems))
      if (loaded_files.insert(fs::weakly_canonical(file, error)).second) loader.load(file);
  }
  return loaded;
}

}  // namespace plumbline::cli
