// Raising: from a script back to a program, statement by statement. Asserts are written in raise_assert.cpp.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>

#include "oracle/program/guards.h"
#include "oracle/program/observe.h"
#include "oracle/program/print.h"
#include "oracle/program/raiser.h"
#include "oracle/program/refusal.h"
#include "oracle/program/resolve.h"

namespace plumbline::program {
namespace {

[[noreturn]] void cannot(std::size_t statement, const std::string& why) {
  throw std::invalid_argument(fmt::format("statement {} has no form in Python: {}", statement, why));
}

/// Names that Python and the subset allow, each once; others become x0, x1, ….
std::vector<std::string> python_names(const std::vector<std::string>& wanted, const std::string& test) {
  std::set<std::string> taken{"device", "torch", "pytest", "list", "tuple", "float", "print", "match", test};
  std::vector<std::string> names;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    std::string name = wanted[i];
    const auto allowed = [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c >= '0' && c <= '9');
    };
    const bool plain =
        !name.empty() && std::all_of(name.begin(), name.end(), allowed) && !(name[0] >= '0' && name[0] <= '9');
    if (!plain || is_python_keyword(name) || taken.contains(name)) name = fmt::format("x{}", i);
    while (taken.contains(name)) name += "_";
    taken.insert(name);
    names.push_back(name);
  }
  return names;
}

bool same_value(const Value& a, const Value& b) {
  const auto *x = std::get_if<double>(&a), *y = std::get_if<double>(&b);
  return a == b || (x != nullptr && y != nullptr && std::isnan(*x) && std::isnan(*y));
}

/// `[[1.0, 2.0], [3.0, 4.0]]` from row-major values.
Expression nest(const Expressions& items, const std::vector<std::int64_t>& sizes, std::size_t depth,
                std::size_t& next) {
  if (depth == sizes.size()) return items.at(next++);
  List list;
  for (std::int64_t i = 0; i < sizes[depth]; ++i) list.items.push_back(nest(items, sizes, depth + 1, next));
  return {std::move(list), {}};
}

bool has_cpp_guard(const Script& script) {
  return std::ranges::any_of(script.statements, [](const Statement& s) {
    const auto* enter = std::get_if<Enter>(&s.kind);
    return enter != nullptr && enter->kind == GuardKind::auto_non_variable_type_mode;
  });
}

/// Writes a script, block by block.
class Raiser {
 public:
  explicit Raiser(const Test& test)
      : test_(test), names_(python_names(test.script.names, test.name)), asserts_(test, names_) {}

  Program run() {
    blocks_.emplace_back();
    for (at_ = 0; at_ < test_.script.statements.size(); ++at_)
      std::visit([this](const auto& statement) { write(statement); }, test_.script.statements[at_].kind);
    if (blocks_.size() != 1) cannot(at_, "a guard or a Try is never left");
    Function function;
    function.name = test_.name.starts_with("test_") ? test_.name : "test_" + test_.name;
    function.parameters = {"device"};
    function.body = finished();
    for (const auto* ids : {&test_.rules, &test_.sentences})
      for (const std::string& id : *ids) function.comment += (function.comment.empty() ? "" : " ") + id;
    Program program;
    program.file = function.name + ".py";
    program.functions.push_back(std::move(function));
    const std::string text = print(program);
    if (text.find("pytest.") != std::string::npos) program.imports.emplace_back("pytest");
    if (text.find("torch.") != std::string::npos) program.imports.emplace_back("torch");
    return program;
  }

 private:
  struct Open {
    std::optional<Expression> item;  ///< of the `with`; none: the function itself
    bool is_try = false;
    bool is_cpp = false;  ///< Python has no such guard
    Block body;
  };

  Block finished() {
    Block body = std::move(blocks_.back().body);
    if (body.empty()) body.push_back(Line{Pass{}, {}, ""});
    blocks_.pop_back();
    return body;
  }
  void close(bool is_try) {
    if (!blocks_.back().item || blocks_.back().is_try != is_try)
      cannot(at_, "it leaves a guard or a Try that is not the innermost");
    Expression item = *blocks_.back().item;
    const bool is_cpp = blocks_.back().is_cpp;
    Block body = finished();
    add(With{std::move(item), std::move(body)});
    if (is_cpp) blocks_.back().body.back().comment = "C++ only";
  }
  void add(decltype(Line::node) node) { blocks_.back().body.push_back(Line{std::move(node), {}, ""}); }

