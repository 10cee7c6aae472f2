// Monitors, field by field: exactly the fields that an invariant names are compared.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "adapters/protocol/names.h"
#include "oracle/monitors.h"
#include "spec/ops/op_ids.h"

namespace plumbline::monitors_fields_test {
namespace {

using Integers = std::vector<std::int64_t>;
using Names = std::vector<std::string>;

constexpr Slot kX{0};

/// For each field two different readings.
std::map<Field, std::pair<Reading, Reading>> readings() {
  return {{Field::dtype, {std::string("float32"), std::string("int32")}},
          {Field::sizes, {Integers{2}, Integers{1, 2}}},
          {Field::strides, {Integers{1}, Integers{2}}},
          {Field::offset, {std::int64_t{0}, std::int64_t{1}}},
          {Field::values, {Values{{1, 2}, {}, {}, {}}, Values{{1, 3}, {}, {}, {}}}},
          {Field::storage, {std::int64_t{0}, std::int64_t{3}}},
          {Field::keys, {Names{"CPU"}, Names{"CPU", "AutogradCPU"}}},
          {Field::is_inference, {true, false}},
          {Field::version, {std::int64_t{0}, std::int64_t{1}}},
          {Field::requires_grad, {false, true}},
          {Field::is_leaf, {true, false}},
          {Field::grad_fn, {false, true}},
          {Field::is_view, {false, true}},
          {Field::base, {std::int64_t{-1}, std::int64_t{3}}},
          {Field::creation_meta, {None{}, std::string("DEFAULT")}},
          {Field::grad, {None{}, Values{{1, 1}, {}, {}, {}}}}};
}

/// The breaches if `zero_` changes one field of a tensor with these readings.
std::vector<Breach> breaches(Field changed, ErrorClass error, bool hidden = false) {
  const Script script{{{Snapshot{}, 1}, {Call{OpId::zero_, {kX}, {}}, 2}, {Snapshot{}, 3}}, {"x"}};
  Trace trace;
  trace.outcomes.resize(3);
  for (std::size_t i = 0; i < 3; ++i) {
    trace.outcomes[i].statement = i;
    trace.outcomes[i].thread = {false, true, Names{}, Names{}};
  }
  trace.outcomes[1].failure.error = error;
  for (const std::size_t at : {0U, 2U}) {
    TensorReading tensor{kX, std::vector<Reading>(kFields)};
    for (const auto& [field, values] : readings())
      tensor.fields[static_cast<std::size_t>(field)] = at == 2 && field == changed ? values.second : values.first;
    trace.outcomes[at].tensors = {tensor};
  }
  Description description;
  description.fields.fill(Strictness::exact);
  description.thread.fill(Strictness::exact);
  if (hidden) description.fields[static_cast<std::size_t>(changed)] = Strictness::ignore;
  return monitor(script, trace, description);
}

bool breaks(Invariant invariant, Field changed, ErrorClass error, bool hidden = false) {
  for (const Breach& breach : breaches(changed, error, hidden))
    if (breach.invariant == invariant) return breach.difference.field == changed;
  return false;
}

TEST(MonitorsByField, a_statement_that_raises_changes_nothing_but_histories_and_gradients) {
  EXPECT_EQ(readings().size(), static_cast<std::size_t>(kFields));
  const std::set<Field> free{Field::is_leaf, Field::grad_fn, Field::grad};
  for (const auto& [field, values] : readings()) {
    EXPECT_EQ(breaks(Invariant::raise_changes_nothing, field, ErrorClass::leaf_inplace), !free.contains(field))
        << name_of(field);
    EXPECT_FALSE(breaks(Invariant::raise_changes_nothing, field, ErrorClass::none)) << name_of(field);
    EXPECT_FALSE(breaks(Invariant::raise_changes_nothing, field, ErrorClass::leaf_inplace, true)) << name_of(field);
  }
}

TEST(MonitorsByField, an_inference_tensors_elements_memory_and_kind_do_not_change) {
  const std::set<Field> held{Field::dtype,  Field::sizes,   Field::strides, Field::offset,
                             Field::values, Field::storage, Field::keys,    Field::is_inference};
  for (const auto& [field, values] : readings()) {
    EXPECT_EQ(breaks(Invariant::immutability, field, ErrorClass::none), held.contains(field)) << name_of(field);
    EXPECT_FALSE(breaks(Invariant::immutability, field, ErrorClass::none, true)) << name_of(field);
  }
}

TEST(MonitorsByField, a_breach_names_the_field_and_the_promise) {
  const std::vector<Breach> found = breaches(Field::strides, ErrorClass::none);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].difference.signature, "zero_/immutability: strides");
  EXPECT_EQ(found[0].difference.expected, "[1]");
  EXPECT_EQ(found[0].difference.got, "[2]");
  EXPECT_EQ(std::get<Integers>(found[0].promised), Integers{1});
}

}  // namespace
}  // namespace plumbline::monitors_fields_test
