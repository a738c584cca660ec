/* clang-format off */
/* softmax_topk: Softmax over the last axis of the logits, of which only the K largest entries
   are kept */
/* Tuned configurations, written by `warpwright export`. Do not edit: export again. */
/* export: {"kernel":"softmax_topk","prefix":"ww_","namespace":""} */
/* written by warpwright 0.1.0 */
/* NVIDIA H200 (sm_90a): 8 problems, 2147 configurations tried; times are measured, by warpwright
   0.1.0. */
/* Left out one at a time, 4 of 7 tuned problems get a configuration within 10 % of their best
   from the others. */
/*
     const ww_device device = {"NVIDIA H200", "sm_90a", {0}};
     const ww_softmax_topk_problem problem = {1, 151936, 50, WW_SOFTMAX_TOPK_DTYPE_F32};
     const ww_selection chosen = ww_softmax_topk_select(device, problem);
     const ww_launch_plan plan = ww_softmax_topk_launch(chosen, problem, 0);

   warpwright_select.h says how it is compiled and launched. C99, C++17 and NVRTC. */
#ifndef WW_SOFTMAX_TOPK_H
#define WW_SOFTMAX_TOPK_H

#include "warpwright_select.h"

#if WARPWRIGHT_SELECT_VERSION != 1
#error this header is of another version than warpwright_select.h: export again
#endif

