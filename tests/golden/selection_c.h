/* clang-format off */
/* row_mix: Mixes rows; "quoted" * / and // commented */
/* Tuned configurations, written by `warpwright export`. Do not edit: export again. (warpwright
   0.1.0) */
/* NVIDIA H200 (sm_90a): 4 problems, 48 configurations tried; times are measured. */
/* NVIDIA H100 (sm_90a): 1 problem, 12 configurations tried; times are measured. */
/* Left out one at a time, 3 of 4 tuned problems get a configuration within 10 % of their best
   from the others. */
/*
     const ww_row_mix_problem problem = {16, 64, WW_ROW_MIX_DTYPE_F32, 1, 1e-05, 0};
     const ww_row_mix_device device = {"NVIDIA H200", "sm_90a", {0}};
     const ww_row_mix_selection chosen = ww_row_mix_select(device, problem);
   chosen.configuration->source, compiled with ww_row_mix_defines(*chosen.configuration, problem), is
   launched as ww_row_mix_launch(*chosen.configuration, problem, chosen.limits, 0) says.
   C99, no other header. */
#ifndef WW_ROW_MIX_H_INCLUDED
#define WW_ROW_MIX_H_INCLUDED

typedef enum { WW_ROW_MIX_DTYPE_F32, WW_ROW_MIX_DTYPE_BF16 } ww_row_mix_dtype;
static inline const char *ww_row_mix_dtype_name(ww_row_mix_dtype v) {
  switch (v) {
    case WW_ROW_MIX_DTYPE_F32:
      return "f32";
    case WW_ROW_MIX_DTYPE_BF16:
      return "bf16";
  }
  return 0;
}

typedef enum { WW_ROW_MIX_HINT_NONE, WW_ROW_MIX_HINT_STREAMING } ww_row_mix_hint;
static inline const char *ww_row_mix_hint_name(ww_row_mix_hint v) {
  switch (v) {
    case WW_ROW_MIX_HINT_NONE:
      return "none";
    case WW_ROW_MIX_HINT_STREAMING:
      return "streaming";
  }
  return 0;
}

typedef enum { WW_ROW_MIX_VARIANT_WIDE, WW_ROW_MIX_VARIANT_WARP } ww_row_mix_variant;
static inline const char *ww_row_mix_variant_name(ww_row_mix_variant v) {
  switch (v) {
    case WW_ROW_MIX_VARIANT_WIDE:
      return "wide";
    case WW_ROW_MIX_VARIANT_WARP:
      return "warp";
  }
  return 0;
}

typedef struct {
  long long rows;  /* tokens; 1 to 65535 */
  long long K;  /* kept per row; 1 to 256 */
  ww_row_mix_dtype dtype;
  long long write_z;
  double eps;  /* at least 0 */
  int causal;
} ww_row_mix_problem;

/* Limits of a device that constraints and launches depend on; 0 is taken from the tuned device
   that is consulted. */
typedef struct {
  long long max_shared;
  long long sm_count;
} ww_row_mix_limits;

typedef struct {
  const char *name;  /* as the driver gives it: "NVIDIA H200" */
  const char *arch;  /* "sm_90a" */
  ww_row_mix_limits limits;
} ww_row_mix_device;

/* What of a launch does not depend on the problem. */
typedef struct {
  const char *entry;
  long long block[3];  /* 0: see launch() */
  long long cluster[3];  /* likewise */
  long long shared_bytes;  /* dynamic; -1: see launch() */
} ww_row_mix_launch_facts;

/* Of all launches the largest, as compiled when it was tuned; -1: not known. */
typedef struct {
  int registers;  /* per thread */
  int shared_bytes;  /* per block, static and dynamic */
  int spill_bytes;  /* per thread */
} ww_row_mix_resources;

/* Parameters that the variant does not have hold the contract's defaults. */
typedef struct {
  ww_row_mix_variant variant;
  long long threads;  /* THREADS: threads per block */
  ww_row_mix_hint hint;  /* HINT: of loads */
  double scale;  /* SCALE */
  const char *source;  /* file name */
  int launch_count;
  ww_row_mix_launch_facts launches[2];
  ww_row_mix_resources resources;
  const char *text;  /* as `warpwright show` prints it */
} ww_row_mix_configuration;

/* A tuned problem: what won, and how that is known. */
typedef struct {
  int device;  /* in devices */
  ww_row_mix_problem problem;
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
} ww_row_mix_board;

typedef enum {
  WW_ROW_MIX_MATCH_NONE,
  WW_ROW_MIX_MATCH_EXACT,
  WW_ROW_MIX_MATCH_NEAREST_SAME_DEVICE,
  WW_ROW_MIX_MATCH_NEAREST_SAME_ARCH,
  WW_ROW_MIX_MATCH_DEFAULT
} ww_row_mix_match;
typedef struct {
  ww_row_mix_match match;
  const ww_row_mix_configuration *configuration;  /* null when nothing matches */
  const ww_row_mix_board *nearest;  /* the nearest tuned problem, if one was asked */
  double distance;  /* to it; 1 is a factor of two in one size */
  double score;  /* expected best time / time; 0 of a default */
  ww_row_mix_limits limits;  /* for launch() */
} ww_row_mix_selection;

