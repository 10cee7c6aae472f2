// The state of PyTorch's functionalization: wrapper tensors, functional storages and view metas, as plain values
// [aten/src/ATen/FunctionalTensorWrapper.h, FunctionalStorageImpl.h].
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "spec/vocabulary/statement.h"

namespace plumbline::reference::functorch {

/// A view op that can be replayed on a base and undone.
struct ViewMeta {
  OpId view{};
  std::vector<Value> arguments;   ///< the arguments after the first
  std::size_t out_index = 0;      ///< which of the op's results it is
  bool is_as_strided = false;     ///< as_strided itself, not as_strided_ or the meta of a resize_
  bool is_reshape_alias = false;  ///< _reshape_alias, written as as_strided; it does not check bounds
  bool reapply_views = false;     ///< that of the body that made it, also when another body replays it
};

/// FunctionalTensorWrapper. Tensors are indices into `State::tensors`.
struct Wrapper {
  std::int32_t value = -1;
  std::int32_t storage = -1;  ///< index into `Wrappers::storages`
  std::vector<ViewMeta> metas;
  std::int64_t generation = 0;
  std::int64_t offset = 0;    ///< its own offset; in-place views do not change it (in 1.13 only resize_ does not)
  std::int64_t elements = 0;  ///< its own number of elements, which composite ops read; changes likewise
};

/// FunctionalStorageImpl.
struct FunctionalStorage {
  struct Update {
    std::int32_t value;
    std::vector<ViewMeta> metas;
  };
  std::int32_t base = -1;
  std::int64_t bytes = 0;  ///< how many bytes the base reached when it was wrapped
  std::vector<Update> updates;
  std::int64_t generation = 0;
  std::int32_t original = -1;  ///< the wrapped tensor, if it is known
};

/// The layer of a running body; a nested body's layer is above the outer one's.
struct Wrappers {
  bool reapply_views = false;
  std::optional<OpId> composite;            ///< the composite op that makes the call
  std::map<std::int32_t, Wrapper> tensors;  ///< by the wrapper's tensor
  std::vector<FunctionalStorage> storages;
  std::vector<std::int32_t> inputs;      ///< the caller's tensors
  std::vector<std::int32_t> parameters;  ///< their wrappers
};

}  // namespace plumbline::reference::functorch
