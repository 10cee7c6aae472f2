// Random arguments. Most tensors of one call have equal sizes in every dimension, so that most operators take them.
#include "sweep/candidates.h"

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>

namespace plumbline::sweep {

using nlohmann::json;

namespace {

/// splitmix64: small, and the same everywhere.
class Chance {
 public:
  explicit Chance(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15U);
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31U);
  }
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(next() % n); }
  bool in(std::size_t n) { return below(n) == 0; }
  template <class T>
  const T& of(const std::vector<T>& all) {
    return all[below(all.size())];
  }

 private:
  std::uint64_t state_;
};

std::uint64_t hash_of(const std::string& text) {
  std::uint64_t hash = 14695981039346656037U;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211U;
  return hash;
}

std::vector<std::int64_t> row_major(const std::vector<std::int64_t>& sizes) {
  std::vector<std::int64_t> strides(sizes.size());
  std::int64_t step = 1;
  for (std::size_t d = sizes.size(); d-- > 0;) {
    strides[d] = step;
    step *= std::max<std::int64_t>(sizes[d], 1);
  }
  return strides;
}

std::int64_t count_of(const std::vector<std::int64_t>& sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), std::int64_t{1}, std::multiplies<>());
}

bool is_index(const std::string& name) {
  for (const char* part :
       {"index", "indices", "idx", "target", "offsets", "lengths", "repeats", "bucket", "row", "col"})
    if (name.find(part) != std::string::npos) return true;
  return false;
}
bool is_mask(const std::string& name) { return name.find("mask") != std::string::npos || name == "condition"; }

/// Strings that some operator documents as a choice.
const std::vector<std::string>& documented_strings() {
  static const std::vector<std::string> all{"sum",     "mean",      "amax",     "amin",  "prod",  "none",   "constant",
                                            "reflect", "replicate", "ij",       "xy",    "L",     "U",      "left",
                                            "right",   "reduced",   "complete", "trunc", "floor", "linear", "midpoint",
                                            "lower",   "higher",    "nearest",  "tanh",  "fro",   "nuc",    "gelsd",
                                            "i,i",     "ij,jk",     "circular"};
  return all;
}

class Maker {
 public:
  Maker(const Operator& op, Chance chance) : op_(op), chance_(chance), of_complex_(chance.next() ^ 0x636f6d706c6578U) {
    static const std::vector<std::string> dtypes{"float32", "float32",  "float32", "float32", "int64",
                                                 "int64",   "bool",     "float64", "float64", "complex64",
                                                 "float16", "bfloat16", "int32",   "uint8"};
    dtype_ = chance_.of(dtypes);
    if (is_complex(dtype_) && of_complex_.in(3)) dtype_ = "complex128";
    rank_ = chance_.of(std::vector<std::size_t>{0, 1, 1, 2, 2, 2, 3, 3, 4, 4, 5});
    side_ = chance_.of(std::vector<std::int64_t>{1, 2, 2, 2, 3, 3, 4, 0});
    even_ = !chance_.in(4);
  }

  Experiment make() {
    made_.op = op_.full_name();
    for (const Parameter& p : op_.arguments) made_.arguments.push_back(argument(p));
    return std::move(made_);
  }

 private:
  json argument(const Parameter& p) {
    if (p.has_default && !chance_.in(3)) return {{"default", true}};
    if (p.optional && !p.list && chance_.in(2)) return nullptr;
    if (!p.list) return value(p);
    json list = json::array();
    static const std::vector<std::size_t> lengths{1, 2, 2, 3, 0, 4};
    const std::size_t length = p.type == "bool" ? 2 + chance_.below(3) : chance_.of(lengths);
    for (std::size_t i = 0; i < length; ++i)
      list.push_back(p.optional && p.is_tensor() && chance_.in(4) ? json(nullptr) : value(p));
    return list;
  }

