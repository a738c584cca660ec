// Decode attention with roles for warps: one starts copies of whole tiles, the others calculate on
// tensor cores.
//
// Algorithm. A block takes an even share of all tiles of the launch, or one of SPLITS parts of a
// head (work.cuh). A warp that only loads walks through them in order and keeps STAGES tiles of K
// and V under way or waiting in shared memory; it ignores the limits of pieces, so memory stays
// busy while the others finish one. They take turns with the tiles, each on a barrier of its own,
// and calculate as in mma.cu (warp_tile.cuh, merge.cuh). One launch in all.
//
// A tile comes by tensor maps of K and of V: keys are kv_heads rows apart, and the copy engine
// swizzles. A tile of a cache with pages is a copy for each of its pages, or one for a part of a
// page; lane i starts the i-th of them, and looks up its page one tile early.
//
// Tunables:
//   TILE           keys of a stage: small ones deal work more evenly and start arithmetic earlier,
//                  large ones need fewer barriers and give a warp more to overlap
//   STAGES         tiles in flight: STAGES * TILE * d * 4 bytes, 128 to 200 KiB an SM for the
//                  longest runs; what is left is for the warps' results
//   WARPS          that calculate; a divisor of STAGES. One tile takes a warp some 600 clocks for
//   32
//                  keys, while memory delivers it in 800: four are enough, eight shorten the end.
//                  Widening 8 bits takes as long for half the bytes
//   ROWS           queries of a unit, 8 for each instruction's N. With more than share a head
//                  arithmetic is wasted, with fewer the cache is read again
//   BLOCKS_PER_SM  blocks on an SM: two halve the stages of each, but fill each other's pauses
//   SPLITS         0: equal shares. Otherwise parts of a head
//   ORDER          of equal shares: heads in step with each other, or all tiles in one row
//   SLACK          powers of two by which a maximum may lag before outputs are rescaled
//   L2_PROMOTION   rows of 128 bytes are half of a key of d 128, and the other half follows later:
//                  256 lets L2 fetch both at once
//   L2_HINT        evict_first: what is loaded is the first to be evicted (cache.cuh)
//
// Requires: compute capability 9.0, maps of k and v with boxes of a tile or a part of a page in
// panels.
//
// Next idea: blocks of a cluster share a unit, and its parts meet in distributed shared memory,
// without a trip to L2.
#include "consume.cuh"
#include "defaults.cuh"
#include "pipeline.cuh"
#include "tma.cuh"

enum class ScalesOf { token, head };

using Element = DTYPE;
using CacheElement = CACHE;
constexpr int kPage = PAGE;
constexpr int kStages = STAGES;
constexpr int kBlocksPerSm = BLOCKS_PER_SM;
constexpr L2Hint kL2Hint = L2Hint::L2_HINT;

struct Config {
  using Element = ::Element;
  using Cache = CacheElement;
  static constexpr bool kTokenScales = sizeof(Cache) == 1 && ScalesOf::SCALES == ScalesOf::token;
  static constexpr int kD = HEAD_DIM, kRows = ROWS, kTile = TILE, kSlack = SLACK;
  static constexpr int kWarps = WARPS, kSplits = SPLITS;
  static constexpr Order kOrder = Order::ORDER;
};
constexpr int kThreads = 32 * (Config::kWarps + 1);
constexpr int kTile = Config::kTile;
constexpr int kBoxKeys = kPage == 0 || kPage > kTile ? kTile : kPage;  // keys of a copy
constexpr int kBoxes = kTile / kBoxKeys;                               // of K in a tile
constexpr u32 kTileBytes = WarpTile<Config>::kBytes;
constexpr u32 kBoxBytes = kTileBytes / kBoxes;
constexpr int kSpan = WarpTile<Config>::kSpan;
static_assert(kBoxes <= 32 && kStages <= 32);  // a lane for each

constexpr u32 kScaleBytes = Config::kTokenScales ? 8 * kTile : 0;  // of a tile

