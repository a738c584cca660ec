/* clang-format off */
/* softmax_topk: Softmax over the last axis of the logits, of which only the K largest entries
   are kept */
/* Tuned configurations, written by `warpwright export`. Do not edit: export again. (warpwright
   0.1.0) */
/* NVIDIA H200 (sm_90a): 8 problems, 2147 configurations tried; times are measured. */
/* Left out one at a time, 4 of 7 tuned problems get a configuration within 10 % of their best
   from the others. */
/*
     const ww_softmax_topk_problem problem = {1, 151936, 50, WW_SOFTMAX_TOPK_DTYPE_F32};
     const ww_softmax_topk_device device = {"NVIDIA H200", "sm_90a", {0}};
     const ww_softmax_topk_selection chosen = ww_softmax_topk_select(device, problem);
   chosen.configuration->source, compiled with ww_softmax_topk_defines(*chosen.configuration, problem), is
   launched as ww_softmax_topk_launch(*chosen.configuration, problem, chosen.limits, 0) says.
   C99, no other header. */
#ifndef WW_SOFTMAX_TOPK_H_INCLUDED
#define WW_SOFTMAX_TOPK_H_INCLUDED

typedef enum { WW_SOFTMAX_TOPK_DTYPE_F32, WW_SOFTMAX_TOPK_DTYPE_BF16 } ww_softmax_topk_dtype;
static inline const char *ww_softmax_topk_dtype_name(ww_softmax_topk_dtype v) {
  switch (v) {
    case WW_SOFTMAX_TOPK_DTYPE_F32:
      return "f32";
    case WW_SOFTMAX_TOPK_DTYPE_BF16:
      return "bf16";
  }
  return 0;
}

typedef enum {
  WW_SOFTMAX_TOPK_VARIANT_NAIVE,
  WW_SOFTMAX_TOPK_VARIANT_BLOCK_ROW,
  WW_SOFTMAX_TOPK_VARIANT_VECTORIZED,
  WW_SOFTMAX_TOPK_VARIANT_WARP_ROW,
  WW_SOFTMAX_TOPK_VARIANT_THRESHOLD,
  WW_SOFTMAX_TOPK_VARIANT_SPLIT
} ww_softmax_topk_variant;
static inline const char *ww_softmax_topk_variant_name(ww_softmax_topk_variant v) {
  switch (v) {
    case WW_SOFTMAX_TOPK_VARIANT_NAIVE:
      return "naive";
    case WW_SOFTMAX_TOPK_VARIANT_BLOCK_ROW:
      return "block_row";
    case WW_SOFTMAX_TOPK_VARIANT_VECTORIZED:
      return "vectorized";
    case WW_SOFTMAX_TOPK_VARIANT_WARP_ROW:
      return "warp_row";
    case WW_SOFTMAX_TOPK_VARIANT_THRESHOLD:
      return "threshold";
    case WW_SOFTMAX_TOPK_VARIANT_SPLIT:
      return "split";
  }
  return 0;
}

typedef struct {
  long long rows;  /* positions, batch times sequence; 1 to 65535 */
  long long V;  /* vocabulary size; at least 1 */
  long long K;  /* entries kept per row; 1 to 256 */
  ww_softmax_topk_dtype dtype;
} ww_softmax_topk_problem;

/* Limits of a device that constraints and launches depend on; 0 is taken from the tuned device
   that is consulted. */
typedef struct {
  long long max_shared;
  long long sm_count;
} ww_softmax_topk_limits;

typedef struct {
  const char *name;  /* as the driver gives it: "NVIDIA H200" */
  const char *arch;  /* "sm_90a" */
  ww_softmax_topk_limits limits;
} ww_softmax_topk_device;

/* What of a launch does not depend on the problem. */
typedef struct {
  const char *entry;
  long long block[3];  /* 0: see launch() */
  long long cluster[3];  /* likewise */
  long long shared_bytes;  /* dynamic; -1: see launch() */
} ww_softmax_topk_launch_facts;

/* Of all launches the largest, as compiled when it was tuned; -1: not known. */
typedef struct {
  int registers;  /* per thread */
  int shared_bytes;  /* per block, static and dynamic */
  int spill_bytes;  /* per thread */
} ww_softmax_topk_resources;

/* Parameters that the variant does not have hold the contract's defaults. */
typedef struct {
  ww_softmax_topk_variant variant;
  long long threads;  /* THREADS: threads per block */
  long long unroll;  /* UNROLL: 16-byte loads of a thread before it uses the first */
  /* LOCAL_K: places of a thread's sorted list; a list that runs empty is filled again */
  long long local_k;
  long long online;  /* ONLINE: 1 builds maximum and sum in one pass, 0 in two */
  long long warps_per_block;  /* WARPS_PER_BLOCK: rows per block */
  long long capacity;  /* CAPACITY: candidates that the buffer holds */
  /* MIN_BLOCKS: blocks that must fit on an SM at once; limits the registers */
  long long min_blocks;
  long long prefetch;  /* PREFETCH: 1 loads the next tile before working on this one */
  long long splits;  /* SPLITS: blocks that share a row */
  long long merge_threads;  /* MERGE_THREADS: threads of the block that merges the parts of a row */
  const char *source;  /* file name */
  int launch_count;
  ww_softmax_topk_launch_facts launches[2];
  ww_softmax_topk_resources resources;
  const char *text;  /* as `warpwright show` prints it */
} ww_softmax_topk_configuration;

/* A tuned problem: what won, and how that is known. */
typedef struct {
  int device;  /* in devices */
  ww_softmax_topk_problem problem;
  int winner;  /* in configurations */
  double median_us;
  double ci_low_us;  /* 95 % interval; both equal the median where none is known */
  double ci_high_us;
  int modelled;  /* by an emulator; else measured */
  const char *protocol;  /* of the times */
  int tried;  /* configurations */
  int rounds;  /* of the final ranking; 0: there was none */
  int tied;  /* others that cannot be told from the winner */
  const char *tie_set;  /* they, one a line, at most 16 */
  const char *driver;
  const char *nvrtc;
  const char *tuner;  /* version and commit */
  const char *measured;  /* UTC */
  const char *contract_hash;  /* of the winner's sources */
} ww_softmax_topk_board;

typedef enum {
  WW_SOFTMAX_TOPK_MATCH_NONE,
  WW_SOFTMAX_TOPK_MATCH_EXACT,
  WW_SOFTMAX_TOPK_MATCH_NEAREST_SAME_DEVICE,
  WW_SOFTMAX_TOPK_MATCH_NEAREST_SAME_ARCH,
  WW_SOFTMAX_TOPK_MATCH_DEFAULT
} ww_softmax_topk_match;
typedef struct {
  ww_softmax_topk_match match;
  const ww_softmax_topk_configuration *configuration;  /* null when nothing matches */
  const ww_softmax_topk_board *nearest;  /* the nearest tuned problem, if one was asked */
  double distance;  /* to it; 1 is a factor of two in one size */
  double score;  /* expected best time / time; 0 of a default */
  ww_softmax_topk_limits limits;  /* for launch() */
} ww_softmax_topk_selection;

#define WW_SOFTMAX_TOPK_DEVICE_COUNT 1
#define WW_SOFTMAX_TOPK_BOARD_COUNT 8
#define WW_SOFTMAX_TOPK_CANDIDATE_COUNT 9
#define WW_SOFTMAX_TOPK_CONFIGURATION_COUNT 15

static const ww_softmax_topk_device ww_softmax_topk_devices[WW_SOFTMAX_TOPK_DEVICE_COUNT] = {
    {"NVIDIA H200", "sm_90a", {/*max_shared*/ 232448, /*sm_count*/ 132}},
};

