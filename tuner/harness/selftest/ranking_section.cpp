#include "harness/selftest/ranking_section.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "harness/selftest/selftest_bench.h"
#include "records/codec.h"
#include "stats/final_ranking.h"
#include "trial/timing/race.h"

namespace warpwright {
namespace {

constexpr double kRankedTargetUs = 50;
constexpr int kContestants = 8;
constexpr int kRounds = 30;
constexpr int kSlowerPermille = 20;

Race race_or_throw(Device& device, const std::vector<std::unique_ptr<TimingPlan>>& plans,
                   const std::vector<double>& about_us, const RaceOptions& options) {
  Race race = run_race(device, plans, about_us, options);
  if (race.status == Status::kNoisy) race = run_race(device, plans, about_us, options);
  if (race.status != Status::kOk)
    throw environment_error(
        fmt::format("a race failed: {}: {}", status_name(race.status), race.reason));
  return race;
}

}  // namespace

WARPWRIGHT_CODEC(RaceRuns, slower_permille, protocol, about_us, race_us)

RaceRuns run_races(const Bench& bench, int races, int slower_permille) {
  const auto subject = Subject::make(bench, "spin", kRankedTargetUs);
  std::vector<std::unique_ptr<TimingPlan>> plans;
  for (int i = 0; i < kContestants; ++i) {
    const bool last = i + 1 == kContestants;
    plans.push_back(subject->kernel().plan(subject->configuration(last ? slower_permille : 0)));
  }
  RaceRuns runs;
  runs.slower_permille = slower_permille;
  runs.about_us = subject->about_us();
  const std::vector<double> about_us(plans.size(), runs.about_us);
  RaceOptions options;
  options.fewest_rounds = kRounds;
  options.most_rounds = kRounds;
  for (int i = 0; i < races; ++i) {
    options.seed = static_cast<std::uint64_t>(i + 1);
    Race race = race_or_throw(bench.device, plans, about_us, options);
    runs.protocol = race.protocol;
    runs.race_us.push_back(std::move(race.round_us));
  }
  return runs;
}

Figure equal_figure(const RaceRuns& runs) {
  std::size_t excluded = 0;
  std::size_t contestants = 0;
  for (const auto& rounds : runs.race_us) {
    for (const RankedConfiguration& one : rank_final(rounds).configurations) {
      ++contestants;
      if (!one.tied) ++excluded;
    }
  }
  return {
      "ranking",
      "equal ones excluded",
      "50 us",
      percent(excluded, contestants),
      "%",
      Target::at_most(1),
      fmt::format("{} contestants in {} races", of(excluded, contestants), runs.race_us.size())};
}

Figure slower_figure(const RaceRuns& runs) {
  std::size_t excluded = 0;
  std::size_t others = 0;
  for (const auto& rounds : runs.race_us) {
    const FinalRanking ranking = rank_final(rounds);
    for (std::size_t i = 0; i < ranking.configurations.size(); ++i) {
      if (ranking.configurations[i].tied) continue;
      ++(i + 1 == ranking.configurations.size() ? excluded : others);
    }
  }
  return {"ranking",
          fmt::format("{:g} % slower one excluded", runs.slower_permille / 10.0),
          "50 us",
          percent(excluded, runs.race_us.size()),
          "%",
          Target::at_least(95),
          fmt::format("{} races; {} equal ones excluded in them", of(excluded, runs.race_us.size()),
                      others)};
}

SectionResult run_ranking(const Workers& workers, int races) {
  SectionResult result;
  const auto ask = [&](const char* what, int slower_permille) {
    workers.step(fmt::format("races of {}", what));
    const nlohmann::json reply =
        workers.ask({{"do", "races"}, {"races", races}, {"slower_permille", slower_permille}});
    const auto runs = reply.get<RaceRuns>();
    result.protocols.insert(runs.protocol);
    result.raw[what] = reply;
    return runs;
  };
  result.figures.push_back(equal_figure(ask("equal contestants", 0)));
  result.figures.push_back(slower_figure(ask("a slower contestant", kSlowerPermille)));
  return result;
}

}  // namespace warpwright
