// Rows of the results database as plain values. JSON columns hold objects with keys in alphabetical
// order; "" is "not known", anything else must be valid JSON.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/status.h"

namespace warpwright {

using RowId = std::int64_t;

struct DeviceRecord {
  std::string fingerprint;  // unique
  std::string id;           // "cuda:0", "emu:sm_90a"
  std::string name;
  std::string arch;
  std::string uuid;
  std::string driver;
  bool has_clock = false;
  std::string details_json;  // the whole DeviceInfo
};

struct KernelRecord {
  std::string name;
  // SHA-256 of what decides results: kernel.yaml, the reference, and the source of one variant (a
  // row per variant) or of all, with everything they include.
  std::string contract_hash;
  std::string summary;
  std::string contract_text;  // kernel.yaml as it was
};

struct RunRecord {
  std::string config_path;
  std::string config_text;
  std::uint64_t seed = 0;
  std::string strategy;
  std::string budget;
  std::string version;  // of warpwright, with its commit when known
  std::string nvrtc_version;
  std::string host;
  std::string command_line;
  std::string started_utc;   // "2026-03-01T12:00:00Z"
  std::string finished_utc;  // empty while it runs or after it was killed
  std::string ended;         // "complete", "budget", "interrupted", "failed"; empty as above
};

// One configuration on one problem on one device. `key` identifies what was tried: kernel hash,
// problem, configuration, device fingerprint, protocol and seed; the newest trial of a key is the
// one that counts.
struct TrialRecord {
  RowId id = 0;  // set by the database
  std::string key;
  RowId run = 0;
  RowId kernel = 0;
  RowId device = 0;
  std::string problem_json;  // {"K":10,"V":50257,"rows":8192,...}, completed
  std::string problem_text;  // "rows=8192 V=50257 K=10 dtype=f32", the contract's order
  std::string variant;
  std::string configuration_json;  // {"THREADS":512,...}
  std::string configuration_text;  // Configuration::to_string()
  Status status = Status::kOk;
  std::string reason;
  std::optional<double> median_us, ci_low_us, ci_high_us, floor_us;
  bool modelled = false;
  std::string protocol;
  std::string resources_json;  // as analysis/resource_summary.h reads them
  std::string counters_json;   // emulator counters, {} on a GPU
  std::string errors_json;     // per output: checked, wrong, max_abs, max_rel
  std::string cubin_hash;
  std::string options_json;  // compiler options, to obtain it again
  double compile_seconds = 0, validate_seconds = 0, measure_seconds = 0;
  int sm_clock_mhz = 0;
  double work_bytes = 0, work_flops = 0;  // of the contract on this problem; 0 when not given
  std::string started_utc;
  std::vector<double> samples_us;  // in the order taken; kept as binary32, see sample_codec.h
};

// What a device can reach at best, measured: "read" in GB/s, "tensor_bf16" in GFLOP/s.
struct CeilingRecord {
  RowId device = 0;
  std::string name;
  double value = 0;
  std::string unit;
  std::optional<double> ci_low, ci_high;
  std::string protocol;
  std::string measured_utc;
};

}  // namespace warpwright
