// Ops of which only the schema is known: the implementation's own run in the simplest form.
#include "reference/by_schema.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <memory>
#include <utility>

#include "reference/call.h"
#include "reference/raise.h"
#include "spec/ops/op_ids.h"
#include "spec/rules/view.h"
#include "spec/vocabulary/call_slots.h"

namespace plumbline::reference {

namespace {

using Installed = std::shared_ptr<const PlainRun>;

std::atomic<Installed>& installed() {
  static std::atomic<Installed> run;
  return run;
}

/// A place of an argument in the call, as the plain call numbers it.
struct Given {
  TensorId tensor;
  std::size_t number;
};

class BySchema {
 public:
  explicit BySchema(const KernelCall& call) : call_(call) {}

  PlainCall plain_call() {
    if (!computes_by_schema())
      throw ReferenceLimit(
          text("what ", name(), " computes: only its schema is known, and no implementation is asked"));
    if (call_.op == OpId::linalg_eigvals_out && call_.judge.profile == Profile::torch_1_13)
      refuse_by_schema(call_.op, "is composite in PyTorch 1.13, and counts the versions of what it calls");
    for (std::size_t i = 0; i < op(call_.op).arguments.size(); ++i)
      if (op(call_.op).arguments[i].name == "unsafe" && call_.arguments.flag(i))
        refuse_by_schema(call_.op, "checks nothing with unsafe=True");
    PlainCall plain{call_.op, {}, {call_.arguments.values().begin(), call_.arguments.values().end()}};
    plain.no_grad = !call_.state.tls.grad_mode.v;
    each_argument_slot(plain, [&](Slot& slot) { slot = static_cast<Slot>(number_of(held(call_.state, slot), plain)); });
    if (beside_ && (name().starts_with("as_strided") || name() == "slice_inverse"))
      refuse_by_schema(call_.op, "reads memory beside its argument's elements");
    return plain;
  }

  std::vector<bool> hidden_views() {
    PlainCall plain = plain_call();
    plain.escaped = true;
    std::vector<bool> views;
    for (const PlainTensor& result : run_plainly(plain).results) views.push_back(result.is_view);
    return views;
  }

  Effect effect() {
    PlainCall plain = plain_call();
    refuse_shared_writes();
    const PlainOutcome as_laid_out = run_plainly(plain);
    if (as_laid_out.failure) {
      if (written_argument(op(call_.op)) < 0) throw Raise{*as_laid_out.failure};
      return raised_after(call_.judge, made(as_laid_out, as_laid_out), *as_laid_out.failure);
    }
    if (std::ranges::all_of(plain.tensors, [](const PlainTensor& t) { return is_row_major(t.sizes, t.strides); }))
      return made(as_laid_out, as_laid_out);
    lay_out_by_rows(plain);
    const PlainOutcome row_major_run = run_plainly(plain);
    return made(as_laid_out, row_major_run.failure ? as_laid_out : row_major_run);
  }

 private:
  std::string name() const { return qualified_name(op(call_.op)); }

  std::size_t number_of(TensorId id, PlainCall& plain) {
    for (const Given& given : given_)
      if (given.tensor == id) return given.number;
    const Tensor& tensor = call_.state.tensors[static_cast<std::size_t>(id)];
    PlainTensor made{tensor.dtype, sizes_of(tensor.geometry), strides_of(tensor.geometry), tensor.geometry.offset.v,
                     elements_of(call_.state, tensor)};
    for (Element& element : made.elements) {
      if (!element.known) refuse_by_schema(call_.op, "on elements that are not specified");
      rounded_ = rounded_ || element.error > 0;
      element.trace = -1;
    }
    const std::int64_t whole = capacity(call_.state.storages[static_cast<std::size_t>(tensor.storage)], tensor.dtype);
    beside_ =
        beside_ || !is_row_major(made.sizes, made.strides) || whole != static_cast<std::int64_t>(made.elements.size());
    if (made.elements.empty()) made.room = whole;
    plain.tensors.push_back(std::move(made));
    given_.push_back({id, plain.tensors.size() - 1});
    return plain.tensors.size() - 1;
  }

