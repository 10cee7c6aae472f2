// Parts of random scripts: libraries, operators, kernels, fallbacks, and calls of operators.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "language/tests/program_parts.h"
#include "spec/vocabulary/kernel_fits.h"

namespace plumbline::program::random {

/// What the builder of a script uses.
class RegistrationParts : protected ScriptParts {
 protected:
  /// Makes a library, or lets one register something, or ends it. `lasting`: a new library's name is known afterwards.
  void registration(bool lasting) {
    const int kind = below(11);
    if (libraries_.empty() || (kind == 0 && !in_thread_)) return make_library(lasting);
    const std::size_t at = below(libraries_.size());
    const MakeLibrary library = libraries_[at];
    if (kind == 1) {
      libraries_.erase(libraries_.begin() + static_cast<std::ptrdiff_t>(at));
      add(DropLibrary{library.library});
    } else if (kind == 2 || library.space == "_") {
      AddFallback made{library.library, kernel_key()};
      if (chance(80)) made.kernel = fallback();
      add(std::move(made));
    } else {
      of_operator(library, kind < 5);
    }
  }

  void of_operator(const MakeLibrary& library, bool defines) {
    std::vector<std::int32_t> known;
    for (std::size_t i = 0; i < script().operators.size(); ++i)
      if (script().operators[i].name.starts_with(library.space + "::")) known.push_back(static_cast<std::int32_t>(i));
    const bool again = !known.empty() && chance(defines ? 40 : 80);
    const std::int32_t op = again ? known[below(known.size())] : new_operator(library.space);
    if (defines) {
      add(DefineOperator{library.library, op});
      defined_.insert(op);
      return;
    }
    AddKernel made{library.library, op, kernel_key()};
    if (chance(80)) made.kernel = kernel_for(op);
    add(std::move(made));
  }

  void make_library(bool lasting) {
    MakeLibrary made{fmt::format("lib{}", made_++), *element<std::string>("mine", "yours", "_"),
                     static_cast<MakeLibrary::Kind>(below(static_cast<int>(kLibraryKindNames.size())))};
    if (made.space == "_") made.kind = MakeLibrary::Kind::IMPL;
    if (lasting) libraries_.push_back(made);
    add(made);
  }

  std::int32_t new_operator(const std::string& space) {
    std::vector<CustomOperator>& all = script().operators;
    CustomOperator op{fmt::format("{}::f{}_", space, all.size()), {}, {}};
    for (int i = 0, n = 1 + below(3); i < n; ++i) op.arguments.push_back(schema_argument(fmt::format("x{}", i)));
    for (int i = 0, n = below(3); i < n; ++i) op.returns.push_back(schema_tensor(""));
    all.push_back(std::move(op));
    return static_cast<std::int32_t>(all.size()) - 1;
  }

  /// An operator that no statement defines has no schema.
  void forget_schemas() {
    for (std::size_t i = 0; i < script().operators.size(); ++i) {
      if (defined_.contains(static_cast<std::int32_t>(i))) continue;
      script().operators[i].arguments.clear();
      script().operators[i].returns.clear();
    }
  }

  std::int32_t add_kernel(CustomKernel kernel) {
    script().kernels.push_back(std::move(kernel));
    return static_cast<std::int32_t>(script().kernels.size()) - 1;
  }

  using Kinds = std::vector<SchemaValue::Kind>;
  static Kinds kinds_of(const CustomOperator& op) {
    Kinds kinds;
    for (const SchemaValue& argument : op.arguments) kinds.push_back(argument.kind);
    return kinds;
  }
  /// What a kernel's parameters are: tensors, lists and numbers.
  static Kinds kinds_in_kernel(const CustomOperator& op) {
    Kinds kinds = kinds_of(op);
    std::ranges::replace(kinds, SchemaValue::Kind::optional, SchemaValue::Kind::tensor);
    return kinds;
  }

  /// A kernel that fits the operator: a new one, or one that is registered already.
  std::int32_t kernel_for(std::int32_t number) {
    const CustomOperator op = script().operators[static_cast<std::size_t>(number)];
    const Kinds kinds = kinds_in_kernel(op);
    const std::vector<CustomKernel>& all = script().kernels;
    // Before the definition, a kernel's parameters are tensors.
    const bool known = defined_.contains(number) || kinds == Kinds(kinds.size(), SchemaValue::Kind::tensor);
    std::vector<std::int32_t> fitting;
    for (std::size_t i = 0; i < all.size(); ++i) {
      const auto one = static_cast<std::int32_t>(i);
      const bool takes = all[i].any_arguments || (known && kinds_.at(one) == kinds);
      if (takes && !fallbacks_.contains(one) && misfit(all[i], op, script().operators).empty()) fitting.push_back(one);
    }
    if (!fitting.empty() && chance(50)) return fitting[below(fitting.size())];
    if (!known || chance(40)) return add_kernel(any_kernel(&op));
    const std::int32_t made = add_kernel(new_kernel(op, defined_.contains(number) && chance(15)));
    kinds_[made] = kinds;
    return made;
  }

