// SwiGLU in double precision: out = silu(g) * u with silu(g) = g / (1 + e^-g). One unit is one row.
#include "reference.h"

extern "C" int ww_reference(const ww_call* call) {
  const ww_tensor* g = ww::find_tensor(call, "g");
  const ww_tensor* u = ww::find_tensor(call, "u");
  double* out = ww::find_output(call, "out");
  if (g == nullptr || u == nullptr || out == nullptr) {
    return ww::fail(call, "swiglu needs tensors g and u and output out");
  }

  const int64_t d = ww::size(call, "d");
  for (int64_t i = 0; i < call->unit_count; ++i) {
    const int64_t first = call->units[i] * d;
    for (int64_t column = 0; column < d; ++column) {
      const double gate = ww::load(g, first + column);
      // e^-g overflows to infinity below g = -709, and the quotient is then -0: the limit, rounded.
      const double silu = gate / (1.0 + std::exp(-gate));
      out[i * d + column] = silu * ww::load(u, first + column);
    }
  }
  return 0;
}