/* The portfolio; after it the contract's defaults of every variant. */
static const ww_softmax_topk_configuration ww_softmax_topk_configurations[WW_SOFTMAX_TOPK_CONFIGURATION_COUNT] = {
    /* 0: threshold CAPACITY=1024 MIN_BLOCKS=8 PREFETCH=0 THREADS=128 UNROLL=3; wins 1 problem */
    {WW_SOFTMAX_TOPK_VARIANT_THRESHOLD, /*threads*/ 128, /*unroll*/ 3, /*local_k*/ 4, /*online*/ 1,
     /*warps_per_block*/ 4, /*capacity*/ 1024, /*min_blocks*/ 8, /*prefetch*/ 0, /*splits*/ 2,
     /*merge_threads*/ 256,
     "threshold.cu", 1,
     {{"softmax_topk", {128, 1, 1}, {1, 1, 1}, 8192}, {0, {0, 0, 0}, {0, 0, 0}, -1}},
     {58, 8976, 0}, "threshold CAPACITY=1024 MIN_BLOCKS=8 PREFETCH=0 THREADS=128 UNROLL=3"},
    /* 1: threshold CAPACITY=1024 MIN_BLOCKS=8 PREFETCH=0 THREADS=128 UNROLL=6; wins 1 problem */
    {WW_SOFTMAX_TOPK_VARIANT_THRESHOLD, /*threads*/ 128, /*unroll*/ 6, /*local_k*/ 4, /*online*/ 1,
     /*warps_per_block*/ 4, /*capacity*/ 1024, /*min_blocks*/ 8, /*prefetch*/ 0, /*splits*/ 2,
     /*merge_threads*/ 256,
     "threshold.cu", 1,
     {{"softmax_topk", {128, 1, 1}, {1, 1, 1}, 8192}, {0, {0, 0, 0}, {0, 0, 0}, -1}},
     {63, 8976, 0}, "threshold CAPACITY=1024 MIN_BLOCKS=8 PREFETCH=0 THREADS=128 UNROLL=6"},
    /* 2: threshold CAPACITY=1024 MIN_BLOCKS=2 PREFETCH=0 THREADS=512 UNROLL=6; wins 1 problem */
    {WW_SOFTMAX_TOPK_VARIANT_THRESHOLD, /*threads*/ 512, /*unroll*/ 6, /*local_k*/ 4, /*online*/ 1,
     /*warps_per_block*/ 4, /*capacity*/ 1024, /*min_blocks*/ 2, /*prefetch*/ 0, /*splits*/ 2,
     /*merge_threads*/ 256,
     "threshold.cu", 1,
     {{"softmax_topk", {512, 1, 1}, {1, 1, 1}, 8192}, {0, {0, 0, 0}, {0, 0, 0}, -1}},
     {63, 8976, 0}, "threshold CAPACITY=1024 MIN_BLOCKS=2 PREFETCH=0 THREADS=512 UNROLL=6"},
    /* 3: threshold CAPACITY=2048 MIN_BLOCKS=3 PREFETCH=0 THREADS=512 UNROLL=6; wins 1 problem */
    {WW_SOFTMAX_TOPK_VARIANT_THRESHOLD, /*threads*/ 512, /*unroll*/ 6, /*local_k*/ 4, /*online*/ 1,
     /*warps_per_block*/ 4, /*capacity*/ 2048, /*min_blocks*/ 3, /*prefetch*/ 0, /*splits*/ 2,
     /*merge_threads*/ 256,
     "threshold.cu", 1,
     {{"softmax_topk", {512, 1, 1}, {1, 1, 1}, 16384}, {0, {0, 0, 0}, {0, 0, 0}, -1}},
     {40, 17168, 226}, "threshold CAPACITY=2048 MIN_BLOCKS=3 PREFETCH=0 THREADS=512 UNROLL=6"},
    /* 4: threshold CAPACITY=1024 MIN_BLOCKS=1 PREFETCH=0 THREADS=1024 UNROLL=3; wins 1 problem */
    {WW_SOFTMAX_TOPK_VARIANT_THRESHOLD, /*threads*/ 1024, /*unroll*/ 3, /*local_k*/ 4, /*online*/ 1,
     /*warps_per_block*/ 4, /*capacity*/ 1024, /*min_blocks*/ 1, /*prefetch*/ 0, /*splits*/ 2,
     /*merge_threads*/ 256,
     "threshold.cu", 1,
     {{"softmax_topk", {1024, 1, 1}, {1, 1, 1}, 8192}, {0, {0, 0, 0}, {0, 0, 0}, -1}},
     {58, 8976, 0}, "threshold CAPACITY=1024 MIN_BLOCKS=1 PREFETCH=0 THREADS=1024 UNROLL=3"},
    /* 5: threshold CAPACITY=1024 MIN_BLOCKS=1 PREFETCH=0 THREADS=1024 UNROLL=8; wins 2 problems */
    {WW_SOFTMAX_TOPK_VARIANT_THRESHOLD, /*threads*/ 1024, /*unroll*/ 8, /*local_k*/ 4, /*online*/ 1,
     /*warps_per_block*/ 4, /*capacity*/ 1024, /*min_blocks*/ 1, /*prefetch*/ 0, /*splits*/ 2,
     /*merge_threads*/ 256,
     "threshold.cu", 1,
     {{"softmax_topk", {1024, 1, 1}, {1, 1, 1}, 8192}, {0, {0, 0, 0}, {0, 0, 0}, -1}},
     {64, 8976, 60}, "threshold CAPACITY=1024 MIN_BLOCKS=1 PREFETCH=0 THREADS=1024 UNROLL=8"},
    /* 6: split CAPACITY=1024 MERGE_THREADS=256 SPLITS=64 THREADS=128 UNROLL=6; wins 1 problem */
    {WW_SOFTMAX_TOPK_VARIANT_SPLIT, /*threads*/ 128, /*unroll*/ 6, /*local_k*/ 4, /*online*/ 1,
     /*warps_per_block*/ 4, /*capacity*/ 1024, /*min_blocks*/ 4, /*prefetch*/ 0, /*splits*/ 64,
     /*merge_threads*/ 256,
     "split.cu", 2,
     {{"softmax_topk_parts", {128, 1, 1}, {1, 1, 1}, 8192}, {"softmax_topk_merge", {256, 1, 1}, {1, 1, 1}, 0}},
     {64, 8976, 0}, "split CAPACITY=1024 MERGE_THREADS=256 SPLITS=64 THREADS=128 UNROLL=6"},
    /* 7: split CAPACITY=1024 MERGE_THREADS=256 SPLITS=8 THREADS=256 UNROLL=8 */
    {WW_SOFTMAX_TOPK_VARIANT_SPLIT, /*threads*/ 256, /*unroll*/ 8, /*local_k*/ 4, /*online*/ 1,
     /*warps_per_block*/ 4, /*capacity*/ 1024, /*min_blocks*/ 4, /*prefetch*/ 0, /*splits*/ 8,
     /*merge_threads*/ 256,
     "split.cu", 2,
     {{"softmax_topk_parts", {256, 1, 1}, {1, 1, 1}, 8192}, {"softmax_topk_merge", {256, 1, 1}, {1, 1, 1}, 0}},
     {78, 8976, 0}, "split CAPACITY=1024 MERGE_THREADS=256 SPLITS=8 THREADS=256 UNROLL=8"},
    /* 8: split CAPACITY=1024 MERGE_THREADS=256 SPLITS=16 THREADS=512 UNROLL=6 */
    {WW_SOFTMAX_TOPK_VARIANT_SPLIT, /*threads*/ 512, /*unroll*/ 6, /*local_k*/ 4, /*online*/ 1,
     /*warps_per_block*/ 4, /*capacity*/ 1024, /*min_blocks*/ 4, /*prefetch*/ 0, /*splits*/ 16,
     /*merge_threads*/ 256,
     "split.cu", 2,
     {{"softmax_topk_parts", {512, 1, 1}, {1, 1, 1}, 8192}, {"softmax_topk_merge", {256, 1, 1}, {1, 1, 1}, 0}},
     {81, 8976, 0}, "split CAPACITY=1024 MERGE_THREADS=256 SPLITS=16 THREADS=512 UNROLL=6"},
    /* 9: threshold CAPACITY=1024 MIN_BLOCKS=4 PREFETCH=0 THREADS=256 UNROLL=4, the defaults */
    {WW_SOFTMAX_TOPK_VARIANT_THRESHOLD, /*threads*/ 256, /*unroll*/ 4, /*local_k*/ 4, /*online*/ 1,
     /*warps_per_block*/ 4, /*capacity*/ 1024, /*min_blocks*/ 4, /*prefetch*/ 0, /*splits*/ 2,
     /*merge_threads*/ 256,
     "threshold.cu", 1,
     {{"softmax_topk", {256, 1, 1}, {1, 1, 1}, 8192}, {0, {0, 0, 0}, {0, 0, 0}, -1}},
     {-1, -1, -1}, "threshold CAPACITY=1024 MIN_BLOCKS=4 PREFETCH=0 THREADS=256 UNROLL=4"},
    /* 10: split CAPACITY=1024 MERGE_THREADS=256 SPLITS=2 THREADS=256 UNROLL=4, the defaults */
    {WW_SOFTMAX_TOPK_VARIANT_SPLIT, /*threads*/ 256, /*unroll*/ 4, /*local_k*/ 4, /*online*/ 1,
     /*warps_per_block*/ 4, /*capacity*/ 1024, /*min_blocks*/ 4, /*prefetch*/ 0, /*splits*/ 2,
     /*merge_threads*/ 256,
     "split.cu", 2,
     {{"softmax_topk_parts", {256, 1, 1}, {1, 1, 1}, 8192}, {"softmax_topk_merge", {256, 1, 1}, {1, 1, 1}, 0}},
     {-1, -1, -1}, "split CAPACITY=1024 MERGE_THREADS=256 SPLITS=2 THREADS=256 UNROLL=4"},
    /* 11: naive THREADS=256, the defaults */
    {WW_SOFTMAX_TOPK_VARIANT_NAIVE, /*threads*/ 256, /*unroll*/ 4, /*local_k*/ 4, /*online*/ 1,
     /*warps_per_block*/ 4, /*capacity*/ 1024, /*min_blocks*/ 4, /*prefetch*/ 0, /*splits*/ 2,
     /*merge_threads*/ 256,
     "naive.cu", 2,
     {{"softmax_rows", {256, 1, 1}, {1, 1, 1}, 0}, {"topk_rows", {256, 1, 1}, {1, 1, 1}, 0}},
     {-1, -1, -1}, "naive THREADS=256"},
    /* 12: block_row LOCAL_K=4 ONLINE=1 THREADS=256, the defaults */
    {WW_SOFTMAX_TOPK_VARIANT_BLOCK_ROW, /*threads*/ 256, /*unroll*/ 4, /*local_k*/ 4, /*online*/ 1,
     /*warps_per_block*/ 4, /*capacity*/ 1024, /*min_blocks*/ 4, /*prefetch*/ 0, /*splits*/ 2,
     /*merge_threads*/ 256,
     "block_row.cu", 1,
     {{"softmax_topk", {256, 1, 1}, {1, 1, 1}, 0}, {0, {0, 0, 0}, {0, 0, 0}, -1}},
     {-1, -1, -1}, "block_row LOCAL_K=4 ONLINE=1 THREADS=256"},
    /* 13: vectorized LOCAL_K=4 THREADS=256 UNROLL=4, the defaults */
    {WW_SOFTMAX_TOPK_VARIANT_VECTORIZED, /*threads*/ 256, /*unroll*/ 4, /*local_k*/ 4, /*online*/ 1,
     /*warps_per_block*/ 4, /*capacity*/ 1024, /*min_blocks*/ 4, /*prefetch*/ 0, /*splits*/ 2,
     /*merge_threads*/ 256,
     "vectorized.cu", 1,
     {{"softmax_topk", {256, 1, 1}, {1, 1, 1}, -1}, {0, {0, 0, 0}, {0, 0, 0}, -1}},
     {-1, -1, -1}, "vectorized LOCAL_K=4 THREADS=256 UNROLL=4"},
    /* 14: warp_row PREFETCH=0 UNROLL=4 WARPS_PER_BLOCK=4, the defaults */
    {WW_SOFTMAX_TOPK_VARIANT_WARP_ROW, /*threads*/ 256, /*unroll*/ 4, /*local_k*/ 4, /*online*/ 1,
     /*warps_per_block*/ 4, /*capacity*/ 1024, /*min_blocks*/ 4, /*prefetch*/ 0, /*splits*/ 2,
     /*merge_threads*/ 256,
     "warp_row.cu", 1,
     {{"softmax_topk", {128, 1, 1}, {1, 1, 1}, 0}, {0, {0, 0, 0}, {0, 0, 0}, -1}},
     {-1, -1, -1}, "warp_row PREFETCH=0 UNROLL=4 WARPS_PER_BLOCK=4"},
};

