// The sentences of versions, views and memory (VER, VIEW, GEO), as predicates.
#include <array>

#include "fuzz/tests/sentences.h"
#include "spec/ops/op_ids.h"
#include "spec/rules/catalogue.h"
#include "spec/rules/geo_ops.h"
#include "spec/rules/ver.h"
#include "spec/rules/view.h"

namespace plumbline::fuzz {

namespace {

bool counted(const Tensor& one) { return one.counter >= 0; }
/// The result of `detach`.
const Tensor* detached(const Step& s) {
  const Call* call = called(s);
  return call != nullptr && call->op == OpId::detach ? result(s, *call) : nullptr;
}
const Tensor* self(const Step& s) { return argument(s, *as<Call>(s)); }

bool resizes(const Step& s) {
  const Call* call = called(s);
  return call != nullptr && call->op == OpId::resize_ && !resizes_to_its_own(s, *call);
}

/// The counter of the normal tensor of an in-place op, after the op has succeeded or failed.
std::optional<std::int32_t> written_counter(const Step& s) {
  const Call* call = called(s);
  const Tensor* one = call == nullptr ? nullptr : written(s, *call);
  if (one == nullptr || !counted(*one) || is_inference(*one) || call->op == OpId::detach_ ||
      resizes_to_its_own(s, *call) || op(call->op).kind == OpKind::Out)
    return std::nullopt;
  return one->counter;
}
bool steps_by(const Step& s, std::int32_t counter, std::int64_t step) {
  const auto i = static_cast<std::size_t>(counter);
  return s.after.counters[i].version == s.before.counters[i].version + step;
}
bool is_empty(const Tensor& one) { return reference::element_count(reference::sizes_of(one.geometry)) == 0; }

/// A new tensor that a view op makes, and its source; without `detach`, view(dtype) and ops that return the same
/// tensor.
struct Viewing {
  const Call* call = nullptr;
  const Tensor* view = nullptr;
  const Tensor* viewed = nullptr;
  explicit operator bool() const { return viewed != nullptr; }
};
Viewing views(const Step& s) {
  const Call* call = called(s, OpKind::View);
  const Tensor* view = call == nullptr || call->op == OpId::detach ? nullptr : result(s, *call);
  if (view == nullptr || !is_new(s, *view)) return {};
  return {call, view, argument(s, *call)};
}
Viewing normal_view(const Step& s) {
  const Viewing viewing = views(s);
  return viewing && !is_inference(*viewing.viewed) && viewing.call->op != OpId::view_dtype ? viewing : Viewing{};
}
/// Of a tensor whose own views would have creation metadata DEFAULT.
Viewing first_view(const Step& s) {
  const Viewing viewing = normal_view(s);
  return viewing && !tracked(*viewing.viewed) ? viewing : Viewing{};
}
bool created(const Tensor& one, CreationMeta creation) {
  return (one.meta.creation == Choice<Concrete, CreationMeta>(creation)).v;
}
bool created(const Viewing& viewing, CreationMeta creation) { return created(*viewing.view, creation); }
/// Of a tensor that is not a view made inside inference mode.
Viewing made_outside(const Step& s) {
  const Viewing viewing = normal_view(s);
  return viewing && !created(*viewing.viewed, CreationMeta::INFERENCE_MODE) ? viewing : Viewing{};
}

Viewing functional(const Step& s) {
  const Call* call = called(s, OpKind::Functional);
  const Tensor* made = call == nullptr ? nullptr : result(s, *call);
  if (made == nullptr || !is_new(s, *made)) return {};
  return {call, made, made};
}

bool unnamed_by_others(const Step& s, const Tensor& made) {
  return static_cast<std::size_t>(made.storage) >= s.before.storages.size();
}

constexpr std::array kViewSentences{
    Sentence{&VER_01,
             [](const Step& s) {
               const MakeTensor* make = as<MakeTensor>(s);
               const Call* call = called(s, OpKind::Factory);
               const Tensor* made = raised(s)         ? nullptr
                                    : make != nullptr ? in_slot(s.after, make->result)
                                    : call != nullptr ? result(s, *call)
                                                      : nullptr;
               const bool normal = made != nullptr && !is_inference(*made);
               return said(normal, normal && counted(*made) && version(s.after, *made) == 0);
             }},
    Sentence{&VER_02,
             [](const Step& s) {
               Said found = Said::nothing;
               for (const Tensor& one : s.after.tensors) {
                 if (!is_inference(one)) continue;
                 if (counted(one)) return Said::broken;
                 found = Said::holds;
               }
               return found;
             }},
    Sentence{&VER_03,
             [](const Step& s) {
               const auto counter = raised(s) ? std::nullopt : written_counter(s);
               return said(counter.has_value(), counter && steps_by(s, *counter, 1));
             }},
    Sentence{&VER_04,
             [](const Step& s) {
               const Viewing viewing = normal_view(s);
               return said(bool(viewing) && tracked(*viewing.view),
                           viewing && tracked(*viewing.view) &&
                               viewing.view->counter == tensor(s.after, viewing.view->base).counter);
             }},
    Sentence{&VER_05,
             [](const Step& s) {
               const Tensor* made = detached(s);
               const bool normal = made != nullptr && !is_inference(*self(s));
               return said(normal, normal && made->counter == self(s)->counter);
             }},
    Sentence{&VER_06,
             [](const Step& s) {
               const Tensor* made = detached(s);
               const bool of_inference = made != nullptr && is_inference(*self(s));
               return said(of_inference, of_inference && !counted(*made));
             }},
    Sentence{&VER_07,
             [](const Step& s) {
               const Viewing made = functional(s);
               const bool own = made && !is_inference(*made.view) && unnamed_by_others(s, *made.view) &&
                                any_argument(s, *made.call, [](const Tensor& one) { return !is_inference(one); });
               return said(own, own && static_cast<std::size_t>(made.view->counter) >= s.before.counters.size() &&
                                    version(s.after, *made.view) == 0);
             }},
    Sentence{&VER_08,
             [](const Step& s) {
               const auto counter = raised(s) ? std::nullopt : written_counter(s);
               const bool empty = counter && is_empty(*self(s));
               return said(empty, empty && steps_by(s, *counter, 1));
             }},
    Sentence{&VER_09,
             [](const Step& s) {
               const auto counter = raised(s) ? written_counter(s) : std::nullopt;
               return said(counter.has_value(), counter && steps_by(s, *counter, 0));
             }},
    Sentence{&VER_11,
             [](const Step& s) {
               const bool below = s.before.tls.excluded.has_any(Functionality::ADInplaceOrView).v;
               const Viewing viewing = below ? normal_view(s) : Viewing{};
               return said(bool(viewing), viewing && viewing.view->counter != viewing.viewed->counter);
             },
             true},
    Sentence{&VER_12,
             [](const Step& s) {
               const GetData* get = raised(s) ? nullptr : as<GetData>(s);
               const bool normal = get != nullptr && !is_inference(*in_slot(s.before, get->tensor));
               const Tensor* made = normal ? in_slot(s.after, get->result) : nullptr;
               return said(normal, normal && counted(*made) && version(s.after, *made) == 0 &&
                                       static_cast<std::size_t>(made->counter) >= s.before.counters.size());
             },
             true},
    Sentence{&VER_13,
             [](const Step& s) {
               const GetData* get = raised(s) ? nullptr : as<GetData>(s);
               const bool inference = get != nullptr && is_inference(*in_slot(s.before, get->tensor));
               return said(inference, inference && !counted(*in_slot(s.after, get->result)));
             },
             true},
    Sentence{&VER_18,
             [](const Step& s) {
               const bool outside = resizes(s) && is_inference(*self(s)) && !inside(s);
               return said(outside, raised(s));
             }},
    Sentence{&VIEW_01,
             [](const Step& s) {
               const Viewing viewing = normal_view(s);
               return said(bool(viewing), viewing && tracked(*viewing.view));
             }},
    Sentence{&VIEW_02,
             [](const Step& s) {
               const Call* call = called(s, OpKind::View);
               const Tensor* viewed = call == nullptr ? nullptr : argument(s, *call);
               const Viewing viewing = views(s);
               return said(viewed != nullptr && is_inference(*viewed) && (viewing || raised(s)),
                           viewing ? !tracked(*viewing.view) : error(s) != ErrorClass::inference_version);
             }},
    Sentence{&VIEW_03,
             [](const Step& s) {
               const Viewing viewing = normal_view(s);
               const bool second = viewing && tracked(*viewing.viewed);
               return said(second, second && viewing.view->base == viewing.viewed->base);
             }},
    Sentence{&VIEW_04,
             [](const Step& s) {
               const Viewing viewing = inside(s) ? normal_view(s) : Viewing{};
               return said(bool(viewing), viewing && created(viewing, CreationMeta::INFERENCE_MODE));
             }},
    Sentence{&VIEW_05,
             [](const Step& s) {
               const Viewing viewing = !inside(s) && !grad_mode(s) ? made_outside(s) : Viewing{};
               return said(bool(viewing), viewing && created(viewing, CreationMeta::NO_GRAD_MODE));
             }},
    Sentence{&VIEW_06,
             [](const Step& s) {
               const Viewing viewing = !inside(s) && grad_mode(s) ? made_outside(s) : Viewing{};
               const bool several = viewing && op(viewing.call->op).many_results;
               return said(several, several && created(viewing, CreationMeta::MULTI_OUTPUT_NODE));
             }},
    Sentence{&VIEW_07,
             [](const Step& s) {
               const Viewing viewing = !inside(s) && grad_mode(s) ? normal_view(s) : Viewing{};
               const bool inherits = viewing && tracked(*viewing.viewed) && !op(viewing.call->op).many_results;
               return said(inherits, inherits && viewing.view->meta.creation.v == viewing.viewed->meta.creation.v);
             }},
    Sentence{&VIEW_10,
             [](const Step& s) {
               const Viewing retyped = views(s) && views(s).call->op == OpId::view_dtype ? views(s) : Viewing{};
               const Tensor* made = retyped ? retyped.view : detached(s);
               return said(made != nullptr, made != nullptr && !tracked(*made));
             }},
    Sentence{&VIEW_13,
             [](const Step& s) {
               const Viewing viewing = inside(s) && grad_mode(s) ? first_view(s) : Viewing{};
               return said(bool(viewing), viewing && created(viewing, CreationMeta::INFERENCE_MODE));
             }},
    Sentence{&VIEW_15,
             [](const Step& s) {
               const bool below = s.before.tls.excluded.has_any(Functionality::ADInplaceOrView).v;
               const Viewing viewing = below ? normal_view(s) : Viewing{};
               return said(bool(viewing), viewing && !tracked(*viewing.view));
             },
             true},
    Sentence{&VIEW_16,
             [](const Step& s) {
               const GetData* get = raised(s) ? nullptr : as<GetData>(s);
               return said(get != nullptr, get != nullptr && !tracked(*in_slot(s.after, get->result)));
             },
             true},
    Sentence{&VIEW_20,
             [](const Step& s) {
               const Call* call = called(s);
               const Tensor* piece =
                   call != nullptr && call->op == OpId::unsafe_split_Tensor ? result(s, *call) : nullptr;
               return said(piece != nullptr, piece != nullptr && !tracked(*piece));
             },
             true},
    Sentence{&GEO_26,
             [](const Step& s) {
               const Viewing made = functional(s);
               return said(bool(made), made && unnamed_by_others(s, *made.view));
             }},
    Sentence{&GEO_64,
             [](const Step& s) {
               const Call* call = called(s);
               const bool own = call != nullptr && call->op == OpId::resize_ && resizes_to_its_own(s, *call) &&
                                !raised(s) &&
                                std::holds_alternative<None>(call->arguments.back());  // without a memory format
               return said(own, own && same(self(s)->geometry,
                                            in_slot(s.after, std::get<Slot>(call->arguments.front()))->geometry));
             }},
};

}  // namespace

std::span<const Sentence> sentences_of_views() { return kViewSentences; }

}  // namespace plumbline::fuzz
