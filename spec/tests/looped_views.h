// Views by loops over real strided memory, and their comparison with the rules' geometries and the proofs' index maps.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "spec/proofs/index_maps.h"
#include "spec/rules/geo.h"
#include "spec/vocabulary/concrete.h"

namespace plumbline::proofs {

using C = Concrete;
using Index = std::vector<std::int64_t>;

/// A view by loops over its source: for each index of the view, the index in the source. The map's order is the
/// row-major order of the view's indices.
struct Looped {
  Index sizes;
  std::map<Index, Index> elements;
};

template <class Visit>
void for_each_index(const Index& sizes, const Visit& visit) {
  if (std::any_of(sizes.begin(), sizes.end(), [](std::int64_t size) { return size <= 0; })) return;
  Index index(sizes.size());
  while (true) {
    visit(std::as_const(index));
    std::size_t d = sizes.size();
    while (d > 0 && ++index[d - 1] == sizes[d - 1]) index[--d] = 0;
    if (d == 0) return;
  }
}

template <class Visit>
void for_each_shape(int least, int most, const Visit& visit) {
  for (int rank = least; rank <= most; ++rank) for_each_index(Index(static_cast<std::size_t>(rank), 5), visit);
}

inline Index plain(const Dims<C>& dims) {
  Index index;
  for (const Num<C>& n : dims) index.push_back(n.v);
  return index;
}
inline Dims<C> dims(const Index& index) { return {index.begin(), index.end()}; }

/// Memory with gaps, and with a first dimension that is not the slowest, so that no two strides are equal by chance.
inline Geometry<C> gapped(const Index& sizes) {
  Geometry<C> g{dims(sizes), Dims<C>(sizes.size()), Num<C>(3)};
  std::int64_t step = 2;
  for (std::size_t d = 0; d < sizes.size(); ++d) {
    g.strides[d] = step;
    step *= sizes[d] + 1;
  }
  return g;
}

inline std::int64_t place(const Geometry<C>& g, const Index& index) {
  std::int64_t at = g.offset.v;
  for (std::size_t d = 0; d < index.size(); ++d) at += index[d] * g.strides[d].v;
  return at;
}

inline Index inserted(Index index, int at, std::int64_t value) {
  index.insert(index.begin() + at, value);
  return index;
}
inline Index erased(Index index, int at) {
  index.erase(index.begin() + at);
  return index;
}
inline Index changed(Index index, int at, std::int64_t value) {
  index[at] = value;
  return index;
}

/// How many views and elements were compared, and what was wrong.
struct Count {
  std::int64_t views = 0;
  std::int64_t elements = 0;
  std::int64_t wrong = 0;
  std::string first;

  void expect(bool right, const char* what, const Index& sizes) {
    if (right) return;
    if (wrong++ == 0) first = what + (" of shape " + testing::PrintToString(sizes));
  }
};

/// Compares one view with its loops. `lens`: no element of the source occurs twice.
inline void hold(Count& count, const Index& sizes, const Geometry<C>& source, const Geometry<C>& view,
                 const IndexMap<C>& map, const Looped& looped, bool lens = true) {
  ++count.views;
  count.expect(plain(view.sizes) == looped.sizes, "sizes", sizes);
  if (plain(view.sizes) != looped.sizes) return;
  std::map<Index, Index> views_of;
  std::int64_t reached = 0;
  for_each_index(looped.sizes, [&](const Index& v) {
    ++reached;
    const auto found = looped.elements.find(v);
    count.expect(found != looped.elements.end(), "an element that no loop reaches", sizes);
    if (found == looped.elements.end()) return;
    const Index& i = found->second;
    views_of.emplace(i, v);
    count.expect(place(view, v) == place(source, i), "place", sizes);
    count.expect(plain(map.forward(dims(v))) == i, "forward", sizes);
    count.expect(map.hit(dims(i)).v, "hit", sizes);
    const Index back = plain(map.back(dims(i)));
    count.expect(lens ? back == v : looped.elements.contains(back) && looped.elements.at(back) == i, "back", sizes);
  });
  count.elements += reached;
  count.expect(reached == static_cast<std::int64_t>(looped.elements.size()), "an element too few", sizes);
  for_each_index(sizes,
                 [&](const Index& i) { count.expect(map.hit(dims(i)).v == views_of.contains(i), "hit", sizes); });
}

/// The view that has the elements of the source for which `where` names a place of the view, or several.
template <class Where>
Looped looped(const Index& source, const Index& sizes, const Where& where) {
  Looped view{sizes, {}};
  for_each_index(source, [&](const Index& i) { where(i, [&](const Index& v) { view.elements[v] = i; }); });
  return view;
}

/// `dim` cut to the places listed.
inline Looped listed(const Index& source, int dim, const Index& list) {
  return looped(source, changed(source, dim, static_cast<std::int64_t>(list.size())),
                [&](const Index& i, const auto& is) {
                  for (std::size_t k = 0; k < list.size(); ++k)
                    if (list[k] == i[dim]) is(changed(i, dim, static_cast<std::int64_t>(k)));
                });
}

inline bool is_error(const Error<C>& error) { return error.v != 0; }
inline const Judge<C> kJudge{};

inline void succeeded(const Count& count, std::int64_t views, std::int64_t elements) {
  EXPECT_EQ(count.wrong, 0) << count.first;
  EXPECT_GE(count.views, views);
  EXPECT_GE(count.elements, elements);
}

}  // namespace plumbline::proofs
