// Experts by a table, in double precision, from the definition.
#include "reference.h"

#include <cmath>
#include <vector>

extern "C" int ww_reference(const ww_call* call) {
  const ww_tensor* tokens = ww::find_tensor(call, "tokens");
  const ww_tensor* table = ww::find_tensor(call, "table");
  const ww_tensor* gate = ww::find_tensor(call, "gate");
  double* const ids = ww::find_output(call, "ids");
  double* const weights = ww::find_output(call, "weights");
  const int64_t k = ww::size(call, "k"), experts = ww::size(call, "experts");
  const bool uniform = ww::is(call, "weighting", "uniform");
  for (int64_t u = 0; u < call->unit_count; ++u) {
    const int64_t n = call->units[u];
    const auto token = static_cast<int64_t>(ww::load(tokens, n));
    double sum = 0;
    for (int64_t i = 0; i < k; ++i) {
      const double expert = ww::load(table, token * k + i);
      const double x = ww::load(gate, n * experts + static_cast<int64_t>(expert));
      const double softplus = std::fmax(x, 0.0) + std::log1p(std::exp(-std::fabs(x)));
      // A number that is not a normal f32 counts as 0, and so does NaN.
      const double activation = std::isnan(x) || softplus < 0x1p-126 ? 0 : std::sqrt(softplus);
      ids[u * k + i] = expert;
      weights[u * k + i] = uniform ? 1.0 / static_cast<double>(k) : activation;
      sum += activation;
    }
    if (!uniform)
      for (int64_t i = 0; i < k; ++i) weights[u * k + i] *= ww::real(call, "scale") / (sum + 1e-20);
  }
  return 0;
}
