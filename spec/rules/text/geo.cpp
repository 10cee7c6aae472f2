// GEO: the views that cut and permute. Each rule derives a view's index map from its source's.
#include "spec/rules/text/texts.h"

namespace plumbline::text {

namespace {

constexpr std::array kOfGeo{
    RuleText{
        .id = "GEO-01",
        .sentence = "A negative dimension counts from the end; outside [-rank, rank-1] it is an error.",
        .source = "c10/core/WrapDimMinimal.h, maybe_wrap_dim",
        .misreading = "A negative dimension is an error.",
    },
    RuleText{
        .id = "GEO-02",
        .sentence = "select drops the dimension and adds index × stride to the storage offset.",
        .source = "aten/src/ATen/native/TensorShape.cpp, select",
        .misreading = "select adds the index to the storage offset.",
    },
    RuleText{
        .id = "GEO-03",
        .sentence = "slice clamps start and end to the size, and has ⌈(end − start) / step⌉ elements.",
        .source = "aten/src/ATen/native/TensorShape.cpp, slice",
        .misreading = "slice has ⌊(end − start) / step⌋ elements.",
    },
    RuleText{
        .id = "GEO-04",
        .sentence = "narrow does not clamp: a length that reaches past the end is an error.",
        .source = "aten/src/ATen/native/TensorShape.cpp, narrow",
        .misreading = "narrow clamps like slice.",
        .variants = {{{Profile::torch_1_13,
                       "A start that is out of range raises the error of a dimension that is out of range, and in an "
                       "empty dimension a start of -1 counts as 0.",
                       "aten/src/ATen/native/TensorShape.cpp of v1.13.1, narrow: maybe_wrap_dim(start, cur_size)"}}},
    },
    RuleText{
        .id = "GEO-05",
        .sentence = "transpose swaps the sizes and strides of two dimensions.",
        .source = "aten/src/ATen/native/TensorShape.cpp, transpose",
        .misreading = "transpose swaps only the sizes.",
    },
    RuleText{
        .id = "GEO-06",
        .sentence = "Dimension i of permute(dims) is dimension dims[i] of its source.",
        .source = "aten/src/ATen/native/TensorShape.cpp, permute",
        .misreading = "Dimension dims[i] of the result is dimension i of the source.",
    },
    RuleText{
        .id = "GEO-07",
        .sentence =
            "expand repeats a dimension of size 1 with stride 0, and adds dimensions in front as unsqueeze would.",
        .source = "aten/src/ATen/ExpandUtils.cpp, inferExpandGeometry",
        .misreading = "An expanded dimension keeps its stride.",
    },
    RuleText{
        .id = "GEO-08",
        .sentence = "squeeze drops only dimensions of size 1; a dimension of another size stays.",
        .source = "aten/src/ATen/native/TensorShape.cpp, squeeze",
        .misreading = "squeeze drops dimensions of size 0 too.",
    },
    RuleText{
        .id = "GEO-09",
        .sentence = "unsqueeze adds a dimension of size 1, whose stride is size × stride of the next dimension.",
        .source = "aten/src/ATen/native/TensorShape.cpp, inferUnsqueezeGeometry",
        .misreading = "The new dimension has stride 1.",
    },
    RuleText{
        .id = "GEO-10",
        .sentence = "diagonal's stride is the sum of both strides; a positive offset moves along dim2, a negative one "
                    "along dim1.",
        .source = "aten/src/ATen/native/TensorShape.cpp, diagonal",
        .misreading = "A negative offset moves along dim2 as well.",
    },
    RuleText{
        .id = "GEO-11",
        .sentence = "unfold makes ⌊(n − size) / step⌋ + 1 windows, whose elements keep the stride.",
        .source = "aten/src/ATen/native/TensorShape.cpp, unfold",
        .misreading = "unfold makes ⌈n / step⌉ windows.",
    },
    RuleText{
        .id = "GEO-12",
        .sentence = "as_strided addresses the storage: without an offset it uses the tensor's own.",
        .source = "aten/src/ATen/native/TensorShape.cpp, as_strided_tensorimpl: "
                  "storage_offset_.value_or(self.storage_offset())",
        .misreading = "An omitted offset is 0.",
    },
    RuleText{
        .id = "GEO-13",
        .sentence =
            "as_strided may reach the whole storage, and nothing outside it; a negative offset is refused first.",
        .source = "aten/src/ATen/native/Resize.h, checkInBoundsForStorage",
        .misreading = "as_strided may reach only as many elements as the tensor has.",
        .variants = {{{Profile::torch_1_13,
                       "A negative offset is refused only if the last element is within the storage.",
                       "aten/src/ATen/native/Resize.h of v1.13.1, setStrided: checkInBoundsForStorage comes before "
                       "'invalid storage offset'",
                       "the first argument that is wrong is named"}}},
    },
    RuleText{
        .id = "GEO-14",
        .sentence = "The last piece of split is smaller if the dimension is not a multiple of the piece's size.",
        .source = "aten/src/ATen/native/TensorShape.cpp, split",
        .misreading = "The rest is dropped.",
    },
    RuleText{
        .id = "GEO-15",
        .sentence = "unbind returns one view for each index of the dimension, in order.",
        .source = "aten/src/ATen/native/TensorShape.cpp, unbind",
        .misreading = "unbind keeps the dimension, with size 1.",
        .choice = "a release",
    },
    RuleText{
        .id = "GEO-27",
        .sentence = "A size of a view is never negative.",
        .source = "torch.Tensor.expand: 'Passing -1 as the size for a dimension means not changing the size of that "
                  "dimension'",
        .misreading = "A negative size is an error only where it makes the number of elements negative.",
        .variants =
            {{{Profile::torch_2_13,
               "expand and as_strided accept a negative size where another size is 0 and the others before it are 1.",
               "aten/src/ATen/ExpandUtils.cpp, inferExpandGeometry, asks only of the old size; c10/core/TensorImpl.h, "
               "safe_compute_numel, then sees 0 elements, unless the unsigned product has overflowed before",
               "sizes are natural numbers"},
              {Profile::torch_1_13,
               "expand and as_strided accept a negative size where another size is 0 and the others before it are 1; "
               "unfold accepts one where any size is 0.",
               "aten/src/ATen/ExpandUtils.cpp of v1.13.1, inferExpandGeometryImpl, asks only of the old size, and "
               "TensorShape.cpp, unfold, of none; c10/core/TensorImpl.h, safe_compute_numel, then sees 0 elements",
               "sizes are natural numbers"}}},
    },
};

}  // namespace

constinit const std::span<const RuleText> kGeo{kOfGeo};

}  // namespace plumbline::text
