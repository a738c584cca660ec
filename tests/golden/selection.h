/* clang-format off */
/* row_mix: Mixes rows; "quoted" * / and // commented */
/* Tuned configurations, written by `warpwright export`. Do not edit: export again. */
/* export: {"kernel":"row_mix"} */
/* written by warpwright 0.1.0 */
/* NVIDIA H200 (sm_90a): 4 problems, 48 configurations tried; times are measured, by warpwright
   0.1.0. */
/* NVIDIA H100 (sm_90a): 1 problem, 12 configurations tried; times are measured, by warpwright
   0.1.0. */
/* Left out one at a time, 3 of 4 tuned problems get a configuration within 10 % of their best
   from the others. */
/*
     const ww_device device = {"NVIDIA H200", "sm_90a", {0}};
     const ww_row_mix_problem problem = {16, 64, WW_ROW_MIX_DTYPE_F32, 1, 1e-05, 0};
     const ww_selection chosen = ww_row_mix_select(device, problem);
     const ww_launch_plan plan = ww_row_mix_launch(chosen, problem, 0);

   warpwright_select.h says how it is compiled and launched. C99, C++17 and NVRTC. */
#ifndef WW_ROW_MIX_H
#define WW_ROW_MIX_H

#include "warpwright_select.h"

#if WARPWRIGHT_SELECT_VERSION != 1
#error this header is of another version than warpwright_select.h: export again
#endif

typedef enum { WW_ROW_MIX_DTYPE_F32, WW_ROW_MIX_DTYPE_BF16 } ww_row_mix_dtype;
WW_FN const char *ww_row_mix_dtype_name(ww_row_mix_dtype v) {
  switch (v) {
    case WW_ROW_MIX_DTYPE_F32:
      return "f32";
    case WW_ROW_MIX_DTYPE_BF16:
      return "bf16";
  }
  return 0;
}

typedef enum { WW_ROW_MIX_HINT_NONE, WW_ROW_MIX_HINT_STREAMING } ww_row_mix_hint;
WW_FN const char *ww_row_mix_hint_name(ww_row_mix_hint v) {
  switch (v) {
    case WW_ROW_MIX_HINT_NONE:
      return "none";
    case WW_ROW_MIX_HINT_STREAMING:
      return "streaming";
  }
  return 0;
}

typedef enum { WW_ROW_MIX_VARIANT_WIDE, WW_ROW_MIX_VARIANT_WARP } ww_row_mix_variant;
WW_FN const char *ww_row_mix_variant_name(ww_row_mix_variant v) {
  switch (v) {
    case WW_ROW_MIX_VARIANT_WIDE:
      return "wide";
    case WW_ROW_MIX_VARIANT_WARP:
      return "warp";
  }
  return 0;
}

typedef struct ww_row_mix_problem {
  long long rows WW_INIT(0); /* tokens; 1 to 65535 */
  long long K WW_INIT(0); /* kept per row; 1 to 256 */
  ww_row_mix_dtype dtype WW_INIT(WW_ROW_MIX_DTYPE_F32);
  long long write_z WW_INIT(1);
  double eps WW_INIT(1e-05); /* at least 0 */
  int causal WW_INIT(0);
} ww_row_mix_problem;
/* With the contract's defaults, which C++ has where sizes are left out; 0 where there is none. */
WW_FN ww_row_mix_problem ww_row_mix_default_problem(void) {
  ww_row_mix_problem problem = WW_ZERO;
  problem.rows = 0;
  problem.K = 0;
  problem.dtype = WW_ROW_MIX_DTYPE_F32;
  problem.write_z = 1;
  problem.eps = 1e-05;
  problem.causal = 0;
  return problem;
}

/* Of all launches the largest, as compiled when it was tuned; -1: not known. */
typedef struct ww_row_mix_resources {
  int registers WW_INIT(-1); /* per thread */
  int shared_bytes WW_INIT(-1); /* per block, static and dynamic */
  int spill_bytes WW_INIT(-1); /* per thread */
} ww_row_mix_resources;

