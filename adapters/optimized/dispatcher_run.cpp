// Dispatch scripts on the optimized dispatcher: probe libraries whose kernels log and continue.
#include "adapters/optimized/dispatcher_run.h"

#include <map>
#include <memory>
#include <optional>
#include <variant>

#include "optimized/dispatcher/dispatcher.h"

namespace plumbline::optimized {

namespace {

struct Stop {
  DispatchError error;
  std::string message;
};

const KeyLayout& layout() { return layout_of(Profile::sound); }

RuntimeKey runtime_key(const std::string& name) {
  if (const auto key = runtime_key_named(layout(), name)) return *key;
  throw Stop{DispatchError::unknown_key, "could not parse dispatch key: " + name};
}
KeySet set_of(const std::string& name) { return KeySet(word_of(layout(), runtime_key(name))); }
int entry_named(const std::string& name) { return index_of(layout(), runtime_key(name)); }
Slot slot_named(const std::string& name) {
  if (const auto alias = alias_named(name)) return slot_of(*alias);
  return static_cast<Slot>(entry_named(name));
}

/// A guard that lives as long as a reference to it.
std::shared_ptr<void> entered(const KeyGuard& guard) {
  switch (guard.kind) {
    case KeyGuard::Kind::exclude:
      return std::make_shared<ExcludeKeys>(set_of(guard.key));
    case KeyGuard::Kind::include:
      return std::make_shared<IncludeKeys>(set_of(guard.key));
    case KeyGuard::Kind::below_autograd:
      return std::make_shared<AutoDispatchBelowAutograd>();
    case KeyGuard::Kind::below_adinplaceorview:
      return std::make_shared<AutoDispatchBelowADInplaceOrView>();
    case KeyGuard::Kind::inference_mode:
    case KeyGuard::Kind::inference_mode_off:
      return std::make_shared<InferenceMode>(guard.kind == KeyGuard::Kind::inference_mode);
  }
  return nullptr;
}

KeySet stepped(KeySet keys, const KeyStep& step) {
  switch (step.kind) {
    case KeyStep::Kind::after_autograd:
      return keys & kAfterAutograd;
    case KeyStep::Kind::after_adinplaceorview:
      return keys & kAfterADInplaceOrView;
    case KeyStep::Kind::keep:
      return keys & set_of(step.key);
    case KeyStep::Kind::add:
      return keys | set_of(step.key);
    case KeyStep::Kind::remove:
      return keys - set_of(step.key);
  }
  return keys;
}

/// The keys of a `torch.zeros([1])` of this kind; the dispatcher alone has no tensors.
KeySet keys_of(ProbeTensor tensor) {
  if (tensor == ProbeTensor::none) return {};
  const bool meta = tensor == ProbeTensor::meta;
  const KeySet backend = KeySet(Functionality::Dense) | (meta ? Backend::Meta : Backend::CPU);
  const KeySet own = meta ? backend : backend | Functionality::AutocastCPU;
  if (tensor == ProbeTensor::inference) return own;
  return own | Functionality::Autograd | Functionality::ADInplaceOrView;
}

class Probe {
 public:
  explicit Probe(const DispatchScript& script) {
    for (const ProbeKernel& kernel : script.kernels) kernels_.push_back({this, &kernel});
  }
  ~Probe() {
    while (!guards_.empty()) guards_.pop_back();
  }
  Probe(const Probe&) = delete;
  Probe& operator=(const Probe&) = delete;

  DispatchOutcome step(const DispatchStatement& statement) {
    outcome_ = {};
    depth_ = 0;
    const auto fail = [&](DispatchError error, const std::string& message) {
      outcome_.error = error;
      outcome_.message = message;
      outcome_.reading.reset();
    };
    try {
      std::visit([&](const auto& s) { execute(s); }, statement);
    } catch (const Stop& stop) {
      fail(stop.error, stop.message);
    } catch (const DispatchFailed& failed) {
      fail(failed.error, failed.what());
    }
    return std::move(outcome_);
  }

 private:
  /// A kernel of the script, as it is in the table.
  struct Bound {
    Probe* probe;
    const ProbeKernel* kernel;
  };
  static void run_bound(void* context, const Operator& op, KeySet keys, Frame& frame) {
    const Bound& bound = *static_cast<Bound*>(context);
    bound.probe->run(*bound.kernel, op, keys, frame);
  }