static const ww_softmax_topk_board ww_softmax_topk_boards[WW_SOFTMAX_TOPK_BOARD_COUNT] = {
    /* 0: rows=1 V=151936 K=50 dtype=f32 on NVIDIA H200 */
    {0, {1, 151936, 50, WW_SOFTMAX_TOPK_DTYPE_F32}, 6, 9.744, 9.696, 9.76, 0, "cold-graph-1",
     318, 30, 1,
     "split CAPACITY=1024 MERGE_THREADS=256 SPLITS=16 THREADS=512 UNROLL=6\n",
     "580.159.04", "13.0", "warpwright 0.1.0", "2026-11-21T10:25:05Z",
     "bc6e6f87b24cf4f29f11e39d9baa8343ad22081ddce0f0f5ab2c6e0993e0f04e"},
    /* 1: rows=8 V=50257 K=50 dtype=f32 on NVIDIA H200 */
    {0, {8, 50257, 50, WW_SOFTMAX_TOPK_DTYPE_F32}, 5, 9.984, 9.952, 10.032, 0, "cold-graph-1",
     278, 30, 0,
     "",
     "580.159.04", "13.0", "warpwright 0.1.0", "2026-11-21T10:25:30Z",
     "2cad27e0185f8095a021354a0d68bf6b41f8afc89657a76fefaee67238abde05"},
    /* 2: rows=64 V=128256 K=50 dtype=f32 on NVIDIA H200 */
    {0, {64, 128256, 50, WW_SOFTMAX_TOPK_DTYPE_F32}, 5, 20.032, 20.0, 20.064, 0, "cold-graph-1",
     298, 30, 0,
     "",
     "580.159.04", "13.0", "warpwright 0.1.0", "2026-11-21T10:24:55Z",
     "2cad27e0185f8095a021354a0d68bf6b41f8afc89657a76fefaee67238abde05"},
    /* 3: rows=128 V=151936 K=20 dtype=f32 on NVIDIA H200 */
    {0, {128, 151936, 20, WW_SOFTMAX_TOPK_DTYPE_F32}, 4, 28.496, 28.416, 28.576, 0, "cold-graph-1",
     308, 30, 1,
     "threshold CAPACITY=1024 MIN_BLOCKS=1 PREFETCH=0 THREADS=1024 UNROLL=8\n",
     "580.159.04", "13.0", "warpwright 0.1.0", "2026-11-21T10:25:37Z",
     "2cad27e0185f8095a021354a0d68bf6b41f8afc89657a76fefaee67238abde05"},
    /* 4: rows=1024 V=151936 K=20 dtype=f32 on NVIDIA H200 */
    {0, {1024, 151936, 20, WW_SOFTMAX_TOPK_DTYPE_F32}, 2, 158.36, 158.192, 158.544, 0, "cold-graph-1",
     248, 30, 0,
     "",
     "580.159.04", "13.0", "warpwright 0.1.0", "2026-11-21T10:25:16Z",
     "2cad27e0185f8095a021354a0d68bf6b41f8afc89657a76fefaee67238abde05"},
    /* 5: rows=8192 V=50257 K=10 dtype=bf16 on NVIDIA H200 */
    {0, {8192, 50257, 10, WW_SOFTMAX_TOPK_DTYPE_BF16}, 0, 299.776, 299.392, 300.064, 0, "cold-graph-1",
     184, 30, 0,
     "",
     "580.159.04", "13.0", "warpwright 0.1.0", "2026-11-21T10:25:25Z",
     "2cad27e0185f8095a021354a0d68bf6b41f8afc89657a76fefaee67238abde05"},
    /* 6: rows=8192 V=50257 K=10 dtype=f32 on NVIDIA H200 */
    {0, {8192, 50257, 10, WW_SOFTMAX_TOPK_DTYPE_F32}, 1, 399.536, 398.944, 400.192, 0, "cold-graph-1",
     228, 30, 0,
     "",
     "580.159.04", "13.0", "warpwright 0.1.0", "2026-11-21T10:23:29Z",
     "2cad27e0185f8095a021354a0d68bf6b41f8afc89657a76fefaee67238abde05"},
    /* 7: rows=8192 V=50257 K=256 dtype=f32 on NVIDIA H200 */
    {0, {8192, 50257, 256, WW_SOFTMAX_TOPK_DTYPE_F32}, 3, 711.016, 710.448, 712.352, 0, "cold-graph-1",
     285, 30, 0,
     "",
     "580.159.04", "13.0", "warpwright 0.1.0", "2026-11-21T10:24:35Z",
     "2cad27e0185f8095a021354a0d68bf6b41f8afc89657a76fefaee67238abde05"},
};

/* Thousandths of the best that each candidate reaches on each tuned problem, at most that where
   it was stopped early; -1: not tried. */
static const short ww_softmax_topk_fractions[WW_SOFTMAX_TOPK_CANDIDATE_COUNT][WW_SOFTMAX_TOPK_BOARD_COUNT] = {
    {  99,  241,  224,   -1,  968, 1000,  932,   -1},
    { 133,  330,  305,  412,  983,   -1, 1000,   -1},
    { 386,  776,  797,  964, 1000,   -1,  931,   -1},
    {  -1,   -1,   -1,   -1,   -1,   -1,   -1, 1000},
    { 421,  761,  839, 1000,  829,   -1,   -1,   -1},
    { 525, 1000, 1000,  994,  954,   -1,   -1,   -1},
    {1000,   -1,   -1,   -1,   -1,   -1,   -1,   -1},
    {  -1,  940,  831,   -1,   -1,   -1,   -1,   -1},
    { 998,  788,   -1,   -1,   -1,   -1,   -1,   -1},
};

static const double ww_softmax_topk_work_scale = 2.0;
static const double ww_softmax_topk_nearby = 2.0;
static const double ww_softmax_topk_prior_fraction = 0.5;
static const double ww_softmax_topk_prior_weight = 0.2;
static const double ww_softmax_topk_score_tie = 1e-09;
#define WW_SOFTMAX_TOPK_AXIS_COUNT 3

/* Without <math.h>, so that nothing has to be linked. */
static inline double ww_softmax_topk_log2(double v) {
  int exponent = 0;
  int i;
  double t;
  double sum = 0;
  for (; v >= 4294967296.0; v /= 4294967296.0) exponent += 32;
  for (; v >= 2; v /= 2) ++exponent;
  for (; v < 1; v *= 2) --exponent;
  if (v > 1.4142135623730951) {
    v /= 2;
    ++exponent;
  }
  t = (v - 1) / (v + 1);
  for (i = 23; i >= 1; i -= 2) sum = sum * t * t + 1.0 / i;
  return exponent + 2.885390081777927 * t * sum;
}
static inline double ww_softmax_topk_root(double v) {
  double scale = 1;
  double r;
  int i;
  for (; v >= 4; v /= 4) scale *= 2;
  for (; v > 0 && v < 1; v *= 4) scale /= 2;
  r = (1 + v) / 2;
  for (i = 0; i < 6; ++i) r = (r + v / r) / 2;
  return v > 0 ? r * scale : 0;
}
/* log2(1 + |v|) with the sign of v. */
static inline double ww_softmax_topk_size_scale(double v) { return v < 0 ? -ww_softmax_topk_log2(1 - v) : ww_softmax_topk_log2(1 + v); }

/* A value of the contract's expressions: a 64-bit integer (booleans are 0 and 1), a real, or a text.
   What cannot be evaluated (overflow, division by zero, a wrong type) is a fault, and so is
   everything made of it. */
