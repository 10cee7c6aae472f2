// Runs dispatch scripts by the rules.
#include "reference/dispatcher/machine.h"

#include <utility>

#include "reference/dispatcher/call_keys.h"
#include "reference/dispatcher/registry.h"
#include "reference/dispatcher/shipped.h"
#include "reference/raise.h"
#include "reference/state.h"
#include "spec/rules/dsp_entry.h"

namespace plumbline::reference {

namespace {

using Stop = DispatchStop;

constexpr std::string_view kAmbiguous =
    " has kernels registered to both CompositeImplicitAutograd and a backend mapped to AutogradOther";
constexpr std::string_view kShortCircuited = "fallthrough_kernel was executed but it should have been short-circuited";

KeySet<Concrete> key_set(const std::string& key) {
  const auto found = runtime_key_named(rules_layout(), key);
  if (!found) throw Stop{DispatchError::unknown_key, "could not parse dispatch key: " + key};
  return KeySet<Concrete>::raw(word_of(rules_layout(), *found));
}

class World {
 public:
  World(const Judge& judge, const DispatchScript& script)
      : judge_(judge),
        script_(script),
        layout_(layout_of(judge.profile)),
        tls_(default_tls(judge)),
        registry_(layout_, shipped_fallbacks(layout_)) {}

  DispatchOutcome step(const DispatchStatement& statement) {
    outcome_ = {};
    try {
      std::visit([&](const auto& s) { execute(s); }, statement);
    } catch (const Stop& stop) {
      outcome_.error = stop.error;
      outcome_.message = stop.message;
    } catch (const Raise& raised) {
      outcome_.error = DispatchError::unknown_key;
      outcome_.message = raised.failure.message;
    }
    return std::move(outcome_);
  }

 private:
  static KernelId number(const std::optional<std::size_t>& kernel) {
    return kernel ? static_cast<KernelId>(*kernel) : kFallthrough;
  }

  void execute(const MakeLibrary& make) { registry_.make(make); }
  void execute(const DefineOp& define) {
    if (define.schema == ProbeSchema::malformed) {
      registry_.check_defines(define.library);
      throw Stop{DispatchError::schema, "unknown type specifier"};
    }
    registry_.define(judge_, define.library, define.op, static_cast<int>(define.schema));
  }
  void execute(const ImplOp& impl) { registry_.add(judge_, impl.library, impl.op, impl.key, number(impl.kernel)); }
  void execute(const FallbackOp& fallback) {
    registry_.add_fallback(judge_, fallback.library, fallback.key, number(fallback.kernel));
  }
  void execute(const DropLibrary& drop) { registry_.drop(judge_, drop.library); }

  Tls entered(const KeyGuard& guard) const {
    switch (guard.kind) {
      case KeyGuard::Kind::exclude:
        return enter_exclude(judge_, tls_, key_set(guard.key));
      case KeyGuard::Kind::include:
        return enter_include(judge_, tls_, key_set(guard.key));
      case KeyGuard::Kind::below_autograd:
        return enter_below_autograd(judge_, tls_);
      case KeyGuard::Kind::below_adinplaceorview:
        return enter_below_ad_inplace_or_view(judge_, tls_);
      case KeyGuard::Kind::inference_mode:
      case KeyGuard::Kind::inference_mode_off:
        return enter_inference_mode<Concrete>(judge_, tls_, guard.kind == KeyGuard::Kind::inference_mode);
    }
    throw std::logic_error("unknown guard kind");
  }

  void enter(const KeyGuard& guard) {
    if (const bool keyed = !guard.key.empty(); keyed && !runtime_key_named(rules_layout(), guard.key)) {
      frames_.push_back({tls_, true});  // it is not entered, so its end changes nothing
      throw Stop{DispatchError::unknown_key, "could not parse dispatch key: " + guard.key};
    }
    const Tls inside = entered(guard);
    const bool whole = guard.kind == KeyGuard::Kind::inference_mode || guard.kind == KeyGuard::Kind::inference_mode_off;
    frames_.push_back({tls_, whole});
    tls_ = inside;
  }
  void leave(bool raised) {
    if (frames_.empty()) throw std::logic_error("the dispatch script leaves a guard that it did not enter");
    tls_ = leave_guard<Concrete>(judge_, frames_.back().found, tls_, raised, frames_.back().whole);
    frames_.pop_back();
  }
  void execute(const EnterGuard& statement) { enter(statement.guard); }
  void execute(const LeaveGuard&) { leave(false); }

  void execute(const InvokeOp& invoke) { call(invoke.op, invoke.tensors); }

  void execute(const RedispatchOp& redispatch) {
    registry_.callable(redispatch.op);
    KeySet<Concrete> keys;
    for (const std::string& key : redispatch.keys) keys = keys | key_set(key);
    this->redispatch(redispatch.op, relaid(rules_layout(), layout_, keys.v), redispatch.tensors);
  }

  void execute(const QueryOp& query) {
    outcome_.reading = registry_.answer(judge_, {query.op, query.key, static_cast<QueryKernel::What>(query.what)});
  }

  void execute(const QueryTls& query) {
    // c10's `has`: the key's functionality and, where it has one, its backend.
    const KeySet<Concrete> key = key_set(query.key);
    const KeySet<Concrete> set = query.what == QueryTls::What::included ? tls_.included : tls_.excluded;
    outcome_.reading = ((set & key) == key).v;
  }

