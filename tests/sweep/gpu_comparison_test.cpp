// Tests which GPUs of a group time the anchor of a board, and the difference that is reported.
#include "sweep/gpu_comparison.h"

#include <gmock/gmock.h>

#include <string>

namespace warpwright {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TrialRecord timed_at(double us) {
  TrialRecord trial;
  trial.median_us = us;
  trial.ci_low_us = 0.999 * us;
  trial.ci_high_us = 1.001 * us;
  return trial;
}

class GpuComparisonTest : public ::testing::Test {
 protected:
  // A board for each number of questions, all of one group.
  void plan_for(std::size_t gpus, const std::vector<std::uint64_t>& questions,
                bool has_clock = true) {
    for (std::size_t i = 0; i < gpus; ++i) {
      DeviceInfo device;
      device.id = "fake:" + std::to_string(i);
      device.name = "fake";
      device.uuid = "GPU-" + std::to_string(i);
      device.has_clock = has_clock;
      plan_.devices.push_back(device);
    }
    plan_.groups = group_devices(plan_.devices);
    ASSERT_EQ(plan_.groups.size(), 1u);
    for (const std::uint64_t count : questions) {
      PlannedBoard board;
      board.questions = count;
      plan_.boards.push_back(std::move(board));
    }
    comparison_.emplace(plan_);
  }
  // The guests after the board's first question was answered by a device.
  std::vector<std::size_t> guests_after(std::size_t board, std::size_t device) {
    const TrialSource::Question question{board, 3, ""};
    comparison_->asked(question);
    comparison_->note(question, device, timed_at(10));
    std::vector<std::size_t> devices;
    for (const GpuComparison::Guest& guest : comparison_->answered(question, timed_at(10))) {
      EXPECT_EQ(guest.index, 3u);
      devices.push_back(guest.device);
    }
    return devices;
  }

  SweepPlan plan_;
  std::optional<GpuComparison> comparison_;
};

TEST_F(GpuComparisonTest, AllOtherGpusOfASmallGroupTimeTheAnchor) {
  plan_for(3, {8});
  EXPECT_THAT(guests_after(0, 1), ElementsAre(0, 2));
}

TEST_F(GpuComparisonTest, OneGpuIsComparedWithNone) {
  plan_for(1, {8});
  EXPECT_THAT(guests_after(0, 0), IsEmpty());
}

TEST_F(GpuComparisonTest, DevicesWithoutAClockAreNotCompared) {
  plan_for(2, {8}, /*has_clock=*/false);
  EXPECT_THAT(guests_after(0, 0), IsEmpty());
}

TEST_F(GpuComparisonTest, InALargeGroupEachGpuIsAGuestOnce) {
  plan_for(20, {16, 24});
  EXPECT_THAT(guests_after(0, 0), ElementsAre(1, 2));
  EXPECT_THAT(guests_after(1, 0), ElementsAre(3, 4, 5));
}

TEST_F(GpuComparisonTest, TheDifferenceIsFromTheLead) {
  plan_for(2, {8});
  EXPECT_THAT(guests_after(0, 0), ElementsAre(1));
  comparison_->note({0, 3, ""}, 1, timed_at(10.1));
  const std::optional<GpuDifference> difference = comparison_->difference(plan_.groups[0], 1);
  ASSERT_TRUE(difference);
  EXPECT_NEAR(difference->fraction, 0.01, 1e-6);
  EXPECT_FALSE(comparison_->difference(plan_.groups[0], 0));
}

}  // namespace
}  // namespace warpwright