enum ww_softmax_topk_kind { WW_SOFTMAX_TOPK_FAULT, WW_SOFTMAX_TOPK_INTEGER, WW_SOFTMAX_TOPK_REAL, WW_SOFTMAX_TOPK_TEXT };
typedef struct {
  enum ww_softmax_topk_kind kind;
  long long integer;
  double real;
  const char *text;
} ww_softmax_topk_value;
static const long long ww_softmax_topk_largest = 9223372036854775807LL;
static const long long ww_softmax_topk_lowest = -9223372036854775807LL - 1;
static inline ww_softmax_topk_value ww_softmax_topk_fault(void) {
  const ww_softmax_topk_value v = {WW_SOFTMAX_TOPK_FAULT, 0, 0, 0};
  return v;
}
static inline ww_softmax_topk_value ww_softmax_topk_integer(long long integer) {
  const ww_softmax_topk_value v = {WW_SOFTMAX_TOPK_INTEGER, integer, 0, 0};
  return v;
}
static inline ww_softmax_topk_value ww_softmax_topk_real(double real) {
  const ww_softmax_topk_value v = {WW_SOFTMAX_TOPK_REAL, 0, real, 0};
  return real - real == 0 ? v : ww_softmax_topk_fault();
}
static inline ww_softmax_topk_value ww_softmax_topk_text(const char *text) {
  const ww_softmax_topk_value v = {WW_SOFTMAX_TOPK_TEXT, 0, 0, text};
  return text != 0 ? v : ww_softmax_topk_fault();
}
static inline int ww_softmax_topk_number(ww_softmax_topk_value v) { return v.kind == WW_SOFTMAX_TOPK_INTEGER || v.kind == WW_SOFTMAX_TOPK_REAL; }
static inline int ww_softmax_topk_integers(ww_softmax_topk_value a, ww_softmax_topk_value b) { return a.kind == WW_SOFTMAX_TOPK_INTEGER && b.kind == WW_SOFTMAX_TOPK_INTEGER; }
static inline int ww_softmax_topk_numbers(ww_softmax_topk_value a, ww_softmax_topk_value b) { return ww_softmax_topk_number(a) && ww_softmax_topk_number(b); }
static inline double ww_softmax_topk_as_real(ww_softmax_topk_value v) { return v.kind == WW_SOFTMAX_TOPK_REAL ? v.real : (double)v.integer; }
static inline int ww_softmax_topk_holds(ww_softmax_topk_value v) {
  return v.kind == WW_SOFTMAX_TOPK_REAL ? v.real != 0 : v.kind == WW_SOFTMAX_TOPK_INTEGER && v.integer != 0;
}
static inline int ww_softmax_topk_same_text(const char *a, const char *b) {
  if (a == 0 || b == 0) return 0;
  while (*a != '\0' && *a == *b) {
    ++a;
    ++b;
  }
  return *a == *b;
}
static inline ww_softmax_topk_value ww_softmax_topk_add(ww_softmax_topk_value a, ww_softmax_topk_value b) {
  if (!ww_softmax_topk_numbers(a, b)) return ww_softmax_topk_fault();
  if (!ww_softmax_topk_integers(a, b)) return ww_softmax_topk_real(ww_softmax_topk_as_real(a) + ww_softmax_topk_as_real(b));
  if (b.integer > 0 ? a.integer > ww_softmax_topk_largest - b.integer : a.integer < ww_softmax_topk_lowest - b.integer)
    return ww_softmax_topk_fault();
  return ww_softmax_topk_integer(a.integer + b.integer);
}
static inline ww_softmax_topk_value ww_softmax_topk_multiply(ww_softmax_topk_value a, ww_softmax_topk_value b) {
  const long long x = a.integer;
  const long long y = b.integer;
  if (!ww_softmax_topk_numbers(a, b)) return ww_softmax_topk_fault();
  if (!ww_softmax_topk_integers(a, b)) return ww_softmax_topk_real(ww_softmax_topk_as_real(a) * ww_softmax_topk_as_real(b));
  if (x == 0 || y == 0) return ww_softmax_topk_integer(0);
  if (x > 0 ? (y > 0 ? x > ww_softmax_topk_largest / y : y < ww_softmax_topk_lowest / x)
            : (y > 0 ? x < ww_softmax_topk_lowest / y : y < ww_softmax_topk_largest / x))
    return ww_softmax_topk_fault();
  return ww_softmax_topk_integer(x * y);
}
static inline ww_softmax_topk_value ww_softmax_topk_divide(ww_softmax_topk_value a, ww_softmax_topk_value b) {
  if (!ww_softmax_topk_numbers(a, b) || ww_softmax_topk_as_real(b) == 0) return ww_softmax_topk_fault();
  if (!ww_softmax_topk_integers(a, b)) return ww_softmax_topk_real(ww_softmax_topk_as_real(a) / ww_softmax_topk_as_real(b));
  if (b.integer == -1) return a.integer == ww_softmax_topk_lowest ? ww_softmax_topk_fault() : ww_softmax_topk_integer(-a.integer);
  return ww_softmax_topk_integer(a.integer / b.integer);
}
static inline ww_softmax_topk_value ww_softmax_topk_remainder(ww_softmax_topk_value a, ww_softmax_topk_value b) {
  if (!ww_softmax_topk_integers(a, b) || b.integer == 0) return ww_softmax_topk_fault();
  return ww_softmax_topk_integer(b.integer == -1 ? 0 : a.integer % b.integer);
}
static inline ww_softmax_topk_value ww_softmax_topk_ceil_div(ww_softmax_topk_value a, ww_softmax_topk_value b) {
  if (!ww_softmax_topk_integers(a, b) || b.integer <= 0) return ww_softmax_topk_fault();
  return ww_softmax_topk_integer(a.integer / b.integer + (a.integer % b.integer > 0 ? 1 : 0));
}
static inline ww_softmax_topk_value ww_softmax_topk_not(ww_softmax_topk_value v) {
  return ww_softmax_topk_number(v) ? ww_softmax_topk_integer(!ww_softmax_topk_holds(v)) : ww_softmax_topk_fault();
}
static inline ww_softmax_topk_value ww_softmax_topk_less(ww_softmax_topk_value a, ww_softmax_topk_value b) {
  if (!ww_softmax_topk_numbers(a, b)) return ww_softmax_topk_fault();
  return ww_softmax_topk_integer(ww_softmax_topk_integers(a, b) ? a.integer < b.integer : ww_softmax_topk_as_real(a) < ww_softmax_topk_as_real(b));
}
static inline ww_softmax_topk_value ww_softmax_topk_less_equal(ww_softmax_topk_value a, ww_softmax_topk_value b) { return ww_softmax_topk_not(ww_softmax_topk_less(b, a)); }
static inline ww_softmax_topk_value ww_softmax_topk_greater_equal(ww_softmax_topk_value a, ww_softmax_topk_value b) { return ww_softmax_topk_not(ww_softmax_topk_less(a, b)); }
static inline ww_softmax_topk_value ww_softmax_topk_equal(ww_softmax_topk_value a, ww_softmax_topk_value b) {
  if (a.kind == WW_SOFTMAX_TOPK_TEXT && b.kind == WW_SOFTMAX_TOPK_TEXT) return ww_softmax_topk_integer(ww_softmax_topk_same_text(a.text, b.text));
  if (!ww_softmax_topk_numbers(a, b)) return ww_softmax_topk_fault();
  return ww_softmax_topk_integer(ww_softmax_topk_integers(a, b) ? a.integer == b.integer : ww_softmax_topk_as_real(a) == ww_softmax_topk_as_real(b));
}
static inline ww_softmax_topk_value ww_softmax_topk_and(ww_softmax_topk_value a, ww_softmax_topk_value b) {
  if (!ww_softmax_topk_number(a)) return ww_softmax_topk_fault();
  if (!ww_softmax_topk_holds(a)) return ww_softmax_topk_integer(0);
  return ww_softmax_topk_number(b) ? ww_softmax_topk_integer(ww_softmax_topk_holds(b)) : ww_softmax_topk_fault();
}
static inline ww_softmax_topk_value ww_softmax_topk_larger(ww_softmax_topk_value a, ww_softmax_topk_value b) {
  if (!ww_softmax_topk_numbers(a, b)) return ww_softmax_topk_fault();
  if (ww_softmax_topk_integers(a, b)) return a.integer < b.integer ? b : a;
  return ww_softmax_topk_real(ww_softmax_topk_as_real(a) < ww_softmax_topk_as_real(b) ? ww_softmax_topk_as_real(b) : ww_softmax_topk_as_real(a));
}
static inline ww_softmax_topk_value ww_softmax_topk_bytes_of(ww_softmax_topk_value v) {
  static const char *const names[] = {"f64", "i64", "u64", "f32", "i32", "u32", "f16", "bf16",
                                      "i16", "u16", "i8",  "u8",  "e4m3", "e5m2", "bool"};
  static const int bytes[] = {8, 8, 8, 4, 4, 4, 2, 2, 2, 2, 1, 1, 1, 1, 1};
  int i;
  if (v.kind != WW_SOFTMAX_TOPK_TEXT) return ww_softmax_topk_fault();
  for (i = 0; i < 15; ++i) {
    if (ww_softmax_topk_same_text(v.text, names[i])) return ww_softmax_topk_integer(bytes[i]);
  }
  return ww_softmax_topk_fault();
}

static inline int ww_softmax_topk_same_category(ww_softmax_topk_problem a, ww_softmax_topk_problem b) {
  return a.dtype == b.dtype;
}
static inline int ww_softmax_topk_same_sizes(ww_softmax_topk_problem a, ww_softmax_topk_problem b) {
  return a.rows == b.rows &&
         a.V == b.V &&
         a.K == b.K &&
         a.dtype == b.dtype;
}

