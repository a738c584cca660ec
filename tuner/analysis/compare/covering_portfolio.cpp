#include "analysis/compare/covering_portfolio.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>

#include "analysis/compare/transfer.h"

namespace warpwright {
namespace {

// A set of elements as bits.
class Bits {
 public:
  Bits() = default;
  explicit Bits(std::size_t size) : words_((size + 63) / 64, 0) {}

  void insert(std::size_t at) { words_[at / 64] |= std::uint64_t{1} << (at % 64); }
  [[nodiscard]] bool contains(std::size_t at) const {
    return (words_[at / 64] >> (at % 64) & 1) != 0;
  }
  void remove(const Bits& other) {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] &= ~other.words_[i];
  }
  [[nodiscard]] std::size_t count() const {
    std::size_t total = 0;
    for (const std::uint64_t word : words_) total += static_cast<std::size_t>(std::popcount(word));
    return total;
  }
  [[nodiscard]] std::size_t count_common(const Bits& other) const {
    std::size_t total = 0;
    for (std::size_t i = 0; i < words_.size(); ++i)
      total += static_cast<std::size_t>(std::popcount(words_[i] & other.words_[i]));
    return total;
  }
  [[nodiscard]] bool empty() const { return count() == 0; }
  [[nodiscard]] bool inside(const Bits& other) const {
    for (std::size_t i = 0; i < words_.size(); ++i)
      if ((words_[i] & ~other.words_[i]) != 0) return false;
    return true;
  }
  friend auto operator<=>(const Bits&, const Bits&) = default;

 private:
  std::vector<std::uint64_t> words_;
};

struct Candidate {
  Bits bits;
  std::size_t set = 0;  // its index as given
};

// With more distinct sets than this, a search for contained ones would cost more than it saves.
constexpr std::size_t kPairwiseLimit = 4000;

// Keeps the first of equal sets and drops sets that another one contains.
std::vector<Candidate> candidates_of(std::size_t elements,
                                     const std::vector<std::vector<std::size_t>>& sets) {
  std::map<Bits, std::size_t> first;
  for (std::size_t i = 0; i < sets.size(); ++i) {
    Bits bits(elements);
    for (const std::size_t element : sets[i])
      if (element < elements) bits.insert(element);
    if (!bits.empty()) first.try_emplace(std::move(bits), i);
  }
  std::vector<Candidate> all;
  for (const auto& [bits, set] : first) all.push_back({bits, set});
  std::sort(all.begin(), all.end(),
            [](const Candidate& a, const Candidate& b) { return a.set < b.set; });
  if (all.size() > kPairwiseLimit) return all;
  std::vector<Candidate> kept;
  for (const Candidate& candidate : all) {
    const bool contained = std::any_of(all.begin(), all.end(), [&](const Candidate& other) {
      return other.set != candidate.set && candidate.bits.inside(other.bits);
    });
    if (!contained) kept.push_back(candidate);
  }
  return kept;
}

std::vector<std::size_t> greedy(Bits left, const std::vector<Candidate>& candidates) {
  std::vector<std::size_t> chosen;
  while (!left.empty()) {
    std::size_t best = 0, most = 0;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      const std::size_t gain = candidates[i].bits.count_common(left);
      if (gain > most) std::tie(best, most) = std::pair(i, gain);
    }
    if (most == 0) break;  // no set holds any element that is left
    chosen.push_back(best);
    left.remove(candidates[best].bits);
  }
  return chosen;
}

// Finds a cover of at most `limit` sets by branching on the element that the fewest sets hold.
class Search {
 public:
  Search(std::size_t elements, const std::vector<Candidate>& candidates, std::size_t steps)
      : candidates_(candidates), holders_(elements), steps_(steps) {
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      for (std::size_t element = 0; element < elements; ++element)
        if (candidates[i].bits.contains(element)) holders_[element].push_back(i);
    }
  }

  enum class Answer { kYes, kNo, kOutOfSteps };
  Answer try_size(const Bits& left, std::size_t limit) {
    if (left.empty()) return Answer::kYes;
    if (limit == 0 || bound(left) > limit) return Answer::kNo;
    if (steps_ == 0) return Answer::kOutOfSteps;
    --steps_;
    for (const std::size_t candidate : rarest(left)) {
      Bits rest = left;
      rest.remove(candidates_[candidate].bits);
      chosen_.push_back(candidate);
      const Answer answer = try_size(rest, limit - 1);
      if (answer != Answer::kNo) return answer;
      chosen_.pop_back();
    }
    return Answer::kNo;
  }
  // A lower bound on the size of any cover of `left`: elements of which no set holds two need one
  // set each.
  [[nodiscard]] std::size_t bound(Bits left) const {
    std::size_t most = 0;
    for (const Candidate& candidate : candidates_)
      most = std::max(most, candidate.bits.count_common(left));
    const std::size_t by_size = most == 0 ? 0 : (left.count() + most - 1) / most;
    std::size_t apart = 0;
    for (std::size_t element = 0; element < holders_.size(); ++element) {
      if (!left.contains(element)) continue;
      ++apart;
      for (const std::size_t holder : holders_[element]) left.remove(candidates_[holder].bits);
    }
    return std::max(by_size, apart);
  }
  [[nodiscard]] const std::vector<std::size_t>& chosen() const { return chosen_; }

 private:
  [[nodiscard]] const std::vector<std::size_t>& rarest(const Bits& left) const {
    std::size_t best = holders_.size();
    for (std::size_t element = 0; element < holders_.size(); ++element) {
      if (!left.contains(element)) continue;
      if (best == holders_.size() || holders_[element].size() < holders_[best].size())
        best = element;
    }
    return holders_[best];
  }

  const std::vector<Candidate>& candidates_;
  std::vector<std::vector<std::size_t>> holders_;  // candidates, by element
  std::vector<std::size_t> chosen_;
  std::size_t steps_;
};

