#include "trial/numbers/dtype.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "common/reference.h"

namespace warpwright {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(DTypeTest, NamesRoundTrip) {
  for (const char* name : {"f64", "f32", "f16", "bf16", "i64", "u64", "i32", "u32", "i16", "u16",
                           "i8", "u8", "e4m3", "e5m2"}) {
    ASSERT_TRUE(parse_dtype(name).has_value()) << name;
    EXPECT_EQ(dtype_name(*parse_dtype(name)), name);
  }
  EXPECT_EQ(parse_dtype("bool"), DType::kU8);
  EXPECT_FALSE(parse_dtype("f8").has_value());
}

TEST(DTypeTest, EveryF16RoundTrips) {
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    const auto half = static_cast<std::uint16_t>(bits);
    const double value = from_f16(half);
    if (std::isnan(value)) continue;
    ASSERT_EQ(to_f16(value), half) << bits;
  }
}

TEST(DTypeTest, EveryBf16RoundTrips) {
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    const auto brain = static_cast<std::uint16_t>(bits);
    const double value = from_bf16(brain);
    if (std::isnan(value)) continue;
    ASSERT_EQ(to_bf16(value), brain) << bits;
  }
}

TEST(DTypeTest, EveryFp8RoundTrips) {
  for (std::uint32_t bits = 0; bits < 0x100; ++bits) {
    const auto byte = static_cast<std::uint8_t>(bits);
    if (!std::isnan(from_e4m3(byte))) {
      EXPECT_EQ(to_e4m3(from_e4m3(byte)), byte) << bits;
    }
    if (!std::isnan(from_e5m2(byte))) {
      EXPECT_EQ(to_e5m2(from_e5m2(byte)), byte) << bits;
    }
  }
}

// A reference must receive the same numbers as the kernel.
TEST(DTypeTest, ReferencesReadEveryByteAsTheTunerWroteIt) {
  const auto same = [](double left, double right) {
    return left == right || (std::isnan(left) && std::isnan(right));
  };
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    const auto wide = static_cast<std::uint16_t>(bits);
    ASSERT_PRED2(same, ww::from_f16(wide), from_f16(wide)) << bits;
    ASSERT_PRED2(same, ww::from_bf16(wide), from_bf16(wide)) << bits;
    const auto byte = static_cast<std::uint8_t>(bits);
    ASSERT_PRED2(same, ww::from_e4m3(byte), from_e4m3(byte)) << bits;
    ASSERT_PRED2(same, ww::from_e5m2(byte), from_e5m2(byte)) << bits;
  }
}

TEST(DTypeTest, Bf16AgreesWithTheUpperHalfOfFloats) {
  for (const float value : {1.0f, -3.14159f, 1e-40f, 65504.0f, 3e38f}) {
    std::uint32_t bits;
    std::memcpy(&bits, &value, 4);
    const std::uint32_t rounded = (bits + 0x7FFF + ((bits >> 16) & 1)) >> 16;
    EXPECT_EQ(to_bf16(value), rounded) << value;
  }
}

TEST(DTypeTest, TiesGoToEven) {
  EXPECT_EQ(from_f16(to_f16(2049)), 2048);  // halfway between 2048 and 2050
  EXPECT_EQ(from_f16(to_f16(2051)), 2052);
  EXPECT_EQ(from_bf16(to_bf16(257)), 256);
  EXPECT_EQ(from_bf16(to_bf16(259)), 260);
  EXPECT_EQ(from_e4m3(to_e4m3(17)), 16);
  EXPECT_EQ(from_e4m3(to_e4m3(19)), 20);
}

TEST(DTypeTest, DoubleRoundingIsAvoided) {
  // Above the tie by less than a float can hold: rounding through f32 would give 2048.
  EXPECT_EQ(from_f16(to_f16(2049.0000001)), 2050);
}

TEST(DTypeTest, SubnormalsAreKept) {
  EXPECT_EQ(to_f16(std::ldexp(1.0, -24)), 1);
  EXPECT_EQ(to_f16(std::ldexp(1.0, -25)), 0);  // a tie with 0
  EXPECT_EQ(to_f16(std::ldexp(1.001, -25)), 1);
  EXPECT_EQ(to_f16(std::ldexp(1.0, -80)), 0);
  EXPECT_EQ(to_e4m3(std::ldexp(1.0, -9)), 1);
  EXPECT_EQ(to_e5m2(std::ldexp(1.0, -16)), 1);
}

TEST(DTypeTest, OverflowGoesWhereTheFormatSays) {
  EXPECT_EQ(from_f16(to_f16(65519)), 65504);
  EXPECT_EQ(from_f16(to_f16(65520)), kInfinity);
  EXPECT_EQ(from_bf16(to_bf16(-1e39)), -kInfinity);
  EXPECT_EQ(from_e4m3(to_e4m3(1000)), 448);
  EXPECT_EQ(from_e4m3(to_e4m3(-kInfinity)), -448);
  EXPECT_EQ(from_e5m2(to_e5m2(1e9)), 57344);
  EXPECT_EQ(from_e5m2(to_e5m2(kInfinity)), kInfinity);
}

TEST(DTypeTest, NanStaysNan) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(std::isnan(from_f16(to_f16(nan))));
  EXPECT_TRUE(std::isnan(from_bf16(to_bf16(nan))));
  EXPECT_TRUE(std::isnan(from_e4m3(to_e4m3(nan))));
  EXPECT_TRUE(std::isnan(from_e5m2(to_e5m2(nan))));
}

TEST(DTypeTest, IntegersSaturateAndDropNan) {
  std::int64_t wide = 0;
  store_element(DType::kI64, &wide, 0, 1e300);
  EXPECT_EQ(wide, std::numeric_limits<std::int64_t>::max());
  store_element(DType::kI64, &wide, 0, -1e300);
  EXPECT_EQ(wide, std::numeric_limits<std::int64_t>::min());
  std::uint8_t narrow[2] = {7, 7};
  store_element(DType::kU8, narrow, 0, -3);
  store_element(DType::kU8, narrow, 1, 300);
  EXPECT_EQ(narrow[0], 0);
  EXPECT_EQ(narrow[1], 255);
  store_element(DType::kU8, narrow, 0, std::nan(""));
  EXPECT_EQ(narrow[0], 0);
}

}  // namespace
}  // namespace warpwright
