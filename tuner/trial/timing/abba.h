// Comparisons of two kernels in blocks ABBA (first, second, second, first), so that slow drift
// cancels within a block. This file only takes the times; stats/paired_gate.h interprets them.
// Times are microseconds, corrected for the floor. Blocks that the device disturbed are taken
// again.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "device/device.h"
#include "stats/paired_gate.h"
#include "trial/outcome.h"

namespace warpwright {

struct AbbaOptions {
  int blocks = 20;
  double turn_us = 1000;           // a turn takes at least this long and one sample
  double between_samples_us = 40;  // approximate cost per sample beyond the kernel's own time
  // When this has passed, the blocks taken so far are used if there are at least `fewest`; 0 means
  // unlimited.
  std::chrono::milliseconds time_limit{0};
  int fewest = 8;
  std::function<void()> before_block;  // called to show progress; may be empty
};

struct AbbaRun {
  Status status = Status::kOk;  // kNoisy when the device was not steady
  std::string reason;
  bool device_lost = false;
  bool second_failed = false;  // which plan failed; valid unless the status is kOk or kNoisy
  std::vector<AbbaBlock> blocks;
  std::string protocol;
  Validity validity;
};

// `about_us` is the approximate time of one sample of either plan.
[[nodiscard]] AbbaRun take_abba_blocks(Device& device, TimingPlan& first, TimingPlan& second,
                                       double about_us, const AbbaOptions& options = {});

}  // namespace warpwright
