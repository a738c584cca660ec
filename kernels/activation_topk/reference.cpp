// A router in double precision, from the definition in expert_reference.h.
//
// Logits are made here (`fill: generator`): scores that differ by less than the rounding of f32
// could go in either order, and with a bias their weights are not alike. Real logits do that once
// in ten thousand tokens. So a token whose choice hangs on such a difference is drawn again.
#include "expert_reference.h"

namespace {

std::vector<double> row_of(const ww_tensor* logits, int64_t token, int64_t experts) {
  std::vector<double> row(static_cast<size_t>(experts));
  for (int64_t e = 0; e < experts; ++e)
    row[static_cast<size_t>(e)] = ww::load(logits, token * logits->shape[1] + e);
  return row;
}

// A nearly normal number with mean 0 and deviation 1.5: the sum of four uniform numbers of 16 bits,
// in steps of 2^-14, so that it is the same number wherever it is made and in any type of 24 bits.
double nearly_normal(uint64_t bits) {
  int64_t sum = 0;
  for (int i = 0; i < 4; ++i) sum += static_cast<int64_t>(bits >> 16 * i & 0xffff);
  return std::floor(static_cast<double>(sum - 131070) * (0x1p-16 * 1.7320508 * 1.5) * 0x1p14) *
         0x1p-14;
}

}  // namespace

extern "C" int ww_fill(const ww_call* call, const char*, const ww_fill_target* target) {
  // Three times what the errors of two scores in f32 come to (kernel.yaml).
  constexpr double kGap = 6e-6;
  constexpr int kAttempts = 100;
  ww::ExpertRouter router(call);
  const int64_t stride = target->shape[1], tokens = target->shape[0];
  std::vector<double> row(static_cast<size_t>(router.experts));
  for (int64_t token = 0; token < tokens; ++token) {
    for (int attempt = 0; attempt < kAttempts; ++attempt) {
      for (int64_t e = 0; e < router.experts; ++e) {
        const int64_t at = (attempt * tokens + token) * router.experts + e;
        row[static_cast<size_t>(e)] =
            nearly_normal(ww::random_bits(target, static_cast<uint64_t>(at)));
      }
      if (router.decided(row, kGap)) break;
    }
    for (int64_t e = 0; e < router.experts; ++e)
      ww::store(target, token * stride + e, row[static_cast<size_t>(e)]);
    // A logit that beats all others, where no expert has one.
    for (int64_t e = router.experts; e < stride; ++e) ww::store(target, token * stride + e, 1e9);
  }
  return 0;
}

extern "C" int ww_reference(const ww_call* call) {
  const ww_tensor* logits = ww::find_tensor(call, "logits");
  double* const ids = ww::find_output(call, "ids");
  double* const weights = ww::find_output(call, "weights");
  ww::ExpertRouter router(call);
  for (int64_t u = 0; u < call->unit_count; ++u) {
    router.route(row_of(logits, call->units[u], router.experts));
    for (int64_t i = 0; i < router.k; ++i) {
      ids[u * router.k + i] = static_cast<double>(router.chosen[static_cast<size_t>(i)]);
      weights[u * router.k + i] = router.weights[static_cast<size_t>(i)];
    }
  }
  return 0;
}

extern "C" double ww_score(const ww_call* call, const char*, int64_t unit, int64_t index) {
  ww::ExpertRouter router(call);
  router.route(row_of(ww::find_tensor(call, "logits"), unit, router.experts));
  return router.score(index);
}
