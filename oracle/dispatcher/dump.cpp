// Reading the dump of a dispatcher.
#include "oracle/dispatcher/dump.h"

#include <fmt/format.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

namespace plumbline::dispatcher {

namespace {

using nlohmann::json;

std::uint64_t word_of(const json& text) { return std::stoull(text.get<std::string>()); }

DumpedOperator operator_of(const json& line) {
  DumpedOperator one;
  one.name = line.at("name");
  const auto kernels = line.at("kernels").get<std::vector<std::string>>();
  for (const json& r : line.at("registrations"))
    one.registrations.push_back({r.at(0), kernels.at(r.at(1).get<std::size_t>()), r.at(2), r.at(3)});
  for (const json& r : line.at("table"))
    one.table.emplace(r.at(0), DumpedEntry{kernels.at(r.at(1).get<std::size_t>()), r.at(2), r.at(3)});
  return one;
}

DumpedKeys keys_of(const json& line) {
  DumpedKeys all;
  for (const json& one : line.at("keys")) {
    DumpedKey key{one.at("index"),   word_of(one.at("word")), one.at("parses"), one.at("autograd"),
                  one.at("backend"), one.at("backends_of"),   one.at("aliases")};
    all.keys.emplace(one.at("name"), std::move(key));
  }
  all.entries = line.at("entries");
  for (const auto& [name, word] : line.at("sets").items()) all.sets.emplace(name, word_of(word));
  all.fallbacks = operator_of(line.at("fallbacks")).table;
  return all;
}

}  // namespace

std::size_t read_dump_lines(const std::function<bool(std::string&)>& next,
                            const std::function<void(const DumpedKeys&)>& constants,
                            const std::function<void(const DumpedOperator&)>& one) {
  std::string line;
  std::size_t number = 0;
  std::size_t operators = 0;
  while (next(line)) {
    ++number;
    try {
      const json message = json::parse(line);
      if (message.contains("keys")) {
        constants(keys_of(message));
      } else if (message.contains("name")) {
        one(operator_of(message));
        ++operators;
      } else if (message.at("operators").get<std::size_t>() == operators) {
        return operators;
      } else {
        throw std::runtime_error(fmt::format("it has {} operators but says that it has {}", operators,
                                             message.at("operators").get<std::size_t>()));
      }
    } catch (const std::exception& e) {
      throw DumpError(
          fmt::format("line {} of the dispatcher's dump does not match docs/PROTOCOL.md: {}", number, e.what()));
    }
  }
  throw DumpError(fmt::format(
      "the dispatcher's dump ends after line {}, before its last line, which gives the number of operators", number));
}

std::size_t read_dump(const std::string& command, const std::function<void(const DumpedKeys&)>& constants,
                      const std::function<void(const DumpedOperator&)>& one) {
  const auto close = [](std::FILE* file) { return file == nullptr ? 0 : pclose(file); };
  std::unique_ptr<std::FILE, decltype(close)> pipe(popen(command.c_str(), "r"), close);
  if (pipe == nullptr) throw DumpError(fmt::format("cannot start {}", command));
  const auto next = [&](std::string& line) {
    line.clear();
    std::array<char, 65536> part{};
    while (std::fgets(part.data(), part.size(), pipe.get()) != nullptr) {
      line += part.data();
      if (line.ends_with('\n')) {
        line.pop_back();
        return true;
      }
    }
    return false;
  };
  const std::size_t operators = read_dump_lines(next, constants, one);
  const int status = pclose(pipe.release());
  if (status != 0)
    throw DumpError(fmt::format("{} ended with {}", command,
                                WIFSIGNALED(status) ? fmt::format("signal {}", WTERMSIG(status))
                                                    : fmt::format("exit code {}", WEXITSTATUS(status))));
  return operators;
}

}  // namespace plumbline::dispatcher
