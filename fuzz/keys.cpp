// The dispatch keys that generated programs name.
#include "fuzz/keys.h"

#include <algorithm>

#include "spec/vocabulary/key_layout.h"

namespace plumbline::fuzz {

std::string key_for_all(std::string_view key, std::span<const Profile> profiles) {
  const auto has = [key](Profile profile) {
    const KeyLayout& layout = layout_of(profile);
    const auto alias = alias_named(key);
    return alias ? has_alias(layout, *alias) : runtime_key_named(layout, key).has_value();
  };
  return std::string(std::ranges::all_of(profiles, has) ? key : "CPU");
}

}  // namespace plumbline::fuzz
