#include "trial/compare/candidate_output.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace warpwright {

CandidateOutput::CandidateOutput(OutputView view, Scorer score)
    : view_(std::move(view)), score_(std::move(score)), allowed_(allowed_errors(view_)) {}

std::int64_t CandidateOutput::position(std::size_t at) const {
  const auto width = static_cast<std::size_t>(view_.unit_elements);
  return view_.units[at / width] * view_.unit_elements + static_cast<std::int64_t>(at % width);
}

std::optional<std::size_t> CandidateOutput::find(std::int64_t position) const {
  const std::int64_t unit = position / view_.unit_elements;
  const auto found = std::lower_bound(view_.units.begin(), view_.units.end(), unit);
  if (found == view_.units.end() || *found != unit) return std::nullopt;
  const std::int64_t place = found - view_.units.begin();
  return static_cast<std::size_t>(place * view_.unit_elements + position % view_.unit_elements);
}

double CandidateOutput::converted(double value) const {
  std::array<std::byte, sizeof(double)> bytes{};
  store_element(view_.dtype, bytes.data(), 0, value);
  return load_element(view_.dtype, bytes.data(), 0);
}

double CandidateOutput::allowed(std::size_t at) const { return std::max(allowed_[at], 0.0); }

bool CandidateOutput::is_within(std::size_t at, double value) const {
  const double expected = view_.expected[at];
  if (view_.match != Match::kClose || std::isinf(expected)) return value == expected;
  if (std::isnan(expected)) return std::isnan(value);
  return std::isfinite(value) && std::fabs(value - expected) <= allowed_[at];
}

bool CandidateOutput::passes(const Values& value) const {
  std::vector<std::size_t> units(view_.units.size());
  std::iota(units.begin(), units.end(), std::size_t{0});
  return passes(value, units);
}

bool CandidateOutput::passes(const Values& value, std::span<const std::size_t> units) const {
  const auto width = static_cast<std::size_t>(view_.unit_elements);
  if (units.empty() || width == 0) return false;
  if (view_.match == Match::kRanked) {
    // A few units decide the result, unless some elements may differ.
    constexpr std::size_t kFewUnits = 16;
    const bool any_decides = view_.mismatches == 0 && units.size() > kFewUnits;
    if (any_decides && !ranked_passes(value, units.first(kFewUnits))) return false;
    return ranked_passes(value, units);
  }
  double may_differ = view_.match == Match::kExact
                          ? std::floor(view_.mismatches * static_cast<double>(units.size() * width))
                          : 0;
  for (const std::size_t unit : units) {
    for (std::size_t at = unit * width; at < (unit + 1) * width; ++at)
      if (!is_within(at, converted(value(at))) && --may_differ < 0) return false;
  }
  return true;
}

bool CandidateOutput::ranked_passes(const Values& value, std::span<const std::size_t> units) const {
  const auto width = static_cast<std::size_t>(view_.unit_elements);
  OutputView view = view_;
  std::vector<std::int64_t> numbers;
  std::vector<double> expected;
  std::vector<std::byte> got(units.size() * width * dtype_size(view.dtype));
  for (const std::size_t unit : units) {
    numbers.push_back(view_.units[unit]);
    for (std::size_t at = unit * width; at < (unit + 1) * width; ++at) {
      store_element(view.dtype, got.data(), expected.size(), value(at));
      expected.push_back(view_.expected[at]);
    }
  }
  view.units = numbers;
  view.expected = expected;
  view.got = got;
  return check_output(view, score_).failure.empty();
}

double CandidateOutput::mean_expected() const {
  double sum = 0;
  double count = 0;
  for (const double value : view_.expected) {
    if (!std::isfinite(value)) continue;
    sum += value;
    ++count;
  }
  return count == 0 ? 0 : sum / count;
}

std::size_t CandidateOutput::largest_expected() const {
  std::size_t largest = 0;
  double size = -1;
  for (std::size_t at = 0; at < view_.expected.size(); ++at) {
    const double value = std::fabs(view_.expected[at]);
    if (!std::isfinite(value) || value <= size) continue;
    size = value;
    largest = at;
  }
  return largest;
}

}  // namespace warpwright