/* Where a problem lies: distances are Euclidean in log2(1 + size) and in twice the log2 of the
   contract's traffic. */
typedef struct {
  double axes[3];
  int counted;
  double work;
} ww_softmax_topk_place;
static inline ww_softmax_topk_place ww_softmax_topk_place_of(ww_softmax_topk_problem problem) {
  const ww_softmax_topk_value rows = ww_softmax_topk_integer(problem.rows);
  const ww_softmax_topk_value V = ww_softmax_topk_integer(problem.V);
  const ww_softmax_topk_value K = ww_softmax_topk_integer(problem.K);
  const ww_softmax_topk_value dtype = ww_softmax_topk_text(ww_softmax_topk_dtype_name(problem.dtype));
  /* Bytes that the contract counts. */
  const ww_softmax_topk_value work = ww_softmax_topk_add(ww_softmax_topk_multiply(ww_softmax_topk_multiply(rows, V), ww_softmax_topk_bytes_of(dtype)), ww_softmax_topk_multiply(ww_softmax_topk_multiply(rows, K), ww_softmax_topk_integer(8)));
  ww_softmax_topk_place place;
  place.axes[0] = ww_softmax_topk_size_scale((double)problem.rows);
  place.axes[1] = ww_softmax_topk_size_scale((double)problem.V);
  place.axes[2] = ww_softmax_topk_size_scale((double)problem.K);
  place.counted = ww_softmax_topk_number(work);
  place.work = place.counted ? ww_softmax_topk_size_scale(ww_softmax_topk_as_real(work)) : 0;
  return place;
}

static inline ww_softmax_topk_limits ww_softmax_topk_complete(ww_softmax_topk_limits given, ww_softmax_topk_limits tuned) {
  if (given.max_shared == 0) given.max_shared = tuned.max_shared;
  if (given.sm_count == 0) given.sm_count = tuned.sm_count;
  return given;
}

static inline int ww_softmax_topk_allowed_naive(ww_softmax_topk_configuration configuration, ww_softmax_topk_problem problem,
    ww_softmax_topk_limits limits) {
  const ww_softmax_topk_value V = ww_softmax_topk_integer(problem.V);
  const ww_softmax_topk_value K = ww_softmax_topk_integer(problem.K);
  const ww_softmax_topk_value threads = ww_softmax_topk_integer(configuration.threads);
  (void)limits;
  /* a row must have K entries */
  if (!ww_softmax_topk_holds(ww_softmax_topk_less_equal(K, V))) return 0;
  /* positions in a row are 32-bit integers */
  if (!ww_softmax_topk_holds(ww_softmax_topk_less_equal(V, ww_softmax_topk_integer(1073741824)))) return 0;
  /* a block is made of whole warps */
  if (!ww_softmax_topk_holds(ww_softmax_topk_equal(ww_softmax_topk_remainder(threads, ww_softmax_topk_integer(32)), ww_softmax_topk_integer(0)))) return 0;
  return 1;
}

static inline int ww_softmax_topk_allowed_block_row(ww_softmax_topk_configuration configuration, ww_softmax_topk_problem problem,
    ww_softmax_topk_limits limits) {
  const ww_softmax_topk_value V = ww_softmax_topk_integer(problem.V);
  const ww_softmax_topk_value K = ww_softmax_topk_integer(problem.K);
  const ww_softmax_topk_value threads = ww_softmax_topk_integer(configuration.threads);
  (void)limits;
  /* a row must have K entries */
  if (!ww_softmax_topk_holds(ww_softmax_topk_less_equal(K, V))) return 0;
  /* positions in a row are 32-bit integers */
  if (!ww_softmax_topk_holds(ww_softmax_topk_less_equal(V, ww_softmax_topk_integer(1073741824)))) return 0;
  /* a block is made of whole warps */
  if (!ww_softmax_topk_holds(ww_softmax_topk_equal(ww_softmax_topk_remainder(threads, ww_softmax_topk_integer(32)), ww_softmax_topk_integer(0)))) return 0;
  return 1;
}

static inline int ww_softmax_topk_allowed_vectorized(ww_softmax_topk_configuration configuration, ww_softmax_topk_problem problem,
    ww_softmax_topk_limits limits) {
  const ww_softmax_topk_value V = ww_softmax_topk_integer(problem.V);
  const ww_softmax_topk_value K = ww_softmax_topk_integer(problem.K);
  const ww_softmax_topk_value threads = ww_softmax_topk_integer(configuration.threads);
  const ww_softmax_topk_value device_max_shared = ww_softmax_topk_integer(limits.max_shared);
  /* a row must have K entries */
  if (!ww_softmax_topk_holds(ww_softmax_topk_less_equal(K, V))) return 0;
  /* positions in a row are 32-bit integers */
  if (!ww_softmax_topk_holds(ww_softmax_topk_less_equal(V, ww_softmax_topk_integer(1073741824)))) return 0;
  /* a block is made of whole warps */
  if (!ww_softmax_topk_holds(ww_softmax_topk_equal(ww_softmax_topk_remainder(threads, ww_softmax_topk_integer(32)), ww_softmax_topk_integer(0)))) return 0;
  /* every warp keeps K keys in shared memory */
  if (!ww_softmax_topk_holds(ww_softmax_topk_less_equal(ww_softmax_topk_add(ww_softmax_topk_multiply(ww_softmax_topk_multiply(ww_softmax_topk_divide(threads, ww_softmax_topk_integer(32)), K), ww_softmax_topk_integer(8)), ww_softmax_topk_integer(128)), device_max_shared))) return 0;
  return 1;
}

static inline int ww_softmax_topk_allowed_warp_row(ww_softmax_topk_configuration configuration, ww_softmax_topk_problem problem,
    ww_softmax_topk_limits limits) {
  const ww_softmax_topk_value V = ww_softmax_topk_integer(problem.V);
  const ww_softmax_topk_value K = ww_softmax_topk_integer(problem.K);
  (void)configuration;
  (void)limits;
  /* a row must have K entries */
  if (!ww_softmax_topk_holds(ww_softmax_topk_less_equal(K, V))) return 0;
  /* positions in a row are 32-bit integers */
  if (!ww_softmax_topk_holds(ww_softmax_topk_less_equal(V, ww_softmax_topk_integer(1073741824)))) return 0;
  /* each lane holds one of the K best */
  if (!ww_softmax_topk_holds(ww_softmax_topk_less_equal(K, ww_softmax_topk_integer(32)))) return 0;
  return 1;
}

static inline int ww_softmax_topk_allowed_threshold(ww_softmax_topk_configuration configuration, ww_softmax_topk_problem problem,
    ww_softmax_topk_limits limits) {
  const ww_softmax_topk_value V = ww_softmax_topk_integer(problem.V);
  const ww_softmax_topk_value K = ww_softmax_topk_integer(problem.K);
  const ww_softmax_topk_value dtype = ww_softmax_topk_text(ww_softmax_topk_dtype_name(problem.dtype));
  const ww_softmax_topk_value threads = ww_softmax_topk_integer(configuration.threads);
  const ww_softmax_topk_value unroll = ww_softmax_topk_integer(configuration.unroll);
  const ww_softmax_topk_value capacity = ww_softmax_topk_integer(configuration.capacity);
  const ww_softmax_topk_value min_blocks = ww_softmax_topk_integer(configuration.min_blocks);
  const ww_softmax_topk_value device_max_shared = ww_softmax_topk_integer(limits.max_shared);
  /* a row must have K entries */
  if (!ww_softmax_topk_holds(ww_softmax_topk_less_equal(K, V))) return 0;
  /* positions in a row are 32-bit integers */
  if (!ww_softmax_topk_holds(ww_softmax_topk_less_equal(V, ww_softmax_topk_integer(1073741824)))) return 0;
  /* a block is made of whole warps */
  if (!ww_softmax_topk_holds(ww_softmax_topk_equal(ww_softmax_topk_remainder(threads, ww_softmax_topk_integer(32)), ww_softmax_topk_integer(0)))) return 0;
  /* the first threshold is the K-th of the threads' maxima */
  if (!ww_softmax_topk_holds(ww_softmax_topk_less_equal(K, threads))) return 0;
  /* a thread marks its survivors of a tile in one 32-bit word */
  if (!ww_softmax_topk_holds(ww_softmax_topk_less_equal(ww_softmax_topk_multiply(unroll, ww_softmax_topk_integer(16)), ww_softmax_topk_multiply(ww_softmax_topk_integer(32), ww_softmax_topk_bytes_of(dtype))))) return 0;
  /* each thread takes equally many keys when the buffer is cut back */
  if (!ww_softmax_topk_holds(ww_softmax_topk_equal(ww_softmax_topk_remainder(capacity, threads), ww_softmax_topk_integer(0)))) return 0;
  /* a buffer that is cut back to K must have room for new candidates */
  if (!ww_softmax_topk_holds(ww_softmax_topk_greater_equal(capacity, ww_softmax_topk_multiply(ww_softmax_topk_integer(2), K)))) return 0;
  /* a thread holds its keys in registers while the buffer is cut back */
  if (!ww_softmax_topk_holds(ww_softmax_topk_less_equal(capacity, ww_softmax_topk_multiply(ww_softmax_topk_integer(16), threads)))) return 0;
  /* the buffer is in shared memory */
  if (!ww_softmax_topk_holds(ww_softmax_topk_less_equal(ww_softmax_topk_add(ww_softmax_topk_multiply(ww_softmax_topk_integer(8), capacity), ww_softmax_topk_integer(1024)), device_max_shared))) return 0;
  /* an SM holds 2048 threads */
  if (!ww_softmax_topk_holds(ww_softmax_topk_less_equal(ww_softmax_topk_multiply(threads, min_blocks), ww_softmax_topk_integer(2048)))) return 0;
  return 1;
}

