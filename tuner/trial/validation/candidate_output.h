// Whether a made-up result passes for an output, by the rule that judges kernels
// (validation/validate.h), ended at the first element that decides it.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "trial/validation/validate.h"

namespace warpwright {

class CandidateOutput {
 public:
  // `view` needs no `got` and no poison; what it refers to must outlive this, as must `score`'s.
  CandidateOutput(OutputView view, Scorer score);

  [[nodiscard]] const OutputView& view() const { return view_; }
  // Elements that are compared: those of the units, one unit after the other.
  [[nodiscard]] std::size_t size() const { return view_.expected.size(); }
  // Position in the whole output of element `at`.
  [[nodiscard]] std::int64_t position(std::size_t at) const;
  // The element there; nullopt when it is not compared.
  [[nodiscard]] std::optional<std::size_t> find(std::int64_t position) const;

  // `value(at)` is element `at` before it is converted to the output's type. False when there is
  // nothing to compare.
  using Values = std::function<double(std::size_t at)>;
  [[nodiscard]] bool passes(const Values& value) const;
  // The same on some of the units, indices into those of the view.
  [[nodiscard]] bool passes(const Values& value, std::span<const std::size_t> units) const;
  // Of one element of a `close` output, or whether it is equal in others; not converted.
  [[nodiscard]] bool is_within(std::size_t at, double value) const;
  // How far off element `at` may be; 0 where it has to be equal.
  [[nodiscard]] double allowed(std::size_t at) const;

  // The mean of the finite expected values, 0 without any.
  [[nodiscard]] double mean_expected() const;
  // The element whose expected value is the largest finite one in size.
  [[nodiscard]] std::size_t largest_expected() const;

 private:
  [[nodiscard]] double converted(double value) const;
  [[nodiscard]] bool ranked_passes(const Values& value, std::span<const std::size_t> units) const;

  OutputView view_;
  Scorer score_;
  std::vector<double> allowed_;
};

}  // namespace warpwright
