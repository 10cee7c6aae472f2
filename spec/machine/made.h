// What a tensor is that a statement makes or exchanges: its keys, its version counter, its base and creation metadata,
// and what it shares with the tensor that it is made from.
#pragma once

#include "spec/machine/world.h"
#include "spec/rules/aut.h"
#include "spec/rules/geo_exchange.h"
#include "spec/rules/view.h"

namespace plumbline::machine {

/// A tensor that a statement makes. Its elements, geometry and dtype are for the kernel to say.
template <Domain D>
struct Made {
  Error<D> error;          ///< raised in place of the tensor
  Meta<D> meta;            ///< but for the bits Conjugate and Negative, and for a history
  Bool<D> shares_storage;  ///< with the tensor that it is made from, as views do; if not, it has one of its own
  Bool<D> shares_counter;  ///< likewise, if it is counted
  Bool<D> base_of_source;  ///< its base is the base of that tensor, not that tensor; if it is tracked
  Bool<D> is_source;       ///< nothing is made: the result is that tensor itself
  Num<D> version;          ///< the first of its counter, if it has one of its own
  Bool<D> free_version;    ///< no rule says which versions that counter has by now
};

/// What `torch.ones(…, requires_grad=asked)` makes; `floating`: of a floating or complex dtype.
template <Domain D>
constexpr Made<D> new_tensor(const Judge<D>& judge, const Bool<D>& asked, const Bool<D>& floating, const Tls<D>& tls) {
  Made<D> made;
  made.error = check_grad_dtype(judge, floating, asked);
  const Bool<D> inference = factory_inference(judge, tls);
  made.meta.keys = tensor_keys(judge, inference);
  made.meta.requires_grad = factory_requires_grad(judge, asked, tls);
  made.meta.counted = fresh_counted(judge, inference);
  made.version = factory_version(judge);
  return made;
}

/// What the kernel of a functional op makes.
template <Domain D>
struct Result {
  Bool<D> any_inference;    ///< an argument that the op does not write is an inference tensor
  Bool<D> first_inference;  ///< its first tensor is one
  Bool<D> hidden;           ///< the ops inside the kernel do not count: it was called by the Autograd kernel
  bool piece = false;       ///< it has memory of the first tensor: a piece of unsafe_split
  bool clones = false;      ///< the op is clone
};
/// A result of a functional op; `first_counted`: the op's first tensor, if any, has a version counter.
template <Domain D>
constexpr Made<D> new_result(const Judge<D>& judge, const Result<D>& result, const Bool<D>& first_counted,
                             const Tls<D>& tls) {
  Made<D> made;
  const Bool<D> inference = result.piece ? result.first_inference : result_inference(judge, tls, result.any_inference);
  made.free_version = result.piece ? Bool<D>(false) : first_version_free(result.hidden, tls);
  made.meta.keys = tensor_keys(judge, inference);
  made.shares_storage = Bool<D>(result.piece) || !result_owns_storage(judge, Bool<D>(result.clones));
  made.meta.counted =
      both(fresh_counted(judge, inference), [&] { return free_version_counted(judge, made.free_version); });
  made.shares_counter = both(made.meta.counted, [&] { return result_shares_counter(judge, first_counted); });
  return made;
}

/// What a view op does besides its geometry.
struct ViewOp {
  bool detach = false;     ///< it is detach
  bool untracked = false;  ///< autograd does not track its result: detach, and a view in another dtype
  bool retypes = false;    ///< it is view(dtype)
  bool own_dtype = false;  ///< and the dtype is that of the tensor
  bool many = false;       ///< it has many results
};
/// Whether the result of a view op shares the counter of the tensor that it is made from; `normal`: neither is an
/// inference tensor.
template <Domain D>
constexpr Bool<D> view_shares(const Judge<D>& judge, const ViewOp& op, const Bool<D>& normal,
                              const Bool<D>& in_kernel) {
  return branch(
      in_kernel, [&] { return op.detach ? detach_shares_counter(judge, normal) : view_shares_counter(judge, normal); },
      [&] { return view_below_shares_counter(judge, normal); });
}
/// A view of `source`, which is an inference tensor if `of_inference`. `in_kernel`: its ADInplaceOrView kernel ran.
/// `needs_grad()`: whether the source requires grad, as read; asked only for an op that autograd does not track.
template <Domain D, class NeedsGrad>
constexpr Made<D> new_view(const Judge<D>& judge, const Meta<D>& source, const Bool<D>& of_inference, const ViewOp& op,
                           const Bool<D>& in_kernel, const Tls<D>& tls, const NeedsGrad& needs_grad) {
  using C = Choice<D, CreationMeta>;
  Made<D> made;
  const Bool<D> keeps_dtype = own_dtype_is_self(judge, Bool<D>(op.own_dtype));
  made.is_source = keeps_dtype && (of_inference || !in_kernel);
  const auto inference_if = [&](bool retyped) { return view_inference(judge, of_inference, tls, retyped); };
  const Bool<D> inference =
      branch(keeps_dtype, [&] { return inference_if(false); }, [&] { return inference_if(op.retypes); });
  made.meta.keys = tensor_keys(judge, inference);

  const Bool<D> bare = of_inference || inference;
  made.shares_counter = view_shares(judge, op, !bare, in_kernel);
  made.meta.counted = branch(
      bare,
      [&] {
        return either(fresh_counted(judge, inference), [&] {
          return both(of_inference && Bool<D>(op.detach), [&] { return detach_makes_counter(judge, tls); });
        });
      },
      [&] { return !made.shares_counter || source.counted; });

  const Bool<D> asked = op.untracked ? detach_tracked(judge, of_inference) : view_tracked(judge, of_inference, tls);
  made.meta.tracked = select(in_kernel, asked, view_below_tracked(judge, of_inference));
  made.error = branch(
      made.meta.tracked, [&] { return check_tracked_counter(judge, source.counted); },
      [] { return Error<D>(ErrorClass::none); });
  made.base_of_source = both(made.meta.tracked, [&] { return base_is_root(judge, source.tracked); });
  made.meta.creation = branch(
      made.meta.tracked,
      [&] {
        const C inherited = select(source.tracked, source.creation, C(CreationMeta::DEFAULT));
        return creation_meta(judge, inherited, op.many, tls);
      },
      [] { return C(CreationMeta::DEFAULT); });
  if (op.untracked) made.meta.requires_grad = detach_requires_grad(judge, needs_grad());
  return made;
}

/// `x.data`; `needs_grad`: x requires grad, as read.
template <Domain D>
constexpr Made<D> new_data(const Judge<D>& judge, const Meta<D>& x, const Bool<D>& needs_grad, const Tls<D>& tls) {
  Made<D> made;
  const Bool<D> of_inference = is_inference(judge, x, tls);
  made.meta.keys = data_keys(judge, x.keys, tls);
  made.meta.requires_grad = data_requires_grad(judge, needs_grad);
  made.shares_counter = data_shares_counter(judge);
  const Bool<D> makes = either(fresh_counted(judge, of_inference), [&] { return data_makes_counter(judge, tls); });
  made.meta.counted = select(made.shares_counter, x.counted, makes);
  made.meta.tracked = data_tracked(judge, of_inference);
  made.shares_storage = data_shares_storage(judge);
  return made;
}

/// What `x.data = y` needs to know of a tensor.
template <Domain D>
struct Exchanged {
  Meta<D> meta;
  Bool<D> needs_grad;  ///< it requires grad, as read
  Bool<D> floating;    ///< it has a floating or complex dtype
};
/// What x is after `x.data = y`. If it does not share y's counter, it keeps its own.
template <Domain D>
constexpr Made<D> after_set_data(const Judge<D>& judge, const Exchanged<D>& from, const Exchanged<D>& to) {
  const Meta<D>& x = from.meta;
  const Meta<D>& y = to.meta;
  Made<D> made;
  made.error = check_set_data(judge, from.needs_grad, to.floating);
  made.meta = x;
  made.meta.requires_grad = set_data_requires_grad(judge, x.requires_grad, to.needs_grad);
  made.meta.keys = set_data_keys(judge, x.keys, y.keys);
  made.shares_counter = set_data_shares_counter(judge);
  made.meta.counted = select(made.shares_counter, y.counted, x.counted);
  made.meta.tracked = exchanged_stays_view(judge, x.tracked);
  made.shares_storage = set_data_shares_storage(judge);
  return made;
}

/// What x is after the kernel of `x.set_(y)`. It keeps its counter.
template <Domain D>
constexpr Made<D> after_set_source(const Judge<D>& judge, const Meta<D>& x, const Meta<D>& y) {
  Made<D> made;
  made.meta = x;
  made.meta.keys = set_source_keys(judge, x.keys, y.keys);
  made.meta.tracked = exchanged_stays_view(judge, x.tracked);
  made.shares_storage = set_source_shares_storage(judge);
  return made;
}

}  // namespace plumbline::machine
