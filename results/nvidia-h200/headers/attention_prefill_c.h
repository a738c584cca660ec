/* clang-format off */
/* attention_prefill: Attention of many queries, out = softmax(q k^T / sqrt(d)) v, head by head */
/* Tuned configurations, written by `warpwright export`. Do not edit: export again. (warpwright
   0.1.0) */
/* NVIDIA H200 (sm_90a): 8 problems, 1498 configurations tried; times are measured. */
/* Left out one at a time, 6 of 7 tuned problems get a configuration within 10 % of their best
   from the others. */
/*
     const ww_attention_prefill_problem problem = {1, 32, 32, 512, 512, 128, 1, WW_ATTENTION_PREFILL_DTYPE_BF16, 0};
     const ww_attention_prefill_device device = {"NVIDIA H200", "sm_90a", {0}};
     const ww_attention_prefill_selection chosen = ww_attention_prefill_select(device, problem);
   chosen.configuration->source, compiled with ww_attention_prefill_defines(*chosen.configuration, problem), is
   launched as ww_attention_prefill_launch(*chosen.configuration, problem, chosen.limits, 0) says.
   C99, no other header. */
#ifndef WW_ATTENTION_PREFILL_H_INCLUDED
#define WW_ATTENTION_PREFILL_H_INCLUDED

typedef enum {
  WW_ATTENTION_PREFILL_DTYPE_BF16,
  WW_ATTENTION_PREFILL_DTYPE_F16
} ww_attention_prefill_dtype;
static inline const char *ww_attention_prefill_dtype_name(ww_attention_prefill_dtype v) {
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
static inline const char *ww_attention_prefill_mask_name(ww_attention_prefill_mask v) {
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
static inline const char *ww_attention_prefill_keys_name(ww_attention_prefill_keys v) {
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
static inline const char *ww_attention_prefill_schedule_name(ww_attention_prefill_schedule v) {
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
static inline const char *ww_attention_prefill_order_name(ww_attention_prefill_order v) {
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
static inline const char *ww_attention_prefill_scores_name(ww_attention_prefill_scores v) {
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
static inline const char *ww_attention_prefill_variant_name(ww_attention_prefill_variant v) {
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

typedef struct {
  long long batch;  /* sequences; at least 1 */
  long long heads;  /* heads of q; at least 1 */
  long long kv_heads;  /* heads of k and v; at least 1 */
  long long q_len;  /* rows of q in a head; at least 1 */
  long long kv_len;  /* keys in a head; at least 1 */
  long long d;  /* length of a row */
  int causal;  /* whether a row sees only the keys up to its own position */
  ww_attention_prefill_dtype dtype;
  /* SMs that may be used by variants whose blocks take several tiles; 0 is all; at least 0 */
  long long sms;
} ww_attention_prefill_problem;

/* Limits of a device that constraints and launches depend on; 0 is taken from the tuned device
   that is consulted. */
typedef struct {
  long long compute_capability;
  long long max_shared;
  long long max_threads;
  long long registers_per_sm;
  long long sm_count;
} ww_attention_prefill_limits;

typedef struct {
  const char *name;  /* as the driver gives it: "NVIDIA H200" */
  const char *arch;  /* "sm_90a" */
  ww_attention_prefill_limits limits;
} ww_attention_prefill_device;

/* What of a launch does not depend on the problem. */
typedef struct {
  const char *entry;
  long long block[3];  /* 0: see launch() */
  long long cluster[3];  /* likewise */
  long long shared_bytes;  /* dynamic; -1: see launch() */
} ww_attention_prefill_launch_facts;

/* Of all launches the largest, as compiled when it was tuned; -1: not known. */
typedef struct {
  int registers;  /* per thread */
  int shared_bytes;  /* per block, static and dynamic */
  int spill_bytes;  /* per thread */
} ww_attention_prefill_resources;

/* Parameters that the variant does not have hold the contract's defaults. */
typedef struct {
  ww_attention_prefill_variant variant;
  long long tile_q;  /* TILE_Q: rows of q of a tile */
  long long tile_kv;  /* TILE_KV: keys of a tile */
  long long warps;  /* WARPS: warps of a block */
  long long stages;  /* STAGES: tiles of K and of V in shared memory */
  /* CONSUMER_GROUPS: warpgroups that calculate, with 64 rows of q each */
  long long consumer_groups;
  long long consumer_registers;  /* CONSUMER_REGISTERS: registers of a thread that calculates */
  /* PRODUCER_REGISTERS: registers of a thread of the warpgroup that loads */
  long long producer_registers;
  /* OVERLAP: 1 issues the scores of the next tile before this one's product with V */
  long long overlap;
  long long ping_pong;  /* PING_PONG: 1 lets warpgroups issue in turn */
  /* MASK: split: a loop of its own for tiles that the mask cuts; branch: one loop */
  ww_attention_prefill_mask mask;
  /* SLACK: powers of two by which a maximum may lag before outputs are rescaled */
  long long slack;
  ww_attention_prefill_keys keys;  /* KEYS: the order of a row's tiles of keys */
  /* SCHEDULE: blocks: one for each tile; strided: as many as SMs, each takes every so many
     tiles; counter: a free block takes the next */
  ww_attention_prefill_schedule schedule;
  ww_attention_prefill_order order;  /* ORDER: of a head's tiles */
  long long section;  /* SECTION: heads that are worked on together; 0 is all */
  long long producer_warps;  /* PRODUCER_WARPS: warps that load, of which one lane does it */
  long long consumer_warps;  /* CONSUMER_WARPS: warps that calculate */
  /* SWIZZLE: bytes of a panel's row, exchanged against bank conflicts; 0: 128 as they are */
  long long swizzle;
  /* MIN_BLOCKS: blocks that must fit on an SM at once; limits the registers */
  long long min_blocks;
  /* SCORES: shared: all warps work on one tile of scores, through shared memory; registers:
     every warp has rows of its own */
  ww_attention_prefill_scores scores;
  /* REGISTERS: of a thread that calculates while one that loads keeps 24; 0 is an even share */
  long long registers;
  const char *source;  /* file name */
  int launch_count;
  ww_attention_prefill_launch_facts launches[1];
  ww_attention_prefill_resources resources;
  const char *text;  /* as `warpwright show` prints it */
} ww_attention_prefill_configuration;

/* A tuned problem: what won, and how that is known. */
typedef struct {
  int device;  /* in devices */
  ww_attention_prefill_problem problem;
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
} ww_attention_prefill_board;

typedef enum {
  WW_ATTENTION_PREFILL_MATCH_NONE,
  WW_ATTENTION_PREFILL_MATCH_EXACT,
  WW_ATTENTION_PREFILL_MATCH_NEAREST_SAME_DEVICE,
  WW_ATTENTION_PREFILL_MATCH_NEAREST_SAME_ARCH,
  WW_ATTENTION_PREFILL_MATCH_DEFAULT
} ww_attention_prefill_match;
typedef struct {
  ww_attention_prefill_match match;
  const ww_attention_prefill_configuration *configuration;  /* null when nothing matches */
  const ww_attention_prefill_board *nearest;  /* the nearest tuned problem, if one was asked */
  double distance;  /* to it; 1 is a factor of two in one size */
  double score;  /* expected best time / time; 0 of a default */
  ww_attention_prefill_limits limits;  /* for launch() */
} ww_attention_prefill_selection;

#define WW_ATTENTION_PREFILL_DEVICE_COUNT 1
#define WW_ATTENTION_PREFILL_BOARD_COUNT 8
#define WW_ATTENTION_PREFILL_CANDIDATE_COUNT 6
#define WW_ATTENTION_PREFILL_CONFIGURATION_COUNT 9

static const ww_attention_prefill_device ww_attention_prefill_devices[WW_ATTENTION_PREFILL_DEVICE_COUNT] = {
    {"NVIDIA H200", "sm_90a", {/*compute_capability*/ 90, /*max_shared*/ 232448, /*max_threads*/ 1024, /*registers_per_sm*/ 65536, /*sm_count*/ 132}},
};

/* The portfolio; after it the contract's defaults of every variant. */
static const ww_attention_prefill_configuration ww_attention_prefill_configurations[WW_ATTENTION_PREFILL_CONFIGURATION_COUNT] = {
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
     "wgmma.cu", 1,
     {{"attention_wgmma", {256, 1, 1}, {1, 1, 1}, -1}},
     {128, 82944, 0}, "wgmma CONSUMER_GROUPS=1 CONSUMER_REGISTERS=216 KEYS=ascending MASK=branch MIN_BLOCKS=2 ORDER=longest_first OVERLAP=1 PING_PONG=1 PRODUCER_REGISTERS=24 SCHEDULE=blocks SECTION=0 SLACK=8 STAGES=2 TILE_KV=64"},
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
     "wgmma.cu", 1,
     {{"attention_wgmma", {512, 1, 1}, {1, 1, 1}, -1}},
     {128, 132096, 0}, "wgmma CONSUMER_GROUPS=3 CONSUMER_REGISTERS=160 KEYS=descending MASK=split MIN_BLOCKS=1 ORDER=longest_first OVERLAP=1 PING_PONG=1 PRODUCER_REGISTERS=32 SCHEDULE=counter SECTION=16 SLACK=8 STAGES=2 TILE_KV=80"},
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
     "wgmma.cu", 1,
     {{"attention_wgmma", {384, 1, 1}, {1, 1, 1}, -1}},
     {168, 164864, 0}, "wgmma CONSUMER_GROUPS=2 CONSUMER_REGISTERS=240 KEYS=ascending MASK=branch MIN_BLOCKS=1 ORDER=longest_first OVERLAP=1 PING_PONG=1 PRODUCER_REGISTERS=24 SCHEDULE=blocks SECTION=0 SLACK=8 STAGES=2 TILE_KV=128"},
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
     "wgmma.cu", 1,
     {{"attention_wgmma", {384, 1, 1}, {1, 1, 1}, -1}},
     {168, 164864, 0}, "wgmma CONSUMER_GROUPS=2 CONSUMER_REGISTERS=240 KEYS=ascending MASK=branch MIN_BLOCKS=1 ORDER=longest_first OVERLAP=1 PING_PONG=1 PRODUCER_REGISTERS=24 SCHEDULE=counter SECTION=0 SLACK=8 STAGES=2 TILE_KV=128"},
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
     "wgmma.cu", 1,
     {{"attention_wgmma", {384, 1, 1}, {1, 1, 1}, -1}},
     {168, 164864, 0}, "wgmma CONSUMER_GROUPS=2 CONSUMER_REGISTERS=240 KEYS=descending MASK=branch MIN_BLOCKS=1 ORDER=longest_first OVERLAP=1 PING_PONG=1 PRODUCER_REGISTERS=24 SCHEDULE=counter SECTION=0 SLACK=8 STAGES=2 TILE_KV=128"},
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
     "wgmma.cu", 1,
     {{"attention_wgmma", {384, 1, 1}, {1, 1, 1}, -1}},
     {168, 164864, 0}, "wgmma CONSUMER_GROUPS=2 CONSUMER_REGISTERS=240 KEYS=descending MASK=branch MIN_BLOCKS=1 ORDER=longest_first OVERLAP=1 PING_PONG=1 PRODUCER_REGISTERS=24 SCHEDULE=counter SECTION=16 SLACK=8 STAGES=2 TILE_KV=128"},
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
     "wgmma.cu", 1,
     {{"attention_wgmma", {384, 1, 1}, {1, 1, 1}, -1}},
     {-1, -1, -1}, "wgmma CONSUMER_GROUPS=2 CONSUMER_REGISTERS=240 KEYS=descending MASK=split MIN_BLOCKS=1 ORDER=longest_first OVERLAP=1 PING_PONG=1 PRODUCER_REGISTERS=24 SCHEDULE=counter SECTION=0 SLACK=8 STAGES=2 TILE_KV=128"},
    /* 7: wmma TILE_KV=128 TILE_Q=64 WARPS=4, the defaults */
    {WW_ATTENTION_PREFILL_VARIANT_WMMA, /*tile_q*/ 64, /*tile_kv*/ 128, /*warps*/ 4, /*stages*/ 2,
     /*consumer_groups*/ 2, /*consumer_registers*/ 240, /*producer_registers*/ 24, /*overlap*/ 1,
     /*ping_pong*/ 1, /*mask*/ WW_ATTENTION_PREFILL_MASK_SPLIT, /*slack*/ 8,
     /*keys*/ WW_ATTENTION_PREFILL_KEYS_DESCENDING,
     /*schedule*/ WW_ATTENTION_PREFILL_SCHEDULE_COUNTER,
     /*order*/ WW_ATTENTION_PREFILL_ORDER_LONGEST_FIRST, /*section*/ 0, /*producer_warps*/ 4,
     /*consumer_warps*/ 8, /*swizzle*/ 128, /*min_blocks*/ 1,
     /*scores*/ WW_ATTENTION_PREFILL_SCORES_SHARED, /*registers*/ 0,
     "wmma.cu", 1,
     {{"attention_wmma", {128, 1, 1}, {1, 1, 1}, -1}},
     {-1, -1, -1}, "wmma TILE_KV=128 TILE_Q=64 WARPS=4"},
    /* 8: tma CONSUMER_WARPS=8 MASK=split MIN_BLOCKS=1 ORDER=longest_first PRODUCER_WARPS=4
       REGISTERS=0 SCORES=shared SLACK=8 STAGES=2 SWIZZLE=128 TILE_KV=128 TILE_Q=64, the defaults */
    {WW_ATTENTION_PREFILL_VARIANT_TMA, /*tile_q*/ 64, /*tile_kv*/ 128, /*warps*/ 4, /*stages*/ 2,
     /*consumer_groups*/ 2, /*consumer_registers*/ 240, /*producer_registers*/ 24, /*overlap*/ 1,
     /*ping_pong*/ 1, /*mask*/ WW_ATTENTION_PREFILL_MASK_SPLIT, /*slack*/ 8,
     /*keys*/ WW_ATTENTION_PREFILL_KEYS_DESCENDING,
     /*schedule*/ WW_ATTENTION_PREFILL_SCHEDULE_COUNTER,
     /*order*/ WW_ATTENTION_PREFILL_ORDER_LONGEST_FIRST, /*section*/ 0, /*producer_warps*/ 4,
     /*consumer_warps*/ 8, /*swizzle*/ 128, /*min_blocks*/ 1,
     /*scores*/ WW_ATTENTION_PREFILL_SCORES_SHARED, /*registers*/ 0,
     "tma.cu", 1,
     {{"attention_tma", {384, 1, 1}, {1, 1, 1}, -1}},
     {-1, -1, -1}, "tma CONSUMER_WARPS=8 MASK=split MIN_BLOCKS=1 ORDER=longest_first PRODUCER_WARPS=4 REGISTERS=0 SCORES=shared SLACK=8 STAGES=2 SWIZZLE=128 TILE_KV=128 TILE_Q=64"},
};

