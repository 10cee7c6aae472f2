// `plumbline functionalize`: writes out a file's functionalized bodies.
#include "functionalization/write_out/command.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "adapters/reference/reference.h"
#include "functionalization/write_out/transform.h"
#include "language/join.h"
#include "language/parse.h"
#include "language/print.h"
#include "oracle/verdict.h"
#include "support/files.h"

namespace plumbline::functionalize {

int functionalize_command(const Options& options) {
  const program::Program source = program::parse_file(options.file);
  const std::vector<program::Test> tests = program::lower(source);
  reference::Judge judge;
  judge.profile = profile_or_throw(options.profile);
  if (!options.flip.empty()) judge.flipped = rule_or_throw(options.flip);
  program::Program made;
  made.file = source.file;
  made.header = source.header;
  int bodies = 0, missing = 0;
  for (const program::Test& test : tests) {
    Transformed one = transformed(judge, test, options.passes);
    bodies += one.bodies;
    missing += static_cast<int>(one.missing.size());
    for (const std::string& why : one.missing) fmt::print(stderr, "{}: {}, {}\n", options.file, test.name, why);
    program::Program raised = program::raise(one.test);
    for (auto& function : raised.functions) {
      const auto written = std::ranges::find(source.functions, function.name, &program::Function::name);
      if (written != source.functions.end()) function.comments_above = written->comments_above;
    }
    program::join(made, std::move(raised));
  }
  const std::string text = program::print(made) + "\n";
  if (options.out.empty())
    fmt::print("{}", text);
  else
    write_file(options.out, text);
  fmt::print(stderr, "{} of {} bodies were written out\n", bodies, bodies + missing);
  if (bodies + missing == 0) {
    fmt::print(stderr, "{}: no test calls torch.func.functionalize(body)(…). Write that around the code to transform\n",
               options.file);
    return kExitNothing;
  }
  return missing == 0 ? 0 : kExitUnknown;
}

}  // namespace plumbline::functionalize
