// BIT: the keys Conjugate and Negative. A tensor that has one stands for the conjugate, or the negative, of its memory.
#include "spec/rules/text/texts.h"

namespace plumbline::text {

namespace {

constexpr std::array kOfBit{
    RuleText{
        .id = "BIT-01",
        .sentence = "conj of complex numbers is a view: it shares memory with its argument, and no element moves.",
        .source = "aten/src/ATen/native/UnaryOps.cpp, _conj: 'Tensor self_ = self.alias();'",
        .misreading = "It is a new tensor with the conjugates.",
    },
    RuleText{
        .id = "BIT-02",
        .sentence = "conj turns the key Conjugate over: the conjugate of a conjugate does not have it.",
        .source = "aten/src/ATen/native/UnaryOps.cpp, _conj: 'self_._set_conj(!self.is_conj());'; "
                  "c10/core/TensorImpl.h, _set_conj",
        .misreading = "conj sets the key, so a conjugate's conjugate is that conjugate.",
    },
    RuleText{
        .id = "BIT-03",
        .sentence = "conj, real and conj_physical of real numbers are the tensor itself.",
        .source = "aten/src/ATen/native/UnaryOps.cpp, real: 'return self;'; conj_physical: 'if (!self.is_complex()) "
                  "return self;'",
        .misreading = "They are views of it.",
    },
    RuleText{
        .id = "BIT-04",
        .sentence = "imag of real numbers is an error.",
        .source = "aten/src/ATen/native/UnaryOps.cpp, imag: 'imag is not implemented for tensors with non-complex "
                  "dtypes.'",
        .misreading = "It is a tensor of zeros, as in NumPy.",
    },
    RuleText{
        .id = "BIT-05",
        .sentence = "imag of a conjugate is a view with the key Negative, or without it if the conjugate has it "
                    "already; real of a conjugate has the memory's sign.",
        .source = "aten/src/ATen/native/UnaryOps.cpp, imag: 'real_tensor = real_tensor._neg_view();'",
        .misreading = "imag of a conjugate shows the imaginary parts that memory has.",
    },
    RuleText{
        .id = "BIT-06",
        .sentence = "A view of parts, or of pairs as complex numbers, keeps the key Negative and drops the key "
                    "Conjugate.",
        .source =
            "aten/src/ATen/native/ComplexHelper.h, view_tensor: 'tensor.key_set().remove(DispatchKey::Conjugate)'",
        .misreading = "It drops both.",
    },
    RuleText{
        .id = "BIT-07",
        .sentence = "A view of a conjugate or a negative view has the same keys Conjugate and Negative.",
        .source = "aten/src/ATen/native/MathBitsFallback.h, fallback_impl: 'propagating the dispatch key in key_set'",
        .misreading = "A view has neither, so it shows the memory as it is.",
    },
    RuleText{
        .id = "BIT-08",
        .sentence = "A new tensor has neither key: not the clone of a conjugate, and not a tensor like it.",
        .source =
            "aten/src/ATen/native/MathBitsFallback.h: '`clone` and `copy_` should fully understand and be able to "
            "correctly handle the semantic of your math bit'; aten/src/ATen/native/TensorFactories.cpp, "
            "empty_like",
        .misreading = "A clone, and a tensor like another one, has its keys.",
    },
    RuleText{
        .id = "BIT-09",
        .sentence = "resolve_conj of a tensor without the key Conjugate, and resolve_neg of one without the key "
                    "Negative, is the tensor itself; otherwise it is a clone.",
        .source = "aten/src/ATen/native/UnaryOps.cpp, resolve_conj: 'if (!self.is_conj()) { return self; }'; "
                  "resolve_neg",
        .misreading = "It is always a clone.",
    },
    RuleText{
        .id = "BIT-10",
        .sentence = "view_as_real refuses a conjugate, whose imaginary parts memory has with the other sign.",
        .source = "aten/src/ATen/native/ComplexHelper.h, view_as_real: 'view_as_real doesn't work on unresolved "
                  "conjugated tensors'",
        .misreading = "It is a view of the memory's parts.",
    },
    RuleText{
        .id = "BIT-11",
        .sentence = "A view op gets its argument itself, with its keys Conjugate and Negative; so do the few ops that "
                    "are registered to fall through.",
        .source = "aten/src/ATen/native/MathBitsFallback.h, fallback_impl: 'We assume that view operators "
                  "automatically handle the math bit'; aten/src/ATen/ConjugateFallback.cpp; "
                  "aten/src/ATen/native/NegateFallback.cpp",
        .misreading = "A view op gets a copy, so its result shares no memory with a conjugate.",
    },
    RuleText{
        .id = "BIT-12",
        .sentence = "Every other op gets a clone in place of an argument with one of the keys, with the elements that "
                    "the argument shows.",
        .source = "aten/src/ATen/native/MathBitsFallback.h, fallback_impl: 'auto resolved_tensor = at::clone(tensor);'",
        .misreading = "The op computes with the memory as it is.",
    },
    RuleText{
        .id = "BIT-13",
        .sentence = "An argument with one of the keys that such an op writes is replaced by a clone, too, so the write "
                    "overlaps no other argument.",
        .source = "aten/src/ATen/native/MathBitsFallback.h, fallback_impl: 'Mutable tensors with math bit set to true "
                  "are unconditionally cloned'",
        .misreading = "The op writes the argument's own memory.",
    },
    RuleText{
        .id = "BIT-14",
        .sentence = "Afterwards the clone is copied back into the written argument, which then shows what the op "
                    "computed.",
        .source = "aten/src/ATen/native/MathBitsFallback.h, fallback_impl: 'mutable_input.copy_(returned_output);'",
        .misreading = "The argument's memory is what the op computed, so the argument shows its conjugate.",
    },
    RuleText{
        .id = "BIT-15",
        .sentence = "Only copying back checks whether the elements of the written argument share memory, so the op's "
                    "own errors come first.",
        .source = "aten/src/ATen/native/MathBitsFallback.h, fallback_impl: copy_ follows redispatchBoxed",
        .misreading = "It is checked before the op runs, as for other tensors.",
    },
    RuleText{
        .id = "BIT-16",
        .sentence = "An `out` with one of the keys is resized to the op's result and gets row-major strides.",
        .source = "aten/src/ATen/native/MathBitsFallback.h, fallback_impl: 'at::native::resize_output(mutable_input, "
                  "returned_output.sizes());'",
        .misreading = "It must have the result's sizes.",
    },
    RuleText{
        .id = "BIT-17",
        .sentence =
            "A write to a tensor with one of the keys counts one version, like any write: copying back is below "
            "ADInplaceOrView.",
        .source = "VER-03; c10/core/DispatchKey.h, DispatchKey: Conjugate and Negative are below ADInplaceOrView",
        .misreading = "Copying back counts a version of its own.",
    },
    RuleText{
        .id = "BIT-18",
        .sentence = "copy_ onto the same memory does nothing only if both tensors have the same keys Conjugate and "
                    "Negative.",
        .source = "aten/src/ATen/native/Copy.cpp, copy_impl: 'self.is_conj() == src.is_conj()'",
        .misreading = "It does nothing if the memory is the same.",
    },
    RuleText{
        .id = "BIT-19",
        .sentence = "conj_physical_ of real numbers writes nothing, and so does not check whether elements share "
                    "memory; it counts a version.",
        .source = "aten/src/ATen/native/UnaryOps.cpp, conj_physical_: 'if (!self.is_complex()) return self;'",
        .misreading = "It checks their memory, as every write does.",
    },
    RuleText{
        .id = "BIT-20",
        .sentence = "view(dtype) of a tensor with one of the keys is an error if the dtype is another one.",
        .source = "aten/src/ATen/native/TensorConversions.cpp, view_dtype: 'not supported for conjugate view tensors "
                  "when converting to a different dtype'",
        .misreading = "It is a view with the same keys.",
        .variants = {{{Profile::torch_2_13, "It is an error in the tensor's own dtype, too.",
                       "aten/src/ATen/native/TensorConversions.cpp, view_dtype, which checks the keys whatever the "
                       "dtype is"}}},
    },
    RuleText{
        .id = "BIT-21",
        .sentence = "view_as_complex needs pairs that lie together: the last dimension has stride 1.",
        .source = "aten/src/ATen/native/ComplexHelper.h, computeStrideForViewAsComplex: 'Tensor must have a last "
                  "dimension with stride 1'",
        .misreading = "With a greater stride it takes what lies together in memory.",
    },
    RuleText{
        .id = "BIT-22",
        .sentence = "view_as_complex needs even strides in the other dimensions, except in those of size 1.",
        .source = "aten/src/ATen/native/ComplexHelper.h, computeStrideForViewAsComplex: 'Skip divisibility check for "
                  "singleton dimensions'",
        .misreading = "In those of size 1, too.",
        .variants = {{{Profile::torch_1_13, "In dimensions of size 1, too.",
                       "aten/src/ATen/native/ComplexHelper.h of v1.13.1, computeStrideForViewAsComplex"}}},
    },
};

}  // namespace

constinit const std::span<const RuleText> kBit{kOfBit};

}  // namespace plumbline::text
