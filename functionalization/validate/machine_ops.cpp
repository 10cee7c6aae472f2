// Calls on terms: ops that compute. Pointwise ops are applied element by element; for other ops, each element of the
// result depends on the whole operands.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "functionalization/validate/machine.h"
#include "functionalization/validate/text.h"
#include "reference/kernels.h"
#include "reference/pointwise.h"
#include "reference/raise.h"
#include "spec/ops/op_ids.h"
#include "spec/vocabulary/call_slots.h"

namespace plumbline::validate {

using namespace reference;

namespace {

/// "add" for "add", "add_" and "add.out".
std::string_view base_name(const Op& op) {
  return op.kind == OpKind::Inplace ? op.name.substr(0, op.name.size() - 1) : op.name;
}

constexpr std::array<std::string_view, 15> kPointwise{"add",  "sub", "mul",  "div",         "neg",
                                                      "relu", "exp", "tanh", "sqrt",        "where",
                                                      "gt",   "ge",  "eq",   "masked_fill", "_to_copy"};
/// Operands of one dtype give a result of that dtype.
constexpr std::size_t kFast = 9;

/// What an op's name tells.
struct Known {
  bool pointwise = false;
  bool fast = false;
  bool ints = false;      ///< has the fast path for integers too
  bool binary = false;    ///< in-place, with a tensor or a number
  bool converts = false;  ///< only converts the dtype
};
const Known& known(OpId id) {
  static const std::vector<Known> all = [] {
    std::vector<Known> made;
    for (const Op& one : op_table()) {
      const auto found = std::ranges::find(kPointwise, base_name(one));
      const auto place = static_cast<std::size_t>(found - kPointwise.begin());
      made.push_back({found != kPointwise.end(), place < kFast, place < 3 || place == 4,
                      one.kind == OpKind::Inplace && place < 4, base_name(one) == "_to_copy"});
    }
    return made;
  }();
  return all[static_cast<std::size_t>(id)];
}

bool is_number(const Value& value) {
  return std::holds_alternative<std::int64_t>(value) || std::holds_alternative<double>(value) ||
         std::holds_alternative<bool>(value);
}

constexpr const char* kOrder = "a write whose result depends on the order of its elements";

bool has_true(const std::vector<bool>& all) { return std::ranges::find(all, true) != all.end(); }

}  // namespace

Machine::Column Machine::column(const Value& argument, const Sizes& sizes) const {
  Column all;
  if (const auto* slot = std::get_if<Slot>(&argument)) {
    const Tensor& one = tensor(*slot);
    const bool whole = has_sizes(one.geometry, sizes);
    if (whole && run_in_memory(one)) {
      all.first = memory_[static_cast<std::size_t>(one.storage)].data() + one.geometry.offset.v;
      return all;
    }
    Tensor seen;
    seen.geometry = whole ? one.geometry : broadcast_to(one.geometry, sizes);
    seen.dtype = one.dtype;
    seen.storage = one.storage;
    all.made = elements(seen);
  } else {
    all.step = 0;
    if (const auto* real = std::get_if<double>(&argument))
      all.made.push_back(terms_.number(*real, Dtype::float64));
    else if (const auto* truth = std::get_if<bool>(&argument))
      all.made.push_back(terms_.number(*truth ? 1 : 0, Dtype::boolean));
    else
      all.made.push_back(terms_.number(static_cast<double>(std::get<std::int64_t>(argument)), Dtype::int64));
  }
  all.first = all.made.data();
  return all;
}

std::vector<Term> Machine::spread(const Value& argument, const Sizes& sizes) const {
  Column all = column(argument, sizes);
  const auto count = static_cast<std::size_t>(element_count(sizes));
  if (all.step == 0) return std::vector<Term>(count, *all.first);
  return all.made.empty() ? std::vector<Term>(all.first, all.first + count) : std::move(all.made);
}

std::uint32_t Machine::symbol_of(OpId id) {
  constexpr std::uint32_t kUnasked = static_cast<std::uint32_t>(-1);
  if (symbols_.empty()) symbols_.assign(op_table().size(), kUnasked);
  std::uint32_t& symbol = symbols_[static_cast<std::size_t>(id)];
  if (symbol == kUnasked) symbol = terms_.symbol(base_name(op(id)));
  return symbol;
}

std::vector<Term> Machine::computed_by_element(OpId id, const std::vector<Value>& arguments, const Sizes& sizes,
                                               Dtype dtype) {
  constexpr std::size_t kMost = 4;
  std::array<Column, kMost> columns;
  std::size_t count = 0;
  for (const Value& value : arguments)
    if (std::holds_alternative<Slot>(value) || is_number(value)) columns.at(count++) = column(value, sizes);
  std::vector<Term> made(static_cast<std::size_t>(element_count(sizes)));
  if (known(id).converts) {
    for (std::size_t e = 0; e < made.size(); ++e)
      made[e] = terms_.converted(columns[0].first[e * columns[0].step], dtype);
    return made;
  }
  const std::uint32_t symbol = symbol_of(id);
  std::array<Term, kMost> row;
  for (std::size_t e = 0; e < made.size(); ++e) {
    for (std::size_t i = 0; i < count; ++i) row[i] = columns[i].first[e * columns[i].step];
    made[e] = terms_.apply(symbol, 0, std::span(row).first(count), dtype);
  }
  return made;
}

std::vector<Term> Machine::computed(OpId id, const std::vector<Value>& arguments, const Sizes& sizes, Dtype dtype,
                                    std::uint64_t result) {
  if (known(id).pointwise) return computed_by_element(id, arguments, sizes, dtype);
  const auto elements_in_all = static_cast<std::size_t>(element_count(sizes));
  const std::string_view name = base_name(op(id));
  std::vector<Term> all;
  if (name == "cat" && sizes.size() == 1) {
    for (const Slot slot : std::get<std::vector<Slot>>(arguments[0]))
      for (const Term term : elements(slot)) all.push_back(terms_.converted(term, dtype));
    return all;
  }
  std::string described(name);
  const auto take = [&](Slot slot) {
    const Tensor& one = tensor(slot);
    described += fmt::format(" [{}]", fmt::join(sizes_of(one.geometry), ","));
    for (const Term term : elements(one)) all.push_back(term);
  };
  for (const Value& value : arguments) {
    described += " " + text_of(value, [](Slot) { return std::string(); });
    each_slot_of(value, take);
  }
  const std::uint32_t symbol = terms_.symbol(described);
  const std::array<Term, 1> operands{terms_.tuple(all)};
  std::vector<Term> made;
  for (std::size_t e = 0; e < elements_in_all; ++e)
    made.push_back(terms_.apply(symbol, result << 32U | e, operands, dtype));
  return made;
}

void Machine::factory(const Call& call) {
  if (call.op == OpId::rand) {
    std::vector<Value> arguments = call.arguments;
    arguments.emplace_back(None{});  // a memory format
    const Effect effect = effect_of(OpId::empty_memory_format, arguments);
    const Fresh& one = effect.fresh.at(0);
    std::vector<Term> values;
    for (std::size_t e = 0; e < one.elements.size(); ++e)
      values.push_back(terms_.apply(terms_.symbol("rand"), drawn_ << 32U | e, {}, one.dtype));
    ++drawn_;
    return fresh(call.results.at(0), one.sizes, one.strides, one.dtype, std::move(values));
  }
  functional(call);
}

/// The common case: a pointwise op on tensors of one dtype.
bool Machine::pointwise(const Call& call) {
  const Known& op_is = known(call.op);
  if (!op_is.fast) return false;
  const Tensor* first = nullptr;
  for (const Value& value : call.arguments) {
    if (std::holds_alternative<double>(value) && first != nullptr && !is_floating(first->dtype)) return false;
    const auto* slot = std::get_if<Slot>(&value);
    if (slot == nullptr) continue;
    const Tensor& one = tensor(*slot);
    if (first == nullptr) first = &one;
    if (one.dtype != first->dtype) return false;
  }
  if (first == nullptr || first->dtype == Dtype::boolean || (!is_floating(first->dtype) && !op_is.ints)) return false;
  const Dtype dtype = first->dtype;
  Sizes sizes = sizes_of(first->geometry);
  bool row_major_all = true;
  for (const Value& value : call.arguments)
    if (const auto* slot = std::get_if<Slot>(&value)) {
      const reference::Geometry& other = tensor(*slot).geometry;
      row_major_all = row_major_all && run_of(other) && have_equal_sizes(other, first->geometry);
    }
  if (row_major_all) {
    std::vector<Term> made = computed(call.op, call.arguments, sizes, dtype, 0);
    fresh_row_major(call.results.at(0), first->geometry.sizes, dtype, std::move(made));
    return true;
  }
  std::vector<reference::Geometry> read;
  for (const Value& value : call.arguments)
    if (const auto* slot = std::get_if<Slot>(&value)) {
      read.push_back(tensor(*slot).geometry);
      if (!has_sizes(read.back(), sizes)) sizes = broadcast_sizes(judge_, sizes, sizes_of(read.back()));
    }
  std::vector<Term> made = computed(call.op, call.arguments, sizes, dtype, 0);
  fresh(call.results.at(0), sizes, pointwise_strides(sizes, read), dtype, std::move(made));
  return true;
}

void Machine::functional(const Call& call) {
  if (pointwise(call)) return;
  if (call.op == OpId::clone) {
    const Tensor& self = tensor(std::get<Slot>(call.arguments[0]));
    const Sizes sizes = sizes_of(self.geometry);
    const bool asked = call.arguments[1] == Value(std::int64_t{kContiguousFormat});
    return fresh(call.results.at(0), sizes, asked ? row_major(sizes) : dense_strides(sizes, strides_of(self.geometry)),
                 self.dtype, elements(self));
  }
  const Effect effect = effect_of(call.op, call.arguments);
  for (std::size_t r = 0; r < effect.fresh.size() && r < call.results.size(); ++r) {
    const Fresh& one = effect.fresh[r];
    std::vector<Term> values;
    const bool filled = op(call.op).kind == OpKind::Factory || call.op == OpId::zeros_like ||
                        call.op == OpId::ones_like || call.op == OpId::full_like || call.op == OpId::new_full ||
                        call.op == OpId::empty_like;
    if (filled) {
      for (const Element& element : one.elements)
        values.push_back(
            !element.known ? terms_.unspecified(one.dtype)
                           : terms_.number(is_floating(one.dtype) ? element.real : static_cast<double>(element.integer),
                                           one.dtype));
    } else {
      values = computed(call.op, call.arguments, one.sizes, one.dtype, r);
    }
    fresh(call.results[r], one.sizes, one.strides, one.dtype, std::move(values), one.offset);
  }
}

/// Raises as the reference does if a write overlaps what the op reads; throws a limit if the order matters.
void Machine::look_for_overlap(const Call& call, const Tensor& written) {
  bool shares = !run_of(written.geometry) && !is_dense(sizes_of(written.geometry), strides_of(written.geometry));
  std::vector<Tensor> read;
  const int place = written_argument(op(call.op));
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    const auto* slot = std::get_if<Slot>(&call.arguments[i]);
    if (slot == nullptr || static_cast<int>(i) == place) continue;
    const Tensor& one = tensor(*slot);
    if (one.storage != written.storage) continue;
    shares = true;
    if (op(call.op).kind == OpKind::Out) {
      if (share_memory(one, written)) throw ReferenceLimit(kOrder);
      continue;
    }
    read.push_back(one);
    read.back().geometry = broadcast_to(one.geometry, sizes_of(written.geometry));
  }
  if (!shares) return;
  if (call.op == OpId::fill__Scalar || call.op == OpId::zero_) return (void)judged_overlap(judge_, written, {}, true);
  if (!known(call.op).fast || op(call.op).kind != OpKind::Inplace) {
    (void)effect_of(call.op, call.arguments);
  } else {  // the checks for overlaps in its definition, without its elements
    std::vector<Input> inputs;
    const Arguments arguments(state_, op(call.op), call.arguments);
    const std::size_t operands = known(call.op).binary ? 2 : 1;
    for (std::size_t i = 0; i < operands; ++i) inputs.push_back(input_of(state_, arguments.operand(i)));
    (void)judged_overlap(judge_, *inputs[0].tensor, inputs, false);
  }
  if (has_true(order_dependent(written, read))) throw ReferenceLimit(kOrder);
}

