#include "trial/timing/abba.h"

#include <algorithm>
#include <cmath>

#include "stats/median.h"
#include "trial/timing/measure.h"
#include "trial/timing/validity.h"

namespace warpwright {
namespace {

using Clock = std::chrono::steady_clock;

// The limit on one turn, which ends a plan that hangs.
constexpr std::chrono::milliseconds kTurnLimit{10'000};

// The samples of both sides in one block.
struct Sides {
  std::vector<double> first_us;
  std::vector<double> second_us;
  bool disturbed = false;
};

// Returns false when the plan failed; `run` then holds the reason.
bool take_turn(TimingPlan& plan, int samples, std::vector<double>& into, bool& disturbed,
               AbbaRun& run) {
  const Samples taken = plan.take(samples, kTurnLimit);
  run.protocol = taken.protocol;
  if (taken.status != Status::kOk) {
    run.status = taken.status;
    run.reason = taken.reason;
    run.device_lost = taken.device_lost;
    return false;
  }
  disturbed |= taken.disturbed;
  for (const double sample : taken.elapsed_us)
    into.push_back(without_floor(sample, taken.floor_us, taken.units));
  return true;
}

bool take_block(TimingPlan& first, TimingPlan& second, int samples, Sides& sides, AbbaRun& run) {
  const auto turn_of_second = [&] {
    run.second_failed = !take_turn(second, samples, sides.second_us, sides.disturbed, run);
    return !run.second_failed;
  };
  return take_turn(first, samples, sides.first_us, sides.disturbed, run) && turn_of_second() &&
         turn_of_second() && take_turn(first, samples, sides.first_us, sides.disturbed, run);
}

}  // namespace

AbbaRun take_abba_blocks(Device& device, TimingPlan& first, TimingPlan& second, double about_us,
                         const AbbaOptions& options) {
  const double sample_us = about_us + options.between_samples_us;
  const int samples = static_cast<int>(std::max(1.0, std::ceil(options.turn_us / sample_us)));
  AbbaRun run;
  ValidityWatch watch(device);
  const auto start = Clock::now();
  const auto taken = [&] { return static_cast<int>(run.blocks.size()); };
  while (taken() < options.blocks) {
    const bool late = options.time_limit.count() > 0 && Clock::now() - start > options.time_limit;
    if (late && taken() >= options.fewest) break;
    if (options.before_block) options.before_block();
    Sides sides;
    watch.begin_block();
    if (!take_block(first, second, samples, sides, run)) return run;
    if (watch.end_block(sides.disturbed)) {
      if (watch.risen()) run.blocks.clear();
      run.blocks.push_back({median(sides.first_us), median(sides.second_us)});
    }
    if (!watch.noisy()) continue;
    run.status = Status::kNoisy;
    run.reason = watch.describe();
    break;
  }
  run.validity = watch.seen();
  return run;
}

}  // namespace warpwright
