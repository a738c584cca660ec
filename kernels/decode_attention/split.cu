// Decode attention on CUDA cores: keys and values go from memory to registers, 16 bytes a lane.
//
// Algorithm. A block takes an even share of all tiles of the launch, or one of SPLITS parts of a
// head (work.cuh), and its warps take turns with the tiles. A row of d 128 is 16 lanes, so a warp
// loads two keys at once and TILE of them before it uses the first. Each 16 lanes then have keys of
// their own, with a maximum, a sum and outputs of their own; a score costs four exchanges, and no
// two keys wait for each other. As soon as the scores of a tile are there, its registers take the
// keys of the next one, and after the outputs the values in the same way, so that loads are under
// way all the time. Results meet as in the variants on tensor cores (merge.cuh).
//
// A query costs two instructions per element of the cache, unpacking and multiplying, plus
// exchanges: some 350 for 16 keys of d 128, of 1600 that an SM can do while they come from memory.
// That suits one or two queries per head; with eight, tensor cores do the same in 90.
//
// Tunables:
//   TILE           keys of a tile, in registers: 16 of d 128 take 64. Fewer warps with more in
//                  flight each, or the opposite
//   QUERIES        queries of a unit. With fewer than share a head the cache is read again, most
//                  likely from L2
//   WARPS          of a block: 64 KiB in flight an SM are 8 warps with 16 keys of d 128 each
//   BLOCKS_PER_SM  blocks on an SM
//   SPLITS         0: equal shares. Otherwise parts of a head
//   ORDER          of equal shares: heads in step with each other, or all tiles in one row
//   SLACK          powers of two by which a maximum may lag before outputs are rescaled
//   LOAD_HINT      streaming: the cache takes no room in L1
//
// Requires: nothing beyond 16-byte rows.
//
// Next idea: exchanges of four scores at once, each lane ending with one of them, halve their
// number.
#include "defaults.cuh"
#include "merge.cuh"
#include "packet.cuh"
#include "work.cuh"

using Element = DTYPE;
constexpr int kD = HEAD_DIM;
constexpr int kPage = PAGE;
constexpr int kTile = TILE;
constexpr int kQueries = QUERIES;
constexpr int kWarps = WARPS;
constexpr int kBlocksPerSm = BLOCKS_PER_SM;
constexpr int kSlack = SLACK;
constexpr Hint kLoadHint = Hint::LOAD_HINT;

struct Config {
  static constexpr int kTile = TILE, kRows = QUERIES, kSplits = SPLITS;
  static constexpr Order kOrder = Order::ORDER;
};

constexpr int kThreads = 32 * kWarps;
using Packet16 = Packet<Element, 16>;
constexpr int kPerLane = Packet16::kElements;
constexpr int kLanes = kD / kPerLane;       // that share a key
constexpr int kKeysTogether = 32 / kLanes;  // of one load of the warp
constexpr int kRounds = kTile / kKeysTogether;
static_assert(kTile % 16 == 0 && kLanes <= 32);

// A warp's tile in registers.
struct Loader {
  TileWalk<Config, kWarps> ahead;
  const Element* __restrict__ k, * __restrict__ v;
  int lane;
  bool more = false;
  Packet16 keys[kRounds], values[kRounds];

  __device__ __forceinline__ Loader(const Pieces<Config>& pieces, const Element* k_cache,
                                    const Element* v_cache, int warp)
      : ahead(pieces, warp), k(k_cache), v(v_cache), lane(lane_id()) {
    request_keys();
    request_values();
  }

