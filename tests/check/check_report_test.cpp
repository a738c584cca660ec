// Tests a report's exit codes and counts.
#include "check/check_report.h"

#include <gtest/gtest.h>

namespace warpwright::testing {
namespace {

CheckEntry entry_of(CheckState state, GateFindingKind kind = GateFindingKind::kNote) {
  CheckEntry entry;
  entry.state = state;
  entry.findings.push_back({kind, "said", std::nullopt});
  return entry;
}

int exit_code(std::vector<CheckEntry> entries, bool allow_inconclusive = false) {
  CheckReport report;
  report.entries = std::move(entries);
  return report.exit_code(allow_inconclusive);
}

TEST(CheckReport, WhatIsWellPasses) {
  EXPECT_EQ(exit_code({entry_of(CheckState::kOk), entry_of(CheckState::kSame),
                       entry_of(CheckState::kImproved, GateFindingKind::kImprovement)}),
            0);
  EXPECT_EQ(exit_code({entry_of(CheckState::kOk, GateFindingKind::kTieSet)}), 0);
}

TEST(CheckReport, EveryGraveFindingFails) {
  for (const GateFindingKind kind : {GateFindingKind::kRegression, GateFindingKind::kLost,
                                     GateFindingKind::kMissing, GateFindingKind::kIllegal}) {
    EXPECT_EQ(exit_code({entry_of(CheckState::kIncomparable, kind)}, true), 1)
        << gate_finding_name(kind);
  }
}

TEST(CheckReport, WhatIsUndecidedIsFourUnlessAllowed) {
  for (const CheckState state : {CheckState::kInconclusive, CheckState::kIncomparable}) {
    EXPECT_EQ(exit_code({entry_of(state, GateFindingKind::kUndecided)}), 4);
    EXPECT_EQ(exit_code({entry_of(state, GateFindingKind::kUndecided)}, true), 0);
  }
}

TEST(CheckReport, AFailureOutweighsWhatIsUndecided) {
  EXPECT_EQ(exit_code({entry_of(CheckState::kInconclusive),
                       entry_of(CheckState::kRegression, GateFindingKind::kRegression)}),
            1);
}

TEST(CheckReport, ATitleLeavesOutWhatIsNotKnown) {
  CheckEntry entry;
  entry.kernel = "k";
  EXPECT_EQ(entry.title(), "k");
  entry.problem_text = "n=3";
  entry.configuration_text = "plain";
  EXPECT_EQ(entry.title(), "k n=3 plain");
}

}  // namespace
}  // namespace warpwright::testing
