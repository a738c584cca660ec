#include "trial/validation/output_limits.h"

#include <fmt/format.h>

#include <cmath>

#include "core/error.h"

namespace warpwright {

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

}  // namespace warpwright
