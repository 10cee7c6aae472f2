// The specification's dtypes in LibTorch.
#include "adapters/libtorch/dtypes.h"

#include "adapters/libtorch/failure.h"

namespace plumbline::libtorch {

at::ScalarType scalar_type(Dtype dtype) {
  switch (dtype) {
    case Dtype::float32:
      return at::ScalarType::Float;
    case Dtype::float64:
      return at::ScalarType::Double;
    case Dtype::int64:
      return at::ScalarType::Long;
    case Dtype::int32:
      return at::ScalarType::Int;
    case Dtype::boolean:
      return at::ScalarType::Bool;
    case Dtype::uint8:
      return at::ScalarType::Byte;
    case Dtype::int8:
      return at::ScalarType::Char;
    case Dtype::int16:
      return at::ScalarType::Short;
    case Dtype::float16:
      return at::ScalarType::Half;
    case Dtype::bfloat16:
      return at::ScalarType::BFloat16;
    case Dtype::complex64:
      return at::ScalarType::ComplexFloat;
    case Dtype::complex128:
      return at::ScalarType::ComplexDouble;
  }
  throw Unsupported{"this adapter does not support this dtype"};
}

std::string dtype_name(at::ScalarType type) {
  for (std::size_t i = 0; i < kDtypeNames.size(); ++i)
    if (scalar_type(static_cast<Dtype>(i)) == type) return std::string(kDtypeNames[i]);
  return c10::toString(type);
}

}  // namespace plumbline::libtorch
