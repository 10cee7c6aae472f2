// Printing programs about the dispatcher: scripts and expectations as one pytest file.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <stdexcept>

#include "language/dispatcher/program.h"
#include "language/dispatcher/program_words.h"
#include "language/key_steps.h"
#include "language/print.h"

namespace plumbline::dispatcher {
namespace {

std::string quoted(const std::string& text) { return program::print(program::Expression{text, {}}); }

[[noreturn]] void refuse(const std::string& problem) {
  throw std::invalid_argument("this script cannot be written as a program: " + problem);
}

std::string key(const std::string& name) { return fmt::format("{}{}", kKey, name); }
std::string key_set(const std::string& name) { return fmt::format("{}({})", kKeySet, key(name)); }

std::string written(const KeyGuard& guard) {
  std::string inside;
  if (guard.kind == KeyGuard::Kind::exclude) inside = key_set(guard.key);
  if (guard.kind == KeyGuard::Kind::include) inside = key(guard.key);
  if (guard.kind == KeyGuard::Kind::inference_mode_off) inside = "False";
  return fmt::format("{}({})", word(kGuards, guard.kind), inside);
}

class TestPrinter {
 public:
  explicit TestPrinter(const DispatchTest& test) : test_(test) {}

  std::string run() {
    out_ = fmt::format("def {}(device):{}\n", test_.name,
                       test_.rules.empty() ? "" : fmt::format("  # {}", fmt::join(test_.rules, " ")));
    const std::size_t head = out_.size();
    const auto& script = test_.script;
    if (!script.kernels.empty() || !test_.logs.empty()) write("log = []");
    tensors();
    for (std::size_t i = 0; i < script.kernels.size(); ++i) kernel(i);
    if (!script.kernels.empty()) out_ += "\n";
    for (std::size_t i = 0; i < script.statements.size(); ++i) statement(i);
    if (depth_ != 1) refuse("a guard is entered but never left");
    if (out_.size() == head) write("pass");
    return std::move(out_);
  }

 private:
  void write(std::string_view text) { out_ += fmt::format("{:{}}{}\n", "", 4 * depth_, text); }

  void tensors() {
    std::set<ProbeTensor> used;
    for (const DispatchStatement& s : test_.script.statements) {
      if (const auto* call = std::get_if<InvokeOp>(&s)) used.insert(call->tensors.begin(), call->tensors.end());
      if (const auto* call = std::get_if<RedispatchOp>(&s)) used.insert(call->tensors.begin(), call->tensors.end());
    }
    used.erase(ProbeTensor::none);
    for (const ProbeTensor tensor : used) {
      const bool inside = tensor == ProbeTensor::inference;
      if (inside) write("with torch.inference_mode():"), ++depth_;
      write(fmt::format("{} = {}", word(kTensorNames, tensor), word(kTensorsMade, tensor)));
      if (inside) --depth_;
    }
  }

  /// Whether a statement of this kind registers the kernel.
  template <class Registration>
  bool registered(std::size_t kernel) const {
    return std::ranges::any_of(test_.script.statements, [&](const DispatchStatement& s) {
      const auto* made = std::get_if<Registration>(&s);
      return made != nullptr && made->kernel == kernel;
    });
  }

  void kernel(std::size_t index) {
    const ProbeKernel& kernel = test_.script.kernels[index];
    const bool acts = kernel.act != ProbeKernel::Act::nothing;
    const bool of_fallback = registered<FallbackOp>(index) || (acts && kernel.op.empty());
    if (of_fallback && acts && registered<ImplOp>(index))
      refuse(fmt::format("the kernel {} belongs to an operator and to a fallback: each needs its own kernel",
                         kernel.name));
    out_ += out_.ends_with("\n\n") ? "" : "\n";
    write(fmt::format("def {}({}{}*args):", kernel.name, kernel.with_keyset ? "ks, " : "", of_fallback ? "op, " : ""));
    ++depth_;
    write(fmt::format("log.append({})", quoted(kernel.name)));
    if (kernel.with_keyset) write("log.append(repr(ks))");
    if (kernel.guard) write(fmt::format("with {}:", written(*kernel.guard))), ++depth_;
    if (kernel.act != ProbeKernel::Act::nothing) write(action(kernel));
    if (kernel.guard && kernel.act == ProbeKernel::Act::nothing) write("pass");
    if (kernel.guard) --depth_;
    if (kernel.raises) write(fmt::format("raise RuntimeError({})", quoted(kernel.name + " raised")));
    --depth_;
  }

  static std::string action(const ProbeKernel& kernel) {
    if (kernel.act == ProbeKernel::Act::call)
      return fmt::format("{}(*args)", kernel.op.empty() ? "op" : call_name(kernel.op));
    if (!kernel.with_keyset) refuse(fmt::format("the kernel {} redispatches without a key set", kernel.name));
    const std::string target = kernel.op.empty() ? "op" : call_name(kernel.op) + ".default";
    return fmt::format("{}.redispatch({}, *args)", target,
                       program::print(program::key_steps_expression("ks", kernel.steps)));
  }

  void statement(std::size_t index) {
    const DispatchStatement& s = test_.script.statements[index];
    const auto of = [&](const auto& e) { return e.statement == index; };
    const auto raises = std::ranges::find_if(test_.raises, of);
    const auto reading = std::ranges::find_if(test_.readings, of);
    const auto log = std::ranges::find_if(test_.logs, of);
    if (const auto* enter = std::get_if<EnterGuard>(&s)) return enter_guard(*enter);
    if (std::holds_alternative<LeaveGuard>(s)) return leave_guard();
    if (raises != test_.raises.end()) open(*raises);
    const std::string text = std::visit([this](const auto& node) { return this->text(node); }, s);
    write(reading == test_.readings.end() ? text
                                          : fmt::format("assert {} is {}", text, reading->value ? "True" : "False"));
    if (raises != test_.raises.end()) --depth_;
    definitions_.run(s);
    if (log != test_.logs.end()) {
      std::vector<std::string> lines;
      for (const std::string& line : log->lines) lines.push_back(quoted(line));
      write(fmt::format("assert log == [{}]", fmt::join(lines, ", ")));
    }
    if (log != test_.logs.end() || (logs(s) && log_follows(index))) write("log.clear()");
  }

