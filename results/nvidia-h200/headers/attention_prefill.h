/* clang-format off */
/* attention_prefill: Attention of many queries, out = softmax(q k^T / sqrt(d)) v, head by head */
/* Tuned configurations, written by `warpwright export`. Do not edit: export again. */
/* export: {"kernel":"attention_prefill","prefix":"ww_","namespace":""} */
/* written by warpwright 0.1.0 */
/* NVIDIA H200 (sm_90a): 8 problems, 1498 configurations tried; times are measured, by warpwright
   0.1.0 (commit 1ce7878cce6a-dirty). */
/* Left out one at a time, 6 of 7 tuned problems get a configuration within 10 % of their best
   from the others. */
/*
     const ww_device device = {"NVIDIA H200", "sm_90a", {0}};
     const ww_attention_prefill_problem problem = {1, 32, 32, 512, 512, 128, 1, WW_ATTENTION_PREFILL_DTYPE_BF16, 0};
     const ww_selection chosen = ww_attention_prefill_select(device, problem);
     const ww_launch_plan plan = ww_attention_prefill_launch(chosen, problem, 0);

   warpwright_select.h says how it is compiled and launched. C99, C++17 and NVRTC. */
#ifndef WW_ATTENTION_PREFILL_H
#define WW_ATTENTION_PREFILL_H

#include "warpwright_select.h"

#if WARPWRIGHT_SELECT_VERSION != 1
#error this header is of another version than warpwright_select.h: export again
#endif

typedef enum {
  WW_ATTENTION_PREFILL_DTYPE_BF16,
  WW_ATTENTION_PREFILL_DTYPE_F16
} ww_attention_prefill_dtype;
WW_FN const char *ww_attention_prefill_dtype_name(ww_attention_prefill_dtype v) {
  switch (v) {
    case WW_ATTENTION_PREFILL_DTYPE_BF16:
      return "bf16";
    case WW_ATTENTION_PREFILL_DTYPE_F16:
      return "f16";
  }
  return 0;
}

typedef enum {
  WW_ATTENTION_PREFILL_MASK_SPLIT,
  WW_ATTENTION_PREFILL_MASK_BRANCH
} ww_attention_prefill_mask;
WW_FN const char *ww_attention_prefill_mask_name(ww_attention_prefill_mask v) {
  switch (v) {
    case WW_ATTENTION_PREFILL_MASK_SPLIT:
      return "split";
    case WW_ATTENTION_PREFILL_MASK_BRANCH:
      return "branch";
  }
  return 0;
}

typedef enum {
  WW_ATTENTION_PREFILL_KEYS_DESCENDING,
  WW_ATTENTION_PREFILL_KEYS_ASCENDING
} ww_attention_prefill_keys;
WW_FN const char *ww_attention_prefill_keys_name(ww_attention_prefill_keys v) {
  switch (v) {
    case WW_ATTENTION_PREFILL_KEYS_DESCENDING:
      return "descending";
    case WW_ATTENTION_PREFILL_KEYS_ASCENDING:
      return "ascending";
  }
  return 0;
}

typedef enum {
  WW_ATTENTION_PREFILL_SCHEDULE_BLOCKS,
  WW_ATTENTION_PREFILL_SCHEDULE_STRIDED,
  WW_ATTENTION_PREFILL_SCHEDULE_COUNTER
} ww_attention_prefill_schedule;
WW_FN const char *ww_attention_prefill_schedule_name(ww_attention_prefill_schedule v) {
  switch (v) {
    case WW_ATTENTION_PREFILL_SCHEDULE_BLOCKS:
      return "blocks";
    case WW_ATTENTION_PREFILL_SCHEDULE_STRIDED:
      return "strided";
    case WW_ATTENTION_PREFILL_SCHEDULE_COUNTER:
      return "counter";
  }
  return 0;
}

typedef enum {
  WW_ATTENTION_PREFILL_ORDER_LONGEST_FIRST,
  WW_ATTENTION_PREFILL_ORDER_NATURAL
} ww_attention_prefill_order;
WW_FN const char *ww_attention_prefill_order_name(ww_attention_prefill_order v) {
  switch (v) {
    case WW_ATTENTION_PREFILL_ORDER_LONGEST_FIRST:
      return "longest_first";
    case WW_ATTENTION_PREFILL_ORDER_NATURAL:
      return "natural";
  }
  return 0;
}

typedef enum {
  WW_ATTENTION_PREFILL_SCORES_SHARED,
  WW_ATTENTION_PREFILL_SCORES_REGISTERS
} ww_attention_prefill_scores;
WW_FN const char *ww_attention_prefill_scores_name(ww_attention_prefill_scores v) {
  switch (v) {
    case WW_ATTENTION_PREFILL_SCORES_SHARED:
      return "shared";
    case WW_ATTENTION_PREFILL_SCORES_REGISTERS:
      return "registers";
  }
  return 0;
}

typedef enum {
  WW_ATTENTION_PREFILL_VARIANT_WMMA,
  WW_ATTENTION_PREFILL_VARIANT_WGMMA,
  WW_ATTENTION_PREFILL_VARIANT_TMA
} ww_attention_prefill_variant;
WW_FN const char *ww_attention_prefill_variant_name(ww_attention_prefill_variant v) {
  switch (v) {
    case WW_ATTENTION_PREFILL_VARIANT_WMMA:
      return "wmma";
    case WW_ATTENTION_PREFILL_VARIANT_WGMMA:
      return "wgmma";
    case WW_ATTENTION_PREFILL_VARIANT_TMA:
      return "tma";
  }
  return 0;
}

typedef struct ww_attention_prefill_problem {
  long long batch WW_INIT(1); /* sequences; at least 1 */
  long long heads WW_INIT(0); /* heads of q; at least 1 */
  long long kv_heads WW_INIT(0); /* heads of k and v; at least 1 */
  long long q_len WW_INIT(0); /* rows of q in a head; at least 1 */
  long long kv_len WW_INIT(0); /* keys in a head; at least 1 */
  long long d WW_INIT(128); /* length of a row */
  int causal WW_INIT(1); /* whether a row sees only the keys up to its own position */
  ww_attention_prefill_dtype dtype WW_INIT(WW_ATTENTION_PREFILL_DTYPE_BF16);
  /* SMs that may be used by variants whose blocks take several tiles; 0 is all; at least 0 */
  long long sms WW_INIT(0);
} ww_attention_prefill_problem;
/* With the contract's defaults, which C++ has where sizes are left out; 0 where there is none. */
WW_FN ww_attention_prefill_problem ww_attention_prefill_default_problem(void) {
  ww_attention_prefill_problem problem = WW_ZERO;
  problem.batch = 1;
  problem.heads = 0;
  problem.kv_heads = 0;
  problem.q_len = 0;
  problem.kv_len = 0;
  problem.d = 128;
  problem.causal = 1;
  problem.dtype = WW_ATTENTION_PREFILL_DTYPE_BF16;
  problem.sms = 0;
  return problem;
}

/* Of all launches the largest, as compiled when it was tuned; -1: not known. */
typedef struct ww_attention_prefill_resources {
  int registers WW_INIT(-1); /* per thread */
  int shared_bytes WW_INIT(-1); /* per block, static and dynamic */
  int spill_bytes WW_INIT(-1); /* per thread */
} ww_attention_prefill_resources;

/* Parameters that the variant does not have hold the contract's defaults. */
typedef struct ww_attention_prefill_configuration {
  ww_attention_prefill_variant variant WW_INIT(WW_ATTENTION_PREFILL_VARIANT_WMMA);
  long long tile_q WW_INIT(64); /* TILE_Q: rows of q of a tile */
  long long tile_kv WW_INIT(128); /* TILE_KV: keys of a tile */
  long long warps WW_INIT(4); /* WARPS: warps of a block */
  long long stages WW_INIT(2); /* STAGES: tiles of K and of V in shared memory */
  /* CONSUMER_GROUPS: warpgroups that calculate, with 64 rows of q each */
  long long consumer_groups WW_INIT(2);
  /* CONSUMER_REGISTERS: registers of a thread that calculates */
  long long consumer_registers WW_INIT(240);
  /* PRODUCER_REGISTERS: registers of a thread of the warpgroup that loads */
  long long producer_registers WW_INIT(24);
  /* OVERLAP: 1 issues the scores of the next tile before this one's product with V */
  long long overlap WW_INIT(1);
  long long ping_pong WW_INIT(1); /* PING_PONG: 1 lets warpgroups issue in turn */
  /* MASK: split: a loop of its own for tiles that the mask cuts; branch: one loop */
  ww_attention_prefill_mask mask WW_INIT(WW_ATTENTION_PREFILL_MASK_SPLIT);
  /* SLACK: powers of two by which a maximum may lag before outputs are rescaled */
  long long slack WW_INIT(8);
  /* KEYS: the order of a row's tiles of keys */
  ww_attention_prefill_keys keys WW_INIT(WW_ATTENTION_PREFILL_KEYS_DESCENDING);
  /* SCHEDULE: blocks: one for each tile; strided: as many as SMs, each takes every so many
     tiles; counter: a free block takes the next */
  ww_attention_prefill_schedule schedule WW_INIT(WW_ATTENTION_PREFILL_SCHEDULE_COUNTER);
  /* ORDER: of a head's tiles */
  ww_attention_prefill_order order WW_INIT(WW_ATTENTION_PREFILL_ORDER_LONGEST_FIRST);
  long long section WW_INIT(0); /* SECTION: heads that are worked on together; 0 is all */
  /* PRODUCER_WARPS: warps that load, of which one lane does it */
  long long producer_warps WW_INIT(4);
  long long consumer_warps WW_INIT(8); /* CONSUMER_WARPS: warps that calculate */
  /* SWIZZLE: bytes of a panel's row, exchanged against bank conflicts; 0: 128 as they are */
  long long swizzle WW_INIT(128);
  /* MIN_BLOCKS: blocks that must fit on an SM at once; limits the registers */
  long long min_blocks WW_INIT(1);
  /* SCORES: shared: all warps work on one tile of scores, through shared memory; registers:
     every warp has rows of its own */
  ww_attention_prefill_scores scores WW_INIT(WW_ATTENTION_PREFILL_SCORES_SHARED);
  /* REGISTERS: of a thread that calculates while one that loads keeps 24; 0 is an even share */
  long long registers WW_INIT(0);
  const char *source WW_INIT(0); /* file name */
  int launch_count WW_INIT(0);
  ww_attention_prefill_resources resources WW_INIT({});
  const char *text WW_INIT(0); /* as `warpwright show` prints it */
} ww_attention_prefill_configuration;

/* A tuned problem: what won, and how that is known. */
typedef struct ww_attention_prefill_board {
  int device WW_INIT(0); /* in the table of devices */
  ww_attention_prefill_problem problem WW_INIT({});
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
} ww_attention_prefill_board;

enum {
  WW_ATTENTION_PREFILL_DEVICE_COUNT = 1,
  WW_ATTENTION_PREFILL_BOARD_COUNT = 8,
  WW_ATTENTION_PREFILL_CANDIDATE_COUNT = 6,
  WW_ATTENTION_PREFILL_DEFAULT_COUNT = 3,
  WW_ATTENTION_PREFILL_CONFIGURATION_COUNT = 9,
  WW_ATTENTION_PREFILL_FILE_COUNT = 27,
  WW_ATTENTION_PREFILL_INCLUDE_COUNT = 2
};

WW_DATA ww_device ww_attention_prefill_devices[WW_ATTENTION_PREFILL_DEVICE_COUNT] = {
    {"NVIDIA H200", "sm_90a", {232448, 1024, 32, 132, 65536, 65536, 62914560, 90, 150109880320LL}},
};

