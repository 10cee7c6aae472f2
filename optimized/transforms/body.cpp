// Bodies inside each other, and memory that gets examples.
#include "optimized/transforms/body.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "optimized/autograd/meta.h"
#include "optimized/autograd/variable.h"
#include "optimized/tensor/device_memory.h"
#include "optimized/tensor/error.h"
#include "optimized/transforms/batched.h"

namespace plumbline::optimized {

namespace {

constexpr std::uint8_t kMostBodies = 255;

thread_local constinit std::uint8_t running_bodies = 0;
thread_local constinit FunctionalBody* innermost_functional = nullptr;

[[noreturn]] void refuse(const char* what) {
  raise_saying(ErrorClass::unclassified, std::string(what) + " in a functionalized body is not supported");
}

Ref<Storage> repeated(const Storage& once, std::int64_t times) {
  Ref<Storage> all = Storage::make_on(once.device(), once.bytes() * static_cast<std::size_t>(times));
  for (std::int64_t i = 0; i < times && once.bytes() != 0; ++i)
    memory_of(once.device()).copy(all->data() + static_cast<std::size_t>(i) * once.bytes(), once.data(), once.bytes());
  all->bump_version(once.version());
  all->set_level(once.level());
  return all;
}

}  // namespace

RunningBody::RunningBody() : depth_(running_bodies) {
  if (depth_ == kMostBodies)
    raise_saying(ErrorClass::unclassified, "bodies of functionalize and grad are nested too deeply");
  running_bodies = ++depth_;
}
RunningBody::~RunningBody() { --running_bodies; }
std::uint8_t RunningBody::innermost() { return running_bodies; }

void belongs_to_body(const Tensor& fresh) {
  if (running_bodies != 0) fresh.storage()->set_level(running_bodies);
}
void belongs_to_body(const std::vector<Tensor>& fresh) {
  for (const Tensor& one : fresh) belongs_to_body(one);
}
void belongs_to_body(const std::tuple<Tensor, Tensor>& fresh) {
  belongs_to_body(std::get<0>(fresh));
  belongs_to_body(std::get<1>(fresh));
}
void leaves_body(const Tensor& result, std::uint8_t depth) {
  if (result.storage()->level() >= depth) result.storage()->set_level(static_cast<std::uint8_t>(depth - 1));
}

FunctionalBody::FunctionalBody()
    : around_(std::exchange(innermost_functional, this)), mapped_(static_cast<int>(mapped_levels().size())) {}
FunctionalBody::~FunctionalBody() { innermost_functional = around_; }
FunctionalBody* FunctionalBody::current() { return innermost_functional; }

std::vector<Tensor> seen_in_body(std::vector<Tensor> tensors) {
  FunctionalBody* const body = FunctionalBody::current();
  for (Tensor& tensor : tensors) {
    for (const FunctionalBody* any = body; any != nullptr; any = any->around()) any->see_examples(tensor);
    const Tensor* const seen = body == nullptr ? nullptr : body->stands_for(tensor);
    if (seen != nullptr) tensor = Tensor(*seen);
  }
  return tensors;
}

bool FunctionalBody::give_examples(const Tensor& written, const std::set<int>& levels) {
  const Tensor whole = innermost(written);
  if (*levels.rbegin() > mapped_ || behind(whole) != nullptr) return false;
  if (whole.storage()->level() < depth()) {
    if (around_ != nullptr && whole.storage()->level() >= around_->depth() && around_->behind(whole) == nullptr)
      refuse("memory of another functionalized body that gets examples");
    return false;
  }
  std::int64_t times = 1;
  for (const int level : levels) times *= mapped_levels().at(static_cast<std::size_t>(level) - 1).examples;
  const Ref<Storage>& once = whole.storage();
  repeated_[once.get()] = {once, repeated(*once, times), {levels.begin(), levels.end()}};
  see_examples(written);
  return true;
}

void FunctionalBody::see_examples(const Tensor& tensor) const {
  const auto found = repeated_.find(tensor.storage().get());
  if (found == repeated_.end()) return;
  const Repeated& memory = found->second;
  const Batched* const of = batched(tensor);
  if (of == nullptr) return batch(tensor, memory);
  if (of->level < memory.levels.back()) refuse("memory that gets examples of an inner level later");
  see_examples(of->value);
  tensor.impl().move_to(memory.all);
}

/// Makes a tensor batched that is not.
void FunctionalBody::batch(const Tensor& tensor, const Repeated& memory) const {
  TensorImpl& seen = tensor.impl();
  if (requires_grad(tensor)) refuse("memory with a history that gets examples");
  const auto bytes = static_cast<std::int64_t>(memory.once->bytes()), item = item_size(seen.dtype);
  if (bytes % item != 0) refuse("memory of odd length that gets examples");
  if (is_view(tensor)) see_examples(base_of(tensor));
  const std::size_t added = memory.levels.size();
  Ref<TensorImpl> whole = TensorImpl::make(memory.all, seen.dtype, seen.keys, seen.dim() + static_cast<int>(added));
  std::int64_t stride = bytes / item;
  for (std::size_t i = added; i-- > 0;) {
    const std::int64_t examples = mapped_levels().at(static_cast<std::size_t>(memory.levels[i]) - 1).examples;
    whole->sizes()[i] = examples;
    whole->strides()[i] = std::exchange(stride, stride * examples);
  }
  std::copy(seen.sizes(), seen.sizes() + seen.dim(), whole->sizes() + added);
  std::copy(seen.strides(), seen.strides() + seen.dim(), whole->strides() + added);
  whole->numel = seen.numel * (stride / std::max<std::int64_t>(bytes / item, 1));
  whole->offset = seen.offset;
  whole->wrapped_number = seen.wrapped_number;
  whole->uncounted = seen.uncounted;
  seen.move_to(memory.all);
  whole->share_counter(seen);
  whole->autograd = std::exchange(seen.autograd, nullptr);
  if (whole->autograd != nullptr && whole->autograd->is_view())
    whole->autograd->base = innermost(whole->autograd->base);
  Tensor value(std::move(whole));
  for (std::size_t i = 0; i + 1 < added; ++i) value = make_batched(value, 0, memory.levels[i]);
  become_batched(tensor, {value, 0, memory.levels.back()});
}

}  // namespace plumbline::optimized
