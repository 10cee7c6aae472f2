// Entering the optimized runtime's guards.
#include "adapters/optimized/guards.h"

#include "adapters/optimized/failure.h"
#include "optimized/dispatcher/thread_state.h"

namespace plumbline::optimized {

namespace {

KeySet key_set(GuardKey key) {
  switch (key) {
    case GuardKey::ADInplaceOrView:
      return Functionality::ADInplaceOrView;
    case GuardKey::AutogradCPU:
      return KeySet(Functionality::Autograd) | Backend::CPU;
  }
  throw Unsupported{"this adapter does not support this dispatch key"};
}

}  // namespace

Guard enter(const Enter& statement) {
  switch (statement.kind) {
    case GuardKind::inference_mode:
      return std::make_shared<InferenceMode>(statement.value);
    case GuardKind::no_grad:
      return std::make_shared<GradMode>(false);
    case GuardKind::enable_grad:
      return std::make_shared<GradMode>(true);
    case GuardKind::set_grad_enabled:
      return std::make_shared<GradMode>(statement.value);
    case GuardKind::below_autograd:
      return std::make_shared<AutoDispatchBelowAutograd>();
    case GuardKind::below_ad_inplace_or_view:
    case GuardKind::auto_non_variable_type_mode:  // the same guard by its old name, which the migration guide uses
      return std::make_shared<AutoDispatchBelowADInplaceOrView>();
    case GuardKind::exclude_key:
      return std::make_shared<ExcludeKeys>(key_set(statement.key));
    case GuardKind::include_key:
      return std::make_shared<IncludeKeys>(key_set(statement.key));
  }
  throw Unsupported{"this adapter does not support this guard"};
}

}  // namespace plumbline::optimized
