// VAL: what a reduction chooses. RAND: random numbers. MUL: how matmul folds.
#include "spec/rules/text/texts.h"

namespace plumbline::text {

namespace {

constexpr std::array kOfValue{
    RuleText{
        .id = "VAL-47",
        .sentence = "Among equal maxima, max(dim) and argmax return the index of the first.",
        .source = "torch.max: 'the indices of the first maximal value are returned'; torch.argmax",
        .misreading = "They return the index of the last.",
        .choice = "a text",
    },
    RuleText{
        .id = "VAL-48",
        .sentence = "A reduction that meets NaN returns NaN, and max, min and argmax choose it.",
        .source = "aten/src/ATen/native/cpu/TensorCompareKernel.cpp; torch.aminmax: 'propagates NaN values'",
        .misreading = "max ignores NaN.",
    },
    RuleText{
        .id = "VAL-51",
        .sentence = "Equal maxima share the gradient of max and aminmax evenly; the gradient of max(dim) goes to the "
                    "index that it returned.",
        .source =
            "torch/csrc/autograd/FunctionsManual.cpp, evenly_distribute_backward, scale_grad_by_count; torch.amax",
        .misreading = "It goes to the first of them.",
        .variants = {{{Profile::torch_1_13, "aminmax has no derivative.",
                       "tools/autograd/derivatives.yaml of 1.13: aminmax is not in it"}}},
    },
    RuleText{
        .id = "RAND-52",
        .sentence = "After manual_seed, rand takes the generator's next numbers in row-major order, and the next call "
                    "continues from there.",
        .source =
            "aten/src/ATen/native/cpu/DistributionTemplates.h, uniform_kernel; aten/src/ATen/core/MT19937RNGEngine.h",
        .misreading = "Each call starts at the seed again.",
        .choice = "a release",
    },
    RuleText{
        .id = "MUL-57",
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
};

}  // namespace

constinit const std::span<const RuleText> kValue{kOfValue};

}  // namespace plumbline::text
