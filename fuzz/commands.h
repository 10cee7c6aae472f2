// The sub-commands of plumbline-fuzz.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>

#include "oracle/adapter.h"

namespace plumbline::fuzz {

/// What is asked for does not exist here: exit code 2.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// make_adapter, describe and the names of profiles and rules, where a failure is the command line's.
template <class Look>
auto look_up(Look look) {
  try {
    return look();
  } catch (const std::runtime_error& error) {
    throw UsageError(error.what());
  }
}

/// Each adds its sub-command to `app`, and returns what runs it: the exit code is the result.
std::function<int()> add_fuzz(CLI::App& app);
std::function<int()> add_selftest(CLI::App& app);
std::function<int()> add_hits(CLI::App& app);
std::function<int()> add_variants(CLI::App& app);

}  // namespace plumbline::fuzz
