/* clang-format off */
/* rmsnorm_residual: Residual addition and RMSNorm, z = x + r and y = z * rsqrt(mean(z^2) + eps)
   * w, over the last axis */
/* Tuned configurations, written by `warpwright export`. Do not edit: export again. */
/* export: {"kernel":"rmsnorm_residual","prefix":"ww_","namespace":""} */
/* written by warpwright 0.1.0 */
/* NVIDIA H200 (sm_90a): 14 problems, 758 configurations tried; times are measured, by warpwright
   0.1.0. */
/* Left out one at a time, 4 of 14 tuned problems get a configuration within 10 % of their best
   from the others. */
/*
     const ww_device device = {"NVIDIA H200", "sm_90a", {0}};
     const ww_rmsnorm_residual_problem problem = {128, 8192, 0, WW_RMSNORM_RESIDUAL_DTYPE_BF16};
     const ww_selection chosen = ww_rmsnorm_residual_select(device, problem);
     const ww_launch_plan plan = ww_rmsnorm_residual_launch(chosen, problem, 0);

   warpwright_select.h says how it is compiled and launched. C99, C++17 and NVRTC. */
#ifndef WW_RMSNORM_RESIDUAL_H
#define WW_RMSNORM_RESIDUAL_H

#include "warpwright_select.h"

#if WARPWRIGHT_SELECT_VERSION != 1
#error this header is of another version than warpwright_select.h: export again
#endif

typedef enum {
  WW_RMSNORM_RESIDUAL_DTYPE_F32,
  WW_RMSNORM_RESIDUAL_DTYPE_BF16,
  WW_RMSNORM_RESIDUAL_DTYPE_F16
} ww_rmsnorm_residual_dtype;
WW_FN const char *ww_rmsnorm_residual_dtype_name(ww_rmsnorm_residual_dtype v) {
  switch (v) {
    case WW_RMSNORM_RESIDUAL_DTYPE_F32:
      return "f32";
    case WW_RMSNORM_RESIDUAL_DTYPE_BF16:
      return "bf16";
    case WW_RMSNORM_RESIDUAL_DTYPE_F16:
      return "f16";
  }
  return 0;
}

typedef enum {
  WW_RMSNORM_RESIDUAL_LOAD_HINT_NONE,
  WW_RMSNORM_RESIDUAL_LOAD_HINT_STREAMING
} ww_rmsnorm_residual_load_hint;
WW_FN const char *ww_rmsnorm_residual_load_hint_name(ww_rmsnorm_residual_load_hint v) {
  switch (v) {
    case WW_RMSNORM_RESIDUAL_LOAD_HINT_NONE:
      return "none";
    case WW_RMSNORM_RESIDUAL_LOAD_HINT_STREAMING:
      return "streaming";
  }
  return 0;
}

typedef enum {
  WW_RMSNORM_RESIDUAL_STORE_HINT_NONE,
  WW_RMSNORM_RESIDUAL_STORE_HINT_STREAMING
} ww_rmsnorm_residual_store_hint;
WW_FN const char *ww_rmsnorm_residual_store_hint_name(ww_rmsnorm_residual_store_hint v) {
  switch (v) {
    case WW_RMSNORM_RESIDUAL_STORE_HINT_NONE:
      return "none";
    case WW_RMSNORM_RESIDUAL_STORE_HINT_STREAMING:
      return "streaming";
  }
  return 0;
}

typedef enum {
  WW_RMSNORM_RESIDUAL_VARIANT_TWO_PASS,
  WW_RMSNORM_RESIDUAL_VARIANT_BLOCK_ROW,
  WW_RMSNORM_RESIDUAL_VARIANT_PERSISTENT_ROW,
  WW_RMSNORM_RESIDUAL_VARIANT_WARP_ROW
} ww_rmsnorm_residual_variant;
WW_FN const char *ww_rmsnorm_residual_variant_name(ww_rmsnorm_residual_variant v) {
  switch (v) {
    case WW_RMSNORM_RESIDUAL_VARIANT_TWO_PASS:
      return "two_pass";
    case WW_RMSNORM_RESIDUAL_VARIANT_BLOCK_ROW:
      return "block_row";
    case WW_RMSNORM_RESIDUAL_VARIANT_PERSISTENT_ROW:
      return "persistent_row";
    case WW_RMSNORM_RESIDUAL_VARIANT_WARP_ROW:
      return "warp_row";
  }
  return 0;
}

typedef struct ww_rmsnorm_residual_problem {
  long long rows WW_INIT(0); /* tokens; at least 1 */
  long long d WW_INIT(0); /* width of the residual stream; at least 1 */
  long long write_z WW_INIT(1); /* 1 stores z for the next residual addition */
  ww_rmsnorm_residual_dtype dtype WW_INIT(WW_RMSNORM_RESIDUAL_DTYPE_BF16);
} ww_rmsnorm_residual_problem;
/* With the contract's defaults, which C++ has where sizes are left out; 0 where there is none. */
WW_FN ww_rmsnorm_residual_problem ww_rmsnorm_residual_default_problem(void) {
  ww_rmsnorm_residual_problem problem = WW_ZERO;
  problem.rows = 0;
  problem.d = 0;
  problem.write_z = 1;
  problem.dtype = WW_RMSNORM_RESIDUAL_DTYPE_BF16;
  return problem;
}

/* Of all launches the largest, as compiled when it was tuned; -1: not known. */
typedef struct ww_rmsnorm_residual_resources {
  int registers WW_INIT(-1); /* per thread */
  int shared_bytes WW_INIT(-1); /* per block, static and dynamic */
  int spill_bytes WW_INIT(-1); /* per thread */
} ww_rmsnorm_residual_resources;

/* Parameters that the variant does not have hold the contract's defaults. */
typedef struct ww_rmsnorm_residual_configuration {
  ww_rmsnorm_residual_variant variant WW_INIT(WW_RMSNORM_RESIDUAL_VARIANT_TWO_PASS);
  long long threads WW_INIT(1024); /* THREADS: threads per block */
  /* THREADS_PER_SM: threads that must fit on an SM at once; each gets 65536 / THREADS_PER_SM
     registers */
  long long threads_per_sm WW_INIT(1024);
  long long lanes WW_INIT(16); /* LANES: lanes of a warp that share a row */
  /* LANE_VECTORS: accesses per operand with which a lane holds its part of a row */
  long long lane_vectors WW_INIT(1);
  /* VECTORS: accesses per operand with which a thread holds its part of a row */
  long long vectors WW_INIT(1);
  long long vector_bytes WW_INIT(16); /* VECTOR_BYTES: bytes per access of a thread */
  /* LOAD_HINT: streaming keeps x and r out of L1 */
  ww_rmsnorm_residual_load_hint load_hint WW_INIT(WW_RMSNORM_RESIDUAL_LOAD_HINT_NONE);
  /* STORE_HINT: streaming lets L2 evict y and z first */
  ww_rmsnorm_residual_store_hint store_hint WW_INIT(WW_RMSNORM_RESIDUAL_STORE_HINT_NONE);
  const char *source WW_INIT(0); /* file name */
  int launch_count WW_INIT(0);
  ww_rmsnorm_residual_resources resources WW_INIT({});
  const char *text WW_INIT(0); /* as `warpwright show` prints it */
} ww_rmsnorm_residual_configuration;

/* A tuned problem: what won, and how that is known. */
typedef struct ww_rmsnorm_residual_board {
  int device WW_INIT(0); /* in the table of devices */
  ww_rmsnorm_residual_problem problem WW_INIT({});
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
} ww_rmsnorm_residual_board;

enum {
  WW_RMSNORM_RESIDUAL_DEVICE_COUNT = 1,
  WW_RMSNORM_RESIDUAL_BOARD_COUNT = 14,
  WW_RMSNORM_RESIDUAL_CANDIDATE_COUNT = 18,
  WW_RMSNORM_RESIDUAL_DEFAULT_COUNT = 4,
  WW_RMSNORM_RESIDUAL_CONFIGURATION_COUNT = 22,
  WW_RMSNORM_RESIDUAL_FILE_COUNT = 11,
  WW_RMSNORM_RESIDUAL_INCLUDE_COUNT = 2
};

WW_DATA ww_device ww_rmsnorm_residual_devices[WW_RMSNORM_RESIDUAL_DEVICE_COUNT] = {
    {"NVIDIA H200", "sm_90a", {232448, 1024, 32, 132, 65536, 65536, 62914560, 90, 150109880320LL}},
};

