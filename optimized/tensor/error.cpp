// The error that every operation of the runtime raises: its words.
#include "optimized/tensor/error.h"

namespace plumbline::optimized {

void raise(ErrorClass error, std::initializer_list<std::string> parts) {
  const ErrorText* text = canonical_text(error);
  // The table's texts are literals, so what names a Python type ends with its zero.
  throw Error(error, error_message(error, parts), text == nullptr ? "RuntimeError" : text->exception.data());
}

// Where PyTorch's allocator says it, and what the system calls it [c10/core/impl/alloc_cpu.cpp].
void raise_no_memory(std::size_t bytes) {
  raise(ErrorClass::memory, {"132", std::to_string(bytes), "12", "Cannot allocate memory"});
}

void raise_saying(ErrorClass error, const std::string& message, const char* exception) {
  throw Error(error, message, exception);
}

}  // namespace plumbline::optimized