void Machine::in_place(const Call& call) {
  const Tensor& self = tensor(std::get<Slot>(call.arguments[0]));  // no later code here rebinds it
  const Sizes sizes = sizes_of(self.geometry);
  const auto fits = [&](const Value& value) {
    const auto* other = std::get_if<Slot>(&value);
    return other == nullptr || have_equal_sizes(tensor(*other).geometry, self.geometry) ||
           broadcast_sizes(judge_, sizes, sizes_of(tensor(*other).geometry)) == sizes;
  };
  if (call.op != OpId::index_fill__int_Scalar && !std::ranges::all_of(call.arguments, fits))
    raise(ErrorClass::shape, "the operands broadcast to other sizes than those of what is written");
  look_for_overlap(call, self);
  if (call.op == OpId::zero_) return write(self, spread(std::int64_t{0}, sizes));
  if (call.op == OpId::copy_ || call.op == OpId::fill__Scalar) return write(self, spread(call.arguments[1], sizes));
  const auto twin = functional_twin(call.op);
  Dtype dtype = self.dtype;
  bool one_dtype = known(call.op).fast && (is_floating(self.dtype) || (known(call.op).ints && is_integer(self.dtype)));
  for (const Value& value : call.arguments)
    if (const auto* other = std::get_if<Slot>(&value))
      one_dtype = one_dtype && tensor(*other).dtype == self.dtype;
    else if (std::holds_alternative<double>(value))
      one_dtype = one_dtype && is_floating(self.dtype);
  if (!one_dtype) {
    (void)effect_of(call.op, call.arguments);
    if (twin) dtype = effect_of(*twin, call.arguments).fresh.at(0).dtype;
  }
  write(self, computed(call.op, call.arguments, sizes, dtype, 0));
}

void Machine::out(const Call& call) {
  const Slot slot = std::get<Slot>(call.arguments.back());
  const Effect effect = effect_of(call.op, call.arguments);
  const auto twin = functional_twin(call.op);
  const std::vector<Value> arguments(call.arguments.begin(), call.arguments.end() - 1);
  const Effect functional = effect_of(twin.value(), arguments);
  const Fresh& one = functional.fresh.at(0);
  const std::vector<Term> values = computed(call.op, arguments, one.sizes, one.dtype, 0);
  Tensor& changed = state_.tensors[static_cast<std::size_t>(state_.slots[static_cast<std::size_t>(slot)])];
  look_for_overlap(call, changed);
  grow_memory(changed, effect.grown);
  if (effect.layout) changed.geometry = *effect.layout;
  write(changed, values);
}

}  // namespace plumbline::validate
