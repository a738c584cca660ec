/* clang-format off */
/* swiglu: SiLU gate, out = g / (1 + e^-g) * u, element by element */
/* Tuned configurations, written by `warpwright export`. Do not edit: export again. (warpwright
   0.1.0) */
/* NVIDIA H200 (sm_90a): 5 problems, 980 configurations tried; times are measured. */
/* Left out one at a time, 5 of 5 tuned problems get a configuration within 10 % of their best
   from the others. */
/*
     const ww_swiglu_problem problem = {1, 4096, WW_SWIGLU_DTYPE_BF16};
     const ww_swiglu_device device = {"NVIDIA H200", "sm_90a", {0}};
     const ww_swiglu_selection chosen = ww_swiglu_select(device, problem);
   chosen.configuration->source, compiled with ww_swiglu_defines(*chosen.configuration, problem), is
   launched as ww_swiglu_launch(*chosen.configuration, problem, chosen.limits, 0) says.
   C99, no other header. */
#ifndef WW_SWIGLU_H_INCLUDED
#define WW_SWIGLU_H_INCLUDED

typedef enum { WW_SWIGLU_DTYPE_F32, WW_SWIGLU_DTYPE_BF16, WW_SWIGLU_DTYPE_F16 } ww_swiglu_dtype;
static inline const char *ww_swiglu_dtype_name(ww_swiglu_dtype v) {
  switch (v) {
    case WW_SWIGLU_DTYPE_F32:
      return "f32";
    case WW_SWIGLU_DTYPE_BF16:
      return "bf16";
    case WW_SWIGLU_DTYPE_F16:
      return "f16";
  }
  return 0;
}

typedef enum { WW_SWIGLU_LOAD_HINT_NONE, WW_SWIGLU_LOAD_HINT_STREAMING } ww_swiglu_load_hint;
static inline const char *ww_swiglu_load_hint_name(ww_swiglu_load_hint v) {
  switch (v) {
    case WW_SWIGLU_LOAD_HINT_NONE:
      return "none";
    case WW_SWIGLU_LOAD_HINT_STREAMING:
      return "streaming";
  }
  return 0;
}

typedef enum { WW_SWIGLU_STORE_HINT_NONE, WW_SWIGLU_STORE_HINT_STREAMING } ww_swiglu_store_hint;
static inline const char *ww_swiglu_store_hint_name(ww_swiglu_store_hint v) {
  switch (v) {
    case WW_SWIGLU_STORE_HINT_NONE:
      return "none";
    case WW_SWIGLU_STORE_HINT_STREAMING:
      return "streaming";
  }
  return 0;
}

typedef enum {
  WW_SWIGLU_VARIANT_SCALAR,
  WW_SWIGLU_VARIANT_FLAT,
  WW_SWIGLU_VARIANT_PERSISTENT
} ww_swiglu_variant;
static inline const char *ww_swiglu_variant_name(ww_swiglu_variant v) {
  switch (v) {
    case WW_SWIGLU_VARIANT_SCALAR:
      return "scalar";
    case WW_SWIGLU_VARIANT_FLAT:
      return "flat";
    case WW_SWIGLU_VARIANT_PERSISTENT:
      return "persistent";
  }
  return 0;
}

typedef struct {
  long long rows;  /* tokens; at least 1 */
  long long d;  /* width of the hidden layer; at least 1 */
  ww_swiglu_dtype dtype;
} ww_swiglu_problem;

/* Limits of a device that constraints and launches depend on; 0 is taken from the tuned device
   that is consulted. */
typedef struct {
  long long max_shared;
  long long sm_count;
} ww_swiglu_limits;

typedef struct {
  const char *name;  /* as the driver gives it: "NVIDIA H200" */
  const char *arch;  /* "sm_90a" */
  ww_swiglu_limits limits;
} ww_swiglu_device;

/* What of a launch does not depend on the problem. */
typedef struct {
  const char *entry;
  long long block[3];  /* 0: see launch() */
  long long cluster[3];  /* likewise */
  long long shared_bytes;  /* dynamic; -1: see launch() */
} ww_swiglu_launch_facts;

/* Of all launches the largest, as compiled when it was tuned; -1: not known. */
typedef struct {
  int registers;  /* per thread */
  int shared_bytes;  /* per block, static and dynamic */
  int spill_bytes;  /* per thread */
} ww_swiglu_resources;

/* Parameters that the variant does not have hold the contract's defaults. */
typedef struct {
  ww_swiglu_variant variant;
  long long threads;  /* THREADS: threads per block */
  /* THREADS_PER_SM: threads that must fit on an SM at once; each gets 65536 / THREADS_PER_SM
     registers */
  long long threads_per_sm;
  long long unroll;  /* UNROLL: accesses per operand that a thread has in flight */
  long long prefetch;  /* PREFETCH: 1 loads the next tile before computing the current one */
  long long vector_bytes;  /* VECTOR_BYTES: bytes per access of a thread */
  ww_swiglu_load_hint load_hint;  /* LOAD_HINT: streaming keeps the inputs out of L1 */
  ww_swiglu_store_hint store_hint;  /* STORE_HINT: streaming lets L2 evict the result first */
  const char *source;  /* file name */
  int launch_count;
  ww_swiglu_launch_facts launches[1];
  ww_swiglu_resources resources;
  const char *text;  /* as `warpwright show` prints it */
} ww_swiglu_configuration;

/* A tuned problem: what won, and how that is known. */
typedef struct {
  int device;  /* in devices */
  ww_swiglu_problem problem;
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
} ww_swiglu_board;

typedef enum {
  WW_SWIGLU_MATCH_NONE,
  WW_SWIGLU_MATCH_EXACT,
  WW_SWIGLU_MATCH_NEAREST_SAME_DEVICE,
  WW_SWIGLU_MATCH_NEAREST_SAME_ARCH,
  WW_SWIGLU_MATCH_DEFAULT
} ww_swiglu_match;
typedef struct {
  ww_swiglu_match match;
  const ww_swiglu_configuration *configuration;  /* null when nothing matches */
  const ww_swiglu_board *nearest;  /* the nearest tuned problem, if one was asked */
  double distance;  /* to it; 1 is a factor of two in one size */
  double score;  /* expected best time / time; 0 of a default */
  ww_swiglu_limits limits;  /* for launch() */
} ww_swiglu_selection;

#define WW_SWIGLU_DEVICE_COUNT 1
#define WW_SWIGLU_BOARD_COUNT 5
#define WW_SWIGLU_CANDIDATE_COUNT 8
#define WW_SWIGLU_CONFIGURATION_COUNT 11

static const ww_swiglu_device ww_swiglu_devices[WW_SWIGLU_DEVICE_COUNT] = {
    {"NVIDIA H200", "sm_90a", {/*max_shared*/ 232448, /*sm_count*/ 132}},
};

