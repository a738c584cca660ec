// clang-format off
// attention_prefill: Attention of many queries, out = softmax(q k^T / sqrt(d)) v, head by head
// Tuned configurations, written by `warpwright export`. Do not edit: export again. (warpwright
// 0.1.0)
// NVIDIA H200 (sm_90a): 8 problems, 1498 configurations tried; times are measured.
// Left out one at a time, 6 of 7 tuned problems get a configuration within 10 % of their best
// from the others.
//
//   namespace tuned = warpwright::attention_prefill;
//   const tuned::Problem problem{1, 32, 32, 512, 512, 128, true, tuned::Dtype::bf16, 0};
//   const tuned::Selection chosen = tuned::select({"NVIDIA H200", "sm_90a"}, problem);
//   // chosen.configuration->source, compiled with tuned::defines(*chosen.configuration, problem),
//   // is launched as tuned::launch(*chosen.configuration, problem, chosen.limits, 0) says.
//
// C++17, no other header; also as C++20, by nvcc and through NVRTC. Everything is constexpr.
#pragma once

// NVRTC refuses functions and tables that are not said to be the device's.
#if defined(__CUDACC_RTC__)
#define WARPWRIGHT_FN __host__ __device__ constexpr
#define WARPWRIGHT_DATA __device__ constexpr
#else
#define WARPWRIGHT_FN constexpr
#define WARPWRIGHT_DATA inline constexpr
#endif

