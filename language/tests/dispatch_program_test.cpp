// Programs about the dispatcher: reading, printing, round trips, and refusals.
#include "language/tests/dispatch_program.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "language/dispatcher/program.h"
#include "language/parse.h"
#include "language/print.h"

namespace plumbline::dispatcher {
namespace {

DispatchTest read(const std::string& text) { return read_program(text, "a.py").at(0); }
DispatchTest body(const std::string& text) { return read(program_with(text)); }
/// The last statement of that body.
template <class Statement>
Statement last(const std::string& text) {
  return std::get<Statement>(body(text).script.statements.back());
}
/// A kernel with a key set that has these lines after the log.
ProbeKernel kernel(const std::string& lines) {
  std::string text = "def k2(ks, *args):\n    log.append(\"k2\")\n    log.append(repr(ks))\n";
  std::istringstream stream(lines);
  for (std::string line; std::getline(stream, line);) text += "    " + line + "\n";
  return body(text).script.kernels.back();
}
std::vector<KeyStep> steps(const std::string& set) {
  return kernel("torch.ops.probe.f.default.redispatch(" + set + ", *args)").steps;
}

void expect_same(const std::vector<DispatchTest>& a, const std::vector<DispatchTest>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    SCOPED_TRACE(a[i].name);
    EXPECT_EQ(a[i].name, b[i].name);
    EXPECT_EQ(a[i].rules, b[i].rules);
    EXPECT_TRUE(a[i].script == b[i].script);
    const auto logs = [](const ExpectedLog& x, const ExpectedLog& y) {
      return x.statement == y.statement && x.lines == y.lines;
    };
    const auto readings = [](const ExpectedReading& x, const ExpectedReading& y) {
      return x.statement == y.statement && x.value == y.value;
    };
    const auto raises = [](const ExpectedRaise& x, const ExpectedRaise& y) {
      return x.statement == y.statement && x.exception == y.exception && x.match == y.match;
    };
    EXPECT_TRUE(std::ranges::equal(a[i].logs, b[i].logs, logs));
    EXPECT_TRUE(std::ranges::equal(a[i].readings, b[i].readings, readings));
    EXPECT_TRUE(std::ranges::equal(a[i].raises, b[i].raises, raises));
  }
}
void expect_round_trip(const std::vector<DispatchTest>& tests) {
  const std::string text = print_program(tests, {});
  SCOPED_TRACE(text);
  expect_same(tests, read_program(text, "printed.py"));
  EXPECT_EQ(print_program(read_program(text, "printed.py"), {}), text);
}

KeyStep step(KeyStep::Kind kind, const std::string& key = "") { return {kind, key}; }
using enum KeyStep::Kind;

TEST(DispatchProgram, ReadsNameRulesAndLines) {
  const DispatchTest test = body("torch.ops.probe.f(cpu)");
  EXPECT_EQ(test.name, "test_it");
  EXPECT_EQ(test.line, 5);
  EXPECT_EQ(test.rules, (std::vector<std::string>{"DSP-34", "DSP-35"}));
  EXPECT_EQ(test.script.lines, (std::vector<int>{13, 14, 15}));
}

TEST(DispatchProgram, ReadsRegistrations) {
  EXPECT_EQ(last<ImplOp>("lib.impl(\"f\", k1, \"Autograd\", with_keyset=True)"), (ImplOp{"lib", "f", "Autograd", 0}));
  EXPECT_EQ(last<ImplOp>("lib.impl(\"f\", torch.library.fallthrough_kernel, \"CPU\")"),
            (ImplOp{"lib", "f", "CPU", std::nullopt}));
  EXPECT_EQ(last<DropLibrary>("lib._destroy()"), DropLibrary{"lib"});
  EXPECT_EQ(last<DefineOp>("lib.define(\"n(int n) -> ()\")"), (DefineOp{"lib", "n", ProbeSchema::number}));
  EXPECT_EQ(last<DefineOp>("lib.define(\"f(Tensr x) -> ()\")"), (DefineOp{"lib", "f", ProbeSchema::malformed}));
  EXPECT_EQ(last<MakeLibrary>("b = torch.library.Library(\"_\", \"IMPL\")"),
            (MakeLibrary{"b", "_", MakeLibrary::Kind::IMPL}));
}

TEST(DispatchProgram, ReadsAKeyThatNoVersionHas) {
  EXPECT_EQ(last<ImplOp>("lib.impl(\"f\", torch.library.fallthrough_kernel, \"CPUU\")").key, "CPUU");
}

TEST(DispatchProgram, ReadsCallsByTheirSchema) {
  EXPECT_EQ(last<InvokeOp>("torch.ops.probe.f(cpu)"), (InvokeOp{"probe::f", {ProbeTensor::cpu}}));
  EXPECT_EQ(last<InvokeOp>("lib.define(\"h(Tensor[] xs) -> ()\")\ntorch.ops.probe.h([cpu, cpu])"),
            (InvokeOp{"probe::h", {ProbeTensor::cpu, ProbeTensor::cpu}}));
  EXPECT_EQ(last<InvokeOp>("lib.define(\"n(int n) -> ()\")\ntorch.ops.probe.n(1)"), (InvokeOp{"probe::n", {}}));
  EXPECT_EQ(last<InvokeOp>("lib.define(\"g(Tensor x, Tensor? y) -> ()\")\ntorch.ops.probe.g(cpu, None)"),
            (InvokeOp{"probe::g", {ProbeTensor::cpu, ProbeTensor::none}}));
}

TEST(DispatchProgram, ReadsACallOfAnOperatorThatIsNotDefined) {
  EXPECT_EQ(last<InvokeOp>("torch.ops.probe.z(cpu)"), (InvokeOp{"probe::z", {ProbeTensor::cpu}}));
}

TEST(DispatchProgram, ReadsARedispatchByKeys) {
  EXPECT_EQ(
      last<RedispatchOp>("torch.ops.probe.f.default.redispatch(torch._C.DispatchKeySet(torch._C.DispatchKey.CPU) | "
                         "torch._C.DispatchKeySet(torch._C.DispatchKey.AutogradCPU), cpu)"),
      (RedispatchOp{"probe::f", {"CPU", "AutogradCPU"}, {ProbeTensor::cpu}}));
}

TEST(DispatchProgram, ReadsUndefinedAsTheEmptySet) {
  EXPECT_EQ(last<RedispatchOp>(
                "torch.ops.probe.f.default.redispatch(torch._C.DispatchKeySet(torch._C.DispatchKey.Undefined), cpu)"),
            (RedispatchOp{"probe::f", {}, {ProbeTensor::cpu}}));
}

TEST(DispatchProgram, ReadsReadings) {
  const DispatchTest test =
      body("assert torch._C._dispatch_has_kernel_for_dispatch_key(\"probe::f\", \"CPU\") is False");
  EXPECT_EQ(std::get<QueryOp>(test.script.statements.back()), (QueryOp{"probe::f", "CPU", QueryOp::What::has_kernel}));
  ASSERT_EQ(test.readings.size(), 1U);
  EXPECT_EQ(test.readings[0].statement, 2U);
  EXPECT_FALSE(test.readings[0].value);
  EXPECT_EQ(test.readings[0].line, 15);
}

TEST(DispatchProgram, ReadsGuardsAroundStatements) {
  const auto statements =
      body(
          "with torch.inference_mode(False):\n    with torch._C._IncludeDispatchKeyGuard(torch._C.DispatchKey.XLA):\n"
          "        pass")
          .script.statements;
  ASSERT_EQ(statements.size(), 6U);
  EXPECT_EQ(std::get<EnterGuard>(statements[2]).guard.kind, KeyGuard::Kind::inference_mode_off);
  EXPECT_EQ(std::get<EnterGuard>(statements[3]).guard, (KeyGuard{KeyGuard::Kind::include, "XLA"}));
  EXPECT_TRUE(std::holds_alternative<LeaveGuard>(statements[4]));
  EXPECT_TRUE(std::holds_alternative<LeaveGuard>(statements[5]));
}

TEST(DispatchProgram, ReadsLogsAndRaises) {
  const DispatchTest test = body(
      "with pytest.raises(NotImplementedError, match=\"Could not run\"):\n    torch.ops.probe.f(cpu)\n"
      "assert log == [\"k1\", \"DispatchKeySet(CPU)\"]");
  ASSERT_EQ(test.raises.size(), 1U);
  EXPECT_EQ(test.raises[0].statement, 2U);
  EXPECT_EQ(test.raises[0].exception, "NotImplementedError");
  EXPECT_EQ(test.raises[0].match, "Could not run");
  ASSERT_EQ(test.logs.size(), 1U);
  EXPECT_EQ(test.logs[0].statement, 2U);
  EXPECT_EQ(test.logs[0].lines, (std::vector<std::string>{"k1", "DispatchKeySet(CPU)"}));
}

TEST(DispatchProgram, ReadsTheStepsOfAKeySetFromTheLeft) {
  EXPECT_EQ(steps("ks"), std::vector<KeyStep>{});
  EXPECT_EQ(steps("ks & torch._C._after_autograd_keyset"), std::vector<KeyStep>{step(after_autograd)});
  EXPECT_EQ(steps("ks.remove(torch._C.DispatchKey.CPU) & torch._C._after_ADInplaceOrView_keyset"),
            (std::vector<KeyStep>{step(remove, "CPU"), step(after_adinplaceorview)}));
  EXPECT_EQ(steps("(ks | torch._C.DispatchKeySet(torch._C.DispatchKey.XLA)) & "
                  "torch._C.DispatchKeySet(torch._C.DispatchKey.CPU)"),
            (std::vector<KeyStep>{step(add, "XLA"), step(keep, "CPU")}));
}

TEST(DispatchProgram, ReadsAKernelsGuardAndError) {
  const ProbeKernel made =
      kernel("with torch.inference_mode():\n    torch.ops.probe.f(*args)\nraise RuntimeError(\"k2 raised\")");
  EXPECT_EQ(made.act, ProbeKernel::Act::call);
  EXPECT_EQ(made.op, "probe::f");
  EXPECT_EQ(made.guard, (KeyGuard{KeyGuard::Kind::inference_mode, ""}));
  EXPECT_TRUE(made.raises);
}

TEST(DispatchProgram, ReadsAFallbackThatActsOnTheOperatorItIsGiven) {
  const DispatchTest test = body(
      "def k2(ks, op, *args):\n    log.append(\"k2\")\n    log.append(repr(ks))\n    op.redispatch(ks, *args)\n"
      "b = torch.library.Library(\"_\", \"IMPL\")\nb.fallback(k2, \"PrivateUse1\", with_keyset=True)");
  EXPECT_EQ(test.script.kernels[1].op, "");
  EXPECT_EQ(std::get<FallbackOp>(test.script.statements.back()), (FallbackOp{"b", "PrivateUse1", 1}));
  expect_round_trip({test});
}

TEST(DispatchProgram, PrintsTheBracketsThatPythonsPrecedenceNeeds) {
  DispatchTest test = body("lib.impl(\"f\", k1, \"CPU\", with_keyset=True)");
  ProbeKernel& kernel = test.script.kernels[0];
  kernel.act = ProbeKernel::Act::redispatch;
  kernel.op = "probe::f";
  kernel.steps = {step(add, "XLA"), step(after_autograd), step(add, "CPU"), step(remove, "CUDA"), step(keep, "HIP")};
  const std::string text = print_program({test}, {});
  EXPECT_NE(text.find("redispatch(((ks | torch._C.DispatchKeySet(torch._C.DispatchKey.XLA)) & "
                      "torch._C._after_autograd_keyset | torch._C.DispatchKeySet(torch._C.DispatchKey.CPU)).remove("),
            std::string::npos)
      << text;
  expect_round_trip({test});
}

TEST(DispatchProgram, PrintsOnlyTheTensorsThatAreUsed) {
  const std::string text = print_program({body("torch.ops.probe.f(cpu)")}, {"What it is about."});
  EXPECT_TRUE(text.starts_with("# What it is about.\nimport torch\n\n\ndef test_it(device):  # DSP-34 DSP-35\n"))
      << text;
  EXPECT_NE(text.find("    cpu = torch.zeros([1])\n"), std::string::npos);
  EXPECT_EQ(text.find("meta"), std::string::npos);
}

TEST(DispatchProgram, PrintsAnInferenceTensorThatReadsBack) {
  DispatchTest test = body("torch.ops.probe.f(cpu)");
  test.script.statements.back() = InvokeOp{"probe::f", {ProbeTensor::inference}};
  EXPECT_NE(print_program({test}, {}).find("    with torch.inference_mode():\n        inference = torch.zeros([1])\n"),
            std::string::npos);
  expect_round_trip({test});
}

TEST(DispatchProgram, ClearsTheLogOfACallWithoutExpectations) {
  expect_round_trip({body("torch.ops.probe.f(cpu)\nlog.clear()\ntorch.ops.probe.f(cpu)\nassert log == [\"k1\"]")});
}

TEST(DispatchProgram, PrintsEachSchemasArguments) {
  DispatchTest test = body("pass");
  auto& statements = test.script.statements;
  using enum ProbeTensor;
  const std::vector<std::vector<ProbeTensor>> tensors{{requires_grad}, {cpu, meta}, {cpu, none}, {}, {}};
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    statements.emplace_back(DefineOp{"lib", fmt::format("f{}", i), static_cast<ProbeSchema>(i)});
    statements.emplace_back(InvokeOp{fmt::format("probe::f{}", i), tensors[i]});
    statements.emplace_back(RedispatchOp{fmt::format("probe::f{}", i), {"CPU"}, tensors[i]});
  }
  const std::string text = print_program({test}, {});
  for (const std::string call : {"f0(requires_grad)", "f1(cpu, meta)", "f2(cpu, None)", "f3([])", "f4(1)"})
    EXPECT_NE(text.find("torch.ops.probe." + call + "\n"), std::string::npos) << call;
  expect_round_trip({test});
}

