#include "harness/selftest/picks.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace warpwright {
namespace {

constexpr double kGoodEnough = 1.01;

}  // namespace

Figure picks_figure(const std::vector<SweepResult>& tunings, const SpaceTruth& truth) {
  std::size_t good = 0;
  std::size_t none = 0;
  double worst = 1;
  for (const SweepResult& tuning : tunings) {
    if (tuning.ranked.empty()) {
      ++none;
      continue;
    }
    const double relative = truth.relative(tuning.ranked.front());
    worst = std::max(worst, relative);
    if (relative <= kGoodEnough) ++good;
  }
  Figure figure{"picks", "within 1 % of the true best", "", 0, "%", Target::at_least(98), {}};
  figure.size = fmt::format("{} configurations", truth.count());
  figure.value = percent(good, tunings.size());
  figure.detail = fmt::format("{} tunings; the worst pick is {:.2f} % slower than the best",
                              of(good, tunings.size()), 100 * (worst - 1));
  if (none > 0) figure.detail += fmt::format("; {} found nothing", none);
  return figure;
}

SectionResult run_picks(const Workers& workers, const RunSweep& sweep, const SpaceTruth& truth,
                        int tunings) {
  SectionResult result;
  result.raw = nlohmann::json::array();
  std::vector<SweepResult> done;
  for (int seed = 1; seed <= tunings; ++seed) {
    workers.step(fmt::format("tuning {} of {}", seed, tunings));
    SweepOptions options;
    options.strategy = "random";
    options.seed = static_cast<std::uint64_t>(seed);
    done.push_back(sweep("harness_spin.yaml", options));
    result.protocols.insert(done.back().protocol);
    nlohmann::json raw = done.back();
    raw["seed"] = seed;
    if (!done.back().ranked.empty())
      raw["pick_over_best"] = truth.relative(done.back().ranked.front());
    result.raw.push_back(std::move(raw));
  }
  result.figures.push_back(picks_figure(done, truth));
  return result;
}

}  // namespace warpwright
