// read, l2_read: y[r] = sum over p < passes of all words of x[(r + 97 p) mod chunks], modulo 2^32.
// write: y[r][w] = word_of(2048 r + w).  copy: y = x.  One unit is one row of y.
#include "reference.h"

namespace {

constexpr int64_t kWords = 2048;
constexpr int64_t kStep = 97;

// A word in which no bit is idle, made from a number.
uint32_t word_of(uint32_t number) {
  const uint32_t spread = number * 0x9e3779b1u;
  return spread ^ (spread >> 15);
}

uint32_t row_sum(const ww_tensor* x, int64_t row) {
  const uint32_t* words = static_cast<const uint32_t*>(x->data) + row * kWords;
  uint32_t sum = 0;
  for (int64_t w = 0; w < kWords; ++w) sum += words[w];
  return sum;
}

}  // namespace

extern "C" int ww_reference(const ww_call* call) {
  const ww_tensor* x = ww::find_tensor(call, "x");
  double* y = ww::find_output(call, "y");
  if (x == nullptr || y == nullptr)
    return ww::fail(call, "harness_bandwidth needs tensor x and output y");
  const int64_t chunks = ww::size(call, "chunks"), passes = ww::size(call, "passes");
  const bool writes = ww::is(call, "ceiling", "write"), copies = ww::is(call, "ceiling", "copy");
  for (int64_t i = 0; i < call->unit_count; ++i) {
    const int64_t row = call->units[i];
    if (writes || copies) {
      for (int64_t w = 0; w < kWords; ++w)
        y[i * kWords + w] = copies ? ww::load(x, row * kWords + w)
                                   : word_of(static_cast<uint32_t>(row * kWords + w));
      continue;
    }
    uint32_t sum = 0;
    for (int64_t pass = 0; pass < passes; ++pass) sum += row_sum(x, (row + kStep * pass) % chunks);
    y[i] = sum;
  }
  return 0;
}
