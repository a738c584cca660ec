// Attention of packed sequences, out = softmax(q k^T / sqrt(d)) v, with a warp for each row of q.
// The baseline.
//
// Algorithm: the lanes of a warp share the columns of one row. For each key that the row sees they
// add up the score, and rescale what was summed before where the maximum rises (online softmax).
// Keys and values are read anew for every row: 4 operations for a byte, where the tensor cores want
// hundreds.
//
// Tunables:
//   WARPS  rows of a block. Neighbouring rows read the same keys, so that most come from L1.
//
// Requires nothing of lengths; rows are whole accesses of a lane.
//
// Next idea: tiles of rows and of keys, whose products the tensor cores make: tma.cu.
#include "defaults.cuh"
#include "packet.cuh"
#include "sequence.cuh"
#include "types.cuh"
#include "warp.cuh"

using Element = DTYPE;
constexpr int kD = HEAD_DIM;
constexpr int kWarps = WARPS;
constexpr int kShare = kD / kWarpSize;  // columns of a lane
using Columns = Packet<Element, kShare* static_cast<int>(sizeof(Element))>;

// Parameters (row-major arrays; kernel.yaml names sizes and types):
//   q           [rows, heads, d] of dtype
//   k, v        [keys, kv_heads, d] of dtype
//   q_offsets   [batch + 1] of i32: the first row of each sequence, and the end
//   kv_offsets  [batch + 1] of i32: the same of its keys
//   out         [rows, heads, d] of dtype, written
//   scale       of the scores, in units of log2: log2(e) / sqrt(d)
extern "C" __global__ void __launch_bounds__(kWarps* kWarpSize)
    attention_ragged_rows(const Element* __restrict__ q, const Element* __restrict__ k,
                          const Element* __restrict__ v, const int* __restrict__ q_offsets,
                          const int* __restrict__ kv_offsets, Element* __restrict__ out, int heads,
                          int kv_heads, int causal, float scale) {
  const Sequence sequence(static_cast<int>(blockIdx.x), q_offsets, kv_offsets, heads, kv_heads,
                          causal != 0);
  const int row = static_cast<int>(blockIdx.y) * kWarps + warp_id();
  if (row >= sequence.shape.q_len) return;  // a whole warp, and nothing here waits for others

  // In packets of a lane: a row has kWarpSize of them.
  const i64 place =
      (static_cast<i64>(sequence.first_row + row) * heads + sequence.head) * kWarpSize + lane_id();
  const i64 key_stride = static_cast<i64>(kv_heads) * kWarpSize;
  i64 at = sequence.first_key * key_stride + sequence.shape.kv_head(sequence.head) * kWarpSize +
           lane_id();
  float query[kShare], sums[kShare] = {};
  Columns::load(q, place).unpack(query);
  float maximum = -kInfinity, total = 0;
  const int visible = sequence.shape.visible_keys(row);
  for (int key = 0; key < visible; ++key, at += key_stride) {
    float columns[kShare];
    Columns::load(k, at).unpack(columns);
    float score = 0;
#pragma unroll
    for (int i = 0; i < kShare; ++i) score += query[i] * columns[i];
    score = warp_sum(score) * scale;
    const float next = fmaxf(maximum, score);
    const float factor = exp2_approx(maximum - next), weight = exp2_approx(score - next);
    maximum = next;
    total = total * factor + weight;
    Columns::load(v, at).unpack(columns);
#pragma unroll
    for (int i = 0; i < kShare; ++i) sums[i] = sums[i] * factor + weight * columns[i];
  }
  const float normal = total == 0 ? 0.0f : 1 / total;  // a row that sees no key is 0
#pragma unroll
  for (int i = 0; i < kShare; ++i) sums[i] *= normal;
  Columns::pack(sums).store(out, place);
}
