// Reading requests line by line, and answering each.
#include "adapters/protocol/serve.h"

#include <fmt/format.h>

#include <cstdio>
#include <iostream>
#include <utility>

namespace plumbline {

namespace {

std::string answer_to(const Request& request, const Served& served) {
  if (const auto* run = std::get_if<RunRequest>(&request)) {
    Reply reply{run->id, CannotRun{}};
    std::visit([&](auto&& result) { reply.result = std::forward<decltype(result)>(result); }, served.run(run->script));
    return encode_reply(reply);
  }
  return encode(served.describe());
}

}  // namespace

bool answer(std::string line) {
  line += '\n';
  return std::fwrite(line.data(), 1, line.size(), stdout) == line.size() && std::fflush(stdout) == 0;
}

int serve(std::string_view program, const Served& served) {
  std::string line;
  for (std::size_t number = 1; std::getline(std::cin, line); ++number) {
    Request request;
    try {
      request = decode_request(line);
    } catch (const ProtocolError& e) {
      fmt::print(stderr, "{}: request {} does not follow the protocol (docs/PROTOCOL.md): {}\n", program, number,
                 e.what());
      return 3;
    }
    if (std::holds_alternative<StopRequest>(request)) return 0;
    if (!answer(answer_to(request, served))) return 3;
  }
  return 0;
}

}  // namespace plumbline
