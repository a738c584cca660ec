// `steps` times x = x + t*y, y = y - t*x. f32 and f64: in double. f16: each fused multiply-add
// rounded to f16 (nearest even), as the type's own arithmetic does. One unit is one point.
#include "reference.h"

namespace {

// To the nearest f16, ties to even; f16 has 11 significant bits, and fewer below 2^-14.
double round_f16(double value) {
  if (value == 0 || !std::isfinite(value)) return value;
  int exponent = 0;
  std::frexp(value, &exponent);  // value = m * 2^exponent, 0.5 <= |m| < 1
  const int unit = (exponent - 11 < -24) ? -24 : exponent - 11;
  return std::ldexp(std::nearbyint(std::ldexp(value, -unit)), unit);
}

}  // namespace

extern "C" int ww_reference(const ww_call* call) {
  const ww_tensor* x = ww::find_tensor(call, "x");
  const ww_tensor* y = ww::find_tensor(call, "y");
  const ww_tensor* t = ww::find_tensor(call, "t");
  double* x_end = ww::find_output(call, "x_end");
  double* y_end = ww::find_output(call, "y_end");
  if (x == nullptr || y == nullptr || t == nullptr || x_end == nullptr || y_end == nullptr)
    return ww::fail(call, "harness_fma needs tensors x, y and t and outputs x_end and y_end");
  const int64_t steps = ww::size(call, "steps");
  const bool rounded = ww::is(call, "dtype", "f16");
  for (int64_t i = 0; i < call->unit_count; ++i) {
    const int64_t at = call->units[i];
    double a = ww::load(x, at), b = ww::load(y, at);
    const double turn = ww::load(t, at);
    for (int64_t step = 0; step < steps; ++step) {
      a = a + turn * b;
      if (rounded) a = round_f16(a);
      b = b - turn * a;
      if (rounded) b = round_f16(b);
    }
    x_end[i] = a;
    y_end[i] = b;
  }
  return 0;
}
