#include "trial/compare/validate.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <set>

#include "core/error.h"
#include "trial/compare/output_miss.h"
#include "trial/numbers/poison.h"

namespace warpwright {
namespace {

struct Precision {
  int bits = 0;       // of the significand, with the implied bit
  int subnormal = 0;  // the smallest is 2 to this
};

Precision precision_of(DType dtype) {
  switch (dtype) {
    case DType::kF64:
      return {53, -1074};
    case DType::kF32:
      return {24, -149};
    case DType::kF16:
      return {11, -24};
    case DType::kBf16:
      return {8, -133};
    case DType::kE4m3:
      return {4, -9};
    case DType::kE5m2:
      return {3, -16};
    default:
      break;
  }
  WARPWRIGHT_CHECK(false, "only real types round");
  return {};
}

constexpr double kNoBound = std::numeric_limits<double>::infinity();
// Fewer values do not show well enough how large similar sums are.
constexpr std::size_t kEnoughForRms = 64;

Grade certainly_wrong(std::string why = {}) {
  Grade grade;
  grade.error = kNoBound;
  grade.ratio = kNoBound;
  grade.why = std::move(why);
  return grade;
}

Grade certainly_right() {
  Grade grade;
  grade.passes = true;
  return grade;
}

// `abs` is the total allowed error except for the part that grows with the element itself.
Grade grade_close(double got, double expected, double abs, double rel) {
  if (std::isnan(expected)) return std::isnan(got) ? certainly_right() : certainly_wrong();
  if (std::isinf(expected)) return got == expected ? certainly_right() : certainly_wrong();
  if (!std::isfinite(got)) return certainly_wrong();
  Grade grade;
  grade.error = std::fabs(got - expected);
  grade.allowed = abs + rel * std::fabs(expected);
  grade.passes = grade.error <= grade.allowed;
  if (grade.allowed > 0) {
    grade.ratio = grade.error / grade.allowed;
  } else {
    grade.ratio = grade.error == 0 ? 0 : kNoBound;
  }
  return grade;
}

Grade grade_exact(double got, double expected) {
  if (got == expected) return certainly_right();
  Grade grade = certainly_wrong();
  grade.error = std::fabs(got - expected);
  return grade;
}

// Whether the type has this value: writing it and reading it back changes nothing.
bool holds(DType dtype, double value) {
  std::array<std::byte, sizeof(double)> bytes{};
  store_element(dtype, bytes.data(), 0, value);
  const double back = load_element(dtype, bytes.data(), 0);
  return back == value || (std::isnan(back) && std::isnan(value));
}

struct Rms {
  double root = 0;
  std::size_t count = 0;
};

// The root of the mean square of the finite values, 0 without any. Scaled, because squares of large
// values overflow.
Rms rms(std::span<const double> values) {
  double largest = 0;
  std::size_t count = 0;
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    largest = std::max(largest, std::fabs(value));
    ++count;
  }
  if (largest == 0) return {0, count};
  double sum = 0;
  for (const double value : values) {
    if (std::isfinite(value)) sum += (value / largest) * (value / largest);
  }
  return {largest * std::sqrt(sum / static_cast<double>(count)), count};
}

class OutputChecker {
 public:
  OutputChecker(const OutputView& view, const Scorer& score)
      : view_(view), score_(score), row_width_(row_width(view)), miss_(view) {}

  std::vector<double> allowed() {
    const auto width = static_cast<std::size_t>(view_.unit_elements);
    std::vector<double> all;
    all.reserve(view_.expected.size());
    for (std::size_t at = 0; at < view_.expected.size(); ++at) {
      if (at % width == 0) seen_.clear();
      enter_row(at % width, at);
      const double expected = view_.expected[at];
      // An index that occurs twice in its unit is never right, even if the reference contains it
      // twice.
      const bool twice = view_.match == Match::kRanked && expected >= 0 &&
                         !seen_.insert(static_cast<std::int64_t>(expected)).second;
      if (std::isnan(expected) || twice) {
        all.push_back(-1);
      } else if (view_.match != Match::kClose || std::isinf(expected)) {
        all.push_back(0);
      } else {
        const RoundingAllowance row = allowed_in_row();
        // An infinity would let infinities pass.
        all.push_back(
            std::min(row.abs + row.rel * std::fabs(expected), std::numeric_limits<double>::max()));
      }
    }
    return all;
  }

