// Scores of attention from MXFP8, in double precision. One unit is one query of one head:
//   scores[h, i, j] = scale * sum over c of Q[h, i, c] * K[h / group, j, c]
//   with values of q[.., c] * q_scale[.., c / 32], and of k in the same way
#include <vector>

#include "block_scale_reference.h"

extern "C" int ww_reference(const ww_call* call) {
  const ww_tensor* q = ww::find_tensor(call, "q");
  const ww_tensor* q_scale = ww::find_tensor(call, "q_scale");
  const ww_tensor* k = ww::find_tensor(call, "k");
  const ww_tensor* k_scale = ww::find_tensor(call, "k_scale");
  double* scores = ww::find_output(call, "scores");
  const int64_t q_len = ww::size(call, "q_len"), kv_len = ww::size(call, "kv_len");
  const int64_t d = ww::size(call, "d");
  const int64_t group = ww::size(call, "heads") / ww::size(call, "kv_heads");
  // The scalar that the kernel is given is an f32.
  const double scale = static_cast<float>(ww::real(call, "scale"));
  const auto value = [d](const ww_tensor* elements, const ww_tensor* scales, int64_t row,
                         int64_t at) {
    return ww::load(elements, row * d + at) * ww::load_ue8m0(scales, row * (d / 32) + at / 32);
  };
  for (int64_t i = 0; i < call->unit_count; ++i) {
    const int64_t row = call->units[i], first = row / q_len / group * kv_len;
    for (int64_t key = 0; key < kv_len; ++key) {
      double sum = 0;
      for (int64_t at = 0; at < d; ++at)
        sum += value(q, q_scale, row, at) * value(k, k_scale, first + key, at);
      scores[i * kv_len + key] = scale * sum;
    }
  }
  return 0;
}
