// Gated activations in double precision: out = act(g) * u. One unit is one row.
//
// silu and gelu_tanh are g times a logistic function: silu(g) = g / (1 + e^-g), and gelu_tanh(g) =
// g / (1 + e^-2y) with y = sqrt(2/pi) (g + 0.044715 g^3). The textbook form of the latter, 0.5 g (1
// + tanh y), loses every digit for g < -6, where tanh y is -1 to within a rounding: an oracle must
// not cancel. Since 0.5 (1 + tanh y) = 1 / (1 + e^-2y), the same function is computed here without
// a subtraction. For the same reason gelu_erf is 0.5 g erfc(-g / sqrt(2)), not 0.5 g (1 + erf).
#include "reference.h"

namespace {

// e^-x overflows to infinity below x = -709, and the quotient is then -0: the limit, rounded.
double gate_times_logistic(double gate, double x) { return gate / (1.0 + std::exp(-x)); }

double silu(double gate) { return gate_times_logistic(gate, gate); }

double gelu_tanh(double gate) {
  constexpr double kSqrtTwoOverPi = 0.79788456080286535588;
  const double y = kSqrtTwoOverPi * gate * (1.0 + 0.044715 * gate * gate);
  return gate_times_logistic(gate, 2.0 * y);
}

double gelu_erf(double gate) {
  constexpr double kSqrtHalf = 0.70710678118654752440;
  return 0.5 * gate * std::erfc(-kSqrtHalf * gate);
}

}  // namespace

extern "C" int ww_reference(const ww_call* call) {
  const ww_tensor* g = ww::find_tensor(call, "g");
  const ww_tensor* u = ww::find_tensor(call, "u");
  double* out = ww::find_output(call, "out");
  if (g == nullptr || u == nullptr || out == nullptr) {
    return ww::fail(call, "gated_activation needs tensors g and u and output out");
  }
  const auto act = ww::is(call, "activation", "silu")        ? silu
                   : ww::is(call, "activation", "gelu_tanh") ? gelu_tanh
                   : ww::is(call, "activation", "gelu_erf")  ? gelu_erf
                                                             : nullptr;
  if (act == nullptr) {
    return ww::fail(call, "gated_activation has the activations silu, gelu_tanh and gelu_erf");
  }

  const int64_t d = ww::size(call, "d");
  for (int64_t i = 0; i < call->unit_count; ++i) {
    const int64_t first = call->units[i] * d;
    for (int64_t column = 0; column < d; ++column) {
      const double gate = ww::load(g, first + column);
      out[i * d + column] = act(gate) * ww::load(u, first + column);
    }
  }
  return 0;
}
