#include "trial/timing/take_headline.h"

#include <algorithm>
#include <cstring>

#include "core/error.h"
#include "stats/median.h"
#include "trial/timing/energy.h"
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
constexpr milliseconds kEnergyTime{450};
// More sets of buffers than these add nothing; only tiny problems use that many.
constexpr std::size_t kMostSets = 64;

// Enough sets of buffers that what is in flight exceeds twice L2, as far as memory allows.
std::size_t wanted_sets(Device& device, const ProblemData& data) {
  const std::size_t bytes = std::max<std::size_t>(data.device_bytes(), 1);
  const auto l2 = static_cast<std::size_t>(std::max<std::int64_t>(device.info().l2_bytes, 0));
  const std::size_t wanted = 2 * l2 / bytes + 1;
  const std::size_t affordable = 1 + device.free_bytes() / 2 / bytes;
  return std::min({wanted, affordable, kMostSets});
}

// The launches on another set of buffers. Pointers are found by value: an argument of eight bytes
// that equals the address of an array is that array. Tensor maps are encoded for the other array.
LaunchSequence moved(Device& device, const std::vector<DeviceLaunch>& launches,
                     const BufferSet& set) {
  LaunchSequence sequence = launches;
  for (DeviceLaunch& launch : sequence) {
    for (std::vector<std::byte>& argument : launch.arguments) {
      std::uint64_t value = 0;
      if (argument.size() != sizeof value) continue;
      std::memcpy(&value, argument.data(), sizeof value);
      const auto found = set.moved.find(value);
      if (found != set.moved.end())
        std::memcpy(argument.data(), &found->second, sizeof found->second);
    }
    for (TensorMapArgument& map : launch.tensor_maps) {
      const auto found = set.moved.find(map.array);
      if (found == set.moved.end()) continue;
      map.request.address += found->second - map.array;
      map.array = found->second;
      const EncodedTensorMap encoded = device.encode(map.request);
      WARPWRIGHT_CHECK(encoded.status == Status::kOk,
                       "a tensor map that was encoded for one array can be for its copy");
      launch.arguments[map.argument].assign(encoded.bytes.begin(), encoded.bytes.end());
    }
  }
  return sequence;
}

// Puts a failure into the result; true when there was none.
template <typename From>
bool good(const From& from, HeadlineResult& result) {
  if (from.status == Status::kOk) return true;
  result.status = from.status;
  result.reason = from.reason;
  result.device_lost = from.device_lost;
  return false;
}

bool measure_cold(Device& device, const TrialValidation& check, ProblemData& data, double about_us,
                  HeadlineResult& result) {
  TimingRequest request;
  request.rotation = {check.launches()};
  request.restore = data.restores();
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

bool measure_chains(Device& device, const TrialValidation& check, ProblemData& data,
                    double about_us, HeadlineResult& result) {
  const std::vector<DeviceLaunch>& launches = check.launches();
  std::vector<BufferSet> sets;
  TimingRequest hot_request;
  hot_request.mode = TimingMode::kHot;
  hot_request.rotation = {launches};
  const std::size_t wanted = wanted_sets(device, data);
  for (std::size_t i = 1; i < wanted; ++i) {
    sets.push_back(data.copy_buffers());
    hot_request.rotation.push_back(moved(device, launches, sets.back()));
  }
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
  result.headline.energy_mj_per_launch = energy_per_launch_mj(device, *plan, kEnergyTime);
  if (const double power = device.state().power_w; power > result.headline.power_w)
    result.headline.power_w = power;

  if (about_us >= kShortKernelUs) return true;
  const auto slopes = per_unit(device.plan_timing(std::move(slope_request)), check.units());
  const Samples taken = slopes->take(kMostHotSamples, kHotTime);
  if (!good(taken, result)) return false;
  result.headline.slope = Headline::Slope{median(taken.elapsed_us), taken.floor_us};
  return true;
}

bool measure_end_to_end(Device& device, const TrialValidation& check, ProblemData& data,
                        HeadlineResult& result) {
  Headline::EndToEnd& times = result.headline.end_to_end.emplace();
  for (const TimingMode mode : {TimingMode::kEndToEnd, TimingMode::kEndToEndUncached}) {
    TimingRequest request;
    request.mode = mode;
    request.rotation = {check.launches()};
    request.restore = data.restores();
    const auto plan = per_unit(device.plan_timing(std::move(request)), check.units());
    const Samples taken = plan->take(kEndToEndSamples, kHotTime);
    if (!good(taken, result)) return false;
    (mode == TimingMode::kEndToEnd ? times.cached_us : times.uncached_us) =
        median(taken.elapsed_us);
  }
  return true;
}

}  // namespace

HeadlineResult measure_headline(Device& device, const TrialValidation& check, ProblemData& data,
                                double about_us) {
  HeadlineResult result;
  if (!measure_cold(device, check, data, about_us, result)) return result;
  if (!measure_end_to_end(device, check, data, result)) return result;
  // In a chain nothing restores in-out arguments, and a sum that keeps growing is different work.
  if (!data.restores().empty()) return result;
  (void)measure_chains(device, check, data, about_us, result);
  // Without a pause a kernel may be slowed down by the power that it draws. What it takes cold is
  // known all the same.
  if (result.status == Status::kNoisy) result.status = Status::kOk;
  return result;
}

}  // namespace warpwright
