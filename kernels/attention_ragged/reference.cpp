// Attention of packed sequences in double precision: out = softmax(q k^T / sqrt(d)) v for each head
// of each sequence. One unit is one row of q of one head. With a causal mask row i of a sequence
// sees the keys up to i + its keys - its rows.
//
// Offsets are made here: a random division of the rows among the sequences, none of which is longer
// than `longest`. Every sequence has as many keys as rows, and `cached` more before them.
#include "reference.h"

#include <string>
#include <vector>

extern "C" int ww_fill(const ww_call* call, const char* argument, const ww_fill_target* target) {
  const int64_t batch = ww::size(call, "batch"), rows = ww::size(call, "rows");
  const int64_t longest = ww::size(call, "longest"), cached = ww::size(call, "cached");
  if (std::string(argument) == "kv_offsets") {
    const ww_tensor* q_offsets = ww::find_tensor(call, "q_offsets");
    for (int64_t i = 0; i <= batch; ++i)
      ww::store(target, i, static_cast<int64_t>(ww::load(q_offsets, i)) + i * cached);
    return 0;
  }
  int64_t end = 0;
  ww::store(target, 0, end);
  for (int64_t i = 0; i < batch; ++i) {
    const int64_t left = rows - end, behind = (batch - 1 - i) * longest;
    const int64_t least = left > behind ? left - behind : 0;
    const int64_t most = left < longest ? left : longest;
    end += least + ww::below(target, static_cast<uint64_t>(i), most - least + 1);
    ww::store(target, i + 1, end);
  }
  return 0;
}

extern "C" int ww_reference(const ww_call* call) {
  const ww_tensor* q = ww::find_tensor(call, "q");
  const ww_tensor* k = ww::find_tensor(call, "k");
  const ww_tensor* v = ww::find_tensor(call, "v");
  const ww_tensor* q_offsets = ww::find_tensor(call, "q_offsets");
  const ww_tensor* kv_offsets = ww::find_tensor(call, "kv_offsets");
  double* const out = ww::find_output(call, "out");
  const int64_t heads = ww::size(call, "heads"), kv_heads = ww::size(call, "kv_heads");
  const int64_t d = ww::size(call, "d");
  const bool causal = ww::size(call, "causal") != 0;

  std::vector<double> weights;
  for (int64_t u = 0; u < call->unit_count; ++u) {
    const int64_t row = call->units[u] / heads, head = call->units[u] % heads;
    int64_t sequence = 0;
    while (static_cast<double>(row) >= ww::load(q_offsets, sequence + 1)) ++sequence;
    const auto first_key = static_cast<int64_t>(ww::load(kv_offsets, sequence));
    const auto all = static_cast<int64_t>(ww::load(kv_offsets, sequence + 1)) - first_key;
    const int64_t behind = static_cast<int64_t>(ww::load(q_offsets, sequence + 1)) - 1 - row;
    const int64_t keys = causal ? all - behind : all;
    const auto element = [&](const ww_tensor* of, int64_t key, int64_t column) {
      return ww::load(of, ((first_key + key) * kv_heads + head / (heads / kv_heads)) * d + column);
    };

    weights.assign(static_cast<size_t>(keys > 0 ? keys : 0), 0);
    double maximum = -std::numeric_limits<double>::infinity(), sum = 0;
    for (size_t key = 0; key < weights.size(); ++key) {
      for (int64_t i = 0; i < d; ++i)
        weights[key] +=
            ww::load(q, call->units[u] * d + i) * element(k, static_cast<int64_t>(key), i);
      weights[key] /= std::sqrt(static_cast<double>(d));
      if (weights[key] > maximum) maximum = weights[key];
    }
    for (double& weight : weights) {
      weight = std::exp(weight - maximum);
      sum += weight;
    }
    for (int64_t i = 0; i < d; ++i) {
      double mean = 0;
      for (size_t key = 0; key < weights.size(); ++key)
        mean += weights[key] * element(v, static_cast<int64_t>(key), i);
      out[u * d + i] = weights.empty() ? 0 : mean / sum;
    }
  }
  return 0;
}
