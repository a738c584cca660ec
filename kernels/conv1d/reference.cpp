// A convolution over time in double precision: the sum over channels and taps, where times outside
// of the input count as zero, then the bias, then GELU by the error function.

#include "reference.h"

namespace {

// Where things are, in either layout. Weights lie as their layout's row of kernel.yaml says.
struct Places {
  bool first;  // channels_first
  int64_t c_in, c_out, length, width;
  int64_t x(int64_t b, int64_t channel, int64_t time) const {
    return first ? (b * c_in + channel) * length + time : (b * length + time) * c_in + channel;
  }
  int64_t w(int64_t co, int64_t ci, int64_t tap) const {
    return first ? (co * c_in + ci) * width + tap : (tap * c_out + co) * c_in + ci;
  }
};

double gelu(double x) { return 0.5 * x * std::erfc(-x * 0.70710678118654752440); }

}  // namespace

extern "C" int ww_reference(const ww_call* call) {
  const int64_t stride = ww::size(call, "stride"), pad = ww::size(call, "pad");
  const Places at{ww::is(call, "layout", "channels_first"), ww::size(call, "c_in"),
                  ww::size(call, "c_out"), ww::size(call, "length"), ww::size(call, "width")};
  const bool activate = ww::is(call, "activation", "gelu");
  const int64_t t_out = (at.length + 2 * pad - at.width) / stride + 1;
  const ww_tensor* x = ww::find_tensor(call, "x");
  const ww_tensor* w = ww::find_tensor(call, "w");
  const ww_tensor* bias = ww::find_tensor(call, "bias");
  double* const out = ww::find_output(call, "out");
  // A unit is a row of the output: all times of a channel, or all channels of a time.
  const int64_t rows = at.first ? at.c_out : t_out, columns = at.first ? t_out : at.c_out;
  for (int64_t u = 0; u < call->unit_count; ++u) {
    const int64_t b = call->units[u] / rows, row = call->units[u] % rows;
    for (int64_t column = 0; column < columns; ++column) {
      const int64_t co = at.first ? row : column, t = at.first ? column : row;
      double sum = ww::load(bias, co);
      for (int64_t tap = 0; tap < at.width; ++tap) {
        const int64_t time = t * stride - pad + tap;
        if (time < 0 || time >= at.length) continue;
        for (int64_t ci = 0; ci < at.c_in; ++ci)
          sum += ww::load(x, at.x(b, ci, time)) * ww::load(w, at.w(co, ci, tap));
      }
      out[u * columns + column] = activate ? gelu(sum) : sum;
    }
  }
  return 0;
}
