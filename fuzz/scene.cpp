// Reading a scene, and judging a call before it is made.
#include "fuzz/scene.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "reference/kernels.h"
#include "spec/vocabulary/half.h"

namespace plumbline::fuzz {

namespace {

/// Above this, a product of two may not be exact in float32.
constexpr double kLargest = 4096;

/// Whether the bound of a rounded element is wide compared with its value: results computed from it would say little.
bool is_vague(const reference::Element& element, Dtype dtype) {
  const double wide = is_half(dtype) ? std::ldexp(16, -format_of(dtype).digits) : 1e-3;
  constexpr double kNothing = 1e-30;  // the bound of a zero whose sign is open
  const double size = std::max(std::abs(element.real), std::abs(element.imag));
  return element.error > wide * size && element.error > kNothing;
}

std::set<std::int64_t> places(const reference::Geometry& g) {
  const std::vector<std::int64_t> all = reference::places_of(g);
  return {all.begin(), all.end()};
}

/// Calls `visit` with each tensor among the arguments.
template <class Visit>
void each_tensor(const Scene& scene, Visit visit) {
  for (const Value& value : scene.arguments) {
    if (const Slot* slot = std::get_if<Slot>(&value)) visit(tensor_in(scene.state, *slot));
    if (const auto* list = std::get_if<std::vector<Slot>>(&value))
      for (const Slot slot : *list) visit(tensor_in(scene.state, slot));
  }
}

bool same_map(const reference::Geometry& a, const reference::Geometry& b) {
  const auto same = [](const auto& x, const auto& y) { return x.v == y.v; };
  return a.offset.v == b.offset.v && std::ranges::equal(a.sizes, b.sizes, same) &&
         std::ranges::equal(a.strides, b.strides, same);
}

}  // namespace

std::string_view view_replaced(const Op& op) {
  for (const std::string_view suffix : {"_copy", "_scatter"}) {
    const std::string_view name = op.name;
    if (!name.ends_with(suffix)) continue;
    const std::string_view view = name.substr(0, name.size() - suffix.size());
    const auto is_view = [&](const Op& one) { return one.kind == OpKind::View && one.name == view; };
    if (std::ranges::any_of(op_table(), is_view)) return view;
  }
  return {};
}

std::string_view Scene::base_name() const {
  std::string_view name = op.name;
  if (name.ends_with('_')) name.remove_suffix(1);
  const std::string_view view = view_replaced(op);
  return view.empty() ? name : view;
}

const reference::Tensor* Scene::self() const {
  for (const Value& value : arguments) {
    if (const Slot* slot = std::get_if<Slot>(&value)) return &tensor_in(state, *slot);
    if (const auto* list = std::get_if<std::vector<Slot>>(&value); list != nullptr && !list->empty())
      return &tensor_in(state, list->front());
  }
  return nullptr;
}

const reference::Tensor& Scene::tensor(std::size_t i) const { return tensor_in(state, std::get<Slot>(arguments[i])); }

Sizes Scene::sizes() const { return self() == nullptr ? Sizes{} : sizes_of(*self()); }
std::int64_t Scene::offset() const { return self() == nullptr ? 0 : self()->geometry.offset.v; }
std::int64_t Scene::available() const {
  return self() == nullptr
             ? 0
             : static_cast<std::int64_t>(state.storages[static_cast<std::size_t>(self()->storage)].elements.size());
}

std::int64_t Scene::value_of(std::string_view name, std::int64_t fallback) const {
  for (std::size_t i = 0; i < arguments.size(); ++i)
    if (op.arguments[i].name == name)
      if (const auto* integer = std::get_if<std::int64_t>(&arguments[i])) return *integer;
  return fallback;
}

const Sizes& Scene::integers(std::string_view name) const {
  static const Sizes none;
  for (std::size_t i = 0; i < arguments.size(); ++i)
    if (op.arguments[i].name == name)
      if (const auto* list = std::get_if<Sizes>(&arguments[i])) return *list;
  return none;
}

std::int64_t Scene::wrapped(std::string_view name) const {
  const std::int64_t dim = integer(name);
  return dim < 0 ? dim + static_cast<std::int64_t>(sizes().size()) : dim;
}

std::int64_t Scene::extent() const {
  const std::int64_t dim = wrapped(
      std::ranges::any_of(op.arguments, [](const Argument& a) { return a.name == "dimension"; }) ? "dimension" : "dim");
  const Sizes all = sizes();
  return dim >= 0 && dim < static_cast<std::int64_t>(all.size())
             ? std::max<std::int64_t>(all[static_cast<std::size_t>(dim)], 0)
             : 1;
}

Dtype perhaps_narrow(Dtype other, const Choices& choices) {
  constexpr std::array<Dtype, 5> dtypes{Dtype::uint8, Dtype::float16, Dtype::int8, Dtype::bfloat16, Dtype::int16};
  if (choices.last() % 6 != 5) return other;
  const std::uint32_t which = choices.last() / 6;
  if (which % 8 == 7) return which / 8 % 2 == 0 ? Dtype::complex64 : Dtype::complex128;
  return dtypes[which % dtypes.size()];
}

Dtype perhaps_half(Dtype other, const Choices& choices) {
  if (choices.last() % 6 != 5) return other;
  return choices.last() / 6 % 2 == 0 ? Dtype::float16 : Dtype::bfloat16;
}

Dtype any_dtype(Choices& choices) {
  constexpr std::array<Dtype, 5> wide{Dtype::float32, Dtype::float64, Dtype::int64, Dtype::int32, Dtype::boolean};
  return perhaps_narrow(wide[choices.below(wide.size())], choices);
}

bool result_would_be_open(const Scene& scene) {
  const auto slot_of = [&](std::string_view name) -> const reference::Tensor* {
    for (std::size_t i = 0; i < scene.arguments.size(); ++i)
      if (scene.op.arguments[i].name == name)
        if (const Slot* slot = std::get_if<Slot>(&scene.arguments[i])) return &tensor_in(scene.state, *slot);
    return nullptr;
  };
  if (const reference::Tensor* index = slot_of("index")) {
    const auto known = [](const reference::Element& element) { return element.known; };
    if (!std::ranges::all_of(reference::elements_of(scene.state, *index), known)) return true;
    return scene.op.kind == OpKind::Inplace && reference::share_memory(*index, *scene.self()) &&
           reference::overlap_between(*index, *scene.self()) == reference::Overlap::unseen;
  }
  const bool looks = scene.op.name != "mm" && scene.op.name != "bmm" && scene.op.name != "sum";
  const reference::Tensor* out = slot_of("out");
  if (looks || out == nullptr) return false;
  if (reference::repeats_places(out->geometry)) return true;
  for (std::size_t i = 0; i + 1 < scene.arguments.size(); ++i)
    if (const Slot* slot = std::get_if<Slot>(&scene.arguments[i]))
      if (tensor_in(scene.state, *slot).storage == out->storage) return true;
  return false;
}

bool stays_exact(const Scene& scene) {
  if (scene.op.kind != OpKind::Functional && scene.op.kind != OpKind::Inplace && scene.op.kind != OpKind::Out)
    return true;
  for (const Value& value : scene.arguments) {
    const Slot* slot = std::get_if<Slot>(&value);
    if (slot == nullptr) continue;
    const reference::Tensor& tensor = tensor_in(scene.state, *slot);
    const reference::Storage& storage = scene.state.storages[static_cast<std::size_t>(tensor.storage)];
    for (const reference::Element& element : storage.elements)
      if (std::abs(element.real) > kLargest || std::abs(static_cast<double>(element.integer)) > kLargest ||
          is_vague(element, storage.dtype))
        return false;
  }
  return true;
}

bool order_would_show(const Scene& scene) {
  if (scene.op.kind != OpKind::Inplace || scene.op.name == "zero_") return false;
  const reference::Tensor* written = scene.self();
  if (written == nullptr) return false;
  const auto& g = written->geometry;
  for (std::size_t i = 0; i < g.sizes.size(); ++i) {
    if (g.sizes[i].v > 1 && g.strides[i].v == 0) return false;  // that is an error (GEO-19)
    if (g.sizes[i].v <= 0) return false;                        // nothing is written
  }
  if (reference::repeats_places(g)) return true;
  std::optional<std::set<std::int64_t>> target;
  for (const Value& value : scene.arguments) {
    const Slot* slot = std::get_if<Slot>(&value);
    if (slot == nullptr) continue;
    const reference::Tensor& read = tensor_in(scene.state, *slot);
    if (read.storage != written->storage || same_map(read.geometry, written->geometry)) continue;
    if (!target) target = places(written->geometry);
    const std::set<std::int64_t> source = places(read.geometry);
    if (std::ranges::any_of(source, [&](std::int64_t place) { return target->contains(place); })) return true;
  }
  return false;
}

namespace {

/// The elements of what the tensors among the arguments broadcast to.
double broadcast_elements(const Scene& scene) {
  Sizes sizes;
  each_tensor(scene, [&](const reference::Tensor& tensor) {
    const Sizes own = sizes_of(tensor);
    if (own.size() > sizes.size()) sizes.insert(sizes.begin(), own.size() - sizes.size(), 1);
    for (std::size_t i = 1; i <= own.size(); ++i) {
      std::int64_t& size = sizes[sizes.size() - i];
      size = std::max(size, own[own.size() - i]);
    }
  });
  return elements_in(sizes);
}

/// The elements of the sizes to expand to, of which -1 keeps the tensor's own.
double expanded_elements(const Scene& scene) {
  Sizes sizes = scene.integers("size");
  const Sizes own = scene.sizes();
  for (std::size_t i = 1; i <= std::min(sizes.size(), own.size()); ++i)
    if (std::int64_t& size = sizes[sizes.size() - i]; size < 0) size = own[own.size() - i];
  return elements_in(sizes);
}

/// The elements of a product of matrices, or a fraction of its multiplications if they are many more.
double product_elements(const Scene& scene) {
  constexpr double kMultiplications = 128;  // that cost as little as one element more to read
  std::vector<Sizes> factors;
  each_tensor(scene, [&](const reference::Tensor& tensor) { factors.push_back(sizes_of(tensor)); });
  if (scene.base_name() == "addmm") factors.erase(factors.begin());
  if (factors.size() < 2 || factors[0].empty()) return 1;
  const Sizes &left = factors[0], &right = factors[1];
  const auto inner = static_cast<double>(std::max<std::int64_t>(left.back(), 1));
  const auto batch =
      static_cast<double>(left.size() == 3 && right.size() == 3 ? std::max<std::int64_t>(right[0], 1) : 1);
  const double multiplications = elements_in(left) * elements_in(right) / inner / batch;
  return std::max(multiplications / inner, multiplications / kMultiplications);
}

}  // namespace

double result_elements(const Scene& scene) {
  const std::string_view name = scene.base_name();
  if (name == "mm" || name == "bmm" || name == "addmm" || name == "matmul" || name == "mv" || name == "dot")
    return product_elements(scene);
  if (name == "expand") return expanded_elements(scene);
  if (name == "as_strided") return elements_in(scene.integers("size"));
  if (name == "arange") return static_cast<double>(scene.integer("end") - scene.integer("start"));
  if (name == "unfold") {
    const auto window = static_cast<double>(scene.integer("size"));
    const auto left = static_cast<double>(scene.extent()) - window;
    const double windows = 1 + left / static_cast<double>(std::max<std::int64_t>(scene.integer("step"), 1));
    return elements_in(scene.sizes()) / static_cast<double>(std::max<std::int64_t>(scene.extent(), 1)) * windows *
           window;
  }
  if (name == "cat" || name == "stack") {
    double sum = 0;
    each_tensor(scene, [&](const reference::Tensor& tensor) { sum += elements_in(tensor); });
    return sum;
  }
  return std::max(broadcast_elements(scene), elements_in(scene.integers("size")));
}

double most_in_result(const Scene& scene) {
  double largest = scene.choices.extent() == Extent::million ? kMostReadable : 0;
  each_tensor(scene, [&](const reference::Tensor& tensor) { largest = std::max(largest, elements_in(tensor)); });
  return std::min(kMostReadable, std::max(kMostInResult, 2 * largest));
}

void make_illegal(Scene& scene, std::uint32_t how) {
  constexpr std::array<std::int64_t, 6> near{-1, 1, 3, -4, 5, -9};
  constexpr std::array<std::int64_t, 6> far{1LL << 31,    1LL << 40,    (1LL << 32) + 1,
                                            -(1LL << 33), -(1LL << 31), 1LL << 35};
  scene.huge = scene.choices.wide() && (scene.op.kind == OpKind::View || scene.op.kind == OpKind::InplaceView);
  const auto& moves = scene.huge ? far : near;
  const auto pick = [&how](std::size_t count) {
    const std::size_t picked = how % count;
    how /= static_cast<std::uint32_t>(count);
    return picked;
  };
  std::vector<std::size_t> movable;
  for (std::size_t i = 0; i < scene.arguments.size(); ++i)
    if (std::holds_alternative<std::int64_t>(scene.arguments[i]) || std::holds_alternative<Sizes>(scene.arguments[i]))
      if (scene.op.arguments[i].type == ArgType::Int || scene.op.arguments[i].type == ArgType::IntList)
        movable.push_back(i);
  if (movable.empty()) return;
  Value& value = scene.arguments[movable[pick(movable.size())]];
  const std::int64_t move = moves[pick(moves.size())];
  if (auto* integer = std::get_if<std::int64_t>(&value)) {
    *integer += move;
    return;
  }
  Sizes& list = std::get<Sizes>(value);
  const std::size_t change = scene.huge ? 0 : pick(4);
  if (list.empty() || change == 3)
    list.push_back(move > 3 ? 1 : move);
  else if (change == 2)
    list.pop_back();
  else
    list[pick(list.size())] += move;
}

std::size_t result_count(const reference::State& state, const Op& op, const std::vector<Value>& arguments) {
  if (!op.many_results) return op.results;
  const std::vector<Slot> none;
  const Gene gene;
  Choices choices(gene);
  const Scene scene{
      .state = state, .live = none, .op = op, .choices = choices, .careless = false, .arguments = arguments};
  const std::int64_t extent = scene.extent();
  const std::int64_t piece = scene.value_of("split_size", 0);
  if (scene.base_name() == "unbind") return static_cast<std::size_t>(extent);
  if (scene.base_name() == "split_with_sizes") return scene.integers("split_sizes").size();
  if (op.name == "chunk") {
    const std::int64_t chunks = std::max<std::int64_t>(scene.integer("chunks"), 1);
    const std::int64_t size = (extent + chunks - 1) / chunks;
    return static_cast<std::size_t>(size == 0 ? chunks : (extent + size - 1) / size);
  }
  return piece <= 0 ? 1 : static_cast<std::size_t>(std::max<std::int64_t>((extent + piece - 1) / piece, 1));
}

}  // namespace plumbline::fuzz
