// The level of a differentiated body: its parameters, and what leads out of it when it ends.
#include "optimized/transforms/func_grad.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "optimized/autograd/accumulate.h"
#include "optimized/autograd/history.h"
#include "optimized/autograd/parameter.h"
#include "optimized/autograd/variable.h"
#include "optimized/dispatcher/thread_state.h"
#include "optimized/ops.h"
#include "optimized/tensor/error.h"
#include "optimized/transforms/batched.h"
#include "optimized/transforms/body.h"

namespace plumbline::optimized {

namespace {

/// A parameter of a running body. Where it has examples, `own` and `outer` are the tensors of all examples.
struct Given {
  Tensor input;  ///< the caller's
  Tensor outer;  ///< what it is made of
  Tensor own;    ///< what the body has in its place
  Tensor shown;  ///< `own` as the body sees it
  bool chosen = false;
  bool assumed = false;  ///< `own` has examples of a level of which the caller's has none
};

struct Body {
  std::vector<Given> given;
  std::uint8_t depth = 0;            ///< RunningBody::depth
  std::size_t mapped = 0;            ///< how many mapped bodies are around it
  bool records_outside = true;       ///< what it computes may get a history that leads out of it
  bool grad_mode = true;             ///< that of the caller, who records nothing in inference mode
  std::uint64_t first = UINT64_MAX;  ///< the sequence number of its first node
};

/// Those of the calling thread, the outermost first.
std::vector<Body>& bodies() {
  thread_local std::vector<Body> running;
  return running;
}

/// While it lives, the innermost body runs.
class Running : StateGuard {
 public:
  explicit Running(Body body) {
    ThreadState& state = thread_state();
    if (state.inference_mode) off_.emplace(false);
    state.included = state.included | Functionality::FuncTorchGradWrapper;
    state.grad_mode = true;
    body.depth = running_.depth();
    bodies().push_back(std::move(body));
  }
  ~Running() { bodies().pop_back(); }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

 private:
  RunningBody running_;
  std::optional<InferenceMode> off_;
};

/// The same tensor with the memory of `whole`, the tensor of all examples.
Tensor over(const Tensor& like, const Tensor& whole) {
  const Batched* const of = batched(like);
  return of == nullptr ? whole : make_batched(over(of->value, whole), of->dim, of->level);
}

/// The tensor with examples of the level, the same for all if it has none.
Tensor with_examples(const Tensor& tensor, int level) {
  const Batched* const of = batched(tensor);
  if (of != nullptr && of->level == level) return tensor;
  if (of != nullptr && of->level > level) return make_batched(with_examples(of->value, level), of->dim, of->level);
  std::vector<std::int64_t> sizes(tensor.sizes().begin(), tensor.sizes().end());
  sizes.insert(sizes.begin(), mapped_levels().at(static_cast<std::size_t>(level) - 1).examples);
  return make_batched(expand(unsqueeze(tensor, 0), sizes), 0, level);
}

/// Another tensor with the same memory, layout and version counter, which autograd does not know.
Tensor alias_with_counter(const Tensor& of) {
  Tensor alias = alias_of(of, of.sizes(), of.strides(), of.offset());
  TensorImpl& impl = alias.impl();
  impl.wrapped_number = of.impl().wrapped_number;
  if (of.is_inference()) {
    impl.keys = normal_keys_on(of.device()) | (of.keys() & KeySet(Functionality::Functionalize));
    impl.uncounted = false;
    impl.own_counter();
  } else {
    impl.uncounted = of.impl().uncounted;
    if (!impl.uncounted) impl.share_counter(of.impl());
  }
  return alias;
}

/// A parameter by which the body is differentiated.
Given chosen_one(const Tensor& input, bool records_outside) {
  Tensor all = input;
  {
    const AutoDispatchBelowADInplaceOrView untracked;
    for (std::size_t level = 1; level <= mapped_levels().size(); ++level)
      all = with_examples(all, static_cast<int>(level));
  }
  const Tensor outer = innermost(input), whole = innermost(all);
  if (!is_differentiable(whole.dtype())) raise(ErrorClass::grad_dtype);
  const Tensor own = alias_with_counter(whole);
  if (!whole.is_same(outer) && !outer.is_inference()) own.impl().share_counter(outer.impl());
  const bool leads = records_outside && requires_grad(outer);
  begin_history(own, true, leads ? gradient_edge(outer) : Edge{});
  return {input, outer, own, over(all, own), true, whole.dim() != outer.dim()};
}

/// A parameter that is a constant to the body.
Given constant(const Tensor& input, bool records_outside) {
  const Tensor outer = innermost(input);
  const Tensor own = alias_with_counter(outer);
  const AutogradMeta* const meta = outer.impl().autograd;
  Given given{input, outer, own, over(input, own), false, false};
  if (is_view(outer)) {
    AutogradMeta& seen = meta_of(own.impl());
    seen.base = meta->base;
    seen.creation = meta->creation;
    seen.recorded_at = meta->recorded_at;
  }
  if (!records_outside || !requires_grad(outer)) return given;
  lead_to(own, outer);
  return given;
}

std::vector<std::size_t> chosen_of(const std::vector<std::int64_t>& argnums, std::size_t inputs) {
  const auto count = static_cast<std::int64_t>(inputs);
  std::vector<std::size_t> chosen;
  std::string all;
  for (const std::int64_t argnum : argnums) {
    if (argnum < -count || argnum >= count)
      raise(ErrorClass::grad_argnum, {std::to_string(argnum), std::to_string(count)});
    chosen.push_back(static_cast<std::size_t>(argnum < 0 ? argnum + count : argnum));
    all += (all.empty() ? "(" : ", ") + std::to_string(chosen.back());
  }
  if (std::unordered_set(chosen.begin(), chosen.end()).size() < chosen.size())
    raise(ErrorClass::grad_argnums, {all + ")"});
  return chosen;
}

/// Whether a history leads to a tensor outside the body that requires grad.
class Outside {
 public:
  explicit Outside(const Body& body) : body_(body) {}