std::vector<std::size_t> set_indices(const std::vector<std::size_t>& chosen,
                                     const std::vector<Candidate>& candidates) {
  std::vector<std::size_t> sets;
  for (const std::size_t candidate : chosen) sets.push_back(candidates[candidate].set);
  std::sort(sets.begin(), sets.end());
  return sets;
}

// The elements that can be covered at all.
Bits coverable(std::size_t elements, const std::vector<Candidate>& candidates) {
  Bits all(elements);
  for (std::size_t element = 0; element < elements; ++element) {
    if (std::any_of(candidates.begin(), candidates.end(),
                    [&](const Candidate& c) { return c.bits.contains(element); })) {
      all.insert(element);
    }
  }
  return all;
}

}  // namespace

std::vector<std::size_t> greedy_cover(std::size_t elements,
                                      const std::vector<std::vector<std::size_t>>& sets) {
  const std::vector<Candidate> candidates = candidates_of(elements, sets);
  return set_indices(greedy(coverable(elements, candidates), candidates), candidates);
}

SetCover cover(std::size_t elements, const std::vector<std::vector<std::size_t>>& sets,
               std::size_t search_steps) {
  const std::vector<Candidate> candidates = candidates_of(elements, sets);
  const Bits all = coverable(elements, candidates);
  std::vector<std::size_t> best = greedy(all, candidates);
  Search search(elements, candidates, search_steps);
  SetCover result;
  result.at_least = search.bound(all);
  // Tries sizes upwards from the bound: every refuted size raises it, and the first that succeeds
  // is the smallest.
  while (result.at_least < best.size()) {
    const Search::Answer answer = search.try_size(all, result.at_least);
    if (answer == Search::Answer::kOutOfSteps) break;
    if (answer == Search::Answer::kYes) {
      best = search.chosen();
      break;
    }
    ++result.at_least;
  }
  result.chosen = set_indices(best, candidates);
  return result;
}

namespace {

struct Option {
  std::string configuration;
  std::map<std::size_t, double> fractions;  // of the best, by place
  double sum = 0;
};

// True if its times can be used: the best is above 0.
bool timed(const Leaderboard* board) {
  return board != nullptr && !board->entries.empty() && board->entries.front().median_us > 0;
}

std::vector<Option> options_of(const std::vector<const Leaderboard*>& places) {
  std::map<std::string, Option> options;
  for (std::size_t place = 0; place < places.size(); ++place) {
    for (const auto& [configuration, reached] : reached_on(*places[place])) {
      if (reached.how != Reached::How::kTimed) continue;
      Option& option = options[configuration];
      option.configuration = configuration;
      option.fractions[place] = *reached.fraction;
      option.sum += *reached.fraction;
    }
  }
  std::vector<Option> all;
  for (auto& [configuration, option] : options) all.push_back(std::move(option));
  // If several options serve the same places, the cover takes the first, so the one that is best
  // overall comes first.
  std::stable_sort(all.begin(), all.end(),
                   [](const Option& a, const Option& b) { return a.sum > b.sum; });
  return all;
}

// Each place goes to the member that is best there.
std::vector<PortfolioMember> members_of(const std::vector<const Option*>& chosen,
                                        std::size_t places) {
  std::vector<PortfolioMember> members;
  for (const Option* option : chosen) members.push_back({option->configuration});
  for (std::size_t place = 0; place < places; ++place) {
    std::optional<std::size_t> best;
    double fraction = 0;
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      const auto it = chosen[i]->fractions.find(place);
      if (it == chosen[i]->fractions.end() || it->second <= fraction) continue;
      best = i;
      fraction = it->second;
    }
    if (!best) continue;
    PortfolioMember& member = members[*best];
    ++member.serves;
    member.worst_fraction = std::min(member.worst_fraction, fraction);
  }
  std::sort(members.begin(), members.end(), [](const auto& a, const auto& b) {
    return std::pair(b.serves, std::string_view(a.configuration)) <
           std::pair(a.serves, std::string_view(b.configuration));
  });
  return members;
}

}  // namespace

CoveringPortfolio smallest_portfolio(const std::vector<const Leaderboard*>& boards, double within) {
  // A little slack, so that a time of exactly the limit is within it.
  const double least = 1 / (1 + within) * (1 - 1e-12);
  std::vector<const Leaderboard*> places;
  for (const Leaderboard* board : boards)
    if (timed(board)) places.push_back(board);
  CoveringPortfolio portfolio;
  portfolio.within = within;
  portfolio.places = places.size();
  if (!places.empty()) portfolio.kernel = places.front()->kernel;

  const std::vector<Option> options = options_of(places);
  portfolio.candidates = options.size();
  std::vector<std::vector<std::size_t>> sets;
  for (const Option& option : options) {
    std::vector<std::size_t>& set = sets.emplace_back();
    for (const auto& [place, fraction] : option.fractions)
      if (fraction >= least) set.push_back(place);
  }
  const SetCover found = cover(places.size(), sets);
  std::vector<const Option*> chosen;
  for (const std::size_t set : found.chosen) chosen.push_back(&options[set]);
  portfolio.members = members_of(chosen, places.size());
  portfolio.at_least = found.at_least;
  return portfolio;
}

}  // namespace warpwright
