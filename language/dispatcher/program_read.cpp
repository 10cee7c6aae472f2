// Reading programs about the dispatcher: the tests of a pytest file as scripts and expectations.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "language/dispatcher/program.h"
#include "language/dispatcher/program_reader.h"
#include "language/parse.h"
#include "language/print.h"
#include "language/refusal.h"

namespace plumbline::dispatcher {

using namespace program;

namespace {

constexpr std::string_view kForms =
    "A program about the dispatcher makes and destroys libraries, defines operators, registers kernels, enters guards, "
    "calls operators and reads tables";
constexpr std::array<std::string_view, 8> kExceptions{"Exception",      "RuntimeError",   "NotImplementedError",
                                                      "AttributeError", "AssertionError", "ValueError",
                                                      "TypeError",      "RecursionError"};

bool is_identifier(std::string_view text) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  return !text.empty() && letter(text[0]) &&
         std::ranges::all_of(text, [&](char c) { return letter(c) || (c >= '0' && c <= '9'); });
}

bool is_rule_id(std::string_view text) {
  const std::size_t dash = text.find('-');
  const auto all = [](std::string_view part, char from, char to) {
    return !part.empty() && std::ranges::all_of(part, [&](char c) { return c >= from && c <= to; });
  };
  return dash != std::string_view::npos && all(text.substr(0, dash), 'A', 'Z') && all(text.substr(dash + 1), '0', '9');
}

class TestReader {
 public:
  TestReader(const Function& function, const std::string& file) : function_(function), words_(file) {}

  DispatchTest run() {
    test_.name = function_.name;
    test_.line = function_.place.line;
    for (const std::string& parameter : function_.parameters)
      if (parameter != "device")
        words_.fail(function_.place, fmt::format("a test cannot have the parameter {}", parameter),
                    "Write `def test_…(device):`");
    rules();
    block(function_.body);
    return std::move(test_);
  }

 private:
  void rules() {
    std::string id;
    for (const char c : function_.comment + " ") {
      if (c != ' ') {
        id += c;
        continue;
      }
      if (!id.empty() && !is_rule_id(id))
        words_.fail(function_.place, fmt::format("'{}' after `def` is not a rule", id),
                    "Write rule ids, as in `# DSP-34 DSP-35`; put other comments above `def`");
      if (!id.empty()) test_.rules.push_back(id);
      id.clear();
    }
  }

  void block(const Block& block) {
    for (const Line& line : block) this->line(line);
  }

  void line(const Line& line) {
    if (std::holds_alternative<Remark>(line.node) || std::holds_alternative<Pass>(line.node)) return;
    if (const auto* define = std::get_if<Define>(&line.node)) return kernel(*define->function);
    if (const auto* with = std::get_if<With>(&line.node)) return this->with(*with, line.place);
    if (const auto* asserted = std::get_if<Assert>(&line.node)) return assertion(*asserted, line.place);
    const auto* assign = std::get_if<Assign>(&line.node);
    if (assign == nullptr || assign->unpack || assign->targets.size() > 1)
      words_.fail(line.place, "programs about the dispatcher cannot contain this statement", std::string(kForms));
    if (assign->targets.empty()) return statement(assign->value, line.place);
    assigned(assign->targets[0], assign->value, line.place);
  }

  // Names.

  void kernel(const Function& function) {
    if (!has_log_) words_.fail(function.place, "a kernel logs, but there is no log", "Write `log = []` above it");
    take_name(function.name, function.place);
    kernels_.emplace(function.name, test_.script.kernels.size());
    written_.push_back(read_kernel(function, words_));
    test_.script.kernels.push_back(written_.back().kernel);
  }

  void take_name(const std::string& name, Place place) const {
    const bool word = name == "log" || name == "torch" || name == "pytest" || name == "device" || name == "repr" ||
                      std::ranges::find(kTensorNames, name) != kTensorNames.end();
    if (word || kernels_.contains(name))
      words_.fail(place, fmt::format("the name {} is taken", name), "Use another name");
  }

  void assigned(const std::string& name, const Expression& value, Place place) {
    if (name == "log") {
      if (print(value) != "[]") words_.fail(place, "the log does not start empty", "Write `log = []`");
      has_log_ = true;
      return calls_.clear();
    }
    if (const auto found = std::ranges::find(kTensorNames, name); found != kTensorNames.end())
      return tensor(static_cast<ProbeTensor>(found - kTensorNames.begin()), value, place);
    take_name(name, place);
    const Invocation& call = words_.call(value, kForms);
    if (dotted_name(*call.callee) != kLibrary)
      words_.fail(place, fmt::format("{} is not a library", name),
                  fmt::format("Write `{} = {}(\"probe\", \"DEF\")`; tensors are called cpu, requires_grad, inference "
                              "and meta",
                              name, kLibrary));
    libraries_.insert(name);
    add(library(name, call, place), place);
  }

