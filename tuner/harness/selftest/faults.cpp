#include "harness/selftest/faults.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

namespace warpwright {
namespace {

constexpr const char* kConfig = "harness_faults.yaml";
constexpr const char* kGood = "scaled";
constexpr std::size_t kBad = 3;

// Whether a trial of a bad variant ended in an expected way.
bool ended_as_expected(const std::string& variant, Status status) {
  if (variant == "hang") return status == Status::kTimeout;
  return status == Status::kLaunchFailed || status == Status::kCrashed;
}

}  // namespace

std::vector<Figure> fault_figures(const SweepResult& with, const SweepResult& without) {
  const std::string size = fmt::format("{} configurations", with.trials.size());
  const auto good = static_cast<std::size_t>(
      std::count_if(without.trials.begin(), without.trials.end(),
                    [](const SweptTrial& trial) { return trial.configuration.variant == kGood; }));
  const auto ranked = static_cast<std::size_t>(std::count_if(
      with.ranked.begin(), with.ranked.end(),
      [](const Configuration& configuration) { return configuration.variant == kGood; }));
  Figure complete{"faults", "good ones ranked", size, 0, "", {}, {}};
  complete.target = Target::at_least(static_cast<double>(std::max<std::size_t>(good, 1)));
  complete.detail = fmt::format("the sweep ended: {}", with.ended);
  if (with.ended == "complete")
    complete.value = static_cast<double>(ranked);
  else
    complete.value = std::numeric_limits<double>::quiet_NaN();

  std::size_t named = 0;
  std::string ends;
  for (const SweptTrial& trial : with.trials) {
    if (trial.configuration.variant == kGood) continue;
    if (ended_as_expected(trial.configuration.variant, trial.status)) ++named;
    ends += fmt::format("{}{} {}", ends.empty() ? "" : ", ", trial.configuration.variant,
                        status_name(trial.status));
  }
  const Figure statuses{
      "faults", "bad ones named", size, static_cast<double>(named), "", Target::between(kBad, kBad),
      ends};

  const Figure lost{
      "faults",
      "time lost to them",
      size,
      with.wall_seconds - without.wall_seconds,
      "s",
      Target::at_most(30),
      fmt::format("{:.1f} s with them, {:.1f} s without", with.wall_seconds, without.wall_seconds)};
  return {complete, statuses, lost};
}

SectionResult run_faults(const Workers& workers, const RunSweep& sweep) {
  SectionResult result;
  SweepOptions options;
  // A pruned configuration would be missing for a reason unrelated to faults.
  options.screening = false;
  workers.step("a sweep with kernels that hang, crash and stray");
  const SweepResult with = sweep(kConfig, options);
  workers.step("the same sweep without them");
  options.overrides = {fmt::format("variant={}", kGood)};
  const SweepResult without = sweep(kConfig, options);
  result.figures = fault_figures(with, without);
  result.raw = {{"with", with}, {"without", without}};
  result.protocols = {with.protocol, without.protocol};
  return result;
}

}  // namespace warpwright