/* The portfolio; after it the contract's defaults of every variant. */
WW_DATA ww_rmsnorm_residual_configuration ww_rmsnorm_residual_configurations[WW_RMSNORM_RESIDUAL_CONFIGURATION_COUNT] = {
    /* 0: two_pass THREADS=512 */
    {WW_RMSNORM_RESIDUAL_VARIANT_TWO_PASS, /*threads*/ 512, /*threads_per_sm*/ 1024, /*lanes*/ 16,
     /*lane_vectors*/ 1, /*vectors*/ 1, /*vector_bytes*/ 16,
     /*load_hint*/ WW_RMSNORM_RESIDUAL_LOAD_HINT_NONE,
     /*store_hint*/ WW_RMSNORM_RESIDUAL_STORE_HINT_NONE,
     "two_pass.cu", 1, {32, 128, 0},
     "two_pass THREADS=512"},
    /* 1: two_pass THREADS=1024 */
    {WW_RMSNORM_RESIDUAL_VARIANT_TWO_PASS, /*threads*/ 1024, /*threads_per_sm*/ 1024, /*lanes*/ 16,
     /*lane_vectors*/ 1, /*vectors*/ 1, /*vector_bytes*/ 16,
     /*load_hint*/ WW_RMSNORM_RESIDUAL_LOAD_HINT_NONE,
     /*store_hint*/ WW_RMSNORM_RESIDUAL_STORE_HINT_NONE,
     "two_pass.cu", 1, {32, 128, 0},
     "two_pass THREADS=1024"},
    /* 2: block_row LOAD_HINT=none STORE_HINT=none THREADS=128 THREADS_PER_SM=1024 VECTORS=2
       VECTOR_BYTES=16; wins 2 problems */
    {WW_RMSNORM_RESIDUAL_VARIANT_BLOCK_ROW, /*threads*/ 128, /*threads_per_sm*/ 1024, /*lanes*/ 16,
     /*lane_vectors*/ 1, /*vectors*/ 2, /*vector_bytes*/ 16,
     /*load_hint*/ WW_RMSNORM_RESIDUAL_LOAD_HINT_NONE,
     /*store_hint*/ WW_RMSNORM_RESIDUAL_STORE_HINT_NONE,
     "block_row.cu", 1, {39, 16, 0},
     "block_row LOAD_HINT=none STORE_HINT=none THREADS=128 THREADS_PER_SM=1024 VECTORS=2 VECTOR_BYTES=16"},
    /* 3: block_row LOAD_HINT=none STORE_HINT=none THREADS=256 THREADS_PER_SM=2048 VECTORS=2
       VECTOR_BYTES=16; wins 1 problem */
    {WW_RMSNORM_RESIDUAL_VARIANT_BLOCK_ROW, /*threads*/ 256, /*threads_per_sm*/ 2048, /*lanes*/ 16,
     /*lane_vectors*/ 1, /*vectors*/ 2, /*vector_bytes*/ 16,
     /*load_hint*/ WW_RMSNORM_RESIDUAL_LOAD_HINT_NONE,
     /*store_hint*/ WW_RMSNORM_RESIDUAL_STORE_HINT_NONE,
     "block_row.cu", 1, {32, 32, 0},
     "block_row LOAD_HINT=none STORE_HINT=none THREADS=256 THREADS_PER_SM=2048 VECTORS=2 VECTOR_BYTES=16"},
    /* 4: block_row LOAD_HINT=none STORE_HINT=streaming THREADS=256 THREADS_PER_SM=2048 VECTORS=2
       VECTOR_BYTES=16; wins 1 problem */
    {WW_RMSNORM_RESIDUAL_VARIANT_BLOCK_ROW, /*threads*/ 256, /*threads_per_sm*/ 2048, /*lanes*/ 16,
     /*lane_vectors*/ 1, /*vectors*/ 2, /*vector_bytes*/ 16,
     /*load_hint*/ WW_RMSNORM_RESIDUAL_LOAD_HINT_NONE,
     /*store_hint*/ WW_RMSNORM_RESIDUAL_STORE_HINT_STREAMING,
     "block_row.cu", 1, {32, 32, 0},
     "block_row LOAD_HINT=none STORE_HINT=streaming THREADS=256 THREADS_PER_SM=2048 VECTORS=2 VECTOR_BYTES=16"},
    /* 5: block_row LOAD_HINT=none STORE_HINT=none THREADS=512 THREADS_PER_SM=512 VECTORS=4
       VECTOR_BYTES=16; wins 1 problem */
    {WW_RMSNORM_RESIDUAL_VARIANT_BLOCK_ROW, /*threads*/ 512, /*threads_per_sm*/ 512, /*lanes*/ 16,
     /*lane_vectors*/ 1, /*vectors*/ 4, /*vector_bytes*/ 16,
     /*load_hint*/ WW_RMSNORM_RESIDUAL_LOAD_HINT_NONE,
     /*store_hint*/ WW_RMSNORM_RESIDUAL_STORE_HINT_NONE,
     "block_row.cu", 1, {62, 64, 0},
     "block_row LOAD_HINT=none STORE_HINT=none THREADS=512 THREADS_PER_SM=512 VECTORS=4 VECTOR_BYTES=16"},
    /* 6: block_row LOAD_HINT=none STORE_HINT=streaming THREADS=512 THREADS_PER_SM=1024 VECTORS=1
       VECTOR_BYTES=16 */
    {WW_RMSNORM_RESIDUAL_VARIANT_BLOCK_ROW, /*threads*/ 512, /*threads_per_sm*/ 1024, /*lanes*/ 16,
     /*lane_vectors*/ 1, /*vectors*/ 1, /*vector_bytes*/ 16,
     /*load_hint*/ WW_RMSNORM_RESIDUAL_LOAD_HINT_NONE,
     /*store_hint*/ WW_RMSNORM_RESIDUAL_STORE_HINT_STREAMING,
     "block_row.cu", 1, {28, 64, 0},
     "block_row LOAD_HINT=none STORE_HINT=streaming THREADS=512 THREADS_PER_SM=1024 VECTORS=1 VECTOR_BYTES=16"},
    /* 7: block_row LOAD_HINT=none STORE_HINT=none THREADS=512 THREADS_PER_SM=1024 VECTORS=2
       VECTOR_BYTES=16; wins 1 problem */
    {WW_RMSNORM_RESIDUAL_VARIANT_BLOCK_ROW, /*threads*/ 512, /*threads_per_sm*/ 1024, /*lanes*/ 16,
     /*lane_vectors*/ 1, /*vectors*/ 2, /*vector_bytes*/ 16,
     /*load_hint*/ WW_RMSNORM_RESIDUAL_LOAD_HINT_NONE,
     /*store_hint*/ WW_RMSNORM_RESIDUAL_STORE_HINT_NONE,
     "block_row.cu", 1, {39, 64, 0},
     "block_row LOAD_HINT=none STORE_HINT=none THREADS=512 THREADS_PER_SM=1024 VECTORS=2 VECTOR_BYTES=16"},
    /* 8: block_row LOAD_HINT=none STORE_HINT=streaming THREADS=512 THREADS_PER_SM=1024 VECTORS=2
       VECTOR_BYTES=16; wins 1 problem */
    {WW_RMSNORM_RESIDUAL_VARIANT_BLOCK_ROW, /*threads*/ 512, /*threads_per_sm*/ 1024, /*lanes*/ 16,
     /*lane_vectors*/ 1, /*vectors*/ 2, /*vector_bytes*/ 16,
     /*load_hint*/ WW_RMSNORM_RESIDUAL_LOAD_HINT_NONE,
     /*store_hint*/ WW_RMSNORM_RESIDUAL_STORE_HINT_STREAMING,
     "block_row.cu", 1, {39, 64, 0},
     "block_row LOAD_HINT=none STORE_HINT=streaming THREADS=512 THREADS_PER_SM=1024 VECTORS=2 VECTOR_BYTES=16"},
    /* 9: block_row LOAD_HINT=none STORE_HINT=none THREADS=512 THREADS_PER_SM=1024 VECTORS=4
       VECTOR_BYTES=16; wins 1 problem */
    {WW_RMSNORM_RESIDUAL_VARIANT_BLOCK_ROW, /*threads*/ 512, /*threads_per_sm*/ 1024, /*lanes*/ 16,
     /*lane_vectors*/ 1, /*vectors*/ 4, /*vector_bytes*/ 16,
     /*load_hint*/ WW_RMSNORM_RESIDUAL_LOAD_HINT_NONE,
     /*store_hint*/ WW_RMSNORM_RESIDUAL_STORE_HINT_NONE,
     "block_row.cu", 1, {62, 64, 0},
     "block_row LOAD_HINT=none STORE_HINT=none THREADS=512 THREADS_PER_SM=1024 VECTORS=4 VECTOR_BYTES=16"},
    /* 10: block_row LOAD_HINT=none STORE_HINT=none THREADS=512 THREADS_PER_SM=2048 VECTORS=2
       VECTOR_BYTES=16; wins 1 problem */
    {WW_RMSNORM_RESIDUAL_VARIANT_BLOCK_ROW, /*threads*/ 512, /*threads_per_sm*/ 2048, /*lanes*/ 16,
     /*lane_vectors*/ 1, /*vectors*/ 2, /*vector_bytes*/ 16,
     /*load_hint*/ WW_RMSNORM_RESIDUAL_LOAD_HINT_NONE,
     /*store_hint*/ WW_RMSNORM_RESIDUAL_STORE_HINT_NONE,
     "block_row.cu", 1, {32, 64, 0},
     "block_row LOAD_HINT=none STORE_HINT=none THREADS=512 THREADS_PER_SM=2048 VECTORS=2 VECTOR_BYTES=16"},
    /* 11: block_row LOAD_HINT=none STORE_HINT=streaming THREADS=512 THREADS_PER_SM=2048
       VECTORS=2 VECTOR_BYTES=16; wins 2 problems */
    {WW_RMSNORM_RESIDUAL_VARIANT_BLOCK_ROW, /*threads*/ 512, /*threads_per_sm*/ 2048, /*lanes*/ 16,
     /*lane_vectors*/ 1, /*vectors*/ 2, /*vector_bytes*/ 16,
     /*load_hint*/ WW_RMSNORM_RESIDUAL_LOAD_HINT_NONE,
     /*store_hint*/ WW_RMSNORM_RESIDUAL_STORE_HINT_STREAMING,
     "block_row.cu", 1, {32, 64, 0},
     "block_row LOAD_HINT=none STORE_HINT=streaming THREADS=512 THREADS_PER_SM=2048 VECTORS=2 VECTOR_BYTES=16"},
    /* 12: block_row LOAD_HINT=none STORE_HINT=none THREADS=1024 THREADS_PER_SM=1024 VECTORS=1
       VECTOR_BYTES=16; wins 1 problem */
    {WW_RMSNORM_RESIDUAL_VARIANT_BLOCK_ROW, /*threads*/ 1024, /*threads_per_sm*/ 1024, /*lanes*/ 16,
     /*lane_vectors*/ 1, /*vectors*/ 1, /*vector_bytes*/ 16,
     /*load_hint*/ WW_RMSNORM_RESIDUAL_LOAD_HINT_NONE,
     /*store_hint*/ WW_RMSNORM_RESIDUAL_STORE_HINT_NONE,
     "block_row.cu", 1, {29, 128, 0},
     "block_row LOAD_HINT=none STORE_HINT=none THREADS=1024 THREADS_PER_SM=1024 VECTORS=1 VECTOR_BYTES=16"},
    /* 13: persistent_row LOAD_HINT=none STORE_HINT=streaming THREADS=512 THREADS_PER_SM=2048
       VECTORS=1 VECTOR_BYTES=16 */
    {WW_RMSNORM_RESIDUAL_VARIANT_PERSISTENT_ROW, /*threads*/ 512, /*threads_per_sm*/ 2048,
     /*lanes*/ 16, /*lane_vectors*/ 1, /*vectors*/ 1, /*vector_bytes*/ 16,
     /*load_hint*/ WW_RMSNORM_RESIDUAL_LOAD_HINT_NONE,
     /*store_hint*/ WW_RMSNORM_RESIDUAL_STORE_HINT_STREAMING,
     "persistent_row.cu", 1, {32, 128, 0},
     "persistent_row LOAD_HINT=none STORE_HINT=streaming THREADS=512 THREADS_PER_SM=2048 VECTORS=1 VECTOR_BYTES=16"},
    /* 14: persistent_row LOAD_HINT=none STORE_HINT=streaming THREADS=1024 THREADS_PER_SM=2048
       VECTORS=1 VECTOR_BYTES=16 */
    {WW_RMSNORM_RESIDUAL_VARIANT_PERSISTENT_ROW, /*threads*/ 1024, /*threads_per_sm*/ 2048,
     /*lanes*/ 16, /*lane_vectors*/ 1, /*vectors*/ 1, /*vector_bytes*/ 16,
     /*load_hint*/ WW_RMSNORM_RESIDUAL_LOAD_HINT_NONE,
     /*store_hint*/ WW_RMSNORM_RESIDUAL_STORE_HINT_STREAMING,
     "persistent_row.cu", 1, {32, 256, 0},
     "persistent_row LOAD_HINT=none STORE_HINT=streaming THREADS=1024 THREADS_PER_SM=2048 VECTORS=1 VECTOR_BYTES=16"},
    /* 15: warp_row LANES=16 LANE_VECTORS=1 LOAD_HINT=none STORE_HINT=none THREADS=128
       THREADS_PER_SM=1024 VECTOR_BYTES=16; wins 1 problem */
    {WW_RMSNORM_RESIDUAL_VARIANT_WARP_ROW, /*threads*/ 128, /*threads_per_sm*/ 1024, /*lanes*/ 16,
     /*lane_vectors*/ 1, /*vectors*/ 1, /*vector_bytes*/ 16,
     /*load_hint*/ WW_RMSNORM_RESIDUAL_LOAD_HINT_NONE,
     /*store_hint*/ WW_RMSNORM_RESIDUAL_STORE_HINT_NONE,
     "warp_row.cu", 1, {26, 0, 0},
     "warp_row LANES=16 LANE_VECTORS=1 LOAD_HINT=none STORE_HINT=none THREADS=128 THREADS_PER_SM=1024 VECTOR_BYTES=16"},
    /* 16: warp_row LANES=32 LANE_VECTORS=1 LOAD_HINT=none STORE_HINT=none THREADS=128
       THREADS_PER_SM=2048 VECTOR_BYTES=16 */
    {WW_RMSNORM_RESIDUAL_VARIANT_WARP_ROW, /*threads*/ 128, /*threads_per_sm*/ 2048, /*lanes*/ 32,
     /*lane_vectors*/ 1, /*vectors*/ 1, /*vector_bytes*/ 16,
     /*load_hint*/ WW_RMSNORM_RESIDUAL_LOAD_HINT_NONE,
     /*store_hint*/ WW_RMSNORM_RESIDUAL_STORE_HINT_NONE,
     "warp_row.cu", 1, {27, 0, 0},
     "warp_row LANES=32 LANE_VECTORS=1 LOAD_HINT=none STORE_HINT=none THREADS=128 THREADS_PER_SM=2048 VECTOR_BYTES=16"},
    /* 17: warp_row LANES=16 LANE_VECTORS=1 LOAD_HINT=none STORE_HINT=none THREADS=1024
       THREADS_PER_SM=2048 VECTOR_BYTES=16; wins 1 problem */
    {WW_RMSNORM_RESIDUAL_VARIANT_WARP_ROW, /*threads*/ 1024, /*threads_per_sm*/ 2048, /*lanes*/ 16,
     /*lane_vectors*/ 1, /*vectors*/ 1, /*vector_bytes*/ 16,
     /*load_hint*/ WW_RMSNORM_RESIDUAL_LOAD_HINT_NONE,
     /*store_hint*/ WW_RMSNORM_RESIDUAL_STORE_HINT_NONE,
     "warp_row.cu", 1, {26, 0, 0},
     "warp_row LANES=16 LANE_VECTORS=1 LOAD_HINT=none STORE_HINT=none THREADS=1024 THREADS_PER_SM=2048 VECTOR_BYTES=16"},
    /* 18: persistent_row LOAD_HINT=none STORE_HINT=none THREADS=1024 THREADS_PER_SM=1024
       VECTORS=1 VECTOR_BYTES=16, the defaults */
    {WW_RMSNORM_RESIDUAL_VARIANT_PERSISTENT_ROW, /*threads*/ 1024, /*threads_per_sm*/ 1024,
     /*lanes*/ 16, /*lane_vectors*/ 1, /*vectors*/ 1, /*vector_bytes*/ 16,
     /*load_hint*/ WW_RMSNORM_RESIDUAL_LOAD_HINT_NONE,
     /*store_hint*/ WW_RMSNORM_RESIDUAL_STORE_HINT_NONE,
     "persistent_row.cu", 1, {-1, -1, -1},
     "persistent_row LOAD_HINT=none STORE_HINT=none THREADS=1024 THREADS_PER_SM=1024 VECTORS=1 VECTOR_BYTES=16"},
    /* 19: block_row LOAD_HINT=none STORE_HINT=none THREADS=1024 THREADS_PER_SM=1024 VECTORS=1
       VECTOR_BYTES=16, the defaults */
    {WW_RMSNORM_RESIDUAL_VARIANT_BLOCK_ROW, /*threads*/ 1024, /*threads_per_sm*/ 1024, /*lanes*/ 16,
     /*lane_vectors*/ 1, /*vectors*/ 1, /*vector_bytes*/ 16,
     /*load_hint*/ WW_RMSNORM_RESIDUAL_LOAD_HINT_NONE,
     /*store_hint*/ WW_RMSNORM_RESIDUAL_STORE_HINT_NONE,
     "block_row.cu", 1, {-1, -1, -1},
     "block_row LOAD_HINT=none STORE_HINT=none THREADS=1024 THREADS_PER_SM=1024 VECTORS=1 VECTOR_BYTES=16"},
    /* 20: two_pass THREADS=1024, the defaults */
    {WW_RMSNORM_RESIDUAL_VARIANT_TWO_PASS, /*threads*/ 1024, /*threads_per_sm*/ 1024, /*lanes*/ 16,
     /*lane_vectors*/ 1, /*vectors*/ 1, /*vector_bytes*/ 16,
     /*load_hint*/ WW_RMSNORM_RESIDUAL_LOAD_HINT_NONE,
     /*store_hint*/ WW_RMSNORM_RESIDUAL_STORE_HINT_NONE,
     "two_pass.cu", 1, {-1, -1, -1},
     "two_pass THREADS=1024"},
    /* 21: warp_row LANES=16 LANE_VECTORS=1 LOAD_HINT=none STORE_HINT=none THREADS=1024
       THREADS_PER_SM=1024 VECTOR_BYTES=16, the defaults */
    {WW_RMSNORM_RESIDUAL_VARIANT_WARP_ROW, /*threads*/ 1024, /*threads_per_sm*/ 1024, /*lanes*/ 16,
     /*lane_vectors*/ 1, /*vectors*/ 1, /*vector_bytes*/ 16,
     /*load_hint*/ WW_RMSNORM_RESIDUAL_LOAD_HINT_NONE,
     /*store_hint*/ WW_RMSNORM_RESIDUAL_STORE_HINT_NONE,
     "warp_row.cu", 1, {-1, -1, -1},
     "warp_row LANES=16 LANE_VECTORS=1 LOAD_HINT=none STORE_HINT=none THREADS=1024 THREADS_PER_SM=1024 VECTOR_BYTES=16"},
};

