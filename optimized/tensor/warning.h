// Warnings, which go to the standard error unless someone takes them.
#pragma once

#include <string>

namespace plumbline::optimized {

using WarningHandler = void (*)(const std::string& message);

/// From now on warnings go to `handler`, on the thread that warns; null: to the standard error, a line each. Returns
/// the previous one [c10/util/Exception.h, WarningUtils::set_warning_handler]. Any thread may call it.
WarningHandler set_warning_handler(WarningHandler handler);

void warn(const std::string& message);

}  // namespace plumbline::optimized
