#include "analysis/failures/failure_cause.h"

#include <gtest/gtest.h>

namespace warpwright {
namespace {

TEST(FailureCause, BlanksNumbersAndQuotedNames) {
  EXPECT_EQ(failure_cause("output \"probs\"[3, 17]: got 0.5, expected -0.7"),
            "output \"…\"[…]: got …, expected …");
}

TEST(FailureCause, EveryWrittenFormOfANumber) {
  EXPECT_EQ(failure_cause("a 12 b -3 c 0.25 d 1e-7 e 0x1F f 2.5e+30 g"),
            "a … b … c … d … e … f … g");
  EXPECT_EQ(failure_cause("got nan, expected inf"), "got …, expected …");
  EXPECT_EQ(failure_cause("got -inf at 3."), "got … at ….");
}

TEST(FailureCause, IdentifiersKeepTheirDigits) {
  EXPECT_EQ(failure_cause("sm_90a has no f32 in TILE_2"), "sm_90a has no f32 in TILE_2");
  EXPECT_EQ(failure_cause("THREADS=512"), "THREADS=…");
}

TEST(FailureCause, ListsOfAnyLengthMeet) {
  EXPECT_EQ(failure_cause("grid 8x1x1"), failure_cause("grid 128x2"));
  EXPECT_EQ(failure_cause("at [1, 2, 3]"), failure_cause("at [7]"));
}

TEST(FailureCause, UnitsBehindANumberGoWithIt) {
  EXPECT_EQ(failure_cause("needs 233472 bytes, 100KiB too many"), "needs … bytes, … too many");
}

TEST(FailureCause, EveryKindOfQuote) {
  EXPECT_EQ(failure_cause("unknown 'a', `b` and \"c d\""), "unknown '…', `…` and \"…\"");
}

TEST(FailureCause, AnApostropheIsNoQuote) {
  EXPECT_EQ(failure_cause("the kernel didn't write its rows' ends"),
            "the kernel didn't write its rows' ends");
  EXPECT_EQ(failure_cause("an 'open quote"), "an 'open quote");
}

TEST(FailureCause, ALogIsItsFirstError) {
  EXPECT_EQ(failure_cause("a.cu(1): warning #177-D: unused\n  a.cu(12): error: no \"x\"\n2 errors"),
            "a.cu(…): error: no \"…\"");
}

TEST(FailureCause, WithoutAnErrorTheFirstLineThatSaysSomething) {
  EXPECT_EQ(failure_cause("\n  \n  killed by signal 11 \r\nmore"), "killed by signal …");
}

TEST(FailureCause, LongCausesAreCutBetweenCharacters) {
  const std::string cause = failure_cause(std::string(156, 'a') + "µs and more than that");
  EXPECT_EQ(cause, std::string(156, 'a') + "…");
  EXPECT_EQ(failure_cause(std::string(160, 'a')), std::string(160, 'a'));
}

TEST(FailureCause, NothingIsNothing) { EXPECT_EQ(failure_cause(""), ""); }

}  // namespace
}  // namespace warpwright
