#include <gtest/gtest.h>

#include <vector>

#include "core/words.h"

namespace warpwright {
namespace {

TEST(EditDistance, CountsEachKindOfSlipOnce) {
  EXPECT_EQ(edit_distance("", ""), 0);
  EXPECT_EQ(edit_distance("", "abc"), 3);
  EXPECT_EQ(edit_distance("abc", ""), 3);
  EXPECT_EQ(edit_distance("THREDS", "THREADS"), 1);
  EXPECT_EQ(edit_distance("THREAADS", "THREADS"), 1);
  EXPECT_EQ(edit_distance("THREBDS", "THREADS"), 1);
  EXPECT_EQ(edit_distance("THRAEDS", "THREADS"), 1);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3);
  EXPECT_EQ(edit_distance("ca", "abc"),
            3);  // optimal string alignment, not the full Damerau distance
}

TEST(Nearest, FindsPlausibleSlipsAndIgnoresCase) {
  const std::vector<std::string> known = {"THREADS", "STAGES", "TILE_Q"};
  EXPECT_EQ(nearest("threads", known), "THREADS");
  EXPECT_EQ(nearest("THREDS", known), "THREADS");
  EXPECT_EQ(nearest("STAGE", known), "STAGES");
  EXPECT_EQ(nearest("WARPS", known), std::nullopt);
  EXPECT_EQ(nearest("", known), std::nullopt);
}

TEST(Nearest, ShortNamesAreNotConfused) {
  const std::vector<std::string> known = {"V", "K"};
  EXPECT_EQ(nearest("M", known), std::nullopt);
  EXPECT_EQ(nearest("k", known), "K");
}

TEST(Nearest, TheFirstWinsATie) {
  const std::vector<std::string> known = {"TILE_A", "TILE_B"};
  EXPECT_EQ(nearest("TILE_C", known), "TILE_A");
}

TEST(Suggestion, NamesTheNearestOrListsWhatIsKnown) {
  const std::vector<std::string> known = {"THREADS", "STAGES"};
  EXPECT_EQ(suggestion("THREDS", known), "; did you mean 'THREADS'?");
  EXPECT_EQ(suggestion("banana", known), "; known: THREADS, STAGES");
  EXPECT_EQ(suggestion("banana", {}), "");
}

TEST(Suggestion, LongListsAreCut) {
  std::vector<std::string> known;
  for (char c = 'a'; c < 'a' + 13; ++c) known.emplace_back(3, c);
  EXPECT_EQ(suggestion("zzzzzz", known),
            "; known: aaa, bbb, ccc, ddd, eee, fff, ggg, hhh, iii, jjj, kkk, lll, ...");
}

}  // namespace
}  // namespace warpwright
