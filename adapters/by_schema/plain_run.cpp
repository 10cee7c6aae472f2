// Running ops of which only the schema is known, on the implementation that is compared.
#include "adapters/by_schema/plain_run.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>

#include "reference/memory.h"
#include "support/siblings.h"
#include "sweep/caller.h"

namespace plumbline {

using nlohmann::json;
using reference::Element;
using reference::PlainCall;
using reference::PlainOutcome;
using reference::PlainTensor;

namespace {

constexpr std::int64_t kExactIntegers = std::int64_t{1} << 53;  // a double has all integers up to it

template <class... Ts>
struct Overloaded : Ts... {
  using Ts::operator()...;
};
template <class... Ts>
Overloaded(Ts...) -> Overloaded<Ts...>;

json tensor(Slot slot) { return {{"tensor", static_cast<std::int32_t>(slot)}}; }

/// An argument. `None` is the default of a layout, a device, a memory format and a generator.
json argument(const Value& value, ArgType type) {
  return std::visit(
      Overloaded{
          [&](None) -> json {
            const bool left_out = type == ArgType::Layout || type == ArgType::Device || type == ArgType::MemoryFormat ||
                                  type == ArgType::Generator;
            return left_out ? json{{"default", true}} : json();
          },
          [](Dtype dtype) -> json { return {{"dtype", name_of(dtype)}}; }, [](Slot slot) { return tensor(slot); },
          [](const std::vector<Slot>& slots) {
            json all = json::array();
            for (const Slot slot : slots) all.push_back(tensor(slot));
            return all;
          },
          [](const Complex& number) -> json { return {{"complex", sweep::pair_of({number.real, number.imag})}}; },
          [](NumberOf) -> json { throw std::logic_error("a number of a kernel in a plain call"); },
          [](const auto& plain) -> json { return plain; }},
      value);
}

/// The storage that the tensor is alone in.
sweep::Ingredient ingredient_of(const PlainTensor& plain, std::string& limit) {
  sweep::Ingredient made{std::string(name_of(plain.dtype)), plain.sizes, plain.strides, plain.offset, {}};
  const auto places = reference::places_of(reference::geometry_of(plain.sizes, plain.strides, plain.offset));
  std::int64_t last = plain.room - 1;
  for (const std::int64_t place : places) last = std::max(last, place);
  made.values.resize(static_cast<std::size_t>(last + 1));
  for (std::size_t i = 0; i < places.size(); ++i) {
    const Element& element = plain.elements[i];
    const bool inexact = is_inexact(plain.dtype);
    if (!inexact && std::abs(element.integer) > kExactIntegers) limit = "integers beyond 2^53";
    made.values[static_cast<std::size_t>(places[i])] = {inexact ? element.real : static_cast<double>(element.integer),
                                                        is_complex(plain.dtype) ? element.imag : 0};
  }
  return made;
}

/// What malloc leaves in new memory there: the complement of MALLOC_PERTURB_ [mallopt(3), M_PERTURB].
constexpr std::uint8_t kUnwritten = 90 ^ 0xFF;
constexpr std::array kUnwrittenMemory{"env", "MALLOC_PERTURB_=90", "GLIBC_TUNABLES=glibc.malloc.tcache_count=0"};

/// The elements of Facts::bytes, where nothing was written: unknown; false: they are not there.
bool read_elements(const std::string& hex, PlainTensor& plain) {
  if (hex.starts_with('#')) return false;
  const auto digit = [](char c) { return c <= '9' ? c - '0' : c - 'a' + 10; };
  const auto size = static_cast<std::size_t>(item_size(plain.dtype));
  for (std::size_t at = 0; at + 2 * size <= hex.size(); at += 2 * size) {
    std::vector<reference::Byte> bytes;
    for (std::size_t i = 0; i < size; ++i)
      bytes.push_back({static_cast<std::uint8_t>(digit(hex[at + 2 * i]) * 16 + digit(hex[at + 2 * i + 1])), true});
    plain.elements.push_back(reference::element_from(bytes, plain.dtype));
    const auto unwritten = [](const reference::Byte& byte) { return byte.value == kUnwritten; };
    if (std::ranges::all_of(bytes, unwritten)) plain.elements.back().known = false;
  }
  return plain.elements.size() == static_cast<std::size_t>(reference::element_count(plain.sizes));
}

/// A tensor that was seen; nothing, with the reason in `limit`, if the reference has no such tensor.
std::optional<PlainTensor> plain_of(const sweep::Facts& facts, std::string& limit) {
  const auto dtype = dtype_named(facts.dtype);
  constexpr std::array<std::string_view, 4> kPlainKeys{"CPU", "ADInplaceOrView", "AutogradCPU", "AutocastCPU"};
  const bool plain_keys = std::ranges::all_of(
      facts.keys, [&](const std::string& key) { return std::ranges::find(kPlainKeys, key) != kPlainKeys.end(); });
  if (!facts.defined)
    limit = "a result is undefined";
  else if (!plain_keys)
    limit = "a result is no plain tensor of the CPU";
  else if (!dtype)
    limit = "a result's dtype is " + facts.dtype;
  if (!limit.empty()) return std::nullopt;
  PlainTensor plain{*dtype, facts.sizes, facts.strides, facts.offset, {}};
  if (!read_elements(facts.bytes, plain)) limit = "more elements than are reported";
  return plain;
}

void read_gradients(const sweep::Observation& observation, PlainOutcome& outcome) {
  std::vector<std::int64_t> storages;
  for (const auto* all : {&observation.given, &observation.after})
    for (const sweep::Facts& one : *all) storages.push_back(one.storage);
  for (const sweep::Facts& one : observation.gradients) {
    outcome.gradients.push_back(one.defined ? plain_of(one, outcome.limit) : std::nullopt);
    if (!outcome.gradients.back()) continue;
    outcome.gradients.back()->in_other = std::ranges::find(storages, one.storage) != storages.end();
    storages.push_back(one.storage);
  }
}

}  // namespace

AsExperiment experiment_of(const PlainCall& call) {
  AsExperiment made;
  const Op& called = op(call.op);
  made.experiment.setting = call.escaped   ? sweep::Setting::escaped
                            : call.no_grad ? sweep::Setting::no_grad
                                           : sweep::Setting::normal;
  made.experiment.op = "aten::" + qualified_name(called);
  if (call.on_meta) made.experiment.setting = sweep::Setting::meta;
  if (call.backward) {
    made.experiment.setting = sweep::Setting::backward;
    made.experiment.leaves = call.backward->leaves;
    made.experiment.disturbed = call.backward->disturbed;
    made.experiment.twice = call.backward->twice;
    made.experiment.bare = call.backward->bare;
    if (call.backward->gradients) made.experiment.gradients.emplace();
    if (call.backward->gradients)
      for (const auto& one : *call.backward->gradients)
        made.experiment.gradients->push_back(one ? std::optional(ingredient_of(*one, made.limit)) : std::nullopt);
  }
  for (const PlainTensor& plain : call.tensors) made.experiment.tensors.push_back(ingredient_of(plain, made.limit));
  for (std::size_t i = 0; i < call.arguments.size(); ++i)
    made.experiment.arguments.push_back(argument(call.arguments[i], called.arguments[i].type));
  return made;
}

PlainOutcome outcome_of(const PlainCall& call, const sweep::Observation& observation) {
  PlainOutcome outcome;
  if (!observation.error.empty()) {
    const bool plain = observation.error_type == "Error" || observation.error_type.empty();
    outcome.failure =
        Failure{ErrorClass::by_schema, observation.error, plain ? "RuntimeError" : observation.error_type};
  }
  if (call.on_meta) return outcome;
  if (call.backward)
    for (const sweep::Result& result : observation.results) outcome.recorded.push_back(result.facts.requires_grad);
  if (!outcome.failure) read_gradients(observation, outcome);
  if (!outcome.limit.empty()) return outcome;
  const bool writes = written_argument(op(call.op)) >= 0;
  for (std::size_t i = 0; i < observation.results.size() && !writes && !outcome.failure; ++i) {
    const sweep::Result& result = observation.results[i];
    if (auto plain = plain_of(result.facts, outcome.limit)) {
      const auto shares = [&](const sweep::Facts& other) { return other.storage == result.facts.storage; };
      plain->is_view = result.facts.is_view;
      plain->is_first = result.is == 0;
      plain->in_first = !observation.after.empty() && shares(observation.after.front());
      for (std::size_t j = 1; j < observation.after.size(); ++j)
        plain->in_other = plain->in_other || shares(observation.after[j]);
      for (std::size_t j = 0; j < i && !plain->in_first; ++j)
        plain->in_other = plain->in_other || shares(observation.results[j].facts);
      outcome.results.push_back(std::move(*plain));
    }
    if (!outcome.limit.empty()) return outcome;
  }
  for (std::size_t i = 0; i < observation.after.size(); ++i) {
    auto plain = plain_of(observation.after[i], outcome.limit);
    if (!outcome.limit.empty()) return outcome;
    outcome.after.push_back(std::move(*plain));
    outcome.versions.push_back(observation.after[i].version - observation.before.at(i).version);
  }
  return outcome;
}

void compute_by_schema_on(std::vector<std::string> words, double timeout_s) {
  static std::mutex one_at_a_time;
  const std::lock_guard lock(one_at_a_time);
  if (reference::computes_by_schema()) return;
  words.insert(words.begin(), kUnwrittenMemory.begin(), kUnwrittenMemory.end());
  reference::compute_by_schema([words = std::move(words), timeout_s](const PlainCall& call) {
    thread_local std::unique_ptr<sweep::ProcessCaller> caller;
    if (caller == nullptr) caller = std::make_unique<sweep::ProcessCaller>(words, timeout_s);
    AsExperiment asked = experiment_of(call);
    if (!asked.limit.empty()) return PlainOutcome{asked.limit, {}, {}, {}, {}};
    // The reference runs a program several times: while it is generated, to compare it, to shrink it.
    constexpr std::size_t kMostRemembered = 4096;
    thread_local std::unordered_map<std::string, PlainOutcome> remembered;
    std::string key = sweep::to_json(asked.experiment).dump();
    if (const auto found = remembered.find(key); found != remembered.end()) return found->second;
    if (remembered.size() == kMostRemembered) remembered.clear();
    const auto answer = caller->call(asked.experiment);
    const auto* broken = std::get_if<sweep::Broken>(&answer);
    PlainOutcome outcome =
        broken == nullptr
            ? outcome_of(call, std::get<sweep::Observation>(answer))
            : PlainOutcome{"the implementation's own run ended without an answer: " + broken->message, {}, {}, {}, {}};
    return remembered.emplace(std::move(key), std::move(outcome)).first->second;
  });
}

std::vector<std::string> plain_caller_of(const std::string& implementation) {
  if (implementation != "python" && !implementation.starts_with("libtorch-")) return {};
  const auto file = executable_folder() / ("plumbline-sweep-" + implementation);
  if (!std::filesystem::exists(file)) return {};
  return {file.string()};
}

}  // namespace plumbline
