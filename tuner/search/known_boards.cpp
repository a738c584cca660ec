#include "search/known_boards.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace warpwright {
namespace {

// The logarithm of 16.
constexpr double kOtherKind = 2.7725887222397811;

double value_distance(const Value& a, const Value& b) {
  if (a == b) return 0;
  const auto is_size = [](const Value& value) {
    return value.is_number() && !value.is_bool() && value.as_real() >= 0;
  };
  if (!is_size(a) || !is_size(b)) return kOtherKind;
  return std::abs(std::log((1 + a.as_real()) / (1 + b.as_real())));
}

// A value of device_distance().
constexpr int kSameArchitecture = 2;

int device_distance(const BoardIdentity& a, const BoardIdentity& b) {
  if (!a.fingerprint.empty() && a.fingerprint == b.fingerprint) return 0;
  if (!a.device_name.empty() && a.device_name == b.device_name) return 1;
  return !a.arch.empty() && a.arch == b.arch ? 2 : 3;
}

BoardBeliefs believed(const KnownBoard& board, std::size_t at, const SearchSpace& space) {
  BoardBeliefs beliefs{at, {}};
  for (const auto& [configuration, cost] : board.costs) {
    if (!std::isfinite(cost) || cost <= 0) continue;
    if (const auto index = space.index_of(configuration)) beliefs.costs.emplace_back(*index, cost);
  }
  std::sort(beliefs.costs.begin(), beliefs.costs.end());
  return beliefs;
}

std::vector<BoardBeliefs> most_alike(const std::vector<KnownBoard>& known,
                                     const BoardIdentity& board, const SearchSpace& space,
                                     std::size_t most) {
  using Likeness = std::tuple<bool, int, double, std::size_t>;
  std::vector<Likeness> order;
  for (std::size_t at = 0; at < known.size(); ++at) {
    const BoardIdentity& other = known[at].board;
    order.emplace_back(other.modelled != board.modelled, device_distance(other, board),
                       problem_distance(other.problem, board.problem), at);
  }
  std::sort(order.begin(), order.end());
  std::vector<BoardBeliefs> sources;
  for (const Likeness& likeness : order) {
    if (sources.size() == most) break;
    const std::size_t at = std::get<std::size_t>(likeness);
    BoardBeliefs beliefs = believed(known[at], at, space);
    if (!beliefs.costs.empty()) sources.push_back(std::move(beliefs));
  }
  return sources;
}

}  // namespace

double problem_distance(const Problem& a, const Problem& b) {
  double sum = 0;
  for (const auto& [name, value] : a) {
    const auto other = b.find(name);
    sum += other == b.end() ? kOtherKind : value_distance(value, other->second);
  }
  for (const auto& [name, value] : b)
    if (!a.contains(name)) sum += kOtherKind;
  return sum;
}

std::vector<BoardBeliefs> beliefs_of(const std::vector<KnownBoard>& known,
                                     const BoardIdentity& board, const SearchSpace& space) {
  return most_alike(known, board, space, kMaxSources);
}

std::vector<BoardAnswers> answers_of(const std::vector<KnownBoard>& known,
                                     const BoardIdentity& board, const SearchSpace& space) {
  std::vector<BoardAnswers> answers;
  for (BoardBeliefs& one : most_alike(known, board, space, kMaxCompared)) {
    const BoardIdentity& from = known[one.known].board;
    if (from.modelled != board.modelled || device_distance(from, board) > kSameArchitecture)
      continue;
    answers.push_back({from.problem, std::move(one.costs)});
  }
  return answers;
}

void tell_beliefs(Strategy& strategy, const std::vector<BoardBeliefs>& beliefs,
                  std::size_t first_source) {
  for (std::size_t i = 0; i < beliefs.size(); ++i)
    for (const auto& [index, cost] : beliefs[i].costs)
      strategy.believe(first_source + i, index, cost);
}

bool listens_to_beliefs(const std::string& strategy) {
  return strategy == "auto" || strategy == "surrogate";
}

}  // namespace warpwright