WW_DATA ww_rmsnorm_residual_board ww_rmsnorm_residual_boards[WW_RMSNORM_RESIDUAL_BOARD_COUNT] = {
    /* 0: rows=128 d=8192 write_z=0 dtype=bf16 on NVIDIA H200 */
    {0, {128, 8192, 0, WW_RMSNORM_RESIDUAL_DTYPE_BF16}, 7, 3.2, 3.2, 3.232, 0, "cold-graph-1",
     37, 110, 4,
     "block_row LOAD_HINT=none STORE_HINT=none THREADS=512 THREADS_PER_SM=512 VECTORS=2 VECTOR_BYTES=16\n"
     "block_row LOAD_HINT=none STORE_HINT=streaming THREADS=512 THREADS_PER_SM=1024 VECTORS=2 VECTOR_BYTES=16\n"
     "block_row LOAD_HINT=none STORE_HINT=none THREADS=256 THREADS_PER_SM=512 VECTORS=4 VECTOR_BYTES=16\n"
     "block_row LOAD_HINT=none STORE_HINT=streaming THREADS=512 THREADS_PER_SM=512 VECTORS=2 VECTOR_BYTES=16\n",
     "580.159.04", "13.0", "warpwright 0.1.0", "2026-11-21T10:27:48Z",
     "e731622f222858cbee74d45cc55989321f493fd1d11cec4b2b2c6b63fb6e84a1"},
    /* 1: rows=128 d=8192 write_z=1 dtype=bf16 on NVIDIA H200 */
    {0, {128, 8192, 1, WW_RMSNORM_RESIDUAL_DTYPE_BF16}, 8, 3.312, 3.28, 3.328, 0, "cold-graph-1",
     37, 80, 3,
     "block_row LOAD_HINT=none STORE_HINT=streaming THREADS=512 THREADS_PER_SM=512 VECTORS=2 VECTOR_BYTES=16\n"
     "block_row LOAD_HINT=none STORE_HINT=none THREADS=256 THREADS_PER_SM=1024 VECTORS=4 VECTOR_BYTES=16\n"
     "block_row LOAD_HINT=none STORE_HINT=streaming THREADS=256 THREADS_PER_SM=1024 VECTORS=4 VECTOR_BYTES=16\n",
     "580.159.04", "13.0", "warpwright 0.1.0", "2026-11-21T10:27:52Z",
     "e731622f222858cbee74d45cc55989321f493fd1d11cec4b2b2c6b63fb6e84a1"},
    /* 2: rows=1024 d=1536 write_z=0 dtype=bf16 on NVIDIA H200 */
    {0, {1024, 1536, 0, WW_RMSNORM_RESIDUAL_DTYPE_BF16}, 2, 3.784, 3.76, 3.808, 0, "cold-graph-1",
     49, 100, 3,
     "block_row LOAD_HINT=none STORE_HINT=none THREADS=128 THREADS_PER_SM=512 VECTORS=2 VECTOR_BYTES=16\n"
     "block_row LOAD_HINT=none STORE_HINT=streaming THREADS=128 THREADS_PER_SM=512 VECTORS=2 VECTOR_BYTES=16\n"
     "block_row LOAD_HINT=none STORE_HINT=streaming THREADS=128 THREADS_PER_SM=1024 VECTORS=2 VECTOR_BYTES=16\n",
     "580.159.04", "13.0", "warpwright 0.1.0", "2026-11-21T10:28:26Z",
     "e731622f222858cbee74d45cc55989321f493fd1d11cec4b2b2c6b63fb6e84a1"},
    /* 3: rows=1024 d=1536 write_z=1 dtype=bf16 on NVIDIA H200 */
    {0, {1024, 1536, 1, WW_RMSNORM_RESIDUAL_DTYPE_BF16}, 2, 4.112, 4.096, 4.144, 0, "cold-graph-1",
     49, 90, 3,
     "block_row LOAD_HINT=none STORE_HINT=none THREADS=128 THREADS_PER_SM=512 VECTORS=2 VECTOR_BYTES=16\n"
     "block_row LOAD_HINT=none STORE_HINT=streaming THREADS=128 THREADS_PER_SM=1024 VECTORS=2 VECTOR_BYTES=16\n"
     "block_row LOAD_HINT=none STORE_HINT=streaming THREADS=128 THREADS_PER_SM=512 VECTORS=2 VECTOR_BYTES=16\n",
     "580.159.04", "13.0", "warpwright 0.1.0", "2026-11-21T10:28:32Z",
     "e731622f222858cbee74d45cc55989321f493fd1d11cec4b2b2c6b63fb6e84a1"},
    /* 4: rows=1024 d=16384 write_z=0 dtype=bf16 on NVIDIA H200 */
    {0, {1024, 16384, 0, WW_RMSNORM_RESIDUAL_DTYPE_BF16}, 5, 26.968, 26.88, 27.04, 0, "cold-graph-1",
     25, 30, 4,
     "persistent_row LOAD_HINT=none STORE_HINT=streaming THREADS=512 THREADS_PER_SM=512 VECTORS=4 VECTOR_BYTES=16\n"
     "persistent_row LOAD_HINT=none STORE_HINT=none THREADS=512 THREADS_PER_SM=512 VECTORS=4 VECTOR_BYTES=16\n"
     "persistent_row LOAD_HINT=none STORE_HINT=none THREADS=1024 THREADS_PER_SM=1024 VECTORS=2 VECTOR_BYTES=16\n"
     "persistent_row LOAD_HINT=none STORE_HINT=streaming THREADS=1024 THREADS_PER_SM=1024 VECTORS=2 VECTOR_BYTES=16\n",
     "580.159.04", "13.0", "warpwright 0.1.0", "2026-11-21T10:28:36Z",
     "e731622f222858cbee74d45cc55989321f493fd1d11cec4b2b2c6b63fb6e84a1"},
    /* 5: rows=1024 d=16384 write_z=1 dtype=bf16 on NVIDIA H200 */
    {0, {1024, 16384, 1, WW_RMSNORM_RESIDUAL_DTYPE_BF16}, 9, 34.192, 34.144, 34.256, 0, "cold-graph-1",
     25, 30, 3,
     "persistent_row LOAD_HINT=none STORE_HINT=none THREADS=1024 THREADS_PER_SM=1024 VECTORS=2 VECTOR_BYTES=16\n"
     "persistent_row LOAD_HINT=none STORE_HINT=none THREADS=512 THREADS_PER_SM=512 VECTORS=4 VECTOR_BYTES=16\n"
     "block_row LOAD_HINT=none STORE_HINT=streaming THREADS=512 THREADS_PER_SM=1024 VECTORS=4 VECTOR_BYTES=16\n",
     "580.159.04", "13.0", "warpwright 0.1.0", "2026-11-21T10:28:39Z",
     "e731622f222858cbee74d45cc55989321f493fd1d11cec4b2b2c6b63fb6e84a1"},
    /* 6: rows=8192 d=4096 write_z=0 dtype=bf16 on NVIDIA H200 */
    {0, {8192, 4096, 0, WW_RMSNORM_RESIDUAL_DTYPE_BF16}, 4, 49.16, 48.896, 49.344, 0, "cold-graph-1",
     49, 80, 7,
     "block_row LOAD_HINT=none STORE_HINT=none THREADS=128 THREADS_PER_SM=512 VECTORS=4 VECTOR_BYTES=16\n"
     "block_row LOAD_HINT=none STORE_HINT=none THREADS=256 THREADS_PER_SM=1024 VECTORS=2 VECTOR_BYTES=16\n"
     "block_row LOAD_HINT=none STORE_HINT=streaming THREADS=256 THREADS_PER_SM=1024 VECTORS=2 VECTOR_BYTES=16\n"
     "block_row LOAD_HINT=none STORE_HINT=streaming THREADS=256 THREADS_PER_SM=512 VECTORS=2 VECTOR_BYTES=16\n"
     "block_row LOAD_HINT=none STORE_HINT=none THREADS=256 THREADS_PER_SM=512 VECTORS=2 VECTOR_BYTES=16\n"
     "block_row LOAD_HINT=none STORE_HINT=streaming THREADS=128 THREADS_PER_SM=1024 VECTORS=4 VECTOR_BYTES=16\n"
     "block_row LOAD_HINT=none STORE_HINT=streaming THREADS=128 THREADS_PER_SM=512 VECTORS=4 VECTOR_BYTES=16\n",
     "580.159.04", "13.0", "warpwright 0.1.0", "2026-11-21T10:27:15Z",
     "e731622f222858cbee74d45cc55989321f493fd1d11cec4b2b2c6b63fb6e84a1"},
    /* 7: rows=8192 d=4096 write_z=1 dtype=bf16 on NVIDIA H200 */
    {0, {8192, 4096, 1, WW_RMSNORM_RESIDUAL_DTYPE_BF16}, 3, 65.344, 65.28, 65.424, 0, "cold-graph-1",
     49, 30, 6,
     "block_row LOAD_HINT=none STORE_HINT=none THREADS=128 THREADS_PER_SM=1024 VECTORS=4 VECTOR_BYTES=16\n"
     "block_row LOAD_HINT=none STORE_HINT=none THREADS=512 THREADS_PER_SM=512 VECTORS=1 VECTOR_BYTES=16\n"
     "block_row LOAD_HINT=none STORE_HINT=none THREADS=256 THREADS_PER_SM=512 VECTORS=2 VECTOR_BYTES=16\n"
     "block_row LOAD_HINT=none STORE_HINT=none THREADS=512 THREADS_PER_SM=2048 VECTORS=1 VECTOR_BYTES=16\n"
     "block_row LOAD_HINT=none STORE_HINT=none THREADS=128 THREADS_PER_SM=512 VECTORS=4 VECTOR_BYTES=16\n"
     "block_row LOAD_HINT=none STORE_HINT=none THREADS=512 THREADS_PER_SM=1024 VECTORS=1 VECTOR_BYTES=16\n",
     "580.159.04", "13.0", "warpwright 0.1.0", "2026-11-21T10:27:24Z",
     "e731622f222858cbee74d45cc55989321f493fd1d11cec4b2b2c6b63fb6e84a1"},
    /* 8: rows=8192 d=8192 write_z=0 dtype=bf16 on NVIDIA H200 */
    {0, {8192, 8192, 0, WW_RMSNORM_RESIDUAL_DTYPE_BF16}, 11, 95.272, 95.152, 95.392, 0, "cold-graph-1",
     37, 30, 6,
     "block_row LOAD_HINT=none STORE_HINT=streaming THREADS=512 THREADS_PER_SM=512 VECTORS=2 VECTOR_BYTES=16\n"
     "block_row LOAD_HINT=none STORE_HINT=none THREADS=512 THREADS_PER_SM=1024 VECTORS=2 VECTOR_BYTES=16\n"
     "block_row LOAD_HINT=none STORE_HINT=streaming THREADS=512 THREADS_PER_SM=1024 VECTORS=2 VECTOR_BYTES=16\n"
     "block_row LOAD_HINT=none STORE_HINT=none THREADS=512 THREADS_PER_SM=512 VECTORS=2 VECTOR_BYTES=16\n"
     "block_row LOAD_HINT=none STORE_HINT=none THREADS=256 THREADS_PER_SM=512 VECTORS=4 VECTOR_BYTES=16\n"
     "block_row LOAD_HINT=none STORE_HINT=streaming THREADS=256 THREADS_PER_SM=1024 VECTORS=4 VECTOR_BYTES=16\n",
     "580.159.04", "13.0", "warpwright 0.1.0", "2026-11-21T10:27:30Z",
     "e731622f222858cbee74d45cc55989321f493fd1d11cec4b2b2c6b63fb6e84a1"},
    /* 9: rows=8192 d=8192 write_z=1 dtype=bf16 on NVIDIA H200 */
    {0, {8192, 8192, 1, WW_RMSNORM_RESIDUAL_DTYPE_BF16}, 10, 129.672, 129.472, 130.224, 0, "cold-graph-1",
     37, 30, 5,
     "block_row LOAD_HINT=none STORE_HINT=none THREADS=512 THREADS_PER_SM=512 VECTORS=2 VECTOR_BYTES=16\n"
     "block_row LOAD_HINT=none STORE_HINT=none THREADS=512 THREADS_PER_SM=1024 VECTORS=2 VECTOR_BYTES=16\n"
     "block_row LOAD_HINT=none STORE_HINT=none THREADS=1024 THREADS_PER_SM=1024 VECTORS=1 VECTOR_BYTES=16\n"
     "block_row LOAD_HINT=none STORE_HINT=none THREADS=1024 THREADS_PER_SM=2048 VECTORS=1 VECTOR_BYTES=16\n"
     "block_row LOAD_HINT=none STORE_HINT=none THREADS=256 THREADS_PER_SM=512 VECTORS=4 VECTOR_BYTES=16\n",
     "580.159.04", "13.0", "warpwright 0.1.0", "2026-11-21T10:27:34Z",
     "e731622f222858cbee74d45cc55989321f493fd1d11cec4b2b2c6b63fb6e84a1"},
    /* 10: rows=32768 d=8192 write_z=0 dtype=bf16 on NVIDIA H200 */
    {0, {32768, 8192, 0, WW_RMSNORM_RESIDUAL_DTYPE_BF16}, 11, 368.688, 368.48, 369.024, 0, "cold-graph-1",
     37, 30, 4,
     "block_row LOAD_HINT=none STORE_HINT=streaming THREADS=512 THREADS_PER_SM=512 VECTORS=2 VECTOR_BYTES=16\n"
     "block_row LOAD_HINT=none STORE_HINT=streaming THREADS=512 THREADS_PER_SM=1024 VECTORS=2 VECTOR_BYTES=16\n"
     "block_row LOAD_HINT=none STORE_HINT=none THREADS=512 THREADS_PER_SM=1024 VECTORS=2 VECTOR_BYTES=16\n"
     "block_row LOAD_HINT=none STORE_HINT=none THREADS=512 THREADS_PER_SM=512 VECTORS=2 VECTOR_BYTES=16\n",
     "580.159.04", "13.0", "warpwright 0.1.0", "2026-11-21T10:27:38Z",
     "e731622f222858cbee74d45cc55989321f493fd1d11cec4b2b2c6b63fb6e84a1"},
    /* 11: rows=32768 d=8192 write_z=1 dtype=bf16 on NVIDIA H200 */
    {0, {32768, 8192, 1, WW_RMSNORM_RESIDUAL_DTYPE_BF16}, 12, 511.672, 511.28, 512.048, 0, "cold-graph-1",
     37, 30, 3,
     "block_row LOAD_HINT=none STORE_HINT=none THREADS=512 THREADS_PER_SM=512 VECTORS=2 VECTOR_BYTES=16\n"
     "block_row LOAD_HINT=none STORE_HINT=none THREADS=512 THREADS_PER_SM=1024 VECTORS=2 VECTOR_BYTES=16\n"
     "block_row LOAD_HINT=none STORE_HINT=none THREADS=1024 THREADS_PER_SM=2048 VECTORS=1 VECTOR_BYTES=16\n",
     "580.159.04", "13.0", "warpwright 0.1.0", "2026-11-21T10:27:44Z",
     "e731622f222858cbee74d45cc55989321f493fd1d11cec4b2b2c6b63fb6e84a1"},
    /* 12: rows=262144 d=128 write_z=0 dtype=bf16 on NVIDIA H200 */
    {0, {262144, 128, 0, WW_RMSNORM_RESIDUAL_DTYPE_BF16}, 17, 48.768, 48.656, 49.136, 0, "cold-graph-1",
     145, 50, 14,
     "warp_row LANES=16 LANE_VECTORS=1 LOAD_HINT=none STORE_HINT=streaming THREADS=64 THREADS_PER_SM=2048 VECTOR_BYTES=16\n"
     "warp_row LANES=16 LANE_VECTORS=1 LOAD_HINT=none STORE_HINT=streaming THREADS=64 THREADS_PER_SM=512 VECTOR_BYTES=16\n"
     "warp_row LANES=16 LANE_VECTORS=1 LOAD_HINT=none STORE_HINT=streaming THREADS=128 THREADS_PER_SM=512 VECTOR_BYTES=16\n"
     "warp_row LANES=16 LANE_VECTORS=1 LOAD_HINT=none STORE_HINT=none THREADS=64 THREADS_PER_SM=2048 VECTOR_BYTES=16\n"
     "warp_row LANES=16 LANE_VECTORS=1 LOAD_HINT=none STORE_HINT=streaming THREADS=256 THREADS_PER_SM=1024 VECTOR_BYTES=16\n"
     "warp_row LANES=16 LANE_VECTORS=1 LOAD_HINT=none STORE_HINT=none THREADS=128 THREADS_PER_SM=512 VECTOR_BYTES=16\n"
     "warp_row LANES=16 LANE_VECTORS=1 LOAD_HINT=none STORE_HINT=streaming THREADS=1024 THREADS_PER_SM=2048 VECTOR_BYTES=16\n"
     "warp_row LANES=16 LANE_VECTORS=1 LOAD_HINT=none STORE_HINT=streaming THREADS=256 THREADS_PER_SM=512 VECTOR_BYTES=16\n"
     "warp_row LANES=16 LANE_VECTORS=1 LOAD_HINT=none STORE_HINT=streaming THREADS=512 THREADS_PER_SM=1024 VECTOR_BYTES=16\n"
     "warp_row LANES=16 LANE_VECTORS=1 LOAD_HINT=none STORE_HINT=none THREADS=128 THREADS_PER_SM=1024 VECTOR_BYTES=16\n"
     "warp_row LANES=16 LANE_VECTORS=1 LOAD_HINT=none STORE_HINT=none THREADS=128 THREADS_PER_SM=2048 VECTOR_BYTES=16\n"
     "warp_row LANES=16 LANE_VECTORS=1 LOAD_HINT=none STORE_HINT=none THREADS=256 THREADS_PER_SM=512 VECTOR_BYTES=16\n"
     "warp_row LANES=8 LANE_VECTORS=2 LOAD_HINT=none STORE_HINT=streaming THREADS=128 THREADS_PER_SM=512 VECTOR_BYTES=16\n"
     "warp_row LANES=8 LANE_VECTORS=2 LOAD_HINT=none STORE_HINT=none THREADS=64 THREADS_PER_SM=512 VECTOR_BYTES=16\n",
     "580.159.04", "13.0", "warpwright 0.1.0", "2026-11-21T10:28:03Z",
     "ec4ee2bfa590a9aee9cbaac52157dbb240a0f58f00a57c7988005f3fbb5e94ad"},
    /* 13: rows=262144 d=128 write_z=1 dtype=bf16 on NVIDIA H200 */
    {0, {262144, 128, 1, WW_RMSNORM_RESIDUAL_DTYPE_BF16}, 15, 65.328, 65.264, 65.408, 0, "cold-graph-1",
     145, 30, 10,
     "warp_row LANES=16 LANE_VECTORS=1 LOAD_HINT=none STORE_HINT=none THREADS=64 THREADS_PER_SM=2048 VECTOR_BYTES=16\n"
     "warp_row LANES=16 LANE_VECTORS=1 LOAD_HINT=none STORE_HINT=none THREADS=64 THREADS_PER_SM=1024 VECTOR_BYTES=16\n"
     "warp_row LANES=16 LANE_VECTORS=1 LOAD_HINT=none STORE_HINT=none THREADS=64 THREADS_PER_SM=512 VECTOR_BYTES=16\n"
     "warp_row LANES=16 LANE_VECTORS=1 LOAD_HINT=none STORE_HINT=none THREADS=128 THREADS_PER_SM=2048 VECTOR_BYTES=16\n"
     "warp_row LANES=16 LANE_VECTORS=1 LOAD_HINT=none STORE_HINT=none THREADS=128 THREADS_PER_SM=512 VECTOR_BYTES=16\n"
     "warp_row LANES=16 LANE_VECTORS=1 LOAD_HINT=none STORE_HINT=none THREADS=256 THREADS_PER_SM=1024 VECTOR_BYTES=16\n"
     "warp_row LANES=16 LANE_VECTORS=1 LOAD_HINT=none STORE_HINT=none THREADS=256 THREADS_PER_SM=2048 VECTOR_BYTES=16\n"
     "warp_row LANES=16 LANE_VECTORS=1 LOAD_HINT=none STORE_HINT=none THREADS=256 THREADS_PER_SM=512 VECTOR_BYTES=16\n"
     "warp_row LANES=16 LANE_VECTORS=1 LOAD_HINT=none STORE_HINT=none THREADS=512 THREADS_PER_SM=2048 VECTOR_BYTES=16\n"
     "warp_row LANES=16 LANE_VECTORS=1 LOAD_HINT=none STORE_HINT=none THREADS=512 THREADS_PER_SM=512 VECTOR_BYTES=16\n",
     "580.159.04", "13.0", "warpwright 0.1.0", "2026-11-21T10:28:21Z",
     "ec4ee2bfa590a9aee9cbaac52157dbb240a0f58f00a57c7988005f3fbb5e94ad"},
};

