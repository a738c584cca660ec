// The consumers of tma.cu, SCORES=shared: all warps work on the scores of one tile together,
// through shared memory.
//
// A tile of keys takes three steps, each of which is divided anew among the warps:
//   scores         blocks of 16 x 16 of q k^T, TILE_Q/16 * TILE_KV/16 of them in rounds of
//                  CONSUMER_WARPS
//   softmax        rows, a few lanes each: maximum, exponentials, sum, and the factor for what was
//                  summed before
//   outputs        blocks of 16 x 16 of out, TILE_Q/16 * d/16 of them; a warp keeps its own in
//                  registers across all tiles
// Between the steps all consumers meet at a named barrier: after the one behind `scores` every
// score of the tile is there; after the one behind `softmax` every probability and every factor is
// there, and all scores have been read. A third one is not needed: what `outputs` reads is
// overwritten only after the next tile's first barrier, which a warp reaches when it has finished
// its outputs.
//
// Rows are padded by 8 elements against bank conflicts: scores are stored as pairs by eight lanes
// whose rows are 8 banks apart, and ldmatrix reads eight rows of probabilities that are 4 banks
// apart.
//
// Config says what the kernel chose: Element, kOperand, kD, kRows, kTileKeys, kStages,
// kConsumerWarps, kSpan, kSwizzle, kSlack, kSplitMask and kThreadRegisters. Shared is the block's
// shared memory: q, the stages k and v, workspace (a SharedScoresWorkspace), q_full, k_ring and
// v_ring.
#pragma once

#include "mma.cuh"
#include "online_softmax.cuh"
#include "packet.cuh"
#include "panels.cuh"
#include "pipeline.cuh"
#include "quad.cuh"
#include "roles.cuh"
#include "scaling.cuh"
#include "tiles.cuh"
#include "warp.cuh"

template <typename Config>
struct SharedScoresWorkspace {
  static constexpr int kRows = Config::kRows, kPadding = 8;  // elements of a row
  float scores[kRows][Config::kTileKeys + kPadding];
  typename Config::Element probabilities[kRows][Config::kTileKeys + kPadding];
  float factors[kRows];  // that outputs are to be multiplied by before the product with V is added
  float normals[kRows];  // 1 / sum in the end
};

// Lanes that share a row of the softmax: as many as there are, at least 8, each taking four scores
// at a time.
__device__ constexpr int count_row_lanes(int rows, int tile_keys, int consumer_warps) {
  int lanes = 4;
  while (lanes < 32 && tile_keys % (8 * lanes) == 0 &&
         (lanes < 8 || 2 * lanes * rows <= 32 * consumer_warps))
    lanes *= 2;
  return lanes;
}

// The work of one warp. Aggregate initialisation leaves zeros behind the first four members, which
// is how outputs and sums begin.
template <typename Config, typename Shared, typename Scaling>
struct SharedScoresConsumer {
  using Element = typename Config::Element;
  static constexpr Operand kOperand = Config::kOperand;
  static constexpr int kD = Config::kD, kRows = Config::kRows, kTileKeys = Config::kTileKeys,
                       kSlack = Config::kSlack;
  static constexpr int kConsumerWarps = Config::kConsumerWarps, kSpan = Config::kSpan,
                       kSwizzle = Config::kSwizzle;

  static constexpr int kRowBlocks = kRows / 16;
  static constexpr int kScoreBlocks = kRowBlocks * (kTileKeys / 16);
  static constexpr int kOutputBlocks = kRowBlocks * (kD / 16);
  static constexpr int kScoreRounds = (kScoreBlocks + kConsumerWarps - 1) / kConsumerWarps;
  static constexpr int kOutputRounds = (kOutputBlocks + kConsumerWarps - 1) / kConsumerWarps;
  // Blocks are numbered down the rows first. If that puts all blocks of a warp into the same rows,
  // it reads its left operands only once: q for all tiles (32 registers at d 128), probabilities
  // for all its blocks.
  static constexpr bool kSameRows = kConsumerWarps % kRowBlocks == 0;
  static constexpr bool kHoldQuery = kSameRows && kD <= Config::kThreadRegisters;
  static constexpr int kRowLanes = count_row_lanes(kRows, kTileKeys, kConsumerWarps);
  static constexpr int kWarpRows = 32 / kRowLanes;
  static constexpr int kRowRounds =
      (kRows + kWarpRows * kConsumerWarps - 1) / (kWarpRows * kConsumerWarps);
  static constexpr int kPieces = kTileKeys / (4 * kRowLanes);  // of four scores, of one lane