  json value(const Parameter& p) {
    if (p.is_tensor()) return tensor(p);
    if (p.type == "bool") return chance_.in(2);
    if (p.type == "float") return chance_.of(std::vector<double>{0.5, 1, 0, 2, 0.1});
    if (p.type == "str") return chance_.of(documented_strings());
    if (p.type == "Device") return "cpu";
    if (p.type == "Layout") return 0;
    if (p.type == "MemoryFormat") return static_cast<int>(chance_.below(3));
    if (p.type == "ScalarType")
      return {{"dtype", chance_.of(std::vector<std::string>{dtype_, dtype_, "float32", "float64", "int64", "bool"})}};
    if (p.type == "Scalar") {
      if (is_complex(dtype_) && of_complex_.in(3))
        return {
            {"complex", pair_of(of_complex_.of(std::vector<std::complex<double>>{{0.5, -1}, {0, 2}, {-1.5, 0.25}}))}};
      if (chance_.in(3)) return chance_.of(std::vector<double>{0.5, 1.5, -1, 0});
      return static_cast<int>(chance_.of(std::vector<std::int64_t>{1, 2, 0, 3, -1}));
    }
    if (p.type == "int") return chance_.of(std::vector<std::int64_t>{0, 1, side_, 2, -1, 1, side_ * side_, 3});
    return nullptr;
  }

  json tensor(const Parameter& p) {
    Ingredient t;
    t.dtype = dtype_;
    std::int64_t limit = 1 << 20;
    if (is_mask(p.name) && !chance_.in(4)) t.dtype = "bool";
    if (is_index(p.name) && !chance_.in(4)) {
      t.dtype = chance_.in(5) ? "int32" : "int64";
      limit = std::max<std::int64_t>(side_, 1);
    }
    if (chance_.in(10)) t.dtype = chance_.of(std::vector<std::string>{"int64", "bool", "float32", "float64"});
    t.sizes = p.is_out() ? std::vector<std::int64_t>{0} : sizes();
    t.strides = row_major(t.sizes);
    const std::int64_t count = count_of(t.sizes);
    for (std::int64_t i = 0; i < count; ++i) t.values.push_back(element(t.dtype, i, limit));
    made_.tensors.push_back(std::move(t));
    return {{"tensor", made_.tensors.size() - 1}};
  }

  std::vector<std::int64_t> sizes() {
    std::size_t rank = rank_;
    if (chance_.in(4)) rank = chance_.of(std::vector<std::size_t>{0, 1, 1, 2, rank_ + 1, rank_ > 0 ? rank_ - 1 : 0});
    std::vector<std::int64_t> all(std::min<std::size_t>(rank, 5), side_);
    if (!even_ && !all.empty())
      all[chance_.below(all.size())] = chance_.of(std::vector<std::int64_t>{1, 2, 3, side_ + 1});
    return all;
  }

  /// Values differ from one another, some are negative, and those of an index are in range. Imaginary parts have
  /// another period than real ones.
  static std::complex<double> element(const std::string& dtype, std::int64_t i, std::int64_t limit) {
    if (dtype == "bool") return static_cast<double>((i * 7 / 3) % 2);
    if (limit < (1 << 20)) return static_cast<double>(i % limit);
    if (dtype == "uint8") return static_cast<double>((i * 5) % 11);
    if (dtype.starts_with("int")) return static_cast<double>((i * 5) % 11 - 3);
    const double real = static_cast<double>((i * 5) % 11) / 4.0 - 0.875;
    return is_complex(dtype) ? std::complex(real, static_cast<double>((i * 3) % 7) / 2.0 - 1) : real;
  }

  const Operator& op_;
  Chance chance_;
  Chance of_complex_;  ///< apart, so that candidates without complex tensors do not depend on it
  Experiment made_;
  std::string dtype_;
  std::size_t rank_ = 0;
  std::int64_t side_ = 0;
  bool even_ = true;
};

struct Left {
  const char* name;  ///< of an operator, or of a namespace with "::*"
  const char* why;
};
constexpr std::array kLeft{
    Left{"aten::from_file", "it reads and writes files"},
    Left{"aten::_print", "it prints, where the caller answers"},
    Left{"c10d::*", "it talks to other processes"},
    Left{"_c10d_functional::*", "it talks to other processes"},
    Left{"_c10d_functional_autograd::*", "it talks to other processes"},
    Left{"symm_mem::*", "it talks to other processes"},
    Left{"_dtensor::*", "it talks to other processes"},
    Left{"profiler::*", "it changes the profiler of the process"},
    Left{"_test::*", "it is a test of PyTorch's own"},
};

}  // namespace

