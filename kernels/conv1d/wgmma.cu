// Convolution over time on Hopper: a matrix product for every tap, added up in registers, by TMA
// and wgmma.
//
// Algorithm: with rows along the channels, tap k multiplies rows t*stride - pad + k of x by w[k].
// The rows come by tensor map, so a tap is a shift of a coordinate and padding is what the copy
// engine fills in outside of x. For stride 2 there are two maps of x, of the even and of the odd
// rows: a tap has rows of one parity, in a row. Channels that end within a stage of 64 are filled
// with zeros, too, and not multiplied where a whole instruction has none.
// A block has one producer warpgroup, one thread of which starts copies of 64 channels into a ring
// of STAGES, and CONSUMER_GROUPS warpgroups with 64 rows x TILE_N columns of sums each. The rows of
// the product are those of the output: times in channels last, output channels in channels first,
// where launch 1 brings x and w into rows along the channels (pack.cuh) and operands change sides.
//
// Bound: 128 x 256 outputs need 48 KB a stage, for 1024 clocks of products. All SMs would read 8
// TB/s from L2, more than it has. Blocks of a cluster therefore share copies by multicast:
// CLUSTER_M blocks with the same columns each bring a part of these, CLUSTER_N blocks with the same
// rows a part of those; 2 x 1 leaves 5.4 TB/s.
// 1280 channels to 1280 at 1500 times are 60 tiles of 128 x 256 or 120 of 128 x 128. A stage of the
// latter, 32 KB, lasts 512 clocks, so that they need a cluster of 2 x 2 for the same traffic; the
// former need K_SPLIT 2 for the SMs to have work, and move 8 MB of partial sums to L2 and back.
// Bias and GELU of a tile of 128 x 256 take about 5,000 clocks, of 61,000 for its products.
//
// Tunables:
//   CONSUMER_GROUPS       64 rows each
//   TILE_N                columns: more use rows more often, and leave fewer tiles
//   STAGES                of the ring: what is in flight
//   CLUSTER_M, CLUSTER_N  blocks that share columns, and rows
//   K_SPLIT               parts of taps and channels in different blocks; the last to end adds up
//   MIN_BLOCKS            2: two blocks on an SM, one writes while the other multiplies
//   SCHEDULE              blocks: one for each tile. strided: as many as fit, whose producers fetch
//                         the next tile's first stages while the consumers write
//
// Requires: sm_90a, rows of multiples of 16 bytes.
//
// Next idea: taps of one parity are the same rows shifted by one; kept in shared memory with one
// row more, they would be copied once instead of up to twice (stride 2) or three times (stride 1).
#include "cluster.cuh"
#include "defaults.cuh"
#include "output_rows.cuh"
#include "pack.cuh"
#include "pipeline.cuh"
#include "roles.cuh"
#include "warp.cuh"
#include "wgmma.cuh"
#include "wgmma_operand.cuh"

using Element = DTYPE;
constexpr Operand kOperand = kOperandOf<Element>;
constexpr Order kOrder = Order::LAYOUT;
constexpr Function kFunction = Function::ACTIVATION;
constexpr int kGroups = CONSUMER_GROUPS, kN = TILE_N, kStages = STAGES, kSplit = K_SPLIT;
constexpr int kClusterM = CLUSTER_M, kClusterN = CLUSTER_N, kMinBlocks = MIN_BLOCKS;

constexpr bool kFirst = kOrder == Order::channels_first;
constexpr int kM = 64 * kGroups, kThreads = 128 * (1 + kGroups);
constexpr int kClusterBlocks = kClusterM * kClusterN;
constexpr int kSliceM = kM / kClusterN, kSliceN = kN / kClusterM;  // rows that a block copies
constexpr u32 kRowBytes = 128, kStageBytes = (kM + kN) * kRowBytes;
// Warps that read a stage's slices, in this block and in those that share its copies.
constexpr u32 kReaders = 4 * kGroups * (kClusterM + kClusterN - 1);
// Registers move from the producer to the consumers where an even share would not hold the sums. A
// block of two warpgroups has 255 for each thread, or 128 if a second block shares the SM.
constexpr bool kMoveRegisters = kGroups >= 2 && kMinBlocks == 1;
constexpr int kProducerRegisters = kGroups == 2 ? 40 : 32;
constexpr int kConsumerRegisters = kGroups == 2 ? 232 : 160;
static_assert(kSliceM % 8 == 0 && kSliceN % 8 == 0 && kSliceM * kClusterN == kM &&
              kSliceN * kClusterM == kN);

