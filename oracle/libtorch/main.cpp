// plumbline-libtorch-VERSION: LibTorch as an adapter process, see docs/PROTOCOL.md.
#include <ATen/Parallel.h>
#include <c10/util/Logging.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <iostream>
#include <string>

#include "oracle/libtorch/dispatcher_dump.h"
#include "oracle/libtorch/dispatcher_run.h"
#include "oracle/libtorch/session.h"

namespace {

using namespace plumbline;

/// Whether the answer could be written; where it cannot, nobody listens any more.
bool answer(std::string line) {
  line += '\n';
  return std::fwrite(line.data(), 1, line.size(), stdout) == line.size() && std::fflush(stdout) == 0;
}

/// Answers requests until `stop` or the end of the input.
int serve() {
  std::string line;
  for (std::size_t number = 1; std::getline(std::cin, line); ++number) {
    Request request;
    try {
      request = decode_request(line);
    } catch (const ProtocolError& e) {
      fmt::print(stderr, "plumbline-libtorch: request {} is not of the protocol (docs/PROTOCOL.md): {}\n", number,
                 e.what());
      return 3;
    }
    if (std::holds_alternative<StopRequest>(request)) return 0;
    if (const auto* dispatch = std::get_if<DispatchRequest>(&request)) {
      if (!answer(encode_reply(DispatchReply{dispatch->id, libtorch::run_dispatch(dispatch->script)}))) return 3;
      continue;
    }
    const auto* run = std::get_if<RunRequest>(&request);
    if (!answer(run == nullptr ? encode(libtorch::description()) : encode_reply({run->id, libtorch::run(run->script)})))
      return 3;
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Runs programs on LibTorch " PLUMBLINE_LIBTORCH_VERSION
               " for plumbline: requests come on standard input as JSON lines, answers go to\nstandard output. "
               "docs/PROTOCOL.md describes them. Example:\n  echo '{\"cmd\":\"start\",\"protocol\":1}' | "
               "plumbline-libtorch-" PLUMBLINE_LIBTORCH_VERSION,
               "plumbline-libtorch-" PLUMBLINE_LIBTORCH_VERSION);
  app.set_version_flag("--version", std::string("plumbline-libtorch " PLUMBLINE_LIBTORCH_VERSION));
  bool dump = false;
  app.add_flag("--dispatcher", dump,
               "Print LibTorch's dispatcher as JSON lines and stop: the layout of its keys, every operator's "
               "registrations and table");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    return app.exit(e) == 0 ? 0 : 2;
  }
  std::ios::sync_with_stdio(false);
  at::set_num_threads(1);
  // An error's stack is never shown, and symbolising it takes milliseconds.
  c10::SetStackTraceFetcher([]() -> std::string { return {}; });
  if (!dump) return serve();
  bool heard = true;
  libtorch::dump_dispatcher([&](const std::string& line) { heard = heard && answer(line); });
  return heard ? 0 : 3;
}
