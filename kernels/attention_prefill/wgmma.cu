// Attention for Hopper: out = softmax(q k^T / sqrt(d)) v, tiles by TMA, products by wgmma, softmax between them.
//
// Algorithm (FlashAttention-3: Shah et al., 2024). A block has one producer warpgroup, of which one thread orders copies, and
// CONSUMER_GROUPS warpgroups with 64 rows of q each. K and V come through rings of STAGES tiles of TILE_KV keys. A consumer keeps its scores, probabilities and outputs in registers:
// sums of wgmma have the layout that the second product wants of its left operand.
// The tensor cores and the exponentials of one tile depend on each other, so what runs beside each other is different tiles:
//   OVERLAP     a warpgroup issues the scores of the next tile before the product with V of this one, and takes its
//               exponentials while that product runs. Costs registers for two tiles.
//   PING_PONG   warpgroups issue their products in turn, so that one calculates while the other takes exponentials.
//
// Tunables:
//   TILE_KV             keys of a tile. More is fewer rescalings and barriers, but more registers and shared memory
//   STAGES              tiles of K and of V in shared memory
//   CONSUMER_GROUPS     64 rows each. Three share K and V among more rows but have 160 registers instead of 240
//   CONSUMER_REGISTERS, PRODUCER_REGISTERS   of a thread; the block has 65536
//   OVERLAP, PING_PONG  above
//   MASK                split: a loop for tiles that the mask cuts and one for the others; branch: one loop, less code
//   SLACK               the maximum may be behind by this many powers of two before outputs are rescaled; 0: never behind
//   KEYS                descending: the last keys first, which the mask cuts. ascending: blocks of one head begin with the
//                       same keys, so that a short problem waits for less of its data
//   MIN_BLOCKS          two blocks of one consumer each take turns without barriers, and a short problem fills the SMs better
//   SCHEDULE            blocks: a block per tile. strided: as many blocks as SMs, each takes every so many tiles.
//                       counter: a block that is done takes the next one, so that no SM waits for another
//   ORDER, SECTION      see tiles.cuh; SECTION 0 takes all heads together
//
// Requires: sm_90a, maps of q with 64 rows and of k and v with TILE_KV rows, all with 64 elements and
// a 128-byte swizzle.
// Next: two blocks of a cluster could share K and V by multicast; the largest tiles read 5 TB/s from L2.
#include "online_softmax.cuh"
#include "pipeline.cuh"
#include "quad.cuh"
#include "roles.cuh"
#include "tiles.cuh"
#include "tma.cuh"
#include "wgmma_tile.cuh"

#ifndef HEAD_DIM
#define HEAD_DIM 128
#endif
#ifndef DTYPE
#define DTYPE bf16
#endif
#ifndef TILE_KV
#define TILE_KV 128
#endif
#ifndef STAGES
#define STAGES 2
#endif
#ifndef CONSUMER_GROUPS
#define CONSUMER_GROUPS 2
#endif
#ifndef CONSUMER_REGISTERS
#define CONSUMER_REGISTERS 240
#endif
#ifndef PRODUCER_REGISTERS
#define PRODUCER_REGISTERS 24
#endif
#ifndef OVERLAP
#define OVERLAP 1
#endif
#ifndef PING_PONG
#define PING_PONG 1
#endif
#ifndef MASK
#define MASK split
#endif
#ifndef SLACK
#define SLACK 8
#endif
#ifndef KEYS
#define KEYS descending
#endif
#ifndef MIN_BLOCKS
#define MIN_BLOCKS 1
#endif
#ifndef SCHEDULE
#define SCHEDULE counter
#endif
#ifndef ORDER
#define ORDER longest_first
#endif
#ifndef SECTION
#define SECTION 0
#endif

enum class Mask { split, branch };
enum class Keys { descending, ascending };
enum class Schedule { blocks, strided, counter };
enum class Order { longest_first, natural };

