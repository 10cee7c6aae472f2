// RapidCheck generators: programs as written, and scripts that Python can say.
#include "oracle/tests/program_generators.h"

#include <fmt/format.h>

#include <limits>
#include <set>

#include "oracle/program/refusal.h"
#include "spec/ops.h"

namespace plumbline::program {
namespace {

using rc::gen::arbitrary;
using rc::gen::element;

bool chance(int percent) { return *rc::gen::resize(100, rc::gen::inRange(0, 100)) < percent; }
template <class Integer>
Integer below(Integer end) {
  return *rc::gen::resize(100, rc::gen::inRange<Integer>(0, end));
}

std::string identifier() {
  static const std::string letters = "abcxyzABZ_";
  std::string name;
  for (int i = 0, n = 1 + below(6); i < n; ++i)
    name += i > 0 && chance(20) ? static_cast<char>('0' + below(10)) : letters[below(letters.size())];
  return is_python_keyword(name) ? name + "_" : name;
}

std::string text() {
  static const std::vector<std::string> pieces{
      "a",      "B",          " ",  "#", "\"", "'", "\\", "\n", "\t", "\x7f", std::string(1, '\0'),
      "\u00e9", "\U0001F600", ".*", "(", "r\""};
  std::string out;
  for (int i = 0, n = below(7); i < n; ++i) out += pieces[below(pieces.size())];
  return out;
}

std::string comment() {
  static const std::vector<std::string> pieces{"a", "INF-03", "  b", "#", "\"", "\u00e9", "def f():", "'"};
  std::string out;
  for (int i = 0, n = 1 + below(3); i < n; ++i) out += pieces[below(pieces.size())];
  return out;
}

std::int64_t integer() { return chance(80) ? below(20) - 5 : *arbitrary<std::int64_t>(); }
double real() {
  const double special[] = {0.0,
                            -0.0,
                            1.0,
                            -2.5,
                            0.1,
                            1e300,
                            5e-324,
                            1e16,
                            std::numeric_limits<double>::infinity(),
                            -std::numeric_limits<double>::infinity()};
  return chance(70) ? special[below(std::size(special))] : *arbitrary<double>();
}

Expression dotted_expression() {
  Expression e{Name{identifier()}, {}};
  for (int i = 0, n = below(4); i < n; ++i)
    e = {Attribute{std::make_shared<const Expression>(std::move(e)), identifier()}, {}};
  return e;
}

Expression value(int depth) {
  switch (below(depth > 0 ? 9 : 7)) {
    case 0:
      return {NoneLiteral{}, {}};
    case 1:
      return {*arbitrary<bool>(), {}};
    case 2:
      return {integer(), {}};
    case 3:
      return {real(), {}};
    case 4:
      return {text(), {}};
    case 5:
      return {Name{identifier()}, {}};
    case 6:
      return dotted_expression();
    default: {
      Expressions items;
      for (int i = 0, n = below(4); i < n; ++i) items.push_back(value(depth - 1));
      return chance(50) ? Expression{List{std::move(items)}, {}} : Expression{Tuple{std::move(items)}, {}};
    }
  }
}

Expression call() {
  Invocation call{std::make_shared<const Expression>(dotted_expression()), {}, {}};
  for (int i = 0, n = below(4); i < n; ++i) call.positional.push_back(value(2));
  std::set<std::string> names;
  for (int i = 0, n = below(3); i < n; ++i)
    if (const std::string name = identifier(); names.insert(name).second) call.keywords.emplace_back(name, value(2));
  return {std::move(call), {}};
}

Block block(int depth);

Line line(int depth) {
  Line line{Pass{}, {}, chance(25) ? comment() : ""};
  switch (below(depth > 0 ? 8 : 7)) {
    case 0:
      line.node = Assign{{}, false, call()};
      break;
    case 1: {
      Assign assign{{}, false, chance(70) ? call() : value(2)};
      for (int i = 0, n = 1 + below(3); i < n; ++i) assign.targets.push_back(identifier());
      assign.unpack = assign.targets.size() > 1 || chance(30);
      line.node = std::move(assign);
      break;
    }
    case 2:
      line.node = SetAttribute{identifier(), identifier(), value(1)};
      break;
    case 3:
      line.node = Assert{chance(50) ? call() : dotted_expression(),
                         *element(Relation::equal, Relation::is, Relation::is_not), value(3)};
      break;
    case 4:
      line.node = Return{chance(20) ? std::nullopt : std::optional(chance(50) ? call() : value(1))};
      break;
    case 5:
      break;
    case 6:
      line = Line{Remark{}, {}, comment()};
      break;
    default:
      line.node = With{call(), block(depth - 1)};
  }
  return line;
}

Block block(int depth) {
  Block block;
  for (int i = 0, n = below(4); i < n; ++i) block.push_back(line(depth));
  block.push_back(Line{Pass{}, {}, ""});  // comments alone are no block
  if (chance(30)) block.push_back(Line{Remark{}, {}, comment()});
  return block;
}

std::vector<std::string> comments() {
  std::vector<std::string> lines;
  for (int i = 0, n = chance(50) ? 0 : 1 + below(2); i < n; ++i) lines.push_back(comment());
  return lines;
}

Program program() {
  Program p;
  p.file = "a.py";
  p.header = comments();
  if (chance(70)) p.imports = *element(std::vector<std::string>{"torch"}, std::vector<std::string>{"pytest", "torch"});
  for (int i = 0, n = 1 + below(3); i < n; ++i) {
    Function f;
    f.name = identifier();
    std::set<std::string> parameters;
    for (int k = 0, m = below(3); k < m; ++k) parameters.insert(identifier());
    f.parameters.assign(parameters.begin(), parameters.end());
    f.body = block(2);
    f.comments_above = comments();
    if (chance(30)) f.comment = comment();
    p.functions.push_back(std::move(f));
  }
  p.footer = comments();
  return p;
}

/// Builds one script; `bound` are the slots that can be read.
class ScriptBuilder {
 public:
  Test run() {
    test_.name = "test_generated";
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
  /// A new slot, or one of old; `lasting`: it can be read afterwards.
  Slot target(bool lasting) {
    Slot slot{static_cast<std::int32_t>(script().names.size())};
    if (chance(25) && !script().names.empty()) {
      slot = Slot{static_cast<std::int32_t>(below(script().names.size()))};
    } else {
      script().names.push_back(fmt::format("{}{}", *element('a', 'x', 'y'), script().names.size()));
    }
    if (lasting && std::find(bound_.begin(), bound_.end(), slot) == bound_.end()) bound_.push_back(slot);
    return slot;
  }

  void statements(int count, int depth) {
    for (int i = 0; i < count; ++i) {
      const int kind = below(10);
      if (bound_.empty() || kind == 0) {
        make_tensor();
      } else if (kind < 5) {
        call(true);
      } else if (kind == 5) {
        add(SetRequiresGrad{any_bound(), *arbitrary<bool>()});
      } else if (kind == 6 && depth > 0) {
        const auto guard = *element(GuardKind::inference_mode, GuardKind::no_grad, GuardKind::enable_grad,
                                    GuardKind::set_grad_enabled);
        const bool either = guard == GuardKind::inference_mode || guard == GuardKind::set_grad_enabled;
        add(Enter{guard, either ? *arbitrary<bool>() : guard == GuardKind::enable_grad});
        statements(below(4), depth - 1);
        add(Exit{});
      } else if (kind == 7 && depth > 0) {
        attempt();
      } else {
        read();
      }
    }
  }

  void attempt() {
    ExpectedError error{
        add(Try{}), 0,
        *element<std::string>("RuntimeError", "IndexError", "ValueError", "TypeError", "NotImplementedError"),
        chance(50) ? text() : "", 0};
    if (chance(90)) {
      statements(below(3), 0);
      chance(50) ? call(false) : void(add(Read{any_bound(), Field::version}));
    }
    error.last = add(EndTry{});
    test_.errors.push_back(error);
  }

  void make_tensor() {
    MakeTensor made{{}, *element(Dtype::float32, Dtype::float64, Dtype::int64), {}, {}, *arbitrary<bool>()};
    std::int64_t elements = 1;
    for (int i = 0, n = below(4); i < n; ++i) {
      made.sizes.push_back(1 + below(3));
      elements *= made.sizes.back();
    }
    if (!made.sizes.empty() && chance(20)) made.sizes.back() = elements = 0;
    for (std::int64_t i = 0; i < elements; ++i)
      made.values.push_back(made.dtype == Dtype::int64 ? static_cast<double>(below(9) - 4) : real());
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
      case ArgType::Int:
        return integer();
      case ArgType::IntList: {
        std::vector<std::int64_t> list;
        for (int i = 0, n = below(4); i < n; ++i) list.push_back(integer());
        return list;
      }
      case ArgType::Scalar:
        return chance(50) ? Value(integer()) : Value(real());
      case ArgType::Float:
        return real();
      case ArgType::Bool:
        return *arbitrary<bool>();
      case ArgType::Dtype:
        return *element(Dtype::float32, Dtype::float64, Dtype::int64);
      default:
        return None{};
    }
  }

