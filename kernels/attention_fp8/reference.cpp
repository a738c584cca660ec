// Attention in double precision: out = softmax(q k^T / sqrt(d)) v for each head, where an element
// of q, k or v stands for its value times the scale of its head. One unit is one row of q of one
// head. With a causal mask row i sees the keys up to i + kv_len - q_len; a row that sees none is 0.
#include "reference.h"

#include <array>
#include <vector>

namespace {

const std::array<double, 256>& e4m3_values() {
  static const std::array<double, 256> values = [] {
    std::array<double, 256> made{};
    for (size_t i = 0; i < made.size(); ++i) made[i] = ww::from_e4m3(static_cast<uint8_t>(i));
    return made;
  }();
  return values;
}

}  // namespace

extern "C" int ww_reference(const ww_call* call) {
  const ww_tensor* q = ww::find_tensor(call, "q");
  const ww_tensor* k = ww::find_tensor(call, "k");
  const ww_tensor* v = ww::find_tensor(call, "v");
  const ww_tensor* q_scale = ww::find_tensor(call, "q_scale");
  const ww_tensor* k_scale = ww::find_tensor(call, "k_scale");
  const ww_tensor* v_scale = ww::find_tensor(call, "v_scale");
  double* out = ww::find_output(call, "out");
  const int64_t heads = ww::size(call, "heads"), kv_heads = ww::size(call, "kv_heads");
  const int64_t q_len = ww::size(call, "q_len"), kv_len = ww::size(call, "kv_len");
  const int64_t d = ww::size(call, "d"), keys = k->shape[2];  // with those of the padding
  const bool causal = ww::size(call, "causal") != 0, transposed = v->dtype == WW_E4M3;
  const std::array<double, 256>& value_of = e4m3_values();

  std::vector<double> weights(static_cast<size_t>(kv_len));
  for (int64_t u = 0; u < call->unit_count; ++u) {
    const int64_t head = call->units[u] / q_len, position = call->units[u] % q_len;
    // Heads are numbered through all batch entries, those of q as well as those of k and v.
    const int64_t kv_head = head / (heads / kv_heads);
    const int64_t own = position + 1 + kv_len - q_len;
    const int64_t visible = !causal ? kv_len : own < 0 ? 0 : own;
    const double scale =
        ww::load(q_scale, head) * ww::load(k_scale, kv_head) / std::sqrt(static_cast<double>(d));
    const auto* query = static_cast<const uint8_t*>(q->data) + call->units[u] * d;

    double maximum = -std::numeric_limits<double>::infinity();
    for (int64_t key = 0; key < visible; ++key) {
      const auto* row = static_cast<const uint8_t*>(k->data) + (kv_head * keys + key) * d;
      double score = 0;
      for (int64_t i = 0; i < d; ++i) score += value_of[query[i]] * value_of[row[i]];
      score *= scale;
      weights[static_cast<size_t>(key)] = score;
      if (score > maximum) maximum = score;
    }
    double sum = 0;
    for (int64_t key = 0; key < visible; ++key) {
      double& weight = weights[static_cast<size_t>(key)];
      weight = std::exp(weight - maximum);
      sum += weight;
    }
    double* result = out + u * d;
    for (int64_t i = 0; i < d; ++i) result[i] = 0;
    if (visible == 0) continue;
    if (transposed) {
      for (int64_t i = 0; i < d; ++i) {
        const auto* row = static_cast<const uint8_t*>(v->data) + (kv_head * d + i) * keys;
        for (int64_t key = 0; key < visible; ++key)
          result[i] += weights[static_cast<size_t>(key)] * value_of[row[key]];
      }
    } else {
      for (int64_t key = 0; key < visible; ++key) {
        const auto* row = static_cast<const uint16_t*>(v->data) + (kv_head * keys + key) * d;
        for (int64_t i = 0; i < d; ++i)
          result[i] += weights[static_cast<size_t>(key)] * ww::from_bf16(row[i]);
      }
    }
    for (int64_t i = 0; i < d; ++i) result[i] *= ww::load(v_scale, kv_head) / sum;
  }
  return 0;
}
