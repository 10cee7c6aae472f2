// Command lines, on top of CLI11: this is the one file that includes it.
#include "support/command_line.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <limits>

#include "support/exit_codes.h"
#include "support/screen.h"

namespace plumbline {

namespace {

constexpr std::size_t kNames = 26;  ///< the width of the column of names in a help text
constexpr std::size_t kWidth = 110;
constexpr const char* kComplete = "--complete-options";  ///< asked by `plumbline --complete`

std::string in_lines(const std::string& text, std::size_t width) { return wrapped_text(text, width, 0); }

/// Prints an option's names and the name of its value; the rest stands in its description.
class Help : public CLI::Formatter {
 public:
  Help() {
    column_width(kNames);
    label("Positionals", "arguments");
    label("Usage", "usage");
    label("Subcommands", "commands");
  }
  std::string make_option_opts(const CLI::Option* option) const override {
    return option->get_positional() || option->get_option_text().empty() ? "" : " " + option->get_option_text();
  }
  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override {
    std::string text = CLI::Formatter::make_help(app, std::move(name), mode);
    for (std::size_t at = text.find("\n\n\n"); at != std::string::npos; at = text.find("\n\n\n")) text.erase(at, 1);
    return text;
  }
  std::string make_group(std::string group, bool positional, std::vector<const CLI::Option*> options) const override {
    return CLI::Formatter::make_group(positional ? std::move(group) : "options", positional, std::move(options));
  }
  std::string make_footer(const CLI::App* app) const override {
    return app->get_footer().empty() ? "" : app->get_footer() + "\n";
  }
};

template <class T>
T number(const std::string& name, const std::string& text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc() && end == text.data() + text.size()) return value;
  throw CLI::ValidationError(
      fmt::format("{} needs a {}number, not '{}'", name, std::is_floating_point_v<T> ? "" : "whole ", text));
}

/// What the parser of CLI11 found wrong, in our words.
std::string words_of(const CLI::ParseError& error, const CLI::App& app) {
  const std::string what = error.what();
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
    const std::string first = app.remaining(true).front();
    return fmt::format("{} '{}'", first.starts_with("-") ? "unknown option" : "unexpected argument", first);
  }
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr) {
    const std::string name = what.substr(0, what.find(':'));
    if (what.ends_with("missing")) return name + " needs a value";
    if (what.find("At Most") != std::string::npos) return name + " is given more than once";
  }
  return what;
}

}  // namespace

struct Option::Impl {
  CLI::Option* option = nullptr;
  std::string names, value, help, default_text, kind;
  std::optional<Target> target;
  std::vector<std::string> choices;
  std::vector<const Impl*> excluded;
  double least = -kNoLimit, most = kNoLimit;
  bool above_zero = false, commas = false, positional = false, required = false, hidden = false;

  std::string name() const { return option->get_name(positional); }
  std::string default_value() const;
  void describe() const;
  bool take(const std::vector<std::string>& values);
  std::string chosen(const std::string& given) const;
  template <class T>
  T limited(const std::string& given) const;
};

/// The default as help shows it.
std::string Option::Impl::default_value() const {
  if (!default_text.empty() || !target) return default_text;
  return std::visit(
      [](const auto* to) -> std::string {
        using T = std::remove_cvref_t<decltype(*to)>;
        if constexpr (std::is_arithmetic_v<T>)
          return *to == 0 ? "" : fmt::format("{}", *to);
        else if constexpr (std::is_same_v<T, std::string>)
          return to->starts_with("/") ? "" : *to;
        else if constexpr (std::is_same_v<T, std::vector<std::string>>)
          return fmt::format("{}", fmt::join(*to, ","));
        else
          return to->value_or("");
      },
      *target);
}

void Option::Impl::describe() const {
  std::vector<std::string> more;
  if (required && !positional) more.emplace_back("required");
  if (most < kNoLimit) more.push_back(fmt::format("{} to {}", least, most));
  if (const std::string value = default_value(); !value.empty()) more.push_back("default: " + value);
  for (const Impl* other : excluded) more.push_back("not with " + other->name());
  std::string text = help;
  if (!choices.empty()) text += fmt::format(": {}", fmt::join(choices, ", "));
  if (!more.empty()) text += fmt::format(" ({})", fmt::join(more, "; "));
  option->description(in_lines(text, kWidth - kNames));
}

