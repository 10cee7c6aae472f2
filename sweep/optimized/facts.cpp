// Facts by the readings of the adapter, and elements from memory.
#include "sweep/optimized/facts.h"

#include <algorithm>
#include <type_traits>

#include "adapters/optimized/readings.h"
#include "adapters/walk/slots.h"
#include "sweep/elements.h"

namespace plumbline::sweep::optimized {

Facts Reader::read(const Tensor& t) {
  Facts f;
  f.defined = t.defined();
  if (!f.defined) return f;
  std::vector<Tensor> slots = made_;
  slots.push_back(t);
  const auto field = [&]<class T>(std::type_identity<T>, Field one) {
    return std::get<T>(plumbline::optimized::read(slots, made_.size(), one));
  };
  const plumbline::optimized::Storage& storage = *t.storage();
  f.dtype = field(std::type_identity<std::string>{}, Field::dtype);
  f.device = "cpu";
  f.sizes = t.sizes().vec();
  f.strides = t.strides().vec();
  f.offset = t.offset();
  f.bytes = bytes_of({.sizes = f.sizes,
                      .strides = f.strides,
                      .offset = f.offset,
                      .item = static_cast<std::size_t>(item_size(t.dtype())),
                      .memory = {static_cast<const std::byte*>(storage.data()), storage.bytes()}});
  f.storage = number_of(t);
  f.inference = field(std::type_identity<bool>{}, Field::is_inference);
  f.version = f.inference ? -1 : field(std::type_identity<std::int64_t>{}, Field::version);
  f.requires_grad = field(std::type_identity<bool>{}, Field::requires_grad);
  f.has_grad_fn = field(std::type_identity<bool>{}, Field::grad_fn);
  f.is_view = field(std::type_identity<bool>{}, Field::is_view);
  f.base = std::max<std::int64_t>(field(std::type_identity<std::int64_t>{}, Field::base), -1);
  f.keys = field(std::type_identity<std::vector<std::string>>{}, Field::keys);
  return f;
}

std::vector<Facts> Reader::read(const std::vector<Tensor>& all) {
  std::vector<Facts> facts;
  for (const Tensor& t : all) facts.push_back(read(t));
  return facts;
}

std::vector<Result> Reader::results(const std::vector<Tensor>& results, bool are_listed) {
  std::vector<Result> all;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const Tensor& t = results[i];
    const std::int64_t is =
        walk::lowest(std::span<const Tensor>(made_), -1, [&](const Tensor& other) { return other.is_same(t); });
    all.push_back({is, "", read(t), are_listed ? 0 : i});
  }
  return all;
}

std::int64_t Reader::number_of(const Tensor& t) {
  const auto found = std::ranges::find(storages_, t.storage());
  const auto number = found - storages_.begin();
  if (found == storages_.end()) storages_.push_back(t.storage());
  return number;
}

}  // namespace plumbline::sweep::optimized
