// Attention in double precision, with rows of q scaled by position: out = softmax(s q k^T /
// sqrt(d)) v for each head, s = log1p(floor((position + 1) / floor_scale)) * attn_scale + 1. One
// unit is one row of q of one head. With a causal mask row i sees the keys up to i + kv_len -
// q_len; a row that sees none is 0.
#include "reference.h"

#include <vector>

namespace {

// A row of d elements. Looking at the type once per row keeps large problems to seconds.
void load_row(const ww_tensor* tensor, int64_t row, int64_t d, double* to) {
  const auto* bits = static_cast<const uint16_t*>(tensor->data) + row * d;
  if (tensor->dtype == WW_BF16) {
    for (int64_t i = 0; i < d; ++i) to[i] = ww::from_bf16(bits[i]);
  } else {
    for (int64_t i = 0; i < d; ++i) to[i] = ww::load(tensor, row * d + i);
  }
}

}  // namespace

extern "C" int ww_reference(const ww_call* call) {
  const ww_tensor* q = ww::find_tensor(call, "q");
  const ww_tensor* k = ww::find_tensor(call, "k");
  const ww_tensor* v = ww::find_tensor(call, "v");
  const ww_tensor* positions = ww::find_tensor(call, "positions");
  double* out = ww::find_output(call, "out");
  if (q == nullptr || k == nullptr || v == nullptr || positions == nullptr || out == nullptr) {
    return ww::fail(call, "sdpa_irope needs tensors q, k, v, positions and output out");
  }
  const int64_t heads = ww::size(call, "heads"), kv_heads = ww::size(call, "kv_heads");
  const int64_t q_len = ww::size(call, "q_len"), kv_len = ww::size(call, "kv_len");
  const int64_t d = ww::size(call, "d");
  const bool causal = ww::size(call, "causal") != 0;
  const double floor_scale = ww::real(call, "floor_scale"),
               attn_scale = ww::real(call, "attn_scale");

  std::vector<double> query(static_cast<size_t>(d)), row(static_cast<size_t>(d));
  std::vector<double> weights(static_cast<size_t>(kv_len));
  for (int64_t u = 0; u < call->unit_count; ++u) {
    const int64_t head = call->units[u] / q_len, position = call->units[u] % q_len;
    // Heads are numbered through all batch entries, those of q as well as those of k and v.
    const int64_t first_key = head / (heads / kv_heads) * kv_len;
    const int64_t own = position + 1 + kv_len - q_len;
    const int64_t keys = !causal ? kv_len : own < 0 ? 0 : own;
    load_row(q, call->units[u], d, query.data());
    const double steps = std::floor((ww::load(positions, position) + 1) / floor_scale);
    for (double& value : query) value *= std::log1p(steps) * attn_scale + 1;

    double maximum = -std::numeric_limits<double>::infinity();
    for (int64_t key = 0; key < keys; ++key) {
      load_row(k, first_key + key, d, row.data());
      double score = 0;
      for (size_t i = 0; i < row.size(); ++i) score += query[i] * row[i];
      score /= std::sqrt(static_cast<double>(d));
      weights[static_cast<size_t>(key)] = score;
      if (score > maximum) maximum = score;
    }
    double* result = out + u * d;
    for (int64_t i = 0; i < d; ++i) result[i] = 0;
    double sum = 0;
    for (int64_t key = 0; key < keys; ++key) {
      const double weight = std::exp(weights[static_cast<size_t>(key)] - maximum);
      sum += weight;
      load_row(v, first_key + key, d, row.data());
      for (size_t i = 0; i < row.size(); ++i) result[i] += weight * row[i];
    }
    for (int64_t i = 0; keys > 0 && i < d; ++i) result[i] /= sum;
  }
  return 0;
}
