// Lowering threads: `threading.Thread`, `start` and `join`, with the target's body inlined between them.
#include <fmt/format.h>

#include <algorithm>

#include "language/lowerer.h"
#include "language/print.h"
#include "language/refusal.h"

namespace plumbline::program {
namespace {

/// The names that a function assigns: they are local in the whole function.
void collect_assigned(const Block& block, std::set<std::string>& names) {
  for (const Line& line : block) {
    if (const auto* assign = std::get_if<Assign>(&line.node))
      names.insert(assign->targets.begin(), assign->targets.end());
    if (const auto* with = std::get_if<With>(&line.node)) collect_assigned(with->body, names);
    if (const auto* define = std::get_if<Define>(&line.node)) names.insert(define->function->name);
  }
}

/// `object.method()` as a statement of its own.
const Name* object_of_call(const Line& line, std::string_view method) {
  const auto* assign = std::get_if<Assign>(&line.node);
  const auto* call =
      assign == nullptr || !assign->targets.empty() ? nullptr : std::get_if<Invocation>(&assign->value.node);
  const auto* callee = call == nullptr ? nullptr : std::get_if<Attribute>(&call->callee->node);
  return callee == nullptr || callee->name != method ? nullptr : std::get_if<Name>(&callee->value->node);
}

}  // namespace

void Lowerer::define(const Define& define, Place place) {
  const Function& function = *define.function;
  need_free_name(function.name, place);
  need_library_kept(function.name, false, place);
  need_log_kept(function.name, place);
  if (!contexts_.empty()) fail(place, "found a function inside a method of a class", "Put `def` in the first column");
  const NestedFunction nested{&function, &scope_.frame()};
  scope_.frame().names.insert_or_assign(function.name, nested);
  decorate(nested);
}

Frame Lowerer::frame_of(const NestedFunction& nested) const {
  Frame frame{nested.function->name, "", {}};
  frame.enclosing = nested.home;
  collect_assigned(nested.function->body, frame.own);
  frame.own.insert(nested.function->parameters.begin(), nested.function->parameters.end());
  return frame;
}

/// `t = threading.Thread(target=train, args=(x,))`.
void Lowerer::make_thread(const Invocation& call, Place place, const Targets& targets) {
  const Expression* target = nullptr;
  Expressions arguments;
  for (const auto& [name, value] : call.keywords) {
    const auto* tuple = std::get_if<Tuple>(&value.node);
    if (name == "target") {
      target = &value;
    } else if (name == "args" && tuple != nullptr) {
      arguments = tuple->items;
    } else {
      fail(start_of(value), fmt::format("threading.Thread is given {}={}", name, print(value)),
           "It takes target=, a function, and args=, a tuple as in `args=(x,)`");
    }
  }
  if (!call.positional.empty() || target == nullptr)
    fail(place, "threading.Thread does not take these arguments", "Write threading.Thread(target=train)");
  if (targets.unpack || targets.names.size() != 1)
    fail(place, "the thread is not assigned to a name", "Write `t = threading.Thread(target=train)`");
  if (!contexts_.empty())
    fail(place, "a thread is made in a method of a class", "Start threads in tests and in functions");
  auto thread = std::make_shared<Thread>();
  thread->place = place;
  thread->function = named_function(*target);
  if (thread->function.function == nullptr)
    fail(start_of(*target), fmt::format("'{}' is not a function of this file", print(*target)),
         "Define it with `def`, and write only its name");
  const Invocation bound{nullptr, std::move(arguments), {}};
  // These names keep the thread's arguments from being overwritten before it starts.
  for (auto& [name, value] : bind_parameters(*thread->function.function, bound, place))
    scope_.frame().names.insert_or_assign(fmt::format(".{}.{}", threads_.size(), name), value),
        thread->arguments.emplace(name, value);
  threads_.push_back(thread);
  targets.frame->names.insert_or_assign(targets.names[0], thread);
}

/// `t.start()` and `t.join()`.
void Lowerer::thread_call(const std::shared_ptr<Thread>& thread, const Expression& callee, const Invocation& call,
                          const Targets& targets) {
  const auto& method = std::get<Attribute>(callee.node);
  const std::string name = print(*method.value);
  if (method.name != "start" && method.name != "join")
    fail(callee.place, fmt::format("a thread has no '{}' in programs", method.name),
         fmt::format("Write {0}.start() and {0}.join()", name));
  if (!call.positional.empty() || !call.keywords.empty() || !targets.names.empty())
    fail(callee.place, fmt::format("{}.{} takes no arguments and returns nothing", name, method.name),
         fmt::format("Write {}.{}()", name, method.name));
  if (method.name == "join") {
    if (std::ranges::find(turns_, thread, &Turn::thread) != turns_.end())
      fail(callee.place, fmt::format("the thread {} is joined while it waits", name),
           "Set the event for which it waits on the line above");
    if (running_ != thread)
      fail(callee.place, fmt::format("the thread {} is joined but was not started on the line above", name),
           fmt::format("Write {0}.start() and {0}.join() on two lines", name));
    running_.reset();
    emit(JoinThread{}, targets.line);
    return;
  }
  if (thread->started)
    fail(callee.place, fmt::format("the thread {} is started twice", name), "Make another threading.Thread");
  thread->started = true;
  thread->place_started = callee.place;
  emit(StartThread{}, targets.line);
  Frame frame = thread->function.home != nullptr
                    ? frame_of(thread->function)
                    : Frame{thread->function.function->name, thread->function.function->name + "_", {}};
  frame.names = thread->arguments;
  turns_.push_back({lines_, scope_.frames().size(), returns_.size(), expecting_, nullptr, {}, thread});
  write_in(*thread->function.function, std::move(frame), callee.place, {});
  turns_.pop_back();
  running_ = thread;
}

/// When a thread has ended, `join` is next: the order of the two threads' statements would be undefined otherwise.
void Lowerer::check_join(const Line* line) {
  if (running_ == nullptr) return;
  const Name* joined = line == nullptr ? nullptr : object_of_call(*line, "join");
  const Binding* binding = joined == nullptr ? nullptr : find(joined->id);
  const auto* thread = binding == nullptr ? nullptr : std::get_if<std::shared_ptr<Thread>>(binding);
  if (thread != nullptr && *thread == running_) return;
  fail(running_->place_started, "a thread is started but not joined on the next line",
       "Write `t.join()` on the line below `t.start()`, or below the last `e.set()` that lets it go on: otherwise the "
       "order of the two threads' statements is not determined");
}

void Lowerer::check_started() const {
  for (const auto& thread : threads_)
    if (!thread->started)
      fail(thread->place, "a thread is never started",
           "Write `t.start()` and `t.join()` below it, or remove the thread");
}

/// `pytest.raises` around a thread does not see the thread's errors.
void Lowerer::check_not_raised_by_thread(const Line& line) {
  for (const std::string_view method : {"start", "join"}) {
    const Name* object = object_of_call(line, method);
    const Binding* binding = object == nullptr ? nullptr : find(object->id);
    if (binding != nullptr && std::holds_alternative<std::shared_ptr<Thread>>(*binding))
      fail(
          line.place, fmt::format("pytest.raises ends with {}.{}()", object->id, method),
          "An error in a thread does not reach the thread that joins it: write pytest.raises in the thread's function");
  }
}

}  // namespace plumbline::program
