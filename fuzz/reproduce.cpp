// Writing a reproducer, and running what was written.
#include "fuzz/reproduce.h"

#include <fmt/format.h>

#include <cctype>
#include <stdexcept>

#include "fuzz/campaign.h"
#include "fuzz/report.h"
#include "fuzz/reproducer_test.h"
#include "language/parse.h"
#include "language/print.h"
#include "language/trailer.h"
#include "reference/machine.h"

namespace plumbline::fuzz {

void verify(Reproducer& reproducer, const std::string& file, const reference::Judge& expected, Adapter& adapter) {
  const program::Test test = program::lower(program::parse(reproducer.text, file)).at(0);
  reproducer.statements = test.script.statements.size();
  const Comparison right = check_expectations(test, reference::run(expected, test.script), adapter.describe());
  const Comparison wrong = check_expectations(test, adapter.run(test.script), adapter.describe());
  reproducer.verified = wrong.verdict == Verdict::divergent && right.verdict != Verdict::divergent &&
                        right.verdict != Verdict::harness_error;
  reproducer.message = wrong.message;
  if (!wrong.differences.empty()) reproducer.line = wrong.differences.front().line;
  if (reproducer.verified) return;
  reproducer.note = wrong.verdict != Verdict::divergent
                        ? "when read back, it does not fail on " + adapter.describe().name
                        : "when read back, it also fails on the reference: " + right.message;
}

Reproducer reproduce(const Script& script, const reference::Judge& expected, Adapter& adapter, const Label& label) {
  const Held held = hold(adapter, expected, script);
  Reproducer reproducer;
  if (held.comparison.differences.empty()) {
    reproducer.note = "it did not fail when run again";
    return reproducer;
  }
  for (const Keep keep : {Keep::nothing, Keep::history}) {
    program::Test test = reproducer_test(script, held, keep);
    test.name = label.name;
    test.rules = label.rules;
    try {
      program::Program program = program::raise(test);
      program.header = label.header;
      reproducer.text = program::print(program);
      reproducer.note.clear();
      verify(reproducer, label.name + ".py", expected, adapter);
    } catch (const std::exception& error) {  // it has no form in Python; the next way of writing it may have one
      if (reproducer.note.empty()) reproducer.note = error.what();
    }
    if (reproducer.verified) break;
  }
  if (!reproducer.verified && held.comparison.differences.front().signature.ends_with("/kernels"))
    reproducer.note = "only the kernels that ran differ, and no program can assert those";
  return reproducer;
}

std::vector<std::string> how_to_run(const std::string& file, const std::string& who) {
  constexpr std::string_view kLibtorch = "libtorch";
  std::vector<std::string> lines{
      fmt::format("Run it in any folder, with torch and pytest installed: `python {0}` or `pytest {0}`.", file)};
  if (who.starts_with(kLibtorch))
    lines.push_back(fmt::format("PyTorch {} fails it.", who.substr(kLibtorch.size() + 1)));
  else if (!who.empty())
    lines.push_back(fmt::format("{} fails it; PyTorch may pass it.", who));
  return lines;
}

void write_reproducer(const std::string& path, const std::string& program) {
  write_file(path, program::with_trailer(program));
}

std::string stem_of(const std::string& signature) {
  std::string stem;
  for (const char c : signature) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0)
      stem += static_cast<char>(std::tolower(byte));
    else if (!stem.empty() && stem.back() != '_')
      stem += '_';
  }
  while (!stem.empty() && stem.back() == '_') stem.pop_back();
  return stem.substr(0, 80);
}

}  // namespace plumbline::fuzz
