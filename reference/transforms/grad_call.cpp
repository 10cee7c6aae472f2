// Calls while differentiated bodies run: what they may write and read, and what Autograd's kernel finds in each level.
#include <algorithm>

#include "reference/raise.h"
#include "reference/transforms/batched.h"
#include "reference/transforms/func_grad.h"
#include "reference/transforms/grad_history.h"
#include "reference/transforms/raise_if.h"
#include "reference/world.h"
#include "spec/machine/history.h"
#include "spec/ops/op_ids.h"
#include "spec/rules/aut_backward.h"
#include "spec/rules/trf.h"
#include "spec/vocabulary/call_slots.h"

namespace plumbline::reference::transforms {

namespace {

/// The tensor that a call writes; nothing: it writes none.
std::optional<TensorId> written_by(const State& state, const Op& op, std::span<const Value> values) {
  const int place = written_argument(op);
  if (place < 0) return std::nullopt;
  const auto* slot = std::get_if<Slot>(&values[static_cast<std::size_t>(place)]);
  return slot == nullptr ? std::nullopt : std::optional(whole_of(state, held(state, *slot)).tensor);
}

/// Returns the tensor that the body around this one sees written.
TensorId check_write(const Judge& judge, State& state, Differentiated& body, OpId id, TensorId written) {
  const Tensor& tensor = at(state, written);
  const auto of_input = [&](const Differentiated::Input& one) { return at(state, one.own).storage == tensor.storage; };
  const bool is_input = std::ranges::find(body.inputs, written, &Differentiated::Input::own) != body.inputs.end();
  const std::ptrdiff_t sharing = std::ranges::count_if(body.inputs, of_input);
  const auto is_new = [](std::int32_t number, std::size_t first) { return static_cast<std::size_t>(number) >= first; };
  const bool memory = is_new(tensor.storage, body.first_storage) || sharing > 0;
  const bool captured = !is_input && (!is_new(written, body.first_tensor) || !memory);
  if (op(id).kind != OpKind::Out)
    raise_if(check_grad_write<Concrete>(judge, captured), {text("aten::", qualified_name(op(id)))});
  if (sharing == 0) return written;
  if (sharing > 1) throw ReferenceLimit("a write of memory that two inputs of a differentiated body share");
  const TensorId base = is_input ? written : tensor.meta.tracked.v ? tensor.base : kNoTensor;
  const auto input = std::ranges::find(body.inputs, base, &Differentiated::Input::own);
  if (input == body.inputs.end())
    throw ReferenceLimit("a write of a differentiated body's input through a tensor that is no view of it");
  if (id == OpId::detach_ || id == OpId::set__source_Tensor)
    throw ReferenceLimit(text(qualified_name(op(id)), " of an input of a differentiated body"));
  if (input->chosen && at(state, input->outer).meta.tracked.v && requires_grad_of(judge, state, input->outer))
    throw ReferenceLimit("a write of a view that requires grad and that torch.func.grad differentiates");
  body.written.push_back(tensor.storage);
  return input->outer;
}

/// A captured tensor that the body may read.
void check_read(const Judge& judge, const State& state, const Differentiated& body, TensorId read) {
  if (static_cast<std::size_t>(read) >= body.first_tensor) return;
  const Tensor& tensor = state.tensors[static_cast<std::size_t>(read)];
  if (std::ranges::find(body.written, tensor.storage) != body.written.end())
    throw ReferenceLimit("a captured tensor whose memory a differentiated body has written");
  if (is_inference_tensor(judge, state, read))
    throw ReferenceLimit("an inference tensor that torch.func.grad captures");
}

/// The whole tensors by which a call has a derivative.
std::vector<TensorId> derivable_of(const State& state, const Op& op, std::span<const Value> values) {
  std::vector<TensorId> found;
  for (std::size_t i = 0; i < op.arguments.size(); ++i)
    if (has_derivative_by(op.arguments[i]))
      each_slot_of(values[i], [&](const Slot& slot) { found.push_back(whole_of(state, held(state, slot)).tensor); });
  return found;
}

/// How many mapped bodies there are down to the innermost one of which an argument has examples.
std::size_t levels_of(const State& state, std::span<const Value> values) {
  std::size_t levels = 0;
  for (const Value& value : values)
    each_slot_of(value, [&](const Slot& slot) {
      if (const auto level = level_of(state, held(state, slot))) levels = std::max(levels, *level + 1);
    });
  return levels;
}

/// What Autograd's kernel refuses in a body: it runs before the levels around that body see the call.
void check_own_level(const Judge& judge, State& state, const Differentiated& body, const Op& op,
                     std::span<const Value> values) {
  const bool out = op.kind == OpKind::Out;
  if (op.composite || op.by_schema || (!out && op.kind != OpKind::Inplace)) return;
  if (out && body.mapped_levels < levels_of(state, values)) return;  // a mapped body in it refuses out=
  const GradGraph graph(judge, state, body);
  const std::vector<TensorId> tensors = derivable_of(state, op, values);
  if (std::ranges::none_of(tensors, [&](TensorId one) { return graph.requires_grad_by_leaf(one); })) return;
  World world(judge, state, {.op = &op});
  const TensorId written = *written_by(state, op, values);
  if (out)
    return machine::refuse_out(world, written, Bool<Concrete>(true), Bool<Concrete>((op.differentiable & 1U) != 0));
  machine::check_inplace(world, written, Bool<Concrete>(is_inexact(at(state, written).dtype)));
}

}  // namespace

bool innermost_is_grad(const State& state) {
  return !state.differentiated.empty() && state.differentiated.back().mapped_levels == state.levels.size();
}

void check_grad_call(const Judge& judge, State& state, OpId id, std::span<const Value> values) {
  std::optional<TensorId> written = written_by(state, op(id), values);
  bool records = state.tls.grad_mode.v;
  for (std::size_t level = state.differentiated.size(); level-- > 0;) {
    Differentiated& body = state.differentiated[level];
    if (written) written = check_write(judge, state, body, id, *written);
    for (const Value& value : values)
      each_slot_of(
          value, [&](const Slot& slot) { check_read(judge, state, body, whole_of(state, held(state, slot)).tensor); });
    if (records) check_own_level(judge, state, body, op(id), values);
    records = records && body.records_outside;
  }
}

bool requires_grad_in_body(const Judge& judge, const State& state, OpId id, std::span<const Value> values) {
  const std::vector<TensorId> tensors = derivable_of(state, op(id), values);
  for (std::size_t level = state.differentiated.size(); level-- > 0;) {
    GradGraph graph(judge, state, state.differentiated[level]);
    if (std::ranges::any_of(tensors, [&](TensorId one) { return graph.requires_grad_by_leaf(one); })) return true;
    if (!state.differentiated[level].records_outside) return false;
  }
  return true;
}

bool only_inference_outside(const Judge& judge, const State& state, const std::vector<TensorId>& tensors) {
  const auto is_inference = [&](TensorId tensor) {
    const std::int32_t storage = state.tensors[static_cast<std::size_t>(tensor)].storage;
    return std::ranges::any_of(state.differentiated, [&](const Differentiated& body) {
      return std::ranges::any_of(body.inputs, [&](const Differentiated::Input& input) {
        return is_inference_tensor(judge, state, input.outer) &&
               state.tensors[static_cast<std::size_t>(input.outer)].storage == storage;
      });
    });
  };
  return !state.differentiated.empty() && !tensors.empty() && std::ranges::all_of(tensors, is_inference);
}

}  // namespace plumbline::reference::transforms
