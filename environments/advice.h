// Why an environment could not be made, from what Python and pip printed.
#pragma once

#include <string>
#include <string_view>

namespace plumbline::environments {

/// What was wrong and what to do, in one line. `printed`: the end of what the failed step printed.
std::string advice_for(std::string_view printed);

/// Whether a Python is as new as the oldest that will do. Both are like "3.10"; an empty `oldest` takes any.
bool is_new_enough(const std::string& version, const std::string& oldest);

}  // namespace plumbline::environments
