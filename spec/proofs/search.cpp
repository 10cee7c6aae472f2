// Breadth-first search over the machine on plain values. No state is visited twice.
#include "spec/proofs/search.h"

#include <algorithm>
#include <unordered_set>

namespace plumbline::proofs {

namespace {

using C = Concrete;

/// A heap as a row of numbers, for comparing.
class Row {
 public:
  explicit Row(const Heap<C>& heap) {
    number(static_cast<std::int64_t>(heap.tensors.size()));
    for (int i = 0; i < tensors_in(heap); ++i) object(heap.tensors.at({i}));
    for (int i = 0; i < static_cast<int>(heap.storages.size()); ++i) number(heap.storages.at({i}).data.v);
    for (int i = 0; i < static_cast<int>(heap.counters.size()); ++i) number(heap.counters.at({i}).version.v);
    number(heap.depth.v);
    for (std::int64_t i = 0; i < heap.depth.v; ++i) {
      tls(heap.frames.at(i).found);
      text_ += heap.frames.at(i).whole.v ? 'w' : ' ';
    }
    tls(heap.tls);
  }
  std::string text() && { return std::move(text_); }

 private:
  void number(std::int64_t n) { text_.append(reinterpret_cast<const char*>(&n), sizeof n); }
  void word(std::uint64_t w) { number(static_cast<std::int64_t>(w)); }
  void tls(const Tls<C>& t) {
    word(t.included.v);
    word(t.excluded.v);
    text_ += static_cast<char>(t.inference_mode.v + 2 * t.grad_mode.v);
  }
  void object(const Object<C>& o) {
    word(o.meta.keys.v);
    word(o.meta.creation.v);
    const bool bits[]{o.live.v,       o.meta.counted.v,     o.meta.tracked.v,
                      o.saved.v,      o.meta.has_grad_fn.v, o.meta.requires_grad.v,
                      o.unrecorded.v, o.one_of_many.v,      o.saved_grad_fn.v};
    std::uint64_t packed = 0;
    for (const bool bit : bits) packed = 2 * packed + (bit ? 1 : 0);
    word(packed);
    for (const int id : {o.storage.v, o.counter.v, o.base.v, o.family.v}) text_ += static_cast<char>(id);
    for (const auto n : {o.recorded_at.v, o.saved_version.v, o.saved_data.v, o.layout.v, o.rewritten.v, o.seen.v})
      text_ += static_cast<char>(n);
  }
  std::string text_;
};

/// How a state was reached.
struct Reached {
  std::size_t from = 0;
  Act act;
};

std::vector<Act> path(const std::vector<Reached>& reached, std::size_t from, const Act& last) {
  std::vector<Act> acts{last};
  for (std::size_t i = from; i != 0; i = reached[i].from) acts.push_back(reached[i].act);
  std::ranges::reverse(acts);
  return acts;
}

bool allowed(const Move<C>& move, const SearchLimits& limits) {
  if (move.unsafe && std::ranges::find(limits.unsafe, move.name) == limits.unsafe.end()) return false;
  return limits.only.empty() || move.unsafe || std::ranges::find(limits.only, move.name) != limits.only.end();
}
bool takes_value(const Move<C>& move) {
  return move.name == "factory" || move.name == "requires_grad" || move.name == "inference_mode" ||
         move.name == "set_grad_enabled";
}
bool enters(const Move<C>& move) { return move.tensors == 0 && !move.makes && move.name != "leave"; }
/// The order of the operands does not matter.
bool symmetric(const Move<C>& move) { return move.name == "add" || move.name == "mul"; }

/// Every act that a state allows, in a fixed order.
std::vector<Act> acts_in(const Heap<C>& heap, const SearchLimits& limits) {
  std::vector<Act> acts;
  const int n = tensors_in(heap);
  for (int m = 0; m < static_cast<int>(all_moves().size()); ++m) {
    const Move<C>& move = all_moves()[static_cast<std::size_t>(m)];
    if (!allowed(move, limits) || (move.makes && n >= limits.tensors)) continue;
    if (enters(move) && heap.depth.v >= limits.guards) continue;
    if (move.name == "leave" && heap.depth.v == 0) continue;
    for (int x = 0; x < (move.tensors > 0 ? n : 1); ++x)
      for (int y = 0; y < (move.tensors > 1 ? n : 1); ++y)
        for (int z = 0; z < (move.tensors > 2 ? n : 1); ++z) {
          if ((symmetric(move) && y < x) || (move.tensors > 2 && x != y)) continue;
          if (move.name == "backward" && !heap.tensors.at({x}).saved.v) continue;
          for (int asked = 0; asked < (takes_value(move) ? 2 : 1); ++asked) acts.push_back({m, x, y, z, asked != 0});
          if (move.name == "transpose_") acts.push_back({m, x, y, z, false, true});
        }
  }
  return acts;
}

}  // namespace

const std::vector<Move<C>>& all_moves() {
  static const std::vector<Move<C>> all = moves<C>();
  return all;
}

int tensors_in(const Heap<Concrete>& heap) { return static_cast<int>(heap.tensors.size()); }

Machine<Concrete> act_on(const Judge<Concrete>& judge, const Heap<Concrete>& heap, const Act& act) {
  const int next = tensors_in(heap);
  const Move<C>& move = all_moves()[static_cast<std::size_t>(act.move)];
  // Exchanging storage makes no new storage, unless a rule is misread: then the new one must not be reused later.
  const int memory = move.makes ? next : std::max(16, static_cast<int>(heap.storages.size()));
  const Operands<C> of{{act.x}, {act.y}, {act.z}, {{next}, {memory}, {next}}, act.asked, act.raises, true};
  Machine<C> machine(judge, heap);
  move.run(machine, of);
  if (!machine.ok().v && move.makes) machine.heap.tensors.shrink(static_cast<std::size_t>(next));
  return machine;
}

SearchResult shortest(const Judge<Concrete>& judge, const SearchLimits& limits, const Goal& goal) {
  SearchResult result;
  std::vector<Heap<C>> heaps{first_heap(judge)};
  std::vector<Reached> reached(1);
  std::unordered_set<std::string> met{Row(heaps[0]).text()};
  std::size_t begin = 0;
  for (int length = 1; length <= limits.length; ++length) {
    const std::size_t end = heaps.size();
    for (std::size_t i = begin; i < end; ++i)
      for (const Act& act : acts_in(heaps[i], limits)) {
        Machine<C> machine = act_on(judge, heaps[i], act);
        if (goal(heaps[i], act, machine)) {
          result.acts = path(reached, i, act);
          result.found = true;
          result.states = heaps.size();
          return result;
        }
        if (length == limits.length || !met.insert(Row(machine.heap).text()).second) continue;
        if (heaps.size() >= limits.states) {
          result.complete = false;
          continue;
        }
        heaps.push_back(std::move(machine.heap));
        reached.push_back({i, act});
      }
    begin = end;
  }
  result.states = heaps.size();
  return result;
}

namespace {

/// What can be read of a tensor, in words.
std::vector<std::pair<std::string_view, std::string>> readings(const Machine<C>& machine, int id) {
  const Object<C> o = machine.heap.tensors.at({id});
  return {{"is_inference", machine.inference({id}).v ? "True" : "False"},
          {"_version", o.meta.counted.v ? std::to_string(machine.version({id}).v) : "an error"},
          {"requires_grad", machine.requires_grad({id}).v ? "True" : "False"},
          {"_is_view()", o.meta.tracked.v ? "True" : "False"},
          {"creation metadata", o.meta.tracked.v ? std::string(kCreationMetaNames[o.meta.creation.v]) : "none"},
          {"key set", std::to_string(machine.keys({id}).v)}};
}

std::string difference(const Twins& twins, const Machine<C>& a, const Machine<C>& b, bool keys) {
  if (a.ok().v != b.ok().v)
    return "the last statement raises under " + std::string(name_of((a.ok().v ? twins.other : twins.one).profile)) +
           " alone";
  for (int i = 0; i < tensors_in(a.heap) && i < tensors_in(b.heap); ++i) {
    const auto x = readings(a, i);
    const auto y = readings(b, i);
    for (std::size_t f = 0; f < x.size(); ++f)
      if (x[f].second != y[f].second && x[f].first != "key set")
        return std::string(x[f].first) + " of t" + std::to_string(i) + " is " + x[f].second + " under " +
               std::string(name_of(twins.one.profile)) + " and " + y[f].second + " under " +
               std::string(name_of(twins.other.profile));
  }
  for (int i = 0; keys && i < tensors_in(a.heap); ++i)
    if (readings(a, i).back().second != readings(b, i).back().second)
      return "the key set of t" + std::to_string(i) + " differs";
  return {};
}

bool ends_with(const Act& act, std::string_view last) {
  return last.empty() || all_moves()[static_cast<std::size_t>(act.move)].name == last;
}

}  // namespace

Split shortest_split(const Twins& twins, const SearchLimits& limits) {
  Split split;
  std::vector<std::pair<Heap<C>, Heap<C>>> heaps{{first_heap(twins.one), first_heap(twins.other)}};
  std::vector<Reached> reached(1);
  std::unordered_set<std::string> met;
  std::size_t begin = 0;
  for (int length = 1; length <= limits.length; ++length) {
    const std::size_t end = heaps.size();
    for (std::size_t i = begin; i < end; ++i)
      for (const Act& act : acts_in(heaps[i].first, limits)) {
        if (!twins.may(heaps[i].first, act)) continue;
        Machine<C> a = act_on(twins.one, heaps[i].first, act);
        if (!a.ok().v && !twins.behind_errors) continue;
        Machine<C> b = act_on(twins.other, heaps[i].second, twins.others(act));
        split.what = twins.differ(a, b);
        if (!split.what.empty() && !ends_with(act, twins.last)) continue;
        if (!split.what.empty()) {
          split.search.acts = path(reached, i, act);
          for (const Act& one : split.search.acts) split.other.push_back(twins.others(one));
          split.search.found = true;
          return split;
        }
        if (length == limits.length || !met.insert(Row(a.heap).text() + Row(b.heap).text()).second) continue;
        if (heaps.size() >= limits.states) {
          split.search.complete = false;
          continue;
        }
        heaps.emplace_back(std::move(a.heap), std::move(b.heap));
        reached.push_back({i, act});
      }
    begin = end;
  }
  split.search.states = heaps.size();
  return split;
}

Split shortest_difference(const Judge<C>& one, const Judge<C>& other, const SearchLimits& limits) {
  Twins twins{one, other, {}};
  twins.differ = [&](const Machine<C>& a, const Machine<C>& b) { return difference(twins, a, b, true); };
  return shortest_split(twins, limits);
}

Split shortest_difference_by(const Judge<C>& one, const Judge<C>& other, const SearchLimits& limits,
                             std::string_view last) {
  Twins twins{one, other, {}};
  twins.differ = [&](const Machine<C>& a, const Machine<C>& b) { return difference(twins, a, b, false); };
  twins.last = last;
  return shortest_split(twins, limits);
}

}  // namespace plumbline::proofs
