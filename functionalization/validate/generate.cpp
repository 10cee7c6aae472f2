// Making random bodies.
#include "functionalization/validate/generate.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "functionalization/validate/validate.h"
#include "reference/memory.h"
#include "reference/reshape.h"
#include "spec/ops/op_ids.h"

namespace plumbline::validate {

using reference::Sizes;
using reference::functionalize::arguments_of;
using reference::functionalize::Body;

namespace {

/// Whether the last dimension allows a view in another dtype.
bool can_be_seen_in(const Facts& facts, Dtype dtype) {
  const std::int64_t have = item_size(facts.dtype), want = item_size(dtype);
  if (have == want) return true;
  return !facts.sizes.empty() && facts.strides.back() == 1 && facts.sizes.back() * have % want == 0;
}

}  // namespace

std::int64_t Random::below(std::int64_t bound) {
  state_ += 0x9e3779b97f4a7c15ULL;
  std::uint64_t z = state_;
  z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27U)) * 0x94d049bb133111ebULL;
  z ^= z >> 31U;
  return bound <= 0 ? 0 : static_cast<std::int64_t>(z % static_cast<std::uint64_t>(bound));
}

Sizes Generator::shape() {
  static const std::array<Sizes, 14> shapes{
      {{4}, {6}, {2, 2}, {2, 3}, {3, 2}, {3, 4}, {2, 3, 2}, {1, 4}, {3, 1}, {1}, {}, {0}, {2, 0}, {2, 2, 2}}};
  return shapes[static_cast<std::size_t>(random_.below(random_.one_in(4) ? 14 : 9))];
}

/// Makes one to three inputs; some see only a part of their memory, and some share memory.
void Generator::add_outside() {
  const std::int64_t storages = 1 + random_.below(2);
  for (std::int64_t i = 0; i < storages; ++i) {
    const Sizes sizes = shape();
    constexpr std::array kNarrow{Dtype::uint8, Dtype::int8, Dtype::int16, Dtype::float16, Dtype::bfloat16};
    const Dtype dtype = random_.one_in(8)   ? Dtype::int32
                        : random_.one_in(6) ? Dtype::float64
                        : random_.one_in(8) ? kNarrow[static_cast<std::size_t>(random_.below(kNarrow.size()))]
                                            : Dtype::float32;
    Facts whole{sizes, reference::row_major(sizes), 0, dtype, -1};
    std::int64_t elements = reference::element_count(sizes);
    const bool part = sizes.size() == 2 && random_.one_in(5);
    const bool shared = random_.one_in(6);
    if (sizes.size() == 2 && random_.one_in(6)) {
      std::ranges::reverse(whole.sizes);
      std::ranges::reverse(whole.strides);
    }
    if (part) {
      elements += 3;
      whole.offset = random_.below(4);
    }
    whole.storage = maker_.add_memory(elements);
    for (int n = 0; n < (shared ? 2 : 1); ++n) {
      Facts seen = whole;
      if (n == 1) {  // a second input that shares the memory
        const std::int64_t length = elements == 0 ? 0 : 1 + random_.below(elements);
        seen.offset = random_.below(elements - length + 1);
        seen.sizes = {length};
        seen.strides = {1};
      }
      maker_.add_outside(seen, n == 0 && i == 1 && !shared && random_.one_in(6));
    }
  }
}

const Body& Generator::next(std::uint64_t seed, int steps) {
  random_ = Random(seed);
  maker_.restart();
  add_outside();
  maker_.begin();
  Body& body = maker_.body();
  for (int failures = 0; static_cast<int>(body.steps.size()) < steps && failures < 4 * steps;)
    if (!attempt()) ++failures;
  const std::int64_t returned = random_.below(4);
  for (std::int64_t i = 0; i < returned; ++i) body.returned.push_back(any());
  return body;
}

bool Generator::attempt() {
  const std::int64_t kind = random_.below(35);
  if (kind < 14) return view();
  if (kind < 24) return write();
  if (kind < 27) return functional();
  if (kind < 29) return layout();
  if (kind < 31) return kind < 30 ? out() : factory();
  return kind < 32 ? view() : kind < 33 ? copy_of_view() : scatter();
}

/// Prefers later variables.
Slot Generator::any() {
  const auto count = static_cast<std::int64_t>(maker_.variables());
  return static_cast<Slot>(std::max(random_.below(count), random_.below(count)));
}