  MakeLibrary library(const std::string& name, const Invocation& call, Place place) const {
    words_.need_arguments(call, 2, place, "Write its namespace and its kind, as in (\"probe\", \"DEF\")");
    const std::string kind = words_.text(call.positional[1], "a library's kind");
    const auto found = std::ranges::find(kLibraryKinds, kind);
    if (found == kLibraryKinds.end())
      words_.fail(start_of(call.positional[1]), fmt::format("a library has the kind {}", kind),
                  "Write \"DEF\", \"IMPL\" or \"FRAGMENT\"");
    const std::string space = words_.text(call.positional[0], "a namespace");
    if (!is_identifier(space))
      words_.fail(start_of(call.positional[0]), fmt::format("'{}' is not a namespace", space), "Write a name");
    return {name, space, static_cast<MakeLibrary::Kind>(found - kLibraryKinds.begin())};
  }

  void tensor(ProbeTensor which, const Expression& value, Place place) {
    const std::string_view name = word(kTensorNames, which);
    const std::string_view made = word(kTensorsMade, which);
    const bool inside = which == ProbeTensor::inference;
    if (print(value) != made || making_inference_ != inside)
      words_.fail(place, fmt::format("the tensor {} is not made as its name says", name),
                  fmt::format("Write `{} = {}`{}", name, made,
                              inside ? ", as the only statement in `with torch.inference_mode():`" : ""));
    if (!test_.script.statements.empty())
      words_.fail(place, fmt::format("the tensor {} is made after other statements", name),
                  "Make tensors at the top of the test");
    tensors_.insert(which);
  }

  // Blocks.

  void with(const With& with, Place place) {
    if (const auto* call = std::get_if<Invocation>(&with.item.node);
        call != nullptr && dotted_name(*call->callee) == "pytest.raises")
      return raises(*call, with.body, place);
    const auto guard = words_.guard(with.item);
    if (!guard)
      words_.fail(place, "programs about the dispatcher cannot use this guard",
                  "The guards are torch.inference_mode(), those of torch._C, and pytest.raises");
    if (makes_inference(*guard, with.body)) {
      making_inference_ = true;
      block(with.body);
      making_inference_ = false;
      return;
    }
    add(EnterGuard{*guard}, place);
    block(with.body);
    add(LeaveGuard{}, place);
  }

  static bool makes_inference(const KeyGuard& guard, const Block& body) {
    const auto* only = body.size() == 1 ? std::get_if<Assign>(&body[0].node) : nullptr;
    return guard.kind == KeyGuard::Kind::inference_mode && only != nullptr &&
           only->targets == std::vector<std::string>{std::string(word(kTensorNames, ProbeTensor::inference))};
  }

  void raises(const Invocation& call, const Block& body, Place place) {
    const std::string advice = "Write `with pytest.raises(RuntimeError, match=\"…\"):`";
    const std::string exception = call.positional.size() == 1 ? dotted_name(call.positional[0]) : "";
    if (std::ranges::find(kExceptions, exception) == kExceptions.end())
      words_.fail(place, "pytest.raises expects an unknown error",
                  fmt::format("The errors are {}", fmt::join(kExceptions, ", ")));
    ExpectedRaise expected{test_.script.statements.size(), exception, "", place.line};
    for (const auto& [name, value] : call.keywords) {
      if (name != "match") words_.fail(place, fmt::format("pytest.raises is given {}=", name), advice);
      expected.match = words_.text(value, "match=");
    }
    const auto statements =
        std::ranges::count_if(body, [](const Line& l) { return !std::holds_alternative<Remark>(l.node); });
    const bool nested = std::ranges::any_of(body, [](const Line& l) {
      return std::holds_alternative<With>(l.node) || std::holds_alternative<Assert>(l.node);
    });
    if (statements == 1 && !nested) block(body);
    if (nested || test_.script.statements.size() != expected.statement + 1)
      words_.fail(place, "pytest.raises does not contain exactly one statement that can raise",
                  "Put one call, registration or reading into it; put guards around it");
    test_.raises.push_back(expected);
  }

  // Statements.

  void add(DispatchStatement statement, Place place) {
    if (std::holds_alternative<InvokeOp>(statement) || std::holds_alternative<RedispatchOp>(statement))
      calls_.push_back(test_.script.statements.size());
    definitions_.run(statement);
    test_.script.statements.push_back(std::move(statement));
    test_.script.lines.push_back(place.line);
  }

