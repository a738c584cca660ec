#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/expr/expr.h"
#include "core/random_expression.h"
#include "support/error_text.h"

namespace warpwright {
namespace {

using testing::error_text;
using testing::RandomExpression;
using Verdict = BoundExpr::Verdict;

const std::vector<std::string>& slot_names() {
  static const std::vector<std::string> names = {"A", "B", "C"};
  return names;
}

BoundExpr bind(const std::string& text, const Environment& constants = Environment()) {
  return BoundExpr(Expr::parse(text), slot_names(), constants);
}

bool holds(const std::string& text, std::int64_t a, std::int64_t b = 0, std::int64_t c = 0) {
  return bind(text).holds(std::vector<std::int64_t>{a, b, c});
}

TEST(BoundExpr, UsesOnlyTheSlotsThatRemainAfterFolding) {
  EXPECT_EQ(bind("C + A").slots(), (std::vector<int>{0, 2}));
  Environment constants;
  constants.set("causal", false);
  EXPECT_EQ(bind("causal ? A : B", constants).slots(), std::vector<int>{1});
  EXPECT_EQ(bind("causal && A > B", constants).slots(), std::vector<int>{});
}

TEST(BoundExpr, ConstantsAreFoldedBeforeTheTypeIsJudged) {
  Environment constants;
  constants.set("dtype", "bf16");
  constants.set("scale", 0.5);
  EXPECT_TRUE(bind("dtype == 'bf16' && A * sizeof(dtype) <= 64", constants).integer_only());
  EXPECT_TRUE(bind("scale < 1 && A > 2", constants).integer_only());
  EXPECT_FALSE(bind("A * scale > 2", constants).integer_only());
  EXPECT_FALSE(bind("A == 'row'").integer_only());
  EXPECT_FALSE(bind("log2(A) < 3").integer_only());
}

TEST(BoundExpr, SlotsHideConstants) {
  Environment constants;
  constants.set("A", 100);
  EXPECT_TRUE(bind("A == 1", constants).holds(std::vector<std::int64_t>{1, 0, 0}));
}

TEST(BoundExpr, UnknownNameIsReportedWhenItIsBound) {
  EXPECT_EQ(error_text([] { (void)bind("A + D > 0"); }),
            "unknown name 'D' in \"A + D > 0\"; known: A, B, C\n  A + D > 0\n      ^");
}

TEST(BoundExpr, MixedTypesTakeTheSlowPath) {
  const BoundExpr bound = bind("A == 'row' && B * 0.5 <= C");
  EXPECT_TRUE(bound.holds(std::vector<Value>{"row", 4, 2}));
  EXPECT_FALSE(bound.holds(std::vector<Value>{"col", 4, 2}));
  EXPECT_FALSE(bound.holds(std::vector<Value>{"row", 6, 2}));
}

TEST(BoundExpr, FastPathShortCircuits) {
  EXPECT_TRUE(holds("B == 0 || A % B == 0", 5, 0));
  EXPECT_FALSE(holds("B != 0 && A % B == 0", 5, 0));
  EXPECT_TRUE(holds("B == 0 ? A == 5 : A / B == 9", 5, 0));
  EXPECT_TRUE(holds("(A && B) + (A || B) == 1", 5, 0));
}

TEST(BoundExpr, FastPathFaultIsAVerdictAndHoldsSpellsItOut) {
  const BoundExpr bound = bind("A % B == 0");
  const std::vector<std::int64_t> slots = {4, 0, 0};
  EXPECT_EQ(bound.test(slots), Verdict::kFault);
  EXPECT_EQ(error_text([&] { (void)bound.holds(slots); }),
            "division by zero in \"A % B == 0\" with A=4 B=0\n  A % B == 0\n    ^");
}

TEST(BoundExpr, SlowPathReportsTheSameFault) {
  const BoundExpr bound = bind("A % B == 0");
  const std::vector<Value> slots = {4, 0, 0};
  EXPECT_EQ(bound.test(slots), Verdict::kFault);
  EXPECT_EQ(error_text([&] { (void)bound.holds(slots); }),
            "division by zero in \"A % B == 0\" with A=4 B=0\n  A % B == 0\n    ^");
}

TEST(BoundExpr, FaultyConstantFailsOnlyWhenItIsReached) {
  EXPECT_TRUE(holds("A == 1 || 1 / 0", 1));
  EXPECT_THROW((void)holds("A == 1 || 1 / 0", 2), Error);
}

TEST(BoundExpr, FastPathAgreesWithTheTreeOnRandomExpressions) {
  RandomExpression random(11);
  int evaluated = 0;
  for (int i = 0; i < 3000; ++i) {
    const std::string text = random.text(5);
    const BoundExpr bound = bind(text);
    ASSERT_TRUE(bound.integer_only()) << text;
    for (int j = 0; j < 5; ++j) {
      const std::vector<std::int64_t> integers = {random.between(-5, 70), random.between(-5, 70),
                                                  random.between(0, 3)};
      const std::vector<Value> values(integers.begin(), integers.end());
      Environment environment;
      for (std::size_t k = 0; k < 3; ++k) environment.set(slot_names()[k], values[k]);
      Verdict expected = Verdict::kFault;
      try {
        expected = Expr::parse(text).evaluate_bool(environment) ? Verdict::kTrue : Verdict::kFalse;
        ++evaluated;
      } catch (const Error&) {
        expected = Verdict::kFault;
      }
      ASSERT_EQ(bound.test(integers), expected) << text;
      ASSERT_EQ(bound.test(values), expected) << text;
    }
  }
  EXPECT_GT(evaluated, 3000);
}

struct Bounded {
  const char* text;
  double low;
  double high;
};

class ExprBounds : public ::testing::TestWithParam<Bounded> {};

// A in [1, 4], B in [-2, 3], C in [8, 8].
TEST_P(ExprBounds, AreTight) {
  const std::vector<Interval> slots = {{1, 4}, {-2, 3}, {8, 8}};
  const Interval bounds = bind(GetParam().text).bounds(slots);
  EXPECT_EQ(bounds.low, GetParam().low);
  EXPECT_EQ(bounds.high, GetParam().high);
}

constexpr double kInfinity = std::numeric_limits<double>::infinity();

INSTANTIATE_TEST_SUITE_P(
    Cases, ExprBounds,
    ::testing::Values(Bounded{"A + B", -1, 7}, Bounded{"A - B", -2, 6}, Bounded{"A * B", -8, 12},
                      Bounded{"C / A", 2, 8}, Bounded{"A / B", -kInfinity, kInfinity},
                      Bounded{"C % 3", 2, 2}, Bounded{"A % C", 1, 4}, Bounded{"B % 2", -1, 1},
                      Bounded{"C % A", 0, 3}, Bounded{"A << 2", 4, 16}, Bounded{"C >> A", 0, 4},
                      Bounded{"A & C", 0, 4}, Bounded{"A | C", 8, 15}, Bounded{"A ^ C", 0, 15},
                      Bounded{"~A", -5, -2}, Bounded{"-B", -3, 2}, Bounded{"abs(B)", 0, 3},
                      Bounded{"min(A, B)", -2, 3}, Bounded{"max(A, B)", 1, 4},
                      Bounded{"ceil_div(C, A)", 2, 8}, Bounded{"align_up(A, 4)", 1, 7},
                      Bounded{"A < C", 1, 1}, Bounded{"A > C", 0, 0}, Bounded{"A == C", 0, 0},
                      Bounded{"C == 8", 1, 1}, Bounded{"A != C", 1, 1}, Bounded{"A <= 1", 0, 1},
                      Bounded{"A && C", 1, 1}, Bounded{"B && A > 4", 0, 0}, Bounded{"B || C", 1, 1},
                      Bounded{"!A", 0, 0}, Bounded{"A > 4 ? 100 : A", 1, 4},
                      Bounded{"B ? A : C", 1, 8}, Bounded{"is_pow2(-A)", 0, 0},
                      Bounded{"sqrt(A)", 1, 2}, Bounded{"A * A * C <= 127", 0, 1},
                      Bounded{"A * A * C <= 128", 1, 1}, Bounded{"A == 'row'", 0, 1}));

TEST(BoundExpr, BoundsContainEveryValueOfRandomExpressions) {
  RandomExpression random(13);
  int checked = 0;
  for (int i = 0; i < 4000; ++i) {
    const std::string text = random.text(4);
    const Expr expr = Expr::parse(text);
    const BoundExpr bound = bind(text);
    std::vector<Interval> intervals;
    for (int k = 0; k < 3; ++k) {
      const std::int64_t low = random.between(-6, 40);
      intervals.push_back(
          {static_cast<double>(low), static_cast<double>(low + random.between(0, 9))});
    }
    const Interval range = bound.bounds(intervals);
    for (int j = 0; j < 8; ++j) {
      Environment environment;
      for (std::size_t k = 0; k < 3; ++k) {
        environment.set(slot_names()[k],
                        random.between(static_cast<std::int64_t>(intervals[k].low),
                                       static_cast<std::int64_t>(intervals[k].high)));
      }
      try {
        const double value = expr.evaluate_real(environment);
        ASSERT_LE(range.low, value) << text;
        ASSERT_GE(range.high, value) << text;
        ++checked;
      } catch (const Error&) {
        continue;  // has no value
      }
    }
  }
  EXPECT_GT(checked, 5000);
}

TEST(BoundExpr, BoundsOfHugeIntegersAreWidened) {
  const double large = std::ldexp(1.0, 62);
  const std::vector<Interval> slots = {{large, large}, {1, 3}, {0, 0}};
  const Interval bounds = bind("A + B").bounds(slots);
  EXPECT_LT(bounds.low, large + 1);
  EXPECT_GT(bounds.high, large);
}

}  // namespace
}  // namespace warpwright