// A refused op is not a step. It is cheaper not to try most of them.
std::optional<Slot> Generator::writable() {
  for (int tries = 0; tries < 3; ++tries) {
    const Slot slot = any();
    const Facts& of = facts(slot);
    bool repeats = false;
    for (std::size_t i = 0; i < of.sizes.size(); ++i) repeats = repeats || (of.strides[i] == 0 && of.sizes[i] > 1);
    if (!repeats) return slot;
  }
  return std::nullopt;
}

bool Generator::overlaps(const Facts& target, const Facts& other) const {
  if (target.storage != other.storage || target == other) return false;
  if (target.dtype != other.dtype || !reference::is_dense(target.sizes, target.strides) ||
      !reference::is_dense(other.sizes, other.strides))
    return false;  // perhaps
  const std::int64_t end = target.offset + reference::element_count(target.sizes);
  const std::int64_t other_end = other.offset + reference::element_count(other.sizes);
  return std::max(target.offset, other.offset) < std::min(end, other_end);
}

std::int64_t Generator::dim_of(const Facts& facts) {
  const auto rank = static_cast<std::int64_t>(facts.sizes.size());
  const std::int64_t dim = random_.below(rank);
  return rank > 0 && random_.one_in(4) ? dim - rank : dim;
}

/// Arguments for as_strided: two dimensions, within the first few elements.
Facts Generator::strided(std::int64_t most) {
  return {
      {1 + random_.below(3), 1 + random_.below(most)}, {random_.below(4), 1 + random_.below(2)}, random_.below(most)};
}

bool Generator::reaches(Slot source, const Facts& seen) const {
  std::int64_t last = seen.offset;
  for (std::size_t i = 0; i < seen.sizes.size(); ++i) last += (seen.sizes[i] - 1) * seen.strides[i];
  return last < maker_.capacity(source);
}

/// Other sizes with the same number of elements.
Sizes Generator::regrouped(const Facts& facts) {
  const std::int64_t elements = reference::element_count(facts.sizes);
  for (const std::int64_t factor : {2, 3})
    if (elements > 0 && elements % factor == 0 && !random_.one_in(3))
      return random_.one_in(2) ? Sizes{elements / factor, factor} : Sizes{factor, elements / factor};
  return elements > 0 && random_.one_in(3) ? Sizes{1, elements} : Sizes{elements};
}

bool Generator::perform(Call call, std::size_t results) {
  if (copies_) call.op = plumbline::copy_of_view(call.op).value();
  const int written = written_argument(op(call.op));
  const bool refused = written >= 0 && maker_.is_captured(facts(std::get<Slot>(call.arguments[written])).storage);
  if (refused && !random_.one_in(8)) return false;  // the body would have no functional form
  const bool composite = random_.one_in(6) && op(call.op).kind == OpKind::View;
  return maker_.perform(std::move(call), results, composite);
}

bool Generator::copy_of_view() {
  copies_ = true;
  const bool done = view();
  copies_ = false;
  return done;
}

/// Writes the part that one of the steps viewed into the present tensor; otherwise a part of any tensor.
bool Generator::scatter() {
  const auto& steps = maker_.body().steps;
  const auto chosen = static_cast<std::size_t>(random_.below(static_cast<std::int64_t>(steps.size())));
  if (steps.empty() || op(steps[chosen].call.op).kind != OpKind::View) return false;
  const auto& step = steps[chosen];
  const auto id = find_op(std::string(op(step.call.op).name) + "_scatter", "");
  if (!id) return false;
  const Slot seen = step.call.results[0];
  Slot source = seen;
  for (int tries = 0; tries < 3 && source == seen; ++tries) {
    const Slot other = any();
    if (facts(other).sizes == step.facts[0].sizes && facts(other).dtype == step.facts[0].dtype) source = other;
  }
  if (facts(source).sizes != step.facts[0].sizes) return false;  // its sizes have changed
  std::vector<Value> arguments = step.call.arguments;
  arguments.insert(arguments.begin() + 1, source);
  return perform({*id, std::move(arguments), {}}, 1);
}