  void assertion(const Assert& asserted, Place place) {
    if (asserted.relation == Relation::equal && dotted_name(asserted.left) == "log")
      return logged(asserted.right, place);
    const auto* value = std::get_if<bool>(&asserted.right.node);
    if (asserted.relation != Relation::is || value == nullptr)
      words_.fail(place, "this assert compares neither a log nor a reading",
                  "Write `assert log == [\"k1\"]`, or `is True` or `is False` after a reading");
    const std::size_t before = test_.script.statements.size();
    statement(asserted.left, place);
    if (test_.script.statements.size() == before || !is_query(test_.script.statements.back()))
      words_.fail(place, "`is` does not compare a reading",
                  fmt::format("The readings are {}, {}", fmt::join(kReadings, ", "), fmt::join(kTlsReadings, ", ")));
    test_.readings.push_back({before, *value, place.line});
  }

  void logged(const Expression& right, Place place) {
    const auto* list = std::get_if<List>(&right.node);
    if (list == nullptr) words_.fail(place, "the log is not compared with a list", "Write `assert log == [\"k1\"]`");
    if (calls_.size() != 1)
      words_.fail(place, fmt::format("the log is compared {} calls after it was cleared", calls_.size()),
                  "Write `log.clear()` after each call, and compare the log of one call");
    ExpectedLog expected{calls_[0], {}, place.line};
    for (const Expression& item : list->items) expected.lines.push_back(words_.text(item, "a line of the log"));
    if (std::ranges::any_of(test_.logs, [&](const ExpectedLog& log) { return log.statement == calls_[0]; }))
      words_.fail(place, "the log of one call is compared twice", "Compare it once");
    test_.logs.push_back(std::move(expected));
  }

  void statement(const Expression& e, Place place) {
    const Invocation& call = words_.call(e, kForms);
    const std::string callee = dotted_name(*call.callee);
    if (callee == "log.clear") {
      if (!has_log_) words_.fail(place, "there is no log", "Write `log = []` at the top of the test");
      words_.need_arguments(call, 0, place, "Write `log.clear()`");
      return calls_.clear();
    }
    if (const auto found = std::ranges::find(kReadings, callee); found != kReadings.end())
      return reading(call, static_cast<QueryOp::What>(found - kReadings.begin()), place);
    if (const auto found = std::ranges::find(kTlsReadings, callee); found != kTlsReadings.end()) {
      words_.need_arguments(call, 1, place, "Write the key, as in (torch._C.DispatchKey.CPU)");
      return add(QueryTls{words_.key(call.positional[0]), static_cast<QueryTls::What>(found - kTlsReadings.begin())},
                 place);
    }
    if (callee.starts_with("torch.ops."))
      return add(read_call(call, place, CallReading{words_, definitions_, tensors_}), place);
    const std::size_t dot = callee.find('.');
    const std::string object = callee.substr(0, dot);
    if (dot == std::string::npos || !libraries_.contains(object)) {
      const std::vector<std::string> known(libraries_.begin(), libraries_.end());
      words_.fail(place, fmt::format("found a call of {}", callee.empty() ? print(*call.callee) : callee),
                  did_you_mean(object, known, std::string(kForms)));
    }
    of_library(object, callee.substr(dot + 1), call, place);
  }

  void reading(const Invocation& call, QueryOp::What what, Place place) {
    words_.need_arguments(call, 2, place, "Write the operator and the key, as in (\"probe::f\", \"CPU\")");
    const std::string op = words_.text(call.positional[0], "the operator");
    if (const std::size_t colons = op.find("::"); colons == std::string::npos || !is_identifier(op.substr(colons + 2)))
      words_.fail(place, fmt::format("'{}' is not an operator's name", op), "Write a name such as \"probe::f\"");
    add(QueryOp{op, words_.text(call.positional[1], "the key"), what}, place);
  }

  void of_library(const std::string& library, const std::string& method, const Invocation& call, Place place) {
    if (method == "_destroy") {
      words_.need_arguments(call, 0, place, "Write `_destroy()`");
      return add(DropLibrary{library}, place);
    }
    if (method == "define") return add(definition(library, call, place), place);
    if (method != "impl" && method != "fallback")
      words_.fail(place, fmt::format("a library has no method {} here", method),
                  "Its methods are define, impl, fallback and _destroy");
    const bool impl = method == "impl";
    const std::size_t at = impl ? 1 : 0;
    const bool with_keyset = !call.keywords.empty() && call.keywords[0].name == "with_keyset" &&
                             call.keywords[0].value.node == Expression{true, {}}.node;
    if (call.positional.size() != at + 2 || call.keywords.size() > (with_keyset ? 1U : 0U))
      words_.fail(place, fmt::format("{} does not take these arguments", method),
                  impl ? "Write (\"f\", kernel, \"CPU\"), and with_keyset=True for a kernel that takes `ks`"
                       : "Write (kernel, \"CPU\"), and with_keyset=True for a kernel that takes `ks`");
    const auto kernel = kernel_at(call.positional[at], with_keyset, impl, place);
    const std::string key = words_.text(call.positional[at + 1], "the key");
    if (!impl) return add(FallbackOp{library, key, kernel}, place);
    add(ImplOp{library, operator_name(call.positional[0]), key, kernel}, place);
  }

