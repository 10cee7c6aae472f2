// The optimized runtime's key sets, by the names of keys.
#pragma once

#include <string>

#include "optimized/dispatcher/key_set.h"
#include "spec/vocabulary/key_layout.h"

namespace plumbline::optimized {

/// What `walk::stepped` needs. The names are those of runtime keys.
struct KeyTypes {
  using Keys = KeySet;
  static constexpr KeySet kAfterAutograd = optimized::kAfterAutograd;
  static constexpr KeySet kAfterADInplaceOrView = optimized::kAfterADInplaceOrView;
  static KeySet keys(const std::string& name) {
    const KeyLayout& layout = layout_of(Profile::sound);
    return KeySet(word_of(layout, runtime_key_named(layout, name).value()));
  }
  static KeySet without(KeySet keys, const std::string& name) { return keys - KeyTypes::keys(name); }
};

}  // namespace plumbline::optimized
