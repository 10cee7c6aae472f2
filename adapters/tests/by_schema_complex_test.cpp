// Ops of which only the schema is known, on complex numbers: both parts go to the plain run and come back.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>

#include "adapters/by_schema/plain_run.h"
#include "adapters/tests/erfinv.h"
#include "reference/machine.h"
#include "reference/raise.h"
#include "spec/ops/op_ids.h"

namespace plumbline {
namespace {

using reference::PlainCall;
using reference::PlainOutcome;
using reference::PlainTensor;

PlainTensor complex_vector(const std::vector<std::complex<double>>& values) {
  PlainTensor made{Dtype::complex64, {static_cast<std::int64_t>(values.size())}, {1}, 0, {}};
  for (const auto value : values) made.elements.push_back({.real = value.real(), .imag = value.imag()});
  return made;
}

class BySchemaComplex : public MadeUpRuns {
 protected:
  /// The trace of `x = [1 + 2i, 3 - i]` and these statements, with a snapshot at the end.
  static Trace run(std::vector<StatementKind> statements) {
    Script script;
    script.names = {"x", "y", "z"};
    script.statements = {{MakeTensor{Slot{0}, Dtype::complex64, {2}, {1, 2, 3, -1}}, 0}};
    for (StatementKind& kind : statements) script.statements.push_back({std::move(kind), 0});
    script.statements.push_back({Snapshot{}, 0});
    return reference::run(reference::Judge{}, script);
  }
  static std::vector<double> values(const Trace& trace, std::size_t slot) {
    const Reading reading = trace.outcomes.back().tensors.at(slot).fields.at(static_cast<std::size_t>(Field::values));
    return std::get<Values>(reading).floats;
  }
  std::vector<double> given(std::size_t tensor = 0) const {
    std::vector<double> parts;
    for (const auto& element : calls_.at(0).tensors.at(tensor).elements)
      parts.insert(parts.end(), {element.real, element.imag});
    return parts;
  }
};

using Parts = std::vector<double>;
const std::vector<std::complex<double>> kGiven{{1, 2}, {3, -1}}, kMade{{5, 6}, {7, -8}};
const Parts kGivenParts{1, 2, 3, -1}, kMadeParts{5, 6, 7, -8};
const StatementKind kSgn = Call{OpId::sgn, {Slot{0}}, {Slot{1}}, false};

TEST_F(BySchemaComplex, a_functional_op_takes_and_gives_both_parts) {
  computes({"", {}, {complex_vector(kMade)}, {complex_vector(kGiven)}, {0}});
  EXPECT_EQ(values(run({kSgn}), 1), kMadeParts);
  EXPECT_EQ(given(), kGivenParts);
  EXPECT_EQ(values(run({Enter{GuardKind::inference_mode, true}, kSgn, Exit{}}), 1), kMadeParts);
}

TEST_F(BySchemaComplex, an_op_in_place_writes_both_parts) {
  computes({"", {}, {}, {complex_vector(kMade)}, {1}});
  EXPECT_EQ(values(run({Call{OpId::sgn_, {Slot{0}}, {}, false}}), 0), kMadeParts);
}

TEST_F(BySchemaComplex, an_op_with_out_writes_both_parts) {
  computes({"", {}, {}, {complex_vector(kGiven), complex_vector(kMade)}, {0, 1}});
  const Trace trace = run(
      {MakeTensor{Slot{1}, Dtype::complex64, {2}, {0, 0, 0, 9}}, Call{OpId::sgn_out, {Slot{0}, Slot{1}}, {}, false}});
  EXPECT_EQ(values(trace, 1), kMadeParts);
  EXPECT_EQ(given(1), (Parts{0, 0, 0, 9}));
}

TEST_F(BySchemaComplex, a_view_has_the_elements_of_its_base) {
  PlainTensor row{Dtype::complex64, {1, 2}, {2, 1}, 0, complex_vector(kGiven).elements};
  row.in_first = true;
  computes({"", {}, {row}, {complex_vector(kGiven)}, {0}});
  const Call view{OpId::squeeze_dims, {Slot{0}, std::vector<std::int64_t>{0}}, {Slot{1}}, false};
  EXPECT_EQ(values(run({view}), 1), kGivenParts);
}

TEST_F(BySchemaComplex, a_conjugate_is_resolved_before_the_plain_run) {
  computes({"", {}, {complex_vector(kMade)}, {complex_vector(kGiven)}, {0}});
  run({Call{OpId::conj, {Slot{0}}, {Slot{1}}, false}, Call{OpId::sgn, {Slot{1}}, {Slot{2}}, false}});
  EXPECT_EQ(given(), (Parts{1, -2, 3, 1}));
}

TEST_F(BySchemaComplex, a_real_leaf_and_complex_numbers_are_not_recorded) {
  computes({"", {}, {complex_vector(kMade)}, {complex_vector(kGiven)}, {0}});
  const MakeTensor leaf{Slot{0}, Dtype::float32, {2}, {1, 2}, true};
  const Call pow{OpId::pow_Tensor_Scalar, {Slot{0}, Complex{0, 1}}, {Slot{1}}, false};
  EXPECT_THROW(run({leaf, pow}), reference::ReferenceLimit);
}

TEST_F(BySchemaComplex, products_with_complex_numbers_and_equality_have_a_meaning_of_their_own) {
  const Trace trace = run({Call{OpId::mul_Scalar, {Slot{0}, Complex{0, 1}}, {Slot{1}}, false},
                           Call{OpId::ne_Scalar, {Slot{0}, Complex{1, 2}}, {Slot{2}}, false}});
  EXPECT_EQ(values(trace, 1), (Parts{-2, 1, 1, 3}));
  const Reading unequal = trace.outcomes.back().tensors.at(2).fields.at(static_cast<std::size_t>(Field::values));
  EXPECT_EQ(std::get<Values>(unequal).integers, (std::vector<std::int64_t>{0, 1}));
}

TEST_F(BySchemaComplex, what_rounding_changes_in_an_imaginary_part_is_a_bound) {
  reference::compute_by_schema([](const PlainCall& call) {
    const bool laid_out = call.tensors[0].strides != std::vector<std::int64_t>{1};
    const std::vector<std::complex<double>> result{{1, laid_out ? 2.00001 : 2}, {0, 0}};
    return PlainOutcome{"", {}, {complex_vector(result)}, {complex_vector(kGiven)}, {0}};
  });
  Script script;
  script.names = {"x", "c", "y"};
  script.statements = {{MakeTensor{Slot{0}, Dtype::complex64, {2, 2}, {1, 2, 3, 4, 5, 6, 7, 8}}, 0},
                       {Call{OpId::select_int, {Slot{0}, std::int64_t{1}, std::int64_t{0}}, {Slot{1}}, false}, 0},
                       {Call{OpId::sgn, {Slot{1}}, {Slot{2}}, false}, 0},
                       {Snapshot{}, 0}};
  const Trace trace = reference::run(reference::Judge{}, script);
  const Reading read = trace.outcomes.back().tensors.at(2).fields.at(static_cast<std::size_t>(Field::values));
  EXPECT_EQ(std::get<Values>(read).floats, (Parts{1, 2, 0, 0}));
  ASSERT_FALSE(std::get<Values>(read).bounds.empty());
  EXPECT_NEAR(std::get<Values>(read).bounds.front(), 0.00001, 1e-9);
}

TEST(PlainRunComplex, elements_and_numbers_are_pairs) {
  const PlainCall call{OpId::pow_Tensor_Scalar, {complex_vector({{1, NAN}})}, {Slot{0}, Complex{0.5, -1}}};
  const auto made = sweep::to_json(experiment_of(call).experiment);
  EXPECT_EQ(made["tensors"][0]["values"].dump(), R"([[1.0,"nan"]])");
  EXPECT_EQ(made["arguments"][1].dump(), R"({"complex":[0.5,-1.0]})");
}

TEST(PlainRunComplex, results_are_read_with_both_parts) {
  const PlainOutcome outcome = outcome_of_bytes(OpId::sgn, "complex64", "0000c03f000020c0");
  ASSERT_EQ(outcome.limit, "");
  EXPECT_EQ(outcome.results.at(0).elements.at(0).real, 1.5);
  EXPECT_EQ(outcome.results.at(0).elements.at(0).imag, -2.5);
}

}  // namespace
}  // namespace plumbline
