/* clang-format off */
/* gated_activation: Gated activation, out = act(g) * u element by element, act being SiLU
   (SwiGLU) or the tanh form of GELU (GeGLU) */
/* Tuned configurations, written by `warpwright export`. Do not edit: export again. */
/* export: {"kernel":"gated_activation","prefix":"ww_","namespace":""} */
/* written by warpwright 0.1.0 */
/* NVIDIA H200 (sm_90a): 10 problems, 1960 configurations tried; times are measured, by
   warpwright 0.1.0 (commit 34b103cef39f). */
/* Left out one at a time, 6 of 10 tuned problems get a configuration within 10 % of their best
   from the others. */
/*
     const ww_device device = {"NVIDIA H200", "sm_90a", {0}};
     const ww_gated_activation_problem problem = {1, 4096, WW_GATED_ACTIVATION_ACTIVATION_GELU_TANH, WW_GATED_ACTIVATION_DTYPE_BF16};
     const ww_selection chosen = ww_gated_activation_select(device, problem);
     const ww_launch_plan plan = ww_gated_activation_launch(chosen, problem, 0);

   warpwright_select.h says how it is compiled and launched. C99, C++17 and NVRTC. */
#ifndef WW_GATED_ACTIVATION_H
#define WW_GATED_ACTIVATION_H

#include "warpwright_select.h"

#if WARPWRIGHT_SELECT_VERSION != 1
#error this header is of another version than warpwright_select.h: export again
#endif

typedef enum {
  WW_GATED_ACTIVATION_ACTIVATION_SILU,
  WW_GATED_ACTIVATION_ACTIVATION_GELU_TANH
} ww_gated_activation_activation;
WW_FN const char *ww_gated_activation_activation_name(ww_gated_activation_activation v) {
  switch (v) {
    case WW_GATED_ACTIVATION_ACTIVATION_SILU:
      return "silu";
    case WW_GATED_ACTIVATION_ACTIVATION_GELU_TANH:
      return "gelu_tanh";
  }
  return 0;
}

typedef enum {
  WW_GATED_ACTIVATION_DTYPE_F32,
  WW_GATED_ACTIVATION_DTYPE_BF16,
  WW_GATED_ACTIVATION_DTYPE_F16
} ww_gated_activation_dtype;
WW_FN const char *ww_gated_activation_dtype_name(ww_gated_activation_dtype v) {
  switch (v) {
    case WW_GATED_ACTIVATION_DTYPE_F32:
      return "f32";
    case WW_GATED_ACTIVATION_DTYPE_BF16:
      return "bf16";
    case WW_GATED_ACTIVATION_DTYPE_F16:
      return "f16";
  }
  return 0;
}

typedef enum {
  WW_GATED_ACTIVATION_LOAD_HINT_NONE,
  WW_GATED_ACTIVATION_LOAD_HINT_STREAMING
} ww_gated_activation_load_hint;
WW_FN const char *ww_gated_activation_load_hint_name(ww_gated_activation_load_hint v) {
  switch (v) {
    case WW_GATED_ACTIVATION_LOAD_HINT_NONE:
      return "none";
    case WW_GATED_ACTIVATION_LOAD_HINT_STREAMING:
      return "streaming";
  }
  return 0;
}

typedef enum {
  WW_GATED_ACTIVATION_STORE_HINT_NONE,
  WW_GATED_ACTIVATION_STORE_HINT_STREAMING
} ww_gated_activation_store_hint;
WW_FN const char *ww_gated_activation_store_hint_name(ww_gated_activation_store_hint v) {
  switch (v) {
    case WW_GATED_ACTIVATION_STORE_HINT_NONE:
      return "none";
    case WW_GATED_ACTIVATION_STORE_HINT_STREAMING:
      return "streaming";
  }
  return 0;
}

typedef enum {
  WW_GATED_ACTIVATION_VARIANT_SCALAR,
  WW_GATED_ACTIVATION_VARIANT_FLAT,
  WW_GATED_ACTIVATION_VARIANT_PERSISTENT
} ww_gated_activation_variant;
WW_FN const char *ww_gated_activation_variant_name(ww_gated_activation_variant v) {
  switch (v) {
    case WW_GATED_ACTIVATION_VARIANT_SCALAR:
      return "scalar";
    case WW_GATED_ACTIVATION_VARIANT_FLAT:
      return "flat";
    case WW_GATED_ACTIVATION_VARIANT_PERSISTENT:
      return "persistent";
  }
  return 0;
}

typedef struct ww_gated_activation_problem {
  long long rows WW_INIT(0); /* tokens; at least 1 */
  long long d WW_INIT(0); /* width of the hidden layer; at least 1 */
  /* of the gate: silu is SwiGLU, gelu_tanh is GeGLU */
  ww_gated_activation_activation activation WW_INIT(WW_GATED_ACTIVATION_ACTIVATION_SILU);
  ww_gated_activation_dtype dtype WW_INIT(WW_GATED_ACTIVATION_DTYPE_BF16);
} ww_gated_activation_problem;
/* With the contract's defaults, which C++ has where sizes are left out; 0 where there is none. */
WW_FN ww_gated_activation_problem ww_gated_activation_default_problem(void) {
  ww_gated_activation_problem problem = WW_ZERO;
  problem.rows = 0;
  problem.d = 0;
  problem.activation = WW_GATED_ACTIVATION_ACTIVATION_SILU;
  problem.dtype = WW_GATED_ACTIVATION_DTYPE_BF16;
  return problem;
}

/* Of all launches the largest, as compiled when it was tuned; -1: not known. */
typedef struct ww_gated_activation_resources {
  int registers WW_INIT(-1); /* per thread */
  int shared_bytes WW_INIT(-1); /* per block, static and dynamic */
  int spill_bytes WW_INIT(-1); /* per thread */
} ww_gated_activation_resources;

/* Parameters that the variant does not have hold the contract's defaults. */
typedef struct ww_gated_activation_configuration {
  ww_gated_activation_variant variant WW_INIT(WW_GATED_ACTIVATION_VARIANT_SCALAR);
  long long threads WW_INIT(256); /* THREADS: threads per block */
  /* THREADS_PER_SM: threads that must fit on an SM at once; each gets 65536 / THREADS_PER_SM
     registers */
  long long threads_per_sm WW_INIT(1024);
  long long unroll WW_INIT(2); /* UNROLL: accesses per operand that a thread has in flight */
  /* PREFETCH: 1 loads the next tile before computing the current one */
  long long prefetch WW_INIT(1);
  long long vector_bytes WW_INIT(16); /* VECTOR_BYTES: bytes per access of a thread */
  /* LOAD_HINT: streaming keeps the inputs out of L1 */
  ww_gated_activation_load_hint load_hint WW_INIT(WW_GATED_ACTIVATION_LOAD_HINT_NONE);
  /* STORE_HINT: streaming lets L2 evict the result first */
  ww_gated_activation_store_hint store_hint WW_INIT(WW_GATED_ACTIVATION_STORE_HINT_NONE);
  const char *source WW_INIT(0); /* file name */
  int launch_count WW_INIT(0);
  ww_gated_activation_resources resources WW_INIT({});
  const char *text WW_INIT(0); /* as `warpwright show` prints it */
} ww_gated_activation_configuration;

/* A tuned problem: what won, and how that is known. */
typedef struct ww_gated_activation_board {
  int device WW_INIT(0); /* in the table of devices */
  ww_gated_activation_problem problem WW_INIT({});
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
} ww_gated_activation_board;

enum {
  WW_GATED_ACTIVATION_DEVICE_COUNT = 1,
  WW_GATED_ACTIVATION_BOARD_COUNT = 10,
  WW_GATED_ACTIVATION_CANDIDATE_COUNT = 10,
  WW_GATED_ACTIVATION_DEFAULT_COUNT = 3,
  WW_GATED_ACTIVATION_CONFIGURATION_COUNT = 13,
  WW_GATED_ACTIVATION_FILE_COUNT = 9,
  WW_GATED_ACTIVATION_INCLUDE_COUNT = 2
};

WW_DATA ww_device ww_gated_activation_devices[WW_GATED_ACTIVATION_DEVICE_COUNT] = {
    {"NVIDIA H200", "sm_90a", {232448, 1024, 32, 132, 65536, 65536, 62914560, 90, 150109880320LL}},
};