  Shared& shared;
  int warp;  // among the consumers
  int lane;
  PanelReader<kSpan, kSwizzle> panels;
  Place<Config::kStages> place;  // of K and V alike

  u32 query[kHoldQuery ? kD / 16 : 1][4];  // the left operand of a step
  float outputs[kOutputRounds][2][4];      // 16 x 16, as mma leaves them in two halves of 8 columns
  OnlineRow rows[kRowRounds];              // the sums are of the lane's own keys until the end
  int visible[kRowRounds];                 // keys of the rows
  typename Scaling::template Rows<1> scales[kRowRounds];  // of scores, times log2(e)

  // Producers have left for good or wait for a stage: __syncthreads() would wait for them.
  __device__ __forceinline__ static void consumers_meet() {
    named_barrier_sync<32 * kConsumerWarps>(1);
  }

  // A block's first row, and its number along the columns.
  [[nodiscard]] __device__ __forceinline__ static int block_row(int block) {
    return block % kRowBlocks * 16;
  }
  [[nodiscard]] __device__ __forceinline__ static int block_column(int block) {
    return block / kRowBlocks;
  }

  // The row that a lane works on in a round of the softmax. Neighbours in a warp are 4 rows apart:
  // their probabilities then lie 16 banks apart, and a store of 8 bytes meets no other.
  [[nodiscard]] __device__ __forceinline__ int softmax_row(int round) const {
    const int slot = (round * kConsumerWarps + warp) * kWarpRows + lane / kRowLanes;
    return (slot & ~7) | (slot & 1) << 2 | (slot >> 1 & 3);
  }
  // Whether a round of `jobs` leaves nothing for this warp. A constant in rounds that are full.
  [[nodiscard]] __device__ __forceinline__ bool is_idle(int round, int jobs) const {
    const bool full = (round + 1) * kConsumerWarps <= jobs;
    return !full && round * kConsumerWarps + warp >= jobs;
  }
  // Row `row` of the probabilities.
  [[nodiscard]] __device__ __forceinline__ Element* probability_row(int row) const {
    return shared.workspace.probabilities[row];
  }

  __device__ __forceinline__ void load_query() {
    if constexpr (kHoldQuery) {
#pragma unroll
      for (int step = 0; step < kD / 16; ++step)
        panels.template read_left<kRows>(query[step], shared_address(shared.q), block_row(warp),
                                         step);
    }
  }