bool Generator::view() {
  const Slot source = any();
  const Facts& of = facts(source);
  const auto rank = static_cast<std::int64_t>(of.sizes.size());
  const std::int64_t dim = dim_of(of);
  const std::int64_t size = rank == 0 ? 0 : of.sizes[static_cast<std::size_t>(dim < 0 ? dim + rank : dim)];
  switch (random_.below(20)) {
    case 0:
    case 1: {
      Sizes sizes = regrouped(of);
      if (!copies_ && !reference::is_row_major(of.sizes, of.strides) &&
          !reference::view_strides(of.sizes, of.strides, sizes))
        return false;
      if (sizes.size() == 2 && random_.one_in(4)) sizes[1] = -1;
      return perform({OpId::view, arguments_of(source, std::move(sizes)), {}}, 1);
    }
    case 2:
      if (size == 0) return false;
      return perform({OpId::select_int, {source, dim, random_.below(2 * size) - size}, {}}, 1);
    case 3:
    case 4: {
      if (rank == 0) return false;
      const std::int64_t start = random_.below(size + 1);
      const Value end = random_.one_in(3) ? Value(None{}) : Value(start + random_.below(size - start + 2));
      return perform({OpId::slice_Tensor, {source, dim, start, end, 1 + random_.below(3)}, {}}, 1);
    }
    case 5:
    case 6:
      return perform({OpId::transpose_int, {source, dim, dim_of(of)}, {}}, 1);
    case 7: {
      if (rank < 2) return perform({OpId::t, {source}, {}}, 1);
      Sizes order(of.sizes.size());
      std::iota(order.begin(), order.end(), 0);
      for (std::size_t i = order.size(); i-- > 1;)
        std::swap(order[i], order[static_cast<std::size_t>(random_.below(static_cast<std::int64_t>(i) + 1))]);
      return perform({OpId::permute, arguments_of(source, std::move(order)), {}}, 1);
    }
    case 8: {
      Sizes sizes = of.sizes;
      for (std::int64_t& one : sizes)
        if (one == 1 && random_.one_in(2)) one = 2;
      if (random_.one_in(2)) sizes.insert(sizes.begin(), 1 + random_.below(3));
      return perform({OpId::expand, arguments_of(source, std::move(sizes), false), {}}, 1);
    }
    case 9:
      return random_.one_in(2) ? perform({OpId::squeeze, {source}, {}}, 1)
                               : perform({OpId::squeeze_dim, {source, dim}, {}}, 1);
    case 10:
      return perform({OpId::unsqueeze, {source, random_.below(rank + 1)}, {}}, 1);
    case 11:
      if (rank < 2) return false;
      return perform({OpId::diagonal, {source, random_.below(3) - 1, std::int64_t{0}, rank - 1}, {}}, 1);
    case 12:
    case 13: {
      if (size == 0) return false;
      return perform({OpId::unfold, {source, dim, 1 + random_.below(size), 1 + random_.below(3)}, {}}, 1);
    }
    case 14: {
      if (random_.one_in(3))
        return perform({OpId::as_strided, arguments_of(source, of.sizes, of.strides, None{}), {}}, 1);
      const Facts seen = strided(3);
      return reaches(source, seen) &&
             perform({OpId::as_strided, arguments_of(source, seen.sizes, seen.strides, seen.offset), {}}, 1);
    }
    case 15: {
      if (size == 0) return false;
      const std::int64_t length = 1 + random_.below(2);
      return perform({OpId::split_Tensor, {source, length, dim}, {}},
                     static_cast<std::size_t>((size + length - 1) / length));
    }
    case 16:
      if (size == 0) return false;
      return perform({OpId::unbind_int, {source, dim}, {}}, static_cast<std::size_t>(size));
    case 17:
      return perform({OpId::alias, {source}, {}}, 1);
    case 18:
      return perform({OpId::detach, {source}, {}}, 1);
    default: {
      if (!random_.one_in(4)) return false;
      constexpr std::array kDtypes{Dtype::float32, Dtype::int32, Dtype::float64, Dtype::int64, Dtype::float32,
                                   Dtype::int32,   Dtype::int16, Dtype::float16, Dtype::uint8};
      const Dtype dtype = kDtypes[static_cast<std::size_t>(random_.below(kDtypes.size()))];
      return dtype != of.dtype && can_be_seen_in(of, dtype) && perform({OpId::view_dtype, {source, dtype}, {}}, 1);
    }
  }
}

/// Another tensor or a number, for an op that writes `target` or gives a result of its sizes.
Value Generator::operand(const Facts& target) {
  for (int tries = 0; tries < 3; ++tries) {
    const Slot other = any();
    const Facts& of = facts(other);
    if (of.sizes.size() > target.sizes.size() || overlaps(target, of)) continue;
    const bool converts = of.dtype != target.dtype;
    if (converts && ((is_floating(of.dtype) && !is_floating(target.dtype)) || random_.one_in(3))) continue;
    const std::size_t more = target.sizes.size() - of.sizes.size();
    bool fits = true;
    for (std::size_t i = 0; i < of.sizes.size(); ++i)
      fits = fits && (of.sizes[i] == 1 || of.sizes[i] == target.sizes[more + i]);
    if (fits) return other;
  }
  return 2 + random_.below(3);
}

