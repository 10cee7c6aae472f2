// The optimized runtime's key sets, by the names of keys.
#pragma once

#include <string>
#include <vector>

#include "adapters/optimized/test_device.h"
#include "optimized/dispatcher/key_set.h"
#include "optimized/tensor/error.h"
#include "spec/vocabulary/key_layout.h"

namespace plumbline::optimized {

/// What walk/key_steps.h needs. The names are those of runtime keys; another one raises `unknown_key`.
struct KeyTypes {
  using Keys = KeySet;
  static constexpr KeySet kAfterAutograd = optimized::kAfterAutograd;
  static constexpr KeySet kAfterADInplaceOrView = optimized::kAfterADInplaceOrView;
  static KeySet keys(const std::string& name) {
    const KeyLayout& layout = layout_of(Profile::sound);
    const auto key = runtime_key_named(layout, with_device(name));
    if (!key) raise(ErrorClass::unknown_key, {name});
    return KeySet(word_of(layout, *key));
  }
  static std::vector<std::string> names(KeySet keys) {
    return key_names(layout_of(Profile::sound), as_programs_see(keys).word());
  }
  static KeySet without(KeySet keys, const std::string& name) { return keys - KeyTypes::keys(name); }
};

}  // namespace plumbline::optimized
