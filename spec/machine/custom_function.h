// A custom function: the state inside its forward, and what `apply` makes of the tensors that forward returned.
#pragma once

#include "spec/machine/history.h"
#include "spec/machine/inplace_or_view.h"

namespace plumbline::machine {

/// A tensor x that forward returned, on its way out of `apply`. Each of those from `as_is` to `view_with_history` says
/// what apply returns for it.
template <class R, class W>
concept Returned = requires(R& r, const Bool<typename W::Domain>& b) {
  { r.is_input() } -> std::same_as<Bool<typename W::Domain>>;
  { r.is_dirty() } -> std::same_as<Bool<typename W::Domain>>;        ///< `ctx.mark_dirty`
  { r.is_marked() } -> std::same_as<Bool<typename W::Domain>>;       ///< `ctx.mark_non_differentiable`
  { r.is_one_of_many() } -> std::same_as<Bool<typename W::Domain>>;  ///< forward returned several tensors
  r.begin(b);                                                        ///< `b`: apply records it
  r.as_is();
  r.as_view();                                    ///< a view of x, made while grad mode is off
  r.as_detached();                                ///< `x.detach()`
  r.with_history();                               ///< x with the function as its history
  r.view_with_history();                          ///< such a view with that history
  r.detach_inplace();                             ///< `x.detach_()`, before x is returned
  r.drop_grad();                                  ///< x loses its `.grad`
  r.refuse_view();                                ///< x is a view that the function must not write
  { r.out() } -> std::same_as<typename W::Name>;  ///< what apply returns for x
};

/// The state inside forward.
template <Domain D>
constexpr Tls<D> inside_forward(const Judge<D>& judge, const Tls<D>& outer) {
  Tls<D> inside = outer;
  inside.grad_mode = forward_grad_mode(judge, outer);
  return inside;
}

/// Counts the write of a dirty input. Raises an error if it must not be written
/// [torch/csrc/autograd/python_function.cpp, mark_dirty; c10/core/TensorImpl.h, bump_version].
template <World W>
constexpr void count_dirty(W& world, typename W::Name x) {
  Write<W> write{};
  write.x = x;
  world.raise(write_error(world, write), x);
  world.count(x, version_step(world.judge(), world.elements(x), world.tls()));
}

/// What apply returns for x if it does not record it.
template <World W, Returned<W> R>
constexpr void wrap_unrecorded(W& world, typename W::Name x, R& returned) {
  using D = typename W::Domain;
  const Judge<D>& judge = world.judge();
  const Bool<D> needs_grad = requires_grad(world, x);
  const Bool<D> viewed = both(!needs_grad && returned.is_input(),
                              [&] { return returned_input_is_view<D>(judge, returned.is_dirty(), false); });
  const Bool<D> detached = unrecorded_is_detached(judge, needs_grad);
  world.when(viewed, [&] { returned.as_view(); });
  world.when(detached && returned.is_input(), [&] { returned.as_detached(); });
  world.when(!viewed && !(detached && returned.is_input()), [&] {
    world.when(detached && !world.meta(x).tracked, [&] { returned.detach_inplace(); });
    returned.as_is();
  });
}

/// What apply returns for a dirty x that it records: x itself [torch/csrc/autograd/custom_function.cpp,
/// _process_backward_mode_ad].
template <World W, Returned<W> R>
constexpr void wrap_dirty(W& world, typename W::Name x, R& returned) {
  using D = typename W::Domain;
  const Judge<D>& judge = world.judge();
  const Meta<D> meta = world.meta(x);
  const Bool<D> needs_grad = requires_grad(world, x);
  world.raise(error_if(both(needs_grad, [&] { return leaf(world, x); }), ErrorClass::leaf_inplace), x);
  world.raise(error_if(meta.tracked && returned.is_one_of_many(), ErrorClass::custom_function), x);
  world.when(dirty_view_checked(judge, meta.tracked),
             [&] { world.attempt([&] { check_inplace<W>(world, x, true); }, [&] { returned.refuse_view(); }); });
  const Bool<D> plain = meta.creation == Choice<D, CreationMeta>(CreationMeta::DEFAULT);
  world.raise(error_if(meta.tracked && !plain, ErrorClass::internal), x);  // reached only if it was not checked
  returned.drop_grad();
  world.when(dirty_is_rebased(judge, returned.is_dirty()), [&] { rebase_history(world, x); });
  returned.as_is();
}

/// What apply returns for x; `recorded`: apply is recorded. Returns whether apply records x.
template <World W, Returned<W> R>
constexpr Bool<typename W::Domain> wrap(W& world, typename W::Name x, const Bool<typename W::Domain>& recorded,
                                        R& returned) {
  using D = typename W::Domain;
  const Judge<D>& judge = world.judge();
  const Bool<D> records =
      both(recorded, [&] { return custom_records(judge, returned.is_marked(), world.floating(x)); });
  const Bool<D> dirty = returned.is_dirty();
  returned.begin(records);
  world.when(!records, [&] { wrap_unrecorded(world, x, returned); });
  world.when(records && dirty, [&] { wrap_dirty(world, x, returned); });
  world.when(records && !dirty, [&] {
    const Bool<D> viewed = both(returned.is_input(), [&] { return returned_input_is_view<D>(judge, false, true); });
    world.when(viewed, [&] { returned.view_with_history(); });
    world.when(!viewed, [&] { returned.with_history(); });
  });
  world.when(!(returned.is_input() && dirty), [&] {
    Meta<D> meta = world.meta(returned.out());
    world.when(meta.tracked, [&] {
      meta.creation = custom_creation(judge, meta.creation);
      world.set_meta(returned.out(), meta);
    });
  });
  return records;
}

}  // namespace plumbline::machine
