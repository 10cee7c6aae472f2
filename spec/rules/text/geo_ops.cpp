// GEO: reshape, memory read as another dtype, resizing, joining, indices, and ops that write `out`.
#include "spec/rules/text/texts.h"

namespace plumbline::text {

namespace {

constexpr std::array kOfGeoOps{
    RuleText{
        .id = "GEO-60",
        .sentence = "reshape returns a view if the strides allow one, and a copy otherwise.",
        .source = "aten/src/ATen/native/TensorShape.cpp, reshape: computeStride",
        .misreading = "reshape always copies.",
        .variants = {{{Profile::torch_1_13, "It checks the sizes before it asks for the view's history.",
                       "aten/src/ATen/native/TensorShape.cpp of 1.13, reshape: infer_size_dv comes first"}}},
    },
    RuleText{
        .id = "GEO-61",
        .sentence = "contiguous() of a tensor with row-major strides returns the tensor itself.",
        .source = "aten/src/ATen/native/TensorProperties.cpp, contiguous",
        .misreading = "contiguous always copies.",
    },
    RuleText{
        .id = "GEO-62",
        .sentence = "to() with the tensor's own dtype returns the tensor itself, unless copy=True is given.",
        .source = "aten/src/ATen/native/TensorConversions.cpp, to_will_alias",
        .misreading = "to() always copies.",
    },
    RuleText{
        .id = "GEO-63",
        .sentence = "cat skips an empty tensor of one dimension, but its dtype counts.",
        .source =
            "aten/src/ATen/native/TensorShape.h, cat_should_skip_tensor; TensorShape.cpp, cat: result_type(tensors)",
        .misreading = "Every tensor must have the same number of dimensions.",
    },
    RuleText{
        .id = "GEO-64",
        .sentence = "resize_ to the tensor's own sizes changes nothing; to other sizes it makes the strides row-major.",
        .source = "aten/src/ATen/native/Resize.h, resize_impl_cpu_: 'if (self->sizes() == size …) return self'",
        .misreading = "resize_ always makes the strides row-major.",
    },
    RuleText{
        .id = "GEO-65",
        .sentence = "resize_ and out= enlarge a storage that is too small, and the new elements are unspecified; they "
                    "never shrink it.",
        .source = "aten/src/ATen/native/Resize.h, maybe_resize_storage_cpu",
        .misreading = "resize_ beyond the storage is an error.",
    },
    RuleText{
        .id = "GEO-66",
        .sentence = "view(dtype) reads the same bytes as numbers of another dtype.",
        .source =
            "torch.Tensor.view: 'Returns a new tensor with the same data as the self tensor but of a different dtype'",
        .misreading = "view(dtype) converts each number, as to(dtype) does.",
        .choice = "a text",
    },
    RuleText{
        .id = "GEO-67",
        .sentence = "view(dtype) to smaller elements makes the last dimension longer, and to larger elements shorter.",
        .source = "torch.Tensor.view: 'the size of the last dimension of the output will be scaled proportionally'",
        .misreading = "view(dtype) to smaller elements keeps the sizes.",
    },
    RuleText{
        .id = "GEO-68",
        .sentence = "The sizes given to split_with_sizes must add up to the dimension's size.",
        .source = "aten/src/ATen/native/TensorShape.cpp, split_with_sizes: 'to sum exactly to'",
        .misreading = "If they add up to less, the rest is dropped.",
    },
    RuleText{
        .id = "GEO-69",
        .sentence =
            "The pieces of unsafe_split share the tensor's storage, although autograd treats them as new tensors.",
        .source = "native_functions.yaml, unsafe_split; aten/src/ATen/native/TensorShape.cpp, unsafe_split",
        .misreading = "The pieces are copies.",
        .choice = "a release",
    },
    RuleText{
        .id = "GEO-70",
        .sentence = "index_fill counts a negative index from the end; index_select and gather refuse one.",
        .source = "aten/src/ATen/native/cpu/IndexKernel.cpp, index_fill_kernel: 'idx += self_dim_size'; "
                  "TensorAdvancedIndexing.cpp, index_select: 'index out of range in self'",
        .misreading = "index_select and gather count a negative index from the end as well.",
    },
    RuleText{
        .id = "GEO-71",
        .sentence = "gather's result has the sizes of index, which may be smaller than self's except in dim.",
        .source = "torch.gather: 'index.size(d) <= input.size(d) for all dimensions d != dim'",
        .misreading = "index must have the sizes of self except in dim.",
    },
    RuleText{
        .id = "GEO-72",
        .sentence = "An out= op resizes an out of other sizes to the result's sizes and strides; an out of the right "
                    "sizes keeps its strides.",
        .source = "aten/src/ATen/native/Resize.h, resize_output; 'Out= semantics' of the documentation: 'resized to "
                  "match the shape'",
        .misreading = "An out of other sizes is an error.",
    },
    RuleText{
        .id = "GEO-74",
        .sentence = "An out= op is an error if out overlaps itself or partly overlaps an input; mm, bmm, cat and sum, "
                    "which read an element more than once or late, also refuse an out that is an input.",
        .source = "'Out= semantics' of the documentation; aten/src/ATen/MemoryOverlap.h, assert_no_overlap",
        .misreading = "The inputs are read before anything is written.",
        .variants = {{{Profile::torch_2_13, "mm, bmm and sum do not check: the result of an overlap is unspecified.",
                       "aten/src/ATen/native/LinearAlgebra.cpp, mm_out_cpu; aten/src/ATen/native/ReduceOpsUtils.h, "
                       "make_reduction_from_out_ty: set_check_mem_overlap(false)",
                       "the result of a program without errors is specified"},
                      {Profile::torch_1_13, "mm, bmm and sum do not check: the result of an overlap is unspecified.",
                       "the same files of 1.13", "the result of a program without errors is specified"}}},
    },
    RuleText{
        .id = "GEO-75",
        .sentence = "An op that raises an error changes nothing: neither out's sizes nor an element.",
        .source = "INF-06 and VER-09: what raises has written nothing, so checks come before writes",
        .misreading = "out is resized before its overlap is checked.",
        .variants = {{{Profile::torch_2_13,
                       "cat's out= is resized before its overlap is checked, and that of mm and bmm before the dtypes "
                       "of their inputs are; index_fill_ writes up to the first index that is out of range.",
                       "aten/src/ATen/native/TensorShape.cpp, cat's meta function: set_output before "
                       "assert_no_overlap; aten/src/ATen/native/cpu/IndexKernel.cpp, index_fill_kernel",
                       "an op that raises an error writes nothing"},
                      {Profile::torch_1_13,
                       "cat's out= is resized before its overlap is checked, and that of mm and bmm before the dtypes "
                       "of their inputs are; index_fill_ writes up to the first index that is out of range.",
                       "the same files of 1.13", "an op that raises an error writes nothing"}}},
    },
};

}  // namespace

constinit const std::span<const RuleText> kGeoOps{kOfGeoOps};

}  // namespace plumbline::text