  std::int32_t fallback() {
    if (!fallbacks_.empty() && chance(50)) return *fallbacks_.begin();
    const std::int32_t number = add_kernel(any_kernel(nullptr));
    fallbacks_.insert(number);
    return number;
  }

  CustomKernel named_kernel(int with_keyset) {
    CustomKernel made{fmt::format("kernel{}", script().kernels.size())};
    made.with_keyset = chance(with_keyset);
    return made;
  }

  /// Its statements are calls of ops and operators, guards, and entries in the log.
  CustomKernel new_kernel(const CustomOperator& op, bool raises) {
    CustomKernel made = named_kernel(30);
    made.statements = own_statements([&] {
      bound_.clear();
      std::vector<Slot> tensors;
      for (const SchemaValue::Kind kind : kinds_in_kernel(op)) {
        const bool tensor = kind == SchemaValue::Kind::tensor;
        made.parameters.push_back(tensor ? fresh(true) : single());
        if (tensor) tensors.push_back(made.parameters.back());
        if (is_number(kind)) numbers_.emplace_back(made.parameters.back(), kind);
      }
      if (tensors.empty()) make_tensor();
      for (int i = 0, n = below(4); i < n; ++i) {
        const bool guarded = chance(30);
        if (guarded) add(any_guard());
        chance(70) || defined_.empty() ? call(true) : invoke(made.with_keyset);
        if (chance(30)) entry(made.with_keyset);
        if (guarded) add(Exit{});
      }
      if (raises) add(RaiseError{text()});
      for (std::size_t i = 0; i < op.returns.size() && !(raises && tensors.empty()); ++i)
        made.returned.push_back(raises ? tensors.front() : any_bound());
      numbers_.clear();
    });
    return made;
  }

  /// A kernel with `*args`; without an operator, a fallback, which fits all operators.
  CustomKernel any_kernel(const CustomOperator* op) {
    CustomKernel made = named_kernel(50);
    made.any_arguments = true;
    std::vector<std::int32_t> called, returning;
    if (op == nullptr) returning = called = {kCalledOperator};
    for (const std::int32_t one : op == nullptr ? std::set<std::int32_t>() : defined_) {
      const CustomOperator& other = script().operators[static_cast<std::size_t>(one)];
      if (kinds_of(other) != kinds_of(*op)) continue;
      called.push_back(one);
      if (other.returns.size() == op->returns.size()) returning.push_back(one);
    }
    made.statements = own_statements([&] {
      bound_.clear();
      for (int i = 0, n = below(4); i < n; ++i) {
        if (chance(40)) entry(made.with_keyset);
        if (chance(20)) make_tensor();
        if (!called.empty() && chance(30)) pass_on(called, made.with_keyset);
      }
      if (chance(15)) return void(add(RaiseError{text()}));
      made.returns_passed = op == nullptr || (!returning.empty() && chance(40));
      if (made.returns_passed) {
        const bool guarded = chance(30);
        if (guarded) add(any_guard());
        pass_on(returning, made.with_keyset);
        if (guarded) add(Exit{});
        return;
      }
      while (made.returned.size() < op->returns.size()) {
        make_tensor();
        made.returned.push_back(any_bound());
      }
    });
    return made;
  }

  std::int32_t any_defined() {
    return *std::next(defined_.begin(), static_cast<std::ptrdiff_t>(below(defined_.size())));
  }

  void pass_on(const std::vector<std::int32_t>& operators, bool ks) {
    Invoke made{operators[below(operators.size())], {}, {}};
    made.passes_arguments = true;
    if (chance(50)) made.redispatch = key_steps(ks);
    add(std::move(made));
  }

  /// `ks`: in a kernel that is given its key set.
  void invoke(bool ks) {
    const std::int32_t number = any_defined();
    const CustomOperator& op = script().operators[static_cast<std::size_t>(number)];
    Invoke made{number, {}, {}};
    for (const SchemaValue& argument : op.arguments) made.inputs.push_back(operator_argument(argument.kind));
    for (const bool kept = chance(90); kept && made.results.size() < op.returns.size();)
      if (const Slot slot = target(true); std::ranges::find(made.results, slot) == made.results.end())
        made.results.push_back(slot);
    if (chance(ks ? 60 : 20)) made.redispatch = key_steps(ks);
    add(std::move(made));
  }

  void entry(bool ks) { add(ks && chance(50) ? AppendToLog{"", true} : AppendToLog{text()}); }

  bool in_thread_ = false;
  std::vector<MakeLibrary> libraries_;   ///< those that can be used
  int made_ = 0;                         ///< how many were made
  std::set<std::int32_t> defined_;       ///< the operators that are defined above
  std::set<std::int32_t> fallbacks_;     ///< the kernels of fallbacks
  std::map<std::int32_t, Kinds> kinds_;  ///< by kernel with parameters
};

}  // namespace plumbline::program::random
