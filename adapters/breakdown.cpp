// The names of the kinds of breakdowns, apart from the adapters: a program that only compares need not link those.
#include <array>

#include "adapters/adapter.h"

namespace plumbline {

std::string_view name_of(Breakdown::Kind kind) {
  constexpr std::array<std::string_view, 7> names{"crash", "exit", "hang", "garbage", "unsupported", "leak", "limit"};
  return names.at(static_cast<std::size_t>(kind));
}

}  // namespace plumbline
