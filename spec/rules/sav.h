// SAV: the hooks of saved tensors: `torch.autograd.graph.saved_tensors_hooks(pack, unpack)`.
#pragma once

#include "spec/rules/rule.h"
#include "spec/vocabulary/tensor_meta.h"

namespace plumbline {

inline constexpr Rule SAV_01{Family::SAV, 1};
inline constexpr Rule SAV_02{Family::SAV, 2};
inline constexpr Rule SAV_03{Family::SAV, 3};
inline constexpr Rule SAV_04{Family::SAV, 4};
inline constexpr Rule SAV_05{Family::SAV, 5};
inline constexpr Rule SAV_06{Family::SAV, 6};
inline constexpr Rule SAV_07{Family::SAV, 7};
inline constexpr Rule SAV_08{Family::SAV, 8};

/// Whether a tensor that is saved is given to the pack hook; `hooks`: a pair of hooks is in effect.
template <Domain D>
constexpr Bool<D> saved_is_packed(const Judge<D>& judge, const Bool<D>& hooks) {
  return judge(SAV_01, hooks, Bool<D>(false));
}
/// Whether backward gives the unpack hook what was saved, and uses what it returns; `packed`: a hook packed it.
template <Domain D>
constexpr Bool<D> saved_is_unpacked(const Judge<D>& judge, const Bool<D>& packed) {
  return judge(SAV_02, packed, Bool<D>(false));
}
/// Whether the pack hook gets the tensor itself that is saved, and not a copy.
template <Domain D>
constexpr Bool<D> pack_gets_tensor(const Judge<D>& judge) {
  return judge(SAV_03, Bool<D>(true), Bool<D>(false));
}
/// Whether backward compares the versions of a saved tensor; `packed`: a hook packed it.
template <Domain D>
constexpr Bool<D> saved_version_is_checked(const Judge<D>& judge, const Bool<D>& packed) {
  return judge(SAV_04, !packed, Bool<D>(true));
}
/// Whether the pack hook may have done this; `writes`: it has written what it got.
template <Domain D>
constexpr Error<D> check_pack(const Judge<D>& judge, const Bool<D>& writes) {
  return error_if(judge(SAV_05, writes, Bool<D>(false)), ErrorClass::pack_writes);
}
/// Whether the innermost pair of hooks is used, and not the outermost.
template <Domain D>
constexpr Bool<D> innermost_pair_packs(const Judge<D>& judge) {
  return judge(SAV_06, Bool<D>(true), Bool<D>(false));
}
/// Grad mode in the pack hook; `outside`: where the tensor is saved.
template <Domain D>
constexpr Bool<D> pack_grad_mode(const Judge<D>& judge, const Bool<D>& outside) {
  return judge(SAV_07, Bool<D>(false), outside);
}
/// Whether a new thread has the hooks of the thread that starts it.
template <Domain D>
constexpr Bool<D> thread_inherits_saved_hooks(const Judge<D>& judge) {
  return judge(SAV_08, Bool<D>(false), Bool<D>(true));
}

}  // namespace plumbline
