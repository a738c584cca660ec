#include "check/judge_race.h"

#include <fmt/format.h>

#include <cmath>

#include "stats/median.h"
#include "stats/multiple_tests.h"

namespace warpwright {
namespace {

constexpr double kFalseDiscoveries = 0.05;
// If the noise is so large that only changes of more than this many times the threshold would
// count, an unchanged result proves nothing.
constexpr double kBlunt = 3;

double median_of(const std::vector<AbbaBlock>& blocks, double AbbaBlock::*side) {
  std::vector<double> values;
  for (const AbbaBlock& block : blocks) values.push_back(block.*side);
  return values.empty() ? 0 : median_in_place(values);
}

bool is_change(GateVerdict verdict) {
  return verdict == GateVerdict::kRegression || verdict == GateVerdict::kImproved;
}

std::string_view direction(GateVerdict verdict) {
  return verdict == GateVerdict::kRegression ? "slower" : "faster";
}

std::string bounds_text(const CheckRace& race) {
  return fmt::format("{} (99 % bounds {} and {}), {:.4g} -> {:.4g} µs", percent_of(race.median_d),
                     percent_of(race.low), percent_of(race.high), race.baseline_us,
                     race.candidate_us);
}

void undecided(CheckEntry& entry, std::string message) {
  entry.state = CheckState::kInconclusive;
  entry.findings.push_back({FindingKind::kUndecided, std::move(message), std::nullopt});
}

}  // namespace

std::string percent_of(double d) { return fmt::format("{:+.2f} %", 100 * std::expm1(d)); }

RaceLook look_at(std::size_t entry, const GateOutcome& outcome, double least_slowdown,
                 double noise) {
  GateOptions options;
  options.least_delta = least_slowdown;
  RaceLook look;
  look.entry = entry;
  if (!outcome.noise_blocks.empty()) noise = aa_noise(outcome.noise_blocks);
  const GateResult result = judge_blocks(outcome.blocks, noise, options);
  look.verdict = result.verdict;
  look.blunt = result.delta > kBlunt * least_slowdown;
  CheckRace& race = look.race;
  race.median_d = result.median_d;
  race.low = result.low_bound;
  race.high = result.high_bound;
  race.delta = result.delta;
  race.noise = noise;
  race.p = race.p_adjusted = result.p;
  race.blocks = outcome.blocks.size();
  race.protocol = outcome.protocol;
  race.baseline_us = median_of(outcome.blocks, &AbbaBlock::baseline_us);
  race.candidate_us = median_of(outcome.blocks, &AbbaBlock::candidate_us);
  return look;
}

void correct_for_many(std::span<RaceLook> looks) {
  std::vector<double> p;
  for (const RaceLook& look : looks) p.push_back(look.race.p);
  const std::vector<double> adjusted = benjamini_hochberg_adjusted(p);
  for (std::size_t i = 0; i < looks.size(); ++i) {
    looks[i].race.p_adjusted = adjusted[i];
    looks[i].repeat = is_change(looks[i].verdict) && adjusted[i] <= kFalseDiscoveries;
  }
}

void settle(const RaceLook& look, const RaceLook* repeated, std::size_t comparisons,
            CheckEntry& entry) {
  entry.race = look.race;
  if (repeated != nullptr) entry.race->repeated_d = repeated->race.median_d;
  const CheckRace& race = look.race;
  if (look.verdict == GateVerdict::kInconclusive ||
      (look.verdict == GateVerdict::kOk && look.blunt)) {
    undecided(entry, fmt::format("too noisy to say: {}; a change of {:.2g} % counts, and the noise "
                                 "of one side is {:.2g} %",
                                 bounds_text(race), 100 * race.delta, 100 * race.noise));
    return;
  }
  if (!is_change(look.verdict)) {
    entry.state = CheckState::kOk;
    return;
  }
  if (!look.repeat) {
    undecided(entry, fmt::format("{}: {}, but among {} comparisons that may be chance (adjusted p "
                                 "{:.2g})",
                                 direction(look.verdict), bounds_text(race), comparisons,
                                 race.p_adjusted));
    return;
  }
  if (repeated == nullptr) {
    undecided(entry, fmt::format("{}: {}, and no fresh process could look again",
                                 direction(look.verdict), bounds_text(race)));
    return;
  }
  if (repeated->verdict == look.verdict) {
    const bool slower = look.verdict == GateVerdict::kRegression;
    entry.state = slower ? CheckState::kRegression : CheckState::kImproved;
    entry.findings.push_back(
        {slower ? FindingKind::kRegression : FindingKind::kImprovement,
         fmt::format("{}: {}; a fresh process found {}", direction(look.verdict), bounds_text(race),
                     percent_of(repeated->race.median_d)),
         std::nullopt});
    return;
  }
  const std::string overturned =
      fmt::format("one process found {}, a fresh one {}", percent_of(race.median_d),
                  percent_of(repeated->race.median_d));
  if (repeated->verdict == GateVerdict::kOk) {
    entry.state = CheckState::kOk;
    entry.findings.push_back({FindingKind::kNote, "not repeated: " + overturned, std::nullopt});
  } else {
    undecided(entry, "not repeated: " + overturned);
  }
}

}  // namespace warpwright