/* The portfolio; after it the contract's defaults of every variant. */
static const ww_swiglu_configuration ww_swiglu_configurations[WW_SWIGLU_CONFIGURATION_COUNT] = {
    /* 0: flat LOAD_HINT=none STORE_HINT=none THREADS=64 THREADS_PER_SM=1024 UNROLL=1
       VECTOR_BYTES=16; wins 1 problem */
    {WW_SWIGLU_VARIANT_FLAT, /*threads*/ 64, /*threads_per_sm*/ 1024, /*unroll*/ 1, /*prefetch*/ 1,
     /*vector_bytes*/ 16, /*load_hint*/ WW_SWIGLU_LOAD_HINT_NONE,
     /*store_hint*/ WW_SWIGLU_STORE_HINT_NONE,
     "flat.cu", 1,
     {{"swiglu", {64, 1, 1}, {1, 1, 1}, 0}},
     {32, 0, 0}, "flat LOAD_HINT=none STORE_HINT=none THREADS=64 THREADS_PER_SM=1024 UNROLL=1 VECTOR_BYTES=16"},
    /* 1: flat LOAD_HINT=none STORE_HINT=none THREADS=256 THREADS_PER_SM=1024 UNROLL=1
       VECTOR_BYTES=8; wins 1 problem */
    {WW_SWIGLU_VARIANT_FLAT, /*threads*/ 256, /*threads_per_sm*/ 1024, /*unroll*/ 1, /*prefetch*/ 1,
     /*vector_bytes*/ 8, /*load_hint*/ WW_SWIGLU_LOAD_HINT_NONE,
     /*store_hint*/ WW_SWIGLU_STORE_HINT_NONE,
     "flat.cu", 1,
     {{"swiglu", {256, 1, 1}, {1, 1, 1}, 0}},
     {26, 0, 0}, "flat LOAD_HINT=none STORE_HINT=none THREADS=256 THREADS_PER_SM=1024 UNROLL=1 VECTOR_BYTES=8"},
    /* 2: flat LOAD_HINT=none STORE_HINT=streaming THREADS=256 THREADS_PER_SM=1024 UNROLL=4
       VECTOR_BYTES=16; wins 1 problem */
    {WW_SWIGLU_VARIANT_FLAT, /*threads*/ 256, /*threads_per_sm*/ 1024, /*unroll*/ 4, /*prefetch*/ 1,
     /*vector_bytes*/ 16, /*load_hint*/ WW_SWIGLU_LOAD_HINT_NONE,
     /*store_hint*/ WW_SWIGLU_STORE_HINT_STREAMING,
     "flat.cu", 1,
     {{"swiglu", {256, 1, 1}, {1, 1, 1}, 0}},
     {64, 0, 0}, "flat LOAD_HINT=none STORE_HINT=streaming THREADS=256 THREADS_PER_SM=1024 UNROLL=4 VECTOR_BYTES=16"},
    /* 3: flat LOAD_HINT=none STORE_HINT=none THREADS=256 THREADS_PER_SM=2048 UNROLL=1
       VECTOR_BYTES=8 */
    {WW_SWIGLU_VARIANT_FLAT, /*threads*/ 256, /*threads_per_sm*/ 2048, /*unroll*/ 1, /*prefetch*/ 1,
     /*vector_bytes*/ 8, /*load_hint*/ WW_SWIGLU_LOAD_HINT_NONE,
     /*store_hint*/ WW_SWIGLU_STORE_HINT_NONE,
     "flat.cu", 1,
     {{"swiglu", {256, 1, 1}, {1, 1, 1}, 0}},
     {26, 0, 0}, "flat LOAD_HINT=none STORE_HINT=none THREADS=256 THREADS_PER_SM=2048 UNROLL=1 VECTOR_BYTES=8"},
    /* 4: flat LOAD_HINT=streaming STORE_HINT=streaming THREADS=512 THREADS_PER_SM=1024 UNROLL=4
       VECTOR_BYTES=16 */
    {WW_SWIGLU_VARIANT_FLAT, /*threads*/ 512, /*threads_per_sm*/ 1024, /*unroll*/ 4, /*prefetch*/ 1,
     /*vector_bytes*/ 16, /*load_hint*/ WW_SWIGLU_LOAD_HINT_STREAMING,
     /*store_hint*/ WW_SWIGLU_STORE_HINT_STREAMING,
     "flat.cu", 1,
     {{"swiglu", {512, 1, 1}, {1, 1, 1}, 0}},
     {64, 0, 0}, "flat LOAD_HINT=streaming STORE_HINT=streaming THREADS=512 THREADS_PER_SM=1024 UNROLL=4 VECTOR_BYTES=16"},
    /* 5: flat LOAD_HINT=none STORE_HINT=none THREADS=512 THREADS_PER_SM=2048 UNROLL=1
       VECTOR_BYTES=8; wins 1 problem */
    {WW_SWIGLU_VARIANT_FLAT, /*threads*/ 512, /*threads_per_sm*/ 2048, /*unroll*/ 1, /*prefetch*/ 1,
     /*vector_bytes*/ 8, /*load_hint*/ WW_SWIGLU_LOAD_HINT_NONE,
     /*store_hint*/ WW_SWIGLU_STORE_HINT_NONE,
     "flat.cu", 1,
     {{"swiglu", {512, 1, 1}, {1, 1, 1}, 0}},
     {26, 0, 0}, "flat LOAD_HINT=none STORE_HINT=none THREADS=512 THREADS_PER_SM=2048 UNROLL=1 VECTOR_BYTES=8"},
    /* 6: flat LOAD_HINT=none STORE_HINT=none THREADS=1024 THREADS_PER_SM=1024 UNROLL=1
       VECTOR_BYTES=16; wins 1 problem */
    {WW_SWIGLU_VARIANT_FLAT, /*threads*/ 1024, /*threads_per_sm*/ 1024, /*unroll*/ 1,
     /*prefetch*/ 1, /*vector_bytes*/ 16, /*load_hint*/ WW_SWIGLU_LOAD_HINT_NONE,
     /*store_hint*/ WW_SWIGLU_STORE_HINT_NONE,
     "flat.cu", 1,
     {{"swiglu", {1024, 1, 1}, {1, 1, 1}, 0}},
     {32, 0, 0}, "flat LOAD_HINT=none STORE_HINT=none THREADS=1024 THREADS_PER_SM=1024 UNROLL=1 VECTOR_BYTES=16"},
    /* 7: persistent LOAD_HINT=none PREFETCH=0 STORE_HINT=none THREADS=512 THREADS_PER_SM=2048
       UNROLL=1 VECTOR_BYTES=8 */
    {WW_SWIGLU_VARIANT_PERSISTENT, /*threads*/ 512, /*threads_per_sm*/ 2048, /*unroll*/ 1,
     /*prefetch*/ 0, /*vector_bytes*/ 8, /*load_hint*/ WW_SWIGLU_LOAD_HINT_NONE,
     /*store_hint*/ WW_SWIGLU_STORE_HINT_NONE,
     "persistent.cu", 1,
     {{"swiglu", {512, 1, 1}, {1, 1, 1}, 0}},
     {29, 0, 0}, "persistent LOAD_HINT=none PREFETCH=0 STORE_HINT=none THREADS=512 THREADS_PER_SM=2048 UNROLL=1 VECTOR_BYTES=8"},
    /* 8: flat LOAD_HINT=none STORE_HINT=none THREADS=256 THREADS_PER_SM=1024 UNROLL=2
       VECTOR_BYTES=16, the defaults */
    {WW_SWIGLU_VARIANT_FLAT, /*threads*/ 256, /*threads_per_sm*/ 1024, /*unroll*/ 2, /*prefetch*/ 1,
     /*vector_bytes*/ 16, /*load_hint*/ WW_SWIGLU_LOAD_HINT_NONE,
     /*store_hint*/ WW_SWIGLU_STORE_HINT_NONE,
     "flat.cu", 1,
     {{"swiglu", {256, 1, 1}, {1, 1, 1}, 0}},
     {-1, -1, -1}, "flat LOAD_HINT=none STORE_HINT=none THREADS=256 THREADS_PER_SM=1024 UNROLL=2 VECTOR_BYTES=16"},
    /* 9: persistent LOAD_HINT=none PREFETCH=1 STORE_HINT=none THREADS=256 THREADS_PER_SM=1024
       UNROLL=2 VECTOR_BYTES=16, the defaults */
    {WW_SWIGLU_VARIANT_PERSISTENT, /*threads*/ 256, /*threads_per_sm*/ 1024, /*unroll*/ 2,
     /*prefetch*/ 1, /*vector_bytes*/ 16, /*load_hint*/ WW_SWIGLU_LOAD_HINT_NONE,
     /*store_hint*/ WW_SWIGLU_STORE_HINT_NONE,
     "persistent.cu", 1,
     {{"swiglu", {256, 1, 1}, {1, 1, 1}, 0}},
     {-1, -1, -1}, "persistent LOAD_HINT=none PREFETCH=1 STORE_HINT=none THREADS=256 THREADS_PER_SM=1024 UNROLL=2 VECTOR_BYTES=16"},
    /* 10: scalar THREADS=256, the defaults */
    {WW_SWIGLU_VARIANT_SCALAR, /*threads*/ 256, /*threads_per_sm*/ 1024, /*unroll*/ 2,
     /*prefetch*/ 1, /*vector_bytes*/ 16, /*load_hint*/ WW_SWIGLU_LOAD_HINT_NONE,
     /*store_hint*/ WW_SWIGLU_STORE_HINT_NONE,
     "scalar.cu", 1,
     {{"swiglu", {256, 1, 1}, {1, 1, 1}, 0}},
     {-1, -1, -1}, "scalar THREADS=256"},
};

