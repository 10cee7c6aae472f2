// GEO: `.data` and `set_`: who has which storage, sizes, strides and offset afterwards.
#include "spec/rules/text/texts.h"

namespace plumbline::text {

namespace {

constexpr std::array kOfGeoExchange{
    RuleText{
        .id = "GEO-29",
        .sentence = "`x.data` shares x's storage, sizes, strides and offset.",
        .source = "torch/csrc/autograd/variable.cpp, VariableHooks::variable_data: shallow_copy_and_detach",
        .misreading = "`x.data` is a copy.",
        .choice = "a release",
    },
    RuleText{
        .id = "GEO-30",
        .sentence = "`x.data = y` gives x the storage, sizes, strides, offset and dtype of y.",
        .source = "torch/csrc/autograd/variable.cpp, VariableHooks::set_data: shallow_copy_from",
        .misreading = "x gets a copy of y's elements.",
        .choice = "a release",
    },
    RuleText{
        .id = "GEO-31",
        .sentence = "`x.set_(y)` gives x the storage, sizes, strides and offset of y.",
        .source = "aten/src/ATen/native/TensorShape.cpp, set_tensor_: set_storage",
        .misreading = "x gets a copy of y's elements.",
        .choice = "a release",
    },
};

}  // namespace

constinit const std::span<const RuleText> kGeoExchange{kOfGeoExchange};

}  // namespace plumbline::text
