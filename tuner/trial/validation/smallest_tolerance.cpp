#include "trial/validation/smallest_tolerance.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <vector>

#include "trial/validation/validate.h"

namespace warpwright {
namespace {

constexpr double kUnbounded = std::numeric_limits<double>::infinity();
// Covers the rounding error of products and quotients of a few doubles.
constexpr double kSlack = 1 + 4 * std::numeric_limits<double>::epsilon();

// The shortest form, with "e-6" instead of "e-06".
std::string plain(double value) {
  std::string text = fmt::format("{}", value);
  const std::size_t exponent = text.find('e');
  if (exponent != std::string::npos && text[exponent + 2] == '0') text.erase(exponent + 2, 1);
  return text;
}

struct Parts {
  double abs = 0;
  double rel = 0;
  double rms = 0;
  const std::optional<SumRounding>& sum;

  [[nodiscard]] std::string text() const {
    std::vector<std::string> words;
    const auto add = [&](const char* name, const std::string& number) {
      words.push_back(fmt::format("{} {}", name, number));
    };
    if (abs != 0) add("abs", plain(abs));
    if (rel != 0) add("rel", plain(rel));
    if (rms != 0) add("rms", plain(rms));
    if (sum) add("accumulate", plain(sum->terms));
    return words.empty() ? "abs 0" : fmt::format("{}", fmt::join(words, ", "));
  }
};

double up(double value) { return std::strtod(rounded_up(value).c_str(), nullptr); }

}  // namespace

void SmallestTolerance::add(const ToleranceMiss& miss) {
  const double factor = miss.allowed > 0 ? miss.error / miss.allowed : kUnbounded;
  if (factor > factor_) {
    factor_ = factor;
    worst_ = miss;
  }
  const double beyond = miss.error - miss.allowed;
  beyond_ = std::max(beyond_, beyond);
  rms_more_ = std::max(rms_more_, miss.row_rms > 0 ? beyond / miss.row_rms : kUnbounded);
}

std::string SmallestTolerance::text() const {
  const Parts given{view_.tolerance_abs, view_.tolerance_rel, view_.tolerance_rms,
                    view_.accumulate};
  Parts enough = given;
  const auto scale = [&](double factor) {
    enough.abs = up(given.abs * factor);
    enough.rel = up(given.rel * factor);
    enough.rms = up(given.rms * factor);
  };
  if (!given.sum && std::isfinite(factor_)) {
    const auto worst_passes = [&] {
      return worst_.error <=
             enough.abs + enough.rms * worst_.row_rms + enough.rel * std::fabs(worst_.expected);
    };
    // A product that is a little too large because of rounding must not change a digit.
    scale(factor_ / kSlack);
    if (!worst_passes()) scale(factor_ * kSlack);
  } else if (std::isfinite(rms_more_)) {
    enough.rms = up((given.rms + rms_more_) * kSlack);
  } else {
    enough.abs = up(given.abs == 0 ? beyond_ : (given.abs + beyond_) * kSlack);
  }
  return fmt::format("{} (given {})", enough.text(), given.text());
}

bool looks_like_rounding(std::uint64_t misses, std::uint64_t checked, double factor) {
  return 100 * misses <= checked && factor <= 4;
}

std::string rounded_up(double value) {
  if (!std::isfinite(value) || value <= 0) return plain(value);
  const std::string nearest = fmt::format("{:.1e}", value);  // "3.5e-06"
  int digits = (nearest[0] - '0') * 10 + (nearest[2] - '0');
  const int exponent = std::atoi(nearest.c_str() + 4) - 1;
  const auto number = [&] {
    return std::strtod(fmt::format("{}e{}", digits, exponent).c_str(), nullptr);
  };
  if (number() < value) ++digits;
  return plain(number());
}

}  // namespace warpwright