std::string Option::Impl::chosen(const std::string& given) const {
  if (choices.empty()) return given;
  for (const std::string& one : choices)
    if (CLI::detail::to_lower(one) == CLI::detail::to_lower(given)) return one;
  throw CLI::ValidationError(fmt::format("{}: '{}' is not one of {}", name(), given, fmt::join(choices, ", ")));
}

template <class T>
T Option::Impl::limited(const std::string& given) const {
  const T parsed = number<T>(name(), given);
  const auto as_double = static_cast<double>(parsed);
  if (!(as_double >= least && as_double <= most))  // also not a number
    throw CLI::ValidationError(most < kNoLimit
                                   ? fmt::format("{}: {} is not between {} and {}", name(), given, least, most)
                                   : fmt::format("{}: {} is less than {}", name(), given, least));
  if (above_zero && !(as_double > 0)) throw CLI::ValidationError(fmt::format("{}: {} is not above 0", name(), given));
  return parsed;
}

bool Option::Impl::take(const std::vector<std::string>& values) {
  std::visit(
      [&](auto* to) {
        using T = std::remove_cvref_t<decltype(*to)>;
        if constexpr (std::is_same_v<T, std::vector<std::string>>) {
          to->clear();
          for (const std::string& value : values)
            for (const std::string& part : commas ? CLI::detail::split(value, ',') : std::vector{value})
              to->push_back(chosen(part));
        } else if constexpr (std::is_arithmetic_v<T>) {
          *to = limited<T>(values.front());
        } else {
          *to = chosen(values.front());
        }
      },
      *target);
  return true;
}