  // Keys that no query sees are not loaded, whose values are 0 then: they may be NaN in memory, and
  // lie in unused pages. Pages hold 16 keys in any case.
  __device__ __forceinline__ void request(Packet16 (&packets)[kRounds],
                                          const Element* __restrict__ cache) const {
    constexpr int kRoundsTogether = 16 / kKeysTogether;
    const Shape& shape = ahead.pieces.shape;
    const int first_key = ahead.key();
    const i64 stride = static_cast<i64>(kKeysTogether) * shape.kv_heads * kD;
#pragma unroll
    for (int group = 0; group < kTile / 16; ++group) {
      const int group_key = first_key + 16 * group;
      const int slot = ahead.visible.some(group_key, 16)
                           ? shape.slot<kPage>(ahead.piece.sequence, group_key)
                           : 0;
      const Element* from =
          cache +
          (static_cast<i64>(slot + lane / kLanes) * shape.kv_heads + ahead.piece.kv_head) * kD +
          lane % kLanes * kPerLane;
#pragma unroll
      for (int round = 0; round < kRoundsTogether; ++round) {
        const int key = group_key + round * kKeysTogether + lane / kLanes;
        packets[group * kRoundsTogether + round] = load(from, ahead.visible.to_any(key));
        from += stride;
      }
    }
  }
  // A predicate instead of a branch, which would end the stretch of code in which loads are
  // gathered.
  __device__ __forceinline__ static Packet16 load(const Element* from, bool exists) {
    uint4 words = make_uint4(0, 0, 0, 0);
    if constexpr (kLoadHint == Hint::streaming)
      asm volatile(
          "{\n\t.reg .pred exists;\n\tsetp.ne.s32 exists, %5, 0;\n\t"
          "@exists ld.global.nc.L1::no_allocate.v4.u32 {%0, %1, %2, %3}, [%4];\n\t}"
          : "+r"(words.x), "+r"(words.y), "+r"(words.z), "+r"(words.w)
          : "l"(__cvta_generic_to_global(from)), "r"(static_cast<int>(exists)));
    else
      asm volatile(
          "{\n\t.reg .pred exists;\n\tsetp.ne.s32 exists, %5, 0;\n\t"
          "@exists ld.global.nc.v4.u32 {%0, %1, %2, %3}, [%4];\n\t}"
          : "+r"(words.x), "+r"(words.y), "+r"(words.z), "+r"(words.w)
          : "l"(__cvta_generic_to_global(from)), "r"(static_cast<int>(exists)));
    return {words};
  }
  __device__ __forceinline__ void request_keys() {
    more = ahead.next();
    if (more) request(keys, k);
  }
  __device__ __forceinline__ void request_values() {
    if (more) request(values, v);
  }
};

// The share of 32/kKeysTogether lanes in a query: their own keys, and kPerLane columns each.
struct Row {
  float query[kPerLane];
  float out[kPerLane];
  float maximum, sum;
  int position;
};

__device__ __forceinline__ void begin(Row (&rows)[kQueries], const Element* __restrict__ q,
                                      const Shape& shape, const Piece& piece, int length) {
#pragma unroll
  for (int i = 0; i < kQueries; ++i) {
    Row& row = rows[i];
    const int of_head = piece.query_part * kQueries + i;
    const int t = of_head / shape.group;
    const bool exists = of_head < shape.rows();
    const i64 at = (static_cast<i64>(piece.sequence) * shape.q_len + t) * shape.heads +
                   piece.kv_head * shape.group + of_head - t * shape.group;
    Packet16::load_if(exists, q, at * kLanes + lane_id() % kLanes).unpack(row.query);
    row.position = exists ? max(-1, length - shape.q_len + t) : -1;
    row.maximum = -kInfinity;
    row.sum = 0;
#pragma unroll
    for (float& column : row.out) column = 0;
  }
}

// scores[i][round], in units of log2, and maxima that are recent enough for them.
__device__ __forceinline__ void score(float (&scores)[kQueries][kRounds], Row (&rows)[kQueries],
                                      const Packet16 (&keys)[kRounds], int first_key,
                                      const Visible& visible, float scale) {
#pragma unroll
  for (int round = 0; round < kRounds; ++round) {
    float key[kPerLane];
    keys[round].unpack(key);
#pragma unroll
    for (int i = 0; i < kQueries; ++i) {
      float sum = 0;
#pragma unroll
      for (int column = 0; column < kPerLane; ++column) sum += rows[i].query[column] * key[column];
      scores[i][round] = sum;
    }
  }
  bool higher = false;
  float top[kQueries];
#pragma unroll
  for (int i = 0; i < kQueries; ++i) {
    top[i] = -kInfinity;
#pragma unroll
    for (int round = 0; round < kRounds; ++round) {
      float& value = scores[i][round];
      value = warp_reduce<kLanes>(value, Sum{}) * scale;
      if (!visible.to(rows[i].position, first_key + round * kKeysTogether)) value = -kInfinity;
      top[i] = fmaxf(top[i], value);
    }
    higher |= top[i] > rows[i].maximum + kSlack;
  }
  // The branch is uniform for the whole warp, so that lanes do not diverge on the usual path.
  if (!__any_sync(kFullMask, higher)) return;
#pragma unroll
  for (int i = 0; i < kQueries; ++i) {
    Row& row = rows[i];
    const float larger = fmaxf(row.maximum, top[i]);
    const float factor = row.maximum == larger ? 1.0f : exp2_approx(row.maximum - larger);
    row.maximum = larger;
    row.sum *= factor;
#pragma unroll
    for (float& column : row.out) column *= factor;
  }
}

