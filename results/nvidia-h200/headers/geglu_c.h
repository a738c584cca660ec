/* clang-format off */
/* geglu: GELU (tanh form) gate, out = 0.5 g (1 + tanh(sqrt(2/pi) (g + 0.044715 g^3))) * u,
   element by element */
/* Tuned configurations, written by `warpwright export`. Do not edit: export again. (warpwright
   0.1.0) */
/* NVIDIA H200 (sm_90a): 5 problems, 980 configurations tried; times are measured. */
/* Left out one at a time, 3 of 5 tuned problems get a configuration within 10 % of their best
   from the others. */
/*
     const ww_geglu_problem problem = {1, 4096, WW_GEGLU_DTYPE_BF16};
     const ww_geglu_device device = {"NVIDIA H200", "sm_90a", {0}};
     const ww_geglu_selection chosen = ww_geglu_select(device, problem);
   chosen.configuration->source, compiled with ww_geglu_defines(*chosen.configuration, problem), is
   launched as ww_geglu_launch(*chosen.configuration, problem, chosen.limits, 0) says.
   C99, no other header. */
#ifndef WW_GEGLU_H_INCLUDED
#define WW_GEGLU_H_INCLUDED

typedef enum { WW_GEGLU_DTYPE_F32, WW_GEGLU_DTYPE_BF16, WW_GEGLU_DTYPE_F16 } ww_geglu_dtype;
static inline const char *ww_geglu_dtype_name(ww_geglu_dtype v) {
  switch (v) {
    case WW_GEGLU_DTYPE_F32:
      return "f32";
    case WW_GEGLU_DTYPE_BF16:
      return "bf16";
    case WW_GEGLU_DTYPE_F16:
      return "f16";
  }
  return 0;
}

typedef enum { WW_GEGLU_LOAD_HINT_NONE, WW_GEGLU_LOAD_HINT_STREAMING } ww_geglu_load_hint;
static inline const char *ww_geglu_load_hint_name(ww_geglu_load_hint v) {
  switch (v) {
    case WW_GEGLU_LOAD_HINT_NONE:
      return "none";
    case WW_GEGLU_LOAD_HINT_STREAMING:
      return "streaming";
  }
  return 0;
}

typedef enum { WW_GEGLU_STORE_HINT_NONE, WW_GEGLU_STORE_HINT_STREAMING } ww_geglu_store_hint;
static inline const char *ww_geglu_store_hint_name(ww_geglu_store_hint v) {
  switch (v) {
    case WW_GEGLU_STORE_HINT_NONE:
      return "none";
    case WW_GEGLU_STORE_HINT_STREAMING:
      return "streaming";
  }
  return 0;
}

typedef enum {
  WW_GEGLU_VARIANT_SCALAR,
  WW_GEGLU_VARIANT_FLAT,
  WW_GEGLU_VARIANT_PERSISTENT
} ww_geglu_variant;
static inline const char *ww_geglu_variant_name(ww_geglu_variant v) {
  switch (v) {
    case WW_GEGLU_VARIANT_SCALAR:
      return "scalar";
    case WW_GEGLU_VARIANT_FLAT:
      return "flat";
    case WW_GEGLU_VARIANT_PERSISTENT:
      return "persistent";
  }
  return 0;
}

typedef struct {
  long long rows;  /* tokens; at least 1 */
  long long d;  /* width of the hidden layer; at least 1 */
  ww_geglu_dtype dtype;
} ww_geglu_problem;

/* Limits of a device that constraints and launches depend on; 0 is taken from the tuned device
   that is consulted. */
typedef struct {
  long long max_shared;
  long long sm_count;
} ww_geglu_limits;

typedef struct {
  const char *name;  /* as the driver gives it: "NVIDIA H200" */
  const char *arch;  /* "sm_90a" */
  ww_geglu_limits limits;
} ww_geglu_device;

/* What of a launch does not depend on the problem. */
typedef struct {
  const char *entry;
  long long block[3];  /* 0: see launch() */
  long long cluster[3];  /* likewise */
  long long shared_bytes;  /* dynamic; -1: see launch() */
} ww_geglu_launch_facts;

/* Of all launches the largest, as compiled when it was tuned; -1: not known. */
typedef struct {
  int registers;  /* per thread */
  int shared_bytes;  /* per block, static and dynamic */
  int spill_bytes;  /* per thread */
} ww_geglu_resources;

/* Parameters that the variant does not have hold the contract's defaults. */
typedef struct {
  ww_geglu_variant variant;
  long long threads;  /* THREADS: threads per block */
  /* THREADS_PER_SM: threads that must fit on an SM at once; each gets 65536 / THREADS_PER_SM
     registers */
  long long threads_per_sm;
  long long unroll;  /* UNROLL: accesses per operand that a thread has in flight */
  long long prefetch;  /* PREFETCH: 1 loads the next tile before computing the current one */
  long long vector_bytes;  /* VECTOR_BYTES: bytes per access of a thread */
  ww_geglu_load_hint load_hint;  /* LOAD_HINT: streaming keeps the inputs out of L1 */
  ww_geglu_store_hint store_hint;  /* STORE_HINT: streaming lets L2 evict the result first */
  const char *source;  /* file name */
  int launch_count;
  ww_geglu_launch_facts launches[1];
  ww_geglu_resources resources;
  const char *text;  /* as `warpwright show` prints it */
} ww_geglu_configuration;

/* A tuned problem: what won, and how that is known. */
typedef struct {
  int device;  /* in devices */
  ww_geglu_problem problem;
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
} ww_geglu_board;

typedef enum {
  WW_GEGLU_MATCH_NONE,
  WW_GEGLU_MATCH_EXACT,
  WW_GEGLU_MATCH_NEAREST_SAME_DEVICE,
  WW_GEGLU_MATCH_NEAREST_SAME_ARCH,
  WW_GEGLU_MATCH_DEFAULT
} ww_geglu_match;
typedef struct {
  ww_geglu_match match;
  const ww_geglu_configuration *configuration;  /* null when nothing matches */
  const ww_geglu_board *nearest;  /* the nearest tuned problem, if one was asked */
  double distance;  /* to it; 1 is a factor of two in one size */
  double score;  /* expected best time / time; 0 of a default */
  ww_geglu_limits limits;  /* for launch() */
} ww_geglu_selection;

#define WW_GEGLU_DEVICE_COUNT 1
#define WW_GEGLU_BOARD_COUNT 5
#define WW_GEGLU_CANDIDATE_COUNT 6
#define WW_GEGLU_CONFIGURATION_COUNT 9

static const ww_geglu_device ww_geglu_devices[WW_GEGLU_DEVICE_COUNT] = {
    {"NVIDIA H200", "sm_90a", {/*max_shared*/ 232448, /*sm_count*/ 132}},
};

