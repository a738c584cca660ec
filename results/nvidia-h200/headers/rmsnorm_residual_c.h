/* clang-format off */
/* rmsnorm_residual: Residual addition and RMSNorm, z = x + r and y = z * rsqrt(mean(z^2) + eps)
   * w, over the last axis */
/* Tuned configurations, written by `warpwright export`. Do not edit: export again. (warpwright
   0.1.0) */
/* NVIDIA H200 (sm_90a): 14 problems, 758 configurations tried; times are measured. */
/* Left out one at a time, 4 of 14 tuned problems get a configuration within 10 % of their best
   from the others. */
/*
     const ww_rmsnorm_residual_problem problem = {128, 8192, 0, WW_RMSNORM_RESIDUAL_DTYPE_BF16};
     const ww_rmsnorm_residual_device device = {"NVIDIA H200", "sm_90a", {0}};
     const ww_rmsnorm_residual_selection chosen = ww_rmsnorm_residual_select(device, problem);
   chosen.configuration->source, compiled with ww_rmsnorm_residual_defines(*chosen.configuration, problem), is
   launched as ww_rmsnorm_residual_launch(*chosen.configuration, problem, chosen.limits, 0) says.
   C99, no other header. */
#ifndef WW_RMSNORM_RESIDUAL_H_INCLUDED
#define WW_RMSNORM_RESIDUAL_H_INCLUDED

