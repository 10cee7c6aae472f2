// The timed call of each row is the public entry: it runs a probe kernel that is registered on our dispatcher.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>

#include "bench/rows.h"
#include "bench/runner/suite.h"
#include "bench/sides/ours.h"
#include "bench/sides/sides.h"
#include "optimized/ops.h"

namespace plumbline::bench {
namespace {

using optimized::Frame;
using optimized::KeySet;
using optimized::Library;
using optimized::Operator;
using optimized::Slot;

/// How often a probe ran, by the key at which it is registered.
struct Met {
  int autograd = 0, inplace_or_view = 0, cpu = 0;
};
Met met;

void go_on(const Operator& op, KeySet keys, Frame& frame) { op.redispatch(keys, frame); }

void at_autograd(void*, const Operator& op, KeySet keys, Frame& frame) {
  ++met.autograd;
  go_on(op, keys & optimized::kAfterAutograd, frame);
}
void at_inplace_or_view(void*, const Operator& op, KeySet keys, Frame& frame) {
  ++met.inplace_or_view;
  go_on(op, keys & optimized::kAfterADInplaceOrView, frame);
}

/// The ops of the table that a row calls.
std::vector<std::string> ops_of(Call call) {
  switch (call) {
    case Call::add:
    case Call::alive:
      return {"add.Tensor"};
    case Call::add_:
    case Call::illegal:
      return {"add_.Tensor"};
    case Call::copy_:
      return {"copy_"};
    case Call::sum:
      return {"sum"};
    case Call::view:
    case Call::deep:
      return {"view"};
    case Call::slice:
      return {"slice.Tensor"};
    case Call::empty:
      return {"empty.memory_format"};
    case Call::mlp:
      return {"addmm", "relu"};
    case Call::mm:
      return {"mm"};
    case Call::row:
    case Call::rows:
      return {"select.int", "add_.Tensor"};
    default:
      return {};
  }
}

/// Probes of one op, for a scope. They are boxed, and redispatch to the kernels that were there before.
class Probes {
 public:
  explicit Probes(const std::string& op) : library_(optimized::dispatcher(), Library::Kind::IMPL, "aten") {
    library_.impl(op, optimized::slot_of(AliasKey::Autograd), {&at_autograd, nullptr, nullptr});
    library_.impl(op, static_cast<Slot>(KeySet(Functionality::ADInplaceOrView).entry()),
                  {&at_inplace_or_view, nullptr, nullptr});
  }

 private:
  Library library_;
};

/// The same case in another mode, and with no size too large for a test.
Case small(Case one, Mode mode) {
  one.mode = mode;
  one.size = std::min<std::int64_t>(one.size, 64);
  return one;
}

/// Whether calls in a mode meet a kernel at Autograd or at ADInplaceOrView.
bool passes_autograd(Mode mode) { return mode != Mode::inference && mode != Mode::below; }

TEST(Entry, each_row_calls_the_public_entry) {
  for (const Case& one : cases()) {
    for (const std::string& op : ops_of(one.call)) {
      const std::unique_ptr<Workload> workload = ours().make(small(one, Mode::normal));
      const Probes probes(op);
      met = {};
      workload->run(1);
      EXPECT_GE(met.autograd + met.inplace_or_view, 1) << id_of(one) << ": " << op;
    }
  }
}

TEST(Entry, each_row_passes_autograd_unless_its_mode_is_below_it) {
  for (const Case& one : cases()) {
    if (one.mode == Mode::normal || one.mode == Mode::ideal) continue;
    for (const std::string& op : ops_of(one.call)) {
      const std::unique_ptr<Workload> workload = ours().make(small(one, one.mode));
      const Probes probes(op);
      met = {};
      workload->run(1);
      EXPECT_EQ(met.autograd + met.inplace_or_view > 0, passes_autograd(one.mode)) << id_of(one) << ": " << op;
    }
  }
}

TEST(Entry, the_runner_without_libtorch_lists_the_cases_that_ours_has) {
  const Suite suite = suite_of_rows("optimized", {ours(), floors()});
  for (const Case& one : cases()) {
    const bool listed = std::ranges::find(suite.entries, id_of(one), &Entry::id) != suite.entries.end();
    EXPECT_EQ(listed, is_on(one, "ours") && !is_lazy(one)) << id_of(one);
    if (is_lazy(one)) continue;
    EXPECT_EQ(listed, ours().make(small(one, one.mode)) != nullptr) << id_of(one);
  }
}

/// A write op of our own: how often one call bumps the version.
TEST(Entry, the_write_ops_of_the_claims_bump_once) {
  for (const auto& write : {&Ours::write_fused, &Ours::write_split}) {
    const optimized::Tensor to = Ours::tensor({1}, {1});
    write(to, Ours::tensor({2}, {1}));
    EXPECT_EQ(optimized::version_of(to), 1U);
    EXPECT_EQ(to.data<float>()[0], 3);
  }
}

}  // namespace
}  // namespace plumbline::bench
