#include <gtest/gtest.h>

#include <limits>

#include "spec/value_rule.h"

namespace warpwright {
namespace {

Value value_of(std::string_view text) {
  ScalarReading reading = read_plain_scalar(text);
  EXPECT_EQ(reading.refusal, "") << text;
  return reading.value;
}

TEST(Scalar, ReadsDecimalIntegers) {
  EXPECT_EQ(value_of("0"), Value(0));
  EXPECT_EQ(value_of("-3"), Value(-3));
  EXPECT_EQ(value_of("+4"), Value(4));
  EXPECT_EQ(value_of("9223372036854775807"), Value(std::int64_t{9223372036854775807}));
  EXPECT_EQ(value_of("-9223372036854775808"), Value(std::numeric_limits<std::int64_t>::min()));
}

TEST(Scalar, ReadsHexadecimalIntegers) {
  EXPECT_EQ(value_of("0x10"), Value(16));
  EXPECT_EQ(value_of("0XfF"), Value(255));
  EXPECT_EQ(value_of("-0x10"), Value(-16));
}

TEST(Scalar, ReadsReals) {
  EXPECT_EQ(value_of("1.5"), Value(1.5));
  EXPECT_EQ(value_of(".5"), Value(0.5));
  EXPECT_EQ(value_of("5."), Value(5.0));
  EXPECT_EQ(value_of("-0.0"), Value(-0.0));
  EXPECT_EQ(value_of("1e3"), Value(1000.0));
  EXPECT_EQ(value_of("1E-7"), Value(1e-7));
  EXPECT_EQ(value_of("+1e+2"), Value(100.0));
}

TEST(Scalar, ReadsOnlyTrueAndFalseAsBooleans) {
  EXPECT_EQ(value_of("true"), Value(true));
  EXPECT_EQ(value_of("false"), Value(false));
  EXPECT_EQ(value_of("y"), Value("y"));
  EXPECT_EQ(value_of("n"), Value("n"));
}

TEST(Scalar, ReadsEverythingElseAsText) {
  for (const char* text : {"f32", "row", "inf", "nan", "-inf", "-", "+", ".", "..", "e5m2", "x0x1",
                           "-x", "trueish", "none", "O1"}) {
    EXPECT_EQ(value_of(text), Value(text));
  }
}

struct Refused {
  const char* text;
  const char* why;
};

class ScalarRefuses : public testing::TestWithParam<Refused> {};

TEST_P(ScalarRefuses, WithItsReason) {
  EXPECT_EQ(read_plain_scalar(GetParam().text).refusal, GetParam().why);
}

const Refused kRefused[] = {
    {"010", "'010' is ambiguous, it is 8 to readers that take it as octal; write 10 or 8"},
    {"-010", "'-010' is ambiguous, it is -8 to readers that take it as octal; write -10 or -8"},
    {"08", "'08' has a leading zero; write 8"},
    {"007", "'007' has a leading zero; write 7"},
    {"00", "'00' has a leading zero; write 0"},
    {"0o17", "'0o17' is octal, which is not supported; write 15"},
    {"0b11", "'0b11' is neither a number nor a name; quote it if it is text"},
    {"1_000", "'1_000' is neither a number nor a name; quote it if it is text"},
    {"1,000", "'1,000' is neither a number nor a name; quote it if it is text"},
    {"0x", "'0x' is neither a number nor a name; quote it if it is text"},
    {"0x-5", "'0x-5' is neither a number nor a name; quote it if it is text"},
    {"0o-7", "'0o-7' is neither a number nor a name; quote it if it is text"},
    {"0x1p3", "'0x1p3' is neither a number nor a name; quote it if it is text"},
    {"0xfffffffffffffffff", "'0xfffffffffffffffff' does not fit a 64-bit integer"},
    {"9223372036854775808", "'9223372036854775808' does not fit a 64-bit integer"},
    {"1e999", "'1e999' does not fit a 64-bit real"},
    {"01.5", "'01.5' is neither a number nor a name; quote it if it is text"},
    {"1.2.3", "'1.2.3' is neither a number nor a name; quote it if it is text"},
    {"1e", "'1e' is neither a number nor a name; quote it if it is text"},
    {"12:30", "'12:30' is neither a number nor a name; quote it if it is text"},
    {"2020-01-01", "'2020-01-01' is neither a number nor a name; quote it if it is text"},
    {"10min", "'10min' is neither a number nor a name; quote it if it is text"},
    {"1 2", "'1 2' is neither a number nor a name; quote it if it is text"},
    {".inf", "'.inf' is not finite, expected a finite number"},
    {"-.INF", "'-.INF' is not finite, expected a finite number"},
    {".nan", "'.nan' is not finite, expected a finite number"},
    {"yes", "'yes' is ambiguous, expected true or false; quote it if it is text"},
    {"No", "'No' is ambiguous, expected true or false; quote it if it is text"},
    {"on", "'on' is ambiguous, expected true or false; quote it if it is text"},
    {"OFF", "'OFF' is ambiguous, expected true or false; quote it if it is text"},
    {"True", "'True' is ambiguous, expected true or false; quote it if it is text"},
};

INSTANTIATE_TEST_SUITE_P(Texts, ScalarRefuses, testing::ValuesIn(kRefused));

TEST(Scalar, DescribesValuesWithTheirType) {
  EXPECT_EQ(describe_value(Value(5)), "the integer 5");
  EXPECT_EQ(describe_value(Value(0.5)), "the real 0.5");
  EXPECT_EQ(describe_value(Value(true)), "the boolean true");
  EXPECT_EQ(describe_value(Value("x")), "the string 'x'");
}

}  // namespace
}  // namespace warpwright