  OutputVerdict check() {
    const auto width = static_cast<std::size_t>(view_.unit_elements);
    OutputVerdict verdict;
    verdict.error.output = view_.name;
    for (std::size_t u = 0; u < view_.units.size(); ++u) {
      seen_.clear();
      for (std::size_t i = 0; i < width; ++i) {
        enter_row(i, u * width + i);
        check_element(u, u * width + i, verdict.error);
      }
    }
    allow_mismatches(verdict.error);
    if (miss_.worst) {
      verdict.failure = describe_miss(view_, verdict.error, miss_);
      verdict.looks_like_rounding = looks_like_rounding(view_, verdict.error, miss_);
    }
    return verdict;
  }

 private:
  // The number of elements of a row along the last axis in a unit: all, unless units divide that
  // axis.
  static std::size_t row_width(const OutputView& view) {
    const std::int64_t last = view.shape.empty() ? 0 : view.shape.back();
    const bool whole = last > 0 && view.unit_elements % last == 0;
    return static_cast<std::size_t>(whole ? last : view.unit_elements);
  }

  // Must be called before element `at` of the packed units, which is element `i` of its unit.
  void enter_row(std::size_t i, std::size_t at) {
    if ((view_.tolerance_rms == 0 && !view_.accumulate) || i % row_width_ != 0) return;
    const Rms row = rms(view_.expected.subspan(at, row_width_));
    row_rms_ = row.root;
    if (!view_.accumulate) return;
    // A few sums may all be small by chance: the rest of the output then determines the scale.
    if (row.count < kEnoughForRms && !whole_rms_) whole_rms_ = rms(view_.expected).root;
    sum_rms_ = row.count < kEnoughForRms ? *whole_rms_ : row_rms_;
    rounding_ = allowed_rounding(*view_.accumulate, view_.dtype, sum_rms_);
  }

  // The constant part of the allowed error, and the factor of the part that grows with the element.
  [[nodiscard]] RoundingAllowance allowed_in_row() const {
    return {view_.tolerance_abs + view_.tolerance_rms * row_rms_ + rounding_.abs,
            view_.tolerance_rel + rounding_.rel};
  }

  Grade grade_in_row(double got, double expected) const {
    const RoundingAllowance allowed = allowed_in_row();
    Grade grade = grade_close(got, expected, allowed.abs, allowed.rel);
    grade.row_rms = row_rms_;
    grade.sum_rms = sum_rms_;
    return grade;
  }

  // Position in the whole output of element `at` of the packed units.
  [[nodiscard]] std::int64_t flat(std::size_t unit, std::size_t at) const {
    const auto width = static_cast<std::size_t>(view_.unit_elements);
    return view_.units[unit] * view_.unit_elements + static_cast<std::int64_t>(at - unit * width);
  }

  [[nodiscard]] bool poisoned(std::size_t at, std::int64_t position) const {
    const std::size_t size = dtype_size(view_.dtype);
    return view_.poison != 0 &&
           holds_pattern(view_.got.data() + at * size, size,
                         static_cast<std::size_t>(position) * size, view_.poison);
  }

  Grade grade(std::size_t unit, double got, double expected) {
    switch (view_.match) {
      case Match::kClose:
        return grade_in_row(got, expected);
      case Match::kExact:
        return grade_exact(got, expected);
      case Match::kRanked:
        return grade_ranked(view_.units[unit], got, expected);
    }
    return certainly_wrong();
  }

