// Kernels that compute each element of a result from the elements of the operands that lie at the same place.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "optimized/cuda/kernel.h"
#include "optimized/cuda/places.h"
#include "optimized/elements/elements.h"

namespace plumbline::optimized::cuda {

/// A tensor's memory, as a kernel gets it, or a number that comes with the kernel.
struct Elements {
  std::byte* data = nullptr;  ///< null: it is the number
  Dtype dtype = Dtype::float32;
  std::int64_t number = 0;  ///< its bytes, from the first

  template <class T>
  PLUMBLINE_HOST_DEVICE T load(std::int64_t at) const {
    if (data == nullptr) return loaded_as<T>(dtype, reinterpret_cast<const std::byte*>(&number));
    return loaded_as<T>(dtype, data + at * item_size(dtype));
  }
  template <class T>
  PLUMBLINE_HOST_DEVICE void save(std::int64_t at, T value) const {
    store_as(dtype, data + at * item_size(dtype), value);
  }
};

/// Elements of the result that a thread computes, kThreads apart, so that neighbours in a block read neighbours in
/// memory.
inline constexpr std::uint32_t kPerThread = 4;
inline constexpr std::uint32_t kPerBlock = kThreads * kPerThread;

/// Of any strides and dtypes: `out = function(inputs…)`, computed in T. Operand 0 is the result.
template <class T, class Function, int N>
struct Pointwise {
  using Shared = Nothing;
  using Own = Nothing;
  static constexpr int kPhases = 1;

  Places<N> places;
  std::array<Elements, N> operands;
  Function function;

  std::uint32_t blocks() const { return blocks_for(places.count, kPerBlock); }

  template <int P>
  PLUMBLINE_HOST_DEVICE void phase(const Place& place, Shared&, Own&) const {
    const std::uint32_t first = place.block * kPerBlock + place.thread;
    for (std::uint32_t k = 0; k < kPerThread; ++k) {
      const std::uint32_t i = first + k * kThreads;
      if (i < places.count) compute(places.at(i), std::make_index_sequence<N - 1>());
    }
  }

 private:
  template <std::size_t... K>
  PLUMBLINE_HOST_DEVICE void compute(const Steps<N>& at, std::index_sequence<K...>) const {
    operands[0].save(at[0], function(operands[K + 1].template load<T>(at[K + 1])...));
  }
};

/// The number in all elements where the mask, which is of bools, is true: of the two operands, the tensor comes first.
/// Several elements may be at one place.
template <class T>
struct FillWhere {
  Places<2> places;
  std::array<Elements, 2> operands;
  T number;

  PLUMBLINE_HOST_DEVICE std::uint32_t count() const { return places.count; }
  PLUMBLINE_HOST_DEVICE void one(std::uint32_t i) const {
    const Steps<2> at = places.at(i);
    if (operands[1].template load<bool>(at[1])) operands[0].save(at[0], number);
  }
};

/// `first + begin`, and so on, one more for each element of a row of Ts.
template <class T, class First>
struct Count {
  std::uint32_t all = 0;
  std::uint64_t begin = 0;
  T* to = nullptr;
  First first;

  PLUMBLINE_HOST_DEVICE std::uint32_t count() const { return all; }
  PLUMBLINE_HOST_DEVICE void one(std::uint32_t i) const { to[i] = counted<T>(first, begin + i); }
};

/// Elements that one load or store of 16 bytes moves.
template <class T>
struct alignas(16) Packet {
  static constexpr std::uint32_t kCount = 16 / sizeof(T);
  std::array<T, kCount> elements;
};

/// As Pointwise, for rows: each operand has dtype T, which is not bool, is without gaps, and begins at a multiple of 16
/// bytes; or it is a number. What is left after the last packet, the threads of the last block compute one by one.
template <class T, class Function, int N>
struct Rows {
  using Shared = Nothing;
  using Own = Nothing;
  static constexpr int kPhases = 1;
  static constexpr std::uint32_t kCount = Packet<T>::kCount;
  static_assert(!std::same_as<T, bool>, "a bool in memory may be any byte: Pointwise reads it");

  std::uint32_t count = 0;  ///< of elements, at least 1
  std::array<T*, N> rows;   ///< null: the number
  std::array<T, N> numbers;
  Function function;

  PLUMBLINE_HOST_DEVICE std::uint32_t packets() const { return count / kCount; }
  std::uint32_t blocks() const { return packets() < kThreads ? 1 : blocks_for(packets(), kThreads); }

  template <int P>
  PLUMBLINE_HOST_DEVICE void phase(const Place& place, Shared&, Own&) const {
    const std::uint32_t packet = place.block * kThreads + place.thread;
    if (packet < packets()) compute_packet(packet, std::make_index_sequence<N - 1>());
    const std::uint32_t rest = packets() * kCount + place.thread;
    if (place.block + 1 == place.blocks && rest < count) compute(rest, std::make_index_sequence<N - 1>());
  }

 private:
  template <std::size_t... K>
  PLUMBLINE_HOST_DEVICE void compute(std::uint32_t i, std::index_sequence<K...>) const {
    rows[0][i] = function((rows[K + 1] == nullptr ? numbers[K + 1] : rows[K + 1][i])...);
  }
  template <std::size_t... K>
  PLUMBLINE_HOST_DEVICE void compute_packet(std::uint32_t i, std::index_sequence<K...>) const {
    const std::array<Packet<T>, N - 1> in{packet(K + 1, i)...};
    Packet<T> out;
    for (std::uint32_t k = 0; k < kCount; ++k) out.elements[k] = function(in[K].elements[k]...);
    reinterpret_cast<Packet<T>*>(rows[0])[i] = out;
  }
  PLUMBLINE_HOST_DEVICE Packet<T> packet(std::size_t operand, std::uint32_t i) const {
    if (rows[operand] != nullptr) return reinterpret_cast<const Packet<T>*>(rows[operand])[i];
    Packet<T> all;
    for (std::uint32_t k = 0; k < kCount; ++k) all.elements[k] = numbers[operand];
    return all;
  }
};

}  // namespace plumbline::optimized::cuda
