// GeGLU in double precision: out = gelu(g) * u with the tanh form of GELU. One unit is one row.
//
// The textbook form 0.5 g (1 + tanh y) loses every digit for g < -6, where tanh y is -1 to within a
// rounding: an oracle must not cancel. Since 0.5 (1 + tanh y) = 1 / (1 + e^-2y), the same function
// is computed here without a subtraction.
#include "reference.h"

extern "C" int ww_reference(const ww_call* call) {
  const ww_tensor* g = ww::find_tensor(call, "g");
  const ww_tensor* u = ww::find_tensor(call, "u");
  double* out = ww::find_output(call, "out");
  if (g == nullptr || u == nullptr || out == nullptr) {
    return ww::fail(call, "geglu needs tensors g and u and output out");
  }

  constexpr double kSqrtTwoOverPi = 0.79788456080286535588;
  const int64_t d = ww::size(call, "d");
  for (int64_t i = 0; i < call->unit_count; ++i) {
    const int64_t first = call->units[i] * d;
    for (int64_t column = 0; column < d; ++column) {
      const double gate = ww::load(g, first + column);
      const double y = kSqrtTwoOverPi * gate * (1.0 + 0.044715 * gate * gate);
      const double gelu = gate / (1.0 + std::exp(-2.0 * y));
      out[i * d + column] = gelu * ww::load(u, first + column);
    }
  }
  return 0;
}