/* The portfolio; after it the contract's defaults of every variant. */
WW_DATA ww_gated_activation_configuration ww_gated_activation_configurations[WW_GATED_ACTIVATION_CONFIGURATION_COUNT] = {
    /* 0: scalar THREADS=64; wins 1 problem */
    {WW_GATED_ACTIVATION_VARIANT_SCALAR, /*threads*/ 64, /*threads_per_sm*/ 1024, /*unroll*/ 2,
     /*prefetch*/ 1, /*vector_bytes*/ 16, /*load_hint*/ WW_GATED_ACTIVATION_LOAD_HINT_NONE,
     /*store_hint*/ WW_GATED_ACTIVATION_STORE_HINT_NONE,
     "scalar.cu", 1, {12, 0, 0},
     "scalar THREADS=64"},
    /* 1: flat LOAD_HINT=none STORE_HINT=none THREADS=256 THREADS_PER_SM=1024 UNROLL=1
       VECTOR_BYTES=16; wins 2 problems */
    {WW_GATED_ACTIVATION_VARIANT_FLAT, /*threads*/ 256, /*threads_per_sm*/ 1024, /*unroll*/ 1,
     /*prefetch*/ 1, /*vector_bytes*/ 16, /*load_hint*/ WW_GATED_ACTIVATION_LOAD_HINT_NONE,
     /*store_hint*/ WW_GATED_ACTIVATION_STORE_HINT_NONE,
     "flat.cu", 1, {34, 0, 0},
     "flat LOAD_HINT=none STORE_HINT=none THREADS=256 THREADS_PER_SM=1024 UNROLL=1 VECTOR_BYTES=16"},
    /* 2: flat LOAD_HINT=none STORE_HINT=none THREADS=256 THREADS_PER_SM=2048 UNROLL=1
       VECTOR_BYTES=8; wins 1 problem */
    {WW_GATED_ACTIVATION_VARIANT_FLAT, /*threads*/ 256, /*threads_per_sm*/ 2048, /*unroll*/ 1,
     /*prefetch*/ 1, /*vector_bytes*/ 8, /*load_hint*/ WW_GATED_ACTIVATION_LOAD_HINT_NONE,
     /*store_hint*/ WW_GATED_ACTIVATION_STORE_HINT_NONE,
     "flat.cu", 1, {27, 0, 0},
     "flat LOAD_HINT=none STORE_HINT=none THREADS=256 THREADS_PER_SM=2048 UNROLL=1 VECTOR_BYTES=8"},
    /* 3: flat LOAD_HINT=none STORE_HINT=none THREADS=512 THREADS_PER_SM=1024 UNROLL=1
       VECTOR_BYTES=8; wins 1 problem */
    {WW_GATED_ACTIVATION_VARIANT_FLAT, /*threads*/ 512, /*threads_per_sm*/ 1024, /*unroll*/ 1,
     /*prefetch*/ 1, /*vector_bytes*/ 8, /*load_hint*/ WW_GATED_ACTIVATION_LOAD_HINT_NONE,
     /*store_hint*/ WW_GATED_ACTIVATION_STORE_HINT_NONE,
     "flat.cu", 1, {27, 0, 0},
     "flat LOAD_HINT=none STORE_HINT=none THREADS=512 THREADS_PER_SM=1024 UNROLL=1 VECTOR_BYTES=8"},
    /* 4: flat LOAD_HINT=none STORE_HINT=streaming THREADS=512 THREADS_PER_SM=1024 UNROLL=4
       VECTOR_BYTES=16; wins 1 problem */
    {WW_GATED_ACTIVATION_VARIANT_FLAT, /*threads*/ 512, /*threads_per_sm*/ 1024, /*unroll*/ 4,
     /*prefetch*/ 1, /*vector_bytes*/ 16, /*load_hint*/ WW_GATED_ACTIVATION_LOAD_HINT_NONE,
     /*store_hint*/ WW_GATED_ACTIVATION_STORE_HINT_STREAMING,
     "flat.cu", 1, {64, 0, 0},
     "flat LOAD_HINT=none STORE_HINT=streaming THREADS=512 THREADS_PER_SM=1024 UNROLL=4 VECTOR_BYTES=16"},
    /* 5: flat LOAD_HINT=none STORE_HINT=streaming THREADS=512 THREADS_PER_SM=2048 UNROLL=1
       VECTOR_BYTES=16 */
    {WW_GATED_ACTIVATION_VARIANT_FLAT, /*threads*/ 512, /*threads_per_sm*/ 2048, /*unroll*/ 1,
     /*prefetch*/ 1, /*vector_bytes*/ 16, /*load_hint*/ WW_GATED_ACTIVATION_LOAD_HINT_NONE,
     /*store_hint*/ WW_GATED_ACTIVATION_STORE_HINT_STREAMING,
     "flat.cu", 1, {32, 0, 0},
     "flat LOAD_HINT=none STORE_HINT=streaming THREADS=512 THREADS_PER_SM=2048 UNROLL=1 VECTOR_BYTES=16"},
    /* 6: flat LOAD_HINT=none STORE_HINT=none THREADS=1024 THREADS_PER_SM=1024 UNROLL=1
       VECTOR_BYTES=16; wins 1 problem */
    {WW_GATED_ACTIVATION_VARIANT_FLAT, /*threads*/ 1024, /*threads_per_sm*/ 1024, /*unroll*/ 1,
     /*prefetch*/ 1, /*vector_bytes*/ 16, /*load_hint*/ WW_GATED_ACTIVATION_LOAD_HINT_NONE,
     /*store_hint*/ WW_GATED_ACTIVATION_STORE_HINT_NONE,
     "flat.cu", 1, {34, 0, 0},
     "flat LOAD_HINT=none STORE_HINT=none THREADS=1024 THREADS_PER_SM=1024 UNROLL=1 VECTOR_BYTES=16"},
    /* 7: flat LOAD_HINT=none STORE_HINT=none THREADS=1024 THREADS_PER_SM=2048 UNROLL=1
       VECTOR_BYTES=16; wins 1 problem */
    {WW_GATED_ACTIVATION_VARIANT_FLAT, /*threads*/ 1024, /*threads_per_sm*/ 2048, /*unroll*/ 1,
     /*prefetch*/ 1, /*vector_bytes*/ 16, /*load_hint*/ WW_GATED_ACTIVATION_LOAD_HINT_NONE,
     /*store_hint*/ WW_GATED_ACTIVATION_STORE_HINT_NONE,
     "flat.cu", 1, {32, 0, 0},
     "flat LOAD_HINT=none STORE_HINT=none THREADS=1024 THREADS_PER_SM=2048 UNROLL=1 VECTOR_BYTES=16"},
    /* 8: flat LOAD_HINT=none STORE_HINT=streaming THREADS=1024 THREADS_PER_SM=2048 UNROLL=2
       VECTOR_BYTES=16; wins 1 problem */
    {WW_GATED_ACTIVATION_VARIANT_FLAT, /*threads*/ 1024, /*threads_per_sm*/ 2048, /*unroll*/ 2,
     /*prefetch*/ 1, /*vector_bytes*/ 16, /*load_hint*/ WW_GATED_ACTIVATION_LOAD_HINT_NONE,
     /*store_hint*/ WW_GATED_ACTIVATION_STORE_HINT_STREAMING,
     "flat.cu", 1, {32, 0, 0},
     "flat LOAD_HINT=none STORE_HINT=streaming THREADS=1024 THREADS_PER_SM=2048 UNROLL=2 VECTOR_BYTES=16"},
    /* 9: persistent LOAD_HINT=none PREFETCH=1 STORE_HINT=none THREADS=256 THREADS_PER_SM=1024
       UNROLL=1 VECTOR_BYTES=8; wins 1 problem */
    {WW_GATED_ACTIVATION_VARIANT_PERSISTENT, /*threads*/ 256, /*threads_per_sm*/ 1024, /*unroll*/ 1,
     /*prefetch*/ 1, /*vector_bytes*/ 8, /*load_hint*/ WW_GATED_ACTIVATION_LOAD_HINT_NONE,
     /*store_hint*/ WW_GATED_ACTIVATION_STORE_HINT_NONE,
     "persistent.cu", 1, {30, 0, 0},
     "persistent LOAD_HINT=none PREFETCH=1 STORE_HINT=none THREADS=256 THREADS_PER_SM=1024 UNROLL=1 VECTOR_BYTES=8"},
    /* 10: flat LOAD_HINT=none STORE_HINT=none THREADS=256 THREADS_PER_SM=1024 UNROLL=2
       VECTOR_BYTES=16, the defaults */
    {WW_GATED_ACTIVATION_VARIANT_FLAT, /*threads*/ 256, /*threads_per_sm*/ 1024, /*unroll*/ 2,
     /*prefetch*/ 1, /*vector_bytes*/ 16, /*load_hint*/ WW_GATED_ACTIVATION_LOAD_HINT_NONE,
     /*store_hint*/ WW_GATED_ACTIVATION_STORE_HINT_NONE,
     "flat.cu", 1, {-1, -1, -1},
     "flat LOAD_HINT=none STORE_HINT=none THREADS=256 THREADS_PER_SM=1024 UNROLL=2 VECTOR_BYTES=16"},
    /* 11: persistent LOAD_HINT=none PREFETCH=1 STORE_HINT=none THREADS=256 THREADS_PER_SM=1024
       UNROLL=2 VECTOR_BYTES=16, the defaults */
    {WW_GATED_ACTIVATION_VARIANT_PERSISTENT, /*threads*/ 256, /*threads_per_sm*/ 1024, /*unroll*/ 2,
     /*prefetch*/ 1, /*vector_bytes*/ 16, /*load_hint*/ WW_GATED_ACTIVATION_LOAD_HINT_NONE,
     /*store_hint*/ WW_GATED_ACTIVATION_STORE_HINT_NONE,
     "persistent.cu", 1, {-1, -1, -1},
     "persistent LOAD_HINT=none PREFETCH=1 STORE_HINT=none THREADS=256 THREADS_PER_SM=1024 UNROLL=2 VECTOR_BYTES=16"},
    /* 12: scalar THREADS=256, the defaults */
    {WW_GATED_ACTIVATION_VARIANT_SCALAR, /*threads*/ 256, /*threads_per_sm*/ 1024, /*unroll*/ 2,
     /*prefetch*/ 1, /*vector_bytes*/ 16, /*load_hint*/ WW_GATED_ACTIVATION_LOAD_HINT_NONE,
     /*store_hint*/ WW_GATED_ACTIVATION_STORE_HINT_NONE,
     "scalar.cu", 1, {-1, -1, -1},
     "scalar THREADS=256"},
};

