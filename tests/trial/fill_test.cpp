#include "trial/numbers/fill.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "core/error.h"

namespace warpwright {
namespace {

using ::testing::ElementsAre;

std::vector<float> fill(const std::string& text, std::vector<std::int64_t> shape, int threads = 1,
                        std::uint64_t seed = 1) {
  Environment sizes;
  sizes.set("V", 8);
  std::size_t elements = 1;
  for (const std::int64_t extent : shape) elements *= static_cast<std::size_t>(extent);
  std::vector<float> values(elements);
  Fill::parse(text, {}, sizes)
      .generate({DType::kF32, std::move(shape), "x", seed},
                std::as_writable_bytes(std::span(values)), threads);
  return values;
}

std::string error_of(const std::string& text) {
  Environment sizes;
  sizes.set("V", 8);
  try {
    (void)Fill::parse(text, {"k.yaml", 3, 10}, sizes);
  } catch (const Error& error) {
    return error.message();
  }
  return "no error";
}

TEST(FillTest, PlainSources) {
  EXPECT_THAT(fill("zeros", {2}), ElementsAre(0, 0));
  EXPECT_THAT(fill("ones()", {2}), ElementsAre(1, 1));
  EXPECT_THAT(fill("constant(-2.5)", {2}), ElementsAre(-2.5, -2.5));
  EXPECT_THAT(fill("sequence(1, 0.5)", {2, 2}), ElementsAre(1, 1.5, 2, 2.5));
  EXPECT_THAT(fill("descending(10, 2)", {2, 3}), ElementsAre(10, 8, 6, 10, 8, 6));
}

TEST(FillTest, NumbersAreExpressionsOverSizes) {
  EXPECT_THAT(fill("constant(V * 2 + max(1, 3))", {1}), ElementsAre(19));
  for (const float value : fill("integers(0, V - 1)", {1000})) {
    EXPECT_GE(value, 0);
    EXPECT_LE(value, 7);
    EXPECT_EQ(value, std::floor(value));
  }
}

TEST(FillTest, IntegersReachBothEnds) {
  const std::vector<float> values = fill("integers(-1, 1)", {100});
  for (const float end : {-1.0f, 0.0f, 1.0f})
    EXPECT_NE(std::count(values.begin(), values.end(), end), 0);
}

TEST(FillTest, UniformStaysInRange) {
  for (const float value : fill("uniform(2, 3)", {1000})) {
    EXPECT_GE(value, 2);
    EXPECT_LE(value, 3);
  }
}

TEST(FillTest, StripesAreHighAlongTheLastAxis) {
  const std::vector<float> values = fill("stripe(4, 1, 100, 0)", {2, 10});
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i % 10 % 4 == 1) {
      EXPECT_NEAR(values[i], 100, 1) << i;
    } else {
      EXPECT_LT(std::fabs(values[i]), 9) << i;
    }
  }
}

