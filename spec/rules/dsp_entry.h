// DSP, executed: the keys of a call, what falls through, the entry at which it arrives, and what happens there.
#pragma once

#include <span>

#include "spec/rules/dsp.h"
#include "spec/vocabulary/table_place.h"

namespace plumbline {

/// The key set of a call's tensor arguments; `list`: they are one argument, a list of tensors.
template <Domain D>
KeySet<D> argument_keys(const Judge<D>& judge, std::span<const KeySet<D>> tensors, bool list) {
  KeySet<D> all;
  for (const KeySet<D>& tensor : tensors) all = join_keys(judge, all, tensor);
  if (!list || tensors.empty()) return all;
  return judge(DSP_36, all, tensors.front());
}

/// The call's key set without the keys at which the operator falls through. `falls_through(f, backend)` says so of the
/// functionality f (an int, from 1) with that backend (a Num<D>; 0 where f is not per backend).
template <Domain D, class FallsThrough>
KeySet<D> without_fallthrough(const Judge<D>& judge, const KeyLayout& layout, const KeySet<D>& arguments,
                              const KeySet<D>& effective, const FallsThrough& falls_through) {
  const Num<D> asked = judge(DSP_31, highest_backend(layout, effective), Num<D>(0),
                             In{Profile::torch_1_13, highest_backend(layout, arguments)});
  KeySet<D> rest = effective;
  for (int f = 1; f <= static_cast<int>(layout.functionalities.size()); ++f) {
    const auto key = KeySet<D>::raw(functionality_bit(layout, f));
    if constexpr (std::same_as<typename D::Truth, bool>)
      if (!effective.has_any(key).v) continue;  // a key outside the set need not be asked
    const bool each = layout.functionalities[static_cast<std::size_t>(f) - 1].per_backend;
    const Bool<D> falls = falls_through(f, each ? asked : Num<D>(0));
    rest = select(falls, rest - key, rest);
  }
  return judge(DSP_30, rest, effective);
}

/// The key at whose entry a key set arrives.
template <Domain D>
Place<D> entry_place(const Judge<D>& judge, const KeyLayout& layout, const KeySet<D>& keys) {
  const Num<D> functionality = highest_functionality(layout, keys);
  const Bool<D> each = is_per_backend(layout, functionality);
  const Num<D> none = 0;
  const Num<D> backend = judge(DSP_32, select(each, highest_backend(layout, keys), none),
                               select(each, lowest_backend(layout, keys), none));
  const Place<D> place{functionality, backend};
  const Bool<D> bare = each && (keys & KeySet<D>::raw(backend_mask(layout))).empty();
  return judge(DSP_33, place, select(bare, Place<D>{}, place));
}

/// The key set that a redispatch with `given` uses; `skipped`: `given` without the keys that fall through.
template <Domain D>
KeySet<D> redispatched_keys(const Judge<D>& judge, const KeySet<D>& given, const KeySet<D>& skipped) {
  return judge(DSP_34, given, skipped);
}

/// The key set that a call passes to its kernel, which it found by `found_by`; `effective`: the set with the keys that
/// fall through.
template <Domain D>
KeySet<D> handed_keys(const Judge<D>& judge, const KeySet<D>& found_by, const KeySet<D>& effective) {
  return judge(DSP_35, found_by, effective);
}

/// What happens to a call or a redispatch at an entry.
enum class Arrival : std::uint8_t {
  runs,         ///< the entry's kernel
  missing,      ///< NotImplementedError
  ambiguous,    ///< RuntimeError: AutogradOther has two possible kernels
  fallthrough,  ///< an internal assertion
  goes_on,      ///< to the next lower key; only a misreading says so
  nothing       ///< nothing runs and nothing is raised; only a misreading says so
};

/// `source`: where the entry comes from; `falls_through`: its kernel is a fallthrough.
template <Domain D>
Choice<D, Arrival> arrive(const Judge<D>& judge, const Choice<D, EntrySource>& source, const Bool<D>& falls_through) {
  using A = Choice<D, Arrival>;
  using S = Choice<D, EntrySource>;
  const Bool<D> missing = source == S(EntrySource::missing);
  const Bool<D> ambiguous = source == S(EntrySource::ambiguous);
  const Bool<D> falls = falls_through && !missing && !ambiguous;
  const A found = select(ambiguous, A(Arrival::ambiguous), A(Arrival::runs));
  const A run = judge(DSP_38, select(falls, A(Arrival::fallthrough), found), select(falls, A(Arrival::goes_on), found));
  return judge(DSP_37, select(missing, A(Arrival::missing), run), select(missing, A(Arrival::nothing), run));
}

/// Whether the tables are updated when a library is destroyed.
template <Domain D>
Bool<D> follows_departure(const Judge<D>& judge) {
  return judge(DSP_16, Bool<D>(true), Bool<D>(false));
}

}  // namespace plumbline
