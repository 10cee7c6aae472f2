// Loading and checking the dispatcher's curated programs.
#include "oracle/dispatcher/check_programs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "adapters/protocol/dispatch.h"
#include "oracle/dispatcher/compare.h"
#include "reference/raise.h"

namespace plumbline::dispatcher {

std::vector<CuratedDispatchTest> load_dispatch_programs(const std::string& folder) {
  std::vector<std::filesystem::path> files;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(folder, none)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("test_") && name.ends_with(".py")) files.push_back(entry.path());
  }
  std::ranges::sort(files);
  if (files.empty()) throw std::runtime_error(fmt::format("there are no programs test_*.py in {}", folder));
  std::vector<CuratedDispatchTest> all;
  for (const auto& path : files) {
    std::ifstream file(path);
    std::stringstream text;
    text << file.rdbuf();
    if (!file) throw std::runtime_error(fmt::format("cannot read {}", path.string()));
    for (DispatchTest& test : read_program(text.str(), path.string()))
      all.push_back({path.filename().string(), std::move(test)});
  }
  return all;
}

std::string key_out_of_reach(const KeyLayout& layout, const DispatchScript& script) {
  const KeyLayout& newest = layout_of(Profile::sound);
  std::string missing;
  const auto look = [&](const std::string& key) {
    if (!key.empty() && reference::registration_key_named(newest, key) &&
        !reference::registration_key_named(layout, key))
      missing = key;
  };
  for (const ProbeKernel& kernel : script.kernels) {
    for (const KeyStep& step : kernel.steps) look(step.key);
    if (kernel.guard) look(kernel.guard->key);
  }
  for (const DispatchStatement& statement : script.statements) {
    if (const auto* impl = std::get_if<ImplOp>(&statement)) look(impl->key);
    if (const auto* fallback = std::get_if<FallbackOp>(&statement)) look(fallback->key);
    if (const auto* query = std::get_if<QueryOp>(&statement)) look(query->key);
    if (const auto* tls = std::get_if<QueryTls>(&statement)) look(tls->key);
    if (const auto* enter = std::get_if<EnterGuard>(&statement)) look(enter->guard.key);
    if (const auto* redispatch = std::get_if<RedispatchOp>(&statement))
      for (const std::string& key : redispatch->keys) look(key);
  }
  return missing;
}

std::string text(const Failure& failure) {
  return fmt::format("line {}: expected {}, got {}", failure.line, failure.expected, failure.got);
}

std::vector<Failure> failures(const DispatchTest& test, const DispatchTrace& trace) {
  std::vector<Failure> all;
  std::vector<const ExpectedRaise*> raises(test.script.statements.size(), nullptr);
  for (const ExpectedRaise& raise : test.raises) raises.at(raise.statement) = &raise;
  for (std::size_t i = 0; i < trace.size(); ++i) {
    const DispatchError error = trace[i].error;
    const int line = i < test.script.lines.size() ? test.script.lines[i] : 0;
    if (raises[i] == nullptr && error != DispatchError::none)
      all.push_back({line, "no error", fmt::format("{} ({})", name_of(error), trace[i].message.substr(0, 100))});
    if (raises[i] == nullptr) continue;
    const bool missing = raises[i]->exception == "NotImplementedError";
    if (error == DispatchError::none || (missing && error != DispatchError::missing_kernel))
      all.push_back({raises[i]->line, raises[i]->exception, std::string(name_of(error))});
  }
  for (const ExpectedLog& log : test.logs) {
    const auto found = log_lines(trace.at(log.statement).log);
    if (found != log.lines)
      all.push_back({log.line, fmt::format("log == [{}]", fmt::join(log.lines, ", ")),
                     fmt::format("[{}]", fmt::join(found, ", "))});
  }
  for (const ExpectedReading& reading : test.readings) {
    const auto& found = trace.at(reading.statement).reading;
    if (found != reading.value)
      all.push_back({reading.line, reading.value ? "True" : "False",
                     !found   ? "no reading"
                     : *found ? "True"
                              : "False"});
  }
  return all;
}

std::vector<std::string> failures_on_reference(const DispatchTest& test, const reference::Judge& judge) {
  try {
    std::vector<std::string> all;
    for (const Failure& failure : failures(test, reference::run(judge, test.script))) all.push_back(text(failure));
    return all;
  } catch (const reference::ReferenceLimit& limit) {
    return {fmt::format("line {}: {}", test.line, limit.what())};
  }
}

}  // namespace plumbline::dispatcher
