#include "analysis/compare/portfolio.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include "analysis/select/select_configuration.h"

namespace warpwright {
namespace {

constexpr int kGoodFraction = 909;  // thousandths: within 10 % of the best time

// A problem that the portfolio should serve, with the boards that vote on it.
struct Query {
  std::vector<Value> sizes;
  std::vector<std::size_t> among;
};

// Keeps integers integral, and values within the contract's limits.
Value with_type_of(const ProblemSizeSpec& size, double value) {
  if (size.min) value = std::max(value, *size.min);
  if (size.max) value = std::min(value, *size.max);
  if (!sample_of(size).is_integer()) return value;
  constexpr double kLargest = 9e18;
  if (!size.min) value = std::max(value, 1.0);
  return static_cast<std::int64_t>(std::llround(std::clamp(value, -kLargest, kLargest)));
}

double between(double a, double b) {
  if (a > 0 && b > 0) return std::sqrt(a) * std::sqrt(b);
  return a / 2 + b / 2;
}

std::vector<Value> half_way(const KernelSpec& contract, const SelectionBoard& a,
                            const SelectionBoard& b) {
  std::vector<Value> sizes = a.sizes;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (is_categorical(contract.problem[i])) continue;
    sizes[i] =
        with_type_of(contract.problem[i], between(a.sizes[i].as_real(), b.sizes[i].as_real()));
  }
  return sizes;
}

std::vector<Query> sample_queries(const SelectionModel& model) {
  const KernelSpec& contract = model.contract;
  std::set<std::pair<std::size_t, std::vector<Value>>> seen;
  std::vector<Query> queries;
  for (std::size_t at = 0; at < model.boards.size(); ++at) {
    const SelectionBoard& board = model.boards[at];
    std::vector<std::size_t> among;
    for (std::size_t i = 0; i < model.boards.size(); ++i) {
      if (model.boards[i].device == board.device &&
          same_category(contract, model.boards[i].sizes, board.sizes))
        among.push_back(i);
    }
    const auto ask = [&](std::vector<Value> sizes) {
      if (!valid_problem(contract, sizes)) return;
      if (seen.insert({board.device, sizes}).second) queries.push_back({std::move(sizes), among});
    };
    ask(board.sizes);
    for (const std::size_t other : among) ask(half_way(contract, board, model.boards[other]));
    for (std::size_t i = 0; i < contract.problem.size(); ++i) {
      if (is_categorical(contract.problem[i])) continue;
      for (const double factor : {0.5, 2.0}) {
        std::vector<Value> sizes = board.sizes;
        sizes[i] = with_type_of(contract.problem[i], sizes[i].as_real() * factor);
        ask(std::move(sizes));
      }
    }
  }
  return queries;
}

// Each board's best, and the best of each variant on it: no other configuration can win a vote that
// matters.
std::vector<std::size_t> contenders(const SelectionModel& model, std::size_t per_board) {
  std::set<std::size_t> kept;
  for (std::size_t board = 0; board < model.boards.size(); ++board) {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < model.fractions.size(); ++i) {
      if (model.fractions[i][board] > 0) order.push_back(i);
    }
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return model.fractions[a][board] > model.fractions[b][board];
    });
    std::set<std::size_t> variants;
    for (std::size_t place = 0; place < order.size(); ++place) {
      const bool first = variants.insert(model.configurations[order[place]].variant).second;
      if (first || place < per_board) kept.insert(order[place]);
    }
    kept.insert(model.boards[board].winner);
  }
  return {kept.begin(), kept.end()};
}

// scores[query][contender]: the vote, or 0 where the contender is not allowed or not known.
std::vector<std::vector<double>> score_contenders(const SelectionModel& model,
                                                  const std::vector<Query>& queries,
                                                  const std::vector<std::size_t>& contenders) {
  std::vector<SelectionConfiguration> configurations;
  for (const std::size_t contender : contenders)
    configurations.push_back(model.configurations[contender]);
  std::vector<AllowedConfigurations> allowed;
  for (const SelectionDevice& device : model.devices)
    allowed.emplace_back(model.contract, limits_of(model, device), configurations);
  std::vector<std::vector<double>> scores;
  for (const Query& query : queries) {
    const AllowedConfigurations& rules = allowed[model.boards[query.among.front()].device];
    const BoardWeights weights =
        weigh_boards(model.contract, model.boards, query.among, query.sizes);
    std::vector<double>& row = scores.emplace_back();
    for (std::size_t i = 0; i < contenders.size(); ++i) {
      const bool may = rules.allowed(i, query.sizes);
      row.push_back(may ? vote(weights, model.fractions[contenders[i]]).value_or(0) : 0);
    }
  }
  return scores;
}

