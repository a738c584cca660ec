// The allowance for sums must distinguish rounding from mistakes: sums of normal products in every
// order pass, and sums that lose a product, or add in a narrower type than declared, do not.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <numeric>
#include <random>

#include "trial/compare/validate.h"

namespace warpwright {
namespace {

using ::testing::HasSubstr;

using Products = std::vector<double>;  // each exact: of two f32
// A way of adding, with some order and precision.
using Sum = std::function<double(Products)>;

constexpr std::size_t kRows = 4;
constexpr std::size_t kColumns = 64;

float normal(std::mt19937_64& bits) {
  const auto uniform = [&] { return (static_cast<double>(bits() >> 11) + 0.5) * 0x1p-53; };
  return static_cast<float>(std::sqrt(-2 * std::log(uniform())) *
                            std::cos(2 * std::numbers::pi * uniform()));
}

double round_to(DType dtype, double value) {
  std::byte bytes[8];
  store_element(dtype, bytes, 0, value);
  return load_element(dtype, bytes, 0);
}

Sum one_by_one(DType accumulator) {
  return [accumulator](const Products& products) {
    double sum = 0;
    for (const double product : products) sum = round_to(accumulator, sum + product);
    return sum;
  };
}

double in_f32(const Products& products) { return one_by_one(DType::kF32)(products); }

double backwards(Products products) {
  std::reverse(products.begin(), products.end());
  return in_f32(products);
}

double ascending(Products products) {
  std::sort(products.begin(), products.end());
  return in_f32(products);
}

double smallest_first(Products products) {
  std::sort(products.begin(), products.end(),
            [](double a, double b) { return std::fabs(a) < std::fabs(b); });
  return in_f32(products);
}

double largest_first(Products products) {
  std::sort(products.begin(), products.end(),
            [](double a, double b) { return std::fabs(a) > std::fabs(b); });
  return in_f32(products);
}

// A product rounded before it is added, as without fused multiply-adds.
double unfused(Products products) {
  for (double& product : products) product = round_to(DType::kF32, product);
  return in_f32(products);
}

// Adds in the lanes of a warp, then in a tree.
double in_lanes(const Products& products) {
  Products lanes(32, 0.0);
  for (std::size_t i = 0; i < products.size(); ++i)
    lanes[i % 32] = round_to(DType::kF32, lanes[i % 32] + products[i]);
  for (std::size_t half = 16; half > 0; half /= 2)
    for (std::size_t i = 0; i < half; ++i)
      lanes[i] = round_to(DType::kF32, lanes[i] + lanes[i + half]);
  return lanes[0];
}

// The verdict on rows of sums of `terms` products of factors whose mean is `mean`.
std::string verdict(std::size_t terms, DType output, const Sum& sum, double mean = 0,
                    std::optional<DType> accumulator = {}) {
  std::mt19937_64 bits(terms);
  const std::size_t count = kRows * kColumns;
  std::vector<double> expected(count);
  std::vector<std::byte> got(count * dtype_size(output));
  for (std::size_t i = 0; i < count; ++i) {
    Products products(terms);
    const auto factor = [&] { return static_cast<float>(normal(bits) + mean); };
    for (double& product : products) product = static_cast<double>(factor()) * factor();
    expected[i] = std::accumulate(products.begin(), products.end(), 0.0);
    store_element(output, got.data(), i, sum(std::move(products)));
  }
  const std::vector<std::int64_t> units{0};
  OutputView view;
  view.name = "c";
  view.dtype = output;
  view.shape = {kRows, kColumns};
  view.unit_elements = static_cast<std::int64_t>(count);
  view.units = units;
  view.got = got;
  view.expected = expected;
  view.accumulate =
      SumRounding{static_cast<double>(terms), accumulator.value_or(usual_accumulator(output))};
  return check_output(view, {}).failure;
}

TEST(SumRounding, SumsOfNormalProductsPassInEveryOrder) {
  const std::pair<const char*, Sum> orders[] = {{"forwards", in_f32},
                                                {"backwards", backwards},
                                                {"ascending", ascending},
                                                {"smallest first", smallest_first},
                                                {"largest first", largest_first},
                                                {"unfused", unfused},
                                                {"in lanes", in_lanes}};
  for (const std::size_t terms : {1u, 2u, 16u, 256u, 4096u}) {
    for (const auto& [name, sum] : orders)
      EXPECT_EQ(verdict(terms, DType::kF32, sum), "") << name << ", " << terms;
  }
}

TEST(SumRounding, ProductsOfAMeanFarFromZeroPassToo) {
  // Then the sums are as large as the sums of the products' absolute values.
  EXPECT_EQ(verdict(4096, DType::kF32, in_f32, 8), "");
}

TEST(SumRounding, ALostProductFails) {
  const auto lossy = [](Products products) {
    products.pop_back();
    return in_f32(products);
  };
  for (const std::size_t terms : {2u, 64u, 1024u}) {
    EXPECT_NE(verdict(terms, DType::kF32, lossy), "") << terms;
    EXPECT_NE(verdict(terms, DType::kF16, lossy), "") << terms;
    EXPECT_NE(verdict(terms, DType::kBf16, lossy), "") << terms;
  }
}

TEST(SumRounding, NarrowerAccumulatorsFailUnlessTheContractNamesThem) {
  for (const DType narrow : {DType::kBf16, DType::kF16}) {
    for (const std::size_t terms : {64u, 1024u, 4096u}) {
      EXPECT_NE(verdict(terms, DType::kF32, one_by_one(narrow)), "") << terms;
      EXPECT_EQ(verdict(terms, DType::kF32, one_by_one(narrow), 0, narrow), "") << terms;
    }
  }
  EXPECT_NE(verdict(1024, DType::kF64, in_f32), "");
  EXPECT_EQ(verdict(1024, DType::kF64, in_f32, 0, DType::kF32), "");
}

TEST(SumRounding, OneRoundingToTheOutputsTypeIsAllowed) {
  for (const DType output : {DType::kF16, DType::kBf16, DType::kE4m3, DType::kE5m2}) {
    EXPECT_EQ(verdict(256, output, in_f32), "") << dtype_name(output);
  }
  // Adds in bf16 for a bf16 output.
  EXPECT_NE(verdict(1024, DType::kBf16, one_by_one(DType::kBf16)), "");
}

TEST(SumRounding, TheScaleIsThatOfTheRowOrOfEverythingWhereRowsAreShort) {
  const std::vector<double> expected{100, 1e-3};
  const std::vector<float> got{100, 1.001e-3f};
  const std::vector<std::int64_t> units{0, 1};
  OutputView view;
  view.name = "c";
  view.shape = {2, 1};
  view.unit_elements = 1;
  view.units = units;
  view.got = std::as_bytes(std::span(got));
  view.expected = expected;
  view.accumulate = SumRounding{1024, DType::kF32};
  // A sum of 1e-3 among sums of 100 is the result of cancellation.
  EXPECT_EQ(check_output(view, {}).failure, "");
  const std::vector<float> far{100, 0.1f};
  view.got = std::as_bytes(std::span(far));
  EXPECT_THAT(check_output(view, {}).failure,
              HasSubstr("error 0.099 exceeds the allowed 0.0173 (the RMS of all that was checked "
                        "is 70.7); 1 of 2 checked elements are wrong by at most 5.8 times what is "
                        "allowed; the smallest tolerance that passes is abs 0.082, accumulate 1024 "
                        "(given accumulate 1024)"));
}

TEST(SumRounding, TheBoundIsThatOfHighamAndMary) {
  const SumRounding sum{1024, DType::kF32};
  const RoundingAllowance allowed = allowed_rounding(sum, DType::kF32, 3);
  // About 4 sqrt(n) u sqrt(n) RMS, plus the output's own rounding.
  EXPECT_NEAR(allowed.abs, 4 * 1024 * 0x1p-24 * 3, 1e-6);
  EXPECT_EQ(allowed.rel, 0x1p-24);
  EXPECT_EQ(allowed_rounding(sum, DType::kF16, 0).abs, 0x1p-25);
  EXPECT_EQ(usual_accumulator(DType::kF64), DType::kF64);
  EXPECT_EQ(usual_accumulator(DType::kBf16), DType::kF32);
}

}  // namespace
}  // namespace warpwright
