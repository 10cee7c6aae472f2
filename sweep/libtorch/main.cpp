// plumbline-sweep-libtorch-VERSION: calls operators of LibTorch for `plumbline sweep`, one JSON line for each request.
#include <ATen/Parallel.h>
#include <c10/util/Logging.h>

#include <cstdio>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>

#include "support/command_line.h"
#include "sweep/libtorch/arguments.h"
#include "sweep/libtorch/operators.h"
#include "sweep/libtorch/perform.h"

using namespace plumbline;
using nlohmann::json;

namespace {

bool say(const json& answer) {
  const std::string line = answer.dump(-1, ' ', true, json::error_handler_t::replace) + "\n";
  return std::fwrite(line.data(), 1, line.size(), stdout) == line.size() && std::fflush(stdout) == 0;
}

json answer_to(const json& request) {
  try {
    if (request.at("cmd") == "operators") {
      json all = json::array();
      for (const sweep::Operator& op : sweep::libtorch::operators()) all.push_back(to_json(op));
      json settings = json::array();
      for (const sweep::Setting setting : sweep::kSettings)
        if (setting != sweep::Setting::fake) settings.push_back(name_of(setting));  // Python has that one
      return {{"operators", all}, {"version", PLUMBLINE_LIBTORCH_VERSION}, {"settings", settings}};
    }
    return {{"observation", to_json(sweep::libtorch::perform(sweep::experiment_from(request.at("experiment"))))}};
  } catch (const std::exception& error) {
    return {{"unsupported", error.what()}};
  }
}

}  // namespace

int main(int argc, char** argv) {
  CommandLine line("plumbline-sweep-libtorch-" PLUMBLINE_LIBTORCH_VERSION,
                   "Calls operators of LibTorch " PLUMBLINE_LIBTORCH_VERSION
                   " for `plumbline sweep`. It reads requests as JSON lines from standard input, and writes answers to "
                   "standard output. docs/SWEEP.md describes them.");
  line.footer("example:\n  echo '{\"cmd\":\"operators\"}' | plumbline-sweep-libtorch-" PLUMBLINE_LIBTORCH_VERSION);
  if (const auto code = line.parse(argc, argv)) return *code;
  std::ios::sync_with_stdio(false);
  at::set_num_threads(1);
  // No one sees an error's stack trace, and symbolising it takes milliseconds.
  c10::SetStackTraceFetcher([]() -> std::string { return {}; });
  for (std::string text; std::getline(std::cin, text);) {
    const json request = json::parse(text, nullptr, false);
    if (request.is_discarded() || !request.contains("cmd")) {
      std::fprintf(stderr, "plumbline-sweep-libtorch: a request is not JSON with the member 'cmd' (docs/SWEEP.md)\n");
      return 3;
    }
    if (request["cmd"] == "stop") return 0;
    if (!say(answer_to(request))) return 3;
  }
  return 0;
}