/* The portfolio; after it the contract's defaults of every variant. */
WW_DATA ww_attention_prefill_configuration ww_attention_prefill_configurations[WW_ATTENTION_PREFILL_CONFIGURATION_COUNT] = {
    /* 0: wgmma CONSUMER_GROUPS=1 CONSUMER_REGISTERS=216 KEYS=ascending MASK=branch MIN_BLOCKS=2
       ORDER=longest_first OVERLAP=1 PING_PONG=1 PRODUCER_REGISTERS=24 SCHEDULE=blocks SECTION=0
       SLACK=8 STAGES=2 TILE_KV=64; wins 1 problem */
    {WW_ATTENTION_PREFILL_VARIANT_WGMMA, /*tile_q*/ 64, /*tile_kv*/ 64, /*warps*/ 4, /*stages*/ 2,
     /*consumer_groups*/ 1, /*consumer_registers*/ 216, /*producer_registers*/ 24, /*overlap*/ 1,
     /*ping_pong*/ 1, /*mask*/ WW_ATTENTION_PREFILL_MASK_BRANCH, /*slack*/ 8,
     /*keys*/ WW_ATTENTION_PREFILL_KEYS_ASCENDING,
     /*schedule*/ WW_ATTENTION_PREFILL_SCHEDULE_BLOCKS,
     /*order*/ WW_ATTENTION_PREFILL_ORDER_LONGEST_FIRST, /*section*/ 0, /*producer_warps*/ 4,
     /*consumer_warps*/ 8, /*swizzle*/ 128, /*min_blocks*/ 2,
     /*scores*/ WW_ATTENTION_PREFILL_SCORES_SHARED, /*registers*/ 0,
     "wgmma.cu", 1, {128, 82944, 0},
     "wgmma CONSUMER_GROUPS=1 CONSUMER_REGISTERS=216 KEYS=ascending MASK=branch MIN_BLOCKS=2 ORDER=longest_first OVERLAP=1 PING_PONG=1 PRODUCER_REGISTERS=24 SCHEDULE=blocks SECTION=0 SLACK=8 STAGES=2 TILE_KV=64"},
    /* 1: wgmma CONSUMER_GROUPS=3 CONSUMER_REGISTERS=160 KEYS=descending MASK=split MIN_BLOCKS=1
       ORDER=longest_first OVERLAP=1 PING_PONG=1 PRODUCER_REGISTERS=32 SCHEDULE=counter
       SECTION=16 SLACK=8 STAGES=2 TILE_KV=80; wins 4 problems */
    {WW_ATTENTION_PREFILL_VARIANT_WGMMA, /*tile_q*/ 64, /*tile_kv*/ 80, /*warps*/ 4, /*stages*/ 2,
     /*consumer_groups*/ 3, /*consumer_registers*/ 160, /*producer_registers*/ 32, /*overlap*/ 1,
     /*ping_pong*/ 1, /*mask*/ WW_ATTENTION_PREFILL_MASK_SPLIT, /*slack*/ 8,
     /*keys*/ WW_ATTENTION_PREFILL_KEYS_DESCENDING,
     /*schedule*/ WW_ATTENTION_PREFILL_SCHEDULE_COUNTER,
     /*order*/ WW_ATTENTION_PREFILL_ORDER_LONGEST_FIRST, /*section*/ 16, /*producer_warps*/ 4,
     /*consumer_warps*/ 8, /*swizzle*/ 128, /*min_blocks*/ 1,
     /*scores*/ WW_ATTENTION_PREFILL_SCORES_SHARED, /*registers*/ 0,
     "wgmma.cu", 1, {128, 132096, 0},
     "wgmma CONSUMER_GROUPS=3 CONSUMER_REGISTERS=160 KEYS=descending MASK=split MIN_BLOCKS=1 ORDER=longest_first OVERLAP=1 PING_PONG=1 PRODUCER_REGISTERS=32 SCHEDULE=counter SECTION=16 SLACK=8 STAGES=2 TILE_KV=80"},
    /* 2: wgmma CONSUMER_GROUPS=2 CONSUMER_REGISTERS=240 KEYS=ascending MASK=branch MIN_BLOCKS=1
       ORDER=longest_first OVERLAP=1 PING_PONG=1 PRODUCER_REGISTERS=24 SCHEDULE=blocks SECTION=0
       SLACK=8 STAGES=2 TILE_KV=128; wins 1 problem */
    {WW_ATTENTION_PREFILL_VARIANT_WGMMA, /*tile_q*/ 64, /*tile_kv*/ 128, /*warps*/ 4, /*stages*/ 2,
     /*consumer_groups*/ 2, /*consumer_registers*/ 240, /*producer_registers*/ 24, /*overlap*/ 1,
     /*ping_pong*/ 1, /*mask*/ WW_ATTENTION_PREFILL_MASK_BRANCH, /*slack*/ 8,
     /*keys*/ WW_ATTENTION_PREFILL_KEYS_ASCENDING,
     /*schedule*/ WW_ATTENTION_PREFILL_SCHEDULE_BLOCKS,
     /*order*/ WW_ATTENTION_PREFILL_ORDER_LONGEST_FIRST, /*section*/ 0, /*producer_warps*/ 4,
     /*consumer_warps*/ 8, /*swizzle*/ 128, /*min_blocks*/ 1,
     /*scores*/ WW_ATTENTION_PREFILL_SCORES_SHARED, /*registers*/ 0,
     "wgmma.cu", 1, {168, 164864, 0},
     "wgmma CONSUMER_GROUPS=2 CONSUMER_REGISTERS=240 KEYS=ascending MASK=branch MIN_BLOCKS=1 ORDER=longest_first OVERLAP=1 PING_PONG=1 PRODUCER_REGISTERS=24 SCHEDULE=blocks SECTION=0 SLACK=8 STAGES=2 TILE_KV=128"},
    /* 3: wgmma CONSUMER_GROUPS=2 CONSUMER_REGISTERS=240 KEYS=ascending MASK=branch MIN_BLOCKS=1
       ORDER=longest_first OVERLAP=1 PING_PONG=1 PRODUCER_REGISTERS=24 SCHEDULE=counter SECTION=0
       SLACK=8 STAGES=2 TILE_KV=128; wins 1 problem */
    {WW_ATTENTION_PREFILL_VARIANT_WGMMA, /*tile_q*/ 64, /*tile_kv*/ 128, /*warps*/ 4, /*stages*/ 2,
     /*consumer_groups*/ 2, /*consumer_registers*/ 240, /*producer_registers*/ 24, /*overlap*/ 1,
     /*ping_pong*/ 1, /*mask*/ WW_ATTENTION_PREFILL_MASK_BRANCH, /*slack*/ 8,
     /*keys*/ WW_ATTENTION_PREFILL_KEYS_ASCENDING,
     /*schedule*/ WW_ATTENTION_PREFILL_SCHEDULE_COUNTER,
     /*order*/ WW_ATTENTION_PREFILL_ORDER_LONGEST_FIRST, /*section*/ 0, /*producer_warps*/ 4,
     /*consumer_warps*/ 8, /*swizzle*/ 128, /*min_blocks*/ 1,
     /*scores*/ WW_ATTENTION_PREFILL_SCORES_SHARED, /*registers*/ 0,
     "wgmma.cu", 1, {168, 164864, 0},
     "wgmma CONSUMER_GROUPS=2 CONSUMER_REGISTERS=240 KEYS=ascending MASK=branch MIN_BLOCKS=1 ORDER=longest_first OVERLAP=1 PING_PONG=1 PRODUCER_REGISTERS=24 SCHEDULE=counter SECTION=0 SLACK=8 STAGES=2 TILE_KV=128"},
    /* 4: wgmma CONSUMER_GROUPS=2 CONSUMER_REGISTERS=240 KEYS=descending MASK=branch MIN_BLOCKS=1
       ORDER=longest_first OVERLAP=1 PING_PONG=1 PRODUCER_REGISTERS=24 SCHEDULE=counter SECTION=0
       SLACK=8 STAGES=2 TILE_KV=128 */
    {WW_ATTENTION_PREFILL_VARIANT_WGMMA, /*tile_q*/ 64, /*tile_kv*/ 128, /*warps*/ 4, /*stages*/ 2,
     /*consumer_groups*/ 2, /*consumer_registers*/ 240, /*producer_registers*/ 24, /*overlap*/ 1,
     /*ping_pong*/ 1, /*mask*/ WW_ATTENTION_PREFILL_MASK_BRANCH, /*slack*/ 8,
     /*keys*/ WW_ATTENTION_PREFILL_KEYS_DESCENDING,
     /*schedule*/ WW_ATTENTION_PREFILL_SCHEDULE_COUNTER,
     /*order*/ WW_ATTENTION_PREFILL_ORDER_LONGEST_FIRST, /*section*/ 0, /*producer_warps*/ 4,
     /*consumer_warps*/ 8, /*swizzle*/ 128, /*min_blocks*/ 1,
     /*scores*/ WW_ATTENTION_PREFILL_SCORES_SHARED, /*registers*/ 0,
     "wgmma.cu", 1, {168, 164864, 0},
     "wgmma CONSUMER_GROUPS=2 CONSUMER_REGISTERS=240 KEYS=descending MASK=branch MIN_BLOCKS=1 ORDER=longest_first OVERLAP=1 PING_PONG=1 PRODUCER_REGISTERS=24 SCHEDULE=counter SECTION=0 SLACK=8 STAGES=2 TILE_KV=128"},
    /* 5: wgmma CONSUMER_GROUPS=2 CONSUMER_REGISTERS=240 KEYS=descending MASK=branch MIN_BLOCKS=1
       ORDER=longest_first OVERLAP=1 PING_PONG=1 PRODUCER_REGISTERS=24 SCHEDULE=counter
       SECTION=16 SLACK=8 STAGES=2 TILE_KV=128; wins 1 problem */
    {WW_ATTENTION_PREFILL_VARIANT_WGMMA, /*tile_q*/ 64, /*tile_kv*/ 128, /*warps*/ 4, /*stages*/ 2,
     /*consumer_groups*/ 2, /*consumer_registers*/ 240, /*producer_registers*/ 24, /*overlap*/ 1,
     /*ping_pong*/ 1, /*mask*/ WW_ATTENTION_PREFILL_MASK_BRANCH, /*slack*/ 8,
     /*keys*/ WW_ATTENTION_PREFILL_KEYS_DESCENDING,
     /*schedule*/ WW_ATTENTION_PREFILL_SCHEDULE_COUNTER,
     /*order*/ WW_ATTENTION_PREFILL_ORDER_LONGEST_FIRST, /*section*/ 16, /*producer_warps*/ 4,
     /*consumer_warps*/ 8, /*swizzle*/ 128, /*min_blocks*/ 1,
     /*scores*/ WW_ATTENTION_PREFILL_SCORES_SHARED, /*registers*/ 0,
     "wgmma.cu", 1, {168, 164864, 0},
     "wgmma CONSUMER_GROUPS=2 CONSUMER_REGISTERS=240 KEYS=descending MASK=branch MIN_BLOCKS=1 ORDER=longest_first OVERLAP=1 PING_PONG=1 PRODUCER_REGISTERS=24 SCHEDULE=counter SECTION=16 SLACK=8 STAGES=2 TILE_KV=128"},
    /* 6: wgmma CONSUMER_GROUPS=2 CONSUMER_REGISTERS=240 KEYS=descending MASK=split MIN_BLOCKS=1
       ORDER=longest_first OVERLAP=1 PING_PONG=1 PRODUCER_REGISTERS=24 SCHEDULE=counter SECTION=0
       SLACK=8 STAGES=2 TILE_KV=128, the defaults */
    {WW_ATTENTION_PREFILL_VARIANT_WGMMA, /*tile_q*/ 64, /*tile_kv*/ 128, /*warps*/ 4, /*stages*/ 2,
     /*consumer_groups*/ 2, /*consumer_registers*/ 240, /*producer_registers*/ 24, /*overlap*/ 1,
     /*ping_pong*/ 1, /*mask*/ WW_ATTENTION_PREFILL_MASK_SPLIT, /*slack*/ 8,
     /*keys*/ WW_ATTENTION_PREFILL_KEYS_DESCENDING,
     /*schedule*/ WW_ATTENTION_PREFILL_SCHEDULE_COUNTER,
     /*order*/ WW_ATTENTION_PREFILL_ORDER_LONGEST_FIRST, /*section*/ 0, /*producer_warps*/ 4,
     /*consumer_warps*/ 8, /*swizzle*/ 128, /*min_blocks*/ 1,
     /*scores*/ WW_ATTENTION_PREFILL_SCORES_SHARED, /*registers*/ 0,
     "wgmma.cu", 1, {-1, -1, -1},
     "wgmma CONSUMER_GROUPS=2 CONSUMER_REGISTERS=240 KEYS=descending MASK=split MIN_BLOCKS=1 ORDER=longest_first OVERLAP=1 PING_PONG=1 PRODUCER_REGISTERS=24 SCHEDULE=counter SECTION=0 SLACK=8 STAGES=2 TILE_KV=128"},
    /* 7: tma CONSUMER_WARPS=8 MASK=split MIN_BLOCKS=1 ORDER=longest_first PRODUCER_WARPS=4
       REGISTERS=0 SCORES=shared SLACK=8 STAGES=2 SWIZZLE=128 TILE_KV=128 TILE_Q=64, the defaults */
    {WW_ATTENTION_PREFILL_VARIANT_TMA, /*tile_q*/ 64, /*tile_kv*/ 128, /*warps*/ 4, /*stages*/ 2,
     /*consumer_groups*/ 2, /*consumer_registers*/ 240, /*producer_registers*/ 24, /*overlap*/ 1,
     /*ping_pong*/ 1, /*mask*/ WW_ATTENTION_PREFILL_MASK_SPLIT, /*slack*/ 8,
     /*keys*/ WW_ATTENTION_PREFILL_KEYS_DESCENDING,
     /*schedule*/ WW_ATTENTION_PREFILL_SCHEDULE_COUNTER,
     /*order*/ WW_ATTENTION_PREFILL_ORDER_LONGEST_FIRST, /*section*/ 0, /*producer_warps*/ 4,
     /*consumer_warps*/ 8, /*swizzle*/ 128, /*min_blocks*/ 1,
     /*scores*/ WW_ATTENTION_PREFILL_SCORES_SHARED, /*registers*/ 0,
     "tma.cu", 1, {-1, -1, -1},
     "tma CONSUMER_WARPS=8 MASK=split MIN_BLOCKS=1 ORDER=longest_first PRODUCER_WARPS=4 REGISTERS=0 SCORES=shared SLACK=8 STAGES=2 SWIZZLE=128 TILE_KV=128 TILE_Q=64"},
    /* 8: wmma TILE_KV=128 TILE_Q=64 WARPS=4, the defaults */
    {WW_ATTENTION_PREFILL_VARIANT_WMMA, /*tile_q*/ 64, /*tile_kv*/ 128, /*warps*/ 4, /*stages*/ 2,
     /*consumer_groups*/ 2, /*consumer_registers*/ 240, /*producer_registers*/ 24, /*overlap*/ 1,
     /*ping_pong*/ 1, /*mask*/ WW_ATTENTION_PREFILL_MASK_SPLIT, /*slack*/ 8,
     /*keys*/ WW_ATTENTION_PREFILL_KEYS_DESCENDING,
     /*schedule*/ WW_ATTENTION_PREFILL_SCHEDULE_COUNTER,
     /*order*/ WW_ATTENTION_PREFILL_ORDER_LONGEST_FIRST, /*section*/ 0, /*producer_warps*/ 4,
     /*consumer_warps*/ 8, /*swizzle*/ 128, /*min_blocks*/ 1,
     /*scores*/ WW_ATTENTION_PREFILL_SCORES_SHARED, /*registers*/ 0,
     "wmma.cu", 1, {-1, -1, -1},
     "wmma TILE_KV=128 TILE_Q=64 WARPS=4"},
};

