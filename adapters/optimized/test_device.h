// The device on which programs run, and its keys. Programs and the reference call it the CPU, or CUDA if they name the
// CPU beside it.
#pragma once

#include <functional>
#include <string>

#include "optimized/dispatcher/key_set.h"

namespace plumbline::optimized {

/// From now on programs run on this device: what they call `device`. Before anything runs. The
/// implementation has this name.
void run_on(Backend device, std::string name);
/// How functionalized bodies are run on the device: `graph(body)` records it (optimized/cuda/recording.h). At first
/// they run as everything else.
void run_bodies_by(std::function<void(const std::function<void()>&)> graph);
void run_body(const std::function<void()>& body);
/// What is done after each call of a program, which it must not notice. At first nothing.
void do_after_calls(std::function<void()> after);
void after_call();
/// How work that waits on the device is done before bytes are counted, which it would change. At first there is none.
void settle_by(std::function<void()> settling);
void settle();
/// Whether the program that runs names the CPU beside its device. Then it sees the keys of both as they are.
void see_both_devices(bool both);

/// At first the CPU, with the name `optimized`.
Backend test_device();
const std::string& implementation_name();

/// The keys of the test's device as those of the CPU, and those of the CPU as those of that device. So what is on the
/// CPU by mistake shows. The same the other way round. All keys as they are in a program of two devices.
KeySet as_programs_see(KeySet keys);

/// The key of the runtime that a program means by this name. Throws Unsupported for a key of the test's device itself,
/// which is another backend in the program, for an alias key that serves the CPU but not that device, and for keys
/// between those of the CPU and of that device: their order decides which kernel runs.
std::string with_device(const std::string& key);
/// Throws Unsupported for a set that has a functionality of backends, but no backend: it means the CPU's kernel, and
/// the program's CPU is another device here.
void check_backend_of(KeySet keys);
/// The name of Autocast's key of the test's device; there is no such key if the device has none.
std::string autocast_key_of_device();
/// The name that a program has for a key of the runtime.
std::string named_as_in_programs(const std::string& key);

}  // namespace plumbline::optimized