static inline int ww_softmax_topk_allowed_split(ww_softmax_topk_configuration configuration, ww_softmax_topk_problem problem,
    ww_softmax_topk_limits limits) {
  const ww_softmax_topk_value V = ww_softmax_topk_integer(problem.V);
  const ww_softmax_topk_value K = ww_softmax_topk_integer(problem.K);
  const ww_softmax_topk_value dtype = ww_softmax_topk_text(ww_softmax_topk_dtype_name(problem.dtype));
  const ww_softmax_topk_value threads = ww_softmax_topk_integer(configuration.threads);
  const ww_softmax_topk_value unroll = ww_softmax_topk_integer(configuration.unroll);
  const ww_softmax_topk_value capacity = ww_softmax_topk_integer(configuration.capacity);
  const ww_softmax_topk_value splits = ww_softmax_topk_integer(configuration.splits);
  const ww_softmax_topk_value merge_threads = ww_softmax_topk_integer(configuration.merge_threads);
  const ww_softmax_topk_value device_max_shared = ww_softmax_topk_integer(limits.max_shared);
  /* a row must have K entries */
  if (!ww_softmax_topk_holds(ww_softmax_topk_less_equal(K, V))) return 0;
  /* positions in a row are 32-bit integers */
  if (!ww_softmax_topk_holds(ww_softmax_topk_less_equal(V, ww_softmax_topk_integer(1073741824)))) return 0;
  /* a block is made of whole warps */
  if (!ww_softmax_topk_holds(ww_softmax_topk_and(ww_softmax_topk_equal(ww_softmax_topk_remainder(threads, ww_softmax_topk_integer(32)), ww_softmax_topk_integer(0)), ww_softmax_topk_equal(ww_softmax_topk_remainder(merge_threads, ww_softmax_topk_integer(32)), ww_softmax_topk_integer(0))))) return 0;
  /* the first threshold is the K-th of the threads' maxima */
  if (!ww_softmax_topk_holds(ww_softmax_topk_less_equal(K, threads))) return 0;
  /* the merge ranks one candidate per thread */
  if (!ww_softmax_topk_holds(ww_softmax_topk_less_equal(K, merge_threads))) return 0;
  /* a thread marks its survivors of a tile in one 32-bit word */
  if (!ww_softmax_topk_holds(ww_softmax_topk_less_equal(ww_softmax_topk_multiply(unroll, ww_softmax_topk_integer(16)), ww_softmax_topk_multiply(ww_softmax_topk_integer(32), ww_softmax_topk_bytes_of(dtype))))) return 0;
  /* each thread takes equally many keys when the buffer is cut back */
  if (!ww_softmax_topk_holds(ww_softmax_topk_equal(ww_softmax_topk_remainder(capacity, threads), ww_softmax_topk_integer(0)))) return 0;
  /* a buffer that is cut back to K must have room for new candidates */
  if (!ww_softmax_topk_holds(ww_softmax_topk_greater_equal(capacity, ww_softmax_topk_multiply(ww_softmax_topk_integer(2), K)))) return 0;
  /* a thread holds its keys in registers while the buffer is cut back */
  if (!ww_softmax_topk_holds(ww_softmax_topk_less_equal(capacity, ww_softmax_topk_multiply(ww_softmax_topk_integer(16), threads)))) return 0;
  /* the buffer is in shared memory */
  if (!ww_softmax_topk_holds(ww_softmax_topk_less_equal(ww_softmax_topk_add(ww_softmax_topk_multiply(ww_softmax_topk_integer(8), capacity), ww_softmax_topk_integer(1024)), device_max_shared))) return 0;
  /* the parts of a row share its workspace */
  if (!ww_softmax_topk_holds(ww_softmax_topk_less_equal(ww_softmax_topk_multiply(splits, ww_softmax_topk_add(ww_softmax_topk_multiply(ww_softmax_topk_integer(2), K), ww_softmax_topk_integer(2))), ww_softmax_topk_larger(V, ww_softmax_topk_multiply(ww_softmax_topk_integer(64), ww_softmax_topk_add(ww_softmax_topk_multiply(ww_softmax_topk_integer(2), K), ww_softmax_topk_integer(2))))))) return 0;
  /* the merge adds one sum per thread */
  if (!ww_softmax_topk_holds(ww_softmax_topk_less_equal(splits, merge_threads))) return 0;
  /* the merge holds the keys of all parts in registers */
  if (!ww_softmax_topk_holds(ww_softmax_topk_less_equal(ww_softmax_topk_multiply(splits, K), ww_softmax_topk_multiply(ww_softmax_topk_integer(16), merge_threads)))) return 0;
  return 1;
}

/* The contract's types and limits of every size. */
static inline int ww_softmax_topk_valid(ww_softmax_topk_problem problem) {
  if (problem.rows < 1) return 0;
  if (problem.rows > 65535) return 0;
  if (problem.V < 1) return 0;
  if (problem.K < 1) return 0;
  if (problem.K > 256) return 0;
  if (ww_softmax_topk_dtype_name(problem.dtype) == 0) return 0;
  return 1;
}

/* Every constraint of the contract and of the variant holds for this problem on a device with
   these limits. */
static inline int ww_softmax_topk_allowed(ww_softmax_topk_configuration configuration, ww_softmax_topk_problem problem,
    ww_softmax_topk_limits limits) {
  switch (configuration.variant) {
    case WW_SOFTMAX_TOPK_VARIANT_NAIVE:
      return ww_softmax_topk_allowed_naive(configuration, problem, limits);
    case WW_SOFTMAX_TOPK_VARIANT_BLOCK_ROW:
      return ww_softmax_topk_allowed_block_row(configuration, problem, limits);
    case WW_SOFTMAX_TOPK_VARIANT_VECTORIZED:
      return ww_softmax_topk_allowed_vectorized(configuration, problem, limits);
    case WW_SOFTMAX_TOPK_VARIANT_WARP_ROW:
      return ww_softmax_topk_allowed_warp_row(configuration, problem, limits);
    case WW_SOFTMAX_TOPK_VARIANT_THRESHOLD:
      return ww_softmax_topk_allowed_threshold(configuration, problem, limits);
    case WW_SOFTMAX_TOPK_VARIANT_SPLIT:
      return ww_softmax_topk_allowed_split(configuration, problem, limits);
  }
  return 0;
}


/* "sm_90" and "sm_90a" are one architecture here. */
static inline int ww_softmax_topk_arch_length(const char *arch) {
  int length = 0;
  while (arch[length] != '\0') ++length;
  while (length > 0 && arch[length - 1] >= 'a' && arch[length - 1] <= 'z') --length;
  return length;
}
static inline int ww_softmax_topk_same_arch(const char *a, const char *b) {
  int length;
  int i;
  if (a == 0 || b == 0) return 0;
  length = ww_softmax_topk_arch_length(a);
  if (ww_softmax_topk_arch_length(b) != length) return 0;
  for (i = 0; i < length; ++i) {
    if (a[i] != b[i]) return 0;
  }
  return 1;
}

static inline double ww_softmax_topk_squared_distance(ww_softmax_topk_place a, ww_softmax_topk_place b) {
  double sum = 0;
  int i;
  for (i = 0; i < WW_SOFTMAX_TOPK_AXIS_COUNT; ++i) sum += (a.axes[i] - b.axes[i]) * (a.axes[i] - b.axes[i]);
  if (a.counted && b.counted)
    sum += ww_softmax_topk_work_scale * (a.work - b.work) * (ww_softmax_topk_work_scale * (a.work - b.work));
  return sum;
}

static inline ww_softmax_topk_selection ww_softmax_topk_no_selection(void) {
  ww_softmax_topk_selection result;
  result.match = WW_SOFTMAX_TOPK_MATCH_NONE;
  result.configuration = 0;
  result.nearest = 0;
  result.distance = 0;
  result.score = 0;
  result.limits = ww_softmax_topk_devices[0].limits;
  return result;
}