WW_DATA ww_attention_prefill_board ww_attention_prefill_boards[WW_ATTENTION_PREFILL_BOARD_COUNT] = {
    /* 0: batch=1 heads=32 kv_heads=32 q_len=512 kv_len=512 d=128 causal=true dtype=bf16 sms=0 on
       NVIDIA H200 */
    {0, {1, 32, 32, 512, 512, 128, 1, WW_ATTENTION_PREFILL_DTYPE_BF16, 0}, 0, 11.472, 11.424, 11.504, 0, "cold-graph-1",
     207, 30, 1,
     "wgmma CONSUMER_GROUPS=1 CONSUMER_REGISTERS=216 KEYS=ascending MASK=split MIN_BLOCKS=2 ORDER=longest_first OVERLAP=1 PING_PONG=1 PRODUCER_REGISTERS=24 SCHEDULE=blocks SECTION=0 SLACK=8 STAGES=2 TILE_KV=64\n",
     "580.159.04", "13.0", "warpwright 0.1.0 (commit 1ce7878cce6a-dirty)", "2026-11-22T01:23:50Z",
     "92f548b03db0ada71a3ac28b93dbfc836768950af784f591f7398984b1503d0b"},
    /* 1: batch=1 heads=32 kv_heads=32 q_len=1024 kv_len=1024 d=128 causal=true dtype=bf16 sms=0
       on NVIDIA H200 */
    {0, {1, 32, 32, 1024, 1024, 128, 1, WW_ATTENTION_PREFILL_DTYPE_BF16, 0}, 2, 24.0, 23.92, 24.08, 0, "cold-graph-1",
     207, 30, 1,
     "wgmma CONSUMER_GROUPS=2 CONSUMER_REGISTERS=240 KEYS=ascending MASK=split MIN_BLOCKS=1 ORDER=longest_first OVERLAP=1 PING_PONG=1 PRODUCER_REGISTERS=24 SCHEDULE=blocks SECTION=0 SLACK=8 STAGES=2 TILE_KV=128\n",
     "580.159.04", "13.0", "warpwright 0.1.0 (commit 1ce7878cce6a-dirty)", "2026-11-22T01:23:55Z",
     "92f548b03db0ada71a3ac28b93dbfc836768950af784f591f7398984b1503d0b"},
    /* 2: batch=1 heads=32 kv_heads=32 q_len=2048 kv_len=2048 d=128 causal=true dtype=bf16 sms=0
       on NVIDIA H200 */
    {0, {1, 32, 32, 2048, 2048, 128, 1, WW_ATTENTION_PREFILL_DTYPE_BF16, 0}, 3, 66.568, 66.416, 66.64, 0, "cold-graph-1",
     222, 30, 0,
     "",
     "580.159.04", "13.0", "warpwright 0.1.0 (commit 1ce7878cce6a-dirty)", "2026-11-22T01:24:02Z",
     "92f548b03db0ada71a3ac28b93dbfc836768950af784f591f7398984b1503d0b"},
    /* 3: batch=1 heads=32 kv_heads=32 q_len=4096 kv_len=4096 d=128 causal=true dtype=bf16 sms=0
       on NVIDIA H200 */
    {0, {1, 32, 32, 4096, 4096, 128, 1, WW_ATTENTION_PREFILL_DTYPE_BF16, 0}, 5, 225.344, 224.688, 226.0, 0, "cold-graph-1",
     205, 30, 1,
     "wgmma CONSUMER_GROUPS=2 CONSUMER_REGISTERS=240 KEYS=descending MASK=split MIN_BLOCKS=1 ORDER=longest_first OVERLAP=1 PING_PONG=1 PRODUCER_REGISTERS=24 SCHEDULE=counter SECTION=16 SLACK=8 STAGES=2 TILE_KV=128\n",
     "580.159.04", "13.0", "warpwright 0.1.0 (commit 1ce7878cce6a-dirty)", "2026-11-22T01:24:07Z",
     "92f548b03db0ada71a3ac28b93dbfc836768950af784f591f7398984b1503d0b"},
    /* 4: batch=1 heads=32 kv_heads=32 q_len=8192 kv_len=8192 d=128 causal=true dtype=bf16 sms=0
       on NVIDIA H200 */
    {0, {1, 32, 32, 8192, 8192, 128, 1, WW_ATTENTION_PREFILL_DTYPE_BF16, 0}, 1, 794.08, 793.584, 794.88, 0, "cold-graph-1",
     195, 30, 0,
     "",
     "580.159.04", "13.0", "warpwright 0.1.0 (commit 1ce7878cce6a-dirty)", "2026-11-22T01:24:17Z",
     "92f548b03db0ada71a3ac28b93dbfc836768950af784f591f7398984b1503d0b"},
    /* 5: batch=1 heads=32 kv_heads=32 q_len=16384 kv_len=16384 d=128 causal=true dtype=bf16
       sms=0 on NVIDIA H200 */
    {0, {1, 32, 32, 16384, 16384, 128, 1, WW_ATTENTION_PREFILL_DTYPE_BF16, 0}, 1, 3037.296, 3036.704, 3038.272, 0, "cold-graph-1",
     154, 30, 0,
     "",
     "580.159.04", "13.0", "warpwright 0.1.0 (commit 1ce7878cce6a-dirty)", "2026-11-22T01:24:36Z",
     "92f548b03db0ada71a3ac28b93dbfc836768950af784f591f7398984b1503d0b"},
    /* 6: batch=2 heads=16 kv_heads=16 q_len=16384 kv_len=16384 d=128 causal=false dtype=bf16
       sms=0 on NVIDIA H200 */
    {0, {2, 16, 16, 16384, 16384, 128, 0, WW_ATTENTION_PREFILL_DTYPE_BF16, 0}, 1, 5949.968, 5947.648, 5951.968, 0, "cold-graph-1",
     154, 30, 0,
     "",
     "580.159.04", "13.0", "warpwright 0.1.0 (commit 1ce7878cce6a-dirty)", "2026-11-22T01:25:33Z",
     "92f548b03db0ada71a3ac28b93dbfc836768950af784f591f7398984b1503d0b"},
    /* 7: batch=4 heads=32 kv_heads=8 q_len=8192 kv_len=8192 d=128 causal=true dtype=bf16 sms=0
       on NVIDIA H200 */
    {0, {4, 32, 8, 8192, 8192, 128, 1, WW_ATTENTION_PREFILL_DTYPE_BF16, 0}, 1, 3088.04, 3087.296, 3088.832, 0, "cold-graph-1",
     154, 30, 0,
     "",
     "580.159.04", "13.0", "warpwright 0.1.0 (commit 1ce7878cce6a-dirty)", "2026-11-22T01:25:02Z",
     "92f548b03db0ada71a3ac28b93dbfc836768950af784f591f7398984b1503d0b"},
};

/* Thousandths of the best that each candidate reaches on each tuned problem, at most that where
   it was stopped early; -1: not tried. */
WW_DATA short ww_attention_prefill_fractions[WW_ATTENTION_PREFILL_CANDIDATE_COUNT][WW_ATTENTION_PREFILL_BOARD_COUNT] = {
    {1000,  978,  851,   -1,   -1,   -1,   -1,   -1},
    {  -1,   -1,   -1,  923, 1000, 1000, 1000, 1000},
    { 953, 1000,  963,   -1,   -1,   -1,   -1,   -1},
    { 931,  900, 1000,   -1,   -1,   -1,   -1,   -1},
    { 862,  864,  986,  993,  950,  936,  788,  936},
    {  -1,   -1,   -1, 1000,   -1,   -1,  908,  978},
};

/* The same of the best configuration of each default's variant. */
WW_DATA short ww_attention_prefill_merits[WW_ATTENTION_PREFILL_DEFAULT_COUNT][WW_ATTENTION_PREFILL_BOARD_COUNT] = {
    {1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000},
    { 656,  653,  638,  642,  615,   -1,   -1,   -1},
    {  -1,   -1,   -1,   -1,  128,  125,  119,  123},
};

/* What it was tuned from. Compile these very files: `warpwright export --verify` says whether a
   tree has them. */
WW_DATA ww_file ww_attention_prefill_files[WW_ATTENTION_PREFILL_FILE_COUNT] = {
    {"kernels/attention_prefill/consumer_group.cuh",
     "e2b14aafc55f101801b305fd6c825b335e4f7c8439a579ef3de3092f1e07618d"},
    {"kernels/attention_prefill/kernel.yaml",
     "51b1a4814d8661a7951cb46465660e91294049f154433286293bc863c889ecea"},
    {"kernels/attention_prefill/own_rows.cuh",
     "d0d248b2152d37b457752143ac790ff91aeffefdb19f15cf73f5f3904b81de98"},
    {"kernels/attention_prefill/panels.cuh",
     "40e0fd5e283e1ec1be7f84f5dd04caca86080e9cf97a4d2be57ef3cada81983a"},
    {"kernels/attention_prefill/reference.cpp",
     "c13b3002c35675a8df8290bfc9fb9a8201a5b7a5b0e4bbde9740d726f0add2b8"},
    {"kernels/attention_prefill/row_store.cuh",
     "c62df52d769c885777c2757efed36648fabb7d8c446639930073d34e43bec7ac"},
    {"kernels/attention_prefill/shared_scores.cuh",
     "270f298fb5350c27ec2b3ea389a9d7f363027c07d0c1fb3bb247784ff988dcd4"},
    {"kernels/attention_prefill/tiles.cuh",
     "f61754152f6a9466c39aac92012ab4f860f4a493df9301265c6f364a30c48118"},
    {"kernels/attention_prefill/tma.cu",
     "160bcf7f8b4e8d793b43c9d9833ce319ab0967b6c57ad4ec57bd95e551156797"},
    {"kernels/attention_prefill/wgmma.cu",
     "b062863a80b6a561525c75f4eec0c7dc404f9cf5a28a370cceffacf2a35a73c7"},
    {"kernels/attention_prefill/wmma.cu",
     "cd47019a43b3cef7a8a458ba6e3796d52d6ba36bc5c7d557315dd9f271e03883"},
    {"kernels/common/ldmatrix.cuh",
     "a17fb4887980989cb5b0174117c7205f8d87ec88cfc174188dee4034f1ea0eb8"},
    {"kernels/common/mbarrier.cuh",
     "74b4805ccb609e2765c70aa5e288e52d77ec6c157251d420c25b2fe56d94dcfb"},
    {"kernels/common/mma.cuh",
     "5edbc7acc5d4ec5aa487469493adf13a80fcfa2305fdee3f4710f984cbb30428"},
    {"kernels/common/online_softmax.cuh",
     "06421811f7bdfb62a9935b5cfe3a447a5ff9610a082c96787aa8facd6c43a841"},
    {"kernels/common/operands.cuh",
     "b412eca9e3b7a7f55373478435f7c10a5e858df1018a18a5587a945fb452b948"},
    {"kernels/common/packet.cuh",
     "7418a6188c3fc62e75e7a560044d6c7dd5a259842809330d77083ec1ffb01caf"},
    {"kernels/common/pipeline.cuh",
     "4bcdb626d348de015ffa7d56bed60d3fad6b84386221cf2dd17af4e973c7312d"},
    {"kernels/common/quad.cuh",
     "fa081d080f1f9a17d021f821835e4ff08316b9d21ce81906a303f3bc8cc0c677"},
    {"kernels/common/reference.h",
     "a8bc0c6a4d7f873c8749dd53a8f0ede94ed79a2f4bb6cac008a50ba69d371c9b"},
    {"kernels/common/roles.cuh",
     "b51bb6e910b82d0c1dd727d376c759f619bf3eae61663574fd788c53d7662bf0"},
    {"kernels/common/tma.cuh",
     "84135fb0e2aa49c037bf6b87477a2137aaddf468ec1916213bb42686e779856e"},
    {"kernels/common/types.cuh",
     "2d2999a5c47791c5ff08012d47a2f1ef319061ddaa4bca89ef962a057ac7fe4a"},
    {"kernels/common/warp.cuh",
     "85b283ee72c430595689d74369ddf4df4a9ed1817f4eb0b0f45b046444027cb5"},
    {"kernels/common/wgmma.cuh",
     "8c73fbb0fe7605a677454337a4391f6b5244542409f88711feb3e3efd6f733fe"},
    {"kernels/common/wgmma_tile.cuh",
     "1d24f6fce9d30033a31d14a4c4a9a2e4fcde1d052d55bffb30f78af9451c1e64"},
    {"kernels/common/wmma.cuh",
     "1e90401ec9d6a0378d6af6b2e9adb4a39151a663ee2c4aa91a41af7bf88d51aa"},
};

/* Folders of headers below the folder of kernels, in the order in which they are searched; the
   first holds the sources. */
WW_DATA char ww_attention_prefill_includes[WW_ATTENTION_PREFILL_INCLUDE_COUNT][18] = {
    "attention_prefill",
    "common",
};

/* The contract's types and limits of every size. */
WW_FN int ww_attention_prefill_valid(ww_attention_prefill_problem problem) {
  if (problem.batch < 1) return 0;
  if (problem.heads < 1) return 0;
  if (problem.kv_heads < 1) return 0;
  if (problem.q_len < 1) return 0;
  if (problem.kv_len < 1) return 0;
  if (problem.d != 64 && problem.d != 128 && problem.d != 256) return 0;
  if (ww_attention_prefill_dtype_name(problem.dtype) == 0) return 0;
  if (problem.sms < 0) return 0;
  return 1;
}

WW_FN int ww_attention_prefill_same_sizes(ww_attention_prefill_problem a, ww_attention_prefill_problem b) {
  return a.batch == b.batch &&
         a.heads == b.heads &&
         a.kv_heads == b.kv_heads &&
         a.q_len == b.q_len &&
         a.kv_len == b.kv_len &&
         a.d == b.d &&
         (a.causal != 0) == (b.causal != 0) &&
         a.dtype == b.dtype &&
         a.sms == b.sms;
}
/* How many sizes that have no distance, such as dtypes, differ. */
WW_FN int ww_attention_prefill_other_choices(ww_attention_prefill_problem a, ww_attention_prefill_problem b) {
  int count = 0;
  if (a.d != b.d) ++count;
  if ((a.causal != 0) != (b.causal != 0)) ++count;
  if (a.dtype != b.dtype) ++count;
  return count;
}

enum {
  WW_ATTENTION_PREFILL_AXIS_COUNT = 6
};
/* Where a problem lies: distances are Euclidean in log2(1 + size) and in twice the log2 of the
   contract's traffic. */
typedef struct ww_attention_prefill_place {
  double axes[WW_ATTENTION_PREFILL_AXIS_COUNT] WW_INIT({});
  int counted WW_INIT(0);
  double work WW_INIT(0);
} ww_attention_prefill_place;
WW_FN ww_attention_prefill_place ww_attention_prefill_place_of(ww_attention_prefill_problem problem) {
  const ww_value batch = ww_integer(problem.batch);
  const ww_value heads = ww_integer(problem.heads);
  const ww_value kv_heads = ww_integer(problem.kv_heads);
  const ww_value q_len = ww_integer(problem.q_len);
  const ww_value kv_len = ww_integer(problem.kv_len);
  const ww_value d = ww_integer(problem.d);
  /* Bytes that the contract counts. */
  const ww_value work = ww_multiply(ww_integer(2), ww_add(ww_multiply(ww_multiply(ww_multiply(ww_multiply(ww_integer(2), batch), heads), q_len), d), ww_multiply(ww_multiply(ww_multiply(ww_multiply(ww_integer(2), batch), kv_heads), kv_len), d)));
  ww_attention_prefill_place place = WW_ZERO;
  place.axes[0] = ww_size_scale((double)problem.batch);
  place.axes[1] = ww_size_scale((double)problem.heads);
  place.axes[2] = ww_size_scale((double)problem.kv_heads);
  place.axes[3] = ww_size_scale((double)problem.q_len);
  place.axes[4] = ww_size_scale((double)problem.kv_len);
  place.axes[5] = ww_size_scale((double)problem.sms);
  place.counted = ww_number(work);
  place.work = place.counted ? ww_size_scale(ww_as_real(work)) : 0;
  return place;
}

