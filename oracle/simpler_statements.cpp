// Making a statement smaller, for the minimiser.
#include "oracle/simpler_statements.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <type_traits>

namespace plumbline {

namespace {

std::int64_t product(const std::vector<std::int64_t>& sizes) {
  std::int64_t elements = 1;
  for (const std::int64_t size : sizes)
    elements = std::min(elements, std::int64_t{1} << 31) * size;  // beyond that the exact number does not matter
  return elements;
}

std::uint64_t magnitude(std::int64_t value) {
  return value < 0 ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
}

/// Smaller integers, the smallest first. A negative integer counts from an end, so 0 and 1 are tried for it too.
std::vector<std::int64_t> smaller(std::int64_t value) {
  std::vector<std::int64_t> found;
  for (const std::int64_t candidate :
       {std::int64_t{0}, std::int64_t{1}, value / 2, value > 0 ? value - 1 : value + 1}) {
    const bool simpler = magnitude(candidate) < magnitude(value) || (candidate == 1 && value == -1);
    if (simpler && std::ranges::find(found, candidate) == found.end()) found.push_back(candidate);
  }
  return found;
}

std::vector<double> smaller(double value) {
  std::vector<double> found;
  for (const double candidate : {0.0, 1.0, 2.0})
    if (candidate != value && (!std::isfinite(value) || std::abs(candidate) < std::abs(value)))
      found.push_back(candidate);
  return found;
}

std::vector<std::vector<std::int64_t>> smaller(const std::vector<std::int64_t>& list) {
  std::vector<std::vector<std::int64_t>> found;
  for (std::size_t i = 0; i < list.size(); ++i) {
    auto shorter = list;
    shorter.erase(shorter.begin() + static_cast<std::ptrdiff_t>(i));
    found.push_back(std::move(shorter));
  }
  for (std::size_t i = 0; i < list.size(); ++i)
    for (const std::int64_t value : smaller(list[i])) {
      found.push_back(list);
      found.back()[i] = value;
    }
  return found;
}

std::vector<Value> smaller(const Value& value) {
  std::vector<Value> found;
  const auto take = [&](const auto& candidates) { found.insert(found.end(), candidates.begin(), candidates.end()); };
  if (const auto* i = std::get_if<std::int64_t>(&value)) take(smaller(*i));
  if (const auto* d = std::get_if<double>(&value)) take(smaller(*d));
  if (const auto* z = std::get_if<Complex>(&value)) {
    found.emplace_back(z->real);
    for (const double real : smaller(z->real)) found.emplace_back(Complex{real, z->imag});
    for (const double imag : smaller(z->imag)) found.emplace_back(Complex{z->real, imag});
  }
  if (const auto* list = std::get_if<std::vector<std::int64_t>>(&value)) take(smaller(*list));
  if (const auto* slots = std::get_if<std::vector<Slot>>(&value))
    for (std::size_t i = 0; i < slots->size(); ++i) {
      found.emplace_back(*slots);
      auto& shorter = std::get<std::vector<Slot>>(found.back());
      shorter.erase(shorter.begin() + static_cast<std::ptrdiff_t>(i));
    }
  if (const auto* slot = std::get_if<Slot>(&value))
    for (std::int32_t earlier = 0; earlier < static_cast<std::int32_t>(*slot); ++earlier)
      found.emplace_back(static_cast<Slot>(earlier));
  return found;
}

std::vector<MakeTensor> smaller(const MakeTensor& made) {
  std::vector<MakeTensor> found;
  for (const auto& sizes : smaller(made.sizes)) {
    const std::int64_t count = product(sizes) * static_cast<std::int64_t>(numbers_in(made.dtype));
    if (count < 0 || count > static_cast<std::int64_t>(made.values.size())) continue;
    MakeTensor candidate = made;
    candidate.sizes = sizes;
    candidate.values.resize(static_cast<std::size_t>(count));
    found.push_back(std::move(candidate));
  }
  if (made.requires_grad) {
    found.push_back(made);
    found.back().requires_grad = false;
  }
  for (std::size_t i = 0; i < made.values.size(); ++i)
    for (const double value : smaller(made.values[i])) {
      found.push_back(made);
      found.back().values[i] = value;
    }
  return found;
}

/// A copy of the statement at the end of `found`, to be made simpler.
template <class Kind>
Kind& simpler_copy(const Kind& kind, std::vector<StatementKind>& found) {
  found.emplace_back(kind);
  return std::get<Kind>(found.back());
}

/// Backward, or grad(), from one tensor less, without a gradient, without retain_graph or create_graph, and without one
/// of its inputs.
template <class Kind>
void simpler_backward(const Kind& kind, std::vector<StatementKind>& found) {
  if (!kind.more.empty()) {
    Kind& later = simpler_copy(kind, found);
    later.tensor = kind.more.front().tensor;
    later.gradient = kind.more.front().gradient;
    later.more.erase(later.more.begin());
  }
  for (std::size_t i = 0; i < kind.more.size(); ++i) {
    Kind& fewer = simpler_copy(kind, found);
    fewer.more.erase(fewer.more.begin() + static_cast<std::ptrdiff_t>(i));
    if (kind.more[i].gradient) simpler_copy(kind, found).more[i].gradient.reset();
  }
  if (kind.gradient) simpler_copy(kind, found).gradient.reset();
  if (kind.retain_graph) simpler_copy(kind, found).retain_graph = false;
  if (kind.create_graph) simpler_copy(kind, found).create_graph = false;
  constexpr bool returns = std::is_same_v<Kind, GetGradients>;
  for (std::size_t i = 0; i < kind.inputs.size() && (!returns || kind.inputs.size() > 1); ++i) {
    Kind& fewer = simpler_copy(kind, found);
    fewer.inputs.erase(fewer.inputs.begin() + static_cast<std::ptrdiff_t>(i));
    if constexpr (returns)
      if (!fewer.results.empty()) fewer.results.erase(fewer.results.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

/// A kernel or a fallback for the key that all tensors have.
template <class Added>
void simpler_key(const StatementKind& kind, std::vector<StatementKind>& found) {
  const auto* added = std::get_if<Added>(&kind);
  if (added != nullptr && added->key != "CPU") simpler_copy(*added, found).key = "CPU";
}

}  // namespace

std::vector<StatementKind> simpler_call(const StatementKind& kind) {
  std::vector<StatementKind> found;
  const auto* invoke = std::get_if<Invoke>(&kind);
  if (invoke == nullptr) return found;
  if (!invoke->results.empty()) simpler_copy(*invoke, found).results.clear();
  for (std::size_t i = 0; i < invoke->inputs.size(); ++i)
    for (Value& value : smaller(invoke->inputs[i])) simpler_copy(*invoke, found).inputs[i] = std::move(value);
  for (std::size_t step = invoke->redispatch ? invoke->redispatch->size() : 0; step-- > 0;) {
    auto& steps = *simpler_copy(*invoke, found).redispatch;
    steps.erase(steps.begin() + static_cast<std::ptrdiff_t>(step));
  }
  return found;
}

std::vector<StatementKind> simpler(const StatementKind& kind) {
  std::vector<StatementKind> found = simpler_call(kind);
  simpler_key<AddKernel>(kind, found);
  simpler_key<AddFallback>(kind, found);
  if (const auto* made = std::get_if<MakeTensor>(&kind))
    for (MakeTensor& candidate : smaller(*made)) found.emplace_back(std::move(candidate));
  if (const auto* made = std::get_if<MakeMetaTensor>(&kind))
    for (auto& sizes : smaller(made->sizes)) simpler_copy(*made, found).sizes = std::move(sizes);
  if (const auto* backward = std::get_if<Backward>(&kind)) simpler_backward(*backward, found);
  if (const auto* get = std::get_if<GetGradients>(&kind)) {
    simpler_backward(*get, found);
    if (!get->results.empty()) simpler_copy(*get, found).results.clear();
    if (get->allow_unused) simpler_copy(*get, found).allow_unused = false;
  }
  if (const auto* set = std::get_if<SetGrad>(&kind); set != nullptr && set->grad)
    found.emplace_back(SetGrad{set->tensor});
  if (const auto* context = std::get_if<ContextCall>(&kind))
    for (std::size_t i = 0; i < context->tensors.size(); ++i) {
      found.emplace_back(*context);
      auto& tensors = std::get<ContextCall>(found.back()).tensors;
      tensors.erase(tensors.begin() + static_cast<std::ptrdiff_t>(i));
    }
  const auto* call = std::get_if<Call>(&kind);
  if (call == nullptr) return found;
  if (call->requires_grad) {
    found.emplace_back(*call);
    std::get<Call>(found.back()).requires_grad = false;
  }
  if (!call->results.empty()) {
    found.emplace_back(*call);
    std::get<Call>(found.back()).results.clear();
  }
  for (std::size_t i = 0; i < call->arguments.size(); ++i)
    for (const Value& value : smaller(call->arguments[i])) {
      found.emplace_back(*call);
      std::get<Call>(found.back()).arguments[i] = value;
    }
  return found;
}

}  // namespace plumbline
