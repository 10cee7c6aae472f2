// Answering requests, one JSON line for each.
#include "sweep/serve.h"

#include <cstdio>
#include <iostream>

namespace plumbline::sweep {

using nlohmann::json;

namespace {

bool say(const json& answer) {
  const std::string line = answer.dump(-1, ' ', true, json::error_handler_t::replace) + "\n";
  return std::fwrite(line.data(), 1, line.size(), stdout) == line.size() && std::fflush(stdout) == 0;
}

}  // namespace

json answer_to(const json& request, const Offer& offer) {
  try {
    if (request.at("cmd") == "operators") {
      json all = json::array();
      for (const Operator& op : offer.operators()) all.push_back(to_json(op));
      json settings = json::array();
      for (const Setting setting : offer.settings) settings.push_back(name_of(setting));
      return {{"operators", all}, {"settings", settings}, {"version", offer.version}};
    }
    return {{"observation", to_json(offer.perform(experiment_from(request.at("experiment"))))}};
  } catch (const std::exception& error) {
    return {{"unsupported", error.what()}};
  }
}

int serve(const Offer& offer) {
  std::ios::sync_with_stdio(false);
  for (std::string text; std::getline(std::cin, text);) {
    const json request = json::parse(text, nullptr, false);
    if (request.is_discarded() || !request.contains("cmd")) {
      std::fprintf(stderr, "%s: a request is not JSON with the member 'cmd' (docs/SWEEP.md)\n", offer.name.c_str());
      return 3;
    }
    if (request["cmd"] == "stop") return 0;
    if (!say(answer_to(request, offer))) return 3;
  }
  return 0;
}

}  // namespace plumbline::sweep
