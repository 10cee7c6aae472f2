// Hooks of saved tensors.
#include "optimized/autograd/saved_hooks.h"

#include <utility>

#include "optimized/tensor/error.h"

namespace plumbline::optimized {

Tensor SavedHooks::pack(const Tensor& tensor) const {
  const GradMode off(false);
  const std::uint64_t version = tensor.impl().version();
  Tensor packed = pack_(tensor);
  if (tensor.impl().version() != version) raise(ErrorClass::pack_writes);
  return packed;
}

SavedTensorsHooks::SavedTensorsHooks(SavedHooks::Function pack, SavedHooks::Function unpack)
    : hooks_(Ref<SavedHooks>::adopt(new SavedHooks(std::move(pack), std::move(unpack)))),
      found_(std::exchange(active_saved_hooks, hooks_.get())) {
  saved_hooks_were_used = true;
}

SavedTensorsHooks::~SavedTensorsHooks() { active_saved_hooks = found_; }

}  // namespace plumbline::optimized
