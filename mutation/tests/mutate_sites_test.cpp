// Source mutants: reading C++ as tokens, and the changes of tokens.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "mutation/sites.h"
#include "mutation/tokens.h"

namespace plumbline::mutate {
namespace {

using Texts = std::vector<std::string>;

Texts texts(const std::string& source) {
  Texts found;
  for (const Token& token : tokens_of(source)) found.emplace_back(token.text);
  return found;
}

Texts changes(const std::string& source) {
  Texts found;
  for (const Site& site : sites_of("a.cpp", source)) found.push_back(site.change);
  return found;
}
/// The changes in a function with these statements.
Texts changes_within(const std::string& body) { return changes("void f() {\n" + body + "\n}\n"); }

/// The source after its only change.
std::string changed(const std::string& source) {
  const std::vector<Site> sites = sites_of("a.cpp", source);
  EXPECT_EQ(sites.size(), 1U) << source;
  return sites.empty() ? "" : mutated(source, sites.front());
}

Site site_within(const std::string& source, const std::string& change) {
  for (const Site& site : sites_of("a.cpp", source))
    if (site.change == change) return site;
  ADD_FAILURE() << change << " is not a change of " << source;
  return {};
}

TEST(Tokens, comments_and_preprocessor_lines_are_not_tokens) {
  EXPECT_EQ(texts("#include <a>\n#define X \\\n  1\nint a; // b == c\n/* d\n# e */ f"), (Texts{"int", "a", ";", "f"}));
}

TEST(Tokens, a_string_is_one_with_prefix_and_suffix) {
  EXPECT_EQ(texts(R"(u8"a\"b == //"s L'\'' "/*")"), (Texts{R"(u8"a\"b == //"s)", R"(L'\'')", R"("/*")"}));
}

TEST(Tokens, a_raw_string_ends_with_its_own_delimiter) {
  EXPECT_EQ(texts("R\"x(a)\" == )x\" b"), (Texts{"R\"x(a)\" == )x\"", "b"}));
}

TEST(Tokens, a_number_has_its_separators_exponent_and_suffix) {
  EXPECT_EQ(texts("1'000UL+1.5e-3F+0xE+2 a.0"), (Texts{"1'000UL", "+", "1.5e-3F", "+", "0xE", "+", "2", "a", ".0"}));
}

TEST(Tokens, the_longest_operator_is_read) {
  EXPECT_EQ(texts("a<=>b<<=c->d&&e"), (Texts{"a", "<=>", "b", "<<=", "c", "->", "d", "&&", "e"}));
}

TEST(Tokens, have_lines_and_columns) {
  const std::vector<Token> tokens = tokens_of("a\n/* b\n */  c");
  EXPECT_EQ(tokens[1].line, 3U);
  EXPECT_EQ(tokens[1].column, 6U);
}

TEST(Tokens, an_unterminated_string_or_comment_is_refused) {
  EXPECT_THROW(tokens_of("a /* b"), std::runtime_error);
  EXPECT_THROW(tokens_of("\"a\nb\""), std::runtime_error);
  EXPECT_THROW(tokens_of("R\"x(a)\""), std::runtime_error);
}

TEST(Sites, comparisons_are_exchanged) {
  EXPECT_EQ(changes("bool a = b == c;"), Texts{"== -> !="});
  EXPECT_EQ(changes("bool a = b != c;"), Texts{"!= -> =="});
  EXPECT_EQ(changes("bool a = b < c;"), Texts{"< -> <="});
  EXPECT_EQ(changes("bool a = b <= c;"), Texts{"<= -> <"});
  EXPECT_EQ(changes("bool a = b > c;"), Texts{"> -> >="});
  EXPECT_EQ(changes("bool a = b >= c;"), Texts{">= -> >"});
}

TEST(Sites, and_and_or_and_signs_are_exchanged) {
  EXPECT_EQ(changes("int a = b && c || d;"), (Texts{"&& -> ||", "|| -> &&"}));
  EXPECT_EQ(changes("int a = b + c - d;"), (Texts{"+ -> -", "- -> +"}));
  EXPECT_EQ(changes("int a = (b += c) * (d -= e);"), (Texts{"+= -> -=", "-= -> +="}));
}

TEST(Sites, a_negation_is_dropped) { EXPECT_EQ(changed("bool a = !b;"), "bool a = b;"); }

TEST(Sites, numbers_grow_by_one_except_1_which_becomes_0) {
  EXPECT_EQ(changed("int a = 0;"), "int a = 1;");
  EXPECT_EQ(changed("int a = 1;"), "int a = 0;");
  EXPECT_EQ(changed("int a = 1'000;"), "int a = 1001;");
  EXPECT_EQ(changed("int a = 0x1FULL;"), "int a = 32ULL;");
  EXPECT_EQ(changed("int a = 0b101U;"), "int a = 6U;");
  EXPECT_EQ(changed("int a = 017;"), "int a = 16;");
  EXPECT_EQ(changed("float a = 0.0F;"), "float a = 1.0F;");
  EXPECT_EQ(changed("double a = 1.;"), "double a = 0.0;");
  EXPECT_EQ(changed("float a = 2.5F;"), "float a = (2.5F + 1);");
}

TEST(Sites, the_largest_number_stays) { EXPECT_EQ(changes("auto a = 0xFFFFFFFFFFFFFFFF;"), Texts{}); }

TEST(Sites, true_and_false_are_exchanged) {
  EXPECT_EQ(changed("bool a = true;"), "bool a = false;");
  EXPECT_EQ(changed("bool a = false;"), "bool a = true;");
}

TEST(Sites, a_statement_of_one_line_is_dropped) {
  EXPECT_EQ(changed("void f() {\n  a.b(c);\n}"), "void f() {\n  ;\n}");
  for (const char* statement :
       {"a = b;", "a += b;", "++a;", "*a = b;", "a->b();", "a[b] = c;", "a::b(c);", "a<b>(c);", "a::b<c>::d = e;",
        "throw a;", "delete a;", "return;", "break;", "continue;", "this->a = b;", "a();"}) {
    const Texts found = changes_within(statement);
    EXPECT_NE(std::ranges::find(found, "statement -> dropped"), found.end()) << statement;
  }
}

TEST(Sites, a_statement_after_a_condition_is_dropped_by_itself) {
  EXPECT_EQ(changed("void f() {\n  if (a) b();\n}"), "void f() {\n  if (a) ;\n}");
  EXPECT_EQ(changes_within("for (const int a : b) c();"), Texts{"statement -> dropped"});
  EXPECT_EQ(changes_within("if (a) b(); else c();"), (Texts{"statement -> dropped", "statement -> dropped"}));
  EXPECT_EQ(changes_within("switch (a) {\n case b:\n c();\n default: d();\n}"),
            (Texts{"statement -> dropped", "statement -> dropped"}));
}

TEST(Sites, statements_of_lambdas_and_methods_are_dropped) {
  EXPECT_EQ(changes("struct A {\n void f() const noexcept { g(); }\n};"), Texts{"statement -> dropped"});
  EXPECT_EQ(changes("A::A(int a) : b_(a), c_{a} { g(); }"), Texts{"statement -> dropped"});
  EXPECT_EQ(changes_within("const auto a = [&] { g(); };"), Texts{"statement -> dropped"});
  EXPECT_EQ(changes_within("return h([&](int a) -> std::vector<int> {\n g();\n return a;\n});"),
            Texts{"statement -> dropped"});
}

TEST(Sites, declarations_are_not_dropped) {
  for (const char* statement : {"A a(b);", "A a;", "A a = b;", "A& a = b;", "A* a = b;", "const A a(b);", "auto a = b;",
                                "std::vector<A> a(b);", "A<B>::C a;", "static A a;", "using namespace a;", "return a;",
                                "if (a) {\n}", "static_cast<void>(a);", "A a{b};", "goto a;", "assert(a);"})
    EXPECT_EQ(changes_within(statement), Texts{}) << statement;
  EXPECT_EQ(changes("struct A {\n A();\n void f();\n A(const A&) = delete;\n};\nvoid f();"), Texts{});
}

TEST(Sites, a_statement_of_two_lines_is_not_dropped) { EXPECT_EQ(changes_within("a(b,\n c);"), Texts{}); }

TEST(Sites, template_arguments_are_not_comparisons) {
  EXPECT_EQ(changes("std::map<A, std::vector<B>> a;\ntemplate <class T, int N = 3>\nA<T> b(C<D>&& c);"), Texts{});
  EXPECT_EQ(changes("auto a = static_cast<A>(b) < c<D>();"), Texts{"< -> <="});
}

TEST(Sites, references_and_unary_signs_are_not_operators) {
  EXPECT_EQ(changes("auto&& a = -b;\nA c(D&& d);"), Texts{});
}

TEST(Sites, strings_and_comments_have_none) {
  EXPECT_EQ(changes("// a == 1\nconst char* a = \"b == 1\" /* < 2 */;\nchar c = '1';\n/// !d"), Texts{});
  EXPECT_EQ(changes("#if A == 1\n#define B 0\n#endif"), Texts{});
}

TEST(Sites, joining_strings_is_not_a_sum) { EXPECT_EQ(changes("auto a = \"b\" + c + \"d\";"), Texts{}); }

TEST(Sites, compile_time_expressions_have_none) {
  EXPECT_EQ(changes("static_assert(a == 1 && sizeof(b) < 3);"), Texts{});
  EXPECT_EQ(
      changes("struct alignas(64) A {\n virtual void f() const = 0;\n bool operator==(const A&) const = default;\n};"),
      Texts{});
  EXPECT_EQ(changes("using A = std::array<int, 3>;\ntypedef int B[3];\nvoid f() noexcept(1 < 2);"), Texts{});
  EXPECT_EQ(changes("template <int N = 1, bool B = (N > 2)>\nstruct A;\n[[deprecated(\"1\"), gnu::aligned(8)]] int a;"),
            Texts{});
}

TEST(Sites, a_value_assigned_to_a_call_is_not_a_pure_function) {
  EXPECT_EQ(changes_within("at(a) = 0;"), (Texts{"statement -> dropped", "0 -> 1"}));
}

TEST(Sites, are_named_by_function_and_text) {
  const std::string source =
      "namespace n {\nstruct A {\n  int a = 7;\n};\nint A::f(int b) const {\n  return g([&](int c) { return c < b; "
      "});\n}\n}\nint d = 8;";
  EXPECT_EQ(site_within(source, "7 -> 8").function, "A");
  EXPECT_EQ(site_within(source, "< -> <=").function, "f");
  EXPECT_EQ(site_within(source, "< -> <=").text, "return g([&](int c) { return c < b; });");
  EXPECT_EQ(site_within(source, "8 -> 9").function, "");
  EXPECT_EQ(site_within(source, "7 -> 8").name(), "a.cpp:3:11 7 -> 8");
}

TEST(Sites, equal_sites_are_numbered) {
  const std::vector<Site> sites = sites_of("a.cpp", "void f() {\n  a(0, 0);\n  a(0, 0);\n}");
  std::vector<int> numbers;
  for (const Site& site : sites)
    if (site.change == "0 -> 1") numbers.push_back(site.nth);
  EXPECT_EQ(numbers, (std::vector{1, 2, 3, 4}));
}

TEST(Sites, their_key_does_not_change_with_lines_above) {
  const std::string source = "int f() {\n  return 0;\n}\n";
  EXPECT_EQ(site_within(source, "0 -> 1").key(), site_within("int g();\n\n" + source, "0 -> 1").key());
}

TEST(Sites, brackets_that_do_not_match_are_refused_with_file_and_line) {
  try {
    sites_of("a.cpp", "void f() {\n  a(;\n}");
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "a.cpp: line 3: '}' has no opening bracket");
  }
  EXPECT_THROW(sites_of("a.cpp", "void f() {"), std::runtime_error);
}

}  // namespace
}  // namespace plumbline::mutate