  Grade grade_ranked(std::int64_t unit, double got, double expected) {
    // A negative index means "no candidate", and may be repeated.
    if (got == expected && got < 0) return certainly_right();
    const auto candidate = static_cast<std::int64_t>(got);
    if (!seen_.insert(candidate).second)
      return certainly_wrong("; this index occurs twice in its unit");
    if (got == expected) return certainly_right();
    if (!score_) return certainly_wrong();
    const double wanted = score_(unit, static_cast<std::int64_t>(expected));
    const double offered = score_(unit, candidate);
    // Equal infinities tie although their difference is NaN.
    if (offered == wanted) return certainly_right();
    if (std::isnan(offered)) return certainly_wrong("; this index is not a candidate");
    Grade grade = grade_close(offered, wanted, view_.tolerance_abs, view_.tolerance_rel);
    if (!grade.passes)
      grade.why = fmt::format("; their scores are {} and {}, no tie", offered, wanted);
    return grade;
  }

  void check_element(std::size_t unit, std::size_t at, OutputError& error) {
    const double got = load_element(view_.dtype, view_.got.data(), at);
    const double expected = view_.expected[at];
    const std::int64_t position = flat(unit, at);
    Grade result = grade(unit, got, expected);
    // The poison is also a NaN, and must not pass where the reference is NaN. One-byte poison is a
    // value that kernels may produce; there the second launch decides.
    const bool untouched = dtype_size(view_.dtype) > 1 && poisoned(at, position);
    if (untouched && result.passes && std::isnan(expected)) result = certainly_wrong();

    ++error.checked;
    if (std::isfinite(result.error)) {
      error.max_abs = std::max(error.max_abs, result.error);
      if (expected != 0 && std::isfinite(expected)) {
        error.max_rel = std::max(error.max_rel, result.error / std::fabs(expected));
      }
    } else {
      error.max_abs = error.max_rel = kNoBound;
    }
    error.worst_ratio = std::max(error.worst_ratio, result.ratio);
    if (result.passes) return;
    ++error.wrong;
    const bool unwritten = poisoned(at, position);
    if (unwritten) ++miss_.untouched;
    if (std::isfinite(result.error)) {
      // A row too short to determine the scale of its sums is not used to compute the smallest
      // tolerance.
      const bool row_counts = !view_.accumulate || result.sum_rms == result.row_rms;
      miss_.smallest.add({result.error, result.allowed, expected, row_counts ? result.row_rms : 0});
    }
    if (view_.match == Match::kExact && !holds(view_.dtype, expected) && miss_.unheld++ == 0)
      miss_.first_unheld = {position, expected};
    if (!miss_.worst || result.ratio > miss_.worst->grade.ratio)
      miss_.worst = {position, got, expected, unwritten, std::move(result)};
  }

  // Takes back the verdict on elements that may differ.
  void allow_mismatches(OutputError& error) {
    if (view_.match == Match::kClose || view_.mismatches == 0 || error.wrong == 0) return;
    // One byte of poison is an ordinary value: unwritten elements show after the second run.
    if (miss_.untouched != 0 && dtype_size(view_.dtype) > 1) return;
    const double share = static_cast<double>(error.wrong) / static_cast<double>(error.checked);
    error.worst_ratio = share / view_.mismatches;
    if (share <= view_.mismatches) miss_.worst.reset();
  }

  const OutputView& view_;
  const Scorer& score_;
  const std::size_t row_width_;
  double row_rms_ = 0;  // of the current row, when the tolerance uses it
  double sum_rms_ = 0;  // of the row or, if that is short, of the whole output
  std::optional<double> whole_rms_;
  RoundingAllowance rounding_;   // of the current row
  std::set<std::int64_t> seen_;  // ranked indices of the current unit
  OutputMiss miss_;
};

template <typename Differs>
std::optional<Difference> count_where(std::size_t count, Differs differs) {
  std::optional<Difference> found;
  for (std::size_t i = 0; i < count; ++i) {
    if (!differs(i)) continue;
    if (!found) found = Difference{static_cast<std::int64_t>(i), 0};
    ++found->count;
  }
  return found;
}

}  // namespace

