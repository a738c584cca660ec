// Tests groups whose configurations are listed in rows.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "space/brute_force.h"
#include "support/error_text.h"

namespace warpwright {
namespace {

using testing::error_text;
using testing::make_definition;
using testing::texts_of;

TEST(PresetRows, KeepTheirOrderAndOnlyValidOnesRemain) {
  SpaceDefinition definition = make_definition({{"A", {8, 2, 4}}, {"B", {1, 2}}}, {"A * B <= 8"});
  definition.groups[0].rows = {{{"A", 8}, {"B", 1}},
                               {{"A", 8}, {"B", 2}},
                               {{"A", 2}, {"B", 1}},
                               {{"A", 8}, {"B", 1}},
                               {{"A", 4}, {"B", 1}}};
  const std::unique_ptr<SearchSpace> space = solve_space(definition);
  EXPECT_EQ(texts_of(*space), (std::vector<std::string>{"A=8 B=1", "A=2 B=1", "A=4 B=1"}));
  EXPECT_EQ(space->cartesian_size(), 5);
  EXPECT_EQ(space->index_of({"", {{"A", 4}, {"B", 1}}}), 2U);
  EXPECT_EQ(space->index_of({"", {{"A", 8}, {"B", 2}}}), std::nullopt);
  EXPECT_EQ(space->neighbours(0), (std::vector<std::uint64_t>{1, 2}));
}

TEST(PresetRows, AllRejectedIsAnEmptySpace) {
  SpaceDefinition definition = make_definition({{"A", {8, 2}}}, {"A > 8"});
  definition.groups[0].rows = {{{"A", 8}}, {{"A", 2}}};
  EXPECT_EQ(error_text([&] { (void)solve_space(definition); }),
            "s.yaml:1:5: no configuration is valid: \"A > 8\" removed the last of 2 combinations\n"
            "  relax a constraint or list more values");
}

TEST(PresetRows, FaultyConstraintNamesTheRow) {
  SpaceDefinition definition = make_definition({{"A", {8, 0}}}, {"16 % A == 0"});
  definition.groups[0].rows = {{{"A", 8}}, {{"A", 0}}};
  EXPECT_TRUE(
      error_text([&] { (void)solve_space(definition); }).ends_with("\n  in configuration A=0"));
}

}  // namespace
}  // namespace warpwright
