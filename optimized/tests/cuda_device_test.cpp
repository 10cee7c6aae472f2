// Tensors of CUDA: their keys, how they are made and moved, mixed devices, and memory that the CPU cannot reach.
#include <gtest/gtest.h>

#include <string>

#include "optimized/autograd/variable.h"
#include "optimized/cuda/host_memory.h"
#include "optimized/cuda/host_stream.h"
#include "optimized/tests/on_cuda.h"
#include "optimized/tests/values.h"

namespace plumbline::optimized {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): the helpers of tests

class CudaDevice : public OnCuda {};

TEST_F(CudaDevice, a_factory_makes_a_tensor_where_its_option_says) {
  const Tensor made = ones({2}, std::nullopt, std::nullopt, static_cast<Enumerated>(Backend::CUDA));
  EXPECT_EQ(made.device(), Backend::CUDA);
  EXPECT_EQ(numbers(to_cpu(made)), (Numbers{1, 1}));
}

TEST_F(CudaDevice, without_the_option_it_makes_one_on_the_threads_device) {
  EXPECT_EQ(ones({2}).device(), Backend::CPU);
  const DeviceGuard guard(Backend::CUDA);
  EXPECT_EQ(ones({2}).device(), Backend::CUDA);
  EXPECT_EQ(ones({2}, std::nullopt, std::nullopt, static_cast<Enumerated>(Backend::CPU)).device(), Backend::CPU);
}

TEST_F(CudaDevice, a_device_that_is_not_here_is_refused) {
  EXPECT_EQ(error_of([] { ones({2}, std::nullopt, std::nullopt, Enumerated{5}); }), ErrorClass::option);
  EXPECT_EQ(error_of([] { memory_of(Backend::XLA); }), ErrorClass::option);
}

TEST_F(CudaDevice, its_tensors_carry_the_keys_of_their_backend) {
  const KeySet normal = KeySet(Functionality::Dense) | Functionality::Autograd | Functionality::ADInplaceOrView |
                        Functionality::AutocastCUDA | KeySet(Backend::CUDA);
  EXPECT_EQ(to_cuda(vector({1})).keys(), normal);
  const InferenceMode mode;
  EXPECT_EQ(to_cuda(vector({1})).keys(),
            KeySet(Functionality::Dense) | Functionality::AutocastCUDA | KeySet(Backend::CUDA));
}

TEST_F(CudaDevice, results_and_views_stay_on_the_device) {
  const Tensor x = to_cuda(counting({2, 3}));
  EXPECT_EQ(add(x, x).device(), Backend::CUDA);
  EXPECT_EQ(transpose(x, 0, 1).device(), Backend::CUDA);
  EXPECT_TRUE(transpose(x, 0, 1).storage() == x.storage());
}

TEST_F(CudaDevice, a_tensor_moves_there_and_back_with_its_layout) {
  const Tensor x = transpose(counting({2, 3}), 0, 1);
  const Tensor back = to_cpu(to_cuda(x));
  EXPECT_EQ(numbers(back), numbers(x));
  EXPECT_EQ(strides(back), strides(x));
}

TEST_F(CudaDevice, copy_goes_between_devices_and_converts) {
  const Tensor there = to_cuda(counting({2, 2}));
  copy_(there, vector({7, 8}, Dtype::int32));
  EXPECT_EQ(numbers(to_cpu(there)), (Numbers{7, 8, 7, 8}));
  const Tensor here = tensor({2, 2}, {0, 0, 0, 0}, Dtype::int64);
  copy_(here, there);
  EXPECT_EQ(numbers(here), (Numbers{7, 8, 7, 8}));
}

TEST_F(CudaDevice, tensors_of_two_devices_do_not_meet) {
  const Tensor here = vector({1, 2});
  const Tensor there = to_cuda(here);
  EXPECT_EQ(error_of([&] { add(there, here); }), ErrorClass::device);
  EXPECT_EQ(error_of([&] { add_(here, there); }), ErrorClass::device);
}

TEST_F(CudaDevice, but_a_tensor_of_the_cpu_without_dimensions_is_a_number) {
  const Tensor there = to_cuda(vector({1, 2}));
  EXPECT_EQ(numbers(to_cpu(add(there, scalar(2)))), (Numbers{3, 4}));
  EXPECT_EQ(numbers(to_cpu(mul(scalar(2, Dtype::int64), there))), (Numbers{2, 4}));
}

TEST_F(CudaDevice, a_gradient_comes_back_to_the_device_of_its_leaf) {
  const Tensor x = leaf({1, 2});
  const Tensor loss = sum(mul(to_cuda(x), to_cuda(vector({3, 5}))));
  backward(loss);
  EXPECT_EQ(grad_of(x).device(), Backend::CPU);
  EXPECT_EQ(numbers(grad_of(x)), (Numbers{3, 5}));
}

TEST_F(CudaDevice, what_a_derivative_makes_is_on_the_device_of_its_gradient) {
  const Tensor x = leaf({1, 2, 3});
  const Tensor loss = sum(select(to_cuda(x), 0, 1));  // zeros, in which the gradient is put
  backward(loss);
  EXPECT_EQ(numbers(grad_of(x)), (Numbers{0, 1, 0}));
}

TEST_F(CudaDevice, the_cpu_cannot_reach_its_memory) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const Tensor there = to_cuda(vector({1, 2}));
  volatile float element = 0;
  EXPECT_DEATH(element = *there.data<float>(), "");
  EXPECT_DEATH(*there.data<float>() = element, "");
  cuda::synchronize();
  const cuda::HostAccess access;
  element = *there.data<float>();
  EXPECT_EQ(element, 1);
}

TEST_F(CudaDevice, memory_that_no_one_wrote_is_not_zero) {
  const DeviceGuard guard(Backend::CUDA);
  const Tensor fresh = empty({4}, Dtype::int32);
  EXPECT_EQ(numbers(to_cpu(fresh)), Numbers(4, static_cast<std::int32_t>(0xCDCDCDCD)));
}

TEST_F(CudaDevice, memory_is_given_back_and_its_parts_join) {
  const std::int64_t before = cuda::host_memory().in_use();
  constexpr std::int64_t kThird = cuda::kHostMemory / 3 / sizeof(float);
  const DeviceGuard guard(Backend::CUDA);
  {
    const Tensor a = empty({kThird});
    Tensor b = empty({kThird});
    const Tensor c = empty({1});
    b = {};
    EXPECT_EQ(error_of([] { empty({2 * kThird}); }), ErrorClass::memory);
  }
  EXPECT_EQ(empty({2 * kThird}).numel(), 2 * kThird);
  EXPECT_EQ(cuda::host_memory().in_use(), before);
}

TEST_F(CudaDevice, more_than_there_is_is_a_memory_error_and_nothing_is_lost) {
  const std::int64_t before = cuda::host_memory().in_use();
  const DeviceGuard guard(Backend::CUDA);
  EXPECT_EQ(error_of([] { empty({std::int64_t{1} << 40}); }), ErrorClass::memory);
  EXPECT_EQ(cuda::host_memory().in_use(), before);
  EXPECT_EQ(numbers(to_cpu(ones({1}))), Numbers{1});
}

TEST_F(CudaDevice, resize_keeps_what_a_storage_holds) {
  const Tensor x = to_cuda(vector({1, 2}));
  resize_(x, {3});
  EXPECT_EQ(numbers(to_cpu(slice(x, 0, 0, 2, 1))), (Numbers{1, 2}));
}

}  // namespace
}  // namespace plumbline::optimized