using Element = DTYPE;
constexpr Operand kOperand = kOperandOf<Element>;
constexpr int kD = HEAD_DIM;
constexpr int kTileKeys = TILE_KV;
constexpr int kStages = STAGES;
constexpr int kGroups = CONSUMER_GROUPS;
constexpr int kConsumerRegisters = CONSUMER_REGISTERS, kProducerRegisters = PRODUCER_REGISTERS;
constexpr bool kOverlap = OVERLAP != 0;
constexpr bool kPingPong = PING_PONG != 0 && kGroups > 1;
constexpr Mask kMask = Mask::MASK;
constexpr int kSlack = SLACK;
constexpr Keys kKeys = Keys::KEYS;
constexpr int kMinBlocks = MIN_BLOCKS;
constexpr Schedule kSchedule = Schedule::SCHEDULE;
constexpr Order kOrder = Order::ORDER;
constexpr int kSection = SECTION;

constexpr int kGroupRows = 64;  // of q, one instruction's worth
constexpr int kRows = kGroupRows * kGroups;
constexpr int kGroupThreads = 128;
constexpr int kThreads = kGroupThreads * (1 + kGroups);
constexpr u32 kConsumerWarps = 4 * kGroups;
constexpr u32 kQueryBytes = kGroupRows * kD * sizeof(Element);
constexpr u32 kTileBytes = kTileKeys * kD * sizeof(Element);
constexpr int kNoTile = -1;

struct alignas(1024) Shared {
  u8 q[kGroups][kQueryBytes];
  u8 k[kStages][kTileBytes];
  u8 v[kStages][kTileBytes];
  Ring<1> q_ring;
  Ring<kStages> k_ring;
  Ring<kStages> v_ring;
  int tile;  // that q holds, or kNoTile; comes and goes with it
};

// Tile number `step` of `tiles` in the order in which they are worked on.
__device__ __forceinline__ int key_tile(int step, int tiles) {
  return kKeys == Keys::descending ? tiles - 1 - step : step;
}

// One thread. K of a tile is ordered before V of the tile before it: that is how overlapping consumers use them.
__device__ __forceinline__ void produce(Shared& shared, const Shape& shape, const TileOrder& order, int tiles,
                                        const TensorMap& q_map, const TensorMap& k_map, const TensorMap& v_map,
                                        u32* counter) {
  tma_prefetch(q_map);
  tma_prefetch(k_map);
  tma_prefetch(v_map);
  Place<1> q_place;
  Place<kStages> k_place, v_place;
  int index = static_cast<int>(blockIdx.x);
#pragma unroll 1
  while (index < tiles) {
    // Every block draws until it draws a number that is too high, `tiles` draws in all, and the counter is 0 again.
    int next = tiles;
    if constexpr (kSchedule == Schedule::counter)
      next = static_cast<int>(gridDim.x + atomicInc(counter, static_cast<u32>(tiles - 1)));
    else if constexpr (kSchedule == Schedule::strided) next = index + static_cast<int>(gridDim.x);

    const auto [head, row_tile] = order.at(index);
    const int kv_head = shape.kv_head(head);
    const int first_row = row_tile * kRows;
    const int key_tiles = count_key_tiles<kRows, kTileKeys>(shape, first_row);
    const auto load_k = [&](int tile) {
      shared.k_ring.acquire(k_place);
      mbarrier_expect(shared.k_ring.full[k_place.stage], kTileBytes);
      tma_load_4d(shared.k[k_place.stage], k_map, 0, tile * kTileKeys, 0, kv_head, shared.k_ring.full[k_place.stage]);
      ++k_place;
    };
    const auto load_v = [&](int tile) {
      shared.v_ring.acquire(v_place);
      mbarrier_expect(shared.v_ring.full[v_place.stage], kTileBytes);
      tma_load_4d(shared.v[v_place.stage], v_map, 0, tile * kTileKeys, 0, kv_head, shared.v_ring.full[v_place.stage]);
      ++v_place;
    };

    shared.q_ring.acquire(q_place);
    shared.tile = index;
    mbarrier_expect(shared.q_ring.full[0], kGroups * kQueryBytes);
#pragma unroll
    for (int group = 0; group < kGroups; ++group)
      tma_load_4d(shared.q[group], q_map, 0, first_row + group * kGroupRows, 0, head, shared.q_ring.full[0]);
    ++q_place;
    if (key_tiles > 0) load_k(key_tile(0, key_tiles));
#pragma unroll 1
    for (int step = 0; step < key_tiles; ++step) {
      if (step + 1 < key_tiles) load_k(key_tile(step + 1, key_tiles));
      load_v(key_tile(step, key_tiles));
    }
    index = next;
  }
  shared.q_ring.acquire(q_place);
  shared.tile = kNoTile;
  mbarrier_arrive(shared.q_ring.full[0]);
}