WW_FN int ww_attention_prefill_allowed_wmma(ww_attention_prefill_configuration configuration, ww_attention_prefill_problem problem,
    ww_limits limits) {
  const ww_value batch = ww_integer(problem.batch);
  const ww_value heads = ww_integer(problem.heads);
  const ww_value kv_heads = ww_integer(problem.kv_heads);
  const ww_value q_len = ww_integer(problem.q_len);
  const ww_value kv_len = ww_integer(problem.kv_len);
  const ww_value d = ww_integer(problem.d);
  const ww_value causal = ww_integer(problem.causal != 0);
  const ww_value dtype = ww_text(ww_attention_prefill_dtype_name(problem.dtype));
  const ww_value tile_q = ww_integer(configuration.tile_q);
  const ww_value tile_kv = ww_integer(configuration.tile_kv);
  const ww_value warps = ww_integer(configuration.warps);
  const ww_value device_compute_capability = ww_integer(limits.compute_capability);
  const ww_value device_max_shared = ww_integer(limits.max_shared);
  const ww_value device_max_threads = ww_integer(limits.max_threads);
  /* every head of k and v serves equally many heads of q */
  if (!ww_holds(ww_equal(ww_remainder(heads, kv_heads), ww_integer(0)))) return 0;
  /* wmma takes bf16 from compute capability 8.0 on */
  if (!ww_holds(ww_greater_equal(device_compute_capability, ww_integer(80)))) return 0;
  /* wmma multiplies 16 x 16 matrices */
  if (!ww_holds(ww_and(ww_equal(ww_remainder(tile_q, ww_integer(16)), ww_integer(0)), ww_equal(ww_remainder(tile_kv, ww_integer(16)), ww_integer(0))))) return 0;
  /* q, a tile of keys, scores, probabilities and outputs are in shared memory */
  if (!ww_holds(ww_less_equal(ww_add(ww_multiply(ww_multiply(ww_integer(2), ww_add(ww_multiply(ww_integer(3), tile_q), tile_kv)), ww_add(d, ww_integer(8))), ww_multiply(ww_multiply(ww_integer(6), tile_q), ww_add(tile_kv, ww_integer(8)))), device_max_shared))) return 0;
  /* q is an array */
  if (!ww_holds(ww_greater_equal(ww_multiply(ww_multiply(ww_multiply(ww_multiply(ww_bytes_of(dtype), batch), heads), q_len), d), ww_integer(0)))) return 0;
  /* k is an array */
  if (!ww_holds(ww_greater_equal(ww_multiply(ww_multiply(ww_multiply(ww_multiply(ww_bytes_of(dtype), batch), kv_heads), kv_len), d), ww_integer(0)))) return 0;
  /* the argument heads is an i32 */
  if (!ww_holds(ww_and(ww_greater_equal(heads, ww_integer(-2147483648LL)), ww_less_equal(heads, ww_integer(2147483647))))) return 0;
  /* the argument kv_heads is an i32 */
  if (!ww_holds(ww_and(ww_greater_equal(kv_heads, ww_integer(-2147483648LL)), ww_less_equal(kv_heads, ww_integer(2147483647))))) return 0;
  /* the argument q_len is an i32 */
  if (!ww_holds(ww_and(ww_greater_equal(q_len, ww_integer(-2147483648LL)), ww_less_equal(q_len, ww_integer(2147483647))))) return 0;
  /* the argument kv_len is an i32 */
  if (!ww_holds(ww_and(ww_greater_equal(kv_len, ww_integer(-2147483648LL)), ww_less_equal(kv_len, ww_integer(2147483647))))) return 0;
  /* the argument causal is an i32 */
  if (!ww_holds(ww_and(ww_greater_equal(ww_choose(causal, ww_integer(1), ww_integer(0)), ww_integer(-2147483648LL)), ww_less_equal(ww_choose(causal, ww_integer(1), ww_integer(0)), ww_integer(2147483647))))) return 0;
  /* the argument scale is an f32 */
  if (!ww_holds(ww_and(ww_greater_equal(ww_divide(ww_real(1.4426950408889634), ww_root_of(d)), ww_real(-3.4028234663852886e+38)), ww_less_equal(ww_divide(ww_real(1.4426950408889634), ww_root_of(d)), ww_real(3.4028234663852886e+38))))) return 0;
  /* a grid has 1 to 2^31 - 1 blocks in x */
  if (!ww_holds(ww_and(ww_greater_equal(ww_multiply(batch, heads), ww_integer(1)), ww_less_equal(ww_multiply(batch, heads), ww_integer(2147483647))))) return 0;
  /* a grid has 1 to 65535 blocks in y and z */
  if (!ww_holds(ww_and(ww_greater_equal(ww_ceil_div(q_len, tile_q), ww_integer(1)), ww_less_equal(ww_ceil_div(q_len, tile_q), ww_integer(65535))))) return 0;
  /* a block has threads */
  if (!ww_holds(ww_greater_equal(ww_multiply(ww_integer(32), warps), ww_integer(1)))) return 0;
  /* the device launches no more */
  if (!ww_holds(ww_less_equal(ww_multiply(ww_integer(32), warps), device_max_threads))) return 0;
  /* a block has no more shared memory */
  if (!ww_holds(ww_less_equal(ww_add(ww_multiply(ww_multiply(ww_integer(2), ww_add(ww_multiply(ww_integer(3), tile_q), tile_kv)), ww_add(d, ww_integer(8))), ww_multiply(ww_multiply(ww_integer(6), tile_q), ww_add(tile_kv, ww_integer(8)))), device_max_shared))) return 0;
  return 1;
}

WW_FN int ww_attention_prefill_allowed_wgmma(ww_attention_prefill_configuration configuration, ww_attention_prefill_problem problem,
    ww_limits limits) {
  const ww_value batch = ww_integer(problem.batch);
  const ww_value heads = ww_integer(problem.heads);
  const ww_value kv_heads = ww_integer(problem.kv_heads);
  const ww_value q_len = ww_integer(problem.q_len);
  const ww_value kv_len = ww_integer(problem.kv_len);
  const ww_value d = ww_integer(problem.d);
  const ww_value causal = ww_integer(problem.causal != 0);
  const ww_value dtype = ww_text(ww_attention_prefill_dtype_name(problem.dtype));
  const ww_value sms = ww_integer(problem.sms);
  const ww_value tile_kv = ww_integer(configuration.tile_kv);
  const ww_value stages = ww_integer(configuration.stages);
  const ww_value consumer_groups = ww_integer(configuration.consumer_groups);
  const ww_value consumer_registers = ww_integer(configuration.consumer_registers);
  const ww_value producer_registers = ww_integer(configuration.producer_registers);
  const ww_value ping_pong = ww_integer(configuration.ping_pong);
  const ww_value schedule = ww_text(ww_attention_prefill_schedule_name(configuration.schedule));
  const ww_value min_blocks = ww_integer(configuration.min_blocks);
  const ww_value device_compute_capability = ww_integer(limits.compute_capability);
  const ww_value device_max_shared = ww_integer(limits.max_shared);
  const ww_value device_max_threads = ww_integer(limits.max_threads);
  const ww_value device_registers_per_sm = ww_integer(limits.registers_per_sm);
  const ww_value device_sm_count = ww_integer(limits.sm_count);
  /* every head of k and v serves equally many heads of q */
  if (!ww_holds(ww_equal(ww_remainder(heads, kv_heads), ww_integer(0)))) return 0;
  /* wgmma is an instruction of sm_90a alone */
  if (!ww_holds(ww_equal(device_compute_capability, ww_integer(90)))) return 0;
  /* the product with V takes 16 keys at a time */
  if (!ww_holds(ww_equal(ww_remainder(tile_kv, ww_integer(16)), ww_integer(0)))) return 0;
  /* setmaxnreg takes multiples of 8 */
  if (!ww_holds(ww_and(ww_equal(ww_remainder(consumer_registers, ww_integer(8)), ww_integer(0)), ww_equal(ww_remainder(producer_registers, ww_integer(8)), ww_integer(0))))) return 0;
  /* warpgroups share what a block was launched with, an even share in multiples of 8; who wants
     more waits forever */
  if (!ww_holds(ww_less_equal(ww_add(producer_registers, ww_multiply(consumer_groups, consumer_registers)), ww_multiply(ww_add(ww_integer(1), consumer_groups), ww_multiply(ww_divide(ww_divide(device_registers_per_sm, ww_multiply(ww_multiply(ww_integer(128), min_blocks), ww_add(ww_integer(1), consumer_groups))), ww_integer(8)), ww_integer(8)))))) return 0;
  /* producers give registers up and consumers get more than an even share */
  if (!ww_holds(ww_and(ww_less_equal(producer_registers, ww_multiply(ww_divide(ww_divide(ww_integer(65536), ww_multiply(ww_multiply(ww_integer(128), min_blocks), ww_add(ww_integer(1), consumer_groups))), ww_integer(8)), ww_integer(8))), ww_greater_equal(consumer_registers, ww_multiply(ww_divide(ww_divide(ww_integer(65536), ww_multiply(ww_multiply(ww_integer(128), min_blocks), ww_add(ww_integer(1), consumer_groups))), ww_integer(8)), ww_integer(8)))))) return 0;
  /* outputs, scores and probabilities must be in registers, or ptxas serialises wgmma; for
     several blocks it counts the even share */
  if (!ww_holds(ww_choose(ww_equal(min_blocks, ww_integer(1)), ww_less_equal(ww_add(ww_add(ww_add(ww_divide(d, ww_integer(2)), ww_divide(tile_kv, ww_integer(2))), ww_divide(tile_kv, ww_integer(4))), ww_choose(ww_equal(ping_pong, ww_integer(1)), ww_integer(32), ww_integer(40))), consumer_registers), ww_less_equal(ww_add(ww_add(ww_add(ww_divide(d, ww_integer(2)), ww_divide(tile_kv, ww_integer(2))), ww_divide(tile_kv, ww_integer(4))), ww_integer(16)), ww_divide(device_registers_per_sm, ww_multiply(ww_multiply(ww_integer(128), min_blocks), ww_add(ww_integer(1), consumer_groups))))))) return 0;
  /* q and the rings of K and V are in shared memory */
  if (!ww_holds(ww_less_equal(ww_add(ww_add(ww_multiply(ww_multiply(ww_multiply(consumer_groups, ww_integer(64)), d), ww_integer(2)), ww_multiply(ww_multiply(ww_multiply(ww_multiply(ww_integer(2), stages), tile_kv), d), ww_integer(2))), ww_integer(1024)), device_max_shared))) return 0;
  /* an SM has 228 KB of shared memory, of which every block takes 1 KB more than it asks for */
  if (!ww_holds(ww_less_equal(ww_multiply(min_blocks, ww_add(ww_add(ww_multiply(ww_multiply(ww_multiply(consumer_groups, ww_integer(64)), d), ww_integer(2)), ww_multiply(ww_multiply(ww_multiply(ww_multiply(ww_integer(2), stages), tile_kv), d), ww_integer(2))), ww_integer(2048))), ww_integer(233472)))) return 0;
  /* q is an array */
  if (!ww_holds(ww_greater_equal(ww_multiply(ww_multiply(ww_multiply(ww_multiply(ww_bytes_of(dtype), batch), heads), q_len), d), ww_integer(0)))) return 0;
  /* k is an array */
  if (!ww_holds(ww_greater_equal(ww_multiply(ww_multiply(ww_multiply(ww_multiply(ww_bytes_of(dtype), batch), kv_heads), kv_len), d), ww_integer(0)))) return 0;
  /* counter is an array */
  if (!ww_holds(ww_greater_equal(ww_multiply(ww_bytes_of(ww_text("u32")), ww_integer(1)), ww_integer(0)))) return 0;
  /* the argument batch is an i32 */
  if (!ww_holds(ww_and(ww_greater_equal(batch, ww_integer(-2147483648LL)), ww_less_equal(batch, ww_integer(2147483647))))) return 0;
  /* the argument heads is an i32 */
  if (!ww_holds(ww_and(ww_greater_equal(heads, ww_integer(-2147483648LL)), ww_less_equal(heads, ww_integer(2147483647))))) return 0;
  /* the argument kv_heads is an i32 */
  if (!ww_holds(ww_and(ww_greater_equal(kv_heads, ww_integer(-2147483648LL)), ww_less_equal(kv_heads, ww_integer(2147483647))))) return 0;
  /* the argument q_len is an i32 */
  if (!ww_holds(ww_and(ww_greater_equal(q_len, ww_integer(-2147483648LL)), ww_less_equal(q_len, ww_integer(2147483647))))) return 0;
  /* the argument kv_len is an i32 */
  if (!ww_holds(ww_and(ww_greater_equal(kv_len, ww_integer(-2147483648LL)), ww_less_equal(kv_len, ww_integer(2147483647))))) return 0;
  /* the argument causal is an i32 */
  if (!ww_holds(ww_and(ww_greater_equal(ww_choose(causal, ww_integer(1), ww_integer(0)), ww_integer(-2147483648LL)), ww_less_equal(ww_choose(causal, ww_integer(1), ww_integer(0)), ww_integer(2147483647))))) return 0;
  /* the argument scale is an f32 */
  if (!ww_holds(ww_and(ww_greater_equal(ww_divide(ww_real(1.4426950408889634), ww_root_of(d)), ww_real(-3.4028234663852886e+38)), ww_less_equal(ww_divide(ww_real(1.4426950408889634), ww_root_of(d)), ww_real(3.4028234663852886e+38))))) return 0;
  /* a grid has 1 to 2^31 - 1 blocks in x */
  if (!ww_holds(ww_and(ww_greater_equal(ww_choose(ww_equal(schedule, ww_text("blocks")), ww_multiply(ww_multiply(ww_ceil_div(q_len, ww_multiply(ww_integer(64), consumer_groups)), batch), heads), ww_smaller(ww_multiply(ww_multiply(ww_ceil_div(q_len, ww_multiply(ww_integer(64), consumer_groups)), batch), heads), ww_multiply(min_blocks, ww_choose(ww_equal(sms, ww_integer(0)), device_sm_count, ww_smaller(sms, device_sm_count))))), ww_integer(1)), ww_less_equal(ww_choose(ww_equal(schedule, ww_text("blocks")), ww_multiply(ww_multiply(ww_ceil_div(q_len, ww_multiply(ww_integer(64), consumer_groups)), batch), heads), ww_smaller(ww_multiply(ww_multiply(ww_ceil_div(q_len, ww_multiply(ww_integer(64), consumer_groups)), batch), heads), ww_multiply(min_blocks, ww_choose(ww_equal(sms, ww_integer(0)), device_sm_count, ww_smaller(sms, device_sm_count))))), ww_integer(2147483647))))) return 0;
  /* a block has threads */
  if (!ww_holds(ww_greater_equal(ww_multiply(ww_integer(128), ww_add(ww_integer(1), consumer_groups)), ww_integer(1)))) return 0;
  /* the device launches no more */
  if (!ww_holds(ww_less_equal(ww_multiply(ww_integer(128), ww_add(ww_integer(1), consumer_groups)), device_max_threads))) return 0;
  /* a block has no more shared memory */
  if (!ww_holds(ww_less_equal(ww_add(ww_add(ww_multiply(ww_multiply(ww_multiply(consumer_groups, ww_integer(64)), d), ww_integer(2)), ww_multiply(ww_multiply(ww_multiply(ww_multiply(ww_integer(2), stages), tile_kv), d), ww_integer(2))), ww_integer(1024)), device_max_shared))) return 0;
  return 1;
}

