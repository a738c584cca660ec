// clang-format off
// softmax_topk: Softmax over the last axis of the logits, of which only the K largest entries
// are kept
// Tuned configurations, written by `warpwright export`. Do not edit: export again. (warpwright
// 0.1.0)
// NVIDIA H200 (sm_90a): 8 problems, 2147 configurations tried; times are measured.
// Left out one at a time, 4 of 7 tuned problems get a configuration within 10 % of their best
// from the others.
//
//   namespace tuned = warpwright::softmax_topk;
//   const tuned::Problem problem{1, 151936, 50, tuned::Dtype::f32};
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
namespace softmax_topk {

enum class Dtype { f32, bf16 };
WARPWRIGHT_FN const char* dtype_name(Dtype v) {
  switch (v) {
    case Dtype::f32:
      return "f32";
    case Dtype::bf16:
      return "bf16";
  }
  return nullptr;
}

enum class Variant { naive, block_row, vectorized, warp_row, threshold, split };
WARPWRIGHT_FN const char* variant_name(Variant v) {
  switch (v) {
    case Variant::naive:
      return "naive";
    case Variant::block_row:
      return "block_row";
    case Variant::vectorized:
      return "vectorized";
    case Variant::warp_row:
      return "warp_row";
    case Variant::threshold:
      return "threshold";
    case Variant::split:
      return "split";
  }
  return nullptr;
}

struct Problem {
  long long rows = 0;  // positions, batch times sequence; 1 to 65535
  long long V = 0;  // vocabulary size; at least 1
  long long K = 0;  // entries kept per row; 1 to 256
  Dtype dtype = Dtype::f32;
};

// Limits of a device that constraints and launches depend on; 0 is taken from the tuned device
// that is consulted.
struct Limits {
  long long max_shared = 0;
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
  Variant variant = Variant::naive;
  long long threads = 256;  // THREADS: threads per block
  long long unroll = 4;  // UNROLL: 16-byte loads of a thread before it uses the first
  // LOCAL_K: places of a thread's sorted list; a list that runs empty is filled again
  long long local_k = 4;
  long long online = 1;  // ONLINE: 1 builds maximum and sum in one pass, 0 in two
  long long warps_per_block = 4;  // WARPS_PER_BLOCK: rows per block
  long long capacity = 1024;  // CAPACITY: candidates that the buffer holds
  // MIN_BLOCKS: blocks that must fit on an SM at once; limits the registers
  long long min_blocks = 4;
  long long prefetch = 0;  // PREFETCH: 1 loads the next tile before working on this one
  long long splits = 2;  // SPLITS: blocks that share a row
  // MERGE_THREADS: threads of the block that merges the parts of a row
  long long merge_threads = 256;
  const char* source = nullptr;  // file name
  int launch_count = 0;
  LaunchFacts launches[2] = {};
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
WARPWRIGHT_DATA int kCandidateCount = 9;
WARPWRIGHT_DATA int kConfigurationCount = 15;

WARPWRIGHT_DATA Device kDevices[kDeviceCount] = {
    {"NVIDIA H200", "sm_90a", {/*max_shared*/ 232448, /*sm_count*/ 132}},
};

// The portfolio; after it the contract's defaults of every variant.
WARPWRIGHT_DATA Configuration kConfigurations[kConfigurationCount] = {
    // 0: threshold CAPACITY=1024 MIN_BLOCKS=8 PREFETCH=0 THREADS=128 UNROLL=3; wins 1 problem
    {Variant::threshold, /*threads*/ 128, /*unroll*/ 3, /*local_k*/ 4, /*online*/ 1,
     /*warps_per_block*/ 4, /*capacity*/ 1024, /*min_blocks*/ 8, /*prefetch*/ 0, /*splits*/ 2,
     /*merge_threads*/ 256,
     "threshold.cu", 1,
     {{"softmax_topk", {128, 1, 1}, {1, 1, 1}, 8192}, {nullptr, {0, 0, 0}, {0, 0, 0}, -1}},
     {58, 8976, 0}, "threshold CAPACITY=1024 MIN_BLOCKS=8 PREFETCH=0 THREADS=128 UNROLL=3"},
    // 1: threshold CAPACITY=1024 MIN_BLOCKS=8 PREFETCH=0 THREADS=128 UNROLL=6; wins 1 problem
    {Variant::threshold, /*threads*/ 128, /*unroll*/ 6, /*local_k*/ 4, /*online*/ 1,
     /*warps_per_block*/ 4, /*capacity*/ 1024, /*min_blocks*/ 8, /*prefetch*/ 0, /*splits*/ 2,
     /*merge_threads*/ 256,
     "threshold.cu", 1,
     {{"softmax_topk", {128, 1, 1}, {1, 1, 1}, 8192}, {nullptr, {0, 0, 0}, {0, 0, 0}, -1}},
     {63, 8976, 0}, "threshold CAPACITY=1024 MIN_BLOCKS=8 PREFETCH=0 THREADS=128 UNROLL=6"},
    // 2: threshold CAPACITY=1024 MIN_BLOCKS=2 PREFETCH=0 THREADS=512 UNROLL=6; wins 1 problem
    {Variant::threshold, /*threads*/ 512, /*unroll*/ 6, /*local_k*/ 4, /*online*/ 1,
     /*warps_per_block*/ 4, /*capacity*/ 1024, /*min_blocks*/ 2, /*prefetch*/ 0, /*splits*/ 2,
     /*merge_threads*/ 256,
     "threshold.cu", 1,
     {{"softmax_topk", {512, 1, 1}, {1, 1, 1}, 8192}, {nullptr, {0, 0, 0}, {0, 0, 0}, -1}},
     {63, 8976, 0}, "threshold CAPACITY=1024 MIN_BLOCKS=2 PREFETCH=0 THREADS=512 UNROLL=6"},
    // 3: threshold CAPACITY=2048 MIN_BLOCKS=3 PREFETCH=0 THREADS=512 UNROLL=6; wins 1 problem
    {Variant::threshold, /*threads*/ 512, /*unroll*/ 6, /*local_k*/ 4, /*online*/ 1,
     /*warps_per_block*/ 4, /*capacity*/ 2048, /*min_blocks*/ 3, /*prefetch*/ 0, /*splits*/ 2,
     /*merge_threads*/ 256,
     "threshold.cu", 1,
     {{"softmax_topk", {512, 1, 1}, {1, 1, 1}, 16384}, {nullptr, {0, 0, 0}, {0, 0, 0}, -1}},
     {40, 17168, 226}, "threshold CAPACITY=2048 MIN_BLOCKS=3 PREFETCH=0 THREADS=512 UNROLL=6"},
    // 4: threshold CAPACITY=1024 MIN_BLOCKS=1 PREFETCH=0 THREADS=1024 UNROLL=3; wins 1 problem
    {Variant::threshold, /*threads*/ 1024, /*unroll*/ 3, /*local_k*/ 4, /*online*/ 1,
     /*warps_per_block*/ 4, /*capacity*/ 1024, /*min_blocks*/ 1, /*prefetch*/ 0, /*splits*/ 2,
     /*merge_threads*/ 256,
     "threshold.cu", 1,
     {{"softmax_topk", {1024, 1, 1}, {1, 1, 1}, 8192}, {nullptr, {0, 0, 0}, {0, 0, 0}, -1}},
     {58, 8976, 0}, "threshold CAPACITY=1024 MIN_BLOCKS=1 PREFETCH=0 THREADS=1024 UNROLL=3"},
    // 5: threshold CAPACITY=1024 MIN_BLOCKS=1 PREFETCH=0 THREADS=1024 UNROLL=8; wins 2 problems
    {Variant::threshold, /*threads*/ 1024, /*unroll*/ 8, /*local_k*/ 4, /*online*/ 1,
     /*warps_per_block*/ 4, /*capacity*/ 1024, /*min_blocks*/ 1, /*prefetch*/ 0, /*splits*/ 2,
     /*merge_threads*/ 256,
     "threshold.cu", 1,
     {{"softmax_topk", {1024, 1, 1}, {1, 1, 1}, 8192}, {nullptr, {0, 0, 0}, {0, 0, 0}, -1}},
     {64, 8976, 60}, "threshold CAPACITY=1024 MIN_BLOCKS=1 PREFETCH=0 THREADS=1024 UNROLL=8"},
    // 6: split CAPACITY=1024 MERGE_THREADS=256 SPLITS=64 THREADS=128 UNROLL=6; wins 1 problem
    {Variant::split, /*threads*/ 128, /*unroll*/ 6, /*local_k*/ 4, /*online*/ 1,
     /*warps_per_block*/ 4, /*capacity*/ 1024, /*min_blocks*/ 4, /*prefetch*/ 0, /*splits*/ 64,
     /*merge_threads*/ 256,
     "split.cu", 2,
     {{"softmax_topk_parts", {128, 1, 1}, {1, 1, 1}, 8192}, {"softmax_topk_merge", {256, 1, 1}, {1, 1, 1}, 0}},
     {64, 8976, 0}, "split CAPACITY=1024 MERGE_THREADS=256 SPLITS=64 THREADS=128 UNROLL=6"},
    // 7: split CAPACITY=1024 MERGE_THREADS=256 SPLITS=8 THREADS=256 UNROLL=8
    {Variant::split, /*threads*/ 256, /*unroll*/ 8, /*local_k*/ 4, /*online*/ 1,
     /*warps_per_block*/ 4, /*capacity*/ 1024, /*min_blocks*/ 4, /*prefetch*/ 0, /*splits*/ 8,
     /*merge_threads*/ 256,
     "split.cu", 2,
     {{"softmax_topk_parts", {256, 1, 1}, {1, 1, 1}, 8192}, {"softmax_topk_merge", {256, 1, 1}, {1, 1, 1}, 0}},
     {78, 8976, 0}, "split CAPACITY=1024 MERGE_THREADS=256 SPLITS=8 THREADS=256 UNROLL=8"},
    // 8: split CAPACITY=1024 MERGE_THREADS=256 SPLITS=16 THREADS=512 UNROLL=6
    {Variant::split, /*threads*/ 512, /*unroll*/ 6, /*local_k*/ 4, /*online*/ 1,
     /*warps_per_block*/ 4, /*capacity*/ 1024, /*min_blocks*/ 4, /*prefetch*/ 0, /*splits*/ 16,
     /*merge_threads*/ 256,
     "split.cu", 2,
     {{"softmax_topk_parts", {512, 1, 1}, {1, 1, 1}, 8192}, {"softmax_topk_merge", {256, 1, 1}, {1, 1, 1}, 0}},
     {81, 8976, 0}, "split CAPACITY=1024 MERGE_THREADS=256 SPLITS=16 THREADS=512 UNROLL=6"},
    // 9: threshold CAPACITY=1024 MIN_BLOCKS=4 PREFETCH=0 THREADS=256 UNROLL=4, the defaults
    {Variant::threshold, /*threads*/ 256, /*unroll*/ 4, /*local_k*/ 4, /*online*/ 1,
     /*warps_per_block*/ 4, /*capacity*/ 1024, /*min_blocks*/ 4, /*prefetch*/ 0, /*splits*/ 2,
     /*merge_threads*/ 256,
     "threshold.cu", 1,
     {{"softmax_topk", {256, 1, 1}, {1, 1, 1}, 8192}, {nullptr, {0, 0, 0}, {0, 0, 0}, -1}},
     {-1, -1, -1}, "threshold CAPACITY=1024 MIN_BLOCKS=4 PREFETCH=0 THREADS=256 UNROLL=4"},
    // 10: split CAPACITY=1024 MERGE_THREADS=256 SPLITS=2 THREADS=256 UNROLL=4, the defaults
    {Variant::split, /*threads*/ 256, /*unroll*/ 4, /*local_k*/ 4, /*online*/ 1,
     /*warps_per_block*/ 4, /*capacity*/ 1024, /*min_blocks*/ 4, /*prefetch*/ 0, /*splits*/ 2,
     /*merge_threads*/ 256,
     "split.cu", 2,
     {{"softmax_topk_parts", {256, 1, 1}, {1, 1, 1}, 8192}, {"softmax_topk_merge", {256, 1, 1}, {1, 1, 1}, 0}},
     {-1, -1, -1}, "split CAPACITY=1024 MERGE_THREADS=256 SPLITS=2 THREADS=256 UNROLL=4"},
    // 11: naive THREADS=256, the defaults
    {Variant::naive, /*threads*/ 256, /*unroll*/ 4, /*local_k*/ 4, /*online*/ 1,
     /*warps_per_block*/ 4, /*capacity*/ 1024, /*min_blocks*/ 4, /*prefetch*/ 0, /*splits*/ 2,
     /*merge_threads*/ 256,
     "naive.cu", 2,
     {{"softmax_rows", {256, 1, 1}, {1, 1, 1}, 0}, {"topk_rows", {256, 1, 1}, {1, 1, 1}, 0}},
     {-1, -1, -1}, "naive THREADS=256"},
    // 12: block_row LOCAL_K=4 ONLINE=1 THREADS=256, the defaults
    {Variant::block_row, /*threads*/ 256, /*unroll*/ 4, /*local_k*/ 4, /*online*/ 1,
     /*warps_per_block*/ 4, /*capacity*/ 1024, /*min_blocks*/ 4, /*prefetch*/ 0, /*splits*/ 2,
     /*merge_threads*/ 256,
     "block_row.cu", 1,
     {{"softmax_topk", {256, 1, 1}, {1, 1, 1}, 0}, {nullptr, {0, 0, 0}, {0, 0, 0}, -1}},
     {-1, -1, -1}, "block_row LOCAL_K=4 ONLINE=1 THREADS=256"},
    // 13: vectorized LOCAL_K=4 THREADS=256 UNROLL=4, the defaults
    {Variant::vectorized, /*threads*/ 256, /*unroll*/ 4, /*local_k*/ 4, /*online*/ 1,
     /*warps_per_block*/ 4, /*capacity*/ 1024, /*min_blocks*/ 4, /*prefetch*/ 0, /*splits*/ 2,
     /*merge_threads*/ 256,
     "vectorized.cu", 1,
     {{"softmax_topk", {256, 1, 1}, {1, 1, 1}, -1}, {nullptr, {0, 0, 0}, {0, 0, 0}, -1}},
     {-1, -1, -1}, "vectorized LOCAL_K=4 THREADS=256 UNROLL=4"},
    // 14: warp_row PREFETCH=0 UNROLL=4 WARPS_PER_BLOCK=4, the defaults
    {Variant::warp_row, /*threads*/ 256, /*unroll*/ 4, /*local_k*/ 4, /*online*/ 1,
     /*warps_per_block*/ 4, /*capacity*/ 1024, /*min_blocks*/ 4, /*prefetch*/ 0, /*splits*/ 2,
     /*merge_threads*/ 256,
     "warp_row.cu", 1,
     {{"softmax_topk", {128, 1, 1}, {1, 1, 1}, 0}, {nullptr, {0, 0, 0}, {0, 0, 0}, -1}},
     {-1, -1, -1}, "warp_row PREFETCH=0 UNROLL=4 WARPS_PER_BLOCK=4"},
};

WARPWRIGHT_DATA Board kBoards[kBoardCount] = {
    // 0: rows=1 V=151936 K=50 dtype=f32 on NVIDIA H200
    {0, {1, 151936, 50, Dtype::f32}, 6, 9.744, 9.696, 9.76, false, "cold-graph-1",
     318, 30, 1,
     "split CAPACITY=1024 MERGE_THREADS=256 SPLITS=16 THREADS=512 UNROLL=6\n",
     "580.159.04", "13.0", "warpwright 0.1.0", "2026-11-21T10:25:05Z",
     "bc6e6f87b24cf4f29f11e39d9baa8343ad22081ddce0f0f5ab2c6e0993e0f04e"},
    // 1: rows=8 V=50257 K=50 dtype=f32 on NVIDIA H200
    {0, {8, 50257, 50, Dtype::f32}, 5, 9.984, 9.952, 10.032, false, "cold-graph-1",
     278, 30, 0,
     "",
     "580.159.04", "13.0", "warpwright 0.1.0", "2026-11-21T10:25:30Z",
     "2cad27e0185f8095a021354a0d68bf6b41f8afc89657a76fefaee67238abde05"},
    // 2: rows=64 V=128256 K=50 dtype=f32 on NVIDIA H200
    {0, {64, 128256, 50, Dtype::f32}, 5, 20.032, 20.0, 20.064, false, "cold-graph-1",
     298, 30, 0,
     "",
     "580.159.04", "13.0", "warpwright 0.1.0", "2026-11-21T10:24:55Z",
     "2cad27e0185f8095a021354a0d68bf6b41f8afc89657a76fefaee67238abde05"},
    // 3: rows=128 V=151936 K=20 dtype=f32 on NVIDIA H200
    {0, {128, 151936, 20, Dtype::f32}, 4, 28.496, 28.416, 28.576, false, "cold-graph-1",
     308, 30, 1,
     "threshold CAPACITY=1024 MIN_BLOCKS=1 PREFETCH=0 THREADS=1024 UNROLL=8\n",
     "580.159.04", "13.0", "warpwright 0.1.0", "2026-11-21T10:25:37Z",
     "2cad27e0185f8095a021354a0d68bf6b41f8afc89657a76fefaee67238abde05"},
    // 4: rows=1024 V=151936 K=20 dtype=f32 on NVIDIA H200
    {0, {1024, 151936, 20, Dtype::f32}, 2, 158.36, 158.192, 158.544, false, "cold-graph-1",
     248, 30, 0,
     "",
     "580.159.04", "13.0", "warpwright 0.1.0", "2026-11-21T10:25:16Z",
     "2cad27e0185f8095a021354a0d68bf6b41f8afc89657a76fefaee67238abde05"},
    // 5: rows=8192 V=50257 K=10 dtype=bf16 on NVIDIA H200
    {0, {8192, 50257, 10, Dtype::bf16}, 0, 299.776, 299.392, 300.064, false, "cold-graph-1",
     184, 30, 0,
     "",
     "580.159.04", "13.0", "warpwright 0.1.0", "2026-11-21T10:25:25Z",
     "2cad27e0185f8095a021354a0d68bf6b41f8afc89657a76fefaee67238abde05"},
    // 6: rows=8192 V=50257 K=10 dtype=f32 on NVIDIA H200
    {0, {8192, 50257, 10, Dtype::f32}, 1, 399.536, 398.944, 400.192, false, "cold-graph-1",
     228, 30, 0,
     "",
     "580.159.04", "13.0", "warpwright 0.1.0", "2026-11-21T10:23:29Z",
     "2cad27e0185f8095a021354a0d68bf6b41f8afc89657a76fefaee67238abde05"},
    // 7: rows=8192 V=50257 K=256 dtype=f32 on NVIDIA H200
    {0, {8192, 50257, 256, Dtype::f32}, 3, 711.016, 710.448, 712.352, false, "cold-graph-1",
     285, 30, 0,
     "",
     "580.159.04", "13.0", "warpwright 0.1.0", "2026-11-21T10:24:35Z",
     "2cad27e0185f8095a021354a0d68bf6b41f8afc89657a76fefaee67238abde05"},
};

// Thousandths of the best that each candidate reaches on each tuned problem, at most that where
// it was stopped early; -1: not tried.
WARPWRIGHT_DATA short kFractions[kCandidateCount][kBoardCount] = {
    {  99,  241,  224,   -1,  968, 1000,  932,   -1},
    { 133,  330,  305,  412,  983,   -1, 1000,   -1},
    { 386,  776,  797,  964, 1000,   -1,  931,   -1},
    {  -1,   -1,   -1,   -1,   -1,   -1,   -1, 1000},
    { 421,  761,  839, 1000,  829,   -1,   -1,   -1},
    { 525, 1000, 1000,  994,  954,   -1,   -1,   -1},
    {1000,   -1,   -1,   -1,   -1,   -1,   -1,   -1},
    {  -1,  940,  831,   -1,   -1,   -1,   -1,   -1},
    { 998,  788,   -1,   -1,   -1,   -1,   -1,   -1},
};

namespace detail {
WARPWRIGHT_DATA double kWorkScale = 2.0;
WARPWRIGHT_DATA double kNearby = 2.0;
WARPWRIGHT_DATA double kPriorFraction = 0.5;
WARPWRIGHT_DATA double kPriorWeight = 0.2;
WARPWRIGHT_DATA double kScoreTie = 1e-09;
WARPWRIGHT_DATA int kAxisCount = 3;

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
WARPWRIGHT_FN Value larger(Value a, Value b) {
  if (!numbers(a, b)) return {};
  if (integers(a, b)) return a.integer < b.integer ? b : a;
  return a.as_real() < b.as_real() ? b.as_real() : a.as_real();
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
  return a.dtype == b.dtype;
}
WARPWRIGHT_FN bool same_sizes(const Problem& a, const Problem& b) {
  return a.rows == b.rows &&
         a.V == b.V &&
         a.K == b.K &&
         a.dtype == b.dtype;
}

// Where a problem lies: distances are Euclidean in log2(1 + size) and in twice the log2 of the
// contract's traffic.
struct Place {
  double axes[3];
  bool counted;
  double work;
};
WARPWRIGHT_FN Place place_of(const Problem& problem) {
  const Value rows = Value(problem.rows);
  const Value V = Value(problem.V);
  const Value K = Value(problem.K);
  const Value dtype = Value(dtype_name(problem.dtype));
  // Bytes that the contract counts.
  const Value work = rows * V * bytes_of(dtype) + rows * K * 8;
  Place place{};
  place.axes[0] = size_scale(static_cast<double>(problem.rows));
  place.axes[1] = size_scale(static_cast<double>(problem.V));
  place.axes[2] = size_scale(static_cast<double>(problem.K));
  place.counted = work.number();
  place.work = place.counted ? size_scale(work.as_real()) : 0;
  return place;
}

WARPWRIGHT_FN Limits complete(Limits given, Limits tuned) {
  if (given.max_shared == 0) given.max_shared = tuned.max_shared;
  if (given.sm_count == 0) given.sm_count = tuned.sm_count;
  return given;
}

WARPWRIGHT_FN bool allowed_naive(const Configuration& configuration, const Problem& problem,
    const Limits& limits) {
  const Value V = Value(problem.V);
  const Value K = Value(problem.K);
  const Value threads = Value(configuration.threads);
  (void)limits;
  // a row must have K entries
  if (!holds(K <= V)) return false;
  // positions in a row are 32-bit integers
  if (!holds(V <= 1073741824)) return false;
  // a block is made of whole warps
  if (!holds(threads % 32 == 0)) return false;
  return true;
}

WARPWRIGHT_FN bool allowed_block_row(const Configuration& configuration, const Problem& problem,
    const Limits& limits) {
  const Value V = Value(problem.V);
  const Value K = Value(problem.K);
  const Value threads = Value(configuration.threads);
  (void)limits;
  // a row must have K entries
  if (!holds(K <= V)) return false;
  // positions in a row are 32-bit integers
  if (!holds(V <= 1073741824)) return false;
  // a block is made of whole warps
  if (!holds(threads % 32 == 0)) return false;
  return true;
}

WARPWRIGHT_FN bool allowed_vectorized(const Configuration& configuration, const Problem& problem,
    const Limits& limits) {
  const Value V = Value(problem.V);
  const Value K = Value(problem.K);
  const Value threads = Value(configuration.threads);
  const Value device_max_shared = Value(limits.max_shared);
  // a row must have K entries
  if (!holds(K <= V)) return false;
  // positions in a row are 32-bit integers
  if (!holds(V <= 1073741824)) return false;
  // a block is made of whole warps
  if (!holds(threads % 32 == 0)) return false;
  // every warp keeps K keys in shared memory
  if (!holds(threads / 32 * K * 8 + 128 <= device_max_shared)) return false;
  return true;
}

WARPWRIGHT_FN bool allowed_warp_row(const Configuration& configuration, const Problem& problem,
    const Limits& limits) {
  const Value V = Value(problem.V);
  const Value K = Value(problem.K);
  (void)configuration;
  (void)limits;
  // a row must have K entries
  if (!holds(K <= V)) return false;
  // positions in a row are 32-bit integers
  if (!holds(V <= 1073741824)) return false;
  // each lane holds one of the K best
  if (!holds(K <= 32)) return false;
  return true;
}

WARPWRIGHT_FN bool allowed_threshold(const Configuration& configuration, const Problem& problem,
    const Limits& limits) {
  const Value V = Value(problem.V);
  const Value K = Value(problem.K);
  const Value dtype = Value(dtype_name(problem.dtype));
  const Value threads = Value(configuration.threads);
  const Value unroll = Value(configuration.unroll);
  const Value capacity = Value(configuration.capacity);
  const Value min_blocks = Value(configuration.min_blocks);
  const Value device_max_shared = Value(limits.max_shared);
  // a row must have K entries
  if (!holds(K <= V)) return false;
  // positions in a row are 32-bit integers
  if (!holds(V <= 1073741824)) return false;
  // a block is made of whole warps
  if (!holds(threads % 32 == 0)) return false;
  // the first threshold is the K-th of the threads' maxima
  if (!holds(K <= threads)) return false;
  // a thread marks its survivors of a tile in one 32-bit word
  if (!holds(unroll * 16 <= 32 * bytes_of(dtype))) return false;
  // each thread takes equally many keys when the buffer is cut back
  if (!holds(capacity % threads == 0)) return false;
  // a buffer that is cut back to K must have room for new candidates
  if (!holds(capacity >= 2 * K)) return false;
  // a thread holds its keys in registers while the buffer is cut back
  if (!holds(capacity <= 16 * threads)) return false;
  // the buffer is in shared memory
  if (!holds(8 * capacity + 1024 <= device_max_shared)) return false;
  // an SM holds 2048 threads
  if (!holds(threads * min_blocks <= 2048)) return false;
  return true;
}

WARPWRIGHT_FN bool allowed_split(const Configuration& configuration, const Problem& problem,
    const Limits& limits) {
  const Value V = Value(problem.V);
  const Value K = Value(problem.K);
  const Value dtype = Value(dtype_name(problem.dtype));
  const Value threads = Value(configuration.threads);
  const Value unroll = Value(configuration.unroll);
  const Value capacity = Value(configuration.capacity);
  const Value splits = Value(configuration.splits);
  const Value merge_threads = Value(configuration.merge_threads);
  const Value device_max_shared = Value(limits.max_shared);
  // a row must have K entries
  if (!holds(K <= V)) return false;
  // positions in a row are 32-bit integers
  if (!holds(V <= 1073741824)) return false;
  // a block is made of whole warps
  if (!holds(threads % 32 == 0 && merge_threads % 32 == 0)) return false;
  // the first threshold is the K-th of the threads' maxima
  if (!holds(K <= threads)) return false;
  // the merge ranks one candidate per thread
  if (!holds(K <= merge_threads)) return false;
  // a thread marks its survivors of a tile in one 32-bit word
  if (!holds(unroll * 16 <= 32 * bytes_of(dtype))) return false;
  // each thread takes equally many keys when the buffer is cut back
  if (!holds(capacity % threads == 0)) return false;
  // a buffer that is cut back to K must have room for new candidates
  if (!holds(capacity >= 2 * K)) return false;
  // a thread holds its keys in registers while the buffer is cut back
  if (!holds(capacity <= 16 * threads)) return false;
  // the buffer is in shared memory
  if (!holds(8 * capacity + 1024 <= device_max_shared)) return false;
  // the parts of a row share its workspace
  if (!holds(splits * (2 * K + 2) <= larger(V, 64 * (2 * K + 2)))) return false;
  // the merge adds one sum per thread
  if (!holds(splits <= merge_threads)) return false;
  // the merge holds the keys of all parts in registers
  if (!holds(splits * K <= 16 * merge_threads)) return false;
  return true;
}
}  // namespace detail

// The contract's types and limits of every size.
WARPWRIGHT_FN bool valid(const Problem& problem) {
  if (problem.rows < 1) return false;
  if (problem.rows > 65535) return false;
  if (problem.V < 1) return false;
  if (problem.K < 1) return false;
  if (problem.K > 256) return false;
  if (dtype_name(problem.dtype) == nullptr) return false;
  return true;
}

// Every constraint of the contract and of the variant holds for this problem on a device with
// these limits.
WARPWRIGHT_FN bool allowed(const Configuration& configuration, const Problem& problem,
    const Limits& limits) {
  switch (configuration.variant) {
    case Variant::naive:
      return detail::allowed_naive(configuration, problem, limits);
    case Variant::block_row:
      return detail::allowed_block_row(configuration, problem, limits);
    case Variant::vectorized:
      return detail::allowed_vectorized(configuration, problem, limits);
    case Variant::warp_row:
      return detail::allowed_warp_row(configuration, problem, limits);
    case Variant::threshold:
      return detail::allowed_threshold(configuration, problem, limits);
    case Variant::split:
      return detail::allowed_split(configuration, problem, limits);
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

WARPWRIGHT_DATA int kDefineLength = 47;
struct Options {
  int count = 0;
  char option[7][kDefineLength] = {};
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
    case Variant::naive:
      detail::put_define(out, "THREADS", detail::Value(configuration.threads));
      break;
    case Variant::block_row:
      detail::put_define(out, "THREADS", detail::Value(configuration.threads));
      detail::put_define(out, "LOCAL_K", detail::Value(configuration.local_k));
      detail::put_define(out, "ONLINE", detail::Value(configuration.online));
      break;
    case Variant::vectorized:
      detail::put_define(out, "THREADS", detail::Value(configuration.threads));
      detail::put_define(out, "UNROLL", detail::Value(configuration.unroll));
      detail::put_define(out, "LOCAL_K", detail::Value(configuration.local_k));
      break;
    case Variant::warp_row:
      detail::put_define(out, "UNROLL", detail::Value(configuration.unroll));
      detail::put_define(out, "WARPS_PER_BLOCK", detail::Value(configuration.warps_per_block));
      detail::put_define(out, "PREFETCH", detail::Value(configuration.prefetch));
      break;
    case Variant::threshold:
      detail::put_define(out, "THREADS", detail::Value(configuration.threads));
      detail::put_define(out, "UNROLL", detail::Value(configuration.unroll));
      detail::put_define(out, "CAPACITY", detail::Value(configuration.capacity));
      detail::put_define(out, "MIN_BLOCKS", detail::Value(configuration.min_blocks));
      detail::put_define(out, "PREFETCH", detail::Value(configuration.prefetch));
      break;
    case Variant::split:
      detail::put_define(out, "THREADS", detail::Value(configuration.threads));
      detail::put_define(out, "UNROLL", detail::Value(configuration.unroll));
      detail::put_define(out, "CAPACITY", detail::Value(configuration.capacity));
      detail::put_define(out, "SPLITS", detail::Value(configuration.splits));
      detail::put_define(out, "MERGE_THREADS", detail::Value(configuration.merge_threads));
      break;
  }
  detail::put_define(out, "TOP_K", detail::Value(problem.K));
  detail::put_define(out, "DTYPE", detail::Value(dtype_name(problem.dtype)));
  return out;
}

namespace detail {
WARPWRIGHT_FN LaunchPlan no_launch() {
  LaunchPlan out{};
  return out;
}

WARPWRIGHT_FN LaunchPlan launch_naive(const Configuration& configuration, const Problem& problem,
    const Limits& limits, int index) {
  const Value rows = Value(problem.rows);
  const Value threads = Value(configuration.threads);
  (void)limits;
  LaunchPlan out = no_launch();
  switch (index) {
    case 0:
      out.ok = true;
      out.entry = "softmax_rows";
      set_extent(out, out.grid[0], rows);
      set_extent(out, out.block[0], threads);
      break;
    case 1:
      out.ok = true;
      out.entry = "topk_rows";
      set_extent(out, out.grid[0], rows);
      set_extent(out, out.block[0], threads);
      break;
    default:
      break;
  }
  return out;
}

WARPWRIGHT_FN LaunchPlan launch_block_row(const Configuration& configuration, const Problem& problem,
    const Limits& limits, int index) {
  const Value rows = Value(problem.rows);
  const Value threads = Value(configuration.threads);
  (void)limits;
  LaunchPlan out = no_launch();
  switch (index) {
    case 0:
      out.ok = true;
      out.entry = "softmax_topk";
      set_extent(out, out.grid[0], rows);
      set_extent(out, out.block[0], threads);
      break;
    default:
      break;
  }
  return out;
}

WARPWRIGHT_FN LaunchPlan launch_vectorized(const Configuration& configuration, const Problem& problem,
    const Limits& limits, int index) {
  const Value rows = Value(problem.rows);
  const Value K = Value(problem.K);
  const Value threads = Value(configuration.threads);
  (void)limits;
  LaunchPlan out = no_launch();
  switch (index) {
    case 0:
      out.ok = true;
      out.entry = "softmax_topk";
      set_extent(out, out.grid[0], rows);
      set_extent(out, out.block[0], threads);
      set_extent(out, out.shared_bytes, threads / 32 * K * 8);
      break;
    default:
      break;
  }
  return out;
}

WARPWRIGHT_FN LaunchPlan launch_warp_row(const Configuration& configuration, const Problem& problem,
    const Limits& limits, int index) {
  const Value rows = Value(problem.rows);
  const Value warps_per_block = Value(configuration.warps_per_block);
  (void)limits;
  LaunchPlan out = no_launch();
  switch (index) {
    case 0:
      out.ok = true;
      out.entry = "softmax_topk";
      set_extent(out, out.grid[0], ceil_div(rows, warps_per_block));
      set_extent(out, out.block[0], 32 * warps_per_block);
      break;
    default:
      break;
  }
  return out;
}

WARPWRIGHT_FN LaunchPlan launch_threshold(const Configuration& configuration, const Problem& problem,
    const Limits& limits, int index) {
  const Value rows = Value(problem.rows);
  const Value threads = Value(configuration.threads);
  const Value capacity = Value(configuration.capacity);
  (void)limits;
  LaunchPlan out = no_launch();
  switch (index) {
    case 0:
      out.ok = true;
      out.entry = "softmax_topk";
      set_extent(out, out.grid[0], rows);
      set_extent(out, out.block[0], threads);
      set_extent(out, out.shared_bytes, 8 * capacity);
      break;
    default:
      break;
  }
  return out;
}

WARPWRIGHT_FN LaunchPlan launch_split(const Configuration& configuration, const Problem& problem,
    const Limits& limits, int index) {
  const Value rows = Value(problem.rows);
  const Value threads = Value(configuration.threads);
  const Value capacity = Value(configuration.capacity);
  const Value splits = Value(configuration.splits);
  const Value merge_threads = Value(configuration.merge_threads);
  (void)limits;
  LaunchPlan out = no_launch();
  switch (index) {
    case 0:
      out.ok = true;
      out.entry = "softmax_topk_parts";
      set_extent(out, out.grid[0], splits);
      set_extent(out, out.grid[1], rows);
      set_extent(out, out.block[0], threads);
      set_extent(out, out.shared_bytes, 8 * capacity);
      break;
    case 1:
      out.ok = true;
      out.entry = "softmax_topk_merge";
      set_extent(out, out.grid[0], rows);
      set_extent(out, out.block[0], merge_threads);
      break;
    default:
      break;
  }
  return out;
}
}  // namespace detail

// Launch `index` of configuration.launch_count, in stream order. Give it the limits of the
// selection.
WARPWRIGHT_FN LaunchPlan launch(const Configuration& configuration, const Problem& problem,
    const Limits& limits, int index) {
  switch (configuration.variant) {
    case Variant::naive:
      return detail::launch_naive(configuration, problem, limits, index);
    case Variant::block_row:
      return detail::launch_block_row(configuration, problem, limits, index);
    case Variant::vectorized:
      return detail::launch_vectorized(configuration, problem, limits, index);
    case Variant::warp_row:
      return detail::launch_warp_row(configuration, problem, limits, index);
    case Variant::threshold:
      return detail::launch_threshold(configuration, problem, limits, index);
    case Variant::split:
      return detail::launch_split(configuration, problem, limits, index);
  }
  return detail::no_launch();
}

}  // namespace softmax_topk
}  // namespace warpwright

#undef WARPWRIGHT_FN
#undef WARPWRIGHT_DATA
