// The key set with which a kernel redispatches. `Types` has the implementation's type and names of keys:
//   Keys: a type with `&` and `|`; kAfterAutograd, kAfterADInplaceOrView: Keys
//   keys(name): Keys with the key of this name; without(keys, name): KeySet::remove; names(keys): the keys' names, from
//     the lowest to the highest
#pragma once

#include <vector>

#include "spec/vocabulary/key_step.h"

namespace plumbline::walk {

template <class Types>
typename Types::Keys stepped(typename Types::Keys keys, const std::vector<KeyStep>& steps) {
  for (const KeyStep& step : steps) switch (step.kind) {
      case KeyStep::Kind::after_autograd:
        keys = keys & Types::kAfterAutograd;
        break;
      case KeyStep::Kind::after_adinplaceorview:
        keys = keys & Types::kAfterADInplaceOrView;
        break;
      case KeyStep::Kind::keep:
        keys = keys & Types::keys(step.key);
        break;
      case KeyStep::Kind::add:
        keys = keys | Types::keys(step.key);
        break;
      case KeyStep::Kind::only:
        keys = step.key == "Undefined" ? typename Types::Keys() : Types::keys(step.key);
        break;
      case KeyStep::Kind::remove:
        keys = Types::without(keys, step.key);
        break;
    }
  return keys;
}

}  // namespace plumbline::walk
