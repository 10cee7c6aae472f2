// The laws, what states each, and the operators of which they do not hold.
#include "sweep/laws.h"

#include <algorithm>

#include "support/glob.h"

namespace plumbline::sweep {

namespace {

constexpr std::string_view kSchemas =
    "aten/src/ATen/native/README.md, 'Annotations': an alias annotation says what a result may alias, and `!` what is "
    "written";
constexpr std::string_view kRfc = "RFC-0011, 'Inference tensor' and 'Inference mode'";

constexpr std::array kLaws{
    Law{"OP-01",
        "An argument that the schema does not annotate as written keeps its elements, its geometry and its version.",
        "No argument changes, annotated or not.", kSchemas, Severity::immutability},
    Law{"OP-02", "A result without an annotation shares memory with no argument.",
        "No result shares memory with an argument, annotated or not.", kSchemas, Severity::aliasing},
    Law{"OP-03", "A result that is annotated as written is the argument with the same annotation, and no other tensor.",
        "A result that is annotated as written is a new tensor with its memory.", kSchemas, Severity::aliasing},
    Law{"OP-04", "A call that changes the elements of an argument raises its version.",
        "A call raises the version of each of its arguments.",
        "torch/csrc/autograd/VariableTypeManual.cpp and ADInplaceOrViewTypeEverything.cpp: increment_version after a "
        "write",
        Severity::metadata},
    Law{"OP-05", "A call outside inference mode that changes an inference tensor raises an error.",
        "A call outside inference mode raises an error if an argument is an inference tensor.", kRfc,
        Severity::wrong_error},
    Law{"OP-06", "A write to an inference tensor that is refused changes nothing.",
        "A write to an inference tensor is refused after it was made.", kRfc, Severity::immutability},
    Law{"OP-07", "With grad mode off, a call gives the same elements and the same errors.",
        "With grad mode off, a write raises no version.", "torch.no_grad: it only turns recording off",
        Severity::silent_value},
    Law{"OP-08", "Inside inference mode, a call gives the same elements and raises no other error.",
        "Inside inference mode, a call raises an error if an argument is a normal tensor.", kRfc,
        Severity::silent_value},
    Law{"OP-09",
        "Inside inference mode, new results are inference tensors, and results that alias a normal tensor are normal.",
        "Inside inference mode, all results are inference tensors.", kRfc, Severity::metadata},
    Law{"OP-10", "A result that shares memory with an argument is that argument, or a view of it that autograd tracks.",
        "A result that shares memory with an argument is that argument.",
        "torch/csrc/autograd/VariableTypeUtils.h, as_view", Severity::metadata},
    Law{"OP-11", "A call that raises an error changes no tensor.",
        "A call that raises an error has counted the writes that it did not make.",
        "an error's caller goes on with the tensors that it had", Severity::immutability},
    Law{"OP-12",
        "On the device meta, results have the dtype, sizes and strides that they have on the CPU, and the same errors.",
        "On the device meta, results are row-major.",
        "torch/_subclasses/meta_utils.py and tools/codegen: a meta kernel computes everything but elements",
        Severity::metadata},
    Law{"OP-13", "A call that writes gives the written tensor what the functional operator of this name returns.",
        "A call that writes returns, in a new tensor, what the functional operator of this name returns.",
        "aten/src/ATen/native/README.md, 'func': the variants `add`, `add_` and `add.out` compute the same",
        Severity::silent_value},
    Law{"OP-14", "The same call on equal tensors gives equal elements, unless a tag says otherwise.",
        "A call gives equal elements whatever the seed of random numbers is.",
        "aten/src/ATen/native/tags.yaml: nondeterministic_seeded, nondeterministic_bitwise", Severity::silent_value},
    Law{"OP-15", "Elements do not depend on the strides and offsets of the arguments.",
        "Neither elements nor strides of results depend on the strides of the arguments.",
        "a tensor's elements are those at its indices, wherever they lie", Severity::silent_value},
    Law{"OP-16",
        "A call that writes to a tensor whose elements share memory raises an error, or gives it what the functional "
        "operator returns.",
        "A call that writes to a tensor whose elements share memory raises an error.",
        "aten/src/ATen/MemoryOverlap.h, assert_no_internal_overlap, and torch.Tensor.expand: such a write may give "
        "wrong elements",
        Severity::silent_value},
    Law{"OP-17",
        "Under functionalization, a call gives the same elements, and its arguments end with the same elements.",
        "Under functionalization, a call gives the same elements, and leaves its arguments as they were.",
        "torch/_functorch/eager_transforms.py, functionalize: the same program without mutations",
        Severity::silent_value},
    Law{"OP-18", "A backward after a write to an argument or a result gives the same gradients, or raises an error.",
        "A backward after a write to an argument or a result raises an error.",
        "torch/csrc/autograd/saved_variable.cpp, unpack, and docs/source/notes/autograd.rst, 'In-place correctness "
        "checks'",
        Severity::silent_value},
    Law{"OP-19", "Under vmap, a call gives for each example what it gives for that example alone.",
        "Under vmap, a call gives for each example what it gives for the first.",
        "torch/_functorch/apis.py, vmap: it maps a function over a dimension", Severity::silent_value},
    Law{"OP-20", "The operator {view}_copy returns the sizes and elements of {view}.",
        "The operator {view}_copy returns a tensor with the strides of the view.",
        "torchgen/native_function_generation.py, view_copy: the view, then a clone", Severity::silent_value},
    Law{"OP-21", "A result has the dispatch keys of a new tensor of its device that is an inference tensor as it is.",
        "A result has the dispatch keys of the first tensor argument.", kRfc, Severity::metadata},
    Law{"OP-22",
        "Under FakeTensorMode, results have the dtype, sizes and strides that they have on the CPU, and the same "
        "errors.",
        "Under FakeTensorMode, results are row-major.",
        "torch/_subclasses/fake_tensor.py: a fake tensor has the metadata that the real one would have",
        Severity::metadata},
    Law{"OP-23", "A result that is annotated as an alias of an argument shares memory with it for some arguments.",
        "A result that is annotated as an alias of an argument always shares memory with it.", kSchemas,
        Severity::aliasing},
};

constexpr std::string_view kFree = "its elements are whatever the memory held";
constexpr std::string_view kByDesign = "`x.data = y` exchanges what x is, and is no write (VER-14)";
constexpr std::string_view kSharing = "it is there to give tensors that share memory and are no views";
constexpr std::string_view kSomeStrides = "such a view exists for some strides only";
constexpr std::array kExemptions{
    Exemption{"OP-02", "aten::unsafe_*", kSharing},
    Exemption{"OP-02", "aten::_unsafe_view", kSharing},
    Exemption{"OP-02", "aten::data", "`x.data` shares memory, and is no view that autograd tracks (VER-13)"},
    Exemption{"OP-02", "aten::set*", "its result has the storage that it is given"},
    Exemption{"OP-04", "aten::set_data", kByDesign},
    Exemption{"OP-05", "aten::set_data", kByDesign},
    Exemption{"OP-08", "aten::_version", "an inference tensor has no version, and says so (RFC-0011)"},
    Exemption{"OP-08", "aten::is_inference", "it reads what the mode changes"},
    Exemption{"OP-10", "aten::detach", "its result shares memory and version, and is no view that autograd tracks"},
    Exemption{"OP-15", "aten::as_strided*", "its caller says where the elements lie"},
    Exemption{"OP-15", "aten::set*", "its caller says where the elements lie"},
    Exemption{"OP-15", "aten::is_contiguous*", "it reads strides"},
    Exemption{"OP-15", "aten::sym_is_contiguous*", "it reads strides"},
    Exemption{"OP-15", "aten::storage_offset*", "it reads an offset"},
    Exemption{"OP-15", "aten::sym_storage_offset*", "it reads an offset"},
    Exemption{"OP-15", "aten::view", kSomeStrides},
    Exemption{"OP-15", "aten::view.dtype", kSomeStrides},
    Exemption{"OP-15", "aten::view_as_complex*", kSomeStrides},
    Exemption{"OP-15", "aten::put*", "where an index comes twice, either source may be the one that stays"},
    Exemption{"OP-15", "aten::stride*", "it reads strides"},
    Exemption{"OP-15", "aten::sym_stride*", "it reads strides"},
    Exemption{"OP-17", "aten::set*", "it replaces a storage, which functionalization has none of its own for"},
    Exemption{"OP-19", "aten::as_strided*", "its caller says where the elements lie"},
    Exemption{"OP-19", "aten::set*", "its caller says where the elements lie"},
    Exemption{"OP-19", "aten::native_batch_norm*",
              "it takes weights with as many elements, but of too many dimensions"},
    Exemption{"OP-19", "aten::native_group_norm*", "it believes N, C and HxW, where vmap's rule looks at the sizes"},
    Exemption{"OP-20", "aten::_reshape_alias*", "its caller says where the elements lie"},
    Exemption{"OP-21", "aten::_add_batch_dim", "it makes a tensor of functorch's own"},
    Exemption{"elements", "aten::fbgemm_pack_*", "its elements are a pointer"},
    Exemption{"elements", "aten::empty*", kFree},
    Exemption{"elements", "aten::new_empty*", kFree},
    Exemption{"elements", "aten::_empty*", kFree},
    Exemption{"elements", "aten::resize*", kFree},
    Exemption{"elements", "aten::_resize*", kFree},
};

}  // namespace

std::span<const Law> laws() { return kLaws; }
std::span<const Exemption> exemptions() { return kExemptions; }

const Law* law_named(std::string_view id) {
  const auto found = std::ranges::find(kLaws, id, &Law::id);
  return found == kLaws.end() ? nullptr : &*found;
}

bool is_exempt(std::string_view law, const Operator& op) {
  return std::ranges::any_of(
      kExemptions, [&](const Exemption& one) { return one.law == law && fits_glob(op.full_name(), one.operators); });
}

}  // namespace plumbline::sweep
