#include <gtest/gtest.h>

#include "core/error.h"
#include "metrics/trial_metrics.h"
#include "store/columns.h"

namespace warpwright {
namespace {

ResourceSummary summary_of(const char* json) {
  return summarise_resources(*stored_column<TrialResources>(json, {"trial", 1, "resources"}));
}

TEST(ResourceSummary, TakesTheLargestEntryAndAllSpills) {
  const ResourceSummary summary = summary_of(R"([
    {"entry":"a","registers":40,"static_shared":1024,"dynamic_shared":2048,"spill_stores":8,"spill_loads":4},
    {"entry":"b","registers":64,"static_shared":512,"spill_stores":0,"spill_loads":16}])");
  EXPECT_EQ(summary.registers, 64);
  EXPECT_EQ(summary.shared_bytes, 3072);
  EXPECT_EQ(summary.spill_bytes, 28);
}

TEST(ResourceSummary, EntriesMayBeNamed) {
  EXPECT_EQ(summary_of(R"({"a":{"registers":32}})").registers, 32);
}

TEST(ResourceSummary, WhatIsMissingIsUnknown) {
  for (const char* json : {"", "[]", "{}", R"([{"entry":"a"}])"}) {
    const ResourceSummary summary = summary_of(json);
    EXPECT_EQ(summary.registers, std::nullopt) << json;
    EXPECT_EQ(summary.shared_bytes, std::nullopt) << json;
    EXPECT_EQ(summary.spill_bytes, std::nullopt) << json;
  }
}

TEST(ResourceSummary, NumbersThatAreNoCountsAreUnknown) {
  const ResourceSummary summary =
      summary_of(R"([{"registers":-1,"static_shared":2147483648,"dynamic_shared":128,)"
                 R"("spill_stores":2147483647,"spill_loads":2147483647}])");
  EXPECT_EQ(summary.registers, std::nullopt);
  EXPECT_EQ(summary.shared_bytes, 128);
  EXPECT_EQ(summary.spill_bytes, 2147483647);
}

TEST(ResourceSummary, DamagedJsonIsReported) {
  try {
    static_cast<void>(summary_of("[{"));
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "trial 1: its resources are not JSON: [{; measure it again with --fresh");
  }
}

}  // namespace
}  // namespace warpwright