  // Step one; scores stay unscaled. Warps without a block release the tile like the others, because
  // the ring counts all of them.
  __device__ __forceinline__ void make_scores() {
    shared.k_ring.wait(place);
    const u32 q = shared_address(shared.q), k = shared_address(shared.k[place.stage]);
#pragma unroll
    for (int round = 0; round < kScoreRounds; ++round) {
      const int block = round * kConsumerWarps + warp;
      if (is_idle(round, kScoreBlocks)) break;
      float sums[2][4] = {};
#pragma unroll
      for (int step = 0; step < kD / 16; ++step) {
        u32 keys[4];
        panels.template read_right<kTileKeys>(keys, k, 16 * block_column(block), step);
        if constexpr (!kHoldQuery)
          panels.template read_left<kRows>(query[0], q, block_row(block), step);
        multiply(sums, query[kHoldQuery ? step : 0], keys);
      }
      // A lane has pairs of columns in rows 8 apart.
      const int row = block_row(block) + lane / 4,
                column = 16 * block_column(block) + 2 * (lane % 4);
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        float* to = &shared.workspace.scores[row + i % 2 * 8][column + i / 2 * 8];
        *reinterpret_cast<float2*>(to) =
            make_float2(sums[i / 2][i % 2 * 2], sums[i / 2][i % 2 * 2 + 1]);
      }
    }
    shared.k_ring.release_reads(place);
  }

  // sums += left * right, of 16 x 16 each.
  __device__ __forceinline__ static void multiply(float (&sums)[2][4], const u32 (&left)[4],
                                                  const u32 (&right)[4]) {
    mma<kOperand>(sums[0], left, {right[0], right[1]});
    mma<kOperand>(sums[1], left, {right[2], right[3]});
  }

  // Step two. The mask is applied here, where a lane has only one row. The lanes of a row are
  // neighbours in the warp, so its maximum takes exchanges between them but no shared memory; its
  // sum is completed at the end.
  __device__ __forceinline__ void make_probabilities(int tile, bool masked) {
#pragma unroll
    for (int round = 0; round < kRowRounds; ++round) {
      if (is_idle(round, kRows / kWarpRows)) break;
      const int row = softmax_row(round), first_column = 4 * (lane % kRowLanes);
      const float scale = scale_of(scales[round], 0);
      float scores[kPieces][4];
      float maximum = -kInfinity;
#pragma unroll
      for (int piece = 0; piece < kPieces; ++piece) {
        const int column = first_column + 4 * kRowLanes * piece;
        const float4 read = *reinterpret_cast<const float4*>(&shared.workspace.scores[row][column]);
        scores[piece][0] = read.x;
        scores[piece][1] = read.y;
        scores[piece][2] = read.z;
        scores[piece][3] = read.w;
#pragma unroll
        for (int i = 0; i < 4; ++i) {
          if (masked && tile * kTileKeys + column + i >= visible[round])
            scores[piece][i] = -kInfinity;
        }
        // In pairs, here and in the sum, because every barrier waits for the longest chain.
        maximum = fmaxf(maximum, fmaxf(fmaxf(scores[piece][0], scores[piece][1]),
                                       fmaxf(scores[piece][2], scores[piece][3])));
      }
      const float factor =
          rows[round].template raise<kSlack>(warp_reduce<kRowLanes>(maximum, Max{}), scale);
      const float shift = rows[round].shift(scale);
#pragma unroll
      for (int piece = 0; piece < kPieces; ++piece) {
#pragma unroll
        for (int i = 0; i < 4; ++i)
          scores[piece][i] = exp2_approx(scores[piece][i] * scale - shift);
        rows[round].sum +=
            (scores[piece][0] + scores[piece][1]) + (scores[piece][2] + scores[piece][3]);
        *reinterpret_cast<uint2*>(probability_row(row) + first_column + 4 * kRowLanes * piece) =
            make_uint2(pack_pair<Element>(scores[piece][0], scores[piece][1]),
                       pack_pair<Element>(scores[piece][2], scores[piece][3]));
      }
      if (lane % kRowLanes == 0) shared.workspace.factors[row] = factor;
    }
  }

  // Step three.
  __device__ __forceinline__ void add_outputs() {
    // Rescaling does not need V, which may still be in flight.
#pragma unroll
    for (int round = 0; round < kOutputRounds; ++round)
      scale_outputs(round, shared.workspace.factors);
    shared.v_ring.wait(place);
    const u32 v = shared_address(shared.v[place.stage]);
#pragma unroll
    for (int step = 0; step < kTileKeys / 16; ++step) {
      u32 left[4];
#pragma unroll
      for (int round = 0; round < kOutputRounds; ++round) {
        const int block = round * kConsumerWarps + warp;
        if (is_idle(round, kOutputBlocks)) break;
        // Each group of eight lanes addresses 16 bytes of eight rows, first of the left eight keys,
        // then of the right.
        if (round == 0 || !kSameRows)
          ldmatrix_x4(left, shared_address(probability_row(block_row(block) + lane % 16) +
                                           16 * step + lane / 16 * 8));
        u32 values[4];
        panels.template read_right_transposed<kTileKeys>(values, v, 16 * step, block_column(block));
        multiply(outputs[round], left, values);
      }
    }
    shared.v_ring.release_reads(place);
    ++place;
  }

  // A lane's sums are of two rows, 8 apart.
  __device__ __forceinline__ void scale_outputs(int round, const float (&factors)[kRows]) {
    const int block = round * kConsumerWarps + warp;
    if (is_idle(round, kOutputBlocks)) return;
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const float factor = factors[block_row(block) + lane / 4 + i / 2 * 8];
      outputs[round][0][i] *= factor;
      outputs[round][1][i] *= factor;
    }
  }

  __device__ __forceinline__ void step(int tile, bool masked) {
    make_scores();
    consumers_meet();
    make_probabilities(tile, masked);
    consumers_meet();
    add_outputs();
  }

  // Sums are complete only now, and the warps that hold a row's outputs find their reciprocals in
  // shared memory. `normals` is an array of its own because other warps may still read `factors`.
  // `out` begins at the head, `first_row` is the block's first.
  __device__ __forceinline__ void store(Element* out, int first_row, int q_len) {
#pragma unroll
    for (int round = 0; round < kRowRounds; ++round) {
      if (is_idle(round, kRows / kWarpRows)) break;
      const float total = warp_reduce<kRowLanes>(rows[round].sum, Sum{});
      // A row that sees no key is 0.
      if (lane % kRowLanes == 0)
        shared.workspace.normals[softmax_row(round)] = total == 0 ? 0.0f : 1 / total;
    }
    consumers_meet();
#pragma unroll
    for (int round = 0; round < kOutputRounds; ++round) {
      const int block = round * kConsumerWarps + warp;
      if (is_idle(round, kOutputBlocks)) break;
      scale_outputs(round, shared.workspace.normals);
      // Rows lane/4 and lane/4 + 8 of the left eight columns, then of the right eight: lane q of a
      // quad gets the q-th.
      u32 words[4];
#pragma unroll
      for (int i = 0; i < 4; ++i)
        words[i] = pack_pair<Element>(outputs[round][i / 2][i % 2 * 2],
                                      outputs[round][i / 2][i % 2 * 2 + 1]);
      quad_transpose(words);
      const int row = first_row + block_row(block) + lane / 4 + lane % 2 * 8;
      const int column = 16 * block_column(block) + lane / 2 % 2 * 8;
      if (row < q_len)
        *reinterpret_cast<uint4*>(out + static_cast<i64>(row) * kD + column) =
            make_uint4(words[0], words[1], words[2], words[3]);
    }
  }
};

