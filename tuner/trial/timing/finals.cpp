#include "trial/timing/finals.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "core/error.h"
#include "core/expr/value.h"
#include "records/codec.h"
#include "stats/median.h"
#include "trial/timing/hot_rotation.h"
#include "trial/timing/measure.h"
#include "trial/timing/paced_plan.h"
#include "trial/validation/validated_launches.h"

namespace warpwright {
namespace {

using std::chrono::milliseconds;

constexpr double kHalfWidth = 0.005;
constexpr int kMaxColdSamples = 400;
constexpr milliseconds kColdTime{400};
constexpr int kMaxHotSamples = 40;
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
  Measurement cold = measure_steadily(device, *plan, kHalfWidth, kMaxColdSamples, kColdTime);
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
      measure_steadily(device, *plan, kHalfWidth, kMaxHotSamples, kHotTime);
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
  const Samples taken = slopes->take(kMaxHotSamples, kHotTime);
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

constexpr int kRunsBeforeTheRace = 2;

void fail(FinalsOutcome& outcome, Status status, std::string reason, bool lost,
          std::optional<std::size_t> finalist) {
  outcome.status = status;
  outcome.reason = std::move(reason);
  outcome.worker_lost = lost;
  outcome.failed = finalist;
}

WinnerCandidate candidate(const Finalist& finalist, const std::vector<DeviceLaunch>& launches) {
  WinnerCandidate candidate;
  candidate.configuration = finalist.configuration.to_string();
  candidate.incumbent = finalist.incumbent;
  for (const KernelResources& entry : finalist.compiled.resources) {
    candidate.registers = std::max(candidate.registers, static_cast<int>(entry.registers));
    for (const DeviceLaunch& launch : launches) {
      if (launch.entry != entry.entry) continue;
      const auto shared = static_cast<std::size_t>(entry.static_shared) + launch.dynamic_shared;
      candidate.shared_bytes = std::max(candidate.shared_bytes, shared);
    }
  }
  return candidate;
}

// The rule that distinguished the winner from the others in its tie.
std::string deciding_rule(const std::vector<WinnerCandidate>& tied, std::size_t winner) {
  if (tied.size() < 2) return "";
  const WinnerCandidate& first = tied[winner];
  if (first.incumbent) return "the incumbent";
  const auto alone = [&](auto key) {
    return std::count_if(tied.begin(), tied.end(), [&](const WinnerCandidate& other) {
             return key(other) == key(first);
           }) < static_cast<std::ptrdiff_t>(tied.size());
  };
  if (alone([](const WinnerCandidate& one) { return one.registers; })) return "fewer registers";
  if (alone([](const WinnerCandidate& one) { return one.shared_bytes; }))
    return "less shared memory";
  return "order of configurations";
}

// A tie only means that a configuration is not proven slower at the strict level that many
// comparisons require. To remain the winner, an incumbent must not even look slower by itself. To
// be preferred for its registers, a configuration's median must not be behind by a noticeable
// amount: with few or noisy rounds intervals are wide, and the configuration with the fewest
// registers among sixteen that tie is arbitrary.
bool may_win(const RankedConfiguration& ranked, bool incumbent) {
  constexpr double kMissed = 0.005;
  return ranked.tied && ranked.relative_low <= 1 + RankingOptions{}.indifference &&
         (incumbent || ranked.relative <= 1 + kMissed);
}

void choose(const std::vector<Finalist>& finalists,
            const std::vector<std::unique_ptr<ValidatedLaunches>>& checks, FinalsOutcome& outcome) {
  std::vector<std::size_t> tied;
  std::vector<WinnerCandidate> candidates;
  for (std::size_t i = 0; i < finalists.size(); ++i) {
    if (!may_win(outcome.ranking.configurations[i], finalists[i].incumbent)) continue;
    tied.push_back(i);
    candidates.push_back(candidate(finalists[i], checks[i]->launches()));
  }
  const std::size_t chosen = choose_winner(candidates);
  outcome.winner = tied[chosen];
  outcome.decided_by = deciding_rule(candidates, chosen);
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

WARPWRIGHT_MEMBERS(Finalist, io, finalist) {
  io("variant", finalist.configuration.variant);
  io("values", finalist.configuration.values);
  io("compiled", finalist.compiled);
  io("about_us", finalist.about_us);
  io("incumbent", finalist.incumbent);
}
WARPWRIGHT_CODEC_OF(Finalist)

WARPWRIGHT_MEMBERS(FinalsOutcome, io, outcome) {
  io.named("status", outcome.status, status_name, parse_status);
  io("reason", outcome.reason);
  io("worker_lost", outcome.worker_lost);
  io("failed", outcome.failed);
  io("round_us", outcome.round_us);
  io("protocol", outcome.protocol);
  io("floor_us", outcome.floor_us);
  io("winner", outcome.winner);
  io("decided_by", outcome.decided_by);
  io("headline", outcome.headline);
  io("seconds", outcome.seconds);
}

void to_json(nlohmann::json& json, const FinalsOutcome& outcome) {
  MemberWriter writer(json);
  visit_members(std::type_identity<FinalsOutcome>{}, writer, outcome);
}

void from_json(const nlohmann::json& json, FinalsOutcome& outcome) {
  outcome = FinalsOutcome{};
  MemberReader reader(json, "FinalsOutcome");
  visit_members(std::type_identity<FinalsOutcome>{}, reader, outcome);
  if (!outcome.round_us.empty()) outcome.ranking = rank_final(outcome.round_us);
}

FinalsOutcome run_finals(const KernelSpec& kernel, Device& device, const TrialOptions& options,
                         const FinalistData& data_of, const std::vector<Finalist>& finalists,
                         const RaceOptions& race_options) {
  const auto start = std::chrono::steady_clock::now();
  FinalsOutcome outcome;
  std::vector<std::unique_ptr<ValidatedLaunches>> checks;
  std::vector<std::unique_ptr<TimingPlan>> plans;
  std::vector<double> about_us;
  for (std::size_t i = 0; i < finalists.size(); ++i) {
    const Finalist& finalist = finalists[i];
    Device::Loaded loaded = device.load(finalist.compiled);
    if (!loaded.module) {
      fail(outcome, loaded.failure.status, loaded.failure.reason, loaded.failure.device_lost, i);
      return outcome;
    }
    checks.push_back(
        std::make_unique<ValidatedLaunches>(kernel, device, options, finalist.configuration,
                                            data_of(finalist.configuration), loaded.module));
    if (ValidationReport report = checks.back()->verify(kRunsBeforeTheRace);
        report.status != Status::kOk) {
      fail(outcome, report.status, std::move(report.reason), report.device_lost, i);
      return outcome;
    }
    TimingRequest request = checks.back()->cold_request();
    const double units = checks.back()->units();
    about_us.push_back(finalist.about_us * units);
    request.expected_us = about_us.back();
    plans.push_back(per_unit(plan_paced(device, std::move(request), about_us.back()), units));
  }

  options.enter("measure");
  Race race = run_race(device, plans, about_us, race_options);
  outcome.round_us = std::move(race.round_us);
  outcome.protocol = race.protocol;
  outcome.floor_us = race.floor_us;
  if (race.status != Status::kOk) {
    fail(outcome, race.status, std::move(race.reason), race.device_lost,
         race.status == Status::kNoisy ? std::nullopt : std::optional(race.failed));
    return outcome;
  }
  outcome.ranking = rank_final(outcome.round_us);
  choose(finalists, checks, outcome);

  options.enter("measure");
  ValidatedLaunches& winner = *checks[outcome.winner];
  HeadlineResult headline = measure_headline(device, winner, about_us[outcome.winner]);
  if (headline.status == Status::kOk) {
    outcome.headline = std::move(headline.headline);
  } else if (headline.status != Status::kNoisy) {
    fail(outcome, headline.status, std::move(headline.reason), headline.device_lost,
         outcome.winner);
    return outcome;
  }
  if (ValidationReport after = winner.verify(kRunsBeforeTheRace); after.status != Status::kOk)
    fail(outcome, after.status, "after the final ranking: " + after.reason, after.device_lost,
         outcome.winner);
  outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return outcome;
}

}  // namespace warpwright
