// Dispatch scripts on LibTorch: probe libraries in C++, whose kernels are boxed.
#include "adapters/libtorch/dispatcher_run.h"

#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <c10/core/InferenceMode.h>
#include <c10/core/impl/LocalDispatchKeySet.h>
#include <torch/library.h>
#include <torch/torch.h>

#include <array>
#include <map>
#include <sstream>

#include "adapters/libtorch/version.h"

namespace plumbline::libtorch {

namespace {

using c10::DispatchKey;
using c10::DispatchKeySet;
using torch::jit::Stack;

struct ProbeRaised : std::runtime_error {
  using std::runtime_error::runtime_error;
};
struct Recursion : std::runtime_error {
  using std::runtime_error::runtime_error;
};
struct NoLibrary : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The outcome of the running statement so far.
struct Running {
  std::vector<KernelLog>* log = nullptr;
  int depth = 0;
};
thread_local Running running;

/// Records a kernel while it runs.
struct Deeper {
  Deeper() {
    if (++running.depth > kDeepestCall) {
      --running.depth;
      throw Recursion("maximum recursion depth exceeded");
    }
  }
  ~Deeper() { --running.depth; }
  Deeper(const Deeper&) = delete;
  Deeper& operator=(const Deeper&) = delete;
};

std::vector<std::string> key_names(DispatchKeySet keys) {
  std::vector<std::string> names;
  for (const DispatchKey key : keys) names.emplace_back(c10::toString(key));
  return names;
}

/// The key of this name, also if c10's parser does not know it: Python has it as an enumerator.
DispatchKey key_named(const std::string& name) {
  for (const DispatchKey key : DispatchKeySet(DispatchKeySet::FULL))
    if (name == c10::toString(key)) return key;
  return c10::parseDispatchKey(name);
}

/// A guard that lives as long as a reference to it.
std::shared_ptr<void> entered(const KeyGuard& guard) {
  switch (guard.kind) {
    case KeyGuard::Kind::exclude:
      return std::make_shared<c10::impl::ExcludeDispatchKeyGuard>(DispatchKeySet(key_named(guard.key)));
    case KeyGuard::Kind::include:
      return std::make_shared<c10::impl::IncludeDispatchKeyGuard>(DispatchKeySet(key_named(guard.key)));
    case KeyGuard::Kind::below_autograd:
      return std::make_shared<at::AutoDispatchBelowAutograd>();
    case KeyGuard::Kind::below_adinplaceorview:
      return std::make_shared<at::AutoDispatchBelowADInplaceOrView>();
    case KeyGuard::Kind::inference_mode:
    case KeyGuard::Kind::inference_mode_off:
      return std::make_shared<c10::InferenceMode>(guard.kind == KeyGuard::Kind::inference_mode);
  }
  throw std::logic_error("an unknown kind of guard");
}

DispatchKeySet stepped(DispatchKeySet keys, const KeyStep& step) {
  switch (step.kind) {
    case KeyStep::Kind::after_autograd:
      return keys & c10::after_autograd_keyset;
    case KeyStep::Kind::after_adinplaceorview:
      return keys & c10::after_ADInplaceOrView_keyset;
    case KeyStep::Kind::keep:
      return keys & DispatchKeySet(key_named(step.key));
    case KeyStep::Kind::add:
      return keys | DispatchKeySet(key_named(step.key));
    case KeyStep::Kind::remove:
      return keys.remove(key_named(step.key));
  }
  throw std::logic_error("an unknown kind of key step");
}

c10::OperatorHandle operator_named(const std::string& name) {
  return c10::Dispatcher::singleton().findSchemaOrThrow(name.c_str(), "");
}

/// One kernel of the script, as LibTorch calls it.
class ProbeFunctor : public c10::OperatorKernel {
 public:
  explicit ProbeFunctor(const ProbeKernel& kernel) : kernel_(kernel) {}

  void operator()(const c10::OperatorHandle& op, DispatchKeySet keys, Stack* stack) {
    const Deeper deeper;
    KernelLog log{kernel_.name, {}};
    if (kernel_.with_keyset) log.keys = key_names(keys);
    if (kernel_.with_keyset && log.keys.empty()) log.keys = {"Undefined"};
    if (running.log != nullptr) running.log->push_back(std::move(log));
    if (kernel_.act == ProbeKernel::Act::nothing) {
      torch::jit::drop(*stack, op.schema().arguments().size());
    } else {
      const std::shared_ptr<void> guard = kernel_.guard ? entered(*kernel_.guard) : nullptr;
      act(op, keys, stack);
    }
    if (kernel_.raises) throw ProbeRaised(kernel_.name + " raised");
  }

