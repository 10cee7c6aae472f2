// Ops that a backend has no kernel for: they run on the CPU.
#include "optimized/ops/cpu_fallback.h"

#include <algorithm>
#include <array>
#include <mutex>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "optimized/ops/boxed.h"
#include "optimized/ops/kernels.h"
#include "optimized/tensor/device_memory.h"
#include "optimized/tensor/warning.h"

namespace plumbline::optimized {

namespace {

constexpr std::array kMoving{OpId::copy_, OpId::_to_copy, OpId::clone};

/// How often each operator fell back.
class Done {
 public:
  /// Whether it is the first time.
  bool add(const std::string& op) {
    const std::scoped_lock lock(mutex_);
    return ++times_[op] == 1;
  }
  std::map<std::string, std::uint64_t> times() {
    const std::scoped_lock lock(mutex_);
    return times_;
  }
  void forget() {
    const std::scoped_lock lock(mutex_);
    times_.clear();
  }

 private:
  std::mutex mutex_;
  std::map<std::string, std::uint64_t> times_;
};
Done& done() {
  static Done all;
  return all;
}

/// What the table says of an operator; null for one that it does not have.
const Op* described(const Operator& op) {
  constexpr std::string_view kSpace = "aten::";
  const std::string_view name = op.name();
  if (!name.starts_with(kSpace)) return nullptr;
  const std::string_view own = name.substr(kSpace.size());
  const std::size_t dot = own.find('.');
  const auto found = find_op(own.substr(0, dot), dot == std::string_view::npos ? "" : own.substr(dot + 1));
  return found ? &plumbline::op(*found) : nullptr;
}

/// The same keys on another device.
KeySet moved_to(KeySet keys, Backend from, Backend to) {
  const KeySet own = KeySet(from) | autocast_on(from);
  const bool autocast = keys.has_any(autocast_on(from));
  return KeySet(keys.word() & ~own.word()) | KeySet(to) | (autocast ? autocast_on(to) : KeySet());
}

/// One call whose tensors are on a device, run on the CPU.
class OnTheCpu {
 public:
  OnTheCpu(const Operator& op, Backend device, Stack& stack)
      : op_(op), known_(described(op)), target_(device), stack_(stack) {}

  void run(Frame& frame) {
    for (std::size_t i = 0; i < stack_.size(); ++i) lend_argument(i);
    op_.redispatch(KeySet(Functionality::Dense) | KeySet(Backend::CPU), frame);
    for (Lent& one : lent_)
      if (one.written && one.cpu->bytes() > one.own->bytes()) one.own->grow(one.cpu->bytes());
    for (const Lent& one : lent_)
      if (one.written) write_back(*one.own, *one.cpu);
    for (const StandIn& one : stand_ins_) take_layout(one);
    for (Boxed& result : stack_) {
      if (auto* tensor = std::get_if<Tensor>(&result)) take(*tensor);
      if (auto* list = std::get_if<std::vector<Tensor>>(&result))
        for (Tensor& tensor : *list) take(tensor);
    }
  }

 private:
  struct Lent {
    Ref<Storage> own;  ///< on the device
    Ref<Storage> cpu;
    bool written = false;
  };
  struct StandIn {
    Tensor own;
    Tensor cpu;
    Ref<Storage> storage;  ///< that `cpu` began with
  };

  void lend_argument(std::size_t place) {
    Boxed& value = stack_[place];
    const Argument* const argument =
        known_ != nullptr && place < known_->arguments.size() ? &known_->arguments[place] : nullptr;
    if (argument != nullptr && argument->type == ArgType::Device && std::holds_alternative<Scalar>(value)) {
      if (const auto asked = device_numbered(std::get<Scalar>(value).integer())) target_ = *asked;
      value = Scalar(device_number(Backend::CPU));
    }
    const bool written = known_ == nullptr || (argument != nullptr && argument->mutates);
    if (auto* tensor = std::get_if<Tensor>(&value)) lend(*tensor, written);
    if (auto* list = std::get_if<std::vector<Tensor>>(&value))
      for (Tensor& tensor : *list) lend(tensor, written);
  }

