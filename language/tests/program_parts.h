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
  /// A slot that no other statement assigns.
  Slot single() {
    const Slot slot{static_cast<std::int32_t>(script().names.size())};
    script().names.push_back(fmt::format("{}{}", *element('a', 'x', 'y'), script().names.size()));
    return slot;
  }
  Slot fresh(bool lasting) {
    const Slot slot = single();
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
    const std::vector<Slot> metas = std::exchange(metas_, {});
    std::vector<Statement> before = std::exchange(script().statements, {});
    fill();
    bound_ = outer;
    mine_ = mine;
    metas_ = metas;
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

  void make_meta_tensor() {
    MakeMetaTensor made{single(), any_dtype(), some_values().first};
    metas_.push_back(made.result);
    add(std::move(made));
  }

  /// A value for an argument that is no tensor; in a kernel perhaps a number that it is given.
  Value no_tensor(ArgType type) {
    using enum SchemaValue::Kind;
    std::vector<Slot> fitting;
    for (const auto& [parameter, kind] : numbers_)
      if (type == ArgType::Scalar || (type == ArgType::Bool && kind == truth) ||
          (type == ArgType::Int && kind == integer) || (type == ArgType::Float && kind != truth))
        fitting.push_back(parameter);
    if (fitting.empty() || chance(50)) return plain_argument(type);
    return NumberOf{fitting[below(fitting.size())]};
  }

  Value argument(const Op& o, const Argument& a, bool& reads) {
    if (a.optional && chance(40)) return None{};
    switch (a.type) {
      case ArgType::Tensor: {
        const bool number = (o.name == "add" || o.name == "mul_" || o.name == "copy_") && chance(30) && reads;
        reads = true;
        return number ? no_tensor(ArgType::Scalar) : Value(any_bound());
      }
      case ArgType::TensorList: {
        std::vector<Slot> list;
        for (int i = 0, n = below(4); i < n; ++i) list.push_back(any_bound());
        return list;
      }
      default:
        return no_tensor(a.type);
    }
  }

  Slot any_tensor() { return !metas_.empty() && chance(20) ? metas_[below(metas_.size())] : any_bound(); }
  /// A value for an argument of one of the script's operators.
  Value operator_argument(SchemaValue::Kind kind) {
    switch (kind) {
      case SchemaValue::Kind::tensor:
        return any_tensor();
      case SchemaValue::Kind::optional:
        return chance(30) ? Value(None{}) : Value(any_tensor());
      case SchemaValue::Kind::list: {
        std::vector<Slot> list;
        for (int i = 0, n = below(3); i < n; ++i) list.push_back(any_tensor());
        return list;
      }
      case SchemaValue::Kind::integer:
        return no_tensor(ArgType::Int);
      case SchemaValue::Kind::real:
        return no_tensor(ArgType::Float);
      default:
        return no_tensor(ArgType::Bool);
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

  /// A reading of the log, or a question.
  void ask() {
    const int kind = below(3);
    if (kind == 0) {
      const std::size_t at = add(ReadLog{});
      if (chance(80)) expect(at, chance(50) ? std::vector<std::string>{text(), "a"} : std::vector<std::string>{});
      return;
    }
    QueryKernel query{*element<std::string>("mine::f0_", "other::g"), chance(70) ? "CPU" : text(),
                      static_cast<QueryKernel::What>(below(static_cast<int>(kQueryNames.size())))};
    const std::size_t at = kind == 1 ? add(std::move(query)) : add(QueryThreadKey{any_key(), *arbitrary<bool>()});
    if (chance(70)) expect(at, *arbitrary<bool>(), *arbitrary<bool>());
  }

  void read() {
    if (chance(20)) return ask();
    if (chance(15)) {
      const auto field = static_cast<ThreadField>(below(kThreadFields));
      const std::size_t at = add(ReadThread{field});
      if (chance(50)) return;
      field == ThreadField::inference_mode || field == ThreadField::grad_mode
          ? expect(at, *arbitrary<bool>(), *arbitrary<bool>())
          : expect_key(at);
      return;
    }
    const Slot slot = any_tensor();
    const auto field = static_cast<Field>(below(kFields));
    const bool meta = std::ranges::find(metas_, slot) != metas_.end();
    if (meta && (field == Field::values || field == Field::grad)) return;
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
  std::vector<Slot> metas_;  ///< the meta tensors that can be read here; they are not in `bound_`
  std::vector<std::pair<Slot, SchemaValue::Kind>> numbers_;  ///< the parameters of the present kernel that are numbers
};

}  // namespace plumbline::program::random
