// The table of rows, with the targets of PERFORMANCE.md.
#include "bench/rows.h"

#include <algorithm>
#include <array>

namespace plumbline::bench {

namespace {

constexpr std::int64_t kMillion = 1'000'000;
constexpr std::int64_t k16Mi = std::int64_t{1} << 24;  // 64 MiB of floats
constexpr std::array kSizes{std::int64_t{1}, std::int64_t{1024}, kMillion, k16Mi};
constexpr std::array kModes{Mode::normal, Mode::grad, Mode::no_grad, Mode::inference};

std::vector<Target> make_targets() {
  using enum Mode;
  return {
      {{Call::dispatch, inference}, "dispatch only (no-op kernel)", 5, 0, 1.36},
      {{Call::guard, normal}, "InferenceMode guard", 10, 0, 0.3},
      {{Call::add, inference, 1}, "add, 1 element, inference", 35, 0, 6.3},
      {{Call::add, normal, 1}, "add, 1 element, normal", 40, 0, 6.3},
      {{Call::add, inference, 1024}, "add, 1024, inference", 13, 0, 27},
      {{Call::add_, inference, 1}, "add_, 1 element, inference", 30, 0, 3.0},
      {{Call::add_, normal, 1}, "add_, 1 element, normal", 25, 0, 6.0},
      {{Call::copy_, inference, 1}, "copy_, 1, inference", 28, 0, 2.8},
      {{Call::copy_, inference, 1024}, "copy_, 1024, inference", 5, 0, 29},
      {{Call::sum, inference, 1}, "sum, 1, inference", 45, 0, 7.0},
      {{Call::view, inference}, "view, inference", 5, 0, 12.4, 12, 2.9},
      {{Call::view, normal}, "view, normal", 12, 0, 12.4, 25, 2.9},
      {{Call::slice, inference}, "slice, inference", 9, 0, 12.4, 18, 2.9},
      {{Call::empty, inference, 1}, "empty, 1 element", 12, 0, 6.8},
      {{Call::add, ideal, 1}, "\"ideal end state\": add, 1 element, normal mode", 0, 0, 6.3, 0, 0, "add/1/inference"},
      {{Call::mlp, inference}, "MLP 8-16-4, inference", 25, 0, 40},
      {{Call::mm, inference, 64}, "matmul 64", 0, 1},
      {{Call::mm, inference, 512}, "matmul 512", 0, 1},
      {{Call::mm, inference, 1024}, "matmul 1024", 0, 1},
      {{Call::add, inference, kMillion}, "add, 1e6", 1, 0, 103'000},
      {{Call::add, inference, k16Mi}, "add, 64 MiB", 6, 1.2, 3'300'000},
      {{Call::add, functional, 1}, "functionalized add", 30, 0, 14},
      {{Call::view, functional}, "functionalized view", 40, 0, 25, 0, 3},
      {{Call::add_, functional, 1}, "functionalized add_", 50, 0, 13},
      {{Call::row, functional, 64}, "functionalized select + add_ + sync, a row", 100, 0, 11},
      {{Call::rows, functional, 1000}, "1000 x 1 KB row aliases of one base, each written, all read", 300, 0, 18.5},
      {{Call::deep, functional, 1000}, "1000 views deep, functionalized", 1000, 0, 25, 0, 3},
      {{Call::illegal, normal}, "illegal in-place (throw and catch)", 10, 0, 590},
  };
}

/// Every mode and size of the rows that have them.
void add_modes(std::vector<Case>& all) {
  for (const Call call : {Call::add, Call::add_, Call::copy_, Call::sum})
    for (const std::int64_t size : kSizes)
      for (const Mode mode : kModes) all.push_back({call, mode, size});
  for (const Call call : {Call::view, Call::slice, Call::mlp})
    for (const Mode mode : kModes) all.push_back({call, mode});
  for (const std::int64_t size : {64, 512, 1024})
    for (const Mode mode : kModes) all.push_back({Call::mm, mode, size});
  for (const std::int64_t size : kSizes) all.push_back({Call::empty, Mode::inference, size});
  all.push_back({Call::empty, Mode::normal, 1});
  all.push_back({Call::dispatch, Mode::normal});
}

void add_threads(std::vector<Case>& all) {
  for (const Mode mode : {Mode::normal, Mode::inference}) {
    all.push_back({Call::add, mode, 1, Threads::callers});
    all.push_back({Call::view, mode, 0, Threads::callers});
    for (const Call call : {Call::add, Call::add_, Call::copy_, Call::sum})
      all.push_back({call, mode, k16Mi, Threads::inside});
    all.push_back({Call::mm, mode, 1024, Threads::inside});
  }
}

void add_growth(std::vector<Case>& all) {
  for (const std::int64_t size : {1, 10, 1000})
    for (const Mode mode : {Mode::normal, Mode::inference}) all.push_back({Call::deep, mode, size});
  for (const Call call : {Call::deep, Call::rows})
    for (const std::int64_t size : {1, 10, 100, 1000}) all.push_back({call, Mode::functional, size});
  for (const std::int64_t size : {1, 1000, 100'000}) all.push_back({Call::alive, Mode::inference, size});
  for (const std::int64_t size : {1, 16, 256}) all.push_back({Call::nested, Mode::normal, size});
}

/// What the claims of bench/claims.h compare, beside rows that are there for other reasons.
void add_claims(std::vector<Case>& all) {
  for (const Call call : {Call::add, Call::add_, Call::empty}) all.push_back({call, Mode::below, 1});
  for (const Call call : {Call::view, Call::slice, Call::mlp}) all.push_back({call, Mode::below});
  for (const Call call : {Call::add, Call::sum}) all.push_back({call, Mode::outside, 1});
  all.push_back({Call::mlp, Mode::outside});
  for (const Call call : {Call::guard_below, Call::guard_legacy, Call::bump}) all.push_back({call, Mode::normal});
  for (const Call call : {Call::write_fused, Call::write_split})
    for (const std::int64_t size : {1, 1024}) all.push_back({call, Mode::normal, size});
  for (const Call call : {Call::op_fallback, Call::op_generated}) all.push_back({call, Mode::functional, 1});
}

/// What the lazy device gains and costs: making a node that no one reads, and graphs that are read.
void add_lazy(std::vector<Case>& all) {
  all.push_back({Call::add, Mode::lazy, 1});
  for (const std::int64_t size : {10, 100, 1000}) all.push_back({Call::chain, Mode::lazy, size});
  for (const Call call : {Call::perceptron, Call::attention}) all.push_back({call, Mode::lazy});
}

std::vector<Case> make_cases() {
  std::vector<Case> every;
  for (const Target& target : targets()) every.push_back(target.what);
  add_modes(every);
  add_threads(every);
  add_growth(every);
  add_claims(every);
  add_lazy(every);
  std::vector<Case> once;
  for (const Case& one : every)
    if (std::ranges::none_of(once, [&](const Case& other) { return id_of(other) == id_of(one); })) once.push_back(one);
  return once;
}

}  // namespace

std::string_view name_of(Call call) {
  constexpr std::array<std::string_view, 27> kNames{
      "dispatch",    "guard",       "add",          "add_",  "copy_",       "sum",          "view",
      "slice",       "empty",       "mlp",          "mm",    "illegal",     "deep",         "alive",
      "nested",      "row",         "rows",         "bump",  "guard_below", "guard_legacy", "write_fused",
      "write_split", "op_fallback", "op_generated", "chain", "perceptron",  "attention"};
  return kNames.at(static_cast<std::size_t>(call));
}

std::string_view name_of(Mode mode) {
  constexpr std::array<std::string_view, 9> kNames{"normal",         "grad",  "no_grad", "inference", "ideal",
                                                   "functionalized", "below", "outside", "lazy"};
  return kNames.at(static_cast<std::size_t>(mode));
}

std::string id_of(const Case& one) {
  std::string id(name_of(one.call));
  if (one.size != 0) id += "/" + std::to_string(one.size);
  id += "/" + std::string(name_of(one.mode));
  if (one.threads == Threads::callers) id += "/callers";
  if (one.threads == Threads::inside) id += "/inside";
  return id;
}

const std::vector<Target>& targets() {
  static const std::vector<Target> all = make_targets();
  return all;
}

const std::vector<Case>& cases() {
  static const std::vector<Case> all = make_cases();
  return all;
}

std::optional<Case> find_case(std::string_view id) {
  const auto found = std::ranges::find_if(cases(), [&](const Case& one) { return id_of(one) == id; });
  return found == cases().end() ? std::nullopt : std::optional(*found);
}

}  // namespace plumbline::bench
