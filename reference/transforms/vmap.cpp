// torch.vmap: where a mapped body begins and ends, and the calls in it.
#include "reference/transforms/vmap.h"

#include <algorithm>
#include <utility>

#include "reference/call.h"
#include "reference/raise.h"
#include "reference/transforms/batched.h"
#include "reference/transforms/func_grad.h"
#include "reference/transforms/promoted.h"
#include "reference/transforms/raise_if.h"
#include "spec/ops/op_ids.h"
#include "spec/rules/trf.h"
#include "spec/vocabulary/call_slots.h"
#include "spec/vocabulary/error_texts.h"

namespace plumbline::reference::transforms {

namespace {

/// One call in a mapped body.
class MappedCall {
 public:
  MappedCall(const Judge& judge, State& state, OpId id, std::span<const Value> values, std::vector<KernelRun>& kernels)
      : judge_(judge),
        state_(state),
        id_(id),
        op_(op(id)),
        given_(values.begin(), values.end()),
        values_(given_),
        kernels_(kernels),
        slots_(state.slots) {
    for (Value& value : values_)
      each_slot_of(value, [&](Slot& slot) {
        const Whole whole = whole_of(state_, held(state_, slot));
        slot = static_cast<Slot>(state_.slots.size());
        state_.slots.push_back(whole.tensor);
        wholes_.emplace_back(slot, whole);
        for (const auto& [level, dim] : whole.dims) levels_.insert(level);
      });
    for (const std::size_t level : levels_)
      if (std::ranges::all_of(wholes_, [&](const auto& one) {
            return !one.second.dims.contains(level) || one.second.assumed.contains(level);
          }))
        assumed_.insert(level);
  }

  bool takes_examples() const { return !levels_.empty(); }

  std::vector<TensorId> run() {
    if (op_.kind == OpKind::Inplace && !levels_.empty()) check_write();
    check_grad_call(judge_, state_, id_, given_);
    if (levels_.empty()) return unmapped();
    const bool strided = id_ == OpId::as_strided || id_ == OpId::as_strided_copy;
    if ((op_.kind == OpKind::Out || strided) && assumed_ == levels_) refuse_assumed();
    if (op_.kind == OpKind::Out) raise_if(check_mapped_out<Concrete>(judge_, true), {qualified_name(op_)});
    const bool writes = written_argument(op_) >= 0;
    const Mapping mapping = mapping_of_arguments();
    std::vector<TensorId> results = run_mapped(judge_, state_, id_, values_, &mapping, kernels_);
    if (writes) return {argument(static_cast<std::size_t>(written_argument(op_)))};
    const TensorId viewed = op_.kind == OpKind::View ? wholes_.front().second.tensor : kNoTensor;
    for (TensorId& result : results) result = result == viewed ? argument(0) : seen(result);
    return results;
  }

 private:
  TensorId argument(std::size_t place) const { return held(state_, std::get<Slot>(given_.at(place))); }

  TensorId seen(TensorId result) { return seen_at(state_, levels_, result, assumed_); }

  Mapping mapping_of_arguments() const {
    Mapping mapping;
    for (const std::size_t level : levels_) mapping.sizes.push_back(state_.levels[level].examples);
    for (const auto& [slot, whole] : wholes_) {
      if (whole.dims.empty()) continue;
      for (const std::size_t level : levels_) {
        const auto found = whole.dims.find(level);
        mapping.dims[slot].push_back(found == whole.dims.end() ? std::nullopt : std::optional(found->second));
      }
    }
    return mapping;
  }

  [[noreturn]] static void refuse_assumed() {
    throw ReferenceLimit("a call on what depends on a differentiated input without examples, in a mapped body");
  }

  void check_write() const {
    const Whole& written = wholes_.front().second;
    const bool other = std::ranges::any_of(levels_, [&](std::size_t level) { return !written.dims.contains(level); });
    if (other && std::ranges::all_of(levels_, [&](std::size_t level) {
          return written.dims.contains(level) || assumed_.contains(level);
        }))
      refuse_assumed();
    const bool unchecked = id_ == OpId::add__Tensor;
    if (other && kernel_refuses_mapped_write<Concrete>(judge_, unchecked).v)
      raise(ErrorClass::shape, message_beginning(ErrorClass::shape, "output with shape", {"…", "…"}));
    const bool spelled = op_.name == "index_fill_" || op_.name == "fill_" || op_.name == "index_add_";
    const std::string name(spelled ? op_.name : "inplace arithmetic");
    raise_if(check_mapped_write<Concrete>(judge_, other), {name, name});
  }

  std::vector<TensorId> unmapped() {
    std::int64_t examples = 1;
    for (const Level& level : state_.levels) examples *= level.examples;
    const bool writes = op_.kind == OpKind::Inplace || op_.kind == OpKind::Out;
    const std::int64_t runs = writes ? runs_of_unmapped_write<Concrete>(judge_, examples).v : 1;
    for (std::int64_t i = 1; i < runs; ++i) (void)run_mapped(judge_, state_, id_, given_, nullptr, kernels_);
    return run_mapped(judge_, state_, id_, given_, nullptr, kernels_);
  }