  std::uint64_t masked(const Operator& op, const CallWords& keys) const {
    return without_fallthrough(judge_, layout_, keys,
                               [&](RuntimeKey key) { return op.table.at(key).kernel == kFallthrough; });
  }

  void call(const std::string& name, const std::vector<ProbeTensor>& tensors) {
    const Operator& op = registry_.callable(name);
    const CallWords keys = call_words(judge_, tls_, tensors, op.schema == static_cast<int>(ProbeSchema::list));
    const std::uint64_t rest = masked(op, keys);
    given_ = handed_keys(judge_, KeySet<Concrete>::raw(rest), KeySet<Concrete>::raw(keys.effective)).v;
    run_kernel(name, rest, tensors);
  }

  /// Runs the kernel at the highest of `keys`.
  void run_kernel(const std::string& name, std::uint64_t keys, const std::vector<ProbeTensor>& tensors) {
    const std::uint64_t given = std::exchange(given_, std::nullopt).value_or(keys);
    const Operator& op = registry_.callable(name);
    const RuntimeKey at = entry_key(judge_, layout_, keys);
    const Entry entry = op.table.at(at);
    if (entry.kernel == kForeign) throw ReferenceLimit("a call that runs one of LibTorch's own fallbacks");
    const EntrySource source = entry.kernel == kMetaFallback ? EntrySource::missing : entry.source;
    const auto arrival = static_cast<Arrival>(arrive<Concrete>(judge_, source, entry.kernel == kFallthrough).v);
    if (arrival == Arrival::ambiguous) throw Stop{DispatchError::ambiguous, name + std::string(kAmbiguous)};
    if (arrival == Arrival::fallthrough) throw Stop{DispatchError::fallthrough, std::string(kShortCircuited)};
    if (arrival == Arrival::nothing) return;
    if (arrival == Arrival::missing || (arrival == Arrival::goes_on && at == kUndefined)) return missing(name, op);
    if (arrival == Arrival::goes_on)
      return run_kernel(name, keys & ~functionality_bit(layout_, at.functionality), tensors);
    if (entry.kernel == kAutogradFallback) return redispatch(name, keys & after("AutogradOther"), tensors);
    run_probe(script_.kernels.at(static_cast<std::size_t>(entry.kernel)), name, given, tensors);
  }

  std::uint64_t after(std::string_view functionality) const {
    return keys_after<Concrete>(judge_, layout_, functionality_named(layout_, functionality));
  }

  void missing(const std::string& name, const Operator& op) {
    if (registry_.is_stale(judge_, op))
      throw Stop{DispatchError::inconsistent, "the table of " + name + " is not what its registrations make"};
    throw Stop{DispatchError::missing_kernel, "Could not run '" + name + "'"};
  }

  void redispatch(const std::string& name, std::uint64_t keys, const std::vector<ProbeTensor>& tensors) {
    const std::uint64_t skipped = masked(registry_.callable(name), {keys, keys});
    const KeySet<Concrete> by = redispatched_keys(judge_, KeySet<Concrete>::raw(keys), KeySet<Concrete>::raw(skipped));
    run_kernel(name, by.v, tensors);
  }

  void run_probe(const ProbeKernel& kernel, const std::string& name, std::uint64_t keys,
                 const std::vector<ProbeTensor>& tensors) {
    const Restored outer(depth_);
    if (++depth_ > kDeepestCall) throw Stop{DispatchError::recursion, "maximum recursion depth exceeded"};
    KernelLog log{kernel.name, {}};
    if (kernel.with_keyset) log.keys = key_names(layout_, keys);
    if (kernel.with_keyset && log.keys.empty()) log.keys = {"Undefined"};
    outcome_.log.push_back(std::move(log));
    if (kernel.act != ProbeKernel::Act::nothing) {
      const std::size_t outside = frames_.size();
      if (kernel.guard) enter(*kernel.guard);
      try {
        if (kernel.act == ProbeKernel::Act::call) {
          call(kernel.op, tensors);
        } else {
          for (const KeyStep& step : kernel.steps) {
            if (takes_key(step.kind)) key_set(step.key);  // an unknown one stops here
            keys = stepped(judge_, layout_, keys, step);
          }
          redispatch(kernel.op.empty() ? name : kernel.op, keys, tensors);
        }
      } catch (const Stop&) {
        while (frames_.size() > outside) leave(true);
        throw;
      }
      while (frames_.size() > outside) leave(false);
    }
    if (kernel.raises) throw Stop{DispatchError::kernel_raised, kernel.name + " raised"};
  }

  struct GuardFrame {
    Tls found;
    bool whole;
  };

  Judge judge_;
  const DispatchScript& script_;
  const KeyLayout& layout_;
  Tls tls_;
  std::vector<GuardFrame> frames_;
  Registry registry_;
  DispatchOutcome outcome_;
  std::optional<std::uint64_t> given_;  ///< the key set that the next kernel receives, if it is not its own
  int depth_ = 0;
};

}  // namespace

DispatchTrace run(const Judge& judge, const DispatchScript& script, std::size_t& limited) {
  World world(judge, script);
  DispatchTrace trace;
  for (const DispatchStatement& statement : script.statements) {
    limited = trace.size();
    trace.push_back(world.step(statement));
  }
  return trace;
}

DispatchTrace run(const Judge& judge, const DispatchScript& script) {
  std::size_t limited = 0;
  return run(judge, script, limited);
}

}  // namespace plumbline::reference
