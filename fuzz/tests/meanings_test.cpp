// The reference's own meanings of ops by schema: each equals what LibTorch computes.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <functional>
#include <map>
#include <optional>
#include <set>

#include "adapters/by_schema/plain_run.h"
#include "fuzz/by_schema/choices.h"
#include "reference/bytes.h"
#include "reference/machine.h"
#include "reference/raise.h"

namespace plumbline::fuzz {
namespace {

using reference::Element;
using reference::Fresh;

constexpr std::array kDtypes{Dtype::float32, Dtype::float64, Dtype::int64, Dtype::int32,   Dtype::boolean,
                             Dtype::uint8,   Dtype::int8,    Dtype::int16, Dtype::float16, Dtype::bfloat16};
/// `channels_last`: as PyTorch lays a tensor of one channel out, contiguous, with stride 1 in dimensions of size 1.
enum class Layout : std::uint8_t { row_major, transposed, first_transposed, sliced, first_expanded, channels_last };
constexpr std::array kLayouts{Layout::row_major, Layout::transposed, Layout::first_transposed, Layout::sliced,
                              Layout::first_expanded};
const std::vector<double> kSpecial{-0.0, 0.5,       std::nan(""), 1.0,   INFINITY, -1.5,
                                   0.0,  -INFINITY, 2.5,          1e-40, 3e38,     -2.0};
const std::vector<double> kWhole{3, -2, 0, 1, -1, 7, 5, -4, 2, 64};

/// Arguments that reach kernels which those of fuzz/by_schema do not reach.
constexpr const char* kMoreChoices =
    R"({"op":"eye","tensors":[],"arguments":[3,{"default":true},{"default":true},{"default":true},{"default":true}]}
{"op":"eye.m","tensors":[],"arguments":[2,3,{"dtype":"int64"},{"default":true},{"default":true},{"default":true}]}
{"op":"eye.m","tensors":[],"arguments":[3,2,{"default":true},{"default":true},{"default":true},{"default":true}]}
{"op":"exp2_","tensors":[{"dtype":"float32","sizes":[2,3],"values":[1,-2,3.5,4,0.5,6]}],"arguments":[{"tensor":0}]}
{"op":"roll","tensors":[{"dtype":"float32","sizes":[2,3],"values":[1,2,3,4,5,6]}],"arguments":[{"tensor":0},[1],[1]]}
{"op":"roll","tensors":[{"dtype":"int64","sizes":[2,3],"values":[1,2,3,4,5,6]}],"arguments":[{"tensor":0},[-2,5],[1,0]]}
{"op":"diag_embed","tensors":[{"dtype":"float32","sizes":[2,3],"values":[1,2,3,4,5,6]}],"arguments":[{"tensor":0},-1,-2,-1]}
{"op":"diag","tensors":[{"dtype":"float32","sizes":[3],"values":[1,2,3]}],"arguments":[{"tensor":0},2]}
{"op":"tril","tensors":[{"dtype":"float64","sizes":[2,3,3],"values":[1,2,3,4,5,6,7,8,9,1,2,3,4,5,6,7,8,9]}],"arguments":[{"tensor":0},-1]}
{"op":"triu_","tensors":[{"dtype":"float64","sizes":[3,3],"values":[1,2,3,4,5,6,7,8,9]}],"arguments":[{"tensor":0},1]}
{"op":"sort.stable","tensors":[{"dtype":"float32","sizes":[2,4],"values":[2,1,2,1,0,3,0,3]}],"arguments":[{"tensor":0},true,0,true]}
{"op":"sort","tensors":[{"dtype":"int64","sizes":[2,4],"values":[2,1,2,1,0,3,0,3]}],"arguments":[{"tensor":0},1,true]}
{"op":"all.dims","tensors":[{"dtype":"bool","sizes":[2,3],"values":[1,1,1,0,1,1]}],"arguments":[{"tensor":0},[1],true]}
{"op":"min.dim","tensors":[{"dtype":"float32","sizes":[2,4],"values":[2,1,2,1,0,3,0,3]}],"arguments":[{"tensor":0},-1,true]}
{"op":"cumsum","tensors":[{"dtype":"float32","sizes":[2,3],"values":[0.1,0.7,3.3,1,5,6]}],"arguments":[{"tensor":0},1,{"dtype":"float64"}]}
{"op":"cumprod_","tensors":[{"dtype":"int64","sizes":[2,3],"values":[1,2,3,4,5,6]}],"arguments":[{"tensor":0},0,null]}
{"op":"clamp","tensors":[{"dtype":"int32","sizes":[6],"values":[1,-2,3,-4,5,-6]}],"arguments":[{"tensor":0},-1.5,3]}
{"op":"pow.Tensor_Tensor","tensors":[{"dtype":"int64","sizes":[6],"values":[1,-2,3,-1,5,-1]},{"dtype":"int64","sizes":[6],"values":[1,3,-3,-4,2,-3]}],"arguments":[{"tensor":0},{"tensor":1}]}
{"op":"div.Tensor_mode","tensors":[{"dtype":"float32","sizes":[6],"values":[7.5,-7.5,0.3,-0.3,5,-6]},{"dtype":"float32","sizes":[6],"values":[2,2,0.1,0.1,-2.5,4]}],"arguments":[{"tensor":0},{"tensor":1},"floor"]}
{"op":"div_.Tensor_mode","tensors":[{"dtype":"int64","sizes":[6],"values":[7,-7,3,-3,5,-6]},{"dtype":"int64","sizes":[6],"values":[2,2,-2,-2,-5,4]}],"arguments":[{"tensor":0},{"tensor":1},"trunc"]}
{"op":"repeat","tensors":[{"dtype":"int64","sizes":[2,3],"values":[1,2,3,4,5,6]}],"arguments":[{"tensor":0},[2,1,3]]}
{"op":"lerp.Scalar","tensors":[{"dtype":"float32","sizes":[3],"values":[1,2.5,-3]},{"dtype":"float32","sizes":[3],"values":[4.5,-5,6]}],"arguments":[{"tensor":0},{"tensor":1},0.75]}
)";

/// A choice of the list, changed.
struct Case {
  SchemaChoice choice;
  Layout layout = Layout::row_major;
};

void set_values(MakeTensor& tensor, const std::vector<double>& values) {
  for (std::size_t i = 0; i < tensor.values.size(); ++i) tensor.values[i] = values[i % values.size()];
}
void set_sizes(MakeTensor& tensor, std::vector<std::int64_t> sizes) {
  std::size_t count = 1;
  for (const std::int64_t size : sizes) count *= static_cast<std::size_t>(size);
  const std::vector<double> before = tensor.values;
  tensor.sizes = std::move(sizes);
  tensor.values.assign(count, 1);
  if (!before.empty())
    for (std::size_t i = 0; i < count; ++i) tensor.values[i] = before[i % before.size()];
}

/// The choice with the real parts of its complex tensors.
SchemaChoice real_parts(SchemaChoice choice) {
  for (MakeTensor& tensor : choice.tensors) {
    if (!is_complex(tensor.dtype)) continue;
    tensor.dtype = part_of(tensor.dtype);
    std::vector<double> real;
    for (std::size_t i = 0; i < tensor.values.size(); i += 2) real.push_back(tensor.values[i]);
    tensor.values = std::move(real);
  }
  return choice;
}

std::vector<Case> cases_of(const SchemaChoice& choice) {
  std::vector<Case> all;
  for (const Layout layout : kLayouts) all.push_back({choice, layout});
  if (std::ranges::any_of(choice.tensors, is_complex, &MakeTensor::dtype)) {  // whose values are pairs
    const std::vector<Case> more = cases_of(real_parts(choice));
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  for (const Dtype dtype : kDtypes) {
    Case every{choice};
    for (MakeTensor& tensor : every.choice.tensors) {
      tensor.dtype = dtype;
      if (!is_floating(dtype)) set_values(tensor, kWhole);
    }
    all.push_back(every);
    every.layout = Layout::transposed;
    all.push_back(every);
    if (choice.tensors.size() < 2) continue;
    Case first{choice};
    first.choice.tensors[0].dtype = dtype;
    all.push_back(first);
    Case last{choice};
    last.choice.tensors.back().dtype = dtype;
    all.push_back(last);
  }
  Case special{choice};
  for (MakeTensor& tensor : special.choice.tensors)
    if (is_floating(tensor.dtype)) set_values(tensor, kSpecial);
  if (!choice.tensors.empty()) {
    all.push_back(special);
    set_sizes(special.choice.tensors[0], {2, 3, 4});
    set_values(special.choice.tensors[0], kSpecial);
    all.push_back(special);
    Case wide{choice};
    set_sizes(wide.choice.tensors[0], {3, 1, 2});
    all.push_back(wide);
    wide.layout = Layout::transposed;
    all.push_back(wide);
    wide.layout = Layout::channels_last;
    all.push_back(wide);
    for (MakeTensor& tensor : wide.choice.tensors) set_sizes(tensor, {2, 3});
    for (const Layout layout : kLayouts) {
      wide.layout = layout;
      all.push_back(wide);
    }
    Case none{choice};
    set_sizes(none.choice.tensors[0], {0, 2});
    all.push_back(none);
    none.layout = Layout::transposed;
    all.push_back(none);
  }
  return all;
}

/// Gives the tensor another layout of the same sizes; its elements are those of its memory.
void lay_out(reference::State& state, reference::TensorId id, Layout layout) {
  reference::Tensor& tensor = state.tensors[static_cast<std::size_t>(id)];
  auto sizes = reference::sizes_of(tensor.geometry);
  auto strides = reference::strides_of(tensor.geometry);
  const bool first = id == 0;
  std::int64_t offset = 0;
  if (layout == Layout::transposed || (layout == Layout::first_transposed && first)) {
    std::int64_t step = 1;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      strides[i] = step;
      step *= std::max<std::int64_t>(sizes[i], 1);
    }
  } else if (layout == Layout::sliced) {
    for (std::int64_t& stride : strides) stride *= 2;
    auto& elements = state.storages[static_cast<std::size_t>(tensor.storage)].elements;
    const std::vector<Element> before = elements;
    for (int i = 0; i < 1; ++i) elements.insert(elements.end(), before.begin(), before.end());
    elements.push_back(before.empty() ? Element{} : before.front());
    offset = 1;
  } else if (layout == Layout::first_expanded && first && !strides.empty()) {
    strides[0] = 0;
  } else if (layout == Layout::channels_last) {
    for (std::size_t i = 0; i < sizes.size(); ++i)
      if (sizes[i] == 1) strides[i] = 1;
  }
  tensor.geometry = reference::geometry_of(sizes, strides, offset);
}

/// What a kernel says, or the error that it raises; nothing: it asks the implementation.
struct Said {
  std::optional<reference::Effect> effect;
  std::optional<Failure> failure;
};

std::optional<Said> said(const std::function<reference::Effect()>& run) {
  try {
    Said made{run(), {}};
    made.failure = made.effect->raises;
    return made;
  } catch (const reference::Raise& raised) {
    return Said{{}, raised.failure};
  } catch (const reference::ReferenceLimit&) {
    return std::nullopt;
  }
}

bool same_bits(double a, double b) {
  return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b));
}

