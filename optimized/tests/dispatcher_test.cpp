// The optimized dispatcher by itself: entries, guards, registrations that come and go, and calls without a frame.
#include "optimized/dispatcher/dispatcher.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <thread>

namespace plumbline::optimized {
namespace {

const KeyLayout& layout() { return layout_of(Profile::sound); }
Slot slot(const char* name) { return static_cast<Slot>(index_of(layout(), *runtime_key_named(layout(), name))); }

/// Counts its runs.
void count(void* context, const Operator&, KeySet, Frame&) { ++*static_cast<int*>(context); }

constexpr KeySet kCpu = KeySet(Functionality::Dense) | Backend::CPU;

TEST(Entries, are_those_of_the_layout) {
  EXPECT_EQ(kTableSize, table_size(layout()));
  for (int entry = 1; entry < kTableSize; ++entry)
    EXPECT_EQ(KeySet(word_of(layout(), key_at(layout(), entry))).entry(), entry);
}

RC_GTEST_PROP(Entries, a_set_arrives_at_its_highest_functionality_and_backend, ()) {
  const int f = *rc::gen::inRange(1, kFunctionalities + 1);
  const int b = *rc::gen::inRange(0, kBackends);
  const auto lower = *rc::gen::arbitrary<std::uint64_t>();
  const std::uint64_t functionality = bit_of(static_cast<Functionality>(f));
  const std::uint64_t backend = bit_of(static_cast<Backend>(b));
  const KeySet keys(functionality | backend | (lower & (functionality - 1) & ~kBackendBits) | (lower & (backend - 1)));
  const bool family = is_per_backend(static_cast<Functionality>(f));
  const RuntimeKey key{static_cast<std::uint8_t>(f), static_cast<std::uint8_t>(family ? b : 0)};
  RC_ASSERT(keys.entry() == index_of(layout(), key));
}

TEST(Guards, put_back_what_they_found_when_the_scope_is_left_by_an_error) {
  const ThreadState before = thread_state();
  try {
    const InferenceMode mode;
    const ExcludeKeys exclude(Functionality::ADInplaceOrView);
    throw std::runtime_error("left");
  } catch (const std::runtime_error&) {
    EXPECT_EQ(thread_state().included, before.included);
  }
  EXPECT_EQ(thread_state().excluded, before.excluded);
  EXPECT_FALSE(thread_state().inference_mode);
  EXPECT_TRUE(thread_state().grad_mode);
}

TEST(Guards, are_of_one_thread) {
  const InferenceMode mode;
  bool elsewhere = true;
  std::thread([&] { elsewhere = thread_state().inference_mode; }).join();
  EXPECT_FALSE(elsewhere);
  EXPECT_TRUE(thread_state().inference_mode);
}

TEST(Libraries, take_their_kernels_with_them) {
  Dispatcher dispatcher;
  int older = 0;
  int newer = 0;
  Library library(dispatcher, Library::Kind::DEF, "probe");
  library.define("f");
  library.impl("f", slot("CPU"), {count, &older, nullptr});
  Frame frame{kCpu, nullptr};
  {
    Library other(dispatcher, Library::Kind::IMPL, "probe");
    other.impl("f", slot("CPU"), {count, &newer, nullptr});
    dispatcher.find("probe::f").call(frame);
  }
  dispatcher.find("probe::f").call(frame);
  EXPECT_EQ(newer, 1);
  EXPECT_EQ(older, 1);
}

TEST(Libraries, take_their_operators_with_them) {
  Dispatcher dispatcher;
  {
    Library library(dispatcher, Library::Kind::DEF, "probe");
    library.define("f");
    EXPECT_NO_THROW((void)dispatcher.find("probe::f"));
    EXPECT_THROW(Library(dispatcher, Library::Kind::DEF, "probe"), DispatchFailed);
  }
  EXPECT_THROW((void)dispatcher.find_registered("probe::f"), DispatchFailed);
  EXPECT_NO_THROW(Library(dispatcher, Library::Kind::DEF, "probe"));
}

int add_one(const Operator&, KeySet, int x) { return x + 1; }

TEST(Calls, without_a_frame_find_the_kernel_of_the_operators_signature) {
  Dispatcher dispatcher;
  Library library(dispatcher, Library::Kind::DEF, "probe");
  library.define("f");
  library.impl("f", slot("CPU"), {count, nullptr, reinterpret_cast<UnboxedFunction>(add_one)});
  const Operator& op = dispatcher.find("probe::f");
  const KeySet keys = op.arrive(with_thread(kCpu)).keys;
  const auto kernel = reinterpret_cast<decltype(&add_one)>(op.kernel(keys).unboxed);
  EXPECT_EQ(kernel(op, keys, 41), 42);
}

TEST(Calls, that_find_nothing_name_the_operator_and_the_key) {
  Dispatcher dispatcher;
  Library library(dispatcher, Library::Kind::DEF, "probe");
  library.define("f");
  Frame frame{kCpu, nullptr};
  try {
    dispatcher.find("probe::f").call(frame);
    FAIL() << "it ran";
  } catch (const DispatchFailed& failed) {
    EXPECT_EQ(failed.error, DispatchError::missing_kernel);
    EXPECT_STREQ(failed.what(), "Could not run 'probe::f': no kernel for CPU");
  }
}

}  // namespace
}  // namespace plumbline::optimized
