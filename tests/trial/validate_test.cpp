#include "trial/compare/validate.h"

#include <gmock/gmock.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "trial/numbers/poison.h"

namespace warpwright {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
const double kNan = std::numeric_limits<double>::quiet_NaN();

template <typename T>
struct Case {
  std::vector<T> got;
  std::vector<double> expected;
  OutputView view;
  Scorer score;

  OutputVerdict check() {
    units = {0};
    view.name = "out";
    if (view.shape.empty()) view.shape = {static_cast<std::int64_t>(got.size())};
    if (view.unit_elements == 0) view.unit_elements = static_cast<std::int64_t>(got.size());
    if (view.units.empty()) view.units = units;
    view.got = std::as_bytes(std::span(got));
    view.expected = expected;
    return check_output(view, score);
  }
  std::vector<std::int64_t> units;
};

Case<float> floats(std::vector<float> got, std::vector<double> expected) {
  Case<float> test{std::move(got), std::move(expected), {}, {}, {}};
  test.view.tolerance_abs = 0.1;
  return test;
}

Case<std::int32_t> ranked(std::vector<std::int32_t> got, std::vector<double> expected) {
  Case<std::int32_t> test{std::move(got), std::move(expected), {}, {}, {}};
  test.view.dtype = DType::kI32;
  test.view.match = Match::kRanked;
  test.score = [](std::int64_t, std::int64_t index) {
    const double scores[] = {1, 2, 2, 3};  // 1 and 2 tie
    return index >= 0 && index < 4 ? scores[index] : kNan;
  };
  return test;
}

TEST(ValidateTest, ErrorsWithinToleranceAreMeasured) {
  const OutputVerdict verdict = floats({1.05f, 2}, {1, 2}).check();
  EXPECT_EQ(verdict.failure, "");
  EXPECT_EQ(verdict.error.checked, 2u);
  EXPECT_NEAR(verdict.error.max_abs, 0.05, 1e-6);
  EXPECT_NEAR(verdict.error.max_rel, 0.05, 1e-6);
  EXPECT_NEAR(verdict.error.worst_ratio, 0.5, 1e-6);
}

TEST(ValidateTest, WhatIsAllowedIsKnownWithoutLooking) {
  Case<float> reals = floats({0, 0, 0, 0}, {2, -kInfinity, kNan, 1e300});
  reals.view.tolerance_rel = 0.5;
  static_cast<void>(reals.check());
  EXPECT_EQ(allowed_errors(reals.view), (std::vector<double>{1.1, 0, -1, 5e299}));
  reals.view.tolerance_rel = 1e300;
  EXPECT_EQ(allowed_errors(reals.view)[3], std::numeric_limits<double>::max());
  // check_output() refuses an index that occurs twice.
  Case<std::int32_t> indices = ranked({0, 0, 0, 0}, {1, 3, 1, -1});
  static_cast<void>(indices.check());
  EXPECT_EQ(allowed_errors(indices.view), (std::vector<double>{0, 0, -1, 0}));
}

TEST(ValidateTest, TheWorstElementIsReported) {
  const OutputVerdict verdict = floats({1.5f, 2, 9}, {1, 2, 3}).check();
  EXPECT_EQ(verdict.failure,
            "output 'out' is wrong at [2]: got 9, expected 3, error 6 exceeds the allowed 0.1; "
            "2 of 3 checked elements are wrong by at most 60 times what is allowed; the smallest "
            "tolerance that passes is abs 6 (given abs 0.1)");
}

TEST(ValidateTest, RelativeToleranceScales) {
  Case<float> test = floats({101}, {100});
  test.view.tolerance_rel = 0.01;
  EXPECT_EQ(test.check().failure, "");
}

TEST(ValidateTest, RmsToleranceFollowsTheRowOfTheElement) {
  // Rows of RMS 5 and 0.5 in one unit: the same error is small compared with the first, but not
  // compared with the second.
  Case<float> test = floats({5.4f, 5, 0.5f, 0.875f}, {5, 5, 0.5, 0.5});
  test.view.shape = {2, 2};
  test.view.unit_elements = 4;
  test.view.tolerance_rms = 0.1;
  const OutputVerdict verdict = test.check();
  EXPECT_EQ(verdict.failure,
            "output 'out' is wrong at [1, 1]: got 0.875, expected 0.5, error 0.375 exceeds the "
            "allowed 0.15 (the RMS of its row is 0.5); 1 of 4 checked elements are wrong by at "
            "most 2.5 times what is allowed; the smallest tolerance that passes is abs 0.25, rms "
            "0.25 (given abs 0.1, rms 0.1)");
  EXPECT_EQ(verdict.error.wrong, 1u);
}

TEST(ValidateTest, RmsIsTheRootOfTheMeanSquareNotTheMean) {
  // 5 = sqrt((1 + 49) / 2), while the mean of the sizes is 4.
  Case<float> test = floats({1.95f, 7}, {1, 7});
  test.view.tolerance_abs = 0;
  test.view.tolerance_rms = 0.2;
  EXPECT_EQ(test.check().failure, "");
  test.got = {2.05f, 7};
  EXPECT_THAT(test.check().failure, HasSubstr("exceeds the allowed 1 (the RMS of its row is 5)"));
}

TEST(ValidateTest, UnitsThatDivideTheLastAxisAreRowsOfTheirOwn) {
  Case<float> test = floats({1.5f, 100}, {1, 100});
  const std::vector<std::int64_t> units{0, 1};
  test.view.units = units;
  test.view.unit_elements = 1;
  test.view.tolerance_abs = 0;
  test.view.tolerance_rms = 0.1;
  EXPECT_THAT(test.check().failure, HasSubstr("exceeds the allowed 0.1 (the RMS of its row is 1)"));
}

TEST(ValidateTest, TheRmsOfARowIsThatOfItsFiniteValues) {
  const float infinity = std::numeric_limits<float>::infinity();
  Case<float> test = floats({-infinity, std::nanf(""), 2.5f, 2}, {-kInfinity, kNan, 2, 2});
  test.view.tolerance_abs = 0;
  test.view.tolerance_rms = 0.2;
  EXPECT_THAT(test.check().failure,
              HasSubstr("error 0.5 exceeds the allowed 0.4 (the RMS of its row is 2)"));
  test.view.tolerance_rms = 0.3;
  EXPECT_EQ(test.check().failure, "");
}

TEST(ValidateTest, ARowOfZerosAllowsNothingByItsRms) {
  Case<double> test{{0.25, 0}, {0, 0}, {}, {}, {}};
  test.view.dtype = DType::kF64;
  test.view.tolerance_rms = 1;
  EXPECT_EQ(test.check().failure,
            "output 'out' is wrong at [0]: got 0.25, expected 0, error 0.25 exceeds the allowed 0 "
            "(the RMS of its row is 0); 1 of 2 checked elements are wrong; the smallest tolerance "
            "that passes is abs 0.25, rms 1 (given rms 1)");
}

TEST(ValidateTest, TheSquaresOfLargeValuesDoNotOverflow) {
  Case<double> test{{1.5e200, 1e200}, {1e200, 1e200}, {}, {}, {}};
  test.view.dtype = DType::kF64;
  test.view.tolerance_rms = 0.1;
  EXPECT_THAT(test.check().failure,
              HasSubstr("exceeds the allowed 1e+199 (the RMS of its row is 1e+200)"));
}

TEST(ValidateTest, AnRmsToleranceDoesNotLetNanPass) {
  Case<float> test = floats({std::nanf(""), 1}, {1, 1});
  test.view.tolerance_rms = kInfinity;
  EXPECT_THAT(test.check().failure, HasSubstr("is wrong at [0]: got nan, expected 1"));
}

TEST(ValidateTest, AFewSmallMissesLookLikeRounding) {
  // 2 of 200 elements exceed the allowed error by a factor of 1.4: the criterion is 1 % and a
  // factor of 4.
  Case<float> test = floats(std::vector<float>(200, 1), std::vector<double>(200, 1));
  test.view.tolerance_abs = 0;
  test.view.tolerance_rms = 1.25e-6;
  test.got[7] = 1 - 0x1.d5p-20f;
  test.got[9] = 1 + 0x1.8p-20f;
  EXPECT_EQ(test.check().failure,
            "output 'out' differs at [7]: got 0.9999982714653015, expected 1, error 1.73e-06 "
            "exceeds the allowed 1.25e-06 (the RMS of its row is 1); 2 of 200 checked elements "
            "differ by at most 1.4 times what is allowed, which looks like rounding; the smallest "
            "tolerance that passes is rms 1.8e-6 (given rms 1.25e-6)");
  EXPECT_TRUE(test.check().looks_like_rounding);
  test.view.tolerance_rms = 1.8e-6;
  EXPECT_EQ(test.check().failure, "");
  EXPECT_FALSE(test.check().looks_like_rounding);
}

TEST(ValidateTest, ManyMissesOrLargeOnesDoNotLookLikeRounding) {
  Case<float> test = floats(std::vector<float>(200, 1), std::vector<double>(200, 1));
  test.got[7] = 1.5f;
  EXPECT_THAT(test.check().failure, AllOf(HasSubstr("is wrong at [7]"),
                                          HasSubstr("1 of 200 checked elements are wrong "
                                                    "by at most 5 times what is allowed;"),
                                          Not(HasSubstr("rounding"))));
  test.got[7] = test.got[8] = test.got[9] = 1.125f;
  EXPECT_THAT(test.check().failure,
              AllOf(HasSubstr("3 of 200 checked elements are wrong by at most 1.3 times what"),
                    Not(HasSubstr("rounding"))));
}

TEST(ValidateTest, NoToleranceIsNamedThatWouldLetANanPass) {
  Case<float> test = floats(std::vector<float>(200, 1), std::vector<double>(200, 1));
  test.got[7] = 1.125f;
  test.got[8] = std::nanf("");
  EXPECT_EQ(test.check().failure,
            "output 'out' is wrong at [8]: got nan, expected 1; 2 of 200 checked elements are "
            "wrong");
}

TEST(ValidateTest, NanNeverPassesWhereANumberIsExpected) {
  EXPECT_EQ(floats({std::nanf("")}, {1}).check().failure,
            "output 'out' is wrong at [0]: got nan, expected 1; 1 of 1 checked elements are wrong");
}

TEST(ValidateTest, AnInfiniteToleranceDoesNotLetNanPass) {
  Case<float> test = floats({std::nanf("")}, {1});
  test.view.tolerance_abs = kInfinity;
  EXPECT_NE(test.check().failure, "");
}

TEST(ValidateTest, InfinityPassesOnlyWhereExpected) {
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(floats({infinity}, {kInfinity}).check().failure, "");
  EXPECT_NE(floats({infinity}, {1}).check().failure, "");
  EXPECT_NE(floats({-infinity}, {kInfinity}).check().failure, "");
  EXPECT_NE(floats({1}, {-kInfinity}).check().failure, "");
}

TEST(ValidateTest, NanPassesOnlyWhereTheReferenceSaysNan) {
  EXPECT_EQ(floats({std::nanf("")}, {kNan}).check().failure, "");
  EXPECT_NE(floats({0}, {kNan}).check().failure, "");
}

TEST(ValidateTest, PoisonDoesNotPassForAnExpectedNan) {
  Case<float> test = floats({0}, {kNan});
  std::memcpy(test.got.data(), &kPoison[0], 4);
  test.view.poison = kPoison[0];
  EXPECT_EQ(test.check().failure,
            "output 'out' was never written at [0]: it still holds the poison, expected nan; "
            "1 of 1 checked elements are wrong");
}

TEST(ValidateTest, PartlyUnwrittenOutputsSaySo) {
  Case<float> test = floats({7, 0}, {1, 1});
  std::memcpy(&test.got[1], &kPoison[0], 4);
  test.view.poison = kPoison[0];
  const std::string failure = test.check().failure;
  EXPECT_THAT(failure, HasSubstr("was never written at [1]"));
  EXPECT_THAT(failure, HasSubstr("2 of 2 checked elements are wrong"));
}

TEST(ValidateTest, PositionsAreThoseOfTheWholeOutput) {
  Case<float> test = floats({1, 1, 5, 1}, {1, 1, 1, 1});
  const std::vector<std::int64_t> units{3, 70};
  test.view.shape = {100, 2};
  test.view.unit_elements = 2;
  test.view.units = units;
  EXPECT_THAT(test.check().failure, HasSubstr("is wrong at [70, 0]"));
}

TEST(ValidateTest, ExactComparesValues) {
  Case<std::int32_t> test{{3, 4}, {3, 5}, {}, {}, {}};
  test.view.dtype = DType::kI32;
  test.view.match = Match::kExact;
  EXPECT_EQ(test.check().failure,
            "output 'out' is wrong at [1]: got 4, expected 5; 1 of 2 checked elements are wrong");
}

TEST(ValidateTest, AReferenceThatTheTypeCannotHoldIsNoExactOne) {
  Case<float> test{{0.1f, 0.25f, 2}, {0.1, 0.25, 1}, {}, {}, {}};
  test.view.match = Match::kExact;
  EXPECT_EQ(test.check().failure,
            "output 'out' cannot be exact at [0]: the reference's 0.1 is not a value of f32; "
            "compare with a "
            "tolerance, or round in the reference; 2 of 3 checked elements differ, 1 of them for "
            "this reason");
  test.expected[0] = 0.1f;
  test.got[2] = 1;
  EXPECT_EQ(test.check().failure, "");
}

TEST(ValidateTest, EveryTypeHasValuesThatItCannotHold) {
  Case<std::uint16_t> half{{0}, {0.1}, {}, {}, {}};
  half.view.dtype = DType::kBf16;
  half.view.match = Match::kExact;
  EXPECT_THAT(half.check().failure, HasSubstr("the reference's 0.1 is not a value of bf16;"));
  Case<std::uint8_t> byte{{255}, {256}, {}, {}, {}};
  byte.view.dtype = DType::kU8;
  byte.view.match = Match::kExact;
  EXPECT_THAT(byte.check().failure, HasSubstr("the reference's 256 is not a value of u8;"));
}

// 200 codes, where the given ones differ by one.
Case<std::uint8_t> codes(const std::vector<std::size_t>& differing) {
  Case<std::uint8_t> test{
      std::vector<std::uint8_t>(200, 7), std::vector<double>(200, 7), {}, {}, {}};
  test.view.dtype = DType::kU8;
  test.view.match = Match::kExact;
  for (const std::size_t at : differing) test.got[at] = 8;
  return test;
}

TEST(ValidateMismatchesTest, AShareOfTheElementsMayDiffer) {
  Case<std::uint8_t> test = codes({3, 4});
  test.view.mismatches = 0.01;
  const OutputVerdict verdict = test.check();
  EXPECT_EQ(verdict.failure, "");
  EXPECT_EQ(verdict.error.wrong, 2u);
  EXPECT_EQ(verdict.error.checked, 200u);
  EXPECT_DOUBLE_EQ(verdict.error.worst_ratio, 1);
}

TEST(ValidateMismatchesTest, MoreThanTheShareMayNot) {
  Case<std::uint8_t> test = codes({3, 4, 150});
  test.view.mismatches = 0.01;
  EXPECT_EQ(test.check().failure,
            "output 'out' is wrong at [3]: got 8, expected 7; 3 of 200 checked elements are wrong, "
            "more than the share of 0.01 that `mismatches` allows; the smallest that passes is "
            "0.015");
  EXPECT_DOUBLE_EQ(test.check().error.worst_ratio, 1.5);
}

TEST(ValidateMismatchesTest, AFewThatAreOffByOneAreToldOfTheShare) {
  EXPECT_EQ(codes({3, 4}).check().failure,
            "output 'out' is wrong at [3]: got 8, expected 7; 2 of 200 checked elements are wrong, "
            "all by 1; if rounding decides which value it is, `mismatches: 0.01` allows that many");
  EXPECT_THAT(codes({3, 4, 5}).check().failure, Not(HasSubstr("mismatches")));
  Case<std::uint8_t> far = codes({3});
  far.got[3] = 9;
  EXPECT_THAT(far.check().failure, Not(HasSubstr("mismatches")));
}

TEST(ValidateMismatchesTest, WhatWasNeverWrittenIsNoMismatch) {
  Case<std::int32_t> test{
      std::vector<std::int32_t>(200, 7), std::vector<double>(200, 7), {}, {}, {}};
  test.view.dtype = DType::kI32;
  test.view.match = Match::kExact;
  test.view.mismatches = 0.5;
  std::memcpy(&test.got[5], &kPoison[0], 4);
  test.view.poison = kPoison[0];
  EXPECT_THAT(test.check().failure, HasSubstr("was never written at [5]"));
}

TEST(ValidateMismatchesTest, RankedIndicesToo) {
  Case<std::int32_t> test = ranked({3, 0}, {3, 1});
  test.view.mismatches = 0.5;
  EXPECT_EQ(test.check().failure, "");
  test.view.mismatches = 0.25;
  EXPECT_THAT(test.check().failure, HasSubstr("1 of 2 checked elements are wrong, more than the "
                                              "share of 0.25 that `mismatches` allows"));
}

TEST(ValidateRankedTest, TiesMayBeInEitherOrder) {
  EXPECT_EQ(ranked({3, 1, 2}, {3, 1, 2}).check().failure, "");
  EXPECT_EQ(ranked({3, 2, 1}, {3, 1, 2}).check().failure, "");
}

TEST(ValidateRankedTest, ANonTieIsWrong) {
  EXPECT_EQ(ranked({3, 0}, {3, 1}).check().failure,
            "output 'out' is wrong at [1]: got 0, expected 1; their scores are 1 and 2, no tie; "
            "1 of 2 checked elements are wrong");
}

TEST(ValidateRankedTest, AnIndexMayOccurOncePerUnit) {
  EXPECT_EQ(ranked({3, 2, 2}, {3, 1, 2}).check().failure,
            "output 'out' is wrong at [2]: got 2, expected 2; this index occurs twice in its unit; "
            "1 of 3 checked elements are wrong");
}

TEST(ValidateRankedTest, TheSentinelForNoCandidateMayRepeat) {
  EXPECT_EQ(ranked({3, -1, -1}, {3, -1, -1}).check().failure, "");
}

TEST(ValidateRankedTest, AnIndexOutOfRangeIsNoCandidate) {
  EXPECT_THAT(ranked({9}, {3}).check().failure,
              HasSubstr("got 9, expected 3; this index is not a candidate"));
}

TEST(ValidateRankedTest, NearTiesUseTheTolerance) {
  Case<std::int32_t> test = ranked({1}, {3});
  test.view.tolerance_abs = 1;
  EXPECT_EQ(test.check().failure, "");
}

TEST(DifferenceTest, BitsCount) {
  const std::vector<float> a{0.0f, 1.0f, 2.0f};
  const std::vector<float> b{-0.0f, 1.0f, 3.0f};
  const auto difference =
      first_difference(4, std::as_bytes(std::span(a)), std::as_bytes(std::span(b)));
  ASSERT_TRUE(difference.has_value());
  EXPECT_EQ(difference->first, 0);
  EXPECT_EQ(difference->count, 2u);
  EXPECT_FALSE(
      first_difference(4, std::as_bytes(std::span(a)), std::as_bytes(std::span(a))).has_value());
}

TEST(NeverWrittenTest, BothPoisonsProveIt) {
  // A byte may correctly be 0xFB or 0xFF; only one that follows the poison was never written.
  const std::vector<std::uint8_t> first{0xFB, 0xFF, 0xFB, 0xFF};
  const std::vector<std::uint8_t> second{0xFB, 0xFF, 0xF7, 0xFF};
  const auto holes =
      never_written(1, std::as_bytes(std::span(first)), std::as_bytes(std::span(second)));
  ASSERT_TRUE(holes.has_value());
  EXPECT_EQ(holes->first, 2);
  EXPECT_EQ(holes->count, 1u);
}

TEST(FormatIndexTest, EveryRank) {
  EXPECT_EQ(format_index(7, std::vector<std::int64_t>{10}), "[7]");
  EXPECT_EQ(format_index(7, std::vector<std::int64_t>{2, 5}), "[1, 2]");
  EXPECT_EQ(format_index(23, std::vector<std::int64_t>{2, 3, 4}), "[1, 2, 3]");
}

}  // namespace
}  // namespace warpwright
