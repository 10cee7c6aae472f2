// Running the curated programs on an implementation.
#include "fuzz/curated.h"

#include "oracle/compare.h"
#include "reference/machine.h"
#include "reference/raise.h"

namespace plumbline::fuzz {

bool is_red(const program::Test& test, Adapter& adapter, const reference::Judge& expected) {
  Script script = test.script;
  script.statements.push_back({Snapshot{}, 0});
  const RunResult got = adapter.run(script);
  if (check_expectations(test, got, adapter.describe()).verdict == Verdict::divergent) return true;
  try {
    return compare(script, reference::run(expected, script), got, adapter.describe()).verdict == Verdict::divergent;
  } catch (const reference::ReferenceLimit&) {
    return false;  // only the program's expectations can show it
  }
}

}  // namespace plumbline::fuzz
