// GEO: broadcasting, `view` on the same memory, the layout of new results, and writes to overlapping memory.
#include "spec/rules/text/texts.h"

namespace plumbline::text {

namespace {

constexpr std::array kOfGeoMemory{
    RuleText{
        .id = "GEO-16",
        .sentence = "view gives new sizes to the same memory; if the strides do not allow them, it is an error.",
        .source = "aten/src/ATen/TensorUtils.cpp, computeStride",
        .misreading = "view is allowed for any strides, and its result has row-major strides.",
    },
    RuleText{
        .id = "GEO-17",
        .sentence = "One size of view may be -1: it is computed from the other sizes.",
        .source = "aten/src/ATen/InferSize.h, infer_size",
        .misreading = "-1 means 1.",
    },
    RuleText{
        .id = "GEO-18",
        .sentence = "Broadcasting matches sizes from the last dimension, and a size of 1 stretches.",
        .source = "aten/src/ATen/ExpandUtils.cpp, infer_size; 'Broadcasting semantics' of the documentation",
        .misreading = "Sizes are matched from the first dimension.",
        .choice = "a text",
    },
    RuleText{
        .id = "GEO-19",
        .sentence = "Writing a tensor that has stride 0 in a dimension of size above 1 raises an error before anything "
                    "is written.",
        .source = "aten/src/ATen/MemoryOverlap.cpp, has_internal_overlap, assert_no_internal_overlap",
        .misreading = "The last value written stays.",
    },
    RuleText{
        .id = "GEO-20",
        .sentence =
            "Writing a dense tensor that partly overlaps a dense input raises an error before anything is written.",
        .source = "aten/src/ATen/MemoryOverlap.cpp, get_overlap_status, assert_no_overlap",
        .misreading = "The input is read before anything is written.",
    },
    RuleText{
        .id = "GEO-21",
        .sentence = "fill_ and zero_ may write overlapping memory, because every order gives the same result.",
        .source = "aten/src/ATen/native/Fill.cpp: 'Fill is idempotent, so overlap is okay'",
        .misreading = "fill_ is like every other in-place op.",
    },
    RuleText{
        .id = "GEO-22",
        .sentence = "If a write meets an overlap that the check does not see, the elements that depend on the order of "
                    "writing are unspecified.",
        .source = "aten/src/ATen/MemoryOverlap.h, MemOverlap::TooHard: 'not certain', and the write goes on",
        .misreading = "Such a write is an error.",
    },
    RuleText{
        .id = "GEO-23",
        .sentence = "clone keeps the strides of a tensor whose elements are dense and do not overlap.",
        .source = "aten/src/ATen/native/TensorFactories.cpp, clone: MemoryFormat::Preserve",
        .misreading = "clone is always row-major.",
    },
    RuleText{
        .id = "GEO-24",
        .sentence = "A pointwise result follows the order of its inputs' strides.",
        .source = "aten/src/ATen/TensorIterator.cpp, 'NOTE: [Computing output strides]'",
        .misreading = "A pointwise result is always row-major.",
        .choice = "a release",
    },
    RuleText{
        .id = "GEO-25",
        .sentence = "The elements of empty are unspecified.",
        .source = "torch.empty: 'filled with uninitialized data'",
        .misreading = "empty is filled with zeros, and the fill bumps the version.",
        .choice = "a text",
    },
    RuleText{
        .id = "GEO-26",
        .sentence = "clone and every functional result have their own storage.",
        .source = "rfc-0011-final: 'functional operations are guaranteed to have non-aliasing outputs'",
        .misreading = "clone shares storage until it is written.",
    },
    RuleText{
        .id = "GEO-28",
        .sentence = "copy_ of a tensor onto a view of the very same elements writes nothing, and is not an error even "
                    "if they overlap.",
        .source = "aten/src/ATen/native/Copy.cpp, copy_impl: is_same_data",
        .misreading = "It is a write like any other.",
        .variants = {{{Profile::torch_1_13, "It is a write like any other, and an error if they overlap.",
                       "aten/src/ATen/native/Copy.cpp of v1.13.1, copy_impl: only self.is_same(src) is asked"}}},
    },
};

}  // namespace

constinit const std::span<const RuleText> kGeoMemory{kOfGeoMemory};

}  // namespace plumbline::text
