// A request to a measuring worker: one of six kinds, each with exactly the data it needs. Every
// request is answered with an Outcome.
#pragma once

#include <chrono>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <variant>
#include <vector>

#include "compile/compile_job.h"
#include "records/configuration.h"
#include "trial/timing/finals.h"
#include "trial/timing/gate.h"
#include "trial/trial_runner.h"
#include "trial/validation/vet_schedules.h"

namespace warpwright {

// A configuration on a problem, with the contract's cases, all of them compiled.
struct CompiledTrial {
  Configuration configuration;
  Problem problem;
  CompileResult compiled;
  std::vector<TrialRunner::CompiledCase> cases;
};
void to_json(nlohmann::json& json, const CompiledTrial& trial);
void from_json(const nlohmann::json& json, CompiledTrial& trial);

// Checked, then timed.
struct TrialToTime {
  CompiledTrial trial;
  std::optional<double> best_us;  // of the best configuration so far on this problem
  bool energy = false;            // count the energy of a launch, too
};
void to_json(nlohmann::json& json, const TrialToTime& asked);
void from_json(const nlohmann::json& json, TrialToTime& asked);
// Checked, then kept ready for samples. Without a clock: timed, as TrialToTime is.
struct TrialToKeep {
  CompiledTrial trial;
};
void to_json(nlohmann::json& json, const TrialToKeep& asked);
void from_json(const nlohmann::json& json, TrialToKeep& asked);
// Checked, then compared with a baseline (Outcome::gate()).
struct TrialToCompare {
  CompiledTrial trial;
  GateRequest baseline;
};
void to_json(nlohmann::json& json, const TrialToCompare& asked);
void from_json(const nlohmann::json& json, TrialToCompare& asked);
// Run once on a device without a clock, for the time by its model; nothing is checked.
struct TrialToModel {
  CompiledTrial trial;
  std::uint64_t sample_blocks = 0;  // blocks of every launch; 0: all
};
void to_json(nlohmann::json& json, const TrialToModel& asked);
void from_json(const nlohmann::json& json, TrialToModel& asked);
// The cases alone, under many schedules (Outcome::vet()).
struct CasesToVet {
  Configuration configuration;
  std::vector<TrialRunner::CompiledCase> cases;
  VetRequest schedules;
};
void to_json(nlohmann::json& json, const CasesToVet& asked);
void from_json(const nlohmann::json& json, CasesToVet& asked);
// The final ranking of a problem (Outcome::finals()).
struct FinalistsToRank {
  Problem problem;
  std::vector<Finalist> finalists;
  std::optional<std::chrono::milliseconds> time_limit;  // of the rounds; nullopt: RaceOptions'
};
void to_json(nlohmann::json& json, const FinalistsToRank& asked);
void from_json(const nlohmann::json& json, FinalistsToRank& asked);

struct MeasureRequest {
  std::variant<TrialToTime, TrialToKeep, TrialToCompare, CasesToVet, FinalistsToRank, TrialToModel>
      what;
  // Limit for every launch; 0 is the limit that the worker was set up with.
  std::chrono::milliseconds launch_time_limit{0};
};
// {"launch_time_limit_ms": 2000, "time": {...}}: one member is named after the kind of request.
void to_json(nlohmann::json& json, const MeasureRequest& request);
// Throws nlohmann::json::exception on anything else, including an unknown kind of request.
void from_json(const nlohmann::json& json, MeasureRequest& request);

}  // namespace warpwright
