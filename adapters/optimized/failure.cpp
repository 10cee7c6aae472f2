// The optimized runtime's errors as failures with a class of the closed list.
#include "adapters/optimized/failure.h"

#include <new>
#include <string_view>

#include "optimized/dispatcher/kernel.h"
#include "optimized/tensor/error.h"

namespace plumbline::optimized {

namespace {

Failure failure(ErrorClass error, std::string_view message, const char* exception) {
  return {error, std::string(message.substr(0, message.find('\n'))), exception};
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
