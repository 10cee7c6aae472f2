// The statements that the proofs cover, each once, with free variables for its choices.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "spec/proofs/invariants.h"

namespace plumbline::proofs {

/// A statement's operands and results, and its free choices.
template <Domain D>
struct Operands {
  TensorId<D> x;
  TensorId<D> y;
  TensorId<D> z;
  Fresh<D> fresh;
  Bool<D> asked;            ///< the statement's argument: requires_grad, or a guard's value
  Bool<D> raises;           ///< the kernel raises
  Bool<D> kept;             ///< from now on the proofs look at the tensors saved here
  Bool<D> sizes = true;     ///< resize_ changes the sizes
  Bool<D> strides = false;  ///< resize_ changes the strides, where the sizes stay
};

/// One kind of statement.
template <Domain D>
struct Move {
  std::string_view name;
  std::string_view sentence;
  int tensors = 0;     ///< how many of x, y and z it takes
  bool makes = false;  ///< it makes a tensor
  bool unsafe = false;
  void (*run)(Machine<D>& machine, const Operands<D>& of);
};

template <Domain D>
std::vector<Move<D>> moves() {
  using M = Machine<D>&;
  using O = const Operands<D>&;
  return {
      {"factory", "torch.ones(…, requires_grad=b)", 0, true, false, [](M m, O of) { m.factory(of.fresh, of.asked); }},
      {"add", "z = torch.add(x, y)", 2, true, false,
       [](M m, O of) { m.functional(of.x, of.y, of.fresh, FunctionalKind::add, of.kept); }},
      {"mul", "z = torch.mul(x, y), which saves x and y", 2, true, false,
       [](M m, O of) { m.functional(of.x, of.y, of.fresh, FunctionalKind::mul, of.kept); }},
      {"div", "z = torch.div(x, y), which saves y, and x for y's gradient", 2, true, false,
       [](M m, O of) { m.functional(of.x, of.y, of.fresh, FunctionalKind::div, of.kept); }},
      {"clone", "y = x.clone()", 1, true, false,
       [](M m, O of) { m.functional(of.x, of.x, of.fresh, FunctionalKind::clone, of.kept); }},
      {"view", "y = x.view(…)", 1, true, false, [](M m, O of) { m.view(of.x, of.fresh, ViewKind::plain); }},
      {"split", "y, … = x.split(…)", 1, true, false, [](M m, O of) { m.view(of.x, of.fresh, ViewKind::many); }},
      {"view-dtype", "y = x.view(dtype)", 1, true, false, [](M m, O of) { m.view(of.x, of.fresh, ViewKind::retyped); }},
      {"detach", "y = x.detach()", 1, true, false, [](M m, O of) { m.view(of.x, of.fresh, ViewKind::detached); }},
      {"add_", "x.add_(y)", 2, false, false,
       [](M m, O of) { m.write(of.x, of.y, WriteKind::elements, false, of.raises, of.kept); }},
      {"mul_", "x.mul_(y), which saves y", 2, false, false,
       [](M m, O of) { m.write(of.x, of.y, WriteKind::elements, true, of.raises, of.kept); }},
      {"transpose_", "x.transpose_(0, 1)", 1, false, false,
       [](M m, O of) { m.write(of.x, of.x, WriteKind::layout, false, of.raises, of.kept); }},
      {"resize_", "x.resize_(…)", 1, false, false,
       [](M m, O of) { m.resize(of.x, {of.sizes, of.strides}, of.raises); }},
      {"out", "torch.add(x, y, out=z), or torch.gt(x, y, out=z)", 3, false, false,
       [](M m, O of) { m.out(of.x, of.y, of.z, of.asked, of.raises); }},
      {"detach_", "x.detach_()", 1, false, false, [](M m, O of) { m.detach_inplace(of.x); }},
      {"requires_grad", "x.requires_grad = b", 1, false, false, [](M m, O of) { m.set_requires_grad(of.x, of.asked); }},
      {"grad_fn", "x.grad_fn is read", 1, false, false, [](M m, O of) { m.ask(of.x); }},
      {"backward", "a backward that needs what was saved of x", 1, false, false, [](M m, O of) { m.backward(of.x); }},
      {"inference_mode", "with torch.inference_mode(b):", 0, false, false,
       [](M m, O of) { m.enter({GuardKind::inference_mode, of.asked}); }},
      {"set_grad_enabled", "with torch.set_grad_enabled(b):", 0, false, false,
       [](M m, O of) { m.enter({GuardKind::set_grad_enabled, of.asked}); }},
      {"leave", "a guard is left, also by an error", 0, false, false, [](M m, O of) { m.leave(of.raises); }},
      {"data", "y = x.data", 1, true, true, [](M m, O of) { m.get_data(of.x, of.fresh); }},
      {"set-data", "x.data = y", 2, false, true, [](M m, O of) { m.set_data(of.x, of.y, of.fresh); }},
      {"set_", "x.set_(y)", 2, false, true, [](M m, O of) { m.set_source(of.x, of.y, of.fresh); }},
      {"raw-write", "a custom op's kernel writes x's elements through data_ptr", 1, false, true,
       [](M m, O of) { m.raw_write(of.x); }},
      {"below-autograd", "with torch._C._AutoDispatchBelowAutograd():", 0, false, true,
       [](M m, O) { m.enter({GuardKind::below_autograd}); }},
      {"below-ad-inplace-or-view", "with torch._C._AutoDispatchBelowADInplaceOrView():", 0, false, true,
       [](M m, O) { m.enter({GuardKind::below_ad_inplace_or_view}); }},
      {"auto-non-variable-type-mode", "at::AutoNonVariableTypeMode guard;", 0, false, true,
       [](M m, O) { m.enter({GuardKind::auto_non_variable_type_mode}); }},
      {"exclude-view", "with torch._C._ExcludeDispatchKeyGuard(ADInplaceOrView):", 0, false, true,
       [](M m, O) { m.enter({GuardKind::exclude_key, false, KeySet<D>(Functionality::ADInplaceOrView)}); }},
      {"exclude-autograd", "with torch._C._ExcludeDispatchKeyGuard(AutogradCPU):", 0, false, true,
       [](M m, O) { m.enter({GuardKind::exclude_key, false, KeySet<D>(Functionality::Autograd) | Backend::CPU}); }},
      {"include-view", "with torch._C._IncludeDispatchKeyGuard(ADInplaceOrView):", 0, false, true,
       [](M m, O) { m.enter({GuardKind::include_key, false, KeySet<D>(Functionality::ADInplaceOrView)}); }},
      {"include-autograd", "with torch._C._IncludeDispatchKeyGuard(AutogradCPU):", 0, false, true,
       [](M m, O) { m.enter({GuardKind::include_key, false, KeySet<D>(Functionality::Autograd) | Backend::CPU}); }},
  };
}

}  // namespace plumbline::proofs
