#include "trial/validation/output_miss.h"

#include <fmt/format.h>

#include <cmath>

namespace warpwright {
namespace {

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
