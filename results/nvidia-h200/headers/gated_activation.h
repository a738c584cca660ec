// clang-format off
// gated_activation: Gated activation, out = act(g) * u element by element, act being SiLU
// (SwiGLU) or the tanh form of GELU (GeGLU)
// Tuned configurations, written by `warpwright export`. Do not edit: export again. (warpwright
// 0.1.0)
// NVIDIA H200 (sm_90a): 10 problems, 1960 configurations tried; times are measured.
// Left out one at a time, 6 of 10 tuned problems get a configuration within 10 % of their best
// from the others.
//
//   namespace tuned = warpwright::gated_activation;
//   const tuned::Problem problem{1, 4096, tuned::Activation::gelu_tanh, tuned::Dtype::bf16};
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
namespace gated_activation {

enum class Activation { silu, gelu_tanh };
WARPWRIGHT_FN const char* activation_name(Activation v) {
  switch (v) {
    case Activation::silu:
      return "silu";
    case Activation::gelu_tanh:
      return "gelu_tanh";
  }
  return nullptr;
}

enum class Dtype { f32, bf16, f16 };
WARPWRIGHT_FN const char* dtype_name(Dtype v) {
  switch (v) {
    case Dtype::f32:
      return "f32";
    case Dtype::bf16:
      return "bf16";
    case Dtype::f16:
      return "f16";
  }
  return nullptr;
}

enum class LoadHint { none, streaming };
WARPWRIGHT_FN const char* load_hint_name(LoadHint v) {
  switch (v) {
    case LoadHint::none:
      return "none";
    case LoadHint::streaming:
      return "streaming";
  }
  return nullptr;
}

enum class StoreHint { none, streaming };
WARPWRIGHT_FN const char* store_hint_name(StoreHint v) {
  switch (v) {
    case StoreHint::none:
      return "none";
    case StoreHint::streaming:
      return "streaming";
  }
  return nullptr;
}

enum class Variant { scalar, flat, persistent };
WARPWRIGHT_FN const char* variant_name(Variant v) {
  switch (v) {
    case Variant::scalar:
      return "scalar";
    case Variant::flat:
      return "flat";
    case Variant::persistent:
      return "persistent";
  }
  return nullptr;
}

struct Problem {
  long long rows = 0;  // tokens; at least 1
  long long d = 0;  // width of the hidden layer; at least 1
  Activation activation = Activation::silu;  // of the gate: silu is SwiGLU, gelu_tanh is GeGLU
  Dtype dtype = Dtype::bf16;
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
  Variant variant = Variant::scalar;
  long long threads = 256;  // THREADS: threads per block
  // THREADS_PER_SM: threads that must fit on an SM at once; each gets 65536 / THREADS_PER_SM
  // registers
  long long threads_per_sm = 1024;
  long long unroll = 2;  // UNROLL: accesses per operand that a thread has in flight
  long long prefetch = 1;  // PREFETCH: 1 loads the next tile before computing the current one
  long long vector_bytes = 16;  // VECTOR_BYTES: bytes per access of a thread
  LoadHint load_hint = LoadHint::none;  // LOAD_HINT: streaming keeps the inputs out of L1
  StoreHint store_hint = StoreHint::none;  // STORE_HINT: streaming lets L2 evict the result first
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
WARPWRIGHT_DATA int kBoardCount = 10;
WARPWRIGHT_DATA int kCandidateCount = 10;
WARPWRIGHT_DATA int kConfigurationCount = 13;

WARPWRIGHT_DATA Device kDevices[kDeviceCount] = {
    {"NVIDIA H200", "sm_90a", {/*max_shared*/ 232448, /*sm_count*/ 132}},
};

// The portfolio; after it the contract's defaults of every variant.
WARPWRIGHT_DATA Configuration kConfigurations[kConfigurationCount] = {
    // 0: scalar THREADS=64; wins 1 problem
    {Variant::scalar, /*threads*/ 64, /*threads_per_sm*/ 1024, /*unroll*/ 2, /*prefetch*/ 1,
     /*vector_bytes*/ 16, /*load_hint*/ LoadHint::none, /*store_hint*/ StoreHint::none,
     "scalar.cu", 1,
     {{"gated_activation", {64, 1, 1}, {1, 1, 1}, 0}},
     {12, 0, 0}, "scalar THREADS=64"},
    // 1: flat LOAD_HINT=none STORE_HINT=none THREADS=256 THREADS_PER_SM=1024 UNROLL=1
    // VECTOR_BYTES=16; wins 2 problems
    {Variant::flat, /*threads*/ 256, /*threads_per_sm*/ 1024, /*unroll*/ 1, /*prefetch*/ 1,
     /*vector_bytes*/ 16, /*load_hint*/ LoadHint::none, /*store_hint*/ StoreHint::none,
     "flat.cu", 1,
     {{"gated_activation", {256, 1, 1}, {1, 1, 1}, 0}},
     {34, 0, 0}, "flat LOAD_HINT=none STORE_HINT=none THREADS=256 THREADS_PER_SM=1024 UNROLL=1 VECTOR_BYTES=16"},
    // 2: flat LOAD_HINT=none STORE_HINT=none THREADS=256 THREADS_PER_SM=2048 UNROLL=1
    // VECTOR_BYTES=8; wins 1 problem
    {Variant::flat, /*threads*/ 256, /*threads_per_sm*/ 2048, /*unroll*/ 1, /*prefetch*/ 1,
     /*vector_bytes*/ 8, /*load_hint*/ LoadHint::none, /*store_hint*/ StoreHint::none,
     "flat.cu", 1,
     {{"gated_activation", {256, 1, 1}, {1, 1, 1}, 0}},
     {27, 0, 0}, "flat LOAD_HINT=none STORE_HINT=none THREADS=256 THREADS_PER_SM=2048 UNROLL=1 VECTOR_BYTES=8"},
    // 3: flat LOAD_HINT=none STORE_HINT=none THREADS=512 THREADS_PER_SM=1024 UNROLL=1
    // VECTOR_BYTES=8; wins 1 problem
    {Variant::flat, /*threads*/ 512, /*threads_per_sm*/ 1024, /*unroll*/ 1, /*prefetch*/ 1,
     /*vector_bytes*/ 8, /*load_hint*/ LoadHint::none, /*store_hint*/ StoreHint::none,
     "flat.cu", 1,
     {{"gated_activation", {512, 1, 1}, {1, 1, 1}, 0}},
     {27, 0, 0}, "flat LOAD_HINT=none STORE_HINT=none THREADS=512 THREADS_PER_SM=1024 UNROLL=1 VECTOR_BYTES=8"},
    // 4: flat LOAD_HINT=none STORE_HINT=streaming THREADS=512 THREADS_PER_SM=1024 UNROLL=4
    // VECTOR_BYTES=16; wins 1 problem
    {Variant::flat, /*threads*/ 512, /*threads_per_sm*/ 1024, /*unroll*/ 4, /*prefetch*/ 1,
     /*vector_bytes*/ 16, /*load_hint*/ LoadHint::none, /*store_hint*/ StoreHint::streaming,
     "flat.cu", 1,
     {{"gated_activation", {512, 1, 1}, {1, 1, 1}, 0}},
     {64, 0, 0}, "flat LOAD_HINT=none STORE_HINT=streaming THREADS=512 THREADS_PER_SM=1024 UNROLL=4 VECTOR_BYTES=16"},
    // 5: flat LOAD_HINT=none STORE_HINT=streaming THREADS=512 THREADS_PER_SM=2048 UNROLL=1
    // VECTOR_BYTES=16
    {Variant::flat, /*threads*/ 512, /*threads_per_sm*/ 2048, /*unroll*/ 1, /*prefetch*/ 1,
     /*vector_bytes*/ 16, /*load_hint*/ LoadHint::none, /*store_hint*/ StoreHint::streaming,
     "flat.cu", 1,
     {{"gated_activation", {512, 1, 1}, {1, 1, 1}, 0}},
     {32, 0, 0}, "flat LOAD_HINT=none STORE_HINT=streaming THREADS=512 THREADS_PER_SM=2048 UNROLL=1 VECTOR_BYTES=16"},
    // 6: flat LOAD_HINT=none STORE_HINT=none THREADS=1024 THREADS_PER_SM=1024 UNROLL=1
    // VECTOR_BYTES=16; wins 1 problem
    {Variant::flat, /*threads*/ 1024, /*threads_per_sm*/ 1024, /*unroll*/ 1, /*prefetch*/ 1,
     /*vector_bytes*/ 16, /*load_hint*/ LoadHint::none, /*store_hint*/ StoreHint::none,
     "flat.cu", 1,
     {{"gated_activation", {1024, 1, 1}, {1, 1, 1}, 0}},
     {34, 0, 0}, "flat LOAD_HINT=none STORE_HINT=none THREADS=1024 THREADS_PER_SM=1024 UNROLL=1 VECTOR_BYTES=16"},
    // 7: flat LOAD_HINT=none STORE_HINT=none THREADS=1024 THREADS_PER_SM=2048 UNROLL=1
    // VECTOR_BYTES=16; wins 1 problem
    {Variant::flat, /*threads*/ 1024, /*threads_per_sm*/ 2048, /*unroll*/ 1, /*prefetch*/ 1,
     /*vector_bytes*/ 16, /*load_hint*/ LoadHint::none, /*store_hint*/ StoreHint::none,
     "flat.cu", 1,
     {{"gated_activation", {1024, 1, 1}, {1, 1, 1}, 0}},
     {32, 0, 0}, "flat LOAD_HINT=none STORE_HINT=none THREADS=1024 THREADS_PER_SM=2048 UNROLL=1 VECTOR_BYTES=16"},
    // 8: flat LOAD_HINT=none STORE_HINT=streaming THREADS=1024 THREADS_PER_SM=2048 UNROLL=2
    // VECTOR_BYTES=16; wins 1 problem
    {Variant::flat, /*threads*/ 1024, /*threads_per_sm*/ 2048, /*unroll*/ 2, /*prefetch*/ 1,
     /*vector_bytes*/ 16, /*load_hint*/ LoadHint::none, /*store_hint*/ StoreHint::streaming,
     "flat.cu", 1,
     {{"gated_activation", {1024, 1, 1}, {1, 1, 1}, 0}},
     {32, 0, 0}, "flat LOAD_HINT=none STORE_HINT=streaming THREADS=1024 THREADS_PER_SM=2048 UNROLL=2 VECTOR_BYTES=16"},
    // 9: persistent LOAD_HINT=none PREFETCH=1 STORE_HINT=none THREADS=256 THREADS_PER_SM=1024
    // UNROLL=1 VECTOR_BYTES=8; wins 1 problem
    {Variant::persistent, /*threads*/ 256, /*threads_per_sm*/ 1024, /*unroll*/ 1, /*prefetch*/ 1,
     /*vector_bytes*/ 8, /*load_hint*/ LoadHint::none, /*store_hint*/ StoreHint::none,
     "persistent.cu", 1,
     {{"gated_activation", {256, 1, 1}, {1, 1, 1}, 0}},
     {30, 0, 0}, "persistent LOAD_HINT=none PREFETCH=1 STORE_HINT=none THREADS=256 THREADS_PER_SM=1024 UNROLL=1 VECTOR_BYTES=8"},
    // 10: flat LOAD_HINT=none STORE_HINT=none THREADS=256 THREADS_PER_SM=1024 UNROLL=2
    // VECTOR_BYTES=16, the defaults
    {Variant::flat, /*threads*/ 256, /*threads_per_sm*/ 1024, /*unroll*/ 2, /*prefetch*/ 1,
     /*vector_bytes*/ 16, /*load_hint*/ LoadHint::none, /*store_hint*/ StoreHint::none,
     "flat.cu", 1,
     {{"gated_activation", {256, 1, 1}, {1, 1, 1}, 0}},
     {-1, -1, -1}, "flat LOAD_HINT=none STORE_HINT=none THREADS=256 THREADS_PER_SM=1024 UNROLL=2 VECTOR_BYTES=16"},
    // 11: persistent LOAD_HINT=none PREFETCH=1 STORE_HINT=none THREADS=256 THREADS_PER_SM=1024
    // UNROLL=2 VECTOR_BYTES=16, the defaults
    {Variant::persistent, /*threads*/ 256, /*threads_per_sm*/ 1024, /*unroll*/ 2, /*prefetch*/ 1,
     /*vector_bytes*/ 16, /*load_hint*/ LoadHint::none, /*store_hint*/ StoreHint::none,
     "persistent.cu", 1,
     {{"gated_activation", {256, 1, 1}, {1, 1, 1}, 0}},
     {-1, -1, -1}, "persistent LOAD_HINT=none PREFETCH=1 STORE_HINT=none THREADS=256 THREADS_PER_SM=1024 UNROLL=2 VECTOR_BYTES=16"},
    // 12: scalar THREADS=256, the defaults
    {Variant::scalar, /*threads*/ 256, /*threads_per_sm*/ 1024, /*unroll*/ 2, /*prefetch*/ 1,
     /*vector_bytes*/ 16, /*load_hint*/ LoadHint::none, /*store_hint*/ StoreHint::none,
     "scalar.cu", 1,
     {{"gated_activation", {256, 1, 1}, {1, 1, 1}, 0}},
     {-1, -1, -1}, "scalar THREADS=256"},
};

WARPWRIGHT_DATA Board kBoards[kBoardCount] = {
    // 0: rows=1 d=4096 activation=gelu_tanh dtype=bf16 on NVIDIA H200
    {0, {1, 4096, Activation::gelu_tanh, Dtype::bf16}, 0, 0.8640001, 0.832, 0.8800001, false, "cold-graph-1",
     196, 200, 4,
     "persistent LOAD_HINT=none PREFETCH=0 STORE_HINT=none THREADS=256 THREADS_PER_SM=1024 UNROLL=1 VECTOR_BYTES=8\n"
     "flat LOAD_HINT=none STORE_HINT=none THREADS=256 THREADS_PER_SM=1024 UNROLL=1 VECTOR_BYTES=8\n"
     "flat LOAD_HINT=none STORE_HINT=none THREADS=256 THREADS_PER_SM=2048 UNROLL=1 VECTOR_BYTES=8\n"
     "flat LOAD_HINT=none STORE_HINT=none THREADS=64 THREADS_PER_SM=2048 UNROLL=1 VECTOR_BYTES=8\n",
     "580.159.04", "13.0", "warpwright 0.1.0 (commit 34b103cef39f)", "2026-11-23T07:50:57Z",
     "9443b37f43b548a8425572a35a831bf9dec9186c00c1966964c4d4ed1d980339"},
    // 1: rows=1 d=4096 activation=silu dtype=bf16 on NVIDIA H200
    {0, {1, 4096, Activation::silu, Dtype::bf16}, 2, 0.832, 0.8, 0.8640001, false, "cold-graph-1",
     196, 200, 2,
     "persistent LOAD_HINT=none PREFETCH=0 STORE_HINT=none THREADS=256 THREADS_PER_SM=1024 UNROLL=1 VECTOR_BYTES=8\n"
     "flat LOAD_HINT=none STORE_HINT=none THREADS=512 THREADS_PER_SM=2048 UNROLL=1 VECTOR_BYTES=8\n",
     "580.159.04", "13.0", "warpwright 0.1.0 (commit 34b103cef39f)", "2026-11-23T07:50:53Z",
     "961077d7738554aacb895b1f90f1cfd99af0efb45eb2e4416aafdbf68f3e6a36"},
    // 2: rows=32 d=8192 activation=gelu_tanh dtype=bf16 on NVIDIA H200
    {0, {32, 8192, Activation::gelu_tanh, Dtype::bf16}, 3, 1.552, 1.536, 1.584, false, "cold-graph-1",
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
    // 3: rows=32 d=8192 activation=silu dtype=bf16 on NVIDIA H200
    {0, {32, 8192, Activation::silu, Dtype::bf16}, 9, 1.608, 1.584, 1.648, false, "cold-graph-1",
     196, 200, 5,
     "flat LOAD_HINT=none STORE_HINT=none THREADS=512 THREADS_PER_SM=2048 UNROLL=1 VECTOR_BYTES=16\n"
     "flat LOAD_HINT=none STORE_HINT=streaming THREADS=512 THREADS_PER_SM=1024 UNROLL=1 VECTOR_BYTES=16\n"
     "persistent LOAD_HINT=none PREFETCH=0 STORE_HINT=streaming THREADS=512 THREADS_PER_SM=1024 UNROLL=1 VECTOR_BYTES=16\n"
     "persistent LOAD_HINT=none PREFETCH=1 STORE_HINT=none THREADS=512 THREADS_PER_SM=2048 UNROLL=1 VECTOR_BYTES=8\n"
     "persistent LOAD_HINT=none PREFETCH=1 STORE_HINT=none THREADS=256 THREADS_PER_SM=1024 UNROLL=1 VECTOR_BYTES=16\n",
     "580.159.04", "13.0", "warpwright 0.1.0 (commit 34b103cef39f)", "2026-11-23T07:51:06Z",
     "1bde26fae692bb186173dbe41d14b629cfa525e3e01284c5d4ffe6aed2c3c2bc"},
    // 4: rows=128 d=14336 activation=gelu_tanh dtype=bf16 on NVIDIA H200
    {0, {128, 14336, Activation::gelu_tanh, Dtype::bf16}, 8, 4.032, 3.984, 4.08, false, "cold-graph-1",
     196, 60, 0,
     "",
     "580.159.04", "13.0", "warpwright 0.1.0 (commit 34b103cef39f)", "2026-11-23T07:50:48Z",
     "961077d7738554aacb895b1f90f1cfd99af0efb45eb2e4416aafdbf68f3e6a36"},
    // 5: rows=128 d=14336 activation=silu dtype=bf16 on NVIDIA H200
    {0, {128, 14336, Activation::silu, Dtype::bf16}, 4, 4.104, 4.064, 4.128, false, "cold-graph-1",
     196, 80, 1,
     "flat LOAD_HINT=streaming STORE_HINT=streaming THREADS=512 THREADS_PER_SM=1024 UNROLL=4 VECTOR_BYTES=16\n",
     "580.159.04", "13.0", "warpwright 0.1.0 (commit 34b103cef39f)", "2026-11-23T07:50:27Z",
     "961077d7738554aacb895b1f90f1cfd99af0efb45eb2e4416aafdbf68f3e6a36"},
    // 6: rows=1024 d=8192 activation=gelu_tanh dtype=bf16 on NVIDIA H200
    {0, {1024, 8192, Activation::gelu_tanh, Dtype::bf16}, 1, 13.984, 13.92, 13.984, false, "cold-graph-1",
     196, 30, 3,
     "flat LOAD_HINT=none STORE_HINT=none THREADS=64 THREADS_PER_SM=1024 UNROLL=1 VECTOR_BYTES=16\n"
     "flat LOAD_HINT=none STORE_HINT=streaming THREADS=64 THREADS_PER_SM=1024 UNROLL=1 VECTOR_BYTES=16\n"
     "flat LOAD_HINT=none STORE_HINT=streaming THREADS=256 THREADS_PER_SM=1024 UNROLL=1 VECTOR_BYTES=16\n",
     "580.159.04", "13.0", "warpwright 0.1.0 (commit 34b103cef39f)", "2026-11-23T07:52:00Z",
     "961077d7738554aacb895b1f90f1cfd99af0efb45eb2e4416aafdbf68f3e6a36"},
    // 7: rows=1024 d=8192 activation=silu dtype=bf16 on NVIDIA H200
    {0, {1024, 8192, Activation::silu, Dtype::bf16}, 1, 14.048, 13.984, 14.112, false, "cold-graph-1",
     196, 30, 5,
     "flat LOAD_HINT=streaming STORE_HINT=streaming THREADS=512 THREADS_PER_SM=1024 UNROLL=4 VECTOR_BYTES=16\n"
     "flat LOAD_HINT=streaming STORE_HINT=streaming THREADS=64 THREADS_PER_SM=1024 UNROLL=4 VECTOR_BYTES=16\n"
     "flat LOAD_HINT=streaming STORE_HINT=streaming THREADS=256 THREADS_PER_SM=1024 UNROLL=4 VECTOR_BYTES=16\n"
     "flat LOAD_HINT=none STORE_HINT=none THREADS=64 THREADS_PER_SM=1024 UNROLL=1 VECTOR_BYTES=16\n"
     "flat LOAD_HINT=none STORE_HINT=none THREADS=64 THREADS_PER_SM=2048 UNROLL=1 VECTOR_BYTES=16\n",
     "580.159.04", "13.0", "warpwright 0.1.0 (commit 34b103cef39f)", "2026-11-23T07:51:37Z",
     "961077d7738554aacb895b1f90f1cfd99af0efb45eb2e4416aafdbf68f3e6a36"},
    // 8: rows=8192 d=14336 activation=gelu_tanh dtype=bf16 on NVIDIA H200
    {0, {8192, 14336, Activation::gelu_tanh, Dtype::bf16}, 7, 162.8, 162.64, 162.912, false, "cold-graph-1",
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
    // 9: rows=8192 d=14336 activation=silu dtype=bf16 on NVIDIA H200
    {0, {8192, 14336, Activation::silu, Dtype::bf16}, 6, 162.848, 162.656, 162.912, false, "cold-graph-1",
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

// Thousandths of the best that each candidate reaches on each tuned problem, at most that where
// it was stopped early; -1: not tried.
WARPWRIGHT_DATA short kFractions[kCandidateCount][kBoardCount] = {
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

namespace detail {
WARPWRIGHT_DATA double kWorkScale = 2.0;
WARPWRIGHT_DATA double kNearby = 2.0;
WARPWRIGHT_DATA double kPriorFraction = 0.5;
WARPWRIGHT_DATA double kPriorWeight = 0.2;
WARPWRIGHT_DATA double kScoreTie = 1e-09;
WARPWRIGHT_DATA int kAxisCount = 2;

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
WARPWRIGHT_FN Value operator>=(Value a, Value b) { return !(a < b); }
WARPWRIGHT_FN Value operator==(Value a, Value b) {
  if (a.kind == Value::kText && b.kind == Value::kText) return same_text(a.text, b.text);
  if (!numbers(a, b)) return {};
  return integers(a, b) ? a.integer == b.integer : a.as_real() == b.as_real();
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
  return a.activation == b.activation &&
         a.dtype == b.dtype;
}
WARPWRIGHT_FN bool same_sizes(const Problem& a, const Problem& b) {
  return a.rows == b.rows &&
         a.d == b.d &&
         a.activation == b.activation &&
         a.dtype == b.dtype;
}

// Where a problem lies: distances are Euclidean in log2(1 + size) and in twice the log2 of the
// contract's traffic.
struct Place {
  double axes[2];
  bool counted;
  double work;
};
WARPWRIGHT_FN Place place_of(const Problem& problem) {
  const Value rows = Value(problem.rows);
  const Value d = Value(problem.d);
  const Value dtype = Value(dtype_name(problem.dtype));
  // Bytes that the contract counts.
  const Value work = 3 * rows * d * bytes_of(dtype);
  Place place{};
  place.axes[0] = size_scale(static_cast<double>(problem.rows));
  place.axes[1] = size_scale(static_cast<double>(problem.d));
  place.counted = work.number();
  place.work = place.counted ? size_scale(work.as_real()) : 0;
  return place;
}

WARPWRIGHT_FN Limits complete(Limits given, Limits tuned) {
  if (given.max_shared == 0) given.max_shared = tuned.max_shared;
  if (given.sm_count == 0) given.sm_count = tuned.sm_count;
  return given;
}

WARPWRIGHT_FN bool allowed_scalar(const Configuration& configuration, const Problem& problem,
    const Limits& limits) {
  const Value threads = Value(configuration.threads);
  (void)problem;
  (void)limits;
  // a block is made of whole warps
  if (!holds(threads % 32 == 0)) return false;
  return true;
}

WARPWRIGHT_FN bool allowed_flat(const Configuration& configuration, const Problem& problem,
    const Limits& limits) {
  const Value dtype = Value(dtype_name(problem.dtype));
  const Value threads = Value(configuration.threads);
  const Value threads_per_sm = Value(configuration.threads_per_sm);
  const Value vector_bytes = Value(configuration.vector_bytes);
  (void)limits;
  // a block is made of whole warps
  if (!holds(threads % 32 == 0)) return false;
  // an access holds at least one element
  if (!holds(vector_bytes >= bytes_of(dtype))) return false;
  // blocks of THREADS must add up to THREADS_PER_SM
  if (!holds(threads_per_sm % threads == 0)) return false;
  return true;
}

WARPWRIGHT_FN bool allowed_persistent(const Configuration& configuration, const Problem& problem,
    const Limits& limits) {
  const Value dtype = Value(dtype_name(problem.dtype));
  const Value threads = Value(configuration.threads);
  const Value threads_per_sm = Value(configuration.threads_per_sm);
  const Value vector_bytes = Value(configuration.vector_bytes);
  (void)limits;
  // a block is made of whole warps
  if (!holds(threads % 32 == 0)) return false;
  // an access holds at least one element
  if (!holds(vector_bytes >= bytes_of(dtype))) return false;
  // blocks of THREADS must add up to THREADS_PER_SM
  if (!holds(threads_per_sm % threads == 0)) return false;
  return true;
}
}  // namespace detail

// The contract's types and limits of every size.
WARPWRIGHT_FN bool valid(const Problem& problem) {
  if (problem.rows < 1) return false;
  if (problem.d < 1) return false;
  if (activation_name(problem.activation) == nullptr) return false;
  if (dtype_name(problem.dtype) == nullptr) return false;
  return true;
}

// Every constraint of the contract and of the variant holds for this problem on a device with
// these limits.
WARPWRIGHT_FN bool allowed(const Configuration& configuration, const Problem& problem,
    const Limits& limits) {
  switch (configuration.variant) {
    case Variant::scalar:
      return detail::allowed_scalar(configuration, problem, limits);
    case Variant::flat:
      return detail::allowed_flat(configuration, problem, limits);
    case Variant::persistent:
      return detail::allowed_persistent(configuration, problem, limits);
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

WARPWRIGHT_DATA int kDefineLength = 46;
struct Options {
  int count = 0;
  char option[9][kDefineLength] = {};
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
    case Variant::scalar:
      detail::put_define(out, "THREADS", detail::Value(configuration.threads));
      break;
    case Variant::flat:
      detail::put_define(out, "THREADS", detail::Value(configuration.threads));
      detail::put_define(out, "THREADS_PER_SM", detail::Value(configuration.threads_per_sm));
      detail::put_define(out, "UNROLL", detail::Value(configuration.unroll));
      detail::put_define(out, "VECTOR_BYTES", detail::Value(configuration.vector_bytes));
      detail::put_define(out, "LOAD_HINT", detail::Value(load_hint_name(configuration.load_hint)));
      detail::put_define(out, "STORE_HINT", detail::Value(store_hint_name(configuration.store_hint)));
      break;
    case Variant::persistent:
      detail::put_define(out, "THREADS", detail::Value(configuration.threads));
      detail::put_define(out, "THREADS_PER_SM", detail::Value(configuration.threads_per_sm));
      detail::put_define(out, "UNROLL", detail::Value(configuration.unroll));
      detail::put_define(out, "PREFETCH", detail::Value(configuration.prefetch));
      detail::put_define(out, "VECTOR_BYTES", detail::Value(configuration.vector_bytes));
      detail::put_define(out, "LOAD_HINT", detail::Value(load_hint_name(configuration.load_hint)));
      detail::put_define(out, "STORE_HINT", detail::Value(store_hint_name(configuration.store_hint)));
      break;
  }
  detail::put_define(out, "ACTIVATION", detail::Value(activation_name(problem.activation)));
  detail::put_define(out, "DTYPE", detail::Value(dtype_name(problem.dtype)));
  return out;
}

namespace detail {
WARPWRIGHT_FN LaunchPlan no_launch() {
  LaunchPlan out{};
  return out;
}

WARPWRIGHT_FN LaunchPlan launch_scalar(const Configuration& configuration, const Problem& problem,
    const Limits& limits, int index) {
  const Value rows = Value(problem.rows);
  const Value d = Value(problem.d);
  const Value threads = Value(configuration.threads);
  (void)limits;
  LaunchPlan out = no_launch();
  switch (index) {
    case 0:
      out.ok = true;
      out.entry = "gated_activation";
      set_extent(out, out.grid[0], ceil_div(rows * d, threads));
      set_extent(out, out.block[0], threads);
      break;
    default:
      break;
  }
  return out;
}

WARPWRIGHT_FN LaunchPlan launch_flat(const Configuration& configuration, const Problem& problem,
    const Limits& limits, int index) {
  const Value rows = Value(problem.rows);
  const Value d = Value(problem.d);
  const Value dtype = Value(dtype_name(problem.dtype));
  const Value threads = Value(configuration.threads);
  const Value unroll = Value(configuration.unroll);
  const Value vector_bytes = Value(configuration.vector_bytes);
  (void)limits;
  LaunchPlan out = no_launch();
  switch (index) {
    case 0:
      out.ok = true;
      out.entry = "gated_activation";
      set_extent(out, out.grid[0], ceil_div(rows * d, threads * unroll * (vector_bytes / bytes_of(dtype))));
      set_extent(out, out.block[0], threads);
      break;
    default:
      break;
  }
  return out;
}

WARPWRIGHT_FN LaunchPlan launch_persistent(const Configuration& configuration, const Problem& problem,
    const Limits& limits, int index) {
  const Value rows = Value(problem.rows);
  const Value d = Value(problem.d);
  const Value dtype = Value(dtype_name(problem.dtype));
  const Value threads = Value(configuration.threads);
  const Value threads_per_sm = Value(configuration.threads_per_sm);
  const Value unroll = Value(configuration.unroll);
  const Value vector_bytes = Value(configuration.vector_bytes);
  const Value device_sm_count = Value(limits.sm_count);
  LaunchPlan out = no_launch();
  switch (index) {
    case 0:
      out.ok = true;
      out.entry = "gated_activation";
      set_extent(out, out.grid[0], smaller(ceil_div(rows * d, threads * unroll * (vector_bytes / bytes_of(dtype))), device_sm_count * (threads_per_sm / threads)));
      set_extent(out, out.block[0], threads);
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
    case Variant::scalar:
      return detail::launch_scalar(configuration, problem, limits, index);
    case Variant::flat:
      return detail::launch_flat(configuration, problem, limits, index);
    case Variant::persistent:
      return detail::launch_persistent(configuration, problem, limits, index);
  }
  return detail::no_launch();
}

}  // namespace gated_activation
}  // namespace warpwright

#undef WARPWRIGHT_FN
#undef WARPWRIGHT_DATA
