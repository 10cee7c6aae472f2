// Completion of command lines in shells: the scripts, and the answers that they ask for.
#pragma once

#include <string>
#include <vector>

namespace plumbline::cli {

/// A command of `plumbline`, and the executable beside it that runs it.
struct CompletedCommand {
  std::string name, sibling;
};

/// What may stand in the place of the last of `words`, which follow `plumbline` on a command line: commands, options,
/// values of options and arguments. Empty where a file may stand. Asks the siblings; one that is not built gives
/// nothing.
std::vector<std::string> completions(const std::vector<CompletedCommand>& commands,
                                     const std::vector<std::string>& words);

/// The script for "bash" or "zsh", which runs `plumbline --complete WORD...`; empty for another shell.
std::string completion_script(const std::string& shell);

}  // namespace plumbline::cli
