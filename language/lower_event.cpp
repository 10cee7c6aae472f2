// Lowering events: `e = threading.Event()`, with which a thread and the one that started it take turns.
#include <fmt/format.h>

#include <iterator>
#include <utility>

#include "language/lowerer.h"
#include "language/print.h"

namespace plumbline::program {
namespace {

constexpr std::string_view kTurns =
    "In the thread, `a.set()` and `b.wait()` are two lines, one below the other; the thread that started it writes "
    "`a.wait()`, its own statements, then `b.set()`";

}  // namespace

void Lowerer::make_event(const Invocation& call, Place place, const Targets& targets) {
  if (!call.positional.empty() || !call.keywords.empty())
    fail(place, "threading.Event takes no arguments", "Write `e = threading.Event()`");
  if (targets.names.size() != 1 || targets.unpack)
    fail(place, "the event is not assigned to a name", "Write `e = threading.Event()`");
  targets.frame->names.insert_or_assign(targets.names[0], std::make_shared<Event>());
}

std::shared_ptr<Event> Lowerer::awaited(const Line* line) {
  const auto* assign = line == nullptr ? nullptr : std::get_if<Assign>(&line->node);
  const auto* call =
      assign == nullptr || !assign->targets.empty() ? nullptr : std::get_if<Invocation>(&assign->value.node);
  const auto* callee = call == nullptr ? nullptr : std::get_if<Attribute>(&call->callee->node);
  const auto* name = callee == nullptr || callee->name != "wait" ? nullptr : std::get_if<Name>(&callee->value->node);
  const Binding* binding = name == nullptr ? nullptr : find(name->id);
  const auto* event = binding == nullptr ? nullptr : std::get_if<std::shared_ptr<Event>>(binding);
  if (event == nullptr) return nullptr;
  const Expression* timeout = only_argument(*call, "timeout");
  if (timeout == nullptr && !(call->positional.empty() && call->keywords.empty()))
    fail(assign->value.place, fmt::format("{}.wait does not take these arguments", name->id),
         fmt::format("Write {0}.wait(), or {0}.wait(10) to give up after ten seconds", name->id));
  return *event;
}

void Lowerer::event_call(const std::shared_ptr<Event>& event, const Expression& callee, const Invocation& call,
                         const Targets& targets) {
  const auto& method = std::get<Attribute>(callee.node);
  const std::string name = print(*method.value);
  const bool sets = method.name == "set" && call.positional.empty() && call.keywords.empty() && targets.names.empty();
  if (method.name == "wait")
    fail(callee.place, fmt::format("{}.wait() is not where a thread hands over", name), std::string(kTurns));
  if (!sets)
    fail(callee.place, fmt::format("an event has only {0}.set() and {0}.wait() in programs", name),
         fmt::format("Write {0}.set() and {0}.wait()", name));
  if (turns_.empty()) fail(callee.place, fmt::format("no thread waits for {}", name), std::string(kTurns));
  Turn& turn = turns_.back();
  if (turn.waits_for == nullptr) return pause(event, name, callee.place);
  if (turn.waits_for != event)
    fail(callee.place, fmt::format("the thread that waits does not wait for {}", name), std::string(kTurns));
  if (lines_ != turn.starter)
    fail(callee.place, fmt::format("{}.set() is not among the lines of the block that started the thread", name),
         "Leave the guards that were entered meanwhile, and the function, before the thread goes on");
  turn.goes_on = callee.place.line;
}

void Lowerer::pause(const std::shared_ptr<Event>& event, const std::string& name, Place place) {
  if (!contexts_.empty() || transforming_ || in_kernel_ || hook_ || expecting_ != turns_.back().expecting)
    fail(place, "a thread waits in pytest.raises, in a method of a class, or in another body",
         "Let a thread wait among its function's own statements, with only guards around them");
  const std::shared_ptr<Event> goes_on = awaited(next_line(*lines_));
  if (goes_on == nullptr)
    fail(place, fmt::format("the thread sets {} and does not wait on the next line", name), std::string(kTurns));
  if (std::exchange(event->used, true) || std::exchange(goes_on->used, true))
    fail(place, "an event is used a second time", "Make another threading.Event: each one is set and awaited once");
  emit(PauseThread{}, place.line);
  turns_.back().waits_for = goes_on;
  starters_lines(event, name, place);
  turns_.back().waits_for.reset();
  emit(ResumeThread{}, turns_.back().goes_on.value_or(0));
}

void Lowerer::starters_lines(const std::shared_ptr<Event>& paused, const std::string& name, Place place) {
  Turn& turn = turns_.back();
  std::list<Frame>& frames = scope_.frames();
  std::list<Frame> own_frames;
  own_frames.splice(own_frames.end(), frames, std::next(frames.begin(), static_cast<std::ptrdiff_t>(turn.frames)),
                    frames.end());
  const auto first_own = returns_.begin() + static_cast<std::ptrdiff_t>(turn.returns);
  std::vector<Returning> own_returns(std::make_move_iterator(first_own), std::make_move_iterator(returns_.end()));
  returns_.erase(first_own, returns_.end());
  Lines* const own_lines = std::exchange(lines_, turn.starter);
  if (awaited(next_line(*lines_)) != paused)
    fail(place,
         fmt::format("the thread hands over with {0}.set(), and the one that started it does not wait for {0} "
                     "next",
                     name),
         std::string(kTurns));
  turn.goes_on.reset();
  while (!turn.goes_on) {
    const Line* next = next_line(*lines_);
    if (next == nullptr || std::holds_alternative<Return>(next->node))
      fail(place, "the thread waits, and nothing lets it go on", std::string(kTurns));
    line(*next, false);
  }
  lines_ = own_lines;
  frames.splice(frames.end(), own_frames);
  std::ranges::move(own_returns, std::back_inserter(returns_));
}

}  // namespace plumbline::program
