#include "search/cost_model.h"

#include <algorithm>
#include <cmath>

namespace warpwright {
namespace {

// The number of estimates kept for each source; thinning starts at twice as many as this.
constexpr std::size_t kMaxBelieved = 1000;
// The number of best configurations that are tracked for each source.
constexpr std::size_t kMaxBest = 100;
// A source's forest is small: estimates are plentiful and hardly noisy.
constexpr std::size_t kTrees = 10;

using Word = std::pair<std::uint64_t, double>;

bool is_better(const Word& a, const Word& b) {
  return a.second != b.second ? a.second < b.second : a.first < b.first;
}

// Sorted, because the iteration order of the map is unspecified.
std::vector<Word> sorted(const std::unordered_map<std::uint64_t, double>& costs) {
  std::vector<Word> words(costs.begin(), costs.end());
  std::sort(words.begin(), words.end(), is_better);
  return words;
}

}  // namespace

void Beliefs::hear(std::size_t source, std::uint64_t index, double cost) {
  if (!(cost > 0) || !std::isfinite(cost) || index >= space_.count()) return;
  if (source >= sources_.size()) sources_.resize(source + 1);
  Source& known = sources_[source];
  const double logarithm = std::log(cost);
  known.costs[index] = logarithm;
  ++known.heard;
  std::erase(known.best, index);
  const auto place = std::upper_bound(known.best.begin(), known.best.end(), Word{index, logarithm},
                                      [&](const Word& word, std::uint64_t other) {
                                        return is_better(word, {other, known.costs.at(other)});
                                      });
  known.best.insert(place, index);
  if (known.best.size() > kMaxBest) known.best.pop_back();
  if (known.costs.size() > 2 * kMaxBelieved) thin(known);
}

// Half of the estimates that are kept are the best ones; the other half is spread evenly over the
// rest.
void Beliefs::thin(Source& source) {
  const std::vector<Word> words = sorted(source.costs);
  constexpr std::size_t half = kMaxBelieved / 2;
  source.costs.clear();
  source.costs.insert(words.begin(), words.begin() + half);
  for (std::size_t i = 0; i < half; ++i)
    source.costs.insert(words[half + (words.size() - half) * i / half]);
}

void Beliefs::learn() {
  for (Source& source : sources_) {
    // Retrain only after a quarter more, so that a steady stream of estimates stays cheap.
    if (source.heard > source.learnt + source.learnt / 4) grow(source);
  }
}

void Beliefs::grow(Source& source) const {
  const std::vector<Word> words = sorted(source.costs);
  ExtraTreesData data(encoding_.names());
  std::vector<float> row;
  for (const auto& [index, logarithm] : words) {
    row.clear();
    encoding_.append(space_.place_at(index), row);
    data.add(row, logarithm, false);
  }
  source.least = words.front().second;
  source.greatest = words.back().second;
  source.forest.emplace(data, ExtraTreesOptions{.trees = kTrees});
  source.learnt = source.heard;
}

void Beliefs::append(std::uint64_t index, std::vector<float>& row) const {
  if (sources_.empty()) return;
  std::vector<float> features;
  encoding_.append(space_.place_at(index), features);
  for (const Source& source : sources_) {
    double said = 0;
    if (source.forest && source.greatest > source.least) {
      const auto word = source.costs.find(index);
      said = word != source.costs.end() ? word->second : source.forest->predict(features).mean;
      said = (said - source.least) / (source.greatest - source.least);
    }
    row.push_back(static_cast<float>(said));
  }
}

namespace {

// With more answers than this, the forest learns from the best of those that ran and the newest
// failures.
constexpr std::size_t kMaxRows = 1500;
constexpr std::size_t kFewRows = 100;
// A slope within this many standard errors of 0 is treated as chance.
constexpr double kChanceErrors = 2;
// Fewer answers than this do not support a line.
constexpr std::size_t kMinOnLine = 4;

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
  rows.seen = std::min(knowledge_.seen.size(), kMaxRows);
  for (std::size_t i = 0; i < rows.seen; ++i)
    rows.all.push_back({knowledge_.seen[i].index, response(knowledge_.seen[i].cost), false});
  // Failures count as bad as the worst that ran.
  const double worst = response(knowledge_.seen.back().cost);
  const std::vector<std::uint64_t>& failed = knowledge_.failed;
  for (std::size_t i = failed.size() - std::min(failed.size(), kMaxRows); i < failed.size(); ++i)
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
  if (rows.seen < kMinOnLine) return;
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

namespace {

constexpr std::size_t kTreesAcross = 30;
// Responses are clamped to this logarithm: costs beyond 4.5 times the best are equally bad.
constexpr double kWorstAcross = 1.5;
// The disagreement of the trees counts in favour of a candidate, by this many standard deviations.
constexpr double kCurious = 1;
// At most this many answers of each board are used, the best ones.
constexpr std::size_t kMaxOfBoard = 500;

bool is_size(const Value& value) { return value.is_number() && !value.is_bool(); }

}  // namespace

void AcrossBoards::name_sizes(const Problem& own, const std::vector<BoardAnswers>& others) {
  sizes_.clear();
  for (const auto& [name, value] : own) {
    Size& size = sizes_.emplace_back(Size{name, {}});
    const auto hear_word = [&](const Problem& problem) {
      const auto found = problem.find(name);
      if (found == problem.end() || is_size(found->second)) return;
      size.words.push_back(found->second.to_string());
    };
    hear_word(own);
    for (const BoardAnswers& other : others) hear_word(other.problem);
    std::sort(size.words.begin(), size.words.end());
    size.words.erase(std::unique(size.words.begin(), size.words.end()), size.words.end());
  }
}

// Sizes become logarithms. A word becomes its position among the known words; a missing value is
// -1.
std::vector<float> AcrossBoards::features_of(const Problem& problem) const {
  std::vector<float> features;
  for (const Size& size : sizes_) {
    const auto found = problem.find(size.name);
    double feature = -1;
    if (found != problem.end() && is_size(found->second)) {
      feature = std::log1p(std::abs(found->second.as_real()));
    } else if (found != problem.end()) {
      const std::string word = found->second.to_string();
      feature = static_cast<double>(std::find(size.words.begin(), size.words.end(), word) -
                                    size.words.begin());
    }
    features.push_back(static_cast<float>(feature));
  }
  return features;
}

void AcrossBoards::hear(const Problem& own, const std::vector<BoardAnswers>& others) {
  name_sizes(own, others);
  own_ = features_of(own);
  boards_.clear();
  asked_there_.clear();
  for (const BoardAnswers& other : others) {
    Board board{features_of(other.problem), {}};
    for (const auto& [index, cost] : other.costs)
      if (cost > 0 && std::isfinite(cost) && index < space_.count())
        board.responses.emplace_back(index, std::log(cost));
    if (board.responses.empty()) continue;
    std::stable_sort(board.responses.begin(), board.responses.end(),
                     [](const auto& a, const auto& b) { return a.second < b.second; });
    if (board.responses.size() > kMaxOfBoard) board.responses.resize(kMaxOfBoard);
    const double least = board.responses.front().second;
    for (auto& [index, response] : board.responses) {
      response = std::min(kWorstAcross, response - least);
      asked_there_.push_back(index);
    }
    boards_.push_back(std::move(board));
  }
  std::sort(asked_there_.begin(), asked_there_.end());
  asked_there_.erase(std::unique(asked_there_.begin(), asked_there_.end()), asked_there_.end());
}

void AcrossBoards::append(std::uint64_t index, const std::vector<float>& problem) {
  row_.clear();
  encoding_.append(space_.place_at(index), row_);
  row_.insert(row_.end(), problem.begin(), problem.end());
}

std::optional<std::uint64_t> AcrossBoards::best(const Knowledge& own,
                                                const std::vector<std::uint64_t>& candidates,
                                                const Promise& other, SplitMix64& random) {
  if (boards_.empty()) return std::nullopt;
  std::vector<std::size_t> names = encoding_.names();
  names.resize(names.size() + own_.size(), 0);
  ExtraTreesData data(std::move(names));
  for (const Board& board : boards_) {
    for (const auto& [index, response] : board.responses) {
      append(index, board.problem);
      data.add(row_, response, false);
    }
  }
  const double least = own.seen.empty() ? 0 : own.seen.front().cost;
  for (const Knowledge::Seen& seen : own.seen) {
    if (!(least > 0)) break;
    open_.erase(seen.index);
    append(seen.index, own_);
    data.add(row_, std::min(kWorstAcross, std::log(seen.cost / least)), false);
  }
  for (const std::uint64_t index : own.failed) {
    open_.erase(index);
    append(index, own_);
    data.add(row_, kWorstAcross, true);
  }
  for (const auto& [index, expected] : open_) {
    append(index, own_);
    data.add(row_, expected, false);
  }
  const ExtraTrees forest(data, ExtraTreesOptions{.trees = kTreesAcross, .seed = random.bits()});
  std::optional<std::uint64_t> best;
  double least_promised = 0, expected = 0;
  for (const std::uint64_t index : candidates) {
    append(index, own_);
    const ExtraTrees::Prediction guess = forest.predict(row_);
    const double promised = guess.mean - kCurious * guess.spread + (other ? other(index) : 0);
    if (best && promised >= least_promised) continue;
    best = index;
    least_promised = promised;
    expected = guess.mean;
  }
  if (best) open_[*best] = expected;
  return best;
}

}  // namespace warpwright