#define WW_ROW_MIX_DEVICE_COUNT 2
#define WW_ROW_MIX_BOARD_COUNT 5
#define WW_ROW_MIX_CANDIDATE_COUNT 4
#define WW_ROW_MIX_CONFIGURATION_COUNT 6

static const ww_row_mix_device ww_row_mix_devices[WW_ROW_MIX_DEVICE_COUNT] = {
    {"NVIDIA H200", "sm_90a", {/*max_shared*/ 232448, /*sm_count*/ 132}},
    {"NVIDIA H100", "sm_90a", {/*max_shared*/ 232448, /*sm_count*/ 114}},
};

/* The portfolio; after it the contract's defaults of every variant. */
static const ww_row_mix_configuration ww_row_mix_configurations[WW_ROW_MIX_CONFIGURATION_COUNT] = {
    /* 0: wide HINT=none THREADS=128; wins 2 problems */
    {WW_ROW_MIX_VARIANT_WIDE, /*threads*/ 128, /*hint*/ WW_ROW_MIX_HINT_NONE, /*scale*/ 0.5,
     "wide.cu", 1,
     {{"mix", {128, 1, 1}, {1, 1, 1}, 1024}, {0, {0, 0, 0}, {0, 0, 0}, -1}},
     {40, 128, 0}, "wide HINT=none THREADS=128"},
    /* 1: wide HINT=none THREADS=1024; wins 1 problem */
    {WW_ROW_MIX_VARIANT_WIDE, /*threads*/ 1024, /*hint*/ WW_ROW_MIX_HINT_NONE, /*scale*/ 0.5,
     "wide.cu", 1,
     {{"mix", {1024, 1, 1}, {1, 1, 1}, 8192}, {0, {0, 0, 0}, {0, 0, 0}, -1}},
     {40, 128, 0}, "wide HINT=none THREADS=1024"},
    /* 2: wide HINT=streaming THREADS=1024; wins 1 problem */
    {WW_ROW_MIX_VARIANT_WIDE, /*threads*/ 1024, /*hint*/ WW_ROW_MIX_HINT_STREAMING, /*scale*/ 0.5,
     "wide.cu", 1,
     {{"mix", {1024, 1, 1}, {1, 1, 1}, 8192}, {0, {0, 0, 0}, {0, 0, 0}, -1}},
     {40, 128, 0}, "wide HINT=streaming THREADS=1024"},
    /* 3: warp SCALE=0.25 THREADS=64; wins 1 problem */
    {WW_ROW_MIX_VARIANT_WARP, /*threads*/ 64, /*hint*/ WW_ROW_MIX_HINT_NONE, /*scale*/ 0.25,
     "warp.cu", 2,
     {{"part", {64, 1, 1}, {1, 1, 1}, -1}, {"merge", {32, 2, 1}, {2, 1, 1}, 0}},
     {40, 128, 0}, "warp SCALE=0.25 THREADS=64"},
    /* 4: warp SCALE=0.5 THREADS=256, the defaults */
    {WW_ROW_MIX_VARIANT_WARP, /*threads*/ 256, /*hint*/ WW_ROW_MIX_HINT_NONE, /*scale*/ 0.5,
     "warp.cu", 2,
     {{"part", {256, 1, 1}, {1, 1, 1}, -1}, {"merge", {32, 2, 1}, {2, 1, 1}, 0}},
     {-1, -1, -1}, "warp SCALE=0.5 THREADS=256"},
    /* 5: wide HINT=none THREADS=256, the defaults */
    {WW_ROW_MIX_VARIANT_WIDE, /*threads*/ 256, /*hint*/ WW_ROW_MIX_HINT_NONE, /*scale*/ 0.5,
     "wide.cu", 1,
     {{"mix", {256, 1, 1}, {1, 1, 1}, 2048}, {0, {0, 0, 0}, {0, 0, 0}, -1}},
     {-1, -1, -1}, "wide HINT=none THREADS=256"},
};