/* Thousandths of the best that each candidate reaches on each tuned problem, at most that where
   it was stopped early; -1: not tried. */
WW_DATA short ww_rmsnorm_residual_fractions[WW_RMSNORM_RESIDUAL_CANDIDATE_COUNT][WW_RMSNORM_RESIDUAL_BOARD_COUNT] = {
    { 541,  450,   -1,   -1,  593,  587,  727,  796,  741,  771,  750,  778,   -1,   -1},
    { 641,  559,   -1,   -1,  688,  735,   -1,  641,  678,  756,  680,  767,   -1,   -1},
    {  -1,   -1, 1000, 1000,   -1,   -1,   -1,   -1,   -1,   -1,   -1,   -1,   -1,   -1},
    {  -1,   -1,   -1,   -1,   -1,   -1,  997, 1000,   -1,   -1,   -1,   -1,   -1,   -1},
    {  -1,   -1,   -1,   -1,   -1,   -1, 1000,  993,   -1,   -1,   -1,   -1,   -1,   -1},
    {  -1,   -1,   -1,   -1, 1000,  986,   -1,   -1,   -1,   -1,   -1,   -1,   -1,   -1},
    {  -1,   -1,  781,  821,   -1,   -1,  993,  991,   -1,   -1,   -1,   -1,   -1,   -1},
    {1000,  976,   -1,   -1,   -1,   -1,   -1,   -1, 1000, 1000, 1000, 1000,   -1,   -1},
    { 990, 1000,   -1,   -1,   -1,   -1,   -1,   -1, 1000,  996, 1000,  991,   -1,   -1},
    {  -1,   -1,   -1,   -1,  975, 1000,   -1,   -1,   -1,   -1,   -1,   -1,   -1,   -1},
    { 943,  941,   -1,   -1,   -1,   -1,   -1,   -1,  999, 1000,  999,  999,   -1,   -1},
    { 957,  920,   -1,   -1,   -1,   -1,   -1,   -1, 1000,  993, 1000,  992,   -1,   -1},
    { 962,  932,   -1,   -1,   -1,   -1,   -1,  876,  987, 1000,  997, 1000,   -1,   -1},
    {  -1,   -1,  857,   -1,   -1,   -1,  966,  918,   -1,   -1,   -1,   -1,   -1,   -1},
    { 926,  888,   -1,   -1,   -1,   -1,  939,  929,  969,  925,  963,  931,   -1,   -1},
    {  -1,   -1,   -1,   -1,   -1,   -1,   -1,   -1,   -1,   -1,   -1,   -1,  995, 1000},
    {  -1,   -1,   -1,   -1,   -1,   -1,   -1,   -1,   -1,   -1,   -1,   -1,  914,  988},
    {  -1,   -1,   -1,   -1,   -1,   -1,   -1,   -1,   -1,   -1,   -1,   -1, 1000,  992},
};