// Returns positions in `contenders`.
std::set<std::size_t> choose(const std::vector<std::vector<double>>& scores,
                             std::set<std::size_t> chosen, const PortfolioOptions& options) {
  const std::size_t contenders = scores.empty() ? 0 : scores.front().size();
  std::vector<double> reached(scores.size(), 0);
  const auto take = [&](std::size_t contender) {
    chosen.insert(contender);
    for (std::size_t q = 0; q < scores.size(); ++q)
      reached[q] = std::max(reached[q], scores[q][contender]);
  };
  for (const std::size_t contender : std::set<std::size_t>(chosen)) take(contender);
  while (chosen.size() < options.most) {
    double largest_loss = 0;
    for (std::size_t q = 0; q < scores.size(); ++q) {
      const double best = *std::max_element(scores[q].begin(), scores[q].end());
      largest_loss = std::max(largest_loss, best - reached[q]);
    }
    if (largest_loss <= options.tolerated) break;
    std::size_t best = contenders;
    double best_gain = 0;
    for (std::size_t i = 0; i < contenders; ++i) {
      double gain = 0;
      for (std::size_t q = 0; q < scores.size(); ++q)
        gain += std::max(0.0, scores[q][i] - reached[q]);
      if (gain > best_gain + kScoreTie) {
        best = i;
        best_gain = gain;
      }
    }
    if (best == contenders) break;
    take(best);
  }
  return chosen;
}

void keep_only(SelectionModel& model, const std::vector<std::size_t>& kept) {
  std::vector<SelectionConfiguration> configurations;
  std::vector<std::vector<int>> fractions;
  std::map<std::size_t, std::size_t> renumbered;
  for (const std::size_t index : kept) {
    renumbered[index] = configurations.size();
    configurations.push_back(std::move(model.configurations[index]));
    fractions.push_back(std::move(model.fractions[index]));
  }
  for (SelectionBoard& board : model.boards) board.winner = renumbered.at(board.winner);
  model.configurations = std::move(configurations);
  model.fractions = std::move(fractions);
}

}  // namespace

void reduce_to_portfolio(SelectionModel& model, const PortfolioOptions& options) {
  const std::vector<std::size_t> all = contenders(model, options.per_board);
  std::set<std::size_t> winners;
  for (const SelectionBoard& board : model.boards)
    winners.insert(static_cast<std::size_t>(std::lower_bound(all.begin(), all.end(), board.winner) -
                                            all.begin()));
  std::vector<std::size_t> kept;
  const auto scores = score_contenders(model, sample_queries(model), all);
  for (const std::size_t position : choose(scores, std::move(winners), options))
    kept.push_back(all[position]);
  std::sort(kept.begin(), kept.end(), [&](std::size_t a, std::size_t b) {
    const SelectionConfiguration& x = model.configurations[a];
    const SelectionConfiguration& y = model.configurations[b];
    return std::pair(x.variant, x.values) < std::pair(y.variant, y.values);
  });
  keep_only(model, kept);
}

void judge_by_leaving_out(SelectionModel& model) {
  std::vector<AllowedConfigurations> rules;
  for (const SelectionDevice& device : model.devices)
    rules.emplace_back(model.contract, limits_of(model, device), model.configurations);
  model.left_out = model.left_out_good = 0;
  for (std::size_t out = 0; out < model.boards.size(); ++out) {
    const SelectionBoard& board = model.boards[out];
    std::vector<std::size_t> among;
    for (std::size_t i = 0; i < model.boards.size(); ++i) {
      if (i != out && model.boards[i].device == board.device &&
          same_category(model.contract, model.boards[i].sizes, board.sizes))
        among.push_back(i);
    }
    if (among.empty()) continue;
    ++model.left_out;
    const BoardWeights weights = weigh_boards(model.contract, model.boards, among, board.sizes);
    double best = 0;
    int fraction = kUnknownFraction;
    for (std::size_t i = 0; i < model.fractions.size(); ++i) {
      const std::optional<double> score = vote(weights, model.fractions[i]);
      if (!score || *score <= best + kScoreTie) continue;
      if (!rules[board.device].allowed(i, board.sizes)) continue;
      best = *score;
      fraction = model.fractions[i][out];
    }
    model.left_out_good += fraction >= kGoodFraction;
  }
}

}  // namespace warpwright
