// Which sanitizer this build has.
#pragma once

namespace plumbline {

/// Whether a sanitizer reserves far more addresses than any limit on them (RLIMIT_AS) would allow.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kReservesAddresses = true;
#else
inline constexpr bool kReservesAddresses = false;
#endif

}  // namespace plumbline
