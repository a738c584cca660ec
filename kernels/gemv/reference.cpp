// A few tokens through a linear layer, in double precision. One unit is one element of y:
//   y[token, row] = scale[row] * sum over i of x[token, i] * w[row, i]  + bias[row]
// scale is there for weights in e4m3 only, bias where with_bias is 1. NaN and infinities go their
// way through the sum.
#include "reference.h"

extern "C" int ww_reference(const ww_call* call) {
  const ww_tensor* x = ww::find_tensor(call, "x");
  const ww_tensor* w = ww::find_tensor(call, "w");
  const ww_tensor* scale = ww::find_tensor(call, "scale");
  const ww_tensor* bias = ww::find_tensor(call, "bias");
  double* y = ww::find_output(call, "y");
  const int64_t n = ww::size(call, "n");
  const int64_t k = ww::size(call, "k");
  const bool scaled = ww::is(call, "weight", "e4m3");
  const bool with_bias = ww::size(call, "with_bias") != 0;
  for (int64_t i = 0; i < call->unit_count; ++i) {
    const int64_t token = call->units[i] / n;
    const int64_t row = call->units[i] % n;
    double sum = 0;
    for (int64_t at = 0; at < k; ++at)
      sum += ww::load(x, token * k + at) * ww::load(w, row * k + at);
    if (scaled) sum *= ww::load(scale, row);
    if (with_bias) sum += ww::load(bias, row);
    y[i] = sum;
  }
  return 0;
}
