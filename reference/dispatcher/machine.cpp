// Runs dispatch scripts by the rules.
#include "reference/dispatcher/machine.h"

#include <utility>

#include "reference/dispatcher/call_keys.h"
#include "reference/dispatcher/operators.h"
#include "reference/dispatcher/shipped.h"
#include "reference/raise.h"
#include "reference/state.h"
#include "spec/rules/dsp_entry.h"

namespace plumbline::reference {

namespace {

/// A specified error, thrown to become the statement's outcome.
struct Stop {
  DispatchError error;
  std::string message;
};

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
        fallbacks_(shipped_fallbacks(layout_)) {}

  DispatchOutcome step(const DispatchStatement& statement) {
    outcome_ = {};
    try {
      std::visit([&](const auto& s) { execute(s); }, statement);
    } catch (const Stop& stop) {
      outcome_.error = stop.error;
      outcome_.message = stop.message;
    }
    return std::move(outcome_);
  }

 private:
  OpenLibrary& library(const std::string& name) {
    const auto found = libraries_.find(name);
    if (found == libraries_.end()) throw Stop{DispatchError::wrong_library, "there is no library " + name};
    return found->second;
  }

  RegistrationKey key_of(const std::string& name) const {
    const auto key = registration_key_named(layout_, name);
    const bool named =
        key &&
        (key->alias ||
         can_be_named<Concrete>(judge_, place_of(layout_, key->key), Bool<Concrete>(parses(layout_, key->key))).v);
    if (!named) throw Stop{DispatchError::unknown_key, "could not parse dispatch key: " + name};
    return *key;
  }

  /// The operator; the first definition or kernel creates it.
  Operator& made(const std::string& name) {
    const auto [at, added] = operators_.try_emplace(name, layout_);
    if (added) at->second.table.fill(judge_, at->second.registrations(), fallbacks_);
    return at->second;
  }
  Operator& existing(const std::string& name) {
    const auto found = operators_.find(name);
    if (found == operators_.end()) throw Stop{DispatchError::unknown_op, "operator " + name + " does not exist"};
    return found->second;
  }
  Operator& callable(const std::string& name) {
    Operator& op = existing(name);
    if (!op.schema) throw Stop{DispatchError::unknown_op, "Could not find schema for " + name};
    return op;
  }
  void drop_unused(const std::string& name) {
    const auto found = operators_.find(name);
    if (found != operators_.end() && !found->second.schema && found->second.registrations().empty())
      operators_.erase(found);
  }

  void execute(const MakeLibrary& make) {
    if (make.kind == MakeLibrary::Kind::DEF)
      for (const auto& [name, other] : libraries_)
        if (other.kind == MakeLibrary::Kind::DEF && other.space == make.space)
          throw Stop{DispatchError::defined_twice,
                     "Only a single TORCH_LIBRARY can be used to register the namespace " + make.space};
    libraries_.insert_or_assign(make.library, OpenLibrary{make.kind, make.space, {}, {}});
  }

  void execute(const DefineOp& define) {
    OpenLibrary& lib = library(define.library);
    if (lib.kind == MakeLibrary::Kind::IMPL)
      throw Stop{DispatchError::wrong_library, "Cannot define an operator inside of a TORCH_LIBRARY_IMPL block"};
    if (define.schema == ProbeSchema::malformed) throw Stop{DispatchError::schema, "unknown type specifier"};
    const std::string name = lib.space + "::" + define.op;
    const auto found = operators_.find(name);
    if (found != operators_.end() && found->second.schema)
      throw Stop{DispatchError::defined_twice, "Tried to register an operator with the same name multiple times"};
    made(name).schema = define.schema;
    lib.defined.push_back(name);
  }

  void execute(const ImplOp& impl) {
    OpenLibrary& lib = library(impl.library);
    const RegistrationKey key = key_of(impl.key);
    const std::string name = lib.space + "::" + impl.op;
    Operator& op = made(name);
    const KernelId kernel = impl.kernel ? static_cast<KernelId>(*impl.kernel) : kFallthrough;
    op.add(key, kernel, ++serial_);
    op.table.update(judge_, op.registrations(), fallbacks_, key);
    lib.registered.push_back({name, key, serial_});
  }

