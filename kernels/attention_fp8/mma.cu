// Attention in fp8 by mma.sync: out = softmax(q k^T / sqrt(d)) v, with q and k in e4m3 and v in
// e4m3 or bf16. The baseline, for any GPU with fp8 tensor cores.
//
// Algorithm: a warp has 16 rows of q, of which it keeps the operands in registers. The block goes
// through the keys in tiles of TILE_KV, last ones first: all threads copy a tile of K and of V into
// shared memory, 16 bytes at a time, and after a barrier every warp takes it for itself: scores,
// softmax, product with V, all in registers. Nothing overlaps but what the warps do by themselves.
// Each tile's product is summed from zero and added in f32 (consumer_warpgroup.cuh says why). Rows
// in shared memory are 16 bytes longer than their content, so that the eight rows that ldmatrix
// reads at once lie in different banks.
//
// Tunables:
//   WARPS    of a block, 16 rows of q each. More share a tile, fewer wait for each other less
//   TILE_KV  keys of a tile. More mean fewer barriers and rescalings, and more registers
//
// Hopper has no such instruction: ptxas makes mma.sync of e4m3 from that of f16 there, two for one
// and with conversions, and above 64 keys it spills.
//
// Requires: compute capability 8.9, d 128, keys padded to a multiple of 16.
//
// Next idea: cp.async into a second stage, so that a tile comes while the one before is used.
#include "defaults.cuh"
#include "ldmatrix.cuh"
#include "mbarrier.cuh"
#include "mma.cuh"
#include "online_softmax.cuh"
#include "packet.cuh"
#include "probabilities.cuh"
#include "row_store.cuh"
#include "tiles.cuh"
#include "values.cuh"

using Value = V_DTYPE;
constexpr int kD = HEAD_DIM;
constexpr int kTileKeys = TILE_KV;
constexpr int kThreads = 32 * WARPS;
constexpr int kRows = 16 * WARPS;
constexpr int kGap = 16;  // bytes between rows in shared memory

using Tile = ValueTile<Value, kTileKeys, kD>;
constexpr bool kBytes = Tile::kOperand == Operand::e4m3;

// Rows of K are keys; those of V are columns when it is transposed, else keys.
constexpr int kKeyPitch = kD + kGap;
constexpr int kValueRows = kBytes ? kD : kTileKeys;
constexpr int kValuePitch = (kBytes ? kTileKeys : 2 * kD) + kGap;

struct alignas(16) Shared {
  u8 k[kTileKeys * kKeyPitch];
  u8 v[kValueRows * kValuePitch];
};

#ifdef WARPWRIGHT_SHARED_BYTES
static_assert(sizeof(Shared) == WARPWRIGHT_SHARED_BYTES,
              "kernel.yaml's shared: and the source differ");
#endif

// The first `count` of 16 bytes, zeros after them: a probability of 0 times a NaN would be NaN.
// Comparisons alone: min(max(n, 0), 4) == 4 becomes the predicate of a VIMNMX.RELU by ptxas 13.0,
// and on an H100 a word with 3 bytes to keep kept its NaN.
__device__ __forceinline__ uint4 keep_bytes(uint4 bytes, int count) {
  const auto keep = [&](u32 word, int first) {
    const int left = count - first;
    if (left >= 4) return word;
    return left <= 0 ? 0u : word & (0xffffffu >> (24 - 8 * left));
  };
  return make_uint4(keep(bytes.x, 0), keep(bytes.y, 4), keep(bytes.z, 8), keep(bytes.w, 12));
}