TEST(DispatchProgram, KnowsTheSchemaOfACallAfterLibrariesAreDestroyed) {
  const DispatchTest test = body(
      "lib.define(\"f(int n) -> ()\")\ntorch.ops.probe.f(cpu)\nlib._destroy()\n"
      "lib = torch.library.Library(\"probe\", \"DEF\")\nlib.define(\"f(int n) -> ()\")\ntorch.ops.probe.f(1)");
  EXPECT_EQ(std::get<InvokeOp>(test.script.statements.back()), (InvokeOp{"probe::f", {}}));
  expect_round_trip({test});
}

TEST(DispatchProgram, RefusesToPrintAKernelOfAnOperatorAndAFallback) {
  DispatchTest test = body("lib.impl(\"f\", k1, \"CPU\", with_keyset=True)");
  test.script.statements.emplace_back(FallbackOp{"lib", "CUDA", 0});
  expect_round_trip({test});
  test.script.kernels[0].act = ProbeKernel::Act::call;
  test.script.kernels[0].op = "probe::f";
  EXPECT_THROW(print_program({test}, {}), std::invalid_argument);
}

/// The parser's own printing has Python's precedence.
TEST(DispatchProgram, KeySetsPrintAsTheyWereParsed) {
  for (const std::string set :
       {"a & b | c", "a & (b | c)", "(a | b) & c", "a & (b & c)", "a | b | c", "(a | b).remove(c)"}) {
    const std::string text = "def test_a():\n    f.redispatch(" + set + ")\n";
    EXPECT_EQ(program::print(program::parse(text, "a.py", program::Subject::dispatcher)), text);
  }
}

