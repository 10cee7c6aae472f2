// The ADInplaceOrView kernel of a call, before and after the kernel of the backend.
#pragma once

#include "spec/machine/world.h"
#include "spec/rules/ver.h"

namespace plumbline::machine {

/// Before the backend's kernel of a view op on x; `after_autograd`: its Autograd kernel ran.
template <World W>
constexpr void before_view(W& world, typename W::Name x, const Bool<typename W::Domain>& after_autograd) {
  const auto below = after_autograd || world.tls().excluded.has_any(autograd_keys<typename W::Domain>());
  world.raise(check_view_inference(world.judge(), inference(world, x), below), x);
}

/// A call that writes x in its ADInplaceOrView kernel.
template <World W>
struct Write {
  typename W::Name x;
  Bool<typename W::Domain> operand;  ///< another operand is an inference tensor
  bool layout_only = false;          ///< only sizes and strides may change
};

/// The error of a write to an inference tensor, if it is refused.
template <World W>
constexpr Error<typename W::Domain> write_error(W& world, const Write<W>& write) {
  return check_inplace_inference(world.judge(), !world.meta(write.x).counted, write.operand, write.layout_only,
                                 world.tls());
}
/// Before the backend's kernel.
template <World W>
constexpr void before_write(W& world, const Write<W>& write) {
  world.when(checks_before_write(world.judge()), [&] { world.raise(write_error(world, write), write.x); });
}
/// After the backend's kernel raised an error.
template <World W>
constexpr void after_failed_write(W& world, typename W::Name x) {
  world.count(x, version_step_on_error(world.judge()));
}
/// Counts the call that wrote x; `times`: how often its kernel counts, which is once unless the op says otherwise.
template <World W>
constexpr void count_write(W& world, typename W::Name x, std::int64_t times = 1) {
  const auto step = version_step(world.judge(), world.elements(x), world.tls());
  for (std::int64_t i = 0; i < times; ++i) world.count(x, step);
}
/// After the backend's kernel.
template <World W>
constexpr void after_write(W& world, const Write<W>& write, std::int64_t times = 1) {
  world.when(!checks_before_write(world.judge()), [&] { world.raise_after_write(write_error(world, write), write.x); });
  count_write(world, write.x, times);
}

}  // namespace plumbline::machine
