// Which derivatives autograd can record.
#include "optimized/autograd/recorded.h"

#include <string>

#include "optimized/tensor/error.h"

namespace plumbline::optimized {

namespace {

/// Whether the derivative writes memory itself instead of calling ops.
bool writes_memory(OpId op) {
  switch (op) {
    case OpId::index_select:
    case OpId::gather:
    case OpId::max_dim:
    case OpId::unfold:
    case OpId::unfold_copy:
    case OpId::as_strided:
    case OpId::as_strided_:
    case OpId::as_strided_copy:
      return true;
    default:
      return false;
  }
}

}  // namespace

void check_recordable(OpId op, bool needs_copy) {
  const bool copied = needs_copy && (op == OpId::mul__Tensor || op == OpId::div__Tensor);
  if (copied || writes_memory(op)) raise_unrecordable("aten::" + std::string(plumbline::op(op).name));
}

void raise_unrecordable(const std::string& what) { raise(ErrorClass::no_derivative, {"the gradient of " + what}); }

}  // namespace plumbline::optimized