WW_FN int ww_attention_prefill_allowed_tma(ww_attention_prefill_configuration configuration, ww_attention_prefill_problem problem,
    ww_limits limits) {
  const ww_value batch = ww_integer(problem.batch);
  const ww_value heads = ww_integer(problem.heads);
  const ww_value kv_heads = ww_integer(problem.kv_heads);
  const ww_value q_len = ww_integer(problem.q_len);
  const ww_value kv_len = ww_integer(problem.kv_len);
  const ww_value d = ww_integer(problem.d);
  const ww_value causal = ww_integer(problem.causal != 0);
  const ww_value dtype = ww_text(ww_attention_prefill_dtype_name(problem.dtype));
  const ww_value tile_q = ww_integer(configuration.tile_q);
  const ww_value tile_kv = ww_integer(configuration.tile_kv);
  const ww_value stages = ww_integer(configuration.stages);
  const ww_value producer_warps = ww_integer(configuration.producer_warps);
  const ww_value consumer_warps = ww_integer(configuration.consumer_warps);
  const ww_value min_blocks = ww_integer(configuration.min_blocks);
  const ww_value scores = ww_text(ww_attention_prefill_scores_name(configuration.scores));
  const ww_value registers = ww_integer(configuration.registers);
  const ww_value device_compute_capability = ww_integer(limits.compute_capability);
  const ww_value device_max_shared = ww_integer(limits.max_shared);
  const ww_value device_max_threads = ww_integer(limits.max_threads);
  const ww_value device_registers_per_sm = ww_integer(limits.registers_per_sm);
  /* every head of k and v serves equally many heads of q */
  if (!ww_holds(ww_equal(ww_remainder(heads, kv_heads), ww_integer(0)))) return 0;
  /* tensor copies begin there */
  if (!ww_holds(ww_greater_equal(device_compute_capability, ww_integer(90)))) return 0;
  /* products are of 16 x 16 */
  if (!ww_holds(ww_and(ww_equal(ww_remainder(tile_q, ww_integer(16)), ww_integer(0)), ww_equal(ww_remainder(tile_kv, ww_integer(16)), ww_integer(0))))) return 0;
  /* the device launches no more */
  if (!ww_holds(ww_less_equal(ww_multiply(ww_integer(32), ww_add(producer_warps, consumer_warps)), device_max_threads))) return 0;
  /* no compiler makes do with fewer than 32 registers a thread */
  if (!ww_holds(ww_less_equal(ww_multiply(ww_multiply(ww_multiply(ww_integer(32), ww_add(producer_warps, consumer_warps)), min_blocks), ww_integer(32)), device_registers_per_sm))) return 0;
  /* a warp keeps its blocks of the outputs in registers, 8 each */
  if (!ww_holds(ww_or(ww_equal(scores, ww_text("registers")), ww_less_equal(ww_ceil_div(ww_multiply(ww_divide(tile_q, ww_integer(16)), ww_divide(d, ww_integer(16))), consumer_warps), ww_integer(16))))) return 0;
  /* a warp owns 16 or 32 rows */
  if (!ww_holds(ww_or(ww_or(ww_equal(scores, ww_text("shared")), ww_equal(tile_q, ww_multiply(ww_integer(16), consumer_warps))), ww_equal(tile_q, ww_multiply(ww_integer(32), consumer_warps))))) return 0;
  /* outputs and scores of a warp's rows must be in registers */
  if (!ww_holds(ww_or(ww_equal(scores, ww_text("shared")), ww_less_equal(ww_add(ww_multiply(ww_divide(ww_divide(tile_q, consumer_warps), ww_integer(16)), ww_add(ww_divide(d, ww_integer(2)), ww_divide(tile_kv, ww_integer(2)))), ww_integer(24)), ww_integer(255))))) return 0;
  /* setmaxnreg moves what a block was launched with between whole warpgroups, in multiples of 8;
     who wants more waits forever */
  if (!ww_holds(ww_or(ww_equal(registers, ww_integer(0)), ww_and(ww_and(ww_and(ww_and(ww_and(ww_equal(device_compute_capability, ww_integer(90)), ww_equal(ww_remainder(registers, ww_integer(8)), ww_integer(0))), ww_equal(producer_warps, ww_integer(4))), ww_equal(ww_remainder(consumer_warps, ww_integer(4)), ww_integer(0))), ww_greater_equal(registers, ww_multiply(ww_divide(ww_divide(ww_integer(65536), ww_multiply(ww_multiply(ww_integer(32), min_blocks), ww_add(ww_integer(4), consumer_warps))), ww_integer(8)), ww_integer(8)))), ww_less_equal(ww_add(ww_multiply(ww_integer(4), ww_integer(24)), ww_multiply(consumer_warps, registers)), ww_multiply(ww_add(ww_integer(4), consumer_warps), ww_multiply(ww_divide(ww_divide(device_registers_per_sm, ww_multiply(ww_multiply(ww_integer(32), min_blocks), ww_add(ww_integer(4), consumer_warps))), ww_integer(8)), ww_integer(8)))))))) return 0;
  /* q, rings of K and V, scores, probabilities, factors of rows and barriers are in shared
     memory */
  if (!ww_holds(ww_less_equal(ww_multiply(min_blocks, ww_add(ww_integer(1024), ww_align_up(ww_add(ww_add(ww_add(ww_add(ww_multiply(ww_multiply(tile_q, d), ww_integer(2)), ww_multiply(ww_multiply(ww_multiply(ww_multiply(ww_integer(2), stages), tile_kv), d), ww_integer(2))), ww_choose(ww_equal(scores, ww_text("shared")), ww_add(ww_multiply(ww_multiply(ww_integer(6), tile_q), ww_add(tile_kv, ww_integer(8))), ww_multiply(ww_integer(8), tile_q)), ww_integer(8))), ww_integer(8)), ww_multiply(ww_integer(32), stages)), ww_integer(1024)))), ww_add(device_max_shared, ww_integer(1024))))) return 0;
  /* q is an array */
  if (!ww_holds(ww_greater_equal(ww_multiply(ww_multiply(ww_multiply(ww_multiply(ww_bytes_of(dtype), batch), heads), q_len), d), ww_integer(0)))) return 0;
  /* k is an array */
  if (!ww_holds(ww_greater_equal(ww_multiply(ww_multiply(ww_multiply(ww_multiply(ww_bytes_of(dtype), batch), kv_heads), kv_len), d), ww_integer(0)))) return 0;
  /* the argument heads is an i32 */
  if (!ww_holds(ww_and(ww_greater_equal(heads, ww_integer(-2147483648LL)), ww_less_equal(heads, ww_integer(2147483647))))) return 0;
  /* the argument kv_heads is an i32 */
  if (!ww_holds(ww_and(ww_greater_equal(kv_heads, ww_integer(-2147483648LL)), ww_less_equal(kv_heads, ww_integer(2147483647))))) return 0;
  /* the argument q_len is an i32 */
  if (!ww_holds(ww_and(ww_greater_equal(q_len, ww_integer(-2147483648LL)), ww_less_equal(q_len, ww_integer(2147483647))))) return 0;
  /* the argument kv_len is an i32 */
  if (!ww_holds(ww_and(ww_greater_equal(kv_len, ww_integer(-2147483648LL)), ww_less_equal(kv_len, ww_integer(2147483647))))) return 0;
  /* the argument causal is an i32 */
  if (!ww_holds(ww_and(ww_greater_equal(ww_choose(causal, ww_integer(1), ww_integer(0)), ww_integer(-2147483648LL)), ww_less_equal(ww_choose(causal, ww_integer(1), ww_integer(0)), ww_integer(2147483647))))) return 0;
  /* the argument scale is an f32 */
  if (!ww_holds(ww_and(ww_greater_equal(ww_divide(ww_real(1.4426950408889634), ww_root_of(d)), ww_real(-3.4028234663852886e+38)), ww_less_equal(ww_divide(ww_real(1.4426950408889634), ww_root_of(d)), ww_real(3.4028234663852886e+38))))) return 0;
  /* a grid has 1 to 2^31 - 1 blocks in x */
  if (!ww_holds(ww_and(ww_greater_equal(ww_multiply(batch, heads), ww_integer(1)), ww_less_equal(ww_multiply(batch, heads), ww_integer(2147483647))))) return 0;
  /* a grid has 1 to 65535 blocks in y and z */
  if (!ww_holds(ww_and(ww_greater_equal(ww_ceil_div(q_len, tile_q), ww_integer(1)), ww_less_equal(ww_ceil_div(q_len, tile_q), ww_integer(65535))))) return 0;
  /* a block has threads */
  if (!ww_holds(ww_greater_equal(ww_multiply(ww_integer(32), ww_add(producer_warps, consumer_warps)), ww_integer(1)))) return 0;
  /* the device launches no more */
  if (!ww_holds(ww_less_equal(ww_multiply(ww_integer(32), ww_add(producer_warps, consumer_warps)), device_max_threads))) return 0;
  /* a block has no more shared memory */
  if (!ww_holds(ww_less_equal(ww_align_up(ww_add(ww_add(ww_add(ww_add(ww_multiply(ww_multiply(tile_q, d), ww_integer(2)), ww_multiply(ww_multiply(ww_multiply(ww_multiply(ww_integer(2), stages), tile_kv), d), ww_integer(2))), ww_choose(ww_equal(scores, ww_text("shared")), ww_add(ww_multiply(ww_multiply(ww_integer(6), tile_q), ww_add(tile_kv, ww_integer(8))), ww_multiply(ww_integer(8), tile_q)), ww_integer(8))), ww_integer(8)), ww_multiply(ww_integer(32), stages)), ww_integer(1024)), device_max_shared))) return 0;
  return 1;
}

/* Every constraint of the contract and of the variant holds for this problem on a device with
   these limits, and its launches are within CUDA's. */
WW_FN int ww_attention_prefill_allowed(ww_attention_prefill_configuration configuration, ww_attention_prefill_problem problem,
    ww_limits limits) {
  switch (configuration.variant) {
    case WW_ATTENTION_PREFILL_VARIANT_WMMA:
      return ww_attention_prefill_allowed_wmma(configuration, problem, limits);
    case WW_ATTENTION_PREFILL_VARIANT_WGMMA:
      return ww_attention_prefill_allowed_wgmma(configuration, problem, limits);
    case WW_ATTENTION_PREFILL_VARIANT_TMA:
      return ww_attention_prefill_allowed_tma(configuration, problem, limits);
  }
  return 0;
}

/* How much what counts in a choice. */
#define WW_ATTENTION_PREFILL_WORK_SCALE 2.0
#define WW_ATTENTION_PREFILL_NEARBY 2.0
#define WW_ATTENTION_PREFILL_OTHER_CHOICE 2.0
#define WW_ATTENTION_PREFILL_PRIOR_FRACTION 0.5
#define WW_ATTENTION_PREFILL_PRIOR_WEIGHT 0.2
#define WW_ATTENTION_PREFILL_SCORE_TIE 1e-09

WW_FN ww_limits ww_attention_prefill_limits_of(ww_device device) {
  const int capability = ww_capability_of(device.arch);
  ww_limits limits = device.limits;
  if (capability > 0) limits.compute_capability = capability;
  for (int i = 0; i < WW_ATTENTION_PREFILL_DEVICE_COUNT; ++i) {
    if (ww_same_device(ww_attention_prefill_devices[i], device)) limits = ww_fill_limits(limits, ww_attention_prefill_devices[i].limits);
  }
  return ww_fill_limits(limits, ww_least_limits(capability));
}

WW_FN double ww_attention_prefill_squared_distance(ww_attention_prefill_problem tuned, ww_attention_prefill_problem problem) {
  const ww_attention_prefill_place a = ww_attention_prefill_place_of(tuned);
  const ww_attention_prefill_place b = ww_attention_prefill_place_of(problem);
  double sum = WW_ATTENTION_PREFILL_OTHER_CHOICE * WW_ATTENTION_PREFILL_OTHER_CHOICE * ww_attention_prefill_other_choices(tuned, problem);
  for (int i = 0; i < WW_ATTENTION_PREFILL_AXIS_COUNT; ++i) sum += (a.axes[i] - b.axes[i]) * (a.axes[i] - b.axes[i]);
  if (a.counted && b.counted)
    sum += WW_ATTENTION_PREFILL_WORK_SCALE * (a.work - b.work) * (WW_ATTENTION_PREFILL_WORK_SCALE * (a.work - b.work));
  return sum;
}
WW_FN double ww_attention_prefill_board_weight(double squared) {
  const double closeness = 1 / (WW_ATTENTION_PREFILL_NEARBY * WW_ATTENTION_PREFILL_NEARBY + squared);
  return closeness * closeness;
}
/* What boards say of a configuration, in fractions of the best; below 0: nothing. */
WW_FN double ww_attention_prefill_board_score(const short *thousandths, const double *weights, double total) {
  double sum = WW_ATTENTION_PREFILL_PRIOR_WEIGHT * WW_ATTENTION_PREFILL_PRIOR_FRACTION;
  double known = WW_ATTENTION_PREFILL_PRIOR_WEIGHT;
  for (int i = 0; i < WW_ATTENTION_PREFILL_BOARD_COUNT; ++i) {
    if (!(weights[i] > 0) || thousandths[i] < 0) continue;
    sum += weights[i] / total * thousandths[i] / 1000;
    known += weights[i] / total;
  }
  return known > WW_ATTENTION_PREFILL_PRIOR_WEIGHT ? sum / known : -1;
}

/* The vote of tuned problems: on this device or on others of its architecture, with the same listed
   values or with others. */
WW_FN ww_selection ww_attention_prefill_vote(ww_device device, ww_limits limits, ww_attention_prefill_problem problem, int same_device,
                         int same_choices) {
  double weights[WW_ATTENTION_PREFILL_BOARD_COUNT] = WW_ZERO;
  double total = 0;
  double least = 0;
  ww_selection chosen = ww_no_selection();
  ww_match match = WW_MATCH_NEAREST_OTHER_CHOICE;
  if (same_choices) match = same_device ? WW_MATCH_NEAREST_SAME_DEVICE : WW_MATCH_NEAREST_SAME_ARCH;
  for (int i = 0; i < WW_ATTENTION_PREFILL_BOARD_COUNT; ++i) {
    const ww_device tuned = ww_attention_prefill_devices[ww_attention_prefill_boards[i].device];
    if (!ww_same_arch(tuned.arch, device.arch)) continue;
    if (ww_same_device(tuned, device) != same_device) continue;
    if ((ww_attention_prefill_other_choices(ww_attention_prefill_boards[i].problem, problem) == 0) != same_choices) continue;
    const double squared = ww_attention_prefill_squared_distance(ww_attention_prefill_boards[i].problem, problem);
    const int equal = ww_attention_prefill_same_sizes(ww_attention_prefill_boards[i].problem, problem);
    if (chosen.nearest < 0 || squared < least || equal) {
      chosen.nearest = i;
      chosen.distance = ww_root(squared);
      least = equal ? -1 : squared;
    }
    weights[i] = ww_attention_prefill_board_weight(squared);
    total += weights[i];
  }
  if (chosen.nearest < 0) return chosen;
  chosen.limits = limits;
  const int winner = ww_attention_prefill_boards[chosen.nearest].winner;
  if (least < 0 && ww_attention_prefill_allowed(ww_attention_prefill_configurations[winner], problem, limits)) {
    chosen.match = same_device ? WW_MATCH_EXACT : WW_MATCH_NEAREST_SAME_ARCH;
    chosen.configuration = winner;
    chosen.score = 1;
    return chosen;
  }
  for (int i = 0; i < WW_ATTENTION_PREFILL_CANDIDATE_COUNT; ++i) {
    const double score = ww_attention_prefill_board_score(ww_attention_prefill_fractions[i], weights, total);
    if (!(score > chosen.score + WW_ATTENTION_PREFILL_SCORE_TIE)) continue;
    if (!ww_attention_prefill_allowed(ww_attention_prefill_configurations[i], problem, limits)) continue;
    chosen.match = match;
    chosen.configuration = i;
    chosen.score = score;
  }
  return chosen;
}

/* The defaults of the variant that does best on the tuned problems near this one, wherever they
   were tuned. */
WW_FN ww_selection ww_attention_prefill_contract_default(ww_limits limits, ww_attention_prefill_problem problem) {
  double weights[WW_ATTENTION_PREFILL_BOARD_COUNT] = WW_ZERO;
  double total = 0;
  double best = 0;
  ww_selection chosen = ww_no_selection();
  for (int i = 0; i < WW_ATTENTION_PREFILL_BOARD_COUNT; ++i) {
    weights[i] = ww_attention_prefill_board_weight(ww_attention_prefill_squared_distance(ww_attention_prefill_boards[i].problem, problem));
    total += weights[i];
  }
  for (int i = WW_ATTENTION_PREFILL_CANDIDATE_COUNT; i < WW_ATTENTION_PREFILL_CONFIGURATION_COUNT; ++i) {
    double merit = ww_attention_prefill_board_score(ww_attention_prefill_merits[i - WW_ATTENTION_PREFILL_CANDIDATE_COUNT], weights, total);
    if (merit < 0) merit = 0;
    if (chosen.configuration >= 0 && !(merit > best + WW_ATTENTION_PREFILL_SCORE_TIE)) continue;
    if (!ww_attention_prefill_allowed(ww_attention_prefill_configurations[i], problem, limits)) continue;
    chosen.match = WW_MATCH_DEFAULT;
    chosen.configuration = i;
    chosen.limits = limits;
    best = merit;
  }
  return chosen;
}