  void run(const ProbeKernel& kernel, const Operator& op, KeySet keys, Frame& frame) {
    if (depth_ >= kDeepestCall) throw Stop{DispatchError::recursion, "maximum recursion depth exceeded"};
    ++depth_;
    KernelLog log{kernel.name, {}};
    if (kernel.with_keyset) log.keys = key_names(layout(), keys.word());
    if (kernel.with_keyset && log.keys.empty()) log.keys = {"Undefined"};
    outcome_.log.push_back(std::move(log));
    if (kernel.act != ProbeKernel::Act::nothing) {
      const std::shared_ptr<void> guard = kernel.guard ? entered(*kernel.guard) : nullptr;
      act(kernel, op, keys, frame);
    }
    --depth_;
    if (kernel.raises) throw Stop{DispatchError::kernel_raised, kernel.name + " raised"};
  }
  void act(const ProbeKernel& kernel, const Operator& op, KeySet keys, Frame& frame) {
    if (kernel.act == ProbeKernel::Act::call) return dispatcher_.find(kernel.op).call(frame);
    for (const KeyStep& step : kernel.steps) keys = stepped(keys, step);
    (kernel.op.empty() ? op : dispatcher_.find(kernel.op)).redispatch(keys, frame);
  }

  Library& library(const std::string& name) {
    const auto found = libraries_.find(name);
    if (found == libraries_.end()) throw Stop{DispatchError::wrong_library, "there is no library " + name};
    return *found->second;
  }
  Kernel kernel(const std::optional<std::size_t>& index) {
    return index ? Kernel{run_bound, &kernels_.at(*index), nullptr} : fallthrough_kernel();
  }

  void execute(const MakeLibrary& make) {
    auto fresh = std::make_unique<Library>(dispatcher_, static_cast<Library::Kind>(make.kind), make.space);
    libraries_[make.library] = std::move(fresh);
  }
  void execute(const DefineOp& define) {
    Library& into = library(define.library);
    if (define.schema == ProbeSchema::malformed)
      throw Stop{DispatchError::schema, "unknown type specifier in " + define.op};
    into.define(define.op);
  }
  void execute(const ImplOp& impl) { library(impl.library).impl(impl.op, slot_named(impl.key), kernel(impl.kernel)); }
  void execute(const FallbackOp& fallback) {
    library(fallback.library).fallback(entry_named(fallback.key), kernel(fallback.kernel));
  }
  void execute(const DropLibrary& drop) {
    library(drop.library);
    libraries_.erase(drop.library);
  }
  void execute(const EnterGuard& enter) {
    guards_.emplace_back();  // a guard that cannot be entered is still left
    guards_.back() = entered(enter.guard);
  }
  void execute(const LeaveGuard&) { guards_.pop_back(); }

  static Frame frame_of(const std::vector<ProbeTensor>& tensors) {
    Frame frame;
    for (const ProbeTensor tensor : tensors) frame.keys = frame.keys | keys_of(tensor);
    return frame;
  }
  void execute(const InvokeOp& invoke) {
    const Operator& op = dispatcher_.find(invoke.op);
    Frame frame = frame_of(invoke.tensors);
    op.call(frame);
  }
  void execute(const RedispatchOp& redispatch) {
    const Operator& op = dispatcher_.find(redispatch.op);
    KeySet keys;
    for (const std::string& key : redispatch.keys) keys = keys | set_of(key);
    Frame frame = frame_of(redispatch.tensors);
    op.redispatch(keys, frame);
  }
  void execute(const QueryOp& query) {
    const Operator& op = dispatcher_.find_registered(query.op);
    const Slot slot = slot_named(query.key);
    switch (query.what) {
      case QueryOp::What::has_kernel:
        outcome_.reading = op.registered(slot);
        return;
      case QueryOp::What::has_computed:
        if (slot >= kTableSize)
          throw Stop{DispatchError::alias_query, "Alias keys do not have runtime kernel registrations"};
        outcome_.reading = op.has_entry(slot);
        return;
      case QueryOp::What::falls_through:
        outcome_.reading = op.newest(slot) == fallthrough_kernel();
        return;
    }
  }
  void execute(const QueryTls& query) {
    const KeySet keys = set_of(query.key);
    const ThreadState& state = thread_state();
    const KeySet held = query.what == QueryTls::What::included ? state.included : state.excluded;
    outcome_.reading = (held.word() & keys.word()) == keys.word();
  }

  Dispatcher dispatcher_;
  std::vector<Bound> kernels_;
  std::map<std::string, std::unique_ptr<Library>> libraries_;
  std::vector<std::shared_ptr<void>> guards_;
  DispatchOutcome outcome_;
  int depth_ = 0;
};

}  // namespace

DispatchTrace run_dispatch(const DispatchScript& script) {
  const StateGuard found;
  Probe probe(script);
  DispatchTrace trace;
  for (const DispatchStatement& statement : script.statements) trace.push_back(probe.step(statement));
  return trace;
}

}  // namespace plumbline::optimized
