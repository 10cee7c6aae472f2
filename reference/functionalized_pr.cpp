// What pull request 63048 says of functionalized bodies where `sound` says something else: the profile pr-63048.
#include <algorithm>
#include <array>
#include <map>

#include "reference/bytes.h"
#include "reference/call.h"
#include "reference/functionalized.h"
#include "reference/memory.h"
#include "reference/raise.h"
#include "spec/ops/op_ids.h"
#include "spec/rules/fun_body.h"

namespace plumbline::reference {

namespace {

bool same_layout(const Geometry& a, const Geometry& b) {
  return sizes_of(a) == sizes_of(b) && strides_of(a) == strides_of(b) && a.offset.v == b.offset.v;
}

}  // namespace

void refuse_as_strided(const Judge& judge, State& state, const Call& call) {
  if (call.op != OpId::as_strided && call.op != OpId::as_strided_) return;
  const TensorId of = held(state, std::get<Slot>(call.arguments.at(0)));
  if (is_functional(state, at(state, of).storage) && refuses_as_strided(judge))
    raise(ErrorClass::not_functional,
          text("Tried to run the functionalization pass on an unsupported view: ", op(call.op).name));
}

void refuse_longer_storage(const Judge& judge, const State& state, const Tensor& resized, std::int64_t elements) {
  const auto has = capacity(state.storages[static_cast<std::size_t>(resized.storage)], resized.dtype);
  if (elements > has && is_functional(state, resized.storage) && refuses_longer_storage(judge))
    raise(ErrorClass::not_functional, "you should never resize a functional tensor's storage");
}

void refuse_inner_body(const Judge& judge, const State& state) {
  if (in_body(state) && refuses_inner_body(judge))
    raise(ErrorClass::not_functional, "nested functionalize() calls aren't supported yet");
}

void keep_layouts(const Judge& judge, State& state, const State& before, const std::vector<TensorId>& inputs,
                  std::vector<TensorId>& results) {
  if (!input_keeps_layout(judge).v) return;
  std::map<TensorId, TensorId> seen;  // by input: what a result that was this input is
  for (const TensorId input : inputs) {
    const Geometry left = at(state, input).geometry;
    const Tensor& was = before.tensors[static_cast<std::size_t>(input)];
    // What set_ does is not a change of the layout alone, and the text does not say anything about it.
    if (at(state, input).storage != was.storage || same_layout(left, was.geometry)) continue;
    if (requires_grad_of(judge, state, input))
      throw ReferenceLimit("a functionalized body that changes the layout of an input that requires grad");
    at(state, input).geometry = was.geometry;
    if (std::ranges::find(results, input) == results.end()) continue;
    // A result has the strides that the body gave it (FUN-25) and is made from the input (FUN-22).
    seen[input] = dispatch_on(judge, state, OpId::as_strided, std::array{input},
                              {sizes_of(left), strides_of(left), left.offset.v})
                      .at(0);
  }
  for (TensorId& result : results)
    if (const auto found = seen.find(result); found != seen.end()) result = found->second;
}

}  // namespace plumbline::reference
