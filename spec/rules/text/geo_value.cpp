// GEO: a result's dtype, which values a reduction returns, and where rand's elements come from.
#include "spec/rules/text/texts.h"

namespace plumbline::text {

namespace {

constexpr std::array kOfGeoValue{
    RuleText{
        .id = "GEO-40",
        .sentence = "For the dtype of a result, a tensor with dimensions outranks one without, and that one outranks a "
                    "number; an operand of lower rank counts only if its kind is higher, and complex numbers of lower "
                    "rank make floats complex without making them wider.",
        .source = "aten/src/ATen/native/TypeProperties.cpp, result_type, combine_categories; torch.result_type",
        .misreading = "All operands count alike.",
    },
    RuleText{
        .id = "GEO-41",
        .sentence =
            "The kinds of dtypes are, in rising order, bool, integers, floats and complex numbers; the dtype of "
            "the higher kind wins unchanged, but a complex64 beside a float64 becomes a complex128.",
        .source = "c10/core/ScalarType.cpp, promoteTypes; the documentation's 'Tensor Attributes', torch.dtype",
        .misreading = "An integer and a float32 give a float64, as in NumPy.",
    },
    RuleText{
        .id = "GEO-42",
        .sentence = "Writing a result into a tensor of a lower kind is an error.",
        .source = "c10/core/ScalarType.h, canCast; aten/src/ATen/TensorIterator.cpp, compute_types",
        .misreading = "The result is converted.",
    },
    RuleText{
        .id = "GEO-43",
        .sentence = "div, exp, tanh and sqrt of bools and integers compute in the default dtype, float32.",
        .source = "aten/src/ATen/TensorIterator.h, promote_integer_inputs_to_float; torch.div: 'true division'",
        .misreading = "They compute in float64.",
    },
    RuleText{
        .id = "GEO-44",
        .sentence = "The sum of bools or of integers is an int64.",
        .source = "aten/src/ATen/native/ReduceOpsUtils.h, get_dtype_from_self: promote_integers",
        .misreading = "A sum has its input's dtype.",
    },
    RuleText{
        .id = "GEO-45",
        .sentence = "mean refuses bools and integers, unless a floating dtype is given.",
        .source = "aten/src/ATen/native/ReduceOps.cpp, TORCH_META_FUNC2(mean, dim)",
        .misreading = "The mean of integers is a float32.",
    },
    RuleText{
        .id = "GEO-46",
        .sentence = "A comparison converts its operands to their common dtype and then compares.",
        .source = "aten/src/ATen/TensorIterator.cpp, build_comparison_op: promote_inputs_to_common_dtype",
        .misreading = "Numbers of two dtypes are compared without conversion.",
    },
    RuleText{
        .id = "GEO-47",
        .sentence = "Among equal maxima, max(dim) and argmax return the index of the first.",
        .source = "torch.max: 'the indices of the first maximal value are returned'; torch.argmax",
        .misreading = "They return the index of the last.",
        .choice = "a text",
    },
    RuleText{
        .id = "GEO-48",
        .sentence = "A reduction that meets NaN returns NaN, and max, min and argmax choose it.",
        .source = "aten/src/ATen/native/cpu/TensorCompareKernel.cpp; torch.aminmax: 'propagates NaN values'",
        .misreading = "max ignores NaN.",
    },
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
        .id = "GEO-51",
        .sentence = "Equal maxima share the gradient of max and aminmax evenly; the gradient of max(dim) goes to the "
                    "index that it returned.",
        .source =
            "torch/csrc/autograd/FunctionsManual.cpp, evenly_distribute_backward, scale_grad_by_count; torch.amax",
        .misreading = "It goes to the first of them.",
        .variants = {{{Profile::torch_1_13, "aminmax has no derivative.",
                       "tools/autograd/derivatives.yaml of 1.13: aminmax is not in it"}}},
    },
    RuleText{
        .id = "GEO-52",
        .sentence = "After manual_seed, rand takes the generator's next numbers in row-major order, and the next call "
                    "continues from there.",
        .source =
            "aten/src/ATen/native/cpu/DistributionTemplates.h, uniform_kernel; aten/src/ATen/core/MT19937RNGEngine.h",
        .misreading = "Each call starts at the seed again.",
        .choice = "a release",
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
        .id = "GEO-54",
        .sentence = "gather and index_select accept int32 and int64 indices.",
        .source = "aten/src/ATen/native/TensorAdvancedIndexing.cpp: 'Expected dtype int32/int64 for index'",
        .misreading = "They accept only int64.",
        .variants = {{{Profile::torch_1_13, "gather accepts only int64.",
                       "aten/src/ATen/native/TensorAdvancedIndexing.cpp of 1.13: 'Expected dtype int64 for index'"}}},
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
        .id = "GEO-56",
        .sentence = "The mask of masked_fill must have dtype bool.",
        .source = "aten/src/ATen/native/TensorAdvancedIndexing.cpp: 'masked_fill_ only supports boolean masks'",
        .misreading = "It may have numbers, where 0 means False.",
        .variants = {{{Profile::torch_1_13, "It may have any dtype: the first byte of each element is read.",
                       "aten/src/ATen/native/cpu/IndexKernel.cpp of 1.13, masked_fill_kernel: a mask that is not of "
                       "bools is read as unsigned char",
                       "the result of a program without errors is specified"}}},
    },
    RuleText{
        .id = "GEO-57",
        .sentence = "matmul of a stack of matrices and one matrix multiplies the stack as one tall matrix if that "
                    "moves no data or the single matrix requires grad, and one by one otherwise; the strides of a "
                    "result with a size of 1 show which.",
        .source = "aten/src/ATen/native/LinearAlgebra.cpp, should_fold",
        .misreading = "It always multiplies one by one.",
        .variants =
            {{{Profile::torch_1_13,
               "It always multiplies the stack as one tall matrix, unless the matrices of the stack are transposed.",
               "aten/src/ATen/native/LinearAlgebra.cpp of 1.13, should_fold"}}},
    },
    RuleText{
        .id = "GEO-58",
        .sentence = "argmax refuses bools.",
        .source = "aten/src/ATen/native/ReduceOps.cpp, check_argmax_argmin: 'does not support bool input'",
        .misreading = "It accepts bools as 0 and 1.",
        .variants = {{{Profile::torch_1_13,
                       "It accepts bools if the dimension has one element, because no kernel is needed then.",
                       "aten/src/ATen/native/ReduceOps.cpp of 1.13, argmax_argmin_impl: result.fill_(0)"}}},
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
