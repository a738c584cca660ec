// Layer normalisation in double precision. One unit is one row:
//   z = x + r (or x),   y = (z - mean(z)) / sqrt(mean((z - mean(z))^2) + eps) * w + b
// The norm is of the exact sum, not of the sum rounded to dtype. Output z has no elements when
// residual is 0. The mean is taken first, so that nothing cancels.
#include "reference.h"

#include <vector>

extern "C" int ww_reference(const ww_call* call) {
  const ww_tensor* x = ww::find_tensor(call, "x");
  const ww_tensor* r = ww::find_tensor(call, "r");
  const ww_tensor* w = ww::find_tensor(call, "w");
  const ww_tensor* b = ww::find_tensor(call, "b");
  double* y = ww::find_output(call, "y");
  double* z = ww::find_output(call, "z");
  const bool residual = ww::size(call, "residual") != 0;
  if (x == nullptr || w == nullptr || b == nullptr || y == nullptr ||
      (residual && (r == nullptr || z == nullptr))) {
    return ww::fail(call, "layernorm needs tensors x, r, w, b and outputs y, z");
  }

  const int64_t d = ww::size(call, "d");
  const double eps = ww::real(call, "eps");
  std::vector<double> row(static_cast<size_t>(d));
  for (int64_t i = 0; i < call->unit_count; ++i) {
    const int64_t first = call->units[i] * d;
    double mean = 0;
    for (int64_t column = 0; column < d; ++column) {
      double& value = row[static_cast<size_t>(column)];
      value = ww::load(x, first + column) + (residual ? ww::load(r, first + column) : 0.0);
      mean += value / static_cast<double>(d);
      if (residual) z[i * d + column] = value;
    }
    double variance = 0;
    for (const double value : row)
      variance += (value - mean) * (value - mean) / static_cast<double>(d);
    const double scale = 1.0 / std::sqrt(variance + eps);
    for (int64_t column = 0; column < d; ++column)
      y[i * d + column] = (row[static_cast<size_t>(column)] - mean) * scale * ww::load(w, column) +
                          ww::load(b, column);
  }
  return 0;
}