/* The portfolio; after it the contract's defaults of every variant. */
static const ww_geglu_configuration ww_geglu_configurations[WW_GEGLU_CONFIGURATION_COUNT] = {
    /* 0: scalar THREADS=512; wins 1 problem */
    {WW_GEGLU_VARIANT_SCALAR, /*threads*/ 512, /*threads_per_sm*/ 1024, /*unroll*/ 2,
     /*prefetch*/ 1, /*vector_bytes*/ 16, /*load_hint*/ WW_GEGLU_LOAD_HINT_NONE,
     /*store_hint*/ WW_GEGLU_STORE_HINT_NONE,
     "scalar.cu", 1,
     {{"geglu", {512, 1, 1}, {1, 1, 1}, 0}},
     {12, 0, 0}, "scalar THREADS=512"},
    /* 1: flat LOAD_HINT=none STORE_HINT=none THREADS=64 THREADS_PER_SM=1024 UNROLL=1
       VECTOR_BYTES=16 */
    {WW_GEGLU_VARIANT_FLAT, /*threads*/ 64, /*threads_per_sm*/ 1024, /*unroll*/ 1, /*prefetch*/ 1,
     /*vector_bytes*/ 16, /*load_hint*/ WW_GEGLU_LOAD_HINT_NONE,
     /*store_hint*/ WW_GEGLU_STORE_HINT_NONE,
     "flat.cu", 1,
     {{"geglu", {64, 1, 1}, {1, 1, 1}, 0}},
     {34, 0, 0}, "flat LOAD_HINT=none STORE_HINT=none THREADS=64 THREADS_PER_SM=1024 UNROLL=1 VECTOR_BYTES=16"},
    /* 2: flat LOAD_HINT=none STORE_HINT=none THREADS=256 THREADS_PER_SM=2048 UNROLL=1
       VECTOR_BYTES=16; wins 1 problem */
    {WW_GEGLU_VARIANT_FLAT, /*threads*/ 256, /*threads_per_sm*/ 2048, /*unroll*/ 1, /*prefetch*/ 1,
     /*vector_bytes*/ 16, /*load_hint*/ WW_GEGLU_LOAD_HINT_NONE,
     /*store_hint*/ WW_GEGLU_STORE_HINT_NONE,
     "flat.cu", 1,
     {{"geglu", {256, 1, 1}, {1, 1, 1}, 0}},
     {32, 0, 0}, "flat LOAD_HINT=none STORE_HINT=none THREADS=256 THREADS_PER_SM=2048 UNROLL=1 VECTOR_BYTES=16"},
    /* 3: flat LOAD_HINT=none STORE_HINT=none THREADS=1024 THREADS_PER_SM=2048 UNROLL=1
       VECTOR_BYTES=8; wins 1 problem */
    {WW_GEGLU_VARIANT_FLAT, /*threads*/ 1024, /*threads_per_sm*/ 2048, /*unroll*/ 1, /*prefetch*/ 1,
     /*vector_bytes*/ 8, /*load_hint*/ WW_GEGLU_LOAD_HINT_NONE,
     /*store_hint*/ WW_GEGLU_STORE_HINT_NONE,
     "flat.cu", 1,
     {{"geglu", {1024, 1, 1}, {1, 1, 1}, 0}},
     {27, 0, 0}, "flat LOAD_HINT=none STORE_HINT=none THREADS=1024 THREADS_PER_SM=2048 UNROLL=1 VECTOR_BYTES=8"},
    /* 4: flat LOAD_HINT=none STORE_HINT=none THREADS=1024 THREADS_PER_SM=2048 UNROLL=1
       VECTOR_BYTES=16; wins 1 problem */
    {WW_GEGLU_VARIANT_FLAT, /*threads*/ 1024, /*threads_per_sm*/ 2048, /*unroll*/ 1, /*prefetch*/ 1,
     /*vector_bytes*/ 16, /*load_hint*/ WW_GEGLU_LOAD_HINT_NONE,
     /*store_hint*/ WW_GEGLU_STORE_HINT_NONE,
     "flat.cu", 1,
     {{"geglu", {1024, 1, 1}, {1, 1, 1}, 0}},
     {32, 0, 0}, "flat LOAD_HINT=none STORE_HINT=none THREADS=1024 THREADS_PER_SM=2048 UNROLL=1 VECTOR_BYTES=16"},
    /* 5: flat LOAD_HINT=none STORE_HINT=none THREADS=1024 THREADS_PER_SM=2048 UNROLL=2
       VECTOR_BYTES=16; wins 1 problem */
    {WW_GEGLU_VARIANT_FLAT, /*threads*/ 1024, /*threads_per_sm*/ 2048, /*unroll*/ 2, /*prefetch*/ 1,
     /*vector_bytes*/ 16, /*load_hint*/ WW_GEGLU_LOAD_HINT_NONE,
     /*store_hint*/ WW_GEGLU_STORE_HINT_NONE,
     "flat.cu", 1,
     {{"geglu", {1024, 1, 1}, {1, 1, 1}, 0}},
     {32, 0, 0}, "flat LOAD_HINT=none STORE_HINT=none THREADS=1024 THREADS_PER_SM=2048 UNROLL=2 VECTOR_BYTES=16"},
    /* 6: flat LOAD_HINT=none STORE_HINT=none THREADS=256 THREADS_PER_SM=1024 UNROLL=2
       VECTOR_BYTES=16, the defaults */
    {WW_GEGLU_VARIANT_FLAT, /*threads*/ 256, /*threads_per_sm*/ 1024, /*unroll*/ 2, /*prefetch*/ 1,
     /*vector_bytes*/ 16, /*load_hint*/ WW_GEGLU_LOAD_HINT_NONE,
     /*store_hint*/ WW_GEGLU_STORE_HINT_NONE,
     "flat.cu", 1,
     {{"geglu", {256, 1, 1}, {1, 1, 1}, 0}},
     {-1, -1, -1}, "flat LOAD_HINT=none STORE_HINT=none THREADS=256 THREADS_PER_SM=1024 UNROLL=2 VECTOR_BYTES=16"},
    /* 7: scalar THREADS=256, the defaults */
    {WW_GEGLU_VARIANT_SCALAR, /*threads*/ 256, /*threads_per_sm*/ 1024, /*unroll*/ 2,
     /*prefetch*/ 1, /*vector_bytes*/ 16, /*load_hint*/ WW_GEGLU_LOAD_HINT_NONE,
     /*store_hint*/ WW_GEGLU_STORE_HINT_NONE,
     "scalar.cu", 1,
     {{"geglu", {256, 1, 1}, {1, 1, 1}, 0}},
     {-1, -1, -1}, "scalar THREADS=256"},
    /* 8: persistent LOAD_HINT=none PREFETCH=1 STORE_HINT=none THREADS=256 THREADS_PER_SM=1024
       UNROLL=2 VECTOR_BYTES=16, the defaults */
    {WW_GEGLU_VARIANT_PERSISTENT, /*threads*/ 256, /*threads_per_sm*/ 1024, /*unroll*/ 2,
     /*prefetch*/ 1, /*vector_bytes*/ 16, /*load_hint*/ WW_GEGLU_LOAD_HINT_NONE,
     /*store_hint*/ WW_GEGLU_STORE_HINT_NONE,
     "persistent.cu", 1,
     {{"geglu", {256, 1, 1}, {1, 1, 1}, 0}},
     {-1, -1, -1}, "persistent LOAD_HINT=none PREFETCH=1 STORE_HINT=none THREADS=256 THREADS_PER_SM=1024 UNROLL=2 VECTOR_BYTES=16"},
};

