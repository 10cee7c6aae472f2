// What is known while a call's arguments are being chosen: the state, the op, and the arguments so far.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "fuzz/arguments.h"

namespace plumbline::fuzz {

/// For a {view}_copy or a *_scatter: the name of its view op; empty for other ops.
std::string_view view_replaced(const Op& op);

struct Scene {
  const reference::State& state;
  const std::vector<Slot>& live;
  const Op& op;
  Choices& choices;
  bool careless = false;  ///< tensors are chosen whatever their sizes
  bool huge = false;      ///< an argument was made illegal by a number of 31 to 40 bits, of which no product overflows
  std::vector<Value> arguments{};
  std::optional<Sizes> missing{};
  std::optional<Dtype> missing_dtype{};
  std::optional<MakeTensor> index{};  ///< to be made for the argument `index`

  /// The schema's entry for the argument that is being chosen.
  const Argument& argument() const { return op.arguments[arguments.size()]; }
  /// The tensor that was chosen for the argument at place `i`.
  const reference::Tensor& tensor(std::size_t i) const;
  /// The op's name without the underscore of its in-place twin; for a {view}_copy and a *_scatter, the name of the view
  /// op.
  std::string_view base_name() const;
  /// The first tensor argument, after it was chosen; null before.
  const reference::Tensor* self() const;
  Sizes sizes() const;
  std::int64_t offset() const;
  /// How many elements the first argument's storage holds.
  std::int64_t available() const;

  /// An argument chosen earlier, by name; `fallback` if there is no such argument or it is not an integer.
  std::int64_t value_of(std::string_view name, std::int64_t fallback) const;
  std::int64_t integer(std::string_view name) const { return value_of(name, 0); }
  const Sizes& integers(std::string_view name) const;
  /// A dimension chosen earlier, counted from the front.
  std::int64_t wrapped(std::string_view name) const;
  /// The size of the dimension chosen earlier ("dim" or "dimension"); 1 for a tensor without dimensions.
  std::int64_t extent() const;
};

/// A dtype of 8 or 16 bits, or seldom a complex one, once in six times, instead of `other`. It takes no draw of its
/// own.
Dtype perhaps_narrow(Dtype other, const Choices& choices);
/// The same for a floating dtype.
Dtype perhaps_half(Dtype other, const Choices& choices);
/// Any dtype.
Dtype any_dtype(Choices& choices);

/// Whether the values are small enough for the op's results to be exact.
bool stays_exact(const Scene& scene);

/// Whether the call would write memory in which elements overlap so that the order of writing shows (GEO-22).
bool order_would_show(const Scene& scene);

/// Whether the rules leave open what the call does, or even whether it raises: an out= op that reads what it writes and
/// does not check (GEO-74), or indices that are unspecified or that the call overwrites.
bool result_would_be_open(const Scene& scene);

/// How many elements the results of a legal call have together, at most. For products of matrices it may be more, so
/// that they do not take too long.
double result_elements(const Scene& scene);
/// The number above which a call is left out.
double most_in_result(const Scene& scene);

/// Makes one of the arguments that are not tensors illegal; `how` says which and how far.
void make_illegal(Scene& scene, std::uint32_t how);

}  // namespace plumbline::fuzz
