// The device on which programs run, and its keys.
#include "adapters/optimized/test_device.h"

#include <utility>

#include "adapters/walk/unsupported.h"
#include "optimized/tensor/tensor.h"
#include "spec/vocabulary/key_layout.h"

namespace plumbline::optimized {

namespace {

Backend device_of_programs = Backend::CPU;
bool sees_both = false;
bool same_keys() { return device_of_programs == Backend::CPU || sees_both; }
/// What the device has beside the runtime.
struct Hooks {
  std::function<void(const std::function<void()>&)> run_body;
  std::function<void()> after_call;
  std::function<void()> settle;
};
Hooks& hooks() {
  static Hooks all;
  return all;
}
std::string& own_name() {
  static std::string name = "optimized";
  return name;
}

std::string name_of_device() { return std::string(kBackendNames.at(static_cast<std::size_t>(device_of_programs))); }
KeySet swapped(KeySet keys, KeySet a, KeySet b) {
  const std::uint64_t others = keys.word() & ~(a | b).word();
  return KeySet(others) | (keys.has_any(a) ? b : KeySet()) | (keys.has_any(b) ? a : KeySet());
}

}  // namespace

void run_on(Backend device, std::string name) {
  device_of_programs = device;
  own_name() = std::move(name);
}
void run_bodies_by(std::function<void(const std::function<void()>&)> graph) { hooks().run_body = std::move(graph); }
void run_body(const std::function<void()>& body) { hooks().run_body ? hooks().run_body(body) : body(); }
void do_after_calls(std::function<void()> after) { hooks().after_call = std::move(after); }
void after_call() {
  if (hooks().after_call) hooks().after_call();
}
void settle_by(std::function<void()> settling) { hooks().settle = std::move(settling); }
void settle() {
  if (hooks().settle) hooks().settle();
}
void see_both_devices(bool both) { sees_both = both; }
Backend test_device() { return device_of_programs; }
const std::string& implementation_name() { return own_name(); }

KeySet as_programs_see(KeySet keys) {
  if (same_keys()) return keys;
  keys = swapped(keys, Backend::CPU, device_of_programs);
  return swapped(keys, autocast_on(Backend::CPU), autocast_on(device_of_programs));
}

std::string with_device(const std::string& key) {
  if (same_keys()) return key;
  const std::string device = name_of_device();
  if (key.ends_with(device))
    throw walk::Unsupported{"the program names " + key + " beside its own device, which is " + device + " here"};
  for (auto before = static_cast<std::size_t>(Backend::CPU) + 1; before < static_cast<std::size_t>(device_of_programs);
       ++before)
    if (key.ends_with(kBackendNames.at(before)))
      throw walk::Unsupported{"the program names " + key + ", which comes after the CPU's keys, but here before " +
                              device + "'s"};
  constexpr AliasKey kComposite = AliasKey::CompositeExplicitAutogradNonFunctional;
  if (key == kAliasNames.at(static_cast<std::size_t>(kComposite)) &&
      layout_of(Profile::sound).backends[static_cast<std::size_t>(device_of_programs)].functional)
    throw walk::Unsupported{"the program names " + key + ", which serves the CPU, but not " + device};
  return key.ends_with("CPU") ? key.substr(0, key.size() - 3) + device : key;
}

void check_backend_of(KeySet keys) {
  const bool of_backends = kTableRanges[static_cast<std::size_t>(keys.functionality())].backends != 0;
  if (!same_keys() && of_backends && (keys.word() & kBackendBits) == 0)
    throw walk::Unsupported{"the program goes on with keys without a backend, which are the CPU's"};
}

std::string autocast_key_of_device() { return "Autocast" + name_of_device(); }

std::string named_as_in_programs(const std::string& key) {
  const std::string device = name_of_device();
  if (same_keys() || !key.ends_with(device)) return key;
  return key.substr(0, key.size() - device.size()) + "CPU";
}

}  // namespace plumbline::optimized