double unit_roundoff(DType dtype) { return std::ldexp(1.0, -precision_of(dtype).bits); }

DType usual_accumulator(DType output) { return output == DType::kF64 ? DType::kF64 : DType::kF32; }

RoundingAllowance allowed_rounding(const SumRounding& sum, DType output, double rms) {
  constexpr double kLambda = 4;
  const double u = unit_roundoff(sum.accumulator);
  const double n = sum.terms;
  const double growth = std::expm1((kLambda * std::sqrt(n) * u + n * u * u) / (1 - u));
  const double error = growth * std::sqrt(n) * rms;
  const double u_out = unit_roundoff(output);
  return {error * (1 + u_out) + std::ldexp(1.0, precision_of(output).subnormal - 1), u_out};
}

std::optional<SumRounding> sum_rounding(const ArgumentSpec& argument, DType dtype,
                                        const Environment& environment) {
  const std::optional<AccumulateSpec>& given = argument.tolerance_accumulate;
  if (!given) return std::nullopt;
  SumRounding sum;
  sum.terms = given->terms.evaluate_real(environment);
  if (!(sum.terms >= 1 && std::isfinite(sum.terms))) {
    throw user_error(given->terms.where(),
                     fmt::format("output '{}': a sum of '{}' products is one of {}, expected at "
                                 "least 1",
                                 argument.name, given->terms.text(), sum.terms));
  }
  sum.accumulator = given->in.empty() ? usual_accumulator(dtype) : *parse_dtype(given->in);
  return sum;
}

double allowed_mismatches(const ArgumentSpec& argument, const Environment& environment) {
  if (!argument.mismatches) return 0;
  const double share = argument.mismatches->evaluate_real(environment);
  if (share >= 0 && share < 1) return share;
  throw user_error(argument.mismatches->where(),
                   fmt::format("output '{}': the share '{}' of mismatches is {}, expected at least "
                               "0 and below 1",
                               argument.name, argument.mismatches->text(), share));
}

std::vector<double> allowed_errors(const OutputView& view) {
  return OutputChecker(view, {}).allowed();
}

OutputVerdict check_output(const OutputView& view, const Scorer& score) {
  WARPWRIGHT_CHECK(view.got.size() == view.expected.size() * dtype_size(view.dtype),
                   "as much was computed as expected");
  return OutputChecker(view, score).check();
}

std::string format_index(std::int64_t flat, std::span<const std::int64_t> shape) {
  std::string text;
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    text = fmt::format("{}{}{}", flat % shape[axis], text.empty() ? "" : ", ", text);
    flat /= shape[axis];
  }
  return "[" + text + "]";
}

std::optional<Difference> first_difference(std::size_t element_bytes, std::span<const std::byte> a,
                                           std::span<const std::byte> b) {
  WARPWRIGHT_CHECK(a.size() == b.size(), "outputs of one problem have one size");
  return count_where(a.size() / element_bytes, [&](std::size_t i) {
    const std::size_t at = i * element_bytes;
    return std::memcmp(a.data() + at, b.data() + at, element_bytes) != 0;
  });
}

std::optional<Difference> never_written(std::size_t element_bytes,
                                        std::span<const std::byte> after_first,
                                        std::span<const std::byte> after_second) {
  WARPWRIGHT_CHECK(after_first.size() == after_second.size(),
                   "outputs of one problem have one size");
  return count_where(after_first.size() / element_bytes, [&](std::size_t i) {
    const std::size_t at = i * element_bytes;
    return holds_pattern(after_first.data() + at, element_bytes, at, kPoison[0]) &&
           holds_pattern(after_second.data() + at, element_bytes, at, kPoison[1]);
  });
}

}  // namespace warpwright
