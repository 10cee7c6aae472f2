// AUT: requires_grad, leaf-ness and grad_fn: what the other families need of autograd.
#include "spec/rules/text/texts.h"

namespace plumbline::text {

namespace {

constexpr std::array kOfAut{
    RuleText{
        .id = "AUT-01",
        .sentence = "An op is recorded for backward only while grad mode is on.",
        .source = "rfc-0011-final: 'All operations do not record grad_fn … (like NoGradMode'; "
                  "torch/csrc/autograd/functions/utils.h, compute_requires_grad",
        .misreading = "The Autograd kernel records whenever it runs.",
    },
    RuleText{
        .id = "AUT-02",
        .sentence = "An op is recorded for backward only if one of its tensor arguments requires grad.",
        .source = "rfc-0011-final, 'Autograd': 'when any of their inputs require_grad'",
        .misreading = "An op is recorded whenever grad mode is on.",
    },
    RuleText{
        .id = "AUT-03",
        .sentence = "A tensor is a leaf iff it has no grad_fn.",
        .source = "torch/csrc/autograd/variable.cpp, VariableHooks::is_leaf",
        .misreading = "A tensor is a leaf iff it does not require grad.",
    },
    RuleText{
        .id = "AUT-04",
        .sentence = "A recorded in-place op on a leaf that requires grad raises an error before anything is written.",
        .source = "torch/csrc/autograd/VariableTypeUtils.h, check_inplace",
        .misreading = "It is allowed, and the leaf gets a grad_fn.",
    },
    RuleText{
        .id = "AUT-05",
        .sentence =
            "A recorded in-place op on a view of a leaf that requires grad raises an error before anything is written.",
        .source = "torch/csrc/autograd/VariableTypeUtils.h, check_inplace",
        .misreading = "Only the leaf itself is protected.",
    },
    RuleText{
        .id = "AUT-06",
        .sentence = "A tracked view requires grad if its base does.",
        .source = "torch/csrc/autograd/variable.h, DifferentiableViewMeta::requires_grad; rfc-0011-final, 'Edge case': "
                  "'propagates to views'",
        .misreading = "Whether a view requires grad is fixed when it is made.",
    },
    RuleText{
        .id = "AUT-07",
        .sentence = "A recorded in-place op gives the written tensor a grad_fn.",
        .source = "torch/csrc/autograd/VariableTypeUtils.h, rebase_history",
        .misreading = "Only new results get a grad_fn.",
    },
    RuleText{
        .id = "AUT-08",
        .sentence = "A recorded in-place op on a tracked view gives its base a grad_fn.",
        .source = "torch/csrc/autograd/variable.cpp, rebase_history: CopySlices on the base",
        .misreading = "The base keeps the grad_fn that it had.",
    },
    RuleText{
        .id = "AUT-09",
        .sentence = "requires_grad cannot be set on a tensor that is not a leaf.",
        .source = "torch/csrc/autograd/python_variable.cpp, THPVariable_set_requires_grad",
        .misreading = "It can be set, and the history is dropped.",
    },
    RuleText{
        .id = "AUT-10",
        .sentence = "`detach` returns a tensor that does not require grad.",
        .source = "torch/csrc/autograd/variable.h, 'Non-Differentiable View'",
        .misreading = "`detach` returns a leaf that requires grad if its source does.",
    },
    RuleText{
        .id = "AUT-11",
        .sentence = "An op saves a tensor for backward only if an argument whose gradient needs it requires grad.",
        .source = "tools/autograd/derivatives.yaml; the generated kernels: should_compute_output",
        .misreading = "A recorded op saves every input that its derivative names.",
    },
    RuleText{
        .id = "AUT-12",
        .sentence = "Only a tensor of a floating or complex dtype can be set to requires_grad=True.",
        .source = "c10/core/TensorImpl.cpp, AutogradMeta::set_requires_grad: isDifferentiableType",
        .misreading = "Any tensor can require grad.",
    },
    RuleText{
        .id = "AUT-13",
        .sentence = "A result that is recorded for backward requires grad.",
        .source = "torch/csrc/autograd/variable.h, AutogradMeta::requires_grad: 'requires_grad_ || grad_fn_'",
        .misreading = "Only tensors whose requires_grad was set require grad.",
    },
    RuleText{
        .id = "AUT-14",
        .sentence = "A recorded view op gives the view a grad_fn; in no_grad mode a view of a leaf that requires grad "
                    "is itself a leaf that requires grad.",
        .source = "rfc-0011-final, 'Edge case': 'in no grad mode, this requires grad setting propagates to views'",
        .misreading = "A view of a tensor that requires grad always has a grad_fn.",
    },
    RuleText{
        .id = "AUT-15",
        .sentence = "In-place ops and setting requires_grad check leaf-ness on the history as it stands; only Python's "
                    "is_leaf and grad_fn bring a stale history up to date first.",
        .source = "torch/csrc/autograd/variable.cpp, VariableHooks::is_leaf: grad_fn_ as it is; python_variable.cpp, "
                  "THPVariable_is_leaf: grad_fn()",
        .misreading = "Every check of leaf-ness first brings the history up to date.",
        .choice = "a release",
    },
    RuleText{
        .id = "AUT-16",
        .sentence = "Outside inference mode, clone or to(dtype) of an inference tensor that requires grad is recorded "
                    "for backward: the new result brings its Autograd key to the copy_ inside.",
        .source = "aten/src/ATen/native/TensorFactories.cpp, clone, and TensorConversions.cpp, _to_copy: copy_, which "
                  "dispatches again where no Autograd kernel ran before",
        .misreading = "The result has no history, because no Autograd kernel ran for the op.",
        .variants = {{{Profile::ideal,
                       "It is not recorded: the new result does not require grad yet, so it brings no Autograd key.",
                       "rfc-0011-draft-1, 'Ideal end state': it follows from KEY-10"}}},
    },
    RuleText{
        .id = "AUT-51",
        .sentence = "Outside inference mode, an op on inference tensors alone, other than clone and to(dtype) "
                    "(AUT-16), is neither recorded nor refused, even if the tensors require grad.",
        .source = "KEY-04 and INF-01: no argument brings an Autograd key; rfc-0011-draft-2: "
                  "'VariableType/InplaceOrView kernel are all skipped'",
        .misreading = "The ops that its kernel calls on its result are recorded or refused.",
        .variants =
            {{{Profile::torch_2_13,
               "mean is refused because of the out= op inside it; mv, masked_fill and index_fill are refused because "
               "of what the in-place op inside them saves. The result of addmm has the history of a copy of self, the "
               "result of max and aminmax along a dimension of a tensor without dimensions has that of a fill with "
               "self, and the result of a *_scatter has that of a copy of src.",
               "aten/src/ATen/native/ReduceOps.cpp, mean.out: sum_out; Blas.cpp, mv: addmv_; "
               "TensorAdvancedIndexing.cpp, masked_fill, index_fill; LinearAlgebra.cpp, addmm_impl_cpu_: copy_"},
              {Profile::torch_1_13,
               "mean is refused because of the out= op inside it; mv, masked_fill and index_fill are refused because "
               "of what the in-place op inside them saves. The result of addmm has the history of a copy of self, the "
               "result of max along a dimension of a tensor without dimensions has that of a fill with self, and the "
               "result of a *_scatter has that of copies of self and src.",
               "the same files of 1.13"}}},
    },
    RuleText{
        .id = "AUT-17",
        .sentence = "A recorded op asks for the grad_fn of each of its tensor arguments, so a stale view among them is "
                    "brought up to date or raises an error.",
        .source = "torch/csrc/autograd/function.h, collect_next_edges: gradient_edge, grad_fn()",
        .misreading = "A recorded op takes its arguments' histories as they stand.",
    },
    RuleText{
        .id = "AUT-18",
        .sentence = "A recorded op whose result does not have a floating dtype is an error.",
        .source = "torch/csrc/autograd/functions/utils.h, set_history: 'Autograd not support dtype'",
        .misreading = "The result is made and not recorded.",
    },
    RuleText{
        .id = "AUT-19",
        .sentence = "copy_ into a tensor that does not have a floating dtype is not recorded, whatever its source.",
        .source = "torch/csrc/autograd/VariableTypeManual.cpp, copy_: requires_grad &= isDifferentiableType",
        .misreading = "copy_ is recorded if its source requires grad.",
    },
    RuleText{
        .id = "AUT-20",
        .sentence = "An inference tensor is a leaf, whether it requires grad or not, unless it is a result of a "
                    "recorded custom function or `x.data = y` made it one (AUT-22).",
        .source = "rfc-0011-draft-2, lines 230 and 237: 'inference tensors are guaranteed to have is_leaf=True'; the "
                  "final text is silent",
        .misreading = "An inference tensor that requires grad is not a leaf.",
    },
    RuleText{
        .id = "AUT-21",
        .sentence = "`x.data` does not require grad and has no history.",
        .source = "torch/csrc/autograd/variable.cpp, VariableHooks::variable_data: no autograd metadata",
        .misreading = "It requires grad if x does.",
    },
    RuleText{
        .id = "AUT-22",
        .sentence = "`x.data = y` keeps x's requires_grad and x's history.",
        .source = "torch/csrc/autograd/variable.cpp, VariableHooks::set_data: 'all non-autograd fields'",
        .misreading = "x takes y's requires_grad.",
    },
    RuleText{
        .id = "AUT-23",
        .sentence = "`x.data = y` is an error if x requires grad and y does not have a floating dtype.",
        .source = "torch/csrc/autograd/variable.cpp, VariableHooks::set_data: isDifferentiableType",
        .misreading = "It is allowed, and x becomes an integer tensor that requires grad.",
    },
    RuleText{
        .id = "AUT-24",
        .sentence = "Backward from a tensor that does not require grad is an error.",
        .source = "torch/csrc/autograd/autograd.cpp, run_backward: 'element 0 of tensors does not require grad'",
        .misreading = "It does nothing.",
    },
    RuleText{
        .id = "AUT-25",
        .sentence = "Backward adds to the `.grad` of each leaf in the graph of the tensor that it starts from.",
        .source = "torch/csrc/autograd/functions/accumulate_grad.h, AccumulateGrad",
        .misreading = "Backward replaces `.grad`.",
    },
    RuleText{
        .id = "AUT-26",
        .sentence = "A recorded in-place op on a tracked view gives the view a new grad_fn only if the write bumped "
                    "the version; below ADInplaceOrView the view keeps its old history.",
        .source = "torch/csrc/autograd/variable.cpp, rebase_history: 'trigger an update to the view's grad_fn', which "
                  "compares versions",
        .misreading = "The view always gets a new grad_fn.",
    },
};

}  // namespace

constinit const std::span<const RuleText> kAut{kOfAut};

}  // namespace plumbline::text
