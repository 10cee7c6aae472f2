// Translating each move into statements.
#include "prove/script_of.h"

#include <fmt/format.h>

#include <map>
#include <stdexcept>

#include "spec/ops/op_ids.h"

namespace plumbline::prove {

namespace {

using proofs::Act;

constexpr std::int64_t kOne = 1;

class Writer {
 public:
  explicit Writer(const reference::Judge& judge) : judge_(judge), heap_(proofs::first_heap(judge)) {}

  void act(const Act& act) {
    const proofs::Machine<Concrete> after = proofs::act_on(judge_, heap_, act);
    const std::string_view move = moves_.at(static_cast<std::size_t>(act.move)).name;
    const bool raises = !after.ok().v;
    if (raises) put(Try{});
    made_ = static_cast<Slot>(proofs::tensors_in(heap_));
    statement(move, act);
    result_.places.push_back(result_.script.statements.size() - 1);
    if (raises) put(EndTry{});
    if (!raises && (move == "mul" || move == "div")) saved_by_[act.x] = saved_by_[act.y] = made_;
    if (!raises && move == "mul_") saved_by_[act.y] = static_cast<Slot>(act.x);
    heap_ = after.heap;
  }

  ActScript finish() {
    result_.closed = static_cast<std::size_t>(heap_.depth.v);
    for (std::size_t i = 0; i < result_.closed; ++i) put(Exit{});
    for (int i = 0; i < proofs::tensors_in(heap_); ++i) result_.script.names.push_back(fmt::format("t{}", i));
    for (int i = 0; i < sums_; ++i) result_.script.names.push_back(fmt::format("s{}", i));
    return std::move(result_);
  }

 private:
  void put(StatementKind kind) { result_.script.statements.push_back({std::move(kind), 0}); }
  void call(OpId op, std::vector<Value> arguments, bool makes) {
    put(Call{op, std::move(arguments), makes ? std::vector<Slot>{made_} : std::vector<Slot>{}});
  }

  void statement(std::string_view move, const Act& act) {
    if (move == "raw-write") throw std::invalid_argument("a kernel that writes through a pointer");
    const auto x = static_cast<Slot>(act.x);
    const auto y = static_cast<Slot>(act.y);
    const auto z = static_cast<Slot>(act.z);
    if (move == "factory") return put(MakeTensor{made_, Dtype::float32, {1, 1}, {1.0}, act.asked});
    if (move == "add") return call(OpId::add_Tensor, {x, y, kOne}, true);
    if (move == "mul") return call(OpId::mul_Tensor, {x, y}, true);
    if (move == "div") return call(OpId::div_Tensor, {x, y}, true);
    if (move == "clone") return call(OpId::clone, {x, None{}}, true);
    if (move == "view") return call(OpId::view, {x, std::vector<std::int64_t>{1, 1}}, true);
    if (move == "split") return call(OpId::split_Tensor, {x, kOne, std::int64_t{0}}, true);
    if (move == "view-dtype") return call(OpId::view_dtype, {x, Dtype::float32}, true);
    if (move == "detach") return call(OpId::detach, {x}, true);
    if (move == "add_") return call(OpId::add__Tensor, {x, y, kOne}, false);
    if (move == "mul_") return call(OpId::mul__Tensor, {x, y}, false);
    if (move == "transpose_")
      return call(OpId::transpose_, {x, std::int64_t{0}, std::int64_t{act.raises ? 7 : 1}}, false);
    if (move == "resize_") return call(OpId::resize_, {x, std::vector<std::int64_t>{2, 1}, None{}}, false);
    if (move == "out" && !act.asked) return call(OpId::gt_Tensor_out, {x, y, z}, false);
    if (move == "out") return call(OpId::add_out, {x, y, kOne, z}, false);
    if (move == "detach_") return call(OpId::detach_, {x}, false);
    if (move == "requires_grad") return put(SetRequiresGrad{x, act.asked});
    if (move == "grad_fn") return put(Read{x, Field::grad_fn});
    if (move == "backward") return backward(act.x);
    if (move == "data") return put(GetData{made_, x});
    if (move == "set-data") return put(SetData{x, y});
    if (move == "set_") return call(OpId::set__source_Tensor, {x, y}, false);
    guard(move, act.asked);
  }

  /// A backward from the sum of the results that saved it.
  void backward(int x) {
    const auto saver = saved_by_.find(x);
    if (saver == saved_by_.end()) throw std::invalid_argument(fmt::format("no result is left of what saved t{}", x));
    const auto sum = static_cast<Slot>(proofs::tensors_in(heap_) + sums_++);
    put(Call{OpId::sum, {saver->second, None{}}, {sum}});
    put(Backward{sum, std::nullopt, true});
  }

  void guard(std::string_view move, bool value) {
    if (move == "leave") return put(Exit{});
    if (move == "inference_mode") return put(Enter{GuardKind::inference_mode, value});
    if (move == "set_grad_enabled") return put(Enter{GuardKind::set_grad_enabled, value});
    if (move == "below-autograd") return put(Enter{GuardKind::below_autograd});
    if (move == "below-ad-inplace-or-view") return put(Enter{GuardKind::below_ad_inplace_or_view});
    if (move == "auto-non-variable-type-mode") return put(Enter{GuardKind::auto_non_variable_type_mode});
    const std::string key = move.ends_with("autograd") ? "AutogradCPU" : "ADInplaceOrView";
    if (move.starts_with("exclude")) return put(Enter{GuardKind::exclude_key, true, key});
    if (move.starts_with("include")) return put(Enter{GuardKind::include_key, true, key});
    throw std::logic_error(fmt::format("the move {} has no statement", move));
  }

  const reference::Judge& judge_;
  std::vector<proofs::Move<Concrete>> moves_ = proofs::moves<Concrete>();
  proofs::Heap<Concrete> heap_;
  ActScript result_;
  Slot made_{};
  std::map<int, Slot> saved_by_;
  int sums_ = 0;
};

}  // namespace

ActScript script_of(std::span<const proofs::Act> acts, const reference::Judge& judge) {
  Writer writer(judge);
  for (const Act& act : acts) writer.act(act);
  return writer.finish();
}

}  // namespace plumbline::prove