  const std::string& name(Slot slot) const {
    if (static_cast<std::size_t>(slot) >= names_.size()) cannot(at_, "its slot has no name");
    return names_[static_cast<std::size_t>(slot)];
  }
  Expression expression(const Value& value) const {
    struct Writer {
      const Raiser& raiser;
      Expression operator()(None) const { return {NoneLiteral{}, {}}; }
      Expression operator()(bool truth) const { return {truth, {}}; }
      Expression operator()(std::int64_t integer) const { return {integer, {}}; }
      Expression operator()(double real) const { return {real, {}}; }
      Expression operator()(Dtype dtype) const { return dotted("torch." + std::string(name_of(dtype))); }
      Expression operator()(Slot slot) const { return {Name{raiser.name(slot)}, {}}; }
      Expression operator()(const std::vector<Slot>& tensors) const {
        List list;
        for (const Slot slot : tensors) list.items.push_back((*this)(slot));
        return {std::move(list), {}};
      }
      Expression operator()(const std::vector<std::int64_t>& integers) const {
        List list;
        for (const std::int64_t i : integers) list.items.push_back({i, {}});
        return {std::move(list), {}};
      }
    };
    return std::visit(Writer{*this}, value);
  }

  /// The call in the first of Python's forms that means this op with these arguments.
  void write(const Call& call) {
    const Op& o = op(call.op);
    for (const CallForm form : {CallForm::method, CallForm::function, CallForm::packet}) {
      if (!has_form(o, form) || (form == CallForm::method && !std::holds_alternative<Slot>(call.arguments[0])))
        continue;
      if (auto written = in_form(call, o, form)) {
        Assign assign{{}, o.many_results && !call.results.empty(), std::move(*written)};
        for (const Slot slot : call.results) assign.targets.push_back(name(slot));
        return add(std::move(assign));
      }
    }
    cannot(at_, "no call in Python means " + qualified_name(o) + " with these arguments");
  }

  std::optional<Expression> in_form(const Call& call, const Op& o, CallForm form) const {
    Actuals actuals;
    std::size_t given = o.arguments.size();
    const auto is_default = [&](std::size_t i) {
      return o.arguments[i].default_value && same_value(call.arguments[i], default_of(o.arguments[i]));
    };
    while (given > 0 && (o.arguments[given - 1].keyword_only || is_default(given - 1))) --given;
    Invocation written;
    for (std::size_t i = 0; i < given; ++i) {
      actuals.positional.push_back({call.arguments[i], {}});
      if (i > 0 || form != CallForm::method) written.positional.push_back(expression(call.arguments[i]));
    }
    const auto keyword = [&](std::string_view keyword_name, const decltype(Actual::value)& value, Expression text) {
      actuals.keywords.emplace_back(std::string(keyword_name), Actual{value, {}});
      written.keywords.push_back({std::string(keyword_name), std::move(text)});
    };
    for (std::size_t i = given; i < o.arguments.size(); ++i) {
      if (o.arguments[i].type == ArgType::Device) {
        keyword(o.arguments[i].name, Dropped::device, {Name{"device"}, {}});
      } else if (!is_default(i)) {
        keyword(o.arguments[i].name, call.arguments[i], expression(call.arguments[i]));
      }
    }
    if (call.requires_grad) keyword("requires_grad", Value(true), {true, {}});
    const std::string overload = o.overload.empty() ? "default" : std::string(o.overload);
    const auto result = resolve(form, o.name, form == CallForm::packet ? overload : "", actuals);
    const auto* resolved = std::get_if<Resolved>(&result);
    const bool same = resolved != nullptr && resolved->op == call.op && resolved->requires_grad == call.requires_grad &&
                      std::equal(resolved->arguments.begin(), resolved->arguments.end(), call.arguments.begin(),
                                 call.arguments.end(), same_value);
    if (!same) return std::nullopt;
    const std::string callee = form == CallForm::method
                                   ? name(std::get<Slot>(call.arguments[0])) + "." + std::string(o.name)
                               : form == CallForm::function ? "torch." + std::string(o.name)
                                                            : fmt::format("torch.ops.aten.{}.{}", o.name, overload);
    written.callee = std::make_shared<const Expression>(dotted(callee));
    return Expression{std::move(written), {}};
  }