typedef enum {
  WW_RMSNORM_RESIDUAL_DTYPE_F32,
  WW_RMSNORM_RESIDUAL_DTYPE_BF16,
  WW_RMSNORM_RESIDUAL_DTYPE_F16
} ww_rmsnorm_residual_dtype;
static inline const char *ww_rmsnorm_residual_dtype_name(ww_rmsnorm_residual_dtype v) {
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
static inline const char *ww_rmsnorm_residual_load_hint_name(ww_rmsnorm_residual_load_hint v) {
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
static inline const char *ww_rmsnorm_residual_store_hint_name(ww_rmsnorm_residual_store_hint v) {
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
static inline const char *ww_rmsnorm_residual_variant_name(ww_rmsnorm_residual_variant v) {
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

typedef struct {
  long long rows;  /* tokens; at least 1 */
  long long d;  /* width of the residual stream; at least 1 */
  long long write_z;  /* 1 stores z for the next residual addition */
  ww_rmsnorm_residual_dtype dtype;
} ww_rmsnorm_residual_problem;

/* Limits of a device that constraints and launches depend on; 0 is taken from the tuned device
   that is consulted. */
typedef struct {
  long long max_shared;
  long long sm_count;
} ww_rmsnorm_residual_limits;

typedef struct {
  const char *name;  /* as the driver gives it: "NVIDIA H200" */
  const char *arch;  /* "sm_90a" */
  ww_rmsnorm_residual_limits limits;
} ww_rmsnorm_residual_device;

/* What of a launch does not depend on the problem. */
typedef struct {
  const char *entry;
  long long block[3];  /* 0: see launch() */
  long long cluster[3];  /* likewise */
  long long shared_bytes;  /* dynamic; -1: see launch() */
} ww_rmsnorm_residual_launch_facts;

/* Of all launches the largest, as compiled when it was tuned; -1: not known. */
typedef struct {
  int registers;  /* per thread */
  int shared_bytes;  /* per block, static and dynamic */
  int spill_bytes;  /* per thread */
} ww_rmsnorm_residual_resources;

/* Parameters that the variant does not have hold the contract's defaults. */
typedef struct {
  ww_rmsnorm_residual_variant variant;
  long long threads;  /* THREADS: threads per block */
  /* THREADS_PER_SM: threads that must fit on an SM at once; each gets 65536 / THREADS_PER_SM
     registers */
  long long threads_per_sm;
  long long lanes;  /* LANES: lanes of a warp that share a row */
  /* LANE_VECTORS: accesses per operand with which a lane holds its part of a row */
  long long lane_vectors;
  /* VECTORS: accesses per operand with which a thread holds its part of a row */
  long long vectors;
  long long vector_bytes;  /* VECTOR_BYTES: bytes per access of a thread */
  ww_rmsnorm_residual_load_hint load_hint;  /* LOAD_HINT: streaming keeps x and r out of L1 */
  /* STORE_HINT: streaming lets L2 evict y and z first */
  ww_rmsnorm_residual_store_hint store_hint;
  const char *source;  /* file name */
  int launch_count;
  ww_rmsnorm_residual_launch_facts launches[1];
  ww_rmsnorm_residual_resources resources;
  const char *text;  /* as `warpwright show` prints it */
} ww_rmsnorm_residual_configuration;

/* A tuned problem: what won, and how that is known. */
typedef struct {
  int device;  /* in devices */
  ww_rmsnorm_residual_problem problem;
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
} ww_rmsnorm_residual_board;

typedef enum {
  WW_RMSNORM_RESIDUAL_MATCH_NONE,
  WW_RMSNORM_RESIDUAL_MATCH_EXACT,
  WW_RMSNORM_RESIDUAL_MATCH_NEAREST_SAME_DEVICE,
  WW_RMSNORM_RESIDUAL_MATCH_NEAREST_SAME_ARCH,
  WW_RMSNORM_RESIDUAL_MATCH_DEFAULT
} ww_rmsnorm_residual_match;
typedef struct {
  ww_rmsnorm_residual_match match;
  const ww_rmsnorm_residual_configuration *configuration;  /* null when nothing matches */
  const ww_rmsnorm_residual_board *nearest;  /* the nearest tuned problem, if one was asked */
  double distance;  /* to it; 1 is a factor of two in one size */
  double score;  /* expected best time / time; 0 of a default */
  ww_rmsnorm_residual_limits limits;  /* for launch() */
} ww_rmsnorm_residual_selection;

#define WW_RMSNORM_RESIDUAL_DEVICE_COUNT 1
#define WW_RMSNORM_RESIDUAL_BOARD_COUNT 14
#define WW_RMSNORM_RESIDUAL_CANDIDATE_COUNT 18
#define WW_RMSNORM_RESIDUAL_CONFIGURATION_COUNT 22

static const ww_rmsnorm_residual_device ww_rmsnorm_residual_devices[WW_RMSNORM_RESIDUAL_DEVICE_COUNT] = {
    {"NVIDIA H200", "sm_90a", {/*max_shared*/ 232448, /*sm_count*/ 132}},
};

/* The portfolio; after it the contract's defaults of every variant. */
static const ww_rmsnorm_residual_configuration ww_rmsnorm_residual_configurations[WW_RMSNORM_RESIDUAL_CONFIGURATION_COUNT] = {
    /* 0: two_pass THREADS=512 */
    {WW_RMSNORM_RESIDUAL_VARIANT_TWO_PASS, /*threads*/ 512, /*threads_per_sm*/ 1024, /*lanes*/ 16,
     /*lane_vectors*/ 1, /*vectors*/ 1, /*vector_bytes*/ 16,
     /*load_hint*/ WW_RMSNORM_RESIDUAL_LOAD_HINT_NONE,
     /*store_hint*/ WW_RMSNORM_RESIDUAL_STORE_HINT_NONE,
     "two_pass.cu", 1,
     {{"rmsnorm_residual", {512, 1, 1}, {1, 1, 1}, 0}},
     {32, 128, 0}, "two_pass THREADS=512"},
    /* 1: two_pass THREADS=1024 */
    {WW_RMSNORM_RESIDUAL_VARIANT_TWO_PASS, /*threads*/ 1024, /*threads_per_sm*/ 1024, /*lanes*/ 16,
     /*lane_vectors*/ 1, /*vectors*/ 1, /*vector_bytes*/ 16,
     /*load_hint*/ WW_RMSNORM_RESIDUAL_LOAD_HINT_NONE,
     /*store_hint*/ WW_RMSNORM_RESIDUAL_STORE_HINT_NONE,
     "two_pass.cu", 1,
     {{"rmsnorm_residual", {1024, 1, 1}, {1, 1, 1}, 0}},
     {32, 128, 0}, "two_pass THREADS=1024"},
    /* 2: block_row LOAD_HINT=none STORE_HINT=none THREADS=128 THREADS_PER_SM=1024 VECTORS=2
       VECTOR_BYTES=16; wins 2 problems */
    {WW_RMSNORM_RESIDUAL_VARIANT_BLOCK_ROW, /*threads*/ 128, /*threads_per_sm*/ 1024, /*lanes*/ 16,
     /*lane_vectors*/ 1, /*vectors*/ 2, /*vector_bytes*/ 16,
     /*load_hint*/ WW_RMSNORM_RESIDUAL_LOAD_HINT_NONE,
     /*store_hint*/ WW_RMSNORM_RESIDUAL_STORE_HINT_NONE,
     "block_row.cu", 1,
     {{"rmsnorm_residual", {128, 1, 1}, {1, 1, 1}, 0}},
     {39, 16, 0}, "block_row LOAD_HINT=none STORE_HINT=none THREADS=128 THREADS_PER_SM=1024 VECTORS=2 VECTOR_BYTES=16"},
    /* 3: block_row LOAD_HINT=none STORE_HINT=none THREADS=256 THREADS_PER_SM=2048 VECTORS=2
       VECTOR_BYTES=16; wins 1 problem */
    {WW_RMSNORM_RESIDUAL_VARIANT_BLOCK_ROW, /*threads*/ 256, /*threads_per_sm*/ 2048, /*lanes*/ 16,
     /*lane_vectors*/ 1, /*vectors*/ 2, /*vector_bytes*/ 16,
     /*load_hint*/ WW_RMSNORM_RESIDUAL_LOAD_HINT_NONE,
     /*store_hint*/ WW_RMSNORM_RESIDUAL_STORE_HINT_NONE,
     "block_row.cu", 1,
     {{"rmsnorm_residual", {256, 1, 1}, {1, 1, 1}, 0}},
     {32, 32, 0}, "block_row LOAD_HINT=none STORE_HINT=none THREADS=256 THREADS_PER_SM=2048 VECTORS=2 VECTOR_BYTES=16"},
    /* 4: block_row LOAD_HINT=none STORE_HINT=streaming THREADS=256 THREADS_PER_SM=2048 VECTORS=2
       VECTOR_BYTES=16; wins 1 problem */
    {WW_RMSNORM_RESIDUAL_VARIANT_BLOCK_ROW, /*threads*/ 256, /*threads_per_sm*/ 2048, /*lanes*/ 16,
     /*lane_vectors*/ 1, /*vectors*/ 2, /*vector_bytes*/ 16,
     /*load_hint*/ WW_RMSNORM_RESIDUAL_LOAD_HINT_NONE,
     /*store_hint*/ WW_RMSNORM_RESIDUAL_STORE_HINT_STREAMING,
     "block_row.cu", 1,
     {{"rmsnorm_residual", {256, 1, 1}, {1, 1, 1}, 0}},
     {32, 32, 0}, "block_row LOAD_HINT=none STORE_HINT=streaming THREADS=256 THREADS_PER_SM=2048 VECTORS=2 VECTOR_BYTES=16"},
    /* 5: block_row LOAD_HINT=none STORE_HINT=none THREADS=512 THREADS_PER_SM=512 VECTORS=4
       VECTOR_BYTES=16; wins 1 problem */
    {WW_RMSNORM_RESIDUAL_VARIANT_BLOCK_ROW, /*threads*/ 512, /*threads_per_sm*/ 512, /*lanes*/ 16,
     /*lane_vectors*/ 1, /*vectors*/ 4, /*vector_bytes*/ 16,
     /*load_hint*/ WW_RMSNORM_RESIDUAL_LOAD_HINT_NONE,
     /*store_hint*/ WW_RMSNORM_RESIDUAL_STORE_HINT_NONE,
     "block_row.cu", 1,
     {{"rmsnorm_residual", {512, 1, 1}, {1, 1, 1}, 0}},
     {62, 64, 0}, "block_row LOAD_HINT=none STORE_HINT=none THREADS=512 THREADS_PER_SM=512 VECTORS=4 VECTOR_BYTES=16"},
    /* 6: block_row LOAD_HINT=none STORE_HINT=streaming THREADS=512 THREADS_PER_SM=1024 VECTORS=1
       VECTOR_BYTES=16 */
    {WW_RMSNORM_RESIDUAL_VARIANT_BLOCK_ROW, /*threads*/ 512, /*threads_per_sm*/ 1024, /*lanes*/ 16,
     /*lane_vectors*/ 1, /*vectors*/ 1, /*vector_bytes*/ 16,
     /*load_hint*/ WW_RMSNORM_RESIDUAL_LOAD_HINT_NONE,
     /*store_hint*/ WW_RMSNORM_RESIDUAL_STORE_HINT_STREAMING,
     "block_row.cu", 1,
     {{"rmsnorm_residual", {512, 1, 1}, {1, 1, 1}, 0}},
     {28, 64, 0}, "block_row LOAD_HINT=none STORE_HINT=streaming THREADS=512 THREADS_PER_SM=1024 VECTORS=1 VECTOR_BYTES=16"},
    /* 7: block_row LOAD_HINT=none STORE_HINT=none THREADS=512 THREADS_PER_SM=1024 VECTORS=2
       VECTOR_BYTES=16; wins 1 problem */
    {WW_RMSNORM_RESIDUAL_VARIANT_BLOCK_ROW, /*threads*/ 512, /*threads_per_sm*/ 1024, /*lanes*/ 16,
     /*lane_vectors*/ 1, /*vectors*/ 2, /*vector_bytes*/ 16,
     /*load_hint*/ WW_RMSNORM_RESIDUAL_LOAD_HINT_NONE,
     /*store_hint*/ WW_RMSNORM_RESIDUAL_STORE_HINT_NONE,
     "block_row.cu", 1,
     {{"rmsnorm_residual", {512, 1, 1}, {1, 1, 1}, 0}},
     {39, 64, 0}, "block_row LOAD_HINT=none STORE_HINT=none THREADS=512 THREADS_PER_SM=1024 VECTORS=2 VECTOR_BYTES=16"},
    /* 8: block_row LOAD_HINT=none STORE_HINT=streaming THREADS=512 THREADS_PER_SM=1024 VECTORS=2
       VECTOR_BYTES=16; wins 1 problem */
    {WW_RMSNORM_RESIDUAL_VARIANT_BLOCK_ROW, /*threads*/ 512, /*threads_per_sm*/ 1024, /*lanes*/ 16,
     /*lane_vectors*/ 1, /*vectors*/ 2, /*vector_bytes*/ 16,
     /*load_hint*/ WW_RMSNORM_RESIDUAL_LOAD_HINT_NONE,
     /*store_hint*/ WW_RMSNORM_RESIDUAL_STORE_HINT_STREAMING,
     "block_row.cu", 1,
     {{"rmsnorm_residual", {512, 1, 1}, {1, 1, 1}, 0}},
     {39, 64, 0}, "block_row LOAD_HINT=none STORE_HINT=streaming THREADS=512 THREADS_PER_SM=1024 VECTORS=2 VECTOR_BYTES=16"},
    /* 9: block_row LOAD_HINT=none STORE_HINT=none THREADS=512 THREADS_PER_SM=1024 VECTORS=4
       VECTOR_BYTES=16; wins 1 problem */
    {WW_RMSNORM_RESIDUAL_VARIANT_BLOCK_ROW, /*threads*/ 512, /*threads_per_sm*/ 1024, /*lanes*/ 16,
     /*lane_vectors*/ 1, /*vectors*/ 4, /*vector_bytes*/ 16,
     /*load_hint*/ WW_RMSNORM_RESIDUAL_LOAD_HINT_NONE,
     /*store_hint*/ WW_RMSNORM_RESIDUAL_STORE_HINT_NONE,
     "block_row.cu", 1,
     {{"rmsnorm_residual", {512, 1, 1}, {1, 1, 1}, 0}},
     {62, 64, 0}, "block_row LOAD_HINT=none STORE_HINT=none THREADS=512 THREADS_PER_SM=1024 VECTORS=4 VECTOR_BYTES=16"},
    /* 10: block_row LOAD_HINT=none STORE_HINT=none THREADS=512 THREADS_PER_SM=2048 VECTORS=2
       VECTOR_BYTES=16; wins 1 problem */
    {WW_RMSNORM_RESIDUAL_VARIANT_BLOCK_ROW, /*threads*/ 512, /*threads_per_sm*/ 2048, /*lanes*/ 16,
     /*lane_vectors*/ 1, /*vectors*/ 2, /*vector_bytes*/ 16,
     /*load_hint*/ WW_RMSNORM_RESIDUAL_LOAD_HINT_NONE,
     /*store_hint*/ WW_RMSNORM_RESIDUAL_STORE_HINT_NONE,
     "block_row.cu", 1,
     {{"rmsnorm_residual", {512, 1, 1}, {1, 1, 1}, 0}},
     {32, 64, 0}, "block_row LOAD_HINT=none STORE_HINT=none THREADS=512 THREADS_PER_SM=2048 VECTORS=2 VECTOR_BYTES=16"},
    /* 11: block_row LOAD_HINT=none STORE_HINT=streaming THREADS=512 THREADS_PER_SM=2048
       VECTORS=2 VECTOR_BYTES=16; wins 2 problems */
    {WW_RMSNORM_RESIDUAL_VARIANT_BLOCK_ROW, /*threads*/ 512, /*threads_per_sm*/ 2048, /*lanes*/ 16,
     /*lane_vectors*/ 1, /*vectors*/ 2, /*vector_bytes*/ 16,
     /*load_hint*/ WW_RMSNORM_RESIDUAL_LOAD_HINT_NONE,
     /*store_hint*/ WW_RMSNORM_RESIDUAL_STORE_HINT_STREAMING,
     "block_row.cu", 1,
     {{"rmsnorm_residual", {512, 1, 1}, {1, 1, 1}, 0}},
     {32, 64, 0}, "block_row LOAD_HINT=none STORE_HINT=streaming THREADS=512 THREADS_PER_SM=2048 VECTORS=2 VECTOR_BYTES=16"},
    /* 12: block_row LOAD_HINT=none STORE_HINT=none THREADS=1024 THREADS_PER_SM=1024 VECTORS=1
       VECTOR_BYTES=16; wins 1 problem */
    {WW_RMSNORM_RESIDUAL_VARIANT_BLOCK_ROW, /*threads*/ 1024, /*threads_per_sm*/ 1024, /*lanes*/ 16,
     /*lane_vectors*/ 1, /*vectors*/ 1, /*vector_bytes*/ 16,
     /*load_hint*/ WW_RMSNORM_RESIDUAL_LOAD_HINT_NONE,
     /*store_hint*/ WW_RMSNORM_RESIDUAL_STORE_HINT_NONE,
     "block_row.cu", 1,
     {{"rmsnorm_residual", {1024, 1, 1}, {1, 1, 1}, 0}},
     {29, 128, 0}, "block_row LOAD_HINT=none STORE_HINT=none THREADS=1024 THREADS_PER_SM=1024 VECTORS=1 VECTOR_BYTES=16"},
    /* 13: persistent_row LOAD_HINT=none STORE_HINT=streaming THREADS=512 THREADS_PER_SM=2048
       VECTORS=1 VECTOR_BYTES=16 */
    {WW_RMSNORM_RESIDUAL_VARIANT_PERSISTENT_ROW, /*threads*/ 512, /*threads_per_sm*/ 2048,
     /*lanes*/ 16, /*lane_vectors*/ 1, /*vectors*/ 1, /*vector_bytes*/ 16,
     /*load_hint*/ WW_RMSNORM_RESIDUAL_LOAD_HINT_NONE,
     /*store_hint*/ WW_RMSNORM_RESIDUAL_STORE_HINT_STREAMING,
     "persistent_row.cu", 1,
     {{"rmsnorm_residual", {512, 1, 1}, {1, 1, 1}, 0}},
     {32, 128, 0}, "persistent_row LOAD_HINT=none STORE_HINT=streaming THREADS=512 THREADS_PER_SM=2048 VECTORS=1 VECTOR_BYTES=16"},
    /* 14: persistent_row LOAD_HINT=none STORE_HINT=streaming THREADS=1024 THREADS_PER_SM=2048
       VECTORS=1 VECTOR_BYTES=16 */
    {WW_RMSNORM_RESIDUAL_VARIANT_PERSISTENT_ROW, /*threads*/ 1024, /*threads_per_sm*/ 2048,
     /*lanes*/ 16, /*lane_vectors*/ 1, /*vectors*/ 1, /*vector_bytes*/ 16,
     /*load_hint*/ WW_RMSNORM_RESIDUAL_LOAD_HINT_NONE,
     /*store_hint*/ WW_RMSNORM_RESIDUAL_STORE_HINT_STREAMING,
     "persistent_row.cu", 1,
     {{"rmsnorm_residual", {1024, 1, 1}, {1, 1, 1}, 0}},
     {32, 256, 0}, "persistent_row LOAD_HINT=none STORE_HINT=streaming THREADS=1024 THREADS_PER_SM=2048 VECTORS=1 VECTOR_BYTES=16"},
    /* 15: warp_row LANES=16 LANE_VECTORS=1 LOAD_HINT=none STORE_HINT=none THREADS=128
       THREADS_PER_SM=1024 VECTOR_BYTES=16; wins 1 problem */
    {WW_RMSNORM_RESIDUAL_VARIANT_WARP_ROW, /*threads*/ 128, /*threads_per_sm*/ 1024, /*lanes*/ 16,
     /*lane_vectors*/ 1, /*vectors*/ 1, /*vector_bytes*/ 16,
     /*load_hint*/ WW_RMSNORM_RESIDUAL_LOAD_HINT_NONE,
     /*store_hint*/ WW_RMSNORM_RESIDUAL_STORE_HINT_NONE,
     "warp_row.cu", 1,
     {{"rmsnorm_residual", {128, 1, 1}, {1, 1, 1}, 0}},
     {26, 0, 0}, "warp_row LANES=16 LANE_VECTORS=1 LOAD_HINT=none STORE_HINT=none THREADS=128 THREADS_PER_SM=1024 VECTOR_BYTES=16"},
    /* 16: warp_row LANES=32 LANE_VECTORS=1 LOAD_HINT=none STORE_HINT=none THREADS=128
       THREADS_PER_SM=2048 VECTOR_BYTES=16 */
    {WW_RMSNORM_RESIDUAL_VARIANT_WARP_ROW, /*threads*/ 128, /*threads_per_sm*/ 2048, /*lanes*/ 32,
     /*lane_vectors*/ 1, /*vectors*/ 1, /*vector_bytes*/ 16,
     /*load_hint*/ WW_RMSNORM_RESIDUAL_LOAD_HINT_NONE,
     /*store_hint*/ WW_RMSNORM_RESIDUAL_STORE_HINT_NONE,
     "warp_row.cu", 1,
     {{"rmsnorm_residual", {128, 1, 1}, {1, 1, 1}, 0}},
     {27, 0, 0}, "warp_row LANES=32 LANE_VECTORS=1 LOAD_HINT=none STORE_HINT=none THREADS=128 THREADS_PER_SM=2048 VECTOR_BYTES=16"},
    /* 17: warp_row LANES=16 LANE_VECTORS=1 LOAD_HINT=none STORE_HINT=none THREADS=1024
       THREADS_PER_SM=2048 VECTOR_BYTES=16; wins 1 problem */
    {WW_RMSNORM_RESIDUAL_VARIANT_WARP_ROW, /*threads*/ 1024, /*threads_per_sm*/ 2048, /*lanes*/ 16,
     /*lane_vectors*/ 1, /*vectors*/ 1, /*vector_bytes*/ 16,
     /*load_hint*/ WW_RMSNORM_RESIDUAL_LOAD_HINT_NONE,
     /*store_hint*/ WW_RMSNORM_RESIDUAL_STORE_HINT_NONE,
     "warp_row.cu", 1,
     {{"rmsnorm_residual", {1024, 1, 1}, {1, 1, 1}, 0}},
     {26, 0, 0}, "warp_row LANES=16 LANE_VECTORS=1 LOAD_HINT=none STORE_HINT=none THREADS=1024 THREADS_PER_SM=2048 VECTOR_BYTES=16"},
    /* 18: block_row LOAD_HINT=none STORE_HINT=none THREADS=1024 THREADS_PER_SM=1024 VECTORS=1
       VECTOR_BYTES=16, the defaults */
    {WW_RMSNORM_RESIDUAL_VARIANT_BLOCK_ROW, /*threads*/ 1024, /*threads_per_sm*/ 1024, /*lanes*/ 16,
     /*lane_vectors*/ 1, /*vectors*/ 1, /*vector_bytes*/ 16,
     /*load_hint*/ WW_RMSNORM_RESIDUAL_LOAD_HINT_NONE,
     /*store_hint*/ WW_RMSNORM_RESIDUAL_STORE_HINT_NONE,
     "block_row.cu", 1,
     {{"rmsnorm_residual", {1024, 1, 1}, {1, 1, 1}, 0}},
     {-1, -1, -1}, "block_row LOAD_HINT=none STORE_HINT=none THREADS=1024 THREADS_PER_SM=1024 VECTORS=1 VECTOR_BYTES=16"},
    /* 19: persistent_row LOAD_HINT=none STORE_HINT=none THREADS=1024 THREADS_PER_SM=1024
       VECTORS=1 VECTOR_BYTES=16, the defaults */
    {WW_RMSNORM_RESIDUAL_VARIANT_PERSISTENT_ROW, /*threads*/ 1024, /*threads_per_sm*/ 1024,
     /*lanes*/ 16, /*lane_vectors*/ 1, /*vectors*/ 1, /*vector_bytes*/ 16,
     /*load_hint*/ WW_RMSNORM_RESIDUAL_LOAD_HINT_NONE,
     /*store_hint*/ WW_RMSNORM_RESIDUAL_STORE_HINT_NONE,
     "persistent_row.cu", 1,
     {{"rmsnorm_residual", {1024, 1, 1}, {1, 1, 1}, 0}},
     {-1, -1, -1}, "persistent_row LOAD_HINT=none STORE_HINT=none THREADS=1024 THREADS_PER_SM=1024 VECTORS=1 VECTOR_BYTES=16"},
    /* 20: two_pass THREADS=1024, the defaults */
    {WW_RMSNORM_RESIDUAL_VARIANT_TWO_PASS, /*threads*/ 1024, /*threads_per_sm*/ 1024, /*lanes*/ 16,
     /*lane_vectors*/ 1, /*vectors*/ 1, /*vector_bytes*/ 16,
     /*load_hint*/ WW_RMSNORM_RESIDUAL_LOAD_HINT_NONE,
     /*store_hint*/ WW_RMSNORM_RESIDUAL_STORE_HINT_NONE,
     "two_pass.cu", 1,
     {{"rmsnorm_residual", {1024, 1, 1}, {1, 1, 1}, 0}},
     {-1, -1, -1}, "two_pass THREADS=1024"},
    /* 21: warp_row LANES=16 LANE_VECTORS=1 LOAD_HINT=none STORE_HINT=none THREADS=1024
       THREADS_PER_SM=1024 VECTOR_BYTES=16, the defaults */
    {WW_RMSNORM_RESIDUAL_VARIANT_WARP_ROW, /*threads*/ 1024, /*threads_per_sm*/ 1024, /*lanes*/ 16,
     /*lane_vectors*/ 1, /*vectors*/ 1, /*vector_bytes*/ 16,
     /*load_hint*/ WW_RMSNORM_RESIDUAL_LOAD_HINT_NONE,
     /*store_hint*/ WW_RMSNORM_RESIDUAL_STORE_HINT_NONE,
     "warp_row.cu", 1,
     {{"rmsnorm_residual", {1024, 1, 1}, {1, 1, 1}, 0}},
     {-1, -1, -1}, "warp_row LANES=16 LANE_VECTORS=1 LOAD_HINT=none STORE_HINT=none THREADS=1024 THREADS_PER_SM=1024 VECTOR_BYTES=16"},
};

static const ww_rmsnorm_residual_board ww_rmsnorm_residual_boards[WW_RMSNORM_RESIDUAL_BOARD_COUNT] = {
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
static const short ww_rmsnorm_residual_fractions[WW_RMSNORM_RESIDUAL_CANDIDATE_COUNT][WW_RMSNORM_RESIDUAL_BOARD_COUNT] = {
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

static const double ww_rmsnorm_residual_work_scale = 2.0;
static const double ww_rmsnorm_residual_nearby = 2.0;
static const double ww_rmsnorm_residual_prior_fraction = 0.5;
static const double ww_rmsnorm_residual_prior_weight = 0.2;
static const double ww_rmsnorm_residual_score_tie = 1e-09;
#define WW_RMSNORM_RESIDUAL_AXIS_COUNT 2

/* Without <math.h>, so that nothing has to be linked. */
static inline double ww_rmsnorm_residual_log2(double v) {
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
static inline double ww_rmsnorm_residual_root(double v) {
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
static inline double ww_rmsnorm_residual_size_scale(double v) { return v < 0 ? -ww_rmsnorm_residual_log2(1 - v) : ww_rmsnorm_residual_log2(1 + v); }

/* A value of the contract's expressions: a 64-bit integer (booleans are 0 and 1), a real, or a text.
   What cannot be evaluated (overflow, division by zero, a wrong type) is a fault, and so is
   everything made of it. */
enum ww_rmsnorm_residual_kind { WW_RMSNORM_RESIDUAL_FAULT, WW_RMSNORM_RESIDUAL_INTEGER, WW_RMSNORM_RESIDUAL_REAL, WW_RMSNORM_RESIDUAL_TEXT };
typedef struct {
  enum ww_rmsnorm_residual_kind kind;
  long long integer;
  double real;
  const char *text;
} ww_rmsnorm_residual_value;
static const long long ww_rmsnorm_residual_largest = 9223372036854775807LL;
static const long long ww_rmsnorm_residual_lowest = -9223372036854775807LL - 1;
static inline ww_rmsnorm_residual_value ww_rmsnorm_residual_fault(void) {
  const ww_rmsnorm_residual_value v = {WW_RMSNORM_RESIDUAL_FAULT, 0, 0, 0};
  return v;
}
static inline ww_rmsnorm_residual_value ww_rmsnorm_residual_integer(long long integer) {
  const ww_rmsnorm_residual_value v = {WW_RMSNORM_RESIDUAL_INTEGER, integer, 0, 0};
  return v;
}
static inline ww_rmsnorm_residual_value ww_rmsnorm_residual_real(double real) {
  const ww_rmsnorm_residual_value v = {WW_RMSNORM_RESIDUAL_REAL, 0, real, 0};
  return real - real == 0 ? v : ww_rmsnorm_residual_fault();
}
static inline ww_rmsnorm_residual_value ww_rmsnorm_residual_text(const char *text) {
  const ww_rmsnorm_residual_value v = {WW_RMSNORM_RESIDUAL_TEXT, 0, 0, text};
  return text != 0 ? v : ww_rmsnorm_residual_fault();
}
static inline int ww_rmsnorm_residual_number(ww_rmsnorm_residual_value v) { return v.kind == WW_RMSNORM_RESIDUAL_INTEGER || v.kind == WW_RMSNORM_RESIDUAL_REAL; }
static inline int ww_rmsnorm_residual_integers(ww_rmsnorm_residual_value a, ww_rmsnorm_residual_value b) { return a.kind == WW_RMSNORM_RESIDUAL_INTEGER && b.kind == WW_RMSNORM_RESIDUAL_INTEGER; }
static inline int ww_rmsnorm_residual_numbers(ww_rmsnorm_residual_value a, ww_rmsnorm_residual_value b) { return ww_rmsnorm_residual_number(a) && ww_rmsnorm_residual_number(b); }
static inline double ww_rmsnorm_residual_as_real(ww_rmsnorm_residual_value v) { return v.kind == WW_RMSNORM_RESIDUAL_REAL ? v.real : (double)v.integer; }
static inline int ww_rmsnorm_residual_holds(ww_rmsnorm_residual_value v) {
  return v.kind == WW_RMSNORM_RESIDUAL_REAL ? v.real != 0 : v.kind == WW_RMSNORM_RESIDUAL_INTEGER && v.integer != 0;
}
static inline int ww_rmsnorm_residual_same_text(const char *a, const char *b) {
  if (a == 0 || b == 0) return 0;
  while (*a != '\0' && *a == *b) {
    ++a;
    ++b;
  }
  return *a == *b;
}
static inline ww_rmsnorm_residual_value ww_rmsnorm_residual_add(ww_rmsnorm_residual_value a, ww_rmsnorm_residual_value b) {
  if (!ww_rmsnorm_residual_numbers(a, b)) return ww_rmsnorm_residual_fault();
  if (!ww_rmsnorm_residual_integers(a, b)) return ww_rmsnorm_residual_real(ww_rmsnorm_residual_as_real(a) + ww_rmsnorm_residual_as_real(b));
  if (b.integer > 0 ? a.integer > ww_rmsnorm_residual_largest - b.integer : a.integer < ww_rmsnorm_residual_lowest - b.integer)
    return ww_rmsnorm_residual_fault();
  return ww_rmsnorm_residual_integer(a.integer + b.integer);
}
static inline ww_rmsnorm_residual_value ww_rmsnorm_residual_multiply(ww_rmsnorm_residual_value a, ww_rmsnorm_residual_value b) {
  const long long x = a.integer;
  const long long y = b.integer;
  if (!ww_rmsnorm_residual_numbers(a, b)) return ww_rmsnorm_residual_fault();
  if (!ww_rmsnorm_residual_integers(a, b)) return ww_rmsnorm_residual_real(ww_rmsnorm_residual_as_real(a) * ww_rmsnorm_residual_as_real(b));
  if (x == 0 || y == 0) return ww_rmsnorm_residual_integer(0);
  if (x > 0 ? (y > 0 ? x > ww_rmsnorm_residual_largest / y : y < ww_rmsnorm_residual_lowest / x)
            : (y > 0 ? x < ww_rmsnorm_residual_lowest / y : y < ww_rmsnorm_residual_largest / x))
    return ww_rmsnorm_residual_fault();
  return ww_rmsnorm_residual_integer(x * y);
}
static inline ww_rmsnorm_residual_value ww_rmsnorm_residual_divide(ww_rmsnorm_residual_value a, ww_rmsnorm_residual_value b) {
  if (!ww_rmsnorm_residual_numbers(a, b) || ww_rmsnorm_residual_as_real(b) == 0) return ww_rmsnorm_residual_fault();
  if (!ww_rmsnorm_residual_integers(a, b)) return ww_rmsnorm_residual_real(ww_rmsnorm_residual_as_real(a) / ww_rmsnorm_residual_as_real(b));
  if (b.integer == -1) return a.integer == ww_rmsnorm_residual_lowest ? ww_rmsnorm_residual_fault() : ww_rmsnorm_residual_integer(-a.integer);
  return ww_rmsnorm_residual_integer(a.integer / b.integer);
}
static inline ww_rmsnorm_residual_value ww_rmsnorm_residual_remainder(ww_rmsnorm_residual_value a, ww_rmsnorm_residual_value b) {
  if (!ww_rmsnorm_residual_integers(a, b) || b.integer == 0) return ww_rmsnorm_residual_fault();
  return ww_rmsnorm_residual_integer(b.integer == -1 ? 0 : a.integer % b.integer);
}
static inline ww_rmsnorm_residual_value ww_rmsnorm_residual_ceil_div(ww_rmsnorm_residual_value a, ww_rmsnorm_residual_value b) {
  if (!ww_rmsnorm_residual_integers(a, b) || b.integer <= 0) return ww_rmsnorm_residual_fault();
  return ww_rmsnorm_residual_integer(a.integer / b.integer + (a.integer % b.integer > 0 ? 1 : 0));
}
static inline ww_rmsnorm_residual_value ww_rmsnorm_residual_not(ww_rmsnorm_residual_value v) {
  return ww_rmsnorm_residual_number(v) ? ww_rmsnorm_residual_integer(!ww_rmsnorm_residual_holds(v)) : ww_rmsnorm_residual_fault();
}
static inline ww_rmsnorm_residual_value ww_rmsnorm_residual_less(ww_rmsnorm_residual_value a, ww_rmsnorm_residual_value b) {
  if (!ww_rmsnorm_residual_numbers(a, b)) return ww_rmsnorm_residual_fault();
  return ww_rmsnorm_residual_integer(ww_rmsnorm_residual_integers(a, b) ? a.integer < b.integer : ww_rmsnorm_residual_as_real(a) < ww_rmsnorm_residual_as_real(b));
}
static inline ww_rmsnorm_residual_value ww_rmsnorm_residual_greater_equal(ww_rmsnorm_residual_value a, ww_rmsnorm_residual_value b) { return ww_rmsnorm_residual_not(ww_rmsnorm_residual_less(a, b)); }
static inline ww_rmsnorm_residual_value ww_rmsnorm_residual_equal(ww_rmsnorm_residual_value a, ww_rmsnorm_residual_value b) {
  if (a.kind == WW_RMSNORM_RESIDUAL_TEXT && b.kind == WW_RMSNORM_RESIDUAL_TEXT) return ww_rmsnorm_residual_integer(ww_rmsnorm_residual_same_text(a.text, b.text));
  if (!ww_rmsnorm_residual_numbers(a, b)) return ww_rmsnorm_residual_fault();
  return ww_rmsnorm_residual_integer(ww_rmsnorm_residual_integers(a, b) ? a.integer == b.integer : ww_rmsnorm_residual_as_real(a) == ww_rmsnorm_residual_as_real(b));
}
static inline ww_rmsnorm_residual_value ww_rmsnorm_residual_smaller(ww_rmsnorm_residual_value a, ww_rmsnorm_residual_value b) {
  if (!ww_rmsnorm_residual_numbers(a, b)) return ww_rmsnorm_residual_fault();
  if (ww_rmsnorm_residual_integers(a, b)) return b.integer < a.integer ? b : a;
  return ww_rmsnorm_residual_real(ww_rmsnorm_residual_as_real(b) < ww_rmsnorm_residual_as_real(a) ? ww_rmsnorm_residual_as_real(b) : ww_rmsnorm_residual_as_real(a));
}
static inline ww_rmsnorm_residual_value ww_rmsnorm_residual_bytes_of(ww_rmsnorm_residual_value v) {
  static const char *const names[] = {"f64", "i64", "u64", "f32", "i32", "u32", "f16", "bf16",
                                      "i16", "u16", "i8",  "u8",  "e4m3", "e5m2", "bool"};
  static const int bytes[] = {8, 8, 8, 4, 4, 4, 2, 2, 2, 2, 1, 1, 1, 1, 1};
  int i;
  if (v.kind != WW_RMSNORM_RESIDUAL_TEXT) return ww_rmsnorm_residual_fault();
  for (i = 0; i < 15; ++i) {
    if (ww_rmsnorm_residual_same_text(v.text, names[i])) return ww_rmsnorm_residual_integer(bytes[i]);
  }
  return ww_rmsnorm_residual_fault();
}

static inline int ww_rmsnorm_residual_same_category(ww_rmsnorm_residual_problem a, ww_rmsnorm_residual_problem b) {
  return a.write_z == b.write_z &&
         a.dtype == b.dtype;
}
static inline int ww_rmsnorm_residual_same_sizes(ww_rmsnorm_residual_problem a, ww_rmsnorm_residual_problem b) {
  return a.rows == b.rows &&
         a.d == b.d &&
         a.write_z == b.write_z &&
         a.dtype == b.dtype;
}

/* Where a problem lies: distances are Euclidean in log2(1 + size) and in twice the log2 of the
   contract's traffic. */
typedef struct {
  double axes[2];
  int counted;
  double work;
} ww_rmsnorm_residual_place;
static inline ww_rmsnorm_residual_place ww_rmsnorm_residual_place_of(ww_rmsnorm_residual_problem problem) {
  const ww_rmsnorm_residual_value rows = ww_rmsnorm_residual_integer(problem.rows);
  const ww_rmsnorm_residual_value d = ww_rmsnorm_residual_integer(problem.d);
  const ww_rmsnorm_residual_value write_z = ww_rmsnorm_residual_integer(problem.write_z);
  const ww_rmsnorm_residual_value dtype = ww_rmsnorm_residual_text(ww_rmsnorm_residual_dtype_name(problem.dtype));
  /* Bytes that the contract counts. */
  const ww_rmsnorm_residual_value work = ww_rmsnorm_residual_add(ww_rmsnorm_residual_multiply(ww_rmsnorm_residual_multiply(ww_rmsnorm_residual_multiply(ww_rmsnorm_residual_add(ww_rmsnorm_residual_integer(3), write_z), rows), d), ww_rmsnorm_residual_bytes_of(dtype)), ww_rmsnorm_residual_multiply(d, ww_rmsnorm_residual_bytes_of(dtype)));
  ww_rmsnorm_residual_place place;
  place.axes[0] = ww_rmsnorm_residual_size_scale((double)problem.rows);
  place.axes[1] = ww_rmsnorm_residual_size_scale((double)problem.d);
  place.counted = ww_rmsnorm_residual_number(work);
  place.work = place.counted ? ww_rmsnorm_residual_size_scale(ww_rmsnorm_residual_as_real(work)) : 0;
  return place;
}

static inline ww_rmsnorm_residual_limits ww_rmsnorm_residual_complete(ww_rmsnorm_residual_limits given, ww_rmsnorm_residual_limits tuned) {
  if (given.max_shared == 0) given.max_shared = tuned.max_shared;
  if (given.sm_count == 0) given.sm_count = tuned.sm_count;
  return given;
}

static inline int ww_rmsnorm_residual_allowed_two_pass(ww_rmsnorm_residual_configuration configuration, ww_rmsnorm_residual_problem problem,
    ww_rmsnorm_residual_limits limits) {
  const ww_rmsnorm_residual_value threads = ww_rmsnorm_residual_integer(configuration.threads);
  (void)problem;
  (void)limits;
  /* a block is made of whole warps */
  if (!ww_rmsnorm_residual_holds(ww_rmsnorm_residual_equal(ww_rmsnorm_residual_remainder(threads, ww_rmsnorm_residual_integer(32)), ww_rmsnorm_residual_integer(0)))) return 0;
  return 1;
}

static inline int ww_rmsnorm_residual_allowed_block_row(ww_rmsnorm_residual_configuration configuration, ww_rmsnorm_residual_problem problem,
    ww_rmsnorm_residual_limits limits) {
  const ww_rmsnorm_residual_value d = ww_rmsnorm_residual_integer(problem.d);
  const ww_rmsnorm_residual_value dtype = ww_rmsnorm_residual_text(ww_rmsnorm_residual_dtype_name(problem.dtype));
  const ww_rmsnorm_residual_value threads = ww_rmsnorm_residual_integer(configuration.threads);
  const ww_rmsnorm_residual_value threads_per_sm = ww_rmsnorm_residual_integer(configuration.threads_per_sm);
  const ww_rmsnorm_residual_value vectors = ww_rmsnorm_residual_integer(configuration.vectors);
  const ww_rmsnorm_residual_value vector_bytes = ww_rmsnorm_residual_integer(configuration.vector_bytes);
  (void)limits;
  /* a block is made of whole warps */
  if (!ww_rmsnorm_residual_holds(ww_rmsnorm_residual_equal(ww_rmsnorm_residual_remainder(threads, ww_rmsnorm_residual_integer(32)), ww_rmsnorm_residual_integer(0)))) return 0;
  /* an access holds at least one element */
  if (!ww_rmsnorm_residual_holds(ww_rmsnorm_residual_greater_equal(vector_bytes, ww_rmsnorm_residual_bytes_of(dtype)))) return 0;
  /* every row must start on a multiple of VECTOR_BYTES */
  if (!ww_rmsnorm_residual_holds(ww_rmsnorm_residual_equal(ww_rmsnorm_residual_remainder(ww_rmsnorm_residual_multiply(d, ww_rmsnorm_residual_bytes_of(dtype)), vector_bytes), ww_rmsnorm_residual_integer(0)))) return 0;
  /* blocks of THREADS must add up to THREADS_PER_SM */
  if (!ww_rmsnorm_residual_holds(ww_rmsnorm_residual_equal(ww_rmsnorm_residual_remainder(threads_per_sm, threads), ww_rmsnorm_residual_integer(0)))) return 0;
  /* the block's registers must hold a row */
  if (!ww_rmsnorm_residual_holds(ww_rmsnorm_residual_greater_equal(ww_rmsnorm_residual_multiply(ww_rmsnorm_residual_multiply(threads, vectors), vector_bytes), ww_rmsnorm_residual_multiply(d, ww_rmsnorm_residual_bytes_of(dtype))))) return 0;
  return 1;
}

static inline int ww_rmsnorm_residual_allowed_persistent_row(ww_rmsnorm_residual_configuration configuration, ww_rmsnorm_residual_problem problem,
    ww_rmsnorm_residual_limits limits) {
  const ww_rmsnorm_residual_value d = ww_rmsnorm_residual_integer(problem.d);
  const ww_rmsnorm_residual_value dtype = ww_rmsnorm_residual_text(ww_rmsnorm_residual_dtype_name(problem.dtype));
  const ww_rmsnorm_residual_value threads = ww_rmsnorm_residual_integer(configuration.threads);
  const ww_rmsnorm_residual_value threads_per_sm = ww_rmsnorm_residual_integer(configuration.threads_per_sm);
  const ww_rmsnorm_residual_value vectors = ww_rmsnorm_residual_integer(configuration.vectors);
  const ww_rmsnorm_residual_value vector_bytes = ww_rmsnorm_residual_integer(configuration.vector_bytes);
  (void)limits;
  /* a block is made of whole warps */
  if (!ww_rmsnorm_residual_holds(ww_rmsnorm_residual_equal(ww_rmsnorm_residual_remainder(threads, ww_rmsnorm_residual_integer(32)), ww_rmsnorm_residual_integer(0)))) return 0;
  /* an access holds at least one element */
  if (!ww_rmsnorm_residual_holds(ww_rmsnorm_residual_greater_equal(vector_bytes, ww_rmsnorm_residual_bytes_of(dtype)))) return 0;
  /* every row must start on a multiple of VECTOR_BYTES */
  if (!ww_rmsnorm_residual_holds(ww_rmsnorm_residual_equal(ww_rmsnorm_residual_remainder(ww_rmsnorm_residual_multiply(d, ww_rmsnorm_residual_bytes_of(dtype)), vector_bytes), ww_rmsnorm_residual_integer(0)))) return 0;
  /* blocks of THREADS must add up to THREADS_PER_SM */
  if (!ww_rmsnorm_residual_holds(ww_rmsnorm_residual_equal(ww_rmsnorm_residual_remainder(threads_per_sm, threads), ww_rmsnorm_residual_integer(0)))) return 0;
  /* the block's registers must hold a row */
  if (!ww_rmsnorm_residual_holds(ww_rmsnorm_residual_greater_equal(ww_rmsnorm_residual_multiply(ww_rmsnorm_residual_multiply(threads, vectors), vector_bytes), ww_rmsnorm_residual_multiply(d, ww_rmsnorm_residual_bytes_of(dtype))))) return 0;
  return 1;
}

static inline int ww_rmsnorm_residual_allowed_warp_row(ww_rmsnorm_residual_configuration configuration, ww_rmsnorm_residual_problem problem,
    ww_rmsnorm_residual_limits limits) {
  const ww_rmsnorm_residual_value d = ww_rmsnorm_residual_integer(problem.d);
  const ww_rmsnorm_residual_value dtype = ww_rmsnorm_residual_text(ww_rmsnorm_residual_dtype_name(problem.dtype));
  const ww_rmsnorm_residual_value threads = ww_rmsnorm_residual_integer(configuration.threads);
  const ww_rmsnorm_residual_value threads_per_sm = ww_rmsnorm_residual_integer(configuration.threads_per_sm);
  const ww_rmsnorm_residual_value lanes = ww_rmsnorm_residual_integer(configuration.lanes);
  const ww_rmsnorm_residual_value lane_vectors = ww_rmsnorm_residual_integer(configuration.lane_vectors);
  const ww_rmsnorm_residual_value vector_bytes = ww_rmsnorm_residual_integer(configuration.vector_bytes);
  (void)limits;
  /* a block is made of whole warps */
  if (!ww_rmsnorm_residual_holds(ww_rmsnorm_residual_equal(ww_rmsnorm_residual_remainder(threads, ww_rmsnorm_residual_integer(32)), ww_rmsnorm_residual_integer(0)))) return 0;
  /* an access holds at least one element */
  if (!ww_rmsnorm_residual_holds(ww_rmsnorm_residual_greater_equal(vector_bytes, ww_rmsnorm_residual_bytes_of(dtype)))) return 0;
  /* every row must start on a multiple of VECTOR_BYTES */
  if (!ww_rmsnorm_residual_holds(ww_rmsnorm_residual_equal(ww_rmsnorm_residual_remainder(ww_rmsnorm_residual_multiply(d, ww_rmsnorm_residual_bytes_of(dtype)), vector_bytes), ww_rmsnorm_residual_integer(0)))) return 0;
  /* blocks of THREADS must add up to THREADS_PER_SM */
  if (!ww_rmsnorm_residual_holds(ww_rmsnorm_residual_equal(ww_rmsnorm_residual_remainder(threads_per_sm, threads), ww_rmsnorm_residual_integer(0)))) return 0;
  /* the lanes' registers must hold a row */
  if (!ww_rmsnorm_residual_holds(ww_rmsnorm_residual_greater_equal(ww_rmsnorm_residual_multiply(ww_rmsnorm_residual_multiply(lanes, lane_vectors), vector_bytes), ww_rmsnorm_residual_multiply(d, ww_rmsnorm_residual_bytes_of(dtype))))) return 0;
  return 1;
}

/* The contract's types and limits of every size. */
static inline int ww_rmsnorm_residual_valid(ww_rmsnorm_residual_problem problem) {
  if (problem.rows < 1) return 0;
  if (problem.d < 1) return 0;
  if (problem.write_z != 0 && problem.write_z != 1) return 0;
  if (ww_rmsnorm_residual_dtype_name(problem.dtype) == 0) return 0;
  return 1;
}

/* Every constraint of the contract and of the variant holds for this problem on a device with
   these limits. */
static inline int ww_rmsnorm_residual_allowed(ww_rmsnorm_residual_configuration configuration, ww_rmsnorm_residual_problem problem,
    ww_rmsnorm_residual_limits limits) {
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


/* "sm_90" and "sm_90a" are one architecture here. */
static inline int ww_rmsnorm_residual_arch_length(const char *arch) {
  int length = 0;
  while (arch[length] != '\0') ++length;
  while (length > 0 && arch[length - 1] >= 'a' && arch[length - 1] <= 'z') --length;
  return length;
}
static inline int ww_rmsnorm_residual_same_arch(const char *a, const char *b) {
  int length;
  int i;
  if (a == 0 || b == 0) return 0;
  length = ww_rmsnorm_residual_arch_length(a);
  if (ww_rmsnorm_residual_arch_length(b) != length) return 0;
  for (i = 0; i < length; ++i) {
    if (a[i] != b[i]) return 0;
  }
  return 1;
}

static inline double ww_rmsnorm_residual_squared_distance(ww_rmsnorm_residual_place a, ww_rmsnorm_residual_place b) {
  double sum = 0;
  int i;
  for (i = 0; i < WW_RMSNORM_RESIDUAL_AXIS_COUNT; ++i) sum += (a.axes[i] - b.axes[i]) * (a.axes[i] - b.axes[i]);
  if (a.counted && b.counted)
    sum += ww_rmsnorm_residual_work_scale * (a.work - b.work) * (ww_rmsnorm_residual_work_scale * (a.work - b.work));
  return sum;
}

static inline ww_rmsnorm_residual_selection ww_rmsnorm_residual_no_selection(void) {
  ww_rmsnorm_residual_selection result;
  result.match = WW_RMSNORM_RESIDUAL_MATCH_NONE;
  result.configuration = 0;
  result.nearest = 0;
  result.distance = 0;
  result.score = 0;
  result.limits = ww_rmsnorm_residual_devices[0].limits;
  return result;
}

/* The vote of the tuned problems on this device, or on others of its architecture. */
static inline ww_rmsnorm_residual_selection ww_rmsnorm_residual_vote(ww_rmsnorm_residual_device device, ww_rmsnorm_residual_problem problem, int same_device) {
  const ww_rmsnorm_residual_place asked = ww_rmsnorm_residual_place_of(problem);
  double weights[WW_RMSNORM_RESIDUAL_BOARD_COUNT];
  double total = 0;
  double least = 0;
  int i;
  const ww_rmsnorm_residual_configuration *winner;
  ww_rmsnorm_residual_selection result = ww_rmsnorm_residual_no_selection();
  for (i = 0; i < WW_RMSNORM_RESIDUAL_BOARD_COUNT; ++i) {
    const ww_rmsnorm_residual_board *board = &ww_rmsnorm_residual_boards[i];
    const ww_rmsnorm_residual_device *tuned = &ww_rmsnorm_residual_devices[board->device];
    const int same = ww_rmsnorm_residual_same_text(tuned->name, device.name);
    double squared;
    double closeness;
    int equal;
    weights[i] = 0;
    if (same != same_device || (!same && !ww_rmsnorm_residual_same_arch(tuned->arch, device.arch))) continue;
    if (!ww_rmsnorm_residual_same_category(board->problem, problem)) continue;
    squared = ww_rmsnorm_residual_squared_distance(ww_rmsnorm_residual_place_of(board->problem), asked);
    equal = ww_rmsnorm_residual_same_sizes(board->problem, problem);
    if (result.nearest == 0 || squared < least || equal) {
      result.nearest = board;
      result.distance = ww_rmsnorm_residual_root(squared);
      least = equal ? -1 : squared;
    }
    closeness = 1 / (ww_rmsnorm_residual_nearby * ww_rmsnorm_residual_nearby + squared);
    weights[i] = closeness * closeness;
    total += weights[i];
  }
  if (result.nearest == 0) return ww_rmsnorm_residual_no_selection();
  result.limits = ww_rmsnorm_residual_complete(device.limits, ww_rmsnorm_residual_devices[result.nearest->device].limits);
  winner = &ww_rmsnorm_residual_configurations[result.nearest->winner];
  if (least < 0 && ww_rmsnorm_residual_allowed(*winner, problem, result.limits)) {
    result.match = same_device ? WW_RMSNORM_RESIDUAL_MATCH_EXACT : WW_RMSNORM_RESIDUAL_MATCH_NEAREST_SAME_ARCH;
    result.configuration = winner;
    result.score = 1;
    return result;
  }
  for (i = 0; i < WW_RMSNORM_RESIDUAL_CANDIDATE_COUNT; ++i) {
    double sum = ww_rmsnorm_residual_prior_weight * ww_rmsnorm_residual_prior_fraction;
    double known = ww_rmsnorm_residual_prior_weight;
    int board;
    for (board = 0; board < WW_RMSNORM_RESIDUAL_BOARD_COUNT; ++board) {
      if (!(weights[board] > 0) || ww_rmsnorm_residual_fractions[i][board] < 0) continue;
      sum += weights[board] / total * ww_rmsnorm_residual_fractions[i][board] / 1000;
      known += weights[board] / total;
    }
    if (!(known > ww_rmsnorm_residual_prior_weight) || !(sum / known > result.score + ww_rmsnorm_residual_score_tie)) continue;
    if (!ww_rmsnorm_residual_allowed(ww_rmsnorm_residual_configurations[i], problem, result.limits)) continue;
    result.match = same_device ? WW_RMSNORM_RESIDUAL_MATCH_NEAREST_SAME_DEVICE : WW_RMSNORM_RESIDUAL_MATCH_NEAREST_SAME_ARCH;
    result.configuration = &ww_rmsnorm_residual_configurations[i];
    result.score = sum / known;
  }
  return result;
}

static inline ww_rmsnorm_residual_selection ww_rmsnorm_residual_contract_default(ww_rmsnorm_residual_device device, ww_rmsnorm_residual_problem problem) {
  ww_rmsnorm_residual_selection result = ww_rmsnorm_residual_no_selection();
  int i;
  result.limits = ww_rmsnorm_residual_complete(device.limits, ww_rmsnorm_residual_devices[0].limits);
  for (i = WW_RMSNORM_RESIDUAL_CANDIDATE_COUNT; i < WW_RMSNORM_RESIDUAL_CONFIGURATION_COUNT; ++i) {
    if (!ww_rmsnorm_residual_allowed(ww_rmsnorm_residual_configurations[i], problem, result.limits)) continue;
    result.match = WW_RMSNORM_RESIDUAL_MATCH_DEFAULT;
    result.configuration = &ww_rmsnorm_residual_configurations[i];
    break;
  }
  return result;
}

static inline ww_rmsnorm_residual_selection ww_rmsnorm_residual_select(ww_rmsnorm_residual_device device, ww_rmsnorm_residual_problem problem) {
  ww_rmsnorm_residual_selection result = ww_rmsnorm_residual_no_selection();
  if (!ww_rmsnorm_residual_valid(problem)) return result;
  result = ww_rmsnorm_residual_vote(device, problem, 1);
  if (result.configuration == 0) result = ww_rmsnorm_residual_vote(device, problem, 0);
  if (result.configuration == 0) result = ww_rmsnorm_residual_contract_default(device, problem);
  return result;
}

#define WW_RMSNORM_RESIDUAL_DEFINE_LENGTH 46
typedef struct {
  int count;
  char option[9][WW_RMSNORM_RESIDUAL_DEFINE_LENGTH];
} ww_rmsnorm_residual_options;

typedef struct {
  int ok;  /* 0 or false: no such launch, or its extents cannot be computed */
  const char *entry;
  long long grid[3];
  long long block[3];
  long long cluster[3];
  long long shared_bytes;  /* dynamic */
} ww_rmsnorm_residual_launch_plan;

static inline void ww_rmsnorm_residual_put(ww_rmsnorm_residual_options *out, int *at, const char *text) {
  for (; *text != '\0' && *at < WW_RMSNORM_RESIDUAL_DEFINE_LENGTH - 1; ++text) out->option[out->count][(*at)++] = *text;
  out->option[out->count][*at] = '\0';
}
static inline void ww_rmsnorm_residual_put_integer(ww_rmsnorm_residual_options *out, int *at, long long v) {
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
  ww_rmsnorm_residual_put(out, at, digits + first);
}
/* In hexadecimal, which is exact. */
static inline void ww_rmsnorm_residual_put_real(ww_rmsnorm_residual_options *out, int *at, double v) {
  int exponent = 0;
  int i;
  char digit[2];
  if (v < 0) ww_rmsnorm_residual_put(out, at, "-");
  if (v < 0) v = -v;
  for (; v >= 2; v /= 2) ++exponent;
  for (; v > 0 && v < 1; v *= 2) --exponent;
  ww_rmsnorm_residual_put(out, at, v > 0 ? "0x1." : "0x0.");
  v -= v > 0 ? 1 : 0;
  digit[1] = '\0';
  for (i = 0; i < 13; ++i) {
    const int hex = (int)(v *= 16);
    digit[0] = "0123456789abcdef"[hex];
    ww_rmsnorm_residual_put(out, at, digit);
    v -= hex;
  }
  ww_rmsnorm_residual_put(out, at, "p");
  ww_rmsnorm_residual_put_integer(out, at, exponent);
}
static inline void ww_rmsnorm_residual_put_define(ww_rmsnorm_residual_options *out, const char *macro, ww_rmsnorm_residual_value v) {
  int at = 0;
  ww_rmsnorm_residual_put(out, &at, "-D");
  ww_rmsnorm_residual_put(out, &at, macro);
  ww_rmsnorm_residual_put(out, &at, "=");
  if (v.kind == WW_RMSNORM_RESIDUAL_INTEGER) ww_rmsnorm_residual_put_integer(out, &at, v.integer);
  if (v.kind == WW_RMSNORM_RESIDUAL_REAL) ww_rmsnorm_residual_put_real(out, &at, v.real);
  if (v.kind == WW_RMSNORM_RESIDUAL_TEXT) ww_rmsnorm_residual_put(out, &at, v.text);
  ++out->count;
}
static inline void ww_rmsnorm_residual_set_extent(ww_rmsnorm_residual_launch_plan *out, long long *extent, ww_rmsnorm_residual_value v) {
  if (v.kind == WW_RMSNORM_RESIDUAL_INTEGER) *extent = v.integer;
  if (v.kind != WW_RMSNORM_RESIDUAL_INTEGER) out->ok = 0;
}

/* What NVRTC or nvcc is given to compile the configuration's source for the problem, one option
   an entry. */
static inline ww_rmsnorm_residual_options ww_rmsnorm_residual_defines(ww_rmsnorm_residual_configuration configuration, ww_rmsnorm_residual_problem problem) {
  ww_rmsnorm_residual_options out;
  out.count = 0;
  switch (configuration.variant) {
    case WW_RMSNORM_RESIDUAL_VARIANT_TWO_PASS:
      ww_rmsnorm_residual_put_define(&out, "THREADS", ww_rmsnorm_residual_integer(configuration.threads));
      break;
    case WW_RMSNORM_RESIDUAL_VARIANT_BLOCK_ROW:
      ww_rmsnorm_residual_put_define(&out, "THREADS", ww_rmsnorm_residual_integer(configuration.threads));
      ww_rmsnorm_residual_put_define(&out, "THREADS_PER_SM", ww_rmsnorm_residual_integer(configuration.threads_per_sm));
      ww_rmsnorm_residual_put_define(&out, "VECTORS", ww_rmsnorm_residual_integer(configuration.vectors));
      ww_rmsnorm_residual_put_define(&out, "VECTOR_BYTES", ww_rmsnorm_residual_integer(configuration.vector_bytes));
      ww_rmsnorm_residual_put_define(&out, "LOAD_HINT", ww_rmsnorm_residual_text(ww_rmsnorm_residual_load_hint_name(configuration.load_hint)));
      ww_rmsnorm_residual_put_define(&out, "STORE_HINT", ww_rmsnorm_residual_text(ww_rmsnorm_residual_store_hint_name(configuration.store_hint)));
      break;
    case WW_RMSNORM_RESIDUAL_VARIANT_PERSISTENT_ROW:
      ww_rmsnorm_residual_put_define(&out, "THREADS", ww_rmsnorm_residual_integer(configuration.threads));
      ww_rmsnorm_residual_put_define(&out, "THREADS_PER_SM", ww_rmsnorm_residual_integer(configuration.threads_per_sm));
      ww_rmsnorm_residual_put_define(&out, "VECTORS", ww_rmsnorm_residual_integer(configuration.vectors));
      ww_rmsnorm_residual_put_define(&out, "VECTOR_BYTES", ww_rmsnorm_residual_integer(configuration.vector_bytes));
      ww_rmsnorm_residual_put_define(&out, "LOAD_HINT", ww_rmsnorm_residual_text(ww_rmsnorm_residual_load_hint_name(configuration.load_hint)));
      ww_rmsnorm_residual_put_define(&out, "STORE_HINT", ww_rmsnorm_residual_text(ww_rmsnorm_residual_store_hint_name(configuration.store_hint)));
      break;
    case WW_RMSNORM_RESIDUAL_VARIANT_WARP_ROW:
      ww_rmsnorm_residual_put_define(&out, "THREADS", ww_rmsnorm_residual_integer(configuration.threads));
      ww_rmsnorm_residual_put_define(&out, "THREADS_PER_SM", ww_rmsnorm_residual_integer(configuration.threads_per_sm));
      ww_rmsnorm_residual_put_define(&out, "LANES", ww_rmsnorm_residual_integer(configuration.lanes));
      ww_rmsnorm_residual_put_define(&out, "LANE_VECTORS", ww_rmsnorm_residual_integer(configuration.lane_vectors));
      ww_rmsnorm_residual_put_define(&out, "VECTOR_BYTES", ww_rmsnorm_residual_integer(configuration.vector_bytes));
      ww_rmsnorm_residual_put_define(&out, "LOAD_HINT", ww_rmsnorm_residual_text(ww_rmsnorm_residual_load_hint_name(configuration.load_hint)));
      ww_rmsnorm_residual_put_define(&out, "STORE_HINT", ww_rmsnorm_residual_text(ww_rmsnorm_residual_store_hint_name(configuration.store_hint)));
      break;
  }
  ww_rmsnorm_residual_put_define(&out, "WRITE_Z", ww_rmsnorm_residual_integer(problem.write_z));
  ww_rmsnorm_residual_put_define(&out, "DTYPE", ww_rmsnorm_residual_text(ww_rmsnorm_residual_dtype_name(problem.dtype)));
  return out;
}

static inline ww_rmsnorm_residual_launch_plan ww_rmsnorm_residual_no_launch(void) {
  ww_rmsnorm_residual_launch_plan out;
  int i;
  out.ok = 0;
  out.entry = 0;
  out.shared_bytes = 0;
  for (i = 0; i < 3; ++i) out.grid[i] = out.block[i] = out.cluster[i] = 1;
  return out;
}

static inline ww_rmsnorm_residual_launch_plan ww_rmsnorm_residual_launch_two_pass(ww_rmsnorm_residual_configuration configuration, ww_rmsnorm_residual_problem problem,
    ww_rmsnorm_residual_limits limits, int index) {
  const ww_rmsnorm_residual_value rows = ww_rmsnorm_residual_integer(problem.rows);
  const ww_rmsnorm_residual_value threads = ww_rmsnorm_residual_integer(configuration.threads);
  (void)limits;
  ww_rmsnorm_residual_launch_plan out = ww_rmsnorm_residual_no_launch();
  switch (index) {
    case 0:
      out.ok = 1;
      out.entry = "rmsnorm_residual";
      ww_rmsnorm_residual_set_extent(&out, &out.grid[0], rows);
      ww_rmsnorm_residual_set_extent(&out, &out.block[0], threads);
      break;
    default:
      break;
  }
  return out;
}

static inline ww_rmsnorm_residual_launch_plan ww_rmsnorm_residual_launch_block_row(ww_rmsnorm_residual_configuration configuration, ww_rmsnorm_residual_problem problem,
    ww_rmsnorm_residual_limits limits, int index) {
  const ww_rmsnorm_residual_value rows = ww_rmsnorm_residual_integer(problem.rows);
  const ww_rmsnorm_residual_value threads = ww_rmsnorm_residual_integer(configuration.threads);
  (void)limits;
  ww_rmsnorm_residual_launch_plan out = ww_rmsnorm_residual_no_launch();
  switch (index) {
    case 0:
      out.ok = 1;
      out.entry = "rmsnorm_residual";
      ww_rmsnorm_residual_set_extent(&out, &out.grid[0], rows);
      ww_rmsnorm_residual_set_extent(&out, &out.block[0], threads);
      break;
    default:
      break;
  }
  return out;
}

static inline ww_rmsnorm_residual_launch_plan ww_rmsnorm_residual_launch_persistent_row(ww_rmsnorm_residual_configuration configuration, ww_rmsnorm_residual_problem problem,
    ww_rmsnorm_residual_limits limits, int index) {
  const ww_rmsnorm_residual_value rows = ww_rmsnorm_residual_integer(problem.rows);
  const ww_rmsnorm_residual_value threads = ww_rmsnorm_residual_integer(configuration.threads);
  const ww_rmsnorm_residual_value threads_per_sm = ww_rmsnorm_residual_integer(configuration.threads_per_sm);
  const ww_rmsnorm_residual_value device_sm_count = ww_rmsnorm_residual_integer(limits.sm_count);
  ww_rmsnorm_residual_launch_plan out = ww_rmsnorm_residual_no_launch();
  switch (index) {
    case 0:
      out.ok = 1;
      out.entry = "rmsnorm_residual";
      ww_rmsnorm_residual_set_extent(&out, &out.grid[0], ww_rmsnorm_residual_smaller(rows, ww_rmsnorm_residual_multiply(device_sm_count, ww_rmsnorm_residual_divide(threads_per_sm, threads))));
      ww_rmsnorm_residual_set_extent(&out, &out.block[0], threads);
      break;
    default:
      break;
  }
  return out;
}

static inline ww_rmsnorm_residual_launch_plan ww_rmsnorm_residual_launch_warp_row(ww_rmsnorm_residual_configuration configuration, ww_rmsnorm_residual_problem problem,
    ww_rmsnorm_residual_limits limits, int index) {
  const ww_rmsnorm_residual_value rows = ww_rmsnorm_residual_integer(problem.rows);
  const ww_rmsnorm_residual_value threads = ww_rmsnorm_residual_integer(configuration.threads);
  const ww_rmsnorm_residual_value lanes = ww_rmsnorm_residual_integer(configuration.lanes);
  (void)limits;
  ww_rmsnorm_residual_launch_plan out = ww_rmsnorm_residual_no_launch();
  switch (index) {
    case 0:
      out.ok = 1;
      out.entry = "rmsnorm_residual";
      ww_rmsnorm_residual_set_extent(&out, &out.grid[0], ww_rmsnorm_residual_ceil_div(rows, ww_rmsnorm_residual_divide(threads, lanes)));
      ww_rmsnorm_residual_set_extent(&out, &out.block[0], threads);
      break;
    default:
      break;
  }
  return out;
}

/* Launch `index` of configuration.launch_count, in stream order. Give it the limits of the
   selection. */
static inline ww_rmsnorm_residual_launch_plan ww_rmsnorm_residual_launch(ww_rmsnorm_residual_configuration configuration, ww_rmsnorm_residual_problem problem,
    ww_rmsnorm_residual_limits limits, int index) {
  switch (configuration.variant) {
    case WW_RMSNORM_RESIDUAL_VARIANT_TWO_PASS:
      return ww_rmsnorm_residual_launch_two_pass(configuration, problem, limits, index);
    case WW_RMSNORM_RESIDUAL_VARIANT_BLOCK_ROW:
      return ww_rmsnorm_residual_launch_block_row(configuration, problem, limits, index);
    case WW_RMSNORM_RESIDUAL_VARIANT_PERSISTENT_ROW:
      return ww_rmsnorm_residual_launch_persistent_row(configuration, problem, limits, index);
    case WW_RMSNORM_RESIDUAL_VARIANT_WARP_ROW:
      return ww_rmsnorm_residual_launch_warp_row(configuration, problem, limits, index);
  }
  return ww_rmsnorm_residual_no_launch();
}

#endif