static const ww_geglu_board ww_geglu_boards[WW_GEGLU_BOARD_COUNT] = {
    /* 0: rows=1 d=4096 dtype=bf16 on NVIDIA H200 */
    {0, {1, 4096, WW_GEGLU_DTYPE_BF16}, 0, 0.816, 0.8, 0.832, 0, "cold-graph-1",
     196, 200, 4,
     "persistent LOAD_HINT=none PREFETCH=0 STORE_HINT=none THREADS=256 THREADS_PER_SM=2048 UNROLL=1 VECTOR_BYTES=8\n"
     "flat LOAD_HINT=none STORE_HINT=none THREADS=256 THREADS_PER_SM=1024 UNROLL=1 VECTOR_BYTES=8\n"
     "flat LOAD_HINT=none STORE_HINT=none THREADS=512 THREADS_PER_SM=2048 UNROLL=1 VECTOR_BYTES=8\n"
     "flat LOAD_HINT=none STORE_HINT=none THREADS=64 THREADS_PER_SM=1024 UNROLL=1 VECTOR_BYTES=16\n",
     "580.159.04", "13.0", "warpwright 0.1.0", "2026-11-21T10:26:49Z",
     "4ab5aecf71da24756bd434178a1a7ff980beff3ceb7d62415b97d2f879642bdd"},
    /* 1: rows=32 d=8192 dtype=bf16 on NVIDIA H200 */
    {0, {32, 8192, WW_GEGLU_DTYPE_BF16}, 3, 1.584, 1.552, 1.6, 0, "cold-graph-1",
     196, 200, 8,
     "flat LOAD_HINT=none STORE_HINT=streaming THREADS=512 THREADS_PER_SM=1024 UNROLL=1 VECTOR_BYTES=16\n"
     "flat LOAD_HINT=none STORE_HINT=streaming THREADS=512 THREADS_PER_SM=2048 UNROLL=1 VECTOR_BYTES=16\n"
     "flat LOAD_HINT=none STORE_HINT=none THREADS=256 THREADS_PER_SM=1024 UNROLL=1 VECTOR_BYTES=8\n"
     "flat LOAD_HINT=none STORE_HINT=streaming THREADS=256 THREADS_PER_SM=1024 UNROLL=1 VECTOR_BYTES=16\n"
     "flat LOAD_HINT=none STORE_HINT=streaming THREADS=64 THREADS_PER_SM=1024 UNROLL=1 VECTOR_BYTES=16\n"
     "persistent LOAD_HINT=none PREFETCH=0 STORE_HINT=none THREADS=256 THREADS_PER_SM=2048 UNROLL=1 VECTOR_BYTES=8\n"
     "persistent LOAD_HINT=none PREFETCH=0 STORE_HINT=streaming THREADS=256 THREADS_PER_SM=2048 UNROLL=1 VECTOR_BYTES=16\n"
     "persistent LOAD_HINT=none PREFETCH=0 STORE_HINT=none THREADS=256 THREADS_PER_SM=2048 UNROLL=1 VECTOR_BYTES=16\n",
     "580.159.04", "13.0", "warpwright 0.1.0", "2026-11-21T10:26:55Z",
     "2dc5a12d63cc89a4188e75b26c57cd6980956e0b26a72ca8a0e70c863374fbd2"},
    /* 2: rows=128 d=14336 dtype=bf16 on NVIDIA H200 */
    {0, {128, 14336, WW_GEGLU_DTYPE_BF16}, 5, 4.128, 4.096, 4.16, 0, "cold-graph-1",
     196, 90, 3,
     "persistent LOAD_HINT=streaming PREFETCH=0 STORE_HINT=streaming THREADS=512 THREADS_PER_SM=1024 UNROLL=4 VECTOR_BYTES=16\n"
     "flat LOAD_HINT=none STORE_HINT=streaming THREADS=1024 THREADS_PER_SM=2048 UNROLL=2 VECTOR_BYTES=16\n"
     "flat LOAD_HINT=streaming STORE_HINT=streaming THREADS=512 THREADS_PER_SM=1024 UNROLL=4 VECTOR_BYTES=16\n",
     "580.159.04", "13.0", "warpwright 0.1.0", "2026-11-21T10:26:45Z",
     "2dc5a12d63cc89a4188e75b26c57cd6980956e0b26a72ca8a0e70c863374fbd2"},
    /* 3: rows=1024 d=8192 dtype=bf16 on NVIDIA H200 */
    {0, {1024, 8192, WW_GEGLU_DTYPE_BF16}, 2, 14.12, 14.08, 14.176, 0, "cold-graph-1",
     196, 30, 9,
     "flat LOAD_HINT=none STORE_HINT=none THREADS=64 THREADS_PER_SM=1024 UNROLL=1 VECTOR_BYTES=16\n"
     "flat LOAD_HINT=none STORE_HINT=streaming THREADS=64 THREADS_PER_SM=1024 UNROLL=1 VECTOR_BYTES=16\n"
     "persistent LOAD_HINT=streaming PREFETCH=0 STORE_HINT=streaming THREADS=512 THREADS_PER_SM=2048 UNROLL=4 VECTOR_BYTES=16\n"
     "flat LOAD_HINT=none STORE_HINT=none THREADS=256 THREADS_PER_SM=1024 UNROLL=1 VECTOR_BYTES=16\n"
     "flat LOAD_HINT=streaming STORE_HINT=streaming THREADS=64 THREADS_PER_SM=1024 UNROLL=4 VECTOR_BYTES=16\n"
     "flat LOAD_HINT=none STORE_HINT=none THREADS=64 THREADS_PER_SM=2048 UNROLL=1 VECTOR_BYTES=16\n"
     "flat LOAD_HINT=streaming STORE_HINT=streaming THREADS=256 THREADS_PER_SM=1024 UNROLL=4 VECTOR_BYTES=16\n"
     "persistent LOAD_HINT=streaming PREFETCH=0 STORE_HINT=streaming THREADS=256 THREADS_PER_SM=2048 UNROLL=4 VECTOR_BYTES=16\n"
     "flat LOAD_HINT=none STORE_HINT=none THREADS=64 THREADS_PER_SM=1024 UNROLL=2 VECTOR_BYTES=16\n",
     "580.159.04", "13.0", "warpwright 0.1.0", "2026-11-21T10:27:08Z",
     "2dc5a12d63cc89a4188e75b26c57cd6980956e0b26a72ca8a0e70c863374fbd2"},
    /* 4: rows=8192 d=14336 dtype=bf16 on NVIDIA H200 */
    {0, {8192, 14336, WW_GEGLU_DTYPE_BF16}, 4, 162.592, 162.304, 162.688, 0, "cold-graph-1",
     196, 30, 15,
     "flat LOAD_HINT=none STORE_HINT=streaming THREADS=256 THREADS_PER_SM=1024 UNROLL=1 VECTOR_BYTES=16\n"
     "flat LOAD_HINT=none STORE_HINT=streaming THREADS=64 THREADS_PER_SM=1024 UNROLL=1 VECTOR_BYTES=16\n"
     "flat LOAD_HINT=none STORE_HINT=none THREADS=256 THREADS_PER_SM=1024 UNROLL=1 VECTOR_BYTES=16\n"
     "flat LOAD_HINT=none STORE_HINT=none THREADS=64 THREADS_PER_SM=1024 UNROLL=1 VECTOR_BYTES=16\n"
     "flat LOAD_HINT=none STORE_HINT=streaming THREADS=512 THREADS_PER_SM=1024 UNROLL=1 VECTOR_BYTES=16\n"
     "flat LOAD_HINT=none STORE_HINT=streaming THREADS=256 THREADS_PER_SM=1024 UNROLL=2 VECTOR_BYTES=16\n"
     "flat LOAD_HINT=none STORE_HINT=streaming THREADS=1024 THREADS_PER_SM=2048 UNROLL=1 VECTOR_BYTES=16\n"
     "flat LOAD_HINT=none STORE_HINT=streaming THREADS=512 THREADS_PER_SM=1024 UNROLL=2 VECTOR_BYTES=16\n"
     "flat LOAD_HINT=none STORE_HINT=none THREADS=512 THREADS_PER_SM=1024 UNROLL=1 VECTOR_BYTES=16\n"
     "flat LOAD_HINT=none STORE_HINT=streaming THREADS=512 THREADS_PER_SM=2048 UNROLL=1 VECTOR_BYTES=16\n"
     "flat LOAD_HINT=none STORE_HINT=none THREADS=512 THREADS_PER_SM=1024 UNROLL=2 VECTOR_BYTES=16\n"
     "flat LOAD_HINT=none STORE_HINT=streaming THREADS=64 THREADS_PER_SM=2048 UNROLL=1 VECTOR_BYTES=16\n"
     "flat LOAD_HINT=none STORE_HINT=streaming THREADS=256 THREADS_PER_SM=2048 UNROLL=1 VECTOR_BYTES=16\n"
     "flat LOAD_HINT=none STORE_HINT=none THREADS=256 THREADS_PER_SM=1024 UNROLL=2 VECTOR_BYTES=16\n"
     "flat LOAD_HINT=none STORE_HINT=none THREADS=512 THREADS_PER_SM=2048 UNROLL=1 VECTOR_BYTES=16\n",
     "580.159.04", "13.0", "warpwright 0.1.0", "2026-11-21T10:26:36Z",
     "2dc5a12d63cc89a4188e75b26c57cd6980956e0b26a72ca8a0e70c863374fbd2"},
};

