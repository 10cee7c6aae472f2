// Making the tensors, calling the operator through the dispatcher, and reading what can be seen.
#include "sweep/libtorch/perform.h"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>
#include <c10/core/InferenceMode.h>

#include <functional>
#include <map>
#include <optional>
#include <sstream>

#include "sweep/libtorch/arguments.h"
#include "sweep/libtorch/operators.h"

namespace plumbline::sweep::libtorch {

namespace {

constexpr std::int64_t kShownBytes = 16384;  // of more, only a hash

/// What an error says first, without the place in C++.
std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

/// Reads facts, and numbers storages as it meets them.
class Reader {
 public:
  explicit Reader(const std::vector<at::Tensor>& made) : made_(made) {}

  Facts read(const at::Tensor& t) {
    Facts f;
    f.defined = t.defined();
    if (!f.defined) return f;
    f.dtype = t.layout() == c10::kStrided ? name_of(t.scalar_type()) : name_of(t.scalar_type()) + ", " + layout_of(t);
    f.device = t.device().str();
    f.sizes = t.sizes().vec();
    if (t.layout() == c10::kStrided) {
      f.strides = t.strides().vec();
      f.offset = t.storage_offset();
    }
    f.bytes = bytes(t);
    if (t.has_storage())
      f.storage = storages_.try_emplace(t.storage().unsafeGetStorageImpl(), storages_.size()).first->second;
    f.inference = t.is_inference();
    f.version = f.inference ? -1 : t._version();
    f.requires_grad = t.requires_grad();
    f.has_grad_fn = !f.inference && t.grad_fn() != nullptr;
    f.is_view = !f.inference && t.is_view();
    if (f.is_view) f.base = made_as(t._base());
    for (const c10::DispatchKey key : t.key_set()) f.keys.emplace_back(c10::toString(key));
    return f;
  }

  std::int64_t made_as(const at::TensorBase& t) const {
    for (std::size_t i = 0; i < made_.size(); ++i)
      if (made_[i].is_same(t)) return static_cast<std::int64_t>(i);
    return -1;
  }

 private:
  static std::string layout_of(const at::Tensor& t) {
    std::ostringstream text;
    text << t.layout();
    return text.str();
  }

  /// Its elements in order. Nothing is called that could write.
  static std::string bytes(const at::Tensor& t) {
    if (!t.device().is_cpu() || t.layout() != c10::kStrided || !t.has_storage() || t.numel() == 0) return "";
    const auto size = static_cast<std::int64_t>(t.element_size());
    const auto* data = static_cast<const char*>(t.storage().unsafeGetStorageImpl()->data());
    const auto room = static_cast<std::int64_t>(t.storage().nbytes());
    if (data == nullptr) return "";
    std::string all(t.is_conj() ? "conj:" : t.is_neg() ? "neg:" : "");
    std::vector<std::int64_t> index(static_cast<std::size_t>(t.dim()), 0);
    std::string raw;
    for (std::int64_t n = 0; n < t.numel(); ++n) {
      std::int64_t at = t.storage_offset();
      for (std::size_t d = 0; d < index.size(); ++d) at += index[d] * t.stride(static_cast<std::int64_t>(d));
      if (at < 0 || (at + 1) * size > room) return all + "outside memory";
      raw.append(data + at * size, static_cast<std::size_t>(size));
      for (std::size_t d = index.size(); d-- > 0;) {
        if (++index[d] < t.size(static_cast<std::int64_t>(d))) break;
        index[d] = 0;
      }
    }
    if (static_cast<std::int64_t>(raw.size()) > kShownBytes)
      return all + "#" + std::to_string(std::hash<std::string>()(raw));
    static constexpr char kDigits[] = "0123456789abcdef";
    for (const char c : raw) {
      all += kDigits[static_cast<unsigned char>(c) >> 4];
      all += kDigits[static_cast<unsigned char>(c) & 15];
    }
    return all;
  }

  const std::vector<at::Tensor>& made_;
  std::map<const c10::StorageImpl*, std::int64_t> storages_;
};

void add_results(Observation& seen, Reader& reader, const c10::IValue& value, std::size_t place) {
  const auto add = [&](const at::Tensor& t) {
    seen.results.push_back({t.defined() ? reader.made_as(t) : -1, "", reader.read(t), place});
  };
  if (value.isTensor()) return add(value.toTensor());
  if (value.isTensorList()) {
    for (const at::Tensor& t : value.toTensorVector()) add(t);
    return;
  }
  std::ostringstream text;
  if (value.isScalar() || value.isString() || value.isNone() || value.isDevice() || value.isIntList() ||
      value.isDoubleList() || value.isBoolList())
    text << value;
  else
    text << value.tagKind();  // its text could have an address
  seen.results.push_back({-1, text.str(), {}, place});
}

/// The first of these that `error` is.
std::string type_of(const c10::Error& error) {
  if (dynamic_cast<const c10::IndexError*>(&error) != nullptr) return "IndexError";
  if (dynamic_cast<const c10::ValueError*>(&error) != nullptr) return "ValueError";
  if (dynamic_cast<const c10::TypeError*>(&error) != nullptr) return "TypeError";
  if (dynamic_cast<const c10::NotImplementedError*>(&error) != nullptr) return "NotImplementedError";
  return "RuntimeError";
}

}  // namespace

Observation perform(const Experiment& experiment) {
  const Setting setting = experiment.setting;
  const c10::OperatorHandle handle = handle_of(experiment.op);
  std::vector<at::Tensor> made;
  {
    const bool inside = setting == Setting::inference_tensors || setting == Setting::escaped;
    std::optional<c10::InferenceMode> mode;
    if (inside) mode.emplace();
    for (const Ingredient& one : experiment.tensors) made.push_back(make(one, setting == Setting::meta));
  }
  torch::jit::Stack stack = stack_of(handle.schema(), experiment.arguments, made);
  Reader reader(made);
  Observation seen;
  for (const at::Tensor& t : made) seen.before.push_back(reader.read(t));
  at::manual_seed(experiment.seed);
  try {
    std::optional<c10::InferenceMode> mode;
    if (setting == Setting::inference || setting == Setting::inference_tensors) mode.emplace();
    const c10::AutoGradMode grad(setting != Setting::no_grad && c10::GradMode::is_enabled());
    handle.callBoxed(stack);
    for (std::size_t i = 0; i < stack.size(); ++i) add_results(seen, reader, stack[i], i);
  } catch (const c10::Error& error) {
    seen.error = first_line(error.what_without_backtrace());
    seen.error_type = type_of(error);
  } catch (const std::exception& error) {
    seen.error = first_line(error.what());
    seen.error_type = "std::exception";
  }
  if (!seen.error_type.empty() && seen.error.empty()) seen.error = "(no text)";
  for (const at::Tensor& t : made) seen.after.push_back(reader.read(t));
  return seen;
}

}  // namespace plumbline::sweep::libtorch