/* The configuration for a problem on a device. A device is tuned when its name and its architecture
   are. */
WW_FN ww_selection ww_attention_prefill_select(ww_device device, ww_attention_prefill_problem problem) {
  if (!ww_attention_prefill_valid(problem)) return ww_no_selection();
  const ww_limits limits = ww_attention_prefill_limits_of(device);
  ww_selection chosen = ww_attention_prefill_vote(device, limits, problem, 1, 1);
  if (chosen.configuration < 0) chosen = ww_attention_prefill_vote(device, limits, problem, 0, 1);
  if (chosen.configuration < 0) chosen = ww_attention_prefill_vote(device, limits, problem, 1, 0);
  if (chosen.configuration < 0) chosen = ww_attention_prefill_vote(device, limits, problem, 0, 0);
  if (chosen.configuration < 0) chosen = ww_attention_prefill_contract_default(limits, problem);
  return chosen;
}

enum {
  WW_ATTENTION_PREFILL_OPTION_LENGTH = 50
};
typedef struct ww_attention_prefill_options {
  int count WW_INIT(0);
  char option[17][WW_ATTENTION_PREFILL_OPTION_LENGTH] WW_INIT({});
} ww_attention_prefill_options;
WW_FN void ww_attention_prefill_put(ww_attention_prefill_options *out, int *at, const char *text) {
  for (; *text != '\0' && *at < WW_ATTENTION_PREFILL_OPTION_LENGTH - 1; ++text) out->option[out->count][(*at)++] = *text;
  out->option[out->count][*at] = '\0';
}
WW_FN void ww_attention_prefill_put_integer(ww_attention_prefill_options *out, int *at, long long v) {
  char digits[24] = WW_ZERO;
  int first = 23;
  const int negative = v < 0;
  do {
    const int digit = (int)(v % 10);
    digits[--first] = (char)('0' + (digit < 0 ? -digit : digit));
    v /= 10;
  } while (v != 0);
  if (negative) digits[--first] = '-';
  ww_attention_prefill_put(out, at, digits + first);
}
/* In hexadecimal, which is exact. */
WW_FN void ww_attention_prefill_put_real(ww_attention_prefill_options *out, int *at, double v) {
  int exponent = 0;
  char digit[2] = WW_ZERO;
  if (v < 0) ww_attention_prefill_put(out, at, "-");
  if (v < 0) v = -v;
  for (; v >= 2; v /= 2) ++exponent;
  for (; v > 0 && v < 1; v *= 2) --exponent;
  ww_attention_prefill_put(out, at, v > 0 ? "0x1." : "0x0.");
  v -= v > 0 ? 1 : 0;
  for (int i = 0; i < 13; ++i) {
    const int hex = (int)(v *= 16);
    digit[0] = "0123456789abcdef"[hex];
    ww_attention_prefill_put(out, at, digit);
    v -= hex;
  }
  ww_attention_prefill_put(out, at, "p");
  ww_attention_prefill_put_integer(out, at, exponent);
}
WW_FN void ww_attention_prefill_put_define(ww_attention_prefill_options *out, const char *macro, ww_value v) {
  int at = 0;
  ww_attention_prefill_put(out, &at, "-D");
  ww_attention_prefill_put(out, &at, macro);
  ww_attention_prefill_put(out, &at, "=");
  if (v.kind == WW_INTEGER) ww_attention_prefill_put_integer(out, &at, v.integer);
  if (v.kind == WW_REAL) ww_attention_prefill_put_real(out, &at, v.real);
  if (v.kind == WW_TEXT) ww_attention_prefill_put(out, &at, v.text);
  ++out->count;
}

/* What NVRTC or nvcc is given to compile the configuration's source for the problem beside the
   architecture and folders of headers, one option an entry. */
WW_FN ww_attention_prefill_options ww_attention_prefill_compile_options(ww_selection chosen, ww_attention_prefill_problem problem) {
  ww_attention_prefill_options out = WW_ZERO;
  int at = 0;
  if (chosen.configuration < 0 || chosen.configuration >= WW_ATTENTION_PREFILL_CONFIGURATION_COUNT) return out;
  const ww_attention_prefill_configuration configuration = ww_attention_prefill_configurations[chosen.configuration];
  ww_attention_prefill_put(&out, &at, "--std=c++20");
  ++out.count;
  switch (configuration.variant) {
    case WW_ATTENTION_PREFILL_VARIANT_WMMA:
      ww_attention_prefill_put_define(&out, "TILE_Q", ww_integer(configuration.tile_q));
      ww_attention_prefill_put_define(&out, "TILE_KV", ww_integer(configuration.tile_kv));
      ww_attention_prefill_put_define(&out, "WARPS", ww_integer(configuration.warps));
      break;
    case WW_ATTENTION_PREFILL_VARIANT_WGMMA:
      ww_attention_prefill_put_define(&out, "TILE_KV", ww_integer(configuration.tile_kv));
      ww_attention_prefill_put_define(&out, "STAGES", ww_integer(configuration.stages));
      ww_attention_prefill_put_define(&out, "CONSUMER_GROUPS", ww_integer(configuration.consumer_groups));
      ww_attention_prefill_put_define(&out, "CONSUMER_REGISTERS", ww_integer(configuration.consumer_registers));
      ww_attention_prefill_put_define(&out, "PRODUCER_REGISTERS", ww_integer(configuration.producer_registers));
      ww_attention_prefill_put_define(&out, "OVERLAP", ww_integer(configuration.overlap));
      ww_attention_prefill_put_define(&out, "PING_PONG", ww_integer(configuration.ping_pong));
      ww_attention_prefill_put_define(&out, "MASK", ww_text(ww_attention_prefill_mask_name(configuration.mask)));
      ww_attention_prefill_put_define(&out, "SLACK", ww_integer(configuration.slack));
      ww_attention_prefill_put_define(&out, "KEYS", ww_text(ww_attention_prefill_keys_name(configuration.keys)));
      ww_attention_prefill_put_define(&out, "SCHEDULE", ww_text(ww_attention_prefill_schedule_name(configuration.schedule)));
      ww_attention_prefill_put_define(&out, "ORDER", ww_text(ww_attention_prefill_order_name(configuration.order)));
      ww_attention_prefill_put_define(&out, "SECTION", ww_integer(configuration.section));
      ww_attention_prefill_put_define(&out, "MIN_BLOCKS", ww_integer(configuration.min_blocks));
      break;
    case WW_ATTENTION_PREFILL_VARIANT_TMA:
      ww_attention_prefill_put_define(&out, "TILE_Q", ww_integer(configuration.tile_q));
      ww_attention_prefill_put_define(&out, "TILE_KV", ww_integer(configuration.tile_kv));
      ww_attention_prefill_put_define(&out, "STAGES", ww_integer(configuration.stages));
      ww_attention_prefill_put_define(&out, "MASK", ww_text(ww_attention_prefill_mask_name(configuration.mask)));
      ww_attention_prefill_put_define(&out, "SLACK", ww_integer(configuration.slack));
      ww_attention_prefill_put_define(&out, "ORDER", ww_text(ww_attention_prefill_order_name(configuration.order)));
      ww_attention_prefill_put_define(&out, "PRODUCER_WARPS", ww_integer(configuration.producer_warps));
      ww_attention_prefill_put_define(&out, "CONSUMER_WARPS", ww_integer(configuration.consumer_warps));
      ww_attention_prefill_put_define(&out, "SWIZZLE", ww_integer(configuration.swizzle));
      ww_attention_prefill_put_define(&out, "MIN_BLOCKS", ww_integer(configuration.min_blocks));
      ww_attention_prefill_put_define(&out, "SCORES", ww_text(ww_attention_prefill_scores_name(configuration.scores)));
      ww_attention_prefill_put_define(&out, "REGISTERS", ww_integer(configuration.registers));
      break;
  }
  ww_attention_prefill_put_define(&out, "HEAD_DIM", ww_integer(problem.d));
  ww_attention_prefill_put_define(&out, "DTYPE", ww_text(ww_attention_prefill_dtype_name(problem.dtype)));
  return out;
}

WW_FN ww_launch_plan ww_attention_prefill_launch_wmma(ww_attention_prefill_configuration configuration, ww_attention_prefill_problem problem,
    ww_limits limits, int index) {
  const ww_value batch = ww_integer(problem.batch);
  const ww_value heads = ww_integer(problem.heads);
  const ww_value kv_heads = ww_integer(problem.kv_heads);
  const ww_value q_len = ww_integer(problem.q_len);
  const ww_value kv_len = ww_integer(problem.kv_len);
  const ww_value d = ww_integer(problem.d);
  const ww_value causal = ww_integer(problem.causal != 0);
  const ww_value tile_q = ww_integer(configuration.tile_q);
  const ww_value tile_kv = ww_integer(configuration.tile_kv);
  const ww_value warps = ww_integer(configuration.warps);
  (void)limits;
  ww_launch_plan out = ww_no_launch();
  switch (index) {
    case 0:
      out.ok = 1;
      out.entry = "attention_wmma";
      ww_put_number(&out.ok, &out.grid[0], ww_multiply(batch, heads));
      ww_put_number(&out.ok, &out.grid[1], ww_ceil_div(q_len, tile_q));
      ww_put_number(&out.ok, &out.block[0], ww_multiply(ww_integer(32), warps));
      ww_put_number(&out.ok, &out.shared_bytes, ww_add(ww_multiply(ww_multiply(ww_integer(2), ww_add(ww_multiply(ww_integer(3), tile_q), tile_kv)), ww_add(d, ww_integer(8))), ww_multiply(ww_multiply(ww_integer(6), tile_q), ww_add(tile_kv, ww_integer(8)))));
      ww_put_argument(&out, "q", WW_TENSOR, 0, ww_dtype_of(ww_attention_prefill_dtype_name(problem.dtype)));
      ww_put_argument(&out, "k", WW_TENSOR, 1, ww_dtype_of(ww_attention_prefill_dtype_name(problem.dtype)));
      ww_put_argument(&out, "v", WW_TENSOR, 2, ww_dtype_of(ww_attention_prefill_dtype_name(problem.dtype)));
      ww_put_argument(&out, "out", WW_TENSOR, 3, ww_dtype_of(ww_attention_prefill_dtype_name(problem.dtype)));
      ww_put_scalar(&out, "heads", WW_I32, heads);
      ww_put_scalar(&out, "kv_heads", WW_I32, kv_heads);
      ww_put_scalar(&out, "q_len", WW_I32, q_len);
      ww_put_scalar(&out, "kv_len", WW_I32, kv_len);
      ww_put_scalar(&out, "causal", WW_I32, ww_choose(causal, ww_integer(1), ww_integer(0)));
      ww_put_scalar(&out, "scale", WW_F32, ww_divide(ww_real(1.4426950408889634), ww_root_of(d)));
      break;
    default:
      break;
  }
  return out;
}

WW_FN ww_launch_plan ww_attention_prefill_launch_wgmma(ww_attention_prefill_configuration configuration, ww_attention_prefill_problem problem,
    ww_limits limits, int index) {
  const ww_value batch = ww_integer(problem.batch);
  const ww_value heads = ww_integer(problem.heads);
  const ww_value kv_heads = ww_integer(problem.kv_heads);
  const ww_value q_len = ww_integer(problem.q_len);
  const ww_value kv_len = ww_integer(problem.kv_len);
  const ww_value d = ww_integer(problem.d);
  const ww_value causal = ww_integer(problem.causal != 0);
  const ww_value sms = ww_integer(problem.sms);
  const ww_value tile_kv = ww_integer(configuration.tile_kv);
  const ww_value stages = ww_integer(configuration.stages);
  const ww_value consumer_groups = ww_integer(configuration.consumer_groups);
  const ww_value schedule = ww_text(ww_attention_prefill_schedule_name(configuration.schedule));
  const ww_value min_blocks = ww_integer(configuration.min_blocks);
  const ww_value device_sm_count = ww_integer(limits.sm_count);
  ww_launch_plan out = ww_no_launch();
  switch (index) {
    case 0:
      out.ok = 1;
      out.entry = "attention_wgmma";
      ww_put_number(&out.ok, &out.grid[0], ww_choose(ww_equal(schedule, ww_text("blocks")), ww_multiply(ww_multiply(ww_ceil_div(q_len, ww_multiply(ww_integer(64), consumer_groups)), batch), heads), ww_smaller(ww_multiply(ww_multiply(ww_ceil_div(q_len, ww_multiply(ww_integer(64), consumer_groups)), batch), heads), ww_multiply(min_blocks, ww_choose(ww_equal(sms, ww_integer(0)), device_sm_count, ww_smaller(sms, device_sm_count))))));
      ww_put_number(&out.ok, &out.block[0], ww_multiply(ww_integer(128), ww_add(ww_integer(1), consumer_groups)));
      ww_put_number(&out.ok, &out.shared_bytes, ww_add(ww_add(ww_multiply(ww_multiply(ww_multiply(consumer_groups, ww_integer(64)), d), ww_integer(2)), ww_multiply(ww_multiply(ww_multiply(ww_multiply(ww_integer(2), stages), tile_kv), d), ww_integer(2))), ww_integer(1024)));
      ww_put_argument(&out, "q_rows_map", WW_TENSOR_MAP, 0, ww_dtype_of(ww_attention_prefill_dtype_name(problem.dtype)));
      ww_put_argument(&out, "k_map", WW_TENSOR_MAP, 1, ww_dtype_of(ww_attention_prefill_dtype_name(problem.dtype)));
      ww_put_argument(&out, "v_map", WW_TENSOR_MAP, 2, ww_dtype_of(ww_attention_prefill_dtype_name(problem.dtype)));
      ww_put_argument(&out, "out", WW_TENSOR, 3, ww_dtype_of(ww_attention_prefill_dtype_name(problem.dtype)));
      ww_put_argument(&out, "counter", WW_TENSOR, 4, WW_U32);
      ww_put_scalar(&out, "batch", WW_I32, batch);
      ww_put_scalar(&out, "heads", WW_I32, heads);
      ww_put_scalar(&out, "kv_heads", WW_I32, kv_heads);
      ww_put_scalar(&out, "q_len", WW_I32, q_len);
      ww_put_scalar(&out, "kv_len", WW_I32, kv_len);
      ww_put_scalar(&out, "causal", WW_I32, ww_choose(causal, ww_integer(1), ww_integer(0)));
      ww_put_scalar(&out, "scale", WW_F32, ww_divide(ww_real(1.4426950408889634), ww_root_of(d)));
      break;
    default:
      break;
  }
  return out;
}

