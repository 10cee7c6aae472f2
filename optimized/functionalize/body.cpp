// The tensors that replace the caller's in a functionalized body, and how their changes reach the caller's.
#include "optimized/functionalize/body.h"

#include <algorithm>

#include "optimized/autograd/node.h"
#include "optimized/functionalize/functionalize.h"
#include "optimized/tensor/error.h"

namespace plumbline::optimized {

namespace {

constexpr std::uint8_t kMostLevels = 255;

thread_local constinit FunctionalizedBody* current_body = nullptr;

void forget_view(TensorImpl& impl) {
  if (impl.autograd == nullptr) return;
  impl.autograd->base = {};
  impl.autograd->creation = CreationMeta::DEFAULT;
}

}  // namespace

Tensor functional_of(const Tensor& plain, Ref<Storage> storage) {
  if (requires_grad(plain))
    raise_saying(ErrorClass::unclassified, "a functionalized body cannot take a tensor that requires grad");
  const TensorImpl& source = plain.impl();
  Ref<TensorImpl> made =
      TensorImpl::make(std::move(storage), source.dtype, source.keys | Functionality::Functionalize, source.dim());
  made->take_layout(source);
  made->wrapped_number = source.wrapped_number;
  made->uncounted = source.uncounted;
  return Tensor(std::move(made));
}

FunctionalizedBody::FunctionalizedBody(const std::vector<Tensor>& inputs)
    : outer_(current_body), level_(outer_ == nullptr ? 1 : static_cast<std::uint8_t>(outer_->level_ + 1)) {
  if (level_ == kMostLevels) raise_saying(ErrorClass::unclassified, "functionalized bodies are nested too deeply");
  for (const Tensor& input : inputs) share(seen_outside(input));
  for (const Tensor& input : inputs) functional(input);
  current_body = this;
}

FunctionalizedBody::~FunctionalizedBody() { current_body = outer_; }

/// The caller's tensor, or its replacement if the caller is a body, too.
const Tensor& FunctionalizedBody::seen_outside(const Tensor& tensor) const {
  if (outer_ == nullptr || outer_->is_functional_here(tensor)) return tensor;
  const Tensor* const stands = outer_->stands_for(tensor);
  return stands != nullptr ? *stands : tensor;
}

FunctionalizedBody* FunctionalizedBody::current() { return current_body; }

std::size_t FunctionalizedBody::share(const Tensor& tensor) {
  const Ref<Storage>& plain = tensor.storage();
  if (const std::size_t* found = by_plain_storage_.find(plain.get())) return *found;
  const std::size_t place = shared_.size();
  shared_.push_back({plain, Storage::make_borrowing(plain), plain->version()});
  // What the outer body captured may not be written here either.
  if (outer_ == nullptr || outer_->is_functional_here(tensor)) shared_.back().functional->set_level(level_);
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
  const Tensor made = functional_of(plain, shared_[share(plain)].functional);
  if (const AutogradMeta* meta = plain.impl().autograd; meta != nullptr && meta->is_view()) {
    // A base that got another storage since does not concern the body.
    const Tensor base = meta->base.storage() == plain.storage() ? functional(meta->base) : meta->base;
    AutogradMeta& own = meta_of(made.impl());
    own.base = base;
    own.creation = meta->creation;
    own.recorded_at = meta->recorded_at;
  }
  count_as(plain, made);
  by_plain_.add(plain.get(), pairs_.size() - 1);
  by_functional_.add(made.get(), pairs_.size() - 1);
  return pairs_.back().functional;
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
    if (from.storage() == shared_[*by_plain_storage_.find(to.storage().get())].functional) continue;
    // set_ gave it another storage.
    const std::size_t* given = by_functional_storage_.find(from.storage().get());
    to.set_storage(given != nullptr ? shared_[*given].plain : from.storage());
  }
}

std::vector<Tensor> FunctionalizedBody::results(const std::vector<Tensor>& returned) {
  std::vector<Tensor> all;
  for (const Tensor& tensor : returned) all.push_back(result(tensor));
  if (made_.empty()) return all;
  if (outer_ != nullptr)  // only now: until then the level tells what was made here
    for (const TensorImpl* made : made_) made->storage()->set_level(outer_->level_);
  // The owner of the memory; null: there are several.
  std::unordered_map<const Storage*, const TensorImpl*> owners;
  const auto add = [&](const Tensor& tensor) {
    const auto [owner, is_first] = owners.try_emplace(tensor.storage().get(), tensor.get());
    if (!is_first && owner->second != tensor.get()) owner->second = nullptr;
  };
  for (const Tensor& tensor : all) add(tensor);
  for (const Pair& pair : pairs_) add(pair.plain);
  std::ranges::sort(made_);
  for (const Tensor& tensor : all)
    if (std::ranges::binary_search(made_, tensor.get()) && owners.at(tensor.storage().get()) != nullptr)
      forget_view(tensor.impl());
  return all;
}

Tensor FunctionalizedBody::result(const Tensor& returned) {
  if (const std::size_t* found = by_functional_.find(returned.get())) return pairs_[*found].plain;
  if (is_functional_here(returned) || is_of_captured(returned)) make_plain(returned);
  return returned;
}

bool FunctionalizedBody::is_of_captured(const Tensor& tensor) const {
  return outer_ != nullptr && tensor.storage()->level() != level_ &&
         by_functional_storage_.find(tensor.storage().get()) != nullptr;
}

void FunctionalizedBody::make_plain(const Tensor& functional) {
  TensorImpl& impl = functional.impl();
  const bool captured = is_of_captured(functional);
  if (outer_ == nullptr || captured) impl.keys = impl.keys - Functionality::Functionalize;
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
