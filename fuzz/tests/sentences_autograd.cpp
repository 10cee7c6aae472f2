// The sentences of autograd (AUT), as predicates.
#include <array>

#include "fuzz/tests/sentences.h"
#include "reference/call.h"
#include "spec/ops/op_ids.h"
#include "spec/rules/aut_backward.h"
#include "spec/rules/aut_grad.h"
#include "spec/rules/aut_hooks.h"
#include "spec/rules/aut_inputs.h"
#include "spec/rules/catalogue.h"

namespace plumbline::fuzz {

namespace {

constexpr auto is_leaf = [](const Tensor& one) { return one.node == reference::kNoNode; };

/// A call of this op, and its tensor.
const Tensor* of(const Step& s, OpId id) {
  const Call* call = called(s);
  return call != nullptr && call->op == id ? argument(s, *call) : nullptr;
}
const Tensor* after_it(const Step& s, OpId id) {
  return of(s, id) == nullptr ? nullptr : in_slot(s.after, std::get<Slot>(as<Call>(s)->arguments.front()));
}

/// Whether a call makes its result with a history.
bool recorded(const Step& s, const Call& call) {
  const Tensor* made = result(s, call);
  return made != nullptr && is_new(s, *made) && made->node != reference::kNoNode;
}
const Call* functional_call(const Step& s) {
  const Call* call = called(s, OpKind::Functional);
  return call != nullptr && result(s, *call) != nullptr ? call : nullptr;
}
bool needs_grad(const Step& s, const Call& call) {
  return any_argument(s, call, [&](const Tensor& one) { return requires_grad(s.before, one); });
}
/// The tensor whose requires_grad is set.
const Tensor* set_one(const Step& s, bool value) {
  const SetRequiresGrad* set = as<SetRequiresGrad>(s);
  return set != nullptr && set->value == value ? in_slot(s.before, set->tensor) : nullptr;
}
const Tensor* root(const Step& s) {
  const Backward* from = as<Backward>(s);
  return from == nullptr ? nullptr : in_slot(s.before, from->tensor);
}
bool one_element(const Tensor& one) { return reference::element_count(reference::sizes_of(one.geometry)) == 1; }
/// The `.grad` that a leaf has after this step, but did not have before.
const Tensor* new_grad(const Step& s, std::size_t leaf) {
  const TensorId grad = s.after.tensors[leaf].grad;
  const bool had = leaf < s.before.tensors.size() && s.before.tensors[leaf].grad != reference::kNoTensor;
  return root(s) == nullptr || raised(s) || had || grad == reference::kNoTensor ? nullptr : &tensor(s.after, grad);
}
template <class Claim>
Said of_new_grads(const Step& s, Claim claim) {
  Said found = Said::nothing;
  for (std::size_t i = 0; i < s.after.tensors.size(); ++i) {
    const Tensor* grad = new_grad(s, i);
    if (grad == nullptr || s.after.tensors[i].node != reference::kNoNode) continue;
    if (!claim(*grad)) return Said::broken;
    found = Said::holds;
  }
  return found;
}
bool shares_with_another(const State& state, const Tensor& grad) {
  return std::ranges::any_of(state.tensors,
                             [&](const Tensor& one) { return &one != &grad && one.storage == grad.storage; });
}

/// An input that a custom function's forward returned unchanged, before apply processed it.
const Tensor* returned_input(const Step& s) {
  const LeaveForward* leave = as<LeaveForward>(s);
  if (leave == nullptr || raised(s) || leave->returned.empty()) return nullptr;
  const auto& inputs = s.before.frames.back().forward->inputs;
  const TensorId id = s.before.slots[static_cast<std::size_t>(leave->returned.front())];
  return std::ranges::find(inputs, id) == inputs.end() ? nullptr : &tensor(s.before, id);
}

constexpr std::array kAutogradSentences{
    Sentence{&AUT_01,
             [](const Step& s) {
               const Call* call = functional_call(s);
               const bool off = call != nullptr && !grad_mode(s) && needs_grad(s, *call);
               return said(off, off && !recorded(s, *call));
             }},
    Sentence{&AUT_02,
             [](const Step& s) {
               const Call* call = functional_call(s);
               const bool none = call != nullptr && !needs_grad(s, *call);
               return said(none, none && !recorded(s, *call));
             }},
    Sentence{&AUT_09,
             [](const Step& s) {
               const Tensor* one = set_one(s, false);
               return said(one != nullptr && !is_leaf(*one), raised(s));
             }},
    Sentence{&AUT_10,
             [](const Step& s) {
               const Call* call = called(s);
               const Tensor* made = of(s, OpId::detach) == nullptr ? nullptr : result(s, *call);
               return said(made != nullptr, made != nullptr && !requires_grad(s.after, *made));
             }},
    Sentence{&AUT_12,
             [](const Step& s) {
               const Tensor* one = set_one(s, true);
               return said(one != nullptr && !is_inexact(one->dtype) && is_leaf(*one), raised(s));
             }},
    Sentence{&AUT_13,
             [](const Step& s) {
               const Call* call = functional_call(s);
               const bool made = call != nullptr && recorded(s, *call);
               const auto id = made ? static_cast<TensorId>(result(s, *call) - s.after.tensors.data()) : 0;
               return said(made, made && reference::requires_grad_of(s.judge, s.after, id));
             }},
    Sentence{&AUT_20,
             [](const Step& s) {
               return of_each_shown(
                   s,
                   [&](const TensorReading& one) {
                     const reference::NodeId node = in_slot(s.after, one.tensor)->node;
                     const bool custom =
                         node != reference::kNoNode &&
                         s.after.nodes[static_cast<std::size_t>(node)].kind == reference::Node::Kind::custom;
                     return is_true(one, Field::is_inference) && !custom;
                   },
                   [](const TensorReading& one) { return is_true(one, Field::is_leaf); });
             }},
    Sentence{&AUT_24,
             [](const Step& s) {
               const Tensor* from = root(s);
               return said(from != nullptr && !requires_grad(s.before, *from), raised(s));
             }},
    Sentence{&AUT_28,
             [](const Step& s) {
               if (root(s) == nullptr || !raised(s)) return Said::nothing;
               for (std::size_t i = 0; i < s.before.tensors.size(); ++i)
                 if (s.after.tensors[i].grad != s.before.tensors[i].grad) return Said::broken;
               return Said::holds;
             }},
    Sentence{&AUT_29,
             [](const Step& s) {
               const Tensor* from = root(s);
               const bool implicit = from != nullptr && !as<Backward>(s)->gradient && !one_element(*from);
               return said(implicit, raised(s));
             }},
    Sentence{&AUT_30,
             [](const Step& s) {
               const Backward* from = as<Backward>(s);
               const Tensor* given = from != nullptr && from->gradient ? in_slot(s.before, *from->gradient) : nullptr;
               const bool other =
                   given != nullptr && reference::sizes_of(given->geometry) != reference::sizes_of(root(s)->geometry);
               return said(other, raised(s));
             }},
    Sentence{&AUT_31,
             [](const Step& s) {
               Said found = Said::nothing;
               if (root(s) == nullptr || raised(s) || !as<Backward>(s)->inputs.empty()) return found;
               for (std::size_t i = 0; i < s.before.tensors.size(); ++i) {
                 const Tensor& one = s.before.tensors[i];
                 if (is_leaf(one) || one.node >= static_cast<reference::NodeId>(s.after.nodes.size())) continue;
                 const auto& output =
                     s.before.nodes[static_cast<std::size_t>(one.node)].outputs[static_cast<std::size_t>(one.output)];
                 if (output.retained != reference::kNoTensor) continue;
                 if (s.after.tensors[i].grad != one.grad) return Said::broken;
                 found = Said::holds;
               }
               return found;
             }},
    Sentence{&AUT_33,
             [](const Step& s) {
               const RetainGrad* retain = as<RetainGrad>(s);
               const Tensor* one = retain == nullptr ? nullptr : in_slot(s.before, retain->tensor);
               return said(one != nullptr && !requires_grad(s.before, *one), raised(s));
             }},
    Sentence{&AUT_34,
             [](const Step& s) {
               const Tensor* one = of(s, OpId::detach_);
               return said(one != nullptr && tracked(*one) && !inside(s), raised(s));
             }},
    Sentence{&AUT_35,
             [](const Step& s) {
               const Tensor* one = raised(s) || inside(s) ? nullptr : after_it(s, OpId::detach_);
               return said(one != nullptr && !is_inference(*one),
                           one != nullptr && !requires_grad(s.after, *one) && is_leaf(*one) &&
                               (one->counter < 0 || version(s.after, *one) == version(s.before, *one)));
             }},
    Sentence{&AUT_36,
             [](const Step& s) {
               const Call* call = called(s, OpKind::Out);
               const bool differentiable = call != nullptr && (op(call->op).differentiable & 1U) != 0;
               return said(differentiable && !inside(s) && grad_mode(s) && needs_grad(s, *call), raised(s));
             }},
    Sentence{&AUT_37,
             [](const Step& s) {
               const Tensor* one = of(s, OpId::resize_);
               return said(one != nullptr && !is_inference(*one) && !inside(s) && requires_grad(s.before, *one),
                           raised(s));
             }},
    Sentence{
        &AUT_42,
        [](const Step& s) { return said(as<EnterForward>(s) != nullptr && !raised(s), !s.after.tls.grad_mode.v); }},
    Sentence{&AUT_43,
             [](const Step& s) {
               const Tensor* one = returned_input(s);
               if (one == nullptr) return Said::nothing;
               const auto& forward = *s.before.frames.back().forward;
               const TensorId id = static_cast<TensorId>(one - s.before.tensors.data());
               const bool dirty = std::ranges::find(forward.dirty, id) != forward.dirty.end();
               const bool records = s.after.tls.grad_mode.v && !s.after.tls.inference_mode.v;
               if (!records && requires_grad(s.before, *one)) return Said::nothing;  // AUT-61
               const Tensor* made = in_slot(s.after, as<LeaveForward>(s)->results.front());
               const bool itself = made == &tensor(s.after, id);
               return said(true, dirty ? itself : !itself && made->storage == one->storage);
             }},
    Sentence{&AUT_45,
             [](const Step& s) {
               if (as<LeaveForward>(s) == nullptr || raised(s)) return Said::nothing;
               const auto& dirty = s.before.frames.back().forward->dirty;
               if (dirty.empty() || tensor(s.before, dirty.front()).counter < 0) return Said::nothing;
               const Tensor& one = tensor(s.before, dirty.front());
               const Tensor& now = tensor(s.after, dirty.front());
               const auto node = static_cast<std::size_t>(now.node);
               const bool has_function = s.before.frames.back().forward->recorded && !is_leaf(now) &&
                                         s.after.nodes[node].kind == reference::Node::Kind::custom;
               return said(true, version(s.after, one) == version(s.before, one) + 1 &&
                                     (has_function || tracked(one) || !s.before.frames.back().forward->recorded));
             }},
    Sentence{&AUT_50,
             [](const Step& s) {
               return of_new_grads(s, [&](const Tensor& grad) { return !shares_with_another(s.after, grad); });
             }},
    Sentence{&AUT_60,
             [](const Step& s) {
               return of_new_grads(s, [&](const Tensor& grad) { return is_inference(grad) == inside(s); });
             }},
    Sentence{&AUT_61,
             [](const Step& s) {
               const Tensor* one = returned_input(s);
               const bool left = one != nullptr && requires_grad(s.before, *one) && is_leaf(*one) && !tracked(*one) &&
                                 !s.after.tls.grad_mode.v;
               return said(left,
                           left && !requires_grad(s.after, *in_slot(s.after, as<LeaveForward>(s)->results.front())));
             }},
    Sentence{&AUT_69,
             [](const Step& s) {
               const GetGradients* get = as<GetGradients>(s);
               if (get == nullptr || raised(s)) return Said::nothing;
               for (std::size_t i = 0; i < s.before.tensors.size(); ++i)
                 if (is_leaf(s.before.tensors[i]) && s.after.tensors[i].grad != s.before.tensors[i].grad)
                   return Said::broken;
               return Said::holds;
             }},
    Sentence{&AUT_70,
             [](const Step& s) {
               const Backward* run = as<Backward>(s);
               if (run == nullptr || run->inputs.empty() || raised(s)) return Said::nothing;
               for (std::size_t i = 0; i < s.before.tensors.size(); ++i) {
                 const bool chosen = std::ranges::any_of(
                     run->inputs, [&](Slot slot) { return in_slot(s.before, slot) == &s.before.tensors[i]; });
                 if (!chosen && is_leaf(s.before.tensors[i]) && s.after.tensors[i].grad != s.before.tensors[i].grad)
                   return Said::broken;
               }
               return Said::holds;
             }},
    Sentence{&AUT_72,
             [](const Step& s) {
               const GetGradients* get = as<GetGradients>(s);
               const bool wrong = get != nullptr && std::ranges::any_of(get->inputs, [&](Slot slot) {
                                    const Tensor* one = in_slot(s.before, slot);
                                    return one != nullptr && !requires_grad(s.before, *one);
                                  });
               return said(wrong, raised(s));
             }},
    Sentence{&AUT_75,
             [](const Step& s) {
               const RegisterHook* hook = as<RegisterHook>(s);
               const Tensor* one = hook == nullptr ? nullptr : in_slot(s.before, hook->tensor);
               return said(one != nullptr && !requires_grad(s.before, *one), raised(s));
             }},
};

}  // namespace

std::span<const Sentence> sentences_of_autograd() { return kAutogradSentences; }

}  // namespace plumbline::fuzz