// All rows of the block, shared by all consumers; `warp` is the number of this one.
template <typename Config, typename Shared, typename Scaling>
__device__ __forceinline__ void consume_shared_scores(Shared& shared, const Shape& shape, int warp,
                                                      int first_row, int key_tiles,
                                                      const Scaling& scaling,
                                                      typename Config::Element* out) {
  using Consumer = SharedScoresConsumer<Config, Shared, Scaling>;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  Consumer consumer{shared, warp, lane,
                    PanelReader<Config::kSpan, Config::kSwizzle>(static_cast<u32>(lane))};
#pragma unroll
  for (int round = 0; round < Consumer::kRowRounds; ++round) {
    const int row = min(first_row + consumer.softmax_row(round), shape.q_len - 1);
    consumer.visible[round] = shape.visible_keys(row);
    consumer.scales[round] = scaling.template rows<1>([&](int) { return row; });
  }
  const int unmasked = shape.visible_keys(min(first_row, shape.q_len - 1));
  mbarrier_wait(shared.q_full, 0);
#pragma unroll
  for (int round = 0; round < Consumer::kRowRounds; ++round) settle_scales(consumer.scales[round]);
  consumer.load_query();
  for_key_tiles<Config::kTileKeys, Config::kSplitMask>(
      key_tiles, unmasked, [&](int tile, bool masked) { consumer.step(tile, masked); });
  consumer.store(out, first_row, shape.q_len);
}
