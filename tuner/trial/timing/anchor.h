// The anchor is one configuration that a sweep times repeatedly, to notice when the device has
// changed during the trials in between. The first configuration that is measured on a problem
// becomes its anchor, until one is measured that is far quicker to time.
#pragma once

#include <chrono>
#include <memory>
#include <optional>

#include "device/device.h"
#include "trial/validation/validated_launches.h"

namespace warpwright {

struct AnchorLook {
  double drift = 0;    // fraction by which the anchor moved since its time was last accepted
  bool moved = false;  // by more than its usual variation
};

class Anchor {
 public:
  static constexpr double kTolerance = 0.02;
  static constexpr double kTooSlow = 1.5;  // times another's time: the other replaces it
  static constexpr int kLookShare = 20;    // looks take at most 1/kLookShare of the time
  static constexpr int kTrials = 32;       // at most between two looks
  static constexpr std::chrono::milliseconds kInterval{250};  // also at most between two looks

  // Takes ownership of everything that its launches need. `median_us` is its measured time.
  Anchor(std::unique_ptr<ValidatedLaunches> check, std::unique_ptr<TimingPlan> plan,
         double median_us);

  // Must be called after every trial. When a look is due, it times the anchor and returns how it
  // moved. After a move the new time is accepted, because trials are measured again under it.
  [[nodiscard]] std::optional<AnchorLook> after_trial();

  // Whether a configuration of this time should be the anchor instead.
  [[nodiscard]] bool outdone_by(double median_us) const {
    return believed_us_ > kTooSlow * median_us;
  }

 private:
  [[nodiscard]] std::optional<double> time();
  [[nodiscard]] bool moved(double now_us) const;

  std::unique_ptr<ValidatedLaunches> check_;
  std::unique_ptr<TimingPlan> plan_;  // refers to the check's scratch
  double believed_us_;
  int trials_ = 0;
  std::chrono::steady_clock::time_point looked_;
  std::chrono::steady_clock::duration look_took_{};
};

}  // namespace warpwright
