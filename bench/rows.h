// The rows that are measured: the call, its mode, its size, and its target.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace plumbline::bench {

/// What a row calls, by the public entries of a side.
enum class Call : std::uint8_t {
  dispatch,  ///< an op of our own whose kernel does nothing
  guard,     ///< InferenceMode entered and left
  add,
  add_,
  copy_,
  sum,
  view,
  slice,
  empty,
  mlp,           ///< addmm, relu, addmm: 8-16-4 for one input
  mm,            ///< square
  illegal,       ///< an in-place op on an inference tensor outside the mode: thrown and caught
  deep,          ///< a chain of `size` views of views; the time is for one view
  alive,         ///< add of one element while `size` tensors are alive
  nested,        ///< the guard, `size` guards deep
  row,           ///< a row of a functional tensor is selected, written and synced
  rows,          ///< the same for `size` rows of 1 KB of one base; the time is for one row
  bump,          ///< one version counter is bumped, without any op
  guard_below,   ///< AutoDispatchBelowADInplaceOrView entered and left: what AutoNonVariableTypeMode was before the RFC
  guard_legacy,  ///< AutoNonVariableTypeMode as it ships today entered and left: LibTorch alone has it
  write_fused,   ///< an in-place op of our own whose Autograd kernel bumps the version, as before the RFC
  write_split,   ///< the same op, where a kernel at ADInplaceOrView bumps it: one more redispatch
  op_fallback,   ///< a functional op of our own at Functionalize: by the boxed fallback
  op_generated,  ///< the same op, with an unboxed kernel at Functionalize, as a code generator writes it
  chain,         ///< `size` pointwise ops, each on the result of the one before; the time is for one op
  perceptron,    ///< mm, add, relu, mm, add, relu: 64 rows of 512
  attention,     ///< 512 places of 64: mm, mul, add, softmax, mm
};
std::string_view name_of(Call call);

enum class Mode : std::uint8_t {
  normal,      ///< nothing requires grad
  grad,        ///< an input requires grad, so calls are recorded
  no_grad,     ///< the same under no_grad
  inference,   ///< inference tensors under InferenceMode
  ideal,       ///< normal, with ours in the RFC's ideal end state
  functional,  ///< functional tensors of normal ones, with the key Functionalize included
  below,       ///< normal tensors under AutoDispatchBelowADInplaceOrView
  outside,     ///< inference tensors outside inference mode
  lazy,        ///< normal tensors on the lazy device, and beside them the same call on the CPU
};
std::string_view name_of(Mode mode);

enum class Threads : std::uint8_t {
  one,      ///< pinned to one CPU
  callers,  ///< two threads make the same call on the same operands
  inside,   ///< one caller, and the op may use two threads
};

struct Case {
  Call call;
  Mode mode = Mode::inference;
  std::int64_t size = 0;  ///< elements of an operand, rows of a matrix, or a depth; 0: the call has no size
  Threads threads = Threads::one;
};

/// "add/1024/inference", "view/normal/callers".
std::string id_of(const Case& one);

/// What PERFORMANCE.md asks of a case.
struct Target {
  Case what;
  std::string_view title;  ///< the row there
  double ratio = 0;        ///< how many times faster than LibTorch as it is installed
  double tuned_ratio = 0;  ///< and than LibTorch with a fast allocator, AVX-512 and a fast BLAS; 0: no target
  double floor_ns =
      0;  ///< time of a prototype that does only what the semantics force, as PERFORMANCE.md has it; 0: none
  double protocol_ratio = 0;  ///< the target for a runtime with biased counts, which ours does not have; 0: none
  double protocol_floor = 0;  ///< the floor with biased counts
  std::string_view as = {};   ///< the case whose measured ratio is the target instead
};

const std::vector<Target>& targets();
/// Every case: those of the targets first, then the other modes, sizes and threads, and how cost grows.
const std::vector<Case>& cases();
/// The case of this name.
std::optional<Case> find_case(std::string_view id);

/// The targets that are not times: bytes that a view keeps, and calls of malloc.
inline constexpr double kMostKept_bytes = 192;
inline constexpr double kMostMallocs = 0;
/// Whether a tuned LibTorch is measured too: rows in which allocation or GEMM takes the time.
constexpr bool is_tunable(const Case& one) {
  return one.call == Call::mm || one.call == Call::empty || one.call == Call::add;
}

/// How many things a call makes. The time of a row is for one of them.
constexpr std::int64_t items_of(const Case& one) {
  return one.call == Call::deep || one.call == Call::rows || one.call == Call::chain ? one.size : 1;
}
/// Whether a case is one of the lazy runners'. They are processes of their own, since a second device costs each op of
/// the CPU a branch.
constexpr bool is_lazy(const Case& one) { return one.mode == Mode::lazy; }
/// Whether callgrind counts its instructions in acceptable time, and without those of malloc.
constexpr bool is_countable(const Case& one) {
  const std::int64_t most = one.call == Call::mm ? 64 : one.call == Call::deep || one.call == Call::rows ? 10 : 1024;
  return one.threads == Threads::one && one.call != Call::alive && !is_lazy(one) && one.size <= most;
}

/// Whether a side can have the case at all.
constexpr bool is_on(const Case& one, std::string_view side) {
  return one.call != Call::guard_legacy || side == "libtorch";
}

/// Whether its measurement takes seconds: its operands are 64 MiB each, or a product takes tens of milliseconds, or a
/// chain is of a thousand ops.
constexpr bool is_heavy(const Case& one) {
  if (one.call == Call::chain) return one.size >= 1000;
  return one.size >= (one.call == Call::mm ? std::int64_t{1024} : std::int64_t{1} << 24U);
}

}  // namespace plumbline::bench
