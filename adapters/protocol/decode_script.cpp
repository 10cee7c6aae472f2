// Reading scripts: their statements, and the custom functions among them.
#include <algorithm>
#include <cmath>
#include <cstdint>

#include "adapters/protocol/cursor.h"
#include "adapters/protocol/decode_operators.h"
#include "adapters/protocol/script_blocks.h"

namespace plumbline {

OpId protocol::op_id(const Cursor& c) {
  constexpr std::string_view kBySchema = "aten::";
  const std::string text = c.text();
  std::string_view name = text;
  const bool by_schema = name.starts_with(kBySchema);
  if (by_schema) name.remove_prefix(kBySchema.size());
  const std::size_t dot = name.find('.');
  const auto id = find_op(name.substr(0, dot), dot == std::string_view::npos ? "" : name.substr(dot + 1));
  if (!id || op(*id).by_schema != by_schema)
    c.expected(R"(an op of the table, for example "add_.Tensor" or "mm", or one by schema, "aten::erfinv")");
  return *id;
}

namespace {

using protocol::Blocks;
using protocol::Cursor;
using protocol::op_id;

Slot slot(const Cursor& c) { return c.slot(); }
std::vector<Slot> slots(const Cursor& c, const char* key) { return c.at(key).list(slot); }

Call call(const Cursor& c) {
  c.object({"do", "line", "op", "arguments", "results", "requires_grad"});
  Call call{op_id(c.at("op")), c.at("arguments").list(protocol::value), slots(c, "results"),
            c.optional_truth("requires_grad")};
  const Op& called = op(call.op);
  const std::size_t wanted = called.arguments.size();
  if (call.arguments.size() != wanted)
    c.at("arguments").expected(fmt::format("{} arguments for {}", wanted, qualified_name(called)));
  if (!called.many_results && !call.results.empty() && call.results.size() != called.results)
    c.at("results").expected(fmt::format("{} slots or none for {}", called.results, qualified_name(called)));
  return call;
}

std::vector<std::int64_t> sizes(const Cursor& c) {
  std::vector<std::int64_t> all = c.at("sizes").integers();
  std::int64_t count = 1;
  for (const std::int64_t size : all)
    if (size < 0 || __builtin_mul_overflow(count, size, &count))
      c.at("sizes").expected("sizes of at least 0 whose product fits in 64 bits");
  return all;
}

MakeTensor make_tensor(const Cursor& c) {
  c.object({"do", "line", "result", "dtype", "sizes", "values", "requires_grad", "device"});
  MakeTensor make{c.at("result").slot(), c.at("dtype").one_of<Dtype>(kDtypeNames), sizes(c),
                  c.at("values").list([](const Cursor& v) { return v.number(); }), c.optional_truth("requires_grad")};
  make.on_cpu = c.has("device");
  if (make.on_cpu && c.at("device").text() != kCpu) c.at("device").expected("\"cpu\"");
  std::int64_t count = 1;
  for (const std::int64_t size : make.sizes) count *= size;
  const std::size_t numbers = numbers_in(make.dtype);
  if (make.values.size() % numbers != 0 || static_cast<std::size_t>(count) != make.values.size() / numbers)
    c.at("values").expected(numbers == 1 ? fmt::format("{} values, the product of the sizes", count)
                                         : fmt::format("two numbers for each of {} elements", count));
  for (const double d : make.values) {
    if (make.dtype == Dtype::boolean && d != 0 && d != 1) c.at("values").expected("0 and 1 for bool");
    const IntegerRange range = range_of(make.dtype);
    const bool fits =
        std::trunc(d) == d && d >= static_cast<double>(range.least) && d <= static_cast<double>(range.greatest);
    if (is_integer(make.dtype) && make.dtype != Dtype::int64 && !fits)
      c.at("values").expected(make.dtype == Dtype::uint8
                                  ? "integers from 0 to 255"
                                  : fmt::format("integers of {} bits", 8 * item_size(make.dtype)));
    if (make.dtype == Dtype::int64 && (std::trunc(d) != d || std::abs(d) > 9007199254740992.0))
      c.at("values").expected("integers up to 2^53");
  }
  return make;
}

Enter enter(const Cursor& c) {
  Enter enter{c.at("guard").one_of<GuardKind>(kGuardNames)};
  takes_key(enter.kind) ? c.object({"do", "line", "guard", "value", "key"})
                        : c.object({"do", "line", "guard", "value"});
  enter.value = c.at("value").truth();
  if (takes_key(enter.kind)) enter.key = protocol::runtime_key(c.at("key"));
  return enter;
}

std::optional<Slot> optional_slot(const Cursor& c, const char* key) {
  return c.has(key) ? std::optional(c.at(key).slot()) : std::nullopt;
}

/// The tensors after the first from which backward starts.
std::vector<Root> more_roots(const Cursor& c) {
  if (!c.has("more")) return {};
  return c.at("more").list([](const Cursor& root) {
    root.object({"tensor", "gradient"});
    return Root{root.at("tensor").slot(), optional_slot(root, "gradient")};
  });
}

/// `.requires_grad`, `.data` and `.grad`; nothing if it is another statement.
std::optional<StatementKind> of_attributes(const std::string& what, const Cursor& c) {
  if (what == "set_requires_grad") {
    c.object({"do", "line", "tensor", "value", "method"});
    return SetRequiresGrad{c.at("tensor").slot(), c.at("value").truth(), c.optional_truth("method")};
  }
  if (what == "get_data" || what == "get_grad") {
    c.object({"do", "line", "result", "tensor"});
    const Slot result = c.at("result").slot(), tensor = c.at("tensor").slot();
    return what == "get_data" ? StatementKind(GetData{result, tensor}) : GetGrad{result, tensor};
  }
  if (what == "set_data") {
    c.object({"do", "line", "tensor", "data"});
    return SetData{c.at("tensor").slot(), c.at("data").slot()};
  }
  if (what == "set_grad") {
    c.object({"do", "line", "tensor", "grad"});
    return SetGrad{c.at("tensor").slot(), optional_slot(c, "grad")};
  }
  if (what == "retain_grad") {
    c.object({"do", "line", "tensor"});
    return RetainGrad{c.at("tensor").slot()};
  }
  if (what == "backward") {
    c.object({"do", "line", "tensor", "gradient", "retain_graph", "inputs", "more", "create_graph"});
    return Backward{c.at("tensor").slot(),
                    optional_slot(c, "gradient"),
                    c.optional_truth("retain_graph"),
                    c.has("inputs") ? slots(c, "inputs") : std::vector<Slot>(),
                    more_roots(c),
                    c.optional_truth("create_graph")};
  }
  return std::nullopt;
}

GetGradients get_gradients(const Cursor& c) {
  c.object({"do", "line", "tensor", "inputs", "results", "gradient", "retain_graph", "allow_unused", "more",
            "create_graph"});
  GetGradients get{c.at("tensor").slot(),
                   slots(c, "inputs"),
                   slots(c, "results"),
                   optional_slot(c, "gradient"),
                   c.optional_truth("retain_graph"),
                   c.optional_truth("allow_unused"),
                   more_roots(c),
                   c.optional_truth("create_graph")};
  if (get.inputs.empty()) c.at("inputs").expected("at least one slot");
  if (!get.results.empty() && get.results.size() != get.inputs.size())
    c.at("results").expected(fmt::format("{} slots, one for each input, or none", get.inputs.size()));
  return get;
}

/// The statements of custom functions.
std::optional<StatementKind> of_functions(const std::string& what, const Cursor& c) {
  if (what == "enter_forward") {
    c.object({"do", "line", "function", "inputs"});
    return EnterForward{static_cast<std::int32_t>(c.at("function").integer(0, INT32_MAX)), slots(c, "inputs")};
  }
  if (what == "leave_forward") {
    c.object({"do", "line", "returned", "results"});
    return LeaveForward{slots(c, "returned"), slots(c, "results")};
  }
  if (what == "load_saved") {
    c.object({"do", "line", "results"});
    return LoadSaved{slots(c, "results")};
  }
  const auto context = enumerator_named<ContextKind>(kContextKindNames, what);
  if (!context) return std::nullopt;
  c.object({"do", "line", "tensors"});
  return ContextCall{*context, slots(c, "tensors")};
}

/// The statements of hooks.
std::optional<StatementKind> of_hooks(const std::string& what, const Cursor& c) {
  if (what == "enter_saved_tensors_hooks") {
    c.object({"do", "line", "pack", "unpack"});
    return EnterSavedTensorsHooks{static_cast<std::int32_t>(c.at("pack").integer(0, INT32_MAX)),
                                  static_cast<std::int32_t>(c.at("unpack").integer(0, INT32_MAX))};
  }
  const bool registers = what == "register_hook";
  if (!registers && what != "remove_hook") return std::nullopt;
  registers ? c.object({"do", "line", "tensor", "function", "after"}) : c.object({"do", "line", "function"});
  const auto function = static_cast<std::int32_t>(c.at("function").integer(0, INT32_MAX));
  if (!registers) return RemoveHook{function};
  return RegisterHook{c.at("tensor").slot(), function, c.optional_truth("after")};
}

template <class Enter>
void check_inputs(const Enter& enter, const Cursor& c) {
  if (enter.inputs.size() != enter.parameters.size())
    c.at("parameters").expected(fmt::format("{} slots, one for each input", enter.inputs.size()));
}
template <class Leave>
void check_results(const Leave& leave, const Cursor& c) {
  if (leave.returned.size() != leave.results.size())
    c.at("results").expected(fmt::format("{} slots, one for each returned tensor", leave.returned.size()));
}

/// The begin and the end of a functionalized body.
std::optional<StatementKind> of_functionalize(const std::string& what, const Cursor& c) {
  if (what == "enter_functionalize") {
    c.object({"do", "line", "remove", "inputs", "parameters"});
    EnterFunctionalize enter{c.at("remove").one_of<Remove>(kRemoveNames), slots(c, "inputs"), slots(c, "parameters")};
    check_inputs(enter, c);
    return enter;
  }
  if (what != "leave_functionalize") return std::nullopt;
  c.object({"do", "line", "returned", "results"});
  LeaveFunctionalize leave{slots(c, "returned"), slots(c, "results")};
  check_results(leave, c);
  return leave;
}

std::vector<MappedDim> mapped_dims(const Cursor& c, const char* member, std::size_t count, std::string_view each) {
  auto dims = c.at(member).list(
      [](const Cursor& dim) { return dim.json().is_null() ? std::nullopt : std::optional(dim.integer()); });
  if (dims.size() != count) c.at(member).expected(fmt::format("{} dimensions or nulls, one for each {}", count, each));
  return dims;
}

/// The begin and the end of the body of torch.func.grad.
std::optional<StatementKind> of_grad(const std::string& what, const Cursor& c) {
  if (what == "enter_grad") {
    c.object({"do", "line", "argnums", "value", "inputs", "parameters"});
    EnterTransform enter{Grad{}, slots(c, "inputs"), slots(c, "parameters")};
    check_inputs(enter, c);
    Grad grad{c.at("argnums").list([](const Cursor& argnum) { return argnum.integer(); }), c.at("value").truth()};
    if (grad.argnums.empty() || (grad.value && grad.argnums.size() > 1))
      c.at("argnums").expected(grad.value ? "a list of one integer" : "a list of integers that is not empty");
    enter.transform = std::move(grad);
    return enter;
  }
  if (what != "leave_grad") return std::nullopt;
  c.object({"do", "line", "returned", "results"});
  return LeaveTransform{{}, slots(c, "returned"), slots(c, "results"), true};
}

/// The begin and the end of the body of a transform.
std::optional<StatementKind> of_transform(const std::string& what, const Cursor& c) {
  if (auto kind = of_grad(what, c)) return kind;
  if (what == "enter_vmap") {
    c.object({"do", "line", "in_dims", "randomness", "inputs", "parameters"});
    EnterTransform enter{Vmap{}, slots(c, "inputs"), slots(c, "parameters")};
    check_inputs(enter, c);
    enter.transform = Vmap{mapped_dims(c, "in_dims", enter.inputs.size(), "input"),
                           c.at("randomness").one_of<Randomness>(kRandomnessNames)};
    return enter;
  }
  if (what != "leave_vmap") return std::nullopt;
  c.object({"do", "line", "out_dims", "returned", "results"});
  LeaveTransform leave{{}, slots(c, "returned"), slots(c, "results")};
  check_results(leave, c);
  leave.out_dims = mapped_dims(c, "out_dims", leave.returned.size(), "returned tensor");
  return leave;
}

StatementKind statement_kind(const Cursor& c) {
  if (!c.json().is_object()) c.expected("an object");
  const std::string what = c.at("do").text();
  if (what == "call") return call(c);
  if (what == "make") return make_tensor(c);
  if (what == "make_meta") {
    c.object({"do", "line", "result", "dtype", "sizes"});
    return MakeMetaTensor{c.at("result").slot(), c.at("dtype").one_of<Dtype>(kDtypeNames), sizes(c)};
  }
  if (what == "enter") return enter(c);
  if (auto kind = protocol::of_operators(what, c)) return *kind;
  if (what == "get_gradients") return get_gradients(c);
  if (auto kind = of_attributes(what, c)) return *kind;
  if (auto kind = of_functions(what, c)) return *kind;
  if (auto kind = of_functionalize(what, c)) return *kind;
  if (auto kind = of_transform(what, c)) return *kind;
  if (auto kind = of_hooks(what, c)) return *kind;
  if (what == "read") {
    c.object({"do", "line", "tensor", "field"});
    return Read{c.at("tensor").slot(), c.at("field").one_of<Field>(kFieldNames)};
  }
  if (what == "read_thread") {
    c.object({"do", "line", "field"});
    return ReadThread{c.at("field").one_of<ThreadField>(kThreadFieldNames)};
  }
  if (what == "manual_seed") {
    c.object({"do", "line", "seed"});
    return ManualSeed{c.at("seed").integer()};
  }
  c.object({"do", "line"});
  if (what == "exit") return Exit{};
  if (what == "try") return Try{};
  if (what == "end_try") return EndTry{};
  if (what == "start_thread") return StartThread{};
  if (what == "join_thread") return JoinThread{};
  if (what == "pause_thread") return PauseThread{};
  if (what == "resume_thread") return ResumeThread{};
  if (what == "snapshot") return Snapshot{};
  if (what == "read_log") return ReadLog{};
  if (what == "clear_log") return ClearLog{};
  c.at("do").expected(
      "call, make, make_meta, enter, exit, try, end_try, set_requires_grad, get_data, set_data, backward, "
      "get_gradients, "
      "get_grad, set_grad, retain_grad, register_hook, remove_hook, enter_saved_tensors_hooks, manual_seed, "
      "start_thread, join_thread, "
      "pause_thread, resume_thread, "
      "enter_forward, leave_forward, save_for_backward, "
      "mark_dirty, mark_non_differentiable, load_saved, enter_functionalize, "
      "leave_functionalize, enter_vmap, leave_vmap, make_library, define_operator, add_kernel, add_fallback, "
      "drop_library, query_kernel, "
      "query_thread_key, invoke, raise, append_to_log, read_log, clear_log, read, read_thread or snapshot");
}

Statement statement(const Cursor& c) {
  return {statement_kind(c),
          c.has("line") ? static_cast<int>(c.at("line").integer(0, std::numeric_limits<int>::max())) : 0};
}

CustomBackward function(const Cursor& c) {
  c.object({"name", "gradients", "statements", "returned"});
  CustomBackward f{c.at("name").text(), slots(c, "gradients"), {}, {}};
  f.statements = c.at("statements").list([](const Cursor& s) {
    Statement statement = plumbline::statement(s);
    if (!fits_backward(statement.kind, true))
      s.at("do").expected(
          "call, enter, exit, try, end_try, load_saved, append_to_log or raise in a backward, or get_grad or set_grad "
          "in a hook after accumulation");
    protocol::check_key_set(statement.kind, nullptr, s);
    return statement;
  });
  f.returned = c.at("returned").list([](const Cursor& s) {
    return s.json().is_null() ? std::nullopt : std::optional(s.slot());
  });
  return f;
}

/// A kernel's statements.
std::vector<Statement> statements_of_kernel(const Cursor& c, const CustomKernel& kernel, Blocks& blocks) {
  return c.at("statements").list([&](const Cursor& s) {
    Statement read = statement(s);
    if (!fits_kernel(read.kind))
      s.at("do").expected("a call, a guard, a custom function, append_to_log or raise in a kernel");
    protocol::check_key_set(read.kind, blocks.all_closed() ? &kernel : nullptr, s);
    blocks.check(read.kind, s);
    return read;
  });
}

}  // namespace

Script protocol::script(const Cursor& c) {
  c.object({"names", "statements", "functions", "operators", "kernels"});
  Script script;
  script.names = c.at("names").list([](const Cursor& n) { return n.text(); });
  if (c.has("functions")) script.functions = c.at("functions").list(function);
  if (c.has("operators")) script.operators = protocol::operators(c.at("operators"));
  Blocks blocks(script);
  if (c.has("kernels"))
    script.kernels = c.at("kernels").list([&](const Cursor& k) {
      CustomKernel made = protocol::kernel(k);
      made.statements = statements_of_kernel(k, made, blocks);
      if (!blocks.all_closed()) k.at("statements").expected("a leave_forward for each forward");
      return made;
    });
  script.statements = c.at("statements").list([&](const Cursor& s) {
    Statement read = statement(s);
    protocol::check_key_set(read.kind, nullptr, s);
    blocks.check(read.kind, s);
    return read;
  });
  if (!blocks.all_closed())
    c.at("statements").expected("a leave_forward for each forward, a join_thread for each thread");
  if (script.kernels.empty()) return script;
  std::size_t at = 0;
  c.at("statements").list([&](const Cursor& s) {
    protocol::check_kernel(script, script.statements[at++].kind, s);
    return true;
  });
  return script;
}

Script decode_script(std::string_view line) {
  const auto json = protocol::parsed(line);
  return protocol::script(Cursor(json));
}

}  // namespace plumbline