// Warpgroups take turns: group g issues when the one before it has issued.
__device__ __forceinline__ void await_turn(int group) {
  if constexpr (kPingPong) named_barrier_sync<2 * kGroupThreads>(1 + group);
}
__device__ __forceinline__ void pass_turn(int group) {
  if constexpr (kPingPong) named_barrier_arrive<2 * kGroupThreads>(1 + (group + 1 == kGroups ? 0 : group + 1));
}

// A warpgroup's 64 rows of one tile. A lane holds columns of two rows, 8 apart.
struct Consumer {
  Shared& shared;
  float scale;  // of scores, times log2(e)
  int group;
  int lane;
  Place<kStages> k_place, v_place;

  float outputs[kD / 2];
  float scores[kTileKeys / 2];
  u32 probabilities[kTileKeys / 16][4];
  OnlineRow rows[2];
  int visible[2];  // keys of the rows
  int unmasked;    // keys that all rows of the warpgroup see

  __device__ __forceinline__ void issue_scores() {
    const u32 q = shared_address(shared.q[group]), k = shared_address(shared.k[k_place.stage]);
    wgmma_ss<kOperand, kTileKeys, false>(scores, tile_descriptor(q, kGroupRows, 0), tile_descriptor(k, kTileKeys, 0));
#pragma unroll
    for (int step = 1; step < kD / 16; ++step)
      wgmma_ss<kOperand, kTileKeys, true>(scores, tile_descriptor(q, kGroupRows, step), tile_descriptor(k, kTileKeys, step));
    wgmma_commit();
  }

  __device__ __forceinline__ void issue_outputs() {
    const u32 v = shared_address(shared.v[v_place.stage]);
#pragma unroll
    for (int step = 0; step < kTileKeys / 16; ++step)
      wgmma_rs<kOperand, kD, true, true>(outputs, probabilities[step], transposed_tile_descriptor(v, kTileKeys, step));
    wgmma_commit();
  }

  __device__ __forceinline__ void release_k() {
    if (lane == 0) shared.k_ring.release(k_place);
    ++k_place;
  }
  __device__ __forceinline__ void release_v() {
    if (lane == 0) shared.v_ring.release(v_place);
    ++v_place;
  }

  // Scores become exp2(score - maximum); `factors` are for what was summed before.
  __device__ __forceinline__ void exponentials(int tile, bool masked, float (&factors)[2]) {
    if (masked) {
      const int first_key = tile * kTileKeys + 2 * (lane % 4);
#pragma unroll
      for (int i = 0; i < kTileKeys / 2; ++i) {
        if (first_key + 8 * (i / 4) + i % 2 >= visible[i / 2 % 2]) scores[i] = -kInfinity;
      }
    }
#pragma unroll
    for (int row = 0; row < 2; ++row) {
      // Two chains each: one would wait for itself.
      float even = scores[2 * row], odd = scores[2 * row + 1];
#pragma unroll
      for (int i = 4; i < kTileKeys / 2; i += 4) {
        even = fmaxf(even, scores[i + 2 * row]);
        odd = fmaxf(odd, scores[i + 2 * row + 1]);
      }
      factors[row] = rows[row].raise<kSlack>(quad_max(fmaxf(even, odd)), scale);
      const float shift = rows[row].shift(scale);
      even = odd = 0;
#pragma unroll
      for (int i = 0; i < kTileKeys / 2; i += 4) {
        float& left = scores[i + 2 * row];
        float& right = scores[i + 2 * row + 1];
        left = exp2_approx(left * scale - shift);
        right = exp2_approx(right * scale - shift);
        even += left;
        odd += right;
      }
      rows[row].sum += even + odd;
    }
  }

