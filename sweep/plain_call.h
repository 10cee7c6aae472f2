// A call of an operator as Python text, and the functions that make its tensors.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sweep/experiment.h"

namespace plumbline::sweep {

/// What was swept.
struct PlainSource {
  std::string version;
  std::string module;  ///< that registers the operators, by name or as FILE.py; empty: none
  std::string device = "cpu";
};

/// `import torch`, and functions that every plain file has.
extern const std::string_view kPlainHelpers;

/// The lines before them: imports, and the device.
std::string plain_beginning(const PlainSource& source);

/// "torch.ops.aten.add.Tensor(t[0], t[1])".
std::string plain_call(const Operator& op, const nlohmann::json& arguments);

/// `def NAME():`, which makes new tensors.
std::string plain_maker(std::string_view name, const std::vector<Ingredient>& tensors, bool on_meta = false);

}  // namespace plumbline::sweep