static const ww_swiglu_board ww_swiglu_boards[WW_SWIGLU_BOARD_COUNT] = {
    /* 0: rows=1 d=4096 dtype=bf16 on NVIDIA H200 */
    {0, {1, 4096, WW_SWIGLU_DTYPE_BF16}, 1, 0.816, 0.8, 0.8480001, 0, "cold-graph-1",
     196, 200, 2,
     "persistent LOAD_HINT=none PREFETCH=0 STORE_HINT=none THREADS=256 THREADS_PER_SM=1024 UNROLL=1 VECTOR_BYTES=8\n"
     "flat LOAD_HINT=none STORE_HINT=none THREADS=256 THREADS_PER_SM=2048 UNROLL=1 VECTOR_BYTES=8\n",
     "580.159.04", "13.0", "warpwright 0.1.0", "2026-11-21T10:26:03Z",
     "1dd83f818b3d2358790b9ea8af40d489da170e480bfda4020d9003d465bd4adf"},
    /* 1: rows=32 d=8192 dtype=bf16 on NVIDIA H200 */
    {0, {32, 8192, WW_SWIGLU_DTYPE_BF16}, 5, 1.552, 1.536, 1.584, 0, "cold-graph-1",
     196, 200, 6,
     "flat LOAD_HINT=none STORE_HINT=streaming THREADS=512 THREADS_PER_SM=1024 UNROLL=1 VECTOR_BYTES=16\n"
     "flat LOAD_HINT=none STORE_HINT=none THREADS=512 THREADS_PER_SM=1024 UNROLL=1 VECTOR_BYTES=16\n"
     "flat LOAD_HINT=none STORE_HINT=streaming THREADS=512 THREADS_PER_SM=2048 UNROLL=1 VECTOR_BYTES=16\n"
     "persistent LOAD_HINT=none PREFETCH=0 STORE_HINT=none THREADS=256 THREADS_PER_SM=1024 UNROLL=1 VECTOR_BYTES=8\n"
     "persistent LOAD_HINT=none PREFETCH=0 STORE_HINT=streaming THREADS=512 THREADS_PER_SM=2048 UNROLL=1 VECTOR_BYTES=16\n"
     "flat LOAD_HINT=none STORE_HINT=none THREADS=64 THREADS_PER_SM=1024 UNROLL=1 VECTOR_BYTES=16\n",
     "580.159.04", "13.0", "warpwright 0.1.0", "2026-11-21T10:26:08Z",
     "1dd83f818b3d2358790b9ea8af40d489da170e480bfda4020d9003d465bd4adf"},
    /* 2: rows=128 d=14336 dtype=bf16 on NVIDIA H200 */
    {0, {128, 14336, WW_SWIGLU_DTYPE_BF16}, 2, 4.2, 4.16, 4.24, 0, "cold-graph-1",
     196, 60, 1,
     "flat LOAD_HINT=streaming STORE_HINT=streaming THREADS=256 THREADS_PER_SM=1024 UNROLL=4 VECTOR_BYTES=16\n",
     "580.159.04", "13.0", "warpwright 0.1.0", "2026-11-21T10:26:00Z",
     "1dd83f818b3d2358790b9ea8af40d489da170e480bfda4020d9003d465bd4adf"},
    /* 3: rows=1024 d=8192 dtype=bf16 on NVIDIA H200 */
    {0, {1024, 8192, WW_SWIGLU_DTYPE_BF16}, 0, 14.144, 14.112, 14.176, 0, "cold-graph-1",
     196, 30, 5,
     "flat LOAD_HINT=streaming STORE_HINT=streaming THREADS=512 THREADS_PER_SM=1024 UNROLL=4 VECTOR_BYTES=16\n"
     "flat LOAD_HINT=streaming STORE_HINT=streaming THREADS=64 THREADS_PER_SM=1024 UNROLL=4 VECTOR_BYTES=16\n"
     "flat LOAD_HINT=none STORE_HINT=none THREADS=64 THREADS_PER_SM=2048 UNROLL=1 VECTOR_BYTES=16\n"
     "flat LOAD_HINT=none STORE_HINT=none THREADS=64 THREADS_PER_SM=1024 UNROLL=2 VECTOR_BYTES=16\n"
     "flat LOAD_HINT=none STORE_HINT=streaming THREADS=64 THREADS_PER_SM=1024 UNROLL=1 VECTOR_BYTES=16\n",
     "580.159.04", "13.0", "warpwright 0.1.0", "2026-11-21T10:26:22Z",
     "1dd83f818b3d2358790b9ea8af40d489da170e480bfda4020d9003d465bd4adf"},
    /* 4: rows=8192 d=14336 dtype=bf16 on NVIDIA H200 */
    {0, {8192, 14336, WW_SWIGLU_DTYPE_BF16}, 6, 162.528, 162.464, 162.656, 0, "cold-graph-1",
     196, 30, 15,
     "flat LOAD_HINT=none STORE_HINT=streaming THREADS=512 THREADS_PER_SM=2048 UNROLL=1 VECTOR_BYTES=16\n"
     "flat LOAD_HINT=none STORE_HINT=streaming THREADS=512 THREADS_PER_SM=1024 UNROLL=2 VECTOR_BYTES=16\n"
     "flat LOAD_HINT=none STORE_HINT=none THREADS=1024 THREADS_PER_SM=2048 UNROLL=1 VECTOR_BYTES=16\n"
     "flat LOAD_HINT=none STORE_HINT=streaming THREADS=1024 THREADS_PER_SM=1024 UNROLL=1 VECTOR_BYTES=16\n"
     "flat LOAD_HINT=none STORE_HINT=streaming THREADS=1024 THREADS_PER_SM=2048 UNROLL=1 VECTOR_BYTES=16\n"
     "flat LOAD_HINT=none STORE_HINT=streaming THREADS=512 THREADS_PER_SM=1024 UNROLL=1 VECTOR_BYTES=16\n"
     "flat LOAD_HINT=none STORE_HINT=none THREADS=512 THREADS_PER_SM=1024 UNROLL=2 VECTOR_BYTES=16\n"
     "flat LOAD_HINT=none STORE_HINT=none THREADS=256 THREADS_PER_SM=1024 UNROLL=2 VECTOR_BYTES=16\n"
     "flat LOAD_HINT=none STORE_HINT=streaming THREADS=64 THREADS_PER_SM=1024 UNROLL=1 VECTOR_BYTES=16\n"
     "flat LOAD_HINT=none STORE_HINT=streaming THREADS=256 THREADS_PER_SM=1024 UNROLL=2 VECTOR_BYTES=16\n"
     "flat LOAD_HINT=none STORE_HINT=none THREADS=512 THREADS_PER_SM=2048 UNROLL=1 VECTOR_BYTES=16\n"
     "flat LOAD_HINT=none STORE_HINT=none THREADS=64 THREADS_PER_SM=2048 UNROLL=1 VECTOR_BYTES=16\n"
     "flat LOAD_HINT=none STORE_HINT=streaming THREADS=64 THREADS_PER_SM=2048 UNROLL=1 VECTOR_BYTES=16\n"
     "flat LOAD_HINT=none STORE_HINT=streaming THREADS=256 THREADS_PER_SM=2048 UNROLL=1 VECTOR_BYTES=16\n"
     "flat LOAD_HINT=none STORE_HINT=streaming THREADS=256 THREADS_PER_SM=1024 UNROLL=1 VECTOR_BYTES=16\n",
     "580.159.04", "13.0", "warpwright 0.1.0", "2026-11-21T10:25:50Z",
     "1dd83f818b3d2358790b9ea8af40d489da170e480bfda4020d9003d465bd4adf"},
};