  __device__ __forceinline__ void rescale(const float (&factors)[2]) {
    // Mostly there is nothing to do once the first tiles are over.
    if (!__any_sync(0xffffffffu, factors[0] != 1.0f || factors[1] != 1.0f)) return;
#pragma unroll
    for (int i = 0; i < kD / 2; ++i) outputs[i] *= factors[i / 2 % 2];
  }

  __device__ __forceinline__ void pack() {
#pragma unroll
    for (int step = 0; step < kTileKeys / 16; ++step) {
#pragma unroll
      for (int i = 0; i < 4; ++i)
        probabilities[step][i] = pack_pair<Element>(scores[8 * step + 2 * i], scores[8 * step + 2 * i + 1]);
    }
  }

  // Tile `tile`, whose scores are still to be made, while the product with V of tile + 1 is still to be added.
  __device__ __forceinline__ void overlapped_step(int tile, bool masked) {
    shared.k_ring.wait(k_place);
    await_turn(group);
    wgmma_fence();
    issue_scores();
    shared.v_ring.wait(v_place);
    issue_outputs();
    pass_turn(group);
    wgmma_wait<1>();
    wgmma_settle_sums(scores);
    release_k();
    float factors[2];
    exponentials(tile, masked, factors);
    wgmma_wait<0>();
    wgmma_settle_sums(outputs);
    release_v();
    rescale(factors);
    pack();
  }

  // Scores, exponentials and product of one tile, one after the other.
  __device__ __forceinline__ void plain_step(int tile, bool masked) {
    shared.k_ring.wait(k_place);
    await_turn(group);
    wgmma_fence();
    issue_scores();
    pass_turn(group);
    wgmma_wait<0>();
    wgmma_settle_sums(scores);
    release_k();
    float factors[2];
    exponentials(tile, masked, factors);
    rescale(factors);
    pack();
    finish_outputs();
  }

  __device__ __forceinline__ void finish_outputs() {
    shared.v_ring.wait(v_place);
    wgmma_fence();
    issue_outputs();
    wgmma_wait<0>();
    wgmma_settle_sums(outputs);
    release_v();
  }

  __device__ __forceinline__ bool is_masked(int tile) const { return (tile + 1) * kTileKeys > unmasked; }

  __device__ __forceinline__ void step(int tile, bool masked) {
    if constexpr (kOverlap) overlapped_step(tile, masked);
    else plain_step(tile, masked);
  }

  // All tiles of keys of one tile of rows. Gives q back to the producer as early as it can.
  __device__ __forceinline__ void attend(int key_tiles, Place<1>& q_place) {
#pragma unroll
    for (int i = 0; i < kD / 2; ++i) outputs[i] = 0;
    int done = 0;
    if constexpr (kOverlap) {
      if (key_tiles > 0) {
        shared.k_ring.wait(k_place);
        wgmma_fence();
        issue_scores();
        wgmma_wait<0>();
        wgmma_settle_sums(scores);
        release_k();
        const int tile = key_tile(0, key_tiles);
        float factors[2];
        exponentials(tile, is_masked(tile), factors);
        pack();
        done = 1;
      }
    }
    if constexpr (kMask == Mask::split) {
      constexpr bool kFirst = kKeys == Keys::descending;  // whether the first tiles are those that the mask cuts
#pragma unroll 1
      for (; done < key_tiles && is_masked(key_tile(done, key_tiles)) == kFirst; ++done)
        step(key_tile(done, key_tiles), kFirst);
#pragma unroll 1
      for (; done < key_tiles; ++done) step(key_tile(done, key_tiles), !kFirst);
    } else {
#pragma unroll 1
      for (; done < key_tiles; ++done) step(key_tile(done, key_tiles), is_masked(key_tile(done, key_tiles)));
    }
    __syncwarp();  // every lane has read which tile it is
    if (lane == 0) shared.q_ring.release(q_place);
    ++q_place;
    if constexpr (kOverlap) {
      if (key_tiles > 0) finish_outputs();
    }
  }

