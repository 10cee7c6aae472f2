// Small random pieces for the generators of programs and of scripts.
#pragma once

#include <rapidcheck.h>

#include <cstdint>
#include <iterator>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "language/key_names.h"
#include "spec/vocabulary/observation.h"
#include "spec/vocabulary/statement.h"

namespace plumbline::program::random {

using rc::gen::arbitrary;
using rc::gen::element;

inline bool chance(int percent) { return *rc::gen::resize(100, rc::gen::inRange(0, 100)) < percent; }
template <class Integer>
Integer below(Integer end) {
  return *rc::gen::resize(100, rc::gen::inRange<Integer>(0, end));
}

inline std::string text() {
  static const std::vector<std::string> pieces{
      "a",      "B",          " ",  "#", "\"", "'", "\\", "\n", "\t", "\x7f", std::string(1, '\0'),
      "\u00e9", "\U0001F600", ".*", "(", "r\""};
  std::string out;
  for (int i = 0, n = below(7); i < n; ++i) out += pieces[below(pieces.size())];
  return out;
}

inline std::int64_t integer() { return chance(80) ? below(20) - 5 : *rc::gen::arbitrary<std::int64_t>(); }
inline double real() {
  const double special[] = {0.0,
                            -0.0,
                            1.0,
                            -2.5,
                            0.1,
                            1e300,
                            5e-324,
                            1e16,
                            std::numeric_limits<double>::infinity(),
                            -std::numeric_limits<double>::infinity()};
  return chance(70) ? special[below(std::size(special))] : *rc::gen::arbitrary<double>();
}

inline Dtype any_dtype() { return static_cast<Dtype>(below(static_cast<int>(kDtypeNames.size()))); }

/// A value for an argument that is no tensor.
inline Value plain_argument(ArgType type) {
  if (type == ArgType::Int) return integer();
  if (type == ArgType::Scalar && chance(20)) return Complex{real(), real()};
  if (type == ArgType::Scalar) return chance(50) ? Value(integer()) : Value(real());
  if (type == ArgType::Float) return real();
  if (type == ArgType::Bool) return *arbitrary<bool>();
  if (type == ArgType::Dtype) return any_dtype();
  if (type != ArgType::IntList) return None{};
  std::vector<std::int64_t> list;
  for (int i = 0, n = below(4); i < n; ++i) list.push_back(integer());
  return list;
}

/// A small tensor with its elements; its slot is still to be chosen.
inline MakeTensor literal() {
  MakeTensor made{{}, any_dtype(), {}, {}, *rc::gen::arbitrary<bool>()};
  std::int64_t elements = 1;
  for (int i = 0, n = below(4); i < n; ++i) {
    made.sizes.push_back(1 + below(3));
    elements *= made.sizes.back();
  }
  if (!made.sizes.empty() && chance(20)) made.sizes.back() = elements = 0;
  for (std::int64_t i = 0; i < elements * static_cast<std::int64_t>(numbers_in(made.dtype)); ++i)
    made.values.push_back(is_inexact(made.dtype)         ? real()
                          : made.dtype == Dtype::boolean ? below(2)
                          : made.dtype == Dtype::uint8   ? static_cast<double>(below(9))
                                                         : static_cast<double>(below(9) - 4));
  return made;
}

/// Sizes, and values for a reading of such a tensor.
inline std::pair<std::vector<std::int64_t>, Values> some_values() {
  std::pair<std::vector<std::int64_t>, Values> made;
  std::size_t elements = 1;
  for (int i = 0, n = below(3); i < n; ++i) {
    made.first.push_back(1 + below(3));
    elements *= static_cast<std::size_t>(made.first.back());
  }
  const bool integers = chance(50);
  for (std::size_t i = 0; i < elements; ++i)
    integers ? made.second.integers.push_back(integer()) : made.second.floats.push_back(real());
  return made;
}

/// An argument or a return of an operator.
inline SchemaValue schema_tensor(std::string name) {
  const bool marked = chance(50);
  return {std::move(name), marked ? "a" : "", marked && chance(50)};
}

/// An argument of an operator, of any kind.
inline SchemaValue schema_argument(std::string name) {
  if (chance(60)) return schema_tensor(std::move(name));
  const auto kind = static_cast<SchemaValue::Kind>(below(static_cast<int>(kSchemaKindTexts.size())));
  return {std::move(name), "", false, kind};
}

/// A runtime key that Python names, without Undefined.
inline std::string any_key() {
  static const std::vector<std::string> keys = [] {
    std::vector<std::string> all = named_keys();
    std::erase(all, "Undefined");
    return all;
  }();
  return keys[below(keys.size())];
}

/// A key for which a kernel may be registered, known or not.
inline std::string kernel_key() {
  return chance(70) ? *element<std::string>("CPU", "Autograd", "CompositeExplicitAutograd", "no key") : any_key();
}

/// How a key set is made; `ks`: it may start with the kernel's own one.
inline std::vector<KeyStep> key_steps(bool ks) {
  std::vector<KeyStep> steps;
  if (!ks || chance(30)) steps.push_back({KeyStep::Kind::only, chance(20) ? "Undefined" : any_key()});
  for (int i = 0, n = below(4); i < n; ++i) {
    const auto kind = static_cast<KeyStep::Kind>(below(static_cast<int>(KeyStep::Kind::only)));
    steps.push_back({kind, takes_key(kind) ? any_key() : ""});
  }
  return steps;
}

/// Any guard that Python has.
inline Enter any_guard() {
  const auto guard = static_cast<GuardKind>(below(static_cast<int>(GuardKind::auto_non_variable_type_mode)));
  const bool either = guard == GuardKind::inference_mode || guard == GuardKind::set_grad_enabled;
  const bool keyed = guard == GuardKind::exclude_key || guard == GuardKind::include_key;
  return {guard, either ? *arbitrary<bool>() : guard != GuardKind::no_grad, keyed ? any_key() : ""};
}

}  // namespace plumbline::program::random
