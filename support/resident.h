// How much memory a process and its descendants use.
#pragma once

#include <sys/types.h>

#include <cstdint>

namespace plumbline {

/// Resident memory in bytes, summed over the process and its descendants; 0 after it ended. Unlike a limit on the
/// address space (RLIMIT_AS), it does not count what AddressSanitizer and CUDA reserve and never touch.
std::int64_t resident_bytes(pid_t process);

}  // namespace plumbline
