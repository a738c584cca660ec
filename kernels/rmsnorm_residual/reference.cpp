// Residual addition and RMSNorm in double precision. One unit is one row:
//   z = x + r,   y = z / sqrt(mean(z^2) + eps) * w
// The norm is of the exact sum, not of the sum rounded to dtype. Output z has no elements when
// write_z is 0.
#include "reference.h"

extern "C" int ww_reference(const ww_call* call) {
  const ww_tensor* x = ww::find_tensor(call, "x");
  const ww_tensor* r = ww::find_tensor(call, "r");
  const ww_tensor* w = ww::find_tensor(call, "w");
  double* y = ww::find_output(call, "y");
  double* z = ww::find_output(call, "z");
  const bool write_z = ww::size(call, "write_z") != 0;
  if (x == nullptr || r == nullptr || w == nullptr || y == nullptr || (write_z && z == nullptr)) {
    return ww::fail(call, "rmsnorm_residual needs tensors x, r, w and outputs y, z");
  }

  const int64_t d = ww::size(call, "d");
  const double eps = ww::real(call, "eps");
  for (int64_t i = 0; i < call->unit_count; ++i) {
    const int64_t first = call->units[i] * d;
    double squares = 0;
    for (int64_t column = 0; column < d; ++column) {
      const double sum = ww::load(x, first + column) + ww::load(r, first + column);
      squares += sum * sum;
    }
    const double scale = 1.0 / std::sqrt(squares / static_cast<double>(d) + eps);
    for (int64_t column = 0; column < d; ++column) {
      const double sum = ww::load(x, first + column) + ww::load(r, first + column);
      y[i * d + column] = sum * scale * ww::load(w, column);
      if (write_z) z[i * d + column] = sum;
    }
  }
  return 0;
}
