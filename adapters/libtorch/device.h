// The device on which tests run: the CPU, or another one that this LibTorch has.
#pragma once

#include <c10/core/Device.h>

#include <string>

namespace plumbline::libtorch {

/// From now on tests run on this device, as PyTorch names it: "cuda", "cuda:1", "meta". Before anything runs. Returns
/// why LibTorch cannot make a tensor there; empty if it can.
std::string run_on(const std::string& name);

/// At first the CPU.
c10::Device test_device();

/// Returns when the device has done all that was started. Throws what an asynchronous kernel could not raise.
void wait_for_device();

}  // namespace plumbline::libtorch
