// Tests where constraints that cannot be evaluated are reported, and for which configuration.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "space/brute_force.h"
#include "support/error_text.h"

namespace warpwright {
namespace {

using testing::Axes;
using testing::error_text;
using testing::make_definition;
using testing::texts_of;

TEST(FaultyConstraint, NamesTheConfiguration) {
  EXPECT_EQ(error_text([] {
              (void)solve_space(
                  make_definition({{"C", {5, 6}}, {"A", {4, 8}}, {"B", {2, 0}}}, {"A % B == 0"}));
            }),
            "s.yaml:1:7: division by zero in \"A % B == 0\" with A=4 B=0\n"
            "  A % B == 0\n"
            "    ^\n"
            "  in configuration A=4 B=0 C=5");
}

TEST(FaultyConstraint, OfOneParameterNamesTheConfigurationToo) {
  EXPECT_EQ(error_text([] {
              (void)solve_space(make_definition({{"A", {3}}, {"B", {1, 0}}}, {"8 / B > 1"}));
            }),
            "s.yaml:1:7: division by zero in \"8 / B > 1\" with B=0\n"
            "  8 / B > 1\n"
            "    ^\n"
            "  in configuration A=3 B=0");
}

TEST(FaultyConstraint, OfConstantsNamesTheConfigurationToo) {
  EXPECT_EQ(error_text([] {
              (void)solve_space(make_definition({{"A", {3}}}, {"1 / 0 == 1"}));
            }),
            "s.yaml:1:7: division by zero in \"1 / 0 == 1\"\n"
            "  1 / 0 == 1\n"
            "    ^\n"
            "  in configuration A=3");
}

TEST(FaultyConstraint, IsNoFaultWhereAnotherConstraintRejectsWhateverTheirOrder) {
  const Axes axes = {{"A", {4, 8}}, {"B", {2, 0}}, {"C", {0, 1}}};
  const std::vector<std::string> expected = {"A=4 B=2 C=0", "A=4 B=2 C=1", "A=8 B=2 C=0",
                                             "A=8 B=2 C=1"};
  EXPECT_EQ(texts_of(*solve_space(make_definition(axes, {"A % B == 0", "B + C * 0 > 0"}))),
            expected);
  EXPECT_EQ(texts_of(*solve_space(make_definition(axes, {"B + C * 0 > 0", "A % B == 0"}))),
            expected);
  EXPECT_EQ(texts_of(*solve_space(make_definition(axes, {"8 / B > 0", "B > 0"}))), expected);
}

TEST(FaultyConstraint, InAnEmptySpaceTheEmptinessIsReported) {
  EXPECT_TRUE(
      error_text([] {
        (void)solve_space(make_definition({{"A", {0}}, {"B", {1}}}, {"1 / A == 1", "B > 1"}));
      }).starts_with("s.yaml:2:5: no configuration is valid"));
}

// Every value of A is combined with B = 0, and the remaining levels are the same for each of them.
TEST(FaultyConstraint, WhatFollowsMayBeSharedByManyFaults) {
  Axes axes = {{"A", {1, 2, 3, 4}}, {"B", {0, 1}}};
  std::string sum;
  for (const char* name : {"C", "D", "E", "F"}) {
    axes.push_back({name, {0, 2, 4, 6, 8}});
    sum += sum.empty() ? name : std::string(" + ") + name;
  }
  EXPECT_TRUE(error_text([&] {
                (void)solve_space(make_definition(axes, {"A / B >= 1", "(" + sum + ") % 2 == 1"}));
              }).starts_with("s.yaml:2:5: no configuration is valid"));
  EXPECT_TRUE(error_text([&] {
                (void)solve_space(
                    make_definition(axes, {"A / B >= 1", "(" + sum + ") % 32 == 30 || A == 9"}));
              }).find("division by zero") != std::string::npos);
}

TEST(FaultyConstraint, UnknownNameIsReportedBeforeSolving) {
  EXPECT_EQ(error_text([] {
              (void)solve_space(make_definition({{"THREADS", {32}}}, {"THREDS > 0"}));
            }),
            "s.yaml:1:5: unknown name 'THREDS' in \"THREDS > 0\"; did you mean 'THREADS'?\n"
            "  THREDS > 0\n"
            "  ^");
}

}  // namespace
}  // namespace warpwright
