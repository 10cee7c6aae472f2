// The errors of a dispatcher, by class.
#pragma once

#include <cstdint>

namespace plumbline {

/// How a statement ended. Closed: what is not one of these is `unclassified`.
enum class DispatchError : std::uint8_t {
  none,
  missing_kernel,  ///< NotImplementedError: no kernel for the key
  ambiguous,       ///< AutogradOther could be two things
  fallthrough,     ///< a fallthrough kernel was to be run: an internal assertion
  kernel_raised,   ///< a probe's kernel raised
  schema,          ///< a schema that does not parse
  defined_twice,   ///< an operator, or a namespace's DEF library
  unknown_op,      ///< an operator that is not defined
  unknown_key,     ///< a key of no such name
  fallback_twice,  ///< a key has a fallback
  wrong_library,   ///< a fallback outside of the namespace "_", a define in an IMPL library
  alias_query,     ///< a reading of the computed table at an alias key
  inconsistent,    ///< the table is not what the registrations make: an assertion, in place of `missing_kernel`
  recursion,       ///< a kernel that calls itself without end
  unclassified
};

}  // namespace plumbline
