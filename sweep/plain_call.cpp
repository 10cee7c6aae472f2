// Writing a call and its tensors as Python.
#include "sweep/plain_call.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <cmath>
#include <filesystem>

namespace plumbline::sweep {

using nlohmann::json;

namespace {

std::string python(double number) {
  return std::isfinite(number) ? fmt::format("{}", number) : fmt::format("float(\"{}\")", number);
}

std::string python(std::complex<double> number) {
  return fmt::format("complex({}, {})", python(number.real()), python(number.imag()));
}

std::string python(const json& value) {
  if (value.is_null()) return "None";
  if (value.is_boolean()) return value.get<bool>() ? "True" : "False";
  if (value.is_array()) {
    std::vector<std::string> all;
    for (const json& one : value) all.push_back(python(one));
    return fmt::format("[{}]", fmt::join(all, ", "));
  }
  if (value.is_object() && value.contains("tensor")) return fmt::format("t[{}]", value["tensor"].get<std::size_t>());
  if (value.is_object() && value.contains("dtype")) return "torch." + value["dtype"].get<std::string>();
  if (value.is_object() && value.contains("complex")) return python(complex_from(value["complex"]));
  return value.dump();
}

std::string tensor_of(const Ingredient& t, bool on_meta) {
  std::vector<std::string> values;
  for (const std::complex<double> value : t.values)
    values.push_back(is_complex(t.dtype) ? python(value) : python(value.real()));
  return fmt::format("        made(torch.{}, {}, {}, {}, [{}]{}),\n", t.dtype, json(t.sizes).dump(),
                     json(t.strides).dump(), t.offset, fmt::join(values, ", "), on_meta ? ", \"meta\"" : "");
}

}  // namespace

const std::string_view kPlainHelpers = R"(

def made(dtype, sizes, strides, offset, values, device=DEVICE):
    if device == "meta":
        return torch.empty_strided(sizes, strides, dtype=dtype, device=device)
    storage = torch.tensor(values, dtype=torch.complex128 if dtype.is_complex else torch.float64).to(dtype).to(device)
    return torch.empty(0, dtype=dtype, device=device).set_(storage, offset, sizes, strides)


def state(tensor):
    version = None if tensor.is_inference() else tensor._version
    return repr(tensor.tolist()), tensor.dtype, tuple(tensor.shape), tensor.stride(), version


def elements(results):
    if isinstance(results, torch.Tensor):
        return repr(results.tolist()), results.dtype, tuple(results.shape)
    return [elements(one) for one in results] if isinstance(results, (list, tuple)) else results


def tensors_in(results):
    if isinstance(results, torch.Tensor):
        return [results]
    return [one for each in results for one in tensors_in(each)] if isinstance(results, (list, tuple)) else []
)";

std::string plain_beginning(const PlainSource& source) {
  const std::string device = fmt::format("DEVICE = {}\n", json(source.device).dump());
  if (source.module.empty()) return "import torch\n\n" + device;
  const std::filesystem::path module = source.module;
  if (module.extension() != ".py") return fmt::format("import torch\n\nimport {}\n\n{}", source.module, device);
  const std::filesystem::path file = std::filesystem::absolute(module);
  return fmt::format("import sys\n\nimport torch\n\nsys.path.insert(0, {})\nimport {}\n\n{}",
                     json(file.parent_path().string()).dump(), file.stem().string(), device);
}

std::string plain_call(const Operator& op, const json& arguments) {
  std::string name = op.name;
  name.replace(name.find("::"), 2, ".");
  std::vector<std::string> words;
  bool by_name = false;  // after an argument that is left out
  for (std::size_t i = 0; i < op.arguments.size(); ++i) {
    const Parameter& p = op.arguments[i];
    if (arguments[i].is_object() && arguments[i].contains("default")) {
      by_name = true;
      continue;
    }
    std::string value = python(arguments[i]);
    if (p.type == "Device" && arguments[i] == "cpu") value = "DEVICE";
    if (p.type == "Layout" && !arguments[i].is_null()) value = "torch.strided";
    if (p.type == "MemoryFormat" && arguments[i].is_number())
      value = std::array{"torch.contiguous_format", "torch.preserve_format", "torch.channels_last",
                         "torch.channels_last_3d"}
                  .at(arguments[i].get<std::size_t>());
    words.push_back(by_name || p.keyword_only ? fmt::format("{}={}", p.name, value) : value);
  }
  return fmt::format("torch.ops.{}.{}({})", name, op.overload.empty() ? "default" : op.overload,
                     fmt::join(words, ", "));
}

std::string plain_maker(std::string_view name, const std::vector<Ingredient>& tensors, bool on_meta) {
  std::string text = fmt::format("\n\ndef {}():\n    return [\n", name);
  for (const Ingredient& t : tensors) text += tensor_of(t, on_meta);
  return text + "    ]\n";
}

}  // namespace plumbline::sweep
