// plumbline-optimized: the optimized runtime as an adapter process, see docs/PROTOCOL.md.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <iostream>
#include <string>

#include "oracle/optimized/dispatcher_run.h"
#include "oracle/protocol/dispatch.h"
#include "oracle/protocol/protocol.h"

namespace {

using namespace plumbline;

constexpr const char* kNoTensors = "the optimized runtime has its dispatcher alone, and no tensors yet";

Description description() {
  Description d;
  d.name = "optimized";
  d.version = PLUMBLINE_VERSION;
  d.profile = "sound";
  d.fields.fill(Strictness::exact);
  d.thread.fill(Strictness::exact);
  return d;
}

/// Whether the answer could be written; where it cannot, nobody listens any more.
bool answer(std::string line) {
  line += '\n';
  return std::fwrite(line.data(), 1, line.size(), stdout) == line.size() && std::fflush(stdout) == 0;
}

std::string answer_to(const Request& request) {
  if (const auto* dispatch = std::get_if<DispatchRequest>(&request))
    return encode_reply(DispatchReply{dispatch->id, optimized::run_dispatch(dispatch->script)});
  if (const auto* run = std::get_if<RunRequest>(&request)) return encode_reply(Reply{run->id, CannotRun{kNoTensors}});
  return encode(description());
}

/// Answers requests until `stop` or the end of the input.
int serve() {
  std::string line;
  for (std::size_t number = 1; std::getline(std::cin, line); ++number) {
    Request request;
    try {
      request = decode_request(line);
    } catch (const ProtocolError& e) {
      fmt::print(stderr, "plumbline-optimized: request {} is not of the protocol (docs/PROTOCOL.md): {}\n", number,
                 e.what());
      return 3;
    }
    if (std::holds_alternative<StopRequest>(request)) return 0;
    if (!answer(answer_to(request))) return 3;
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app(
      "Runs programs on Plumbline's optimized runtime: requests come on standard input as JSON lines, answers go "
      "to\nstandard output. docs/PROTOCOL.md describes them. Example:\n  echo "
      "'{\"cmd\":\"start\",\"protocol\":2}' | plumbline-optimized",
      "plumbline-optimized");
  app.set_version_flag("--version", std::string("plumbline-optimized " PLUMBLINE_VERSION));
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    return app.exit(e) == 0 ? 0 : 2;
  }
  std::ios::sync_with_stdio(false);
  return serve();
}