WW_DATA ww_gated_activation_board ww_gated_activation_boards[WW_GATED_ACTIVATION_BOARD_COUNT] = {
    /* 0: rows=1 d=4096 activation=gelu_tanh dtype=bf16 on NVIDIA H200 */
    {0, {1, 4096, WW_GATED_ACTIVATION_ACTIVATION_GELU_TANH, WW_GATED_ACTIVATION_DTYPE_BF16}, 0, 0.8640001, 0.832, 0.8800001, 0, "cold-graph-1",
     196, 200, 4,
     "persistent LOAD_HINT=none PREFETCH=0 STORE_HINT=none THREADS=256 THREADS_PER_SM=1024 UNROLL=1 VECTOR_BYTES=8\n"
     "flat LOAD_HINT=none STORE_HINT=none THREADS=256 THREADS_PER_SM=1024 UNROLL=1 VECTOR_BYTES=8\n"
     "flat LOAD_HINT=none STORE_HINT=none THREADS=256 THREADS_PER_SM=2048 UNROLL=1 VECTOR_BYTES=8\n"
     "flat LOAD_HINT=none STORE_HINT=none THREADS=64 THREADS_PER_SM=2048 UNROLL=1 VECTOR_BYTES=8\n",
     "580.159.04", "13.0", "warpwright 0.1.0 (commit 34b103cef39f)", "2026-11-23T07:50:57Z",
     "9443b37f43b548a8425572a35a831bf9dec9186c00c1966964c4d4ed1d980339"},
    /* 1: rows=1 d=4096 activation=silu dtype=bf16 on NVIDIA H200 */
    {0, {1, 4096, WW_GATED_ACTIVATION_ACTIVATION_SILU, WW_GATED_ACTIVATION_DTYPE_BF16}, 2, 0.832, 0.8, 0.8640001, 0, "cold-graph-1",
     196, 200, 2,
     "persistent LOAD_HINT=none PREFETCH=0 STORE_HINT=none THREADS=256 THREADS_PER_SM=1024 UNROLL=1 VECTOR_BYTES=8\n"
     "flat LOAD_HINT=none STORE_HINT=none THREADS=512 THREADS_PER_SM=2048 UNROLL=1 VECTOR_BYTES=8\n",
     "580.159.04", "13.0", "warpwright 0.1.0 (commit 34b103cef39f)", "2026-11-23T07:50:53Z",
     "961077d7738554aacb895b1f90f1cfd99af0efb45eb2e4416aafdbf68f3e6a36"},
    /* 2: rows=32 d=8192 activation=gelu_tanh dtype=bf16 on NVIDIA H200 */
    {0, {32, 8192, WW_GATED_ACTIVATION_ACTIVATION_GELU_TANH, WW_GATED_ACTIVATION_DTYPE_BF16}, 3, 1.552, 1.536, 1.584, 0, "cold-graph-1",
     196, 200, 8,
     "flat LOAD_HINT=none STORE_HINT=none THREADS=256 THREADS_PER_SM=2048 UNROLL=1 VECTOR_BYTES=16\n"
     "flat LOAD_HINT=none STORE_HINT=streaming THREADS=512 THREADS_PER_SM=1024 UNROLL=1 VECTOR_BYTES=16\n"
     "flat LOAD_HINT=none STORE_HINT=streaming THREADS=256 THREADS_PER_SM=2048 UNROLL=1 VECTOR_BYTES=16\n"
     "flat LOAD_HINT=none STORE_HINT=none THREADS=512 THREADS_PER_SM=1024 UNROLL=1 VECTOR_BYTES=16\n"
     "persistent LOAD_HINT=none PREFETCH=0 STORE_HINT=none THREADS=512 THREADS_PER_SM=2048 UNROLL=1 VECTOR_BYTES=8\n"
     "persistent LOAD_HINT=none PREFETCH=0 STORE_HINT=none THREADS=512 THREADS_PER_SM=2048 UNROLL=1 VECTOR_BYTES=16\n"
     "flat LOAD_HINT=none STORE_HINT=none THREADS=512 THREADS_PER_SM=2048 UNROLL=1 VECTOR_BYTES=16\n"
     "persistent LOAD_HINT=none PREFETCH=0 STORE_HINT=streaming THREADS=512 THREADS_PER_SM=1024 UNROLL=1 VECTOR_BYTES=16\n",
     "580.159.04", "13.0", "warpwright 0.1.0 (commit 34b103cef39f)", "2026-11-23T07:51:16Z",
     "961077d7738554aacb895b1f90f1cfd99af0efb45eb2e4416aafdbf68f3e6a36"},
    /* 3: rows=32 d=8192 activation=silu dtype=bf16 on NVIDIA H200 */
    {0, {32, 8192, WW_GATED_ACTIVATION_ACTIVATION_SILU, WW_GATED_ACTIVATION_DTYPE_BF16}, 9, 1.608, 1.584, 1.648, 0, "cold-graph-1",
     196, 200, 5,
     "flat LOAD_HINT=none STORE_HINT=none THREADS=512 THREADS_PER_SM=2048 UNROLL=1 VECTOR_BYTES=16\n"
     "flat LOAD_HINT=none STORE_HINT=streaming THREADS=512 THREADS_PER_SM=1024 UNROLL=1 VECTOR_BYTES=16\n"
     "persistent LOAD_HINT=none PREFETCH=0 STORE_HINT=streaming THREADS=512 THREADS_PER_SM=1024 UNROLL=1 VECTOR_BYTES=16\n"
     "persistent LOAD_HINT=none PREFETCH=1 STORE_HINT=none THREADS=512 THREADS_PER_SM=2048 UNROLL=1 VECTOR_BYTES=8\n"
     "persistent LOAD_HINT=none PREFETCH=1 STORE_HINT=none THREADS=256 THREADS_PER_SM=1024 UNROLL=1 VECTOR_BYTES=16\n",
     "580.159.04", "13.0", "warpwright 0.1.0 (commit 34b103cef39f)", "2026-11-23T07:51:06Z",
     "1bde26fae692bb186173dbe41d14b629cfa525e3e01284c5d4ffe6aed2c3c2bc"},
    /* 4: rows=128 d=14336 activation=gelu_tanh dtype=bf16 on NVIDIA H200 */
    {0, {128, 14336, WW_GATED_ACTIVATION_ACTIVATION_GELU_TANH, WW_GATED_ACTIVATION_DTYPE_BF16}, 8, 4.032, 3.984, 4.08, 0, "cold-graph-1",
     196, 60, 0,
     "",
     "580.159.04", "13.0", "warpwright 0.1.0 (commit 34b103cef39f)", "2026-11-23T07:50:48Z",
     "961077d7738554aacb895b1f90f1cfd99af0efb45eb2e4416aafdbf68f3e6a36"},
    /* 5: rows=128 d=14336 activation=silu dtype=bf16 on NVIDIA H200 */
    {0, {128, 14336, WW_GATED_ACTIVATION_ACTIVATION_SILU, WW_GATED_ACTIVATION_DTYPE_BF16}, 4, 4.104, 4.064, 4.128, 0, "cold-graph-1",
     196, 80, 1,
     "flat LOAD_HINT=streaming STORE_HINT=streaming THREADS=512 THREADS_PER_SM=1024 UNROLL=4 VECTOR_BYTES=16\n",
     "580.159.04", "13.0", "warpwright 0.1.0 (commit 34b103cef39f)", "2026-11-23T07:50:27Z",
     "961077d7738554aacb895b1f90f1cfd99af0efb45eb2e4416aafdbf68f3e6a36"},
    /* 6: rows=1024 d=8192 activation=gelu_tanh dtype=bf16 on NVIDIA H200 */
    {0, {1024, 8192, WW_GATED_ACTIVATION_ACTIVATION_GELU_TANH, WW_GATED_ACTIVATION_DTYPE_BF16}, 1, 13.984, 13.92, 13.984, 0, "cold-graph-1",
     196, 30, 3,
     "flat LOAD_HINT=none STORE_HINT=none THREADS=64 THREADS_PER_SM=1024 UNROLL=1 VECTOR_BYTES=16\n"
     "flat LOAD_HINT=none STORE_HINT=streaming THREADS=64 THREADS_PER_SM=1024 UNROLL=1 VECTOR_BYTES=16\n"
     "flat LOAD_HINT=none STORE_HINT=streaming THREADS=256 THREADS_PER_SM=1024 UNROLL=1 VECTOR_BYTES=16\n",
     "580.159.04", "13.0", "warpwright 0.1.0 (commit 34b103cef39f)", "2026-11-23T07:52:00Z",
     "961077d7738554aacb895b1f90f1cfd99af0efb45eb2e4416aafdbf68f3e6a36"},
    /* 7: rows=1024 d=8192 activation=silu dtype=bf16 on NVIDIA H200 */
    {0, {1024, 8192, WW_GATED_ACTIVATION_ACTIVATION_SILU, WW_GATED_ACTIVATION_DTYPE_BF16}, 1, 14.048, 13.984, 14.112, 0, "cold-graph-1",
     196, 30, 5,
     "flat LOAD_HINT=streaming STORE_HINT=streaming THREADS=512 THREADS_PER_SM=1024 UNROLL=4 VECTOR_BYTES=16\n"
     "flat LOAD_HINT=streaming STORE_HINT=streaming THREADS=64 THREADS_PER_SM=1024 UNROLL=4 VECTOR_BYTES=16\n"
     "flat LOAD_HINT=streaming STORE_HINT=streaming THREADS=256 THREADS_PER_SM=1024 UNROLL=4 VECTOR_BYTES=16\n"
     "flat LOAD_HINT=none STORE_HINT=none THREADS=64 THREADS_PER_SM=1024 UNROLL=1 VECTOR_BYTES=16\n"
     "flat LOAD_HINT=none STORE_HINT=none THREADS=64 THREADS_PER_SM=2048 UNROLL=1 VECTOR_BYTES=16\n",
     "580.159.04", "13.0", "warpwright 0.1.0 (commit 34b103cef39f)", "2026-11-23T07:51:37Z",
     "961077d7738554aacb895b1f90f1cfd99af0efb45eb2e4416aafdbf68f3e6a36"},
    /* 8: rows=8192 d=14336 activation=gelu_tanh dtype=bf16 on NVIDIA H200 */
    {0, {8192, 14336, WW_GATED_ACTIVATION_ACTIVATION_GELU_TANH, WW_GATED_ACTIVATION_DTYPE_BF16}, 7, 162.8, 162.64, 162.912, 0, "cold-graph-1",
     196, 30, 9,
     "flat LOAD_HINT=none STORE_HINT=streaming THREADS=256 THREADS_PER_SM=1024 UNROLL=1 VECTOR_BYTES=16\n"
     "flat LOAD_HINT=none STORE_HINT=streaming THREADS=64 THREADS_PER_SM=1024 UNROLL=1 VECTOR_BYTES=16\n"
     "flat LOAD_HINT=none STORE_HINT=streaming THREADS=512 THREADS_PER_SM=1024 UNROLL=1 VECTOR_BYTES=16\n"
     "flat LOAD_HINT=none STORE_HINT=none THREADS=256 THREADS_PER_SM=1024 UNROLL=1 VECTOR_BYTES=16\n"
     "flat LOAD_HINT=none STORE_HINT=none THREADS=64 THREADS_PER_SM=1024 UNROLL=1 VECTOR_BYTES=16\n"
     "flat LOAD_HINT=none STORE_HINT=streaming THREADS=512 THREADS_PER_SM=1024 UNROLL=2 VECTOR_BYTES=16\n"
     "flat LOAD_HINT=none STORE_HINT=streaming THREADS=1024 THREADS_PER_SM=2048 UNROLL=1 VECTOR_BYTES=16\n"
     "flat LOAD_HINT=none STORE_HINT=none THREADS=512 THREADS_PER_SM=1024 UNROLL=1 VECTOR_BYTES=16\n"
     "flat LOAD_HINT=none STORE_HINT=streaming THREADS=512 THREADS_PER_SM=2048 UNROLL=1 VECTOR_BYTES=16\n",
     "580.159.04", "13.0", "warpwright 0.1.0 (commit 34b103cef39f)", "2026-11-23T07:50:07Z",
     "961077d7738554aacb895b1f90f1cfd99af0efb45eb2e4416aafdbf68f3e6a36"},
    /* 9: rows=8192 d=14336 activation=silu dtype=bf16 on NVIDIA H200 */
    {0, {8192, 14336, WW_GATED_ACTIVATION_ACTIVATION_SILU, WW_GATED_ACTIVATION_DTYPE_BF16}, 6, 162.848, 162.656, 162.912, 0, "cold-graph-1",
     196, 30, 15,
     "flat LOAD_HINT=none STORE_HINT=streaming THREADS=1024 THREADS_PER_SM=1024 UNROLL=1 VECTOR_BYTES=16\n"
     "flat LOAD_HINT=none STORE_HINT=streaming THREADS=1024 THREADS_PER_SM=2048 UNROLL=1 VECTOR_BYTES=16\n"
     "flat LOAD_HINT=none STORE_HINT=streaming THREADS=512 THREADS_PER_SM=1024 UNROLL=2 VECTOR_BYTES=16\n"
     "flat LOAD_HINT=none STORE_HINT=streaming THREADS=512 THREADS_PER_SM=2048 UNROLL=1 VECTOR_BYTES=16\n"
     "flat LOAD_HINT=none STORE_HINT=none THREADS=1024 THREADS_PER_SM=2048 UNROLL=1 VECTOR_BYTES=16\n"
     "flat LOAD_HINT=none STORE_HINT=streaming THREADS=256 THREADS_PER_SM=1024 UNROLL=2 VECTOR_BYTES=16\n"
     "flat LOAD_HINT=none STORE_HINT=streaming THREADS=512 THREADS_PER_SM=1024 UNROLL=1 VECTOR_BYTES=16\n"
     "flat LOAD_HINT=none STORE_HINT=none THREADS=512 THREADS_PER_SM=2048 UNROLL=1 VECTOR_BYTES=16\n"
     "flat LOAD_HINT=none STORE_HINT=none THREADS=512 THREADS_PER_SM=1024 UNROLL=1 VECTOR_BYTES=16\n"
     "flat LOAD_HINT=none STORE_HINT=none THREADS=512 THREADS_PER_SM=1024 UNROLL=2 VECTOR_BYTES=16\n"
     "flat LOAD_HINT=none STORE_HINT=streaming THREADS=256 THREADS_PER_SM=2048 UNROLL=1 VECTOR_BYTES=16\n"
     "flat LOAD_HINT=none STORE_HINT=none THREADS=256 THREADS_PER_SM=1024 UNROLL=2 VECTOR_BYTES=16\n"
     "flat LOAD_HINT=none STORE_HINT=streaming THREADS=64 THREADS_PER_SM=2048 UNROLL=1 VECTOR_BYTES=16\n"
     "flat LOAD_HINT=none STORE_HINT=none THREADS=64 THREADS_PER_SM=1024 UNROLL=2 VECTOR_BYTES=16\n"
     "flat LOAD_HINT=none STORE_HINT=none THREADS=256 THREADS_PER_SM=2048 UNROLL=1 VECTOR_BYTES=16\n",
     "580.159.04", "13.0", "warpwright 0.1.0 (commit 34b103cef39f)", "2026-11-23T07:49:56Z",
     "961077d7738554aacb895b1f90f1cfd99af0efb45eb2e4416aafdbf68f3e6a36"},
};