  std::string operator_name(const Expression& e) const {
    const std::string op = words_.text(e, "the operator's name");
    if (!is_identifier(op))
      words_.fail(start_of(e), fmt::format("'{}' is not an operator's name in a library", op),
                  "Write a name such as \"f\"");
    return op;
  }

  DefineOp definition(const std::string& library, const Invocation& call, Place place) const {
    words_.need_arguments(call, 1, place, "Write one schema, as in (\"f(Tensor x) -> ()\")");
    const std::string text = words_.text(call.positional[0], "the schema");
    const std::size_t bracket = std::min(text.find('('), text.size());
    const auto found = std::ranges::find(kSchemaTexts, text.substr(bracket));
    if (!is_identifier(text.substr(0, bracket)) || found == kSchemaTexts.end())
      words_.fail(start_of(call.positional[0]), fmt::format("probe operators cannot have the schema \"{}\"", text),
                  fmt::format("Write a name, then one of {}", fmt::join(kSchemaTexts, ", ")));
    return {library, text.substr(0, bracket), static_cast<ProbeSchema>(found - kSchemaTexts.begin())};
  }

  std::optional<std::size_t> kernel_at(const Expression& e, bool with_keyset, bool impl, Place place) const {
    const std::string name = dotted_name(e);
    if (name == kFallthrough) return std::nullopt;
    const auto found = kernels_.find(name);
    if (found == kernels_.end()) {
      std::vector<std::string> known{std::string(kFallthrough)};
      for (const auto& [kernel, index] : kernels_) known.push_back(kernel);
      words_.fail(start_of(e), fmt::format("there is no kernel {}", print(e)),
                  did_you_mean(name, known, "Define it with `def` above this statement"));
    }
    const WrittenKernel& kernel = written_[found->second];
    if (kernel.kernel.with_keyset != with_keyset)
      words_.fail(
          place, fmt::format("the kernel {} {} `ks`", name, with_keyset ? "does not take" : "takes"),
          with_keyset ? "Make `ks` its first parameter, or leave out with_keyset" : "Register it with_keyset=True");
    if (!impl && !kernel.takes_op)
      words_.fail(place, fmt::format("the fallback kernel {} does not take `op`", name),
                  "A fallback gets the operator: write `op` before `*args`");
    if (impl && kernel.takes_op && kernel.kernel.act != ProbeKernel::Act::nothing)
      words_.fail(place, fmt::format("the kernel {} takes `op`, but it is registered for an operator", name),
                  "Only a fallback gets the operator: leave `op` out");
    return found->second;
  }

  const Function& function_;
  Words words_;
  DispatchTest test_;
  bool has_log_ = false;
  bool making_inference_ = false;
  std::vector<std::size_t> calls_;  ///< since the log was cleared
  std::map<std::string, std::size_t> kernels_;
  std::vector<WrittenKernel> written_;
  std::set<std::string> libraries_;
  std::set<ProbeTensor> tensors_;
  Definitions definitions_;
};

}  // namespace

std::vector<DispatchTest> read_program(const std::string& text, const std::string& file) {
  const Program program = parse(text, file, Subject::dispatcher);
  if (!program.classes.empty())
    Words(file).fail(program.classes[0].place, "found a class in a program about the dispatcher", std::string(kForms));
  std::vector<DispatchTest> tests;
  for (const Function& function : program.functions) {
    if (!function.name.starts_with("test_"))
      Words(file).fail(function.place, fmt::format("the function {} is not a test", function.name),
                       "Put a kernel into the test that registers it");
    if (std::ranges::find(tests, function.name, &DispatchTest::name) != tests.end())
      Words(file).fail(function.place, fmt::format("there are two tests called {}", function.name), "Rename one");
    tests.push_back(TestReader(function, file).run());
  }
  return tests;
}

bool is_dispatch_program(const std::string& text) {
  constexpr std::string_view kUsed = "torch.library.";
  for (std::size_t at = text.find(kUsed); at != std::string::npos; at = text.find(kUsed, at + 1)) {
    const std::size_t line = text.rfind('\n', at) + 1;
    if (text.find('#', line) > at) return true;
  }
  return false;
}

}  // namespace plumbline::dispatcher