  bool leads(const Ref<Node>& node) {
    if (!node || !body_.records_outside) return false;
    std::vector<const Node*> left{node.get()};
    std::unordered_set<const Node*> seen{node.get()};
    while (!left.empty()) {
      const Node* const one = left.back();
      left.pop_back();
      if (one->sequence() < body_.first || dynamic_cast<const AccumulateGrad*>(one) != nullptr) return true;
      for (const Edge& edge : one->edges()) {
        if (edge.ends) return true;
        if (edge && seen.insert(edge.node.get()).second) left.push_back(edge.node.get());
      }
    }
    return false;
  }

  /// Takes away a history that does not.
  void drop(const Tensor& tensor) {
    if (is_view(tensor)) drop(base_of(tensor));
    if (has_history(tensor) && !leads(tensor.impl().autograd->grad_fn)) drop_history(tensor);
  }

 private:
  const Body& body_;
};

/// What the body did to a constant parameter.
void give_back(const Given& given, Outside& outside) {
  TensorImpl& outer = given.outer.impl();
  outer.take_layout(given.own.impl());
  outside.drop(given.own);
  give_history_back(given.own, given.outer);
}

/// What derivatives write in place on their way is no version of their result.
const Tensor& uncounted(const Tensor& gradient) {
  if (gradient.impl().version() == 0) return gradient;
  if (!is_view(gradient)) {
    gradient.impl().own_counter();
  } else {
    base_of(gradient).impl().own_counter();
    gradient.impl().share_counter(base_of(gradient).impl());
  }
  return gradient;
}

std::vector<Tensor> gradients_of(const Tensor& root, const Body& body, const std::vector<std::size_t>& chosen,
                                 bool creates) {
  std::vector<Tensor> leaves, found(chosen.size());
  for (const std::size_t one : chosen) leaves.push_back(body.given[one].own);
  const Tensor whole = innermost(root);
  const Tensor ones = batched(root) != nullptr ? ones_like(whole) : Tensor();
  if (requires_grad(whole)) found = gradients(whole, leaves, ones, true, true, creates);
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    const Given& given = body.given[chosen[i]];
    if (found[i].defined())
      found[i] = over(given.shown, uncounted(found[i]));
    else
      found[i] = given.assumed ? over(given.input, zeros_like(given.outer)) : over(given.shown, zeros_like(given.own));
  }
  return found;
}

/// A view that the body made is one of the caller's level, which has its own grad mode.
void set_creation(AutogradMeta& meta, const Body& body, bool is_gradient) {
  const bool many = meta.creation == CreationMeta::MULTI_OUTPUT_NODE && !body.grad_mode;
  const bool plain = meta.creation == CreationMeta::DEFAULT || meta.creation == CreationMeta::NO_GRAD_MODE;
  if ((!plain && !many) || (body.grad_mode && !is_gradient)) return;
  meta.creation = body.grad_mode ? CreationMeta::DEFAULT : CreationMeta::NO_GRAD_MODE;
}

/// What the caller gets: the memory is no longer the body's.
Tensor result(const Tensor& own, bool is_gradient, const Body& body, Outside& outside) {
  for (const Given& given : body.given)
    if (own.is_same(given.shown)) return given.input;
  const Tensor whole = innermost(own);
  outside.drop(whole);
  if (AutogradMeta* meta = whole.impl().autograd; meta != nullptr && meta->is_view()) {
    set_creation(*meta, body, is_gradient);
    for (const Given& given : body.given)
      if (meta->base.is_same(given.own)) meta->base = given.outer;
  }
  leaves_body(whole, bodies().back().depth);
  return own;
}

/// Whether a tensor requires grad in a body, because of a parameter by which that is differentiated.
bool requires_grad_in(const Body& body, const Tensor& tensor) {
  std::unordered_set<const Node*> leaves, seen;
  for (const Given& given : body.given)
    if (given.chosen && has_history(given.own)) leaves.insert(given.own.impl().autograd->grad_fn.get());
  std::vector<const Node*> left;
  const auto see = [&](const Ref<Node>& node) {
    if (node && node->sequence() >= body.first && seen.insert(node.get()).second) left.push_back(node.get());
  };
  const Tensor whole = innermost(tensor);
  if (has_history(whole)) see(whole.impl().autograd->grad_fn);
  if (is_view(whole) && has_history(base_of(whole))) see(base_of(whole).impl().autograd->grad_fn);
  while (!left.empty()) {
    const Node* const one = left.back();
    left.pop_back();
    if (leaves.contains(one)) return true;
    for (const Edge& edge : one->edges()) see(edge.node);
  }
  return false;
}

}  // namespace