/* Thousandths of the best that each candidate reaches on each tuned problem, at most that where
   it was stopped early; -1: not tried. */
WW_DATA short ww_gated_activation_fractions[WW_GATED_ACTIVATION_CANDIDATE_COUNT][WW_GATED_ACTIVATION_BOARD_COUNT] = {
    {1000,  788,  485,  521,  225,  227,  176,  176,  148,  148},
    {1000,  839,  924,  985,  969,  979, 1000, 1000, 1000,  998},
    {1000, 1000,  970,  914,  955,  936,  958,  976,  970,  975},
    { 991, 1000, 1000, 1000,  916,  913,  913,  939,  932,  941},
    {  -1,   -1,   -1,   -1,  966, 1000,  974,  974,  995,  995},
    { 771,  897, 1000, 1000,  981,  975,  991,  988, 1000, 1000},
    { 771,  743,  915,  914,  863,  979,  860,  993,  874, 1000},
    { 730,  732,   -1,  914,  958,  972,  980,  995, 1000, 1000},
    {  -1,   -1,   -1,   -1, 1000,  950,  958,  971,  993,  995},
    { 964,  963,  882, 1000,  837,  838,  803,  799,  831,  832},
};

/* The same of the best configuration of each default's variant. */
WW_DATA short ww_gated_activation_merits[WW_GATED_ACTIVATION_DEFAULT_COUNT][WW_GATED_ACTIVATION_BOARD_COUNT] = {
    {1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000},
    {1000, 1000, 1000, 1000,  984,  998,  995,  995,  958,  959},
    {1000,  813,  882,  966,  613,  620,  513,  524,  476,  483},
};

