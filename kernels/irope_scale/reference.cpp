// Scaling of queries by position in double precision. One unit is one head of one token:
//   out = q * (log1p(floor((position + 1) / floor_scale)) * attn_scale + 1)
// The factor's parameters are the problem's, not their roundings to f32.
#include "reference.h"

extern "C" int ww_reference(const ww_call* call) {
  const ww_tensor* q = ww::find_tensor(call, "q");
  const ww_tensor* positions = ww::find_tensor(call, "positions");
  double* out = ww::find_output(call, "out");
  if (q == nullptr || positions == nullptr || out == nullptr)
    return ww::fail(call, "irope_scale needs tensors q and positions and output out");

  const int64_t heads = ww::size(call, "heads"), d = ww::size(call, "d");
  const double floor_scale = ww::real(call, "floor_scale"),
               attn_scale = ww::real(call, "attn_scale");
  for (int64_t i = 0; i < call->unit_count; ++i) {
    const double position = ww::load(positions, call->units[i] / heads);
    const double steps = std::floor((position + 1) / floor_scale);
    const double factor = std::log1p(steps) * attn_scale + 1;
    for (int64_t column = 0; column < d; ++column)
      out[i * d + column] = ww::load(q, call->units[i] * d + column) * factor;
  }
  return 0;
}
