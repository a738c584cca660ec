// Tests which constraint is blamed for a space without configurations.
#include <gtest/gtest.h>

#include <random>

#include "space/brute_force.h"
#include "support/error_text.h"

namespace warpwright {
namespace {

using testing::error_text;
using testing::make_definition;
using testing::make_group;
using testing::texts_of;

TEST(EmptySpace, NamesTheConstraintOfOneParameter) {
  EXPECT_EQ(error_text([] {
              (void)solve_space(make_definition({{"A", {1, 2}}, {"B", {1, 2}}}, {"A > 2"}));
            }),
            "s.yaml:1:5: no configuration is valid: \"A > 2\" removed the last of 4 combinations\n"
            "  relax a constraint or list more values");
}

TEST(EmptySpace, NamesTheConstraintThatRemovedTheLastOnes) {
  SpaceDefinition definition = make_definition({{"A", {1, 2, 3}}, {"B", {1, 2, 3}}, {"C", {1, 2}}},
                                               {"A != B", "(A * B + C) % 7 == 6"});
  definition.groups[0].constraints[1].because = "the tile must fit";
  EXPECT_EQ(error_text([&] { (void)solve_space(definition); }),
            "s.yaml:2:5: no configuration is valid: \"(A * B + C) % 7 == 6\" removed "
            "the last of "
            "18 combinations (the tile must fit)\n"
            "  \"A != B\" rejected 2 partial or whole assignments\n"
            "  \"(A * B + C) % 7 == 6\" rejected 7 partial or whole assignments\n"
            "  relax a constraint or list more values");
}

TEST(EmptySpace, SaysWhyForEachVariant) {
  SpaceDefinition definition;
  definition.groups.push_back(make_group("one", {{"A", {1, 2}}}, {"A > 2"}));
  definition.groups.push_back(make_group("two", {{"A", {1, 2, 3}}}, {"A < 1"}));
  EXPECT_EQ(error_text([&] { (void)solve_space(definition); }),
            "s.yaml:1:5: no configuration is valid\n"
            "  variant one: \"A > 2\" removed the last of 2 combinations\n"
            "  variant two: \"A < 1\" removed the last of 3 combinations\n"
            "  relax a constraint or list more values");
}

TEST(EmptySpace, AConstraintOfConstantsAloneCanRemoveEverything) {
  SpaceDefinition definition = make_definition({{"A", {1, 2}}}, {"rows % 4 == 0"});
  definition.constants.set("rows", 6);
  EXPECT_EQ(error_text([&] { (void)solve_space(definition); }),
            "s.yaml:1:5: no configuration is valid: \"rows % 4 == 0\" removed the last of 2 "
            "combinations\n"
            "  relax a constraint or list more values");
}

TEST(EmptySpace, MayBeAllowed) {
  const std::unique_ptr<SearchSpace> space =
      solve_space(make_definition({{"A", {1, 2}}}, {"A > 2"}), true);
  EXPECT_EQ(space->count(), 0U);
  EXPECT_EQ(space->index_of({"", {{"A", 1}}}), std::nullopt);
  EXPECT_TRUE(texts_of(*space).empty());
  std::mt19937_64 generator(1);
  EXPECT_TRUE(space->sample(3, generator).empty());
}

TEST(EmptySpace, AParameterWithoutValuesIsAnError) {
  EXPECT_EQ(error_text([] {
              (void)solve_space(make_definition({{"A", {}}}, {}));
            }),
            "parameter 'A' has no values");
}

TEST(EmptySpace, ASpaceWithoutParametersHasOneConfiguration) {
  EXPECT_EQ(solve_space(make_definition({}, {}))->count(), 1U);
}

}  // namespace
}  // namespace warpwright