 private:
  void act(const c10::OperatorHandle& op, DispatchKeySet keys, Stack* stack) const {
    if (kernel_.act == ProbeKernel::Act::call) return operator_named(kernel_.op).callBoxed(stack);
    for (const KeyStep& step : kernel_.steps) keys = stepped(keys, step);
    if (kernel_.op.empty()) return op.redispatchBoxed(keys, stack);
    operator_named(kernel_.op).redispatchBoxed(keys, stack);
  }

  ProbeKernel kernel_;
};

/// Parts of LibTorch's messages, and their meaning.
struct Meaning {
  std::string_view part;
  DispatchError error;
};
constexpr std::array kMeanings{
    Meaning{"has kernels registered to both CompositeImplicitAutograd", DispatchError::ambiguous},
    Meaning{"fallthrough_kernel was executed", DispatchError::fallthrough},
    Meaning{"Canonical state", DispatchError::inconsistent},
    Meaning{"Could not run '", DispatchError::missing_kernel},
    Meaning{"attempted to run this operator with Meta tensors", DispatchError::missing_kernel},
    Meaning{"There were no tensor arguments to this function", DispatchError::missing_kernel},
    Meaning{"no kernel for ", DispatchError::missing_kernel},
    Meaning{"with the same name and overload name multiple times", DispatchError::defined_twice},
    Meaning{"Only a single TORCH_LIBRARY can be used", DispatchError::defined_twice},
    Meaning{"could not parse dispatch key", DispatchError::unknown_key},
    Meaning{"multiple backend fallbacks", DispatchError::fallback_twice},
    Meaning{"Cannot define an operator inside of a TORCH_LIBRARY_IMPL", DispatchError::wrong_library},
    Meaning{"Fallback can only be registered", DispatchError::wrong_library},
    Meaning{"Fallback functions which apply to only a single namespace", DispatchError::wrong_library},
    Meaning{"Alias keys do not have runtime kernel registrations", DispatchError::alias_query},
    Meaning{"unknown type specifier", DispatchError::schema},
    Meaning{"Could not find schema for", DispatchError::unknown_op},
    Meaning{"does not exist", DispatchError::unknown_op},
};

DispatchError error_of(std::string_view message) {
  for (const Meaning& meaning : kMeanings)
    if (message.find(meaning.part) != std::string_view::npos) return meaning.error;
  return DispatchError::unclassified;
}

class Probe {
 public:
  explicit Probe(const DispatchScript& script) : script_(script) {
    for (std::size_t i = 0; i < tensors_.size(); ++i) tensors_[i] = made(static_cast<ProbeTensor>(i));
  }

  ~Probe() {
    while (!guards_.empty()) guards_.pop_back();
  }
  Probe(const Probe&) = delete;
  Probe& operator=(const Probe&) = delete;

  DispatchOutcome step(const DispatchStatement& statement) {
    DispatchOutcome outcome;
    outcome_ = &outcome;
    running = {&outcome.log, 0};
    try {
      std::visit([&](const auto& s) { execute(s); }, statement);
    } catch (const ProbeRaised& e) {
      fail(DispatchError::kernel_raised, e.what());
    } catch (const Recursion& e) {
      fail(DispatchError::recursion, e.what());
    } catch (const NoLibrary& e) {
      fail(DispatchError::wrong_library, e.what());
    } catch (const c10::Error& e) {
      fail(error_of(e.what_without_backtrace()), e.what_without_backtrace());
    } catch (const std::exception& e) {
      fail(error_of(e.what()), e.what());
    }
    running = {};
    return outcome;
  }

 private:
  static at::Tensor made(ProbeTensor tensor) {
    if (tensor == ProbeTensor::none) return {};
    const c10::InferenceMode mode(tensor == ProbeTensor::inference);
    return torch::zeros({1}, at::TensorOptions()
                                 .device(tensor == ProbeTensor::meta ? at::kMeta : at::kCPU)
                                 .requires_grad(tensor == ProbeTensor::requires_grad));
  }

  void fail(DispatchError error, std::string_view message) {
    outcome_->error = error;
    outcome_->message = message.substr(0, message.find('\n'));
    outcome_->reading.reset();
  }

  torch::Library& library(const std::string& name) {
    const auto found = libraries_.find(name);
    if (found == libraries_.end()) throw NoLibrary("there is no library " + name);
    return found->second;
  }

  torch::CppFunction function(const std::optional<std::size_t>& kernel) const {
    if (!kernel) return torch::CppFunction::makeFallthrough();
    return torch::CppFunction::makeFromBoxedFunctor(std::make_unique<ProbeFunctor>(script_.kernels.at(*kernel)));
  }

