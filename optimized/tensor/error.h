// The error that every operation of the runtime raises.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <stdexcept>
#include <string>

#include "spec/vocabulary/dtype.h"
#include "spec/vocabulary/errors.h"

namespace plumbline::optimized {

/// What went wrong, by class and with PyTorch's message. An operation that raises one has changed nothing.
struct Error : std::runtime_error {
  Error(ErrorClass failed, const std::string& message, const char* python = "RuntimeError")
      : std::runtime_error(message), error(failed), exception(python) {}

  ErrorClass error;
  const char* exception;  ///< Python's type, a literal: "RuntimeError", "IndexError"
};

/// Raises `error` with its canonical text [spec/vocabulary/error_texts.h], whose `{}` are `parts`.
[[noreturn]] void raise(ErrorClass error, std::initializer_list<std::string> parts = {});
/// Raises ErrorClass::memory: there is not enough memory.
[[noreturn]] void raise_no_memory(std::size_t bytes);
/// Raises `error` with another message.
[[noreturn]] void raise_saying(ErrorClass error, const std::string& message, const char* exception = "RuntimeError");

/// Whether the runtime computes with a dtype: it has the first five of the specification.
constexpr bool has_dtype(Dtype dtype) { return dtype <= Dtype::boolean; }
/// Raises the error for a dtype that the runtime does not have. No tensor of such a dtype is ever made.
[[noreturn]] void refuse_dtype(Dtype dtype);

}  // namespace plumbline::optimized
