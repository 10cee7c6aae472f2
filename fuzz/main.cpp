// plumbline-fuzz: the sub-commands `fuzz`, `selftest`, `hits` and `variants` of plumbline.
#include <fmt/format.h>

#include <array>
#include <exception>

#include "fuzz/campaign.h"
#include "fuzz/commands.h"
#include "oracle/verdict.h"

int main(int argc, char** argv) {
  using namespace plumbline;
  CLI::App app("Compares implementations with the reference, on generated programs.", "plumbline");
  app.require_subcommand(1);
  const std::array<std::pair<const char*, std::function<int()>>, 4> commands{{{"fuzz", fuzz::add_fuzz(app)},
                                                                              {"selftest", fuzz::add_selftest(app)},
                                                                              {"hits", fuzz::add_hits(app)},
                                                                              {"variants", fuzz::add_variants(app)}}};
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : kExitUsage;
  }
  fuzz::stop_on_interrupt();
  try {
    for (const auto& [name, run] : commands)
      if (app.got_subcommand(name)) return run();
  } catch (const fuzz::UsageError& error) {
    fmt::print(stderr, "plumbline: {}\n", error.what());
    return kExitUsage;
  } catch (const std::exception& error) {
    fmt::print(stderr, "plumbline: {}\n", error.what());
    return kExitHarness;
  }
  return kExitUsage;
}