/* The same of the best configuration of each default's variant. */
WW_DATA short ww_rmsnorm_residual_merits[WW_RMSNORM_RESIDUAL_DEFAULT_COUNT][WW_RMSNORM_RESIDUAL_BOARD_COUNT] = {
    { 971,  972,  959,  938, 1000,  993,  982,  973,  977,  983,  970,  964,  529,  650},
    {1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000,  307,  411},
    { 641,  559,  704,  662,  688,  735,  727,  796,  741,  771,  750,  778,  304,  407},
    {  -1,   -1,   -1,   -1,   -1,   -1,   -1,   -1,   -1,   -1,   -1,   -1, 1000, 1000},
};

/* What it was tuned from. Compile these very files: `warpwright export --verify` says whether a
   tree has them. */
WW_DATA ww_file ww_rmsnorm_residual_files[WW_RMSNORM_RESIDUAL_FILE_COUNT] = {
    {"kernels/common/packet.cuh",
     "7418a6188c3fc62e75e7a560044d6c7dd5a259842809330d77083ec1ffb01caf"},
    {"kernels/common/reference.h",
     "a8bc0c6a4d7f873c8749dd53a8f0ede94ed79a2f4bb6cac008a50ba69d371c9b"},
    {"kernels/common/residual_row.cuh",
     "6a6fe0950bcb5a85b7daa0149a20ca8398d01d6ce3073da5ed0b191bf13526ed"},
    {"kernels/common/types.cuh",
     "2d2999a5c47791c5ff08012d47a2f1ef319061ddaa4bca89ef962a057ac7fe4a"},
    {"kernels/common/warp.cuh",
     "85b283ee72c430595689d74369ddf4df4a9ed1817f4eb0b0f45b046444027cb5"},
    {"kernels/rmsnorm_residual/block_row.cu",
     "de1aa41707ebf4b4c7e48f111cda448bb5df008c9d08a0b03bbad9ebad16f646"},
    {"kernels/rmsnorm_residual/kernel.yaml",
     "a6a489ecff43dc62d86962484b66e6f7e8e91e729eb862fbd87993833c11bcf2"},
    {"kernels/rmsnorm_residual/persistent_row.cu",
     "0786fdd6d2deb8921d178acab903b0e77864337c06559b73fc5791d4fef98803"},
    {"kernels/rmsnorm_residual/reference.cpp",
     "664acf0c3d3c2da9fd9a41d090cc3a41b356a23127c006175899e36d1b09e8a9"},
    {"kernels/rmsnorm_residual/two_pass.cu",
     "77b04755b73169a2cebb84fe23f51b62d9432b532c1a81150ef07367fb3329de"},
    {"kernels/rmsnorm_residual/warp_row.cu",
     "fa8bf5b3e5f1ac0fefb552baf32d48477690e35f020737b16060488806b06c7a"},
};

/* Folders of headers below the folder of kernels, in the order in which they are searched; the
   first holds the sources. */
WW_DATA char ww_rmsnorm_residual_includes[WW_RMSNORM_RESIDUAL_INCLUDE_COUNT][17] = {
    "rmsnorm_residual",
    "common",
};

/* The contract's types and limits of every size. */
WW_FN int ww_rmsnorm_residual_valid(ww_rmsnorm_residual_problem problem) {
  if (problem.rows < 1) return 0;
  if (problem.d < 1) return 0;
  if (problem.write_z != 0 && problem.write_z != 1) return 0;
  if (ww_rmsnorm_residual_dtype_name(problem.dtype) == 0) return 0;
  return 1;
}

WW_FN int ww_rmsnorm_residual_same_sizes(ww_rmsnorm_residual_problem a, ww_rmsnorm_residual_problem b) {
  return a.rows == b.rows &&
         a.d == b.d &&
         a.write_z == b.write_z &&
         a.dtype == b.dtype;
}
/* How many sizes that have no distance, such as dtypes, differ. */
WW_FN int ww_rmsnorm_residual_other_choices(ww_rmsnorm_residual_problem a, ww_rmsnorm_residual_problem b) {
  int count = 0;
  if (a.write_z != b.write_z) ++count;
  if (a.dtype != b.dtype) ++count;
  return count;
}

enum {
  WW_RMSNORM_RESIDUAL_AXIS_COUNT = 2
};
/* Where a problem lies: distances are Euclidean in log2(1 + size) and in twice the log2 of the
   contract's traffic. */
typedef struct ww_rmsnorm_residual_place {
  double axes[WW_RMSNORM_RESIDUAL_AXIS_COUNT] WW_INIT({});
  int counted WW_INIT(0);
  double work WW_INIT(0);
} ww_rmsnorm_residual_place;
WW_FN ww_rmsnorm_residual_place ww_rmsnorm_residual_place_of(ww_rmsnorm_residual_problem problem) {
  const ww_value rows = ww_integer(problem.rows);
  const ww_value d = ww_integer(problem.d);
  const ww_value write_z = ww_integer(problem.write_z);
  const ww_value dtype = ww_text(ww_rmsnorm_residual_dtype_name(problem.dtype));
  /* Bytes that the contract counts. */
  const ww_value work = ww_add(ww_multiply(ww_multiply(ww_multiply(ww_add(ww_integer(3), write_z), rows), d), ww_bytes_of(dtype)), ww_multiply(d, ww_bytes_of(dtype)));
  ww_rmsnorm_residual_place place = WW_ZERO;
  place.axes[0] = ww_size_scale((double)problem.rows);
  place.axes[1] = ww_size_scale((double)problem.d);
  place.counted = ww_number(work);
  place.work = place.counted ? ww_size_scale(ww_as_real(work)) : 0;
  return place;
}

WW_FN int ww_rmsnorm_residual_allowed_two_pass(ww_rmsnorm_residual_configuration configuration, ww_rmsnorm_residual_problem problem,
    ww_limits limits) {
  const ww_value rows = ww_integer(problem.rows);
  const ww_value d = ww_integer(problem.d);
  const ww_value write_z = ww_integer(problem.write_z);
  const ww_value dtype = ww_text(ww_rmsnorm_residual_dtype_name(problem.dtype));
  const ww_value threads = ww_integer(configuration.threads);
  const ww_value device_max_threads = ww_integer(limits.max_threads);
  /* a block is made of whole warps */
  if (!ww_holds(ww_equal(ww_remainder(threads, ww_integer(32)), ww_integer(0)))) return 0;
  /* x is an array */
  if (!ww_holds(ww_greater_equal(ww_multiply(ww_multiply(ww_bytes_of(dtype), rows), d), ww_integer(0)))) return 0;
  /* w is an array */
  if (!ww_holds(ww_greater_equal(ww_multiply(ww_bytes_of(dtype), d), ww_integer(0)))) return 0;
  /* z is an array */
  if (!ww_holds(ww_greater_equal(ww_multiply(ww_multiply(ww_bytes_of(dtype), rows), ww_multiply(d, write_z)), ww_integer(0)))) return 0;
  /* the argument d is an i32 */
  if (!ww_holds(ww_and(ww_greater_equal(d, ww_integer(-2147483648LL)), ww_less_equal(d, ww_integer(2147483647))))) return 0;
  /* the argument inverse_d is an f32 */
  if (!ww_holds(ww_and(ww_greater_equal(ww_divide(ww_real(1.0), d), ww_real(-3.4028234663852886e+38)), ww_less_equal(ww_divide(ww_real(1.0), d), ww_real(3.4028234663852886e+38))))) return 0;
  /* a grid has 1 to 2^31 - 1 blocks in x */
  if (!ww_holds(ww_and(ww_greater_equal(rows, ww_integer(1)), ww_less_equal(rows, ww_integer(2147483647))))) return 0;
  /* a block has threads */
  if (!ww_holds(ww_greater_equal(threads, ww_integer(1)))) return 0;
  /* the device launches no more */
  if (!ww_holds(ww_less_equal(threads, device_max_threads))) return 0;
  return 1;
}

WW_FN int ww_rmsnorm_residual_allowed_block_row(ww_rmsnorm_residual_configuration configuration, ww_rmsnorm_residual_problem problem,
    ww_limits limits) {
  const ww_value rows = ww_integer(problem.rows);
  const ww_value d = ww_integer(problem.d);
  const ww_value write_z = ww_integer(problem.write_z);
  const ww_value dtype = ww_text(ww_rmsnorm_residual_dtype_name(problem.dtype));
  const ww_value threads = ww_integer(configuration.threads);
  const ww_value threads_per_sm = ww_integer(configuration.threads_per_sm);
  const ww_value vectors = ww_integer(configuration.vectors);
  const ww_value vector_bytes = ww_integer(configuration.vector_bytes);
  const ww_value device_max_threads = ww_integer(limits.max_threads);
  /* a block is made of whole warps */
  if (!ww_holds(ww_equal(ww_remainder(threads, ww_integer(32)), ww_integer(0)))) return 0;
  /* an access holds at least one element */
  if (!ww_holds(ww_greater_equal(vector_bytes, ww_bytes_of(dtype)))) return 0;
  /* every row must start on a multiple of VECTOR_BYTES */
  if (!ww_holds(ww_equal(ww_remainder(ww_multiply(d, ww_bytes_of(dtype)), vector_bytes), ww_integer(0)))) return 0;
  /* blocks of THREADS must add up to THREADS_PER_SM */
  if (!ww_holds(ww_equal(ww_remainder(threads_per_sm, threads), ww_integer(0)))) return 0;
  /* the block's registers must hold a row */
  if (!ww_holds(ww_greater_equal(ww_multiply(ww_multiply(threads, vectors), vector_bytes), ww_multiply(d, ww_bytes_of(dtype))))) return 0;
  /* x is an array */
  if (!ww_holds(ww_greater_equal(ww_multiply(ww_multiply(ww_bytes_of(dtype), rows), d), ww_integer(0)))) return 0;
  /* w is an array */
  if (!ww_holds(ww_greater_equal(ww_multiply(ww_bytes_of(dtype), d), ww_integer(0)))) return 0;
  /* z is an array */
  if (!ww_holds(ww_greater_equal(ww_multiply(ww_multiply(ww_bytes_of(dtype), rows), ww_multiply(d, write_z)), ww_integer(0)))) return 0;
  /* the argument d is an i32 */
  if (!ww_holds(ww_and(ww_greater_equal(d, ww_integer(-2147483648LL)), ww_less_equal(d, ww_integer(2147483647))))) return 0;
  /* the argument inverse_d is an f32 */
  if (!ww_holds(ww_and(ww_greater_equal(ww_divide(ww_real(1.0), d), ww_real(-3.4028234663852886e+38)), ww_less_equal(ww_divide(ww_real(1.0), d), ww_real(3.4028234663852886e+38))))) return 0;
  /* a grid has 1 to 2^31 - 1 blocks in x */
  if (!ww_holds(ww_and(ww_greater_equal(rows, ww_integer(1)), ww_less_equal(rows, ww_integer(2147483647))))) return 0;
  /* a block has threads */
  if (!ww_holds(ww_greater_equal(threads, ww_integer(1)))) return 0;
  /* the device launches no more */
  if (!ww_holds(ww_less_equal(threads, device_max_threads))) return 0;
  return 1;
}