typedef enum { WW_SOFTMAX_TOPK_DTYPE_F32, WW_SOFTMAX_TOPK_DTYPE_BF16 } ww_softmax_topk_dtype;
WW_FN const char *ww_softmax_topk_dtype_name(ww_softmax_topk_dtype v) {
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
WW_FN const char *ww_softmax_topk_variant_name(ww_softmax_topk_variant v) {
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

typedef struct ww_softmax_topk_problem {
  long long rows WW_INIT(0); /* positions, batch times sequence; 1 to 65535 */
  long long V WW_INIT(0); /* vocabulary size; at least 1 */
  long long K WW_INIT(0); /* entries kept per row; 1 to 256 */
  ww_softmax_topk_dtype dtype WW_INIT(WW_SOFTMAX_TOPK_DTYPE_F32);
} ww_softmax_topk_problem;
/* With the contract's defaults, which C++ has where sizes are left out; 0 where there is none. */
WW_FN ww_softmax_topk_problem ww_softmax_topk_default_problem(void) {
  ww_softmax_topk_problem problem = WW_ZERO;
  problem.rows = 0;
  problem.V = 0;
  problem.K = 0;
  problem.dtype = WW_SOFTMAX_TOPK_DTYPE_F32;
  return problem;
}

/* Of all launches the largest, as compiled when it was tuned; -1: not known. */
typedef struct ww_softmax_topk_resources {
  int registers WW_INIT(-1); /* per thread */
  int shared_bytes WW_INIT(-1); /* per block, static and dynamic */
  int spill_bytes WW_INIT(-1); /* per thread */
} ww_softmax_topk_resources;

/* Parameters that the variant does not have hold the contract's defaults. */
typedef struct ww_softmax_topk_configuration {
  ww_softmax_topk_variant variant WW_INIT(WW_SOFTMAX_TOPK_VARIANT_NAIVE);
  long long threads WW_INIT(256); /* THREADS: threads per block */
  long long unroll WW_INIT(4); /* UNROLL: 16-byte loads of a thread before it uses the first */
  /* LOCAL_K: places of a thread's sorted list; a list that runs empty is filled again */
  long long local_k WW_INIT(4);
  long long online WW_INIT(1); /* ONLINE: 1 builds maximum and sum in one pass, 0 in two */
  long long warps_per_block WW_INIT(4); /* WARPS_PER_BLOCK: rows per block */
  long long capacity WW_INIT(1024); /* CAPACITY: candidates that the buffer holds */
  /* MIN_BLOCKS: blocks that must fit on an SM at once; limits the registers */
  long long min_blocks WW_INIT(4);
  long long prefetch WW_INIT(0); /* PREFETCH: 1 loads the next tile before working on this one */
  long long splits WW_INIT(2); /* SPLITS: blocks that share a row */
  /* MERGE_THREADS: threads of the block that merges the parts of a row */
  long long merge_threads WW_INIT(256);
  const char *source WW_INIT(0); /* file name */
  int launch_count WW_INIT(0);
  ww_softmax_topk_resources resources WW_INIT({});
  const char *text WW_INIT(0); /* as `warpwright show` prints it */
} ww_softmax_topk_configuration;

/* A tuned problem: what won, and how that is known. */
typedef struct ww_softmax_topk_board {
  int device WW_INIT(0); /* in the table of devices */
  ww_softmax_topk_problem problem WW_INIT({});
  int winner WW_INIT(0); /* in the table of configurations */
  double median_us WW_INIT(0);
  double ci_low_us WW_INIT(0); /* 95 % interval; both equal the median where none is known */
  double ci_high_us WW_INIT(0);
  int modelled WW_INIT(0); /* 1: by an emulator; else measured */
  const char *protocol WW_INIT(0); /* of the times */
  int tried WW_INIT(0); /* configurations */
  int rounds WW_INIT(0); /* of the final ranking; 0: there was none */
  int tied WW_INIT(0); /* others that cannot be told from the winner */
  const char *tie_set WW_INIT(0); /* they, one a line, at most 16 */
  const char *driver WW_INIT(0);
  const char *nvrtc WW_INIT(0);
  const char *tuner WW_INIT(0); /* version and commit */
  const char *measured WW_INIT(0); /* UTC */
  const char *contract_hash WW_INIT(0); /* of the winner's sources */
} ww_softmax_topk_board;

enum {
  WW_SOFTMAX_TOPK_DEVICE_COUNT = 1,
  WW_SOFTMAX_TOPK_BOARD_COUNT = 8,
  WW_SOFTMAX_TOPK_CANDIDATE_COUNT = 9,
  WW_SOFTMAX_TOPK_DEFAULT_COUNT = 6,
  WW_SOFTMAX_TOPK_CONFIGURATION_COUNT = 15,
  WW_SOFTMAX_TOPK_FILE_COUNT = 15,
  WW_SOFTMAX_TOPK_INCLUDE_COUNT = 2
};

WW_DATA ww_device ww_softmax_topk_devices[WW_SOFTMAX_TOPK_DEVICE_COUNT] = {
    {"NVIDIA H200", "sm_90a", {232448, 1024, 32, 132, 65536, 65536, 62914560, 90, 150109880320LL}},
};

/* The portfolio; after it the contract's defaults of every variant. */
WW_DATA ww_softmax_topk_configuration ww_softmax_topk_configurations[WW_SOFTMAX_TOPK_CONFIGURATION_COUNT] = {
    /* 0: threshold CAPACITY=1024 MIN_BLOCKS=8 PREFETCH=0 THREADS=128 UNROLL=3; wins 1 problem */
    {WW_SOFTMAX_TOPK_VARIANT_THRESHOLD, /*threads*/ 128, /*unroll*/ 3, /*local_k*/ 4, /*online*/ 1,
     /*warps_per_block*/ 4, /*capacity*/ 1024, /*min_blocks*/ 8, /*prefetch*/ 0, /*splits*/ 2,
     /*merge_threads*/ 256,
     "threshold.cu", 1, {58, 8976, 0},
     "threshold CAPACITY=1024 MIN_BLOCKS=8 PREFETCH=0 THREADS=128 UNROLL=3"},
    /* 1: threshold CAPACITY=1024 MIN_BLOCKS=8 PREFETCH=0 THREADS=128 UNROLL=6; wins 1 problem */
    {WW_SOFTMAX_TOPK_VARIANT_THRESHOLD, /*threads*/ 128, /*unroll*/ 6, /*local_k*/ 4, /*online*/ 1,
     /*warps_per_block*/ 4, /*capacity*/ 1024, /*min_blocks*/ 8, /*prefetch*/ 0, /*splits*/ 2,
     /*merge_threads*/ 256,
     "threshold.cu", 1, {63, 8976, 0},
     "threshold CAPACITY=1024 MIN_BLOCKS=8 PREFETCH=0 THREADS=128 UNROLL=6"},
    /* 2: threshold CAPACITY=1024 MIN_BLOCKS=2 PREFETCH=0 THREADS=512 UNROLL=6; wins 1 problem */
    {WW_SOFTMAX_TOPK_VARIANT_THRESHOLD, /*threads*/ 512, /*unroll*/ 6, /*local_k*/ 4, /*online*/ 1,
     /*warps_per_block*/ 4, /*capacity*/ 1024, /*min_blocks*/ 2, /*prefetch*/ 0, /*splits*/ 2,
     /*merge_threads*/ 256,
     "threshold.cu", 1, {63, 8976, 0},
     "threshold CAPACITY=1024 MIN_BLOCKS=2 PREFETCH=0 THREADS=512 UNROLL=6"},
    /* 3: threshold CAPACITY=2048 MIN_BLOCKS=3 PREFETCH=0 THREADS=512 UNROLL=6; wins 1 problem */
    {WW_SOFTMAX_TOPK_VARIANT_THRESHOLD, /*threads*/ 512, /*unroll*/ 6, /*local_k*/ 4, /*online*/ 1,
     /*warps_per_block*/ 4, /*capacity*/ 2048, /*min_blocks*/ 3, /*prefetch*/ 0, /*splits*/ 2,
     /*merge_threads*/ 256,
     "threshold.cu", 1, {40, 17168, 226},
     "threshold CAPACITY=2048 MIN_BLOCKS=3 PREFETCH=0 THREADS=512 UNROLL=6"},
    /* 4: threshold CAPACITY=1024 MIN_BLOCKS=1 PREFETCH=0 THREADS=1024 UNROLL=3; wins 1 problem */
    {WW_SOFTMAX_TOPK_VARIANT_THRESHOLD, /*threads*/ 1024, /*unroll*/ 3, /*local_k*/ 4, /*online*/ 1,
     /*warps_per_block*/ 4, /*capacity*/ 1024, /*min_blocks*/ 1, /*prefetch*/ 0, /*splits*/ 2,
     /*merge_threads*/ 256,
     "threshold.cu", 1, {58, 8976, 0},
     "threshold CAPACITY=1024 MIN_BLOCKS=1 PREFETCH=0 THREADS=1024 UNROLL=3"},
    /* 5: threshold CAPACITY=1024 MIN_BLOCKS=1 PREFETCH=0 THREADS=1024 UNROLL=8; wins 2 problems */
    {WW_SOFTMAX_TOPK_VARIANT_THRESHOLD, /*threads*/ 1024, /*unroll*/ 8, /*local_k*/ 4, /*online*/ 1,
     /*warps_per_block*/ 4, /*capacity*/ 1024, /*min_blocks*/ 1, /*prefetch*/ 0, /*splits*/ 2,
     /*merge_threads*/ 256,
     "threshold.cu", 1, {64, 8976, 60},
     "threshold CAPACITY=1024 MIN_BLOCKS=1 PREFETCH=0 THREADS=1024 UNROLL=8"},
    /* 6: split CAPACITY=1024 MERGE_THREADS=256 SPLITS=64 THREADS=128 UNROLL=6; wins 1 problem */
    {WW_SOFTMAX_TOPK_VARIANT_SPLIT, /*threads*/ 128, /*unroll*/ 6, /*local_k*/ 4, /*online*/ 1,
     /*warps_per_block*/ 4, /*capacity*/ 1024, /*min_blocks*/ 4, /*prefetch*/ 0, /*splits*/ 64,
     /*merge_threads*/ 256,
     "split.cu", 2, {64, 8976, 0},
     "split CAPACITY=1024 MERGE_THREADS=256 SPLITS=64 THREADS=128 UNROLL=6"},
    /* 7: split CAPACITY=1024 MERGE_THREADS=256 SPLITS=8 THREADS=256 UNROLL=8 */
    {WW_SOFTMAX_TOPK_VARIANT_SPLIT, /*threads*/ 256, /*unroll*/ 8, /*local_k*/ 4, /*online*/ 1,
     /*warps_per_block*/ 4, /*capacity*/ 1024, /*min_blocks*/ 4, /*prefetch*/ 0, /*splits*/ 8,
     /*merge_threads*/ 256,
     "split.cu", 2, {78, 8976, 0},
     "split CAPACITY=1024 MERGE_THREADS=256 SPLITS=8 THREADS=256 UNROLL=8"},
    /* 8: split CAPACITY=1024 MERGE_THREADS=256 SPLITS=16 THREADS=512 UNROLL=6 */
    {WW_SOFTMAX_TOPK_VARIANT_SPLIT, /*threads*/ 512, /*unroll*/ 6, /*local_k*/ 4, /*online*/ 1,
     /*warps_per_block*/ 4, /*capacity*/ 1024, /*min_blocks*/ 4, /*prefetch*/ 0, /*splits*/ 16,
     /*merge_threads*/ 256,
     "split.cu", 2, {81, 8976, 0},
     "split CAPACITY=1024 MERGE_THREADS=256 SPLITS=16 THREADS=512 UNROLL=6"},
    /* 9: threshold CAPACITY=1024 MIN_BLOCKS=4 PREFETCH=0 THREADS=256 UNROLL=4, the defaults */
    {WW_SOFTMAX_TOPK_VARIANT_THRESHOLD, /*threads*/ 256, /*unroll*/ 4, /*local_k*/ 4, /*online*/ 1,
     /*warps_per_block*/ 4, /*capacity*/ 1024, /*min_blocks*/ 4, /*prefetch*/ 0, /*splits*/ 2,
     /*merge_threads*/ 256,
     "threshold.cu", 1, {-1, -1, -1},
     "threshold CAPACITY=1024 MIN_BLOCKS=4 PREFETCH=0 THREADS=256 UNROLL=4"},
    /* 10: split CAPACITY=1024 MERGE_THREADS=256 SPLITS=2 THREADS=256 UNROLL=4, the defaults */
    {WW_SOFTMAX_TOPK_VARIANT_SPLIT, /*threads*/ 256, /*unroll*/ 4, /*local_k*/ 4, /*online*/ 1,
     /*warps_per_block*/ 4, /*capacity*/ 1024, /*min_blocks*/ 4, /*prefetch*/ 0, /*splits*/ 2,
     /*merge_threads*/ 256,
     "split.cu", 2, {-1, -1, -1},
     "split CAPACITY=1024 MERGE_THREADS=256 SPLITS=2 THREADS=256 UNROLL=4"},
    /* 11: block_row LOCAL_K=4 ONLINE=1 THREADS=256, the defaults */
    {WW_SOFTMAX_TOPK_VARIANT_BLOCK_ROW, /*threads*/ 256, /*unroll*/ 4, /*local_k*/ 4, /*online*/ 1,
     /*warps_per_block*/ 4, /*capacity*/ 1024, /*min_blocks*/ 4, /*prefetch*/ 0, /*splits*/ 2,
     /*merge_threads*/ 256,
     "block_row.cu", 1, {-1, -1, -1},
     "block_row LOCAL_K=4 ONLINE=1 THREADS=256"},
    /* 12: warp_row PREFETCH=0 UNROLL=4 WARPS_PER_BLOCK=4, the defaults */
    {WW_SOFTMAX_TOPK_VARIANT_WARP_ROW, /*threads*/ 256, /*unroll*/ 4, /*local_k*/ 4, /*online*/ 1,
     /*warps_per_block*/ 4, /*capacity*/ 1024, /*min_blocks*/ 4, /*prefetch*/ 0, /*splits*/ 2,
     /*merge_threads*/ 256,
     "warp_row.cu", 1, {-1, -1, -1},
     "warp_row PREFETCH=0 UNROLL=4 WARPS_PER_BLOCK=4"},
    /* 13: vectorized LOCAL_K=4 THREADS=256 UNROLL=4, the defaults */
    {WW_SOFTMAX_TOPK_VARIANT_VECTORIZED, /*threads*/ 256, /*unroll*/ 4, /*local_k*/ 4, /*online*/ 1,
     /*warps_per_block*/ 4, /*capacity*/ 1024, /*min_blocks*/ 4, /*prefetch*/ 0, /*splits*/ 2,
     /*merge_threads*/ 256,
     "vectorized.cu", 1, {-1, -1, -1},
     "vectorized LOCAL_K=4 THREADS=256 UNROLL=4"},
    /* 14: naive THREADS=256, the defaults */
    {WW_SOFTMAX_TOPK_VARIANT_NAIVE, /*threads*/ 256, /*unroll*/ 4, /*local_k*/ 4, /*online*/ 1,
     /*warps_per_block*/ 4, /*capacity*/ 1024, /*min_blocks*/ 4, /*prefetch*/ 0, /*splits*/ 2,
     /*merge_threads*/ 256,
     "naive.cu", 2, {-1, -1, -1},
     "naive THREADS=256"},
};

WW_DATA ww_softmax_topk_board ww_softmax_topk_boards[WW_SOFTMAX_TOPK_BOARD_COUNT] = {
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
WW_DATA short ww_softmax_topk_fractions[WW_SOFTMAX_TOPK_CANDIDATE_COUNT][WW_SOFTMAX_TOPK_BOARD_COUNT] = {
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

/* The same of the best configuration of each default's variant. */
WW_DATA short ww_softmax_topk_merits[WW_SOFTMAX_TOPK_DEFAULT_COUNT][WW_SOFTMAX_TOPK_BOARD_COUNT] = {
    { 525, 1000, 1000, 1000, 1000, 1000, 1000, 1000},
    {1000,  940,  945,  882,  950,   -1,  891,   -1},
    { 118,  213,  250,  389,  436,  417,  532,  274},
    {  -1,   -1,   -1,   -1,  701,  906,  939,   -1},
    {  97,  178,   -1,   -1,  362,  382,  483,   -1},
    {  21,   94,   45,   61,   70,  144,  138,   19},
};

/* What it was tuned from. Compile these very files: `warpwright export --verify` says whether a
   tree has them. */
WW_DATA ww_file ww_softmax_topk_files[WW_SOFTMAX_TOPK_FILE_COUNT] = {
    {"kernels/common/reference.h",
     "a8bc0c6a4d7f873c8749dd53a8f0ede94ed79a2f4bb6cac008a50ba69d371c9b"},
    {"kernels/common/topk.cuh",
     "a3a90801dddc5728e0d0b498bada547ac125f31aeddc944a31a1e4a4fba0bf14"},
    {"kernels/common/types.cuh",
     "2d2999a5c47791c5ff08012d47a2f1ef319061ddaa4bca89ef962a057ac7fe4a"},
    {"kernels/common/vector_io.cuh",
     "2665d6b14f07b798024a8eb12d474c95b681ead55bdce66c7a80c1e62ba0dff2"},
    {"kernels/common/warp.cuh",
     "85b283ee72c430595689d74369ddf4df4a9ed1817f4eb0b0f45b046444027cb5"},
    {"kernels/softmax_topk/block_row.cu",
     "acd4faa67c52862c447afcd87b3ae23c52b7412e40322732034ab5a2e96aaa67"},
    {"kernels/softmax_topk/kernel.yaml",
     "80ee73ad384704decf75d01020e222eb94f417b677b9bead789b6060e6b613ee"},
    {"kernels/softmax_topk/naive.cu",
     "106f840de02aa5ed55902d766e15841c63eae342be3ca37fe7a241597adb729a"},
    {"kernels/softmax_topk/reference.cpp",
     "077da698dedee52f904fe5828c952694377cc2d4a91542344ba7044aa462cfd4"},
    {"kernels/softmax_topk/softmax_sum.cuh",
     "b5888c38e2f2eb144d8dfc167018f2be85510d64b732d9983502cf0479991574"},
    {"kernels/softmax_topk/split.cu",
     "46842ccced69aeb40ec8b0f7d6d541f893b0206f0192157e52dfb9b1c4c2a64f"},
    {"kernels/softmax_topk/streaming_topk.cuh",
     "40a7f642b7406c72e31e872dd7960b9e326c316b2b932e4cf75de0f8c9fb93cb"},
    {"kernels/softmax_topk/threshold.cu",
     "d83ffd2f98746c2dd23f7adc9054740a3c43175ff136cd6a757f413bdd8b94de"},
    {"kernels/softmax_topk/vectorized.cu",
     "a903563bac8a5d671250fa56dff7dbbabdb109ed677614771bf9325d7341bd54"},
    {"kernels/softmax_topk/warp_row.cu",
     "22d22dffe4c5d92f08c6824d7745c60b6229ce34ac2b76f2eab88afa3a7a0e86"},
};

/* Folders of headers below the folder of kernels, in the order in which they are searched; the
   first holds the sources. */
WW_DATA char ww_softmax_topk_includes[WW_SOFTMAX_TOPK_INCLUDE_COUNT][13] = {
    "softmax_topk",
    "common",
};

/* The contract's types and limits of every size. */
WW_FN int ww_softmax_topk_valid(ww_softmax_topk_problem problem) {
  if (problem.rows < 1) return 0;
  if (problem.rows > 65535) return 0;
  if (problem.V < 1) return 0;
  if (problem.K < 1) return 0;
  if (problem.K > 256) return 0;
  if (ww_softmax_topk_dtype_name(problem.dtype) == 0) return 0;
  return 1;
}

WW_FN int ww_softmax_topk_same_sizes(ww_softmax_topk_problem a, ww_softmax_topk_problem b) {
  return a.rows == b.rows &&
         a.V == b.V &&
         a.K == b.K &&
         a.dtype == b.dtype;
}
/* How many sizes that have no distance, such as dtypes, differ. */
WW_FN int ww_softmax_topk_other_choices(ww_softmax_topk_problem a, ww_softmax_topk_problem b) {
  int count = 0;
  if (a.dtype != b.dtype) ++count;
  return count;
}

enum {
  WW_SOFTMAX_TOPK_AXIS_COUNT = 3
};
/* Where a problem lies: distances are Euclidean in log2(1 + size) and in twice the log2 of the
   contract's traffic. */
typedef struct ww_softmax_topk_place {
  double axes[WW_SOFTMAX_TOPK_AXIS_COUNT] WW_INIT({});
  int counted WW_INIT(0);
  double work WW_INIT(0);
} ww_softmax_topk_place;
WW_FN ww_softmax_topk_place ww_softmax_topk_place_of(ww_softmax_topk_problem problem) {
  const ww_value rows = ww_integer(problem.rows);
  const ww_value V = ww_integer(problem.V);
  const ww_value K = ww_integer(problem.K);
  const ww_value dtype = ww_text(ww_softmax_topk_dtype_name(problem.dtype));
  /* Bytes that the contract counts. */
  const ww_value work = ww_add(ww_multiply(ww_multiply(rows, V), ww_bytes_of(dtype)), ww_multiply(ww_multiply(rows, K), ww_integer(8)));
  ww_softmax_topk_place place = WW_ZERO;
  place.axes[0] = ww_size_scale((double)problem.rows);
  place.axes[1] = ww_size_scale((double)problem.V);
  place.axes[2] = ww_size_scale((double)problem.K);
  place.counted = ww_number(work);
  place.work = place.counted ? ww_size_scale(ww_as_real(work)) : 0;
  return place;
}

WW_FN int ww_softmax_topk_allowed_naive(ww_softmax_topk_configuration configuration, ww_softmax_topk_problem problem,
    ww_limits limits) {
  const ww_value rows = ww_integer(problem.rows);
  const ww_value V = ww_integer(problem.V);
  const ww_value K = ww_integer(problem.K);
  const ww_value dtype = ww_text(ww_softmax_topk_dtype_name(problem.dtype));
  const ww_value threads = ww_integer(configuration.threads);
  const ww_value device_max_threads = ww_integer(limits.max_threads);
  /* a row must have K entries */
  if (!ww_holds(ww_less_equal(K, V))) return 0;
  /* positions in a row are 32-bit integers */
  if (!ww_holds(ww_less_equal(V, ww_integer(1073741824)))) return 0;
  /* a block is made of whole warps */
  if (!ww_holds(ww_equal(ww_remainder(threads, ww_integer(32)), ww_integer(0)))) return 0;
  /* logits is an array */
  if (!ww_holds(ww_greater_equal(ww_multiply(ww_multiply(ww_bytes_of(dtype), rows), V), ww_integer(0)))) return 0;
  /* probs is an array */
  if (!ww_holds(ww_greater_equal(ww_multiply(ww_multiply(ww_bytes_of(ww_text("f32")), rows), K), ww_integer(0)))) return 0;
  /* indices is an array */
  if (!ww_holds(ww_greater_equal(ww_multiply(ww_multiply(ww_bytes_of(ww_text("i32")), rows), K), ww_integer(0)))) return 0;
  /* workspace is an array */
  if (!ww_holds(ww_greater_equal(ww_multiply(ww_multiply(ww_bytes_of(ww_text("f32")), rows), ww_larger(V, ww_multiply(ww_integer(64), ww_add(ww_multiply(ww_integer(2), K), ww_integer(2))))), ww_integer(0)))) return 0;
  /* the argument rows is an i32 */
  if (!ww_holds(ww_and(ww_greater_equal(rows, ww_integer(-2147483648LL)), ww_less_equal(rows, ww_integer(2147483647))))) return 0;
  /* the argument V is an i32 */
  if (!ww_holds(ww_and(ww_greater_equal(V, ww_integer(-2147483648LL)), ww_less_equal(V, ww_integer(2147483647))))) return 0;
  /* a grid has 1 to 2^31 - 1 blocks in x */
  if (!ww_holds(ww_and(ww_greater_equal(rows, ww_integer(1)), ww_less_equal(rows, ww_integer(2147483647))))) return 0;
  /* a block has threads */
  if (!ww_holds(ww_greater_equal(threads, ww_integer(1)))) return 0;
  /* the device launches no more */
  if (!ww_holds(ww_less_equal(threads, device_max_threads))) return 0;
  return 1;
}

WW_FN int ww_softmax_topk_allowed_block_row(ww_softmax_topk_configuration configuration, ww_softmax_topk_problem problem,
    ww_limits limits) {
  const ww_value rows = ww_integer(problem.rows);
  const ww_value V = ww_integer(problem.V);
  const ww_value K = ww_integer(problem.K);
  const ww_value dtype = ww_text(ww_softmax_topk_dtype_name(problem.dtype));
  const ww_value threads = ww_integer(configuration.threads);
  const ww_value device_max_threads = ww_integer(limits.max_threads);
  /* a row must have K entries */
  if (!ww_holds(ww_less_equal(K, V))) return 0;
  /* positions in a row are 32-bit integers */
  if (!ww_holds(ww_less_equal(V, ww_integer(1073741824)))) return 0;
  /* a block is made of whole warps */
  if (!ww_holds(ww_equal(ww_remainder(threads, ww_integer(32)), ww_integer(0)))) return 0;
  /* logits is an array */
  if (!ww_holds(ww_greater_equal(ww_multiply(ww_multiply(ww_bytes_of(dtype), rows), V), ww_integer(0)))) return 0;
  /* probs is an array */
  if (!ww_holds(ww_greater_equal(ww_multiply(ww_multiply(ww_bytes_of(ww_text("f32")), rows), K), ww_integer(0)))) return 0;
  /* indices is an array */
  if (!ww_holds(ww_greater_equal(ww_multiply(ww_multiply(ww_bytes_of(ww_text("i32")), rows), K), ww_integer(0)))) return 0;
  /* the argument rows is an i32 */
  if (!ww_holds(ww_and(ww_greater_equal(rows, ww_integer(-2147483648LL)), ww_less_equal(rows, ww_integer(2147483647))))) return 0;
  /* the argument V is an i32 */
  if (!ww_holds(ww_and(ww_greater_equal(V, ww_integer(-2147483648LL)), ww_less_equal(V, ww_integer(2147483647))))) return 0;
  /* a grid has 1 to 2^31 - 1 blocks in x */
  if (!ww_holds(ww_and(ww_greater_equal(rows, ww_integer(1)), ww_less_equal(rows, ww_integer(2147483647))))) return 0;
  /* a block has threads */
  if (!ww_holds(ww_greater_equal(threads, ww_integer(1)))) return 0;
  /* the device launches no more */
  if (!ww_holds(ww_less_equal(threads, device_max_threads))) return 0;
  return 1;
}

WW_FN int ww_softmax_topk_allowed_vectorized(ww_softmax_topk_configuration configuration, ww_softmax_topk_problem problem,
    ww_limits limits) {
  const ww_value rows = ww_integer(problem.rows);
  const ww_value V = ww_integer(problem.V);
  const ww_value K = ww_integer(problem.K);
  const ww_value dtype = ww_text(ww_softmax_topk_dtype_name(problem.dtype));
  const ww_value threads = ww_integer(configuration.threads);
  const ww_value device_max_shared = ww_integer(limits.max_shared);
  const ww_value device_max_threads = ww_integer(limits.max_threads);
  /* a row must have K entries */
  if (!ww_holds(ww_less_equal(K, V))) return 0;
  /* positions in a row are 32-bit integers */
  if (!ww_holds(ww_less_equal(V, ww_integer(1073741824)))) return 0;
  /* a block is made of whole warps */
  if (!ww_holds(ww_equal(ww_remainder(threads, ww_integer(32)), ww_integer(0)))) return 0;
  /* every warp keeps K keys in shared memory */
  if (!ww_holds(ww_less_equal(ww_add(ww_multiply(ww_multiply(ww_divide(threads, ww_integer(32)), K), ww_integer(8)), ww_integer(128)), device_max_shared))) return 0;
  /* logits is an array */
  if (!ww_holds(ww_greater_equal(ww_multiply(ww_multiply(ww_bytes_of(dtype), rows), V), ww_integer(0)))) return 0;
  /* probs is an array */
  if (!ww_holds(ww_greater_equal(ww_multiply(ww_multiply(ww_bytes_of(ww_text("f32")), rows), K), ww_integer(0)))) return 0;
  /* indices is an array */
  if (!ww_holds(ww_greater_equal(ww_multiply(ww_multiply(ww_bytes_of(ww_text("i32")), rows), K), ww_integer(0)))) return 0;
  /* the argument rows is an i32 */
  if (!ww_holds(ww_and(ww_greater_equal(rows, ww_integer(-2147483648LL)), ww_less_equal(rows, ww_integer(2147483647))))) return 0;
  /* the argument V is an i32 */
  if (!ww_holds(ww_and(ww_greater_equal(V, ww_integer(-2147483648LL)), ww_less_equal(V, ww_integer(2147483647))))) return 0;
  /* a grid has 1 to 2^31 - 1 blocks in x */
  if (!ww_holds(ww_and(ww_greater_equal(rows, ww_integer(1)), ww_less_equal(rows, ww_integer(2147483647))))) return 0;
  /* a block has threads */
  if (!ww_holds(ww_greater_equal(threads, ww_integer(1)))) return 0;
  /* the device launches no more */
  if (!ww_holds(ww_less_equal(threads, device_max_threads))) return 0;
  /* a block has no more shared memory */
  if (!ww_holds(ww_less_equal(ww_multiply(ww_multiply(ww_divide(threads, ww_integer(32)), K), ww_integer(8)), device_max_shared))) return 0;
  return 1;
}

WW_FN int ww_softmax_topk_allowed_warp_row(ww_softmax_topk_configuration configuration, ww_softmax_topk_problem problem,
    ww_limits limits) {
  const ww_value rows = ww_integer(problem.rows);
  const ww_value V = ww_integer(problem.V);
  const ww_value K = ww_integer(problem.K);
  const ww_value dtype = ww_text(ww_softmax_topk_dtype_name(problem.dtype));
  const ww_value warps_per_block = ww_integer(configuration.warps_per_block);
  const ww_value device_max_threads = ww_integer(limits.max_threads);
  /* a row must have K entries */
  if (!ww_holds(ww_less_equal(K, V))) return 0;
  /* positions in a row are 32-bit integers */
  if (!ww_holds(ww_less_equal(V, ww_integer(1073741824)))) return 0;
  /* each lane holds one of the K best */
  if (!ww_holds(ww_less_equal(K, ww_integer(32)))) return 0;
  /* logits is an array */
  if (!ww_holds(ww_greater_equal(ww_multiply(ww_multiply(ww_bytes_of(dtype), rows), V), ww_integer(0)))) return 0;
  /* probs is an array */
  if (!ww_holds(ww_greater_equal(ww_multiply(ww_multiply(ww_bytes_of(ww_text("f32")), rows), K), ww_integer(0)))) return 0;
  /* indices is an array */
  if (!ww_holds(ww_greater_equal(ww_multiply(ww_multiply(ww_bytes_of(ww_text("i32")), rows), K), ww_integer(0)))) return 0;
  /* the argument rows is an i32 */
  if (!ww_holds(ww_and(ww_greater_equal(rows, ww_integer(-2147483648LL)), ww_less_equal(rows, ww_integer(2147483647))))) return 0;
  /* the argument V is an i32 */
  if (!ww_holds(ww_and(ww_greater_equal(V, ww_integer(-2147483648LL)), ww_less_equal(V, ww_integer(2147483647))))) return 0;
  /* a grid has 1 to 2^31 - 1 blocks in x */
  if (!ww_holds(ww_and(ww_greater_equal(ww_ceil_div(rows, warps_per_block), ww_integer(1)), ww_less_equal(ww_ceil_div(rows, warps_per_block), ww_integer(2147483647))))) return 0;
  /* a block has threads */
  if (!ww_holds(ww_greater_equal(ww_multiply(ww_integer(32), warps_per_block), ww_integer(1)))) return 0;
  /* the device launches no more */
  if (!ww_holds(ww_less_equal(ww_multiply(ww_integer(32), warps_per_block), device_max_threads))) return 0;
  return 1;
}

WW_FN int ww_softmax_topk_allowed_threshold(ww_softmax_topk_configuration configuration, ww_softmax_topk_problem problem,
    ww_limits limits) {
  const ww_value rows = ww_integer(problem.rows);
  const ww_value V = ww_integer(problem.V);
  const ww_value K = ww_integer(problem.K);
  const ww_value dtype = ww_text(ww_softmax_topk_dtype_name(problem.dtype));
  const ww_value threads = ww_integer(configuration.threads);
  const ww_value unroll = ww_integer(configuration.unroll);
  const ww_value capacity = ww_integer(configuration.capacity);
  const ww_value min_blocks = ww_integer(configuration.min_blocks);
  const ww_value device_max_shared = ww_integer(limits.max_shared);
  const ww_value device_max_threads = ww_integer(limits.max_threads);
  /* a row must have K entries */
  if (!ww_holds(ww_less_equal(K, V))) return 0;
  /* positions in a row are 32-bit integers */
  if (!ww_holds(ww_less_equal(V, ww_integer(1073741824)))) return 0;
  /* a block is made of whole warps */
  if (!ww_holds(ww_equal(ww_remainder(threads, ww_integer(32)), ww_integer(0)))) return 0;
  /* the first threshold is the K-th of the threads' maxima */
  if (!ww_holds(ww_less_equal(K, threads))) return 0;
  /* a thread marks its survivors of a tile in one 32-bit word */
  if (!ww_holds(ww_less_equal(ww_multiply(unroll, ww_integer(16)), ww_multiply(ww_integer(32), ww_bytes_of(dtype))))) return 0;
  /* each thread takes equally many keys when the buffer is cut back */
  if (!ww_holds(ww_equal(ww_remainder(capacity, threads), ww_integer(0)))) return 0;
  /* a buffer that is cut back to K must have room for new candidates */
  if (!ww_holds(ww_greater_equal(capacity, ww_multiply(ww_integer(2), K)))) return 0;
  /* a thread holds its keys in registers while the buffer is cut back */
  if (!ww_holds(ww_less_equal(capacity, ww_multiply(ww_integer(16), threads)))) return 0;
  /* the buffer is in shared memory */
  if (!ww_holds(ww_less_equal(ww_add(ww_multiply(ww_integer(8), capacity), ww_integer(1024)), device_max_shared))) return 0;
  /* an SM holds 2048 threads */
  if (!ww_holds(ww_less_equal(ww_multiply(threads, min_blocks), ww_integer(2048)))) return 0;
  /* logits is an array */
  if (!ww_holds(ww_greater_equal(ww_multiply(ww_multiply(ww_bytes_of(dtype), rows), V), ww_integer(0)))) return 0;
  /* probs is an array */
  if (!ww_holds(ww_greater_equal(ww_multiply(ww_multiply(ww_bytes_of(ww_text("f32")), rows), K), ww_integer(0)))) return 0;
  /* indices is an array */
  if (!ww_holds(ww_greater_equal(ww_multiply(ww_multiply(ww_bytes_of(ww_text("i32")), rows), K), ww_integer(0)))) return 0;
  /* the argument rows is an i32 */
  if (!ww_holds(ww_and(ww_greater_equal(rows, ww_integer(-2147483648LL)), ww_less_equal(rows, ww_integer(2147483647))))) return 0;
  /* the argument V is an i32 */
  if (!ww_holds(ww_and(ww_greater_equal(V, ww_integer(-2147483648LL)), ww_less_equal(V, ww_integer(2147483647))))) return 0;
  /* a grid has 1 to 2^31 - 1 blocks in x */
  if (!ww_holds(ww_and(ww_greater_equal(rows, ww_integer(1)), ww_less_equal(rows, ww_integer(2147483647))))) return 0;
  /* a block has threads */
  if (!ww_holds(ww_greater_equal(threads, ww_integer(1)))) return 0;
  /* the device launches no more */
  if (!ww_holds(ww_less_equal(threads, device_max_threads))) return 0;
  /* a block has no more shared memory */
  if (!ww_holds(ww_less_equal(ww_multiply(ww_integer(8), capacity), device_max_shared))) return 0;
  return 1;
}

WW_FN int ww_softmax_topk_allowed_split(ww_softmax_topk_configuration configuration, ww_softmax_topk_problem problem,
    ww_limits limits) {
  const ww_value rows = ww_integer(problem.rows);
  const ww_value V = ww_integer(problem.V);
  const ww_value K = ww_integer(problem.K);
  const ww_value dtype = ww_text(ww_softmax_topk_dtype_name(problem.dtype));
  const ww_value threads = ww_integer(configuration.threads);
  const ww_value unroll = ww_integer(configuration.unroll);
  const ww_value capacity = ww_integer(configuration.capacity);
  const ww_value splits = ww_integer(configuration.splits);
  const ww_value merge_threads = ww_integer(configuration.merge_threads);
  const ww_value device_max_shared = ww_integer(limits.max_shared);
  const ww_value device_max_threads = ww_integer(limits.max_threads);
  /* a row must have K entries */
  if (!ww_holds(ww_less_equal(K, V))) return 0;
  /* positions in a row are 32-bit integers */
  if (!ww_holds(ww_less_equal(V, ww_integer(1073741824)))) return 0;
  /* a block is made of whole warps */
  if (!ww_holds(ww_and(ww_equal(ww_remainder(threads, ww_integer(32)), ww_integer(0)), ww_equal(ww_remainder(merge_threads, ww_integer(32)), ww_integer(0))))) return 0;
  /* the first threshold is the K-th of the threads' maxima */
  if (!ww_holds(ww_less_equal(K, threads))) return 0;
  /* the merge ranks one candidate per thread */
  if (!ww_holds(ww_less_equal(K, merge_threads))) return 0;
  /* a thread marks its survivors of a tile in one 32-bit word */
  if (!ww_holds(ww_less_equal(ww_multiply(unroll, ww_integer(16)), ww_multiply(ww_integer(32), ww_bytes_of(dtype))))) return 0;
  /* each thread takes equally many keys when the buffer is cut back */
  if (!ww_holds(ww_equal(ww_remainder(capacity, threads), ww_integer(0)))) return 0;
  /* a buffer that is cut back to K must have room for new candidates */
  if (!ww_holds(ww_greater_equal(capacity, ww_multiply(ww_integer(2), K)))) return 0;
  /* a thread holds its keys in registers while the buffer is cut back */
  if (!ww_holds(ww_less_equal(capacity, ww_multiply(ww_integer(16), threads)))) return 0;
  /* the buffer is in shared memory */
  if (!ww_holds(ww_less_equal(ww_add(ww_multiply(ww_integer(8), capacity), ww_integer(1024)), device_max_shared))) return 0;
  /* the parts of a row share its workspace */
  if (!ww_holds(ww_less_equal(ww_multiply(splits, ww_add(ww_multiply(ww_integer(2), K), ww_integer(2))), ww_larger(V, ww_multiply(ww_integer(64), ww_add(ww_multiply(ww_integer(2), K), ww_integer(2))))))) return 0;
  /* the merge adds one sum per thread */
  if (!ww_holds(ww_less_equal(splits, merge_threads))) return 0;
  /* the merge holds the keys of all parts in registers */
  if (!ww_holds(ww_less_equal(ww_multiply(splits, K), ww_multiply(ww_integer(16), merge_threads)))) return 0;
  /* logits is an array */
  if (!ww_holds(ww_greater_equal(ww_multiply(ww_multiply(ww_bytes_of(dtype), rows), V), ww_integer(0)))) return 0;
  /* probs is an array */
  if (!ww_holds(ww_greater_equal(ww_multiply(ww_multiply(ww_bytes_of(ww_text("f32")), rows), K), ww_integer(0)))) return 0;
  /* indices is an array */
  if (!ww_holds(ww_greater_equal(ww_multiply(ww_multiply(ww_bytes_of(ww_text("i32")), rows), K), ww_integer(0)))) return 0;
  /* workspace is an array */
  if (!ww_holds(ww_greater_equal(ww_multiply(ww_multiply(ww_bytes_of(ww_text("f32")), rows), ww_larger(V, ww_multiply(ww_integer(64), ww_add(ww_multiply(ww_integer(2), K), ww_integer(2))))), ww_integer(0)))) return 0;
  /* the argument rows is an i32 */
  if (!ww_holds(ww_and(ww_greater_equal(rows, ww_integer(-2147483648LL)), ww_less_equal(rows, ww_integer(2147483647))))) return 0;
  /* the argument V is an i32 */
  if (!ww_holds(ww_and(ww_greater_equal(V, ww_integer(-2147483648LL)), ww_less_equal(V, ww_integer(2147483647))))) return 0;
  /* a grid has 1 to 2^31 - 1 blocks in x */
  if (!ww_holds(ww_and(ww_greater_equal(splits, ww_integer(1)), ww_less_equal(splits, ww_integer(2147483647))))) return 0;
  /* a grid has 1 to 65535 blocks in y and z */
  if (!ww_holds(ww_and(ww_greater_equal(rows, ww_integer(1)), ww_less_equal(rows, ww_integer(65535))))) return 0;
  /* a block has threads */
  if (!ww_holds(ww_greater_equal(threads, ww_integer(1)))) return 0;
  /* the device launches no more */
  if (!ww_holds(ww_less_equal(threads, device_max_threads))) return 0;
  /* a block has no more shared memory */
  if (!ww_holds(ww_less_equal(ww_multiply(ww_integer(8), capacity), device_max_shared))) return 0;
  /* a grid has 1 to 2^31 - 1 blocks in x */
  if (!ww_holds(ww_and(ww_greater_equal(rows, ww_integer(1)), ww_less_equal(rows, ww_integer(2147483647))))) return 0;
  /* a block has threads */
  if (!ww_holds(ww_greater_equal(merge_threads, ww_integer(1)))) return 0;
  /* the device launches no more */
  if (!ww_holds(ww_less_equal(merge_threads, device_max_threads))) return 0;
  return 1;
}

/* Every constraint of the contract and of the variant holds for this problem on a device with
   these limits, and its launches are within CUDA's. */
WW_FN int ww_softmax_topk_allowed(ww_softmax_topk_configuration configuration, ww_softmax_topk_problem problem,
    ww_limits limits) {
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

/* How much what counts in a choice. */
#define WW_SOFTMAX_TOPK_WORK_SCALE 2.0
#define WW_SOFTMAX_TOPK_NEARBY 2.0
#define WW_SOFTMAX_TOPK_OTHER_CHOICE 2.0
#define WW_SOFTMAX_TOPK_PRIOR_FRACTION 0.5
#define WW_SOFTMAX_TOPK_PRIOR_WEIGHT 0.2
#define WW_SOFTMAX_TOPK_SCORE_TIE 1e-09

WW_FN ww_limits ww_softmax_topk_limits_of(ww_device device) {
  const int capability = ww_capability_of(device.arch);
  ww_limits limits = device.limits;
  if (capability > 0) limits.compute_capability = capability;
  for (int i = 0; i < WW_SOFTMAX_TOPK_DEVICE_COUNT; ++i) {
    if (ww_same_device(ww_softmax_topk_devices[i], device)) limits = ww_fill_limits(limits, ww_softmax_topk_devices[i].limits);
  }
  return ww_fill_limits(limits, ww_least_limits(capability));
}

WW_FN double ww_softmax_topk_squared_distance(ww_softmax_topk_problem tuned, ww_softmax_topk_problem problem) {
  const ww_softmax_topk_place a = ww_softmax_topk_place_of(tuned);
  const ww_softmax_topk_place b = ww_softmax_topk_place_of(problem);
  double sum = WW_SOFTMAX_TOPK_OTHER_CHOICE * WW_SOFTMAX_TOPK_OTHER_CHOICE * ww_softmax_topk_other_choices(tuned, problem);
  for (int i = 0; i < WW_SOFTMAX_TOPK_AXIS_COUNT; ++i) sum += (a.axes[i] - b.axes[i]) * (a.axes[i] - b.axes[i]);
  if (a.counted && b.counted)
    sum += WW_SOFTMAX_TOPK_WORK_SCALE * (a.work - b.work) * (WW_SOFTMAX_TOPK_WORK_SCALE * (a.work - b.work));
  return sum;
}
WW_FN double ww_softmax_topk_board_weight(double squared) {
  const double closeness = 1 / (WW_SOFTMAX_TOPK_NEARBY * WW_SOFTMAX_TOPK_NEARBY + squared);
  return closeness * closeness;
}
/* What boards say of a configuration, in fractions of the best; below 0: nothing. */
WW_FN double ww_softmax_topk_board_score(const short *thousandths, const double *weights, double total) {
  double sum = WW_SOFTMAX_TOPK_PRIOR_WEIGHT * WW_SOFTMAX_TOPK_PRIOR_FRACTION;
  double known = WW_SOFTMAX_TOPK_PRIOR_WEIGHT;
  for (int i = 0; i < WW_SOFTMAX_TOPK_BOARD_COUNT; ++i) {
    if (!(weights[i] > 0) || thousandths[i] < 0) continue;
    sum += weights[i] / total * thousandths[i] / 1000;
    known += weights[i] / total;
  }
  return known > WW_SOFTMAX_TOPK_PRIOR_WEIGHT ? sum / known : -1;
}

/* The vote of tuned problems: on this device or on others of its architecture, with the same listed
   values or with others. */
WW_FN ww_selection ww_softmax_topk_vote(ww_device device, ww_limits limits, ww_softmax_topk_problem problem, int same_device,
                         int same_choices) {
  double weights[WW_SOFTMAX_TOPK_BOARD_COUNT] = WW_ZERO;
  double total = 0;
  double least = 0;
  ww_selection chosen = ww_no_selection();
  ww_match match = WW_MATCH_NEAREST_OTHER_CHOICE;
  if (same_choices) match = same_device ? WW_MATCH_NEAREST_SAME_DEVICE : WW_MATCH_NEAREST_SAME_ARCH;
  for (int i = 0; i < WW_SOFTMAX_TOPK_BOARD_COUNT; ++i) {
    const ww_device tuned = ww_softmax_topk_devices[ww_softmax_topk_boards[i].device];
    if (!ww_same_arch(tuned.arch, device.arch)) continue;
    if (ww_same_device(tuned, device) != same_device) continue;
    if ((ww_softmax_topk_other_choices(ww_softmax_topk_boards[i].problem, problem) == 0) != same_choices) continue;
    const double squared = ww_softmax_topk_squared_distance(ww_softmax_topk_boards[i].problem, problem);
    const int equal = ww_softmax_topk_same_sizes(ww_softmax_topk_boards[i].problem, problem);
    if (chosen.nearest < 0 || squared < least || equal) {
      chosen.nearest = i;
      chosen.distance = ww_root(squared);
      least = equal ? -1 : squared;
    }
    weights[i] = ww_softmax_topk_board_weight(squared);
    total += weights[i];
  }
  if (chosen.nearest < 0) return chosen;
  chosen.limits = limits;
  const int winner = ww_softmax_topk_boards[chosen.nearest].winner;
  if (least < 0 && ww_softmax_topk_allowed(ww_softmax_topk_configurations[winner], problem, limits)) {
    chosen.match = same_device ? WW_MATCH_EXACT : WW_MATCH_NEAREST_SAME_ARCH;
    chosen.configuration = winner;
    chosen.score = 1;
    return chosen;
  }
  for (int i = 0; i < WW_SOFTMAX_TOPK_CANDIDATE_COUNT; ++i) {
    const double score = ww_softmax_topk_board_score(ww_softmax_topk_fractions[i], weights, total);
    if (!(score > chosen.score + WW_SOFTMAX_TOPK_SCORE_TIE)) continue;
    if (!ww_softmax_topk_allowed(ww_softmax_topk_configurations[i], problem, limits)) continue;
    chosen.match = match;
    chosen.configuration = i;
    chosen.score = score;
  }
  return chosen;
}

/* The defaults of the variant that does best on the tuned problems near this one, wherever they
   were tuned. */
WW_FN ww_selection ww_softmax_topk_contract_default(ww_limits limits, ww_softmax_topk_problem problem) {
  double weights[WW_SOFTMAX_TOPK_BOARD_COUNT] = WW_ZERO;
  double total = 0;
  double best = 0;
  ww_selection chosen = ww_no_selection();
  for (int i = 0; i < WW_SOFTMAX_TOPK_BOARD_COUNT; ++i) {
    weights[i] = ww_softmax_topk_board_weight(ww_softmax_topk_squared_distance(ww_softmax_topk_boards[i].problem, problem));
    total += weights[i];
  }
  for (int i = WW_SOFTMAX_TOPK_CANDIDATE_COUNT; i < WW_SOFTMAX_TOPK_CONFIGURATION_COUNT; ++i) {
    double merit = ww_softmax_topk_board_score(ww_softmax_topk_merits[i - WW_SOFTMAX_TOPK_CANDIDATE_COUNT], weights, total);
    if (merit < 0) merit = 0;
    if (chosen.configuration >= 0 && !(merit > best + WW_SOFTMAX_TOPK_SCORE_TIE)) continue;
    if (!ww_softmax_topk_allowed(ww_softmax_topk_configurations[i], problem, limits)) continue;
    chosen.match = WW_MATCH_DEFAULT;
    chosen.configuration = i;
    chosen.limits = limits;
    best = merit;
  }
  return chosen;
}

/* The configuration for a problem on a device. A device is tuned when its name and its architecture
   are. */
WW_FN ww_selection ww_softmax_topk_select(ww_device device, ww_softmax_topk_problem problem) {
  if (!ww_softmax_topk_valid(problem)) return ww_no_selection();
  const ww_limits limits = ww_softmax_topk_limits_of(device);
  ww_selection chosen = ww_softmax_topk_vote(device, limits, problem, 1, 1);
  if (chosen.configuration < 0) chosen = ww_softmax_topk_vote(device, limits, problem, 0, 1);
  if (chosen.configuration < 0) chosen = ww_softmax_topk_vote(device, limits, problem, 1, 0);
  if (chosen.configuration < 0) chosen = ww_softmax_topk_vote(device, limits, problem, 0, 0);
  if (chosen.configuration < 0) chosen = ww_softmax_topk_contract_default(limits, problem);
  return chosen;
}

enum {
  WW_SOFTMAX_TOPK_OPTION_LENGTH = 47
};
typedef struct ww_softmax_topk_options {
  int count WW_INIT(0);
  char option[8][WW_SOFTMAX_TOPK_OPTION_LENGTH] WW_INIT({});
} ww_softmax_topk_options;
WW_FN void ww_softmax_topk_put(ww_softmax_topk_options *out, int *at, const char *text) {
  for (; *text != '\0' && *at < WW_SOFTMAX_TOPK_OPTION_LENGTH - 1; ++text) out->option[out->count][(*at)++] = *text;
  out->option[out->count][*at] = '\0';
}
WW_FN void ww_softmax_topk_put_integer(ww_softmax_topk_options *out, int *at, long long v) {
  char digits[24] = WW_ZERO;
  int first = 23;
  const int negative = v < 0;
  do {
    const int digit = (int)(v % 10);
    digits[--first] = (char)('0' + (digit < 0 ? -digit : digit));
    v /= 10;
  } while (v != 0);
  if (negative) digits[--first] = '-';
  ww_softmax_topk_put(out, at, digits + first);
}
/* In hexadecimal, which is exact. */
WW_FN void ww_softmax_topk_put_real(ww_softmax_topk_options *out, int *at, double v) {
  int exponent = 0;
  char digit[2] = WW_ZERO;
  if (v < 0) ww_softmax_topk_put(out, at, "-");
  if (v < 0) v = -v;
  for (; v >= 2; v /= 2) ++exponent;
  for (; v > 0 && v < 1; v *= 2) --exponent;
  ww_softmax_topk_put(out, at, v > 0 ? "0x1." : "0x0.");
  v -= v > 0 ? 1 : 0;
  for (int i = 0; i < 13; ++i) {
    const int hex = (int)(v *= 16);
    digit[0] = "0123456789abcdef"[hex];
    ww_softmax_topk_put(out, at, digit);
    v -= hex;
  }
  ww_softmax_topk_put(out, at, "p");
  ww_softmax_topk_put_integer(out, at, exponent);
}
WW_FN void ww_softmax_topk_put_define(ww_softmax_topk_options *out, const char *macro, ww_value v) {
  int at = 0;
  ww_softmax_topk_put(out, &at, "-D");
  ww_softmax_topk_put(out, &at, macro);
  ww_softmax_topk_put(out, &at, "=");
  if (v.kind == WW_INTEGER) ww_softmax_topk_put_integer(out, &at, v.integer);
  if (v.kind == WW_REAL) ww_softmax_topk_put_real(out, &at, v.real);
  if (v.kind == WW_TEXT) ww_softmax_topk_put(out, &at, v.text);
  ++out->count;
}

/* What NVRTC or nvcc is given to compile the configuration's source for the problem beside the
   architecture and folders of headers, one option an entry. */
WW_FN ww_softmax_topk_options ww_softmax_topk_compile_options(ww_selection chosen, ww_softmax_topk_problem problem) {
  ww_softmax_topk_options out = WW_ZERO;
  int at = 0;
  if (chosen.configuration < 0 || chosen.configuration >= WW_SOFTMAX_TOPK_CONFIGURATION_COUNT) return out;
  const ww_softmax_topk_configuration configuration = ww_softmax_topk_configurations[chosen.configuration];
  ww_softmax_topk_put(&out, &at, "--std=c++20");
  ++out.count;
  switch (configuration.variant) {
    case WW_SOFTMAX_TOPK_VARIANT_NAIVE:
      ww_softmax_topk_put_define(&out, "THREADS", ww_integer(configuration.threads));
      break;
    case WW_SOFTMAX_TOPK_VARIANT_BLOCK_ROW:
      ww_softmax_topk_put_define(&out, "THREADS", ww_integer(configuration.threads));
      ww_softmax_topk_put_define(&out, "LOCAL_K", ww_integer(configuration.local_k));
      ww_softmax_topk_put_define(&out, "ONLINE", ww_integer(configuration.online));
      break;
    case WW_SOFTMAX_TOPK_VARIANT_VECTORIZED:
      ww_softmax_topk_put_define(&out, "THREADS", ww_integer(configuration.threads));
      ww_softmax_topk_put_define(&out, "UNROLL", ww_integer(configuration.unroll));
      ww_softmax_topk_put_define(&out, "LOCAL_K", ww_integer(configuration.local_k));
      break;
    case WW_SOFTMAX_TOPK_VARIANT_WARP_ROW:
      ww_softmax_topk_put_define(&out, "UNROLL", ww_integer(configuration.unroll));
      ww_softmax_topk_put_define(&out, "WARPS_PER_BLOCK", ww_integer(configuration.warps_per_block));
      ww_softmax_topk_put_define(&out, "PREFETCH", ww_integer(configuration.prefetch));
      break;
    case WW_SOFTMAX_TOPK_VARIANT_THRESHOLD:
      ww_softmax_topk_put_define(&out, "THREADS", ww_integer(configuration.threads));
      ww_softmax_topk_put_define(&out, "UNROLL", ww_integer(configuration.unroll));
      ww_softmax_topk_put_define(&out, "CAPACITY", ww_integer(configuration.capacity));
      ww_softmax_topk_put_define(&out, "MIN_BLOCKS", ww_integer(configuration.min_blocks));
      ww_softmax_topk_put_define(&out, "PREFETCH", ww_integer(configuration.prefetch));
      break;
    case WW_SOFTMAX_TOPK_VARIANT_SPLIT:
      ww_softmax_topk_put_define(&out, "THREADS", ww_integer(configuration.threads));
      ww_softmax_topk_put_define(&out, "UNROLL", ww_integer(configuration.unroll));
      ww_softmax_topk_put_define(&out, "CAPACITY", ww_integer(configuration.capacity));
      ww_softmax_topk_put_define(&out, "SPLITS", ww_integer(configuration.splits));
      ww_softmax_topk_put_define(&out, "MERGE_THREADS", ww_integer(configuration.merge_threads));
      break;
  }
  ww_softmax_topk_put_define(&out, "TOP_K", ww_integer(problem.K));
  ww_softmax_topk_put_define(&out, "DTYPE", ww_text(ww_softmax_topk_dtype_name(problem.dtype)));
  return out;
}

WW_FN ww_launch_plan ww_softmax_topk_launch_naive(ww_softmax_topk_configuration configuration, ww_softmax_topk_problem problem,
    ww_limits limits, int index) {
  const ww_value rows = ww_integer(problem.rows);
  const ww_value V = ww_integer(problem.V);
  const ww_value threads = ww_integer(configuration.threads);
  (void)limits;
  ww_launch_plan out = ww_no_launch();
  switch (index) {
    case 0:
      out.ok = 1;
      out.entry = "softmax_rows";
      ww_put_number(&out.ok, &out.grid[0], rows);
      ww_put_number(&out.ok, &out.block[0], threads);
      ww_put_argument(&out, "logits", WW_TENSOR, 0, ww_dtype_of(ww_softmax_topk_dtype_name(problem.dtype)));
      ww_put_argument(&out, "workspace", WW_TENSOR, 3, WW_F32);
      ww_put_scalar(&out, "rows", WW_I32, rows);
      ww_put_scalar(&out, "V", WW_I32, V);
      break;
    case 1:
      out.ok = 1;
      out.entry = "topk_rows";
      ww_put_number(&out.ok, &out.grid[0], rows);
      ww_put_number(&out.ok, &out.block[0], threads);
      ww_put_argument(&out, "logits", WW_TENSOR, 0, ww_dtype_of(ww_softmax_topk_dtype_name(problem.dtype)));
      ww_put_argument(&out, "workspace", WW_TENSOR, 3, WW_F32);
      ww_put_argument(&out, "probs", WW_TENSOR, 1, WW_F32);
      ww_put_argument(&out, "indices", WW_TENSOR, 2, WW_I32);
      ww_put_scalar(&out, "rows", WW_I32, rows);
      ww_put_scalar(&out, "V", WW_I32, V);
      break;
    default:
      break;
  }
  return out;
}

WW_FN ww_launch_plan ww_softmax_topk_launch_block_row(ww_softmax_topk_configuration configuration, ww_softmax_topk_problem problem,
    ww_limits limits, int index) {
  const ww_value rows = ww_integer(problem.rows);
  const ww_value V = ww_integer(problem.V);
  const ww_value threads = ww_integer(configuration.threads);
  (void)limits;
  ww_launch_plan out = ww_no_launch();
  switch (index) {
    case 0:
      out.ok = 1;
      out.entry = "softmax_topk";
      ww_put_number(&out.ok, &out.grid[0], rows);
      ww_put_number(&out.ok, &out.block[0], threads);
      ww_put_argument(&out, "logits", WW_TENSOR, 0, ww_dtype_of(ww_softmax_topk_dtype_name(problem.dtype)));
      ww_put_argument(&out, "probs", WW_TENSOR, 1, WW_F32);
      ww_put_argument(&out, "indices", WW_TENSOR, 2, WW_I32);
      ww_put_scalar(&out, "rows", WW_I32, rows);
      ww_put_scalar(&out, "V", WW_I32, V);
      break;
    default:
      break;
  }
  return out;
}

WW_FN ww_launch_plan ww_softmax_topk_launch_vectorized(ww_softmax_topk_configuration configuration, ww_softmax_topk_problem problem,
    ww_limits limits, int index) {
  const ww_value rows = ww_integer(problem.rows);
  const ww_value V = ww_integer(problem.V);
  const ww_value K = ww_integer(problem.K);
  const ww_value threads = ww_integer(configuration.threads);
  (void)limits;
  ww_launch_plan out = ww_no_launch();
  switch (index) {
    case 0:
      out.ok = 1;
      out.entry = "softmax_topk";
      ww_put_number(&out.ok, &out.grid[0], rows);
      ww_put_number(&out.ok, &out.block[0], threads);
      ww_put_number(&out.ok, &out.shared_bytes, ww_multiply(ww_multiply(ww_divide(threads, ww_integer(32)), K), ww_integer(8)));
      ww_put_argument(&out, "logits", WW_TENSOR, 0, ww_dtype_of(ww_softmax_topk_dtype_name(problem.dtype)));
      ww_put_argument(&out, "probs", WW_TENSOR, 1, WW_F32);
      ww_put_argument(&out, "indices", WW_TENSOR, 2, WW_I32);
      ww_put_scalar(&out, "rows", WW_I32, rows);
      ww_put_scalar(&out, "V", WW_I32, V);
      break;
    default:
      break;
  }
  return out;
}

WW_FN ww_launch_plan ww_softmax_topk_launch_warp_row(ww_softmax_topk_configuration configuration, ww_softmax_topk_problem problem,
    ww_limits limits, int index) {
  const ww_value rows = ww_integer(problem.rows);
  const ww_value V = ww_integer(problem.V);
  const ww_value warps_per_block = ww_integer(configuration.warps_per_block);
  (void)limits;
  ww_launch_plan out = ww_no_launch();
  switch (index) {
    case 0:
      out.ok = 1;
      out.entry = "softmax_topk";
      ww_put_number(&out.ok, &out.grid[0], ww_ceil_div(rows, warps_per_block));
      ww_put_number(&out.ok, &out.block[0], ww_multiply(ww_integer(32), warps_per_block));
      ww_put_argument(&out, "logits", WW_TENSOR, 0, ww_dtype_of(ww_softmax_topk_dtype_name(problem.dtype)));
      ww_put_argument(&out, "probs", WW_TENSOR, 1, WW_F32);
      ww_put_argument(&out, "indices", WW_TENSOR, 2, WW_I32);
      ww_put_scalar(&out, "rows", WW_I32, rows);
      ww_put_scalar(&out, "V", WW_I32, V);
      break;
    default:
      break;
  }
  return out;
}

WW_FN ww_launch_plan ww_softmax_topk_launch_threshold(ww_softmax_topk_configuration configuration, ww_softmax_topk_problem problem,
    ww_limits limits, int index) {
  const ww_value rows = ww_integer(problem.rows);
  const ww_value V = ww_integer(problem.V);
  const ww_value threads = ww_integer(configuration.threads);
  const ww_value capacity = ww_integer(configuration.capacity);
  (void)limits;
  ww_launch_plan out = ww_no_launch();
  switch (index) {
    case 0:
      out.ok = 1;
      out.entry = "softmax_topk";
      ww_put_number(&out.ok, &out.grid[0], rows);
      ww_put_number(&out.ok, &out.block[0], threads);
      ww_put_number(&out.ok, &out.shared_bytes, ww_multiply(ww_integer(8), capacity));
      ww_put_argument(&out, "logits", WW_TENSOR, 0, ww_dtype_of(ww_softmax_topk_dtype_name(problem.dtype)));
      ww_put_argument(&out, "probs", WW_TENSOR, 1, WW_F32);
      ww_put_argument(&out, "indices", WW_TENSOR, 2, WW_I32);
      ww_put_scalar(&out, "rows", WW_I32, rows);
      ww_put_scalar(&out, "V", WW_I32, V);
      break;
    default:
      break;
  }
  return out;
}

WW_FN ww_launch_plan ww_softmax_topk_launch_split(ww_softmax_topk_configuration configuration, ww_softmax_topk_problem problem,
    ww_limits limits, int index) {
  const ww_value rows = ww_integer(problem.rows);
  const ww_value V = ww_integer(problem.V);
  const ww_value threads = ww_integer(configuration.threads);
  const ww_value capacity = ww_integer(configuration.capacity);
  const ww_value splits = ww_integer(configuration.splits);
  const ww_value merge_threads = ww_integer(configuration.merge_threads);
  (void)limits;
  ww_launch_plan out = ww_no_launch();
  switch (index) {
    case 0:
      out.ok = 1;
      out.entry = "softmax_topk_parts";
      ww_put_number(&out.ok, &out.grid[0], splits);
      ww_put_number(&out.ok, &out.grid[1], rows);
      ww_put_number(&out.ok, &out.block[0], threads);
      ww_put_number(&out.ok, &out.shared_bytes, ww_multiply(ww_integer(8), capacity));
      ww_put_argument(&out, "logits", WW_TENSOR, 0, ww_dtype_of(ww_softmax_topk_dtype_name(problem.dtype)));
      ww_put_argument(&out, "workspace", WW_TENSOR, 3, WW_F32);
      ww_put_scalar(&out, "rows", WW_I32, rows);
      ww_put_scalar(&out, "V", WW_I32, V);
      break;
    case 1:
      out.ok = 1;
      out.entry = "softmax_topk_merge";
      ww_put_number(&out.ok, &out.grid[0], rows);
      ww_put_number(&out.ok, &out.block[0], merge_threads);
      ww_put_argument(&out, "workspace", WW_TENSOR, 3, WW_F32);
      ww_put_argument(&out, "probs", WW_TENSOR, 1, WW_F32);
      ww_put_argument(&out, "indices", WW_TENSOR, 2, WW_I32);
      ww_put_scalar(&out, "rows", WW_I32, rows);
      break;
    default:
      break;
  }
  return out;
}

/* Launch `index` of the configuration's launch_count, in stream order. The entries, with their
   arguments in order and what scalars are computed from: */
/* naive: softmax_rows(const dtype *logits, f32 *workspace, i32 rows = rows, i32 V = V) */
/* naive: topk_rows(const dtype *logits, f32 *workspace, f32 *probs, i32 *indices, i32 rows =
   rows, i32 V = V) */
/* block_row: softmax_topk(const dtype *logits, f32 *probs, i32 *indices, i32 rows = rows, i32 V
   = V) */
/* vectorized: softmax_topk(const dtype *logits, f32 *probs, i32 *indices, i32 rows = rows, i32 V
   = V) */
/* warp_row: softmax_topk(const dtype *logits, f32 *probs, i32 *indices, i32 rows = rows, i32 V =
   V) */
/* threshold: softmax_topk(const dtype *logits, f32 *probs, i32 *indices, i32 rows = rows, i32 V
   = V) */
/* split: softmax_topk_parts(const dtype *logits, f32 *workspace, i32 rows = rows, i32 V = V) */
/* split: softmax_topk_merge(f32 *workspace, f32 *probs, i32 *indices, i32 rows = rows) */
WW_FN ww_launch_plan ww_softmax_topk_launch(ww_selection chosen, ww_softmax_topk_problem problem, int index) {
  if (chosen.configuration < 0 || chosen.configuration >= WW_SOFTMAX_TOPK_CONFIGURATION_COUNT) return ww_no_launch();
  const ww_softmax_topk_configuration configuration = ww_softmax_topk_configurations[chosen.configuration];
  switch (configuration.variant) {
    case WW_SOFTMAX_TOPK_VARIANT_NAIVE:
      return ww_softmax_topk_launch_naive(configuration, problem, chosen.limits, index);
    case WW_SOFTMAX_TOPK_VARIANT_BLOCK_ROW:
      return ww_softmax_topk_launch_block_row(configuration, problem, chosen.limits, index);
    case WW_SOFTMAX_TOPK_VARIANT_VECTORIZED:
      return ww_softmax_topk_launch_vectorized(configuration, problem, chosen.limits, index);
    case WW_SOFTMAX_TOPK_VARIANT_WARP_ROW:
      return ww_softmax_topk_launch_warp_row(configuration, problem, chosen.limits, index);
    case WW_SOFTMAX_TOPK_VARIANT_THRESHOLD:
      return ww_softmax_topk_launch_threshold(configuration, problem, chosen.limits, index);
    case WW_SOFTMAX_TOPK_VARIANT_SPLIT:
      return ww_softmax_topk_launch_split(configuration, problem, chosen.limits, index);
  }
  return ww_no_launch();
}

enum {
  WW_SOFTMAX_TOPK_TENSOR_LOGITS = 0,
  WW_SOFTMAX_TOPK_TENSOR_PROBS = 1,
  WW_SOFTMAX_TOPK_TENSOR_INDICES = 2,
  WW_SOFTMAX_TOPK_TENSOR_WORKSPACE = 3,
  WW_SOFTMAX_TOPK_TENSOR_COUNT = 4
};

/* Tensor `index` of WW_..._TENSOR_COUNT. Workspaces belong to the launches of one stream; a
   `used` of 0 needs none. */
WW_FN ww_tensor ww_softmax_topk_tensor(ww_selection chosen, ww_softmax_topk_problem problem, int index) {
  ww_tensor out = WW_ZERO;
  if (chosen.configuration < 0 || chosen.configuration >= WW_SOFTMAX_TOPK_CONFIGURATION_COUNT) return out;
  const ww_softmax_topk_configuration configuration = ww_softmax_topk_configurations[chosen.configuration];
  const ww_limits limits = chosen.limits;
  const ww_value rows = ww_integer(problem.rows);
  const ww_value V = ww_integer(problem.V);
  const ww_value K = ww_integer(problem.K);
  (void)configuration;
  (void)limits;
  switch (index) {
    case WW_SOFTMAX_TOPK_TENSOR_LOGITS:
      ww_put_tensor(&out, "logits", WW_IN, 1, ww_dtype_of(ww_softmax_topk_dtype_name(problem.dtype)));
      ww_put_axis(&out, rows);
      ww_put_axis(&out, V);
      break;
    case WW_SOFTMAX_TOPK_TENSOR_PROBS:
      ww_put_tensor(&out, "probs", WW_OUT, 1, WW_F32);
      ww_put_axis(&out, rows);
      ww_put_axis(&out, K);
      break;
    case WW_SOFTMAX_TOPK_TENSOR_INDICES:
      ww_put_tensor(&out, "indices", WW_OUT, 1, WW_I32);
      ww_put_axis(&out, rows);
      ww_put_axis(&out, K);
      break;
    case WW_SOFTMAX_TOPK_TENSOR_WORKSPACE:
      ww_put_tensor(&out, "workspace", WW_WORKSPACE, configuration.variant == WW_SOFTMAX_TOPK_VARIANT_NAIVE || configuration.variant == WW_SOFTMAX_TOPK_VARIANT_SPLIT, WW_F32);
      if (!out.used) out.bytes = 0;
      if (!out.used) break;
      ww_put_axis(&out, rows);
      ww_put_axis(&out, ww_larger(V, ww_multiply(ww_integer(64), ww_add(ww_multiply(ww_integer(2), K), ww_integer(2)))));
      break;
    default:
      break;
  }
  return out;
}

#endif
/* sha256 of what is above: 9637b7f61ff0ec2e1e1e4666ef844468265a878418f0c4e162c2743402e9aabd */
