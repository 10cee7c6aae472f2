// The op table: its contents, its lookups, and the errors that a broken table gives.
#include "spec/ops/ops.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "spec/opgen/emit.h"
#include "spec/opgen/table.h"
#include "spec/ops/op_ids.h"

namespace plumbline::ops_test {
namespace {

TEST(OpTable, has_at_least_thirty_ops) {
  EXPECT_EQ(op_table().size(), kOps);
  EXPECT_GE(kOps, 30U);
}

TEST(OpTable, each_op_is_found_by_its_name) {
  for (std::size_t i = 0; i < kOps; ++i) {
    const Op& o = op_table()[i];
    EXPECT_EQ(find_op(o.name, o.overload), static_cast<OpId>(i)) << qualified_name(o);
  }
}

TEST(OpTable, unknown_ops_are_not_found) {
  EXPECT_EQ(find_op("add", ""), std::nullopt);
  EXPECT_EQ(find_op("add", "Tenso"), std::nullopt);
  EXPECT_EQ(find_op("", ""), std::nullopt);
  EXPECT_EQ(find_op("zzz", ""), std::nullopt);
}

TEST(OpTable, enumerators_name_their_ops) {
  EXPECT_EQ(qualified_name(op(OpId::add__Tensor)), "add_.Tensor");
  EXPECT_EQ(qualified_name(op(OpId::select_int)), "select.int");
  EXPECT_EQ(qualified_name(op(OpId::mm)), "mm");
}

TEST(OpTable, the_first_argument_of_all_but_factories_is_a_tensor_or_a_list_of_them) {
  for (const Op& o : op_table()) {
    const ArgType first = o.arguments.front().type;
    EXPECT_EQ(first == ArgType::Tensor || first == ArgType::TensorList, o.kind != OpKind::Factory) << qualified_name(o);
  }
}

TEST(OpTable, mul_in_place_is_as_in_ops_yaml) {
  const Op& o = op(OpId::mul__Tensor);
  EXPECT_EQ(o.schema, "mul_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)");
  EXPECT_EQ(o.kind, OpKind::Inplace);
  EXPECT_EQ(o.aliases, Aliases::self);
  EXPECT_TRUE(o.method);
  EXPECT_FALSE(o.function);
  ASSERT_EQ(o.arguments.size(), 2U);
  EXPECT_TRUE(o.arguments[0].mutates);
  EXPECT_TRUE(o.arguments[0].aliased);
  EXPECT_FALSE(o.arguments[1].aliased);
  ASSERT_EQ(o.saves.size(), 2U);
  EXPECT_EQ(o.saves[0].saved, 1);
  EXPECT_EQ(o.saves[0].when, 0);
  EXPECT_FALSE(o.saves[0].copy);
  EXPECT_EQ(o.saves[1].saved, 0);
  EXPECT_EQ(o.saves[1].when, 1);
  EXPECT_TRUE(o.saves[1].copy);
}

TEST(OpTable, arguments_are_as_in_the_schema) {
  const Op& sum = op(OpId::sum_dim_IntList);  // Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None
  ASSERT_EQ(sum.arguments.size(), 4U);
  EXPECT_EQ(sum.arguments[1].type, ArgType::IntList);
  EXPECT_TRUE(sum.arguments[1].optional);
  EXPECT_EQ(sum.arguments[1].default_value, std::nullopt);
  EXPECT_EQ(sum.arguments[2].type, ArgType::Bool);
  EXPECT_EQ(sum.arguments[2].default_value, "False");
  EXPECT_FALSE(sum.arguments[2].keyword_only);
  EXPECT_EQ(sum.arguments[3].type, ArgType::Dtype);
  EXPECT_TRUE(sum.arguments[3].keyword_only);
  EXPECT_TRUE(op(OpId::split_Tensor).many_results);
  EXPECT_TRUE(op(OpId::narrow).composite);
}

TEST(OpTable, generated_source_has_every_op) {
  const opgen::Table table =
      opgen::read_table("- func: t(Tensor(a) self) -> Tensor(a)\n  kind: View\n  aliases: may\n");
  ASSERT_TRUE(table.diagnostics.empty());
  EXPECT_NE(opgen::op_ids_header(table).find("  t,\n"), std::string::npos);
  EXPECT_NE(opgen::op_table_source(table).find("OpKind::View, Aliases::may"), std::string::npos);
}

// A broken table, and the one error that it must give.
struct Broken {
  std::string_view name;
  std::string_view yaml;
  std::string_view error;
};

void PrintTo(const Broken& broken, std::ostream* out) { *out << broken.name; }

class BrokenTable : public testing::TestWithParam<Broken> {};

TEST_P(BrokenTable, is_reported_with_its_place) {
  const opgen::Table table = opgen::read_table(std::string(GetParam().yaml));
  ASSERT_EQ(table.diagnostics.size(), 1U);
  EXPECT_EQ(table.diagnostics.front().text("ops.yaml"), GetParam().error);
}

std::string only_error_by_schema(const std::string& yaml) {
  const opgen::Table whole =
      opgen::read_table("- func: f(Tensor self) -> Tensor\n  kind: Functional\n  aliases: never\n");
  const opgen::Table table = opgen::read_schemas(yaml, whole);
  return table.diagnostics.size() == 1 ? table.diagnostics.front().text("by_schema.yaml") : "";
}

TEST(OpsBySchema, annotations_imply_the_kind) {
  const opgen::Table table = opgen::read_schemas(
      "- func: g(Tensor self, str way=\"mean\", float[]? scales=None, Generator? generator=None) -> Tensor\n"
      "- func: g_(Tensor(a!) self) -> Tensor(a!)\n- func: g.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)\n"
      "- func: v(Tensor(a) self) -> Tensor(a)\n  composite: True\n- func: n(int size) -> Tensor\n",
      {});
  ASSERT_TRUE(table.diagnostics.empty()) << table.diagnostics.front().text("by_schema.yaml");
  std::vector<OpKind> kinds;
  for (const opgen::Entry& entry : table.entries) kinds.push_back(entry.kind);
  EXPECT_EQ(kinds, (std::vector{OpKind::Functional, OpKind::Inplace, OpKind::Out, OpKind::View, OpKind::Factory}));
  EXPECT_TRUE(table.entries[3].composite);
}

TEST(OpsBySchema, an_op_of_the_other_table_is_refused) {
  EXPECT_EQ(only_error_by_schema("- func: f(Tensor self) -> Tensor\n"),
            "by_schema.yaml:1:9: the op 'f' is in ops.yaml; remove it here");
}

TEST(OpsBySchema, a_column_of_the_other_table_is_refused) {
  EXPECT_EQ(only_error_by_schema("- func: g(Tensor self) -> Tensor\n  kind: Functional\n"),
            "by_schema.yaml:2:3: unknown column 'kind'; the columns are func, composite, blas");
}

TEST(OpsBySchema, ids_and_names_correspond) {
  EXPECT_EQ(ops_by_schema().size(), kAllOps - kOps);
  for (std::size_t i = kOps; i < kAllOps; ++i) {
    const Op& o = op(static_cast<OpId>(i));
    EXPECT_TRUE(o.by_schema);
    EXPECT_EQ(find_op(o.name, o.overload), static_cast<OpId>(i)) << qualified_name(o);
  }
}

TEST(OpsBySchema, twins_are_found_among_them) {
  EXPECT_EQ(functional_twin(OpId::erfinv_), OpId::erfinv);
  EXPECT_EQ(functional_twin(OpId::add__Tensor), OpId::add_Tensor);
}

INSTANTIATE_TEST_SUITE_P(
    OpTable, BrokenTable,
    testing::Values(
        Broken{"NoYaml", "- func: [\n", "ops.yaml:2:1: invalid YAML: end of sequence flow not found; fix the syntax"},
        Broken{"Empty", "", "ops.yaml:1:1: the table is not a list of entries; write one '- func: …' for each op"},
        Broken{"TwoDocuments", "- view\n---\n- t\n",
               "ops.yaml:2:1: the list of entries ends before this line; indent the line, or remove it"},
        Broken{"EndsEarly", "- view\n,  kind: View\n",
               "ops.yaml:2:1: the list of entries ends before this line; indent the line, or remove it"},
        Broken{"ZeroByte", std::string_view("- view\n\0- t\n", 12),
               "ops.yaml:2:1: the line contains a zero byte; write plain text"},
        Broken{
            "QuotedSchema", "- func: 'f(Tensor self, Stream s) -> Tensor'\n  kind: Functional\n  aliases: never\n",
            "ops.yaml:1:25: unknown type 'Stream'; add it to ArgType in spec/ops/ops.h and to spec/opgen/schema.cpp"},
        Broken{"NoMap", "- view\n", "ops.yaml:1:3: an entry is not a map; write '- func: …' with its columns below"},
        Broken{"UnknownColumn",
               "- func: t(Tensor(a) self) -> Tensor(a)\n  kind: View\n  alias: always\n  aliases: always\n",
               "ops.yaml:3:3: unknown column 'alias'; the columns are func, variants, kind, aliases, composite, "
               "saves, unsafe, differentiable, devices"},
        Broken{"MissingColumn", "- func: t(Tensor(a) self) -> Tensor(a)\n  kind: View\n",
               "ops.yaml:1:3: the entry has no 'aliases'; add the column"},
        Broken{"RepeatedColumn",
               "- func: t(Tensor(a) self) -> Tensor(a)\n  kind: View\n  kind: View\n  aliases: always\n",
               "ops.yaml:3:3: the column 'kind' is given twice; keep one of them"},
        Broken{"UnknownKind", "- func: t(Tensor(a) self) -> Tensor(a)\n  kind: Viev\n  aliases: always\n",
               "ops.yaml:2:9: 'Viev' is not a value of 'kind'; write one of Factory, Functional, View, Inplace, "
               "InplaceView, "
               "Out"},
        Broken{
            "UnknownVariants",
            "- func: t(Tensor(a) self) -> Tensor(a)\n  variants: methods\n  kind: View\n  aliases: always\n",
            "ops.yaml:2:13: 'methods' is not a value of 'variants'; write 'function', 'method' or 'function, method'"},
        Broken{"UnknownComposite",
               "- func: t(Tensor(a) self) -> Tensor(a)\n  kind: View\n  aliases: always\n  composite: yes\n",
               "ops.yaml:4:14: 'yes' is not a value of 'composite'; write one of False, True"},
        Broken{"Duplicate",
               "- func: t(Tensor(a) self) -> Tensor(a)\n  kind: View\n  aliases: always\n"
               "- func: t(Tensor(a) self) -> Tensor(a)\n  kind: View\n  aliases: always\n",
               "ops.yaml:4:9: the op 't' is already in line 1; keep one of them"},
        Broken{"WriteThatIsNoInplace", "- func: add_(Tensor(a!) self) -> Tensor(a!)\n  kind: View\n  aliases: always\n",
               "ops.yaml:2:9: the schema writes its argument ('(a!)'); write 'kind: Inplace' or 'kind: InplaceView'"},
        Broken{"ViewThatIsFunctional", "- func: t(Tensor(a) self) -> Tensor(a)\n  kind: Functional\n  aliases: never\n",
               "ops.yaml:2:9: the schema's result aliases its argument ('(a)'); write 'kind: View'"},
        Broken{"FunctionalThatIsFactory", "- func: mm(Tensor self) -> Tensor\n  kind: Factory\n  aliases: never\n",
               "ops.yaml:2:9: the schema takes tensors and annotates no alias; write 'kind: Functional'"},
        Broken{"FactoryThatIsFunctional", "- func: full(Scalar end) -> Tensor\n  kind: Functional\n  aliases: never\n",
               "ops.yaml:2:9: the schema takes no tensor; write 'kind: Factory'"},
        Broken{"InplaceWithoutUnderscore",
               "- func: add(Tensor(a!) self) -> Tensor(a!)\n  kind: Inplace\n  aliases: self\n",
               "ops.yaml:1:9: the op writes its first argument, but 'add' does not end in '_'; write PyTorch's name of "
               "the in-place op"},
        Broken{"AliasesAgainstKind", "- func: t(Tensor(a) self) -> Tensor(a)\n  kind: View\n  aliases: never\n",
               "ops.yaml:3:12: this value of 'aliases' contradicts the kind: a view aliases its base; write 'aliases: "
               "always' or "
               "'aliases: may'"},
        Broken{
            "ResultAliasesNothing", "- func: t(Tensor self) -> Tensor(a)\n  kind: View\n  aliases: always\n",
            "ops.yaml:1:27: the result is annotated '(a)' but no argument is; annotate the argument that it aliases"},
        Broken{
            "SecondArgumentAliased",
            "- func: f(Tensor self, Tensor(a) other) -> Tensor(a)\n  kind: View\n  aliases: always\n",
            "ops.yaml:1:24: the argument 'other' has an alias annotation but is not the first; the table supports ops "
            "that alias or write their first argument, or write a last one that is keyword-only"},
        Broken{"ListWithoutWildcard", "- func: split(Tensor(a) self) -> Tensor(a)[]\n  kind: View\n  aliases: always\n",
               "ops.yaml:1:15: '-> *' and a result that is a list of views belong together; write 'Tensor(a -> *) self "
               "… -> "
               "Tensor(a)[]' or 'Tensor(a) self … -> Tensor(a)'"},
        Broken{"SavesNoArgument",
               "- func: mm(Tensor self) -> Tensor\n  kind: Functional\n  aliases: never\n  saves: [other when self]\n",
               "ops.yaml:4:11: 'saves' names 'other', which is not an argument of mm; name a tensor argument of the "
               "schema"},
        Broken{
            "SavesNoTensor",
            "- func: mm(Tensor self, int n) -> Tensor\n  kind: Functional\n  aliases: never\n  saves: [n when self]\n",
            "ops.yaml:4:11: 'saves' names 'n', which is not a tensor; name a tensor argument of the schema"},
        Broken{"SavesWithoutWhen",
               "- func: mm(Tensor self) -> Tensor\n  kind: Functional\n  aliases: never\n  saves: [self]\n",
               "ops.yaml:4:11: 'self' is not an item of 'saves'; write 'X when Y' or 'copy of X when Y'"},
        Broken{"SavesOverwritten",
               "- func: mul_(Tensor(a!) self, Tensor other) -> Tensor(a!)\n  kind: Inplace\n  aliases: self\n  saves: "
               "[self when other]\n",
               "ops.yaml:4:11: the op overwrites what it saves; write 'copy of X when Y'"},
        Broken{"CompositeSaves",
               "- func: mm(Tensor self) -> Tensor\n  kind: Functional\n  aliases: never\n  composite: True\n  saves: "
               "[self when self]\n",
               "ops.yaml:5:11: a composite op saves nothing itself; remove 'saves' or 'composite'"},
        Broken{"UnknownType", "- func: f(Tensor self, Storage g) -> Tensor\n  kind: Functional\n  aliases: never\n",
               "ops.yaml:1:24: unknown type 'Storage'; add it to ArgType in spec/ops/ops.h and to "
               "spec/opgen/schema.cpp"},
        Broken{
            "WrongDefault", "- func: f(Tensor self, int n=None) -> Tensor\n  kind: Functional\n  aliases: never\n",
            "ops.yaml:1:30: 'None' is not a default for 'n'; give a value of the argument's type ('None' needs a type "
            "with '?')"},
        Broken{"UnclosedSchema", "- func: f(Tensor self -> Tensor\n  kind: Functional\n  aliases: never\n",
               "ops.yaml:1:22: expected ')' after the arguments, found ' '; copy the line from PyTorch's "
               "native_functions.yaml"},
        Broken{"RepeatedArgument", "- func: f(Tensor self, int self) -> Tensor\n  kind: Functional\n  aliases: never\n",
               "ops.yaml:1:24: two arguments are called 'self'; copy the line from PyTorch's native_functions.yaml"}),
    [](const testing::TestParamInfo<Broken>& info) { return std::string(info.param.name); });

TEST(OpTable, every_error_of_a_table_is_reported) {
  const opgen::Table table =
      opgen::read_table("- view\n- func: t(Tensor(a) self) -> Tensor(a)\n  kind: Viev\n  aliases: alway\n");
  EXPECT_EQ(table.diagnostics.size(), 3U);
}

}  // namespace
}  // namespace plumbline::ops_test
