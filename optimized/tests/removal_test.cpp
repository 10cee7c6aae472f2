// What is removed for backends that lack views, strides or mutation, as each of them says at its registration.
#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <memory>
#include <vector>

#include "optimized/removal/backend.h"
#include "optimized/tests/on_device.h"
#include "optimized/tests/values.h"
#include "optimized/without_views/whole_buffers.h"

namespace plumbline::optimized {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): the helpers of tests

constexpr Backend kWithoutViews = Backend::PrivateUse1;

/// A device for each combination of abilities, in the order of kInserted, but for the one that has all.
class Removals : public ::testing::Test {
 protected:
  Removals() {
    static const bool once = [] {
      BufferBackend<Backend::HIP>::register_with(std::make_unique<WholeBuffers>(kInserted[1].can));
      BufferBackend<Backend::MTIA>::register_with(std::make_unique<WholeBuffers>(kInserted[2].can));
      BufferBackend<Backend::MPS>::register_with(std::make_unique<WholeBuffers>(kInserted[3].can));
      BufferBackend<Backend::IPU>::register_with(std::make_unique<WholeBuffers>(kInserted[4].can));
      BufferBackend<Backend::XPU>::register_with(std::make_unique<WholeBuffers>(kInserted[5].can));
      run_on_whole_buffers(kInserted[6].can);
      BufferBackend<Backend::HPU>::register_with(std::make_unique<WholeBuffers>(kInserted[7].can));
      return true;
    }();
    static_cast<void>(once);
  }

  static constexpr std::array kDevices{Backend::HIP, Backend::MTIA, Backend::MPS, Backend::IPU,
                                       Backend::XPU, kWithoutViews, Backend::HPU};
};

TEST_F(Removals, what_is_inserted_follows_from_what_a_backend_can_do) {
  for (const Inserted& row : kInserted) {
    const bool aliases = std::ranges::count(row.removals(), Removal::aliases) == 1;
    const bool mutation = std::ranges::count(row.removals(), Removal::mutation) == 1;
    EXPECT_EQ(aliases, !row.can.views || !row.can.strides);
    EXPECT_EQ(mutation, !row.can.mutation);
  }
}

/// Writes and reads through views of one tensor; what each step reads.
std::vector<Tensor> written_through_views(const Tensor& base, const Tensor& other) {
  std::vector<Tensor> seen;
  const Tensor turned = transpose(base, 0, 1);
  const Tensor part = slice(base, 1, 1, 3);
  const Tensor column = select(base, 1, 0);
  seen.push_back(add(turned, other));
  add_(part, scalar(10));
  seen.push_back(add(turned, other));
  mul_(turned, other);
  seen.push_back(clone(part));
  copy_(column, select(other, 0, 1));
  masked_fill_(turned, gt(other, 2), -1);
  seen.push_back(sum(part, Sizes{0}, false));
  seen.push_back(mm(turned, base));
  seen.push_back(softmax(column, 0, std::nullopt));
  seen.push_back(std::get<1>(max(turned, 1, false)));
  seen.push_back(cat(std::vector<Tensor>{part, base}, 1));
  fill_(as_strided(base, {2, 3}, {1, 1}, 4), 7);  // some elements twice
  const Tensor mask = eq(slice(slice(other, 0, 0, 2, 1), 1, 0, 3, 1), scalar(2));
  masked_fill_(as_strided(base, {2, 3}, {1, 1}, 0), mask, 5);  // true at one of the two places of an element
  seen.push_back(clone(call<op::view_dtype>(base, Dtype::int32)));
  resize_(base, {5, 5}, std::nullopt);
  zero_(base);
  fill_(select(base, 0, 4), 3);
  seen.push_back(clone(base));
  return seen;
}

TEST_F(Removals, each_combination_of_abilities_computes_what_the_cpu_does) {
  const auto values = [](Backend device) {
    std::vector<Numbers> all;
    for (const Tensor& one :
         written_through_views(on_device(counting({4, 4}), device), on_device(counting({4, 4}), device)))
      all.push_back(numbers(to_cpu(one)));
    return all;
  };
  const std::vector<Numbers> expected = values(Backend::CPU);
  for (const Backend device : kDevices) EXPECT_EQ(values(device), expected) << printed(device);
}

TEST_F(Removals, a_view_is_copied_again_only_after_its_base_was_written) {
  Removing& removing = BufferBackend<kWithoutViews>::removing();
  const Tensor base = on_device(counting({3, 4}), kWithoutViews);
  const Tensor turned = transpose(base, 0, 1);
  const Tensor same = on_device(counting({4, 3}), kWithoutViews);
  static_cast<void>(add(same, turned));
  const std::uint64_t once = removing.copies_made();
  static_cast<void>(mul(same, turned));
  EXPECT_EQ(removing.copies_made(), once);
  add_(base, scalar(1));
  EXPECT_EQ(numbers(to_cpu(add(same, turned)))[1], 6);
  EXPECT_EQ(removing.copies_made(), once + 1);
}