/* What it was tuned from. Compile these very files: `warpwright export --verify` says whether a
   tree has them. */
WW_DATA ww_file ww_gated_activation_files[WW_GATED_ACTIVATION_FILE_COUNT] = {
    {"kernels/common/activation.cuh",
     "9bf75c79fe33e9b51b851f600aa66c63c1cde588f63974a1db87ee8434e08815"},
    {"kernels/common/packet.cuh",
     "c97a875ed1d62022b03fce93028d060b66619cf372199833f1d465f002252ec2"},
    {"kernels/common/reference.h",
     "75f78c9b0a345a86aab6c275dba3136e1965db3a7c03a1664c310c6def515046"},
    {"kernels/common/types.cuh",
     "6c85405255b130ea55e967943b7e42e11229f9a130779936bb19de5190f901a5"},
    {"kernels/gated_activation/flat.cu",
     "29c7894bf620983f0250c3ed9192e5361a54558c459f91e328dc3e22df7dc182"},
    {"kernels/gated_activation/kernel.yaml",
     "297167d04d8ad149d264673922f1b326dcb5ea82035b43d9975cf346d4ebe2de"},
    {"kernels/gated_activation/persistent.cu",
     "b64a5f5c6e1e6577adf21a136d2821aeb77f1f3e8a80debb9c3060c3e5ed96c6"},
    {"kernels/gated_activation/reference.cpp",
     "693e85c8a009ec2d4b68abf548cc12e99ccb3f321ee594d1a73e78b023632f71"},
    {"kernels/gated_activation/scalar.cu",
     "ef9da2bce459d0c334a6e27cd80fefb0019c8f4d92a7a1b4695c2244d7cc638c"},
};

/* Folders of headers below the folder of kernels, in the order in which they are searched; the
   first holds the sources. */
WW_DATA char ww_gated_activation_includes[WW_GATED_ACTIVATION_INCLUDE_COUNT][17] = {
    "gated_activation",
    "common",
};

/* The contract's types and limits of every size. */
WW_FN int ww_gated_activation_valid(ww_gated_activation_problem problem) {
  if (problem.rows < 1) return 0;
  if (problem.d < 1) return 0;
  if (ww_gated_activation_activation_name(problem.activation) == 0) return 0;
  if (ww_gated_activation_dtype_name(problem.dtype) == 0) return 0;
  return 1;
}

WW_FN int ww_gated_activation_same_sizes(ww_gated_activation_problem a, ww_gated_activation_problem b) {
  return a.rows == b.rows &&
         a.d == b.d &&
         a.activation == b.activation &&
         a.dtype == b.dtype;
}
/* How many sizes that have no distance, such as dtypes, differ. */
WW_FN int ww_gated_activation_other_choices(ww_gated_activation_problem a, ww_gated_activation_problem b) {
  int count = 0;
  if (a.activation != b.activation) ++count;
  if (a.dtype != b.dtype) ++count;
  return count;
}

enum {
  WW_GATED_ACTIVATION_AXIS_COUNT = 2
};
/* Where a problem lies: distances are Euclidean in log2(1 + size) and in twice the log2 of the
   contract's traffic. */
typedef struct ww_gated_activation_place {
  double axes[WW_GATED_ACTIVATION_AXIS_COUNT] WW_INIT({});
  int counted WW_INIT(0);
  double work WW_INIT(0);
} ww_gated_activation_place;
WW_FN ww_gated_activation_place ww_gated_activation_place_of(ww_gated_activation_problem problem) {
  const ww_value rows = ww_integer(problem.rows);
  const ww_value d = ww_integer(problem.d);
  const ww_value dtype = ww_text(ww_gated_activation_dtype_name(problem.dtype));
  /* Bytes that the contract counts. */
  const ww_value work = ww_multiply(ww_multiply(ww_multiply(ww_integer(3), rows), d), ww_bytes_of(dtype));
  ww_gated_activation_place place = WW_ZERO;
  place.axes[0] = ww_size_scale((double)problem.rows);
  place.axes[1] = ww_size_scale((double)problem.d);
  place.counted = ww_number(work);
  place.work = place.counted ? ww_size_scale(ww_as_real(work)) : 0;
  return place;
}

WW_FN int ww_gated_activation_allowed_scalar(ww_gated_activation_configuration configuration, ww_gated_activation_problem problem,
    ww_limits limits) {
  const ww_value rows = ww_integer(problem.rows);
  const ww_value d = ww_integer(problem.d);
  const ww_value dtype = ww_text(ww_gated_activation_dtype_name(problem.dtype));
  const ww_value threads = ww_integer(configuration.threads);
  const ww_value device_max_threads = ww_integer(limits.max_threads);
  /* a block is made of whole warps */
  if (!ww_holds(ww_equal(ww_remainder(threads, ww_integer(32)), ww_integer(0)))) return 0;
  /* g is an array */
  if (!ww_holds(ww_greater_equal(ww_multiply(ww_multiply(ww_bytes_of(dtype), rows), d), ww_integer(0)))) return 0;
  /* the argument elements is an i64 */
  if (!ww_holds(ww_less_equal(ww_multiply(rows, d), ww_integer(9223372036854775807LL)))) return 0;
  /* a grid has 1 to 2^31 - 1 blocks in x */
  if (!ww_holds(ww_and(ww_greater_equal(ww_ceil_div(ww_multiply(rows, d), threads), ww_integer(1)), ww_less_equal(ww_ceil_div(ww_multiply(rows, d), threads), ww_integer(2147483647))))) return 0;
  /* a block has threads */
  if (!ww_holds(ww_greater_equal(threads, ww_integer(1)))) return 0;
  /* the device launches no more */
  if (!ww_holds(ww_less_equal(threads, device_max_threads))) return 0;
  return 1;
}

WW_FN int ww_gated_activation_allowed_flat(ww_gated_activation_configuration configuration, ww_gated_activation_problem problem,
    ww_limits limits) {
  const ww_value rows = ww_integer(problem.rows);
  const ww_value d = ww_integer(problem.d);
  const ww_value dtype = ww_text(ww_gated_activation_dtype_name(problem.dtype));
  const ww_value threads = ww_integer(configuration.threads);
  const ww_value threads_per_sm = ww_integer(configuration.threads_per_sm);
  const ww_value unroll = ww_integer(configuration.unroll);
  const ww_value vector_bytes = ww_integer(configuration.vector_bytes);
  const ww_value device_max_threads = ww_integer(limits.max_threads);
  /* a block is made of whole warps */
  if (!ww_holds(ww_equal(ww_remainder(threads, ww_integer(32)), ww_integer(0)))) return 0;
  /* an access holds at least one element */
  if (!ww_holds(ww_greater_equal(vector_bytes, ww_bytes_of(dtype)))) return 0;
  /* blocks of THREADS must add up to THREADS_PER_SM */
  if (!ww_holds(ww_equal(ww_remainder(threads_per_sm, threads), ww_integer(0)))) return 0;
  /* g is an array */
  if (!ww_holds(ww_greater_equal(ww_multiply(ww_multiply(ww_bytes_of(dtype), rows), d), ww_integer(0)))) return 0;
  /* the argument elements is an i64 */
  if (!ww_holds(ww_less_equal(ww_multiply(rows, d), ww_integer(9223372036854775807LL)))) return 0;
  /* a grid has 1 to 2^31 - 1 blocks in x */
  if (!ww_holds(ww_and(ww_greater_equal(ww_ceil_div(ww_multiply(rows, d), ww_multiply(ww_multiply(threads, unroll), ww_divide(vector_bytes, ww_bytes_of(dtype)))), ww_integer(1)), ww_less_equal(ww_ceil_div(ww_multiply(rows, d), ww_multiply(ww_multiply(threads, unroll), ww_divide(vector_bytes, ww_bytes_of(dtype)))), ww_integer(2147483647))))) return 0;
  /* a block has threads */
  if (!ww_holds(ww_greater_equal(threads, ww_integer(1)))) return 0;
  /* the device launches no more */
  if (!ww_holds(ww_less_equal(threads, device_max_threads))) return 0;
  return 1;
}

