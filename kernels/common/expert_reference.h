// The definition of a router in double precision, for the references of kernels that choose
// experts: activations, scores, groups, the best k and their weights, from a token's logits.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "reference.h"

namespace ww {

class ExpertRouter {
 public:
  // Reads the sizes that the contracts of such kernels share, and the bias.
  explicit ExpertRouter(const ww_call* call)
      : experts(size(call, "experts")),
        k(size(call, "k")),
        groups_(size(call, "groups")),
        kept_(size(call, "kept_groups")),
        normalise_(size(call, "normalise") != 0),
        scale_(real(call, "scale")),
        softmax_(is(call, "scoring", "softmax")),
        sigmoid_(is(call, "scoring", "sigmoid")),
        bias_(find_tensor(call, "bias")) {}

  const int64_t experts, k;
  // Figures of the token that route() was last called for: of its experts, and whether a group was
  // dropped.
  std::vector<double> activations, scores;
  std::vector<double> group_scores;
  std::vector<int64_t> chosen;  // the best k
  std::vector<double> weights;  // theirs

  // `extra` more experts than k are put in order in `chosen`.
  void route(const std::vector<double>& logits, int64_t extra = 0) {
    activate(logits);
    scores.resize(activations.size());
    for (size_t e = 0; e < scores.size(); ++e) {
      const double score = activations[e] + load(bias_, static_cast<int64_t>(e));
      scores[e] = std::isnan(score) ? -kInfinity : score;
    }
    std::vector<int64_t> order;
    const std::vector<bool> kept = kept_groups();
    for (int64_t e = 0; e < experts; ++e)
      if (kept[static_cast<size_t>(e / (experts / groups_))]) order.push_back(e);
    const int64_t count = std::min<int64_t>(k + extra, static_cast<int64_t>(order.size()));
    std::partial_sort(order.begin(), order.begin() + count, order.end(), [&](int64_t a, int64_t b) {
      const double left = scores[static_cast<size_t>(a)], right = scores[static_cast<size_t>(b)];
      return left != right ? left > right : a < b;
    });
    order.resize(static_cast<size_t>(count));
    chosen = order;

    weights.clear();
    double sum = 0;
    for (int64_t i = 0; i < k; ++i) {
      const double activation = activations[static_cast<size_t>(chosen[static_cast<size_t>(i)])];
      weights.push_back(std::isnan(activation) ? 0 : activation);
      sum += weights.back();
    }
    for (double& weight : weights) weight *= normalise_ ? scale_ / (sum + 1e-20) : scale_;
  }

  // Whether the choice does not hang on differences that f32 cannot show: no two of the best k + 1
  // scores, nor of the groups' around the last that is kept, are closer than `gap` times their
  // size, unless they are of equal logits and biases.
  bool decided(const std::vector<double>& logits, double gap) {
    route(logits, 1);
    const auto apart = [&](double a, double b, double of) { return std::fabs(a - b) >= gap * of; };
    for (size_t i = 1; i < chosen.size(); ++i) {
      const int64_t a = chosen[i - 1], b = chosen[i];
      const size_t left = static_cast<size_t>(a), right = static_cast<size_t>(b);
      const bool same = logits[left] == logits[right] && load(bias_, a) == load(bias_, b);
      if (!same &&
          !apart(scores[left], scores[right], activations[left] + std::fabs(load(bias_, a))))
        return false;
    }
    if (groups_ > 1) {
      std::vector<double> sorted = group_scores;
      std::sort(sorted.rbegin(), sorted.rend());
      if (kept_ < groups_ &&
          !apart(sorted[static_cast<size_t>(kept_ - 1)], sorted[static_cast<size_t>(kept_)], 4))
        return false;
    }
    return true;
  }

  // An exact score by which experts are ranked; NaN where there is no such expert. route() was
  // called.
  [[nodiscard]] double score(int64_t expert) const {
    if (expert < 0 || expert >= experts) return std::numeric_limits<double>::quiet_NaN();
    return scores[static_cast<size_t>(expert)];
  }

 private:
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();

  void activate(const std::vector<double>& logits) {
    activations.resize(logits.size());
    double maximum = -kInfinity, sum = 0;
    if (softmax_) {
      for (const double x : logits) maximum = x > maximum ? x : maximum;
      for (const double x : logits) sum += std::isnan(x) ? 0 : std::exp(x - maximum);
    }
    for (size_t e = 0; e < logits.size(); ++e) {
      const double x = logits[e];
      if (softmax_) {
        activations[e] = std::exp(x - maximum) / sum;
      } else if (sigmoid_) {
        activations[e] = 1 / (1 + std::exp(-x));
      } else {
        const double softplus = std::fmax(x, 0.0) + std::log1p(std::exp(-std::fabs(x)));
        // A number that is not a normal f32 counts as 0.
        activations[e] = std::isnan(x) ? x : softplus < 0x1p-126 ? 0 : std::sqrt(softplus);
      }
    }
  }

  std::vector<bool> kept_groups() {
    std::vector<bool> kept(static_cast<size_t>(groups_), true);
    if (groups_ == 1) return kept;
    const int64_t width = experts / groups_;
    group_scores.clear();
    for (int64_t g = 0; g < groups_; ++g) {
      std::vector<double> group(scores.begin() + g * width, scores.begin() + (g + 1) * width);
      std::partial_sort(group.begin(), group.begin() + 2, group.end(), std::greater<double>());
      group_scores.push_back(group[0] + group[1]);
    }
    for (int64_t g = 0; g < groups_; ++g) {
      int64_t better = 0;
      for (int64_t other = 0; other < groups_; ++other) {
        const double a = group_scores[static_cast<size_t>(other)];
        const double b = group_scores[static_cast<size_t>(g)];
        better += a > b || (a == b && other < g) ? 1 : 0;
      }
      kept[static_cast<size_t>(g)] = better < kept_;
    }
    return kept;
  }

  const int64_t groups_, kept_;
  const bool normalise_;
  const double scale_;
  const bool softmax_, sigmoid_;
  const ww_tensor* bias_;
};

}  // namespace ww
