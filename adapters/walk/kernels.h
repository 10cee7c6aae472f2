// A script's own operators in a walk: what registers them, their calls, and their kernels.
#pragma once

#include <exception>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "adapters/walk/blocks.h"
#include "adapters/walk/given.h"
#include "adapters/walk/key_steps.h"
#include "adapters/walk/restored.h"
#include "adapters/walk/unsupported.h"
#include "spec/vocabulary/schema.h"
#include "spec/vocabulary/statement.h"

namespace plumbline::walk {

/// An error that a script raises itself.
class RaisedByScript : public std::exception {
 public:
  explicit RaisedByScript(std::string message) : message_(std::move(message)) {}
  const char* what() const noexcept override { return message_.c_str(); }

 private:
  std::string message_;
};

/// What a walk has only if its script defines operators. `Walk` has Operators, Tensors, and for a kernel's statements
/// go, unpack and tensors, its variables `slots()`, and `keep(Unsupported)`, which makes it an std::exception.
template <class Walk>
class Kernels {
 public:
  using Tensors = typename Walk::Tensors;
  using Arguments = std::vector<Given<typename Walk::Tensor>>;
  using Operators = typename Walk::Operators;
  using KeyTypes = typename Operators::KeyTypes;
  using Keys = typename KeyTypes::Keys;

  /// Both must outlive it.
  Kernels(Walk& walk, const Script& script) : walk_(walk), script_(script) {
    for (const CustomKernel& kernel : script.kernels)
      bodies_.push_back({kernel.statements, ends_of_blocks(kernel.statements), false});
  }

  void step(const MakeLibrary& statement) { operators().make(statement); }
  void step(const DefineOperator& statement) { operators().define(statement); }
  void step(const AddKernel& statement) { operators().add(statement); }
  void step(const AddFallback& statement) { operators().add(statement); }
  void step(const DropLibrary& statement) { operators().drop(statement); }
  bool is_running() const { return running_.has_value(); }
  bool answer(const QueryKernel& query) { return operators().answer(query); }

  void step(const Invoke& statement) {
    const std::size_t op = statement.op == kCalledOperator ? running().op : static_cast<std::size_t>(statement.op);
    const Arguments inputs =
        statement.passes_arguments ? running().arguments : given(script_.operators.at(op), statement.inputs);
    Tensors results = statement.redispatch ? operators().redispatch(op, keys_of(*statement.redispatch), inputs)
                                           : operators().call(op, inputs);
    if (statement.passes_arguments)
      running().passed = std::move(results);
    else if (!statement.results.empty())
      walk_.unpack(statement.results, std::move(results));
  }

  /// The call with the numbers that the kernel around it was given.
  Call with_numbers(Call call) {
    return plumbline::with_numbers(std::move(call), [this](NumberOf wanted) { return number(wanted); });
  }

  /// Python's `repr(ks)` of the innermost kernel's key set.
  std::string key_set_text() {
    std::string all;
    for (const std::string& name : KeyTypes::names(own_keys())) all += (all.empty() ? "" : ", ") + name;
    return "DispatchKeySet(" + all + ")";
  }

 private:
  /// A kernel that is running.
  struct Running {
    std::optional<Keys> keys;  ///< its key set, if it is `with_keyset`
    std::size_t op;            ///< the operator that was called
    Arguments arguments;
    const CustomKernel* kernel;
    Tensors passed = {};  ///< what its last call with its arguments returned
  };

  Operators& operators() {
    if (!operators_)
      operators_.emplace(script_, [this](std::size_t kernel, std::size_t op, const Arguments& inputs,
                                         const Keys& keys) { return run(kernel, op, inputs, keys); });
    return *operators_;
  }

  Value number(NumberOf wanted) {
    const std::vector<Slot>& parameters = running().kernel->parameters;
    for (std::size_t i = 0; i < parameters.size() && i < running().arguments.size(); ++i) {
      const auto& given = running().arguments[i];
      if (parameters[i] != wanted.parameter) continue;
      if (const auto* integer = std::get_if<std::int64_t>(&given)) return *integer;
      if (const auto* real = std::get_if<double>(&given)) return *real;
      if (const auto* truth = std::get_if<bool>(&given)) return *truth;
    }
    throw Unsupported{"a parameter that is no number is used as one"};
  }

  Arguments given(const CustomOperator& op, const std::vector<Value>& values) {
    Arguments all;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const auto* of = std::get_if<NumberOf>(&values[i]);
      const bool real = op.arguments.at(i).kind == SchemaValue::Kind::real;
      std::visit(
          [&]<class T>(const T& one) {
            if constexpr (std::is_same_v<T, Slot>)
              all.emplace_back(walk_.tensors({one}).front());
            else if constexpr (std::is_same_v<T, std::vector<Slot>>)
              all.emplace_back(walk_.tensors(one));
            else if constexpr (std::is_same_v<T, bool> || std::is_same_v<T, std::int64_t> || std::is_same_v<T, double>)
              all.emplace_back(one);
            else
              all.emplace_back();
          },
          of != nullptr ? as_real(number(*of), real) : values[i]);
    }
    return all;
  }

  /// A parameter that is given no tensor holds nothing.
  void bind_parameters(const CustomKernel& kernel, const Arguments& inputs) {
    Tensors tensors;
    for (const auto& input : inputs) {
      const auto* tensor = std::get_if<typename Walk::Tensor>(&input);
      tensors.push_back(tensor != nullptr ? *tensor : typename Walk::Tensor());
    }
    walk_.unpack(kernel.parameters, std::move(tensors));
  }

  Running& running() {
    if (!running_) throw Unsupported{"a kernel's arguments are passed on outside a kernel"};
    return *running_;
  }
  Keys own_keys() {
    if (!running_ || !running_->keys) throw Unsupported{"a key set is used outside a kernel with a key set"};
    return *running_->keys;
  }
  Keys keys_of(const std::vector<KeyStep>& steps) {
    const bool absolute = !steps.empty() && steps[0].kind == KeyStep::Kind::only;
    return stepped<KeyTypes>(absolute ? Keys() : own_keys(), steps);
  }

  /// A dispatcher expects std::exception, so Unsupported is kept and thrown after the run.
  Tensors run(std::size_t number, std::size_t op, const Arguments& inputs, const Keys& keys) {
    const CustomKernel& kernel = script_.kernels[number];
    const RestoredVariables ends(walk_.slots());
    const Restored outer(running_);
    running_ = Running{kernel.with_keyset ? std::optional<Keys>(keys) : std::nullopt, op, inputs, &kernel};
    const Restored deeper(deep_);
    try {
      if (++deep_ > kDeepestKernels) throw Unsupported{"kernels call each other without end"};
      if (!kernel.any_arguments) bind_parameters(kernel, inputs);
      walk_.go(bodies_[number], 0, kernel.statements.size());
      return kernel.returns_passed ? running_->passed : walk_.tensors(kernel.returned);
    } catch (const Unsupported& unsupported) {
      walk_.keep(unsupported);
      throw std::runtime_error(unsupported.why);
    }
  }

  Walk& walk_;
  const Script& script_;
  std::vector<Body> bodies_;            ///< of the script's kernels
  std::optional<Operators> operators_;  ///< use operators()
  int deep_ = 0;                        ///< how many kernels are running
  std::optional<Running> running_;      ///< the innermost one
};

}  // namespace plumbline::walk
