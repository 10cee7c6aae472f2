// Python's `re.search`, as far as `pytest.raises(match=…)` needs it.
#pragma once

#include <string>
#include <string_view>

namespace plumbline {

/// Whether Python's `re.search(pattern, text)` finds anything. Throws std::invalid_argument for an invalid pattern, or
/// one that uses a feature of Python alone (look-behind, inline flags, conditionals); the message says which.
bool python_search(std::string_view pattern, const std::string& text);

/// The ECMAScript pattern that means the same as a Python one; throws as above.
std::string ecmascript_from_python(std::string_view pattern);

}  // namespace plumbline
