/* clang-format off */
/* gated_activation: Gated activation, out = act(g) * u element by element, act being SiLU
   (SwiGLU) or the tanh form of GELU (GeGLU) */
/* Tuned configurations, written by `warpwright export`. Do not edit: export again. (warpwright
   0.1.0) */
/* NVIDIA H200 (sm_90a): 10 problems, 1960 configurations tried; times are measured. */
/* Left out one at a time, 6 of 10 tuned problems get a configuration within 10 % of their best
   from the others. */
/*
     const ww_gated_activation_problem problem = {1, 4096, WW_GATED_ACTIVATION_ACTIVATION_GELU_TANH, WW_GATED_ACTIVATION_DTYPE_BF16};
     const ww_gated_activation_device device = {"NVIDIA H200", "sm_90a", {0}};
     const ww_gated_activation_selection chosen = ww_gated_activation_select(device, problem);
   chosen.configuration->source, compiled with ww_gated_activation_defines(*chosen.configuration, problem), is
   launched as ww_gated_activation_launch(*chosen.configuration, problem, chosen.limits, 0) says.
   C99, no other header. */
#ifndef WW_GATED_ACTIVATION_H_INCLUDED
#define WW_GATED_ACTIVATION_H_INCLUDED

typedef enum {
  WW_GATED_ACTIVATION_ACTIVATION_SILU,
  WW_GATED_ACTIVATION_ACTIVATION_GELU_TANH
} ww_gated_activation_activation;
static inline const char *ww_gated_activation_activation_name(ww_gated_activation_activation v) {
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
static inline const char *ww_gated_activation_dtype_name(ww_gated_activation_dtype v) {
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
static inline const char *ww_gated_activation_load_hint_name(ww_gated_activation_load_hint v) {
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
static inline const char *ww_gated_activation_store_hint_name(ww_gated_activation_store_hint v) {
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
static inline const char *ww_gated_activation_variant_name(ww_gated_activation_variant v) {
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

typedef struct {
  long long rows;  /* tokens; at least 1 */
  long long d;  /* width of the hidden layer; at least 1 */
  ww_gated_activation_activation activation;  /* of the gate: silu is SwiGLU, gelu_tanh is GeGLU */
  ww_gated_activation_dtype dtype;
} ww_gated_activation_problem;

/* Limits of a device that constraints and launches depend on; 0 is taken from the tuned device
   that is consulted. */
typedef struct {
  long long max_shared;
  long long sm_count;
} ww_gated_activation_limits;

typedef struct {
  const char *name;  /* as the driver gives it: "NVIDIA H200" */
  const char *arch;  /* "sm_90a" */
  ww_gated_activation_limits limits;
} ww_gated_activation_device;

/* What of a launch does not depend on the problem. */
typedef struct {
  const char *entry;
  long long block[3];  /* 0: see launch() */
  long long cluster[3];  /* likewise */
  long long shared_bytes;  /* dynamic; -1: see launch() */
} ww_gated_activation_launch_facts;

/* Of all launches the largest, as compiled when it was tuned; -1: not known. */
typedef struct {
  int registers;  /* per thread */
  int shared_bytes;  /* per block, static and dynamic */
  int spill_bytes;  /* per thread */
} ww_gated_activation_resources;

/* Parameters that the variant does not have hold the contract's defaults. */
typedef struct {
  ww_gated_activation_variant variant;
  long long threads;  /* THREADS: threads per block */
  /* THREADS_PER_SM: threads that must fit on an SM at once; each gets 65536 / THREADS_PER_SM
     registers */
  long long threads_per_sm;
  long long unroll;  /* UNROLL: accesses per operand that a thread has in flight */
  long long prefetch;  /* PREFETCH: 1 loads the next tile before computing the current one */
  long long vector_bytes;  /* VECTOR_BYTES: bytes per access of a thread */
  ww_gated_activation_load_hint load_hint;  /* LOAD_HINT: streaming keeps the inputs out of L1 */
  /* STORE_HINT: streaming lets L2 evict the result first */
  ww_gated_activation_store_hint store_hint;
  const char *source;  /* file name */
  int launch_count;
  ww_gated_activation_launch_facts launches[1];
  ww_gated_activation_resources resources;
  const char *text;  /* as `warpwright show` prints it */
} ww_gated_activation_configuration;

/* A tuned problem: what won, and how that is known. */
typedef struct {
  int device;  /* in devices */
  ww_gated_activation_problem problem;
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
} ww_gated_activation_board;

typedef enum {
  WW_GATED_ACTIVATION_MATCH_NONE,
  WW_GATED_ACTIVATION_MATCH_EXACT,
  WW_GATED_ACTIVATION_MATCH_NEAREST_SAME_DEVICE,
  WW_GATED_ACTIVATION_MATCH_NEAREST_SAME_ARCH,
  WW_GATED_ACTIVATION_MATCH_DEFAULT
} ww_gated_activation_match;
typedef struct {
  ww_gated_activation_match match;
  const ww_gated_activation_configuration *configuration;  /* null when nothing matches */
  const ww_gated_activation_board *nearest;  /* the nearest tuned problem, if one was asked */
  double distance;  /* to it; 1 is a factor of two in one size */
  double score;  /* expected best time / time; 0 of a default */
  ww_gated_activation_limits limits;  /* for launch() */
} ww_gated_activation_selection;

#define WW_GATED_ACTIVATION_DEVICE_COUNT 1
#define WW_GATED_ACTIVATION_BOARD_COUNT 10
#define WW_GATED_ACTIVATION_CANDIDATE_COUNT 10
#define WW_GATED_ACTIVATION_CONFIGURATION_COUNT 13

static const ww_gated_activation_device ww_gated_activation_devices[WW_GATED_ACTIVATION_DEVICE_COUNT] = {
    {"NVIDIA H200", "sm_90a", {/*max_shared*/ 232448, /*sm_count*/ 132}},
};

/* The portfolio; after it the contract's defaults of every variant. */
static const ww_gated_activation_configuration ww_gated_activation_configurations[WW_GATED_ACTIVATION_CONFIGURATION_COUNT] = {
    /* 0: scalar THREADS=64; wins 1 problem */
    {WW_GATED_ACTIVATION_VARIANT_SCALAR, /*threads*/ 64, /*threads_per_sm*/ 1024, /*unroll*/ 2,
     /*prefetch*/ 1, /*vector_bytes*/ 16, /*load_hint*/ WW_GATED_ACTIVATION_LOAD_HINT_NONE,
     /*store_hint*/ WW_GATED_ACTIVATION_STORE_HINT_NONE,
     "scalar.cu", 1,
     {{"gated_activation", {64, 1, 1}, {1, 1, 1}, 0}},
     {12, 0, 0}, "scalar THREADS=64"},
    /* 1: flat LOAD_HINT=none STORE_HINT=none THREADS=256 THREADS_PER_SM=1024 UNROLL=1
       VECTOR_BYTES=16; wins 2 problems */
    {WW_GATED_ACTIVATION_VARIANT_FLAT, /*threads*/ 256, /*threads_per_sm*/ 1024, /*unroll*/ 1,
     /*prefetch*/ 1, /*vector_bytes*/ 16, /*load_hint*/ WW_GATED_ACTIVATION_LOAD_HINT_NONE,
     /*store_hint*/ WW_GATED_ACTIVATION_STORE_HINT_NONE,
     "flat.cu", 1,
     {{"gated_activation", {256, 1, 1}, {1, 1, 1}, 0}},
     {34, 0, 0}, "flat LOAD_HINT=none STORE_HINT=none THREADS=256 THREADS_PER_SM=1024 UNROLL=1 VECTOR_BYTES=16"},
    /* 2: flat LOAD_HINT=none STORE_HINT=none THREADS=256 THREADS_PER_SM=2048 UNROLL=1
       VECTOR_BYTES=8; wins 1 problem */
    {WW_GATED_ACTIVATION_VARIANT_FLAT, /*threads*/ 256, /*threads_per_sm*/ 2048, /*unroll*/ 1,
     /*prefetch*/ 1, /*vector_bytes*/ 8, /*load_hint*/ WW_GATED_ACTIVATION_LOAD_HINT_NONE,
     /*store_hint*/ WW_GATED_ACTIVATION_STORE_HINT_NONE,
     "flat.cu", 1,
     {{"gated_activation", {256, 1, 1}, {1, 1, 1}, 0}},
     {27, 0, 0}, "flat LOAD_HINT=none STORE_HINT=none THREADS=256 THREADS_PER_SM=2048 UNROLL=1 VECTOR_BYTES=8"},
    /* 3: flat LOAD_HINT=none STORE_HINT=none THREADS=512 THREADS_PER_SM=1024 UNROLL=1
       VECTOR_BYTES=8; wins 1 problem */
    {WW_GATED_ACTIVATION_VARIANT_FLAT, /*threads*/ 512, /*threads_per_sm*/ 1024, /*unroll*/ 1,
     /*prefetch*/ 1, /*vector_bytes*/ 8, /*load_hint*/ WW_GATED_ACTIVATION_LOAD_HINT_NONE,
     /*store_hint*/ WW_GATED_ACTIVATION_STORE_HINT_NONE,
     "flat.cu", 1,
     {{"gated_activation", {512, 1, 1}, {1, 1, 1}, 0}},
     {27, 0, 0}, "flat LOAD_HINT=none STORE_HINT=none THREADS=512 THREADS_PER_SM=1024 UNROLL=1 VECTOR_BYTES=8"},
    /* 4: flat LOAD_HINT=none STORE_HINT=streaming THREADS=512 THREADS_PER_SM=1024 UNROLL=4
       VECTOR_BYTES=16; wins 1 problem */
    {WW_GATED_ACTIVATION_VARIANT_FLAT, /*threads*/ 512, /*threads_per_sm*/ 1024, /*unroll*/ 4,
     /*prefetch*/ 1, /*vector_bytes*/ 16, /*load_hint*/ WW_GATED_ACTIVATION_LOAD_HINT_NONE,
     /*store_hint*/ WW_GATED_ACTIVATION_STORE_HINT_STREAMING,
     "flat.cu", 1,
     {{"gated_activation", {512, 1, 1}, {1, 1, 1}, 0}},
     {64, 0, 0}, "flat LOAD_HINT=none STORE_HINT=streaming THREADS=512 THREADS_PER_SM=1024 UNROLL=4 VECTOR_BYTES=16"},
    /* 5: flat LOAD_HINT=none STORE_HINT=streaming THREADS=512 THREADS_PER_SM=2048 UNROLL=1
       VECTOR_BYTES=16 */
    {WW_GATED_ACTIVATION_VARIANT_FLAT, /*threads*/ 512, /*threads_per_sm*/ 2048, /*unroll*/ 1,
     /*prefetch*/ 1, /*vector_bytes*/ 16, /*load_hint*/ WW_GATED_ACTIVATION_LOAD_HINT_NONE,
     /*store_hint*/ WW_GATED_ACTIVATION_STORE_HINT_STREAMING,
     "flat.cu", 1,
     {{"gated_activation", {512, 1, 1}, {1, 1, 1}, 0}},
     {32, 0, 0}, "flat LOAD_HINT=none STORE_HINT=streaming THREADS=512 THREADS_PER_SM=2048 UNROLL=1 VECTOR_BYTES=16"},
    /* 6: flat LOAD_HINT=none STORE_HINT=none THREADS=1024 THREADS_PER_SM=1024 UNROLL=1
       VECTOR_BYTES=16; wins 1 problem */
    {WW_GATED_ACTIVATION_VARIANT_FLAT, /*threads*/ 1024, /*threads_per_sm*/ 1024, /*unroll*/ 1,
     /*prefetch*/ 1, /*vector_bytes*/ 16, /*load_hint*/ WW_GATED_ACTIVATION_LOAD_HINT_NONE,
     /*store_hint*/ WW_GATED_ACTIVATION_STORE_HINT_NONE,
     "flat.cu", 1,
     {{"gated_activation", {1024, 1, 1}, {1, 1, 1}, 0}},
     {34, 0, 0}, "flat LOAD_HINT=none STORE_HINT=none THREADS=1024 THREADS_PER_SM=1024 UNROLL=1 VECTOR_BYTES=16"},
    /* 7: flat LOAD_HINT=none STORE_HINT=none THREADS=1024 THREADS_PER_SM=2048 UNROLL=1
       VECTOR_BYTES=16; wins 1 problem */
    {WW_GATED_ACTIVATION_VARIANT_FLAT, /*threads*/ 1024, /*threads_per_sm*/ 2048, /*unroll*/ 1,
     /*prefetch*/ 1, /*vector_bytes*/ 16, /*load_hint*/ WW_GATED_ACTIVATION_LOAD_HINT_NONE,
     /*store_hint*/ WW_GATED_ACTIVATION_STORE_HINT_NONE,
     "flat.cu", 1,
     {{"gated_activation", {1024, 1, 1}, {1, 1, 1}, 0}},
     {32, 0, 0}, "flat LOAD_HINT=none STORE_HINT=none THREADS=1024 THREADS_PER_SM=2048 UNROLL=1 VECTOR_BYTES=16"},
    /* 8: flat LOAD_HINT=none STORE_HINT=streaming THREADS=1024 THREADS_PER_SM=2048 UNROLL=2
       VECTOR_BYTES=16; wins 1 problem */
    {WW_GATED_ACTIVATION_VARIANT_FLAT, /*threads*/ 1024, /*threads_per_sm*/ 2048, /*unroll*/ 2,
     /*prefetch*/ 1, /*vector_bytes*/ 16, /*load_hint*/ WW_GATED_ACTIVATION_LOAD_HINT_NONE,
     /*store_hint*/ WW_GATED_ACTIVATION_STORE_HINT_STREAMING,
     "flat.cu", 1,
     {{"gated_activation", {1024, 1, 1}, {1, 1, 1}, 0}},
     {32, 0, 0}, "flat LOAD_HINT=none STORE_HINT=streaming THREADS=1024 THREADS_PER_SM=2048 UNROLL=2 VECTOR_BYTES=16"},
    /* 9: persistent LOAD_HINT=none PREFETCH=1 STORE_HINT=none THREADS=256 THREADS_PER_SM=1024
       UNROLL=1 VECTOR_BYTES=8; wins 1 problem */
    {WW_GATED_ACTIVATION_VARIANT_PERSISTENT, /*threads*/ 256, /*threads_per_sm*/ 1024, /*unroll*/ 1,
     /*prefetch*/ 1, /*vector_bytes*/ 8, /*load_hint*/ WW_GATED_ACTIVATION_LOAD_HINT_NONE,
     /*store_hint*/ WW_GATED_ACTIVATION_STORE_HINT_NONE,
     "persistent.cu", 1,
     {{"gated_activation", {256, 1, 1}, {1, 1, 1}, 0}},
     {30, 0, 0}, "persistent LOAD_HINT=none PREFETCH=1 STORE_HINT=none THREADS=256 THREADS_PER_SM=1024 UNROLL=1 VECTOR_BYTES=8"},
    /* 10: flat LOAD_HINT=none STORE_HINT=none THREADS=256 THREADS_PER_SM=1024 UNROLL=2
       VECTOR_BYTES=16, the defaults */
    {WW_GATED_ACTIVATION_VARIANT_FLAT, /*threads*/ 256, /*threads_per_sm*/ 1024, /*unroll*/ 2,
     /*prefetch*/ 1, /*vector_bytes*/ 16, /*load_hint*/ WW_GATED_ACTIVATION_LOAD_HINT_NONE,
     /*store_hint*/ WW_GATED_ACTIVATION_STORE_HINT_NONE,
     "flat.cu", 1,
     {{"gated_activation", {256, 1, 1}, {1, 1, 1}, 0}},
     {-1, -1, -1}, "flat LOAD_HINT=none STORE_HINT=none THREADS=256 THREADS_PER_SM=1024 UNROLL=2 VECTOR_BYTES=16"},
    /* 11: persistent LOAD_HINT=none PREFETCH=1 STORE_HINT=none THREADS=256 THREADS_PER_SM=1024
       UNROLL=2 VECTOR_BYTES=16, the defaults */
    {WW_GATED_ACTIVATION_VARIANT_PERSISTENT, /*threads*/ 256, /*threads_per_sm*/ 1024, /*unroll*/ 2,
     /*prefetch*/ 1, /*vector_bytes*/ 16, /*load_hint*/ WW_GATED_ACTIVATION_LOAD_HINT_NONE,
     /*store_hint*/ WW_GATED_ACTIVATION_STORE_HINT_NONE,
     "persistent.cu", 1,
     {{"gated_activation", {256, 1, 1}, {1, 1, 1}, 0}},
     {-1, -1, -1}, "persistent LOAD_HINT=none PREFETCH=1 STORE_HINT=none THREADS=256 THREADS_PER_SM=1024 UNROLL=2 VECTOR_BYTES=16"},
    /* 12: scalar THREADS=256, the defaults */
    {WW_GATED_ACTIVATION_VARIANT_SCALAR, /*threads*/ 256, /*threads_per_sm*/ 1024, /*unroll*/ 2,
     /*prefetch*/ 1, /*vector_bytes*/ 16, /*load_hint*/ WW_GATED_ACTIVATION_LOAD_HINT_NONE,
     /*store_hint*/ WW_GATED_ACTIVATION_STORE_HINT_NONE,
     "scalar.cu", 1,
     {{"gated_activation", {256, 1, 1}, {1, 1, 1}, 0}},
     {-1, -1, -1}, "scalar THREADS=256"},
};

static const ww_gated_activation_board ww_gated_activation_boards[WW_GATED_ACTIVATION_BOARD_COUNT] = {
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
static const short ww_gated_activation_fractions[WW_GATED_ACTIVATION_CANDIDATE_COUNT][WW_GATED_ACTIVATION_BOARD_COUNT] = {
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

static const double ww_gated_activation_work_scale = 2.0;
static const double ww_gated_activation_nearby = 2.0;
static const double ww_gated_activation_prior_fraction = 0.5;
static const double ww_gated_activation_prior_weight = 0.2;
static const double ww_gated_activation_score_tie = 1e-09;
#define WW_GATED_ACTIVATION_AXIS_COUNT 2

/* Without <math.h>, so that nothing has to be linked. */
static inline double ww_gated_activation_log2(double v) {
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
static inline double ww_gated_activation_root(double v) {
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
static inline double ww_gated_activation_size_scale(double v) { return v < 0 ? -ww_gated_activation_log2(1 - v) : ww_gated_activation_log2(1 + v); }

/* A value of the contract's expressions: a 64-bit integer (booleans are 0 and 1), a real, or a text.
   What cannot be evaluated (overflow, division by zero, a wrong type) is a fault, and so is
   everything made of it. */
enum ww_gated_activation_kind { WW_GATED_ACTIVATION_FAULT, WW_GATED_ACTIVATION_INTEGER, WW_GATED_ACTIVATION_REAL, WW_GATED_ACTIVATION_TEXT };
typedef struct {
  enum ww_gated_activation_kind kind;
  long long integer;
  double real;
  const char *text;
} ww_gated_activation_value;
static const long long ww_gated_activation_largest = 9223372036854775807LL;
static const long long ww_gated_activation_lowest = -9223372036854775807LL - 1;
static inline ww_gated_activation_value ww_gated_activation_fault(void) {
  const ww_gated_activation_value v = {WW_GATED_ACTIVATION_FAULT, 0, 0, 0};
  return v;
}
static inline ww_gated_activation_value ww_gated_activation_integer(long long integer) {
  const ww_gated_activation_value v = {WW_GATED_ACTIVATION_INTEGER, integer, 0, 0};
  return v;
}
static inline ww_gated_activation_value ww_gated_activation_real(double real) {
  const ww_gated_activation_value v = {WW_GATED_ACTIVATION_REAL, 0, real, 0};
  return real - real == 0 ? v : ww_gated_activation_fault();
}
static inline ww_gated_activation_value ww_gated_activation_text(const char *text) {
  const ww_gated_activation_value v = {WW_GATED_ACTIVATION_TEXT, 0, 0, text};
  return text != 0 ? v : ww_gated_activation_fault();
}
static inline int ww_gated_activation_number(ww_gated_activation_value v) { return v.kind == WW_GATED_ACTIVATION_INTEGER || v.kind == WW_GATED_ACTIVATION_REAL; }
static inline int ww_gated_activation_integers(ww_gated_activation_value a, ww_gated_activation_value b) { return a.kind == WW_GATED_ACTIVATION_INTEGER && b.kind == WW_GATED_ACTIVATION_INTEGER; }
static inline int ww_gated_activation_numbers(ww_gated_activation_value a, ww_gated_activation_value b) { return ww_gated_activation_number(a) && ww_gated_activation_number(b); }
static inline double ww_gated_activation_as_real(ww_gated_activation_value v) { return v.kind == WW_GATED_ACTIVATION_REAL ? v.real : (double)v.integer; }
static inline int ww_gated_activation_holds(ww_gated_activation_value v) {
  return v.kind == WW_GATED_ACTIVATION_REAL ? v.real != 0 : v.kind == WW_GATED_ACTIVATION_INTEGER && v.integer != 0;
}
static inline int ww_gated_activation_same_text(const char *a, const char *b) {
  if (a == 0 || b == 0) return 0;
  while (*a != '\0' && *a == *b) {
    ++a;
    ++b;
  }
  return *a == *b;
}
static inline ww_gated_activation_value ww_gated_activation_multiply(ww_gated_activation_value a, ww_gated_activation_value b) {
  const long long x = a.integer;
  const long long y = b.integer;
  if (!ww_gated_activation_numbers(a, b)) return ww_gated_activation_fault();
  if (!ww_gated_activation_integers(a, b)) return ww_gated_activation_real(ww_gated_activation_as_real(a) * ww_gated_activation_as_real(b));
  if (x == 0 || y == 0) return ww_gated_activation_integer(0);
  if (x > 0 ? (y > 0 ? x > ww_gated_activation_largest / y : y < ww_gated_activation_lowest / x)
            : (y > 0 ? x < ww_gated_activation_lowest / y : y < ww_gated_activation_largest / x))
    return ww_gated_activation_fault();
  return ww_gated_activation_integer(x * y);
}
static inline ww_gated_activation_value ww_gated_activation_divide(ww_gated_activation_value a, ww_gated_activation_value b) {
  if (!ww_gated_activation_numbers(a, b) || ww_gated_activation_as_real(b) == 0) return ww_gated_activation_fault();
  if (!ww_gated_activation_integers(a, b)) return ww_gated_activation_real(ww_gated_activation_as_real(a) / ww_gated_activation_as_real(b));
  if (b.integer == -1) return a.integer == ww_gated_activation_lowest ? ww_gated_activation_fault() : ww_gated_activation_integer(-a.integer);
  return ww_gated_activation_integer(a.integer / b.integer);
}
static inline ww_gated_activation_value ww_gated_activation_remainder(ww_gated_activation_value a, ww_gated_activation_value b) {
  if (!ww_gated_activation_integers(a, b) || b.integer == 0) return ww_gated_activation_fault();
  return ww_gated_activation_integer(b.integer == -1 ? 0 : a.integer % b.integer);
}
static inline ww_gated_activation_value ww_gated_activation_ceil_div(ww_gated_activation_value a, ww_gated_activation_value b) {
  if (!ww_gated_activation_integers(a, b) || b.integer <= 0) return ww_gated_activation_fault();
  return ww_gated_activation_integer(a.integer / b.integer + (a.integer % b.integer > 0 ? 1 : 0));
}
static inline ww_gated_activation_value ww_gated_activation_not(ww_gated_activation_value v) {
  return ww_gated_activation_number(v) ? ww_gated_activation_integer(!ww_gated_activation_holds(v)) : ww_gated_activation_fault();
}
static inline ww_gated_activation_value ww_gated_activation_less(ww_gated_activation_value a, ww_gated_activation_value b) {
  if (!ww_gated_activation_numbers(a, b)) return ww_gated_activation_fault();
  return ww_gated_activation_integer(ww_gated_activation_integers(a, b) ? a.integer < b.integer : ww_gated_activation_as_real(a) < ww_gated_activation_as_real(b));
}
static inline ww_gated_activation_value ww_gated_activation_greater_equal(ww_gated_activation_value a, ww_gated_activation_value b) { return ww_gated_activation_not(ww_gated_activation_less(a, b)); }
static inline ww_gated_activation_value ww_gated_activation_equal(ww_gated_activation_value a, ww_gated_activation_value b) {
  if (a.kind == WW_GATED_ACTIVATION_TEXT && b.kind == WW_GATED_ACTIVATION_TEXT) return ww_gated_activation_integer(ww_gated_activation_same_text(a.text, b.text));
  if (!ww_gated_activation_numbers(a, b)) return ww_gated_activation_fault();
  return ww_gated_activation_integer(ww_gated_activation_integers(a, b) ? a.integer == b.integer : ww_gated_activation_as_real(a) == ww_gated_activation_as_real(b));
}
static inline ww_gated_activation_value ww_gated_activation_smaller(ww_gated_activation_value a, ww_gated_activation_value b) {
  if (!ww_gated_activation_numbers(a, b)) return ww_gated_activation_fault();
  if (ww_gated_activation_integers(a, b)) return b.integer < a.integer ? b : a;
  return ww_gated_activation_real(ww_gated_activation_as_real(b) < ww_gated_activation_as_real(a) ? ww_gated_activation_as_real(b) : ww_gated_activation_as_real(a));
}
static inline ww_gated_activation_value ww_gated_activation_bytes_of(ww_gated_activation_value v) {
  static const char *const names[] = {"f64", "i64", "u64", "f32", "i32", "u32", "f16", "bf16",
                                      "i16", "u16", "i8",  "u8",  "e4m3", "e5m2", "bool"};
  static const int bytes[] = {8, 8, 8, 4, 4, 4, 2, 2, 2, 2, 1, 1, 1, 1, 1};
  int i;
  if (v.kind != WW_GATED_ACTIVATION_TEXT) return ww_gated_activation_fault();
  for (i = 0; i < 15; ++i) {
    if (ww_gated_activation_same_text(v.text, names[i])) return ww_gated_activation_integer(bytes[i]);
  }
  return ww_gated_activation_fault();
}

static inline int ww_gated_activation_same_category(ww_gated_activation_problem a, ww_gated_activation_problem b) {
  return a.activation == b.activation &&
         a.dtype == b.dtype;
}
static inline int ww_gated_activation_same_sizes(ww_gated_activation_problem a, ww_gated_activation_problem b) {
  return a.rows == b.rows &&
         a.d == b.d &&
         a.activation == b.activation &&
         a.dtype == b.dtype;
}

/* Where a problem lies: distances are Euclidean in log2(1 + size) and in twice the log2 of the
   contract's traffic. */
typedef struct {
  double axes[2];
  int counted;
  double work;
} ww_gated_activation_place;
static inline ww_gated_activation_place ww_gated_activation_place_of(ww_gated_activation_problem problem) {
  const ww_gated_activation_value rows = ww_gated_activation_integer(problem.rows);
  const ww_gated_activation_value d = ww_gated_activation_integer(problem.d);
  const ww_gated_activation_value dtype = ww_gated_activation_text(ww_gated_activation_dtype_name(problem.dtype));
  /* Bytes that the contract counts. */
  const ww_gated_activation_value work = ww_gated_activation_multiply(ww_gated_activation_multiply(ww_gated_activation_multiply(ww_gated_activation_integer(3), rows), d), ww_gated_activation_bytes_of(dtype));
  ww_gated_activation_place place;
  place.axes[0] = ww_gated_activation_size_scale((double)problem.rows);
  place.axes[1] = ww_gated_activation_size_scale((double)problem.d);
  place.counted = ww_gated_activation_number(work);
  place.work = place.counted ? ww_gated_activation_size_scale(ww_gated_activation_as_real(work)) : 0;
  return place;
}

static inline ww_gated_activation_limits ww_gated_activation_complete(ww_gated_activation_limits given, ww_gated_activation_limits tuned) {
  if (given.max_shared == 0) given.max_shared = tuned.max_shared;
  if (given.sm_count == 0) given.sm_count = tuned.sm_count;
  return given;
}

static inline int ww_gated_activation_allowed_scalar(ww_gated_activation_configuration configuration, ww_gated_activation_problem problem,
    ww_gated_activation_limits limits) {
  const ww_gated_activation_value threads = ww_gated_activation_integer(configuration.threads);
  (void)problem;
  (void)limits;
  /* a block is made of whole warps */
  if (!ww_gated_activation_holds(ww_gated_activation_equal(ww_gated_activation_remainder(threads, ww_gated_activation_integer(32)), ww_gated_activation_integer(0)))) return 0;
  return 1;
}

static inline int ww_gated_activation_allowed_flat(ww_gated_activation_configuration configuration, ww_gated_activation_problem problem,
    ww_gated_activation_limits limits) {
  const ww_gated_activation_value dtype = ww_gated_activation_text(ww_gated_activation_dtype_name(problem.dtype));
  const ww_gated_activation_value threads = ww_gated_activation_integer(configuration.threads);
  const ww_gated_activation_value threads_per_sm = ww_gated_activation_integer(configuration.threads_per_sm);
  const ww_gated_activation_value vector_bytes = ww_gated_activation_integer(configuration.vector_bytes);
  (void)limits;
  /* a block is made of whole warps */
  if (!ww_gated_activation_holds(ww_gated_activation_equal(ww_gated_activation_remainder(threads, ww_gated_activation_integer(32)), ww_gated_activation_integer(0)))) return 0;
  /* an access holds at least one element */
  if (!ww_gated_activation_holds(ww_gated_activation_greater_equal(vector_bytes, ww_gated_activation_bytes_of(dtype)))) return 0;
  /* blocks of THREADS must add up to THREADS_PER_SM */
  if (!ww_gated_activation_holds(ww_gated_activation_equal(ww_gated_activation_remainder(threads_per_sm, threads), ww_gated_activation_integer(0)))) return 0;
  return 1;
}

static inline int ww_gated_activation_allowed_persistent(ww_gated_activation_configuration configuration, ww_gated_activation_problem problem,
    ww_gated_activation_limits limits) {
  const ww_gated_activation_value dtype = ww_gated_activation_text(ww_gated_activation_dtype_name(problem.dtype));
  const ww_gated_activation_value threads = ww_gated_activation_integer(configuration.threads);
  const ww_gated_activation_value threads_per_sm = ww_gated_activation_integer(configuration.threads_per_sm);
  const ww_gated_activation_value vector_bytes = ww_gated_activation_integer(configuration.vector_bytes);
  (void)limits;
  /* a block is made of whole warps */
  if (!ww_gated_activation_holds(ww_gated_activation_equal(ww_gated_activation_remainder(threads, ww_gated_activation_integer(32)), ww_gated_activation_integer(0)))) return 0;
  /* an access holds at least one element */
  if (!ww_gated_activation_holds(ww_gated_activation_greater_equal(vector_bytes, ww_gated_activation_bytes_of(dtype)))) return 0;
  /* blocks of THREADS must add up to THREADS_PER_SM */
  if (!ww_gated_activation_holds(ww_gated_activation_equal(ww_gated_activation_remainder(threads_per_sm, threads), ww_gated_activation_integer(0)))) return 0;
  return 1;
}

/* The contract's types and limits of every size. */
static inline int ww_gated_activation_valid(ww_gated_activation_problem problem) {
  if (problem.rows < 1) return 0;
  if (problem.d < 1) return 0;
  if (ww_gated_activation_activation_name(problem.activation) == 0) return 0;
  if (ww_gated_activation_dtype_name(problem.dtype) == 0) return 0;
  return 1;
}

/* Every constraint of the contract and of the variant holds for this problem on a device with
   these limits. */
static inline int ww_gated_activation_allowed(ww_gated_activation_configuration configuration, ww_gated_activation_problem problem,
    ww_gated_activation_limits limits) {
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


/* "sm_90" and "sm_90a" are one architecture here. */
static inline int ww_gated_activation_arch_length(const char *arch) {
  int length = 0;
  while (arch[length] != '\0') ++length;
  while (length > 0 && arch[length - 1] >= 'a' && arch[length - 1] <= 'z') --length;
  return length;
}
static inline int ww_gated_activation_same_arch(const char *a, const char *b) {
  int length;
  int i;
  if (a == 0 || b == 0) return 0;
  length = ww_gated_activation_arch_length(a);
  if (ww_gated_activation_arch_length(b) != length) return 0;
  for (i = 0; i < length; ++i) {
    if (a[i] != b[i]) return 0;
  }
  return 1;
}

static inline double ww_gated_activation_squared_distance(ww_gated_activation_place a, ww_gated_activation_place b) {
  double sum = 0;
  int i;
  for (i = 0; i < WW_GATED_ACTIVATION_AXIS_COUNT; ++i) sum += (a.axes[i] - b.axes[i]) * (a.axes[i] - b.axes[i]);
  if (a.counted && b.counted)
    sum += ww_gated_activation_work_scale * (a.work - b.work) * (ww_gated_activation_work_scale * (a.work - b.work));
  return sum;
}

static inline ww_gated_activation_selection ww_gated_activation_no_selection(void) {
  ww_gated_activation_selection result;
  result.match = WW_GATED_ACTIVATION_MATCH_NONE;
  result.configuration = 0;
  result.nearest = 0;
  result.distance = 0;
  result.score = 0;
  result.limits = ww_gated_activation_devices[0].limits;
  return result;
}

/* The vote of the tuned problems on this device, or on others of its architecture. */
static inline ww_gated_activation_selection ww_gated_activation_vote(ww_gated_activation_device device, ww_gated_activation_problem problem, int same_device) {
  const ww_gated_activation_place asked = ww_gated_activation_place_of(problem);
  double weights[WW_GATED_ACTIVATION_BOARD_COUNT];
  double total = 0;
  double least = 0;
  int i;
  const ww_gated_activation_configuration *winner;
  ww_gated_activation_selection result = ww_gated_activation_no_selection();
  for (i = 0; i < WW_GATED_ACTIVATION_BOARD_COUNT; ++i) {
    const ww_gated_activation_board *board = &ww_gated_activation_boards[i];
    const ww_gated_activation_device *tuned = &ww_gated_activation_devices[board->device];
    const int same = ww_gated_activation_same_text(tuned->name, device.name);
    double squared;
    double closeness;
    int equal;
    weights[i] = 0;
    if (same != same_device || (!same && !ww_gated_activation_same_arch(tuned->arch, device.arch))) continue;
    if (!ww_gated_activation_same_category(board->problem, problem)) continue;
    squared = ww_gated_activation_squared_distance(ww_gated_activation_place_of(board->problem), asked);
    equal = ww_gated_activation_same_sizes(board->problem, problem);
    if (result.nearest == 0 || squared < least || equal) {
      result.nearest = board;
      result.distance = ww_gated_activation_root(squared);
      least = equal ? -1 : squared;
    }
    closeness = 1 / (ww_gated_activation_nearby * ww_gated_activation_nearby + squared);
    weights[i] = closeness * closeness;
    total += weights[i];
  }
  if (result.nearest == 0) return ww_gated_activation_no_selection();
  result.limits = ww_gated_activation_complete(device.limits, ww_gated_activation_devices[result.nearest->device].limits);
  winner = &ww_gated_activation_configurations[result.nearest->winner];
  if (least < 0 && ww_gated_activation_allowed(*winner, problem, result.limits)) {
    result.match = same_device ? WW_GATED_ACTIVATION_MATCH_EXACT : WW_GATED_ACTIVATION_MATCH_NEAREST_SAME_ARCH;
    result.configuration = winner;
    result.score = 1;
    return result;
  }
  for (i = 0; i < WW_GATED_ACTIVATION_CANDIDATE_COUNT; ++i) {
    double sum = ww_gated_activation_prior_weight * ww_gated_activation_prior_fraction;
    double known = ww_gated_activation_prior_weight;
    int board;
    for (board = 0; board < WW_GATED_ACTIVATION_BOARD_COUNT; ++board) {
      if (!(weights[board] > 0) || ww_gated_activation_fractions[i][board] < 0) continue;
      sum += weights[board] / total * ww_gated_activation_fractions[i][board] / 1000;
      known += weights[board] / total;
    }
    if (!(known > ww_gated_activation_prior_weight) || !(sum / known > result.score + ww_gated_activation_score_tie)) continue;
    if (!ww_gated_activation_allowed(ww_gated_activation_configurations[i], problem, result.limits)) continue;
    result.match = same_device ? WW_GATED_ACTIVATION_MATCH_NEAREST_SAME_DEVICE : WW_GATED_ACTIVATION_MATCH_NEAREST_SAME_ARCH;
    result.configuration = &ww_gated_activation_configurations[i];
    result.score = sum / known;
  }
  return result;
}

static inline ww_gated_activation_selection ww_gated_activation_contract_default(ww_gated_activation_device device, ww_gated_activation_problem problem) {
  ww_gated_activation_selection result = ww_gated_activation_no_selection();
  int i;
  result.limits = ww_gated_activation_complete(device.limits, ww_gated_activation_devices[0].limits);
  for (i = WW_GATED_ACTIVATION_CANDIDATE_COUNT; i < WW_GATED_ACTIVATION_CONFIGURATION_COUNT; ++i) {
    if (!ww_gated_activation_allowed(ww_gated_activation_configurations[i], problem, result.limits)) continue;
    result.match = WW_GATED_ACTIVATION_MATCH_DEFAULT;
    result.configuration = &ww_gated_activation_configurations[i];
    break;
  }
  return result;
}

static inline ww_gated_activation_selection ww_gated_activation_select(ww_gated_activation_device device, ww_gated_activation_problem problem) {
  ww_gated_activation_selection result = ww_gated_activation_no_selection();
  if (!ww_gated_activation_valid(problem)) return result;
  result = ww_gated_activation_vote(device, problem, 1);
  if (result.configuration == 0) result = ww_gated_activation_vote(device, problem, 0);
  if (result.configuration == 0) result = ww_gated_activation_contract_default(device, problem);
  return result;
}

#define WW_GATED_ACTIVATION_DEFINE_LENGTH 46
typedef struct {
  int count;
  char option[9][WW_GATED_ACTIVATION_DEFINE_LENGTH];
} ww_gated_activation_options;

typedef struct {
  int ok;  /* 0 or false: no such launch, or its extents cannot be computed */
  const char *entry;
  long long grid[3];
  long long block[3];
  long long cluster[3];
  long long shared_bytes;  /* dynamic */
} ww_gated_activation_launch_plan;

static inline void ww_gated_activation_put(ww_gated_activation_options *out, int *at, const char *text) {
  for (; *text != '\0' && *at < WW_GATED_ACTIVATION_DEFINE_LENGTH - 1; ++text) out->option[out->count][(*at)++] = *text;
  out->option[out->count][*at] = '\0';
}
static inline void ww_gated_activation_put_integer(ww_gated_activation_options *out, int *at, long long v) {
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
  ww_gated_activation_put(out, at, digits + first);
}
/* In hexadecimal, which is exact. */
static inline void ww_gated_activation_put_real(ww_gated_activation_options *out, int *at, double v) {
  int exponent = 0;
  int i;
  char digit[2];
  if (v < 0) ww_gated_activation_put(out, at, "-");
  if (v < 0) v = -v;
  for (; v >= 2; v /= 2) ++exponent;
  for (; v > 0 && v < 1; v *= 2) --exponent;
  ww_gated_activation_put(out, at, v > 0 ? "0x1." : "0x0.");
  v -= v > 0 ? 1 : 0;
  digit[1] = '\0';
  for (i = 0; i < 13; ++i) {
    const int hex = (int)(v *= 16);
    digit[0] = "0123456789abcdef"[hex];
    ww_gated_activation_put(out, at, digit);
    v -= hex;
  }
  ww_gated_activation_put(out, at, "p");
  ww_gated_activation_put_integer(out, at, exponent);
}
static inline void ww_gated_activation_put_define(ww_gated_activation_options *out, const char *macro, ww_gated_activation_value v) {
  int at = 0;
  ww_gated_activation_put(out, &at, "-D");
  ww_gated_activation_put(out, &at, macro);
  ww_gated_activation_put(out, &at, "=");
  if (v.kind == WW_GATED_ACTIVATION_INTEGER) ww_gated_activation_put_integer(out, &at, v.integer);
  if (v.kind == WW_GATED_ACTIVATION_REAL) ww_gated_activation_put_real(out, &at, v.real);
  if (v.kind == WW_GATED_ACTIVATION_TEXT) ww_gated_activation_put(out, &at, v.text);
  ++out->count;
}
static inline void ww_gated_activation_set_extent(ww_gated_activation_launch_plan *out, long long *extent, ww_gated_activation_value v) {
  if (v.kind == WW_GATED_ACTIVATION_INTEGER) *extent = v.integer;
  if (v.kind != WW_GATED_ACTIVATION_INTEGER) out->ok = 0;
}

/* What NVRTC or nvcc is given to compile the configuration's source for the problem, one option
   an entry. */
static inline ww_gated_activation_options ww_gated_activation_defines(ww_gated_activation_configuration configuration, ww_gated_activation_problem problem) {
  ww_gated_activation_options out;
  out.count = 0;
  switch (configuration.variant) {
    case WW_GATED_ACTIVATION_VARIANT_SCALAR:
      ww_gated_activation_put_define(&out, "THREADS", ww_gated_activation_integer(configuration.threads));
      break;
    case WW_GATED_ACTIVATION_VARIANT_FLAT:
      ww_gated_activation_put_define(&out, "THREADS", ww_gated_activation_integer(configuration.threads));
      ww_gated_activation_put_define(&out, "THREADS_PER_SM", ww_gated_activation_integer(configuration.threads_per_sm));
      ww_gated_activation_put_define(&out, "UNROLL", ww_gated_activation_integer(configuration.unroll));
      ww_gated_activation_put_define(&out, "VECTOR_BYTES", ww_gated_activation_integer(configuration.vector_bytes));
      ww_gated_activation_put_define(&out, "LOAD_HINT", ww_gated_activation_text(ww_gated_activation_load_hint_name(configuration.load_hint)));
      ww_gated_activation_put_define(&out, "STORE_HINT", ww_gated_activation_text(ww_gated_activation_store_hint_name(configuration.store_hint)));
      break;
    case WW_GATED_ACTIVATION_VARIANT_PERSISTENT:
      ww_gated_activation_put_define(&out, "THREADS", ww_gated_activation_integer(configuration.threads));
      ww_gated_activation_put_define(&out, "THREADS_PER_SM", ww_gated_activation_integer(configuration.threads_per_sm));
      ww_gated_activation_put_define(&out, "UNROLL", ww_gated_activation_integer(configuration.unroll));
      ww_gated_activation_put_define(&out, "PREFETCH", ww_gated_activation_integer(configuration.prefetch));
      ww_gated_activation_put_define(&out, "VECTOR_BYTES", ww_gated_activation_integer(configuration.vector_bytes));
      ww_gated_activation_put_define(&out, "LOAD_HINT", ww_gated_activation_text(ww_gated_activation_load_hint_name(configuration.load_hint)));
      ww_gated_activation_put_define(&out, "STORE_HINT", ww_gated_activation_text(ww_gated_activation_store_hint_name(configuration.store_hint)));
      break;
  }
  ww_gated_activation_put_define(&out, "ACTIVATION", ww_gated_activation_text(ww_gated_activation_activation_name(problem.activation)));
  ww_gated_activation_put_define(&out, "DTYPE", ww_gated_activation_text(ww_gated_activation_dtype_name(problem.dtype)));
  return out;
}

static inline ww_gated_activation_launch_plan ww_gated_activation_no_launch(void) {
  ww_gated_activation_launch_plan out;
  int i;
  out.ok = 0;
  out.entry = 0;
  out.shared_bytes = 0;
  for (i = 0; i < 3; ++i) out.grid[i] = out.block[i] = out.cluster[i] = 1;
  return out;
}

static inline ww_gated_activation_launch_plan ww_gated_activation_launch_scalar(ww_gated_activation_configuration configuration, ww_gated_activation_problem problem,
    ww_gated_activation_limits limits, int index) {
  const ww_gated_activation_value rows = ww_gated_activation_integer(problem.rows);
  const ww_gated_activation_value d = ww_gated_activation_integer(problem.d);
  const ww_gated_activation_value threads = ww_gated_activation_integer(configuration.threads);
  (void)limits;
  ww_gated_activation_launch_plan out = ww_gated_activation_no_launch();
  switch (index) {
    case 0:
      out.ok = 1;
      out.entry = "gated_activation";
      ww_gated_activation_set_extent(&out, &out.grid[0], ww_gated_activation_ceil_div(ww_gated_activation_multiply(rows, d), threads));
      ww_gated_activation_set_extent(&out, &out.block[0], threads);
      break;
    default:
      break;
  }
  return out;
}

static inline ww_gated_activation_launch_plan ww_gated_activation_launch_flat(ww_gated_activation_configuration configuration, ww_gated_activation_problem problem,
    ww_gated_activation_limits limits, int index) {
  const ww_gated_activation_value rows = ww_gated_activation_integer(problem.rows);
  const ww_gated_activation_value d = ww_gated_activation_integer(problem.d);
  const ww_gated_activation_value dtype = ww_gated_activation_text(ww_gated_activation_dtype_name(problem.dtype));
  const ww_gated_activation_value threads = ww_gated_activation_integer(configuration.threads);
  const ww_gated_activation_value unroll = ww_gated_activation_integer(configuration.unroll);
  const ww_gated_activation_value vector_bytes = ww_gated_activation_integer(configuration.vector_bytes);
  (void)limits;
  ww_gated_activation_launch_plan out = ww_gated_activation_no_launch();
  switch (index) {
    case 0:
      out.ok = 1;
      out.entry = "gated_activation";
      ww_gated_activation_set_extent(&out, &out.grid[0], ww_gated_activation_ceil_div(ww_gated_activation_multiply(rows, d), ww_gated_activation_multiply(ww_gated_activation_multiply(threads, unroll), ww_gated_activation_divide(vector_bytes, ww_gated_activation_bytes_of(dtype)))));
      ww_gated_activation_set_extent(&out, &out.block[0], threads);
      break;
    default:
      break;
  }
  return out;
}

static inline ww_gated_activation_launch_plan ww_gated_activation_launch_persistent(ww_gated_activation_configuration configuration, ww_gated_activation_problem problem,
    ww_gated_activation_limits limits, int index) {
  const ww_gated_activation_value rows = ww_gated_activation_integer(problem.rows);
  const ww_gated_activation_value d = ww_gated_activation_integer(problem.d);
  const ww_gated_activation_value dtype = ww_gated_activation_text(ww_gated_activation_dtype_name(problem.dtype));
  const ww_gated_activation_value threads = ww_gated_activation_integer(configuration.threads);
  const ww_gated_activation_value threads_per_sm = ww_gated_activation_integer(configuration.threads_per_sm);
  const ww_gated_activation_value unroll = ww_gated_activation_integer(configuration.unroll);
  const ww_gated_activation_value vector_bytes = ww_gated_activation_integer(configuration.vector_bytes);
  const ww_gated_activation_value device_sm_count = ww_gated_activation_integer(limits.sm_count);
  ww_gated_activation_launch_plan out = ww_gated_activation_no_launch();
  switch (index) {
    case 0:
      out.ok = 1;
      out.entry = "gated_activation";
      ww_gated_activation_set_extent(&out, &out.grid[0], ww_gated_activation_smaller(ww_gated_activation_ceil_div(ww_gated_activation_multiply(rows, d), ww_gated_activation_multiply(ww_gated_activation_multiply(threads, unroll), ww_gated_activation_divide(vector_bytes, ww_gated_activation_bytes_of(dtype)))), ww_gated_activation_multiply(device_sm_count, ww_gated_activation_divide(threads_per_sm, threads))));
      ww_gated_activation_set_extent(&out, &out.block[0], threads);
      break;
    default:
      break;
  }
  return out;
}

/* Launch `index` of configuration.launch_count, in stream order. Give it the limits of the
   selection. */
static inline ww_gated_activation_launch_plan ww_gated_activation_launch(ww_gated_activation_configuration configuration, ww_gated_activation_problem problem,
    ww_gated_activation_limits limits, int index) {
  switch (configuration.variant) {
    case WW_GATED_ACTIVATION_VARIANT_SCALAR:
      return ww_gated_activation_launch_scalar(configuration, problem, limits, index);
    case WW_GATED_ACTIVATION_VARIANT_FLAT:
      return ww_gated_activation_launch_flat(configuration, problem, limits, index);
    case WW_GATED_ACTIVATION_VARIANT_PERSISTENT:
      return ww_gated_activation_launch_persistent(configuration, problem, limits, index);
  }
  return ww_gated_activation_no_launch();
}

#endif
