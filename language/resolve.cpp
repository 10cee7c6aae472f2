// Overload resolution: finds the op that a call means, as PyTorch does.
#include "language/resolve.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "language/convert.h"
#include "language/refusal.h"
#include "spec/ops/op_ids.h"

namespace plumbline::program {
namespace {

std::string sequence(const Actuals& actuals, std::size_t skip) {
  std::vector<std::string> kinds;
  for (std::size_t i = skip; i < actuals.positional.size(); ++i) kinds.emplace_back(kind_of(actuals.positional[i]));
  for (const auto& [name, actual] : actuals.keywords) kinds.push_back(fmt::format("{}={}", name, kind_of(actual)));
  return kinds.empty() ? "no arguments" : fmt::format("({})", fmt::join(kinds, ", "));
}

/// Binds the arguments of one call to the schema of one op, which the call names `written`.
class Binder {
 public:
  Binder(const Op& op, CallForm form, std::string_view written, const Actuals& actuals)
      : op_(op), form_(form), written_(written), actuals_(actuals), values_(op.arguments.size()) {}

  std::variant<Resolved, Mismatch> run(OpId id) {
    positional(varargs());
    for (const auto& [name, actual] : actuals_.keywords) keyword(name, actual);
    for (std::size_t i = 0; i < values_.size(); ++i) {
      const Argument& argument = op_.arguments[i];
      if (values_[i]) continue;
      if (argument.default_value) {
        values_[i] = default_of(argument);
      } else {
        differ(actuals_.place, fmt::format("the argument '{}' of {} is missing", shown(argument), qualified_name(op_)));
      }
    }
    if (mismatch_) return *mismatch_;
    Resolved resolved{id, {}, requires_grad_};
    for (auto& value : values_) resolved.arguments.push_back(std::move(*value));
    return resolved;
  }

 private:
  std::size_t self() const { return form_ == CallForm::method ? 1 : 0; }

  /// `x.view(2, 3)` for `x.view([2, 3])`: allowed if the list is the only positional argument.
  std::vector<Actual> varargs() const {
    const auto positional = static_cast<std::size_t>(
        std::count_if(op_.arguments.begin(), op_.arguments.end(), [](const Argument& a) { return !a.keyword_only; }));
    const auto& given = actuals_.positional;
    if (form_ == CallForm::packet || positional != self() + 1 || op_.arguments[self()].type != ArgType::IntList ||
        given.size() <= self())
      return given;
    std::vector<std::int64_t> list;
    for (std::size_t i = self(); i < given.size(); ++i) {
      const auto* value = std::get_if<Value>(&given[i].value);
      const auto* number = value == nullptr ? nullptr : std::get_if<std::int64_t>(value);
      if (number == nullptr) return given;
      list.push_back(*number);
    }
    std::vector<Actual> packed(given.begin(), given.begin() + static_cast<std::ptrdiff_t>(self()));
    packed.push_back({Value(list), given[self()].place});
    return packed;
  }

  /// The indices of the positional arguments, in Python's order: a method's tensor is the argument `self`, which is not
  /// the first one of `where`. A memory format can be positional only in a call of the overload itself.
  std::vector<std::size_t> places() const {
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < op_.arguments.size() && !op_.arguments[i].keyword_only; ++i)
      if (form_ == CallForm::packet || op_.arguments[i].type != ArgType::MemoryFormat) places.push_back(i);
    const auto is_self = [this](std::size_t i) { return op_.arguments[i].name == "self"; };
    const auto found = std::find_if(places.begin(), places.end(), is_self);
    if (form_ == CallForm::method && found != places.end()) std::rotate(places.begin(), found, found + 1);
    return places;
  }

  void positional(const std::vector<Actual>& given) {
    const std::vector<std::size_t> at = places();
    std::size_t next = 0;
    for (; next < given.size() && next < at.size(); ++next) set(at[next], given[next]);
    if (next < given.size()) {
      const std::size_t most = next - self(), count = given.size() - self();
      differ(given[next].place, fmt::format("{} takes {} positional argument{}, but {} {} given", qualified_name(op_),
                                            most == 0 ? "no" : fmt::format("at most {}", most), most == 1 ? "" : "s",
                                            count, count == 1 ? "is" : "are"));
    }
  }