namespace warpwright {
namespace attention_prefill {

enum class Dtype { bf16, f16 };
WARPWRIGHT_FN const char* dtype_name(Dtype v) {
  switch (v) {
    case Dtype::bf16:
      return "bf16";
    case Dtype::f16:
      return "f16";
  }
  return nullptr;
}

enum class Mask { split, branch };
WARPWRIGHT_FN const char* mask_name(Mask v) {
  switch (v) {
    case Mask::split:
      return "split";
    case Mask::branch:
      return "branch";
  }
  return nullptr;
}

enum class Keys { descending, ascending };
WARPWRIGHT_FN const char* keys_name(Keys v) {
  switch (v) {
    case Keys::descending:
      return "descending";
    case Keys::ascending:
      return "ascending";
  }
  return nullptr;
}

enum class Schedule { blocks, strided, counter };
WARPWRIGHT_FN const char* schedule_name(Schedule v) {
  switch (v) {
    case Schedule::blocks:
      return "blocks";
    case Schedule::strided:
      return "strided";
    case Schedule::counter:
      return "counter";
  }
  return nullptr;
}

enum class Order { longest_first, natural };
WARPWRIGHT_FN const char* order_name(Order v) {
  switch (v) {
    case Order::longest_first:
      return "longest_first";
    case Order::natural:
      return "natural";
  }
  return nullptr;
}

enum class Scores { shared, registers };
WARPWRIGHT_FN const char* scores_name(Scores v) {
  switch (v) {
    case Scores::shared:
      return "shared";
    case Scores::registers:
      return "registers";
  }
  return nullptr;
}

enum class Variant { wmma, wgmma, tma };
WARPWRIGHT_FN const char* variant_name(Variant v) {
  switch (v) {
    case Variant::wmma:
      return "wmma";
    case Variant::wgmma:
      return "wgmma";
    case Variant::tma:
      return "tma";
  }
  return nullptr;
}

struct Problem {
  long long batch = 1;  // sequences; at least 1
  long long heads = 0;  // heads of q; at least 1
  long long kv_heads = 0;  // heads of k and v; at least 1
  long long q_len = 0;  // rows of q in a head; at least 1
  long long kv_len = 0;  // keys in a head; at least 1
  long long d = 128;  // length of a row
  bool causal = true;  // whether a row sees only the keys up to its own position
  Dtype dtype = Dtype::bf16;
  // SMs that may be used by variants whose blocks take several tiles; 0 is all; at least 0
  long long sms = 0;
};

// Limits of a device that constraints and launches depend on; 0 is taken from the tuned device
// that is consulted.
struct Limits {
  long long compute_capability = 0;
  long long max_shared = 0;
  long long max_threads = 0;
  long long registers_per_sm = 0;
  long long sm_count = 0;
};

struct Device {
  const char* name = "";  // as the driver gives it: "NVIDIA H200"
  const char* arch = "";  // "sm_90a"
  Limits limits = {};
};

// What of a launch does not depend on the problem.
struct LaunchFacts {
  const char* entry = nullptr;
  long long block[3] = {};  // 0: see launch()
  long long cluster[3] = {};  // likewise
  long long shared_bytes = -1;  // dynamic; -1: see launch()
};

// Of all launches the largest, as compiled when it was tuned; -1: not known.
struct Resources {
  int registers = -1;  // per thread
  int shared_bytes = -1;  // per block, static and dynamic
  int spill_bytes = -1;  // per thread
};

// Parameters that the variant does not have hold the contract's defaults.
struct Configuration {
  Variant variant = Variant::wmma;
  long long tile_q = 64;  // TILE_Q: rows of q of a tile
  long long tile_kv = 128;  // TILE_KV: keys of a tile
  long long warps = 4;  // WARPS: warps of a block
  long long stages = 2;  // STAGES: tiles of K and of V in shared memory
  // CONSUMER_GROUPS: warpgroups that calculate, with 64 rows of q each
  long long consumer_groups = 2;
  long long consumer_registers = 240;  // CONSUMER_REGISTERS: registers of a thread that calculates
  // PRODUCER_REGISTERS: registers of a thread of the warpgroup that loads
  long long producer_registers = 24;
  // OVERLAP: 1 issues the scores of the next tile before this one's product with V
  long long overlap = 1;
  long long ping_pong = 1;  // PING_PONG: 1 lets warpgroups issue in turn
  // MASK: split: a loop of its own for tiles that the mask cuts; branch: one loop
  Mask mask = Mask::split;
  // SLACK: powers of two by which a maximum may lag before outputs are rescaled
  long long slack = 8;
  Keys keys = Keys::descending;  // KEYS: the order of a row's tiles of keys
  // SCHEDULE: blocks: one for each tile; strided: as many as SMs, each takes every so many
  // tiles; counter: a free block takes the next
  Schedule schedule = Schedule::counter;
  Order order = Order::longest_first;  // ORDER: of a head's tiles
  long long section = 0;  // SECTION: heads that are worked on together; 0 is all
  long long producer_warps = 4;  // PRODUCER_WARPS: warps that load, of which one lane does it
  long long consumer_warps = 8;  // CONSUMER_WARPS: warps that calculate
  // SWIZZLE: bytes of a panel's row, exchanged against bank conflicts; 0: 128 as they are
  long long swizzle = 128;
  // MIN_BLOCKS: blocks that must fit on an SM at once; limits the registers
  long long min_blocks = 1;
  // SCORES: shared: all warps work on one tile of scores, through shared memory; registers:
  // every warp has rows of its own
  Scores scores = Scores::shared;
  // REGISTERS: of a thread that calculates while one that loads keeps 24; 0 is an even share
  long long registers = 0;
  const char* source = nullptr;  // file name
  int launch_count = 0;
  LaunchFacts launches[1] = {};
  Resources resources = {};
  const char* text = nullptr;  // as `warpwright show` prints it
};

// A tuned problem: what won, and how that is known.
struct Board {
  int device = 0;  // in kDevices
  Problem problem = {};
  int winner = 0;  // in kConfigurations
  double median_us = 0;
  double ci_low_us = 0;  // 95 % interval; both equal the median where none is known
  double ci_high_us = 0;
  bool modelled = false;  // by an emulator; else measured
  const char* protocol = nullptr;  // of the times
  int tried = 0;  // configurations
  int rounds = 0;  // of the final ranking; 0: there was none
  int tied = 0;  // others that cannot be told from the winner
  const char* tie_set = nullptr;  // they, one a line, at most 16
  const char* driver = nullptr;
  const char* nvrtc = nullptr;
  const char* tuner = nullptr;  // version and commit
  const char* measured = nullptr;  // UTC
  const char* contract_hash = nullptr;  // of the winner's sources
};

enum class Match {
  none,  // the contract does not allow the problem, or nothing can run it
  exact,
  nearest_same_device,
  nearest_same_arch,
  default_  // nothing tuned compares: the contract's defaults
};
struct Selection {
  Match match = Match::none;
  const Configuration* configuration = nullptr;  // null when nothing matches
  const Board* nearest = nullptr;  // the nearest tuned problem, if one was asked
  double distance = 0;  // to it; 1 is a factor of two in one size
  double score = 0;  // expected best time / time; 0 of a default
  Limits limits = {};  // for launch()
};

WARPWRIGHT_DATA int kDeviceCount = 1;
WARPWRIGHT_DATA int kBoardCount = 8;
WARPWRIGHT_DATA int kCandidateCount = 6;
WARPWRIGHT_DATA int kConfigurationCount = 9;

WARPWRIGHT_DATA Device kDevices[kDeviceCount] = {
    {"NVIDIA H200", "sm_90a", {/*compute_capability*/ 90, /*max_shared*/ 232448, /*max_threads*/ 1024, /*registers_per_sm*/ 65536, /*sm_count*/ 132}},
};

// The portfolio; after it the contract's defaults of every variant.
WARPWRIGHT_DATA Configuration kConfigurations[kConfigurationCount] = {
    // 0: wgmma CONSUMER_GROUPS=1 CONSUMER_REGISTERS=216 KEYS=ascending MASK=branch MIN_BLOCKS=2
    // ORDER=longest_first OVERLAP=1 PING_PONG=1 PRODUCER_REGISTERS=24 SCHEDULE=blocks SECTION=0
    // SLACK=8 STAGES=2 TILE_KV=64; wins 1 problem
    {Variant::wgmma, /*tile_q*/ 64, /*tile_kv*/ 64, /*warps*/ 4, /*stages*/ 2,
     /*consumer_groups*/ 1, /*consumer_registers*/ 216, /*producer_registers*/ 24, /*overlap*/ 1,
     /*ping_pong*/ 1, /*mask*/ Mask::branch, /*slack*/ 8, /*keys*/ Keys::ascending,
     /*schedule*/ Schedule::blocks, /*order*/ Order::longest_first, /*section*/ 0,
     /*producer_warps*/ 4, /*consumer_warps*/ 8, /*swizzle*/ 128, /*min_blocks*/ 2,
     /*scores*/ Scores::shared, /*registers*/ 0,
     "wgmma.cu", 1,
     {{"attention_wgmma", {256, 1, 1}, {1, 1, 1}, -1}},
     {128, 82944, 0}, "wgmma CONSUMER_GROUPS=1 CONSUMER_REGISTERS=216 KEYS=ascending MASK=branch MIN_BLOCKS=2 ORDER=longest_first OVERLAP=1 PING_PONG=1 PRODUCER_REGISTERS=24 SCHEDULE=blocks SECTION=0 SLACK=8 STAGES=2 TILE_KV=64"},
    // 1: wgmma CONSUMER_GROUPS=3 CONSUMER_REGISTERS=160 KEYS=descending MASK=split MIN_BLOCKS=1
    // ORDER=longest_first OVERLAP=1 PING_PONG=1 PRODUCER_REGISTERS=32 SCHEDULE=counter
    // SECTION=16 SLACK=8 STAGES=2 TILE_KV=80; wins 4 problems
    {Variant::wgmma, /*tile_q*/ 64, /*tile_kv*/ 80, /*warps*/ 4, /*stages*/ 2,
     /*consumer_groups*/ 3, /*consumer_registers*/ 160, /*producer_registers*/ 32, /*overlap*/ 1,
     /*ping_pong*/ 1, /*mask*/ Mask::split, /*slack*/ 8, /*keys*/ Keys::descending,
     /*schedule*/ Schedule::counter, /*order*/ Order::longest_first, /*section*/ 16,
     /*producer_warps*/ 4, /*consumer_warps*/ 8, /*swizzle*/ 128, /*min_blocks*/ 1,
     /*scores*/ Scores::shared, /*registers*/ 0,
     "wgmma.cu", 1,
     {{"attention_wgmma", {512, 1, 1}, {1, 1, 1}, -1}},
     {128, 132096, 0}, "wgmma CONSUMER_GROUPS=3 CONSUMER_REGISTERS=160 KEYS=descending MASK=split MIN_BLOCKS=1 ORDER=longest_first OVERLAP=1 PING_PONG=1 PRODUCER_REGISTERS=32 SCHEDULE=counter SECTION=16 SLACK=8 STAGES=2 TILE_KV=80"},
    // 2: wgmma CONSUMER_GROUPS=2 CONSUMER_REGISTERS=240 KEYS=ascending MASK=branch MIN_BLOCKS=1
    // ORDER=longest_first OVERLAP=1 PING_PONG=1 PRODUCER_REGISTERS=24 SCHEDULE=blocks SECTION=0
    // SLACK=8 STAGES=2 TILE_KV=128; wins 1 problem
    {Variant::wgmma, /*tile_q*/ 64, /*tile_kv*/ 128, /*warps*/ 4, /*stages*/ 2,
     /*consumer_groups*/ 2, /*consumer_registers*/ 240, /*producer_registers*/ 24, /*overlap*/ 1,
     /*ping_pong*/ 1, /*mask*/ Mask::branch, /*slack*/ 8, /*keys*/ Keys::ascending,
     /*schedule*/ Schedule::blocks, /*order*/ Order::longest_first, /*section*/ 0,
     /*producer_warps*/ 4, /*consumer_warps*/ 8, /*swizzle*/ 128, /*min_blocks*/ 1,
     /*scores*/ Scores::shared, /*registers*/ 0,
     "wgmma.cu", 1,
     {{"attention_wgmma", {384, 1, 1}, {1, 1, 1}, -1}},
     {168, 164864, 0}, "wgmma CONSUMER_GROUPS=2 CONSUMER_REGISTERS=240 KEYS=ascending MASK=branch MIN_BLOCKS=1 ORDER=longest_first OVERLAP=1 PING_PONG=1 PRODUCER_REGISTERS=24 SCHEDULE=blocks SECTION=0 SLACK=8 STAGES=2 TILE_KV=128"},
    // 3: wgmma CONSUMER_GROUPS=2 CONSUMER_REGISTERS=240 KEYS=ascending MASK=branch MIN_BLOCKS=1
    // ORDER=longest_first OVERLAP=1 PING_PONG=1 PRODUCER_REGISTERS=24 SCHEDULE=counter SECTION=0
    // SLACK=8 STAGES=2 TILE_KV=128; wins 1 problem
    {Variant::wgmma, /*tile_q*/ 64, /*tile_kv*/ 128, /*warps*/ 4, /*stages*/ 2,
     /*consumer_groups*/ 2, /*consumer_registers*/ 240, /*producer_registers*/ 24, /*overlap*/ 1,
     /*ping_pong*/ 1, /*mask*/ Mask::branch, /*slack*/ 8, /*keys*/ Keys::ascending,
     /*schedule*/ Schedule::counter, /*order*/ Order::longest_first, /*section*/ 0,
     /*producer_warps*/ 4, /*consumer_warps*/ 8, /*swizzle*/ 128, /*min_blocks*/ 1,
     /*scores*/ Scores::shared, /*registers*/ 0,
     "wgmma.cu", 1,
     {{"attention_wgmma", {384, 1, 1}, {1, 1, 1}, -1}},
     {168, 164864, 0}, "wgmma CONSUMER_GROUPS=2 CONSUMER_REGISTERS=240 KEYS=ascending MASK=branch MIN_BLOCKS=1 ORDER=longest_first OVERLAP=1 PING_PONG=1 PRODUCER_REGISTERS=24 SCHEDULE=counter SECTION=0 SLACK=8 STAGES=2 TILE_KV=128"},
    // 4: wgmma CONSUMER_GROUPS=2 CONSUMER_REGISTERS=240 KEYS=descending MASK=branch MIN_BLOCKS=1
    // ORDER=longest_first OVERLAP=1 PING_PONG=1 PRODUCER_REGISTERS=24 SCHEDULE=counter SECTION=0
    // SLACK=8 STAGES=2 TILE_KV=128
    {Variant::wgmma, /*tile_q*/ 64, /*tile_kv*/ 128, /*warps*/ 4, /*stages*/ 2,
     /*consumer_groups*/ 2, /*consumer_registers*/ 240, /*producer_registers*/ 24, /*overlap*/ 1,
     /*ping_pong*/ 1, /*mask*/ Mask::branch, /*slack*/ 8, /*keys*/ Keys::descending,
     /*schedule*/ Schedule::counter, /*order*/ Order::longest_first, /*section*/ 0,
     /*producer_warps*/ 4, /*consumer_warps*/ 8, /*swizzle*/ 128, /*min_blocks*/ 1,
     /*scores*/ Scores::shared, /*registers*/ 0,
     "wgmma.cu", 1,
     {{"attention_wgmma", {384, 1, 1}, {1, 1, 1}, -1}},
     {168, 164864, 0}, "wgmma CONSUMER_GROUPS=2 CONSUMER_REGISTERS=240 KEYS=descending MASK=branch MIN_BLOCKS=1 ORDER=longest_first OVERLAP=1 PING_PONG=1 PRODUCER_REGISTERS=24 SCHEDULE=counter SECTION=0 SLACK=8 STAGES=2 TILE_KV=128"},
    // 5: wgmma CONSUMER_GROUPS=2 CONSUMER_REGISTERS=240 KEYS=descending MASK=branch MIN_BLOCKS=1
    // ORDER=longest_first OVERLAP=1 PING_PONG=1 PRODUCER_REGISTERS=24 SCHEDULE=counter
    // SECTION=16 SLACK=8 STAGES=2 TILE_KV=128; wins 1 problem
    {Variant::wgmma, /*tile_q*/ 64, /*tile_kv*/ 128, /*warps*/ 4, /*stages*/ 2,
     /*consumer_groups*/ 2, /*consumer_registers*/ 240, /*producer_registers*/ 24, /*overlap*/ 1,
     /*ping_pong*/ 1, /*mask*/ Mask::branch, /*slack*/ 8, /*keys*/ Keys::descending,
     /*schedule*/ Schedule::counter, /*order*/ Order::longest_first, /*section*/ 16,
     /*producer_warps*/ 4, /*consumer_warps*/ 8, /*swizzle*/ 128, /*min_blocks*/ 1,
     /*scores*/ Scores::shared, /*registers*/ 0,
     "wgmma.cu", 1,
     {{"attention_wgmma", {384, 1, 1}, {1, 1, 1}, -1}},
     {168, 164864, 0}, "wgmma CONSUMER_GROUPS=2 CONSUMER_REGISTERS=240 KEYS=descending MASK=branch MIN_BLOCKS=1 ORDER=longest_first OVERLAP=1 PING_PONG=1 PRODUCER_REGISTERS=24 SCHEDULE=counter SECTION=16 SLACK=8 STAGES=2 TILE_KV=128"},
    // 6: wgmma CONSUMER_GROUPS=2 CONSUMER_REGISTERS=240 KEYS=descending MASK=split MIN_BLOCKS=1
    // ORDER=longest_first OVERLAP=1 PING_PONG=1 PRODUCER_REGISTERS=24 SCHEDULE=counter SECTION=0
    // SLACK=8 STAGES=2 TILE_KV=128, the defaults
    {Variant::wgmma, /*tile_q*/ 64, /*tile_kv*/ 128, /*warps*/ 4, /*stages*/ 2,
     /*consumer_groups*/ 2, /*consumer_registers*/ 240, /*producer_registers*/ 24, /*overlap*/ 1,
     /*ping_pong*/ 1, /*mask*/ Mask::split, /*slack*/ 8, /*keys*/ Keys::descending,
     /*schedule*/ Schedule::counter, /*order*/ Order::longest_first, /*section*/ 0,
     /*producer_warps*/ 4, /*consumer_warps*/ 8, /*swizzle*/ 128, /*min_blocks*/ 1,
     /*scores*/ Scores::shared, /*registers*/ 0,
     "wgmma.cu", 1,
     {{"attention_wgmma", {384, 1, 1}, {1, 1, 1}, -1}},
     {-1, -1, -1}, "wgmma CONSUMER_GROUPS=2 CONSUMER_REGISTERS=240 KEYS=descending MASK=split MIN_BLOCKS=1 ORDER=longest_first OVERLAP=1 PING_PONG=1 PRODUCER_REGISTERS=24 SCHEDULE=counter SECTION=0 SLACK=8 STAGES=2 TILE_KV=128"},
    // 7: wmma TILE_KV=128 TILE_Q=64 WARPS=4, the defaults
    {Variant::wmma, /*tile_q*/ 64, /*tile_kv*/ 128, /*warps*/ 4, /*stages*/ 2,
     /*consumer_groups*/ 2, /*consumer_registers*/ 240, /*producer_registers*/ 24, /*overlap*/ 1,
     /*ping_pong*/ 1, /*mask*/ Mask::split, /*slack*/ 8, /*keys*/ Keys::descending,
     /*schedule*/ Schedule::counter, /*order*/ Order::longest_first, /*section*/ 0,
     /*producer_warps*/ 4, /*consumer_warps*/ 8, /*swizzle*/ 128, /*min_blocks*/ 1,
     /*scores*/ Scores::shared, /*registers*/ 0,
     "wmma.cu", 1,
     {{"attention_wmma", {128, 1, 1}, {1, 1, 1}, -1}},
     {-1, -1, -1}, "wmma TILE_KV=128 TILE_Q=64 WARPS=4"},
    // 8: tma CONSUMER_WARPS=8 MASK=split MIN_BLOCKS=1 ORDER=longest_first PRODUCER_WARPS=4
    // REGISTERS=0 SCORES=shared SLACK=8 STAGES=2 SWIZZLE=128 TILE_KV=128 TILE_Q=64, the defaults
    {Variant::tma, /*tile_q*/ 64, /*tile_kv*/ 128, /*warps*/ 4, /*stages*/ 2, /*consumer_groups*/ 2,
     /*consumer_registers*/ 240, /*producer_registers*/ 24, /*overlap*/ 1, /*ping_pong*/ 1,
     /*mask*/ Mask::split, /*slack*/ 8, /*keys*/ Keys::descending, /*schedule*/ Schedule::counter,
     /*order*/ Order::longest_first, /*section*/ 0, /*producer_warps*/ 4, /*consumer_warps*/ 8,
     /*swizzle*/ 128, /*min_blocks*/ 1, /*scores*/ Scores::shared, /*registers*/ 0,
     "tma.cu", 1,
     {{"attention_tma", {384, 1, 1}, {1, 1, 1}, -1}},
     {-1, -1, -1}, "tma CONSUMER_WARPS=8 MASK=split MIN_BLOCKS=1 ORDER=longest_first PRODUCER_WARPS=4 REGISTERS=0 SCORES=shared SLACK=8 STAGES=2 SWIZZLE=128 TILE_KV=128 TILE_Q=64"},
};

WARPWRIGHT_DATA Board kBoards[kBoardCount] = {
    // 0: batch=1 heads=32 kv_heads=32 q_len=512 kv_len=512 d=128 causal=true dtype=bf16 sms=0 on
    // NVIDIA H200
    {0, {1, 32, 32, 512, 512, 128, true, Dtype::bf16, 0}, 0, 11.472, 11.424, 11.504, false, "cold-graph-1",
     207, 30, 1,
     "wgmma CONSUMER_GROUPS=1 CONSUMER_REGISTERS=216 KEYS=ascending MASK=split MIN_BLOCKS=2 ORDER=longest_first OVERLAP=1 PING_PONG=1 PRODUCER_REGISTERS=24 SCHEDULE=blocks SECTION=0 SLACK=8 STAGES=2 TILE_KV=64\n",
     "580.159.04", "13.0", "warpwright 0.1.0 (commit 1ce7878cce6a-dirty)", "2026-11-22T01:23:50Z",
     "92f548b03db0ada71a3ac28b93dbfc836768950af784f591f7398984b1503d0b"},
    // 1: batch=1 heads=32 kv_heads=32 q_len=1024 kv_len=1024 d=128 causal=true dtype=bf16 sms=0
    // on NVIDIA H200
    {0, {1, 32, 32, 1024, 1024, 128, true, Dtype::bf16, 0}, 2, 24.0, 23.92, 24.08, false, "cold-graph-1",
     207, 30, 1,
     "wgmma CONSUMER_GROUPS=2 CONSUMER_REGISTERS=240 KEYS=ascending MASK=split MIN_BLOCKS=1 ORDER=longest_first OVERLAP=1 PING_PONG=1 PRODUCER_REGISTERS=24 SCHEDULE=blocks SECTION=0 SLACK=8 STAGES=2 TILE_KV=128\n",
     "580.159.04", "13.0", "warpwright 0.1.0 (commit 1ce7878cce6a-dirty)", "2026-11-22T01:23:55Z",
     "92f548b03db0ada71a3ac28b93dbfc836768950af784f591f7398984b1503d0b"},
    // 2: batch=1 heads=32 kv_heads=32 q_len=2048 kv_len=2048 d=128 causal=true dtype=bf16 sms=0
    // on NVIDIA H200
    {0, {1, 32, 32, 2048, 2048, 128, true, Dtype::bf16, 0}, 3, 66.568, 66.416, 66.64, false, "cold-graph-1",
     222, 30, 0,
     "",
     "580.159.04", "13.0", "warpwright 0.1.0 (commit 1ce7878cce6a-dirty)", "2026-11-22T01:24:02Z",
     "92f548b03db0ada71a3ac28b93dbfc836768950af784f591f7398984b1503d0b"},
    // 3: batch=1 heads=32 kv_heads=32 q_len=4096 kv_len=4096 d=128 causal=true dtype=bf16 sms=0
    // on NVIDIA H200
    {0, {1, 32, 32, 4096, 4096, 128, true, Dtype::bf16, 0}, 5, 225.344, 224.688, 226.0, false, "cold-graph-1",
     205, 30, 1,
     "wgmma CONSUMER_GROUPS=2 CONSUMER_REGISTERS=240 KEYS=descending MASK=split MIN_BLOCKS=1 ORDER=longest_first OVERLAP=1 PING_PONG=1 PRODUCER_REGISTERS=24 SCHEDULE=counter SECTION=16 SLACK=8 STAGES=2 TILE_KV=128\n",
     "580.159.04", "13.0", "warpwright 0.1.0 (commit 1ce7878cce6a-dirty)", "2026-11-22T01:24:07Z",
     "92f548b03db0ada71a3ac28b93dbfc836768950af784f591f7398984b1503d0b"},
    // 4: batch=1 heads=32 kv_heads=32 q_len=8192 kv_len=8192 d=128 causal=true dtype=bf16 sms=0
    // on NVIDIA H200
    {0, {1, 32, 32, 8192, 8192, 128, true, Dtype::bf16, 0}, 1, 794.08, 793.584, 794.88, false, "cold-graph-1",
     195, 30, 0,
     "",
     "580.159.04", "13.0", "warpwright 0.1.0 (commit 1ce7878cce6a-dirty)", "2026-11-22T01:24:17Z",
     "92f548b03db0ada71a3ac28b93dbfc836768950af784f591f7398984b1503d0b"},
    // 5: batch=1 heads=32 kv_heads=32 q_len=16384 kv_len=16384 d=128 causal=true dtype=bf16
    // sms=0 on NVIDIA H200
    {0, {1, 32, 32, 16384, 16384, 128, true, Dtype::bf16, 0}, 1, 3037.296, 3036.704, 3038.272, false, "cold-graph-1",
     154, 30, 0,
     "",
     "580.159.04", "13.0", "warpwright 0.1.0 (commit 1ce7878cce6a-dirty)", "2026-11-22T01:24:36Z",
     "92f548b03db0ada71a3ac28b93dbfc836768950af784f591f7398984b1503d0b"},
    // 6: batch=2 heads=16 kv_heads=16 q_len=16384 kv_len=16384 d=128 causal=false dtype=bf16
    // sms=0 on NVIDIA H200
    {0, {2, 16, 16, 16384, 16384, 128, false, Dtype::bf16, 0}, 1, 5949.968, 5947.648, 5951.968, false, "cold-graph-1",
     154, 30, 0,
     "",
     "580.159.04", "13.0", "warpwright 0.1.0 (commit 1ce7878cce6a-dirty)", "2026-11-22T01:25:33Z",
     "92f548b03db0ada71a3ac28b93dbfc836768950af784f591f7398984b1503d0b"},
    // 7: batch=4 heads=32 kv_heads=8 q_len=8192 kv_len=8192 d=128 causal=true dtype=bf16 sms=0
    // on NVIDIA H200
    {0, {4, 32, 8, 8192, 8192, 128, true, Dtype::bf16, 0}, 1, 3088.04, 3087.296, 3088.832, false, "cold-graph-1",
     154, 30, 0,
     "",
     "580.159.04", "13.0", "warpwright 0.1.0 (commit 1ce7878cce6a-dirty)", "2026-11-22T01:25:02Z",
     "92f548b03db0ada71a3ac28b93dbfc836768950af784f591f7398984b1503d0b"},
};

// Thousandths of the best that each candidate reaches on each tuned problem, at most that where
// it was stopped early; -1: not tried.
WARPWRIGHT_DATA short kFractions[kCandidateCount][kBoardCount] = {
    {1000,  978,  851,   -1,   -1,   -1,   -1,   -1},
    {  -1,   -1,   -1,  923, 1000, 1000, 1000, 1000},
    { 953, 1000,  963,   -1,   -1,   -1,   -1,   -1},
    { 931,  900, 1000,   -1,   -1,   -1,   -1,   -1},
    { 862,  864,  986,  993,  950,  936,  788,  936},
    {  -1,   -1,   -1, 1000,   -1,   -1,  908,  978},
};

namespace detail {
WARPWRIGHT_DATA double kWorkScale = 2.0;
WARPWRIGHT_DATA double kNearby = 2.0;
WARPWRIGHT_DATA double kPriorFraction = 0.5;
WARPWRIGHT_DATA double kPriorWeight = 0.2;
WARPWRIGHT_DATA double kScoreTie = 1e-09;
WARPWRIGHT_DATA int kAxisCount = 6;

// Without <cmath>, so that everything is a constant expression, also for NVRTC.
WARPWRIGHT_FN double log2(double v) {
  int exponent = 0;
  for (; v >= 4294967296.0; v /= 4294967296.0) exponent += 32;
  for (; v >= 2; v /= 2) ++exponent;
  for (; v < 1; v *= 2) --exponent;
  if (v > 1.4142135623730951) {
    v /= 2;
    ++exponent;
  }
  const double t = (v - 1) / (v + 1);
  double sum = 0;
  for (int i = 23; i >= 1; i -= 2) sum = sum * t * t + 1.0 / i;
  return exponent + 2.885390081777927 * t * sum;
}
WARPWRIGHT_FN double root(double v) {
  double scale = 1;
  for (; v >= 4; v /= 4) scale *= 2;
  for (; v > 0 && v < 1; v *= 4) scale /= 2;
  double r = (1 + v) / 2;
  for (int i = 0; i < 6; ++i) r = (r + v / r) / 2;
  return v > 0 ? r * scale : 0;
}
// log2(1 + |v|) with the sign of v.
WARPWRIGHT_FN double size_scale(double v) { return v < 0 ? -log2(1 - v) : log2(1 + v); }

// A value of the contract's expressions: a 64-bit integer (booleans are 0 and 1), a real, or a text.
// What cannot be evaluated (overflow, division by zero, a wrong type) is a fault, and so is
// everything made of it.
struct Value {
  enum Kind { kFault, kInteger, kReal, kText };
  Kind kind = kFault;
  long long integer = 0;
  double real = 0;
  const char* text = nullptr;
  WARPWRIGHT_FN Value() {}
  WARPWRIGHT_FN Value(bool v) : kind(kInteger), integer(v ? 1 : 0) {}
  WARPWRIGHT_FN Value(int v) : kind(kInteger), integer(v) {}
  WARPWRIGHT_FN Value(long long v) : kind(kInteger), integer(v) {}
  WARPWRIGHT_FN Value(double v) : kind(v - v == 0 ? kReal : kFault), real(v) {}
  WARPWRIGHT_FN Value(const char* v) : kind(v != nullptr ? kText : kFault), text(v) {}
  WARPWRIGHT_FN bool number() const { return kind == kInteger || kind == kReal; }
  WARPWRIGHT_FN double as_real() const { return kind == kReal ? real : static_cast<double>(integer); }
};
WARPWRIGHT_DATA long long kLargest = 9223372036854775807LL;
WARPWRIGHT_DATA long long kLowest = -kLargest - 1;
WARPWRIGHT_FN bool integers(Value a, Value b) {
  return a.kind == Value::kInteger && b.kind == Value::kInteger;
}
WARPWRIGHT_FN bool numbers(Value a, Value b) { return a.number() && b.number(); }
WARPWRIGHT_FN bool holds(Value v) {
  return v.kind == Value::kReal ? v.real != 0 : v.kind == Value::kInteger && v.integer != 0;
}
WARPWRIGHT_FN bool same_text(const char* a, const char* b) {
  if (a == nullptr || b == nullptr) return false;
  while (*a != '\0' && *a == *b) {
    ++a;
    ++b;
  }
  return *a == *b;
}
WARPWRIGHT_FN Value operator+(Value a, Value b) {
  if (!numbers(a, b)) return {};
  if (!integers(a, b)) return a.as_real() + b.as_real();
  const bool over = b.integer > 0 ? a.integer > kLargest - b.integer : a.integer < kLowest - b.integer;
  return over ? Value() : Value(a.integer + b.integer);
}
WARPWRIGHT_FN Value operator*(Value a, Value b) {
  if (!numbers(a, b)) return {};
  if (!integers(a, b)) return a.as_real() * b.as_real();
  const long long x = a.integer;
  const long long y = b.integer;
  if (x == 0 || y == 0) return 0;
  const bool over = x > 0 ? (y > 0 ? x > kLargest / y : y < kLowest / x)
                          : (y > 0 ? x < kLowest / y : y < kLargest / x);
  return over ? Value() : Value(x * y);
}
WARPWRIGHT_FN Value operator/(Value a, Value b) {
  if (!numbers(a, b)) return {};
  if (b.as_real() == 0) return {};
  if (!integers(a, b)) return a.as_real() / b.as_real();
  if (b.integer == -1) return a.integer == kLowest ? Value() : Value(-a.integer);
  return a.integer / b.integer;
}
WARPWRIGHT_FN Value operator%(Value a, Value b) {
  if (!integers(a, b) || b.integer == 0) return {};
  return b.integer == -1 ? 0 : a.integer % b.integer;
}
WARPWRIGHT_FN Value ceil_div(Value a, Value b) {
  if (!integers(a, b) || b.integer <= 0) return {};
  return a.integer / b.integer + (a.integer % b.integer > 0 ? 1 : 0);
}
WARPWRIGHT_FN Value align_up(Value a, Value b) { return ceil_div(a, b) * b; }
WARPWRIGHT_FN Value operator!(Value v) {
  return v.number() ? Value(!holds(v)) : Value();
}
WARPWRIGHT_FN Value operator<(Value a, Value b) {
  if (!numbers(a, b)) return {};
  return integers(a, b) ? a.integer < b.integer : a.as_real() < b.as_real();
}
WARPWRIGHT_FN Value operator<=(Value a, Value b) { return !(b < a); }
WARPWRIGHT_FN Value operator>=(Value a, Value b) { return !(a < b); }
WARPWRIGHT_FN Value operator==(Value a, Value b) {
  if (a.kind == Value::kText && b.kind == Value::kText) return same_text(a.text, b.text);
  if (!numbers(a, b)) return {};
  return integers(a, b) ? a.integer == b.integer : a.as_real() == b.as_real();
}
WARPWRIGHT_FN Value operator&&(Value a, Value b) {
  if (!a.number()) return {};
  if (!holds(a)) return false;
  return b.number() ? Value(holds(b)) : Value();
}
WARPWRIGHT_FN Value operator||(Value a, Value b) {
  if (!a.number()) return {};
  if (holds(a)) return true;
  return b.number() ? Value(holds(b)) : Value();
}
WARPWRIGHT_FN Value choose(Value v, Value a, Value b) {
  return v.number() ? (holds(v) ? a : b) : Value();
}
WARPWRIGHT_FN Value smaller(Value a, Value b) {
  if (!numbers(a, b)) return {};
  if (integers(a, b)) return b.integer < a.integer ? b : a;
  return b.as_real() < a.as_real() ? b.as_real() : a.as_real();
}
WARPWRIGHT_FN Value bytes_of(Value v) {
  if (v.kind != Value::kText) return {};
  const char* const names[] = {"f64", "i64", "u64", "f32", "i32", "u32", "f16", "bf16",
                                   "i16", "u16", "i8",  "u8",  "e4m3", "e5m2", "bool"};
  const int bytes[] = {8, 8, 8, 4, 4, 4, 2, 2, 2, 2, 1, 1, 1, 1, 1};
  for (int i = 0; i < 15; ++i) {
    if (same_text(v.text, names[i])) return bytes[i];
  }
  return {};
}

WARPWRIGHT_FN bool same_category(const Problem& a, const Problem& b) {
  return a.d == b.d &&
         a.causal == b.causal &&
         a.dtype == b.dtype;
}
WARPWRIGHT_FN bool same_sizes(const Problem& a, const Problem& b) {
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

// Where a problem lies: distances are Euclidean in log2(1 + size) and in twice the log2 of the
// contract's traffic.
struct Place {
  double axes[6];
  bool counted;
  double work;
};
WARPWRIGHT_FN Place place_of(const Problem& problem) {
  const Value batch = Value(problem.batch);
  const Value heads = Value(problem.heads);
  const Value kv_heads = Value(problem.kv_heads);
  const Value q_len = Value(problem.q_len);
  const Value kv_len = Value(problem.kv_len);
  const Value d = Value(problem.d);
  // Bytes that the contract counts.
  const Value work = 2 * (2 * batch * heads * q_len * d + 2 * batch * kv_heads * kv_len * d);
  Place place{};
  place.axes[0] = size_scale(static_cast<double>(problem.batch));
  place.axes[1] = size_scale(static_cast<double>(problem.heads));
  place.axes[2] = size_scale(static_cast<double>(problem.kv_heads));
  place.axes[3] = size_scale(static_cast<double>(problem.q_len));
  place.axes[4] = size_scale(static_cast<double>(problem.kv_len));
  place.axes[5] = size_scale(static_cast<double>(problem.sms));
  place.counted = work.number();
  place.work = place.counted ? size_scale(work.as_real()) : 0;
  return place;
}

WARPWRIGHT_FN Limits complete(Limits given, Limits tuned) {
  if (given.compute_capability == 0) given.compute_capability = tuned.compute_capability;
  if (given.max_shared == 0) given.max_shared = tuned.max_shared;
  if (given.max_threads == 0) given.max_threads = tuned.max_threads;
  if (given.registers_per_sm == 0) given.registers_per_sm = tuned.registers_per_sm;
  if (given.sm_count == 0) given.sm_count = tuned.sm_count;
  return given;
}

WARPWRIGHT_FN bool allowed_wmma(const Configuration& configuration, const Problem& problem,
    const Limits& limits) {
  const Value heads = Value(problem.heads);
  const Value kv_heads = Value(problem.kv_heads);
  const Value d = Value(problem.d);
  const Value tile_q = Value(configuration.tile_q);
  const Value tile_kv = Value(configuration.tile_kv);
  const Value device_compute_capability = Value(limits.compute_capability);
  const Value device_max_shared = Value(limits.max_shared);
  // every head of k and v serves equally many heads of q
  if (!holds(heads % kv_heads == 0)) return false;
  // wmma takes bf16 from compute capability 8.0 on
  if (!holds(device_compute_capability >= 80)) return false;
  // wmma multiplies 16 x 16 matrices
  if (!holds(tile_q % 16 == 0 && tile_kv % 16 == 0)) return false;
  // q, a tile of keys, scores, probabilities and outputs are in shared memory
  if (!holds(2 * (3 * tile_q + tile_kv) * (d + 8) + 6 * tile_q * (tile_kv + 8) <= device_max_shared)) return false;
  return true;
}

WARPWRIGHT_FN bool allowed_wgmma(const Configuration& configuration, const Problem& problem,
    const Limits& limits) {
  const Value heads = Value(problem.heads);
  const Value kv_heads = Value(problem.kv_heads);
  const Value d = Value(problem.d);
  const Value tile_kv = Value(configuration.tile_kv);
  const Value stages = Value(configuration.stages);
  const Value consumer_groups = Value(configuration.consumer_groups);
  const Value consumer_registers = Value(configuration.consumer_registers);
  const Value producer_registers = Value(configuration.producer_registers);
  const Value ping_pong = Value(configuration.ping_pong);
  const Value min_blocks = Value(configuration.min_blocks);
  const Value device_compute_capability = Value(limits.compute_capability);
  const Value device_max_shared = Value(limits.max_shared);
  const Value device_registers_per_sm = Value(limits.registers_per_sm);
  // every head of k and v serves equally many heads of q
  if (!holds(heads % kv_heads == 0)) return false;
  // wgmma is an instruction of sm_90a alone
  if (!holds(device_compute_capability == 90)) return false;
  // the product with V takes 16 keys at a time
  if (!holds(tile_kv % 16 == 0)) return false;
  // setmaxnreg takes multiples of 8
  if (!holds(consumer_registers % 8 == 0 && producer_registers % 8 == 0)) return false;
  // warpgroups share what a block was launched with, an even share in multiples of 8; who wants
  // more waits forever
  if (!holds(producer_registers + consumer_groups * consumer_registers <= (1 + consumer_groups) * ((device_registers_per_sm / (128 * min_blocks * (1 + consumer_groups))) / 8 * 8))) return false;
  // producers give registers up and consumers get more than an even share
  if (!holds(producer_registers <= (65536 / (128 * min_blocks * (1 + consumer_groups))) / 8 * 8 && consumer_registers >= (65536 / (128 * min_blocks * (1 + consumer_groups))) / 8 * 8)) return false;
  // outputs, scores and probabilities must be in registers, or ptxas serialises wgmma; for
  // several blocks it counts the even share
  if (!holds(choose(min_blocks == 1, d / 2 + tile_kv / 2 + tile_kv / 4 + choose(ping_pong == 1, Value(32), Value(40)) <= consumer_registers, d / 2 + tile_kv / 2 + tile_kv / 4 + 16 <= device_registers_per_sm / (128 * min_blocks * (1 + consumer_groups))))) return false;
  // q and the rings of K and V are in shared memory
  if (!holds(consumer_groups * 64 * d * 2 + 2 * stages * tile_kv * d * 2 + 1024 <= device_max_shared)) return false;
  // an SM has 228 KB of shared memory, of which every block takes 1 KB more than it asks for
  if (!holds(min_blocks * (consumer_groups * 64 * d * 2 + 2 * stages * tile_kv * d * 2 + 2048) <= 233472)) return false;
  return true;
}

WARPWRIGHT_FN bool allowed_tma(const Configuration& configuration, const Problem& problem,
    const Limits& limits) {
  const Value heads = Value(problem.heads);
  const Value kv_heads = Value(problem.kv_heads);
  const Value d = Value(problem.d);
  const Value tile_q = Value(configuration.tile_q);
  const Value tile_kv = Value(configuration.tile_kv);
  const Value stages = Value(configuration.stages);
  const Value producer_warps = Value(configuration.producer_warps);
  const Value consumer_warps = Value(configuration.consumer_warps);
  const Value min_blocks = Value(configuration.min_blocks);
  const Value scores = Value(scores_name(configuration.scores));
  const Value registers = Value(configuration.registers);
  const Value device_compute_capability = Value(limits.compute_capability);
  const Value device_max_shared = Value(limits.max_shared);
  const Value device_max_threads = Value(limits.max_threads);
  const Value device_registers_per_sm = Value(limits.registers_per_sm);
  // every head of k and v serves equally many heads of q
  if (!holds(heads % kv_heads == 0)) return false;
  // tensor copies begin there
  if (!holds(device_compute_capability >= 90)) return false;
  // products are of 16 x 16
  if (!holds(tile_q % 16 == 0 && tile_kv % 16 == 0)) return false;
  // the device launches no more
  if (!holds(32 * (producer_warps + consumer_warps) <= device_max_threads)) return false;
  // no compiler makes do with fewer than 32 registers a thread
  if (!holds(32 * (producer_warps + consumer_warps) * min_blocks * 32 <= device_registers_per_sm)) return false;
  // a warp keeps its blocks of the outputs in registers, 8 each
  if (!holds(scores == "registers" || ceil_div(tile_q / 16 * (d / 16), consumer_warps) <= 16)) return false;
  // a warp owns 16 or 32 rows
  if (!holds(scores == "shared" || tile_q == 16 * consumer_warps || tile_q == 32 * consumer_warps)) return false;
  // outputs and scores of a warp's rows must be in registers
  if (!holds(scores == "shared" || (tile_q / consumer_warps) / 16 * (d / 2 + tile_kv / 2) + 24 <= 255)) return false;
  // setmaxnreg moves what a block was launched with between whole warpgroups, in multiples of 8;
  // who wants more waits forever
  if (!holds(registers == 0 || (device_compute_capability == 90 && registers % 8 == 0 && producer_warps == 4 && consumer_warps % 4 == 0 && registers >= (65536 / (32 * min_blocks * (4 + consumer_warps))) / 8 * 8 && Value(4) * Value(24) + consumer_warps * registers <= (4 + consumer_warps) * ((device_registers_per_sm / (32 * min_blocks * (4 + consumer_warps))) / 8 * 8)))) return false;
  // q, rings of K and V, scores, probabilities, factors of rows and barriers are in shared
  // memory
  if (!holds(min_blocks * (1024 + align_up(tile_q * d * 2 + 2 * stages * tile_kv * d * 2 + choose(scores == "shared", 6 * tile_q * (tile_kv + 8) + 8 * tile_q, Value(8)) + 8 + 32 * stages, Value(1024))) <= device_max_shared + 1024)) return false;
  return true;
}
}  // namespace detail

// The contract's types and limits of every size.
WARPWRIGHT_FN bool valid(const Problem& problem) {
  if (problem.batch < 1) return false;
  if (problem.heads < 1) return false;
  if (problem.kv_heads < 1) return false;
  if (problem.q_len < 1) return false;
  if (problem.kv_len < 1) return false;
  if (problem.d != 64 && problem.d != 128 && problem.d != 256) return false;
  if (dtype_name(problem.dtype) == nullptr) return false;
  if (problem.sms < 0) return false;
  return true;
}

// Every constraint of the contract and of the variant holds for this problem on a device with
// these limits.
WARPWRIGHT_FN bool allowed(const Configuration& configuration, const Problem& problem,
    const Limits& limits) {
  switch (configuration.variant) {
    case Variant::wmma:
      return detail::allowed_wmma(configuration, problem, limits);
    case Variant::wgmma:
      return detail::allowed_wgmma(configuration, problem, limits);
    case Variant::tma:
      return detail::allowed_tma(configuration, problem, limits);
  }
  return false;
}

namespace detail {
// "sm_90" and "sm_90a" are one architecture here.
WARPWRIGHT_FN int arch_length(const char* arch) {
  int length = 0;
  while (arch[length] != '\0') ++length;
  while (length > 0 && arch[length - 1] >= 'a' && arch[length - 1] <= 'z') --length;
  return length;
}
WARPWRIGHT_FN bool same_arch(const char* a, const char* b) {
  if (a == nullptr || b == nullptr) return false;
  const int length = arch_length(a);
  if (arch_length(b) != length) return false;
  for (int i = 0; i < length; ++i) {
    if (a[i] != b[i]) return false;
  }
  return true;
}

WARPWRIGHT_FN double squared_distance(const Place& a, const Place& b) {
  double sum = 0;
  for (int i = 0; i < kAxisCount; ++i) sum += (a.axes[i] - b.axes[i]) * (a.axes[i] - b.axes[i]);
  if (a.counted && b.counted) sum += kWorkScale * (a.work - b.work) * (kWorkScale * (a.work - b.work));
  return sum;
}

// The vote of the tuned problems on this device, or on others of its architecture.
WARPWRIGHT_FN Selection vote(const Device& device, const Problem& problem, bool same_device) {
  const Place asked = place_of(problem);
  double weights[kBoardCount] = {};
  double total = 0;
  double least = 0;
  Selection result;
  for (int i = 0; i < kBoardCount; ++i) {
    const Board& board = kBoards[i];
    const Device& tuned = kDevices[board.device];
    const bool same = same_text(tuned.name, device.name);
    if (same != same_device || (!same && !same_arch(tuned.arch, device.arch))) continue;
    if (!same_category(board.problem, problem)) continue;
    const double squared = squared_distance(place_of(board.problem), asked);
    const bool equal = same_sizes(board.problem, problem);
    if (result.nearest == nullptr || squared < least || equal) {
      result.nearest = &board;
      result.distance = root(squared);
      least = equal ? -1 : squared;
    }
    const double closeness = 1 / (kNearby * kNearby + squared);
    weights[i] = closeness * closeness;
    total += weights[i];
  }
  if (result.nearest == nullptr) return {};
  result.limits = complete(device.limits, kDevices[result.nearest->device].limits);
  const Configuration& winner = kConfigurations[result.nearest->winner];
  if (least < 0 && allowed(winner, problem, result.limits)) {
    result.match = same_device ? Match::exact : Match::nearest_same_arch;
    result.configuration = &winner;
    result.score = 1;
    return result;
  }
  for (int i = 0; i < kCandidateCount; ++i) {
    double sum = kPriorWeight * kPriorFraction;
    double known = kPriorWeight;
    for (int board = 0; board < kBoardCount; ++board) {
      if (!(weights[board] > 0) || kFractions[i][board] < 0) continue;
      sum += weights[board] / total * kFractions[i][board] / 1000;
      known += weights[board] / total;
    }
    if (!(known > kPriorWeight) || !(sum / known > result.score + kScoreTie)) continue;
    if (!allowed(kConfigurations[i], problem, result.limits)) continue;
    result.match = same_device ? Match::nearest_same_device : Match::nearest_same_arch;
    result.configuration = &kConfigurations[i];
    result.score = sum / known;
  }
  return result;
}

WARPWRIGHT_FN Selection contract_default(const Device& device, const Problem& problem) {
  Selection result;
  result.limits = complete(device.limits, kDevices[0].limits);
  for (int i = kCandidateCount; i < kConfigurationCount; ++i) {
    if (!allowed(kConfigurations[i], problem, result.limits)) continue;
    result.match = Match::default_;
    result.configuration = &kConfigurations[i];
    break;
  }
  return result;
}
}  // namespace detail

WARPWRIGHT_FN Selection select(const Device& device, const Problem& problem) {
  if (!valid(problem)) return {};
  const Selection here = detail::vote(device, problem, true);
  if (here.configuration != nullptr) return here;
  const Selection there = detail::vote(device, problem, false);
  if (there.configuration != nullptr) return there;
  return detail::contract_default(device, problem);
}

WARPWRIGHT_DATA int kDefineLength = 50;
struct Options {
  int count = 0;
  char option[16][kDefineLength] = {};
};

struct LaunchPlan {
  bool ok = false;  // 0 or false: no such launch, or its extents cannot be computed
  const char* entry = nullptr;
  long long grid[3] = {1, 1, 1};
  long long block[3] = {1, 1, 1};
  long long cluster[3] = {1, 1, 1};
  long long shared_bytes = 0;  // dynamic
};

namespace detail {
WARPWRIGHT_FN void put(Options& out, int& at, const char* text) {
  for (; *text != '\0' && at < kDefineLength - 1; ++text) out.option[out.count][at++] = *text;
}
WARPWRIGHT_FN void put_integer(Options& out, int& at, long long v) {
  char digits[24] = {};
  int first = 23;
  const bool negative = v < 0;
  do {
    const int digit = static_cast<int>(v % 10);
    digits[--first] = static_cast<char>('0' + (digit < 0 ? -digit : digit));
    v /= 10;
  } while (v != 0);
  if (negative) digits[--first] = '-';
  put(out, at, digits + first);
}
// In hexadecimal, which is exact.
WARPWRIGHT_FN void put_real(Options& out, int& at, double v) {
  int exponent = 0;
  if (v < 0) put(out, at, "-");
  if (v < 0) v = -v;
  for (; v >= 2; v /= 2) ++exponent;
  for (; v > 0 && v < 1; v *= 2) --exponent;
  put(out, at, v > 0 ? "0x1." : "0x0.");
  v -= v > 0 ? 1 : 0;
  char digit[2] = {'0', '\0'};
  for (int i = 0; i < 13; ++i) {
    const int hex = static_cast<int>(v *= 16);
    digit[0] = "0123456789abcdef"[hex];
    put(out, at, digit);
    v -= hex;
  }
  put(out, at, "p");
  put_integer(out, at, exponent);
}
WARPWRIGHT_FN void put_define(Options& out, const char* macro, Value v) {
  int at = 0;
  put(out, at, "-D");
  put(out, at, macro);
  put(out, at, "=");
  if (v.kind == Value::kInteger) put_integer(out, at, v.integer);
  if (v.kind == Value::kReal) put_real(out, at, v.real);
  if (v.kind == Value::kText) put(out, at, v.text);
  ++out.count;
}
WARPWRIGHT_FN void set_extent(LaunchPlan& out, long long& extent, Value v) {
  if (v.kind == Value::kInteger) extent = v.integer;
  if (v.kind != Value::kInteger) out.ok = false;
}
}  // namespace detail

// What NVRTC or nvcc is given to compile the configuration's source for the problem, one option
// an entry.
WARPWRIGHT_FN Options defines(const Configuration& configuration, const Problem& problem) {
  Options out{};
  switch (configuration.variant) {
    case Variant::wmma:
      detail::put_define(out, "TILE_Q", detail::Value(configuration.tile_q));
      detail::put_define(out, "TILE_KV", detail::Value(configuration.tile_kv));
      detail::put_define(out, "WARPS", detail::Value(configuration.warps));
      break;
    case Variant::wgmma:
      detail::put_define(out, "TILE_KV", detail::Value(configuration.tile_kv));
      detail::put_define(out, "STAGES", detail::Value(configuration.stages));
      detail::put_define(out, "CONSUMER_GROUPS", detail::Value(configuration.consumer_groups));
      detail::put_define(out, "CONSUMER_REGISTERS", detail::Value(configuration.consumer_registers));
      detail::put_define(out, "PRODUCER_REGISTERS", detail::Value(configuration.producer_registers));
      detail::put_define(out, "OVERLAP", detail::Value(configuration.overlap));
      detail::put_define(out, "PING_PONG", detail::Value(configuration.ping_pong));
      detail::put_define(out, "MASK", detail::Value(mask_name(configuration.mask)));
      detail::put_define(out, "SLACK", detail::Value(configuration.slack));
      detail::put_define(out, "KEYS", detail::Value(keys_name(configuration.keys)));
      detail::put_define(out, "SCHEDULE", detail::Value(schedule_name(configuration.schedule)));
      detail::put_define(out, "ORDER", detail::Value(order_name(configuration.order)));
      detail::put_define(out, "SECTION", detail::Value(configuration.section));
      detail::put_define(out, "MIN_BLOCKS", detail::Value(configuration.min_blocks));
      break;
    case Variant::tma:
      detail::put_define(out, "TILE_Q", detail::Value(configuration.tile_q));
      detail::put_define(out, "TILE_KV", detail::Value(configuration.tile_kv));
      detail::put_define(out, "STAGES", detail::Value(configuration.stages));
      detail::put_define(out, "MASK", detail::Value(mask_name(configuration.mask)));
      detail::put_define(out, "SLACK", detail::Value(configuration.slack));
      detail::put_define(out, "ORDER", detail::Value(order_name(configuration.order)));
      detail::put_define(out, "PRODUCER_WARPS", detail::Value(configuration.producer_warps));
      detail::put_define(out, "CONSUMER_WARPS", detail::Value(configuration.consumer_warps));
      detail::put_define(out, "SWIZZLE", detail::Value(configuration.swizzle));
      detail::put_define(out, "MIN_BLOCKS", detail::Value(configuration.min_blocks));
      detail::put_define(out, "SCORES", detail::Value(scores_name(configuration.scores)));
      detail::put_define(out, "REGISTERS", detail::Value(configuration.registers));
      break;
  }
  detail::put_define(out, "HEAD_DIM", detail::Value(problem.d));
  detail::put_define(out, "DTYPE", detail::Value(dtype_name(problem.dtype)));
  return out;
}

namespace detail {
WARPWRIGHT_FN LaunchPlan no_launch() {
  LaunchPlan out{};
  return out;
}

WARPWRIGHT_FN LaunchPlan launch_wmma(const Configuration& configuration, const Problem& problem,
    const Limits& limits, int index) {
  const Value batch = Value(problem.batch);
  const Value heads = Value(problem.heads);
  const Value q_len = Value(problem.q_len);
  const Value d = Value(problem.d);
  const Value tile_q = Value(configuration.tile_q);
  const Value tile_kv = Value(configuration.tile_kv);
  const Value warps = Value(configuration.warps);
  (void)limits;
  LaunchPlan out = no_launch();
  switch (index) {
    case 0:
      out.ok = true;
      out.entry = "attention_wmma";
      set_extent(out, out.grid[0], batch * heads);
      set_extent(out, out.grid[1], ceil_div(q_len, tile_q));
      set_extent(out, out.block[0], 32 * warps);
      set_extent(out, out.shared_bytes, 2 * (3 * tile_q + tile_kv) * (d + 8) + 6 * tile_q * (tile_kv + 8));
      break;
    default:
      break;
  }
  return out;
}

WARPWRIGHT_FN LaunchPlan launch_wgmma(const Configuration& configuration, const Problem& problem,
    const Limits& limits, int index) {
  const Value batch = Value(problem.batch);
  const Value heads = Value(problem.heads);
  const Value q_len = Value(problem.q_len);
  const Value d = Value(problem.d);
  const Value sms = Value(problem.sms);
  const Value tile_kv = Value(configuration.tile_kv);
  const Value stages = Value(configuration.stages);
  const Value consumer_groups = Value(configuration.consumer_groups);
  const Value schedule = Value(schedule_name(configuration.schedule));
  const Value min_blocks = Value(configuration.min_blocks);
  const Value device_sm_count = Value(limits.sm_count);
  LaunchPlan out = no_launch();
  switch (index) {
    case 0:
      out.ok = true;
      out.entry = "attention_wgmma";
      set_extent(out, out.grid[0], choose(schedule == "blocks", ceil_div(q_len, 64 * consumer_groups) * batch * heads, smaller(ceil_div(q_len, 64 * consumer_groups) * batch * heads, min_blocks * choose(sms == 0, device_sm_count, smaller(sms, device_sm_count)))));
      set_extent(out, out.block[0], 128 * (1 + consumer_groups));
      set_extent(out, out.shared_bytes, consumer_groups * 64 * d * 2 + 2 * stages * tile_kv * d * 2 + 1024);
      break;
    default:
      break;
  }
  return out;
}

WARPWRIGHT_FN LaunchPlan launch_tma(const Configuration& configuration, const Problem& problem,
    const Limits& limits, int index) {
  const Value batch = Value(problem.batch);
  const Value heads = Value(problem.heads);
  const Value q_len = Value(problem.q_len);
  const Value d = Value(problem.d);
  const Value tile_q = Value(configuration.tile_q);
  const Value tile_kv = Value(configuration.tile_kv);
  const Value stages = Value(configuration.stages);
  const Value producer_warps = Value(configuration.producer_warps);
  const Value consumer_warps = Value(configuration.consumer_warps);
  const Value scores = Value(scores_name(configuration.scores));
  (void)limits;
  LaunchPlan out = no_launch();
  switch (index) {
    case 0:
      out.ok = true;
      out.entry = "attention_tma";
      set_extent(out, out.grid[0], batch * heads);
      set_extent(out, out.grid[1], ceil_div(q_len, tile_q));
      set_extent(out, out.block[0], 32 * (producer_warps + consumer_warps));
      set_extent(out, out.shared_bytes, align_up(tile_q * d * 2 + 2 * stages * tile_kv * d * 2 + choose(scores == "shared", 6 * tile_q * (tile_kv + 8) + 8 * tile_q, Value(8)) + 8 + 32 * stages, Value(1024)));
      break;
    default:
      break;
  }
  return out;
}
}  // namespace detail

// Launch `index` of configuration.launch_count, in stream order. Give it the limits of the
// selection.
// Before the first launch of wgmma, set its scratch `counter` (u32 [1]) to `zeros`; every launch
// leaves it ready for the next.
WARPWRIGHT_FN LaunchPlan launch(const Configuration& configuration, const Problem& problem,
    const Limits& limits, int index) {
  switch (configuration.variant) {
    case Variant::wmma:
      return detail::launch_wmma(configuration, problem, limits, index);
    case Variant::wgmma:
      return detail::launch_wgmma(configuration, problem, limits, index);
    case Variant::tma:
      return detail::launch_tma(configuration, problem, limits, index);
  }
  return detail::no_launch();
}

// A tensor map as cuTensorMapEncodeTiled takes it, without interleaving: dimension 0 is the
// innermost, and choices are the values of cuda.h.
struct TensorMapPlan {
  bool ok = false;  // 0 or false: no such map, or its numbers cannot be computed
  const char* argument = nullptr;
  const char* tensor = nullptr;  // the argument whose address it is encoded for, after offset_bytes
  long long offset_bytes = 0;
  long long data_type = 0;  // CUtensorMapDataType
  long long rank = 0;
  long long sizes[5] = {};
  long long stride_bytes[4] = {};  // of dimensions 1 to 4
  long long box[5] = {};
  long long element_strides[5] = {};
  long long swizzle = 0;  // CUtensorMapSwizzle
  long long l2_promotion = 0;  // CUtensorMapL2promotion
  long long fill = 0;  // CUtensorMapFloatOOBfill
};
namespace detail {
WARPWRIGHT_FN TensorMapPlan no_tensor_map() {
  TensorMapPlan out{};
  return out;
}
WARPWRIGHT_FN void set_map_value(TensorMapPlan& out, long long& to, Value v) {
  if (v.kind == Value::kInteger) to = v.integer;
  if (v.kind != Value::kInteger) out.ok = false;
}

WARPWRIGHT_FN TensorMapPlan tensor_map_wgmma(const Configuration& configuration, const Problem& problem,
    const Limits& limits, int index) {
  const Value batch = Value(problem.batch);
  const Value heads = Value(problem.heads);
  const Value kv_heads = Value(problem.kv_heads);
  const Value q_len = Value(problem.q_len);
  const Value kv_len = Value(problem.kv_len);
  const Value d = Value(problem.d);
  const Value dtype = Value(dtype_name(problem.dtype));
  const Value tile_kv = Value(configuration.tile_kv);
  (void)limits;
  TensorMapPlan out = no_tensor_map();
  switch (index) {
    case 0:
      out.ok = true;
      out.argument = "q_rows_map";
      out.tensor = "q";
      out.rank = 4;
      set_map_value(out, out.offset_bytes, 0 * bytes_of(dtype));
      set_map_value(out, out.data_type, choose(dtype == "bf16", Value(9), Value(6)));
      set_map_value(out, out.sizes[0], Value(64));
      set_map_value(out, out.sizes[1], q_len);
      set_map_value(out, out.sizes[2], d / 64);
      set_map_value(out, out.sizes[3], batch * heads);
      set_map_value(out, out.stride_bytes[0], d * bytes_of(dtype));
      set_map_value(out, out.stride_bytes[1], 64 * bytes_of(dtype));
      set_map_value(out, out.stride_bytes[2], q_len * d * bytes_of(dtype));
      set_map_value(out, out.box[0], Value(64));
      set_map_value(out, out.box[1], Value(64));
      set_map_value(out, out.box[2], d / 64);
      set_map_value(out, out.box[3], Value(1));
      set_map_value(out, out.element_strides[0], Value(1));
      set_map_value(out, out.element_strides[1], Value(1));
      set_map_value(out, out.element_strides[2], Value(1));
      set_map_value(out, out.element_strides[3], Value(1));
      set_map_value(out, out.swizzle, choose(Value(128) == Value(0), Value(0), choose(Value(128) == Value(32), Value(1), choose(Value(128) == Value(64), Value(2), choose(Value(128) == Value(128), Value(3), Value(-1))))));
      set_map_value(out, out.l2_promotion, choose(Value(0) == Value(0), Value(0), choose(Value(0) == Value(64), Value(1), choose(Value(0) == Value(128), Value(2), choose(Value(0) == Value(256), Value(3), Value(-1))))));
      set_map_value(out, out.fill, Value(0));
      break;
    case 1:
      out.ok = true;
      out.argument = "k_map";
      out.tensor = "k";
      out.rank = 4;
      set_map_value(out, out.offset_bytes, 0 * bytes_of(dtype));
      set_map_value(out, out.data_type, choose(dtype == "bf16", Value(9), Value(6)));
      set_map_value(out, out.sizes[0], Value(64));
      set_map_value(out, out.sizes[1], kv_len);
      set_map_value(out, out.sizes[2], d / 64);
      set_map_value(out, out.sizes[3], batch * kv_heads);
      set_map_value(out, out.stride_bytes[0], d * bytes_of(dtype));
      set_map_value(out, out.stride_bytes[1], 64 * bytes_of(dtype));
      set_map_value(out, out.stride_bytes[2], kv_len * d * bytes_of(dtype));
      set_map_value(out, out.box[0], Value(64));
      set_map_value(out, out.box[1], tile_kv);
      set_map_value(out, out.box[2], d / 64);
      set_map_value(out, out.box[3], Value(1));
      set_map_value(out, out.element_strides[0], Value(1));
      set_map_value(out, out.element_strides[1], Value(1));
      set_map_value(out, out.element_strides[2], Value(1));
      set_map_value(out, out.element_strides[3], Value(1));
      set_map_value(out, out.swizzle, choose(Value(128) == Value(0), Value(0), choose(Value(128) == Value(32), Value(1), choose(Value(128) == Value(64), Value(2), choose(Value(128) == Value(128), Value(3), Value(-1))))));
      set_map_value(out, out.l2_promotion, choose(Value(0) == Value(0), Value(0), choose(Value(0) == Value(64), Value(1), choose(Value(0) == Value(128), Value(2), choose(Value(0) == Value(256), Value(3), Value(-1))))));
      set_map_value(out, out.fill, Value(0));
      break;
    case 2:
      out.ok = true;
      out.argument = "v_map";
      out.tensor = "v";
      out.rank = 4;
      set_map_value(out, out.offset_bytes, 0 * bytes_of(dtype));
      set_map_value(out, out.data_type, choose(dtype == "bf16", Value(9), Value(6)));
      set_map_value(out, out.sizes[0], Value(64));
      set_map_value(out, out.sizes[1], kv_len);
      set_map_value(out, out.sizes[2], d / 64);
      set_map_value(out, out.sizes[3], batch * kv_heads);
      set_map_value(out, out.stride_bytes[0], d * bytes_of(dtype));
      set_map_value(out, out.stride_bytes[1], 64 * bytes_of(dtype));
      set_map_value(out, out.stride_bytes[2], kv_len * d * bytes_of(dtype));
      set_map_value(out, out.box[0], Value(64));
      set_map_value(out, out.box[1], tile_kv);
      set_map_value(out, out.box[2], d / 64);
      set_map_value(out, out.box[3], Value(1));
      set_map_value(out, out.element_strides[0], Value(1));
      set_map_value(out, out.element_strides[1], Value(1));
      set_map_value(out, out.element_strides[2], Value(1));
      set_map_value(out, out.element_strides[3], Value(1));
      set_map_value(out, out.swizzle, choose(Value(128) == Value(0), Value(0), choose(Value(128) == Value(32), Value(1), choose(Value(128) == Value(64), Value(2), choose(Value(128) == Value(128), Value(3), Value(-1))))));
      set_map_value(out, out.l2_promotion, choose(Value(0) == Value(0), Value(0), choose(Value(0) == Value(64), Value(1), choose(Value(0) == Value(128), Value(2), choose(Value(0) == Value(256), Value(3), Value(-1))))));
      set_map_value(out, out.fill, Value(0));
      break;
    default:
      break;
  }
  return out;
}

WARPWRIGHT_FN TensorMapPlan tensor_map_tma(const Configuration& configuration, const Problem& problem,
    const Limits& limits, int index) {
  const Value batch = Value(problem.batch);
  const Value heads = Value(problem.heads);
  const Value kv_heads = Value(problem.kv_heads);
  const Value q_len = Value(problem.q_len);
  const Value kv_len = Value(problem.kv_len);
  const Value d = Value(problem.d);
  const Value dtype = Value(dtype_name(problem.dtype));
  const Value tile_q = Value(configuration.tile_q);
  const Value tile_kv = Value(configuration.tile_kv);
  const Value swizzle = Value(configuration.swizzle);
  (void)limits;
  TensorMapPlan out = no_tensor_map();
  switch (index) {
    case 0:
      out.ok = true;
      out.argument = "q_tile_map";
      out.tensor = "q";
      out.rank = 4;
      set_map_value(out, out.offset_bytes, 0 * bytes_of(dtype));
      set_map_value(out, out.data_type, choose(dtype == "bf16", Value(9), Value(6)));
      set_map_value(out, out.sizes[0], choose(swizzle == 0, Value(64), swizzle / 2));
      set_map_value(out, out.sizes[1], q_len);
      set_map_value(out, out.sizes[2], d / choose(swizzle == 0, Value(64), swizzle / 2));
      set_map_value(out, out.sizes[3], batch * heads);
      set_map_value(out, out.stride_bytes[0], d * bytes_of(dtype));
      set_map_value(out, out.stride_bytes[1], choose(swizzle == 0, Value(64), swizzle / 2) * bytes_of(dtype));
      set_map_value(out, out.stride_bytes[2], q_len * d * bytes_of(dtype));
      set_map_value(out, out.box[0], choose(swizzle == 0, Value(64), swizzle / 2));
      set_map_value(out, out.box[1], tile_q);
      set_map_value(out, out.box[2], d / choose(swizzle == 0, Value(64), swizzle / 2));
      set_map_value(out, out.box[3], Value(1));
      set_map_value(out, out.element_strides[0], Value(1));
      set_map_value(out, out.element_strides[1], Value(1));
      set_map_value(out, out.element_strides[2], Value(1));
      set_map_value(out, out.element_strides[3], Value(1));
      set_map_value(out, out.swizzle, choose(swizzle == 0, Value(0), choose(swizzle == 32, Value(1), choose(swizzle == 64, Value(2), choose(swizzle == 128, Value(3), Value(-1))))));
      set_map_value(out, out.l2_promotion, choose(Value(0) == Value(0), Value(0), choose(Value(0) == Value(64), Value(1), choose(Value(0) == Value(128), Value(2), choose(Value(0) == Value(256), Value(3), Value(-1))))));
      set_map_value(out, out.fill, Value(0));
      break;
    case 1:
      out.ok = true;
      out.argument = "k_tile_map";
      out.tensor = "k";
      out.rank = 4;
      set_map_value(out, out.offset_bytes, 0 * bytes_of(dtype));
      set_map_value(out, out.data_type, choose(dtype == "bf16", Value(9), Value(6)));
      set_map_value(out, out.sizes[0], choose(swizzle == 0, Value(64), swizzle / 2));
      set_map_value(out, out.sizes[1], kv_len);
      set_map_value(out, out.sizes[2], d / choose(swizzle == 0, Value(64), swizzle / 2));
      set_map_value(out, out.sizes[3], batch * kv_heads);
      set_map_value(out, out.stride_bytes[0], d * bytes_of(dtype));
      set_map_value(out, out.stride_bytes[1], choose(swizzle == 0, Value(64), swizzle / 2) * bytes_of(dtype));
      set_map_value(out, out.stride_bytes[2], kv_len * d * bytes_of(dtype));
      set_map_value(out, out.box[0], choose(swizzle == 0, Value(64), swizzle / 2));
      set_map_value(out, out.box[1], tile_kv);
      set_map_value(out, out.box[2], d / choose(swizzle == 0, Value(64), swizzle / 2));
      set_map_value(out, out.box[3], Value(1));
      set_map_value(out, out.element_strides[0], Value(1));
      set_map_value(out, out.element_strides[1], Value(1));
      set_map_value(out, out.element_strides[2], Value(1));
      set_map_value(out, out.element_strides[3], Value(1));
      set_map_value(out, out.swizzle, choose(swizzle == 0, Value(0), choose(swizzle == 32, Value(1), choose(swizzle == 64, Value(2), choose(swizzle == 128, Value(3), Value(-1))))));
      set_map_value(out, out.l2_promotion, choose(Value(0) == Value(0), Value(0), choose(Value(0) == Value(64), Value(1), choose(Value(0) == Value(128), Value(2), choose(Value(0) == Value(256), Value(3), Value(-1))))));
      set_map_value(out, out.fill, Value(0));
      break;
    case 2:
      out.ok = true;
      out.argument = "v_tile_map";
      out.tensor = "v";
      out.rank = 4;
      set_map_value(out, out.offset_bytes, 0 * bytes_of(dtype));
      set_map_value(out, out.data_type, choose(dtype == "bf16", Value(9), Value(6)));
      set_map_value(out, out.sizes[0], choose(swizzle == 0, Value(64), swizzle / 2));
      set_map_value(out, out.sizes[1], kv_len);
      set_map_value(out, out.sizes[2], d / choose(swizzle == 0, Value(64), swizzle / 2));
      set_map_value(out, out.sizes[3], batch * kv_heads);
      set_map_value(out, out.stride_bytes[0], d * bytes_of(dtype));
      set_map_value(out, out.stride_bytes[1], choose(swizzle == 0, Value(64), swizzle / 2) * bytes_of(dtype));
      set_map_value(out, out.stride_bytes[2], kv_len * d * bytes_of(dtype));
      set_map_value(out, out.box[0], choose(swizzle == 0, Value(64), swizzle / 2));
      set_map_value(out, out.box[1], tile_kv);
      set_map_value(out, out.box[2], d / choose(swizzle == 0, Value(64), swizzle / 2));
      set_map_value(out, out.box[3], Value(1));
      set_map_value(out, out.element_strides[0], Value(1));
      set_map_value(out, out.element_strides[1], Value(1));
      set_map_value(out, out.element_strides[2], Value(1));
      set_map_value(out, out.element_strides[3], Value(1));
      set_map_value(out, out.swizzle, choose(swizzle == 0, Value(0), choose(swizzle == 32, Value(1), choose(swizzle == 64, Value(2), choose(swizzle == 128, Value(3), Value(-1))))));
      set_map_value(out, out.l2_promotion, choose(Value(0) == Value(0), Value(0), choose(Value(0) == Value(64), Value(1), choose(Value(0) == Value(128), Value(2), choose(Value(0) == Value(256), Value(3), Value(-1))))));
      set_map_value(out, out.fill, Value(0));
      break;
    default:
      break;
  }
  return out;
}
}  // namespace detail

// Tensor map `index` of the configuration's launches, from 0 on until one is not ok. Give it the
// limits of the selection.
WARPWRIGHT_FN TensorMapPlan tensor_map(const Configuration& configuration, const Problem& problem,
    const Limits& limits, int index) {
  switch (configuration.variant) {
    case Variant::wmma:
      break;
    case Variant::wgmma:
      return detail::tensor_map_wgmma(configuration, problem, limits, index);
    case Variant::tma:
      return detail::tensor_map_tma(configuration, problem, limits, index);
  }
  return detail::no_tensor_map();
}

}  // namespace attention_prefill
}  // namespace warpwright

#undef WARPWRIGHT_FN
#undef WARPWRIGHT_DATA
