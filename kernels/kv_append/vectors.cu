// New keys and values into a cache: 4 to 32 threads a row, with two vectors each.
//
// A step of 64 sequences writes a quarter of a megabyte: nothing but latency. The time is the chain
// of dependent loads, 0.6 us for each that comes from memory, and the instructions that lie between
// the last of them and the stores.
//
// Algorithm: thread t of a row has vector t of its first half and vector t of its second, so that
// in either convention both elements of all its pairs are its own: (i, i + d/2) lie in the two
// vectors, (2i, 2i + 1) next to each other. No shuffles but for the maximum of quantised rows. The
// row's loads are issued before anything else, since nothing that they need must be loaded; with
// them goes the length, which the place and the table of angles wait for.
//
//     lengths -> page table -> store       a place in a paged cache
//     lengths -> cosines, sines -> store   with ANGLES=table
//     turns -> store                       with ANGLES=computed: the angle is position * turn,
//                                          modulo a turn in 64 bits, 2 integer multiplications and
//                                          2 special functions a pair
//
// Tunables:
//   THREADS        only groups rows into blocks
//   VECTOR_BYTES   16: fewest instructions in all; 8 or 4: shorter threads, and more of them, for
//                  few tokens
//   ANGLES         computed saves one load of the chain where there are no pages, and costs
//                  arithmetic
//
// Requires: every position below capacity; compute capability 8.9 for e4m3.
//
// Next idea: start while the projection that makes k and v still ends, by a programmatic launch.
#include "append.cuh"
#include "defaults.cuh"

using T = DTYPE;
using C = CACHE;
constexpr int kD = HEAD_DIM;
constexpr int kPage = PAGE;
constexpr Rope kRope = Rope::ROPE;
constexpr Angles kAngles = Angles::ANGLES;
constexpr int kThreads = THREADS;
constexpr int kBytes = VECTOR_BYTES;
constexpr int kElements = kBytes / 2;       // of a vector
constexpr int kLanes = kD / 2 / kElements;  // threads of a row
constexpr int kRows = kThreads / kLanes;    // of a block
// 128 registers a thread: left to itself, ptxas keeps to 32, and waits for half of a row's angles
// before it asks for the others.
constexpr int kBlocksPerSm = 512 / kThreads;
static_assert(kLanes <= kWarpSize && kRows >= 1);
using Elements = Packet<T, kBytes>;

// Count consecutive numbers, in accesses of up to 16 bytes.
template <int Count, typename Number>
__device__ __forceinline__ void load_run(const Number* __restrict__ from, Number* to) {
  constexpr int kWhole = Count * static_cast<int>(sizeof(Number));
  constexpr int kEach = kWhole < 16 ? kWhole : 16;
  constexpr int kPacked = kEach / static_cast<int>(sizeof(Number));
#pragma unroll
  for (int i = 0; i < Count / kPacked; ++i) {
    const auto part = Packet<Number, kEach>::load(from, i).elements();
#pragma unroll
    for (int j = 0; j < kPacked; ++j) to[i * kPacked + j] = part[j];
  }
}

// The numbers of the pairs of thread `lane`: with halves, kElements in a row; with interleaved
// pairs, half of that for each of its vectors.
template <typename Number>
__device__ __forceinline__ void load_of_pairs(const Number* __restrict__ from, int lane,
                                              Number (&to)[kElements]) {
  if constexpr (kRope == Rope::interleaved) {
    constexpr int kHalf = kElements / 2;
    load_run<kHalf>(from + lane * kHalf, to);
    load_run<kHalf>(from + kD / 4 + lane * kHalf, to + kHalf);
  } else {
    load_run<kElements>(from + lane * kElements, to);
  }
}

__device__ __forceinline__ void turn(float (&first)[kElements], float (&second)[kElements],
                                     const float (&sine)[kElements],
                                     const float (&cosine)[kElements]) {
#pragma unroll
  for (int i = 0; i < kElements; ++i) {
    if constexpr (kRope == Rope::interleaved) {
      float* const vector = i < kElements / 2 ? first : second;
      const int at = 2 * (i % (kElements / 2));
      turn_pair(vector[at], vector[at + 1], sine[i], cosine[i]);
    } else {
      turn_pair(first[i], second[i], sine[i], cosine[i]);
    }
  }
}

// A vector as the cache keeps it: `exact` in one that is not quantised.
template <typename Kept>
__device__ __forceinline__ void store_vector(Kept* row, int vector, const Elements& exact,
                                             const float (&values)[kElements],
                                             const Quantiser<Kept>& quantiser) {
  if constexpr (kQuantised<Kept>) {
    struct Pairs {
      u16 pairs[kElements / 2];
    } pairs;
#pragma unroll
    for (int i = 0; i < kElements / 2; ++i)
      pairs.pairs[i] = quantiser.pair(values[2 * i], values[2 * i + 1]);
    using Kepts = Packet<Kept, kElements>;
    Kepts{__builtin_bit_cast(typename Kepts::Storage, pairs)}.store(row, vector);
  } else {
    exact.store(row, vector);
  }
}

