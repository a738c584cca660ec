// The searches of a sweep: asks them in the order of the boards, passes answers to them, and gives
// them what is known beforehand: results of other boards, and times of an emulator's time model.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "sweep/event_queue.h"
#include "sweep/model_prior.h"
#include "sweep/sweep_host.h"
#include "sweep/sweep_plan.h"
#include "sweep/trial_source.h"
#include "sweep/warm_start.h"
#include "terminal/progress.h"

namespace warpwright {

class SweepSearch {
 public:
  // All arguments must outlive this. The sweep's time counts from now.
  SweepSearch(const SweepOptions& options, const Paths& paths, SweepPlan& plan,
              const Database& database, Progress& progress, SweepHost& host);

  // Gathers the prior knowledge of all boards, and puts what was known before any board began into
  // the plan. Must be called once, before the first question.
  void gather(const std::map<std::string, std::string>& variant_hashes, CompileService& compilers,
              EventQueue& events);
  // Reports to the user what the time model will be used for.
  void announce_time_model();

  [[nodiscard]] TrialSource& source() { return source_; }
  [[nodiscard]] const TrialSource& source() const { return source_; }

  // Returns the next question for a group; nullopt when there is none now.
  [[nodiscard]] std::optional<TrialSource::Question> next(std::size_t group);
  // Passes the answer to the board's search, and to those of boards that begin later.
  void tell(const TrialSource::Question& question, const TrialRecord& trial);

  // Events of the time model. Returns false when the compile job was not the model's.
  [[nodiscard]] bool compiled(CompiledEvent& event);
  void modelled(ModelledEvent event);

  // Nothing more is modelled.
  void stop();

  // Adds the boards, the prior and the courses of the searches.
  void add_to(SweepSummary& summary);

 private:
  [[nodiscard]] bool awaits_time_model(std::size_t board);
  void begin_board(std::size_t board);
  void compare_boards(std::size_t board);

  const SweepOptions& options_;
  const Paths& paths_;
  SweepPlan& plan_;
  const Database& database_;
  Progress& progress_;
  SweepHost& host_;
  TrialSource source_;
  std::optional<WarmStart> warm_start_;                              // once gathered
  std::unique_ptr<ModelPrior> time_model_;                           // null without one
  std::map<std::size_t, SweepHost::Clock::time_point> waits_since_;  // for the model; by board
};

}  // namespace warpwright
