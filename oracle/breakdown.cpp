// The names of the kinds of breakdowns; apart from the adapters, so that who compares need not link them.
#include <array>

#include "oracle/adapter.h"

namespace plumbline {

std::string_view name_of(Breakdown::Kind kind) {
  constexpr std::array<std::string_view, 6> names{"crash", "exit", "hang", "garbage", "unsupported", "limit"};
  return names.at(static_cast<std::size_t>(kind));
}

}  // namespace plumbline
