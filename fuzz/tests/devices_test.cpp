// What the reference promises for programs of two devices.
#include "reference/devices.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "adapters/protocol/protocol.h"
#include "fuzz/builder.h"
#include "fuzz/tests/steps.h"
#include "reference/raise.h"
#include "spec/rules/dev.h"

namespace plumbline::fuzz::devices_test {

namespace {

Recipe of_two_devices(const Judge& judge) {
  Recipe recipe(judge, true);
  recipe.two_devices = true;
  recipe.million = false;
  return recipe;
}

/// The reading of a tensor's keys, in which the CPU is called CUDA.
void call_cpu_cuda(Reading& reading) {
  auto* names = std::get_if<std::vector<std::string>>(&reading);
  if (names == nullptr) return;
  for (std::string& name : *names)
    if (name.ends_with("CPU")) name.replace(name.size() - 3, 3, "CUDA");
  std::ranges::sort(*names);
}

/// Of the first statements.
std::string text_of(Trace trace, std::size_t statements) {
  std::erase_if(trace.outcomes, [&](const Outcome& outcome) { return outcome.statement >= statements; });
  for (Outcome& outcome : trace.outcomes)
    for (TensorReading& tensor : outcome.tensors) call_cpu_cuda(tensor.fields[static_cast<std::size_t>(Field::keys)]);
  return encode(trace);
}

/// Whether the keys that it names may be those of another backend than its tensors'.
bool names_keys(const Script& script) {
  return !script.operators.empty() || std::ranges::any_of(script.statements, [](const Statement& statement) {
    const auto* enter = std::get_if<Enter>(&statement.kind);
    return enter != nullptr && !enter->key.empty();
  });
}

TEST(Devices, a_program_on_an_accelerator_is_that_on_the_cpu_with_other_keys) {
  EXPECT_TRUE(rc::check([] {
    const Judge judge;
    Recipe recipe(judge, true);
    recipe.million = false;
    const Script script = build(*any_genes(), recipe);
    RC_PRE(!names_keys(script));
    Script there = script;
    MakeTensor on_cpu{static_cast<Slot>(there.names.size()), Dtype::float32, {}, {1}};
    on_cpu.on_cpu = true;
    there.statements.push_back({on_cpu, 0});
    there.names.emplace_back("on_cpu");
    RC_LOG() << encode(script);
    try {
      const std::size_t statements = script.statements.size();
      RC_ASSERT(text_of(reference::run(judge, script), statements) ==
                text_of(reference::run(judge, there), statements));
    } catch (const reference::ReferenceLimit&) {
      RC_DISCARD("rand");
    }
  }));
}

bool is_on(const reference::Tensor& tensor) {
  if (tensor.on_meta) return true;
  const Backend other = tensor.device == Backend::CPU ? Backend::CUDA : Backend::CPU;
  return tensor.meta.keys.has_any(tensor.device).v && !tensor.meta.keys.has_any(other).v;
}

/// Each tensor has the keys of its device, and those that share memory are on one.
bool devices_fit(const Step& s) {
  for (const reference::Tensor& a : s.after.tensors) {
    if (!is_on(a)) return false;
    for (const reference::Tensor& b : s.after.tensors)
      if (a.storage == b.storage && a.device != b.device) return false;
  }
  return true;
}

/// A `.grad` is on the device of its tensor, unless that was moved with `.data`.
bool gradients_fit(const Step& s) {
  for (const reference::Tensor& tensor : s.after.tensors)
    if (tensor.grad != reference::kNoTensor &&
        s.after.tensors[static_cast<std::size_t>(tensor.grad)].device != tensor.device)
      return false;
  return true;
}

TEST(Devices, memory_and_keys_are_those_of_a_tensors_device) {
  EXPECT_TRUE(rc::check([] {
    const Judge sound;
    const Script script = build(*any_genes(), of_two_devices(sound));
    RC_LOG() << encode(script);
    RC_ASSERT(holds_on(sound, script, devices_fit));
  }));
}

TEST(Devices, gradients_are_on_the_device_of_their_tensor) {
  EXPECT_TRUE(rc::check([] {
    const Judge sound;
    Recipe recipe = of_two_devices(sound);
    recipe.unsafe = false;
    const Script script = build(*any_genes(), recipe);
    RC_LOG() << encode(script);
    RC_ASSERT(holds_on(sound, script, gradients_fit));
  }));
}

/// Whether a program shows that the property rests on the rule.
bool falls(const Rule& rule, bool (*look)(const Step&)) {
  Judge misread;
  misread.flipped = &rule;
  for (std::uint64_t index = 0; index < 3000; ++index)
    if (!holds_on(misread, build(genes_at(1, index).value(), of_two_devices(misread)), look)) return true;
  return false;
}

TEST(Devices, keys_rest_on_their_rule) { EXPECT_TRUE(falls(DEV_01, devices_fit)); }
TEST(Devices, memory_of_one_device_rests_on_set_refusing_the_other) { EXPECT_TRUE(falls(DEV_08, devices_fit)); }
TEST(Devices, gradients_rest_on_the_refusal_of_others) { EXPECT_TRUE(falls(DEV_11, gradients_fit)); }

}  // namespace

}  // namespace plumbline::fuzz::devices_test
