// GEO: results like an argument, reductions and indices of tensors without dimensions, and what cat writes.
#include "spec/rules/text/texts.h"

namespace plumbline::text {

namespace {

constexpr std::array kOfGeoValue{
    RuleText{
        .id = "GEO-49",
        .sentence =
            "masked_fill_ may write overlapping memory: a place in memory is filled if any element there is masked.",
        .source =
            "aten/src/ATen/native/TensorAdvancedIndexing.cpp, masked_fill_impl_cpu: 'deprecated, but not a hard error'",
        .misreading = "masked_fill_ is like every other in-place op.",
    },
    RuleText{
        .id = "GEO-50",
        .sentence = "empty_like, zeros_like, ones_like and full_like lay out their result as clone does.",
        .source = "aten/src/ATen/native/TensorFactories.cpp, empty_like: MemoryFormat::Preserve",
        .misreading = "Their result is row-major.",
    },
    RuleText{
        .id = "GEO-53",
        .sentence = "A reduction of a tensor without dimensions has no dimensions, even with keepdim.",
        .source = "aten/src/ATen/native/ReduceOpsUtils.h, shape_from_dim_mask; torch.aminmax: 'the same number of "
                  "dimensions as input'",
        .misreading = "It has one dimension.",
        .variants = {{{Profile::torch_1_13, "With keepdim, aminmax along a dimension has one dimension.",
                       "aten/src/ATen/native/TensorCompare.cpp of 1.13, the meta function of aminmax"}}},
    },
    RuleText{
        .id = "GEO-55",
        .sentence = "index_select of a tensor without dimensions accepts exactly one index.",
        .source = "aten/src/ATen/native/TensorAdvancedIndexing.cpp, index_select_out_cpu_: 'Index to scalar can have "
                  "only 1 value'",
        .misreading = "It accepts any number of indices, and returns the element for each.",
        .variants = {{{Profile::torch_1_13, "It accepts any number of indices, and writes past the end of its result.",
                       "aten/src/ATen/native/TensorAdvancedIndexing.cpp of 1.13, index_select_out_cpu_: result.numel() "
                       "is not asked",
                       "the result of a program without errors is specified"}}},
    },
    RuleText{
        .id = "GEO-59",
        .sentence = "cat writes into an out of any strides.",
        .source = "'Out= semantics' of the documentation: an out of the right sizes keeps its strides",
        .misreading = "It refuses strides that are not row-major.",
        .variants = {{{Profile::torch_2_13,
                       "For floats, cat computes how much to write from out's stride in the joined dimension: if that "
                       "dimension has size 1 and an unusual stride, too little is written, and a stride of 0 crashes "
                       "the process. Joining row-major tensors along the first dimension is not affected.",
                       "aten/src/ATen/native/cpu/CatKernel.cpp, cat_serial_kernel_impl: result.numel() / "
                       "(result.sizes()[dim] * result.strides()[dim])",
                       "the result of a program without errors is specified"},
                      {Profile::torch_1_13,
                       "For floats, cat computes how much to write from out's stride in the joined dimension: if that "
                       "dimension has size 1 and an unusual stride, too little or nothing is written, and a stride of "
                       "0 crashes the process.",
                       "aten/src/ATen/native/cpu/CatKernel.cpp of 1.13, cat_serial_kernel_impl: result.numel() / "
                       "(result.sizes()[dim] * result.strides()[dim])",
                       "the result of a program without errors is specified"}}},
    },
};

}  // namespace

constinit const std::span<const RuleText> kGeoValue{kOfGeoValue};

}  // namespace plumbline::text
