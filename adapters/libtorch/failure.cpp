// LibTorch's errors as failures with a class of the closed list.
#include "adapters/libtorch/failure.h"

#include "adapters/libtorch/version.h"

namespace plumbline::libtorch {

Failure failure(std::string_view message, std::string exception) {
  message = message.substr(0, message.find('\n'));
  return {classify_error(message, kTorchSeries), std::string(message), std::move(exception)};
}

// The types are those of torch/csrc/Exceptions.h, which translates exceptions for Python.
Failure current_failure() {
  try {
    throw;
  } catch (const c10::IndexError& e) {
    return failure(e.what_without_backtrace(), "IndexError");
  } catch (const c10::ValueError& e) {
    return failure(e.what_without_backtrace(), "ValueError");
  } catch (const c10::TypeError& e) {
    return failure(e.what_without_backtrace(), "TypeError");
  } catch (const AttributeError& e) {
    return failure(e.what(), "AttributeError");
  } catch (const c10::NotImplementedError& e) {
    return failure(e.what_without_backtrace(), "NotImplementedError");
  } catch (const BufferError& e) {
    return failure(e.what_without_backtrace(), "BufferError");
  } catch (const SyntaxError& e) {
    return failure(e.what_without_backtrace(), "SyntaxError");
  } catch (const c10::LinAlgError& e) {
    return failure(e.what_without_backtrace(), "LinAlgError");
  } catch (const c10::OutOfMemoryError& e) {
    return failure(e.what_without_backtrace(), "OutOfMemoryError");
  } catch (const c10::Error& e) {
    return failure(e.what_without_backtrace(), "RuntimeError");
  } catch (const std::exception& e) {
    return failure(e.what(), "RuntimeError");
  }
}

}  // namespace plumbline::libtorch
