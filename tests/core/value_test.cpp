#include "core/expr/value.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/error_text.h"

namespace warpwright {
namespace {

using testing::error_text;

TEST(Value, PrintsEachTypeSoThatItReadsBack) {
  EXPECT_EQ(Value(3).to_string(), "3");
  EXPECT_EQ(Value(-3).to_string(), "-3");
  EXPECT_EQ(Value(0.5).to_string(), "0.5");
  EXPECT_EQ(Value(2.0).to_string(), "2.0");
  EXPECT_EQ(Value(1e-7).to_string(), "1e-07");
  EXPECT_EQ(Value(1e300).to_string(), "1e+300");
  EXPECT_EQ(Value(true).to_string(), "true");
  EXPECT_EQ(Value("row").to_string(), "row");
}

TEST(Value, EqualityKeepsTheTypesApart) {
  EXPECT_NE(Value(1), Value(1.0));
  EXPECT_NE(Value(1), Value(true));
  EXPECT_NE(Value("1"), Value(1));
  EXPECT_EQ(Value("a"), Value(std::string("a")));
}

TEST(Value, OrderIsByTypeThenByValue) {
  EXPECT_LT(Value(true), Value(-5));
  EXPECT_LT(Value(100), Value(0.5));
  EXPECT_LT(Value(9.5), Value("a"));
  EXPECT_LT(Value(2), Value(10));
}

TEST(Value, NumbersConvertAndStringsDoNot) {
  EXPECT_EQ(Value(true).as_integer(), 1);
  EXPECT_EQ(Value(3).as_real(), 3.0);
  EXPECT_TRUE(Value(0.5).as_bool());
  EXPECT_FALSE(Value(0).as_bool());
  EXPECT_THROW((void)Value("1").as_integer(), Error);
  EXPECT_THROW((void)Value(1.0).as_integer(), Error);
  EXPECT_THROW((void)Value("x").as_bool(), Error);
  EXPECT_THROW((void)Value(1).as_string(), Error);
}

TEST(Value, JsonKeepsTheFourTypes) {
  for (const Value& value : {Value(true), Value(-7), Value(2.0), Value("row"), Value(INT64_MIN)}) {
    const nlohmann::json written = value;
    EXPECT_EQ(nlohmann::json::parse(written.dump()).get<Value>(), value) << written;
  }
}

TEST(Value, JsonThatIsNoValueIsTheUsersFault) {
  const auto read = [](const char* text) { (void)nlohmann::json::parse(text).get<Value>(); };
  EXPECT_EQ(error_text([&] { read("null"); }),
            "expected a bool, an integer, a real or a string, got null");
  EXPECT_EQ(error_text([&] { read("[1]"); }),
            "expected a bool, an integer, a real or a string, got array");
  EXPECT_EQ(error_text([&] { read("{}"); }),
            "expected a bool, an integer, a real or a string, got object");
  EXPECT_EQ(error_text([&] { read("18446744073709551615"); }),
            "the number 18446744073709551615 does not fit 64 bits");
}

}  // namespace
}  // namespace warpwright
