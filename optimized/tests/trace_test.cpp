// The dispatch trace: what is listed, what is not, and that nothing is listed while it is off.
#include "optimized/dispatcher/trace.h"

#include <gtest/gtest.h>

#include "optimized/dispatcher/dispatcher.h"

namespace plumbline::optimized::trace_test {
namespace {

constexpr KeySet kBackendKeys = KeySet(Functionality::Dense) | Backend::CPU;
constexpr KeySet kTensorKeys = kBackendKeys | Functionality::Autograd | Functionality::ADInplaceOrView;

Slot entry_of(KeySet keys) { return static_cast<Slot>(keys.entry()); }

void do_nothing(void*, const Operator&, KeySet, Frame&) {}
void go_on(void*, const Operator& op, KeySet keys, Frame& frame) {
  op.redispatch(keys & below(static_cast<Functionality>(keys.functionality())), frame);
}
/// Calls the operator in its context.
void call_other(void* context, const Operator&, KeySet, Frame& frame) {
  static_cast<const Operator*>(context)->call(frame);
}

class Traced : public ::testing::Test {
 protected:
  Traced() {
    for (const char* op : {"inner", "outer", "composite"}) library_.define(op);
    for (const char* op : {"inner", "outer"}) {
      library_.impl(op, slot_of(AliasKey::Autograd), {go_on, nullptr, nullptr});
      library_.impl(op, entry_of(Functionality::ADInplaceOrView), fallthrough_kernel());
    }
    library_.impl("inner", entry_of(kBackendKeys), {do_nothing, nullptr, nullptr});
    library_.impl("outer", entry_of(kBackendKeys), {call_other, inner(), nullptr});
    library_.impl("composite", slot_of(AliasKey::CompositeImplicitAutograd), {call_other, inner(), nullptr});
  }
  void* inner() { return const_cast<Operator*>(&dispatcher_.find("probe::inner")); }

  /// "Autograd (ADInplaceOrView) Dense", without what is passed over for other reasons.
  std::string listed(const char* op) {
    const TraceScope scope;
    Frame frame{kTensorKeys, nullptr};
    dispatcher_.find(std::string("probe::") + op).call(frame);
    std::string text;
    for (const KernelRan& ran : scope.kernels()) {
      if (ran.kernel == Functionality::BackendSelect) continue;
      const std::string name(kFunctionalityNames.at(static_cast<std::size_t>(ran.kernel)));
      text += (text.empty() ? "" : " ") + (ran.fallthrough ? "(" + name + ")" : name);
    }
    return text;
  }

  Dispatcher dispatcher_;
  Library library_{dispatcher_, Library::Kind::DEF, "probe"};
};

TEST_F(Traced, kernels_are_listed_from_the_highest_key_down_while_it_is_on) {
  EXPECT_EQ(listed("inner"), "");
  dispatcher_.trace(true);
  EXPECT_EQ(listed("inner"), "Autograd (ADInplaceOrView) Dense");
  dispatcher_.trace(false);
  EXPECT_EQ(listed("inner"), "");
}

TEST_F(Traced, what_a_kernel_calls_is_not_listed) {
  dispatcher_.trace(true);
  EXPECT_EQ(listed("outer"), "Autograd (ADInplaceOrView) Dense");
}

TEST_F(Traced, what_a_composite_kernel_calls_is_listed_in_its_place) {
  dispatcher_.trace(true);
  EXPECT_EQ(listed("composite"), "Autograd (ADInplaceOrView) Dense");
}

TEST_F(Traced, keys_that_the_thread_excludes_are_not_listed) {
  dispatcher_.trace(true);
  const AutoDispatchBelowADInplaceOrView guard;
  EXPECT_EQ(listed("inner"), "Dense");
}

TEST_F(Traced, what_is_registered_later_is_listed_too) {
  dispatcher_.trace(true);
  Library more(dispatcher_, Library::Kind::FRAGMENT, "probe");
  more.impl("inner", entry_of(Functionality::ADInplaceOrView), {go_on, nullptr, nullptr});
  EXPECT_EQ(listed("inner"), "Autograd ADInplaceOrView Dense");
  more.define("fresh");
  more.impl("fresh", entry_of(kBackendKeys), {do_nothing, nullptr, nullptr});
  EXPECT_EQ(listed("fresh"), "Autograd (ADInplaceOrView) Dense");
}

TEST_F(Traced, the_inner_scope_lists_until_it_ends) {
  dispatcher_.trace(true);
  const TraceScope outer;
  listed("inner");
  EXPECT_TRUE(outer.kernels().empty());
}

}  // namespace
}  // namespace plumbline::optimized::trace_test