TEST_F(Removals, a_view_without_elements_may_begin_beyond_its_block) {
  for (const Backend device : kDevices) {
    const Tensor none = slice(on_device(counting({2, 2, 0}), device), 0, 2, 2);
    EXPECT_EQ(numbers(to_cpu(sum(none))), (Numbers{0})) << printed(device);
    const Tensor only_added = addmm(on_device(counting({2, 2}), device), on_device(counting({2, 0}), device),
                                    on_device(counting({0, 2}), device), 2);
    EXPECT_EQ(numbers(to_cpu(only_added)), (Numbers{0, 2, 4, 6})) << printed(device);
  }
}

TEST_F(Removals, a_row_major_tensor_is_never_copied) {
  Removing& removing = BufferBackend<kWithoutViews>::removing();
  const Tensor a = on_device(counting({3, 4}), kWithoutViews);
  const std::uint64_t before = removing.copies_made();
  static_cast<void>(sum(relu(add(a, a)), Sizes{0}, false));
  static_cast<void>(mm(a, on_device(counting({4, 2}), kWithoutViews)));
  static_cast<void>(add(a, on_device(counting({4}), kWithoutViews)));
  EXPECT_EQ(removing.copies_made(), before);
}

TEST_F(Removals, memory_is_given_back_with_its_copies) {
  const DeviceMemory& memory = memory_of(kWithoutViews);
  const std::int64_t on_cpu_before = memory_of(Backend::CPU).in_use();
  const std::int64_t before = memory.in_use();
  {
    const Tensor base = on_device(counting({64, 64}), kWithoutViews);
    static_cast<void>(add(transpose(base, 0, 1), base));
    EXPECT_EQ(memory.in_use() - before, 64 * 64 * 4);
  }
  EXPECT_EQ(memory.in_use(), before);
  EXPECT_EQ(memory_of(Backend::CPU).in_use(), on_cpu_before);
}

/// A backend without abilities, and no removal in front of it.
class Alone : public ::testing::Test {
 protected:
  ~Alone() override {
    backend_.drop(to_);
    backend_.drop(from_);
  }

  /// neg of four floats of which `from` holds eight, `step` apart.
  void negate(std::int64_t step, std::int64_t offset) {
    BufferCall it;
    it.call.primitive = Primitive::unary;
    it.call.operands = 2;
    it.call.outer = CallLoops(1);
    it.call.outer.add(4, {1, step});
    it.buffers = {to_, from_};
    it.offsets = {0, offset};
    backend_.run(it);
  }

  WholeBuffers backend_{Abilities{.views = false, .strides = false, .mutation = false}};
  Buffer* to_ = backend_.make(4 * sizeof(float));
  Buffer* from_ = backend_.make(8 * sizeof(float));
};

TEST_F(Alone, a_backend_without_views_refuses_a_part_of_a_buffer) {
  EXPECT_EQ(error_of([&] { negate(1, 0); }), ErrorClass::unclassified);
  EXPECT_EQ(error_of([&] { negate(2, 0); }), ErrorClass::unclassified);
  EXPECT_EQ(error_of([&] { negate(1, 16); }), ErrorClass::unclassified);
}

TEST_F(Alone, a_backend_without_mutation_refuses_a_second_write) {
  const std::array<float, 4> values{1, 2, 3, 4};
  backend_.drop(std::exchange(from_, backend_.make(sizeof(values))));
  backend_.write(from_, reinterpret_cast<const std::byte*>(values.data()));
  negate(1, 0);
  EXPECT_EQ(error_of([&] { negate(1, 0); }), ErrorClass::unclassified);
}

TEST(Blocks, an_address_that_no_block_has_is_an_internal_fault) {
  Blocks blocks(Backend::XPU);
  const std::byte* const address = blocks.add(100);
  EXPECT_EQ(blocks.find(address + 99).offset, 99);
  EXPECT_EQ(blocks.find(address + 100).offset, 100);  // one after the end
  static_cast<void>(blocks.remove(address));
  EXPECT_EQ(error_of([&] { static_cast<void>(blocks.find(address)); }), ErrorClass::unclassified);
  EXPECT_EQ(error_of([&] { static_cast<void>(blocks.add(std::size_t{1} << 60U)); }), ErrorClass::memory);
}

}  // namespace
}  // namespace plumbline::optimized
