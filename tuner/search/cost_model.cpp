#include "search/cost_model.h"

#include <algorithm>
#include <cmath>

namespace warpwright {
namespace {

// With more answers than this, the forest learns from the best of those that ran and the newest
// failures.
constexpr std::size_t kMostRows = 1500;
constexpr std::size_t kFewRows = 100;
// A slope within this many standard errors of 0 is treated as chance.
constexpr double kChanceErrors = 2;
// Fewer answers than this do not support a line.
constexpr std::size_t kFewestOnLine = 4;

}  // namespace

struct CostModel::Rows {
  struct Row {
    std::uint64_t index;
    double response;
    bool failed;
    std::vector<float> said = {};
  };
  std::vector<Row> all;  // the `seen` best answers first, then failures and pending ones
  std::size_t seen = 0;
};

CostModel::CostModel(const SearchSpace& space, const Encoding& encoding, const Knowledge& knowledge,
                     const Beliefs& beliefs, std::size_t trees)
    : space_(space), encoding_(encoding), knowledge_(knowledge), beliefs_(beliefs), trees_(trees) {}

double CostModel::response(double cost) const {
  const double best = knowledge_.seen.front().cost;
  if (best > 0) return std::log(cost);
  const double apart = knowledge_.seen[knowledge_.seen.size() / 2].cost - best;
  return (cost - best) / (apart > 0 ? apart : 1);
}

double CostModel::cost(double response) const {
  const double best = knowledge_.seen.front().cost;
  if (best > 0) return std::exp(response);
  const double apart = knowledge_.seen[knowledge_.seen.size() / 2].cost - best;
  return best + response * (apart > 0 ? apart : 1);
}

void CostModel::learn(SplitMix64& random) {
  Rows rows;
  rows.seen = std::min(knowledge_.seen.size(), kMostRows);
  for (std::size_t i = 0; i < rows.seen; ++i)
    rows.all.push_back({knowledge_.seen[i].index, response(knowledge_.seen[i].cost), false});
  // Failures count as bad as the worst that ran.
  const double worst = response(knowledge_.seen.back().cost);
  const std::vector<std::uint64_t>& failed = knowledge_.failed;
  for (std::size_t i = failed.size() - std::min(failed.size(), kMostRows); i < failed.size(); ++i)
    rows.all.push_back({failed[i], worst, true});
  // Sorted, because the iteration order of the map is unspecified.
  std::vector<std::pair<std::uint64_t, double>> pending(knowledge_.pending.begin(),
                                                        knowledge_.pending.end());
  std::sort(pending.begin(), pending.end());
  for (const auto& [index, mean] : pending) rows.all.push_back({index, mean, false});
  for (Rows::Row& row : rows.all) beliefs_.append(row.index, row.said);
  fit_line(rows);

  std::vector<std::size_t> names = encoding_.names();
  names.resize(names.size() + beliefs_.sources(), 0);
  ExtraTreesData data(std::move(names));
  for (const Rows::Row& row : rows.all) {
    const SearchSpace::Place place = space_.place_at(row.index);
    const double left = row.response - line_at(row.said);
    features_.clear();
    encoding_.append(place, features_);
    features_.insert(features_.end(), row.said.begin(), row.said.end());
    data.add(features_, left, row.failed);
  }
  // Trees grown to single rows predict more boldly, which suits a small number of answers.
  const std::size_t rows_in_leaf = rows.all.size() < kFewRows ? 1 : 2;
  forest_.emplace(data, ExtraTreesOptions{
                            .trees = trees_, .rows_in_leaf = rows_in_leaf, .seed = random.bits()});
}

// Fits one source after the other, each to the residuals of those before it.
void CostModel::fit_line(const Rows& rows) {
  line_.assign(beliefs_.sources(), 0);
  if (rows.seen < kFewestOnLine) return;
  const auto count = static_cast<double>(rows.seen);
  for (std::size_t source = 0; source < line_.size(); ++source) {
    double x = 0, y = 0, xx = 0, xy = 0, yy = 0;
    for (std::size_t i = 0; i < rows.seen; ++i) {
      const double said = rows.all[i].said[source];
      const double left = rows.all[i].response - line_at(rows.all[i].said);
      x += said;
      y += left;
      xx += said * said;
      xy += said * left;
      yy += left * left;
    }
    xx -= x * x / count;
    xy -= x * y / count;
    yy -= y * y / count;
    if (!(xx > 1e-9)) continue;
    const double slope = xy / xx;
    const double error = std::max(0.0, yy - slope * xy) / (count - 2) / xx;  // squared
    const double chance = kChanceErrors * kChanceErrors * error / std::max(1e-300, slope * slope);
    line_[source] = slope * std::max(0.0, 1 - chance);
  }
}

double CostModel::line_at(const std::vector<float>& said) const {
  double sum = 0;
  for (std::size_t i = 0; i < line_.size(); ++i) sum += line_[i] * said[i];
  return sum;
}

CostModel::Guess CostModel::guess(std::uint64_t index) {
  const SearchSpace::Place place = space_.place_at(index);
  said_.clear();
  beliefs_.append(index, said_);
  features_.clear();
  encoding_.append(place, features_);
  features_.insert(features_.end(), said_.begin(), said_.end());
  const ExtraTrees::Prediction grown = forest_->predict(features_);
  const double line = line_at(said_);
  return {grown.mean + line, grown.spread, grown.failing};
}

}  // namespace warpwright
