// Scripts and expectations as short text, so that tests compare lines.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <vector>

#include "language/lower.h"
#include "spec/vocabulary/schema.h"

namespace plumbline::program {

template <class... Ts>
struct Cases : Ts... {
  using Ts::operator()...;
};
template <class... Ts>
Cases(Ts...) -> Cases<Ts...>;

inline std::string show(Slot slot) { return fmt::format("%{}", static_cast<int>(slot)); }

inline std::string show(const std::vector<Slot>& slots) {
  std::vector<std::string> texts;
  for (const Slot slot : slots) texts.push_back(show(slot));
  return fmt::format("{}", fmt::join(texts, ", "));
}

inline std::string show(const std::vector<Root>& more) {
  std::string text;
  for (const Root& root : more)
    text += fmt::format(" and {}{}", show(root.tensor), root.gradient ? " " + show(*root.gradient) : "");
  return text;
}

inline std::string show(double value) {
  const std::string text = fmt::format("{}", value);
  return text.find_first_of(".einf") == std::string::npos ? text + ".0" : text;
}

inline std::string show(const Value& value) {
  return std::visit(
      Cases{[](None) { return std::string("None"); }, [](bool b) { return std::string(b ? "True" : "False"); },
            [](std::int64_t i) { return std::to_string(i); }, [](double d) { return show(d); },
            [](Dtype d) { return std::string(name_of(d)); }, [](Slot s) { return show(s); },
            [](const std::vector<std::int64_t>& v) { return fmt::format("[{}]", fmt::join(v, ", ")); },
            [](const std::vector<Slot>& v) { return fmt::format("[{}]", show(v)); },
            [](const std::string& text) { return fmt::format("'{}'", text); },
            [](const Complex& z) { return fmt::format("complex({}, {})", show(z.real), show(z.imag)); },
            [](NumberOf n) { return fmt::format("the number {}", show(n.parameter)); }},
      value);
}

inline std::string show(const Statement& statement) {
  const auto joined = [](const auto& items) {
    std::vector<std::string> texts;
    for (const auto& item : items) texts.push_back(show(item));
    return fmt::format("{}", fmt::join(texts, ", "));
  };
  return std::visit(
      Cases{
          [&](const Call& c) {
            return fmt::format("{}{}{}({}){}", joined(c.results), c.results.empty() ? "" : " = ",
                               qualified_name(op(c.op)), joined(c.arguments), c.requires_grad ? " requires_grad" : "");
          },
          [&](const MakeTensor& m) {
            return fmt::format("{} = tensor({}, [{}], [{}]){}", show(m.result), name_of(m.dtype),
                               fmt::join(m.sizes, ", "), joined(m.values), m.requires_grad ? " requires_grad" : "");
          },
          [](const MakeMetaTensor& m) {
            return fmt::format("{} = meta tensor({}, [{}])", show(m.result), name_of(m.dtype),
                               fmt::join(m.sizes, ", "));
          },
          [](const Enter& e) {
            const bool keyed = e.kind == GuardKind::exclude_key || e.kind == GuardKind::include_key;
            return fmt::format("enter {} {}{}{}", static_cast<int>(e.kind), e.value, keyed ? " " : "", e.key);
          },
          [](const Exit&) { return std::string("exit"); },
          [](const Try&) { return std::string("try"); },
          [](const EndTry&) { return std::string("end try"); },
          [](const SetRequiresGrad& s) {
            return s.method ? fmt::format("{}.requires_grad_({})", show(s.tensor), s.value)
                            : fmt::format("{}.requires_grad = {}", show(s.tensor), s.value);
          },
          [](const GetData& g) { return fmt::format("{} = {}.data", show(g.result), show(g.tensor)); },
          [](const SetData& s) { return fmt::format("{}.data = {}", show(s.tensor), show(s.data)); },
          [](const Backward& b) {
            return fmt::format("{}.backward{}{}{}{}", show(b.tensor), b.gradient ? " " + show(*b.gradient) : "",
                               show(b.more), b.retain_graph ? " retain" : "",
                               b.inputs.empty() ? "" : fmt::format(" for {}", show(b.inputs)));
          },
          [](const GetGradients& g) {
            return fmt::format("{} = grad {} for {}{}{}{}{}", show(g.results), show(g.tensor), show(g.inputs),
                               g.gradient ? " " + show(*g.gradient) : "", show(g.more), g.retain_graph ? " retain" : "",
                               g.allow_unused ? " unused" : "");
          },
          [](const SetGrad& s) { return fmt::format("{}.grad = {}", show(s.tensor), s.grad ? show(*s.grad) : "None"); },
          [](const RetainGrad& r) { return fmt::format("{}.retain_grad", show(r.tensor)); },
          [](const RegisterHook& h) {
            return fmt::format("hook {} {} {}", h.function, h.after ? "after accumulation in" : "of", show(h.tensor));
          },
          [](const RemoveHook& h) { return fmt::format("remove hook {}", h.function); },
          [](const EnterSavedTensorsHooks& h) { return fmt::format("saved tensors hooks {} {}", h.pack, h.unpack); },
          [](const ManualSeed& s) { return fmt::format("seed {}", s.seed); },
          [](const StartThread&) { return std::string("start thread"); },
          [](const JoinThread&) { return std::string("join thread"); },
          [](const PauseThread&) { return std::string("pause thread"); },
          [](const ResumeThread&) { return std::string("resume thread"); },
          [](const EnterForward& e) { return fmt::format("enter forward {} ({})", e.function, show(e.inputs)); },
          [](const LeaveForward& l) {
            return fmt::format("leave forward {} -> {}", show(l.returned), show(l.results));
          },
          [](const EnterFunctionalize& e) {
            return fmt::format("enter functionalize {} ({}) as {}", kRemoveNames[static_cast<std::size_t>(e.remove)],
                               show(e.inputs), show(e.parameters));
          },
          [](const LeaveFunctionalize& l) {
            return fmt::format("leave functionalize {} -> {}", show(l.returned), show(l.results));
          },
          [](const EnterTransform& e) {
            const std::string inputs = fmt::format("({}) as {}", show(e.inputs), show(e.parameters));
            if (const auto* grad = std::get_if<Grad>(&e.transform))
              return fmt::format("enter grad{} {} {}", grad->value ? " and value" : "", fmt::join(grad->argnums, " "),
                                 inputs);
            const auto& vmap = std::get<Vmap>(e.transform);
            std::string dims;
            for (const MappedDim& dim : vmap.in_dims) dims += dim ? fmt::format(" {}", *dim) : " None";
            return fmt::format("enter vmap {}{} {}", kRandomnessNames[static_cast<std::size_t>(vmap.randomness)], dims,
                               inputs);
          },
          [](const LeaveTransform& l) {
            std::string dims;
            for (const MappedDim& dim : l.out_dims) dims += dim ? fmt::format(" {}", *dim) : " None";
            return fmt::format("leave {}{} {} -> {}", l.differentiates ? "grad" : "vmap", dims, show(l.returned),
                               show(l.results));
          },
          [](const ContextCall& c) {
            return fmt::format("{}({})", kContextKindNames[static_cast<std::size_t>(c.kind)], show(c.tensors));
          },
          [](const LoadSaved& l) { return fmt::format("{} = saved", show(l.results)); },
          [&](const Invoke& i) {
            std::string keys;
            for (const KeyStep& step : i.redispatch.value_or(std::vector<KeyStep>{}))
              keys += fmt::format(" {} {}", static_cast<int>(step.kind), step.key);
            return fmt::format("{} = operator {} {}{}{}", show(i.results), i.op,
                               i.passes_arguments ? "*args" : joined(i.inputs), i.redispatch ? " with ks" : "", keys);
          },
          [](const MakeLibrary& m) {
            return fmt::format("{} = library of {}, {}", m.library, m.space,
                               kLibraryKindNames[static_cast<std::size_t>(m.kind)]);
          },
          [](const DefineOperator& d) { return fmt::format("{} defines operator {}", d.library, d.op); },
          [](const AddKernel& a) {
            return fmt::format("{} adds to operator {} for {}: {}", a.library, a.op, a.key,
                               a.kernel ? fmt::format("kernel {}", *a.kernel) : "a fallthrough");
          },
          [](const AddFallback& a) {
            return fmt::format("{} adds a fallback for {}: {}", a.library, a.key,
                               a.kernel ? fmt::format("kernel {}", *a.kernel) : "a fallthrough");
          },
          [](const QueryKernel& q) {
            return fmt::format("query {} {:?} {:?}", kQueryNames[static_cast<std::size_t>(q.what)], q.op, q.key);
          },
          [](const QueryThreadKey& q) {
            return fmt::format("query {} {}", q.excluded ? "excluded" : "included", q.key);
          },
          [](const RaiseError& r) { return fmt::format("raise {:?}", r.message); },
          [](const AppendToLog& a) { return a.keys ? "log its keys" : fmt::format("log {:?}", a.text); },
          [](const ReadLog&) { return std::string("read log"); },
          [](const ClearLog&) { return std::string("clear log"); },
          [](const DropLibrary& d) { return fmt::format("{} ends", d.library); },
          [](const GetGrad& g) { return fmt::format("{} = {}.grad", show(g.result), show(g.tensor)); },
          [](const Read& r) { return fmt::format("read {} {}", show(r.tensor), static_cast<int>(r.field)); },
          [](const ReadThread& r) { return fmt::format("read thread {}", static_cast<int>(r.field)); },
          [](const Snapshot&) { return std::string("snapshot"); }},
      statement.kind);
}

inline std::string show(const CustomOperator& op) { return fmt::format("{}: {}\n", op.name, schema_text(op)); }

inline std::string show(const CustomKernel& kernel) {
  std::string text = fmt::format("kernel {} ({}{})\n", kernel.name, kernel.with_keyset ? "ks, " : "",
                                 kernel.any_arguments ? "*args" : show(kernel.parameters));
  for (const Statement& statement : kernel.statements) text += "  " + show(statement) + "\n";
  return text + fmt::format("  return {}\n", kernel.returns_passed ? "what was passed" : show(kernel.returned));
}

inline std::string show(const Script& script) {
  std::string text;
  for (const CustomOperator& op : script.operators) text += show(op);
  for (const CustomKernel& kernel : script.kernels) text += show(kernel);
  for (const Statement& statement : script.statements) text += show(statement) + "\n";
  for (const CustomBackward& f : script.functions) {
    text += fmt::format("backward of {} ({})\n", f.name, show(f.gradients));
    for (const Statement& statement : f.statements) text += "  " + show(statement) + "\n";
    text += "  return";
    for (const auto& slot : f.returned) text += " " + (slot ? show(*slot) : "None");
    text += "\n";
  }
  return text;
}

/// The statements of one kind, in order.
template <class Kind>
std::vector<Kind> all_of_kind(const Script& script) {
  std::vector<Kind> all;
  for (const Statement& statement : script.statements)
    if (const auto* one = std::get_if<Kind>(&statement.kind)) all.push_back(*one);
  return all;
}

inline std::string show(const Reading& reading) {
  return std::visit(Cases{[](std::monostate) { return std::string("-"); }, [](None) { return std::string("None"); },
                          [](bool b) { return std::string(b ? "True" : "False"); },
                          [](std::int64_t i) { return std::to_string(i); }, [](const std::string& s) { return s; },
                          [](const std::vector<std::int64_t>& v) { return fmt::format("[{}]", fmt::join(v, ", ")); },
                          [](const std::vector<std::string>& v) { return fmt::format("[{}]", fmt::join(v, ", ")); },
                          [](const Values& v) {
                            std::vector<std::string> items;
                            for (const double d : v.floats) items.push_back(show(d));
                            for (const std::int64_t i : v.integers) items.push_back(std::to_string(i));
                            return fmt::format("values [{}]", fmt::join(items, ", "));
                          },
                          [](const Failure&) { return std::string("failure"); },
                          [](const Unspecified&) { return std::string("unspecified"); }},
                    reading);
}

/// "2: == True"; `not False` and `True` are the same expectation of a truth value, and shown the same.
inline std::string show(const Expectation& e) {
  const auto* truth = std::get_if<bool>(&e.expected);
  const bool folded = truth != nullptr && e.contains.empty() && !e.same_as_statement;
  const std::string relation = !folded && e.negated ? "not " : "";
  if (e.same_as_statement) return fmt::format("{}: {}as {}", e.statement, relation, *e.same_as_statement);
  if (!e.contains.empty()) return fmt::format("{}: {}contains {}", e.statement, relation, e.contains);
  return fmt::format("{}: {}{}{}", e.statement, relation, e.prefix ? "begins with " : "",
                     folded ? (*truth != e.negated ? "True" : "False") : show(e.expected));
}

inline std::string show(const std::vector<Expectation>& expectations) {
  std::string text;
  for (const Expectation& e : expectations) text += show(e) + "\n";
  return text;
}

}  // namespace plumbline::program