static const ww_row_mix_board ww_row_mix_boards[WW_ROW_MIX_BOARD_COUNT] = {
    /* 0: rows=16 K=64 on NVIDIA H200 */
    {0, {16, 64, WW_ROW_MIX_DTYPE_F32, 1, 1e-05, 0}, 1, 7.5, 7.25, 7.75, 0, "cold-graph-1",
     12, 46, 1,
     "wide HINT=streaming THREADS=1024\n",
     "580.159.04", "13.0", "warpwright 0.1.0", "2026-03-01T12:00:00Z",
     "hash-1"},
    /* 1: rows=4096 K=8 on NVIDIA H200 */
    {0, {4096, 8, WW_ROW_MIX_DTYPE_F32, 1, 1e-05, 0}, 3, 20.25, 20.0, 20.5, 0, "cold-graph-1",
     12, 0, 0,
     "",
     "580.159.04", "13.0", "warpwright 0.1.0", "2026-03-01T12:00:00Z",
     "hash-1"},
    /* 2: rows=4096 K=8 on NVIDIA H200 */
    {0, {4096, 8, WW_ROW_MIX_DTYPE_BF16, 1, 1e-05, 0}, 0, 15.0, 14.75, 15.25, 0, "cold-graph-1",
     12, 0, 0,
     "",
     "580.159.04", "13.0", "warpwright 0.1.0", "2026-03-01T12:00:00Z",
     "hash-1"},
    /* 3: rows=8192 K=32 on NVIDIA H200 */
    {0, {8192, 32, WW_ROW_MIX_DTYPE_F32, 1, 1e-05, 0}, 0, 60.125, 59.875, 60.375, 0, "cold-graph-1",
     12, 0, 0,
     "",
     "580.159.04", "13.0", "warpwright 0.1.0", "2026-03-01T12:00:00Z",
     "hash-1"},
    /* 4: rows=64 K=64 on NVIDIA H100 */
    {1, {64, 64, WW_ROW_MIX_DTYPE_F32, 1, 1e-05, 0}, 2, 9.0, 8.75, 9.25, 0, "cold-graph-1",
     12, 0, 0,
     "",
     "580.159.04", "13.0", "warpwright 0.1.0", "2026-03-01T12:00:00Z",
     "hash-1"},
};

/* Thousandths of the best that each candidate reaches on each tuned problem, at most that where
   it was stopped early; -1: not tried. */
static const short ww_row_mix_fractions[WW_ROW_MIX_CANDIDATE_COUNT][WW_ROW_MIX_BOARD_COUNT] = {
    { 500,  950, 1000, 1000,  610},
    {1000,  700,  800,  800,  990},
    { 990,  690,  790,  810, 1000},
    {  -1, 1000,  900,  985,   -1},
};

static const double ww_row_mix_work_scale = 2.0;
static const double ww_row_mix_nearby = 2.0;
static const double ww_row_mix_prior_fraction = 0.5;
static const double ww_row_mix_prior_weight = 0.2;
static const double ww_row_mix_score_tie = 1e-09;
#define WW_ROW_MIX_AXIS_COUNT 3

