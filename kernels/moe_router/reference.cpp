// A router in double precision: logits = hidden * gate^T, then the definition in
// expert_reference.h.
#include "expert_reference.h"

namespace {

// The gate as floats, which hold a bf16 exactly, so that a row is converted once for all tokens.
std::vector<float> floats_of(const ww_tensor* tensor, int64_t first, int64_t count) {
  const auto* bits = static_cast<const uint16_t*>(tensor->data) + first;
  std::vector<float> values(static_cast<size_t>(count));
  for (int64_t i = 0; i < count; ++i)
    values[static_cast<size_t>(i)] = static_cast<float>(ww::from_bf16(bits[i]));
  return values;
}

// Of `count` elements, in eight sums that the compiler keeps side by side.
double product(const float* a, const float* b, int64_t count) {
  double sums[8] = {};
  int64_t i = 0;
  for (; i + 8 <= count; i += 8) {
    for (int64_t j = 0; j < 8; ++j)
      sums[j] += static_cast<double>(a[i + j]) * static_cast<double>(b[i + j]);
  }
  for (; i < count; ++i) sums[0] += static_cast<double>(a[i]) * static_cast<double>(b[i]);
  return ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
}

std::vector<double> logits_of(const ww_call* call, const std::vector<float>& gate, int64_t token) {
  const int64_t width = ww::size(call, "hidden_size"), experts = ww::size(call, "experts");
  const std::vector<float> row = floats_of(ww::find_tensor(call, "hidden"), token * width, width);
  std::vector<double> logits(static_cast<size_t>(experts));
  for (int64_t e = 0; e < experts; ++e)
    logits[static_cast<size_t>(e)] = product(row.data(), gate.data() + e * width, width);
  return logits;
}

std::vector<float> gate_of(const ww_call* call) {
  return floats_of(ww::find_tensor(call, "gate"), 0,
                   ww::size(call, "experts") * ww::size(call, "hidden_size"));
}

}  // namespace

extern "C" int ww_reference(const ww_call* call) {
  double* const ids = ww::find_output(call, "ids");
  double* const weights = ww::find_output(call, "weights");
  const std::vector<float> gate = gate_of(call);
  ww::ExpertRouter router(call);
  for (int64_t u = 0; u < call->unit_count; ++u) {
    router.route(logits_of(call, gate, call->units[u]));
    for (int64_t i = 0; i < router.k; ++i) {
      ids[u * router.k + i] = static_cast<double>(router.chosen[static_cast<size_t>(i)]);
      weights[u * router.k + i] = router.weights[static_cast<size_t>(i)];
    }
  }
  return 0;
}

extern "C" double ww_score(const ww_call* call, const char*, int64_t unit, int64_t index) {
  ww::ExpertRouter router(call);
  router.route(logits_of(call, gate_of(call), unit));
  return router.score(index);
}
