// Obligations about what backward asks before it starts and of whom: each is about the values that a rule is given.
#include "spec/proofs/heap_premises.h"
#include "spec/proofs/single_rules.h"

namespace plumbline::proofs {

namespace {

using J = Judge<Symbolic>;
using B = Bool<Symbolic>;
using N = Num<Symbolic>;
using E = Error<Symbolic>;

B free_truth(std::string_view name) { return any_truth(name); }

Question starts(const J& judge) {
  const B needs = free_truth("the tensor requires grad");
  const B given = free_truth("a gradient is given");
  const B fits = free_truth("it has the tensor's sizes");
  const N elements = any_number("elements");
  const E first = select(given, check_given_gradient(judge, fits),
                         select(needs, check_implicit_gradient(judge, elements), E(ErrorClass::none)));
  const B right = needs && select(given, fits, elements == N(1));
  return claim(fine(first_error(first, check_backward(judge, needs))) == right);
}
Question second_backward(const J& judge) {
  const B retained = free_truth("retain_graph");
  return claim(frees_saved(judge, retained) == !retained);
}
Question retain_and_hook(const J& judge) {
  const B needs = free_truth("the tensor requires grad");
  return claim(fine(check_retain_grad(judge, needs)) == needs && fine(check_register_hook(judge, needs)) == needs);
}
Question hook_after(const J& judge) {
  const B leaf = free_truth("the tensor is a leaf");
  return claim(fine(check_register_hook_after(judge, leaf)) == leaf);
}
Question hook_result(const J& judge) {
  const B fits = free_truth("it has the sizes and the dtype of the gradient");
  return claim(fine(check_hook_result(judge, fits)) == fits);
}
Question chosen(const J& judge) {
  const B needs = free_truth("the tensor requires grad");
  const B arrived = free_truth("a gradient arrived");
  const B allowed = free_truth("allow_unused");
  return claim(fine(check_chosen(judge, needs)) == needs &&
               fine(check_unused(judge, arrived, allowed)) == (arrived || allowed));
}
Question only_what_leads_there(const J& judge) {
  const B leads = free_truth("an edge leads from the node to a chosen tensor");
  return claim(node_runs(judge, leads) == leads);
}
Question filled(const J& judge) {
  const B retained = free_truth("retain_grad() was called");
  return claim(fills_grad(judge, retained) == retained);
}
/// Whether anything that backward does with gradients is recorded.
Question recorded(const J& judge) {
  Tls<Symbolic> tls;
  const B create = free_truth("create_graph");
  tls.grad_mode = backward_grad_mode(judge, create);
  return claim(sum_is_recorded(judge, tls) == create && gradient_is_copied(judge, tls) == create &&
               grad_is_replaced(judge, tls) == create);
}
Question hooks_of_leaf(const J& judge) {
  const B needs = free_truth("the leaf still requires grad");
  return claim(leaf_calls_hooks(judge, needs));
}
Question hooks_after_of_leaf(const J& judge) {
  const B fills = free_truth("its `.grad` gets a gradient");
  return claim(leaf_calls_hooks_after(judge, fills) == fills);
}
Question custom_gradients(const J& judge) {
  const B count = free_truth("backward returned as many gradients as there are inputs");
  const B same = free_truth("the gradient has the input's sizes");
  const B expandable = free_truth("the input's sizes can be expanded to the gradient's");
  return claim(fine(check_gradient_count(judge, count)) == count &&
               fine(check_expandable(judge, same, expandable)) == (same || expandable));
}
/// In forward, whatever its tensors are.
Question forward(const J& judge) {
  Tls<Symbolic> outer;
  outer.grad_mode = free_truth("grad mode outside");
  return claim(!is_recorded(judge, free_truth("a tensor requires grad"), machine::inside_forward(judge, outer)));
}
Question saved_by_function(const J& judge) {
  const Heap<Symbolic> heap = any_heap("");
  const TensorId<Symbolic> x = any_tensor("x");
  Machine<Symbolic> run(judge, heap);
  machine::check_saved_by_function(run, x);
  const Object<Symbolic> o = heap.tensors.at(x);
  return claim(run.ok() == (!kind_of(o) && o.meta.counted));
}
/// `x.requires_grad_(value)` of a tensor that is no leaf.
Question method_on_interior(const J& judge) {
  const Heap<Symbolic> heap = any_heap("");
  const TensorId<Symbolic> x = any_tensor("x");
  const B value = free_truth("value");
  Machine<Symbolic> run(judge, heap);
  machine::set_requires_grad(run, x, value, true);
  const Meta<Symbolic> before = heap.tensors.at(x).meta;
  const B kept = run.heap.tensors.at(x).meta.has_grad_fn && value;
  return claim(implied(run.ok(), kept)).given(before.has_grad_fn && !kind_of(heap.tensors.at(x)) && !before.tracked);
}

Obligation backward_claim(std::string name, std::string sentence, Question (*build)(const J&)) {
  return {"backward." + std::move(name), std::move(sentence), build};
}

}  // namespace

std::vector<Obligation> backward_claims() {
  std::vector<Obligation> all{
      backward_claim("starts",
                     "Backward starts at a tensor exactly if it requires grad, and the given gradient has its sizes or "
                     "it has one element.",
                     starts),
      backward_claim("frees", "A backward frees what the graph saved exactly if retain_graph is not set.",
                     second_backward),
      backward_claim("retain-and-hook", "A tensor retains its gradient, or has a hook, only if it requires grad.",
                     retain_and_hook),
      backward_claim("hook-after", "Only a leaf has a hook after accumulation.", hook_after),
      backward_claim("hook-result", "A hook returns only a gradient that fits in place of the one that it got.",
                     hook_result),
      backward_claim("chosen",
                     "grad() takes tensors that require grad, and returns no gradient for one only if allow_unused is "
                     "set.",
                     chosen),
      backward_claim("only-what-leads-there", "For chosen tensors a node runs exactly if it leads to one.",
                     only_what_leads_there),
      backward_claim("fills-what-is-retained", "A tensor that is no leaf gets a `.grad` exactly after retain_grad().",
                     filled),
      backward_claim("recorded", "What backward does with gradients is recorded exactly with create_graph.", recorded),
      backward_claim("hooks-of-a-leaf", "A leaf calls its hooks even if it requires grad no more.", hooks_of_leaf),
      backward_claim("hooks-after", "A leaf calls its hooks after accumulation exactly if its `.grad` gets a gradient.",
                     hooks_after_of_leaf),
      backward_claim("custom-gradients",
                     "A custom backward returns a gradient for each input, each with sizes that can be summed to its "
                     "input's.",
                     custom_gradients),
      backward_claim("nothing-recorded-in-forward", "In a custom function's forward no call is recorded.", forward),
      backward_claim("custom-save", "A custom function saves exactly the normal tensors that have a version counter.",
                     saved_by_function),
      backward_claim("requires-grad-method",
                     "requires_grad_() of a tensor with a history either raises an error or leaves the history; with "
                     "False it raises one.",
                     method_on_interior)};
  for (Obligation& one : all) {
    if (one.name == "backward.hooks-of-a-leaf")
      one.except.push_back({Profile::torch_1_13, "AUT-86: hooks of a leaf that requires grad no more are not called"});
    if (one.name == "backward.hooks-after")
      one.except.push_back({Profile::torch_2_13, "AUT-98: they are called without a gradient, too"});
  }
  return all;
}

}  // namespace plumbline::proofs