struct alignas(1024) Shared {
  u8 tiles[kStages * (2 * kTileBytes + kScaleBytes)];  // of K and V, and behind all their scales
  WarpResults<Config::kWarps, Config::kRows, Config::kD> results;
  Ring<kStages> ring;

  __device__ __forceinline__ u8* tile(int stage) { return tiles + stage * 2 * kTileBytes; }
  __device__ __forceinline__ float* scales(int stage) {
    return reinterpret_cast<float*>(tiles + kStages * 2 * kTileBytes) + stage * 2 * kTile;
  }
};

#ifdef WARPWRIGHT_SHARED_BYTES
static_assert(sizeof(Shared) == WARPWRIGHT_SHARED_BYTES,
              "kernel.yaml's shared: and the source differ");
#endif

__device__ __forceinline__ Place<kStages> place_of(int number) {
  const u32 n = static_cast<u32>(number);
  return {static_cast<int>(n % kStages), n / kStages & 1};
}

// For the warps that calculate. A stage belongs to one warp, so its release is one arrival, and its
// warp waits for every phase of its barrier. With stages that go from warp to warp, one could wait
// for a tile before the tile that has the stage until then has come, since tiles come in any order;
// the phase that was over last would have the parity that it waits for.
static_assert(kStages % Config::kWarps == 0);

struct RingSource {
  Shared& shared;
  __device__ __forceinline__ TileAt wait(int number) const {
    const Place<kStages> place = place_of(number);
    shared.ring.wait(place);
    const u32 tile = shared_address(shared.tile(place.stage));
    return {tile, tile + kTileBytes, shared.scales(place.stage)};
  }
  __device__ __forceinline__ void release(int number) const {
    shared.ring.release_reads(place_of(number));
  }
};

__device__ __forceinline__ void load_box(u8* to, const TensorMap& map, int slot, int panel,
                                         int kv_head, Mbarrier& full) {
  if constexpr (kL2Hint == L2Hint::evict_first)
    tma_load_4d(to, map, 0, slot, panel, kv_head, full, evict_first_policy());
  else
    tma_load_4d(to, map, 0, slot, panel, kv_head, full);
}

// Run by one warp. Lane i is there for the i-th box of every tile.
__device__ __forceinline__ void produce(Shared& shared, const Pieces<Config>& pieces,
                                        const Scales& scales, const TensorMap& k_map,
                                        const TensorMap& v_map) {
  const int lane = lane_id();
  const Shape& shape = pieces.shape;
  TileWalk<Config, 1> walk(pieces, 0);
  // The lane's box of the walk's tile: its first key's place in the cache, -1 where no key of it is
  // seen, and then its page may be unused.
  const auto find = [&] {
    const int key = walk.key() + lane * kBoxKeys;
    if (lane >= kBoxes || !walk.visible.some(key, kBoxKeys)) return -1;
    return shape.slot<kPage>(walk.piece.sequence, key);
  };
  bool more = walk.next();
  int slot = more ? find() : -1;
  Place<kStages> place;
#pragma unroll 1
  while (more) {
    const int kv_head = walk.piece.kv_head, own_slot = slot, key = walk.key();
    const Visible visible = walk.visible;
    more = walk.next();
    slot = more ? find() : -1;  // under way while this tile waits for its stage
    const u32 boxes = __popc(__ballot_sync(kFullMask, own_slot >= 0));
    shared.ring.acquire(place);
    if (lane == 0) mbarrier_expect(shared.ring.full[place.stage], 2 * boxes * kBoxBytes);
    __syncwarp();
    // Scales are too narrow for the copy engine. Every lane's copies arrive at the barrier when
    // they are done, in addition to the arrival that expects the bytes of the tile.
    if constexpr (Config::kTokenScales) {
      copy_scales<kTile>(shared_address(shared.scales(place.stage)), scales, shape.kv_heads,
                         kv_head, [&](int i) {
                           const int box = __shfl_sync(kFullMask, own_slot, i / kBoxKeys);
                           return visible.to_any(key + i) ? box + i % kBoxKeys : -1;
                         });
      asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(
                       shared_address(&shared.ring.full[place.stage]))
                   : "memory");
    }
    if (own_slot >= 0) {
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        // A box fills its keys of every panel, which lie apart if the tile has several boxes; then
        // each panel is a copy.
        u8* const tile = shared.tile(place.stage) + half * kTileBytes;
        const TensorMap& map = half == 0 ? k_map : v_map;
        if constexpr (kBoxes == 1) {
          load_box(tile, map, own_slot, 0, kv_head, shared.ring.full[place.stage]);
        } else {
#pragma unroll
          for (int panel = 0; panel < WarpTile<Config>::kRowBytes / kSpan; ++panel)
            load_box(tile + (panel * kTile + lane * kBoxKeys) * kSpan, map, own_slot, panel,
                     kv_head, shared.ring.full[place.stage]);
        }
      }
    }
    ++place;
  }
}