/* The vote of the tuned problems on this device, or on others of its architecture. */
static inline ww_softmax_topk_selection ww_softmax_topk_vote(ww_softmax_topk_device device, ww_softmax_topk_problem problem, int same_device) {
  const ww_softmax_topk_place asked = ww_softmax_topk_place_of(problem);
  double weights[WW_SOFTMAX_TOPK_BOARD_COUNT];
  double total = 0;
  double least = 0;
  int i;
  const ww_softmax_topk_configuration *winner;
  ww_softmax_topk_selection result = ww_softmax_topk_no_selection();
  for (i = 0; i < WW_SOFTMAX_TOPK_BOARD_COUNT; ++i) {
    const ww_softmax_topk_board *board = &ww_softmax_topk_boards[i];
    const ww_softmax_topk_device *tuned = &ww_softmax_topk_devices[board->device];
    const int same = ww_softmax_topk_same_text(tuned->name, device.name);
    double squared;
    double closeness;
    int equal;
    weights[i] = 0;
    if (same != same_device || (!same && !ww_softmax_topk_same_arch(tuned->arch, device.arch))) continue;
    if (!ww_softmax_topk_same_category(board->problem, problem)) continue;
    squared = ww_softmax_topk_squared_distance(ww_softmax_topk_place_of(board->problem), asked);
    equal = ww_softmax_topk_same_sizes(board->problem, problem);
    if (result.nearest == 0 || squared < least || equal) {
      result.nearest = board;
      result.distance = ww_softmax_topk_root(squared);
      least = equal ? -1 : squared;
    }
    closeness = 1 / (ww_softmax_topk_nearby * ww_softmax_topk_nearby + squared);
    weights[i] = closeness * closeness;
    total += weights[i];
  }
  if (result.nearest == 0) return ww_softmax_topk_no_selection();
  result.limits = ww_softmax_topk_complete(device.limits, ww_softmax_topk_devices[result.nearest->device].limits);
  winner = &ww_softmax_topk_configurations[result.nearest->winner];
  if (least < 0 && ww_softmax_topk_allowed(*winner, problem, result.limits)) {
    result.match = same_device ? WW_SOFTMAX_TOPK_MATCH_EXACT : WW_SOFTMAX_TOPK_MATCH_NEAREST_SAME_ARCH;
    result.configuration = winner;
    result.score = 1;
    return result;
  }
  for (i = 0; i < WW_SOFTMAX_TOPK_CANDIDATE_COUNT; ++i) {
    double sum = ww_softmax_topk_prior_weight * ww_softmax_topk_prior_fraction;
    double known = ww_softmax_topk_prior_weight;
    int board;
    for (board = 0; board < WW_SOFTMAX_TOPK_BOARD_COUNT; ++board) {
      if (!(weights[board] > 0) || ww_softmax_topk_fractions[i][board] < 0) continue;
      sum += weights[board] / total * ww_softmax_topk_fractions[i][board] / 1000;
      known += weights[board] / total;
    }
    if (!(known > ww_softmax_topk_prior_weight) || !(sum / known > result.score + ww_softmax_topk_score_tie)) continue;
    if (!ww_softmax_topk_allowed(ww_softmax_topk_configurations[i], problem, result.limits)) continue;
    result.match = same_device ? WW_SOFTMAX_TOPK_MATCH_NEAREST_SAME_DEVICE : WW_SOFTMAX_TOPK_MATCH_NEAREST_SAME_ARCH;
    result.configuration = &ww_softmax_topk_configurations[i];
    result.score = sum / known;
  }
  return result;
}

static inline ww_softmax_topk_selection ww_softmax_topk_contract_default(ww_softmax_topk_device device, ww_softmax_topk_problem problem) {
  ww_softmax_topk_selection result = ww_softmax_topk_no_selection();
  int i;
  result.limits = ww_softmax_topk_complete(device.limits, ww_softmax_topk_devices[0].limits);
  for (i = WW_SOFTMAX_TOPK_CANDIDATE_COUNT; i < WW_SOFTMAX_TOPK_CONFIGURATION_COUNT; ++i) {
    if (!ww_softmax_topk_allowed(ww_softmax_topk_configurations[i], problem, result.limits)) continue;
    result.match = WW_SOFTMAX_TOPK_MATCH_DEFAULT;
    result.configuration = &ww_softmax_topk_configurations[i];
    break;
  }
  return result;
}

static inline ww_softmax_topk_selection ww_softmax_topk_select(ww_softmax_topk_device device, ww_softmax_topk_problem problem) {
  ww_softmax_topk_selection result = ww_softmax_topk_no_selection();
  if (!ww_softmax_topk_valid(problem)) return result;
  result = ww_softmax_topk_vote(device, problem, 1);
  if (result.configuration == 0) result = ww_softmax_topk_vote(device, problem, 0);
  if (result.configuration == 0) result = ww_softmax_topk_contract_default(device, problem);
  return result;
}

#define WW_SOFTMAX_TOPK_DEFINE_LENGTH 47
typedef struct {
  int count;
  char option[7][WW_SOFTMAX_TOPK_DEFINE_LENGTH];
} ww_softmax_topk_options;

typedef struct {
  int ok;  /* 0 or false: no such launch, or its extents cannot be computed */
  const char *entry;
  long long grid[3];
  long long block[3];
  long long cluster[3];
  long long shared_bytes;  /* dynamic */
} ww_softmax_topk_launch_plan;

static inline void ww_softmax_topk_put(ww_softmax_topk_options *out, int *at, const char *text) {
  for (; *text != '\0' && *at < WW_SOFTMAX_TOPK_DEFINE_LENGTH - 1; ++text) out->option[out->count][(*at)++] = *text;
  out->option[out->count][*at] = '\0';
}
static inline void ww_softmax_topk_put_integer(ww_softmax_topk_options *out, int *at, long long v) {
  char digits[24];
  int first = 23;
  const int negative = v < 0;
  digits[23] = '\0';
  do {
    const int digit = (int)(v % 10);
    digits[--first] = (char)('0' + (digit < 0 ? -digit : digit));
    v /= 10;
  } while (v != 0);
  if (negative) digits[--first] = '-';
  ww_softmax_topk_put(out, at, digits + first);
}
/* In hexadecimal, which is exact. */
static inline void ww_softmax_topk_put_real(ww_softmax_topk_options *out, int *at, double v) {
  int exponent = 0;
  int i;
  char digit[2];
  if (v < 0) ww_softmax_topk_put(out, at, "-");
  if (v < 0) v = -v;
  for (; v >= 2; v /= 2) ++exponent;
  for (; v > 0 && v < 1; v *= 2) --exponent;
  ww_softmax_topk_put(out, at, v > 0 ? "0x1." : "0x0.");
  v -= v > 0 ? 1 : 0;
  digit[1] = '\0';
  for (i = 0; i < 13; ++i) {
    const int hex = (int)(v *= 16);
    digit[0] = "0123456789abcdef"[hex];
    ww_softmax_topk_put(out, at, digit);
    v -= hex;
  }
  ww_softmax_topk_put(out, at, "p");
  ww_softmax_topk_put_integer(out, at, exponent);
}
static inline void ww_softmax_topk_put_define(ww_softmax_topk_options *out, const char *macro, ww_softmax_topk_value v) {
  int at = 0;
  ww_softmax_topk_put(out, &at, "-D");
  ww_softmax_topk_put(out, &at, macro);
  ww_softmax_topk_put(out, &at, "=");
  if (v.kind == WW_SOFTMAX_TOPK_INTEGER) ww_softmax_topk_put_integer(out, &at, v.integer);
  if (v.kind == WW_SOFTMAX_TOPK_REAL) ww_softmax_topk_put_real(out, &at, v.real);
  if (v.kind == WW_SOFTMAX_TOPK_TEXT) ww_softmax_topk_put(out, &at, v.text);
  ++out->count;
}
static inline void ww_softmax_topk_set_extent(ww_softmax_topk_launch_plan *out, long long *extent, ww_softmax_topk_value v) {
  if (v.kind == WW_SOFTMAX_TOPK_INTEGER) *extent = v.integer;
  if (v.kind != WW_SOFTMAX_TOPK_INTEGER) out->ok = 0;
}

/* What NVRTC or nvcc is given to compile the configuration's source for the problem, one option
   an entry. */
static inline ww_softmax_topk_options ww_softmax_topk_defines(ww_softmax_topk_configuration configuration, ww_softmax_topk_problem problem) {
  ww_softmax_topk_options out;
  out.count = 0;
  switch (configuration.variant) {
    case WW_SOFTMAX_TOPK_VARIANT_NAIVE:
      ww_softmax_topk_put_define(&out, "THREADS", ww_softmax_topk_integer(configuration.threads));
      break;
    case WW_SOFTMAX_TOPK_VARIANT_BLOCK_ROW:
      ww_softmax_topk_put_define(&out, "THREADS", ww_softmax_topk_integer(configuration.threads));
      ww_softmax_topk_put_define(&out, "LOCAL_K", ww_softmax_topk_integer(configuration.local_k));
      ww_softmax_topk_put_define(&out, "ONLINE", ww_softmax_topk_integer(configuration.online));
      break;
    case WW_SOFTMAX_TOPK_VARIANT_VECTORIZED:
      ww_softmax_topk_put_define(&out, "THREADS", ww_softmax_topk_integer(configuration.threads));
      ww_softmax_topk_put_define(&out, "UNROLL", ww_softmax_topk_integer(configuration.unroll));
      ww_softmax_topk_put_define(&out, "LOCAL_K", ww_softmax_topk_integer(configuration.local_k));
      break;
    case WW_SOFTMAX_TOPK_VARIANT_WARP_ROW:
      ww_softmax_topk_put_define(&out, "UNROLL", ww_softmax_topk_integer(configuration.unroll));
      ww_softmax_topk_put_define(&out, "WARPS_PER_BLOCK", ww_softmax_topk_integer(configuration.warps_per_block));
      ww_softmax_topk_put_define(&out, "PREFETCH", ww_softmax_topk_integer(configuration.prefetch));
      break;
    case WW_SOFTMAX_TOPK_VARIANT_THRESHOLD:
      ww_softmax_topk_put_define(&out, "THREADS", ww_softmax_topk_integer(configuration.threads));
      ww_softmax_topk_put_define(&out, "UNROLL", ww_softmax_topk_integer(configuration.unroll));
      ww_softmax_topk_put_define(&out, "CAPACITY", ww_softmax_topk_integer(configuration.capacity));
      ww_softmax_topk_put_define(&out, "MIN_BLOCKS", ww_softmax_topk_integer(configuration.min_blocks));
      ww_softmax_topk_put_define(&out, "PREFETCH", ww_softmax_topk_integer(configuration.prefetch));
      break;
    case WW_SOFTMAX_TOPK_VARIANT_SPLIT:
      ww_softmax_topk_put_define(&out, "THREADS", ww_softmax_topk_integer(configuration.threads));
      ww_softmax_topk_put_define(&out, "UNROLL", ww_softmax_topk_integer(configuration.unroll));
      ww_softmax_topk_put_define(&out, "CAPACITY", ww_softmax_topk_integer(configuration.capacity));
      ww_softmax_topk_put_define(&out, "SPLITS", ww_softmax_topk_integer(configuration.splits));
      ww_softmax_topk_put_define(&out, "MERGE_THREADS", ww_softmax_topk_integer(configuration.merge_threads));
      break;
  }
  ww_softmax_topk_put_define(&out, "TOP_K", ww_softmax_topk_integer(problem.K));
  ww_softmax_topk_put_define(&out, "DTYPE", ww_softmax_topk_text(ww_softmax_topk_dtype_name(problem.dtype)));
  return out;
}