WW_FN int ww_gated_activation_allowed_persistent(ww_gated_activation_configuration configuration, ww_gated_activation_problem problem,
    ww_limits limits) {
  const ww_value rows = ww_integer(problem.rows);
  const ww_value d = ww_integer(problem.d);
  const ww_value dtype = ww_text(ww_gated_activation_dtype_name(problem.dtype));
  const ww_value threads = ww_integer(configuration.threads);
  const ww_value threads_per_sm = ww_integer(configuration.threads_per_sm);
  const ww_value unroll = ww_integer(configuration.unroll);
  const ww_value vector_bytes = ww_integer(configuration.vector_bytes);
  const ww_value device_max_threads = ww_integer(limits.max_threads);
  const ww_value device_sm_count = ww_integer(limits.sm_count);
  /* a block is made of whole warps */
  if (!ww_holds(ww_equal(ww_remainder(threads, ww_integer(32)), ww_integer(0)))) return 0;
  /* an access holds at least one element */
  if (!ww_holds(ww_greater_equal(vector_bytes, ww_bytes_of(dtype)))) return 0;
  /* blocks of THREADS must add up to THREADS_PER_SM */
  if (!ww_holds(ww_equal(ww_remainder(threads_per_sm, threads), ww_integer(0)))) return 0;
  /* g is an array */
  if (!ww_holds(ww_greater_equal(ww_multiply(ww_multiply(ww_bytes_of(dtype), rows), d), ww_integer(0)))) return 0;
  /* the argument elements is an i64 */
  if (!ww_holds(ww_less_equal(ww_multiply(rows, d), ww_integer(9223372036854775807LL)))) return 0;
  /* a grid has 1 to 2^31 - 1 blocks in x */
  if (!ww_holds(ww_and(ww_greater_equal(ww_smaller(ww_ceil_div(ww_multiply(rows, d), ww_multiply(ww_multiply(threads, unroll), ww_divide(vector_bytes, ww_bytes_of(dtype)))), ww_multiply(device_sm_count, ww_divide(threads_per_sm, threads))), ww_integer(1)), ww_less_equal(ww_smaller(ww_ceil_div(ww_multiply(rows, d), ww_multiply(ww_multiply(threads, unroll), ww_divide(vector_bytes, ww_bytes_of(dtype)))), ww_multiply(device_sm_count, ww_divide(threads_per_sm, threads))), ww_integer(2147483647))))) return 0;
  /* a block has threads */
  if (!ww_holds(ww_greater_equal(threads, ww_integer(1)))) return 0;
  /* the device launches no more */
  if (!ww_holds(ww_less_equal(threads, device_max_threads))) return 0;
  return 1;
}

/* Every constraint of the contract and of the variant holds for this problem on a device with
   these limits, and its launches are within CUDA's. */
WW_FN int ww_gated_activation_allowed(ww_gated_activation_configuration configuration, ww_gated_activation_problem problem,
    ww_limits limits) {
  switch (configuration.variant) {
    case WW_GATED_ACTIVATION_VARIANT_SCALAR:
      return ww_gated_activation_allowed_scalar(configuration, problem, limits);
    case WW_GATED_ACTIVATION_VARIANT_FLAT:
      return ww_gated_activation_allowed_flat(configuration, problem, limits);
    case WW_GATED_ACTIVATION_VARIANT_PERSISTENT:
      return ww_gated_activation_allowed_persistent(configuration, problem, limits);
  }
  return 0;
}

/* How much what counts in a choice. */
#define WW_GATED_ACTIVATION_WORK_SCALE 2.0
#define WW_GATED_ACTIVATION_NEARBY 2.0
#define WW_GATED_ACTIVATION_OTHER_CHOICE 2.0
#define WW_GATED_ACTIVATION_PRIOR_FRACTION 0.5
#define WW_GATED_ACTIVATION_PRIOR_WEIGHT 0.2
#define WW_GATED_ACTIVATION_SCORE_TIE 1e-09

WW_FN ww_limits ww_gated_activation_limits_of(ww_device device) {
  const int capability = ww_capability_of(device.arch);
  ww_limits limits = device.limits;
  if (capability > 0) limits.compute_capability = capability;
  for (int i = 0; i < WW_GATED_ACTIVATION_DEVICE_COUNT; ++i) {
    if (ww_same_device(ww_gated_activation_devices[i], device)) limits = ww_fill_limits(limits, ww_gated_activation_devices[i].limits);
  }
  return ww_fill_limits(limits, ww_least_limits(capability));
}

WW_FN double ww_gated_activation_squared_distance(ww_gated_activation_problem tuned, ww_gated_activation_problem problem) {
  const ww_gated_activation_place a = ww_gated_activation_place_of(tuned);
  const ww_gated_activation_place b = ww_gated_activation_place_of(problem);
  double sum = WW_GATED_ACTIVATION_OTHER_CHOICE * WW_GATED_ACTIVATION_OTHER_CHOICE * ww_gated_activation_other_choices(tuned, problem);
  for (int i = 0; i < WW_GATED_ACTIVATION_AXIS_COUNT; ++i) sum += (a.axes[i] - b.axes[i]) * (a.axes[i] - b.axes[i]);
  if (a.counted && b.counted)
    sum += WW_GATED_ACTIVATION_WORK_SCALE * (a.work - b.work) * (WW_GATED_ACTIVATION_WORK_SCALE * (a.work - b.work));
  return sum;
}
WW_FN double ww_gated_activation_board_weight(double squared) {
  const double closeness = 1 / (WW_GATED_ACTIVATION_NEARBY * WW_GATED_ACTIVATION_NEARBY + squared);
  return closeness * closeness;
}
/* What boards say of a configuration, in fractions of the best; below 0: nothing. */
WW_FN double ww_gated_activation_board_score(const short *thousandths, const double *weights, double total) {
  double sum = WW_GATED_ACTIVATION_PRIOR_WEIGHT * WW_GATED_ACTIVATION_PRIOR_FRACTION;
  double known = WW_GATED_ACTIVATION_PRIOR_WEIGHT;
  for (int i = 0; i < WW_GATED_ACTIVATION_BOARD_COUNT; ++i) {
    if (!(weights[i] > 0) || thousandths[i] < 0) continue;
    sum += weights[i] / total * thousandths[i] / 1000;
    known += weights[i] / total;
  }
  return known > WW_GATED_ACTIVATION_PRIOR_WEIGHT ? sum / known : -1;
}

/* The vote of tuned problems: on this device or on others of its architecture, with the same listed
   values or with others. */
WW_FN ww_selection ww_gated_activation_vote(ww_device device, ww_limits limits, ww_gated_activation_problem problem, int same_device,
                         int same_choices) {
  double weights[WW_GATED_ACTIVATION_BOARD_COUNT] = WW_ZERO;
  double total = 0;
  double least = 0;
  ww_selection chosen = ww_no_selection();
  ww_match match = WW_MATCH_NEAREST_OTHER_CHOICE;
  if (same_choices) match = same_device ? WW_MATCH_NEAREST_SAME_DEVICE : WW_MATCH_NEAREST_SAME_ARCH;
  for (int i = 0; i < WW_GATED_ACTIVATION_BOARD_COUNT; ++i) {
    const ww_device tuned = ww_gated_activation_devices[ww_gated_activation_boards[i].device];
    if (!ww_same_arch(tuned.arch, device.arch)) continue;
    if (ww_same_device(tuned, device) != same_device) continue;
    if ((ww_gated_activation_other_choices(ww_gated_activation_boards[i].problem, problem) == 0) != same_choices) continue;
    const double squared = ww_gated_activation_squared_distance(ww_gated_activation_boards[i].problem, problem);
    const int equal = ww_gated_activation_same_sizes(ww_gated_activation_boards[i].problem, problem);
    if (chosen.nearest < 0 || squared < least || equal) {
      chosen.nearest = i;
      chosen.distance = ww_root(squared);
      least = equal ? -1 : squared;
    }
    weights[i] = ww_gated_activation_board_weight(squared);
    total += weights[i];
  }
  if (chosen.nearest < 0) return chosen;
  chosen.limits = limits;
  const int winner = ww_gated_activation_boards[chosen.nearest].winner;
  if (least < 0 && ww_gated_activation_allowed(ww_gated_activation_configurations[winner], problem, limits)) {
    chosen.match = same_device ? WW_MATCH_EXACT : WW_MATCH_NEAREST_SAME_ARCH;
    chosen.configuration = winner;
    chosen.score = 1;
    return chosen;
  }
  for (int i = 0; i < WW_GATED_ACTIVATION_CANDIDATE_COUNT; ++i) {
    const double score = ww_gated_activation_board_score(ww_gated_activation_fractions[i], weights, total);
    if (!(score > chosen.score + WW_GATED_ACTIVATION_SCORE_TIE)) continue;
    if (!ww_gated_activation_allowed(ww_gated_activation_configurations[i], problem, limits)) continue;
    chosen.match = match;
    chosen.configuration = i;
    chosen.score = score;
  }
  return chosen;
}

