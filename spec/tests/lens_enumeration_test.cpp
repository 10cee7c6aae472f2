// The bounded ground truth of the lens laws, without a solver: for every shape of rank 0 to 4 with sizes 0 to 4 and all
// parameters, the rules' geometries and the proofs' index maps are compared with loops over real strided memory.
#include <numeric>

#include "spec/tests/looped_views.h"

namespace plumbline::proofs::lens_enumeration_test {
namespace {

TEST(LensEnumeration, select_and_unbind_match_the_loops) {
  Count count;
  for_each_shape(1, 4, [&](const Index& sizes) {
    const Geometry<C> source = gapped(sizes);
    const int rank = source.rank();
    for (int dim = 0; dim < rank; ++dim)
      for (std::int64_t index = -sizes[dim] - 2; index <= sizes[dim] + 1; ++index) {
        const auto view = select_view<C>(kJudge, source, dim, index);
        const bool named = index >= -sizes[dim] && index < sizes[dim];
        count.expect(is_error(view.error) == !named, "error", sizes);
        if (!named) continue;
        const std::int64_t at = (index + sizes[dim]) % sizes[dim];
        const Looped loops = looped(sizes, erased(sizes, dim), [&](const Index& i, const auto& is) {
          if (i[dim] == at) is(erased(i, dim));
        });
        hold(count, sizes, source, view.geometry, select_map<C>(rank, dim, at), loops);
        if (index < 0) continue;
        hold(count, sizes, source, unbind_view<C>(kJudge, source, dim, at), select_map<C>(rank, dim, at), loops);
      }
  });
  succeeded(count, 10'000, 100'000);
}

/// As Python counts: x[start:end:step].
Index python_slice(std::int64_t n, std::int64_t start, std::int64_t end, std::int64_t step) {
  const auto cut = [&](std::int64_t at) { return std::clamp<std::int64_t>(at < 0 ? at + n : at, 0, n); };
  Index list;
  for (std::int64_t at = cut(start); at < cut(end); at += step) list.push_back(at);
  return list;
}

TEST(LensEnumeration, slice_matches_the_loops) {
  Count count;
  for_each_shape(1, 4, [&](const Index& sizes) {
    const Geometry<C> source = gapped(sizes);
    const int rank = source.rank();
    const std::int64_t beyond = rank <= 2 ? 2 : 0;  // above rank 2 a dimension is cut in the same way
    for (int dim = 0; dim < rank; ++dim) {
      const std::int64_t n = sizes[dim];
      const std::int64_t least = rank <= 2 ? -n - beyond : 0;
      for (std::int64_t start = least; start <= n + beyond; ++start)
        for (std::int64_t end = least; end <= n + beyond; ++end)
          for (std::int64_t step = 0; step <= 5; ++step) {
            const auto view = slice_view<C>(kJudge, source, dim, start, end, step);
            count.expect(is_error(view.error) == (step < 1), "error", sizes);
            if (step < 1 || (rank == 4 && step > 2)) continue;
            const auto map = range_map<C>(rank, dim, slice_end<C>(start, n), slice_end<C>(end, n), step);
            hold(count, sizes, source, view.geometry, map, listed(sizes, dim, python_slice(n, start, end, step)));
          }
    }
  });
  succeeded(count, 50'000, 200'000);
}

TEST(LensEnumeration, narrow_matches_the_loops) {
  Count count;
  for_each_shape(1, 4, [&](const Index& sizes) {
    const Geometry<C> source = gapped(sizes);
    for (int dim = 0; dim < source.rank(); ++dim) {
      const std::int64_t n = sizes[dim];
      for (std::int64_t start = -n - 1; start <= n + 1; ++start)
        for (std::int64_t length = -1; length <= n + 1; ++length) {
          const auto view = narrow_view<C>(kJudge, source, dim, start, length);
          const std::int64_t from = start < 0 ? start + n : start;
          const bool there = from >= 0 && length >= 0 && from + length <= n;
          count.expect(is_error(view.error) == !there, "error", sizes);
          if (!there) continue;
          Index list(static_cast<std::size_t>(length));
          std::iota(list.begin(), list.end(), from);
          hold(count, sizes, source, view.geometry, range_map<C>(source.rank(), dim, from, from + length, 1),
               listed(sizes, dim, list));
        }
    }
  });
  succeeded(count, 30'000, 300'000);
}

TEST(LensEnumeration, pieces_of_split_cover_the_dimension) {
  Count count;
  for_each_shape(1, 4, [&](const Index& sizes) {
    const Geometry<C> source = gapped(sizes);
    for (int dim = 0; dim < source.rank(); ++dim)
      for (std::int64_t size = 1; size <= sizes[dim] + 1; ++size) {
        const std::int64_t pieces = split_pieces<C>(kJudge, sizes[dim], size).v;
        std::int64_t next = 0;
        for (std::int64_t number = 0; number < pieces; ++number) {
          Index list;
          for (std::int64_t k = 0; k < size && next < sizes[dim]; ++k) list.push_back(next++);
          const auto map = range_map<C>(source.rank(), dim, number * size, (number + 1) * size, 1);
          hold(count, sizes, source, split_view<C>(kJudge, source, dim, size, number), map, listed(sizes, dim, list));
        }
        count.expect(next == sizes[dim], "split leaves a rest out", sizes);
      }
  });
  succeeded(count, 10'000, 100'000);
}

TEST(LensEnumeration, diagonal_matches_the_loops) {
  Count count;
  for_each_shape(2, 4, [&](const Index& sizes) {
    const Geometry<C> source = gapped(sizes);
    const int rank = source.rank();
    for (int dim1 = 0; dim1 < rank; ++dim1)
      for (int dim2 = 0; dim2 < rank; ++dim2)
        for (std::int64_t offset = dim1 == dim2 ? 1 : -5; offset <= 5 && dim1 != dim2; ++offset) {
          std::int64_t length = 0;
          for (std::int64_t i = 0; i < sizes[dim1]; ++i)
            if (i + offset >= 0 && i + offset < sizes[dim2]) ++length;
          const auto rest = [&](const Index& index) {
            return erased(erased(index, std::max(dim1, dim2)), std::min(dim1, dim2));
          };
          Index view_sizes = rest(sizes);
          view_sizes.push_back(length);
          const Looped loops = looped(sizes, view_sizes, [&](const Index& i, const auto& is) {
            if (i[dim2] - i[dim1] != offset) return;
            Index v = rest(i);
            v.push_back(offset < 0 ? i[dim2] : i[dim1]);
            is(v);
          });
          hold(count, sizes, source, diagonal_view<C>(kJudge, source, offset, dim1, dim2),
               diagonal_map<C>(rank, dim1, dim2, offset), loops);
        }
  });
  succeeded(count, 30'000, 100'000);
}

TEST(LensEnumeration, unfold_matches_the_loops) {
  Count count;
  std::int64_t overlapping = 0;
  for_each_shape(1, 4, [&](const Index& sizes) {
    const Geometry<C> source = gapped(sizes);
    const int rank = source.rank();
    for (int dim = 0; dim < rank; ++dim)
      for (std::int64_t size = -1; size <= sizes[dim] + 1; ++size)
        for (std::int64_t step = 0; step <= 5; ++step) {
          const std::int64_t n = sizes[dim];
          const auto view = unfold_view<C>(kJudge, source, dim, size, step);
          const bool there = size >= 0 && size <= n && step >= 1;
          count.expect(is_error(view.error) == !there, "error", sizes);
          if (!there) continue;
          std::int64_t windows = 0;
          while (windows * step + size <= n) ++windows;
          Index view_sizes = changed(sizes, dim, windows);
          view_sizes.push_back(size);
          const Looped loops = looped(sizes, view_sizes, [&](const Index& i, const auto& is) {
            for (std::int64_t w = 0; w < windows; ++w) {
              if (i[dim] < w * step || i[dim] >= w * step + size) continue;
              Index v = changed(i, dim, w);
              v.push_back(i[dim] - w * step);
              is(v);
            }
          });
          const bool lens = windows <= 1 || size <= step;
          if (!lens) ++overlapping;
          hold(count, sizes, source, view.geometry, unfold_map<C>(rank, dim, n, size, step), loops, lens);
        }
  });
  succeeded(count, 30'000, 300'000);
  EXPECT_GT(overlapping, 1000);
}

TEST(LensEnumeration, permute_and_transpose_match_the_loops) {
  Count count;
  for_each_shape(0, 4, [&](const Index& sizes) {
    const Geometry<C> source = gapped(sizes);
    std::vector<int> order(sizes.size());
    std::iota(order.begin(), order.end(), 0);
    do {
      const auto turned = [&](const Index& i) {
        Index v;
        for (const int dim : order) v.push_back(i[dim]);
        return v;
      };
      const Looped loops = looped(sizes, turned(sizes), [&](const Index& i, const auto& is) { is(turned(i)); });
      hold(count, sizes, source, permute_view<C>(kJudge, source, order), permute_map<C>(order), loops);
      std::vector<int> moved;
      for (std::size_t k = 0; k < order.size(); ++k)
        if (order[k] != static_cast<int>(k)) moved.push_back(static_cast<int>(k));
      if (moved.size() == 2)
        hold(count, sizes, source, transpose_view<C>(kJudge, source, moved[0], moved[1]), permute_map<C>(order), loops);
    } while (std::next_permutation(order.begin(), order.end()));
  });
  succeeded(count, 10'000, 100'000);
}

TEST(LensEnumeration, squeeze_and_unsqueeze_match_the_loops) {
  Count count;
  for_each_shape(0, 4, [&](const Index& sizes) {
    const Geometry<C> source = gapped(sizes);
    const int rank = source.rank();
    for (int dim = 0; dim <= rank; ++dim) {
      const Looped loops =
          looped(sizes, inserted(sizes, dim, 1), [&](const Index& i, const auto& is) { is(inserted(i, dim, 0)); });
      hold(count, sizes, source, unsqueeze_view<C>(kJudge, source, dim), unsqueeze_map<C>(rank, dim), loops);
    }
    std::vector<bool> dropped;
    Geometry<C> view = source;
    for (int dim = 0; dim < rank; ++dim) dropped.push_back(squeezes<C>(kJudge, sizes[dim]).v);
    for (int dim = rank - 1; dim >= 0; --dim)
      if (dropped[dim]) view = drop_dim(view, dim);
    const auto kept = [&](const Index& i) {
      Index v;
      for (std::size_t d = 0; d < i.size(); ++d)
        if (sizes[d] != 1) v.push_back(i[d]);
      return v;
    };
    hold(count, sizes, source, view, squeeze_map<C>(dropped),
         looped(sizes, kept(sizes), [&](const Index& i, const auto& is) { is(kept(i)); }));
  });
  succeeded(count, 4'000, 50'000);
}

TEST(LensEnumeration, expand_matches_the_loops) {
  Count count;
  for_each_shape(0, 3, [&](const Index& sizes) {
    const Geometry<C> source = gapped(sizes);
    for (int added = 0; added <= 1; ++added) {
      const int rank = source.rank() + added;
      for_each_index(Index(static_cast<std::size_t>(rank), 6), [&](const Index& shifted) {
        Index asked = shifted;  // -1 to 4
        for (std::int64_t& size : asked) --size;
        Index whole = asked;
        bool there = true;
        bool lens = true;
        for (int k = 0; k < rank; ++k) {
          const std::int64_t old = k < added ? 1 : sizes[k - added];
          if (k >= added && asked[k] == -1) whole[k] = old;
          there = there && whole[k] >= 0 && (old == 1 || whole[k] == old);
          lens = lens && whole[k] <= old;
        }
        const auto view = expand_view<C>(kJudge, source, dims(asked));
        count.expect(is_error(view.error) == !there, "error", sizes);
        if (!there) return;
        Looped loops{whole, {}};
        for_each_index(whole, [&](const Index& v) {
          Index i(v.begin() + added, v.end());
          for (std::size_t d = 0; d < i.size(); ++d) i[d] %= sizes[d];
          loops.elements[v] = i;
        });
        hold(count, sizes, source, view.geometry, expand_map<C>(dims(sizes), dims(asked)), loops, lens);
      });
    }
  });
  succeeded(count, 1'000, 20'000);
}

TEST(LensEnumeration, view_of_one_run_of_memory_matches_the_loops) {
  Count count;
  for_each_shape(1, 4, [&](const Index& sizes) {
    const std::int64_t n = std::accumulate(sizes.begin(), sizes.end(), std::int64_t{1}, std::multiplies<>());
    if (n == 0) return;
    const Geometry<C> run{{n}, {2}, 3};
    Geometry<C> folded{dims(sizes), contiguous_strides<C>(dims(sizes)), 3};
    for (Num<C>& stride : folded.strides) stride = stride * Num<C>(2);
    Looped loops{sizes, {}};
    Looped back{{n}, {}};
    std::int64_t next = 0;
    for_each_index(sizes, [&](const Index& v) {
      back.elements[{next}] = v;
      loops.elements[v] = {next++};
    });
    hold(count, {n}, run, folded, folded_map<C>(dims(sizes)), loops);
    hold(count, sizes, folded, run, flat_map<C>(dims(sizes)), back);
  });
  succeeded(count, 500, 10'000);
}

TEST(LensEnumeration, as_strided_matches_the_loops) {
  Count count;
  std::int64_t lenses = 0;
  const std::int64_t available = 24;
  const Index storage{available};
  const Geometry<C> self{{2}, {3}, 4};
  for_each_shape(0, 3, [&](const Index& sizes) {
    for_each_index(Index(sizes.size(), 6), [&](const Index& shifted) {
      Index strides = shifted;  // -1 to 4, and a wide one
      for (std::int64_t& stride : strides) stride = stride == 5 ? 8 : stride - 1;
      for (const std::int64_t offset : {-1, 0, 4, 23}) {
        const auto given = offset == 4 ? std::nullopt : std::optional(Num<C>(offset));  // 4 means self's own offset
        const auto view = as_strided_view<C>(kJudge, self, dims(sizes), dims(strides), given, available);
        Looped loops{sizes, {}};
        bool there = offset >= 0;
        for (const std::int64_t stride : strides) there = there && stride >= 0;
        bool nested = true;
        std::int64_t reach = 1;
        for (std::size_t k = sizes.size(); k-- > 0;) {
          nested = nested && strides[k] >= reach;
          reach += (sizes[k] - 1) * strides[k];
        }
        for_each_index(sizes, [&](const Index& v) {
          std::int64_t at = offset;
          for (std::size_t k = 0; k < v.size(); ++k) at += v[k] * strides[k];
          there = there && at < available;
          loops.elements[v] = {at};
        });
        count.expect(is_error(view.error) == !there, "error", sizes);
        if (!there || !nested) continue;
        ++lenses;
        hold(count, storage, Geometry<C>{{available}, {1}, 0}, view.geometry,
             strided_map<C>(dims(sizes), dims(strides), offset), loops);
      }
    });
  });
  succeeded(count, 1'000, 4'000);
  EXPECT_GT(lenses, 1000);
}

}  // namespace
}  // namespace plumbline::proofs::lens_enumeration_test
