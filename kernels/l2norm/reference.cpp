// Scaling to unit mean square in double precision. One unit is one row:
//   y = x / sqrt(mean(x^2) + eps)
#include "reference.h"

extern "C" int ww_reference(const ww_call* call) {
  const ww_tensor* x = ww::find_tensor(call, "x");
  double* y = ww::find_output(call, "y");
  if (x == nullptr || y == nullptr) return ww::fail(call, "l2norm needs tensor x and output y");

  const int64_t d = ww::size(call, "d");
  const double eps = ww::real(call, "eps");
  for (int64_t i = 0; i < call->unit_count; ++i) {
    const int64_t first = call->units[i] * d;
    double squares = 0;
    for (int64_t column = 0; column < d; ++column) {
      const double value = ww::load(x, first + column);
      squares += value * value;
    }
    const double scale = 1.0 / std::sqrt(squares / static_cast<double>(d) + eps);
    for (int64_t column = 0; column < d; ++column)
      y[i * d + column] = ww::load(x, first + column) * scale;
  }
  return 0;
}
