#include <gmock/gmock.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/words.h"

namespace warpwright {
namespace {

using ::testing::ElementsAre;

TEST(NaturalOrder, NumbersGoByValue) {
  std::vector<std::string> texts = {"rows=8192 K=10", "rows=64", "rows=8192 K=9", "rows=1",
                                    "cols=9"};
  std::sort(texts.begin(), texts.end(), natural_before);
  EXPECT_THAT(texts, ElementsAre("cols=9", "rows=1", "rows=64", "rows=8192 K=9", "rows=8192 K=10"));
}

TEST(NaturalOrder, DigitsMayBeMoreThanAnIntegerHolds) {
  EXPECT_TRUE(natural_before("n=99999999999999999999999", "n=100000000000000000000000"));
  EXPECT_FALSE(natural_before("n=100000000000000000000000", "n=99999999999999999999999"));
}

TEST(NaturalOrder, AStartComesBeforeTheWhole) {
  EXPECT_TRUE(natural_before("", "a"));
  EXPECT_TRUE(natural_before("n=1", "n=1 m=2"));
  EXPECT_FALSE(natural_before("n=1", "n=1"));
}

TEST(NaturalOrder, OnlyEqualTextsAreEqual) {
  EXPECT_TRUE(natural_before("n=01", "n=1") != natural_before("n=1", "n=01"));
  EXPECT_TRUE(natural_before("n=0", "n=00") != natural_before("n=00", "n=0"));
}

TEST(NaturalOrder, BytesBeyondAsciiComeLast) {
  EXPECT_TRUE(natural_before("z", "ä"));
  EXPECT_FALSE(natural_before("ä", "z"));
}

}  // namespace
}  // namespace warpwright
