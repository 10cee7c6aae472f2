// Functionalize's kernels, one for each op that is not composite, generated from the op table.
#include "optimized/ops/kernels.h"

#include <algorithm>
#include <tuple>
#include <vector>

#include "optimized/autograd/arguments.h"
#include "optimized/autograd/inplace_kernels.h"
#include "optimized/functionalize/functionalize.h"
#include "optimized/ops.h"
#include "optimized/tensor/error.h"

namespace plumbline::optimized {

namespace {

void begin_functional(const Tensor& fresh) {
  TensorImpl& impl = fresh.impl();
  impl.keys = impl.keys | Functionality::Functionalize;
}
void begin_functional(const std::vector<Tensor>& fresh) {
  for (const Tensor& one : fresh) begin_functional(one);
}
void begin_functional(const std::tuple<Tensor, Tensor>& fresh) {
  begin_functional(std::get<0>(fresh));
  begin_functional(std::get<1>(fresh));
}

/// The op that returns what an in-place op with the same arguments writes; null if there is none.
const Operator* twin_of(OpId id) {
  const std::optional<OpId> twin = functional_twin(id);
  if (!twin || plumbline::op(*twin).kind != OpKind::Functional || plumbline::op(*twin).composite) return nullptr;
  const auto alike = [](const Argument& a, const Argument& b) { return a.type == b.type && a.optional == b.optional; };
  if (!std::ranges::equal(plumbline::op(*twin).arguments, plumbline::op(id).arguments, alike)) return nullptr;
  return operators[static_cast<std::size_t>(*twin)];
}

/// Row-major, from the first byte of its memory to the last.
bool is_all_of_its_memory(const Tensor& tensor) {
  return tensor.offset() == 0 && tensor.is_contiguous() &&
         static_cast<std::size_t>(tensor.numel() * item_size(tensor.dtype())) == tensor.storage()->bytes();
}

/// Whether the argument has the memory of `written`.
template <class T>
bool shares_memory(const T&, const Tensor&) {
  return false;
}
bool shares_memory(const Tensor& argument, const Tensor& written) { return argument.storage() == written.storage(); }

template <class Op, class Function = typename Op::Function>
struct FunctionalizeKernel;
template <class Op, class R, class... A>
struct FunctionalizeKernel<Op, R(A...)> {
  static R run(const Operator& op, KeySet keys, A... arguments) {
    const KeySet below_it = keys & below(Functionality::Functionalize);
    if constexpr (std::is_same_v<R, const Tensor&>) {
      const Tensor& written = written_of<Op>(arguments...);
      check_captured(written, arguments...);
      if constexpr (Op::kind == OpKind::Inplace) {
        if (written.storage()->is_borrowed()) [[unlikely]]
          if (write_anew(below_it, written, arguments...)) return written;
      }
      if constexpr (Op::kind != OpKind::InplaceView) written.storage()->own();
      redispatch<Op>(op, below_it, arguments...);
      return written;
    } else if constexpr (Op::aliases == Aliases::never) {
      R fresh = redispatch<Op>(op, below_it, arguments...);
      begin_functional(fresh);
      return fresh;
    } else {
      return redispatch<Op>(op, below_it, arguments...);  // a view is functional if its base is
    }
  }

 private:
  /// If a functional tensor is read, only a functional tensor may be written [FunctionalTensorWrapper.cpp].
  static void check_captured(const Tensor& written, const A&... arguments) {
    if (!is_functional_tensor(written) && (... || brings_functional(arguments))) [[unlikely]]
      raise(ErrorClass::captured_write, {"a write of a captured tensor"});
  }
  /// The first write to borrowed memory, if it writes all of it: the result of the functional twin becomes the memory.
  /// In other cases it returns false and does nothing; then the op writes a copy.
  [[gnu::noinline]] static bool write_anew(KeySet keys, const Tensor& written, A... arguments) {
    static const Operator* const twin = twin_of(Op::id);
    const int sharing = (... + static_cast<int>(shares_memory(arguments, written)));  // the written argument is one
    if (twin == nullptr || !is_all_of_its_memory(written) || sharing > 1) return false;
    const Kernel& kernel = twin->kernel(keys);
    if (kernel.unboxed == nullptr) return false;
    Tensor value;
    try {
      value = reinterpret_cast<Twin>(kernel.unboxed)(*twin, keys, arguments...);
    } catch (const Error&) {
      return false;  // the op itself says what is wrong, in its own words
    }
    if (value.dtype() != written.dtype() || !std::ranges::equal(value.sizes(), written.sizes())) return false;
    if (!is_all_of_its_memory(value)) return false;
    written.storage()->take(value.storage());
    return true;
  }
  using Twin = Tensor (*)(const Operator&, KeySet, A...);

  template <class T>
  static bool brings_functional(const T& argument) {
    return own_keys_of(argument).has_any(Functionality::Functionalize);
  }
};

}  // namespace

std::span<const OpKernel> functionalize_kernels() {
  static const std::vector<OpKernel> kernels = [] {
    std::vector<OpKernel> all;
    for_each_op([&]<class Op>() {
      if constexpr (!Op::composite) all.push_back(op_kernel<Op, &FunctionalizeKernel<Op>::run>());
    });
    return all;
  }();
  return kernels;
}

}  // namespace plumbline::optimized
