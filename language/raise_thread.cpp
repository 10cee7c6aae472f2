// Raising threads, and the events with which they take turns.
#include <utility>

#include "language/observe.h"
#include "language/raiser.h"

namespace plumbline::program {
namespace {

Line called(std::vector<std::string> targets, const std::string& callee, Expressions arguments = {}) {
  return {Assign{std::move(targets), false, call_of(callee, std::move(arguments))}, {}, ""};
}

}  // namespace

Line sets(const std::string& event) { return called({}, event + ".set"); }

Line waits_for(const std::string& event) {
  constexpr std::int64_t kSeconds = 10;
  return called({}, event + ".wait", {{kSeconds, {}}});
}

Block raised_thread(RaisedThread thread) {
  Block lines;
  for (const std::string& event : thread.events) lines.push_back(called({event}, "threading.Event"));
  Invocation made{std::make_shared<const Expression>(dotted("threading.Thread")), {}, {}};
  made.keywords.push_back({"target", Expression{Name{thread.function.name}, {}}});
  lines.push_back({Define{std::make_shared<const Function>(std::move(thread.function))}, {}, ""});
  lines.push_back({Assign{{thread.name}, false, Expression{std::move(made), {}}}, {}, ""});
  lines.push_back(called({}, thread.name + ".start"));
  for (Line& line : thread.meanwhile) lines.push_back(std::move(line));
  lines.push_back(called({}, thread.name + ".join"));
  return lines;
}

}  // namespace plumbline::program
