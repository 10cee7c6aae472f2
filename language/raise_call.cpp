// Raising calls: the form in Python that means an op with its arguments, and `torch.tensor`.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "language/observe.h"
#include "language/raiser.h"
#include "language/resolve.h"

namespace plumbline::program {
namespace {

bool same_value(const Value& a, const Value& b) {
  const auto *x = std::get_if<double>(&a), *y = std::get_if<double>(&b);
  const auto *u = std::get_if<Complex>(&a), *v = std::get_if<Complex>(&b);
  if (u != nullptr && v != nullptr) return ComplexNumber{u->real, u->imag} == ComplexNumber{v->real, v->imag};
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

/// The index of the argument `self`; the number of arguments if the op has none.
std::size_t self_place(const Op& o) {
  const auto found = std::ranges::find(o.arguments, std::string_view("self"), &Argument::name);
  return static_cast<std::size_t>(found - o.arguments.begin());
}

/// The tensor whose method the op is.
const Slot* self_of(const Call& call, const Op& o) {
  const std::size_t self = self_place(o);
  return self < call.arguments.size() ? std::get_if<Slot>(&call.arguments[self]) : nullptr;
}

}  // namespace

void cannot(std::size_t statement, const std::string& why) {
  throw std::invalid_argument(fmt::format("statement {} has no form in Python: {}", statement, why));
}

const std::string& CallWriter::name(Slot slot) const {
  if (static_cast<std::size_t>(slot) >= names_.size()) throw std::invalid_argument("a slot has no name");
  return names_[static_cast<std::size_t>(slot)];
}

Expression CallWriter::value(const Value& value) const {
  struct Writer {
    const CallWriter& calls;
    Expression operator()(None) const { return {NoneLiteral{}, {}}; }
    Expression operator()(bool truth) const { return {truth, {}}; }
    Expression operator()(std::int64_t integer) const { return {integer, {}}; }
    Expression operator()(double real) const { return {real, {}}; }
    Expression operator()(const Complex& number) const { return {ComplexNumber{number.real, number.imag}, {}}; }
    Expression operator()(const std::string& text) const { return {text, {}}; }
    Expression operator()(Dtype dtype) const { return dotted("torch." + std::string(name_of(dtype))); }
    Expression operator()(Slot slot) const { return {Name{calls.name(slot)}, {}}; }
    Expression operator()(NumberOf number) const { return (*this)(number.parameter); }
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

/// The memory format that an argument is.
std::optional<MemoryFormat> CallWriter::format(const Value& value, const Argument& argument) {
  const auto* number = std::get_if<std::int64_t>(&value);
  return number == nullptr || argument.type != ArgType::MemoryFormat ? std::nullopt : memory_format_of(*number);
}

Expression CallWriter::argument(const Value& given, const Argument& argument, const Expression& device) const {
  const auto* text = std::get_if<std::string>(&given);
  if (argument.type == ArgType::Device && text != nullptr && *text == kTestDevice) return device;
  if (const auto known = format(given, argument)) return dotted("torch." + std::string(name_of(*known)));
  return value(given);
}

Actual CallWriter::actual(const Value& value, const Argument& argument) const {
  if (const auto known = format(value, argument)) return {*known, {}};
  const auto* number = std::get_if<NumberOf>(&value);
  const auto found = number == nullptr ? numbers_.end() : numbers_.find(number->parameter);
  return found == numbers_.end() ? Actual{value, {}} : Actual{value, {}, found->second};
}

std::optional<Expression> CallWriter::call(const Call& call, const Expression& device) const {
  for (const CallForm form : {CallForm::method, CallForm::function, CallForm::packet}) {
    const Op& o = op(call.op);
    if (!has_form(o, form) || (form == CallForm::method && !self_of(call, o))) continue;
    if (auto written = in_form(call, form, device)) return written;
  }
  return std::nullopt;
}

std::optional<Expression> CallWriter::in_form(const Call& call, CallForm form, const Expression& device) const {
  const Op& o = op(call.op);
  Actuals actuals;
  std::size_t given = o.arguments.size();
  const auto is_default = [&](std::size_t i) {
    return o.arguments[i].default_value && same_value(call.arguments[i], default_of(o.arguments[i]));
  };
  const auto by_name = [&](std::size_t i) {  // a memory format can be positional only in a call of the overload itself
    return o.arguments[i].keyword_only || (form != CallForm::packet && o.arguments[i].type == ArgType::MemoryFormat);
  };
  while (given > 0 && (by_name(given - 1) || is_default(given - 1))) --given;
  Invocation written;
  const std::size_t self = form == CallForm::method ? self_place(o) : o.arguments.size();
  if (form == CallForm::method) actuals.positional.push_back(actual(call.arguments[self], o.arguments[self]));
  for (std::size_t i = 0; i < given; ++i) {
    if (i == self) continue;
    actuals.positional.push_back(actual(call.arguments[i], o.arguments[i]));
    written.positional.push_back(argument(call.arguments[i], o.arguments[i], device));
  }
  const auto keyword = [&](std::string_view keyword_name, Actual given_value, Expression text) {
    actuals.keywords.emplace_back(std::string(keyword_name), std::move(given_value));
    written.keywords.push_back({std::string(keyword_name), std::move(text)});
  };
  for (std::size_t i = given; i < o.arguments.size(); ++i) {
    if (o.arguments[i].type == ArgType::Device && o.kind == OpKind::Factory && is_default(i)) {
      keyword(o.arguments[i].name, {Dropped::device, {}}, device);
    } else if (!is_default(i)) {
      keyword(o.arguments[i].name, actual(call.arguments[i], o.arguments[i]),
              argument(call.arguments[i], o.arguments[i], device));
    }
  }
  if (call.requires_grad) keyword("requires_grad", {Value(true), {}}, {true, {}});
  const std::string overload = o.overload.empty() ? "default" : std::string(o.overload);
  const auto result = resolve(form, o.name, form == CallForm::packet ? overload : "", actuals);
  const auto* resolved = std::get_if<Resolved>(&result);
  const bool same = resolved != nullptr && resolved->op == call.op && resolved->requires_grad == call.requires_grad &&
                    std::equal(resolved->arguments.begin(), resolved->arguments.end(), call.arguments.begin(),
                               call.arguments.end(), same_value);
  if (!same) return std::nullopt;
  const std::string callee = form == CallForm::method     ? name(*self_of(call, o)) + "." + std::string(o.name)
                             : form == CallForm::function ? "torch." + std::string(o.name)
                                                          : fmt::format("torch.ops.aten.{}.{}", o.name, overload);
  written.callee = std::make_shared<const Expression>(dotted(callee));
  return Expression{std::move(written), {}};
}

Expression CallWriter::tensor(const MakeTensor& made, const Expression& device, std::size_t at) const {
  const auto zero = std::find(made.sizes.begin(), made.sizes.end(), 0);
  if (zero != made.sizes.end() && zero + 1 != made.sizes.end())
    cannot(at, "no list has a size of 0 before its last dimension");
  Expressions items;
  for (std::size_t i = 0; is_complex(made.dtype) && i + 1 < made.values.size(); i += 2)
    items.push_back({ComplexNumber{made.values[i], made.values[i + 1]}, {}});
  for (const double value : made.values) {
    if (is_complex(made.dtype)) break;
    if (is_floating(made.dtype))
      items.push_back({value, {}});
    else
      items.push_back(made.dtype == Dtype::boolean ? Expression{value != 0, {}}
                                                   : Expression{static_cast<std::int64_t>(value), {}});
  }
  std::size_t elements = 1, next = 0;
  for (const std::int64_t size : made.sizes) elements *= static_cast<std::size_t>(size);
  if (items.size() != elements) cannot(at, "it does not have as many values as its sizes say");
  Invocation call{std::make_shared<const Expression>(dotted("torch.tensor")), {nest(items, made.sizes, 0, next)}, {}};
  const bool integers = is_integer(made.dtype);
  const Dtype inferred = is_complex(made.dtype) && !items.empty()   ? Dtype::complex64
                         : items.empty() || is_floating(made.dtype) ? Dtype::float32
                         : integers                                 ? Dtype::int64
                                                                    : made.dtype;
  if (made.dtype != inferred) call.keywords.push_back({"dtype", value(made.dtype)});
  call.keywords.push_back({"device", made.on_cpu ? Expression{std::string(kCpu), {}} : device});
  if (made.requires_grad) call.keywords.push_back({"requires_grad", Expression{true, {}}});
  return {std::move(call), {}};
}

Expression CallWriter::meta_tensor(const MakeMetaTensor& made) const {
  Invocation call{std::make_shared<const Expression>(dotted("torch.empty")), {value(made.sizes)}, {}};
  if (made.dtype != Dtype::float32) call.keywords.push_back({"dtype", value(made.dtype)});
  call.keywords.push_back({"device", Expression{std::string("meta"), {}}});
  return {std::move(call), {}};
}

Expression nested_list(const Expressions& items, const std::vector<std::int64_t>& sizes) {
  std::size_t next = 0;
  return nest(items, sizes, 0, next);
}

Expression CallWriter::transformed(std::string_view transform, const std::string& body, std::vector<Keyword> options,
                                   const std::vector<Slot>& inputs) const {
  Invocation made{std::make_shared<const Expression>(dotted(std::string(transform))), {}, std::move(options)};
  made.positional.push_back({Name{body}, {}});
  Invocation call{std::make_shared<const Expression>(Expression{std::move(made), {}}), {}, {}};
  for (const Slot slot : inputs) call.positional.push_back({Name{name(slot)}, {}});
  return {std::move(call), {}};
}

Expression CallWriter::functionalized(const std::string& body, const EnterFunctionalize& enter) const {
  const std::string remove(kRemoveNames[static_cast<std::size_t>(enter.remove)]);
  return transformed(kFunctionalize, body, {{"remove", Expression{remove, {}}}}, enter.inputs);
}

namespace {

/// `in_dims=` or `out_dims=`, if they are not all 0.
void add_dims(std::vector<Keyword>& options, const char* name, const std::vector<MappedDim>& dims) {
  if (std::ranges::all_of(dims, [](const MappedDim& dim) { return dim == 0; })) return;
  Tuple tuple;
  for (const MappedDim& dim : dims) tuple.items.push_back(dim ? Expression{*dim, {}} : Expression{NoneLiteral{}, {}});
  options.push_back({name, Expression{std::move(tuple), {}}});
}

}  // namespace

Expression CallWriter::mapped(const std::string& body, const EnterTransform& enter, const LeaveTransform& leave) const {
  const auto& vmap = std::get<Vmap>(enter.transform);
  std::vector<Keyword> options;
  add_dims(options, "in_dims", vmap.in_dims);
  add_dims(options, "out_dims", leave.out_dims);
  if (vmap.randomness != Randomness::error) {
    const std::string randomness(kRandomnessNames[static_cast<std::size_t>(vmap.randomness)]);
    options.push_back({"randomness", Expression{randomness, {}}});
  }
  return transformed(kVmap, body, std::move(options), enter.inputs);
}

Expression CallWriter::differentiated(const std::string& body, const EnterTransform& enter) const {
  const auto& grad = std::get<Grad>(enter.transform);
  std::vector<Keyword> options;
  if (grad.argnums.size() > 1) {
    Tuple tuple;
    for (const std::int64_t argnum : grad.argnums) tuple.items.push_back(Expression{argnum, {}});
    options.push_back({"argnums", Expression{std::move(tuple), {}}});
  } else if (grad.argnums.front() != 0) {
    options.push_back({"argnums", Expression{grad.argnums.front(), {}}});
  }
  return transformed(grad.value ? kGradAndValue : kGrad, body, std::move(options), enter.inputs);
}

}  // namespace plumbline::program
