// clang-format off
// row_mix: Mixes rows; "quoted" * / and // commented
// Tuned configurations, written by `warpwright export`. Do not edit: export again. (warpwright
// 0.1.0)
// NVIDIA H200 (sm_90a): 4 problems, 48 configurations tried; times are measured.
// NVIDIA H100 (sm_90a): 1 problem, 12 configurations tried; times are measured.
// Left out one at a time, 3 of 4 tuned problems get a configuration within 10 % of their best
// from the others.
//
//   namespace tuned = warpwright::row_mix;
//   const tuned::Problem problem{16, 64, tuned::Dtype::f32, 1, 1e-05, false};
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
namespace row_mix {

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

enum class Hint { none, streaming };
WARPWRIGHT_FN const char* hint_name(Hint v) {
  switch (v) {
    case Hint::none:
      return "none";
    case Hint::streaming:
      return "streaming";
  }
  return nullptr;
}

enum class Variant { wide, warp };
WARPWRIGHT_FN const char* variant_name(Variant v) {
  switch (v) {
    case Variant::wide:
      return "wide";
    case Variant::warp:
      return "warp";
  }
  return nullptr;
}

struct Problem {
  long long rows = 0;  // tokens; 1 to 65535
  long long K = 0;  // kept per row; 1 to 256
  Dtype dtype = Dtype::f32;
  long long write_z = 1;
  double eps = 1e-05;  // at least 0
  bool causal = false;
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
  Variant variant = Variant::wide;
  long long threads = 256;  // THREADS: threads per block
  Hint hint = Hint::none;  // HINT: of loads
  double scale = 0.5;  // SCALE
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

WARPWRIGHT_DATA int kDeviceCount = 2;
WARPWRIGHT_DATA int kBoardCount = 5;
WARPWRIGHT_DATA int kCandidateCount = 4;
WARPWRIGHT_DATA int kConfigurationCount = 6;

WARPWRIGHT_DATA Device kDevices[kDeviceCount] = {
    {"NVIDIA H200", "sm_90a", {/*max_shared*/ 232448, /*sm_count*/ 132}},
    {"NVIDIA H100", "sm_90a", {/*max_shared*/ 232448, /*sm_count*/ 114}},
};

// The portfolio; after it the contract's defaults of every variant.
WARPWRIGHT_DATA Configuration kConfigurations[kConfigurationCount] = {
    // 0: wide HINT=none THREADS=128; wins 2 problems
    {Variant::wide, /*threads*/ 128, /*hint*/ Hint::none, /*scale*/ 0.5,
     "wide.cu", 1,
     {{"mix", {128, 1, 1}, {1, 1, 1}, 1024}, {nullptr, {0, 0, 0}, {0, 0, 0}, -1}},
     {40, 128, 0}, "wide HINT=none THREADS=128"},
    // 1: wide HINT=none THREADS=1024; wins 1 problem
    {Variant::wide, /*threads*/ 1024, /*hint*/ Hint::none, /*scale*/ 0.5,
     "wide.cu", 1,
     {{"mix", {1024, 1, 1}, {1, 1, 1}, 8192}, {nullptr, {0, 0, 0}, {0, 0, 0}, -1}},
     {40, 128, 0}, "wide HINT=none THREADS=1024"},
    // 2: wide HINT=streaming THREADS=1024; wins 1 problem
    {Variant::wide, /*threads*/ 1024, /*hint*/ Hint::streaming, /*scale*/ 0.5,
     "wide.cu", 1,
     {{"mix", {1024, 1, 1}, {1, 1, 1}, 8192}, {nullptr, {0, 0, 0}, {0, 0, 0}, -1}},
     {40, 128, 0}, "wide HINT=streaming THREADS=1024"},
    // 3: warp SCALE=0.25 THREADS=64; wins 1 problem
    {Variant::warp, /*threads*/ 64, /*hint*/ Hint::none, /*scale*/ 0.25,
     "warp.cu", 2,
     {{"part", {64, 1, 1}, {1, 1, 1}, -1}, {"merge", {32, 2, 1}, {2, 1, 1}, 0}},
     {40, 128, 0}, "warp SCALE=0.25 THREADS=64"},
    // 4: warp SCALE=0.5 THREADS=256, the defaults
    {Variant::warp, /*threads*/ 256, /*hint*/ Hint::none, /*scale*/ 0.5,
     "warp.cu", 2,
     {{"part", {256, 1, 1}, {1, 1, 1}, -1}, {"merge", {32, 2, 1}, {2, 1, 1}, 0}},
     {-1, -1, -1}, "warp SCALE=0.5 THREADS=256"},
    // 5: wide HINT=none THREADS=256, the defaults
    {Variant::wide, /*threads*/ 256, /*hint*/ Hint::none, /*scale*/ 0.5,
     "wide.cu", 1,
     {{"mix", {256, 1, 1}, {1, 1, 1}, 2048}, {nullptr, {0, 0, 0}, {0, 0, 0}, -1}},
     {-1, -1, -1}, "wide HINT=none THREADS=256"},
};

WARPWRIGHT_DATA Board kBoards[kBoardCount] = {
    // 0: rows=16 K=64 on NVIDIA H200
    {0, {16, 64, Dtype::f32, 1, 1e-05, false}, 1, 7.5, 7.25, 7.75, false, "cold-graph-1",
     12, 46, 1,
     "wide HINT=streaming THREADS=1024\n",
     "580.159.04", "13.0", "warpwright 0.1.0", "2026-03-01T12:00:00Z",
     "hash-1"},
    // 1: rows=4096 K=8 on NVIDIA H200
    {0, {4096, 8, Dtype::f32, 1, 1e-05, false}, 3, 20.25, 20.0, 20.5, false, "cold-graph-1",
     12, 0, 0,
     "",
     "580.159.04", "13.0", "warpwright 0.1.0", "2026-03-01T12:00:00Z",
     "hash-1"},
    // 2: rows=4096 K=8 on NVIDIA H200
    {0, {4096, 8, Dtype::bf16, 1, 1e-05, false}, 0, 15.0, 14.75, 15.25, false, "cold-graph-1",
     12, 0, 0,
     "",
     "580.159.04", "13.0", "warpwright 0.1.0", "2026-03-01T12:00:00Z",
     "hash-1"},
    // 3: rows=8192 K=32 on NVIDIA H200
    {0, {8192, 32, Dtype::f32, 1, 1e-05, false}, 0, 60.125, 59.875, 60.375, false, "cold-graph-1",
     12, 0, 0,
     "",
     "580.159.04", "13.0", "warpwright 0.1.0", "2026-03-01T12:00:00Z",
     "hash-1"},
    // 4: rows=64 K=64 on NVIDIA H100
    {1, {64, 64, Dtype::f32, 1, 1e-05, false}, 2, 9.0, 8.75, 9.25, false, "cold-graph-1",
     12, 0, 0,
     "",
     "580.159.04", "13.0", "warpwright 0.1.0", "2026-03-01T12:00:00Z",
     "hash-1"},
};

// Thousandths of the best that each candidate reaches on each tuned problem, at most that where
// it was stopped early; -1: not tried.
WARPWRIGHT_DATA short kFractions[kCandidateCount][kBoardCount] = {
    { 500,  950, 1000, 1000,  610},
    {1000,  700,  800,  800,  990},
    { 990,  690,  790,  810, 1000},
    {  -1, 1000,  900,  985,   -1},
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
WARPWRIGHT_FN Value operator==(Value a, Value b) {
  if (a.kind == Value::kText && b.kind == Value::kText) return same_text(a.text, b.text);
  if (!numbers(a, b)) return {};
  return integers(a, b) ? a.integer == b.integer : a.as_real() == b.as_real();
}
WARPWRIGHT_FN Value operator||(Value a, Value b) {
  if (!a.number()) return {};
  if (holds(a)) return true;
  return b.number() ? Value(holds(b)) : Value();
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
  return a.dtype == b.dtype &&
         a.write_z == b.write_z &&
         a.causal == b.causal;
}
WARPWRIGHT_FN bool same_sizes(const Problem& a, const Problem& b) {
  return a.rows == b.rows &&
         a.K == b.K &&
         a.dtype == b.dtype &&
         a.write_z == b.write_z &&
         a.eps == b.eps &&
         a.causal == b.causal;
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
  const Value K = Value(problem.K);
  const Value dtype = Value(dtype_name(problem.dtype));
  const Value write_z = Value(problem.write_z);
  // Bytes that the contract counts.
  const Value work = rows * K * bytes_of(dtype) * (1 + write_z);
  Place place{};
  place.axes[0] = size_scale(static_cast<double>(problem.rows));
  place.axes[1] = size_scale(static_cast<double>(problem.K));
  place.axes[2] = size_scale(static_cast<double>(problem.eps));
  place.counted = work.number();
  place.work = place.counted ? size_scale(work.as_real()) : 0;
  return place;
}

WARPWRIGHT_FN Limits complete(Limits given, Limits tuned) {
  if (given.max_shared == 0) given.max_shared = tuned.max_shared;
  if (given.sm_count == 0) given.sm_count = tuned.sm_count;
  return given;
}

WARPWRIGHT_FN bool allowed_wide(const Configuration& configuration, const Problem& problem,
    const Limits& limits) {
  const Value K = Value(problem.K);
  const Value threads = Value(configuration.threads);
  const Value device_max_shared = Value(limits.max_shared);
  // whole warps
  if (!holds(threads % 32 == 0)) return false;
  // a key per thread
  if (!holds(threads * 8 <= device_max_shared)) return false;
  if (!holds(K <= threads / 4)) return false;
  return true;
}

WARPWRIGHT_FN bool allowed_warp(const Configuration& configuration, const Problem& problem,
    const Limits& limits) {
  const Value rows = Value(problem.rows);
  const Value K = Value(problem.K);
  const Value dtype = Value(dtype_name(problem.dtype));
  const Value threads = Value(configuration.threads);
  (void)limits;
  // whole warps
  if (!holds(threads % 32 == 0)) return false;
  // each lane holds one
  if (!holds(K <= 32)) return false;
  if (!holds(dtype == "f32" || rows % bytes_of(dtype) == 0)) return false;
  return true;
}
}  // namespace detail

// The contract's types and limits of every size.
WARPWRIGHT_FN bool valid(const Problem& problem) {
  if (problem.rows < 1) return false;
  if (problem.rows > 65535) return false;
  if (problem.K < 1) return false;
  if (problem.K > 256) return false;
  if (dtype_name(problem.dtype) == nullptr) return false;
  if (problem.write_z != 0 && problem.write_z != 1) return false;
  if (!(problem.eps - problem.eps == 0)) return false;
  if (problem.eps < 0.0) return false;
  return true;
}

// Every constraint of the contract and of the variant holds for this problem on a device with
// these limits.
WARPWRIGHT_FN bool allowed(const Configuration& configuration, const Problem& problem,
    const Limits& limits) {
  switch (configuration.variant) {
    case Variant::wide:
      return detail::allowed_wide(configuration, problem, limits);
    case Variant::warp:
      return detail::allowed_warp(configuration, problem, limits);
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

WARPWRIGHT_DATA int kDefineLength = 39;
struct Options {
  int count = 0;
  char option[6][kDefineLength] = {};
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
    case Variant::wide:
      detail::put_define(out, "THREADS", detail::Value(configuration.threads));
      detail::put_define(out, "HINT", detail::Value(hint_name(configuration.hint)));
      break;
    case Variant::warp:
      detail::put_define(out, "THREADS", detail::Value(configuration.threads));
      detail::put_define(out, "SCALE", detail::Value(configuration.scale));
      break;
  }
  detail::put_define(out, "TOP_K", detail::Value(problem.K));
  detail::put_define(out, "DTYPE", detail::Value(dtype_name(problem.dtype)));
  detail::put_define(out, "WRITE_Z", detail::Value(problem.write_z));
  detail::put_define(out, "EPS", detail::Value(problem.eps));
  return out;
}

namespace detail {
WARPWRIGHT_FN LaunchPlan no_launch() {
  LaunchPlan out{};
  return out;
}

WARPWRIGHT_FN LaunchPlan launch_wide(const Configuration& configuration, const Problem& problem,
    const Limits& limits, int index) {
  const Value rows = Value(problem.rows);
  const Value threads = Value(configuration.threads);
  (void)limits;
  LaunchPlan out = no_launch();
  switch (index) {
    case 0:
      out.ok = true;
      out.entry = "mix";
      set_extent(out, out.grid[0], rows);
      set_extent(out, out.block[0], threads);
      set_extent(out, out.shared_bytes, threads * 8);
      break;
    default:
      break;
  }
  return out;
}

WARPWRIGHT_FN LaunchPlan launch_warp(const Configuration& configuration, const Problem& problem,
    const Limits& limits, int index) {
  const Value rows = Value(problem.rows);
  const Value K = Value(problem.K);
  const Value dtype = Value(dtype_name(problem.dtype));
  const Value threads = Value(configuration.threads);
  const Value device_sm_count = Value(limits.sm_count);
  LaunchPlan out = no_launch();
  switch (index) {
    case 0:
      out.ok = true;
      out.entry = "part";
      set_extent(out, out.grid[0], ceil_div(rows, threads / 32));
      set_extent(out, out.grid[1], K);
      set_extent(out, out.block[0], threads);
      set_extent(out, out.shared_bytes, bytes_of(dtype) * K);
      break;
    case 1:
      out.ok = true;
      out.entry = "merge";
      set_extent(out, out.grid[0], device_sm_count);
      set_extent(out, out.block[0], Value(32));
      set_extent(out, out.block[1], Value(2));
      set_extent(out, out.cluster[0], Value(2));
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
    case Variant::wide:
      return detail::launch_wide(configuration, problem, limits, index);
    case Variant::warp:
      return detail::launch_warp(configuration, problem, limits, index);
  }
  return detail::no_launch();
}

}  // namespace row_mix
}  // namespace warpwright

#undef WARPWRIGHT_FN
#undef WARPWRIGHT_DATA
