// A CandidateOutput determines whether a made-up result passes for an output, by the rule that
// judges kernels (compare/validate.h). It stops at the first element that decides.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "trial/compare/validate.h"

namespace warpwright {

class CandidateOutput {
 public:
  // `view` needs no `got` and no poison. The arrays behind it must outlive this object.
  CandidateOutput(OutputView view, Scorer score);

  [[nodiscard]] const OutputView& view() const { return view_; }
  // The number of elements that are compared: those of the units, one unit after the other.
  [[nodiscard]] std::size_t size() const { return view_.expected.size(); }
  // The position of element `at` in the whole output.
  [[nodiscard]] std::int64_t position(std::size_t at) const;
  // The element at a position of the whole output; nullopt when it is not compared.
  [[nodiscard]] std::optional<std::size_t> find(std::int64_t position) const;

  // `value(at)` is element `at` before its conversion to the output's type. Returns false when
  // there is nothing to compare.
  using Values = std::function<double(std::size_t at)>;
  [[nodiscard]] bool passes(const Values& value) const;
  // The same for some of the units, which are given as indices into the view's units.
  [[nodiscard]] bool passes(const Values& value, std::span<const std::size_t> units) const;
  // Whether `value`, unconverted, is within the tolerance of a `close` output, or equal in others.
  [[nodiscard]] bool is_within(std::size_t at, double value) const;
  // The error that is allowed for element `at`; 0 where it must be equal.
  [[nodiscard]] double allowed(std::size_t at) const;

  // The mean of the finite expected values; 0 when there are none.
  [[nodiscard]] double mean_expected() const;
  // The element with the largest absolute value among the finite expected values.
  [[nodiscard]] std::size_t largest_expected() const;

 private:
  [[nodiscard]] double converted(double value) const;
  [[nodiscard]] bool ranked_passes(const Values& value, std::span<const std::size_t> units) const;

  OutputView view_;
  Scorer score_;
  std::vector<double> allowed_;
};

}  // namespace warpwright