struct Stage {
  u8 left[kM * kRowBytes];
  u8 right[kN * kRowBytes];
};

struct alignas(1024) Shared {
  Stage stages[kStages];
  Mbarrier full[kStages];
  Mbarrier empty[kStages];
  float bias[kGroups][kN];  // of the columns, for each warpgroup by itself
  u32 last[kGroups];        // whether this block was the last of a tile's parts to end
};
static_assert(kN % 16 == 0 && sizeof(Stage) % 1024 == 0);

#ifdef WARPWRIGHT_SHARED_BYTES_conv1d_wgmma
static_assert(sizeof(Shared) == WARPWRIGHT_SHARED_BYTES_conv1d_wgmma,
              "kernel.yaml's shared: and the source differ");
#elif defined(WARPWRIGHT_SHARED_BYTES)
static_assert(sizeof(Shared) == WARPWRIGHT_SHARED_BYTES,
              "kernel.yaml's shared: and the source differ");
#endif

// A block's place in its cluster. Neighbouring ranks have the same rows.
struct Seat {
  int m, n;
  __device__ __forceinline__ explicit Seat(int rank) : m(rank / kClusterN), n(rank % kClusterN) {}
  static __device__ __forceinline__ u32 rank(int m, int n) {
    return static_cast<u32>(m * kClusterN + n);
  }
  // Blocks that get this one's slice of rows, and of columns.
  __device__ __forceinline__ u32 row_ranks() const {
    return ((1u << kClusterN) - 1u) << rank(m, 0);
  }
  __device__ __forceinline__ u32 column_ranks() const {
    u32 ranks = 0;
#pragma unroll
    for (int i = 0; i < kClusterM; ++i) ranks |= 1u << rank(i, n);
    return ranks;
  }
  // The i-th of the blocks that share copies with this one, itself among them.
  __device__ __forceinline__ u32 partner(int i) const {
    if (i < kClusterN) return rank(m, i);
    const int other = i - kClusterN;
    return rank(other + (other >= m ? 1 : 0), n);
  }
};

// One block's share of an item: a tile of the output, and the steps that are added up for it. A
// step is 64 channels of one tap.
struct Work {
  int b, first_m, first_n, split, begin, end, tile;
};

// Items are numbered so that what runs at the same time shares as much as it can: parts of a sum,
// then tiles of the same rows, then of the next.
struct Items {
  Sizes sizes;
  int m_tiles, n_tiles, steps, count;  // tiles: of clusters, in either direction
  __device__ __forceinline__ explicit Items(const Sizes& s) : sizes(s) {
    const int m = kFirst ? s.c_out : s.t_out, n = kFirst ? s.t_out : s.c_out;
    m_tiles = (m + kM * kClusterM - 1) / (kM * kClusterM);
    n_tiles = (n + kN * kClusterN - 1) / (kN * kClusterN);
    steps = (s.c_in + 63) / 64 * s.width;
    count = s.batch * m_tiles * n_tiles * kSplit;
  }
  __device__ __forceinline__ Work at(int item, const Seat& seat) const {
    Work work;
    const int cluster_tile = item / kSplit;
    work.split = item % kSplit;
    work.first_n = (cluster_tile % n_tiles * kClusterN + seat.n) * kN;
    work.first_m = (cluster_tile / n_tiles % m_tiles * kClusterM + seat.m) * kM;
    work.b = cluster_tile / n_tiles / m_tiles;
    work.begin = steps * work.split / kSplit;
    work.end = steps * (work.split + 1) / kSplit;
    work.tile = cluster_tile * kClusterBlocks + static_cast<int>(Seat::rank(seat.m, seat.n));
    return work;
  }
};

