// The messages of the error that every operation of the runtime raises.
#include "optimized/tensor/error.h"

namespace plumbline::optimized {

void raise(ErrorClass error, std::initializer_list<std::string> parts) {
  const ErrorText* text = canonical_text(error);
  // The table's texts are literals, so the name of a Python type ends with a zero.
  throw Error(error, error_message(error, parts), text == nullptr ? "RuntimeError" : text->exception.data());
}

// The place in PyTorch's allocator, and the system's message [c10/core/impl/alloc_cpu.cpp].
void raise_no_memory(std::size_t bytes) {
  raise(ErrorClass::memory, {"132", std::to_string(bytes), "12", "Cannot allocate memory"});
}

void raise_saying(ErrorClass error, const std::string& message, const char* exception) {
  throw Error(error, message, exception);
}

void refuse_dtype(Dtype dtype) {
  raise_saying(ErrorClass::dtype_op, "the optimized runtime has no dtype " + std::string(name_of(dtype)),
               "NotImplementedError");
}

}  // namespace plumbline::optimized