std::string shown(const Element& element, Dtype dtype) {
  if (!element.known) return "?";
  if (!is_inexact(dtype)) return std::to_string(element.integer);
  if (is_complex(dtype)) return fmt::format("{}{:+}j±{}", element.real, element.imag, element.error);
  return element.error > 0 ? fmt::format("{}±{}", element.real, element.error) : fmt::format("{}", element.real);
}
std::string shown(const std::vector<Element>& elements, Dtype dtype) {
  std::vector<std::string> words;
  for (const Element& element : elements) words.push_back(shown(element, dtype));
  return fmt::format("[{}]", fmt::join(words, ", "));
}

/// Compared elements, and those that the reference leaves open.
struct Count {
  std::int64_t cases = 0;
  std::int64_t asked = 0;
  std::int64_t elements = 0;
  std::int64_t open = 0;
};

std::string difference(const std::vector<Element>& own, const std::vector<Element>& theirs, Dtype dtype, Count& count) {
  if (own.size() != theirs.size()) return fmt::format("{} elements, and there are {}", own.size(), theirs.size());
  for (std::size_t i = 0; i < own.size(); ++i) {
    ++count.elements;
    if (!own[i].known) ++count.open;
    if (!own[i].known || !theirs[i].known) continue;
    const double far = std::fmax(std::fabs(own[i].real - theirs[i].real), std::fabs(own[i].imag - theirs[i].imag));
    const bool imag = !is_complex(dtype) || own[i].error > 0 || same_bits(own[i].imag, theirs[i].imag);
    const bool same = !imag                ? far <= theirs[i].error * 1.0000001
                      : !is_inexact(dtype) ? own[i].integer == theirs[i].integer
                      : own[i].error > 0   ? far <= own[i].error + theirs[i].error
                                         : same_bits(own[i].real, theirs[i].real) || far <= theirs[i].error * 1.0000001;
    if (!same) return fmt::format("{}, and there is {}", shown(own, dtype), shown(theirs, dtype));
  }
  return "";
}