struct Maps {
  const TensorMap& x;
  const TensorMap& x_odd;  // of the odd rows; x has all rows at stride 1, the even ones at stride 2
  const TensorMap& w;
};

template <int kShared>
__device__ __forceinline__ void load(void* to, const TensorMap& map, int x, int y, int z,
                                     Mbarrier& barrier, u32 ranks) {
  if constexpr (kShared > 1)
    tma_multicast_4d(to, map, x, y, z, 0, barrier, ranks);
  else
    tma_load_4d(to, map, x, y, z, 0, barrier);
}

// The rows of x from output time t on that a tap multiplies.
template <int kShared>
__device__ __forceinline__ void load_x(void* to, const Maps& maps, const Sizes& sizes, int channel,
                                       int t, int tap, int b, Mbarrier& barrier, u32 ranks) {
  const int shift = tap - sizes.pad;
  if (sizes.stride == 1) {
    load<kShared>(to, maps.x, channel, t + shift, b, barrier, ranks);
  } else if ((shift & 1) == 0) {
    load<kShared>(to, maps.x, channel, t + (shift >> 1), b, barrier, ranks);
  } else {
    // A map has at least one row, and of a single row none is odd.
    const int row = sizes.length == 1 ? sizes.length : t + (shift >> 1);
    load<kShared>(to, maps.x_odd, channel, row, b, barrier, ranks);
  }
}

// Starts the block's share of the copies of one step.
__device__ __forceinline__ void load_step(Stage& stage, Mbarrier& full, int slice_m, int slice_n,
                                          u32 row_ranks, u32 column_ranks, const Maps& maps,
                                          const Sizes& sizes, const Work& work, int channel,
                                          int tap) {
  // All bytes of the stage, from any block: they may come before they are expected.
  mbarrier_expect(full, kStageBytes);
  u8* const left = stage.left + slice_m * static_cast<int>(kRowBytes);
  u8* const right = stage.right + slice_n * static_cast<int>(kRowBytes);
  const int row = work.first_m + slice_m, column = work.first_n + slice_n;
  if constexpr (kFirst) {
    load<kClusterN>(left, maps.w, channel, row, tap, full, row_ranks);
    load_x<kClusterM>(right, maps, sizes, channel, column, tap, work.b, full, column_ranks);
  } else {
    load_x<kClusterN>(left, maps, sizes, channel, row, tap, work.b, full, row_ranks);
    load<kClusterM>(right, maps.w, channel, column, tap, full, column_ranks);
  }
}

// Run by one thread.
__device__ __forceinline__ void produce(Shared& shared, const Seat& seat, const Items& items,
                                        const Maps& maps) {
  const Sizes& sizes = items.sizes;
  const int slice_m = seat.n * kSliceM, slice_n = seat.m * kSliceN;
  const u32 row_ranks = seat.row_ranks(), column_ranks = seat.column_ranks();
  Place<kStages> place;
#pragma unroll 1
  for (int item = static_cast<int>(blockIdx.x) / kClusterBlocks; item < items.count;
       item += static_cast<int>(gridDim.x) / kClusterBlocks) {
    const Work work = items.at(item, seat);
    // Taps of the same channels follow each other: two of three read rows that are in L2 by then.
    int channel = work.begin / sizes.width * 64, tap = work.begin % sizes.width;
#pragma unroll 1
    for (int step = work.begin; step < work.end; ++step) {
      mbarrier_wait(shared.empty[place.stage], place.parity ^ 1);
      load_step(shared.stages[place.stage], shared.full[place.stage], slice_m, slice_n, row_ranks,
                column_ranks, maps, sizes, work, channel, tap);
      ++place;
      if (++tap == sizes.width) {
        tap = 0;
        channel += 64;
      }
    }
  }
}

