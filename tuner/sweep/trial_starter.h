// Starts trials: a question of a search, a configuration that another GPU of the kind is to time as
// well, and a repetition after an anchor has moved. A trial that needs no run ends here: its result
// is stored already, its configuration is quarantined, or a strict sweep is certain to refuse it.
#pragma once

#include <cstddef>

#include "sweep/anchors.h"
#include "sweep/contract_watch.h"
#include "sweep/gpu_comparison.h"
#include "sweep/stored_trials.h"
#include "sweep/trial_builder.h"
#include "sweep/trial_pipeline.h"
#include "sweep/trial_recorder.h"
#include "sweep/trial_results.h"

namespace warpwright {

class TrialStarter {
 public:
  // All references must outlive this.
  TrialStarter(TrialBuilder builder, const StoredTrials& stored, const ContractWatch& contracts,
               TrialResults& results, TrialRecorder& recorder, TrialPipeline& pipeline)
      : builder_(std::move(builder)),
        stored_(stored),
        contracts_(contracts),
        results_(results),
        recorder_(recorder),
        pipeline_(pipeline) {}

  void start(const TrialSource::Question& question);
  void invite(std::size_t board, GpuComparison::Guest guest);
  void repeat(const AnchorSuspects::Suspect& suspect);

  // Returns how many invited and repeated trials were to be run.
  [[nodiscard]] std::size_t guests() const { return guests_; }
  [[nodiscard]] std::size_t repeated() const { return repeated_; }

 private:
  TrialBuilder builder_;
  const StoredTrials& stored_;
  const ContractWatch& contracts_;
  TrialResults& results_;
  TrialRecorder& recorder_;
  TrialPipeline& pipeline_;
  std::size_t guests_ = 0, repeated_ = 0;
};

}  // namespace warpwright
