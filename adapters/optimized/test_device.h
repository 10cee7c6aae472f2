// The device on which programs run, and its keys. Programs and the reference call it the CPU.
#pragma once

#include <string>

#include "optimized/dispatcher/key_set.h"

namespace plumbline::optimized {

/// From now on programs run on this device, the CPU or CUDA: what they call `device`. Before anything runs.
void run_on(Backend device);
/// At first the CPU.
Backend test_device();

/// The keys of the test's device as those of the CPU, and those of the CPU as those of that device. So what is on the
/// CPU by mistake shows. The same the other way round.
KeySet as_programs_see(KeySet keys);

/// The key of the runtime that a program means by this name. Throws Unsupported for a key of the test's device itself,
/// which is another backend in the program.
std::string with_device(const std::string& key);
/// The name that a program has for a key of the runtime.
std::string named_as_in_programs(const std::string& key);

}  // namespace plumbline::optimized
