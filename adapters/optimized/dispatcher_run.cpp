// Dispatch scripts on the optimized dispatcher: probe libraries whose kernels log and continue.
#include "adapters/optimized/dispatcher_run.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "adapters/optimized/key_types.h"
#include "adapters/walk/dispatch_walk.h"
#include "optimized/dispatcher/dispatcher.h"

namespace plumbline::optimized {

namespace {

using walk::DispatchStop;

const KeyLayout& layout() { return layout_of(Profile::sound); }

RuntimeKey runtime_key(const std::string& name) {
  if (const auto key = runtime_key_named(layout(), name)) return *key;
  throw DispatchStop(DispatchError::unknown_key, "could not parse dispatch key: " + name);
}
KeySet set_of(const std::string& name) { return KeySet(word_of(layout(), runtime_key(name))); }
int entry_named(const std::string& name) { return index_of(layout(), runtime_key(name)); }
Slot slot_named(const std::string& name) {
  if (const auto alias = alias_named(name)) return slot_of(*alias);
  return static_cast<Slot>(entry_named(name));
}

/// What a dispatch script is run with.
struct Types : KeyTypes {
  using Library = optimized::Library;
  using Exclude = ExcludeKeys;
  using Include = IncludeKeys;
  using BelowAutograd = AutoDispatchBelowAutograd;
  using BelowADInplaceOrView = AutoDispatchBelowADInplaceOrView;
  using InferenceMode = optimized::InferenceMode;
  static KeySet keys(const std::string& name) { return set_of(name); }  // an unknown one is the statement's error
  static KeySet without(KeySet keys, const std::string& name) { return keys - set_of(name); }
};

/// The keys of a `torch.zeros([1])` of this kind; the dispatcher alone has no tensors.
KeySet keys_of(ProbeTensor tensor) {
  if (tensor == ProbeTensor::none) return {};
  const bool meta = tensor == ProbeTensor::meta;
  const KeySet backend = KeySet(Functionality::Dense) | (meta ? Backend::Meta : Backend::CPU);
  const KeySet own = meta ? backend : backend | Functionality::AutocastCPU;
  if (tensor == ProbeTensor::inference) return own;
  return own | Functionality::Autograd | Functionality::ADInplaceOrView;
}

class Probe : public walk::DispatchWalk<Types, Probe> {
 public:
  explicit Probe(const DispatchScript& script) {
    for (const ProbeKernel& kernel : script.kernels) kernels_.push_back({this, &kernel});
  }
  ~Probe() { finish(); }
  Probe(const Probe&) = delete;
  Probe& operator=(const Probe&) = delete;

 private:
  friend DispatchWalk;
  using DispatchWalk::execute;

  void failed() {
    try {
      throw;
    } catch (const DispatchFailed& error) {
      fail(error.error, error.what());
    }
  }

  /// A kernel of the script, as it is in the table.
  struct Bound {
    Probe* probe;
    const ProbeKernel* kernel;
  };
  static void run_bound(void* context, const Operator& op, KeySet keys, Frame& frame) {
    const Bound& bound = *static_cast<Bound*>(context);
    const ProbeKernel& kernel = *bound.kernel;
    const Dispatcher& dispatcher = bound.probe->dispatcher_;
    bound.probe->run(
        kernel, keys, [&] { dispatcher.find(kernel.op).call(frame); },
        [&](KeySet next) { (kernel.op.empty() ? op : dispatcher.find(kernel.op)).redispatch(next, frame); }, [] {});
  }

  Kernel kernel(const std::optional<std::size_t>& index) {
    return index ? Kernel{run_bound, &kernels_.at(*index), nullptr} : fallthrough_kernel();
  }

  void execute(const MakeLibrary& make) {
    hold(make.library, std::make_unique<Library>(dispatcher_, static_cast<Library::Kind>(make.kind), make.space));
  }
  void execute(const DefineOp& define) {
    Library& into = library(define.library);
    if (define.schema == ProbeSchema::malformed)
      throw DispatchStop(DispatchError::schema, "unknown type specifier in " + define.op);
    into.define(define.op);
  }
  void execute(const ImplOp& impl) { library(impl.library).impl(impl.op, slot_named(impl.key), kernel(impl.kernel)); }
  void execute(const FallbackOp& fallback) {
    library(fallback.library).fallback(entry_named(fallback.key), kernel(fallback.kernel));
  }
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
    if (query.what == QueryOp::What::has_kernel) slot_named(query.key);  // this function of Python reads the key first
    const Operator& op = dispatcher_.find_registered(query.op);
    const Slot slot = slot_named(query.key);
    switch (query.what) {
      case QueryOp::What::has_kernel:
        return answer(op.registered(slot));
      case QueryOp::What::has_computed:
        if (slot >= kTableSize)
          throw DispatchStop(DispatchError::alias_query, "Alias keys do not have runtime kernel registrations");
        return answer(op.has_entry(slot));
      case QueryOp::What::falls_through:
        return answer(op.newest(slot) == fallthrough_kernel());
    }
  }
  void execute(const QueryTls& query) {
    const KeySet keys = set_of(query.key);
    const ThreadState& state = thread_state();
    const KeySet held = query.what == QueryTls::What::included ? state.included : state.excluded;
    answer((held.word() & keys.word()) == keys.word());
  }

  Dispatcher dispatcher_;
  std::vector<Bound> kernels_;
};

}  // namespace

DispatchTrace run_dispatch(const DispatchScript& script) {
  const StateGuard found;
  return walk::each_statement<Probe>(script);
}

}  // namespace plumbline::optimized