/* The defaults of the variant that does best on the tuned problems near this one, wherever they
   were tuned. */
WW_FN ww_selection ww_gated_activation_contract_default(ww_limits limits, ww_gated_activation_problem problem) {
  double weights[WW_GATED_ACTIVATION_BOARD_COUNT] = WW_ZERO;
  double total = 0;
  double best = 0;
  ww_selection chosen = ww_no_selection();
  for (int i = 0; i < WW_GATED_ACTIVATION_BOARD_COUNT; ++i) {
    weights[i] = ww_gated_activation_board_weight(ww_gated_activation_squared_distance(ww_gated_activation_boards[i].problem, problem));
    total += weights[i];
  }
  for (int i = WW_GATED_ACTIVATION_CANDIDATE_COUNT; i < WW_GATED_ACTIVATION_CONFIGURATION_COUNT; ++i) {
    double merit = ww_gated_activation_board_score(ww_gated_activation_merits[i - WW_GATED_ACTIVATION_CANDIDATE_COUNT], weights, total);
    if (merit < 0) merit = 0;
    if (chosen.configuration >= 0 && !(merit > best + WW_GATED_ACTIVATION_SCORE_TIE)) continue;
    if (!ww_gated_activation_allowed(ww_gated_activation_configurations[i], problem, limits)) continue;
    chosen.match = WW_MATCH_DEFAULT;
    chosen.configuration = i;
    chosen.limits = limits;
    best = merit;
  }
  return chosen;
}

/* The configuration for a problem on a device. A device is tuned when its name and its architecture
   are. */
WW_FN ww_selection ww_gated_activation_select(ww_device device, ww_gated_activation_problem problem) {
  if (!ww_gated_activation_valid(problem)) return ww_no_selection();
  const ww_limits limits = ww_gated_activation_limits_of(device);
  ww_selection chosen = ww_gated_activation_vote(device, limits, problem, 1, 1);
  if (chosen.configuration < 0) chosen = ww_gated_activation_vote(device, limits, problem, 0, 1);
  if (chosen.configuration < 0) chosen = ww_gated_activation_vote(device, limits, problem, 1, 0);
  if (chosen.configuration < 0) chosen = ww_gated_activation_vote(device, limits, problem, 0, 0);
  if (chosen.configuration < 0) chosen = ww_gated_activation_contract_default(limits, problem);
  return chosen;
}

enum {
  WW_GATED_ACTIVATION_OPTION_LENGTH = 46
};
typedef struct ww_gated_activation_options {
  int count WW_INIT(0);
  char option[10][WW_GATED_ACTIVATION_OPTION_LENGTH] WW_INIT({});
} ww_gated_activation_options;
WW_FN void ww_gated_activation_put(ww_gated_activation_options *out, int *at, const char *text) {
  for (; *text != '\0' && *at < WW_GATED_ACTIVATION_OPTION_LENGTH - 1; ++text) out->option[out->count][(*at)++] = *text;
  out->option[out->count][*at] = '\0';
}
WW_FN void ww_gated_activation_put_integer(ww_gated_activation_options *out, int *at, long long v) {
  char digits[24] = WW_ZERO;
  int first = 23;
  const int negative = v < 0;
  do {
    const int digit = (int)(v % 10);
    digits[--first] = (char)('0' + (digit < 0 ? -digit : digit));
    v /= 10;
  } while (v != 0);
  if (negative) digits[--first] = '-';
  ww_gated_activation_put(out, at, digits + first);
}
/* In hexadecimal, which is exact. */
WW_FN void ww_gated_activation_put_real(ww_gated_activation_options *out, int *at, double v) {
  int exponent = 0;
  char digit[2] = WW_ZERO;
  if (v < 0) ww_gated_activation_put(out, at, "-");
  if (v < 0) v = -v;
  for (; v >= 2; v /= 2) ++exponent;
  for (; v > 0 && v < 1; v *= 2) --exponent;
  ww_gated_activation_put(out, at, v > 0 ? "0x1." : "0x0.");
  v -= v > 0 ? 1 : 0;
  for (int i = 0; i < 13; ++i) {
    const int hex = (int)(v *= 16);
    digit[0] = "0123456789abcdef"[hex];
    ww_gated_activation_put(out, at, digit);
    v -= hex;
  }
  ww_gated_activation_put(out, at, "p");
  ww_gated_activation_put_integer(out, at, exponent);
}
WW_FN void ww_gated_activation_put_define(ww_gated_activation_options *out, const char *macro, ww_value v) {
  int at = 0;
  ww_gated_activation_put(out, &at, "-D");
  ww_gated_activation_put(out, &at, macro);
  ww_gated_activation_put(out, &at, "=");
  if (v.kind == WW_INTEGER) ww_gated_activation_put_integer(out, &at, v.integer);
  if (v.kind == WW_REAL) ww_gated_activation_put_real(out, &at, v.real);
  if (v.kind == WW_TEXT) ww_gated_activation_put(out, &at, v.text);
  ++out->count;
}

/* What NVRTC or nvcc is given to compile the configuration's source for the problem beside the
   architecture and folders of headers, one option an entry. */
WW_FN ww_gated_activation_options ww_gated_activation_compile_options(ww_selection chosen, ww_gated_activation_problem problem) {
  ww_gated_activation_options out = WW_ZERO;
  int at = 0;
  if (chosen.configuration < 0 || chosen.configuration >= WW_GATED_ACTIVATION_CONFIGURATION_COUNT) return out;
  const ww_gated_activation_configuration configuration = ww_gated_activation_configurations[chosen.configuration];
  ww_gated_activation_put(&out, &at, "--std=c++20");
  ++out.count;
  switch (configuration.variant) {
    case WW_GATED_ACTIVATION_VARIANT_SCALAR:
      ww_gated_activation_put_define(&out, "THREADS", ww_integer(configuration.threads));
      break;
    case WW_GATED_ACTIVATION_VARIANT_FLAT:
      ww_gated_activation_put_define(&out, "THREADS", ww_integer(configuration.threads));
      ww_gated_activation_put_define(&out, "THREADS_PER_SM", ww_integer(configuration.threads_per_sm));
      ww_gated_activation_put_define(&out, "UNROLL", ww_integer(configuration.unroll));
      ww_gated_activation_put_define(&out, "VECTOR_BYTES", ww_integer(configuration.vector_bytes));
      ww_gated_activation_put_define(&out, "LOAD_HINT", ww_text(ww_gated_activation_load_hint_name(configuration.load_hint)));
      ww_gated_activation_put_define(&out, "STORE_HINT", ww_text(ww_gated_activation_store_hint_name(configuration.store_hint)));
      break;
    case WW_GATED_ACTIVATION_VARIANT_PERSISTENT:
      ww_gated_activation_put_define(&out, "THREADS", ww_integer(configuration.threads));
      ww_gated_activation_put_define(&out, "THREADS_PER_SM", ww_integer(configuration.threads_per_sm));
      ww_gated_activation_put_define(&out, "UNROLL", ww_integer(configuration.unroll));
      ww_gated_activation_put_define(&out, "PREFETCH", ww_integer(configuration.prefetch));
      ww_gated_activation_put_define(&out, "VECTOR_BYTES", ww_integer(configuration.vector_bytes));
      ww_gated_activation_put_define(&out, "LOAD_HINT", ww_text(ww_gated_activation_load_hint_name(configuration.load_hint)));
      ww_gated_activation_put_define(&out, "STORE_HINT", ww_text(ww_gated_activation_store_hint_name(configuration.store_hint)));
      break;
  }
  ww_gated_activation_put_define(&out, "ACTIVATION", ww_text(ww_gated_activation_activation_name(problem.activation)));
  ww_gated_activation_put_define(&out, "DTYPE", ww_text(ww_gated_activation_dtype_name(problem.dtype)));
  return out;
}

