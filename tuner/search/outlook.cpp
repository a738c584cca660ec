#include "search/outlook.h"

#include <algorithm>
#include <cmath>

namespace warpwright {
namespace {

// The log-odds are linear in the terms below. The coefficients were fitted to 2,016 moments of
// replays of eight recordings with 4,000 to 18,000 configurations, for gains of 1 % and 5 %.
constexpr double kOdds = 5.51;
constexpr double kOddsNear = 0.178;      // log of the expected number of better neighbours
constexpr double kOddsSince = -0.271;    // log of the answers since the last better one
constexpr double kOddsAnswers = -1.093;  // log of the number of all answers
constexpr double kOddsGain = -0.106;     // log of the gain
constexpr double kUsualGain = 0.01;
constexpr double kLeastGainOfAll = 0.001;
// Added to a value that may be 0 before its logarithm is taken.
constexpr double kFewestNear = 1e-3;
// In spaces larger than any recorded one, each answer counts for less.
constexpr double kLargestRecorded = 18000;
constexpr double kLarger = 0.25;
// While part of a space is untried, the estimated chance never falls below this.
constexpr double kLeastChance = 0.03;
// The trees disagree by more than their prediction error, so the spread is scaled down.
constexpr double kSpreadTrusted = 0.4;

double expected_below(const Remainder::One& one, double bound) {
  const double far = (bound - one.mean) / std::max(kSpreadTrusted * one.spread, 1e-9);
  return one.stands_for * (1 - one.failing) * 0.5 * std::erfc(-far * 0.7071067811865476);
}

}  // namespace

double chance_of(const Remainder& rest, double gain) {
  if (rest.sample.empty()) return 0;
  double near = kFewestNear;
  double left = 0;
  for (const Remainder::One& one : rest.sample) {
    left += one.stands_for;
    if (one.near) near += expected_below(one, rest.best - gain);
  }
  const auto count = static_cast<double>(rest.count);
  const double larger = std::pow(std::max(1.0, count / kLargestRecorded), kLarger);
  const double odds =
      kOdds + kOddsNear * std::log(near) +
      kOddsSince * std::log1p(static_cast<double>(rest.since_better)) +
      kOddsAnswers *
          std::log(static_cast<double>(std::max<std::uint64_t>(1, rest.answers)) / larger) +
      kOddsGain * std::log(std::max(gain, kLeastGainOfAll) / kUsualGain);
  const double chance = std::max(kLeastChance, 1 / (1 + std::exp(-odds)));
  // The best configuration is no more likely to be among the untried ones than in a random order.
  return std::min(chance, left / count);
}

double likely_least(const Remainder& rest) {
  double low = rest.best;
  double high = rest.best;
  for (const Remainder::One& one : rest.sample) {
    low = std::min(low, one.mean - 4 * one.spread);
    high = std::max(high, one.mean + 4 * one.spread);
  }
  // With an expected count of ln 2 below a bound, the chance that there is none is one half.
  const double half = std::log(2.0);
  for (int i = 0; i < 40; ++i) {
    const double middle = 0.5 * (low + high);
    double expected = 0;
    for (const Remainder::One& one : rest.sample) expected += expected_below(one, middle);
    (expected < half ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

}  // namespace warpwright
