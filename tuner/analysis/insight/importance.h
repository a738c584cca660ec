// Finds the parameters that decide the time, by functional ANOVA on a regression forest over the
// logarithm of the times of one board: a share of the variation for each parameter alone and for
// each pair of them, and how far the forest can be trusted. A parameter belongs to a variant, so
// each variant is judged by itself, and the share of the choice of the variant is given separately.
// Pruned configurations count with their bound; noisy and failed ones have no time and do not
// count. Shares are fractions. Source: F. Hutter, H. Hoos, K. Leyton-Brown, An Efficient Approach
// for Assessing Hyperparameter Importance, ICML 2014; the differences from the paper are described
// in tuner/decisions/0004.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "analysis/board/configuration_times.h"
#include "analysis/board/leaderboard.h"

namespace warpwright {

// Fewer configurations are not enough to judge a variant.
inline constexpr std::size_t kLeastForImportance = 12;

struct ValueTimes {
  Value value;
  std::size_t configurations = 0;
  std::size_t pruned = 0;  // of those
  KnownTime best, median;  // over the configurations of the variant that have this value
};

struct ParameterImportance {
  std::string name;
  double main_share = 0;           // of the variation within the variant, by this parameter alone
  double permutation = 0;          // R^2 lost when its values are shuffled; interactions included
  std::vector<ValueTimes> values;  // in the order of value_before()
};

struct InteractionImportance {
  std::string first, second;
  double share = 0;  // beyond the main shares of the two
};

struct VariantImportance {
  std::string variant;
  std::size_t configurations = 0;  // with a time or a bound
  std::size_t pruned = 0;          // of those
  KnownTime best;
  double slowest_over_best = 1;  // bounds count as times
  // The reason why there are no shares: too few configurations, or nothing varies. Empty if there
  // are shares.
  std::string why_not;
  // Out of bag: the part of the variation that the forest predicts for configurations it has not
  // seen. 1 means all of it; at 0 or less, the shares are meaningless.
  std::optional<double> r_squared;
  std::vector<ParameterImportance> parameters;      // by main share, then name; varied ones only
  std::vector<InteractionImportance> interactions;  // by share; of 1 % and more
  double higher_share = 0;  // of three or more parameters together, and of smaller pairs
};

struct Importance {
  bool modelled = false;
  bool imported = false;
  std::size_t configurations = 0;  // with a time or a bound
  std::size_t pruned = 0;          // of those
  // The part of the variation of the whole board that the variant alone explains; none for a single
  // variant or if nothing varies.
  std::optional<double> variant_share;
  std::vector<VariantImportance> variants;  // by best time
};

// The same board gives the same numbers on every machine.
[[nodiscard]] Importance parameter_importance(const Leaderboard& board);

// The two parameters that decide most, together with their interaction, in the fastest variant that
// has shares for two: the first choice for a heat map.
struct ImportantPair {
  std::string variant, first, second;
};
[[nodiscard]] std::optional<ImportantPair> most_important_pair(const Importance& importance);

// Finds parameters without effect: configurations that differ only in such a parameter have the
// same machine code, launches and arguments. A source that never uses a macro is the usual cause.

struct IdleParameter {
  std::string name;
  std::size_t configurations = 0;  // compared with another that differs only in this parameter
};

// Compares the board's configurations that passed. A parameter with a single difference among them
// is not listed, nor is one for which no two configurations can be compared. Sorted by name.
[[nodiscard]] std::vector<IdleParameter> idle_parameters(const Leaderboard& board);

}  // namespace warpwright