// Parameters (row-major arrays; kernel.yaml names sizes and types):
//   q                 [batch, q_len, heads, d] of dtype
//   lengths           [batch] of i32: keys of each sequence, its new ones included
//   table             [batch, pages] of i32: the pages of each sequence; -1 where it has none
//   k_map             tensor map of k as [kv_heads, panels, slots, columns of a panel], a panel
//                     having up to 128 bytes of a row; boxes are a tile, or its part in a page
//   v_map             tensor map of v, in the same way
//   k_scale, v_scale  [scaled, kv_heads] of f32, above 0; not used if the cache has 16 bits
//   out               [batch, q_len, heads, d] of dtype, written
//   lse               [batch, q_len, heads] of f32, written
//   partials          f32, scratch: outputs, maxima and sums of parts of a unit, ROWS*(d + 2) each
//   arrivals          [batch*units] of u32, scratch, zeros before the first launch: parts that are
//                     done; a launch leaves them at 0
//   batch             sequences
//   heads             heads of q
//   kv_heads          heads of the cache
//   q_len             new queries of every sequence
//   group             heads of q that share one of the cache, heads/kv_heads
//   kv_len            keys that the cache has room for in a sequence
//   pages             pages of a sequence, 1 without pages
//   window            keys that a query sees at most in addition to the sinks; 0 is all
//   sinks             first keys that stay visible in addition to the window
//   scale             of the scores, in units of log2
extern "C" __global__ void __launch_bounds__(kThreads, kBlocksPerSm)
    decode_tma(const Element* __restrict__ q, const int* __restrict__ lengths,
               const int* __restrict__ table, const __grid_constant__ TensorMap k_map,
               const __grid_constant__ TensorMap v_map, const float* __restrict__ k_scale,
               const float* __restrict__ v_scale, Element* __restrict__ out,
               float* __restrict__ lse, float* __restrict__ partials, u32* __restrict__ arrivals,
               int batch, int heads, int kv_heads, int q_len, int group, int kv_len, int pages,
               int window, int sinks, float scale) {
  extern __shared__ u8 dynamic[];
  Shared& shared = *reinterpret_cast<Shared*>(dynamic);
  const Shape shape{batch, heads,  kv_heads, q_len,   group, kv_len,
                    pages, window, sinks,    lengths, table};
  const int warp = uniform_warp_id(), lane = lane_id();
  if (warp == 0) {
    if (lane == 0) {
      tma_prefetch(k_map);
      tma_prefetch(v_map);
    }
    if (lane < kStages) {
      mbarrier_init(shared.ring.full[lane], Config::kTokenScales ? 33 : 1);
      mbarrier_init(shared.ring.empty[lane], 1);
      mbarrier_publish();
    }
  }
  // The lengths come from memory, for a microsecond, in which the barriers are initialised.
  const Pieces<Config> pieces(shape);
  __syncthreads();
  const Scales scales{k_scale, v_scale};
  if (warp == 0) {
    produce(shared, pieces, scales, k_map, v_map);
  } else {
    RingSource source{shared};
    const Results<Element> results{out, lse, partials, arrivals};
    consume_pieces<Config>(shared.results, source, pieces, q, results, scales, scale, warp - 1);
  }
}