std::string difference(const Said& own, const Said& theirs, Dtype written, Count& count) {
  if (own.failure.has_value() != theirs.failure.has_value())
    return own.failure ? "raises '" + own.failure->message + "', and it should not"
                       : "raises nothing, and it should: " + theirs.failure->message;
  if (own.failure)
    return own.failure->message == theirs.failure->message
               ? ""
               : fmt::format("raises '{}', and there is '{}'", own.failure->message, theirs.failure->message);
  const auto& a = *own.effect;
  const auto& b = *theirs.effect;
  if (a.fresh.size() != b.fresh.size()) return "another number of results";
  for (std::size_t i = 0; i < a.fresh.size(); ++i) {
    const Fresh& one = a.fresh[i];
    const Fresh& other = b.fresh[i];
    if (one.sizes != other.sizes || one.strides != other.strides || one.dtype != other.dtype ||
        one.offset != other.offset)
      return fmt::format("{} {} strides {}, and there is {} {} strides {} offset {}", name_of(one.dtype), one.sizes,
                         one.strides, name_of(other.dtype), other.sizes, other.strides, other.offset);
    std::string text = difference(one.elements, other.elements, one.dtype, count);
    if (!text.empty()) return text;
  }
  if (a.written.has_value() != b.written.has_value()) return "only one of both writes";
  if (a.counts.value_or(1) != b.counts.value_or(1)) return "counts other versions";
  if (a.layout.has_value() != b.layout.has_value()) return "only one of both resizes";
  if (a.layout && (reference::sizes_of(*a.layout) != reference::sizes_of(*b.layout) ||
                   reference::strides_of(*a.layout) != reference::strides_of(*b.layout)))
    return fmt::format("resizes to {} strides {}, and not to {} strides {}", reference::sizes_of(*a.layout),
                       reference::strides_of(*a.layout), reference::sizes_of(*b.layout),
                       reference::strides_of(*b.layout));
  return a.written ? difference(*a.written, *b.written, written, count) : "";
}