std::vector<Tensor> func_grad(const std::function<std::vector<Tensor>(std::vector<Tensor>)>& body, const Grad& how,
                              const std::vector<Tensor>& given) {
  const std::vector<Tensor> inputs = seen_in_body(given);
  const std::vector<std::size_t> chosen = chosen_of(how.argnums, inputs.size());
  const bool grad_mode = thread_state().grad_mode;
  Body begun{{}, 0, mapped_levels().size(), grad_mode && !thread_state().inference_mode, grad_mode};
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const bool is_chosen = std::ranges::find(chosen, i) != chosen.end();
    begun.given.push_back((is_chosen ? chosen_one : constant)(inputs[i], begun.records_outside));
  }
  for (const Given& given : begun.given)  // a chosen one has a history
    if (has_history(given.own)) begun.first = std::min(begun.first, given.own.impl().autograd->grad_fn->sequence());
  std::vector<Tensor> parameters;
  for (const Given& given : begun.given) parameters.push_back(given.shown);
  const Running running(begun);
  Outside outside(begun);
  struct GivingBack {  // also after an error
    const Body& body;
    Outside& outside;
    ~GivingBack() {
      for (const Given& given : body.given)
        if (!given.chosen) give_back(given, outside);
    }
  };
  std::vector<Tensor> results;
  {
    const GivingBack giving{begun, outside};
    const Tensor returned = body(std::move(parameters)).at(0);
    if (returned.dim() != 0) raise(ErrorClass::grad_scalar, {std::to_string(returned.dim())});
    const Tensor whole = innermost(returned);
    const bool creates = requires_grad(whole) && outside.leads(grad_fn_of(whole));
    results = gradients_of(returned, begun, chosen, creates);
    if (how.value) results.push_back(returned);
  }
  for (std::size_t i = 0; i < results.size(); ++i) results[i] = result(results[i], i < chosen.size(), begun, outside);
  return results;
}

void check_captured_write(OpId op, const Tensor& written) {
  if (thread_state().excluded.has_any(Functionality::FuncTorchGradWrapper)) return;  // inside another kernel
  Tensor whole = innermost(written);
  const FunctionalBody* inside = FunctionalBody::current();
  bool records = thread_state().grad_mode;
  for (std::size_t i = bodies().size(); i-- > 0;) {
    for (; inside != nullptr && inside->depth() > bodies()[i].depth; inside = inside->around())
      if (const Tensor* const callers = inside->behind(whole)) whole = innermost(*callers);
    const auto is_given = [&](const Given& given) {
      return whole.is_same(given.own) || (is_view(whole) && base_of(whole).is_same(given.own));
    };
    if (whole.storage()->level() >= bodies()[i].depth) continue;
    const auto given = std::ranges::find_if(bodies()[i].given, is_given);
    if (given == bodies()[i].given.end()) raise(ErrorClass::grad_write, {"aten::" + qualified_name(plumbline::op(op))});
    // Autograd's kernel in this body runs before the bodies around it see the call.
    if (records && op != OpId::detach_ && requires_grad_in(bodies()[i], whole)) check_inplace(whole);
    records = records && bodies()[i].records_outside;
    whole = given->outer;  // what the body around this one sees
  }
}

void check_out(OpId op, const std::vector<Tensor>& arguments) {
  if (!thread_state().grad_mode) return;
  std::size_t mapped = 0;
  for (const Tensor& tensor : arguments)
    for (const Batched* one = batched(tensor); one != nullptr; one = batched(one->value))
      mapped = std::max(mapped, static_cast<std::size_t>(one->level));
  for (std::size_t i = bodies().size(); i-- > 0;) {
    const Body& body = bodies()[i];
    if (body.mapped < mapped) return;  // a mapped body in it refuses out=
    if (std::ranges::any_of(arguments, [&](const Tensor& tensor) { return requires_grad_in(body, tensor); }))
      raise(ErrorClass::out_requires_grad, {std::string(plumbline::op(op).name)});
    if (!body.records_outside) return;
  }
}

bool records_out(const std::vector<Tensor>& arguments) {
  for (std::size_t i = bodies().size(); i-- > 0;) {
    const Body& body = bodies()[i];
    if (std::ranges::any_of(arguments, [&](const Tensor& tensor) { return requires_grad_in(body, tensor); }))
      return true;
    if (!body.records_outside) return false;
  }
  return true;
}

bool innermost_is_grad() { return !bodies().empty() && bodies().back().mapped == mapped_levels().size(); }

}  // namespace plumbline::optimized
