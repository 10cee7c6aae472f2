// Completion of command lines in shells: the scripts, and the answers that they ask for.
#include "cli/completion.h"

#include <algorithm>
#include <sstream>
#include <stdexcept>
#include <string_view>

#include "support/sibling.h"

namespace plumbline::cli {

namespace {

constexpr const char* kLister = "plumbline-run";        ///< runs `list`
constexpr const char* kEnvironments = "plumbline-env";  ///< runs `env`

constexpr const char* kBash = R"sh(# Completion of plumbline for bash. Use: eval "$(plumbline completion bash)"
_plumbline() {
  local word words=() IFS=$'\n'
  for word in "${COMP_WORDS[@]:1:COMP_CWORD}"; do [[ $word == "=" ]] || words+=("$word"); done
  [[ ${COMP_WORDS[COMP_CWORD]} != "=" ]] || words+=("")
  COMPREPLY=($("${COMP_WORDS[0]/#\~/$HOME}" --complete "${words[@]}" 2>/dev/null))
}
complete -o default -o bashdefault -F _plumbline plumbline
)sh";

constexpr const char* kZsh = R"sh(#compdef plumbline
# Completion of plumbline for zsh. Use, after compinit: eval "$(plumbline completion zsh)"
_plumbline() {
  local -a found
  found=("${(@f)$("${words[1]/#\~/$HOME}" --complete "${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n ${found[1]} ]]; then compadd -a found; else _files; fi
}
compdef _plumbline plumbline
)sh";

using Words = std::vector<std::string>;

/// An option or an argument of a command, as `--complete-options` prints it: "--flip RULE", "--all", "WHAT rules|ops".
struct Taken {
  std::string name, kind;
};

/// What a sibling prints, in lines; nothing if it is not built.
Words lines_of_sibling(const std::string& sibling, const Words& arguments) {
  std::string text;
  try {
    run_sibling(sibling, arguments, [&](std::string_view part) { text += part; });
  } catch (const std::runtime_error&) {
    return {};
  }
  Words lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::vector<Taken> taken_by(const CompletedCommand& command, const Words& words) {
  Words asked{command.name};
  if (std::ranges::find(words, "--mutants") != words.end()) asked.emplace_back("--mutants");  // another executable
  asked.emplace_back("--complete-options");
  std::vector<Taken> all;
  for (const std::string& line : lines_of_sibling(command.sibling, asked)) {
    const std::size_t space = line.find(' ');
    all.push_back({line.substr(0, space), space == std::string::npos ? "" : line.substr(space + 1)});
  }
  return all;
}

/// The names that a sibling lists: the first words of its lines, without those that go on.
Words listed_by(const std::string& sibling, const Words& arguments) {
  Words names;
  for (const std::string& line : lines_of_sibling(sibling, arguments))
    if (!line.empty() && line.front() != ' ' && !line.starts_with("process:"))
      names.push_back(line.substr(0, line.find(' ')));
  return names;
}

Words listed(const std::string& what) { return listed_by(kLister, {"list", what}); }

/// The values of a kind. `words`: the whole command line.
Words values_of(const std::string& kind, const Words& words) {
  if (kind == "RULE") {
    Words rules = listed("rules");
    std::erase_if(rules, [](const std::string& id) { return id.starts_with("OP-"); });  // no judge is asked for a law
    return rules;
  }
  if (kind == "PROFILE") return listed("profiles");
  if (kind == "IMPLEMENTATION") return listed("implementations");
  if (kind == "NAME" && words.size() > 2 && words.front() == "list" && words[1] != "programs") return listed(words[1]);
  if (kind == "NAME" && words.size() > 2 && words.front() == "env") return listed_by(kEnvironments, {"env", "list"});
  Words choices;
  std::istringstream stream(kind.find('|') == std::string::npos ? "" : kind);
  for (std::string one; std::getline(stream, one, '|');) choices.push_back(one);
  return choices;
}

const Taken* option_named(const std::vector<Taken>& all, const std::string& name) {
  const auto found = std::ranges::find(all, name, &Taken::name);
  return name.starts_with("-") && found != all.end() ? &*found : nullptr;
}

/// The kind of the argument in the last place: what stands before it, without options and their values, is counted.
std::string kind_of_argument(const std::vector<Taken>& all, const Words& words) {
  std::size_t place = 0;
  for (std::size_t i = 1; i + 1 < words.size(); ++i) {
    const Taken* option = option_named(all, words[i]);
    if (option != nullptr && !option->kind.empty()) ++i;
    if (!words[i].starts_with("-") && option == nullptr) ++place;
  }
  std::vector<Taken> arguments;
  std::ranges::copy_if(all, std::back_inserter(arguments), [](const Taken& one) { return !one.name.starts_with("-"); });
  return arguments.empty() ? "" : arguments[std::min(place, arguments.size() - 1)].kind;
}

/// Those that begin with `part`; after the last comma or the `=` of `part`, another value may stand.
Words fitting(const Words& values, const std::string& part) {
  const std::size_t comma = part.find_last_of(",=");
  const std::string before = part.substr(0, comma == std::string::npos ? 0 : comma + 1);
  Words fit;
  for (const std::string& value : values)
    if ((before + value).starts_with(part)) fit.push_back(before + value);
  return fit;
}

}  // namespace

Words completions(const std::vector<CompletedCommand>& commands, const Words& words) {
  const std::string last = words.empty() ? "" : words.back();
  Words names;
  if (words.size() <= 1) {
    for (const CompletedCommand& command : commands) names.push_back(command.name);
    names.insert(names.end(), {"--help", "--version"});
    return fitting(names, last);
  }
  if (words.front() == "completion") return fitting({"bash", "zsh"}, last);
  const auto command = std::ranges::find(commands, words.front(), &CompletedCommand::name);
  if (command == commands.end()) return {};
  const std::vector<Taken> all = taken_by(*command, words);
  if (const Taken* before = option_named(all, words[words.size() - 2]); before != nullptr && !before->kind.empty())
    return fitting(values_of(before->kind, words), last);
  if (const Taken* given = option_named(all, last.substr(0, last.find('=')));
      given != nullptr && last.find('=') != std::string::npos)
    return fitting(values_of(given->kind, words), last);
  if (!last.starts_with("-")) return fitting(values_of(kind_of_argument(all, words), words), last);
  for (const Taken& one : all)
    if (one.name.starts_with("-")) names.push_back(one.name);
  return fitting(names, last);
}

std::string completion_script(const std::string& shell) { return shell == "bash" ? kBash : shell == "zsh" ? kZsh : ""; }

}  // namespace plumbline::cli
