// GEO: copies of views ({view}_copy), and tensors in which the part under a view is replaced (*_scatter).
#include "spec/rules/text/texts.h"

namespace plumbline::text {

namespace {

constexpr std::array kOfGeoCopy{
    RuleText{
        .id = "GEO-76",
        .sentence = "A {view}_copy has the view's sizes and elements, in row-major memory of its own.",
        .source = "torchgen/gen_functionalization_type.py, gen_composite_view_copy_kernel: "
                  "'.clone(/*memory_format=*/at::MemoryFormat::Contiguous)'",
        .misreading = "It keeps the view's strides.",
        .choice = "a release",
        .variants =
            {{{Profile::torch_1_13, "It has the strides of the view's clone.",
               "torchgen/gen_functionalization_type.py of v1.13.1, gen_composite_view_copy_kernel: '.clone()'"}}},
    },
    RuleText{
        .id = "GEO-77",
        .sentence = "view_copy accepts sizes that the strides do not allow for a view, as reshape does.",
        .source = "torchgen/gen_functionalization_type.py, gen_composite_view_copy_kernel: 'self.reshape_symint(size)'",
        .misreading = "It raises the error that view raises.",
    },
    RuleText{
        .id = "GEO-78",
        .sentence = "The result of a *_scatter has the sizes, strides and offset of its first argument, in a copy of "
                    "the whole storage; if those strides repeat elements, it is laid out like clone's result.",
        .source = "aten/src/ATen/native/TensorShape.cpp, Note [*_scatter ops preserve strides], clone_preserve_strides",
        .misreading = "The result is laid out like a clone of the first argument.",
        .variants = {{{Profile::torch_1_13,
                       "The result is laid out like a clone of the first argument, and the view that is replaced is a "
                       "view of that clone.",
                       "aten/src/ATen/native/TensorShape.cpp of v1.13.1, slice_scatter: self.clone()",
                       "an as_strided_scatter replaces what the as_strided of its first argument sees"}}},
    },
    RuleText{
        .id = "GEO-79",
        .sentence = "The src of a *_scatter must have the sizes of the view that it replaces.",
        .source = "aten/src/ATen/native/TensorShape.cpp, slice_scatter: 'expected src to have a size equal to the "
                  "slice of self'",
        .misreading = "src is broadcast to the view, as copy_ does.",
    },
    RuleText{
        .id = "GEO-80",
        .sentence = "as_strided_scatter accepts a first argument of any strides.",
        .source = "aten/src/ATen/native/TensorShape.cpp, as_strided_scatter: its values need no row-major strides",
        .misreading = "The first argument must be row-major.",
        .variants = {{{Profile::torch_2_13,
                       "A first argument that requires grad and is not row-major fails an internal assertion.",
                       "aten/src/ATen/native/TensorShape.cpp, as_strided_scatter: '!self.requires_grad() || "
                       "self.is_contiguous()'",
                       "functionalization replaces writes through as_strided of any tensor"},
                      {Profile::torch_1_13,
                       "A first argument that requires grad and is not row-major fails an internal assertion.",
                       "aten/src/ATen/native/TensorShape.cpp of v1.13.1, as_strided_scatter",
                       "functionalization replaces writes through as_strided of any tensor"}}},
    },
    RuleText{
        .id = "GEO-81",
        .sentence = "A *_scatter accepts a first argument whose storage does not have a whole number of its elements.",
        .source = "GEO-78: the result has a copy of the whole storage, and `view` to a wider dtype can leave bytes "
                  "over (GEO-66)",
        .misreading = "The storage must have a whole number of elements.",
        .variants = {{{Profile::torch_2_13,
                       "If the storage does not have a whole number of elements, an internal assertion fails.",
                       "aten/src/ATen/native/TensorShape.cpp, clone_preserve_strides: 'nbytes % dtype_size == 0'",
                       "functionalization replaces writes through views of any tensor"}}},
    },
};

}  // namespace

constinit const std::span<const RuleText> kGeoCopy{kOfGeoCopy};

}  // namespace plumbline::text
