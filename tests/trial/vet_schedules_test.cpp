// Schedules of one case that several processes ran must give the same result as one process.
#include "trial/validation/vet_schedules.h"

#include <gmock/gmock.h>

namespace warpwright {
namespace {

using ::testing::ElementsAre;

VettedCase right(std::uint64_t seed, std::uint64_t hash) {
  VettedCase vetted;
  vetted.schedules = 1;
  vetted.outputs = {{seed, hash}};
  return vetted;
}

VettedCase with_finding(std::uint64_t seed, FindingKind kind, int line) {
  VettedCase vetted;
  vetted.schedules = 1;
  Finding finding;
  finding.kind = kind;
  finding.here = FindingSide{"", {{"x.cu", line}}};
  vetted.findings = {{finding, {seed}}};
  return vetted;
}

TEST(AddSchedules, AMistakeThatBothShowIsOneFindingOfBothSeeds) {
  VettedCase vetted = with_finding(1, FindingKind::kSharedRace, 3);
  add_schedules(vetted, with_finding(2, FindingKind::kSharedRace, 3));
  add_schedules(vetted, with_finding(3, FindingKind::kSharedRace, 4));
  ASSERT_EQ(vetted.findings.size(), 2u);
  EXPECT_THAT(vetted.findings[0].seeds, ElementsAre(1, 2));
  EXPECT_THAT(vetted.findings[1].seeds, ElementsAre(3));
  EXPECT_EQ(vetted.schedules, 3u);
}

TEST(AddSchedules, OutputsAreHeldAgainstTheFirstOfAll) {
  VettedCase vetted = right(1, 7);
  add_schedules(vetted, right(2, 8));
  add_schedules(vetted, right(3, 7));
  add_schedules(vetted, right(4, 8));
  ASSERT_EQ(vetted.findings.size(), 1u);
  EXPECT_EQ(vetted.findings[0].finding.kind, FindingKind::kDiffersBetweenSchedules);
  EXPECT_THAT(vetted.findings[0].seeds, ElementsAre(2, 4));
}

TEST(AddSchedules, EqualOutputsAreNoFinding) {
  VettedCase vetted = right(1, 7);
  add_schedules(vetted, right(2, 7));
  EXPECT_TRUE(vetted.findings.empty());
}

TEST(AddSchedules, NothingIsAddedBehindOneThatWasNotDecided) {
  VettedCase vetted = right(1, 7);
  vetted.undecided = "more than 50000000 warp instructions";
  add_schedules(vetted, with_finding(2, FindingKind::kSharedRace, 3));
  EXPECT_TRUE(vetted.findings.empty());
  EXPECT_EQ(vetted.schedules, 1u);
}

TEST(AddSchedules, SchedulesThatWereSparedAddUp) {
  VettedCase vetted = right(1, 7), further = right(11, 7);
  vetted.spared = further.spared = 9;
  add_schedules(vetted, further);
  EXPECT_EQ(vetted.schedules, 2u);
  EXPECT_EQ(vetted.spared, 18u);
}

TEST(AddSchedules, WhatMakesALaunchImpossibleIsSaidOnce) {
  VettedCase vetted = right(1, 7), impossible;
  impossible.status = Status::kInvalid;
  impossible.reason = "too many threads";
  add_schedules(vetted, impossible);
  EXPECT_EQ(vetted.status, Status::kInvalid);
  EXPECT_EQ(vetted.reason, "too many threads");
}

}  // namespace
}  // namespace warpwright