// The meeting of the parts of a tile. All but the last to end leave their sums, in f32; the last
// one waits for them and adds up all parts in their order, so that the bits do not depend on which
// one it is. Each warpgroup acts by itself, with a place in `partials` and two counters of its own:
// of the parts that have ended, and of those whose sums are there. It waits only for blocks that
// run and wait for nothing. A thread's sums lie 128 vectors apart, so that a warp's access is of
// 512 bytes in a row.
struct Parts {
  float4* places;  // of this thread
  u32 *ended, *left;
  __device__ __forceinline__ Parts(float* partials, u32* counters, int slot)
      : places(reinterpret_cast<float4*>(partials) +
               static_cast<i64>(slot) * (kSplit * kN / 8 * 128) +
               static_cast<int>(threadIdx.x) % 128),
        ended(counters + 2 * slot),
        left(counters + 2 * slot + 1) {}
  __device__ __forceinline__ float4* at(int split, int i) const {
    return places + (split * (kN / 8) + i) * 128;
  }
  // Returns whether this block is the last, which then finds the other parts' sums.
  __device__ __forceinline__ bool leave(const float (&sums)[kN / 2], int split, int group,
                                        u32& last) const {
    const bool first_thread = threadIdx.x % 128 == 0;
    if (first_thread) last = atomicInc(ended, kSplit - 1) == kSplit - 1 ? 1u : 0u;
    named_barrier_sync<128>(1 + group);
    const bool is_last = last != 0;
    if (!is_last) {
#pragma unroll
      for (int i = 0; i < kN / 8; ++i)
        *at(split, i) = make_float4(sums[4 * i], sums[4 * i + 1], sums[4 * i + 2], sums[4 * i + 3]);
      __threadfence();
      named_barrier_sync<128>(1 + group);
      if (first_thread) atomicAdd(left, 1u);
    } else {
      if (first_thread) {
        while (atomicCAS(left, kSplit - 1, 0u) != kSplit - 1) {
        }
        __threadfence();
      }
      named_barrier_sync<128>(1 + group);
    }
    return is_last;
  }
  // Sums 4*i to 4*i + 3 of all parts, of which `own` are those of part `split`.
  __device__ __forceinline__ float4 total(int i, float4 own, int split) const {
    float4 total = split == 0 ? own : __ldcg(at(0, i));
#pragma unroll
    for (int part = 1; part < kSplit; ++part) {
      const float4 more = part == split ? own : __ldcg(at(part, i));
      total = make_float4(total.x + more.x, total.y + more.y, total.z + more.z, total.w + more.w);
    }
    return total;
  }
};

// Issues the products of kCount times 16 channels, of 64 rows with all columns. The group ends
// here, in the same straight line of code: where branches meet between the instructions and the end
// of their group, ptxas ends one before and an empty one after, and who waits for all but one group
// waits for the products that should still run.
template <int kCount>
__device__ __forceinline__ void multiply(float (&sums)[kN / 2], u32 left, u32 right) {
  wgmma_fence();
#pragma unroll
  for (int k = 0; k < kCount; ++k)
    wgmma_ss<kOperand, kN, true>(sums, tile_descriptor(left, kM, k), tile_descriptor(right, kN, k));
  wgmma_commit();
}

// Multiplies a stage. The columns beyond the last channel are zeros: 80 channels take one
// instruction of four in their second stage, a third less time in all.
__device__ __forceinline__ void multiply_step(float (&sums)[kN / 2], u32 left, u32 right,
                                              int left_channels) {
  if (left_channels > 48)
    multiply<4>(sums, left, right);
  else if (left_channels > 32)
    multiply<3>(sums, left, right);
  else if (left_channels > 16)
    multiply<2>(sums, left, right);
  else
    multiply<1>(sums, left, right);
}

