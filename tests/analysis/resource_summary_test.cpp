#include "analysis/resource_summary.h"

#include <gtest/gtest.h>

#include "core/error.h"

namespace warpwright {
namespace {

TEST(ResourceSummary, TakesTheLargestEntryAndAllSpills) {
  const ResourceSummary summary = summarise_resources(R"([
    {"entry":"a","registers":40,"static_shared":1024,"dynamic_shared":2048,"spill_stores":8,"spill_loads":4},
    {"entry":"b","registers":64,"static_shared":512,"spill_stores":0,"spill_loads":16}])");
  EXPECT_EQ(summary.registers, 64);
  EXPECT_EQ(summary.shared_bytes, 3072);
  EXPECT_EQ(summary.spill_bytes, 28);
}

TEST(ResourceSummary, EntriesMayBeNamed) {
  EXPECT_EQ(summarise_resources(R"({"a":{"registers":32}})").registers, 32);
}

TEST(ResourceSummary, WhatIsMissingIsUnknown) {
  for (const char* json : {"", "[]", "{}", R"([{"entry":"a"}])"}) {
    const ResourceSummary summary = summarise_resources(json);
    EXPECT_EQ(summary.registers, std::nullopt) << json;
    EXPECT_EQ(summary.shared_bytes, std::nullopt) << json;
    EXPECT_EQ(summary.spill_bytes, std::nullopt) << json;
  }
}

TEST(ResourceSummary, DamagedJsonIsReported) {
  try {
    static_cast<void>(summarise_resources("[{"));
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "resources of a trial are not JSON: [{; measure it again with --fresh");
  }
}

}  // namespace
}  // namespace warpwright
