// RapidCheck generators of scripts that Python can express.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "language/tests/program_generators.h"
#include "language/tests/program_random.h"
#include "spec/ops/ops.h"

namespace plumbline::program {
namespace {

using namespace random;

/// Builds one script; `bound` are the slots that can be read.
class ScriptBuilder {
 public:
  Test run() {
    test_.name = "test_generated";
    for (int i = 0, n = chance(30) ? 1 + below(2) : 0; i < n; ++i) define(i);
    statements(8 + below(20), 2);
    return std::move(test_);
  }

 private:
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

  void statements(int count, int depth) {
    for (int i = 0; i < count; ++i) {
      const int kind = below(14);
      if (bound_.empty() || kind == 0) {
        make_tensor();
      } else if (kind < 5) {
        call(true);
      } else if (kind == 5) {
        add(SetRequiresGrad{any_bound(), *arbitrary<bool>(), *arbitrary<bool>()});
      } else if (kind == 6 && depth > 0) {
        add(any_guard());
        statements(below(4), depth - 1);
        add(Exit{});
      } else if (kind == 7 && depth > 0) {
        attempt(depth - 1);
      } else if (kind == 8) {
        beside_ops(true);
      } else if (kind == 9 && depth > 0 && !in_forward_) {
        thread(depth - 1);
      } else if (kind == 10 && depth > 0) {
        apply(depth - 1);
      } else if (kind == 11 && !script().operators.empty()) {
        invoke();
      } else {
        read();
      }
    }
  }

  /// An operator of the program, with kernels that call ops, guards, and the operators before it.
  void define(int number) {
    CustomOperator op{fmt::format("mine::f{}_", number), {}, {}, {}};
    for (int i = 0, n = 1 + below(2); i < n; ++i) op.arguments.push_back(schema_tensor(fmt::format("x{}", i)));
    for (int i = 0, n = below(3); i < n; ++i) op.returns.push_back(schema_tensor(""));
    for (int i = 0, n = below(3); i < n; ++i) op.kernels.push_back(kernel(op));
    script().operators.push_back(std::move(op));
  }

  CustomKernel kernel(const CustomOperator& op) {
    CustomKernel made{std::string(kKernelKeys[below(kKernelKeys.size())]), chance(20)};
    if (made.falls_through) return made;
    for (std::size_t i = 0; i < op.arguments.size(); ++i) made.parameters.push_back(fresh(true));
    for (int i = 0, n = below(4); i < n; ++i) {
      const bool guarded = chance(30);
      if (guarded) add(any_guard());
      script().operators.empty() || chance(70) ? call(true) : invoke();
      if (guarded) add(Exit{});
    }
    made.with_keyset = chance(30);
    if (made.with_keyset && !script().operators.empty()) invoke(true);
    for (std::size_t i = 0; i < op.returns.size(); ++i) made.returned.push_back(any_bound());
    made.statements = std::exchange(script().statements, {});
    bound_.clear();
    mine_.clear();
    return made;
  }

  void invoke(bool redispatches = false) {
    const std::size_t number = below(script().operators.size());
    const CustomOperator& op = script().operators[number];
    Invoke made{static_cast<std::int32_t>(number), {}, {}};
    for (std::size_t i = 0; i < op.arguments.size(); ++i) made.inputs.push_back(any_bound());
    while (made.results.size() < op.returns.size())
      if (const Slot slot = target(true); std::ranges::find(made.results, slot) == made.results.end())
        made.results.push_back(slot);
    if (redispatches) made.redispatch = key_steps();
    add(std::move(made));
  }

  /// Names that are bound inside a function are not bound elsewhere.
  void thread(int depth) {
    const std::vector<Slot> outer = bound_;
    const std::vector<Slot> mine = std::exchange(mine_, {});
    add(StartThread{});
    statements(below(5), depth);
    if (chance(40)) {
      add(PauseThread{});
      const std::vector<Slot> own = std::exchange(bound_, outer);
      const std::vector<Slot> own_mine = std::exchange(mine_, {});
      statements(below(3), depth - 1);
      bound_ = own;
      mine_ = own_mine;
      add(ResumeThread{});
      statements(below(3), depth - 1);
    }
    add(JoinThread{});
    bound_ = outer;
    mine_ = mine;
  }

  std::vector<Slot> some_bound() {
    return below(2) == 0 ? std::vector{any_bound()} : std::vector{any_bound(), any_bound()};
  }