// Writes a warpgroup's sums, with bias and activation; or leaves them as a part of the tile's, if
// this is not the last part.
__device__ __forceinline__ void store(Shared& shared, const float (&sums)[kN / 2],
                                      const Sizes& sizes, const Work& work, int group,
                                      const Element* __restrict__ bias, Element* __restrict__ out,
                                      float* __restrict__ partials, u32* __restrict__ counters) {
  const int lane = lane_id();
  const int row = work.first_m + group * 64 + warp_id() % 4 * 16 + lane / 4;
  const float* const columns = shared.bias[group] + 2 * (lane % 4);
  const auto added = [&](int i) { return *reinterpret_cast<const float2*>(columns + 8 * i); };
  const auto own = [&](int i) {
    return make_float4(sums[4 * i], sums[4 * i + 1], sums[4 * i + 2], sums[4 * i + 3]);
  };
  if constexpr (kSplit > 1) {
    const Parts parts(partials, counters, work.tile * kGroups + group);
    if (!parts.leave(sums, work.split, group, shared.last[group])) return;
    write_rows<Element, kFunction, kOrder, kN>(
        [&](int i) { return parts.total(i, own(i), work.split); }, added, sizes, work.b, row,
        work.first_n, bias, out);
  } else {
    write_rows<Element, kFunction, kOrder, kN>(own, added, sizes, work.b, row, work.first_n, bias,
                                               out);
  }
}

// Copies the bias of a tile's columns for one warpgroup; zeros for columns that do not exist.
__device__ __forceinline__ void load_bias(Shared& shared, int group,
                                          const Element* __restrict__ bias, int first_n, int c_out,
                                          int thread) {
  named_barrier_sync<128>(1 + group);  // the bias of the tile before has been read
  for (int i = thread; i < kN; i += 128)
    shared.bias[group][i] = first_n + i < c_out ? to_float(bias[first_n + i]) : 0.0f;
  named_barrier_sync<128>(1 + group);
}

__device__ __forceinline__ void consume(Shared& shared, const Seat& seat, const Items& items,
                                        int group, const Element* __restrict__ bias,
                                        Element* __restrict__ out, float* __restrict__ partials,
                                        u32* __restrict__ counters) {
  const Sizes& sizes = items.sizes;
  const int lane = lane_id(), thread = static_cast<int>(threadIdx.x) % 128;
  // A producer writes into all blocks that get its slices, so it waits for their consumers, too.
  const auto release = [&](int stage) {
    if constexpr (kClusterBlocks == 1) {
      if (lane == 0) mbarrier_arrive(shared.empty[stage]);
    } else {
      if (lane < kClusterM + kClusterN - 1)
        mbarrier_arrive_remote(shared.empty[stage], seat.partner(lane));
    }
  };
  Place<kStages> place;
#pragma unroll 1
  for (int item = static_cast<int>(blockIdx.x) / kClusterBlocks; item < items.count;
       item += static_cast<int>(gridDim.x) / kClusterBlocks) {
    const Work work = items.at(item, seat);
    if constexpr (!kFirst) load_bias(shared, group, bias, work.first_n, sizes.c_out, thread);
    float sums[kN / 2] = {};
    wgmma_settle(sums);
    int before = 0, left_channels = sizes.c_in - work.begin / sizes.width * 64;
    int tap = work.begin % sizes.width;
#pragma unroll 1
    for (int step = work.begin; step < work.end; ++step) {
      mbarrier_wait(shared.full[place.stage], place.parity);
      const u32 left = shared_address(shared.stages[place.stage].left) +
                       static_cast<u32>(group) * 64u * kRowBytes;
      const u32 right = shared_address(shared.stages[place.stage].right);
      multiply_step(sums, left, right, left_channels);
      // The products of the step before are done: one step is in flight while the next is issued.
      wgmma_wait<1>();
      if (step > work.begin) release(before);
      before = place.stage;
      ++place;
      if (++tap == sizes.width) {
        tap = 0;
        left_channels -= 64;
      }
    }
    wgmma_wait<0>();
    wgmma_settle(sums);
    if (work.end > work.begin) release(before);
    store(shared, sums, sizes, work, group, bias, out, partials, counters);
  }
}

