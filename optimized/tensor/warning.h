// Warnings, which go to the standard error unless somebody takes them.
#pragma once

#include <string>

namespace plumbline::optimized {

using WarningHandler = void (*)(const std::string& message);

/// From now on warnings go to `handler`, on the thread that warns; null: to the standard error, a line each. Gives the
/// one before [c10/util/Exception.h, WarningUtils::set_warning_handler]. Any thread may call it.
WarningHandler set_warning_handler(WarningHandler handler);

void warn(const std::string& message);

}  // namespace plumbline::optimized