  void apply(int depth) {
    const std::vector<Slot> outer = bound_;
    const std::vector<Slot> mine = std::exchange(mine_, {});
    const bool was_in_forward = std::exchange(in_forward_, true);
    const auto function = script().functions.size();
    const std::vector<Slot> inputs = some_bound();
    bound_ = inputs;
    script().functions.push_back({fmt::format("F{}", function), {}, {}, {}});
    add(EnterForward{static_cast<std::int32_t>(function), inputs});
    statements(below(4), depth);
    std::size_t saved = 0;
    for (int i = 0, n = below(3); i < n; ++i) {
      ContextCall call{static_cast<ContextKind>(below(3)), some_bound()};
      if (call.kind == ContextKind::save_for_backward) saved = call.tensors.size();
      add(std::move(call));
    }
    LeaveForward leave{some_bound(), {}};
    bound_ = outer;
    mine_ = mine;
    in_forward_ = was_in_forward;
    while (leave.results.size() < leave.returned.size())
      if (const Slot slot = target(true); std::ranges::find(leave.results, slot) == leave.results.end())
        leave.results.push_back(slot);
    const std::size_t count = leave.results.size();
    add(std::move(leave));
    backward(script().functions[function], count, inputs.size(), saved);
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

  void backward(CustomBackward& custom, std::size_t gradients, std::size_t inputs, std::size_t saved) {
    custom.statements = own_statements([&] {
      bound_.clear();
      for (std::size_t i = 0; i < gradients; ++i) custom.gradients.push_back(fresh(true));
      if (saved > 0) {
        LoadSaved load;
        for (std::size_t i = 0; i < saved; ++i) load.results.push_back(fresh(true));
        add(std::move(load));
      }
      for (int i = 0, n = below(4); i < n; ++i) call(true);
      if (chance(30)) {
        add(any_guard());
        call(true);
        add(Exit{});
      }
      for (std::size_t i = 0; i < inputs; ++i) custom.returned.push_back(perhaps_a_slot());
    });
  }

  /// A hook; `returns`: it returns a tensor.
  std::int32_t any_hook(const char* name, bool after, bool returns) {
    const auto number = static_cast<std::int32_t>(script().functions.size());
    CustomBackward& made =
        script().functions.emplace_back(CustomBackward{fmt::format("{}{}", name, number), {}, {}, {}});
    made.statements = own_statements([&] {
      made.gradients = {fresh(true)};
      for (int i = 0, n = below(3); i < n; ++i) call(true);
      if (after && chance(50)) add(GetGrad{fresh(true), made.gradients[0]});
      if (after && chance(50)) add(SetGrad{made.gradients[0], std::nullopt});
      made.returned = {after ? std::nullopt : returns ? any_bound() : perhaps_a_slot()};
    });
    return number;
  }

  void hook() {
    const bool after = chance(30);
    const std::int32_t number = any_hook("hook", after, false);
    add(RegisterHook{any_bound(), number, after});
    if (chance(30)) add(RemoveHook{number});
  }

  void saved_tensors_hooks() {
    const std::int32_t pack = any_hook("pack", false, true), unpack = any_hook("unpack", false, true);
    add(EnterSavedTensorsHooks{pack, unpack});
    for (int i = 0, n = below(3); i < n; ++i) call(false);
    add(Exit{});
  }

  std::vector<Root> more_roots() {
    std::vector<Root> more;
    while (chance(20)) more.push_back({any_bound(), perhaps_a_slot()});
    return more;
  }
  std::optional<Slot> perhaps_a_slot() { return chance(50) ? std::optional(any_bound()) : std::nullopt; }

  /// `.data`, `.grad`, `backward` and the like.
  void beside_ops(bool lasting) {
    const Slot tensor = any_bound();
    switch (below(in_forward_ ? 8 : 9)) {
      case 8:
        return chance(30) ? saved_tensors_hooks() : hook();
      case 0:
        return void(add(GetData{target(lasting), tensor}));
      case 1:
        return void(add(SetData{tensor, any_bound()}));
      case 2:
        return void(add(Backward{tensor, perhaps_a_slot(), *arbitrary<bool>(),
                                 chance(30) ? std::vector<Slot>{any_bound()} : std::vector<Slot>(), more_roots()}));
      case 3:
        return void(add(SetGrad{tensor, perhaps_a_slot()}));
      case 4:
        return void(add(RetainGrad{tensor}));
      case 5:
        return void(add(ManualSeed{integer()}));
      case 6: {
        GetGradients get{tensor, {any_bound()}, {}, perhaps_a_slot(), *arbitrary<bool>(), *arbitrary<bool>()};
        get.more = more_roots();
        if (chance(70)) get.results = {target(lasting)};
        return void(add(std::move(get)));
      }
      default:
        return void(add(GetGrad{target(lasting), tensor}));
    }
  }

  void attempt(int depth) {
    const ExpectedError error{
        add(Try{}), 0,
        *element<std::string>("RuntimeError", "IndexError", "ValueError", "TypeError", "NotImplementedError"),
        chance(50) ? text() : "", 0};
    const std::size_t index = test_.errors.size();
    test_.errors.push_back(error);
    if (chance(90)) {
      statements(below(3), depth);
      chance(50) ? call(false) : chance(50) ? beside_ops(false) : void(add(Read{any_bound(), Field::version}));
    }
    test_.errors[index].last = add(EndTry{});
  }

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
  bool in_forward_ = false;
};

}  // namespace

rc::Gen<Test> any_test() {
  return rc::gen::exec([] { return ScriptBuilder().run(); });
}

}  // namespace plumbline::program