  void keyword(const std::string& name, const Actual& actual) {
    if (name == "requires_grad" && form_ == CallForm::function && op_.kind == OpKind::Factory) {
      const auto* value = std::get_if<Value>(&actual.value);
      const auto* truth = value == nullptr ? nullptr : std::get_if<bool>(value);
      if (truth == nullptr)
        return differ(actual.place, fmt::format("requires_grad= is True or False, not {}", kind_of(actual)));
      requires_grad_ = *truth;
      return;
    }
    for (std::size_t i = 0; i < op_.arguments.size(); ++i) {
      if (shown(op_.arguments[i]) != name) continue;
      if (values_[i])
        return differ(actual.place, fmt::format("the argument '{}' of {} is given twice", name, qualified_name(op_)));
      return set(i, actual);
    }
    differ(actual.place, fmt::format("{} has no argument '{}'", qualified_name(op_), name));
  }

  /// An argument's name in Python: functions call `self` `input`, and `split` is written in Python, with names of its
  /// own [torch/functional.py, torch/_tensor.py].
  std::string_view shown(const Argument& argument) const {
    const bool function = form_ == CallForm::function;
    if (written_ == "split" && argument.name.starts_with("split_size") && form_ != CallForm::packet)
      return function ? "split_size_or_sections" : "split_size";
    if (function && argument.name == "self") return written_ == "split" ? "tensor" : "input";
    return argument.name;
  }

  void set(std::size_t i, const Actual& actual) {
    const Argument& argument = op_.arguments[i];
    values_[i] = convert(op_, argument, actual);
    if (values_[i]) return;
    values_[i] = None{};
    differ(actual.place, fmt::format("the argument '{}' of {} is {}, not {}", shown(argument), qualified_name(op_),
                                     wanted(argument), kind_of(actual)));
  }

  void differ(Place place, std::string problem) {
    if (!mismatch_) mismatch_ = Mismatch{place, std::move(problem), fmt::format("The schema is {}", op_.schema)};
  }

  const Op& op_;
  CallForm form_;
  std::string_view written_;
  const Actuals& actuals_;
  std::vector<std::optional<Value>> values_;
  std::optional<Mismatch> mismatch_;
  bool requires_grad_ = false;
};

std::string spelled(CallForm form, std::string_view name) {
  return fmt::format("{}{}",
                     form == CallForm::function ? "torch."
                     : form == CallForm::method ? "x."
                                                : "torch.ops.aten.",
                     name);
}

Mismatch no_such_op(CallForm form, std::string_view name, std::string_view overload, Place place) {
  std::vector<std::string> overloads;
  std::vector<std::string> forms;
  for (std::size_t i = 0; i < kAllOps; ++i) {
    const Op& op = plumbline::op(static_cast<OpId>(i));
    if (op.name != name) continue;
    overloads.push_back(op.overload.empty() ? "default" : std::string(op.overload));
    for (const CallForm other : {CallForm::method, CallForm::function, CallForm::packet})
      if (const std::string form_text = spelled(other, name) + "(…)";
          has_form(op, other) && std::find(forms.begin(), forms.end(), form_text) == forms.end())
        forms.push_back(form_text);
  }
  if (overloads.empty())
    return {place, fmt::format("there is no op '{}' in the op table", name),
            did_you_mean(name, names_with_form(form),
                         "`plumbline list` shows the ops; CONTRIBUTING.md says how to add one")};
  if (form == CallForm::packet)
    return {place, fmt::format("the op {} has no overload '{}' in the op table", name, overload),
            fmt::format("It has {}", fmt::join(overloads, ", "))};
  return {place, fmt::format("Python has no {}", spelled(form, name)),
          fmt::format("Write {}", fmt::join(forms, " or "))};
}

/// Whether a call of `name` can mean `op`: with a list of sizes, Python's `split` means `split_with_sizes`.
bool means(CallForm form, std::string_view name, const Op& op) {
  return op.name == name || (form != CallForm::packet && name == "split" && op.name == "split_with_sizes");
}

bool has_name(CallForm form, std::string_view name) {
  const auto fits = [&](const Op& op) { return op.name == name && has_form(op, form); };
  return std::any_of(op_table().begin(), op_table().end(), fits);
}

/// The forms of the ops by schema that are not packets alone: views of complex numbers.
bool has_form_by_schema(const Op& op, CallForm form) {
  constexpr std::array<std::string_view, 5> kMethods{"conj", "conj_physical", "conj_physical_", "resolve_conj",
                                                     "resolve_neg"};
  constexpr std::array<std::string_view, 4> kFunctions{"real", "imag", "view_as_real", "view_as_complex"};
  const bool method = std::ranges::find(kMethods, op.name) != kMethods.end();
  const bool function = std::ranges::find(kFunctions, op.name) != kFunctions.end();
  return form == CallForm::method ? method && op.kind != OpKind::Out : method || function;
}

Mismatch no_out(CallForm form, std::string_view name, Place place) {
  const auto fits = [&](const Op& op) { return op.name == name && op.kind == OpKind::Out; };
  const bool exists = std::any_of(op_table().begin(), op_table().end(), fits);
  return {place, fmt::format("{} takes no `out=`{}", spelled(form, name), exists ? "" : " in the op table"),
          exists ? fmt::format("Write torch.{}(…, out=z)", name) : "Write the result to a name, as in `z = …`"};
}

}  // namespace

