#include "search/across_boards.h"

#include <algorithm>
#include <cmath>

namespace warpwright {
namespace {

constexpr std::size_t kTreesAcross = 30;
// Responses are clamped to this logarithm: costs beyond 4.5 times the best are equally bad.
constexpr double kWorstAcross = 1.5;
// The disagreement of the trees counts in favour of a candidate, by this many standard deviations.
constexpr double kCurious = 1;
// At most this many answers of each board are used, the best ones.
constexpr std::size_t kMostOfBoard = 500;

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
    if (board.responses.size() > kMostOfBoard) board.responses.resize(kMostOfBoard);
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
