// The consequences of trials that are in the database, stored now or earlier: the search learns
// from them, they become candidates of the final ranking, a configuration that cost too many
// workers is quarantined, and trials are asked for again on other GPUs or because an anchor has
// moved.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "sweep/anchors.h"
#include "sweep/gpu_comparison.h"
#include "sweep/ranking_stage.h"
#include "sweep/stored_trials.h"
#include "sweep/sweep_plan.h"
#include "sweep/sweep_search.h"
#include "sweep/sweep_workers.h"
#include "terminal/progress.h"
#include "workers/watchdog.h"

namespace warpwright {

class TrialResults {
 public:
  // What is asked for in consequence of a result.
  struct Requests {
    // Time a configuration that was already asked about on another device of the group.
    std::function<void(std::size_t board, GpuComparison::Guest guest)> invite;
    // Time a trial again on its device.
    std::function<void(const AnchorSuspects::Suspect& suspect)> repeat;
    // The configuration is not to be run any more.
    std::function<void(const std::string& configuration)> quarantine;
  };

  // All references must outlive this.
  TrialResults(const SweepPlan& plan, SweepSearch& search, RankingStage& ranking,
               SweepWorkers& workers, Progress& progress, Requests requests);

  // A question was asked. Must be called in the order of the questions.
  void asked(const TrialSource::Question& question) { comparison_.asked(question); }
  // A trial of this sweep was stored.
  void stored(const TrialTask& task, const TrialRecord& trial);
  // The database held the trial already.
  void known(const TrialTask& task, const KnownTrial& stored);
  // A trial of this sweep has ended and is stored.
  void ended(const TrialTask& task, const Outcome& outcome);
  // From now on nothing is asked for again.
  void stop() { stopped_ = true; }

  // Returns why the configuration is not run; nullopt when it may run.
  [[nodiscard]] std::optional<std::string> quarantined(const std::string& configuration) const {
    return quarantine_.reason(configuration);
  }
  [[nodiscard]] const GpuComparison& comparison() const { return comparison_; }
  // Returns the number of questions that are answered.
  [[nodiscard]] std::size_t trials() const { return trials_; }
  void add_to(SweepSummary& summary) const;

 private:
  void answer(const TrialSource::Question& question, const TrialRecord& trial, std::size_t device);
  // Records a time on this device that answers no question.
  void note_time(const TrialSource::Question& question, const TrialRecord& trial,
                 std::size_t device);

  const SweepPlan& plan_;
  SweepSearch& search_;
  RankingStage& ranking_;
  SweepWorkers& workers_;
  Progress& progress_;
  const Requests requests_;
  Quarantine quarantine_;
  AnchorSuspects suspects_;
  GpuComparison comparison_;
  std::size_t trials_ = 0, resumed_ = 0;
  std::map<Status, std::size_t> by_status_;
  bool stopped_ = false;
};

}  // namespace warpwright
