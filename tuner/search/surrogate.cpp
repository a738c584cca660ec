// Search by a surrogate: a forest learns from every answer what the logarithm of the cost is likely
// to be, how sure that is, and where configurations fail; what is asked next is expected to improve
// on the best by most. `auto` lets a local search compete: of every few questions one is about a
// neighbour of a good configuration, whatever the forest believes.
// Source: D. R. Jones, M. Schonlau, W. J. Welch, Efficient Global Optimization of Expensive
// Black-Box Functions, Journal of Global Optimization 13 (1998), with the forest of F. Hutter,
// H. Hoos, K. Leyton-Brown, Sequential Model-Based Optimization for General Algorithm
// Configuration, LION 5 (2011), grown as in stats/extra_trees.h. Questions that are not answered
// yet count with what the forest believed: D. Ginsbourger, R. Le Riche, L. Carraro, Kriging is
// well-suited to parallelize optimization (2010).
#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <unordered_set>

#include "search/encoding.h"
#include "search/guided.h"
#include "search/strategies.h"
#include "stats/extra_trees.h"

namespace warpwright {
namespace {

// What is drawn at random for the forest to choose from, besides the neighbours of the best.
constexpr std::size_t kDrawn = 600;
constexpr std::size_t kBestWithNeighbours = 8;
// Local search looks around one of so many, the better the more often.
constexpr std::size_t kGood = 5;
// A spread sample takes the least alike of so many.
constexpr std::size_t kSpread = 4;
// A gain of less is not worth a question: the forest has nothing left to say. In logarithms.
constexpr double kLeastGain = 0.005;
// Below so many answers a forest is grown in no time.
constexpr std::size_t kFew = 100;
// Parents are drawn from so many, the better the more often.
constexpr std::size_t kParents = 20;
// The forest learns from the best and the newest of more answers.
constexpr std::size_t kMostRows = 1500;

double normal_density(double z) { return 0.3989422804014327 * std::exp(-0.5 * z * z); }
double normal_share(double z) { return 0.5 * std::erfc(-z * 0.7071067811865476); }

double expected_improvement(double best, double mean, double spread) {
  if (spread < 1e-9) return std::max(0.0, best - mean);
  const double z = (best - mean) / spread;
  return (best - mean) * normal_share(z) + spread * normal_density(z);
}

class Surrogate : public Guided {
 public:
  Surrogate(const SearchSpace& space, const StrategyOptions& options, std::size_t local)
      : Guided(space, options),
        encoding_(space),
        trees_(static_cast<std::size_t>(options.integer("trees", 20))),
        batch_(static_cast<std::size_t>(options.integer("batch", 3))),
        local_(std::min(local, batch_ - 1)),
        first_(static_cast<std::size_t>(options.integer("first", 14))) {
    // A small budget shall not be spent on looking around.
    if (options.budget)
      first_ = std::min(
          first_, static_cast<std::size_t>(std::ceil(0.4 * static_cast<double>(*options.budget))));
  }

 private:
  struct Seen {
    std::uint64_t index;
    double cost;
  };

  std::optional<Wish> wish() override {
    if (begun_ < first_) {
      ++begun_;
      return Wish{spread()};
    }
    if (batch_left_.empty()) plan();
    if (batch_left_.empty()) return std::nullopt;
    const std::uint64_t next = batch_left_.back();
    batch_left_.pop_back();
    return Wish{next};
  }

  void answered(std::size_t /*owner*/, std::uint64_t /*index*/, double /*cost*/) override {}

  void heard(std::uint64_t index, double cost) override {
    believed_.erase(index);
    const auto place =
        std::upper_bound(seen_.begin(), seen_.end(), cost,
                         [](double value, const Seen& seen) { return value < seen.cost; });
    if (cost < kFailed) {
      seen_.insert(place, {index, cost});
    } else {
      failed_.push_back(index);
    }
  }