  /// Replaces the tensor by one of the CPU.
  void lend(Tensor& tensor, bool written) {
    if (!tensor.defined() || tensor.device() == Backend::CPU) return;
    const Ref<Storage> cpu = lend(tensor.storage(), written);
    const auto before = std::ranges::find(stand_ins_, tensor.get(), [](const StandIn& one) { return one.own.get(); });
    if (before != stand_ins_.end()) {
      tensor = before->cpu;
      return;
    }
    const TensorImpl& source = tensor.impl();
    Ref<TensorImpl> made =
        TensorImpl::make(cpu, source.dtype, moved_to(source.keys, tensor.device(), Backend::CPU), source.dim());
    made->wrapped_number = source.wrapped_number;
    made->uncounted = source.uncounted;
    made->take_layout(source);
    Tensor stand_in(std::move(made));
    stand_ins_.push_back({tensor, stand_in, cpu});
    tensor = std::move(stand_in);
  }
  Ref<Storage> lend(const Ref<Storage>& own, bool written) {
    const auto before = std::ranges::find(lent_, own, &Lent::own);
    if (before != lent_.end()) {
      before->written = before->written || written;
      return before->cpu;
    }
    Ref<Storage> cpu = Storage::make(own->bytes());
    if (own->bytes() != 0) memory_of(own->device()).copy_to_cpu(cpu->data(), own->data(), own->bytes());
    lent_.push_back({own, cpu, written});
    return cpu;
  }

  static void write_back(const Storage& own, const Storage& cpu) {
    if (cpu.bytes() != 0) memory_of(own.device()).copy_from_cpu(own.data(), cpu.data(), cpu.bytes());
  }
  /// What a storage of the CPU is on the target; it is made if the CPU's kernel made it.
  Ref<Storage> own_of(const Ref<Storage>& cpu) {
    const auto before = std::ranges::find(lent_, cpu, &Lent::cpu);
    if (before != lent_.end()) return before->own;
    Ref<Storage> own = Storage::make_on(target_, cpu->bytes());
    write_back(*own, *cpu);
    lent_.push_back({own, cpu});
    return own;
  }

  /// Ops such as resize_, set_ and transpose_ change the layout of a tensor, or its storage.
  void take_layout(const StandIn& one) {
    TensorImpl& own = one.own.impl();
    own.take_layout(one.cpu.impl());
    if (one.cpu.storage() != one.storage) own.set_storage(own_of(one.cpu.storage()));
  }

  void take(Tensor& result) {
    if (!result.defined()) return;
    const auto stand_in = std::ranges::find(stand_ins_, result.get(), [](const StandIn& one) { return one.cpu.get(); });
    if (stand_in != stand_ins_.end()) {
      result = stand_in->own;
      return;
    }
    TensorImpl& impl = result.impl();
    if (target_ == Backend::CPU || result.device() != Backend::CPU) return;
    impl.keys = moved_to(impl.keys, Backend::CPU, target_);
    impl.move_to(own_of(impl.storage()));
  }

  const Operator& op_;
  const Op* known_;
  Backend target_;  ///< where new results go
  Stack& stack_;
  std::vector<Lent> lent_;
  std::vector<StandIn> stand_ins_;
};

void fall_back(void*, const Operator& op, KeySet keys, Frame& frame) {
  const auto device = static_cast<Backend>(keys.backend());
  if (done().add(op.name()))
    warn("The operator '" + op.name() + "' is not currently supported on the " +
         std::string(kBackendNames.at(static_cast<std::size_t>(device))) +
         " backend and will fall back to run on the CPU. This may have performance implications.");
  OnTheCpu(op, device, *static_cast<Stack*>(frame.arguments)).run(frame);
}

}  // namespace

Kernel cpu_fallback_kernel() { return {fall_back, nullptr, nullptr}; }

bool may_fall_back(OpId op) {
  return std::ranges::find(all_that_may_fall_back(), op) != all_that_may_fall_back().end();
}

std::span<const OpId> all_that_may_fall_back() {
  static const std::vector<OpId> all = [] {
    std::set<OpId> found;
    for (const auto kernels : dense_kernels())
      for (const OpKernel& one : kernels)
        if (!plumbline::op(one.op).composite && std::ranges::find(kMoving, one.op) == kMoving.end())
          found.insert(one.op);
    return std::vector<OpId>(found.begin(), found.end());
  }();
  return all;
}

std::map<std::string, std::uint64_t> fallbacks_done() { return done().times(); }
void forget_fallbacks() { done().forget(); }

}  // namespace plumbline::optimized