/* Parameters that the variant does not have hold the contract's defaults. */
typedef struct ww_row_mix_configuration {
  ww_row_mix_variant variant WW_INIT(WW_ROW_MIX_VARIANT_WIDE);
  long long threads WW_INIT(256); /* THREADS: threads per block */
  ww_row_mix_hint hint WW_INIT(WW_ROW_MIX_HINT_NONE); /* HINT: of loads */
  double scale WW_INIT(0.5); /* SCALE */
  const char *source WW_INIT(0); /* file name */
  int launch_count WW_INIT(0);
  ww_row_mix_resources resources WW_INIT({});
  const char *text WW_INIT(0); /* as `warpwright show` prints it */
} ww_row_mix_configuration;

/* A tuned problem: what won, and how that is known. */
typedef struct ww_row_mix_board {
  int device WW_INIT(0); /* in the table of devices */
  ww_row_mix_problem problem WW_INIT({});
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
} ww_row_mix_board;

enum {
  WW_ROW_MIX_DEVICE_COUNT = 2,
  WW_ROW_MIX_BOARD_COUNT = 5,
  WW_ROW_MIX_CANDIDATE_COUNT = 4,
  WW_ROW_MIX_DEFAULT_COUNT = 2,
  WW_ROW_MIX_CONFIGURATION_COUNT = 6,
  WW_ROW_MIX_FILE_COUNT = 2,
  WW_ROW_MIX_INCLUDE_COUNT = 2
};

WW_DATA ww_device ww_row_mix_devices[WW_ROW_MIX_DEVICE_COUNT] = {
    {"NVIDIA H200", "sm_90a", {232448, 0, 0, 132, 0, 0, 0, 0, 0}},
    {"NVIDIA H100", "sm_90a", {232448, 0, 0, 114, 0, 0, 0, 0, 0}},
};

/* The portfolio; after it the contract's defaults of every variant. */
WW_DATA ww_row_mix_configuration ww_row_mix_configurations[WW_ROW_MIX_CONFIGURATION_COUNT] = {
    /* 0: wide HINT=none THREADS=128; wins 2 problems */
    {WW_ROW_MIX_VARIANT_WIDE, /*threads*/ 128, /*hint*/ WW_ROW_MIX_HINT_NONE, /*scale*/ 0.5,
     "wide.cu", 1, {40, 128, 0},
     "wide HINT=none THREADS=128"},
    /* 1: wide HINT=none THREADS=1024; wins 1 problem */
    {WW_ROW_MIX_VARIANT_WIDE, /*threads*/ 1024, /*hint*/ WW_ROW_MIX_HINT_NONE, /*scale*/ 0.5,
     "wide.cu", 1, {40, 128, 0},
     "wide HINT=none THREADS=1024"},
    /* 2: wide HINT=streaming THREADS=1024; wins 1 problem */
    {WW_ROW_MIX_VARIANT_WIDE, /*threads*/ 1024, /*hint*/ WW_ROW_MIX_HINT_STREAMING, /*scale*/ 0.5,
     "wide.cu", 1, {40, 128, 0},
     "wide HINT=streaming THREADS=1024"},
    /* 3: warp SCALE=0.25 THREADS=64; wins 1 problem */
    {WW_ROW_MIX_VARIANT_WARP, /*threads*/ 64, /*hint*/ WW_ROW_MIX_HINT_NONE, /*scale*/ 0.25,
     "warp.cu", 2, {40, 128, 0},
     "warp SCALE=0.25 THREADS=64"},
    /* 4: warp SCALE=0.5 THREADS=256, the defaults */
    {WW_ROW_MIX_VARIANT_WARP, /*threads*/ 256, /*hint*/ WW_ROW_MIX_HINT_NONE, /*scale*/ 0.5,
     "warp.cu", 2, {-1, -1, -1},
     "warp SCALE=0.5 THREADS=256"},
    /* 5: wide HINT=none THREADS=256, the defaults */
    {WW_ROW_MIX_VARIANT_WIDE, /*threads*/ 256, /*hint*/ WW_ROW_MIX_HINT_NONE, /*scale*/ 0.5,
     "wide.cu", 1, {-1, -1, -1},
     "wide HINT=none THREADS=256"},
};

