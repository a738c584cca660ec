#include <gmock/gmock.h>

#include <algorithm>
#include <random>

#include "analysis/compare/covering_portfolio.h"

namespace warpwright {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Sets = std::vector<std::vector<std::size_t>>;

// Two sets of seven elements cover all fourteen; the greedy choice takes the sets of eight, then
// four, then two.
const Sets kDrawnAstray = {{0, 1, 2, 3, 4, 5, 6},
                           {7, 8, 9, 10, 11, 12, 13},
                           {0, 1, 2, 3, 7, 8, 9, 10},
                           {4, 5, 11, 12},
                           {6, 13}};

std::size_t brute_force(std::size_t elements, const Sets& sets) {
  std::size_t best = sets.size() + 1;
  for (std::size_t pick = 0; pick < std::size_t{1} << sets.size(); ++pick) {
    std::vector<bool> covered(elements);
    std::size_t size = 0;
    for (std::size_t i = 0; i < sets.size(); ++i) {
      if ((pick >> i & 1) == 0) continue;
      ++size;
      for (const std::size_t element : sets[i]) covered[element] = true;
    }
    if (std::count(covered.begin(), covered.end(), true) == static_cast<long>(elements))
      best = std::min(best, size);
  }
  return best;
}

TEST(SetCover, GreedyIsDrawnAstrayWhereTheSearchIsNot) {
  EXPECT_THAT(greedy_cover(14, kDrawnAstray), ElementsAre(2, 3, 4));
  const SetCover found = cover(14, kDrawnAstray);
  EXPECT_THAT(found.chosen, ElementsAre(0, 1));
  EXPECT_EQ(found.at_least, 2u);
}

TEST(SetCover, WithoutStepsItIsGreedyAndSaysWhatIsProved) {
  const SetCover found = cover(14, kDrawnAstray, 0);
  EXPECT_THAT(found.chosen, ElementsAre(2, 3, 4));
  EXPECT_EQ(found.at_least, 2u);  // no set holds more than 8 of 14
}

TEST(SetCover, AgreesWithBruteForceOnRandomInstances) {
  std::mt19937 random(7);
  for (int round = 0; round < 300; ++round) {
    const std::size_t elements = 1 + random() % 9;
    Sets sets(1 + random() % 9);
    for (auto& set : sets)
      for (std::size_t element = 0; element < elements; ++element)
        if (random() % 3 == 0) set.push_back(element);
    for (std::size_t element = 0; element < elements; ++element)
      sets[random() % sets.size()].push_back(element);  // so that there is a cover
    const SetCover found = cover(elements, sets);
    EXPECT_EQ(found.chosen.size(), brute_force(elements, sets));
    EXPECT_EQ(found.at_least, found.chosen.size());
  }
}

TEST(SetCover, NothingToCoverTakesNothing) {
  EXPECT_THAT(cover(0, {{}, {}}).chosen, IsEmpty());
  EXPECT_EQ(cover(0, {}).at_least, 0u);
}

TEST(SetCover, LeavesOutWhatNoSetHolds) {
  const SetCover found = cover(5, {{0, 1}, {3}});
  EXPECT_THAT(found.chosen, ElementsAre(0, 1));
  EXPECT_EQ(found.at_least, 2u);
}

TEST(SetCover, TakesTheFirstOfEqualSets) {
  EXPECT_THAT(cover(2, {{0}, {0, 1}, {1, 0}}).chosen, ElementsAre(1));
}

TEST(SetCover, SpansManyElements) {
  Sets sets(1);
  for (std::size_t element = 0; element < 1000; ++element) {
    sets[0].push_back(element);
    sets.push_back({element});
  }
  EXPECT_THAT(cover(1000, sets).chosen, ElementsAre(0));
}

TEST(SetCover, ALargeInstanceEndsWithABoundThatHolds) {
  std::mt19937 random(3);
  Sets sets(400);
  for (auto& set : sets)
    for (int i = 0; i < 12; ++i) set.push_back(random() % 200);
  const SetCover found = cover(200, sets, 500);
  EXPECT_LE(found.at_least, found.chosen.size());
  EXPECT_GE(found.at_least, 200u / 12);
}

}  // namespace
}  // namespace warpwright
