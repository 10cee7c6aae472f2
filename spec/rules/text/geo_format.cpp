// GEO: memory formats, which say in what order a new tensor's dimensions are laid out.
#include "spec/rules/text/texts.h"

namespace plumbline::text {

namespace {

constexpr std::array kOfGeoFormat{
    RuleText{
        .id = "GEO-34",
        .sentence = "A new tensor in torch.channels_last or torch.channels_last_3d has dimension 1 fastest in memory, "
                    "then the others from the last to the first; its sizes do not change.",
        .source = "c10/core/MemoryFormat.h, get_channels_last_strides_2d, get_channels_last_strides_3d",
        .misreading = "The format is a hint: the tensor is row-major.",
    },
    RuleText{
        .id = "GEO-35",
        .sentence = "Only a tensor of four dimensions can be in torch.channels_last, and only one of five in "
                    "torch.channels_last_3d; for others it is an error.",
        .source = "c10/core/TensorImpl.h, empty_tensor_restride: 'required rank 4 tensor to use channels_last format'",
        .misreading = "A tensor of another rank is row-major.",
    },
    RuleText{
        .id = "GEO-36",
        .sentence = "torch.preserve_format needs a layout to preserve: empty and resize_ refuse it, and so does "
                    "contiguous of a tensor that is not row-major.",
        .source = "aten/src/ATen/native/TensorProperties.cpp, contiguous: 'preserve memory format is unsupported by "
                  "the contiguous operator'; c10/core/TensorImpl.h, empty_tensor_restride",
        .misreading = "There it means row-major.",
    },
    RuleText{
        .id = "GEO-37",
        .sentence = "contiguous(memory_format) returns the tensor itself if its elements are without gaps in the order "
                    "of that format, where dimensions of size 1 do not matter.",
        .source = "aten/src/ATen/native/TensorProperties.cpp, contiguous: 'self.is_contiguous(memory_format)'; "
                  "c10/core/Contiguity.h, _compute_channels_last_contiguous_2d",
        .misreading = "It returns a row-major tensor itself, whatever the format.",
        .variants = {{{Profile::torch_1_13,
                       "In a functionalized body it returns a row-major tensor itself, whatever the "
                       "format.",
                       "aten/src/ATen/FunctionalTensorWrapper.cpp of v1.13.1, is_contiguous_custom, which does not use "
                       "its memory_format"}}},
    },
    RuleText{
        .id = "GEO-38",
        .sentence = "to(dtype, memory_format) returns the tensor itself only if its strides suggest that format: gaps "
                    "do not matter, and strides that suggest no channels-last format, or are row-major too, suggest "
                    "torch.contiguous_format.",
        .source = "aten/src/ATen/native/TensorConversions.cpp, to_will_alias: 'self.suggest_memory_format() == "
                  "memory_format'; c10/core/MemoryFormat.h, is_channels_last_strides_2d_s4",
        .misreading = "It asks whether the elements are without gaps in that order, as contiguous does.",
    },
    RuleText{
        .id = "GEO-39",
        .sentence = "resize_ with a memory format gives the tensor the strides of that format, even if its sizes stay "
                    "the same; no element moves in memory.",
        .source = "aten/src/ATen/native/Resize.cpp, _resize_: 'self_->empty_tensor_restride(memory_format)'",
        .misreading = "resize_ always gives row-major strides.",
    },
};

}  // namespace

constinit const std::span<const RuleText> kGeoFormat{kOfGeoFormat};

}  // namespace plumbline::text
