#include <gtest/gtest.h>

#include <limits>

#include "core/expr/expr.h"
#include "support/error_text.h"

namespace warpwright {
namespace {

using testing::error_text;

constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();

Environment sample_environment() {
  Environment environment;
  environment.set("A", 4);
  environment.set("B", 0);
  environment.set("N", -7);
  environment.set("X", 0.5);
  environment.set("T", true);
  environment.set("dtype", "bf16");
  environment.set("MAX", kMax);
  environment.set("MIN", kMin);
  environment.set("device.max_shared", 49152);
  return environment;
}

struct Evaluated {
  const char* text;
  Value value;
};

class ExprValue : public ::testing::TestWithParam<Evaluated> {};

TEST_P(ExprValue, HasTheTypeAndTheValue) {
  const Value value = Expr::parse(GetParam().text).evaluate(sample_environment());
  EXPECT_EQ(value, GetParam().value) << value.type_name() << " " << value.to_string();
}

INSTANTIATE_TEST_SUITE_P(
    Precedence, ExprValue,
    ::testing::Values(Evaluated{"2 + 3 * 4", 14}, Evaluated{"10 - 4 - 3", 3},
                      Evaluated{"24 / 4 / 2", 3}, Evaluated{"2 * 3 % 4", 2},
                      Evaluated{"1 << 2 + 1", 8}, Evaluated{"1 + 2 << 1", 6},
                      Evaluated{"6 & 3 == 3", 0}, Evaluated{"1 | 2 ^ 3 & 5", 3},
                      Evaluated{"1 < 2 == true", true}, Evaluated{"0 || 1 && 0", false},
                      Evaluated{"0 ? 1 : 0 ? 2 : 3", 3}, Evaluated{"-2 * -3", 6},
                      Evaluated{"!0 + 1", 2}, Evaluated{"~0 & 7", 7}));

INSTANTIATE_TEST_SUITE_P(
    Integers, ExprValue,
    ::testing::Values(Evaluated{"7 / 2", 3}, Evaluated{"-7 / 2", -3}, Evaluated{"-7 % 2", -1},
                      Evaluated{"7 % -2", 1}, Evaluated{"MIN % -1", 0}, Evaluated{"-8 >> 1", -4},
                      Evaluated{"-3 << 2", -12}, Evaluated{"1 << 62", std::int64_t{1} << 62},
                      Evaluated{"0xff ^ 0x0F", 0xf0}, Evaluated{"abs(N)", 7},
                      Evaluated{"min(3, N, 5)", -7}, Evaluated{"max(3, N, 5)", 5},
                      Evaluated{"ceil_div(7, 2)", 4}, Evaluated{"ceil_div(-7, 2)", -3},
                      Evaluated{"ceil_div(8, 2)", 4}, Evaluated{"align_up(13, 8)", 16},
                      Evaluated{"align_up(16, 8)", 16}, Evaluated{"is_pow2(64)", true},
                      Evaluated{"is_pow2(0)", false}, Evaluated{"is_pow2(-8)", false},
                      Evaluated{"is_pow2(12)", false},
                      Evaluated{"sizeof(f64) + sizeof(dtype) + sizeof(e4m3)", 11},
                      Evaluated{"device.max_shared / 1024", 48}, Evaluated{"MAX - 1 + 1", kMax},
                      Evaluated{"-9223372036854775808", kMin},
                      Evaluated{"5000000000 / 7", 714285714}));

INSTANTIATE_TEST_SUITE_P(Types, ExprValue,
                         ::testing::Values(Evaluated{"T + T", 2}, Evaluated{"-T", -1},
                                           Evaluated{"1 == 1.0", true}, Evaluated{"T == 1", true},
                                           Evaluated{"A * X", 2.0}, Evaluated{"7 / 2.0", 3.5},
                                           Evaluated{"A / 8", 0}, Evaluated{"min(1, X)", 0.5},
                                           Evaluated{"max(1, X)", 1.0}, Evaluated{"abs(-X)", 0.5},
                                           Evaluated{"log2(8)", 3.0}, Evaluated{"sqrt(A)", 2.0},
                                           Evaluated{"dtype == 'bf16'", true},
                                           Evaluated{"dtype != \"f32\"", true},
                                           Evaluated{"T ? 'a' : 1", "a"}, Evaluated{"A && X", true},
                                           Evaluated{"!X", false},
                                           Evaluated{"9007199254740993 == 9007199254740992", false},
                                           Evaluated{"A < X", false}, Evaluated{"'row'", "row"},
                                           Evaluated{"1e3", 1000.0}));

INSTANTIATE_TEST_SUITE_P(ShortCircuit, ExprValue,
                         ::testing::Values(Evaluated{"B == 0 || A % B == 0", true},
                                           Evaluated{"B != 0 && A % B == 0", false},
                                           Evaluated{"B == 0 ? 1 : A / B", 1},
                                           Evaluated{"true || unknown", true},
                                           Evaluated{"false && unknown", false},
                                           Evaluated{"2 && 3", true}, Evaluated{"0 || 0", false}));

struct Failing {
  const char* text;
  const char* first_line;
};

class ExprFailure : public ::testing::TestWithParam<Failing> {};

TEST_P(ExprFailure, SaysWhatAndWithWhichValues) {
  const Expr expr = Expr::parse(GetParam().text);
  const std::string message = error_text([&] { (void)expr.evaluate(sample_environment()); });
  EXPECT_EQ(message.substr(0, message.find('\n')), GetParam().first_line);
}

INSTANTIATE_TEST_SUITE_P(
    Cases, ExprFailure,
    ::testing::Values(
        Failing{"A % B == 0", "division by zero in \"A % B == 0\" with A=4 B=0"},
        Failing{"A / B", "division by zero in \"A / B\" with A=4 B=0"},
        Failing{"A / 0.0", "division by zero in \"A / 0.0\" with A=4"},
        Failing{"MAX + 1", "overflow of 64 bits in \"MAX + 1\" with MAX=9223372036854775807"},
        Failing{"MAX * 2", "overflow of 64 bits in \"MAX * 2\" with MAX=9223372036854775807"},
        Failing{"MIN - 1", "overflow of 64 bits in \"MIN - 1\" with MIN=-9223372036854775808"},
        Failing{"-MIN", "overflow of 64 bits in \"-MIN\" with MIN=-9223372036854775808"},
        Failing{"abs(MIN)", "overflow of 64 bits in \"abs(MIN)\" with MIN=-9223372036854775808"},
        Failing{"MIN / -1", "overflow of 64 bits in \"MIN / -1\" with MIN=-9223372036854775808"},
        Failing{"align_up(MAX, 8)",
                "overflow of 64 bits in \"align_up(MAX, 8)\" with MAX=9223372036854775807"},
        Failing{"1 << 63", "overflow of 64 bits in \"1 << 63\""},
        Failing{"1 << N", "shift count outside 0 to 63 in \"1 << N\" with N=-7"},
        Failing{"1 >> 64", "shift count outside 0 to 63 in \"1 >> 64\""},
        Failing{"1e308 * 10", "overflow of a real in \"1e308 * 10\""},
        Failing{"ceil_div(A, B)", "division by zero in \"ceil_div(A, B)\" with A=4 B=0"},
        Failing{"ceil_div(A, N)",
                "ceil_div() needs a positive divisor in \"ceil_div(A, N)\" with A=4 N=-7"},
        Failing{"A % X",
                "'%' needs integers, got integer 4 and real 0.5 in \"A % X\" with A=4 X=0.5"},
        Failing{"~X", "'~' needs an integer, got real 0.5 in \"~X\" with X=0.5"},
        Failing{
            "dtype + 1",
            "'+' needs numbers, got string 'bf16' and integer 1 in \"dtype + 1\" with dtype=bf16"},
        Failing{"dtype == 1",
                "'==' needs two numbers or two strings, got string 'bf16' and integer 1 in "
                "\"dtype == 1\" with dtype=bf16"},
        Failing{"dtype < 'f32'",
                "'<' needs numbers, got string 'bf16' and string 'f32' in \"dtype < 'f32'\" with "
                "dtype=bf16"},
        Failing{"dtype && true",
                "expected a condition, got string 'bf16' in \"dtype && true\" with dtype=bf16"},
        Failing{"dtype ? 1 : 2",
                "expected a condition, got string 'bf16' in \"dtype ? 1 : 2\" with dtype=bf16"},
        Failing{"!dtype", "'!' needs a number, got string 'bf16' in \"!dtype\" with dtype=bf16"},
        Failing{"-dtype", "'-' needs a number, got string 'bf16' in \"-dtype\" with dtype=bf16"},
        Failing{"sizeof(A)",
                "sizeof() needs a dtype like f32, got integer 4 in \"sizeof(A)\" with A=4"},
        Failing{"log2(B)", "log2() needs a positive number, got integer 0 in \"log2(B)\" with B=0"},
        Failing{
            "sqrt(N)",
            "sqrt() needs a number that is not negative, got integer -7 in \"sqrt(N)\" with N=-7"},
        Failing{"is_pow2(X)",
                "is_pow2() needs an integer, got real 0.5 in \"is_pow2(X)\" with X=0.5"},
        Failing{"DTYPE == 'f32'",
                "unknown name 'DTYPE' in \"DTYPE == 'f32'\"; did you mean 'dtype'?"}));

TEST(ExprEvaluate, UnknownNameIsShownToTheLetter) {
  Environment environment;
  environment.set("THREADS", 256);
  const Expr expr = Expr::parse("THREDS % 32 == 0", {"configs/x.yaml", 12, 5});
  EXPECT_EQ(error_text([&] { (void)expr.evaluate(environment); }),
            "configs/x.yaml:12:5: unknown name 'THREDS' in \"THREDS % 32 == 0\"; did you mean "
            "'THREADS'?\n"
            "  THREDS % 32 == 0\n"
            "  ^");
}

TEST(ExprEvaluate, CaretPointsAtTheOperatorThatFailed) {
  const Expr expr = Expr::parse("1 + A % B", {"k.yaml", 2, 3});
  EXPECT_EQ(error_text([&] { (void)expr.evaluate(sample_environment()); }),
            "k.yaml:2:9: division by zero in \"1 + A % B\" with A=4 B=0\n"
            "  1 + A % B\n"
            "        ^");
}

TEST(ExprEvaluate, AnEmptyEnvironmentHasNothingToSuggest) {
  EXPECT_EQ(error_text([] { (void)Expr::parse("n").evaluate(Environment()); }),
            "unknown name 'n' in \"n\"\n  n\n  ^");
}

TEST(ExprEvaluate, EvaluationErrorsAreTheUsers) {
  try {
    (void)Expr::parse("1 / 0").evaluate(Environment());
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::kUser);
    EXPECT_EQ(error.exit_code(), 2);
  }
}

TEST(ExprEvaluate, WantedTypesAreChecked) {
  const Environment environment = sample_environment();
  EXPECT_EQ(Expr::parse("T").evaluate_integer(environment), 1);
  EXPECT_EQ(Expr::parse("A").evaluate_real(environment), 4.0);
  EXPECT_TRUE(Expr::parse("X").evaluate_bool(environment));
  EXPECT_EQ(error_text([&] { (void)Expr::parse("A * X").evaluate_integer(environment); }),
            "expected an integer, got real 2.0 from \"A * X\" with A=4 X=0.5\n  A * X\n    ^");
  EXPECT_EQ(error_text([&] { (void)Expr::parse("dtype").evaluate_real(environment); }),
            "expected a number, got string 'bf16' from \"dtype\" with dtype=bf16\n  dtype\n  ^");
  EXPECT_EQ(error_text([&] { (void)Expr::parse("dtype").evaluate_bool(environment); }),
            "expected a condition, got string 'bf16' from \"dtype\" with dtype=bf16\n  dtype\n  ^");
}

TEST(ExprEvaluate, InnerScopesHideOuterOnes) {
  Environment outer;
  outer.set("A", 1);
  outer.set("B", 2);
  Environment inner(&outer);
  inner.set("A", 10);
  EXPECT_EQ(Expr::parse("A + B").evaluate(inner), Value(12));
  EXPECT_EQ(inner.names(), (std::vector<std::string>{"A", "B"}));
}

TEST(ExprEvaluate, DtypesHaveTheirSizes) {
  EXPECT_EQ(dtype_bytes("f64"), 8);
  EXPECT_EQ(dtype_bytes("bf16"), 2);
  EXPECT_EQ(dtype_bytes("e5m2"), 1);
  EXPECT_EQ(dtype_bytes("bool"), 1);
  EXPECT_EQ(dtype_bytes("float"), std::nullopt);
}

}  // namespace
}  // namespace warpwright