  void refuse_shared_writes() const {
    const int written = written_argument(op(call_.op));
    if (written < 0) return;
    const TensorId id = call_.arguments.tensor(static_cast<std::size_t>(written));
    int places = 0;
    for (const Value& value : call_.arguments.values())
      each_slot_of(value, [&](Slot slot) { places += held(call_.state, slot) == id ? 1 : 0; });
    if (places > 1) refuse_by_schema(call_.op, "writes an argument that it also reads");
    for (const Given& other : given_)
      if (other.tensor != id && storage_of(other.tensor) == storage_of(id))
        refuse_by_schema(call_.op, "writes memory that another argument sees");
  }
  std::int32_t storage_of(TensorId id) const { return call_.state.tensors[static_cast<std::size_t>(id)].storage; }

  Effect made(const PlainOutcome& as_laid_out, const PlainOutcome& values) {
    Effect effect;
    const int written = written_argument(op(call_.op));
    if (op(call_.op).kind == OpKind::View && !as_laid_out.results.empty() && as_laid_out.results.front().in_first)
      return views(as_laid_out);
    if (written < 0) {
      for (const PlainTensor& one : as_laid_out.results) {
        if (one.in_first || one.in_other) refuse_by_schema(call_.op, "returns an argument or shares its memory");
        if (one.is_view) refuse_by_schema(call_.op, "returns a view of a tensor that no one sees");
      }
      for (std::size_t i = 0; i < as_laid_out.results.size(); ++i) {
        const PlainTensor& one = as_laid_out.results[i];
        Fresh fresh{one.sizes, one.strides, one.dtype, elements(one, values.results.at(i)), one.offset};
        const std::vector<std::int64_t> places = places_of(geometry_of(one.sizes, one.strides, one.offset));
        const auto last = std::ranges::max_element(places);
        const std::size_t extent = last == places.end() ? 0 : static_cast<std::size_t>(*last) + 1;
        if (extent != fresh.elements.size()) fresh.around.resize(extent, Element{.known = false});
        effect.fresh.push_back(std::move(fresh));
      }
      return effect;
    }
    const TensorId id = call_.arguments.tensor(static_cast<std::size_t>(written));
    const auto number = std::ranges::find(given_, id, &Given::tensor)->number;
    const Tensor& before = call_.state.tensors[static_cast<std::size_t>(id)];
    repeated_ = repeats_places(before.geometry);
    const PlainTensor& after = as_laid_out.after.at(number);
    effect.written = elements(after, values.after.at(number));
    if (op(call_.op).composite) effect.counts = as_laid_out.versions.at(number);
    if (after.sizes != sizes_of(before.geometry) || after.strides != strides_of(before.geometry)) {
      effect.layout = geometry_of(after.sizes, after.strides, before.geometry.offset.v);
      std::int64_t last = -1;
      for (const std::int64_t place : places_of(*effect.layout)) last = std::max(last, place);
      effect.grown = last + 1;
      if (as_laid_out.failure) effect.written->assign(after.elements.size(), Element{.known = false});  // new memory
    }
    return effect;
  }

  /// Views of the first argument: the run had its strides and offset.
  Effect views(const PlainOutcome& outcome) const {
    Effect effect;
    for (const PlainTensor& one : outcome.results) {
      if (!one.in_first || one.in_other || one.dtype != outcome.after.front().dtype)
        refuse_by_schema(call_.op, "returns views of different kinds");
      effect.is_self = one.is_first;
      effect.views.push_back(geometry_of(one.sizes, one.strides, one.offset));
    }
    return effect;
  }

  std::vector<Element> elements(const PlainTensor& laid_out, const PlainTensor& exact) const {
    std::vector<Element> all = with_bounds(call_.op, laid_out, exact);
    for (Element& element : all) element.known = element.known && !rounded_ && !repeated_;
    return all;
  }