WW_FN ww_launch_plan ww_attention_prefill_launch_tma(ww_attention_prefill_configuration configuration, ww_attention_prefill_problem problem,
    ww_limits limits, int index) {
  const ww_value batch = ww_integer(problem.batch);
  const ww_value heads = ww_integer(problem.heads);
  const ww_value kv_heads = ww_integer(problem.kv_heads);
  const ww_value q_len = ww_integer(problem.q_len);
  const ww_value kv_len = ww_integer(problem.kv_len);
  const ww_value d = ww_integer(problem.d);
  const ww_value causal = ww_integer(problem.causal != 0);
  const ww_value tile_q = ww_integer(configuration.tile_q);
  const ww_value tile_kv = ww_integer(configuration.tile_kv);
  const ww_value stages = ww_integer(configuration.stages);
  const ww_value producer_warps = ww_integer(configuration.producer_warps);
  const ww_value consumer_warps = ww_integer(configuration.consumer_warps);
  const ww_value scores = ww_text(ww_attention_prefill_scores_name(configuration.scores));
  (void)limits;
  ww_launch_plan out = ww_no_launch();
  switch (index) {
    case 0:
      out.ok = 1;
      out.entry = "attention_tma";
      ww_put_number(&out.ok, &out.grid[0], ww_multiply(batch, heads));
      ww_put_number(&out.ok, &out.grid[1], ww_ceil_div(q_len, tile_q));
      ww_put_number(&out.ok, &out.block[0], ww_multiply(ww_integer(32), ww_add(producer_warps, consumer_warps)));
      ww_put_number(&out.ok, &out.shared_bytes, ww_align_up(ww_add(ww_add(ww_add(ww_add(ww_multiply(ww_multiply(tile_q, d), ww_integer(2)), ww_multiply(ww_multiply(ww_multiply(ww_multiply(ww_integer(2), stages), tile_kv), d), ww_integer(2))), ww_choose(ww_equal(scores, ww_text("shared")), ww_add(ww_multiply(ww_multiply(ww_integer(6), tile_q), ww_add(tile_kv, ww_integer(8))), ww_multiply(ww_integer(8), tile_q)), ww_integer(8))), ww_integer(8)), ww_multiply(ww_integer(32), stages)), ww_integer(1024)));
      ww_put_argument(&out, "q_tile_map", WW_TENSOR_MAP, 0, ww_dtype_of(ww_attention_prefill_dtype_name(problem.dtype)));
      ww_put_argument(&out, "k_tile_map", WW_TENSOR_MAP, 1, ww_dtype_of(ww_attention_prefill_dtype_name(problem.dtype)));
      ww_put_argument(&out, "v_tile_map", WW_TENSOR_MAP, 2, ww_dtype_of(ww_attention_prefill_dtype_name(problem.dtype)));
      ww_put_argument(&out, "out", WW_TENSOR, 3, ww_dtype_of(ww_attention_prefill_dtype_name(problem.dtype)));
      ww_put_scalar(&out, "heads", WW_I32, heads);
      ww_put_scalar(&out, "kv_heads", WW_I32, kv_heads);
      ww_put_scalar(&out, "q_len", WW_I32, q_len);
      ww_put_scalar(&out, "kv_len", WW_I32, kv_len);
      ww_put_scalar(&out, "causal", WW_I32, ww_choose(causal, ww_integer(1), ww_integer(0)));
      ww_put_scalar(&out, "scale", WW_F32, ww_divide(ww_real(1.4426950408889634), ww_root_of(d)));
      break;
    default:
      break;
  }
  return out;
}

/* Launch `index` of the configuration's launch_count, in stream order. The entries, with their
   arguments in order and what scalars are computed from: */
/* wmma: attention_wmma(const dtype *q, const dtype *k, const dtype *v, dtype *out, i32 heads =
   heads, i32 kv_heads = kv_heads, i32 q_len = q_len, i32 kv_len = kv_len, i32 causal = causal ?
   1 : 0, f32 scale = 1.4426950408889634 / sqrt(d)) */
/* wgmma: attention_wgmma(tensor map q_rows_map of q, tensor map k_map of k, tensor map v_map of
   v, dtype *out, u32 *counter, i32 batch = batch, i32 heads = heads, i32 kv_heads = kv_heads,
   i32 q_len = q_len, i32 kv_len = kv_len, i32 causal = causal ? 1 : 0, f32 scale =
   1.4426950408889634 / sqrt(d)) */
/* tma: attention_tma(tensor map q_tile_map of q, tensor map k_tile_map of k, tensor map
   v_tile_map of v, dtype *out, i32 heads = heads, i32 kv_heads = kv_heads, i32 q_len = q_len,
   i32 kv_len = kv_len, i32 causal = causal ? 1 : 0, f32 scale = 1.4426950408889634 / sqrt(d)) */
WW_FN ww_launch_plan ww_attention_prefill_launch(ww_selection chosen, ww_attention_prefill_problem problem, int index) {
  if (chosen.configuration < 0 || chosen.configuration >= WW_ATTENTION_PREFILL_CONFIGURATION_COUNT) return ww_no_launch();
  const ww_attention_prefill_configuration configuration = ww_attention_prefill_configurations[chosen.configuration];
  switch (configuration.variant) {
    case WW_ATTENTION_PREFILL_VARIANT_WMMA:
      return ww_attention_prefill_launch_wmma(configuration, problem, chosen.limits, index);
    case WW_ATTENTION_PREFILL_VARIANT_WGMMA:
      return ww_attention_prefill_launch_wgmma(configuration, problem, chosen.limits, index);
    case WW_ATTENTION_PREFILL_VARIANT_TMA:
      return ww_attention_prefill_launch_tma(configuration, problem, chosen.limits, index);
  }
  return ww_no_launch();
}

enum {
  WW_ATTENTION_PREFILL_TENSOR_Q = 0,
  WW_ATTENTION_PREFILL_TENSOR_K = 1,
  WW_ATTENTION_PREFILL_TENSOR_V = 2,
  WW_ATTENTION_PREFILL_TENSOR_OUT = 3,
  WW_ATTENTION_PREFILL_TENSOR_COUNTER = 4,
  WW_ATTENTION_PREFILL_TENSOR_COUNT = 5
};

/* Tensor `index` of WW_..._TENSOR_COUNT. Workspaces belong to the launches of one stream; a
   `used` of 0 needs none. */
/* counter: tiles that were taken; a launch leaves it at 0 */
WW_FN ww_tensor ww_attention_prefill_tensor(ww_selection chosen, ww_attention_prefill_problem problem, int index) {
  ww_tensor out = WW_ZERO;
  if (chosen.configuration < 0 || chosen.configuration >= WW_ATTENTION_PREFILL_CONFIGURATION_COUNT) return out;
  const ww_attention_prefill_configuration configuration = ww_attention_prefill_configurations[chosen.configuration];
  const ww_limits limits = chosen.limits;
  const ww_value batch = ww_integer(problem.batch);
  const ww_value heads = ww_integer(problem.heads);
  const ww_value kv_heads = ww_integer(problem.kv_heads);
  const ww_value q_len = ww_integer(problem.q_len);
  const ww_value kv_len = ww_integer(problem.kv_len);
  const ww_value d = ww_integer(problem.d);
  (void)configuration;
  (void)limits;
  switch (index) {
    case WW_ATTENTION_PREFILL_TENSOR_Q:
      ww_put_tensor(&out, "q", WW_IN, 1, ww_dtype_of(ww_attention_prefill_dtype_name(problem.dtype)));
      ww_put_axis(&out, batch);
      ww_put_axis(&out, heads);
      ww_put_axis(&out, q_len);
      ww_put_axis(&out, d);
      break;
    case WW_ATTENTION_PREFILL_TENSOR_K:
      ww_put_tensor(&out, "k", WW_IN, 1, ww_dtype_of(ww_attention_prefill_dtype_name(problem.dtype)));
      ww_put_axis(&out, batch);
      ww_put_axis(&out, kv_heads);
      ww_put_axis(&out, kv_len);
      ww_put_axis(&out, d);
      break;
    case WW_ATTENTION_PREFILL_TENSOR_V:
      ww_put_tensor(&out, "v", WW_IN, 1, ww_dtype_of(ww_attention_prefill_dtype_name(problem.dtype)));
      ww_put_axis(&out, batch);
      ww_put_axis(&out, kv_heads);
      ww_put_axis(&out, kv_len);
      ww_put_axis(&out, d);
      break;
    case WW_ATTENTION_PREFILL_TENSOR_OUT:
      ww_put_tensor(&out, "out", WW_OUT, 1, ww_dtype_of(ww_attention_prefill_dtype_name(problem.dtype)));
      ww_put_axis(&out, batch);
      ww_put_axis(&out, heads);
      ww_put_axis(&out, q_len);
      ww_put_axis(&out, d);
      break;
    case WW_ATTENTION_PREFILL_TENSOR_COUNTER:
      ww_put_tensor(&out, "counter", WW_WORKSPACE, configuration.variant == WW_ATTENTION_PREFILL_VARIANT_WGMMA, WW_U32);
      if (!out.used) out.bytes = 0;
      if (!out.used) break;
      ww_put_axis(&out, ww_integer(1));
      out.initial = "zeros";
      out.initial_bits = ww_bits(out.dtype, ww_integer(0));
      break;
    default:
      break;
  }
  return out;
}

WW_FN ww_tensor_map ww_attention_prefill_tensor_map_wgmma(ww_attention_prefill_configuration configuration, ww_attention_prefill_problem problem,
    ww_limits limits, int index) {
  const ww_value batch = ww_integer(problem.batch);
  const ww_value heads = ww_integer(problem.heads);
  const ww_value kv_heads = ww_integer(problem.kv_heads);
  const ww_value q_len = ww_integer(problem.q_len);
  const ww_value kv_len = ww_integer(problem.kv_len);
  const ww_value d = ww_integer(problem.d);
  const ww_value dtype = ww_text(ww_attention_prefill_dtype_name(problem.dtype));
  const ww_value tile_kv = ww_integer(configuration.tile_kv);
  (void)limits;
  ww_tensor_map out = ww_no_tensor_map();
  switch (index) {
    case 0:
      out.ok = 1;
      out.argument = "q_rows_map";
      out.tensor = WW_ATTENTION_PREFILL_TENSOR_Q;
      out.rank = 4;
      ww_put_number(&out.ok, &out.offset_bytes, ww_multiply(ww_integer(0), ww_bytes_of(dtype)));
      ww_put_number(&out.ok, &out.data_type, ww_choose(ww_equal(dtype, ww_text("bf16")), ww_integer(9), ww_integer(6)));
      ww_put_number(&out.ok, &out.sizes[0], ww_integer(64));
      ww_put_number(&out.ok, &out.sizes[1], q_len);
      ww_put_number(&out.ok, &out.sizes[2], ww_divide(d, ww_integer(64)));
      ww_put_number(&out.ok, &out.sizes[3], ww_multiply(batch, heads));
      ww_put_number(&out.ok, &out.stride_bytes[0], ww_multiply(d, ww_bytes_of(dtype)));
      ww_put_number(&out.ok, &out.stride_bytes[1], ww_multiply(ww_integer(64), ww_bytes_of(dtype)));
      ww_put_number(&out.ok, &out.stride_bytes[2], ww_multiply(ww_multiply(q_len, d), ww_bytes_of(dtype)));
      ww_put_number(&out.ok, &out.box[0], ww_integer(64));
      ww_put_number(&out.ok, &out.box[1], ww_integer(64));
      ww_put_number(&out.ok, &out.box[2], ww_divide(d, ww_integer(64)));
      ww_put_number(&out.ok, &out.box[3], ww_integer(1));
      ww_put_number(&out.ok, &out.element_strides[0], ww_integer(1));
      ww_put_number(&out.ok, &out.element_strides[1], ww_integer(1));
      ww_put_number(&out.ok, &out.element_strides[2], ww_integer(1));
      ww_put_number(&out.ok, &out.element_strides[3], ww_integer(1));
      ww_put_number(&out.ok, &out.swizzle, ww_choose(ww_equal(ww_integer(128), ww_integer(0)), ww_integer(0), ww_choose(ww_equal(ww_integer(128), ww_integer(32)), ww_integer(1), ww_choose(ww_equal(ww_integer(128), ww_integer(64)), ww_integer(2), ww_choose(ww_equal(ww_integer(128), ww_integer(128)), ww_integer(3), ww_integer(-1))))));
      ww_put_number(&out.ok, &out.l2_promotion, ww_choose(ww_equal(ww_integer(0), ww_integer(0)), ww_integer(0), ww_choose(ww_equal(ww_integer(0), ww_integer(64)), ww_integer(1), ww_choose(ww_equal(ww_integer(0), ww_integer(128)), ww_integer(2), ww_choose(ww_equal(ww_integer(0), ww_integer(256)), ww_integer(3), ww_integer(-1))))));
      ww_put_number(&out.ok, &out.fill, ww_integer(0));
      break;
    case 1:
      out.ok = 1;
      out.argument = "k_map";
      out.tensor = WW_ATTENTION_PREFILL_TENSOR_K;
      out.rank = 4;
      ww_put_number(&out.ok, &out.offset_bytes, ww_multiply(ww_integer(0), ww_bytes_of(dtype)));
      ww_put_number(&out.ok, &out.data_type, ww_choose(ww_equal(dtype, ww_text("bf16")), ww_integer(9), ww_integer(6)));
      ww_put_number(&out.ok, &out.sizes[0], ww_integer(64));
      ww_put_number(&out.ok, &out.sizes[1], kv_len);
      ww_put_number(&out.ok, &out.sizes[2], ww_divide(d, ww_integer(64)));
      ww_put_number(&out.ok, &out.sizes[3], ww_multiply(batch, kv_heads));
      ww_put_number(&out.ok, &out.stride_bytes[0], ww_multiply(d, ww_bytes_of(dtype)));
      ww_put_number(&out.ok, &out.stride_bytes[1], ww_multiply(ww_integer(64), ww_bytes_of(dtype)));
      ww_put_number(&out.ok, &out.stride_bytes[2], ww_multiply(ww_multiply(kv_len, d), ww_bytes_of(dtype)));
      ww_put_number(&out.ok, &out.box[0], ww_integer(64));
      ww_put_number(&out.ok, &out.box[1], tile_kv);
      ww_put_number(&out.ok, &out.box[2], ww_divide(d, ww_integer(64)));
      ww_put_number(&out.ok, &out.box[3], ww_integer(1));
      ww_put_number(&out.ok, &out.element_strides[0], ww_integer(1));
      ww_put_number(&out.ok, &out.element_strides[1], ww_integer(1));
      ww_put_number(&out.ok, &out.element_strides[2], ww_integer(1));
      ww_put_number(&out.ok, &out.element_strides[3], ww_integer(1));
      ww_put_number(&out.ok, &out.swizzle, ww_choose(ww_equal(ww_integer(128), ww_integer(0)), ww_integer(0), ww_choose(ww_equal(ww_integer(128), ww_integer(32)), ww_integer(1), ww_choose(ww_equal(ww_integer(128), ww_integer(64)), ww_integer(2), ww_choose(ww_equal(ww_integer(128), ww_integer(128)), ww_integer(3), ww_integer(-1))))));
      ww_put_number(&out.ok, &out.l2_promotion, ww_choose(ww_equal(ww_integer(0), ww_integer(0)), ww_integer(0), ww_choose(ww_equal(ww_integer(0), ww_integer(64)), ww_integer(1), ww_choose(ww_equal(ww_integer(0), ww_integer(128)), ww_integer(2), ww_choose(ww_equal(ww_integer(0), ww_integer(256)), ww_integer(3), ww_integer(-1))))));
      ww_put_number(&out.ok, &out.fill, ww_integer(0));
      break;
    case 2:
      out.ok = 1;
      out.argument = "v_map";
      out.tensor = WW_ATTENTION_PREFILL_TENSOR_V;
      out.rank = 4;
      ww_put_number(&out.ok, &out.offset_bytes, ww_multiply(ww_integer(0), ww_bytes_of(dtype)));
      ww_put_number(&out.ok, &out.data_type, ww_choose(ww_equal(dtype, ww_text("bf16")), ww_integer(9), ww_integer(6)));
      ww_put_number(&out.ok, &out.sizes[0], ww_integer(64));
      ww_put_number(&out.ok, &out.sizes[1], kv_len);
      ww_put_number(&out.ok, &out.sizes[2], ww_divide(d, ww_integer(64)));
      ww_put_number(&out.ok, &out.sizes[3], ww_multiply(batch, kv_heads));
      ww_put_number(&out.ok, &out.stride_bytes[0], ww_multiply(d, ww_bytes_of(dtype)));
      ww_put_number(&out.ok, &out.stride_bytes[1], ww_multiply(ww_integer(64), ww_bytes_of(dtype)));
      ww_put_number(&out.ok, &out.stride_bytes[2], ww_multiply(ww_multiply(kv_len, d), ww_bytes_of(dtype)));
      ww_put_number(&out.ok, &out.box[0], ww_integer(64));
      ww_put_number(&out.ok, &out.box[1], tile_kv);
      ww_put_number(&out.ok, &out.box[2], ww_divide(d, ww_integer(64)));
      ww_put_number(&out.ok, &out.box[3], ww_integer(1));
      ww_put_number(&out.ok, &out.element_strides[0], ww_integer(1));
      ww_put_number(&out.ok, &out.element_strides[1], ww_integer(1));
      ww_put_number(&out.ok, &out.element_strides[2], ww_integer(1));
      ww_put_number(&out.ok, &out.element_strides[3], ww_integer(1));
      ww_put_number(&out.ok, &out.swizzle, ww_choose(ww_equal(ww_integer(128), ww_integer(0)), ww_integer(0), ww_choose(ww_equal(ww_integer(128), ww_integer(32)), ww_integer(1), ww_choose(ww_equal(ww_integer(128), ww_integer(64)), ww_integer(2), ww_choose(ww_equal(ww_integer(128), ww_integer(128)), ww_integer(3), ww_integer(-1))))));
      ww_put_number(&out.ok, &out.l2_promotion, ww_choose(ww_equal(ww_integer(0), ww_integer(0)), ww_integer(0), ww_choose(ww_equal(ww_integer(0), ww_integer(64)), ww_integer(1), ww_choose(ww_equal(ww_integer(0), ww_integer(128)), ww_integer(2), ww_choose(ww_equal(ww_integer(0), ww_integer(256)), ww_integer(3), ww_integer(-1))))));
      ww_put_number(&out.ok, &out.fill, ww_integer(0));
      break;
    default:
      break;
  }
  return out;
}

