#include "search/pareto_search.h"

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "core/error.h"
#include "stats/median.h"
#include "stats/split_mix.h"

namespace warpwright {
namespace {

// The number of answers with costs that are collected before any is passed on, to estimate the
// usual scale.
constexpr std::size_t kFirstAnswers = 8;
// The weight of the sum that is added to the maximum, so that the better sum wins among equal
// maxima.
constexpr double kAugmented = 0.05;
// The weight of the objective that a direction leans towards.
constexpr double kLeaning = 0.8;
// Keeps the exponential of a cost finite.
constexpr double kMaxWorse = 300;

using Weights = std::vector<double>;

std::vector<Weights> draw_directions(std::size_t objectives, std::uint64_t seed) {
  const double even = 1.0 / static_cast<double>(objectives);
  std::vector<Weights> directions = {Weights(objectives, even)};
  for (std::size_t leaning = 0; leaning < objectives; ++leaning) {
    directions.emplace_back(objectives, (1 - kLeaning) / static_cast<double>(objectives - 1));
    directions.back()[leaning] = kLeaning;
  }
  SplitMix64 random(seed);
  for (std::size_t i = 0; i < objectives; ++i) {
    // Uniform over all weights that add up to one.
    Weights& weights = directions.emplace_back();
    double sum = 0;
    for (std::size_t at = 0; at < objectives; ++at)
      sum += weights.emplace_back(-std::log(1 - random.uniform()) + 1e-9);
    for (double& weight : weights) weight /= sum;
  }
  return directions;
}

// Measures how much worse a cost is than the best of the first answers, in units of the median
// difference among those: by ratios if all of them are positive, by differences otherwise.
class Scale {
 public:
  explicit Scale(const std::vector<double>& first)
      : best_(*std::min_element(first.begin(), first.end())), ratios_(best_ > 0) {
    std::vector<double> apart;
    for (const double cost : first) apart.push_back(distance(cost));
    unit_ = median(apart);
    if (unit_ <= 0) unit_ = *std::max_element(apart.begin(), apart.end());
    if (unit_ <= 0) unit_ = 1;
  }
  [[nodiscard]] double worse(double cost) const {
    return std::clamp(distance(cost) / unit_, -kMaxWorse, kMaxWorse);
  }

 private:
  [[nodiscard]] double distance(double cost) const {
    if (!ratios_) return cost - best_;
    return cost > 0 ? std::log(cost / best_) : -kMaxWorse;
  }
  double best_;
  bool ratios_;
  double unit_ = 1;
};

class ParetoSearch : public Strategy {
 public:
  ParetoSearch(const std::string& name, const SearchSpace& space, StrategyOptions options,
               std::size_t objectives)
      : objectives_(objectives), weights_(draw_directions(objectives, options.seed)) {
    if (options.budget)
      options.budget = std::max<std::uint64_t>(1, *options.budget / weights_.size());
    for (std::size_t i = 0; i < weights_.size(); ++i) {
      strategies_.push_back(make_strategy(name, space, options));
      ++options.seed;
    }
    done_.resize(weights_.size(), false);
  }

  std::optional<std::uint64_t> ask() override {
    for (std::size_t tried = 0; tried < strategies_.size(); ++tried) {
      const std::size_t at = turn_;
      turn_ = (turn_ + 1) % strategies_.size();
      while (!done_[at]) {
        const std::optional<std::uint64_t> index = strategies_[at]->ask();
        if (!index) {
          done_[at] = true;
        } else if (asked_.insert(*index).second) {
          asker_ = strategies_[at]->asker();
          return index;
        }
        // The configuration was proposed by another direction, whose answer has arrived or will
        // arrive.
      }
    }
    return std::nullopt;
  }

  void tell(const Answer& answer) override {
    if (answer.costs.empty()) return tell_all(answer.index, nullptr);
    WARPWRIGHT_CHECK(answer.costs.size() == objectives_, "a cost for every objective");
    if (!scales_.empty()) return tell_all(answer.index, &answer.costs);
    first_.push_back(answer);
    if (first_.size() < kFirstAnswers) return;
    for (std::size_t i = 0; i < objectives_; ++i) {
      std::vector<double> costs;
      for (const Answer& one : first_) costs.push_back(one.costs[i]);
      scales_.emplace_back(costs);
    }
    for (const Answer& one : first_) tell_all(one.index, &one.costs);
    first_.clear();
  }

  // Each direction learns for itself how useful the costs of a source are to it.
  void believe(std::size_t source, std::uint64_t index, double cost) override {
    for (const std::unique_ptr<Strategy>& strategy : strategies_)
      strategy->believe(source, index, cost);
  }

  [[nodiscard]] std::string asker() const override { return asker_; }

 private:
  void tell_all(std::uint64_t index, const std::vector<double>* costs) {
    for (std::size_t i = 0; i < strategies_.size(); ++i) {
      Answer answer{index};
      if (costs != nullptr) answer.cost = cost(weights_[i], *costs);
      strategies_[i]->tell(answer);
    }
  }

  // The cost is positive, and its logarithm is the norm, so ratios of costs are differences of the
  // norm.
  [[nodiscard]] double cost(const Weights& weights, const std::vector<double>& costs) const {
    double most = -kMaxWorse;
    double sum = 0;
    for (std::size_t i = 0; i < objectives_; ++i) {
      const double worse = weights[i] * scales_[i].worse(costs[i]);
      most = std::max(most, worse);
      sum += worse;
    }
    return std::exp(std::clamp(most + kAugmented * sum, -kMaxWorse, kMaxWorse));
  }

  std::size_t objectives_;
  std::vector<Weights> weights_;  // of each direction
  std::vector<std::unique_ptr<Strategy>> strategies_;
  std::vector<bool> done_;
  std::size_t turn_ = 0;
  std::string asker_;
  std::unordered_set<std::uint64_t> asked_;
  std::vector<Answer> first_;  // until their scales are known
  std::vector<Scale> scales_;  // of each objective
};

}  // namespace

std::unique_ptr<Strategy> make_pareto_search(const std::string& name, const SearchSpace& space,
                                             const StrategyOptions& options,
                                             std::size_t objectives) {
  WARPWRIGHT_CHECK(objectives > 1, "a front has several objectives");
  return std::make_unique<ParetoSearch>(name, space, options, objectives);
}

}  // namespace warpwright
