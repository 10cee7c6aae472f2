// Warnings, and where they go.
#include "optimized/tensor/warning.h"

#include <atomic>
#include <cstdio>

namespace plumbline::optimized {

namespace {

constinit std::atomic<WarningHandler> taken_by = nullptr;

}  // namespace

WarningHandler set_warning_handler(WarningHandler handler) { return taken_by.exchange(handler); }

void warn(const std::string& message) {
  if (const WarningHandler handler = taken_by.load()) return handler(message);
  std::fprintf(stderr, "plumbline: warning: %s\n", message.c_str());
}

}  // namespace plumbline::optimized