WW_FN int ww_rmsnorm_residual_allowed_persistent_row(ww_rmsnorm_residual_configuration configuration, ww_rmsnorm_residual_problem problem,
    ww_limits limits) {
  const ww_value rows = ww_integer(problem.rows);
  const ww_value d = ww_integer(problem.d);
  const ww_value write_z = ww_integer(problem.write_z);
  const ww_value dtype = ww_text(ww_rmsnorm_residual_dtype_name(problem.dtype));
  const ww_value threads = ww_integer(configuration.threads);
  const ww_value threads_per_sm = ww_integer(configuration.threads_per_sm);
  const ww_value vectors = ww_integer(configuration.vectors);
  const ww_value vector_bytes = ww_integer(configuration.vector_bytes);
  const ww_value device_max_threads = ww_integer(limits.max_threads);
  const ww_value device_sm_count = ww_integer(limits.sm_count);
  /* a block is made of whole warps */
  if (!ww_holds(ww_equal(ww_remainder(threads, ww_integer(32)), ww_integer(0)))) return 0;
  /* an access holds at least one element */
  if (!ww_holds(ww_greater_equal(vector_bytes, ww_bytes_of(dtype)))) return 0;
  /* every row must start on a multiple of VECTOR_BYTES */
  if (!ww_holds(ww_equal(ww_remainder(ww_multiply(d, ww_bytes_of(dtype)), vector_bytes), ww_integer(0)))) return 0;
  /* blocks of THREADS must add up to THREADS_PER_SM */
  if (!ww_holds(ww_equal(ww_remainder(threads_per_sm, threads), ww_integer(0)))) return 0;
  /* the block's registers must hold a row */
  if (!ww_holds(ww_greater_equal(ww_multiply(ww_multiply(threads, vectors), vector_bytes), ww_multiply(d, ww_bytes_of(dtype))))) return 0;
  /* x is an array */
  if (!ww_holds(ww_greater_equal(ww_multiply(ww_multiply(ww_bytes_of(dtype), rows), d), ww_integer(0)))) return 0;
  /* w is an array */
  if (!ww_holds(ww_greater_equal(ww_multiply(ww_bytes_of(dtype), d), ww_integer(0)))) return 0;
  /* z is an array */
  if (!ww_holds(ww_greater_equal(ww_multiply(ww_multiply(ww_bytes_of(dtype), rows), ww_multiply(d, write_z)), ww_integer(0)))) return 0;
  /* the argument rows is an i32 */
  if (!ww_holds(ww_and(ww_greater_equal(rows, ww_integer(-2147483648LL)), ww_less_equal(rows, ww_integer(2147483647))))) return 0;
  /* the argument d is an i32 */
  if (!ww_holds(ww_and(ww_greater_equal(d, ww_integer(-2147483648LL)), ww_less_equal(d, ww_integer(2147483647))))) return 0;
  /* the argument inverse_d is an f32 */
  if (!ww_holds(ww_and(ww_greater_equal(ww_divide(ww_real(1.0), d), ww_real(-3.4028234663852886e+38)), ww_less_equal(ww_divide(ww_real(1.0), d), ww_real(3.4028234663852886e+38))))) return 0;
  /* a grid has 1 to 2^31 - 1 blocks in x */
  if (!ww_holds(ww_and(ww_greater_equal(ww_smaller(rows, ww_multiply(device_sm_count, ww_divide(threads_per_sm, threads))), ww_integer(1)), ww_less_equal(ww_smaller(rows, ww_multiply(device_sm_count, ww_divide(threads_per_sm, threads))), ww_integer(2147483647))))) return 0;
  /* a block has threads */
  if (!ww_holds(ww_greater_equal(threads, ww_integer(1)))) return 0;
  /* the device launches no more */
  if (!ww_holds(ww_less_equal(threads, device_max_threads))) return 0;
  return 1;
}

WW_FN int ww_rmsnorm_residual_allowed_warp_row(ww_rmsnorm_residual_configuration configuration, ww_rmsnorm_residual_problem problem,
    ww_limits limits) {
  const ww_value rows = ww_integer(problem.rows);
  const ww_value d = ww_integer(problem.d);
  const ww_value write_z = ww_integer(problem.write_z);
  const ww_value dtype = ww_text(ww_rmsnorm_residual_dtype_name(problem.dtype));
  const ww_value threads = ww_integer(configuration.threads);
  const ww_value threads_per_sm = ww_integer(configuration.threads_per_sm);
  const ww_value lanes = ww_integer(configuration.lanes);
  const ww_value lane_vectors = ww_integer(configuration.lane_vectors);
  const ww_value vector_bytes = ww_integer(configuration.vector_bytes);
  const ww_value device_max_threads = ww_integer(limits.max_threads);
  /* a block is made of whole warps */
  if (!ww_holds(ww_equal(ww_remainder(threads, ww_integer(32)), ww_integer(0)))) return 0;
  /* an access holds at least one element */
  if (!ww_holds(ww_greater_equal(vector_bytes, ww_bytes_of(dtype)))) return 0;
  /* every row must start on a multiple of VECTOR_BYTES */
  if (!ww_holds(ww_equal(ww_remainder(ww_multiply(d, ww_bytes_of(dtype)), vector_bytes), ww_integer(0)))) return 0;
  /* blocks of THREADS must add up to THREADS_PER_SM */
  if (!ww_holds(ww_equal(ww_remainder(threads_per_sm, threads), ww_integer(0)))) return 0;
  /* the lanes' registers must hold a row */
  if (!ww_holds(ww_greater_equal(ww_multiply(ww_multiply(lanes, lane_vectors), vector_bytes), ww_multiply(d, ww_bytes_of(dtype))))) return 0;
  /* x is an array */
  if (!ww_holds(ww_greater_equal(ww_multiply(ww_multiply(ww_bytes_of(dtype), rows), d), ww_integer(0)))) return 0;
  /* w is an array */
  if (!ww_holds(ww_greater_equal(ww_multiply(ww_bytes_of(dtype), d), ww_integer(0)))) return 0;
  /* z is an array */
  if (!ww_holds(ww_greater_equal(ww_multiply(ww_multiply(ww_bytes_of(dtype), rows), ww_multiply(d, write_z)), ww_integer(0)))) return 0;
  /* the argument rows is an i32 */
  if (!ww_holds(ww_and(ww_greater_equal(rows, ww_integer(-2147483648LL)), ww_less_equal(rows, ww_integer(2147483647))))) return 0;
  /* the argument d is an i32 */
  if (!ww_holds(ww_and(ww_greater_equal(d, ww_integer(-2147483648LL)), ww_less_equal(d, ww_integer(2147483647))))) return 0;
  /* the argument inverse_d is an f32 */
  if (!ww_holds(ww_and(ww_greater_equal(ww_divide(ww_real(1.0), d), ww_real(-3.4028234663852886e+38)), ww_less_equal(ww_divide(ww_real(1.0), d), ww_real(3.4028234663852886e+38))))) return 0;
  /* a grid has 1 to 2^31 - 1 blocks in x */
  if (!ww_holds(ww_and(ww_greater_equal(ww_ceil_div(rows, ww_divide(threads, lanes)), ww_integer(1)), ww_less_equal(ww_ceil_div(rows, ww_divide(threads, lanes)), ww_integer(2147483647))))) return 0;
  /* a block has threads */
  if (!ww_holds(ww_greater_equal(threads, ww_integer(1)))) return 0;
  /* the device launches no more */
  if (!ww_holds(ww_less_equal(threads, device_max_threads))) return 0;
  return 1;
}

/* Every constraint of the contract and of the variant holds for this problem on a device with
   these limits, and its launches are within CUDA's. */
WW_FN int ww_rmsnorm_residual_allowed(ww_rmsnorm_residual_configuration configuration, ww_rmsnorm_residual_problem problem,
    ww_limits limits) {
  switch (configuration.variant) {
    case WW_RMSNORM_RESIDUAL_VARIANT_TWO_PASS:
      return ww_rmsnorm_residual_allowed_two_pass(configuration, problem, limits);
    case WW_RMSNORM_RESIDUAL_VARIANT_BLOCK_ROW:
      return ww_rmsnorm_residual_allowed_block_row(configuration, problem, limits);
    case WW_RMSNORM_RESIDUAL_VARIANT_PERSISTENT_ROW:
      return ww_rmsnorm_residual_allowed_persistent_row(configuration, problem, limits);
    case WW_RMSNORM_RESIDUAL_VARIANT_WARP_ROW:
      return ww_rmsnorm_residual_allowed_warp_row(configuration, problem, limits);
  }
  return 0;
}

/* How much what counts in a choice. */
#define WW_RMSNORM_RESIDUAL_WORK_SCALE 2.0
#define WW_RMSNORM_RESIDUAL_NEARBY 2.0
#define WW_RMSNORM_RESIDUAL_OTHER_CHOICE 2.0
#define WW_RMSNORM_RESIDUAL_PRIOR_FRACTION 0.5
#define WW_RMSNORM_RESIDUAL_PRIOR_WEIGHT 0.2
#define WW_RMSNORM_RESIDUAL_SCORE_TIE 1e-09

WW_FN ww_limits ww_rmsnorm_residual_limits_of(ww_device device) {
  const int capability = ww_capability_of(device.arch);
  ww_limits limits = device.limits;
  if (capability > 0) limits.compute_capability = capability;
  for (int i = 0; i < WW_RMSNORM_RESIDUAL_DEVICE_COUNT; ++i) {
    if (ww_same_device(ww_rmsnorm_residual_devices[i], device)) limits = ww_fill_limits(limits, ww_rmsnorm_residual_devices[i].limits);
  }
  return ww_fill_limits(limits, ww_least_limits(capability));
}

WW_FN double ww_rmsnorm_residual_squared_distance(ww_rmsnorm_residual_problem tuned, ww_rmsnorm_residual_problem problem) {
  const ww_rmsnorm_residual_place a = ww_rmsnorm_residual_place_of(tuned);
  const ww_rmsnorm_residual_place b = ww_rmsnorm_residual_place_of(problem);
  double sum = WW_RMSNORM_RESIDUAL_OTHER_CHOICE * WW_RMSNORM_RESIDUAL_OTHER_CHOICE * ww_rmsnorm_residual_other_choices(tuned, problem);
  for (int i = 0; i < WW_RMSNORM_RESIDUAL_AXIS_COUNT; ++i) sum += (a.axes[i] - b.axes[i]) * (a.axes[i] - b.axes[i]);
  if (a.counted && b.counted)
    sum += WW_RMSNORM_RESIDUAL_WORK_SCALE * (a.work - b.work) * (WW_RMSNORM_RESIDUAL_WORK_SCALE * (a.work - b.work));
  return sum;
}
WW_FN double ww_rmsnorm_residual_board_weight(double squared) {
  const double closeness = 1 / (WW_RMSNORM_RESIDUAL_NEARBY * WW_RMSNORM_RESIDUAL_NEARBY + squared);
  return closeness * closeness;
}
/* What boards say of a configuration, in fractions of the best; below 0: nothing. */
WW_FN double ww_rmsnorm_residual_board_score(const short *thousandths, const double *weights, double total) {
  double sum = WW_RMSNORM_RESIDUAL_PRIOR_WEIGHT * WW_RMSNORM_RESIDUAL_PRIOR_FRACTION;
  double known = WW_RMSNORM_RESIDUAL_PRIOR_WEIGHT;
  for (int i = 0; i < WW_RMSNORM_RESIDUAL_BOARD_COUNT; ++i) {
    if (!(weights[i] > 0) || thousandths[i] < 0) continue;
    sum += weights[i] / total * thousandths[i] / 1000;
    known += weights[i] / total;
  }
  return known > WW_RMSNORM_RESIDUAL_PRIOR_WEIGHT ? sum / known : -1;
}

/* The vote of tuned problems: on this device or on others of its architecture, with the same listed
   values or with others. */
