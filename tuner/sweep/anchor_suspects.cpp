#include "sweep/anchor_suspects.h"

#include <cmath>
#include <utility>

namespace warpwright {

std::vector<AnchorSuspects::Suspect> AnchorSuspects::heed(const TrialSource::Question& question,
                                                          const std::string& code,
                                                          const Outcome& outcome,
                                                          std::size_t device) {
  Place& place = boards_[question.board][device];
  const bool timed = outcome.status == Status::kOk || outcome.status == Status::kPruned ||
                     outcome.status == Status::kImpossible;
  if (timed && outcome.same_as.empty() && !outcome.samples_us.empty())
    place.since_look.push_back({question, code, device});
  if (std::isnan(outcome.anchor_drift)) return {};
  std::vector<Suspect> suspects = std::exchange(place.since_look, {});
  if (!outcome.anchor_moved) return {};
  std::erase_if(suspects, [&](const Suspect& suspect) {
    return !place.repeated.insert(suspect.question.index).second;
  });
  return suspects;
}

}  // namespace warpwright