  void execute(const MakeLibrary& make) {
    constexpr std::array kinds{torch::Library::DEF, torch::Library::IMPL, torch::Library::FRAGMENT};
    libraries_.insert_or_assign(make.library, torch::Library(kinds[static_cast<std::size_t>(make.kind)], make.space,
                                                             kNoKey, __FILE__, __LINE__));
  }
  void execute(const DefineOp& define) {
    const std::string schema = define.op + std::string(kSchemaTexts[static_cast<std::size_t>(define.schema)]);
    library(define.library).def(torch::schema(schema.c_str()));
  }
  void execute(const ImplOp& impl) {
    library(impl.library)
        .impl(impl.op.c_str(), torch::dispatch(c10::parseDispatchKey(impl.key), function(impl.kernel)));
  }
  void execute(const FallbackOp& fallback) {
    library(fallback.library).fallback(torch::dispatch(c10::parseDispatchKey(fallback.key), function(fallback.kernel)));
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

  Stack stack_for(const c10::OperatorHandle& op, const std::vector<ProbeTensor>& given) const {
    Stack stack;
    std::size_t next = 0;
    const auto tensor = [&] { return tensors_.at(static_cast<std::size_t>(given.at(next++))); };
    for (const c10::Argument& argument : op.schema().arguments()) {
      if (argument.type()->kind() == c10::TypeKind::ListType) {
        c10::List<at::Tensor> list;
        while (next < given.size()) list.push_back(tensor());
        stack.emplace_back(std::move(list));
      } else if (argument.type()->kind() == c10::TypeKind::IntType) {
        stack.emplace_back(std::int64_t{1});
      } else if (const at::Tensor one = tensor(); one.defined()) {
        stack.emplace_back(one);
      } else {
        stack.emplace_back();
      }
    }
    return stack;
  }

  void execute(const InvokeOp& invoke) {
    const auto op = operator_named(invoke.op);
    Stack stack = stack_for(op, invoke.tensors);
    op.callBoxed(&stack);
  }
  void execute(const RedispatchOp& redispatch) {
    const auto op = operator_named(redispatch.op);
    DispatchKeySet keys;
    for (const std::string& key : redispatch.keys) keys = keys | DispatchKeySet(key_named(key));
    Stack stack = stack_for(op, redispatch.tensors);
    op.redispatchBoxed(keys, &stack);
  }

  void execute(const QueryOp& query) {
    const auto op = c10::Dispatcher::singleton().findOp({query.op, ""});
    if (!op) throw std::runtime_error("operator " + query.op + " does not exist");
    const DispatchKey key = c10::parseDispatchKey(query.key);
    switch (query.what) {
      case QueryOp::What::has_kernel:
        outcome_->reading = op->hasKernelForDispatchKey(key);
        return;
      case QueryOp::What::has_computed:
        outcome_->reading = op->hasComputedKernelForDispatchKey(key);
        return;
      case QueryOp::What::falls_through:
        outcome_->reading = falls_through(*op, key);
        return;
    }
  }

  void execute(const QueryTls& query) {
    const DispatchKey key = key_named(query.key);
    const bool included = query.what == QueryTls::What::included;
    outcome_->reading =
        included ? c10::impl::tls_is_dispatch_key_included(key) : c10::impl::tls_is_dispatch_key_excluded(key);
  }

  static bool falls_through(const c10::OperatorHandle& op, DispatchKey key) {
#if TORCH_VERSION_MAJOR >= 2
    return op.isKernelFallthroughKernel(key);
#else
    // 1.13 shows this only in its dump, the newest kernel of a key first.
    const std::string name = std::string(c10::toString(key)) + (c10::isAliasDispatchKey(key) ? "[alias]: " : ": ");
    std::istringstream lines(op.dumpState());
    for (std::string line; std::getline(lines, line);)
      if (line.rfind(name, 0) == 0) return line.find("fallthrough", line.rfind('[')) != std::string::npos;
    throw std::runtime_error("no kernel for " + name);
#endif
  }

  const DispatchScript& script_;
  std::array<at::Tensor, 5> tensors_;
  std::map<std::string, torch::Library> libraries_;
  std::vector<std::shared_ptr<void>> guards_;
  DispatchOutcome* outcome_ = nullptr;
};

DispatchTrace run_here(const DispatchScript& script) {
  Probe probe(script);
  DispatchTrace trace;
  for (const DispatchStatement& statement : script.statements) trace.push_back(probe.step(statement));
  return trace;
}

}  // namespace

DispatchTrace run_dispatch(const DispatchScript& script) {
  // Guards of 1.13 may leave backends in the thread's key sets: the next script must not see them.
  const auto found = c10::impl::tls_local_dispatch_key_set();
  DispatchTrace trace = run_here(script);
  c10::impl::_force_tls_local_dispatch_key_set(found);
  return trace;
}

}  // namespace plumbline::libtorch