static inline ww_softmax_topk_launch_plan ww_softmax_topk_no_launch(void) {
  ww_softmax_topk_launch_plan out;
  int i;
  out.ok = 0;
  out.entry = 0;
  out.shared_bytes = 0;
  for (i = 0; i < 3; ++i) out.grid[i] = out.block[i] = out.cluster[i] = 1;
  return out;
}

static inline ww_softmax_topk_launch_plan ww_softmax_topk_launch_naive(ww_softmax_topk_configuration configuration, ww_softmax_topk_problem problem,
    ww_softmax_topk_limits limits, int index) {
  const ww_softmax_topk_value rows = ww_softmax_topk_integer(problem.rows);
  const ww_softmax_topk_value threads = ww_softmax_topk_integer(configuration.threads);
  (void)limits;
  ww_softmax_topk_launch_plan out = ww_softmax_topk_no_launch();
  switch (index) {
    case 0:
      out.ok = 1;
      out.entry = "softmax_rows";
      ww_softmax_topk_set_extent(&out, &out.grid[0], rows);
      ww_softmax_topk_set_extent(&out, &out.block[0], threads);
      break;
    case 1:
      out.ok = 1;
      out.entry = "topk_rows";
      ww_softmax_topk_set_extent(&out, &out.grid[0], rows);
      ww_softmax_topk_set_extent(&out, &out.block[0], threads);
      break;
    default:
      break;
  }
  return out;
}

static inline ww_softmax_topk_launch_plan ww_softmax_topk_launch_block_row(ww_softmax_topk_configuration configuration, ww_softmax_topk_problem problem,
    ww_softmax_topk_limits limits, int index) {
  const ww_softmax_topk_value rows = ww_softmax_topk_integer(problem.rows);
  const ww_softmax_topk_value threads = ww_softmax_topk_integer(configuration.threads);
  (void)limits;
  ww_softmax_topk_launch_plan out = ww_softmax_topk_no_launch();
  switch (index) {
    case 0:
      out.ok = 1;
      out.entry = "softmax_topk";
      ww_softmax_topk_set_extent(&out, &out.grid[0], rows);
      ww_softmax_topk_set_extent(&out, &out.block[0], threads);
      break;
    default:
      break;
  }
  return out;
}

static inline ww_softmax_topk_launch_plan ww_softmax_topk_launch_vectorized(ww_softmax_topk_configuration configuration, ww_softmax_topk_problem problem,
    ww_softmax_topk_limits limits, int index) {
  const ww_softmax_topk_value rows = ww_softmax_topk_integer(problem.rows);
  const ww_softmax_topk_value K = ww_softmax_topk_integer(problem.K);
  const ww_softmax_topk_value threads = ww_softmax_topk_integer(configuration.threads);
  (void)limits;
  ww_softmax_topk_launch_plan out = ww_softmax_topk_no_launch();
  switch (index) {
    case 0:
      out.ok = 1;
      out.entry = "softmax_topk";
      ww_softmax_topk_set_extent(&out, &out.grid[0], rows);
      ww_softmax_topk_set_extent(&out, &out.block[0], threads);
      ww_softmax_topk_set_extent(&out, &out.shared_bytes, ww_softmax_topk_multiply(ww_softmax_topk_multiply(ww_softmax_topk_divide(threads, ww_softmax_topk_integer(32)), K), ww_softmax_topk_integer(8)));
      break;
    default:
      break;
  }
  return out;
}

static inline ww_softmax_topk_launch_plan ww_softmax_topk_launch_warp_row(ww_softmax_topk_configuration configuration, ww_softmax_topk_problem problem,
    ww_softmax_topk_limits limits, int index) {
  const ww_softmax_topk_value rows = ww_softmax_topk_integer(problem.rows);
  const ww_softmax_topk_value warps_per_block = ww_softmax_topk_integer(configuration.warps_per_block);
  (void)limits;
  ww_softmax_topk_launch_plan out = ww_softmax_topk_no_launch();
  switch (index) {
    case 0:
      out.ok = 1;
      out.entry = "softmax_topk";
      ww_softmax_topk_set_extent(&out, &out.grid[0], ww_softmax_topk_ceil_div(rows, warps_per_block));
      ww_softmax_topk_set_extent(&out, &out.block[0], ww_softmax_topk_multiply(ww_softmax_topk_integer(32), warps_per_block));
      break;
    default:
      break;
  }
  return out;
}

static inline ww_softmax_topk_launch_plan ww_softmax_topk_launch_threshold(ww_softmax_topk_configuration configuration, ww_softmax_topk_problem problem,
    ww_softmax_topk_limits limits, int index) {
  const ww_softmax_topk_value rows = ww_softmax_topk_integer(problem.rows);
  const ww_softmax_topk_value threads = ww_softmax_topk_integer(configuration.threads);
  const ww_softmax_topk_value capacity = ww_softmax_topk_integer(configuration.capacity);
  (void)limits;
  ww_softmax_topk_launch_plan out = ww_softmax_topk_no_launch();
  switch (index) {
    case 0:
      out.ok = 1;
      out.entry = "softmax_topk";
      ww_softmax_topk_set_extent(&out, &out.grid[0], rows);
      ww_softmax_topk_set_extent(&out, &out.block[0], threads);
      ww_softmax_topk_set_extent(&out, &out.shared_bytes, ww_softmax_topk_multiply(ww_softmax_topk_integer(8), capacity));
      break;
    default:
      break;
  }
  return out;
}

static inline ww_softmax_topk_launch_plan ww_softmax_topk_launch_split(ww_softmax_topk_configuration configuration, ww_softmax_topk_problem problem,
    ww_softmax_topk_limits limits, int index) {
  const ww_softmax_topk_value rows = ww_softmax_topk_integer(problem.rows);
  const ww_softmax_topk_value threads = ww_softmax_topk_integer(configuration.threads);
  const ww_softmax_topk_value capacity = ww_softmax_topk_integer(configuration.capacity);
  const ww_softmax_topk_value splits = ww_softmax_topk_integer(configuration.splits);
  const ww_softmax_topk_value merge_threads = ww_softmax_topk_integer(configuration.merge_threads);
  (void)limits;
  ww_softmax_topk_launch_plan out = ww_softmax_topk_no_launch();
  switch (index) {
    case 0:
      out.ok = 1;
      out.entry = "softmax_topk_parts";
      ww_softmax_topk_set_extent(&out, &out.grid[0], splits);
      ww_softmax_topk_set_extent(&out, &out.grid[1], rows);
      ww_softmax_topk_set_extent(&out, &out.block[0], threads);
      ww_softmax_topk_set_extent(&out, &out.shared_bytes, ww_softmax_topk_multiply(ww_softmax_topk_integer(8), capacity));
      break;
    case 1:
      out.ok = 1;
      out.entry = "softmax_topk_merge";
      ww_softmax_topk_set_extent(&out, &out.grid[0], rows);
      ww_softmax_topk_set_extent(&out, &out.block[0], merge_threads);
      break;
    default:
      break;
  }
  return out;
}

/* Launch `index` of configuration.launch_count, in stream order. Give it the limits of the
   selection. */
static inline ww_softmax_topk_launch_plan ww_softmax_topk_launch(ww_softmax_topk_configuration configuration, ww_softmax_topk_problem problem,
    ww_softmax_topk_limits limits, int index) {
  switch (configuration.variant) {
    case WW_SOFTMAX_TOPK_VARIANT_NAIVE:
      return ww_softmax_topk_launch_naive(configuration, problem, limits, index);
    case WW_SOFTMAX_TOPK_VARIANT_BLOCK_ROW:
      return ww_softmax_topk_launch_block_row(configuration, problem, limits, index);
    case WW_SOFTMAX_TOPK_VARIANT_VECTORIZED:
      return ww_softmax_topk_launch_vectorized(configuration, problem, limits, index);
    case WW_SOFTMAX_TOPK_VARIANT_WARP_ROW:
      return ww_softmax_topk_launch_warp_row(configuration, problem, limits, index);
    case WW_SOFTMAX_TOPK_VARIANT_THRESHOLD:
      return ww_softmax_topk_launch_threshold(configuration, problem, limits, index);
    case WW_SOFTMAX_TOPK_VARIANT_SPLIT:
      return ww_softmax_topk_launch_split(configuration, problem, limits, index);
  }
  return ww_softmax_topk_no_launch();
}

#endif
