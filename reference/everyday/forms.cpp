// The kernels of everyday ops by schema: fresh results, writes in place, and writes to out.
#include "reference/everyday/forms.h"

#include <algorithm>
#include <array>
#include <unordered_map>

#include "reference/by_schema.h"
#include "reference/out.h"
#include "reference/raise.h"
#include "spec/ops/op_ids.h"
#include "spec/rules/geo_value.h"
#include "spec/vocabulary/call_slots.h"

namespace plumbline::reference {

namespace everyday {
namespace {

/// In-place ops whose functional form has another overload's name.
constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kTwins{
    {{"pow_.Tensor", "pow.Tensor_Tensor"},
     {"pow_.Scalar", "pow.Tensor_Scalar"},
     {"float_power_.Tensor", "float_power.Tensor_Tensor"},
     {"float_power_.Scalar", "float_power.Tensor_Scalar"},
     {"floor_divide_.Tensor", "floor_divide"}}};

/// Functional ops whose out= form torchgen makes.
constexpr std::array<std::string_view, 17> kGenerated{"add.Scalar",
                                                      "sub.Scalar",
                                                      "rsub.Tensor",
                                                      "rsub.Scalar",
                                                      "mul.Scalar",
                                                      "div.Scalar",
                                                      "bitwise_and.Scalar_Tensor",
                                                      "bitwise_or.Scalar_Tensor",
                                                      "bitwise_xor.Scalar_Tensor",
                                                      "bitwise_left_shift.Scalar_Tensor",
                                                      "bitwise_right_shift.Scalar_Tensor",
                                                      "celu",
                                                      "remainder.Scalar_Tensor",
                                                      "div.Scalar_mode",
                                                      "floor_divide.Scalar",
                                                      "isinf",
                                                      "isnan"};

/// Functional ops whose out= form requires the result's dtype, beside those of rounding.cpp.
constexpr std::array<std::string_view, 21> kExact{"clamp",
                                                  "clamp_max",
                                                  "clamp_min",
                                                  "clip",
                                                  "elu",
                                                  "hardshrink",
                                                  "hardsigmoid",
                                                  "hardswish",
                                                  "leaky_relu",
                                                  "lerp.Tensor",
                                                  "float_power.Scalar",
                                                  "float_power.Tensor_Scalar",
                                                  "float_power.Tensor_Tensor",
                                                  "isneginf",
                                                  "isposinf",
                                                  "mish",
                                                  "negative",
                                                  "silu",
                                                  "softplus",
                                                  "softshrink",
                                                  "signbit"};

/// Ops of ops.yaml whose out= form follows strides.
constexpr std::array kFollowing{OpId::where_self, OpId::tanh_backward, OpId::threshold_backward};

std::optional<OpId> named(std::string_view name) {
  const std::size_t dot = name.find('.');
  return find_op(name.substr(0, dot), dot == std::string_view::npos ? "" : name.substr(dot + 1));
}

/// The forms by the OpIds of the ops that compute them.
struct Forms {
  std::unordered_map<OpId, PointwiseForm> pointwise;
  std::unordered_map<OpId, WholeForm> whole;

  Forms() {
    for (const auto& list : {rounding_forms(), function_forms(), activation_forms(), comparison_forms(), logic_forms(),
                             extreme_forms(), arithmetic_forms(), division_forms(), power_forms(), mixture_forms()})
      for (PointwiseForm form : list) {
        if (std::ranges::find(kGenerated, form.name) != kGenerated.end()) form.out = OutForm::generated;
        if (std::ranges::find(kExact, form.name) != kExact.end()) form.out = OutForm::exact;
        add(pointwise, form);
      }
    for (const auto& list : {move_forms(), fill_forms(), reduction_forms()})
      for (const WholeForm& form : list) add(whole, form);
  }

