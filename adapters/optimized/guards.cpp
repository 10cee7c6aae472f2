// Entering the optimized runtime's guards.
#include "adapters/optimized/guards.h"

#include "adapters/optimized/failure.h"
#include "adapters/optimized/key_types.h"
#include "optimized/dispatcher/thread_state.h"

namespace plumbline::optimized {

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
      return std::make_shared<ExcludeKeys>(KeyTypes::keys(statement.key));
    case GuardKind::include_key:
      return std::make_shared<IncludeKeys>(KeyTypes::keys(statement.key));
  }
  throw Unsupported{"this adapter does not support this guard"};
}

}  // namespace plumbline::optimized