/* Without <math.h>, so that nothing has to be linked. */
static inline double ww_row_mix_log2(double v) {
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
static inline double ww_row_mix_root(double v) {
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
static inline double ww_row_mix_size_scale(double v) { return v < 0 ? -ww_row_mix_log2(1 - v) : ww_row_mix_log2(1 + v); }

/* A value of the contract's expressions: a 64-bit integer (booleans are 0 and 1), a real, or a text.
   What cannot be evaluated (overflow, division by zero, a wrong type) is a fault, and so is
   everything made of it. */
enum ww_row_mix_kind { WW_ROW_MIX_FAULT, WW_ROW_MIX_INTEGER, WW_ROW_MIX_REAL, WW_ROW_MIX_TEXT };
typedef struct {
  enum ww_row_mix_kind kind;
  long long integer;
  double real;
  const char *text;
} ww_row_mix_value;
static const long long ww_row_mix_largest = 9223372036854775807LL;
static const long long ww_row_mix_lowest = -9223372036854775807LL - 1;
static inline ww_row_mix_value ww_row_mix_fault(void) {
  const ww_row_mix_value v = {WW_ROW_MIX_FAULT, 0, 0, 0};
  return v;
}
static inline ww_row_mix_value ww_row_mix_integer(long long integer) {
  const ww_row_mix_value v = {WW_ROW_MIX_INTEGER, integer, 0, 0};
  return v;
}
static inline ww_row_mix_value ww_row_mix_real(double real) {
  const ww_row_mix_value v = {WW_ROW_MIX_REAL, 0, real, 0};
  return real - real == 0 ? v : ww_row_mix_fault();
}
static inline ww_row_mix_value ww_row_mix_text(const char *text) {
  const ww_row_mix_value v = {WW_ROW_MIX_TEXT, 0, 0, text};
  return text != 0 ? v : ww_row_mix_fault();
}
static inline int ww_row_mix_number(ww_row_mix_value v) { return v.kind == WW_ROW_MIX_INTEGER || v.kind == WW_ROW_MIX_REAL; }
static inline int ww_row_mix_integers(ww_row_mix_value a, ww_row_mix_value b) { return a.kind == WW_ROW_MIX_INTEGER && b.kind == WW_ROW_MIX_INTEGER; }
static inline int ww_row_mix_numbers(ww_row_mix_value a, ww_row_mix_value b) { return ww_row_mix_number(a) && ww_row_mix_number(b); }
static inline double ww_row_mix_as_real(ww_row_mix_value v) { return v.kind == WW_ROW_MIX_REAL ? v.real : (double)v.integer; }
static inline int ww_row_mix_holds(ww_row_mix_value v) {
  return v.kind == WW_ROW_MIX_REAL ? v.real != 0 : v.kind == WW_ROW_MIX_INTEGER && v.integer != 0;
}
static inline int ww_row_mix_same_text(const char *a, const char *b) {
  if (a == 0 || b == 0) return 0;
  while (*a != '\0' && *a == *b) {
    ++a;
    ++b;
  }
  return *a == *b;
}
static inline ww_row_mix_value ww_row_mix_add(ww_row_mix_value a, ww_row_mix_value b) {
  if (!ww_row_mix_numbers(a, b)) return ww_row_mix_fault();
  if (!ww_row_mix_integers(a, b)) return ww_row_mix_real(ww_row_mix_as_real(a) + ww_row_mix_as_real(b));
  if (b.integer > 0 ? a.integer > ww_row_mix_largest - b.integer : a.integer < ww_row_mix_lowest - b.integer)
    return ww_row_mix_fault();
  return ww_row_mix_integer(a.integer + b.integer);
}
static inline ww_row_mix_value ww_row_mix_multiply(ww_row_mix_value a, ww_row_mix_value b) {
  const long long x = a.integer;
  const long long y = b.integer;
  if (!ww_row_mix_numbers(a, b)) return ww_row_mix_fault();
  if (!ww_row_mix_integers(a, b)) return ww_row_mix_real(ww_row_mix_as_real(a) * ww_row_mix_as_real(b));
  if (x == 0 || y == 0) return ww_row_mix_integer(0);
  if (x > 0 ? (y > 0 ? x > ww_row_mix_largest / y : y < ww_row_mix_lowest / x)
            : (y > 0 ? x < ww_row_mix_lowest / y : y < ww_row_mix_largest / x))
    return ww_row_mix_fault();
  return ww_row_mix_integer(x * y);
}
static inline ww_row_mix_value ww_row_mix_divide(ww_row_mix_value a, ww_row_mix_value b) {
  if (!ww_row_mix_numbers(a, b) || ww_row_mix_as_real(b) == 0) return ww_row_mix_fault();
  if (!ww_row_mix_integers(a, b)) return ww_row_mix_real(ww_row_mix_as_real(a) / ww_row_mix_as_real(b));
  if (b.integer == -1) return a.integer == ww_row_mix_lowest ? ww_row_mix_fault() : ww_row_mix_integer(-a.integer);
  return ww_row_mix_integer(a.integer / b.integer);
}
static inline ww_row_mix_value ww_row_mix_remainder(ww_row_mix_value a, ww_row_mix_value b) {
  if (!ww_row_mix_integers(a, b) || b.integer == 0) return ww_row_mix_fault();
  return ww_row_mix_integer(b.integer == -1 ? 0 : a.integer % b.integer);
}
static inline ww_row_mix_value ww_row_mix_ceil_div(ww_row_mix_value a, ww_row_mix_value b) {
  if (!ww_row_mix_integers(a, b) || b.integer <= 0) return ww_row_mix_fault();
  return ww_row_mix_integer(a.integer / b.integer + (a.integer % b.integer > 0 ? 1 : 0));
}
static inline ww_row_mix_value ww_row_mix_not(ww_row_mix_value v) {
  return ww_row_mix_number(v) ? ww_row_mix_integer(!ww_row_mix_holds(v)) : ww_row_mix_fault();
}
static inline ww_row_mix_value ww_row_mix_less(ww_row_mix_value a, ww_row_mix_value b) {
  if (!ww_row_mix_numbers(a, b)) return ww_row_mix_fault();
  return ww_row_mix_integer(ww_row_mix_integers(a, b) ? a.integer < b.integer : ww_row_mix_as_real(a) < ww_row_mix_as_real(b));
}
static inline ww_row_mix_value ww_row_mix_less_equal(ww_row_mix_value a, ww_row_mix_value b) { return ww_row_mix_not(ww_row_mix_less(b, a)); }
static inline ww_row_mix_value ww_row_mix_equal(ww_row_mix_value a, ww_row_mix_value b) {
  if (a.kind == WW_ROW_MIX_TEXT && b.kind == WW_ROW_MIX_TEXT) return ww_row_mix_integer(ww_row_mix_same_text(a.text, b.text));
  if (!ww_row_mix_numbers(a, b)) return ww_row_mix_fault();
  return ww_row_mix_integer(ww_row_mix_integers(a, b) ? a.integer == b.integer : ww_row_mix_as_real(a) == ww_row_mix_as_real(b));
}
static inline ww_row_mix_value ww_row_mix_or(ww_row_mix_value a, ww_row_mix_value b) {
  if (!ww_row_mix_number(a)) return ww_row_mix_fault();
  if (ww_row_mix_holds(a)) return ww_row_mix_integer(1);
  return ww_row_mix_number(b) ? ww_row_mix_integer(ww_row_mix_holds(b)) : ww_row_mix_fault();
}
static inline ww_row_mix_value ww_row_mix_bytes_of(ww_row_mix_value v) {
  static const char *const names[] = {"f64", "i64", "u64", "f32", "i32", "u32", "f16", "bf16",
                                      "i16", "u16", "i8",  "u8",  "e4m3", "e5m2", "bool"};
  static const int bytes[] = {8, 8, 8, 4, 4, 4, 2, 2, 2, 2, 1, 1, 1, 1, 1};
  int i;
  if (v.kind != WW_ROW_MIX_TEXT) return ww_row_mix_fault();
  for (i = 0; i < 15; ++i) {
    if (ww_row_mix_same_text(v.text, names[i])) return ww_row_mix_integer(bytes[i]);
  }
  return ww_row_mix_fault();
}

static inline int ww_row_mix_same_category(ww_row_mix_problem a, ww_row_mix_problem b) {
  return a.dtype == b.dtype &&
         a.write_z == b.write_z &&
         a.causal == b.causal;
}
static inline int ww_row_mix_same_sizes(ww_row_mix_problem a, ww_row_mix_problem b) {
  return a.rows == b.rows &&
         a.K == b.K &&
         a.dtype == b.dtype &&
         a.write_z == b.write_z &&
         a.eps == b.eps &&
         a.causal == b.causal;
}

/* Where a problem lies: distances are Euclidean in log2(1 + size) and in twice the log2 of the
   contract's traffic. */
typedef struct {
  double axes[3];
  int counted;
  double work;
} ww_row_mix_place;
static inline ww_row_mix_place ww_row_mix_place_of(ww_row_mix_problem problem) {
  const ww_row_mix_value rows = ww_row_mix_integer(problem.rows);
  const ww_row_mix_value K = ww_row_mix_integer(problem.K);
  const ww_row_mix_value dtype = ww_row_mix_text(ww_row_mix_dtype_name(problem.dtype));
  const ww_row_mix_value write_z = ww_row_mix_integer(problem.write_z);
  /* Bytes that the contract counts. */
  const ww_row_mix_value work = ww_row_mix_multiply(ww_row_mix_multiply(ww_row_mix_multiply(rows, K), ww_row_mix_bytes_of(dtype)), ww_row_mix_add(ww_row_mix_integer(1), write_z));
  ww_row_mix_place place;
  place.axes[0] = ww_row_mix_size_scale((double)problem.rows);
  place.axes[1] = ww_row_mix_size_scale((double)problem.K);
  place.axes[2] = ww_row_mix_size_scale((double)problem.eps);
  place.counted = ww_row_mix_number(work);
  place.work = place.counted ? ww_row_mix_size_scale(ww_row_mix_as_real(work)) : 0;
  return place;
}

static inline ww_row_mix_limits ww_row_mix_complete(ww_row_mix_limits given, ww_row_mix_limits tuned) {
  if (given.max_shared == 0) given.max_shared = tuned.max_shared;
  if (given.sm_count == 0) given.sm_count = tuned.sm_count;
  return given;
}

static inline int ww_row_mix_allowed_wide(ww_row_mix_configuration configuration, ww_row_mix_problem problem,
    ww_row_mix_limits limits) {
  const ww_row_mix_value K = ww_row_mix_integer(problem.K);
  const ww_row_mix_value threads = ww_row_mix_integer(configuration.threads);
  const ww_row_mix_value device_max_shared = ww_row_mix_integer(limits.max_shared);
  /* whole warps */
  if (!ww_row_mix_holds(ww_row_mix_equal(ww_row_mix_remainder(threads, ww_row_mix_integer(32)), ww_row_mix_integer(0)))) return 0;
  /* a key per thread */
  if (!ww_row_mix_holds(ww_row_mix_less_equal(ww_row_mix_multiply(threads, ww_row_mix_integer(8)), device_max_shared))) return 0;
  if (!ww_row_mix_holds(ww_row_mix_less_equal(K, ww_row_mix_divide(threads, ww_row_mix_integer(4))))) return 0;
  return 1;
}

static inline int ww_row_mix_allowed_warp(ww_row_mix_configuration configuration, ww_row_mix_problem problem,
    ww_row_mix_limits limits) {
  const ww_row_mix_value rows = ww_row_mix_integer(problem.rows);
  const ww_row_mix_value K = ww_row_mix_integer(problem.K);
  const ww_row_mix_value dtype = ww_row_mix_text(ww_row_mix_dtype_name(problem.dtype));
  const ww_row_mix_value threads = ww_row_mix_integer(configuration.threads);
  (void)limits;
  /* whole warps */
  if (!ww_row_mix_holds(ww_row_mix_equal(ww_row_mix_remainder(threads, ww_row_mix_integer(32)), ww_row_mix_integer(0)))) return 0;
  /* each lane holds one */
  if (!ww_row_mix_holds(ww_row_mix_less_equal(K, ww_row_mix_integer(32)))) return 0;
  if (!ww_row_mix_holds(ww_row_mix_or(ww_row_mix_equal(dtype, ww_row_mix_text("f32")), ww_row_mix_equal(ww_row_mix_remainder(rows, ww_row_mix_bytes_of(dtype)), ww_row_mix_integer(0))))) return 0;
  return 1;
}

/* The contract's types and limits of every size. */
static inline int ww_row_mix_valid(ww_row_mix_problem problem) {
  if (problem.rows < 1) return 0;
  if (problem.rows > 65535) return 0;
  if (problem.K < 1) return 0;
  if (problem.K > 256) return 0;
  if (ww_row_mix_dtype_name(problem.dtype) == 0) return 0;
  if (problem.write_z != 0 && problem.write_z != 1) return 0;
  if (!(problem.eps - problem.eps == 0)) return 0;
  if (problem.eps < 0.0) return 0;
  return 1;
}

/* Every constraint of the contract and of the variant holds for this problem on a device with
   these limits. */
static inline int ww_row_mix_allowed(ww_row_mix_configuration configuration, ww_row_mix_problem problem,
    ww_row_mix_limits limits) {
  switch (configuration.variant) {
    case WW_ROW_MIX_VARIANT_WIDE:
      return ww_row_mix_allowed_wide(configuration, problem, limits);
    case WW_ROW_MIX_VARIANT_WARP:
      return ww_row_mix_allowed_warp(configuration, problem, limits);
  }
  return 0;
}


/* "sm_90" and "sm_90a" are one architecture here. */
static inline int ww_row_mix_arch_length(const char *arch) {
  int length = 0;
  while (arch[length] != '\0') ++length;
  while (length > 0 && arch[length - 1] >= 'a' && arch[length - 1] <= 'z') --length;
  return length;
}
static inline int ww_row_mix_same_arch(const char *a, const char *b) {
  int length;
  int i;
  if (a == 0 || b == 0) return 0;
  length = ww_row_mix_arch_length(a);
  if (ww_row_mix_arch_length(b) != length) return 0;
  for (i = 0; i < length; ++i) {
    if (a[i] != b[i]) return 0;
  }
  return 1;
}

static inline double ww_row_mix_squared_distance(ww_row_mix_place a, ww_row_mix_place b) {
  double sum = 0;
  int i;
  for (i = 0; i < WW_ROW_MIX_AXIS_COUNT; ++i) sum += (a.axes[i] - b.axes[i]) * (a.axes[i] - b.axes[i]);
  if (a.counted && b.counted)
    sum += ww_row_mix_work_scale * (a.work - b.work) * (ww_row_mix_work_scale * (a.work - b.work));
  return sum;
}

static inline ww_row_mix_selection ww_row_mix_no_selection(void) {
  ww_row_mix_selection result;
  result.match = WW_ROW_MIX_MATCH_NONE;
  result.configuration = 0;
  result.nearest = 0;
  result.distance = 0;
  result.score = 0;
  result.limits = ww_row_mix_devices[0].limits;
  return result;
}

/* The vote of the tuned problems on this device, or on others of its architecture. */
static inline ww_row_mix_selection ww_row_mix_vote(ww_row_mix_device device, ww_row_mix_problem problem, int same_device) {
  const ww_row_mix_place asked = ww_row_mix_place_of(problem);
  double weights[WW_ROW_MIX_BOARD_COUNT];
  double total = 0;
  double least = 0;
  int i;
  const ww_row_mix_configuration *winner;
  ww_row_mix_selection result = ww_row_mix_no_selection();
  for (i = 0; i < WW_ROW_MIX_BOARD_COUNT; ++i) {
    const ww_row_mix_board *board = &ww_row_mix_boards[i];
    const ww_row_mix_device *tuned = &ww_row_mix_devices[board->device];
    const int same = ww_row_mix_same_text(tuned->name, device.name);
    double squared;
    double closeness;
    int equal;
    weights[i] = 0;
    if (same != same_device || (!same && !ww_row_mix_same_arch(tuned->arch, device.arch))) continue;
    if (!ww_row_mix_same_category(board->problem, problem)) continue;
    squared = ww_row_mix_squared_distance(ww_row_mix_place_of(board->problem), asked);
    equal = ww_row_mix_same_sizes(board->problem, problem);
    if (result.nearest == 0 || squared < least || equal) {
      result.nearest = board;
      result.distance = ww_row_mix_root(squared);
      least = equal ? -1 : squared;
    }
    closeness = 1 / (ww_row_mix_nearby * ww_row_mix_nearby + squared);
    weights[i] = closeness * closeness;
    total += weights[i];
  }
  if (result.nearest == 0) return ww_row_mix_no_selection();
  result.limits = ww_row_mix_complete(device.limits, ww_row_mix_devices[result.nearest->device].limits);
  winner = &ww_row_mix_configurations[result.nearest->winner];
  if (least < 0 && ww_row_mix_allowed(*winner, problem, result.limits)) {
    result.match = same_device ? WW_ROW_MIX_MATCH_EXACT : WW_ROW_MIX_MATCH_NEAREST_SAME_ARCH;
    result.configuration = winner;
    result.score = 1;
    return result;
  }
  for (i = 0; i < WW_ROW_MIX_CANDIDATE_COUNT; ++i) {
    double sum = ww_row_mix_prior_weight * ww_row_mix_prior_fraction;
    double known = ww_row_mix_prior_weight;
    int board;
    for (board = 0; board < WW_ROW_MIX_BOARD_COUNT; ++board) {
      if (!(weights[board] > 0) || ww_row_mix_fractions[i][board] < 0) continue;
      sum += weights[board] / total * ww_row_mix_fractions[i][board] / 1000;
      known += weights[board] / total;
    }
    if (!(known > ww_row_mix_prior_weight) || !(sum / known > result.score + ww_row_mix_score_tie)) continue;
    if (!ww_row_mix_allowed(ww_row_mix_configurations[i], problem, result.limits)) continue;
    result.match = same_device ? WW_ROW_MIX_MATCH_NEAREST_SAME_DEVICE : WW_ROW_MIX_MATCH_NEAREST_SAME_ARCH;
    result.configuration = &ww_row_mix_configurations[i];
    result.score = sum / known;
  }
  return result;
}

static inline ww_row_mix_selection ww_row_mix_contract_default(ww_row_mix_device device, ww_row_mix_problem problem) {
  ww_row_mix_selection result = ww_row_mix_no_selection();
  int i;
  result.limits = ww_row_mix_complete(device.limits, ww_row_mix_devices[0].limits);
  for (i = WW_ROW_MIX_CANDIDATE_COUNT; i < WW_ROW_MIX_CONFIGURATION_COUNT; ++i) {
    if (!ww_row_mix_allowed(ww_row_mix_configurations[i], problem, result.limits)) continue;
    result.match = WW_ROW_MIX_MATCH_DEFAULT;
    result.configuration = &ww_row_mix_configurations[i];
    break;
  }
  return result;
}

static inline ww_row_mix_selection ww_row_mix_select(ww_row_mix_device device, ww_row_mix_problem problem) {
  ww_row_mix_selection result = ww_row_mix_no_selection();
  if (!ww_row_mix_valid(problem)) return result;
  result = ww_row_mix_vote(device, problem, 1);
  if (result.configuration == 0) result = ww_row_mix_vote(device, problem, 0);
  if (result.configuration == 0) result = ww_row_mix_contract_default(device, problem);
  return result;
}

#define WW_ROW_MIX_DEFINE_LENGTH 39
typedef struct {
  int count;
  char option[6][WW_ROW_MIX_DEFINE_LENGTH];
} ww_row_mix_options;

typedef struct {
  int ok;  /* 0 or false: no such launch, or its extents cannot be computed */
  const char *entry;
  long long grid[3];
  long long block[3];
  long long cluster[3];
  long long shared_bytes;  /* dynamic */
} ww_row_mix_launch_plan;

static inline void ww_row_mix_put(ww_row_mix_options *out, int *at, const char *text) {
  for (; *text != '\0' && *at < WW_ROW_MIX_DEFINE_LENGTH - 1; ++text) out->option[out->count][(*at)++] = *text;
  out->option[out->count][*at] = '\0';
}
static inline void ww_row_mix_put_integer(ww_row_mix_options *out, int *at, long long v) {
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
  ww_row_mix_put(out, at, digits + first);
}
/* In hexadecimal, which is exact. */
static inline void ww_row_mix_put_real(ww_row_mix_options *out, int *at, double v) {
  int exponent = 0;
  int i;
  char digit[2];
  if (v < 0) ww_row_mix_put(out, at, "-");
  if (v < 0) v = -v;
  for (; v >= 2; v /= 2) ++exponent;
  for (; v > 0 && v < 1; v *= 2) --exponent;
  ww_row_mix_put(out, at, v > 0 ? "0x1." : "0x0.");
  v -= v > 0 ? 1 : 0;
  digit[1] = '\0';
  for (i = 0; i < 13; ++i) {
    const int hex = (int)(v *= 16);
    digit[0] = "0123456789abcdef"[hex];
    ww_row_mix_put(out, at, digit);
    v -= hex;
  }
  ww_row_mix_put(out, at, "p");
  ww_row_mix_put_integer(out, at, exponent);
}
static inline void ww_row_mix_put_define(ww_row_mix_options *out, const char *macro, ww_row_mix_value v) {
  int at = 0;
  ww_row_mix_put(out, &at, "-D");
  ww_row_mix_put(out, &at, macro);
  ww_row_mix_put(out, &at, "=");
  if (v.kind == WW_ROW_MIX_INTEGER) ww_row_mix_put_integer(out, &at, v.integer);
  if (v.kind == WW_ROW_MIX_REAL) ww_row_mix_put_real(out, &at, v.real);
  if (v.kind == WW_ROW_MIX_TEXT) ww_row_mix_put(out, &at, v.text);
  ++out->count;
}
static inline void ww_row_mix_set_extent(ww_row_mix_launch_plan *out, long long *extent, ww_row_mix_value v) {
  if (v.kind == WW_ROW_MIX_INTEGER) *extent = v.integer;
  if (v.kind != WW_ROW_MIX_INTEGER) out->ok = 0;
}

/* What NVRTC or nvcc is given to compile the configuration's source for the problem, one option
   an entry. */
static inline ww_row_mix_options ww_row_mix_defines(ww_row_mix_configuration configuration, ww_row_mix_problem problem) {
  ww_row_mix_options out;
  out.count = 0;
  switch (configuration.variant) {
    case WW_ROW_MIX_VARIANT_WIDE:
      ww_row_mix_put_define(&out, "THREADS", ww_row_mix_integer(configuration.threads));
      ww_row_mix_put_define(&out, "HINT", ww_row_mix_text(ww_row_mix_hint_name(configuration.hint)));
      break;
    case WW_ROW_MIX_VARIANT_WARP:
      ww_row_mix_put_define(&out, "THREADS", ww_row_mix_integer(configuration.threads));
      ww_row_mix_put_define(&out, "SCALE", ww_row_mix_real(configuration.scale));
      break;
  }
  ww_row_mix_put_define(&out, "TOP_K", ww_row_mix_integer(problem.K));
  ww_row_mix_put_define(&out, "DTYPE", ww_row_mix_text(ww_row_mix_dtype_name(problem.dtype)));
  ww_row_mix_put_define(&out, "WRITE_Z", ww_row_mix_integer(problem.write_z));
  ww_row_mix_put_define(&out, "EPS", ww_row_mix_real(problem.eps));
  return out;
}

static inline ww_row_mix_launch_plan ww_row_mix_no_launch(void) {
  ww_row_mix_launch_plan out;
  int i;
  out.ok = 0;
  out.entry = 0;
  out.shared_bytes = 0;
  for (i = 0; i < 3; ++i) out.grid[i] = out.block[i] = out.cluster[i] = 1;
  return out;
}

static inline ww_row_mix_launch_plan ww_row_mix_launch_wide(ww_row_mix_configuration configuration, ww_row_mix_problem problem,
    ww_row_mix_limits limits, int index) {
  const ww_row_mix_value rows = ww_row_mix_integer(problem.rows);
  const ww_row_mix_value threads = ww_row_mix_integer(configuration.threads);
  (void)limits;
  ww_row_mix_launch_plan out = ww_row_mix_no_launch();
  switch (index) {
    case 0:
      out.ok = 1;
      out.entry = "mix";
      ww_row_mix_set_extent(&out, &out.grid[0], rows);
      ww_row_mix_set_extent(&out, &out.block[0], threads);
      ww_row_mix_set_extent(&out, &out.shared_bytes, ww_row_mix_multiply(threads, ww_row_mix_integer(8)));
      break;
    default:
      break;
  }
  return out;
}

static inline ww_row_mix_launch_plan ww_row_mix_launch_warp(ww_row_mix_configuration configuration, ww_row_mix_problem problem,
    ww_row_mix_limits limits, int index) {
  const ww_row_mix_value rows = ww_row_mix_integer(problem.rows);
  const ww_row_mix_value K = ww_row_mix_integer(problem.K);
  const ww_row_mix_value dtype = ww_row_mix_text(ww_row_mix_dtype_name(problem.dtype));
  const ww_row_mix_value threads = ww_row_mix_integer(configuration.threads);
  const ww_row_mix_value device_sm_count = ww_row_mix_integer(limits.sm_count);
  ww_row_mix_launch_plan out = ww_row_mix_no_launch();
  switch (index) {
    case 0:
      out.ok = 1;
      out.entry = "part";
      ww_row_mix_set_extent(&out, &out.grid[0], ww_row_mix_ceil_div(rows, ww_row_mix_divide(threads, ww_row_mix_integer(32))));
      ww_row_mix_set_extent(&out, &out.grid[1], K);
      ww_row_mix_set_extent(&out, &out.block[0], threads);
      ww_row_mix_set_extent(&out, &out.shared_bytes, ww_row_mix_multiply(ww_row_mix_bytes_of(dtype), K));
      break;
    case 1:
      out.ok = 1;
      out.entry = "merge";
      ww_row_mix_set_extent(&out, &out.grid[0], device_sm_count);
      ww_row_mix_set_extent(&out, &out.block[0], ww_row_mix_integer(32));
      ww_row_mix_set_extent(&out, &out.block[1], ww_row_mix_integer(2));
      ww_row_mix_set_extent(&out, &out.cluster[0], ww_row_mix_integer(2));
      break;
    default:
      break;
  }
  return out;
}

/* Launch `index` of configuration.launch_count, in stream order. Give it the limits of the
   selection. */
static inline ww_row_mix_launch_plan ww_row_mix_launch(ww_row_mix_configuration configuration, ww_row_mix_problem problem,
    ww_row_mix_limits limits, int index) {
  switch (configuration.variant) {
    case WW_ROW_MIX_VARIANT_WIDE:
      return ww_row_mix_launch_wide(configuration, problem, limits, index);
    case WW_ROW_MIX_VARIANT_WARP:
      return ww_row_mix_launch_warp(configuration, problem, limits, index);
  }
  return ww_row_mix_no_launch();
}

#endif
