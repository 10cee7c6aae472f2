// functorch's layer of vmap: batching the inputs, and unwrapping the results.
#include "adapters/libtorch/vmap.h"

#include <ATen/ATen.h>
#include <ATen/WrapDimUtils.h>
#include <ATen/functorch/BatchedTensorImpl.h>
#include <ATen/functorch/DynamicLayer.h>

#include <algorithm>

#include "adapters/walk/unsupported.h"

namespace plumbline::libtorch {

namespace {

namespace functorch = at::functorch;

functorch::RandomnessType type_of(Randomness randomness) {
  switch (randomness) {
    case Randomness::error:
      return functorch::RandomnessType::Error;
    case Randomness::different:
      return functorch::RandomnessType::Different;
    case Randomness::same:
      return functorch::RandomnessType::Same;
  }
  throw walk::Unsupported{"an unknown randomness"};
}

/// While it lives, calls are mapped.
class Level {
 public:
  Level(std::int64_t examples, Randomness randomness)
      : level_(functorch::initAndPushDynamicLayer(functorch::TransformType::Vmap, examples, type_of(randomness))),
        examples_(examples) {}
  Level(const Level&) = delete;
  Level& operator=(const Level&) = delete;
  ~Level() { functorch::popDynamicLayerAndDeleteMetadata(); }

  at::Tensor wrapped(const at::Tensor& tensor, std::int64_t dim) const {
    return functorch::makeBatched(tensor, dim, level_);
  }

  at::Tensor unwrapped(const at::Tensor& tensor, MappedDim out_dim) const {
    const auto* batched = functorch::maybeGetBatchedImpl(tensor);
    if (!out_dim) {
      // any wrapper is refused, also one of an outer level
      TORCH_CHECK_VALUE(batched == nullptr,
                        "vmap(body, ...): `body` can not return a BatchedTensor when out_dim is None");
      return tensor;
    }
    if (batched == nullptr || batched->level() < level_) return repeated(tensor, *out_dim);
    return moved(batched->value(), batched->bdim(), *out_dim);
  }

 private:
  at::Tensor repeated(const at::Tensor& tensor, std::int64_t out_dim) const {
    std::vector<std::int64_t> sizes = tensor.sizes().vec();
    if (out_dim < 0 || out_dim > tensor.dim())
      throw walk::Unsupported{"PyTorch writes outside its list of sizes for out_dims=" + std::to_string(out_dim) +
                              " and a result that does not depend on the examples"};
    sizes.insert(sizes.begin() + out_dim, examples_);
    return tensor.expand(sizes);
  }
  static at::Tensor moved(const at::Tensor& tensor, std::int64_t from, std::int64_t to) {
    from = at::maybe_wrap_dim(from, tensor.dim());
    to = at::maybe_wrap_dim(to, tensor.dim());
    if (from == to) return tensor;
    std::vector<std::int64_t> order;
    for (std::int64_t dim = 0; dim < tensor.dim(); ++dim)
      if (dim != from) order.push_back(dim);
    order.insert(order.begin() + to, from);
    return tensor.permute(order);
  }

  std::int64_t level_;
  std::int64_t examples_;
};

/// The dimensions of the inputs' examples, from the front; −1: none.
std::vector<std::int64_t> dims_of(const std::vector<MappedDim>& in_dims, const std::vector<at::Tensor>& inputs) {
  std::vector<std::int64_t> dims;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const std::int64_t rank = inputs[i].dim();
    const MappedDim dim = in_dims.at(i);
    TORCH_CHECK_VALUE(!dim || (*dim >= -rank && *dim < rank), "vmap(body, in_dims=", *dim,
                      ", ...)(<inputs>): Got in_dim=", *dim,
                      " for some input, but that input is a Tensor of dimensionality ", rank,
                      " so expected in_dim to satisfy -", rank, " <= in_dim < ", rank, ".");
    dims.push_back(!dim ? -1 : *dim < 0 ? *dim + rank : *dim);
  }
  return dims;
}

std::int64_t examples_of(const std::vector<std::int64_t>& dims, const std::vector<at::Tensor>& inputs) {
  std::vector<std::int64_t> sizes;
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (dims[i] >= 0) sizes.push_back(inputs[i].size(dims[i]));
  TORCH_CHECK_VALUE(!sizes.empty(), "vmap: Expected at least one Tensor to vmap over");
  TORCH_CHECK_VALUE(std::ranges::all_of(sizes, [&](std::int64_t size) { return size == sizes.front(); }),
                    "vmap: Expected all tensors to have the same size in the mapped dimension, got sizes ",
                    at::IntArrayRef(sizes), " for the mapped dimension");
  return sizes.front();
}

}  // namespace

std::vector<at::Tensor> vmap(const std::function<std::vector<at::Tensor>(std::vector<at::Tensor>)>& body,
                             const Vmap& how, const std::vector<MappedDim>& out_dims,
                             const std::vector<at::Tensor>& inputs) {
  TORCH_CHECK_VALUE(!inputs.empty(),
                    "vmap(body)(<inputs>): got no inputs. Maybe you forgot to add inputs, or you are trying to vmap "
                    "over a function with no inputs. The latter is unsupported.");
  const std::vector<std::int64_t> dims = dims_of(how.in_dims, inputs);
  const Level level(examples_of(dims, inputs), how.randomness);
  std::vector<at::Tensor> parameters, results;
  for (std::size_t i = 0; i < inputs.size(); ++i)
    parameters.push_back(dims[i] < 0 ? inputs[i] : level.wrapped(inputs[i], dims[i]));
  const std::vector<at::Tensor> returned = body(parameters);
  for (std::size_t i = 0; i < returned.size(); ++i) results.push_back(level.unwrapped(returned[i], out_dims.at(i)));
  return results;
}

}  // namespace plumbline::libtorch
