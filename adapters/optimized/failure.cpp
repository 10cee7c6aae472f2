// The optimized runtime's errors as failures with a class of the closed list.
#include "adapters/optimized/failure.h"

#include <new>
#include <string>
#include <string_view>

#include "adapters/optimized/test_device.h"
#include "optimized/dispatcher/kernel.h"
#include "optimized/tensor/error.h"

namespace plumbline::optimized {

namespace {

/// The dispatcher's message that an operator has no kernel for a key, which it names as "the 'CPU' backend".
std::string naming_the_key_as_programs_do(std::string message) {
  const std::size_t end = message.find("' backend");
  if (end == std::string::npos) return message;
  const std::size_t begin = message.rfind('\'', end - 1) + 1;
  return message.replace(begin, end - begin, named_as_in_programs(message.substr(begin, end - begin)));
}

Failure failure(ErrorClass error, std::string_view message, const char* exception) {
  return {error, naming_the_key_as_programs_do(std::string(message.substr(0, message.find('\n')))), exception};
}

}  // namespace

Failure current_failure() {
  try {
    throw;
  } catch (const Error& e) {
    return failure(e.error, e.what(), e.exception);
  } catch (const DispatchFailed& e) {
    return failure(ErrorClass::unclassified, e.what(), "NotImplementedError");
  } catch (const std::bad_alloc& e) {
    return failure(ErrorClass::memory, e.what(), "RuntimeError");
  } catch (const std::exception& e) {
    return failure(ErrorClass::unclassified, e.what(), "RuntimeError");
  }
}

}  // namespace plumbline::optimized