  const KernelCall& call_;
  std::vector<Given> given_;
  bool rounded_ = false;   ///< an argument was rounded: the implementation's own differs in its last bits
  bool beside_ = false;    ///< the memory of an argument is not its elements, in their order
  bool repeated_ = false;  ///< elements of the written argument share memory: the order of writing shows
};

}  // namespace

void compute_by_schema(PlainRun run) {
  installed() = run ? std::make_shared<const PlainRun>(std::move(run)) : Installed();
}

bool computes_by_schema() { return installed().load() != nullptr; }

Effect effect_by_schema(const KernelCall& call) { return BySchema(call).effect(); }

void refuse_by_schema(OpId of, std::string_view what) {
  throw ReferenceLimit(text(qualified_name(op(of)), ", known by its schema, ", what));
}

PlainCall plain_call_of(const KernelCall& call) { return BySchema(call).plain_call(); }

void lay_out_by_rows(PlainCall& plain) {
  for (PlainTensor& tensor : plain.tensors) {
    tensor.strides = row_major(tensor.sizes);
    tensor.offset = 0;
  }
}

PlainOutcome run_plainly(const PlainCall& plain) {
  PlainOutcome outcome = (*installed().load())(plain);
  if (!outcome.limit.empty())
    throw ReferenceLimit(text(qualified_name(op(plain.op)), ", known by its schema: ", outcome.limit));
  return outcome;
}

namespace {

/// Of a complex element, the larger part.
double size_of(const Element& element) { return std::fmax(std::fabs(element.real), std::fabs(element.imag)); }

}  // namespace

std::vector<Element> with_bounds(OpId of, const PlainTensor& laid_out, const PlainTensor& exact) {
  if (exact.elements.size() != laid_out.elements.size()) return laid_out.elements;
  std::vector<Element> all = exact.elements;
  double largest = 0;
  for (const Element& element : all)
    if (std::isfinite(element.real) && std::isfinite(element.imag)) largest = std::max(largest, size_of(element));
  // BLAS blocks its sums by alignment; a few sums of a result's size may differ.
  const double unit = ulp_of(1, laid_out.dtype) / 2;  // the largest share of a number that rounding changes
  const double blas = op(of).blas ? largest * unit * 64 : 0;
  const double share = std::min(unit * 2048, 0.02);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const double change = std::fmax(std::fabs(all[i].real - laid_out.elements[i].real),
                                    std::fabs(all[i].imag - laid_out.elements[i].imag));
    if (change > 0 && change <= share * (1 + size_of(all[i]))) all[i].error = change;
    if (is_inexact(laid_out.dtype)) all[i].error = std::max(all[i].error, blas);
  }
  return all;
}

void check_on_meta_by_schema(const KernelCall& call) {
  PlainCall plain = plain_call_of(call);
  plain.on_meta = true;
  const PlainOutcome outcome = run_plainly(plain);
  if (outcome.failure && call.judge.profile == Profile::torch_1_13)  // it does not ask the kernel of every such op
    throw ReferenceLimit(text(qualified_name(op(call.op)), ", known by its schema, raises an error on meta in 1.13"));
  if (outcome.failure) throw Raise{*outcome.failure};
}

void forget_elements(State& state, TensorId written) {
  std::vector<Element> elements = elements_of(state, at(state, written));
  for (Element& element : elements) element.known = false;
  write_elements(state, at(state, written), elements);
}

void hide_bases(const KernelCall& call, State& state, std::vector<TensorId>& results) {
  if (state.tls.inference_mode.v) return;
  const std::vector<bool> views = BySchema(call).hidden_views();
  for (std::size_t i = 0; i < results.size() && i < views.size(); ++i) {
    if (!stack_gives_view<Concrete>(call.judge, views[i]).v) continue;
    Tensor& result = state.tensors[static_cast<std::size_t>(results[i])];
    const Geometry seen = result.geometry;
    result.geometry =
        geometry_of({capacity(state.storages[static_cast<std::size_t>(result.storage)], result.dtype)}, {1});
    const std::array base{results[i]};
    const std::vector<Value> shape{sizes_of(seen), strides_of(seen), seen.offset.v};
    results[i] = dispatch_on(call.judge, state, OpId::as_strided, base, shape).front();
  }
}

}  // namespace plumbline::reference
