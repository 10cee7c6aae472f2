// LibTorch's key sets, by the names of keys.
#pragma once

#include <c10/core/DispatchKeySet.h>

#include <string>
#include <vector>

namespace plumbline::libtorch {

/// The key of this name, also if c10's parser does not know it: Python has it as an enumerator.
c10::DispatchKey key_named(const std::string& name);

/// What walk/key_steps.h needs.
struct KeyTypes {
  using Keys = c10::DispatchKeySet;
  static constexpr Keys kAfterAutograd = c10::after_autograd_keyset;
  static constexpr Keys kAfterADInplaceOrView = c10::after_ADInplaceOrView_keyset;
  static Keys keys(const std::string& name) { return Keys(key_named(name)); }
  static std::vector<std::string> names(Keys keys);
  static Keys without(Keys keys, const std::string& name) { return keys.remove(key_named(name)); }
};

}  // namespace plumbline::libtorch
