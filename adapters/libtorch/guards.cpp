// Entering LibTorch's guards.
#include "adapters/libtorch/guards.h"

#include <ATen/core/LegacyTypeDispatch.h>
#include <c10/core/GradMode.h>
#include <c10/core/InferenceMode.h>
#include <c10/core/impl/LocalDispatchKeySet.h>

#include "adapters/libtorch/failure.h"
#include "adapters/libtorch/key_types.h"

namespace at {
struct AutoNonVariableTypeMode;  // deprecated since 1.9: a later LibTorch may not define it
}

namespace plumbline::libtorch {

namespace {

template <class T>
concept Defined = requires { sizeof(T); };

/// A template, so that this also compiles with a LibTorch without the class.
template <class Mode>
Guard deprecated_guard() {
  if constexpr (Defined<Mode>)
    return std::make_shared<Mode>(true);
  else
    throw Unsupported{"this LibTorch has no at::AutoNonVariableTypeMode"};
}

}  // namespace

Guard enter(const Enter& statement) {
  switch (statement.kind) {
    case GuardKind::inference_mode:
      return std::make_shared<c10::InferenceMode>(statement.value);
    case GuardKind::no_grad:
      return std::make_shared<c10::AutoGradMode>(false);
    case GuardKind::enable_grad:
      return std::make_shared<c10::AutoGradMode>(true);
    case GuardKind::set_grad_enabled:
      return std::make_shared<c10::AutoGradMode>(statement.value);
    case GuardKind::below_autograd:
      return std::make_shared<at::AutoDispatchBelowAutograd>();
    case GuardKind::below_ad_inplace_or_view:
      return std::make_shared<at::AutoDispatchBelowADInplaceOrView>();
    case GuardKind::exclude_key:
      return std::make_shared<c10::impl::ExcludeDispatchKeyGuard>(KeyTypes::keys(statement.key));
    case GuardKind::include_key:
      return std::make_shared<c10::impl::IncludeDispatchKeyGuard>(KeyTypes::keys(statement.key));
    case GuardKind::auto_non_variable_type_mode:
      return deprecated_guard<at::AutoNonVariableTypeMode>();
  }
  throw Unsupported{"this adapter does not support this guard"};
}

}  // namespace plumbline::libtorch