  const Judge& judge_;
  State& state_;
  OpId id_;
  const Op& op_;
  std::vector<Value> given_;   ///< the arguments as the body sees them
  std::vector<Value> values_;  ///< those of all examples
  std::vector<KernelRun>& kernels_;
  const Restored<std::vector<TensorId>> slots_;
  std::vector<std::pair<Slot, Whole>> wholes_;  ///< of the tensor arguments, in order
  std::set<std::size_t> levels_;                ///< of which an argument has examples
  std::set<std::size_t> assumed_;               ///< those of which every argument's examples are only assumed
};

/// The dimension that in_dims says, from the front; nothing: the input has no examples.
std::optional<std::size_t> mapped_dim(const Judge& judge, const State& state, MappedDim dim, TensorId input) {
  if (!dim) return std::nullopt;
  const std::int64_t dims = rank(state, input);
  const std::string number = std::to_string(dims), asked = std::to_string(*dim);
  raise_if(check_in_dim<Concrete>(judge, *dim < -dims || *dim >= dims), {"…", "…", asked, number, number, number});
  if (dims == 0) return std::nullopt;  // only with TRF-14 misread
  return static_cast<std::size_t>((*dim % dims + dims) % dims);
}

/// A tensor with the dimension `from` moved to `to` [torch/csrc/functorch/init.cpp, _movedim].
TensorId moved(const Judge& judge, State& state, TensorId tensor, std::size_t from, std::int64_t to) {
  const auto wanted = static_cast<std::size_t>(wrapped_dim(judge, to, static_cast<std::size_t>(rank(state, tensor))));
  if (from == wanted) return tensor;
  Sizes order;
  for (std::int64_t dim = 0; dim < rank(state, tensor); ++dim)
    if (dim != static_cast<std::int64_t>(from)) order.push_back(dim);
  order.insert(order.begin() + static_cast<std::ptrdiff_t>(wanted), static_cast<std::int64_t>(from));
  const std::array only{tensor};
  return dispatch_on(judge, state, OpId::permute, only, {order}).at(0);
}

/// A result without examples, once for each of them.
TensorId repeated(const Judge& judge, State& state, TensorId tensor, std::int64_t examples, std::int64_t out_dim) {
  if (!repeats_unmapped_result<Concrete>(judge).v) return tensor;
  const std::int64_t dims = rank(state, tensor);
  const bool in_new_dim = repeats_in_new_dim<Concrete>(judge).v;
  if (!in_new_dim && (out_dim < 0 || out_dim > dims))
    throw ReferenceLimit("a result without examples, for which out_dims is outside its dimensions");
  const std::int64_t wanted = wrapped_dim(judge, out_dim, static_cast<std::size_t>(dims) + 1);
  const std::array only{tensor};
  const std::array with_dim{in_new_dim && wanted > 0 ? dispatch_on(judge, state, OpId::unsqueeze, only, {wanted}).at(0)
                                                     : tensor};
  Sizes sizes = sizes_of(at(state, tensor).geometry);
  sizes.insert(sizes.begin() + static_cast<std::ptrdiff_t>(wanted), examples);
  return dispatch_on(judge, state, OpId::expand, with_dim, {sizes, false}).at(0);
}

}  // namespace

void refuse_new_layout(const State& state, TensorId written) {
  const auto maps = [&](const Level& level) {
    return std::ranges::any_of(level.tensors, [&](const auto& one) { return one.second.value == written; });
  };
  if (std::ranges::any_of(state.levels, maps))
    throw ReferenceLimit("an op that changes the sizes of a tensor while a body maps it");
}

bool is_batched(const State& state, TensorId tensor) { return level_of(state, tensor).has_value(); }

void enter(const Judge& judge, State& state, const EnterTransform& enter) {
  if (std::holds_alternative<Grad>(enter.transform)) return enter_grad(judge, state, enter);
  const auto& vmap = std::get<Vmap>(enter.transform);
  const std::vector<TensorId> inputs = held_all(state, enter.inputs);
  std::vector<std::optional<std::size_t>> dims;
  std::vector<std::int64_t> sizes;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    dims.push_back(mapped_dim(judge, state, vmap.in_dims.at(i), inputs[i]));
    if (dims[i]) sizes.push_back(sizes_of(at(state, inputs[i]).geometry).at(*dims[i]));
  }
  raise_if(check_any_examples<Concrete>(judge, sizes.empty()));
  if (sizes.empty()) sizes.push_back(1);
  const bool differ = std::ranges::any_of(sizes, [&](std::int64_t size) { return size != sizes.front(); });
  raise_if(check_examples<Concrete>(judge, differ), {printed(sizes)});
  if (std::ranges::find(sizes, 0) != sizes.end()) throw ReferenceLimit("a mapped body without examples");
  state.frames.push_back({.found = state.tls, .variables = state.slots, .transform = vmap});
  state.levels.push_back({*std::ranges::min_element(sizes), vmap.randomness, {}});
  for (std::size_t i = 0; i < inputs.size() && i < enter.parameters.size(); ++i)
    bind(state, enter.parameters[i],
         dims[i] ? add_batched(state, state.levels.size() - 1, {inputs[i], *dims[i]}) : inputs[i]);
}