/* Thousandths of the best that each candidate reaches on each tuned problem, at most that where
   it was stopped early; -1: not tried. */
static const short ww_swiglu_fractions[WW_SWIGLU_CANDIDATE_COUNT][WW_SWIGLU_BOARD_COUNT] = {
    { 981,  990,  962, 1000,  998},
    {1000,  951, 1000,  974,  969},
    {  -1,  719, 1000,  969,  995},
    {1000, 1000,  983,  958,  969},
    {  -1,   -1,  998, 1000,  916},
    { 864, 1000,  931,  934,  930},
    { 739,  970,  987,  995, 1000},
    { 927, 1000, 1000,  959,  955},
};

static const double ww_swiglu_work_scale = 2.0;
static const double ww_swiglu_nearby = 2.0;
static const double ww_swiglu_prior_fraction = 0.5;
static const double ww_swiglu_prior_weight = 0.2;
static const double ww_swiglu_score_tie = 1e-09;
#define WW_SWIGLU_AXIS_COUNT 2

/* Without <math.h>, so that nothing has to be linked. */
static inline double ww_swiglu_log2(double v) {
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
static inline double ww_swiglu_root(double v) {
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
static inline double ww_swiglu_size_scale(double v) { return v < 0 ? -ww_swiglu_log2(1 - v) : ww_swiglu_log2(1 + v); }

/* A value of the contract's expressions: a 64-bit integer (booleans are 0 and 1), a real, or a text.
   What cannot be evaluated (overflow, division by zero, a wrong type) is a fault, and so is
   everything made of it. */
enum ww_swiglu_kind { WW_SWIGLU_FAULT, WW_SWIGLU_INTEGER, WW_SWIGLU_REAL, WW_SWIGLU_TEXT };
typedef struct {
  enum ww_swiglu_kind kind;
  long long integer;
  double real;
  const char *text;
} ww_swiglu_value;
static const long long ww_swiglu_largest = 9223372036854775807LL;
static const long long ww_swiglu_lowest = -9223372036854775807LL - 1;
static inline ww_swiglu_value ww_swiglu_fault(void) {
  const ww_swiglu_value v = {WW_SWIGLU_FAULT, 0, 0, 0};
  return v;
}
static inline ww_swiglu_value ww_swiglu_integer(long long integer) {
  const ww_swiglu_value v = {WW_SWIGLU_INTEGER, integer, 0, 0};
  return v;
}
static inline ww_swiglu_value ww_swiglu_real(double real) {
  const ww_swiglu_value v = {WW_SWIGLU_REAL, 0, real, 0};
  return real - real == 0 ? v : ww_swiglu_fault();
}
static inline ww_swiglu_value ww_swiglu_text(const char *text) {
  const ww_swiglu_value v = {WW_SWIGLU_TEXT, 0, 0, text};
  return text != 0 ? v : ww_swiglu_fault();
}
static inline int ww_swiglu_number(ww_swiglu_value v) { return v.kind == WW_SWIGLU_INTEGER || v.kind == WW_SWIGLU_REAL; }
static inline int ww_swiglu_integers(ww_swiglu_value a, ww_swiglu_value b) { return a.kind == WW_SWIGLU_INTEGER && b.kind == WW_SWIGLU_INTEGER; }
static inline int ww_swiglu_numbers(ww_swiglu_value a, ww_swiglu_value b) { return ww_swiglu_number(a) && ww_swiglu_number(b); }
static inline double ww_swiglu_as_real(ww_swiglu_value v) { return v.kind == WW_SWIGLU_REAL ? v.real : (double)v.integer; }
static inline int ww_swiglu_holds(ww_swiglu_value v) {
  return v.kind == WW_SWIGLU_REAL ? v.real != 0 : v.kind == WW_SWIGLU_INTEGER && v.integer != 0;
}
static inline int ww_swiglu_same_text(const char *a, const char *b) {
  if (a == 0 || b == 0) return 0;
  while (*a != '\0' && *a == *b) {
    ++a;
    ++b;
  }
  return *a == *b;
}
static inline ww_swiglu_value ww_swiglu_multiply(ww_swiglu_value a, ww_swiglu_value b) {
  const long long x = a.integer;
  const long long y = b.integer;
  if (!ww_swiglu_numbers(a, b)) return ww_swiglu_fault();
  if (!ww_swiglu_integers(a, b)) return ww_swiglu_real(ww_swiglu_as_real(a) * ww_swiglu_as_real(b));
  if (x == 0 || y == 0) return ww_swiglu_integer(0);
  if (x > 0 ? (y > 0 ? x > ww_swiglu_largest / y : y < ww_swiglu_lowest / x)
            : (y > 0 ? x < ww_swiglu_lowest / y : y < ww_swiglu_largest / x))
    return ww_swiglu_fault();
  return ww_swiglu_integer(x * y);
}
static inline ww_swiglu_value ww_swiglu_divide(ww_swiglu_value a, ww_swiglu_value b) {
  if (!ww_swiglu_numbers(a, b) || ww_swiglu_as_real(b) == 0) return ww_swiglu_fault();
  if (!ww_swiglu_integers(a, b)) return ww_swiglu_real(ww_swiglu_as_real(a) / ww_swiglu_as_real(b));
  if (b.integer == -1) return a.integer == ww_swiglu_lowest ? ww_swiglu_fault() : ww_swiglu_integer(-a.integer);
  return ww_swiglu_integer(a.integer / b.integer);
}
static inline ww_swiglu_value ww_swiglu_remainder(ww_swiglu_value a, ww_swiglu_value b) {
  if (!ww_swiglu_integers(a, b) || b.integer == 0) return ww_swiglu_fault();
  return ww_swiglu_integer(b.integer == -1 ? 0 : a.integer % b.integer);
}
static inline ww_swiglu_value ww_swiglu_ceil_div(ww_swiglu_value a, ww_swiglu_value b) {
  if (!ww_swiglu_integers(a, b) || b.integer <= 0) return ww_swiglu_fault();
  return ww_swiglu_integer(a.integer / b.integer + (a.integer % b.integer > 0 ? 1 : 0));
}
static inline ww_swiglu_value ww_swiglu_not(ww_swiglu_value v) {
  return ww_swiglu_number(v) ? ww_swiglu_integer(!ww_swiglu_holds(v)) : ww_swiglu_fault();
}
static inline ww_swiglu_value ww_swiglu_less(ww_swiglu_value a, ww_swiglu_value b) {
  if (!ww_swiglu_numbers(a, b)) return ww_swiglu_fault();
  return ww_swiglu_integer(ww_swiglu_integers(a, b) ? a.integer < b.integer : ww_swiglu_as_real(a) < ww_swiglu_as_real(b));
}
static inline ww_swiglu_value ww_swiglu_greater_equal(ww_swiglu_value a, ww_swiglu_value b) { return ww_swiglu_not(ww_swiglu_less(a, b)); }
static inline ww_swiglu_value ww_swiglu_equal(ww_swiglu_value a, ww_swiglu_value b) {
  if (a.kind == WW_SWIGLU_TEXT && b.kind == WW_SWIGLU_TEXT) return ww_swiglu_integer(ww_swiglu_same_text(a.text, b.text));
  if (!ww_swiglu_numbers(a, b)) return ww_swiglu_fault();
  return ww_swiglu_integer(ww_swiglu_integers(a, b) ? a.integer == b.integer : ww_swiglu_as_real(a) == ww_swiglu_as_real(b));
}
static inline ww_swiglu_value ww_swiglu_smaller(ww_swiglu_value a, ww_swiglu_value b) {
  if (!ww_swiglu_numbers(a, b)) return ww_swiglu_fault();
  if (ww_swiglu_integers(a, b)) return b.integer < a.integer ? b : a;
  return ww_swiglu_real(ww_swiglu_as_real(b) < ww_swiglu_as_real(a) ? ww_swiglu_as_real(b) : ww_swiglu_as_real(a));
}
static inline ww_swiglu_value ww_swiglu_bytes_of(ww_swiglu_value v) {
  static const char *const names[] = {"f64", "i64", "u64", "f32", "i32", "u32", "f16", "bf16",
                                      "i16", "u16", "i8",  "u8",  "e4m3", "e5m2", "bool"};
  static const int bytes[] = {8, 8, 8, 4, 4, 4, 2, 2, 2, 2, 1, 1, 1, 1, 1};
  int i;
  if (v.kind != WW_SWIGLU_TEXT) return ww_swiglu_fault();
  for (i = 0; i < 15; ++i) {
    if (ww_swiglu_same_text(v.text, names[i])) return ww_swiglu_integer(bytes[i]);
  }
  return ww_swiglu_fault();
}

static inline int ww_swiglu_same_category(ww_swiglu_problem a, ww_swiglu_problem b) {
  return a.dtype == b.dtype;
}
static inline int ww_swiglu_same_sizes(ww_swiglu_problem a, ww_swiglu_problem b) {
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
} ww_swiglu_place;
static inline ww_swiglu_place ww_swiglu_place_of(ww_swiglu_problem problem) {
  const ww_swiglu_value rows = ww_swiglu_integer(problem.rows);
  const ww_swiglu_value d = ww_swiglu_integer(problem.d);
  const ww_swiglu_value dtype = ww_swiglu_text(ww_swiglu_dtype_name(problem.dtype));
  /* Bytes that the contract counts. */
  const ww_swiglu_value work = ww_swiglu_multiply(ww_swiglu_multiply(ww_swiglu_multiply(ww_swiglu_integer(3), rows), d), ww_swiglu_bytes_of(dtype));
  ww_swiglu_place place;
  place.axes[0] = ww_swiglu_size_scale((double)problem.rows);
  place.axes[1] = ww_swiglu_size_scale((double)problem.d);
  place.counted = ww_swiglu_number(work);
  place.work = place.counted ? ww_swiglu_size_scale(ww_swiglu_as_real(work)) : 0;
  return place;
}

static inline ww_swiglu_limits ww_swiglu_complete(ww_swiglu_limits given, ww_swiglu_limits tuned) {
  if (given.max_shared == 0) given.max_shared = tuned.max_shared;
  if (given.sm_count == 0) given.sm_count = tuned.sm_count;
  return given;
}

static inline int ww_swiglu_allowed_scalar(ww_swiglu_configuration configuration, ww_swiglu_problem problem,
    ww_swiglu_limits limits) {
  const ww_swiglu_value threads = ww_swiglu_integer(configuration.threads);
  (void)problem;
  (void)limits;
  /* a block is made of whole warps */
  if (!ww_swiglu_holds(ww_swiglu_equal(ww_swiglu_remainder(threads, ww_swiglu_integer(32)), ww_swiglu_integer(0)))) return 0;
  return 1;
}

static inline int ww_swiglu_allowed_flat(ww_swiglu_configuration configuration, ww_swiglu_problem problem,
    ww_swiglu_limits limits) {
  const ww_swiglu_value dtype = ww_swiglu_text(ww_swiglu_dtype_name(problem.dtype));
  const ww_swiglu_value threads = ww_swiglu_integer(configuration.threads);
  const ww_swiglu_value threads_per_sm = ww_swiglu_integer(configuration.threads_per_sm);
  const ww_swiglu_value vector_bytes = ww_swiglu_integer(configuration.vector_bytes);
  (void)limits;
  /* a block is made of whole warps */
  if (!ww_swiglu_holds(ww_swiglu_equal(ww_swiglu_remainder(threads, ww_swiglu_integer(32)), ww_swiglu_integer(0)))) return 0;
  /* an access holds at least one element */
  if (!ww_swiglu_holds(ww_swiglu_greater_equal(vector_bytes, ww_swiglu_bytes_of(dtype)))) return 0;
  /* blocks of THREADS must add up to THREADS_PER_SM */
  if (!ww_swiglu_holds(ww_swiglu_equal(ww_swiglu_remainder(threads_per_sm, threads), ww_swiglu_integer(0)))) return 0;
  return 1;
}

static inline int ww_swiglu_allowed_persistent(ww_swiglu_configuration configuration, ww_swiglu_problem problem,
    ww_swiglu_limits limits) {
  const ww_swiglu_value dtype = ww_swiglu_text(ww_swiglu_dtype_name(problem.dtype));
  const ww_swiglu_value threads = ww_swiglu_integer(configuration.threads);
  const ww_swiglu_value threads_per_sm = ww_swiglu_integer(configuration.threads_per_sm);
  const ww_swiglu_value vector_bytes = ww_swiglu_integer(configuration.vector_bytes);
  (void)limits;
  /* a block is made of whole warps */
  if (!ww_swiglu_holds(ww_swiglu_equal(ww_swiglu_remainder(threads, ww_swiglu_integer(32)), ww_swiglu_integer(0)))) return 0;
  /* an access holds at least one element */
  if (!ww_swiglu_holds(ww_swiglu_greater_equal(vector_bytes, ww_swiglu_bytes_of(dtype)))) return 0;
  /* blocks of THREADS must add up to THREADS_PER_SM */
  if (!ww_swiglu_holds(ww_swiglu_equal(ww_swiglu_remainder(threads_per_sm, threads), ww_swiglu_integer(0)))) return 0;
  return 1;
}

/* The contract's types and limits of every size. */
static inline int ww_swiglu_valid(ww_swiglu_problem problem) {
  if (problem.rows < 1) return 0;
  if (problem.d < 1) return 0;
  if (ww_swiglu_dtype_name(problem.dtype) == 0) return 0;
  return 1;
}

/* Every constraint of the contract and of the variant holds for this problem on a device with
   these limits. */
static inline int ww_swiglu_allowed(ww_swiglu_configuration configuration, ww_swiglu_problem problem,
    ww_swiglu_limits limits) {
  switch (configuration.variant) {
    case WW_SWIGLU_VARIANT_SCALAR:
      return ww_swiglu_allowed_scalar(configuration, problem, limits);
    case WW_SWIGLU_VARIANT_FLAT:
      return ww_swiglu_allowed_flat(configuration, problem, limits);
    case WW_SWIGLU_VARIANT_PERSISTENT:
      return ww_swiglu_allowed_persistent(configuration, problem, limits);
  }
  return 0;
}


/* "sm_90" and "sm_90a" are one architecture here. */
static inline int ww_swiglu_arch_length(const char *arch) {
  int length = 0;
  while (arch[length] != '\0') ++length;
  while (length > 0 && arch[length - 1] >= 'a' && arch[length - 1] <= 'z') --length;
  return length;
}
static inline int ww_swiglu_same_arch(const char *a, const char *b) {
  int length;
  int i;
  if (a == 0 || b == 0) return 0;
  length = ww_swiglu_arch_length(a);
  if (ww_swiglu_arch_length(b) != length) return 0;
  for (i = 0; i < length; ++i) {
    if (a[i] != b[i]) return 0;
  }
  return 1;
}

static inline double ww_swiglu_squared_distance(ww_swiglu_place a, ww_swiglu_place b) {
  double sum = 0;
  int i;
  for (i = 0; i < WW_SWIGLU_AXIS_COUNT; ++i) sum += (a.axes[i] - b.axes[i]) * (a.axes[i] - b.axes[i]);
  if (a.counted && b.counted)
    sum += ww_swiglu_work_scale * (a.work - b.work) * (ww_swiglu_work_scale * (a.work - b.work));
  return sum;
}

static inline ww_swiglu_selection ww_swiglu_no_selection(void) {
  ww_swiglu_selection result;
  result.match = WW_SWIGLU_MATCH_NONE;
  result.configuration = 0;
  result.nearest = 0;
  result.distance = 0;
  result.score = 0;
  result.limits = ww_swiglu_devices[0].limits;
  return result;
}

/* The vote of the tuned problems on this device, or on others of its architecture. */
static inline ww_swiglu_selection ww_swiglu_vote(ww_swiglu_device device, ww_swiglu_problem problem, int same_device) {
  const ww_swiglu_place asked = ww_swiglu_place_of(problem);
  double weights[WW_SWIGLU_BOARD_COUNT];
  double total = 0;
  double least = 0;
  int i;
  const ww_swiglu_configuration *winner;
  ww_swiglu_selection result = ww_swiglu_no_selection();
  for (i = 0; i < WW_SWIGLU_BOARD_COUNT; ++i) {
    const ww_swiglu_board *board = &ww_swiglu_boards[i];
    const ww_swiglu_device *tuned = &ww_swiglu_devices[board->device];
    const int same = ww_swiglu_same_text(tuned->name, device.name);
    double squared;
    double closeness;
    int equal;
    weights[i] = 0;
    if (same != same_device || (!same && !ww_swiglu_same_arch(tuned->arch, device.arch))) continue;
    if (!ww_swiglu_same_category(board->problem, problem)) continue;
    squared = ww_swiglu_squared_distance(ww_swiglu_place_of(board->problem), asked);
    equal = ww_swiglu_same_sizes(board->problem, problem);
    if (result.nearest == 0 || squared < least || equal) {
      result.nearest = board;
      result.distance = ww_swiglu_root(squared);
      least = equal ? -1 : squared;
    }
    closeness = 1 / (ww_swiglu_nearby * ww_swiglu_nearby + squared);
    weights[i] = closeness * closeness;
    total += weights[i];
  }
  if (result.nearest == 0) return ww_swiglu_no_selection();
  result.limits = ww_swiglu_complete(device.limits, ww_swiglu_devices[result.nearest->device].limits);
  winner = &ww_swiglu_configurations[result.nearest->winner];
  if (least < 0 && ww_swiglu_allowed(*winner, problem, result.limits)) {
    result.match = same_device ? WW_SWIGLU_MATCH_EXACT : WW_SWIGLU_MATCH_NEAREST_SAME_ARCH;
    result.configuration = winner;
    result.score = 1;
    return result;
  }
  for (i = 0; i < WW_SWIGLU_CANDIDATE_COUNT; ++i) {
    double sum = ww_swiglu_prior_weight * ww_swiglu_prior_fraction;
    double known = ww_swiglu_prior_weight;
    int board;
    for (board = 0; board < WW_SWIGLU_BOARD_COUNT; ++board) {
      if (!(weights[board] > 0) || ww_swiglu_fractions[i][board] < 0) continue;
      sum += weights[board] / total * ww_swiglu_fractions[i][board] / 1000;
      known += weights[board] / total;
    }
    if (!(known > ww_swiglu_prior_weight) || !(sum / known > result.score + ww_swiglu_score_tie)) continue;
    if (!ww_swiglu_allowed(ww_swiglu_configurations[i], problem, result.limits)) continue;
    result.match = same_device ? WW_SWIGLU_MATCH_NEAREST_SAME_DEVICE : WW_SWIGLU_MATCH_NEAREST_SAME_ARCH;
    result.configuration = &ww_swiglu_configurations[i];
    result.score = sum / known;
  }
  return result;
}

static inline ww_swiglu_selection ww_swiglu_contract_default(ww_swiglu_device device, ww_swiglu_problem problem) {
  ww_swiglu_selection result = ww_swiglu_no_selection();
  int i;
  result.limits = ww_swiglu_complete(device.limits, ww_swiglu_devices[0].limits);
  for (i = WW_SWIGLU_CANDIDATE_COUNT; i < WW_SWIGLU_CONFIGURATION_COUNT; ++i) {
    if (!ww_swiglu_allowed(ww_swiglu_configurations[i], problem, result.limits)) continue;
    result.match = WW_SWIGLU_MATCH_DEFAULT;
    result.configuration = &ww_swiglu_configurations[i];
    break;
  }
  return result;
}

static inline ww_swiglu_selection ww_swiglu_select(ww_swiglu_device device, ww_swiglu_problem problem) {
  ww_swiglu_selection result = ww_swiglu_no_selection();
  if (!ww_swiglu_valid(problem)) return result;
  result = ww_swiglu_vote(device, problem, 1);
  if (result.configuration == 0) result = ww_swiglu_vote(device, problem, 0);
  if (result.configuration == 0) result = ww_swiglu_contract_default(device, problem);
  return result;
}

#define WW_SWIGLU_DEFINE_LENGTH 46
typedef struct {
  int count;
  char option[8][WW_SWIGLU_DEFINE_LENGTH];
} ww_swiglu_options;

typedef struct {
  int ok;  /* 0 or false: no such launch, or its extents cannot be computed */
  const char *entry;
  long long grid[3];
  long long block[3];
  long long cluster[3];
  long long shared_bytes;  /* dynamic */
} ww_swiglu_launch_plan;

static inline void ww_swiglu_put(ww_swiglu_options *out, int *at, const char *text) {
  for (; *text != '\0' && *at < WW_SWIGLU_DEFINE_LENGTH - 1; ++text) out->option[out->count][(*at)++] = *text;
  out->option[out->count][*at] = '\0';
}
static inline void ww_swiglu_put_integer(ww_swiglu_options *out, int *at, long long v) {
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
  ww_swiglu_put(out, at, digits + first);
}
/* In hexadecimal, which is exact. */
static inline void ww_swiglu_put_real(ww_swiglu_options *out, int *at, double v) {
  int exponent = 0;
  int i;
  char digit[2];
  if (v < 0) ww_swiglu_put(out, at, "-");
  if (v < 0) v = -v;
  for (; v >= 2; v /= 2) ++exponent;
  for (; v > 0 && v < 1; v *= 2) --exponent;
  ww_swiglu_put(out, at, v > 0 ? "0x1." : "0x0.");
  v -= v > 0 ? 1 : 0;
  digit[1] = '\0';
  for (i = 0; i < 13; ++i) {
    const int hex = (int)(v *= 16);
    digit[0] = "0123456789abcdef"[hex];
    ww_swiglu_put(out, at, digit);
    v -= hex;
  }
  ww_swiglu_put(out, at, "p");
  ww_swiglu_put_integer(out, at, exponent);
}
static inline void ww_swiglu_put_define(ww_swiglu_options *out, const char *macro, ww_swiglu_value v) {
  int at = 0;
  ww_swiglu_put(out, &at, "-D");
  ww_swiglu_put(out, &at, macro);
  ww_swiglu_put(out, &at, "=");
  if (v.kind == WW_SWIGLU_INTEGER) ww_swiglu_put_integer(out, &at, v.integer);
  if (v.kind == WW_SWIGLU_REAL) ww_swiglu_put_real(out, &at, v.real);
  if (v.kind == WW_SWIGLU_TEXT) ww_swiglu_put(out, &at, v.text);
  ++out->count;
}
static inline void ww_swiglu_set_extent(ww_swiglu_launch_plan *out, long long *extent, ww_swiglu_value v) {
  if (v.kind == WW_SWIGLU_INTEGER) *extent = v.integer;
  if (v.kind != WW_SWIGLU_INTEGER) out->ok = 0;
}

/* What NVRTC or nvcc is given to compile the configuration's source for the problem, one option
   an entry. */
static inline ww_swiglu_options ww_swiglu_defines(ww_swiglu_configuration configuration, ww_swiglu_problem problem) {
  ww_swiglu_options out;
  out.count = 0;
  switch (configuration.variant) {
    case WW_SWIGLU_VARIANT_SCALAR:
      ww_swiglu_put_define(&out, "THREADS", ww_swiglu_integer(configuration.threads));
      break;
    case WW_SWIGLU_VARIANT_FLAT:
      ww_swiglu_put_define(&out, "THREADS", ww_swiglu_integer(configuration.threads));
      ww_swiglu_put_define(&out, "THREADS_PER_SM", ww_swiglu_integer(configuration.threads_per_sm));
      ww_swiglu_put_define(&out, "UNROLL", ww_swiglu_integer(configuration.unroll));
      ww_swiglu_put_define(&out, "VECTOR_BYTES", ww_swiglu_integer(configuration.vector_bytes));
      ww_swiglu_put_define(&out, "LOAD_HINT", ww_swiglu_text(ww_swiglu_load_hint_name(configuration.load_hint)));
      ww_swiglu_put_define(&out, "STORE_HINT", ww_swiglu_text(ww_swiglu_store_hint_name(configuration.store_hint)));
      break;
    case WW_SWIGLU_VARIANT_PERSISTENT:
      ww_swiglu_put_define(&out, "THREADS", ww_swiglu_integer(configuration.threads));
      ww_swiglu_put_define(&out, "THREADS_PER_SM", ww_swiglu_integer(configuration.threads_per_sm));
      ww_swiglu_put_define(&out, "UNROLL", ww_swiglu_integer(configuration.unroll));
      ww_swiglu_put_define(&out, "PREFETCH", ww_swiglu_integer(configuration.prefetch));
      ww_swiglu_put_define(&out, "VECTOR_BYTES", ww_swiglu_integer(configuration.vector_bytes));
      ww_swiglu_put_define(&out, "LOAD_HINT", ww_swiglu_text(ww_swiglu_load_hint_name(configuration.load_hint)));
      ww_swiglu_put_define(&out, "STORE_HINT", ww_swiglu_text(ww_swiglu_store_hint_name(configuration.store_hint)));
      break;
  }
  ww_swiglu_put_define(&out, "DTYPE", ww_swiglu_text(ww_swiglu_dtype_name(problem.dtype)));
  return out;
}

static inline ww_swiglu_launch_plan ww_swiglu_no_launch(void) {
  ww_swiglu_launch_plan out;
  int i;
  out.ok = 0;
  out.entry = 0;
  out.shared_bytes = 0;
  for (i = 0; i < 3; ++i) out.grid[i] = out.block[i] = out.cluster[i] = 1;
  return out;
}

static inline ww_swiglu_launch_plan ww_swiglu_launch_scalar(ww_swiglu_configuration configuration, ww_swiglu_problem problem,
    ww_swiglu_limits limits, int index) {
  const ww_swiglu_value rows = ww_swiglu_integer(problem.rows);
  const ww_swiglu_value d = ww_swiglu_integer(problem.d);
  const ww_swiglu_value threads = ww_swiglu_integer(configuration.threads);
  (void)limits;
  ww_swiglu_launch_plan out = ww_swiglu_no_launch();
  switch (index) {
    case 0:
      out.ok = 1;
      out.entry = "swiglu";
      ww_swiglu_set_extent(&out, &out.grid[0], ww_swiglu_ceil_div(ww_swiglu_multiply(rows, d), threads));
      ww_swiglu_set_extent(&out, &out.block[0], threads);
      break;
    default:
      break;
  }
  return out;
}

static inline ww_swiglu_launch_plan ww_swiglu_launch_flat(ww_swiglu_configuration configuration, ww_swiglu_problem problem,
    ww_swiglu_limits limits, int index) {
  const ww_swiglu_value rows = ww_swiglu_integer(problem.rows);
  const ww_swiglu_value d = ww_swiglu_integer(problem.d);
  const ww_swiglu_value dtype = ww_swiglu_text(ww_swiglu_dtype_name(problem.dtype));
  const ww_swiglu_value threads = ww_swiglu_integer(configuration.threads);
  const ww_swiglu_value unroll = ww_swiglu_integer(configuration.unroll);
  const ww_swiglu_value vector_bytes = ww_swiglu_integer(configuration.vector_bytes);
  (void)limits;
  ww_swiglu_launch_plan out = ww_swiglu_no_launch();
  switch (index) {
    case 0:
      out.ok = 1;
      out.entry = "swiglu";
      ww_swiglu_set_extent(&out, &out.grid[0], ww_swiglu_ceil_div(ww_swiglu_multiply(rows, d), ww_swiglu_multiply(ww_swiglu_multiply(threads, unroll), ww_swiglu_divide(vector_bytes, ww_swiglu_bytes_of(dtype)))));
      ww_swiglu_set_extent(&out, &out.block[0], threads);
      break;
    default:
      break;
  }
  return out;
}

static inline ww_swiglu_launch_plan ww_swiglu_launch_persistent(ww_swiglu_configuration configuration, ww_swiglu_problem problem,
    ww_swiglu_limits limits, int index) {
  const ww_swiglu_value rows = ww_swiglu_integer(problem.rows);
  const ww_swiglu_value d = ww_swiglu_integer(problem.d);
  const ww_swiglu_value dtype = ww_swiglu_text(ww_swiglu_dtype_name(problem.dtype));
  const ww_swiglu_value threads = ww_swiglu_integer(configuration.threads);
  const ww_swiglu_value threads_per_sm = ww_swiglu_integer(configuration.threads_per_sm);
  const ww_swiglu_value unroll = ww_swiglu_integer(configuration.unroll);
  const ww_swiglu_value vector_bytes = ww_swiglu_integer(configuration.vector_bytes);
  const ww_swiglu_value device_sm_count = ww_swiglu_integer(limits.sm_count);
  ww_swiglu_launch_plan out = ww_swiglu_no_launch();
  switch (index) {
    case 0:
      out.ok = 1;
      out.entry = "swiglu";
      ww_swiglu_set_extent(&out, &out.grid[0], ww_swiglu_smaller(ww_swiglu_ceil_div(ww_swiglu_multiply(rows, d), ww_swiglu_multiply(ww_swiglu_multiply(threads, unroll), ww_swiglu_divide(vector_bytes, ww_swiglu_bytes_of(dtype)))), ww_swiglu_multiply(device_sm_count, ww_swiglu_divide(threads_per_sm, threads))));
      ww_swiglu_set_extent(&out, &out.block[0], threads);
      break;
    default:
      break;
  }
  return out;
}

/* Launch `index` of configuration.launch_count, in stream order. Give it the limits of the
   selection. */
static inline ww_swiglu_launch_plan ww_swiglu_launch(ww_swiglu_configuration configuration, ww_swiglu_problem problem,
    ww_swiglu_limits limits, int index) {
  switch (configuration.variant) {
    case WW_SWIGLU_VARIANT_SCALAR:
      return ww_swiglu_launch_scalar(configuration, problem, limits, index);
    case WW_SWIGLU_VARIANT_FLAT:
      return ww_swiglu_launch_flat(configuration, problem, limits, index);
    case WW_SWIGLU_VARIANT_PERSISTENT:
      return ww_swiglu_launch_persistent(configuration, problem, limits, index);
  }
  return ww_swiglu_no_launch();
}

#endif