std::string why_uncallable(const Operator& op) {
  if (op.kernels.empty()) return "no kernel for the device";
  for (const Left& left : kLeft) {
    const std::string name = left.name;
    if (op.name == name || (name.ends_with('*') && op.name.starts_with(name.substr(0, name.size() - 1))))
      return left.why;
  }
  static const std::vector<std::string> known{"Tensor", "int",    "bool",   "Scalar",       "float",    "ScalarType",
                                              "str",    "Device", "Layout", "MemoryFormat", "Generator"};
  for (const Parameter& p : op.arguments)
    if (std::ranges::find(known, p.type) == known.end() && !p.has_default && !p.optional)
      return "no value is known for arguments of the type " + p.type;
  return "";
}

Experiment candidate(const Operator& op, std::uint64_t seed, std::uint64_t number) {
  return Maker(op, Chance(hash_of(op.full_name()) ^ (seed * 0x9e3779b97f4a7c15U) ^ (number * 0xd1342543de82ef95U)))
      .make();
}

std::vector<Ingredient> strided(const std::vector<Ingredient>& tensors) {
  std::vector<Ingredient> all = tensors;
  bool moved = false;
  for (Ingredient& t : all) {
    const std::int64_t count = count_of(t.sizes);
    if (count < 2) continue;
    moved = true;
    const std::vector<std::int64_t> before = t.strides;
    std::int64_t step = 2;
    for (std::size_t d = 0; d < t.sizes.size(); ++d) {  // the first dimension moves fastest
      t.strides[d] = step;
      step *= t.sizes[d];
    }
    t.offset = 1;
    std::vector<std::complex<double>> values(static_cast<std::size_t>(step) + 1, 0.0);
    std::vector<std::int64_t> index(t.sizes.size(), 0);
    for (std::int64_t n = 0; n < count; ++n) {
      std::int64_t from = 0;
      std::int64_t to = t.offset;
      for (std::size_t d = 0; d < index.size(); ++d) {
        from += index[d] * before[d];
        to += index[d] * t.strides[d];
      }
      values[static_cast<std::size_t>(to)] = t.values[static_cast<std::size_t>(from)];
      for (std::size_t d = index.size(); d-- > 0;) {
        if (++index[d] < t.sizes[d]) break;
        index[d] = 0;
      }
    }
    t.values = std::move(values);
  }
  return moved ? all : std::vector<Ingredient>{};
}

std::vector<Ingredient> overlapping(const Operator& op, const Experiment& experiment) {
  std::vector<Ingredient> all = experiment.tensors;
  const std::vector<bool> written = written_tensors(op, experiment);
  bool any = false;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto longer = std::ranges::find_if(all[i].sizes, [](std::int64_t size) { return size > 1; });
    if (!written[i] || longer == all[i].sizes.end() || count_of(all[i].sizes) == 0) continue;
    all[i].strides[static_cast<std::size_t>(longer - all[i].sizes.begin())] = 0;
    any = true;
  }
  return any ? all : std::vector<Ingredient>{};
}

Experiment call_of_twin(const Operator& op, const Operator& twin, const Experiment& experiment) {
  Experiment call = experiment;
  call.op = twin.full_name();
  call.arguments = json::array();
  for (std::size_t i = 0; i < op.arguments.size(); ++i)
    if (!op.arguments[i].is_out()) call.arguments.push_back(experiment.arguments[i]);
  return call;
}

std::vector<std::size_t> tensors_of(const json& argument) {
  std::vector<std::size_t> all;
  if (argument.is_object() && argument.contains("tensor")) all.push_back(argument["tensor"].get<std::size_t>());
  if (argument.is_array())
    for (const json& one : argument)
      for (const std::size_t tensor : tensors_of(one)) all.push_back(tensor);
  return all;
}

std::vector<bool> written_tensors(const Operator& op, const Experiment& experiment) {
  std::vector<bool> written(experiment.tensors.size(), false);
  for (std::size_t i = 0; i < op.arguments.size(); ++i)
    if (op.arguments[i].written)
      for (const std::size_t tensor : tensors_of(experiment.arguments[i])) written[tensor] = true;
  return written;
}

}  // namespace plumbline::sweep
