#include "trial/timing/race.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/error.h"
#include "stats/final_ranking.h"
#include "stats/median.h"
#include "stats/split_mix.h"
#include "trial/timing/measure.h"
#include "trial/timing/validity.h"

namespace warpwright {
namespace {

using Clock = std::chrono::steady_clock;

// The approximate time of overwriting L2 before every sample; a turn's length need not be exact.
constexpr double kBetweenTurnsUs = 40;
constexpr int kMaxSamplesPerTurn = 20;
constexpr int kRoundsBetweenLooks = 10;
// Spending this multiple of the time limit counts as long.
constexpr int kLong = 4;

void shuffle(std::vector<std::size_t>& order, SplitMix64& random) {
  for (std::size_t i = order.size(); i > 1; --i)
    std::swap(order[i - 1], order[random.below(static_cast<std::uint32_t>(i))]);
}

}  // namespace

int samples_per_turn(double about_us, double block_us) {
  const double wanted = std::ceil(block_us / (about_us + kBetweenTurnsUs));
  return static_cast<int>(std::clamp(wanted, 1.0, 1.0 * kMaxSamplesPerTurn));
}

Race run_race(Device& device, const std::vector<std::unique_ptr<TimingPlan>>& plans,
              const std::vector<double>& about_us, const RaceOptions& options) {
  WARPWRIGHT_CHECK(plans.size() == about_us.size() && !plans.empty(), "every plan has a time");
  Race race;
  device.warm_up();
  ValidityWatch watch(device);
  SplitMix64 random(options.seed);
  const auto everyone = [&] {
    std::vector<std::size_t> all(plans.size());
    std::iota(all.begin(), all.end(), 0);
    return all;
  };
  std::vector<std::size_t> order = everyone();  // the remaining configurations
  const int first_look = std::min(rounds_to_leave(plans.size()), options.fewest_rounds);
  const int fewest = std::min(rounds_to_exclude(plans.size()), options.fewest_rounds);
  int looks = 0;
  const auto start = Clock::now();
  const auto rounds = [&] { return static_cast<int>(race.round_us.size()); };
  while (rounds() < options.most_rounds && !watch.noisy()) {
    const auto spent = Clock::now() - start;
    if (spent > options.time_limit && rounds() >= first_look) break;
    if (spent > kLong * options.time_limit && rounds() >= fewest) break;
    // A device that is far too slow for the fewest rounds still ends.
    if (spent > options.hard_limit && rounds() >= 1) break;
    shuffle(order, random);
    std::vector<double> round(plans.size(), kNoTime);
    bool disturbed = false, paced = false;
    watch.begin_block();
    for (const std::size_t plan : order) {
      const int samples = samples_per_turn(about_us[plan], options.block_us);
      const Samples taken = plans[plan]->take(samples, options.time_limit);
      if (taken.status != Status::kOk) {
        race.status = taken.status;
        race.reason = taken.reason;
        race.device_lost = taken.device_lost;
        race.failed = plan;
        return race;
      }
      disturbed |= taken.disturbed;
      paced |= taken.paced;
      race.protocol = taken.protocol;
      race.floor_us = taken.floor_us;
      round[plan] = without_floor(median(taken.elapsed_us), taken.floor_us, taken.units);
    }
    if (!watch.end_block(disturbed, paced)) continue;
    if (watch.risen()) {
      // Configurations that dropped out were judged by times of a slower device.
      const bool all_in = order.size() == plans.size();
      race.round_us.clear();
      looks = 0;
      order = everyone();
      if (!all_in) continue;
    }
    race.round_us.push_back(std::move(round));
    const bool regular = rounds() >= options.fewest_rounds && rounds() % kRoundsBetweenLooks == 0;
    if (rounds() != first_look && !regular) continue;
    const std::vector<std::size_t> leaving = may_leave(race.round_us, looks++);
    if (leaving.size() < order.size()) {
      for (const std::size_t plan : leaving) std::erase(order, plan);
    }
    if (!leaving.empty() && order.size() == 1) break;
    if (regular && rank_final(race.round_us).half_width <= options.half_width) break;
  }
  race.validity = watch.seen();
  if (watch.noisy() || race.round_us.empty()) {
    race.status = Status::kNoisy;
    race.reason = watch.describe();
  }
  return race;
}

}  // namespace warpwright
