#include "trial/timing/anchor.h"

#include <algorithm>
#include <cmath>

#include "stats/median.h"
#include "trial/timing/measure.h"

namespace warpwright {

Anchor::Anchor(std::unique_ptr<ValidatedLaunches> check, std::unique_ptr<TimingPlan> plan,
               double median_us)
    : check_(std::move(check)),
      plan_(std::move(plan)),
      believed_us_(median_us),
      looked_(std::chrono::steady_clock::now()) {}

bool Anchor::moved(double now_us) const {
  const double change_us = std::fabs(now_us - believed_us_);
  return change_us > kTolerance * believed_us_ && change_us > kColdDriftUs;
}

std::optional<double> Anchor::time() {
  // A long kernel varies less, so fewer samples are enough.
  constexpr double kBudgetUs = 8'000, kMin = 5, kMax = 30;
  const double samples = std::clamp(kBudgetUs / believed_us_, kMin, kMax);
  const Samples taken = plan_->take(static_cast<int>(samples), kInterval);
  // The anchor ran before; a failure now will show in the trials themselves.
  if (taken.status != Status::kOk || taken.elapsed_us.empty()) return std::nullopt;
  return without_floor(median(taken.elapsed_us), taken.floor_us, taken.units);
}

std::optional<AnchorLook> Anchor::after_trial() {
  const auto now = std::chrono::steady_clock::now();
  if (now - looked_ < kLookShare * look_took_) return std::nullopt;
  if (++trials_ < kTrials && now - looked_ < kInterval) return std::nullopt;
  trials_ = 0;
  std::optional<double> now_us = time();
  if (!now_us) return std::nullopt;
  // Timed twice, so that one disturbed look does not repeat dozens of trials.
  if (moved(*now_us)) now_us = time();
  looked_ = std::chrono::steady_clock::now();
  look_took_ = looked_ - now;
  if (!now_us) return std::nullopt;
  AnchorLook look{*now_us / believed_us_ - 1, moved(*now_us)};
  if (look.moved) believed_us_ = *now_us;
  return look;
}

}  // namespace warpwright
