// Cutting a script off at a difference inside a thread or a forward: the result is still a complete test.
#include <gtest/gtest.h>

#include "adapters/protocol/protocol.h"
#include "fuzz/reproducer_test.h"
#include "language/print.h"
#include "oracle/minimise.h"
#include "spec/ops/op_ids.h"

namespace plumbline::fuzz::cut_test {
namespace {

constexpr Slot kX{0}, kY{1}, kZ{2}, kA{3}, kB{4}, kG{5};

Call view(Slot from, Slot to) { return {OpId::view, {from, std::vector<std::int64_t>{-1}}, {to}}; }
Call zero(Slot slot) { return {OpId::zero_, {slot}, {}}; }

/// 0 x; 1 a Try with 2 a thread of 3 a guard with 4 a view and 5 a write; 9 an apply of 10 a view; 13 a write.
Script script() {
  Script script;
  for (const StatementKind& kind : std::vector<StatementKind>{
           MakeTensor{kX, Dtype::float32, {1}, {1}}, Try{}, StartThread{}, Enter{GuardKind::no_grad, false},
           view(kX, kB), zero(kB), Exit{}, JoinThread{}, EndTry{}, EnterForward{0, {kX}}, view(kX, kA), zero(kA),
           LeaveForward{{kA}, {kY}}, zero(kY), view(kY, kZ)})
    script.statements.push_back({kind, 0});
  script.names = {"x", "y", "z", "a", "b", "g"};
  script.functions = {{"F", {kG}, {}, {kG}}};
  return script;
}

/// All statements ran; those of `failing` failed.
Trace trace(const std::vector<std::size_t>& failing = {}) {
  Trace trace;
  for (std::size_t i = 0; i < script().statements.size(); ++i) {
    trace.outcomes.push_back({i, {}, {}, {}, {}, {}});
    if (std::ranges::find(failing, i) != failing.end())
      trace.outcomes[i].failure = {ErrorClass::inference_inplace, "Inplace update to inference tensor", "RuntimeError"};
  }
  return trace;
}

/// The body of the test that shows a difference at `statement`.
std::string cut_at(std::size_t statement, const Trace& expected, const Trace& got) {
  Held held{expected, got, {}};
  Difference& difference = held.comparison.differences.emplace_back();
  difference.statement = statement;
  const program::Test test = reproducer_test(script(), held, Keep::nothing);
  EXPECT_TRUE(well_formed(test.script)) << encode(test.script);
  const std::string text = program::print(program::raise(test));
  return text.substr(text.find("def test_"));
}

TEST(Cut, a_thread_that_is_cut_off_is_joined) {
  EXPECT_EQ(cut_at(5, trace({5}), trace()), R"PY(def test_(device):
    x = torch.tensor([1.0], device=device)
    def train():
        with torch.no_grad():
            b = x.view([-1])
            with pytest.raises(RuntimeError, match="Inplace update to inference tensor"):
                b.zero_()
    t = threading.Thread(target=train)
    t.start()
    t.join()
)PY");
}

TEST(Cut, the_error_that_ends_a_thread_is_expected_in_it) {
  const std::string text = cut_at(13, trace({5, 13}), trace({5}));
  EXPECT_NE(text.find(R"PY(    x = torch.tensor([1.0], device=device)
    def train():
        with torch.no_grad():
            b = x.view([-1])
            with pytest.raises(RuntimeError, match="Inplace update to inference tensor"):
                b.zero_()
    t = threading.Thread(target=train)
    t.start()
    t.join()
    y = F.apply(x)
    with pytest.raises(RuntimeError, match="Inplace update to inference tensor"):
        y.zero_()
)PY"),
            std::string::npos)
      << text;
}

TEST(Cut, a_forward_that_is_cut_off_returns_what_it_has) {
  const Script whole = script();
  Held held{trace({11}), trace(), {}};
  held.comparison.differences.emplace_back().statement = 11;
  const program::Test test = reproducer_test(whole, held, Keep::nothing);
  EXPECT_TRUE(well_formed(test.script)) << encode(test.script);
  EXPECT_NE(program::print(program::raise(test)).find(R"PY(    def forward(ctx, x):
        a = x.view([-1])
        with pytest.raises(RuntimeError, match="Inplace update to inference tensor"):
            a.zero_()
        return a
)PY"),
            std::string::npos);
}

TEST(Cut, an_error_of_a_forward_as_a_whole_is_expected_around_its_apply) {
  const std::string text = cut_at(12, trace({12}), trace());
  EXPECT_NE(text.find(R"PY(    with pytest.raises(RuntimeError, match="Inplace update to inference tensor"):
        y = F.apply(x)
)PY"),
            std::string::npos)
      << text;
}

TEST(Cut, a_whole_test_has_every_block) {
  const program::Test test = whole_test(script(), trace());
  EXPECT_EQ(test.script.statements.size(), script().statements.size() - 2) << "nothing reaches the Try";
  EXPECT_TRUE(well_formed(test.script)) << encode(test.script);
}

/// 0 x; 1 a thread of 2 a write, 3 a wait with 4 a view, 6 another write; 8 a write.
Script script_that_waits() {
  Script waits = script();
  waits.functions.clear();
  waits.statements.clear();
  for (const StatementKind& kind :
       std::vector<StatementKind>{MakeTensor{kX, Dtype::float32, {1}, {1}}, StartThread{}, zero(kX), PauseThread{},
                                  view(kX, kY), ResumeThread{}, zero(kX), JoinThread{}, zero(kY)})
    waits.statements.push_back({kind, 0});
  return waits;
}

std::string cut_waiting_at(std::size_t statement, const Trace& expected, const Trace& got) {
  Held held{expected, got, {}};
  held.comparison.differences.emplace_back().statement = statement;
  const program::Test test = reproducer_test(script_that_waits(), held, Keep::nothing);
  EXPECT_TRUE(well_formed(test.script)) << encode(test.script);
  const std::string text = program::print(program::raise(test));
  return text.substr(text.find("def test_"));
}

TEST(Cut, a_wait_that_is_cut_off_ends) {
  EXPECT_EQ(cut_waiting_at(4, trace({4}), trace()), R"PY(def test_(device):
    x = torch.tensor([1.0], device=device)
    waits = threading.Event()
    goes_on = threading.Event()
    def train():
        x.zero_()
        waits.set()
        goes_on.wait(10)
    t = threading.Thread(target=train)
    t.start()
    waits.wait(10)
    with pytest.raises(RuntimeError, match="Inplace update to inference tensor"):
        y = x.view([-1])
    goes_on.set()
    t.join()
)PY");
}

TEST(Cut, a_starters_statements_stay_when_an_error_has_ended_its_thread) {
  EXPECT_EQ(cut_waiting_at(8, trace({2, 8}), trace({2})), R"PY(def test_(device):
    x = torch.tensor([1.0], device=device)
    waits = threading.Event()
    goes_on = threading.Event()
    def train():
        with pytest.raises(RuntimeError, match="Inplace update to inference tensor"):
            x.zero_()
        waits.set()
        goes_on.wait(10)
    t = threading.Thread(target=train)
    t.start()
    waits.wait(10)
    y = x.view([-1])
    goes_on.set()
    t.join()
    with pytest.raises(RuntimeError, match="Inplace update to inference tensor"):
        y.zero_()
)PY");
}

}  // namespace
}  // namespace plumbline::fuzz::cut_test