  // Far from what is being asked already.
  std::uint64_t spread() {
    std::uint64_t chosen = any();
    double farthest = -1;
    for (std::size_t i = 0; i < kSpread; ++i) {
      const std::uint64_t index = any();
      const SearchSpace::Place place = space().place_at(index);
      double apart = std::numeric_limits<double>::infinity();
      for (const SearchSpace::Place& other : sample_)
        apart = std::min(apart, encoding_.distance(place, other));
      if (apart <= farthest) continue;
      farthest = apart;
      chosen = index;
    }
    sample_.push_back(space().place_at(chosen));
    return chosen;
  }

  // What is asked next, last first: while there are few answers, one question for each forest.
  void plan() {
    if (seen_.empty()) return;
    const ExtraTrees forest = learn();
    std::vector<Candidate> candidates = judge(forest);
    const std::size_t wanted = seen_.size() + failed_.size() < kFew ? 1 : batch_;
    const std::size_t most = std::min(candidates.size(), wanted);
    std::partial_sort(candidates.begin(), candidates.begin() + static_cast<std::ptrdiff_t>(most),
                      candidates.end(), [](const Candidate& a, const Candidate& b) {
                        return a.gain != b.gain ? a.gain > b.gain : a.lot < b.lot;
                      });
    std::vector<std::uint64_t> chosen;
    for (std::size_t i = 0, next = 0; i < wanted; ++i) {
      const bool is_local = turn_++ % batch_ >= batch_ - local_;
      std::optional<std::uint64_t> index = is_local ? neighbour(chosen) : std::nullopt;
      if (!index && local_ > 0 && next < most && candidates[next].gain < kLeastGain)
        index = child(chosen);
      if (!index && next < most) index = candidates[next++].index;
      if (!index || std::find(chosen.begin(), chosen.end(), *index) != chosen.end()) continue;
      chosen.push_back(*index);
      believed_[*index] = forest.predict(row_of(*index)).mean;
    }
    batch_left_.assign(chosen.rbegin(), chosen.rend());
  }

  struct Candidate {
    std::uint64_t index;
    double gain, mean;
    std::uint64_t lot;  // decides between equal gains: a forest has only so many leaves
  };

  // Factors count alike among costs above 0; others, differences do, in units of how far half of
  // them lie apart.
  [[nodiscard]] double response(double cost) const {
    const double best = seen_.front().cost;
    if (best > 0) return std::log(cost);
    const double apart = seen_[seen_.size() / 2].cost - best;
    return (cost - best) / (apart > 0 ? apart : 1);
  }

  [[nodiscard]] const std::vector<float>& row_of(std::uint64_t index) {
    std::vector<float>& row = row_;
    row.clear();
    encoding_.append(space().place_at(index), row);
    return row;
  }

  [[nodiscard]] ExtraTrees learn() {
    ExtraTreesData data(encoding_.names());
    std::size_t taken = 0;
    for (const Seen& seen : seen_) {
      if (taken++ == kMostRows) break;
      data.add(row_of(seen.index), response(seen.cost), false);
    }
    // As bad as the worst that ran.
    const double worst = response(seen_.back().cost);
    const std::size_t skipped = failed_.size() - std::min(failed_.size(), kMostRows);
    for (std::size_t i = skipped; i < failed_.size(); ++i)
      data.add(row_of(failed_[i]), worst, true);
    // In an order of their own, since that of the map is nobody's.
    std::vector<std::pair<std::uint64_t, double>> believed(believed_.begin(), believed_.end());
    std::sort(believed.begin(), believed.end());
    for (const auto& [index, mean] : believed) data.add(row_of(index), mean, false);
    return ExtraTrees(data, {.trees = trees_, .seed = random().bits()});
  }