// Parameters (row-major arrays; kernel.yaml names sizes and types):
//   x       of dtype: [batch, c_in, length] if channels come first, otherwise [batch, length, c_in]
//   w       of dtype: [c_out, c_in, width] if channels come first, otherwise [width, c_out, c_in]
//   x_rows  [batch, length, c_rows] of dtype, scratch: x with rows along the channels
//   w_rows  [width, c_out, c_rows] of dtype, scratch: w in the same way
//   batch   sequences
//   c_in    channels of x
//   c_out   channels of the output
//   length  times of x
//   width   taps of the kernel
//   c_rows  channels of a packed row, c_in rounded up to a multiple of 8
extern "C" __global__ void __launch_bounds__(kPackThreads)
    conv1d_pack(const Element* __restrict__ x, const Element* __restrict__ w,
                Element* __restrict__ x_rows, Element* __restrict__ w_rows, int batch, int c_in,
                int c_out, int length, int width, int c_rows) {
  pack(x, w, x_rows, w_rows, Sizes{batch, c_in, c_out, length, 0, width, 1, 0}, c_rows);
}

// Parameters (row-major arrays; kernel.yaml names sizes and types):
//   x_map      tensor map of x as [1, batch, ceil_div(length, stride), c_in], boxes of [1, 1,
//              x_box, 64], swizzle 128
//   x_odd_map  the same of the odd times, for stride 2
//   w_map      tensor map of w as [1, width, c_out, c_in], boxes of [1, 1, w_box, 64], swizzle 128
//   bias       [c_out] of dtype
//   out        of dtype, written: [batch, c_out, t_out] if channels come first, otherwise [batch,
//              t_out, c_out]
//   partials   f32, scratch for K_SPLIT above 1: sums of the parts of a tile
//   counters   u32, scratch, zeros before the first launch: for each warpgroup and tile the parts
//              that have ended, and those whose sums are there; a launch leaves them at 0
//   batch      sequences
//   c_in       channels of x
//   c_out      channels of the output
//   length     times of x
//   t_out      times of the output
//   width      taps of the kernel
//   stride     times from one window to the next
//   pad        zeros before and after x
extern "C" __global__ void __launch_bounds__(kThreads, kMinBlocks)
    conv1d_wgmma(const __grid_constant__ TensorMap x_map,
                 const __grid_constant__ TensorMap x_odd_map,
                 const __grid_constant__ TensorMap w_map, const Element* __restrict__ bias,
                 Element* __restrict__ out, float* __restrict__ partials,
                 u32* __restrict__ counters, int batch, int c_in, int c_out, int length, int t_out,
                 int width, int stride, int pad) {
  extern __shared__ u8 dynamic[];
  Shared& shared = *reinterpret_cast<Shared*>(dynamic);
  const Seat seat(kClusterBlocks > 1 ? static_cast<int>(cluster_rank()) : 0);
  const Items items(Sizes{batch, c_in, c_out, length, t_out, width, stride, pad});
  const int warp = uniform_warp_id();
  if (threadIdx.x == 0) {
    tma_prefetch(x_map);
    tma_prefetch(x_odd_map);
    tma_prefetch(w_map);
    for (int stage = 0; stage < kStages; ++stage) {
      mbarrier_init(shared.full[stage], 1);
      mbarrier_init(shared.empty[stage], kReaders);
    }
    mbarrier_publish();
  }
  // No block may arrive at barriers of another, or copy into it, before these are there.
  if constexpr (kClusterBlocks > 1) cluster_sync_relaxed();
  __syncthreads();
  if (warp < 4) {
    if constexpr (kMoveRegisters) registers_shrink<kProducerRegisters>();
    if (threadIdx.x == 0) produce(shared, seat, items, Maps{x_map, x_odd_map, w_map});
    __syncwarp();
  } else {
    if constexpr (kMoveRegisters) registers_grow<kConsumerRegisters>();
    consume(shared, seat, items, warp / 4 - 1, bias, out, partials, counters);
  }
  // Others may still arrive at this block's barriers.
  if constexpr (kClusterBlocks > 1) cluster_sync_relaxed();
}