std::string shown(const Value& value) {
  struct Show {
    std::string operator()(None) const { return "None"; }
    std::string operator()(bool b) const { return b ? "True" : "False"; }
    std::string operator()(Dtype d) const { return std::string(name_of(d)); }
    std::string operator()(Slot s) const { return fmt::format("t{}", static_cast<int>(s)); }
    std::string operator()(const std::vector<Slot>& s) const { return fmt::format("{} tensors", s.size()); }
    std::string operator()(NumberOf) const { return "number"; }
    std::string operator()(Complex z) const { return fmt::format("complex({}, {})", z.real, z.imag); }
    std::string operator()(std::int64_t i) const { return fmt::format("{}", i); }
    std::string operator()(double d) const { return fmt::format("{:?}", fmt::format("{}", d)); }
    std::string operator()(const std::vector<std::int64_t>& l) const { return fmt::format("{}", l); }
    std::string operator()(const std::string& s) const { return "'" + s + "'"; }
  };
  return std::visit(Show{}, value);
}

class MeaningsOfOpsBySchema : public testing::Test {
 protected:
  const std::vector<std::string> words_ = plain_caller_of("libtorch-2.13.0");
  const reference::Judge judge_{Profile::torch_2_13};
  std::map<std::string, Count> counts_;
  std::set<std::string> different_;

