// Inputs made from others.
#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "core/error.h"
#include "support/input_files.h"
#include "trial/data/input_content.h"

namespace warpwright::testing {
namespace {

using ::testing::ElementsAre;

constexpr float kNotANumber = std::numeric_limits<float>::quiet_NaN();

struct Derived {
  FillKind kind;
  DType from;
  DType to;
  std::vector<std::int64_t> from_shape;
  std::vector<std::int64_t> to_shape;
};

std::vector<std::byte> derive(const Derived& what, const std::string& content) {
  std::size_t bytes = dtype_size(what.to);
  for (const std::int64_t extent : what.to_shape) bytes *= static_cast<std::size_t>(extent);
  std::vector<std::byte> out(bytes);
  derive_input(what.kind, {"x", what.from, what.from_shape}, std::as_bytes(std::span(content)),
               {"y", what.to, what.to_shape}, out);
  return out;
}

std::string derive_error(const Derived& what, const std::string& content) {
  try {
    static_cast<void>(derive(what, content));
  } catch (const Error& error) {
    return error.message();
  }
  return "no error";
}

TEST(DerivedFill, ACopyMayHaveAnotherShape) {
  const std::string content = bytes_of<float>({1, -2, 3, 4});
  EXPECT_THAT(numbers_of<float>(
                  derive({FillKind::kCopyOf, DType::kF32, DType::kF32, {4}, {2, 2}}, content)),
              ElementsAre(1, -2, 3, 4));
  EXPECT_EQ(derive_error({FillKind::kCopyOf, DType::kF32, DType::kI32, {4}, {4}}, content),
            "a copy has the type and the number of elements of what it copies; 'y' is i32 [4] and "
            "'x' is f32 [4]");
  EXPECT_EQ(derive_error({FillKind::kCopyOf, DType::kF32, DType::kF32, {4}, {5}}, content),
            "a copy has the type and the number of elements of what it copies; 'y' is f32 [5] and "
            "'x' is f32 [4]");
}

TEST(DerivedFill, OffsetsAreSumsOfWhatIsBefore) {
  const std::string lengths = bytes_of<std::int32_t>({3, 0, 5});
  EXPECT_THAT(numbers_of<std::int32_t>(
                  derive({FillKind::kPrefixSum, DType::kI32, DType::kI32, {3}, {4}}, lengths)),
              ElementsAre(0, 3, 3, 8));
  EXPECT_THAT(numbers_of<std::int64_t>(
                  derive({FillKind::kPrefixSum, DType::kI32, DType::kI64, {3}, {3}}, lengths)),
              ElementsAre(0, 3, 3));
}

TEST(DerivedFill, OffsetsAreIntegersThatFit) {
  const std::string lengths = bytes_of<std::int32_t>({200, 100, 5});
  EXPECT_EQ(derive_error({FillKind::kPrefixSum, DType::kI32, DType::kU8, {3}, {4}}, lengths),
            "prefix_sum: element 2 of argument 'y' is 300, which u8 cannot hold (0 to 255); choose "
            "a wider type or smaller terms");
  EXPECT_EQ(derive_error({FillKind::kPrefixSum, DType::kI32, DType::kF32, {3}, {4}}, lengths),
            "prefix_sum is of integers; 'y' is f32 [4] and 'x' is i32 [3]");
  EXPECT_EQ(derive_error({FillKind::kPrefixSum, DType::kI32, DType::kI32, {3}, {5}}, lengths),
            "prefix_sum has as many elements as what it sums, or one more; 'y' is i32 [5] and 'x' "
            "is i32 [3]");
  const std::string huge = bytes_of<std::uint64_t>({~0ULL, 1});
  EXPECT_EQ(derive_error({FillKind::kPrefixSum, DType::kU64, DType::kU64, {2}, {3}}, huge),
            "prefix_sum: element 2 of argument 'y' is 18446744073709551616, which u64 cannot hold "
            "(0 to 18446744073709551615); choose a wider type or smaller terms");
}

TEST(DerivedFill, SortedAscendsAlongTheLastAxis) {
  const std::string content =
      bytes_of<float>({3, kNotANumber, -1, 0.5F, std::numeric_limits<float>::infinity(), 0});
  const std::vector<float> sorted = numbers_of<float>(
      derive({FillKind::kSorted, DType::kF32, DType::kF32, {2, 3}, {2, 3}}, content));
  EXPECT_THAT(std::vector<float>(sorted.begin(), sorted.begin() + 2), ElementsAre(-1, 3));
  EXPECT_TRUE(std::isnan(sorted[2]));
  EXPECT_THAT(std::vector<float>(sorted.begin() + 3, sorted.end()),
              ElementsAre(0, 0.5F, std::numeric_limits<float>::infinity()));
  EXPECT_EQ(derive_error({FillKind::kSorted, DType::kF32, DType::kF32, {2, 3}, {6}}, content),
            "sorted has the type and the shape of what it sorts; 'y' is f32 [6] and 'x' is f32 [2, "
            "3]");
}

TEST(DerivedFill, WideIntegersAreSortedExactly) {
  const std::int64_t large = (std::int64_t{1} << 60) + 1;
  const std::string content = bytes_of<std::int64_t>({large, large - 1, -large});
  EXPECT_THAT(numbers_of<std::int64_t>(
                  derive({FillKind::kSorted, DType::kI64, DType::kI64, {3}, {3}}, content)),
              ElementsAre(-large, large - 1, large));
}

TEST(DerivedFill, EqualElementsKeepTheirOrder) {
  const std::string content = bytes_of<std::int8_t>({5, 1, 5, 1, 9, 9});
  EXPECT_THAT(numbers_of<std::uint16_t>(
                  derive({FillKind::kArgsort, DType::kI8, DType::kU16, {2, 3}, {2, 3}}, content)),
              ElementsAre(1, 0, 2, 0, 1, 2));
}

TEST(DerivedFill, IndicesAreIntegersThatFit) {
  const std::string content(300, 'x');
  EXPECT_EQ(
      derive_error({FillKind::kArgsort, DType::kI8, DType::kU8, {300}, {300}}, content),
      "argsort: element 256 of argument 'y' is 256, which u8 cannot hold (0 to 255); choose a "
      "wider type");
  EXPECT_EQ(derive_error({FillKind::kArgsort, DType::kI8, DType::kF32, {300}, {300}}, content),
            "argsort holds indices, which are integers; 'y' is f32 [300] and 'x' is i8 [300]");
}

}  // namespace
}  // namespace warpwright::testing
