// plumbline-optimized: the optimized runtime as an adapter process, see docs/PROTOCOL.md.
#include <CLI/CLI.hpp>
#include <iostream>
#include <string>

#include "oracle/optimized/dispatcher_run.h"
#include "oracle/protocol/serve.h"

namespace {

using namespace plumbline;

Description description() {
  Description d;
  d.name = "optimized";
  d.version = PLUMBLINE_VERSION;
  d.profile = "sound";
  d.fields.fill(Strictness::exact);
  d.thread.fill(Strictness::exact);
  return d;
}

std::variant<Trace, CannotRun> run(const Script&) {
  return CannotRun{"the optimized runtime has its dispatcher alone, and no tensors yet"};
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
  return serve("plumbline-optimized", {description, run, optimized::run_dispatch});
}
