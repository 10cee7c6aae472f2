// One call of an operator on new tensors, and everything that can be seen of it.
#pragma once

#include <complex>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sweep/operator.h"

namespace plumbline::sweep {

/// A tensor that an experiment makes. It is no view, and its storage is its own.
struct Ingredient {
  std::string dtype;  ///< "float32"
  std::vector<std::int64_t> sizes;
  std::vector<std::int64_t> strides;  ///< in elements; none may be negative
  std::int64_t offset = 0;
  std::vector<std::complex<double>> values;  ///< the elements of the storage, cast to the dtype

  bool operator==(const Ingredient&) const = default;
};

/// Whether elements of this dtype have two parts.
inline bool is_complex(const std::string& dtype) { return dtype.starts_with("complex"); }

/// The state of the thread and of the tensors in which an operator is called.
enum class Setting : std::uint8_t {
  normal,             ///< outside every mode, with tensors made there
  no_grad,            ///< with grad mode off
  inference,          ///< inside inference mode, with tensors made outside
  inference_tensors,  ///< inside inference mode, with tensors made inside
  escaped,            ///< outside, with tensors made inside inference mode
  meta,               ///< on the device meta
  fake,               ///< with tensors of a FakeTensorMode
  functionalized,     ///< under functionalization; what is observed is read after it has written back
  batched,            ///< under vmap, over two examples: the tensors as given, and with the values in reverse order
  backward,           ///< recorded by autograd, with inputs that require grad, followed by a backward
};
std::string_view name_of(Setting setting);
/// Throws std::runtime_error for another name.
Setting setting_named(std::string_view name);
inline constexpr Setting kSettings[] = {
    Setting::normal, Setting::no_grad, Setting::inference,      Setting::inference_tensors, Setting::escaped,
    Setting::meta,   Setting::fake,    Setting::functionalized, Setting::batched,           Setting::backward};

/// One call. An argument is, in JSON: null, true, a number, a string, {"tensor": N} with an index into `tensors`,
/// {"dtype": "float32"}, {"complex": [re, im]}, {"default": true} for what the schema says, or a list of these.
struct Experiment {
  std::string op;  ///< "aten::add_.Tensor"
  std::vector<Ingredient> tensors;
  nlohmann::json arguments = nlohmann::json::array();
  Setting setting = Setting::normal;
  std::uint64_t seed = 1;  ///< of the implementation's random numbers
  /// In the setting `backward`: what is written to after the call and before the backward. A made tensor, or a result
  /// (numbered after the made tensors); -1: nothing.
  std::int64_t disturbed = -1;
  /// In the setting `backward`: the tensors that require grad, by number; nothing: all of a floating dtype.
  std::optional<std::vector<std::int64_t>> leaves = {};
  /// In the setting `backward`: the gradients of the results, null for one without; an empty list: there is no
  /// backward. Nothing: each result that requires grad has the gradient 0.5.
  std::optional<std::vector<std::optional<Ingredient>>> gradients = {};
  bool twice = false;  ///< in the setting `backward`: it runs twice, although the graph is not retained
  bool bare = false;   ///< in the setting `backward`: the call is given the leaves, not clones of them

  bool operator==(const Experiment&) const = default;
};

/// What can be seen of a tensor.
struct Facts {
  bool defined = false;
  std::string dtype, device;
  std::vector<std::int64_t> sizes, strides;
  std::int64_t offset = 0;
  std::string bytes;          ///< of its elements in order, hexadecimal; a hash if there are many, empty without memory
  std::int64_t storage = -1;  ///< a number that tensors with one storage share; -1: it has none
  std::int64_t version = -1;  ///< -1: it has no counter
  bool inference = false;
  bool requires_grad = false;
  bool has_grad_fn = false;
  bool is_view = false;           ///< autograd tracks it as a view
  std::int64_t base = -1;         ///< the made tensor that is its base; -1: none of them
  std::vector<std::string> keys;  ///< its dispatch keys

  bool operator==(const Facts&) const = default;
};

struct Result {
  std::int64_t is = -1;  ///< the made tensor that it is, the very same; -1: none of them
  std::string value;     ///< of a result that is no tensor, as text
  Facts facts;
  std::size_t place = 0;  ///< the result of the schema that it belongs to; those of a list share it
};

struct Observation {
  std::string error;                 ///< its first line; empty: it returned
  std::string error_type;            ///< "Error", "IndexError", …
  std::vector<Facts> before, after;  ///< of the made tensors
  std::vector<Result> results;
  std::vector<Facts> gradients;  ///< in the setting `backward`: of the made tensors; undefined for those that have none
  std::vector<Facts> given;      ///< in the setting `backward`: the gradients of results that it began with
};

/// How an experiment ended without an observation.
struct Broken {
  enum class Kind : std::uint8_t { crash, hang, unsupported } kind;
  std::string message;
};

/// A complex number as the pair of its parts, each of which may be "nan", "inf" or "-inf".
nlohmann::json pair_of(std::complex<double> number);
/// The inverse; a real number has the imaginary part 0. Throws std::exception for another form.
std::complex<double> complex_from(const nlohmann::json& json);

nlohmann::json to_json(const Operator& op);
nlohmann::json to_json(const Experiment& experiment);
nlohmann::json to_json(const Observation& observation);
/// Throw std::exception for another form.
Operator operator_from(const nlohmann::json& json);
Experiment experiment_from(const nlohmann::json& json);
Observation observation_from(const nlohmann::json& json);

}  // namespace plumbline::sweep
