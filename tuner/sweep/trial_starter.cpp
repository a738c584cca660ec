#include "sweep/trial_starter.h"

#include <optional>
#include <string>
#include <utility>

namespace warpwright {

void TrialStarter::start(const TrialSource::Question& question) {
  results_.asked(question);
  BuiltTrial built = builder_.build(question);
  const Configuration& configuration = built.task.trial().configuration;
  if (const std::optional<KnownTrial> stored = stored_.find_unless_fresh(built.task))
    return results_.known(built.task, *stored);
  if (auto why = results_.quarantined(configuration.to_string()))
    return recorder_.store(built.task, outcome_without_run(Status::kCrashed, *std::move(why)));
  if (auto why = contracts_.refusal(question.board, configuration.variant)) {
    Outcome refused = outcome_without_run(Status::kInvalid, *std::move(why));
    refused.untested = true;
    return recorder_.store(built.task, refused);
  }
  pipeline_.compile(std::move(built.task), std::move(built.job));
}

void TrialStarter::invite(std::size_t board, GpuComparison::Guest guest) {
  BuiltTrial built = builder_.build({board, guest.index});
  built.task.device = guest.device;
  built.task.guest = true;
  if (const std::optional<KnownTrial> stored = stored_.find_unless_fresh(built.task))
    return results_.known(built.task, *stored);
  if (results_.quarantined(built.task.trial().configuration.to_string())) return;
  ++guests_;
  pipeline_.compile(std::move(built.task), std::move(built.job));
}

void TrialStarter::repeat(const AnchorSuspects::Suspect& suspect) {
  BuiltTrial built = builder_.build(suspect.question);
  built.task.repeated = true;
  built.task.device = suspect.device;
  built.task.code = suspect.code;
  ++repeated_;
  pipeline_.compile(std::move(built.task), std::move(built.job));
}

}  // namespace warpwright