/* Thousandths of the best that each candidate reaches on each tuned problem, at most that where
   it was stopped early; -1: not tried. */
static const short ww_geglu_fractions[WW_GEGLU_CANDIDATE_COUNT][WW_GEGLU_BOARD_COUNT] = {
    {1000, 1000,  590,  477,  436},
    { 981, 1000,  981, 1000, 1000},
    { 823,  971,  956, 1000,  999},
    { 773, 1000,  899,  884,  880},
    { 773, 1000,  985,  992, 1000},
    {  -1,   -1, 1000,  962,  994},
};

static const double ww_geglu_work_scale = 2.0;
static const double ww_geglu_nearby = 2.0;
static const double ww_geglu_prior_fraction = 0.5;
static const double ww_geglu_prior_weight = 0.2;
static const double ww_geglu_score_tie = 1e-09;
#define WW_GEGLU_AXIS_COUNT 2

/* Without <math.h>, so that nothing has to be linked. */
static inline double ww_geglu_log2(double v) {
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
static inline double ww_geglu_root(double v) {
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
static inline double ww_geglu_size_scale(double v) { return v < 0 ? -ww_geglu_log2(1 - v) : ww_geglu_log2(1 + v); }

/* A value of the contract's expressions: a 64-bit integer (booleans are 0 and 1), a real, or a text.
   What cannot be evaluated (overflow, division by zero, a wrong type) is a fault, and so is
   everything made of it. */
enum ww_geglu_kind { WW_GEGLU_FAULT, WW_GEGLU_INTEGER, WW_GEGLU_REAL, WW_GEGLU_TEXT };
typedef struct {
  enum ww_geglu_kind kind;
  long long integer;
  double real;
  const char *text;
} ww_geglu_value;
static const long long ww_geglu_largest = 9223372036854775807LL;
static const long long ww_geglu_lowest = -9223372036854775807LL - 1;
static inline ww_geglu_value ww_geglu_fault(void) {
  const ww_geglu_value v = {WW_GEGLU_FAULT, 0, 0, 0};
  return v;
}
static inline ww_geglu_value ww_geglu_integer(long long integer) {
  const ww_geglu_value v = {WW_GEGLU_INTEGER, integer, 0, 0};
  return v;
}
static inline ww_geglu_value ww_geglu_real(double real) {
  const ww_geglu_value v = {WW_GEGLU_REAL, 0, real, 0};
  return real - real == 0 ? v : ww_geglu_fault();
}
static inline ww_geglu_value ww_geglu_text(const char *text) {
  const ww_geglu_value v = {WW_GEGLU_TEXT, 0, 0, text};
  return text != 0 ? v : ww_geglu_fault();
}
static inline int ww_geglu_number(ww_geglu_value v) { return v.kind == WW_GEGLU_INTEGER || v.kind == WW_GEGLU_REAL; }
static inline int ww_geglu_integers(ww_geglu_value a, ww_geglu_value b) { return a.kind == WW_GEGLU_INTEGER && b.kind == WW_GEGLU_INTEGER; }
static inline int ww_geglu_numbers(ww_geglu_value a, ww_geglu_value b) { return ww_geglu_number(a) && ww_geglu_number(b); }
static inline double ww_geglu_as_real(ww_geglu_value v) { return v.kind == WW_GEGLU_REAL ? v.real : (double)v.integer; }
static inline int ww_geglu_holds(ww_geglu_value v) {
  return v.kind == WW_GEGLU_REAL ? v.real != 0 : v.kind == WW_GEGLU_INTEGER && v.integer != 0;
}
static inline int ww_geglu_same_text(const char *a, const char *b) {
  if (a == 0 || b == 0) return 0;
  while (*a != '\0' && *a == *b) {
    ++a;
    ++b;
  }
  return *a == *b;
}
static inline ww_geglu_value ww_geglu_multiply(ww_geglu_value a, ww_geglu_value b) {
  const long long x = a.integer;
  const long long y = b.integer;
  if (!ww_geglu_numbers(a, b)) return ww_geglu_fault();
  if (!ww_geglu_integers(a, b)) return ww_geglu_real(ww_geglu_as_real(a) * ww_geglu_as_real(b));
  if (x == 0 || y == 0) return ww_geglu_integer(0);
  if (x > 0 ? (y > 0 ? x > ww_geglu_largest / y : y < ww_geglu_lowest / x)
            : (y > 0 ? x < ww_geglu_lowest / y : y < ww_geglu_largest / x))
    return ww_geglu_fault();
  return ww_geglu_integer(x * y);
}
static inline ww_geglu_value ww_geglu_divide(ww_geglu_value a, ww_geglu_value b) {
  if (!ww_geglu_numbers(a, b) || ww_geglu_as_real(b) == 0) return ww_geglu_fault();
  if (!ww_geglu_integers(a, b)) return ww_geglu_real(ww_geglu_as_real(a) / ww_geglu_as_real(b));
  if (b.integer == -1) return a.integer == ww_geglu_lowest ? ww_geglu_fault() : ww_geglu_integer(-a.integer);
  return ww_geglu_integer(a.integer / b.integer);
}
static inline ww_geglu_value ww_geglu_remainder(ww_geglu_value a, ww_geglu_value b) {
  if (!ww_geglu_integers(a, b) || b.integer == 0) return ww_geglu_fault();
  return ww_geglu_integer(b.integer == -1 ? 0 : a.integer % b.integer);
}
static inline ww_geglu_value ww_geglu_ceil_div(ww_geglu_value a, ww_geglu_value b) {
  if (!ww_geglu_integers(a, b) || b.integer <= 0) return ww_geglu_fault();
  return ww_geglu_integer(a.integer / b.integer + (a.integer % b.integer > 0 ? 1 : 0));
}
static inline ww_geglu_value ww_geglu_not(ww_geglu_value v) {
  return ww_geglu_number(v) ? ww_geglu_integer(!ww_geglu_holds(v)) : ww_geglu_fault();
}
static inline ww_geglu_value ww_geglu_less(ww_geglu_value a, ww_geglu_value b) {
  if (!ww_geglu_numbers(a, b)) return ww_geglu_fault();
  return ww_geglu_integer(ww_geglu_integers(a, b) ? a.integer < b.integer : ww_geglu_as_real(a) < ww_geglu_as_real(b));
}
static inline ww_geglu_value ww_geglu_greater_equal(ww_geglu_value a, ww_geglu_value b) { return ww_geglu_not(ww_geglu_less(a, b)); }
static inline ww_geglu_value ww_geglu_equal(ww_geglu_value a, ww_geglu_value b) {
  if (a.kind == WW_GEGLU_TEXT && b.kind == WW_GEGLU_TEXT) return ww_geglu_integer(ww_geglu_same_text(a.text, b.text));
  if (!ww_geglu_numbers(a, b)) return ww_geglu_fault();
  return ww_geglu_integer(ww_geglu_integers(a, b) ? a.integer == b.integer : ww_geglu_as_real(a) == ww_geglu_as_real(b));
}
static inline ww_geglu_value ww_geglu_smaller(ww_geglu_value a, ww_geglu_value b) {
  if (!ww_geglu_numbers(a, b)) return ww_geglu_fault();
  if (ww_geglu_integers(a, b)) return b.integer < a.integer ? b : a;
  return ww_geglu_real(ww_geglu_as_real(b) < ww_geglu_as_real(a) ? ww_geglu_as_real(b) : ww_geglu_as_real(a));
}
static inline ww_geglu_value ww_geglu_bytes_of(ww_geglu_value v) {
  static const char *const names[] = {"f64", "i64", "u64", "f32", "i32", "u32", "f16", "bf16",
                                      "i16", "u16", "i8",  "u8",  "e4m3", "e5m2", "bool"};
  static const int bytes[] = {8, 8, 8, 4, 4, 4, 2, 2, 2, 2, 1, 1, 1, 1, 1};
  int i;
  if (v.kind != WW_GEGLU_TEXT) return ww_geglu_fault();
  for (i = 0; i < 15; ++i) {
    if (ww_geglu_same_text(v.text, names[i])) return ww_geglu_integer(bytes[i]);
  }
  return ww_geglu_fault();
}

static inline int ww_geglu_same_category(ww_geglu_problem a, ww_geglu_problem b) {
  return a.dtype == b.dtype;
}
static inline int ww_geglu_same_sizes(ww_geglu_problem a, ww_geglu_problem b) {
  return a.rows == b.rows &&
         a.d == b.d &&
         a.dtype == b.dtype;
}

/* Where a problem lies: distances are Euclidean in log2(1 + size) and in twice the log2 of the
   contract's traffic. */
typedef struct {
  double axes[2];
  int counted;
  double work;
} ww_geglu_place;
static inline ww_geglu_place ww_geglu_place_of(ww_geglu_problem problem) {
  const ww_geglu_value rows = ww_geglu_integer(problem.rows);
  const ww_geglu_value d = ww_geglu_integer(problem.d);
  const ww_geglu_value dtype = ww_geglu_text(ww_geglu_dtype_name(problem.dtype));
  /* Bytes that the contract counts. */
  const ww_geglu_value work = ww_geglu_multiply(ww_geglu_multiply(ww_geglu_multiply(ww_geglu_integer(3), rows), d), ww_geglu_bytes_of(dtype));
  ww_geglu_place place;
  place.axes[0] = ww_geglu_size_scale((double)problem.rows);
  place.axes[1] = ww_geglu_size_scale((double)problem.d);
  place.counted = ww_geglu_number(work);
  place.work = place.counted ? ww_geglu_size_scale(ww_geglu_as_real(work)) : 0;
  return place;
}

static inline ww_geglu_limits ww_geglu_complete(ww_geglu_limits given, ww_geglu_limits tuned) {
  if (given.max_shared == 0) given.max_shared = tuned.max_shared;
  if (given.sm_count == 0) given.sm_count = tuned.sm_count;
  return given;
}

static inline int ww_geglu_allowed_scalar(ww_geglu_configuration configuration, ww_geglu_problem problem,
    ww_geglu_limits limits) {
  const ww_geglu_value threads = ww_geglu_integer(configuration.threads);
  (void)problem;
  (void)limits;
  /* a block is made of whole warps */
  if (!ww_geglu_holds(ww_geglu_equal(ww_geglu_remainder(threads, ww_geglu_integer(32)), ww_geglu_integer(0)))) return 0;
  return 1;
}

static inline int ww_geglu_allowed_flat(ww_geglu_configuration configuration, ww_geglu_problem problem,
    ww_geglu_limits limits) {
  const ww_geglu_value dtype = ww_geglu_text(ww_geglu_dtype_name(problem.dtype));
  const ww_geglu_value threads = ww_geglu_integer(configuration.threads);
  const ww_geglu_value threads_per_sm = ww_geglu_integer(configuration.threads_per_sm);
  const ww_geglu_value vector_bytes = ww_geglu_integer(configuration.vector_bytes);
  (void)limits;
  /* a block is made of whole warps */
  if (!ww_geglu_holds(ww_geglu_equal(ww_geglu_remainder(threads, ww_geglu_integer(32)), ww_geglu_integer(0)))) return 0;
  /* an access holds at least one element */
  if (!ww_geglu_holds(ww_geglu_greater_equal(vector_bytes, ww_geglu_bytes_of(dtype)))) return 0;
  /* blocks of THREADS must add up to THREADS_PER_SM */
  if (!ww_geglu_holds(ww_geglu_equal(ww_geglu_remainder(threads_per_sm, threads), ww_geglu_integer(0)))) return 0;
  return 1;
}

static inline int ww_geglu_allowed_persistent(ww_geglu_configuration configuration, ww_geglu_problem problem,
    ww_geglu_limits limits) {
  const ww_geglu_value dtype = ww_geglu_text(ww_geglu_dtype_name(problem.dtype));
  const ww_geglu_value threads = ww_geglu_integer(configuration.threads);
  const ww_geglu_value threads_per_sm = ww_geglu_integer(configuration.threads_per_sm);
  const ww_geglu_value vector_bytes = ww_geglu_integer(configuration.vector_bytes);
  (void)limits;
  /* a block is made of whole warps */
  if (!ww_geglu_holds(ww_geglu_equal(ww_geglu_remainder(threads, ww_geglu_integer(32)), ww_geglu_integer(0)))) return 0;
  /* an access holds at least one element */
  if (!ww_geglu_holds(ww_geglu_greater_equal(vector_bytes, ww_geglu_bytes_of(dtype)))) return 0;
  /* blocks of THREADS must add up to THREADS_PER_SM */
  if (!ww_geglu_holds(ww_geglu_equal(ww_geglu_remainder(threads_per_sm, threads), ww_geglu_integer(0)))) return 0;
  return 1;
}

/* The contract's types and limits of every size. */
static inline int ww_geglu_valid(ww_geglu_problem problem) {
  if (problem.rows < 1) return 0;
  if (problem.d < 1) return 0;
  if (ww_geglu_dtype_name(problem.dtype) == 0) return 0;
  return 1;
}

/* Every constraint of the contract and of the variant holds for this problem on a device with
   these limits. */
static inline int ww_geglu_allowed(ww_geglu_configuration configuration, ww_geglu_problem problem,
    ww_geglu_limits limits) {
  switch (configuration.variant) {
    case WW_GEGLU_VARIANT_SCALAR:
      return ww_geglu_allowed_scalar(configuration, problem, limits);
    case WW_GEGLU_VARIANT_FLAT:
      return ww_geglu_allowed_flat(configuration, problem, limits);
    case WW_GEGLU_VARIANT_PERSISTENT:
      return ww_geglu_allowed_persistent(configuration, problem, limits);
  }
  return 0;
}


/* "sm_90" and "sm_90a" are one architecture here. */
static inline int ww_geglu_arch_length(const char *arch) {
  int length = 0;
  while (arch[length] != '\0') ++length;
  while (length > 0 && arch[length - 1] >= 'a' && arch[length - 1] <= 'z') --length;
  return length;
}
static inline int ww_geglu_same_arch(const char *a, const char *b) {
  int length;
  int i;
  if (a == 0 || b == 0) return 0;
  length = ww_geglu_arch_length(a);
  if (ww_geglu_arch_length(b) != length) return 0;
  for (i = 0; i < length; ++i) {
    if (a[i] != b[i]) return 0;
  }
  return 1;
}

static inline double ww_geglu_squared_distance(ww_geglu_place a, ww_geglu_place b) {
  double sum = 0;
  int i;
  for (i = 0; i < WW_GEGLU_AXIS_COUNT; ++i) sum += (a.axes[i] - b.axes[i]) * (a.axes[i] - b.axes[i]);
  if (a.counted && b.counted)
    sum += ww_geglu_work_scale * (a.work - b.work) * (ww_geglu_work_scale * (a.work - b.work));
  return sum;
}

static inline ww_geglu_selection ww_geglu_no_selection(void) {
  ww_geglu_selection result;
  result.match = WW_GEGLU_MATCH_NONE;
  result.configuration = 0;
  result.nearest = 0;
  result.distance = 0;
  result.score = 0;
  result.limits = ww_geglu_devices[0].limits;
  return result;
}

/* The vote of the tuned problems on this device, or on others of its architecture. */
static inline ww_geglu_selection ww_geglu_vote(ww_geglu_device device, ww_geglu_problem problem, int same_device) {
  const ww_geglu_place asked = ww_geglu_place_of(problem);
  double weights[WW_GEGLU_BOARD_COUNT];
  double total = 0;
  double least = 0;
  int i;
  const ww_geglu_configuration *winner;
  ww_geglu_selection result = ww_geglu_no_selection();
  for (i = 0; i < WW_GEGLU_BOARD_COUNT; ++i) {
    const ww_geglu_board *board = &ww_geglu_boards[i];
    const ww_geglu_device *tuned = &ww_geglu_devices[board->device];
    const int same = ww_geglu_same_text(tuned->name, device.name);
    double squared;
    double closeness;
    int equal;
    weights[i] = 0;
    if (same != same_device || (!same && !ww_geglu_same_arch(tuned->arch, device.arch))) continue;
    if (!ww_geglu_same_category(board->problem, problem)) continue;
    squared = ww_geglu_squared_distance(ww_geglu_place_of(board->problem), asked);
    equal = ww_geglu_same_sizes(board->problem, problem);
    if (result.nearest == 0 || squared < least || equal) {
      result.nearest = board;
      result.distance = ww_geglu_root(squared);
      least = equal ? -1 : squared;
    }
    closeness = 1 / (ww_geglu_nearby * ww_geglu_nearby + squared);
    weights[i] = closeness * closeness;
    total += weights[i];
  }
  if (result.nearest == 0) return ww_geglu_no_selection();
  result.limits = ww_geglu_complete(device.limits, ww_geglu_devices[result.nearest->device].limits);
  winner = &ww_geglu_configurations[result.nearest->winner];
  if (least < 0 && ww_geglu_allowed(*winner, problem, result.limits)) {
    result.match = same_device ? WW_GEGLU_MATCH_EXACT : WW_GEGLU_MATCH_NEAREST_SAME_ARCH;
    result.configuration = winner;
    result.score = 1;
    return result;
  }
  for (i = 0; i < WW_GEGLU_CANDIDATE_COUNT; ++i) {
    double sum = ww_geglu_prior_weight * ww_geglu_prior_fraction;
    double known = ww_geglu_prior_weight;
    int board;
    for (board = 0; board < WW_GEGLU_BOARD_COUNT; ++board) {
      if (!(weights[board] > 0) || ww_geglu_fractions[i][board] < 0) continue;
      sum += weights[board] / total * ww_geglu_fractions[i][board] / 1000;
      known += weights[board] / total;
    }
    if (!(known > ww_geglu_prior_weight) || !(sum / known > result.score + ww_geglu_score_tie)) continue;
    if (!ww_geglu_allowed(ww_geglu_configurations[i], problem, result.limits)) continue;
    result.match = same_device ? WW_GEGLU_MATCH_NEAREST_SAME_DEVICE : WW_GEGLU_MATCH_NEAREST_SAME_ARCH;
    result.configuration = &ww_geglu_configurations[i];
    result.score = sum / known;
  }
  return result;
}

static inline ww_geglu_selection ww_geglu_contract_default(ww_geglu_device device, ww_geglu_problem problem) {
  ww_geglu_selection result = ww_geglu_no_selection();
  int i;
  result.limits = ww_geglu_complete(device.limits, ww_geglu_devices[0].limits);
  for (i = WW_GEGLU_CANDIDATE_COUNT; i < WW_GEGLU_CONFIGURATION_COUNT; ++i) {
    if (!ww_geglu_allowed(ww_geglu_configurations[i], problem, result.limits)) continue;
    result.match = WW_GEGLU_MATCH_DEFAULT;
    result.configuration = &ww_geglu_configurations[i];
    break;
  }
  return result;
}

static inline ww_geglu_selection ww_geglu_select(ww_geglu_device device, ww_geglu_problem problem) {
  ww_geglu_selection result = ww_geglu_no_selection();
  if (!ww_geglu_valid(problem)) return result;
  result = ww_geglu_vote(device, problem, 1);
  if (result.configuration == 0) result = ww_geglu_vote(device, problem, 0);
  if (result.configuration == 0) result = ww_geglu_contract_default(device, problem);
  return result;
}

#define WW_GEGLU_DEFINE_LENGTH 46
typedef struct {
  int count;
  char option[8][WW_GEGLU_DEFINE_LENGTH];
} ww_geglu_options;

typedef struct {
  int ok;  /* 0 or false: no such launch, or its extents cannot be computed */
  const char *entry;
  long long grid[3];
  long long block[3];
  long long cluster[3];
  long long shared_bytes;  /* dynamic */
} ww_geglu_launch_plan;

static inline void ww_geglu_put(ww_geglu_options *out, int *at, const char *text) {
  for (; *text != '\0' && *at < WW_GEGLU_DEFINE_LENGTH - 1; ++text) out->option[out->count][(*at)++] = *text;
  out->option[out->count][*at] = '\0';
}
static inline void ww_geglu_put_integer(ww_geglu_options *out, int *at, long long v) {
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
  ww_geglu_put(out, at, digits + first);
}
/* In hexadecimal, which is exact. */
static inline void ww_geglu_put_real(ww_geglu_options *out, int *at, double v) {
  int exponent = 0;
  int i;
  char digit[2];
  if (v < 0) ww_geglu_put(out, at, "-");
  if (v < 0) v = -v;
  for (; v >= 2; v /= 2) ++exponent;
  for (; v > 0 && v < 1; v *= 2) --exponent;
  ww_geglu_put(out, at, v > 0 ? "0x1." : "0x0.");
  v -= v > 0 ? 1 : 0;
  digit[1] = '\0';
  for (i = 0; i < 13; ++i) {
    const int hex = (int)(v *= 16);
    digit[0] = "0123456789abcdef"[hex];
    ww_geglu_put(out, at, digit);
    v -= hex;
  }
  ww_geglu_put(out, at, "p");
  ww_geglu_put_integer(out, at, exponent);
}
static inline void ww_geglu_put_define(ww_geglu_options *out, const char *macro, ww_geglu_value v) {
  int at = 0;
  ww_geglu_put(out, &at, "-D");
  ww_geglu_put(out, &at, macro);
  ww_geglu_put(out, &at, "=");
  if (v.kind == WW_GEGLU_INTEGER) ww_geglu_put_integer(out, &at, v.integer);
  if (v.kind == WW_GEGLU_REAL) ww_geglu_put_real(out, &at, v.real);
  if (v.kind == WW_GEGLU_TEXT) ww_geglu_put(out, &at, v.text);
  ++out->count;
}
static inline void ww_geglu_set_extent(ww_geglu_launch_plan *out, long long *extent, ww_geglu_value v) {
  if (v.kind == WW_GEGLU_INTEGER) *extent = v.integer;
  if (v.kind != WW_GEGLU_INTEGER) out->ok = 0;
}

/* What NVRTC or nvcc is given to compile the configuration's source for the problem, one option
   an entry. */
static inline ww_geglu_options ww_geglu_defines(ww_geglu_configuration configuration, ww_geglu_problem problem) {
  ww_geglu_options out;
  out.count = 0;
  switch (configuration.variant) {
    case WW_GEGLU_VARIANT_SCALAR:
      ww_geglu_put_define(&out, "THREADS", ww_geglu_integer(configuration.threads));
      break;
    case WW_GEGLU_VARIANT_FLAT:
      ww_geglu_put_define(&out, "THREADS", ww_geglu_integer(configuration.threads));
      ww_geglu_put_define(&out, "THREADS_PER_SM", ww_geglu_integer(configuration.threads_per_sm));
      ww_geglu_put_define(&out, "UNROLL", ww_geglu_integer(configuration.unroll));
      ww_geglu_put_define(&out, "VECTOR_BYTES", ww_geglu_integer(configuration.vector_bytes));
      ww_geglu_put_define(&out, "LOAD_HINT", ww_geglu_text(ww_geglu_load_hint_name(configuration.load_hint)));
      ww_geglu_put_define(&out, "STORE_HINT", ww_geglu_text(ww_geglu_store_hint_name(configuration.store_hint)));
      break;
    case WW_GEGLU_VARIANT_PERSISTENT:
      ww_geglu_put_define(&out, "THREADS", ww_geglu_integer(configuration.threads));
      ww_geglu_put_define(&out, "THREADS_PER_SM", ww_geglu_integer(configuration.threads_per_sm));
      ww_geglu_put_define(&out, "UNROLL", ww_geglu_integer(configuration.unroll));
      ww_geglu_put_define(&out, "PREFETCH", ww_geglu_integer(configuration.prefetch));
      ww_geglu_put_define(&out, "VECTOR_BYTES", ww_geglu_integer(configuration.vector_bytes));
      ww_geglu_put_define(&out, "LOAD_HINT", ww_geglu_text(ww_geglu_load_hint_name(configuration.load_hint)));
      ww_geglu_put_define(&out, "STORE_HINT", ww_geglu_text(ww_geglu_store_hint_name(configuration.store_hint)));
      break;
  }
  ww_geglu_put_define(&out, "DTYPE", ww_geglu_text(ww_geglu_dtype_name(problem.dtype)));
  return out;
}

static inline ww_geglu_launch_plan ww_geglu_no_launch(void) {
  ww_geglu_launch_plan out;
  int i;
  out.ok = 0;
  out.entry = 0;
  out.shared_bytes = 0;
  for (i = 0; i < 3; ++i) out.grid[i] = out.block[i] = out.cluster[i] = 1;
  return out;
}

static inline ww_geglu_launch_plan ww_geglu_launch_scalar(ww_geglu_configuration configuration, ww_geglu_problem problem,
    ww_geglu_limits limits, int index) {
  const ww_geglu_value rows = ww_geglu_integer(problem.rows);
  const ww_geglu_value d = ww_geglu_integer(problem.d);
  const ww_geglu_value threads = ww_geglu_integer(configuration.threads);
  (void)limits;
  ww_geglu_launch_plan out = ww_geglu_no_launch();
  switch (index) {
    case 0:
      out.ok = 1;
      out.entry = "geglu";
      ww_geglu_set_extent(&out, &out.grid[0], ww_geglu_ceil_div(ww_geglu_multiply(rows, d), threads));
      ww_geglu_set_extent(&out, &out.block[0], threads);
      break;
    default:
      break;
  }
  return out;
}

static inline ww_geglu_launch_plan ww_geglu_launch_flat(ww_geglu_configuration configuration, ww_geglu_problem problem,
    ww_geglu_limits limits, int index) {
  const ww_geglu_value rows = ww_geglu_integer(problem.rows);
  const ww_geglu_value d = ww_geglu_integer(problem.d);
  const ww_geglu_value dtype = ww_geglu_text(ww_geglu_dtype_name(problem.dtype));
  const ww_geglu_value threads = ww_geglu_integer(configuration.threads);
  const ww_geglu_value unroll = ww_geglu_integer(configuration.unroll);
  const ww_geglu_value vector_bytes = ww_geglu_integer(configuration.vector_bytes);
  (void)limits;
  ww_geglu_launch_plan out = ww_geglu_no_launch();
  switch (index) {
    case 0:
      out.ok = 1;
      out.entry = "geglu";
      ww_geglu_set_extent(&out, &out.grid[0], ww_geglu_ceil_div(ww_geglu_multiply(rows, d), ww_geglu_multiply(ww_geglu_multiply(threads, unroll), ww_geglu_divide(vector_bytes, ww_geglu_bytes_of(dtype)))));
      ww_geglu_set_extent(&out, &out.block[0], threads);
      break;
    default:
      break;
  }
  return out;
}

static inline ww_geglu_launch_plan ww_geglu_launch_persistent(ww_geglu_configuration configuration, ww_geglu_problem problem,
    ww_geglu_limits limits, int index) {
  const ww_geglu_value rows = ww_geglu_integer(problem.rows);
  const ww_geglu_value d = ww_geglu_integer(problem.d);
  const ww_geglu_value dtype = ww_geglu_text(ww_geglu_dtype_name(problem.dtype));
  const ww_geglu_value threads = ww_geglu_integer(configuration.threads);
  const ww_geglu_value threads_per_sm = ww_geglu_integer(configuration.threads_per_sm);
  const ww_geglu_value unroll = ww_geglu_integer(configuration.unroll);
  const ww_geglu_value vector_bytes = ww_geglu_integer(configuration.vector_bytes);
  const ww_geglu_value device_sm_count = ww_geglu_integer(limits.sm_count);
  ww_geglu_launch_plan out = ww_geglu_no_launch();
  switch (index) {
    case 0:
      out.ok = 1;
      out.entry = "geglu";
      ww_geglu_set_extent(&out, &out.grid[0], ww_geglu_smaller(ww_geglu_ceil_div(ww_geglu_multiply(rows, d), ww_geglu_multiply(ww_geglu_multiply(threads, unroll), ww_geglu_divide(vector_bytes, ww_geglu_bytes_of(dtype)))), ww_geglu_multiply(device_sm_count, ww_geglu_divide(threads_per_sm, threads))));
      ww_geglu_set_extent(&out, &out.block[0], threads);
      break;
    default:
      break;
  }
  return out;
}

/* Launch `index` of configuration.launch_count, in stream order. Give it the limits of the
   selection. */
static inline ww_geglu_launch_plan ww_geglu_launch(ww_geglu_configuration configuration, ww_geglu_problem problem,
    ww_geglu_limits limits, int index) {
  switch (configuration.variant) {
    case WW_GEGLU_VARIANT_SCALAR:
      return ww_geglu_launch_scalar(configuration, problem, limits, index);
    case WW_GEGLU_VARIANT_FLAT:
      return ww_geglu_launch_flat(configuration, problem, limits, index);
    case WW_GEGLU_VARIANT_PERSISTENT:
      return ww_geglu_launch_persistent(configuration, problem, limits, index);
  }
  return ww_geglu_no_launch();
}

#endif