// Copies kCount rows of kBytesOfRow bytes, from row 0 on at `from`, whose rows are `pitch` bytes;
// bytes_of(row) of each exist, what follows is zero. A multiple of 16 up to that may be read.
template <int kCount, int kBytesOfRow, int kPitch, typename BytesOf>
__device__ __forceinline__ void copy_rows(u8* to, const u8* from, i64 pitch,
                                          const BytesOf& bytes_of) {
  constexpr int kPieces = kBytesOfRow / 16;
#pragma unroll 4
  for (int i = static_cast<int>(threadIdx.x); i < kCount * kPieces; i += kThreads) {
    const int row = i / kPieces, byte = i % kPieces * 16;
    const int left = bytes_of(row) - byte;
    uint4 piece{};
    if (left > 0) {
      piece = __ldg(reinterpret_cast<const uint4*>(from + row * pitch + byte));
      if (left < 16) piece = keep_bytes(piece, left);
    }
    *reinterpret_cast<uint4*>(to + row * kPitch + byte) = piece;
  }
}

// Parameters (row-major arrays; kernel.yaml names sizes and types):
//   q         [batch, heads, q_len, d] of e4m3
//   k         [batch, kv_heads, keys, d] of e4m3
//   v         of v_dtype: [batch, kv_heads, d, keys] in e4m3, [batch, kv_heads, keys, d] in bf16
//   q_scale   [batch, heads] of f32: what 1 in q stands for
//   k_scale   [batch, kv_heads] of f32: what 1 in k stands for
//   v_scale   [batch, kv_heads] of f32: what 1 in v stands for
//   out       [batch, heads, q_len, d] of dtype, written
//   heads     heads of q
//   kv_heads  heads of k and v
//   q_len     rows of q in a head
//   kv_len    keys in a head
//   keys      rows of k that there is room for in a head, a multiple of 16
//   causal    1 if a row sees only the keys up to its own position, otherwise 0
//   scale     of the scores, in units of log2: log2(e) / sqrt(d)
extern "C" __global__ void __launch_bounds__(kThreads)
    attention_fp8_mma(const u8* __restrict__ q, const u8* __restrict__ k, const u8* __restrict__ v,
                      const float* __restrict__ q_scale, const float* __restrict__ k_scale,
                      const float* __restrict__ v_scale, bf16* __restrict__ out, int heads,
                      int kv_heads, int q_len, int kv_len, int keys, int causal, float scale) {
  extern __shared__ u8 dynamic[];
  Shared& shared = *reinterpret_cast<Shared*>(dynamic);
  const Shape shape{heads, kv_heads, q_len, kv_len, causal != 0};
  const int head = static_cast<int>(blockIdx.x), kv_head = shape.kv_head(head);
  const int block_row = static_cast<int>(gridDim.y - 1 - blockIdx.y) * kRows;  // longest first
  const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
  const int first_row = block_row + 16 * warp + lane / 4;
  const auto row_at = [&](int row) { return min(first_row + 8 * row, q_len - 1); };
  const float row_scale = scale * __ldg(q_scale + head) * __ldg(k_scale + kv_head);

  // q's operands: words lane % 4 and lane % 4 + 4 of every 32 bytes of the lane's two rows.
  u32 query[kD / 32][4];
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    const u8* row = q + (static_cast<i64>(head) * q_len + row_at(i % 2)) * kD;
#pragma unroll
    for (int step = 0; step < kD / 32; ++step)
      query[step][i] =
          __ldg(reinterpret_cast<const u32*>(row + 32 * step + 16 * (i / 2) + 4 * (lane % 4)));
  }

  OnlineRow rows[2];
  const int visible[2] = {shape.visible_keys(row_at(0)), shape.visible_keys(row_at(1))};
  float outputs[kD / 8][4] = {};
  const i64 head_bytes = static_cast<i64>(keys) * kD;  // of K, and of V in e4m3
  const u8* head_k = k + kv_head * head_bytes;
  const u8* head_v = v + kv_head * head_bytes * static_cast<i64>(sizeof(Value));
  const u32 k_base = shared_address(shared.k), v_base = shared_address(shared.v);
  const int tiles = count_key_tiles<kRows, kTileKeys>(shape, block_row);

