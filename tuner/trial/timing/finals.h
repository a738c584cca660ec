// The final ranking of one problem, on the device: the finalists of a sweep race in rounds
// (trial/timing/race.h), the winner and its tie set are decided (stats/final_ranking.h), and the
// winner gets its headline. Every finalist was validated in its own trial, is validated again
// before the race, and the winner once more after it.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "compile/compile_job.h"
#include "device/device.h"
#include "records/configuration.h"
#include "records/times.h"
#include "spec/kernel_spec.h"
#include "stats/final_ranking.h"
#include "trial/data/problem_data.h"
#include "trial/data/problem_inputs.h"
#include "trial/launch/trial_options.h"
#include "trial/timing/race.h"
#include "trial/validation/validated_launches.h"

namespace warpwright {

// The headline of one configuration, the winner of a final ranking: cold with a narrow interval,
// hot, the slope for short kernels, end to end, and energy. Figures that the device or the kernel
// does not allow stay empty, and a failure is described once in `reason`.

// Below this a kernel's time is mostly launch overhead, so the slope is measured as well.
inline constexpr double kShortKernelUs = 20;

struct HeadlineResult {
  Status status = Status::kOk;
  std::string reason;
  bool device_lost = false;
  // Hot and slope are not taken with in-out arguments: nothing restores them in a chain.
  Headline headline;
};
// `about_us` is the approximate time of a cold run of the launches; the times of the headline are
// for one unit of their work.
[[nodiscard]] HeadlineResult measure_headline(Device& device, const ValidatedLaunches& check,
                                              double about_us);

struct Finalist {
  Configuration configuration;
  CompileResult compiled;
  double about_us = 0;     // its time in the sweep
  bool incumbent = false;  // the winner of an earlier ranking
};
void to_json(nlohmann::json& json, const Finalist& finalist);
void from_json(const nlohmann::json& json, Finalist& finalist);

struct FinalsOutcome {
  Status status = Status::kOk;  // kNoisy when the device was not steady
  std::string reason;
  bool worker_lost = false;
  std::optional<std::size_t> failed;          // the finalist at fault, when one is
  std::vector<std::vector<double>> round_us;  // [round][finalist], corrected for the floor
  std::string protocol;
  double floor_us = 0;
  FinalRanking ranking;              // of round_us; not sent, because it is computed from them
  std::size_t winner = 0;            // a finalist
  std::string decided_by;            // the tie-breaker: "fewer registers"; empty when nothing tied
  std::optional<Headline> headline;  // of the winner; none when it could not be measured
  double seconds = 0;
};
void to_json(nlohmann::json& json, const FinalsOutcome& outcome);
void from_json(const nlohmann::json& json, FinalsOutcome& outcome);

// Returns the inputs of a configuration. Configurations that compute the same share their inputs,
// and all returned inputs must stay valid during further calls.
using FinalistData = std::function<ProblemInputs&(const Configuration&)>;

[[nodiscard]] FinalsOutcome run_finals(const KernelSpec& kernel, Device& device,
                                       const TrialOptions& options, const FinalistData& data_of,
                                       const std::vector<Finalist>& finalists,
                                       const RaceOptions& race_options);

}  // namespace warpwright
