// plumbline-sweep-libtorch-VERSION: calls operators of LibTorch for `plumbline sweep`, one JSON line for each request.
#include <ATen/Parallel.h>
#include <c10/util/Logging.h>

#include <string>
#include <vector>

#include "support/command_line.h"
#include "sweep/libtorch/operators.h"
#include "sweep/libtorch/perform.h"
#include "sweep/serve.h"

using namespace plumbline;

int main(int argc, char** argv) {
  CommandLine line("plumbline-sweep-libtorch-" PLUMBLINE_LIBTORCH_VERSION,
                   "Calls operators of LibTorch " PLUMBLINE_LIBTORCH_VERSION
                   " for `plumbline sweep`. It reads requests as JSON lines from standard input, and writes answers to "
                   "standard output. docs/SWEEP.md describes them.");
  line.footer("example:\n  echo '{\"cmd\":\"operators\"}' | plumbline-sweep-libtorch-" PLUMBLINE_LIBTORCH_VERSION);
  if (const auto code = line.parse(argc, argv)) return *code;
  at::set_num_threads(1);
  // No one sees an error's stack trace, and symbolising it takes milliseconds.
  c10::SetStackTraceFetcher([]() -> std::string { return {}; });
  std::vector<sweep::Setting> settings(std::begin(sweep::kSettings), std::end(sweep::kSettings));
  std::erase(settings, sweep::Setting::fake);  // Python has that one
  return sweep::serve({"plumbline-sweep-libtorch", PLUMBLINE_LIBTORCH_VERSION, settings, sweep::libtorch::operators,
                       sweep::libtorch::perform});
}
