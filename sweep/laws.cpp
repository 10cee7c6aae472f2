// How much harm each broken law does, and the operators of which a law does not hold.
#include "sweep/laws.h"

#include <algorithm>

#include "spec/rules/op.h"
#include "support/glob.h"

namespace plumbline::sweep {

namespace {

constexpr std::array kLaws{
    Law{&OP_01, Severity::immutability}, Law{&OP_02, Severity::aliasing},     Law{&OP_03, Severity::aliasing},
    Law{&OP_04, Severity::metadata},     Law{&OP_05, Severity::wrong_error},  Law{&OP_06, Severity::immutability},
    Law{&OP_07, Severity::silent_value}, Law{&OP_08, Severity::silent_value}, Law{&OP_09, Severity::metadata},
    Law{&OP_10, Severity::metadata},     Law{&OP_11, Severity::immutability}, Law{&OP_12, Severity::metadata},
    Law{&OP_13, Severity::silent_value}, Law{&OP_14, Severity::silent_value}, Law{&OP_15, Severity::silent_value},
    Law{&OP_16, Severity::silent_value}, Law{&OP_17, Severity::silent_value}, Law{&OP_18, Severity::silent_value},
    Law{&OP_19, Severity::silent_value}, Law{&OP_20, Severity::silent_value}, Law{&OP_21, Severity::metadata},
    Law{&OP_22, Severity::metadata},     Law{&OP_23, Severity::aliasing},
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

const RuleText& Law::text() const { return rule->text(); }

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
