#include <gmock/gmock.h>

#include <random>

#include "trial/compare/output_miss.h"
#include "trial/compare/validate.h"

namespace warpwright {
namespace {

using ::testing::HasSubstr;

TEST(RoundedUp, TwoDigitsThatAreEnough) {
  EXPECT_EQ(rounded_up(3.5e-6), "3.5e-6");
  EXPECT_EQ(rounded_up(3.41e-6), "3.5e-6");
  EXPECT_EQ(rounded_up(9.91e-13), "1e-12");
  EXPECT_EQ(rounded_up(0.0125), "0.013");
  EXPECT_EQ(rounded_up(6), "6");
  EXPECT_EQ(rounded_up(601), "610");
  EXPECT_EQ(rounded_up(0), "0");
}

TEST(LooksLikeRounding, FewElementsAndSmallFactors) {
  EXPECT_TRUE(looks_like_rounding(1, 100, 4));
  EXPECT_FALSE(looks_like_rounding(2, 199, 4));
  EXPECT_FALSE(looks_like_rounding(1, 100, 4.1));
}

// The suggested tolerance, with the same proportions or not, must pass, and one that is a tenth
// smaller must not.
TEST(SmallestTolerance, WhatItNamesPassesAndLittleLessDoesNot) {
  std::mt19937_64 bits(1);
  const auto uniform = [&] { return static_cast<double>(bits() >> 11) * 0x1p-53; };
  for (int round = 0; round < 200; ++round) {
    std::vector<double> expected(64);
    std::vector<double> got(64);
    for (std::size_t i = 0; i < got.size(); ++i) {
      expected[i] = round % 5 == 0 ? 0 : uniform() - 0.5;
      got[i] = expected[i] + (uniform() - 0.5) * 1e-3;
    }
    const std::vector<std::int64_t> units{0};
    OutputView view;
    view.name = "y";
    view.dtype = DType::kF64;
    view.shape = {2, 32};
    view.unit_elements = 64;
    view.units = units;
    view.got = std::as_bytes(std::span(got));
    view.expected = expected;
    if (round % 2 == 0) view.tolerance_abs = 1e-6 * uniform();
    if (round % 3 == 0) view.tolerance_rel = 1e-6 * uniform();
    if (round % 4 == 0) view.tolerance_rms = 1e-6 * uniform();
    if (round % 7 == 0) view.accumulate = SumRounding{4, DType::kF64};
    const std::string failure = check_output(view, {}).failure;
    constexpr std::string_view kIntro = "the smallest tolerance that passes is ";
    const std::size_t at = failure.find(kIntro);
    ASSERT_NE(at, std::string::npos) << failure;
    const std::string named = failure.substr(at + kIntro.size());
    const auto part = [&](const std::string& name) {
      const std::size_t given = named.find("(given");
      const std::size_t begin = named.find(name + " ");
      return begin < given ? std::stod(named.substr(begin + name.size())) : 0.0;
    };
    const double abs = part("abs"), rel = part("rel"), rms = part("rms");
    view.tolerance_abs = abs, view.tolerance_rel = rel, view.tolerance_rms = rms;
    EXPECT_EQ(check_output(view, {}).failure, "") << named;
    view.tolerance_abs = 0.9 * abs, view.tolerance_rel = 0.9 * rel, view.tolerance_rms = 0.9 * rms;
    EXPECT_NE(check_output(view, {}).failure, "") << named;
  }
}

TEST(SmallestTolerance, AnAllowanceForASumIsJoinedByTheRms) {
  OutputView view;
  view.tolerance_abs = 1e-9;
  view.accumulate = SumRounding{64, DType::kF32};
  SmallestTolerance smallest(view);
  smallest.add({0.5, 0.25, 1, 2});
  EXPECT_EQ(smallest.text(), "abs 1e-9, rms 0.13, accumulate 64 (given abs 1e-9, accumulate 64)");
}

TEST(SmallestTolerance, NothingAllowedIsSaid) {
  OutputView view;
  SmallestTolerance smallest(view);
  smallest.add({0.5, 0, 1, 0});
  EXPECT_EQ(smallest.text(), "abs 0.5 (given abs 0)");
}

}  // namespace
}  // namespace warpwright
