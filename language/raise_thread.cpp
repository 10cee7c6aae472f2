// Raising threads, and the events with which they take turns.
#include <algorithm>
#include <utility>

#include "language/observe.h"
#include "language/script_raiser.h"

namespace plumbline::program {
namespace {

Line called(std::vector<std::string> targets, const std::string& callee, Expressions arguments = {}) {
  return {Assign{std::move(targets), false, call_of(callee, std::move(arguments))}, {}, ""};
}

/// `event.set()`.
Line sets(const std::string& event) { return called({}, event + ".set"); }

/// `event.wait(…)`, which ends after some seconds: a thread that ends before it hands over must not stop the program.
Line waits_for(const std::string& event) {
  constexpr std::int64_t kSeconds = 10;
  return called({}, event + ".wait", {{kSeconds, {}}});
}

/// The lines of the starter: the events, the function, the thread's start, `meanwhile`, and the thread's end.
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

}  // namespace

void Raiser::write(const StartThread&) {
  program_.thread_errors = true;
  blocks_.push_back({.kind = Kind::thread});
}

void Raiser::write(const JoinThread&) {
  need_innermost(Kind::thread, "a thread");
  RaisedThread thread = std::move(blocks_.back().thread);
  thread.function.name = fresh("train");
  thread.function.body = finished();
  thread.name = fresh("t");
  for (Line& line : raised_thread(std::move(thread))) blocks_.back().body.push_back(std::move(line));
}

RaisedThread& Raiser::innermost_thread() {
  const auto found =
      std::find_if(blocks_.rbegin(), blocks_.rend(), [](const OpenBlock& open) { return open.kind == Kind::thread; });
  if (found == blocks_.rend()) cannot(at_, "no thread runs here");
  return found->thread;
}

void Raiser::write(const PauseThread&) {
  const std::string waits = fresh("waits"), goes_on = fresh("goes_on");
  RaisedThread& thread = innermost_thread();
  thread.events.insert(thread.events.end(), {waits, goes_on});
  thread.meanwhile.push_back(waits_for(waits));
  blocks_.back().body.push_back(sets(waits));
  blocks_.back().body.push_back(waits_for(goes_on));
  blocks_.push_back({.kind = Kind::wait, .goes_on = goes_on});
}

void Raiser::write(const ResumeThread&) {
  need_innermost(Kind::wait, "a thread's wait");
  const OpenBlock wait = std::move(blocks_.back());
  blocks_.pop_back();
  Block& meanwhile = innermost_thread().meanwhile;
  meanwhile.insert(meanwhile.end(), wait.body.begin(), wait.body.end());
  meanwhile.push_back(sets(wait.goes_on));
}

}  // namespace plumbline::program
