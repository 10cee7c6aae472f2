// The commands of plumbline-dispatcher, with their options as parsed.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "oracle/dispatcher/compare_tables.h"

namespace plumbline::cli {

struct DispatchTablesOptions {
  std::vector<std::string> on;  ///< libtorch-VERSION, each
  std::string profile;          ///< empty: the implementation's own
  std::string flip;             ///< a rule to misread
  std::string json;             ///< a file, "-" for stdout, empty for none
  bool all = false;             ///< every difference, not only the first ones of each kind
};

struct WhyOptions {
  std::string op;             ///< "aten::add.Tensor"; empty exactly with `registrations`
  std::string on;             ///< libtorch-VERSION; empty: the newest that is built
  std::string registrations;  ///< a file, in place of an operator
  std::string profile;        ///< empty: the version's own
  std::string keys;           ///< "CPU,AutogradCPU"
  std::optional<std::string> include, exclude;
  std::string json;  ///< a file, "-" for stdout, empty for none
};

/// The LibTorch that `name` names: the command that asks it, and its series, which has a layout. If it is not built,
/// throws std::runtime_error that says what to do.
struct DumpSource {
  std::string name, command, series;
};
DumpSource dump_source(const std::string& name);

/// Compares all its tables with those that `judge` computes from its registrations. Throws as `dispatcher::read_dump`.
dispatcher::TableReport compare_tables(const DumpSource& source, const reference::Judge& judge);

/// Each returns the exit code.
int dispatch_tables_command(const DispatchTablesOptions& options);
int why_command(const WhyOptions& options);

}  // namespace plumbline::cli