bool has_form(const Op& op, CallForm form) {
  if (form == CallForm::packet) return op.name != "set_";
  if (op.by_schema) return has_form_by_schema(op, form);
  constexpr std::array<std::string_view, 6> kPacketAlone{"alias",        "slice",         "_to_copy",
                                                         "_unsafe_view", "tanh_backward", "threshold_backward"};
  if (std::ranges::find(kPacketAlone, op.name) != kPacketAlone.end()) return false;
  return form == CallForm::function ? op.function : op.method;
}

std::vector<std::string> names_with_form(CallForm form) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < kAllOps; ++i)
    if (has_form(op(static_cast<OpId>(i)), form)) names.emplace_back(op(static_cast<OpId>(i)).name);
  return names;
}

std::variant<Resolved, Mismatch> resolve(CallForm form, std::string_view name, std::string_view overload,
                                         const Actuals& actuals) {
  std::vector<Mismatch> mismatches;
  std::vector<std::string_view> schemas;
  const auto out = std::find_if(actuals.keywords.begin(), actuals.keywords.end(),
                                [](const auto& keyword) { return keyword.first == "out"; });
  const bool has_out = out != actuals.keywords.end();
  for (std::size_t i = 0; i < kAllOps; ++i) {
    const Op& candidate = op(static_cast<OpId>(i));
    const bool fits = overload.empty() ? (candidate.kind == OpKind::Out) == has_out
                                       : candidate.overload == (overload == "default" ? "" : overload);
    if (!means(form, name, candidate) || !fits || !has_form(candidate, form)) continue;
    auto result = Binder(candidate, form, name, actuals).run(static_cast<OpId>(i));
    if (std::holds_alternative<Resolved>(result)) return result;
    mismatches.push_back(std::get<Mismatch>(std::move(result)));
    schemas.push_back(candidate.schema);
  }
  if (mismatches.empty()) {
    if (has_out && has_name(form, name)) return no_out(form, name, out->second.place);
    return no_such_op(form, name, overload, actuals.place);
  }
  if (mismatches.size() == 1) return mismatches[0];
  return Mismatch{actuals.place,
                  fmt::format("no overload of {} takes {}", name, sequence(actuals, form == CallForm::method ? 1 : 0)),
                  fmt::format("The schemas are {}", fmt::join(schemas, " and "))};
}

}  // namespace plumbline::program
