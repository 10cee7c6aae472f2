// The error that every operation of the runtime raises: its words.
#include "optimized/tensor/error.h"

namespace plumbline::optimized {

void raise(ErrorClass error, std::initializer_list<std::string> parts) {
  const ErrorText* text = canonical_text(error);
  // The table's texts are literals, so what names a Python type ends with its zero.
  throw Error(error, error_message(error, parts), text == nullptr ? "RuntimeError" : text->exception.data());
}

void raise_saying(ErrorClass error, const std::string& message, const char* exception) {
  throw Error(error, message, exception);
}

}  // namespace plumbline::optimized
