// Decode attention on tensor cores: the queries that share a head are one operand, every warp feeds
// itself by cp.async.
//
// Algorithm. A block takes an even share of all tiles of the launch, or one of SPLITS parts of a
// head (work.cuh). Its warps take turns with the tiles. Each warp has a ring of DEPTH tiles of K
// and V in shared memory that it fills itself, DEPTH - 1 tiles ahead of its arithmetic and across
// the ends of pieces; so warps wait for each other only where a piece ends. The arithmetic is
// mma.sync with keys as M and queries as N (warp_tile.cuh). Then the warps' results become the
// block's, and the blocks' the unit's, by who comes last (merge.cuh): one launch in all.
//
// Tunables:
//   TILE           keys of a tile: more give the instructions of a warp more to overlap; the last
//                  tile of a sequence is loaded in part only, but calculated as a whole
//   ROWS           queries of a unit, 8 for each instruction's N. With more than share a head
//                  arithmetic is wasted, with fewer the cache is read again
//   WARPS, DEPTH   bytes in flight are WARPS * (DEPTH - 1) tiles a block. 32 KiB an SM keep memory
//                  busy on paper, 64 KiB and more do in practice
//   BLOCKS_PER_SM  blocks on an SM: more of them fill each other's pauses at the end of pieces
//   SPLITS         0: equal shares. Otherwise parts of a head; best where heads times SPLITS is a
//                  whole number of waves
//   ORDER          of equal shares: heads in step with each other, or all tiles in one row
//   SLACK          powers of two by which a maximum may lag before outputs are rescaled
//   L2_HINT        evict_first: what is loaded is the first to be evicted (cache.cuh)
//
// Requires: compute capability 8.0.
//
// Next idea: half of the other instructions compute addresses of copies; the copy engine does that
// by itself (tma.cu).
#include "consume.cuh"
#include "defaults.cuh"

enum class ScalesOf { token, head };

using Element = DTYPE;
using CacheElement = CACHE;
constexpr int kPage = PAGE;
constexpr int kStages = DEPTH;
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
constexpr int kThreads = 32 * Config::kWarps;
constexpr int kD = Config::kD, kTile = Config::kTile;
constexpr u32 kTileBytes = WarpTile<Config>::kBytes;

constexpr u32 kScaleBytes = Config::kTokenScales ? 8 * kTile : 0;  // of a tile

struct alignas(1024) Shared {
  // For each warp and stage a tile of K and one of V, and behind all of them their scales.
  u8 tiles[Config::kWarps * kStages * (2 * kTileBytes + kScaleBytes)];
  WarpResults<Config::kWarps, Config::kRows, kD> results;
};

#ifdef WARPWRIGHT_SHARED_BYTES
static_assert(sizeof(Shared) == WARPWRIGHT_SHARED_BYTES,
              "kernel.yaml's shared: and the source differ");
#endif

__device__ __forceinline__ void copies_commit() {
  asm volatile("cp.async.commit_group;" ::: "memory");
}
template <int kLeft>
__device__ __forceinline__ void copies_wait() {
  asm volatile("cp.async.wait_group %0;" ::"n"(kLeft) : "memory");
}

// The warp's ring. A group of copies is committed for every tile, also when there is none left to
// load, so that the number of groups in flight says which tile has come.
struct WarpRing {
  static constexpr int kPacket = 16 / static_cast<int>(sizeof(CacheElement));  // elements
  static constexpr int kPackets = kD / kPacket;                                // in a row
  static constexpr int kRowsTogether = 32 / kPackets;  // that the lanes load at once
  static constexpr int kSpan = WarpTile<Config>::kSpan;

  u8* tiles;            // of the warp
  const float* scales;  // shared memory too
  const CacheElement* __restrict__ k, * __restrict__ v;
  const Scales& all_scales;
  TileWalk<Config, Config::kWarps> ahead;
  int lane;
  int use = 0, fill = 0;  // stages

  __device__ __forceinline__ WarpRing(Shared& shared, const CacheElement* keys,
                                      const CacheElement* values, const Scales& of_cache,
                                      const Pieces<Config>& pieces, int warp)
      : tiles(shared.tiles + warp * kStages * 2 * kTileBytes),
        scales(reinterpret_cast<const float*>(shared.tiles +
                                              Config::kWarps * kStages * 2 * kTileBytes +
                                              warp * kStages * kScaleBytes)),
        k(keys),
        v(values),
        all_scales(of_cache),
        ahead(pieces, warp),
        lane(lane_id()) {
#pragma unroll 1
    for (int i = 0; i < kStages - 1; ++i) request();
  }