WW_DATA ww_row_mix_board ww_row_mix_boards[WW_ROW_MIX_BOARD_COUNT] = {
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
WW_DATA short ww_row_mix_fractions[WW_ROW_MIX_CANDIDATE_COUNT][WW_ROW_MIX_BOARD_COUNT] = {
    { 500,  950, 1000, 1000,  610},
    {1000,  700,  800,  800,  990},
    { 990,  690,  790,  810, 1000},
    {  -1, 1000,  900,  985,   -1},
};

/* The same of the best configuration of each default's variant. */
WW_DATA short ww_row_mix_merits[WW_ROW_MIX_DEFAULT_COUNT][WW_ROW_MIX_BOARD_COUNT] = {
    {  -1, 1000,  900,  985,   -1},
    {1000,  950, 1000, 1000, 1000},
};

/* What it was tuned from. Compile these very files: `warpwright export --verify` says whether a
   tree has them. */
WW_DATA ww_file ww_row_mix_files[WW_ROW_MIX_FILE_COUNT] = {
    {"kernels/row_mix/warp.cu",
     "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"},
    {"kernels/row_mix/wide.cu",
     "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"},
};

/* Folders of headers below the folder of kernels, in the order in which they are searched; the
   first holds the sources. */
WW_DATA char ww_row_mix_includes[WW_ROW_MIX_INCLUDE_COUNT][7] = {
    "",
    "common",
};

/* The contract's types and limits of every size. */
WW_FN int ww_row_mix_valid(ww_row_mix_problem problem) {
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

WW_FN int ww_row_mix_same_sizes(ww_row_mix_problem a, ww_row_mix_problem b) {
  return a.rows == b.rows &&
         a.K == b.K &&
         a.dtype == b.dtype &&
         a.write_z == b.write_z &&
         a.eps == b.eps &&
         (a.causal != 0) == (b.causal != 0);
}
/* How many sizes that have no distance, such as dtypes, differ. */
WW_FN int ww_row_mix_other_choices(ww_row_mix_problem a, ww_row_mix_problem b) {
  int count = 0;
  if (a.dtype != b.dtype) ++count;
  if (a.write_z != b.write_z) ++count;
  if ((a.causal != 0) != (b.causal != 0)) ++count;
  return count;
}

enum {
  WW_ROW_MIX_AXIS_COUNT = 3
};
/* Where a problem lies: distances are Euclidean in log2(1 + size) and in twice the log2 of the
   contract's traffic. */
typedef struct ww_row_mix_place {
  double axes[WW_ROW_MIX_AXIS_COUNT] WW_INIT({});
  int counted WW_INIT(0);
  double work WW_INIT(0);
} ww_row_mix_place;
WW_FN ww_row_mix_place ww_row_mix_place_of(ww_row_mix_problem problem) {
  const ww_value rows = ww_integer(problem.rows);
  const ww_value K = ww_integer(problem.K);
  const ww_value dtype = ww_text(ww_row_mix_dtype_name(problem.dtype));
  const ww_value write_z = ww_integer(problem.write_z);
  /* Bytes that the contract counts. */
  const ww_value work = ww_multiply(ww_multiply(ww_multiply(rows, K), ww_bytes_of(dtype)), ww_add(ww_integer(1), write_z));
  ww_row_mix_place place = WW_ZERO;
  place.axes[0] = ww_size_scale((double)problem.rows);
  place.axes[1] = ww_size_scale((double)problem.K);
  place.axes[2] = ww_size_scale((double)problem.eps);
  place.counted = ww_number(work);
  place.work = place.counted ? ww_size_scale(ww_as_real(work)) : 0;
  return place;
}

WW_FN int ww_row_mix_allowed_wide(ww_row_mix_configuration configuration, ww_row_mix_problem problem,
    ww_limits limits) {
  const ww_value rows = ww_integer(problem.rows);
  const ww_value K = ww_integer(problem.K);
  const ww_value threads = ww_integer(configuration.threads);
  const ww_value device_max_shared = ww_integer(limits.max_shared);
  const ww_value device_max_threads = ww_integer(limits.max_threads);
  /* whole warps */
  if (!ww_holds(ww_equal(ww_remainder(threads, ww_integer(32)), ww_integer(0)))) return 0;
  /* a key per thread */
  if (!ww_holds(ww_less_equal(ww_multiply(threads, ww_integer(8)), device_max_shared))) return 0;
  if (!ww_holds(ww_less_equal(K, ww_divide(threads, ww_integer(4))))) return 0;
  /* a grid has 1 to 2^31 - 1 blocks in x */
  if (!ww_holds(ww_and(ww_greater_equal(rows, ww_integer(1)), ww_less_equal(rows, ww_integer(2147483647))))) return 0;
  /* a block has threads */
  if (!ww_holds(ww_greater_equal(threads, ww_integer(1)))) return 0;
  /* the device launches no more */
  if (!ww_holds(ww_less_equal(threads, device_max_threads))) return 0;
  /* a block has no more shared memory */
  if (!ww_holds(ww_less_equal(ww_multiply(threads, ww_integer(8)), device_max_shared))) return 0;
  return 1;
}

WW_FN int ww_row_mix_allowed_warp(ww_row_mix_configuration configuration, ww_row_mix_problem problem,
    ww_limits limits) {
  const ww_value rows = ww_integer(problem.rows);
  const ww_value K = ww_integer(problem.K);
  const ww_value dtype = ww_text(ww_row_mix_dtype_name(problem.dtype));
  const ww_value threads = ww_integer(configuration.threads);
  const ww_value device_max_shared = ww_integer(limits.max_shared);
  const ww_value device_max_threads = ww_integer(limits.max_threads);
  const ww_value device_sm_count = ww_integer(limits.sm_count);
  /* whole warps */
  if (!ww_holds(ww_equal(ww_remainder(threads, ww_integer(32)), ww_integer(0)))) return 0;
  /* each lane holds one */
  if (!ww_holds(ww_less_equal(K, ww_integer(32)))) return 0;
  if (!ww_holds(ww_or(ww_equal(dtype, ww_text("f32")), ww_equal(ww_remainder(rows, ww_bytes_of(dtype)), ww_integer(0))))) return 0;
  /* a grid has 1 to 2^31 - 1 blocks in x */
  if (!ww_holds(ww_and(ww_greater_equal(ww_ceil_div(rows, ww_divide(threads, ww_integer(32))), ww_integer(1)), ww_less_equal(ww_ceil_div(rows, ww_divide(threads, ww_integer(32))), ww_integer(2147483647))))) return 0;
  /* a grid has 1 to 65535 blocks in y and z */
  if (!ww_holds(ww_and(ww_greater_equal(K, ww_integer(1)), ww_less_equal(K, ww_integer(65535))))) return 0;
  /* a block has threads */
  if (!ww_holds(ww_greater_equal(threads, ww_integer(1)))) return 0;
  /* the device launches no more */
  if (!ww_holds(ww_less_equal(threads, device_max_threads))) return 0;
  /* a block has no more shared memory */
  if (!ww_holds(ww_less_equal(ww_multiply(ww_bytes_of(dtype), K), device_max_shared))) return 0;
  /* a grid has 1 to 2^31 - 1 blocks in x */
  if (!ww_holds(ww_and(ww_greater_equal(device_sm_count, ww_integer(1)), ww_less_equal(device_sm_count, ww_integer(2147483647))))) return 0;
  return 1;
}

/* Every constraint of the contract and of the variant holds for this problem on a device with
   these limits, and its launches are within CUDA's. */
WW_FN int ww_row_mix_allowed(ww_row_mix_configuration configuration, ww_row_mix_problem problem,
    ww_limits limits) {
  switch (configuration.variant) {
    case WW_ROW_MIX_VARIANT_WIDE:
      return ww_row_mix_allowed_wide(configuration, problem, limits);
    case WW_ROW_MIX_VARIANT_WARP:
      return ww_row_mix_allowed_warp(configuration, problem, limits);
  }
  return 0;
}

/* How much what counts in a choice. */
#define WW_ROW_MIX_WORK_SCALE 2.0
#define WW_ROW_MIX_NEARBY 2.0
#define WW_ROW_MIX_OTHER_CHOICE 2.0
#define WW_ROW_MIX_PRIOR_FRACTION 0.5
#define WW_ROW_MIX_PRIOR_WEIGHT 0.2
#define WW_ROW_MIX_SCORE_TIE 1e-09

WW_FN ww_limits ww_row_mix_limits_of(ww_device device) {
  const int capability = ww_capability_of(device.arch);
  ww_limits limits = device.limits;
  if (capability > 0) limits.compute_capability = capability;
  for (int i = 0; i < WW_ROW_MIX_DEVICE_COUNT; ++i) {
    if (ww_same_device(ww_row_mix_devices[i], device)) limits = ww_fill_limits(limits, ww_row_mix_devices[i].limits);
  }
  return ww_fill_limits(limits, ww_least_limits(capability));
}

WW_FN double ww_row_mix_squared_distance(ww_row_mix_problem tuned, ww_row_mix_problem problem) {
  const ww_row_mix_place a = ww_row_mix_place_of(tuned);
  const ww_row_mix_place b = ww_row_mix_place_of(problem);
  double sum = WW_ROW_MIX_OTHER_CHOICE * WW_ROW_MIX_OTHER_CHOICE * ww_row_mix_other_choices(tuned, problem);
  for (int i = 0; i < WW_ROW_MIX_AXIS_COUNT; ++i) sum += (a.axes[i] - b.axes[i]) * (a.axes[i] - b.axes[i]);
  if (a.counted && b.counted)
    sum += WW_ROW_MIX_WORK_SCALE * (a.work - b.work) * (WW_ROW_MIX_WORK_SCALE * (a.work - b.work));
  return sum;
}
WW_FN double ww_row_mix_board_weight(double squared) {
  const double closeness = 1 / (WW_ROW_MIX_NEARBY * WW_ROW_MIX_NEARBY + squared);
  return closeness * closeness;
}
/* What boards say of a configuration, in fractions of the best; below 0: nothing. */
WW_FN double ww_row_mix_board_score(const short *thousandths, const double *weights, double total) {
  double sum = WW_ROW_MIX_PRIOR_WEIGHT * WW_ROW_MIX_PRIOR_FRACTION;
  double known = WW_ROW_MIX_PRIOR_WEIGHT;
  for (int i = 0; i < WW_ROW_MIX_BOARD_COUNT; ++i) {
    if (!(weights[i] > 0) || thousandths[i] < 0) continue;
    sum += weights[i] / total * thousandths[i] / 1000;
    known += weights[i] / total;
  }
  return known > WW_ROW_MIX_PRIOR_WEIGHT ? sum / known : -1;
}

/* The vote of tuned problems: on this device or on others of its architecture, with the same listed
   values or with others. */
WW_FN ww_selection ww_row_mix_vote(ww_device device, ww_limits limits, ww_row_mix_problem problem, int same_device,
                         int same_choices) {
  double weights[WW_ROW_MIX_BOARD_COUNT] = WW_ZERO;
  double total = 0;
  double least = 0;
  ww_selection chosen = ww_no_selection();
  ww_match match = WW_MATCH_NEAREST_OTHER_CHOICE;
  if (same_choices) match = same_device ? WW_MATCH_NEAREST_SAME_DEVICE : WW_MATCH_NEAREST_SAME_ARCH;
  for (int i = 0; i < WW_ROW_MIX_BOARD_COUNT; ++i) {
    const ww_device tuned = ww_row_mix_devices[ww_row_mix_boards[i].device];
    if (!ww_same_arch(tuned.arch, device.arch)) continue;
    if (ww_same_device(tuned, device) != same_device) continue;
    if ((ww_row_mix_other_choices(ww_row_mix_boards[i].problem, problem) == 0) != same_choices) continue;
    const double squared = ww_row_mix_squared_distance(ww_row_mix_boards[i].problem, problem);
    const int equal = ww_row_mix_same_sizes(ww_row_mix_boards[i].problem, problem);
    if (chosen.nearest < 0 || squared < least || equal) {
      chosen.nearest = i;
      chosen.distance = ww_root(squared);
      least = equal ? -1 : squared;
    }
    weights[i] = ww_row_mix_board_weight(squared);
    total += weights[i];
  }
  if (chosen.nearest < 0) return chosen;
  chosen.limits = limits;
  const int winner = ww_row_mix_boards[chosen.nearest].winner;
  if (least < 0 && ww_row_mix_allowed(ww_row_mix_configurations[winner], problem, limits)) {
    chosen.match = same_device ? WW_MATCH_EXACT : WW_MATCH_NEAREST_SAME_ARCH;
    chosen.configuration = winner;
    chosen.score = 1;
    return chosen;
  }
  for (int i = 0; i < WW_ROW_MIX_CANDIDATE_COUNT; ++i) {
    const double score = ww_row_mix_board_score(ww_row_mix_fractions[i], weights, total);
    if (!(score > chosen.score + WW_ROW_MIX_SCORE_TIE)) continue;
    if (!ww_row_mix_allowed(ww_row_mix_configurations[i], problem, limits)) continue;
    chosen.match = match;
    chosen.configuration = i;
    chosen.score = score;
  }
  return chosen;
}

/* The defaults of the variant that does best on the tuned problems near this one, wherever they
   were tuned. */
WW_FN ww_selection ww_row_mix_contract_default(ww_limits limits, ww_row_mix_problem problem) {
  double weights[WW_ROW_MIX_BOARD_COUNT] = WW_ZERO;
  double total = 0;
  double best = 0;
  ww_selection chosen = ww_no_selection();
  for (int i = 0; i < WW_ROW_MIX_BOARD_COUNT; ++i) {
    weights[i] = ww_row_mix_board_weight(ww_row_mix_squared_distance(ww_row_mix_boards[i].problem, problem));
    total += weights[i];
  }
  for (int i = WW_ROW_MIX_CANDIDATE_COUNT; i < WW_ROW_MIX_CONFIGURATION_COUNT; ++i) {
    double merit = ww_row_mix_board_score(ww_row_mix_merits[i - WW_ROW_MIX_CANDIDATE_COUNT], weights, total);
    if (merit < 0) merit = 0;
    if (chosen.configuration >= 0 && !(merit > best + WW_ROW_MIX_SCORE_TIE)) continue;
    if (!ww_row_mix_allowed(ww_row_mix_configurations[i], problem, limits)) continue;
    chosen.match = WW_MATCH_DEFAULT;
    chosen.configuration = i;
    chosen.limits = limits;
    best = merit;
  }
  return chosen;
}

/* The configuration for a problem on a device. A device is tuned when its name and its architecture
   are. */
WW_FN ww_selection ww_row_mix_select(ww_device device, ww_row_mix_problem problem) {
  if (!ww_row_mix_valid(problem)) return ww_no_selection();
  const ww_limits limits = ww_row_mix_limits_of(device);
  ww_selection chosen = ww_row_mix_vote(device, limits, problem, 1, 1);
  if (chosen.configuration < 0) chosen = ww_row_mix_vote(device, limits, problem, 0, 1);
  if (chosen.configuration < 0) chosen = ww_row_mix_vote(device, limits, problem, 1, 0);
  if (chosen.configuration < 0) chosen = ww_row_mix_vote(device, limits, problem, 0, 0);
  if (chosen.configuration < 0) chosen = ww_row_mix_contract_default(limits, problem);
  return chosen;
}

enum {
  WW_ROW_MIX_OPTION_LENGTH = 39
};
typedef struct ww_row_mix_options {
  int count WW_INIT(0);
  char option[7][WW_ROW_MIX_OPTION_LENGTH] WW_INIT({});
} ww_row_mix_options;
WW_FN void ww_row_mix_put(ww_row_mix_options *out, int *at, const char *text) {
  for (; *text != '\0' && *at < WW_ROW_MIX_OPTION_LENGTH - 1; ++text) out->option[out->count][(*at)++] = *text;
  out->option[out->count][*at] = '\0';
}
WW_FN void ww_row_mix_put_integer(ww_row_mix_options *out, int *at, long long v) {
  char digits[24] = WW_ZERO;
  int first = 23;
  const int negative = v < 0;
  do {
    const int digit = (int)(v % 10);
    digits[--first] = (char)('0' + (digit < 0 ? -digit : digit));
    v /= 10;
  } while (v != 0);
  if (negative) digits[--first] = '-';
  ww_row_mix_put(out, at, digits + first);
}
/* In hexadecimal, which is exact. */
WW_FN void ww_row_mix_put_real(ww_row_mix_options *out, int *at, double v) {
  int exponent = 0;
  char digit[2] = WW_ZERO;
  if (v < 0) ww_row_mix_put(out, at, "-");
  if (v < 0) v = -v;
  for (; v >= 2; v /= 2) ++exponent;
  for (; v > 0 && v < 1; v *= 2) --exponent;
  ww_row_mix_put(out, at, v > 0 ? "0x1." : "0x0.");
  v -= v > 0 ? 1 : 0;
  for (int i = 0; i < 13; ++i) {
    const int hex = (int)(v *= 16);
    digit[0] = "0123456789abcdef"[hex];
    ww_row_mix_put(out, at, digit);
    v -= hex;
  }
  ww_row_mix_put(out, at, "p");
  ww_row_mix_put_integer(out, at, exponent);
}
WW_FN void ww_row_mix_put_define(ww_row_mix_options *out, const char *macro, ww_value v) {
  int at = 0;
  ww_row_mix_put(out, &at, "-D");
  ww_row_mix_put(out, &at, macro);
  ww_row_mix_put(out, &at, "=");
  if (v.kind == WW_INTEGER) ww_row_mix_put_integer(out, &at, v.integer);
  if (v.kind == WW_REAL) ww_row_mix_put_real(out, &at, v.real);
  if (v.kind == WW_TEXT) ww_row_mix_put(out, &at, v.text);
  ++out->count;
}

/* What NVRTC or nvcc is given to compile the configuration's source for the problem beside the
   architecture and folders of headers, one option an entry. */
WW_FN ww_row_mix_options ww_row_mix_compile_options(ww_selection chosen, ww_row_mix_problem problem) {
  ww_row_mix_options out = WW_ZERO;
  int at = 0;
  if (chosen.configuration < 0 || chosen.configuration >= WW_ROW_MIX_CONFIGURATION_COUNT) return out;
  const ww_row_mix_configuration configuration = ww_row_mix_configurations[chosen.configuration];
  ww_row_mix_put(&out, &at, "--std=c++20");
  ++out.count;
  switch (configuration.variant) {
    case WW_ROW_MIX_VARIANT_WIDE:
      ww_row_mix_put_define(&out, "THREADS", ww_integer(configuration.threads));
      ww_row_mix_put_define(&out, "HINT", ww_text(ww_row_mix_hint_name(configuration.hint)));
      break;
    case WW_ROW_MIX_VARIANT_WARP:
      ww_row_mix_put_define(&out, "THREADS", ww_integer(configuration.threads));
      ww_row_mix_put_define(&out, "SCALE", ww_real(configuration.scale));
      break;
  }
  ww_row_mix_put_define(&out, "TOP_K", ww_integer(problem.K));
  ww_row_mix_put_define(&out, "DTYPE", ww_text(ww_row_mix_dtype_name(problem.dtype)));
  ww_row_mix_put_define(&out, "WRITE_Z", ww_integer(problem.write_z));
  ww_row_mix_put_define(&out, "EPS", ww_real(problem.eps));
  return out;
}

WW_FN ww_launch_plan ww_row_mix_launch_wide(ww_row_mix_configuration configuration, ww_row_mix_problem problem,
    ww_limits limits, int index) {
  const ww_value rows = ww_integer(problem.rows);
  const ww_value threads = ww_integer(configuration.threads);
  (void)limits;
  ww_launch_plan out = ww_no_launch();
  switch (index) {
    case 0:
      out.ok = 1;
      out.entry = "mix";
      ww_put_number(&out.ok, &out.grid[0], rows);
      ww_put_number(&out.ok, &out.block[0], threads);
      ww_put_number(&out.ok, &out.shared_bytes, ww_multiply(threads, ww_integer(8)));
      break;
    default:
      break;
  }
  return out;
}

WW_FN ww_launch_plan ww_row_mix_launch_warp(ww_row_mix_configuration configuration, ww_row_mix_problem problem,
    ww_limits limits, int index) {
  const ww_value rows = ww_integer(problem.rows);
  const ww_value K = ww_integer(problem.K);
  const ww_value dtype = ww_text(ww_row_mix_dtype_name(problem.dtype));
  const ww_value threads = ww_integer(configuration.threads);
  const ww_value device_sm_count = ww_integer(limits.sm_count);
  ww_launch_plan out = ww_no_launch();
  switch (index) {
    case 0:
      out.ok = 1;
      out.entry = "part";
      ww_put_number(&out.ok, &out.grid[0], ww_ceil_div(rows, ww_divide(threads, ww_integer(32))));
      ww_put_number(&out.ok, &out.grid[1], K);
      ww_put_number(&out.ok, &out.block[0], threads);
      ww_put_number(&out.ok, &out.shared_bytes, ww_multiply(ww_bytes_of(dtype), K));
      break;
    case 1:
      out.ok = 1;
      out.entry = "merge";
      ww_put_number(&out.ok, &out.grid[0], device_sm_count);
      ww_put_number(&out.ok, &out.block[0], ww_integer(32));
      ww_put_number(&out.ok, &out.block[1], ww_integer(2));
      ww_put_number(&out.ok, &out.cluster[0], ww_integer(2));
      break;
    default:
      break;
  }
  return out;
}

/* Launch `index` of the configuration's launch_count, in stream order. The entries, with their
   arguments in order and what scalars are computed from: */
/* wide: mix() */
/* warp: part() */
/* warp: merge() */
WW_FN ww_launch_plan ww_row_mix_launch(ww_selection chosen, ww_row_mix_problem problem, int index) {
  if (chosen.configuration < 0 || chosen.configuration >= WW_ROW_MIX_CONFIGURATION_COUNT) return ww_no_launch();
  const ww_row_mix_configuration configuration = ww_row_mix_configurations[chosen.configuration];
  switch (configuration.variant) {
    case WW_ROW_MIX_VARIANT_WIDE:
      return ww_row_mix_launch_wide(configuration, problem, chosen.limits, index);
    case WW_ROW_MIX_VARIANT_WARP:
      return ww_row_mix_launch_warp(configuration, problem, chosen.limits, index);
  }
  return ww_no_launch();
}

enum {
  WW_ROW_MIX_TENSOR_COUNT = 0
};

/* Tensor `index` of WW_..._TENSOR_COUNT. Workspaces belong to the launches of one stream; a
   `used` of 0 needs none. */
WW_FN ww_tensor ww_row_mix_tensor(ww_selection chosen, ww_row_mix_problem problem, int index) {
  ww_tensor out = WW_ZERO;
  if (chosen.configuration < 0 || chosen.configuration >= WW_ROW_MIX_CONFIGURATION_COUNT) return out;
  const ww_row_mix_configuration configuration = ww_row_mix_configurations[chosen.configuration];
  const ww_limits limits = chosen.limits;
  (void)problem;
  (void)configuration;
  (void)limits;
  switch (index) {
    default:
      break;
  }
  return out;
}

#endif
/* sha256 of what is above: 98ae714b5665d3f2e2a8f7224be2144b8a4c59cf7648e89bd5d1f967f167c4c7 */
