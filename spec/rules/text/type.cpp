// TYPE: the dtype in which an op computes, and the dtypes that ops take.
#include "spec/rules/text/texts.h"

namespace plumbline::text {

namespace {

constexpr std::array kOfType{
    RuleText{
        .id = "TYPE-32",
        .sentence = "If x and y have different dtypes, `x.set_(y)` is an error, which comes before any other.",
        .source =
            "tools/autograd/templates/python_variable_methods.cpp, THPVariable_set_: checked before the op is called",
        .misreading = "x takes y's dtype.",
    },
    RuleText{
        .id = "TYPE-33",
        .sentence = "mm and mv require operands of one dtype, even if there is nothing to multiply.",
        .source =
            "aten/src/ATen/native/LinearAlgebra.cpp, addmm_impl_cpu_: 'expected m1 and m2 to have the same dtype'",
        .misreading = "If there is nothing to multiply, the dtypes are not checked.",
        .variants =
            {{{Profile::torch_1_13,
               "If there is nothing to multiply, the dtypes are not checked; else the error for a first dtype without "
               "a kernel comes before the error for two dtypes.",
               "aten/src/ATen/native/LinearAlgebra.cpp of v1.13.1, addmm_impl_cpu_ returns before its kernel asks"}}},
    },
    RuleText{
        .id = "TYPE-40",
        .sentence = "For the dtype of a result, a tensor with dimensions outranks one without, and that one outranks a "
                    "number; an operand of lower rank counts only if its kind is higher, and complex numbers of lower "
                    "rank make floats complex without making them wider.",
        .source = "aten/src/ATen/native/TypeProperties.cpp, result_type, combine_categories; torch.result_type",
        .misreading = "All operands count alike.",
    },
    RuleText{
        .id = "TYPE-41",
        .sentence =
            "The kinds of dtypes are, in rising order, bool, integers, floats and complex numbers; the dtype of "
            "the higher kind wins unchanged, but a complex64 beside a float64 becomes a complex128.",
        .source = "c10/core/ScalarType.cpp, promoteTypes; the documentation's 'Tensor Attributes', torch.dtype",
        .misreading = "An integer and a float32 give a float64, as in NumPy.",
    },
    RuleText{
        .id = "TYPE-42",
        .sentence = "Writing a result into a tensor of a lower kind is an error.",
        .source = "c10/core/ScalarType.h, canCast; aten/src/ATen/TensorIterator.cpp, compute_types",
        .misreading = "The result is converted.",
    },
    RuleText{
        .id = "TYPE-43",
        .sentence = "div, exp, tanh and sqrt of bools and integers compute in the default dtype, float32.",
        .source = "aten/src/ATen/TensorIterator.h, promote_integer_inputs_to_float; torch.div: 'true division'",
        .misreading = "They compute in float64.",
    },
    RuleText{
        .id = "TYPE-44",
        .sentence = "The sum of bools or of integers is an int64.",
        .source = "aten/src/ATen/native/ReduceOpsUtils.h, get_dtype_from_self: promote_integers",
        .misreading = "A sum has its input's dtype.",
    },
    RuleText{
        .id = "TYPE-45",
        .sentence = "mean refuses bools and integers, unless a floating dtype is given.",
        .source = "aten/src/ATen/native/ReduceOps.cpp, TORCH_META_FUNC2(mean, dim)",
        .misreading = "The mean of integers is a float32.",
    },
    RuleText{
        .id = "TYPE-46",
        .sentence = "A comparison converts its operands to their common dtype and then compares.",
        .source = "aten/src/ATen/TensorIterator.cpp, build_comparison_op: promote_inputs_to_common_dtype",
        .misreading = "Numbers of two dtypes are compared without conversion.",
    },
    RuleText{
        .id = "TYPE-54",
        .sentence = "gather and index_select accept int32 and int64 indices.",
        .source = "aten/src/ATen/native/TensorAdvancedIndexing.cpp: 'Expected dtype int32/int64 for index'",
        .misreading = "They accept only int64.",
        .variants = {{{Profile::torch_1_13, "gather accepts only int64.",
                       "aten/src/ATen/native/TensorAdvancedIndexing.cpp of 1.13: 'Expected dtype int64 for index'"}}},
    },
    RuleText{
        .id = "TYPE-56",
        .sentence = "The mask of masked_fill must have dtype bool.",
        .source = "aten/src/ATen/native/TensorAdvancedIndexing.cpp: 'masked_fill_ only supports boolean masks'",
        .misreading = "It may have numbers, where 0 means False.",
        .variants = {{{Profile::torch_1_13, "It may have any dtype: the first byte of each element is read.",
                       "aten/src/ATen/native/cpu/IndexKernel.cpp of 1.13, masked_fill_kernel: a mask that is not of "
                       "bools is read as unsigned char",
                       "the result of a program without errors is specified"}}},
    },
    RuleText{
        .id = "TYPE-58",
        .sentence = "argmax refuses bools.",
        .source = "aten/src/ATen/native/ReduceOps.cpp, check_argmax_argmin: 'does not support bool input'",
        .misreading = "It accepts bools as 0 and 1.",
        .variants = {{{Profile::torch_1_13,
                       "It accepts bools if the dimension has one element, because no kernel is needed then.",
                       "aten/src/ATen/native/ReduceOps.cpp of 1.13, argmax_argmin_impl: result.fill_(0)"}}},
    },
    RuleText{
        .id = "TYPE-73",
        .sentence = "out may have any dtype to which the result's dtype can be cast; neg, mm, bmm and sum with dtype= "
                    "require exactly the result's dtype.",
        .source = "aten/src/ATen/TensorIterator.cpp, compute_types: canCast; torchgen/dest/register_dispatch_key.py, "
                  "resize_out: 'Expected out tensor to have dtype'",
        .misreading = "out must have the result's dtype.",
    },
};

}  // namespace

constinit const std::span<const RuleText> kType{kOfType};

}  // namespace plumbline::text
