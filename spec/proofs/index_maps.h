// Each view op as a map of indices: from an element of the view to its element of the source, and back. The maps have
// no strides: the laws compare the geometries that the rules compute with these maps.
#pragma once

#include <algorithm>
#include <functional>

#include "spec/vocabulary/geometry.h"

namespace plumbline::proofs {

/// A view as a pair of maps. `back` is called only for an index with `hit`.
template <Domain D>
struct IndexMap {
  int rank = 0;                                    ///< the view's rank
  std::function<Dims<D>(const Dims<D>&)> forward;  ///< the index in the source of an element of the view
  std::function<Bool<D>(const Dims<D>&)> hit;      ///< whether the view has this element of the source
  std::function<Dims<D>(const Dims<D>&)> back;     ///< the index in the view of an element of the source
};

template <Domain D>
Dims<D> with(Dims<D> index, int dim, const Num<D>& value) {
  index.insert(index.begin() + dim, value);
  return index;
}
template <Domain D>
Dims<D> without(Dims<D> index, int dim) {
  index.erase(index.begin() + dim);
  return index;
}
template <Domain D>
Dims<D> replaced(Dims<D> index, int dim, const Num<D>& value) {
  index[dim] = value;
  return index;
}

/// The view has its source's indices: alias, detach, `t` of a vector.
template <Domain D>
IndexMap<D> whole_map(int rank) {
  return {rank, [](const Dims<D>& v) { return v; }, [](const Dims<D>&) { return Bool<D>(true); },
          [](const Dims<D>& i) { return i; }};
}

/// One index of `dim`: select, and each piece of unbind. `at` is not negative.
template <Domain D>
IndexMap<D> select_map(int rank, int dim, const Num<D>& at) {
  return {rank - 1, [=](const Dims<D>& v) { return with(v, dim, at); }, [=](const Dims<D>& i) { return i[dim] == at; },
          [=](const Dims<D>& i) { return without(i, dim); }};
}

/// Every `step`-th index of `dim` in [from, to): slice, narrow, each piece of split.
template <Domain D>
IndexMap<D> range_map(int rank, int dim, const Num<D>& from, const Num<D>& to, const Num<D>& step) {
  return {rank, [=](const Dims<D>& v) { return replaced(v, dim, from + v[dim] * step); },
          [=](const Dims<D>& i) { return from <= i[dim] && i[dim] < to && (i[dim] - from) % step == Num<D>(0); },
          [=](const Dims<D>& i) { return replaced(i, dim, (i[dim] - from) / step); }};
}

/// The place of `end` in Python's `x[:end]`: counted from the end if it is negative, and clamped at both ends.
template <Domain D>
Num<D> slice_end(const Num<D>& end, const Num<D>& size) {
  const Num<D> place = select(end < Num<D>(0), size + end, end);
  return select(place < Num<D>(0), Num<D>(0), select(place < size, place, size));
}

/// Dimension k of the view is dimension dims[k] of the source: permute, transpose, t.
template <Domain D>
IndexMap<D> permute_map(const std::vector<int>& dims) {
  const int rank = static_cast<int>(dims.size());
  return {rank,
          [=](const Dims<D>& v) {
            Dims<D> i(v.size());
            for (int k = 0; k < rank; ++k) i[dims[k]] = v[k];
            return i;
          },
          [](const Dims<D>&) { return Bool<D>(true); },
          [=](const Dims<D>& i) {
            Dims<D> v(i.size());
            for (int k = 0; k < rank; ++k) v[k] = i[dims[k]];
            return v;
          }};
}

/// Dimensions of size 1 are stretched, and new ones added in front. `back` gives the first copy.
template <Domain D>
IndexMap<D> expand_map(const Dims<D>& source, const Dims<D>& sizes) {
  const std::size_t added = sizes.size() - source.size();
  return {static_cast<int>(sizes.size()),
          [=](const Dims<D>& v) {
            Dims<D> i(v.begin() + static_cast<std::ptrdiff_t>(added), v.end());
            for (std::size_t d = 0; d < i.size(); ++d) i[d] = select(source[d] == Num<D>(1), Num<D>(0), i[d]);
            return i;
          },
          [=](const Dims<D>&) {
            Bool<D> some = true;  // a dimension expanded to size 0 has no element
            for (std::size_t k = 0; k < sizes.size(); ++k)
              some = some && ((k >= added && sizes[k] == Num<D>(-1)) || Num<D>(0) < sizes[k]);
            return some;
          },
          [=](const Dims<D>& i) {
            Dims<D> v(added);
            v.insert(v.end(), i.begin(), i.end());
            return v;
          }};
}

/// Dimensions of size 1 are dropped: `dropped[d]`.
template <Domain D>
IndexMap<D> squeeze_map(const std::vector<bool>& dropped) {
  const auto kept = static_cast<int>(std::count(dropped.begin(), dropped.end(), false));
  return {kept,
          [=](const Dims<D>& v) {
            Dims<D> i;
            for (std::size_t d = 0, k = 0; d < dropped.size(); ++d) i.push_back(dropped[d] ? Num<D>(0) : v[k++]);
            return i;
          },
          [](const Dims<D>&) { return Bool<D>(true); },
          [=](const Dims<D>& i) {
            Dims<D> v;
            for (std::size_t d = 0; d < dropped.size(); ++d)
              if (!dropped[d]) v.push_back(i[d]);
            return v;
          }};
}

/// A dimension of size 1 is added.
template <Domain D>
IndexMap<D> unsqueeze_map(int rank, int dim) {
  return {rank + 1, [=](const Dims<D>& v) { return without(v, dim); }, [](const Dims<D>&) { return Bool<D>(true); },
          [=](const Dims<D>& i) { return with(i, dim, Num<D>(0)); }};
}

/// The elements whose index in dim2 is the index in dim1 plus `offset`; the diagonal is the last dimension.
template <Domain D>
IndexMap<D> diagonal_map(int rank, int dim1, int dim2, const Num<D>& offset) {
  const Num<D> zero = 0;
  const int first = std::min(dim1, dim2);
  const int second = std::max(dim1, dim2);
  return {rank - 1,
          [=](Dims<D> v) {
            const Num<D> k = v.back();
            v.pop_back();
            const Num<D> i1 = select(offset < zero, k - offset, k);
            const Num<D> i2 = select(offset < zero, k, k + offset);
            return with(with(v, first, first == dim1 ? i1 : i2), second, first == dim1 ? i2 : i1);
          },
          [=](const Dims<D>& i) { return i[dim2] - i[dim1] == offset; },
          [=](const Dims<D>& i) {
            Dims<D> v = without(without(i, second), first);
            v.push_back(select(i[dim1] < i[dim2], i[dim1], i[dim2]));
            return v;
          }};
}

/// Windows of `size` elements, each `step` after the one before; the place within the window is the last dimension.
template <Domain D>
IndexMap<D> unfold_map(int rank, int dim, const Num<D>& n, const Num<D>& size, const Num<D>& step) {
  const Num<D> last = (n - size) / step;
  const auto window = [=](const Dims<D>& i) {  // the last one that starts at or before the element
    const Num<D> started = i[dim] / step;
    return select(started < last, started, last);
  };
  return {rank + 1,
          [=](Dims<D> v) {
            const Num<D> within = v.back();
            v.pop_back();
            return replaced(v, dim, v[dim] * step + within);
          },
          [=](const Dims<D>& i) { return i[dim] - window(i) * step < size; },
          [=](const Dims<D>& i) {
            Dims<D> v = replaced(i, dim, window(i));
            v.push_back(i[dim] - window(i) * step);
            return v;
          }};
}

/// The place of an index in row-major order: ((i0·n1 + i1)·n2 + i2) ….
template <Domain D>
Num<D> row_major_place(const Dims<D>& sizes, const Dims<D>& index) {
  Num<D> place = index.empty() ? Num<D>(0) : index[0];
  for (std::size_t d = 1; d < sizes.size(); ++d) place = place * sizes[d] + index[d];
  return place;
}
/// The index of a place in row-major order.
template <Domain D>
Dims<D> row_major_index(const Dims<D>& sizes, Num<D> place) {
  Dims<D> index(sizes.size());
  for (std::size_t d = sizes.size(); d-- > 1;) {
    index[d] = place % sizes[d];
    place = place / sizes[d];
  }
  if (!index.empty()) index[0] = place;
  return index;
}

/// View from one dimension to several.
template <Domain D>
IndexMap<D> folded_map(const Dims<D>& sizes) {
  return {static_cast<int>(sizes.size()), [=](const Dims<D>& v) { return Dims<D>{row_major_place(sizes, v)}; },
          [](const Dims<D>&) { return Bool<D>(true); }, [=](const Dims<D>& i) { return row_major_index(sizes, i[0]); }};
}
/// View from several dimensions to one: view(-1).
template <Domain D>
IndexMap<D> flat_map(const Dims<D>& sizes) {
  return {1, [=](const Dims<D>& v) { return row_major_index(sizes, v[0]); },
          [](const Dims<D>&) { return Bool<D>(true); },
          [=](const Dims<D>& i) { return Dims<D>{row_major_place(sizes, i)}; }};
}

/// Places of the storage: as_strided with nested strides (the largest first, and each larger than the reach of all
/// those after it).
template <Domain D>
IndexMap<D> strided_map(const Dims<D>& sizes, const Dims<D>& strides, const Num<D>& offset) {
  const auto back = [=](const Dims<D>& i) {
    Dims<D> v;
    Num<D> rest = i[0] - offset;
    for (const Num<D>& stride : strides) {
      v.push_back(rest / stride);
      rest = rest % stride;
    }
    return std::pair(v, rest);
  };
  return {static_cast<int>(sizes.size()),
          [=](const Dims<D>& v) {
            Num<D> place = offset;
            for (std::size_t k = 0; k < sizes.size(); ++k) place = place + v[k] * strides[k];
            return Dims<D>{place};
          },
          [=](const Dims<D>& i) {
            const auto [v, rest] = back(i);
            Bool<D> inside = rest == Num<D>(0);
            for (std::size_t k = 0; k < sizes.size(); ++k) inside = inside && Num<D>(0) <= v[k] && v[k] < sizes[k];
            return inside;
          },
          [=](const Dims<D>& i) { return back(i).first; }};
}

}  // namespace plumbline::proofs
