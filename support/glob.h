// Patterns in which `*` matches anything.
#pragma once

#include <string_view>

namespace plumbline {

/// Whether `text` fits `pattern`, in which `*` matches anything.
bool fits_glob(std::string_view text, std::string_view pattern);

}  // namespace plumbline
