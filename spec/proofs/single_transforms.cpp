// Claims about single rules of the transforms of torch.func: mapped and differentiated bodies.
#include <algorithm>
#include <iterator>

#include "spec/proofs/single_rules.h"
#include "spec/rules/trf.h"

namespace plumbline::proofs {

namespace {

using S = Symbolic;
using J = Judge<S>;
using B = Bool<S>;
using N = Num<S>;

const std::vector<SingleRule> kMapped{
    {"examples-are-apart", "Different examples of a result are computed from different examples of an argument.",
     [](const J& judge) {
       const N one = any_number("one"), other = any_number("other");
       return claim((one == other) == (example_read(judge, one) == example_read(judge, other)));
     }},
    {"views-are-kept", "A view op gives a view of all examples exactly if it gives one of one example.",
     [](const J& judge) {
       const B view = any_truth("view");
       return claim(gives_view_of_whole(judge, view) == view);
     }},
    {"write-needs-examples", "A tensor without examples is written exactly if no other argument has examples.",
     [](const J& judge) {
       const B other = any_truth("another argument has examples");
       return claim(fine(check_mapped_write(judge, other)) == !other);
     }},
    {"one-kernel-writes",
     "The error of such a write never comes from the kernel.",
     [](const J& judge) { return claim(!kernel_refuses_mapped_write(judge, any_truth("unchecked"))); },
     {{k213, "TRF-03: the rule for add_ does not look"}, {k113, "TRF-03: the rule for add_ does not look"}}},
    {"unmapped-runs-once", "How often an op without examples runs does not depend on their number.",
     [](const J& judge) {
       return claim(runs_of_unmapped_write(judge, any_number("one")) ==
                    runs_of_unmapped_write(judge, any_number("other")));
     }},
    {"out-needs-no-examples", "out= is written exactly if no argument has examples.",
     [](const J& judge) {
       const B batched = any_truth("batched");
       return claim(fine(check_mapped_out(judge, batched)) == !batched);
     }},
    {"write-counts-once", "How many versions a write counts does not depend on the number of examples.",
     [](const J& judge) {
       return claim(versions_of_mapped_write(judge, any_number("one")) ==
                    versions_of_mapped_write(judge, any_number("other")));
     }},
    {"results-are-where-asked", "Results have their examples in different dimensions exactly if out_dims says so.",
     [](const J& judge) {
       const N one = any_number("one"), other = any_number("other");
       return claim((one == other) == (dim_of_examples(judge, one) == dim_of_examples(judge, other)));
     }},
    {"unmapped-results-are-repeated", "Each result has examples where out_dims says an int.",
     [](const J& judge) { return claim(repeats_unmapped_result(judge)); }},
    {"repetitions-are-where-asked",
     "A result is repeated in a dimension of its own.",
     [](const J& judge) { return claim(repeats_in_new_dim(judge)); },
     {{k213, "TRF-08: a result is repeated along the first dimension"},
      {k113, "TRF-08: a result is repeated along the first dimension"}}},
    {"none-needs-no-examples",
     "None in out_dims is right exactly for a result without examples of that body.",
     [](const J& judge) {
       const B own = any_truth("own");
       return claim(fine(check_none_result(judge, own, any_truth("outer"))) == !own);
     },
     {{k213, "TRF-09: examples of a body around it are refused"},
      {k113, "TRF-09: examples of a body around it are refused"}}},
    {"computed-views-are-free", "Whether a tensor is a view is specified exactly if no op computed it from examples.",
     [](const J& judge) {
       const B computed = any_truth("computed");
       return claim(mapped_view_is_free(judge, computed) == computed);
     }},
    {"examples-stay-apart", "as_strided gives exactly what lies within the memory of its example.",
     [](const J& judge) {
       const B outside = any_truth("outside");
       return claim(fine(check_mapped_strided(judge, outside)) == !outside);
     }},
    {"random-is-asked-for", "A random op runs exactly if the randomness is not \"error\".",
     [](const J& judge) {
       const B error = any_truth("error");
       return claim(fine(check_randomness(judge, error)) == !error);
     }},
    {"random-is-one-of-two", "Numbers are drawn for each example, or once for all, as the randomness says.",
     [](const J& judge) {
       const B different = any_truth("different");
       return claim(draws_for_each(judge, different) == different && draws_once(judge, !different) == !different);
     }},
    {"examples-are-as-many", "Inputs go together exactly if they have as many examples.",
     [](const J& judge) {
       const B differ = any_truth("differ");
       return claim(fine(check_examples(judge, differ)) == !differ);
     }},
    {"in-dim-exists", "in_dims names dimensions that the inputs have.",
     [](const J& judge) {
       const B outside = any_truth("outside");
       return claim(fine(check_in_dim(judge, outside)) == !outside);
     }},
    {"something-is-mapped", "A body is mapped exactly if an input has examples.",
     [](const J& judge) {
       const B none = any_truth("none");
       return claim(fine(check_any_examples(judge, none)) == !none);
     }},
};

const std::vector<SingleRule> kDifferentiated{
    {"one-number", "A body returns exactly what has no dimensions.",
     [](const J& judge) {
       const B many = any_truth("many");
       return claim(fine(check_scalar(judge, many)) == !many);
     }},
    {"captured-is-not-written", "A body writes exactly memory that it made or was given.",
     [](const J& judge) {
       const B captured = any_truth("captured");
       return claim(fine(check_grad_write(judge, captured)) == !captured);
     }},
    {"chosen-are-leaves", "An input is differentiated exactly if argnums says it.",
     [](const J& judge) {
       const B chosen = any_truth("chosen");
       return claim(is_differentiated(judge, chosen) == chosen);
     }},
    {"unused-gives-zeros", "There are zeros exactly for an input on which the result does not depend.",
     [](const J& judge) {
       const B unused = any_truth("unused");
       return claim(gives_zeros(judge, unused) == unused);
     }},
    {"histories-lead-outside", "A history stays exactly if it leads outside.",
     [](const J& judge) {
       const B leads = any_truth("leads");
       return claim(keeps_history(judge, leads) == leads);
     }},
    {"no-grad-outside-is-kept", "What a body computed has a history outside exactly if grad mode is on there.",
     [](const J& judge) {
       const B outer = any_truth("grad mode outside");
       return claim(records_outside(judge, outer) == outer);
     }},
    {"argnum-exists", "argnums says inputs that there are.",
     [](const J& judge) {
       const B outside = any_truth("outside");
       return claim(fine(check_argnum(judge, outside)) == !outside);
     }},
    {"argnums-differ", "argnums says each input once.",
     [](const J& judge) {
       const B twice = any_truth("twice");
       return claim(fine(check_argnums(judge, twice)) == !twice);
     }},
    {"body-records", "Grad mode in a body does not depend on grad mode outside.",
     [](const J& judge) { return claim(grad_body_records(judge, any_truth("outer"))); }},
    {"body-is-normal",
     "Inference mode in a body does not depend on inference mode outside.",
     [](const J& judge) { return claim(!grad_body_inference(judge, any_truth("outer"))); },
     {{k113, "TRF-27: inference mode stays on"}}},
    {"mapped-gradients-lie-anywhere", "How a gradient lies in memory is specified exactly if it met no mapped op.",
     [](const J& judge) {
       const B mapped = any_truth("mapped");
       return claim(gradient_layout_is_free(judge, mapped) == mapped);
     }},
};

const std::vector<SingleRule> kFunctionalized{
    {"memory-gets-examples", "Memory gets examples when it is written exactly if a functionalized body inside made it.",
     [](const J& judge) {
       const B inside = any_truth("made inside");
       return claim(gets_examples(judge, inside) == inside);
     }},
};

}  // namespace

std::vector<Obligation> transform_rules() {
  std::vector<Obligation> all = obligations_of("mapped", kMapped);
  std::ranges::move(obligations_of("differentiated", kDifferentiated), std::back_inserter(all));
  std::ranges::move(obligations_of("mapped.functionalized", kFunctionalized), std::back_inserter(all));
  return all;
}

}  // namespace plumbline::proofs
