// The product of NVFP4 matrices, in double precision. One unit is one row of out:
//   out[m, n] = alpha * sum over k of a[m, k] * a_scale[m, k / 16] * b[n, k] * b_scale[n, k / 16]
// NaN scales go their way through the sum.
#include <vector>

#include "block_scale_reference.h"

extern "C" int ww_reference(const ww_call* call) {
  const ww_tensor* a = ww::find_tensor(call, "a");
  const ww_tensor* a_scale = ww::find_tensor(call, "a_scale");
  const ww_tensor* b = ww::find_tensor(call, "b");
  const ww_tensor* b_scale = ww::find_tensor(call, "b_scale");
  double* out = ww::find_output(call, "out");
  const int64_t n = ww::size(call, "n");
  const int64_t k = ww::size(call, "k");
  const double alpha = ww::real(call, "alpha");
  std::vector<double> left(static_cast<size_t>(k));
  for (int64_t i = 0; i < call->unit_count; ++i) {
    const int64_t row = call->units[i];
    for (int64_t at = 0; at < k; ++at)
      left[static_cast<size_t>(at)] =
          ww::load_e2m1(a, row * k + at) * ww::load_ue4m3(a_scale, row * (k / 16) + at / 16);
    for (int64_t column = 0; column < n; ++column) {
      double sum = 0;
      for (int64_t at = 0; at < k; ++at)
        sum +=
            left[static_cast<size_t>(at)] * (ww::load_e2m1(b, column * k + at) *
                                             ww::load_ue4m3(b_scale, column * (k / 16) + at / 16));
      out[i * n + column] = alpha * sum;
    }
  }
  return 0;
}
