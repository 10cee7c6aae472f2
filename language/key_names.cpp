// Reads and writes the dispatch keys that programs name.
#include "language/key_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "language/observe.h"
#include "language/refusal.h"
#include "spec/vocabulary/key_layout.h"

namespace plumbline::program {
namespace {

/// Runtime keys of PyTorch 2.13 that torch._C.DispatchKey does not name.
constexpr std::array<std::string_view, 16> kUnnamedKeys{"FPGA",
                                                        "Vulkan",
                                                        "Metal",
                                                        "CustomRNGKeyId",
                                                        "MkldnnCPU",
                                                        "Fake",
                                                        "Tracer",
                                                        "AutocastMTIA",
                                                        "AutocastMAIA",
                                                        "AutocastXLA",
                                                        "BatchedNestedTensor",
                                                        "Batched",
                                                        "VmapMode",
                                                        "DeferredInit",
                                                        "TESTING_ONLY_GenericWrapper",
                                                        "TESTING_ONLY_GenericMode"};

const KeyLayout& layout_of_names() { return layout_of(Profile::torch_2_13); }

}  // namespace

bool is_named_key(std::string_view name) {
  return runtime_key_named(layout_of_names(), name) && std::ranges::find(kUnnamedKeys, name) == kUnnamedKeys.end();
}

std::vector<std::string> named_keys() {
  std::vector<std::string> names;
  for (int i = 0; i < table_size(layout_of_names()); ++i)
    if (const std::string name = name_of(layout_of_names(), key_at(layout_of_names(), i)); is_named_key(name))
      names.push_back(name);
  return names;
}

bool is_kernel_key(std::string_view name) {
  const auto key = runtime_key_named(layout_of_names(), name);
  return alias_named(name) || (key && parses(layout_of_names(), *key));
}

std::string key_named(const Expression& e, Undefined undefined, const Refuse& refuse) {
  const std::string dotted = dotted_name(e);
  if (!dotted.starts_with(kKeyPrefix))
    refuse(start_of(e), "this is not a dispatch key", fmt::format("Write {0}KEY, as in {0}CPU", kKeyPrefix));
  const std::string name = dotted.substr(kKeyPrefix.size());
  if (!is_named_key(name))
    refuse(e.place, fmt::format("torch._C.DispatchKey has no runtime key {}", name),
           did_you_mean(name, named_keys(), "Write a runtime key that Python names, such as CPU or AutogradCPU"));
  if (name == "Undefined" && undefined == Undefined::refused)
    refuse(e.place, "the key Undefined has no bit in a key set",
           fmt::format("Write another key; for the empty set, redispatch with {}({}) alone", kKeySet, dotted));
  return name;
}

std::string key_of_set(const Expression& e, Undefined undefined, const Refuse& refuse) {
  const auto* call = std::get_if<Invocation>(&e.node);
  const bool set = call != nullptr && dotted_name(*call->callee) == kKeySet;
  if (!set || call->positional.size() != 1 || !call->keywords.empty())
    refuse(start_of(e), "this is not the set of one key", fmt::format("Write {}({}CPU)", kKeySet, kKeyPrefix));
  return key_named(call->positional[0], undefined, refuse);
}

Expression key_expression(const std::string& key) { return dotted(fmt::format("{}{}", kKeyPrefix, key)); }
Expression key_set_expression(const std::string& key) { return call_of(std::string(kKeySet), {key_expression(key)}); }

}  // namespace plumbline::program