bool Generator::write() {
  const auto found = writable();
  if (!found) return false;
  const Slot target = *found;
  const Facts& of = facts(target);
  switch (random_.below(10)) {
    case 0:
    case 1:
    case 2:
      return perform({OpId::add__Tensor, {target, operand(of), std::int64_t{1}}, {}}, 0);
    case 3:
      return perform({OpId::mul__Tensor, {target, operand(of)}, {}}, 0);
    case 4:
    case 5: {
      Value source = operand(of);
      if (random_.one_in(6)) source = any();
      if (!std::holds_alternative<Slot>(source) || overlaps(of, facts(std::get<Slot>(source)))) return false;
      return perform({OpId::copy_, {target, source, false}, {}}, 0);
    }
    case 6:  // every element may be one here
      return perform({OpId::fill__Scalar, {random_.one_in(2) ? target : any(), 5 + random_.below(3)}, {}}, 0);
    case 7:
      return perform({OpId::zero_, {random_.one_in(2) ? target : any()}, {}}, 0);
    case 8:
      return perform({OpId::neg_, {target}, {}}, 0);
    default:
      if (!is_floating(of.dtype)) return false;
      return perform({OpId::exp_, {target}, {}}, 0);
  }
}

bool Generator::functional() {
  const Slot source = any();
  const Facts& of = facts(source);
  switch (random_.below(6)) {
    case 0:
      return perform({OpId::clone, {source, None{}}, {}}, 1);
    case 5:  // bodies may also contain the ops that the passes insert
      if (random_.one_in(2)) return perform({OpId::transpose_copy_int, {source, dim_of(of), dim_of(of)}, {}}, 1);
      return random_.one_in(2) ? perform({OpId::alias_copy, {source}, {}}, 1)
                               : perform({OpId::unsqueeze_copy, {source, std::int64_t{0}}, {}}, 1);
    case 1:
      return perform({OpId::mul_Tensor, {source, operand(of)}, {}}, 1);
    case 2:
      return random_.one_in(3) && perform({OpId::sum, {source, None{}}, {}}, 1);
    default:
      return perform({OpId::add_Tensor, {source, operand(of), std::int64_t{1}}, {}}, 1);
  }
}

bool Generator::layout() {
  const Slot target = any();
  const Facts& of = facts(target);
  const auto rank = static_cast<std::int64_t>(of.sizes.size());
  switch (random_.below(8)) {
    case 0:
    case 1:
      return perform({OpId::transpose_, {target, dim_of(of), dim_of(of)}, {}}, 0);
    case 2:
      return rank <= 2 && perform({OpId::t_, {target}, {}}, 0);
    case 3:
      return perform({OpId::squeeze_, {target}, {}}, 0);
    case 4:
      return perform({OpId::unsqueeze_, {target, random_.below(rank + 1)}, {}}, 0);
    case 5: {
      Facts seen = strided(2);
      seen.strides = {1 + random_.below(2), 1};
      return reaches(target, seen) &&
             perform({OpId::as_strided_, arguments_of(target, seen.sizes, seen.strides, seen.offset), {}}, 0);
    }
    case 6: {
      const Slot source = any();
      return facts(source).dtype == of.dtype && perform({OpId::set__source_Tensor, {target, source}, {}}, 0);
    }
    default:
      return random_.one_in(2) && perform({OpId::resize_, {target, shape(), None{}}, {}}, 0);
  }
}

bool Generator::out() {
  const Slot source = any();
  const Facts& of = facts(source);
  for (int tries = 0; tries < 4; ++tries) {
    const Slot target = any();
    const bool fits = facts(target).sizes == of.sizes || random_.one_in(8);
    if (!fits || facts(target).dtype != of.dtype || facts(target).storage == of.storage) continue;
    return perform({OpId::mul_out, {source, std::int64_t{3}, target}, {}}, 0);
  }
  return false;
}

bool Generator::factory() { return perform({OpId::ones, {shape(), None{}, None{}, None{}, None{}}, {}}, 1); }

}  // namespace plumbline::validate
