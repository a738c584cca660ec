#include "sweep/anchors.h"

#include <cmath>
#include <utility>

namespace warpwright {
namespace {

// Accepts a time that was measured and is this configuration's own.
bool is_usable(const TrialRecord& trial) {
  return trial.status == Status::kOk && trial.median_us && *trial.median_us > 0 &&
         trial.ci_low_us && *trial.ci_low_us > 0 && trial.ci_high_us && !trial.modelled &&
         !trial.same_as;
}

}  // namespace

void KindAnchors::asked(const TrialSource::Question& question) {
  Board& board = boards_[question.board];
  if (!board.anchor) board.asked.push_back(question.index);
}

std::optional<std::uint64_t> KindAnchors::answered(const TrialSource::Question& question,
                                                   const TrialRecord& trial) {
  Board& board = boards_[question.board];
  if (board.anchor) return std::nullopt;
  board.usable[question.index] = is_usable(trial);
  for (const std::uint64_t index : board.asked) {
    const auto answer = board.usable.find(index);
    if (answer == board.usable.end()) return std::nullopt;  // it may yet be the first
    if (!answer->second) continue;
    board.anchor = index;
    board.asked.clear();
    board.usable.clear();
    std::erase_if(board.times, [&](const auto& entry) { return entry.first != index; });
    return index;
  }
  return std::nullopt;
}

void KindAnchors::note(std::size_t board, std::uint64_t index, std::size_t device,
                       const TrialRecord& trial) {
  if (!is_usable(trial) || boards_[board].anchor.value_or(index) != index) return;
  boards_[board].times[index][device] = {*trial.median_us, *trial.ci_low_us, *trial.ci_high_us};
}

bool KindAnchors::has_timed(std::size_t board, std::size_t device) const {
  const auto& [asked, usable, anchor, times] = boards_[board];
  const auto of_anchor = times.find(anchor.value());
  return of_anchor != times.end() && of_anchor->second.contains(device);
}

std::optional<GpuDifference> KindAnchors::difference(std::size_t device,
                                                     std::size_t reference) const {
  double sum = 0, squares = 0;
  std::size_t anchors = 0;
  const auto half_width = [](const Time& time) {
    return (std::log(time.high_us) - std::log(time.low_us)) / 2;
  };
  for (const Board& board : boards_) {
    if (!board.anchor) continue;
    const auto times = board.times.find(*board.anchor);
    if (times == board.times.end()) continue;
    const auto one = times->second.find(device);
    const auto other = times->second.find(reference);
    if (one == times->second.end() || other == times->second.end()) continue;
    ++anchors;
    sum += std::log(one->second.median_us / other->second.median_us);
    squares += std::pow(half_width(one->second), 2) + std::pow(half_width(other->second), 2);
  }
  if (anchors == 0) return std::nullopt;
  const auto count = static_cast<double>(anchors);
  const double mean = sum / count, half = std::sqrt(squares) / count;
  return GpuDifference{std::expm1(mean), std::expm1(mean - half), std::expm1(mean + half), anchors};
}

std::vector<AnchorSuspects::Suspect> AnchorSuspects::trial_ended(
    const TrialSource::Question& question, const std::string& code, const Outcome& outcome,
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
