// The level of a mapped body: what its parameters are, and what the caller gets of its results.
#include "optimized/transforms/vmap.h"

#include <algorithm>
#include <string>

#include "optimized/cpu/checks.h"
#include "optimized/dispatcher/thread_state.h"
#include "optimized/ops.h"
#include "optimized/tensor/error.h"
#include "optimized/transforms/batched.h"
#include "optimized/transforms/body.h"

namespace plumbline::optimized {

namespace {

constexpr const char* kValueError = "ValueError";

/// While it lives, the thread's calls are mapped.
class Level : IncludeKeys {
 public:
  Level(std::int64_t examples, Randomness randomness) : IncludeKeys(Functionality::FuncTorchBatched) {
    mapped_levels().push_back({examples, randomness});
    number_ = static_cast<int>(mapped_levels().size());
  }
  ~Level() { mapped_levels().pop_back(); }
  Level(const Level&) = delete;
  Level& operator=(const Level&) = delete;

  int number() const { return number_; }

 private:
  int number_ = 0;
};

std::string message(ErrorClass error, std::initializer_list<std::string> parts) { return error_message(error, parts); }

/// The dimensions of the inputs' examples, from the front; −1: none.
std::vector<int> dims_of(const std::vector<MappedDim>& in_dims, const std::vector<Tensor>& inputs) {
  std::vector<int> dims;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const int rank = inputs[i].dim();
    const MappedDim dim = in_dims.at(i);
    const std::string number = std::to_string(rank);
    if (dim && (*dim < -rank || *dim >= rank))
      raise_saying(ErrorClass::mapped_dim,
                   message(ErrorClass::mapped_dim, {"body", "…", std::to_string(*dim), number, number, number}),
                   kValueError);
    dims.push_back(!dim ? -1 : static_cast<int>(*dim < 0 ? *dim + rank : *dim));
  }
  return dims;
}

std::int64_t examples_of(const std::vector<int>& dims, const std::vector<Tensor>& inputs) {
  std::vector<std::int64_t> sizes;
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (dims[i] >= 0) sizes.push_back(inputs[i].size(dims[i]));
  if (sizes.empty()) raise_saying(ErrorClass::mapped_nothing, message(ErrorClass::mapped_nothing, {}), kValueError);
  const bool differ = std::ranges::any_of(sizes, [&](std::int64_t size) { return size != sizes.front(); });
  if (!differ) return sizes.front();
  raise_saying(ErrorClass::mapped_sizes, message(ErrorClass::mapped_sizes, {printed(sizes)}), kValueError);
}

Tensor repeated(const Tensor& tensor, std::int64_t examples, std::int64_t out_dim) {
  const int wanted = wrapped_dim(out_dim, tensor.dim() + 1);
  std::vector<std::int64_t> sizes(tensor.sizes().begin(), tensor.sizes().end());
  sizes.insert(sizes.begin() + wanted, examples);
  return expand(wanted == 0 ? tensor : unsqueeze(tensor, wanted), sizes);
}

Tensor result(const Tensor& returned, MappedDim out_dim, std::int64_t examples, int level) {
  const Batched* of = batched(returned);
  const bool has_examples = of != nullptr && of->level == level;
  if (out_dim && has_examples) return with_dim_moved(of->value, of->dim, wrapped_dim(*out_dim, of->value.dim()));
  if (out_dim) return repeated(returned, examples, *out_dim);
  if (has_examples)
    raise_saying(ErrorClass::mapped_none, message(ErrorClass::mapped_none, {"body", "body"}), kValueError);
  return returned;
}

}  // namespace

std::vector<Tensor> vmap(const std::function<std::vector<Tensor>(std::vector<Tensor>)>& body, const Vmap& how,
                         const std::vector<MappedDim>& out_dims, const std::vector<Tensor>& given) {
  const std::vector<Tensor> inputs = seen_in_body(given);
  const std::vector<int> dims = dims_of(how.in_dims, inputs);
  const std::int64_t examples = examples_of(dims, inputs);
  const Level level(examples, how.randomness);
  std::vector<Tensor> parameters, results;
  for (std::size_t i = 0; i < inputs.size(); ++i)
    parameters.push_back(dims[i] < 0 ? inputs[i] : make_batched(inputs[i], dims[i], level.number()));
  const std::vector<Tensor> returned = body(std::move(parameters));
  for (std::size_t i = 0; i < returned.size(); ++i)
    results.push_back(result(returned[i], out_dims.at(i), examples, level.number()));
  return results;
}

}  // namespace plumbline::optimized
