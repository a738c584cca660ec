#include "stats/random_search.h"

#include <algorithm>

namespace warpwright {
namespace {

constexpr double kSlowdownRounding = 1e-12;
// A difference of scores, which are at most 1, below which terms are ignored.
constexpr double kNegligible = 1e-17;

}  // namespace

bool within_of_best(double slowdown, double fraction) {
  return slowdown <= 1 + fraction + kSlowdownRounding;
}

RandomSearch::RandomSearch(std::vector<double> times, std::size_t configurations)
    : scores_(std::move(times)), configurations_(configurations) {
  std::sort(scores_.begin(), scores_.end());
  const double best = scores_.front();
  for (double& score : scores_) score = best / score;
}

double RandomSearch::expected_score(std::size_t draws) const {
  const std::size_t all = configurations_;
  const std::size_t taken = std::min(draws, all);
  if (taken == 0) return 0;
  double chance = static_cast<double>(taken) / static_cast<double>(all);
  double expected = 0;
  for (std::size_t rank = 1; rank <= scores_.size(); ++rank) {
    expected += chance * scores_[rank - 1];
    // Stop if the draws no longer fit into the configurations slower than this rank.
    if (all - rank < taken) break;
    // Both chances and scores fall from rank to rank.
    const auto left = static_cast<double>(scores_.size() - rank);
    if (chance * left * scores_[rank - 1] < kNegligible) break;
    chance *= static_cast<double>(all - rank - (taken - 1)) / static_cast<double>(all - rank);
  }
  return expected;
}

double RandomSearch::expected_area(std::size_t budget) const {
  double sum = 0;
  for (std::size_t draws = 1; draws <= budget; ++draws) {
    // From here on, every configuration is drawn.
    if (draws >= configurations_)
      return (sum + static_cast<double>(budget - draws + 1) * expected_score(configurations_)) /
             static_cast<double>(budget);
    sum += expected_score(draws);
  }
  return sum / static_cast<double>(budget);
}

double RandomSearch::chance_within(double fraction, std::size_t draws) const {
  const auto first_beyond = std::find_if(scores_.begin(), scores_.end(), [&](double score) {
    return !within_of_best(1 / score, fraction);
  });
  const auto good = static_cast<std::size_t>(first_beyond - scores_.begin());
  const std::size_t taken = std::min(draws, configurations_);
  if (good > configurations_ - taken) return 1;
  double none = 1;
  for (std::size_t i = 0; i < good; ++i) {
    none *=
        static_cast<double>(configurations_ - taken - i) / static_cast<double>(configurations_ - i);
  }
  return 1 - none;
}

}  // namespace warpwright
