// Parts of random scripts: variables, calls of ops, and readings.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "language/lower.h"
#include "language/tests/program_random.h"
#include "spec/ops/ops.h"

namespace plumbline::program::random {

/// What the builder of a script uses.
class ScriptParts {
 protected:
  Script& script() { return test_.script; }
  std::size_t add(StatementKind kind) {
    script().statements.push_back({std::move(kind), 0});
    return script().statements.size() - 1;
  }

  Slot any_bound() { return bound_[below(bound_.size())]; }
  Slot fresh(bool lasting) {
    const Slot slot{static_cast<std::int32_t>(script().names.size())};
    script().names.push_back(fmt::format("{}{}", *element('a', 'x', 'y'), script().names.size()));
    mine_.push_back(slot);
    if (lasting) bound_.push_back(slot);
    return slot;
  }
  /// A new slot or an old one; `lasting`: it can be read afterwards.
  Slot target(bool lasting) {
    if (!chance(25) || mine_.empty()) return fresh(lasting);
    const Slot slot = mine_[below(mine_.size())];
    if (lasting && std::find(bound_.begin(), bound_.end(), slot) == bound_.end()) bound_.push_back(slot);
    return slot;
  }

  std::vector<Slot> some_bound() {
    return below(2) == 0 ? std::vector{any_bound()} : std::vector{any_bound(), any_bound()};
  }

  /// The statements that `fill` adds, which have their own variables and see those around them.
  template <class Fill>
  std::vector<Statement> own_statements(const Fill& fill) {
    const std::vector<Slot> outer = bound_;
    const std::vector<Slot> mine = std::exchange(mine_, {});
    std::vector<Statement> before = std::exchange(script().statements, {});
    fill();
    bound_ = outer;
    mine_ = mine;
    return std::exchange(script().statements, std::move(before));
  }

  std::vector<Root> more_roots() {
    std::vector<Root> more;
    while (chance(20)) more.push_back({any_bound(), perhaps_a_slot()});
    return more;
  }
  std::optional<Slot> perhaps_a_slot() { return chance(50) ? std::optional(any_bound()) : std::nullopt; }

  void make_tensor() {
    MakeTensor made = literal();
    made.result = target(true);
    add(std::move(made));
  }

  Value argument(const Op& o, const Argument& a, bool& reads) {
    if (a.optional && chance(40)) return None{};
    switch (a.type) {
      case ArgType::Tensor: {
        const bool number = (o.name == "add" || o.name == "mul_" || o.name == "copy_") && chance(30) && reads;
        reads = true;
        return number ? (chance(50) ? Value(integer()) : Value(real())) : Value(any_bound());
      }
      case ArgType::TensorList: {
        std::vector<Slot> list;
        for (int i = 0, n = below(4); i < n; ++i) list.push_back(any_bound());
        return list;
      }
      default:
        return plain_argument(a.type);
    }
  }

  void call(bool lasting) {
    const auto id = static_cast<OpId>(below(op_table().size()));
    const Op& o = op(id);
    Call call{id, {}, {}, o.kind == OpKind::Factory && chance(40)};
    bool reads = false;
    for (const Argument& a : o.arguments) call.arguments.push_back(argument(o, a, reads));
    std::set<Slot> results;
    for (int i = 0, n = chance(20) ? 0 : o.many_results ? 1 + below(3) : o.results; i < n || short_of(call, o); ++i)
      if (const Slot slot = target(lasting); results.insert(slot).second) call.results.push_back(slot);
    add(std::move(call));
  }

  static bool short_of(const Call& call, const Op& o) {  // some of its results have no slot yet
    return !o.many_results && !call.results.empty() && call.results.size() < o.results;
  }

  void expect(std::size_t statement, Reading reading, bool negated = false) {
    Expectation e;
    e.statement = statement;
    e.expected = std::move(reading);
    e.negated = negated;
    test_.expectations.push_back(std::move(e));
  }
  void expect_key(std::size_t statement) {
    Expectation e;
    e.statement = statement;
    e.negated = *arbitrary<bool>();
    e.contains = *element<std::string>("AutogradCPU", "CPU", "ADInplaceOrView", "SparseCUDA", "AutocastCPU");
    test_.expectations.push_back(std::move(e));
  }

  void read() {
    if (chance(15)) {
      const auto field = static_cast<ThreadField>(below(kThreadFields));
      const std::size_t at = add(ReadThread{field});
      if (chance(50)) return;
      field == ThreadField::inference_mode || field == ThreadField::grad_mode
          ? expect(at, *arbitrary<bool>(), *arbitrary<bool>())
          : expect_key(at);
      return;
    }
    const Slot slot = any_bound();
    const auto field = static_cast<Field>(below(kFields));
    if (chance(30)) return void(add(Read{slot, field}));
    if (field == Field::values || (field == Field::grad && chance(50))) return read_values(slot, field);
    const std::size_t at = add(Read{slot, field});
    switch (field) {
      case Field::dtype:
        return expect(at, *element<std::string>("float32", "int64"), *arbitrary<bool>());
      case Field::sizes:
      case Field::strides:
        return expect(at, *rc::gen::container<std::vector<std::int64_t>>(rc::gen::inRange<std::int64_t>(0, 9)));
      case Field::offset:
      case Field::version:
        return expect(at, integer());
      case Field::storage: {
        Expectation e;
        e.statement = add(Read{any_bound(), Field::storage});
        e.same_as_statement = at;
        e.negated = *arbitrary<bool>();
        return test_.expectations.push_back(std::move(e));
      }
      case Field::grad:
        return expect(at, None{}, *arbitrary<bool>());
      case Field::keys:
        return expect_key(at);
      case Field::base:
        return expect(at, std::int64_t{-1}, *arbitrary<bool>());
      case Field::creation_meta:
        return expect(at, *element<std::string>("DEFAULT", "NO_GRAD_MODE", "INFERENCE_MODE", "MULTI_OUTPUT_NODE"));
      default:
        return expect(at, *arbitrary<bool>(), *arbitrary<bool>());
    }
  }

  void read_values(Slot slot, Field field) {
    const auto [sizes, values] = some_values();
    expect(add(Read{slot, Field::sizes}), sizes);
    expect(add(Read{slot, field}), values);
  }

  Test test_;
  std::vector<Slot> bound_;  ///< the slots that can be read here
  std::vector<Slot> mine_;   ///< the slots that the present function assigned
};

}  // namespace plumbline::program::random