WW_FN ww_selection ww_rmsnorm_residual_vote(ww_device device, ww_limits limits, ww_rmsnorm_residual_problem problem, int same_device,
                         int same_choices) {
  double weights[WW_RMSNORM_RESIDUAL_BOARD_COUNT] = WW_ZERO;
  double total = 0;
  double least = 0;
  ww_selection chosen = ww_no_selection();
  ww_match match = WW_MATCH_NEAREST_OTHER_CHOICE;
  if (same_choices) match = same_device ? WW_MATCH_NEAREST_SAME_DEVICE : WW_MATCH_NEAREST_SAME_ARCH;
  for (int i = 0; i < WW_RMSNORM_RESIDUAL_BOARD_COUNT; ++i) {
    const ww_device tuned = ww_rmsnorm_residual_devices[ww_rmsnorm_residual_boards[i].device];
    if (!ww_same_arch(tuned.arch, device.arch)) continue;
    if (ww_same_device(tuned, device) != same_device) continue;
    if ((ww_rmsnorm_residual_other_choices(ww_rmsnorm_residual_boards[i].problem, problem) == 0) != same_choices) continue;
    const double squared = ww_rmsnorm_residual_squared_distance(ww_rmsnorm_residual_boards[i].problem, problem);
    const int equal = ww_rmsnorm_residual_same_sizes(ww_rmsnorm_residual_boards[i].problem, problem);
    if (chosen.nearest < 0 || squared < least || equal) {
      chosen.nearest = i;
      chosen.distance = ww_root(squared);
      least = equal ? -1 : squared;
    }
    weights[i] = ww_rmsnorm_residual_board_weight(squared);
    total += weights[i];
  }
  if (chosen.nearest < 0) return chosen;
  chosen.limits = limits;
  const int winner = ww_rmsnorm_residual_boards[chosen.nearest].winner;
  if (least < 0 && ww_rmsnorm_residual_allowed(ww_rmsnorm_residual_configurations[winner], problem, limits)) {
    chosen.match = same_device ? WW_MATCH_EXACT : WW_MATCH_NEAREST_SAME_ARCH;
    chosen.configuration = winner;
    chosen.score = 1;
    return chosen;
  }
  for (int i = 0; i < WW_RMSNORM_RESIDUAL_CANDIDATE_COUNT; ++i) {
    const double score = ww_rmsnorm_residual_board_score(ww_rmsnorm_residual_fractions[i], weights, total);
    if (!(score > chosen.score + WW_RMSNORM_RESIDUAL_SCORE_TIE)) continue;
    if (!ww_rmsnorm_residual_allowed(ww_rmsnorm_residual_configurations[i], problem, limits)) continue;
    chosen.match = match;
    chosen.configuration = i;
    chosen.score = score;
  }
  return chosen;
}

/* The defaults of the variant that does best on the tuned problems near this one, wherever they
   were tuned. */
WW_FN ww_selection ww_rmsnorm_residual_contract_default(ww_limits limits, ww_rmsnorm_residual_problem problem) {
  double weights[WW_RMSNORM_RESIDUAL_BOARD_COUNT] = WW_ZERO;
  double total = 0;
  double best = 0;
  ww_selection chosen = ww_no_selection();
  for (int i = 0; i < WW_RMSNORM_RESIDUAL_BOARD_COUNT; ++i) {
    weights[i] = ww_rmsnorm_residual_board_weight(ww_rmsnorm_residual_squared_distance(ww_rmsnorm_residual_boards[i].problem, problem));
    total += weights[i];
  }
  for (int i = WW_RMSNORM_RESIDUAL_CANDIDATE_COUNT; i < WW_RMSNORM_RESIDUAL_CONFIGURATION_COUNT; ++i) {
    double merit = ww_rmsnorm_residual_board_score(ww_rmsnorm_residual_merits[i - WW_RMSNORM_RESIDUAL_CANDIDATE_COUNT], weights, total);
    if (merit < 0) merit = 0;
    if (chosen.configuration >= 0 && !(merit > best + WW_RMSNORM_RESIDUAL_SCORE_TIE)) continue;
    if (!ww_rmsnorm_residual_allowed(ww_rmsnorm_residual_configurations[i], problem, limits)) continue;
    chosen.match = WW_MATCH_DEFAULT;
    chosen.configuration = i;
    chosen.limits = limits;
    best = merit;
  }
  return chosen;
}

/* The configuration for a problem on a device. A device is tuned when its name and its architecture
   are. */
WW_FN ww_selection ww_rmsnorm_residual_select(ww_device device, ww_rmsnorm_residual_problem problem) {
  if (!ww_rmsnorm_residual_valid(problem)) return ww_no_selection();
  const ww_limits limits = ww_rmsnorm_residual_limits_of(device);
  ww_selection chosen = ww_rmsnorm_residual_vote(device, limits, problem, 1, 1);
  if (chosen.configuration < 0) chosen = ww_rmsnorm_residual_vote(device, limits, problem, 0, 1);
  if (chosen.configuration < 0) chosen = ww_rmsnorm_residual_vote(device, limits, problem, 1, 0);
  if (chosen.configuration < 0) chosen = ww_rmsnorm_residual_vote(device, limits, problem, 0, 0);
  if (chosen.configuration < 0) chosen = ww_rmsnorm_residual_contract_default(limits, problem);
  return chosen;
}

enum {
  WW_RMSNORM_RESIDUAL_OPTION_LENGTH = 46
};
typedef struct ww_rmsnorm_residual_options {
  int count WW_INIT(0);
  char option[10][WW_RMSNORM_RESIDUAL_OPTION_LENGTH] WW_INIT({});
} ww_rmsnorm_residual_options;
WW_FN void ww_rmsnorm_residual_put(ww_rmsnorm_residual_options *out, int *at, const char *text) {
  for (; *text != '\0' && *at < WW_RMSNORM_RESIDUAL_OPTION_LENGTH - 1; ++text) out->option[out->count][(*at)++] = *text;
  out->option[out->count][*at] = '\0';
}
WW_FN void ww_rmsnorm_residual_put_integer(ww_rmsnorm_residual_options *out, int *at, long long v) {
  char digits[24] = WW_ZERO;
  int first = 23;
  const int negative = v < 0;
  do {
    const int digit = (int)(v % 10);
    digits[--first] = (char)('0' + (digit < 0 ? -digit : digit));
    v /= 10;
  } while (v != 0);
  if (negative) digits[--first] = '-';
  ww_rmsnorm_residual_put(out, at, digits + first);
}
/* In hexadecimal, which is exact. */
WW_FN void ww_rmsnorm_residual_put_real(ww_rmsnorm_residual_options *out, int *at, double v) {
  int exponent = 0;
  char digit[2] = WW_ZERO;
  if (v < 0) ww_rmsnorm_residual_put(out, at, "-");
  if (v < 0) v = -v;
  for (; v >= 2; v /= 2) ++exponent;
  for (; v > 0 && v < 1; v *= 2) --exponent;
  ww_rmsnorm_residual_put(out, at, v > 0 ? "0x1." : "0x0.");
  v -= v > 0 ? 1 : 0;
  for (int i = 0; i < 13; ++i) {
    const int hex = (int)(v *= 16);
    digit[0] = "0123456789abcdef"[hex];
    ww_rmsnorm_residual_put(out, at, digit);
    v -= hex;
  }
  ww_rmsnorm_residual_put(out, at, "p");
  ww_rmsnorm_residual_put_integer(out, at, exponent);
}
WW_FN void ww_rmsnorm_residual_put_define(ww_rmsnorm_residual_options *out, const char *macro, ww_value v) {
  int at = 0;
  ww_rmsnorm_residual_put(out, &at, "-D");
  ww_rmsnorm_residual_put(out, &at, macro);
  ww_rmsnorm_residual_put(out, &at, "=");
  if (v.kind == WW_INTEGER) ww_rmsnorm_residual_put_integer(out, &at, v.integer);
  if (v.kind == WW_REAL) ww_rmsnorm_residual_put_real(out, &at, v.real);
  if (v.kind == WW_TEXT) ww_rmsnorm_residual_put(out, &at, v.text);
  ++out->count;
}

/* What NVRTC or nvcc is given to compile the configuration's source for the problem beside the
   architecture and folders of headers, one option an entry. */
WW_FN ww_rmsnorm_residual_options ww_rmsnorm_residual_compile_options(ww_selection chosen, ww_rmsnorm_residual_problem problem) {
  ww_rmsnorm_residual_options out = WW_ZERO;
  int at = 0;
  if (chosen.configuration < 0 || chosen.configuration >= WW_RMSNORM_RESIDUAL_CONFIGURATION_COUNT) return out;
  const ww_rmsnorm_residual_configuration configuration = ww_rmsnorm_residual_configurations[chosen.configuration];
  ww_rmsnorm_residual_put(&out, &at, "--std=c++20");
  ++out.count;
  switch (configuration.variant) {
    case WW_RMSNORM_RESIDUAL_VARIANT_TWO_PASS:
      ww_rmsnorm_residual_put_define(&out, "THREADS", ww_integer(configuration.threads));
      break;
    case WW_RMSNORM_RESIDUAL_VARIANT_BLOCK_ROW:
      ww_rmsnorm_residual_put_define(&out, "THREADS", ww_integer(configuration.threads));
      ww_rmsnorm_residual_put_define(&out, "THREADS_PER_SM", ww_integer(configuration.threads_per_sm));
      ww_rmsnorm_residual_put_define(&out, "VECTORS", ww_integer(configuration.vectors));
      ww_rmsnorm_residual_put_define(&out, "VECTOR_BYTES", ww_integer(configuration.vector_bytes));
      ww_rmsnorm_residual_put_define(&out, "LOAD_HINT", ww_text(ww_rmsnorm_residual_load_hint_name(configuration.load_hint)));
      ww_rmsnorm_residual_put_define(&out, "STORE_HINT", ww_text(ww_rmsnorm_residual_store_hint_name(configuration.store_hint)));
      break;
    case WW_RMSNORM_RESIDUAL_VARIANT_PERSISTENT_ROW:
      ww_rmsnorm_residual_put_define(&out, "THREADS", ww_integer(configuration.threads));
      ww_rmsnorm_residual_put_define(&out, "THREADS_PER_SM", ww_integer(configuration.threads_per_sm));
      ww_rmsnorm_residual_put_define(&out, "VECTORS", ww_integer(configuration.vectors));
      ww_rmsnorm_residual_put_define(&out, "VECTOR_BYTES", ww_integer(configuration.vector_bytes));
      ww_rmsnorm_residual_put_define(&out, "LOAD_HINT", ww_text(ww_rmsnorm_residual_load_hint_name(configuration.load_hint)));
      ww_rmsnorm_residual_put_define(&out, "STORE_HINT", ww_text(ww_rmsnorm_residual_store_hint_name(configuration.store_hint)));
      break;
    case WW_RMSNORM_RESIDUAL_VARIANT_WARP_ROW:
      ww_rmsnorm_residual_put_define(&out, "THREADS", ww_integer(configuration.threads));
      ww_rmsnorm_residual_put_define(&out, "THREADS_PER_SM", ww_integer(configuration.threads_per_sm));
      ww_rmsnorm_residual_put_define(&out, "LANES", ww_integer(configuration.lanes));
      ww_rmsnorm_residual_put_define(&out, "LANE_VECTORS", ww_integer(configuration.lane_vectors));
      ww_rmsnorm_residual_put_define(&out, "VECTOR_BYTES", ww_integer(configuration.vector_bytes));
      ww_rmsnorm_residual_put_define(&out, "LOAD_HINT", ww_text(ww_rmsnorm_residual_load_hint_name(configuration.load_hint)));
      ww_rmsnorm_residual_put_define(&out, "STORE_HINT", ww_text(ww_rmsnorm_residual_store_hint_name(configuration.store_hint)));
      break;
  }
  ww_rmsnorm_residual_put_define(&out, "WRITE_Z", ww_integer(problem.write_z));
  ww_rmsnorm_residual_put_define(&out, "DTYPE", ww_text(ww_rmsnorm_residual_dtype_name(problem.dtype)));
  return out;
}