  void compare(const Case& one) {
    const Op& called = op(one.choice.op);
    // the plain run's elements are those of row-major arguments, and these ops read the memory beside the elements
    if (called.name.starts_with("as_strided") && one.layout != Layout::row_major) return;
    reference::State state = reference::initial_state(judge_);
    for (std::size_t i = 0; i < one.choice.tensors.size(); ++i) {
      MakeTensor made = one.choice.tensors[i];
      made.result = static_cast<Slot>(i);
      if (const auto outcome = reference::step(judge_, state, Statement{made});
          outcome.failure.error != ErrorClass::none)
        return;
      lay_out(state, static_cast<reference::TensorId>(i), one.layout);
    }
    const reference::Arguments arguments(state, called, one.choice.arguments);
    const reference::KernelCall call{judge_, state, one.choice.op, arguments};
    Count& count = counts_[qualified_name(called)];
    reference::compute_by_schema({});
    const auto own = said([&] { return reference::meaning(call); });
    if (!own) {
      ++count.asked;
      return;
    }
    compute_by_schema_on(words_, 10);
    const auto theirs = said([&] { return reference::effect_by_schema(call); });
    if (!theirs) return;
    ++count.cases;
    const int place = written_argument(called);
    const Dtype written = place < 0 ? Dtype::float32 : call.tensor(static_cast<std::size_t>(place)).dtype;
    const std::string text = difference(*own, *theirs, written, count);
    if (text.empty() || !different_.insert(qualified_name(called) + text.substr(0, 12)).second) return;
    std::string given;
    for (std::size_t i = 0; i < one.choice.tensors.size(); ++i)
      given += fmt::format("  t{} = {} {} strides {} {}\n", i, name_of(one.choice.tensors[i].dtype),
                           one.choice.tensors[i].sizes, reference::strides_of(state.tensors[i].geometry),
                           shown(reference::elements_of(state, state.tensors[i]), one.choice.tensors[i].dtype));
    std::vector<std::string> values;
    for (const Value& value : one.choice.arguments) values.push_back(shown(value));
    ADD_FAILURE() << given << "  " << qualified_name(called) << "(" << fmt::format("{}", fmt::join(values, ", "))
                  << "): " << text;
  }
};

/// Whether the op is compared here. Those that see complex numbers and their parts meet none of these arguments: the
/// reference's tests and fuzz/corpus/test_conjugates.py have them.
bool is_compared(OpId id) {
  return reference::has_meaning(id) &&
         std::ranges::none_of(reference::bit_kernels(), [&](const auto& entry) { return entry.op == id; });
}

TEST_F(MeaningsOfOpsBySchema, equal_what_libtorch_computes) {
  ASSERT_FALSE(words_.empty()) << "there is no plumbline-sweep-libtorch-2.13.0 beside this test; build it";
  for (const OpKind kind : {OpKind::Functional, OpKind::Factory, OpKind::Inplace, OpKind::Out})
    for (const SchemaChoice& choice : schema_choices(kind))
      if (is_compared(choice.op))
        for (const Case& one : cases_of(choice)) compare(one);
  for (const SchemaChoice& choice : schema_choices_from(kMoreChoices, "kMoreChoices")) {
    EXPECT_TRUE(reference::has_meaning(choice.op)) << qualified_name(op(choice.op));
    for (const Case& one : cases_of(choice)) compare(one);
  }
  for (const Op& one : ops_by_schema()) {
    const std::string name = qualified_name(one);
    if (is_compared(*find_op(one.name, one.overload))) {
      EXPECT_TRUE(counts_.contains(name)) << name << " has a kernel, and no arguments here reach it";
    }
  }
  Count sum;
  for (const auto& [name, count] : counts_) {
    sum.cases += count.cases;
    sum.asked += count.asked;
    sum.elements += count.elements;
    sum.open += count.open;
    EXPECT_GT(count.cases, 0) << name << " was never compared: its kernel asks the implementation each time";
  }
  fmt::print("{} ops, {} cases compared, {} left to the implementation; {} elements, {} of them open\n", counts_.size(),
             sum.cases, sum.asked, sum.elements, sum.open);
  EXPECT_GE(counts_.size(), 300U);
  EXPECT_GE(sum.cases, 10000);
  EXPECT_LE(sum.open, sum.elements / 10);
}

}  // namespace
}  // namespace plumbline::fuzz
