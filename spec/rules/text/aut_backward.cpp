// AUT, continued: backward, `.grad`, and custom functions.
#include "spec/rules/text/texts.h"

namespace plumbline::text {

namespace {

constexpr std::array kOfAutBackward{
    RuleText{
        .id = "AUT-27",
        .sentence = "Backward frees what the graph saved, unless retain_graph is set: a second backward that needs it "
                    "is an error.",
        .source = "torch/csrc/autograd/saved_variable.cpp, SavedVariable::unpack: ERR_BACKWARD_TWICE; engine.cpp: "
                  "release_variables",
        .misreading = "What the graph saved lives as long as the graph.",
    },
    RuleText{
        .id = "AUT-28",
        .sentence = "A backward that raises an error changes nothing: every `.grad` is as before, and the graph can be "
                    "used again.",
        .source = "VER-09 and INF-06: what raises has changed nothing; no text says it of backward",
        .misreading = "Leaves whose gradient was complete before the error keep it, and the nodes that ran have freed "
                      "what they saved.",
        .variants =
            {{{Profile::torch_2_13,
               "Leaves that were reached before the error keep their gradient, and the nodes that ran are freed; a "
               "missing derivative raises its error as soon as a leaf would take its gradient.",
               "torch/csrc/autograd/engine.cpp: AccumulateGrad runs as soon as its gradient is complete; its sequence "
               "number and NotImplemented's are the highest there is"},
              {Profile::torch_1_13,
               "Leaves that were reached before the error keep their gradient, and the nodes that ran are freed.",
               "torch/csrc/autograd/engine.cpp: AccumulateGrad runs as soon as its gradient is complete"}}},
    },
    RuleText{
        .id = "AUT-29",
        .sentence = "backward() without a gradient needs a tensor with one element.",
        .source = "torch/autograd/__init__.py, _make_grads: 'only for scalar outputs'",
        .misreading = "For any tensor, backward() without a gradient uses ones.",
    },
    RuleText{
        .id = "AUT-30",
        .sentence = "A gradient passed to backward() must have the sizes of its tensor.",
        .source = "torch/autograd/__init__.py, _make_grads: 'Mismatch in shape'",
        .misreading = "A gradient broadcasts to its tensor.",
    },
    RuleText{
        .id = "AUT-31",
        .sentence = "A tensor that is not a leaf gets a `.grad` only after retain_grad().",
        .source = "torch/csrc/autograd/variable.cpp, VariableHooks::retain_grad",
        .misreading = "Every tensor that backward reaches gets a `.grad`.",
    },
    RuleText{
        .id = "AUT-32",
        .sentence = "retain_grad() follows the tensor: after an in-place op, it retains the gradient of the tensor's "
                    "new value.",
        .source = "torch/csrc/autograd/variable.cpp, update_tensor_hooks_on_new_gradfn",
        .misreading = "It retains the gradient of the old value.",
        .variants = {{{Profile::torch_1_13,
                       "After a write through a view of the tensor, it retains the gradient of the old value.",
                       "torch/csrc/autograd/variable.cpp of 1.13, rebase_history: update_cpp_hooks_on_new_gradfn of "
                       "the tensor alone, not of its base"}}},
    },
    RuleText{
        .id = "AUT-33",
        .sentence = "retain_grad() of a tensor that does not require grad is an error.",
        .source = "torch/csrc/autograd/variable.cpp, VariableHooks::retain_grad: 'requires_grad=False'",
        .misreading = "It does nothing.",
    },
    RuleText{
        .id = "AUT-34",
        .sentence = "detach_ of a tracked view is an error where the Autograd kernel of detach_ runs, so not inside "
                    "inference mode.",
        .source = "torch/csrc/autograd/VariableTypeManual.cpp, detach_: 'Can't detach views in-place'",
        .misreading = "The view becomes a leaf.",
    },
    RuleText{
        .id = "AUT-35",
        .sentence = "detach_ removes the history and requires_grad, and does not bump the version; where no Autograd "
                    "kernel runs (inside inference mode, or on an inference tensor) it does nothing.",
        .source = "torch/csrc/autograd/VariableTypeManual.cpp, detach_: grad_fn_.reset()",
        .misreading = "It keeps requires_grad.",
    },
    RuleText{
        .id = "AUT-36",
        .sentence = "With grad mode on, an out= op whose result is differentiable raises an error before it writes if "
                    "an argument requires grad; inside inference mode nothing checks this.",
        .source = "torch/csrc/autograd/VariableTypeUtils.h, throw_error_out_requires_grad; "
                  "tools/autograd/gen_variable_type.py, emit_body: 'requires_derivative'",
        .misreading = "It is recorded like an in-place op.",
    },
    RuleText{
        .id = "AUT-37",
        .sentence = "resize_ of a normal tensor that requires grad is an error, even in no_grad mode; inside inference "
                    "mode it is allowed.",
        .source = "torch/csrc/autograd/VariableTypeManual.cpp, resize_: 'cannot resize variables'",
        .misreading = "In no_grad mode it is allowed.",
    },
    RuleText{
        .id = "AUT-38",
        .sentence = "requires_grad_() on a tensor that is not a leaf does nothing; setting the attribute is an error.",
        .source =
            "tools/autograd/templates/python_variable_methods.cpp, THPVariable_requires_grad_: only False is refused",
        .misreading = "Both are errors.",
    },
    RuleText{
        .id = "AUT-39",
        .sentence = "A result that is not differentiable is not recorded for backward.",
        .source = "tools/autograd/derivatives.yaml: output_differentiability: [False]",
        .misreading = "Every floating result of a recorded op is recorded.",
    },
    RuleText{
        .id = "AUT-40",
        .sentence = "If requires_grad of a leaf was set to False after the graph was recorded, backward gives the leaf "
                    "no gradient.",
        .source = "torch/csrc/autograd/functions/accumulate_grad.cpp, AccumulateGrad::apply: requires_grad()",
        .misreading = "It gets the gradient that the recorded graph computes.",
    },
    RuleText{
        .id = "AUT-41",
        .sentence =
            "If a leaf got a grad_fn after the graph was recorded, a backward that reaches it as a leaf is an error.",
        .source =
            "torch/csrc/autograd/functions/accumulate_grad.cpp: 'leaf variable has been moved into the graph interior'",
        .misreading = "Its `.grad` is filled.",
    },
    RuleText{
        .id = "AUT-42",
        .sentence = "A custom function's forward starts with grad mode off.",
        .source = "torch/csrc/autograd/custom_function.h, Function::apply: AutoGradMode(false)",
        .misreading = "Its ops are recorded as everywhere else.",
    },
    RuleText{
        .id = "AUT-43",
        .sentence = "If forward returns an input, apply returns a view of it; for a dirty input it returns the input "
                    "itself; for an input that requires grad, in an apply that is not recorded, AUT-61 holds.",
        .source = "torch/csrc/autograd/custom_function.cpp, _process_backward_mode_ad: _view_as_self_with_no_grad",
        .misreading = "apply returns the input itself, with the function as its grad_fn.",
        .variants = {{{Profile::torch_1_13, "If apply is not recorded, it returns a view of a dirty input as well.",
                       "torch/csrc/autograd/custom_function.cpp of 1.13, set_history: is_input alone is asked"}}},
    },
    RuleText{
        .id = "AUT-44",
        .sentence = "A recorded in-place op on a view that a custom function returned is an error.",
        .source = "torch/csrc/autograd/custom_function.cpp: CreationMeta::IN_CUSTOM_FUNCTION",
        .misreading = "It is allowed, and the function's backward is skipped.",
    },
    RuleText{
        .id = "AUT-45",
        .sentence = "apply bumps the version of a dirty input; a recorded apply also drops its `.grad` and makes the "
                    "function its grad_fn, and a dirty leaf that requires grad is then an error.",
        .source = "torch/csrc/autograd/custom_function.cpp, _process_backward_mode_ad: is_modified; get_and_bump_dirty",
        .misreading = "It keeps its grad_fn.",
    },
    RuleText{
        .id = "AUT-52",
        .sentence = "In a recorded apply, a dirty input that is a view is an error if a recorded in-place op on it "
                    "would be one.",
        .source = "torch/csrc/autograd/custom_function.cpp, _process_backward_mode_ad: check_inplace",
        .misreading = "Every dirty view takes the function as its grad_fn.",
        .variants = {{{Profile::torch_1_13,
                       "A view of a leaf that requires grad is allowed, and a view whose creation metadata forbids the "
                       "write fails an internal assertion.",
                       "torch/csrc/autograd/custom_function.cpp of 1.13 has no such check; variable.cpp, "
                       "rebase_history: creation_meta == DEFAULT"}}},
    },
    RuleText{
        .id = "AUT-46",
        .sentence =
            "A result that mark_non_differentiable names, or that has neither a floating nor a complex dtype, is "
            "not recorded for backward.",
        .source = "torch/csrc/autograd/custom_function.cpp: non_differentiable, isDifferentiableType",
        .misreading = "Every result of a recorded apply requires grad.",
    },
    RuleText{
        .id = "AUT-47",
        .sentence = "A custom backward returns one gradient for each input, which fits the input's sizes; any further "
                    "values must be None.",
        .source = "torch/csrc/autograd/python_function.cpp, PyNode::apply: 'incorrect number of gradients', 'Returning "
                  "too many results is ok, but only as long as they're all None'; engine.cpp, validate_outputs",
        .misreading = "A missing gradient counts as None, and one too many is dropped.",
    },
    RuleText{
        .id = "AUT-48",
        .sentence = "A gradient whose sizes its tensor broadcasts to is summed to the tensor's sizes.",
        .source = "torch/csrc/autograd/engine.cpp, validate_outputs: is_expandable_to_shape, reduce_grad",
        .misreading = "Such a gradient is an error.",
    },
    RuleText{
        .id = "AUT-99",
        .sentence = "The gradient of a complex tensor is the derivative by its real part, plus i times that by its "
                    "imaginary part: the derivative of an op is conjugated.",
        .source = "torch/csrc/autograd/FunctionsManual.cpp, mul_tensor_backward: 'grad * other.conj()'",
        .misreading = "The derivative of an op is used as it is.",
        .choice = "a release",
    },
    RuleText{
        .id = "AUT-100",
        .sentence =
            "If an op makes a complex result from a real tensor, the gradient of that tensor is the real part of "
            "the complex one.",
        .source = "torch/csrc/autograd/FunctionsManual.cpp, handle_r_to_c",
        .misreading = "A complex gradient that reaches a real tensor is an error.",
    },
    RuleText{
        .id = "AUT-67",
        .sentence = "If no gradient reaches a custom function in backward, its backward runs all the same, with zeros.",
        .source = "torch/autograd/function.py, set_materialize_grads: 'undefined grad tensors will be expanded to "
                  "tensors full of zeros'",
        .misreading = "It does not run, and what it was given gets no gradient from it.",
    },
    RuleText{
        .id = "AUT-68",
        .sentence =
            "Backward goes through the call of an op also if no gradient reaches it: if what it saved was written "
            "or freed, or the op has no derivative, that is an error.",
        .source = "tools/autograd/gen_autograd_functions.py: saved variables are unpacked before any_grad_defined is "
                  "asked; torch/csrc/autograd/functions/basic_ops.cpp, NotImplemented::apply",
        .misreading = "Backward passes over such a call.",
    },
    RuleText{
        .id = "AUT-61",
        .sentence = "If apply does not record a result that requires grad, it detaches the result: for an input it "
                    "returns its `detach`, on a tensor that forward made it calls detach_, and a view stays as it is.",
        .source = "torch/csrc/autograd/custom_function.cpp, _process_backward_mode_ad: 'Return detached aliases of "
                  "inputs, instead of changing their requires_grad property'; var.detach_() unless var.is_view()",
        .misreading = "apply returns it as it is.",
    },
    RuleText{
        .id = "AUT-49",
        .sentence =
            "apply checks what a custom function saved when forward has returned: an inference tensor is an error.",
        .source = "torch/csrc/autograd/custom_function.cpp, AutogradContext::save_variables",
        .misreading = "It is saved without a version.",
    },
    RuleText{
        .id = "AUT-53",
        .sentence = "mean saves nothing: backward through it can be repeated, and its input may be written.",
        .source = "tools/autograd/derivatives.yaml: mean needs its input's sizes alone",
        .misreading = "mean saves its input.",
        .variants = {{{Profile::torch_1_13, "mean along dimensions saves its input.",
                       "tools/autograd/derivatives.yaml of 1.13, mean.dim: self.sym_numel(), for which the generator "
                       "saves self"}}},
    },
    RuleText{
        .id = "AUT-54",
        .sentence = "If the base of a view was written after the view was made, retain_grad() on the view retains the "
                    "gradient of its current value.",
        .source =
            "torch/csrc/autograd/variable.cpp, VariableHooks::retain_grad: self.grad_fn() makes the history again",
        .misreading = "It retains nothing.",
        .variants = {{{Profile::torch_1_13, "The process crashes.",
                       "torch/csrc/autograd/variable.cpp of 1.13, VariableHooks::grad_fn calls "
                       "update_cpp_hooks_on_new_gradfn while the hook is being registered: a null list",
                       "the result of a program without errors is specified"}}},
    },
    RuleText{
        .id = "AUT-55",
        .sentence =
            "If detach_ has removed the history of a saved tensor, a backward that uses the tensor is an error.",
        .source = "torch/csrc/autograd/saved_variable.cpp, SavedVariable::unpack: 'detached in-place'",
        .misreading = "The tensor's history ends there.",
        .variants = {{{Profile::torch_1_13, "The error is a failed internal assertion.",
                       "torch/csrc/autograd/saved_variable.cpp of 1.13, unpack: TORCH_INTERNAL_ASSERT(saved_for)"}}},
    },
    RuleText{
        .id = "AUT-56",
        .sentence = "retain_grad() follows a tensor through in-place view ops and through the in-place ops after them.",
        .source = "torch/csrc/autograd/variable.cpp, update_tensor_hooks_on_new_gradfn",
        .misreading = "An in-place op after an in-place view op ends it.",
        .variants =
            {{{Profile::torch_2_13,
               "An in-place view op leaves it with the value before the op. An in-place op after that, or on a result "
               "that is not the first of its op, writes, and then fails an internal assertion; a write through a view "
               "of such a result ends the process.",
               "torch/csrc/autograd/variable.cpp, update_tensor_hooks_on_new_gradfn: 'out != nullptr' of the hook that "
               "it moves, which it seeks under the tensor's new output number",
               "an op that raises an error writes nothing"},
              {Profile::torch_1_13,
               "An in-place view op leaves it with the value before the op; the next in-place op moves it.",
               "tools/autograd/gen_variable_type.py of 1.13: an in-place view op calls set_history, and hooks move in "
               "rebase_history alone"}}},
    },
    RuleText{
        .id = "AUT-57",
        .sentence = "If backward gives a tensor no gradient, its retained `.grad` stays None.",
        .source = "torch/csrc/autograd/variable.cpp, VariableHooks::retain_grad: the hook is asked for defined "
                  "gradients alone",
        .misreading = "It becomes zeros.",
        .variants = {{{Profile::torch_1_13, "That backward raises an error.",
                       "torch/csrc/autograd/variable.cpp of 1.13, VariableHooks::retain_grad: the hook takes an "
                       "undefined gradient"}}},
    },
    RuleText{
        .id = "AUT-58",
        .sentence = "detach_copy is recorded, but has no derivative.",
        .source = "torchgen/api/autograd.py, add_view_copy_derivatives: a {view}_copy has its view's formula; "
                  "tools/autograd/derivatives.yaml has none for detach",
        .misreading = "It has the derivative of alias_copy.",
    },
    RuleText{
        .id = "AUT-88",
        .sentence = "A backward from several tensors is one backward: what several of them reach gets the sum of their "
                    "gradients, and runs once.",
        .source =
            "torch/autograd/__init__.py, backward: 'Compute the sum of gradients of given tensors with respect to'; "
            "torch/csrc/autograd/functions/basic_ops.h, GraphRoot",
        .misreading = "It is one backward after another.",
        .choice = "a text",
    },
};

}  // namespace

constinit const std::span<const RuleText> kAutBackward{kOfAutBackward};

}  // namespace plumbline::text
