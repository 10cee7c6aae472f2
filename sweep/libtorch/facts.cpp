// Reading the state of a tensor from its implementation.
#include "sweep/libtorch/facts.h"

#include <ATen/ATen.h>

#include <sstream>

#include "sweep/elements.h"
#include "sweep/libtorch/arguments.h"

namespace plumbline::sweep::libtorch {

namespace {

std::string layout_of(const at::Tensor& t) {
  std::ostringstream text;
  text << t.layout();
  return text.str();
}

/// Its elements in order. Nothing is called that could write.
std::string bytes(const at::Tensor& t) {
  if (!t.device().is_cpu() || t.layout() != c10::kStrided || !t.has_storage() || t.numel() == 0) return "";
  const c10::StorageImpl& storage = *t.storage().unsafeGetStorageImpl();
  if (storage.data() == nullptr) return "";
  const bool is_integral = c10::isIntegralType(t.scalar_type(), /*includeBool=*/true);
  return bytes_of({.sizes = t.sizes(),
                   .strides = t.strides(),
                   .offset = t.storage_offset(),
                   .item = static_cast<std::size_t>(t.element_size()),
                   .memory = {static_cast<const std::byte*>(storage.data()), storage.nbytes()},
                   .sign_of_real = t.is_neg() && !is_integral,
                   .is_negated = t.is_neg() && is_integral,
                   .sign_of_imaginary = t.is_complex() && t.is_conj() != t.is_neg(),
                   .is_complex = t.is_complex()});
}

}  // namespace

Facts Reader::read(const at::Tensor& t) {
  Facts f;
  f.defined = t.defined();
  if (!f.defined) return f;
  f.dtype = t.layout() == c10::kStrided ? name_of(t.scalar_type()) : name_of(t.scalar_type()) + ", " + layout_of(t);
  f.device = t.device().str();
  f.sizes = t.sizes().vec();
  if (t.layout() == c10::kStrided) {
    f.strides = t.strides().vec();
    f.offset = t.storage_offset();
  }
  f.bytes = bytes(t);
  if (t.has_storage())
    f.storage = storages_.try_emplace(t.storage().unsafeGetStorageImpl(), storages_.size()).first->second;
  f.inference = t.is_inference();
  f.version = f.inference ? -1 : t._version();
  f.requires_grad = t.requires_grad();
  f.has_grad_fn = !f.inference && t.grad_fn() != nullptr;
  f.is_view = !f.inference && t.is_view();
  if (f.is_view) f.base = made_as(t._base());
  for (const c10::DispatchKey key : t.key_set()) f.keys.emplace_back(c10::toString(key));
  return f;
}

std::vector<Facts> Reader::read(const std::vector<at::Tensor>& all) {
  std::vector<Facts> facts;
  for (const at::Tensor& t : all) facts.push_back(read(t));
  return facts;
}

std::int64_t Reader::made_as(const at::TensorBase& t) const {
  for (std::size_t i = 0; i < made_.size(); ++i)
    if (made_[i].is_same(t)) return static_cast<std::int64_t>(i);
  return -1;
}

void Reader::add_results(std::vector<Result>& results, const c10::IValue& value, std::size_t place) {
  const auto add = [&](const at::Tensor& t) { results.push_back({t.defined() ? made_as(t) : -1, "", read(t), place}); };
  if (value.isTensor()) return add(value.toTensor());
  if (value.isTensorList()) {
    for (const at::Tensor& t : value.toTensorVector()) add(t);
    return;
  }
  std::ostringstream text;
  if (value.isScalar() || value.isString() || value.isNone() || value.isDevice() || value.isIntList() ||
      value.isDoubleList() || value.isBoolList())
    text << value;
  else
    text << value.tagKind();  // its text could have an address
  results.push_back({-1, text.str(), {}, place});
}

}  // namespace plumbline::sweep::libtorch
