#include "search/beliefs.h"

#include <algorithm>
#include <cmath>

namespace warpwright {
namespace {

// The number of estimates kept for each source; thinning starts at twice as many as this.
constexpr std::size_t kMostBelieved = 1000;
// The number of best configurations that are tracked for each source.
constexpr std::size_t kMostBest = 100;
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
  if (known.best.size() > kMostBest) known.best.pop_back();
  if (known.costs.size() > 2 * kMostBelieved) thin(known);
}

// Half of the estimates that are kept are the best ones; the other half is spread evenly over the
// rest.
void Beliefs::thin(Source& source) {
  const std::vector<Word> words = sorted(source.costs);
  constexpr std::size_t half = kMostBelieved / 2;
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

}  // namespace warpwright
