// Dispatch scripts on LibTorch: probe libraries in C++, whose kernels are boxed.
#include "adapters/libtorch/dispatcher_run.h"

#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <c10/core/InferenceMode.h>
#include <c10/core/impl/LocalDispatchKeySet.h>
#include <torch/library.h>
#include <torch/torch.h>

#include <array>
#include <memory>
#include <optional>

#include "adapters/libtorch/custom_operators.h"
#include "adapters/libtorch/key_types.h"
#include "adapters/libtorch/version.h"
#include "adapters/walk/dispatch_walk.h"

namespace plumbline::libtorch {

namespace {

using c10::DispatchKey;
using c10::DispatchKeySet;
using torch::jit::Stack;

/// What a dispatch script is run with.
struct Types : KeyTypes {
  using Library = torch::Library;
  using Exclude = c10::impl::ExcludeDispatchKeyGuard;
  using Include = c10::impl::IncludeDispatchKeyGuard;
  using BelowAutograd = at::AutoDispatchBelowAutograd;
  using BelowADInplaceOrView = at::AutoDispatchBelowADInplaceOrView;
  using InferenceMode = c10::InferenceMode;
};

c10::OperatorHandle operator_named(const std::string& name) {
  return c10::Dispatcher::singleton().findSchemaOrThrow(name.c_str(), "");
}

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

class Probe : public walk::DispatchWalk<Types, Probe> {
 public:
  explicit Probe(const DispatchScript& script) : script_(script) {
    for (std::size_t i = 0; i < tensors_.size(); ++i) tensors_[i] = made(static_cast<ProbeTensor>(i));
  }
  ~Probe() { finish(); }
  Probe(const Probe&) = delete;
  Probe& operator=(const Probe&) = delete;

 private:
  friend DispatchWalk;
  using DispatchWalk::execute;

  /// One kernel of the script, as LibTorch calls it.
  class Functor : public c10::OperatorKernel {
   public:
    Functor(Probe& probe, const ProbeKernel& kernel) : probe_(probe), kernel_(kernel) {}

    void operator()(const c10::OperatorHandle& op, DispatchKeySet keys, Stack* stack) {
      probe_.run(
          kernel_, keys, [&] { operator_named(kernel_.op).callBoxed(stack); },
          [&](DispatchKeySet next) {
            if (kernel_.op.empty()) return op.redispatchBoxed(next, stack);
            operator_named(kernel_.op).redispatchBoxed(next, stack);
          },
          [&] { torch::jit::drop(*stack, op.schema().arguments().size()); });
    }

   private:
    Probe& probe_;
    const ProbeKernel& kernel_;
  };

  void failed() {
    try {
      throw;
    } catch (const c10::Error& error) {
      fail(error_of(error.what_without_backtrace()), error.what_without_backtrace());
    } catch (const std::exception& error) {
      fail(error_of(error.what()), error.what());
    }
  }

  static at::Tensor made(ProbeTensor tensor) {
    if (tensor == ProbeTensor::none) return {};
    const c10::InferenceMode mode(tensor == ProbeTensor::inference);
    return torch::zeros({1}, at::TensorOptions()
                                 .device(tensor == ProbeTensor::meta ? at::kMeta : at::kCPU)
                                 .requires_grad(tensor == ProbeTensor::requires_grad));
  }

  torch::CppFunction function(const std::optional<std::size_t>& kernel) {
    if (!kernel) return torch::CppFunction::makeFallthrough();
    return torch::CppFunction::makeFromBoxedFunctor(std::make_unique<Functor>(*this, script_.kernels.at(*kernel)));
  }

  void execute(const MakeLibrary& make) { hold(make.library, made_library(make)); }
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
    answer(libtorch::answer({query.op, query.key, static_cast<QueryKernel::What>(query.what)}));
  }

  void execute(const QueryTls& query) {
    const DispatchKey key = key_named(query.key);
    const bool included = query.what == QueryTls::What::included;
    answer(included ? c10::impl::tls_is_dispatch_key_included(key) : c10::impl::tls_is_dispatch_key_excluded(key));
  }

  const DispatchScript& script_;
  std::array<at::Tensor, 5> tensors_;
};

}  // namespace

DispatchTrace run_dispatch(const DispatchScript& script) {
  // Guards of 1.13 may leave backends in the thread's key sets: the next script must not see them.
  const auto found = c10::impl::tls_local_dispatch_key_set();
  DispatchTrace trace = walk::each_statement<Probe>(script);
  c10::impl::_force_tls_local_dispatch_key_set(found);
  return trace;
}

}  // namespace plumbline::libtorch
