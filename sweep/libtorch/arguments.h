// The arguments of an experiment as LibTorch's values.
#pragma once

#include <ATen/core/ivalue.h>
#include <ATen/core/stack.h>

#include <stdexcept>
#include <vector>

#include "sweep/experiment.h"

namespace c10 {
struct FunctionSchema;
}

namespace plumbline::sweep::libtorch {

/// This caller cannot make such a value.
struct Unsupported : std::runtime_error {
  using std::runtime_error::runtime_error;
};

at::ScalarType dtype_named(const std::string& name);
/// "float32"; for a dtype that Python does not show, c10's name.
std::string name_of(at::ScalarType dtype);

/// A new tensor, no view of another, on the CPU or without memory.
at::Tensor make(const Ingredient& ingredient, bool on_meta);

/// One value for each argument of the schema. Throws Unsupported.
torch::jit::Stack stack_of(const c10::FunctionSchema& schema, const nlohmann::json& arguments,
                           const std::vector<at::Tensor>& tensors);

}  // namespace plumbline::sweep::libtorch
