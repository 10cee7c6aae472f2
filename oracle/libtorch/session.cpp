// A script's way through LibTorch: its variables, its guards, and where an error leads.
#include "oracle/libtorch/session.h"

#include <c10/core/impl/LocalDispatchKeySet.h>
#include <c10/util/Exception.h>
#include <fmt/format.h>

#include "oracle/libtorch/autograd.h"
#include "oracle/libtorch/call.h"
#include "oracle/libtorch/failure.h"
#include "oracle/libtorch/guards.h"
#include "oracle/libtorch/readings.h"
#include "oracle/libtorch/version.h"

namespace plumbline::libtorch {

namespace {

/// For each `Try`, where its `EndTry` stands. Throws Unsupported where blocks do not nest.
std::vector<std::size_t> ends_of_tries(const Script& script) {
  std::vector<std::size_t> ends(script.statements.size(), 0), open;
  const auto is = [&]<class T>(std::size_t i, T) { return std::holds_alternative<T>(script.statements[i].kind); };
  for (std::size_t i = 0; i < script.statements.size(); ++i) {
    if (is(i, Try{}) || is(i, Enter{})) open.push_back(i);
    if (!is(i, EndTry{}) && !is(i, Exit{})) continue;
    if (open.empty() || is(open.back(), Try{}) != is(i, EndTry{}))
      throw Unsupported{fmt::format("statement {} ends a block that is not open", i)};
    ends[open.back()] = i;
    open.pop_back();
  }
  if (!open.empty()) throw Unsupported{fmt::format("the block of statement {} has no end", open.back())};
  return ends;
}

class Run {
 public:
  explicit Run(const Script& script) : script_(script), ends_(ends_of_tries(script)), slots_(script.names.size()) {}
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;
  ~Run() {
    unwind(0);
    c10::impl::_force_tls_local_dispatch_key_set(found_);
  }

  Trace trace() {
    Trace trace;
    for (std::size_t i = 0; i < script_.statements.size();) {
      Outcome outcome;
      outcome.statement = i;
      try {
        std::visit([&](const auto& statement) { step(statement, i, outcome); }, script_.statements[i].kind);
        ++i;
      } catch (const std::exception&) {
        outcome.failure = current_failure();
        const std::size_t before = i;
        i = after_error();
        trace.completed = i > before;
      }
      trace.outcomes.push_back(std::move(outcome));
      if (!trace.completed) break;
    }
    return trace;
  }

 private:
  /// An open block: a guard, or a `Try` that began at a statement.
  struct Block {
    Guard guard;
    std::optional<std::size_t> tried;
  };

  /// The last block first: a guard gives the thread back what it found.
  void unwind(std::size_t depth) {
    while (blocks_.size() > depth) blocks_.pop_back();
  }

  /// Leaves the guards down to the innermost `Try`, and says where the run goes on, at its `EndTry`; 0: it does not.
  std::size_t after_error() {
    for (; !blocks_.empty(); blocks_.pop_back())
      if (blocks_.back().tried) return ends_[*blocks_.back().tried];
    return 0;
  }

  void bind(Slot slot, at::Tensor tensor) {
    const auto i = static_cast<std::size_t>(slot);
    if (i >= slots_.size()) throw Unsupported{fmt::format("slot {} where the script names {}", i, slots_.size())};
    slots_[i] = std::move(tensor);
  }

  void step(const Call& statement, std::size_t, Outcome&) {
    auto results = call(statement, slots_);
    const std::size_t wanted = statement.results.size(), got = results.size();
    if (wanted == 0) return;
    if (!op(statement.op).many_results && wanted != 1)
      throw Unsupported{fmt::format("{} results of {}, which gives one tensor", wanted, op(statement.op).name)};
    TORCH_CHECK_VALUE(got <= wanted, "too many values to unpack (expected ", wanted, ")");
    TORCH_CHECK_VALUE(got >= wanted, "not enough values to unpack (expected ", wanted, ", got ", got, ")");
    for (std::size_t r = 0; r < got; ++r) bind(statement.results[r], std::move(results[r]));
  }
  void step(const MakeTensor& statement, std::size_t, Outcome&) { bind(statement.result, make_tensor(statement)); }
  void step(const Enter& statement, std::size_t, Outcome&) { blocks_.push_back({enter(statement), std::nullopt}); }
  void step(Exit, std::size_t, Outcome&) { blocks_.pop_back(); }
  void step(Try, std::size_t i, Outcome&) { blocks_.push_back({nullptr, i}); }
  void step(EndTry, std::size_t, Outcome&) { blocks_.pop_back(); }
  void step(const SetRequiresGrad& statement, std::size_t, Outcome&) {
    set_requires_grad(held(slots_, statement.tensor), statement.value);
  }
  void step(const GetData& statement, std::size_t, Outcome&) {
    bind(statement.result, get_data(held(slots_, statement.tensor)));
  }
  void step(const SetData& statement, std::size_t, Outcome&) {
    set_data(held(slots_, statement.tensor), held(slots_, statement.data));
  }
  void step(const Backward& statement, std::size_t, Outcome&) { backward(held(slots_, statement.tensor)); }
  void step(const GetGrad& statement, std::size_t, Outcome&) {
    bind(statement.result, get_grad(held(slots_, statement.tensor)));
  }
  void step(const Read& statement, std::size_t, Outcome& outcome) {
    held(slots_, statement.tensor);
    outcome.reading = read(slots_, static_cast<std::size_t>(statement.tensor), statement.field);
  }
  void step(const ReadThread& statement, std::size_t, Outcome& outcome) { outcome.reading = read(statement.field); }
  template <class T>
  void step(const T&, std::size_t, Outcome&) {
    throw Unsupported{"a statement that this adapter does not know"};
  }
  void step(Snapshot, std::size_t, Outcome& outcome) { snapshot(slots_, outcome); }

  /// The thread as it was; 1.13's guards of one key leave its backend behind.
  const c10::impl::LocalDispatchKeySet found_ = c10::impl::tls_local_dispatch_key_set();
  const Script& script_;
  std::vector<std::size_t> ends_;
  Slots slots_;
  std::vector<Block> blocks_;
};

}  // namespace

Description description() {
  Description d;
  d.name = "libtorch";
  d.version = PLUMBLINE_LIBTORCH_VERSION;
  d.profile = fmt::format("torch-{}", kTorchSeries);
  d.fields.fill(Strictness::exact);
  d.thread.fill(Strictness::exact);
  return d;
}

std::variant<Trace, CannotRun> run(const Script& script) {
  try {
    return Run(script).trace();
  } catch (Unsupported& unsupported) {
    return CannotRun{std::move(unsupported.why)};
  }
}

}  // namespace plumbline::libtorch
