// A runner's two ways to be used: by the driver, in JSON lines, and by hand, as Google Benchmark's own programs are.
#include "bench/runner/serve.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <string_view>

#include "bench/runner/counts.h"
#include "bench/runner/cpus.h"
#include "bench/runner/machine.h"
#include "bench/runner/timing.h"

namespace plumbline::bench {

namespace {

using Json = nlohmann::json;

constexpr std::string_view kServe = "--serve";
constexpr std::string_view kCallgrind = "--callgrind-out=";
constexpr int kProtocol = 1;

class Server {
 public:
  Server(const Suite& suite, std::string callgrind_out) : suite_(suite), callgrind_out_(std::move(callgrind_out)) {}

  /// The answer to a request; throws std::runtime_error and Json::exception, which say what is wrong with it.
  Json answer(const Json& request) {
    const std::string command = request.at("cmd");
    if (command == "start") return start();
    if (command == "drop") return drop();
    if (command != "time" && command != "count" && command != "memory")
      throw std::runtime_error("unknown command '" + command +
                               "'; the commands are start, time, count, memory, drop and stop");
    const Prepared& prepared = prepare(request.at("case"), request.at("sides"));
    if (command == "count") return count(prepared);
    if (command == "memory") return memory(prepared);
    return {{"ns", time_sides(suite_, prepared, request.at("repetitions"), request.at("seconds"))}};
  }

 private:
  Json start() const {
    Json cases = Json::array();
    for (const Entry& entry : suite_.entries)
      cases.push_back(
          {{"id", entry.id}, {"items", entry.items}, {"countable", entry.countable}, {"heavy", entry.heavy}});
    return {{"protocol", kProtocol},
            {"name", suite_.name},
            {"sides", suite_.sides},
            {"cases", cases},
            {"cpu", cpu_name()},
            {"cpus", cpus()},
            {"libraries", libraries()},
            {"counts_instructions", counts_instructions(callgrind_out_)},
            {"counts_memory", counts_memory()}};
  }

  const Prepared& prepare(const std::string& id, const std::vector<std::string>& sides) {
    if (prepared_ != nullptr && prepared_->entry().id == id && prepared_->sides() == sides) return *prepared_;
    const auto entry = std::ranges::find(suite_.entries, id, &Entry::id);
    if (entry == suite_.entries.end())
      throw std::runtime_error("unknown case '" + id + "'; `start` lists the cases of this runner");
    prepared_.reset();
    prepared_ = std::make_unique<Prepared>(suite_, *entry, sides);
    return *prepared_;
  }
  Json drop() {
    prepared_.reset();
    suite_.trim();
    return Json::object();
  }
  Json count(const Prepared& prepared) const {
    if (!counts_instructions(callgrind_out_)) throw std::runtime_error("this process does not run under callgrind");
    return {{"instructions", count_instructions(prepared, callgrind_out_)}};
  }
  Json memory(const Prepared& prepared) const {
    if (!counts_memory()) throw std::runtime_error("the library that counts malloc is not loaded into this process");
    Json sides = Json::object();
    for (const auto& [side, counted] : count_memory(suite_, prepared)) {
      sides[side] = {{"mallocs", counted.mallocs}, {"peak", counted.peak}};
      if (counted.kept) sides[side]["kept"] = *counted.kept;
    }
    return {{"memory", sides}};
  }

  const Suite& suite_;
  std::string callgrind_out_;
  std::unique_ptr<Prepared> prepared_;
};

int serve(const Suite& suite, const std::string& callgrind_out) {
  std::array<const char*, 2> arguments{suite.name.c_str(), "--benchmark_enable_random_interleaving=true"};
  int count = static_cast<int>(arguments.size());
  benchmark::Initialize(&count, const_cast<char**>(arguments.data()));
  Server server(suite, callgrind_out);
  for (std::string line; std::getline(std::cin, line);) {
    Json answer;
    try {
      const Json request = Json::parse(line);
      if (request.at("cmd") == "stop") return 0;
      answer = server.answer(request);
    } catch (const std::exception& error) {
      answer = {{"error", error.what()}};
    }
    std::cout << answer.dump(-1, ' ', false, Json::error_handler_t::replace) << '\n' << std::flush;
  }
  return 0;
}

}  // namespace

int runner_main(int argc, char** argv, const std::function<Suite()>& make) {
  pin_to_one_cpu();
  const Suite suite = make();
  suite.use_threads(1);
  std::string callgrind_out;
  bool serves = false;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument.starts_with(kCallgrind)) callgrind_out = argument.substr(kCallgrind.size());
    serves = serves || argument == kServe;
  }
  if (serves) return serve(suite, callgrind_out);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  register_all(suite);
  return benchmark::RunSpecifiedBenchmarks() == 0 ? 4 : 0;
}

}  // namespace plumbline::bench