  void execute(const FallbackOp& fallback) {
    OpenLibrary& lib = library(fallback.library);
    if (lib.space != "_")
      throw Stop{DispatchError::wrong_library,
                 "Fallback can only be registered using library fragment on the global "
                 "namespace \"_\""};
    const RegistrationKey key = key_of(fallback.key);
    if (key.alias) throw ReferenceLimit("a fallback for an alias key");
    KernelId& at = fallbacks_[static_cast<std::size_t>(index_of(layout_, key.key))];
    if (at != kNoKernel)
      throw Stop{DispatchError::fallback_twice,
                 "Tried to register multiple backend fallbacks for the same dispatch key"};
    at = fallback.kernel ? static_cast<KernelId>(*fallback.kernel) : kFallthrough;
    lib.registered.push_back({"", key});
    for (auto& [name, op] : operators_) op.table.update(judge_, op.registrations(), fallbacks_, key);
  }

  void execute(const DropLibrary& drop) {
    const OpenLibrary lib = library(drop.library);
    libraries_.erase(drop.library);
    const bool goes = follows_departure<Concrete>(judge_).v;
    for (const Registration& one : lib.registered) {
      if (one.op.empty()) {
        fallbacks_[static_cast<std::size_t>(index_of(layout_, one.key->key))] = kNoKernel;
        for (auto& [name, op] : operators_)
          if (goes) op.table.update(judge_, op.registrations(), fallbacks_, *one.key);
        continue;
      }
      Operator& op = operators_.at(one.op);
      op.remove(*one.key, one.serial);
      if (goes) op.table.update(judge_, op.registrations(), fallbacks_, *one.key);
    }
    for (const std::string& name : lib.defined) operators_.at(name).schema.reset();
    for (const Registration& one : lib.registered) drop_unused(one.op);
    for (const std::string& name : lib.defined) drop_unused(name);
  }

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
    callable(redispatch.op);
    KeySet<Concrete> keys;
    for (const std::string& key : redispatch.keys) keys = keys | key_set(key);
    this->redispatch(redispatch.op, relaid(rules_layout(), layout_, keys.v), redispatch.tensors);
  }

  void execute(const QueryOp& query) {
    if (query.what == QueryOp::What::has_kernel) key_of(query.key);  // this function of Python reads the key first
    const Operator& op = existing(query.op);
    const RegistrationKey key = key_of(query.key);
    const auto found = op.registrations().find(key);
    switch (query.what) {
      case QueryOp::What::has_kernel:
        outcome_.reading = found != op.registrations().end();
        return;
      case QueryOp::What::has_computed:
        if (key.alias) throw Stop{DispatchError::alias_query, "Alias keys do not have runtime kernel registrations."};
        outcome_.reading = op.table.at(key.key).source != EntrySource::missing;
        return;
      case QueryOp::What::falls_through:
        if (found == op.registrations().end())
          throw Stop{DispatchError::missing_kernel, "no kernel for " + query.key + " on " + query.op};
        const auto count = static_cast<std::int64_t>(found->second.size());
        outcome_.reading =
            found->second[static_cast<std::size_t>(used_kernel<Concrete>(judge_, count).v)] == kFallthrough;
        return;
    }
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
    const Operator& op = callable(name);
    const CallWords keys = call_words(judge_, tls_, tensors, op.schema == ProbeSchema::list);
    const std::uint64_t rest = masked(op, keys);
    given_ = handed_keys(judge_, KeySet<Concrete>::raw(rest), KeySet<Concrete>::raw(keys.effective)).v;
    run_kernel(name, rest, tensors);
  }

  /// Runs the kernel at the highest of `keys`.
  void run_kernel(const std::string& name, std::uint64_t keys, const std::vector<ProbeTensor>& tensors) {
    const std::uint64_t given = std::exchange(given_, std::nullopt).value_or(keys);
    const Operator& op = callable(name);
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
    DispatchTable right(layout_);
    right.fill(judge_, op.registrations(), fallbacks_);
    if (right.entries() != op.table.entries())  // reached only in a profile that does not update a table fully
      throw Stop{DispatchError::inconsistent, "the table of " + name + " is not what its registrations make"};
    throw Stop{DispatchError::missing_kernel, "Could not run '" + name + "'"};
  }

  void redispatch(const std::string& name, std::uint64_t keys, const std::vector<ProbeTensor>& tensors) {
    const std::uint64_t skipped = masked(callable(name), {keys, keys});
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
  Fallbacks fallbacks_;
  std::int64_t serial_ = 0;  ///< the number of the last registration
  std::map<std::string, Operator> operators_;
  std::map<std::string, OpenLibrary> libraries_;
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