 private:
  template <class Form>
  static void add(std::unordered_map<OpId, Form>& forms, const Form& form) {
    const auto id = named(form.name);
    if (!id) throw std::logic_error(text("no op is called ", form.name));
    if (!forms.emplace(*id, form).second) throw std::logic_error(text("two meanings for ", form.name));
  }
};

const Forms& forms() {
  static const Forms all;
  return all;
}

/// The functional op that an op computes: itself, or the twin of its in-place or out= form.
std::optional<OpId> computed_op(OpId id) {
  const Op& one = op(id);
  if (one.kind == OpKind::Functional || one.kind == OpKind::Factory) return id;
  for (const auto& [inplace, functional] : kTwins)
    if (qualified_name(one) == inplace) return named(functional);
  return functional_twin(id);
}

/// Calls `see` for each tensor in a value.
template <class See>
void each_tensor(const KernelCall& call, const Value& value, See see) {
  each_slot_of(value, [&](Slot slot) { see(call.state.tensors[static_cast<std::size_t>(held(call.state, slot))]); });
}

std::vector<Element> computed(const KernelCall& call, const Pointwise& op, const Sizes& sizes) {
  std::vector<std::vector<Element>> columns;
  for (const Input& input : op.inputs) columns.push_back(spread(call, input, sizes, op.common));
  std::vector<Element> out;
  std::vector<Element> row(columns.size());
  for (std::size_t i = 0; i < static_cast<std::size_t>(element_count(sizes)); ++i) {
    for (std::size_t j = 0; j < columns.size(); ++j) row[j] = columns[j][i];
    out.push_back(op.each(row));
  }
  return out;
}

Fresh fresh_of(const KernelCall& call, const Pointwise& op) {
  const Sizes sizes = broadcast_all(call.judge, op.inputs);
  std::vector<Geometry> read;
  for (const Input& input : op.inputs)
    if (op.layout == ResultLayout::operands || input.tensor != nullptr) read.push_back(as_read(input, op.layout_type));
  Fresh made = pointwise_result(call.judge, sizes, read, op.result, computed(call, op, sizes));
  if (op.layout == ResultLayout::row_major) made.strides = row_major(sizes);
  if (op.layout == ResultLayout::self) made.strides = dense_strides(sizes, strides_of(op.inputs.front().geometry()));
  return made;
}

Effect pointwise_fresh(const KernelCall& call) {
  return made(fresh_of(call, forms().pointwise.at(call.op).prepare(call)));
}

Effect pointwise_inplace(const KernelCall& call) {
  const Tensor& self = call.tensor(0);
  const PointwiseForm& form = forms().pointwise.at(*computed_op(call.op));
  const Pointwise op = form.prepare(call);
  if (!form.checks_overlap) cover(check_overlap(call.judge, overlap_of(self, op.inputs, false)).v == 0);
  const OverlapFacts<Concrete> facts = judged_overlap(call.judge, self, op.inputs, false);
  require_sizes(call.judge, self, op.inputs);
  cover(check_cast<Concrete>(call.judge, op.result, self.dtype).v == 0);  // its words depend on the op
  Effect effect = written_as(call, self, computed(call, op, sizes_of(self.geometry)), op.result);
  mark_unspecified(facts, self, op.inputs, *effect.written);
  return effect;
}

/// The call without `out`.
template <class Run>
auto without_out(const KernelCall& call, Run run) {
  const OpId functional = *computed_op(call.op);
  const Arguments arguments(call.state, op(functional),
                            call.arguments.values().first(call.arguments.values().size() - 1));
  return run(KernelCall{call.judge, call.state, functional, arguments, call.tape});
}

/// Whether no tensor among the arguments shares memory with the one at `written`, or the latter with itself.
bool is_apart(const KernelCall& call, std::size_t written) {
  const Tensor& target = call.tensor(written);
  bool apart = !repeats_places(target.geometry);
  for (std::size_t i = 0; i < call.arguments.values().size(); ++i)
    each_tensor(call, call.arguments.values()[i], [&](const Tensor& other) {
      apart = apart && (i == written || (&other != &target && !share_memory(target, other)));
    });
  return apart;
}

/// A result written by a form that is only covered where out has its dtype and memory of its own.
Effect apart_out(const KernelCall& call, Fresh result, bool follows = false) {
  const std::size_t last = call.arguments.values().size() - 1;
  cover(is_apart(call, last) && result.dtype == call.tensor(last).dtype);
  if (!follows) result.strides = row_major(result.sizes);
  return write_whole_out(call, result);
}

Effect pointwise_out(const KernelCall& call) {
  const PointwiseForm& form = forms().pointwise.at(*computed_op(call.op));
  const auto compute = [&] {
    return without_out(call, [&](const KernelCall& functional) {
      Pointwise op = form.prepare(functional);
      if (op.layout == ResultLayout::self)
        op.layout = ResultLayout::operands;  // `out` is there, so nothing is allocated
      Fresh made = fresh_of(functional, op);
      const Dtype out = call.tensor(call.arguments.values().size() - 1).dtype;
      cover(form.out == OutForm::converts ? check_cast<Concrete>(call.judge, made.dtype, out).v == 0
                                          : made.dtype == out);
      return made;
    });
  };
  if (!form.checks_overlap) cover(is_apart(call, call.arguments.values().size() - 1));
  return form.out == OutForm::generated ? apart_out(call, compute()) : write_pointwise_out(call, compute);
}

Effect whole_fresh(const KernelCall& call) { return forms().whole.at(call.op).make(call); }

Effect whole_inplace(const KernelCall& call) {
  const Tensor& self = call.tensor(0);
  cover(is_apart(call, 0));
  Effect effect = forms().whole.at(*computed_op(call.op)).make(call);
  Fresh& result = effect.fresh.front();
  cover(result.sizes == sizes_of(self.geometry) && result.dtype == self.dtype);
  effect.written = std::move(result.elements);
  effect.fresh.clear();
  return effect;
}

Effect whole_out(const KernelCall& call) {
  const OpId functional = *computed_op(call.op);
  const auto found = forms().whole.find(functional);
  const bool own = found != forms().whole.end();
  const auto compute = [&](const KernelCall& inner) {
    if (own) return found->second.make(inner).fresh.front();
    try {
      return meaning(inner).fresh.front();  // of an op of ops.yaml
    } catch (const Raise&) {
      throw NotCovered{};  // the out= form may find another error first
    }
  };
  const bool follows = own ? found->second.out_follows : std::ranges::find(kFollowing, functional) != kFollowing.end();
  return apart_out(call, without_out(call, compute), follows);
}

/// PyTorch 1.13 leaves open what a shift by too many bits is. Some of its out= forms do not resize or convert.
bool is_other_in_1_13(const KernelCall& call) {
  const Op& one = op(call.op);
  const bool copies = one.kind == OpKind::Out && (one.name.ends_with("_copy") || one.name == "square");
  return call.judge.profile == Profile::torch_1_13 && (copies || one.name.starts_with("bitwise_left_shift"));
}

/// A kernel with the implementation's answer to what it does not cover.
template <Effect (*kernel)(const KernelCall&)>
Effect covered(const KernelCall& call) {
  if (is_other_in_1_13(call)) return effect_by_schema(call);
  try {
    return kernel(call);
  } catch (const NotCovered&) {
    return effect_by_schema(call);
  }
}

Kernel kernel_of(OpId id) {
  const auto computes = computed_op(id);
  if (!computes) return nullptr;
  const OpKind kind = op(id).kind;
  const bool alone = kind == OpKind::Functional || kind == OpKind::Factory;
  if (forms().pointwise.contains(*computes))
    return alone                     ? covered<pointwise_fresh>
           : kind == OpKind::Inplace ? covered<pointwise_inplace>
                                     : covered<pointwise_out>;
  if (forms().whole.contains(*computes))
    return alone ? covered<whole_fresh> : kind == OpKind::Inplace ? covered<whole_inplace> : covered<whole_out>;
  if (kind == OpKind::Out && !op(*computes).by_schema && !op(*computes).composite && op(*computes).results == 1 &&
      !op(*computes).many_results)
    return covered<whole_out>;  // the functional op stands in ops.yaml
  return nullptr;
}

}  // namespace
}  // namespace everyday

bool everyday_computes_complex(OpId id) {
  const auto computes = everyday::computed_op(id);
  if (!computes) return false;
  const auto found = everyday::forms().pointwise.find(*computes);
  return found != everyday::forms().pointwise.end() && found->second.complex;
}

std::span<const KernelEntry> everyday_kernels() {
  static const std::vector<KernelEntry> entries = [] {
    std::vector<KernelEntry> made;
    for (std::size_t i = kOps; i < kAllOps; ++i)
      if (const Kernel kernel = everyday::kernel_of(static_cast<OpId>(i)))
        made.push_back({static_cast<OpId>(i), kernel});
    return made;
  }();
  return entries;
}

}  // namespace plumbline::reference
