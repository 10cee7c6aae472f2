// The tensors that replace the caller's in a functionalized body, and how their changes reach the caller's.
#include "optimized/functionalize/body.h"

#include <algorithm>

#include "optimized/autograd/history.h"
#include "optimized/autograd/node.h"
#include "optimized/autograd/parameter.h"
#include "optimized/autograd/variable.h"
#include "optimized/functionalize/functionalize.h"
#include "optimized/tensor/error.h"
#include "optimized/transforms/batched.h"

namespace plumbline::optimized {

namespace {

void forget_view(TensorImpl& impl) {
  if (impl.autograd == nullptr) return;
  impl.autograd->base = {};
  impl.autograd->creation = CreationMeta::DEFAULT;
}

}  // namespace

Tensor functional_of(const Tensor& plain, Ref<Storage> storage) {
  const TensorImpl& source = plain.impl();
  Ref<TensorImpl> made =
      TensorImpl::make(std::move(storage), source.dtype, source.keys | Functionality::Functionalize, source.dim());
  made->take_layout(source);
  made->wrapped_number = source.wrapped_number;
  made->uncounted = source.uncounted;
  return Tensor(std::move(made));
}

FunctionalizedBody::FunctionalizedBody(const std::vector<Tensor>& inputs) {
  for (const Tensor& input : inputs) share(seen_outside(input));
  for (const Tensor& input : inputs) functional(input);
}

/// The caller's tensor, or its replacement if the caller is a body, too.
const Tensor& FunctionalizedBody::seen_outside(const Tensor& tensor) const {
  if (outer() == nullptr || outer()->is_functional_here(tensor)) return tensor;
  const Tensor* const stands = outer()->stands_for(tensor);
  return stands != nullptr ? *stands : tensor;
}

std::size_t FunctionalizedBody::share(const Tensor& tensor) {
  const Ref<Storage>& plain = tensor.storage();
  if (const std::size_t* found = by_plain_storage_.find(plain.get())) return *found;
  const std::size_t place = shared_.size();
  shared_.push_back({plain, Storage::make_borrowing(plain), plain->version()});
  // What the outer body captured may not be written here either.
  if (outer() == nullptr || outer()->is_functional_here(tensor)) shared_.back().functional->set_level(depth());
  by_plain_storage_.add(plain.get(), place);
  by_functional_storage_.add(shared_.back().functional.get(), place);
  return place;
}

const Tensor* FunctionalizedBody::stands_for(const Tensor& tensor) {
  const Tensor& plain = seen_outside(tensor);
  const Tensor* const found = stands_for_outer(plain);
  return found != nullptr || plain.is_same(tensor) ? found : &plain;
}

const Tensor* FunctionalizedBody::stands_for_outer(const Tensor& plain) {
  if (const std::size_t* found = by_plain_.find(plain.get())) return &pairs_[*found].functional;
  return by_plain_storage_.find(plain.storage().get()) != nullptr ? &functional(plain) : nullptr;
}

const Tensor& FunctionalizedBody::functional(const Tensor& tensor) {
  const Tensor& plain = seen_outside(tensor);
  if (const std::size_t* found = by_plain_.find(plain.get())) return pairs_[*found].functional;
  const Tensor made = replacement(plain);
  if (batched(plain) == nullptr)
    count_as(plain, made);
  else
    pairs_.push_back({plain, made, 0});
  by_plain_.add(plain.get(), pairs_.size() - 1);
  by_functional_.add(made.get(), pairs_.size() - 1);
  if (batched(plain) == nullptr && requires_grad(plain)) lead_to(made, plain);
  return pairs_.back().functional;
}

Tensor FunctionalizedBody::replacement(const Tensor& plain) {
  if (const Batched* of = batched(plain)) return make_batched(functional(of->value), of->dim, of->level);
  Tensor made = functional_of(plain, shared_[share(plain)].functional);
  if (const AutogradMeta* meta = plain.impl().autograd; meta != nullptr && meta->is_view()) {
    // A base that got another storage since does not concern the body.
    const Tensor base = meta->base.storage() == plain.storage() ? functional(meta->base) : meta->base;
    AutogradMeta& own = meta_of(made.impl());
    own.base = base;
    own.creation = meta->creation;
    own.recorded_at = meta->recorded_at;
  }
  return made;
}

const Tensor* FunctionalizedBody::behind(const Tensor& functional) const {
  if (const std::size_t* found = by_functional_.find(functional.get())) return &pairs_[*found].plain;
  if (by_functional_storage_.find(functional.storage().get()) == nullptr) return nullptr;
  if (is_view(functional))
    if (const std::size_t* found = by_functional_.find(base_of(functional).get())) return &pairs_[*found].plain;
  for (const Pair& pair : pairs_)
    if (pair.functional.storage() == functional.storage()) return &pair.plain;
  return nullptr;
}

/// Tensors that share a version counter outside share one in the body.
void FunctionalizedBody::count_as(const Tensor& plain, const Tensor& functional) {
  pairs_.push_back({plain, functional, plain.impl().version()});
  if (plain.impl().counts_with_storage() || plain.impl().uncounted) return;
  TensorImpl& impl = functional.impl();
  for (const std::size_t before : counting_)
    if (pairs_[before].plain.impl().counts_with(plain.impl()))
      return impl.share_counter(pairs_[before].functional.impl());
  impl.own_counter();
  if (const std::uint64_t version = pairs_.back().version; version != 0) impl.bump_version(version);
  counting_.push_back(pairs_.size() - 1);
}

void FunctionalizedBody::write_back() {
  for (const Shared& one : shared_) one.plain->grow(one.functional->bytes());
  for (const Shared& one : shared_) {
    if (!one.functional->is_borrowed()) one.plain->own();
    if (!one.functional->is_borrowed()) one.plain->copy_from(*one.functional);
    one.plain->bump_version(one.functional->version() - one.version);
  }
  for (const std::size_t i : counting_) {
    const Pair& pair = pairs_[i];
    pair.plain.impl().bump_version(pair.functional.impl().version() - pair.version);
  }
  for (const Pair& pair : pairs_) {
    const TensorImpl& from = pair.functional.impl();
    TensorImpl& to = pair.plain.impl();
    to.take_layout(from);
    if (batched(pair.plain) != nullptr) continue;
    if (requires_grad(pair.plain) && !requires_grad(pair.functional)) drop_history(pair.plain);
    give_history_back(pair.functional, pair.plain);
    if (from.storage() == shared_[*by_plain_storage_.find(to.storage().get())].functional) continue;
    // set_ gave it another storage.
    const std::size_t* given = by_functional_storage_.find(from.storage().get());
    to.set_storage(given != nullptr ? shared_[*given].plain : from.storage());
  }
}

std::vector<Tensor> FunctionalizedBody::results(const std::vector<Tensor>& returned) {
  std::vector<Tensor> all;
  for (const Tensor& tensor : returned) {
    if (gave_examples()) see_examples(tensor);
    all.push_back(result(tensor));
  }
  for (const Tensor& tensor : saved_) make_plain(tensor);
  if (made_.empty()) return all;
  for (const TensorImpl* made : made_)  // only now: until then the level tells what was made here
    if (made->storage()->level() >= depth()) made->storage()->set_level(static_cast<std::uint8_t>(depth() - 1));
  // The owner of the memory; null: there are several.
  std::unordered_map<const Storage*, const TensorImpl*> owners;
  const auto add = [&](const Tensor& tensor) {
    const auto [owner, is_first] = owners.try_emplace(tensor.storage().get(), tensor.get());
    if (!is_first && owner->second != tensor.get()) owner->second = nullptr;
  };
  for (const Tensor& tensor : all) add(innermost(tensor));
  for (const Pair& pair : pairs_)
    if (batched(pair.plain) == nullptr) add(pair.plain);
  std::ranges::sort(made_);
  for (const Tensor& tensor : all) {
    const Tensor whole = innermost(tensor);
    if (std::ranges::binary_search(made_, whole.get()) && owners.at(whole.storage().get()) != nullptr)
      forget_view(whole.impl());
  }
  return all;
}

Tensor FunctionalizedBody::result(const Tensor& returned) {
  if (const std::size_t* found = by_functional_.find(returned.get())) return pairs_[*found].plain;
  if (batched(returned) != nullptr) return batched_result(returned);
  if (is_functional_here(returned) || is_of_captured(returned)) make_plain(returned);
  return returned;
}

Tensor FunctionalizedBody::batched_result(const Tensor& returned) {
  const Batched of = *batched(returned);
  const Tensor value = result(of.value);
  if (!value.is_same(of.value)) return make_batched(value, of.dim, of.level);
  TensorImpl& impl = returned.impl();
  impl.keys = of.value.keys() | Functionality::FuncTorchBatched;
  impl.move_to(of.value.storage());
  return returned;
}

bool FunctionalizedBody::is_of_captured(const Tensor& tensor) const {
  return outer() != nullptr && tensor.storage()->level() < depth() &&
         by_functional_storage_.find(tensor.storage().get()) != nullptr;
}

void FunctionalizedBody::make_plain(const Tensor& functional) {
  TensorImpl& impl = functional.impl();
  const bool captured = is_of_captured(functional);
  if (outer() == nullptr || captured) impl.keys = impl.keys - Functionality::Functionalize;
  if (!captured) made_.push_back(&impl);
  if (const std::size_t* shared = by_functional_storage_.find(impl.storage().get()))
    impl.move_to(shared_[*shared].plain);
  for (const std::size_t i : counting_)
    if (impl.counts_with(pairs_[i].functional.impl())) impl.share_counter(pairs_[i].plain.impl());
  if (impl.autograd == nullptr || !impl.autograd->is_view()) return;
  impl.autograd->base = result(impl.autograd->base);
  if (!impl.uncounted) impl.share_counter(impl.autograd->base.impl());
}

}  // namespace plumbline::optimized