static const ww_attention_prefill_board ww_attention_prefill_boards[WW_ATTENTION_PREFILL_BOARD_COUNT] = {
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
static const short ww_attention_prefill_fractions[WW_ATTENTION_PREFILL_CANDIDATE_COUNT][WW_ATTENTION_PREFILL_BOARD_COUNT] = {
    {1000,  978,  851,   -1,   -1,   -1,   -1,   -1},
    {  -1,   -1,   -1,  923, 1000, 1000, 1000, 1000},
    { 953, 1000,  963,   -1,   -1,   -1,   -1,   -1},
    { 931,  900, 1000,   -1,   -1,   -1,   -1,   -1},
    { 862,  864,  986,  993,  950,  936,  788,  936},
    {  -1,   -1,   -1, 1000,   -1,   -1,  908,  978},
};

static const double ww_attention_prefill_work_scale = 2.0;
static const double ww_attention_prefill_nearby = 2.0;
static const double ww_attention_prefill_prior_fraction = 0.5;
static const double ww_attention_prefill_prior_weight = 0.2;
static const double ww_attention_prefill_score_tie = 1e-09;
#define WW_ATTENTION_PREFILL_AXIS_COUNT 6

/* Without <math.h>, so that nothing has to be linked. */
static inline double ww_attention_prefill_log2(double v) {
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
static inline double ww_attention_prefill_root(double v) {
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
static inline double ww_attention_prefill_size_scale(double v) { return v < 0 ? -ww_attention_prefill_log2(1 - v) : ww_attention_prefill_log2(1 + v); }

/* A value of the contract's expressions: a 64-bit integer (booleans are 0 and 1), a real, or a text.
   What cannot be evaluated (overflow, division by zero, a wrong type) is a fault, and so is
   everything made of it. */
enum ww_attention_prefill_kind { WW_ATTENTION_PREFILL_FAULT, WW_ATTENTION_PREFILL_INTEGER, WW_ATTENTION_PREFILL_REAL, WW_ATTENTION_PREFILL_TEXT };
typedef struct {
  enum ww_attention_prefill_kind kind;
  long long integer;
  double real;
  const char *text;
} ww_attention_prefill_value;
static const long long ww_attention_prefill_largest = 9223372036854775807LL;
static const long long ww_attention_prefill_lowest = -9223372036854775807LL - 1;
static inline ww_attention_prefill_value ww_attention_prefill_fault(void) {
  const ww_attention_prefill_value v = {WW_ATTENTION_PREFILL_FAULT, 0, 0, 0};
  return v;
}
static inline ww_attention_prefill_value ww_attention_prefill_integer(long long integer) {
  const ww_attention_prefill_value v = {WW_ATTENTION_PREFILL_INTEGER, integer, 0, 0};
  return v;
}
static inline ww_attention_prefill_value ww_attention_prefill_real(double real) {
  const ww_attention_prefill_value v = {WW_ATTENTION_PREFILL_REAL, 0, real, 0};
  return real - real == 0 ? v : ww_attention_prefill_fault();
}
static inline ww_attention_prefill_value ww_attention_prefill_text(const char *text) {
  const ww_attention_prefill_value v = {WW_ATTENTION_PREFILL_TEXT, 0, 0, text};
  return text != 0 ? v : ww_attention_prefill_fault();
}
static inline int ww_attention_prefill_number(ww_attention_prefill_value v) { return v.kind == WW_ATTENTION_PREFILL_INTEGER || v.kind == WW_ATTENTION_PREFILL_REAL; }
static inline int ww_attention_prefill_integers(ww_attention_prefill_value a, ww_attention_prefill_value b) { return a.kind == WW_ATTENTION_PREFILL_INTEGER && b.kind == WW_ATTENTION_PREFILL_INTEGER; }
static inline int ww_attention_prefill_numbers(ww_attention_prefill_value a, ww_attention_prefill_value b) { return ww_attention_prefill_number(a) && ww_attention_prefill_number(b); }
static inline double ww_attention_prefill_as_real(ww_attention_prefill_value v) { return v.kind == WW_ATTENTION_PREFILL_REAL ? v.real : (double)v.integer; }
static inline int ww_attention_prefill_holds(ww_attention_prefill_value v) {
  return v.kind == WW_ATTENTION_PREFILL_REAL ? v.real != 0 : v.kind == WW_ATTENTION_PREFILL_INTEGER && v.integer != 0;
}
static inline int ww_attention_prefill_same_text(const char *a, const char *b) {
  if (a == 0 || b == 0) return 0;
  while (*a != '\0' && *a == *b) {
    ++a;
    ++b;
  }
  return *a == *b;
}
static inline ww_attention_prefill_value ww_attention_prefill_add(ww_attention_prefill_value a, ww_attention_prefill_value b) {
  if (!ww_attention_prefill_numbers(a, b)) return ww_attention_prefill_fault();
  if (!ww_attention_prefill_integers(a, b)) return ww_attention_prefill_real(ww_attention_prefill_as_real(a) + ww_attention_prefill_as_real(b));
  if (b.integer > 0 ? a.integer > ww_attention_prefill_largest - b.integer : a.integer < ww_attention_prefill_lowest - b.integer)
    return ww_attention_prefill_fault();
  return ww_attention_prefill_integer(a.integer + b.integer);
}
static inline ww_attention_prefill_value ww_attention_prefill_multiply(ww_attention_prefill_value a, ww_attention_prefill_value b) {
  const long long x = a.integer;
  const long long y = b.integer;
  if (!ww_attention_prefill_numbers(a, b)) return ww_attention_prefill_fault();
  if (!ww_attention_prefill_integers(a, b)) return ww_attention_prefill_real(ww_attention_prefill_as_real(a) * ww_attention_prefill_as_real(b));
  if (x == 0 || y == 0) return ww_attention_prefill_integer(0);
  if (x > 0 ? (y > 0 ? x > ww_attention_prefill_largest / y : y < ww_attention_prefill_lowest / x)
            : (y > 0 ? x < ww_attention_prefill_lowest / y : y < ww_attention_prefill_largest / x))
    return ww_attention_prefill_fault();
  return ww_attention_prefill_integer(x * y);
}
static inline ww_attention_prefill_value ww_attention_prefill_divide(ww_attention_prefill_value a, ww_attention_prefill_value b) {
  if (!ww_attention_prefill_numbers(a, b) || ww_attention_prefill_as_real(b) == 0) return ww_attention_prefill_fault();
  if (!ww_attention_prefill_integers(a, b)) return ww_attention_prefill_real(ww_attention_prefill_as_real(a) / ww_attention_prefill_as_real(b));
  if (b.integer == -1) return a.integer == ww_attention_prefill_lowest ? ww_attention_prefill_fault() : ww_attention_prefill_integer(-a.integer);
  return ww_attention_prefill_integer(a.integer / b.integer);
}
static inline ww_attention_prefill_value ww_attention_prefill_remainder(ww_attention_prefill_value a, ww_attention_prefill_value b) {
  if (!ww_attention_prefill_integers(a, b) || b.integer == 0) return ww_attention_prefill_fault();
  return ww_attention_prefill_integer(b.integer == -1 ? 0 : a.integer % b.integer);
}
static inline ww_attention_prefill_value ww_attention_prefill_ceil_div(ww_attention_prefill_value a, ww_attention_prefill_value b) {
  if (!ww_attention_prefill_integers(a, b) || b.integer <= 0) return ww_attention_prefill_fault();
  return ww_attention_prefill_integer(a.integer / b.integer + (a.integer % b.integer > 0 ? 1 : 0));
}
static inline ww_attention_prefill_value ww_attention_prefill_align_up(ww_attention_prefill_value a, ww_attention_prefill_value b) { return ww_attention_prefill_multiply(ww_attention_prefill_ceil_div(a, b), b); }
static inline ww_attention_prefill_value ww_attention_prefill_not(ww_attention_prefill_value v) {
  return ww_attention_prefill_number(v) ? ww_attention_prefill_integer(!ww_attention_prefill_holds(v)) : ww_attention_prefill_fault();
}
static inline ww_attention_prefill_value ww_attention_prefill_less(ww_attention_prefill_value a, ww_attention_prefill_value b) {
  if (!ww_attention_prefill_numbers(a, b)) return ww_attention_prefill_fault();
  return ww_attention_prefill_integer(ww_attention_prefill_integers(a, b) ? a.integer < b.integer : ww_attention_prefill_as_real(a) < ww_attention_prefill_as_real(b));
}
static inline ww_attention_prefill_value ww_attention_prefill_less_equal(ww_attention_prefill_value a, ww_attention_prefill_value b) { return ww_attention_prefill_not(ww_attention_prefill_less(b, a)); }
static inline ww_attention_prefill_value ww_attention_prefill_greater_equal(ww_attention_prefill_value a, ww_attention_prefill_value b) { return ww_attention_prefill_not(ww_attention_prefill_less(a, b)); }
static inline ww_attention_prefill_value ww_attention_prefill_equal(ww_attention_prefill_value a, ww_attention_prefill_value b) {
  if (a.kind == WW_ATTENTION_PREFILL_TEXT && b.kind == WW_ATTENTION_PREFILL_TEXT) return ww_attention_prefill_integer(ww_attention_prefill_same_text(a.text, b.text));
  if (!ww_attention_prefill_numbers(a, b)) return ww_attention_prefill_fault();
  return ww_attention_prefill_integer(ww_attention_prefill_integers(a, b) ? a.integer == b.integer : ww_attention_prefill_as_real(a) == ww_attention_prefill_as_real(b));
}
static inline ww_attention_prefill_value ww_attention_prefill_and(ww_attention_prefill_value a, ww_attention_prefill_value b) {
  if (!ww_attention_prefill_number(a)) return ww_attention_prefill_fault();
  if (!ww_attention_prefill_holds(a)) return ww_attention_prefill_integer(0);
  return ww_attention_prefill_number(b) ? ww_attention_prefill_integer(ww_attention_prefill_holds(b)) : ww_attention_prefill_fault();
}
static inline ww_attention_prefill_value ww_attention_prefill_or(ww_attention_prefill_value a, ww_attention_prefill_value b) {
  if (!ww_attention_prefill_number(a)) return ww_attention_prefill_fault();
  if (ww_attention_prefill_holds(a)) return ww_attention_prefill_integer(1);
  return ww_attention_prefill_number(b) ? ww_attention_prefill_integer(ww_attention_prefill_holds(b)) : ww_attention_prefill_fault();
}
static inline ww_attention_prefill_value ww_attention_prefill_choose(ww_attention_prefill_value v, ww_attention_prefill_value a, ww_attention_prefill_value b) {
  return ww_attention_prefill_number(v) ? (ww_attention_prefill_holds(v) ? a : b) : ww_attention_prefill_fault();
}
static inline ww_attention_prefill_value ww_attention_prefill_smaller(ww_attention_prefill_value a, ww_attention_prefill_value b) {
  if (!ww_attention_prefill_numbers(a, b)) return ww_attention_prefill_fault();
  if (ww_attention_prefill_integers(a, b)) return b.integer < a.integer ? b : a;
  return ww_attention_prefill_real(ww_attention_prefill_as_real(b) < ww_attention_prefill_as_real(a) ? ww_attention_prefill_as_real(b) : ww_attention_prefill_as_real(a));
}
static inline ww_attention_prefill_value ww_attention_prefill_bytes_of(ww_attention_prefill_value v) {
  static const char *const names[] = {"f64", "i64", "u64", "f32", "i32", "u32", "f16", "bf16",
                                      "i16", "u16", "i8",  "u8",  "e4m3", "e5m2", "bool"};
  static const int bytes[] = {8, 8, 8, 4, 4, 4, 2, 2, 2, 2, 1, 1, 1, 1, 1};
  int i;
  if (v.kind != WW_ATTENTION_PREFILL_TEXT) return ww_attention_prefill_fault();
  for (i = 0; i < 15; ++i) {
    if (ww_attention_prefill_same_text(v.text, names[i])) return ww_attention_prefill_integer(bytes[i]);
  }
  return ww_attention_prefill_fault();
}

static inline int ww_attention_prefill_same_category(ww_attention_prefill_problem a, ww_attention_prefill_problem b) {
  return a.d == b.d &&
         a.causal == b.causal &&
         a.dtype == b.dtype;
}
static inline int ww_attention_prefill_same_sizes(ww_attention_prefill_problem a, ww_attention_prefill_problem b) {
  return a.batch == b.batch &&
         a.heads == b.heads &&
         a.kv_heads == b.kv_heads &&
         a.q_len == b.q_len &&
         a.kv_len == b.kv_len &&
         a.d == b.d &&
         a.causal == b.causal &&
         a.dtype == b.dtype &&
         a.sms == b.sms;
}

/* Where a problem lies: distances are Euclidean in log2(1 + size) and in twice the log2 of the
   contract's traffic. */
typedef struct {
  double axes[6];
  int counted;
  double work;
} ww_attention_prefill_place;
static inline ww_attention_prefill_place ww_attention_prefill_place_of(ww_attention_prefill_problem problem) {
  const ww_attention_prefill_value batch = ww_attention_prefill_integer(problem.batch);
  const ww_attention_prefill_value heads = ww_attention_prefill_integer(problem.heads);
  const ww_attention_prefill_value kv_heads = ww_attention_prefill_integer(problem.kv_heads);
  const ww_attention_prefill_value q_len = ww_attention_prefill_integer(problem.q_len);
  const ww_attention_prefill_value kv_len = ww_attention_prefill_integer(problem.kv_len);
  const ww_attention_prefill_value d = ww_attention_prefill_integer(problem.d);
  /* Bytes that the contract counts. */
  const ww_attention_prefill_value work = ww_attention_prefill_multiply(ww_attention_prefill_integer(2), ww_attention_prefill_add(ww_attention_prefill_multiply(ww_attention_prefill_multiply(ww_attention_prefill_multiply(ww_attention_prefill_multiply(ww_attention_prefill_integer(2), batch), heads), q_len), d), ww_attention_prefill_multiply(ww_attention_prefill_multiply(ww_attention_prefill_multiply(ww_attention_prefill_multiply(ww_attention_prefill_integer(2), batch), kv_heads), kv_len), d)));
  ww_attention_prefill_place place;
  place.axes[0] = ww_attention_prefill_size_scale((double)problem.batch);
  place.axes[1] = ww_attention_prefill_size_scale((double)problem.heads);
  place.axes[2] = ww_attention_prefill_size_scale((double)problem.kv_heads);
  place.axes[3] = ww_attention_prefill_size_scale((double)problem.q_len);
  place.axes[4] = ww_attention_prefill_size_scale((double)problem.kv_len);
  place.axes[5] = ww_attention_prefill_size_scale((double)problem.sms);
  place.counted = ww_attention_prefill_number(work);
  place.work = place.counted ? ww_attention_prefill_size_scale(ww_attention_prefill_as_real(work)) : 0;
  return place;
}

static inline ww_attention_prefill_limits ww_attention_prefill_complete(ww_attention_prefill_limits given, ww_attention_prefill_limits tuned) {
  if (given.compute_capability == 0) given.compute_capability = tuned.compute_capability;
  if (given.max_shared == 0) given.max_shared = tuned.max_shared;
  if (given.max_threads == 0) given.max_threads = tuned.max_threads;
  if (given.registers_per_sm == 0) given.registers_per_sm = tuned.registers_per_sm;
  if (given.sm_count == 0) given.sm_count = tuned.sm_count;
  return given;
}

static inline int ww_attention_prefill_allowed_wmma(ww_attention_prefill_configuration configuration, ww_attention_prefill_problem problem,
    ww_attention_prefill_limits limits) {
  const ww_attention_prefill_value heads = ww_attention_prefill_integer(problem.heads);
  const ww_attention_prefill_value kv_heads = ww_attention_prefill_integer(problem.kv_heads);
  const ww_attention_prefill_value d = ww_attention_prefill_integer(problem.d);
  const ww_attention_prefill_value tile_q = ww_attention_prefill_integer(configuration.tile_q);
  const ww_attention_prefill_value tile_kv = ww_attention_prefill_integer(configuration.tile_kv);
  const ww_attention_prefill_value device_compute_capability = ww_attention_prefill_integer(limits.compute_capability);
  const ww_attention_prefill_value device_max_shared = ww_attention_prefill_integer(limits.max_shared);
  /* every head of k and v serves equally many heads of q */
  if (!ww_attention_prefill_holds(ww_attention_prefill_equal(ww_attention_prefill_remainder(heads, kv_heads), ww_attention_prefill_integer(0)))) return 0;
  /* wmma takes bf16 from compute capability 8.0 on */
  if (!ww_attention_prefill_holds(ww_attention_prefill_greater_equal(device_compute_capability, ww_attention_prefill_integer(80)))) return 0;
  /* wmma multiplies 16 x 16 matrices */
  if (!ww_attention_prefill_holds(ww_attention_prefill_and(ww_attention_prefill_equal(ww_attention_prefill_remainder(tile_q, ww_attention_prefill_integer(16)), ww_attention_prefill_integer(0)), ww_attention_prefill_equal(ww_attention_prefill_remainder(tile_kv, ww_attention_prefill_integer(16)), ww_attention_prefill_integer(0))))) return 0;
  /* q, a tile of keys, scores, probabilities and outputs are in shared memory */
  if (!ww_attention_prefill_holds(ww_attention_prefill_less_equal(ww_attention_prefill_add(ww_attention_prefill_multiply(ww_attention_prefill_multiply(ww_attention_prefill_integer(2), ww_attention_prefill_add(ww_attention_prefill_multiply(ww_attention_prefill_integer(3), tile_q), tile_kv)), ww_attention_prefill_add(d, ww_attention_prefill_integer(8))), ww_attention_prefill_multiply(ww_attention_prefill_multiply(ww_attention_prefill_integer(6), tile_q), ww_attention_prefill_add(tile_kv, ww_attention_prefill_integer(8)))), device_max_shared))) return 0;
  return 1;
}

static inline int ww_attention_prefill_allowed_wgmma(ww_attention_prefill_configuration configuration, ww_attention_prefill_problem problem,
    ww_attention_prefill_limits limits) {
  const ww_attention_prefill_value heads = ww_attention_prefill_integer(problem.heads);
  const ww_attention_prefill_value kv_heads = ww_attention_prefill_integer(problem.kv_heads);
  const ww_attention_prefill_value d = ww_attention_prefill_integer(problem.d);
  const ww_attention_prefill_value tile_kv = ww_attention_prefill_integer(configuration.tile_kv);
  const ww_attention_prefill_value stages = ww_attention_prefill_integer(configuration.stages);
  const ww_attention_prefill_value consumer_groups = ww_attention_prefill_integer(configuration.consumer_groups);
  const ww_attention_prefill_value consumer_registers = ww_attention_prefill_integer(configuration.consumer_registers);
  const ww_attention_prefill_value producer_registers = ww_attention_prefill_integer(configuration.producer_registers);
  const ww_attention_prefill_value ping_pong = ww_attention_prefill_integer(configuration.ping_pong);
  const ww_attention_prefill_value min_blocks = ww_attention_prefill_integer(configuration.min_blocks);
  const ww_attention_prefill_value device_compute_capability = ww_attention_prefill_integer(limits.compute_capability);
  const ww_attention_prefill_value device_max_shared = ww_attention_prefill_integer(limits.max_shared);
  const ww_attention_prefill_value device_registers_per_sm = ww_attention_prefill_integer(limits.registers_per_sm);
  /* every head of k and v serves equally many heads of q */
  if (!ww_attention_prefill_holds(ww_attention_prefill_equal(ww_attention_prefill_remainder(heads, kv_heads), ww_attention_prefill_integer(0)))) return 0;
  /* wgmma is an instruction of sm_90a alone */
  if (!ww_attention_prefill_holds(ww_attention_prefill_equal(device_compute_capability, ww_attention_prefill_integer(90)))) return 0;
  /* the product with V takes 16 keys at a time */
  if (!ww_attention_prefill_holds(ww_attention_prefill_equal(ww_attention_prefill_remainder(tile_kv, ww_attention_prefill_integer(16)), ww_attention_prefill_integer(0)))) return 0;
  /* setmaxnreg takes multiples of 8 */
  if (!ww_attention_prefill_holds(ww_attention_prefill_and(ww_attention_prefill_equal(ww_attention_prefill_remainder(consumer_registers, ww_attention_prefill_integer(8)), ww_attention_prefill_integer(0)), ww_attention_prefill_equal(ww_attention_prefill_remainder(producer_registers, ww_attention_prefill_integer(8)), ww_attention_prefill_integer(0))))) return 0;
  /* warpgroups share what a block was launched with, an even share in multiples of 8; who wants
     more waits forever */
  if (!ww_attention_prefill_holds(ww_attention_prefill_less_equal(ww_attention_prefill_add(producer_registers, ww_attention_prefill_multiply(consumer_groups, consumer_registers)), ww_attention_prefill_multiply(ww_attention_prefill_add(ww_attention_prefill_integer(1), consumer_groups), ww_attention_prefill_multiply(ww_attention_prefill_divide(ww_attention_prefill_divide(device_registers_per_sm, ww_attention_prefill_multiply(ww_attention_prefill_multiply(ww_attention_prefill_integer(128), min_blocks), ww_attention_prefill_add(ww_attention_prefill_integer(1), consumer_groups))), ww_attention_prefill_integer(8)), ww_attention_prefill_integer(8)))))) return 0;
  /* producers give registers up and consumers get more than an even share */
  if (!ww_attention_prefill_holds(ww_attention_prefill_and(ww_attention_prefill_less_equal(producer_registers, ww_attention_prefill_multiply(ww_attention_prefill_divide(ww_attention_prefill_divide(ww_attention_prefill_integer(65536), ww_attention_prefill_multiply(ww_attention_prefill_multiply(ww_attention_prefill_integer(128), min_blocks), ww_attention_prefill_add(ww_attention_prefill_integer(1), consumer_groups))), ww_attention_prefill_integer(8)), ww_attention_prefill_integer(8))), ww_attention_prefill_greater_equal(consumer_registers, ww_attention_prefill_multiply(ww_attention_prefill_divide(ww_attention_prefill_divide(ww_attention_prefill_integer(65536), ww_attention_prefill_multiply(ww_attention_prefill_multiply(ww_attention_prefill_integer(128), min_blocks), ww_attention_prefill_add(ww_attention_prefill_integer(1), consumer_groups))), ww_attention_prefill_integer(8)), ww_attention_prefill_integer(8)))))) return 0;
  /* outputs, scores and probabilities must be in registers, or ptxas serialises wgmma; for
     several blocks it counts the even share */
  if (!ww_attention_prefill_holds(ww_attention_prefill_choose(ww_attention_prefill_equal(min_blocks, ww_attention_prefill_integer(1)), ww_attention_prefill_less_equal(ww_attention_prefill_add(ww_attention_prefill_add(ww_attention_prefill_add(ww_attention_prefill_divide(d, ww_attention_prefill_integer(2)), ww_attention_prefill_divide(tile_kv, ww_attention_prefill_integer(2))), ww_attention_prefill_divide(tile_kv, ww_attention_prefill_integer(4))), ww_attention_prefill_choose(ww_attention_prefill_equal(ping_pong, ww_attention_prefill_integer(1)), ww_attention_prefill_integer(32), ww_attention_prefill_integer(40))), consumer_registers), ww_attention_prefill_less_equal(ww_attention_prefill_add(ww_attention_prefill_add(ww_attention_prefill_add(ww_attention_prefill_divide(d, ww_attention_prefill_integer(2)), ww_attention_prefill_divide(tile_kv, ww_attention_prefill_integer(2))), ww_attention_prefill_divide(tile_kv, ww_attention_prefill_integer(4))), ww_attention_prefill_integer(16)), ww_attention_prefill_divide(device_registers_per_sm, ww_attention_prefill_multiply(ww_attention_prefill_multiply(ww_attention_prefill_integer(128), min_blocks), ww_attention_prefill_add(ww_attention_prefill_integer(1), consumer_groups))))))) return 0;
  /* q and the rings of K and V are in shared memory */
  if (!ww_attention_prefill_holds(ww_attention_prefill_less_equal(ww_attention_prefill_add(ww_attention_prefill_add(ww_attention_prefill_multiply(ww_attention_prefill_multiply(ww_attention_prefill_multiply(consumer_groups, ww_attention_prefill_integer(64)), d), ww_attention_prefill_integer(2)), ww_attention_prefill_multiply(ww_attention_prefill_multiply(ww_attention_prefill_multiply(ww_attention_prefill_multiply(ww_attention_prefill_integer(2), stages), tile_kv), d), ww_attention_prefill_integer(2))), ww_attention_prefill_integer(1024)), device_max_shared))) return 0;
  /* an SM has 228 KB of shared memory, of which every block takes 1 KB more than it asks for */
  if (!ww_attention_prefill_holds(ww_attention_prefill_less_equal(ww_attention_prefill_multiply(min_blocks, ww_attention_prefill_add(ww_attention_prefill_add(ww_attention_prefill_multiply(ww_attention_prefill_multiply(ww_attention_prefill_multiply(consumer_groups, ww_attention_prefill_integer(64)), d), ww_attention_prefill_integer(2)), ww_attention_prefill_multiply(ww_attention_prefill_multiply(ww_attention_prefill_multiply(ww_attention_prefill_multiply(ww_attention_prefill_integer(2), stages), tile_kv), d), ww_attention_prefill_integer(2))), ww_attention_prefill_integer(2048))), ww_attention_prefill_integer(233472)))) return 0;
  return 1;
}

static inline int ww_attention_prefill_allowed_tma(ww_attention_prefill_configuration configuration, ww_attention_prefill_problem problem,
    ww_attention_prefill_limits limits) {
  const ww_attention_prefill_value heads = ww_attention_prefill_integer(problem.heads);
  const ww_attention_prefill_value kv_heads = ww_attention_prefill_integer(problem.kv_heads);
  const ww_attention_prefill_value d = ww_attention_prefill_integer(problem.d);
  const ww_attention_prefill_value tile_q = ww_attention_prefill_integer(configuration.tile_q);
  const ww_attention_prefill_value tile_kv = ww_attention_prefill_integer(configuration.tile_kv);
  const ww_attention_prefill_value stages = ww_attention_prefill_integer(configuration.stages);
  const ww_attention_prefill_value producer_warps = ww_attention_prefill_integer(configuration.producer_warps);
  const ww_attention_prefill_value consumer_warps = ww_attention_prefill_integer(configuration.consumer_warps);
  const ww_attention_prefill_value min_blocks = ww_attention_prefill_integer(configuration.min_blocks);
  const ww_attention_prefill_value scores = ww_attention_prefill_text(ww_attention_prefill_scores_name(configuration.scores));
  const ww_attention_prefill_value registers = ww_attention_prefill_integer(configuration.registers);
  const ww_attention_prefill_value device_compute_capability = ww_attention_prefill_integer(limits.compute_capability);
  const ww_attention_prefill_value device_max_shared = ww_attention_prefill_integer(limits.max_shared);
  const ww_attention_prefill_value device_max_threads = ww_attention_prefill_integer(limits.max_threads);
  const ww_attention_prefill_value device_registers_per_sm = ww_attention_prefill_integer(limits.registers_per_sm);
  /* every head of k and v serves equally many heads of q */
  if (!ww_attention_prefill_holds(ww_attention_prefill_equal(ww_attention_prefill_remainder(heads, kv_heads), ww_attention_prefill_integer(0)))) return 0;
  /* tensor copies begin there */
  if (!ww_attention_prefill_holds(ww_attention_prefill_greater_equal(device_compute_capability, ww_attention_prefill_integer(90)))) return 0;
  /* products are of 16 x 16 */
  if (!ww_attention_prefill_holds(ww_attention_prefill_and(ww_attention_prefill_equal(ww_attention_prefill_remainder(tile_q, ww_attention_prefill_integer(16)), ww_attention_prefill_integer(0)), ww_attention_prefill_equal(ww_attention_prefill_remainder(tile_kv, ww_attention_prefill_integer(16)), ww_attention_prefill_integer(0))))) return 0;
  /* the device launches no more */
  if (!ww_attention_prefill_holds(ww_attention_prefill_less_equal(ww_attention_prefill_multiply(ww_attention_prefill_integer(32), ww_attention_prefill_add(producer_warps, consumer_warps)), device_max_threads))) return 0;
  /* no compiler makes do with fewer than 32 registers a thread */
  if (!ww_attention_prefill_holds(ww_attention_prefill_less_equal(ww_attention_prefill_multiply(ww_attention_prefill_multiply(ww_attention_prefill_multiply(ww_attention_prefill_integer(32), ww_attention_prefill_add(producer_warps, consumer_warps)), min_blocks), ww_attention_prefill_integer(32)), device_registers_per_sm))) return 0;
  /* a warp keeps its blocks of the outputs in registers, 8 each */
  if (!ww_attention_prefill_holds(ww_attention_prefill_or(ww_attention_prefill_equal(scores, ww_attention_prefill_text("registers")), ww_attention_prefill_less_equal(ww_attention_prefill_ceil_div(ww_attention_prefill_multiply(ww_attention_prefill_divide(tile_q, ww_attention_prefill_integer(16)), ww_attention_prefill_divide(d, ww_attention_prefill_integer(16))), consumer_warps), ww_attention_prefill_integer(16))))) return 0;
  /* a warp owns 16 or 32 rows */
  if (!ww_attention_prefill_holds(ww_attention_prefill_or(ww_attention_prefill_or(ww_attention_prefill_equal(scores, ww_attention_prefill_text("shared")), ww_attention_prefill_equal(tile_q, ww_attention_prefill_multiply(ww_attention_prefill_integer(16), consumer_warps))), ww_attention_prefill_equal(tile_q, ww_attention_prefill_multiply(ww_attention_prefill_integer(32), consumer_warps))))) return 0;
  /* outputs and scores of a warp's rows must be in registers */
  if (!ww_attention_prefill_holds(ww_attention_prefill_or(ww_attention_prefill_equal(scores, ww_attention_prefill_text("shared")), ww_attention_prefill_less_equal(ww_attention_prefill_add(ww_attention_prefill_multiply(ww_attention_prefill_divide(ww_attention_prefill_divide(tile_q, consumer_warps), ww_attention_prefill_integer(16)), ww_attention_prefill_add(ww_attention_prefill_divide(d, ww_attention_prefill_integer(2)), ww_attention_prefill_divide(tile_kv, ww_attention_prefill_integer(2)))), ww_attention_prefill_integer(24)), ww_attention_prefill_integer(255))))) return 0;
  /* setmaxnreg moves what a block was launched with between whole warpgroups, in multiples of 8;
     who wants more waits forever */
  if (!ww_attention_prefill_holds(ww_attention_prefill_or(ww_attention_prefill_equal(registers, ww_attention_prefill_integer(0)), ww_attention_prefill_and(ww_attention_prefill_and(ww_attention_prefill_and(ww_attention_prefill_and(ww_attention_prefill_and(ww_attention_prefill_equal(device_compute_capability, ww_attention_prefill_integer(90)), ww_attention_prefill_equal(ww_attention_prefill_remainder(registers, ww_attention_prefill_integer(8)), ww_attention_prefill_integer(0))), ww_attention_prefill_equal(producer_warps, ww_attention_prefill_integer(4))), ww_attention_prefill_equal(ww_attention_prefill_remainder(consumer_warps, ww_attention_prefill_integer(4)), ww_attention_prefill_integer(0))), ww_attention_prefill_greater_equal(registers, ww_attention_prefill_multiply(ww_attention_prefill_divide(ww_attention_prefill_divide(ww_attention_prefill_integer(65536), ww_attention_prefill_multiply(ww_attention_prefill_multiply(ww_attention_prefill_integer(32), min_blocks), ww_attention_prefill_add(ww_attention_prefill_integer(4), consumer_warps))), ww_attention_prefill_integer(8)), ww_attention_prefill_integer(8)))), ww_attention_prefill_less_equal(ww_attention_prefill_add(ww_attention_prefill_multiply(ww_attention_prefill_integer(4), ww_attention_prefill_integer(24)), ww_attention_prefill_multiply(consumer_warps, registers)), ww_attention_prefill_multiply(ww_attention_prefill_add(ww_attention_prefill_integer(4), consumer_warps), ww_attention_prefill_multiply(ww_attention_prefill_divide(ww_attention_prefill_divide(device_registers_per_sm, ww_attention_prefill_multiply(ww_attention_prefill_multiply(ww_attention_prefill_integer(32), min_blocks), ww_attention_prefill_add(ww_attention_prefill_integer(4), consumer_warps))), ww_attention_prefill_integer(8)), ww_attention_prefill_integer(8)))))))) return 0;
  /* q, rings of K and V, scores, probabilities, factors of rows and barriers are in shared
     memory */
  if (!ww_attention_prefill_holds(ww_attention_prefill_less_equal(ww_attention_prefill_multiply(min_blocks, ww_attention_prefill_add(ww_attention_prefill_integer(1024), ww_attention_prefill_align_up(ww_attention_prefill_add(ww_attention_prefill_add(ww_attention_prefill_add(ww_attention_prefill_add(ww_attention_prefill_multiply(ww_attention_prefill_multiply(tile_q, d), ww_attention_prefill_integer(2)), ww_attention_prefill_multiply(ww_attention_prefill_multiply(ww_attention_prefill_multiply(ww_attention_prefill_multiply(ww_attention_prefill_integer(2), stages), tile_kv), d), ww_attention_prefill_integer(2))), ww_attention_prefill_choose(ww_attention_prefill_equal(scores, ww_attention_prefill_text("shared")), ww_attention_prefill_add(ww_attention_prefill_multiply(ww_attention_prefill_multiply(ww_attention_prefill_integer(6), tile_q), ww_attention_prefill_add(tile_kv, ww_attention_prefill_integer(8))), ww_attention_prefill_multiply(ww_attention_prefill_integer(8), tile_q)), ww_attention_prefill_integer(8))), ww_attention_prefill_integer(8)), ww_attention_prefill_multiply(ww_attention_prefill_integer(32), stages)), ww_attention_prefill_integer(1024)))), ww_attention_prefill_add(device_max_shared, ww_attention_prefill_integer(1024))))) return 0;
  return 1;
}

/* The contract's types and limits of every size. */
static inline int ww_attention_prefill_valid(ww_attention_prefill_problem problem) {
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

/* Every constraint of the contract and of the variant holds for this problem on a device with
   these limits. */
static inline int ww_attention_prefill_allowed(ww_attention_prefill_configuration configuration, ww_attention_prefill_problem problem,
    ww_attention_prefill_limits limits) {
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


/* "sm_90" and "sm_90a" are one architecture here. */
static inline int ww_attention_prefill_arch_length(const char *arch) {
  int length = 0;
  while (arch[length] != '\0') ++length;
  while (length > 0 && arch[length - 1] >= 'a' && arch[length - 1] <= 'z') --length;
  return length;
}
static inline int ww_attention_prefill_same_arch(const char *a, const char *b) {
  int length;
  int i;
  if (a == 0 || b == 0) return 0;
  length = ww_attention_prefill_arch_length(a);
  if (ww_attention_prefill_arch_length(b) != length) return 0;
  for (i = 0; i < length; ++i) {
    if (a[i] != b[i]) return 0;
  }
  return 1;
}

static inline double ww_attention_prefill_squared_distance(ww_attention_prefill_place a, ww_attention_prefill_place b) {
  double sum = 0;
  int i;
  for (i = 0; i < WW_ATTENTION_PREFILL_AXIS_COUNT; ++i) sum += (a.axes[i] - b.axes[i]) * (a.axes[i] - b.axes[i]);
  if (a.counted && b.counted)
    sum += ww_attention_prefill_work_scale * (a.work - b.work) * (ww_attention_prefill_work_scale * (a.work - b.work));
  return sum;
}

static inline ww_attention_prefill_selection ww_attention_prefill_no_selection(void) {
  ww_attention_prefill_selection result;
  result.match = WW_ATTENTION_PREFILL_MATCH_NONE;
  result.configuration = 0;
  result.nearest = 0;
  result.distance = 0;
  result.score = 0;
  result.limits = ww_attention_prefill_devices[0].limits;
  return result;
}

/* The vote of the tuned problems on this device, or on others of its architecture. */
static inline ww_attention_prefill_selection ww_attention_prefill_vote(ww_attention_prefill_device device, ww_attention_prefill_problem problem, int same_device) {
  const ww_attention_prefill_place asked = ww_attention_prefill_place_of(problem);
  double weights[WW_ATTENTION_PREFILL_BOARD_COUNT];
  double total = 0;
  double least = 0;
  int i;
  const ww_attention_prefill_configuration *winner;
  ww_attention_prefill_selection result = ww_attention_prefill_no_selection();
  for (i = 0; i < WW_ATTENTION_PREFILL_BOARD_COUNT; ++i) {
    const ww_attention_prefill_board *board = &ww_attention_prefill_boards[i];
    const ww_attention_prefill_device *tuned = &ww_attention_prefill_devices[board->device];
    const int same = ww_attention_prefill_same_text(tuned->name, device.name);
    double squared;
    double closeness;
    int equal;
    weights[i] = 0;
    if (same != same_device || (!same && !ww_attention_prefill_same_arch(tuned->arch, device.arch))) continue;
    if (!ww_attention_prefill_same_category(board->problem, problem)) continue;
    squared = ww_attention_prefill_squared_distance(ww_attention_prefill_place_of(board->problem), asked);
    equal = ww_attention_prefill_same_sizes(board->problem, problem);
    if (result.nearest == 0 || squared < least || equal) {
      result.nearest = board;
      result.distance = ww_attention_prefill_root(squared);
      least = equal ? -1 : squared;
    }
    closeness = 1 / (ww_attention_prefill_nearby * ww_attention_prefill_nearby + squared);
    weights[i] = closeness * closeness;
    total += weights[i];
  }
  if (result.nearest == 0) return ww_attention_prefill_no_selection();
  result.limits = ww_attention_prefill_complete(device.limits, ww_attention_prefill_devices[result.nearest->device].limits);
  winner = &ww_attention_prefill_configurations[result.nearest->winner];
  if (least < 0 && ww_attention_prefill_allowed(*winner, problem, result.limits)) {
    result.match = same_device ? WW_ATTENTION_PREFILL_MATCH_EXACT : WW_ATTENTION_PREFILL_MATCH_NEAREST_SAME_ARCH;
    result.configuration = winner;
    result.score = 1;
    return result;
  }
  for (i = 0; i < WW_ATTENTION_PREFILL_CANDIDATE_COUNT; ++i) {
    double sum = ww_attention_prefill_prior_weight * ww_attention_prefill_prior_fraction;
    double known = ww_attention_prefill_prior_weight;
    int board;
    for (board = 0; board < WW_ATTENTION_PREFILL_BOARD_COUNT; ++board) {
      if (!(weights[board] > 0) || ww_attention_prefill_fractions[i][board] < 0) continue;
      sum += weights[board] / total * ww_attention_prefill_fractions[i][board] / 1000;
      known += weights[board] / total;
    }
    if (!(known > ww_attention_prefill_prior_weight) || !(sum / known > result.score + ww_attention_prefill_score_tie)) continue;
    if (!ww_attention_prefill_allowed(ww_attention_prefill_configurations[i], problem, result.limits)) continue;
    result.match = same_device ? WW_ATTENTION_PREFILL_MATCH_NEAREST_SAME_DEVICE : WW_ATTENTION_PREFILL_MATCH_NEAREST_SAME_ARCH;
    result.configuration = &ww_attention_prefill_configurations[i];
    result.score = sum / known;
  }
  return result;
}

static inline ww_attention_prefill_selection ww_attention_prefill_contract_default(ww_attention_prefill_device device, ww_attention_prefill_problem problem) {
  ww_attention_prefill_selection result = ww_attention_prefill_no_selection();
  int i;
  result.limits = ww_attention_prefill_complete(device.limits, ww_attention_prefill_devices[0].limits);
  for (i = WW_ATTENTION_PREFILL_CANDIDATE_COUNT; i < WW_ATTENTION_PREFILL_CONFIGURATION_COUNT; ++i) {
    if (!ww_attention_prefill_allowed(ww_attention_prefill_configurations[i], problem, result.limits)) continue;
    result.match = WW_ATTENTION_PREFILL_MATCH_DEFAULT;
    result.configuration = &ww_attention_prefill_configurations[i];
    break;
  }
  return result;
}

static inline ww_attention_prefill_selection ww_attention_prefill_select(ww_attention_prefill_device device, ww_attention_prefill_problem problem) {
  ww_attention_prefill_selection result = ww_attention_prefill_no_selection();
  if (!ww_attention_prefill_valid(problem)) return result;
  result = ww_attention_prefill_vote(device, problem, 1);
  if (result.configuration == 0) result = ww_attention_prefill_vote(device, problem, 0);
  if (result.configuration == 0) result = ww_attention_prefill_contract_default(device, problem);
  return result;
}

#define WW_ATTENTION_PREFILL_DEFINE_LENGTH 50
typedef struct {
  int count;
  char option[16][WW_ATTENTION_PREFILL_DEFINE_LENGTH];
} ww_attention_prefill_options;

typedef struct {
  int ok;  /* 0 or false: no such launch, or its extents cannot be computed */
  const char *entry;
  long long grid[3];
  long long block[3];
  long long cluster[3];
  long long shared_bytes;  /* dynamic */
} ww_attention_prefill_launch_plan;

static inline void ww_attention_prefill_put(ww_attention_prefill_options *out, int *at, const char *text) {
  for (; *text != '\0' && *at < WW_ATTENTION_PREFILL_DEFINE_LENGTH - 1; ++text) out->option[out->count][(*at)++] = *text;
  out->option[out->count][*at] = '\0';
}
static inline void ww_attention_prefill_put_integer(ww_attention_prefill_options *out, int *at, long long v) {
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
  ww_attention_prefill_put(out, at, digits + first);
}
/* In hexadecimal, which is exact. */
static inline void ww_attention_prefill_put_real(ww_attention_prefill_options *out, int *at, double v) {
  int exponent = 0;
  int i;
  char digit[2];
  if (v < 0) ww_attention_prefill_put(out, at, "-");
  if (v < 0) v = -v;
  for (; v >= 2; v /= 2) ++exponent;
  for (; v > 0 && v < 1; v *= 2) --exponent;
  ww_attention_prefill_put(out, at, v > 0 ? "0x1." : "0x0.");
  v -= v > 0 ? 1 : 0;
  digit[1] = '\0';
  for (i = 0; i < 13; ++i) {
    const int hex = (int)(v *= 16);
    digit[0] = "0123456789abcdef"[hex];
    ww_attention_prefill_put(out, at, digit);
    v -= hex;
  }
  ww_attention_prefill_put(out, at, "p");
  ww_attention_prefill_put_integer(out, at, exponent);
}
static inline void ww_attention_prefill_put_define(ww_attention_prefill_options *out, const char *macro, ww_attention_prefill_value v) {
  int at = 0;
  ww_attention_prefill_put(out, &at, "-D");
  ww_attention_prefill_put(out, &at, macro);
  ww_attention_prefill_put(out, &at, "=");
  if (v.kind == WW_ATTENTION_PREFILL_INTEGER) ww_attention_prefill_put_integer(out, &at, v.integer);
  if (v.kind == WW_ATTENTION_PREFILL_REAL) ww_attention_prefill_put_real(out, &at, v.real);
  if (v.kind == WW_ATTENTION_PREFILL_TEXT) ww_attention_prefill_put(out, &at, v.text);
  ++out->count;
}
static inline void ww_attention_prefill_set_extent(ww_attention_prefill_launch_plan *out, long long *extent, ww_attention_prefill_value v) {
  if (v.kind == WW_ATTENTION_PREFILL_INTEGER) *extent = v.integer;
  if (v.kind != WW_ATTENTION_PREFILL_INTEGER) out->ok = 0;
}

/* What NVRTC or nvcc is given to compile the configuration's source for the problem, one option
   an entry. */
static inline ww_attention_prefill_options ww_attention_prefill_defines(ww_attention_prefill_configuration configuration, ww_attention_prefill_problem problem) {
  ww_attention_prefill_options out;
  out.count = 0;
  switch (configuration.variant) {
    case WW_ATTENTION_PREFILL_VARIANT_WMMA:
      ww_attention_prefill_put_define(&out, "TILE_Q", ww_attention_prefill_integer(configuration.tile_q));
      ww_attention_prefill_put_define(&out, "TILE_KV", ww_attention_prefill_integer(configuration.tile_kv));
      ww_attention_prefill_put_define(&out, "WARPS", ww_attention_prefill_integer(configuration.warps));
      break;
    case WW_ATTENTION_PREFILL_VARIANT_WGMMA:
      ww_attention_prefill_put_define(&out, "TILE_KV", ww_attention_prefill_integer(configuration.tile_kv));
      ww_attention_prefill_put_define(&out, "STAGES", ww_attention_prefill_integer(configuration.stages));
      ww_attention_prefill_put_define(&out, "CONSUMER_GROUPS", ww_attention_prefill_integer(configuration.consumer_groups));
      ww_attention_prefill_put_define(&out, "CONSUMER_REGISTERS", ww_attention_prefill_integer(configuration.consumer_registers));
      ww_attention_prefill_put_define(&out, "PRODUCER_REGISTERS", ww_attention_prefill_integer(configuration.producer_registers));
      ww_attention_prefill_put_define(&out, "OVERLAP", ww_attention_prefill_integer(configuration.overlap));
      ww_attention_prefill_put_define(&out, "PING_PONG", ww_attention_prefill_integer(configuration.ping_pong));
      ww_attention_prefill_put_define(&out, "MASK", ww_attention_prefill_text(ww_attention_prefill_mask_name(configuration.mask)));
      ww_attention_prefill_put_define(&out, "SLACK", ww_attention_prefill_integer(configuration.slack));
      ww_attention_prefill_put_define(&out, "KEYS", ww_attention_prefill_text(ww_attention_prefill_keys_name(configuration.keys)));
      ww_attention_prefill_put_define(&out, "SCHEDULE", ww_attention_prefill_text(ww_attention_prefill_schedule_name(configuration.schedule)));
      ww_attention_prefill_put_define(&out, "ORDER", ww_attention_prefill_text(ww_attention_prefill_order_name(configuration.order)));
      ww_attention_prefill_put_define(&out, "SECTION", ww_attention_prefill_integer(configuration.section));
      ww_attention_prefill_put_define(&out, "MIN_BLOCKS", ww_attention_prefill_integer(configuration.min_blocks));
      break;
    case WW_ATTENTION_PREFILL_VARIANT_TMA:
      ww_attention_prefill_put_define(&out, "TILE_Q", ww_attention_prefill_integer(configuration.tile_q));
      ww_attention_prefill_put_define(&out, "TILE_KV", ww_attention_prefill_integer(configuration.tile_kv));
      ww_attention_prefill_put_define(&out, "STAGES", ww_attention_prefill_integer(configuration.stages));
      ww_attention_prefill_put_define(&out, "MASK", ww_attention_prefill_text(ww_attention_prefill_mask_name(configuration.mask)));
      ww_attention_prefill_put_define(&out, "SLACK", ww_attention_prefill_integer(configuration.slack));
      ww_attention_prefill_put_define(&out, "ORDER", ww_attention_prefill_text(ww_attention_prefill_order_name(configuration.order)));
      ww_attention_prefill_put_define(&out, "PRODUCER_WARPS", ww_attention_prefill_integer(configuration.producer_warps));
      ww_attention_prefill_put_define(&out, "CONSUMER_WARPS", ww_attention_prefill_integer(configuration.consumer_warps));
      ww_attention_prefill_put_define(&out, "SWIZZLE", ww_attention_prefill_integer(configuration.swizzle));
      ww_attention_prefill_put_define(&out, "MIN_BLOCKS", ww_attention_prefill_integer(configuration.min_blocks));
      ww_attention_prefill_put_define(&out, "SCORES", ww_attention_prefill_text(ww_attention_prefill_scores_name(configuration.scores)));
      ww_attention_prefill_put_define(&out, "REGISTERS", ww_attention_prefill_integer(configuration.registers));
      break;
  }
  ww_attention_prefill_put_define(&out, "HEAD_DIM", ww_attention_prefill_integer(problem.d));
  ww_attention_prefill_put_define(&out, "DTYPE", ww_attention_prefill_text(ww_attention_prefill_dtype_name(problem.dtype)));
  return out;
}

static inline ww_attention_prefill_launch_plan ww_attention_prefill_no_launch(void) {
  ww_attention_prefill_launch_plan out;
  int i;
  out.ok = 0;
  out.entry = 0;
  out.shared_bytes = 0;
  for (i = 0; i < 3; ++i) out.grid[i] = out.block[i] = out.cluster[i] = 1;
  return out;
}

static inline ww_attention_prefill_launch_plan ww_attention_prefill_launch_wmma(ww_attention_prefill_configuration configuration, ww_attention_prefill_problem problem,
    ww_attention_prefill_limits limits, int index) {
  const ww_attention_prefill_value batch = ww_attention_prefill_integer(problem.batch);
  const ww_attention_prefill_value heads = ww_attention_prefill_integer(problem.heads);
  const ww_attention_prefill_value q_len = ww_attention_prefill_integer(problem.q_len);
  const ww_attention_prefill_value d = ww_attention_prefill_integer(problem.d);
  const ww_attention_prefill_value tile_q = ww_attention_prefill_integer(configuration.tile_q);
  const ww_attention_prefill_value tile_kv = ww_attention_prefill_integer(configuration.tile_kv);
  const ww_attention_prefill_value warps = ww_attention_prefill_integer(configuration.warps);
  (void)limits;
  ww_attention_prefill_launch_plan out = ww_attention_prefill_no_launch();
  switch (index) {
    case 0:
      out.ok = 1;
      out.entry = "attention_wmma";
      ww_attention_prefill_set_extent(&out, &out.grid[0], ww_attention_prefill_multiply(batch, heads));
      ww_attention_prefill_set_extent(&out, &out.grid[1], ww_attention_prefill_ceil_div(q_len, tile_q));
      ww_attention_prefill_set_extent(&out, &out.block[0], ww_attention_prefill_multiply(ww_attention_prefill_integer(32), warps));
      ww_attention_prefill_set_extent(&out, &out.shared_bytes, ww_attention_prefill_add(ww_attention_prefill_multiply(ww_attention_prefill_multiply(ww_attention_prefill_integer(2), ww_attention_prefill_add(ww_attention_prefill_multiply(ww_attention_prefill_integer(3), tile_q), tile_kv)), ww_attention_prefill_add(d, ww_attention_prefill_integer(8))), ww_attention_prefill_multiply(ww_attention_prefill_multiply(ww_attention_prefill_integer(6), tile_q), ww_attention_prefill_add(tile_kv, ww_attention_prefill_integer(8)))));
      break;
    default:
      break;
  }
  return out;
}

static inline ww_attention_prefill_launch_plan ww_attention_prefill_launch_wgmma(ww_attention_prefill_configuration configuration, ww_attention_prefill_problem problem,
    ww_attention_prefill_limits limits, int index) {
  const ww_attention_prefill_value batch = ww_attention_prefill_integer(problem.batch);
  const ww_attention_prefill_value heads = ww_attention_prefill_integer(problem.heads);
  const ww_attention_prefill_value q_len = ww_attention_prefill_integer(problem.q_len);
  const ww_attention_prefill_value d = ww_attention_prefill_integer(problem.d);
  const ww_attention_prefill_value sms = ww_attention_prefill_integer(problem.sms);
  const ww_attention_prefill_value tile_kv = ww_attention_prefill_integer(configuration.tile_kv);
  const ww_attention_prefill_value stages = ww_attention_prefill_integer(configuration.stages);
  const ww_attention_prefill_value consumer_groups = ww_attention_prefill_integer(configuration.consumer_groups);
  const ww_attention_prefill_value schedule = ww_attention_prefill_text(ww_attention_prefill_schedule_name(configuration.schedule));
  const ww_attention_prefill_value min_blocks = ww_attention_prefill_integer(configuration.min_blocks);
  const ww_attention_prefill_value device_sm_count = ww_attention_prefill_integer(limits.sm_count);
  ww_attention_prefill_launch_plan out = ww_attention_prefill_no_launch();
  switch (index) {
    case 0:
      out.ok = 1;
      out.entry = "attention_wgmma";
      ww_attention_prefill_set_extent(&out, &out.grid[0], ww_attention_prefill_choose(ww_attention_prefill_equal(schedule, ww_attention_prefill_text("blocks")), ww_attention_prefill_multiply(ww_attention_prefill_multiply(ww_attention_prefill_ceil_div(q_len, ww_attention_prefill_multiply(ww_attention_prefill_integer(64), consumer_groups)), batch), heads), ww_attention_prefill_smaller(ww_attention_prefill_multiply(ww_attention_prefill_multiply(ww_attention_prefill_ceil_div(q_len, ww_attention_prefill_multiply(ww_attention_prefill_integer(64), consumer_groups)), batch), heads), ww_attention_prefill_multiply(min_blocks, ww_attention_prefill_choose(ww_attention_prefill_equal(sms, ww_attention_prefill_integer(0)), device_sm_count, ww_attention_prefill_smaller(sms, device_sm_count))))));
      ww_attention_prefill_set_extent(&out, &out.block[0], ww_attention_prefill_multiply(ww_attention_prefill_integer(128), ww_attention_prefill_add(ww_attention_prefill_integer(1), consumer_groups)));
      ww_attention_prefill_set_extent(&out, &out.shared_bytes, ww_attention_prefill_add(ww_attention_prefill_add(ww_attention_prefill_multiply(ww_attention_prefill_multiply(ww_attention_prefill_multiply(consumer_groups, ww_attention_prefill_integer(64)), d), ww_attention_prefill_integer(2)), ww_attention_prefill_multiply(ww_attention_prefill_multiply(ww_attention_prefill_multiply(ww_attention_prefill_multiply(ww_attention_prefill_integer(2), stages), tile_kv), d), ww_attention_prefill_integer(2))), ww_attention_prefill_integer(1024)));
      break;
    default:
      break;
  }
  return out;
}

static inline ww_attention_prefill_launch_plan ww_attention_prefill_launch_tma(ww_attention_prefill_configuration configuration, ww_attention_prefill_problem problem,
    ww_attention_prefill_limits limits, int index) {
  const ww_attention_prefill_value batch = ww_attention_prefill_integer(problem.batch);
  const ww_attention_prefill_value heads = ww_attention_prefill_integer(problem.heads);
  const ww_attention_prefill_value q_len = ww_attention_prefill_integer(problem.q_len);
  const ww_attention_prefill_value d = ww_attention_prefill_integer(problem.d);
  const ww_attention_prefill_value tile_q = ww_attention_prefill_integer(configuration.tile_q);
  const ww_attention_prefill_value tile_kv = ww_attention_prefill_integer(configuration.tile_kv);
  const ww_attention_prefill_value stages = ww_attention_prefill_integer(configuration.stages);
  const ww_attention_prefill_value producer_warps = ww_attention_prefill_integer(configuration.producer_warps);
  const ww_attention_prefill_value consumer_warps = ww_attention_prefill_integer(configuration.consumer_warps);
  const ww_attention_prefill_value scores = ww_attention_prefill_text(ww_attention_prefill_scores_name(configuration.scores));
  (void)limits;
  ww_attention_prefill_launch_plan out = ww_attention_prefill_no_launch();
  switch (index) {
    case 0:
      out.ok = 1;
      out.entry = "attention_tma";
      ww_attention_prefill_set_extent(&out, &out.grid[0], ww_attention_prefill_multiply(batch, heads));
      ww_attention_prefill_set_extent(&out, &out.grid[1], ww_attention_prefill_ceil_div(q_len, tile_q));
      ww_attention_prefill_set_extent(&out, &out.block[0], ww_attention_prefill_multiply(ww_attention_prefill_integer(32), ww_attention_prefill_add(producer_warps, consumer_warps)));
      ww_attention_prefill_set_extent(&out, &out.shared_bytes, ww_attention_prefill_align_up(ww_attention_prefill_add(ww_attention_prefill_add(ww_attention_prefill_add(ww_attention_prefill_add(ww_attention_prefill_multiply(ww_attention_prefill_multiply(tile_q, d), ww_attention_prefill_integer(2)), ww_attention_prefill_multiply(ww_attention_prefill_multiply(ww_attention_prefill_multiply(ww_attention_prefill_multiply(ww_attention_prefill_integer(2), stages), tile_kv), d), ww_attention_prefill_integer(2))), ww_attention_prefill_choose(ww_attention_prefill_equal(scores, ww_attention_prefill_text("shared")), ww_attention_prefill_add(ww_attention_prefill_multiply(ww_attention_prefill_multiply(ww_attention_prefill_integer(6), tile_q), ww_attention_prefill_add(tile_kv, ww_attention_prefill_integer(8))), ww_attention_prefill_multiply(ww_attention_prefill_integer(8), tile_q)), ww_attention_prefill_integer(8))), ww_attention_prefill_integer(8)), ww_attention_prefill_multiply(ww_attention_prefill_integer(32), stages)), ww_attention_prefill_integer(1024)));
      break;
    default:
      break;
  }
  return out;
}

/* Launch `index` of configuration.launch_count, in stream order. Give it the limits of the
   selection. */
/* Before the first launch of wgmma, set its scratch `counter` (u32 [1]) to `zeros`; every launch
   leaves it ready for the next. */
static inline ww_attention_prefill_launch_plan ww_attention_prefill_launch(ww_attention_prefill_configuration configuration, ww_attention_prefill_problem problem,
    ww_attention_prefill_limits limits, int index) {
  switch (configuration.variant) {
    case WW_ATTENTION_PREFILL_VARIANT_WMMA:
      return ww_attention_prefill_launch_wmma(configuration, problem, limits, index);
    case WW_ATTENTION_PREFILL_VARIANT_WGMMA:
      return ww_attention_prefill_launch_wgmma(configuration, problem, limits, index);
    case WW_ATTENTION_PREFILL_VARIANT_TMA:
      return ww_attention_prefill_launch_tma(configuration, problem, limits, index);
  }
  return ww_attention_prefill_no_launch();
}

/* A tensor map as cuTensorMapEncodeTiled takes it, without interleaving: dimension 0 is the
   innermost, and choices are the values of cuda.h. */
typedef struct {
  int ok;  /* 0 or false: no such map, or its numbers cannot be computed */
  const char *argument;
  const char *tensor;  /* the argument whose address it is encoded for, after offset_bytes */
  long long offset_bytes;
  long long data_type;  /* CUtensorMapDataType */
  long long rank;
  long long sizes[5];
  long long stride_bytes[4];  /* of dimensions 1 to 4 */
  long long box[5];
  long long element_strides[5];
  long long swizzle;  /* CUtensorMapSwizzle */
  long long l2_promotion;  /* CUtensorMapL2promotion */
  long long fill;  /* CUtensorMapFloatOOBfill */
} ww_attention_prefill_tensor_map_plan;
static inline ww_attention_prefill_tensor_map_plan ww_attention_prefill_no_tensor_map(void) {
  ww_attention_prefill_tensor_map_plan out;
  int i;
  out.ok = 0;
  out.argument = out.tensor = 0;
  out.offset_bytes = out.data_type = out.rank = 0;
  for (i = 0; i < 5; ++i) out.sizes[i] = out.box[i] = out.element_strides[i] = 0;
  for (i = 0; i < 4; ++i) out.stride_bytes[i] = 0;
  out.swizzle = out.l2_promotion = out.fill = 0;
  return out;
}
static inline void ww_attention_prefill_set_map_value(ww_attention_prefill_tensor_map_plan *out, long long *to, ww_attention_prefill_value v) {
  if (v.kind == WW_ATTENTION_PREFILL_INTEGER) *to = v.integer;
  if (v.kind != WW_ATTENTION_PREFILL_INTEGER) out->ok = 0;
}

static inline ww_attention_prefill_tensor_map_plan ww_attention_prefill_tensor_map_wgmma(ww_attention_prefill_configuration configuration, ww_attention_prefill_problem problem,
    ww_attention_prefill_limits limits, int index) {
  const ww_attention_prefill_value batch = ww_attention_prefill_integer(problem.batch);
  const ww_attention_prefill_value heads = ww_attention_prefill_integer(problem.heads);
  const ww_attention_prefill_value kv_heads = ww_attention_prefill_integer(problem.kv_heads);
  const ww_attention_prefill_value q_len = ww_attention_prefill_integer(problem.q_len);
  const ww_attention_prefill_value kv_len = ww_attention_prefill_integer(problem.kv_len);
  const ww_attention_prefill_value d = ww_attention_prefill_integer(problem.d);
  const ww_attention_prefill_value dtype = ww_attention_prefill_text(ww_attention_prefill_dtype_name(problem.dtype));
  const ww_attention_prefill_value tile_kv = ww_attention_prefill_integer(configuration.tile_kv);
  (void)limits;
  ww_attention_prefill_tensor_map_plan out = ww_attention_prefill_no_tensor_map();
  switch (index) {
    case 0:
      out.ok = 1;
      out.argument = "q_rows_map";
      out.tensor = "q";
      out.rank = 4;
      ww_attention_prefill_set_map_value(&out, &out.offset_bytes, ww_attention_prefill_multiply(ww_attention_prefill_integer(0), ww_attention_prefill_bytes_of(dtype)));
      ww_attention_prefill_set_map_value(&out, &out.data_type, ww_attention_prefill_choose(ww_attention_prefill_equal(dtype, ww_attention_prefill_text("bf16")), ww_attention_prefill_integer(9), ww_attention_prefill_integer(6)));
      ww_attention_prefill_set_map_value(&out, &out.sizes[0], ww_attention_prefill_integer(64));
      ww_attention_prefill_set_map_value(&out, &out.sizes[1], q_len);
      ww_attention_prefill_set_map_value(&out, &out.sizes[2], ww_attention_prefill_divide(d, ww_attention_prefill_integer(64)));
      ww_attention_prefill_set_map_value(&out, &out.sizes[3], ww_attention_prefill_multiply(batch, heads));
      ww_attention_prefill_set_map_value(&out, &out.stride_bytes[0], ww_attention_prefill_multiply(d, ww_attention_prefill_bytes_of(dtype)));
      ww_attention_prefill_set_map_value(&out, &out.stride_bytes[1], ww_attention_prefill_multiply(ww_attention_prefill_integer(64), ww_attention_prefill_bytes_of(dtype)));
      ww_attention_prefill_set_map_value(&out, &out.stride_bytes[2], ww_attention_prefill_multiply(ww_attention_prefill_multiply(q_len, d), ww_attention_prefill_bytes_of(dtype)));
      ww_attention_prefill_set_map_value(&out, &out.box[0], ww_attention_prefill_integer(64));
      ww_attention_prefill_set_map_value(&out, &out.box[1], ww_attention_prefill_integer(64));
      ww_attention_prefill_set_map_value(&out, &out.box[2], ww_attention_prefill_divide(d, ww_attention_prefill_integer(64)));
      ww_attention_prefill_set_map_value(&out, &out.box[3], ww_attention_prefill_integer(1));
      ww_attention_prefill_set_map_value(&out, &out.element_strides[0], ww_attention_prefill_integer(1));
      ww_attention_prefill_set_map_value(&out, &out.element_strides[1], ww_attention_prefill_integer(1));
      ww_attention_prefill_set_map_value(&out, &out.element_strides[2], ww_attention_prefill_integer(1));
      ww_attention_prefill_set_map_value(&out, &out.element_strides[3], ww_attention_prefill_integer(1));
      ww_attention_prefill_set_map_value(&out, &out.swizzle, ww_attention_prefill_choose(ww_attention_prefill_equal(ww_attention_prefill_integer(128), ww_attention_prefill_integer(0)), ww_attention_prefill_integer(0), ww_attention_prefill_choose(ww_attention_prefill_equal(ww_attention_prefill_integer(128), ww_attention_prefill_integer(32)), ww_attention_prefill_integer(1), ww_attention_prefill_choose(ww_attention_prefill_equal(ww_attention_prefill_integer(128), ww_attention_prefill_integer(64)), ww_attention_prefill_integer(2), ww_attention_prefill_choose(ww_attention_prefill_equal(ww_attention_prefill_integer(128), ww_attention_prefill_integer(128)), ww_attention_prefill_integer(3), ww_attention_prefill_integer(-1))))));
      ww_attention_prefill_set_map_value(&out, &out.l2_promotion, ww_attention_prefill_choose(ww_attention_prefill_equal(ww_attention_prefill_integer(0), ww_attention_prefill_integer(0)), ww_attention_prefill_integer(0), ww_attention_prefill_choose(ww_attention_prefill_equal(ww_attention_prefill_integer(0), ww_attention_prefill_integer(64)), ww_attention_prefill_integer(1), ww_attention_prefill_choose(ww_attention_prefill_equal(ww_attention_prefill_integer(0), ww_attention_prefill_integer(128)), ww_attention_prefill_integer(2), ww_attention_prefill_choose(ww_attention_prefill_equal(ww_attention_prefill_integer(0), ww_attention_prefill_integer(256)), ww_attention_prefill_integer(3), ww_attention_prefill_integer(-1))))));
      ww_attention_prefill_set_map_value(&out, &out.fill, ww_attention_prefill_integer(0));
      break;
    case 1:
      out.ok = 1;
      out.argument = "k_map";
      out.tensor = "k";
      out.rank = 4;
      ww_attention_prefill_set_map_value(&out, &out.offset_bytes, ww_attention_prefill_multiply(ww_attention_prefill_integer(0), ww_attention_prefill_bytes_of(dtype)));
      ww_attention_prefill_set_map_value(&out, &out.data_type, ww_attention_prefill_choose(ww_attention_prefill_equal(dtype, ww_attention_prefill_text("bf16")), ww_attention_prefill_integer(9), ww_attention_prefill_integer(6)));
      ww_attention_prefill_set_map_value(&out, &out.sizes[0], ww_attention_prefill_integer(64));
      ww_attention_prefill_set_map_value(&out, &out.sizes[1], kv_len);
      ww_attention_prefill_set_map_value(&out, &out.sizes[2], ww_attention_prefill_divide(d, ww_attention_prefill_integer(64)));
      ww_attention_prefill_set_map_value(&out, &out.sizes[3], ww_attention_prefill_multiply(batch, kv_heads));
      ww_attention_prefill_set_map_value(&out, &out.stride_bytes[0], ww_attention_prefill_multiply(d, ww_attention_prefill_bytes_of(dtype)));
      ww_attention_prefill_set_map_value(&out, &out.stride_bytes[1], ww_attention_prefill_multiply(ww_attention_prefill_integer(64), ww_attention_prefill_bytes_of(dtype)));
      ww_attention_prefill_set_map_value(&out, &out.stride_bytes[2], ww_attention_prefill_multiply(ww_attention_prefill_multiply(kv_len, d), ww_attention_prefill_bytes_of(dtype)));
      ww_attention_prefill_set_map_value(&out, &out.box[0], ww_attention_prefill_integer(64));
      ww_attention_prefill_set_map_value(&out, &out.box[1], tile_kv);
      ww_attention_prefill_set_map_value(&out, &out.box[2], ww_attention_prefill_divide(d, ww_attention_prefill_integer(64)));
      ww_attention_prefill_set_map_value(&out, &out.box[3], ww_attention_prefill_integer(1));
      ww_attention_prefill_set_map_value(&out, &out.element_strides[0], ww_attention_prefill_integer(1));
      ww_attention_prefill_set_map_value(&out, &out.element_strides[1], ww_attention_prefill_integer(1));
      ww_attention_prefill_set_map_value(&out, &out.element_strides[2], ww_attention_prefill_integer(1));
      ww_attention_prefill_set_map_value(&out, &out.element_strides[3], ww_attention_prefill_integer(1));
      ww_attention_prefill_set_map_value(&out, &out.swizzle, ww_attention_prefill_choose(ww_attention_prefill_equal(ww_attention_prefill_integer(128), ww_attention_prefill_integer(0)), ww_attention_prefill_integer(0), ww_attention_prefill_choose(ww_attention_prefill_equal(ww_attention_prefill_integer(128), ww_attention_prefill_integer(32)), ww_attention_prefill_integer(1), ww_attention_prefill_choose(ww_attention_prefill_equal(ww_attention_prefill_integer(128), ww_attention_prefill_integer(64)), ww_attention_prefill_integer(2), ww_attention_prefill_choose(ww_attention_prefill_equal(ww_attention_prefill_integer(128), ww_attention_prefill_integer(128)), ww_attention_prefill_integer(3), ww_attention_prefill_integer(-1))))));
      ww_attention_prefill_set_map_value(&out, &out.l2_promotion, ww_attention_prefill_choose(ww_attention_prefill_equal(ww_attention_prefill_integer(0), ww_attention_prefill_integer(0)), ww_attention_prefill_integer(0), ww_attention_prefill_choose(ww_attention_prefill_equal(ww_attention_prefill_integer(0), ww_attention_prefill_integer(64)), ww_attention_prefill_integer(1), ww_attention_prefill_choose(ww_attention_prefill_equal(ww_attention_prefill_integer(0), ww_attention_prefill_integer(128)), ww_attention_prefill_integer(2), ww_attention_prefill_choose(ww_attention_prefill_equal(ww_attention_prefill_integer(0), ww_attention_prefill_integer(256)), ww_attention_prefill_integer(3), ww_attention_prefill_integer(-1))))));
      ww_attention_prefill_set_map_value(&out, &out.fill, ww_attention_prefill_integer(0));
      break;
    case 2:
      out.ok = 1;
      out.argument = "v_map";
      out.tensor = "v";
      out.rank = 4;
      ww_attention_prefill_set_map_value(&out, &out.offset_bytes, ww_attention_prefill_multiply(ww_attention_prefill_integer(0), ww_attention_prefill_bytes_of(dtype)));
      ww_attention_prefill_set_map_value(&out, &out.data_type, ww_attention_prefill_choose(ww_attention_prefill_equal(dtype, ww_attention_prefill_text("bf16")), ww_attention_prefill_integer(9), ww_attention_prefill_integer(6)));
      ww_attention_prefill_set_map_value(&out, &out.sizes[0], ww_attention_prefill_integer(64));
      ww_attention_prefill_set_map_value(&out, &out.sizes[1], kv_len);
      ww_attention_prefill_set_map_value(&out, &out.sizes[2], ww_attention_prefill_divide(d, ww_attention_prefill_integer(64)));
      ww_attention_prefill_set_map_value(&out, &out.sizes[3], ww_attention_prefill_multiply(batch, kv_heads));
      ww_attention_prefill_set_map_value(&out, &out.stride_bytes[0], ww_attention_prefill_multiply(d, ww_attention_prefill_bytes_of(dtype)));
      ww_attention_prefill_set_map_value(&out, &out.stride_bytes[1], ww_attention_prefill_multiply(ww_attention_prefill_integer(64), ww_attention_prefill_bytes_of(dtype)));
      ww_attention_prefill_set_map_value(&out, &out.stride_bytes[2], ww_attention_prefill_multiply(ww_attention_prefill_multiply(kv_len, d), ww_attention_prefill_bytes_of(dtype)));
      ww_attention_prefill_set_map_value(&out, &out.box[0], ww_attention_prefill_integer(64));
      ww_attention_prefill_set_map_value(&out, &out.box[1], tile_kv);
      ww_attention_prefill_set_map_value(&out, &out.box[2], ww_attention_prefill_divide(d, ww_attention_prefill_integer(64)));
      ww_attention_prefill_set_map_value(&out, &out.box[3], ww_attention_prefill_integer(1));
      ww_attention_prefill_set_map_value(&out, &out.element_strides[0], ww_attention_prefill_integer(1));
      ww_attention_prefill_set_map_value(&out, &out.element_strides[1], ww_attention_prefill_integer(1));
      ww_attention_prefill_set_map_value(&out, &out.element_strides[2], ww_attention_prefill_integer(1));
      ww_attention_prefill_set_map_value(&out, &out.element_strides[3], ww_attention_prefill_integer(1));
      ww_attention_prefill_set_map_value(&out, &out.swizzle, ww_attention_prefill_choose(ww_attention_prefill_equal(ww_attention_prefill_integer(128), ww_attention_prefill_integer(0)), ww_attention_prefill_integer(0), ww_attention_prefill_choose(ww_attention_prefill_equal(ww_attention_prefill_integer(128), ww_attention_prefill_integer(32)), ww_attention_prefill_integer(1), ww_attention_prefill_choose(ww_attention_prefill_equal(ww_attention_prefill_integer(128), ww_attention_prefill_integer(64)), ww_attention_prefill_integer(2), ww_attention_prefill_choose(ww_attention_prefill_equal(ww_attention_prefill_integer(128), ww_attention_prefill_integer(128)), ww_attention_prefill_integer(3), ww_attention_prefill_integer(-1))))));
      ww_attention_prefill_set_map_value(&out, &out.l2_promotion, ww_attention_prefill_choose(ww_attention_prefill_equal(ww_attention_prefill_integer(0), ww_attention_prefill_integer(0)), ww_attention_prefill_integer(0), ww_attention_prefill_choose(ww_attention_prefill_equal(ww_attention_prefill_integer(0), ww_attention_prefill_integer(64)), ww_attention_prefill_integer(1), ww_attention_prefill_choose(ww_attention_prefill_equal(ww_attention_prefill_integer(0), ww_attention_prefill_integer(128)), ww_attention_prefill_integer(2), ww_attention_prefill_choose(ww_attention_prefill_equal(ww_attention_prefill_integer(0), ww_attention_prefill_integer(256)), ww_attention_prefill_integer(3), ww_attention_prefill_integer(-1))))));
      ww_attention_prefill_set_map_value(&out, &out.fill, ww_attention_prefill_integer(0));
      break;
    default:
      break;
  }
  return out;
}

static inline ww_attention_prefill_tensor_map_plan ww_attention_prefill_tensor_map_tma(ww_attention_prefill_configuration configuration, ww_attention_prefill_problem problem,
    ww_attention_prefill_limits limits, int index) {
  const ww_attention_prefill_value batch = ww_attention_prefill_integer(problem.batch);
  const ww_attention_prefill_value heads = ww_attention_prefill_integer(problem.heads);
  const ww_attention_prefill_value kv_heads = ww_attention_prefill_integer(problem.kv_heads);
  const ww_attention_prefill_value q_len = ww_attention_prefill_integer(problem.q_len);
  const ww_attention_prefill_value kv_len = ww_attention_prefill_integer(problem.kv_len);
  const ww_attention_prefill_value d = ww_attention_prefill_integer(problem.d);
  const ww_attention_prefill_value dtype = ww_attention_prefill_text(ww_attention_prefill_dtype_name(problem.dtype));
  const ww_attention_prefill_value tile_q = ww_attention_prefill_integer(configuration.tile_q);
  const ww_attention_prefill_value tile_kv = ww_attention_prefill_integer(configuration.tile_kv);
  const ww_attention_prefill_value swizzle = ww_attention_prefill_integer(configuration.swizzle);
  (void)limits;
  ww_attention_prefill_tensor_map_plan out = ww_attention_prefill_no_tensor_map();
  switch (index) {
    case 0:
      out.ok = 1;
      out.argument = "q_tile_map";
      out.tensor = "q";
      out.rank = 4;
      ww_attention_prefill_set_map_value(&out, &out.offset_bytes, ww_attention_prefill_multiply(ww_attention_prefill_integer(0), ww_attention_prefill_bytes_of(dtype)));
      ww_attention_prefill_set_map_value(&out, &out.data_type, ww_attention_prefill_choose(ww_attention_prefill_equal(dtype, ww_attention_prefill_text("bf16")), ww_attention_prefill_integer(9), ww_attention_prefill_integer(6)));
      ww_attention_prefill_set_map_value(&out, &out.sizes[0], ww_attention_prefill_choose(ww_attention_prefill_equal(swizzle, ww_attention_prefill_integer(0)), ww_attention_prefill_integer(64), ww_attention_prefill_divide(swizzle, ww_attention_prefill_integer(2))));
      ww_attention_prefill_set_map_value(&out, &out.sizes[1], q_len);
      ww_attention_prefill_set_map_value(&out, &out.sizes[2], ww_attention_prefill_divide(d, ww_attention_prefill_choose(ww_attention_prefill_equal(swizzle, ww_attention_prefill_integer(0)), ww_attention_prefill_integer(64), ww_attention_prefill_divide(swizzle, ww_attention_prefill_integer(2)))));
      ww_attention_prefill_set_map_value(&out, &out.sizes[3], ww_attention_prefill_multiply(batch, heads));
      ww_attention_prefill_set_map_value(&out, &out.stride_bytes[0], ww_attention_prefill_multiply(d, ww_attention_prefill_bytes_of(dtype)));
      ww_attention_prefill_set_map_value(&out, &out.stride_bytes[1], ww_attention_prefill_multiply(ww_attention_prefill_choose(ww_attention_prefill_equal(swizzle, ww_attention_prefill_integer(0)), ww_attention_prefill_integer(64), ww_attention_prefill_divide(swizzle, ww_attention_prefill_integer(2))), ww_attention_prefill_bytes_of(dtype)));
      ww_attention_prefill_set_map_value(&out, &out.stride_bytes[2], ww_attention_prefill_multiply(ww_attention_prefill_multiply(q_len, d), ww_attention_prefill_bytes_of(dtype)));
      ww_attention_prefill_set_map_value(&out, &out.box[0], ww_attention_prefill_choose(ww_attention_prefill_equal(swizzle, ww_attention_prefill_integer(0)), ww_attention_prefill_integer(64), ww_attention_prefill_divide(swizzle, ww_attention_prefill_integer(2))));
      ww_attention_prefill_set_map_value(&out, &out.box[1], tile_q);
      ww_attention_prefill_set_map_value(&out, &out.box[2], ww_attention_prefill_divide(d, ww_attention_prefill_choose(ww_attention_prefill_equal(swizzle, ww_attention_prefill_integer(0)), ww_attention_prefill_integer(64), ww_attention_prefill_divide(swizzle, ww_attention_prefill_integer(2)))));
      ww_attention_prefill_set_map_value(&out, &out.box[3], ww_attention_prefill_integer(1));
      ww_attention_prefill_set_map_value(&out, &out.element_strides[0], ww_attention_prefill_integer(1));
      ww_attention_prefill_set_map_value(&out, &out.element_strides[1], ww_attention_prefill_integer(1));
      ww_attention_prefill_set_map_value(&out, &out.element_strides[2], ww_attention_prefill_integer(1));
      ww_attention_prefill_set_map_value(&out, &out.element_strides[3], ww_attention_prefill_integer(1));
      ww_attention_prefill_set_map_value(&out, &out.swizzle, ww_attention_prefill_choose(ww_attention_prefill_equal(swizzle, ww_attention_prefill_integer(0)), ww_attention_prefill_integer(0), ww_attention_prefill_choose(ww_attention_prefill_equal(swizzle, ww_attention_prefill_integer(32)), ww_attention_prefill_integer(1), ww_attention_prefill_choose(ww_attention_prefill_equal(swizzle, ww_attention_prefill_integer(64)), ww_attention_prefill_integer(2), ww_attention_prefill_choose(ww_attention_prefill_equal(swizzle, ww_attention_prefill_integer(128)), ww_attention_prefill_integer(3), ww_attention_prefill_integer(-1))))));
      ww_attention_prefill_set_map_value(&out, &out.l2_promotion, ww_attention_prefill_choose(ww_attention_prefill_equal(ww_attention_prefill_integer(0), ww_attention_prefill_integer(0)), ww_attention_prefill_integer(0), ww_attention_prefill_choose(ww_attention_prefill_equal(ww_attention_prefill_integer(0), ww_attention_prefill_integer(64)), ww_attention_prefill_integer(1), ww_attention_prefill_choose(ww_attention_prefill_equal(ww_attention_prefill_integer(0), ww_attention_prefill_integer(128)), ww_attention_prefill_integer(2), ww_attention_prefill_choose(ww_attention_prefill_equal(ww_attention_prefill_integer(0), ww_attention_prefill_integer(256)), ww_attention_prefill_integer(3), ww_attention_prefill_integer(-1))))));
      ww_attention_prefill_set_map_value(&out, &out.fill, ww_attention_prefill_integer(0));
      break;
    case 1:
      out.ok = 1;
      out.argument = "k_tile_map";
      out.tensor = "k";
      out.rank = 4;
      ww_attention_prefill_set_map_value(&out, &out.offset_bytes, ww_attention_prefill_multiply(ww_attention_prefill_integer(0), ww_attention_prefill_bytes_of(dtype)));
      ww_attention_prefill_set_map_value(&out, &out.data_type, ww_attention_prefill_choose(ww_attention_prefill_equal(dtype, ww_attention_prefill_text("bf16")), ww_attention_prefill_integer(9), ww_attention_prefill_integer(6)));
      ww_attention_prefill_set_map_value(&out, &out.sizes[0], ww_attention_prefill_choose(ww_attention_prefill_equal(swizzle, ww_attention_prefill_integer(0)), ww_attention_prefill_integer(64), ww_attention_prefill_divide(swizzle, ww_attention_prefill_integer(2))));
      ww_attention_prefill_set_map_value(&out, &out.sizes[1], kv_len);
      ww_attention_prefill_set_map_value(&out, &out.sizes[2], ww_attention_prefill_divide(d, ww_attention_prefill_choose(ww_attention_prefill_equal(swizzle, ww_attention_prefill_integer(0)), ww_attention_prefill_integer(64), ww_attention_prefill_divide(swizzle, ww_attention_prefill_integer(2)))));
      ww_attention_prefill_set_map_value(&out, &out.sizes[3], ww_attention_prefill_multiply(batch, kv_heads));
      ww_attention_prefill_set_map_value(&out, &out.stride_bytes[0], ww_attention_prefill_multiply(d, ww_attention_prefill_bytes_of(dtype)));
      ww_attention_prefill_set_map_value(&out, &out.stride_bytes[1], ww_attention_prefill_multiply(ww_attention_prefill_choose(ww_attention_prefill_equal(swizzle, ww_attention_prefill_integer(0)), ww_attention_prefill_integer(64), ww_attention_prefill_divide(swizzle, ww_attention_prefill_integer(2))), ww_attention_prefill_bytes_of(dtype)));
      ww_attention_prefill_set_map_value(&out, &out.stride_bytes[2], ww_attention_prefill_multiply(ww_attention_prefill_multiply(kv_len, d), ww_attention_prefill_bytes_of(dtype)));
      ww_attention_prefill_set_map_value(&out, &out.box[0], ww_attention_prefill_choose(ww_attention_prefill_equal(swizzle, ww_attention_prefill_integer(0)), ww_attention_prefill_integer(64), ww_attention_prefill_divide(swizzle, ww_attention_prefill_integer(2))));
      ww_attention_prefill_set_map_value(&out, &out.box[1], tile_kv);
      ww_attention_prefill_set_map_value(&out, &out.box[2], ww_attention_prefill_divide(d, ww_attention_prefill_choose(ww_attention_prefill_equal(swizzle, ww_attention_prefill_integer(0)), ww_attention_prefill_integer(64), ww_attention_prefill_divide(swizzle, ww_attention_prefill_integer(2)))));
      ww_attention_prefill_set_map_value(&out, &out.box[3], ww_attention_prefill_integer(1));
      ww_attention_prefill_set_map_value(&out, &out.element_strides[0], ww_attention_prefill_integer(1));
      ww_attention_prefill_set_map_value(&out, &out.element_strides[1], ww_attention_prefill_integer(1));
      ww_attention_prefill_set_map_value(&out, &out.element_strides[2], ww_attention_prefill_integer(1));
      ww_attention_prefill_set_map_value(&out, &out.element_strides[3], ww_attention_prefill_integer(1));
      ww_attention_prefill_set_map_value(&out, &out.swizzle, ww_attention_prefill_choose(ww_attention_prefill_equal(swizzle, ww_attention_prefill_integer(0)), ww_attention_prefill_integer(0), ww_attention_prefill_choose(ww_attention_prefill_equal(swizzle, ww_attention_prefill_integer(32)), ww_attention_prefill_integer(1), ww_attention_prefill_choose(ww_attention_prefill_equal(swizzle, ww_attention_prefill_integer(64)), ww_attention_prefill_integer(2), ww_attention_prefill_choose(ww_attention_prefill_equal(swizzle, ww_attention_prefill_integer(128)), ww_attention_prefill_integer(3), ww_attention_prefill_integer(-1))))));
      ww_attention_prefill_set_map_value(&out, &out.l2_promotion, ww_attention_prefill_choose(ww_attention_prefill_equal(ww_attention_prefill_integer(0), ww_attention_prefill_integer(0)), ww_attention_prefill_integer(0), ww_attention_prefill_choose(ww_attention_prefill_equal(ww_attention_prefill_integer(0), ww_attention_prefill_integer(64)), ww_attention_prefill_integer(1), ww_attention_prefill_choose(ww_attention_prefill_equal(ww_attention_prefill_integer(0), ww_attention_prefill_integer(128)), ww_attention_prefill_integer(2), ww_attention_prefill_choose(ww_attention_prefill_equal(ww_attention_prefill_integer(0), ww_attention_prefill_integer(256)), ww_attention_prefill_integer(3), ww_attention_prefill_integer(-1))))));
      ww_attention_prefill_set_map_value(&out, &out.fill, ww_attention_prefill_integer(0));
      break;
    case 2:
      out.ok = 1;
      out.argument = "v_tile_map";
      out.tensor = "v";
      out.rank = 4;
      ww_attention_prefill_set_map_value(&out, &out.offset_bytes, ww_attention_prefill_multiply(ww_attention_prefill_integer(0), ww_attention_prefill_bytes_of(dtype)));
      ww_attention_prefill_set_map_value(&out, &out.data_type, ww_attention_prefill_choose(ww_attention_prefill_equal(dtype, ww_attention_prefill_text("bf16")), ww_attention_prefill_integer(9), ww_attention_prefill_integer(6)));
      ww_attention_prefill_set_map_value(&out, &out.sizes[0], ww_attention_prefill_choose(ww_attention_prefill_equal(swizzle, ww_attention_prefill_integer(0)), ww_attention_prefill_integer(64), ww_attention_prefill_divide(swizzle, ww_attention_prefill_integer(2))));
      ww_attention_prefill_set_map_value(&out, &out.sizes[1], kv_len);
      ww_attention_prefill_set_map_value(&out, &out.sizes[2], ww_attention_prefill_divide(d, ww_attention_prefill_choose(ww_attention_prefill_equal(swizzle, ww_attention_prefill_integer(0)), ww_attention_prefill_integer(64), ww_attention_prefill_divide(swizzle, ww_attention_prefill_integer(2)))));
      ww_attention_prefill_set_map_value(&out, &out.sizes[3], ww_attention_prefill_multiply(batch, kv_heads));
      ww_attention_prefill_set_map_value(&out, &out.stride_bytes[0], ww_attention_prefill_multiply(d, ww_attention_prefill_bytes_of(dtype)));
      ww_attention_prefill_set_map_value(&out, &out.stride_bytes[1], ww_attention_prefill_multiply(ww_attention_prefill_choose(ww_attention_prefill_equal(swizzle, ww_attention_prefill_integer(0)), ww_attention_prefill_integer(64), ww_attention_prefill_divide(swizzle, ww_attention_prefill_integer(2))), ww_attention_prefill_bytes_of(dtype)));
      ww_attention_prefill_set_map_value(&out, &out.stride_bytes[2], ww_attention_prefill_multiply(ww_attention_prefill_multiply(kv_len, d), ww_attention_prefill_bytes_of(dtype)));
      ww_attention_prefill_set_map_value(&out, &out.box[0], ww_attention_prefill_choose(ww_attention_prefill_equal(swizzle, ww_attention_prefill_integer(0)), ww_attention_prefill_integer(64), ww_attention_prefill_divide(swizzle, ww_attention_prefill_integer(2))));
      ww_attention_prefill_set_map_value(&out, &out.box[1], tile_kv);
      ww_attention_prefill_set_map_value(&out, &out.box[2], ww_attention_prefill_divide(d, ww_attention_prefill_choose(ww_attention_prefill_equal(swizzle, ww_attention_prefill_integer(0)), ww_attention_prefill_integer(64), ww_attention_prefill_divide(swizzle, ww_attention_prefill_integer(2)))));
      ww_attention_prefill_set_map_value(&out, &out.box[3], ww_attention_prefill_integer(1));
      ww_attention_prefill_set_map_value(&out, &out.element_strides[0], ww_attention_prefill_integer(1));
      ww_attention_prefill_set_map_value(&out, &out.element_strides[1], ww_attention_prefill_integer(1));
      ww_attention_prefill_set_map_value(&out, &out.element_strides[2], ww_attention_prefill_integer(1));
      ww_attention_prefill_set_map_value(&out, &out.element_strides[3], ww_attention_prefill_integer(1));
      ww_attention_prefill_set_map_value(&out, &out.swizzle, ww_attention_prefill_choose(ww_attention_prefill_equal(swizzle, ww_attention_prefill_integer(0)), ww_attention_prefill_integer(0), ww_attention_prefill_choose(ww_attention_prefill_equal(swizzle, ww_attention_prefill_integer(32)), ww_attention_prefill_integer(1), ww_attention_prefill_choose(ww_attention_prefill_equal(swizzle, ww_attention_prefill_integer(64)), ww_attention_prefill_integer(2), ww_attention_prefill_choose(ww_attention_prefill_equal(swizzle, ww_attention_prefill_integer(128)), ww_attention_prefill_integer(3), ww_attention_prefill_integer(-1))))));
      ww_attention_prefill_set_map_value(&out, &out.l2_promotion, ww_attention_prefill_choose(ww_attention_prefill_equal(ww_attention_prefill_integer(0), ww_attention_prefill_integer(0)), ww_attention_prefill_integer(0), ww_attention_prefill_choose(ww_attention_prefill_equal(ww_attention_prefill_integer(0), ww_attention_prefill_integer(64)), ww_attention_prefill_integer(1), ww_attention_prefill_choose(ww_attention_prefill_equal(ww_attention_prefill_integer(0), ww_attention_prefill_integer(128)), ww_attention_prefill_integer(2), ww_attention_prefill_choose(ww_attention_prefill_equal(ww_attention_prefill_integer(0), ww_attention_prefill_integer(256)), ww_attention_prefill_integer(3), ww_attention_prefill_integer(-1))))));
      ww_attention_prefill_set_map_value(&out, &out.fill, ww_attention_prefill_integer(0));
      break;
    default:
      break;
  }
  return out;
}

/* Tensor map `index` of the configuration's launches, from 0 on until one is not ok. Give it the
   limits of the selection. */
static inline ww_attention_prefill_tensor_map_plan ww_attention_prefill_tensor_map(ww_attention_prefill_configuration configuration, ww_attention_prefill_problem problem,
    ww_attention_prefill_limits limits, int index) {
  switch (configuration.variant) {
    case WW_ATTENTION_PREFILL_VARIANT_WMMA:
      break;
    case WW_ATTENTION_PREFILL_VARIANT_WGMMA:
      return ww_attention_prefill_tensor_map_wgmma(configuration, problem, limits, index);
    case WW_ATTENTION_PREFILL_VARIANT_TMA:
      return ww_attention_prefill_tensor_map_tma(configuration, problem, limits, index);
  }
  return ww_attention_prefill_no_tensor_map();
}

#endif
