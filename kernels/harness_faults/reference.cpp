// y = 2x. One unit is one element.
#include "reference.h"

extern "C" int ww_reference(const ww_call* call) {
  const ww_tensor* x = ww::find_tensor(call, "x");
  double* y = ww::find_output(call, "y");
  if (x == nullptr || y == nullptr)
    return ww::fail(call, "harness_faults needs tensor x and output y");
  for (int64_t i = 0; i < call->unit_count; ++i) y[i] = 2.0 * ww::load(x, call->units[i]);
  return 0;
}