  __device__ __forceinline__ void request() {
    if (ahead.next()) load();
    copies_commit();
    if (++fill == kStages) fill = 0;
  }

  // A lane has the same 16 bytes of a row in every round; rows come in groups of 16, which a page
  // holds as a whole.
  __device__ __forceinline__ void load() const {
    const Shape& shape = ahead.pieces.shape;
    const int first_key = ahead.key();
    const u32 packet = static_cast<u32>(lane % kPackets);
    const u32 to =
        shared_address(tiles + fill * 2 * kTileBytes) + packet / (kSpan / 16) * (kTile * kSpan);
#pragma unroll
    for (int group = 0; group < kTile / 16; ++group) {
      const int key = first_key + 16 * group;
      if (!ahead.visible.some(key, 16)) continue;  // its page may be unused; add() skips it too
      const i64 first = static_cast<i64>(shape.slot<kPage>(ahead.piece.sequence, key));
#pragma unroll
      for (int i = 0; i < 16; i += kRowsTogether) {
        const int row = i + lane / kPackets;
        const bool seen = ahead.visible.to_any(key + row);
        const i64 from = seen ? ((first + row) * shape.kv_heads + ahead.piece.kv_head) * kD +
                                    kPacket * static_cast<int>(packet)
                              : 0;
        const u32 at = to + swizzled_offset<kSpan, kSpan>(static_cast<u32>(16 * group + row),
                                                          packet % (kSpan / 16) * 16);
        copy_async<16, kL2Hint>(at, k + from, seen);
        copy_async<16, kL2Hint>(at + kTileBytes, v + from, seen);
      }
    }
    if constexpr (Config::kTokenScales)
      copy_scales<kTile>(
          shared_address(scales + fill * 2 * kTile), all_scales, shape.kv_heads,
          ahead.piece.kv_head, [&](int i) {
            const int key = first_key + i;
            return ahead.visible.to_any(key) ? shape.slot<kPage>(ahead.piece.sequence, key) : -1;
          });
  }

  // Tiles come in the order in which the warp asks for them.
  __device__ __forceinline__ TileAt wait(int) {
    copies_wait<kStages - 2>();
    __syncwarp();  // the other lanes' copies as well; and they have read the tile that is refilled
    request();
    const u32 tile = shared_address(tiles + use * 2 * kTileBytes);
    return {tile, tile + kTileBytes, scales + use * 2 * kTile};
  }
  __device__ __forceinline__ void release(int) {
    if (++use == kStages) use = 0;
  }
};

// Parameters (row-major arrays; kernel.yaml names sizes and types):
//   q                 [batch, q_len, heads, d] of dtype
//   lengths           [batch] of i32: keys of each sequence, its new ones included
//   table             [batch, pages] of i32: the pages of each sequence; -1 where it has none
//   k, v              [slots, kv_heads, d] of the type of the cache
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
    decode_mma(const Element* __restrict__ q, const int* __restrict__ lengths,
               const int* __restrict__ table, const CacheElement* __restrict__ k,
               const CacheElement* __restrict__ v, const float* __restrict__ k_scale,
               const float* __restrict__ v_scale, Element* __restrict__ out,
               float* __restrict__ lse, float* __restrict__ partials, u32* __restrict__ arrivals,
               int batch, int heads, int kv_heads, int q_len, int group, int kv_len, int pages,
               int window, int sinks, float scale) {
  extern __shared__ u8 dynamic[];
  Shared& shared = *reinterpret_cast<Shared*>(dynamic);
  const Shape shape{batch, heads,  kv_heads, q_len,   group, kv_len,
                    pages, window, sinks,    lengths, table};
  const int warp = uniform_warp_id();
  const Pieces<Config> pieces(shape);
  const Scales scales{k_scale, v_scale};
  WarpRing ring(shared, k, v, scales, pieces, warp);
  const Results<Element> results{out, lse, partials, arrivals};
  consume_pieces<Config>(shared.results, ring, pieces, q, results, scales, scale, warp);
}
