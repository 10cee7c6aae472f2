// What PyTorch's functionalization keeps: wrapper tensors, functional storages and view metas, as plain values
// [aten/src/ATen/FunctionalTensorWrapper.h, FunctionalStorageImpl.h].
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "spec/statement.h"

namespace plumbline::reference::functorch {

/// A view op, as it is replayed on a base and undone.
struct ViewMeta {
  OpId view{};
  std::vector<Value> arguments;   ///< behind the first
  std::size_t out_index = 0;      ///< which of the op's results it is
  bool is_as_strided = false;     ///< as_strided itself, not as_strided_ or what resize_ leaves
  bool is_reshape_alias = false;  ///< as_strided in _reshape_alias' place, which looks at no bounds
  bool reapply_views = false;     ///< of the body in which it was made: it is replayed so in every other one
};

/// FunctionalTensorWrapper. Tensors are indices into `State::tensors`.
struct Wrapper {
  std::int32_t value = -1;
  std::int32_t storage = -1;  ///< index into `Wrappers::storages`
  std::vector<ViewMeta> metas;
  std::int64_t generation = 0;
  std::int64_t offset = 0;    ///< the wrapper's own, which views in place leave; in 1.13 resize_ alone does
  std::int64_t elements = 0;  ///< and its own count, which composite ops ask for; the same
};

/// FunctionalStorageImpl.
struct FunctionalStorage {
  struct Update {
    std::int32_t value;
    std::vector<ViewMeta> metas;
  };
  std::int32_t base = -1;
  std::int64_t bytes = 0;  ///< what the base reached when it was wrapped
  std::vector<Update> updates;
  std::int64_t generation = 0;
  std::int32_t original = -1;  ///< what was wrapped, if that is known
};

/// The layer while a body runs in it; that of a body within a body stands on the outer one's.
struct Wrappers {
  bool reapply_views = false;
  std::optional<OpId> composite;            ///< the composite op that makes the call
  std::map<std::int32_t, Wrapper> tensors;  ///< by the tensor that is the wrapper
  std::vector<FunctionalStorage> storages;
  std::vector<std::int32_t> inputs;      ///< the caller's
  std::vector<std::int32_t> parameters;  ///< and their wrappers
};

}  // namespace plumbline::reference::functorch
