// Parsing: the syntax tree for each form that programs can contain.
#include <gtest/gtest.h>

#include <cmath>

#include "language/parse.h"
#include "language/print.h"

namespace plumbline::program {
namespace {

Block body_of(const std::string& body) { return parse("def test_a(device):\n" + body, "a.py").functions.at(0).body; }

template <class T>
T only(const std::string& line) {
  const Block block = body_of("    " + line + "\n");
  EXPECT_EQ(block.size(), 1U);
  return std::get<T>(block.at(0).node);
}

TEST(Parse, file_has_header_imports_functions_and_footer) {
  const Program p =
      parse("# top\n\nimport pytest\nimport torch\n\n# above\ndef body(x, y):  # behind\n    pass\n# end\n", "a.py");
  EXPECT_EQ(p.header, std::vector<std::string>{"top"});
  EXPECT_EQ(p.imports, (std::vector<std::string>{"pytest", "torch"}));
  ASSERT_EQ(p.functions.size(), 1U);
  EXPECT_EQ(p.functions[0].name, "body");
  EXPECT_EQ(p.functions[0].parameters, (std::vector<std::string>{"x", "y"}));
  EXPECT_EQ(p.functions[0].comments_above, std::vector<std::string>{"above"});
  EXPECT_EQ(p.functions[0].comment, "behind");
  EXPECT_EQ(p.functions[0].place.line, 7);
  EXPECT_EQ(p.footer, std::vector<std::string>{"end"});
}

TEST(Parse, without_imports_an_empty_line_separates_header_and_comment) {
  const Program p = parse("# top\n\n# above\ndef f():\n    pass\n", "a.py");
  EXPECT_EQ(p.header, std::vector<std::string>{"top"});
  EXPECT_EQ(p.functions[0].comments_above, std::vector<std::string>{"above"});
}

TEST(Parse, numbers) {
  const auto value = [](const std::string& text) { return only<Assign>("x = " + text).value.node; };
  EXPECT_EQ(std::get<std::int64_t>(value("12")), 12);
  EXPECT_EQ(std::get<std::int64_t>(value("-1")), -1);
  EXPECT_EQ(std::get<std::int64_t>(value("-9223372036854775808")), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(std::get<double>(value("1.")), 1.0);
  EXPECT_EQ(std::get<double>(value("-.5")), -0.5);
  EXPECT_EQ(std::get<double>(value("1e-3")), 1e-3);
  EXPECT_TRUE(std::isinf(std::get<double>(value("float(\"-inf\")"))));
  EXPECT_TRUE(std::isnan(std::get<double>(value("float(\"nan\")"))));
  EXPECT_TRUE(std::signbit(std::get<double>(value("-0.0"))));
}

TEST(Parse, strings) {
  const auto value = [](const std::string& text) {
    return std::get<std::string>(only<Assign>("x = " + text).value.node);
  };
  EXPECT_EQ(value(R"("a\"b\\n\n\t\x41\u00e9")"), "a\"b\\n\n\tA\u00e9");
  EXPECT_EQ(value(R"(r"a\.b")"), "a\\.b");
  EXPECT_EQ(value(R"('it''s')"), "its");
  EXPECT_EQ(value("\"\""), "");
  EXPECT_EQ(value("(\"a\"\n     r\"b\")"), "ab");
}

TEST(Parse, lists_and_tuples_nest_and_may_span_lines) {
  const auto assign = only<Assign>("x = [[1, 2],  # one\n         (3,), (), ([4]),\n    ]");
  const auto& items = std::get<List>(assign.value.node).items;
  ASSERT_EQ(items.size(), 4U);
  EXPECT_TRUE(std::holds_alternative<List>(items[0].node));
  EXPECT_EQ(std::get<Tuple>(items[1].node).items.size(), 1U);
  EXPECT_TRUE(std::get<Tuple>(items[2].node).items.empty());
  EXPECT_TRUE(std::holds_alternative<List>(items[3].node));
  EXPECT_EQ(body_of("    x = [1,  # one\n      2]  # two\n").at(0).comment, "one  # two");
}

TEST(Parse, targets) {
  EXPECT_TRUE(only<Assign>("x.view(6)").targets.empty());
  EXPECT_FALSE(only<Assign>("y = x.view(6)").unpack);
  EXPECT_TRUE(only<Assign>("y, = x.split(2)").unpack);
  EXPECT_TRUE(only<Assign>("(y,) = x.split(2)").unpack);
  EXPECT_EQ(only<Assign>("a, b = x.split(1)").targets, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(only<SetAttribute>("x.requires_grad = True").attribute, "requires_grad");
}

TEST(Parse, relations) {
  EXPECT_EQ(only<Assert>("assert x._version == 1").relation, Relation::equal);
  EXPECT_EQ(only<Assert>("assert x._base is y").relation, Relation::is);
  EXPECT_EQ(only<Assert>("assert x.grad_fn is not None").relation, Relation::is_not);
}

TEST(Parse, calls_of_the_key_sets_are_one_call) {
  EXPECT_NO_THROW(only<Assert>("assert torch._C._dispatch_keys(x).has(torch._C.DispatchKey.CPU) is True"));
  EXPECT_NO_THROW(only<Assert>("assert list(x.size()) == [2]"));
  EXPECT_NO_THROW(only<Assert>("assert x.shape == torch.Size([2])"));
}

TEST(Parse, several_guards_are_nested) {
  const With outer = only<With>("with torch.no_grad(), torch.enable_grad():\n        x.view(6)");
  EXPECT_EQ(print(outer.item), "torch.no_grad()");
  EXPECT_EQ(print(std::get<With>(outer.body.at(0).node).item), "torch.enable_grad()");
}

TEST(Parse, comments_belong_to_the_block_that_their_column_fits) {
  const Block body = body_of(
      "    with torch.no_grad():\n        x.view(6)\n        # inner\n    # outer\n    x.view(1)\n    # last\n");
  ASSERT_EQ(body.size(), 4U);
  EXPECT_EQ(std::get<With>(body[0].node).body.back().comment, "inner");
  EXPECT_EQ(body[1].comment, "outer");
  EXPECT_EQ(body[3].comment, "last");
}

TEST(Parse, line_ends_and_byte_order_marks_of_other_systems_are_read) {
  const Program p = parse("\xEF\xBB\xBFimport torch\r\n\r\ndef f():\r\n    pass\r\n", "a.py");
  EXPECT_EQ(print(p), "import torch\n\n\ndef f():\n    pass\n");
}

TEST(Parse, columns_count_characters) {
  const Block body = body_of("    x.view(\"\u00e9\u00e9\", y)\n");
  const auto& call = std::get<Invocation>(std::get<Assign>(body[0].node).value.node);
  EXPECT_EQ(call.positional.at(1).place.column, 18);
  EXPECT_EQ(call.positional.at(1).place.line, 2);
}

}  // namespace
}  // namespace plumbline::program