__device__ __forceinline__ void add_values(const float (&scores)[kQueries][kRounds],
                                           Row (&rows)[kQueries],
                                           const Packet16 (&values)[kRounds]) {
  float shift[kQueries];
#pragma unroll
  for (int i = 0; i < kQueries; ++i)
    shift[i] = rows[i].maximum == -kInfinity ? 0.0f : rows[i].maximum;  // 2^(-inf - 0) is 0
#pragma unroll
  for (int round = 0; round < kRounds; ++round) {
    float value[kPerLane];
    values[round].unpack(value);
#pragma unroll
    for (int i = 0; i < kQueries; ++i) {
      const float weight = exp2_approx(scores[i][round] - shift[i]);
      rows[i].sum += weight;
#pragma unroll
      for (int column = 0; column < kPerLane; ++column)
        rows[i].out[column] += weight * value[column];
    }
  }
}

// The lanes with other keys are 2, 4 or none; the first of them write for all.
template <typename Space>
__device__ __forceinline__ void publish(const Row (&rows)[kQueries], Space& space, int warp) {
  const int lane = lane_id();
#pragma unroll
  for (int i = 0; i < kQueries; ++i) {
    float largest = rows[i].maximum;
#pragma unroll
    for (int distance = kLanes; distance < 32; distance *= 2)
      largest = fmaxf(largest, __shfl_xor_sync(kFullMask, largest, distance));
    const float factor = rows[i].maximum == largest ? 1.0f : exp2_approx(rows[i].maximum - largest);
    const auto total = [&](float value) {
      value *= factor;
#pragma unroll
      for (int distance = kLanes; distance < 32; distance *= 2)
        value += __shfl_xor_sync(kFullMask, value, distance);
      return value;
    };
    const float sum = total(rows[i].sum);
    if (lane == 0) {
      space.maximum[warp][i] = largest;
      space.sum[warp][i] = sum;
    }
#pragma unroll
    for (int column = 0; column < kPerLane; ++column) {
      const float out = total(rows[i].out[column]);
      if (lane < kLanes) space.out[warp][i][kPerLane * lane + column] = out;
    }
  }
}

// Parameters (row-major arrays; kernel.yaml names sizes and types):
//   q         [batch, q_len, heads, d] of dtype
//   lengths   [batch] of i32: keys of each sequence, its new ones included
//   table     [batch, pages] of i32: the pages of each sequence; -1 where it has none
//   k, v      [slots, kv_heads, d] of the type of the cache
//   out       [batch, q_len, heads, d] of dtype, written
//   lse       [batch, q_len, heads] of f32, written
//   partials  f32, scratch: outputs, maxima and sums of parts of a unit
//   arrivals  [batch*split_units] of u32, scratch, zeros before the first launch: parts that are
//             done; a launch leaves them at 0
//   batch     sequences
//   heads     heads of q
//   kv_heads  heads of the cache
//   q_len     new queries of every sequence
//   group     heads of q that share one of the cache, heads/kv_heads
//   kv_len    keys that the cache has room for in a sequence
//   pages     pages of a sequence, 1 without pages
//   window    keys that a query sees at most in addition to the sinks; 0 is all
//   sinks     first keys that stay visible in addition to the window
//   scale     of the scores, in units of log2
extern "C" __global__ void __launch_bounds__(kThreads, kBlocksPerSm)
    decode_split(const Element* __restrict__ q, const int* __restrict__ lengths,
                 const int* __restrict__ table, const Element* __restrict__ k,
                 const Element* __restrict__ v, Element* __restrict__ out, float* __restrict__ lse,
                 float* __restrict__ partials, u32* __restrict__ arrivals, int batch, int heads,
                 int kv_heads, int q_len, int group, int kv_len, int pages, int window, int sinks,
                 float scale) {
  __shared__ WarpResults<kWarps, kQueries, kD> space;
  const Shape shape{batch, heads,  kv_heads, q_len,   group, kv_len,
                    pages, window, sinks,    lengths, table};
  const int warp = uniform_warp_id();
  const Results<Element> results{out, lse, partials, arrivals};
  const PieceEnd<kD, kQueries, kWarps, Element> end{space, results, static_cast<int>(threadIdx.x)};
  Pieces<Config> pieces(shape);
  Loader loader(pieces, k, v, warp);
  Piece piece;
  Row rows[kQueries];
  int before = 0, number = warp;  // tiles of earlier pieces; the warp's next tile
#pragma unroll 1
  while (pieces.next(piece)) {
    const Visible visible(shape, shape.length(piece.sequence));
    const Tiles<kTile> layout(visible);
    begin(rows, q, shape, piece, visible.length);
    const int after = before + piece.end - piece.begin;
#pragma unroll 1
    for (; number < after; number += kWarps) {
      const int first_key = layout.key(piece.begin + number - before) + lane_id() / kLanes;
      float scores[kQueries][kRounds];
      score(scores, rows, loader.keys, first_key, visible, scale);
      loader.request_keys();
      add_values(scores, rows, loader.values);
      loader.request_values();
    }
    before = after;
    publish(rows, space, warp);
    end(shape, pieces, piece);
  }
  end.store_unseen(shape);
}
