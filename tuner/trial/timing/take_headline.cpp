#include "trial/timing/take_headline.h"

#include "stats/median.h"
#include "trial/timing/energy.h"
#include "trial/timing/hot_rotation.h"
#include "trial/timing/measure.h"
#include "trial/timing/paced_plan.h"
#include "trial/timing/unit_plan.h"

namespace warpwright {
namespace {

using std::chrono::milliseconds;

constexpr double kHalfWidth = 0.005;
constexpr int kMostColdSamples = 400;
constexpr milliseconds kColdTime{400};
constexpr int kMostHotSamples = 40;
constexpr milliseconds kHotTime{100};
constexpr int kEndToEndSamples = 25;

// Stores a failure in the result; returns true when there was none.
template <typename From>
bool good(const From& from, HeadlineResult& result) {
  if (from.status == Status::kOk) return true;
  result.status = from.status;
  result.reason = from.reason;
  result.device_lost = from.device_lost;
  return false;
}

bool measure_cold(Device& device, const ValidatedLaunches& check, double about_us,
                  HeadlineResult& result) {
  TimingRequest request = check.cold_request();
  request.expected_us = about_us;
  const auto plan = per_unit(plan_paced(device, std::move(request), about_us), check.units());
  Measurement cold = measure_steadily(device, *plan, kHalfWidth, kMostColdSamples, kColdTime);
  if (!good(cold, result)) return false;
  result.headline.cold = cold_time(*cold.time);
  result.headline.samples_us = std::move(cold.samples_us);
  result.headline.validity = cold.validity;
  result.headline.power_w = cold.validity.power_w;
  result.headline.sm_clock_mhz = cold.sm_clock_mhz;
  return true;
}

bool measure_chains(Device& device, const ValidatedLaunches& check, double about_us,
                    HeadlineResult& result) {
  const ProblemData& data = check.inputs().first();
  HotRotation rotation = make_hot_rotation(device, check);
  const std::size_t wanted = rotation.size();
  TimingRequest& hot_request = rotation.request;
  TimingRequest slope_request = hot_request;
  slope_request.mode = TimingMode::kSlope;

  const auto plan = per_unit(device.plan_timing(std::move(hot_request)), check.units());
  const Measurement measured =
      measure_steadily(device, *plan, kHalfWidth, kMostHotSamples, kHotTime);
  if (!good(measured, result)) return false;
  Headline::Hot hot = hot_time(*measured.time);
  hot.sets = static_cast<int>(wanted);
  hot.l2_resident =
      static_cast<std::int64_t>(wanted * data.device_bytes()) <= 2 * device.info().l2_bytes;
  result.headline.hot = hot;
  if (const auto energy = energy_of_launch(device, *plan, kEnergyTime))
    result.headline.energy_mj_per_launch = energy->mj;
  if (const double power = device.state().power_w; power > result.headline.power_w)
    result.headline.power_w = power;

  if (about_us >= kShortKernelUs) return true;
  const auto slopes = per_unit(device.plan_timing(std::move(slope_request)), check.units());
  const Samples taken = slopes->take(kMostHotSamples, kHotTime);
  if (!good(taken, result)) return false;
  result.headline.slope = Headline::Slope{median(taken.elapsed_us), taken.floor_us};
  return true;
}

bool measure_end_to_end(Device& device, const ValidatedLaunches& check, HeadlineResult& result) {
  Headline::EndToEnd& times = result.headline.end_to_end.emplace();
  for (const TimingMode mode : {TimingMode::kEndToEnd, TimingMode::kEndToEndUncached}) {
    TimingRequest request = check.cold_request();
    request.mode = mode;
    const auto plan = per_unit(device.plan_timing(std::move(request)), check.units());
    const Samples taken = plan->take(kEndToEndSamples, kHotTime);
    if (!good(taken, result)) return false;
    (mode == TimingMode::kEndToEnd ? times.cached_us : times.uncached_us) =
        median(taken.elapsed_us);
  }
  return true;
}

}  // namespace

HeadlineResult measure_headline(Device& device, const ValidatedLaunches& check, double about_us) {
  HeadlineResult result;
  if (!measure_cold(device, check, about_us, result)) return result;
  if (!measure_end_to_end(device, check, result)) return result;
  // In a chain nothing restores in-out arguments, and a sum that keeps growing is different work.
  if (!check.inputs().first().restores().empty()) return result;
  (void)measure_chains(device, check, about_us, result);
  // Without a pause a kernel may be slowed down by the power that it draws. Its cold time is valid
  // all the same.
  if (result.status == Status::kNoisy) result.status = Status::kOk;
  return result;
}

}  // namespace warpwright
