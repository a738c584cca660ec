// Tests expressions with expanded lets: values, names and printed text are the same as without
// lets, and faults are shown in the let's own text.
#include "core/expr/expr_lets.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/random_expression.h"

namespace warpwright {
namespace {

Environment lets_environment() {
  Environment environment;
  environment.set("A", 7);
  environment.set("B", 0);
  environment.set("C", 3);
  return environment;
}

std::string lets_message(const Expr& expr) {
  try {
    return "value " + expr.evaluate(lets_environment()).to_string();
  } catch (const Error& error) {
    return error.what();
  }
}

std::string lets_message_of_integer(const Expr& expr) {
  try {
    return "value " + std::to_string(expr.evaluate_integer(lets_environment()));
  } catch (const Error& error) {
    return error.what();
  }
}

TEST(ExprLets, PrintsWhatIsWrittenOut) {
  ExprLets lets;
  lets.add("half", Expr::parse("A + 1"));
  const Expr expr = lets.write_out(Expr::parse("2*half - B"));
  EXPECT_EQ(expr.to_string(), "2 * (A + 1) - B");
  EXPECT_EQ(expr.text(), "2*half - B");
  EXPECT_EQ(expr.names(), (std::vector<std::string>{"A", "B"}));
}

TEST(ExprLets, LeavesAnExpressionWithoutLetsAlone) {
  ExprLets lets;
  lets.add("half", Expr::parse("A + 1"));
  const Expr expr = Expr::parse("2*A");
  EXPECT_EQ(&lets.write_out(expr).root(), &expr.root());
}

TEST(ExprLets, TellsWhichLetANameCameThrough) {
  ExprLets lets;
  lets.add("inner", Expr::parse("A + 1"));
  lets.add("outer", lets.write_out(Expr::parse("inner * C")));
  const Expr expr = lets.write_out(Expr::parse("B + outer"));
  EXPECT_EQ(expr.let_of("B"), nullptr);
  ASSERT_NE(expr.let_of("A"), nullptr);
  EXPECT_EQ(expr.let_of("A")->name, "outer");
  EXPECT_EQ(expr.let_of("nobody"), nullptr);
}

TEST(ExprLets, AnInnerScopeSeesTheOuterOne) {
  ExprLets outer;
  outer.add("a", Expr::parse("A + 1"));
  ExprLets inner(&outer);
  inner.add("b", inner.write_out(Expr::parse("2*a")));
  EXPECT_EQ(inner.write_out(Expr::parse("a + b")).to_string(), "A + 1 + 2 * (A + 1)");
  EXPECT_FALSE(outer.knows("b"));
}

TEST(ExprLets, AFaultIsShownInTheInnermostLet) {
  ExprLets lets;
  lets.add("ratio", Expr::parse("A / B", {"k.yaml", 4, 10}));
  lets.add("twice", lets.write_out(Expr::parse("2 * ratio", {"k.yaml", 5, 10})));
  EXPECT_EQ(
      lets_message(lets.write_out(Expr::parse("1 + twice", {"k.yaml", 9, 3}))),
      "k.yaml:4:12: division by zero in \"A / B\", the let 'ratio' of \"1 + twice\" on line 9 "
      "with A=7 B=0\n  A / B\n    ^");
}

TEST(ExprLets, AFaultOfALetThatIsAnothersNameIsShownInTheOther) {
  ExprLets lets;
  lets.add("ratio", Expr::parse("A / B", {"k.yaml", 4, 10}));
  lets.add("alias", lets.write_out(Expr::parse("ratio", {"k.yaml", 5, 10})));
  const Expr expr = lets.write_out(Expr::parse("alias", {"k.yaml", 9, 3}));
  EXPECT_EQ(lets_message(expr),
            "k.yaml:4:12: division by zero in \"A / B\", the let 'ratio' of \"alias\" on line 9 "
            "with A=7 B=0\n  A / B\n    ^");
  EXPECT_EQ(expr.let_of("A")->name, "alias");
}

TEST(ExprLets, AFaultBesideALetIsShownInTheExpression) {
  ExprLets lets;
  lets.add("nothing", Expr::parse("B * 1", {"k.yaml", 4, 10}));
  EXPECT_EQ(lets_message(lets.write_out(Expr::parse("A / nothing", {"k.yaml", 9, 3}))),
            "k.yaml:9:5: division by zero in \"A / nothing\" with A=7 B=0\n  A / nothing\n    ^");
}

TEST(ExprLets, AConditionThatIsNoneIsShownInItsLet) {
  ExprLets lets;
  lets.add("order", Expr::parse("'rows'", {"k.yaml", 4, 10}));
  EXPECT_EQ(
      lets_message(lets.write_out(Expr::parse("order ? 1 : 2", {"k.yaml", 9, 3}))),
      "k.yaml:4:10: expected a condition, got string 'rows' in \"'rows'\", the let 'order' of "
      "\"order ? 1 : 2\" on line 9\n  'rows'\n  ^");
}

TEST(ExprLets, AWrongTypeOfTheWholeIsShownWhereTheLetStands) {
  ExprLets lets;
  lets.add("real", Expr::parse("A + 0.5", {"k.yaml", 4, 10}));
  EXPECT_EQ(
      lets_message_of_integer(lets.write_out(Expr::parse("(real)", {"k.yaml", 9, 3}))),
      "k.yaml:9:4: expected an integer, got real 7.5 from \"(real)\" with A=7\n  (real)\n   ^");
}

TEST(ExprLets, AnUnknownNameIsShownInItsLet) {
  ExprLets lets;
  lets.add("half", Expr::parse("AA / 2", {"k.yaml", 4, 10}));
  const Expr expr = lets.write_out(Expr::parse("1 + half", {"k.yaml", 9, 3}));
  const std::vector<std::string> known = {"A", "AAA"};
  try {
    expr.require_names(known, "size");
    FAIL() << "the name is not known";
  } catch (const Error& error) {
    EXPECT_STREQ(
        error.what(),
        "k.yaml:4:10: unknown size 'AA' in \"AA / 2\", the let 'half' of \"1 + half\" on line "
        "9; did you mean 'AAA'?\n  AA / 2\n  ^");
  }
}

TEST(ExprLets, RefusesWhatWouldGrowAsAPowerOfTwo) {
  ExprLets lets;
  lets.add("a0", Expr::parse("A"));
  std::string message;
  for (int i = 1; i <= 60 && message.empty(); ++i) {
    const std::string below = "a" + std::to_string(i - 1);
    try {
      lets.add("a" + std::to_string(i), lets.write_out(Expr::parse(below + " + " + below)));
    } catch (const Error& error) {
      message = error.what();
    }
  }
  EXPECT_EQ(
      message,
      "\"a9 + a9\" has 2047 operands and operators when its lets are written out, expected at "
      "most 2000; use fewer lets, or lets of fewer operands");
}

TEST(ExprLets, RefusesWhatWouldBeTooDeepForRecursion) {
  ExprLets lets;
  lets.add("a0", Expr::parse("A"));
  std::string message;
  for (int i = 1; i <= 1000 && message.empty(); ++i) {
    try {
      lets.add("a" + std::to_string(i),
               lets.write_out(Expr::parse("-a" + std::to_string(i - 1), {"k.yaml", i, 5})));
    } catch (const Error& error) {
      message = error.what();
    }
  }
  EXPECT_EQ(
      message,
      "k.yaml:200:5: \"-a199\" has 201 levels when its lets are written out, expected at most "
      "200; use fewer lets, or lets of fewer operands");
}

// A let behaves like its text in parentheses, whatever operators surround it.
TEST(ExprLets, RandomExpressionsEqualTheTextWithoutLets) {
  testing::RandomExpression random(20240521);
  const std::vector<std::string> slots = {"A", "B"};
  Environment constants;
  constants.set("C", 3);
  const std::vector<Interval> ranges = {{-3, 9}, {0, 4}};
  for (int i = 0; i < 2000; ++i) {
    const std::string inner = random.text(2);
    const std::string middle = random.text(2);
    ExprLets lets;
    lets.add("C_", Expr::parse(inner));
    lets.add("B_", lets.write_out(Expr::parse("(" + middle + ") - C_")));
    const std::string around = random.text(2);
    const Expr with = lets.write_out(Expr::parse("(" + around + ") * B_ + C_"));
    const Expr without =
        Expr::parse("(" + around + ") * ((" + middle + ") - (" + inner + ")) + (" + inner + ")");
    ASSERT_EQ(with.to_string(), without.to_string());
    ASSERT_EQ(with.names(), without.names());
    const bool fails = !lets_message(without).starts_with("value ");
    ASSERT_EQ(!lets_message(with).starts_with("value "), fails) << without.text();
    if (!fails) {
      ASSERT_EQ(lets_message(with), lets_message(without));
    }
    const BoundExpr bound_with(with, slots, constants);
    const BoundExpr bound_without(without, slots, constants);
    ASSERT_EQ(bound_with.slots(), bound_without.slots());
    ASSERT_EQ(bound_with.integer_only(), bound_without.integer_only());
    ASSERT_EQ(bound_with.bounds(ranges).low, bound_without.bounds(ranges).low);
    ASSERT_EQ(bound_with.bounds(ranges).high, bound_without.bounds(ranges).high);
  }
}

}  // namespace
}  // namespace warpwright
