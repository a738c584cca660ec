// The sections that run sweeps:
//   tau     whether two sweeps of one space in different orders rank it in the same way, and the
//           time that screening saves
//   picks   how often the winner of a tuning is as good as the true best
//   faults  whether a sweep with kernels that hang, crash or write to forbidden memory still times
//           all the others
#pragma once

#include <cstdint>
#include <exception>
#include <filesystem>
#include <functional>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "device/device.h"
#include "harness/selftest/section.h"
#include "records/configuration.h"
#include "spec/kernel_spec.h"
#include "sweep/sweep.h"

namespace warpwright {

// Real sweeps of the harness's own configs, each with a database of its own that is deleted
// afterwards, and the resulting leaderboard.
struct SweptTrial {
  Configuration configuration;
  Status status = Status::kOk;
  std::string reason;
  std::optional<double> median_us;
};

struct SweepResult {
  RunEnd ended = RunEnd::kComplete;
  double wall_seconds = 0;
  double measure_seconds = 0;
  double ranking_seconds = 0;
  std::string protocol;
  std::vector<SweptTrial> trials;
  std::vector<Configuration> ranked;  // in the leaderboard's order, best first
  std::vector<Configuration> tied;    // those among them that tie with the best
};
void to_json(nlohmann::json& json, const SweepResult& result);

// Reads the database of a finished sweep of one problem on one device.
[[nodiscard]] SweepResult read_sweep_result(const SweepSummary& summary);

// The user stopped a sweep: the rest of the selftest is not run.
struct Interrupted : std::exception {};

// Runs a sweep of a config of the project ("harness_spin.yaml") anew, without progress. Throws
// Error, and Interrupted when the user stopped it.
using RunSweep = std::function<SweepResult(const std::string& config, SweepOptions options)>;
[[nodiscard]] RunSweep sweep_runner(const Paths& paths, const std::string& device);

// The true times of configs/harness_spin.yaml, which are known before anything is measured: the
// contract gives the number of steps of each configuration, and time is steps times a constant.
class SpaceTruth {
 public:
  // `config` is a sweep of harness_spin's variant `space`; its first problem is used. Throws Error
  // (user).
  SpaceTruth(const std::filesystem::path& config, const std::filesystem::path& kernel_file,
             const DeviceInfo& device);

  [[nodiscard]] std::int64_t steps(const Configuration& configuration) const;
  // Its time relative to the best of the space, which has 1.
  [[nodiscard]] double relative(const Configuration& configuration) const;
  [[nodiscard]] std::uint64_t count() const { return count_; }

 private:
  KernelSpec kernel_;
  DeviceInfo device_;
  Problem problem_;
  std::uint64_t count_ = 0;
  std::int64_t best_steps_ = 0;
};

// Kendall's tau-b of the configurations that both timed.
[[nodiscard]] Figure tau_figure(const SweepResult& one, const SweepResult& other);
// The number of configurations that both rank best.
[[nodiscard]] Figure ties_figure(const SweepResult& one, const SweepResult& other);
// Measuring time of a screened sweep with its final ranking, relative to measuring everything.
[[nodiscard]] Figure screening_figure(const SweepResult& screened, const SweepResult& full);

[[nodiscard]] SectionResult run_tau(const Workers& workers, const RunSweep& sweep,
                                    std::uint64_t space_count);

// The share of tunings whose first place is within 1 % of the true best.
[[nodiscard]] Figure picks_figure(const std::vector<SweepResult>& tunings, const SpaceTruth& truth);

// Uses seeds 1 to `tunings`; the seed determines the order in which the space is tried.
[[nodiscard]] SectionResult run_picks(const Workers& workers, const RunSweep& sweep,
                                      const SpaceTruth& truth, int tunings);

// `with` had the three bad variants, `without` the good one alone.
[[nodiscard]] std::vector<Figure> fault_figures(const SweepResult& with,
                                                const SweepResult& without);
[[nodiscard]] SectionResult run_faults(const Workers& workers, const RunSweep& sweep);

}  // namespace warpwright