  // `first_row` is the lane's first row in `out`, which begins at the tile's head.
  __device__ __forceinline__ void store(Element* out, int first_row, int q_len) const {
#pragma unroll
    for (int row = 0; row < 2; ++row) {
      const float total = rows[row].total();
      const float normal = total == 0 ? 0.0f : 1 / total;  // a row that sees no key is 0
      const bool inside = first_row + 8 * row < q_len;
      Element* at = out + static_cast<i64>(first_row + 8 * row) * kD + 8 * (lane % 4);
#pragma unroll
      for (int column = 0; column < kD; column += 32) {
        u32 words[4];
#pragma unroll
        for (int j = 0; j < 4; ++j) {
          const int i = column / 2 + 4 * j + 2 * row;
          words[j] = pack_pair<Element>(outputs[i] * normal, outputs[i + 1] * normal);
        }
        quad_transpose(words);
        if (inside) *reinterpret_cast<uint4*>(at + column) = make_uint4(words[0], words[1], words[2], words[3]);
      }
    }
  }
};

__device__ __forceinline__ void consume(Shared& shared, const Shape& shape, const TileOrder& order, int warp, float scale,
                                        Element* out) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  Consumer consumer{shared, scale, warp / 4, lane};
  Place<1> q_place;
  if (consumer.group == kGroups - 1) pass_turn(consumer.group);  // the first group begins
#pragma unroll 1
  while (true) {
    shared.q_ring.wait(q_place);
    const int index = shared.tile;
    if (index == kNoTile) return;
    const auto [head, row_tile] = order.at(index);
    const int group_row = row_tile * kRows + consumer.group * kGroupRows;
    const int first_row = group_row + 16 * (warp % 4) + lane / 4;
#pragma unroll
    for (int row = 0; row < 2; ++row) {
      consumer.rows[row] = OnlineRow{};
      consumer.visible[row] = shape.visible_keys(min(first_row + 8 * row, shape.q_len - 1));
    }
    consumer.unmasked = shape.visible_keys(min(group_row, shape.q_len - 1));
    consumer.attend(count_key_tiles<kRows, kTileKeys>(shape, row_tile * kRows), q_place);
    consumer.store(out + static_cast<i64>(head) * shape.q_len * kD, first_row, shape.q_len);
  }
}

extern "C" __global__ void __launch_bounds__(kThreads, kMinBlocks)
attention_wgmma(const __grid_constant__ TensorMap q_map, const __grid_constant__ TensorMap k_map,
                const __grid_constant__ TensorMap v_map, Element* __restrict__ out, u32* __restrict__ counter, int batch,
                int heads, int kv_heads, int q_len, int kv_len, int causal, float scale) {
  extern __shared__ u8 dynamic[];
  Shared& shared = *reinterpret_cast<Shared*>(dynamic);
  const Shape shape{heads, kv_heads, q_len, kv_len, causal != 0};
  const int row_tiles = ceil_div(q_len, kRows), all_heads = batch * heads;
  const TileOrder order{row_tiles, all_heads, kSection == 0 ? all_heads : kSection, kOrder == Order::longest_first};

  if (threadIdx.x == 0) {
    shared.q_ring.init(kConsumerWarps);
    shared.k_ring.init(kConsumerWarps);
    shared.v_ring.init(kConsumerWarps);
    mbarrier_publish();
  }
  __syncthreads();
  const int warp = warp_index();
  if (warp < 4) {
    registers_shrink<kProducerRegisters>();
    if (threadIdx.x == 0) produce(shared, shape, order, row_tiles * all_heads, q_map, k_map, v_map, counter);
  } else {
    registers_grow<kConsumerRegisters>();
    consume(shared, shape, order, warp - 4, scale, out);
  }
}