TEST(DispatchProgram, RefusesToPrintAScriptThatNoProgramCanExpress) {
  DispatchTest test = body("torch.ops.probe.f(cpu)");
  test.script.statements.back() = InvokeOp{"probe::f", {}};
  EXPECT_THROW(print_program({test}, {}), std::invalid_argument);
  test.script.statements.back() = EnterGuard{};
  EXPECT_THROW(print_program({test}, {}), std::invalid_argument);
  test.script.statements.back() = LeaveGuard{};
  EXPECT_THROW(print_program({test}, {}), std::invalid_argument);
}

TEST(DispatchProgram, CuratedProgramsReadBackAsPrinted) {
  std::size_t tests = 0;
  for (const auto& entry : std::filesystem::directory_iterator(PLUMBLINE_DISPATCH_CORPUS)) {
    if (!entry.path().filename().string().starts_with("test_")) continue;
    SCOPED_TRACE(entry.path().string());
    std::ifstream stream(entry.path());
    const std::string text(std::istreambuf_iterator<char>(stream), {});
    EXPECT_TRUE(is_dispatch_program(text));
    const auto read = read_program(text, entry.path().filename().string());
    tests += read.size();
    expect_round_trip(read);
  }
  EXPECT_GE(tests, 24U);
}

TEST(DispatchProgram, IsOneThatUsesTorchLibrary) {
  EXPECT_TRUE(is_dispatch_program(program_with("pass")));
  EXPECT_FALSE(is_dispatch_program("import torch\n\n\ndef test_a():  # torch.library.Library\n    pass\n"));
}

TEST(DispatchProgram, LogsAKeySetOfOnlyUndefinedAsEmpty) {
  EXPECT_EQ(log_lines({{"k1", {}}, {"k2", {"CPU", "AutogradCPU"}}, {"k3", {"Undefined"}}}),
            (std::vector<std::string>{"k1", "k2", "DispatchKeySet(CPU, AutogradCPU)", "k3", "DispatchKeySet()"}));
}

}  // namespace
}  // namespace plumbline::dispatcher
