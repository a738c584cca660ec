#include "trial/compare/output_miss.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <vector>

#include "core/words.h"
#include "trial/compare/validate.h"

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
    return words.empty() ? "abs 0" : join(words);
  }
};

double up(double value) { return std::strtod(rounded_up(value).c_str(), nullptr); }

// The scale explains how the allowed error was computed.
std::string scale_of(const OutputView& view, const Grade& grade) {
  if (view.tolerance_rms == 0 && !view.accumulate) return "";
  const bool whole = view.accumulate && grade.sum_rms != grade.row_rms;
  std::string text;
  if (view.tolerance_rms != 0 || !whole)
    text = fmt::format("the RMS of its row is {:.3g}", grade.row_rms);
  if (whole) {
    text += fmt::format("{}the RMS of all that was checked is {:.3g}", text.empty() ? "" : ", ",
                        grade.sum_rms);
  }
  return " (" + text + ")";
}

// Describes the share of mismatches that was exceeded, or the one that would pass.
std::string share_text(const OutputView& view, const OutputError& error) {
  const std::string share =
      rounded_up(static_cast<double>(error.wrong) / static_cast<double>(error.checked));
  if (view.mismatches != 0) {
    return fmt::format(
        ", more than the share of {} that `mismatches` allows; the smallest that passes is {}",
        view.mismatches, share);
  }
  // Rounding across a boundary between integers makes values differ by one, in few places.
  if (view.match != Match::kExact || error.max_abs > 1 || 100 * error.wrong > error.checked)
    return "";
  return fmt::format(
      ", all by 1; if rounding decides which value it is, `mismatches: {}` allows that many",
      share);
}

// Describes how far the output exceeds the allowed errors, and the tolerance that would have
// sufficed.
std::string shortfall(const OutputView& view, const OutputError& error, const OutputMiss& miss,
                      bool rounding) {
  if (miss.untouched != 0) return fmt::format(", {} of them never written", miss.untouched);
  if (view.match != Match::kClose) return share_text(view, error);
  // No tolerance lets a NaN pass, or an infinity that should be a number.
  if (!std::isfinite(error.max_abs)) return "";
  std::string text;
  if (std::isfinite(error.worst_ratio)) {
    text = fmt::format(" by at most {} times what is allowed{}", rounded_up(error.worst_ratio),
                       rounding ? ", which looks like rounding" : "");
  }
  return text + "; the smallest tolerance that passes is " + miss.smallest.text();
}

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
  const int exponent = static_cast<int>(std::strtol(nearest.c_str() + 4, nullptr, 10)) - 1;
  const auto number = [&] {
    return std::strtod(fmt::format("{}e{}", digits, exponent).c_str(), nullptr);
  };
  if (number() < value) ++digits;
  return plain(number());
}

bool looks_like_rounding(const OutputView& view, const OutputError& error, const OutputMiss& miss) {
  return miss.worst && !miss.worst->unwritten && miss.unheld == 0 && miss.untouched == 0 &&
         view.match == Match::kClose &&
         looks_like_rounding(error.wrong, error.checked, error.worst_ratio);
}

std::string describe_miss(const OutputView& view, const OutputError& error,
                          const OutputMiss& miss) {
  const OutputMiss::Worst& worst = *miss.worst;
  const std::string place = fmt::format("output '{}'", view.name);
  const std::string index = format_index(worst.position, view.shape);
  const std::string counts = fmt::format("{} of {} checked elements", error.wrong, error.checked);
  if (worst.unwritten) {
    return fmt::format(
        "{} was never written at {}: it still holds the poison, expected {}; {} are wrong", place,
        index, worst.expected, counts);
  }
  // Such an output cannot be compared with the reference, whatever the kernel does.
  if (miss.unheld != 0) {
    return fmt::format(
        "{} cannot be exact at {}: the reference's {} is not a value of {}; compare with a "
        "tolerance, or round "
        "in the reference; {} differ, {} of them for this reason",
        place, format_index(miss.first_unheld.position, view.shape), miss.first_unheld.expected,
        dtype_name(view.dtype), counts, miss.unheld);
  }
  const Grade& grade = worst.grade;
  std::string numbers = fmt::format("got {}, expected {}", worst.got, worst.expected);
  if (view.match == Match::kClose && std::isfinite(grade.error)) {
    numbers += fmt::format(", error {:.3g} exceeds the allowed {:.3g}{}", grade.error,
                           grade.allowed, scale_of(view, grade));
  }
  const bool rounding = looks_like_rounding(view, error, miss);
  return fmt::format("{} {} at {}: {}{}; {} {}{}", place, rounding ? "differs" : "is wrong", index,
                     numbers, grade.why, counts, rounding ? "differ" : "are wrong",
                     shortfall(view, error, miss, rounding));
}

}  // namespace warpwright