// Parameters (row-major arrays; kernel.yaml names sizes and types):
//   k, v              [batch, q_len, kv_heads, d] of dtype
//   q                 [batch, q_len, heads, d] of dtype
//   lengths           [batch] of i32: positions of the first new tokens
//   page_table        [batch, capacity/page] of i32: the pages of each sequence; not read without
//                     pages
//   cosines           [positions, d/2] of f32: the cosine of each angle
//   sines             [positions, d/2] of f32: the sine of each angle
//   turns             [d/2] of u64: the turn of a pair from one position to the next, in units of
//                     2^-64 of a full turn
//   k_cache, v_cache  [batch, capacity, kv_heads, d] of cache, read and written
//   k_scale, v_scale  [batch, capacity, kv_heads] of f32, read and written, if the cache is
//                     quantised
//   q_out             [batch, q_len, heads, d] of dtype, written: rotated q; empty if nothing is
//                     rotated
//   heads             heads of q
//   kv_heads          heads of k and v
//   capacity          places that the cache has for each sequence
extern "C" __global__ void __launch_bounds__(kThreads, kBlocksPerSm)
    kv_append_vectors(const T* __restrict__ k, const T* __restrict__ v, const T* __restrict__ q,
                      const i32* __restrict__ lengths, const i32* __restrict__ page_table,
                      const float* __restrict__ cosines, const float* __restrict__ sines,
                      const u64* __restrict__ turns, C* __restrict__ k_cache,
                      C* __restrict__ v_cache, float* __restrict__ k_scale,
                      float* __restrict__ v_scale, T* __restrict__ q_out, int heads, int kv_heads,
                      int capacity) {
  const int sequence = static_cast<int>(blockIdx.z);
  const int length = __ldg(lengths + sequence);
  // Unsigned: shifts, without the corrections of a signed division.
  const int slot = static_cast<int>(blockIdx.x * kRows + threadIdx.x / kLanes);
  const int lane = static_cast<int>(threadIdx.x % kLanes);
  const int slots = 2 * kv_heads + (kRope == Rope::none ? 0 : heads);
  // Threads without a row stay for the shuffles of the others.
  const bool exists = slot < slots;
  if (!kQuantised<C> && !exists) return;

  // A warp may have rows of two kinds. They differ by selections, not by branches, up to the loads.
  const Row row(slot, kv_heads);
  const int token = sequence * static_cast<int>(gridDim.y) + static_cast<int>(blockIdx.y);
  const i64 source = static_cast<i64>(token * (row.is_q ? heads : kv_heads) + row.head) * kD;
  const T* const from = (row.is_q ? q : row.is_v ? v : k) + source;
  Elements lower = Elements::load_if(exists, from, lane);
  Elements upper = Elements::load_if(exists, from, lane + kLanes);
  u64 turn_of[kElements];
  if constexpr (kRope != Rope::none && kAngles == Angles::computed)
    load_of_pairs(turns, lane, turn_of);
  const int position = length + static_cast<int>(blockIdx.y);
  const i64 place =
      row.is_q ? 0
               : place_of<kPage>(position, sequence, capacity, page_table) * kv_heads + row.head;

  float first[kElements], second[kElements];
  lower.unpack(first);
  upper.unpack(second);
  if (kRope != Rope::none && !row.is_v) {
    float sine[kElements], cosine[kElements];
    if constexpr (kAngles == Angles::table) {
      const i64 angles = static_cast<i64>(position) * (kD / 2);
      load_of_pairs(cosines + angles, lane, cosine);
      load_of_pairs(sines + angles, lane, sine);
    } else {
#pragma unroll
      for (int i = 0; i < kElements; ++i) sine_cosine(turn_of[i], position, sine[i], cosine[i]);
    }
    turn(first, second, sine, cosine);
    // Elements that are not rotated are stored as they were loaded, so that a NaN keeps its bits.
    lower = Elements::pack(first);
    upper = Elements::pack(second);
  }

  C* const to = (row.is_v ? v_cache : k_cache) + place * kD;
  // Over the threads of the row alone; those of q take part, because the shuffles name all lanes.
  float amax = 0.0f;
  if constexpr (kQuantised<C>) {
#pragma unroll
    for (int i = 0; i < kElements; ++i)
      amax = fmaxf(amax, fmaxf(fabsf(first[i]), fabsf(second[i])));
    amax = warp_reduce<kLanes>(amax, Max{});
  }
  if (exists && !row.is_q) {
    const Quantiser<C> quantiser(amax);
    store_vector(to, lane, lower, first, quantiser);
    store_vector(to, lane + kLanes, upper, second, quantiser);
    // Last, since it takes a division.
    if (kQuantised<C> && lane == 0) (row.is_v ? v_scale : k_scale)[place] = amax / kLimit<C>;
  }
  if (kRope != Rope::none && exists && row.is_q) {
    lower.store(q_out + source, lane);
    upper.store(q_out + source, lane + kLanes);
  }
}
