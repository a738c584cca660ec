// Hazards as one line of text, and their serialization for the pipe.
#include "device/launch_hazard.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace warpwright {
namespace {

LaunchHazard race() {
  LaunchHazard hazard;
  hazard.kind = "shared race";
  hazard.message = "store and load are not ordered";
  hazard.advice = "put a __syncthreads() between them";
  hazard.here = {"store of 4 bytes", "softmax.cu", 41, {1, 0, 0}, {64, 0, 0}};
  hazard.other = HazardPlace{"load of 4 bytes", "softmax.cu", 38, {1, 0, 0}, {3, 0, 0}};
  hazard.other->callers = {{"softmax.cu", 90, 0}};
  hazard.occurrences = 7;
  return hazard;
}

TEST(LaunchHazard, IsOneLineWithBothPlacesAndTheFix) {
  EXPECT_EQ(describe(race()),
            "shared race at softmax.cu:41 with softmax.cu:38: store and load are not ordered; fix: "
            "put a __syncthreads() between them");
  LaunchHazard bare;
  bare.kind = "trap";
  bare.message = "trap";
  EXPECT_EQ(describe(bare), "trap at an unknown line: trap");
}

TEST(LaunchHazard, CrossesThePipeUnchanged) {
  const nlohmann::json json = race();
  EXPECT_EQ(nlohmann::json(json.get<LaunchHazard>()), json);
  EXPECT_EQ(json.get<LaunchHazard>().other->callers, race().other->callers);
  LaunchHazard alone = race();
  alone.other.reset();
  alone.is_fault = true;
  const auto back = nlohmann::json(alone).get<LaunchHazard>();
  EXPECT_FALSE(back.other.has_value());
  EXPECT_TRUE(back.is_fault);
  EXPECT_EQ(back.here.thread[0], 64u);
  EXPECT_EQ(back.occurrences, 7u);
}

}  // namespace
}  // namespace warpwright