WW_FN ww_tensor_map ww_attention_prefill_tensor_map_tma(ww_attention_prefill_configuration configuration, ww_attention_prefill_problem problem,
    ww_limits limits, int index) {
  const ww_value batch = ww_integer(problem.batch);
  const ww_value heads = ww_integer(problem.heads);
  const ww_value kv_heads = ww_integer(problem.kv_heads);
  const ww_value q_len = ww_integer(problem.q_len);
  const ww_value kv_len = ww_integer(problem.kv_len);
  const ww_value d = ww_integer(problem.d);
  const ww_value dtype = ww_text(ww_attention_prefill_dtype_name(problem.dtype));
  const ww_value tile_q = ww_integer(configuration.tile_q);
  const ww_value tile_kv = ww_integer(configuration.tile_kv);
  const ww_value swizzle = ww_integer(configuration.swizzle);
  (void)limits;
  ww_tensor_map out = ww_no_tensor_map();
  switch (index) {
    case 0:
      out.ok = 1;
      out.argument = "q_tile_map";
      out.tensor = WW_ATTENTION_PREFILL_TENSOR_Q;
      out.rank = 4;
      ww_put_number(&out.ok, &out.offset_bytes, ww_multiply(ww_integer(0), ww_bytes_of(dtype)));
      ww_put_number(&out.ok, &out.data_type, ww_choose(ww_equal(dtype, ww_text("bf16")), ww_integer(9), ww_integer(6)));
      ww_put_number(&out.ok, &out.sizes[0], ww_choose(ww_equal(swizzle, ww_integer(0)), ww_integer(64), ww_divide(swizzle, ww_integer(2))));
      ww_put_number(&out.ok, &out.sizes[1], q_len);
      ww_put_number(&out.ok, &out.sizes[2], ww_divide(d, ww_choose(ww_equal(swizzle, ww_integer(0)), ww_integer(64), ww_divide(swizzle, ww_integer(2)))));
      ww_put_number(&out.ok, &out.sizes[3], ww_multiply(batch, heads));
      ww_put_number(&out.ok, &out.stride_bytes[0], ww_multiply(d, ww_bytes_of(dtype)));
      ww_put_number(&out.ok, &out.stride_bytes[1], ww_multiply(ww_choose(ww_equal(swizzle, ww_integer(0)), ww_integer(64), ww_divide(swizzle, ww_integer(2))), ww_bytes_of(dtype)));
      ww_put_number(&out.ok, &out.stride_bytes[2], ww_multiply(ww_multiply(q_len, d), ww_bytes_of(dtype)));
      ww_put_number(&out.ok, &out.box[0], ww_choose(ww_equal(swizzle, ww_integer(0)), ww_integer(64), ww_divide(swizzle, ww_integer(2))));
      ww_put_number(&out.ok, &out.box[1], tile_q);
      ww_put_number(&out.ok, &out.box[2], ww_divide(d, ww_choose(ww_equal(swizzle, ww_integer(0)), ww_integer(64), ww_divide(swizzle, ww_integer(2)))));
      ww_put_number(&out.ok, &out.box[3], ww_integer(1));
      ww_put_number(&out.ok, &out.element_strides[0], ww_integer(1));
      ww_put_number(&out.ok, &out.element_strides[1], ww_integer(1));
      ww_put_number(&out.ok, &out.element_strides[2], ww_integer(1));
      ww_put_number(&out.ok, &out.element_strides[3], ww_integer(1));
      ww_put_number(&out.ok, &out.swizzle, ww_choose(ww_equal(swizzle, ww_integer(0)), ww_integer(0), ww_choose(ww_equal(swizzle, ww_integer(32)), ww_integer(1), ww_choose(ww_equal(swizzle, ww_integer(64)), ww_integer(2), ww_choose(ww_equal(swizzle, ww_integer(128)), ww_integer(3), ww_integer(-1))))));
      ww_put_number(&out.ok, &out.l2_promotion, ww_choose(ww_equal(ww_integer(0), ww_integer(0)), ww_integer(0), ww_choose(ww_equal(ww_integer(0), ww_integer(64)), ww_integer(1), ww_choose(ww_equal(ww_integer(0), ww_integer(128)), ww_integer(2), ww_choose(ww_equal(ww_integer(0), ww_integer(256)), ww_integer(3), ww_integer(-1))))));
      ww_put_number(&out.ok, &out.fill, ww_integer(0));
      break;
    case 1:
      out.ok = 1;
      out.argument = "k_tile_map";
      out.tensor = WW_ATTENTION_PREFILL_TENSOR_K;
      out.rank = 4;
      ww_put_number(&out.ok, &out.offset_bytes, ww_multiply(ww_integer(0), ww_bytes_of(dtype)));
      ww_put_number(&out.ok, &out.data_type, ww_choose(ww_equal(dtype, ww_text("bf16")), ww_integer(9), ww_integer(6)));
      ww_put_number(&out.ok, &out.sizes[0], ww_choose(ww_equal(swizzle, ww_integer(0)), ww_integer(64), ww_divide(swizzle, ww_integer(2))));
      ww_put_number(&out.ok, &out.sizes[1], kv_len);
      ww_put_number(&out.ok, &out.sizes[2], ww_divide(d, ww_choose(ww_equal(swizzle, ww_integer(0)), ww_integer(64), ww_divide(swizzle, ww_integer(2)))));
      ww_put_number(&out.ok, &out.sizes[3], ww_multiply(batch, kv_heads));
      ww_put_number(&out.ok, &out.stride_bytes[0], ww_multiply(d, ww_bytes_of(dtype)));
      ww_put_number(&out.ok, &out.stride_bytes[1], ww_multiply(ww_choose(ww_equal(swizzle, ww_integer(0)), ww_integer(64), ww_divide(swizzle, ww_integer(2))), ww_bytes_of(dtype)));
      ww_put_number(&out.ok, &out.stride_bytes[2], ww_multiply(ww_multiply(kv_len, d), ww_bytes_of(dtype)));
      ww_put_number(&out.ok, &out.box[0], ww_choose(ww_equal(swizzle, ww_integer(0)), ww_integer(64), ww_divide(swizzle, ww_integer(2))));
      ww_put_number(&out.ok, &out.box[1], tile_kv);
      ww_put_number(&out.ok, &out.box[2], ww_divide(d, ww_choose(ww_equal(swizzle, ww_integer(0)), ww_integer(64), ww_divide(swizzle, ww_integer(2)))));
      ww_put_number(&out.ok, &out.box[3], ww_integer(1));
      ww_put_number(&out.ok, &out.element_strides[0], ww_integer(1));
      ww_put_number(&out.ok, &out.element_strides[1], ww_integer(1));
      ww_put_number(&out.ok, &out.element_strides[2], ww_integer(1));
      ww_put_number(&out.ok, &out.element_strides[3], ww_integer(1));
      ww_put_number(&out.ok, &out.swizzle, ww_choose(ww_equal(swizzle, ww_integer(0)), ww_integer(0), ww_choose(ww_equal(swizzle, ww_integer(32)), ww_integer(1), ww_choose(ww_equal(swizzle, ww_integer(64)), ww_integer(2), ww_choose(ww_equal(swizzle, ww_integer(128)), ww_integer(3), ww_integer(-1))))));
      ww_put_number(&out.ok, &out.l2_promotion, ww_choose(ww_equal(ww_integer(0), ww_integer(0)), ww_integer(0), ww_choose(ww_equal(ww_integer(0), ww_integer(64)), ww_integer(1), ww_choose(ww_equal(ww_integer(0), ww_integer(128)), ww_integer(2), ww_choose(ww_equal(ww_integer(0), ww_integer(256)), ww_integer(3), ww_integer(-1))))));
      ww_put_number(&out.ok, &out.fill, ww_integer(0));
      break;
    case 2:
      out.ok = 1;
      out.argument = "v_tile_map";
      out.tensor = WW_ATTENTION_PREFILL_TENSOR_V;
      out.rank = 4;
      ww_put_number(&out.ok, &out.offset_bytes, ww_multiply(ww_integer(0), ww_bytes_of(dtype)));
      ww_put_number(&out.ok, &out.data_type, ww_choose(ww_equal(dtype, ww_text("bf16")), ww_integer(9), ww_integer(6)));
      ww_put_number(&out.ok, &out.sizes[0], ww_choose(ww_equal(swizzle, ww_integer(0)), ww_integer(64), ww_divide(swizzle, ww_integer(2))));
      ww_put_number(&out.ok, &out.sizes[1], kv_len);
      ww_put_number(&out.ok, &out.sizes[2], ww_divide(d, ww_choose(ww_equal(swizzle, ww_integer(0)), ww_integer(64), ww_divide(swizzle, ww_integer(2)))));
      ww_put_number(&out.ok, &out.sizes[3], ww_multiply(batch, kv_heads));
      ww_put_number(&out.ok, &out.stride_bytes[0], ww_multiply(d, ww_bytes_of(dtype)));
      ww_put_number(&out.ok, &out.stride_bytes[1], ww_multiply(ww_choose(ww_equal(swizzle, ww_integer(0)), ww_integer(64), ww_divide(swizzle, ww_integer(2))), ww_bytes_of(dtype)));
      ww_put_number(&out.ok, &out.stride_bytes[2], ww_multiply(ww_multiply(kv_len, d), ww_bytes_of(dtype)));
      ww_put_number(&out.ok, &out.box[0], ww_choose(ww_equal(swizzle, ww_integer(0)), ww_integer(64), ww_divide(swizzle, ww_integer(2))));
      ww_put_number(&out.ok, &out.box[1], tile_kv);
      ww_put_number(&out.ok, &out.box[2], ww_divide(d, ww_choose(ww_equal(swizzle, ww_integer(0)), ww_integer(64), ww_divide(swizzle, ww_integer(2)))));
      ww_put_number(&out.ok, &out.box[3], ww_integer(1));
      ww_put_number(&out.ok, &out.element_strides[0], ww_integer(1));
      ww_put_number(&out.ok, &out.element_strides[1], ww_integer(1));
      ww_put_number(&out.ok, &out.element_strides[2], ww_integer(1));
      ww_put_number(&out.ok, &out.element_strides[3], ww_integer(1));
      ww_put_number(&out.ok, &out.swizzle, ww_choose(ww_equal(swizzle, ww_integer(0)), ww_integer(0), ww_choose(ww_equal(swizzle, ww_integer(32)), ww_integer(1), ww_choose(ww_equal(swizzle, ww_integer(64)), ww_integer(2), ww_choose(ww_equal(swizzle, ww_integer(128)), ww_integer(3), ww_integer(-1))))));
      ww_put_number(&out.ok, &out.l2_promotion, ww_choose(ww_equal(ww_integer(0), ww_integer(0)), ww_integer(0), ww_choose(ww_equal(ww_integer(0), ww_integer(64)), ww_integer(1), ww_choose(ww_equal(ww_integer(0), ww_integer(128)), ww_integer(2), ww_choose(ww_equal(ww_integer(0), ww_integer(256)), ww_integer(3), ww_integer(-1))))));
      ww_put_number(&out.ok, &out.fill, ww_integer(0));
      break;
    default:
      break;
  }
  return out;
}

/* Tensor map `index` of the configuration's launches, from 0 on until one is not ok. */
WW_FN ww_tensor_map ww_attention_prefill_tensor_map(ww_selection chosen, ww_attention_prefill_problem problem, int index) {
  if (chosen.configuration < 0 || chosen.configuration >= WW_ATTENTION_PREFILL_CONFIGURATION_COUNT) return ww_no_tensor_map();
  const ww_attention_prefill_configuration configuration = ww_attention_prefill_configurations[chosen.configuration];
  switch (configuration.variant) {
    case WW_ATTENTION_PREFILL_VARIANT_WMMA:
      break;
    case WW_ATTENTION_PREFILL_VARIANT_WGMMA:
      return ww_attention_prefill_tensor_map_wgmma(configuration, problem, chosen.limits, index);
    case WW_ATTENTION_PREFILL_VARIANT_TMA:
      return ww_attention_prefill_tensor_map_tma(configuration, problem, chosen.limits, index);
  }
  return ww_no_tensor_map();
}

#endif
/* sha256 of what is above: 9df75207177cdee8b92f50c576e654dae0d6a444a992f47ef92c2e928f150dc5 */
