// One layer for command lines: commands, arguments, options, help texts, usage errors, and what shell completion asks.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace plumbline {

/// An argument or an option of a command; the command owns it. Each function returns this option.
class Option {
 public:
  static constexpr double kNoLimit = std::numeric_limits<double>::infinity();
  using Target = std::variant<std::string*, int*, unsigned*, std::int64_t*, std::uint64_t*, double*,
                              std::optional<std::string>*, std::vector<std::string>*>;
  struct Impl;
  explicit Option(std::unique_ptr<Impl> impl);
  ~Option();
  Option(const Option&) = delete;
  Option& operator=(const Option&) = delete;

  Option& required();
  /// Numbers outside these limits are refused.
  Option& range(double least, double most = kNoLimit);
  /// Numbers that are not greater than 0 are refused.
  Option& positive();
  /// Other values are refused. Upper and lower case are the same; the variable gets the value as it is written here.
  Option& choices(std::vector<std::string> values);
  /// A value is a list. Only for vectors.
  Option& separated_by_commas();
  /// Help shows this as the default. Without it, help shows the variable's value if it is neither 0, nor empty, nor a
  /// path, which would differ from machine to machine.
  Option& shows_default(std::string text);
  /// Completion offers what `kind` names, not what the value's name does: RULE, PROFILE, IMPLEMENTATION or FILE.
  Option& completes(std::string kind);
  /// It is refused without the other option.
  Option& needs(const Option& other);
  /// It is refused beside the other option.
  Option& excludes(const Option& other);
  /// Neither help nor completion shows it.
  Option& hidden();

  /// Whether the command line has it.
  bool given() const;

 private:
  friend class Command;
  friend class CommandLine;
  std::unique_ptr<Impl> impl_;
};

/// A command, with what it takes. The variables must live until the command line is parsed. A variable that the command
/// line does not name keeps its value.
class Command {
 public:
  struct Impl;
  explicit Command(std::unique_ptr<Impl> impl);
  virtual ~Command();
  Command(const Command&) = delete;
  Command& operator=(const Command&) = delete;

  /// An argument without a name of its own; a vector takes all that remain. `name`: "FILE".
  template <class T>
  Option& argument(const std::string& name, T& to, const std::string& help) {
    return add(name, Option::Target(&to), help);
  }
  /// `names`: "--profile PROFILE", "-o,--out DIR". A vector has one value for each time that the option is given.
  template <class T>
  Option& option(const std::string& names, T& to, const std::string& help) {
    return add(names, Option::Target(&to), help);
  }
  /// Sets `to` to `value`, if it is given. `names`: "--all".
  Option& flag(const std::string& names, bool& to, const std::string& help, bool value = true);

  // The options that many commands have, each with one meaning.

  /// `--json [FILE]`: the report as JSON to a file; with `-` or nothing, `to` becomes "-".
  Option& json(std::string& to);
  /// `-j,--jobs N`. Also sets `to` to its default: all cores.
  Option& jobs(unsigned& to);
  /// `-v,--verbose`.
  Option& verbose(bool& to);
  /// `-q,--quiet`: only what failed, and the last line.
  Option& quiet(bool& to);
  /// `--seed N`.
  Option& seed(std::uint64_t& to);
  /// `--seconds S`. `what`: what else is to be said about it here.
  Option& seconds(double& to, const std::string& what = "");
  /// `--out DIR`. `what`: the files that are written there. `alias`: another name, such as "--report".
  Option& out(std::string& to, const std::string& what, const std::string& alias = "");

  /// What help prints last: examples and exit codes.
  void footer(const std::string& text);
  /// Called when everything is parsed: what is wrong with the values together; empty if nothing is.
  void check(std::function<std::string()> problem);
  /// What `CommandLine::run` calls if the command line names this command.
  void runs(std::function<int()> action);

 protected:
  friend class CommandLine;
  Option& add(const std::string& names, Option::Target to, const std::string& help);

  std::unique_ptr<Impl> impl_;
};

/// A whole command line: either one command, or a list of commands from which the first argument chooses.
class CommandLine : public Command {
 public:
  /// `name`: "plumbline", or "plumbline mutate" for an executable with one command; `plumbline` passes "mutate" on as
  /// the first argument, and parsing leaves it out.
  CommandLine(const std::string& name, const std::string& description);
  ~CommandLine() override;

  /// Adds a command.
  Command& command(const std::string& name, const std::string& description);
  /// What `--version` prints.
  void version(const std::string& text);
  /// Fills in the variables. Returns an exit code if nothing is left to do: 0 after --help, --version and the questions
  /// of completion, kExitUsage after a usage error, which it prints.
  std::optional<int> parse(int argc, const char* const* argv);
  std::optional<int> parse(std::vector<std::string> arguments);
  /// Calls the action of the command that was chosen, and returns its exit code.
  int run();

 private:
  /// The command that the command line chose; this one, if there are none to choose from.
  Command& chosen();
  std::string attempt(const std::vector<std::string>& arguments, std::optional<int>& code);
  bool complete(const std::vector<std::string>& arguments);
};

}  // namespace plumbline
