// plumbline-dispatcher: the commands `dispatch-tables` and `why`.
#include <fmt/format.h>

#include <cstdio>
#include <exception>

#include "adapters/adapter.h"
#include "cli/dispatch_commands.h"
#include "oracle/dispatcher/dump.h"
#include "oracle/verdict.h"
#include "support/command_line.h"
#include "support/interrupt.h"
#include "support/siblings.h"

namespace {

using namespace plumbline::cli;
using plumbline::Command;
using plumbline::CommandLine;

constexpr const char* kProfileOfVersion = "the profile of the LibTorch version";
constexpr const char* kEachBuilt = "every LibTorch that is built";

constexpr const char* kTablesFooter =
    "The rules DSP-01 to DSP-14 compute each table from the kernels that LibTorch says are registered. The result is "
    "compared with\nLibTorch's own table, entry by entry. The layout of key sets, the keys that each alias key "
    "serves and the default sets are compared too.\n\nexamples:\n  plumbline dispatch-tables\n  plumbline "
    "dispatch-tables --on libtorch-2.13.0 --profile sound --all\n  plumbline dispatch-tables --on libtorch-2.13.0 "
    "--flip DSP-08\n\nexit codes: 0 all agree, 1 something differs, 2 usage, 3 LibTorch could not be asked\n";

constexpr const char* kWhyFooter =
    "--registrations FILE holds registrations of your own, one line for each kernel: `KEY: NAME` or `KEY: "
    "fallthrough`, the newest last. KEY is a runtime key or an alias key.\n\nexamples:\n  plumbline why "
    "aten::add.Tensor --keys CPU,AutogradCPU,ADInplaceOrView\n  plumbline why aten::add.Tensor --keys XLA\n  "
    "plumbline why --registrations mine.txt --keys PrivateUse1,AutogradPrivateUse1\n\nexit codes: 0 a kernel runs, 1 "
    "none does, 2 usage, 3 LibTorch could not be asked\n";

void add_tables(CommandLine& line, DispatchTablesOptions& tables) {
  Command& command = line.command(
      "dispatch-tables", "compute every entry of every operator's dispatch table, and compare it with LibTorch's");
  command.footer(kTablesFooter);
  command.option("--on IMPLEMENTATION", tables.on, "LibTorch versions, separated by commas").shows_default(kEachBuilt);
  command.option("--profile PROFILE", tables.profile, "the profile of the rules").shows_default(kProfileOfVersion);
  command.option("--flip RULE", tables.flip, "a rule to misread, for example DSP-08");
  command.json(tables.json);
  command.flag("--all", tables.all, "print every difference, not only the first ten");
  command.runs([&] {
    if (tables.on.empty())
      for (const std::string& version : plumbline::libtorch_versions(plumbline::executable_folder()))
        tables.on.push_back("libtorch-" + version);
    tables.on = plumbline::adapter_names(tables.on);
    return dispatch_tables_command(tables);
  });
}

void add_why(CommandLine& line, WhyOptions& why) {
  Command& command = line.command("why", "show which kernel a call of an operator runs, and why");
  command.footer(kWhyFooter);
  command.argument("OP", why.op, "an operator of LibTorch, for example aten::add.Tensor");
  command.option("--keys KEYS", why.keys, "the runtime keys of the tensor arguments, separated by commas").required();
  command.option("--include KEYS", why.include, "the thread's included key set").shows_default("that of a new thread");
  command.option("--exclude KEYS", why.exclude, "the thread's excluded key set").shows_default("that of a new thread");
  command.option("--on IMPLEMENTATION", why.on, "libtorch-VERSION").shows_default("the newest that is built");
  command.option("--registrations FILE", why.registrations, "a file with registrations, instead of OP");
  command.option("--profile PROFILE", why.profile, "the profile of the rules").shows_default(kProfileOfVersion);
  command.json(why.json);
  command.check([&why]() -> std::string {
    return why.registrations.empty() == why.op.empty()
               ? "give an operator of LibTorch, for example aten::add.Tensor, or --registrations FILE"
               : "";
  });
  command.runs([&] { return why_command(why); });
}

}  // namespace

int main(int argc, char** argv) {
  CommandLine line("plumbline",
                   "Computes the dispatch tables of LibTorch's operators, and shows which kernel a call runs.");
  line.version(std::string("plumbline ") + PLUMBLINE_VERSION);
  DispatchTablesOptions tables;
  WhyOptions why;
  add_tables(line, tables);
  add_why(line, why);
  catch_interrupt();
  try {
    if (const auto code = line.parse(argc, argv)) return *code;
    return line.run();
  } catch (const plumbline::dispatcher::DumpError& error) {
    fmt::print(stderr, "plumbline: {}\n", error.what());
    return plumbline::kExitHarness;
  } catch (const std::exception& error) {
    fmt::print(stderr, "plumbline: {}\n", error.what());
    return plumbline::kExitUsage;
  }
}
