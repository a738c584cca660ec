// Findings as one line of text, and their serialization for the pipe.
#include "core/finding.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/error.h"

namespace warpwright {
namespace {

Finding race() {
  Finding finding;
  finding.kind = FindingKind::kSharedRace;
  finding.message = "store and load are not ordered";
  finding.advice = "put a __syncthreads() between them";
  finding.here = {"store of 4 bytes", {{"softmax.cu", 41}}, {1, 0, 0}, {64, 0, 0}};
  finding.other = {"load of 4 bytes", {{"softmax.cu", 38}}, {1, 0, 0}, {3, 0, 0}};
  finding.other->callers = {QuotedLocation{{"softmax.cu", 90}}};
  finding.occurrences = 7;
  return finding;
}

TEST(Finding, IsOneLineWithBothPlacesAndTheFix) {
  EXPECT_EQ(describe(race()),
            "shared race at softmax.cu:41 with softmax.cu:38: store and load are not ordered; fix: "
            "put a __syncthreads() between them");
  Finding bare;
  bare.kind = FindingKind::kTrap;
  bare.message = "trap";
  EXPECT_EQ(describe(bare), "trap: trap");
  bare.here.emplace();
  EXPECT_EQ(describe(bare), "trap at an unknown line: trap");
}

TEST(Finding, CrossesThePipeUnchanged) {
  const nlohmann::json json = race();
  EXPECT_EQ(nlohmann::json(json.get<Finding>()), json);
  EXPECT_EQ(json.get<Finding>().other->callers, race().other->callers);
  Finding alone = race();
  alone.other.reset();
  alone.is_fault = true;
  const auto back = nlohmann::json(alone).get<Finding>();
  EXPECT_FALSE(back.other.has_value());
  EXPECT_TRUE(back.is_fault);
  EXPECT_EQ(back.here->thread[0], 64u);
  EXPECT_EQ(back.occurrences, 7u);
}

TEST(Finding, WithoutAPlaceCrossesThePipeUnchanged) {
  Finding finding = race();
  finding.here.reset();
  EXPECT_FALSE(nlohmann::json(finding).get<Finding>().here.has_value());
}

TEST(Finding, OfAnUnknownKindIsRefused) {
  nlohmann::json json = race();
  json["kind"] = "haunted";
  try {
    static_cast<void>(json.get<Finding>());
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.message(), "a finding has the unknown kind 'haunted'");
  }
}

TEST(FindingKind, HasANameThatIsReadBack) {
  for (const FindingKind kind : all_finding_kinds())
    EXPECT_EQ(parse_finding_kind(finding_kind_name(kind)), kind) << finding_kind_name(kind);
  EXPECT_EQ(all_finding_kinds().size(),
            static_cast<std::size_t>(FindingKind::kDiffersBetweenSchedules) + 1);
  EXPECT_EQ(parse_finding_kind("haunted"), std::nullopt);
}

}  // namespace
}  // namespace warpwright
