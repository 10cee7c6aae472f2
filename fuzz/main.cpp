// plumbline-fuzz: the sub-commands `fuzz`, `shrink`, `selftest`, `hits` and `variants` of plumbline.
#include <fmt/format.h>

#include <exception>

#include "fuzz/campaign.h"
#include "fuzz/commands.h"
#include "oracle/verdict.h"

int main(int argc, char** argv) {
  using namespace plumbline;
  CommandLine line("plumbline", "Compares implementations with the reference, on generated programs.");
  fuzz::add_fuzz(line);
  fuzz::add_shrink(line);
  fuzz::add_selftest(line);
  fuzz::add_hits(line);
  fuzz::add_variants(line);
  if (const auto code = line.parse(argc, argv)) return *code;
  fuzz::stop_on_interrupt();
  try {
    return line.run();
  } catch (const fuzz::UsageError& error) {
    fmt::print(stderr, "plumbline: {}\n", error.what());
    return kExitUsage;
  } catch (const std::exception& error) {
    fmt::print(stderr, "plumbline: {}\n", error.what());
    return kExitHarness;
  }
}
