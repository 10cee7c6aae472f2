// Functionalizing a body, and functional tensors by themselves.
#include "optimized/functionalize/functionalize.h"

#include "optimized/autograd/meta.h"
#include "optimized/functionalize/body.h"
#include "optimized/tensor/error.h"

namespace plumbline::optimized {

std::vector<Tensor> functionalize(const std::function<std::vector<Tensor>(std::vector<Tensor>)>& body, Remove,
                                  const std::vector<Tensor>& inputs) {
  FunctionalizedBody run(inputs);
  std::vector<Tensor> parameters;
  for (const Tensor& input : inputs) parameters.push_back(run.functional(input));
  std::vector<Tensor> returned;
  {
    const IncludeKeys keys(KeySet(Functionality::Functionalize) | Functionality::FuncTorchDynamicLayerFrontMode);
    returned = body(std::move(parameters));
  }
  run.write_back();
  return run.results(returned);
}

void note_saved_functional(const Tensor& tensor) {
  if (FunctionalizedBody* const body = FunctionalizedBody::current()) body->note_saved(tensor);
}

bool in_functionalized_body() { return FunctionalizedBody::current() != nullptr; }

bool is_functional_here(const Tensor& tensor) {
  const FunctionalizedBody* const body = FunctionalizedBody::current();
  return body == nullptr ? is_functional_tensor(tensor) : body->is_functional_here(tensor);
}

Tensor to_functional_tensor(const Tensor& plain) {
  if (requires_grad(plain))
    raise_saying(ErrorClass::unclassified, "a functional tensor cannot be made of a tensor that requires grad");
  return functional_of(plain, Storage::make_borrowing(plain.storage()));
}

Tensor from_functional_tensor(const Tensor& functional) {
  if (!is_functional_tensor(functional)) raise_saying(ErrorClass::unclassified, "the tensor is not functional");
  const TensorImpl& source = functional.impl();
  Ref<Storage> held = functional.storage()->copied();
  Ref<TensorImpl> made =
      TensorImpl::make(std::move(held), source.dtype, source.keys - Functionality::Functionalize, source.dim());
  made->uncounted = source.uncounted;
  made->wrapped_number = source.wrapped_number;
  made->offset = source.offset;
  made->numel = source.numel;
  std::copy(source.sizes(), source.sizes() + source.dim(), made->sizes());
  std::copy(source.strides(), source.strides() + source.dim(), made->strides());
  return Tensor(std::move(made));
}

Tensor lift_fresh(Tensor fresh) {
  if (thread_state().included.has_any(Functionality::Functionalize))
    fresh.impl().keys = fresh.keys() | Functionality::Functionalize;
  belongs_to_body(fresh);
  return fresh;
}

}  // namespace plumbline::optimized