  void write(const MakeTensor& made) {
    const auto zero = std::find(made.sizes.begin(), made.sizes.end(), 0);
    if (zero != made.sizes.end() && zero + 1 != made.sizes.end())
      cannot(at_, "no list has sizes with a 0 before the last");
    Expressions items;
    for (const double value : made.values)
      items.push_back(made.dtype == Dtype::int64 ? Expression{static_cast<std::int64_t>(value), {}}
                                                 : Expression{value, {}});
    std::size_t elements = 1, next = 0;
    for (const std::int64_t size : made.sizes) elements *= static_cast<std::size_t>(size);
    if (items.size() != elements) cannot(at_, "its values are not as many as its sizes say");
    Invocation call{std::make_shared<const Expression>(dotted("torch.tensor")), {nest(items, made.sizes, 0, next)}, {}};
    const Dtype inferred = items.empty() || made.dtype != Dtype::int64 ? Dtype::float32 : Dtype::int64;
    if (made.dtype != inferred) call.keywords.push_back({"dtype", expression(made.dtype)});
    call.keywords.push_back({"device", Expression{Name{"device"}, {}}});
    if (made.requires_grad) call.keywords.push_back({"requires_grad", Expression{true, {}}});
    add(Assign{{name(made.result)}, false, Expression{std::move(call), {}}});
  }

  void write(const Enter& enter) {
    blocks_.push_back({written(enter), false, enter.kind == GuardKind::auto_non_variable_type_mode, {}});
  }
  void write(const Exit&) { close(false); }

  void write(const Try&) {
    const auto found = std::find_if(test_.errors.begin(), test_.errors.end(),
                                    [this](const ExpectedError& e) { return e.first == at_; });
    Invocation call{std::make_shared<const Expression>(dotted("pytest.raises")), {}, {}};
    call.positional.push_back({Name{found == test_.errors.end() ? "RuntimeError" : found->exception}, {}});
    if (found != test_.errors.end() && !found->match.empty())
      call.keywords.push_back({"match", Expression{found->match, {}}});
    blocks_.push_back({Expression{std::move(call), {}}, true, false, {}});
  }
  void write(const EndTry&) { close(true); }

  void write(const SetRequiresGrad& set) { add(SetAttribute{name(set.tensor), "requires_grad", {set.value, {}}}); }
  void write(const GetData& get) { add(Assign{{name(get.result)}, false, part(get.tensor, "data")}); }
  void write(const SetData& set) { add(SetAttribute{name(set.tensor), "data", {Name{name(set.data)}, {}}}); }
  void write(const Backward& backward) { add(Assign{{}, false, call_of(name(backward.tensor) + ".backward", {})}); }
  template <class T>
  void write(const T&) {
    cannot(at_, "this kind of statement cannot be raised yet");
  }
  void write(const GetGrad& get) { add(Assign{{name(get.result)}, false, part(get.tensor, "grad")}); }
  Expression part(Slot tensor, std::string_view which) const {
    return dotted(fmt::format("{}.{}", name(tensor), which));
  }
  void write(const Read&) {
    if (auto line = asserts_.line(at_)) add(std::move(*line));
  }
  void write(const ReadThread&) {
    if (auto line = asserts_.line(at_)) add(std::move(*line));
  }
  void write(const Snapshot&) {}  // no form in Python: see lower.h

  const Test& test_;
  std::vector<std::string> names_;
  AssertWriter asserts_;
  std::vector<Open> blocks_;
  std::size_t at_ = 0;
};

}  // namespace

Expression nested_list(const Expressions& items, const std::vector<std::int64_t>& sizes) {
  std::size_t next = 0;
  return nest(items, sizes, 0, next);
}

Program raise(const Test& test) {
  Program program = Raiser(test).run();
  if (has_cpp_guard(test.script)) return program;
  try {
    lower(program);  // what is written must also be read: a slot that is read before it is assigned is seen here
  } catch (const ProgramError& error) {
    throw std::invalid_argument(error.what());
  }
  return program;
}

}  // namespace plumbline::program