WW_FN ww_launch_plan ww_gated_activation_launch_scalar(ww_gated_activation_configuration configuration, ww_gated_activation_problem problem,
    ww_limits limits, int index) {
  const ww_value rows = ww_integer(problem.rows);
  const ww_value d = ww_integer(problem.d);
  const ww_value threads = ww_integer(configuration.threads);
  (void)limits;
  ww_launch_plan out = ww_no_launch();
  switch (index) {
    case 0:
      out.ok = 1;
      out.entry = "gated_activation";
      ww_put_number(&out.ok, &out.grid[0], ww_ceil_div(ww_multiply(rows, d), threads));
      ww_put_number(&out.ok, &out.block[0], threads);
      ww_put_argument(&out, "g", WW_TENSOR, 0, ww_dtype_of(ww_gated_activation_dtype_name(problem.dtype)));
      ww_put_argument(&out, "u", WW_TENSOR, 1, ww_dtype_of(ww_gated_activation_dtype_name(problem.dtype)));
      ww_put_argument(&out, "out", WW_TENSOR, 2, ww_dtype_of(ww_gated_activation_dtype_name(problem.dtype)));
      ww_put_scalar(&out, "elements", WW_I64, ww_multiply(rows, d));
      break;
    default:
      break;
  }
  return out;
}

WW_FN ww_launch_plan ww_gated_activation_launch_flat(ww_gated_activation_configuration configuration, ww_gated_activation_problem problem,
    ww_limits limits, int index) {
  const ww_value rows = ww_integer(problem.rows);
  const ww_value d = ww_integer(problem.d);
  const ww_value dtype = ww_text(ww_gated_activation_dtype_name(problem.dtype));
  const ww_value threads = ww_integer(configuration.threads);
  const ww_value unroll = ww_integer(configuration.unroll);
  const ww_value vector_bytes = ww_integer(configuration.vector_bytes);
  (void)limits;
  ww_launch_plan out = ww_no_launch();
  switch (index) {
    case 0:
      out.ok = 1;
      out.entry = "gated_activation";
      ww_put_number(&out.ok, &out.grid[0], ww_ceil_div(ww_multiply(rows, d), ww_multiply(ww_multiply(threads, unroll), ww_divide(vector_bytes, ww_bytes_of(dtype)))));
      ww_put_number(&out.ok, &out.block[0], threads);
      ww_put_argument(&out, "g", WW_TENSOR, 0, ww_dtype_of(ww_gated_activation_dtype_name(problem.dtype)));
      ww_put_argument(&out, "u", WW_TENSOR, 1, ww_dtype_of(ww_gated_activation_dtype_name(problem.dtype)));
      ww_put_argument(&out, "out", WW_TENSOR, 2, ww_dtype_of(ww_gated_activation_dtype_name(problem.dtype)));
      ww_put_scalar(&out, "elements", WW_I64, ww_multiply(rows, d));
      break;
    default:
      break;
  }
  return out;
}

WW_FN ww_launch_plan ww_gated_activation_launch_persistent(ww_gated_activation_configuration configuration, ww_gated_activation_problem problem,
    ww_limits limits, int index) {
  const ww_value rows = ww_integer(problem.rows);
  const ww_value d = ww_integer(problem.d);
  const ww_value dtype = ww_text(ww_gated_activation_dtype_name(problem.dtype));
  const ww_value threads = ww_integer(configuration.threads);
  const ww_value threads_per_sm = ww_integer(configuration.threads_per_sm);
  const ww_value unroll = ww_integer(configuration.unroll);
  const ww_value vector_bytes = ww_integer(configuration.vector_bytes);
  const ww_value device_sm_count = ww_integer(limits.sm_count);
  ww_launch_plan out = ww_no_launch();
  switch (index) {
    case 0:
      out.ok = 1;
      out.entry = "gated_activation";
      ww_put_number(&out.ok, &out.grid[0], ww_smaller(ww_ceil_div(ww_multiply(rows, d), ww_multiply(ww_multiply(threads, unroll), ww_divide(vector_bytes, ww_bytes_of(dtype)))), ww_multiply(device_sm_count, ww_divide(threads_per_sm, threads))));
      ww_put_number(&out.ok, &out.block[0], threads);
      ww_put_argument(&out, "g", WW_TENSOR, 0, ww_dtype_of(ww_gated_activation_dtype_name(problem.dtype)));
      ww_put_argument(&out, "u", WW_TENSOR, 1, ww_dtype_of(ww_gated_activation_dtype_name(problem.dtype)));
      ww_put_argument(&out, "out", WW_TENSOR, 2, ww_dtype_of(ww_gated_activation_dtype_name(problem.dtype)));
      ww_put_scalar(&out, "elements", WW_I64, ww_multiply(rows, d));
      break;
    default:
      break;
  }
  return out;
}

/* Launch `index` of the configuration's launch_count, in stream order. The entries, with their
   arguments in order and what scalars are computed from: */
/* scalar: gated_activation(const dtype *g, const dtype *u, dtype *out, i64 elements = rows * d) */
/* flat: gated_activation(const dtype *g, const dtype *u, dtype *out, i64 elements = rows * d) */
/* persistent: gated_activation(const dtype *g, const dtype *u, dtype *out, i64 elements = rows *
   d) */
WW_FN ww_launch_plan ww_gated_activation_launch(ww_selection chosen, ww_gated_activation_problem problem, int index) {
  if (chosen.configuration < 0 || chosen.configuration >= WW_GATED_ACTIVATION_CONFIGURATION_COUNT) return ww_no_launch();
  const ww_gated_activation_configuration configuration = ww_gated_activation_configurations[chosen.configuration];
  switch (configuration.variant) {
    case WW_GATED_ACTIVATION_VARIANT_SCALAR:
      return ww_gated_activation_launch_scalar(configuration, problem, chosen.limits, index);
    case WW_GATED_ACTIVATION_VARIANT_FLAT:
      return ww_gated_activation_launch_flat(configuration, problem, chosen.limits, index);
    case WW_GATED_ACTIVATION_VARIANT_PERSISTENT:
      return ww_gated_activation_launch_persistent(configuration, problem, chosen.limits, index);
  }
  return ww_no_launch();
}

enum {
  WW_GATED_ACTIVATION_TENSOR_G = 0,
  WW_GATED_ACTIVATION_TENSOR_U = 1,
  WW_GATED_ACTIVATION_TENSOR_OUT = 2,
  WW_GATED_ACTIVATION_TENSOR_COUNT = 3
};

/* Tensor `index` of WW_..._TENSOR_COUNT. Workspaces belong to the launches of one stream; a
   `used` of 0 needs none. */
WW_FN ww_tensor ww_gated_activation_tensor(ww_selection chosen, ww_gated_activation_problem problem, int index) {
  ww_tensor out = WW_ZERO;
  if (chosen.configuration < 0 || chosen.configuration >= WW_GATED_ACTIVATION_CONFIGURATION_COUNT) return out;
  const ww_gated_activation_configuration configuration = ww_gated_activation_configurations[chosen.configuration];
  const ww_limits limits = chosen.limits;
  const ww_value rows = ww_integer(problem.rows);
  const ww_value d = ww_integer(problem.d);
  (void)configuration;
  (void)limits;
  switch (index) {
    case WW_GATED_ACTIVATION_TENSOR_G:
      ww_put_tensor(&out, "g", WW_IN, 1, ww_dtype_of(ww_gated_activation_dtype_name(problem.dtype)));
      ww_put_axis(&out, rows);
      ww_put_axis(&out, d);
      break;
    case WW_GATED_ACTIVATION_TENSOR_U:
      ww_put_tensor(&out, "u", WW_IN, 1, ww_dtype_of(ww_gated_activation_dtype_name(problem.dtype)));
      ww_put_axis(&out, rows);
      ww_put_axis(&out, d);
      break;
    case WW_GATED_ACTIVATION_TENSOR_OUT:
      ww_put_tensor(&out, "out", WW_OUT, 1, ww_dtype_of(ww_gated_activation_dtype_name(problem.dtype)));
      ww_put_axis(&out, rows);
      ww_put_axis(&out, d);
      break;
    default:
      break;
  }
  return out;
}

#endif
/* sha256 of what is above: 1e449f5e10e9f214f996ee5081de5013f37170598a5004d2f5ff79be7088e2b6 */