#pragma unroll 1
  for (int tile = tiles - 1; tile >= 0; --tile) {
    const int first_key = tile * kTileKeys;
    const int left = kv_len - first_key;
    copy_rows<kTileKeys, kD, kKeyPitch>(shared.k, head_k + static_cast<i64>(first_key) * kD, kD,
                                        [&](int row) { return row < left ? kD : 0; });
    if constexpr (kBytes)
      copy_rows<kD, kTileKeys, kValuePitch>(shared.v, head_v + first_key, keys,
                                            [&](int) { return left; });
    else
      copy_rows<kTileKeys, 2 * kD, kValuePitch>(
          shared.v, head_v + static_cast<i64>(first_key) * 2 * kD, 2 * kD,
          [&](int row) { return row < left ? 2 * kD : 0; });
    __syncthreads();

    float scores[kTileKeys / 8][4] = {};
    // Column 8*n + j of the scores is the key block_key(n) + that of j in values.cuh. ldmatrix
    // takes 16 bytes of 8 keys as one matrix, and 64 bytes of them here: operands of two steps.
    const int j = lane % 8;
    const int key = Tile::kWidth == 2 ? 4 * (j / 2) + j % 2 : j;
#pragma unroll
    for (int n = 0; n < kTileKeys / 8; ++n) {
#pragma unroll
      for (int half = 0; half < kD / 64; ++half) {
        u32 words[4];
        ldmatrix_x4(words, k_base + static_cast<u32>((Tile::block_key(n) + key) * kKeyPitch +
                                                     64 * half + 16 * (lane / 8)));
        mma<Operand::e4m3>(scores[n], query[2 * half], {words[0], words[1]});
        mma<Operand::e4m3>(scores[n], query[2 * half + 1], {words[2], words[3]});
      }
    }

    const auto at = [&](int n, int i) -> float& { return scores[n][i]; };
    float factors[2];
    mask_keys<Tile, kTileKeys>(at, first_key + Tile::lane_key(lane), visible);
    exponentiate<Tile, kTileKeys, 0, 0>(at, row_scale, rows, factors);
    u32 probabilities[Tile::kSteps][4];
    Tile::pack(at, probabilities);

    // Two blocks of 8 columns at a time.
#pragma unroll
    for (int n = 0; n < kD / 8; n += 2) {
      float product[2][4] = {};
#pragma unroll
      for (int step = 0; step < Tile::kSteps; ++step) {
        u32 words[4];
        if constexpr (kBytes)  // 32 keys of 16 rows, which are columns of V
          ldmatrix_x4(words,
                      v_base + static_cast<u32>((8 * n + lane / 16 * 8 + lane % 8) * kValuePitch +
                                                32 * step + lane / 8 % 2 * 16));
        else  // 16 keys of 16 columns
          ldmatrix_x4_transposed(
              words, v_base + static_cast<u32>((16 * step + lane % 16) * kValuePitch + 16 * n +
                                               lane / 16 * 16));
        mma<Tile::kOperand>(product[0], probabilities[step], {words[0], words[1]});
        mma<Tile::kOperand>(product[1], probabilities[step], {words[2], words[3]});
      }
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        outputs[n][i] = outputs[n][i] * factors[i / 2] + product[0][i];
        outputs[n + 1][i] = outputs[n + 1][i] * factors[i / 2] + product[1][i];
      }
    }
    __syncthreads();
  }

  bf16* head_out = out + static_cast<i64>(head) * q_len * kD;
#pragma unroll
  for (int row = 0; row < 2; ++row) {
    const int at = first_row + 8 * row;
    const float total =
        rows[row].total() / __ldg(v_scale + kv_head);  // 0 of a row that sees no key
    const auto sum = [&](int n, int i) { return outputs[n][2 * row + i]; };
    store_row<kD>(head_out + static_cast<i64>(at) * kD, lane, sum, total, at < q_len);
  }
}