namespace {

/// Whether a result has examples, and no differentiated body stands between: its wrapper hides them.
bool shows_outer_examples(const State& state, TensorId result) {
  const auto level = level_of(state, result);
  return level && std::ranges::none_of(state.differentiated, [&](const Differentiated& body) {
           return body.mapped_levels > *level && static_cast<std::size_t>(result) >= body.first_tensor;
         });
}

}  // namespace

void leave(const Judge& judge, State& state, const LeaveTransform& leave) {
  if (leave.differentiates) return leave_grad(judge, state, leave);
  if (state.frames.empty() || !state.frames.back().variables || state.levels.empty())
    throw std::logic_error("the script leaves the body of a transform that it did not enter");
  std::vector<TensorId> results = held_all(state, leave.returned);
  state.tls = state.frames.back().found;
  const Level level = state.levels.back();
  for (std::size_t i = 0; i < results.size(); ++i) {
    const auto found = level.tensors.find(results[i]);
    const bool batched = found != level.tensors.end();
    const MappedDim dim = leave.out_dims.at(i);
    if (batched && found->second.assumed && (!dim || !repeats_in_new_dim<Concrete>(judge).v))
      throw ReferenceLimit("a result of a mapped body that depends on a differentiated input without examples alone");
    if (!dim) {
      raise_if(check_none_result<Concrete>(judge, batched, shows_outer_examples(state, results[i])), {"…", "…"});
      if (batched) results[i] = found->second.value;
      continue;
    }
    const std::int64_t wanted = dim_of_examples<Concrete>(judge, *dim).v;
    results[i] = batched ? moved(judge, state, found->second.value, found->second.dim, wanted)
                         : repeated(judge, state, results[i], level.examples, wanted);
    if (batched && found->second.assumed) at(state, results[i]).free_layout = at(state, results[i]).may_repeat = true;
  }
  state.levels.pop_back();
  state.slots = *state.frames.back().variables;
  state.frames.pop_back();
  for (std::size_t i = 0; i < results.size() && i < leave.results.size(); ++i)
    bind(state, leave.results[i], results[i]);
}

void abandon(const Judge& judge, State& state) {
  if (std::holds_alternative<Grad>(*state.frames.back().transform)) return abandon_grad(judge, state);
  state.levels.pop_back();
  state.slots = *state.frames.back().variables;
}

namespace {

/// A message without its varying parts: which sizes, dimensions and nodes it names is not specified.
std::string without_numbers(const Failure& failure) {
  for (const ErrorText& text : error_texts())
    if (text.error == failure.error && fits(failure.message, text.pattern)) return fill(text.pattern, {});
  return failure.message;
}

}  // namespace

Made::Made(const Judge& judge, const State& state, const Call& call) : values_(call.arguments) {
  if (state.levels.empty()) return;
  if (call.requires_grad) throw ReferenceLimit("a tensor that is made with requires_grad=True in a mapped body");
  if (op(call.op).by_schema) throw ReferenceLimit("a factory known by its schema in a mapped body");
  if (call.op != OpId::rand) return;
  Sizes sizes;
  for (std::size_t level = state.levels.size(); level-- > 0;) {
    const Randomness randomness = state.levels[level].randomness;
    raise_if(check_randomness<Concrete>(judge, randomness == Randomness::error));
    const bool different = draws_for_each<Concrete>(judge, randomness == Randomness::different).v;
    const bool same = draws_once<Concrete>(judge, randomness == Randomness::same).v;
    if (different || (randomness == Randomness::same && !same)) levels_.insert(level);
  }
  for (const std::size_t level : levels_) sizes.push_back(state.levels[level].examples);
  auto& asked = std::get<std::vector<std::int64_t>>(values_.at(0));
  sizes.insert(sizes.end(), asked.begin(), asked.end());
  asked = std::move(sizes);
}

TensorId Made::seen(State& state, TensorId made) const { return seen_at(state, levels_, made); }

std::vector<TensorId> dispatch(const Judge& judge, State& state, OpId op, std::span<const Value> values,
                               std::vector<KernelRun>& kernels) {
  promote_written(judge, state, op, values);
  MappedCall call(judge, state, op, values, kernels);
  try {
    return call.run();
  } catch (Raise& raised) {
    if (!call.takes_examples()) throw;
    raised.failure.message = without_numbers(raised.failure);
    raised.failure.any_words = true;
    throw;
  }
}

}  // namespace plumbline::reference::transforms
