// plumbline-sweep-optimized: calls operators of the optimized runtime for `plumbline sweep`.
#include "support/command_line.h"
#include "sweep/optimized/operators.h"
#include "sweep/optimized/perform.h"
#include "sweep/serve.h"

using namespace plumbline;

int main(int argc, char** argv) {
  CommandLine line("plumbline-sweep-optimized",
                   "Calls operators of Plumbline's optimized runtime for `plumbline sweep`. It reads requests as JSON "
                   "lines from standard input, and writes answers to standard output. docs/SWEEP.md describes them.");
  line.footer("example:\n  echo '{\"cmd\":\"operators\"}' | plumbline-sweep-optimized");
  if (const auto code = line.parse(argc, argv)) return *code;
  return sweep::serve({.name = "plumbline-sweep-optimized",
                       .version = PLUMBLINE_VERSION,
                       .settings = {sweep::optimized::kSettingsHere.begin(), sweep::optimized::kSettingsHere.end()},
                       .operators = sweep::optimized::operators,
                       .perform = sweep::optimized::perform});
}
