// Reading LibTorch's dispatcher.
#include "adapters/libtorch/dispatcher_dump.h"

#include <ATen/core/dispatch/Dispatcher.h>
#include <c10/core/DispatchKeySet.h>
#include <c10/core/impl/LocalDispatchKeySet.h>
#include <torch/library.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "adapters/libtorch/version.h"

namespace plumbline::libtorch {

namespace {

using c10::DispatchKey;
using c10::DispatchKeySet;
using nlohmann::json;

std::string text_of(DispatchKey key) { return c10::toString(key); }

/// A key set's word as text, because not every JSON reader keeps numbers of 64 bits.
std::string word_of(DispatchKeySet keys) { return std::to_string(keys.raw_repr()); }

json names_of(DispatchKeySet keys) {
  json names = json::array();
  for (const DispatchKey key : keys) names.push_back(text_of(key));
  return names;
}

/// Whether c10's parser knows the name: otherwise no kernel can be registered for it by name.
bool parses(const std::string& name) {
  try {
    c10::parseDispatchKey(name);
    return true;
  } catch (const c10::Error&) {
    return false;
  }
}

constexpr std::array kAliases{DispatchKey::Autograd,
                              DispatchKey::CompositeImplicitAutograd,
#if TORCH_VERSION_MAJOR >= 2
                              DispatchKey::FuncTorchBatchedDecomposition,
#endif
                              DispatchKey::CompositeImplicitAutogradNestedTensor,
                              DispatchKey::CompositeExplicitAutograd,
                              DispatchKey::CompositeExplicitAutogradNonFunctional};

/// The layout of keys, alias keys and named sets, as the library itself uses them. `fallbacks`: the line of an operator
/// without registrations, whose table shows the fallback of every backend.
json constants(const json& fallbacks) {
  json all;
  json keys = json::array();
  for (const DispatchKey key : DispatchKeySet(DispatchKeySet::FULL)) {
    json one;
    one["name"] = text_of(key);
    one["index"] = c10::getDispatchTableIndexForDispatchKey(key);
    one["word"] = word_of(DispatchKeySet(key));
    one["backend"] = c10::isBackendDispatchKey(key);
    one["parses"] = parses(text_of(key));
    one["autograd"] = text_of(c10::getAutogradKeyFromBackend(c10::toBackendComponent(key)));
    one["backends_of"] = names_of(c10::getBackendKeySetFromAutograd(key));
    json aliases = json::array();
    for (const DispatchKey alias : kAliases)
      if (c10::isIncludedInAlias(key, alias)) aliases.push_back(text_of(alias));
    one["aliases"] = aliases;
    keys.push_back(one);
  }
  all["keys"] = keys;
  all["entries"] = c10::num_runtime_entries;
  all["sets"] = {{"full", word_of(DispatchKeySet(DispatchKeySet::FULL))},
                 {"after_autograd", word_of(c10::after_autograd_keyset)},
                 {"after_ADInplaceOrView", word_of(c10::after_ADInplaceOrView_keyset)},
                 {"autograd", word_of(c10::autograd_dispatch_keyset)},
                 {"autogradother_backends", word_of(c10::autogradother_backends)},
                 {"default_included", word_of(c10::default_included_set)},
                 {"default_excluded", word_of(c10::default_excluded_set)}};
  all["fallbacks"] = fallbacks;
  return all;
}

/// One operator: its name, its registrations and its table. Kernels are numbered; a line of the table is a key, a
/// kernel, and the source of the entry.
class OperatorLine {
 public:
  explicit OperatorLine(const c10::OperatorHandle& handle) {
    std::ostringstream name;
    name << handle.operator_name();
    line_["name"] = name.str();
    line_["registrations"] = json::array();
    line_["table"] = json::array();
    read_state(handle.dumpState());
    read_table(handle.dumpComputedTable());
    line_["kernels"] = kernels_;
  }
  const json& value() const { return line_; }

 private:
  int number_of(const std::string& kernel) {
    const auto [at, added] = numbers_.emplace(kernel, static_cast<int>(kernels_.size()));
    if (added) kernels_.push_back(kernel);
    return at->second;
  }

  /// "KEY[alias] (inactive): KERNEL :: SCHEMA [ fallthrough boxed ]", newest first.
  void read_state(const std::string& state) {
    std::istringstream lines(state);
    for (std::string line; std::getline(lines, line);) {
      const auto colon = line.find(": ");
      const auto schema = line.find(" :: ", colon);
      const auto bracket = line.rfind('[');
      if (colon == std::string::npos || schema == std::string::npos || bracket == std::string::npos) continue;
      std::string key = line.substr(0, colon);
      const auto mark = key.find(" (inactive)");
      const bool active = mark == std::string::npos;
      if (!active) key.resize(mark);
      line_["registrations"].push_back({key, number_of(line.substr(colon + 2, schema - colon - 2)), active,
                                        line.find("fallthrough", bracket) != std::string::npos});
    }
  }

  /// "KEY: fallthrough KERNEL [how]".
  void read_table(const std::string& table) {
    static const std::string fall = "fallthrough ";
    std::istringstream lines(table);
    for (std::string line; std::getline(lines, line);) {
      const auto colon = line.find(": ");
      const auto bracket = line.rfind(" [");
      if (colon == std::string::npos || bracket == std::string::npos) continue;
      std::string kernel = line.substr(colon + 2, bracket - colon - 2);
      const bool falls = kernel.starts_with(fall);
      if (falls) kernel.erase(0, fall.size());
      line_["table"].push_back(
          {line.substr(0, colon), number_of(kernel), line.substr(bracket + 2, line.size() - bracket - 3), falls});
    }
  }

  json line_;
  json kernels_ = json::array();
  std::map<std::string, int> numbers_;
};

}  // namespace

void dump_dispatcher(const std::function<void(const std::string&)>& write) {
  auto& dispatcher = c10::Dispatcher::singleton();
  std::vector<std::string> names;
  std::vector<c10::OperatorHandle> handles;
  for (const c10::OperatorName& name : dispatcher.getAllOpNames())
    if (const auto handle = dispatcher.findOp(name)) handles.push_back(*handle);
  std::ranges::sort(handles, {}, [](const c10::OperatorHandle& handle) {
    return std::pair(handle.operator_name().name, handle.operator_name().overload_name);
  });
  {
    torch::Library probe(torch::Library::DEF, "plumbline_dump", kNoKey, __FILE__, __LINE__);
    probe.def("nothing() -> ()");
    const auto handle = dispatcher.findSchemaOrThrow("plumbline_dump::nothing", "");
    write(constants(OperatorLine(handle).value()).dump());
  }
  for (const c10::OperatorHandle& handle : handles) write(OperatorLine(handle).value().dump());
  write(json{{"operators", handles.size()}}.dump());
}

}  // namespace plumbline::libtorch