  void enter_guard(const EnterGuard& enter) {
    write(fmt::format("with {}:", written(enter.guard)));
    opened_.push_back(out_.size());
    ++depth_;
  }
  void leave_guard() {
    if (depth_ == 1) refuse("a guard is left but was never entered");
    if (out_.size() == opened_.back()) write("pass");
    opened_.pop_back();
    --depth_;
  }
  void open(const ExpectedRaise& raise) {
    write(fmt::format("with pytest.raises({}{}):", raise.exception,
                      raise.match.empty() ? "" : ", match=" + quoted(raise.match)));
    ++depth_;
  }

  static bool logs(const DispatchStatement& s) {
    return std::holds_alternative<InvokeOp>(s) || std::holds_alternative<RedispatchOp>(s);
  }
  bool log_follows(std::size_t index) const {
    return std::ranges::any_of(test_.logs, [&](const ExpectedLog& log) { return log.statement > index; });
  }

  std::string name_of(const std::optional<std::size_t>& kernel) const {
    return kernel ? test_.script.kernels.at(*kernel).name : std::string(kFallthrough);
  }
  std::string keyset_argument(const std::optional<std::size_t>& kernel) const {
    return kernel && test_.script.kernels.at(*kernel).with_keyset ? ", with_keyset=True" : "";
  }

  std::string arguments(const std::string& op, const std::vector<ProbeTensor>& tensors) const {
    const auto schema = definitions_.schema(op);
    if (const auto takes = schema ? misfit(*schema, tensors) : std::nullopt)
      refuse(fmt::format("{} does not take these tensors: it takes {}", op, *takes));
    if (schema == ProbeSchema::number) return "1";
    std::vector<std::string_view> names;
    for (const ProbeTensor tensor : tensors) names.push_back(word(kTensorNames, tensor));
    const std::string joined = fmt::format("{}", fmt::join(names, ", "));
    return schema == ProbeSchema::list ? "[" + joined + "]" : joined;
  }

  std::string text(const MakeLibrary& made) const {
    return fmt::format("{} = {}({}, {})", made.library, kLibrary, quoted(made.space),
                       quoted(std::string(word(kLibraryKinds, made.kind))));
  }
  std::string text(const DefineOp& define) const {
    return fmt::format("{}.define({})", define.library,
                       quoted(fmt::format("{}{}", define.op, word(kSchemaTexts, define.schema))));
  }
  std::string text(const ImplOp& impl) const {
    return fmt::format("{}.impl({}, {}, {}{})", impl.library, quoted(impl.op), name_of(impl.kernel), quoted(impl.key),
                       keyset_argument(impl.kernel));
  }
  std::string text(const FallbackOp& fallback) const {
    return fmt::format("{}.fallback({}, {}{})", fallback.library, name_of(fallback.kernel), quoted(fallback.key),
                       keyset_argument(fallback.kernel));
  }
  std::string text(const DropLibrary& drop) const { return drop.library + "._destroy()"; }
  std::string text(const InvokeOp& call) const {
    return fmt::format("{}({})", call_name(call.op), arguments(call.op, call.tensors));
  }
  std::string text(const RedispatchOp& call) const {
    std::vector<std::string> sets;
    for (const std::string& name : call.keys) sets.push_back(key_set(name));
    if (sets.empty()) sets.push_back(key_set("Undefined"));
    const std::string given = arguments(call.op, call.tensors);
    return fmt::format("{}.default.redispatch({}{}{})", call_name(call.op), fmt::join(sets, " | "),
                       given.empty() ? "" : ", ", given);
  }
  std::string text(const QueryOp& query) const {
    return fmt::format("{}({}, {})", word(kReadings, query.what), quoted(query.op), quoted(query.key));
  }
  std::string text(const QueryTls& query) const {
    return fmt::format("{}({})", word(kTlsReadings, query.what), key(query.key));
  }
  std::string text(const EnterGuard&) const { return ""; }
  std::string text(const LeaveGuard&) const { return ""; }

  const DispatchTest& test_;
  std::string out_;
  std::size_t depth_ = 1;
  std::vector<std::size_t> opened_;  ///< the length of the text at the beginning of each open guard's block
  Definitions definitions_;
};

}  // namespace

std::vector<std::string> log_lines(const std::vector<KernelLog>& log) {
  std::vector<std::string> lines;
  for (const KernelLog& run : log) {
    lines.push_back(run.kernel);
    const bool empty = run.keys == std::vector<std::string>{"Undefined"};
    if (empty) lines.emplace_back("DispatchKeySet()");
    if (!empty && !run.keys.empty()) lines.push_back(fmt::format("DispatchKeySet({})", fmt::join(run.keys, ", ")));
  }
  return lines;
}

std::string print_program(const std::vector<DispatchTest>& tests, const std::vector<std::string>& header) {
  std::string out;
  for (const std::string& line : header) out += line.empty() ? "#\n" : "# " + line + "\n";
  if (std::ranges::any_of(tests, [](const DispatchTest& test) { return !test.raises.empty(); }))
    out += "import pytest\n";
  out += "import torch\n";
  for (const DispatchTest& test : tests) out += "\n\n" + TestPrinter(test).run();
  return out;
}

}  // namespace plumbline::dispatcher
