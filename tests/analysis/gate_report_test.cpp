// What a report makes of its entries: exit codes and counts.
#include "analysis/gate_report.h"

#include <gtest/gtest.h>

namespace warpwright::testing {
namespace {

GateEntry entry_of(GateState state, FindingKind kind = FindingKind::kNote) {
  GateEntry entry;
  entry.state = state;
  entry.findings.push_back({kind, "said", std::nullopt});
  return entry;
}

int exit_code(std::vector<GateEntry> entries, bool allow_inconclusive = false) {
  GateReport report;
  report.entries = std::move(entries);
  return report.exit_code(allow_inconclusive);
}

TEST(GateReport, WhatIsWellPasses) {
  EXPECT_EQ(exit_code({entry_of(GateState::kOk), entry_of(GateState::kSame),
                       entry_of(GateState::kImproved, FindingKind::kImprovement)}),
            0);
  EXPECT_EQ(exit_code({entry_of(GateState::kOk, FindingKind::kTieSet)}), 0);
}

TEST(GateReport, EveryGraveFindingFails) {
  for (const FindingKind kind : {FindingKind::kRegression, FindingKind::kLost,
                                 FindingKind::kMissing, FindingKind::kIllegal}) {
    EXPECT_EQ(exit_code({entry_of(GateState::kIncomparable, kind)}, true), 1) << finding_name(kind);
  }
}

TEST(GateReport, WhatIsUndecidedIsFourUnlessAllowed) {
  for (const GateState state : {GateState::kInconclusive, GateState::kIncomparable}) {
    EXPECT_EQ(exit_code({entry_of(state, FindingKind::kUndecided)}), 4);
    EXPECT_EQ(exit_code({entry_of(state, FindingKind::kUndecided)}, true), 0);
  }
}

TEST(GateReport, AFailureOutweighsWhatIsUndecided) {
  EXPECT_EQ(exit_code({entry_of(GateState::kInconclusive),
                       entry_of(GateState::kRegression, FindingKind::kRegression)}),
            1);
}

TEST(GateReport, ATitleLeavesOutWhatIsNotKnown) {
  GateEntry entry;
  entry.kernel = "k";
  EXPECT_EQ(entry.title(), "k");
  entry.problem_text = "n=3";
  entry.configuration_text = "plain";
  EXPECT_EQ(entry.title(), "k n=3 plain");
}

}  // namespace
}  // namespace warpwright::testing
