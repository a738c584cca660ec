#include <gtest/gtest.h>

#include "core/expr/expr.h"
#include "core/expr/expr_node.h"
#include "core/random_expression.h"
#include "support/error_text.h"

namespace warpwright {
namespace {

using testing::error_text;
using testing::RandomExpression;
using testing::same_tree;

struct Printed {
  const char* text;
  const char* canonical;
};

class ExprPrint : public ::testing::TestWithParam<Printed> {};

TEST_P(ExprPrint, UsesTheFewestParentheses) {
  const Expr expr = Expr::parse(GetParam().text);
  EXPECT_EQ(expr.to_string(), GetParam().canonical);
  EXPECT_TRUE(same_tree(Expr::parse(expr.to_string()).root(), expr.root()));
}

INSTANTIATE_TEST_SUITE_P(
    Cases, ExprPrint,
    ::testing::Values(
        Printed{"1+2*3", "1 + 2 * 3"}, Printed{"(1+2)*3", "(1 + 2) * 3"},
        Printed{"a-(b-c)", "a - (b - c)"}, Printed{"(a-b)-c", "a - b - c"},
        Printed{"a*(b/c)", "a * (b / c)"}, Printed{"a<<b+c", "a << b + c"},
        Printed{"(a<<b)+c", "(a << b) + c"}, Printed{"a&b==c", "a & b == c"},
        Printed{"(a&b)==c", "(a & b) == c"}, Printed{"a|b^c&d", "a | b ^ c & d"},
        Printed{"((a|b)^c)&d", "((a | b) ^ c) & d"}, Printed{"a||b&&c", "a || b && c"},
        Printed{"(a||b)&&c", "(a || b) && c"}, Printed{"a?b:c?d:e", "a ? b : c ? d : e"},
        Printed{"(a?b:c)?d:e", "(a ? b : c) ? d : e"}, Printed{"a?b?c:d:e", "a ? b ? c : d : e"},
        Printed{"!(a&&b)", "!(a && b)"}, Printed{"!a&&b", "!a && b"}, Printed{"-(a+b)", "-(a + b)"},
        Printed{"-a+b", "-a + b"}, Printed{"-(-a)", "-(-a)"}, Printed{"- 5", "-5"},
        Printed{"a - -5", "a - -5"}, Printed{"-(5)", "-5"}, Printed{"-(-5)", "5"},
        Printed{"~!a", "~!a"}, Printed{"a and b or not c", "a && b || !c"},
        Printed{"min(a,b , c)", "min(a, b, c)"}, Printed{"min((a?b:c), 1)", "min(a ? b : c, 1)"},
        Printed{"sizeof(f32)*n", "sizeof(f32) * n"}, Printed{"sizeof('bf16')", "sizeof(bf16)"},
        Printed{"dtype == \"f32\"", "dtype == 'f32'"}, Printed{"x == 'it\\'s'", "x == 'it\\'s'"},
        Printed{"0x1F", "31"}, Printed{"1.50", "1.5"}, Printed{"2.0", "2.0"},
        Printed{"1e-7", "1e-07"}, Printed{".5", "0.5"},
        Printed{"device.max_shared/2", "device.max_shared / 2"}, Printed{"(a<b)<c", "(a < b) < c"},
        Printed{"a<b==c<d", "a < b == c < d"},
        Printed{"-9223372036854775808", "-9223372036854775808"}, Printed{"true", "true"}));

TEST(ExprParse, PrintingAndParsingAgainGivesTheSameTree) {
  RandomExpression random(7);
  for (int i = 0; i < 3000; ++i) {
    const std::string text = random.text(5);
    const Expr expr = Expr::parse(text);
    const Expr again = Expr::parse(expr.to_string());
    ASSERT_TRUE(same_tree(expr.root(), again.root())) << text << "\n" << expr.to_string();
    ASSERT_EQ(again.to_string(), expr.to_string());
  }
}

struct Rejected {
  const char* text;
  const char* message;
};

class ExprSyntax : public ::testing::TestWithParam<Rejected> {};

TEST_P(ExprSyntax, IsReportedWithPlaceAndCaret) {
  EXPECT_EQ(error_text([] {
              (void)Expr::parse(GetParam().text, {"k.yaml", 3, 10});
            }),
            GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(
    Cases, ExprSyntax,
    ::testing::Values(
        Rejected{"", "k.yaml:3:10: empty expression in \"\"\n  \n  ^"},
        Rejected{"A +", "k.yaml:3:13: expected a value, got the end in \"A +\"\n  A +\n     ^"},
        Rejected{"A * / B",
                 "k.yaml:3:14: expected a value, got '/' in \"A * / B\"\n  A * / B\n      ^"},
        Rejected{"(A + B",
                 "k.yaml:3:16: expected ')' to close '(', got the end in \"(A + B\"\n  (A + B\n    "
                 "    ^"},
        Rejected{"A B",
                 "k.yaml:3:12: expected an operator or the end, got 'B' in \"A B\"\n  A B\n    ^"},
        Rejected{"A = 3",
                 "k.yaml:3:12: unexpected '=' in \"A = 3\"; write '==' to compare\n  A = 3\n    ^"},
        Rejected{"A ? B",
                 "k.yaml:3:15: expected ':' between the branches of '?', got the end in \"A ? B\"\n"
                 "  A ? B\n       ^"},
        Rejected{
            "32 <= A <= 64",
            "k.yaml:3:18: chained comparison in \"32 <= A <= 64\"; write 'a <= b && b <= c', or "
            "parentheses\n  32 <= A <= 64\n          ^"},
        Rejected{"not A == B",
                 "k.yaml:3:10: 'not' before '==' is ambiguous in \"not A == B\"; put "
                 "parentheses around what it negates\n  not A == B\n  ^"},
        Rejected{"ceildiv(A, 2)",
                 "k.yaml:3:10: unknown function 'ceildiv' in \"ceildiv(A, 2)\"; did you "
                 "mean 'ceil_div'?\n  ceildiv(A, 2)\n  ^"},
        Rejected{
            "min(A)",
            "k.yaml:3:10: min() takes at least 2 arguments, got 1 in \"min(A)\"\n  min(A)\n  ^"},
        Rejected{"abs()", "k.yaml:3:10: abs() takes 1 argument, got 0 in \"abs()\"\n  abs()\n  ^"},
        Rejected{"ceil_div(A, B, C)",
                 "k.yaml:3:10: ceil_div() takes 2 arguments, got 3 in \"ceil_div(A, B, "
                 "C)\"\n  ceil_div(A, B, C)\n  ^"},
        Rejected{"9223372036854775808",
                 "k.yaml:3:10: number 9223372036854775808 is too large in "
                 "\"9223372036854775808\"\n  9223372036854775808\n  ^"},
        Rejected{"1e999", "k.yaml:3:10: number 1e999 is too large in \"1e999\"\n  1e999\n  ^"},
        Rejected{"12ab", "k.yaml:3:10: malformed number '12ab' in \"12ab\"\n  12ab\n  ^"},
        Rejected{"1.2.3", "k.yaml:3:10: malformed number '1.2.3' in \"1.2.3\"\n  1.2.3\n  ^"},
        Rejected{"0x", "k.yaml:3:10: malformed number '0x' in \"0x\"\n  0x\n  ^"},
        Rejected{"010",
                 "k.yaml:3:10: number '010' starts with 0 in \"010\"; write it without the zero\n"
                 "  010\n  ^"},
        Rejected{"A == 'x",
                 "k.yaml:3:15: string without its closing ' in \"A == 'x\"\n  A == 'x\n       ^"},
        Rejected{"A @ B", "k.yaml:3:12: unexpected character '@' in \"A @ B\"\n  A @ B\n    ^"},
        Rejected{"[A]", "k.yaml:3:10: expected a value, got '[' in \"[A]\"\n  [A]\n  ^"},
        Rejected{"A \x01", "k.yaml:3:12: unexpected byte 0x01 in \"A \x01\"\n  A \x01\n    ^"}));

TEST(ExprParse, PlaceOnALaterLineOfABlockHasTheLine) {
  EXPECT_EQ(error_text([] {
              (void)Expr::parse("A &&\nB +* C", {"k.yaml", 3, 10});
            }),
            "k.yaml:4: expected a value, got '*' in \"A && B +* C\"\n  B +* C\n     ^");
}

TEST(ExprParse, ErrorWithoutAPlaceStartsWithTheMessage) {
  EXPECT_EQ(error_text([] { (void)Expr::parse("A +"); }),
            "expected a value, got the end in \"A +\"\n  A +\n     ^");
}

TEST(ExprParse, DeepNestingIsAnErrorAndNotAStackOverflow) {
  for (const std::string& text :
       {std::string(3000, '(') + "1" + std::string(3000, ')'), std::string(9000, '-') + "A",
        std::string(9000, '!') + "A", std::string(4000, '~') + "1"}) {
    const std::string message = error_text([&] { (void)Expr::parse(text); });
    EXPECT_TRUE(message.starts_with("expression nested more than 200 levels deep in ")) << message;
  }
}

TEST(ExprParse, LongChainsAreLimitedLikeNesting) {
  std::string chain = "1";
  for (int i = 0; i < 190; ++i) chain += "+1";
  EXPECT_EQ(Expr::parse(chain).evaluate(Environment()), Value(191));
  for (int i = 0; i < 100; ++i) chain += "+1";
  EXPECT_TRUE(
      error_text([&] { (void)Expr::parse(chain); }).starts_with("expression nested more than"));
}

TEST(ExprParse, LongConditionalChainsAreLimited) {
  std::string text;
  for (int i = 0; i < 1500; ++i) text += "A?1:";
  EXPECT_TRUE(error_text([&] {
                (void)Expr::parse(text + "0");
              }).starts_with("expression nested more than"));
}

TEST(ExprParse, OverlongTextIsRefused) {
  const std::string message = error_text([] { (void)Expr::parse(std::string(10001, ' ')); });
  EXPECT_TRUE(message.starts_with("expression of 10001 characters is longer than 10000"))
      << message;
}

TEST(ExprParse, CaretOfALongExpressionStaysInView) {
  std::string text = "A";
  for (int i = 0; i < 60; ++i) text += " + A";
  const std::string message = error_text([&] { (void)Expr::parse(text + " +"); });
  const std::size_t first = message.find('\n');
  const std::size_t second = message.find('\n', first + 1);
  EXPECT_LT(second - first, 130U);
  EXPECT_EQ(message.size() - second, second - first + 1);  // the caret stands just after the text
}

TEST(ExprParse, NamesAreListedOnceInOrderOfAppearance) {
  const std::vector<std::string> expected = {"B", "device.max_shared", "A", "dtype"};
  EXPECT_EQ(Expr::parse("B * 2 < device.max_shared ? A : B + sizeof(dtype) + sizeof(f16)").names(),
            expected);
}

TEST(ExprParse, ADtypeOutsideSizeofIsAName) {
  EXPECT_EQ(Expr::parse("f32").names(), std::vector<std::string>{"f32"});
}

TEST(ExprParse, RequireNamesSuggestsTheNearest) {
  const std::vector<std::string> known = {"THREADS", "LOCAL_K"};
  const Expr expr = Expr::parse("LOCAL_K + THREDS % 32", {"configs/x.yaml", 12, 5});
  EXPECT_EQ(
      error_text([&] { expr.require_names(known, "parameter"); }),
      "configs/x.yaml:12:15: unknown parameter 'THREDS' in \"LOCAL_K + THREDS % 32\"; did you mean "
      "'THREADS'?\n  LOCAL_K + THREDS % 32\n            ^");
  EXPECT_NO_THROW(Expr::parse("LOCAL_K").require_names(known, "parameter"));
}

TEST(ExprParse, LiteralsOfEveryTypePrintAsThemselves) {
  EXPECT_EQ(Expr::literal(Value(-7)).text(), "-7");
  EXPECT_EQ(Expr::literal(Value(true)).text(), "true");
  EXPECT_EQ(Expr::literal(Value(2.0)).text(), "2.0");
  EXPECT_EQ(Expr::literal(Value("a'b")).text(), "'a\\'b'");
  EXPECT_EQ(Expr().text(), "0");
}

}  // namespace
}  // namespace warpwright
