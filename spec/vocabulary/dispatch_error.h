// The errors of a dispatcher, by class.
#pragma once

#include <cstdint>

namespace plumbline {

/// How a statement ended. The list is closed: any other error is `unclassified`.
enum class DispatchError : std::uint8_t {
  none,
  missing_kernel,  ///< NotImplementedError: no kernel for the key
  ambiguous,       ///< AutogradOther has two possible kernels
  fallthrough,     ///< a fallthrough kernel would run: an internal assertion fails
  kernel_raised,   ///< a probe's kernel raised an error
  schema,          ///< a schema that does not parse
  defined_twice,   ///< a second definition of an operator, or a second DEF library of a namespace
  unknown_op,      ///< an operator is not defined
  unknown_key,     ///< no key has that name
  fallback_twice,  ///< the key already has a fallback
  wrong_library,   ///< a fallback outside the namespace "_", or a define in an IMPL library
  alias_query,     ///< a query of the computed table for an alias key
  inconsistent,    ///< the table is not what the registrations give: an assertion instead of `missing_kernel`
  recursion,       ///< a kernel calls itself without end
  unclassified
};

}  // namespace plumbline
