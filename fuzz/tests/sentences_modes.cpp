// The sentences of guards, key sets and inference tensors (TLS, KEY, INF), as predicates.
#include <array>

#include "fuzz/tests/sentences.h"
#include "spec/ops/op_ids.h"
#include "spec/rules/catalogue.h"
#include "spec/rules/inf.h"

namespace plumbline::fuzz {

namespace {

using enum Functionality;

bool has(const KeySet<Concrete>& keys, const KeySet<Concrete>& asked) { return keys.has_any(asked).v; }
KeySet<Concrete> autograd() { return autograd_keys<Concrete>(); }
bool equal(const KeySet<Concrete>& a, const KeySet<Concrete>& b) { return (a == b).v; }
/// The guard that a step enters.
bool enters(const Step& s, GuardKind kind) {
  const Enter* enter = as<Enter>(s);
  return enter != nullptr && enter->kind == kind;
}
bool enters_mode(const Step& s, bool value) {
  return enters(s, GuardKind::inference_mode) && as<Enter>(s)->value == value;
}
bool enters_grad_mode(const Step& s) {
  return enters(s, GuardKind::no_grad) || enters(s, GuardKind::enable_grad) || enters(s, GuardKind::set_grad_enabled);
}
bool outermost(const Step& s) { return s.after.frames.empty(); }

/// What holds for each existing tensor.
template <class Premise, class Claim>
Said of_each_tensor(const Step& s, Premise premise, Claim claim) {
  Said found = Said::nothing;
  for (const Tensor& one : s.after.tensors) {
    if (!premise(one)) continue;
    if (!claim(one)) return Said::broken;
    found = Said::holds;
  }
  return found;
}

/// The tensors that a factory makes in this step.
const Tensor* made_by_factory(const Step& s) {
  if (raised(s)) return nullptr;
  if (const MakeTensor* make = as<MakeTensor>(s)) return in_slot(s.after, make->result);
  const Call* call = called(s, OpKind::Factory);
  return call == nullptr ? nullptr : result(s, *call);
}

bool sets_requires_grad(const Step& s, bool value, bool inference) {
  const SetRequiresGrad* set = as<SetRequiresGrad>(s);
  const Tensor* one = set == nullptr ? nullptr : in_slot(s.before, set->tensor);
  return one != nullptr && set->value == value && is_inference(*one) == inference;
}
const Tensor* set_one(const Step& s) {
  const SetRequiresGrad* set = as<SetRequiresGrad>(s);
  return set == nullptr ? nullptr : in_slot(s.before, set->tensor);
}

/// An in-place op, or one with out=, on an inference tensor.
const Call* writes_inference(const Step& s) {
  const Call* call = called(s);
  const Tensor* one = call == nullptr ? nullptr : written(s, *call);
  return one != nullptr && is_inference(*one) && call->op != OpId::detach_ && !resizes_to_its_own(s, *call) ? call
                                                                                                            : nullptr;
}
bool layout_alone(const Call& call) { return op(call.op).kind == OpKind::InplaceView; }

constexpr std::array kModeSentences{
    Sentence{&TLS_01, [](const Step& s) { return said(outermost(s), has(s.after.tls.included, ADInplaceOrView)); }},
    Sentence{&TLS_02, [](const Step& s) { return said(enters_mode(s, true), has(s.after.tls.excluded, autograd())); }},
    Sentence{&TLS_03,
             [](const Step& s) { return said(enters_mode(s, true), !has(s.after.tls.included, ADInplaceOrView)); }},
    Sentence{&TLS_04,
             [](const Step& s) {
               return said(enters_mode(s, false) && inside(s), has(s.after.tls.included, ADInplaceOrView) &&
                                                                   !has(s.after.tls.excluded, autograd()) &&
                                                                   !s.after.tls.inference_mode.v);
             }},
    Sentence{&TLS_05,
             [](const Step& s) {
               return said(enters(s, GuardKind::inference_mode),
                           s.after.tls.grad_mode.v != s.after.tls.inference_mode.v);
             }},
    Sentence{&TLS_06,
             [](const Step& s) {
               const bool leaves = as<Exit>(s) != nullptr;
               return said(leaves, leaves && (s.after.tls == s.before.frames.back().found).v);
             }},
    Sentence{&TLS_07,
             [](const Step& s) {
               const bool leaves = raised(s) && s.unwound.frames.size() < s.before.frames.size();
               return said(leaves, leaves && (s.unwound.tls == s.before.frames[s.unwound.frames.size()].found).v);
             }},
    Sentence{&TLS_08,
             [](const Step& s) {
               return said(enters_grad_mode(s), equal(s.before.tls.included, s.after.tls.included) &&
                                                    equal(s.before.tls.excluded, s.after.tls.excluded) &&
                                                    s.before.tls.inference_mode.v == s.after.tls.inference_mode.v);
             }},
    Sentence{&TLS_09, [](const Step& s) { return said(outermost(s), has(s.after.tls.excluded, AutocastCPU)); }},
    Sentence{&TLS_10,
             [](const Step& s) { return said(enters_mode(s, true) && inside(s), s.after.tls.inference_mode.v); }},
    Sentence{&TLS_11,
             [](const Step& s) {
               return said(
                   enters(s, GuardKind::below_autograd),
                   has(s.after.tls.excluded, autograd()) && equal(s.after.tls.included, s.before.tls.included) &&
                       has(s.after.tls.excluded, ADInplaceOrView) == has(s.before.tls.excluded, ADInplaceOrView));
             },
             true},
    Sentence{&TLS_12,
             [](const Step& s) {
               return said(enters(s, GuardKind::below_ad_inplace_or_view),
                           has(s.after.tls.excluded, autograd()) && has(s.after.tls.excluded, ADInplaceOrView));
             },
             true},
    Sentence{&TLS_14,
             [](const Step& s) {
               return said(enters(s, GuardKind::exclude_key), equal(s.after.tls.included, s.before.tls.included));
             },
             true},
    Sentence{&TLS_15,
             [](const Step& s) {
               return said(enters(s, GuardKind::include_key), equal(s.after.tls.excluded, s.before.tls.excluded));
             },
             true},
    Sentence{&TLS_16,
             [](const Step& s) {
               return said(enters(s, GuardKind::below_autograd) || enters(s, GuardKind::below_ad_inplace_or_view),
                           s.before.tls.inference_mode.v == s.after.tls.inference_mode.v &&
                               s.before.tls.grad_mode.v == s.after.tls.grad_mode.v);
             },
             true},
    Sentence{&TLS_17,
             [](const Step& s) {
               return said(as<StartThread>(s) != nullptr, !s.after.tls.inference_mode.v && s.after.tls.grad_mode.v);
             }},
    Sentence{&KEY_02,
             [](const Step& s) {
               return of_each_tensor(
                   s, [](const Tensor& t) { return has(t.meta.keys, ADInplaceOrView); },
                   [](const Tensor& t) { return has(t.meta.keys, Autograd); });
             }},
    Sentence{&KEY_03,
             [](const Step& s) {
               return of_each_tensor(
                   s, [](const Tensor& t) { return has(t.meta.keys, autograd()); },
                   [](const Tensor& t) { return has(t.meta.keys, ADInplaceOrView); });
             }},
    Sentence{&KEY_09,
             [](const Step& s) {
               return of_each_tensor(
                   s, [](const Tensor&) { return true; },
                   [](const Tensor& t) { return has(t.meta.keys, AutocastCPU); });
             }},
    Sentence{&KEY_10,
             [](const Step& s) {
               return of_each_shown(
                   s,
                   [](const TensorReading& one) {
                     return !is_true(one, Field::is_inference) && !is_true(one, Field::requires_grad);
                   },
                   [](const TensorReading& one) {
                     const auto& keys = std::get<std::vector<std::string>>(shown(one, Field::keys));
                     return std::ranges::find(keys, "AutogradCPU") != keys.end();
                   });
             }},
    Sentence{&INF_02,
             [](const Step& s) {
               const Tensor* made = made_by_factory(s);
               return said(made != nullptr, made != nullptr && is_inference(*made) == inside(s));
             }},
    Sentence{&INF_03,
             [](const Step& s) {
               const Call* call = called(s, OpKind::View);
               const Tensor* view = call == nullptr ? nullptr : result(s, *call);
               const Tensor* viewed = view == nullptr ? nullptr : argument(s, *call);
               return said(viewed != nullptr, viewed != nullptr && is_inference(*view) == is_inference(*viewed));
             }},
    Sentence{&INF_04,
             [](const Step& s) {
               const Call* call = called(s, OpKind::Functional);
               const Tensor* made = call == nullptr ? nullptr : result(s, *call);
               const bool own = made != nullptr && is_new(s, *made) &&
                                static_cast<std::size_t>(made->storage) >= s.before.storages.size();
               return said(own, own && is_inference(*made) == inside(s));
             }},
    Sentence{&INF_05, [](const Step& s) { return said(writes_inference(s) != nullptr && !inside(s), raised(s)); }},
    Sentence{&INF_06,
             [](const Step& s) {
               const Call* call = inside(s) ? nullptr : writes_inference(s);
               return said(call != nullptr,
                           call != nullptr && same_elements(s.before, s.after, written(s, *call)->storage));
             }},
    Sentence{&INF_08, [](const Step& s) { return said(sets_requires_grad(s, true, true) && !inside(s), raised(s)); }},
    Sentence{&INF_09,
             [](const Step& s) {
               const bool sets = sets_requires_grad(s, true, true) && inside(s) && is_inexact(set_one(s)->dtype);
               return said(sets, !raised(s));
             }},
    Sentence{&INF_10,
             [](const Step& s) {
               const Call* call = called(s, OpKind::Factory);
               const MakeTensor* make = as<MakeTensor>(s);
               const bool asks = (call != nullptr && call->requires_grad) || (make != nullptr && make->requires_grad);
               const Tensor* made = asks && inside(s) ? made_by_factory(s) : nullptr;
               return said(made != nullptr, made != nullptr && made->meta.requires_grad.v);
             }},
    Sentence{&INF_11, [](const Step& s) { return said(sets_requires_grad(s, false, true), !raised(s)); }},
    Sentence{&INF_13,
             [](const Step& s) {
               const Call* call = called(s);
               const Tensor* to = call == nullptr ? nullptr : written(s, *call);
               const bool mixes = to != nullptr && !is_inference(*to) && any_argument(s, *call, is_inference);
               return said(mixes, error(s) != ErrorClass::inference_inplace);
             }},
    Sentence{&INF_14,
             [](const Step& s) {
               const Call* call = inside(s) ? nullptr : writes_inference(s);
               return said(call != nullptr && layout_alone(*call), raised(s));
             }},
    Sentence{&INF_15,
             [](const Step& s) {
               return said(writes_inference(s) != nullptr && inside(s), error(s) != ErrorClass::inference_inplace);
             }},
    Sentence{&INF_16,
             [](const Step& s) {
               const Call* call = inside(s) ? nullptr : called(s, OpKind::Functional);
               const auto normal = [](const Tensor& one) { return !is_inference(one); };
               const bool mixes =
                   call != nullptr && any_argument(s, *call, is_inference) && any_argument(s, *call, normal);
               return said(mixes, error(s) != ErrorClass::inference_mixed);
             }},
    Sentence{&INF_17,
             [](const Step& s) {
               const Call* call = inside(s) ? nullptr : called(s, OpKind::View);
               const Tensor* viewed = call == nullptr ? nullptr : argument(s, *call);
               return said(viewed != nullptr && is_inference(*viewed), error(s) != ErrorClass::inference_view);
             }},
};

}  // namespace

std::span<const Sentence> sentences_of_modes() { return kModeSentences; }

}  // namespace plumbline::fuzz
