// A convolution over time in double precision: the sum over channels and taps, where times outside
// of the input count as zero, then the bias, then GELU by the error function.
#include "reference.h"

#include <vector>

namespace {

struct Problem {
  bool first;  // channels_first
  int64_t c_in, c_out, length, width, stride, pad, t_out;
  explicit Problem(const ww_call* call)
      : first(ww::is(call, "layout", "channels_first")),
        c_in(ww::size(call, "c_in")),
        c_out(ww::size(call, "c_out")),
        length(ww::size(call, "length")),
        width(ww::size(call, "width")),
        stride(ww::size(call, "stride")),
        pad(ww::size(call, "pad")),
        t_out((length + 2 * pad - width) / stride + 1) {}
};

// Exactly, so that an element is converted once for all that use it.
std::vector<double> numbers(const ww_tensor* tensor, int64_t first, int64_t count) {
  std::vector<double> values(static_cast<size_t>(count));
  for (int64_t i = 0; i < count; ++i) values[static_cast<size_t>(i)] = ww::load(tensor, first + i);
  return values;
}

// In eight sums that the compiler keeps side by side.
double product(const double* a, const double* b, int64_t count) {
  double sums[8] = {};
  int64_t i = 0;
  for (; i + 8 <= count; i += 8) {
    for (int64_t j = 0; j < 8; ++j) sums[j] += a[i + j] * b[i + j];
  }
  for (; i < count; ++i) sums[0] += a[i] * b[i];
  return ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
}

// All times of a channel: every weight times a row of x, shifted.
void add_channel(const Problem& p, const double* x, const std::vector<double>& w, double* sums) {
  for (int64_t ci = 0; ci < p.c_in; ++ci) {
    for (int64_t tap = 0; tap < p.width; ++tap) {
      const double factor = w[static_cast<size_t>(ci * p.width + tap)];
      for (int64_t t = 0; t < p.t_out; ++t) {
        const int64_t time = t * p.stride - p.pad + tap;
        if (time >= 0 && time < p.length) sums[t] += factor * x[ci * p.length + time];
      }
    }
  }
}

// All channels of a time: a row of x for each tap, times rows of its weights.
void add_time(const Problem& p, const ww_tensor* x, const double* w, int64_t b, int64_t t,
              double* sums) {
  for (int64_t tap = 0; tap < p.width; ++tap) {
    const int64_t time = t * p.stride - p.pad + tap;
    if (time < 0 || time >= p.length) continue;
    const std::vector<double> row = numbers(x, (b * p.length + time) * p.c_in, p.c_in);
    for (int64_t co = 0; co < p.c_out; ++co)
      sums[co] += product(row.data(), w + (tap * p.c_out + co) * p.c_in, p.c_in);
  }
}

double gelu(double x) { return 0.5 * x * std::erfc(-x * 0.70710678118654752440); }

}  // namespace

extern "C" int ww_reference(const ww_call* call) {
  const Problem p(call);
  const bool activate = ww::is(call, "activation", "gelu");
  const ww_tensor* x = ww::find_tensor(call, "x");
  const ww_tensor* w = ww::find_tensor(call, "w");
  const ww_tensor* bias = ww::find_tensor(call, "bias");
  double* const out = ww::find_output(call, "out");
  // A unit is a row of the output: all times of a channel, or all channels of a time.
  const int64_t rows = p.first ? p.c_out : p.t_out, columns = p.first ? p.t_out : p.c_out;
  const int64_t sequence = p.c_in * p.length, channel = p.c_in * p.width;
  std::vector<double> all;  // of the weights, or of the sequence `b`
  int64_t all_of = -1;
  for (int64_t u = 0; u < call->unit_count; ++u) {
    const int64_t b = call->units[u] / rows, row = call->units[u] % rows;
    double* const sums = out + u * columns;
    for (int64_t i = 0; i < columns; ++i) sums[i] = ww::load(bias, p.first ? row : i);
    if (p.first) {
      if (all_of != b) all = numbers(x, b * sequence, sequence);
      all_of = b;
      add_channel(p, all.data(), numbers(w, row * channel, channel), sums);
    } else {
      if (all_of < 0) all = numbers(w, 0, p.width * p.c_out * p.c_in);
      all_of = 0;
      add_time(p, x, all.data(), b, row, sums);
    }
    for (int64_t i = 0; i < columns && activate; ++i) sums[i] = gelu(sums[i]);
  }
  return 0;
}