Option::Option(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Option::~Option() = default;

Option& Option::required() {
  impl_->required = true;
  impl_->option->required();
  impl_->describe();
  return *this;
}

Option& Option::range(double least, double most) {
  impl_->least = least;
  impl_->most = most;
  impl_->describe();
  return *this;
}

Option& Option::positive() {
  impl_->above_zero = true;
  return *this;
}

Option& Option::choices(std::vector<std::string> values) {
  impl_->choices = std::move(values);
  impl_->describe();
  return *this;
}

Option& Option::separated_by_commas() {
  impl_->commas = true;
  return *this;
}

Option& Option::shows_default(std::string text) {
  impl_->default_text = std::move(text);
  impl_->describe();
  return *this;
}

Option& Option::completes(std::string kind) {
  impl_->kind = std::move(kind);
  return *this;
}

Option& Option::needs(const Option& other) {
  impl_->option->needs(other.impl_->option);
  return *this;
}

Option& Option::excludes(const Option& other) {
  impl_->excluded.push_back(other.impl_.get());
  impl_->describe();
  return *this;
}

Option& Option::hidden() {
  impl_->hidden = true;
  impl_->option->group("");
  return *this;
}

bool Option::given() const { return impl_->option->count() > 0; }

struct Command::Impl {
  std::unique_ptr<CLI::App> root;  ///< of a whole command line
  CLI::App* app = nullptr;
  std::string passed;  ///< the argument that `plumbline` passes on
  std::vector<std::unique_ptr<Option>> options;
  std::vector<std::unique_ptr<Command>> commands;
  std::function<std::string()> problem;
  std::function<int()> action;
};

Command::Command(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Command::~Command() = default;

Option& Command::add(const std::string& names, Option::Target to, const std::string& help) {
  auto made = std::make_unique<Option::Impl>();
  Option::Impl* const one = made.get();
  const bool many = std::holds_alternative<std::vector<std::string>*>(to);
  const std::size_t space = names.find(' ');
  one->names = names.substr(0, space);
  one->value = space == std::string::npos ? names : names.substr(space + 1);
  one->positional = !names.starts_with("-");
  one->help = help;
  one->target = to;
  one->option = impl_->app->add_option(one->names, [one](const CLI::results_t& values) { return one->take(values); });
  one->option->option_text(one->value);
  if (many && one->positional)
    one->option->expected(1, CLI::detail::expected_max_vector_size)->allow_extra_args()->take_all();
  if (many && !one->positional) one->option->take_all()->expected(1);
  one->describe();
  return *impl_->options.emplace_back(std::make_unique<Option>(std::move(made)));
}

Option& Command::flag(const std::string& names, bool& to, const std::string& help, bool value) {
  auto made = std::make_unique<Option::Impl>();
  made->names = names;
  made->help = help;
  made->option = impl_->app->add_flag_callback(names, [&to, value] { to = value; });
  made->describe();
  return *impl_->options.emplace_back(std::make_unique<Option>(std::move(made)));
}

void Command::footer(const std::string& text) { impl_->app->footer(text.substr(0, text.find_last_not_of('\n') + 1)); }

void Command::check(std::function<std::string()> problem) { impl_->problem = std::move(problem); }

void Command::runs(std::function<int()> action) { impl_->action = std::move(action); }

CommandLine::CommandLine(const std::string& name, const std::string& description) : Command(std::make_unique<Impl>()) {
  impl_->root = std::make_unique<CLI::App>(in_lines(description, kWidth), name);
  impl_->app = impl_->root.get();
  impl_->app->formatter(std::make_shared<Help>());
  impl_->app->set_help_flag("-h,--help", "print this help");
  const std::vector<std::string> words = CLI::detail::split(name, ' ');
  if (words.size() > 1) impl_->passed = words[1];
}

CommandLine::~CommandLine() = default;

Command& CommandLine::command(const std::string& name, const std::string& description) {
  auto made = std::make_unique<Impl>();
  made->app = impl_->app->add_subcommand(name, in_lines(description, kWidth));
  impl_->app->require_subcommand(1);
  return *impl_->commands.emplace_back(std::make_unique<Command>(std::move(made)));
}

void CommandLine::version(const std::string& text) {
  impl_->app->set_version_flag("--version", text)->description("print the version");
}

Command& CommandLine::chosen() {
  for (const auto& one : impl_->commands)
    if (one->impl_->app->parsed()) return *one;
  return *this;
}

/// Parses once. Returns what is wrong, in words; empty if nothing is.
std::string CommandLine::attempt(const std::vector<std::string>& arguments, std::optional<int>& code) {
  try {
    impl_->app->parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() != 0) return words_of(error, *impl_->app);
    impl_->app->exit(error);  // prints the help or the version
    code = 0;
    return "";
  }
  const Command& command = chosen();
  for (const auto& option : command.impl_->options)
    for (const Option::Impl* other : option->impl_->excluded)
      if (option->given() && other->option->count() > 0)
        return fmt::format("{} and {} exclude each other. Give one of them", option->impl_->name(), other->name());
  return command.impl_->problem ? command.impl_->problem() : "";
}

/// Answers the question of completion, if that is what the arguments ask: a line for each option and argument, with
/// what it takes.
bool CommandLine::complete(const std::vector<std::string>& arguments) {
  if (std::ranges::find(arguments, kComplete) == arguments.end()) return false;
  const Command* command = this;
  for (const auto& one : impl_->commands)
    if (one->impl_->app->get_name() == arguments.front()) command = one.get();
  for (const auto& option : command->impl_->options) {
    const Option::Impl& one = *option->impl_;
    if (one.hidden) continue;
    const std::string kind = !one.choices.empty() ? fmt::format("{}", fmt::join(one.choices, "|"))
                             : !one.kind.empty()  ? one.kind
                                                  : one.value;
    for (const std::string& name : CLI::detail::split(one.names, ','))
      fmt::print("{}{}{}\n", name, kind.empty() ? "" : " ", kind);
  }
  fmt::print("-h\n--help\n");
  return true;
}

std::optional<int> CommandLine::parse(int argc, const char* const* argv) {
  return parse(std::vector<std::string>(argv + 1, argv + argc));
}

std::optional<int> CommandLine::parse(std::vector<std::string> arguments) {
  if (!arguments.empty() && !impl_->passed.empty() && arguments.front() == impl_->passed)
    arguments.erase(arguments.begin());
  if (complete(arguments)) return 0;
  // A bare --json means stdout. What follows it may be a file, or an argument of the command: then only the second
  // reading has all that the command needs.
  std::vector<std::string> second = arguments;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i] != "--json") continue;
    second[i] = "--json=-";
    if (i + 1 == arguments.size() || (arguments[i + 1].starts_with("-") && arguments[i + 1] != "-"))
      arguments[i] = second[i];
  }
  std::optional<int> code;
  const std::string problem = attempt(arguments, code);
  if (problem.empty()) return code;
  if (second != arguments && attempt(second, code).empty()) return code;
  const CLI::App* app = chosen().impl_->app;
  const std::string name =
      app == impl_->app ? app->get_name() : fmt::format("{} {}", impl_->app->get_name(), app->get_name());
  fmt::print(stderr, "{}: {}\n  {} --help shows the options.\n", name, problem, name);
  return kExitUsage;
}

int CommandLine::run() {
  const Command& command = chosen();
  return command.impl_->action ? command.impl_->action() : kExitUsage;
}

}  // namespace plumbline