TEST(FillTest, ModifiersPlantSpecialValues) {
  const std::vector<float> values = fill(
      "normal(0, 1) with nan(0.1) with inf(0.1) with neg_inf(0.1) with value(-0.0, 0.1)", {10'000});
  int nans = 0, infinities = 0, negative = 0, zeros = 0;
  for (const float value : values) {
    nans += std::isnan(value);
    infinities += std::isinf(value) && value > 0;
    negative += std::isinf(value) && value < 0;
    zeros += value == 0 && std::signbit(value);
  }
  EXPECT_NEAR(nans, 729, 120);  // 0.1 * 0.9 * 0.9 * 0.9: later modifiers replace earlier ones
  EXPECT_NEAR(infinities, 810, 120);
  EXPECT_NEAR(negative, 900, 120);
  EXPECT_NEAR(zeros, 1000, 120);
}

TEST(FillTest, RowsAndSingleElements) {
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_THAT(fill("zeros with row(1, -inf) with at(0, 5) + at(-1, 7)", {3, 2}),
              ElementsAre(5, 0, -infinity, -infinity, 0, 7));
  EXPECT_THAT(fill("zeros with row(-1, 1)", {2, 2}), ElementsAre(0, 0, 1, 1));
}

TEST(FillTest, ContentDoesNotDependOnThreads) {
  const std::vector<std::int64_t> shape{300'001};
  const std::vector<float> one = fill("normal(1, 2) with inf(0.01)", shape, 1);
  EXPECT_EQ(one, fill("normal(1, 2) with inf(0.01)", shape, 3));
  EXPECT_NE(one, fill("normal(1, 2) with inf(0.01)", shape, 1, 2));
}

TEST(FillTest, NarrowTypesAreRounded) {
  std::vector<std::uint16_t> values(2);
  Fill::parse("choice(2049)", {}, Environment())
      .generate({DType::kF16, {2}, "x", 1}, std::as_writable_bytes(std::span(values)));
  EXPECT_EQ(from_f16(values[0]), 2048);
}

TEST(FillTest, TextIsCanonical) {
  Environment sizes;
  sizes.set("V", 8);
  EXPECT_EQ(Fill::parse(" integers( 0 ,V-1 )with row( 0,-inf)", {}, sizes).to_string(),
            "integers(0, 7) with row(0, -inf)");
}

TEST(FillErrorTest, UnknownNamesAreSuggested) {
  EXPECT_EQ(error_of("norml(0, 1)"), "k.yaml:3:10: unknown fill 'norml'; did you mean 'normal'?");
  EXPECT_EQ(error_of("zeros with rwo(0, 1)"),
            "k.yaml:3:21: unknown fill modifier 'rwo'; did you mean 'row'?");
}

TEST(FillErrorTest, WrongCounts) {
  EXPECT_EQ(error_of("normal(0)"),
            "k.yaml:3:10: 'normal' takes 2 numbers: normal(mean, stddev); got 1");
  EXPECT_EQ(error_of("choice()"),
            "k.yaml:3:10: 'choice' takes at least 1 number: choice(a, b, ...); got 0");
  EXPECT_EQ(error_of("zeros with nan"), "k.yaml:3:21: 'nan' takes 1 number: nan(fraction); got 0");
}

TEST(FillErrorTest, BadNumbers) {
  EXPECT_EQ(error_of("normal(0, -1)"),
            "k.yaml:3:10: normal(0, -1): the standard deviation must be at least 0");
  EXPECT_EQ(error_of("uniform(2, 1)"),
            "k.yaml:3:10: uniform(2, 1): the lower end must not be above the upper");
  EXPECT_EQ(error_of("integers(0, 0.5)"),
            "k.yaml:3:10: integers(0, 0.5): both ends must be integers");
  EXPECT_EQ(error_of("stripe(0, 0, 1, 0)"),
            "k.yaml:3:10: stripe(0, 0, 1, 0): the period must be an integer of at least 1");
  EXPECT_EQ(error_of("stripe(1e20, 0, 1, 0)"),
            "k.yaml:3:10: stripe(1e+20, 0, 1, 0): period and offset must lie within 2^53");
  EXPECT_EQ(error_of("integers(-1e300, 1e300)"),
            "k.yaml:3:10: integers(-1e+300, 1e+300): both ends must lie within 2^53");
  EXPECT_EQ(error_of("zeros with nan(2)"),
            "k.yaml:3:25: nan: the fraction must lie between 0 and 1, got 2");
}

TEST(FillErrorTest, BrokenSyntax) {
  EXPECT_EQ(error_of("normal(0, 1"),
            "k.yaml:3:16: in fill 'normal(0, 1': this '(' is never closed");
  EXPECT_EQ(
      error_of("zeros and ones"),
      "k.yaml:3:16: in fill 'zeros and ones': expected 'with' and a modifier, got 'and ones'");
  EXPECT_EQ(error_of("zeros with"),
            "k.yaml:3:20: in fill 'zeros with': expected a name such as normal, got the end");
}

TEST(FillErrorTest, UnknownSizesAreTheExpressionsFault) {
  EXPECT_THAT(error_of("constant(W)"), ::testing::HasSubstr("k.yaml:3:19: unknown name 'W'"));
}

TEST(FillErrorTest, RowsOutsideOfTheShape) {
  try {
    (void)fill("zeros with row(3, 1)", {3, 2});
    FAIL() << "expected an Error";
  } catch (const Error& error) {
    EXPECT_EQ(error.message(), "row(3, 1) lies outside argument 'x', which has 3 rows");
  }
}

TEST(FillTest, AShuffledRangeIsAPermutation) {
  for (const std::int64_t count : {1, 2, 3, 5, 16, 17, 1000, 4097, 100000}) {
    std::vector<float> values = fill("shuffled_range", {count}, 2);
    std::sort(values.begin(), values.end());
    for (std::int64_t i = 0; i < count; ++i)
      ASSERT_EQ(values[static_cast<std::size_t>(i)], static_cast<float>(i)) << count;
  }
}

TEST(FillTest, AShuffledRangeIsShuffledAnewForEachSeed) {
  const std::vector<float> first = fill("shuffled_range", {1000}, 1, 1);
  EXPECT_EQ(first, fill("shuffled_range", {1000}, 4, 1));
  EXPECT_NE(first, fill("shuffled_range", {1000}, 1, 2));
  int fixed = 0;
  int neighbours = 0;
  for (std::size_t i = 0; i + 1 < first.size(); ++i) {
    fixed += first[i] == static_cast<float>(i) ? 1 : 0;
    neighbours += std::fabs(first[i + 1] - first[i]) == 1 ? 1 : 0;
  }
  // In a random permutation one element is expected to stay and two pairs to be neighbours.
  EXPECT_LT(fixed, 10);
  EXPECT_LT(neighbours, 15);
}

TEST(FillTest, AShuffledRangeNeedsATypeThatHoldsIt) {
  const auto error = [](DType dtype, std::int64_t elements) -> std::string {
    std::vector<std::byte> out(static_cast<std::size_t>(elements) * dtype_size(dtype));
    try {
      Fill::parse("shuffled_range", {"k.yaml", 3, 10}, Environment())
          .generate({dtype, {elements}, "order", 1}, out);
    } catch (const Error& caught) {
      return caught.message();
    }
    return "no error";
  };
  EXPECT_EQ(error(DType::kU8, 256), "no error");
  EXPECT_EQ(error(DType::kU8, 257),
            "k.yaml:3:10: shuffled_range: argument 'order' has 257 elements, but u8 does not hold "
            "every number below that; choose a wider type");
  EXPECT_EQ(error(DType::kBf16, 257), "no error");
  EXPECT_EQ(
      error(DType::kBf16, 258),
      "k.yaml:3:10: shuffled_range: argument 'order' has 258 elements, but bf16 does not hold "
      "every number below that; choose a wider type");
  EXPECT_EQ(error_of("shuffled_range(3)"),
            "k.yaml:3:10: 'shuffled_range' takes 0 numbers: shuffled_range; got 1");
}

TEST(FillTest, AMisspeltFileIsSuggested) {
  EXPECT_EQ(error_of("flie(\"a.npy\")"), "k.yaml:3:10: unknown fill 'flie'; did you mean 'file'?");
}

}  // namespace
}  // namespace warpwright
