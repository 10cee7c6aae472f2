// plumbline-record: the command `plumbline record`.
#include <fmt/format.h>

#include <exception>
#include <filesystem>

#include "record/command.h"
#include "support/command_line.h"
#include "support/exit_codes.h"
#include "support/interrupt.h"

namespace {

constexpr const char* kHelp =
    "Runs SCRIPT as Python would (a file that only defines tests: as pytest would), and follows each call of an op, "
    "each mode, gradient,\ncustom Function, functionalized body and thread. Loops, modules, optimizers and libraries "
    "leave only what they do with\ntensors. What SCRIPT asserts or prints of a tensor becomes an assert. What no "
    "program "
    "can say is a comment with the line of\nSCRIPT: an op that the table lacks becomes the values of its result, and a "
    "custom op what its kernels in Python do.\nSCRIPT gets no input.\n\n"
    "examples:\n"
    "  plumbline record script.py\n"
    "  plumbline record train.py --out test_train.py -- --epochs 2\n"
    "  plumbline record script.py --python ~/venv/bin/python --seconds 10\n"
    "  plumbline record --module model.pt --out test_model.py -- 2,3\n\n"
    "exit codes: 0 the program says everything that SCRIPT did, 2 usage, 3 the recorder failed, 4 SCRIPT did nothing "
    "with "
    "tensors,\n5 a comment says what is left out or said otherwise, or SCRIPT did not end by itself,\n130 interrupted: "
    "the program has what SCRIPT did until then";

}  // namespace

int main(int argc, char** argv) {
  using namespace plumbline;
  record::Options options;
  options.python = PLUMBLINE_PYTHON;
  CommandLine line("plumbline record", "run a Python script, and write the program that it performed with PyTorch");
  line.footer(kHelp);
  line.argument("SCRIPT", options.script, "a Python file, or a saved module").required();
  line.argument("ARGUMENT", options.arguments,
                "the script's own arguments, after --; of a module, the sizes of each input: 2,3");
  line.flag("--module", options.module,
            "SCRIPT is a TorchScript or torch.export archive or a pickled module: load it outside inference mode and "
            "inside, and run it in each mode");
  line.option("--out FILE", options.out, "write the program to this file instead of stdout");
  line.option("--python PYTHON", options.python,
              "the Python that runs the script; it must import PyTorch (tried with 2.9 and 2.13)")
      .shows_default("that of the build");
  line.option("--only TEST", options.only, "of a file with tests, record only this one (can be given again)");
  line.option("--statements N", options.statements, "stop the script when it has done this much").range(1, 100000);
  line.option("--seconds S", options.seconds, "stop the script after this time").positive();
  line.quiet(options.quiet);
  line.check([&options]() -> std::string {
    if (std::filesystem::is_regular_file(options.script)) return "";
    return fmt::format("there is no file '{}'. Give the path of a Python script", options.script);
  });
  line.runs([&options] { return record::record_command(options); });
  if (const auto code = line.parse(argc, argv)) return *code;
  cli::catch_interrupt();
  try {
    return line.run();
  } catch (const std::exception& error) {
    fmt::print(stderr, "plumbline record: {}\n", error.what());
    return kExitHarness;
  }
}