  [[nodiscard]] std::vector<Candidate> judge(const ExtraTrees& forest) {
    std::vector<std::uint64_t> indices;
    if (space().count() <= kDrawn) {
      for (std::uint64_t i = 0; i < space().count(); ++i) indices.push_back(i);
    } else {
      for (std::size_t i = 0; i < kDrawn; ++i) indices.push_back(any());
      for (std::size_t i = 0; i < std::min(kBestWithNeighbours, seen_.size()); ++i) {
        const std::vector<std::uint64_t> around = space().neighbours(seen_[i].index);
        indices.insert(indices.end(), around.begin(), around.end());
      }
      std::sort(indices.begin(), indices.end());
      indices.erase(std::unique(indices.begin(), indices.end()), indices.end());
    }
    const double best = response(seen_.front().cost);
    std::vector<Candidate> candidates;
    for (const std::uint64_t index : indices) {
      if (is_asked(index)) continue;
      const ExtraTrees::Prediction guess = forest.predict(row_of(index));
      const double gain = expected_improvement(best, guess.mean, guess.spread);
      candidates.push_back({index, gain * (1 - guess.failing), guess.mean, random().bits()});
    }
    return candidates;
  }

  [[nodiscard]] bool is_new(std::uint64_t index, const std::vector<std::uint64_t>& chosen) const {
    return !is_asked(index) && std::find(chosen.begin(), chosen.end(), index) == chosen.end();
  }

  // Of two good configurations, with a parameter changed now and then.
  std::optional<std::uint64_t> child(const std::vector<std::uint64_t>& chosen) {
    for (int attempt = 0; attempt < 20; ++attempt) {
      const SearchSpace::Place mother = space().place_at(parent());
      const SearchSpace::Place father = space().place_at(parent());
      std::vector<double> levels(mother.levels.begin(), mother.levels.end());
      for (std::size_t i = 0; i < levels.size() && mother.group == father.group; ++i)
        if (random().below(2) == 0) levels[i] = father.levels[i];
      mutate(mother.group, 1, levels);
      const std::uint64_t index = repaired(mother.group, levels);
      if (is_new(index, chosen)) return index;
    }
    return std::nullopt;
  }

  [[nodiscard]] std::uint64_t parent() {
    const auto most = static_cast<double>(std::min(kParents, seen_.size()));
    return seen_[static_cast<std::size_t>(most * random().uniform() * random().uniform())].index;
  }

  // One that differs from a good configuration in one parameter, the less the likelier.
  std::optional<std::uint64_t> neighbour(const std::vector<std::uint64_t>& chosen) {
    const auto good = static_cast<double>(std::min(kGood, seen_.size()));
    for (int attempt = 0; attempt < 8; ++attempt) {
      const auto which = static_cast<std::size_t>(good * random().uniform() * random().uniform());
      const SearchSpace::Place here = space().place_at(seen_[which].index);
      std::vector<std::uint64_t> around;
      std::vector<double> weights;
      double sum = 0;
      for (const std::uint64_t index : space().neighbours(seen_[which].index)) {
        if (!is_new(index, chosen)) continue;
        around.push_back(index);
        weights.push_back(1 / steps(here, space().place_at(index)));
        sum += weights.back();
      }
      if (around.empty()) continue;
      double at = random().uniform() * sum;
      std::size_t i = 0;
      while (i + 1 < around.size() && at > weights[i]) at -= weights[i++];
      return around[i];
    }
    return std::nullopt;
  }

  [[nodiscard]] static double steps(const SearchSpace::Place& a, const SearchSpace::Place& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.levels.size(); ++i)
      sum += std::abs(static_cast<double>(a.levels[i]) - static_cast<double>(b.levels[i]));
    return sum;
  }

  const Encoding encoding_;
  const std::size_t trees_, batch_, local_;
  std::size_t first_;
  std::size_t begun_ = 0;
  std::size_t turn_ = 0;
  std::vector<SearchSpace::Place> sample_;
  std::vector<Seen> seen_;  // best first
  std::vector<std::uint64_t> failed_;
  std::unordered_map<std::uint64_t, double> believed_;  // what is asked and not answered
  std::vector<std::uint64_t> batch_left_;
  std::vector<float> row_;
};

}  // namespace

std::unique_ptr<Strategy> make_surrogate(const SearchSpace& space, const StrategyOptions& options) {
  return std::make_unique<Surrogate>(space, options, 0);
}

std::unique_ptr<Strategy> make_auto(const SearchSpace& space, const StrategyOptions& options) {
  return std::make_unique<Surrogate>(space, options, 1);
}

}  // namespace warpwright
