// DEV: tensors of two devices in one program, the CPU and an accelerator.
#include "spec/rules/text/texts.h"

namespace plumbline::text {

namespace {

constexpr std::array kOfDev{
    RuleText{
        .id = "DEV-01",
        .sentence =
            "A tensor of the accelerator has the accelerator's backend key in place of CPU, and its Autocast key "
            "in place of AutocastCPU.",
        .source = "c10/core/TensorImpl.cpp, TensorImpl::TensorImpl: 'getAutocastRelatedKeySetFromBackend'; "
                  "c10/core/DispatchKeySet.h, getAutocastRelatedKeySetFromBackend",
        .misreading = "It has the keys of a tensor of the CPU.",
    },
    RuleText{
        .id = "DEV-02",
        .sentence = "A call runs on the accelerator if one of its tensors is there, and its result is there, too.",
        .source = "aten/src/ATen/TensorIterator.cpp, compute_types: 'common_device'; c10/core/DispatchKeySet.h: the "
                  "highest backend of the arguments' keys",
        .misreading = "It runs on the device of its first tensor.",
    },
    RuleText{
        .id = "DEV-03",
        .sentence = "A tensor of a call on another device is an error, before anything is written or counted.",
        .source =
            "aten/src/ATen/TensorIterator.cpp, compute_types: 'Expected all tensors to be on the same device, but "
            "found at least two devices'; aten/src/ATen/core/op_registration/adaption.h, "
            "check_and_update_common_device",
        .misreading = "It is copied to the call's device.",
    },
    RuleText{
        .id = "DEV-04",
        .sentence =
            "Arithmetic, comparisons and where take a tensor of the CPU without dimensions as a number, if they "
            "do not write it; arithmetic and comparisons take one.",
        .source = "aten/src/ATen/TensorIterator.cpp, compute_types: 'Trying to pass too many CPU scalars to non-CPU "
                  "kernel!'; aten/src/ATen/native/TensorCompare.cpp, where_self_out",
        .misreading = "They take any tensor of the CPU with one element.",
    },
    RuleText{
        .id = "DEV-05",
        .sentence = "copy_ and the *_scatter ops take their values from any device, and view_as and expand_as their "
                    "sizes; the result stays on the device of the first argument.",
        .source =
            "aten/src/ATen/native/native_functions.yaml, copy_: 'device_check: NoCheck'; select_scatter, view_as: "
            "'device_check: NoCheck'",
        .misreading = "Another device is an error there, too.",
    },
    RuleText{
        .id = "DEV-06",
        .sentence = "x.to(device) is x itself if it is there, with the dtype and the memory format that are asked for.",
        .source = "aten/src/ATen/native/TensorConversions.cpp, to_will_alias",
        .misreading = "It is always a copy.",
    },
    RuleText{
        .id = "DEV-07",
        .sentence = "After `x.data = y`, x is on the device of y.",
        .source =
            "c10/core/TensorImpl.h, has_compatible_shallow_copy_type; torch/csrc/autograd/variable.cpp, set_data: "
            "'prior_device != new_device'",
        .misreading = "x keeps the keys of its own device.",
    },
    RuleText{
        .id = "DEV-08",
        .sentence = "x.set_(y) is an error if y is on another device.",
        .source =
            "aten/src/ATen/native/Resize.h, checkSetStorage: 'Attempted to set the storage of a tensor on device'",
        .misreading = "x takes the memory of the other device.",
    },
    RuleText{
        .id = "DEV-09",
        .sentence = "A gradient without dimensions moves to the device of the tensor that it belongs to.",
        .source = "torch/csrc/autograd/engine.cpp, validate_outputs: 'grad = grad.to(metadata.device());'",
        .misreading = "It is an error, as any other gradient of another device.",
    },
    RuleText{
        .id = "DEV-10",
        .sentence = "Any other gradient of another device is an error.",
        .source = "torch/csrc/autograd/engine.cpp, validate_outputs: ' - expected device '",
        .misreading = "It moves to the device of the tensor.",
    },
    RuleText{
        .id = "DEV-11",
        .sentence = "`x.grad = y` is an error if y is on another device.",
        .source = "torch/csrc/autograd/python_variable.cpp, THPVariable_set_grad: 'attempting to assign a gradient "
                  "with device type '",
        .misreading = "x takes it.",
        .variants = {{{Profile::torch_1_13, "It is the error of a gradient of another dtype.",
                       "torch/csrc/autograd/python_variable.cpp of 1.13, THPVariable_set_grad: 'assigned grad has data "
                       "of a different type'"}}},
    },
};

}  // namespace

constinit const std::span<const RuleText> kDev{kOfDev};

}  // namespace plumbline::text