  void call(bool lasting) {
    const auto id = static_cast<OpId>(below(op_table().size()));
    const Op& o = op(id);
    Call call{id, {}, {}, o.kind == OpKind::Factory && chance(40)};
    bool reads = false;
    for (const Argument& a : o.arguments) call.arguments.push_back(argument(o, a, reads));
    std::set<Slot> results;
    for (int i = 0, n = chance(20) ? 0 : o.many_results ? 1 + below(3) : 1; i < n; ++i)
      if (const Slot slot = target(lasting); results.insert(slot).second) call.results.push_back(slot);
    add(std::move(call));
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
    if (field == Field::values) return read_values(slot);
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

  void read_values(Slot slot) {
    std::vector<std::int64_t> sizes;
    Values values;
    std::size_t elements = 1;
    for (int i = 0, n = below(3); i < n; ++i) {
      sizes.push_back(1 + below(3));
      elements *= static_cast<std::size_t>(sizes.back());
    }
    const bool integers = chance(50);
    for (std::size_t i = 0; i < elements; ++i)
      integers ? values.integers.push_back(integer()) : values.floats.push_back(real());
    expect(add(Read{slot, Field::sizes}), sizes);
    expect(add(Read{slot, Field::values}), values);
  }

  Test test_;
  std::vector<Slot> bound_;
};

}  // namespace

rc::Gen<Program> any_program() {
  return rc::gen::exec([] { return program(); });
}

rc::Gen<Test> any_test() {
  return rc::gen::exec([] { return ScriptBuilder().run(); });
}

}  // namespace plumbline::program
