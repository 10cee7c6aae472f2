// The sub-commands of plumbline-fuzz.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

namespace plumbline::fuzz {

/// Each adds its sub-command to `app`, and returns what runs it: the exit code is the result.
std::function<int()> add_fuzz(CLI::App& app);
std::function<int()> add_selftest(CLI::App& app);
std::function<int()> add_variants(CLI::App& app);

}  // namespace plumbline::fuzz
