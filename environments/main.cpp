// plumbline-env: the command `plumbline env`.
#include <fmt/format.h>

#include <exception>

#include "environments/command.h"
#include "support/command_line.h"
#include "support/exit_codes.h"
#include "support/interrupt.h"

namespace {

constexpr const char* kHelp =
    "An environment is a folder with a Python of its own and the packages that an implementation needs, such as "
    "torch_xla.\nadapters/implementations.json says which packages; plumbline list implementations says which "
    "implementations\nneed one. `add` installs with pip, then starts each implementation once. An environment that is "
    "here already is\nreplaced when the new one is complete. `list` shows what is here, its size and its versions.\n"
    "The folders are in .envs in the checkout, or in PLUMBLINE_ENVS if that variable is set.\n\n"
    "examples:\n"
    "  plumbline env list\n"
    "  plumbline env add torch_xla\n"
    "  plumbline env add torchax numpy --python python3.12\n"
    "  plumbline env remove torch_xla\n"
    "  plumbline run fuzz/corpus --on torch_xla\n\n"
    "exit codes: 0 done, 1 an implementation does not start in its new environment, 2 usage, 3 an environment was not "
    "made,\n4 nothing was there to be removed, 130 interrupted: everything is as it was before";

/// What is wrong with the arguments together; empty if nothing is.
std::string problem_of(const plumbline::environments::Options& options, bool is_python_given) {
  if (options.action != "list" && options.names.empty()) return "name an environment; `plumbline env list` lists them";
  if (options.action != "list" && !options.json.empty()) return "--json belongs to `plumbline env list`";
  if (options.action != "add" && is_python_given) return "--python belongs to `plumbline env add`";
  return "";
}

}  // namespace

int main(int argc, char** argv) {
  using namespace plumbline;
  environments::Options options;
  CommandLine line("plumbline env", "make, list or remove the environments in which some implementations run");
  line.footer(kHelp);
  line.argument("ACTION", options.action, "what to do").required().choices({"add", "list", "remove"});
  line.argument("NAME", options.names, "environments; without one, `list` shows all").completes("NAME");
  const Option& python = line.option("--python PYTHON", options.python, "the Python to make environments with");
  line.json(options.json);
  line.check([&] { return problem_of(options, python.given()); });
  line.runs([&options] {
    const Places places = places_here();
    return environments::env_command(options, implementations_of(places), places);
  });
  if (const auto code = line.parse(argc, argv)) return *code;
  cli::catch_interrupt();
  try {
    return line.run();
  } catch (const std::exception& error) {
    fmt::print(stderr, "plumbline env: {}\n", error.what());
    return kExitHarness;
  }
}
