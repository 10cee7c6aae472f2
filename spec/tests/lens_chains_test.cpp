// Chains of up to three views, without a solver: writing back link by link, compared with a strided write.
#include <numeric>

#include "spec/tests/looped_views.h"

namespace plumbline::proofs::lens_chains_test {
namespace {

/// A link of a chain: a view that is a lens.
struct Link {
  Geometry<C> view;
  IndexMap<C> map;
};

std::vector<Link> links(const Geometry<C>& g) {
  const int rank = g.rank();
  std::vector<Link> all;
  all.push_back({unsqueeze_view<C>(kJudge, g, rank), unsqueeze_map<C>(rank, rank)});
  for (int dim = 0; dim < rank; ++dim) {
    const std::int64_t n = g.sizes[dim].v;
    for (std::int64_t at = 0; at < n; ++at)
      all.push_back({select_view<C>(kJudge, g, dim, at).geometry, select_map<C>(rank, dim, at)});
    for (std::int64_t start = 0; start <= 1; ++start)
      for (std::int64_t step = 1; step <= 2; ++step)
        if (start + step > 1)
          all.push_back({slice_view<C>(kJudge, g, dim, start, n, step).geometry,
                         range_map<C>(rank, dim, std::min(start, n), n, step)});
    for (std::int64_t size = 1; size <= std::min<std::int64_t>(n, 2); ++size)
      all.push_back({unfold_view<C>(kJudge, g, dim, size, 2).geometry, unfold_map<C>(rank, dim, n, size, 2)});
    for (int other = 0; other < rank; ++other) {
      if (other == dim) continue;
      for (std::int64_t offset = -1; offset <= 1; ++offset)
        all.push_back({diagonal_view<C>(kJudge, g, offset, dim, other), diagonal_map<C>(rank, dim, other, offset)});
      std::vector<int> order(static_cast<std::size_t>(rank));
      std::iota(order.begin(), order.end(), 0);
      std::swap(order[dim], order[other]);
      if (dim < other) all.push_back({transpose_view<C>(kJudge, g, dim, other), permute_map<C>(order)});
    }
  }
  return all;
}

using Values = std::map<Index, std::int64_t>;

/// The contents of a base that has `held`, after `written` is written back through the links, the last first.
Values written_back(const std::vector<IndexMap<C>>& chain, std::size_t first, const Values& held,
                    const Values& written) {
  if (first == chain.size()) return written;
  const IndexMap<C>& map = chain[first];
  Values view;  // this link's view of `held`
  for (const auto& [i, value] : held)
    if (map.hit(dims(i)).v) view[plain(map.back(dims(i)))] = value;
  const Values changed_view = written_back(chain, first + 1, view, written);
  Values after = held;
  for (auto& [i, value] : after)
    if (map.hit(dims(i)).v) value = changed_view.at(plain(map.back(dims(i))));
  return after;
}

struct Chains {
  std::int64_t tried = 0;
  std::int64_t wrong = 0;
  Index sizes;
  Geometry<C> base;
  std::vector<IndexMap<C>> chain;

  /// Writes distinct values through the chain, and into memory through `view`.
  void compare(const Geometry<C>& view) {
    Values held;
    std::map<std::int64_t, std::int64_t> memory;  // by place
    for_each_index(sizes, [&](const Index& i) {
      const auto tag = static_cast<std::int64_t>(held.size());
      held[i] = tag;
      memory[place(base, i)] = tag;
    });
    Values written;
    for_each_index(plain(view.sizes), [&](const Index& v) {
      const auto value = 1000 + static_cast<std::int64_t>(written.size());
      written[v] = value;
      memory[place(view, v)] = value;
    });
    const Values after = written_back(chain, 0, held, written);
    ++tried;
    bool right = memory.size() == held.size();  // nothing was written outside the base
    for (const auto& [i, value] : after) right = right && memory[place(base, i)] == value;
    if (!right) ++wrong;
  }

  void extend(const Geometry<C>& view, int more) {
    compare(view);
    if (more == 0) return;
    for (const Link& link : links(view)) {
      chain.push_back(link.map);
      extend(link.view, more - 1);
      chain.pop_back();
    }
  }
};

TEST(LensChains, writing_back_through_a_chain_is_a_strided_write) {
  Chains chains;
  for (const Index& sizes : {Index{6}, Index{2, 3}, Index{3, 4}, Index{2, 3, 2}}) {
    chains.sizes = sizes;
    chains.base = gapped(sizes);
    chains.extend(chains.base, 3);
  }
  EXPECT_EQ(chains.wrong, 0);
  EXPECT_GT(chains.tried, 10'000);
}

/// A chain with an overlapping link: written back link by link, the value in copy 1 of x.expand(3, n) is lost.
TEST(LensChains, writing_back_through_expand_loses_what_is_written) {
  const Geometry<C> base = gapped({2});
  const Geometry<C> copies = expand_view<C>(kJudge, base, {3, 2}).geometry;
  const Geometry<C> second = select_view<C>(kJudge, copies, 0, 1).geometry;
  Chains chains{.sizes = {2}, .base = base, .chain = {expand_map<C>({2}, {3, 2}), select_map<C>(2, 0, 1)}};
  chains.compare(second);
  EXPECT_EQ(chains.wrong, 1);
}

}  // namespace
}  // namespace plumbline::proofs::lens_chains_test