WW_FN ww_launch_plan ww_rmsnorm_residual_launch_two_pass(ww_rmsnorm_residual_configuration configuration, ww_rmsnorm_residual_problem problem,
    ww_limits limits, int index) {
  const ww_value rows = ww_integer(problem.rows);
  const ww_value d = ww_integer(problem.d);
  const ww_value threads = ww_integer(configuration.threads);
  (void)limits;
  ww_launch_plan out = ww_no_launch();
  switch (index) {
    case 0:
      out.ok = 1;
      out.entry = "rmsnorm_residual";
      ww_put_number(&out.ok, &out.grid[0], rows);
      ww_put_number(&out.ok, &out.block[0], threads);
      ww_put_argument(&out, "x", WW_TENSOR, 0, ww_dtype_of(ww_rmsnorm_residual_dtype_name(problem.dtype)));
      ww_put_argument(&out, "r", WW_TENSOR, 1, ww_dtype_of(ww_rmsnorm_residual_dtype_name(problem.dtype)));
      ww_put_argument(&out, "w", WW_TENSOR, 2, ww_dtype_of(ww_rmsnorm_residual_dtype_name(problem.dtype)));
      ww_put_argument(&out, "y", WW_TENSOR, 3, ww_dtype_of(ww_rmsnorm_residual_dtype_name(problem.dtype)));
      ww_put_argument(&out, "z", WW_TENSOR, 4, ww_dtype_of(ww_rmsnorm_residual_dtype_name(problem.dtype)));
      ww_put_scalar(&out, "d", WW_I32, d);
      ww_put_scalar(&out, "inverse_d", WW_F32, ww_divide(ww_real(1.0), d));
      ww_put_scalar(&out, "eps", WW_F32, ww_real(1e-06));
      break;
    default:
      break;
  }
  return out;
}

WW_FN ww_launch_plan ww_rmsnorm_residual_launch_block_row(ww_rmsnorm_residual_configuration configuration, ww_rmsnorm_residual_problem problem,
    ww_limits limits, int index) {
  const ww_value rows = ww_integer(problem.rows);
  const ww_value d = ww_integer(problem.d);
  const ww_value threads = ww_integer(configuration.threads);
  (void)limits;
  ww_launch_plan out = ww_no_launch();
  switch (index) {
    case 0:
      out.ok = 1;
      out.entry = "rmsnorm_residual";
      ww_put_number(&out.ok, &out.grid[0], rows);
      ww_put_number(&out.ok, &out.block[0], threads);
      ww_put_argument(&out, "x", WW_TENSOR, 0, ww_dtype_of(ww_rmsnorm_residual_dtype_name(problem.dtype)));
      ww_put_argument(&out, "r", WW_TENSOR, 1, ww_dtype_of(ww_rmsnorm_residual_dtype_name(problem.dtype)));
      ww_put_argument(&out, "w", WW_TENSOR, 2, ww_dtype_of(ww_rmsnorm_residual_dtype_name(problem.dtype)));
      ww_put_argument(&out, "y", WW_TENSOR, 3, ww_dtype_of(ww_rmsnorm_residual_dtype_name(problem.dtype)));
      ww_put_argument(&out, "z", WW_TENSOR, 4, ww_dtype_of(ww_rmsnorm_residual_dtype_name(problem.dtype)));
      ww_put_scalar(&out, "d", WW_I32, d);
      ww_put_scalar(&out, "inverse_d", WW_F32, ww_divide(ww_real(1.0), d));
      ww_put_scalar(&out, "eps", WW_F32, ww_real(1e-06));
      break;
    default:
      break;
  }
  return out;
}

WW_FN ww_launch_plan ww_rmsnorm_residual_launch_persistent_row(ww_rmsnorm_residual_configuration configuration, ww_rmsnorm_residual_problem problem,
    ww_limits limits, int index) {
  const ww_value rows = ww_integer(problem.rows);
  const ww_value d = ww_integer(problem.d);
  const ww_value threads = ww_integer(configuration.threads);
  const ww_value threads_per_sm = ww_integer(configuration.threads_per_sm);
  const ww_value device_sm_count = ww_integer(limits.sm_count);
  ww_launch_plan out = ww_no_launch();
  switch (index) {
    case 0:
      out.ok = 1;
      out.entry = "rmsnorm_residual";
      ww_put_number(&out.ok, &out.grid[0], ww_smaller(rows, ww_multiply(device_sm_count, ww_divide(threads_per_sm, threads))));
      ww_put_number(&out.ok, &out.block[0], threads);
      ww_put_argument(&out, "x", WW_TENSOR, 0, ww_dtype_of(ww_rmsnorm_residual_dtype_name(problem.dtype)));
      ww_put_argument(&out, "r", WW_TENSOR, 1, ww_dtype_of(ww_rmsnorm_residual_dtype_name(problem.dtype)));
      ww_put_argument(&out, "w", WW_TENSOR, 2, ww_dtype_of(ww_rmsnorm_residual_dtype_name(problem.dtype)));
      ww_put_argument(&out, "y", WW_TENSOR, 3, ww_dtype_of(ww_rmsnorm_residual_dtype_name(problem.dtype)));
      ww_put_argument(&out, "z", WW_TENSOR, 4, ww_dtype_of(ww_rmsnorm_residual_dtype_name(problem.dtype)));
      ww_put_scalar(&out, "rows", WW_I32, rows);
      ww_put_scalar(&out, "d", WW_I32, d);
      ww_put_scalar(&out, "inverse_d", WW_F32, ww_divide(ww_real(1.0), d));
      ww_put_scalar(&out, "eps", WW_F32, ww_real(1e-06));
      break;
    default:
      break;
  }
  return out;
}

WW_FN ww_launch_plan ww_rmsnorm_residual_launch_warp_row(ww_rmsnorm_residual_configuration configuration, ww_rmsnorm_residual_problem problem,
    ww_limits limits, int index) {
  const ww_value rows = ww_integer(problem.rows);
  const ww_value d = ww_integer(problem.d);
  const ww_value threads = ww_integer(configuration.threads);
  const ww_value lanes = ww_integer(configuration.lanes);
  (void)limits;
  ww_launch_plan out = ww_no_launch();
  switch (index) {
    case 0:
      out.ok = 1;
      out.entry = "rmsnorm_residual";
      ww_put_number(&out.ok, &out.grid[0], ww_ceil_div(rows, ww_divide(threads, lanes)));
      ww_put_number(&out.ok, &out.block[0], threads);
      ww_put_argument(&out, "x", WW_TENSOR, 0, ww_dtype_of(ww_rmsnorm_residual_dtype_name(problem.dtype)));
      ww_put_argument(&out, "r", WW_TENSOR, 1, ww_dtype_of(ww_rmsnorm_residual_dtype_name(problem.dtype)));
      ww_put_argument(&out, "w", WW_TENSOR, 2, ww_dtype_of(ww_rmsnorm_residual_dtype_name(problem.dtype)));
      ww_put_argument(&out, "y", WW_TENSOR, 3, ww_dtype_of(ww_rmsnorm_residual_dtype_name(problem.dtype)));
      ww_put_argument(&out, "z", WW_TENSOR, 4, ww_dtype_of(ww_rmsnorm_residual_dtype_name(problem.dtype)));
      ww_put_scalar(&out, "rows", WW_I32, rows);
      ww_put_scalar(&out, "d", WW_I32, d);
      ww_put_scalar(&out, "inverse_d", WW_F32, ww_divide(ww_real(1.0), d));
      ww_put_scalar(&out, "eps", WW_F32, ww_real(1e-06));
      break;
    default:
      break;
  }
  return out;
}

/* Launch `index` of the configuration's launch_count, in stream order. The entries, with their
   arguments in order and what scalars are computed from: */
/* two_pass: rmsnorm_residual(const dtype *x, const dtype *r, const dtype *w, dtype *y, dtype *z,
   i32 d = d, f32 inverse_d = 1.0 / d, f32 eps = 1e-06) */
/* block_row: rmsnorm_residual(const dtype *x, const dtype *r, const dtype *w, dtype *y, dtype
   *z, i32 d = d, f32 inverse_d = 1.0 / d, f32 eps = 1e-06) */
/* persistent_row: rmsnorm_residual(const dtype *x, const dtype *r, const dtype *w, dtype *y,
   dtype *z, i32 rows = rows, i32 d = d, f32 inverse_d = 1.0 / d, f32 eps = 1e-06) */
/* warp_row: rmsnorm_residual(const dtype *x, const dtype *r, const dtype *w, dtype *y, dtype *z,
   i32 rows = rows, i32 d = d, f32 inverse_d = 1.0 / d, f32 eps = 1e-06) */
WW_FN ww_launch_plan ww_rmsnorm_residual_launch(ww_selection chosen, ww_rmsnorm_residual_problem problem, int index) {
  if (chosen.configuration < 0 || chosen.configuration >= WW_RMSNORM_RESIDUAL_CONFIGURATION_COUNT) return ww_no_launch();
  const ww_rmsnorm_residual_configuration configuration = ww_rmsnorm_residual_configurations[chosen.configuration];
  switch (configuration.variant) {
    case WW_RMSNORM_RESIDUAL_VARIANT_TWO_PASS:
      return ww_rmsnorm_residual_launch_two_pass(configuration, problem, chosen.limits, index);
    case WW_RMSNORM_RESIDUAL_VARIANT_BLOCK_ROW:
      return ww_rmsnorm_residual_launch_block_row(configuration, problem, chosen.limits, index);
    case WW_RMSNORM_RESIDUAL_VARIANT_PERSISTENT_ROW:
      return ww_rmsnorm_residual_launch_persistent_row(configuration, problem, chosen.limits, index);
    case WW_RMSNORM_RESIDUAL_VARIANT_WARP_ROW:
      return ww_rmsnorm_residual_launch_warp_row(configuration, problem, chosen.limits, index);
  }
  return ww_no_launch();
}

enum {
  WW_RMSNORM_RESIDUAL_TENSOR_X = 0,
  WW_RMSNORM_RESIDUAL_TENSOR_R = 1,
  WW_RMSNORM_RESIDUAL_TENSOR_W = 2,
  WW_RMSNORM_RESIDUAL_TENSOR_Y = 3,
  WW_RMSNORM_RESIDUAL_TENSOR_Z = 4,
  WW_RMSNORM_RESIDUAL_TENSOR_COUNT = 5
};

/* Tensor `index` of WW_..._TENSOR_COUNT. Workspaces belong to the launches of one stream; a
   `used` of 0 needs none. */
WW_FN ww_tensor ww_rmsnorm_residual_tensor(ww_selection chosen, ww_rmsnorm_residual_problem problem, int index) {
  ww_tensor out = WW_ZERO;
  if (chosen.configuration < 0 || chosen.configuration >= WW_RMSNORM_RESIDUAL_CONFIGURATION_COUNT) return out;
  const ww_rmsnorm_residual_configuration configuration = ww_rmsnorm_residual_configurations[chosen.configuration];
  const ww_limits limits = chosen.limits;
  const ww_value rows = ww_integer(problem.rows);
  const ww_value d = ww_integer(problem.d);
  const ww_value write_z = ww_integer(problem.write_z);
  (void)configuration;
  (void)limits;
  switch (index) {
    case WW_RMSNORM_RESIDUAL_TENSOR_X:
      ww_put_tensor(&out, "x", WW_IN, 1, ww_dtype_of(ww_rmsnorm_residual_dtype_name(problem.dtype)));
      ww_put_axis(&out, rows);
      ww_put_axis(&out, d);
      break;
    case WW_RMSNORM_RESIDUAL_TENSOR_R:
      ww_put_tensor(&out, "r", WW_IN, 1, ww_dtype_of(ww_rmsnorm_residual_dtype_name(problem.dtype)));
      ww_put_axis(&out, rows);
      ww_put_axis(&out, d);
      break;
    case WW_RMSNORM_RESIDUAL_TENSOR_W:
      ww_put_tensor(&out, "w", WW_IN, 1, ww_dtype_of(ww_rmsnorm_residual_dtype_name(problem.dtype)));
      ww_put_axis(&out, d);
      break;
    case WW_RMSNORM_RESIDUAL_TENSOR_Y:
      ww_put_tensor(&out, "y", WW_OUT, 1, ww_dtype_of(ww_rmsnorm_residual_dtype_name(problem.dtype)));
      ww_put_axis(&out, rows);
      ww_put_axis(&out, d);
      break;
    case WW_RMSNORM_RESIDUAL_TENSOR_Z:
      ww_put_tensor(&out, "z", WW_OUT, 1, ww_dtype_of(ww_rmsnorm_residual_dtype_name(problem.dtype)));
      ww_put_axis(&out, rows);
      ww_put_axis(&out, ww_multiply(d, write_z));
      break;
    default:
      break;
  }
  return out;
}

#endif
/* sha256 of what is above: b9bb654966bca2d9b9f60a3d28e015a153653d9385699f1fc4481e5717ecca81 */
