// What an argument means, by its name: one chooser for each meaning, in tables by subject.
#pragma once

#include <span>
#include <string_view>

#include "fuzz/scene.h"

namespace plumbline::fuzz {

/// What an argument means: by the op's name without a trailing underscore ("": any op) and the argument's.
struct Meaning {
  std::string_view op;
  std::string_view argument;
  Value (*choose)(Scene&);
};

/// The meanings for ops that compute: masks, matrices, dimensions of reductions. They come before the general ones.
std::span<const Meaning> value_meanings();
/// The meanings for ops that reshape, resize, join, take indices, or write `out`.
std::span<const Meaning> memory_meanings();
/// The meanings for views.
std::span<const Meaning> view_meanings();

/// A tensor that is not row-major, if there is one.
Value of_other_strides(Scene& s);
/// For a *_scatter, after all arguments are chosen: a source with the sizes of the view, or what is missing for it.
void fit_source(Scene& s);

/// One of the slots, the newest three times as often; there must be one.
Value first_or_last(Scene& s, const std::vector<Slot>& slots);
/// One of the candidates; often a normal tensor to go with an inference tensor, or the other way round.
Value other_kind_or_any(Scene& s, const std::vector<Slot>& fitting);
/// A Python number.
Value number(Scene& s);
/// A dimension of self, sometimes counted from the end.
Value dimension(Scene& s);
/// Some of the dimensions, none, or `None`.
Value some_dimensions(Scene& s);
/// A dtype, or `None`.
Value dtype(Scene& s);
/// The first argument: often one that the op takes.
Value self(Scene& s);
/// Whether sizes broadcast to others, or, both ways, with them.
bool broadcasts_to(const Sizes& from, const Sizes& to, bool both_ways);

}  // namespace plumbline::fuzz
